// SPDX-License-Identifier: MIT
#include <phyxel/fluid/dfsph_solver.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/faulty_stages.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phyxel {
namespace {

/// Share of √(C a / |a|), in which a force moves a particle as far as it may, that a step may use: what a
/// particle at rest does in a step is to be small.
constexpr double force_step_share = 0.25;
/// The pressure of a step pushes along the gradients that it began with. What they change by on the way is a
/// stiffness of about p/(ρ a²), which makes still water boil in steps longer than about 0.6 a/√(p/ρ). So the
/// acceleration that limits a step is at least this part of p/(ρ a), which makes it 0.4 a/√(p/ρ).
constexpr double pressure_share = 0.16;
/// The pressure comes and goes while a fluid settles; the limit that it sets falls by no more in a step.
constexpr double limit_decay = 0.98;
/// Before the first step accelerations are not known; as if gravity were that of the earth [m/s²].
constexpr double usual_acceleration = 9.81;
/// Disorder makes the largest eigenvalue larger than that of a lattice.
constexpr double eigenvalue_margin = 1.2;
/// Lack of density, relative to ρ₀, of which half may be closed in a step.
constexpr float lack_scale = 0.02f;
/// Compression, relative to ρ₀, that moving particles cannot make good, as in the tip of a wedge: of what is
/// beyond it, this share is to go in a step, but no more than this.
constexpr float usual_compression = 0.01f;
constexpr float excess_share = 0.5f;
constexpr float largest_excess = 0.2f;
/// How much of the last shift is a guess for the next. With all of it what is still coming apart is pushed
/// on.
constexpr float warm_shift = 0.5f;
/// No particle is moved further than this share of the spacing in a step to keep the density.
constexpr double longest_shift = 0.1;
/// In a full space particles are spread until the mean density is this share of its tolerance above
/// ρ₀, but no more often than this in a step.
constexpr double spread_share = 0.2;
constexpr int most_spreads = 16;
/// Of a² times the room, at a support of two spacings: about one by the largest eigenvalue that the room has
/// on a lattice for displacements of its particles. It falls as ∇∇ω does with a wider support.
constexpr double spread_strength = 0.13;
/// How far, in spacings, a perfect lattice is disturbed, and the room, times a, from which it is none.
constexpr double longest_kick = 0.05;
constexpr double room_of_disorder = 0.1;
/// Predicted densities, relative to ρ₀, between which the pressure of the last step comes to count.
constexpr float no_warm_start_below = 0.9f;
constexpr float full_warm_start_above = 0.98f;
/// What a warm start leaves to do is smooth, and slow to go: momentum does not begin from rest, which would
/// be 1, but as after a few steps.
constexpr double first_momentum = 4.0;
/// What may be left of the compression that there would be without pressure.
constexpr double error_share = 0.4;
/// No solve has to be more accurate than this share of its tolerance.
constexpr double smallest_tolerance_share = 1e-4;
/// The mean error says little of the worst one.
constexpr int fewest_iterations = 1;
/// Nothing comes nearer to a wall than this share of the spacing. Pressure holds particles at half a spacing,
/// give or take a little, which the solver must be free to do.
constexpr double nearest_to_walls = 0.25;
/// How many times faster than expected a particle may be before the run is given up.
constexpr double largest_speed_ratio = 20.0;

double step_pressure_share(const FluidModel& model)
{
    return model.fault == Fault::UnsharedStepLimit ? 1.0 : pressure_share;
}

void check(const DfsphOptions& options)
{
    if (!(options.max_speed > 0)) throw InputError("the fastest speed to expect must be positive");
    if (options.max_iterations < 1) throw InputError("at least one iteration is needed");
}

/// Largest eigenvalue of the system for the pressure, divided by its diagonal, on a lattice: for a wave with
/// wave vector k it is |Σ ω' sin(k·r) r̂|² / Σ ω'², summed over the neighbours at r. A Jacobi step must be
/// shorter than two by this number: all particles correct at once, and each would do what its neighbours do
/// too.
template <int Dim>
double lattice_eigenvalue(double support_ratio)
{
    const CubicSpline<Dim> kernel(support_ratio);
    const int reach = static_cast<int>(std::ceil(support_ratio));
    std::vector<Vec<Dim>> places, gradients;
    double squares = 0.0;
    const int layers = Dim == 3 ? reach : 0;
    for (int k = -layers; k <= layers; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                Vec<Dim> r = Vec<Dim>::Zero();
                r[0] = i;
                r[1] = j;
                if constexpr (Dim == 3) r[2] = k;
                if (!(r.norm() < support_ratio)) continue;
                places.push_back(r);
                gradients.push_back(kernel.gradient(r));
                squares += gradients.back().squaredNorm();
            }
    constexpr int waves = 12; // from 0 to π along each axis
    double largest = 0.0;
    for (int n = 0, count = static_cast<int>(std::lround(std::pow(waves + 1, Dim))); n < count; ++n) {
        Vec<Dim> wave;
        for (int axis = 0, rest = n; axis < Dim; ++axis, rest /= waves + 1)
            wave[axis] = std::numbers::pi * (rest % (waves + 1)) / waves;
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (std::size_t m = 0; m < places.size(); ++m) sum += std::sin(wave.dot(places[m])) * gradients[m];
        largest = std::max(largest, sum.squaredNorm() / squares);
    }
    return largest;
}

} // namespace

