// SPDX-License-Identifier: MIT
// Rigid bodies by themselves: how they turn, roll, slide, hit each other and stand, run as the command runs
// them.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/geometry/rigid_motion.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/signal.h>
#include <phyxel/verify/detail/worst.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double gravity_of_rigid = 9.81;

std::vector<Vec<3>> vectors_of(const SceneRun& run, const std::string& probe)
{
    const std::vector<double>&x = run.probes.at(probe + ".x"), &y = run.probes.at(probe + ".y"),
          &z = run.probes.at(probe + ".z");
    std::vector<Vec<3>> all;
    for (std::size_t k = 0; k < x.size(); ++k)
        if (!std::isnan(x[k])) all.emplace_back(x[k], y[k], z[k]);
    return all;
}

// Free rotation

/// Of a free body with moments of inertia in ascending order: how long its angular velocity, seen from the
/// body, takes to come back [LL76, §37].
double period_of_free_rotation(const Vec<3>& I, const Vec<3>& omega)
{
    const double twice_energy = omega.dot(I.cwiseProduct(omega));
    const double square = I.cwiseProduct(omega).squaredNorm();
    // About the axis of the greatest moment, or about that of the least: the same with both exchanged.
    const bool is_about_greatest = square > twice_energy * I[1];
    const double low = is_about_greatest ? I[0] : I[2];
    const double high = is_about_greatest ? I[2] : I[0];
    const double scale = (high - I[1]) * (square - twice_energy * low);
    const double k2 = (I[1] - low) * (twice_energy * high - square) / scale;
    return 4.0 * std::comp_ellint_1(std::sqrt(k2)) * std::sqrt(I.prod() / scale);
}

/// rigid_cuboid.json: the middle component of its angular velocity changes its sign twice in a period.
Measurement check_period(const SceneRun& run, const Vec<3>& omega)
{
    const std::vector<Vec<3>> turned = vectors_of(run, "rotation"), found = vectors_of(run, "omega");
    std::vector<double> time, middle;
    for (std::size_t k = 0; k < run.probes.at("time").size(); ++k)
        if (!std::isnan(run.probes.at("omega.x")[k])) time.push_back(run.probes.at("time")[k]);
    for (std::size_t k = 0; k < found.size(); ++k)
        middle.push_back((rotation_by(Angles<3>(-turned[k])) * found[k])[1]);
    const std::vector<double> crossings = zero_crossings(time, middle);
    const double measured = crossings.size() < 3 ? std::nan("") : crossings[2] - crossings[0];
    // z is the axis of the least moment.
    const double expected =
        period_of_free_rotation(Vec<3>(5.0, 10.0, 13.0) / 12.0, Vec<3>(omega[2], omega[1], omega[0]));
    return {measured, expected, 0.005 * expected, Bound::Near, "s"};
}

/// The largest change of the vector in space, relative to what it was.
Measurement check_angular_momentum(const SceneRun& run)
{
    const std::vector<Vec<3>> L = vectors_of(run, "L");
    Worst worst;
    for (const Vec<3>& now : L) worst.add((now - L.front()).norm() / L.front().norm());
    return error_measurement(worst.value(), 1e-6, "of its vector");
}

Measurement check_energy_of_rotation(const SceneRun& run)
{
    const std::vector<Vec<3>> L = vectors_of(run, "L"), omega = vectors_of(run, "omega");
    Worst worst;
    for (std::size_t k = 0; k < L.size(); ++k)
        worst.add(L[k].dot(omega[k]) / L.front().dot(omega.front()) - 1.0);
    return error_measurement(worst.value(), 1e-6);
}

// A heavy top

/// How fast the top of rigid_top.json goes round while its axis stays at an angle with the vertical and it
/// turns with `spin` about it: the slower root of I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0 [LL76, §35].
double precession(double spin, double angle)
{
    constexpr double mass = 1.0, radius = 0.05, thickness = 0.002, length = 0.1;
    constexpr double I_3 = 0.5 * mass * radius * radius;
    constexpr double I_1 =
        0.25 * mass * radius * radius + mass * thickness * thickness / 12.0 + mass * length * length;
    const double a = I_1 * std::cos(angle), b = I_3 * spin, c = mass * gravity_of_rigid * length;
    return 2.0 * c / (b + std::sqrt(b * b - 4.0 * a * c));
}

