// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/rng.h>
#include <phyxel/geometry/inside_segment.h>

#include <gtest/gtest.h>

namespace phyxel::inside_segment_test {
namespace {

template <int Dim>
bool is_joined(const Shape<Dim>& shape, const Vec<Dim>& a, const Vec<Dim>& b, double tolerance)
{
    std::size_t queries = 0;
    const bool there = is_segment_inside<Dim>(shape, {a, -shape.signed_distance(a)},
                                              {b, -shape.signed_distance(b)}, tolerance, queries);
    const bool back = is_segment_inside<Dim>(shape, {b, -shape.signed_distance(b)},
                                             {a, -shape.signed_distance(a)}, tolerance, queries);
    EXPECT_EQ(there, back);
    return there;
}

TEST(InsideSegment, in_a_convex_shape_every_segment_is_inside)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    const Shape<3> box = Box<3>{{-1, -1, -1}, {1, 1, 1}};
    const Shape<3> mesh = MeshSolid(sphere_mesh(2));
    Rng rng(1);
    for (int trial = 0; trial < 300; ++trial) {
        const Vec<3> a = 0.5 * rng.point<3>(-1, 1);
        const Vec<3> b = 0.5 * rng.point<3>(-1, 1);
        EXPECT_TRUE(is_joined<3>(ball, a, b, 0.01));
        EXPECT_TRUE(is_joined<3>(box, 1.99 * a, 1.99 * b, 0.01));
        EXPECT_TRUE(is_joined<3>(mesh, a, b, 0.01));
    }
}

TEST(InsideSegment, only_what_is_asked_of_the_shape_is_counted)
{
    const Shape<3> rod = Box<3>{{-1, -0.1, -0.1}, {1, 0.1, 0.1}};
    std::size_t queries = 0;
    // Balls that meet.
    EXPECT_TRUE(is_segment_inside<3>(rod, {{0, 0, 0}, 0.1}, {{0.15, 0, 0}, 0.1}, 0.01, queries));
    EXPECT_EQ(queries, 0u);
    // From 0.1 to before 0.9 of a way of 1 along the axis, by the depth of 0.1.
    EXPECT_TRUE(is_segment_inside<3>(rod, {{-0.5, 0, 0}, 0.1}, {{0.5, 0, 0}, 0.1}, 0.01, queries));
    EXPECT_NEAR(static_cast<double>(queries), 8.0, 1.0);
}

TEST(InsideSegment, no_gap_is_too_narrow)
{
    for (const double gap : {0.5, 0.1, 0.02, 0.002}) {
        const Shape<3> halves =
            subtract<3>({Box<3>{{-1, -1, -1}, {1, 1, 1}}, Box<3>{{-0.5 * gap, -2, -2}, {0.5 * gap, 2, 2}}});
        const Shape<3> meshes = unite<3>({MeshSolid(box_mesh({{-1, -1, -1}, {-0.5 * gap, 1, 1}})),
                                          MeshSolid(box_mesh({{0.5 * gap, -1, -1}, {1, 1, 1}}))});
        Rng rng(2);
        for (int trial = 0; trial < 300; ++trial) {
            const Vec<3> a(-0.5 * gap - rng.uniform(0.01, 0.5), rng.uniform(-0.3, 0.3),
                           rng.uniform(-0.3, 0.3));
            const Vec<3> b(0.5 * gap + rng.uniform(0.01, 0.5), rng.uniform(-0.3, 0.3),
                           rng.uniform(-0.3, 0.3));
            // Where the gap is narrow, not for those that run almost along it.
            if ((b - a).normalized().x() < 0.3) continue;
            EXPECT_FALSE(is_joined<3>(halves, a, b, 0.05)) << gap << ": " << a << " to " << b;
            EXPECT_FALSE(is_joined<3>(meshes, a, b, 0.05)) << gap << ": " << a << " to " << b;
        }
    }
}

TEST(InsideSegment, what_touches_is_one)
{
    const Shape<2> pair = unite<2>({Box<2>{{0, 0}, {1, 1}}, Box<2>{{1, 0}, {2, 1}}});
    EXPECT_TRUE(is_joined<2>(pair, {0.8, 0.3}, {1.3, 0.4}, 0.1));
    // Along the diagonal through the inner corner of an L.
    const Shape<2> angle = subtract<2>({Box<2>{{-1, -1}, {1, 1}}, Box<2>{{0, 0}, {2, 2}}});
    EXPECT_TRUE(is_joined<2>(angle, {-0.5, 0.5}, {0.5, -0.5}, 0.1));
    EXPECT_FALSE(is_joined<2>(angle, {-0.1, 0.6}, {0.6, -0.1}, 0.1));
}

TEST(InsideSegment, bulges_are_passed_up_to_the_tolerance)
{
    // A ball presses a dent of depth 0.08 into the upper side of a box.
    const Shape<2> dented = subtract<2>({Box<2>{{-2, -1}, {2, 0}}, Sphere<2>{{0, 0.92}, 1}});
    const Vec<2> left(-0.4, -0.01);
    const Vec<2> right(0.4, -0.01);
    EXPECT_TRUE(is_joined<2>(dented, left, right, 0.1));
    EXPECT_FALSE(is_joined<2>(dented, left, right, 0.05));
    // Of edges likewise: the corner of a box is 0.05 in the way.
    const Shape<2> angle = subtract<2>({Box<2>{{-1, -1}, {1, 1}}, Box<2>{{0, 0}, {2, 2}}});
    const Vec<2> a(-0.5, 0.57);
    const Vec<2> b(0.57, -0.5);
    EXPECT_TRUE(is_joined<2>(angle, a, b, 0.1));
    EXPECT_FALSE(is_joined<2>(angle, a, b, 0.02));
}

TEST(InsideSegment, holes_of_a_mesh_do_not_part_what_is_under_them)
{
    const Shape<3> leaky = MeshSolid(with_holes(sphere_mesh(3), 10));
    Rng rng(3);
    for (int trial = 0; trial < 200; ++trial) {
        const Vec<3> a = 0.9 * rng.point<3>(-1, 1).normalized();
        const Vec<3> b = (a + 0.2 * rng.point<3>(-1, 1)).normalized() * 0.9;
        EXPECT_TRUE(is_joined<3>(leaky, a, b, 0.02));
    }
}

} // namespace
} // namespace phyxel::inside_segment_test