template <int Dim>
DfsphSolver<Dim>::DfsphSolver(const FluidModel& model, const DfsphOptions& options)
    : SphSolver<Dim>(model, WallSlope::Steep, nearest_to_walls),
      options_(options),
      largest_eigenvalue_(eigenvalue_margin * lattice_eigenvalue<Dim>(model.parts.front().support_radius /
                                                                      model.parts.front().spacing))
{
    check(options);
}

template <int Dim>
void DfsphSolver<Dim>::set_options(const DfsphOptions& options)
{
    check(options);
    options_ = options;
}

template <int Dim>
double DfsphSolver<Dim>::speed_limit() const
{
    return largest_speed_ratio * options_.max_speed;
}

/// Σ p² / Σ p of the last step [Pa]: two thirds of that at the bottom of a column, however much shallow water
/// is around it.
template <int Dim>
double DfsphSolver<Dim>::typical_pressure(const FluidState<Dim>& fluid) const
{
    if (model_.fault == Fault::UnsharedStepLimit && !fluid.velocity_pressure.empty())
        return *std::max_element(fluid.velocity_pressure.begin(), fluid.velocity_pressure.end()) *
               model_.rest_density * model_.rest_density;
    double sum = 0.0;
    double squares = 0.0;
    for (const float P : fluid.velocity_pressure) {
        const double p = static_cast<double>(P) * model_.rest_density * model_.rest_density;
        sum += p;
        squares += p * p;
    }
    return sum > 0.0 ? squares / sum : 0.0;
}

/// Before the first step as if all that may become speed were pressure.
template <int Dim>
double DfsphSolver<Dim>::limiting_acceleration(const FluidState<Dim>& fluid) const
{
    if (fluid.largest_acceleration > 0.0) return fluid.largest_acceleration;
    const double expected = options_.max_speed * options_.max_speed / 3.0;
    return std::max(usual_acceleration, step_pressure_share(model_) * expected / model_.smallest_spacing());
}

template <int Dim>
double DfsphSolver<Dim>::stable_time_step(const FluidState<Dim>& fluid) const
{
    const double way = options_.courant_number * model_.smallest_spacing();
    const double v = largest_speed(fluid);
    double dt = force_step_share * std::sqrt(way / limiting_acceleration(fluid));
    if (v > 0.0) dt = std::min(dt, way / v);
    return std::min(dt, this->viscous_time_step());
}

