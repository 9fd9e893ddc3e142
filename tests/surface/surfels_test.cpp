// SPDX-License-Identifier: MIT
#include "skinned_body.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/surfels.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel::surfels_test {
namespace {

/// A plate with surfels on its upper face, `pitch` apart, of radius 0.75 pitch: a square lattice of discs
/// covers the plane from 0.71 on.
struct Sheet {
    SkinnedBody body;
    double pitch = 0.04; ///< [m]
    SurfelSet surfels;
    Skinning<float> skin;

    Sheet()
    {
        body.add_nodes(Vec<3>::Zero(), {10, 10, 3});
        body.connect();
        for (double y = 0.5 * pitch; y < 1.0; y += pitch)
            for (double x = 0.5 * pitch; x < 1.0; x += pitch) {
                body.vertices.push_back({x, y, 0.3});
                body.normals.push_back(Vec<3>::UnitZ());
            }
        surfels = SurfelSet(body.vertices, body.normals, 0.75 * pitch, 100);
        skin = Skinning<float>(surfels.rest_positions(), surfels.rest_normals(), body.skinning_nodes());
    }

    void update(const Deformation& deformation)
    {
        const MovedNodes moved = move_nodes(body.nodes, deformation);
        surfels.update(skin, moved.positions, moved.gradients);
    }

    ResampleReport resample(std::size_t most = 1000000)
    {
        return surfels.resample(skin, body.skinning_nodes(), most);
    }

