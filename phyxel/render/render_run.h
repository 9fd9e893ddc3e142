// SPDX-License-Identifier: MIT
// Pictures of a recorded run: RUN/frames/NAME_000042.ply become RUN/pictures/NAME_000042.png, all bodies of a
// frame in one picture. Camera and colours are chosen once for the whole run and stay as they are.
#pragma once

#include <phyxel/render/camera.h>
#include <phyxel/render/color_map.h>
#include <phyxel/render/image.h>
#include <phyxel/render/ray_tracer.h>
#include <phyxel/render/render_scene.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// What the frames do not say: the caller knows it from the run's scene.
struct RunSurroundings {
    int dimension = 3; ///< 2: everything lies in the plane z = 0 and is seen from the front
    std::optional<Box<3>> domain = {};
    /// Half the distance of particles, for bodies without a field `radius`; 0 looks at the first frame. [m]
    double particle_radius = 0.0;
    /// Obstacles at a time [s]; may be empty.
    std::function<std::vector<DrawnMesh>(double time)> obstacles = {};
};

struct RunPictureOptions {
    RenderOptions render = {};
    std::optional<Camera> camera = {};    ///< frames the whole run by itself if not given
    FramingOptions framing = {};          ///< how it does that
    double orbit = 0.0;                   ///< of the camera around what it looks at [rad/s]
    std::string color = {};               ///< a field, `body`, or nothing: a colour for each body
    std::optional<ValueRange> range = {}; ///< of the field; that of the whole run if not given
    std::optional<ColorMap> map = {};     ///< Inferno for temperatures, Viridis otherwise, if not given
    bool draw_legend = true;              ///< and the time
    bool draw_domain = true;
    std::string name = {};             ///< of the pictures; that of the field, or `bodies`, if empty
    std::string extension = ".png";    ///< .png, .jpg or .jpeg
    std::filesystem::path folder = {}; ///< RUN/pictures if empty
    std::uint64_t first_frame = 0;
    std::uint64_t last_frame = std::numeric_limits<std::uint64_t>::max();
    bool redo = false; ///< also makes pictures anew that exist already
};

/// A run that has been looked at as a whole, to be drawn frame by frame. Missing or unreadable things are an
/// InputError of one line.
class RunPictures {
public:
    RunPictures(std::filesystem::path run, RunSurroundings surroundings, RunPictureOptions options);

    /// Numbers of the frames that were asked for, ascending.
    const std::vector<std::uint64_t>& frames() const { return frames_; }

    std::filesystem::path path(std::uint64_t frame) const;

    /// Whether the picture is there already and was made with the same options.
    bool is_done(std::uint64_t frame) const;

    /// Draws one frame without writing it.
    Picture draw(std::uint64_t frame) const;

    /// Draws and writes the picture; it appears whole or not at all.
    void make(std::uint64_t frame);

    const Camera& camera() const { return camera_; } ///< at time 0
    const ValueRange& range() const { return range_; }

private:
    void look_at_run();
    void read_settings();
    std::string settings() const;
    RenderScene scene_of(std::uint64_t frame, double& time) const;

    std::filesystem::path run_;
    RunSurroundings surroundings_;
    RunPictureOptions options_;

    struct Source {
        std::string body;
        std::uint64_t number;
        std::filesystem::path path;
    };
    std::vector<Source> sources_;
    std::vector<std::string> bodies_; ///< names as in the legend, in the order of their colours
    std::vector<std::uint64_t> frames_;
    Camera camera_;
    Lighting lighting_;
    Box<3> bounds_;
    ValueRange range_;
    ColorMap map_ = ColorMap::Viridis;
    double radius_ = 0.0;
    bool are_settings_written_ = false;
    bool has_same_settings_ = false;
};

/// All pictures of a run; those that exist are left alone. Returns how many were made. `progress` hears of
/// each frame before it is begun.
std::size_t render_run(const std::filesystem::path& run, const RunSurroundings& surroundings,
                       const RunPictureOptions& options,
                       const std::function<void(std::uint64_t frame)>& progress = {});

} // namespace phyxel
