// SPDX-License-Identifier: MIT
// Coats of solids, in scenes.
#include "scene/scene_support.h"

#include <phyxel/core/buffer.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/marching_cubes.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::coat_test {
namespace {

/// A ball that both ends are torn off.
std::string torn(const std::string& material, const std::string& skin)
{
    return R"({ "duration": 1, "frame_rate": 25, "spacing": "2 cm", "gravity": [0, 0, 0],
      "bodies": [ { "name": "ball", "type": "solid", "shape": { "sphere": { "center": [0, 0, 0], "radius": 0.08 } },
          "material": { "density": 1000, "youngs_modulus": "50 kPa", "poisson_ratio": 0.4, "damping": "5 1/s")" +
           material + "}" + skin + R"(,
          "regions": [
            { "name": "a", "shape": { "box": { "min": [-0.1, -0.1, -0.1], "max": [-0.05, 0.1, 0.1] } },
              "motion": { "move": ["= -0.3*t", 0, 0] } },
            { "name": "b", "shape": { "box": { "min": [0.05, -0.1, -0.1], "max": [0.1, 0.1, 0.1] } },
              "motion": { "move": ["= 0.3*t", 0, 0] } } ] } ] })";
}

SurfaceMesh surface_of(World<3>& world) { return *world.snapshots({}).front().surface; }

TEST(CoatScene, what_flows_has_a_coat_and_what_does_not_has_none_unless_it_is_asked_for)
{
    const auto has_coat = [](const std::string& text) {
        BuiltScene built = build(text);
        return surface_of(*std::get<std::unique_ptr<World<3>>>(built.world)).triangles.empty();
    };
    EXPECT_FALSE(has_coat(torn("", "")));
    EXPECT_TRUE(has_coat(torn("", R"(, "skin": { "method": "coat" })")));
    EXPECT_TRUE(has_coat(torn(R"(, "flows": true)", "")));
    EXPECT_FALSE(has_coat(torn(R"(, "flows": true)", R"(, "skin": { "method": "first_order" })")));
}

void advance_to(World<3>& world, std::uint64_t frame)
{
    while (world.frame() < frame && world.advance_frame()) {}
}

CheckpointReader saved(const World<3>& world)
{
    CheckpointWriter checkpoint;
    world.save(checkpoint);
    const std::vector<std::byte> bytes = checkpoint.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    return CheckpointReader(std::move(content), "memory");
}

void expect_same(World<3>& one, World<3>& other)
{
    EXPECT_EQ(one.state_hash(), other.state_hash());
    const SurfaceMesh a = surface_of(one), b = surface_of(other);
    EXPECT_EQ(a.triangles, b.triangles);
    EXPECT_EQ(a.vertices, b.vertices);
    EXPECT_GT(a.vertices.size(), 100u);
    ASSERT_EQ(a.fields.size(), b.fields.size());
    for (std::size_t k = 0; k < a.fields.size(); ++k)
        EXPECT_EQ(a.fields[k].values, b.fields[k].values) << a.fields[k].name;
}

World<3>& world_of(BuiltScene& built) { return *std::get<std::unique_ptr<World<3>>>(built.world); }

TEST(CoatScene, has_the_same_bits_after_a_restart_and_does_not_pop)
{
    const std::string text = torn(R"(, "flows": true, "yield_stress": "500 Pa")", "");
    BuiltScene built = build(text), again = build(text);
    World<3>&whole = world_of(built), &resumed = world_of(again);
    const auto advance = [](World<3>& world, std::uint64_t frame) {
        while (world.frame() < frame && world.advance_frame())
            EXPECT_LE(world.report().statistics.surface_pop, 0.1 + 1e-9) << world.frame();
    };
    advance(whole, 6);
    resumed.load(saved(whole));
    advance(whole, 10);
    advance(resumed, 10);
    ASSERT_FALSE(whole.failure());
    expect_same(whole, resumed);
}