/// [BK17, Alg. 1]
template <int Dim>
FluidStepReport DfsphSolver<Dim>::step(FluidState<Dim>& fluid, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    return this->run_step(fluid, dt, surroundings, [&](FluidStepReport& report, Stopwatch& watch) {
        prepare(fluid, surroundings);
        report.times.add("density", watch.restart());

        if (model_.fault == Fault::PositionBeforeVelocity) first_velocity_ = fluid.velocity;
        // Smoothing comes before the solve, which would otherwise be undone by it.
        const double limit_before = limiting_acceleration(fluid);
        const double force = advance_velocity(fluid, dt, surroundings);
        smooth_velocity(fluid);
        report.times.add("forces", watch.restart());

        report.divergence_iterations = correct_divergence(fluid, dt, surroundings);
        const double pressure = step_pressure_share(model_) * typical_pressure(fluid) /
                                (model_.rest_density * model_.smallest_spacing());
        fluid.largest_acceleration = std::max({force, pressure, limit_decay * limit_before});
        report.times.add("divergence", watch.restart());

        rub_and_load(fluid, dt, surroundings);
        report.density_iterations = correct_density(fluid, dt, surroundings);
        report.times.add("pressure", watch.restart());

        advance_position(fluid, dt);
    });
}

template <int Dim>
void DfsphSolver<Dim>::prepare(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    const std::size_t n = fluid.size();
    rho_.resize(n);
    response_.resize(n);
    rate_.resize(n);
    source_.resize(n);
    pressure_a_.resize(n);
    predicted_.resize(n);
    a_.resize(n);
    fluid.velocity_pressure.resize(n);
    fluid.position_pressure.resize(n);
    const std::size_t smoothed = options_.velocity_smoothing > 0.0 ? n : 0;
    along_.resize(smoothed);
    across_.resize(smoothed);
    compute_density_and_gradients<Dim, float>(near_.pairs(), walls_.shares(), rest_density(), rho_, response_,
                                              gradients_, {near_.velocity(), along_, across_});
    parallel_for(n, [&](Index i) { near_.velocity()[i].last() = rho_[i]; });
    is_full_ = is_full(fluid, model_, surroundings);
    is_full_tank_ = is_full_ && !is_without_end(fluid, model_, surroundings);
}

/// Pressures with which the velocity compresses nothing, [BK17, Alg. 2]: Dρ/Dt + Δt D(Dρ/Dt)(a) = 0 where it
/// would. What has less than the rest density may still come together: a little less hardly, much less
/// freely.
template <int Dim>
int DfsphSolver<Dim>::correct_divergence(FluidState<Dim>& fluid, double dt,
                                         const Surroundings<Dim>& surroundings)
{
    // Bodies that are pushed give way within the step: what they do by themselves is known beforehand, and
    // what the pressure does to them takes part in its solve. Otherwise a body that is lighter than the water
    // that it moves would be thrown to and fro, harder in each step.
    const bool meets_bodies = !walls_.touches().empty();
    const auto impulse = [&](const typename FluidWalls<Dim>::Touch& touch) {
        const Index i = touch.particle;
        return Vec<Dim>(-dt * model_.parts[fluid.part[i]].particle_mass * model_.rest_density *
                        static_cast<double>(fluid.velocity_pressure[i]) * touch.push);
    };
    std::function<void()> add_response;
    if (meets_bodies) {
        walls_.coast(surroundings, dt);
        soften_response(fluid, dt, surroundings);
        add_response = [&] {
            walls_.respond(surroundings, dt, impulse, [&](std::size_t t, const Vec<Dim>& change) {
                const auto& touch = walls_.touches()[t];
                rate_[touch.particle] +=
                    static_cast<float>(model_.rest_density * change.dot(touch.push) / dt);
            });
        };
    }
    compute_density_rate<Dim, float>(gradients_, walls_.shares(), rest_density(), near_.velocity(),
                                     WallMotion::Moving, rate_);
    // In the usual time: a step that ends where a frame does may be very short.
    const auto per_step = static_cast<float>(1.0 / std::max(dt, stable_time_step(fluid)));
    parallel_for(fluid.size(), [&](Index i) {
        const float ratio_now = rho_[i] / rest_density();
        // Particles that are spread leave holes behind. If what lies above fell in, a fluid that is spread
        // and falls by turns would gain energy; spreading closes the holes, too.
        const float lack = is_full_tank_ ? 0.0f : std::max(0.0f, 1.0f - ratio_now);
        const float room = rest_density() * lack * lack / (lack + lack_scale);
        // In a full space nothing could give way, and what particles are moved by would become motion.
        const float excess =
            is_full_ ? 0.0f
                     : rest_density() * std::clamp(excess_share * (ratio_now - 1.0f - usual_compression),
                                                   0.0f, largest_excess);
        source_[i] = rate_[i] + per_step * (excess - room);
        // A particle whose neighbours have gone must not push the last of them with the pressure of all.
        const float ratio = (rho_[i] + static_cast<float>(dt) * rate_[i]) / rest_density();
        fluid.velocity_pressure[i] *= std::clamp(
            (ratio - no_warm_start_below) / (full_warm_start_above - no_warm_start_below), 0.0f, 1.0f);
    });
    const int iterations = find_pressure(dt, options_.divergence_tolerance / dt, error_share,
                                         fluid.velocity_pressure, add_response);
    push(fluid, dt);
    if (meets_bodies)
        walls_.respond(surroundings, dt, impulse,
                       [&](std::size_t t, const Vec<Dim>& change) { walls_.change_velocity(t, change); });
    return iterations;
}

