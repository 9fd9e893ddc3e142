// SPDX-License-Identifier: MIT
#include <phyxel/kinds/rigid/rigid_body.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/io/state_sections.h>
#include <phyxel/kinds/rigid/detail/particle_weights.h>
#include <phyxel/rigid/rigid_response.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <sstream>
#include <utility>

namespace phyxel {
namespace {

/// Faster than this many of its own sizes in a millisecond nothing is meant to be.
constexpr double fastest = 1000.0;

/// Kernels with which places in the body are looked at, in spacings.
constexpr double sampling_reach = 2.0;

/// A hand holds like a spring on which the body would swing at this frequency [1/s], critically damped. The
/// spring bears this acceleration [m/s²] of the body.
constexpr double hold_frequency = 60.0;
constexpr double strongest_hold = 2000.0;
/// The springs of hands that pull are those that pull solids.
constexpr double pull_frequency = 3.0;
constexpr double pull_damping_ratio = 0.5;

/// Nothing before the first step.
template <int Dim>
ObstacleLoad<Dim> load_of(std::span<const ObstacleLoad<Dim>> loads, std::size_t number)
{
    return number < loads.size() ? loads[number] : ObstacleLoad<Dim>{};
}

template <int Dim>
void save_loads(CheckpointWriter& checkpoint, const std::string& name,
                std::span<const ObstacleLoad<Dim>> loads)
{
    std::vector<Vec<Dim>> forces;
    std::vector<Angles<Dim>> torques;
    for (const ObstacleLoad<Dim>& load : loads) {
        forces.push_back(load.force);
        torques.push_back(load.torque);
    }
    checkpoint.add("rigid/" + name + "_force", forces);
    checkpoint.add("rigid/" + name + "_torque", torques);
}

template <int Dim>
std::vector<ObstacleLoad<Dim>> saved_loads(const CheckpointReader& checkpoint, const std::string& name)
{
    const auto forces = checkpoint.section<Vec<Dim>>("rigid/" + name + "_force");
    const auto torques = checkpoint.section<Angles<Dim>>("rigid/" + name + "_torque");
    if (forces.size() != torques.size())
        throw InputError("the checkpoint is damaged: forces without torques");
    std::vector<ObstacleLoad<Dim>> loads;
    for (std::size_t k = 0; k < forces.size(); ++k) loads.push_back({forces[k], torques[k]});
    return loads;
}

} // namespace

template <int Dim>
RigidBody<Dim>::RigidBody(std::vector<RigidPart<Dim>> parts, std::size_t present,
                          std::vector<RigidJoint<Dim>> joints, std::uint64_t first_id, Fault fault)
    : next_id_(first_id)
{
    system_.joints = std::move(joints);
    system_.fault = fault;
    for (std::size_t n = 0; n < parts.size(); ++n) add(std::move(parts[n]), n < present);
    state_.joint_impulse.resize(system_.joints.size(), Vec<8>::Zero());
    list_particles();
}

template <int Dim>
void RigidBody<Dim>::add(RigidPart<Dim> part, bool is_there)
{
    if (system_.fault == Fault::HalvedInertia) {
        part.model.mass.inertia *= 0.5;
        part.model.moments *= 0.5;
        part.model.inverse_inertia *= 2.0;
    }
    weights_.push_back(weights_of(part));
    first_ids_.push_back(next_id_);
    next_id_ += part.particles.size();
    reach_.push_back(sampling_reach * part.spacing);
    state_.append(part.model, part.velocity, part.angular_velocity);
    system_.models.push_back(part.model);
    system_.is_there.push_back(is_there ? 1 : 0);
    if (!state_.enthalpy.empty())
        state_.enthalpy.push_back(enthalpy_of(part.thermal, part.temperature.value_or(usual_temperature)));
    parts_.push_back(std::move(part));
    impulses_.resize(parts_.size());
}

/// After somebody has come or gone.
template <int Dim>
void RigidBody<Dim>::list_particles()
{
    rest_.clear();
    ids_.clear();
    part_of_.clear();
    mass_.clear();
    volume_.clear();
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        if (system_.is_there[n] == 0) continue;
        const RigidPart<Dim>& part = parts_[n];
        rest_.insert(rest_.end(), part.particles.begin(), part.particles.end());
        part_of_.resize(rest_.size(), static_cast<std::uint32_t>(n));
        for (std::size_t k = 0; k < part.particles.size(); ++k) {
            ids_.push_back(first_ids_[n] + k);
            mass_.push_back(weights_[n][k]);
            volume_.push_back(weights_[n][k] / part.model.material.density);
        }
    }
    move_particles();
}

