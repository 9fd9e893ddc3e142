// SPDX-License-Identifier: MIT
#include <phyxel/fluid/wcsph_solver.h>

#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace phyxel {
namespace {

// Share of the bound √(h/|a|) that a step may use, and of h² ρ / μ; with h the support radius [Mon92].
constexpr double force_step_share = 0.18;
constexpr double viscous_step_share = 0.03;

Angles<2> moment(const Vec<2>& arm, const Vec<2>& force)
{
    return Angles<2>(arm[0] * force[1] - arm[1] * force[0]);
}

Angles<3> moment(const Vec<3>& arm, const Vec<3>& force)
{
    return {arm[1] * force[2] - arm[2] * force[1], arm[2] * force[0] - arm[0] * force[2],
            arm[0] * force[1] - arm[1] * force[0]};
}

TaitEquation equation_for(const FluidModel& model, const WcsphOptions& options)
{
    if (!(options.max_speed > 0)) throw InputError("the fastest speed to expect must be positive");
    TaitEquation tait =
        tait_for(model.rest_density, options.max_speed, options.compressibility, options.exponent);
    tait.negative_scale = options.negative_pressure;
    return tait;
}

} // namespace

template <int Dim>
double lattice_particle_mass(double rest_density, double spacing, double support_radius)
{
    const CubicSpline<Dim> kernel(support_radius);
    const int reach = static_cast<int>(std::ceil(support_radius / spacing));
    const int layers = Dim == 3 ? reach : 0;
    double sum = 0.0;
    for (int k = -layers; k <= layers; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i)
                sum += kernel.value(spacing * std::sqrt(double(i * i + j * j + k * k)));
    return rest_density / sum;
}

template <int Dim>
WcsphSolver<Dim>::WcsphSolver(const FluidModel& model, const WcsphOptions& options)
    : model_(model),
      options_(options),
      tait_(equation_for(model, options)),
      wall_kernel_(CubicSpline<Dim>(model.support_radius), model.spacing)
{
}

template <int Dim>
void WcsphSolver<Dim>::set_options(const WcsphOptions& options)
{
    tait_ = equation_for(model_, options);
    options_ = options;
}

template <int Dim>
double WcsphSolver<Dim>::stable_time_step(const FluidState<Dim>& fluid) const
{
    double squared_speed = 0.0;
    for (const Vec<Dim>& v : fluid.velocity) squared_speed = std::max(squared_speed, v.squaredNorm());
    const double h = model_.support_radius;
    double dt = options_.courant_number * h / (tait_.sound_speed() + std::sqrt(squared_speed));
    if (fluid.largest_acceleration > 0.0)
        dt = std::min(dt, force_step_share * std::sqrt(h / fluid.largest_acceleration));
    const double mu = *std::max_element(model_.viscosity.begin(), model_.viscosity.end());
    if (mu > 0.0) dt = std::min(dt, viscous_step_share * h * h * model_.rest_density / mu);
    return dt;
}

template <int Dim>
FluidStepReport WcsphSolver<Dim>::step(FluidState<Dim>& fluid, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    FluidStepReport report;
    Stopwatch watch;

    prepare(surroundings);
    sort_and_find_neighbors(fluid);
    report.times.add("neighbors", watch.restart());

    find_walls(fluid, surroundings);
    compute_density<Dim, float>(pairs_, search_->lists(), constants(), wall_, rho_);
    compute_pressure();
    report.times.add("density", watch.restart());

    compute_acceleration<Dim, float>(pairs_, search_->lists(), constants(), wall_, velocity_arrays(), rho_,
                                     pressure_over_rho2_, mu_, a_);
    if (tracks_loads_) add_wall_loads(fluid, surroundings);
    fluid.largest_acceleration = advance_velocity(fluid, dt, surroundings);
    report.times.add("forces", watch.restart());

    smooth_velocity(fluid);
    advance_position(fluid, dt);
    report.times.add("smoothing", watch.restart());

    // Before the walls stop them: they would hide that particles were thrown through the whole tank.
    describe(fluid, report);
    if (report.lost) return report;
    keep_out_of_walls(fluid, dt, surroundings);
    report.removed = remove_outside(fluid, surroundings);
    report.times.add("walls", watch.restart());
    return report;
}