/// Particles beside a body that gives way change their density more easily. What they all do to it together
/// is more than what each does alone, and makes steps of the iteration that are short enough.
template <int Dim>
void DfsphSolver<Dim>::soften_response(const FluidState<Dim>& fluid, double dt,
                                       const Surroundings<Dim>& surroundings)
{
    const auto unit = [&](const typename FluidWalls<Dim>::Touch& touch) { return touch.sight.normal; };
    walls_.respond(surroundings, dt, unit, [&](std::size_t t, const Vec<Dim>& change) {
        const auto& touch = walls_.touches()[t];
        const double strength = model_.rest_density * touch.push.norm();
        const double softness = std::max(0.0, change.dot(touch.sight.normal));
        response_[touch.particle] += static_cast<float>(
            strength * strength * model_.parts[fluid.part[touch.particle]].particle_mass * softness);
    });
}

/// The density that the velocities lead to, from the places that they lead to: Dρ/Dt alone misses what shear
/// does in a step, which is most of the compression of a violent flow.
template <int Dim>
void DfsphSolver<Dim>::predict_density(const FluidState<Dim>& fluid, double dt,
                                       const Surroundings<Dim>& surroundings, std::span<float> density)
{
    const auto step = static_cast<float>(dt);
    parallel_for(near_.size(), [&](Index i) {
        for (int k = 0; k < Dim; ++k)
            predicted_[i].v[k] = near_.place()[i].v[k] + step * near_.velocity()[i].v[k];
        if (shift_.empty()) return;
        for (int k = 0; k < Dim; ++k) predicted_[i].v[k] += shift_[i].v[k];
    });
    FluidPairs<Dim, float> pairs = near_.pairs();
    pairs.geometry.place = predicted_.data();
    compute_density<Dim, float>(pairs, walls_.shares(), rest_density(), density);
    parallel_for(near_.size(), [&](Index i) {
        const WallShare<Dim, float>& wall = walls_.shares()[i];
        if (wall.share == 0.0f) return;
        Vec<Dim> way = dt * (fluid.velocity[i] - wall.velocity.template cast<double>());
        for (int k = 0; k < Dim && !shift_.empty(); ++k) way[k] += static_cast<double>(shift_[i].v[k]);
        const double share = walls_.share_at(fluid.position[i] + way, model_, fluid.part[i], surroundings);
        density[i] += rest_density() * (static_cast<float>(share) - wall.share);
    });
}

/// Mean of the predicted density beyond ρ₀, relative to it.
template <int Dim>
double DfsphSolver<Dim>::mean_excess()
{
    const double sum = ordered_sum(
        source_.size(), 0.0, [&](Index i) { return static_cast<double>(source_[i] - rest_density()); },
        partial_);
    return sum / (model_.rest_density * static_cast<double>(std::max<std::size_t>(source_.size(), 1)));
}

