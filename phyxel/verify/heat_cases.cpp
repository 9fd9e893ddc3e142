// SPDX-License-Identifier: MIT
// V-W: heat of which a solution or an invariant is known, run as the command runs it.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double pi = std::numbers::pi;

const std::vector<double>& values_of(const Snapshot& snapshot, const char* field)
{
    return std::get<std::vector<double>>(snapshot.find(field)->values);
}

/// Of the lowest row of a body, from left to right.
MeasuredLine row_of(const Snapshot& snapshot, const char* field)
{
    double lowest = std::numeric_limits<double>::infinity();
    for (const Vec<3>& x : snapshot.points) lowest = std::min(lowest, x[1]);
    const std::vector<double>& values = values_of(snapshot, field);
    std::vector<std::pair<double, double>> row;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (snapshot.points[i][1] < lowest + 1e-6) row.emplace_back(snapshot.points[i][0], values[i]);
    std::sort(row.begin(), row.end());
    MeasuredLine line{.name = "row", .x = {}, .y = {}, .are_points = true};
    for (const auto& [x, value] : row) {
        line.x.push_back(x);
        line.y.push_back(value);
    }
    return line;
}

// The slab

/// Of a slab from 0 to 1 that was at 1 and whose sides are at 0.
double slab(double x, double fourier)
{
    double sum = 0.0;
    for (int n = 1; n < 400; n += 2)
        sum += 4.0 / (pi * n) * std::sin(n * pi * x) * std::exp(-n * n * pi * pi * fourier);
    return sum;
}

Measurement check_slab(const SceneRun& run)
{
    Worst worst;
    MeasuredChart chart{"place", "m", "temperature above the walls", "K"};
    for (const std::uint64_t frame : {1, 5, 10, 20}) {
        MeasuredLine found = row_of(run.frame("slab", frame), "temperature");
        const double fourier = 0.01 * static_cast<double>(frame);
        found.name = "Fo " + number_text(fourier);
        MeasuredLine known{.name = found.name, .x = found.x, .y = {}, .is_reference = true};
        for (std::size_t i = 0; i < found.x.size(); ++i) {
            found.y[i] -= 300.0;
            known.y.push_back(slab(found.x[i], fourier));
            worst.add(found.y[i] - known.y[i]);
        }
        chart.lines.push_back(std::move(found));
        chart.lines.push_back(std::move(known));
    }
    return with_chart(error_measurement(worst.value(), 0.01, "20 points, Fo 0.01, 0.05, 0.1 and 0.2", "K"),
                      std::move(chart));
}

// Stefan's problem

/// λ of the front that melts its way into a bar: where the liquid fraction is one half, over 2√(α t). The
/// median of the later half of the frames, as the front goes from phyxel to phyxel.
Measurement check_front(const SceneRun& run, double lambda)
{
    constexpr double diffusivity = 1e-4;
    const std::vector<double>& times = run.stats.at("time");
    std::vector<double> found;
    MeasuredLine front{.name = "front", .x = {}, .y = {}, .are_points = true};
    MeasuredLine known{.name = "2 λ √(α t)", .x = {}, .y = {}, .is_reference = true};
    for (std::size_t k = 1; k < times.size(); ++k) {
        const MeasuredLine row = row_of(run.frame("bar", k), "liquid_fraction");
        for (std::size_t i = 0; i + 1 < row.x.size(); ++i) {
            if (!(row.y[i] >= 0.5 && row.y[i + 1] < 0.5)) continue;
            front.x.push_back(times[k]);
            front.y.push_back(row.x[i] +
                              (row.y[i] - 0.5) / (row.y[i] - row.y[i + 1]) * (row.x[i + 1] - row.x[i]));
        }
        known.x.push_back(times[k]);
        known.y.push_back(2.0 * lambda * std::sqrt(diffusivity * times[k]));
        if (2 * k < times.size() || front.x.empty() || front.x.back() != times[k]) continue;
        found.push_back(front.y.back() / (2.0 * std::sqrt(diffusivity * times[k])));
    }
    std::sort(found.begin(), found.end());
    const double median = found.empty() ? std::nan("") : found[found.size() / 2];
    return with_chart(
        {median, lambda, 0.02 * lambda, Bound::Near, "1", "median of the later half of the frames"},
        {"time", "s", "front", "m", {std::move(front), std::move(known)}});
}

// Two bars in touch

Measurement check_touch(const SceneRun& run)
{
    constexpr double time = 500.0, left = 1e-4, right = 2.5e-5, middle = 300.0 + 20.0 / 3.0;
    Worst worst;
    MeasuredLine found{.name = "phyxels", .x = {}, .y = {}, .are_points = true};
    MeasuredLine known{.name = "erf", .x = {}, .y = {}, .is_reference = true};
    for (const char* body : {"warm", "cold"}) {
        const MeasuredLine row = row_of(run.frame(body, 5), "temperature");
        for (std::size_t i = 0; i < row.x.size(); ++i) {
            const double x = row.x[i] - 1.0;
            const double T = x < 0.0
                                 ? middle + (310.0 - middle) * std::erf(-x / (2.0 * std::sqrt(left * time)))
                                 : middle + (300.0 - middle) * std::erf(x / (2.0 * std::sqrt(right * time)));
            worst.add((row.y[i] - T) / 10.0);
            found.x.push_back(row.x[i]);
            found.y.push_back(row.y[i]);
            known.x.push_back(row.x[i]);
            known.y.push_back(T);
        }
    }
    return with_chart(error_measurement(worst.value(), 0.01, "of the 10 K between the bars, after 500 s"),
                      {"place", "m", "temperature", "K", {std::move(found), std::move(known)}});
}

// Energy

