// SPDX-License-Identifier: MIT
// Solids with cracks, and blades that cut them, in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::crack_test {
namespace {

const std::string solvers[] = {R"("type": "leapfrog")", R"("type": "implicit", "time_step": "10 ms")"};

/// A block that swings, as a lower edge comes down that is at z = 0.1 after a second.
std::string sliced(const std::string& solver, const std::string& speed = "2")
{
    return R"({ "duration": 1, "frame_rate": 20, "spacing": "2 cm", "gravity": [0, 0, 0],
      "bodies": [ { "name": "block", "type": "solid",
          "shape": { "box": { "min": [-0.1, -0.06, 0], "max": [0.1, 0.06, 0.12] } },
          "velocity": ["= )" +
           speed + R"(*z", 0, 0], "material": { "from": "jelly", "damping": "1 1/s" },
          "regions": [ { "name": "foot", "motion": "fixed",
                         "shape": { "box": { "min": [-1, -1, -1], "max": [1, 1, 0.015] } } } ],
          "solver": { )" +
           solver + R"( } } ],
      "blades": [ { "name": "knife",
          "polygon": [[0.003, -0.2, 0.14], [0.003, 0.2, 0.14], [0.003, 0.2, 0.4], [0.003, -0.2, 0.4]],
          "motion": { "move": [0, 0, "= -0.1*t"] } } ] })";
}

/// A bar that is pulled apart, with a crack through it or not.
std::string pulled(const std::string& cracks)
{
    return R"({ "dimension": 2, "duration": 1, "frame_rate": 10, "spacing": "1 cm", "gravity": [0, 0],
      "bodies": [ { "name": "bar", "type": "solid",
          "shape": { "box": { "min": [-0.1, 0], "max": [0.1, 0.05] } }, "material": "rubber",
          "regions": [ { "name": "left", "motion": "fixed",
                         "shape": { "box": { "min": [-1, -1], "max": [-0.085, 1] } } },
                       { "name": "right", "motion": { "move": ["= 0.02*t", 0] },
                         "shape": { "box": { "min": [0.085, -1], "max": [1, 1] } } } ],
          "solver": { "type": "quasi_static" }, "cracks": [)" +
           cracks + "] } ] }";
}

template <int Dim>
World<Dim>& world_of(BuiltScene& built)
{
    return *std::get<std::unique_ptr<World<Dim>>>(built.world);
}

template <int Dim>
void run(World<Dim>& world, std::uint64_t frames)
{
    while (world.frame() < frames && world.advance_frame()) {}
    ASSERT_FALSE(world.failure()) << to_text(*world.failure());
}

template <int Dim>
std::vector<double> field_of(World<Dim>& world, const char* field)
{
    return world.body(0).field(field, world.surroundings());
}

TEST(CrackScene, a_bar_with_a_crack_through_it_is_two_that_have_no_stress)
{
    BuiltScene whole = build(pulled(""));
    run(world_of<2>(whole), 8);
    const std::vector<double> pull = field_of(world_of<2>(whole), "stress");

    BuiltScene built = build(pulled(R"({ "name": "cut", "polygon": [[0.002, -1], [0.002, 1]] })"));
    World<2>& world = world_of<2>(built);
    run(world, 8);
    const std::vector<double> fragment = field_of(world, "fragment"), stress = field_of(world, "stress");
    EXPECT_EQ(*std::max_element(fragment.begin(), fragment.end()), 1.0);
    EXPECT_LT(*std::max_element(stress.begin(), stress.end()),
              1e-4 * *std::max_element(pull.begin(), pull.end()));
    EXPECT_NEAR(world.totals().front().bounds.size()[0], 0.19 + 0.016, 1e-3);
}

TEST(CrackScene, a_phyxel_that_is_cut_off_leaves_the_equilibrium_of_the_others)
{
    BuiltScene built =
        build(pulled(R"({ "name": "cut", "polygon": [[0, 0.06], [0, 0.04], [0.01, 0.04], [0.01, 0.06]] })"));
    World<2>& world = world_of<2>(built);
    run(world, 8);
    const std::vector<double> fragment = field_of(world, "fragment"), stress = field_of(world, "stress");
    EXPECT_EQ(std::count(fragment.begin(), fragment.end(), 1.0), 1);
    for (std::size_t i = 0; i < stress.size(); ++i) {
        EXPECT_TRUE(std::isfinite(stress[i]));
        EXPECT_TRUE(fragment[i] == 0.0 || stress[i] == 0.0);
    }
}

TEST(CrackScene, heat_does_not_pass_a_crack)
{
    const auto warmest_beyond = [](const std::string& cracks) {
        BuiltScene built = build(R"({ "dimension": 2, "duration": 1, "frame_rate": 4, "gravity": [0, 0],
            "bodies": [ { "name": "bar", "type": "solid", "spacing": "1 cm", "temperature": 300,
                "shape": { "box": { "min": [-0.1, 0], "max": [0.1, 0.05] } },
                "material": { "from": "rubber", "conductivity": 5e3, "thermal_expansion": 0 },
                "regions": [ { "name": "left", "motion": "fixed", "temperature": 400,
                               "shape": { "box": { "min": [-1, -1], "max": [-0.085, 1] } } } ],
                "solver": { "type": "implicit" }, "cracks": [)" +
                                 cracks + "] } ] }");
        World<2>& world = world_of<2>(built);
        run(world, 4);
        const std::vector<double> temperature = field_of(world, "temperature");
        double warmest = 0.0;
        for (std::size_t i = 0; i < temperature.size(); ++i)
            if (world.body(0).particles().rest_positions[i][0] > 0.0)
                warmest = std::max(warmest, temperature[i]);
        return warmest;
    };
    EXPECT_GT(warmest_beyond(""), 310.0);
    EXPECT_EQ(warmest_beyond(R"({ "name": "cut", "polygon": [[0.002, -1], [0.002, 1]] })"), 300.0);
}

TEST(CrackScene, half_a_crack_leaves_one_piece_that_opens_at_it)
{
    BuiltScene built = build(pulled(R"({ "name": "slit", "polygon": [[0.002, -1], [0.002, 0.025]] })"));
    World<2>& world = world_of<2>(built);
    run(world, 8);
    const std::vector<double> fragment = field_of(world, "fragment"), stress = field_of(world, "stress");
    EXPECT_EQ(*std::max_element(fragment.begin(), fragment.end()), 0.0);
    // More at the front than far from it, and nothing beside the open faces.
    const ParticleView<2> view = world.body(0).particles();
    double at_front = 0.0, at_face = 0.0, far = 0.0;
    for (std::size_t i = 0; i < view.size(); ++i) {
        const Vec<2>& X = view.rest_positions[i];
        if ((X - Vec<2>(0.0, 0.03)).norm() < 0.012) at_front = std::max(at_front, stress[i]);
        if ((X - Vec<2>(0.0, 0.005)).norm() < 0.008) at_face = std::max(at_face, stress[i]);
        if (std::abs(X[0]) > 0.04 && std::abs(X[0]) < 0.06) far = std::max(far, stress[i]);
    }
    EXPECT_GT(at_front, far);
    EXPECT_LT(at_face, 0.3 * far);
}

TEST(CrackScene, a_blade_leaves_a_slit_behind_while_the_body_moves)
{
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        double areas[2];
        for (const bool is_swinging : {false, true}) {
            BuiltScene built = build(sliced(solver, is_swinging ? "2" : "0"));
            World<3>& world = world_of<3>(built);
            run(world, 20);
            areas[is_swinging ? 1 : 0] = world.report().statistics.crack_area;
            EXPECT_EQ(world.report().statistics.fragments, 1.0);
        }
        // 10 cm down, 2 cm of them above the block, but for a quarter of a spacing. A block that swings is
        // strained where the blade passes, and its sheet at rest is wavy.
        EXPECT_NEAR(areas[0], 0.08 * 0.12, 0.01 * 0.12);
        EXPECT_NEAR(areas[1], 0.08 * 0.12, 0.02 * 0.12);
    }
}

TEST(CrackScene, has_the_same_bits_after_a_restart)
{
    for (const std::string& solver : solvers) {
        const std::string text = sliced(solver);
        BuiltScene built = build(text), again = build(text);
        World<3>&whole = world_of<3>(built), &resumed = world_of<3>(again);
        run(whole, 12);
        CheckpointWriter checkpoint;
        whole.save(checkpoint);
        const std::vector<std::byte> bytes = checkpoint.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        resumed.load(CheckpointReader(std::move(content), "memory"));
        run(whole, 18);
        run(resumed, 18);
        CheckpointWriter one, other;
        whole.save(one);
        resumed.save(other);
        EXPECT_EQ(one.encode(), other.encode());
    }
}

TEST(CrackScene, what_flows_forgets_its_cracks_and_is_cut_no_more)
{
    for (const std::string& solver : solvers) {
        SCOPED_TRACE(solver);
        std::string text = sliced(solver, "0");
        text.insert(text.rfind('}'),
                    R"(, "events": [ { "time": 0.8, "set": { "bodies.block.material.flows": true } },
            { "time": 0.9, "set": { "bodies.block.material.flows": false } } ])");
        BuiltScene built = build(text), again = build(text);
        World<3>&whole = world_of<3>(built), &resumed = world_of<3>(again);
        run(whole, 15);
        EXPECT_GT(whole.report().statistics.crack_area, 0.0);
        run(whole, 19);
        EXPECT_EQ(whole.report().statistics.crack_area, 0.0);
        CheckpointWriter checkpoint;
        whole.save(checkpoint);
        const std::vector<std::byte> bytes = checkpoint.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        resumed.load(CheckpointReader(std::move(content), "memory"));
        run(whole, 20);
        run(resumed, 20);
        EXPECT_EQ(whole.state_hash(), resumed.state_hash());
    }
}

TEST(CrackScene, the_skin_is_cut_where_the_solid_is)
{
    std::string text = sliced(solvers[1]);
    BuiltScene built = build(text);
    World<3>& world = world_of<3>(built);
    Body<3>& body = world.body(0);
    const std::size_t before = body.surface(0, {}, world.surroundings())->vertices.size();
    run(world, 20);
    const SurfaceMesh cut = *body.surface(0, {}, world.surroundings());
    EXPECT_GT(cut.vertices.size(), before + 100);
    for (const Vec<3>& x : cut.vertices) EXPECT_TRUE(x.allFinite());
    for (const auto& triangle : cut.triangles)
        for (const Index corner : triangle) EXPECT_LT(corner, cut.vertices.size());
}

/// A bar that is thrown apart, of what breaks or not.
std::string brittle(const std::string& solver, const std::string& material, const std::string& rate = "0.5")
{
    return R"({ "dimension": 2, "duration": 1, "frame_rate": 200, "spacing": "2 cm", "gravity": [0, 0],
      "bodies": [ { "name": "bar", "type": "solid", "velocity": ["= )" +
           rate + R"(*x", 0],
          "shape": { "box": { "min": [-0.4, 0], "max": [0.4, 0.1] } },
          "material": { "density": 1000, "youngs_modulus": 1e6, "poisson_ratio": 0.2)" +
           material + R"( }, "solver": { )" + solver + " } } ] }";
}

TEST(CrackScene, what_is_pulled_beyond_its_strength_breaks_and_pays_for_it)
{
    for (const std::string solver : {R"("type": "leapfrog")", R"("type": "implicit", "time_step": "1 ms")"}) {
        SCOPED_TRACE(solver);
        BuiltScene built =
            build(brittle(solver, R"(, "strength": 4e3, "strength_variation": 0.1, "fracture_energy": 0.3)"));
        World<2>& world = world_of<2>(built);
        run(world, 20);
        const Statistics& found = world.report().statistics;
        EXPECT_GE(found.fragments, 2.0);
        EXPECT_NEAR(found.fracture_energy, 0.3 * found.crack_area, 1e-9);
        BuiltScene tough = build(brittle(solver, R"(, "strength": 1e5)"));
        run(world_of<2>(tough), 20);
        EXPECT_EQ(world_of<2>(tough).report().statistics.crack_area, 0.0);
        BuiltScene whole = build(brittle(solver, ""));
        run(world_of<2>(whole), 20);
        EXPECT_EQ(world_of<2>(whole).report().statistics.fragments, 0.0);
    }
}

TEST(CrackScene, what_flows_too_far_tears_and_what_may_flow_on_does_not)
{
    const std::string yields = R"(, "yield_stress": 500)", rate = "4";
    for (const std::string solver : {R"("type": "leapfrog")", R"("type": "implicit", "time_step": "1 ms")"}) {
        SCOPED_TRACE(solver);
        BuiltScene built = build(brittle(solver, yields + R"(, "fracture_strain": 0.1)", rate));
        World<2>& world = world_of<2>(built);
        run(world, 12);
        const Statistics& found = world.report().statistics;
        EXPECT_GT(found.crack_area, 0.1); // more than once across
        EXPECT_EQ(found.fracture_energy, 0.0);
        BuiltScene tough = build(brittle(solver, yields + R"(, "fracture_strain": 5)", rate));
        run(world_of<2>(tough), 12);
        EXPECT_EQ(world_of<2>(tough).report().statistics.crack_area, 0.0);
    }
}

struct Breaking {
    const char* material;
    const char* rate;
};

class CracksThatGrow : public ::testing::TestWithParam<Breaking> {};

INSTANTIATE_TEST_SUITE_P(Materials, CracksThatGrow,
                         ::testing::Values(Breaking{R"(, "strength": 4e3, "strength_variation": 0.3)", "0.5"},
                                           Breaking{R"(, "yield_stress": 500, "fracture_strain": 0.05)",
                                                    "4"}));

TEST_P(CracksThatGrow, have_the_same_bits_after_a_restart)
{
    const std::string text = brittle(R"("type": "leapfrog")", GetParam().material, GetParam().rate);
    BuiltScene built = build(text), again = build(text);
    World<2>&whole = world_of<2>(built), &resumed = world_of<2>(again);
    const auto load = [](World<2>& from, World<2>& into) {
        CheckpointWriter checkpoint;
        from.save(checkpoint);
        const std::vector<std::byte> bytes = checkpoint.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        into.load(CheckpointReader(std::move(content), "memory"));
    };
    CheckpointWriter start;
    whole.save(start);
    std::uint64_t frame = 0;
    while (whole.report().statistics.crack_area == 0.0 && frame < 60) run(whole, ++frame);
    EXPECT_GT(whole.report().statistics.crack_area, 0.0);
    load(whole, resumed);
    run(whole, frame + 4);
    run(resumed, frame + 4);
    CheckpointWriter one, other;
    whole.save(one);
    resumed.save(other);
    EXPECT_EQ(one.encode(), other.encode());
    // Back to when there was no crack.
    const std::vector<std::byte> bytes = start.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    resumed.load(CheckpointReader(std::move(content), "memory"));
    run(resumed, frame + 4);
    EXPECT_EQ(whole.state_hash(), resumed.state_hash());
}

TEST(CrackScene, what_belongs_to_a_strength_is_said_with_it)
{
    const auto error_of = [](const std::string& material) {
        return parse_error(brittle(R"("type": "leapfrog")", material));
    };
    const auto has = [&](const std::string& material, const std::string& wanted) {
        const std::string error = error_of(material);
        EXPECT_NE(error.find(wanted), std::string::npos) << error;
    };
    has(R"(, "fracture_energy": 1)",
        "bodies[0].material.fracture_energy: it belongs to a strength, without which nothing breaks");
    has(R"(, "strength": -1)", "bodies[0].material.strength");
    has(R"(, "crack_speed": 0.2)",
        "bodies[0].material.crack_speed: it belongs to a strength or a fracture_strain");
    has(R"(, "fracture_strain": 0.2)", "bodies[0].material.fracture_strain: it is plastic");
    has(R"(, "yield_stress": 1, "fracture_strain": 0)", "bodies[0].material.fracture_strain");
    has(R"(, "strength": 1, "crack_speed": 2)", "bodies[0].material.crack_speed");
    has(R"(, "strength": 1, "strength_variation": 2)", "bodies[0].material.strength_variation");
    has(R"(, "strength": 1, "grain": [1, 0])",
        "bodies[0].material.grain: a grain and the strength across it");
    has(R"(, "strength": 1, "grain": [0, 0], "strength_across": 1)",
        "bodies[0].material.grain: it has no direction");
    has(R"(, "strength": 1, "grain": [1], "strength_across": 1)",
        "bodies[0].material.grain: it has 1 numbers");
    const std::string error = build_error(brittle(R"("type": "leapfrog")", R"(, "strength": "= 100*x")"));
    EXPECT_NE(error.find("bodies[0].material.strength: it is not above 0 at"), std::string::npos) << error;
}

TEST(CrackScene, problems_have_places)
{
    const auto has = [](const std::string& text, const std::string& wanted) {
        const std::string error = parse_error(text);
        EXPECT_NE(error.find(wanted), std::string::npos) << error;
    };
    has(pulled(R"({ "name": "a", "polygon": [[0, 0]] })"),
        "bodies[0].cracks[0].polygon: a crack has 1 points, needs at least 2");
    has(pulled(
            R"({ "name": "a", "polygon": [[0, 0], [1, 0]] }, { "name": "a", "polygon": [[0, 0], [1, 1]] })"),
        "bodies[0].cracks[1].name");
    std::string flowing = pulled(R"({ "name": "a", "polygon": [[0, -1], [0, 1]] })");
    flowing.replace(flowing.find("\"rubber\""), 8,
                    R"({ "density": 1000, "youngs_modulus": 1e5, "poisson_ratio": 0.4, "flows": true })");
    has(flowing, "bodies[0].cracks: what flows or melts cannot have cracks");
    std::string merging = pulled(R"({ "name": "a", "polygon": [[0, -1], [0, 1]] })");
    merging.insert(merging.find("\"cracks\""), R"("merges_with": ["bar2"], )");
    has(merging, "bodies[0].cracks: what becomes one with others cannot have cracks");
    std::string text = sliced(solvers[0]);
    text.insert(text.find("\"polygon\""), "\"bodies\": [\"blok\"], ");
    has(text, "blades[0].bodies[0]: there is no solid named \"blok\"");
    text = sliced(solvers[0]);
    text.replace(text.find("[0.003, 0.2, 0.4]"), 17, "[0.003, 0.2, 1e9]");
    const std::string error = build_error(text);
    EXPECT_NE(error.find("blades[0].polygon: a blade is more than 10000 half spacings long"),
              std::string::npos)
        << error;
}

} // namespace
} // namespace phyxel::crack_test