template <int Dim>
void RigidBody<Dim>::move_particles()
{
    std::vector<Pose<Dim>> poses;
    std::vector<RigidVelocity<Dim>> velocities;
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        poses.push_back(state_.pose_of(system_.models[n], n));
        velocities.push_back(
            {state_.velocity[n], angular_velocity(system_.models[n], state_, n), state_.position[n]});
    }
    positions_.resize(rest_.size());
    velocities_.resize(rest_.size());
    parallel_for(rest_.size(), [&](Index i) {
        positions_[i] = poses[part_of_[i]].apply(rest_[i]);
        velocities_[i] = velocities[part_of_[i]].at(positions_[i]);
    });
}

template <int Dim>
std::optional<std::size_t> RigidBody<Dim>::number_of(std::string_view part) const
{
    for (std::size_t n = 0; n < parts_.size(); ++n)
        if (parts_[n].name == part) return n;
    return {};
}

template <int Dim>
std::vector<std::string> RigidBody<Dim>::parts() const
{
    std::vector<std::string> names;
    for (const RigidPart<Dim>& part : parts_) names.push_back(part.name);
    return names;
}

template <int Dim>
ParticleView<Dim> RigidBody<Dim>::particles() const
{
    return {.positions = positions_,
            .velocities = velocities_,
            .ids = ids_,
            .parts = part_of_,
            .reach = reach_,
            .rest_positions = rest_};
}

template <int Dim>
ParticleAmounts RigidBody<Dim>::amounts(const Surroundings<Dim>&)
{
    return {.mass = mass_, .volume = volume_, .rest_volume = volume_, .weight = volume_};
}

template <int Dim>
std::vector<double> RigidBody<Dim>::field(std::string_view field, const Surroundings<Dim>&)
{
    if (field == "temperature") {
        std::vector<double> all;
        for (const std::uint32_t part : part_of_) all.push_back(temperature_at(part));
        return all;
    }
    const auto in_space_of = [](const Angles<Dim>& angles) {
        if constexpr (Dim == 2)
            return Vec<3>(0.0, 0.0, angles[0]);
        else
            return Vec<3>(angles);
    };
    std::vector<Vec<3>> values;
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        Vec<3> value = Vec<3>::Zero();
        if (field == "force")
            value.template head<Dim>() = load_of(solver_.forces(), n).force;
        else
            value = in_space_of(turning_of(n, field));
        values.push_back(value);
    }
    std::vector<double> all;
    for (const std::uint32_t part : part_of_)
        for (int k = 0; k < 3; ++k) all.push_back(values[part][k]);
    return all;
}

/// Angles of hinges go on beyond a turn, as far as the axis keeps its direction.
template <int Dim>
double RigidBody<Dim>::joint_turned(std::size_t j) const
{
    const RigidJoint<Dim>& joint = system_.joints[j];
    const double position = joint_position<Dim>(joint, system_.models, state_);
    if (joint.type != JointType::Hinge) return position;
    Angles<Dim> turned = state_.turned[joint.a];
    Mat<Dim> holder = Mat<Dim>::Identity();
    if (joint.b != RigidJoint<Dim>::world) {
        turned -= state_.turned[joint.b];
        holder = state_.rotation[joint.b];
    }
    double expected = turned[0];
    if constexpr (Dim == 3) expected = turned.dot(holder * joint.axis);
    const double turn = 2.0 * std::numbers::pi;
    return position + turn * std::round((expected - position) / turn);
}

