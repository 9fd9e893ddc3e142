// SPDX-License-Identifier: MIT
// V-E9 and others: solids that yield, of which a formula, a computation by others or an invariant is known.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/solid/plastic_flow.h>
#include <phyxel/solid/svk.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/LU>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double pi = std::numbers::pi;

// V-E9: along one path on which only E_xx is not 0

SolidMaterial published_material()
{
    SolidMaterial material{.law = ElasticLaw::StVenantKirchhoff, .youngs_modulus = 1e6};
    material.volume_stiffness = 0.0;
    material.yield_strain = 0.02;
    material.plastic_flow = FlowLaw::Published;
    return material;
}

Mat<3> stretched(double E)
{
    Mat<3> F = Mat<3>::Identity();
    F(0, 0) = std::sqrt(1.0 + 2.0 * E);
    return F;
}

/// A point that remembers, and what it has lost.
struct FlowingPoint {
    PlasticFlow<3> flow;
    Svk<3> law;
    Mat<3> shape = Mat<3>::Identity();
    double strain = 0.0;
    double lost = 0.0; ///< Σ S : dEₚ [J/m³]

    explicit FlowingPoint(const SolidMaterial& material, Fault fault)
        : flow(material, fault),
          law{ElasticModuli(material)}
    {
    }

    double plastic() const { return 0.5 * (shape(0, 0) - 1.0); }

    void go_to(double E, double dt = 0.1)
    {
        const Mat<3> F = stretched(E);
        const FlowStep<3> step = flow.flow(F, shape, strain, dt);
        lost += double_contraction<3>(law.respond(F, step.shape).S, 0.5 * (step.shape - shape));
        shape = step.shape;
        strain += step.strain;
    }
    void go(double from, double to)
    {
        for (int n = 1; n <= 1000; ++n) go_to(from + (to - from) * n / 1000.0);
    }
};

Measurement check_loop_strains(const Fault& fault)
{
    FlowingPoint point(published_material(), fault);
    Worst worst;
    for (const auto& [from, to, expected] :
         {std::array{0.0, 0.1, 0.08}, {0.1, 0.0, 0.02}, {0.0, 0.1, 0.08}}) {
        point.go(from, to);
        worst.add(point.plastic() - expected);
    }
    return error_measurement(worst.value(), 1e-9, "loaded to 0.1, unloaded, loaded again");
}

/// Over that of S = (λ + 2μ) 0.02 along 0.06 and back. What does not yield loses nothing.
Measurement check_loop_area(const Fault& fault)
{
    SolidMaterial material = published_material();
    material.yield_strain = 0.11;
    FlowingPoint elastic(material, fault);
    elastic.go(0.0, 0.1);
    elastic.go(0.1, 0.0);
    if (!(std::abs(elastic.lost) <= 1e-12 * material.youngs_modulus))
        return {std::nan(""), 1.0, 1e-9, Bound::Near, "1"};
    material.yield_strain = 0.02;
    FlowingPoint point(material, fault);
    point.go(0.0, 0.1);
    point.lost = 0.0;
    point.go(0.1, 0.0);
    point.go(0.0, 0.1);
    const double expected = (material.lame_lambda() + 2.0 * material.lame_mu()) * 0.02 * 2.0 * 0.06;
    return {point.lost / expected, 1.0, 1e-9, Bound::Near, "1"};
}

constexpr double creep_rate = 5.0, creep_time = 0.4;

/// E − Eₚ after some time at E = 0.1.
double left_by_creep(double dt, double time, Fault fault)
{
    SolidMaterial material = published_material();
    material.creep_rate = creep_rate;
    FlowingPoint point(material, fault);
    for (int n = 1; n * dt <= time * (1.0 + 1e-9); ++n) point.go_to(0.1, dt);
    return 0.1 - point.plastic();
}

Measurement check_creep_decay(const Fault& fault)
{
    Worst worst;
    const double dt = 0.02, kept = std::exp(-creep_rate * dt);
    double elastic = 0.1;
    for (int n = 1; n <= 40; ++n) {
        if (elastic > 0.02) elastic *= kept;
        worst.add(left_by_creep(dt, n * dt, fault) - elastic);
    }
    if (!(elastic > 0.02 * kept && elastic <= 0.02)) worst.add_missing();
    return error_measurement(worst.value(), 1e-9, "held at 0.1 for twice the time that it takes");
}

