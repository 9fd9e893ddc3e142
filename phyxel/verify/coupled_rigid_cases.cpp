// SPDX-License-Identifier: MIT
// Rigid bodies that push fluids and solids and are pushed by them: scenes of the folder, run as the command
// runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/verify/detail/draft_in_space.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/places.h>
#include <phyxel/verify/detail/probe_columns.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double g = 9.81;
constexpr double water_density = 1000.0;

/// That of the water of a flat scene, on a length of 1 m.
double volume_of_water(const SceneRun& run, double spacing)
{
    const auto particles = static_cast<double>(run.last.at("water").points.size());
    return particles * fluid_part_model<2>(water_density, spacing, 2.0).particle_mass / water_density;
}

/// How deep the box of coupled_box.json is in the water, whose level follows from its volume.
Measurement check_draft_of_box(const SceneRun& run, double density)
{
    constexpr double tank = 0.8, width = 0.36, height = 0.2, spacing = 0.01;
    const double draft = density / water_density * height;
    const double level = (volume_of_water(run, spacing) + draft * width) / tank;
    const double bottom = mean_from(run, "box.y", 2.0) - 0.5 * height;
    return {level - bottom, draft, 0.03 * height, Bound::Near, "m", "mean of the second half"};
}

/// The share of the box of coupled_box.json that is under water.
Measurement check_share_under_water(const SceneRun& run)
{
    constexpr double height = 0.2;
    return {check_draft_of_box(run, 500.0).measured / height, 0.5, 0.05};
}

/// What the pegs of coupled_weight.json carry: a box and a part of its stem are in water.
Measurement check_weight(const SceneRun& run)
{
    constexpr double tank = 0.8, spacing = 0.01, density = 1500.0;
    constexpr double box = 0.2 * 0.2, stem = 0.02, above_box = 0.4, bars = 0.3 * stem + 0.2 * 0.02;
    const double level = (volume_of_water(run, spacing) + box - stem * above_box) / (tank - stem);
    const double displaced = box + stem * (level - above_box);
    const double expected = g * (density * (box + bars) - water_density * displaced);
    const double found = -mean_from(run, "left.y", 1.0) - mean_from(run, "right.y", 1.0);
    return {found, expected, 0.05 * expected, Bound::Near, "N"};
}

// Added mass

/// Of a cylinder that moves up in the middle of the water of a tank of that width and depth, over the mass of
/// the water it displaces: 1 in infinite water, and what its images in the walls, the floor and the surface
/// change. A doublet of strength U a² moves the water beside it by −U a² cos 2θ / r² upwards; images in walls
/// and floor keep the flow along them, those in the surface are of the opposite kind; all of a row have the
/// same sign, and Σ_n Re (n L + i y)⁻² = −(π/L)² / sinh²(π y/L).
double added_mass_of_cylinder(double radius, double width, double depth)
{
    const double row = std::pow(std::numbers::pi / width, 2);
    double velocity = -row / 3.0; // of the images beside it
    for (int n = 1; n <= 20; ++n)
        // In the floor and the surface by turns, from half-way between them.
        for (const bool is_below : {true, false}) {
            // Below: floor (−1), then floor and surface (−1), … : every floor turns it round.
            const int floors = is_below ? (n + 1) / 2 : n / 2;
            const double sign = floors % 2 == 0 ? 1.0 : -1.0;
            velocity += sign * row / std::pow(std::sinh(std::numbers::pi * n * depth / width), 2);
        }
    return 1.0 - 2.0 * radius * radius * velocity;
}

