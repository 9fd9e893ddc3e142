// SPDX-License-Identifier: MIT
// From a scene to a world: shapes are filled with particles, and what will go wrong is said before it does.
#include <phyxel/scene/detail/event_maker.h>
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/count_inside.h>
#include <phyxel/scene/heat_checks.h>
#include <phyxel/scene/motion_maker.h>
#include <phyxel/scene/quantity.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

namespace {

using detail::count_text;

/// A block that has the shape as its cavity; thick enough that nothing gets through.
template <int Dim>
Shape<Dim> around(const Shape<Dim>& cavity)
{
    constexpr double wall_share = 0.2;
    const Box<Dim>& inner = cavity.bounds();
    const Vec<Dim> wall = Vec<Dim>::Constant(wall_share * inner.longest_side());
    return subtract<Dim>({Shape<Dim>(Box<Dim>{inner.min - wall, inner.max + wall}), cavity});
}

} // namespace

template <int Dim>
SceneBuilder<Dim>::SceneBuilder(const Scene::Content& content, const SceneOptions<Dim>& options,
                                const Machine& machine, const FrameRange& frames, const WorkBudget& work)
    : context_(content, options, machine, frames, work)
{
    for (const auto& kind : content.kinds.of<Dim>()) {
        std::vector<Planned> planned;
        for (std::size_t i = 0; i < context_.scene.bodies.size(); ++i)
            if (BodyOptions<Dim>& body = context_.scene.bodies[i]; body.kind == kind.get())
                planned.push_back(
                    {.path = path_of({"bodies", i}), .options = &body, .number = planned.size()});
        if (planned.empty()) continue;
        kinds_.push_back(kind->make_builder(context_));
        kinds_.back()->bodies = std::move(planned);
    }
}

template <int Dim>
std::vector<PlannedBody<Dim>*> SceneBuilder<Dim>::bodies() const
{
    std::vector<Planned*> all;
    for (const auto& kind : kinds_)
        for (Planned& body : kind->bodies) all.push_back(&body);
    return all;
}

template <int Dim>
double SceneBuilder<Dim>::smallest_spacing() const
{
    double smallest = kinds_.front()->smallest_spacing();
    for (const auto& kind : kinds_) smallest = std::min(smallest, kind->smallest_spacing());
    return smallest;
}

/// Each step relies on what the ones before have found right.
template <int Dim>
void SceneBuilder<Dim>::prepare(bool for_world)
{
    Findings& findings = context_.findings;
    make_clock_and_domain();
    find_ignored();
    make_shapes();
    findings.finish();
    choose_spacing();
    findings.finish();
    for (const auto& kind : kinds_) kind->make_sources();
    check_particle_count();
    findings.finish();
    check_periods();
    findings.finish();
    fill_shapes();
    check_forms();
    findings.finish();
    set_velocities();
    for (const auto& kind : kinds_) kind->make_regions();
    choose_speed();
    findings.finish();
    for (std::size_t k = 0; k < kinds_.size(); ++k) kinds_[k]->finish(first_id(k), for_world);
    findings.finish();
    estimate();
    findings.finish();
    warn_of_overlaps();
    for (const auto& kind : kinds_) kind->warn();
    findings.finish();
    warn_of_thin_shapes();
    warn_of_endless_fall();
    warn_of_probes_beside_bodies();
    warn_of_strangers();
    warn_of_long_step();
}

template <int Dim>
BuiltScene SceneBuilder<Dim>::build(Fault fault)
{
    context_.fault = fault;
    prepare(true);
    return make_world();
}

template <int Dim>
SceneCheck SceneBuilder<Dim>::check()
{
    SceneCheck result;
    try {
        BuiltScene built = build();
        result.estimate = built.estimate;
        result.resolved = std::move(built.resolved);
        result.derived = std::move(built.derived);
        result.warnings = std::move(built.warnings);
    } catch (const WorkLimitReached&) {
        result.is_whole = false;
        give_up();
        result.estimate = estimate_;
        result.resolved = context_.is_counted ? resolve() : context_.content.resolved;
        result.derived = std::move(context_.derived);
        result.warnings = context_.findings.take_warnings();
    }
    return result;
}

