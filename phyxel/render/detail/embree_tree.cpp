// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/run_alone.h>
#include <phyxel/render/detail/corner_normals.h>
#include <phyxel/render/detail/embree_tree.h>
#include <phyxel/render/detail/twins.h>

#include <Eigen/Geometry>
#include <embree3/rtcore.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <utility>

namespace phyxel::detail {
namespace {

[[noreturn]] void throw_out_of_memory() { throw InputError("not enough memory for the picture"); }

/// One thread builds the tree. On several threads Embree does not promise the same order of things in a leaf,
/// and this order decides which of two things at exactly the same place is seen. The number of threads of a
/// device is set when it is made.
RTCDevice make_device()
{
    // One instruction set, so that the tree and the rounding are the same on every machine.
    RTCDevice device = nullptr;
    run_alone([&] { device = rtcNewDevice("isa=avx2"); });
    if (device == nullptr)
        throw InputError("Embree cannot be started: error " + std::to_string(rtcGetDeviceError(nullptr)));
    return device;
}

template <class T>
const T& of(const std::vector<T>& values, std::size_t i)
{
    return values.size() == 1 ? values[0] : values[i];
}

/// Room for `count` items of a buffer of the geometry.
template <class T>
T* new_buffer(RTCGeometry handle, RTCBufferType type, RTCFormat format, std::size_t count, unsigned slot = 0)
{
    auto* items = static_cast<T*>(rtcSetNewGeometryBuffer(handle, type, slot, format, sizeof(T), count));
    if (items == nullptr) throw_out_of_memory();
    return items;
}

Vec<4, float> not_drawn() { return Vec<4, float>::Constant(std::numeric_limits<float>::quiet_NaN()); }

/// Hits of triangles that face the ray do not count.
void pass_near_side(const RTCFilterFunctionNArguments* arguments)
{
    const unsigned count = arguments->N;
    for (unsigned k = 0; k < count; ++k) {
        if (arguments->valid[k] == 0) continue;
        const float towards =
            RTCHitN_Ng_x(arguments->hit, count, k) * RTCRayN_dir_x(arguments->ray, count, k) +
            RTCHitN_Ng_y(arguments->hit, count, k) * RTCRayN_dir_y(arguments->ray, count, k) +
            RTCHitN_Ng_z(arguments->hit, count, k) * RTCRayN_dir_z(arguments->ray, count, k);
        if (towards < 0.0f) arguments->valid[k] = 0;
    }
}

/// An ellipse is what is inside of it of the parallelogram around it.
void pass_corners(const RTCFilterFunctionNArguments* arguments)
{
    const unsigned count = arguments->N;
    for (unsigned k = 0; k < count; ++k) {
        if (arguments->valid[k] == 0) continue;
        const float u = 2.0f * RTCHitN_u(arguments->hit, count, k) - 1.0f;
        const float v = 2.0f * RTCHitN_v(arguments->hit, count, k) - 1.0f;
        if (u * u + v * v > 1.0f) arguments->valid[k] = 0;
    }
}

/// The corners of a triangle, each at the beginning and the end of the shutter, in an order that does not
/// depend on where its list begins, nor, where both sides are alike, on which way it goes around.
void write_corners(std::array<std::array<float, 6>, 3> corners, bool are_sides_alike, std::span<float> out)
{
    if (are_sides_alike)
        std::sort(corners.begin(), corners.end());
    else
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    const std::size_t width = out.size() / 3;
    for (std::size_t k = 0; k < 3; ++k)
        std::copy_n(corners[k].begin(), width, out.begin() + static_cast<std::ptrdiff_t>(k * width));
}

} // namespace

void EmbreeTree::Release::operator()(RTCDeviceTy* device) const { rtcReleaseDevice(device); }
void EmbreeTree::Release::operator()(RTCSceneTy* tree) const { rtcReleaseScene(tree); }

void EmbreeTree::MemoryMeter::add(std::ptrdiff_t bytes)
{
    const std::ptrdiff_t sum = now += bytes;
    std::ptrdiff_t seen_peak = peak;
    while (sum > seen_peak && !peak.compare_exchange_weak(seen_peak, sum)) {}
}

EmbreeTree::EmbreeTree(const RenderScene& scene, const LocalFrame& frame, const CameraView& view,
                       int picture_height)
    : scene_(scene),
      frame_(frame),
      device_(make_device())
{
    rtcSetDeviceMemoryMonitorFunction(
        device_.get(),
        [](void* meter, ssize_t bytes, bool) {
            static_cast<MemoryMeter*>(meter)->add(bytes);
            return true;
        },
        &memory_);
    tree_.reset(rtcNewScene(device_.get()));
    rtcSetSceneBuildQuality(tree_.get(), RTC_BUILD_QUALITY_MEDIUM);
    for (std::size_t i = 0; i < scene.spheres.size(); ++i) add_spheres(i);
    for (std::size_t i = 0; i < scene.surfels.size(); ++i) add_surfels(i);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i) add_mesh(i);
    for (std::size_t i = 0; i < scene.boxes.size(); ++i) add_box(i, view, picture_height);
    run_alone([&] { rtcCommitScene(tree_.get()); });
    const RTCError error = rtcGetDeviceError(device_.get());
    if (error == RTC_ERROR_OUT_OF_MEMORY) throw_out_of_memory();
    if (error != RTC_ERROR_NONE) throw InputError("Embree: error " + std::to_string(error));
}

