// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_heat.h>

#include <phyxel/approx/conduction.h>
#include <phyxel/core/assert.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/solid/part_surface.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {
namespace {

/// A piece of surface is shared by the phyxels within so many spacings: those of the layer under it, not of
/// the one below that.
constexpr double share_reach = 1.1;
constexpr int most_shares = 4;
/// A piece that is farther from all phyxels belongs to a part of the shape that has none.
constexpr double farthest_bearer = 1.5;
/// A phyxel that lies in the surface is taken to be so deep, in spacings.
constexpr double least_depth = 0.1;

template <int Dim>
SurfacePoints<Dim> near_phyxels(const SurfacePoints<Dim>& points, const KdTree<Dim>& phyxels, double reach)
{
    SurfacePoints<Dim> kept;
    std::vector<Neighbor<double>> nearest;
    for (std::size_t n = 0; n < points.size(); ++n) {
        if (!(points.area[n].squaredNorm() > 0.0)) continue;
        phyxels.nearest(points.position[n], 1, nearest);
        if (nearest.front().distance > reach) continue;
        kept.position.push_back(points.position[n]);
        kept.area.push_back(points.area[n]);
    }
    return kept;
}

} // namespace

template <int Dim>
double temperature_of(const SolidModel<Dim>& model, const SolidState<Dim>& state, std::size_t i)
{
    return temperature_of(model.materials[model.part[i]].thermal, state.enthalpy[i]);
}

template <int Dim>
double liquid_fraction_of(const SolidModel<Dim>& model, const SolidState<Dim>& state, std::size_t i)
{
    return state.has_heat() ? liquid_fraction(model.materials[model.part[i]].thermal, state.enthalpy[i])
                            : 0.0;
}

template <int Dim>
SolidHeat<Dim>::SolidHeat(const SolidModel<Dim>& model, std::span<const std::optional<Shape<Dim>>> shapes)
{
    std::vector<SurfacePoints<Dim>> points(shapes.size());
    std::vector<Mat<Dim>> at_surface(model.size(), Mat<Dim>::Zero());
    for (std::size_t part = 0; part < shapes.size(); ++part) {
        const SurfacePoints<Dim> surface = surface_of_part(model, shapes[part], part, width_of(model, part));
        if (surface.size() > 0) points[part] = share_surface(model, part, surface, at_surface);
    }
    boundary_ = SolidBoundary<Dim>(model, points);
    PHYXEL_ASSERT(boundary_.size() == surface_.part.size());
    factors_.resize(model.rest.neighbors.entry_count());
    find_conduction_factors<Dim>(model.rest.position, model.rest.volume, model.rest.support_radius,
                                 at_surface, model.rest.neighbors, factors_);
    // Nothing is conducted through an open crack.
    if (!model.rest.lengthening.empty())
        for (std::size_t entry = 0; entry < factors_.size(); ++entry)
            if (model.rest.pairs[entry].w == 0.0) factors_[entry] = 0.0;
}

/// Who gets what passes through each piece, and what the surface is to the conduction of the phyxels.
template <int Dim>
SurfacePoints<Dim> SolidHeat<Dim>::share_surface(const SolidModel<Dim>& model, std::size_t part,
                                                 const SurfacePoints<Dim>& all,
                                                 std::vector<Mat<Dim>>& at_surface)
{
    const Index first = model.first_of_part[part];
    const std::span<const Vec<Dim>> places(model.rest.position.data() + first,
                                           model.first_of_part[part + 1] - first);
    const double spacing = model.spacing_of_part[part];
    const double reach = share_reach * spacing;
    const KdTree<Dim> tree(places);
    SurfacePoints<Dim> points = near_phyxels(all, tree, farthest_bearer * spacing);
    std::vector<Neighbor<double>> near;
    for (std::size_t n = 0; n < points.size(); ++n) {
        const Vec<Dim>& x = points.position[n];
        const Vec<Dim> normal = points.area[n].normalized();
        // Not those across a gap, unless there are no others.
        tree.nearest(x, most_shares, near);
        const auto is_under = [&](const Neighbor<double>& other) {
            return other.distance < reach && normal.dot(x - places[other.id]) >= 0.0;
        };
        if (std::any_of(near.begin(), near.end(), is_under))
            std::erase_if(near, [&](const Neighbor<double>& other) { return !is_under(other); });
        else
            near.resize(1);
        double sum = 0.0;
        const auto weight = [&](const Neighbor<double>& other) {
            return std::max(1e-3, 1.0 - other.distance / reach);
        };
        for (const Neighbor<double>& other : near) sum += weight(other);
        for (const Neighbor<double>& other : near) {
            const Index i = first + other.id;
            const double share = weight(other) / sum;
            const Vec<Dim> way = x - places[other.id];
            surface_.shares.push_back({i, share, std::max(least_depth * spacing, way.dot(normal))});
            at_surface[i] += share * way * points.area[n].transpose();
        }
        surface_.first.push_back(surface_.shares.size());
        surface_.part.push_back(static_cast<std::uint32_t>(part));
    }
    return points;
}

template <int Dim>
const HeatSurface<Dim>& SolidHeat<Dim>::place(const SolidState<Dim>& state)
{
    boundary_.place(state.position, state.velocity, placed_);
    surface_.position = placed_.position;
    surface_.area = placed_.area;
    return surface_;
}

template double temperature_of(const SolidModel<2>&, const SolidState<2>&, std::size_t);
template double temperature_of(const SolidModel<3>&, const SolidState<3>&, std::size_t);
template double liquid_fraction_of(const SolidModel<2>&, const SolidState<2>&, std::size_t);
template double liquid_fraction_of(const SolidModel<3>&, const SolidState<3>&, std::size_t);
template class SolidHeat<2>;
template class SolidHeat<3>;

} // namespace phyxel
