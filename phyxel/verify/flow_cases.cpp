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
#include <phyxel/verify/detail/plate_flow.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double g = 9.81;
constexpr double rho_0 = 1000.0;
constexpr double pi = std::numbers::pi;

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

MeasuredChart pressure_chart(const SceneRun& run)
{
    const Column column(run);
    return {"height",
            "m",
            "pressure",
            "Pa",
            {{.name = "gauges, mean after 1 s", .x = column.z, .y = column.p, .are_points = true},
             {.name = "rho g (H - z)",
              .x = {0.0, Column::height},
              .y = {rho_0 * g * Column::height, 0.0},
              .is_reference = true}}};
}

Measurement slope_of_pressure(const SceneRun& run)
{
    const Column middle = Column(run).middle();
    return with_chart(
        {straight_line(middle.z, middle.p).first / (-rho_0 * g), 1.0, 0.05, Bound::Near, "rho g"},
        pressure_chart(run));
}

Measurement error_of_pressure(const SceneRun& run)
{
    const Column middle = Column(run).middle();
    double sum = 0.0;
    for (std::size_t k = 0; k < middle.z.size(); ++k)
        sum += std::pow(middle.p[k] - rho_0 * g * (Column::height - middle.z[k]), 2);
    const double error = std::sqrt(sum / static_cast<double>(middle.z.size()));
    return with_chart(
        error_measurement(error / (rho_0 * g * Column::height), 0.06, "root mean square, of rho g H"),
        pressure_chart(run));
}

/// Of the gauges, which are where the layers of the lattice were.
Measurement pressure_of_lowest_layer(const SceneRun& run)
{
    const Column column(run);
    const double weight = rho_0 * g * (Column::height - column.z.front());
    return with_chart({column.p.front() / weight, 1.0, 0.03, Bound::Near, "1", "over rho g (H - z)"},
                      pressure_chart(run));
}

/// Of the gauge in the highest layer that there was at the start.
Measurement pressure_of_highest_layer(const SceneRun& run)
{
    const Column column(run);
    const double weight = rho_0 * g * (Column::height - column.z.back());
    return with_chart({column.p.back() / weight, 1.0, 0.03, Bound::Near, "1", "over rho g (H - z)"},
                      pressure_chart(run));
}

/// The particles of the last frame fill half of what is above them as well: twice the mean height is the
/// height of the column, which no single particle that sticks out changes.
Measurement height_of_column(const SceneRun& run, int up)
{
    double sum = 0.0;
    const std::vector<Vec<3>>& points = run.last.at("water").points;
    for (const Vec<3>& x : points) sum += x[up];
    return {2.0 * sum / static_cast<double>(points.size()), Column::height, 0.02 * Column::height,
            Bound::Near, "m"};
}

// V-F8: flow between plates

/// Largest error of any particle at any of five times, relative to the fastest at that time.
Measurement profile_between_plates(const SceneRun& run)
{
    MeasuredChart chart{"place between the plates", "mm", "speed", "µm/s"};
    Worst worst;
    for (const double t : Plates::times) {
        const Snapshot water =
            run.frame("water", static_cast<std::uint64_t>(std::lround(Plates::frame_rate * t)));
        const auto& velocity = std::get<std::vector<float>>(water.find("velocity")->values);
        MeasuredLine found{.name = number_text(t) + " s", .x = {}, .y = {}, .are_points = true};
        MeasuredLine known{.name = number_text(t) + " s", .x = {}, .y = {}, .is_reference = true};
        for (std::size_t i = 0; i < water.points.size(); ++i) {
            const double y = water.points[i][1], v = static_cast<double>(velocity[3 * i]);
            worst.add((v - speed_between_plates(y, t)) / speed_between_plates(0.5e-3, t));
            found.x.push_back(1e3 * y);
            found.y.push_back(1e6 * v);
        }
        for (int k = 0; k <= 50; ++k) {
            known.x.push_back(0.02 * k);
            known.y.push_back(1e6 * speed_between_plates(0.02e-3 * k, t));
        }
        chart.lines.insert(chart.lines.end(), {found, known});
    }
    return with_chart(
        error_measurement(worst.value(), 0.03, "of the largest speed, worst particle of 5 times"), chart);
}

