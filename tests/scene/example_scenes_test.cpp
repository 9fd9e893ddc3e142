// SPDX-License-Identifier: MIT
// All examples under the sanitizers. Without them the test of the states runs each of them with the command.
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include "drawn_bodies.h"
#include "scene_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::example_scenes_test {
namespace {

bool is_verified_solid(const std::filesystem::path& file, const Scene& scene)
{
    return file.parent_path().filename() == "verification" &&
           value_at(scene.resolved(), Path("bodies[0].type")).text() == "solid";
}

TEST(ExampleScenes, each_runs_for_two_frames_at_low_resolution)
{
    const std::vector<std::string> coarse = {"count=300"};
    for (const std::filesystem::path& file : example_scenes()) {
        SCOPED_TRACE(file);
        // Solids of verification have regions that are as thin as their spacing, and are small as they are.
        Scene scene = Scene::read(file, standard_kinds());
        if (!is_verified_solid(file, scene)) {
            // Fine surfaces take longer to make than two frames of coarse solids.
            std::vector<std::string> changes = coarse;
            const std::size_t bodies = value_at(scene.resolved(), Path("bodies")).items().size();
            for (std::size_t i = 0; scene.dimension() == 3 && i < bodies; ++i) {
                const std::string body = "bodies[" + std::to_string(i) + "]";
                if (value_at(scene.resolved(), Path(body + ".type")).text() == "solid")
                    changes.push_back(body + ".skin.detail=16");
            }
            scene = Scene::read(file, standard_kinds(), changes);
        }
        BuiltScene built = build_scene(scene, large_machine());
        std::visit(
            [](auto& world) {
                EXPECT_GT(world->particle_count(), 0u);
                const std::uint64_t last = std::min<std::uint64_t>(2, world->clock().last_frame());
                while (world->frame() < last && !world->failure()) EXPECT_TRUE(world->advance_frame());
                if (world->failure()) ADD_FAILURE() << to_text(*world->failure());
                expect_bodies_are_seen(*world);
            },
            built.world);
    }
}

} // namespace
} // namespace phyxel::example_scenes_test
