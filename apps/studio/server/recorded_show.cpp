// SPDX-License-Identifier: MIT
#include "recorded_show.h"

#include "scene_files.h"
#include "studio_machine.h"
#include "world_text.h"

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>

#include <algorithm>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

/// The fields that colours can be made from.
std::vector<std::string> fields_of(const std::vector<Snapshot>& snapshots)
{
    std::vector<std::string> names;
    for (const Snapshot& snapshot : snapshots)
        for (const Field& field : snapshot.fields)
            if (field.name != "id" && std::find(names.begin(), names.end(), field.name) == names.end())
                names.push_back(field.name);
    return names;
}

} // namespace

RecordedShow::RecordedShow(fs::path run, const std::vector<fs::path>& roots)
    : run_(std::move(run)),
      frames_(run_),
      ahead_(frames_)
{
    read_manifest(roots);
    describe();
}

void RecordedShow::read_manifest(const std::vector<fs::path>& roots)
{
    const fs::path file = run_ / "manifest.json";
    try {
        const Node manifest = read_document(file, max_resolved_nesting);
        const Node* scene = manifest.is_object() ? manifest.find("scene") : nullptr;
        if (scene == nullptr) throw InputError(file.string() + ": has no scene");
        scene_text_ = to_text(*scene) + "\n";
        const Node* folder = manifest.find("scene_folder");
        const fs::path files = folder != nullptr && folder->is_text() ? run_ / folder->text() : run_;
        const Scene parsed = Scene::parse(scene_text_, file.string(), files);
        check_scene_files(parsed, files, roots);
        built_ = build_scene(parsed, studio_machine());
        description_ = describe_world(parsed, *built_);
    } catch (const InputError& error) {
        built_.reset();
        warnings_.push_back(std::string(error.what()) + "; shown without domain and obstacles");
    }
}

void RecordedShow::describe()
{
    if (!built_)
        description_ = Node::object({{"dimension", 3},
                                     {"frame_rate", frame_rate_},
                                     {"spacing", 0},
                                     {"domain", Node()},
                                     {"obstacles", Node::list()},
                                     {"up", Node::list({0, 0, 1})},
                                     {"camera", Node()}});
    frame_rate_ = description_.find("frame_rate")->number();
    description_.set("kind", "recorded");
    description_.set("duration", static_cast<double>(last_frame()) / frame_rate_);
    description_.set("last_frame", last_frame());
    // The files say what can be shown; the scene knows more of some of them.
    Node bodies = Node::list();
    for (const std::string& name : frames_.bodies()) {
        Node body =
            Node::object({{"name", name}, {"type", "fluid"}, {"spacing", *description_.find("spacing")}});
        if (built_)
            for (const Node& known : description_.find("bodies")->items())
                if (*known.find("name") == Node(name)) body = known;
        bodies.items().push_back(std::move(body));
    }
    description_.set("bodies", std::move(bodies));
    description_.set("fields", fields_node(fields_of(*ahead_.get(0, true))));
    description_.set("parameters", Node::list());
    description_.set("hands", Node::list());
    description_.set("warnings", texts_node(warnings_));
}

bool RecordedShow::advance(const std::function<bool()>&)
{
    if (position_ + 1 >= frames_.numbers().size()) return false;
    ++position_;
    return true;
}

std::vector<Snapshot> RecordedShow::snapshots(const Wishes& wishes)
{
    std::vector<Snapshot> snapshots = *ahead_.get(position_, wishes.surfaces);
    particles_ = 0;
    for (const Snapshot& snapshot : snapshots) particles_ += snapshot.points.size();
    return snapshots;
}

Node RecordedShow::state()
{
    Node node = Node::object({{"steps", 0}, {"particles", particles_}, {"compression", 0}});
    node.set("energies", Node::list());
    node.set("obstacles", built_ ? obstacle_poses(*built_, time()) : Node::list());
    node.set("hands", Node::list());
    return node;
}

Node RecordedShow::picked(const PickedParticle& particle)
{
    Node node = Node::object({{"position", list_node(particle.body->points[particle.index])}});
    Node fields = Node::object();
    for (const Field& field : particle.body->fields) {
        if (field.name == "id") continue;
        const auto components = static_cast<std::size_t>(field.components);
        std::vector<double> values(components);
        std::visit(
            [&](const auto& all) {
                for (std::size_t k = 0; k < components; ++k)
                    values[k] = static_cast<double>(all[components * particle.index + k]);
            },
            field.values);
        fields.set(field.name, number_or_list(values));
    }
    node.set("fields", std::move(fields));
    return node;
}

void RecordedShow::seek(std::uint64_t frame)
{
    // The frame itself, or the last one before it that there is.
    const auto& numbers = frames_.numbers();
    const auto after = std::upper_bound(numbers.begin(), numbers.end(), frame);
    position_ = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - numbers.begin() - 1, 0));
}

void RecordedShow::refuse() { throw InputError("a recorded run cannot be changed; open its scene instead"); }

} // namespace phyxel::studio