// Taylor and Green's vortices

/// Rate at which speed decays, from the kinetic energy of all frames.
Measurement decay_of_vortices(const SceneRun& run, double tolerance)
{
    std::vector<double> logarithm;
    for (const double energy : run.stats.at("kinetic_energy")) logarithm.push_back(0.5 * std::log(energy));
    constexpr double nu = 0.01, wave_number = 2.0 * pi;
    const double expected = 2.0 * nu * wave_number * wave_number;
    const std::vector<double>& time = run.stats.at("time");
    MeasuredLine known{.name = "-2 nu k² t", .x = time, .y = {}, .is_reference = true};
    for (const double t : time) known.y.push_back(logarithm.front() - expected * t);
    return with_chart(
        {-straight_line(time, logarithm).first, expected, tolerance * expected, Bound::Near, "1/s"},
        {"time", "s", "log of the speed", "", {{.name = "vortices", .x = time, .y = logarithm}, known}});
}

/// Radius of the largest circle without a particle in any frame, in spacings. A lattice has 0.71, one with a
/// particle missing has 1.
Measurement hole_between_particles(const SceneRun& run, int particles_a_side)
{
    const double spacing = 1.0 / particles_a_side, margin = 3.0 * spacing;
    Largest largest;
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
            largest.add((points[nearest.of(static_cast<Index>(k))[0].id] - places[k]).norm());
    }
    return {largest.value() / spacing,           1.0, 0.0, Bound::AtMost, "spacings",
            "radius of the largest empty circle"};
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
    return with_chart(error_measurement(front_error(run, computed), 0.05, "largest of 9 times up to T = 2.9"),
                      front_chart(run, computed));
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

/// At P1 and P3, in terms of ρgH [KFV05].
constexpr double peak_at_P1 = 2.022, peak_at_P3 = 1.217;
/// When the pressure at P1 passes half of its peak, as t √(g/H): between two points of the digitised record,
/// (1.678, 0.909) and (1.684, 1.435) ρgH.
constexpr double half_peak_time = 1.679;

/// Means over the time of the gauges, around every step.
MeasuredLine smoothed(const Signal& signal)
{
    MeasuredLine line{.name = "mean over 5 ms", .x = signal.time(), .y = {}};
    for (const double t : signal.time())
        line.y.push_back(signal.mean(t - 0.5 * gauge_time, t + 0.5 * gauge_time));
    return line;
}

MeasuredChart box_chart(const MeasuredLine& line, double peak)
{
    const double full = peak * rho_0 * g * water_depth;
    MeasuredLine record{.name = "largest in the record",
                        .x = {line.x.front(), line.x.back()},
                        .y = {full, full},
                        .is_reference = true};
    return {"time", "s", "pressure", "Pa", {line, record}};
}

Measurement arrival_of(const Signal& signal)
{
    const MeasuredLine line = smoothed(signal);
    MeasuredChart chart = box_chart(line, peak_at_P1);
    const double half_peak = 0.5 * peak_at_P1 * rho_0 * g * water_depth;
    const double expected = half_peak_time * std::sqrt(water_depth / g);
    chart.lines.push_back({"half of it", {expected}, {half_peak}, true, true});
    const auto over = std::find_if(line.y.begin(), line.y.end(), [&](double p) { return p > half_peak; });
    const double when =
        over != line.y.end() ? line.x[static_cast<std::size_t>(over - line.y.begin())] : std::nan("");
    return with_chart({when, expected, 0.05 * expected, Bound::Near, "s"}, std::move(chart));
}

Measurement peak_of(const Signal& signal, double peak, double tolerance)
{
    const MeasuredLine line = smoothed(signal);
    const double expected = peak * rho_0 * g * water_depth, found = largest_of(line.y);
    return with_chart({found, expected, tolerance * expected, Bound::Near, "Pa",
                       number_text(found / expected, 4) + " of what was measured"},
                      box_chart(line, peak));
}

