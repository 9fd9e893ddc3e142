// SPDX-License-Identifier: MIT
#include <phyxel/scene/live_scene.h>

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/scene/detail/event_maker.h>
#include <phyxel/scene/detail/scene_builder.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/findings.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <variant>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view scene_section = "sitting/scene";

/// What was done to a scene, and what its own events will still do.
template <int Dim>
struct Sitting {
    Sitting(const Node& resolved, const SceneOptions<Dim>& options, const Kinds& all_kinds,
            const fs::path& folder)
        : plan(resolved, options, all_kinds, folder),
          to_come(options.events)
    {
        for (const auto& kind : all_kinds.of<Dim>())
            if (std::any_of(options.bodies.begin(), options.bodies.end(),
                            [&](const BodyOptions<Dim>& body) { return body.kind == kind.get(); }))
                kinds.push_back(kind.get());
        for (const BodyOptions<Dim>& body : options.bodies)
            if (const std::optional<double>& start = body.basics().start)
                expected.emplace_back(std::string(body.name()), *start);
        std::stable_sort(to_come.begin(), to_come.end(),
                         [](const EventOptions& a, const EventOptions& b) { return a.time < b.time; });
    }

    EventPlan<Dim> plan;              ///< with all of `done`
    std::vector<EventOptions> done;   ///< has happened, or will before anything else can be done
    std::vector<Event<Dim>> due = {}; ///< the latter of them
    std::vector<EventOptions> to_come;
    std::vector<std::pair<std::string, double>> expected = {}; ///< bodies of the scene that join, and when
    std::vector<const KindOf<Dim>*> kinds = {};                ///< of the bodies of the world
};

/// Lets something happen at the next time that is possible: `make` changes the plan and adds the events.
/// Throws a SceneError with every problem; then nothing has changed.
template <int Dim>
void change(World<Dim>& world, Sitting<Dim>& sitting,
            const std::function<void(EventPlan<Dim>&, std::vector<Event<Dim>>&, std::vector<Problem>&)>& make)
{
    const double when = world.next_change_time();
    std::vector<Problem> problems;
    EventPlan<Dim> plan = sitting.plan;
    std::vector<Event<Dim>> due = sitting.due;
    std::erase_if(due, [&](const Event<Dim>& event) { return event.time <= world.time(); });
    // The scene's own events until then, of which the world has done those until now.
    const auto next = std::find_if(sitting.to_come.begin(), sitting.to_come.end(),
                                   [&](const EventOptions& event) { return event.time > when; });
    for (auto event = sitting.to_come.begin(); event != next; ++event) {
        const PlannedEvent<Dim> planned = plan.add(*event, {}, problems);
        if (event->time > world.time()) add_event<Dim>(planned, sitting.kinds, due);
    }
    make(plan, due, problems);
    // Bodies of the scene itself that have not come yet. Of those that join at one time they are the first,
    // as they are in the scene that is recorded.
    std::vector<Event<Dim>> events;
    for (const auto& [name, start] : sitting.expected)
        if (start > world.time()) events.push_back(joining_event<Dim>(name, start));
    events.insert(events.end(), due.begin(), due.end());
    // What comes later comes on top of it.
    EventPlan<Dim> rest = plan;
    for (auto event = next; event != sitting.to_come.end(); ++event)
        add_event<Dim>(rest.add(*event, {}, problems), sitting.kinds, events);
    if (!problems.empty()) throw SceneError(std::move(problems));

    world.set_events_to_come(std::move(events));
    sitting.plan = std::move(plan);
    sitting.due = std::move(due);
    std::move(sitting.to_come.begin(), next, std::back_inserter(sitting.done));
    sitting.to_come.erase(sitting.to_come.begin(), next);
}

/// The body of the world that holds those of a kind.
template <int Dim>
Body<Dim>& body_of(World<Dim>& world, std::span<const KindOf<Dim>* const> kinds, std::string_view kind)
{
    const auto found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto* k) { return k->name == kind; });
    return world.body(static_cast<std::size_t>(found - kinds.begin()));
}