    /// Part of the places on the upper face that lie in no ellipse, `slack` r_s wider, when deformed.
    double uncovered(const Deformation& deformation, double slack) const
    {
        std::size_t holes = 0, places = 0;
        for (double y = 0.1; y < 0.9; y += 0.0137)
            for (double x = 0.1; x < 0.9; x += 0.0141) {
                const Vec<3> place = deformation({x, y, 0.3}).first;
                bool is_covered = false;
                for (std::size_t i = 0; i < surfels.size() && !is_covered; ++i) {
                    // Coordinates in the axes: the ellipse is u² + v² ≤ 1.
                    const Vec<3> a = surfels.axes()[i][0], b = surfels.axes()[i][1];
                    const Vec<3> d = place - surfels.positions()[i];
                    Mat<2> gram;
                    gram << a.dot(a), a.dot(b), a.dot(b), b.dot(b);
                    const Vec<2> uv = gram.inverse() * Vec<2>(a.dot(d), b.dot(d));
                    const double beyond = std::max(0.0, uv.norm() - 1.0);
                    is_covered = beyond * std::max(a.norm(), b.norm()) <= slack * surfels.radius();
                }
                holes += is_covered ? 0 : 1;
                ++places;
            }
        return double(holes) / double(places);
    }
};

Deformation stretching(const Vec<3>& factors)
{
    return affine_deformation(factors.asDiagonal(), Vec<3>::Zero());
}

double largest_axis(const SurfelSet& surfels)
{
    double largest = 0.0;
    for (const SurfelAxes& axes : surfels.axes())
        largest = std::max({largest, axes[0].norm(), axes[1].norm()});
    return largest;
}

TEST(Surfels, axes_follow_the_deformation_and_normals_the_axes)
{
    Sheet sheet;
    Mat<3> F;
    F << 1.2, 0.3, 0, -0.1, 0.9, 0.4, 0.2, 0, 1.1;
    sheet.update(affine_deformation(F, {1, 2, 3}));
    const Vec<3> normal = (F.inverse().transpose() * Vec<3>::UnitZ()).normalized();
    const std::vector<Vec<3, float>> normals = sheet.surfels.normals();
    for (std::size_t i = 0; i < sheet.surfels.size(); ++i) {
        const SurfelAxes& rest = sheet.surfels.state().axes[i];
        EXPECT_NEAR(rest[0].norm(), sheet.surfels.radius(), 1e-12);
        EXPECT_NEAR(rest[0].cross(rest[1]).normalized()[2], 1.0, 1e-12);
        ASSERT_LT((sheet.surfels.axes()[i][0] - F * rest[0]).norm(), 1e-6);
        ASSERT_LT((sheet.surfels.axes()[i][1] - F * rest[1]).norm(), 1e-6);
        ASSERT_LT((normals[i].cast<double>() - normal).norm(), 1e-5);
    }
}

TEST(Surfels, a_sheet_stretched_to_three_times_its_length_has_no_holes)
{
    Sheet sheet;
    EXPECT_EQ(sheet.uncovered(stretching(Vec<3>::Ones()), 0.0), 0.0);
    // Stretched little by little, as in a simulation, and in two directions after one another.
    for (const double x : {1.3, 1.7, 2.1, 2.5, 3.0}) {
        sheet.update(stretching({x, 1, 1}));
        static_cast<void>(sheet.resample());
    }
    sheet.update(stretching({3, 1, 1}));
    EXPECT_LE(largest_axis(sheet.surfels), 2.0 * sheet.surfels.radius() * 1.001);
    EXPECT_GT(sheet.surfels.size(), sheet.body.vertices.size());
    EXPECT_LT(sheet.surfels.size(), 5 * sheet.body.vertices.size());
    EXPECT_EQ(sheet.uncovered(stretching({3, 1, 1}), 0.2), 0.0);
    EXPECT_LT(sheet.uncovered(stretching({3, 1, 1}), 0.0), 0.01);

    sheet.update(stretching({3, 3, 1}));
    EXPECT_GT(sheet.resample().split, 0u);
    sheet.update(stretching({3, 3, 1}));
    EXPECT_LE(largest_axis(sheet.surfels), 2.0 * sheet.surfels.radius() * 1.001);
    EXPECT_EQ(sheet.uncovered(stretching({3, 3, 1}), 0.3), 0.0);
}

TEST(Surfels, a_sheared_surfel_is_split_along_its_longest_direction)
{
    Sheet sheet;
    Mat<3> F = Mat<3>::Identity();
    F(0, 1) = 2.5;
    sheet.update(affine_deformation(F, Vec<3>::Zero()));
    EXPECT_EQ(sheet.resample().split, sheet.body.vertices.size());
    sheet.update(affine_deformation(F, Vec<3>::Zero()));
    EXPECT_EQ(sheet.uncovered(affine_deformation(F, Vec<3>::Zero()), 0.2), 0.0);
    EXPECT_EQ(sheet.resample().split, 0u);
}

TEST(Surfels, a_squeezed_sheet_has_fewer_surfels_and_is_still_covered)
{
    Sheet sheet;
    const std::size_t before = sheet.surfels.size();
    sheet.update(stretching({0.45, 0.45, 1}));
    const ResampleReport report = sheet.resample();
    EXPECT_GT(report.merged, before / 5);
    EXPECT_EQ(sheet.surfels.size(), before - report.merged);
    sheet.update(stretching({0.45, 0.45, 1}));
    EXPECT_EQ(sheet.uncovered(stretching({0.45, 0.45, 1}), 0.2), 0.0);
    // Stretched only one way, nothing is merged.
    Sheet strip;
    strip.update(stretching({0.45, 1, 1}));
    EXPECT_EQ(strip.resample().merged, 0u);
}

TEST(Surfels, there_are_never_more_than_asked_for)
{
    Sheet sheet;
    sheet.update(stretching({3, 3, 1}));
    static_cast<void>(sheet.resample(1000));
    EXPECT_EQ(sheet.surfels.size(), 1000u);
    static_cast<void>(sheet.resample(300));
    EXPECT_EQ(sheet.surfels.size(), 300u);
    EXPECT_EQ(sheet.skin.size(), 300u);
    sheet.update(stretching({1, 1, 1}));
    EXPECT_EQ(sheet.uncovered(stretching({1, 1, 1}), 1.0), 0.0);
}

TEST(Surfels, discs_that_face_away_from_each_other_are_not_merged)
{
    SkinnedBody body = skinned_bar({3, 3, 3}, 1);
    // Two sides of a thin gap, nearer to each other than to their neighbours.
    std::vector<Vec<3>> points, normals;
    for (int i = 0; i < 6; ++i)
        for (const double side : {-1.0, 1.0}) {
            points.push_back({0.05 * i, 0.15 + 0.001 * side, 0.15});
            normals.push_back({0, -side, 0});
        }
    SurfelSet surfels(points, normals, 0.05);
    Skinning<float> skin(surfels.rest_positions(), surfels.rest_normals(), body.skinning_nodes());
    const MovedNodes moved = move_nodes(body.nodes, stretching(Vec<3>::Constant(0.4)));
    surfels.update(skin, moved.positions, moved.gradients);
    EXPECT_GT(surfels.resample(skin, body.skinning_nodes(), 1000).merged, 0u);
    for (const Vec<3>& x : surfels.rest_positions()) EXPECT_NEAR(std::abs(x[1] - 0.15), 0.001, 1e-12);
}

TEST(Surfels, ids_are_never_used_twice_and_the_state_is_all_there_is)
{
    const auto run = [](int threads, bool is_saved_in_between) {
        const ThreadLimit limit(threads);
        Sheet sheet;
        std::uint64_t largest = 0;
        for (const std::uint64_t id : sheet.surfels.state().ids) largest = std::max(largest, id);
        for (const double factor : {1.5, 2.2, 3.1, 0.8, 0.3, 2.7}) {
            if (is_saved_in_between) {
                sheet.surfels = SurfelSet(sheet.surfels.state(), sheet.surfels.radius());
                sheet.skin = Skinning<float>(sheet.surfels.rest_positions(), sheet.surfels.rest_normals(),
                                             sheet.body.skinning_nodes());
            }
            const std::vector<std::uint64_t> before = sheet.surfels.state().ids;
            sheet.update(stretching({factor, 0.5 * (1.0 + factor), 1}));
            static_cast<void>(sheet.resample(2000));
            for (const std::uint64_t id : sheet.surfels.state().ids)
                EXPECT_TRUE(id > largest || std::binary_search(before.begin(), before.end(), id));
            largest = std::max(largest, sheet.surfels.state().ids.back());
        }
        return sheet.surfels.state();
    };
    const SurfelState one = run(1, false);
    for (const SurfelState& other : {run(5, false), run(2, true)}) {
        EXPECT_EQ(one.ids, other.ids);
        EXPECT_EQ(one.positions, other.positions);
        EXPECT_EQ(one.axes, other.axes);
        EXPECT_EQ(one.next_id, other.next_id);
    }
}

TEST(Surfels, what_cannot_be_a_surfel_is_refused)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<Vec<3>> point = {Vec<3>::Zero()}, normal = {Vec<3>::UnitX()};
    EXPECT_THROW(SurfelSet(point, normal, 0.0), InputError);
    EXPECT_THROW(SurfelSet(point, normal, nan), InputError);
    EXPECT_THROW(SurfelSet(point, std::vector<Vec<3>>{Vec<3>::Zero()}, 1.0), InputError);
    EXPECT_THROW(SurfelSet(std::vector<Vec<3>>{Vec<3>(nan, 0, 0)}, normal, 1.0), InputError);
    SurfelState state = SurfelSet(point, normal, 1.0).state();
    EXPECT_NO_THROW(SurfelSet(state, 1.0));
    state.next_id = 0;
    EXPECT_THROW(SurfelSet(state, 1.0), InputError);
    state.ids.clear();
    EXPECT_THROW(SurfelSet(state, 1.0), InputError);
}

} // namespace
} // namespace phyxel::surfels_test
