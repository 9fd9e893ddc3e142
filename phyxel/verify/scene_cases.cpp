// SPDX-License-Identifier: MIT
// V-F3 to V-F6: scenes of examples/verification, run as the command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/verify/detail/dam_front.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/places.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double g = 9.81;

// V-F5

Measurement fallen_distance(const SceneRun& run)
{
    constexpr double dt = 0.4e-3;
    const std::vector<double>& t = run.probes.at("time");
    const std::vector<double>& z = run.probes.at("blob.z");
    MeasuredLine found{.name = "blob", .x = {}, .y = {}, .are_points = true};
    MeasuredLine known{.name = "-g t (t + dt) / 2", .x = {}, .y = {}, .is_reference = true};
    Worst worst;
    for (std::size_t k = 1; k < t.size(); ++k) {
        const double expected = -0.5 * g * t[k] * (t[k] + dt);
        worst.add((z[k] - z[0] - expected) / expected);
        found.x.push_back(t[k]);
        found.y.push_back(z[k] - z[0]);
        known.x.push_back(t[k]);
        known.y.push_back(expected);
    }
    return with_chart(error_measurement(worst.value(), 1e-12, std::to_string(t.size() - 1) + " frames"),
                      {"time", "s", "height", "m", {found, known}});
}

Measurement sideways_momentum(const SceneRun& run)
{
    const std::vector<double>& p = run.stats.at("momentum_x");
    Worst worst;
    for (double value : p) worst.add(value / p[0] - 1.0);
    return error_measurement(worst.value(), 1e-10);
}

// A lattice at rest

Measurement speed_at_rest(const SceneRun& run)
{
    // The speed of sound is 10 m/s: rounding of densities in float, 10⁻⁷ of it, is all that can move.
    return {largest_of(run.probes.at("speed")), 1e-4, 0.0, Bound::AtMost, "m/s"};
}

Measurement density_at_rest(const SceneRun& run)
{
    return {largest_of(run.stats.at("density_error_max")), 1e-5, 0.0, Bound::AtMost};
}

// V-F3: rest

Measurement speed_of_column(const SceneRun& run)
{
    const Snapshot& water = run.last.at("water");
    const auto& velocity = std::get<std::vector<float>>(water.find("velocity")->values);
    double sum = 0.0;
    for (float v : velocity) sum += static_cast<double>(v) * static_cast<double>(v);
    return {std::sqrt(sum / static_cast<double>(water.points.size())), 0.01, 0.0, Bound::AtMost, "m/s"};
}

Measurement compression_of_column(const SceneRun& run)
{
    return {run.stats.at("density_error_max").back(), 0.01, 0.0, Bound::AtMost};
}

Measurement energy_of_column(const SceneRun& run)
{
    // In joules, relative to the start, over all frames.
    Largest gain;
    const auto energy = [&](std::size_t k) {
        return run.stats.at("kinetic_energy")[k] + run.stats.at("potential_energy")[k] +
               run.stats.at("internal_energy")[k];
    };
    for (std::size_t k = 1; k < run.stats.at("time").size(); ++k) gain.add(energy(k) / energy(0) - 1.0);
    return {gain.value(), 0.0, 1e-4, Bound::AtMost};
}

Measurement force_on_floor(const SceneRun& run)
{
    const std::vector<double>& t = run.probes.at("time");
    const std::vector<double>& force = run.probes.at("push.y");
    double impulse = 0.0, time = 0.0;
    for (std::size_t k = 1; k < t.size(); ++k) {
        if (t[k] < 1.0) continue;
        impulse += force[k] * (t[k] - t[k - 1]);
        time += t[k] - t[k - 1];
    }
    return with_chart({impulse / time, -200.0 * g, 0.02 * 200.0 * g, Bound::Near, "N", "mean after 1 s"},
                      {"time",
                       "s",
                       "force on the obstacle",
                       "N",
                       {{.name = "every step", .x = t, .y = force},
                        {.name = "weight",
                         .x = {t.front(), t.back()},
                         .y = {-200.0 * g, -200.0 * g},
                         .is_reference = true}}});
}

// V-F4

Measurement front_against_experiment(const SceneRun& run)
{
    const std::span<const FrontPoint> measured = experimental_front(8);
    return with_chart(error_measurement(front_error(run, measured), 0.12, "largest of 8 times up to T = 5.1"),
                      front_chart(run, measured));
}

Measurement front_speed(const SceneRun& run)
{
    constexpr double H = 0.1143;
    const std::vector<double>& t = run.probes.at("time");
    const std::vector<double>& x = run.probes.at("water.max.x");
    Largest fastest;
    // Over 10 ms, since a single droplet may jump.
    for (std::size_t k = 10; k < t.size(); ++k) fastest.add((x[k] - x[k - 10]) / (t[k] - t[k - 10]));
    return {fastest.value(), 2.0 * std::sqrt(g * H) * 1.05, 0.0, Bound::AtMost, "m/s"};
}

// The elliptic drop

