// SPDX-License-Identifier: MIT
// From a scene to a world: shapes are filled with particles, and what will go wrong is said before it does.
#include <phyxel/scene/detail/event_maker.h>
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/scene/detail/build_support.h>
#include <phyxel/scene/detail/motion_maker.h>
#include <phyxel/scene/quantity.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

namespace {

using detail::bytes_text;
using detail::count_text;

/// In the order of OutputField.
constexpr std::array<std::string_view, 7> field_names = {"velocity", "id",     "density", "pressure",
                                                         "strain",   "stress", "energy"};

/// Emitters, and fluids that join, go on giving ids, so those of solids begin where no fluid will get.
constexpr std::uint64_t first_id_beyond_fluids = std::uint64_t(1) << 48;

/// A block that has the shape as its cavity; thick enough that nothing gets through.
template <int Dim>
Shape<Dim> around(const Shape<Dim>& cavity)
{
    constexpr double wall_share = 0.2;
    const Box<Dim>& inner = cavity.bounds();
    const Vec<Dim> wall = Vec<Dim>::Constant(wall_share * inner.longest_side());
    return subtract<Dim>({Shape<Dim>(Box<Dim>{inner.min - wall, inner.max + wall}), cavity});
}

WallSurface surface_of(const WallSurfaceOptions& options)
{
    return {.no_slip = options.kind == SurfaceKind::NoSlip, .friction = options.friction.value_or(0.0)};
}

} // namespace

/// Each step relies on what the ones before have found right.
template <int Dim>
void SceneBuilder<Dim>::prepare(bool for_world)
{
    make_clock_and_domain();
    make_shapes();
    findings_.finish();
    choose_spacing();
    findings_.finish();
    check_periodic_lengths();
    make_emitters();
    check_particle_count();
    findings_.finish();
    fill_shapes();
    findings_.finish();
    set_velocities();
    make_regions();
    choose_speed();
    findings_.finish();
    make_skins();
    choose_solid_solver();
    if (for_world && !solids_.empty())
        solid_body_ = make_solid_body(fluids_.empty() ? 0 : first_id_beyond_fluids);
    estimate();
    findings_.finish();
    warn_of_overlaps();
    warn_of_solids_in_obstacles();
    warn_of_thin_shapes();
    warn_of_endless_fall();
    warn_of_obstacles_at_periodic_sides();
    warn_of_probes_beside_bodies();
    warn_of_fluids_beside_solids();
    warn_of_long_step();
}

template <int Dim>
BuiltScene SceneBuilder<Dim>::build()
{
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
        result.resolved = is_counted_ ? resolve() : content_.resolved;
        result.derived = std::move(derived_);
        result.warnings = findings_.take_warnings();
    }
    return result;
}

/// Says what was too much, and estimates the run by what is known.
template <int Dim>
void SceneBuilder<Dim>::give_up()
{
    work_ = {};
    is_placed_ = false;
    // What was found wrong until then is wrong all the same.
    findings_.finish();
    std::string what = "this takes too long for a check and was given up";
    if (is_counted_) {
        std::uint64_t particles = 0;
        for (PlannedBody* body : bodies()) {
            particles += body->expected_count;
            body->positions.clear();
        }
        what =
            count_text(particles, "particle") + " take too long to look at here, and the check was given up";
        if (estimate_.particles == 0) {
            choose_speed();
            findings_.finish();
            estimate();
            findings_.finish();
        }
        describe_particles();
    }
    constexpr double work_in_good_mesh = 2000.0;
    for (const PlannedBody* body : bodies())
        if (body->shape && (body->path / "shape").text() == at_work_.text() &&
            body->shape->query_work() > work_in_good_mesh)
            what += ", since the triangles of its mesh are long or lie across each other";
    findings_.warn(
        at_work_, what,
        "what was not looked at shows when it runs; a smaller count or a simpler shape can be checked");
}

template <int Dim>
BuiltParts<Dim> SceneBuilder<Dim>::build_parts()
{
    prepare(false);
    BuiltParts<Dim> built;
    built.resolved = resolve();
    built.fluids = take_fluid_parts();
    built.solids = take_solid_parts();
    built.warnings = findings_.take_warnings();
    return built;
}

