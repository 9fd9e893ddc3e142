// SPDX-License-Identifier: MIT
// Solids that forget their shape at rest, melt, set and fuse, in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/solid_body.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::flow_test {
namespace {

const std::vector<std::string> solvers = {R"("type": "leapfrog")",
                                          R"("type": "implicit", "time_step": "5 ms")"};

/// A block in a tank, with more keys of its material, of itself and of the scene.
std::string tank(const std::string& solver, const std::string& material, const std::string& scene = "",
                 const std::string& body = "")
{
    return R"({ "dimension": 2, "duration": 2, "frame_rate": 20, "spacing": "2 cm",
      "domain": { "min": [-0.5, 0], "max": [0.5, 1] },
      "bodies": [ { "name": "block", "type": "solid", "shape": { "box": { "min": [-0.1, 0], "max": [0.1, 0.4] } },
          "material": { "density": 1000, "youngs_modulus": "100 kPa", "poisson_ratio": 0.45, "viscosity": 5,
                        "friction": 0.1, )" +
           material + R"( }, "solver": { )" + solver + " }" + body + " } ]" + scene + " }";
}

World<2>& world_of(BuiltScene& built) { return *std::get<std::unique_ptr<World<2>>>(built.world); }

BodyTotals<2> at_frame(const std::string& text, std::uint64_t frame)
{
    BuiltScene built = build(text);
    World<2>& world = world_of(built);
    while (world.frame() < frame && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    return world.totals().front();
}

const std::string sets = R"(, "events": [
    { "time": 0.1, "set": { "bodies.block.material.flows": true, "bodies.block.material.youngs_modulus": "40 kPa" } },
    { "time": 0.45, "set": { "bodies.block.material.flows": false, "bodies.block.material.youngs_modulus": "200 kPa" } } ])";

TEST(Flow, a_block_that_flows_becomes_a_puddle_of_its_volume_and_comes_to_rest)
{
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        const BodyTotals<2> total = at_frame(tank(solver, R"("flows": true)"), 40);
        EXPECT_NEAR(total.mass, 80.0, 1e-9);
        EXPECT_NEAR(total.volume, 0.08, 0.02 * 0.08);
        EXPECT_GT(total.bounds.size()[0], 0.9);
        EXPECT_LT(total.bounds.size()[1], 0.16);
        EXPECT_LT(total.kinetic_energy, 0.05);
    }
}

TEST(Flow, what_sets_stays_as_it_is)
{
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        const std::string text = tank(solver, R"("damping": "1 Hz")", sets);
        const BodyTotals<2> set = at_frame(text, 10), later = at_frame(text, 40);
        EXPECT_GT(set.bounds.size()[0], 0.3);
        EXPECT_LT(set.bounds.size()[1], 0.37);
        EXPECT_GT(later.bounds.size()[0], 0.28);
        EXPECT_GT(later.bounds.size()[1], 0.7 * set.bounds.size()[1]);
        EXPECT_LT(later.bounds.size()[1], 1.1 * set.bounds.size()[1]);
    }
}

TEST(Flow, has_the_same_bits_after_a_restart_and_on_any_number_of_threads)
{
    for (const std::string& solver : solvers)
        for (const std::uint64_t frame : {1u, 7u, 12u}) {
            SCOPED_TRACE(solver + " from frame " + std::to_string(frame));
            const std::string text = tank(solver, R"("damping": "1 Hz")", sets);
            BuiltScene built = build(text), again = build(text);
            World<2>& whole = world_of(built);
            World<2>& resumed = world_of(again);
            while (whole.frame() < frame && whole.advance_frame()) {}
            CheckpointWriter checkpoint;
            whole.save(checkpoint);
            const std::vector<std::byte> bytes = checkpoint.encode();
            Buffer<std::byte> content(bytes.size());
            std::copy(bytes.begin(), bytes.end(), content.data());
            resumed.load(CheckpointReader(std::move(content), "memory"));
            {
                const ThreadLimit one(1);
                while (whole.frame() < 14 && whole.advance_frame()) {}
            }
            const ThreadLimit several(7);
            while (resumed.frame() < 14 && resumed.advance_frame()) {}
            EXPECT_EQ(whole.state_hash(), resumed.state_hash());
        }
}