/// Says what was too much, and estimates the run by what is known.
template <int Dim>
void SceneBuilder<Dim>::give_up()
{
    Findings& findings = context_.findings;
    context_.work = {};
    context_.is_placed = false;
    // What was found wrong until then is wrong all the same.
    findings.finish();
    std::string what = "this takes too long for a check and was given up";
    if (context_.is_counted) {
        std::uint64_t particles = 0;
        for (Planned* body : bodies()) {
            particles += body->expected_count;
            body->positions.clear();
        }
        if (particles > 0)
            what = count_text(particles, "particle") +
                   " take too long to look at here, and the check was given up";
        if (estimate_.particles == 0) {
            choose_speed();
            findings.finish();
            estimate();
            findings.finish();
        }
        describe_particles();
    }
    constexpr double work_in_good_mesh = 2000.0;
    for (const Planned* body : bodies())
        if (body->shape && (body->path / "shape").text() == context_.at_work.text() &&
            body->shape->query_work() > work_in_good_mesh)
            what += ", since the triangles of its mesh are long or lie across each other";
    findings.warn(
        context_.at_work, what,
        "what was not looked at shows when it runs; a smaller count or a simpler shape can be checked");
}

template <int Dim>
BuiltPart SceneBuilder<Dim>::build_part()
{
    prepare(false);
    BuiltPart built;
    built.resolved = resolve().find("bodies")->items().front();
    built.part = kinds_.front()->make_part(kinds_.front()->bodies.front());
    built.warnings = context_.findings.take_warnings();
    return built;
}

template <int Dim>
void SceneBuilder<Dim>::make_clock_and_domain()
{
    context_.clock.duration = context_.scene.duration;
    context_.clock.frame_rate = context_.scene.frame_rate;
    if (const double* step = std::get_if<double>(&context_.scene.time_step.choice))
        context_.clock.fixed_step = *step;
    if (const StepBounds* bounds = std::get_if<StepBounds>(&context_.scene.time_step.choice)) {
        context_.clock.min_step = bounds->min.value_or(context_.clock.min_step);
        context_.clock.max_step = bounds->max.value_or(context_.clock.max_step);
    }
    if (!context_.scene.domain) return;
    context_.domain.bounded = true;
    context_.domain.box = {context_.scene.domain->min, context_.scene.domain->max};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k)
        context_.domain.sides[k] = {context_.scene.domain->sides.axes[k].lower,
                                    context_.scene.domain->sides.axes[k].upper};
    context_.domain.surface = surface_of(context_.scene.domain->surface);
    context_.domain.heat = heat_of(context_.scene.domain->heat);
    warn_of_cold(context_.findings, path_of({"domain"}), context_.scene.domain->heat);
}

/// Either of two can say that it ignores the other.
template <int Dim>
void SceneBuilder<Dim>::find_ignored()
{
    const auto add = [&](const std::string& name, const std::optional<std::vector<std::string>>& ignores) {
        for (const std::string& other : ignores.value_or(std::vector<std::string>()))
            context_.ignored.add(name, other);
    };
    for (const Planned* body : bodies()) add(body->name(), body->basics().ignores);
    for (const ObstacleOptions<Dim>& obstacle : context_.scene.obstacles)
        add(obstacle.name, obstacle.ignores);
}

template <int Dim>
void SceneBuilder<Dim>::make_shapes()
{
    const SceneOptions<Dim>& scene = context_.scene;
    for (Planned* body : bodies()) {
        context_.begin_work(body->path / "shape");
        if (body->start() && *body->start() >= scene.duration)
            context_.findings.warn(body->path / "start",
                                   "the body comes at " + format_quantity(*body->start(), "s") +
                                       ", the scene ends at " + format_quantity(scene.duration, "s"),
                                   "choose an earlier start or a longer duration");
        const std::optional<ShapeOptions<Dim>>& shape = body->basics().shape;
        if (!shape) continue;
        body->shape = context_.shapes.make(*shape, body->path / "shape");
        body->is_box = std::holds_alternative<Box<Dim>>(shape->kind);
    }
    for (const auto& kind : kinds_) kind->make_shapes();
    make_obstacles();
}

