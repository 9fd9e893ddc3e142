// SPDX-License-Identifier: MIT
#include "live_show.h"

#include "studio_machine.h"
#include "world_text.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/scene/document.h>
#include <phyxel/world/fluid_body.h>
#include <phyxel/world/solid_body.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

/// The fields that bodies of this world can show.
std::vector<std::string> fields_of(const BuiltScene& built)
{
    std::vector<std::string> fields = {"velocity"};
    const auto has = [&](const char* type) {
        const auto& bodies = built.resolved.find("bodies")->items();
        return std::any_of(bodies.begin(), bodies.end(),
                           [&](const Node& body) { return *body.find("type") == Node(type); });
    };
    if (has("fluid")) fields.insert(fields.end(), fluid_fields.begin(), fluid_fields.end());
    if (has("solid")) fields.insert(fields.end(), solid_fields.begin(), solid_fields.end());
    return fields;
}

Node bound_node(double bound) { return std::isfinite(bound) ? Node(bound) : Node(); }

Node parameter_node(const ChangeableParameter& parameter)
{
    return Node::object({{"path", parameter.path},
                         {"unit", parameter.unit},
                         {"doc", parameter.doc},
                         {"value", parameter.value},
                         {"min", bound_node(parameter.min)},
                         {"max", bound_node(parameter.max)},
                         {"min_excluded", parameter.min_excluded},
                         {"max_excluded", parameter.max_excluded},
                         {"is_whole", parameter.is_whole}});
}

template <int Dim>
Node point_node(const Vec<Dim>& x)
{
    return number_or_list(std::vector<double>(x.data(), x.data() + Dim));
}

} // namespace

LiveShow::LiveShow(const Scene& scene, fs::path folder)
    : live_(scene, studio_machine()),
      folder_(std::move(folder))
{
    hands_ = HandTable(live_.hands());
    std::visit(
        [&](const auto& world) {
            last_frame_ = world->clock().last_frame();
            frame_rate_ = world->clock().frame_rate;
        },
        live_.built().world);
    description_ = describe_world(scene, live_.built());
    description_.set("kind", "live");
    description_.set("fields", fields_node(fields_of(live_.built())));
    description_.set("warnings", texts_node(live_.built().warnings));
}

std::optional<std::uint64_t> LiveShow::livelier_count() const
{
    constexpr double slowest = 4.0;
    constexpr double fewest = 400.0; // with which a figure still looks like one
    const double duration = static_cast<double>(last_frame_) / frame_rate_;
    const Estimate& estimate = live_.built().estimate;
    double slowness = duration > 0.0 ? estimate.seconds / duration : 0.0;
    // Explicit solids take several times as long as was guessed once they touch something.
    for (const Node& body : live_.built().resolved.find("bodies")->items())
        if (const Node* solver = body.find("solver");
            solver != nullptr && *solver->find("type") == Node("leapfrog")) {
            slowness *= 4.0;
            break;
        }
    if (slowness <= slowest) return std::nullopt;
    // Steps get shorter as particles do: the cost of a second grows as count^(4/3).
    const auto particles = static_cast<double>(estimate.particles);
    const double count = std::max(fewest, particles * std::pow(slowest / slowness, 0.75));
    if (count >= 0.9 * particles) return std::nullopt;
    return static_cast<std::uint64_t>(count);
}

std::size_t LiveShow::particle_count() const
{
    return std::visit([](const auto& world) { return world->particle_count(); }, live_.built().world);
}

void LiveShow::replace_warnings(const std::string& line) { description_.set("warnings", Node::list({line})); }

Node LiveShow::description()
{
    Node node = description_;
    Node parameters = Node::list();
    for (const ChangeableParameter& parameter : live_.parameters())
        parameters.items().push_back(parameter_node(parameter));
    node.set("parameters", std::move(parameters));
    node.set("hands", hands_.state());
    return node;
}

bool LiveShow::advance(const std::function<bool()>& stop)
{
    if (failure_) return false;
    apply_hands();
    return std::visit(
        [&](auto& world) {
            const bool reached = world->advance_frame(stop);
            if (const std::optional<Failure>& failure = world->failure())
                failure_ = {to_text(*failure), failure->body, failure->time, failure->cause};
            if (reached) {
                frame_ = world->frame();
                time_ = world->time();
                hands_.settle();
            }
            return reached;
        },
        live_.built().world);
}

std::vector<Snapshot> LiveShow::snapshots(const Wishes& wishes)
{
    const std::vector<std::string> fields(wishes.fields.begin(), wishes.fields.end());
    return std::visit([&](auto& world) { return world->snapshots(fields); }, live_.built().world);
}

Node LiveShow::state()
{
    Node node = Node::object();
    std::visit(
        [&](auto& world) {
            node.set("steps", world->step_count());
            node.set("particles", world->particle_count());
            const double compression = world->report().mean_compression;
            node.set("compression", std::isfinite(compression) ? Node(compression) : Node());
        },
        live_.built().world);
    node.set("energies", energies(live_.built()));
    node.set("obstacles", obstacle_poses(live_.built(), time_));
    node.set("hands", hands_.state());
    return node;
}

