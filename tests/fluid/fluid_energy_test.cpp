// SPDX-License-Identifier: MIT
// Fluids that nothing drives lose energy or keep it: deep and shallow, with a free surface and without one.
#include <phyxel/fluid/fluid_solver.h>

#include "fluid_support.h"

#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>
#include <vector>

namespace phyxel::fluid_energy_test {
namespace {

template <class T>
class FluidEnergy : public testing::Test {
};
template <int Dim, class Options>
struct Kind {
    static constexpr int dim = Dim;
    using options = Options;
    /// Largest mean compression of open water.
    static constexpr double open = std::is_same_v<Options, DfsphOptions> ? 0.001 : 0.01;
    /// Of water that fills its tank, and of water without end in any step: flow draws the lattice out that
    /// it begins with, more particles come close than a lattice has, and nothing can give way. So few
    /// particles do worse than the tanks of docs/reliability.md.
    static constexpr double full = 0.008;
    static constexpr double endless = 0.01;
};
using Kinds = testing::Types<Kind<2, DfsphOptions>, Kind<3, DfsphOptions>, Kind<2, WcsphOptions>,
                             Kind<3, WcsphOptions>>;
TYPED_TEST_SUITE(FluidEnergy, Kinds);

/// Kinetic and potential energy of a particle in the mean [J/kg].
template <int Dim>
double energy_of(const FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < fluid.size(); ++i)
        sum += 0.5 * fluid.velocity[i].squaredNorm() - surroundings.gravity.dot(fluid.position[i]);
    return sum / static_cast<double>(fluid.size());
}

template <int Dim>
double rms_speed(const FluidState<Dim>& fluid)
{
    double sum = 0.0;
    for (const Vec<Dim>& v : fluid.velocity) sum += v.squaredNorm();
    return std::sqrt(sum / static_cast<double>(fluid.size()));
}

struct Course {
    double largest_gain = 0.0; ///< of energy over that at the start [J/kg]
    double compression = 0.0;  ///< mean one at the end
    double worst = 0.0;        ///< largest mean compression of a step
    double fastest = 0.0;      ///< largest root mean square speed [m/s]
    double scale = 0.0;        ///< energy that could become motion [J/kg]
};

template <int Dim, class Options>
Course run(FluidState<Dim>& fluid, const Surroundings<Dim>& surroundings, double speed, double duration)
{
    Options options;
    options.max_speed = speed;
    auto solver = make_fluid_solver<Dim>(model<Dim>(0.0, options.support_ratio), options);
    const double at_first = energy_of(fluid, surroundings);
    Course course{.scale = 0.5 * speed * speed};
    for (double t = 0.0; t < duration;) {
        const double dt =
            std::min(std::visit([&](auto& s) { return s.stable_time_step(fluid); }, solver), 0.01);
        const FluidStepReport report =
            std::visit([&](auto& s) { return s.step(fluid, dt, surroundings); }, solver);
        if (report.lost) {
            ADD_FAILURE() << "lost at " << t << " s";
            return course;
        }
        t += dt;
        course.largest_gain = std::max(course.largest_gain, energy_of(fluid, surroundings) - at_first);
        course.compression = report.mean_compression;
        course.worst = std::max(course.worst, report.mean_compression);
        course.fastest = std::max(course.fastest, rms_speed(fluid));
    }
    return course;
}

/// Vortices without divergence, at most 1 m/s fast, `waves` of them along a metre of each of the first two
/// axes.
template <int Dim>
void stir(FluidState<Dim>& fluid, double waves)
{
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const double x = 2 * std::numbers::pi * waves * fluid.position[i][0];
        const double y = 2 * std::numbers::pi * waves * fluid.position[i][1];
        fluid.velocity[i][0] = std::sin(x) * std::cos(y);
        fluid.velocity[i][1] = -std::cos(x) * std::sin(y);
    }
}

TYPED_TEST(FluidEnergy, deep_water_at_rest_gains_none_and_stays_still)
{
    constexpr int Dim = TypeParam::dim;
    const int layers = Dim == 2 ? 100 : 40;
    std::array<int, Dim> count;
    count.fill(Dim == 2 ? 8 : 4);
    count[Dim - 1] = layers;
    auto fluid = box_of<Dim>(count);
    const auto surroundings = tank<Dim>(count[0] * spacing, 1.2 * layers * spacing);
    const double speed = std::sqrt(2 * 9.81 * layers * spacing);
    const Course course = run<Dim, typename TypeParam::options>(fluid, surroundings, speed, 0.3);
    EXPECT_LT(course.largest_gain, 1e-4 * course.scale);
    EXPECT_LT(course.fastest, 0.06 * speed);
    EXPECT_LT(course.compression, TypeParam::open);
}

TYPED_TEST(FluidEnergy, stirred_water_that_fills_its_tank_gains_none)
{
    constexpr int Dim = TypeParam::dim;
    const int n = Dim == 2 ? 24 : 10;
    auto fluid = block<Dim>(n);
    auto surroundings = tank<Dim>(n * spacing, n * spacing);
    stir(fluid, 0.5 / (n * spacing)); // along the walls
    const Course course = run<Dim, typename TypeParam::options>(fluid, surroundings,
                                                                1.0 + std::sqrt(2 * 9.81 * n * spacing), 0.3);
    EXPECT_LT(course.largest_gain, 1e-4 * course.scale);
    EXPECT_LT(course.compression, TypeParam::full);
}