/// The same scene from a checkpoint at a frame on.
void expect_same_bits_after_a_restart(const std::string& text, std::uint64_t frame, std::uint64_t last)
{
    BuiltScene built = build(text), again = build(text);
    World<2>& whole = world_of(built);
    World<2>& resumed = world_of(again);
    while (whole.frame() < frame && whole.advance_frame()) {}
    CheckpointWriter checkpoint;
    whole.save(checkpoint);
    const std::vector<std::byte> bytes = checkpoint.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    resumed.load(CheckpointReader(std::move(content), "memory"));
    while (whole.frame() < last && whole.advance_frame()) {}
    while (resumed.frame() < last && resumed.advance_frame()) {}
    EXPECT_FALSE(whole.failure());
    EXPECT_EQ(whole.state_hash(), resumed.state_hash());
}

TEST(Flow, beside_water_has_the_same_bits_after_a_restart)
{
    std::string text = tank(solvers[0], R"("flows": true)");
    const std::string beside =
        R"(, { "name": "water", "type": "fluid", "shape": { "box": { "min": [-0.5, 0], "max": [-0.12, 0.1] } } })";
    text.insert(text.rfind(']'), beside);
    expect_same_bits_after_a_restart(text, 6, 9);
}

TEST(Flow, a_hand_takes_of_what_has_flown_what_is_there_and_goes_on_with_it_after_a_restart)
{
    const std::string text = tank(solvers[0], R"("flows": true)", R"(, "events": [
        { "time": 1, "set": { "hands": [ { "name": "pin", "type": "hold", "body": "block",
                                           "at": [0.3, 0.03], "radius": 0.03 } ] } } ])");
    BuiltScene built = build(text);
    World<2>& world = world_of(built);
    while (world.frame() < 20 && world.advance_frame()) {}
    const std::span<const Vec<2>> places = world.body(0).particles().positions;
    const std::vector<Vec<2>> before(places.begin(), places.end());
    while (world.frame() < 26 && world.advance_frame()) {}
    ASSERT_FALSE(world.failure()) << to_text(*world.failure());
    const ParticleView<2> after = world.body(0).particles();
    std::size_t held = 0, moved = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        const double way = (after.positions[i] - before[i]).norm();
        if ((before[i] - Vec<2>(0.3, 0.03)).norm() <= 0.03) {
            EXPECT_LT(way, 1e-12);
            ++held;
        } else if (way > 1e-4) {
            ++moved;
        }
    }
    EXPECT_GT(held, 3u);
    EXPECT_GT(moved, before.size() / 2);
    expect_same_bits_after_a_restart(text, 22, 24);
}

TEST(Flow, pieces_of_what_flows_are_counted)
{
    // Two blocks of one body, which run into each other.
    std::string text = tank(solvers[0], R"("flows": true)");
    const std::string box = R"({ "box": { "min": [-0.1, 0], "max": [0.1, 0.4] } })";
    text.replace(text.find(box), box.size(),
                 R"({ "union": [ { "box": { "min": [-0.3, 0], "max": [-0.1, 0.2] } },
                                                            { "box": { "min": [0.1, 0], "max": [0.3, 0.2] } } ] })");
    BuiltScene built = build(text);
    World<2>& world = world_of(built);
    world.advance_frame();
    EXPECT_EQ(world.report().statistics.fragments, 2.0);
    while (world.frame() < 20 && world.advance_frame()) {
        // The statistic is the most of the steps of a frame.
        const std::vector<double> numbers = world.body(0).field("fragment", world.surroundings());
        EXPECT_GE(world.report().statistics.fragments,
                  1.0 + *std::max_element(numbers.begin(), numbers.end()));
    }
    EXPECT_EQ(world.report().statistics.fragments, 1.0);
}

