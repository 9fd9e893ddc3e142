// SPDX-License-Identifier: MIT
#include <phyxel/world/heat_exchange.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace phyxel::heat_exchange_test {
namespace {

/// Nodes in a row, each of a cross-section of 1 m², with the first under a piece of surface that faces left.
struct Row {
    Row(std::size_t count, double spacing, const ThermalMaterial& material, double density,
        double temperature)
        : enthalpy(count, enthalpy_of(material, temperature)),
          mass(count, density * spacing),
          part(count, 0)
    {
        std::vector<std::uint64_t> offsets = {0};
        std::vector<Index> ids;
        for (std::size_t i = 0; i < count; ++i) {
            position.emplace_back((static_cast<double>(i) + 0.5) * spacing, 0.0);
            if (i > 0) ids.push_back(static_cast<Index>(i - 1));
            if (i + 1 < count) ids.push_back(static_cast<Index>(i + 1));
            offsets.push_back(ids.size());
        }
        neighbors = NeighborLists(offsets, ids);
        factors.assign(ids.size(), 1.0 / spacing);
        surface.position = {Vec<2>(0, 0)};
        surface.area = {Vec<2>(-1, 0)};
        surface.part = {0};
        surface.shares = {{0, 1.0, 0.5 * spacing}};
        surface.first = {0, 1};
        parts = {{.name = "row", .material = material, .spacing = spacing, .width = spacing}};
    }

    HeatView<2> view()
    {
        return {.enthalpy = enthalpy,
                .mass = mass,
                .part = part,
                .position = position,
                .parts = parts,
                .neighbors = &neighbors,
                .factors = factors,
                .surface = &surface};
    }

    double heat() const { return std::inner_product(mass.begin(), mass.end(), enthalpy.begin(), 0.0); }

