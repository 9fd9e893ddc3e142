// SPDX-License-Identifier: MIT
// What will not look as it was meant, whatever the kind of the bodies.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/count_inside.h>

#include <limits>
#include <string>

namespace phyxel {

namespace {

using detail::count_text;
using detail::evaluate;
using detail::in_metres;

} // namespace

/// A step ends wherever a probe is read.
template <int Dim>
void SceneBuilder<Dim>::warn_of_frequent_probes(const RunPlan& plan)
{
    const double step = plan.step();
    for (std::size_t i = 0; i < plan.probes.size(); ++i) {
        const ProbePlan& probe = plan.probes[i];
        constexpr double often = 10.0;
        if (probe.every != ProbeTimes::Interval || often * probe.interval > step) continue;
        context_.findings.warn(path_of({"probes", i, "every"}),
                               format_quantity(probe.interval, "s") +
                                   " is much shorter than a step of about " + number_text(step, 2) +
                                   " s, and every time it is read ends a step",
                               "choose a longer time, or \"step\"");
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_overlaps()
{
    const std::vector<Planned*> all = bodies();
    for (std::size_t j = 0; j < all.size(); ++j) {
        const Planned& body = *all[j];
        context_.begin_work(body.path / "shape");
        for (std::size_t i = 0; i < j; ++i) {
            if (!all[i]->shape || all[i]->start() != body.start()) continue;
            const std::uint64_t count = count_inside(*all[i]->shape, {}, body.positions, context_.work);
            if (count == 0) continue;
            context_.findings.warn(body.path / "shape",
                                   std::to_string(count) + " of " +
                                       count_text(body.positions.size(), body.options->kind->particle) +
                                       (count == 1 ? " lies" : " lie") + " inside " + all[i]->path.text() +
                                       " (" + all[i]->name() + ')',
                                   "move one of them, or cut it with a \"difference\"");
        }
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_strangers()
{
    if (kinds_.size() < 2) return;
    std::string names;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
        names += (k == 0                  ? ""
                  : k + 1 < kinds_.size() ? ", "
                                          : " and ") +
                 kinds_[k]->bodies.front().options->kind->name + 's';
    context_.findings.warn(path_of({"bodies"}), names + " do not feel each other yet",
                           "what is meant to push another body, or to hold one, has to be an obstacle");
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_thin_shapes()
{
    for (const auto& kind : kinds_)
        for (const Planned& body : kind->bodies)
            if (body.shape && kind->shows_thin_shape(body))
                warn_of_thin_shape(context_.findings, body.path / "shape", body.shape->thickness(),
                                   body.spacing);
}

/// With gravity and nothing that could stop it, a body is soon out of sight.
template <int Dim>
void SceneBuilder<Dim>::warn_of_endless_fall()
{
    const SceneOptions<Dim>& scene = context_.scene;
    if (context_.domain.bounded || !context_.obstacles.empty() || !scene.hands.empty()) return;
    Box<Dim> bounds;
    for (const auto& kind : kinds_) {
        if (kind->is_held()) return;
        bounds.extend(kind->start_bounds());
    }
    if (bounds.is_empty()) return;
    const double g = evaluate<Dim>(scene.gravity, bounds.center(), 0.0).norm();
    const double way = 0.5 * g * scene.duration * scene.duration;
    constexpr double far = 10.0; // in sizes of all that there is
    if (!(way > far * bounds.size().norm())) return;
    context_.findings.warn(path_of({"gravity"}),
                           "there is neither a domain nor an obstacle, so all falls " + number_text(way, 2) +
                               " m until the end",
                           "add a \"domain\", which has a floor, or set gravity to zero");
}

/// A probe with a body follows the particle that is nearest to its point.
template <int Dim>
void SceneBuilder<Dim>::warn_of_probes_beside_bodies()
{
    for (std::size_t i = 0; i < context_.scene.probes.size(); ++i) {
        const ProbeOptions<Dim>& probe = context_.scene.probes[i];
        if (!probe.point || !probe.body) continue;
        for (const Planned* body : bodies()) {
            if (body->name() != *probe.body || body->positions.empty()) continue;
            double nearest = std::numeric_limits<double>::infinity();
            for (const Vec<Dim>& x : body->positions) nearest = std::min(nearest, (x - *probe.point).norm());
            if (nearest > 2.0 * body->spacing)
                context_.findings.warn(path_of({"probes", i, "point"}),
                                       "the point is not in " + *probe.body + ", whose nearest particle is " +
                                           in_metres(nearest) + " away",
                                       "move the point into the body");
        }
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_long_step()
{
    if (!context_.clock.fixed_step) return;
    const double step = *context_.clock.fixed_step;
    for (const auto& kind : kinds_) {
        const double safe = kind->longest_safe_step();
        if (!(step > safe)) continue;
        context_.findings.warn(path_of({"time_step"}),
                               "a step of " + format_quantity(step, "s") + " is longer than the " +
                                   number_text(safe, 2) + " s that are safe",
                               "make it smaller or leave it out");
        return;
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_late_events()
{
    for (std::size_t i = 0; i < context_.scene.events.size(); ++i)
        if (context_.scene.events[i].time > context_.scene.duration)
            context_.findings.warn(path_of({"events", i, "time"}),
                                   "the event at " + format_quantity(context_.scene.events[i].time, "s") +
                                       " never happens, the scene ends at " +
                                       format_quantity(context_.scene.duration, "s"),
                                   "choose an earlier time or a longer duration");
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
