// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_boundary.h>

#include <phyxel/solid/part_surface.h>

namespace phyxel {

template <int Dim>
void BodyBoundary<Dim>::make(double spacing)
{
    if (surfaces_.empty() || spacing_ != spacing) {
        surfaces_.resize(parts_.shapes.size());
        for (std::size_t part = 0; part < parts_.shapes.size(); ++part)
            surfaces_[part] = surface_of_part(parts_.model, parts_.shapes[part], part, spacing);
        spacing_ = spacing;
    }
    std::vector<const CrackSheets<Dim>*> sheets;
    versions_.clear();
    for (std::size_t part = 0; part < parts_.shapes.size(); ++part) {
        sheets.push_back(cracks_.find(part));
        versions_.push_back(cracks_.version(part));
    }
    points_.emplace(parts_.model, surfaces_, sheets, spacing);
}

template <int Dim>
bool BodyBoundary<Dim>::have_cracks_grown() const
{
    for (std::size_t part = 0; part < versions_.size(); ++part)
        if (versions_[part] != cracks_.version(part)) return true;
    return false;
}

template <int Dim>
void BodyBoundary<Dim>::show(double spacing, SolidSolver<Dim>& solver, Boundary<Dim>& boundary,
                             const Surroundings<Dim>& surroundings)
{
    if (!points_ || spacing_ != spacing || have_cracks_grown()) make(spacing);
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
