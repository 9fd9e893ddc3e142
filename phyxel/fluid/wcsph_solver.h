// SPDX-License-Identifier: MIT
// Weakly compressible SPH: the tutorial's Algorithm 5 with its misprints mended [AW09, Sec. 6].
#pragma once

#include <phyxel/fluid/equation_of_state.h>
#include <phyxel/fluid/sph_solver.h>

#include <optional>
#include <string_view>
#include <vector>

namespace phyxel {

struct WcsphOptions {
    double compressibility = 0.01;      ///< η, largest relative change of density that is meant to happen
    double exponent = 7.0;              ///< γ of Tait's equation
    double negative_pressure = 0.0;     ///< ζ, share of negative pressure that is kept
    double artificial_viscosity = 0.02; ///< α, damps the noise of colliding particles [Mon92]
    double velocity_smoothing = 0.0;    ///< ξ of XSPH
    /// K, how far particles give way to others in a step; if not given 0.4 in a fluid without end, else 0.
    std::optional<double> particle_shifting = {};
    double support_ratio = 2.6;  ///< support radius over spacing
    double courant_number = 0.2; ///< share of the support that sound may cross in a step
    double max_speed = 0.0;      ///< [m/s] fastest motion to expect; sets the stiffness

    bool operator==(const WcsphOptions&) const = default;
};

template <int Dim>
class WcsphSolver : public SphSolver<Dim> {
public:
    /// Throws InputError for options that make no fluid.
    WcsphSolver(const FluidModel& model, const WcsphOptions& options);

    /// Largest step that keeps sound, forces and viscosity within their limits [s].
    double stable_time_step(const FluidState<Dim>& fluid) const;

    /// Advances the fluid by `dt` [s].
    FluidStepReport step(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);

    /// Density [kg/m³] and pressure [Pa] of the fluid as it is now, walls included. Sorts the particles,
    /// which the next step would do in the same way.
    void evaluate(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings, std::vector<double>& density,
                  std::vector<double>& pressure);

    /// Of compression [J/kg].
    double internal_energy(double density) const { return tait_.energy(density); }

    /// Faster than this the fluid has gone astray [m/s].
    double speed_limit() const;
    static constexpr std::string_view speed_limit_text = "5 times the speed of sound";

    const TaitEquation& equation_of_state() const { return tait_; }

    /// May change between steps; the support radius must stay.
    void set_options(const WcsphOptions& options);

private:
    using SphSolver<Dim>::model_, SphSolver<Dim>::walls_, SphSolver<Dim>::near_, SphSolver<Dim>::rho_,
        SphSolver<Dim>::a_, SphSolver<Dim>::partial_, SphSolver<Dim>::rest_density;

    void compute_pressure();
    void compute_forces();
    void add_viscosity();
    double advance_velocity(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    void rub_at_walls(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    void advance_position(FluidState<Dim>& fluid, double dt);
    void shift_particles(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    void add_wall_loads(const FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    Vec<Dim> push_of(Index i, const WallShare<Dim, float>& wall);
    bool is_smoothed() const { return options_.velocity_smoothing != 0.0; }
    ShockDamping damping() const { return {options_.artificial_viscosity, tait_.sound_speed()}; }

    WcsphOptions options_;
    TaitEquation tait_;

    // Workspace, in sorted order.
    std::vector<Vec<Dim>> first_velocity_; ///< that a step with such a fault began with
    std::vector<Vec<Dim, float>> viscous_a_, smoothing_;
    std::vector<Quad<float>> shift_;
};

extern template class WcsphSolver<2>;
extern template class WcsphSolver<3>;

} // namespace phyxel
