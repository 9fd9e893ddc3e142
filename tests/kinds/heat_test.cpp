// SPDX-License-Identifier: MIT
// Heat in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/solid/solid_material.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::heat_test {
namespace {

/// Wax on a stove beside a hot nail. `more` are further keys of the wax.
std::string stove(const std::string& more = {}, const std::string& of_scene = {})
{
    return R"({ "dimension": 2, "duration": 1, "frame_rate": 10, "spacing": "2 cm", "gravity": [0, 0],
      "bodies": [ { "name": "wax", "type": "solid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.1] } },
          "material": { "density": 900, "youngs_modulus": "1 MPa", "poisson_ratio": 0.3, "conductivity": 200,
                        "heat_capacity": 2000, "melting_point": 330, "latent_heat": 1e4 },
          "solver": { "type": "implicit", "time_step": "10 ms" })" +
           more + R"( },
        { "name": "nail", "type": "rigid", "shape": { "box": { "min": [0.2, 0], "max": [0.24, 0.1] } },
          "material": { "density": 2000, "conductivity": 50, "heat_capacity": 500 } } ],
      "obstacles": [ { "name": "stove", "shape": { "box": { "min": [-1, -1], "max": [1, 0] } } } ])" +
           of_scene + " }";
}

std::unique_ptr<World<2>> world_of(const std::string& text)
{
    BuiltScene built = build(text);
    return std::move(std::get<std::unique_ptr<World<2>>>(built.world));
}

/// Mean of a field over a part after so many frames.
double mean(World<2>& world, std::uint64_t frames, std::size_t body, const char* field)
{
    while (world.frame() < frames && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    const std::vector<double> values = world.body(body).field(field, world.surroundings());
    double sum = 0.0;
    for (const double value : values) sum += value / static_cast<double>(values.size());
    return sum;
}

std::vector<std::byte> saved(const World<2>& world)
{
    CheckpointWriter checkpoint;
    world.save(checkpoint);
    return checkpoint.encode();
}

CheckpointReader read(const std::vector<std::byte>& bytes)
{
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    return CheckpointReader(std::move(content), "memory");
}

TEST(HeatScene, is_none_where_nothing_speaks_of_it)
{
    const auto world = world_of(stove());
    EXPECT_EQ(mean(*world, 2, 0, "temperature"), 0.0);
    EXPECT_FALSE(read(saved(*world)).contains("world/heat_due"));
    EXPECT_FALSE(read(saved(*world)).contains("solid/enthalpy"));
    EXPECT_FALSE(read(saved(*world)).contains("rigid/enthalpy"));
}

TEST(HeatScene, bodies_of_which_nothing_is_said_begin_at_20_degrees)
{
    const auto world = world_of(stove(R"(, "temperature": "= 300 + 100*x")"));
    EXPECT_NEAR(mean(*world, 0, 0, "temperature"), 310.0, 1e-9);
    EXPECT_NEAR(mean(*world, 0, 1, "temperature"), 293.15, 1e-9);
}

TEST(HeatScene, the_power_of_a_hand_is_what_it_warms_with)
{
    const auto world = world_of(stove({}, R"(, "hands": [ { "name": "gun", "type": "warm", "at": [0.1, 0.05],
        "radius": 0.05, "power": 9000 } ])"));
    // Out of reach of the nail and 1 m thick; the heat capacity of both is 36 kJ/K and 4 kJ/K.
    const double wax = mean(*world, 5, 0, "temperature"), nail = mean(*world, 5, 1, "temperature");
    EXPECT_GT(wax, 293.2);
    EXPECT_NEAR(36e3 * (wax - 293.15) + 4e3 * (nail - 293.15), 4500.0, 1e-6);
}

TEST(HeatScene, a_flux_and_air_bring_what_they_say)
{
    const std::string region = R"(, "temperature": 300, "regions": [ { "name": "top",
        "shape": { "box": { "min": [-1, 0.08], "max": [0.19, 1] } }, "heat_flux": 1e5 } ],
        "ignores": ["nail"])";
    const auto heated = world_of(stove(region));
    // Through the top and the sides of the row of phyxels below it.
    const double gained = 36e3 * (mean(*heated, 10, 0, "temperature") - 300.0);
    EXPECT_NEAR(gained, 1e5 * 0.24, 1e-6);
    const auto cooled = world_of(stove(R"(, "temperature": 300, "ignores": ["nail"],
        "air": { "temperature": 290, "exchange": 10 })"));
    // Not where it stands on the stove.
    const double lost = 36e3 * (300.0 - mean(*cooled, 10, 0, "temperature"));
    EXPECT_NEAR(lost, 10.0 * 10.0 * 0.4, 0.005 * 40.0);
}

TEST(HeatScene, an_obstacle_warms_what_touches_it_and_an_event_ends_that)
{
    const auto warmed = [](const std::string& scene) {
        std::string text = stove({}, scene);
        text.replace(text.find(R"("max": [1, 0] } })"), 17, R"("max": [1, 0] } }, "temperature": 400)");
        return mean(*world_of(text), 10, 0, "temperature");
    };
    const double always = warmed("");
    const double half = warmed(R"(, "events": [ { "time": 0.5, "set": { "obstacles.stove.temperature": null,
        "obstacles.stove.heat_flux": 0 } } ])");
    EXPECT_GT(always, 296.0);
    EXPECT_GT(half, 294.0);
    EXPECT_LT(half, always - 1.0);
}

