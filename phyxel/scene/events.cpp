// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/events.h>

#include <phyxel/scene/changeable.h>
#include <phyxel/scene/findings.h>
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

/// Whether a scene can have members of this key somewhere.
bool has_key(const Node& schema, std::string_view key)
{
    if (schema.is_list())
        return std::any_of(schema.items().begin(), schema.items().end(),
                           [&](const Node& item) { return has_key(item, key); });
    if (!schema.is_object()) return false;
    if (const Node* properties = schema.find("properties");
        properties != nullptr && properties->is_object() && properties->find(key) != nullptr)
        return true;
    return std::any_of(schema.members().begin(), schema.members().end(),
                       [&](const Node::Member& member) { return has_key(member.value, key); });
}

/// Whether a path leads to a parameter that the resolved scene leaves out, such as `count` where there is a
/// spacing.
bool is_left_out(const Node& scene, Path path, const Kinds& kinds)
{
    const std::string* key = std::get_if<std::string>(&path.steps().back());
    if (key == nullptr || !has_key(scene_schema(kinds), *key)) return false;
    const std::string left_out = *key;
    path.pop();
    try {
        const Node& owner = value_at(scene, path);
        return owner.is_object() && owner.find(left_out) == nullptr;
    } catch (const InputError&) {
        return false;
    }
}

/// Whether events may change something else beside what is at a path within a body.
template <int Dim>
bool has_changeable_sibling(const Node& scene, const SceneOptions<Dim>& options, Path owner)
{
    owner.pop();
    if (owner.steps().size() < 3) return false;
    const std::vector<Node::Member>& members = value_at(scene, owner).members();
    return std::any_of(members.begin(), members.end(), [&](const Node::Member& member) {
        return is_changeable(options, owner / member.key);
    });
}

/// The path with items of lists by their numbers. Throws InputError where there is no such thing.
Path with_numbers(const Node& scene, const Path& path)
{
    Path found;
    for (const Path::Step& step : path.steps()) {
        const Node& owner = found.steps().empty() ? scene : value_at(scene, found);
        if (!owner.is_list() || std::holds_alternative<std::size_t>(step)) {
            found.push(step);
            continue;
        }
        Path by_name = found;
        by_name.push(step);
        const Node& item = value_at(scene, by_name);
        found.push(static_cast<std::size_t>(&item - owner.items().data()));
    }
    return found;
}

} // namespace

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
    // Without what events cannot change, so that copying and reading it again and again stays cheap.
    if (Node* events = resolved_.find("events")) *events = Node::list();
    for (const std::string_view key : {"events", "obstacles", "probes", "render"})
        std::erase_if(present_.members(), [&](const Node::Member& member) { return member.key == key; });
}

/// The paths that have to be set for one that an event names; none if events cannot change it. Throws
/// InputError where there is no such thing.
template <int Dim>
std::vector<Path> EventPlan<Dim>::targets_of(const Path& given) const
{
    // Sections that nothing was said of may be set as a whole.
    const bool is_whole = given.steps().size() == 1;
    const Path path = is_whole ? given : with_numbers(resolved_, given);
    const bool may_change = is_changeable(options_, path);
    const bool is_absent = is_left_out(resolved_, path, kinds_);
    if ((!may_change || !is_whole) && !is_absent) static_cast<void>(value_at(resolved_, given));
    // What a solver of another type has is an unknown key of this one, which reading it will say.
    if (!may_change && !(is_absent && has_changeable_sibling(resolved_, options_, path))) return {};
    std::vector<Path> targets = {path};
    const std::vector<Path::Step>& steps = path.steps();
    const bool is_of_solver = steps.size() > 2 && steps[0] == Path::Step(std::string("bodies")) &&
                              steps[2] == Path::Step(std::string("solver"));
    if (!is_of_solver) return targets;
    const KindOf<Dim>* kind = options_.bodies[std::get<std::size_t>(steps[1])].kind;
    for (std::size_t i = 0; kind->shares_solver && i < options_.bodies.size(); ++i) {
        if (options_.bodies[i].kind != kind || i == std::get<std::size_t>(steps[1])) continue;
        Path other = path_of({"bodies", i});
        for (std::size_t k = 2; k < steps.size(); ++k) other.push(steps[k]);
        targets.push_back(other);
    }
    return targets;
}

/// The kind whose section has the key; null if none has.
template <int Dim>
const KindOf<Dim>* EventPlan<Dim>::owner_of(const Path& path) const
{
    for (const KindSection<Dim>& section : options_.sections) {
        std::any options = section.options;
        ChangeFinder finder(path.steps());
        section.kind->section->find_changeable(finder, options);
        if (finder.is_changeable()) return section.kind;
    }
    return nullptr;
}

template <int Dim>
void EventPlan<Dim>::set(double time, const std::string& event_path, const std::string& target_text,
                         const Node& value, std::vector<Problem>& problems)
{
    std::vector<Path> targets;
    try {
        targets = targets_of(Path(target_text));
    } catch (const InputError& error) {
        problems.push_back({value.place(), event_path, error.what(), {}});
        return;
    }
    if (targets.empty()) {
        problems.push_back({value.place(), event_path, "events cannot change this", std::string(allowed)});
        return;
    }
    Node changed = present_;
    for (const Path& target : targets) set_value_at(changed, target, value);
    try {
        options_ = read_scene_options<Dim>(changed, kinds_);
        present_ = std::move(changed);
    } catch (const SceneError& error) {
        // The same value may stand in several places; the first one says it all.
        const std::string target = targets.front().text();
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
    }
    const KindOf<Dim>* owner = folder_ ? owner_of(targets.front()) : nullptr;
    if (owner != nullptr && owner->section_changed) {
        const SectionChange<Dim> change{.time = time,
                                        .first = first_,
                                        .present = options_,
                                        .node = present_,
                                        .folder = *folder_,
                                        .event_path = event_path,
                                        .problems = problems};
        memory_[owner->name] = owner->section_changed(change, memory_[owner->name]);
    }
}

template <int Dim>
PlannedEvent<Dim> EventPlan<Dim>::add(const EventOptions& event, const Path& path,
                                      std::vector<Problem>& problems)
{
    for (const auto& [target, value] : event.set.items)
        set(event.time, (path / "set" / target).text(), target, value, problems);
    return {event.time, options_, memory_};
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
    options_ = read_scene_options<Dim>(present_, kinds_);
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
    for (const std::size_t i : order)
        planned.push_back(plan.add(scene.events[i], path_of({"events", i}), problems));
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
