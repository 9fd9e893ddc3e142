// SPDX-License-Identifier: MIT
#include "studio/decoded_frame.h"
#include "studio/server/frame_encoder.h"

#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

namespace phyxel::studio::frame_encoder_test {
namespace {

/// Points within a box far from the origin, with ids, velocities and densities.
Snapshot cloud(std::size_t count, std::uint64_t first_id, std::uint64_t seed)
{
    Rng random(seed);
    Snapshot snapshot;
    snapshot.body = "cloud";
    std::vector<std::uint64_t> ids(count);
    std::iota(ids.begin(), ids.end(), first_id);
    std::vector<Vec<3>> velocities;
    std::vector<double> densities;
    for (std::size_t i = 0; i < count; ++i) {
        snapshot.points.emplace_back(100.0 + random.uniform(), -5.0 + 3.0 * random.uniform(),
                                     1e-3 * random.uniform());
        velocities.emplace_back(random.uniform(), random.uniform(), random.uniform());
        densities.push_back(900.0 + 200.0 * random.uniform());
    }
    snapshot.fields.push_back(scalar_field<std::uint64_t>("id", ids));
    snapshot.fields.push_back(vector_field<3, double>("velocity", velocities));
    snapshot.fields.push_back(scalar_field<double>("density", densities));
    return snapshot;
}

/// A tetrahedron with a field and normals.
SurfaceMesh tetrahedron()
{
    SurfaceMesh surface;
    surface.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    surface.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    surface.fields.push_back(vector_field<3, double>("velocity", surface.vertices));
    const std::vector<Vec<3>> normals = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0.5, -0.25}};
    surface.fields.push_back(vector_field<3, double>("normal", normals));
    return surface;
}

StreamFrame frame_of(std::vector<Snapshot> snapshots, std::uint32_t sitting = 3)
{
    StreamFrame frame;
    frame.sitting = sitting;
    frame.content = std::make_shared<const FrameContent>(make_content(42, 1.4, std::move(snapshots)));
    return frame;
}

/// Length of the vector, or the number.
double magnitude(const Snapshot& snapshot, const char* field, std::size_t i)
{
    const Field& values = *snapshot.find(field);
    if (values.components == 3) return vectors_of(values)[i].norm();
    return std::get<std::vector<double>>(values.values)[i];
}

TEST(FrameEncoder, positions_are_off_by_no_more_than_the_stated_bound)
{
    const Snapshot snapshot = cloud(2001, 7, 1);
    FrameEncoder encoder;
    const DecodedFrame frame = decode_frame(encoder.encode(frame_of({snapshot}), {}, 5));
    EXPECT_EQ(frame.magic, frame_magic);
    EXPECT_EQ(frame.serial, 5u);
    EXPECT_EQ(frame.sitting, 3u);
    EXPECT_EQ(frame.frame, 42u);
    EXPECT_EQ(frame.time, 1.4);
    ASSERT_EQ(frame.bodies.size(), 1u);
    const DecodedBody& body = frame.bodies[0];
    ASSERT_EQ(body.points.positions.size(), snapshot.points.size());
    for (std::size_t i = 0; i < snapshot.points.size(); ++i) {
        EXPECT_EQ(body.ids[i], 7 + i);
        for (std::size_t k = 0; k < 3; ++k)
            EXPECT_LE(std::abs(body.points.positions[i][k] - snapshot.points[i][static_cast<int>(k)]),
                      static_cast<double>(body.points.size[k]) / 131070.0 * (1.0 + 1e-9));
    }
    // The box is no larger than the points, but for what single precision needs.
    EXPECT_LT(body.points.size[0], 1.0001f);
    EXPECT_LT(body.points.size[2], 1.0001e-3f);
}

