// SPDX-License-Identifier: MIT
// Walls that nothing gets through, and emitters that deliver what they promise: scenes of the folder, run as
// the command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/places.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double pi = std::numbers::pi;

double sum_of(const std::vector<double>& values)
{
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum;
}

/// Particles of the last frame that are where they must not be, and those that were lost on the way.
Measurement particles_outside(const SceneRun& run, const std::function<bool(const Vec<3>&)>& is_outside)
{
    const std::vector<Vec<3>>& points = run.last.at("water").points;
    const auto percent = [&](const char* column) {
        return number_text(100.0 * largest_of(run.stats.at(column)), 2) + " %";
    };
    return count_measurement(
        points_outside(points, is_outside) + sum_of(run.stats.at("removed")), "particles",
        std::to_string(points.size()) + " particles, compressed by at most " + percent("density_error_mean") +
            " in the mean, " + percent("density_error_max") + " at worst");
}

bool is_out_of(const Vec<3>& x, const Vec<3>& min, const Vec<3>& max)
{
    return (x.array() < min.array()).any() || (x.array() > max.array()).any();
}

bool is_off_plate(const Vec<3>& x) { return is_out_of(x, {0.0, 0.0, 0.22}, {0.4, 0.4, 0.9}); }

/// The plates stand 5° to either side of the plane x = 0.
bool is_off_wedge(const Vec<3>& x)
{
    const double angle = 5.0 / 180.0 * pi;
    return std::abs(x[0]) * std::cos(angle) > x[2] * std::sin(angle) || x[1] < 0.0 || x[1] > 0.1;
}

/// At the end the piston has come 0.45 m.
bool is_behind_piston(const Vec<3>& x) { return is_out_of(x, {0.55, 0.0, 0.0}, {1.0, 0.2, 0.6}); }

/// It has turned by 15 rad about the y axis.
bool is_off_rotated_box(const Vec<3>& x)
{
    const double c = std::cos(15.0);
    const double s = std::sin(15.0);
    const Vec<3> at_rest(c * x[0] - s * x[2], x[1], s * x[0] + c * x[2]);
    return is_out_of(at_rest, {-0.2, -0.1, -0.2}, {0.2, 0.1, 0.2});
}

/// It has moved aside; flat facets cut a little off the sphere.
bool is_out_of_bowl(const Vec<3>& x)
{
    const Vec<3> center(0.05 * std::sin(12.5), 0.0, 0.0);
    return (x - center).norm() > 0.3 || x[2] > 0.0;
}

bool is_out_of_shaft(const Vec<3>& x) { return is_out_of(x, {0.0, 0.0, 0.0}, {0.4, 0.4, 5.4}); }

// Emitters

/// A stream of the scene `emitters`.
struct Stream {
    std::string body;
    double cross_section; ///< [m²]
    double speed;         ///< [m/s]
};

const std::array<Stream, 4> streams = {{{"round", pi * 0.05 * 0.05, 1.0},
                                        {"square", 0.1 * 0.1, 1.5},
                                        {"ball", pi * 0.07 * 0.07, 1.0},
                                        {"oblique", pi * 0.06 * 0.06, 1.0}}};

/// From 0.6 s to 1.5 s all of them are open.
Measurement rate_of_streams(const SceneRun& run)
{
    constexpr std::uint64_t first = 6;
    constexpr std::uint64_t last = 15;
    constexpr double frame_time = 0.1;
    constexpr double rho_0 = 998.2;
    const double volume = fluid_part_model<3>(rho_0, 0.02, 2.0).particle_mass / rho_0;
    Worst worst;
    for (const Stream& stream : streams) {
        const auto count = static_cast<double>(run.frame(stream.body, last).points.size()) -
                           static_cast<double>(run.frame(stream.body, first).points.size());
        const double time = frame_time * static_cast<double>(last - first);
        worst.add(count * volume / (stream.cross_section * stream.speed * time) - 1.0);
    }
    return error_measurement(worst.value(), 0.02, "worst of four shapes");
}

} // namespace

std::vector<Case> tight_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](const std::string& name, const std::string& claim, const std::string& scene,
                         bool (*is_outside)(const Vec<3>&)) {
        cases.push_back(make_scene_case(
            folder, {{"V-F/tight/" + name, claim, "nothing, after 5 s", Tier::Full},
                     scene,
                     [is_outside](const SceneRun& run) { return particles_outside(run, is_outside); },
                     Fault::ReversedHardWalls}));
    };
    add("plate", "a jet does not get through a plate one spacing thick", "tight_plate", is_off_plate);
    add("wedge", "water stays between plates that meet at 10 degrees", "tight_wedge", is_off_wedge);
    add("piston", "water stays in front of a piston", "tight_piston", is_behind_piston);
    add("rotating_box", "water stays in a box that turns", "tight_rotating_box", is_off_rotated_box);
    add("bowl", "water stays in a bowl that is an open mesh", "tight_bowl", is_out_of_bowl);
    add("fall", "water that falls ten times as deep stays on the floor", "tight_fall", is_out_of_shaft);
    cases.push_back(make_scene_case(
        folder, {{"V-F/emitters/rate", "emitters deliver their cross-section times their speed",
                  "discs, a square, a ball and an oblique disc, within 2 %"},
                 "emitters",
                 rate_of_streams,
                 Fault::CrowdedEmitters}));
    return cases;
}

} // namespace phyxel::detail