Node node_of(const EventOptions& event)
{
    Node node = Node::object({{"time", event.time}});
    if (event.set) {
        Node set = Node::object();
        for (const auto& [path, value] : event.set->items) set.set(path, value);
        node.set("set", std::move(set));
    }
    if (event.remove) node.set("remove", Node::list(event.remove->names));
    return node;
}

/// Of all that a scene of obstacles and a body ignore, what is in it.
void keep_ignored_pairs(Node& scene, Node& body)
{
    Node* obstacles = scene.find("obstacles");
    const auto is_obstacle = [&](const std::string& name) {
        return obstacles != nullptr &&
               std::any_of(obstacles->items().begin(), obstacles->items().end(),
                           [&](const Node& obstacle) { return obstacle.find("name")->text() == name; });
    };
    if (Node* ignores = body.find("ignores"))
        std::erase_if(ignores->items(), [&](const Node& name) { return !is_obstacle(name.text()); });
    if (obstacles == nullptr) return;
    for (Node& obstacle : obstacles->items())
        std::erase_if(obstacle.members(), [](const Node::Member& member) { return member.key == "ignores"; });
}

/// Makes paths of files relative to another folder.
void move_files(Node& node, const fs::path& from, const fs::path& to)
{
    if (node.is_list()) {
        for (Node& item : node.items()) move_files(item, from, to);
    } else if (node.is_object()) {
        for (Node::Member& member : node.members()) {
            if (member.key != "mesh" || !member.value.is_text())
                move_files(member.value, from, to);
            else if (const fs::path file = member.value.text(); file.is_relative())
                member.value = whole_path(from / file).lexically_relative(whole_path(to)).generic_string();
        }
    }
}

} // namespace

struct LiveScene::Implementation {
    Implementation(Scene given, const Machine& given_machine, const WorkBudget& work)
        : scene(std::move(given)),
          machine(given_machine),
          built(build_scene(scene, machine, {}, work)),
          sitting(scene.dimension() == 2
                      ? std::variant<Sitting<2>, Sitting<3>>(make_sitting<2>(built.resolved))
                      : std::variant<Sitting<2>, Sitting<3>>(make_sitting<3>(built.resolved)))
    {
    }

    /// From the resolved scene, which has all that was chosen while it was built.
    template <int Dim>
    Sitting<Dim> make_sitting(const Node& resolved) const
    {
        return {resolved, read_scene_options<Dim>(resolved, scene.kinds()), scene.kinds(),
                scene.content().folder};
    }

    double now() const
    {
        return std::visit([](const auto& world) { return world->time(); }, built.world);
    }

    double next_change_time() const
    {
        return std::visit([](const auto& world) { return world->next_change_time(); }, built.world);
    }

    /// What the scene itself has done until now is done. Nothing that somebody did comes later than what the
    /// scene still has in store, so that the order stays.
    void settle()
    {
        std::visit(
            [&]<int Dim>(Sitting<Dim>& present) {
                const auto next =
                    std::find_if(present.to_come.begin(), present.to_come.end(),
                                 [this](const EventOptions& event) { return event.time > now(); });
                std::vector<Problem> problems; // none: it has happened
                for (auto event = present.to_come.begin(); event != next; ++event)
                    (void)present.plan.add(*event, {}, problems);
                std::move(present.to_come.begin(), next, std::back_inserter(present.done));
                present.to_come.erase(present.to_come.begin(), next);
            },
            sitting);
    }

    /// With what was done, and what the scene itself does until then.
    template <class Ask>
    auto ask_plan(double then, const Ask& ask)
    {
        settle();
        return std::visit(
            [&]<int Dim>(const Sitting<Dim>& present) {
                EventPlan<Dim> plan = present.plan;
                std::vector<Problem> problems; // none: it happens
                for (const EventOptions& event : present.to_come)
                    if (event.time <= then) (void)plan.add(event, {}, problems);
                return ask(plan);
            },
            sitting);
    }

    /// Another body of the same type.
    const Node* find_alike(const Node& body) const
    {
        const Node* type = body.find("type");
        for (const Node& other : built.resolved.find("bodies")->items())
            if (type != nullptr && *other.find("type") == *type) return &other;
        return nullptr;
    }

