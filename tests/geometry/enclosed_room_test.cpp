// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/geometry/enclosed_room.h>
#include <phyxel/geometry/primitives.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/surface_points.h>

#include <gtest/gtest.h>

namespace phyxel::enclosed_room_test {
namespace {

constexpr double spacing = 0.05;
constexpr double margin = 0.06;

template <int Dim>
Boundary<Dim> boundary_of(const std::vector<Shape<Dim>>& shapes)
{
    Boundary<Dim> boundary;
    for (const Shape<Dim>& shape : shapes) {
        const SurfacePoints<Dim> points = surface_points(shape, spacing);
        const auto piece = static_cast<std::uint32_t>(boundary.pieces.size());
        boundary.pieces.push_back({std::to_string(piece)});
        boundary.position.insert(boundary.position.end(), points.position.begin(), points.position.end());
        boundary.area.insert(boundary.area.end(), points.area.begin(), points.area.end());
        boundary.piece.resize(boundary.size(), piece);
    }
    return boundary;
}

template <int Dim>
void expect_room_of_a_ball()
{
    const Vec<Dim> center = Vec<Dim>::Constant(0.2);
    const Boundary<Dim> boundary = boundary_of<Dim>({Sphere<Dim>{center, 0.5}});
    EnclosedRoom<Dim> room({});
    room.add_piece(boundary, 0);
    Rng rng(3);
    for (int n = 0; n < 2000; ++n) {
        const Vec<Dim> x = rng.point<Dim>(-1, 1.4);
        const double outside = (x - center).norm() - 0.5;
        // Points are a spacing apart, so that the surface is a little nearer than they are.
        if (std::abs(outside - margin) < 0.02) continue;
        EXPECT_EQ(room.holds(x, margin), outside < margin) << x.transpose();
    }
}

TEST(EnclosedRoom, holds_what_is_in_a_ball_or_beside_it)
{
    expect_room_of_a_ball<2>();
    expect_room_of_a_ball<3>();
}

TEST(EnclosedRoom, holds_nothing_of_pieces_that_were_not_added)
{
    const Boundary<2> boundary = boundary_of<2>({Sphere<2>{Vec<2>(0, 0), 0.3}, Sphere<2>{Vec<2>(1, 0), 0.3}});
    EnclosedRoom<2> room({});
    EXPECT_FALSE(room.holds({0, 0}, margin));
    room.add_piece(boundary, 1);
    EXPECT_FALSE(room.holds({0, 0}, margin));
    EXPECT_TRUE(room.holds({1, 0}, margin));
    room.add_piece(boundary, 0);
    EXPECT_TRUE(room.holds({0, 0}, margin));
}

TEST(EnclosedRoom, has_no_room_inside_of_a_shell_but_for_its_wall)
{
    const Boundary<3> boundary =
        boundary_of<3>({subtract<3>({Sphere<3>{Vec<3>(0, 0, 0), 0.5}, Sphere<3>{Vec<3>(0, 0, 0), 0.3}})});
    EnclosedRoom<3> room({});
    room.add_piece(boundary, 0);
    EXPECT_FALSE(room.holds({0, 0, 0}, margin));
    EXPECT_TRUE(room.holds({0.4, 0, 0}, margin));
}

TEST(EnclosedRoom, reaches_across_periodic_sides)
{
    PeriodicBox<2> periodic;
    periodic.min[0] = 0.0;
    periodic.length[0] = 2.0;
    EnclosedRoom<2> room(periodic);
    const Boundary<2> boundary = boundary_of<2>({Sphere<2>{Vec<2>(2.0, 0), 0.3}});
    room.add_piece(boundary, 0);
    EXPECT_TRUE(room.holds({0.1, 0}, margin));
    EXPECT_TRUE(room.holds({1.9, 0}, margin));
    EXPECT_FALSE(room.holds({1.0, 0}, margin));
}

} // namespace
} // namespace phyxel::enclosed_room_test