Measurement check_top(const SceneRun& run, double expected)
{
    const std::vector<Vec<3>> place = vectors_of(run, "disc");
    double angle = 0.0;
    for (std::size_t k = 1; k < place.size(); ++k) {
        const Vec<3>&from = place[k - 1], &to = place[k];
        angle += std::atan2(from[0] * to[1] - from[1] * to[0], from[0] * to[0] + from[1] * to[1]);
    }
    return {angle / run.probes.at("time").back(), expected, 0.01 * expected, Bound::Near, "rad/s"};
}

/// rigid_top.json with its axis and its spin changed, and such a start that its axis stays at its angle.
Changes top_at(double spin, double angle)
{
    const double s = std::sin(angle), c = std::cos(angle), omega = precession(spin, angle);
    const auto text = [](std::initializer_list<double> values) {
        std::string all;
        for (const double value : values) {
            std::array<char, 32> digits;
            std::snprintf(digits.data(), digits.size(), "%.17g", value);
            all += (all.empty() ? "" : ", ") + std::string(digits.data());
        }
        return "[" + all + "]";
    };
    // Of the axis: the spin; across it: what goes round does not turn about the axis.
    const double along = spin - omega * c;
    return {"bodies.disc.shape={ \"cylinder\": { \"from\": " + text({0.099 * s, 0, 0.099 * c}) +
                ", \"to\": " + text({0.101 * s, 0, 0.101 * c}) + ", \"radius\": 0.05 } }",
            "bodies.disc.velocity=" + text({0.0, 0.1 * s * omega, 0.0}),
            "bodies.disc.angular_velocity=" + text({along * s, 0.0, along * c + omega})};
}

// On a slope of 30 degrees

/// I / (m r²) of a ball or a cylinder with a hollow of its form in it.
double hollow_ball(double outer, double inner)
{
    return 0.4 * (std::pow(outer, 5) - std::pow(inner, 5)) /
           ((std::pow(outer, 3) - std::pow(inner, 3)) * outer * outer);
}
double hollow_cylinder(double outer, double inner)
{
    return 0.5 * (outer * outer + inner * inner) / (outer * outer);
}

/// From rest, from how far it has come.
double acceleration_of(const SceneRun& run, const std::string& probe)
{
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at(probe + ".x");
    return 2.0 * (x.back() - x.front()) / (time.back() * time.back());
}

Measurement check_rolling(const SceneRun& run, const std::string& probe, double inertia)
{
    const double expected = 0.5 * gravity_of_rigid / (1.0 + inertia);
    return {acceleration_of(run, probe), expected, 0.01 * expected, Bound::Near, "m/s²"};
}

/// The speed in the end of a ball that slid at first: 5/7 of what it was.
Measurement check_start_of_rolling(const SceneRun& run)
{
    constexpr double first = 2.0;
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at("ball.x");
    const std::size_t from = time.size() - 11;
    const double speed = (x.back() - x[from]) / (time.back() - time[from]);
    return {speed, 5.0 / 7.0 * first, 0.01 * first, Bound::Near, "m/s"};
}

Measurement check_rigid_slope(const SceneRun& run)
{
    constexpr double mu = 0.3, angle = std::numbers::pi / 6;
    const double expected = gravity_of_rigid * (std::sin(angle) - mu * std::cos(angle));
    return {acceleration_of(run, "block"), expected, 0.01 * expected, Bound::Near, "m/s²"};
}

Measurement check_rigid_creep(const SceneRun& run)
{
    const std::vector<double>&time = run.probes.at("time"), &x = run.probes.at("block.x");
    // Before it can fall asleep.
    constexpr double from = 0.1, to = 0.45;
    std::size_t first = 0, last = 0;
    while (time[first] < from) ++first;
    while (last + 1 < time.size() && time[last] < to) ++last;
    const double speed = (x[last] - x[first]) / (time[last] - time[first]);
    return {std::abs(speed), 1e-4, 0.0, Bound::AtMost, "m/s", "while it is awake"};
}

// Impacts

/// The speeds of the balls of rigid_cradle.json in the end.
Measurement check_cradle(const SceneRun& run, const std::array<double, 5>& expected)
{
    constexpr std::array<const char*, 5> names = {"a", "b", "c", "d", "e"};
    const double mass = run.probes.at("a.x").front();
    Worst worst;
    for (std::size_t k = 0; k < names.size(); ++k)
        worst.add(run.probes.at(std::string(names[k]) + ".x").back() / mass - expected[k]);
    return error_measurement(worst.value(), 1e-6, "of the speed that came");
}

