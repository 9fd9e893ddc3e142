// SPDX-License-Identifier: MIT
// V-U2, V-U3: the implicit coat of a body, and who is on its boundary.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/assert.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/boundary_probability.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Dense>

#include <cmath>
#include <functional>
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
            return error_measurement(worst.value(), 1e-10, "B = −0.5, −1, −2; three directions");
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
            return error_measurement(worst.value(), 1e-10, "from 0.4 to 20 radii");
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
    constexpr double everything = 1e3;
    return boundary_probability(points, find_neighbors<3, double>(points, everything)).front();
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

} // namespace

std::vector<Case> coat_cases()
{
    std::vector<Case> cases;
    add_radius_cases(cases);
    add_probability_cases(cases);
    return cases;
}

} // namespace phyxel::detail
