// SPDX-License-Identifier: MIT
// V-U2, V-U3, V-U6: the implicit coat of a body, who is on its boundary, and surfels on its detail.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/search/kd_tree.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/boundary_probability.h>
#include <phyxel/surface/coat.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

// V-U2: a phyxel by itself

/// The field of one phyxel with the radius 1 in the origin, for a blobbiness.
using LoneField = std::function<std::function<double(const Vec<3>&)>(double blobbiness)>;

std::function<double(const Vec<3>&)> lone_field(double blobbiness)
{
    const BlinnField field(std::vector<Vec<3>>{Vec<3>::Zero()}, {.radius = 1.0, .blobbiness = blobbiness});
    return [field](const Vec<3>& x) { return field.sample(x).value; };
}

/// How far along `direction` the field falls to the level.
double radius_along(const std::function<double(const Vec<3>&)>& field, const Vec<3>& direction)
{
    double inside = 0.0, outside = 8.0;
    for (int k = 0; k < 100; ++k) {
        const double middle = 0.5 * (inside + outside);
        (field(middle * direction) >= blinn_level ? inside : outside) = middle;
    }
    return inside;
}

constexpr std::array blobbinesses = {-0.5, -1.0, -2.0};

void add_radius_cases(std::vector<Case>& cases)
{
    const std::string source = "F(R) = S, [MKN*04, Eq. 28] with a = −B/R², b = S e^{−B}";
    const std::string wrong_sign = "b = S e^{B}";
    cases.push_back(make_case(
        {"V-U2/isolated", "the coat of a phyxel by itself is a ball of the radius that was asked for",
         source},
        [](const LoneField& make) {
            Worst worst(1.0);
            for (const double B : blobbinesses)
                for (const Vec<3>& way : {Vec<3>(1, 0, 0), Vec<3>(-1, 2, 3), Vec<3>(0, -1, 0.3)})
                    worst.add(radius_along(make(B), way.normalized()));
            return error_measurement(worst.value() - 1.0, 1e-10, "B = −0.5, −1, −2; three directions");
        },
        LoneField(lone_field), wrong_sign,
        [](double B) -> std::function<double(const Vec<3>&)> {
            return [B](const Vec<3>& x) { return std::exp(B) * std::exp(B * x.squaredNorm()); };
        }));
    // The same at the end of Newton's way.
    using Projection = std::function<Vec<3>(double blobbiness, const Vec<3>& x)>;
    cases.push_back(make_case(
        {"V-U2/projection", "places inside and outside of a lone phyxel are projected onto its ball", source},
        [](const Projection& project) {
            Worst worst(1.0);
            for (const double B : blobbinesses)
                for (const double from : {0.4, 0.9, 1.2, 2.0, 20.0})
                    worst.add(project(B, from * Vec<3>(1, -2, 2) / 3.0).norm());
            return error_measurement(worst.value() - 1.0, 1e-10, "from 0.4 to 20 radii");
        },
        Projection([](double B, const Vec<3>& x) {
            const std::vector<Vec<3>> one = {Vec<3>::Zero()};
            return BlinnField(one, {.radius = 1.0, .blobbiness = B}).project(x).value();
        }),
        "one step of Newton's method",
        [](double B, const Vec<3>& x) {
            const std::vector<Vec<3>> one = {Vec<3>::Zero()};
            const auto at = BlinnField(one, {.radius = 1.0, .blobbiness = B}).sample(x);
            return Vec<3>(x + (1.0 - at.value) / at.gradient.squaredNorm() * at.gradient);
        }));
}

// V-U3: who is on the boundary

/// P of the first point, all others being its neighbours.
using Probability = std::function<double(const std::vector<Vec<3>>& points)>;

double probability(const std::vector<Vec<3>>& points)
{
    std::vector<Index> others(points.size() - 1);
    std::iota(others.begin(), others.end(), Index(1));
    std::vector<std::uint64_t> offsets(points.size() + 1, others.size());
    offsets.front() = 0;
    return boundary_probability(points, NeighborLists(offsets, others)).front();
}

/// Lattice points within `radius` of one of them, which comes first, that have no coordinate above 0 along
/// the first so many axes.
std::vector<Vec<3>> lattice_around(double radius, int cut_axes)
{
    std::vector<Vec<3>> points = {Vec<3>::Zero()};
    const int n = static_cast<int>(radius);
    for (int k = -n; k <= n; ++k)
        for (int j = -n; j <= n; ++j)
            for (int i = -n; i <= n; ++i) {
                const Vec<3> x(i, j, k);
                const bool is_cut =
                    (cut_axes > 0 && i > 0) || (cut_axes > 1 && j > 0) || (cut_axes > 2 && k > 0);
                if (!is_cut && !x.isZero(0.0) && x.norm() <= radius) points.push_back(x);
            }
    return points;
}