template <int Dim>
void SceneBuilder<Dim>::make_clock_and_domain()
{
    clock_.duration = scene_.duration;
    clock_.frame_rate = scene_.frame_rate;
    if (const double* step = std::get_if<double>(&scene_.time_step.choice)) clock_.fixed_step = *step;
    if (const StepBounds* bounds = std::get_if<StepBounds>(&scene_.time_step.choice)) {
        clock_.min_step = bounds->min.value_or(clock_.min_step);
        clock_.max_step = bounds->max.value_or(clock_.max_step);
    }
    if (!scene_.domain) return;
    domain_.bounded = true;
    domain_.box = {scene_.domain->min, scene_.domain->max};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k)
        domain_.sides[k] = {scene_.domain->sides.axes[k].lower, scene_.domain->sides.axes[k].upper};
    domain_.surface = surface_of(scene_.domain->surface);
}

template <int Dim>
void SceneBuilder<Dim>::make_shapes()
{
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
        const Path path = path_of({"bodies", i});
        begin_work(path / "shape");
        const auto plan = [&](auto& body, const ShapeOptions<Dim>* shape) {
            body.name = body.options->name;
            body.path = path;
            body.own_spacing = &body.options->spacing;
            body.own_count = &body.options->count;
            body.start = body.options->start;
            if (body.start && *body.start >= scene_.duration)
                findings_.warn(path / "start",
                               "the body comes at " + format_quantity(*body.start, "s") +
                                   ", the scene ends at " + format_quantity(scene_.duration, "s"),
                               "choose an earlier start or a longer duration");
            if (shape == nullptr) return;
            body.shape = shape_maker_.make(*shape, path / "shape");
            body.is_box = std::holds_alternative<Box<Dim>>(shape->kind);
        };
        if (auto* options = std::get_if<FluidBodyOptions<Dim>>(&scene_.bodies[i])) {
            Fluid fluid;
            fluid.options = options;
            fluid.number = fluids_.size();
            plan(fluid, options->shape ? &*options->shape : nullptr);
            fluids_.push_back(std::move(fluid));
        } else {
            Solid solid;
            solid.options = &std::get<SolidBodyOptions<Dim>>(scene_.bodies[i]);
            solid.number = solids_.size();
            plan(solid, &solid.options->shape);
            for (std::size_t k = 0; k < solid.options->regions.size(); ++k)
                if (auto shape =
                        shape_maker_.make(solid.options->regions[k].shape, path / "regions" / k / "shape"))
                    solid.region_shapes.push_back(std::move(*shape));
            solids_.push_back(std::move(solid));
        }
    }
    flow_maker_.make_shapes(shape_maker_);
    for (std::size_t i = 0; i < fluids_.size(); ++i)
        if (!fluids_[i].shape && !flow_maker_.feeds(i) && !findings_.has_problems())
            findings_.add_problem(fluids_[i].path, "the body has no shape, and no emitter feeds it",
                                  "expected \"shape\", or an emitter with its name as \"body\"");
    make_obstacles();
}

template <int Dim>
void SceneBuilder<Dim>::make_obstacles()
{
    for (std::size_t i = 0; i < scene_.obstacles.size(); ++i) {
        ObstacleOptions<Dim>& options = scene_.obstacles[i];
        const Path path = path_of({"obstacles", i});
        begin_work(path / "shape");
        auto shape = shape_maker_.make(options.shape, path / "shape",
                                       options.container ? OpenMesh::Solid : OpenMesh::Sheet);
        if (!shape) continue;
        std::optional<Shape<Dim>> cavity;
        if (options.container) cavity = shape;
        try {
            Motion<Dim> motion = make_motion(options.motion, shape->bounds());
            obstacles_.push_back({options.name, cavity ? around(*cavity) : std::move(*shape),
                                  std::move(motion), surface_of(options.surface), cavity});
        } catch (const InputError& error) {
            findings_.add_problem(path / "motion", error.what());
        }
    }
}

template <int Dim>
std::vector<PlannedEvent<Dim>> SceneBuilder<Dim>::planned_events(const Node& resolved)
{
    std::vector<Problem> problems;
    std::vector<PlannedEvent<Dim>> plan = plan_events(resolved, scene_, content_.folder, problems);
    if (!problems.empty()) throw SceneError(std::move(problems));
    return plan;
}

template <int Dim>
std::vector<std::string> SceneBuilder<Dim>::frame_fields() const
{
    std::vector<std::string> fields;
    for (const OutputField field : scene_.output.fields.value()) {
        const std::string name(field_names[static_cast<std::size_t>(field)]);
        const bool is_always_there = field == OutputField::Velocity || field == OutputField::Id;
        if (!is_always_there && std::find(fields.begin(), fields.end(), name) == fields.end())
            fields.push_back(name);
    }
    return fields;
}

