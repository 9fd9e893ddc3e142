// SPDX-License-Identifier: MIT
// V-F3, V-F4, V-F8 and others: flows of which a solution, an experiment or an invariant is known, run as the
// command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/triangle_mesh.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/particle_surface.h>
#include <phyxel/verify/detail/dam_front.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double g = 9.81;
constexpr double rho_0 = 1000.0;
constexpr double pi = std::numbers::pi;

/// A number that was sampled at every step. Each value is that of the step that ends at its time, so means
/// are weighted with the lengths of the steps: what a short step before a frame finds counts for little.
class Signal {
public:
    Signal(const std::vector<double>& time, const std::vector<double>& value) : time_(time), sum_(time.size())
    {
        for (std::size_t k = 1; k < time.size(); ++k)
            sum_[k] = sum_[k - 1] + value[k] * (time[k] - time[k - 1]);
    }

    double mean(double from, double to) const { return (sum_at(to) - sum_at(from)) / (to - from); }
    const std::vector<double>& time() const { return time_; }

private:
    double sum_at(double t) const
    {
        if (t <= time_.front()) return sum_.front();
        if (t >= time_.back()) return sum_.back();
        const auto k =
            static_cast<std::size_t>(std::upper_bound(time_.begin(), time_.end(), t) - time_.begin());
        const double s = (t - time_[k - 1]) / (time_[k] - time_[k - 1]);
        return (1.0 - s) * sum_[k - 1] + s * sum_[k];
    }

    std::vector<double> time_;
    std::vector<double> sum_; ///< ∫ value dt
};

/// Slope and value at 0 of the straight line through (x, y) with the least squares of errors.
std::pair<double, double> straight_line(const std::vector<double>& x, const std::vector<double>& y)
{
    const auto n = static_cast<double>(x.size());
    double sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        sx += x[k];
        sy += y[k];
        sxx += x[k] * x[k];
        sxy += x[k] * y[k];
    }
    const double slope = (n * sxy - sx * sy) / (n * sxx - sx * sx);
    return {slope, (sy - slope * sx) / n};
}

// V-F3: pressure

/// The column of hydrostatic.json: 20 gauges along its middle, one for each layer that there was at the
/// start.
struct Column {
    static constexpr double height = 0.5, spacing = 0.025, settled = 1.0;
    static constexpr int layers = 20;
    std::vector<double> z, p; ///< in order of height; p is the mean from `settled` on

    explicit Column(const SceneRun& run)
    {
        const std::vector<double>& t = run.probes.at("time");
        for (int k = 0; k < layers; ++k) {
            z.push_back((k + 0.5) * spacing);
            p.push_back(Signal(t, run.probes.at("depth[" + std::to_string(k) + "]")).mean(settled, t.back()));
        }
    }

    /// Without the layers next to the floor and to the free surface.
    Column middle() const
    {
        Column inner = *this;
        inner.z.clear();
        inner.p.clear();
        for (std::size_t k = 0; k < z.size(); ++k)
            if (z[k] > 0.15 * height && z[k] < 0.85 * height) {
                inner.z.push_back(z[k]);
                inner.p.push_back(p[k]);
            }
        return inner;
    }
};

const std::string hydrostatics = "p = rho g (H - z), mean over time";

Measurement slope_of_pressure(const SceneRun& run)
{
    const Column middle = Column(run).middle();
    return {straight_line(middle.z, middle.p).first / (-rho_0 * g), 1.0, 0.05, Bound::Near, "rho g"};
}

Measurement error_of_pressure(const SceneRun& run)
{
    const Column middle = Column(run).middle();
    double sum = 0.0;
    for (std::size_t k = 0; k < middle.z.size(); ++k)
        sum += std::pow(middle.p[k] - rho_0 * g * (Column::height - middle.z[k]), 2);
    const double error = std::sqrt(sum / static_cast<double>(middle.z.size()));
    return error_measurement(error / (rho_0 * g * Column::height), 0.06, "root mean square, of rho g H");
}

// V-F8: flow between plates

