// SPDX-License-Identifier: MIT
// All rigid bodies of a world as one: they touch each other, so they are stepped together.
#pragma once

#include <phyxel/approx/thermal_material.h>
#include <phyxel/core/fault.h>
#include <phyxel/rigid/rigid_boundary.h>
#include <phyxel/rigid/rigid_solver.h>
#include <phyxel/world/body.h>

#include <any>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

/// A rigid body that the user named.
template <int Dim>
struct RigidPart {
    std::string name;
    RigidModel<Dim> model;
    std::vector<Vec<Dim>> particles = {};               ///< at rest, to show it and to measure it by [m]
    double spacing = 0.0;                               ///< of them [m]
    Vec<Dim> velocity = Vec<Dim>::Zero();               ///< of the centre of mass at the start [m/s]
    Angles<Dim> angular_velocity = Angles<Dim>::Zero(); ///< [rad/s]
    WallSurface<Dim> surface = {};                      ///< to fluids
    SurfaceMesh mesh = {};                              ///< what is drawn of it, at rest
    ThermalMaterial thermal = {};
    std::optional<double> temperature = {}; ///< at the start; 20 °C if not given [K]
    std::optional<Air> air = {};            ///< where it touches nothing
    double start = 0.0;                     ///< when it joins; only for those that are expected [s]
};

inline constexpr std::array rigid_fields = {
    FieldInfo{"rotation", 3, "rad", "axis times angle of the body since the start, beyond full turns"},
    FieldInfo{"angular_velocity", 3, "rad/s", "of the body"},
    FieldInfo{"angular_momentum", 3, "kg m²/s", "of the body about its centre of mass"},
    FieldInfo{"force", 3, "N", "of all contacts, joints, hands and other bodies on the body"},
    FieldInfo{"torque", 3, "N m", "of the same about its centre of mass"},
    FieldInfo{"temperature", 1, "K", "where heat flows; 0 elsewhere"},
};

/// The same of a body as a whole: what is about an axis is a number in the plane.
template <int Dim>
constexpr auto rigid_part_fields()
{
    auto fields = rigid_fields;
    for (FieldInfo& field : fields)
        if (field.components == 3) field.components = Dim == 3 ? 3 : field.name == "force" ? 2 : 1;
    return fields;
}

template <int Dim>
inline constexpr std::array joint_fields = {
    FieldInfo{"position", 1, "rad or m", "angle of a hinge or way of a slider since the start"},
    FieldInfo{"force", Dim, "N", "of the joint on its first body"},
    FieldInfo{"torque", Dim == 2 ? 1 : 3, "N m", "of the joint on its first body, about where the joint is"},
};

struct RigidHeat {
    std::string part;
    ThermalMaterial thermal = {};
    std::optional<Air> air = {};
};

/// What events may change of rigid bodies.
template <int Dim>
struct RigidParameters {
    std::vector<std::pair<std::string, RigidMaterial>> materials = {};          ///< of parts
    std::vector<RigidHeat> heat = {};                                           ///< of parts
    std::vector<std::pair<std::string, std::optional<JointMotor>>> motors = {}; ///< of joints
    std::vector<std::string> removed_joints = {};
};

/// Its particles move as one body. They are weighted so that their sums are exactly the mass, the momentum,
/// the energy and the angular momentum of the body, if there are enough of them for that.
template <int Dim>
class RigidBody final : public Body<Dim> {
public:
    /// Those that come later stand behind those that are there. Joints name parts by their numbers.
    RigidBody(std::vector<RigidPart<Dim>> parts, std::size_t present, std::vector<RigidJoint<Dim>> joints,
              std::uint64_t first_id, Fault fault = Fault::None);

