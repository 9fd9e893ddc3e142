// SPDX-License-Identifier: MIT
// Shapes are filled with particles.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/scene/build_text.h>

#include <cmath>
#include <string>

namespace phyxel {

namespace {

using detail::evaluate;
using detail::in_metres;
using detail::point_text;

} // namespace

template <int Dim>
void SceneBuilder<Dim>::fill_shapes()
{
    bool may_be_empty = false;
    for (const auto& kind : kinds_)
        for (const Planned& body : kind->bodies) {
            context_.begin_work(body.path / "shape");
            context_.work.spend(kind->work_of_particle() * static_cast<double>(body.expected_count));
        }
    for (const auto& kind : kinds_) {
        for (Planned& body : kind->bodies) {
            if (!body.shape) continue;
            context_.begin_work(body.path / "shape");
            kind->fill(body);
        }
        may_be_empty = may_be_empty || kind->may_be_empty();
    }
    make_room();
    context_.is_placed = true;
    if (context_.findings.has_problems()) return;
    if (!context_.is_filled && !may_be_empty) {
        context_.findings.add_problem(path_of({"bodies"}),
                                      "there is no particle at all, a spacing of " +
                                          in_metres(smallest_spacing()) + " is larger than every body",
                                      "choose a smaller spacing");
        return;
    }
    for (const auto& kind : kinds_) kind->check_filled();
}

/// What feels others is not filled where they are, nor much nearer to them than half a spacing.
template <int Dim>
void SceneBuilder<Dim>::make_room()
{
    constexpr double nearest = 0.4; // in spacings, as of walls
    const PeriodicBox<Dim> periodic = context_.domain.periodic_box();
    for (const auto& kind : kinds_)
        for (Planned& body : kind->bodies) {
            if (!body.options->kind->can.feel || body.positions.empty()) continue;
            context_.begin_work(body.path / "shape");
            Box<Dim> filled;
            for (const Vec<Dim>& x : body.positions) filled.extend(x);
            for (const Planned* other : bodies()) {
                if (!other->options->kind->can.be_felt || !other->shape || other->start() != body.start() ||
                    context_.ignored.contains(body.name(), other->name()))
                    continue;
                const Shape<Dim>& shape = *other->shape;
                const double reach = nearest * body.spacing;
                const Box<Dim> bounds = shape.bounds();
                const bool is_far = (filled.min.array() >= bounds.max.array() + reach).any() ||
                                    (filled.max.array() <= bounds.min.array() - reach).any();
                if (is_far && !context_.domain.is_periodic()) continue;
                context_.work.spend(static_cast<double>(body.positions.size()));
                std::erase_if(body.positions, [&](const Vec<Dim>& x) {
                    bool is_near = false;
                    for_each_image<Dim>(periodic, x, shape.bounds(), reach, [&](const Vec<Dim>& image) {
                        if (is_near || shape.bounds().distance(image) >= reach) return;
                        context_.work.spend(shape.query_work());
                        is_near = shape.signed_distance(image) < reach;
                    });
                    return is_near;
                });
            }
        }
}

template <int Dim>
void SceneBuilder<Dim>::set_velocities()
{
    for (const auto& kind : kinds_)
        for (Planned& body : kind->bodies)
            if (!body.positions.empty()) set_velocities(body, kind->center_of(body));
}

template <int Dim>
void SceneBuilder<Dim>::set_velocities(Planned& body, const Vec<Dim>& center)
{
    const std::vector<Vec<Dim>>& x = body.positions;
    const std::array<Formula, Dim>& velocity = body.basics().velocity;
    const RigidVelocity<Dim> spin{Vec<Dim>::Zero(), body.basics().angular_velocity, center};
    body.velocities.resize(x.size());
    parallel_for(x.size(),
                 [&](Index i) { body.velocities[i] = evaluate<Dim>(velocity, x[i], 0.0) + spin.at(x[i]); });
    for (int k = 0; k < Dim; ++k) {
        const auto bad = std::find_if(body.velocities.begin(), body.velocities.end(),
                                      [&](const Vec<Dim>& v) { return !std::isfinite(v[k]); });
        if (bad == body.velocities.end()) continue;
        const auto i = static_cast<std::size_t>(bad - body.velocities.begin());
        context_.findings.add_problem(body.path / "velocity" / static_cast<std::size_t>(k),
                                      "the velocity at " + point_text<Dim>(x[i]) + " is " +
                                          (std::isnan((*bad)[k]) ? "not a number" : "infinite"),
                                      "must be finite");
    }
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