/// Speed at height y between plates at 0 and L, a time t after a force F per mass has begun to pull: a
/// parabola less the modes that have not decayed yet [MFZ97].
double speed_between_plates(double y, double t)
{
    constexpr double L = 1e-3, nu = 1e-6, F = 1e-4;
    double v = F / (2.0 * nu) * y * (L - y);
    for (int k = 1; k < 200; k += 2)
        v -= 4.0 * F * L * L / (nu * std::pow(pi * k, 3)) * std::sin(pi * k * y / L) *
             std::exp(-nu * std::pow(pi * k / L, 2) * t);
    return v;
}

/// Largest error of any particle at any of five times, relative to the fastest at that time.
Measurement profile_between_plates(const SceneRun& run)
{
    constexpr double frame_rate = 40.0;
    Worst worst;
    for (const double t : {0.025, 0.05, 0.1, 0.25, 1.0}) {
        const Snapshot water = run.frame("water", static_cast<std::uint64_t>(std::lround(frame_rate * t)));
        const auto& velocity = std::get<std::vector<float>>(water.find("velocity")->values);
        for (std::size_t i = 0; i < water.points.size(); ++i)
            worst.add((static_cast<double>(velocity[3 * i]) - speed_between_plates(water.points[i][1], t)) /
                      speed_between_plates(0.5e-3, t));
    }
    return error_measurement(worst.value(), 0.03, "of the largest speed, worst particle of 5 times");
}

// Taylor and Green's vortices

/// Rate at which speed decays, from the kinetic energy of all frames.
Measurement decay_of_vortices(const SceneRun& run, double tolerance)
{
    std::vector<double> logarithm;
    for (const double energy : run.stats.at("kinetic_energy")) logarithm.push_back(0.5 * std::log(energy));
    constexpr double nu = 0.01, wave_number = 2.0 * pi;
    const double expected = 2.0 * nu * wave_number * wave_number;
    return {-straight_line(run.stats.at("time"), logarithm).first, expected, tolerance * expected,
            Bound::Near, "1/s"};
}

/// Radius of the largest circle without a particle in any frame, in spacings. A lattice has 0.71, one with a
/// particle missing has 1.
Measurement hole_between_particles(const SceneRun& run, int particles_a_side)
{
    const double spacing = 1.0 / particles_a_side, margin = 3.0 * spacing;
    double largest = 0.0;
    for (std::uint64_t number = 0; number <= run.report.frame; ++number) {
        std::vector<Vec<2>> points; // and their images within the margin
        for (const Vec<3>& x : run.frame("water", number).points)
            for (int i = -1; i <= 1; ++i)
                for (int j = -1; j <= 1; ++j) {
                    const Vec<2> image(x[0] - std::floor(x[0]) + i, x[1] - std::floor(x[1]) + j);
                    if (image.minCoeff() > -margin && image.maxCoeff() < 1.0 + margin)
                        points.push_back(image);
                }
        std::vector<Vec<2>> places;
        const int finer = 4 * particles_a_side;
        for (int i = 0; i < finer; ++i)
            for (int j = 0; j < finer; ++j) places.emplace_back((i + 0.5) / finer, (j + 0.5) / finer);
        const auto nearest = KdTree<2>(points).nearest(std::span<const Vec<2>>(places), 1);
        for (std::size_t k = 0; k < places.size(); ++k)
            largest = std::max(largest, (points[nearest.of(static_cast<Index>(k))[0].id] - places[k]).norm());
    }
    return {largest / spacing, 1.0, 0.0, Bound::AtMost, "spacings", "radius of the largest empty circle"};
}

// V-F4 in space

/// The moving particle semi-implicit method [KO96], which is incompressible and without
/// friction too.
Measurement front_against_incompressible(const SceneRun& run)
{
    constexpr std::array<FrontPoint, 9> computed = {{{0.591, 1.205},
                                                     {0.778, 1.351},
                                                     {0.958, 1.512},
                                                     {1.226, 1.771},
                                                     {1.536, 2.100},
                                                     {1.858, 2.480},
                                                     {2.278, 3.004},
                                                     {2.604, 3.481},
                                                     {2.943, 3.997}}};
    return error_measurement(front_error(run, computed), 0.05, "largest of 9 times up to T = 2.9");
}