RTCGeometryTy* EmbreeTree::attach(int type, Geometry geometry, unsigned mask)
{
    RTCGeometry handle = rtcNewGeometry(device_.get(), static_cast<RTCGeometryType>(type));
    rtcSetGeometryMask(handle, mask);
    geometries_.push_back(std::move(geometry));
    return handle;
}

/// Four numbers each, also where Embree takes three.
Vec<4, float>* EmbreeTree::add_points(RTCGeometryTy* handle, std::size_t count, unsigned time_step)
{
    const Kind kind = geometries_.back().kind;
    const bool are_corners = kind == Kind::Mesh || kind == Kind::Ellipses;
    return new_buffer<Vec<4, float>>(handle, RTC_BUFFER_TYPE_VERTEX,
                                     are_corners ? RTC_FORMAT_FLOAT3 : RTC_FORMAT_FLOAT4, count, time_step);
}

/// The positions of the geometry that was attached last, and where they move to.
void EmbreeTree::place(RTCGeometryTy* handle, const std::vector<Vec<3>>& centers,
                       const std::vector<Vec<3>>& motions, const std::vector<float>& radii)
{
    const bool is_moving = !motions.empty();
    if (is_moving) rtcSetGeometryTimeStepCount(handle, 2);
    Vec<4, float>* points = add_points(handle, centers.size(), 0);
    Vec<4, float>* end_points = is_moving ? add_points(handle, centers.size(), 1) : nullptr;
    geometries_.back().points = points;
    geometries_.back().end_points = end_points;
    parallel_for(centers.size(), [&](Index i) {
        if (!is_moving) {
            points[i] = ball(centers[i], of(radii, i));
            return;
        }
        // What moves to where no number is stays.
        const Vec<3> half = motions[i].allFinite() ? Vec<3>(0.5 * motions[i]) : Vec<3>(Vec<3>::Zero());
        points[i] = ball(centers[i] - half, of(radii, i));
        end_points[i] = ball(centers[i] + half, of(radii, i));
        if (!points[i].allFinite() || !end_points[i].allFinite()) points[i] = end_points[i] = not_drawn();
    });
}

/// Of things of the geometry that was attached last which are at the same place, the first is drawn.
void EmbreeTree::leave_out_twins(std::size_t count, std::size_t points_each,
                                 const std::vector<Vec3f>& normals)
{
    Vec<4, float>* points = geometries_.back().points;
    Vec<4, float>* end_points = geometries_.back().end_points;
    const std::size_t each = 4 * points_each;
    const std::size_t width = each * (end_points == nullptr ? 1 : 2) + (normals.empty() ? 0 : 3);
    std::vector<bool> is_twin;
    if (width == each) {
        is_twin = find_twins(count, width, std::span(points[0].data(), count * width));
    } else {
        std::vector<float> numbers(count * width);
        parallel_for(count, [&](Index i) {
            float* out = numbers.data() + i * width;
            out = std::copy_n(points[i * points_each].data(), each, out);
            if (end_points != nullptr) out = std::copy_n(end_points[i * points_each].data(), each, out);
            if (!normals.empty()) std::copy_n(normals[i].data(), 3, out);
        });
        is_twin = find_twins(count, width, numbers);
    }
    for (std::size_t i = 0; i < is_twin.size(); ++i)
        if (is_twin[i]) {
            std::fill_n(points + i * points_each, points_each, not_drawn());
            if (end_points != nullptr) std::fill_n(end_points + i * points_each, points_each, not_drawn());
        }
}

