// SPDX-License-Identifier: MIT
// What events do to the parameters of a scene, worked out before the run.
#pragma once

#include <phyxel/scene/path.h>
#include <phyxel/scene/scene_options.h>

#include <any>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// What kinds remember of their sections, by the name of the kind.
using SectionMemory = std::map<std::string, std::any>;

/// The scene's parameters from some time on. Only those that events may change count.
template <int Dim>
struct PlannedEvent {
    double time = 0.0; ///< [s]
    SceneOptions<Dim> after;
    SectionMemory memory = {};
};

/// What events have made of a scene so far.
template <int Dim>
class EventPlan {
public:
    /// `resolved` is the scene that the options were read from, `folder` that of the files that it names.
    /// Without one nothing is made of sections, as their shapes may be in such files.
    EventPlan(const Node& resolved, const SceneOptions<Dim>& scene, const Kinds& kinds,
              std::optional<std::filesystem::path> folder);

    /// Each sets paths of the resolved scene, as far as the description of what is there says that it may.
    /// What cannot be set is added to the problems; `path` is that of the event.
    PlannedEvent<Dim> add(const EventOptions& event, const Path& path, std::vector<Problem>& problems);

    /// From now on there is one body more. It must be right beside the others.
    void add_body(const Node& body);

    /// The parameters from now on.
    const SceneOptions<Dim>& options() const { return options_; }
    /// The scene from now on, as far as events can change it.
    const Node& present() const { return present_; }

private:
    void set(double time, const std::string& event_path, const std::string& target, const Node& value,
             std::vector<Problem>& problems);
    std::vector<Path> targets_of(const Path& path) const;
    const KindOf<Dim>* owner_of(const Path& path) const;

    Node resolved_;
    Kinds kinds_;
    std::optional<std::filesystem::path> folder_;
    SceneOptions<Dim> first_; ///< as it was written
    Node present_;            ///< with all that was set
    SceneOptions<Dim> options_;
    SectionMemory memory_;
};

/// The events in the order in which they happen.
template <int Dim>
std::vector<PlannedEvent<Dim>>
plan_events(const Node& resolved, const SceneOptions<Dim>& scene, const Kinds& kinds,
            const std::optional<std::filesystem::path>& folder, std::vector<Problem>& problems);

} // namespace phyxel
