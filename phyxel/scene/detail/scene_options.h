// SPDX-License-Identifier: MIT
// All that a scene file can say, as plain structs. How each of them is written stands in scene_description.h.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/core/types.h>
#include <phyxel/fluid/fluid_solver.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/placement.h>
#include <phyxel/geometry/primitives.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/scene/live_scene.h>
#include <phyxel/scene/node.h>
#include <phyxel/scene/scene.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/solid/solid_material.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/world/probe.h>
#include <phyxel/world/run.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

/// A file, and where it was named.
struct MeshShape {
    std::string file; ///< relative to the scene file
};

enum class ShapeOperation { Union, Intersection, Difference };

template <int Dim>
struct ShapeOptions;

template <int Dim>
struct CombinedShape {
    ShapeOperation operation = ShapeOperation::Union;
    std::vector<ShapeOptions<Dim>> parts = {};
};

/// One shape, and where it is put.
template <int Dim>
struct ShapeOptions {
    std::variant<std::monostate, Box<Dim>, Sphere<Dim>, Cylinder<Dim>, Capsule<Dim>, Torus<Dim>, MeshShape,
                 CombinedShape<Dim>>
        kind;
    Placement<Dim> placement;
};

/// Formulas for angles: one in 2D, three in 3D.
template <int Dim>
using AngleFormulas = std::array<Formula, Dim*(Dim - 1) / 2>;

/// Without `about` it turns around the centre of the shape's bounds.
template <int Dim>
struct KeyMotion {
    std::vector<MotionKey<Dim>> keys;
    Interpolation interpolation = Interpolation::Smooth;
    std::optional<Vec<Dim>> about; ///< [m]
};

template <int Dim>
struct FormulaMotion {
    std::array<Formula, Dim> move = {};
    AngleFormulas<Dim> rotate = {};
    std::optional<Vec<Dim>> about; ///< [m]
};

struct FixedMotion {};

template <int Dim>
struct MotionOptions {
    std::variant<FixedMotion, KeyMotion<Dim>, FormulaMotion<Dim>> kind;
};

/// Water unless told otherwise.
struct FluidMaterial {
    FluidMaterial();

    std::optional<std::string> from; ///< a preset
    double density = 0.0;            ///< [kg/m³]
    double viscosity = 0.0;          ///< dynamic [Pa s]
};

struct DfsphSettings {
    DfsphOptions options = {};
    std::optional<double> max_speed = {}; ///< [m/s]; chosen when the scene is built if not given
};

struct WcsphSettings {
    WcsphOptions options = {};
    std::optional<double> max_speed = {}; ///< [m/s]; chosen when the scene is built if not given
};

using SolverSettings = std::variant<DfsphSettings, WcsphSettings>;

template <int Dim>
struct FluidBodyOptions {
    std::string name;
    std::optional<ShapeOptions<Dim>> shape; ///< none if only emitters fill it
    FluidMaterial material;
    std::optional<double> spacing;      ///< [m]
    std::optional<std::uint64_t> count; ///< instead of spacing
    std::array<Formula, Dim> velocity = {};
    Angles<Dim> angular_velocity = Angles<Dim>::Zero(); ///< [rad/s]
    std::optional<double> start;          ///< when it joins, if it is not there from the beginning [s]
    std::optional<SolverSettings> solver; ///< that of the first fluid that has one
};

/// Jelly unless told otherwise.
struct SolidMaterialOptions {
    SolidMaterialOptions();

    std::optional<std::string> from; ///< a preset
    SolidMaterial properties;
};

/// Draws the centre of a region to a place.
template <int Dim>
struct SpringOptions {
    double stiffness = 0.0;         ///< [N/m]
    Vec<Dim> to = Vec<Dim>::Zero(); ///< [m]
    double damping = 0.0;           ///< [N s/m]
};

/// A part of a solid and the one thing that is done to it.
template <int Dim>
struct RegionOptions {
    std::string name;
    ShapeOptions<Dim> shape; ///< of the places at rest that belong to it
    std::optional<MotionOptions<Dim>> motion;
    std::optional<std::array<Formula, Dim>> force; ///< [N]
    std::optional<Formula> pressure;               ///< [Pa]
    std::optional<SpringOptions<Dim>> spring;
};