/// Midpoints of cells that fill the lower half of a ball densely.
std::vector<Vec<3>> half_ball(int cells)
{
    std::vector<Vec<3>> points = {Vec<3>::Zero()};
    for (int k = -cells; k < 0; ++k)
        for (int j = -cells; j < cells; ++j)
            for (int i = -cells; i < cells; ++i)
                if (const Vec<3> x(i + 0.5, j + 0.5, k + 0.5); x.norm() <= cells) points.push_back(x / cells);
    return points;
}

Mat<3> covariance_about(const std::vector<Vec<3>>& points, const Vec<3>& middle)
{
    Mat<3> sum = Mat<3>::Zero();
    for (const Vec<3>& x : points) sum += (x - middle) * (x - middle).transpose();
    return sum;
}

double without_mean(const std::vector<Vec<3>>& points)
{
    const Mat<3> C = covariance_about(points, points.front());
    return 1.0 - C.determinant() / std::pow(C.trace() / 3.0, 3);
}

double without_thirds(const std::vector<Vec<3>>& points)
{
    Vec<3> mean = Vec<3>::Zero();
    for (const Vec<3>& x : points) mean += x / static_cast<double>(points.size());
    const Mat<3> C = covariance_about(points, mean);
    return 1.0 - C.determinant() / std::pow(C.trace(), 3);
}

void add_probability_cases(std::vector<Case>& cases)
{
    const auto add = [&](const std::string& name, const std::string& claim, const std::string& source,
                         const std::vector<Vec<3>>& points, double reference, double tolerance,
                         const std::string& sabotage, const Probability& sabotaged) {
        cases.push_back(make_case(
            {"V-U3/" + name, claim, source},
            [=](const Probability& probability_of) {
                return Measurement{probability_of(points),
                                   reference,
                                   tolerance,
                                   Bound::Near,
                                   "1",
                                   std::to_string(points.size()) + " phyxels"};
            },
            Probability(probability), sabotage, sabotaged));
    };
    const std::string about_phyxel = "moments about the phyxel and not about the mean";
    add("ball", "a phyxel in the middle of a ball of others is not on the boundary",
        "0 by symmetry, [MKN*04, Eq. 29]", lattice_around(3.5, 0), 0.0, 1e-12, "tr C in place of tr C / 3",
        without_thirds);
    add("half_ball", "the boundary probability on the face of a half-space",
        "moments of a half-ball, 1/5, 1/5 and 1/5 − 9/64: 1 − 0.002375 / 0.153125³", half_ball(24),
        1.0 - 0.04 * 0.059375 / std::pow(0.459375 / 3.0, 3), 1e-3, about_phyxel, without_mean);
    const std::string counted = "counted over the lattice, radius 3.5 spacings";
    add("face", "the boundary probability on a face of a lattice", counted, lattice_around(3.5, 1), 0.2616,
        1e-3, about_phyxel, without_mean);
    add("edge", "the boundary probability on an edge of a lattice", counted, lattice_around(3.5, 2), 0.3373,
        1e-3, about_phyxel, without_mean);
    add("corner", "the boundary probability on a corner of a lattice", counted, lattice_around(3.5, 3),
        0.1319, 1e-3, about_phyxel, without_mean);
}

// V-U6: surfels on the detail of a body that keeps its topology

/// A ball of phyxels and its surface with ripples, twisted, bent and stretched to and fro in 200 frames.
struct TwistedBall {
    static constexpr int frames = 200;
    static constexpr double surfel_radius = 0.3;
    std::vector<Vec<3>> phyxels, points, normals;