TEST(HeatScene, heat_begins_with_the_event_that_speaks_of_it_and_resumes)
{
    const std::string text =
        stove({}, R"(, "events": [ { "time": 0.25, "set": { "obstacles.stove.temperature": 400 } } ])");
    const auto whole = world_of(text), resumed = world_of(text), early = world_of(text);
    EXPECT_EQ(mean(*whole, 2, 0, "temperature"), 0.0);
    early->load(read(saved(*whole)));
    EXPECT_GT(mean(*whole, 4, 0, "temperature"), 293.2);
    resumed->load(read(saved(*whole)));
    for (World<2>* world : {whole.get(), resumed.get(), early.get()}) mean(*world, 8, 0, "temperature");
    EXPECT_EQ(whole->state_hash(), resumed->state_hash());
    EXPECT_EQ(whole->state_hash(), early->state_hash());
}

TEST(HeatScene, has_the_same_bits_on_any_number_of_threads_and_after_a_restart_within_a_frame)
{
    const std::string text = stove(R"(, "temperature": "= 325 + 50*y")", R"(, "hands": [ { "name": "gun",
        "type": "warm", "at": [0.1, 0.1], "radius": 0.05, "power": 1e5 } ], "gravity": [0, -9.81])");
    const auto scene = [&] {
        std::string all = text;
        all.erase(all.find(R"("gravity": [0, 0],)"), 18);
        return all;
    }();
    const auto first = world_of(scene), second = world_of(scene), third = world_of(scene);
    mean(*first, 6, 0, "temperature");
    EXPECT_GT(mean(*first, 6, 0, "liquid_fraction"), 0.0);
    {
        const ThreadLimit limit(3);
        mean(*second, 6, 0, "temperature");
    }
    int steps = 0;
    const auto broken_off = world_of(scene);
    while (broken_off->frame() < 3 && !broken_off->advance_frame([&] { return ++steps > 9; })) break;
    EXPECT_FALSE(broken_off->is_at_frame());
    third->load(read(saved(*broken_off)));
    mean(*third, 6, 0, "temperature");
    EXPECT_EQ(first->state_hash(), second->state_hash());
    EXPECT_EQ(first->state_hash(), third->state_hash());
}

/// Warmed by 40 K through its melting point, as a body that nothing holds: the melt is a tenth as stiff, but
/// expansion is no strain to either.
TEST(HeatScene, what_expands_and_melts_has_no_stress)
{
    const auto world = world_of(R"({ "dimension": 2, "duration": 1, "frame_rate": 10, "spacing": "2 cm",
      "gravity": [0, 0],
      "bodies": [ { "name": "drop", "type": "solid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.2] } },
          "material": { "density": 900, "youngs_modulus": "1 MPa", "poisson_ratio": 0.3, "damping": "20 1/s",
                        "thermal_expansion": 2e-4, "melting_point": 320, "latent_heat": 1e4,
                        "molten": { "youngs_modulus": "100 kPa", "poisson_ratio": 0.4, "viscosity": 10,
                                    "conductivity": 3, "heat_capacity": 4000 } },
          "temperature": 300,
          "regions": [ { "name": "all", "shape": { "box": { "min": [-1, -1], "max": [1, 1] } },
                         "temperature": 340 } ],
          "solver": { "type": "implicit", "time_step": "10 ms" } } ] })");
    EXPECT_NEAR(mean(*world, 8, 0, "liquid_fraction"), 1.0, 1e-12);
    EXPECT_NEAR(mean(*world, 8, 0, "volume_ratio"), std::pow(1.0 + 40.0 * 2e-4, 2), 1e-3);
    // Of 8 kPa, which E α ΔT would be.
    EXPECT_LT(std::abs(mean(*world, 8, 0, "stress")), 100.0);
}

