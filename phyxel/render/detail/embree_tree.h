// SPDX-License-Identifier: MIT
// The things of a scene in Embree's tree, which finds what a ray meets. Positions are taken relative to where
// the camera looks and in units of its distance before they become `float`.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/render/camera.h>
#include <phyxel/render/detail/shading.h>
#include <phyxel/render/detail/surfel_blend.h>
#include <phyxel/render/render_scene.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

struct RTCDeviceTy;
struct RTCSceneTy;
struct RTCGeometryTy;

namespace phyxel::detail {

inline constexpr float far_away = 1e30f; ///< instead of infinity, which times zero is not a number

// Bits of Embree's masks: lines are seen but cast no shadows, and liquids only dim the light.
inline constexpr unsigned seen = 1;
inline constexpr unsigned casts_shadow = 2;
inline constexpr unsigned dims_light = 4;

/// Coordinates around what the camera looks at.
struct LocalFrame {
    Vec<3> origin; ///< [m]
    double unit;   ///< [m]

    Vec3f local(const Vec<3>& x) const { return ((x - origin) / unit).cast<float>(); }
    Camera local(Camera camera) const
    {
        camera.from = (camera.from - origin) / unit;
        camera.look_at = Vec<3>::Zero();
        camera.aperture /= unit;
        camera.focus /= unit;
        return camera;
    }
};

/// What Embree says of a ray that met something.
struct TreeHit {
    unsigned geometry;
    unsigned primitive;
    float distance;
    float u, v;
    Vec3f normal; ///< of any length
    float time;   ///< of the shutter, 0 to 1
};

class EmbreeTree {
public:
    /// The scene must outlive the tree and stay as it is. `view` is that of the local camera, for a picture
    /// of this height; lines are as thick as it says.
    EmbreeTree(const RenderScene& scene, const LocalFrame& frame, const CameraView& view, int picture_height);

    RTCSceneTy* handle() const { return tree_.get(); }

    Surface surface_at(const TreeHit& hit, const Vec3f& from, const Vec3f& direction) const;

    /// Largest amount of memory that it took while it was built. [bytes]
    std::size_t peak_memory() const { return static_cast<std::size_t>(memory_.peak.load()); }

private:
    enum class Kind { Spheres, Discs, Ellipses, Mesh, Lines };

    /// One geometry of Embree and where it came from.
    struct Geometry {
        Kind kind;
        std::size_t number;                  ///< among the things of its kind
        Vec<4, float>* points = nullptr;     ///< when the shutter opens
        Vec<4, float>* end_points = nullptr; ///< when it closes, if something moves
        std::vector<Vec3f> normals = {};
        std::optional<SurfelBlend> blend = {};

        Vec<4, float> point(std::size_t i, float time) const
        {
            return end_points == nullptr ? points[i]
                                         : Vec<4, float>(points[i] + time * (end_points[i] - points[i]));
        }
    };

    struct Release {
        void operator()(RTCDeviceTy* device) const;
        void operator()(RTCSceneTy* tree) const;
    };

    struct MemoryMeter {
        std::atomic<std::ptrdiff_t> now = 0;
        std::atomic<std::ptrdiff_t> peak = 0;

        void add(std::ptrdiff_t bytes);
    };

    void add_spheres(std::size_t number);
    void add_surfels(std::size_t number);
    void add_discs(const DrawnSurfels& surfels, std::size_t number);
    void add_ellipses(const DrawnSurfels& surfels, std::size_t number);
    void add_mesh(std::size_t number);
    void add_box(std::size_t number, const CameraView& view, int picture_height);
    RTCGeometryTy* attach(int type, Geometry geometry, unsigned mask);
    Vec<4, float>* add_points(RTCGeometryTy* handle, std::size_t count, unsigned time_step);
    void place(RTCGeometryTy* handle, const std::vector<Vec<3>>& centers, const std::vector<Vec<3>>& motions,
               const std::vector<float>& radii);
    void leave_out_twins(std::size_t count, std::size_t points_each, const std::vector<Vec3f>& normals = {});
    void add_triangles(RTCGeometryTy* handle, const DrawnMesh& drawn);
    void finish(RTCGeometryTy* handle);
    Vec<4, float> ball(const Vec<3>& center, float radius) const;

    const RenderScene& scene_;
    LocalFrame frame_;
    MemoryMeter memory_;
    std::unique_ptr<RTCDeviceTy, Release> device_;
    std::unique_ptr<RTCSceneTy, Release> tree_;
    std::vector<Geometry> geometries_;
};

} // namespace phyxel::detail
