// SPDX-License-Identifier: MIT
#include <phyxel/approx/sph.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace phyxel::sph_test {
namespace {

using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;

std::vector<double> random_numbers(std::size_t count, double low, double high, std::uint64_t seed)
{
    Rng rng(seed);
    std::vector<double> numbers(count);
    for (double& number : numbers) number = rng.uniform(low, high);
    return numbers;
}

template <int Dim>
std::vector<Vec<Dim>> random_vectors(std::size_t count, std::uint64_t seed)
{
    return random_cloud<Dim>({.count = count, .seed = seed, .low = -1, .high = 1});
}

/// Particles at random with unequal masses, their neighbours, densities and volumes.
template <int Dim>
struct Cloud {
    Poly6<Dim> kernel{0.3};
    std::vector<Vec<Dim>> x = random_cloud<Dim>({.count = 300, .seed = 4});
    std::vector<double> mass = random_numbers(x.size(), 0.5, 2, 5);
    NeighborLists neighbors = brute_force_neighbors<Dim>(x, kernel.support_radius());
    std::vector<double> density = std::vector<double>(x.size());
    std::vector<double> volume = std::vector<double>(x.size());

    Cloud()
    {
        compute_density<Dim>(x, mass, neighbors, kernel, density);
        compute_volumes(mass, density, volume);
    }
};

template <class Dimension>
class Sph : public testing::Test {
};
TYPED_TEST_SUITE(Sph, Dimensions);

/// ρ / ρ₀ on a cubic lattice without end, with m = ρ₀ a^Dim and h / a = `ratio`.
template <int Dim>
double lattice_density(KernelType type, double ratio)
{
    const double a = 0.05;
    const double rest_density = 1000;
    const int reach = static_cast<int>(std::ceil(ratio));
    const std::vector<Vec<Dim>> x = lattice<Dim>({.spacing = a, .reach = reach});
    // The smallest period in which no two images are in reach at once.
    const PeriodicBox<Dim> box{.min = Vec<Dim>::Constant(-(reach + 0.5) * a),
                               .length = Vec<Dim>::Constant((2 * reach + 1) * a)};
    const AnyKernel<Dim> kernel = make_kernel<Dim>(type, ratio * a);
    const std::vector<double> mass(x.size(), rest_density * std::pow(a, Dim));
    std::vector<double> density(x.size());
    compute_density<Dim>(x, mass, brute_force_neighbors<Dim>(x, ratio * a, box), kernel, density, box);

    const auto [lowest, highest] = std::minmax_element(density.begin(), density.end());
    EXPECT_NEAR(*lowest, *highest, 1e-10 * rest_density);
    return density[density.size() / 2] / rest_density;
}

TEST(LatticeDensity, of_poly6_has_the_tabulated_values)
{
    EXPECT_NEAR(lattice_density<2>(KernelType::Poly6, 2.0), 1.0146127622, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::Poly6, 3.0), 1.0023292560, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::Poly6, 4.0), 1.0004691100, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::Poly6, 2.0), 1.0097751669, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::Poly6, 3.0), 1.0021890160, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::Poly6, 4.0), 0.9999977511, 1e-9);
}

TEST(LatticeDensity, of_spiky_has_the_tabulated_values)
{
    EXPECT_NEAR(lattice_density<3>(KernelType::Spiky, 2.0), 1.2358897053, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::Spiky, 3.0), 1.0474491849, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::Spiky, 4.0), 1.0148173395, 1e-9);
}

TEST(LatticeDensity, of_the_cubic_spline_has_the_tabulated_values)
{
    EXPECT_NEAR(lattice_density<2>(KernelType::CubicSpline, 2.0), 1.0008618328, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::CubicSpline, 2.6), 0.9999467690, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::CubicSpline, 3.0), 1.0034403965, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::CubicSpline, 4.0), 0.9999576129, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::CubicSpline, 2.0), 0.9999724661, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::CubicSpline, 2.6), 0.9972618283, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::CubicSpline, 3.0), 1.0017947054, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::CubicSpline, 4.0), 1.0000791818, 1e-9);
}

TEST(LatticeDensity, of_wendland_c2_has_the_tabulated_values)
{
    EXPECT_NEAR(lattice_density<2>(KernelType::WendlandC2, 2.0), 1.0376017870, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::WendlandC2, 2.6), 1.0104731521, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::WendlandC2, 3.0), 1.0051423408, 1e-9);
    EXPECT_NEAR(lattice_density<2>(KernelType::WendlandC2, 4.0), 1.0012057963, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::WendlandC2, 2.0), 1.0338430087, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::WendlandC2, 2.6), 1.0095007838, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::WendlandC2, 3.0), 1.0031410828, 1e-9);
    EXPECT_NEAR(lattice_density<3>(KernelType::WendlandC2, 4.0), 1.0005486164, 1e-9);
}