TEST(FrameEncoder, colours_are_magnitudes_within_their_range)
{
    const Snapshot snapshot = cloud(300, 0, 2);
    for (const char* field : {"velocity", "density"}) {
        FrameEncoder encoder;
        const DecodedFrame frame = decode_frame(encoder.encode(frame_of({snapshot}), {field, false}, 1));
        EXPECT_EQ(frame.color_hash, field_hash(field));
        const DecodedBody& body = frame.bodies[0];
        const double range = static_cast<double>(body.high) - static_cast<double>(body.low);
        for (std::size_t i = 0; i < 300; ++i)
            EXPECT_NEAR(body.color[i], magnitude(snapshot, field, i), 1.01 * range / 131070.0 + 1e-4);
    }
    // The hash is the one that everybody calls FNV-1a.
    EXPECT_EQ(field_hash(""), 0x811c9dc5u);
    EXPECT_EQ(field_hash("a"), 0xe40c292cu);
}

TEST(FrameEncoder, a_view_without_colour_has_none)
{
    FrameEncoder encoder;
    const DecodedFrame frame = decode_frame(encoder.encode(frame_of({cloud(9, 0, 3)}), {"body", true}, 1));
    EXPECT_EQ(frame.color_hash, 0u);
    EXPECT_EQ(frame.bodies[0].flags, std::uint32_t(HasIds));
    const DecodedFrame unknown = decode_frame(encoder.encode(frame_of({cloud(9, 0, 3)}), {"heat", true}, 1));
    EXPECT_TRUE(unknown.bodies[0].color.empty());
}

TEST(FrameEncoder, ids_are_sent_when_the_particles_are_others)
{
    FrameEncoder encoder;
    const auto has_ids = [&](const StreamFrame& frame) {
        return (decode_frame(encoder.encode(frame, {}, 1)).bodies[0].flags & HasIds) != 0;
    };
    EXPECT_TRUE(has_ids(frame_of({cloud(50, 0, 1)})));
    EXPECT_FALSE(has_ids(frame_of({cloud(50, 0, 2)}))); // elsewhere, but the same
    EXPECT_TRUE(has_ids(frame_of({cloud(49, 0, 2)})));
    EXPECT_TRUE(has_ids(frame_of({cloud(49, 1, 2)})));
    EXPECT_FALSE(has_ids(frame_of({cloud(49, 1, 3)})));
    EXPECT_TRUE(has_ids(frame_of({cloud(49, 1, 3)}, 4))); // another sitting
}

TEST(FrameEncoder, triangles_are_sent_once_for_each_surface)
{
    Snapshot solid = cloud(5, 0, 1);
    solid.surface = tetrahedron();
    FrameEncoder encoder;
    const DecodedFrame first = decode_frame(encoder.encode(frame_of({solid}), {}, 1));
    ASSERT_TRUE(first.bodies[0].surface && first.bodies[0].surface->triangles);
    EXPECT_EQ(*first.bodies[0].surface->triangles,
              (std::vector<std::uint32_t>{0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3}));
    EXPECT_EQ(first.bodies[0].surface->normals[1][0], 127);
    EXPECT_EQ(first.bodies[0].surface->normals[3][1], 64);
    EXPECT_EQ(first.bodies[0].surface->normals[3][2], -32);
    EXPECT_NEAR(first.bodies[0].surface->color[3], 1.0, 1e-4);
    EXPECT_NEAR(first.bodies[0].surface->vertices.positions[3][2], 1.0, 1e-5);

    solid.surface->vertices[0][0] = -1.0; // moves
    EXPECT_FALSE(decode_frame(encoder.encode(frame_of({solid}), {}, 2)).bodies[0].surface->triangles);
    solid.surface->triangles.pop_back();
    EXPECT_TRUE(decode_frame(encoder.encode(frame_of({solid}), {}, 3)).bodies[0].surface->triangles);
    // Who does not want surfaces gets none, and the triangles once he does.
    FrameEncoder other;
    EXPECT_FALSE(decode_frame(other.encode(frame_of({solid}), {"velocity", false}, 1)).bodies[0].surface);
    EXPECT_TRUE(decode_frame(other.encode(frame_of({solid}), {}, 2)).bodies[0].surface->triangles);
}

