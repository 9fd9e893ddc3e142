// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/surface/particle_surface.h>

#include "surface/surface_support.h"

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

namespace phyxel::particle_surface_test {
namespace {

using Points = std::vector<Vec<3>>;

constexpr std::array all_methods = {SurfaceMethod::Density, SurfaceMethod::Distance,
                                    SurfaceMethod::Anisotropic};

/// A cubic lattice inside of a ball about `center`, displaced by up to `jitter` spacings.
Points ball(double radius, double spacing, double jitter = 0.0, const Vec<3>& center = Vec<3>::Zero())
{
    Rng rng(7);
    Points points;
    const int n = static_cast<int>(radius / spacing) + 1;
    for (int k = -n; k < n; ++k)
        for (int j = -n; j < n; ++j)
            for (int i = -n; i < n; ++i) {
                const Vec<3> x = spacing * Vec<3>(i + 0.5, j + 0.5, k + 0.5);
                if (x.norm() <= radius)
                    points.push_back(center + x + spacing * rng.point<3>(-jitter, jitter));
            }
    return points;
}

/// nx · ny · nz particles, the first one at the origin.
Points block(int nx, int ny, int nz, double spacing = 1.0)
{
    Points points;
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) points.push_back(spacing * Vec<3>(i, j, k));
    return points;
}

/// Root mean square slope of the upper face of a block, away from its edges: what light shows of its bumps.
double slope_of_top(const TriangleMesh& mesh, double middle, double margin, double above)
{
    double area = 0.0;
    double squares = 0.0;
    for (const auto& t : mesh.triangles) {
        const Vec<3>& a = mesh.vertices[t[0]];
        if (std::abs(a[0] - middle) > margin || std::abs(a[1] - middle) > margin || a[2] < above) continue;
        const Vec<3> normal = (mesh.vertices[t[1]] - a).cross(mesh.vertices[t[2]] - a);
        area += normal.norm();
        squares += normal.head<2>().squaredNorm() / normal.norm();
    }
    return std::sqrt(squares / area);
}

TEST(ParticleSurface, a_ball_has_its_volume_and_area_in_every_method)
{
    for (const SurfaceMethod method : all_methods)
        for (const double jitter : {0.0, 0.2}) {
            SCOPED_TRACE(testing::Message() << "method " << int(method) << ", jitter " << jitter);
            const Points points = ball(0.2, 0.01, jitter);
            const ParticleSurface surface = extract_surface(points, {}, 0.01, {.method = method});
            expect_closed_manifold(surface.mesh);
            EXPECT_EQ(euler_characteristic(surface.mesh), 2);
            // The distance field shows single particles most.
            const double tolerance = method == SurfaceMethod::Distance ? 0.03 : 0.02;
            const double volume = 4.0 / 3.0 * std::numbers::pi * 0.008;
            const double area = 4.0 * std::numbers::pi * 0.04;
            EXPECT_NEAR(signed_volume(surface.mesh), volume, tolerance * volume);
            EXPECT_NEAR(surface_area(surface.mesh), area, tolerance * area);
            EXPECT_TRUE(check_mesh(surface.mesh).is_clean());
        }
}

TEST(ParticleSurface, normals_of_a_ball_point_outwards_and_velocities_are_those_of_the_particles)
{
    const Points points = ball(0.1, 0.01);
    Points velocities;
    const Mat<3> gradient = (Mat<3>() << 1, 2, 0, 0, -1, 3, 0.5, 0, 0).finished();
    for (const Vec<3>& x : points) velocities.push_back(Vec<3>(3, 0, -1) + gradient * x);
    for (const SurfaceMethod method : all_methods) {
        const ParticleSurface surface = extract_surface(points, velocities, 0.01, {.method = method});
        ASSERT_EQ(surface.normals.size(), surface.mesh.vertices.size());
        ASSERT_EQ(surface.velocities.size(), surface.mesh.vertices.size());
        for (std::size_t v = 0; v < surface.normals.size(); ++v) {
            const Vec<3>& x = surface.mesh.vertices[v];
            ASSERT_NEAR(surface.normals[v].norm(), 1.0f, 1e-5f);
            ASSERT_GT(surface.normals[v].cast<double>().dot(x.normalized()), 0.9);
            // The mean over particles that all lie inward of the surface, by about a spacing.
            const Vec<3> expected = Vec<3>(3, 0, -1) + gradient * (x - 0.01 * x.normalized());
            ASSERT_LT((surface.velocities[v].cast<double>() - expected).norm(), 0.03);
        }
    }
}

TEST(ParticleSurface, one_velocity_for_all_particles_is_that_of_the_surface)
{
    const Points points = ball(0.05, 0.01, 0.2);
    const Points velocities(points.size(), Vec<3>(1, -2, 0.5));
    for (const SurfaceMethod method : all_methods)
        for (const auto& v : extract_surface(points, velocities, 0.01, {.method = method}).velocities)
            ASSERT_LT((v - Vec<3, float>(1, -2, 0.5)).norm(), 1e-5f);
}

TEST(ParticleSurface, anisotropic_kernels_make_faces_flatter)
{
    const auto slope = [](const Points& points, SurfaceMethod method) {
        return slope_of_top(extract_surface(points, {}, 1.0, {.method = method}).mesh, 14.5, 9.0, 6.0);
    };
    Points points = block(30, 30, 8);
    EXPECT_LT(slope(points, SurfaceMethod::Anisotropic), 0.1 * slope(points, SurfaceMethod::Density));
    Rng rng(4);
    for (Vec<3>& x : points) x += rng.point<3>(-0.2, 0.2);
    EXPECT_LT(slope(points, SurfaceMethod::Anisotropic), 0.7 * slope(points, SurfaceMethod::Density));
}

TEST(ParticleSurface, a_face_of_a_lattice_lies_half_a_spacing_outside_of_its_particles)
{
    const Points points = block(24, 24, 10);
    for (const SurfaceMethod method : all_methods) {
        const TriangleMesh mesh = extract_surface(points, {}, 1.0, {.method = method}).mesh;
        double sum = 0.0;
        int count = 0;
        for (const Vec<3>& x : mesh.vertices)
            if (std::abs(x[0] - 11.5) < 6 && std::abs(x[1] - 11.5) < 6 && x[2] > 5) {
                sum += x[2];
                ++count;
            }
        EXPECT_NEAR(sum / count, 9.5, 0.06);
    }
}

TEST(ParticleSurface, a_sheet_of_one_layer_has_no_hole)
{
    Rng rng(2);
    Points points = block(30, 30, 1);
    for (Vec<3>& x : points) x += 0.1 * rng.point<3>(-1, 1);
    for (const SurfaceMethod method : all_methods) {
        const TriangleMesh mesh = extract_surface(points, {}, 1.0, {.method = method}).mesh;
        expect_closed_manifold(mesh);
        EXPECT_EQ(euler_characteristic(mesh), 2); // one closed slab without a tunnel
    }
    const TriangleMesh flat = extract_surface(points, {}, 1.0, {.method = SurfaceMethod::Anisotropic}).mesh;
    EXPECT_NEAR(signed_volume(flat), 900.0, 0.1 * 900.0);
}

TEST(ParticleSurface, particles_by_themselves_keep_their_volume_with_anisotropic_kernels)
{
    const Points points = {{0, 0, 0}, {10, 0, 0}, {0.3, 11.1, 0.4}};
    const TriangleMesh mesh = extract_surface(points, {}, 1.0, {.cell = 0.1, .smoothing = 0}).mesh;
    EXPECT_EQ(check_mesh(mesh).components, 3u);
    EXPECT_NEAR(signed_volume(mesh), 3.0, 0.05);
    // With round kernels of twice the spacing they are below half the density.
    EXPECT_TRUE(extract_surface(points, {}, 1.0, {.method = SurfaceMethod::Density}).mesh.vertices.empty());
}

TEST(ParticleSurface, smoothing_keeps_the_volume)
{
    const Points points = ball(0.06, 0.01, 0.3);
    const auto volume = [&](int passes) {
        return signed_volume(extract_surface(points, {}, 0.01, {.smoothing = passes}).mesh);
    };
    EXPECT_NEAR(volume(20) / volume(0), 1.0, 0.001);
}

TEST(ParticleSurface, the_field_is_the_sum_over_all_particles)
{
    const Points points = ball(4.0, 1.0, 0.3, {100.3, -20.7, 3.1});
    const SurfaceExtractor extractor(points, {}, 1.0, {.method = SurfaceMethod::Density});
    const SparseField& field = extractor.density();
    double largest = 0.0;
    std::size_t inside = 0;
    field.for_each_node([&](const GridIndex& node, std::size_t, float value) {
        const Vec<3> x = field.position(node);
        double sum = 0.0;
        for (const Vec<3>& p : points) {
            const double u = 1 - (x - p).squaredNorm() / 4;
            if (u > 0) sum += 315.0 / (64.0 * std::numbers::pi * 8.0) * u * u * u;
        }
        largest = std::max(largest, std::abs(sum - double(value)));
        if (value >= 0.5f) ++inside;
    });
    EXPECT_LT(largest, 1e-5);
    EXPECT_GT(inside, points.size() * 6);
    // Outside of the blocks nothing is left out.
    for (const Vec<3>& p : points)
        for (int axis = 0; axis < 3; ++axis)
            for (const double side : {-2.4, 2.4}) {
                Vec<3> x = p;
                x[axis] += side;
                const Vec<3> node = (x / 0.5).array().round();
                EXPECT_TRUE(field.find({int(std::floor(node[0] / 8)), int(std::floor(node[1] / 8)),
                                        int(std::floor(node[2] / 8))}));
            }
}

TEST(ParticleSurface, memory_follows_the_fluid_and_not_the_space_around_it)
{
    Points points = ball(0.1, 0.01);
    const std::size_t one = SurfaceExtractor(points, {}, 0.01).memory();
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; ++i) points.push_back(points[i] + Vec<3>(5000, -3000, 8000));
    const std::size_t two = SurfaceExtractor(points, {}, 0.01).memory();
    EXPECT_LT(two, 3 * one);
    EXPECT_EQ(check_mesh(extract_surface(points, {}, 0.01).mesh).components, 2u);
}

