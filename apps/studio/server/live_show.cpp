// SPDX-License-Identifier: MIT
#include "live_show.h"

#include "capabilities.h"
#include "scene_files.h"
#include "studio_machine.h"
#include "world_text.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

Node bound_node(double bound) { return std::isfinite(bound) ? Node(bound) : Node(); }

Node parameter_node(const ChangeableParameter& parameter)
{
    Node node = Node::object({{"path", parameter.path},
                              {"doc", parameter.doc},
                              {"value", parameter.value},
                              {"can_be_unset", parameter.can_be_unset}});
    switch (parameter.kind) {
    case ChangeableParameter::Kind::Number:
        node.set("kind", "number");
        node.set("unit", parameter.unit);
        node.set("min", bound_node(parameter.min));
        node.set("max", bound_node(parameter.max));
        node.set("min_excluded", parameter.min_excluded);
        node.set("max_excluded", parameter.max_excluded);
        node.set("is_whole", parameter.is_whole);
        break;
    case ChangeableParameter::Kind::Switch:
        node.set("kind", "switch");
        break;
    case ChangeableParameter::Kind::Word:
        node.set("kind", "word");
        node.set("words", texts_node(parameter.words));
        break;
    }
    return node;
}

constexpr std::size_t max_dropped = 200;
constexpr double widest_nozzle = 50.0; // radius, in spacings

/// A page must not make the studio read files.
void check_no_files(const Node& shape)
{
    if (shape.is_list())
        for (const Node& item : shape.items()) check_no_files(item);
    if (!shape.is_object()) return;
    for (const Node::Member& member : shape.members()) {
        if (member.key == "mesh") throw InputError("only shapes without files can be dropped in");
        check_no_files(member.value);
    }
}

std::size_t count_values(const Node& node)
{
    std::size_t count = 1;
    if (node.is_list())
        for (const Node& item : node.items()) count += count_values(item);
    if (node.is_object())
        for (const Node::Member& member : node.members()) count += count_values(member.value);
    return count;
}

template <int Dim>
Node point_node(const Vec<Dim>& x)
{
    return number_or_list(std::vector<double>(x.data(), x.data() + Dim));
}

} // namespace

LiveShow::LiveShow(const Scene& scene, fs::path folder, const WorkBudget& work)
    : live_(scene, studio_machine(), work),
      folder_(std::move(folder))
{
    hands_ = HandTable(live_.hands());
    nozzles_ = NozzleTable(live_.emitters());
    std::visit(
        [&](const auto& world) {
            names_ = world->part_names();
            last_frame_ = world->clock().last_frame();
            frame_rate_ = world->clock().frame_rate;
        },
        live_.built().world);
    if (const Node* events = live_.built().resolved.find("events"))
        for (const Node& event : events->items()) {
            const Node* set = event.find("set");
            if (set == nullptr) continue;
            sets_hands_ = sets_hands_ || set->find("hands") != nullptr;
            sets_emitters_ = sets_emitters_ || set->find(live_.emitters_key()) != nullptr;
            changes_to_come_.push_back(event.find("time")->number());
        }
    std::sort(changes_to_come_.begin(), changes_to_come_.end());
    description_ = describe_world(scene, live_.built());
    description_.set("kind", "live");
    description_.set("fields",
                     fields_node(fields_of(live_.built().resolved), live_.scene().kinds().field_units()));
    description_.set("warnings", texts_node(live_.built().warnings));
}

void LiveShow::load(const CheckpointReader& checkpoint)
{
    live_.load(checkpoint);
    hands_ = HandTable(live_.hands());
    nozzles_ = NozzleTable(live_.emitters());
    std::visit(
        [&](const auto& world) {
            // Those of runs that were stopped may lie between two frames.
            if (!world->is_at_frame()) static_cast<void>(advance({}));
            frame_ = world->frame();
            time_ = world->time();
            note_events();
        },
        live_.built().world);
}