template <int Dim>
void WcsphSolver<Dim>::prepare(const Surroundings<Dim>& surroundings)
{
    loads_.assign(tracks_loads_ ? surroundings.obstacles.size() : 0, {});
    const PeriodicBox<Dim, double> box = surroundings.domain.periodic_box();
    if (search_ && box.length == box_.length && box.min == box_.min) return;
    box_ = box;
    search_ = std::make_unique<NeighborSearch<Dim, float>>(box);
}

template <int Dim>
void WcsphSolver<Dim>::sort_and_find_neighbors(FluidState<Dim>& fluid)
{
    const std::size_t n = fluid.size();
    search_->update_from_double(fluid.position, static_cast<float>(model_.support_radius));
    sorted_.resize(n);
    for (auto& axis : v_) axis.resize(n);
    mu_.resize(n);
    rho_.resize(n);
    pressure_over_rho2_.resize(n);
    a_.resize(n);
    const auto order = search_->order();
    parallel_for(n, [&](Index k) {
        sorted_.position[k] = box_.wrap(fluid.position[order[k]]);
        sorted_.velocity[k] = fluid.velocity[order[k]];
        sorted_.id[k] = fluid.id[order[k]];
        sorted_.part[k] = fluid.part[order[k]];
        for (int axis = 0; axis < Dim; ++axis) v_[axis][k] = static_cast<float>(sorted_.velocity[k][axis]);
        mu_[k] = static_cast<float>(model_.viscosity[sorted_.part[k]]);
    });
    fluid.position.swap(sorted_.position);
    fluid.velocity.swap(sorted_.velocity);
    fluid.id.swap(sorted_.id);
    fluid.part.swap(sorted_.part);

    for (int axis = 0; axis < Dim; ++axis) {
        pairs_.x[axis] = search_->coordinate(axis).data();
        const auto period = static_cast<float>(box_.length[axis]);
        pairs_.period[axis] = period;
        pairs_.inverse_period[axis] = period > 0 ? 1.0f / period : 0.0f;
    }
}

/// How the share behind a wall pushes. The mirror image of a particle has its pressure, so it pushes with
/// p_i + p_j = 2 p_i; but that force has no energy, and in the first layer, half a spacing from the wall,
/// where it is large, it makes a column of water at rest jump for ever. There the wall gives the p_i that the
/// particle's own energy asks for, and the hard constraint carries the rest.
template <int Dim>
double WcsphSolver<Dim>::push_slope(double distance) const
{
    const double beyond_first_layer = std::clamp(distance / model_.spacing - 0.5, 0.0, 1.0);
    return 0.5 * (1.0 + beyond_first_layer) * wall_kernel_.slope(distance);
}

/// Fluid behind two walls at once must not be counted twice: 1 − Π (1 − share_k), which is exact for a kernel
/// that is a product over the axes, leaves at most 0.4 % of the rest density missing in a corner of a
/// lattice.
template <int Dim>
typename WcsphSolver<Dim>::Share WcsphSolver<Dim>::wall_share(const Vec<Dim>& x,
                                                              const Surroundings<Dim>& surroundings) const
{
    double free = 1.0;
    double nearest = model_.support_radius;
    double slopes = 0.0;
    Vec<Dim> push = Vec<Dim>::Zero();
    Vec<Dim> velocity = Vec<Dim>::Zero();
    for_each_wall(surroundings, x, model_.support_radius, [&](const NearWall<Dim>& wall) {
        const double share = wall_kernel_.share(wall.distance);
        const double slope = push_slope(wall.distance);
        push = (1.0 - share) * push + free * slope * wall.normal;
        free *= 1.0 - share;
        nearest = std::min(nearest, wall.distance);
        velocity += slope * wall.velocity;
        slopes += slope;
    });
    if (slopes > 0.0) velocity /= slopes;
    return {static_cast<float>(1.0 - free), push.template cast<float>(), velocity.template cast<float>(),
            static_cast<float>(nearest)};
}

