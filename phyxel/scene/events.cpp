// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/events.h>

#include <phyxel/scene/detail/findings.h>
#include <phyxel/scene/detail/flow_maker.h>
#include <phyxel/scene/detail/shape_maker.h>
#include <phyxel/scene/path.h>
#include <phyxel/scene/scene.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace phyxel {
namespace {

constexpr std::string_view changeable = "allowed: gravity, gravity[k], hands, emitters, the numbers of "
                                        "bodies.NAME.material but density and stiffness, and those "
                                        "of bodies.NAME.solver but support_ratio";

bool is_key(const Path::Step& step, std::string_view key)
{
    const std::string* text = std::get_if<std::string>(&step);
    return text != nullptr && *text == key;
}

bool is_any_key(const Path::Step& step, std::span<const std::string_view> keys)
{
    return std::any_of(keys.begin(), keys.end(), [&](std::string_view key) { return is_key(step, key); });
}

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
bool is_left_out(const Node& scene, Path path)
{
    const std::string* key = std::get_if<std::string>(&path.steps().back());
    if (key == nullptr || !has_key(scene_schema(), *key)) return false;
    const std::string left_out = *key;
    path.pop();
    try {
        const Node& owner = value_at(scene, path);
        return owner.is_object() && owner.find(left_out) == nullptr;
    } catch (const InputError&) {
        return false;
    }
}

/// The paths that have to be set for one that an event names, with bodies by number; none if events cannot
/// change it. Throws InputError where there is no such thing.
std::vector<Path> targets_of(const Node& scene, const Path& path)
{
    const std::vector<Path::Step>& steps = path.steps();
    const bool is_in_body = steps.size() == 4 && is_key(steps[0], "bodies");
    if (is_in_body) {
        const Node& body = value_at(scene, path_of({steps[0], steps[1]}));
        const Node& bodies = *scene.find("bodies");
        const auto number = static_cast<std::size_t>(&body - bodies.items().data());
        const Node& type = *body.find("type");
        const bool is_solid = type == Node("solid");
        using Keys = std::span<const std::string_view>;
        const Keys material_keys =
            is_solid ? Keys(changeable_material_keys_of_solids) : Keys(changeable_material_keys_of_fluids);
        const Keys solver_keys =
            is_solid ? Keys(changeable_solver_keys_of_solids) : Keys(changeable_solver_keys_of_fluids);
        if (is_key(steps[2], "material") && is_any_key(steps[3], material_keys))
            return {path_of({"bodies", number, "material", steps[3]})};
        if (is_key(steps[2], "solver") && is_any_key(steps[3], solver_keys)) {
            // All bodies of a kind have one solver.
            std::vector<Path> paths = {path_of({"bodies", number, "solver", steps[3]})};
            for (std::size_t i = 0; i < bodies.items().size(); ++i)
                if (i != number && *bodies.items()[i].find("type") == type)
                    paths.push_back(path_of({"bodies", i, "solver", steps[3]}));
            return paths;
        }
    }
    for (const char* list : {"hands", "emitters"})
        if (is_key(steps[0], list) && steps.size() == 1) return {path};
    if (is_key(steps[0], "gravity") && steps.size() <= 2) {
        static_cast<void>(value_at(scene, path));
        return {path};
    }
    if (!is_left_out(scene, path)) static_cast<void>(value_at(scene, path));
    return {};
}

/// The scene with what an event sets, or problems. `scene` is the resolved one with what was set so far.
template <int Dim>
std::optional<SceneOptions<Dim>> try_set(const Node& resolved, Node& scene, const std::string& event_path,
                                         const std::string& target_text, const Node& value,
                                         std::vector<Problem>& problems)
{
    std::vector<Path> targets;
    try {
        const Path path(target_text);
        targets = targets_of(resolved, path);
    } catch (const InputError& error) {
        problems.push_back({value.place(), event_path, error.what(), {}});
        return std::nullopt;
    }
    if (targets.empty()) {
        problems.push_back({value.place(), event_path, "events cannot change this", std::string(changeable)});
        return std::nullopt;
    }
    Node changed = scene;
    for (const Path& target : targets) set_value_at(changed, target, value);
    try {
        SceneOptions<Dim> options = read_scene_options<Dim>(changed);
        scene = std::move(changed);
        return options;
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
        return std::nullopt;
    }
}

} // namespace

template <int Dim>
EventPlan<Dim>::EventPlan(const Node& resolved, const SceneOptions<Dim>& scene,
                          std::optional<std::filesystem::path> folder)
    : resolved_(resolved),
      makes_emitters_(folder.has_value()),
      folder_(folder.value_or(std::filesystem::path())),
      present_(resolved),
      options_(scene),
      own_emitters_(scene.emitters)
{
    // Without what events cannot change, so that copying and reading it again and again stays cheap.
    if (Node* events = resolved_.find("events")) *events = Node::list();
    for (const std::string_view key : {"events", "obstacles", "outflows", "probes", "render"})
        std::erase_if(present_.members(), [&](const Node::Member& member) { return member.key == key; });
}

