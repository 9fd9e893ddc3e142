// SPDX-License-Identifier: MIT
#include <phyxel/solid/crowding.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace phyxel {
namespace {

/// Lists reach so many times as far as the kernel, so that they are good for a while.
constexpr double list_reach = 1.15;

/// A shape is forgotten once two neighbours have come nearer, or apart, by so many spacings.
constexpr double outdated_way = 0.25;

/// Where two are nearer than so many spacings, a spring holds them apart even if nobody else is there.
constexpr double nearest_distance = 0.6;

/// Two that come nearer than this many spacings have met.
constexpr double meeting_distance = 1.1;

/// (1 − q)³ and its slope.
struct Spiky {
    double value, slope;

    explicit Spiky(double q) : value((1.0 - q) * (1.0 - q) * (1.0 - q)), slope(-3.0 * (1.0 - q) * (1.0 - q))
    {
    }
};

/// Σ of a lattice, with itself.
template <int Dim>
double lattice_crowd()
{
    double sum = 0.0;
    const int last = Dim == 3 ? 1 : 0;
    for (int x = -1; x <= 1; ++x)
        for (int y = -1; y <= 1; ++y)
            for (int z = -last; z <= last; ++z)
                sum += Spiky(0.5 * std::sqrt(double(x * x + y * y + z * z))).value;
    return sum;
}

double bulk_modulus(const ElasticModuli& moduli)
{
    return moduli.lambda + 2.0 / 3.0 * moduli.mu + moduli.volume_stiffness;
}

template <int Dim>
double power(double length)
{
    return Dim == 3 ? length * length * length : length * length;
}

} // namespace

/// Calls visit(j, x_i − x_j, r, h) with all that the kernel of phyxel i sees.
template <int Dim>
template <class Visit>
void Crowding<Dim>::for_each_near(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                  std::size_t member, const Visit& visit) const
{
    const Index i = members_[member];
    const double a_i = model.spacing_of_part[model.part[i]];
    for (std::uint64_t k = first_[member]; k < first_[member + 1]; ++k) {
        const Index j = near_[k];
        const Vec<Dim> apart = periodic_.difference(positions[i], positions[j]);
        const double h = a_i + model.spacing_of_part[model.part[j]];
        const double r2 = apart.squaredNorm();
        if (r2 < h * h) visit(j, apart, std::sqrt(r2), h);
    }
}

/// What phyxel j counts for i: (v_j/v_i) (2 a_i/h)^Dim, which is 1 in a part that is filled evenly.
template <int Dim>
double Crowding<Dim>::share(const SolidModel<Dim>& model, Index i, Index j, double h) const
{
    if (model.part[i] == model.part[j]) return 1.0;
    return model.rest.volume[j] / model.rest.volume[i] *
           power<Dim>(2.0 * model.spacing_of_part[model.part[i]] / h);
}

template <int Dim>
Crowding<Dim>::Crowding(const SolidModel<Dim>& model)
{
    update_model(model);
}

template <int Dim>
void Crowding<Dim>::update_model(const SolidModel<Dim>& model)
{
    const std::size_t parts = model.materials.size();
    std::vector<std::uint8_t> is_wanted(parts, 0);
    for (std::uint32_t a = 0; a < parts; ++a) {
        if (!model.may_flow(a)) continue;
        is_wanted[a] = 1;
        for (const std::uint32_t b : model.merges_with[a]) is_wanted[b] = 1;
    }
    std::vector<Index> members;
    reach_ = 0.0;
    for (std::uint32_t part = 0; part < parts; ++part) {
        if (is_wanted[part] == 0) continue;
        reach_ = std::max(reach_, 2.0 * list_reach * model.spacing_of_part[part]);
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            members.push_back(i);
    }
    members_ = std::move(members);
    crowd_.assign(model.size(), 0.0);
    squeeze_.assign(model.size(), 0.0);
    // Of points at random, whose sums are larger than those of a lattice.
    periodic_ = {};
    search(model, model.origin);
    std::vector<double> sums(members_.size());
    find_crowds(model, model.origin, sums);
    first_crowd_.assign(parts, lattice_crowd<Dim>());
    for (std::size_t m = 0; m < members_.size(); ++m) {
        double& first = first_crowd_[model.part[members_[m]]];
        first = std::max(first, sums[m]);
    }
    searched_at_.clear();
}

