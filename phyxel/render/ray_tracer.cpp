// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/embree_tree.h>
#include <phyxel/render/detail/samples.h>
#include <phyxel/render/detail/shading.h>
#include <phyxel/render/ray_tracer.h>

#include <Eigen/Geometry>
#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

using namespace detail;

namespace {

constexpr int lanes = 8;      // rays that Embree follows together
constexpr int tile_size = 32; // pixels

RTCIntersectContext rays(bool are_coherent)
{
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags =
        are_coherent ? RTC_INTERSECT_CONTEXT_FLAG_COHERENT : RTC_INTERSECT_CONTEXT_FLAG_INCOHERENT;
    return context;
}

/// Eight rays that have not been asked for.
template <class Packet>
void set_ray(Packet& packet, int k, const Vec3f& origin, const Vec3f& direction, float near, float far,
             unsigned mask)
{
    packet.org_x[k] = origin[0];
    packet.org_y[k] = origin[1];
    packet.org_z[k] = origin[2];
    packet.dir_x[k] = direction[0];
    packet.dir_y[k] = direction[1];
    packet.dir_z[k] = direction[2];
    packet.tnear[k] = near;
    packet.tfar[k] = far;
    packet.time[k] = 0.0f;
    packet.mask[k] = mask;
    packet.id[k] = static_cast<unsigned>(k);
    packet.flags[k] = 0;
}

} // namespace

struct RayTracer::Parts {
    Parts(const RenderScene& s, const Camera& camera, const RenderOptions& o)
        : scene(s),
          options(o),
          frame{camera.look_at, (camera.from - camera.look_at).norm()},
          view(frame.local(camera), o.width, o.height),
          light(s.lighting),
          samples(make_samples(o.samples, o.seed)),
          tree(s, frame, view, o.height)
    {
        if (!scene.ground) return;
        has_ground = true;
        ground_point = frame.local(scene.ground->point);
        ground_normal = scene.ground->normal.normalized().cast<float>();
    }

    /// Distance to the ground along a ray, `far_away` if it does not come to it from above.
    float ground_distance(const Vec3f& from, const Vec3f& direction) const
    {
        if (!has_ground) return far_away;
        const float fall = direction.dot(ground_normal);
        if (!(fall < -1e-6f)) return far_away;
        const float t = (ground_point - from).dot(ground_normal) / fall;
        return t > 0.0f ? t : far_away;
    }

    /// What is seen where there is nothing: it changes with the height in the picture, not with the
    /// direction.
    Color backdrop(float height) const
    {
        return light.look.backdrop_low +
               smooth_step(0.25f, 1.0f, height) * (light.look.backdrop_high - light.look.backdrop_low);
    }

    void trace_tile(int tile_x, int tile_y, Image& image) const;
    void trace_samples(std::span<const int> pixels, std::span<const Sample> shifted, Image& image) const;

    const RenderScene& scene;
    RenderOptions options;
    LocalFrame frame;
    CameraView view;
    Light light;
    std::vector<Sample> samples;
    EmbreeTree tree;
    bool has_ground = false;
    Vec3f ground_point = Vec3f::Zero();
    Vec3f ground_normal = Vec3f::UnitZ();
};

void RayTracer::Parts::trace_tile(int tile_x, int tile_y, Image& image) const
{
    const int x_end = std::min(tile_x + tile_size, options.width);
    const int y_end = std::min(tile_y + tile_size, options.height);
    std::array<int, lanes> pixels{};
    std::array<Sample, lanes> shifted{};
    std::size_t count = 0;
    for (int y = tile_y; y < y_end; ++y)
        for (int x = tile_x; x < x_end; ++x) {
            const int pixel = y * options.width + x;
            const SampleShift shift(options.seed, static_cast<std::uint64_t>(pixel));
            for (const Sample& sample : samples) {
                pixels[count] = pixel;
                shifted[count] = shift.apply(sample);
                if (++count < lanes) continue;
                trace_samples(pixels, shifted, image);
                count = 0;
            }
        }
    if (count > 0) trace_samples(std::span(pixels).first(count), std::span(shifted).first(count), image);
    const float weight = 1.0f / static_cast<float>(options.samples);
    for (int y = tile_y; y < y_end; ++y)
        for (int x = tile_x; x < x_end; ++x) image.at(x, y) *= weight;
}

