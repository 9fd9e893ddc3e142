// SPDX-License-Identifier: MIT
#include <phyxel/solid/reshaping.h>

#include <phyxel/approx/profiles.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/resampling.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// What has moved by less than this many spacings has not.
constexpr double still = 1e-3;

/// det F between these is a deformation; beyond, a phyxel is turned inside out or torn, and remembers
/// nothing.
constexpr double least_volume = 0.05, largest_volume = 20.0;

/// Drawn out by this factor, a phyxel is halved if its neighbours say less than this share of strain along
/// that direction. From the other share on they say enough: what was drawn out is forgotten.
constexpr double drawn_out = 1.25, least_told = 0.5, enough_told = 0.8;

/// Halves stay farther from those of their neighbours than this share of a width: nearer, springs would push
/// them apart.
constexpr double room_of_halves = 0.5;

/// How much larger than relaxed something that bears no shear can be.
constexpr double largest_dilation = 1.05;

/// Whether neighbours say so little of strain in some direction that it would be told by few of them, and
/// hold them stiffly: by the moment of these, or its inverse.
template <int Dim>
bool lies_badly(const Mat<Dim>& moment)
{
    constexpr double least_share = 0.1;
    Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes;
    modes.computeDirect(moment, Eigen::EigenvaluesOnly);
    return !(modes.eigenvalues()[0] >= least_share * modes.eigenvalues()[Dim - 1]);
}

/// What a phyxel remembers in space, whatever its shape at rest.
template <int Dim>
struct Memory {
    Mat<Dim> stretch;                       ///< bₑ = F Cₚ⁻¹ Fᵀ
    double volume;                          ///< over that without stress; 0 if it remembers nothing
    Mat<Dim> spread = Mat<Dim>::Identity(); ///< F Fᵀ of all that it was drawn out by
};

template <int Dim>
bool is_sound(double volume)
{
    return volume > least_volume && volume < largest_volume;
}

/// What the phyxels of a body see of pairs once it has forgotten its shape.
template <int Dim>
struct Sight {
    std::vector<SeenPair<Dim>> seen;   ///< parallel to the new lists
    std::vector<std::uint8_t> stays;   ///< of all phyxels: one that sees nothing else than before
    std::vector<std::uint8_t> is_lost; ///< one that has no shape but with what flows around it
};

