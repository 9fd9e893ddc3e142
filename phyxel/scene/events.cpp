// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/events.h>

#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/changeable.h>
#include <phyxel/scene/findings.h>
#include <phyxel/scene/quantity.h>
#include <phyxel/scene/scene.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace phyxel {
namespace {

constexpr std::string_view allowed =
    "allowed: gravity, gravity[k], hands, and what is said to be changeable, such as numbers of "
    "bodies.NAME.material and bodies.NAME.solver";

/// Adds the keys of all members that a scene can have somewhere.
void add_keys(const Node& schema, std::set<std::string>& keys)
{
    if (schema.is_list())
        for (const Node& item : schema.items()) add_keys(item, keys);
    if (!schema.is_object()) return;
    if (const Node* properties = schema.find("properties"); properties != nullptr && properties->is_object())
        for (const Node::Member& member : properties->members()) keys.insert(member.key);
    for (const Node::Member& member : schema.members()) add_keys(member.value, keys);
}

/// Whether a path leads to a parameter that the resolved scene leaves out, such as `count` where there is a
/// spacing.
template <class IsKey>
bool is_left_out(const Node& scene, Path path, const IsKey& is_key)
{
    const std::string* key = std::get_if<std::string>(&path.steps().back());
    if (key == nullptr) return false;
    const std::string left_out = *key;
    path.pop();
    const Node* owner = find_value(scene, path);
    return owner != nullptr && owner->is_object() && owner->find(left_out) == nullptr && is_key(left_out);
}

/// Whether events may change something else beside what is at a path within a body.
template <int Dim>
bool has_changeable_sibling(const Node& scene, SceneOptions<Dim>& options, Path owner)
{
    owner.pop();
    if (owner.steps().size() < 3) return false;
    const std::vector<Node::Member>& members = value_at(scene, owner).members();
    return std::any_of(members.begin(), members.end(), [&](const Node::Member& member) {
        return changeability(options, owner / member.key).is_changeable;
    });
}

/// The path with items of lists by their numbers. Throws InputError where there is no such thing.
Path with_numbers(const Node& scene, const Path& path)
{
    Path found;
    const Node* owner = &scene;
    for (const Path::Step& step : path.steps()) {
        const Node* next = owner != nullptr ? find_value(*owner, path_of({step})) : nullptr;
        if (owner == nullptr || !owner->is_list() || std::holds_alternative<std::size_t>(step)) {
            found.push(step);
        } else {
            if (next == nullptr) static_cast<void>(value_at(scene, path)); // which says what is known
            found.push(static_cast<std::size_t>(next - owner->items().data()));
        }
        owner = next;
    }
    return found;
}

/// The body, the obstacle or the key of the scene that a path with numbers leads into.
Path part_of(const Path& path)
{
    const std::vector<Path::Step>& steps = path.steps();
    Path part;
    part.push(steps[0]);
    const bool is_item =
        steps[0] == Path::Step(std::string("bodies")) || steps[0] == Path::Step(std::string("obstacles"));
    if (is_item && steps.size() > 1) part.push(steps[1]);
    return part;
}

/// The name of the joint that a path with numbers leads into; empty if it leads elsewhere.
std::string joint_at(const Node& scene, const Path& path)
{
    const std::vector<Path::Step>& steps = path.steps();
    if (steps.size() < 2 || steps[0] != Path::Step(std::string("joints"))) return {};
    const Node* name = find_value(scene, path_of({steps[0], steps[1], std::string("name")}));
    return name != nullptr && name->is_text() ? name->text() : std::string();
}

/// Takes the member at a path away, if it is there. Throws InputError for items of lists.
void erase_at(Node& root, Path path)
{
    const std::string* last = std::get_if<std::string>(&path.steps().back());
    if (last == nullptr) throw InputError("the scene itself has nothing here that could be restored");
    const std::string key = *last;
    path.pop();
    auto* owner = const_cast<Node*>(find_value(root, path));
    if (owner != nullptr && owner->is_object())
        std::erase_if(owner->members(), [&](const Node::Member& member) { return member.key == key; });
}

/// Puts what is at a path in another scene at a path of this one, or its absence.
void restore_at(Node& root, const Path& path, const Node& other, const Path& other_path)
{
    if (const Node* original = find_value(other, other_path))
        set_value_at(root, path, *original);
    else
        erase_at(root, path);
}

std::string taken_away_text(double time) { return "it was taken away at " + format_quantity(time, "s"); }

} // namespace