/// A block of a preset on a stove; `rest` are further keys of the scene.
std::string block_of(const std::string& material, const std::string& stove, const std::string& rest = {})
{
    return R"({ "dimension": 2, "duration": 1, "frame_rate": 10, "spacing": "2 cm", "gravity": [0, -9.81],
      "bodies": [ { "name": "block", "type": "solid", "shape": { "box": { "min": [0, 0], "max": [0.2, 0.1] } },
          "material": )" +
           material + R"(, "solver": { "type": "leapfrog" } } ],
      "obstacles": [ { "name": "stove", "shape": { "box": { "min": [-1, -1], "max": [1, 0] } })" +
           stove + " } ]" + rest + " }";
}

/// Soft, and quick to warm.
constexpr const char* soft_wax = R"({ "from": "wax", "youngs_modulus": "20 kPa", "conductivity": 4e4 })";

TEST(HeatScene, a_preset_melts_and_runs_down_where_it_is_warm)
{
    const auto world = world_of(block_of(soft_wax, R"(, "temperature": 600)"));
    EXPECT_EQ(mean(*world, 0, 0, "liquid_fraction"), 0.0);
    EXPECT_GT(mean(*world, 10, 0, "liquid_fraction"), 0.9);
    EXPECT_LT(world->totals()[0].bounds.max[1], 0.07); // of 0.1, though what is so hot is larger
    EXPECT_TRUE(read(saved(*world)).contains("solid/is_molten"));
}

TEST(HeatScene, a_preset_that_could_melt_computes_nothing_for_it_where_no_heat_flows)
{
    const auto wax = world_of(block_of(soft_wax, ""));
    const auto plain = world_of(block_of(
        R"({ "density": 900, "youngs_modulus": "20 kPa", "poisson_ratio": 0.35, "yield_stress": "1 MPa" })",
        ""));
    for (World<2>* world : {wax.get(), plain.get()}) mean(*world, 3, 0, "stress");
    EXPECT_EQ(wax->state_hash(), plain->state_hash());
    EXPECT_FALSE(read(saved(*wax)).contains("solid/rest_position"));
}

TEST(HeatScene, a_preset_that_heat_reaches_later_melts_then_and_resumes)
{
    const std::string text = block_of(
        soft_wax, "", R"(, "events": [ { "time": 0.25, "set": { "obstacles.stove.temperature": 600 } } ])");
    const auto whole = world_of(text), resumed = world_of(text), early = world_of(text);
    mean(*whole, 2, 0, "stress");
    early->load(read(saved(*whole)));
    EXPECT_GT(mean(*whole, 6, 0, "liquid_fraction"), 0.01);
    resumed->load(read(saved(*whole)));
    for (World<2>* world : {whole.get(), resumed.get(), early.get()}) mean(*world, 9, 0, "stress");
    EXPECT_EQ(whole->state_hash(), resumed->state_hash());
    EXPECT_EQ(whole->state_hash(), early->state_hash());
}

TEST(HeatScene, what_cannot_flow_is_warmed_and_does_not_melt)
{
    const std::string held = R"({ "from": "wax", "plastic_flow": "published", "youngs_modulus": "20 kPa",
        "conductivity": 4e4 })";
    const auto world = world_of(block_of(held, R"(, "temperature": 600)"));
    EXPECT_GT(mean(*world, 10, 0, "liquid_fraction"), 0.9);
    EXPECT_GT(world->totals()[0].bounds.max[1], 0.07);
}

TEST(HeatScene, molten_properties_of_a_scene_stand_beside_those_of_the_preset)
{
    SolidMaterial wax;
    wax.thermal.melting_point = 330.0;
    wax.molten_once_warm = MoltenProperties{.youngs_modulus = 1e6, .viscosity = 5e-3, .yield_stress = 10.0};
    const MoltenProperties both = completed({.viscosity = 2.0, .yield_strain = 0.1}, *wax.molten_once_warm);
    EXPECT_EQ(both.viscosity, 2.0);
    EXPECT_EQ(both.youngs_modulus, 1e6);
    EXPECT_EQ(both.yield_strain, 0.1);
    EXPECT_FALSE(both.yield_stress);
    wax.youngs_modulus = 2e4;
    EXPECT_EQ(warmed(wax).molten->youngs_modulus, 2e4);
    wax.thermal.melting_point.reset();
    EXPECT_EQ(warmed(wax), wax);
}

TEST(HeatScene, a_hand_that_warms_is_read_again_as_it_was_written)
{
    const std::string hand = R"(, "hands": [ { "name": "gun", "type": "warm", "at": [0.1, 0.05],
        "radius": 0.05, "power": 9000, "body": "", "strength": 100 } ])";
    EXPECT_GT(mean(*world_of(stove({}, hand)), 5, 0, "temperature"), 293.2);
}

TEST(HeatScene, what_is_said_of_heat_is_checked)
{
    EXPECT_NE(parse_error(stove(R"(, "regions": [ { "name": "a", "shape": { "box": { "min": [0, 0],
        "max": [1, 1] } }, "temperature": 300, "heat_flux": 10 } ])"))
                  .find("of temperature, heat_flux and air several are given, expected one of them"),
              std::string::npos);
    EXPECT_NE(parse_error(stove({}, R"(, "hands": [ { "name": "gun", "type": "warm", "at": [0, 0],
        "radius": 1 } ])"))
                  .find(R"(missing key "power", expected a power such as "100 W")"),
              std::string::npos);
    EXPECT_NE(parse_error(stove({}, R"(, "hands": [ { "name": "gun", "type": "push", "at": [0, 0],
        "radius": 1, "power": 3 } ])"))
                  .find("a hand that pushes has no power"),
              std::string::npos);
    EXPECT_NE(
        build_error(stove(R"(, "temperature": "= 10*x - 1")"))
            .find("bodies[0].temperature: the temperature at (0.01, 0.01) is -0.9 K, must be above 0 K"),
        std::string::npos);
}

} // namespace
} // namespace phyxel::heat_test
