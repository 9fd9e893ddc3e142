// SPDX-License-Identifier: MIT
// All fluids of a world as one body: they meet each other, so they are stepped together.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/fluid/emitter.h>
#include <phyxel/fluid/fluid_solver.h>
#include <phyxel/geometry/enclosed_room.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/world/body.h>

#include <any>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

/// A fluid that the user named.
template <int Dim>
struct FluidPart {
    std::string name;
    std::vector<Vec<Dim>> positions;  ///< at the start [m]
    std::vector<Vec<Dim>> velocities; ///< at the start [m/s]
    double spacing = 0.01;            ///< of its particles [m]
    double viscosity = 0.0;           ///< μ, dynamic [Pa s]
    double start = 0.0;               ///< when it joins; only for those that are expected [s]
};

inline constexpr std::array fluid_fields = {
    FieldInfo{"density", 1, "kg/m³", "mass by volume"},
    FieldInfo{"pressure", 1, "Pa", "that keeps the fluid from being compressed"},
};

/// A region that swallows fluid.
template <int Dim>
struct Outflow {
    std::string name;
    Shape<Dim> shape;
};

/// Where fluid comes from and goes to.
template <int Dim>
struct FluidFlows {
    std::vector<EmitterOptions<Dim>> emitters = {};
    std::vector<Outflow<Dim>> outflows = {};
    std::vector<Emitter<Dim>> made = {}; ///< the emitters, where somebody has made them already
};

/// What events may change of the fluids of a world.
template <int Dim>
struct FluidParameters {
    std::optional<FluidOptions> options = {};
    std::vector<std::pair<std::string, double>> viscosities = {};   ///< of parts, μ [Pa s]
    std::shared_ptr<const std::vector<Emitter<Dim>>> emitters = {}; ///< as they were if there are none
};

/// The fluids of a world have one density and one solver; the size of their particles and their viscosities
/// may differ. Ids are given in the order of the parts, then as emitters make particles.
template <int Dim>
class FluidBody final : public Body<Dim> {
public:
    /// `max_speed` of the options must be set; see expected_speed. `first_id` is that of the first particle.
    /// Faults are for verification.
    FluidBody(double rest_density, const FluidOptions& options, std::vector<FluidPart<Dim>> parts,
              FluidFlows<Dim> flows = {}, std::uint64_t first_id = 0, Fault fault = Fault::None);

    /// What events may do. Not the kind of solver and the support can be changed.
    void set_options(const FluidOptions& options);
    void set_viscosity(std::string_view part, double viscosity);
    /// Emitters that are there already go on, others begin anew and those that are not among these end.
    void set_emitters(std::span<const Emitter<Dim>> emitters);

    const FluidState<Dim>& state() const { return state_; }
    const FluidSolver<Dim>& solver() const { return solver_; }
    const FluidModel& model() const { return model_; }
    const std::vector<Emitter<Dim>>& emitters() const { return emitters_; }

    std::vector<std::string> parts() const override;
    ParticleView<Dim> particles() const override;
    ParticleAmounts amounts(const Surroundings<Dim>& surroundings) override;
    double stable_time_step() const override;
    std::string limiting_part() const override;
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) override;
    std::span<const FieldInfo> fields() const override { return fluid_fields; }
    std::vector<double> field(std::string_view field, const Surroundings<Dim>& surroundings) override;
    void track_loads(bool on) override;
    std::span<const ObstacleLoad<Dim>> loads() const override { return walls().loads(); }
    /// As far apart as the ghosts of obstacles are.
    double boundary_spacing() const override
    {
        return GhostWall<Dim>::ghost_spacing_ratio * model_.smallest_spacing();
    }
    std::span<const std::vector<Vec<Dim>>> boundary_impulses() const override { return walls().impulses(); }
    /// A FluidPart.
    void expect(std::any part) override;
    std::optional<std::string> refusal_of(const std::any& part) override;
    /// But for particles that have no room.
    void join(std::string_view part, const Surroundings<Dim>& surroundings) override;
    /// What is inside the newcomer is taken away.
    std::size_t make_room(std::string_view newcomer, const Surroundings<Dim>& surroundings) override;
    void leave(std::string_view part) override;
    /// FluidParameters.
    void set_parameters(const std::any& parameters) override;
    void save(CheckpointWriter& checkpoint) const override;
    void load(const CheckpointReader& checkpoint) override;

private:
    /// Density and pressure of the present state, computed once for all who ask between two steps.
    void evaluate(const Surroundings<Dim>& surroundings);

    void move_held(double time);
    std::size_t emit(const Surroundings<Dim>& surroundings);
    /// Only fluid that a part feels is in its way.
    void leave_out_where_fluid_is(std::vector<Vec<Dim>>& places, double room, const Unfelt& unfelt = {});
    /// Nor does a part come where a body is that it feels.
    void leave_out_where_bodies_are(std::vector<Vec<Dim>>& places, std::uint32_t part,
                                    const Surroundings<Dim>& surroundings) const;
    EnclosedRoom<Dim> room_of_others(std::uint32_t part, const Surroundings<Dim>& surroundings,
                                     std::string_view name = {}) const;
    void find_unfelt(const Surroundings<Dim>& surroundings);
    void append(std::span<const Vec<Dim>> places, std::uint32_t part);
    std::size_t remove_at_outflows();

    FluidWalls<Dim>& walls();
    const FluidWalls<Dim>& walls() const;
    const FluidPartModel& part_of(std::size_t i) const { return model_.parts[state_.part[i]]; }

    FluidOptions options_;
    FluidModel model_;
    std::vector<std::string> names_;
    std::vector<FluidPart<Dim>> expected_; ///< in the order in which they join
    bool tracks_loads_ = false;
    std::vector<Emitter<Dim>> emitters_;
    std::vector<Outflow<Dim>> outflows_;
    FluidSolver<Dim> solver_;

    // State.
    FluidState<Dim> state_;
    std::vector<double> emitted_until_; ///< how far the lattice of each emitter had moved [m]
    std::uint64_t next_id_ = 0;

    std::vector<Unfelt> unfelt_; ///< by the parts; empty if they feel everything
    std::vector<double> reach_;  ///< of the parts [m]
    std::vector<double> density_, pressure_;
    std::vector<double> mass_, volume_, rest_volume_, weight_, internal_energy_;
    bool is_evaluated_ = false;
    std::vector<Vec<Dim>> new_places_, near_places_;
};

extern template class FluidBody<2>;
extern template class FluidBody<3>;

} // namespace phyxel
