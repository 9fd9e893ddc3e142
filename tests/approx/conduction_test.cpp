// SPDX-License-Identifier: MIT
#include <phyxel/approx/conduction.h>
#include <phyxel/approx/thermal_material.h>
#include <phyxel/core/rng.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace phyxel::conduction_test {
namespace {

TEST(ThermalMaterial, what_is_half_molten_stays_so_in_another_that_melts_there)
{
    ThermalMaterial before{.heat_capacity = 2000.0, .melting_point = 330.0, .latent_heat = 2e5};
    for (const double range : {0.0, 10.0}) {
        before.melting_range = range;
        ThermalMaterial after = before;
        after.heat_capacity = 1500.0;
        after.latent_heat = 1e5;
        for (const double fraction : {0.0, 0.25, 1.0}) {
            const double h = before.enthalpy_of_solidus() + fraction * before.enthalpy_of_melting();
            const double moved = enthalpy_in(after, before, h);
            EXPECT_NEAR(liquid_fraction(after, moved), fraction, 1e-12);
            EXPECT_NEAR(temperature_of(after, moved), temperature_of(before, h), 1e-9);
        }
        for (const double temperature : {300.0, 360.0})
            EXPECT_NEAR(temperature_of(after, enthalpy_in(after, before, enthalpy_of(before, temperature))),
                        temperature, 1e-9);
        after.melting_point = 400.0;
        EXPECT_EQ(liquid_fraction(after, enthalpy_in(after, before, before.enthalpy_of_solidus() + 1e5)),
                  0.0);
    }
}

constexpr double spacing = 0.1;
constexpr double support = 1.87 * spacing;

/// The unit box full of points.
template <int Dim>
struct Cells {
    std::vector<Vec<Dim>> positions;
    std::vector<Mat<Dim>> at_surface; ///< S_i of the cells of the lattice
    NeighborLists neighbors;
    std::vector<double> factors;
    double volume = std::pow(spacing, Dim); ///< of a cell

    explicit Cells(double jitter)
        : positions(jittered_grid<Dim>({.spacing = spacing, .jitter = jitter, .seed = 3}))
    {
        for (const Vec<Dim>& x : positions) {
            Mat<Dim> S = Mat<Dim>::Zero();
            for (int k = 0; k < Dim; ++k) {
                if (x[k] < spacing) S(k, k) += x[k] * volume / spacing;
                if (x[k] > 1.0 - spacing) S(k, k) += (1.0 - x[k]) * volume / spacing;
            }
            at_surface.push_back(S);
        }
        neighbors = brute_force_neighbors<Dim>(positions, support);
        factors.resize(neighbors.entry_count());
        find_conduction_factors<Dim>(positions, std::vector(positions.size(), volume),
                                     std::vector(positions.size(), support), at_surface, neighbors, factors);
    }

    std::vector<double> conducted(const std::vector<double>& temperature) const
    {
        std::vector<double> power(positions.size(), 0.0);
        add_conducted(neighbors, factors, std::vector(positions.size(), 1.0), temperature, power);
        return power;
    }