/// The same of a ball in a tank with a square floor: U a³ (3 cos² θ − 1) / (2 r³), and [Lamb32, §92].
double added_mass_of_ball(double radius, double width, double depth)
{
    double velocity = 0.0;
    constexpr int most = 20;
    for (int n = -most; n <= most; ++n) {
        const int order = std::abs(n);
        const int floors = n < 0 ? (order + 1) / 2 : order / 2;
        const double sign = floors % 2 == 0 ? 1.0 : -1.0;
        for (int i = -most; i <= most; ++i)
            for (int j = -most; j <= most; ++j) {
                if (n == 0 && i == 0 && j == 0) continue;
                const Vec<3> r(i * width, j * width, n * depth);
                const double c = r[2] / r.norm();
                velocity += sign * (3.0 * c * c - 1.0) / (2.0 * std::pow(r.norm(), 3));
            }
    }
    return 0.5 - 1.5 * std::pow(radius, 3) * velocity;
}

/// Of a body of half the density of water, which has hardly moved: its speed over the time since it was let
/// go.
Measurement check_added_mass(const SceneRun& run, const std::string& column, double released, double added)
{
    constexpr double density = 500.0, after = 0.05;
    const std::vector<double>&time = run.probes.at("time"), &speed = run.probes.at(column);
    const auto k = static_cast<std::size_t>(
        std::lower_bound(time.begin(), time.end(), released + after - 1e-9) - time.begin());
    const double expected = g * (water_density - density) / (density + added * water_density);
    return {
        speed.at(k) / (time.at(k) - released), expected, 0.08 * expected, Bound::Near, "m/s²", "over 50 ms"};
}

// A cylinder that falls in

struct DepthPoint {
    double time, depth; ///< t √(g/D) and depth over D
};

/// Largest relative error of the depth of the cylinder since it touched the water, of times up to 1.3.
Measurement check_entry(const SceneRun& run, const std::vector<DepthPoint>& reference)
{
    constexpr double diameter = 0.11;
    const std::vector<double>&time = run.probes.at("time"), &y = run.probes.at("cylinder.y");
    MeasuredLine found{.name = "Phyxel", .x = {}, .y = {}};
    MeasuredLine known{
        .name = "boundary elements", .x = {}, .y = {}, .is_reference = true, .are_points = true};
    for (std::size_t k = 0; k < time.size(); ++k) {
        found.x.push_back(time[k] * std::sqrt(g / diameter));
        found.y.push_back((y.front() - y[k]) / diameter);
    }
    Worst worst;
    for (const auto& [t, depth] : reference) {
        known.x.push_back(t);
        known.y.push_back(depth);
        const auto after = std::lower_bound(found.x.begin(), found.x.end(), t) - found.x.begin();
        if (after == 0 || after >= static_cast<std::ptrdiff_t>(found.x.size())) {
            worst.add_missing();
            continue;
        }
        const auto k = static_cast<std::size_t>(after);
        const double s = (t - found.x[k - 1]) / (found.x[k] - found.x[k - 1]);
        worst.add(((1.0 - s) * found.y[k - 1] + s * found.y[k]) / depth - 1.0);
    }
    return with_chart(error_measurement(worst.value(), 0.1),
                      {"t √(g/D)", "", "depth / D", "", {found, known}});
}

// Momentum

/// Largest change of the momentum of two bodies, over the sum of their sizes; they must have met.
Measurement check_momentum_of_two(const SceneRun& run, const std::string& one, const std::string& other)
{
    const auto momentum = [&](const std::string& body, std::size_t k) {
        return Vec<3>(run.probes.at(body + ".x")[k], run.probes.at(body + ".y")[k],
                      run.probes.at(body + ".z")[k]);
    };
    const std::size_t count = run.probes.at("time").size();
    const Vec<3> first = momentum(one, 0) + momentum(other, 0);
    const bool have_met = momentum(other, count - 1).norm() > 0.1 * first.norm();
    Worst change;
    Largest scale;
    for (std::size_t k = 0; have_met && k < count; ++k) {
        change.add((momentum(one, k) + momentum(other, k) - first).norm());
        scale.add(momentum(one, k).norm() + momentum(other, k).norm());
    }
    return error_measurement(change.value() / scale.value(), 1e-6, "of Σ |m v|");
}

// A column that falls on an elastic plate