/// A phyxel that does not flow sees those that do not flow either as it always did, so that it knows all its
/// life who was where beside it. It sees none that flow: these push it by what they see. Only where it would
/// have no shape by its likes alone it sees all, turned back from where they are by its deformation.
template <int Dim>
void look_around(const SolidModel<Dim>& model, const NeighborLists& neighbors,
                 std::span<const Vec<Dim>> places, std::span<const std::uint8_t> has_moved, Index i,
                 Sight<Dim>& sight)
{
    const RestShape<Dim>& rest = model.rest;
    const std::span<const Index> before = rest.neighbors.of(i), now = neighbors.of(i);
    const SeenPair<Dim>* known = rest.seen.data() + rest.neighbors.offsets()[i];
    const std::span<SeenPair<Dim>> seen(sight.seen.data() + neighbors.offsets()[i], now.size());
    std::fill(seen.begin(), seen.end(), SeenPair<Dim>{});
    const Mat<Dim> F = rest.deformation(places, i) / std::max(rest.scale_of(i), 1e-6);
    const double J = determinant<Dim>(F, cofactor(F));
    const bool can_turn_back = is_sound<Dim>(J) && rest.spans_space[i] != 0;
    const Mat<Dim> back =
        can_turn_back ? Mat<Dim>(cofactor(F).transpose() / J) : Mat<Dim>(Mat<Dim>::Identity());
    const auto flows = [&](Index j) { return model.material_of(j).flows; };
    const auto known_of = [&](Index j) -> const SeenPair<Dim>* {
        const auto found = std::lower_bound(before.begin(), before.end(), j);
        if (found == before.end() || *found != j) return nullptr;
        const SeenPair<Dim>* pair = known + (found - before.begin());
        return pair->X.isZero(0.0) ? nullptr : pair;
    };
    // Others could not be seen beside those that are known.
    const bool keeps = can_turn_back || std::all_of(now.begin(), now.end(), [&](Index j) {
                           return flows(j) || known_of(j) != nullptr;
                       });
    const auto look = [&](std::size_t a, bool is_kept) {
        const Index j = now[a];
        const SeenPair<Dim>* pair = keeps && is_kept ? known_of(j) : nullptr;
        if (pair != nullptr)
            seen[a] = *pair;
        else
            seen[a].X = to_lane<Dim>(back * (places[j] - places[i]));
    };
    Mat<Dim> A = Mat<Dim>::Zero();
    for (std::size_t a = 0; a < now.size(); ++a) {
        if (flows(now[a])) continue;
        look(a, true);
        const Vec<Dim> X = seen[a].offset();
        const double h = 0.5 * (rest.support_radius[i] + rest.support_radius[now[a]]);
        A += Poly6Profile::value(std::min(1.0, X.norm() / h)) * X * X.transpose();
    }
    if (!(A.trace() > 0.0) || lies_badly<Dim>(A))
        for (std::size_t a = 0; a < now.size(); ++a) {
            if (!flows(now[a])) continue;
            look(a, has_moved[i] == 0 && has_moved[now[a]] == 0);
            sight.is_lost[i] = 1;
        }
    sight.stays[i] = std::ranges::equal(before, now) &&
                     std::equal(seen.begin(), seen.end(), known,
                                [](const SeenPair<Dim>& a, const SeenPair<Dim>& b) { return a.X == b.X; });
}

/// The parts that are wanted and all that may fuse with them, over any number of others.
template <int Dim>
std::vector<std::uint8_t> with_partners(const SolidModel<Dim>& model, std::span<const std::uint8_t> is_wanted)
{
    std::vector<std::uint8_t> is_in(is_wanted.begin(), is_wanted.end());
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (std::size_t a = 0; a < is_in.size(); ++a)
            for (const std::uint32_t b : model.merges_with[a])
                if (is_in[a] != is_in[b]) {
                    is_in[a] = is_in[b] = 1;
                    has_grown = true;
                }
    }
    return is_in;
}

template <int Dim>
void keep_first_neighbors(SolidModel<Dim>& model)
{
    const NeighborLists& lists = model.rest.neighbors;
    if (model.first_neighbors.size() == 0)
        model.first_neighbors = NeighborLists(lists.offsets(), lists.ids());
}

/// Neighbours of the members among themselves; the others keep theirs.
template <int Dim>
NeighborLists connect(const SolidModel<Dim>& model, std::span<const Index> members, Forgotten forgotten)
{
    const RestShape<Dim>& rest = model.rest;
    std::vector<Vec<Dim>> places;
    std::vector<double> reach;
    for (const Index i : members) {
        places.push_back(rest.position[i]);
        reach.push_back(rest.support_radius[i]);
    }
    NeighborSearch<Dim> search;
    search.update(places, reach, RadiusRule::Larger);
    const std::span<const Index> order = search.order();
    std::vector<Index> rank(order.size()), number(rest.size(), static_cast<Index>(members.size()));
    for (std::size_t k = 0; k < order.size(); ++k) rank[order[k]] = static_cast<Index>(k);
    for (std::size_t m = 0; m < members.size(); ++m) number[members[m]] = static_cast<Index>(m);

    std::vector<std::vector<Index>> lists(members.size());
    parallel_for(members.size(), [&](Index m) {
        const Index i = members[m];
        const bool flows = forgotten == Forgotten::Everything || model.material_of(i).flows;
        std::vector<Index>& list = lists[m];
        for (const Index n : search.lists().of(rank[m])) {
            const Index j = members[order[n]];
            if (!flows && !model.material_of(j).flows) continue;
            if (!model.may_couple(model.part[i], model.part[j])) continue;
            const double h = 0.5 * (rest.support_radius[i] + rest.support_radius[j]);
            if ((rest.position[i] - rest.position[j]).squaredNorm() < h * h) list.push_back(j);
        }
        // What does not flow stays together.
        if (!flows)
            for (const Index j : rest.neighbors.of(i))
                if (!model.material_of(j).flows) list.push_back(j);
        std::sort(list.begin(), list.end());
    });
    std::vector<std::uint64_t> offsets(1, 0);
    std::vector<Index> ids;
    ids.reserve(rest.neighbors.entry_count());
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const std::span<const Index> list =
            number[i] < members.size() ? std::span<const Index>(lists[number[i]]) : rest.neighbors.of(i);
        ids.insert(ids.end(), list.begin(), list.end());
        offsets.push_back(ids.size());
    }
    return NeighborLists(offsets, ids);
}