template <int Dim>
double RigidBody<Dim>::temperature_at(std::size_t part) const
{
    return state_.enthalpy.empty() ? 0.0 : temperature_of(parts_[part].thermal, state_.enthalpy[part]);
}

template <int Dim>
bool RigidBody<Dim>::asks_for_heat() const
{
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const RigidPart<Dim>& part) { return part.temperature || part.air; });
}

template <int Dim>
void RigidBody<Dim>::begin_heat()
{
    state_.enthalpy.clear();
    for (const RigidPart<Dim>& part : parts_)
        state_.enthalpy.push_back(enthalpy_of(part.thermal, part.temperature.value_or(usual_temperature)));
}

/// The length over which heat flows is half of the volume over the surface, as if it flowed between the
/// middle of the body and its surface.
template <int Dim>
void RigidBody<Dim>::place_heat_surface()
{
    while (heat_points_.size() < parts_.size()) {
        const RigidPart<Dim>& part = parts_[heat_points_.size()];
        heat_points_.push_back(surface_points(part.model.shape, part.spacing));
    }
    heat_surface_ = {};
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        if (system_.is_there[n] == 0) continue;
        const Pose<Dim> pose = state_.pose_of(system_.models[n], n);
        const SurfacePoints<Dim>& points = heat_points_[n];
        double area = 0.0;
        for (const Vec<Dim>& piece : points.area) area += piece.norm();
        const double volume = parts_[n].model.mass.mass / parts_[n].model.material.density;
        for (std::size_t k = 0; k < points.size(); ++k) {
            heat_surface_.position.push_back(pose.apply(points.position[k]));
            heat_surface_.area.push_back(pose.rotation * points.area[k]);
            heat_surface_.part.push_back(static_cast<std::uint32_t>(n));
            heat_surface_.shares.push_back({static_cast<Index>(n), 1.0, 0.5 * volume / area});
            heat_surface_.first.push_back(heat_surface_.shares.size());
        }
    }
}

template <int Dim>
std::optional<HeatView<Dim>> RigidBody<Dim>::heat()
{
    if (state_.enthalpy.size() != parts_.size()) return {};
    place_heat_surface();
    part_mass_.clear();
    part_numbers_.resize(parts_.size());
    std::iota(part_numbers_.begin(), part_numbers_.end(), 0u);
    HeatView<Dim> view{.enthalpy = state_.enthalpy};
    for (const RigidPart<Dim>& part : parts_) {
        part_mass_.push_back(part.model.mass.mass);
        view.parts.push_back({.name = part.name,
                              .material = part.thermal,
                              .air = part.air,
                              .spacing = part.spacing,
                              .width = part.spacing});
    }
    view.mass = part_mass_;
    view.part = part_numbers_;
    view.position = state_.position;
    view.surface = &heat_surface_;
    return view;
}

/// A field that is about an axis.
template <int Dim>
Angles<Dim> RigidBody<Dim>::turning_of(std::size_t n, std::string_view field) const
{
    if (field == "rotation") return state_.turned[n];
    if (field == "angular_velocity") return angular_velocity(system_.models[n], state_, n);
    if (field == "angular_momentum") return state_.angular_momentum[n];
    return load_of(solver_.forces(), n).torque;
}

