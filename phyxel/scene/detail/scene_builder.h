// SPDX-License-Identifier: MIT
// From a scene to a world, part by part: every file build_*.cpp has the members of one of them.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/detail/findings.h>
#include <phyxel/scene/detail/flow_maker.h>
#include <phyxel/scene/detail/preflight.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/scene.h>
#include <phyxel/world/fluid_body.h>
#include <phyxel/world/world.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

template <int Dim>
class SceneBuilder {
public:
    SceneBuilder(const Scene::Content& content, const SceneOptions<Dim>& options, const Machine& machine,
                 const FrameRange& frames)
        : content_(content),
          scene_(options),
          machine_(machine),
          frames_(frames),
          findings_(content.resolved),
          flow_maker_(scene_, findings_)
    {
    }

    /// Each part relies on what the ones before have found right.
    BuiltScene build();

private:
    /// A fluid on its way from options to particles.
    struct Fluid {
        FluidBodyOptions<Dim>* options;
        Path path;
        std::optional<Shape<Dim>> shape;
        double spacing = 0.0;
        std::vector<Vec<Dim>> positions = {};
        std::vector<Vec<Dim>> velocities = {};
    };

    double solver_support_ratio() const
    {
        return std::visit([](const auto& settings) { return settings.options.support_ratio; },
                          *fluids_.front().options->solver);
    }
    bool solver_is_iterative() const
    {
        return std::holds_alternative<DfsphSettings>(*fluids_.front().options->solver);
    }
    double smallest_spacing() const
    {
        double smallest = fluids_.front().spacing;
        for (const Fluid& fluid : fluids_) smallest = std::min(smallest, fluid.spacing);
        return smallest;
    }
    double largest_spacing() const
    {
        double largest = fluids_.front().spacing;
        for (const Fluid& fluid : fluids_) largest = std::max(largest, fluid.spacing);
        return largest;
    }

    /// Where the user sets how many particles there are.
    Path resolution_path() const
    {
        return path_of({content_.resolved.find("spacing") != nullptr ? "spacing" : "count"});
    }

    // build.cpp
    void make_clock_and_domain();
    void make_shapes();
    std::vector<PlannedEvent<Dim>> planned_events(const Node& resolved);
    FluidOptions solver_options(const SolverSettings& settings) const;
    std::vector<std::string> frame_fields() const;
    void estimate();
    Probe<Dim> probe_of(const ProbeOptions<Dim>& options) const;
    Event<Dim> event_of(const PlannedEvent<Dim>& planned) const;
    Node resolve();
    BuiltScene make_world();

    // build_spacing.cpp
    std::vector<int> periodic_axes() const;
    std::optional<double> fitting_spacing(double wanted) const;
    bool has_memory_for(std::uint64_t particles, double support_ratio, const Path& path);
    double spacing_that_fills_boxes(double wanted) const;
    double spacing_of(const std::vector<Shape<Dim>>& shapes, std::uint64_t count, const Path& path);
    double spacing_of_bodies(const std::vector<std::size_t>& bodies, std::uint64_t count, const Path& path);
    void choose_spacing();
    void check_periodic_lengths();
    void check_periodic_length(double length, double spacing, const Path& path);
    void check_particle_count();
    double emitted_count() const;

    // build_filling.cpp
    void leave_out_near_walls(Fluid& fluid);
    void fill_shapes();
    void set_velocities();
    std::vector<ParticleSize> particle_sizes() const;
    void make_emitters();

    // build_speed.cpp
    Box<Dim> fluid_bounds() const;
    std::vector<double> sample_times(bool is_constant) const;
    double obstacle_speed();
    double speed_under(const std::array<Formula, Dim>& gravity, double initial_speed);
    void choose_speed();

    // build_warnings.cpp
    void warn_of_frequent_probes(const detail::RunPlan& plan);
    void warn_of_overlaps();
    void warn_of_thin_shapes();
    void warn_of_obstacles_at_periodic_sides();
    void warn_of_probes_beside_bodies();
    void warn_of_long_step();
    void warn_of_late_events();
    void warn_of_compression(FluidBody<Dim>& fluid, const Surroundings<Dim>& surroundings);

    const Scene::Content& content_;
    SceneOptions<Dim> scene_;
    Machine machine_;
    FrameRange frames_;
    Findings findings_;
    FlowMaker<Dim> flow_maker_;
    ClockOptions clock_;
    Domain<Dim> domain_;
    std::vector<Fluid> fluids_;
    std::vector<MovingObstacle<Dim>> obstacles_;
    double shared_spacing_ = 0.0; ///< of fluids that have none of their own
    std::uint64_t filled_ = 0;    ///< particles at the start but for those of emitters
    Estimate estimate_;
    Node derived_ = Node::object();
};

} // namespace phyxel