/// The ball flows from just before the second frame on.
std::string melted(const std::string& skin)
{
    std::string text = torn("", skin);
    // Pressed, so that nothing tears.
    text.replace(text.find("-0.3*t"), 6, "0.1*t");
    text.replace(text.find("0.3*t"), 5, "-0.1*t");
    text.insert(text.rfind('}'),
                R"(, "events": [ { "time": "0.0799 s", "set": { "bodies.ball.material.flows": true,
      "bodies.ball.material.yield_stress": "20 kPa" } } ])");
    return text;
}

TEST(CoatScene, begins_where_the_skin_is_when_an_event_lets_the_body_flow)
{
    BuiltScene built = build(melted("")), carried = build(melted(R"(, "skin": { "method": "first_order" })"));
    World<3>&world = world_of(built), &other = world_of(carried);
    for (World<3>* one : {&world, &other}) advance_to(*one, 1);
    EXPECT_FALSE(surface_of(world).triangles.empty());
    EXPECT_EQ(surface_of(world).vertices, surface_of(other).vertices);
    for (World<3>* one : {&world, &other}) advance_to(*one, 2);
    ASSERT_FALSE(world.failure());
    const SurfaceMesh coat = surface_of(world), skin = surface_of(other);
    EXPECT_TRUE(coat.triangles.empty());
    EXPECT_FALSE(skin.triangles.empty());
    // The body does not notice.
    const auto places = world.body(0).particles().positions, others = other.body(0).particles().positions;
    EXPECT_TRUE(std::equal(places.begin(), places.end(), others.begin(), others.end()));
    // Across the surface, which what is added between the first surfels rounds by 0.07 of a radius.
    const double radius = 0.16 / 32.0;
    const auto normals = std::find_if(skin.fields.begin(), skin.fields.end(),
                                      [](const Field& field) { return field.name == "normal"; });
    ASSERT_NE(normals, skin.fields.end());
    const std::vector<Vec<3>> outwards = vectors_of(*normals);
    double farthest = 0.0;
    for (const Vec<3>& x : coat.vertices) {
        const auto nearest = std::min_element(
            skin.vertices.begin(), skin.vertices.end(),
            [&](const Vec<3>& a, const Vec<3>& b) { return (a - x).squaredNorm() < (b - x).squaredNorm(); });
        const Vec<3>& normal = outwards[static_cast<std::size_t>(nearest - skin.vertices.begin())];
        farthest = std::max(farthest, std::abs(normal.dot(x - *nearest)));
    }
    EXPECT_LT(farthest, 0.12 * radius);
}

TEST(CoatScene, that_begins_in_the_middle_of_a_run_is_saved)
{
    BuiltScene built = build(melted("")), first = build(melted("")), second = build(melted(""));
    World<3>&whole = world_of(built), &early = world_of(first), &late = world_of(second);
    advance_to(whole, 1);
    early.load(saved(whole));
    EXPECT_FALSE(surface_of(early).triangles.empty());
    advance_to(whole, 3);
    late.load(saved(whole));
    EXPECT_TRUE(surface_of(late).triangles.empty());
    expect_same(whole, late);
    for (World<3>* world : {&whole, &early, &late}) advance_to(*world, 4);
    expect_same(whole, early);
    expect_same(whole, late);
}

TEST(CoatScene, begins_by_hand_and_what_was_done_is_a_scene_with_the_same_bits)
{
    LiveScene live(parse(torn("", "")), large_machine());
    World<3>& world = world_of(live.built());
    advance_to(world, 1);
    EXPECT_FALSE(surface_of(world).triangles.empty());
    live.set({{"bodies.ball.material.flows", Node(true)}});
    advance_to(world, 3);
    EXPECT_TRUE(surface_of(world).triangles.empty());
    BuiltScene replay = build(to_text(live.recorded(".")));
    advance_to(world_of(replay), 3);
    expect_same(world, world_of(replay));
}

