// SPDX-License-Identifier: MIT
// Fuzz target for scenes: what is refused has a place, and what is accepted resolves to a scene that reads as
// the same scene; and the first line as an argument of --set. No worlds are built.

#include <phyxel/core/error.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>
#include <phyxel/scene/scene_error.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace phyxel {
namespace {

void require(bool holds)
{
    if (!holds) __builtin_trap();
}

void check_scene(std::string_view text)
{
    try {
        const Scene scene = Scene::parse(text, "input", "nowhere", standard_kinds());
        require(scene.dimension() == 2 || scene.dimension() == 3);
        const std::string resolved = to_text(scene.resolved());
        const Scene again = Scene::parse(resolved, "resolved", "nowhere", standard_kinds());
        require(again.dimension() == scene.dimension());
        require(to_text(again.resolved()) == resolved);
    } catch (const SceneError& error) {
        require(!error.problems().empty());
        for (const Problem& problem : error.problems()) {
            require(!problem.what.empty() && *problem.place.source == "input");
            require(problem.place.line >= 1 && problem.place.column >= 1);
        }
    }
}

/// The first line as what --set is given, for a scene with everything in it.
void check_assignment(const std::string& assignment)
{
    constexpr std::string_view text = R"({
        "domain": { "min": [0, 0, 0], "max": [1, 1, 1] },
        "bodies": [ { "name": "a", "type": "fluid", "shape": { "sphere": { "center": [0, 0, 0], "radius": 1 } },
                      "material": "water" } ],
        "obstacles": [ { "name": "b", "shape": { "mesh": "c.ply", "size": 1 }, "motion": { "move": [0, 0, "= t"] } } ],
        "events": [ { "time": 1, "set": { "gravity": [0, 0, 0] } } ],
        "probes": [ { "name": "p", "body": "a", "field": "energy" } ] })";
    try {
        const Scene scene = Scene::parse(text, "input", "nowhere", standard_kinds(), {&assignment, 1});
        const std::string resolved = to_text(scene.resolved());
        require(to_text(Scene::parse(resolved, "resolved", "nowhere", standard_kinds()).resolved()) ==
                resolved);
    } catch (const InputError&) {
    }
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    phyxel::check_scene(text);
    phyxel::check_assignment(std::string(text.substr(0, text.find('\n'))));
    return 0;
}