void EmbreeTree::finish(RTCGeometryTy* handle)
{
    rtcCommitGeometry(handle);
    rtcAttachGeometryByID(tree_.get(), handle, static_cast<unsigned>(geometries_.size() - 1));
    rtcReleaseGeometry(handle);
}

/// Centre and radius, not a number if it cannot be drawn; Embree leaves such things out.
Vec<4, float> EmbreeTree::ball(const Vec<3>& center, float radius) const
{
    Vec<4, float> result;
    result << frame_.local(center), radius / static_cast<float>(frame_.unit);
    const bool is_drawable = result.allFinite() && result.cwiseAbs().maxCoeff() < 1e15f;
    return is_drawable ? result : not_drawn();
}

void EmbreeTree::add_spheres(std::size_t number)
{
    const DrawnSpheres& spheres = scene_.spheres[number];
    if (spheres.centers.empty()) return;
    RTCGeometry handle = attach(RTC_GEOMETRY_TYPE_SPHERE_POINT, {Kind::Spheres, number}, seen | casts_shadow);
    place(handle, spheres.centers, spheres.motions, spheres.radii);
    leave_out_twins(spheres.centers.size(), 1);
    finish(handle);
}

void EmbreeTree::add_surfels(std::size_t number)
{
    const DrawnSurfels& surfels = scene_.surfels[number];
    if (surfels.centers.empty()) return;
    if (surfels.axes.empty())
        add_discs(surfels, number);
    else
        add_ellipses(surfels, number);
}

void EmbreeTree::add_discs(const DrawnSurfels& surfels, std::size_t number)
{
    const std::size_t count = surfels.centers.size();
    RTCGeometry handle =
        attach(RTC_GEOMETRY_TYPE_ORIENTED_DISC_POINT, {Kind::Discs, number}, seen | casts_shadow);
    std::vector<Vec<3>> centers = surfels.centers;
    std::vector<Vec3f> normals(count);
    parallel_for(count, [&](Index i) {
        normals[i] = surfels.normals[i].stableNormalized().cast<float>();
        if (!(normals[i].squaredNorm() > 0.5f))
            centers[i].setConstant(std::numeric_limits<double>::quiet_NaN());
    });
    place(handle, centers, surfels.motions, surfels.radii);
    leave_out_twins(count, 1, normals);
    // They keep their direction while they move.
    for (unsigned step = 0; step < (surfels.motions.empty() ? 1u : 2u); ++step)
        std::copy(normals.begin(), normals.end(),
                  new_buffer<Vec3f>(handle, RTC_BUFFER_TYPE_NORMAL, RTC_FORMAT_FLOAT3, count, step));

    Geometry& geometry = geometries_.back();
    std::vector<LocalSurfel> local(count);
    parallel_for(count, [&](Index i) {
        const Vec<4, float> point = geometry.point(i, 0.5f);
        const Tangents across = tangents_of(normals[i]);
        const float scale = point[3] > 0.0f ? 1.0f / point[3] : 0.0f;
        local[i] = {point.head<3>(), normals[i], scale * across.a, scale * across.b};
    });
    geometry.blend.emplace(std::move(local));
    finish(handle);
}