std::optional<std::uint64_t> LiveShow::livelier_count() const
{
    constexpr double slowest = 4.0;
    constexpr double fewest = 400.0; // with which a figure still looks like one
    const double duration = static_cast<double>(last_frame_) / frame_rate_;
    const Estimate& estimate = live_.built().estimate;
    const double slowness = duration > 0.0 ? estimate.seconds / duration : 0.0;
    if (slowness <= slowest) return std::nullopt;
    // Steps get shorter as particles do: the cost of a second grows as count^(4/3).
    const auto particles = static_cast<double>(estimate.particles);
    const double count = std::max(fewest, particles * std::pow(slowest / slowness, 0.75));
    if (count >= 0.9 * particles) return std::nullopt;
    return static_cast<std::uint64_t>(count);
}

std::size_t LiveShow::particle_count() const { return live_.built().estimate.particles; }

void LiveShow::replace_warnings(const std::string& line) { description_.set("warnings", Node::list({line})); }

Node LiveShow::description()
{
    Node node = description_;
    Node parameters = Node::list();
    told_values_.clear();
    is_changed_ = false;
    for (const ChangeableParameter& parameter : live_.parameters()) {
        parameters.items().push_back(parameter_node(parameter));
        told_values_[parameter.path] = parameter.value;
    }
    node.set("parameters", std::move(parameters));
    node.set("hands", hands_node());
    return node;
}

bool LiveShow::advance(const std::function<bool()>& stop)
{
    if (failure_) return false;
    return std::visit(
        [&](auto& world) {
            const bool reached = world->advance_frame(stop);
            static_cast<void>(world->take_probe_rows()); // nobody writes them
            if (const std::optional<Failure>& failure = world->failure())
                failure_ = {to_text(*failure), failure->body, failure->time, failure->cause};
            if (reached) {
                frame_ = world->frame();
                time_ = world->time();
                note_events();
                keep_hold();
            }
            return reached;
        },
        live_.built().world);
}

std::vector<Snapshot> LiveShow::snapshots(const Wishes& wishes)
{
    std::vector<std::string> fields(wishes.fields.begin(), wishes.fields.end());
    if (failure_) fields.clear(); // what has failed may have no neighbours to sum over, and no finite places
    std::vector<Snapshot> snapshots =
        std::visit([&](auto& world) { return world->snapshots(fields); }, live_.built().world);
    // Whatever was dropped in stands last in the description, and fluids first in the world.
    const auto number = [&](const Snapshot& snapshot) {
        return std::find(names_.begin(), names_.end(), snapshot.body);
    };
    std::sort(snapshots.begin(), snapshots.end(),
              [&](const Snapshot& a, const Snapshot& b) { return number(a) < number(b); });
    return snapshots;
}

Node LiveShow::state()
{
    Node node = Node::object();
    std::visit(
        [&](auto& world) {
            node.set("steps", world->step_count());
            node.set("particles", world->particle_count());
            const double compression = world->report().statistics.mean_compression;
            node.set("compression", std::isfinite(compression) ? Node(compression) : Node());
        },
        live_.built().world);
    node.set("energies", failure_ ? Node::list() : energies(live_.built()));
    node.set("obstacles", obstacle_poses(live_.built(), time_));
    node.set("hands", hands_node());
    node.set("nozzles", nozzles_.state());
    return node;
}

std::optional<std::uint64_t> LiveShow::state_hash()
{
    if (failure_) return std::nullopt;
    return std::visit([](const auto& world) { return world->state_hash(); }, live_.built().world);
}