/// Two balls of a liquid that run into each other.
std::string met(const std::string& left_names, const std::string& right_names)
{
    const auto ball = [](const std::string& name, const std::string& side, const std::string& speed,
                         const std::string& partner) {
        return R"({ "name": ")" + name + R"(", "type": "solid", "velocity": [)" + speed +
               R"(, 0, 0], "merges_with": [)" + partner + R"(], "shape": { "sphere": { "center": [)" + side +
               R"(, 0, 0], "radius": 0.06 } },
          "material": { "density": 1000, "youngs_modulus": "20 kPa", "poisson_ratio": 0.4, "viscosity": 5, "flows": true } })";
    };
    return R"({ "duration": 1, "frame_rate": 25, "spacing": "2 cm", "gravity": [0, 0, 0], "bodies": [ )" +
           ball("left", "-0.075", "0.5", left_names) + ", " + ball("right", "0.075", "-0.5", right_names) +
           " ] }";
}

SurfaceMesh surface_of(World<3>& world, std::size_t body) { return *world.snapshots({}).at(body).surface; }

/// The phyxels of both bodies, and all surfels with their normals.
struct Together {
    std::vector<Vec<3>> phyxels, surfels, normals;
    double spacing;
    BlinnField field;

    explicit Together(World<3>& world)
    {
        for (const Snapshot& body : world.snapshots({})) {
            phyxels.insert(phyxels.end(), body.points.begin(), body.points.end());
            const SurfaceMesh& surface = body.surface.value();
            surfels.insert(surfels.end(), surface.vertices.begin(), surface.vertices.end());
            for (const Field& field_of : surface.fields)
                if (field_of.name == "normal") {
                    const std::vector<Vec<3>> more = vectors_of(field_of);
                    normals.insert(normals.end(), more.begin(), more.end());
                }
        }
        spacing = std::cbrt(2.0 * 4.0 / 3.0 * std::numbers::pi * std::pow(0.06, 3) /
                            static_cast<double>(phyxels.size()));
        field = BlinnField(phyxels, blinn_shape(spacing, -0.5));
    }

    /// Surfels that lie in the body and face it.
    std::size_t inner() const
    {
        std::size_t count = 0;
        for (std::size_t i = 0; i < surfels.size(); ++i) {
            const auto value = [&](double out) {
                return field.sample(surfels[i] + out * spacing * normals[i]).value;
            };
            count += value(0.0) > 1.1 && value(0.25) > 1.0 && value(0.5) > 1.0 ? 1 : 0;
        }
        return count;
    }

    /// The farthest that a place of the implicit coat is from a surfel [m].
    double largest_hole() const
    {
        const KdTree<3> tree(surfels);
        const TriangleMesh mesh = marching_cubes(field.sampled(0.5 * spacing), blinn_level).mesh;
        double largest = 0.0;
        for (const Neighbor<>& nearest : tree.nearest(mesh.vertices, 1).items)
            largest = std::max(largest, nearest.distance);
        return largest;
    }
};

TEST(CoatScene, bodies_that_have_become_one_have_one_surface)
{
    const std::string one = met(R"("right")", R"("left")");
    BuiltScene fused = build(one), again = build(one), apart = build(met("", ""));
    World<3>&world = world_of(fused), &resumed = world_of(again), &other = world_of(apart);
    advance_to(world, 5);
    resumed.load(saved(world));
    for (World<3>* each : {&world, &resumed}) advance_to(*each, 18);
    advance_to(other, 5);
    ASSERT_FALSE(world.failure());
    expect_same(world, resumed);
    const Together both(world);
    EXPECT_EQ(both.inner(), 0u);
    EXPECT_GT(Together(other).inner(), 100u);
    EXPECT_LT(both.largest_hole(), 2.0 * 0.12 / 32.0);
    for (const std::size_t body : {0u, 1u}) EXPECT_GT(surface_of(world, body).vertices.size(), 300u);
    for (World<3>* each : {&world, &resumed})
        while (each->frame() < 20 && each->advance_frame())
            EXPECT_LE(each->report().statistics.surface_pop, 0.1 + 1e-9) << each->frame();
    expect_same(world, resumed);
}

} // namespace
} // namespace phyxel::coat_test
