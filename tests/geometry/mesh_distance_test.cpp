// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/mesh_distance.h>

#include <gtest/gtest.h>

namespace phyxel::mesh_distance_test {
namespace {

/// A point p of a convex set is the nearest to x if and only if (x − p) · (q − p) ≤ 0 for all its points q,
/// and for a triangle its corners are enough.
void expect_closest(const Triangle& triangle, const Vec<3>& x, double tolerance)
{
    const Vec<3> p = closest_point(triangle, x);
    for (const Vec<3>& q : {triangle.a, triangle.b, triangle.c}) EXPECT_LE((x - p).dot(q - p), tolerance);
    // p = a + v (b − a) + w (c − a) with the least residual; v, w and 1 − v − w are not negative.
    Eigen::Matrix<double, 3, 2> edges;
    edges << triangle.b - triangle.a, triangle.c - triangle.a;
    const Mat<2> gram = edges.transpose() * edges;
    const double determinant = gram(0, 0) * gram(1, 1) - gram(0, 1) * gram(1, 0);
    if (determinant < 1e-8) return;
    const Vec<2> rhs = edges.transpose() * (p - triangle.a);
    const Vec<2> vw((gram(1, 1) * rhs[0] - gram(0, 1) * rhs[1]) / determinant,
                    (gram(0, 0) * rhs[1] - gram(1, 0) * rhs[0]) / determinant);
    EXPECT_LT((triangle.a + edges * vw - p).norm(), 1e-9);
    EXPECT_GE(vw.minCoeff(), -1e-9);
    EXPECT_LE(vw.sum(), 1 + 1e-9);
}

SurfacePoint brute_force_closest(const TriangleMesh& mesh, const Vec<3>& x)
{
    SurfacePoint best{Vec<3>::Zero(), std::numeric_limits<double>::infinity(), 0};
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        const Vec<3> p = closest_point({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, x);
        if ((p - x).norm() < best.distance) best = {p, (p - x).norm(), static_cast<Index>(t)};
    }
    return best;
}

TEST(ClosestPoint, nearest_point_of_a_triangle_has_no_better_one_in_any_direction)
{
    Rng rng(1);
    for (int k = 0; k < 2000; ++k)
        expect_closest({rng.point<3>(-1, 1), rng.point<3>(-1, 1), rng.point<3>(-1, 1)}, rng.point<3>(-2, 2),
                       1e-12);
}

TEST(ClosestPoint, needles_lines_and_points_are_triangles_too)
{
    Rng rng(2);
    for (int k = 0; k < 500; ++k) {
        const Vec<3> a = rng.point<3>(-1, 1);
        const Vec<3> b = rng.point<3>(-1, 1);
        const Vec<3> x = rng.point<3>(-2, 2);
        const Vec<3> middle = a + rng.uniform() * (b - a);
        for (const double width : {0.0, 1e-15, 1e-12, 1e-9})
            expect_closest({a, b, middle + width * rng.point<3>(-1, 1)}, x, 1e-8);
        expect_closest({a, a, b}, x, 1e-12);
        expect_closest({a, b, a}, x, 1e-12);
        expect_closest({b, a, a}, x, 1e-12);
        EXPECT_EQ(closest_point({a, a, a}, x), a);
    }
}

TEST(MeshDistance, finds_the_same_distance_as_brute_force)
{
    for (const TriangleMesh& mesh :
         {triangle_soup(300, 0.2, 3), sphere_mesh(2), box_mesh({{0, 0, 0}, {1, 1, 1}})}) {
        const MeshDistance distance(mesh);
        for (const Vec<3>& x : random_points(200, -1.5, 1.5, 4)) {
            const SurfacePoint found = distance.closest(x);
            const SurfacePoint expected = brute_force_closest(mesh, x);
            EXPECT_NEAR(found.distance, expected.distance, 1e-15);
            EXPECT_NEAR((found.position - x).norm(), found.distance, 1e-15);
            const auto& [a, b, c] = mesh.triangles[found.triangle];
            const Triangle triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
            EXPECT_EQ(closest_point(triangle, x), found.position);
            EXPECT_TRUE(distance.is_within(x, found.distance * (1 + 1e-12)));
            EXPECT_FALSE(distance.is_within(x, found.distance * (1 - 1e-12)));
        }
    }
}

TEST(MeshDistance, sphere_mesh_is_as_far_as_the_sphere_but_for_its_facets)
{
    const TriangleMesh mesh = sphere_mesh(4);
    const double inset = 1 - inner_radius(mesh);
    const MeshDistance distance(mesh);
    for (const Vec<3>& x : random_points(200, -2, 2, 5))
        EXPECT_NEAR(distance(x), std::abs(x.norm() - 1), inset + 1e-15);
}

TEST(MeshDistance, batches_have_the_bits_of_single_queries_for_any_number_of_threads)
{
    const MeshDistance distance(sphere_mesh(2));
    const std::vector<Vec<3>> x = random_points(500, -2, 2, 6);
    std::vector<double> out(x.size());
    const ThreadLimit limit(5);
    distance.evaluate(x, out);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], distance(x[i]));
}

TEST(MeshDistance, refuses_empty_meshes_and_what_is_not_finite)
{
    EXPECT_THROW(MeshDistance{TriangleMesh{}}, InputError);
    TriangleMesh mesh = sphere_mesh(0);
    mesh.vertices[0][0] = INFINITY;
    EXPECT_THROW(MeshDistance{mesh}, InputError);
    EXPECT_THROW(MeshDistance(sphere_mesh(0)).closest({0, NAN, 0}), InputError);
}

} // namespace
} // namespace phyxel::mesh_distance_test
