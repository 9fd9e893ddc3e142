// SPDX-License-Identifier: MIT
// All that a scene file can say, as plain structs. How each of them is written stands in scene_description.h.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/scene/body_surface.h>
#include <phyxel/scene/heat_options.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/scene/node.h>
#include <phyxel/scene/path.h>
#include <phyxel/scene/scene.h>
#include <phyxel/scene/shape_options.h>
#include <phyxel/world/hand.h>
#include <phyxel/world/probe.h>
#include <phyxel/world/run.h>

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

struct Changeability;

/// What walls do to the motion along them.
template <int Dim>
struct WallSurfaceOptions {
    SurfaceKind kind = SurfaceKind::Slip;
    std::optional<double> friction;   ///< Coulomb's coefficient; the fluid slips otherwise
    std::optional<Vec<Dim>> velocity; ///< at which it runs along itself; without friction nothing slips [m/s]
};

template <int Dim>
struct ObstacleOptions {
    std::string name;
    ShapeOptions<Dim> shape;
    MotionOptions<Dim> motion;
    WallSurfaceOptions<Dim> surface;
    SurfaceHeatOptions heat;
    std::optional<std::vector<std::string>> ignores; ///< bodies that do not feel it
    bool container = false;                          ///< the shape is what it holds
    bool visible = true;                             ///< in pictures
    std::optional<double> removed; ///< when an event took it away; no scene file says so itself [s]
};

struct AxisSides {
    DomainSide lower = DomainSide::Wall;
    DomainSide upper = DomainSide::Wall;
};

template <int Dim>
struct DomainSides {
    std::array<AxisSides, Dim> axes = {};
};

template <int Dim>
struct DomainOptions {
    Vec<Dim> min = Vec<Dim>::Zero(); ///< [m]
    Vec<Dim> max = Vec<Dim>::Zero(); ///< [m]
    WallSurfaceOptions<Dim> surface;
    SurfaceHeatOptions heat;
    DomainSides<Dim> sides;
};

struct StepBounds {
    std::optional<double> min; ///< [s]
    std::optional<double> max; ///< [s]
};

/// Nothing for a step that is as long as it may be.
struct TimeStepOptions {
    std::variant<std::monostate, double, StepBounds> choice;
};

template <int Dim>
struct HandOptions {
    std::string name;
    HandKind kind = HandKind::Pull;
    std::string body;
    Vec<Dim> at = Vec<Dim>::Zero(); ///< [m]
    double radius = 0.0;            ///< [m]
    MotionOptions<Dim> motion;
    std::optional<double> stiffness; ///< [N/m]
    double strength = 100.0;         ///< [m/s²]
    std::optional<double> power;     ///< [W]
};

/// What an event sets: paths and values, in their order.
struct EventAssignments {
    std::vector<std::pair<std::string, Node>> items;
};

/// What an event takes away: names of bodies and obstacles, or their paths.
struct EventRemovals {
    std::vector<Node> names; ///< texts, with their places
};

struct EventOptions {
    double time = 0.0; ///< [s]
    std::optional<EventAssignments> set = {};
    std::optional<EventRemovals> remove = {};
};

struct ProbeSchedule {
    ProbeTimes times = ProbeTimes::Frame;
    double interval = 0.0; ///< [s]
};

template <int Dim>
struct ProbeOptions {
    std::string name;
    std::optional<Vec<Dim>> point; ///< [m]
    std::optional<LineProbe<Dim>> line;
    std::optional<PlaneProbe<Dim>> plane;
    std::optional<std::string> body;
    std::optional<std::string> obstacle;
    std::optional<std::string> joint;
    std::string field;
    ProbeSchedule every;
};

/// A field that bodies of some kind have.
struct FieldName {
    std::string name;
};

struct OutputOptions {
    FrameFormat format = FrameFormat::Ply;
    std::optional<std::vector<FieldName>> fields; ///< what is usual for the bodies of the scene if not given
    bool double_precision = false;
    bool meshes = true;
};

