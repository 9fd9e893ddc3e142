// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/embree_tree.h>
#include <phyxel/render/detail/liquid.h>
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

RTCIntersectContext packet_context(bool are_coherent)
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
             unsigned mask, float time)
{
    packet.org_x[k] = origin[0];
    packet.org_y[k] = origin[1];
    packet.org_z[k] = origin[2];
    packet.dir_x[k] = direction[0];
    packet.dir_y[k] = direction[1];
    packet.dir_z[k] = direction[2];
    packet.tnear[k] = near;
    packet.tfar[k] = far;
    packet.time[k] = time;
    packet.mask[k] = mask;
    packet.id[k] = static_cast<unsigned>(k);
    packet.flags[k] = 0;
}

// A sample may meet so many surfaces of liquids; then it sees the sky.
constexpr int most_bends = 8;
// Parts of the light below this are not followed on their own.
constexpr float least_part = 0.03f;
// The share of the light of the sun or the sky that a liquid in between lets through. Bent shadows would need
// many more rays.
constexpr float part_through_liquid = 0.8f;

/// A ray from the camera, or what a liquid makes of one.
struct PathRay {
    Vec3f from, direction;
    float near = 0.0f;
    Color weight = Color::Ones(); ///< how much of what it sees counts
    int pixel = 0;
    Sample sample = {};
    int bends = 0;                  ///< surfaces of liquids that it has met
    const Liquid* within = nullptr; ///< what it goes through
    bool is_mirrored = false;       ///< sees the sky where nothing is, instead of the backdrop
};

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
        has_liquid = std::any_of(scene.meshes.begin(), scene.meshes.end(),
                                 [](const DrawnMesh& drawn) { return drawn.liquid.has_value(); });
        has_lens = camera.aperture > 0.0;
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

    /// Whether a liquid stands on the ground here: then there is no air between the two.
    bool is_on_ground(const Surface& surface) const
    {
        constexpr float thickness = 5e-3f;
        return has_ground && surface.is_back &&
               (surface.place - ground_point).dot(ground_normal) < thickness &&
               surface.face.dot(ground_normal) > 0.7f;
    }

    Surface ground_at(const Vec3f& place) const
    {
        Surface surface;
        surface.place = place;
        surface.normal = surface.face = ground_normal;
        surface.color = scene.ground->color;
        surface.start = 4e-6f * (1.0f + place.cwiseAbs().maxCoeff());
        surface.is_lit = true;
        return surface;
    }

    /// How much of the ground is background already.
    float ground_fade(const Vec3f& place) const { return smooth_step(0.9f, 3.2f, place.norm()); }

    PathRay camera_ray(int pixel, const Sample& sample) const;
    Color behind(const PathRay& ray) const;
    void split(const PathRay& ray, const Surface& surface, std::vector<PathRay>& bent, Image& image) const;
    void trace_tile(int tile_x, int tile_y, Image& image) const;
    void trace_rays(std::span<const PathRay> rays, std::vector<PathRay>& bent, Image& image) const;

    /// Calls found(lane) for those of the rays, which have reached their light, that go through a liquid.
    void dim(const std::array<int, lanes>& asked, const RTCRay8& rays, auto&& found) const
    {
        alignas(32) RTCRay8 again = rays;
        alignas(32) std::array<int, lanes> valid{};
        for (int k = 0; k < lanes; ++k) {
            again.mask[k] = dims_light;
            valid[static_cast<std::size_t>(k)] =
                asked[static_cast<std::size_t>(k)] != 0 && rays.tfar[k] > 0.0f ? -1 : 0;
        }
        RTCIntersectContext context = packet_context(false);
        rtcOccluded8(valid.data(), tree.handle(), &context, &again);
        for (int k = 0; k < lanes; ++k)
            if (valid[static_cast<std::size_t>(k)] != 0 && again.tfar[k] < 0.0f)
                found(static_cast<std::size_t>(k));
    }

    const RenderScene& scene;
    RenderOptions options;
    LocalFrame frame;
    CameraView view;
    Light light;
    std::vector<Sample> samples;
    EmbreeTree tree;
    bool has_liquid = false;
    bool has_lens = false;
    bool has_ground = false;
    Vec3f ground_point = Vec3f::Zero();
    Vec3f ground_normal = Vec3f::UnitZ();
};

PathRay RayTracer::Parts::camera_ray(int pixel, const Sample& sample) const
{
    const int x = pixel % options.width;
    const int y = pixel / options.width;
    const Vec<2> place(double(x) + double(sample.pixel[0]), double(y) + double(sample.pixel[1]));
    const auto lens = has_lens ? disc_point(sample.lens) : std::array<float, 2>{};
    const CameraView::Ray ray =
        has_lens ? view.ray(place, {double(lens[0]), double(lens[1])}) : view.ray(place);
    return {.from = ray.origin.cast<float>(),
            .direction = ray.direction.cast<float>(),
            .pixel = pixel,
            .sample = sample};
}