Node LiveShow::picked(const PickedParticle& particle)
{
    if (failure_) return Node::object({{"position", list_node(particle.body->points[particle.index])}});
    Node node = Node::object();
    std::visit(
        [&](auto& world) {
            for (std::size_t k = 0; k < world->body_count(); ++k) {
                auto& body = world->body(k);
                const std::vector<std::string> parts = body.parts();
                if (std::find(parts.begin(), parts.end(), particle.body->body) == parts.end()) continue;
                const auto close_up = close_up_of(body, particle.id, world->surroundings());
                if (!close_up) continue;
                node.set("position", point_node(close_up->position));
                if (close_up->rest_position) node.set("rest", point_node(*close_up->rest_position));
                Node fields = Node::object();
                for (const std::string& field : fields_of(live_.built().resolved))
                    if (const auto value = value_of(body, field, particle.id, world->surroundings()))
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

void LiveShow::require_going() const
{
    if (failure_) throw InputError("the simulation has failed; it can only be begun again");
}

/// Also of what has failed: then it counts when it is begun again.
void LiveShow::set(const std::string& path, const Node& value)
{
    for (const std::string& list : {std::string("hands"), live_.emitters_key()})
        if (Path(path).steps().front() == Path::Step(list))
            throw InputError(list + " are changed by messages of their own");
    live_.set({{path, value}});
    told_values_.erase(path);
    is_changed_ = true;
}

/// What events of the scene have set by now may be parameters.
void LiveShow::note_events()
{
    for (; !changes_to_come_.empty() && changes_to_come_.front() <= time_; changes_to_come_.pop_front())
        is_changed_ = true;
}

/// What is set may change others too, as what one is given instead of, and all of a material.
std::vector<std::pair<std::string, Node>> LiveShow::take_changed_values()
{
    std::vector<std::pair<std::string, Node>> changed;
    if (!std::exchange(is_changed_, false)) return changed;
    for (const ChangeableParameter& parameter : live_.parameters()) {
        const auto [told, is_new] = told_values_.try_emplace(parameter.path, parameter.value);
        if (!is_new && told->second == parameter.value) continue;
        told->second = parameter.value;
        changed.emplace_back(parameter.path, parameter.value);
    }
    return changed;
}

/// Those that somebody has made, and those of the scene that nobody has let go.
Node LiveShow::hands_node() const
{
    Node list = hands_.state(time_);
    std::visit(
        [&](const auto& world) {
            for (const auto& hand : world->hands())
                if (const Node* own = hands_.find_of_scene(hand.name))
                    list.items().push_back(Node::object({{"name", hand.name},
                                                         {"kind", *own->find("type")},
                                                         {"body", hand.body},
                                                         {"position", point_node(hand.place(time_))}}));
        },
        live_.built().world);
    return list;
}

HandTable LiveShow::present_hands() const
{
    HandTable hands = hands_;
    static_cast<void>(hands.follow(live_.hands()));
    return hands;
}

NozzleTable LiveShow::present_nozzles() const
{
    NozzleTable nozzles = nozzles_;
    static_cast<void>(nozzles.follow(live_.emitters()));
    return nozzles;
}

/// An event of the scene that sets all hands or emitters does not take anything out of somebody's hands.
void LiveShow::keep_hold()
{
    if (sets_hands_ && hands_.follow(live_.hands())) change_hands(hands_);
    if (sets_emitters_ && nozzles_.follow(live_.emitters())) change_nozzles(nozzles_);
}

void LiveShow::change_hands(HandTable hands)
{
    live_.set({{"hands", hands.scene_list()}});
    hands_ = std::move(hands);
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
            if (rest == nullptr) throw InputError(hand.body + " has no shape at rest: it cannot be held");
            std::vector<double> place;
            for (const Node& x : rest->items()) place.push_back(x.number());
            return place;
        }
    }
    throw InputError("there is no particle " + std::to_string(*hand.id) + " of \"" + hand.body + "\"");
}

void LiveShow::move_hand(ClientNumber client, const HandMessage& message)
{
    require_going();
    HandMessage hand = message;
    if (hand.id) {
        // The particle that it has is the one that it took first.
        const std::optional<std::vector<double>> present = hands_.place(hand.name);
        hand.at = present ? *present : rest_place(hand);
        if (hand.at.size() != hand.to.size())
            throw InputError("hand \"" + hand.name + "\": \"to\" must have " +
                             std::to_string(hand.at.size()) + " numbers");
    }
    HandTable hands = present_hands();
    hands.move(client, hand, live_.next_change_time(), 1.0 / frame_rate_);
    change_hands(std::move(hands));
}

void LiveShow::drop(const DropMessage& message)
{
    require_going();
    if (dropped_ >= max_dropped)
        throw InputError(std::to_string(max_dropped) + " bodies were dropped in already");
    check_no_files(message.shape);
    Node body = live_.body(message.like);
    std::vector<std::string_view> left_out = {"angular_velocity", "count", "start", "solver"};
    for (const auto& kind : live_.scene().kinds().of<3>())
        if (*body.find("type") == Node(kind->name))
            left_out.insert(left_out.end(), kind->places.begin(), kind->places.end());
    for (const std::string_view key : left_out)
        std::erase_if(body.members(), [&](const Node::Member& member) { return member.key == key; });
    body.set("name", message.name);
    body.set("shape", message.shape);
    Node velocity = Node::list();
    for (std::size_t k = 0; k < static_cast<std::size_t>(live_.scene().dimension()); ++k)
        velocity.items().emplace_back(k < message.velocity.size() ? message.velocity[k] : 0.0);
    body.set("velocity", std::move(velocity));
    live_.add_body(std::move(body));
    ++dropped_;
    names_.push_back(message.name);
    description_.set("bodies", bodies_node(names_, live_.built().resolved));
}

void LiveShow::change_nozzles(NozzleTable nozzles)
{
    live_.set({{live_.emitters_key(), nozzles.scene_list()}});
    nozzles_ = std::move(nozzles);
}

void LiveShow::pour(ClientNumber client, const PourMessage& message)
{
    require_going();
    const Node body = live_.body(message.body);
    const Node* own = body.find("spacing");
    const double spacing = (own != nullptr ? own : live_.built().resolved.find("spacing"))->number();
    // Wider ones have thousands of columns, which take their time to be made.
    if (message.radius > widest_nozzle * spacing)
        throw InputError("a jet may be " + std::to_string(2 * static_cast<int>(widest_nozzle)) +
                         " spacings wide at most");
    NozzleTable nozzles = present_nozzles();
    nozzles.move(client, message, spacing);
    change_nozzles(std::move(nozzles));
}

void LiveShow::release(const std::string& name)
{
    require_going();
    NozzleTable nozzles = present_nozzles();
    if (nozzles.release(name)) {
        change_nozzles(std::move(nozzles));
        return;
    }
    HandTable hands = present_hands();
    hands.release(name);
    change_hands(std::move(hands));
}

void LiveShow::release_all(ClientNumber client)
{
    if (failure_) return;
    HandTable hands = present_hands();
    if (hands.release_all(client)) change_hands(std::move(hands));
    NozzleTable nozzles = present_nozzles();
    if (nozzles.release_all(client)) change_nozzles(std::move(nozzles));
}

/// Throws InputError if nobody could read it.
std::string LiveShow::recorded_text(const fs::path& folder) const
{
    const Node scene = live_.recorded(folder);
    std::string text = to_text(scene) + "\n";
    if (text.size() > max_document_size || count_values(scene) > max_document_values)
        throw InputError("so much was done in this sitting that the scene would be too long to be read");
    return text;
}

SavedFile LiveShow::save(const SaveMessage& message, const fs::path& folder)
{
    const bool is_scene = message.what == SavedThing::Scene;
    if (is_scene && !message.write) return {{}, recorded_text(folder)};
    SavedFile saved{new_file(folder, message.name, is_scene ? ".json" : ".phyxel"), {}};
    create_folder(folder);
    if (is_scene) {
        saved.text = recorded_text(folder);
        write_file(saved.path, saved.text);
    } else {
        require_going();
        static_cast<void>(recorded_text(folder)); // it is in the checkpoint
        CheckpointWriter checkpoint;
        live_.save(checkpoint, folder);
        checkpoint.write(saved.path);
    }
    return saved;
}

} // namespace phyxel::studio