TEST(FrameEncoder, surfels_have_the_axes_of_their_ellipses_and_meshes_have_none)
{
    Snapshot solid = cloud(5, 0, 1);
    solid.surface = tetrahedron();
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec<3>> u = {{0.02, 0, 0}, {0, -0.5, 0.25}, {1e-3, 2e-3, 3e-3}, {nan, 0, 1}};
    const std::vector<Vec<3>> v = {{0, 0.01, 0}, {0.125, 0, 0}, {0, 0, 0}, {0, 1e300, 0.4}};
    solid.surface->fields.push_back(vector_field<3, double>("axis_u", u));
    EXPECT_FALSE(decode_frame(FrameEncoder().encode(frame_of({solid}), {}, 1)).bodies[0].flags & HasAxes);
    solid.surface->fields.push_back(vector_field<3, double>("axis_v", v));
    EXPECT_FALSE(decode_frame(FrameEncoder().encode(frame_of({solid}), {}, 1)).bodies[0].flags & HasAxes);

    solid.surface->triangles.clear();
    const DecodedFrame frame = decode_frame(FrameEncoder().encode(frame_of({solid}), {}, 1));
    ASSERT_TRUE(frame.bodies[0].flags & HasAxes);
    const DecodedSurface& surface = *frame.bodies[0].surface;
    for (std::size_t i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k) {
            EXPECT_NEAR(surface.axes[0][i][static_cast<std::size_t>(k)], u[i][k], 1.0 / 65534.0);
            EXPECT_NEAR(surface.axes[1][i][static_cast<std::size_t>(k)], v[i][k], 1.0 / 65534.0);
        }
    EXPECT_EQ(surface.axes[0][3][0], 0.0) << "what is no number";
    EXPECT_NEAR(surface.axes[1][3][1], 1.0, 1e-6) << "what has burst is as long as the longest";
    EXPECT_NEAR(surface.color[3], 1.0, 1e-4) << "what follows is in its place";
}

TEST(FrameEncoder, surfaces_that_are_made_and_those_that_are_carried_are_wished_for_apart)
{
    Snapshot body = cloud(4, 0, 5);
    body.surface = tetrahedron();
    FrameContent content = make_content(1, 0.1, {body, body});
    content.bodies[0].is_surface_made = true;
    StreamFrame frame;
    frame.content = std::make_shared<const FrameContent>(std::move(content));
    for (const bool made : {false, true})
        for (const bool carried : {false, true}) {
            FrameEncoder encoder;
            const DecodedFrame decoded = decode_frame(encoder.encode(frame, {"velocity", carried, made}, 1));
            EXPECT_EQ(decoded.bodies[0].surface.has_value(), made);
            EXPECT_EQ(decoded.bodies[1].surface.has_value(), carried);
        }
}

TEST(FrameEncoder, odd_counts_are_aligned_and_nothing_is_fine)
{
    for (const std::size_t count : {0u, 1u, 2u, 3u}) {
        FrameEncoder encoder;
        const DecodedFrame frame =
            decode_frame(encoder.encode(frame_of({cloud(count, 0, 1), cloud(count, 9, 2)}), {}, 1));
        ASSERT_EQ(frame.bodies.size(), 2u);
        EXPECT_EQ(frame.bodies[1].number, 1u);
        EXPECT_EQ(frame.bodies[1].points.positions.size(), count);
    }
    FrameEncoder encoder;
    EXPECT_EQ(encoder.encode(frame_of({}), {}, 1).size(), 32u);
}

TEST(FrameEncoder, what_is_not_a_number_does_not_spoil_the_rest)
{
    Snapshot snapshot = cloud(4, 0, 1);
    snapshot.points[2][1] = std::numeric_limits<double>::quiet_NaN();
    snapshot.points[3][0] = std::numeric_limits<double>::infinity();
    std::get<std::vector<double>>(snapshot.fields[1].values)[0] = std::numeric_limits<double>::quiet_NaN();
    FrameEncoder encoder;
    const DecodedFrame frame = decode_frame(encoder.encode(frame_of({snapshot}), {}, 1));
    const DecodedPoints& points = frame.bodies[0].points;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t k = 0; k < 3; ++k) EXPECT_TRUE(std::isfinite(points.positions[i][k]));
    EXPECT_NEAR(points.positions[1][1], snapshot.points[1][1], 1e-4);
    EXPECT_NEAR(frame.bodies[0].color[1], magnitude(snapshot, "velocity", 1), 1e-4);
}

} // namespace
} // namespace phyxel::studio::frame_encoder_test