Measurement check_last_ball(const SceneRun& run, double restitution)
{
    const double mass = run.probes.at("a.x").front();
    return {run.probes.at("e.x").back() / mass,
            std::pow(0.5 * (1.0 + restitution), 4),
            1e-6,
            Bound::Near,
            "1",
            "of the speed that came"};
}

/// Of all three, against the sum of their sizes when they were largest. They must have met.
Measurement check_collision(const SceneRun& run)
{
    const std::vector<Vec<3>> bar = vectors_of(run, "bar"), box = vectors_of(run, "box"),
                              ball = vectors_of(run, "ball");
    if (!(box.back().norm() > 0.1 * bar.front().norm()) || !(ball.back().norm() > 0.0))
        return error_measurement(std::nan(""), 1e-6);
    const Vec<3> first = bar.front() + box.front() + ball.front();
    Worst change;
    Largest scale;
    for (std::size_t k = 0; k < bar.size(); ++k) {
        change.add((bar[k] + box[k] + ball[k] - first).norm());
        scale.add(bar[k].norm() + box[k].norm() + ball[k].norm());
    }
    return error_measurement(change.value() / scale.value(), 1e-6, "of Σ |m v|");
}

// Standing, lying and hanging

Vec<3> mean_place(const Snapshot& frame)
{
    Vec<3> sum = Vec<3>::Zero();
    for (const Vec<3>& x : frame.points) sum += x;
    return sum / static_cast<double>(frame.points.size());
}

/// How far any of ten bricks has come, over its height.
Measurement check_stack(const SceneRun& run)
{
    constexpr double height = 0.065;
    Worst worst;
    for (int k = 0; k < 10; ++k) {
        const std::string name = "brick " + std::to_string(k);
        worst.add((mean_place(run.last.at(name)) - mean_place(run.frame(name, 0))).norm() / height);
    }
    return error_measurement(worst.value(), 0.01, "of the height of a brick");
}

/// The ball lies on the bottom of the cup, which is where it was.
Measurement check_cup(const SceneRun& run)
{
    constexpr double bottom = 0.02, radius = 0.03, room = 0.08 - radius;
    const std::vector<Vec<3>> ball = vectors_of(run, "ball"), cup = vectors_of(run, "cup");
    Worst worst;
    worst.add(ball.back()[2] - (bottom + radius));
    worst.add(cup.back()[2] - cup.front()[2]);
    worst.add(std::max(0.0, (ball.back() - cup.back()).head<2>().norm() - room));
    return error_measurement(worst.value() / radius, 0.01, "of the radius of the ball");
}

/// One ring lies on the floor with the post in its hole. The other one swings on the peg at last: its middle
/// is away from that of the peg by as much as its hole is wider.
Measurement check_rings(const SceneRun& run)
{
    constexpr double thickness = 0.02, hole = 0.04, peg = 0.02;
    const Vec<3> lying = vectors_of(run, "lying").back(), hanging = vectors_of(run, "hanging").back();
    Worst worst;
    worst.add(lying[2] - 0.5 * thickness);
    worst.add(std::max(0.0, (lying.head<2>() - Vec<2>(-0.5, 0.0)).norm() - (hole - peg)));
    worst.add(std::hypot(hanging[0] - 0.5, hanging[2] - 0.5) - (hole - peg));
    return error_measurement(worst.value() / hole, 0.01, "of the radius of the hole");
}

} // namespace

