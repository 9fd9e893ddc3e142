// SPDX-License-Identifier: MIT
#include <phyxel/fluid/wcsph_solver.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/fluid/faulty_stages.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

// Share of the bound √(h/|a|) that a step may use, with h the support radius [Mon92].
constexpr double force_step_share = 0.18;

/// Nothing comes nearer to a wall than this share of the spacing.
constexpr double nearest_to_walls = 0.5;

/// Particles that have, or see, less density than this share of ρ₀ are near a free surface.
constexpr float free_surface_share = 0.9f;
/// S of shifting in a fluid without end, unless it is slower than this share of the speed to expect.
constexpr double usual_shifting = 0.4;
constexpr double speed_of_rest = 1e-3;
/// No particle is shifted further than this share of the spacing in a step.
constexpr double longest_shift = 0.2;

/// How many times faster than sound a particle may be before the run is given up.
constexpr double largest_mach_number = 5.0;

TaitEquation equation_for(const FluidModel& model, const WcsphOptions& options)
{
    if (!(options.max_speed > 0)) throw InputError("the fastest speed to expect must be positive");
    TaitEquation tait =
        tait_for(model.rest_density, options.max_speed, options.compressibility, options.exponent);
    tait.negative_scale = options.negative_pressure;
    if (model.fault == Fault::LinearTait) tait.exponent = 1.0;
    return tait;
}

} // namespace

template <int Dim>
WcsphSolver<Dim>::WcsphSolver(const FluidModel& model, const WcsphOptions& options)
    : SphSolver<Dim>(model, WallSlope::OfLattice, nearest_to_walls),
      options_(options),
      tait_(equation_for(model, options))
{
}

template <int Dim>
void WcsphSolver<Dim>::set_options(const WcsphOptions& options)
{
    tait_ = equation_for(model_, options);
    options_ = options;
}

template <int Dim>
double WcsphSolver<Dim>::speed_limit() const
{
    return largest_mach_number * tait_.sound_speed();
}

template <int Dim>
double WcsphSolver<Dim>::stable_time_step(const FluidState<Dim>& fluid) const
{
    const double h = model_.smallest_support_radius();
    double dt = options_.courant_number * h / (tait_.sound_speed() + largest_speed(fluid));
    if (fluid.largest_acceleration > 0.0)
        dt = std::min(dt, force_step_share * std::sqrt(h / fluid.largest_acceleration));
    return std::min(dt, this->viscous_time_step());
}

template <int Dim>
FluidStepReport WcsphSolver<Dim>::step(FluidState<Dim>& fluid, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    return this->run_step(fluid, dt, surroundings, [&](FluidStepReport& report, Stopwatch& watch) {
        this->sum_density();
        if (model_.fault == Fault::SelfCountedTwice) add_self_again<Dim, float>(near_.pairs(), rho_);
        if (model_.fault == Fault::ImagesCountedTwice) add_images_again<Dim, float>(near_.pairs(), rho_);
        compute_pressure();
        report.times.add("density", watch.restart());

        if (model_.fault == Fault::PositionBeforeVelocity) first_velocity_ = fluid.velocity;
        compute_forces();
        add_viscosity();
        add_wall_loads(fluid, dt, surroundings);
        fluid.largest_acceleration = advance_velocity(fluid, dt, surroundings);
        rub_at_walls(fluid, dt, surroundings);
        near_.hold(fluid);
        report.times.add("forces", watch.restart());

        advance_position(fluid, dt);
        shift_particles(fluid, surroundings);
        report.times.add("shifting", watch.restart());
    });
}

/// p/ρ² beside the places, ρ beside the velocities.
template <int Dim>
void WcsphSolver<Dim>::compute_pressure()
{
    parallel_for(rho_.size(), [&](Index i) {
        const double rho = rho_[i];
        near_.place()[i].last() = static_cast<float>(tait_.pressure(rho) / (rho * rho));
        near_.velocity()[i].last() = rho_[i];
    });
    if (model_.fault == Fault::DoubledPressure)
        for (Quad<float>& place : near_.place()) place.last() *= 2.0f;
}

/// Accelerations, and what smoothing does to the velocities that the step began with.
template <int Dim>
void WcsphSolver<Dim>::compute_forces()
{
    a_.resize(rho_.size());
    smoothing_.resize(is_smoothed() ? rho_.size() : 0);
    if (is_smoothed())
        compute_acceleration_and_smoothing<Dim, float>(
            near_.pairs(), walls_.shares(), near_.velocity(), rest_density(), damping(),
            static_cast<float>(options_.velocity_smoothing), a_, smoothing_);
    else
        compute_acceleration<Dim, float>(near_.pairs(), walls_.shares(), near_.velocity(), rest_density(),
                                         damping(), a_);
    if (model_.fault == Fault::PlainSmoothing)
        compute_plain_smoothing<Dim, float>(near_.pairs(), near_.velocity(),
                                            static_cast<float>(options_.velocity_smoothing), smoothing_);
    if (model_.fault != Fault::PlainPressure) return;
    viscous_a_.resize(a_.size());
    compute_gradient_sum<Dim, float>(near_.pairs(), viscous_a_);
    for (std::size_t i = 0; i < a_.size(); ++i) a_[i] += near_.place()[i].last() * viscous_a_[i];
}

template <int Dim>
void WcsphSolver<Dim>::add_viscosity()
{
    if (model_.largest_viscosity() == 0.0) return;
    viscous_a_.resize(a_.size());
    compute_viscous_acceleration<Dim, float>(near_.pairs(), walls_.shares(), near_.velocity(),
                                             near_.viscosity(), viscous_a_);
    if (model_.fault == Fault::HalvedViscosity)
        for (Vec<Dim, float>& a : viscous_a_) a *= 0.5f;
    parallel_for(a_.size(), [&](Index i) { a_[i] += viscous_a_[i]; });
}

