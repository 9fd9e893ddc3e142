// SPDX-License-Identifier: MIT
// Weakly compressible SPH: the tutorial's Algorithm 5 with its misprints mended [AW09, Sec. 6].
#pragma once

#include <phyxel/core/timer.h>
#include <phyxel/fluid/equation_of_state.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/fluid/wall_kernel.h>
#include <phyxel/fluid/wcsph_stages.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/search/neighbor_search.h>

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace phyxel {

struct WcsphOptions {
    double compressibility = 0.01;      ///< η, largest relative change of density that is meant to happen
    double exponent = 7.0;              ///< γ of Tait's equation
    double negative_pressure = 0.0;     ///< ζ, share of negative pressure that is kept
    double artificial_viscosity = 0.02; ///< α, damps the noise of colliding particles [Mon92]
    double velocity_smoothing = 0.05;   ///< ξ of XSPH
    double support_ratio = 2.6;         ///< support radius over spacing
    double courant_number = 0.2;        ///< share of the support that sound may cross in a step
    double max_speed = 0.0;             ///< [m/s] fastest motion to expect; sets the stiffness

    bool operator==(const WcsphOptions&) const = default;
};

/// Who a particle is, wherever sorting and removal put it.
struct FluidParticle {
    std::uint64_t id;
    std::uint32_t part;
};

struct [[nodiscard]] FluidStepReport {
    double max_speed = 0.0;                    ///< before walls stop particles [m/s]
    double mean_compression = 0.0;             ///< mean of max(0, ρ/ρ₀ − 1), before the step
    double largest_compression = 0.0;          ///< largest ρ/ρ₀ − 1, before the step
    std::size_t removed = 0;                   ///< particles that left through an open side
    std::optional<FluidParticle> lost = {};    ///< its position or velocity is no longer finite
    std::optional<FluidParticle> fastest = {}; ///< it has the largest speed
    StageTimes times = {};
};

/// Mass of a particle such that an infinite lattice of `spacing` has exactly the rest density. ρ₀ a^Dim would
/// be off by up to a few parts in a thousand.
template <int Dim>
double lattice_particle_mass(double rest_density, double spacing, double support_radius);

template <int Dim>
class WcsphSolver {
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

    /// Whether steps find out what they do to obstacles; costs a second look at the walls.
    void track_loads(bool on) { tracks_loads_ = on; }

    /// Of the last step, if they are tracked.
    const std::vector<ObstacleLoad<Dim>>& loads() const { return loads_; }

    const TaitEquation& equation_of_state() const { return tait_; }
    const WallKernel<Dim>& wall_kernel() const { return wall_kernel_; }

    /// The two may change between steps; the support radius must stay.
    void set_options(const WcsphOptions& options);
    void set_viscosity(std::size_t part, double viscosity) { model_.viscosity[part] = viscosity; }

private:
    void prepare(const Surroundings<Dim>& surroundings);
    void sort_and_find_neighbors(FluidState<Dim>& fluid);
    void find_walls(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    void compute_pressure();
    double advance_velocity(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    void smooth_velocity(FluidState<Dim>& fluid);
    void advance_position(FluidState<Dim>& fluid, double dt);
    void keep_out_of_walls(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    std::size_t remove_outside(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    void add_wall_loads(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    void describe(const FluidState<Dim>& fluid, FluidStepReport& report);

    using Share = WallShare<Dim, float>;
    double push_slope(double distance) const;
    Share wall_share(const Vec<Dim>& x, const Surroundings<Dim>& surroundings) const;
    WcsphConstants<Dim, float> constants() const;
    std::array<const float*, Dim> velocity_arrays() const;

    FluidModel model_;
    WcsphOptions options_;
    TaitEquation tait_;
    WallKernel<Dim> wall_kernel_;

    // Workspace, in sorted order; the hot stages read float copies relative to a local origin.
    std::unique_ptr<NeighborSearch<Dim, float>> search_;
    PeriodicBox<Dim, double> box_;
    PairGeometry<Dim, float> pairs_;
    std::array<std::vector<float>, Dim> v_;
    std::vector<Vec<Dim, float>> a_;
    std::vector<float> rho_, pressure_over_rho2_, mu_;
    std::vector<Share> wall_;
    FluidState<Dim> sorted_;
    std::vector<double> partial_;
    bool tracks_loads_ = false;
    std::vector<ObstacleLoad<Dim>> loads_;
};

extern template class WcsphSolver<2>;
extern template class WcsphSolver<3>;

} // namespace phyxel