TEST(Flow, an_elastic_body_that_is_made_stiffer_keeps_its_stress_and_its_shape)
{
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        const std::string text = tank(solver, R"("damping": "8 Hz")", R"(, "events": [
            { "time": 0.5, "set": { "bodies.block.material.youngs_modulus": "1 MPa" } } ])");
        const std::string softer = tank(solver, R"("damping": "8 Hz")");
        const double settled = at_frame(softer, 10).bounds.size()[1];
        EXPECT_LT(settled, 0.377);
        // It was 6 mm shorter than without weight, and would rise by nine tenths of that.
        EXPECT_NEAR(at_frame(text, 20).bounds.size()[1], settled, 4e-4);
        expect_same_bits_after_a_restart(text, 11, 13);
    }
}

TEST(Flow, what_was_liquid_begins_anew_to_harden)
{
    BuiltScene built = build(tank(solvers[1], R"("damping": "1 Hz", "hardening": "1 MPa")", R"(, "events": [
        { "time": 0.1, "set": { "bodies.block.material.flows": true, "bodies.block.material.hardening": 0 } },
        { "time": 0.45, "set": { "bodies.block.material.flows": false, "bodies.block.material.hardening": "1 MPa",
                                 "bodies.block.material.yield_stress": "1 MPa" } } ])"));
    World<2>& world = world_of(built);
    while (world.frame() < 12 && world.advance_frame()) {}
    ASSERT_FALSE(world.failure()) << to_text(*world.failure());
    EXPECT_LT(world.totals().front().bounds.size()[1], 0.37); // it has run
    for (const double strain : world.body(0).field("plastic_strain", world.surroundings()))
        EXPECT_LT(strain, 1e-3);
}

TEST(Flow, two_that_name_each_other_become_one)
{
    const auto gap = [](const std::string& first, const std::string& second) {
        const std::string material = R"("material": { "density": 1000, "youngs_modulus": "40 kPa",
            "poisson_ratio": 0.45, "viscosity": 20, "flows": true })";
        const auto body = [&](const char* name, const char* box, const std::string& more) {
            return std::string(R"({ "name": ")") + name + R"(", "type": "solid", "spacing": "2 cm",
                "shape": { "box": )" +
                   box + "}, " + material + more + " }";
        };
        BuiltScene built = build(
            R"({ "dimension": 2, "duration": 1, "gravity": [0, 0], "bodies": [ )" +
            body("a", R"({ "min": [-0.2, 0], "max": [-0.02, 0.2] })", R"(, "velocity": [1, 0])" + first) +
            ", " +
            body("b", R"({ "min": [0.02, 0], "max": [0.2, 0.2] })", R"(, "velocity": [-1, 0])" + second) +
            "] }");
        World<2>& world = world_of(built);
        while (world.frame() < 24 && world.advance_frame()) {}
        EXPECT_FALSE(world.failure()) << to_text(*world.failure());
        // Pieces are those of a body, with whomever else it is one.
        const std::vector<double> pieces = world.body(0).field("fragment", world.surroundings());
        for (const std::size_t start : {std::size_t(0), pieces.size() / 2}) {
            EXPECT_EQ(pieces[start], 0.0);
            for (std::size_t i = start; i < start + pieces.size() / 2; ++i)
                EXPECT_LE(pieces[i], static_cast<double>(i - start));
        }
        const auto totals = world.totals();
        return totals[1].bounds.min[0] - totals[0].bounds.max[0];
    };
    const double apart = gap("", ""), unrequited = gap(R"(, "merges_with": ["b"])", "");
    const double one = gap(R"(, "merges_with": ["b"])", R"(, "merges_with": ["a"])");
    EXPECT_GT(apart, 0.018);
    EXPECT_EQ(apart, unrequited);
    EXPECT_LT(one, 0.018);
}