TEST(ParticleSurface, the_bits_do_not_depend_on_the_number_of_threads)
{
    const Points points = ball(0.12, 0.01, 0.4);
    Points velocities;
    for (const Vec<3>& x : points) velocities.push_back(x.cross(Vec<3>(0, 1, 2)));
    for (const SurfaceMethod method : all_methods) {
        const auto run = [&](int threads) {
            const ThreadLimit limit(threads);
            return extract_surface(points, velocities, 0.01, {.method = method});
        };
        const ParticleSurface one = run(1);
        for (const int threads : {2, 7}) {
            const ParticleSurface other = run(threads);
            EXPECT_EQ(one.mesh.vertices, other.mesh.vertices);
            EXPECT_EQ(one.mesh.triangles, other.mesh.triangles);
            EXPECT_EQ(one.normals, other.normals);
            EXPECT_EQ(one.velocities, other.velocities);
        }
    }
}

TEST(ParticleSurface, strange_but_finite_particles_give_closed_surfaces)
{
    const double tiny = std::numeric_limits<double>::denorm_min();
    Rng rng(9);
    Points cloud(500);
    for (Vec<3>& x : cloud) x = rng.point<3>(0, 6);
    Points line;
    for (int i = 0; i < 40; ++i) line.emplace_back(i, 0, 0);
    for (const Points& points :
         {Points{}, Points{{0, 0, 0}}, Points{{tiny, -tiny, 0}}, Points(100, Vec<3>(1, 2, 3)),
          Points{{0, 0, 0}, {1e-9, 0, 0}}, cloud, line, Points{{2e6, 2e6, 2e6}, {-2e6, 0, 1}}})
        for (const SurfaceMethod method : all_methods)
            for (const double cell : {0.25, 0.5, 1.3}) {
                SCOPED_TRACE(testing::Message() << points.size() << " particles, method " << int(method));
                const ParticleSurface surface =
                    extract_surface(points, {}, 1.0, {.method = method, .cell = cell});
                expect_closed_manifold(surface.mesh);
                for (const Vec<3>& x : surface.mesh.vertices) ASSERT_TRUE(x.allFinite());
                for (const Vec<3, float>& n : surface.normals) ASSERT_TRUE(n.allFinite());
            }
}

