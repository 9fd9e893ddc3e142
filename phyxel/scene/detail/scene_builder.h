// SPDX-License-Identifier: MIT
// From a scene to a world: asks the kinds of its bodies in turn, and does what is the same for all of them.
#pragma once

#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/kind_builder.h>

#include <any>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// A body that was built alone, for a world that is there.
struct BuiltPart {
    Node resolved; ///< the body with all that was chosen
    std::any part; ///< for Body::expect
    std::vector<std::string> warnings;
};

template <int Dim>
class SceneBuilder {
public:
    SceneBuilder(const Scene::Content& content, const SceneOptions<Dim>& options, const Machine& machine,
                 const FrameRange& frames, const WorkBudget& work = {});

    BuiltScene build(Fault fault = Fault::None);
    SceneCheck check();

    /// The first body alone.
    BuiltPart build_part();

private:
    using Planned = PlannedBody<Dim>;

    /// In the order of the world.
    std::vector<Planned*> bodies() const;
    double smallest_spacing() const;

    // build.cpp
    void prepare(bool for_world);
    void give_up();
    void make_clock_and_domain();
    void find_ignored();
    void make_shapes();
    void make_obstacles();
    std::vector<PlannedEvent<Dim>> planned_events(const Node& resolved,
                                                  const std::optional<std::filesystem::path>& folder);
    RunPlan run_plan() const;
    void estimate();
    Node resolve();
    void describe_particles();
    void spend_on_boundaries(const std::vector<std::unique_ptr<Body<Dim>>>& world_bodies);
    BuiltScene make_world();

    // build_spacing.cpp
    bool has_memory_for(const std::vector<double>& counts, const Path& path);
    std::vector<double> box_sides(bool only_at_walls, double spacing) const;
    double spacing_that_fills_boxes(double wanted);
    double spacing_of(const std::vector<Shape<Dim>>& shapes, std::uint64_t count, const Path& path);
    double spacing_of_bodies(const std::vector<Planned*>& bodies, std::uint64_t count, const Path& path);
    void choose_spacing();
    void check_particle_count();

    // build_filling.cpp
    void fill_shapes();
    void make_room();
    void set_velocities();
    void set_velocities(Planned& body, const Vec<Dim>& center);

    // build_speed.cpp
    double obstacle_speed(const std::vector<PlannedEvent<Dim>>& events);
    double speed_under(const std::array<Formula, Dim>& gravity, const Box<Dim>& bounds, double initial_speed);
    void find_later_options();
    void choose_speed();

    // build_warnings.cpp
    void warn_of_frequent_probes(const RunPlan& plan);
    void warn_of_overlaps();
    void check_forms();
    void check_periods();
    void warn_of_strangers();
    void warn_of_thin_shapes();
    void warn_of_endless_fall();
    void warn_of_probes_beside_bodies();
    void warn_of_hands_beside_bodies();
    void warn_of_probes_beside_everything();
    void warn_of_long_step();
    void warn_of_late_events();

    /// The first id of the bodies of a kind. Whoever comes later goes on giving ids, so each kind has room.
    static std::uint64_t first_id(std::size_t kind) { return std::uint64_t(kind) << 48; }

    BuildContext<Dim> context_;
    std::vector<std::unique_ptr<KindBuilder<Dim>>> kinds_; ///< of the bodies of the scene
    double shared_spacing_ = 0.0;                          ///< of bodies that have none of their own
    Estimate estimate_;
};

} // namespace phyxel
