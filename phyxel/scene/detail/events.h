// SPDX-License-Identifier: MIT
// What events do to the parameters of a scene, worked out before the run.
#pragma once

#include <phyxel/fluid/emitter.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/path.h>

#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

/// The scene's parameters from some time on. Only those that events may change count.
template <int Dim>
struct PlannedEvent {
    double time = 0.0; ///< [s]
    SceneOptions<Dim> after;
    std::shared_ptr<const std::vector<Emitter<Dim>>> emitters = {}; ///< once an event has changed them
};

// The numbers that events may change.
inline constexpr std::array<std::string_view, 11> changeable_solver_keys_of_fluids = {
    "compressibility", "exponent",           "negative_pressure",    "artificial_viscosity",
    "courant_number",  "density_tolerance",  "divergence_tolerance", "max_iterations",
    "max_speed",       "velocity_smoothing", "particle_shifting"};
inline constexpr std::array<std::string_view, 6> changeable_solver_keys_of_solids = {
    "stabilization", "courant_number", "time_step", "tolerance", "newton_iterations", "linear_iterations"};

inline constexpr std::array<std::string_view, 1> changeable_material_keys_of_fluids = {"viscosity"};
inline constexpr std::array<std::string_view, 6> changeable_material_keys_of_solids = {
    "youngs_modulus", "poisson_ratio", "volume_stiffness", "damping", "viscosity", "friction"};

/// What events have made of a scene so far.
template <int Dim>
class EventPlan {
public:
    /// `resolved` is the scene that the options were read from, `folder` that of the files that it names.
    /// Without one no emitters are made, as their shapes may be in such files.
    EventPlan(const Node& resolved, const SceneOptions<Dim>& scene,
              std::optional<std::filesystem::path> folder);

    /// Each sets paths of the resolved scene: gravity, hands, emitters, numbers of materials and of solvers.
    /// What cannot be set is added to the problems; `path` is that of the event.
    PlannedEvent<Dim> add(const EventOptions& event, const Path& path, std::vector<Problem>& problems);

    /// From now on there is one body more. It must be right beside the others.
    void add_body(const Node& body);

    /// The parameters from now on.
    const SceneOptions<Dim>& options() const { return options_; }
    /// The scene from now on, as far as events can change it.
    const Node& present() const { return present_; }

private:
    void change_emitters(double time, const std::string& event_path, std::vector<Problem>& problems);
    std::shared_ptr<const std::vector<Emitter<Dim>>> emitters_of(const SceneOptions<Dim>& scene,
                                                                 std::span<const Emitter<Dim>> present,
                                                                 double time, const std::string& event_path,
                                                                 std::vector<Problem>& problems) const;

    Node resolved_;
    bool makes_emitters_;
    std::filesystem::path folder_;
    Node present_; ///< with all that was set
    SceneOptions<Dim> options_;
    std::vector<EmitterSettings<Dim>> own_emitters_; ///< of the scene itself
    std::shared_ptr<const std::vector<Emitter<Dim>>> emitters_;

    /// Those that were made, by what from and since when they are open. Copies share them: a plan is made
    /// again with every touch, and an emitter takes a while.
    struct MadeEmitters {
        static constexpr std::size_t most_columns = 1'000'000; // some 50 MB

        void add(const std::pair<std::string, double>& key, const Emitter<Dim>& emitter)
        {
            column_count += emitter.column_count();
            if (column_count > most_columns) {
                by_key.clear();
                column_count = emitter.column_count();
            }
            by_key.emplace(key, emitter);
        }

        std::map<std::pair<std::string, double>, Emitter<Dim>> by_key = {};
        std::size_t column_count = 0; ///< of all of them
    };
    std::shared_ptr<MadeEmitters> made_ = std::make_shared<MadeEmitters>();
};

/// The events in the order in which they happen.
template <int Dim>
std::vector<PlannedEvent<Dim>> plan_events(const Node& resolved, const SceneOptions<Dim>& scene,
                                           const std::optional<std::filesystem::path>& folder,
                                           std::vector<Problem>& problems);

} // namespace phyxel