TEST(Flow, what_melts_flows_only_where_it_is_molten)
{
    BuiltScene built = build(tank(solvers[1], R"("molten": { "youngs_modulus": "40 kPa" })"));
    World<2>& world = world_of(built);
    auto& body = dynamic_cast<SolidBody<2>&>(world.body(0));
    const ParticleView<2> particles = body.particles();
    std::vector<std::uint8_t> flags(particles.size(), 0);
    for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = particles.positions[i][1] > 0.2;
    while (world.frame() < 2 && world.advance_frame()) {}
    EXPECT_GT(world.totals().front().bounds.size()[1], 0.36);
    body.set_molten(flags);
    while (world.frame() < 20 && world.advance_frame()) {}
    EXPECT_FALSE(world.failure());
    // The upper half has run down, the lower one stands.
    const ParticleView<2> now = body.particles();
    double highest = 0.0, widest = 0.0, low = 1.0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
        if (flags[i] == 0) highest = std::max(highest, now.positions[i][1]);
        if (flags[i] != 0) low = std::min(low, now.positions[i][1]);
        widest = std::max(widest, std::abs(now.positions[i][0]));
    }
    EXPECT_GT(highest, 0.15);
    EXPECT_GT(widest, 0.15);
    EXPECT_LT(low, 0.05);
    EXPECT_LT(world.totals().front().bounds.size()[1], 0.33);
}