template <int Dim>
bool flows_now(const SolidModel<Dim>& model, Index i, Forgotten forgotten)
{
    return forgotten == Forgotten::Everything || model.material_of(i).flows;
}

/// What is seen once places at rest are those of now. Nothing where everybody flows and always has.
template <int Dim>
Sight<Dim> see(SolidModel<Dim>& model, const SolidState<Dim>& solid, std::span<const Index> members,
               const NeighborLists& neighbors, std::span<const std::uint8_t> has_moved, Forgotten forgotten)
{
    RestShape<Dim>& rest = model.rest;
    Sight<Dim> sight;
    const auto flows = [&](Index i) { return flows_now(model, i, forgotten); };
    if (rest.seen.empty() && std::all_of(members.begin(), members.end(), flows)) return sight;
    sight.seen.resize(neighbors.entry_count());
    sight.stays.assign(rest.size(), 0);
    sight.is_lost.assign(rest.size(), 0);
    std::vector<std::uint8_t> is_member(rest.size(), 0);
    for (const Index i : members) is_member[i] = 1;
    parallel_for(rest.size(), [&](Index i) {
        std::size_t entry = neighbors.offsets()[i];
        // With the weights, which nobody works out anew where nothing has changed.
        if (std::ranges::equal(neighbors.of(i), rest.neighbors.of(i)))
            std::copy_n(rest.seen.data() + rest.neighbors.offsets()[i], neighbors.of(i).size(),
                        sight.seen.data() + entry);
        if (is_member[i] == 0) return;
        if (flows(i)) {
            for (const Index j : neighbors.of(i))
                sight.seen[entry++].X = to_lane<Dim>(rest.position[j] - rest.position[i]);
        } else {
            look_around<Dim>(model, neighbors, solid.position, has_moved, i, sight);
        }
    });
    return sight;
}

/// Whether phyxels of these are halved where they are drawn out.
template <int Dim>
bool is_resampled(const SolidModel<Dim>& model, std::span<const Index> members)
{
    return std::any_of(members.begin(), members.end(),
                       [&](Index i) { return model.most_halvings[model.part[i]] > 0; });
}

