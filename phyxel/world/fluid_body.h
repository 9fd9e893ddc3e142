// SPDX-License-Identifier: MIT
// All fluids of a world as one body: they meet each other, so they are stepped together.
#pragma once

#include <phyxel/fluid/emitter.h>
#include <phyxel/fluid/fluid_solver.h>
#include <phyxel/world/body.h>

#include <string>
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

/// Fields that frames of a fluid can have beside id and velocity.
inline constexpr std::array<std::string_view, 2> fluid_fields = {"density", "pressure"};

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
};

/// The fluids of a world have one density and one solver; the size of their particles and their viscosities
/// may differ. Ids are given in the order of the parts, then as emitters make particles.
template <int Dim>
class FluidBody final : public Body<Dim> {
public:
    /// `max_speed` of the options must be set; see expected_speed.
    FluidBody(double rest_density, const FluidOptions& options, std::vector<FluidPart<Dim>> parts,
              FluidFlows<Dim> flows = {});

    /// A part that is not there yet; it has no particles until it joins.
    void expect(FluidPart<Dim> part);

    /// How many of its particles would have room now.
    std::size_t room_for(const FluidPart<Dim>& part);

    /// What events may do. Not the kind of solver and the support can be changed.
    void set_options(const FluidOptions& options);
    void set_viscosity(std::string_view part, double viscosity);
    /// An expected part is there from now on, but for particles that have no room. Does nothing if it is
    /// there.
    void join(std::string_view part);
    /// Emitters that are there already go on, others begin anew and those that are not among these end.
    void set_emitters(std::span<const Emitter<Dim>> emitters);

    const FluidState<Dim>& state() const { return state_; }
    const FluidSolver<Dim>& solver() const { return solver_; }
    const FluidModel& model() const { return model_; }
    const std::vector<Emitter<Dim>>& emitters() const { return emitters_; }

    std::vector<std::string> parts() const override;
    std::size_t particle_count() const override { return state_.size(); }
    double stable_time_step() const override;
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) override;
    std::vector<Snapshot> snapshots(std::span<const std::string> fields,
                                    const Surroundings<Dim>& surroundings) override;
    std::vector<BodyTotals<Dim>> totals(const Surroundings<Dim>& surroundings) override;
    void set_hands(std::span<const Hand<Dim>>) override {} // nothing of a fluid can be taken
    void track_loads(bool on) override;
    std::span<const ObstacleLoad<Dim>> loads() const override { return walls().loads(); }
    std::vector<double> sample(std::string_view field, std::span<const Vec<Dim>> places,
                               std::optional<std::string_view> part,
                               const Surroundings<Dim>& surroundings) override;
    double flow(const Vec<Dim>& point, const Vec<Dim>& normal,
                const Surroundings<Dim>& surroundings) const override;
    std::optional<std::uint64_t> nearest(std::string_view part, const Vec<Dim>& place) const override;
    std::optional<std::vector<double>> value(std::string_view field, std::uint64_t particle,
                                             const Surroundings<Dim>& surroundings) override;
    std::optional<ParticleCloseUp<Dim>> close_up(std::uint64_t particle,
                                                 const Surroundings<Dim>& surroundings) const override;
    void save(CheckpointWriter& checkpoint) const override;
    void load(const CheckpointReader& checkpoint) override;

private:
    /// Density and pressure of the present state, computed once for all who ask between two steps.
    void evaluate(const Surroundings<Dim>& surroundings);

    void move_held(double time);
    std::size_t emit(double time);
    void leave_out_where_fluid_is(std::vector<Vec<Dim>>& places, double room);
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

    std::vector<double> density_, pressure_;
    bool is_evaluated_ = false;
    std::vector<Vec<Dim>> new_places_, near_places_;
};

/// The fastest motion to expect of a fluid that gravity pulls: √(2 g H) with the height H that it can fall
/// through, and how fast it, or an obstacle, moves at first. At least 0.1 m/s.
template <int Dim>
double expected_speed(const Box<Dim>& fluid_bounds, const Domain<Dim>& domain,
                      const Box<Dim>& obstacle_bounds, const Vec<Dim>& gravity, double initial_speed);

extern template class FluidBody<2>;
extern template class FluidBody<3>;

} // namespace phyxel
