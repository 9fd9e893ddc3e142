// SPDX-License-Identifier: MIT
// From a scene to a world, part by part: every file build_*.cpp has the members of one of them.
#pragma once

#include <phyxel/fluid/ghost_wall.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/detail/findings.h>
#include <phyxel/scene/detail/flow_maker.h>
#include <phyxel/scene/detail/preflight.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/detail/shape_maker.h>
#include <phyxel/scene/scene.h>
#include <phyxel/world/fluid_body.h>
#include <phyxel/world/solid_body.h>
#include <phyxel/world/world.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// The bodies of a scene, ready for a world.
template <int Dim>
struct BuiltParts {
    std::vector<FluidPart<Dim>> fluids;
    std::vector<SolidPart<Dim>> solids;
    Node resolved; ///< the scene with all that was chosen
    std::vector<std::string> warnings;
};

template <int Dim>
class SceneBuilder {
public:
    SceneBuilder(const Scene::Content& content, const SceneOptions<Dim>& options, const Machine& machine,
                 const FrameRange& frames, const WorkBudget& work = {})
        : content_(content),
          scene_(options),
          machine_(machine),
          frames_(frames),
          work_(work),
          findings_(content.resolved),
          shape_maker_(content.folder, findings_),
          flow_maker_(scene_, findings_, work)
    {
    }

    BuiltScene build();
    SceneCheck check();

    /// The bodies alone, for a world that is there.
    BuiltParts<Dim> build_parts();

private:
    /// A body on its way from options to particles.
    struct PlannedBody {
        std::string name;
        Path path;
        std::size_t number = 0; ///< among those of its kind
        std::optional<Shape<Dim>> shape = {};
        std::optional<double>* own_spacing = nullptr; ///< in the options
        std::optional<std::uint64_t>* own_count = nullptr;
        bool is_box = false;
        std::optional<double> start = {}; ///< when it joins [s]
        double spacing = 0.0;
        std::uint64_t expected_count = 0;     ///< of particles, before they are there
        std::vector<Vec<Dim>> positions = {}; ///< of particles; of a solid a copy of those of its phyxels
        std::vector<Vec<Dim>> velocities = {};
    };
    struct Fluid : PlannedBody {
        FluidBodyOptions<Dim>* options = nullptr;
    };
    struct Solid : PlannedBody {
        SolidBodyOptions<Dim>* options = nullptr;
        std::vector<Shape<Dim>> region_shapes = {};
        PhyxelCloud<Dim> phyxels = {};
        std::vector<SolidRegion<Dim>> regions = {};
        SolidSkin skin = {};
        std::size_t surface_points = 0; ///< of the skin, also once it was taken
        std::size_t surface_triangles = 0;
    };

    /// Fluids first, as in the world.
    std::vector<const PlannedBody*> bodies() const
    {
        std::vector<const PlannedBody*> all;
        for (const Fluid& fluid : fluids_) all.push_back(&fluid);
        for (const Solid& solid : solids_) all.push_back(&solid);
        return all;
    }
    std::vector<PlannedBody*> bodies()
    {
        std::vector<PlannedBody*> all;
        for (Fluid& fluid : fluids_) all.push_back(&fluid);
        for (Solid& solid : solids_) all.push_back(&solid);
        return all;
    }

    double solver_support_ratio() const
    {
        return std::visit([](const auto& settings) { return settings.options.support_ratio; },
                          *fluids_.front().options->solver);
    }
    bool solver_is_iterative() const
    {
        return std::holds_alternative<DfsphSettings>(*fluids_.front().options->solver);
    }
    double smallest_spacing() { return smallest_spacing_of(bodies()); }
    double smallest_fluid_spacing() const
    {
        double smallest = fluids_.front().spacing;
        for (const Fluid& fluid : fluids_) smallest = std::min(smallest, fluid.spacing);
        return smallest;
    }
    double largest_kinematic_viscosity() const
    {
        double largest = 0.0;
        for (const Fluid& fluid : fluids_)
            largest = std::max(largest, fluid.options->material.viscosity / fluid.options->material.density);
        return largest;
    }
    double largest_fluid_spacing() const
    {
        double largest = fluids_.front().spacing;
        for (const Fluid& fluid : fluids_) largest = std::max(largest, fluid.spacing);
        return largest;
    }
    /// Those that are there from the beginning, and those that join.
    template <class Planned, class Part>
    static std::pair<std::vector<Part>, std::vector<Part>> split_by_start(const std::vector<Planned>& planned,
                                                                          std::vector<Part> parts)
    {
        std::pair<std::vector<Part>, std::vector<Part>> split;
        for (std::size_t i = 0; i < parts.size(); ++i)
            (planned[i].start ? split.second : split.first).push_back(std::move(parts[i]));
        return split;
    }
    static double smallest_spacing_of(const std::vector<PlannedBody*>& bodies)
    {
        double smallest = bodies.front()->spacing;
        for (const PlannedBody* body : bodies) smallest = std::min(smallest, body->spacing);
        return smallest;
    }

    /// Where the user sets how many particles there are.
    Path resolution_path() const
    {
        return path_of({content_.resolved.find("spacing") != nullptr ? "spacing" : "count"});
    }

