// SPDX-License-Identifier: MIT
// Solids in motion: orders in time, the damping of implicit steps, waves, modes, and Turek and Hron's flag.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/fault.h>
#include <phyxel/core/number_text.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_solver.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>
#include <phyxel/verify/observed_order.h>

#include <Eigen/Eigenvalues>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double full_turn = 2.0 * std::numbers::pi;

// One mode of a small cube

/// A cube of 4³ phyxels that swings in its slowest mode, so little that it is linear. What such a mode does
/// in time is known: sin(ωt)/ω of its velocity at the start, and what each method makes of it.
class SwingingCube {
public:
    explicit SwingingCube(Fault fault)
    {
        SolidMaterial material{.law = ElasticLaw::StVenantKirchhoff,
                               .density = 1.0,
                               .youngs_modulus = 1.0,
                               .poisson_ratio = 0.3};
        material.volume_stiffness = 0.0;
        const Box<3> box{.min = Vec<3>::Zero(), .max = Vec<3>::Constant(4.0)};
        const PhyxelCloud<3> cloud = make_phyxels<3>(Shape<3>(box), 1.0);
        const PhyxelCloud<3>* const clouds[] = {&cloud};
        model_ = make_solid_model<3>(clouds, std::span(&material, 1), 0.1);
        find_mode(); // of the model as it should be
        model_.set_fault(fault);
    }

    double frequency() const { return frequency_; } ///< ω [1/s]

    struct State {
        double displacement; ///< of the mode, over its velocity at the start [s]
        double energy;       ///< over that at the start
    };

    State after(double time, int steps, const SolidOptions& options) const
    {
        const SolidRegions<3> regions(model_, {}, {});
        SolidSolver<3> solver(model_, regions, options);
        SolidState<3> solid;
        solid.position = model_.rest.position;
        for (const Vec<3>& u : mode_) solid.velocity.push_back(swing * u);
        Surroundings<3> surroundings;
        const double dt = time / steps;
        for (int n = 1; n <= steps; ++n) {
            surroundings.time = n * dt;
            if (solver.step(solid, dt, surroundings).lost) return {std::nan(""), std::nan("")};
        }
        const ElasticEnergy elastic = elastic_energy<3>(model_, solid.position);
        double displacement = 0.0, kinetic = 0.0, norm = 0.0;
        for (std::size_t i = 0; i < mode_.size(); ++i) {
            displacement += mode_[i].dot(solid.position[i] - model_.rest.position[i]);
            kinetic += 0.5 * model_.mass[i] * solid.velocity[i].squaredNorm();
            norm += mode_[i].squaredNorm();
        }
        const double at_start = 0.5 * model_.mass[0] * swing * swing * norm; // all have the same mass
        return {displacement / (swing * norm), (kinetic + elastic.strain + elastic.stabilization) / at_start};
    }

private:
    static constexpr double swing = 1e-5; ///< speed, as a share of that of waves

    void find_mode()
    {
        ElasticWorkspace<3> work(model_);
        compute_responses<3>(model_, model_.rest.position, {}, work);
        const std::size_t count = model_.size();
        const auto size = static_cast<Eigen::Index>(3 * count);
        Eigen::MatrixXd K(size, size);
        std::vector<Vec<3>> change(count, Vec<3>::Zero()), product(count);
        for (Eigen::Index c = 0; c < size; ++c) {
            double& entry = change[static_cast<std::size_t>(c / 3)][c % 3];
            entry = 1.0;
            apply_stiffness<3>(model_, change, 0.0, work, product);
            entry = 0.0;
            for (std::size_t i = 0; i < count; ++i)
                K.block<3, 1>(static_cast<Eigen::Index>(3 * i), c) = product[i] / model_.mass[i];
        }
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(K);
        constexpr Eigen::Index slowest = 6; // after three shifts and three turns
        frequency_ = std::sqrt(modes.eigenvalues()[slowest]);
        for (std::size_t i = 0; i < count; ++i)
            mode_.emplace_back(
                modes.eigenvectors().col(slowest).segment<3>(static_cast<Eigen::Index>(3 * i)));
    }

    SolidModel<3> model_;
    std::vector<Vec<3>> mode_;
    double frequency_ = 0.0;
};

ImplicitOptions exact_implicit() { return {.tolerance = 1e-6, .newton_iterations = 10}; }