/// When the end of the plate of coupled_obstacle.json begins to move (by a tenth of a spacing of the water),
/// how far it goes and when: each from the middle of its range, over half of that. The time of the peak by
/// itself depends little on any one ingredient.
Measurement check_bending(const SceneRun& run)
{
    constexpr double moved = 0.4e-3;
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at("tip.x");
    const auto found = std::find_if(x.begin(), x.end(), [](double value) { return std::abs(value) > moved; });
    const double impact = found == x.end() ? std::nan("") : time[static_cast<std::size_t>(found - x.begin())];
    const Peak peak = peak_of(run, "tip.x");
    Worst worst;
    worst.add((impact - 0.135) / 0.015);
    worst.add((1e3 * peak.value - 46.5) / 5.5);
    worst.add((peak.time - 0.235) / 0.035);
    return error_measurement(worst.value(), 1.0,
                             "impact " + number_text(impact, 3) + " s, peak " +
                                 number_text(1e3 * peak.value, 3) + " mm at " + number_text(peak.time, 3) +
                                 " s",
                             "half ranges");
}

// Tightness

/// Where the particles of a frame are as a body saw them that has turned about `center` since the start.
template <class Visit>
void seen_from_body(const SceneRun& run, std::uint64_t frame, const std::string& probe, double turned,
                    const Visit& visit)
{
    const Vec<2> first(run.probes.at(probe + ".x").front(), run.probes.at(probe + ".y").front());
    const Vec<2> now(run.probes.at(probe + ".x").at(frame), run.probes.at(probe + ".y").at(frame));
    const Mat<2> back = rotation_by(Angles<2>(-turned));
    const Snapshot snapshot = run.frame("water", frame);
    for (std::size_t i = 0; i < snapshot.points.size(); ++i) {
        const Vec<2> x = snapshot.points[i].head<2>();
        visit(i, Vec<2>(first + back * (x - now)));
    }
}

/// Particles that were ever in the walls of coupled_cup.json. None is so fast that it could pass them
/// between two frames.
double through_cup(const SceneRun& run)
{
    constexpr double thickness = 0.02;
    std::size_t wrong = 0;
    std::vector<Vec<2>> before;
    const auto frames = static_cast<std::uint64_t>(run.probes.at("time").size());
    for (std::uint64_t frame = 0; frame < frames; ++frame) {
        std::vector<Vec<2>> now;
        double farthest = 0.0;
        seen_from_body(run, frame, "cup", run.probes.at("turned.z")[frame],
                       [&](std::size_t i, const Vec<2>& x) {
                           const bool is_within = std::abs(x[0]) < 0.12 && x[1] > 0.3 && x[1] < 0.56;
                           const bool is_in_hollow = std::abs(x[0]) < 0.1 && x[1] > 0.32;
                           if (!x.allFinite() || (is_within && !is_in_hollow)) ++wrong;
                           if (i < before.size()) farthest = std::max(farthest, (x - before[i]).norm());
                           now.push_back(x);
                       });
        if (farthest > thickness) throw Diverged("particles are too fast to be followed");
        before = std::move(now);
    }
    return before.empty() ? std::nan("") : static_cast<double>(wrong);
}

/// Particles that were ever outside the hollow of coupled_flask.json.
double through_flask(const SceneRun& run)
{
    std::size_t wrong = 0, count = 0;
    const auto frames = static_cast<std::uint64_t>(run.probes.at("time").size());
    for (std::uint64_t frame = 0; frame < frames; ++frame)
        seen_from_body(run, frame, "box", run.probes.at("turned.z")[frame],
                       [&](std::size_t, const Vec<2>& x) {
                           ++count;
                           if (!(std::abs(x[0]) < 0.1 && x[1] > 0.42 && x[1] < 0.62)) ++wrong;
                       });
    return count > 0 ? static_cast<double>(wrong) : std::nan("");
}

