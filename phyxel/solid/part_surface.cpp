// SPDX-License-Identifier: MIT
#include <phyxel/solid/part_surface.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/kd_tree.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace phyxel {
namespace {

/// Support of ω, in spacings.
constexpr double support_ratio = 2.0;
/// Less than this share of the side of its cell, and a phyxel lies inside.
constexpr double least_area_share = 0.2;

/// Directions along the surface, perpendicular to each other.
std::vector<Vec<2>> tangents(const Vec<2>& normal) { return {Vec<2>(-normal[1], normal[0])}; }
std::vector<Vec<3>> tangents(const Vec<3>& normal)
{
    int least = 0;
    normal.cwiseAbs().minCoeff(&least);
    const Vec<3> across = normal.cross(Vec<3>(Vec<3>::Unit(least))).normalized();
    return {across, Vec<3>(normal.cross(across))};
}

/// A square piece of side `width`, cut into `count` along each direction.
template <int Dim>
void add_piece(const Vec<Dim>& center, const Vec<Dim>& area, double width, int count,
               SurfacePoints<Dim>& surface)
{
    const std::vector<Vec<Dim>> along = tangents(Vec<Dim>(area.normalized()));
    const auto place = [&](int k) { return ((k + 0.5) / count - 0.5) * width; };
    const double pieces = std::pow(count, Dim - 1);
    for (int a = 0; a < count; ++a)
        for (int b = 0; b < (Dim == 3 ? count : 1); ++b) {
            Vec<Dim> x = center + place(a) * along.front();
            if (Dim == 3) x += place(b) * along.back();
            surface.position.push_back(x);
            surface.area.push_back(area / pieces);
        }
}

template <int Dim>
SurfacePoints<Dim> surface_of_phyxels(const SolidModel<Dim>& model, std::size_t part, double spacing)
{
    const Index first = model.first_of_part[part];
    const std::size_t count = model.first_of_part[part + 1] - first;
    const std::span<const Vec<Dim>> X(model.rest.position.data() + first, count);
    const double width = model.spacing_of_part[part];
    const CubicSpline<Dim> kernel(support_ratio * width);
    const KdTree<Dim> tree(X);
    std::vector<Vec<Dim>> area(count);
    parallel_for(count, [&](Index i) {
        std::vector<Index> near;
        tree.radius(X[i], kernel.support_radius(), near);
        Vec<Dim> gradient = Vec<Dim>::Zero();
        for (const Index j : near) gradient += model.rest.volume[first + j] * kernel.gradient(X[i] - X[j]);
        // Where it has become one with others there is no surface in between.
        for (const Index j : model.rest.neighbors.of(first + i))
            if (j < first || j >= first + count)
                gradient += model.rest.volume[j] * kernel.gradient(X[i] - model.rest.position[j]);
        area[i] = -2.0 * model.rest.volume[first + i] * gradient;
    });
    const double side = std::pow(width, Dim - 1);
    const int cuts = std::max(1, static_cast<int>(std::ceil(width / spacing - 1e-9)));
    SurfacePoints<Dim> surface;
    for (std::size_t i = 0; i < count; ++i) {
        const double size = area[i].norm();
        if (size < least_area_share * side) continue;
        add_piece<Dim>(X[i] + 0.5 * width / size * area[i], area[i], width, cuts, surface);
    }
    return surface;
}

} // namespace

template <int Dim>
bool has_first_shape(const SolidModel<Dim>& model, std::size_t part)
{
    return std::equal(model.rest.position.begin() + model.first_of_part[part],
                      model.rest.position.begin() + model.first_of_part[part + 1],
                      model.origin.begin() + model.first_of_part[part]);
}

template <int Dim>
SurfacePoints<Dim> surface_of_part(const SolidModel<Dim>& model, const std::optional<Shape<Dim>>& shape,
                                   std::size_t part, double spacing)
{
    if (model.first_of_part[part] == model.first_of_part[part + 1]) return {};
    if (!has_first_shape(model, part)) return surface_of_phyxels(model, part, spacing);
    return shape ? surface_points(*shape, spacing) : SurfacePoints<Dim>();
}

template bool has_first_shape(const SolidModel<2>&, std::size_t);
template bool has_first_shape(const SolidModel<3>&, std::size_t);
template SurfacePoints<2> surface_of_part(const SolidModel<2>&, const std::optional<Shape<2>>&, std::size_t,
                                          double);
template SurfacePoints<3> surface_of_part(const SolidModel<3>&, const std::optional<Shape<3>>&, std::size_t,
                                          double);

} // namespace phyxel
