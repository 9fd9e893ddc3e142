// SPDX-License-Identifier: MIT
#include "recorded_show.h"

#include "made_surfaces.h"
#include "run_scene.h"
#include "scene_files.h"
#include "studio_machine.h"
#include "world_text.h"

#include <phyxel/core/error.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/io/csv.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>
#include <phyxel/world/world.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <system_error>
#include <utility>
#include <variant>

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

bool has_made_surfaces(const std::vector<Snapshot>& snapshots, const Node& description)
{
    const std::map<std::string, double> made = spacings_of_made_surfaces(description);
    return std::any_of(snapshots.begin(), snapshots.end(), [&](const Snapshot& snapshot) {
        return snapshot.surface && made.contains(snapshot.body);
    });
}

} // namespace

RecordedShow::RecordedShow(fs::path run, const std::vector<fs::path>& roots)
    : run_(std::move(run)),
      frames_(run_),
      ahead_(frames_)
{
    read_manifest(roots);
    read_statistics();
    describe();
}

void RecordedShow::read_manifest(const std::vector<fs::path>& roots)
{
    units_ = standard_kinds().field_units();
    try {
        const RunScene scene = read_run_scene(run_);
        scene_text_ = scene.text;
        units_ = scene.units;
        const Scene parsed =
            Scene::parse(scene.text, (run_ / "manifest.json").string(), scene.folder, standard_kinds());
        check_scene_files(parsed, scene.folder, roots);
        built_ = build_scene(parsed, studio_machine());
        description_ = describe_world(parsed, *built_);
        can_go_on_ = !find_checkpoints(run_ / "checkpoints").empty();
    } catch (const InputError& error) {
        built_.reset();
        warnings_.push_back(std::string(error.what()) + "; shown without domain and obstacles");
    }
}

/// A run can be watched without them.
void RecordedShow::read_statistics()
{
    const fs::path file = run_ / "stats.csv";
    std::error_code error;
    if (!fs::exists(file, error)) return;
    try {
        const NumberTable table = read_number_table(file);
        const auto column = [&](const char* name) {
            const std::vector<double>* values = table.find(name);
            if (values == nullptr) throw InputError(file.string() + ": has no column \"" + name + '"');
            return *values;
        };
        const std::vector<double> frames = column("frame"), steps = column("steps"),
                                  kinetic = column("kinetic_energy"), potential = column("potential_energy"),
                                  internal = column("internal_energy"),
                                  error_mean = column("density_error_mean");
        double all_steps = 0.0;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            if (!(frames[i] >= 0.0 && frames[i] < 1e15)) continue;
            all_steps += steps[i];
            statistics_[static_cast<std::uint64_t>(frames[i])] = {all_steps, kinetic[i], potential[i],
                                                                  internal[i], error_mean[i]};
        }
    } catch (const InputError& problem) {
        warnings_.push_back(std::string(problem.what()) + "; shown without energies");
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
    description_.set("can_go_on", can_go_on_);
    description_.set("duration", static_cast<double>(last_frame()) / frame_rate_);
    description_.set("last_frame", last_frame());
    // The files say what can be shown; the scene knows more of some of them.
    Node bodies = Node::list();
    for (const std::string& name : frames_.bodies()) {
        // What is no body of the scene, such as foam, is particles and nothing else.
        Node body = body_node(name, "", 3, description_.find("spacing")->number());
        if (built_)
            for (const Node& known : description_.find("bodies")->items())
                if (*known.find("name") == Node(name)) body = known;
        body.set("can", Node::list()); // nobody touches what was recorded
        bodies.items().push_back(std::move(body));
    }
    description_.set("bodies", std::move(bodies));
    const auto first = ahead_.get(0, true);
    description_.set("fields", fields_node(fields_of(*first), units_));
    description_.set("has_made_surfaces", has_made_surfaces(*first, description_));
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
    has_surfaces_ = wishes.surfaces || wishes.made_surfaces;
    std::vector<Snapshot> snapshots = *ahead_.get(position_, has_surfaces_);
    particles_ = 0;
    for (const Snapshot& snapshot : snapshots) particles_ += snapshot.points.size();
    return snapshots;
}

Node RecordedShow::state()
{
    const auto found = statistics_.find(frame());
    const Statistics now = found != statistics_.end() ? found->second : Statistics{};
    const auto finite = [](double value) { return std::isfinite(value) ? Node(value) : Node(); };
    Node node = Node::object(
        {{"steps", finite(now.steps)}, {"particles", particles_}, {"compression", finite(now.compression)}});
    Node energies = Node::list();
    if (found != statistics_.end())
        energies.items().push_back(Node::object({{"body", "all"},
                                                 {"kinetic", finite(now.kinetic)},
                                                 {"potential", finite(now.potential)},
                                                 {"internal", finite(now.internal)}}));
    node.set("energies", std::move(energies));
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
    if (built_) add_neighbors(particle, node);
    return node;
}

/// Some have the same at all times, those of others are who is near.
void RecordedShow::add_neighbors(const PickedParticle& particle, Node& node)
{
    std::vector<std::uint64_t> neighbors;
    double support = 0.0;
    std::visit(
        [&]<int Dim>(const std::unique_ptr<World<Dim>>& world) {
            for (std::size_t k = 0; k < world->body_count(); ++k) {
                const std::vector<std::string> parts = world->body(k).parts();
                const auto part = std::find(parts.begin(), parts.end(), particle.body->body);
                if (part == parts.end()) continue;
                const ParticleView<Dim> view = world->body(k).particles();
                if (view.neighbors != nullptr) {
                    const auto close_up = close_up_of(world->body(k), particle.id, world->surroundings());
                    if (!close_up) continue; // it came later
                    neighbors = close_up->neighbors;
                    support = close_up->support_radius;
                    continue;
                }
                const auto support_of = [&](const std::string& name) {
                    const auto number =
                        static_cast<std::size_t>(std::find(parts.begin(), parts.end(), name) - parts.begin());
                    return number < view.reach.size() ? view.reach[number] : 0.0;
                };
                support = support_of(particle.body->body);
                const PeriodicBox<Dim> box = world->surroundings().domain.periodic_box();
                const Vec<Dim> x = particle.body->points[particle.index].template head<Dim>();
                for (const Snapshot& other : *ahead_.get(position_, has_surfaces_)) {
                    const Field* ids = other.find("id");
                    const auto* values =
                        ids != nullptr ? std::get_if<std::vector<std::uint64_t>>(&ids->values) : nullptr;
                    if (values == nullptr || std::find(parts.begin(), parts.end(), other.body) == parts.end())
                        continue;
                    const double reach = std::max(support, support_of(other.body));
                    for (std::size_t i = 0; i < other.points.size(); ++i)
                        if ((*values)[i] != particle.id &&
                            box.difference(x, Vec<Dim>(other.points[i].template head<Dim>())).norm() < reach)
                            neighbors.push_back((*values)[i]);
                }
                std::sort(neighbors.begin(), neighbors.end());
            }
        },
        built_->world);
    if (!(support > 0.0)) return;
    Node list = Node::list();
    for (const std::uint64_t id : neighbors) list.items().emplace_back(static_cast<std::uint32_t>(id));
    node.set("neighbors", std::move(list));
    node.set("support", support);
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