// SPHERIC Test 2: a dam break against a box [KFV05]

/// Pressure on a part of the face of the box: the force on it over its area. The particles next to the part
/// would tell the pressure too, but less well where few of them meet it.
Signal pressure_on_box(const SceneRun& run, const std::string& gauge, double height)
{
    constexpr double width = 0.32;
    std::vector<double> pressure = run.probes.at(gauge + ".x");
    for (double& p : pressure) p /= width * height;
    return {run.probes.at("time"), pressure};
}

constexpr double gauge_time = 5e-3; ///< over which pressures are averaged [s]
constexpr double water_depth = 0.55;

/// When the pressure along P1, at the foot of the box, passes half of the peak that was measured: at
/// t √(g/H) = 1.679 between two points of the digitised record, (1.678, 0.909) and (1.684, 1.435) ρgH, peak
/// 2.022.
Measurement arrival_at_box(const SceneRun& run)
{
    constexpr int gauges = 11;
    std::vector<double> mean(run.probes.at("time").size(), 0.0);
    for (int n = 0; n < gauges; ++n) {
        const std::vector<double>& p = run.probes.at("foot[" + std::to_string(n) + "]");
        for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += p[k] / gauges;
    }
    const Signal p(run.probes.at("time"), mean);
    const double half_peak = 0.5 * 2.022 * rho_0 * g * water_depth;
    const double expected = 1.679 * std::sqrt(water_depth / g);
    for (const double t : p.time())
        if (p.mean(t - 0.5 * gauge_time, t + 0.5 * gauge_time) > half_peak)
            return {t, expected, 0.05 * expected, Bound::Near, "s"};
    return {std::nan(""), expected, 0.05 * expected, Bound::Near, "s", "P1 stays below half of the peak"};
}

/// Largest pressure on a part of the face, in terms of ρgH.
Measurement peak_on_box(const SceneRun& run, const std::string& gauge, double height, double peak_measured,
                        double tolerance)
{
    const double expected = peak_measured * rho_0 * g * water_depth;
    const Signal p = pressure_on_box(run, gauge, height);
    double peak = 0.0, when = 0.0;
    for (const double t : p.time()) {
        const double mean = p.mean(t - 0.5 * gauge_time, t + 0.5 * gauge_time);
        if (mean > peak) std::tie(peak, when) = std::pair(mean, t);
    }
    return {peak, expected, tolerance * expected, Bound::Near, "Pa", "at " + number_text(when, 3) + " s"};
}

/// At P1, at the foot of the box. Particles of 2 cm arrive there in layers 7 ms apart, each with a blow.
Measurement peak_at_foot(const SceneRun& run) { return peak_on_box(run, "P1", 0.042, 2.022, 0.3); }

/// At P3, 10 cm above the floor.
Measurement peak_above(const SceneRun& run) { return peak_on_box(run, "P3", 0.04, 1.217, 0.3); }

// Sloshing

/// Volume inside of the extracted surface against that of the water, over all frames. The surface of a block
/// of water rounds its edges, so it begins a little too small.
Measurement volume_of_surface(const SceneRun& run)
{
    constexpr double spacing = 0.02, water = 1.0 * 0.5 * 0.4;
    Worst worst;
    for (std::uint64_t number = 0; number <= run.report.frame; ++number) {
        const ParticleSurface surface = extract_surface(run.frame("water", number).points, {}, spacing);
        worst.add(signed_volume(surface.mesh) / water - 1.0);
    }
    const std::string frames = std::to_string(run.report.frame + 1);
    return {worst.value(), 0.0, 0.01, Bound::Near, "1", "farthest of " + frames + " frames"};
}

} // namespace