/// What has to be set for a path that an event names.
template <int Dim>
struct EventPlan<Dim>::Targets {
    std::vector<Path> paths = {}; ///< with numbers; none if events cannot change it
    Path given = {}; ///< of the first of them, maybe with names: lists may have other items by now
    Changeability how = {};
};

template <int Dim>
EventPlan<Dim>::EventPlan(const Node& resolved, const SceneOptions<Dim>& scene, const Kinds& kinds,
                          std::optional<std::filesystem::path> folder)
    : resolved_(resolved),
      kinds_(kinds),
      folder_(std::move(folder)),
      first_(scene),
      present_(resolved),
      options_(scene)
{
    // Without what events cannot change, so that copies stay cheap.
    if (Node* events = resolved_.find("events")) *events = Node::list();
    first_.events.clear();
    options_.events.clear();
    for (const std::string_view key : {"events", "probes", "render"})
        std::erase_if(present_.members(), [&](const Node::Member& member) { return member.key == key; });
}

/// The schema takes longer to make than an event.
template <int Dim>
bool EventPlan<Dim>::is_key(const std::string& key)
{
    if (!keys_) add_keys(scene_schema(kinds_), keys_.emplace());
    return keys_->contains(key);
}

/// Throws InputError where there is no such thing.
template <int Dim>
typename EventPlan<Dim>::Targets EventPlan<Dim>::targets_of(const Path& given)
{
    // Sections that nothing was said of may be set as a whole.
    const bool is_whole = given.steps().size() == 1;
    const Path path = is_whole ? given : with_numbers(present_, given);
    Targets targets{.given = given, .how = changeability(options_, path)};
    const bool may_change = targets.how.is_changeable;
    if (!(may_change && is_whole) && find_value(present_, path) == nullptr &&
        find_value(resolved_, path) == nullptr) {
        const bool is_absent =
            is_left_out(resolved_, path, [&](const std::string& key) { return is_key(key); });
        if (!is_absent) static_cast<void>(value_at(resolved_, given));
        // What a solver of another type has is an unknown key of this one, which reading it will say.
        if (!may_change && !has_changeable_sibling(resolved_, options_, path)) return {};
    } else if (!may_change) {
        return {};
    }
    targets.paths = {path};
    const std::vector<Path::Step>& steps = path.steps();
    const bool is_of_solver = steps.size() > 2 && steps[0] == Path::Step(std::string("bodies")) &&
                              steps[2] == Path::Step(std::string("solver"));
    if (!is_of_solver) return targets;
    const KindOf<Dim>* kind = options_.bodies[std::get<std::size_t>(steps[1])].kind;
    for (std::size_t i = 0; kind->shares_solver && i < options_.bodies.size(); ++i) {
        if (options_.bodies[i].kind != kind || i == std::get<std::size_t>(steps[1])) continue;
        Path other = path_of({"bodies", i});
        for (std::size_t k = 2; k < steps.size(); ++k) other.push(steps[k]);
        targets.paths.push_back(other);
    }
    return targets;
}

/// When what a path with numbers leads into was taken away [s].
template <int Dim>
std::optional<double> EventPlan<Dim>::removal_of(const Path& path) const
{
    if (const auto joint = removed_joints_.find(joint_at(present_, path)); joint != removed_joints_.end())
        return joint->second;
    const Path part = part_of(path);
    if (part.steps().size() < 2) return {};
    const std::size_t number = std::get<std::size_t>(part.steps()[1]);
    return part.steps()[0] == Path::Step(std::string("bodies")) ? options_.bodies[number].basics().removed
                                                                : options_.obstacles[number].removed;
}