    std::vector<double> enthalpy, mass;
    std::vector<std::uint32_t> part;
    std::vector<Vec<2>> position;
    std::vector<HeatPart> parts;
    NeighborLists neighbors;
    std::vector<double> factors;
    HeatSurface<2> surface;
};

double advance(std::vector<HeatView<2>> rows, const Surroundings<2>& surroundings, double dt,
               std::vector<Hand<2>> hands = {})
{
    HeatExchange<2> exchange;
    return exchange.advance(rows, surroundings, hands, dt, Fault::None);
}

Surroundings<2> wall(const SurfaceHeat& heat)
{
    Surroundings<2> surroundings;
    surroundings.obstacles.push_back(
        {.name = "wall", .shape = Shape<2>(Box<2>{Vec<2>(-1, -1), Vec<2>(0, 1)}), .heat = heat});
    return surroundings;
}

/// Neumann's solution: λ = 0.16415, and 20.50 mm of ice after an hour.
TEST(HeatExchange, water_freezes_at_a_cold_wall_as_it_does)
{
    const ThermalMaterial water{.conductivity = 2.22,
                                .heat_capacity = 2050.0,
                                .melting_point = 273.15,
                                .latent_heat = 333.5e3,
                                .molten_conductivity = 0.556,
                                .molten_heat_capacity = 4226.0};
    constexpr double spacing = 0.5e-3;
    Row row(260, spacing, water, 1000.0, 278.15);
    EXPECT_GT(advance({row.view()}, wall({.temperature = 263.15}), 3600.0), 1000.0);
    double front = 0.0;
    for (std::size_t i = 0; i + 1 < row.enthalpy.size(); ++i) {
        const double here = liquid_fraction(water, row.enthalpy[i]);
        const double next = liquid_fraction(water, row.enthalpy[i + 1]);
        if (here < 0.5 && next >= 0.5) front = row.position[i][0] + (0.5 - here) / (next - here) * spacing;
    }
    EXPECT_NEAR(front, 20.50e-3, 0.03 * 20.50e-3);
    EXPECT_NEAR(temperature_of(water, row.enthalpy.back()), 278.15, 0.01);
}

TEST(HeatExchange, brings_the_heat_of_fluxes_and_hands_to_the_last_digits)
{
    const ThermalMaterial material{.conductivity = 10.0, .heat_capacity = 100.0};
    Row row(20, 0.01, material, 1000.0, 300.0);
    const double before = row.heat();
    Hand<2> hand;
    hand.kind = HandKind::Warm;
    hand.at = Vec<2>(0.1, 0);
    hand.radius = 0.05;
    hand.power = -200.0;
    static_cast<void>(advance({row.view()}, wall({.flux = 500.0}), 7.0, {hand}));
    EXPECT_NEAR(row.heat() - before, 7.0 * (500.0 - 200.0), 1e-9 * before);
}

TEST(HeatExchange, in_the_end_all_have_the_temperature_that_keeps_the_heat)
{
    const ThermalMaterial light{.conductivity = 10.0, .heat_capacity = 100.0, .contact_conductance = 400.0};
    const ThermalMaterial heavy{
        .conductivity = 40.0, .heat_capacity = 300.0, .melting_point = 340.0, .latent_heat = 1000.0};
    Row left(10, 0.01, heavy, 2000.0, 400.0), right(10, 0.02, light, 1000.0, 300.0);
    // They touch with their only pieces of surface.
    for (Vec<2>& x : left.position) x[0] = -x[0];
    left.surface.area = {Vec<2>(1, 0)};
    left.parts[0].name = "other";
    const double before = left.heat() + right.heat();
    Surroundings<2> nothing;
    static_cast<void>(advance({left.view(), right.view()}, nothing, 1e4));
    EXPECT_NEAR(left.heat() + right.heat(), before, 1e-12 * before);
    const double T = temperature_of(light, right.enthalpy.back());
    EXPECT_NEAR(temperature_of(heavy, left.enthalpy.back()), T, 1e-6);
    // 60 kJ/K and 200 kJ at 340 K against 20 kJ/K.
    EXPECT_NEAR(T, (60e3 * 400.0 + 20e3 * 300.0) / 80e3, 1e-6);
    EXPECT_GT(T, 340.0);
    // Those who ignore each other do not touch.
    Row cold(10, 0.02, light, 1000.0, 300.0);
    nothing.ignored.add("row", "other");
    static_cast<void>(advance({left.view(), cold.view()}, nothing, 100.0));
    EXPECT_NEAR(cold.enthalpy.front(), 100.0 * 300.0, 1e-6);
}

TEST(HeatExchange, never_leaves_the_range_of_the_temperatures_around)
{
    const ThermalMaterial material{.conductivity = 400.0, .heat_capacity = 400.0};
    Row row(50, 0.001, material, 9000.0, 300.0);
    for (std::size_t i = 0; i < row.enthalpy.size(); i += 2) row.enthalpy[i] = 400.0 * 500.0;
    for (const double dt : {1e-4, 1e-3, 1e-2, 1.0}) {
        static_cast<void>(advance({row.view()}, wall({.air = Air{350.0, 1e4}}), dt));
        for (const double h : row.enthalpy) {
            EXPECT_GE(h / 400.0, 300.0 - 1e-9);
            EXPECT_LE(h / 400.0, 500.0 + 1e-9);
        }
    }
}

TEST(HeatExchange, refuses_what_would_take_more_steps_than_anybody_means)
{
    const ThermalMaterial material{.conductivity = 400.0, .heat_capacity = 1.0};
    Row row(10, 1e-4, material, 1.0, 300.0);
    row.enthalpy.front() = 500.0;
    const std::vector<double> before = row.enthalpy;
    EXPECT_GT(advance({row.view()}, {}, 1e5), HeatExchange<2>::most_steps);
    EXPECT_EQ(row.enthalpy, before);
}

} // namespace
} // namespace phyxel::heat_exchange_test