/// Semi-axes of the drop at `time`: a' = −A a, b' = A b, A' = A² (a² − b²)/(a² + b²), from 1, 1 and 1.
std::pair<double, double> drop_axes(double time)
{
    struct Drop {
        double a, b, A;
    };
    const auto rate = [](const Drop& d) {
        const double a2 = d.a * d.a, b2 = d.b * d.b;
        return Drop{-d.A * d.a, d.A * d.b, d.A * d.A * (a2 - b2) / (a2 + b2)};
    };
    const auto moved = [](const Drop& d, const Drop& r, double s) {
        return Drop{d.a + s * r.a, d.b + s * r.b, d.A + s * r.A};
    };
    Drop d{1.0, 1.0, 1.0};
    constexpr int steps = 1000;
    const double dt = time / steps;
    for (int k = 0; k < steps; ++k) {
        const Drop k1 = rate(d), k2 = rate(moved(d, k1, 0.5 * dt)), k3 = rate(moved(d, k2, 0.5 * dt)),
                   k4 = rate(moved(d, k3, dt));
        for (const auto& [r, w] :
             {std::pair(k1, 1.0), std::pair(k2, 2.0), std::pair(k3, 2.0), std::pair(k4, 1.0)})
            d = moved(d, r, w * dt / 6.0);
    }
    return {d.a, d.b};
}

/// A uniform ellipse has ⟨x²⟩ = a²/4, which one particle astray does not change.
double semi_axis(const Snapshot& drop, int axis)
{
    double sum = 0.0;
    for (const Vec<3>& x : drop.points) sum += x[axis] * x[axis];
    return 2.0 * std::sqrt(sum / static_cast<double>(drop.points.size()));
}

Measurement drop_axis(const SceneRun& run, int axis)
{
    const Snapshot& drop = run.last.at("drop");
    const auto expected_at = [&](double time) {
        const auto [a, b] = drop_axes(time);
        return axis == 0 ? a : b;
    };
    MeasuredLine found{.name = "drop", .x = {}, .y = {}, .are_points = true};
    MeasuredLine known{.name = "equation", .x = {}, .y = {}, .is_reference = true};
    for (std::uint64_t number = 0; number <= run.report.frame; ++number) {
        const Snapshot frame = run.frame("drop", number);
        found.x.push_back(frame.time);
        found.y.push_back(semi_axis(frame, axis));
        known.x.push_back(frame.time);
        known.y.push_back(expected_at(frame.time));
    }
    const double expected = expected_at(drop.time);
    return with_chart({semi_axis(drop, axis), expected, 0.02 * expected, Bound::Near, "m"},
                      {"time", "s", "semi-axis", "m", {found, known}});
}

// V-F6

/// Also those that are outside of the tank of splash.json, where nobody would look for them.
Measurement lost_particles(const SceneRun& run)
{
    const std::vector<double>& count = run.stats.at("particles");
    double outside = 0.0;
    for (const auto& [body, snapshot] : run.last)
        outside += points_outside(snapshot.points, [](const Vec<3>& x) {
            return (x.array() < 0.0).any() || (x.array() > Vec<3>(0.4, 0.4, 0.5).array()).any();
        });
    return count_measurement(std::abs(count.back() - count.front()) + outside, "particles",
                             std::to_string(static_cast<long>(count.front())) + " at the start");
}

Measurement momentum_change(const SceneRun& run)
{
    // Σ m |v| at the start: the drops weigh what they weigh, so it is left to the momenta themselves.
    Worst change;
    double scale = 0.0;
    for (const char* name : {"momentum_x", "momentum_y", "momentum_z"}) {
        const std::vector<double>& p = run.stats.at(name);
        for (double value : p) change.add(value - p.front());
        scale += std::abs(p.front());
    }
    return error_measurement(change.value() / scale, 1e-6);
}

// Incompressible: a violent dam break

Measurement compression_in_any_step(const SceneRun& run)
{
    return {largest_of(run.stats.at("density_error_mean")),
            1e-3,
            0.0,
            Bound::AtMost,
            "1",
            "largest of all steps, of the mean over particles; the worst particle: " +
                number_text(largest_of(run.stats.at("density_error_max")), 2)};
}

/// How many times longer its steps are than those of the weakly compressible solver at 1 %, which are at most
/// 0.2 h/c with h = 2.6 spacings and c ten times the speed of what falls as high as the column is.
Measurement length_of_steps(const SceneRun& run)
{
    constexpr double spacing = 0.02;
    constexpr double height = 0.4;
    double steps = 0.0;
    for (double count : run.stats.at("steps")) steps += count;
    const double weakly_compressible = 0.2 * 2.6 * spacing / (10.0 * std::sqrt(2.0 * g * height));
    return {run.stats.at("time").back() / steps / weakly_compressible, 5.0, 0.0, Bound::AtLeast, "1"};
}

} // namespace