/// Who is to be halved, of those with other places at rest, which they have already, and other neighbours.
/// Who has neighbours on all sides is not drawn out any more.
template <int Dim>
std::vector<Halving<Dim>> find_halvings(const SolidModel<Dim>& model, const SolidState<Dim>& solid,
                                        std::span<const Index> members, const NeighborLists& neighbors,
                                        std::span<const std::uint8_t> kept, std::vector<Memory<Dim>>& memory)
{
    std::vector<Halving<Dim>> found(members.size());
    parallel_for(members.size(), [&](Index m) {
        const Index i = members[m];
        const int most = model.most_halvings[model.part[i]];
        if (most == 0 || !model.material_of(i).flows) return;
        const Elongation<Dim> drawn = elongation<Dim>(memory[i].spread);
        if (!(drawn.stretch >= drawn_out)) return;
        const double told =
            told_along<Dim>(solid.position, model.rest.support_radius, neighbors.of(i), i, drawn.axis);
        if (told >= enough_told) memory[i].spread.setIdentity();
        if (told >= least_told || solid.halvings[i] >= most || (!kept.empty() && kept[i] != 0)) return;
        const double width = Dim == 3 ? std::cbrt(model.rest.volume[i]) : std::sqrt(model.rest.volume[i]);
        // Evenly along what was drawn out, if there is room.
        double way = 0.25 * drawn.stretch * width;
        for (const Index j : neighbors.of(i)) {
            const Vec<Dim> X = solid.position[j] - solid.position[i];
            const double along = std::abs(drawn.axis.dot(X));
            if (along * along > 0.5 * X.squaredNorm())
                way = std::min(way, 0.5 * (along - room_of_halves * width));
        }
        if (way > 0.2 * width) found[m] = {i, way * drawn.axis};
    });
    std::erase_if(found, [](const Halving<Dim>& one) { return one.way.isZero(0.0); });
    return found;
}

} // namespace

