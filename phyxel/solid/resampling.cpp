// SPDX-License-Identifier: MIT
#include <phyxel/solid/resampling.h>

#include <phyxel/approx/profiles.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/state_arrays.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

namespace phyxel {
namespace {

template <class T>
void gather(std::vector<T>& values, std::span<const Index> came_from)
{
    std::vector<T> gathered;
    gathered.reserve(came_from.size());
    for (const Index from : came_from) gathered.push_back(values[from]);
    values = std::move(gathered);
}

/// Everything that has an entry for each phyxel; sizes are those of who it came from.
template <int Dim>
void gather_model(SolidModel<Dim>& model, std::span<const Index> came_from)
{
    typename SolidModel<Dim>::Halved& halved = model.halved;
    if (halved.times.empty()) {
        halved.times.assign(model.size(), 0);
        halved.support_radius = model.rest.support_radius;
        halved.radius = model.radius;
        halved.whole_of_part.clear();
        for (std::size_t part = 0; part + 1 < model.first_of_part.size(); ++part)
            halved.whole_of_part.push_back(model.first_of_part[part + 1] - model.first_of_part[part]);
    }
    if (model.first_neighbors.size() == 0)
        model.first_neighbors = NeighborLists(model.rest.neighbors.offsets(), model.rest.neighbors.ids());
    model.first_neighbors = with_newcomers(model.first_neighbors, came_from);
    insert_phyxels(model.rest, came_from);
    gather(model.origin, came_from);
    gather(model.mass, came_from);
    gather(model.radius, came_from);
    gather(model.is_surface, came_from);
    gather(model.part, came_from);
    gather(model.stabilization, came_from);
    if (!model.is_molten.empty()) gather(model.is_molten, came_from);
    gather(halved.times, came_from);
    gather(halved.support_radius, came_from);
    gather(halved.radius, came_from);
    std::vector<Index> count(model.first_of_part.size() - 1, 0);
    for (const std::uint32_t part : model.part) ++count[part];
    for (std::size_t part = 0; part < count.size(); ++part)
        model.first_of_part[part + 1] = model.first_of_part[part] + count[part];
}

/// Mass, volume and lengths of a piece. Halves of numbers are exact, and lengths are always those of the
/// whole times a factor: whoever comes to a piece by another way has the same bits.
template <int Dim>
void size_piece(SolidModel<Dim>& model, std::size_t i, int times)
{
    const int more = times - model.halved.times[i];
    model.mass[i] = std::ldexp(model.mass[i], -more);
    model.rest.volume[i] = std::ldexp(model.rest.volume[i], -more);
    model.rest.support_radius[i] = length_after_halving<Dim>(times) * model.halved.support_radius[i];
    model.radius[i] = length_after_halving<Dim>(times) * model.halved.radius[i];
    model.halved.times[i] = static_cast<std::uint8_t>(times);
}

} // namespace

template <int Dim>
Elongation<Dim> elongation(const Mat<Dim>& spread)
{
    Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes;
    modes.computeDirect(spread);
    Vec<Dim> axis = modes.eigenvectors().col(Dim - 1);
    Eigen::Index largest = 0;
    axis.cwiseAbs().maxCoeff(&largest);
    if (axis[largest] < 0.0) axis = -axis;
    return {std::sqrt(std::max(0.0, modes.eigenvalues()[Dim - 1])), axis};
}

template <int Dim>
double told_along(std::span<const Vec<Dim>> places, std::span<const double> supports,
                  std::span<const Index> neighbors, Index i, const Vec<Dim>& axis)
{
    constexpr double within = 0.5; // cosine of the angle up to which somebody lies in a direction
    struct Half {
        double told = 0.0;
        bool has_any = false;
    };
    std::array<Half, 2> sides;
    Mat<Dim> A = Mat<Dim>::Zero();
    for (const Index j : neighbors) {
        const Vec<Dim> X = places[j] - places[i];
        const double r = X.norm(), along = axis.dot(X), h = 0.5 * (supports[i] + supports[j]);
        const double w = Poly6Profile::value(std::min(1.0, r / h));
        A += w * X * X.transpose();
        Half& side = sides[along > 0.0 ? 0 : 1];
        side.told += 2.0 * w * along * along;
        side.has_any = side.has_any || std::abs(along) > within * r;
    }
    Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes;
    modes.computeDirect(A, Eigen::EigenvaluesOnly);
    const double most = modes.eigenvalues()[Dim - 1];
    double least = 1.0;
    for (const Half& side : sides)
        if (side.has_any) least = std::min(least, most > 0.0 ? side.told / most : 0.0);
    return least;
}

template <int Dim>
Mat<Dim> halved_spread(const Mat<Dim>& spread, const Vec<Dim>& way)
{
    const Vec<Dim> axis = way.normalized();
    const Mat<Dim> half = Mat<Dim>::Identity() - 0.5 * axis * axis.transpose();
    const Mat<Dim> result = half * spread * half;
    return 0.5 * (result + result.transpose());
}

template <int Dim>
std::vector<Index> halve(SolidModel<Dim>& model, SolidState<Dim>& solid,
                         std::span<const Halving<Dim>> halvings)
{
    PHYXEL_ASSERT(solid.remembers_rest() && solid.size() == model.size());
    std::vector<Halving<Dim>> order(halvings.begin(), halvings.end());
    std::sort(order.begin(), order.end(), [&](const Halving<Dim>& a, const Halving<Dim>& b) {
        return std::pair(model.part[a.phyxel], solid.id[a.phyxel]) <
               std::pair(model.part[b.phyxel], solid.id[b.phyxel]);
    });
    solid.remember_spread();

    std::vector<Index> came_from;
    std::vector<std::pair<Index, Index>> pairs(order.size()); // the halves of each
    std::size_t next = 0;
    for (std::size_t part = 0; part + 1 < model.first_of_part.size(); ++part) {
        const auto shift = static_cast<Index>(came_from.size()) - model.first_of_part[part];
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            came_from.push_back(i);
        for (; next < order.size() && model.part[order[next].phyxel] == part; ++next) {
            pairs[next] = {order[next].phyxel + shift, static_cast<Index>(came_from.size())};
            came_from.push_back(order[next].phyxel);
        }
    }
    gather_model(model, came_from);
    permute_items(solid, came_from);

    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto [old, fresh] = pairs[k];
        const Vec<Dim>& way = order[k].way;
        const int times = solid.halvings[old] + 1;
        PHYXEL_ASSERT(times <= most_halvings && model.halved.times[old] + 1 == times);
        solid.id[fresh] = solid.next_id++;
        const Vec<Dim> place = solid.position[old];
        for (const Index i : {old, fresh}) {
            size_piece(model, i, times);
            solid.halvings[i] = static_cast<std::uint8_t>(times);
            solid.spread[i] = halved_spread<Dim>(solid.spread[i], way);
            solid.position[i] = i == old ? Vec<Dim>(place - way) : Vec<Dim>(place + way);
            solid.rest_position[i] = model.rest.position[i] = solid.position[i];
        }
    }
    return came_from;
}

