// SPDX-License-Identifier: MIT
// Solids that touch walls and each other: friction on a slope, Hertz' contact, depths and momentum, run as
// the command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

// Slopes

constexpr double gravity_on_slopes = 9.81;

/// Acceleration of slope.json down the slope, as a share of Coulomb's.
Measurement check_slope(const SceneRun& run)
{
    constexpr double mass = 4.0, angle = std::numbers::pi / 6, mu = 0.3;
    const double expected = gravity_on_slopes * (std::sin(angle) - mu * std::cos(angle));
    const std::vector<double>&time = run.probes.at("time"), &momentum = run.probes.at("momentum.x");
    MeasuredLine found{.name = "block", .x = time, .y = {}, .are_points = true};
    MeasuredLine known{.name = "Coulomb", .x = time, .y = {}, .is_reference = true};
    // The line through the origin that fits the speed best.
    double along = 0.0, square = 0.0;
    for (std::size_t k = 0; k < time.size(); ++k) {
        found.y.push_back(momentum[k] / mass);
        known.y.push_back(expected * time[k]);
        along += time[k] * momentum[k] / mass;
        square += time[k] * time[k];
    }
    return with_chart({along / square / expected, 1.0, 0.02, Bound::Near, "1",
                       "over " + number_text(expected, 4) + " m/s²"},
                      {"time", "s", "speed down the slope", "m/s", {found, known}});
}

/// Mean speed of sticking.json in the second half of its time.
Measurement check_creep(const SceneRun& run)
{
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at("block.x");
    const std::size_t half = time.size() / 2;
    const double speed = all_finite(x) ? (x.back() - x[half]) / (time.back() - time[half]) : std::nan("");
    MeasuredLine found{.name = "block", .x = time, .y = {}};
    for (const double place : x) found.y.push_back(1e3 * (place - x.front()));
    const MeasuredLine known{.name = "none", .x = {0.0, time.back()}, .y = {0.0, 0.0}, .is_reference = true};
    return with_chart({std::abs(speed), 1e-4, 0.0, Bound::AtMost, "m/s", "in the second half of a second"},
                      {"time", "s", "way down the slope", "mm", {found, known}});
}

// Hertz

/// How hertz.json is pressed at one moment.
struct LineContact {
    double half_width; ///< [m]
    double force;      ///< on a length of 1 m [N]
};

/// The half-width from the second moment of the pressure: a²/4 if it is an ellipse, and 0 before they touch.
/// The pressure of a phyxel is as its depth in the obstacle, which is a spring to it.
LineContact line_contact(const SceneRun& run, std::uint64_t frame)
{
    constexpr double radius = 0.8, spacing = 0.01, speed = 0.016, frame_rate = 16.0;
    const Vec<3> center(0, radius - speed * static_cast<double>(frame) / frame_rate, 0);
    double sum = 0.0, moment = 0.0;
    for (const Vec<3>& x : run.frame("block", frame).points) {
        const double depth = 0.5 * spacing - ((x - center).norm() - radius);
        if (depth <= 0.0) continue;
        sum += depth;
        moment += depth * x[0] * x[0];
    }
    return {sum == 0.0 ? 0.0 : 2.0 * std::sqrt(moment / sum), run.probes.at("push.y")[frame]};
}

/// The force at a half-width of eight spacings, between the two frames that have less and more.
Measurement check_hertz(const SceneRun& run)
{
    constexpr double E = 1e6, nu = 0.3, radius = 0.8, wanted = 0.08;
    constexpr std::uint64_t last_frame = 16;
    const auto hertz = [&](double a) {
        return 0.25 * std::numbers::pi * E / (1.0 - nu * nu) * a * a / radius;
    };
    MeasuredLine found{.name = "block", .x = {}, .y = {}, .are_points = true};
    MeasuredLine known{.name = "Hertz", .x = {}, .y = {}, .is_reference = true};
    double force = std::nan("");
    LineContact before{0.0, 0.0};
    for (std::uint64_t frame = 1; frame <= last_frame; ++frame) {
        const LineContact now = line_contact(run, frame);
        found.x.push_back(1e3 * now.half_width);
        found.y.push_back(now.force);
        known.x.push_back(1e3 * now.half_width);
        known.y.push_back(hertz(now.half_width));
        if (before.half_width < wanted && now.half_width >= wanted)
            force = before.force + (now.force - before.force) * (wanted - before.half_width) /
                                       (now.half_width - before.half_width);
        before = now;
    }
    if (!all_finite(found.x) || !all_finite(found.y)) force = std::nan("");
    return with_chart({force / hertz(wanted), 1.0, 0.1, Bound::Near, "1",
                       "half-width of 8 spacings, a tenth of the radius"},
                      {"half-width of the contact", "mm", "force on a metre", "N", {found, known}});
}