    /// Of the particles that are there, or will be once they are.
    std::uint64_t count_of(const PlannedBody& body) const
    {
        return is_placed_ ? body.positions.size() : body.expected_count;
    }

    /// Before something of a body is done, so that it can be named if the work is too much.
    void begin_work(const Path& path)
    {
        at_work_ = path;
        work_.throw_if_stopped();
    }

    // build.cpp
    void prepare(bool for_world);
    void give_up();
    void make_clock_and_domain();
    void make_shapes();
    void make_obstacles();
    std::vector<PlannedEvent<Dim>> planned_events(const Node& resolved);
    std::vector<std::string> frame_fields() const;
    detail::RunPlan run_plan() const;
    void estimate();
    Probe<Dim> probe_of(const ProbeOptions<Dim>& options) const;
    Node resolve();
    void describe_particles();
    std::vector<FluidPart<Dim>> take_fluid_parts();
    std::unique_ptr<FluidBody<Dim>> make_fluid_body();
    void spend_on_ghosts();
    BuiltScene make_world();

    // build_spacing.cpp
    std::vector<int> periodic_axes() const;
    std::optional<double> fitting_spacing(double wanted) const;
    bool has_memory_for(std::uint64_t particles, std::uint64_t phyxels, const Path& path);
    std::vector<double> box_sides(bool only_at_walls, double spacing) const;
    double spacing_that_fills_boxes(double wanted);
    double spacing_of(const std::vector<Shape<Dim>>& shapes, std::uint64_t count, const Path& path);
    double spacing_of_bodies(const std::vector<PlannedBody*>& bodies, std::uint64_t count, const Path& path);
    double own_spacing_of(PlannedBody& body);
    void choose_spacing();
    void compare_spacings();
    void check_periodic_lengths();
    void check_periodic_length(double length, double spacing, const Path& path);
    double crowding_of(const Fluid& fluid) const;
    void measure_crowding();
    void check_particle_count();
    double emitted_count() const;

    // build_filling.cpp
    void leave_out_near_walls(Fluid& fluid);
    void spend_on_particles();
    void fill_shapes();
    void fill(Fluid& fluid);
    void set_velocities();
    void set_velocities(PlannedBody& body, const std::array<Formula, Dim>& velocity,
                        const RigidVelocity<Dim>& spin);
    std::vector<ParticleSize> particle_sizes() const;
    void make_emitters();

    // build_solids.cpp
    void fill(Solid& solid);
    void warn_of_phyxels_beyond_walls(const Solid& solid);
    void warn_of_crumbs(const Solid& solid);
    void make_regions();
    void make_region(Solid& solid, std::size_t number, std::vector<std::size_t>& mover);
    void check_loads(const RegionOptions<Dim>& options, const Path& path);
    void make_skins();
    std::vector<SolidPart<Dim>> take_solid_parts();
    std::unique_ptr<SolidBody<Dim>> make_solid_body(std::uint64_t first_id);
    double sound_time() const;
    void choose_solid_solver();

    // build_speed.cpp
    Box<Dim> start_bounds() const;
    std::vector<double> sample_times(bool is_constant) const;
    double motion_speed(const Motion<Dim>& motion, const Box<Dim>& bounds, const Path& path);
    double obstacle_speed();
    double speed_under(const std::array<Formula, Dim>& gravity, double initial_speed);
    double start_speed() const;
    void choose_speed();

    // build_warnings.cpp
    void warn_of_frequent_probes(const detail::RunPlan& plan);
    void warn_of_overlaps();
    void warn_of_solids_in_obstacles();
    void warn_of_fluids_beside_solids();
    void warn_of_thin_shapes();
    void warn_of_endless_fall();
    void warn_of_obstacles_at_periodic_sides();
    void warn_of_probes_beside_bodies();
    void warn_of_probes_beside_everything();
    void warn_of_long_step();
    void warn_of_late_events();
    void warn_of_compression(FluidBody<Dim>& fluid, const Surroundings<Dim>& surroundings);

    const Scene::Content& content_;
    SceneOptions<Dim> scene_;
    Machine machine_;
    FrameRange frames_;
    WorkBudget work_;
    Path at_work_; ///< what is being worked on
    Findings findings_;
    ShapeMaker<Dim> shape_maker_;
    FlowMaker<Dim> flow_maker_;
    ClockOptions clock_;
    Domain<Dim> domain_;
    std::vector<Fluid> fluids_;
    std::vector<Solid> solids_;
    std::vector<MovingObstacle<Dim>> obstacles_;
    std::unique_ptr<SolidBody<Dim>> solid_body_; ///< made early, since it knows how long its steps are
    bool is_counted_ = false;                    ///< bodies know how many particles to expect
    bool is_placed_ = false;                     ///< all bodies have their particles
    bool is_filled_ = false;                     ///< there is a particle within the domain
    double crowding_ = 1.0;                      ///< fluid particles where there is room for one, on average
    double shared_spacing_ = 0.0;                ///< of bodies that have none of their own
    Estimate estimate_;
    Node derived_ = Node::object();
};

} // namespace phyxel
