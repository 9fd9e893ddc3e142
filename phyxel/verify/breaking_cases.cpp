// SPDX-License-Identifier: MIT
// V-C5 and V-C/E4: solids that break by themselves, run as the command runs them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::detail {
namespace {

/// What pulls, when all that gives way does so in proportion: twice the energy of the solid over the way of
/// the load, which is `speed` times the time.
std::vector<double> loads_of(const SceneRun& run, double speed)
{
    const std::vector<double>&time = run.stats.at("time"), &energy = run.stats.at("internal_energy");
    std::vector<double> loads(time.size(), 0.0);
    for (std::size_t k = 1; k < time.size(); ++k) loads[k] = 2.0 * energy[k] / (speed * time[k]);
    return loads;
}

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

// Double cantilever beam

constexpr double arms_speed = 2.0 * 0.0006; // [m/s]

/// P² = G B E I / a² with I = B h³ / 12 [And05, Sec. 2.4].
Measurement check_load(const SceneRun& run)
{
    constexpr double E = 70e9, h = 5e-3, a = 50e-3, G = 100.0;
    const double load = std::sqrt(G * E * h * h * h / 12.0) / a;
    const std::vector<double> loads = loads_of(run, arms_speed);
    MeasuredLine found{.name = "arms", .x = {}, .y = loads};
    for (const double t : run.stats.at("time")) found.x.push_back(arms_speed * t);
    const MeasuredLine known{.name = "beam theory, where the crack goes on",
                             .x = {found.x.front(), found.x.back()},
                             .y = {load, load},
                             .is_reference = true};
    return with_chart({largest(loads), load, 0.12 * load, Bound::Near, "N"},
                      {"opening", "m", "load", "N", {found, known}});
}

/// Work of the load minus what is still in the arms, over what the crack has taken.
Measurement check_released(const SceneRun& run)
{
    const std::vector<double>& time = run.stats.at("time");
    const std::vector<double> loads = loads_of(run, arms_speed);
    double work = 0.0;
    for (std::size_t k = 1; k < time.size(); ++k)
        work += 0.5 * (loads[k - 1] + loads[k]) * arms_speed * (time[k] - time[k - 1]);
    const double released = work - run.stats.at("internal_energy").back();
    return {
        released / run.stats.at("fracture_energy").back(),
        1.0,
        0.2,
        Bound::Near,
        "1",
        "the crack is " +
            number_text(1e3 * (run.stats.at("crack_area").back() - run.stats.at("crack_area").front()), 3) +
            " mm longer than at the start"};
}

// Bar and plate

constexpr double width = 0.2; // of the bar [m]

/// The largest force on the width of the bar, if it breaks in two.
Measurement check_strength(const SceneRun& run)
{
    constexpr double speed = 0.02, strength = 1e4;
    const double pieces = run.stats.at("fragments").back();
    return {pieces == 2.0 ? largest(loads_of(run, speed)) / width : std::nan(""),
            strength,
            0.1 * strength,
            Bound::Near,
            "Pa",
            number_text(pieces) + " pieces"};
}

/// The length of the crack over the width of the bar: a plane that is turned by 5° makes it longer by 0.4 %.
Measurement check_turn(const SceneRun& run)
{
    return {run.stats.at("crack_area").back() / width, 1.0, 0.004, Bound::AtMost, "widths"};
}

/// How far from the plane of the notch a phyxel is that is in the piece of the other side, in spacings.
Measurement check_straight(const SceneRun& run)
{
    constexpr double notch = 0.007, spacing = 0.02;
    const Snapshot before = run.frame("plate", 0);
    const std::vector<double> fragment =
        std::visit([](const auto& values) { return std::vector<double>(values.begin(), values.end()); },
                   run.last.at("plate").find("fragment")->values);
    double farthest = *std::max_element(fragment.begin(), fragment.end()) > 0.0 ? 0.0 : std::nan("");
    for (std::size_t i = 0; i < fragment.size(); ++i) {
        const double y = before.points[i][1] - notch;
        // The first phyxel is below.
        if ((y > 0.0) != (fragment[i] > 0.0)) farthest = std::max(farthest, std::abs(y) / spacing);
    }
    return {farthest, 0.0, 1.0, Bound::Near, "spacings"};
}

// Plate that swings

/// What the plate has lost, by the mean of the last ten frames, over what the crack has taken.
Measurement check_balance(const SceneRun& run)
{
    constexpr std::size_t frames = 10; // in which the crack rests
    const std::vector<double>&kinetic = run.stats.at("kinetic_energy"),
          &internal = run.stats.at("internal_energy");
    double last = 0.0;
    for (std::size_t k = kinetic.size() - frames; k < kinetic.size(); ++k)
        last += (kinetic[k] + internal[k]) / frames;
    const double taken = run.stats.at("fracture_energy").back();
    return {(kinetic.front() + internal.front() - last) / taken,  1.0, 0.2, Bound::Near, "1",
            "the crack has taken " + number_text(taken, 3) + " J"};
}

// Plate that flies apart

/// The plastic strain, all added up, of a plate that is drawn out to 1 + t times its length without a change
/// of its width in the third direction, when it tears: 2/√3 ln(1 + t).
Measurement check_torn(const SceneRun& run)
{
    constexpr double fracture_strain = 0.3;
    const std::vector<double>&time = run.stats.at("time"), &area = run.stats.at("crack_area");
    const auto torn = std::find_if(area.begin(), area.end(), [](double a) { return a > 0.0; });
    const double t = torn == area.end() ? std::nan("") : time[static_cast<std::size_t>(torn - area.begin())];
    return {2.0 / std::sqrt(3.0) * std::log1p(t), fracture_strain, 0.03 * fracture_strain, Bound::Near, "1"};
}

} // namespace