/// Particles of coupled_rigid_wall.json on the wrong side of the middle of the wall, before and after the
/// water on the right is gone.
double through_wall(const SceneRun& run)
{
    constexpr double middle = 0.205;
    const auto left = [&](const Vec<3>& x) { return x[0] > middle; };
    return points_outside(run.last.at("left").points, left) +
           points_outside(run.frame("left", 19).points, left) +
           points_outside(run.frame("right", 19).points, [&](const Vec<3>& x) { return x[0] < middle; });
}

// Friction

/// Acceleration of the soft block of coupled_slope.json down the slope, as a share of Coulomb's.
Measurement check_soft_slope(const SceneRun& run)
{
    constexpr double mass = 4.0, angle = std::numbers::pi / 6, mu = 0.3;
    const double expected = g * (std::sin(angle) - mu * std::cos(angle));
    const std::vector<double>&time = run.probes.at("time"), &momentum = run.probes.at("momentum.x");
    // The line through the origin that fits the speed best.
    double along = 0.0, square = 0.0;
    for (std::size_t k = 0; k < time.size(); ++k) {
        along += time[k] * momentum[k] / mass;
        square += time[k] * time[k];
    }
    return {along / square / expected, 1.0, 0.01, Bound::Near, "1"};
}

} // namespace