TEST(ParticleSurface, input_that_makes_no_sense_is_refused)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    const Points good = {{0, 0, 0}};
    const auto is_refused = [](const Points& x, const Points& v, double spacing,
                               const SurfaceOptions& options) {
        try {
            static_cast<void>(extract_surface(x, v, spacing, options));
        } catch (const InputError&) {
            return true;
        }
        return false;
    };
    EXPECT_FALSE(is_refused(good, {}, 1.0, {}));
    for (const SurfaceMethod method : all_methods) {
        const SurfaceOptions options{.method = method};
        EXPECT_TRUE(is_refused({{0, nan, 0}}, {}, 1.0, options));
        EXPECT_TRUE(is_refused({{0, 0, infinity}}, {}, 1.0, options));
        EXPECT_TRUE(is_refused({{0, 0, 0}, {1e30, 0, 0}}, {}, 1.0, options));
        EXPECT_TRUE(is_refused({{0, -5e6, 0}}, {}, 1.0, options));
    }
    EXPECT_TRUE(is_refused(good, {{0, 0, 0}, {0, 0, 0}}, 1.0, {}));
    for (const double spacing : {0.0, -1.0, nan, infinity}) EXPECT_TRUE(is_refused(good, {}, spacing, {}));
    EXPECT_TRUE(is_refused(good, {}, 1.0, {.cell = 0.0}));
    EXPECT_TRUE(is_refused(good, {}, 1.0, {.cell = nan}));
    EXPECT_TRUE(is_refused(good, {}, 1.0, {.support = 0.5}));
    EXPECT_TRUE(is_refused(good, {}, 1.0, {.iso = 1.0}));
    EXPECT_TRUE(is_refused(good, {}, 1.0, {.smoothing = -1}));
}

