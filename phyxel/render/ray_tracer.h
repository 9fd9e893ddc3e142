// SPDX-License-Identifier: MIT
// Pictures by following light backwards. Each sample of a pixel is one ray from the camera, and where it hits
// something, one ray towards a point of the sun and one towards a point of the sky.
//
// Positions are taken relative to where the camera looks and in units of its distance before they become
// `float`, so a scene of micrometres and one of a thousand kilometres look the same. Samples are seeded by
// the pixel, and the tree over the things is built by one thread: the image is the same bits on any number of
// threads.
#pragma once

#include <phyxel/render/camera.h>
#include <phyxel/render/image.h>
#include <phyxel/render/render_scene.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace phyxel {

struct RenderOptions {
    int width = 1280;
    int height = 720;
    int samples = 16; ///< a pixel
    std::uint64_t seed = 1;
};

/// A scene made ready for rays. The scene must outlive it and stay as it is.
class RayTracer {
public:
    RayTracer(const RenderScene& scene, const Camera& camera, const RenderOptions& options);
    ~RayTracer();
    RayTracer(const RayTracer&) = delete;
    RayTracer& operator=(const RayTracer&) = delete;

    Image trace() const;

    /// Whether a thing, other than the ground, is seen at this place of the picture, in pixels.
    bool hits_anything(const Vec<2>& pixel) const;

    /// Largest amount of memory that the things took beside the scene itself, while the tree was built.
    /// [bytes]
    std::size_t peak_memory() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

Image render_image(const RenderScene& scene, const Camera& camera, const RenderOptions& options = {});

} // namespace phyxel
