// SPDX-License-Identifier: MIT
#include <phyxel/scene/kind_builder.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/geometry/corners.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/scene/build_text.h>

#include <cmath>

namespace phyxel {

using detail::evaluate;
using detail::in_metres;

template <int Dim>
BuildContext<Dim>::BuildContext(const Scene::Content& given_content, const SceneOptions<Dim>& options,
                                const Machine& given_machine, const FrameRange& given_frames,
                                const WorkBudget& given_work)
    : content(given_content),
      scene(options),
      machine(given_machine),
      frames(given_frames),
      work(given_work),
      findings(content.resolved),
      shapes(content.folder, findings, work, [this](const Path& path) { begin_work(path); })
{
}

template <int Dim>
void BuildContext<Dim>::begin_work(const Path& path)
{
    at_work = path;
    work.throw_if_stopped();
}

template <int Dim>
Path BuildContext<Dim>::resolution_path() const
{
    return path_of({content.resolved.find("spacing") != nullptr ? "spacing" : "count"});
}

template <int Dim>
std::vector<int> BuildContext<Dim>::periodic_axes() const
{
    std::vector<int> axes;
    for (int k = 0; k < Dim; ++k)
        if (domain.bounded && domain.sides[static_cast<std::size_t>(k)][0] == DomainSide::Periodic)
            axes.push_back(k);
    return axes;
}

template <int Dim>
std::optional<double> BuildContext<Dim>::fitting_spacing(double wanted) const
{
    const std::vector<int> axes = periodic_axes();
    if (axes.empty()) return wanted;
    const Vec<Dim> lengths = domain.box.size();
    const double length = lengths[axes.front()];
    const std::int64_t count = fit_periodic(length, wanted).count;
    std::optional<double> best;
    const std::int64_t reach = std::min<std::int64_t>(count / 2 + 1, 10000);
    for (std::int64_t n = std::max<std::int64_t>(1, count - reach); n <= count + reach; ++n) {
        const double spacing = length / static_cast<double>(n);
        const bool fits = std::all_of(axes.begin(), axes.end(),
                                      [&](int k) { return fit_periodic(lengths[k], spacing).fits; });
        if (fits && (!best || std::abs(spacing - wanted) < std::abs(*best - wanted))) best = spacing;
    }
    return best;
}

template <int Dim>
const SceneOptions<Dim>& BuildContext<Dim>::scene_at(double time) const
{
    const SceneOptions<Dim>* now = &scene;
    for (const LaterOptions<Dim>& change : later)
        if (change.time <= time) now = &change.scene;
    return *now;
}

template <int Dim>
std::vector<double> BuildContext<Dim>::sample_times(bool is_constant) const
{
    constexpr int count = 128;
    std::vector<double> times = {0.0};
    for (int n = 1; !is_constant && n <= count; ++n) times.push_back(scene.duration * n / count);
    return times;
}

template <int Dim>
double BuildContext<Dim>::motion_speed(const Motion<Dim>& motion, const Box<Dim>& bounds, const Path& path)
{
    if (motion.is_fixed()) return 0.0;
    double fastest = 0.0;
    for (const double time : sample_times(false)) {
        const Pose<Dim> pose = motion.pose(time);
        const RigidVelocity<Dim> velocity = motion.velocity(time);
        double speed = 0.0;
        for (const Vec<Dim>& corner : corners(bounds))
            speed = std::max(speed, velocity.at(pose.apply(corner)).norm());
        if (!std::isfinite(speed) || !pose.translation.allFinite()) {
            findings.add_problem(path, "the motion is not finite at " + format_quantity(time, "s"),
                                 "must be finite at all times");
            return 0.0;
        }
        fastest = std::max(fastest, speed);
    }
    return fastest;
}

template <int Dim>
Probe<Dim> BuildContext<Dim>::probe_of(const ProbeOptions<Dim>& options) const
{
    Probe<Dim> probe;
    probe.name = options.name;
    probe.field = options.field;
    probe.components = probe_components<Dim>(content.kinds, options);
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
    } else if (options.joint) {
        probe.what = JointProbe{*options.joint};
    } else {
        probe.what = ObstacleProbe{options.obstacle.value()};
    }
    return probe;
}