/// Where flow has drawn a lattice out, every particle has too much density and sees the same on all sides, so
/// that nothing tells it where to go.
template <int Dim>
void DfsphSolver<Dim>::kick(const FluidState<Dim>& fluid)
{
    const double a = model_.smallest_spacing();
    const double squares = ordered_sum(
        room_.size(), 0.0,
        [&](Index i) {
            double square = 0.0;
            for (int k = 0; k < Dim; ++k) square += static_cast<double>(room_[i].v[k] * room_[i].v[k]);
            return square;
        },
        partial_);
    const double room = a * std::sqrt(squares / static_cast<double>(room_.size()));
    const double longest = longest_kick * a * std::max(0.0, 1.0 - room / room_of_disorder);
    parallel_for(shift_.size(), [&](Index i) {
        shift_[i] = Quad<float>::from<Dim>(
            Rng(fluid.id[i]).template point<Dim>(-longest, longest).template cast<float>().eval());
    });
}

/// Finds how far particles of a full space are to be moved to where there is more room. The mean density of
/// such a fluid is that of the pattern of its particles: lowest in a good lattice, a few per cent higher
/// where flow has drawn one out. No pressure takes that away, as none can make the space larger; it would
/// only brake the flow.
template <int Dim>
void DfsphSolver<Dim>::spread_particles(const FluidState<Dim>& fluid, double dt,
                                        const Surroundings<Dim>& surroundings)
{
    shift_.clear();
    predict_density(fluid, dt, surroundings, source_);
    if (!is_full_) return;
    const double enough = spread_share * options_.density_tolerance;
    if (mean_excess() <= enough) return;

    const FluidPartModel& first = model_.parts.front();
    const CubicSpline<Dim> kernel(first.support_radius);
    const auto value_at_spacing = static_cast<float>(kernel.value(first.spacing) / kernel.value(0.0));
    const double strength = spread_strength * std::pow(0.5 * options_.support_ratio, Dim + 2);
    FluidPairs<Dim, float> pairs = near_.pairs();
    pairs.geometry.place = predicted_.data();
    shift_.assign(fluid.size(), {});
    room_.resize(fluid.size());
    const auto find_room = [&] {
        compute_room<Dim, float>(pairs, near_.velocity(), rest_density(), value_at_spacing, room_);
    };
    find_room();
    kick(fluid);
    predict_density(fluid, dt, surroundings, source_);
    for (int n = 0; n < most_spreads && mean_excess() > enough; ++n) {
        find_room();
        parallel_for(fluid.size(), [&](Index i) {
            const FluidPartModel& part = model_.parts[fluid.part[i]];
            const double a = part.spacing;
            Vec<Dim, float> room;
            for (int k = 0; k < Dim; ++k) room[k] = room_[i].v[k];
            if (walls_.shares()[i].share > 0.0f) {
                Vec<Dim> x = fluid.position[i] + dt * fluid.velocity[i];
                for (int k = 0; k < Dim; ++k) x[k] += static_cast<double>(shift_[i].v[k]);
                room += walls_.lattice_push_at(x, part, surroundings.domain).template cast<float>();
            }
            Vec<Dim, float> way = static_cast<float>(strength * a * a) * room;
            const auto most = static_cast<float>(longest_shift * a);
            if (way.norm() > most) way *= most / way.norm();
            for (int k = 0; k < Dim; ++k) shift_[i].v[k] += way[k];
        });
        predict_density(fluid, dt, surroundings, source_);
    }
}

/// Spreading leads further than the gradients of pairs at the start of a step hold, and what is left to do
/// for the density there is in the noise that it makes. So the places are taken at once, and all that the
/// density depends on is found there.
template <int Dim>
void DfsphSolver<Dim>::move_to_spread_places(FluidState<Dim>& fluid, double dt,
                                             const Surroundings<Dim>& surroundings)
{
    parallel_for(fluid.size(), [&](Index i) {
        fluid.position[i] += dt * fluid.velocity[i];
        for (int k = 0; k < Dim; ++k) fluid.position[i][k] += static_cast<double>(shift_[i].v[k]);
    });
    walls_.find(fluid, model_, surroundings);
    FluidPairs<Dim, float> pairs = near_.pairs();
    pairs.geometry.place = predicted_.data();
    compute_density_and_gradients<Dim, float>(pairs, walls_.shares(), rest_density(), source_, response_,
                                              gradients_);
}

