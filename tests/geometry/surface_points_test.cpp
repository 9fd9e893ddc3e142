// SPDX-License-Identifier: MIT
#include <phyxel/geometry/surface_points.h>

#include <phyxel/core/error.h>

#include "geometry/meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace phyxel::surface_points_test {
namespace {

using std::numbers::pi;

template <int Dim>
double total_area(const SurfacePoints<Dim>& points)
{
    double sum = 0.0;
    for (const Vec<Dim>& area : points.area) sum += area.norm();
    return sum;
}

template <int Dim>
Vec<Dim> area_sum(const SurfacePoints<Dim>& points)
{
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const Vec<Dim>& area : points.area) sum += area;
    return sum;
}

/// ∮ x · n dA / Dim, the volume within.
template <int Dim>
double enclosed_volume(const SurfacePoints<Dim>& points)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) sum += points.position[i].dot(points.area[i]) / Dim;
    return sum;
}

template <int Dim>
void expect_closed(const SurfacePoints<Dim>& points, double area, double volume, double tolerance)
{
    EXPECT_LT(area_sum(points).norm(), 1e-12 * area);
    EXPECT_NEAR(total_area(points) / area, 1.0, tolerance);
    EXPECT_NEAR(enclosed_volume(points) / volume, 1.0, tolerance);
}

TEST(SurfacePoints, simple_shapes_have_their_area_and_volume_and_no_sum_of_areas)
{
    const double s = 0.05;
    expect_closed(surface_points(Shape<2>(Box<2>{{0.1, 0.2}, {0.83, 1.0}}), s), 2 * (0.73 + 0.8), 0.73 * 0.8,
                  1e-12);
    expect_closed(surface_points(Shape<2>(Sphere<2>{{1.0, 2.0}, 0.4}), s), 2 * pi * 0.4, pi * 0.16, 0.005);
    expect_closed(surface_points(Shape<2>(Cylinder<2>{{0, 0}, {0.3, 0.4}, 0.1}), s), 1.4, 0.1, 1e-12);
    expect_closed(surface_points(Shape<2>(Capsule<2>{{0, 0}, {0.3, 0.4}, 0.1}), s), 1 + 0.2 * pi,
                  0.1 + 0.01 * pi, 0.01);
    expect_closed(surface_points(Shape<3>(Box<3>{{0, 0, 0}, {1.0, 0.53, 0.26}}), s),
                  2 * (0.53 + 0.26 + 0.53 * 0.26), 0.53 * 0.26, 1e-12);
    expect_closed(surface_points(Shape<3>(Sphere<3>{{1, 2, 3}, 0.4}), s), 4 * pi * 0.16, 4 * pi / 3 * 0.064,
                  0.01);
    expect_closed(surface_points(Shape<3>(Cylinder<3>{{0, 0, 0}, {0.6, 0, 0.8}, 0.3}), s),
                  2 * pi * 0.3 * (1 + 0.3), pi * 0.09, 0.01);
    expect_closed(surface_points(Shape<3>(Capsule<3>{{0, 0, 0}, {0.6, 0, 0.8}, 0.3}), s),
                  2 * pi * 0.3 * (1 + 0.6), pi * 0.09 * 1.4, 0.01);
    expect_closed(surface_points(Shape<3>(Capsule<3>{{1, 0, 0}, {1, 0, 0}, 0.3}), s), 4 * pi * 0.09,
                  4 * pi / 3 * 0.027, 0.015);
    expect_closed(surface_points(Shape<3>(Torus<3>{{0, 0, 0}, {1, 2, 3}, 0.5, 0.2}), s), 4 * pi * pi * 0.1,
                  2 * pi * pi * 0.5 * 0.04, 0.015);
}

TEST(SurfacePoints, are_as_far_apart_as_asked_whatever_the_triangles_are)
{
    // A sphere of 1.3 million triangles, a box of twelve, one of those turned: about one point a square.
    const double s = 0.1;
    const Similarity<3> turn{.rotation = rotation_matrix(Vec<3>(0.3, 0.5, 0.2))};
    for (const Shape<3>& shape :
         {Shape<3>(MeshSolid(sphere_mesh(6))), Shape<3>(MeshSolid(box_mesh({{0, 0, 0}, {3.0, 2.0, 1.0}}))),
          Shape<3>(Box<3>{{0, 0, 0}, {3.0, 2.0, 1.0}}).transformed(turn)}) {
        const SurfacePoints<3> points = surface_points(shape, s);
        const double squares = total_area(points) / (s * s);
        EXPECT_GT(static_cast<double>(points.size()), 0.9 * squares);
        EXPECT_LT(static_cast<double>(points.size()), 1.35 * squares);
        for (const Vec<3>& area : points.area) EXPECT_LT(area.norm(), 1.6 * s * s);
    }
}