template <int Dim>
std::vector<double> RigidBody<Dim>::part_value(std::string_view part, std::string_view field,
                                               const Surroundings<Dim>&) const
{
    const std::optional<std::size_t> number = number_of(part);
    const auto is_known = [&](const FieldInfo& info) { return info.name == field; };
    if (!number || system_.is_there[*number] == 0 ||
        std::none_of(rigid_fields.begin(), rigid_fields.end(), is_known))
        return {};
    if (field == "temperature") return {temperature_at(*number)};
    if (field == "force") {
        const Vec<Dim> force = load_of(solver_.forces(), *number).force;
        return {force.begin(), force.end()};
    }
    const Angles<Dim> turning = turning_of(*number, field);
    return {turning.begin(), turning.end()};
}

template <int Dim>
std::vector<double> RigidBody<Dim>::joint_value(std::string_view joint, std::string_view field,
                                                const Surroundings<Dim>&) const
{
    for (std::size_t j = 0; j < system_.joints.size(); ++j) {
        if (system_.joints[j].name != joint || !system_.joins(system_.joints[j])) continue;
        if (field == "position") return {joint_turned(j)};
        const ObstacleLoad<Dim> load = load_of(solver_.joint_forces(), j);
        if (field == "force") return {load.force.begin(), load.force.end()};
        if (field == "torque") return {load.torque.begin(), load.torque.end()};
    }
    return {};
}

template <int Dim>
std::vector<PartPose<Dim>> RigidBody<Dim>::poses() const
{
    std::vector<PartPose<Dim>> poses;
    for (std::size_t n = 0; n < parts_.size(); ++n)
        poses.push_back({.name = parts_[n].name,
                         .center = state_.position[n],
                         .rotation = state_.rotation[n],
                         .is_there = system_.is_there[n] != 0});
    return poses;
}

template <int Dim>
std::optional<SurfaceMesh> RigidBody<Dim>::surface(std::size_t part, std::span<const BodyField> fields,
                                                   const Surroundings<Dim>&)
{
    if (part >= parts_.size() || system_.is_there[part] == 0 || parts_[part].mesh.vertices.empty()) return {};
    SurfaceMesh surface;
    if constexpr (Dim == 3) {
        const SurfaceMesh& mesh = parts_[part].mesh;
        const Pose<3> pose = state_.pose_of(system_.models[part], part);
        const RigidVelocity<3> velocity{state_.velocity[part],
                                        angular_velocity(system_.models[part], state_, part),
                                        state_.position[part]};
        surface.triangles = mesh.triangles;
        std::vector<std::uint64_t> ids(mesh.vertices.size());
        std::iota(ids.begin(), ids.end(), std::uint64_t(0));
        std::vector<Vec<3, float>> velocities;
        for (const Vec<3>& x : mesh.vertices) {
            surface.vertices.push_back(pose.apply(x));
            velocities.push_back(velocity.at(surface.vertices.back()).template cast<float>());
        }
        surface.fields.push_back(scalar_field<std::uint64_t>("id", ids));
        surface.fields.push_back(vector_field<3, float>("velocity", velocities));
        const auto first = std::find(part_of_.begin(), part_of_.end(), static_cast<std::uint32_t>(part));
        for (const BodyField& field : fields) {
            // The same everywhere in a body.
            const auto components = static_cast<std::size_t>(field.components);
            std::vector<float> values;
            for (std::size_t i = 0; i < mesh.vertices.size() && first != part_of_.end(); ++i)
                for (std::size_t k = 0; k < components; ++k)
                    values.push_back(static_cast<float>(
                        field.values[components * static_cast<std::size_t>(first - part_of_.begin()) + k]));
            surface.fields.push_back({field.name, field.components, std::move(values)});
        }
    }
    return surface;
}

template <int Dim>
void RigidBody<Dim>::show_boundary(double spacing, Boundary<Dim>& boundary,
                                   const Surroundings<Dim>& surroundings)
{
    if (boundary_spacing_ != spacing) boundary_ = {};
    boundary_spacing_ = spacing;
    while (boundary_.body_count() < system_.models.size())
        boundary_.add(system_.models[boundary_.body_count()],
                      {parts_[boundary_.body_count()].name, parts_[boundary_.body_count()].surface}, spacing);
    boundary_.place(system_, state_, surroundings, boundary);
}