/// Parallelograms around the ellipses, of which a filter leaves out the corners.
void EmbreeTree::add_ellipses(const DrawnSurfels& surfels, std::size_t number)
{
    const std::size_t count = surfels.centers.size();
    RTCGeometry handle = attach(RTC_GEOMETRY_TYPE_QUAD, {Kind::Ellipses, number}, seen | casts_shadow);
    rtcSetGeometryIntersectFilterFunction(handle, pass_corners);
    rtcSetGeometryOccludedFilterFunction(handle, pass_corners);
    std::vector<Vec<3>> corners(4 * count);
    std::vector<Vec<3>> motions(surfels.motions.empty() ? 0 : 4 * count);
    auto* indices =
        new_buffer<std::array<unsigned, 4>>(handle, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT4, count);
    parallel_for(count, [&](Index i) {
        const auto& [a, b] = surfels.axes[i];
        const std::array<Vec<3>, 4> offsets = {-a - b, a - b, a + b, b - a};
        // One that was squeezed to a line has no face that light could fall on.
        const Vec<3> normal = a.stableNormalized().cross(b.stableNormalized());
        const bool is_drawn = surfels.centers[i].allFinite() && normal.norm() > 1e-6;
        for (std::size_t k = 0; k < 4; ++k) {
            corners[4 * i + k] = surfels.centers[i] + offsets[k];
            if (!is_drawn) corners[4 * i + k].setConstant(std::numeric_limits<double>::quiet_NaN());
            if (!motions.empty()) motions[4 * i + k] = surfels.motions[i];
            indices[i][k] = static_cast<unsigned>(4 * i + k);
        }
    });
    place(handle, corners, motions, {0.0f});
    leave_out_twins(count, 4);

    Geometry& geometry = geometries_.back();
    std::vector<LocalSurfel> local(count);
    parallel_for(count, [&](Index i) {
        const auto& [a, b] = surfels.axes[i];
        const auto over_square = [&](const Vec<3>& axis) {
            const double square = axis.squaredNorm();
            return Vec3f((frame_.unit * axis / (square > 0.0 ? square : 1.0)).cast<float>());
        };
        local[i] = {0.5f * (geometry.point(4 * i, 0.5f) + geometry.point(4 * i + 2, 0.5f)).head<3>(),
                    a.stableNormalized().cross(b.stableNormalized()).stableNormalized().cast<float>(),
                    over_square(a), over_square(b)};
    });
    geometry.blend.emplace(std::move(local));
    finish(handle);
}

void EmbreeTree::add_mesh(std::size_t number)
{
    const DrawnMesh& drawn = scene_.meshes[number];
    if (drawn.mesh.triangles.empty()) return;
    RTCGeometry handle =
        attach(RTC_GEOMETRY_TYPE_TRIANGLE, {Kind::Mesh, number, nullptr, nullptr, corner_normals(drawn)},
               drawn.only_far_side ? seen : seen | (drawn.liquid ? dims_light : casts_shadow));
    if (drawn.only_far_side) rtcSetGeometryIntersectFilterFunction(handle, pass_near_side);
    place(handle, drawn.mesh.vertices, drawn.motions, {0.0f});
    add_triangles(handle, drawn);
    finish(handle);
}

/// Of triangles at the same place the first is drawn; the others stay in the list, so that numbers fit.
void EmbreeTree::add_triangles(RTCGeometryTy* handle, const DrawnMesh& drawn)
{
    const auto& triangles = drawn.mesh.triangles;
    const Geometry& geometry = geometries_.back();
    const bool are_sides_alike = !drawn.liquid && !drawn.only_far_side;
    const std::size_t width = geometry.end_points == nullptr ? 9 : 18;
    std::vector<float> numbers(triangles.size() * width);
    parallel_for(triangles.size(), [&](Index t) {
        std::array<std::array<float, 6>, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k) {
            std::copy_n(geometry.points[triangles[t][k]].data(), 3, corners[k].begin());
            if (geometry.end_points != nullptr)
                std::copy_n(geometry.end_points[triangles[t][k]].data(), 3, corners[k].begin() + 3);
        }
        write_corners(corners, are_sides_alike, std::span(numbers).subspan(t * width, width));
    });
    const std::vector<bool> is_twin = find_twins(triangles.size(), width, numbers);
    if (is_twin.empty()) {
        rtcSetSharedGeometryBuffer(handle, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, triangles.data(), 0,
                                   sizeof(triangles[0]), triangles.size());
        return;
    }
    auto* left =
        new_buffer<std::array<Index, 3>>(handle, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT3, triangles.size());
    // Embree leaves out what has a corner that does not exist.
    constexpr Index nowhere = std::numeric_limits<Index>::max();
    for (std::size_t t = 0; t < triangles.size(); ++t)
        left[t] = is_twin[t] ? std::array<Index, 3>{nowhere, nowhere, nowhere} : triangles[t];
}