template <int Dim>
std::array<Formula, Dim> downward_gravity()
{
    std::array<Formula, Dim> gravity = {};
    gravity[Dim - 1] = -9.81;
    return gravity;
}

inline constexpr std::uint64_t default_particle_count = 20000;

template <int Dim>
struct SceneOptions {
    std::optional<std::string> schema;
    int dimension = Dim;
    double duration = 2.0;    ///< [s]
    double frame_rate = 30.0; ///< [1/s]
    std::array<Formula, Dim> gravity = downward_gravity<Dim>();
    std::uint64_t seed = 1;
    std::optional<double> spacing;      ///< [m]
    std::optional<std::uint64_t> count; ///< instead of spacing
    TimeStepOptions time_step;
    std::optional<DomainOptions<Dim>> domain;
    std::vector<BodyOptions<Dim>> bodies;
    std::vector<ObstacleOptions<Dim>> obstacles;
    std::vector<KindSection<Dim>> sections; ///< of all kinds that have one, in their order
    std::vector<HandOptions<Dim>> hands;
    std::vector<EventOptions> events;
    std::vector<ProbeOptions<Dim>> probes;
    OutputOptions output;
    RenderSettings render;

    /// What it says beside its bodies of the kind that has such a section.
    template <class Section>
    Section* section()
    {
        for (KindSection<Dim>& section : sections)
            if (auto* found = std::any_cast<Section>(&section.options)) return found;
        return nullptr;
    }
    template <class Section>
    const Section* section() const
    {
        return const_cast<SceneOptions*>(this)->template section<Section>();
    }
};

/// Calls visit(options, number) for the bodies whose kind has these options; the number is that in the scene.
template <class Options, class Scene, class Visit>
void for_each_of(Scene& scene, const Visit& visit)
{
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
        if (auto* options = scene.bodies[i].template get<Options>()) visit(*options, i);
}

/// Reads and checks all that text can tell but the events, and fills in what is chosen from several
/// parameters. Throws a SceneError with every problem. The options refer to the kinds.
template <int Dim>
SceneOptions<Dim> read_scene_options(const Node& root, const Kinds& kinds);

/// The same, but the problems are added to others. Nothing if parts of the scene could not be read; otherwise
/// what is wrong has its default.
template <int Dim>
std::optional<SceneOptions<Dim>> read_scene_options(const Node& root, const Kinds& kinds,
                                                    std::vector<Problem>& problems);

/// The scene with every default; places are those of the text that it was read from, or of what encloses it.
template <int Dim>
Node write_scene_options(const SceneOptions<Dim>& options, const Node& root);

/// Reads parts of a scene again, whose others are right: bodies and obstacles, by their numbers, also one
/// more body than there were, and keys of the scene itself that events may change. What is checked together
/// with them is. Throws a SceneError; then nothing has changed.
template <int Dim>
void read_scene_parts(const Node& root, const Kinds& kinds, std::span<const Path> parts,
                      SceneOptions<Dim>& options);

/// What events may do to what is at a path, with items of lists given by their numbers.
template <int Dim>
Changeability changeability(SceneOptions<Dim>& options, const Path& path);

/// Of a field that bodies of some kind have; 1 if none has it.
template <int Dim>
int components_of(const Kinds& kinds, std::string_view field);

/// Of the field that a probe reads, where what it reads it of has a table of fields; 1 otherwise.
template <int Dim>
int probe_components(const Kinds& kinds, const ProbeOptions<Dim>& probe);

/// The numbers that events may change, as they are in these options.
template <int Dim>
std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<Dim>& options);

template <int Dim>
Node write_hands(const SceneOptions<Dim>& options);

/// What a scene is made of once it was read.
struct Scene::Content {
    Kinds kinds;
    std::string name;             ///< what errors call it
    std::filesystem::path folder; ///< of the files that it names
    Node resolved;                ///< with the places of the text
    std::variant<SceneOptions<2>, SceneOptions<3>> options;
};

} // namespace phyxel
