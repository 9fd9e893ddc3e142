// SPDX-License-Identifier: MIT
#include "run_fluids.h"

#include <phyxel/core/error.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/manifest.h>

#include <cmath>

namespace phyxel::command {

namespace fs = std::filesystem;

namespace {

/// The scene of a run in space, as its manifest has it.
class RecordedScene {
public:
    /// `what` the surfaces are of, as it is said of a run that cannot have them.
    explicit RecordedScene(const fs::path& run, const std::string& what = "a fluid")
        : file_(run / manifest_name),
          scene_(read_manifest(run).scene)
    {
        if (number(member(scene_, "dimension"), "dimension") != 3)
            throw InputError(run.string() + ": is a run in the plane, and " + what +
                             " in the plane has no surface");
    }

    /// Calls visit(kind, name, body, spacing [m]) for all bodies of a known kind.
    template <class Visit>
    void for_each_body(Visit&& visit) const
    {
        const Node& bodies = member(scene_, "bodies");
        if (!bodies.is_list()) throw InputError(file_.string() + ": \"bodies\" is not a list");
        const Kinds kinds = standard_kinds();
        for (const Node& body : bodies.items()) {
            const Node& type = member(body, "type");
            const Node& name = member(body, "name");
            const KindOf<3>* kind = type.is_text() ? kinds.find<3>(type.text()) : nullptr;
            if (kind == nullptr || !name.is_text()) continue;
            const Node* own = body.find("spacing");
            visit(*kind, name.text(), body, [&] {
                return number(own != nullptr && own->is_number() ? *own : member(scene_, "spacing"),
                              "spacing");
            });
        }
    }

    double number(const Node& node, const char* key) const
    {
        if (!node.is_number()) throw InputError(file_.string() + ": \"" + key + "\" is not a number");
        return node.number();
    }

    const Node& member(const Node& object, const char* key) const
    {
        const Node* found = object.is_object() ? object.find(key) : nullptr;
        if (found == nullptr) throw InputError(file_.string() + ": has no \"" + key + "\"");
        return *found;
    }

private:
    fs::path file_;
    Node scene_;
};

} // namespace

std::map<std::string, double> spacings_of_fluids(const fs::path& run, bool may_be_none)
{
    std::map<std::string, double> spacings;
    RecordedScene(run).for_each_body(
        [&](const KindOf<3>& kind, const std::string& name, const Node&, const auto& spacing) {
            if (kind.can.be_meshed) spacings[name] = spacing();
        });
    if (spacings.empty() && !may_be_none) throw InputError(run.string() + ": there is no fluid in this run");
    return spacings;
}

std::map<std::string, double> spacings_of_bodies(const fs::path& run)
{
    std::map<std::string, double> spacings;
    RecordedScene(run, "a solid")
        .for_each_body([&](const KindOf<3>&, const std::string& name, const Node&, const auto& spacing) {
            spacings[name] = spacing();
        });
    return spacings;
}

std::map<std::string, RecordedCoat> coats_of_solids(const fs::path& run)
{
    std::map<std::string, RecordedCoat> coats;
    const RecordedScene scene(run);
    const Manifest manifest = read_manifest(run);
    const Node* volumes = manifest.derived.is_object() ? manifest.derived.find("phyxel_volumes") : nullptr;
    scene.for_each_body(
        [&](const KindOf<3>&, const std::string& name, const Node& body, const auto& spacing) {
            const Node* skin = body.find("skin");
            const Node* method = skin != nullptr && skin->is_object() ? skin->find("method") : nullptr;
            if (method == nullptr || !method->is_text()) return;
            const bool is_certain = method->text() == "coat";
            if (!is_certain && method->text() != "first_order_then_coat") return;
            RecordedCoat& coat = coats[name];
            const Node* volume = volumes != nullptr && volumes->is_object() ? volumes->find(name) : nullptr;
            const double side = volume != nullptr && volume->is_number() ? std::cbrt(volume->number()) : 0.0;
            coat = {side > 0.0 ? side : spacing(),
                    scene.number(scene.member(*skin, "blobbiness"), "blobbiness"),
                    is_certain,
                    {}};
            const Node* others = body.find("merges_with");
            if (others == nullptr || !others->is_list()) return;
            for (const Node& other : others->items())
                if (other.is_text()) coat.merges_with.push_back(other.text());
        });
    return coats;
}

std::vector<Vec<3>> vectors_of(const Snapshot& snapshot, std::string_view name)
{
    const Field* field = snapshot.find(name);
    if (field == nullptr || field->components != 3) return {};
    return phyxel::vectors_of(*field);
}

} // namespace phyxel::command