template <int Dim>
detail::RunPlan SceneBuilder<Dim>::run_plan() const
{
    detail::RunPlan plan{.dimension = Dim,
                         .clock = clock_,
                         .frames = frames_,
                         .field_count = frame_fields().size(),
                         .double_precision = scene_.output.double_precision,
                         .cores = machine_.cores};
    if (!fluids_.empty()) {
        plan.fluid = {.emitted = static_cast<std::uint64_t>(emitted_count()),
                      .spacing = smallest_fluid_spacing(),
                      .viscosity = largest_kinematic_viscosity(),
                      .crowding = crowding_,
                      .solver = fluid_options_of(*fluids_.front().options->solver)};
        for (const Fluid& fluid : fluids_) plan.fluid->particles += count_of(fluid);
    }
    if (!solids_.empty()) {
        plan.solid = {.sound_time = sound_time(),
                      .may_hit_something =
                          solids_.size() > 1 || scene_.domain.has_value() || !scene_.obstacles.empty(),
                      .solver = *solids_.front().options->solver};
        if (solid_body_) plan.solid->stable_step = solid_body_->stable_time_step();
        for (const Solid& solid : solids_) {
            plan.solid->phyxels += count_of(solid);
            plan.solid->surface_points += solid.surface_points;
            plan.solid->surface_triangles += solid.surface_triangles;
        }
    }
    for (const ProbeOptions<Dim>& options : scene_.probes) {
        const Probe<Dim> probe = probe_of(options);
        plan.probes.push_back({probe_columns(probe).size(), probe.every, probe.interval});
    }
    return plan;
}

template <int Dim>
void SceneBuilder<Dim>::estimate()
{
    const detail::RunPlan plan = run_plan();
    std::uint64_t particles = 0;
    for (const PlannedBody* body : bodies()) particles += count_of(*body);
    estimate_ = detail::estimate_run(plan);
    if (const double table = detail::probe_table_size(plan);
        estimate_.disk > machine_.disk && table > 0.5 * estimate_.disk)
        findings_.add_problem(path_of({"probes"}),
                              "probes.csv needs about " + bytes_text(table) + " of disk, and " +
                                  bytes_text(machine_.disk) + " are free",
                              "read fewer places, or read them less often with \"every\"");
    else if (estimate_.disk > machine_.disk)
        findings_.add_problem(path_of({"output"}),
                              count_text(estimate_.frames, "frame") + " of " +
                                  count_text(particles, "particle") + " need about " +
                                  bytes_text(estimate_.disk) + " of disk, and " + bytes_text(machine_.disk) +
                                  " are free",
                              "choose a larger spacing, a lower frame_rate or another folder");
    constexpr double day = 86400.0;
    if (estimate_.seconds > day)
        findings_.warn(resolution_path(),
                       "the run will take about " + detail::seconds_text(estimate_.seconds),
                       "try a larger spacing first");
    warn_of_frequent_probes(plan);
}

template <int Dim>
Probe<Dim> SceneBuilder<Dim>::probe_of(const ProbeOptions<Dim>& options) const
{
    Probe<Dim> probe;
    probe.name = options.name;
    probe.field = options.field;
    probe.every = options.every.times;
    probe.interval = options.every.interval;
    if (options.point) {
        probe.what = PointProbe<Dim>{*options.point, options.body};
    } else if (options.line) {
        probe.what = *options.line;
    } else if (options.plane) {
        PlaneProbe<Dim> plane = *options.plane;
        plane.normal.normalize();
        probe.what = plane;
    } else if (options.body) {
        probe.what = BodyProbe{*options.body};
    } else {
        probe.what = ObstacleProbe{options.obstacle.value()};
    }
    return probe;
}

/// The scene with everything that was chosen on the way.
template <int Dim>
Node SceneBuilder<Dim>::resolve()
{
    scene_.spacing = shared_spacing_;
    scene_.count.reset();
    for (PlannedBody* body : bodies()) {
        body->own_spacing->reset();
        body->own_count->reset();
        if (body->spacing != shared_spacing_) *body->own_spacing = body->spacing;
    }
    return write_scene_options(scene_, content_.resolved);
}

/// How many particles there are, and how fine.
template <int Dim>
void SceneBuilder<Dim>::describe_particles()
{
    std::uint64_t all = 0;
    Node counts = Node::object();
    Node spacings = Node::object();
    for (const PlannedBody* body : bodies()) {
        all += count_of(*body);
        counts.set(body->name, count_of(*body));
        spacings.set(body->name, body->spacing);
    }
    derived_.set("particles", all);
    if (!scene_.emitters.empty())
        derived_.set("emitted_particles", static_cast<std::uint64_t>(flow_maker_.particle_count()));
    derived_.set("particles_of_bodies", std::move(counts));
    derived_.set("frames", clock_.last_frame() + 1);
    derived_.set("spacing", smallest_spacing());
    derived_.set("spacing_of_bodies", std::move(spacings));
    derived_.set("expected_time_step", detail::estimated_step(run_plan()));
}