template <int Dim>
ReshapeReport forget_rest(SolidModel<Dim>& model, SolidState<Dim>& solid,
                          std::span<const std::uint8_t> is_wanted, double stabilization_share,
                          Forgotten forgotten, std::span<const std::uint8_t> kept)
{
    PHYXEL_ASSERT(solid.remembers_rest() && is_wanted.size() == model.materials.size());
    RestShape<Dim>& rest = model.rest;
    const std::vector<std::uint8_t> is_in = with_partners(model, is_wanted);
    std::vector<Index> members;
    for (std::size_t part = 0; part < is_in.size(); ++part)
        if (is_in[part] != 0)
            for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
                members.push_back(i);
    ReshapeReport report{.members = members.size()};
    if (members.empty()) return report;
    for (const Index i : members)
        if (!solid.position[i].allFinite()) return report;

    // Before the places at rest change, of which they see the differences so far.
    if (std::any_of(members.begin(), members.end(), [&](Index i) { return !flows_now(model, i, forgotten); }))
        see_apart(rest);

    const bool resamples = forgotten == Forgotten::WhatMoved && is_resampled<Dim>(model, members);
    if (resamples) solid.remember_spread();
    std::vector<Memory<Dim>> memory(rest.size());
    std::vector<std::uint8_t> has_changed(rest.size(), 0);
    std::vector<Vec<Dim>> places(members.size());
    parallel_for(members.size(), [&](Index m) {
        const Index i = members[m];
        const Mat<Dim> F = rest.deformation(solid.position, i);
        double J = rest.spans_space[i] != 0 ? determinant<Dim>(F, cofactor(F)) : 0.0;
        if (!is_sound<Dim>(J)) J = 0.0;
        memory[i] = {F * solid.plastic_shape[i] * F.transpose(), J};
        if (solid.remembers_spread() && J > 0.0 && rest.scale_of(i) > 0.0) {
            const Mat<Dim> drawn = F / rest.scale_of(i);
            memory[i].spread = drawn * solid.spread[i] * drawn.transpose();
        }
        if (model.fault == Fault::UnturnedStretch) memory[i].stretch = F.transpose() * F;
        // What is hot is relaxed where it is larger.
        const double expansion = expansion_of<Dim>(model, FlowMemory<Dim>(solid, 0.0), i);
        const double largest =
            largest_dilation * (Dim == 3 ? expansion * expansion * expansion : expansion * expansion);
        if (J > largest && model.flow_of(i).is_liquid()) {
            memory[i].stretch *= std::pow(largest / J, 2.0 / Dim);
            memory[i].volume = largest;
        }
        const double moved = still * model.spacing_of(i);
        has_changed[i] = forgotten == Forgotten::Everything ||
                         (solid.position[i] - rest.position[i]).squaredNorm() > moved * moved;
        places[m] = has_changed[i] != 0 ? solid.position[i] : rest.position[i];
    });
    for (std::size_t m = 0; m < members.size(); ++m)
        rest.position[members[m]] = solid.rest_position[members[m]] = places[m];

    keep_first_neighbors(model);
    NeighborLists neighbors = connect(model, members, forgotten);
    if (resamples) {
        const std::vector<Halving<Dim>> halvings =
            find_halvings<Dim>(model, solid, members, neighbors, kept, memory);
        if (!halvings.empty()) {
            std::vector<Index>& came_from = report.came_from = halve<Dim>(model, solid, halvings);
            const auto follow = [&](auto& values) {
                auto before = std::exchange(values, {});
                for (const Index from : came_from) values.push_back(before[from]);
            };
            follow(memory);
            follow(has_changed);
            members.clear();
            for (Index i = 0; i < rest.size(); ++i)
                if (is_in[model.part[i]] != 0) members.push_back(i);
            report.members = members.size();
            std::vector<Vec<Dim>> way(rest.size(), Vec<Dim>::Zero());
            for (const Halving<Dim>& one : halvings) way[one.phyxel] = one.way; // by the number before
            for (std::size_t i = 0; i < came_from.size(); ++i) {
                const Vec<Dim>& w = way[came_from[i]];
                if (w.isZero(0.0)) continue;
                memory[i].spread = halved_spread<Dim>(memory[i].spread, w);
                has_changed[i] = 1;
            }
            neighbors = connect(model, members, forgotten);
        }
    }
    Sight<Dim> sight = see(model, solid, members, neighbors, has_changed, forgotten);
    std::vector<Index> changed;
    for (const Index i : members) {
        const bool sees_else = !sight.stays.empty() && sight.stays[i] == 0 && !flows_now(model, i, forgotten);
        if (has_changed[i] != 0 || sees_else || !std::ranges::equal(neighbors.of(i), rest.neighbors.of(i)))
            changed.push_back(i);
    }
    // What is alone in what flows around it is not sheared by that.
    for (const Index i : members)
        if (!sight.is_lost.empty() && sight.is_lost[i] != 0)
            memory[i].stretch = std::cbrt(memory[i].volume * memory[i].volume) * Mat<Dim>::Identity();

    const auto find_scales = [&](std::span<const Index> fitted, std::span<double> scales) {
        parallel_for(fitted.size(), [&](Index k) {
            const Index i = fitted[k];
            const Mat<Dim> F = rest.deformation(solid.position, i);
            const double J = determinant<Dim>(F, cofactor(F));
            const Memory<Dim>& before = memory[i];
            solid.plastic_shape[i].setIdentity();
            if (solid.remembers_spread()) solid.spread[i].setIdentity();
            if (model.material_of(i).flows && lies_badly<Dim>(rest.gradients[i].inverse_moment)) {
                scales[k] = 0.0;
                return;
            }
            if (rest.spans_space[i] == 0 || !is_sound<Dim>(J) || !(before.volume > 0.0)) return;
            if (model.fault == Fault::ForgottenVolume) memory[i].volume = J;
            scales[k] = Dim == 3 ? std::cbrt(before.volume / J) : std::sqrt(before.volume / J);
            const Mat<Dim> inverse = cofactor(F).transpose() / (J * scales[k]);
            const Mat<Dim> shape = inverse * before.stretch * inverse.transpose();
            solid.plastic_shape[i] = 0.5 * (shape + shape.transpose());
            if (!solid.remembers_spread()) return;
            const Mat<Dim> undrawn = cofactor(F).transpose() / J;
            const Mat<Dim> spread = undrawn * before.spread * undrawn.transpose();
            solid.spread[i] = 0.5 * (spread + spread.transpose());
        });
    };
    const RefitReport refitted =
        reconnect<Dim>(rest, std::move(neighbors), changed, find_scales, std::move(sight.seen), sight.stays);
    for (const Index i : refitted.fitted) solid.rest_scale[i] = rest.scale[i];
    model.update_stabilization(refitted.fitted, stabilization_share);
    report.fitted = refitted.fitted.size();
    return report;
}

