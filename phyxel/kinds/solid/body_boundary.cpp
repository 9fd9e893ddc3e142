// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_boundary.h>

#include <phyxel/solid/part_surface.h>

namespace phyxel {

template <int Dim>
void BodyBoundary<Dim>::make(double spacing)
{
    std::vector<SurfacePoints<Dim>> points(parts_.shapes.size());
    for (std::size_t part = 0; part < parts_.shapes.size(); ++part)
        points[part] = surface_of_part(parts_.model, parts_.shapes[part], part, spacing);
    points_.emplace(parts_.model, points);
    spacing_ = spacing;
}

template <int Dim>
void BodyBoundary<Dim>::show(double spacing, SolidSolver<Dim>& solver, Boundary<Dim>& boundary,
                             const Surroundings<Dim>& surroundings)
{
    if (!points_ || spacing_ != spacing) make(spacing);
    points_->place(parts_.state.position, parts_.state.velocity, boundary);
    response_.show(parts_.model, parts_.state, *points_, solver, surroundings);
    boundary.response = &response_;
    boundary.pieces = pieces_;
}

template <int Dim>
std::vector<Vec<Dim>> BodyBoundary<Dim>::pushes(std::span<const Vec<Dim>> impulses, double dt) const
{
    std::vector<Vec<Dim>> pushes(parts_.state.size());
    points_->spread(impulses, pushes);
    for (Vec<Dim>& push : pushes) push /= dt;
    return pushes;
}

template class BodyBoundary<2>;
template class BodyBoundary<3>;

} // namespace phyxel
