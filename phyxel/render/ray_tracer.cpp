// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/render/ray_tracer.h>

#include <Eigen/Geometry>
#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace phyxel {
namespace {

using Vec3f = Vec<3, float>;

constexpr int lanes = 8;          // rays that Embree follows together
constexpr int tile_size = 32;     // pixels
constexpr float far_away = 1e30f; // instead of infinity, which times zero is not a number

// Bits of Embree's masks: lines are seen but cast no shadows.
constexpr unsigned seen = 1;
constexpr unsigned casts_shadow = 2;

// ---- Embree's things, released when they go out of scope ----

struct ReleaseDevice {
    void operator()(RTCDevice device) const { rtcReleaseDevice(device); }
};
struct ReleaseScene {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using Device = std::unique_ptr<RTCDeviceTy, ReleaseDevice>;
using Tree = std::unique_ptr<RTCSceneTy, ReleaseScene>;

Device make_device()
{
    // Embree asks now how many threads it will have later; see where the tree is built.
    const ThreadLimit one(1);
    // One instruction set, so that the tree and the rounding are the same on every machine.
    Device device(rtcNewDevice("isa=avx2"));
    if (!device)
        throw InputError("Embree cannot be started: error " + std::to_string(rtcGetDeviceError(nullptr)));
    return device;
}

struct MemoryMeter {
    std::atomic<std::ptrdiff_t> now = 0;
    std::atomic<std::ptrdiff_t> peak = 0;

    void add(std::ptrdiff_t bytes)
    {
        const std::ptrdiff_t sum = now += bytes;
        std::ptrdiff_t seen_peak = peak;
        while (sum > seen_peak && !peak.compare_exchange_weak(seen_peak, sum)) {}
    }
};

bool count_memory(void* meter, ssize_t bytes, bool)
{
    static_cast<MemoryMeter*>(meter)->add(bytes);
    return true;
}

// ---- Samples ----

/// One sample of a pixel: where in the pixel, which point of the sun, which direction of the sky; all in [0,
/// 1).
struct Sample {
    std::array<float, 2> pixel, sun, sky;
};

std::uint32_t reversed_bits(std::uint32_t x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    return (x >> 16) | (x << 16);
}

/// The second coordinate of the (0, 2)-sequence whose first is the reversed index [KK02].
std::uint32_t sobol_second(std::uint32_t index)
{
    std::uint32_t result = 0;
    for (std::uint32_t v = 1u << 31; index != 0; index >>= 1, v ^= v >> 1)
        if (index & 1u) result ^= v;
    return result;
}

/// `count` points that are stratified in the square: each of the grids with as many cells as there are points
/// (a power of two) has one in every cell. In random order, so that they can be paired with others.
std::vector<std::array<float, 2>> stratified_points(int count, Rng& rng)
{
    const auto scramble_a = static_cast<std::uint32_t>(rng());
    const auto scramble_b = static_cast<std::uint32_t>(rng());
    std::vector<std::array<float, 2>> points(static_cast<std::size_t>(count));
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        const auto unit = [](std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; };
        points[i] = {unit(reversed_bits(i) ^ scramble_a), unit(sobol_second(i) ^ scramble_b)};
    }
    for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[rng.below(i)]);
    return points;
}

/// The samples of every pixel. Pixels differ by random shifts of the square, which wraps around; places in
/// the pixel are not shifted, so that edges are equally smooth everywhere.
std::vector<Sample> make_samples(int count, std::uint64_t seed)
{
    Rng rng(seed);
    const auto pixel = stratified_points(count, rng);
    const auto sun = stratified_points(count, rng);
    const auto sky = stratified_points(count, rng);
    std::vector<Sample> samples(pixel.size());
    for (std::size_t i = 0; i < samples.size(); ++i) samples[i] = {pixel[i], sun[i], sky[i]};
    return samples;
}

float wrapped(float x) { return x >= 1.0f ? x - 1.0f : x; }

// ---- Shading ----

/// Two directions across n, of unit length [DBC*17].
struct Tangents {
    Vec3f a, b;
};

Tangents tangents_of(const Vec3f& n)
{
    const float sign = std::copysign(1.0f, n[2]);
    const float p = -1.0f / (sign + n[2]);
    const float q = n[0] * n[1] * p;
    return {{1.0f + sign * n[0] * n[0] * p, sign * q, -sign * n[0]}, {q, sign + n[1] * n[1] * p, -n[1]}};
}

