// SPDX-License-Identifier: MIT
// A scene: read from a file, every parameter checked, every default known; and the world that it describes.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/node.h>
#include <phyxel/world/run.h>
#include <phyxel/world/world.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace phyxel {

enum class RenderStyle { Light, Dark };

/// Where pictures are taken from; what is not given is chosen so that everything is seen.
struct CameraSettings {
    std::optional<Vec<3>> from;     ///< [m]
    std::optional<Vec<3>> look_at;  ///< [m]
    std::optional<double> fov;      ///< [rad]
    double orbit = 0.0;             ///< [rad/s]
    std::optional<double> aperture; ///< width of the lens [m]
    std::optional<double> focus;    ///< distance of what is sharp [m]
};

struct ColorSettings {
    std::string field = "velocity";             ///< or `body`
    std::optional<std::array<double, 2>> range; ///< in SI units; that of the whole run if not given
};

/// How pictures of the run are to look, for those who make them; nothing in the run depends on it.
struct RenderSettings {
    std::array<int, 2> size = {1280, 720}; ///< [pixels]
    CameraSettings camera;
    ColorSettings color;
    RenderStyle style = RenderStyle::Light;
    std::optional<int> samples; ///< rays a pixel
    std::optional<bool> liquid; ///< meshes and surfaces are clear
    std::optional<double> blur; ///< how long the shutter is open, as a part of the time between frames
};

/// A scene that was read and checked as far as text can be checked. Copies are cheap.
class Scene {
public:
    /// Reads a file whose bodies are of these kinds, and applies assignments such as "spacing=4 cm". Throws a
    /// SceneError with every problem, also if the file cannot be read; an InputError if an assignment is
    /// none.
    static Scene read(const std::filesystem::path& file, const Kinds& kinds,
                      std::span<const std::string> assignments = {});

    /// The same from text; `name` is what errors call it, files are looked for in `folder`.
    static Scene parse(std::string_view text, const std::string& name, const std::filesystem::path& folder,
                       const Kinds& kinds, std::span<const std::string> assignments = {});

    int dimension() const;
    const Kinds& kinds() const;

    /// The scene with every default resolved; reading it gives the same scene.
    const Node& resolved() const;

    /// What it says about pictures.
    const RenderSettings& render() const;

    struct Content;
    const Content& content() const { return *content_; } ///< for those who build worlds

private:
    explicit Scene(std::shared_ptr<const Content> content);
    static Scene make(Node root, const std::string& name, const std::filesystem::path& folder,
                      const Kinds& kinds, std::span<const std::string> assignments,
                      std::vector<Problem> problems, bool is_file);

    std::shared_ptr<const Content> content_;
};

/// What the machine has to offer a run. What is not known is taken for plenty.
struct Machine {
    double memory = std::numeric_limits<double>::infinity(); ///< that is available now [bytes]
    double disk = std::numeric_limits<double>::infinity();   ///< that is free [bytes]
    int cores = 1;
};

/// This machine as it is now; the disk is the one that `folder` is on, or will be.
Machine this_machine(const std::filesystem::path& folder = ".");

/// The frames that a run writes: all, or from the first to before the end. It simulates from 0 all the same.
struct FrameRange {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> end = {};
};

/// What a run will need, guessed before the first step.
struct Estimate {
    std::uint64_t particles = 0;
    double memory = 0.0;  ///< [bytes]
    double disk = 0.0;    ///< [bytes]
    double seconds = 0.0; ///< wall-clock on this machine [s]
    std::uint64_t frames = 0;
    std::uint64_t steps = 0;
};

/// A world that is ready for its first step.
struct BuiltScene {
    std::variant<std::unique_ptr<World<2>>, std::unique_ptr<World<3>>> world;
    Node resolved; ///< spacing and solver numbers as they were chosen included
    Node derived;  ///< what follows from the scene: particle counts, masses, sound speed, …
    Estimate estimate;
    std::vector<std::string> warnings; ///< one line each, in the form of errors, with a remedy
    FrameFormat format = FrameFormat::Ply;
    std::vector<std::string> fields;
    bool double_precision = false;
    bool meshes = true; ///< in frames
};

/// Reads the files that the scene names, fills the shapes with particles and looks for what will go wrong:
/// bodies outside the domain, nothing to simulate, more than the machine has, overlaps. Throws SceneError.
/// `frames` matters to the estimate only. `work` is looked at all the time: whoever no longer wants the world
/// stops it by the budget's token, and WorkStopped is thrown; WorkLimitReached if there is a limit and it is
/// reached. `fault` is for those who want to know whether they would notice: no scene has one.
BuiltScene build_scene(const Scene& scene, const Machine& machine = this_machine(),
                       const FrameRange& frames = {}, const WorkBudget& work = {}, Fault fault = Fault::None);

/// What building a scene would say.
struct SceneCheck {
    Estimate estimate;
    Node resolved; ///< as that of BuiltScene
    Node derived;
    std::vector<std::string> warnings;
    bool is_whole = true; ///< all was looked at; if not, a warning names what was given up, and why
};

/// About two seconds of a usual core; no shipped scene needs more than two thirds of it.
inline constexpr double usual_check_work = 1.8e8;

/// Everything that build_scene checks, as far as a limited amount of work goes: of a scene with more
/// particles, or with a mesh that takes too long to fill, what can be told without them. Throws SceneError,
/// or WorkStopped.
SceneCheck check_scene(const Scene& scene, const Machine& machine = this_machine(),
                       const WorkBudget& work = WorkBudget(usual_check_work));

/// JSON Schema (draft 7) of scene files.
Node scene_schema(const Kinds& kinds);

/// The same as a Markdown table of all parameters.
std::string scene_table(const Kinds& kinds);

} // namespace phyxel
