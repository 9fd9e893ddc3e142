// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/winding_number.h>

#include <gtest/gtest.h>

namespace phyxel::winding_number_test {
namespace {

/// Places in and around the unit sphere, none within `gap` of it.
std::vector<Vec<3>> places_off_the_sphere(std::size_t count, double gap, std::uint64_t seed)
{
    std::vector<Vec<3>> places;
    Rng rng(seed);
    while (places.size() < count) {
        const Vec<3> x = rng.point<3>(-1.5, 1.5);
        if (std::abs(x.norm() - 1) > gap) places.push_back(x);
    }
    return places;
}

TEST(SolidAngle, octant_is_an_eighth_of_all_directions)
{
    const Triangle octant{Vec<3>::UnitX(), Vec<3>::UnitY(), Vec<3>::UnitZ()};
    EXPECT_NEAR(winding_number(octant, Vec<3>::Zero()), 1.0 / 8, 1e-16);
    EXPECT_NEAR(winding_number(Triangle{octant.b, octant.a, octant.c}, Vec<3>::Zero()), -1.0 / 8, 1e-16);
}

TEST(SolidAngle, face_of_a_cube_is_a_sixth_from_its_centre)
{
    const Vec<3> a(-1, -1, 1), b(1, -1, 1), c(1, 1, 1), d(-1, 1, 1);
    EXPECT_NEAR(winding_number(Triangle{a, b, c}, Vec<3>::Zero()) +
                    winding_number(Triangle{a, c, d}, Vec<3>::Zero()),
                1.0 / 6, 1e-15);
}

TEST(SolidAngle, approaches_a_half_on_either_side_and_is_finite_on_the_triangle)
{
    const Triangle triangle{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    EXPECT_NEAR(winding_number(triangle, {0.3, 0.3, -1e-9}), 0.5, 1e-7);
    EXPECT_NEAR(winding_number(triangle, {0.3, 0.3, 1e-9}), -0.5, 1e-7);
    EXPECT_NEAR(std::abs(winding_number(triangle, {0.25, 0.25, 0})), 0.5, 1e-15);
    EXPECT_EQ(winding_number(triangle, triangle.a), 0.0);
    EXPECT_NEAR(winding_number(triangle, {2, 2, 0}), 0.0, 1e-15);
}

TEST(WindingNumber, closed_mesh_is_wound_once_inside_and_not_at_all_outside)
{
    const TriangleMesh mesh = sphere_mesh(3);
    for (const Vec<3>& x : places_off_the_sphere(200, 0.02, 1)) {
        const double expected = x.norm() < 1 ? 1.0 : 0.0;
        EXPECT_NEAR(winding_number(mesh, x), expected, 1e-12);
        EXPECT_NEAR(winding_number(reversed(mesh), x), -expected, 1e-12);
        EXPECT_NEAR(winding_number(with_doubled(mesh, 1, false), x), 2 * expected, 1e-12);
    }
}

TEST(WindingNumber, ring_is_not_wound_around_its_middle)
{
    const TriangleMesh mesh = torus_mesh(1, 0.25);
    EXPECT_NEAR(winding_number(mesh, {0, 0, 0}), 0.0, 1e-12);
    EXPECT_NEAR(winding_number(mesh, {1, 0, 0}), 1.0, 1e-12);
    EXPECT_NEAR(winding_number(mesh, {0, -1, 0.2}), 1.0, 1e-12);
}

TEST(WindingNumber, open_hemisphere_is_wound_half_around_its_centre)
{
    TriangleMesh mesh = sphere_mesh(4);
    std::erase_if(mesh.triangles, [&](const auto& triangle) {
        const auto& [a, b, c] = triangle;
        return mesh.vertices[a][2] + mesh.vertices[b][2] + mesh.vertices[c][2] < 0;
    });
    // The rim is as jagged as the triangles are wide.
    EXPECT_NEAR(winding_number(mesh, {0, 0, 0}), 0.5, 0.01);
}

TEST(WindingNumber, error_bound_holds_for_any_mesh_and_shrinks_with_the_cell_error)
{
    const TriangleMesh soup = triangle_soup(2000, 0.03, 5);
    const TriangleMesh sphere = sphere_mesh(4);
    for (const TriangleMesh& mesh : {soup, sphere, with_holes(sphere, 3)}) {
        double last_error = std::numeric_limits<double>::infinity();
        for (const double cell_error : {0.1, 0.01, 0.001, 0.0001}) {
            const WindingNumber winding(mesh, {.cell_error = cell_error});
            double largest_error = 0.0;
            for (const Vec<3>& x : random_points(100, -0.5, 1.5, 6)) {
                const WindingValue w = winding.evaluate(x);
                const double error = std::abs(w.value - winding_number(mesh, x));
                EXPECT_LE(error, w.error);
                EXPECT_LT(w.error, 250 * cell_error);
                largest_error = std::max(largest_error, error);
            }
            EXPECT_LT(largest_error, 10 * cell_error);
            EXPECT_LT(largest_error, last_error);
            last_error = largest_error;
        }
    }
}

TEST(WindingNumber, expansion_of_a_single_cell_has_fourth_order)
{
    // Four triangles are one leaf, which is the root.
    const TriangleMesh mesh = triangle_soup(4, 0.3, 11);
    const WindingNumber winding(mesh, {.cell_error = 1.0});
    const auto error_at = [&](double distance) {
        double sum = 0.0;
        for (const Vec<3>& d : random_points(50, -1, 1, 12)) {
            const Vec<3> x = Vec<3>::Constant(0.5) + distance * d.normalized();
            sum += std::abs(winding(x) - winding_number(mesh, x));
        }
        return sum;
    };
    // The first term left out falls like r⁻⁵.
    EXPECT_NEAR(error_at(8.0) / error_at(16.0), 32.0, 2.0);
}

TEST(WindingNumber, without_allowed_error_all_triangles_are_summed)
{
    const TriangleMesh mesh = triangle_soup(500, 0.1, 7);
    const WindingNumber winding(mesh, {.cell_error = 0});
    for (const Vec<3>& x : random_points(50, -0.5, 1.5, 8))
        EXPECT_NEAR(winding(x), winding_number(mesh, x), 1e-13);
}

TEST(WindingNumber, inside_agrees_with_the_exact_number_whatever_error_is_allowed)
{
    // With so many holes the number passes ½ gradually, in many places close to it.
    const TriangleMesh mesh = with_holes(sphere_mesh(4), 2);
    int undecided = 0;
    for (const double cell_error : {0.1, 1e-3}) {
        const WindingNumber winding(mesh, {.cell_error = cell_error});
        for (const Vec<3>& x : random_points(300, -1.1, 1.1, 9)) {
            const WindingValue w = winding.evaluate(x);
            undecided += std::abs(w.value - 0.5) <= w.error ? 1 : 0;
            EXPECT_EQ(winding.inside(x), winding_number(mesh, x) > 0.5);
        }
    }
    EXPECT_GT(undecided, 100);
}

TEST(WindingNumber, walls_of_a_thin_gap_are_told_apart)
{
    const double gap = 1e-6;
    const WindingNumber winding(
        joined(box_mesh({{0, 0, 0}, {1, 1, 1}}), box_mesh({{1 + gap, 0, 0}, {2, 1, 1}})));
    for (const Vec<3>& x : random_points(50, 0.01, 0.99, 10)) {
        EXPECT_TRUE(winding.inside({1 - 0.1 * gap, x[1], x[2]}));
        EXPECT_FALSE(winding.inside({1 + 0.5 * gap, x[1], x[2]}));
        EXPECT_TRUE(winding.inside({1 + 1.1 * gap, x[1], x[2]}));
    }
}

TEST(WindingNumber, batches_have_the_bits_of_single_queries_for_any_number_of_threads)
{
    const TriangleMesh mesh = sphere_mesh(3);
    const std::vector<Vec<3>> x = random_points(1000, -1.2, 1.2, 13);
    std::vector<double> one(x.size()), many(x.size());
    std::vector<std::uint8_t> inside(x.size());
    {
        const ThreadLimit limit(1);
        WindingNumber(mesh).evaluate(x, one);
    }
    {
        const ThreadLimit limit(7);
        const WindingNumber winding(mesh);
        winding.evaluate(x, many);
        winding.inside(x, inside);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(winding(x[i]), one[i]);
            EXPECT_EQ(inside[i] != 0, winding.inside(x[i]));
        }
    }
    EXPECT_EQ(one, many);
}

TEST(WindingNumber, many_turns_are_summed_without_losing_one)
{
    // Spheres around each other, all of them near: angles add up to several turns, one way and the other.
    TriangleMesh mesh;
    for (int n = 0; n < 7; ++n) {
        const TriangleMesh shell = transformed(sphere_mesh(1), {.scale = 1.0 + 0.1 * n});
        const auto first = static_cast<Index>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), shell.vertices.begin(), shell.vertices.end());
        for (const auto& [a, b, c] : shell.triangles)
            mesh.triangles.push_back({first + a, first + b, first + c});
    }
    EXPECT_NEAR(WindingNumber(mesh, {.cell_error = 0})({0.1, 0.2, 0.1}), 7.0, 1e-12);
    EXPECT_NEAR(WindingNumber(reversed(mesh), {.cell_error = 0})({0.1, 0.2, 0.1}), -7.0, 1e-12);
    // Two faces that the place lies on count a half each, or none where they cancel.
    const TriangleMesh twice{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 1, 2}}};
    EXPECT_NEAR(std::abs(WindingNumber(twice, {.cell_error = 0})({0.2, 0.2, 0})), 1.0, 1e-12);
}

TEST(WindingNumber, nothing_winds_around_nothing)
{
    const WindingNumber winding{TriangleMesh{}};
    EXPECT_EQ(winding({1, 2, 3}), 0.0);
    EXPECT_FALSE(winding.inside({1, 2, 3}));
}

TEST(WindingNumber, refuses_what_is_not_finite)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const WindingNumber winding(sphere_mesh(0));
    EXPECT_THROW(winding.evaluate({0, nan, 0}), InputError);
    EXPECT_THROW(winding.inside({0, 0, -INFINITY}), InputError);
    EXPECT_THROW(WindingNumber(sphere_mesh(0), {.cell_error = -1}), InputError);
    TriangleMesh mesh = sphere_mesh(0);
    mesh.vertices[2][0] = nan;
    EXPECT_THROW(WindingNumber{mesh}, InputError);
    mesh = sphere_mesh(0);
    mesh.triangles[2][0] = 99;
    EXPECT_THROW(WindingNumber{mesh}, InputError);
    mesh = sphere_mesh(0);
    mesh.vertices[2][0] = 1e60;
    EXPECT_THROW(WindingNumber{mesh}, InputError);
}

} // namespace
} // namespace phyxel::winding_number_test
