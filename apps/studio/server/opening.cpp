// SPDX-License-Identifier: MIT
#include "opening.h"

#include "live_show.h"
#include "recorded_show.h"
#include "run_scene.h"
#include "scene_files.h"

#include <phyxel/core/work_budget.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/io/file.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene.h>

#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file)
{
    const Buffer<std::byte> bytes = read_file(file, max_document_size);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// The surfaces of solids take the longest to make, and tell nothing of how fast a scene is.
std::vector<std::string> without_skins(const Scene& scene)
{
    std::vector<std::string> assignments;
    const auto& bodies = scene.resolved().find("bodies")->items();
    for (std::size_t i = 0; i < bodies.size(); ++i)
        if (bodies[i].find("skin") != nullptr)
            assignments.push_back("bodies[" + std::to_string(i) + "].skin.detail=0");
    return assignments;
}

} // namespace

void read_text(OpenRequest& request)
{
    if (!request.checkpoint.empty()) {
        request.text = scene_of(CheckpointReader(request.checkpoint));
        request.folder = request.checkpoint.parent_path();
    }
    if (!request.path.empty() && !request.is_run) {
        request.text = text_of(request.path);
        request.folder = request.path.parent_path();
    }
}

std::unique_ptr<Show> make_show(OpenRequest& request, const std::vector<fs::path>& roots,
                                const std::stop_token& stop)
{
    if (request.is_run) {
        auto recorded = std::make_unique<RecordedShow>(request.path, roots);
        request.text = recorded->scene_text();
        return recorded;
    }
    const std::string place = request.path.empty() ? request.name : request.path.filename().string();
    const auto open_with = [&](const std::vector<std::string>& assignments) {
        const Scene scene = Scene::parse(request.text, place.empty() ? "scene" : place, request.folder,
                                         standard_kinds(), assignments);
        check_scene_files(scene, request.folder, roots);
        return stop.stop_requested() ? nullptr
                                     : std::make_unique<LiveShow>(scene, request.folder, WorkBudget(stop));
    };
    // Examples are made for runs of two minutes, not to be pushed around while they are computed.
    std::string coarser;
    if (std::exchange(request.may_be_coarser, false)) {
        const auto draft =
            open_with(without_skins(Scene::parse(request.text, place, request.folder, standard_kinds())));
        if (!draft) return nullptr;
        if (const auto count = draft->livelier_count()) {
            request.assignments.push_back("count=" + std::to_string(*count));
            coarser = "about " + std::to_string(*count) + " particles instead of " +
                      std::to_string(draft->particle_count()) +
                      ", so that it moves; \"Finer\" makes more of them";
        }
    }
    auto live = open_with(request.assignments);
    if (!live) return nullptr;
    if (!coarser.empty()) live->replace_warnings(coarser);
    if (!request.checkpoint.empty()) live->load(CheckpointReader(request.checkpoint));
    return live;
}

} // namespace phyxel::studio