std::vector<Case> flow_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const Changes dfsph = {R"(bodies.water.solver={"type": "dfsph"})"};
    const bool slow = false;

    for (const auto& [solver, settings] : {std::pair(std::string("wcsph"), Changes{}), {"dfsph", dfsph}}) {
        add({{"V-F3/slope/" + solver, "pressure grows with depth as the weight of the water", hydrostatics},
             "hydrostatic",
             slope_of_pressure,
             "gravity a tenth too large",
             {"gravity=[0, -10.8]"},
             settings});
        add({{"V-F3/pressure/" + solver, "pressure is the weight of the water above", hydrostatics},
             "hydrostatic",
             error_of_pressure,
             "gravity a fifth too large",
             {"gravity=[0, -11.8]"},
             settings});
    }

    const std::string viscous_wcsph = R"(bodies.water.solver={"type": "wcsph", "max_speed": 2e-5, )"
                                      R"("velocity_smoothing": 0, "artificial_viscosity": 0})";
    for (const auto& [solver, settings] :
         {std::pair(std::string("dfsph"), Changes{}), {"wcsph", {viscous_wcsph}}})
        add({{"V-F8/poiseuille/" + solver, "water between plates flows as a series of modes says",
              "series, 20 particles across, within 3 %"},
             "poiseuille",
             profile_between_plates,
             "plates along which water slips",
             {"domain.surface=slip", "bodies.water.solver.max_speed=1e-3"},
             settings});

    for (const auto& [side, tolerance, quick] : {std::tuple(50, 0.05, true), std::tuple(100, 0.03, slow)}) {
        const std::string size = std::to_string(side);
        const Changes spacing = {"spacing=" + number_text(1.0 / side)};
        add({{"V-F/taylor_green/rate/" + size, "vortices decay by viscosity alone",
              "speed ~ exp(-8 pi^2 nu t / L^2), within " + number_text(100 * tolerance) + " %", quick},
             "taylor_green",
             [tolerance](const SceneRun& run) { return decay_of_vortices(run, tolerance); },
             "particles that are not shifted",
             {"bodies.water.solver.particle_shifting=0"},
             spacing});
        add({{"V-F/taylor_green/holes/" + size, "no hole opens between the particles",
              "a lattice with one particle missing", quick},
             "taylor_green",
             [side](const SceneRun& run) { return hole_between_particles(run, side); },
             "particles that are not shifted",
             {"bodies.water.solver.particle_shifting=0"},
             spacing});
    }

    add({{"V-F4/front_3d/dfsph",
          "the front of a collapsing column runs as another incompressible method says",
          "Koshizuka and Oka 1996, within 5 %"},
         "dam_break_front_3d",
         front_against_incompressible,
         "gravity a fifth too small",
         {"gravity=[0, 0, -7.85]"}});

    add({{"V-F/spheric2/arrival", "a dam break arrives at a box as measured",
          "Kleefsman and others 2005, SPHERIC Test 2, within 5 %", slow},
         "spheric2",
         arrival_at_box,
         "gravity a fifth too small",
         {"gravity=[0, 0, -7.85]"}});
    add({{"V-F/spheric2/peak", "a dam break hits a box as hard as measured",
          "Kleefsman and others 2005, SPHERIC Test 2, P3, mean over 5 ms, within 30 %", slow},
         "spheric2",
         peak_above,
         "gravity half as large",
         {"gravity=[0, 0, -4.9]"}});
    add({{"V-F/spheric2/foot", "a dam break hits the foot of a box about as hard as measured",
          "Kleefsman and others 2005, SPHERIC Test 2, P1, mean over 5 ms, within 30 %", slow},
         "spheric2",
         peak_at_foot,
         "gravity half as large",
         {"gravity=[0, 0, -4.9]"}});

    add({{"V-F/sloshing/volume", "water that sloshes for 10 s keeps the volume of its surface",
          "that of the water, within 1 %", slow},
         "sloshing",
         volume_of_surface,
         "a solve that ends at 5 %",
         {"bodies.water.solver.density_tolerance=0.05"}});
    return cases;
}

} // namespace phyxel::detail