    /// A body of the scene as if it were the only one. Throws a SceneError.
    template <int Dim>
    BuiltPart build_alone(const Node& body) const
    {
        const Kinds& kinds = scene.kinds();
        Node alone = built.resolved;
        const std::vector<std::string_view> kept = {"dimension", "duration", "frame_rate",
                                                    "gravity",   "seed",     "spacing",
                                                    "time_step", "domain",   "obstacles"};
        std::erase_if(alone.members(), [&](const Node::Member& member) {
            return std::find(kept.begin(), kept.end(), member.key) == kept.end();
        });
        Node first = body;
        std::erase_if(first.members(), [](const Node::Member& member) { return member.key == "start"; });
        if (const Node* solver = find_alike(body)->find("solver")) first.set("solver", *solver);
        keep_ignored_pairs(alone, first);
        alone.set("bodies", Node::list({first}));
        const double start = body.find("start")->number();
        alone.set("duration", std::max(start + 1.0, alone.find("duration")->number()));
        SceneOptions<Dim> options = read_scene_options<Dim>(alone, kinds);
        options.bodies.front().basics().start = start;
        const Scene::Content content{kinds, scene.content().name, scene.content().folder, alone, options};
        return SceneBuilder<Dim>(content, options, machine, {}).build_part();
    }

    template <int Dim>
    World<Dim>& world()
    {
        return *std::get<std::unique_ptr<World<Dim>>>(built.world);
    }

    Scene scene;
    Machine machine;
    BuiltScene built;
    std::variant<Sitting<2>, Sitting<3>> sitting;
};

LiveScene::LiveScene(Scene scene, const Machine& machine, const WorkBudget& work)
    : implementation_(std::make_unique<Implementation>(std::move(scene), machine, work))
{
}
LiveScene::LiveScene(LiveScene&&) noexcept = default;
LiveScene& LiveScene::operator=(LiveScene&&) noexcept = default;
LiveScene::~LiveScene() = default;

const Scene& LiveScene::scene() const { return implementation_->scene; }
BuiltScene& LiveScene::built() { return implementation_->built; }
const BuiltScene& LiveScene::built() const { return implementation_->built; }

double LiveScene::next_change_time() const { return implementation_->next_change_time(); }

void LiveScene::set(std::vector<std::pair<std::string, Node>> assignments)
{
    std::visit(
        [&]<int Dim>(Sitting<Dim>& sitting) {
            World<Dim>& world = implementation_->world<Dim>();
            EventOptions event{.time = world.next_change_time(),
                               .set = EventAssignments{std::move(assignments)}};
            change<Dim>(
                world, sitting,
                [&](EventPlan<Dim>& plan, std::vector<Event<Dim>>& due, std::vector<Problem>& problems) {
                    add_event<Dim>(plan.add(event, {}, problems), sitting.kinds, due);
                });
            sitting.done.push_back(std::move(event));
        },
        implementation_->sitting);
}