template <int Dim>
PlannedEvent<Dim> EventPlan<Dim>::add(const EventOptions& event, const Path& path,
                                      std::vector<Problem>& problems)
{
    for (const auto& [target, value] : event.set.items) {
        const std::string event_path = (path / "set" / target).text();
        auto changed = try_set<Dim>(resolved_, present_, event_path, target, value, problems);
        if (!changed) continue;
        options_ = std::move(*changed);
        if (makes_emitters_ && Path(target).steps().front() == Path::Step("emitters"))
            change_emitters(event.time, event_path, problems);
    }
    return {event.time, options_, emitters_};
}

/// Those that are as they were stay what they are. New ones open when the event happens at the earliest.
template <int Dim>
void EventPlan<Dim>::change_emitters(double time, const std::string& event_path,
                                     std::vector<Problem>& problems)
{
    // While a scene is read it may not be known how fine it will be.
    const bool is_known =
        options_.spacing ||
        std::none_of(options_.bodies.begin(), options_.bodies.end(), [](const BodyOptions<Dim>& body) {
            const auto* fluid = std::get_if<FluidBodyOptions<Dim>>(&body);
            return fluid != nullptr && !fluid->spacing;
        });
    if (!is_known) return;
    if (!emitters_) {
        SceneOptions<Dim> at_first = options_;
        at_first.emitters = own_emitters_;
        emitters_ = emitters_of(at_first, {}, 0.0, event_path, problems);
    }
    emitters_ = emitters_of(options_, *emitters_, time, event_path, problems);
}

template <int Dim>
std::shared_ptr<const std::vector<Emitter<Dim>>>
EventPlan<Dim>::emitters_of(const SceneOptions<Dim>& scene, std::span<const Emitter<Dim>> present,
                            double time, const std::string& event_path, std::vector<Problem>& problems) const
{
    auto emitters = std::make_shared<std::vector<Emitter<Dim>>>();
    Findings findings(present_);
    try {
        ShapeMaker<Dim> shape_maker(folder_, findings);
        FlowMaker<Dim> flow_maker(scene, findings);
        flow_maker.make_shapes(shape_maker);
        findings.finish();
        const std::vector<ParticleSize> sizes = particle_sizes(scene);
        for (EmitterOptions<Dim> options : flow_maker.flows().emitters) {
            const auto same = std::find_if(present.begin(), present.end(), [&](const Emitter<Dim>& emitter) {
                return emitter.options().source == options.source;
            });
            if (same != present.end()) {
                emitters->push_back(*same);
                continue;
            }
            options.start = std::max(options.start, time);
            const std::pair key(options.source, options.start);
            if (const auto known = made_->by_key.find(key); known != made_->by_key.end()) {
                emitters->push_back(known->second);
                continue;
            }
            const ParticleSize& size = sizes.at(options.part);
            try {
                emitters->emplace_back(options, size.spacing, size.volume);
                made_->add(key, emitters->back());
            } catch (const InputError& error) {
                findings.add_problem(path_of({"emitters", emitters->size(), "shape"}), error.what(),
                                     "choose another shape");
                findings.finish();
            }
        }
    } catch (const SceneError& error) {
        constexpr std::string_view list = "emitters";
        for (const Problem& problem : error.problems())
            problems.push_back({problem.place, event_path + problem.path.substr(list.size()), problem.what,
                                problem.allowed});
    }
    return emitters;
}

template <int Dim>
void EventPlan<Dim>::add_body(const Node& body)
{
    resolved_.find("bodies")->items().push_back(body);
    Node present = body;
    // All bodies of a kind have one solver, also after it was changed.
    for (const Node& other : present_.find("bodies")->items())
        if (*other.find("type") == *body.find("type")) present.set("solver", *other.find("solver"));
    present_.find("bodies")->items().push_back(std::move(present));
    options_ = read_scene_options<Dim>(present_);
}

template <int Dim>
std::vector<PlannedEvent<Dim>> plan_events(const Node& resolved, const SceneOptions<Dim>& scene,
                                           const std::optional<std::filesystem::path>& folder,
                                           std::vector<Problem>& problems)
{
    if (scene.events.empty()) return {};
    std::vector<std::size_t> order(scene.events.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return scene.events[a].time < scene.events[b].time;
    });
    EventPlan<Dim> plan(resolved, scene, folder);
    std::vector<PlannedEvent<Dim>> planned;
    for (const std::size_t i : order)
        planned.push_back(plan.add(scene.events[i], path_of({"events", i}), problems));
    return planned;
}

template class EventPlan<2>;
template class EventPlan<3>;
template std::vector<PlannedEvent<2>> plan_events(const Node&, const SceneOptions<2>&,
                                                  const std::optional<std::filesystem::path>&,
                                                  std::vector<Problem>&);
template std::vector<PlannedEvent<3>> plan_events(const Node&, const SceneOptions<3>&,
                                                  const std::optional<std::filesystem::path>&,
                                                  std::vector<Problem>&);

} // namespace phyxel