template <int Dim>
std::vector<std::string> BuildContext<Dim>::frame_fields() const
{
    std::vector<std::string> fields;
    for (const auto& [name] : scene.output.fields.value()) {
        const bool is_always_there = name == "velocity" || name == "id";
        if (!is_always_there && std::find(fields.begin(), fields.end(), name) == fields.end())
            fields.push_back(name);
    }
    return fields;
}

template <int Dim>
RunPlan BuildContext<Dim>::run_plan() const
{
    RunPlan plan{.dimension = Dim,
                 .clock = clock,
                 .frames = frames,
                 .double_precision = scene.output.double_precision,
                 .meshes = scene.output.meshes,
                 .cores = machine.cores};
    for (const std::string& field : frame_fields())
        plan.field_count += static_cast<std::size_t>(components_of<Dim>(content.kinds, field));
    for (const ProbeOptions<Dim>& options : scene.probes) {
        const Probe<Dim> probe = probe_of(options);
        plan.probes.push_back({probe_columns(probe).size(), probe.every, probe.interval});
    }
    return plan;
}

template <int Dim>
void KindBuilder<Dim>::fill(PlannedBody<Dim>& body)
{
    body.positions = fill_lattice(*body.shape, body.spacing, context_.work);
    context_.is_filled = context_.is_filled || !body.positions.empty();
}

template <int Dim>
void KindBuilder<Dim>::check_filled()
{
    for (const PlannedBody<Dim>& body : bodies)
        if (body.positions.empty())
            context_.findings.add_problem(body.path / "shape",
                                          "there is no " + body.options->kind->particle +
                                              " in it, a spacing of " + in_metres(body.spacing) +
                                              " is too large",
                                          "choose a smaller spacing");
}

template <int Dim>
Vec<Dim> KindBuilder<Dim>::center_of(const PlannedBody<Dim>& body) const
{
    const std::vector<Vec<Dim>>& x = body.positions;
    const Vec<Dim> sum = ordered_sum(x.size(), Vec<Dim>(Vec<Dim>::Zero()), [&](Index i) { return x[i]; });
    return sum / static_cast<double>(x.size());
}

/// That of particles, or in the corners and the middle of what is not filled.
template <int Dim>
double KindBuilder<Dim>::start_speed() const
{
    double fastest = 0.0;
    for (const PlannedBody<Dim>& body : bodies) {
        for (const Vec<Dim>& v : body.velocities) fastest = std::max(fastest, v.norm());
        if (context_.is_placed || !body.shape) continue;
        std::vector<Vec<Dim>> places = corners(body.shape->bounds());
        places.push_back(body.shape->bounds().center());
        const RigidVelocity<Dim> spin{Vec<Dim>::Zero(), body.basics().angular_velocity, places.back()};
        for (const Vec<Dim>& x : places) {
            const double speed = (evaluate<Dim>(body.basics().velocity, x, 0.0) + spin.at(x)).norm();
            if (std::isfinite(speed)) fastest = std::max(fastest, speed);
        }
    }
    return fastest;
}

template <int Dim>
KindCost KindBuilder<Dim>::cost(const RunPlan& plan) const
{
    constexpr double step_seconds = 1e-7; // of a particle
    KindCost cost;
    for (const PlannedBody<Dim>& body : bodies) cost.particles += context_.count_of(body);
    const auto count = static_cast<double>(cost.particles);
    cost.memory = memory(count);
    cost.disk = disk_of_particles(plan, count, 2.0 * Dim * 8.0);
    cost.seconds = count * step_seconds * plan.step_count();
    return cost;
}

template <int Dim>
Box<Dim> KindBuilder<Dim>::start_bounds() const
{
    Box<Dim> bounds;
    for (const PlannedBody<Dim>& body : bodies) {
        if (!context_.is_placed && body.shape) bounds.extend(body.shape->bounds());
        for (const Vec<Dim>& x : body.positions) bounds.extend(x);
    }
    bounds.extend(added_bounds());
    return bounds;
}

template struct BuildContext<2>;
template struct BuildContext<3>;
template class KindBuilder<2>;
template class KindBuilder<3>;

} // namespace phyxel