/// P1, at the foot of the box, as the particles along 20 cm of it tell.
Measurement arrival_at_box(const SceneRun& run)
{
    constexpr int gauges = 11;
    std::vector<double> mean(run.probes.at("time").size(), 0.0);
    for (int n = 0; n < gauges; ++n) {
        const std::vector<double>& p = run.probes.at("foot[" + std::to_string(n) + "]");
        for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += p[k] / gauges;
    }
    return arrival_of({run.probes.at("time"), mean});
}

/// P1 as the point that it is in the experiment.
Signal point_at_foot(const SceneRun& run) { return {run.probes.at("time"), run.probes.at("foot[5]")}; }

// Sloshing

/// Volume inside of the extracted surface against that of the water, over all frames. The surface of a block
/// of water rounds its edges, so it begins a little too small.
Measurement volume_of_surface(const SceneRun& run)
{
    constexpr double spacing = 0.02, water = 1.0 * 0.5 * 0.4;
    MeasuredLine found{.name = "inside of the surface", .x = {}, .y = {}};
    Worst worst;
    for (std::uint64_t number = 0; number <= run.report.frame; ++number) {
        const ParticleSurface surface = extract_surface(run.frame("water", number).points, {}, spacing);
        worst.add(signed_volume(surface.mesh) / water - 1.0);
        found.x.push_back(0.0 + static_cast<double>(number));
        found.y.push_back(signed_volume(surface.mesh));
    }
    const std::string frames = std::to_string(run.report.frame + 1);
    MeasuredLine known{
        .name = "water", .x = {0.0, found.x.back()}, .y = {water, water}, .is_reference = true};
    return with_chart({worst.value(), 0.0, 0.01, Bound::Near, "1", "farthest of " + frames + " frames"},
                      {"frame", "", "volume", "m³", {found, known}});
}

} // namespace