template <int Dim>
void SceneBuilder<Dim>::make_obstacles()
{
    for (std::size_t i = 0; i < context_.scene.obstacles.size(); ++i) {
        ObstacleOptions<Dim>& options = context_.scene.obstacles[i];
        const Path path = path_of({"obstacles", i});
        context_.begin_work(path / "shape");
        auto shape = context_.shapes.make(options.shape, path / "shape",
                                          options.container ? OpenMesh::Solid : OpenMesh::Sheet);
        if (!shape) continue;
        std::optional<Shape<Dim>> cavity;
        if (options.container) cavity = shape;
        warn_of_cold(context_.findings, path, options.heat);
        try {
            Motion<Dim> motion = make_motion(options.motion, shape->bounds());
            context_.obstacles.push_back({options.name, cavity ? around(*cavity) : std::move(*shape),
                                          std::move(motion), surface_of(options.surface), cavity,
                                          heat_of(options.heat)});
        } catch (const InputError& error) {
            context_.findings.add_problem(path / "motion", error.what());
        }
    }
}

template <int Dim>
std::vector<PlannedEvent<Dim>>
SceneBuilder<Dim>::planned_events(const Node& resolved, const std::optional<std::filesystem::path>& folder)
{
    std::vector<Problem> problems;
    std::vector<PlannedEvent<Dim>> plan =
        plan_events(resolved, context_.scene, context_.content.kinds, folder, problems);
    if (!problems.empty()) throw SceneError(std::move(problems));
    return plan;
}

template <int Dim>
RunPlan SceneBuilder<Dim>::run_plan() const
{
    RunPlan plan = context_.run_plan();
    plan.steps = kinds_.front()->expected_steps();
    for (std::size_t k = 1; k < kinds_.size(); ++k)
        plan.steps = longest_steps(plan.steps, kinds_[k]->expected_steps());
    return plan;
}

template <int Dim>
void SceneBuilder<Dim>::estimate()
{
    const RunPlan plan = run_plan();
    const Machine& machine = context_.machine;
    Findings& findings = context_.findings;
    estimate_ = {};
    estimate_.frames = plan.frame_count();
    estimate_.steps = static_cast<std::uint64_t>(std::round(std::clamp(plan.step_count(), 0.0, 1e18)));
    for (const auto& kind : kinds_) {
        const KindCost cost = kind->cost(plan);
        estimate_.particles += cost.particles;
        estimate_.memory += cost.memory;
        estimate_.disk += cost.disk;
        estimate_.seconds += cost.seconds / std::max(plan.cores, 1);
    }
    const double table = probe_table_size(plan);
    estimate_.disk += table;
    std::uint64_t particles = 0;
    for (const Planned* body : bodies()) particles += context_.count_of(*body);
    if (estimate_.disk > machine.disk && table > 0.5 * estimate_.disk)
        findings.add_problem(path_of({"probes"}),
                             "probes.csv needs about " + bytes_text(table) + " of disk, and " +
                                 bytes_text(machine.disk) + " are free",
                             "read fewer places, or read them less often with \"every\"");
    else if (estimate_.disk > machine.disk)
        findings.add_problem(path_of({"output"}),
                             count_text(estimate_.frames, "frame") + " of " +
                                 count_text(particles, "particle") + " need about " +
                                 bytes_text(estimate_.disk) + " of disk, and " + bytes_text(machine.disk) +
                                 " are free",
                             "choose a larger spacing, a lower frame_rate or another folder");
    constexpr double day = 86400.0;
    if (estimate_.seconds > day)
        findings.warn(context_.resolution_path(),
                      "the run will take about " + seconds_text(estimate_.seconds),
                      "try a larger spacing first");
    warn_of_frequent_probes(plan);
}

/// The scene with everything that was chosen on the way.
template <int Dim>
Node SceneBuilder<Dim>::resolve()
{
    context_.scene.spacing = shared_spacing_;
    context_.scene.count.reset();
    for (Planned* body : bodies()) {
        body->basics().spacing.reset();
        body->basics().count.reset();
        if (body->spacing != shared_spacing_) body->basics().spacing = body->spacing;
    }
    return write_scene_options(context_.scene, context_.content.resolved);
}