template <int Dim>
void RigidBody<Dim>::take_impulses(std::span<const Vec<Dim>> impulses, double)
{
    boundary_.sum(impulses, impulses_);
}

template <int Dim>
std::vector<Form<Dim>> RigidBody<Dim>::forms(double dt, const Surroundings<Dim>& surroundings) const
{
    std::vector<Form<Dim>> forms;
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        const RigidModel<Dim>& model = system_.models[n];
        Form<Dim> form{.body = {.name = parts_[n].name, .shape = model.shape}};
        form.body.pose = state_.pose_of(model, n);
        form.body.surface.friction = model.material.friction;
        form.body.is_there = system_.is_there[n] != 0;
        form.body.velocity = {state_.velocity[n], angular_velocity(model, state_, n), state_.position[n]};
        if (form.body.is_there) form.response = response_of(system_, state_, n);
        // Its weight and the impulses of others so far move it, except in directions in which something holds
        // it.
        ObstacleLoad<Dim> load = impulses_[n];
        const ObstacleLoad<Dim> push = push_on(n, surroundings);
        load.force += dt * (model.mass.mass * surroundings.gravity_at(state_.position[n]) + push.force);
        load.torque += dt * push.torque;
        form.body.velocity = velocity_under(form, load, 1.0);
        forms.push_back(std::move(form));
    }
    return forms;
}

template <int Dim>
void RigidBody<Dim>::take_form_impulses(std::span<const ObstacleLoad<Dim>> impulses)
{
    const double share = system_.fault == Fault::HalvedFormReaction ? 0.5 : 1.0;
    for (std::size_t n = 0; n < impulses.size() && n < impulses_.size(); ++n) {
        impulses_[n].force += share * impulses[n].force;
        impulses_[n].torque += share * impulses[n].torque;
    }
}

template <int Dim>
BodyStepReport RigidBody<Dim>::step(double dt, const Surroundings<Dim>& surroundings)
{
    Stopwatch watch;
    if (!surroundings.ignored.empty()) system_.unfelt = unfelt_by<Dim>(parts(), surroundings);
    place_grips(dt, surroundings.time);
    for (std::size_t n = 0; n < parts_.size() && !surroundings.balls.empty(); ++n) {
        const ObstacleLoad<Dim> push = push_on(n, surroundings);
        impulses_[n].force += dt * push.force;
        impulses_[n].torque += dt * push.torque;
    }
    const RigidStepReport step = solver_.step(system_, state_, impulses_, dt, surroundings);
    impulses_.assign(parts_.size(), {});
    if (surroundings.domain.is_periodic()) bring_back(surroundings.domain.periodic_box());
    move_particles();
    BodyStepReport report{
        .statistics = {.largest_penetration = step.largest_penetration, .max_speed = step.max_speed}};
    report.times.add("rigid", watch.restart());
    std::optional<std::size_t> lost = step.lost;
    for (std::size_t n = 0; n < parts_.size() && !lost; ++n)
        if (system_.is_there[n] != 0 && state_.velocity[n].norm() > fastest * system_.models[n].radius / 1e-3)
            lost = n;
    if (lost)
        report.failure =
            Failure{.body = parts_[*lost].name,
                    .what = too_fast_text(state_.velocity[*lost].norm(), "a body of its size can"),
                    .cause = "bodies may have begun within each other, or a motion is too violent"};
    return report;
}