std::vector<Case> flow_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const Changes dfsph = {R"(bodies.water.solver={"type": "dfsph"})"};

    for (const auto& [solver, settings] : {std::pair(std::string("wcsph"), Changes{}), {"dfsph", dfsph}}) {
        add({{"V-F3/slope/" + solver, "pressure grows with depth as the weight of the water", hydrostatics},
             "hydrostatic",
             slope_of_pressure,
             Fault::DoubledPressure,
             settings});
        add({{"V-F3/pressure/" + solver, "pressure is the weight of the water above", hydrostatics},
             "hydrostatic",
             error_of_pressure,
             Fault::DoubledPressure,
             settings});
        add({{"V-F3/base/" + solver, "pressure on the floor is the weight of the water above",
              "rho g (H - z) in the lowest layer, mean over time, within 3 %", Tier::Quick,
              KnownMiss{.measured = solver == "wcsph" ? 1.1665 : 1.1322,
                        .why = "The lowest layer sinks until the wall pushes hard enough; one layer further "
                               "up it is right within 3 %."}},
             "hydrostatic",
             pressure_of_lowest_layer,
             Fault::DoubledPressure,
             settings});
        const KnownMiss too_little{.measured = 0.71555,
                                   .why =
                                       "At a free surface half of a support is empty, and the density, from "
                                       "which pressure comes, lacks it."};
        add({{"V-F3/top/" + solver, "pressure below the surface is the weight of the water above",
              "rho g (H - z) in the highest layer, mean over time, within 3 %", Tier::Quick,
              solver == "wcsph" ? std::optional(too_little) : std::nullopt},
             "hydrostatic",
             pressure_of_highest_layer,
             Fault::DoubledPressure,
             settings});
        add({{"V-F3/height/" + solver, "a column at rest is as high as it was filled", "0.5 m, within 2 %"},
             "hydrostatic",
             [](const SceneRun& run) { return height_of_column(run, 1); },
             Fault::UncountedWalls,
             settings});
    }

    // In space
    const Changes wcsph = {R"(bodies.water.solver={"type": "wcsph"})"};
    for (const auto& [solver, settings] : {std::pair(std::string("dfsph"), Changes{}), {"wcsph", wcsph}}) {
        add({{"V-F3/space/base/" + solver,
              "pressure on the floor is the weight of the water above, in space too",
              "rho g (H - z) in the lowest layer, mean over time, within 3 %", Tier::Full,
              KnownMiss{.measured = solver == "wcsph" ? 1.137 : 1.1541,
                        .why = "As in the plane: the lowest layer sinks until the wall pushes hard enough."}},
             "hydrostatic_3d",
             pressure_of_lowest_layer,
             Fault::DoubledPressure,
             settings});
        add({{"V-F3/space/height/" + solver, "a column at rest is as high as it was filled, in space too",
              "0.5 m, within 2 %", Tier::Full},
             "hydrostatic_3d",
             [](const SceneRun& run) { return height_of_column(run, 2); },
             Fault::UncountedWalls,
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
             Fault::NoWallDrag,
             settings});

    for (const auto& [side, tolerance, tier] :
         {std::tuple(50, 0.05, Tier::Quick), std::tuple(100, 0.03, Tier::Full)}) {
        const std::string size = std::to_string(side);
        const Changes spacing = {"spacing=" + number_text(1.0 / side)};
        add({{"V-F/taylor_green/rate/" + size, "vortices decay by viscosity alone",
              "speed ~ exp(-8 pi^2 nu t / L^2), within " + number_text(100 * tolerance) + " %", tier},
             "taylor_green",
             [tolerance](const SceneRun& run) { return decay_of_vortices(run, tolerance); },
             {"particles that are not shifted", {"bodies.water.solver.particle_shifting=0"}},
             spacing});
        add({{"V-F/taylor_green/holes/" + size, "no hole opens between the particles",
              "a lattice with one particle missing", tier},
             "taylor_green",
             [side](const SceneRun& run) { return hole_between_particles(run, side); },
             {"particles that are not shifted", {"bodies.water.solver.particle_shifting=0"}},
             spacing});
    }

    add({{"V-F/taylor_green/rate/dfsph", "vortices decay by viscosity alone, also if they are incompressible",
          "speed ~ exp(-8 pi^2 nu t / L^2), within 5 %", Tier::Full,
          KnownMiss{.measured = 0.8481,
                    .why = "Solves that nothing in a full space can satisfy take energy."}},
         "taylor_green",
         [](const SceneRun& run) { return decay_of_vortices(run, 0.05); },
         Fault::SmoothedFlow,
         {"spacing=0.02", R"(bodies.water.solver={"type": "dfsph", "max_speed": 1})"}});

    add({{"V-F4/front_3d/dfsph",
          "the front of a collapsing column runs as another incompressible method says",
          "[KO96], within 5 %"},
         "dam_break_front_3d",
         front_against_incompressible,
         Fault::UncountedWalls});
    add({{"V-F4/front_3d/experiment", "the front of a collapsing column runs as measured, in space too",
          "[MM52], within 12 %", Tier::Quick,
          KnownMiss{.measured = 0.1824,
                    .why = "It slips along the floor, and the water of the experiment had to break a "
                           "diaphragm first."}},
         "dam_break_front_3d",
         [](const SceneRun& run) {
             return with_chart(error_measurement(front_error(run, experimental_front(8)), 0.12,
                                                 "largest of 8 times up to T = 5.1"),
                               front_chart(run, experimental_front(8)));
         },
         Fault::UncountedWalls});

    const std::string spheric = "SPHERIC Test 2 [KFV05], ";
    const std::string thin = "At 2 cm the front is one or two particles thick";
    add({{"V-F/spheric2/arrival", "a dam break arrives at a box as measured",
          spheric + "P1, along 20 cm, within 5 %", Tier::Full,
          KnownMiss{.measured = 0.4186, .why = thin + ", and its layers arrive 7 ms apart."}},
         "spheric2",
         arrival_at_box,
         Fault::UncountedWalls});
    add({{"V-F/spheric2/peak", "a dam break hits a box as hard as measured",
          spheric + "P3, force on 32 cm by 4 cm, mean over 5 ms, within 30 %", Tier::Full},
         "spheric2",
         [](const SceneRun& run) { return peak_of(pressure_on_box(run, "P3", 0.04), peak_at_P3, 0.3); },
         Fault::DoubledPressure});
    add({{"V-F/spheric2/foot", "a dam break hits the foot of a box about as hard as measured",
          spheric + "P1, force on 32 cm by 4 cm, mean over 5 ms, within 30 %", Tier::Full,
          KnownMiss{.measured = 14226.0,
                    .spread = 1000.0,
                    .why = thin +
                           ", and each of its layers is a blow: with shorter steps, a tighter solve or "
                           "stirred water it was 1.26 to 1.39 of what was measured."}},
         "spheric2",
         [](const SceneRun& run) { return peak_of(pressure_on_box(run, "P1", 0.042), peak_at_P1, 0.3); },
         Fault::UncountedWalls});
    add({{"V-F/spheric2/point/arrival", "a dam break arrives at a point of a box as measured",
          spheric + "P1 as a point, within 5 %", Tier::Full,
          KnownMiss{.measured = 0.4186, .why = thin + ": a point waits for the next particle."}},
         "spheric2",
         [](const SceneRun& run) { return arrival_of(point_at_foot(run)); },
         Fault::UncountedWalls});
    add({{"V-F/spheric2/point/foot", "a dam break hits a point at the foot of a box as hard as measured",
          spheric + "P1 as a point, mean over 5 ms, within 30 %", Tier::Full,
          KnownMiss{.measured = 29176.0,
                    .spread = 1.0 * rho_0 * g * water_depth,
                    .why = thin +
                           ": what a point feels is the blow of single particles; with default options "
                           "it was 4.4 in place of 5.4 rho g H."}},
         "spheric2",
         [](const SceneRun& run) { return peak_of(point_at_foot(run), peak_at_P1, 0.3); },
         Fault::DoubledPressure});

    // With default options, at points.
    const auto point_at = [](const std::string& name, const std::string& height) {
        return "probes." + name + R"(={"name": ")" + name + R"(", "point": [2.42, 0.5, )" + height +
               R"(], "field": "pressure", "every": "step"})";
    };
    const Changes with_defaults = {R"(bodies.water.solver={"type": "dfsph"})", point_at("P1", "0.021"),
                                   point_at("P3", "0.101")};
    const auto point = [](const std::string& name) {
        return [name](const SceneRun& run) { return Signal(run.probes.at("time"), run.probes.at(name)); };
    };
    const auto add_default = [&](const std::string& name, std::string claim, const std::string& source,
                                 const KnownMiss& miss, auto measure, Fault fault) {
        add({{"V-F/spheric2/default/" + name, std::move(claim), spheric + source, Tier::Full, miss},
             "spheric2",
             measure,
             fault,
             with_defaults});
    };
    add_default(
        "P1/arrival", "by default a dam break arrives at a point of a box as measured",
        "P1 as a point, within 5 %",
        KnownMiss{.measured = 0.42398, .why = thin + ": a point waits for the next particle."},
        [at = point("P1")](const SceneRun& run) { return arrival_of(at(run)); }, Fault::UncountedWalls);
    add_default(
        "P1/peak", "by default a dam break hits a point at the foot of a box as hard as measured",
        "P1 as a point, mean over 5 ms, within 30 %",
        KnownMiss{.measured = 31955.0,
                  .spread = 1.0 * rho_0 * g * water_depth,
                  .why = thin + ": what a point feels is the blow of single particles."},
        [at = point("P1")](const SceneRun& run) { return peak_of(at(run), peak_at_P1, 0.3); },
        Fault::DoubledPressure);
    add_default(
        "P3/peak", "by default a dam break hits a point of a box as hard as measured",
        "P3 as a point, mean over 5 ms, within 30 %",
        KnownMiss{.measured = 10231.0,
                  .spread = 0.3 * rho_0 * g * water_depth,
                  .why = thin + ": what a point feels is the blow of single particles."},
        [at = point("P3")](const SceneRun& run) { return peak_of(at(run), peak_at_P3, 0.3); },
        Fault::DoubledPressure);

    add({{"V-F/sloshing/volume", "water that sloshes for 10 s keeps the volume of its surface",
          "that of the water, within 1 %", Tier::Full},
         "sloshing",
         volume_of_surface,
         Fault::UncorrectedDensity});
    return cases;
}

} // namespace phyxel::detail