/// A point of the unit disc, with equal areas kept.
std::array<float, 2> disc_point(const std::array<float, 2>& u)
{
    const float r = std::sqrt(u[0]);
    const float angle = 2.0f * std::numbers::pi_v<float> * u[1];
    return {r * std::cos(angle), r * std::sin(angle)};
}

/// What a ray from the camera met.
struct Surface {
    Vec3f place;
    Vec3f normal; ///< for shading, towards the viewer
    Vec3f face;   ///< geometric normal, towards the viewer
    Color color;
    float gloss = 0.0f;
    float start = 0.0f; ///< how far rays leave before they may hit something
    bool is_lit = false;
};

/// Light with its vectors in single precision and of unit length.
struct Light {
    explicit Light(const Lighting& given)
        : look(given),
          up(given.up.normalized().cast<float>()),
          sun(given.sun_direction.normalized().cast<float>()),
          sun_tangents(tangents_of(sun)),
          sun_size(static_cast<float>(std::tan(given.sun_radius)))
    {
    }

    Color sky(const Vec3f& direction) const
    {
        const float h = direction.dot(up);
        if (h < 0.0f) return look.below + (look.horizon - look.below) * std::max(0.0f, 1.0f + 4.0f * h);
        return look.horizon + (look.zenith - look.horizon) * h;
    }

    Vec3f towards_sun(const std::array<float, 2>& u) const
    {
        const auto d = disc_point(u);
        return (sun + sun_size * (d[0] * sun_tangents.a + d[1] * sun_tangents.b)).normalized();
    }

    Lighting look;
    Vec3f up;
    Vec3f sun;
    Tangents sun_tangents;
    float sun_size;
};

/// Of a dielectric with the refractive index of water, 1.33 to 1.5 [Sch94].
float fresnel(float cosine)
{
    const float c = std::clamp(1.0f - cosine, 0.0f, 1.0f);
    return 0.035f + 0.965f * c * c * c * c * c;
}

/// How strongly microfacets mirror the sun: the distribution of [WMLT07] with a cheap masking term.
float highlight(float n_dot_h, float v_dot_h)
{
    constexpr float a2 = 0.28f * 0.28f * 0.28f * 0.28f;
    const float d = n_dot_h * n_dot_h * (a2 - 1.0f) + 1.0f;
    return a2 / (4.0f * d * d * std::max(0.1f, v_dot_h * v_dot_h));
}

float smooth_step(float low, float high, float x)
{
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// Fades sunlight out where it grazes a facet that is shaded smoothly, instead of cutting it off.
float grazing(const Surface& surface, const Vec3f& towards)
{
    return surface.normal == surface.face ? 1.0f : smooth_step(0.0f, 0.12f, surface.face.dot(towards));
}

template <class T>
const T& of(const std::vector<T>& values, std::size_t i)
{
    return values.size() == 1 ? values[0] : values[i];
}

/// Normals of the corners of triangles: those of the triangles around a vertex, weighted by their angles,
/// where they differ by less than the smoothing angle. Empty if facets are wanted.
std::vector<Vec3f> corner_normals(const DrawnMesh& drawn)
{
    const auto& x = drawn.mesh.vertices;
    const auto& triangles = drawn.mesh.triangles;
    if (drawn.smooth_angle <= 0.0) return {};
    std::vector<Vec3f> faces(triangles.size());
    std::vector<Index> offsets(x.size() + 1, 0);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const auto& [a, b, c] = triangles[t];
        const Vec<3> u = x[b] - x[a];
        const Vec<3> v = x[c] - x[a];
        const double size = std::max(u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff());
        const Vec<3> n = size > 0.0 ? Vec<3>((u / size).cross(v / size)) : Vec<3>(Vec<3>::Zero());
        const double length = n.norm();
        faces[t] =
            length > 0.0 && std::isfinite(length) ? Vec3f((n / length).cast<float>()) : Vec3f(Vec3f::Zero());
        for (const Index corner : triangles[t]) ++offsets[corner + 1];
    }
    for (std::size_t i = 0; i < x.size(); ++i) offsets[i + 1] += offsets[i];
    std::vector<Index> around(offsets.back());
    std::vector<Index> next(offsets.begin(), offsets.end() - 1);
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (const Index corner : triangles[t]) around[next[corner]++] = static_cast<Index>(t);

    const auto angle_at = [&](Index t, Index vertex) {
        const auto& corners = triangles[t];
        const auto k =
            static_cast<std::size_t>(std::find(corners.begin(), corners.end(), vertex) - corners.begin());
        const Vec<3> u = (x[corners[(k + 1) % 3]] - x[vertex]).stableNormalized();
        const Vec<3> v = (x[corners[(k + 2) % 3]] - x[vertex]).stableNormalized();
        return static_cast<float>(std::acos(std::clamp(u.dot(v), -1.0, 1.0)));
    };
    const auto least_cosine = static_cast<float>(std::cos(std::min(drawn.smooth_angle, std::numbers::pi)));
    std::vector<Vec3f> normals(3 * triangles.size());
    parallel_for(triangles.size(), [&](Index t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const Index vertex = triangles[t][k];
            Vec3f sum = Vec3f::Zero();
            for (Index i = offsets[vertex]; i < offsets[vertex + 1]; ++i)
                if (faces[around[i]].dot(faces[t]) >= least_cosine)
                    sum += angle_at(around[i], vertex) * faces[around[i]];
            const float length = sum.norm();
            normals[3 * t + k] = length > 0.0f ? Vec3f(sum / length) : faces[t];
        }
    });
    return normals;
}