void LiveScene::add_body(Node body)
{
    std::visit(
        [&]<int Dim>(Sitting<Dim>& sitting) {
            Implementation& self = *implementation_;
            World<Dim>& world = self.world<Dim>();
            if (!body.is_object()) throw InputError("a body is an object");
            if (const Node* type = body.find("type");
                type != nullptr && type->is_text() && self.find_alike(body) == nullptr)
                throw InputError("there is no " + type->text() + " in this scene that it could be like");
            const double when = world.next_change_time();
            body.set("start", when);
            Node scene = self.built.resolved;
            scene.find("bodies")->items().push_back(body);
            static_cast<void>(read_scene_options<Dim>(
                scene, self.scene.kinds())); // what is wrong with it beside the others

            BuiltPart made = self.build_alone<Dim>(body);
            const std::string kind = made.resolved.find("type")->text();
            Body<Dim>& others = body_of<Dim>(world, sitting.kinds, kind);
            // Beyond a wall, in an obstacle, or too thin for its spacing: in a scene that is worth a warning.
            const std::string shape = "bodies[0].shape: ";
            if (self.scene.kinds().find<Dim>(kind)->can.join_whole)
                for (const std::string& warning : made.warnings)
                    if (const std::size_t found = warning.find(shape); found != std::string::npos)
                        throw InputError(warning.substr(found + shape.size()));
            if (const auto refusal = others.refusal_of(made.part)) throw InputError(*refusal);
            Node resolved = made.resolved;
            if (const Node* ignores = body.find("ignores")) {
                resolved.set("ignores", *ignores);
                for (const Node& other : ignores->items())
                    world.ignore(resolved.find("name")->text(), other.text());
            }
            change<Dim>(world, sitting,
                        [&](EventPlan<Dim>& plan, std::vector<Event<Dim>>& due, std::vector<Problem>&) {
                            plan.add_body(resolved);
                            others.expect(std::move(made.part));
                            due.push_back(joining_event<Dim>(resolved.find("name")->text(), when));
                        });
            self.built.resolved.find("bodies")->items().push_back(resolved);
        },
        implementation_->sitting);
}

std::vector<ChangeableParameter> LiveScene::parameters() const
{
    return implementation_->ask_plan(implementation_->now(), [](const auto& plan) {
        std::vector<ChangeableParameter> all = changeable_parameters(plan.options());
        for (ChangeableParameter& parameter : all)
            parameter.can_be_unset =
                parameter.can_be_unset && find_value(plan.resolved(), Path(parameter.path)) == nullptr;
        return all;
    });
}

Node LiveScene::hands() const
{
    return implementation_->ask_plan(next_change_time(),
                                     [](const auto& plan) { return write_hands(plan.options()); });
}

Node LiveScene::emitters() const
{
    return implementation_->ask_plan(next_change_time(), [&](const auto& plan) {
        const Node* emitters = plan.present().find(emitters_key());
        return emitters != nullptr ? *emitters : Node::list();
    });
}

std::string LiveScene::emitters_key() const
{
    for (const auto& kind : scene().kinds().of<3>())
        if (!kind->can.be_fed_by.empty()) return std::string(kind->can.be_fed_by);
    return {};
}

Node LiveScene::body(std::string_view name) const
{
    return implementation_->ask_plan(implementation_->now(), [&](const auto& plan) {
        for (const Node& body : plan.present().find("bodies")->items())
            if (body.find("name")->text() == name) return body;
        throw InputError("there is no body \"" + std::string(name) + '"');
    });
}

Node LiveScene::recorded(const fs::path& folder) const
{
    const Implementation& self = *implementation_;
    Node scene = self.built.resolved;
    std::vector<Node> events;
    std::visit(
        [&](const auto& sitting) {
            // What the scene has in store for a time comes before what was done then, as it did.
            std::vector<const EventOptions*> all;
            for (const EventOptions& event : sitting.done) all.push_back(&event);
            for (const EventOptions& event : sitting.to_come) all.push_back(&event);
            for (const EventOptions* event : all) events.push_back(node_of(*event));
        },
        self.sitting);
    scene.set("events", Node::list(std::move(events)));
    scene.set("duration", std::max(self.now(), scene.find("duration")->number()));
    move_files(scene, self.scene.content().folder, folder);
    return scene;
}

void LiveScene::save(CheckpointWriter& checkpoint, const fs::path& folder) const
{
    std::visit([&](const auto& world) { world->save(checkpoint); }, implementation_->built.world);
    checkpoint.add_text(scene_section, to_text(recorded(folder)) + "\n");
}

void LiveScene::load(const CheckpointReader& checkpoint)
{
    // What events did until then is part of the plan as soon as somebody asks; see `ask_plan` and `change`.
    std::visit([&](const auto& world) { world->load(checkpoint); }, implementation_->built.world);
}

std::string scene_of(const CheckpointReader& checkpoint)
{
    if (!checkpoint.contains(scene_section))
        throw InputError("the checkpoint is one of a run, and has no scene of its own");
    return checkpoint.text(scene_section);
}

} // namespace phyxel