/// How many particles there are, and how fine.
template <int Dim>
void SceneBuilder<Dim>::describe_particles()
{
    Node& derived = context_.derived;
    std::uint64_t all = 0;
    Node counts = Node::object();
    Node spacings = Node::object();
    for (const Planned* body : bodies()) {
        all += context_.count_of(*body);
        counts.set(body->name(), context_.count_of(*body));
        spacings.set(body->name(), body->spacing);
    }
    derived.set("particles", all);
    derived.set("particles_of_bodies", std::move(counts));
    derived.set("frames", context_.clock.last_frame() + 1);
    derived.set("spacing", smallest_spacing());
    derived.set("spacing_of_bodies", std::move(spacings));
    derived.set("expected_time_step", run_plan().step());
    // Who draws the run may not know all of its kinds.
    Node units = Node::object();
    for (const BodyOptions<Dim>& body : context_.scene.bodies)
        for (const FieldInfo& field : body.kind->fields) units.set(std::string(field.name), field.unit);
    derived.set("units", std::move(units));
}

/// Of bodies that others push against, whose surfaces become points as soon as they are in a world.
template <int Dim>
void SceneBuilder<Dim>::spend_on_boundaries(const std::vector<std::unique_ptr<Body<Dim>>>& world_bodies)
{
    double spacing = std::numeric_limits<double>::infinity();
    for (const auto& body : world_bodies) spacing = std::min(spacing, body->boundary_spacing());
    if (!std::isfinite(spacing)) return;
    for (const auto& kind : kinds_)
        for (const Planned& body : kind->bodies) {
            if (!body.options->kind->can.be_felt || !body.shape) continue;
            context_.begin_work(body.path / "shape");
            context_.work.spend(work_of_surface_points(*body.shape, spacing) +
                                kind->work_of_boundary_point() * body.shape->rough_area() /
                                    std::pow(spacing, Dim - 1));
        }
}

template <int Dim>
BuiltScene SceneBuilder<Dim>::make_world()
{
    describe_particles();
    context_.begin_work(path_of({"bodies"}));
    std::vector<std::unique_ptr<Body<Dim>>> world_bodies;
    std::vector<const KindOf<Dim>*> kinds;
    WorldOptions<Dim> world_options;
    // Whoever joins is there before anything is done to it.
    for (const Planned* body : bodies())
        if (body->start()) world_options.events.push_back(joining_event<Dim>(body->name(), *body->start()));
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        kinds.push_back(kinds_[k]->bodies.front().options->kind);
        world_bodies.push_back(kinds_[k]->make_body(first_id(k)));
    }

    spend_on_boundaries(world_bodies);

    const SceneOptions<Dim>& scene = context_.scene;
    BuiltScene built;
    built.resolved = resolve();
    built.estimate = estimate_;
    built.format = scene.output.format;
    built.fields = context_.frame_fields();
    built.double_precision = scene.output.double_precision;
    built.meshes = scene.output.meshes;
    world_options.clock = context_.clock;
    world_options.gravity = scene.gravity;
    world_options.domain = context_.domain;
    world_options.obstacles = context_.obstacles;
    world_options.ignored = context_.ignored;
    world_options.fault = context_.fault;
    world_options.hands = make_hands(scene.hands);
    for (const PlannedEvent<Dim>& planned : planned_events(built.resolved, context_.content.folder))
        add_event<Dim>(planned, kinds, world_options.events);
    for (const ProbeOptions<Dim>& probe : scene.probes)
        world_options.probes.push_back(context_.probe_of(probe));
    auto world = std::make_unique<World<Dim>>(std::move(world_options), std::move(world_bodies));
    for (std::size_t k = 0; k < kinds_.size(); ++k)
        kinds_[k]->check_body(world->body(k), world->surroundings());
    context_.findings.finish();
    warn_of_late_events();
    built.derived = std::move(context_.derived);
    built.warnings = context_.findings.take_warnings();
    built.world = std::move(world);
    return built;
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

BuiltScene build_scene(const Scene& scene, const Machine& machine, const FrameRange& frames,
                       const WorkBudget& work, Fault fault)
{
    return std::visit(
        [&]<int Dim>(const SceneOptions<Dim>& options) {
            return SceneBuilder<Dim>(scene.content(), options, machine, frames, work).build(fault);
        },
        scene.content().options);
}

SceneCheck check_scene(const Scene& scene, const Machine& machine, const WorkBudget& work)
{
    return std::visit(
        [&]<int Dim>(const SceneOptions<Dim>& options) {
            return SceneBuilder<Dim>(scene.content(), options, machine, {}, work).check();
        },
        scene.content().options);
}

} // namespace phyxel
