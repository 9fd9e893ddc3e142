// SPDX-License-Identifier: MIT
// Fluids and solids that push each other: scenes of the folder, run as the command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/fluid/fluid_state.h>
#include <phyxel/verify/detail/draft_in_space.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/places.h>
#include <phyxel/verify/detail/probe_columns.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

/// How deep the box of coupled_float.json is in the water, whose level follows from its volume.
Measurement check_draft(const SceneRun& run)
{
    constexpr double width = 0.8, side = 0.2, spacing = 0.01, rho = 1000.0, rho_s = 500.0;
    const auto particles = static_cast<double>(run.last.at("water").points.size());
    const double volume = particles * fluid_part_model<2>(rho, spacing, 2.0).particle_mass / rho;
    const double level = (volume + rho_s / rho * side * side) / width;
    const double bottom = mean_from(run, "box.y", 3.0) - 0.5 * side;
    return {level - bottom, rho_s / rho * side, 0.03 * side, Bound::Near, "m", "mean of the last second"};
}

/// Largest change of the momentum of all bodies, relative to what it was.
Measurement check_momentum(const SceneRun& run)
{
    const auto momentum = [&](std::size_t frame) {
        return Vec<3>(run.stats.at("momentum_x")[frame], run.stats.at("momentum_y")[frame],
                      run.stats.at("momentum_z")[frame]);
    };
    const Vec<3> first = momentum(0);
    Worst worst;
    for (std::size_t k = 0; k < run.stats.at("momentum_x").size(); ++k)
        worst.add((momentum(k) - first).norm() / first.norm());
    return error_measurement(worst.value(), 1e-6);
}

Measurement check_plate(const SceneRun& run)
{
    constexpr double g = 9.81, E = 675e6, nu = 0.34, h = 0.05;
    const double D = E * h * h * h / (12.0 * (1.0 - nu * nu));
    const double w = g * (1000.0 * 2.0 + 2700.0 * h) / (384.0 * D);
    return {-1e3 * mean_from(run, "middle.y", 0.5),
            1e3 * w,
            0.08 * 1e3 * w,
            Bound::Near,
            "mm",
            "mean of the second half"};
}

/// Particles of the left that have come to the right of the middle of the wall, and the other way round.
Measurement check_wall_is_tight(const SceneRun& run)
{
    constexpr double middle = 0.205;
    const double wrong =
        points_outside(run.last.at("left").points, [](const Vec<3>& x) { return x[0] > middle; }) +
        points_outside(run.frame("right", 19).points, [](const Vec<3>& x) { return x[0] < middle; });
    return count_measurement(wrong, "particles",
                             "after a second with and one without "
                             "water on the right");
}

double mean_height(const Snapshot& frame)
{
    double sum = 0.0;
    for (const Vec<3>& x : frame.points) sum += x[1];
    return sum / static_cast<double>(frame.points.size());
}

/// What the level on the left has changed by since the water on the right is gone.
Measurement check_level(const SceneRun& run)
{
    constexpr double depth = 0.2;
    const double change = 2.0 * (mean_height(run.frame("left", 40)) - mean_height(run.frame("left", 20)));
    return error_measurement(change / depth, 0.01, "of the depth");
}

/// Particles beyond all phyxels in their direction from the middle of the ball.
Measurement check_ball(const SceneRun& run)
{
    const std::vector<Vec<3>>& ball = run.last.at("ball").points;
    Vec<3> center = Vec<3>::Zero();
    for (const Vec<3>& x : ball) center += x / static_cast<double>(ball.size());
    std::size_t outside = 0;
    for (const Vec<3>& x : run.last.at("water").points) {
        const double distance = (x - center).norm();
        outside += std::none_of(ball.begin(), ball.end(), [&](const Vec<3>& y) {
            const Vec<3> d = y - center;
            return d.norm() > distance && d.dot(x - center) > 0.9 * d.norm() * distance;
        });
    }
    return count_measurement(static_cast<double>(outside), "particles",
                             std::to_string(run.last.at("water").points.size()) + " in the ball");
}

} // namespace