/// How far particles are moved so that the density at the end of the step is nowhere above ρ₀: by a(P) times
/// 1 s² with ρ(x + Δt v) + D(Dρ/Dt)(a) = ρ₀ where it would be. [BK17, Alg. 3] changes the velocities instead.
/// But what steps leave undone of the density is the same over the whole depth of a tank, and to make it good
/// within a step throws the surface up; and pressure that follows from the density alone, kept from step to
/// step, goes on pushing when it should stop. So velocities know only of velocities, and deep water is still.
template <int Dim>
int DfsphSolver<Dim>::correct_density(FluidState<Dim>& fluid, double dt,
                                      const Surroundings<Dim>& surroundings)
{
    spread_particles(fluid, dt, surroundings);
    if (!shift_.empty()) move_to_spread_places(fluid, dt, surroundings);
    if (model_.fault == Fault::UncorrectedDensity) {
        std::ranges::fill(fluid.position_pressure, 0.0f);
        return 0;
    }
    parallel_for(fluid.size(), [&](Index i) {
        source_[i] -= rest_density();
        fluid.position_pressure[i] *= source_[i] > 0.0f ? warm_shift : 0.0f;
    });
    return find_pressure(1.0, options_.density_tolerance, 1.0, fluid.position_pressure);
}

/// x += Δt v, and the way that keeps the density.
template <int Dim>
void DfsphSolver<Dim>::advance_position(FluidState<Dim>& fluid, double dt)
{
    const std::vector<Vec<Dim>>& velocity =
        model_.fault == Fault::PositionBeforeVelocity ? first_velocity_ : fluid.velocity;
    const double left = shift_.empty() ? dt : 0.0;
    parallel_for(fluid.size(), [&](Index i) {
        Vec<Dim> way;
        for (int k = 0; k < Dim; ++k) way[k] = static_cast<double>(pressure_a_[i].v[k]);
        const double most = longest_shift * model_.parts[fluid.part[i]].spacing;
        const double size = way.norm();
        if (size > most) way *= most / size;
        fluid.position[i] += left * velocity[i] + way;
    });
}

/// Solves source + scale · D(Dρ/Dt)(a(p)) = 0 with p ≥ 0 from the pressure that is given: Jacobi steps that
/// carry on in the direction of the last one, as long as that is downhill [Nes83], [OC15]. Leaves the
/// accelerations that belong to the pressure in pressure_a_. Ends when the mean error is below the tolerance
/// and below `largest_share` of what it would be without pressure.
template <int Dim>
int DfsphSolver<Dim>::find_pressure(double scale, double tolerance, double largest_share,
                                    std::vector<float>& pressure, const std::function<void()>& add_response)
{
    const std::size_t n = pressure.size();
    // Nothing moves what emitters hold, so no pressure can relieve it.
    for (const Index i : near_.held()) {
        source_[i] = -rest_density();
        pressure[i] = 0.0f;
    }
    step_.assign(n, static_cast<float>(1.0 / largest_eigenvalue_));
    last_error_.assign(n, 0.0f);
    last_pressure_.resize(n);
    double momentum = first_momentum;
    // The mean error of deep water is small while all of it falls and only its floor is pressed.
    const double all = model_.rest_density * static_cast<double>(std::max<std::size_t>(n, 1));
    const double without_pressure =
        ordered_sum(
            n, 0.0, [&](Index i) { return std::max(0.0f, source_[i]); }, partial_) /
        all;
    tolerance = std::clamp(largest_share * without_pressure, smallest_tolerance_share * tolerance, tolerance);
    for (int iteration = 0;; ++iteration) {
        compute_pressure_acceleration<Dim, float>(gradients_, walls_.shares(), rest_density(), pressure,
                                                  pressure_a_);
        if (model_.fault != Fault::None) spoil_pressure_acceleration(pressure);
        for (const Index i : near_.held()) pressure_a_[i] = {};
        compute_density_rate<Dim, float>(gradients_, walls_.shares(), rest_density(), pressure_a_,
                                         WallMotion::AtRest, rate_);
        if (add_response) add_response();
        const JacobiSums sums = make_jacobi_step(static_cast<float>(scale), pressure);
        const double mean = sums.error / all;
        if ((mean <= tolerance && iteration >= fewest_iterations) || iteration == options_.max_iterations)
            return iteration;

        if (iteration == 0) {
            scale_warm_start(sums, pressure);
            continue;
        }
        if (sums.uphill > 0.0) momentum = 1.0;
        const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum * momentum));
        const auto carry = static_cast<float>((momentum - 1.0) / next);
        momentum = next;
        parallel_for(n, [&](Index i) {
            pressure[i] = std::max(0.0f, jacobi_[i] + carry * (jacobi_[i] - last_pressure_[i]));
            last_pressure_[i] = jacobi_[i];
        });
    }
}