/// Throws InputError.
template <int Dim>
void EventPlan<Dim>::assign(const Path& target, const Node& value, const Targets& targets)
{
    Path owner = target;
    owner.pop();
    if (value.is_null()) {
        const bool is_first = &target == &targets.paths.front();
        restore_at(present_, target, resolved_, is_first ? targets.given : target);
        for (const std::string& other : targets.how.others)
            restore_at(present_, owner / other, resolved_, owner / other);
        return;
    }
    if (!targets.how.by_preset) {
        set_value_at(present_, target, value);
        for (const std::string& other : targets.how.others) erase_at(present_, owner / other);
        return;
    }
    if (!value.is_text())
        throw InputError("expected the name of a material, found " + short_text(value) +
                         "; single numbers of a material are set by their own paths");
    // The particles have their masses already.
    Node material = Node::object(
        {{"from", value, value.place()}, {"density", value_at(present_, target / "density"), value.place()}});
    material.set_place(value.place());
    set_value_at(present_, target, material);
}

template <int Dim>
void EventPlan<Dim>::set(const std::string& event_path, const std::string& target_text, const Node& value,
                         Changes& changes, std::vector<Problem>& problems)
{
    Targets targets;
    try {
        targets = targets_of(Path(target_text));
    } catch (const InputError& error) {
        problems.push_back({value.place(), event_path, error.what(), {}});
        return;
    }
    if (targets.paths.empty()) {
        problems.push_back({value.place(), event_path, "events cannot change this", std::string(allowed)});
        return;
    }
    if (const std::optional<double> removed = removal_of(targets.paths.front())) {
        problems.push_back({value.place(), event_path, taken_away_text(*removed), {}});
        return;
    }
    std::vector<Path> parts;
    std::vector<std::optional<Node>> before;
    for (const Path& target : targets.paths) {
        parts.push_back(part_of(target));
        const Node* part = find_value(present_, parts.back());
        before.push_back(part != nullptr ? std::optional(*part) : std::nullopt);
    }
    const auto go_back = [&] {
        for (std::size_t k = 0; k < parts.size(); ++k) {
            if (before[k])
                set_value_at(present_, parts[k], *before[k]);
            else
                erase_at(present_, parts[k]);
        }
    };
    try {
        for (const Path& target : targets.paths) assign(target, value, targets);
        read_scene_parts<Dim>(present_, kinds_, parts, options_);
    } catch (const SceneError& error) {
        go_back();
        // The same value may stand in several places; the first one says it all.
        const std::string target =
            targets.paths.front().text() + (targets.how.by_preset && value.is_text() ? ".from" : "");
        const std::size_t problems_before = problems.size();
        for (const Problem& problem : error.problems())
            if (problem.path.starts_with(target))
                problems.push_back({problem.place, event_path + problem.path.substr(target.size()),
                                    problem.what, problem.allowed});
        // What is wrong with a value may show elsewhere, as a key that this solver does not have does.
        if (problems.size() == problems_before)
            problems.push_back(
                {value.place(), event_path, error.problems().front().what, error.problems().front().allowed});
        return;
    } catch (const InputError& error) {
        go_back();
        problems.push_back({value.place(), event_path, error.what(), {}});
        return;
    }
    for (const Path& target : targets.paths) note(target, event_path, changes, problems);
}

/// What has become of something that was set.
template <int Dim>
void EventPlan<Dim>::note(const Path& target, const std::string& event_path, Changes& changes,
                          std::vector<Problem>& problems)
{
    const std::vector<Path::Step>& steps = target.steps();
    const auto& key = std::get<std::string>(steps[0]);
    if (key == "gravity") {
        changes.gravity = true;
    } else if (key == "hands") {
        changes.hands = true;
    } else if (key == "bodies") {
        changes.bodies.insert(std::get<std::size_t>(steps[1]));
    } else if (key == "obstacles") {
        bool& is_moved = changes.obstacles[std::get<std::size_t>(steps[1])];
        is_moved = is_moved || steps[2] == Path::Step(std::string("motion"));
    } else {
        for (KindSection<Dim>& section : options_.sections) {
            ChangeFinder finder(steps);
            section.kind->section->find_changeable(finder, section.options);
            if (finder.found().is_changeable) change_section(section.kind, event_path, changes, problems);
        }
    }
}