TEST(LatticeDensity, of_desbrun_and_cani_has_the_tabulated_value)
{
    // Their h is 1.35 spacings, which is half of our support radius.
    const std::vector<Vec<3>> x = lattice<3>({.spacing = 1, .reach = 3});
    const NeighborLists neighbors = brute_force_neighbors<3>(x, 2 * 1.35);
    std::vector<double> density(x.size());
    compute_density<3>(x, std::vector<double>(x.size(), 1.0), neighbors, Spiky<3>(2 * 1.35), density);
    EXPECT_EQ(neighbors.of(x.size() / 2).size(), 80u);
    EXPECT_NEAR(density[x.size() / 2], 1.0692061186, 1e-9);
}

TYPED_TEST(Sph, density_of_a_lone_particle_is_its_own_share)
{
    constexpr int Dim = TypeParam::value;
    const std::vector<Vec<Dim>> x = {Vec<Dim>::Constant(3)};
    const CubicSpline<Dim> kernel(0.1);
    std::vector<double> density(1);
    compute_density<Dim>(x, std::vector<double>{2.0}, brute_force_neighbors<Dim>(x, 0.1), kernel, density);
    EXPECT_EQ(density[0], 2 * kernel.value(0));
}

TYPED_TEST(Sph, density_is_the_sum_over_all_pairs)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    for (std::size_t i = 0; i < cloud.x.size(); ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < cloud.x.size(); ++j)
            expected += cloud.mass[j] * cloud.kernel.value((cloud.x[i] - cloud.x[j]).norm());
        EXPECT_NEAR(cloud.density[i], expected, 1e-13 * expected);
        EXPECT_EQ(cloud.volume[i], cloud.mass[i] / cloud.density[i]);
    }
}

TYPED_TEST(Sph, neighbours_beyond_the_support_change_no_bit)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const NeighborLists wide = brute_force_neighbors<Dim>(cloud.x, 1.5 * cloud.kernel.support_radius());
    ASSERT_GT(wide.entry_count(), cloud.neighbors.entry_count());
    std::vector<double> density(cloud.x.size());
    compute_density<Dim>(cloud.x, cloud.mass, wide, cloud.kernel, density);
    EXPECT_EQ(density, cloud.density);
}

TYPED_TEST(Sph, smoothed_density_is_the_summation_density)
{
    // ⟨ρ⟩ = Σ ρ_j ω_ij m_j / ρ_j is how the density sum comes about.
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    std::vector<double> smoothed(cloud.x.size());
    interpolate<Dim>(cloud.x, cloud.volume, cloud.density, cloud.neighbors, cloud.kernel, smoothed);
    for (std::size_t i = 0; i < cloud.x.size(); ++i)
        EXPECT_NEAR(smoothed[i], cloud.density[i], 1e-14 * cloud.density[i]);
}

TYPED_TEST(Sph, interpolation_is_the_weighted_sum_over_all_samples)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::vector<double> f = random_numbers(cloud.x.size(), -1, 1, 8);
    std::vector<double> smoothed(cloud.x.size());
    interpolate<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, cloud.kernel, smoothed);
    for (std::size_t i = 0; i < cloud.x.size(); ++i) {
        double expected = 0;
        for (std::size_t j = 0; j < cloud.x.size(); ++j)
            expected += f[j] * cloud.kernel.value((cloud.x[i] - cloud.x[j]).norm()) * cloud.volume[j];
        EXPECT_NEAR(smoothed[i], expected, 1e-14);
    }
}

TYPED_TEST(Sph, interpolation_at_a_point_continues_that_at_the_particles)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::vector<double> f = random_numbers(cloud.x.size(), -1, 1, 8);
    std::vector<double> smoothed(cloud.x.size());
    std::vector<double> mean(cloud.x.size());
    interpolate<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, cloud.kernel, smoothed);
    interpolate_shepard<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, cloud.kernel, mean);
    for (std::size_t i = 0; i < cloud.x.size(); i += 7) {
        const std::vector<Index> ids = brute_force_points_near<Dim>(cloud.x[i], cloud.x, 0.3);
        EXPECT_NEAR(interpolate_at<Dim>(cloud.x[i], ids, cloud.x, cloud.volume, f, cloud.kernel), smoothed[i],
                    1e-14);
        EXPECT_NEAR(
            interpolate_shepard_at<Dim>(cloud.x[i], ids, cloud.x, cloud.volume, f, cloud.kernel).value(),
            mean[i], 1e-14);
    }
}

