// SPDX-License-Identifier: MIT
#include <phyxel/fluid/sph_solver.h>

#include <limits>

namespace phyxel {

template <int Dim>
SphSolver<Dim>::SphSolver(const FluidModel& model, WallSlope slope, double nearest)
    : model_(model),
      walls_(model, slope),
      nearest_to_walls_(nearest)
{
}

template <int Dim>
void SphSolver<Dim>::begin_step(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings,
                                StageTimes& times, Stopwatch& watch)
{
    walls_.clear_loads(surroundings);
    near_.update(fluid, model_, surroundings.domain);
    before_ = fluid.position;
    times.add("neighbors", watch.restart());
    walls_.find(fluid, model_, surroundings);
}

template <int Dim>
void SphSolver<Dim>::end_step(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings,
                              FluidStepReport& report)
{
    // Before the walls stop them: they would hide that particles were thrown through the whole tank.
    describe<Dim>(fluid, rho_, model_.rest_density, summaries_, report);
    if (report.lost) return;
    walls_.keep_out(fluid, model_, nearest_to_walls_, dt, before_, surroundings);
    report.removed = remove_outside(fluid, surroundings.domain);
}

template <int Dim>
void SphSolver<Dim>::find_density(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    near_.update(fluid, model_, surroundings.domain);
    walls_.find(fluid, model_, surroundings);
    sum_density();
}

template <int Dim>
void SphSolver<Dim>::sum_density()
{
    rho_.resize(near_.size());
    compute_density<Dim, float>(near_.pairs(), walls_.shares(), rest_density(), rho_);
}

template <int Dim>
void SphSolver<Dim>::add_drag_loads(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    if (!walls_.tracks_loads() || model_.largest_viscosity() == 0.0) return;
    walls_.add_loads(fluid, model_, surroundings, [&](Index i, const WallShare<Dim, float>& wall) {
        const Quad<float>& v = near_.velocity()[i];
        Vec<Dim> a;
        for (int k = 0; k < Dim; ++k)
            a[k] = static_cast<double>(near_.viscosity()[i] / v.last() * wall.drag *
                                       (wall.velocity[k] - v.v[k]));
        return a;
    });
}

template <int Dim>
double SphSolver<Dim>::viscous_time_step() const
{
    const double mu = model_.largest_viscosity();
    const double h = model_.smallest_support_radius();
    return mu > 0.0 ? viscous_step_share * h * h * model_.rest_density / mu
                    : std::numeric_limits<double>::infinity();
}

template class SphSolver<2>;
template class SphSolver<3>;

} // namespace phyxel
