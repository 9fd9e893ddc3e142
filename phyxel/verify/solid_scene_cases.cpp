// SPDX-License-Identifier: MIT
// V-E6, V-E8, V-E11 and others: solids of which a solution, a published number or an invariant is known, run
// as the command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double pi = std::numbers::pi;

Changes spacing_of(double spacing) { return {"spacing=" + number_text(spacing)}; }

// V-E6: cantilever

/// How far the last layer of cantilever.json has sunk, over what Timoshenko's beam does between the middles
/// of the layers that are held and pulled.
double tip_over_timoshenko(const SceneRun& run, double spacing)
{
    const Snapshot before = run.frame("beam", 0);
    const Snapshot& after = run.last.at("beam");
    double sum = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < before.points.size(); ++i) {
        if (before.points[i][0] < 1.0 - spacing) continue;
        sum += after.points[i][2] - before.points[i][2];
        ++count;
    }
    constexpr double E = 1e6, nu = 0.3, P = 0.1, b = 0.2, shear_factor = 5.0 / 6.0;
    const double L = 1.0 - spacing, I = std::pow(b, 4) / 12.0, G = E / (2.0 * (1.0 + nu));
    const double tip = P * std::pow(L, 3) / (3.0 * E * I) + P * L / (shear_factor * G * b * b);
    return -sum / count / tip;
}

/// Every layer of phyxels that is held or pulled moves with the spacing.
Changes cantilever_of(double spacing)
{
    const std::string a = number_text(spacing, 17), end = number_text(1.0 - spacing, 17);
    return {"spacing=" + a, "bodies.beam.regions.held.shape.box.max=[" + a + ", 1, 1]",
            "bodies.beam.regions.pulled.shape.box.min=[" + end + ", -1, -1]"};
}

// Turek and Hron [TH06]

struct TipDisplacement {
    double x, y; ///< [m]
};

TipDisplacement tip_of(const SceneRun& run)
{
    return {run.probes.at("tip.x").back(), run.probes.at("tip.y").back()};
}

constexpr TipDisplacement csm1 = {-7.188e-3, -66.102e-3};

// Vibrations

/// Time between the first and the third time that the tip passes its place at rest upwards and downwards.
double period(const std::vector<double>& time, const std::vector<double>& y)
{
    std::vector<double> crossings;
    for (std::size_t k = 2; k < y.size(); ++k)
        if ((y[k - 1] < 0.0) != (y[k] < 0.0))
            crossings.push_back(time[k - 1] + (time[k] - time[k - 1]) * y[k - 1] / (y[k - 1] - y[k]));
    if (crossings.size() < 3 || !all_finite(y)) return std::nan("");
    return crossings[2] - crossings[0];
}

Measurement check_period(const SceneRun& run)
{
    // Of a plate that is thin: 2 pi / omega with omega = (1.8751/L)² √(E H² / 12 rho (1 − nu²)).
    constexpr double expected = 0.2540;
    const std::vector<double>&time = run.probes.at("time"), &y = run.probes.at("tip.y");
    double amplitude = 0.0;
    for (const double value : y)
        if (std::abs(value) > amplitude) amplitude = std::abs(value);
    MeasuredLine known{.name = "this period, the amplitude found", .x = time, .y = {}, .is_reference = true};
    for (const double t : time) known.y.push_back(amplitude * std::sin(2.0 * pi * t / expected));
    return with_chart({period(time, y), expected, 0.05 * expected, Bound::Near, "s"},
                      {"time", "s", "tip", "m", {{.name = "plate", .x = time, .y = y}, known}});
}