TYPED_TEST(FluidEnergy, vortices_in_a_periodic_box_gain_none)
{
    constexpr int Dim = TypeParam::dim;
    const int n = Dim == 2 ? 24 : 10;
    auto fluid = block<Dim>(n);
    auto surroundings = tank<Dim>(n * spacing, n * spacing);
    surroundings.gravity.setZero();
    for (auto& sides : surroundings.domain.sides) sides = {DomainSide::Periodic, DomainSide::Periodic};
    stir(fluid, 1.0 / (n * spacing));
    const double at_first = rms_speed(fluid);
    const Course course = run<Dim, typename TypeParam::options>(fluid, surroundings, 1.0, 0.3);
    EXPECT_LT(course.largest_gain, 1e-4 * course.scale);
    EXPECT_LT(course.worst, TypeParam::endless);
    // What compression costs: without spreading particles less than half is left. In 3D ten particles are
    // too few for a vortex.
    if (Dim == 2) {
        EXPECT_GT(rms_speed(fluid), 0.6 * at_first);
    }
}

TYPED_TEST(FluidEnergy, a_free_blob_that_spins_keeps_its_angular_momentum)
{
    constexpr int Dim = TypeParam::dim;
    auto fluid = block<Dim>(10);
    const Vec<Dim> center = Vec<Dim>::Constant(5 * spacing);
    Rng rng(11);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const Vec<Dim> x = fluid.position[i] - center;
        fluid.velocity[i] = rng.point<Dim>(-0.1, 0.1);
        fluid.velocity[i][0] -= 10.0 * x[1];
        fluid.velocity[i][1] += 10.0 * x[0];
    }
    const auto spin = [&] {
        double sum = 0.0;
        for (std::size_t i = 0; i < fluid.size(); ++i)
            sum += fluid.position[i][0] * fluid.velocity[i][1] - fluid.position[i][1] * fluid.velocity[i][0];
        return sum;
    };
    const double before = spin();
    const Course course = run<Dim, typename TypeParam::options>(fluid, {}, 2.0, 1.0);
    EXPECT_NEAR(spin() / before, 1.0, 0.005);
    EXPECT_LT(course.largest_gain, 1e-4 * course.scale);
}

template <class T>
class Smoothing : public testing::Test {
};
TYPED_TEST_SUITE(Smoothing, FluidDimensions);

/// What smoothing does in a step without pressure to the velocities of a block with more room than at rest.
template <int Dim>
std::vector<Vec<Dim>> smoothing_changes(FluidState<Dim> fluid)
{
    const std::vector<Vec<Dim>> before = fluid.velocity;
    DfsphSolver<Dim> solver(model<Dim>(0.0, 2.6),
                            {.velocity_smoothing = 0.5, .support_ratio = 2.6, .max_speed = 10.0});
    EXPECT_FALSE(solver.step(fluid, 1e-9, {}).lost);
    std::vector<Vec<Dim>> changes(fluid.size());
    for (std::size_t i = 0; i < fluid.size(); ++i)
        changes[fluid.id[i]] = fluid.velocity[i] - before[fluid.id[i]];
    return changes;
}

TYPED_TEST(Smoothing, leaves_linear_velocities_as_they_are)
{
    // All of it where neighbours are on all sides, and nearly so at edges and corners.
    constexpr int Dim = TypeParam::value;
    const int n = 12;
    auto fluid = block<Dim>(n, 1.2 * spacing);
    Rng rng(3);
    Mat<Dim> gradient;
    for (int k = 0; k < Dim; ++k) gradient.col(k) = rng.point<Dim>(-1.0, 1.0);
    for (std::size_t i = 0; i < fluid.size(); ++i) fluid.velocity[i] = gradient * fluid.position[i];
    const auto changes = smoothing_changes<Dim>(fluid);
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const auto places = fluid.position[i].array() / (1.2 * spacing);
        const double room = std::min(places.minCoeff(), (n - places).minCoeff());
        EXPECT_LT(changes[i].norm(), room > 5.2 ? 2e-6 : 0.05 * gradient.norm() * spacing);
    }
}

TYPED_TEST(Smoothing, takes_energy_from_noise_and_keeps_both_momenta)
{
    constexpr int Dim = TypeParam::value;
    auto fluid = block<Dim>(8, 1.2 * spacing);
    Rng rng(5);
    for (auto& v : fluid.velocity) v = rng.point<Dim>(-1.0, 1.0);
    const auto changes = smoothing_changes<Dim>(fluid);
    double before = 0.0, left = 0.0, size = 0.0, spin = 0.0;
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        before += fluid.velocity[i].squaredNorm();
        left += (fluid.velocity[i] + changes[i]).squaredNorm();
        sum += changes[i];
        size += changes[i].norm();
        spin += fluid.position[i][0] * changes[i][1] - fluid.position[i][1] * changes[i][0];
    }
    EXPECT_LT(left, 0.8 * before);
    EXPECT_LT(sum.norm(), 1e-6 * size);
    EXPECT_LT(std::abs(spin), 1e-6 * size * 8 * spacing);
}

} // namespace
} // namespace phyxel::fluid_energy_test