TEST(SurfacePoints, a_plane_of_any_triangles_has_a_regular_grid)
{
    // The large face of a plate, cut into slivers from one corner: all points but those at the rim have the
    // same area and lie on one grid.
    TriangleMesh plate = box_mesh({{0, 0, 0}, {1.0, 1.0, 0.2}});
    TriangleMesh fan{plate.vertices, {}};
    for (const auto& triangle : plate.triangles)
        if (triangle[0] < 4 || triangle[1] < 4 || triangle[2] < 4) fan.triangles.push_back(triangle);
    Index last = 5;
    for (int k = 1; k < 40; ++k) {
        fan.vertices.emplace_back(1.0, k / 40.0, 0.2);
        fan.triangles.push_back({4, last, static_cast<Index>(fan.vertices.size() - 1)});
        last = static_cast<Index>(fan.vertices.size() - 1);
    }
    fan.triangles.push_back({4, last, 7});
    fan.triangles.push_back({4, 7, 6});
    const SurfacePoints<3> points = surface_points(Shape<3>(MeshSolid(fan)), 0.1);
    std::size_t on_top = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points.area[i][2] < 0.9 * points.area[i].norm()) continue;
        ++on_top;
        EXPECT_NEAR(points.area[i][2], 0.01, 1e-9);
        for (int k = 0; k < 2; ++k) {
            const double place = points.position[i][k] / 0.1 - 0.5;
            EXPECT_NEAR(place, std::round(place), 1e-6);
        }
    }
    EXPECT_EQ(on_top, 100u);
}

TEST(SurfacePoints, what_is_cut_out_of_a_shape_has_sharp_edges)
{
    const Shape<3> box(Box<3>{{0, 0, 0}, {1.0, 0.5, 0.25}});
    const Shape<3> hole(Box<3>{{0.25, 0.1, -1}, {0.75, 0.4, 1}});
    const double area = 1.75 - 2 * 0.15 + 2 * 0.25 * 0.8;
    expect_closed(surface_points(subtract<3>({box, hole}), 0.04), area, 0.125 - 0.15 * 0.25, 1e-3);

    const Shape<3> ball(Sphere<3>{{0, 0, 0}, 0.5});
    const Shape<3> upper(Box<3>{{-1, -1, 0}, {1, 1, 1}});
    expect_closed(surface_points(intersect<3>({ball, upper}), 0.04), 0.75 * pi, pi / 12.0, 0.01);
    expect_closed(surface_points(subtract<3>({ball, upper}), 0.04), 0.75 * pi, pi / 12.0, 0.01);

    const Shape<2> plate(Box<2>{{0, 0}, {1, 1}});
    const Shape<2> disc(Sphere<2>{{1, 1}, 0.5});
    expect_closed(surface_points(subtract<2>({plate, disc}), 0.02), 3 + pi / 4, 1 - pi / 16, 0.005);
    expect_closed(surface_points(unite<2>({plate, disc}), 0.02), 3 + 0.75 * pi, 1 + 3 * pi / 16, 0.005);
}

TEST(SurfacePoints, faces_that_parts_have_in_common_count_once_or_not_at_all)
{
    // Two halves of a box that touch; two that overlap and have four faces in one plane each; and a part cut
    // away flush with the top.
    const auto slab = [](double from, double to, double top = 1.0) {
        return Shape<3>(Box<3>{{from, 0, 0}, {to, 1, top}});
    };
    expect_closed(surface_points(unite<3>({slab(0, 1), slab(1, 2)}), 0.1), 10.0, 2.0, 1e-6);
    expect_closed(surface_points(unite<3>({slab(0, 1.2), slab(0.8, 2)}), 0.1), 10.0, 2.0, 1e-6);
    expect_closed(surface_points(subtract<3>({slab(0, 2), slab(1, 3)}), 0.1), 6.0, 1.0, 1e-6);
    expect_closed(surface_points(unite<3>({slab(0, 1), slab(0, 1)}), 0.1), 6.0, 1.0, 1e-6);
    const Shape<3> ball(Sphere<3>{{0, 0, 0}, 1.0});
    expect_closed(surface_points(unite<3>({ball, ball}), 0.1), 4 * pi, 4 * pi / 3, 0.01);
}