/// Lines as thick at every depth as `width` says: a cone between the ends is exact in perspective.
void EmbreeTree::add_box(std::size_t number, const CameraView& view, int picture_height)
{
    const DrawnBox& drawn = scene_.boxes[number];
    if (drawn.box.is_empty() || !drawn.box.min.allFinite() || !drawn.box.max.allFinite()) return;
    RTCGeometry handle = attach(RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE, {Kind::Lines, number}, seen);
    Vec<4, float>* points = add_points(handle, 24, 0);
    auto* first = new_buffer<unsigned>(handle, RTC_BUFFER_TYPE_INDEX, RTC_FORMAT_UINT, 12);
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
                const Vec<3> here = (x - frame_.origin) / frame_.unit;
                const double depth = std::max(1e-3, view.project(here).depth);
                const double width = std::max(1.0, double(drawn.width) * picture_height / 720.0);
                points[2 * edge + end] << here.cast<float>(),
                    static_cast<float>(0.5 * width * view.pixel_size(depth));
            }
        }
    finish(handle);
}

Surface EmbreeTree::surface_at(const TreeHit& hit, const Vec3f& from, const Vec3f& direction) const
{
    const Geometry& geometry = geometries_[hit.geometry];
    const std::size_t i = hit.primitive;
    Surface surface;
    surface.place = from + hit.distance * direction;
    surface.is_lit = true;
    switch (geometry.kind) {
    case Kind::Spheres: {
        const DrawnSpheres& spheres = scene_.spheres[geometry.number];
        const Vec<4, float> point = geometry.point(i, hit.time);
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
    case Kind::Discs:
    case Kind::Ellipses: {
        const DrawnSurfels& surfels = scene_.surfels[geometry.number];
        surface.face = hit.normal.stableNormalized();
        Vec3f place = surface.place;
        if (!surfels.motions.empty() && surfels.motions[i].allFinite())
            place -= (hit.time - 0.5f) * (surfels.motions[i] / frame_.unit).cast<float>();
        const SurfelBlend::Mixed mixed = geometry.blend->at(i, place, surfels.colors);
        surface.normal = mixed.normal;
        surface.color = mixed.color;
        surface.gloss = surfels.gloss;
        // Discs overlap, and a neighbour's edge stands above the middle of this one.
        surface.start =
            geometry.kind == Kind::Discs
                ? geometry.points[i][3]
                : static_cast<float>(std::max(surfels.axes[i][0].norm(), surfels.axes[i][1].norm()) /
                                     frame_.unit);
        break;
    }
    case Kind::Mesh: {
        const DrawnMesh& drawn = scene_.meshes[geometry.number];
        surface.face = hit.normal.stableNormalized();
        const float u = hit.u;
        const float v = hit.v;
        surface.normal = surface.face;
        if (!geometry.normals.empty()) {
            const Vec3f* corner = geometry.normals.data() + 3 * i;
            const Vec3f mixed = (1.0f - u - v) * corner[0] + u * corner[1] + v * corner[2];
            if (mixed.squaredNorm() > 1e-6f) surface.normal = mixed.normalized();
        }
        if (drawn.liquid) {
            surface.liquid = &*drawn.liquid;
            surface.is_back = hit.normal.dot(direction) > 0.0f;
        } else if (drawn.colors.size() == 1) {
            surface.color = drawn.colors[0];
        } else {
            const auto& [a, b, c] = drawn.mesh.triangles[i];
            surface.color = (1.0f - u - v) * drawn.colors[a] + u * drawn.colors[b] + v * drawn.colors[c];
        }
        surface.gloss = drawn.gloss;
        break;
    }
    case Kind::Lines:
        surface.color = scene_.boxes[geometry.number].color;
        surface.is_lit = false;
        return surface;
    }
    if (surface.face.dot(direction) > 0.0f) surface.face = -surface.face;
    if (surface.normal.dot(surface.face) < 0.0f) surface.normal = -surface.normal;
    surface.start += 4e-6f * (1.0f + surface.place.cwiseAbs().maxCoeff());
    return surface;
}

} // namespace phyxel::detail