/// The lists do not depend on the order of the search, and what they have too much counts as 0.
template <int Dim>
void Crowding<Dim>::search(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions)
{
    searched_at_.resize(members_.size());
    for (std::size_t m = 0; m < members_.size(); ++m) searched_at_[m] = positions[members_[m]];
    first_.assign(members_.size() + 1, 0);
    near_.clear();
    if (members_.empty()) return;
    double reach = reach_;
    for (int k = 0; k < Dim; ++k)
        if (periodic_.is_periodic(k)) reach = std::min(reach, 0.499 * periodic_.length[k]);
    NeighborSearch<Dim> search(periodic_);
    search.update(searched_at_, reach);
    const std::span<const Index> order = search.order();
    std::vector<Index> rank(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<Index>(k);
    const auto for_each_partner = [&](std::size_t m, const auto& visit) {
        for (const Index n : search.lists().of(rank[m]))
            if (model.may_couple(model.part[members_[m]], model.part[members_[order[n]]])) visit(order[n]);
    };
    parallel_for(members_.size(), [&](Index m) {
        std::uint64_t count = 0;
        for_each_partner(m, [&](Index) { ++count; });
        first_[m + 1] = count;
    });
    for (std::size_t m = 0; m < members_.size(); ++m) first_[m + 1] += first_[m];
    near_.resize(first_.back());
    parallel_for(members_.size(), [&](Index m) {
        std::uint64_t k = first_[m];
        for_each_partner(m, [&](Index n) { near_[k++] = members_[n]; });
        std::sort(near_.begin() + static_cast<std::ptrdiff_t>(first_[m]),
                  near_.begin() + static_cast<std::ptrdiff_t>(k));
    });
}

template <int Dim>
void Crowding<Dim>::find_crowds(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                std::span<double> sums) const
{
    parallel_for(members_.size(), [&](Index m) {
        double sum = 1.0;
        for_each_near(model, positions, m, [&](Index j, const Vec<Dim>&, double r, double h) {
            sum += share(model, members_[m], j, h) * Spiky(r / h).value;
        });
        sums[m] = sum;
    });
}

template <int Dim>
void Crowding<Dim>::find(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                         const PeriodicBox<Dim>& periodic)
{
    if (members_.empty()) return;
    if (periodic.length != periodic_.length || periodic.min != periodic_.min) {
        periodic_ = periodic;
        searched_at_.clear();
    }
    bool is_old = searched_at_.size() != members_.size();
    if (!is_old) {
        const double most = 0.5 * (1.0 - 1.0 / list_reach) * reach_;
        is_old = ordered_max(
                     members_.size(), 0.0,
                     [&](Index m) { return (positions[members_[m]] - searched_at_[m]).squaredNorm(); },
                     partial_) >= most * most;
    }
    if (is_old) {
        const auto is_number = [&](Index i) { return positions[i].allFinite(); };
        if (!std::all_of(members_.begin(), members_.end(), is_number)) return; // the step is lost anyway
        search(model, positions);
    }
    // A wave of all phyxels is as stiff as some share of what a phyxel feels when all around it come nearer.
    constexpr double share_of_waves = 0.25;
    stiffest_.assign(members_.size(), 0.0);
    parallel_for(members_.size(), [&](Index m) {
        const Index i = members_[m];
        squeeze_[i] = 0.0;
        if (!model.material_of(i).flows) return;
        double sum = 1.0, slopes = 0.0, springs = 0.0;
        for_each_near(model, positions, m, [&](Index j, const Vec<Dim>&, double r, double h) {
            const Spiky w(r / h);
            const double counts = share(model, i, j, h);
            sum += counts * w.value;
            slopes -= counts * w.slope / h;
            springs += spring(model, i, j, r, h);
        });
        const double first = first_crowd_[model.part[i]];
        squeeze_[i] = std::max(0.0, sum / first - 1.0);
        stiffest_[m] = 2.0 * springs / model.mass[i];
        if (squeeze_[i] > 0.0)
            stiffest_[m] += share_of_waves * stiffness(model, i) / model.mass[i] * slopes * slopes;
    });
}

/// How stiffly two that are too near are held apart [N/m].
template <int Dim>
double Crowding<Dim>::spring(const SolidModel<Dim>& model, Index i, Index j, double r, double h) const
{
    if (r >= 0.5 * nearest_distance * h) return 0.0;
    const bool flow = model.material_of(i).flows || model.material_of(j).flows;
    const double modulus = 0.5 * (bulk_modulus(model.moduli_of(i)) + bulk_modulus(model.moduli_of(j)));
    return flow ? modulus * (Dim == 3 ? 0.5 * h : 1.0) : 0.0;
}

/// v K / n₀² [J].
template <int Dim>
double Crowding<Dim>::stiffness(const SolidModel<Dim>& model, Index i) const
{
    const double first = first_crowd_[model.part[i]];
    return model.rest.volume[i] * bulk_modulus(model.moduli_of(i)) / (first * first);
}

/// v K s / n₀ [J].
template <int Dim>
double Crowding<Dim>::push(const SolidModel<Dim>& model, Index i) const
{
    return squeeze_[i] > 0.0 ? stiffness(model, i) * first_crowd_[model.part[i]] * squeeze_[i] : 0.0;
}

template <int Dim>
void Crowding<Dim>::add_forces(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                               std::span<Vec<Dim>> forces) const
{
    if (model.fault == Fault::NoCrowding) return;
    const bool one_sided = model.fault == Fault::OneSidedContacts;
    parallel_for(members_.size(), [&](Index m) {
        const Index i = members_[m];
        const double own = push(model, i);
        Vec<Dim> force = Vec<Dim>::Zero();
        for_each_near(model, positions, m, [&](Index j, const Vec<Dim>& apart, double r, double h) {
            if (!(r > 0.0) || (one_sided && j < i)) return;
            const double other = push(model, j);
            if (own + other > 0.0) {
                const double sum = own * share(model, i, j, h) + other * share(model, j, i, h);
                force -= sum * Spiky(r / h).slope / (h * r) * apart;
            }
            const double k = spring(model, i, j, r, h);
            if (k > 0.0) force += k * (0.5 * nearest_distance * h / r - 1.0) * apart;
        });
        forces[i] += force;
    });
}

template <int Dim>
void Crowding<Dim>::add_stiffness(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                  std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product)
{
    // What s n₀ changes by, times v K / n₀².
    changes_.assign(model.size(), 0.0);
    parallel_for(members_.size(), [&](Index m) {
        const Index i = members_[m];
        if (!(squeeze_[i] > 0.0)) return;
        double sum = 0.0;
        for_each_near(model, positions, m, [&](Index j, const Vec<Dim>& apart, double r, double h) {
            if (!(r > 0.0)) return;
            sum += share(model, i, j, h) * Spiky(r / h).slope / (h * r) * apart.dot(change[i] - change[j]);
        });
        changes_[i] = stiffness(model, i) * sum;
    });
    parallel_for(members_.size(), [&](Index m) {
        const Index i = members_[m];
        Vec<Dim> force = Vec<Dim>::Zero();
        for_each_near(model, positions, m, [&](Index j, const Vec<Dim>& apart, double r, double h) {
            if (!(r > 0.0)) return;
            const double sum = changes_[i] * share(model, i, j, h) + changes_[j] * share(model, j, i, h);
            if (sum != 0.0) force += sum * Spiky(r / h).slope / (h * r) * apart;
            const double k = spring(model, i, j, r, h);
            if (k > 0.0) force += k / (r * r) * apart.dot(change[i] - change[j]) * apart;
        });
        product[i] += force;
    });
}

template <int Dim>
void Crowding<Dim>::add_energies(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                 std::span<double> energies) const
{
    parallel_for(members_.size(), [&](Index m) {
        const Index i = members_[m];
        double sum = push(model, i) * squeeze_[i] * first_crowd_[model.part[i]];
        for_each_near(model, positions, m, [&](Index j, const Vec<Dim>&, double r, double h) {
            const double k = spring(model, i, j, r, h);
            const double depth = 0.5 * nearest_distance * h - r;
            if (k > 0.0) sum += 0.5 * k * depth * depth; // half of it is the other's
        });
        energies[i] += 0.5 * sum;
    });
}

template <int Dim>
double Crowding<Dim>::frequency() const
{
    double largest = 0.0;
    for (const double rate : stiffest_) largest = std::max(largest, rate);
    return std::sqrt(largest);
}

template <int Dim>
std::vector<std::uint8_t> Crowding<Dim>::outdated(const SolidModel<Dim>& model,
                                                  std::span<const Vec<Dim>> positions) const
{
    std::vector<std::uint8_t> is_outdated(members_.size(), 0);
    parallel_for(members_.size(), [&](Index m) {
        const Index i = members_[m];
        if (!model.material_of(i).flows) return;
        std::size_t met = 0, coupled = 0;
        for_each_near(model, positions, m, [&](Index, const Vec<Dim>&, double r, double h) {
            if (r < 0.5 * meeting_distance * h) ++met;
        });
        const double a_i = model.spacing_of_part[model.part[i]];
        std::size_t entry = model.rest.neighbors.offsets()[i];
        for (const Index j : model.rest.neighbors.of(i)) {
            const PairWeight& pair = model.rest.pairs[entry++];
            const double r2 = periodic_.difference(positions[i], positions[j]).squaredNorm();
            const double near = 0.5 * meeting_distance * (a_i + model.spacing_of_part[model.part[j]]);
            if (r2 < near * near) ++coupled;
            const double way = std::sqrt(r2) - (model.rest.position[i] - model.rest.position[j]).norm();
            const double limit = outdated_way / meeting_distance * near;
            if (pair.w > 0.0 && std::abs(way) > limit) is_outdated[m] = 1;
        }
        if (met > coupled) is_outdated[m] = 1;
    });
    std::vector<std::uint8_t> of_parts(model.materials.size(), 0);
    for (std::size_t m = 0; m < members_.size(); ++m)
        if (is_outdated[m] != 0) of_parts[model.part[members_[m]]] = 1;
    return of_parts;
}

template class Crowding<2>;
template class Crowding<3>;

} // namespace phyxel
