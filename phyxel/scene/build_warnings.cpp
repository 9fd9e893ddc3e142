// SPDX-License-Identifier: MIT
// What will not look as it was meant, whatever the kind of the bodies.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/corners.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/count_inside.h>
#include <phyxel/scene/detail/event_maker.h>

#include <cmath>
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
            if (!all[i]->shape || all[i]->start() != body.start() ||
                context_.ignored.contains(body.name(), all[i]->name()))
                continue;
            // One makes room for the other.
            if (feel_each_other(all[i]->options->kind->can, body.options->kind->can)) continue;
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

/// What is to stay out of a rigid body must not begin within it.
template <int Dim>
void SceneBuilder<Dim>::check_forms()
{
    for (const Planned* body : bodies()) {
        if (!body->options->kind->can.meet_forms || body->positions.empty()) continue;
        context_.begin_work(body->path / "shape");
        for (const Planned* other : bodies()) {
            if (!other->options->kind->can.have_form || !other->shape || other->start() != body->start() ||
                context_.ignored.contains(body->name(), other->name()))
                continue;
            double deepest = 0.0;
            const Box<Dim>& bounds = other->shape->bounds();
            for (const Vec<Dim>& x : body->positions)
                for_each_image<Dim>(context_.domain.periodic_box(), x, bounds, 0.0,
                                    [&](const Vec<Dim>& image) {
                                        if (!bounds.contains(image)) return;
                                        context_.work.spend(other->shape->query_work());
                                        deepest = std::max(deepest, -other->shape->signed_distance(image));
                                    });
            if (deepest > 0.0)
                context_.findings.add_problem(body->path / "shape",
                                              "the body is " + in_metres(deepest) + " deep in " +
                                                  other->path.text() + " (" + other->name() + ')',
                                              "move one of them, or cut it with a \"difference\"");
        }
    }
}

/// What stays in one piece must not lie in itself.
template <int Dim>
void SceneBuilder<Dim>::check_periods()
{
    const PeriodicBox<Dim> periodic = context_.domain.periodic_box();
    for (const Planned* body : bodies()) {
        if (!body->options->kind->can.be_felt || !body->shape) continue;
        const Vec<Dim> size = body->shape->bounds().size();
        for (int k = 0; k < Dim; ++k)
            if (periodic.is_periodic(k) && size[k] > (1.0 + 1e-9) * periodic.length[k])
                context_.findings.add_problem(body->path / "shape",
                                              "the body is " + in_metres(size[k]) + " long along " +
                                                  "xyz"[k] + ", where all repeats after " +
                                                  in_metres(periodic.length[k]),
                                              "make it smaller, or the domain larger");
    }
}