void RayTracer::Parts::trace_samples(std::span<const int> pixels, std::span<const Sample> shifted,
                                     Image& image) const
{
    const int count = static_cast<int>(pixels.size());
    std::array<Vec3f, lanes> from, direction;
    alignas(32) std::array<int, lanes> valid{};
    alignas(32) RTCRayHit8 hit;
    for (int k = 0; k < lanes; ++k) {
        const int used = k < count ? k : 0;
        const int x = pixels[static_cast<std::size_t>(used)] % options.width;
        const int y = pixels[static_cast<std::size_t>(used)] / options.width;
        const auto& place = shifted[static_cast<std::size_t>(used)].pixel;
        const CameraView::Ray ray = view.ray({double(x) + double(place[0]), double(y) + double(place[1])});
        const auto lane = static_cast<std::size_t>(k);
        from[lane] = ray.origin.cast<float>();
        direction[lane] = ray.direction.cast<float>();
        valid[lane] = k < count ? -1 : 0;
        set_ray(hit.ray, k, from[lane], direction[lane], 0.0f, far_away, seen);
        hit.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
    }
    RTCIntersectContext context = rays(true);
    rtcIntersect8(valid.data(), tree.handle(), &context, &hit);

    // What was met, and the two rays from there.
    std::array<Surface, lanes> surface;
    std::array<float, lanes> fade{};
    alignas(32) std::array<int, lanes> sunlit{};
    alignas(32) std::array<int, lanes> open{};
    std::array<Incoming, lanes> incoming;
    alignas(32) RTCRay8 shadow;
    alignas(32) RTCRay8 occlusion;
    for (int k = 0; k < lanes; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        set_ray(shadow, k, from[lane], direction[lane], 0.0f, -1.0f, casts_shadow);
        set_ray(occlusion, k, from[lane], direction[lane], 0.0f, -1.0f, casts_shadow);
        if (k >= count) continue;
        Surface& s = surface[lane];
        const float ground = ground_distance(from[lane], direction[lane]);
        if (ground < hit.ray.tfar[k]) {
            s.place = from[lane] + ground * direction[lane];
            s.normal = s.face = ground_normal;
            s.color = scene.ground->color;
            s.start = 4e-6f * (1.0f + s.place.cwiseAbs().maxCoeff());
            fade[lane] = smooth_step(0.9f, 3.2f, s.place.norm());
            s.is_lit = fade[lane] < 1.0f;
        } else if (hit.hit.geomID[k] != RTC_INVALID_GEOMETRY_ID) {
            s = tree.surface_at({.geometry = hit.hit.geomID[k],
                                 .primitive = hit.hit.primID[k],
                                 .distance = hit.ray.tfar[k],
                                 .u = hit.hit.u[k],
                                 .v = hit.hit.v[k],
                                 .normal = {hit.hit.Ng_x[k], hit.hit.Ng_y[k], hit.hit.Ng_z[k]}},
                                from[lane], direction[lane]);
        } else {
            fade[lane] = 1.0f;
        }
        if (!s.is_lit) continue;
        const Vec3f start = s.place + s.start * s.face;
        incoming[lane].to_sun = light.towards_sun(shifted[lane].sun);
        if (incoming[lane].to_sun.dot(s.face) > 0.0f && incoming[lane].to_sun.dot(s.normal) > 0.0f) {
            sunlit[lane] = -1;
            set_ray(shadow, k, start, incoming[lane].to_sun, s.start, far_away, casts_shadow);
        }
        // Directions as many as their cosine, so that each counts the same.
        const auto d = disc_point(shifted[lane].sky);
        const Tangents across = tangents_of(s.normal);
        const float height = std::sqrt(std::max(0.0f, 1.0f - shifted[lane].sky[0]));
        incoming[lane].to_sky = d[0] * across.a + d[1] * across.b + height * s.normal;
        if (incoming[lane].to_sky.dot(s.face) > 0.0f) {
            open[lane] = -1;
            set_ray(occlusion, k, start, incoming[lane].to_sky, s.start, far_away, casts_shadow);
        }
    }
    context = rays(true);
    rtcOccluded8(sunlit.data(), tree.handle(), &context, &shadow);
    context = rays(false);
    rtcOccluded8(open.data(), tree.handle(), &context, &occlusion);

    for (int k = 0; k < count; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        const Surface& s = surface[lane];
        Color color = s.color;
        if (s.is_lit) {
            incoming[lane].sees_sun = sunlit[lane] != 0 && shadow.tfar[k] > 0.0f;
            incoming[lane].sees_sky = open[lane] != 0 && occlusion.tfar[k] > 0.0f;
            color = shade(s, light, incoming[lane], -direction[lane]);
        }
        const int pixel = pixels[lane];
        if (fade[lane] > 0.0f) {
            const int row = pixel / options.width;
            const float height = 1.0f - (static_cast<float>(row) + 0.5f) / static_cast<float>(options.height);
            const Color behind = backdrop(height);
            color = s.is_lit ? Color(color + fade[lane] * (behind - color)) : behind;
        }
        image.pixels[static_cast<std::size_t>(pixel)] += color;
    }
}