TEST(SurfacePoints, the_thin_end_of_a_wedge_is_not_lost)
{
    // 10 degrees between two planes: 1 m long, the last 6 cm thinner than the spacing.
    const double angle = pi / 36;
    const Shape<2> lower =
        Shape<2>(Box<2>{{-3, 0}, {3, 3}}).transformed({.rotation = rotation_matrix(Vec<1>(-angle))});
    const Shape<2> upper =
        Shape<2>(Box<2>{{-3, -3}, {3, 0}}).transformed({.rotation = rotation_matrix(Vec<1>(angle))});
    const Shape<2> wedge = intersect<2>({lower, upper, Shape<2>(Box<2>{{-1, -1}, {1, 1}})});
    const SurfacePoints<2> points = surface_points(wedge, 0.01);
    const double height = 2 * std::tan(angle);
    expect_closed(points, 2 / std::cos(angle) + height, 0.5 * height, 1e-3);
    double tip = 1.0;
    for (const Vec<2>& x : points.position) tip = std::min(tip, std::abs(x[0]));
    EXPECT_LT(tip, 0.01);
}

TEST(SurfacePoints, a_cloud_of_points_is_closed)
{
    const SurfacePoints<3> points = surface_points(Shape<3>(MeshSolid(sphere_cloud(4000))), 0.1);
    expect_closed(points, 4 * pi, 4 * pi / 3, 0.02);
}

TEST(SurfacePoints, an_open_mesh_is_a_sheet)
{
    TriangleMesh bowl = sphere_mesh(4);
    std::erase_if(bowl.triangles, [&](const auto& t) {
        return bowl.vertices[t[0]][2] + bowl.vertices[t[1]][2] + bowl.vertices[t[2]][2] > 0.0;
    });
    const Shape<3> shape{MeshSheet(bowl)};
    EXPECT_TRUE(shape.is_sheet());
    const SurfacePoints<3> points = surface_points(shape, 0.1);
    EXPECT_TRUE(points.is_sheet);
    EXPECT_NEAR(total_area(points), surface_area(bowl), 0.01);
    EXPECT_GT(area_sum(points).norm(), 0.9 * pi) << "nothing is added that would close it";
    EXPECT_FALSE(surface_points(Shape<3>(MeshSolid(bowl)), 0.1).is_sheet);
}

TEST(SurfacePoints, spacings_that_make_no_points_are_refused)
{
    const Shape<3> box(Box<3>{{0, 0, 0}, {1, 1, 1}});
    EXPECT_THROW(surface_points(box, 0.0), InputError);
    EXPECT_THROW(surface_points(box, std::nan("")), InputError);
    EXPECT_THROW(surface_points(box, 1e-5), InputError);
    EXPECT_THROW(surface_points(Shape<3>(Sphere<3>{{0, 0, 0}, 1e6}), 1e-3), InputError);
}

TEST(SurfacePoints, parts_that_lie_too_far_from_each_other_are_refused)
{
    const Shape<3> box(Box<3>{{0, 0, 0}, {1, 1, 1}}), far(Sphere<3>{{0, 0, -4e9}, 0.2});
    EXPECT_THROW(surface_points(unite<3>({far, box}), 0.1), InputError);
}

TEST(SurfacePoints, of_many_parts_take_no_more_work_than_is_allowed)
{
    std::vector<Shape<3>> parts;
    for (int k = 0; k < 300; ++k)
        parts.push_back(Shape<3>(Box<3>{{0.001 * k, 0, 0}, {0.001 * k + 0.5, 1, 1}}));
    const Shape<3> shape = unite<3>(parts);
    EXPECT_THROW(surface_points(shape, 0.05, WorkBudget(1e6)), WorkLimitReached);
}

} // namespace
} // namespace phyxel::surface_points_test