/// The surface that is carried along.
struct SkinOptions {
    SkinningMethod method = SkinningMethod::FirstOrder;
    std::optional<int> detail; ///< cells along the longest side of a shape that is no mesh; 0 for no surface
};

template <int Dim>
struct SolidBodyOptions {
    std::string name;
    ShapeOptions<Dim> shape;
    SolidMaterialOptions material;
    std::optional<double> spacing;      ///< [m]
    std::optional<std::uint64_t> count; ///< instead of spacing
    PhyxelSampling sampling = PhyxelOptions{}.sampling;
    double support_ratio = PhyxelOptions{}.support_ratio;
    std::array<Formula, Dim> velocity = {};
    Angles<Dim> angular_velocity = Angles<Dim>::Zero(); ///< [rad/s]
    std::optional<double> start; ///< when it joins, if it is not there from the beginning [s]
    std::vector<RegionOptions<Dim>> regions;
    std::optional<SolidOptions> solver; ///< that of the first solid that has one
    SkinOptions skin;
};

template <int Dim>
using BodyOptions = std::variant<FluidBodyOptions<Dim>, SolidBodyOptions<Dim>>;

enum class SurfaceKind { Slip, NoSlip };

/// What walls do to the motion along them.
struct WallSurfaceOptions {
    SurfaceKind kind = SurfaceKind::Slip;
    std::optional<double> friction; ///< Coulomb's coefficient; the fluid slips otherwise
};

template <int Dim>
struct ObstacleOptions {
    std::string name;
    ShapeOptions<Dim> shape;
    MotionOptions<Dim> motion;
    WallSurfaceOptions surface;
    bool container = false; ///< the shape is what it holds
};

template <int Dim>
struct EmitterSettings {
    std::string name;
    std::string body; ///< that it feeds
    ShapeOptions<Dim> shape;
    std::array<Formula, Dim> velocity = {}; ///< over time [m/s]
    double start = 0.0;                     ///< [s]
    std::optional<double> stop;             ///< [s]
};

template <int Dim>
struct OutflowSettings {
    std::string name;
    ShapeOptions<Dim> shape;
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
    WallSurfaceOptions surface;
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
};

/// What an event sets: paths and values, in their order.
struct EventAssignments {
    std::vector<std::pair<std::string, Node>> items;
};

struct EventOptions {
    double time = 0.0; ///< [s]
    EventAssignments set;
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
    std::string field;
    ProbeSchedule every;
};

enum class OutputField { Velocity, Id, Density, Pressure, Strain, Stress, Energy };

struct OutputOptions {
    FrameFormat format = FrameFormat::Ply;
    std::optional<std::vector<OutputField>>
        fields; ///< what is usual for the bodies of the scene if not given
    bool double_precision = false;
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
    std::vector<EmitterSettings<Dim>> emitters;
    std::vector<OutflowSettings<Dim>> outflows;
    std::vector<HandOptions<Dim>> hands;
    std::vector<EventOptions> events;
    std::vector<ProbeOptions<Dim>> probes;
    OutputOptions output;
    RenderSettings render;

    bool chooses_solid_solver = false; ///< no solid has one, so that building may choose what suits them
};

/// Reads and checks all that text can tell but the events, and fills in what is chosen from several
/// parameters. Throws a SceneError with every problem.
template <int Dim>
SceneOptions<Dim> read_scene_options(const Node& root);

/// The same, but the problems are added to others. Nothing if parts of the scene could not be read; otherwise
/// what is wrong has its default.
template <int Dim>
std::optional<SceneOptions<Dim>> read_scene_options(const Node& root, std::vector<Problem>& problems);

/// The scene with every default; places are those of the text that it was read from, or of what encloses it.
template <int Dim>
Node write_scene_options(const SceneOptions<Dim>& options, const Node& root);

/// The numbers that events may change, as they are in these options.
template <int Dim>
std::vector<ChangeableParameter> changeable_parameters(const SceneOptions<Dim>& options);

template <int Dim>
Node write_hands(const SceneOptions<Dim>& options);

/// What a scene is made of once it was read.
struct Scene::Content {
    std::string name;             ///< what errors call it
    std::filesystem::path folder; ///< of the files that it names
    Node resolved;                ///< with the places of the text
    std::variant<SceneOptions<2>, SceneOptions<3>> options;
};

} // namespace phyxel
