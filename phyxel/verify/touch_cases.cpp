// SPDX-License-Identifier: MIT
// V-T: what is done to a scene while it runs: hands that pull and hold, bodies and streams that come later,
// and a sitting that is run again.
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double g = 9.81;

/// How far a mass on a half-damped spring has come after a time, where 1 is where it comes to rest.
double spring_response(double omega, double t)
{
    constexpr double zeta = 0.5;
    const double root = std::sqrt(1.0 - zeta * zeta);
    return 1.0 - std::exp(-zeta * omega * t) *
                     (std::cos(root * omega * t) + zeta / root * std::sin(root * omega * t));
}

/// The cube is drawn sideways by the hand, and hangs from it.
Measurement check_pull(const SceneRun& run)
{
    constexpr double mass = 8.0, stiffness = 2000.0, offset = 0.1;
    const double omega = std::sqrt(stiffness / mass);
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at("pulled.x"),
          &z = run.probes.at("pulled.z");
    MeasuredLine known{.name = "damped spring", .x = time, .y = {}, .is_reference = true};
    Worst worst;
    for (std::size_t k = 0; k < time.size(); ++k) {
        const double response = spring_response(omega, time[k]);
        known.y.push_back(offset * response);
        worst.add((x[k] - offset * response) / offset);
        worst.add((z[k] + g / (omega * omega) * response) / offset);
    }
    return with_chart(
        error_measurement(worst.value(), 0.01, "of the way, at all frames"),
        {"time", "s", "way sideways", "m", {{.name = "cube", .x = time, .y = x, .are_points = true}, known}});
}

Measurement check_hold(const SceneRun& run)
{
    constexpr std::uint64_t last_frame = 20;
    constexpr double frame_rate = 20.0, radius = 0.06;
    const Snapshot at_rest = run.frame("held", 0);
    Worst worst;
    for (std::uint64_t frame = 1; frame <= last_frame; ++frame) {
        const double t = static_cast<double>(frame) / frame_rate;
        const Vec<3> way(0.05 * std::sin(2.0 * pi * t), 0.0, 0.1 * t);
        const Snapshot now = run.frame("held", frame);
        for (std::size_t i = 0; i < at_rest.points.size(); ++i)
            if ((at_rest.points[i] - Vec<3>(1, 0, 0)).norm() < radius)
                worst.add((now.points[i] - at_rest.points[i] - way).norm());
    }
    return error_measurement(worst.value(), 1e-6, "frames are in float", "m");
}

/// A parabola; leapfrog's is exact, symplectic Euler's is that of half a step more.
Measurement check_fall(const SceneRun& run, double start, const Vec<3>& v, double half_step)
{
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at("late.x"),
          &z = run.probes.at("late.z");
    std::optional<double> x0;
    Worst worst;
    for (std::size_t k = 0; k < time.size(); ++k) {
        if (time[k] < start || (time[k] <= start && std::isnan(x[k]))) continue; // it is not there yet
        const double t = time[k] - start;
        if (!x0) x0 = x[k] - v[0] * t;
        worst.add(x[k] - *x0 - v[0] * t);
        worst.add(z[k] - (v[2] * t - g * t * (0.5 * t + half_step)));
    }
    return error_measurement(worst.value(), 1e-9, "at all frames", "m");
}

/// What was in the nozzle when it opened, and what came out of it until it closed.
Measurement check_tap(const SceneRun& run)
{
    constexpr double radius = 0.07, length = 0.1, speed = 2.0, open = 0.5, spacing = 0.02;
    double emitted = 0.0;
    for (const double count : run.stats.at("emitted")) emitted += count;
    const double expected = pi * radius * radius * (speed * open + 2.0 * length);
    return error_measurement(emitted * spacing * spacing * spacing / expected - 1.0, 0.02,
                             "a tap that is opened, moved and closed");
}

// Sittings

/// Writes down what was done to a scene.
using Recorder = std::function<Node(const LiveScene& live, const std::filesystem::path& folder)>;

Node record(const LiveScene& live, const std::filesystem::path& folder) { return live.recorded(folder); }

/// As a table for people would have them.
Node record_with_short_times(const LiveScene& live, const std::filesystem::path& folder)
{
    Node written = record(live, folder);
    for (Node& event : written.find("events")->items())
        event.set("time", std::round(1e4 * event.find("time")->number()) / 1e4);
    return written;
}

/// Stops a scene between frames, does something each time, and runs what was written down of it.
Measurement check_replay(const std::filesystem::path& scene, const Recorder& recorder)
{
    constexpr std::uint64_t last_frame = 12;
    LiveScene live(Scene::read(scene, standard_kinds()));
    auto& world = *std::get<std::unique_ptr<World<3>>>(live.built().world);
    int done = 0;
    while (world.frame() < last_frame) {
        int steps = 0;
        const bool reached = world.advance_frame([&] { return ++steps == 3 + 2 * done; });
        if (reached || done >= 6) continue;
        const double value = 0.5 * ++done;
        live.set({{"gravity[0]", Node(value)},
                  {"bodies.held.material.youngs_modulus", Node(1e6 * (1.0 + value))}});
    }
    const Node written = recorder(live, scene.parent_path());
    BuiltScene again =
        build_scene(Scene::parse(to_text(written), "sitting", scene.parent_path(), standard_kinds()));
    auto& replay = *std::get<std::unique_ptr<World<3>>>(again.world);
    while (replay.frame() < last_frame && replay.advance_frame()) {}
    return count_measurement(replay.state_hash() == world.state_hash() ? 0.0 : 1.0, "states",
                             std::to_string(done) + " changes between frames");
}

} // namespace

std::vector<Case> touch_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    add({{"V-T1/pull", "a hand that pulls is a damped spring at the centre of what it has",
          "m x'' = k (d - x) - c x' + m g, within 1 %"},
         "hands",
         check_pull,
         Fault::UndampedHand});
    add({{"V-T1/hold", "what a hand holds goes along with it", "its motion"},
         "hands",
         check_hold,
         Fault::HeldLate});
    add({{"V-T2/solid", "a solid that is dropped in falls from then on", "v t - g t²/2"},
         "hands",
         [](const SceneRun& run) { return check_fall(run, 0.25, Vec<3>(0.5, 0, 2), 0.0); },
         Fault::PositionBeforeVelocity});
    add({{"V-T2/fluid", "a fluid that is dropped in falls from then on", "v t - g t (t + dt) / 2"},
         "late_fluid",
         [](const SceneRun& run) { return check_fall(run, 0.2, Vec<3>(0.3, 0, 1), 0.5e-3); },
         Fault::PositionBeforeVelocity});
    add({{"V-T2/tap", "a tap that events open and close delivers its cross-section times its speed",
          "volume, within 2 %"},
         "late_fluid",
         check_tap,
         Fault::CrowdedEmitters});
    cases.push_back(make_case<Recorder>(
        {"V-T3/replay", "a sitting that is written down as a scene runs to the same bits",
         "the state of the sitting itself"},
        [scene = folder / "hands.json"](const Recorder& recorder) { return check_replay(scene, recorder); },
        record, "times of events written with four decimals", record_with_short_times));
    return cases;
}

} // namespace phyxel::detail