/// Of hands that push, over all of the body.
template <int Dim>
ObstacleLoad<Dim> RigidBody<Dim>::push_on(std::size_t n, const Surroundings<Dim>& surroundings) const
{
    ObstacleLoad<Dim> load;
    if (surroundings.balls.empty() || system_.is_there[n] == 0) return load;
    const auto first = std::find(part_of_.begin(), part_of_.end(), static_cast<std::uint32_t>(n));
    for (auto i = static_cast<std::size_t>(first - part_of_.begin()); i < part_of_.size() && part_of_[i] == n;
         ++i)
        for (const PushingBall<Dim>& ball : surroundings.balls) {
            const Vec<Dim> force = mass_[i] * ball.acceleration_at(positions_[i]);
            load.force += force;
            load.torque += moment(Vec<Dim>(positions_[i] - state_.position[n]), force);
        }
    return load;
}

template <int Dim>
void RigidBody<Dim>::set_hands(std::span<const Hand<Dim>> hands)
{
    const bool had_any = !hands_.empty();
    hands_.clear();
    for (const Hand<Dim>& hand : hands)
        if (hand.takes_hold() && number_of(hand.body)) hands_.push_back(hand);
    // What is held may have fallen asleep.
    if (had_any) wake();
}

/// A part and all that joints join it to.
template <int Dim>
std::vector<Index> RigidBody<Dim>::parts_held_with(std::size_t part) const
{
    std::vector<Index> reached = {static_cast<Index>(part)};
    for (std::size_t k = 0; k < reached.size(); ++k) {
        for (const RigidJoint<Dim>& joint : system_.joints) {
            if (joint.b == RigidJoint<Dim>::world || !system_.joins(joint)) continue;
            if (joint.a != reached[k] && joint.b != reached[k]) continue;
            const Index other = joint.a == reached[k] ? joint.b : joint.a;
            if (std::find(reached.begin(), reached.end(), other) == reached.end()) reached.push_back(other);
        }
    }
    return reached;
}

template <int Dim>
double RigidBody<Dim>::mass_held_with(std::size_t part) const
{
    double mass = 0.0;
    for (const Index other : parts_held_with(part)) mass += system_.models[other].mass.mass;
    return mass;
}

/// A body that has left through a periodic side comes back at the other side, with all bodies that are joined
/// to it. A body that the world or a hand holds goes on.
template <int Dim>
void RigidBody<Dim>::bring_back(const PeriodicBox<Dim>& periodic)
{
    std::vector<std::uint8_t> is_done(parts_.size(), 0);
    for (const RigidGrip<Dim>& grip : system_.grips)
        for (const Index part : parts_held_with(grip.body)) is_done[part] = 1;
    for (const RigidJoint<Dim>& joint : system_.joints)
        if (joint.b == RigidJoint<Dim>::world && system_.joins(joint))
            for (const Index part : parts_held_with(joint.a)) is_done[part] = 1;
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        if (is_done[n] != 0 || system_.is_there[n] == 0) continue;
        const std::vector<Index> together = parts_held_with(n);
        Vec<Dim> center = Vec<Dim>::Zero();
        double mass = 0.0;
        for (const Index part : together) {
            is_done[part] = 1;
            mass += system_.models[part].mass.mass;
            center += system_.models[part].mass.mass * state_.position[part];
        }
        const Vec<Dim> way = periodic.way_back(center / mass);
        if (way.isZero(0.0)) continue;
        for (const Index part : together) state_.position[part] += way;
    }
}

