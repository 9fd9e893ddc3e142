// SPDX-License-Identifier: MIT
#include "run_fluids.h"

#include <phyxel/core/error.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/manifest.h>

namespace phyxel::command {

namespace fs = std::filesystem;

std::map<std::string, double> spacings_of_fluids(const fs::path& run)
{
    const fs::path file = run / manifest_name;
    const Node scene = read_manifest(run).scene;
    const auto member = [&](const Node& object, const char* key) -> const Node& {
        const Node* found = object.is_object() ? object.find(key) : nullptr;
        if (found == nullptr) throw InputError(file.string() + ": has no \"" + key + "\"");
        return *found;
    };
    const auto number = [&](const Node& node, const char* key) {
        if (!node.is_number()) throw InputError(file.string() + ": \"" + key + "\" is not a number");
        return node.number();
    };
    if (number(member(scene, "dimension"), "dimension") != 3)
        throw InputError(run.string() + ": is a run in the plane, and a fluid in the plane has no surface");
    const Node& bodies = member(scene, "bodies");
    if (!bodies.is_list()) throw InputError(file.string() + ": \"bodies\" is not a list");

    const Kinds kinds = standard_kinds();
    std::map<std::string, double> spacings;
    for (const Node& body : bodies.items()) {
        const Node& type = member(body, "type");
        const Node& name = member(body, "name");
        const KindOf<3>* kind = type.is_text() ? kinds.find<3>(type.text()) : nullptr;
        if (kind == nullptr || !name.is_text() || !kind->can.be_meshed) continue;
        const Node* own = body.find("spacing");
        spacings[name.text()] =
            number(own != nullptr && own->is_number() ? *own : member(scene, "spacing"), "spacing");
    }
    if (spacings.empty()) throw InputError(run.string() + ": there is no fluid in this run");
    return spacings;
}

std::vector<Vec<3>> vectors_of(const Snapshot& snapshot, std::string_view name)
{
    const Field* field = snapshot.find(name);
    if (field == nullptr || field->components != 3) return {};
    return phyxel::vectors_of(*field);
}

} // namespace phyxel::command
