// SPDX-License-Identifier: MIT
#include <phyxel/scene/live_scene.h>

#include <phyxel/core/assert.h>
#include <phyxel/scene/detail/event_maker.h>
#include <phyxel/scene/detail/findings.h>

#include <algorithm>
#include <system_error>
#include <variant>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

/// What was done to a scene, and what its own events will still do.
template <int Dim>
struct Sitting {
    Sitting(const Node& resolved, const SceneOptions<Dim>& options)
        : plan(resolved, options),
          to_come(options.events)
    {
        std::stable_sort(to_come.begin(), to_come.end(),
                         [](const EventOptions& a, const EventOptions& b) { return a.time < b.time; });
    }

    EventPlan<Dim> plan;
    std::vector<EventOptions> done;
    std::vector<EventOptions> to_come;
};

Node node_of(const EventOptions& event)
{
    Node set = Node::object();
    for (const auto& [path, value] : event.set.items) set.set(path, value);
    return Node::object({{"time", event.time}, {"set", std::move(set)}});
}

fs::path whole_path(const fs::path& path)
{
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path : whole;
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
    Implementation(Scene given, const Machine& machine)
        : scene(std::move(given)),
          built(build_scene(scene, machine)),
          sitting(scene.dimension() == 2
                      ? std::variant<Sitting<2>, Sitting<3>>(make_sitting<2>(built.resolved))
                      : std::variant<Sitting<2>, Sitting<3>>(make_sitting<3>(built.resolved)))
    {
    }

    /// From the resolved scene, which has all that was chosen while it was built.
    template <int Dim>
    static Sitting<Dim> make_sitting(const Node& resolved)
    {
        return {resolved, read_scene_options<Dim>(resolved)};
    }

    template <int Dim>
    World<Dim>& world()
    {
        return *std::get<std::unique_ptr<World<Dim>>>(built.world);
    }

    Scene scene;
    BuiltScene built;
    std::variant<Sitting<2>, Sitting<3>> sitting;
};

LiveScene::LiveScene(Scene scene, const Machine& machine)
    : implementation_(std::make_unique<Implementation>(std::move(scene), machine))
{
}
LiveScene::LiveScene(LiveScene&&) noexcept = default;
LiveScene& LiveScene::operator=(LiveScene&&) noexcept = default;
LiveScene::~LiveScene() = default;

const Scene& LiveScene::scene() const { return implementation_->scene; }
BuiltScene& LiveScene::built() { return implementation_->built; }
const BuiltScene& LiveScene::built() const { return implementation_->built; }

void LiveScene::set(std::vector<std::pair<std::string, Node>> assignments)
{
    std::visit(
        [&]<int Dim>(Sitting<Dim>& sitting) {
            World<Dim>& world = implementation_->world<Dim>();
            PHYXEL_ASSERT(world.is_at_frame());
            std::vector<Problem> problems;
            const auto next =
                std::find_if(sitting.to_come.begin(), sitting.to_come.end(),
                             [&](const EventOptions& event) { return event.time > world.time(); });
            for (auto event = sitting.to_come.begin(); event != next; ++event) {
                (void)sitting.plan.add(*event, {},
                                       problems); // has happened, so there is nothing wrong with it
                sitting.done.push_back(std::move(*event));
            }
            sitting.to_come.erase(sitting.to_come.begin(), next);

            EventPlan<Dim> plan = sitting.plan;
            EventOptions event{.time = world.time(), .set = {std::move(assignments)}};
            const PlannedEvent<Dim> planned = plan.add(event, {}, problems);
            if (!problems.empty()) throw SceneError(std::move(problems));
            // What comes later comes on top of it.
            std::vector<Event<Dim>> later;
            EventPlan<Dim> rest = plan;
            for (const EventOptions& other : sitting.to_come)
                later.push_back(make_event(rest.add(other, {}, problems)));
            if (!problems.empty()) throw SceneError(std::move(problems));

            world.do_now(make_event(planned), std::move(later));
            sitting.plan = std::move(plan);
            sitting.done.push_back(std::move(event));
        },
        implementation_->sitting);
}

std::vector<ChangeableParameter> LiveScene::parameters() const
{
    return std::visit([](const auto& sitting) { return changeable_parameters(sitting.plan.options()); },
                      implementation_->sitting);
}

Node LiveScene::hands() const
{
    return std::visit([](const auto& sitting) { return write_hands(sitting.plan.options()); },
                      implementation_->sitting);
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
    const double now = std::visit([](const auto& world) { return world->time(); }, self.built.world);
    scene.set("duration", std::max(now, scene.find("duration")->number()));
    move_files(scene, self.scene.content().folder, folder);
    return scene;
}

} // namespace phyxel