/// Hands take the place of the body that they name, or the nearest particle if this place is beside the body.
template <int Dim>
void RigidBody<Dim>::place_grips(double dt, double end)
{
    system_.grips.clear();
    std::vector<Held> held;
    for (const Hand<Dim>& hand : hands_) {
        const std::size_t n = *number_of(hand.body);
        if (system_.is_there[n] == 0) continue;
        Vec<Dim> at = hand.at;
        if (system_.models[n].shape.signed_distance(at) > 0.0)
            at = *std::min_element(parts_[n].particles.begin(), parts_[n].particles.end(),
                                   [&](const Vec<Dim>& x, const Vec<Dim>& y) {
                                       return (x - hand.at).squaredNorm() < (y - hand.at).squaredNorm();
                                   });
        const bool holds = hand.kind == HandKind::Hold;
        RigidGrip<Dim> grip{.body = static_cast<Index>(n), .at = at, .holds = holds};
        const Vec<Dim> before = hand.place(end - dt);
        grip.from = before;
        if (holds) {
            const auto known = std::find_if(held_.begin(), held_.end(), [&](const Held& other) {
                return other.hand == hand.name && other.body == hand.body;
            });
            grip.from = known != held_.end() ? known->place : state_.pose_of(system_.models[n], n).apply(at);
        }
        grip.to = grip.from + (hand.place(end) - before);
        if (holds) held.push_back({hand.name, hand.body, grip.to});
        const double mass = mass_held_with(n);
        const double frequency = 2.0 * std::numbers::pi * (holds ? hold_frequency : pull_frequency);
        const double ratio = holds ? 1.0 : pull_damping_ratio;
        grip.stiffness =
            hand.kind == HandKind::Pull && hand.stiffness ? *hand.stiffness : mass * frequency * frequency;
        grip.damping =
            system_.fault == Fault::UndampedHand ? 0.0 : 2.0 * ratio * std::sqrt(grip.stiffness * mass);
        if (holds) grip.strongest = mass * strongest_hold;
        system_.grips.push_back(grip);
    }
    held_ = std::move(held);
}

template <int Dim>
void RigidBody<Dim>::expect(std::any given)
{
    add(std::move(*std::any_cast<const std::shared_ptr<RigidPart<Dim>>&>(given)), false);
}

template <int Dim>
std::optional<std::string> RigidBody<Dim>::refusal_of(const std::any& given)
{
    const RigidModel<Dim>& model = std::any_cast<const std::shared_ptr<RigidPart<Dim>>&>(given)->model;
    for (std::size_t n = 0; n < parts_.size(); ++n) {
        if (system_.is_there[n] == 0) continue;
        const Pose<Dim> pose = state_.pose_of(system_.models[n], n);
        const double tolerance = 1e-6 * model.radius;
        const auto is_in = [&](const RigidModel<Dim>& points, const Pose<Dim>& from,
                               const Shape<Dim>& shape) {
            return std::any_of(
                points.points.places.begin(), points.points.places.end(), [&](const Vec<Dim>& x) {
                    return shape.signed_distance(from.apply(x)) < points.points.radius - tolerance;
                });
        };
        if (is_in(model, pose.inverse(), system_.models[n].shape) ||
            is_in(system_.models[n], pose, model.shape))
            return "there is no room for it: " + parts_[n].name + " is in the way";
    }
    return {};
}

template <int Dim>
void RigidBody<Dim>::join(std::string_view part, const Surroundings<Dim>&)
{
    const std::optional<std::size_t> number = number_of(part);
    if (!number || system_.is_there[*number] != 0) return;
    system_.is_there[*number] = 1;
    list_particles();
}

template <int Dim>
void RigidBody<Dim>::leave(std::string_view part)
{
    const std::optional<std::size_t> number = number_of(part);
    if (!number) return;
    system_.is_there[*number] = 0;
    wake(); // what rested on it, above all
    list_particles();
}

template <int Dim>
void RigidBody<Dim>::set_parameters(const std::any& given)
{
    const auto& parameters = std::any_cast<const RigidParameters<Dim>&>(given);
    for (const auto& [name, material] : parameters.materials)
        if (const std::optional<std::size_t> number = number_of(name)) {
            RigidMaterial& own = system_.models[*number].material;
            own.friction = material.friction;
            own.restitution = material.restitution;
        }
    for (const RigidHeat& heat : parameters.heat)
        if (const std::optional<std::size_t> number = number_of(heat.part)) {
            RigidPart<Dim>& part = parts_[*number];
            part.air = heat.air;
            if (part.thermal == heat.thermal) continue;
            if (!state_.enthalpy.empty())
                state_.enthalpy[*number] = enthalpy_of(heat.thermal, temperature_at(*number));
            part.thermal = heat.thermal;
        }
    for (RigidJoint<Dim>& joint : system_.joints) {
        for (const auto& [name, motor] : parameters.motors)
            if (name == joint.name) joint.motor = motor;
        const auto& removed = parameters.removed_joints;
        if (std::find(removed.begin(), removed.end(), joint.name) != removed.end()) joint.is_there = false;
    }
    wake();
}

