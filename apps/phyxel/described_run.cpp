// SPDX-License-Identifier: MIT
#include "described_run.h"

#include "console.h"

#include <phyxel/core/error.h>
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/manifest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// Where the obstacle is at a time.
TriangleMesh placed(TriangleMesh mesh, const Pose<3>& pose)
{
    for (Vec<3>& x : mesh.vertices) x = pose.apply(x);
    return mesh;
}

Pose<3> in_space(const Pose<3>& pose) { return pose; }

Pose<3> in_space(const Pose<2>& pose)
{
    Pose<3> result;
    result.rotation.topLeftCorner<2, 2>() = pose.rotation;
    result.translation.head<2>() = pose.translation;
    return result;
}

/// Obstacles of a resolved scene that pictures leave out, by name.
std::set<std::string, std::less<>> hidden_obstacles(const Node& resolved)
{
    std::set<std::string, std::less<>> hidden;
    for (const Node& obstacle : resolved.find("obstacles")->items())
        if (!obstacle.find("visible")->boolean()) hidden.emplace(obstacle.find("name")->text());
    return hidden;
}

template <int Dim>
RunSurroundings surroundings_of(const World<Dim>& world, const Node& resolved)
{
    const Node* given = resolved.find("spacing");
    const double spacing = given != nullptr ? given->number() : 0.0;
    const auto hidden = hidden_obstacles(resolved);
    RunSurroundings surroundings;
    surroundings.dimension = Dim;
    surroundings.particle_radius = 0.5 * spacing;
    const Domain<Dim>& domain = world.surroundings().domain;
    if (domain.bounded) {
        Box<3> box{Vec<3>::Zero(), Vec<3>::Zero()};
        box.min.head<Dim>() = domain.box.min;
        box.max.head<Dim>() = domain.box.max;
        surroundings.domain = box;
    }
    struct Drawn {
        TriangleMesh mesh;
        std::vector<ObstacleSpan<Dim>> course;
    };
    std::vector<Drawn> obstacles;
    std::vector<Drawn> containers;
    for (std::size_t k = 0; k < world.obstacles().size(); ++k) {
        const MovingObstacle<Dim>& obstacle = world.obstacles()[k];
        if (hidden.contains(obstacle.name)) continue;
        const std::vector<ObstacleSpan<Dim>> course(world.course(k).begin(), world.course(k).end());
        if constexpr (Dim == 3)
            if (obstacle.cavity)
                containers.push_back({shape_mesh(*obstacle.cavity), course});
            else
                obstacles.push_back({shape_mesh(obstacle.shape), course});
        else
            obstacles.push_back({shape_mesh(obstacle.shape, spacing), course});
    }
    const auto placed_at = [](std::vector<Drawn> things) {
        return [things = std::move(things)](double time) {
            std::vector<TriangleMesh> meshes;
            for (const Drawn& thing : things)
                if (const ObstacleSpan<Dim>& span = span_at<Dim>(thing.course, time); span.is_there)
                    meshes.push_back(placed(thing.mesh, in_space(span.motion.pose(time))));
            return meshes;
        };
    };
    surroundings.obstacles = placed_at(std::move(obstacles));
    surroundings.containers = placed_at(std::move(containers));
    return surroundings;
}

/// The skins of solids take the longest to make, and who draws a run finds them in its frames.
std::vector<std::string> without_skins(const Node& scene)
{
    std::vector<std::string> assignments;
    const Node* bodies = scene.find("bodies");
    for (std::size_t i = 0; bodies != nullptr && bodies->is_list() && i < bodies->items().size(); ++i)
        if (const Node& body = bodies->items()[i]; body.is_object() && body.find("skin") != nullptr)
            assignments.push_back("bodies[" + std::to_string(i) + "].skin.detail=0");
    return assignments;
}

} // namespace

BuiltScene build_run(const fs::path& run)
{
    return build_scene(scene_of_run(read_manifest(run), run, standard_kinds()));
}

DescribedRun describe_run(const fs::path& run)
{
    DescribedRun described;
    described.units = standard_kinds().field_units();
    try {
        const Manifest manifest = read_manifest(run);
        described.units = field_units(manifest, standard_kinds());
        const Scene parsed = scene_of_run(manifest, run, standard_kinds(), without_skins(manifest.scene));
        // What needs no file is known even if one is gone.
        described.render = parsed.render();
        const BuiltScene built = build_scene(parsed);
        std::visit(
            [&](const auto& world) {
                described.frame_rate = world->clock().frame_rate;
                described.surroundings = surroundings_of(*world, built.resolved);
                described.surroundings.frame_time = 1.0 / world->clock().frame_rate;
                // Bodies with a spacing of their own are drawn as large as their first frame says.
                for (const Node& body : built.resolved.find("bodies")->items())
                    if (body.find("spacing") != nullptr) described.surroundings.particle_radius = 0.0;
            },
            built.world);
    } catch (const InputError& error) {
        warn(std::string(error.what()) + "; drawn without domain and obstacles");
    }
    return described;
}

} // namespace phyxel::command