/// See core/fault.h.
template <int Dim>
void DfsphSolver<Dim>::spoil_pressure_acceleration(std::span<const float> pressure)
{
    if (model_.fault == Fault::DoubledPressure)
        for (Quad<float>& a : pressure_a_)
            for (int k = 0; k < Dim; ++k) a.v[k] *= 2.0f;
    if (model_.fault != Fault::PlainPressure) return;
    compute_gradient_sum<Dim, float>(near_.pairs(), a_);
    for (std::size_t i = 0; i < pressure.size(); ++i)
        for (int k = 0; k < Dim; ++k) pressure_a_[i].v[k] += pressure[i] * a_[i][k];
}

/// The pressure after a Jacobi step goes to jacobi_.
template <int Dim>
JacobiSums DfsphSolver<Dim>::make_jacobi_step(float scale, std::span<const float> pressure)
{
    jacobi_.resize(pressure.size());
    return ordered_sum(
        pressure.size(), JacobiSums(),
        [&](Index i) {
            const float p = pressure[i];
            const float response = scale * response_[i];
            const float e = source_[i] + scale * rate_[i];
            // Where particles are crowded, as in a corner, the lattice's step may be too long.
            if (e * last_error_[i] < 0.0f && std::abs(e) > std::abs(last_error_[i])) step_[i] *= 0.5f;
            last_error_[i] = e;
            const float after = response > 0.0f ? std::max(0.0f, p + step_[i] * e / response) : 0.0f;
            jacobi_[i] = after;
            const double fall = source_[i] - e; // that comes with all of p
            return JacobiSums{// Where there is pressure the density must not fall short of ρ₀ either.
                              .error = p > 0.0f ? std::abs(e) : std::max(0.0f, e),
                              .uphill =
                                  static_cast<double>(response) * (p - after) * (after - last_pressure_[i]),
                              .want = static_cast<double>(p) * e - static_cast<double>(after - p) * fall,
                              .fall = static_cast<double>(p) * fall};
        },
        jacobi_sums_);
}

/// The pressure of the last step has about the right shape, but may be too strong or too weak everywhere:
/// with the Jacobi step comes the multiple c of it with which the energy is least.
template <int Dim>
void DfsphSolver<Dim>::scale_warm_start(const JacobiSums& sums, std::span<float> pressure)
{
    const double best = sums.fall > 0.0 ? sums.want / sums.fall : 0.0;
    const auto c = static_cast<float>(std::clamp(best, -1.0, 1.0));
    parallel_for(pressure.size(), [&](Index i) {
        pressure[i] = std::max(0.0f, jacobi_[i] + c * pressure[i]);
        last_pressure_[i] = pressure[i];
    });
}