    std::vector<std::string> parts() const override;
    ParticleView<Dim> particles() const override;
    ParticleAmounts amounts(const Surroundings<Dim>& surroundings) override;
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) override;
    double stable_time_step() const override { return RigidSolver<Dim>::longest_step; }
    std::span<const FieldInfo> fields() const override { return rigid_fields; }
    std::vector<double> field(std::string_view field, const Surroundings<Dim>& surroundings) override;
    std::optional<SurfaceMesh> surface(std::size_t part, std::span<const BodyField> fields,
                                       const Surroundings<Dim>& surroundings) override;
    std::span<const ObstacleLoad<Dim>> loads() const override { return solver_.loads(); }
    void show_boundary(double spacing, Boundary<Dim>& boundary,
                       const Surroundings<Dim>& surroundings) override;
    void take_impulses(std::span<const Vec<Dim>> impulses, double dt) override;
    std::vector<Form<Dim>> forms(double dt, const Surroundings<Dim>& surroundings) const override;
    void take_form_impulses(std::span<const ObstacleLoad<Dim>> impulses) override;
    void track_loads(bool on) override { tracks_loads_ = on; }
    std::vector<PartPose<Dim>> poses() const override;
    std::vector<double> part_value(std::string_view part, std::string_view field,
                                   const Surroundings<Dim>& surroundings) const override;
    std::vector<double> joint_value(std::string_view joint, std::string_view field,
                                    const Surroundings<Dim>& surroundings) const override;
    void set_hands(std::span<const Hand<Dim>> hands) override;
    void expect(std::any part) override;
    std::optional<std::string> refusal_of(const std::any& part) override;
    void join(std::string_view part, const Surroundings<Dim>& surroundings) override;
    void leave(std::string_view part) override;
    void wake() override;
    void set_parameters(const std::any& parameters) override;
    bool asks_for_heat() const override;
    void begin_heat() override;
    std::optional<HeatView<Dim>> heat() override;
    void save(CheckpointWriter& checkpoint) const override;
    void load(const CheckpointReader& checkpoint) override;

    const RigidSystem<Dim>& system() const { return system_; }
    const RigidState<Dim>& state() const { return state_; }

private:
    void add(RigidPart<Dim> part, bool is_there);
    void list_particles();
    void move_particles();
    std::vector<Index> parts_held_with(std::size_t part) const;
    void bring_back(const PeriodicBox<Dim>& periodic);
    std::optional<std::size_t> number_of(std::string_view part) const;
    Angles<Dim> turning_of(std::size_t part, std::string_view field) const;
    double temperature_at(std::size_t part) const;
    double joint_turned(std::size_t joint) const;
    void place_grips(double dt, double end);
    double mass_held_with(std::size_t part) const;
    ObstacleLoad<Dim> push_on(std::size_t part, const Surroundings<Dim>& surroundings) const;

    std::vector<RigidPart<Dim>> parts_; ///< in the order in which they were given
    RigidSystem<Dim> system_;
    RigidSolver<Dim> solver_;
    RigidState<Dim> state_;
    RigidBoundary<Dim> boundary_;
    double boundary_spacing_ = 0.0;           ///< that it was made for [m]
    std::vector<ObstacleLoad<Dim>> impulses_; ///< of the others, for the next step
    std::vector<Hand<Dim>> hands_;            ///< that take hold of parts
    /// What a hand holds goes along with it from where it was when the hand took it.
    struct Held {
        std::string hand, body;
        Vec<Dim> place = Vec<Dim>::Zero(); ///< where the point that is held should be [m]
    };
    std::vector<Held> held_; ///< state
    bool tracks_loads_ = false;
    // Of heat: one node for each part.
    void place_heat_surface();
    std::vector<SurfacePoints<Dim>> heat_points_; ///< of the parts at rest, once heat flows
    HeatSurface<Dim> heat_surface_;               ///< of those that are there
    std::vector<double> part_mass_;
    std::vector<std::uint32_t> part_numbers_;
    std::vector<std::vector<double>> weights_; ///< of the particles of each part, [kg]
    std::vector<std::uint64_t> first_ids_;     ///< of the particles of each part
    std::uint64_t next_id_ = 0;

    // The particles of those that are there, as they are now.
    std::vector<Vec<Dim>> rest_, positions_, velocities_;
    std::vector<std::uint64_t> ids_;
    std::vector<std::uint32_t> part_of_;
    std::vector<double> reach_, mass_, volume_;
};

extern template class RigidBody<2>;
extern template class RigidBody<3>;

} // namespace phyxel