std::vector<Case> scene_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const std::string rest = "a lattice with walls, or itself, around it has the rest density";

    add({{"V-F5/free_fall", "a blob falls as symplectic Euler says", "-g t (t + dt) / 2"},
         "free_fall",
         fallen_distance,
         Fault::PositionBeforeVelocity});
    add({{"V-F5/momentum/smoothed", "a falling blob that is smoothed keeps its sideways momentum",
          "Newton's third law"},
         "free_fall",
         sideways_momentum,
         Fault::PlainSmoothing,
         {"bodies.blob.solver.velocity_smoothing=0.05"}});
    add({{"V-F5/momentum/default", "a falling blob keeps its sideways momentum", "Newton's third law"},
         "free_fall",
         sideways_momentum,
         {Fault::PlainSmoothing, {"bodies.blob.solver.velocity_smoothing=0.05"}}});
    add({{"V-F/lattice_at_rest/speed", "a lattice in a closed box stays at rest", rest},
         "lattice_at_rest",
         speed_at_rest,
         Fault::WallsAsHalfSpace});
    add({{"V-F/lattice_at_rest/density", "a lattice in a closed box is not compressed", rest},
         "lattice_at_rest",
         density_at_rest,
         Fault::WallsAsHalfSpace});
    add({{"V-F/lattice_periodic/speed", "a lattice in a periodic box stays at rest", rest},
         "lattice_periodic",
         speed_at_rest,
         Fault::ImagesCountedTwice});
    add({{"V-F3/speed", "a column comes to rest", "root mean square speed"},
         "hydrostatic",
         speed_of_column,
         Fault::MirroredWallPush});
    add({{"V-F3/compression", "a column at rest is hardly compressed", "largest density below 1.01 rho0"},
         "hydrostatic",
         compression_of_column,
         Fault::LinearTait});
    add({{"V-F3/energy", "walls do not give energy to a column", "conservation of energy"},
         "hydrostatic",
         energy_of_column,
         Fault::MirroredWallPush});
    add({{"V-F/load_on_obstacle", "an obstacle carries the weight of the column on it", "m g, within 2 %"},
         "load_on_obstacle",
         force_on_floor,
         Fault::PlainPressure});
    add({{"V-F4/front", "the front of a collapsing column runs as measured", "[MM52], within 12 %"},
         "dam_break_front",
         front_against_experiment,
         {"artificial viscosity a hundred times too large", {"bodies.water.solver.artificial_viscosity=2"}}});
    add({{"V-F4/speed", "the front is not faster than a dam break on a dry bed",
          "Ritter's bound, 2 sqrt(g H), 5 % more"},
         "dam_break_front",
         front_speed,
         Fault::SelfCountedTwice});
    add({{"V-F/elliptic_drop/a", "the shrinking semi-axis of a drop",
          "ordinary differential equation, within 2 %"},
         "elliptic_drop",
         [](const SceneRun& run) { return drop_axis(run, 0); },
         {"a support of 2.6 spacings", {"bodies.drop.solver.support_ratio=2.6"}}});
    add({{"V-F/elliptic_drop/b", "the growing semi-axis of a drop",
          "ordinary differential equation, within 2 %"},
         "elliptic_drop",
         [](const SceneRun& run) { return drop_axis(run, 1); },
         {"artificial viscosity a hundred times too large", {"bodies.drop.solver.artificial_viscosity=2"}}});
    const SceneSabotage thick = {"artificial viscosity a hundred times too large",
                                 {"bodies.drop.solver.artificial_viscosity=2"}};
    const KnownMiss too_wide{.measured = 0.53382,
                             .why = "Rows of the lattice that move apart lose sight of each other; with a "
                                    "support of 4 spacings they do not."};
    for (const int axis : {0, 1})
        add({{std::string("V-F/elliptic_drop/usual/") + "ab"[axis],
              std::string(axis == 0 ? "the shrinking" : "the growing") +
                  " semi-axis of a drop, with the usual support",
              "ordinary differential equation, within 2 %", Tier::Quick,
              axis == 0 ? std::optional(too_wide) : std::nullopt},
             "elliptic_drop",
             [axis](const SceneRun& run) { return drop_axis(run, axis); },
             thick,
             {"bodies.drop.solver.support_ratio=2.6"}});
    add({{"V-F6/number", "no particle is lost or made in a splash, or leaves the tank",
          "conservation of mass"},
         "splash",
         lost_particles,
         Fault::NoHardWalls});
    add({{"V-F6/momentum", "drops that collide keep their momentum", "Newton's third law, 1e-6 in float"},
         "collision",
         momentum_change,
         Fault::PlainPressure});
    add({{"V-F/incompressible/compression", "a violent dam break keeps its density at every step", "0.1 %"},
         "dam_break_incompressible",
         compression_in_any_step,
         {"a solve that ends at 5 %", {"bodies.water.solver.density_tolerance=0.05"}}});
    add({{"V-F/incompressible/step", "steps are longer than those of a weakly compressible fluid", "5 times"},
         "dam_break_incompressible",
         length_of_steps,
         Fault::UnsharedStepLimit});
    add({{"V-F6/momentum_incompressible", "incompressible drops that collide keep their momentum",
          "Newton's third law, 1e-6 in float"},
         "collision_incompressible",
         momentum_change,
         Fault::PlainPressure});
    return cases;
}

} // namespace phyxel::detail