TEST(Flow, a_bar_holds_in_its_cold_half_while_the_other_melts_and_drips_off)
{
    // A solid goes on knowing who was where beside it: its melt forgets its shape in every step or two.
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        const std::string text = R"({ "dimension": 2, "duration": 3, "frame_rate": 20, "spacing": "1 cm",
          "domain": { "min": [-0.1, -0.6], "max": [0.4, 0.1] },
          "bodies": [ { "name": "bar", "type": "solid", "shape": { "box": { "min": [0, 0], "max": [0.3, 0.04] } },
              "material": { "density": 1000, "youngs_modulus": "0.2 MPa", "poisson_ratio": 0.4, "damping": "1 Hz",
                            "molten": { "youngs_modulus": "40 kPa", "viscosity": "5 Pa s" } },
              "regions": [ { "name": "end", "shape": { "box": { "min": [-1, -1], "max": [0.02, 1] } }, "motion": "fixed" } ],
              "solver": { )" + solver +
                                 " } } ] }";
        BuiltScene built = build(text);
        World<2>& world = world_of(built);
        auto& body = dynamic_cast<SolidBody<2>&>(world.body(0));
        const std::vector<Vec<2>> first(body.particles().positions.begin(), body.particles().positions.end());
        std::vector<std::uint8_t> flags(first.size());
        for (std::size_t i = 0; i < flags.size(); ++i) flags[i] = first[i][0] > 0.15;
        body.set_molten(flags);
        while (world.frame() < 20 && world.advance_frame()) {}
        CheckpointWriter checkpoint;
        world.save(checkpoint);
        while (world.frame() < 30 && world.advance_frame()) {}
        const std::vector<std::byte> bytes = checkpoint.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        BuiltScene again = build(text);
        World<2>& resumed = world_of(again);
        resumed.load(CheckpointReader(std::move(content), "memory"));
        {
            const ThreadLimit several(3);
            while (resumed.frame() < 30 && resumed.advance_frame()) {}
        }
        EXPECT_EQ(world.state_hash(), resumed.state_hash());
        while (world.frame() < 60 && world.advance_frame()) {}
        ASSERT_FALSE(world.failure()) << to_text(*world.failure());
        const std::span<const Vec<2>> now = body.particles().positions;
        double lowest = 0.0, longest = 0.0, shortest = 1.0, melt = 1.0;
        for (std::size_t i = 0; i < first.size(); ++i) {
            if (flags[i] != 0) {
                melt = std::min(melt, now[i][1]);
                continue;
            }
            lowest = std::min(lowest, now[i][1] - first[i][1]);
            for (std::size_t j = 0; j < first.size(); ++j) {
                if (flags[j] != 0 || (first[i] - first[j]).norm() > 0.011 || i == j) continue;
                longest = std::max(longest, (now[i] - now[j]).norm() / 0.01);
                shortest = std::min(shortest, (now[i] - now[j]).norm() / 0.01);
            }
        }
        EXPECT_LT(melt, -0.4);
        // A bar of its own weight sags by ρ g A L⁴/(8 E I) = 1.9 cm, with half of the other as a load by 6.
        EXPECT_GT(lowest, -0.06);
        EXPECT_LT(longest, 1.1);
        EXPECT_GT(shortest, 0.9);
    }
}

/// Whether the phyxels that are chosen hang together, and in how many pieces, over pairs nearer than `reach`.
std::size_t piece_count(const std::vector<Vec<3>>& places, double reach)
{
    std::vector<std::uint8_t> is_seen(places.size(), 0);
    std::size_t pieces = 0;
    for (std::size_t start = 0; start < places.size(); ++start) {
        if (is_seen[start] != 0) continue;
        std::vector<std::size_t> found = {start};
        is_seen[start] = 1;
        for (std::size_t k = 0; k < found.size(); ++k)
            for (std::size_t j = 0; j < places.size(); ++j)
                if (is_seen[j] == 0 && (places[j] - places[found[k]]).norm() < reach) {
                    is_seen[j] = 1;
                    found.push_back(j);
                }
        if (found.size() > places.size() / 50) ++pieces; // crumbs do not count
    }
    return pieces;
}

TEST(Flow, the_cuboid_that_melts_over_a_spike_sets_as_a_ring)
{
    const std::filesystem::path path = std::filesystem::path(PHYXEL_EXAMPLES) / "scenes/melting_ring.json";
    std::ifstream file(path);
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    constexpr double spacing = 0.024;
    BuiltScene built = build(text, {"spacing=0.024", "bodies.cuboid.skin.detail=0"});
    World<3>& world = *std::get<std::unique_ptr<World<3>>>(built.world);
    while (world.time() < 2.5 && world.advance_frame()) {}
    EXPECT_FALSE(world.failure()) << to_text(*world.failure());
    std::vector<Vec<3>> all, cut_once, cut_twice;
    std::size_t in_the_hole = 0;
    const ParticleView<3> particles = world.body(0).particles();
    for (const Vec<3>& x : particles.positions) {
        all.push_back(x);
        const bool is_at_cut = std::abs(x[1]) < 1.2 * spacing;
        if (std::hypot(x[0], x[1]) < 0.03 && x[2] < 0.16) ++in_the_hole;
        if (!is_at_cut || x[0] < 0.0) cut_once.push_back(x);
        if (!is_at_cut) cut_twice.push_back(x);
    }
    EXPECT_EQ(in_the_hole, 0u);
    // What is on top of the spike would close it.
    for (const Vec<3>& x : all) EXPECT_LT(x[2], 0.19);
    const double reach = 1.8 * spacing;
    EXPECT_EQ(piece_count(all, reach), 1u);
    EXPECT_EQ(piece_count(cut_once, reach), 1u);
    EXPECT_EQ(piece_count(cut_twice, reach), 2u);
}

TEST(Flow, materials_that_flow_are_checked)
{
    const auto error_of = [](const std::string& material, const std::string& body = "") {
        const std::string error = parse_error(tank(solvers[0], material, "", body));
        const std::size_t place = error.find("bodies");
        return place == std::string::npos ? error : error.substr(place);
    };
    EXPECT_EQ(
        error_of(R"("flows": true, "law": "corotated")"),
        "bodies[0].material.law: what flows or melts goes with the law neo_hookean, allowed: neo_hookean");
    EXPECT_EQ(error_of(R"("molten": { "yield_stress": 1, "yield_strain": 1 })"),
              "bodies[0].material.molten: yield_strain and yield_stress are both given, use one of them");
    EXPECT_EQ(error_of(R"("flows": true)", R"(, "merges_with": ["block"])"),
              "bodies[0].merges_with[0]: a body is one with itself, leave it out");
    EXPECT_EQ(error_of(R"("flows": true)", R"(, "merges_with": ["stone"])"),
              "bodies[0].merges_with[0]: there is no solid \"stone\", leave it out");
    EXPECT_EQ(error_of(R"("flows": true)"), "no error");
}

} // namespace
} // namespace phyxel::flow_test