std::optional<std::uint64_t> LiveShow::state_hash()
{
    if (failure_) return std::nullopt;
    return std::visit([](const auto& world) { return world->state_hash(); }, live_.built().world);
}

Node LiveShow::picked(const PickedParticle& particle)
{
    Node node = Node::object();
    std::visit(
        [&](auto& world) {
            for (std::size_t k = 0; k < world->body_count(); ++k) {
                auto& body = world->body(k);
                const std::vector<std::string> parts = body.parts();
                if (std::find(parts.begin(), parts.end(), particle.body->body) == parts.end()) continue;
                const auto close_up = body.close_up(particle.id, world->surroundings());
                if (!close_up) continue;
                node.set("position", point_node(close_up->position));
                if (close_up->rest_position) node.set("rest", point_node(*close_up->rest_position));
                Node fields = Node::object();
                for (const std::string& field : fields_of(live_.built()))
                    if (const auto value = body.value(field, particle.id, world->surroundings()))
                        fields.set(field, number_or_list(*value));
                node.set("fields", std::move(fields));
                Node neighbors = Node::list();
                for (const std::uint64_t neighbor : close_up->neighbors)
                    neighbors.items().emplace_back(static_cast<std::uint32_t>(neighbor));
                node.set("neighbors", std::move(neighbors));
                node.set("support", close_up->support_radius);
            }
        },
        live_.built().world);
    return node;
}

void LiveShow::seek(std::uint64_t)
{
    throw InputError("a scene that runs cannot be wound to another frame; a recorded run can");
}

void LiveShow::require_frame() const
{
    if (failure_) throw InputError("the simulation has failed; it can only be begun again");
}

void LiveShow::set(const std::string& path, const Node& value)
{
    require_frame();
    if (path == "hands" || path.starts_with("hands.") || path.starts_with("hands["))
        throw InputError("hands are moved by messages of their own");
    live_.set({{path, value}});
}

/// What the hands do in the next frame.
void LiveShow::apply_hands()
{
    if (!hands_.is_changed()) return;
    live_.set({{"hands", hands_.scene_list(time_, 1.0 / frame_rate_)}});
    hands_.set_told();
}

/// Where the particle that a hand is to take hold of is at rest [m].
std::vector<double> LiveShow::rest_place(const HandMessage& hand)
{
    for (const Snapshot& snapshot : snapshots({})) {
        const Field* ids = snapshot.body == hand.body ? snapshot.find("id") : nullptr;
        const auto* values = ids != nullptr ? std::get_if<std::vector<std::uint64_t>>(&ids->values) : nullptr;
        if (values == nullptr) continue;
        for (std::size_t i = 0; i < values->size(); ++i) {
            if (static_cast<std::uint32_t>((*values)[i]) != *hand.id) continue;
            const Node details = picked({&snapshot, i, (*values)[i]});
            const Node* rest = details.find("rest");
            if (rest == nullptr) throw InputError(hand.body + " is no solid: only solids can be held");
            std::vector<double> place;
            for (const Node& x : rest->items()) place.push_back(x.number());
            return place;
        }
    }
    throw InputError("there is no particle " + std::to_string(*hand.id) + " of \"" + hand.body + "\"");
}

void LiveShow::move_hand(ClientNumber client, const HandMessage& message)
{
    require_frame();
    HandMessage hand = message;
    if (hand.id) {
        // The particle that it has is the one that it took first.
        const std::optional<std::vector<double>> present = hands_.place(hand.name);
        hand.at = present ? *present : rest_place(hand);
        if (hand.at.size() != hand.to.size())
            throw InputError("hand \"" + hand.name + "\": \"to\" must have " +
                             std::to_string(hand.at.size()) + " numbers");
    }
    HandTable changed = hands_;
    changed.move(client, hand);
    std::swap(changed, hands_);
    try {
        apply_hands();
    } catch (...) {
        std::swap(changed, hands_);
        throw;
    }
}

void LiveShow::release_hand(const std::string& name)
{
    require_frame();
    hands_.release(name);
    apply_hands();
}

void LiveShow::release_hands(ClientNumber client)
{
    hands_.release_all(client);
    if (!failure_) apply_hands();
}

SavedFile LiveShow::save(const SaveMessage& message, const fs::path& folder)
{
    if (!is_body_name(message.name) || !is_utf8(message.name))
        throw InputError("\"" + message.name.substr(0, 100) + "\" cannot be the name of a file");
    const bool is_scene = message.what == SavedThing::Scene;
    if (is_scene && !message.write) return {{}, to_text(live_.recorded(folder)) + "\n"};
    SavedFile saved{folder / (message.name + (is_scene ? ".json" : ".phyxel")), {}};
    std::error_code error;
    if (fs::exists(fs::symlink_status(saved.path, error)))
        throw InputError(saved.path.string() + ": is there already, choose another name");
    create_folder(folder);
    if (is_scene) {
        saved.text = to_text(live_.recorded(folder)) + "\n";
        write_file(saved.path, saved.text);
    } else {
        require_frame();
        CheckpointWriter checkpoint;
        std::visit([&](const auto& world) { world->save(checkpoint); }, live_.built().world);
        checkpoint.write(saved.path);
    }
    return saved;
}

} // namespace phyxel::studio