    TwistedBall()
    {
        constexpr double radius = 4.5;
        for (int k = -5; k < 5; ++k)
            for (int j = -5; j < 5; ++j)
                for (int i = -5; i < 5; ++i)
                    if (const Vec<3> x(i + 0.5, j + 0.5, k + 0.5); x.norm() < radius - 0.3)
                        phyxels.push_back(x);
        // Points along a spiral, each for the same area.
        constexpr int count = 2800;
        for (int i = 0; i < count; ++i) {
            const double z = (2.0 * i + 1.0) / count - 1.0,
                         angle = i * std::numbers::pi * (3.0 - std::sqrt(5.0));
            const auto at = [&](double height, double turn) {
                const double wide = std::sqrt(1.0 - height * height);
                const double r = radius + 0.1 * std::cos(6.0 * turn) * std::pow(wide, 3);
                return Vec<3>(r * wide * std::cos(turn), r * wide * std::sin(turn), r * height);
            };
            constexpr double h = 1e-6;
            points.push_back(at(z, angle));
            normals.push_back(
                (at(z, angle + h) - at(z, angle - h)).cross(at(z + h, angle) - at(z - h, angle)));
        }
    }

    std::vector<Vec<3>> moved(int frame) const
    {
        const double phase = std::sin(frame * 2.0 * std::numbers::pi / 100.0);
        std::vector<Vec<3>> now;
        for (const Vec<3>& X : phyxels) {
            const double angle = 0.1 * phase * X[2], c = std::cos(angle), s = std::sin(angle);
            now.push_back(Vec<3>(c * X[0] - s * X[1], s * X[0] + c * X[1], X[2]) +
                          phase * Vec<3>(0.02 * X[2] * X[2], 0, 0.4 * X[2]));
        }
        return now;
    }
};

/// How far x is from the surface that moving least squares lay through the zombies, by the definition
/// [AA03], with its own search. [m]
double distance_from_detail(const CoatZombies& zombies, const KdTree<3>& tree, const Vec<3>& start,
                            const Vec<3>& side, double radius)
{
    Vec<3> x = start;
    std::vector<Index> near;
    for (int k = 0; k < 20; ++k) {
        tree.radius(x, radius, near);
        Vec<3> mean = Vec<3>::Zero(), normal = Vec<3>::Zero();
        double weights = 0.0;
        for (const Index z : near) {
            if (!(zombies.normal[z].dot(side) > 0.0)) continue;
            const double w = std::pow(1.0 - (x - zombies.position[z]).squaredNorm() / (radius * radius), 3);
            mean += w * zombies.position[z];
            normal += w * zombies.normal[z];
            weights += w;
        }
        normal.normalize();
        const double off = normal.dot(x - mean / weights);
        x -= off * normal;
        if (std::abs(off) < 1e-9) break;
    }
    return (x - start).norm();
}

/// The options of a coat, from those that the case is about.
using CoatChange = std::function<CoatOptions(const CoatOptions&)>;

void add_zombie_case(std::vector<Case>& cases)
{
    cases.push_back(make_case(
        {"V-U6/zombies", "resampled surfels stay on the surface of the detail while the topology does",
         "within 0.05 r_s, [MKN*04, Sec. 5.2.5]"},
        [](const CoatChange& change) {
            const TwistedBall ball;
            constexpr double r_s = TwistedBall::surfel_radius;
            Coat coat(ball.points, ball.normals, {}, ball.phyxels, change({.radius = r_s, .spacing = 1.0}));
            Largest farthest;
            std::size_t resampled = 0;
            std::vector<Vec<3>> before = ball.phyxels;
            for (int frame = 1; frame <= TwistedBall::frames; ++frame) {
                const std::vector<Vec<3>> after = ball.moved(frame);
                const CoatReport report = coat.advance(
                    {.before = before, .after = after, .phyxels = after, .dt = coat.options().frame});
                resampled += report.added + report.deleted;
                before = after;
                if (frame % 10 != 0) continue;
                const CoatState& state = coat.state();
                const KdTree<3> tree(state.zombies.position);
                for (std::size_t i = 0; i < state.surfels.size(); ++i)
                    farthest.add(distance_from_detail(state.zombies, tree, state.surfels.position[i],
                                                      state.surfels.normal[i], 3.0 * r_s) /
                                 r_s);
            }
            return Measurement{farthest.value(),
                               0.0,
                               0.05,
                               Bound::AtMost,
                               "r_s",
                               std::to_string(coat.size()) + " surfels, " + std::to_string(resampled) +
                                   " resampled in 200 frames"};
        },
        CoatChange([](const CoatOptions& options) { return options; }),
        "surfels are displaced but not drawn onto the surface of the zombies",
        [](CoatOptions options) {
            options.largest_pop = 1e-12;
            return options;
        }));
}

} // namespace

std::vector<Case> coat_cases()
{
    std::vector<Case> cases;
    add_radius_cases(cases);
    add_probability_cases(cases);
    add_zombie_case(cases);
    return cases;
}

} // namespace phyxel::detail