/// How far the energy has gone from that of the first frame, at most.
Measurement check_energy(const SceneRun& run)
{
    const auto energy = [&](std::size_t k) {
        return run.stats.at("kinetic_energy")[k] + run.stats.at("internal_energy")[k];
    };
    // Velocities are half a step behind, so single values swing; drift is what is left of means.
    const std::size_t count = run.stats.at("kinetic_energy").size(), tenth = count / 10;
    double early = 0.0, late = 0.0;
    for (std::size_t k = 1; k <= tenth; ++k) {
        early += energy(k);
        late += energy(count - k);
    }
    MeasuredLine found{.name = "frames", .x = {}, .y = {}};
    for (std::size_t k = 1; k < count; ++k) {
        found.x.push_back(run.stats.at("time")[k]);
        found.y.push_back(energy(k) * static_cast<double>(tenth) / early);
    }
    MeasuredLine known{
        .name = "conservation", .x = {0.0, found.x.back()}, .y = {1.0, 1.0}, .is_reference = true};
    if (!all_finite(found.y)) late = std::nan("");
    return with_chart(error_measurement(late / early - 1.0, 0.01, "last tenth over first tenth"),
                      {"time", "s", "energy over the mean of the first tenth", "", {found, known}});
}

Vec<3> angular_momentum(const Snapshot& snapshot)
{
    const std::vector<Vec<3>> velocities = vectors_of(*snapshot.find("velocity"));
    Vec<3> sum = Vec<3>::Zero(); // all phyxels have the same mass
    for (std::size_t i = 0; i < velocities.size(); ++i) sum += snapshot.points[i].cross(velocities[i]);
    return sum;
}

Measurement check_angular_momentum(const SceneRun& run)
{
    const Vec<3> before = angular_momentum(run.frame("bar", 0));
    const Vec<3> after = angular_momentum(run.last.at("bar"));
    return error_measurement((after - before).norm() / before.norm(), 1e-9, "over more than 1e4 steps");
}

Measurement check_momentum(const SceneRun& run)
{
    Vec<3> before, after;
    for (int k = 0; k < 3; ++k) {
        const std::vector<double>& p = run.stats.at(std::string("momentum_") + "xyz"[k]);
        before[k] = p.front();
        after[k] = p.back();
    }
    return error_measurement((after - before).norm() / before.norm(), 1e-9, "over more than 1e4 steps");
}

// Large strain

Measurement check_inverted(const SceneRun& run)
{
    return count_measurement(largest_of(run.stats.at("inverted")), "phyxels", "with det F <= 0 at any step");
}

/// The angle by which the top of the column is turned, counted on beyond half turns.
Measurement check_twist_returns(const SceneRun& run)
{
    const std::vector<double>& x = run.probes.at("corner.x");
    const std::vector<double>& y = run.probes.at("corner.y");
    MeasuredLine found{.name = "column", .x = run.probes.at("time"), .y = {0.0}};
    double angle = 0.0, largest = 0.0, least_after = std::nan("");
    for (std::size_t k = 1; k < x.size(); ++k) {
        const double turn = std::atan2(x[k - 1] * y[k] - y[k - 1] * x[k], x[k - 1] * x[k] + y[k - 1] * y[k]);
        angle += turn;
        found.y.push_back(angle * 180.0 / pi);
        if (angle > largest) {
            largest = angle;
            least_after = angle;
        }
        if (!(angle >= least_after)) least_after = angle; // also if it is not a number
    }
    return with_chart({least_after * 180.0 / pi, 0.0, 0.0, Bound::AtMost, "deg",
                       "after a largest twist of " + number_text(largest * 180.0 / pi, 4) + " deg"},
                      {"time", "s", "twist", "deg", {found}});
}

/// Mean change of the width in the middle third of the bar.
Measurement check_width(const SceneRun& run)
{
    const Snapshot before = run.frame("bar", 0);
    const Snapshot& after = run.last.at("bar");
    Worst worst;
    for (std::size_t i = 0; i < before.points.size(); ++i) {
        if (std::abs(before.points[i][0] - 0.5) > 0.17) continue;
        for (int k = 1; k < 3; ++k)
            worst.add((after.points[i][k] - before.points[i][k]) / 0.2); // from the axis to the side
    }
    return error_measurement(worst.value(), 0.005, "of half the width");
}

Measurement check_comes_to_rest(const SceneRun& run)
{
    const std::vector<double>& energy = run.stats.at("kinetic_energy");
    return {energy.back(), 1e-3, 0.0, Bound::AtMost, "J", "after 10 s"};
}

} // namespace