template <int Dim>
void RigidBody<Dim>::wake()
{
    std::fill(state_.still_for.begin(), state_.still_for.end(), 0.0);
}

template <int Dim>
void RigidBody<Dim>::save(CheckpointWriter& checkpoint) const
{
    save_state(checkpoint, "rigid/", state_);
    if (!held_.empty()) {
        std::string names;
        std::vector<Vec<Dim>> places;
        for (const Held& held : held_) {
            names += held.hand + '\n' + held.body + '\n';
            places.push_back(held.place);
        }
        checkpoint.add_text("rigid/held_names", names);
        checkpoint.add("rigid/held_places", places);
    }
    if (!tracks_loads_) return;
    save_loads<Dim>(checkpoint, "load", solver_.loads());
    save_loads<Dim>(checkpoint, "body", solver_.forces());
    save_loads<Dim>(checkpoint, "joint", solver_.joint_forces());
}

template <int Dim>
void RigidBody<Dim>::load(const CheckpointReader& checkpoint)
{
    RigidState<Dim> state;
    const auto read = [&](const char* name, auto& values, std::optional<std::size_t> count) {
        using Item = typename std::remove_cvref_t<decltype(values)>::value_type;
        values = checkpoint.template section<Item>(std::string("rigid/") + name);
        if (count && values.size() != *count) throw InputError("the checkpoint is that of another scene");
        return values.size();
    };
    const std::size_t bodies = parts_.size();
    read("position", state.position, bodies);
    read("rotation", state.rotation, bodies);
    read("turned", state.turned, bodies);
    read("velocity", state.velocity, bodies);
    read("angular_momentum", state.angular_momentum, bodies);
    read("still_for", state.still_for, bodies);
    if (checkpoint.contains("rigid/enthalpy")) read("enthalpy", state.enthalpy, bodies);
    const std::size_t contacts = read("contact_key", state.contact_key, {});
    read("contact_normal", state.contact_normal, contacts);
    read("contact_arm", state.contact_arm, contacts);
    read("contact_impulse", state.contact_impulse, contacts);
    read("joint_impulse", state.joint_impulse, system_.joints.size());
    bool is_sound = is_finite(state);
    for (const Mat<Dim>& R : state.rotation)
        is_sound = is_sound && (R * R.transpose() - Mat<Dim>::Identity()).norm() < 1e-6;
    if (!is_sound) throw InputError("the checkpoint is damaged: a rigid body is nowhere");
    state_ = std::move(state);
    held_.clear();
    if (checkpoint.contains("rigid/held_places")) {
        std::istringstream names(checkpoint.text("rigid/held_names"));
        for (const Vec<Dim>& place : checkpoint.template section<Vec<Dim>>("rigid/held_places")) {
            Held& held = held_.emplace_back();
            held.place = place;
            if (!std::getline(names, held.hand) || !std::getline(names, held.body) || !place.allFinite())
                throw InputError("the checkpoint is damaged: nobody knows what is held");
        }
    }
    if (checkpoint.contains("rigid/load_force"))
        solver_.set_forces(saved_loads<Dim>(checkpoint, "load"), saved_loads<Dim>(checkpoint, "body"),
                           saved_loads<Dim>(checkpoint, "joint"));
    impulses_.assign(parts_.size(), {});
    list_particles();
}

template class RigidBody<2>;
template class RigidBody<3>;

} // namespace phyxel