template <int Dim>
void restore_rest(SolidModel<Dim>& model, const SolidState<Dim>& solid, NeighborLists neighbors,
                  double stabilization_share, std::span<const Vec<Dim>> seen)
{
    PHYXEL_ASSERT(solid.remembers_rest() && neighbors.size() == model.size());
    keep_first_neighbors(model);
    model.rest.position = solid.rest_position;
    model.rest.scale = solid.rest_scale;
    model.rest.neighbors = std::move(neighbors);
    model.rest.flat.clear();
    model.rest.lengthening.clear(); // cracks have to be weighed anew
    set_seen<Dim>(model.rest, seen);
    fit<Dim>(model.rest, 0);
    model.set_molten(solid.is_molten, stabilization_share);
}

template <int Dim>
void part_from_others(SolidModel<Dim>& model, SolidState<Dim>& solid, std::uint32_t part,
                      double stabilization_share)
{
    const NeighborLists& before = model.rest.neighbors;
    std::vector<std::uint64_t> offsets(1, 0);
    std::vector<Index> ids, changed;
    for (Index i = 0; i < model.size(); ++i) {
        const std::size_t first = ids.size();
        for (const Index j : before.of(i))
            if ((model.part[i] == part) == (model.part[j] == part)) ids.push_back(j);
        if (ids.size() - first < before.of(i).size()) changed.push_back(i);
        offsets.push_back(ids.size());
    }
    if (changed.empty()) return;
    const std::vector<double> scales = model.rest.scale;
    const RefitReport report = reconnect<Dim>(model.rest, NeighborLists(offsets, ids), changed,
                                              [&](std::span<const Index> fitted, std::span<double> kept) {
                                                  for (std::size_t k = 0; k < fitted.size(); ++k)
                                                      kept[k] = scales[fitted[k]];
                                              });
    for (const Index i : report.fitted)
        if (model.rest.spans_space[i] == 0) solid.plastic_shape[i].setIdentity();
    model.update_stabilization(report.fitted, stabilization_share);
}

template <int Dim>
std::vector<std::uint32_t> find_pieces(const SolidModel<Dim>& model)
{
    constexpr std::uint32_t none = ~std::uint32_t(0);
    std::vector<std::uint32_t> piece(model.size(), none);
    std::vector<Index> found;
    std::uint32_t count = 0;
    for (Index start = 0; start < model.size(); ++start) {
        if (piece[start] != none) continue;
        found.assign(1, start);
        piece[start] = count;
        for (std::size_t k = 0; k < found.size(); ++k) {
            std::size_t entry = model.rest.neighbors.offsets()[found[k]];
            for (const Index j : model.rest.neighbors.of(found[k])) {
                if (!(model.rest.pairs[entry++].w > 0.0) || piece[j] != none) continue;
                piece[j] = count;
                found.push_back(j);
            }
        }
        ++count;
    }
    return piece;
}

template ReshapeReport forget_rest(SolidModel<2>&, SolidState<2>&, std::span<const std::uint8_t>, double,
                                   Forgotten, std::span<const std::uint8_t>);
template ReshapeReport forget_rest(SolidModel<3>&, SolidState<3>&, std::span<const std::uint8_t>, double,
                                   Forgotten, std::span<const std::uint8_t>);
template void restore_rest(SolidModel<2>&, const SolidState<2>&, NeighborLists, double,
                           std::span<const Vec<2>>);
template void restore_rest(SolidModel<3>&, const SolidState<3>&, NeighborLists, double,
                           std::span<const Vec<3>>);
template void part_from_others(SolidModel<2>&, SolidState<2>&, std::uint32_t, double);
template void part_from_others(SolidModel<3>&, SolidState<3>&, std::uint32_t, double);
template std::vector<std::uint32_t> find_pieces(const SolidModel<2>&);
template std::vector<std::uint32_t> find_pieces(const SolidModel<3>&);

} // namespace phyxel
