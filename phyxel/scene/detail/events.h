// SPDX-License-Identifier: MIT
// What events do to the parameters of a scene, worked out before the run.
#pragma once

#include <phyxel/scene/path.h>
#include <phyxel/scene/scene_options.h>

#include <any>
#include <array>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace phyxel {

/// What kinds remember of their sections.
template <int Dim>
using SectionMemory = std::map<const KindOf<Dim>*, std::any>;

/// What an event does to an obstacle.
template <int Dim>
struct PlannedObstacle {
    std::string name;
    MotionOptions<Dim> motion = {};
    WallSurfaceOptions<Dim> surface = {};
    SurfaceHeatOptions heat = {};
    bool is_moved = false; ///< in the way of `motion` from where it is
    bool is_removed = false;
};

/// What an event does; what it does not mention stays.
template <int Dim>
struct PlannedEvent {
    double time = 0.0; ///< [s]
    std::optional<std::array<Formula, Dim>> gravity = {};
    std::optional<std::vector<HandOptions<Dim>>> hands = {};
    std::vector<PlannedObstacle<Dim>> obstacles = {};
    std::vector<std::string> leaving = {};                  ///< bodies
    std::map<const KindOf<Dim>*, std::any> parameters = {}; ///< for Body::set_parameters, by the kind
};

/// What events have made of a scene so far. The cost of an event follows what it changes: of the scene only
/// the bodies, obstacles and lists that it names are read again.
template <int Dim>
class EventPlan {
public:
    /// `resolved` is the scene that the options were read from, `folder` that of the files that it names.
    /// Without one the scene is not ready to be built, and events are only checked.
    EventPlan(const Node& resolved, const SceneOptions<Dim>& scene, const Kinds& kinds,
              std::optional<std::filesystem::path> folder);

    /// Each sets paths of the resolved scene, as far as the description of what is there says that it may.
    /// What cannot be set or removed is added to the problems; `path` is that of the event.
    PlannedEvent<Dim> add(const EventOptions& event, const Path& path, std::vector<Problem>& problems);

    /// From now on there is one body more. It must be right beside the others.
    void add_body(const Node& body);

    /// The parameters from now on.
    const SceneOptions<Dim>& options() const { return options_; }
    /// The scene without any events, with all bodies that there are by now.
    const Node& resolved() const { return resolved_; }
    /// The scene from now on, as far as events can change it.
    const Node& present() const { return present_; }

private:
    /// What an event has changed so far.
    struct Changes {
        double time = 0.0; ///< [s]
        bool gravity = false;
        bool hands = false;
        std::set<std::size_t> bodies = {};
        std::map<std::size_t, bool> obstacles = {}; ///< and whether they are moved
        std::set<const KindOf<Dim>*> sections = {};
        std::vector<std::string> leaving = {};
    };
    struct Targets;

    void set(const std::string& event_path, const std::string& target, const Node& value, Changes& changes,
             std::vector<Problem>& problems);
    void remove(const std::string& event_path, const Node& name, Changes& changes,
                std::vector<Problem>& problems);
    void remove_joint(const KindOf<Dim>* owner, const std::string& joint, const std::string& event_path,
                      Changes& changes, std::vector<Problem>& problems);
    Targets targets_of(const Path& path);
    /// Whether a scene can have members of this key somewhere.
    bool is_key(const std::string& key);
    std::optional<double> removal_of(const Path& path) const;
    void assign(const Path& target, const Node& value, const Targets& targets);
    void note(const Path& target, const std::string& event_path, Changes& changes,
              std::vector<Problem>& problems);
    void change_section(const KindOf<Dim>* owner, const std::string& event_path, Changes& changes,
                        std::vector<Problem>& problems);
    PlannedEvent<Dim> planned(const Changes& changes) const;

    Node resolved_;
    Kinds kinds_;
    std::optional<std::filesystem::path> folder_;
    SceneOptions<Dim> first_; ///< as it was written
    Node present_;            ///< with all that was set
    SceneOptions<Dim> options_;
    SectionMemory<Dim> memory_;
    std::map<std::string, double> removed_joints_; ///< and when [s]
    std::optional<std::set<std::string>> keys_;    ///< of all scenes, once somebody asks
};

/// The events in the order in which they happen.
template <int Dim>
std::vector<PlannedEvent<Dim>>
plan_events(const Node& resolved, const SceneOptions<Dim>& scene, const Kinds& kinds,
            const std::optional<std::filesystem::path>& folder, std::vector<Problem>& problems);

} // namespace phyxel
