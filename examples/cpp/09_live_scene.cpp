// SPDX-License-Identifier: MIT
// 09_live_scene: a scene is touched while it runs, written down, and run again.    Builds on: 08_jelly.
// Run:     example_09_live_scene     Expect: the same state both times, to the last bit.
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/live_scene.h>

#include <cstdio>

using namespace phyxel;
World<3>& world_of(BuiltScene& built) { return *std::get<std::unique_ptr<World<3>>>(built.world); }

std::uint64_t state_at(World<3>& world, std::uint64_t frame)
{
    while (world.frame() < frame && world.advance_frame()) {}
    return world.state_hash();
}

int main()
{
    const Scene scene =
        Scene::parse(R"({ "spacing": "3 cm", "domain": { "min": [-1, -1, 0], "max": [1, 1, 1] },
        "bodies": [ { "name": "cube", "type": "solid", "material": "jelly", "skin": { "detail": 0 },
                      "shape": { "box": { "min": [0, 0, 0.1], "max": [0.2, 0.2, 0.3] } } } ] })",
                     "cube", ".", standard_kinds());
    LiveScene live(scene);
    (void)state_at(world_of(live.built()), 5);
    live.set({{"bodies.cube.material.youngs_modulus", Node("60 kPa")}});
    Node ball = live.body("cube"); // another body of the same kind
    ball.set("name", "ball");
    ball.set("shape",
             parse_document(R"({ "sphere": { "center": [0.1, 0.1, 0.6], "radius": 0.1 } })", "ball"));
    live.add_body(ball);
    const std::uint64_t touched = state_at(world_of(live.built()), 20);

    BuiltScene again =
        build_scene(Scene::parse(to_text(live.recorded(".")), "sitting", ".", standard_kinds()));
    const bool is_same = state_at(world_of(again), 20) == touched;
    std::printf("%zu phyxels, %s\n", world_of(again).particle_count(),
                is_same ? "the same bits" : "other bits");
    return is_same ? 0 : 1;
}