/// What a ray sees where nothing is.
Color RayTracer::Parts::behind(const PathRay& ray) const
{
    if (ray.is_mirrored) return light.sky(ray.direction);
    const int row = ray.pixel / options.width;
    return backdrop(1.0f - (static_cast<float>(row) + 0.5f) / static_cast<float>(options.height));
}

/// At the surface of a liquid a part of the light is reflected and the rest goes through. Both are followed,
/// instead of one by chance, so that there is no noise.
void RayTracer::Parts::split(const PathRay& ray, const Surface& surface, std::vector<PathRay>& bent,
                             Image& image) const
{
    Color& pixel = image.pixels[static_cast<std::size_t>(ray.pixel)];
    if (ray.bends == most_bends) {
        pixel += ray.weight.cwiseProduct(light.sky(ray.direction));
        return;
    }
    if (!surface.is_back) pixel += ray.weight.cwiseProduct(sun_glint(surface.normal, light, -ray.direction));

    const float index = surface.liquid->refractive_index;
    const Bend bend = detail::bend(ray.direction, surface, surface.is_back ? index : 1.0f / index);
    float reflected = bend.reflectance;
    const float counts = ray.weight.maxCoeff();
    if (reflected * counts < least_part) reflected = 0.0f;
    if ((1.0f - reflected) * counts < least_part) reflected = 1.0f;

    PathRay next = ray;
    next.near = surface.start;
    ++next.bends;
    if (reflected < 1.0f) {
        next.from = surface.place - surface.start * surface.face;
        next.direction = bend.transmitted;
        next.weight = (1.0f - reflected) * ray.weight;
        next.within = surface.is_back ? nullptr : surface.liquid;
        bent.push_back(next);
    }
    if (reflected > 0.0f) {
        next.from = surface.place + surface.start * surface.face;
        next.direction = bend.reflected;
        next.weight = reflected * ray.weight;
        next.within = surface.is_back ? surface.liquid : nullptr;
        next.is_mirrored = next.is_mirrored || !surface.is_back;
        bent.push_back(next);
    }
}

void RayTracer::Parts::trace_tile(int tile_x, int tile_y, Image& image) const
{
    const int x_end = std::min(tile_x + tile_size, options.width);
    const int y_end = std::min(tile_y + tile_size, options.height);
    std::array<PathRay, lanes> rays{};
    std::vector<PathRay> bent;
    std::size_t count = 0;
    const auto follow = [&] {
        trace_rays(std::span(rays).first(count), bent, image);
        count = 0;
        // The newest first, so that there are never many.
        while (!bent.empty()) {
            count = std::min<std::size_t>(bent.size(), lanes);
            std::copy(bent.end() - static_cast<std::ptrdiff_t>(count), bent.end(), rays.begin());
            bent.resize(bent.size() - count);
            trace_rays(std::span(rays).first(count), bent, image);
            count = 0;
        }
    };
    for (int y = tile_y; y < y_end; ++y)
        for (int x = tile_x; x < x_end; ++x) {
            const int pixel = y * options.width + x;
            const SampleShift shift(options.seed, static_cast<std::uint64_t>(pixel));
            for (const Sample& sample : samples) {
                rays[count] = camera_ray(pixel, shift.apply(sample));
                if (++count == lanes) follow();
            }
        }
    if (count > 0) follow();
    const float weight = 1.0f / static_cast<float>(options.samples);
    for (int y = tile_y; y < y_end; ++y)
        for (int x = tile_x; x < x_end; ++x) image.at(x, y) *= weight;
}