template <int Dim>
void WcsphSolver<Dim>::find_walls(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    wall_.resize(fluid.size());
    parallel_for(fluid.size(), [&](Index i) { wall_[i] = wall_share(fluid.position[i], surroundings); });
}

template <int Dim>
void WcsphSolver<Dim>::compute_pressure()
{
    parallel_for(rho_.size(), [&](Index i) {
        const double rho = rho_[i];
        pressure_over_rho2_[i] = static_cast<float>(tait_.pressure(rho) / (rho * rho));
    });
}

/// v += Δt (a + g) [AW09, Eq. 58]. Returns the largest acceleration.
template <int Dim>
double WcsphSolver<Dim>::advance_velocity(FluidState<Dim>& fluid, double dt,
                                          const Surroundings<Dim>& surroundings)
{
    const double largest = ordered_max(
        fluid.size(), 0.0,
        [&](Index i) {
            const Vec<Dim> a = a_[i].template cast<double>() + surroundings.gravity_at(fluid.position[i]);
            fluid.velocity[i] += dt * a;
            for (int k = 0; k < Dim; ++k) v_[k][i] = static_cast<float>(fluid.velocity[i][k]);
            return a.squaredNorm();
        },
        partial_);
    return std::sqrt(largest);
}

template <int Dim>
void WcsphSolver<Dim>::smooth_velocity(FluidState<Dim>& fluid)
{
    if (options_.velocity_smoothing == 0.0) return;
    compute_smoothing<Dim, float>(pairs_, search_->lists(), constants(), velocity_arrays(), rho_, a_);
    parallel_for(fluid.size(), [&](Index i) { fluid.velocity[i] += a_[i].template cast<double>(); });
}

/// x += Δt v [AW09, Eq. 59].
template <int Dim>
void WcsphSolver<Dim>::advance_position(FluidState<Dim>& fluid, double dt)
{
    parallel_for(fluid.size(), [&](Index i) { fluid.position[i] += dt * fluid.velocity[i]; });
}

/// Hard constraints: no particle comes closer to a wall than half a spacing, nor moves towards it there.
template <int Dim>
void WcsphSolver<Dim>::keep_out_of_walls(FluidState<Dim>& fluid, double dt,
                                         const Surroundings<Dim>& surroundings)
{
    const double radius = 0.5 * model_.spacing;
    const auto keep_out = [&](Index i) {
        Vec<Dim>& x = fluid.position[i];
        Vec<Dim>& v = fluid.velocity[i];
        for_each_wall(surroundings, x, radius, [&](const NearWall<Dim>& wall) {
            x += (radius - wall.distance) * wall.normal;
            const double towards = (v - wall.velocity).dot(wall.normal);
            if (towards >= 0.0) return;
            v -= towards * wall.normal;
            if (!tracks_loads_ || wall.obstacle < 0) return;
            const Vec<Dim> force = model_.particle_mass * towards / dt * wall.normal;
            loads_[wall.obstacle].force += force;
            loads_[wall.obstacle].torque +=
                moment(x - surroundings.obstacles[wall.obstacle].velocity.center, force);
        });
    };
    if (!tracks_loads_)
        parallel_for(fluid.size(), keep_out);
    else // in order, as the loads are sums
        for (std::size_t i = 0; i < fluid.size(); ++i) keep_out(static_cast<Index>(i));
}