/// Steps per time halved again and again, for 0.7 of a period, at which neither x nor v is extreme.
Measurement check_order_in_time(Fault fault, const SolidOptions& options, double coarsest, double expected)
{
    const SwingingCube cube(fault);
    const double time = 0.7 * full_turn / cube.frequency();
    const double exact = std::sin(cube.frequency() * time) / cube.frequency();
    MeasuredLine found{.name = "Phyxel", .x = {}, .y = {}, .are_points = true};
    const double order = observed_order(
        [&](double share) {
            const int steps = static_cast<int>(std::lround(1.0 / share));
            const double error = std::abs(cube.after(time, steps, options).displacement / exact - 1.0);
            found.x.push_back(std::log10(steps));
            found.y.push_back(std::log10(error));
            return error;
        },
        {.coarsest = coarsest, .halvings = 3});
    MeasuredLine known{.name = "the order expected", .x = found.x, .y = {}, .is_reference = true};
    for (const double x : found.x) known.y.push_back(found.y.front() - expected * (x - found.x.front()));
    return with_chart({order, expected, 0.1, Bound::Near, "1", "observed over four numbers of steps"},
                      {"decimal logarithm of steps", "", "and of the error", "", {found, known}});
}

/// Energy that is lost in a step, as a rate: ln(1 + ω²Δt²) in units of the step.
Measurement check_damping(Fault fault, double angle, int steps)
{
    const SwingingCube cube(fault);
    const double dt = angle / cube.frequency();
    const double energy = cube.after(steps * dt, steps, exact_implicit()).energy;
    const double expected = std::log1p(angle * angle);
    return {-std::log(energy) / steps,
            expected,
            1e-3 * expected,
            Bound::Near,
            "1",
            "over " + std::to_string(steps) + " steps"};
}

std::vector<Case> step_cases()
{
    std::vector<Case> cases;
    const std::string extrapolated(info_of(Fault::ExtrapolatedVelocity).what);
    cases.push_back(make_case<Fault>(
        {"V-E/order_in_time/leapfrog", "leapfrog is of second order in time", "order 2, of a mode of a cube"},
        [](Fault fault) { return check_order_in_time(fault, LeapfrogOptions{}, 1.0 / 32, 2.0); }, Fault::None,
        std::string(info_of(Fault::PositionBeforeVelocity).what), Fault::PositionBeforeVelocity));
    cases.push_back(make_case<Fault>(
        {"V-E/order_in_time/implicit", "implicit Euler is of first order in time",
         "order 1, of a mode of a cube"},
        [](Fault fault) { return check_order_in_time(fault, exact_implicit(), 1.0 / 64, 1.0); }, Fault::None,
        extrapolated, Fault::ExtrapolatedVelocity));
    for (const auto& [angle, steps] : {std::pair(0.3, 20), {3.0, 4}})
        cases.push_back(make_case<Fault>(
            {"V-E8/implicit/damping/" + number_text(angle),
             "implicit steps damp as much as backward Euler does, and no more",
             "energy times 1/(1 + omega² dt²) in each step, docs/verification.md"},
            [angle = angle, steps = steps](Fault fault) { return check_damping(fault, angle, steps); },
            Fault::None, extrapolated, Fault::ExtrapolatedVelocity));
    return cases;
}

// Waves

/// When a pulse has its crest at a probe.
double crest_at(const SceneRun& run, const std::string& column)
{
    return crest_time(run.probes.at("time"), run.probes.at(column));
}

Measurement check_wave_speed(const SceneRun& run, char axis, double expected)
{
    constexpr double distance = 0.3;
    const std::string near = std::string("near.") + axis, far = std::string("far.") + axis;
    const double speed = distance / (crest_at(run, far) - crest_at(run, near));
    const std::vector<double>& t = run.probes.at("time");
    MeasuredLine due{.name = "far, as it should be", .x = {}, .y = run.probes.at(near), .is_reference = true};
    for (const double time : t) due.x.push_back(time + distance / expected);
    return with_chart({speed, expected, 0.02 * expected, Bound::Near, "m/s"},
                      {"time",
                       "s",
                       "velocity",
                       "m/s",
                       {{.name = "near", .x = t, .y = run.probes.at(near)},
                        {.name = "far", .x = t, .y = run.probes.at(far)},
                        due}});
}

// Modes