TYPED_TEST(Sph, vectors_are_interpolated_component_by_component)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::size_t count = cloud.x.size();
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(count, 8);
    std::vector<Vec<Dim>> smoothed(count);
    std::vector<Vec<Dim>> mean(count);
    interpolate<Dim>(cloud.x, cloud.volume, v, cloud.neighbors, cloud.kernel, smoothed);
    interpolate_shepard<Dim>(cloud.x, cloud.volume, v, cloud.neighbors, cloud.kernel, mean);

    const Vec<Dim> point = Vec<Dim>::Constant(0.4);
    const std::vector<Index> ids = brute_force_points_near<Dim>(point, cloud.x, 0.3);
    const Vec<Dim> smoothed_at = interpolate_at<Dim>(point, ids, cloud.x, cloud.volume, v, cloud.kernel);
    const Vec<Dim> mean_at =
        interpolate_shepard_at<Dim>(point, ids, cloud.x, cloud.volume, v, cloud.kernel).value();

    for (int k = 0; k < Dim; ++k) {
        std::vector<double> component(count);
        std::vector<double> expected(count);
        for (std::size_t i = 0; i < count; ++i) component[i] = v[i][k];
        interpolate<Dim>(cloud.x, cloud.volume, component, cloud.neighbors, cloud.kernel, expected);
        for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(smoothed[i][k], expected[i]);
        interpolate_shepard<Dim>(cloud.x, cloud.volume, component, cloud.neighbors, cloud.kernel, expected);
        for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(mean[i][k], expected[i]);

        EXPECT_EQ(smoothed_at[k],
                  interpolate_at<Dim>(point, ids, cloud.x, cloud.volume, component, cloud.kernel));
        EXPECT_EQ(
            mean_at[k],
            interpolate_shepard_at<Dim>(point, ids, cloud.x, cloud.volume, component, cloud.kernel).value());
    }
}

TYPED_TEST(Sph, interpolation_does_not_reproduce_constants_where_particles_are_uneven)
{
    // Velocities smoothed in this way [AW09, Eq. 53] would not leave a uniform flow alone.
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    std::vector<double> smoothed(cloud.x.size());
    interpolate<Dim>(cloud.x, cloud.volume, std::vector<double>(cloud.x.size(), 1.0), cloud.neighbors,
                     cloud.kernel, smoothed);
    const auto [lowest, highest] = std::minmax_element(smoothed.begin(), smoothed.end());
    EXPECT_LT(*lowest, 0.95);
    EXPECT_GT(*highest, 1.05);
}

TYPED_TEST(Sph, shepard_reproduces_constants_everywhere)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const double c = 0.7;
    const std::vector<double> f(cloud.x.size(), c);
    std::vector<double> mean(cloud.x.size());
    for (const std::vector<double>& volume : {cloud.volume, std::vector<double>{}}) {
        interpolate_shepard<Dim>(cloud.x, volume, f, cloud.neighbors, cloud.kernel, mean);
        for (double value : mean) EXPECT_NEAR(value, c, 1e-14);

        // Also outside the cloud, where hardly any sample is in reach.
        for (double offset : {-0.15, 0.5, 1.1}) {
            Vec<Dim> point = Vec<Dim>::Constant(0.5);
            point[0] = offset;
            const std::vector<Index> ids = brute_force_points_near<Dim>(point, cloud.x, 0.3);
            EXPECT_NEAR(interpolate_shepard_at<Dim>(point, ids, cloud.x, volume, f, cloud.kernel).value(), c,
                        1e-14);
        }
    }
}

TYPED_TEST(Sph, shepard_stays_within_the_range_of_the_samples)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::vector<double> f = random_numbers(cloud.x.size(), -1, 1, 8);
    std::vector<double> mean(cloud.x.size());
    interpolate_shepard<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, cloud.kernel, mean);
    for (std::size_t i = 0; i < cloud.x.size(); ++i) {
        double lowest = f[i];
        double highest = f[i];
        for (Index j : cloud.neighbors.of(i)) {
            lowest = std::min(lowest, f[j]);
            highest = std::max(highest, f[j]);
        }
        EXPECT_GE(mean[i], lowest - 1e-15);
        EXPECT_LE(mean[i], highest + 1e-15);
    }
}