std::vector<Case> coupled_rigid_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const auto with_wcsph = [](const std::string& body, const std::string& speed) {
        return Changes{"bodies." + body + ".solver={\"type\": \"wcsph\", \"max_speed\": \"" + speed + "\"}"};
    };

    for (const double density : {300.0, 500.0, 800.0})
        for (const bool is_wcsph : {false, true}) {
            const std::string text = std::to_string(static_cast<int>(density));
            Changes changes;
            if (is_wcsph) changes = with_wcsph("water", "2 m/s");
            changes.push_back("bodies.box.material.density=" + text);
            add({{"V-X/draft/" + text + (is_wcsph ? "/wcsph" : "/dfsph"),
                  "a rigid box is as deep in water as its density says", "Archimedes, 3 % of the height",
                  Tier::Full},
                 "coupled_box",
                 [density](const SceneRun& run) { return check_draft_of_box(run, density); },
                 Fault::HalvedReaction,
                 changes});
            if (is_wcsph) continue; // these take minutes
            add({{"V-X/draft/space/" + text + "/dfsph", "the same in space", "Archimedes, 3 % of the height",
                  Tier::Long},
                 "coupled_raft",
                 [density](const SceneRun& run) { return draft_in_space(run, density); },
                 Fault::HalvedReaction,
                 std::move(changes)});
        }
    add({{"V-F9", "a rigid box of half the density of water is half in it", "Archimedes", Tier::Full},
         "coupled_box",
         check_share_under_water,
         Fault::HalvedReaction,
         {"bodies.box.material.density=500"}});
    add({{"V-X/weight", "water carries of a heavy body the weight of the water in its place",
          "Archimedes, 5 %", Tier::Full},
         "coupled_weight",
         check_weight,
         Fault::HalvedReaction});

    add({{"V-X/added_mass/cylinder", "a cylinder that is let go in water carries some of it along",
          "g (ρ − ρ_s) / (ρ_s + C ρ), 8 % [Lamb32]", Tier::Full},
         "coupled_cylinder",
         [](const SceneRun& run) {
             return check_added_mass(run, "cylinder.y", 0.5, added_mass_of_cylinder(0.1, 1.0, 1.0));
         },
         Fault::NoResponse});
    const auto add_ball = [&](CaseInfo info, Changes changes) {
        add({std::move(info), "coupled_sphere",
             [](const SceneRun& run) {
                 return check_added_mass(run, "ball.z", 0.3, added_mass_of_ball(0.1, 0.6, 0.6));
             },
             Fault::HalvedReaction, std::move(changes)});
    };
    add_ball(
        {"V-X/added_mass/ball", "a ball that is let go in water carries some of it along",
         "g (ρ − ρ_s) / (ρ_s + C ρ), 8 % [Lamb32]", Tier::Full,
         KnownMiss{.measured = 4.346, .why = "It is ten spacings thick only; with sixteen it is 4.53 m/s²."}},
        {});
    add_ball({"V-X/added_mass/ball/fine", "the same of a ball that is sixteen spacings thick",
              "g (ρ − ρ_s) / (ρ_s + C ρ), 8 % [Lamb32]", Tier::Long},
             {"spacing=\"1.25 cm\"", "duration=0.36"});

    add({{"V-X/block", "how high a block comes up that is let go at the bottom", "experiment [WCH*14; QLH17]",
          Tier::Full,
          KnownMiss{.measured = 13.13,
                    .why = "The block does not come up from the floor: a film of one or two layers of "
                           "particles does not let more in. From six layers above the floor it comes up, "
                           "but slowly, and to 43 mm. So there is no time and no period to measure."}},
         "coupled_block",
         [](const SceneRun& run) {
             return in_range(1e3 * peak_of(run, "block.y", 0.0, 0.5).value, 47, 55, "mm");
         },
         Fault::HalvedReaction});

    const auto add_entry = [&](const std::string& name, const std::string& density,
                               const std::vector<DepthPoint>& reference) {
        add({{"V-X/entry/" + name, "how deep a cylinder is that falls into water",
              "boundary elements, 10 % [GL83]", Tier::Full},
             "coupled_entry",
             [reference](const SceneRun& run) { return check_entry(run, reference); },
             Fault::HalvedReaction,
             {"bodies.cylinder.material.density=" + density}});
    };
    add_entry(
        "light", "500",
        {{0.15, 0.26}, {0.32, 0.53}, {0.50, 0.77}, {0.67, 0.96}, {0.84, 1.13}, {1.08, 1.34}, {1.28, 1.48}});
    add_entry("neutral", "1000", {{0.25, 0.55}, {0.45, 0.89}, {0.71, 1.32}, {0.97, 1.70}, {1.27, 2.09}});

    for (const bool is_wcsph : {false, true})
        add({{std::string("V-X/rigid_momentum/") + (is_wcsph ? "wcsph" : "dfsph"),
              "water that hits a rigid ball takes and gives equal momentum", "1e-6 of Σ |m v|"},
             "coupled_rigid_drop",
             [](const SceneRun& run) { return check_momentum_of_two(run, "drop", "ball"); },
             Fault::HalvedReaction,
             is_wcsph ? with_wcsph("drop", "2 m/s") : Changes{}});
    add({{"V-X/rigid_momentum/leapfrog", "jelly that hits a rigid ball takes and gives equal momentum",
          "1e-6 of Σ |m v|"},
         "coupled_jelly",
         [](const SceneRun& run) { return check_momentum_of_two(run, "jelly", "ball"); },
         Fault::HalvedFormReaction});

    add({{"V-X/obstacle", "water that falls bends an elastic plate",
          "codes [IMLO08]: 0.12 to 0.15 s, 41 to 52 mm, 0.20 to 0.27 s", Tier::Full},
         "coupled_obstacle",
         check_bending,
         Fault::HalvedReaction});

    cases.push_back(make_case<SceneIngredients>(
        {"V-X/tight/rigid", "nothing gets through a rigid cup that is tipped, a box that tumbles, a wall",
         "nothing", Tier::Full},
        [folder](const SceneIngredients& with) {
            const auto run = [&](const char* scene) {
                return run_scene(folder / scene, with.settings, with.fault);
            };
            return count_measurement(through_cup(*run("coupled_cup.json")) +
                                         through_flask(*run("coupled_flask.json")) +
                                         through_wall(*run("coupled_rigid_wall.json")),
                                     "particles", "of three scenes");
        },
        {}, std::string(info_of(Fault::UncountedWalls).what), {{}, Fault::UncountedWalls}));

    add({{"V-X/friction", "a soft block slides down a rigid slab that is held", "g (sin θ − μ cos θ), 1 %",
          Tier::Full},
         "coupled_slope",
         check_soft_slope,
         Fault::FrictionBySpeed});
    return cases;
}

} // namespace phyxel::detail