/// v += Δt (a + g) [AW09, Eq. 58], and the smoothing. Returns the largest acceleration.
template <int Dim>
double WcsphSolver<Dim>::advance_velocity(FluidState<Dim>& fluid, double dt,
                                          const Surroundings<Dim>& surroundings)
{
    const double largest = ordered_max(
        fluid.size(), 0.0,
        [&](Index i) {
            const Vec<Dim> a =
                a_[i].template cast<double>() + surroundings.acceleration_at(fluid.position[i]);
            fluid.velocity[i] += dt * a;
            if (is_smoothed()) fluid.velocity[i] += smoothing_[i].template cast<double>();
            return a.squaredNorm();
        },
        partial_);
    return std::sqrt(largest);
}

template <int Dim>
Vec<Dim> WcsphSolver<Dim>::push_of(Index i, const WallShare<Dim, float>& wall)
{
    const Quad<float>& v = near_.velocity()[i];
    Vec<Dim, float> velocity;
    for (int k = 0; k < Dim; ++k) velocity[k] = v.v[k];
    return wall_acceleration<Dim, float>(wall, near_.pairs().sizes.support_of(i), rest_density(), rho_[i],
                                         near_.place()[i].last(), damping(), velocity)
        .template cast<double>();
}

template <int Dim>
void WcsphSolver<Dim>::rub_at_walls(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings)
{
    walls_.rub(fluid, model_, dt, surroundings,
               [&](Index i) { return push_of(i, walls_.shares()[i]).norm(); });
}

/// The counterpart of what walls do to particles.
template <int Dim>
void WcsphSolver<Dim>::add_wall_loads(const FluidState<Dim>& fluid, double dt,
                                      const Surroundings<Dim>& surroundings)
{
    const auto push = [&](Index i, const WallShare<Dim, float>& wall) { return push_of(i, wall); };
    walls_.add_loads(fluid, model_, surroundings, push);
    this->push_back(fluid, dt, push);
    this->drag_back(fluid, dt, surroundings);
}

/// x += Δt v [AW09, Eq. 59].
template <int Dim>
void WcsphSolver<Dim>::advance_position(FluidState<Dim>& fluid, double dt)
{
    const std::vector<Vec<Dim>>& velocity =
        model_.fault == Fault::PositionBeforeVelocity ? first_velocity_ : fluid.velocity;
    parallel_for(fluid.size(), [&](Index i) { fluid.position[i] += dt * velocity[i]; });
}

/// Moves particles to where there is more room, without flowing there, and gives them the velocity that the
/// fluid has there: δx = S a² room, v += δx·∇v. Flow that stretches and squeezes puts particles in rows, with
/// holes between them where it pulls; this keeps them evenly spread, as the background pressure of [AHA13]
/// does and by the same means, but only where they are: momentum does not feel it. A free surface would be
/// drawn out, so there it is left alone, and at walls particles move along them only. In a fluid without end
/// rows would be compressed, and nothing could give way.
template <int Dim>
void WcsphSolver<Dim>::shift_particles(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    const double speed = largest_speed(fluid) / options_.max_speed;
    const double shifting = options_.particle_shifting.value_or(
        speed > speed_of_rest && is_without_end(fluid, model_, surroundings) ? usual_shifting : 0.0);
    if (shifting == 0.0) return;
    near_.copy_velocity(fluid);
    shift_.resize(fluid.size());
    const CubicSpline<Dim> kernel(model_.parts.front().support_radius);
    const double value_at_spacing = kernel.value(model_.parts.front().spacing) / kernel.value(0.0);
    compute_room<Dim, float>(near_.pairs(), near_.velocity(), rest_density(),
                             static_cast<float>(value_at_spacing), shift_);
    // The slower the flow, the less it spoils in a step; shifts beyond that only stir it.
    const double strength = shifting * std::min(1.0, speed);
    parallel_for(fluid.size(), [&](Index i) {
        const double a = model_.parts[fluid.part[i]].spacing;
        Vec<Dim, float> way = Vec<Dim, float>::Zero();
        if (shift_[i].last() > free_surface_share * rest_density()) {
            for (int k = 0; k < Dim; ++k) way[k] = static_cast<float>(strength * a * a) * shift_[i].v[k];
            const Vec<Dim, float>& push = walls_.shares()[i].push;
            if (push.squaredNorm() > 0.0f) way -= way.dot(push) / push.squaredNorm() * push;
            const auto most = static_cast<float>(longest_shift * a);
            if (way.norm() > most) way *= most / way.norm();
        }
        shift_[i] = Quad<float>::from<Dim>(way);
    });
    compute_velocity_elsewhere<Dim, float>(near_.pairs(), near_.velocity(), shift_, a_);
    parallel_for(fluid.size(), [&](Index i) {
        for (int k = 0; k < Dim; ++k) fluid.position[i][k] += static_cast<double>(shift_[i].v[k]);
        fluid.velocity[i] += a_[i].template cast<double>();
    });
}

template <int Dim>
void WcsphSolver<Dim>::evaluate(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings,
                                std::vector<double>& density, std::vector<double>& pressure)
{
    this->find_density(fluid, surroundings);
    density.assign(rho_.begin(), rho_.end());
    pressure.resize(rho_.size());
    for (std::size_t i = 0; i < rho_.size(); ++i) pressure[i] = tait_.pressure(density[i]);
}

template class WcsphSolver<2>;
template class WcsphSolver<3>;

} // namespace phyxel