RayTracer::RayTracer(const RenderScene& scene, const Camera& camera, const RenderOptions& options)
{
    check_camera(camera);
    check_scene(scene);
    constexpr int max_size = 32768;
    if (options.width < 1 || options.height < 1 || options.width > max_size || options.height > max_size)
        throw InputError("the size of the picture is " + std::to_string(options.width) + "x" +
                         std::to_string(options.height) + ", must be between 1x1 and 32768x32768");
    if (options.samples < 1 || options.samples > 65536)
        throw InputError("samples is " + std::to_string(options.samples) + ", must be between 1 and 65536");
    parts_ = std::make_unique<Parts>(scene, camera, options);
}

RayTracer::~RayTracer() = default;

Image RayTracer::trace() const
{
    const Parts& parts = *parts_;
    Image image(parts.options.width, parts.options.height);
    const int columns = (image.width + tile_size - 1) / tile_size;
    const int rows = (image.height + tile_size - 1) / tile_size;
    parallel_for_blocks(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 1,
                        [&](const Block& block) {
                            const int tile = static_cast<int>(block.begin);
                            parts.trace_tile(tile % columns * tile_size, tile / columns * tile_size, image);
                        });
    return image;
}

bool RayTracer::hits_anything(const Vec<2>& pixel) const
{
    const CameraView::Ray ray = parts_->view.ray(pixel);
    alignas(16) RTCRay one{};
    one.org_x = static_cast<float>(ray.origin[0]);
    one.org_y = static_cast<float>(ray.origin[1]);
    one.org_z = static_cast<float>(ray.origin[2]);
    one.dir_x = static_cast<float>(ray.direction[0]);
    one.dir_y = static_cast<float>(ray.direction[1]);
    one.dir_z = static_cast<float>(ray.direction[2]);
    one.tfar = far_away;
    one.mask = seen;
    RTCIntersectContext context = rays(true);
    rtcOccluded1(parts_->tree.handle(), &context, &one);
    return one.tfar < 0.0f;
}

std::size_t RayTracer::peak_memory() const { return parts_->tree.peak_memory(); }

Image render_image(const RenderScene& scene, const Camera& camera, const RenderOptions& options)
{
    return RayTracer(scene, camera, options).trace();
}

} // namespace phyxel
