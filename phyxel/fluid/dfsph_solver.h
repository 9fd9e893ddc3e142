// SPDX-License-Identifier: MIT
// Divergence-free SPH: pressures that keep the density constant and the velocity free of divergence [BK17].
#pragma once

#include <phyxel/fluid/sph_solver.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace phyxel {

struct DfsphOptions {
    double density_tolerance = 5e-4; ///< mean compression that a step may leave, relative to ρ₀
    double divergence_tolerance =
        1e-3;                 ///< mean compression in a step that the velocity may have, relative to ρ₀
    int max_iterations = 100; ///< of each of the two solves
    double velocity_smoothing = 0.2; ///< ξ of compute_noise_smoothing()
    double support_ratio = 2.0;      ///< support radius over spacing
    double courant_number = 0.4;     ///< share of the spacing that a particle may move in a step
    double max_speed = 0.0;          ///< [m/s] fastest motion to expect; far above it the run is given up

    bool operator==(const DfsphOptions&) const = default;
};

/// What an iteration finds out over all particles.
struct JacobiSums {
    double error = 0.0;  ///< of the density, or of its rate
    double uphill = 0.0; ///< positive where the step goes against the last one
    double want = 0.0;   ///< of more of the pressure that there is: the slope of the energy along it
    double fall = 0.0;   ///< how much of that each multiple of the pressure takes away

    JacobiSums& operator+=(const JacobiSums& other)
    {
        error += other.error;
        uphill += other.uphill;
        want += other.want;
        fall += other.fall;
        return *this;
    }
};

template <int Dim>
class DfsphSolver : public SphSolver<Dim> {
public:
    /// Throws InputError for options that make no fluid.
    DfsphSolver(const FluidModel& model, const DfsphOptions& options);

    /// Largest step that keeps motion, forces and viscosity within their limits [s].
    double stable_time_step(const FluidState<Dim>& fluid) const;

    /// Advances the fluid by `dt` [s].
    FluidStepReport step(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);

    /// Density [kg/m³] of the fluid as it is now, walls included, and the pressure [Pa] of the last step.
    /// Sorts the particles, which the next step would do in the same way.
    void evaluate(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings, std::vector<double>& density,
                  std::vector<double>& pressure);

    /// An incompressible fluid has none.
    double internal_energy(double) const { return 0.0; }

    /// Faster than this the fluid has gone astray [m/s].
    double speed_limit() const;
    static constexpr std::string_view speed_limit_text = "20 times the speed to expect";

    /// May change between steps; the support radius must stay.
    void set_options(const DfsphOptions& options);

private:
    using SphSolver<Dim>::model_, SphSolver<Dim>::walls_, SphSolver<Dim>::near_, SphSolver<Dim>::rho_,
        SphSolver<Dim>::a_, SphSolver<Dim>::partial_, SphSolver<Dim>::rest_density;

    double typical_pressure(const FluidState<Dim>& fluid) const;
    double limiting_acceleration(const FluidState<Dim>& fluid) const;
    void prepare(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings);
    int correct_divergence(FluidState<Dim>& fluid, double dt);
    double advance_velocity(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    void predict_density(const FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings,
                         std::span<float> density);
    void spread_particles(const FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    double mean_excess();
    void move_to_spread_places(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    void kick(const FluidState<Dim>& fluid);
    int correct_density(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);
    void advance_position(FluidState<Dim>& fluid, double dt);
    int find_pressure(double scale, double tolerance, double largest_share, std::vector<float>& pressure,
                      const FluidState<Dim>* pusher = nullptr);
    JacobiSums make_jacobi_step(float scale, std::span<const float> pressure);
    void scale_warm_start(const JacobiSums& sums, std::span<float> pressure);
    void push(FluidState<Dim>& fluid, double dt);
    void spoil_pressure_acceleration(std::span<const float> pressure);
    void smooth_velocity(FluidState<Dim>& fluid);
    void rub_and_load(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings);

    DfsphOptions options_;
    double largest_eigenvalue_;

    // Workspace, in sorted order.
    bool is_full_ = false;                 ///< what is simulated: nothing can give way
    bool is_full_tank_ = false;            ///< and it has walls
    std::vector<Vec<Dim>> first_velocity_; ///< that a step with such a fault began with
    std::vector<float> response_, rate_, source_, jacobi_, last_pressure_, last_error_, step_;
    std::vector<float> response_at_rest_; ///< while obstacles give way, that without it
    std::vector<Quad<float>> pressure_a_, predicted_;
    std::vector<Quad<float>> room_, shift_;   ///< of a full space, else empty
    std::vector<Quad<float>> along_, across_; ///< strain rate
    PairGradients<Dim, float> gradients_;
    std::vector<JacobiSums> jacobi_sums_;
};

extern template class DfsphSolver<2>;
extern template class DfsphSolver<3>;

} // namespace phyxel