std::vector<Case> coupled_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const Changes wcsph = {"bodies.drop.solver={\"type\": \"wcsph\", \"max_speed\": \"2 m/s\"}"};
    add({{"V-X/momentum/dfsph", "water that hits jelly takes and gives equal momentum", "1e-6"},
         "coupled_drop",
         check_momentum,
         Fault::HalvedReaction});
    add({{"V-X/momentum/wcsph", "water that hits jelly takes and gives equal momentum", "1e-6"},
         "coupled_drop",
         check_momentum,
         Fault::HalvedReaction,
         wcsph});
    add({{"V-X/float", "a soft box of half the density of water is half in it",
          "Archimedes, 3 % of the height", Tier::Full},
         "coupled_float",
         check_draft,
         Fault::HalvedReaction});
    add({{"V-X/float/space", "the same of a soft box in space", "Archimedes, 3 % of the height", Tier::Long},
         "coupled_raft",
         [](const SceneRun& run) { return draft_in_space(run, 500.0); },
         Fault::HalvedReaction,
         {"bodies.box.type=solid", "bodies.box.spacing=\"2 cm\"",
          R"(bodies.box.material={"density": 500, "youngs_modulus": "50 kPa", "poisson_ratio": 0.4})"}});
    add({{"V-X/plate", "a clamped plate sinks under water as the theory of plates says",
          "g (ρ_w H + ρ_s h) / (384 D), 8 % [FHLO17]", Tier::Full,
          KnownMiss{
              .measured = 7.53,
              .why = "Sound takes about as long up and down the water as the plate takes to swing, and the "
                     "two drive each other; with a compressibility of 0.002 it is 7.33 mm."}},
         "coupled_plate",
         check_plate,
         Fault::HalvedReaction});
    const auto add_gate = [&](const std::string& name, const std::string& claim,
                              const std::function<Measurement(const SceneRun&)>& measure,
                              Fault fault = Fault::HalvedReaction) {
        add({{"V-X/gate/" + name, claim, "experiment and codes [AGS07]", Tier::Full},
             "coupled_gate",
             measure,
             fault});
    };
    add_gate("peak_x", "how far water pushes an elastic gate open",
             [](const SceneRun& run) { return in_range(1e3 * peak_of(run, "tip.x").value, 36, 47, "mm"); });
    add_gate(
        "time", "when the gate is open furthest",
        [](const SceneRun& run) { return in_range(peak_of(run, "tip.x").time, 0.10, 0.17, "s"); },
        Fault::DoubledStress);
    add_gate("peak_y", "how far the end of the gate rises",
             [](const SceneRun& run) { return in_range(1e3 * peak_of(run, "tip.y").value, 12, 18, "mm"); });
    add_gate("late", "how far the gate is open when most of the water is gone",
             [](const SceneRun& run) { return in_range(1e3 * run.probes.at("tip.x").at(36), 24, 38, "mm"); });
    add({{"V-X/tight/wall", "nothing gets through a soft wall of two phyxels", "nothing", Tier::Full},
         "coupled_wall",
         check_wall_is_tight,
         Fault::NoHardWalls});
    add({{"V-X/level", "water beside a thin soft wall stays when the other side is drained",
          "1 % of its depth", Tier::Full,
          KnownMiss{.measured = 0.0143,
                    .spread = 0.03,
                    .why =
                        "The water still sloshes when the other side is drained: seven starts that differ by "
                        "1e-5 m/s and less end 0.2 to 4.2 % higher or lower."}},
         "coupled_wall",
         check_level,
         Fault::WallsAsHalfSpace});
    add({{"V-X/tight/ball", "a soft ball that is filled with water and dropped keeps it", "nothing",
          Tier::Full},
         "coupled_ball",
         check_ball,
         Fault::UncountedWalls});
    return cases;
}

} // namespace phyxel::detail