Measurement check_creep_steps(const Fault& fault)
{
    Worst worst;
    for (int n = 1; n <= 200; ++n) {
        const double time = 0.002 * n;
        worst.add(left_by_creep(0.002, time, fault) / left_by_creep(0.001, time, fault) - 1.0);
    }
    return error_measurement(worst.value(), 0.01, "at any time");
}

// Scenes

const std::vector<double>& numbers_of(const Snapshot& snapshot, std::string_view field)
{
    return std::get<std::vector<double>>(snapshot.find(field)->values);
}

Mat<3> deformation(const Snapshot& snapshot, std::size_t i)
{
    return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(
        numbers_of(snapshot, "deformation_gradient").data() + 9 * i);
}

/// P = J σ F⁻ᵀ [Pa].
Mat<3> stress_at_rest(const Snapshot& snapshot, std::size_t i)
{
    const double* s = numbers_of(snapshot, "stress_tensor").data() + 6 * i;
    const Mat<3> sigma{{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
    const Mat<3> F = deformation(snapshot, i);
    return F.determinant() * sigma * F.inverse().transpose();
}

/// Of plastic_press.json, at the frame that is farthest from the first one.
Measurement check_pressed_volume(const SceneRun& run)
{
    const std::vector<double>&time = run.probes.at("time"), &volume = run.probes.at("block");
    Worst worst(1.0);
    MeasuredLine found{.name = "block", .x = time, .y = {}};
    for (const double v : volume) {
        worst.add(v / volume.front());
        found.y.push_back(v / volume.front());
    }
    // One that was not pressed has shown nothing.
    Largest height;
    for (const Vec<3>& x : run.last.at("block").points) height.add(x[2]);
    if (!(height.value() < 0.06)) worst.add_missing();
    return with_chart({worst.value(), 1.0, 0.01, Bound::Near, "1", "at all frames"},
                      {"time", "s", "volume over that at first", "", {found}});
}

double mean_pull(const SceneRun& run, std::uint64_t frame)
{
    const Snapshot strip = run.frame("strip", frame);
    const std::vector<double>& stress = numbers_of(strip, "stress_tensor");
    double sum = 0.0;
    for (std::size_t i = 0; i < strip.points.size(); ++i) sum += stress[6 * i];
    return sum / static_cast<double>(strip.points.size());
}

/// What the loads did to each phyxel of plastic_cycle.json, less what it stores, from frame to frame.
struct Losses {
    double least = 0.0;   ///< of a phyxel in one interval [J/m³]
    double mean = 0.0;    ///< of all phyxels in the whole time [J/m³]
    double plastic = 0.0; ///< mean plastic strain at the end
};

Losses losses_of(const SceneRun& run)
{
    Losses losses;
    Largest largest;
    Snapshot before = run.frame("bar", 0);
    const std::size_t count = before.points.size();
    for (std::uint64_t frame = 1; frame < run.stats.at("time").size(); ++frame) {
        const Snapshot after = run.frame("bar", frame);
        for (std::size_t i = 0; i < count; ++i) {
            const Mat<3> P = 0.5 * (stress_at_rest(before, i) + stress_at_rest(after, i));
            const double loss = double_contraction<3>(P, deformation(after, i) - deformation(before, i)) -
                                (numbers_of(after, "energy")[i] - numbers_of(before, "energy")[i]);
            losses.mean += loss / static_cast<double>(count);
            largest.add(-loss);
        }
        before = after;
    }
    losses.least = -largest.value();
    for (const double strain : numbers_of(before, "plastic_strain"))
        losses.plastic += strain / static_cast<double>(count);
    return losses;
}

// D1: Taylor's test

struct Bar {
    double length = std::nan(""), foot = std::nan(""); ///< [m]
};

/// By the surface: from end to end, and the mean over 24 directions of how far the foot reaches.
Bar bar_of(const SceneRun& run)
{
    const Snapshot surface = run.frame("bar_surface", run.report.frame);
    double low = 1.0, high = 0.0;
    std::array<double, 24> reach = {};
    for (const Vec<3>& x : surface.points) {
        low = std::min(low, x[2]);
        high = std::max(high, x[2]);
        if (x[2] > 3e-3) continue;
        const double share = 0.5 + std::atan2(x[1], x[0]) / (2.0 * pi);
        double& farthest = reach[std::min<std::size_t>(23, static_cast<std::size_t>(24.0 * share))];
        farthest = std::max(farthest, std::hypot(x[0], x[1]));
    }
    double sum = 0.0;
    for (const double r : reach) sum += r / 24.0;
    return {high - low, sum};
}

// D2: necking

constexpr double neck_radius = 6.413e-3, neck_spacing = 1.6e-3;

Measurement check_largest_force(const SceneRun& run)
{
    const Snapshot rest = run.frame("bar", 0);
    MeasuredLine found{.name = "bar", .x = {0.0}, .y = {0.0}};
    Largest largest;
    for (std::uint64_t frame = 1; frame < run.stats.at("time").size(); ++frame) {
        const Snapshot bar = run.frame("bar", frame);
        double sum = 0.0, count = 0.0;
        for (std::size_t i = 0; i < rest.points.size(); ++i) {
            if (std::abs(rest.points[i][0]) > 0.02) continue;
            sum += stress_at_rest(bar, i)(0, 0);
            count += 1.0;
        }
        const double force = 1e-3 * sum / count * pi * neck_radius * neck_radius;
        largest.add(force);
        found.x.push_back(14.0 * run.stats.at("time")[frame]);
        found.y.push_back(force);
    }
    const MeasuredLine known{
        .name = "Considère", .x = {6.92}, .y = {79.73}, .is_reference = true, .are_points = true};
    return with_chart({largest.value(), 79.73, 0.03 * 79.73, Bound::Near, "kN"},
                      {"elongation", "mm", "force", "kN", {found, known}});
}

/// How far from the middle, at rest, the layer is that is stretched most at the end.
Measurement check_neck(const SceneRun& run)
{
    const Snapshot rest = run.frame("bar", 0);
    const Snapshot& bar = run.last.at("bar");
    std::map<int, std::array<double, 2>> layers; // sums of stretches, and how many they are
    for (std::size_t i = 0; i < rest.points.size(); ++i) {
        auto& [sum, count] = layers[static_cast<int>(std::floor(rest.points[i][0] / neck_spacing))];
        sum += deformation(bar, i)(0, 0);
        count += 1.0;
    }
    MeasuredLine found{.name = "layers", .x = {}, .y = {}};
    std::vector<double> stretches;
    for (const auto& [number, layer] : layers) {
        found.x.push_back(number + 0.5);
        found.y.push_back(layer[0] / layer[1]);
        stretches.push_back(layer[0] / layer[1]);
    }
    const auto most =
        static_cast<std::size_t>(std::max_element(stretches.begin(), stretches.end()) - stretches.begin());
    const double largest = stretches[most], place = std::abs(found.x[most]);
    std::nth_element(stretches.begin(), stretches.begin() + static_cast<std::ptrdiff_t>(stretches.size() / 2),
                     stretches.end());
    const double usual = stretches[stretches.size() / 2];
    return with_chart({largest > 1.5 * usual ? place : std::nan(""), 1.0, 0.0, Bound::AtMost, "spacings",
                       "stretched " + number_text(largest / usual, 3) + " times as much as most layers"},
                      {"place at rest", "spacings", "stretch", "", {found}});
}

// D3: spring-back

/// Curvature of the middle half of the strip: by how much its sections are turned against each other [1/m].
double curvature(const SceneRun& run, std::uint64_t frame)
{
    const Snapshot rest = run.frame("strip", 0), strip = run.frame("strip", frame);
    const auto turn = [&](double X) {
        double across = 0.0, along = 0.0;
        for (std::size_t i = 0; i < rest.points.size(); ++i) {
            if (std::abs(rest.points[i][0] - X) > 1e-3) continue;
            along += rest.points[i][1] * strip.points[i][0];
            across += rest.points[i][1] * strip.points[i][1];
        }
        return std::atan2(-along, across);
    };
    return (turn(0.175) - turn(-0.175)) / 0.35;
}

Measurement check_spring_back(const SceneRun& run, double yield_stress)
{
    constexpr double E = 1e9 / (1.0 - 0.45 * 0.45), T = 0.12; // in plane strain
    const double before = curvature(run, 10), after = curvature(run, run.report.frame);
    const double x = 2.0 / std::sqrt(3.0) * yield_stress / (E * T * before);
    const double expected = 1.0 - 3.0 * x + 4.0 * x * x * x;
    return {after / before, expected, 0.05 * expected, Bound::Near, "1", "x = " + number_text(x, 4)};
}

// D4: a pipe

/// The pressure over the yield stress at which the inner radius has grown by a hundredth.
Measurement check_collapse(const SceneRun& run)
{
    const auto pressure = [](double t) {
        return 0.7 * std::min(1.0, t / 0.05) + 0.3 * std::max(0.0, t - 0.05);
    };
    const Snapshot rest = run.frame("pipe", 0);
    MeasuredLine found{.name = "pipe", .x = {0.0}, .y = {0.0}};
    double collapse = std::nan("");
    for (std::uint64_t frame = 1; frame < run.stats.at("time").size(); ++frame) {
        const Snapshot pipe = run.frame("pipe", frame);
        double sum = 0.0, count = 0.0;
        for (std::size_t i = 0; i < rest.points.size(); ++i) {
            if (rest.points[i].norm() > 1.2) continue;
            sum += pipe.points[i].norm() - rest.points[i].norm();
            count += 1.0;
        }
        const double grown = sum / count, now = pressure(run.stats.at("time")[frame]);
        if (std::isnan(collapse) && grown >= 0.01)
            collapse =
                found.x.back() + (now - found.x.back()) * (0.01 - found.y.back()) / (grown - found.y.back());
        found.x.push_back(now);
        found.y.push_back(grown);
    }
    const double expected = 2.0 / std::sqrt(3.0) * std::log(2.0);
    return with_chart({collapse, expected, 0.04 * expected, Bound::Near, "1", "over the yield stress"},
                      {"pressure over the yield stress", "", "growth of the inner radius", "", {found}});
}

} // namespace

std::vector<Case> plastic_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const auto add_point = [&](CaseInfo info, auto check, Fault fault) {
        cases.push_back(
            make_case<Fault>(std::move(info), check, Fault::None, std::string(info_of(fault).what), fault));
    };
    const std::string paper = "[MKN*04, Sec. 4.1], closed form";
    add_point(
        {"V-E9/strain", "the published flow leaves the strain that it should, loaded and unloaded", paper},
        check_loop_strains, Fault::OtherYieldNorm);
    add_point({"V-E9/area", "what is lost in a loop is its area", paper}, check_loop_area,
              Fault::OtherYieldNorm);
    add_point({"V-E9/creep",
               "elastic strain dies out by the same share in each step, until it does not yield", paper},
              check_creep_decay, Fault::CreepByTheStep);
    add_point({"V-E9/creep/steps", "creep does not depend on the step", "half the step, within 1 %"},
              check_creep_steps, Fault::CreepByTheStep);

    const Changes published = {"bodies.block.material.law=st_venant_kirchhoff",
                               "bodies.block.material.plastic_flow=published"};
    add({{"V-E/plastic/press", "a block that is pressed to half its height and let go keeps its volume",
          "conservation, within 1 %", Tier::Full},
         "plastic_press",
         check_pressed_volume,
         {"plastic strain taken off Green's strain, as published", published}});
    cases.push_back(make_case<Fault>(
        {"V-E/plastic/creep", "a strip that is held relaxes as it does in steps of half the length",
         "within 1 % at any time"},
        [folder](const Fault& fault) {
            const Changes half = {"bodies.strip.solver.time_step=0.005"};
            const auto whole = run_scene(folder / "plastic_creep.json", {}, fault);
            const auto halves = run_scene(folder / "plastic_creep.json", half, fault);
            MeasuredLine found{.name = "10 ms", .x = {}, .y = {}}, finer{.name = "5 ms", .x = {}, .y = {}};
            Worst worst;
            for (std::uint64_t frame = 2; frame <= whole->report.frame; ++frame) {
                const double a = mean_pull(*whole, frame), b = mean_pull(*halves, frame);
                worst.add(a / b - 1.0);
                found.x.push_back(0.1 * static_cast<double>(frame));
                found.y.push_back(a);
                finer.x.push_back(found.x.back());
                finer.y.push_back(b);
            }
            return with_chart(error_measurement(worst.value(), 0.01, "from when it is held"),
                              {"time", "s", "mean stress along the strip", "Pa", {found, finer}});
        },
        Fault::None, std::string(info_of(Fault::CreepByTheStep).what), Fault::CreepByTheStep));
    add({{"V-E/plastic/cycle/dissipation",
          "a bar that is drawn out and pressed again never gives back more than it stored",
          "second law: no phyxel gains in any interval, within 1e-4 of all that is lost", Tier::Full},
         "plastic_cycle",
         [](const SceneRun& run) {
             const Losses losses = losses_of(run);
             return Measurement{losses.least / losses.mean, 0.0, 1e-4, Bound::AtLeast, "1"};
         },
         Fault::ReversedFlow});
    add({{"V-E/plastic/cycle/loss", "what it loses is the yield stress times the plastic strain",
          "σ : dε_p, within 2 %", Tier::Full},
         "plastic_cycle",
         [](const SceneRun& run) {
             const Losses losses = losses_of(run);
             return Measurement{losses.mean / (2e4 * losses.plastic),
                                1.0,
                                0.02,
                                Bound::Near,
                                "1",
                                "mean plastic strain " + number_text(losses.plastic, 3)};
         },
         Fault::OtherYieldNorm});

    add({{"V-E/plastic/taylor/length", "a bar of copper that hits a wall is as short as computed by many",
          "Taylor's test: 21.42 mm, within 2 %", Tier::Full},
         "plastic_taylor",
         [](const SceneRun& run) {
             return Measurement{1e3 * bar_of(run).length, 21.42, 0.02 * 21.42, Bound::Near, "mm"};
         },
         Fault::OtherYieldNorm});
    add({{"V-E/plastic/taylor/foot", "its foot is as wide", "Taylor's test: a radius of 6.8 to 7.4 mm",
          Tier::Full},
         "plastic_taylor",
         [](const SceneRun& run) {
             return Measurement{1e3 * bar_of(run).foot, 7.1, 0.3, Bound::Near, "mm"};
         },
         Fault::OtherYieldNorm});
    add({{"V-E/plastic/taylor/volume", "it keeps its volume", "conservation, within 1 %", Tier::Full},
         "plastic_taylor",
         [](const SceneRun& run) {
             double sum = 0.0;
             const std::vector<double>& ratios = numbers_of(run.last.at("bar"), "volume_ratio");
             for (const double ratio : ratios) sum += ratio;
             return Measurement{sum / static_cast<double>(ratios.size()), 1.0, 0.01, Bound::Near, "1"};
         },
         {"plastic strain taken off Green's strain, as published",
          {"bodies.bar.material.law=st_venant_kirchhoff", "bodies.bar.material.plastic_flow=published"}}});
    add({{"V-E/plastic/neck/force",
          "a bar of steel that is drawn out bears the force that Considère's criterion says",
          "Simo's bar: 79.73 kN, within 3 %", Tier::Full},
         "plastic_neck",
         check_largest_force,
         Fault::OtherYieldNorm});
    add({{"V-E/plastic/neck/middle", "it gets thin in the middle", "symmetry: within a spacing", Tier::Full},
         "plastic_neck",
         check_neck,
         Fault::StiffAfterFlow});
    for (const auto& [name, yield_stress] :
         {std::pair("005", 2.7148125e6), std::pair("010", 5.429625e6), std::pair("020", 10.85925e6)})
        add({{std::string("V-E/plastic/bend/") + name,
              "a strip that is bent and let go springs back as it should",
              "elastic and perfectly plastic: 1 − 3x + 4x³ of its curvature is left, within 5 %", Tier::Full},
             "plastic_bend",
             [yield_stress](const SceneRun& run) { return check_spring_back(run, yield_stress); },
             Fault::NoVolumeTerm,
             {"bodies.strip.material.yield_stress=" + number_text(yield_stress, 10)}});
    add({{"V-E/plastic/pipe", "a thick pipe gives way at the pressure of perfect plasticity",
          "(2/√3) ln 2 times the yield stress, within 4 %", Tier::Full},
         "plastic_cylinder",
         check_collapse,
         Fault::OtherYieldNorm});
    return cases;
}

} // namespace phyxel::detail