/// The counterpart of what walls do to particles in compute_acceleration.
template <int Dim>
void WcsphSolver<Dim>::add_wall_loads(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        if (wall_[i].share == 0.0f) continue;
        const Vec<Dim>& x = fluid.position[i];
        for_each_wall(surroundings, x, model_.support_radius, [&](const NearWall<Dim>& wall) {
            if (wall.obstacle < 0) return;
            // Its part of the push that wall_share() put together.
            const double others = (1.0 - wall_[i].share) / (1.0 - wall_kernel_.share(wall.distance));
            const double slope = others * push_slope(wall.distance);
            const Share alone{0.0f, (slope * wall.normal).template cast<float>(),
                              wall.velocity.template cast<float>(), static_cast<float>(wall.distance)};
            const Vec<Dim, float> v = fluid.velocity[i].template cast<float>();
            const Vec<Dim, float> a =
                wall_acceleration<Dim, float>(alone, constants(), rho_[i], pressure_over_rho2_[i], v);
            const Vec<Dim> force = -model_.particle_mass * a.template cast<double>();
            loads_[wall.obstacle].force += force;
            loads_[wall.obstacle].torque +=
                moment(x - surroundings.obstacles[wall.obstacle].velocity.center, force);
        });
    }
}

template <int Dim>
std::size_t WcsphSolver<Dim>::remove_outside(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    if (!surroundings.domain.has_open_side()) return 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        if (surroundings.domain.has_left(fluid.position[i])) continue;
        fluid.position[kept] = fluid.position[i];
        fluid.velocity[kept] = fluid.velocity[i];
        fluid.id[kept] = fluid.id[i];
        fluid.part[kept] = fluid.part[i];
        ++kept;
    }
    const std::size_t removed = fluid.size() - kept;
    fluid.resize(kept);
    return removed;
}

template <int Dim>
void WcsphSolver<Dim>::describe(const FluidState<Dim>& fluid, FluidStepReport& report)
{
    double squared_speed = 0.0;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const double s = fluid.velocity[i].squaredNorm();
        if (!std::isfinite(s) || !fluid.position[i].allFinite()) {
            report.lost = {fluid.id[i], fluid.part[i]};
            return;
        }
        if (s <= squared_speed) continue;
        squared_speed = s;
        report.fastest = {fluid.id[i], fluid.part[i]};
    }
    report.max_speed = std::sqrt(squared_speed);
    const double rho_0 = model_.rest_density;
    const auto compression = [&](Index i) { return rho_[i] / rho_0 - 1.0; };
    const double sum = ordered_sum(
        rho_.size(), 0.0, [&](Index i) { return std::max(0.0, compression(i)); }, partial_);
    report.mean_compression = rho_.empty() ? 0.0 : sum / static_cast<double>(rho_.size());
    report.largest_compression = ordered_max(rho_.size(), -1.0, compression, partial_);
}

template <int Dim>
void WcsphSolver<Dim>::evaluate(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings,
                                std::vector<double>& density, std::vector<double>& pressure)
{
    prepare(surroundings);
    sort_and_find_neighbors(fluid);
    find_walls(fluid, surroundings);
    compute_density<Dim, float>(pairs_, search_->lists(), constants(), wall_, rho_);
    density.assign(rho_.begin(), rho_.end());
    pressure.resize(rho_.size());
    for (std::size_t i = 0; i < rho_.size(); ++i) pressure[i] = tait_.pressure(density[i]);
}

template <int Dim>
WcsphConstants<Dim, float> WcsphSolver<Dim>::constants() const
{
    return wcsph_constants<Dim, float>(model_.support_radius, model_.spacing, model_.particle_mass,
                                       model_.rest_density, options_.artificial_viscosity,
                                       tait_.sound_speed(), options_.velocity_smoothing);
}

template <int Dim>
std::array<const float*, Dim> WcsphSolver<Dim>::velocity_arrays() const
{
    std::array<const float*, Dim> arrays;
    for (int k = 0; k < Dim; ++k) arrays[k] = v_[k].data();
    return arrays;
}

template double lattice_particle_mass<2>(double, double, double);
template double lattice_particle_mass<3>(double, double, double);
template class WcsphSolver<2>;
template class WcsphSolver<3>;

} // namespace phyxel