void RayTracer::Parts::trace_rays(std::span<const PathRay> rays, std::vector<PathRay>& bent,
                                  Image& image) const
{
    const int count = static_cast<int>(rays.size());
    alignas(32) std::array<int, lanes> valid{};
    alignas(32) RTCRayHit8 hit;
    for (int k = 0; k < lanes; ++k) {
        const PathRay& ray = rays[static_cast<std::size_t>(k < count ? k : 0)];
        valid[static_cast<std::size_t>(k)] = k < count ? -1 : 0;
        set_ray(hit.ray, k, ray.from, ray.direction, ray.near, far_away, seen, ray.sample.time);
        hit.hit.geomID[k] = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0][k] = RTC_INVALID_GEOMETRY_ID;
    }
    RTCIntersectContext context = packet_context(true);
    rtcIntersect8(valid.data(), tree.handle(), &context, &hit);

    // What was met, and the two rays from there.
    std::array<Surface, lanes> surface;
    std::array<float, lanes> fade{};
    std::array<Color, lanes> weight;
    std::array<bool, lanes> is_split{};
    alignas(32) std::array<int, lanes> sunlit{};
    alignas(32) std::array<int, lanes> open{};
    std::array<Incoming, lanes> incoming;
    alignas(32) RTCRay8 shadow;
    alignas(32) RTCRay8 occlusion;
    for (int k = 0; k < lanes; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        const PathRay& ray = rays[k < count ? lane : 0];
        set_ray(shadow, k, ray.from, ray.direction, 0.0f, -1.0f, casts_shadow, ray.sample.time);
        set_ray(occlusion, k, ray.from, ray.direction, 0.0f, -1.0f, casts_shadow, ray.sample.time);
        if (k >= count) continue;
        Surface& s = surface[lane];
        weight[lane] = ray.weight;
        const float ground = ground_distance(ray.from, ray.direction);
        const bool meets_ground = ground < hit.ray.tfar[k];
        const bool meets_thing = !meets_ground && hit.hit.geomID[k] != RTC_INVALID_GEOMETRY_ID;
        if (ray.within != nullptr && (meets_ground || meets_thing))
            weight[lane] = weight[lane].cwiseProduct(transmission(
                *ray.within, std::min(ground, hit.ray.tfar[k]) * static_cast<float>(frame.unit)));
        if (meets_ground) {
            s = ground_at(ray.from + ground * ray.direction);
            fade[lane] = ground_fade(s.place);
            s.is_lit = fade[lane] < 1.0f;
        } else if (meets_thing) {
            s = tree.surface_at({.geometry = hit.hit.geomID[k],
                                 .primitive = hit.hit.primID[k],
                                 .distance = hit.ray.tfar[k],
                                 .u = hit.hit.u[k],
                                 .v = hit.hit.v[k],
                                 .normal = {hit.hit.Ng_x[k], hit.hit.Ng_y[k], hit.hit.Ng_z[k]},
                                 .time = ray.sample.time},
                                ray.from, ray.direction);
        } else {
            fade[lane] = 1.0f;
        }
        if (s.liquid != nullptr && is_on_ground(s)) s = ground_at(s.place);
        if (s.liquid != nullptr) {
            PathRay arrived = ray;
            arrived.weight = weight[lane];
            split(arrived, s, bent, image);
            is_split[lane] = true;
            continue;
        }
        if (!s.is_lit) continue;
        const Vec3f start = s.place + s.start * s.face;
        incoming[lane].to_sun = light.towards_sun(ray.sample.sun);
        if (incoming[lane].to_sun.dot(s.face) > 0.0f && incoming[lane].to_sun.dot(s.normal) > 0.0f) {
            sunlit[lane] = -1;
            set_ray(shadow, k, start, incoming[lane].to_sun, s.start, far_away, casts_shadow,
                    ray.sample.time);
        }
        // Directions as many as their cosine, so that each counts the same.
        const auto d = disc_point(ray.sample.sky);
        const Tangents across = tangents_of(s.normal);
        const float height = std::sqrt(std::max(0.0f, 1.0f - ray.sample.sky[0]));
        incoming[lane].to_sky = d[0] * across.a + d[1] * across.b + height * s.normal;
        if (incoming[lane].to_sky.dot(s.face) > 0.0f) {
            open[lane] = -1;
            set_ray(occlusion, k, start, incoming[lane].to_sky, s.start, far_away, casts_shadow,
                    ray.sample.time);
        }
    }
    context = packet_context(true);
    rtcOccluded8(sunlit.data(), tree.handle(), &context, &shadow);
    context = packet_context(false);
    rtcOccluded8(open.data(), tree.handle(), &context, &occlusion);
    for (int k = 0; k < count; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        incoming[lane].sees_sun = sunlit[lane] != 0 && shadow.tfar[k] > 0.0f;
        incoming[lane].sees_sky = open[lane] != 0 && occlusion.tfar[k] > 0.0f;
    }
    if (has_liquid) {
        dim(sunlit, shadow, [&](std::size_t lane) { incoming[lane].sun_part = part_through_liquid; });
        dim(open, occlusion, [&](std::size_t lane) { incoming[lane].sky_part = part_through_liquid; });
    }

    for (int k = 0; k < count; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        if (is_split[lane]) continue;
        const PathRay& ray = rays[lane];
        const Surface& s = surface[lane];
        Color color = s.is_lit ? shade(s, light, incoming[lane], -ray.direction) : s.color;
        if (fade[lane] > 0.0f) {
            const Color background = behind(ray);
            color = s.is_lit ? Color(color + fade[lane] * (background - color)) : background;
        }
        image.pixels[static_cast<std::size_t>(ray.pixel)] += weight[lane].cwiseProduct(color);
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
    RTCIntersectContext context = packet_context(true);
    rtcOccluded1(parts_->tree.handle(), &context, &one);
    return one.tfar < 0.0f;
}

std::size_t RayTracer::peak_memory() const { return parts_->tree.peak_memory(); }

Image render_image(const RenderScene& scene, const Camera& camera, const RenderOptions& options)
{
    return RayTracer(scene, camera, options).trace();
}

} // namespace phyxel