template <int Dim>
void EventPlan<Dim>::change_section(const KindOf<Dim>* owner, const std::string& event_path, Changes& changes,
                                    std::vector<Problem>& problems)
{
    if (!folder_ || !owner->section_changed) return;
    const SectionChange<Dim> change{.time = changes.time,
                                    .first = first_,
                                    .present = options_,
                                    .removed_joints = removed_joints_,
                                    .node = present_,
                                    .folder = *folder_,
                                    .event_path = event_path,
                                    .problems = problems};
    memory_[owner] = owner->section_changed(change, memory_[owner]);
    changes.sections.insert(owner);
}

template <int Dim>
void EventPlan<Dim>::remove(const std::string& event_path, const Node& name, Changes& changes,
                            std::vector<Problem>& problems)
{
    const auto add_problem = [&](std::string what, std::string remedy = {}) {
        problems.push_back({name.place(), event_path, std::move(what), std::move(remedy)});
    };
    std::vector<std::string_view> names;
    std::vector<Path> found;
    for (std::size_t i = 0; i < options_.bodies.size(); ++i) {
        names.push_back(options_.bodies[i].name());
        if (names.back() == name.text()) found.push_back(path_of({"bodies", i}));
    }
    for (std::size_t i = 0; i < options_.obstacles.size(); ++i) {
        names.push_back(options_.obstacles[i].name);
        if (names.back() == name.text()) found.push_back(path_of({"obstacles", i}));
    }
    std::vector<std::pair<const KindOf<Dim>*, JointInfo>> joints;
    for (const KindSection<Dim>& section : options_.sections)
        if (section.kind->joints)
            for (const JointInfo& joint : section.kind->joints(options_))
                joints.emplace_back(section.kind, joint);
    for (std::size_t i = 0; i < joints.size(); ++i) {
        names.push_back(joints[i].second.name);
        if (names.back() == name.text()) found.push_back(path_of({"joints", i}));
    }
    if (found.size() > 1) {
        std::string what, remedy;
        for (const Path& path : found) {
            const auto& list = std::get<std::string>(path.steps()[0]);
            what += (what.empty() ? "" : " and ") + std::string(list == "bodies"      ? "a body"
                                                                : list == "obstacles" ? "an obstacle"
                                                                                      : "a joint");
            remedy += (remedy.empty() ? "write " : " or ") + list + '.' + name.text();
        }
        add_problem(what + " are named " + short_text(name), remedy);
        return;
    }
    if (found.empty()) {
        try {
            const Path path = with_numbers(present_, Path(name.text()));
            const bool is_item = path.steps().size() == 2 &&
                                 (part_of(path).steps().size() == 2 || !joint_at(present_, path).empty());
            if (is_item && find_value(present_, path) != nullptr) found.push_back(path);
        } catch (const InputError&) { // said below
        }
    }
    if (found.empty()) {
        add_problem("there is no body and no obstacle" + std::string(joints.empty() ? "" : " and no joint") +
                        " named " + short_text(name),
                    suggestion(name.text(), names) + "known: " + word_list(names));
        return;
    }
    if (const std::optional<double> removed = removal_of(found.front())) {
        add_problem(taken_away_text(*removed) + " already");
        return;
    }
    const std::size_t number = std::get<std::size_t>(found.front().steps()[1]);
    if (found.front().steps()[0] == Path::Step(std::string("obstacles"))) {
        options_.obstacles[number].removed = changes.time;
        changes.obstacles.emplace(number, false);
        return;
    }
    if (found.front().steps()[0] == Path::Step(std::string("joints"))) {
        remove_joint(joints[number].first, joints[number].second.name, event_path, changes, problems);
        return;
    }
    BodyOptions<Dim>& body = options_.bodies[number];
    if (const std::optional<double>& start = body.basics().start; start && *start >= changes.time) {
        add_problem("it comes at " + format_quantity(*start, "s"), "take it away later");
        return;
    }
    if (!body.kind->can.be_removed) {
        add_problem("a " + body.kind->name + " cannot be taken away");
        return;
    }
    body.basics().removed = changes.time;
    changes.leaving.emplace_back(body.name());
    if (body.kind->section) change_section(body.kind, event_path, changes, problems);
    for (const auto& [kind, joint] : joints)
        if (std::find(joint.bodies.begin(), joint.bodies.end(), body.name()) != joint.bodies.end() &&
            !removed_joints_.contains(joint.name))
            remove_joint(kind, joint.name, event_path, changes, problems);
}

