// SPDX-License-Identifier: MIT
// What the solvers of fluids have in common: how a step begins and ends, and what both need in between.
#pragma once

#include <phyxel/fluid/fluid_neighborhood.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/fluid/fluid_step_report.h>
#include <phyxel/fluid/fluid_walls.h>

#include <vector>

namespace phyxel {

template <int Dim>
class SphSolver {
public:
    FluidWalls<Dim>& walls() { return walls_; }
    const FluidWalls<Dim>& walls() const { return walls_; }

    /// May change between steps.
    void set_viscosity(std::size_t part, double viscosity) { model_.parts[part].viscosity = viscosity; }

protected:
    /// Steps let nothing come nearer to a wall than `nearest` times its spacing.
    SphSolver(const FluidModel& model, WallSlope slope, double nearest);

    /// A step: sorts the particles, finds their neighbours and walls, lets move(report, watch) find their
    /// density, velocities and places, and keeps them out of walls and inside of open sides. `watch` tells
    /// how long stages of `move` take.
    template <class Move>
    FluidStepReport run_step(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings,
                             Move&& move);

    /// Sorts the particles and finds rho_, walls included.
    void find_density(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    /// The same of particles that are sorted, and whose walls are found.
    void sum_density();

    /// What other bodies feel of an acceleration that walls give: acceleration(i, share), as add_impulses has
    /// it.
    template <class Acceleration>
    void push_back(const FluidState<Dim>& fluid, double dt, const Acceleration& acceleration)
    {
        if (!walls_.touches().empty()) walls_.add_impulses(model_, fluid, dt, acceleration);
    }

    /// What walls feel of the drag of those that hold the fluid, which the viscous accelerations have.
    void drag_back(const FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);

    /// Longest step with which viscosity stays within its limits [s].
    double viscous_time_step() const;
    float rest_density() const { return static_cast<float>(model_.rest_density); }

    FluidModel model_;
    FluidWalls<Dim> walls_;

    // Workspace, in sorted order.
    FluidNeighborhood<Dim> near_;
    std::vector<float> rho_;
    std::vector<Vec<Dim, float>> a_;
    std::vector<double> partial_;

private:
    void begin_step(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings, StageTimes& times,
                    Stopwatch& watch);
    void find_walls(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    void end_step(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings,
                  FluidStepReport& report);

    double nearest_to_walls_;
    std::vector<Vec<Dim>> before_; ///< places at the start of the step
    std::vector<FluidBlockSummary> summaries_;
};

template <int Dim>
template <class Move>
FluidStepReport SphSolver<Dim>::run_step(FluidState<Dim>& fluid, double dt,
                                         const Surroundings<Dim>& surroundings, Move&& move)
{
    FluidStepReport report;
    Stopwatch watch;
    begin_step(fluid, surroundings, report.times, watch);
    move(report, watch);
    end_step(fluid, dt, surroundings, report);
    report.times.add("walls", watch.restart());
    return report;
}

extern template class SphSolver<2>;
extern template class SphSolver<3>;

} // namespace phyxel
