// SPDX-License-Identifier: MIT
#include <phyxel/rigid/contact_points.h>

#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/geometry/surface_points.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

namespace phyxel {
namespace {

/// Along the longest side.
constexpr double cells_of_side = 12.0;
constexpr double most_cells_of_side = 40.0; ///< of something thin
constexpr int mesh_resolution = 32;

/// Of all shapes only a ball has this distance from the corners of its bounds.
template <int Dim>
bool is_ball(const Shape<Dim>& shape)
{
    const Box<Dim>& bounds = shape.bounds();
    const double radius = 0.5 * bounds.longest_side();
    const double tolerance = 1e-9 * radius;
    if (shape.parts().size() != 1 || bounds.longest_side() - bounds.shortest_side() > tolerance) return false;
    return std::abs(shape.signed_distance(bounds.max) - (std::sqrt(double(Dim)) - 1.0) * radius) <
               tolerance &&
           std::abs(shape.signed_distance(bounds.center()) + radius) < tolerance;
}

/// Corners of facets, and points along their sides.
template <int Dim>
void add_facets(const std::vector<Facet<Dim>>& facets, double distance, std::vector<Vec<Dim>>& places)
{
    for (const Facet<Dim>& facet : facets)
        for (std::size_t k = 0; k < Dim; ++k) {
            const Vec<Dim>& from = facet[k];
            const Vec<Dim>& to = facet[(k + 1) % Dim];
            const int pieces = std::max(1, static_cast<int>(std::ceil((to - from).norm() / distance)));
            for (int n = 0; n < pieces; ++n) places.push_back(from + double(n) / pieces * (to - from));
            if (Dim == 2) {
                places.push_back(to);
                break;
            }
        }
}

/// The one of each cell that is farthest out, in the order of the cells.
template <int Dim>
std::vector<Vec<Dim>> thinned(const std::vector<Vec<Dim>>& places, const Box<Dim>& bounds, double cell)
{
    struct Place {
        std::array<std::int64_t, Dim> number;
        double out;
        std::size_t index;
    };
    std::vector<Place> all;
    const Vec<Dim> half = 0.5 * bounds.size();
    for (std::size_t n = 0; n < places.size(); ++n) {
        Place place{{}, 0.0, n};
        const Vec<Dim> from_center = places[n] - bounds.center();
        for (int k = 0; k < Dim; ++k) {
            // Cells are centred on the middle, so that what is the same on both sides stays so.
            place.number[static_cast<std::size_t>(k)] = std::llround(from_center[k] / cell);
            place.out += half[k] > 0.0 ? std::pow(from_center[k] / half[k], 2) : 0.0;
        }
        all.push_back(place);
    }
    std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) {
        if (a.number != b.number) return a.number < b.number;
        if (a.out != b.out) return a.out > b.out;
        return a.index < b.index;
    });
    std::vector<Vec<Dim>> kept;
    for (std::size_t n = 0; n < all.size(); ++n)
        if (n == 0 || all[n].number != all[n - 1].number) kept.push_back(places[all[n].index]);
    return kept;
}

} // namespace

template <int Dim>
ContactPoints<Dim> contact_points(const Shape<Dim>& shape, const WorkBudget& work)
{
    const Box<Dim>& bounds = shape.bounds();
    if (!shape.is_sheet() && is_ball(shape))
        return {.places = {bounds.center()}, .radius = 0.5 * bounds.longest_side()};
    const double longest = bounds.longest_side();
    const double distance =
        std::max(std::min(longest / cells_of_side, 0.5 * shape.thickness()), longest / most_cells_of_side);
    const double tolerance = 1e-6 * bounds.longest_side();
    std::vector<Vec<Dim>> places;
    const std::vector<Shape<Dim>> parts = shape.parts();
    for (const Shape<Dim>& part : parts) add_facets<Dim>(part.facets(distance), distance, places);
    const SurfacePoints<Dim> pieces = surface_points(shape, distance, work);
    places.insert(places.end(), pieces.position.begin(), pieces.position.end());
    if constexpr (Dim == 3)
        if (parts.size() > 1) {
            const TriangleMesh mesh = shape_mesh(shape, mesh_resolution, work);
            places.insert(places.end(), mesh.vertices.begin(), mesh.vertices.end());
        }
    // Onto the surface: corners of round facets lie a little outside, and those of parts may be hidden in
    // others.
    work.spend(3.0 * static_cast<double>(places.size()) * shape.query_work());
    std::vector<Vec<Dim>> on_surface;
    for (Vec<Dim> x : places) {
        const SignedDistance<Dim> nearest = shape.sample(x);
        if (std::abs(nearest.value) > 0.05 * distance) continue;
        x -= nearest.value * nearest.normal;
        if (std::abs(shape.signed_distance(x)) > tolerance) continue;
        // Where a part ends on another there may be nothing behind it, such as above the hole of a cup.
        const double behind = 1e-3 * longest;
        if (parts.size() == 1 || shape.signed_distance(x - behind * nearest.normal) < 0.0)
            on_surface.push_back(x);
    }
    ContactPoints<Dim> points{.places = thinned<Dim>(on_surface, bounds, distance),
                              .is_combined = parts.size() > 1};
    if constexpr (Dim == 3) points.box = box_of(shape);
    return points;
}

template ContactPoints<2> contact_points(const Shape<2>&, const WorkBudget&);
template ContactPoints<3> contact_points(const Shape<3>&, const WorkBudget&);

} // namespace phyxel