template <int Dim>
void EventPlan<Dim>::remove_joint(const KindOf<Dim>* owner, const std::string& joint,
                                  const std::string& event_path, Changes& changes,
                                  std::vector<Problem>& problems)
{
    removed_joints_.emplace(joint, changes.time);
    change_section(owner, event_path, changes, problems);
}

template <int Dim>
PlannedEvent<Dim> EventPlan<Dim>::planned(const Changes& changes) const
{
    PlannedEvent<Dim> event{.time = changes.time, .leaving = changes.leaving};
    if (changes.gravity) event.gravity = options_.gravity;
    if (changes.hands) event.hands = options_.hands;
    for (const auto& [number, is_moved] : changes.obstacles) {
        const ObstacleOptions<Dim>& obstacle = options_.obstacles[number];
        event.obstacles.push_back({.name = obstacle.name,
                                   .motion = obstacle.motion,
                                   .surface = obstacle.surface,
                                   .heat = obstacle.heat,
                                   .is_moved = is_moved,
                                   .is_removed = obstacle.removed.has_value()});
    }
    if (!folder_) return event;
    std::map<const KindOf<Dim>*, std::vector<std::size_t>> touched;
    for (const std::size_t number : changes.bodies) touched[options_.bodies[number].kind].push_back(number);
    for (const KindOf<Dim>* kind : changes.sections) touched[kind];
    for (const auto& [kind, bodies] : touched) {
        if (!kind->parameters) continue;
        const auto memory = memory_.find(kind);
        event.parameters[kind] =
            kind->parameters(options_, bodies, memory != memory_.end() ? memory->second : std::any());
    }
    return event;
}

template <int Dim>
PlannedEvent<Dim> EventPlan<Dim>::add(const EventOptions& event, const Path& path,
                                      std::vector<Problem>& problems)
{
    Changes changes{.time = event.time};
    if (event.remove)
        for (std::size_t i = 0; i < event.remove->names.size(); ++i) {
            Path place = path / "remove";
            place.push(i);
            remove(place.text(), event.remove->names[i], changes, problems);
        }
    if (event.set)
        for (const auto& [target, value] : event.set->items)
            set((path / "set" / target).text(), target, value, changes, problems);
    return planned(changes);
}

template <int Dim>
void EventPlan<Dim>::add_body(const Node& body)
{
    resolved_.find("bodies")->items().push_back(body);
    Node present = body;
    // All bodies of a kind may have one solver, also after it was changed.
    const KindOf<Dim>* kind = kinds_.find<Dim>(body.find("type")->text());
    for (const Node& other : present_.find("bodies")->items())
        if (kind->shares_solver && *other.find("type") == *body.find("type"))
            present.set("solver", *other.find("solver"));
    present_.find("bodies")->items().push_back(std::move(present));
    const std::vector<Path> added = {path_of({"bodies", options_.bodies.size()})};
    read_scene_parts<Dim>(present_, kinds_, added, options_);
}

template <int Dim>
std::vector<PlannedEvent<Dim>>
plan_events(const Node& resolved, const SceneOptions<Dim>& scene, const Kinds& kinds,
            const std::optional<std::filesystem::path>& folder, std::vector<Problem>& problems)
{
    if (scene.events.empty()) return {};
    std::vector<std::size_t> order(scene.events.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return scene.events[a].time < scene.events[b].time;
    });
    EventPlan<Dim> plan(resolved, scene, kinds, folder);
    std::vector<PlannedEvent<Dim>> planned;
    for (const std::size_t i : order) {
        if (problems.size() >= max_problems) break;
        planned.push_back(plan.add(scene.events[i], path_of({"events", i}), problems));
    }
    return planned;
}

template class EventPlan<2>;
template class EventPlan<3>;
template std::vector<PlannedEvent<2>> plan_events(const Node&, const SceneOptions<2>&, const Kinds&,
                                                  const std::optional<std::filesystem::path>&,
                                                  std::vector<Problem>&);
template std::vector<PlannedEvent<3>> plan_events(const Node&, const SceneOptions<3>&, const Kinds&,
                                                  const std::optional<std::filesystem::path>&,
                                                  std::vector<Problem>&);

} // namespace phyxel