std::vector<Case> solid_scene_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };

    add({{"V-E6/cantilever/40", "a cantilever bends as a beam with shear does", "Timoshenko, within 5 %"},
         "cantilever",
         [](const SceneRun& run) {
             return Measurement{
                 tip_over_timoshenko(run, 0.025), 1.0, 0.05, Bound::Near, "1", "40 x 8 x 8 phyxels"};
         },
         {"the support of the paper, 3 mean distances", {"bodies.beam.support_ratio=3"}}});
    for (const auto& [sampling, ratio] : {std::pair("poisson_disk", 1.16761), {"jittered", 1.27488}})
        add({{std::string("V-E6/cantilever/") + sampling,
              "a cantilever of phyxels at random bends as a beam with shear does", "Timoshenko, within 5 %",
              Tier::Quick,
              KnownMiss{.measured = ratio,
                        .why =
                            "integration over phyxels at random is not exact (V-E/patch/forces): where they "
                            "give way the body is too soft"}},
             "cantilever",
             [](const SceneRun& run) {
                 return Measurement{tip_over_timoshenko(run, 0.025), 1.0, 0.05, Bound::Near, "1"};
             },
             Fault::HalvedShear,
             {std::string("bodies.beam.sampling=") + sampling}});
    const auto folder_run = [folder](const Changes& changes) {
        return *run_scene(folder / "cantilever.json", changes);
    };
    cases.push_back(make_case<std::vector<Changes>>(
        {"V-E6/cantilever/convergence", "a cantilever gets stiffer with every refinement",
         "towards Timoshenko"},
        [folder_run](const std::vector<Changes>& supports) {
            Largest growth;
            double before = std::nan("");
            MeasuredLine found{.name = "Phyxel", .x = {}, .y = {}, .are_points = true};
            std::string note;
            constexpr std::array spacings = {0.1, 0.05, 0.025};
            for (std::size_t k = 0; k < spacings.size(); ++k) {
                Changes changes = cantilever_of(spacings[k]);
                changes.insert(changes.end(), supports[k].begin(), supports[k].end());
                const double ratio = tip_over_timoshenko(folder_run(changes), spacings[k]);
                if (!note.empty()) growth.add(ratio - before);
                before = ratio;
                found.x.push_back(1.0 / spacings[k]);
                found.y.push_back(ratio);
                note += (note.empty() ? "" : ", ") + number_text(ratio, 4);
            }
            return with_chart(
                {growth.value(), 0.0, 0.0, Bound::AtMost, "1", note},
                {"phyxels along the beam",
                 "",
                 "tip over Timoshenko's",
                 "",
                 {found, {.name = "Timoshenko", .x = {10.0, 40.0}, .y = {1.0, 1.0}, .is_reference = true}}});
        },
        {{}, {}, {}}, "a support that shrinks more slowly than the spacing",
        {{"bodies.beam.support_ratio=1.3"},
         {"bodies.beam.support_ratio=2.3"},
         {"bodies.beam.support_ratio=4"}}));

    const auto csm_case = [&](const std::string& name, double spacing, Tier tier, auto measure) {
        add({{"V-E/csm1/" + name, "a flag bends under its weight as computed by many others",
              "[TH06, CSM1]: (-7.188, -66.102) mm", tier},
             "csm1",
             measure,
             Fault::HalvedShear,
             spacing_of(spacing)});
    };
    csm_case("vertical/16", 0.00125, Tier::Full, [](const SceneRun& run) {
        return Measurement{tip_of(run).y * 1e3, csm1.y * 1e3, 0.03 * std::abs(csm1.y) * 1e3, Bound::Near,
                           "mm"};
    });
    csm_case("horizontal/16", 0.00125, Tier::Full, [](const SceneRun& run) {
        return Measurement{tip_of(run).x * 1e3, csm1.x * 1e3, 0.06 * std::abs(csm1.x) * 1e3, Bound::Near,
                           "mm"};
    });
    cases.push_back(make_case<Fault>(
        {"V-E/csm1/order", "the flag converges", "order 1.5 from 4 over 8 to 16 phyxels across", Tier::Full},
        [folder](const Fault& fault) {
            std::vector<double> errors;
            for (const double spacing : {0.005, 0.0025, 0.00125}) {
                const std::shared_ptr<const SceneRun> run =
                    run_scene(folder / "csm1.json", spacing_of(spacing), fault);
                errors.push_back(std::abs(tip_of(*run).y - csm1.y));
            }
            Largest slowness; // the least order, with the sign that keeps what is not a number
            for (std::size_t k = 1; k < errors.size(); ++k)
                slowness.add(-std::log2(errors[k - 1] / errors[k]));
            return Measurement{-slowness.value(), 1.5, 0.0,
                               Bound::AtLeast,    "1", "lesser of two observed orders"};
        },
        Fault::None, std::string(info_of(Fault::HalvedShear).what), Fault::HalvedShear));

    add({{"V-E/period/plate", "a plate swings with the period of its first mode",
          "thin plate [GMS01], 0.2540 s, within 5 %"},
         "oscillating_plate",
         check_period,
         Fault::HalvedShear});
    add({{"V-E/mode/cantilever", "a plate that is held at one end swings as Timoshenko's beam",
          "tools/reference_numbers.py: Timoshenko's beam in plane strain, within 3 %"},
         "oscillating_plate",
         [](const SceneRun& run) {
             constexpr double expected = 3.90011342225;
             return Measurement{1.0 / period(run.probes.at("time"), run.probes.at("tip.y")), expected,
                                0.03 * expected, Bound::Near, "Hz"};
         },
         Fault::HalvedShear});
    add({{"V-E8/energy", "a thousand vibrations neither gain nor lose energy", "conservation, within 1 %"},
         "vibrating_cube",
         check_energy,
         Fault::PositionBeforeVelocity});
    add({{"V-E/momentum/linear", "a bar that flies keeps its momentum", "conservation"},
         "spinning_bar",
         check_momentum,
         Fault::UnreturnedForces});
    add({{"V-E/momentum/angular", "a bar that turns keeps its angular momentum", "conservation"},
         "spinning_bar",
         check_angular_momentum,
         Fault::UnreturnedForces});
    for (const std::string sampling : {"poisson_disk", "jittered"})
        add({{"V-E/momentum/" + sampling, "a bar of phyxels at random that turns keeps its angular momentum",
              "conservation"},
             "spinning_bar",
             check_angular_momentum,
             Fault::UnreturnedForces,
             {"bodies.bar.sampling=" + sampling}});
    // The law alone has to keep it from that, so that the sabotage need not take anything else away.
    add({{"V-E/twisting_column/inverted/bare",
          "a column twisted by a whole turn is nowhere turned inside out, not even without stabilisation",
          "[AGB14], omega = 105/s"},
         "twisting_column",
         check_inverted,
         {"St. Venant and Kirchhoff's law", {"bodies.column.material.law=st_venant_kirchhoff"}},
         {"bodies.column.solver.stabilization=0"}});
    add({{"V-E/twisting_column/inverted/stabilized",
          "a column twisted by a whole turn is nowhere turned inside out", "[AGB14], omega = 105/s"},
         "twisting_column",
         check_inverted,
         Fault::UnreturnedForces});
    add({{"V-E/twisting_column/returns", "a column twisted by its own speed turns back beyond its rest",
          "[AGB14]"},
         "twisting_column",
         check_twist_returns,
         Fault::UnreturnedForces});
    add({{"V-E11/width", "without Poisson's effect a bar keeps its width",
          "nu = 0, 20 % longer, within 0.5 %"},
         "poisson",
         check_width,
         Fault::IsotropicMoments});
    add({{"V-E8/implicit/rest", "implicit steps of 0.01 s are stable at 100 MPa",
          "[MKN*04, Sec. 6.3]: comes to rest"},
         "stiff_drop",
         check_comes_to_rest,
         {"leapfrog in place of implicit Euler", {"bodies.block.solver={\"type\": \"leapfrog\"}"}}});
    return cases;
}

} // namespace phyxel::detail
