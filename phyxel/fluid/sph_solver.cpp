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
    find_walls(fluid, surroundings);
}

/// Fluids on the two sides of a thin body do not feel each other, nor do those that ignore each other.
template <int Dim>
void SphSolver<Dim>::find_walls(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    walls_.find(fluid, model_, surroundings);
    if (walls_.touches().empty() && !walls_.has_strangers()) return;
    near_.leave_out([&](Index i) { return walls_.is_touching(i) || walls_.has_strangers(fluid.part[i]); },
                    [&](Index i, Index j) {
                        return walls_.are_strangers(fluid.part[i], fluid.part[j]) ||
                               walls_.are_apart(fluid, i, j);
                    });
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
    find_walls(fluid, surroundings);
    sum_density();
}

template <int Dim>
void SphSolver<Dim>::sum_density()
{
    rho_.resize(near_.size());
    compute_density<Dim, float>(near_.pairs(), walls_.shares(), rest_density(), rho_);
}

template <int Dim>
void SphSolver<Dim>::drag_back(const FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings)
{
    if (model_.largest_viscosity() == 0.0) return;
    const auto drag = [&](Index i, const WallShare<Dim, float>& wall) {
        const Quad<float>& v_i = near_.velocity()[i]; // and density
        Vec<Dim> relative = wall.velocity.template cast<double>();
        for (int k = 0; k < Dim; ++k) relative[k] -= static_cast<double>(v_i.v[k]);
        return Vec<Dim>(static_cast<double>(near_.viscosity()[i] * wall.drag / v_i.last()) * relative);
    };
    walls_.add_loads(fluid, model_, surroundings, drag);
    push_back(fluid, dt, drag);
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