template <int Dim>
std::vector<FluidPart<Dim>> SceneBuilder<Dim>::take_fluid_parts()
{
    std::vector<FluidPart<Dim>> parts;
    for (Fluid& fluid : fluids_)
        parts.push_back({fluid.name, std::move(fluid.positions), std::move(fluid.velocities), fluid.spacing,
                         fluid.options->material.viscosity, fluid.start.value_or(0.0)});
    return parts;
}

template <int Dim>
std::unique_ptr<FluidBody<Dim>> SceneBuilder<Dim>::make_fluid_body()
{
    const FluidBodyOptions<Dim>& first = *fluids_.front().options;
    const auto [parts, expected] = split_by_start(fluids_, take_fluid_parts());
    auto fluid = std::make_unique<FluidBody<Dim>>(first.material.density, fluid_options_of(*first.solver),
                                                  parts, flow_maker_.flows());
    for (const FluidPart<Dim>& part : expected) fluid->expect(part);
    derived_.set("support_radius", fluid->model().smallest_support_radius());
    derived_.set("particle_mass", fluid->model().parts.front().particle_mass);
    if (const auto* wcsph = std::get_if<WcsphSolver<Dim>>(&fluid->solver())) {
        derived_.set("sound_speed", wcsph->equation_of_state().sound_speed());
        derived_.set("stiffness", wcsph->equation_of_state().stiffness);
    }
    return fluid;
}

/// Of obstacles, whose surfaces fluids have to be told of.
template <int Dim>
void SceneBuilder<Dim>::spend_on_ghosts()
{
    constexpr double ghost_work = 300.0;
    constexpr double cutting_work = 300.0; // and some questions
    const double spacing = GhostWall<Dim>::ghost_spacing_ratio * smallest_fluid_spacing();
    for (std::size_t i = 0; i < obstacles_.size(); ++i) {
        begin_work(path_of({"obstacles", i, "shape"}));
        const Shape<Dim>& shape = obstacles_[i].shape;
        // Pieces of one part are cut along the others.
        const double cutting = shape.parts().size() > 1 ? cutting_work + 4.0 * shape.query_work() : 0.0;
        work_.spend(shape.rough_area() / std::pow(spacing, Dim - 1) * (ghost_work + cutting));
    }
}

template <int Dim>
BuiltScene SceneBuilder<Dim>::make_world()
{
    describe_particles();
    begin_work(path_of({"bodies"}));
    std::vector<std::unique_ptr<Body<Dim>>> world_bodies;
    FluidBody<Dim>* fluid = nullptr;
    if (!fluids_.empty()) {
        auto body = make_fluid_body();
        fluid = body.get();
        world_bodies.push_back(std::move(body));
    }
    if (solid_body_) world_bodies.push_back(std::move(solid_body_));

    BuiltScene built;
    built.resolved = resolve();
    built.estimate = estimate_;
    built.format = scene_.output.format;
    built.fields = frame_fields();
    built.double_precision = scene_.output.double_precision;

    WorldOptions<Dim> world_options;
    world_options.clock = clock_;
    world_options.gravity = scene_.gravity;
    world_options.domain = domain_;
    world_options.obstacles = obstacles_;
    world_options.hands = make_hands(scene_.hands);
    // Whoever joins is there before anything is done to it.
    for (const PlannedBody* body : bodies())
        if (body->start) world_options.events.push_back(joining_event<Dim>(body->name, *body->start));
    for (const PlannedEvent<Dim>& planned : planned_events(built.resolved))
        world_options.events.push_back(make_event(planned));
    for (const ProbeOptions<Dim>& probe : scene_.probes) world_options.probes.push_back(probe_of(probe));
    auto world = std::make_unique<World<Dim>>(std::move(world_options), std::move(world_bodies));
    if (fluid != nullptr) spend_on_ghosts();
    if (fluid != nullptr) warn_of_compression(*fluid, world->surroundings());
    warn_of_late_events();
    built.derived = std::move(derived_);
    built.warnings = findings_.take_warnings();
    built.world = std::move(world);
    return built;
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

BuiltScene build_scene(const Scene& scene, const Machine& machine, const FrameRange& frames,
                       const WorkBudget& work)
{
    return std::visit(
        [&]<int Dim>(const SceneOptions<Dim>& options) {
            return SceneBuilder<Dim>(scene.content(), options, machine, frames, work).build();
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