TYPED_TEST(Sph, shepard_weighs_by_volume_if_there_are_volumes)
{
    constexpr int Dim = TypeParam::value;
    const std::vector<Vec<Dim>> x = {Vec<Dim>::Zero(), Vec<Dim>::Unit(0)};
    const std::vector<double> f = {0, 1};
    const std::vector<double> volume = {1, 3};
    const std::vector<Index> ids = {0, 1};
    const CubicSpline<Dim> kernel(2);
    const Vec<Dim> middle = 0.5 * Vec<Dim>::Unit(0);
    EXPECT_DOUBLE_EQ(interpolate_shepard_at<Dim>(middle, ids, x, volume, f, kernel).value(), 0.75);
    EXPECT_DOUBLE_EQ(interpolate_shepard_at<Dim>(middle, ids, x, {}, f, kernel).value(), 0.5);
}

TYPED_TEST(Sph, with_unit_masses_is_not_shepards_method)
{
    // [AW09] says it were; but SPH divides by the density at the samples, not at the point.
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::vector<double> unit(cloud.x.size(), 1.0);
    std::vector<double> density(cloud.x.size());
    std::vector<double> volume(cloud.x.size());
    std::vector<double> smoothed(cloud.x.size());
    std::vector<double> mean(cloud.x.size());
    compute_density<Dim>(cloud.x, unit, cloud.neighbors, cloud.kernel, density);
    compute_volumes(unit, density, volume);
    interpolate<Dim>(cloud.x, volume, unit, cloud.neighbors, cloud.kernel, smoothed);
    interpolate_shepard<Dim>(cloud.x, {}, unit, cloud.neighbors, cloud.kernel, mean);
    double largest = 0;
    for (std::size_t i = 0; i < cloud.x.size(); ++i)
        largest = std::max(largest, std::abs(smoothed[i] - mean[i]));
    EXPECT_GT(largest, 0.05);
}

TYPED_TEST(Sph, has_no_value_by_shepard_and_zero_by_summation_where_no_sample_is_in_reach)
{
    constexpr int Dim = TypeParam::value;
    const std::vector<Vec<Dim>> x = {Vec<Dim>::Zero()};
    const std::vector<double> one = {1};
    const std::vector<Index> ids = {0};
    const Poly6<Dim> kernel(0.5);
    const Vec<Dim> point = 0.5 * Vec<Dim>::Unit(0);
    for (std::span<const Index> candidates : {std::span<const Index>(ids), std::span<const Index>()}) {
        EXPECT_FALSE(interpolate_shepard_at<Dim>(point, candidates, x, one, one, kernel).has_value());
        EXPECT_EQ(interpolate_at<Dim>(point, candidates, x, one, one, kernel), 0);
    }
}

TYPED_TEST(Sph, in_a_periodic_box_is_that_of_a_cloud_repeated_around_it)
{
    constexpr int Dim = TypeParam::value;
    const double h = 0.3;
    const WendlandC2<Dim> kernel(h);
    const std::vector<Vec<Dim>> x = random_cloud<Dim>({.count = 60, .seed = 2});
    const std::vector<double> mass = random_numbers(x.size(), 0.5, 2, 3);
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 4);
    const PeriodicBox<Dim> box{.length = Vec<Dim>::Ones()};
    const NeighborLists neighbors = brute_force_neighbors<Dim>(x, h, box);
    std::vector<double> density(x.size());
    std::vector<double> volume(x.size());
    std::vector<double> smoothed(x.size());
    std::vector<double> mean(x.size());
    compute_density<Dim>(x, mass, neighbors, kernel, density, box);
    compute_volumes(mass, density, volume);
    interpolate<Dim>(x, volume, f, neighbors, kernel, smoothed, box);
    interpolate_shepard<Dim>(x, volume, f, neighbors, kernel, mean, box);

    std::vector<Vec<Dim>> shifts;
    detail::for_each_lattice_cell<Dim>(
        3, [&](const auto& k) { shifts.push_back((k.array() - 1).template cast<double>()); });
    for (std::size_t i = 0; i < x.size(); ++i) {
        double rho = 0;
        double sum = 0;
        double weights = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
            for (const Vec<Dim>& shift : shifts) {
                const double W = kernel.value((x[i] - x[j] - shift).norm());
                rho += mass[j] * W;
                sum += volume[j] * W * f[j];
                weights += volume[j] * W;
            }
        EXPECT_NEAR(density[i], rho, 1e-12 * rho);
        EXPECT_NEAR(smoothed[i], sum, 1e-12);
        EXPECT_NEAR(mean[i], sum / weights, 1e-12);
        const std::vector<Index> ids = brute_force_points_near<Dim>(x[i], x, h, box);
        EXPECT_NEAR(interpolate_at<Dim>(x[i], ids, x, volume, f, kernel, box), sum, 1e-12);
        EXPECT_NEAR(interpolate_shepard_at<Dim>(x[i], ids, x, volume, f, kernel, box).value(), sum / weights,
                    1e-12);
    }
}