template <int Dim>
void SceneBuilder<Dim>::warn_of_strangers()
{
    const auto kind_of = [&](std::size_t k) -> const KindOf<Dim>& {
        return *kinds_[k]->bodies.front().options->kind;
    };
    std::vector<std::string> strangers;
    for (std::size_t k = 0; k < kinds_.size(); ++k)
        for (std::size_t other = 0; other < kinds_.size(); ++other)
            if (other != k && !feel_each_other(kind_of(k).can, kind_of(other).can)) {
                strangers.push_back(kind_of(k).name + 's');
                break;
            }
    if (strangers.empty()) return;
    std::string names;
    for (std::size_t k = 0; k < strangers.size(); ++k)
        names += (k == 0 ? "" : k + 1 < strangers.size() ? ", " : " and ") + strangers[k];
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

/// A probe with a body follows the particle that is nearest to its point, and a hand that reaches none takes
/// the nearest.
template <int Dim>
void SceneBuilder<Dim>::warn_of_probes_beside_bodies()
{
    const auto warn = [&](const Path& path, const std::string& name, const Vec<Dim>& point,
                          std::optional<double> reach, const std::string& what, const char* remedy) {
        for (const Planned* body : bodies()) {
            if (body->name() != name || body->positions.empty()) continue;
            double nearest = std::numeric_limits<double>::infinity();
            context_.begin_work(path);
            context_.work.spend(look_work * static_cast<double>(body->positions.size()));
            for (const Vec<Dim>& x : body->positions) nearest = std::min(nearest, (x - point).norm());
            if (nearest > (reach ? std::max(*reach, body->spacing) : 2.0 * body->spacing))
                context_.findings.warn(
                    path, what + name + ", whose nearest particle is " + in_metres(nearest) + " away",
                    remedy);
        }
    };
    for (std::size_t i = 0; i < context_.scene.probes.size(); ++i)
        if (const ProbeOptions<Dim>& probe = context_.scene.probes[i]; probe.point && probe.body)
            warn(path_of({"probes", i, "point"}), *probe.body, *probe.point, {}, "the point is not in ",
                 "move the point into the body");
    for (std::size_t i = 0; i < context_.scene.hands.size(); ++i)
        if (const HandOptions<Dim>& hand = context_.scene.hands[i];
            hand.kind == HandKind::Pull || hand.kind == HandKind::Hold)
            warn(path_of({"hands", i, "at"}), hand.body, hand.at, hand.radius, "the hand does not reach ",
                 "move it to the body, or it takes hold of that one");
    warn_of_hands_beside_bodies();
    warn_of_probes_beside_everything();
}

/// A hand that pushes may wait for what comes to it, but mostly its place is a mistake.
template <int Dim>
void SceneBuilder<Dim>::warn_of_hands_beside_bodies()
{
    constexpr int looks = 200;            // at where it is
    constexpr double look_at_hand = 10.0; // in units of WorkBudget
    const std::vector<Hand<Dim>> hands = make_hands(context_.scene.hands);
    for (std::size_t i = 0; i < hands.size(); ++i) {
        if (hands[i].takes_hold()) continue;
        context_.begin_work(path_of({"hands", i, "at"}));
        double nearest = std::numeric_limits<double>::infinity();
        for (const Planned* body : bodies()) {
            Box<Dim> bounds;
            context_.work.spend(look_work * static_cast<double>(body->positions.size()) +
                                look_at_hand * looks);
            for (const Vec<Dim>& x : body->positions) bounds.extend(x);
            for (int n = 0; !bounds.is_empty() && n <= looks; ++n)
                nearest =
                    std::min(nearest, bounds.distance(hands[i].place(context_.scene.duration * n / looks)) -
                                          0.5 * body->spacing);
        }
        if (nearest > hands[i].radius && std::isfinite(nearest))
            context_.findings.warn(path_of({"hands", i, "at"}),
                                   "the hand touches no body where bodies are at the start, the nearest is " +
                                       in_metres(nearest) + " away",
                                   hands[i].kind == HandKind::Warm
                                       ? "move it to a body, or it warms only what comes to it"
                                       : "move it to a body, or it pushes only what comes to it");
    }
}

/// Where nothing ever gets a probe reads zeros: outside the domain, and within what stands still.
template <int Dim>
void SceneBuilder<Dim>::warn_of_probes_beside_everything()
{
    const auto is_in = [&](const Shape<Dim>& shape, const Vec<Dim>& x) {
        context_.work.spend(shape.query_work());
        return shape.inside(x);
    };
    const auto place_of = [&](const Vec<Dim>& x) -> std::string {
        context_.work.spend(1.0 + static_cast<double>(context_.obstacles.size()));
        if (context_.domain.bounded && !context_.domain.box.contains(x)) return "outside the domain";
        for (std::size_t k = 0; k < context_.obstacles.size(); ++k)
            if (const MovingObstacle<Dim>& obstacle = context_.obstacles[k];
                obstacle.motion.is_fixed() && !obstacle.shape.is_sheet() &&
                obstacle.shape.bounds().contains(x) && is_in(obstacle.shape, x))
                return "inside " + path_of({"obstacles", k}).text() + " (" + obstacle.name + ')';
        return {};
    };
    for (std::size_t i = 0; i < context_.scene.probes.size(); ++i) {
        const ProbeOptions<Dim>& probe = context_.scene.probes[i];
        context_.begin_work(path_of({"probes", i}));
        const auto warn = [&](const char* key, const std::string& what) {
            context_.findings.warn(path_of({"probes", i, key}), what, "move it, or it reads zeros");
        };
        if (probe.point && !probe.body)
            if (const std::string place = place_of(*probe.point); !place.empty())
                warn("point", "the point is " + place + ", where nothing gets to");
        if (probe.line) {
            int beside = 0;
            for (int n = 0; n < probe.line->count; ++n) {
                const double share = probe.line->count > 1 ? double(n) / (probe.line->count - 1) : 0.0;
                const Vec<Dim> x = probe.line->from + share * (probe.line->to - probe.line->from);
                beside += place_of(x).empty() ? 0 : 1;
            }
            if (beside == probe.line->count)
                warn("line", "nothing gets to the line, which is outside the domain or inside obstacles");
        }
        if (probe.plane && context_.domain.bounded) {
            bool is_before = false, is_behind = false;
            for (const Vec<Dim>& corner : corners(context_.domain.box))
                ((corner - probe.plane->point).dot(probe.plane->normal) < 0.0 ? is_before : is_behind) = true;
            if (!is_before || !is_behind) warn("plane", "the plane does not cross the domain");
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
        if (!(step > kind->step_margin() * safe)) continue;
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
