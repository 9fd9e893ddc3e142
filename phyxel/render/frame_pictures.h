// SPDX-License-Identifier: MIT
// Pictures of recorded frames, all bodies of a frame in one picture. Camera and colours are chosen once, from
// all frames together, and stay as they are.
#pragma once

#include <phyxel/core/field_info.h>
#include <phyxel/io/frames.h>
#include <phyxel/render/camera.h>
#include <phyxel/render/color_map.h>
#include <phyxel/render/image.h>
#include <phyxel/render/legend.h>
#include <phyxel/render/ray_tracer.h>
#include <phyxel/render/render_scene.h>
#include <phyxel/render/style.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// What the frames do not say: the caller knows it from the run's scene.
struct RunSurroundings {
    int dimension = 3; ///< 2: everything lies in the plane z = 0 and is seen from the front
    std::optional<Box<3>> domain =
        {}; ///< the ground is its floor; without one, the lowest thing stands on it
    /// Half the distance of particles, for bodies without a field `radius`; 0 looks at the first frame. [m]
    double particle_radius = 0.0;
    double frame_time = 1.0 / 30.0; ///< from one frame to the next [s]
    /// Obstacles at a time [s]; may be empty. Their colour is that of the style.
    std::function<std::vector<TriangleMesh>(double time)> obstacles = {};
    /// What containers hold; one looks into it.
    std::function<std::vector<TriangleMesh>(double time)> containers = {};
};

/// What is not given is chosen so that everything is seen.
struct CameraChoice {
    std::optional<Vec<3>> from = {};    ///< [m]
    std::optional<Vec<3>> look_at = {}; ///< [m]
    std::optional<double> fov = {};     ///< [rad]
    double aperture = 0.0;              ///< width of the lens [m]; 0 has everything sharp
    double focus = 0.0;                 ///< distance of what is sharp [m]; that of `look_at` if 0
    double orbit = 0.0;                 ///< around what it looks at, from time 0 on [rad/s]
};

struct PictureLook {
    RenderOptions render = {};
    CameraChoice camera = {};
    FramingOptions framing = {};          ///< how a camera is chosen
    std::string color = {};               ///< a field, or `body`; velocity if empty, where there is one
    std::optional<ValueRange> range = {}; ///< of the field; that of all frames if not given
    FieldUnits units = {};                ///< for the legend
    std::optional<ColorMap> map = {};     ///< Inferno for temperatures, Viridis otherwise, if not given
    PictureStyle style = PictureStyle::Light;
    double blur = 0.0;       ///< how long the shutter is open, as a part of the time between frames
    bool liquid = false;     ///< meshes are clear, tinted with the colours of bodies
    bool draw_legend = true; ///< and the time
    bool draw_domain = true;
};

/// Frames that have been looked at as a whole, to be drawn one by one.
class FramePictures {
public:
    /// `name` is what errors call the frames. Files that cannot be read, or a field that none of them has,
    /// are an InputError of one line. There must be at least one file.
    FramePictures(std::string name, std::vector<FrameFile> files, RunSurroundings surroundings,
                  PictureLook look);

    Picture draw(std::uint64_t frame) const;

    /// The two of them get the same camera, range and colours of bodies, so that they can be compared.
    static void align(FramePictures& a, FramePictures& b);

    /// A frame of each beside the other under its name, with one legend. They must be aligned.
    static Picture draw_both(const FramePictures& a, const FramePictures& b, std::uint64_t frame);

    const Camera& camera() const { return camera_; } ///< at time 0
    const ValueRange& range() const { return range_; }
    const std::string& color() const { return look_.color; } ///< a field, or `body`

    /// All that decides how the pictures look beside the frames, as lines of text.
    std::string settings() const;

private:
    void look_at_frames();
    void choose_range();
    void include_surroundings();
    void choose_camera();
    double floor() const;
    double key_height() const;
    std::vector<LegendEntry> legend_entries() const;
    LegendPlace legend_place() const;
    void set_bodies(const std::vector<std::string>& bodies);
    Picture draw_things(std::uint64_t frame, std::optional<double>& time) const;
    void draw_key(Picture& picture, const std::optional<double>& time) const;
    bool is_by_field() const { return look_.color != "body"; }
    void add_obstacles(const std::function<std::vector<TriangleMesh>(double)>& obstacles, bool only_far_side,
                       RenderScene& scene, double time, double shutter_time) const;
    Color color_of(std::size_t body) const;
    RenderScene scene_of(std::uint64_t frame, std::optional<double>& time) const;

    std::string name_;
    std::vector<FrameFile> files_;
    RunSurroundings surroundings_;
    PictureLook look_;
    std::vector<std::string> bodies_; ///< names as in the legend, in the order of their colours
    std::vector<double> radii_;       ///< of the particles of each body [m]
    Camera camera_;
    Lighting lighting_;
    LegendPlace place_ = LegendPlace::Below;
    Box<3> bounds_;          ///< of what the pictures show
    double last_time_ = 0.0; ///< of the frames [s]
    bool has_names_ = false; ///< of runs at the upper edge

    /// Points here and there of all bodies at all times.
    struct Sample {
        Vec<3> point; ///< [m]
        double time;  ///< [s]
    };
    std::vector<Sample> samples_;
    ValueRange range_;
    ColorMap map_ = ColorMap::Viridis;
    bool has_bar_ = true; ///< something is coloured by the field
};

/// One picture of files of any kind that can be read (.ply .obj .stl .off .xyz .vtp), all of them together:
/// meshes, clouds of points, discs, frames of a run.
Picture draw_files(const std::vector<std::filesystem::path>& files, const PictureLook& look = {});

} // namespace phyxel
