// SPDX-License-Identifier: MIT
#include <phyxel/solid/rest_shape.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

namespace phyxel {
namespace {

/// Eigenvalues of a moment up to this share of the largest are taken for 0: the neighbours nearly lie in a
/// plane, and what they say of strain across it would be more error than strain.
constexpr double flat_share = 0.005;

/// Those up to this share are rounding.
constexpr double rounding_share = 1e-13;

/// Two that flow may come to lie nearly in one place: no pair is kept in line as if it were nearer than this
/// share of its support.
constexpr double nearest_share = 0.1;

constexpr Index none = std::numeric_limits<Index>::max();

/// (1 − r²/h²)³ [MKN*04, Eq. 9]; its constant factor cancels.
double weight(double r2, double h)
{
    const double s = std::max(0.0, 1.0 - r2 / (h * h));
    return s * s * s;
}

/// The same for a way that cracks make longer [AW09, Eq. 70].
double weight(double r2, double h, double lengthening)
{
    const double q = std::sqrt(r2) / h + lengthening;
    return q < 1.0 ? weight(q * q, 1.0) : 0.0;
}

template <int Dim>
void weigh_pairs(RestShape<Dim>& rest, Index i)
{
    std::size_t entry = rest.neighbors.offsets()[i];
    for (const Index j : rest.neighbors.of(i)) {
        const double h = 0.5 * (rest.support_radius[i] + rest.support_radius[j]);
        const bool is_longer = !rest.lengthening.empty() && rest.lengthening[entry] > 0.0;
        const auto weigh = [&](const Vec<Dim>& X) -> PairWeight {
            const double r2 = X.squaredNorm();
            const double w = is_longer ? weight(r2, h, rest.lengthening[entry]) : weight(r2, h);
            const double nearest = nearest_share * h;
            return {w, r2 > 0.0 ? 1.0 / std::max(r2, nearest * nearest) : 0.0};
        };
        rest.pairs[entry] = weigh(rest.position[j] - rest.position[i]);
        if (!rest.seen.empty()) {
            SeenPair<Dim>& seen = rest.seen[entry];
            seen.weight = seen.X.isZero(0.0) ? PairWeight{} : weigh(seen.offset());
        }
        ++entry;
    }
}

/// A and the sums that go with it.
template <int Dim>
Mat<Dim> sum_moments(const RestShape<Dim>& rest, Index i, PhyxelGradient<Dim>& gradient)
{
    Mat<Dim> A = Mat<Dim>::Zero();
    gradient.stabilizing_moment.setZero();
    gradient.weighted_offsets.setZero();
    gradient.stabilizing_offsets.setZero();
    gradient.weight_sum = 0.0;
    std::size_t entry = rest.neighbors.offsets()[i];
    for (const Index j : rest.neighbors.of(i)) {
        const PairWeight& pair = rest.weight(entry);
        const Vec<Dim> X_ij = rest.offset(i, j, entry++);
        add_to_moment<Dim>(pair.w, X_ij, A);
        add_to_moment<Dim>(pair.w * pair.per_r2, X_ij, gradient.stabilizing_moment);
        gradient.weighted_offsets += pair.w * X_ij;
        gradient.stabilizing_offsets += pair.w * pair.per_r2 * X_ij;
        gradient.weight_sum += pair.w;
    }
    return A;
}

/// Weights and gradients of the phyxels `which`, ascending.
template <int Dim>
void fit_gradients(RestShape<Dim>& rest, std::span<const Index> which)
{
    constexpr std::size_t block_size = 64;
    const auto was_flat =
        std::any_of(which.begin(), which.end(), [&](Index i) { return !rest.spans_space[i]; });
    parallel_for(
        which.size(),
        [&](Index k) {
            const Index i = which[k];
            weigh_pairs(rest, i);
            PhyxelGradient<Dim>& gradient = rest.gradients[i];
            const SymmetricInverse<Dim> inverse =
                pseudo_inverse<Dim>(sum_moments(rest, i, gradient), flat_share);
            gradient.inverse_moment = rest.scale_of(i) * inverse.matrix;
            rest.spans_space[i] = inverse.rank == Dim;
        },
        block_size);
    // They are few, as a rule, and what is kept of them is more than of others.
    if (was_flat)
        std::erase_if(rest.flat, [&](const FlatPhyxel<Dim>& phyxel) {
            return std::binary_search(which.begin(), which.end(), phyxel.phyxel);
        });
    const auto old_count = static_cast<std::ptrdiff_t>(rest.flat.size());
    for (const Index i : which) {
        if (rest.spans_space[i]) continue;
        PhyxelGradient<Dim> gradient;
        const Mat<Dim> A = sum_moments(rest, i, gradient);
        rest.flat.push_back(
            {i, pseudo_inverse<Dim>(A, flat_share).span, pseudo_inverse<Dim>(A, rounding_share).matrix});
    }
    std::inplace_merge(
        rest.flat.begin(), rest.flat.begin() + old_count, rest.flat.end(),
        [](const FlatPhyxel<Dim>& a, const FlatPhyxel<Dim>& b) { return a.phyxel < b.phyxel; });
}

template <int Dim>
void find_areas(RestShape<Dim>& rest, std::span<const Index> which)
{
    parallel_for(which.size(), [&](Index n) {
        const Index k = which[n];
        const Mat<Dim> Q_k = rest.volume[k] * rest.gradients[k].inverse_moment;
        Vec<Dim> sum = Vec<Dim>::Zero();
        std::size_t entry = rest.neighbors.offsets()[k];
        for (const Index j : rest.neighbors.of(k)) {
            const Mat<Dim> Q_j = rest.volume[j] * rest.gradients[j].inverse_moment;
            const Vec<Dim> X_kj = rest.offset(k, j, entry);
            if (rest.seen.empty())
                sum -= gradient_coefficient<Dim>(Q_k + Q_j, rest.pairs[entry].w, X_kj);
            else
                sum +=
                    gradient_coefficient<Dim>(Q_j, rest.weight_back(entry).w, rest.offset_back(k, j, entry)) -
                    gradient_coefficient<Dim>(Q_k, rest.weight(entry).w, X_kj);
            ++entry;
        }
        rest.area[k] = sum;
    });
}

/// Entries of a list are ascending where anybody sees apart.
template <int Dim>
void find_back(RestShape<Dim>& rest)
{
    rest.back.resize(rest.seen.size());
    if (rest.seen.empty()) return;
    parallel_for(rest.size(), [&](Index i) {
        std::size_t entry = rest.neighbors.offsets()[i];
        for (const Index j : rest.neighbors.of(i)) {
            const std::span<const Index> list = rest.neighbors.of(j);
            const auto found = std::lower_bound(list.begin(), list.end(), i);
            PHYXEL_ASSERT(found != list.end() && *found == i);
            rest.back[entry++] = rest.neighbors.offsets()[j] + static_cast<std::size_t>(found - list.begin());
        }
    });
}

/// With other lists: pairs that are still there are seen as they were, others as all see them.
template <int Dim>
std::vector<SeenPair<Dim>> seen_in(const RestShape<Dim>& rest, const NeighborLists& neighbors)
{
    std::vector<SeenPair<Dim>> seen(neighbors.entry_count());
    parallel_for(neighbors.size(), [&](Index i) {
        const std::span<const Index> before =
            i < rest.neighbors.size() ? rest.neighbors.of(i) : std::span<const Index>();
        std::size_t entry = neighbors.offsets()[i];
        for (const Index j : neighbors.of(i)) {
            const auto found = std::lower_bound(before.begin(), before.end(), j);
            if (found != before.end() && *found == j)
                seen[entry] =
                    rest.seen[rest.neighbors.offsets()[i] + static_cast<std::size_t>(found - before.begin())];
            else
                seen[entry].X = to_lane<Dim>(rest.position[j] - rest.position[i]);
            ++entry;
        }
    });
    return seen;
}

/// These and all their neighbours, ascending.
std::vector<Index> with_neighbors(const NeighborLists& neighbors, std::span<const Index> phyxels)
{
    constexpr std::size_t many = 16;
    std::vector<Index> all;
    if (many * phyxels.size() > neighbors.size()) {
        std::vector<std::uint8_t> is_one(neighbors.size(), 0);
        for (const Index i : phyxels) {
            is_one[i] = 1;
            for (const Index j : neighbors.of(i)) is_one[j] = 1;
        }
        for (std::size_t i = 0; i < is_one.size(); ++i)
            if (is_one[i] != 0) all.push_back(static_cast<Index>(i));
        return all;
    }
    all.assign(phyxels.begin(), phyxels.end());
    for (const Index i : phyxels) {
        const std::span<const Index> list = neighbors.of(i);
        all.insert(all.end(), list.begin(), list.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

} // namespace

template <int Dim>
Mat<Dim> RestShape<Dim>::rest_gradient(std::size_t i) const
{
    return spans_space[i] ? Mat<Dim>(Mat<Dim>::Identity()) : flat_at(i).span;
}

template <int Dim>
Mat<Dim> RestShape<Dim>::deformation(std::span<const Vec<Dim>> places, Index i) const
{
    Mat<Dim> sum = Mat<Dim>::Zero();
    std::size_t entry = neighbors.offsets()[i];
    for (const Index j : neighbors.of(i)) {
        sum += weight(entry).w * (places[j] - places[i]) * offset(i, j, entry).transpose();
        ++entry;
    }
    return sum * gradients[i].inverse_moment;
}

template <int Dim>
const FlatPhyxel<Dim>& RestShape<Dim>::flat_at(std::size_t i) const
{
    const auto found = std::lower_bound(flat.begin(), flat.end(), i,
                                        [](const FlatPhyxel<Dim>& a, std::size_t b) { return a.phyxel < b; });
    PHYXEL_ASSERT(found != flat.end() && found->phyxel == i);
    return *found;
}

template <int Dim>
void fit(RestShape<Dim>& rest, Index first)
{
    PHYXEL_ASSERT(rest.volume.size() == rest.size() && rest.support_radius.size() == rest.size());
    PHYXEL_ASSERT(rest.neighbors.size() == rest.size());
    std::vector<Index> which(rest.size() - first);
    std::iota(which.begin(), which.end(), first);
    rest.pairs.resize(rest.neighbors.entry_count());
    if (!rest.lengthening.empty()) rest.lengthening.resize(rest.neighbors.entry_count(), 0.0);
    if (!rest.seen.empty()) {
        const std::size_t known = std::min(rest.seen.size(), rest.neighbors.entry_count());
        rest.seen.resize(rest.neighbors.entry_count());
        for (Index i = first; i < rest.size(); ++i) {
            std::size_t entry = rest.neighbors.offsets()[i];
            for (const Index j : rest.neighbors.of(i)) {
                if (entry >= known) rest.seen[entry].X = to_lane<Dim>(rest.position[j] - rest.position[i]);
                ++entry;
            }
        }
        find_back(rest);
    }
    rest.gradients.resize(rest.size());
    rest.spans_space.resize(rest.size(), 1);
    rest.area.resize(rest.size());
    fit_gradients<Dim>(rest, which);
    find_areas<Dim>(rest, which);
}

template <int Dim>
RefitReport refit(RestShape<Dim>& rest, std::span<const Index> phyxels)
{
    return refit_pairs<Dim>(rest, with_neighbors(rest.neighbors, phyxels));
}

template <int Dim>
RefitReport refit_pairs(RestShape<Dim>& rest, std::span<const Index> phyxels)
{
    RefitReport report{.fitted = std::vector<Index>(phyxels.begin(), phyxels.end())};
    PHYXEL_ASSERT(std::is_sorted(report.fitted.begin(), report.fitted.end()));
    fit_gradients<Dim>(rest, report.fitted);
    const std::vector<Index> around = with_neighbors(rest.neighbors, report.fitted);
    find_areas<Dim>(rest, around);
    report.areas = around.size();
    return report;
}

template <int Dim>
RefitReport reconnect(RestShape<Dim>& rest, NeighborLists neighbors, std::span<const Index> phyxels,
                      const std::function<void(std::span<const Index>, std::span<double>)>& find_scales,
                      std::vector<SeenPair<Dim>> seen, std::span<const std::uint8_t> stays)
{
    PHYXEL_ASSERT(neighbors.size() == rest.size());
    if (seen.empty() && !rest.seen.empty()) seen = seen_in(rest, neighbors);
    // Weights of those whose lists are the same move with them.
    std::vector<PairWeight> pairs(neighbors.entry_count());
    std::vector<double> lengthening(rest.lengthening.empty() ? 0 : neighbors.entry_count(), 0.0);
    parallel_for(rest.size(), [&](Index i) {
        if (std::binary_search(phyxels.begin(), phyxels.end(), i)) return;
        const std::size_t from = rest.neighbors.offsets()[i], to = neighbors.offsets()[i];
        const std::size_t count = rest.neighbors.of(i).size();
        std::copy_n(rest.pairs.data() + from, count, pairs.data() + to);
        if (!lengthening.empty()) std::copy_n(rest.lengthening.data() + from, count, lengthening.data() + to);
    });
    rest.lengthening = std::move(lengthening);
    rest.pairs = std::move(pairs);
    rest.neighbors = std::move(neighbors);
    rest.seen = std::move(seen);
    find_back(rest);
    if (rest.scale.empty()) rest.scale.assign(rest.size(), 1.0);

    RefitReport report{.fitted = with_neighbors(rest.neighbors, phyxels)};
    if (!stays.empty()) {
        // Their weights as all see them are others all the same.
        parallel_for(report.fitted.size(), [&](Index k) {
            if (stays[report.fitted[k]] != 0) weigh_pairs(rest, report.fitted[k]);
        });
        std::erase_if(report.fitted, [&](Index i) { return stays[i] != 0; });
    }
    for (const Index i : report.fitted) rest.scale[i] = 1.0;
    fit_gradients<Dim>(rest, report.fitted);
    std::vector<double> scales(report.fitted.size(), 1.0);
    find_scales(report.fitted, scales);
    parallel_for(report.fitted.size(), [&](Index k) {
        const Index i = report.fitted[k];
        rest.scale[i] = scales[k];
        rest.gradients[i].inverse_moment *= scales[k];
    });
    const std::vector<Index> around = with_neighbors(rest.neighbors, report.fitted);
    find_areas<Dim>(rest, around);
    report.areas = around.size();
    return report;
}

template <int Dim>
void see_apart(RestShape<Dim>& rest)
{
    if (!rest.seen.empty()) return;
    rest.seen.resize(rest.neighbors.entry_count());
    parallel_for(rest.size(), [&](Index i) {
        std::size_t entry = rest.neighbors.offsets()[i];
        for (const Index j : rest.neighbors.of(i))
            rest.seen[entry++].X = to_lane<Dim>(rest.position[j] - rest.position[i]);
        weigh_pairs(rest, i);
    });
    find_back(rest);
    // The same but for rounding.
    std::vector<Index> all(rest.size());
    std::iota(all.begin(), all.end(), Index(0));
    find_areas<Dim>(rest, all);
}

template <int Dim>
void set_seen(RestShape<Dim>& rest, std::span<const Vec<Dim>> offsets)
{
    PHYXEL_ASSERT(offsets.empty() || offsets.size() == rest.neighbors.entry_count());
    rest.seen.resize(offsets.size());
    parallel_for(offsets.size(), [&](Index entry) { rest.seen[entry].X = to_lane<Dim>(offsets[entry]); });
    find_back(rest);
}

template <int Dim>
void set_scales(RestShape<Dim>& rest, std::span<const Index> phyxels, std::span<const double> scales)
{
    PHYXEL_ASSERT(phyxels.size() == scales.size());
    if (rest.scale.empty()) rest.scale.assign(rest.size(), 1.0);
    for (std::size_t k = 0; k < phyxels.size(); ++k) rest.scale[phyxels[k]] = scales[k];
    fit_gradients<Dim>(rest, phyxels);
    find_areas<Dim>(rest, with_neighbors(rest.neighbors, phyxels));
}

NeighborLists without_phyxels(const NeighborLists& lists, Index first, Index last)
{
    const Index count = last - first;
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (std::size_t i = 0; i < lists.size(); ++i) {
        if (i >= first && i < last) continue;
        for (const Index j : lists.of(i)) {
            PHYXEL_ASSERT(j < first || j >= last);
            ids.push_back(j < first ? j : j - count);
        }
        offsets.push_back(ids.size());
    }
    return NeighborLists(offsets, ids);
}

template <int Dim>
void remove_phyxels(RestShape<Dim>& rest, Index first, Index last)
{
    const Index count = last - first;
    const std::uint64_t first_entry = rest.neighbors.offsets()[first];
    const std::uint64_t last_entry = rest.neighbors.offsets()[last];
    const auto erase = [](auto& values, std::uint64_t begin, std::uint64_t end) {
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(begin),
                     values.begin() + static_cast<std::ptrdiff_t>(end));
    };
    rest.neighbors = without_phyxels(rest.neighbors, first, last);
    erase(rest.pairs, first_entry, last_entry);
    if (!rest.seen.empty()) erase(rest.seen, first_entry, last_entry);
    if (!rest.lengthening.empty()) erase(rest.lengthening, first_entry, last_entry);
    erase(rest.position, first, last);
    erase(rest.volume, first, last);
    erase(rest.support_radius, first, last);
    if (!rest.scale.empty()) erase(rest.scale, first, last);
    erase(rest.gradients, first, last);
    erase(rest.spans_space, first, last);
    erase(rest.area, first, last);
    find_back(rest);
    std::erase_if(rest.flat,
                  [&](const FlatPhyxel<Dim>& flat) { return flat.phyxel >= first && flat.phyxel < last; });
    for (FlatPhyxel<Dim>& flat : rest.flat)
        if (flat.phyxel >= last) flat.phyxel -= count;
}

NeighborLists with_newcomers(const NeighborLists& lists, std::span<const Index> came_from)
{
    // Of those that repeat a number the first has the neighbours.
    std::vector<Index> now(lists.size(), none);
    for (std::size_t k = 0; k < came_from.size(); ++k)
        if (now[came_from[k]] == none) now[came_from[k]] = static_cast<Index>(k);
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    ids.reserve(lists.entry_count());
    for (std::size_t k = 0; k < came_from.size(); ++k) {
        if (now[came_from[k]] == k)
            for (const Index j : lists.of(came_from[k])) ids.push_back(now[j]);
        offsets.push_back(ids.size());
    }
    return NeighborLists(offsets, ids);
}

template <int Dim>
void insert_phyxels(RestShape<Dim>& rest, std::span<const Index> came_from)
{
    const auto gather = [&](auto& values) {
        std::remove_cvref_t<decltype(values)> gathered;
        gathered.reserve(came_from.size());
        for (const Index from : came_from) gathered.push_back(values[from]);
        values = std::move(gathered);
    };
    // The entries of pairs stay where they are, as who is new has none.
    rest.neighbors = with_newcomers(rest.neighbors, came_from);
    gather(rest.position);
    gather(rest.volume);
    gather(rest.support_radius);
    if (!rest.scale.empty()) gather(rest.scale);
    gather(rest.gradients);
    gather(rest.spans_space);
    gather(rest.area);
    std::vector<FlatPhyxel<Dim>> flat;
    for (std::size_t k = 0; k < came_from.size(); ++k) {
        if (rest.spans_space[k] != 0) continue;
        const auto found =
            std::lower_bound(rest.flat.begin(), rest.flat.end(), came_from[k],
                             [](const FlatPhyxel<Dim>& a, Index number) { return a.phyxel < number; });
        PHYXEL_ASSERT(found != rest.flat.end() && found->phyxel == came_from[k]);
        flat.push_back(*found);
        flat.back().phyxel = static_cast<Index>(k);
    }
    rest.flat = std::move(flat);
}

template struct RestShape<2>;
template void insert_phyxels(RestShape<2>&, std::span<const Index>);
template void insert_phyxels(RestShape<3>&, std::span<const Index>);
template void remove_phyxels(RestShape<2>&, Index, Index);
template void remove_phyxels(RestShape<3>&, Index, Index);
template void fit(RestShape<2>&, Index);
template RefitReport refit(RestShape<2>&, std::span<const Index>);
template RefitReport refit_pairs(RestShape<2>&, std::span<const Index>);
template void set_scales(RestShape<2>&, std::span<const Index>, std::span<const double>);
template void set_scales(RestShape<3>&, std::span<const Index>, std::span<const double>);
template RefitReport reconnect(RestShape<2>&, NeighborLists, std::span<const Index>,
                               const std::function<void(std::span<const Index>, std::span<double>)>&,
                               std::vector<SeenPair<2>>, std::span<const std::uint8_t>);
template void see_apart(RestShape<2>&);
template void set_seen(RestShape<2>&, std::span<const Vec<2>>);
template RefitReport reconnect(RestShape<3>&, NeighborLists, std::span<const Index>,
                               const std::function<void(std::span<const Index>, std::span<double>)>&,
                               std::vector<SeenPair<3>>, std::span<const std::uint8_t>);
template void see_apart(RestShape<3>&);
template void set_seen(RestShape<3>&, std::span<const Vec<3>>);
template struct RestShape<3>;
template void fit(RestShape<3>&, Index);
template RefitReport refit(RestShape<3>&, std::span<const Index>);
template RefitReport refit_pairs(RestShape<3>&, std::span<const Index>);

} // namespace phyxel