/// Of all bodies of heat_energy.json; phyxels of one body have the same mass [J].
double heat_of(const SceneRun& run, std::uint64_t frame)
{
    const auto mean = [&](const char* body, const char* field) {
        const Snapshot snapshot = run.frame(body, frame);
        const std::vector<double>& values = values_of(snapshot, field);
        double sum = 0.0;
        for (const double value : values) sum += value;
        return sum / static_cast<double>(values.size());
    };
    return 0.03 * 900.0 * (2000.0 * mean("wax", "temperature") + 2e5 * mean("wax", "liquid_fraction")) +
           0.02 * 900.0 * 2000.0 * mean("coarse", "temperature") +
           0.01 * 7800.0 * 500.0 * mean("plate", "temperature");
}

Measurement check_heat(const SceneRun& run)
{
    const double first = heat_of(run, 0);
    Worst worst;
    for (std::uint64_t frame = 1; frame < run.stats.at("time").size(); ++frame)
        worst.add(heat_of(run, frame) / first - 1.0);
    return error_measurement(worst.value(), 1e-10, "of the heat above 0 K, at any frame");
}

// Expansion

Measurement check_expansion(const SceneRun& run)
{
    const auto length = [](const Snapshot& snapshot) {
        double from = std::numeric_limits<double>::infinity(), to = -from;
        for (const Vec<3>& x : snapshot.points) {
            from = std::min(from, x[0]);
            to = std::max(to, x[0]);
        }
        return to - from;
    };
    return {length(run.last.at("bar")) / length(run.frame("bar", 0)) - 1.0, 5e-3, 5e-5, Bound::Near};
}

Measurement check_clamped(const SceneRun& run)
{
    const Snapshot& bar = run.last.at("bar");
    const std::vector<double>& stress = values_of(bar, "stress_tensor");
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < bar.points.size(); ++i) {
        if (std::abs(bar.points[i][0] - 1.2) > 0.1) continue;
        sum += stress[6 * i];
        ++count;
    }
    return {sum / count, -5e3, 0.02 * 5e3, Bound::Near, "Pa", "mean over the middle of the bar"};
}

} // namespace

std::vector<Case> heat_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    add({{"V-W/slab", "a slab between two plates cools as the series of sines says",
          "4/π Σ sin(n π x)/n exp(−n² π² Fo), n odd; 1 %"},
         "heat_slab",
         check_slab,
         Fault::HalvedConduction});
    struct Stefan {
        const char* number;
        double lambda;
        Changes changes;
    };
    const auto ends_at = [](int seconds, double frames) {
        return Changes{"duration=" + std::to_string(seconds),
                       "frame_rate=" + number_text(frames / seconds, 17)};
    };
    for (Stefan stefan :
         {Stefan{"0.1", 0.2200, {}}, Stefan{"0.5", 0.4648, {"obstacles.wall.temperature=350"}},
          Stefan{"1", 0.6201, {"obstacles.wall.temperature=400"}}}) {
        const Changes time = ends_at(stefan.lambda < 0.3 ? 18000 : stefan.lambda < 0.5 ? 4000 : 2250, 90.0);
        stefan.changes.insert(stefan.changes.end(), time.begin(), time.end());
        add({{"V-W/stefan/" + std::string(stefan.number),
              "a bar at its melting point melts as Stefan's solution says",
              "√π λ exp(λ²) erf λ = Ste; front within 2 %"},
             "heat_stefan",
             [lambda = stefan.lambda](const SceneRun& run) { return check_front(run, lambda); },
             Fault::NoLatentHeat,
             stefan.changes});
    }
    for (Stefan stefan :
         {Stefan{"0.5_0.1", 0.42878, {"obstacles.wall.temperature=350", "bodies.bar.temperature=290"}},
          Stefan{"0.5_0.5", 0.32462, {"obstacles.wall.temperature=350", "bodies.bar.temperature=250"}},
          Stefan{"1_0.5", 0.46985, {"obstacles.wall.temperature=400", "bodies.bar.temperature=250"}}}) {
        // Long enough for its cold end to know nothing of the warm one.
        stefan.changes.push_back("bodies.bar.shape.box.max=[4, 0.03]");
        const Changes time = ends_at(6000, 60.0);
        stefan.changes.insert(stefan.changes.end(), time.begin(), time.end());
        add({{"V-W/stefan/two_phases/" + std::string(stefan.number),
              "a bar below its melting point melts as Neumann's solution says",
              "√π λ = Ste_l exp(−λ²)/erf λ − Ste_s exp(−λ²)/erfc λ; front within 2 %", Tier::Full},
             "heat_stefan",
             [lambda = stefan.lambda](const SceneRun& run) { return check_front(run, lambda); },
             Fault::NoLatentHeat,
             stefan.changes});
    }
    add({{"V-W/touch", "two bars in touch warm and cool each other as two half-spaces do",
          "erf(x/2√(α t)) on both sides of (e1 T1 + e2 T2)/(e1 + e2); 1 %"},
         "heat_touch",
         check_touch,
         Fault::OneWayHeat});
    add({{"V-W/energy", "what a hot plate loses, wax that melts and a block beside it get", "conservation"},
         "heat_energy",
         check_heat,
         Fault::OneWayHeat});
    add({{"V-W/expansion/free", "a warmed bar that nothing holds is longer by α ΔT",
          "0.5 %, within 1 % of it"},
         "heat_expansion",
         check_expansion,
         Fault::NoThermalStrain});
    add({{"V-W/expansion/clamped", "a warmed bar between two ends is pressed with E α ΔT",
          "5 kPa, within 2 %"},
         "heat_clamped",
         check_clamped,
         Fault::NoThermalStrain});
    return cases;
}

} // namespace phyxel::detail