// Depth and momentum

/// Largest depth of any step from a time on.
double largest_depth(const SceneRun& run, double from)
{
    const std::vector<double>&time = run.stats.at("time"), &depth = run.stats.at("penetration");
    Largest largest;
    for (std::size_t k = 0; k < time.size(); ++k)
        if (time[k] >= from) largest.add(depth[k]);
    return largest.value();
}

Measurement check_depth(const SceneRun& run, double from, double allowed, const std::string& note)
{
    const double depth = largest_depth(run, from);
    // Solids that never touched have shown nothing.
    return with_chart({depth > 0.0 ? depth : std::nan(""), allowed, 0.0, Bound::AtMost, "spacings", note},
                      {"time",
                       "s",
                       "largest depth",
                       "spacings",
                       {{.name = "blocks", .x = run.stats.at("time"), .y = run.stats.at("penetration")},
                        {.name = "allowed",
                         .x = {from, run.stats.at("time").back()},
                         .y = {allowed, allowed},
                         .is_reference = true}}});
}

Measurement check_collision_momentum(const SceneRun& run)
{
    const auto momentum = [&](std::size_t frame) {
        return Vec<3>(run.stats.at("momentum_x")[frame], run.stats.at("momentum_y")[frame],
                      run.stats.at("momentum_z")[frame]);
    };
    const std::size_t count = run.stats.at("time").size();
    Worst worst;
    if (!(largest_depth(run, 0.0) > 0.0)) worst.add_missing();
    for (std::size_t k = 1; k < count; ++k)
        worst.add((momentum(k) - momentum(0)).norm() / momentum(0).norm());
    return error_measurement(worst.value(), 1e-10, "at all frames");
}

} // namespace

std::vector<Case> contact_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const Changes implicit = {"bodies.block.solver={\"type\": \"implicit\"}"};
    const std::string coulomb = "g (sin a − μ cos a), within 2 %";
    add({{"V-E/contact/slope/leapfrog", "a block slides down a slope as Coulomb says", coulomb, Tier::Full},
         "slope",
         check_slope,
         Fault::FrictionBySpeed});
    const std::string viscous =
        "Implicit steps limit friction to what stops a phyxel by itself within two steps, "
        "without what weighs on it: below 0.27 m/s it is viscous.";
    add({{"V-E/contact/slope/implicit", "in implicit steps a block slides down a slope as Coulomb says",
          coulomb, Tier::Full, KnownMiss{.measured = 1.0975, .why = viscous}},
         "slope",
         check_slope,
         Fault::FrictionBySpeed,
         implicit});
    const std::string sticks = "a block whose friction suffices stays where it is";
    add({{"V-E/contact/creep/leapfrog", sticks, "μ > tan a: creep below 1e-4 m/s", Tier::Full},
         "sticking",
         check_creep,
         Fault::FrictionBySpeed});
    add({{"V-E/contact/creep/implicit", sticks, "μ > tan a: creep below 1e-4 m/s", Tier::Full,
          KnownMiss{.measured = 0.26826, .why = viscous}},
         "sticking",
         check_creep,
         Fault::FrictionBySpeed,
         implicit});
    add({{"V-E/contact/hertz", "what a round body needs to be pressed into a flat one is Hertz' force",
          "[Joh85, Sec. 4.2]: π E a²/(4 R (1 − ν²)), within 10 %", Tier::Full},
         "hertz",
         check_hertz,
         Fault::HalvedShear});
    add({{"V-E/contact/depth/rest", "blocks that lie on each other hardly overlap", "5 % of a spacing",
          Tier::Full},
         "landing",
         [](const SceneRun& run) { return check_depth(run, 2.0, 0.05, "in the last half second"); },
         Fault::SoftContacts});
    add({{"V-E/contact/depth/landing", "a block that lands on another one enters it but little",
          "25 % of a spacing", Tier::Full},
         "landing",
         [](const SceneRun& run) { return check_depth(run, 0.0, 0.25, "at 2 m/s"); },
         Fault::SoftContacts});
    add({{"V-E/contact/depth/collision", "blocks that collide enter each other but little",
          "25 % of a spacing", Tier::Full,
          KnownMiss{.measured = 0.25610,
                    .why = "Contacts are springs, and at such speeds the blow is as hard as the jelly."}},
         "solid_collision",
         [](const SceneRun& run) {
             return check_depth(run, 0.0, 0.25, "at 4 m/s, two thirds of the speed of sound");
         },
         Fault::SoftContacts});
    add({{"V-E/contact/momentum", "solids that collide and rub keep their momentum", "Newton's third law"},
         "solid_collision",
         check_collision_momentum,
         Fault::OneSidedContacts});
    return cases;
}

} // namespace phyxel::detail