TEST(ParticleSurface, a_fluid_far_from_the_origin_has_the_same_surface)
{
    const Points near = ball(0.1, 0.01, 0.2);
    // A whole number of cells away, exactly.
    const Vec<3> shift(1000 * 0.0078125, 0, -500000 * 0.0078125);
    Points far = near;
    for (Vec<3>& x : far) x += shift;
    const SurfaceOptions options{.cell = 0.78125};
    const ParticleSurface a = extract_surface(near, {}, 0.01, options);
    const ParticleSurface b = extract_surface(far, {}, 0.01, options);
    EXPECT_NEAR(signed_volume(b.mesh), signed_volume(a.mesh), 1e-6 * signed_volume(a.mesh));
    EXPECT_EQ(a.mesh.triangles.size(), b.mesh.triangles.size());
}

TEST(ParticleSurface, as_a_mesh_of_a_snapshot_it_has_normals_and_velocities)
{
    Snapshot snapshot;
    snapshot.body = "water";
    snapshot.points = ball(0.03, 0.01);
    snapshot.surface = surface_mesh(extract_surface(snapshot.points, {}, 0.01));
    EXPECT_TRUE(is_consistent(snapshot));
    const Snapshot surface = surface_snapshot(snapshot);
    ASSERT_NE(surface.find("normal"), nullptr);
    ASSERT_NE(surface.find("velocity"), nullptr);
    EXPECT_EQ(surface.find("velocity")->components, 3);
}

} // namespace
} // namespace phyxel::particle_surface_test