std::vector<Case> rigid_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };

    const auto add_period = [&](const std::string& name, const Vec<3>& omega, const std::string& text) {
        add({{"V-R/free/period/" + name, "a free box tumbles as Euler's equations say",
              "elliptic integral, 0.5 % [LL76, §37]"},
             "rigid_cuboid",
             [omega](const SceneRun& run) { return check_period(run, omega); },
             Fault::NoGyroscopicTerm,
             {"bodies.box.angular_velocity=" + text}});
    };
    add_period("flip", {0.01, 1, 0.01}, "[0.01, 1, 0.01]");
    add_period("about_middle", {0.1, 1, 0}, "[0.1, 1, 0]");
    add_period("about_greatest", {1, 0.5, 0.2}, "[1, 0.5, 0.2]");
    const Changes wild = {"bodies.box.angular_velocity=[1, 0.5, 0.2]"};
    add({{"V-R/free/angular_momentum", "a free body keeps its angular momentum", "1e-6"},
         "rigid_cuboid",
         check_angular_momentum,
         Fault::NoGyroscopicTerm,
         wild});
    add({{"V-R/free/energy", "a free body keeps its energy", "1e-6"},
         "rigid_cuboid",
         check_energy_of_rotation,
         Fault::TurnedByFirstVelocity,
         wild});

    const auto add_top = [&](const std::string& name, double spin, double angle) {
        add({{"V-R/top/" + name, "a heavy top goes round",
              "I₁ cos θ Ω² − I₃ ω₃ Ω + m g l = 0, 1 % [LL76, §35]"},
             "rigid_top",
             [=](const SceneRun& run) { return check_top(run, precession(spin, angle)); },
             Fault::HalvedInertia,
             top_at(spin, angle)});
    };
    add_top("flat", 300.0, std::numbers::pi / 2);
    add_top("tilted", 300.0, std::numbers::pi / 6);
    add_top("slower", 200.0, std::numbers::pi / 6);

    const auto add_rolling = [&](const std::string& name, double inertia) {
        add({{"V-R/rolling/" + name, "how fast it rolls down a slope", "g sin θ / (1 + I/(m r²)), 1 %"},
             "rigid_rolling",
             [=](const SceneRun& run) { return check_rolling(run, name, inertia); },
             Fault::HalvedInertia});
    };
    add_rolling("ball", 0.4);
    add_rolling("hollow_ball", hollow_ball(0.1, 0.09));
    add_rolling("cylinder", 0.5);
    add_rolling("tube", hollow_cylinder(0.1, 0.09));
    add({{"V-R/rolling/start", "a ball that slides rolls in the end", "5/7 of its speed, 1 %"},
         "rigid_sliding_ball",
         check_start_of_rolling,
         Fault::FrictionWithoutTorque});

    add({{"V-R/slope/slides", "a rigid block slides down a slope", "g (sin θ − μ cos θ), 1 %"},
         "rigid_slope",
         check_rigid_slope,
         Fault::FrictionBySpeed});
    add({{"V-R/slope/holds", "a rigid block stays on a slope that is not too steep", "1e-4 m/s"},
         "rigid_slope",
         check_rigid_creep,
         Fault::FrictionBySpeed,
         {"bodies.block.material.friction=0.6"}});

    const auto add_cradle = [&](const std::string& name, const std::array<double, 5>& expected,
                                Changes changes) {
        add({{"V-R/cradle/" + name, "as many balls leave a cradle as came", "momentum and energy, 1e-6"},
             "rigid_cradle",
             [=](const SceneRun& run) { return check_cradle(run, expected); },
             Fault::NoRebound,
             std::move(changes)});
    };
    add_cradle("one", {0, 0, 0, 0, 1}, {});
    add_cradle("three", {0, 0, 1, 1, 1}, {"bodies.b.velocity=[1, 0, 0]", "bodies.c.velocity=[1, 0, 0]"});
    Changes lossy;
    for (const char* ball : {"a", "b", "c", "d", "e"})
        lossy.push_back(std::string("bodies.") + ball + ".material.restitution=0.9");
    add({{"V-R/cradle/loss", "how fast the last ball of a cradle leaves it", "((1 + e)/2)⁴ v, 1e-6"},
         "rigid_cradle",
         [](const SceneRun& run) { return check_last_ball(run, 0.9); },
         Fault::NoRebound,
         lossy});
    add({{"V-R/momentum", "rigid bodies that hit each other keep their momentum", "1e-6 of Σ |m v|"},
         "rigid_collision",
         check_collision,
         Fault::OneSidedContacts});

    add({{"V-R/stack", "ten bricks stand on each other for ten seconds", "1 % of a brick", Tier::Full},
         "rigid_stack",
         check_stack,
         Fault::OnePointContacts});
    add({{"V-R/cup", "a ball falls into a cup and stays there", "1 % of its radius"},
         "rigid_cup",
         check_cup,
         Fault::OneSidedContacts});
    add({{"V-R/ring", "a ring falls over a post, and another one hangs on a peg", "1 % of its hole"},
         "rigid_ring",
         check_rings,
         Fault::FilledHoles});
    return cases;
}

} // namespace phyxel::detail