/// How far a body has gone in the direction of its velocities at the start: one mode, and little of others.
/// The time of its first whole swing.
Measurement check_mode(const SceneRun& run, const std::string& body, double expected, double unit,
                       std::string unit_name)
{
    const Snapshot start = run.frame(body, 0);
    const std::vector<Vec<3>> shape = vectors_of(*start.find("velocity"));
    MeasuredLine found{.name = "Phyxel", .x = {}, .y = {}};
    for (std::uint64_t k = 0; k <= run.report.frame; ++k) {
        const Snapshot frame = run.frame(body, k);
        double sum = 0.0, norm = 0.0;
        for (std::size_t i = 0; i < shape.size(); ++i) {
            sum += shape[i].dot(frame.points[i] - start.points[i]);
            norm += shape[i].squaredNorm();
        }
        found.x.push_back(run.stats.at("time")[k]);
        found.y.push_back(sum / norm);
    }
    double period = std::nan("");
    int crossings = 0;
    for (std::size_t k = 2; all_finite(found.y) && k < found.y.size(); ++k) {
        const double a = found.y[k - 1], b = found.y[k];
        if ((a < 0.0) == (b < 0.0)) continue;
        if (++crossings == 2) period = found.x[k - 1] + (found.x[k] - found.x[k - 1]) * a / (a - b);
    }
    MeasuredLine known{.name = "the reference", .x = found.x, .y = {}, .is_reference = true};
    const double omega = expected * unit;
    for (const double t : found.x) known.y.push_back(std::sin(omega * t) / omega);
    return with_chart(
        {full_turn / period / unit, expected, 0.03 * expected, Bound::Near, std::move(unit_name)},
        {"time", "s", "displacement over the speed at the start", "s", {found, known}});
}

// Turek and Hron [TH06]

constexpr double mm = 1e-3;

Measurement check_flag(const SceneRun& run, char axis, double expected, double share)
{
    return {run.probes.at(std::string("tip.") + axis).back() / mm, expected, share * std::abs(expected),
            Bound::Near, "mm"};
}

/// How the tip of the flag of CSM3 swings along one axis.
struct FlagSwing {
    double least = std::nan(""), most = std::nan(""); ///< [m]
    double period = std::nan(""); ///< from passing the middle downwards to the next time [s]
    MeasuredLine line = {};

    double mean() const { return 0.5 * (least + most); }
    double amplitude() const { return 0.5 * (most - least); }
};

FlagSwing flag_swing(const SceneRun& run, char axis)
{
    FlagSwing swing;
    const std::vector<double>&t = run.probes.at("time"), &height = run.probes.at("tip.y");
    swing.line = {.name = "Phyxel", .x = t, .y = run.probes.at(std::string("tip.") + axis)};
    if (!all_finite(height) || !all_finite(swing.line.y)) return swing;
    constexpr double middle = -63.607 * mm;
    std::vector<double> down;
    for (std::size_t k = 1; k < t.size(); ++k) {
        const double a = height[k - 1], b = height[k];
        if (a >= middle && b < middle) down.push_back(t[k - 1] + (t[k] - t[k - 1]) * (a - middle) / (a - b));
    }
    if (down.size() < 2) return swing;
    swing.period = down[1] - down[0];
    Largest most, least;
    for (const double value : swing.line.y) {
        most.add(value);
        least.add(-value);
    }
    swing.most = most.value();
    swing.least = -least.value();
    return swing;
}

MeasuredChart chart_of(const FlagSwing& swing, double mean, double amplitude)
{
    MeasuredLine known{.name = "[TH06]", .x = swing.line.x, .y = {}, .is_reference = true};
    for (const double t : known.x)
        known.y.push_back((mean + amplitude * std::cos(full_turn * 1.0995 * t)) * mm);
    return {"time", "s", "tip", "m", {swing.line, known}};
}

} // namespace