enum class Kind { Spheres, Surfels, Mesh, Lines };

/// One geometry of Embree and where it came from.
struct Geometry {
    Kind kind;
    std::size_t number; ///< among the things of its kind
    const Vec<4, float>* points = nullptr;
    std::vector<Vec3f> normals = {};
};

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
          origin(camera.look_at),
          unit((camera.from - camera.look_at).norm()),
          view(local(camera), o.width, o.height),
          light(s.lighting),
          samples(make_samples(o.samples, o.seed))
    {
        device = make_device();
        rtcSetDeviceMemoryMonitorFunction(device.get(), count_memory, &memory);
        tree.reset(rtcNewScene(device.get()));
        rtcSetSceneBuildQuality(tree.get(), RTC_BUILD_QUALITY_MEDIUM);

        for (std::size_t i = 0; i < scene.spheres.size(); ++i) add_spheres(i);
        for (std::size_t i = 0; i < scene.surfels.size(); ++i) add_surfels(i);
        for (std::size_t i = 0; i < scene.meshes.size(); ++i) add_mesh(i);
        add_boxes();
        {
            // Built by several threads, the order of things in a leaf depends on chance, and with it which of
            // two things at exactly the same place is seen.
            const ThreadLimit one(1);
            rtcCommitScene(tree.get());
        }
        if (const RTCError error = rtcGetDeviceError(device.get()); error != RTC_ERROR_NONE)
            throw InputError(error == RTC_ERROR_OUT_OF_MEMORY
                                 ? std::string("not enough memory for the picture")
                                 : "Embree: error " + std::to_string(error));
        if (scene.ground) {
            has_ground = true;
            ground_point = local(scene.ground->point);
            ground_normal = scene.ground->normal.normalized().cast<float>();
        }
    }

    Vec3f local(const Vec<3>& x) const { return ((x - origin) / unit).cast<float>(); }

    Camera local(Camera camera) const
    {
        camera.from = (camera.from - origin) / unit;
        camera.look_at = Vec<3>::Zero();
        return camera;
    }

    Vec<4, float>* attach(RTCGeometryType type, std::size_t count, Geometry geometry, unsigned mask,
                          RTCGeometry& handle)
    {
        handle = rtcNewGeometry(device.get(), type);
        const RTCFormat format = type == RTC_GEOMETRY_TYPE_TRIANGLE ? RTC_FORMAT_FLOAT3 : RTC_FORMAT_FLOAT4;
        auto* points = static_cast<Vec<4, float>*>(
            rtcSetNewGeometryBuffer(handle, RTC_BUFFER_TYPE_VERTEX, 0, format, sizeof(Vec<4, float>), count));
        if (points == nullptr) {
            rtcReleaseGeometry(handle);
            throw InputError("not enough memory for the picture");
        }
        rtcSetGeometryMask(handle, mask);
        geometry.points = points;
        geometries.push_back(std::move(geometry));
        return points;
    }

    void finish(RTCGeometry handle)
    {
        rtcCommitGeometry(handle);
        rtcAttachGeometryByID(tree.get(), handle, static_cast<unsigned>(geometries.size() - 1));
        rtcReleaseGeometry(handle);
    }

    /// Centre and radius, not a number if it cannot be drawn; Embree leaves such things out.
    Vec<4, float> ball(const Vec<3>& center, float radius) const
    {
        Vec<4, float> result;
        result << local(center), radius / static_cast<float>(unit);
        const bool is_drawable = result.allFinite() && result.cwiseAbs().maxCoeff() < 1e15f;
        return is_drawable ? result
                           : Vec<4, float>(Vec<4, float>::Constant(std::numeric_limits<float>::quiet_NaN()));
    }

    void add_spheres(std::size_t number)
    {
        const DrawnSpheres& spheres = scene.spheres[number];
        if (spheres.centers.empty()) return;
        RTCGeometry handle = nullptr;
        auto* points = attach(RTC_GEOMETRY_TYPE_SPHERE_POINT, spheres.centers.size(), {Kind::Spheres, number},
                              seen | casts_shadow, handle);
        parallel_for(spheres.centers.size(),
                     [&](Index i) { points[i] = ball(spheres.centers[i], of(spheres.radii, i)); });
        finish(handle);
    }

    void add_surfels(std::size_t number)
    {
        const DrawnSurfels& surfels = scene.surfels[number];
        if (surfels.centers.empty()) return;
        RTCGeometry handle = nullptr;
        auto* points = attach(RTC_GEOMETRY_TYPE_ORIENTED_DISC_POINT, surfels.centers.size(),
                              {Kind::Surfels, number}, seen | casts_shadow, handle);
        auto* normals = static_cast<Vec3f*>(rtcSetNewGeometryBuffer(
            handle, RTC_BUFFER_TYPE_NORMAL, 0, RTC_FORMAT_FLOAT3, sizeof(Vec3f), surfels.centers.size()));
        if (normals == nullptr) throw InputError("not enough memory for the picture");
        parallel_for(surfels.centers.size(), [&](Index i) {
            points[i] = ball(surfels.centers[i], of(surfels.radii, i));
            normals[i] = surfels.normals[i].stableNormalized().cast<float>();
            if (!(normals[i].squaredNorm() > 0.5f))
                points[i].setConstant(std::numeric_limits<float>::quiet_NaN());
        });
        finish(handle);
    }

    void add_mesh(std::size_t number)
    {
        const DrawnMesh& drawn = scene.meshes[number];
        if (drawn.mesh.triangles.empty()) return;
        RTCGeometry handle = nullptr;
        auto* points =
            attach(RTC_GEOMETRY_TYPE_TRIANGLE, drawn.mesh.vertices.size(),
                   {Kind::Mesh, number, nullptr, corner_normals(drawn)}, seen | casts_shadow, handle);
        parallel_for(drawn.mesh.vertices.size(),
                     [&](Index i) { points[i] = ball(drawn.mesh.vertices[i], 0.0f); });
        rtcSetSharedGeometryBuffer(handle, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                                   drawn.mesh.triangles.data(), 0, sizeof(drawn.mesh.triangles[0]),
                                   drawn.mesh.triangles.size());
        finish(handle);
    }

    /// Lines as thick at every depth as `width` says: a cone between the ends is exact in perspective.
    void add_boxes()
    {
        for (std::size_t number = 0; number < scene.boxes.size(); ++number) {
            const DrawnBox& drawn = scene.boxes[number];
            if (drawn.box.is_empty() || !drawn.box.min.allFinite() || !drawn.box.max.allFinite()) continue;
            RTCGeometry handle = nullptr;
            auto* points =
                attach(RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE, 24, {Kind::Lines, number}, seen, handle);
            auto* first = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
                handle, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, sizeof(unsigned), 12));
            if (first == nullptr) throw InputError("not enough memory for the picture");
            int edge = 0;
            for (int axis = 0; axis < 3; ++axis)
                for (int side = 0; side < 4; ++side, ++edge) {
                    first[edge] = static_cast<unsigned>(2 * edge);
                    for (int end = 0; end < 2; ++end) {
                        Vec<3> x;
                        x[axis] = end == 0 ? drawn.box.min[axis] : drawn.box.max[axis];
                        const int next = (axis + 1) % 3;
                        const int last = (axis + 2) % 3;
                        x[next] = (side & 1) == 0 ? drawn.box.min[next] : drawn.box.max[next];
                        x[last] = (side & 2) == 0 ? drawn.box.min[last] : drawn.box.max[last];
                        const Vec<3> here = (x - origin) / unit;
                        const double depth = std::max(1e-3, view.project(here).depth);
                        const double width = std::max(1.0, double(drawn.width) * options.height / 720.0);
                        points[2 * edge + end] << here.cast<float>(),
                            static_cast<float>(0.5 * width * view.pixel_size(depth));
                    }
                }
            finish(handle);
        }
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

    Surface surface_at(const RTCRayHit8& hit, int k, const Vec3f& from, const Vec3f& direction) const
    {
        const Geometry& geometry = geometries[hit.hit.geomID[k]];
        const std::size_t i = hit.hit.primID[k];
        const float t = hit.ray.tfar[k];
        Surface surface;
        surface.place = from + t * direction;
        surface.is_lit = true;
        const Vec3f normal(hit.hit.Ng_x[k], hit.hit.Ng_y[k], hit.hit.Ng_z[k]);
        switch (geometry.kind) {
        case Kind::Spheres: {
            const DrawnSpheres& spheres = scene.spheres[geometry.number];
            const Vec<4, float>& point = geometry.points[i];
            const float radius = point[3];
            surface.face = (surface.place - point.head<3>()).normalized();
            if (!(surface.face.squaredNorm() > 0.5f)) surface.face = -direction;
            // Back onto the sphere: after a long way the distance is not exact enough to leave it again.
            surface.place = point.head<3>() + radius * surface.face;
            surface.normal = surface.face;
            surface.color = of(spheres.colors, i);
            surface.gloss = spheres.gloss;
            surface.start = 1e-3f * radius;
            break;
        }
        case Kind::Surfels: {
            const DrawnSurfels& surfels = scene.surfels[geometry.number];
            surface.face = normal.normalized();
            surface.normal = surface.face;
            surface.color = of(surfels.colors, i);
            surface.gloss = surfels.gloss;
            // Discs overlap, and a neighbour's edge stands above the middle of this one.
            surface.start = geometry.points[i][3];
            break;
        }
        case Kind::Mesh: {
            const DrawnMesh& drawn = scene.meshes[geometry.number];
            surface.face = normal.stableNormalized();
            const float u = hit.hit.u[k];
            const float v = hit.hit.v[k];
            surface.normal = surface.face;
            if (!geometry.normals.empty()) {
                const Vec3f* corner = geometry.normals.data() + 3 * i;
                const Vec3f mixed = (1.0f - u - v) * corner[0] + u * corner[1] + v * corner[2];
                if (mixed.squaredNorm() > 1e-6f) surface.normal = mixed.normalized();
            }
            const auto& [a, b, c] = drawn.mesh.triangles[i];
            surface.color =
                drawn.colors.size() == 1
                    ? drawn.colors[0]
                    : Color((1.0f - u - v) * drawn.colors[a] + u * drawn.colors[b] + v * drawn.colors[c]);
            surface.gloss = drawn.gloss;
            break;
        }
        case Kind::Lines:
            surface.color = scene.boxes[geometry.number].color;
            surface.is_lit = false;
            return surface;
        }
        if (surface.face.dot(direction) > 0.0f) surface.face = -surface.face;
        if (surface.normal.dot(surface.face) < 0.0f) surface.normal = -surface.normal;
        surface.start += 4e-6f * (1.0f + surface.place.cwiseAbs().maxCoeff());
        return surface;
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
    Vec<3> origin;
    double unit;
    CameraView view;
    Light light;
    std::vector<Sample> samples;
    MemoryMeter memory;
    Device device;
    Tree tree;
    std::vector<Geometry> geometries;
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
            Rng rng(options.seed, static_cast<std::uint64_t>(pixel));
            const std::uint64_t first = rng();
            const std::uint64_t second = rng();
            const auto unit_of = [](std::uint64_t bits) {
                return static_cast<float>(static_cast<std::uint32_t>(bits) >> 8) * 0x1p-24f;
            };
            const std::array<float, 4> shift = {unit_of(first), unit_of(first >> 32), unit_of(second),
                                                unit_of(second >> 32)};
            for (const Sample& sample : samples) {
                pixels[count] = pixel;
                shifted[count] = {sample.pixel,
                                  {wrapped(sample.sun[0] + shift[0]), wrapped(sample.sun[1] + shift[1])},
                                  {wrapped(sample.sky[0] + shift[2]), wrapped(sample.sky[1] + shift[3])}};
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
    rtcIntersect8(valid.data(), tree.get(), &context, &hit);

    // What was met, and the two rays from there.
    std::array<Surface, lanes> surface;
    std::array<float, lanes> fade{};
    alignas(32) std::array<int, lanes> sunlit{};
    alignas(32) std::array<int, lanes> open{};
    std::array<Vec3f, lanes> to_sun, to_sky;
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
            s = surface_at(hit, k, from[lane], direction[lane]);
        } else {
            fade[lane] = 1.0f;
        }
        if (!s.is_lit) continue;
        const Vec3f start = s.place + s.start * s.face;
        to_sun[lane] = light.towards_sun(shifted[lane].sun);
        if (to_sun[lane].dot(s.face) > 0.0f && to_sun[lane].dot(s.normal) > 0.0f) {
            sunlit[lane] = -1;
            set_ray(shadow, k, start, to_sun[lane], s.start, far_away, casts_shadow);
        }
        // Directions as many as their cosine, so that each counts the same.
        const auto d = disc_point(shifted[lane].sky);
        const Tangents across = tangents_of(s.normal);
        const float height = std::sqrt(std::max(0.0f, 1.0f - shifted[lane].sky[0]));
        to_sky[lane] = d[0] * across.a + d[1] * across.b + height * s.normal;
        if (to_sky[lane].dot(s.face) > 0.0f) {
            open[lane] = -1;
            set_ray(occlusion, k, start, to_sky[lane], s.start, far_away, casts_shadow);
        }
    }
    context = rays(true);
    rtcOccluded8(sunlit.data(), tree.get(), &context, &shadow);
    context = rays(false);
    rtcOccluded8(open.data(), tree.get(), &context, &occlusion);

    for (int k = 0; k < count; ++k) {
        const auto lane = static_cast<std::size_t>(k);
        const Surface& s = surface[lane];
        Color color = s.color;
        if (s.is_lit) {
            const bool sees_sun = sunlit[lane] != 0 && shadow.tfar[k] > 0.0f;
            const bool sees_sky = open[lane] != 0 && occlusion.tfar[k] > 0.0f;
            const Vec3f view_direction = -direction[lane];
            Color ambient = light.sky(to_sky[lane]);
            // A hidden sky sends what other things throw back, which has much of this one's colour.
            if (!sees_sky)
                ambient = light.look.bounce * ambient.cwiseProduct(0.3f * Color::Ones() + 0.7f * s.color);
            color = s.color.cwiseProduct(ambient);
            if (sees_sun)
                color += to_sun[lane].dot(s.normal) * grazing(s, to_sun[lane]) *
                         s.color.cwiseProduct(light.look.sun);
            if (s.gloss > 0.0f) {
                const float cosine = std::max(0.0f, view_direction.dot(s.normal));
                const Vec3f mirror = 2.0f * cosine * s.normal - view_direction;
                const Color reflected = sees_sky ? light.sky(mirror) : Color(0.2f * light.sky(mirror));
                color += s.gloss * 0.6f * fresnel(cosine) * reflected;
                if (sees_sun) {
                    const Vec3f half = (view_direction + light.sun).normalized();
                    const float v_dot_h = std::max(0.0f, view_direction.dot(half));
                    const float shine = highlight(std::max(0.0f, s.normal.dot(half)), v_dot_h);
                    color += s.gloss * fresnel(v_dot_h) * std::min(shine, 40.0f) *
                             std::max(0.0f, light.sun.dot(s.normal)) * light.look.sun;
                }
            }
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
    rtcOccluded1(parts_->tree.get(), &context, &one);
    return one.tfar < 0.0f;
}

std::size_t RayTracer::peak_memory() const { return static_cast<std::size_t>(parts_->memory.peak.load()); }

Image render_image(const RenderScene& scene, const Camera& camera, const RenderOptions& options)
{
    return RayTracer(scene, camera, options).trace();
}

} // namespace phyxel