TYPED_TEST(Sph, a_kernel_chosen_at_run_time_gives_the_same_bits)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::size_t count = cloud.x.size();
    const std::vector<double> f = random_numbers(count, -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(count, 9);
    for (KernelType type : all_kernel_types) {
        const AnyKernel<Dim> any = make_kernel<Dim>(type, 0.3);
        std::visit(
            [&](const auto& kernel) {
                std::vector<double> chosen(count);
                std::vector<double> expected(count);
                compute_density<Dim>(cloud.x, cloud.mass, cloud.neighbors, any, chosen);
                compute_density<Dim>(cloud.x, cloud.mass, cloud.neighbors, kernel, expected);
                EXPECT_EQ(chosen, expected);
                interpolate<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, any, chosen);
                interpolate<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, kernel, expected);
                EXPECT_EQ(chosen, expected);
                interpolate_shepard<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, any, chosen);
                interpolate_shepard<Dim>(cloud.x, cloud.volume, f, cloud.neighbors, kernel, expected);
                EXPECT_EQ(chosen, expected);

                std::vector<Vec<Dim>> chosen_v(count);
                std::vector<Vec<Dim>> expected_v(count);
                interpolate<Dim>(cloud.x, cloud.volume, v, cloud.neighbors, any, chosen_v);
                interpolate<Dim>(cloud.x, cloud.volume, v, cloud.neighbors, kernel, expected_v);
                EXPECT_EQ(chosen_v, expected_v);
                interpolate_shepard<Dim>(cloud.x, cloud.volume, v, cloud.neighbors, any, chosen_v);
                interpolate_shepard<Dim>(cloud.x, cloud.volume, v, cloud.neighbors, kernel, expected_v);
                EXPECT_EQ(chosen_v, expected_v);
            },
            any.choice);
    }
}

TYPED_TEST(Sph, in_single_precision_is_that_in_double_precision)
{
    constexpr int Dim = TypeParam::value;
    const Cloud<Dim> cloud;
    const std::size_t count = cloud.x.size();
    std::vector<Vec<Dim, float>> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = cloud.x[i].template cast<float>();
    const std::vector<float> mass(cloud.mass.begin(), cloud.mass.end());
    const Poly6<Dim, float> kernel(0.3f);
    std::vector<float> density(count);
    std::vector<float> volume(count);
    std::vector<float> mean(count);
    compute_density<Dim>(x, mass, cloud.neighbors, kernel, density);
    compute_volumes<float>(mass, density, volume);
    interpolate_shepard<Dim>(x, volume, mass, cloud.neighbors, kernel, mean);
    std::vector<double> expected(count);
    interpolate_shepard<Dim>(cloud.x, cloud.volume, cloud.mass, cloud.neighbors, cloud.kernel, expected);
    for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(density[i], cloud.density[i], 1e-5 * cloud.density[i]);
        EXPECT_NEAR(mean[i], expected[i], 1e-5);
    }
}

TYPED_TEST(Sph, gives_the_same_bits_with_any_number_of_threads)
{
    constexpr int Dim = TypeParam::value;
    const std::vector<Vec<Dim>> x = random_cloud<Dim>({.count = 3000, .seed = 6});
    const std::vector<double> mass = random_numbers(x.size(), 0.5, 2, 7);
    const double h = 0.5 * std::pow(20.0 / 3000.0, 1.0 / Dim);
    const NeighborLists neighbors = brute_force_neighbors<Dim>(x, h);
    const CubicSpline<Dim> kernel(h);

    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        std::vector<double> density(x.size());
        std::vector<double> volume(x.size());
        std::vector<double> smoothed(x.size());
        std::vector<Vec<Dim>> mean(x.size());
        compute_density<Dim>(x, mass, neighbors, kernel, density);
        compute_volumes(mass, density, volume);
        interpolate<Dim>(x, volume, mass, neighbors, kernel, smoothed);
        interpolate_shepard<Dim>(x, volume, x, neighbors, kernel, mean);
        StateHash hash;
        hash.add(std::span<const double>(volume));
        hash.add(std::span<const double>(smoothed));
        hash.add(std::span<const Vec<Dim>>(mean));
        return hash.value();
    };
    EXPECT_EQ(run(1), run(7));
}

} // namespace
} // namespace phyxel::sph_test