/// v += Δt a of the pressure. No density asks for more than half a spacing of way in a step; where iterations
/// ended early, more may be left.
template <int Dim>
void DfsphSolver<Dim>::push(FluidState<Dim>& fluid, double dt)
{
    parallel_for(fluid.size(), [&](Index i) {
        Vec<Dim> change;
        for (int k = 0; k < Dim; ++k) change[k] = dt * static_cast<double>(pressure_a_[i].v[k]);
        const double most = 0.5 * model_.parts[fluid.part[i]].spacing / dt;
        const double size = change.norm();
        if (size > most) change *= most / size;
        fluid.velocity[i] += change;
    });
    near_.copy_velocity(fluid);
}

/// v += Δt (viscous a + g). Returns the largest acceleration.
template <int Dim>
double DfsphSolver<Dim>::advance_velocity(FluidState<Dim>& fluid, double dt,
                                          const Surroundings<Dim>& surroundings)
{
    const bool is_viscous = model_.largest_viscosity() > 0.0;
    if (is_viscous)
        compute_viscous_acceleration<Dim, float>(near_.pairs(), walls_.shares(), near_.velocity(),
                                                 near_.viscosity(), a_);
    if (is_viscous && model_.fault == Fault::HalvedViscosity)
        for (Vec<Dim, float>& a : a_) a *= 0.5f;
    this->drag_back(fluid, dt, surroundings);
    const double largest = ordered_max(
        fluid.size(), 0.0,
        [&](Index i) {
            Vec<Dim> a = surroundings.acceleration_at(fluid.position[i]);
            if (is_viscous) a += a_[i].template cast<double>();
            fluid.velocity[i] += dt * a;
            return a.squaredNorm();
        },
        partial_);
    near_.hold(fluid);
    near_.copy_velocity(fluid);
    return std::sqrt(largest);
}

/// The walls push with ρ₀ p/ρ² push; friction and what obstacles feel follow from it.
template <int Dim>
void DfsphSolver<Dim>::rub_and_load(FluidState<Dim>& fluid, double dt, const Surroundings<Dim>& surroundings)
{
    const auto strength = [&](Index i) {
        return model_.rest_density * static_cast<double>(fluid.velocity_pressure[i]);
    };
    walls_.rub(fluid, model_, dt, surroundings,
               [&](Index i) { return strength(i) * static_cast<double>(walls_.shares()[i].push.norm()); });
    near_.hold(fluid);
    near_.copy_velocity(fluid);
    const auto push = [&](Index i, const WallShare<Dim, float>& wall) {
        return Vec<Dim>(strength(i) * wall.push.template cast<double>());
    };
    walls_.add_loads(fluid, model_, surroundings, push);
    this->push_back(fluid, dt, push);
}

template <int Dim>
void DfsphSolver<Dim>::smooth_velocity(FluidState<Dim>& fluid)
{
    if (options_.velocity_smoothing == 0.0) return;
    if (model_.fault == Fault::SmoothedFlow) {
        std::fill(along_.begin(), along_.end(), Quad<float>());
        std::fill(across_.begin(), across_.end(), Quad<float>());
    }
    compute_noise_smoothing<Dim, float>(near_.pairs(), near_.velocity(), along_, across_,
                                        static_cast<float>(options_.velocity_smoothing), a_);
    parallel_for(fluid.size(), [&](Index i) { fluid.velocity[i] += a_[i].template cast<double>(); });
    near_.hold(fluid);
    near_.copy_velocity(fluid);
}

template <int Dim>
void DfsphSolver<Dim>::evaluate(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings,
                                std::vector<double>& density, std::vector<double>& pressure)
{
    fluid.velocity_pressure.resize(fluid.size());
    fluid.position_pressure.resize(fluid.size());
    this->find_density(fluid, surroundings);
    density.assign(rho_.begin(), rho_.end());
    pressure.resize(rho_.size());
    for (std::size_t i = 0; i < rho_.size(); ++i)
        pressure[i] = static_cast<double>(fluid.velocity_pressure[i]) * density[i] * density[i];
}

template class DfsphSolver<2>;
template class DfsphSolver<3>;

} // namespace phyxel
