// SPDX-License-Identifier: MIT
// From what a scene says of bodies to bodies of a world. Building a scene asks every kind in turn; what it
// knows itself is the same for all kinds: shapes, spacings, velocities, costs.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/scene/findings.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/run_plan.h>
#include <phyxel/scene/scene.h>
#include <phyxel/scene/scene_options.h>
#include <phyxel/scene/shape_maker.h>
#include <phyxel/world/body.h>
#include <phyxel/world/world.h>

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// A body on its way from options to particles.
template <int Dim>
struct PlannedBody {
    Path path;
    BodyOptions<Dim>* options = nullptr; ///< in the scene
    std::size_t number = 0;              ///< among those of its kind
    std::optional<Shape<Dim>> shape = {};
    bool is_box = false;
    double spacing = 0.0;             ///< [m]
    std::uint64_t expected_count = 0; ///< of particles, before they are there
    std::vector<Vec<Dim>> positions = {};
    std::vector<Vec<Dim>> velocities = {};

    BodyBasics<Dim>& basics() const { return options->basics(); }
    const std::string& name() const { return basics().name; }
    /// When it joins, if it is not there from the beginning [s].
    const std::optional<double>& start() const { return basics().start; }
    /// The options that its kind has.
    template <class Options>
    Options& as() const
    {
        return *options->template get<Options>();
    }
};

/// The scene's options from some time on, of which only those count that events may change.
template <int Dim>
struct LaterOptions {
    double time = 0.0; ///< [s]
    SceneOptions<Dim> scene;
};

/// What all kinds see while a scene is built.
template <int Dim>
struct BuildContext {
    BuildContext(const Scene::Content& content, const SceneOptions<Dim>& options, const Machine& machine,
                 const FrameRange& frames, const WorkBudget& work);

    const Scene::Content& content;
    SceneOptions<Dim> scene; ///< with what is chosen on the way
    Machine machine;
    FrameRange frames;
    WorkBudget work;
    Findings findings;
    ShapeMaker<Dim> shapes;
    ClockOptions clock = {};
    Domain<Dim> domain = {};
    std::vector<MovingObstacle<Dim>> obstacles = {};
    IgnoredNames ignored = {};
    std::vector<LaterOptions<Dim>> later = {}; ///< what events make of the scene, in the order of time
    Node derived = Node::object();             ///< what follows from the scene, for its manifest
    bool is_counted = false;                   ///< bodies know how many particles to expect
    bool is_placed = false;                    ///< all bodies have their particles
    bool is_filled = false;                    ///< there is a particle within the domain
    Path at_work = {};                         ///< what is being worked on
    Fault fault = Fault::None;                 ///< that the bodies are to have

    /// Before something of a body is done, so that it can be named if the work is too much.
    void begin_work(const Path& path);

    /// Where the user sets how many particles there are.
    Path resolution_path() const;

    /// Of the particles that are there, or will be once they are.
    std::uint64_t count_of(const PlannedBody<Dim>& body) const
    {
        return is_placed ? body.positions.size() : body.expected_count;
    }

    std::vector<int> periodic_axes() const;
    /// The spacing nearest to a wanted one of which every periodic length is a whole number; none if there is
    /// none near.
    std::optional<double> fitting_spacing(double wanted) const;

    /// What the scene says at some time, as far as events change it.
    const SceneOptions<Dim>& scene_at(double time) const;

    /// Times at which what moves by formulas is looked at [s].
    std::vector<double> sample_times(bool is_constant) const;
    /// The fastest that a place within the bounds ever moves [m/s].
    double motion_speed(const Motion<Dim>& motion, const Box<Dim>& bounds, const Path& path);

    Probe<Dim> probe_of(const ProbeOptions<Dim>& options) const;
    std::vector<std::string> frame_fields() const;
    /// Without the step that bodies need.
    RunPlan run_plan() const;
};

/// Builds the bodies of one kind. The functions are called in this order.
template <int Dim>
class KindBuilder {
public:
    explicit KindBuilder(BuildContext<Dim>& context) : context_(context) {}
    virtual ~KindBuilder() = default;

    std::vector<PlannedBody<Dim>> bodies = {}; ///< in the order of the scene

    /// Of all that has a shape beside the bodies.
    virtual void make_shapes() {}
    /// What a body without a shape will be given until the end [m^Dim].
    virtual double volume_without_shape(const PlannedBody<Dim>&) const { return 0.0; }
    /// Memory that so many particles take [bytes].
    virtual double memory(double particles) const { return 200.0 * particles; }
    /// Once spacings are known.
    virtual void check_spacings() {}
    virtual void make_sources() {}
    /// Particles that come in addition, at a time.
    virtual double added_count() const { return 0.0; }
    /// Once bodies know how many particles to expect.
    virtual void measure() {}
    /// What a particle takes until it is in a world, all that is done with shapes aside, in units of
    /// WorkBudget.
    virtual double work_of_particle() const { return 60.0; }
    /// What tying a point of its boundary to its particles takes, the point itself aside, in units of
    /// WorkBudget.
    virtual double work_of_boundary_point() const { return 0.0; }
    /// Gives the body its positions; a lattice if nothing else is done.
    virtual void fill(PlannedBody<Dim>& body);
    /// Once all are filled. `may_be_empty`: something comes later.
    virtual bool may_be_empty() const { return false; }
    virtual void check_filled();
    virtual Vec<Dim> center_of(const PlannedBody<Dim>& body) const;
    /// Once velocities are there.
    virtual void make_regions() {}
    /// Of what is not in the bodies' positions.
    virtual Box<Dim> added_bounds() const { return {}; }
    /// Of the bodies at the start, and of what comes in [m/s].
    virtual double start_speed() const;
    /// The fastest motion to expect [m/s].
    virtual void set_expected_speed(double) {}
    /// What is left to do before the world is made. `first_id` is that of its first particle.
    virtual void finish(std::uint64_t, bool /*for_world*/) {}
    /// That its bodies need, from the beginning on and in the order of time.
    virtual std::vector<ExpectedStep> expected_steps() const { return {{}}; }
    virtual KindCost cost(const RunPlan& plan) const;
    /// Something keeps its bodies from falling for ever.
    virtual bool is_held() const { return false; }
    /// Its bodies lie in each other.
    virtual bool is_crowded() const { return false; }
    /// A shape that has fewer than two layers of particles is worth a word.
    virtual bool shows_thin_shape(const PlannedBody<Dim>&) const { return true; }
    virtual void warn() {}
    /// Steps that are longer than this many times `longest_safe_step` are worth a word.
    virtual double step_margin() const { return 1.0; }
    virtual double longest_safe_step() const { return std::numeric_limits<double>::infinity(); }
    virtual std::unique_ptr<Body<Dim>> make_body(std::uint64_t first_id) = 0;
    /// Once it is in a world.
    virtual void check_body(Body<Dim>&, const Surroundings<Dim>&) {}
    /// What Body::expect takes, of a body for a world that is there.
    virtual std::any make_part(PlannedBody<Dim>&) { return {}; }

    double smallest_spacing() const
    {
        double smallest = bodies.front().spacing;
        for (const PlannedBody<Dim>& body : bodies) smallest = std::min(smallest, body.spacing);
        return smallest;
    }
    /// Of the bodies at the start, or of their shapes where they are not filled, and of what is added.
    Box<Dim> start_bounds() const;

protected:
    BuildContext<Dim>& context_;
};

extern template struct BuildContext<2>;
extern template struct BuildContext<3>;
extern template class KindBuilder<2>;
extern template class KindBuilder<3>;

} // namespace phyxel