void allow_crowds(std::span<const Index> came_from, std::span<const double> before,
                  std::span<const double> after, std::span<double> allowed)
{
    PHYXEL_ASSERT(after.size() == came_from.size() && allowed.size() == came_from.size());
    for (std::size_t i = 0; i < came_from.size(); ++i) {
        const double squeeze = std::max(1.0, before[came_from[i]] / allowed[i]);
        allowed[i] = std::max(allowed[i], after[i] / squeeze);
    }
}

void forbid_crowds(std::span<const double> crowds, std::span<double> allowed)
{
    for (std::size_t i = 0; i < allowed.size(); ++i)
        allowed[i] = std::max(1.0, std::min(allowed[i], crowds[i]));
}

template <int Dim>
void make_whole(SolidModel<Dim>& model)
{
    if (model.halved.times.empty()) return;
    std::vector<Index> kept;
    for (std::size_t part = 0; part + 1 < model.first_of_part.size(); ++part)
        for (Index k = 0; k < model.whole_count(part); ++k) {
            size_piece(model, model.first_of_part[part] + k, 0);
            kept.push_back(model.first_of_part[part] + k);
        }
    // Pieces never were neighbours at the start.
    const NeighborLists first = std::move(model.first_neighbors);
    std::vector<Index> now(model.size(), 0);
    for (std::size_t k = 0; k < kept.size(); ++k) now[kept[k]] = static_cast<Index>(k);
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (const Index i : kept) {
        for (const Index j : first.of(i)) ids.push_back(now[j]);
        offsets.push_back(ids.size());
    }
    model.first_neighbors = NeighborLists(offsets, ids);
    RestShape<Dim>& rest = model.rest;
    rest.neighbors = NeighborLists(offsets, ids);
    rest.seen.clear();
    rest.back.clear();
    rest.lengthening.clear();
    rest.flat.clear();
    gather(rest.position, kept);
    gather(rest.volume, kept);
    gather(rest.support_radius, kept);
    if (!rest.scale.empty()) gather(rest.scale, kept);
    gather(model.origin, kept);
    gather(model.mass, kept);
    gather(model.radius, kept);
    gather(model.is_surface, kept);
    gather(model.part, kept);
    gather(model.stabilization, kept);
    if (!model.is_molten.empty()) gather(model.is_molten, kept);
    for (std::size_t part = 0; part + 1 < model.first_of_part.size(); ++part)
        model.first_of_part[part + 1] = model.first_of_part[part] + model.halved.whole_of_part[part];
    model.halved = {};
    rest.gradients.resize(model.size());
    rest.spans_space.resize(model.size(), 1);
    rest.area.resize(model.size());
    fit<Dim>(rest, 0);
}

template <int Dim>
void restore_halves(SolidModel<Dim>& model, std::span<const Index> came_from,
                    std::span<const std::uint8_t> times)
{
    PHYXEL_ASSERT(model.halved.times.empty() && came_from.size() == times.size());
    if (came_from.size() == model.size()) return; // nobody has been halved
    gather_model(model, came_from);
    for (std::size_t i = 0; i < times.size(); ++i) size_piece(model, i, times[i]);
}

template Elongation<2> elongation(const Mat<2>&);
template Elongation<3> elongation(const Mat<3>&);
template double told_along(std::span<const Vec<2>>, std::span<const double>, std::span<const Index>, Index,
                           const Vec<2>&);
template double told_along(std::span<const Vec<3>>, std::span<const double>, std::span<const Index>, Index,
                           const Vec<3>&);
template Mat<2> halved_spread(const Mat<2>&, const Vec<2>&);
template Mat<3> halved_spread(const Mat<3>&, const Vec<3>&);
template std::vector<Index> halve(SolidModel<2>&, SolidState<2>&, std::span<const Halving<2>>);
template std::vector<Index> halve(SolidModel<3>&, SolidState<3>&, std::span<const Halving<3>>);
template void make_whole(SolidModel<2>&);
template void make_whole(SolidModel<3>&);
template void restore_halves(SolidModel<2>&, std::span<const Index>, std::span<const std::uint8_t>);
template void restore_halves(SolidModel<3>&, std::span<const Index>, std::span<const std::uint8_t>);

} // namespace phyxel