    std::vector<double> values(auto f) const
    {
        std::vector<double> all;
        for (const Vec<Dim>& x : positions) all.push_back(f(x));
        return all;
    }
};

template <class T>
class Conduction : public ::testing::Test {
};
using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(Conduction, Dimensions);

TYPED_TEST(Conduction, on_a_lattice_is_exact_for_linear_fields_up_to_planes_and_for_squares_inside)
{
    constexpr int Dim = TypeParam::value;
    const Cells<Dim> cells(0.0);
    const double area = cells.volume / spacing;
    const auto linear = cells.conducted(cells.values([](const Vec<Dim>& x) { return 3.0 * x[0] + x[1]; }));
    const auto square = cells.conducted(cells.values([](const Vec<Dim>& x) { return x[0] * x[0]; }));
    for (std::size_t i = 0; i < linear.size(); ++i) {
        // What a gradient drives out of the body, its surface has to bring.
        double surface = 0.0;
        int planes = 0;
        for (int k = 0; k < 2; ++k) {
            const double gradient = k == 0 ? 3.0 : 1.0;
            if (cells.positions[i][k] < spacing) surface += area * gradient;
            if (cells.positions[i][k] > 1.0 - spacing) surface -= area * gradient;
        }
        for (int k = 0; k < Dim; ++k)
            planes += cells.positions[i][k] < 2.0 * spacing || cells.positions[i][k] > 1.0 - 2.0 * spacing;
        if (planes < 2) {
            EXPECT_NEAR(linear[i], surface, 1e-12 * area) << cells.positions[i].transpose();
        }
        if (planes == 0) {
            EXPECT_NEAR(square[i], 2.0 * cells.volume, 1e-12 * cells.volume);
        }
    }
}

TYPED_TEST(Conduction, conducts_exactly_what_a_uniform_gradient_drives_through_irregular_points)
{
    constexpr int Dim = TypeParam::value;
    const Cells<Dim> cells(0.2);
    const Vec<Dim> gradient = Vec<Dim>::LinSpaced(1.0, -0.5);
    double dissipated = 0.0, wanted = 0.0;
    for (std::size_t i = 0; i < cells.positions.size(); ++i) {
        std::size_t entry = cells.neighbors.offsets()[i];
        for (const Index j : cells.neighbors.of(i)) {
            const double dT = gradient.dot(cells.positions[j] - cells.positions[i]);
            dissipated += 0.5 * cells.factors[entry++] * dT * dT;
        }
        wanted += gradient.dot((cells.volume * Mat<Dim>::Identity() - cells.at_surface[i]) * gradient);
    }
    EXPECT_NEAR(dissipated, wanted, 0.01 * wanted); // but for a few whose factors would be negative
    // And without what the surface tells: as if the body ended at its outermost points.
    EXPECT_NEAR(dissipated, gradient.squaredNorm(), 0.25);
}

TYPED_TEST(Conduction, has_no_negative_factor_and_the_same_for_both_points_of_a_pair)
{
    constexpr int Dim = TypeParam::value;
    const Cells<Dim> cells(0.45);
    for (std::size_t i = 0; i < cells.positions.size(); ++i) {
        std::size_t entry = cells.neighbors.offsets()[i];
        for (const Index j : cells.neighbors.of(i)) {
            const auto back = cells.neighbors.of(j);
            const auto found = std::lower_bound(back.begin(), back.end(), static_cast<Index>(i));
            const auto mirrored =
                cells.neighbors.offsets()[j] + static_cast<std::size_t>(found - back.begin());
            EXPECT_GE(cells.factors[entry], 0.0);
            EXPECT_EQ(cells.factors[entry], cells.factors[mirrored]);
            ++entry;
        }
    }
}

TYPED_TEST(Conduction, takes_from_one_what_it_gives_to_another)
{
    constexpr int Dim = TypeParam::value;
    const Cells<Dim> cells(0.3);
    Rng rng(5);
    std::vector<double> T, k, power(cells.positions.size(), 0.0);
    for (std::size_t i = 0; i < cells.positions.size(); ++i) {
        T.push_back(rng.uniform(200.0, 900.0));
        k.push_back(rng.uniform(0.1, 400.0));
    }
    add_conducted(cells.neighbors, cells.factors, k, T, power);
    double sum = 0.0, size = 0.0;
    for (const double p : power) {
        sum += p;
        size += std::abs(p);
    }
    EXPECT_LT(std::abs(sum), 1e-13 * size);
}

TEST(HeatLinks, lead_through_one_resistance_after_the_other)
{
    const std::vector<double> k = {2.0, 0.5}, T = {300.0, 400.0};
    std::vector<double> power(2, 0.0), sums(2, 0.0);
    const std::vector<HeatLink> links = {
        {.a = 0, .b = 1, .area = 3.0, .depth_a = 0.1, .depth_b = 0.2, .resistance = 0.05},
        {.a = 1, .area = 2.0, .depth_a = 0.2, .resistance = 0.1, .temperature = 250.0}};
    add_exchanged(links, k, T, power);
    add_conductances(links, k, sums);
    const double between = 3.0 / (0.05 + 0.4 + 0.05), out = 2.0 / (0.4 + 0.1);
    EXPECT_DOUBLE_EQ(power[0], 100.0 * between);
    EXPECT_DOUBLE_EQ(power[1], -100.0 * between - 150.0 * out);
    EXPECT_DOUBLE_EQ(sums[0], between);
    EXPECT_DOUBLE_EQ(sums[1], between + out);
}

TEST(JointConductivity, is_that_of_two_halves_one_after_the_other)
{
    EXPECT_DOUBLE_EQ(joint_conductivity(3.0, 3.0), 3.0);
    EXPECT_DOUBLE_EQ(1.0 / joint_conductivity(1.0, 4.0), 0.5 / 1.0 + 0.5 / 4.0);
    EXPECT_EQ(joint_conductivity(0.0, 4.0), 0.0);
    EXPECT_EQ(joint_conductivity(0.0, 0.0), 0.0);
}

/// Ice and water.
ThermalMaterial ice(double range)
{
    return {.conductivity = 2.22,
            .heat_capacity = 2050.0,
            .melting_point = 273.15,
            .melting_range = range,
            .latent_heat = 333.5e3,
            .molten_conductivity = 0.556,
            .molten_heat_capacity = 4226.0};
}

TEST(ThermalMaterial, knows_temperature_and_phase_from_enthalpy_and_back)
{
    for (const double range : {0.0, 4.0})
        for (const double T : {10.0, 260.0, 271.2, 272.0, 274.0, 280.0}) {
            const ThermalMaterial material = ice(range);
            const double h = enthalpy_of(material, T);
            EXPECT_NEAR(temperature_of(material, h), T, 1e-12 * T) << range;
            const double share = range > 0.0 ? (T - 271.15) / range : T > 273.15 ? 1.0 : 0.0;
            EXPECT_NEAR(liquid_fraction(material, h), std::clamp(share, 0.0, 1.0), 1e-12) << T;
        }
}

TEST(ThermalMaterial, takes_the_latent_heat_at_one_temperature)
{
    const ThermalMaterial material = ice(0.0);
    const double begin = 2050.0 * 273.15;
    for (const double share : {0.0, 0.3, 1.0}) {
        EXPECT_DOUBLE_EQ(temperature_of(material, begin + share * 333.5e3), 273.15);
        EXPECT_NEAR(liquid_fraction(material, begin + share * 333.5e3), share, 1e-12);
    }
    EXPECT_NEAR(temperature_of(material, begin + 333.5e3 + 2.0 * 4226.0), 275.15, 1e-10);
    EXPECT_DOUBLE_EQ(conductivity_of(material, 0.25), 0.75 * 2.22 + 0.25 * 0.556);
}

TEST(ThermalMaterial, has_the_whole_heat_between_two_temperatures_whatever_the_range)
{
    const auto heat = [](double range) {
        return enthalpy_of(ice(range), 283.15) - enthalpy_of(ice(range), 263.15);
    };
    EXPECT_NEAR(heat(0.0), 10.0 * 2050.0 + 333.5e3 + 10.0 * 4226.0, 1e-6);
    EXPECT_NEAR(heat(5.0), heat(0.0), 1e-6);
}

TEST(ThermalMaterial, without_a_melting_point_never_melts)
{
    const ThermalMaterial material{.heat_capacity = 500.0};
    EXPECT_EQ(temperature_of(material, 500.0 * 4000.0), 4000.0);
    EXPECT_EQ(liquid_fraction(material, 500.0 * 4000.0), 0.0);
}

} // namespace
} // namespace phyxel::conduction_test