std::vector<Case> wave_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases = step_cases();
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const std::string too_soft =
        "integration over phyxels at random is not exact: a uniform stress pushes them (V-E/patch/forces), "
        "and where they give way the body is too soft";
    /// With phyxels on a lattice, and with those at random, of which it is known how far they are off.
    const auto add_with_random = [&](SceneCase c, const std::string& body, std::optional<double> poisson_disk,
                                     std::optional<double> jittered) {
        const std::string name = c.info.name;
        for (const auto& [word, miss] : {std::pair("lattice", std::optional<double>{}),
                                         {"poisson_disk", poisson_disk},
                                         {"jittered", jittered}}) {
            SceneCase one = c;
            one.info.name = name + "/" + word;
            if (one.info.name != name + "/lattice") {
                one.info.claim += ", with phyxels at random";
                one.settings.push_back("bodies." + body + ".sampling=" + word);
            }
            if (miss) one.info.known_miss = KnownMiss{.measured = *miss, .why = too_soft};
            add(std::move(one));
        }
    };
    add_with_random({{"V-E/wave/pressure", "a pressure wave has its speed",
                      "√((lambda + 2 mu)/rho) = 34.641 m/s, within 2 %", Tier::Full},
                     "plane_wave",
                     [](const SceneRun& run) { return check_wave_speed(run, 'x', 34.6410161514); },
                     Fault::HalvedShear},
                    "block", 28.0015, 26.7057);
    add_with_random(
        {{"V-E/wave/shear", "a shear wave has its speed", "√(mu/rho) = 20 m/s, within 2 %", Tier::Full},
         "plane_wave",
         [](const SceneRun& run) { return check_wave_speed(run, 'y', 20.0); },
         Fault::HalvedShear,
         {"duration=0.04", "bodies.block.velocity=[0, \"= 0.01*exp(-((x - 0.4)/0.1)^2)\"]"}},
        "block", 17.8517, 16.8492);

    // Sides, radius and the speed of shear waves are 1.
    const auto mode_case = [](std::string name, std::string claim, std::string source,
                              const std::string& body, double expected, Changes settings) {
        return SceneCase{
            {"V-E/mode/" + std::move(name), std::move(claim), std::move(source), Tier::Full},
            "free_" + body,
            [body, expected](const SceneRun& run) { return check_mode(run, body, expected, 1.0, "c_s/m"); },
            Fault::HalvedShear,
            std::move(settings)};
    };
    add_with_random(mode_case("cube/twist", "the slowest mode of a free cube",
                              "tools/reference_numbers.py: omega a/c_s = 2.8562, within 3 %", "cube", 2.8562,
                              {}),
                    "cube", 2.6126, 2.4675);
    add(mode_case("cube/lame", "Lamé's mode of a free cube, which has a formula",
                  "omega a/c_s = √2 pi, within 3 %", "cube", 4.44288293816,
                  {"duration=3", "frame_rate=40",
                   "bodies.cube.velocity=[\"= 0.01*cos(pi*x)*sin(pi*y)\", \"= -0.01*sin(pi*x)*cos(pi*y)\", "
                   "0]"}));
    add_with_random(mode_case("sphere/torsion", "the slowest mode of a free sphere, T2",
                              "[Lam82], omega R/c_s = 2.50113, within 3 %", "sphere", 2.50113, {}),
                    "sphere", 2.3215, 2.1339);
    add(mode_case("sphere/spheroidal", "a free sphere gets long and flat in turns, S2",
                  "tools/reference_numbers.py, [Lam82]: omega R/c_s = 2.64622 with nu = 0.3, within 3 %",
                  "sphere", 2.64622, {"bodies.sphere.velocity=[\"= 0.01*x\", \"= 0.01*y\", \"= -0.02*z\"]"}));
    const auto breathing = [](char axis) {
        return std::string("\"= 0.01*") + axis +
               "*(1 - 0.713*(x^2 + y^2 + z^2) + 0.1816*(x^2 + y^2 + z^2)^2)\"";
    };
    add(mode_case(
        "sphere/breathing", "a free sphere breathes, S0",
        "[Lam82], omega R/c_s = 4.99551 with nu = 0.3, within 3 %", "sphere", 4.99551,
        {"duration=2.8", "frame_rate=40",
         "bodies.sphere.velocity=[" + breathing('x') + ", " + breathing('y') + ", " + breathing('z') + "]"}));

    const auto beam_case = [](std::string name, std::string claim, std::string source, double hertz,
                              Changes settings) {
        return SceneCase{
            {"V-E/mode/beam/" + std::move(name), std::move(claim), std::move(source), Tier::Full},
            "free_beam",
            [hertz](const SceneRun& run) { return check_mode(run, "beam", hertz, full_turn, "Hz"); },
            Fault::HalvedShear,
            std::move(settings)};
    };
    add(beam_case("bending", "a free beam bends at the frequency of Timoshenko's beam",
                  "tools/reference_numbers.py: Timoshenko's beam, within 3 %", 9.93056465203, {}));
    add(beam_case(
        "axial", "a free beam gets long and short at its frequency", "√(E/rho)/2L, within 3 %", 50.0,
        {"duration=0.022", "frame_rate=2000", "bodies.beam.velocity=[\"= 0.01*cos(pi*x)\", 0, 0]"}));
    SceneCase torsion = beam_case("torsion", "a free beam twists at the frequency of Saint-Venant's torsion",
                                  "docs/verification.md: 0.14058 b⁴, within 3 %", 28.478,
                                  {"duration=0.04", "frame_rate=1000",
                                   "bodies.beam.velocity=[0, \"= -0.1*(z - 0.05)*cos(pi*x)\", "
                                   "\"= 0.1*(y - 0.05)*cos(pi*x)\"]"});
    torsion.info.known_miss =
        KnownMiss{.measured = 27.093,
                  .why = "8 phyxels across are too few for the stress of torsion, which is largest at the "
                         "surface, where gradients are one-sided"};
    add(std::move(torsion));

    const Changes csm2 = {"bodies.flag.material.youngs_modulus=5.6e6"};
    add({{"V-E/csm2/vertical", "a stiffer flag bends as computed by many others",
          "[TH06, CSM2]: -16.974 mm, within 3 %", Tier::Full},
         "csm1",
         [](const SceneRun& run) { return check_flag(run, 'y', -16.974, 0.03); },
         Fault::HalvedShear,
         csm2});
    add({{"V-E/csm2/horizontal", "a stiffer flag bends as computed by many others",
          "[TH06, CSM2]: -0.4690 mm, within 6 %", Tier::Full,
          KnownMiss{
              .measured = -0.44010,
              .why = "the probe follows the phyxel nearest to the tip, half a spacing above the middle "
                     "line, which the slope of the flag carries forward; the mean of the two phyxels beside "
                     "the line is at -0.4809 mm"}},
         "csm1",
         [](const SceneRun& run) { return check_flag(run, 'x', -0.4690, 0.06); },
         Fault::HalvedShear,
         csm2});
    struct Swing {
        char axis;
        const char* word;
        double mean, amplitude, share; ///< [mm]
    };
    // As wide as those of CSM1 and CSM2.
    constexpr std::array swings = {Swing{'y', "vertical", -63.607, 65.160, 0.03},
                                   Swing{'x', "horizontal", -14.305, 14.305, 0.06}};
    for (const Swing& known : swings) {
        const std::string word = known.word;
        const std::string source = "[TH06, CSM3]: " + number_text(known.mean) + " ± " +
                                   number_text(known.amplitude) + " mm, within " +
                                   number_text(100 * known.share) + " % of the amplitude";
        const auto swing_case = [&](const std::string& name, std::string claim, double expected, auto value) {
            add({{"V-E/csm3/" + word + "/" + name, std::move(claim), source, Tier::Long},
                 "csm3",
                 [known, expected, value](const SceneRun& run) {
                     const FlagSwing swing = flag_swing(run, known.axis);
                     return with_chart(
                         {value(swing) / mm, expected, known.share * known.amplitude, Bound::Near, "mm"},
                         chart_of(swing, known.mean, known.amplitude));
                 },
                 Fault::HalvedShear});
        };
        swing_case("mean", "a flag that is let go swings about where it was computed by many others",
                   known.mean, [](const FlagSwing& swing) { return swing.mean(); });
        swing_case("amplitude", "a flag that is let go swings as far as computed by many others",
                   known.amplitude, [](const FlagSwing& swing) { return swing.amplitude(); });
    }
    add({{"V-E/csm3/lowest", "a flag that is let go falls as deep as computed by many others",
          "[TH06, CSM3]: -63.607 - 65.160 mm, within 3 %", Tier::Long},
         "csm3",
         [](const SceneRun& run) {
             const FlagSwing swing = flag_swing(run, 'y');
             return with_chart({swing.least / mm, -128.767, 0.03 * 128.767, Bound::Near, "mm"},
                               chart_of(swing, -63.607, 65.160));
         },
         Fault::HalvedShear});
    add({{"V-E/csm3/frequency", "a flag that is let go swings as often as computed by many others",
          "[TH06, CSM3]: 1.0995 Hz, within 3 %", Tier::Long},
         "csm3",
         [](const SceneRun& run) {
             const FlagSwing swing = flag_swing(run, 'y');
             return with_chart({1.0 / swing.period, 1.0995, 0.03 * 1.0995, Bound::Near, "Hz"},
                               chart_of(swing, -63.607, 65.160));
         },
         Fault::HalvedShear});
    return cases;
}

} // namespace phyxel::detail