std::vector<Case> breaking_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const std::string beam = "P = √(G_c B E I) / a, beams on a rigid foundation [And05, Sec. 2.4]";
    add({{"V-C/E4", "two arms that are pulled apart bear what beam theory says until the crack goes on", beam,
          Tier::Full},
         "double_cantilever",
         check_load,
         {Fault::HalvedRelease}});
    add({{"V-C/E4/coarse", "the same with phyxels twice as far apart", beam, Tier::Full,
          KnownMiss{.measured = 4614.24,
                    .why = "eight phyxels across both arms; on an elastic foundation the beams are longer by "
                           "2/3 of their height, which is 6 %, and the rest is bending that is too soft"}},
         "double_cantilever",
         check_load,
         {Fault::CrackByStress},
         {"spacing=\"1.25 mm\""}});
    add({{"V-C/E4/released", "what the crack has released is what it has taken",
          "conservation of energy: work of the load = energy of the arms + G_c · area", Tier::Full,
          KnownMiss{
              .measured = 1.73391,
              .why = "after 8.8 mm the crack leaves the middle, as cracks between arms that nothing presses "
                     "along them do, rests while the arms are bent on, and breaks them at once; the ratio "
                     "is 0.95 until then"}},
         "double_cantilever",
         check_released,
         {Fault::HalvedRelease}});
    const auto bar_of = [](const std::string& spacing) { return Changes{"spacing=\"" + spacing + '"'}; };
    for (const auto& [name, spacing] :
         {std::pair("coarse", "2 cm"), std::pair("middle", "1.333333 cm"), std::pair("fine", "1 cm")})
        add({{"V-C5/strength/" + std::string(name), "a bar breaks in two when the stress is its strength",
              "σ = F / A", Tier::Full},
             "breaking_bar",
             check_strength,
             {Fault::MeanStressBreaks},
             bar_of(spacing)});
    // With fewer phyxels across even a crack through phyxels at random is not longer.
    const auto add_turn = [&](const char* name, const char* spacing, std::optional<KnownMiss> miss) {
        add({{"V-C5/across/" + std::string(name), "a bar breaks across the pull, within 5°",
              "the plane of the largest principal stress; 1 / cos 5° = 1.004", Tier::Full, std::move(miss)},
             "breaking_bar",
             check_turn,
             {"phyxels at random, whose strain is rough", {"bodies.bar.sampling=poisson_disk"}},
             bar_of(spacing)});
    };
    add_turn("middle", "1.333333 cm", std::nullopt);
    add_turn("fine", "1 cm", KnownMiss{.measured = 1.00526, .why = "the crack wavers by some degrees"});
    add({{"V-C5/straight", "a crack that starts at a notch goes straight on", "symmetry", Tier::Full},
         "notched_plate",
         check_straight,
         {Fault::CrackByStress}});
    add({{"V-C5/torn", "what flows tears when its plastic strain is the one that it bears",
          "plane, volume kept: ε_p = 2/√3 ln λ", Tier::Full},
         "torn_plate",
         check_torn,
         {Fault::PlainPlasticStrain}});
    const std::string conservation = "conservation of energy: what is lost = G_c · area";
    add({{"V-C/balance/gentle", "a crack in a plate that swings takes from the swing what its area costs",
          conservation, Tier::Full,
          KnownMiss{.measured = 0.550437,
                    .why =
                        "what weights leave at places that have not moved yet becomes short waves, which are "
                        "energy of the plate still"}},
         "swinging_plate",
         check_balance,
         {Fault::HalvedRelease}});
    add({{"V-C/balance/hard", "the same where the swing could drive a crack faster than it may go",
          conservation, Tier::Full,
          KnownMiss{
              .measured = 1.30406,
              .why = "a front at its largest speed releases more than its price, and nobody gets the rest"}},
         "swinging_plate",
         check_balance,
         {Fault::HalvedRelease},
         {"bodies.plate.velocity=[0,\"= 0.4*y\"]"}});
    return cases;
}

} // namespace phyxel::detail
