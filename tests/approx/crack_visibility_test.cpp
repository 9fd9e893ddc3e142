// SPDX-License-Identifier: MIT
#include <phyxel/approx/crack_visibility.h>
#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace phyxel::crack_visibility_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// y = 0 up to x = 0, its front.
const CrackSegment half_line{.from = Vec<2>(-10, 0), .to = Vec<2>(0, 0)};

std::vector<Index> all_of(const std::vector<Vec<2>>& nodes)
{
    std::vector<Index> ids(nodes.size());
    std::iota(ids.begin(), ids.end(), Index(0));
    return ids;
}

TEST(CrackSegment, is_met_only_by_ways_that_lead_through_it)
{
    const auto met = crossing(half_line, Vec<2>(-1, -1), Vec<2>(-3, 1));
    ASSERT_TRUE(met);
    EXPECT_LT((*met - Vec<2>(-2, 0)).norm(), 1e-15);
    EXPECT_FALSE(crossing(half_line, Vec<2>(1, -1), Vec<2>(2, 1))) << "ahead of the front";
    EXPECT_FALSE(crossing(half_line, Vec<2>(-1, 1), Vec<2>(-3, 2))) << "on one side";
    EXPECT_FALSE(crossing(half_line, Vec<2>(-2, 0), Vec<2>(-3, 2))) << "from the crack itself";
    EXPECT_FALSE(crossing(half_line, Vec<2>(-2, 0), Vec<2>(-3, 0))) << "along the crack";
    EXPECT_FALSE(crossing(half_line, Vec<2>(-2, 1), Vec<2>(-2, 1))) << "no way at all";
    EXPECT_TRUE(crossing(half_line, Vec<2>(0, -1), Vec<2>(0, 1))) << "through the front itself";
}

TEST(CrackSegment, is_met_at_the_same_place_from_either_end)
{
    Rng rng(5);
    for (int k = 0; k < 1000; ++k) {
        const Vec<2> x = rng.point<2>(-2, 2);
        const Vec<2> y = rng.point<2>(-2, 2);
        EXPECT_EQ(crossing(half_line, x, y), crossing(half_line, y, x));
    }
}

TEST(CrackSegment, is_as_far_from_its_front_as_the_nearest_end_that_is_one)
{
    CrackSegment crack = half_line;
    EXPECT_DOUBLE_EQ(front_distance(crack, Vec<2>(-9, 0)), 9);
    crack.from_is_front = true;
    EXPECT_DOUBLE_EQ(front_distance(crack, Vec<2>(-9, 0)), 1);
    crack.from_is_front = crack.to_is_front = false;
    EXPECT_EQ(front_distance(crack, Vec<2>(-9, 0)), infinite);
}

TEST(CrackVisibility, lengthens_the_way_by_the_square_of_the_distance_behind_the_front)
{
    const CrackVisibility cracks({half_line}, 0.5, {.translucency = 2});
    EXPECT_DOUBLE_EQ(cracks.lengthening(Vec<2>(-0.25, -1), Vec<2>(-0.25, 1)), 0.0625);
    EXPECT_DOUBLE_EQ(cracks.lengthening(Vec<2>(-3, -1), Vec<2>(-3, 1)), 9);
    EXPECT_EQ(cracks.lengthening(Vec<2>(1, -1), Vec<2>(1, 1)), 0);
    const CrackVisibility opaque({half_line}, 0.5, {.criterion = CrackCriterion::Visibility});
    EXPECT_EQ(opaque.lengthening(Vec<2>(-0.25, -1), Vec<2>(-0.25, 1)), infinite);
    EXPECT_EQ(opaque.lengthening(Vec<2>(1, -1), Vec<2>(1, 1)), 0);
}

TEST(CrackVisibility, takes_the_longest_way_of_several_cracks)
{
    CrackSegment second = half_line;
    second.from[1] = second.to[1] = 0.5;
    second.to[0] = 1;
    const CrackVisibility cracks({half_line, second}, 1.0);
    EXPECT_DOUBLE_EQ(cracks.lengthening(Vec<2>(-0.5, -1), Vec<2>(-0.5, 1)), 2.25);
}

TEST(CrackVisibility, weights_are_those_of_the_lengthened_way)
{
    const CrackVisibility cracks({half_line}, 1.0);
    const Vec<2> x(-0.5, -0.25);
    const Vec<2> node(-0.5, 0.25);
    for (const MlsWeight name : {MlsWeight::Quartic, MlsWeight::Poly6, MlsWeight::TruncatedGaussian}) {
        const AnyMlsWeight<2> weight = make_mls_weight<2>(name);
        // q = 0.25, lengthened by 0.25.
        EXPECT_NEAR(cracks.weight(weight, x, node, 2.0), weight.value(Vec<2>(0, 1), 2.0), 1e-15);
        // Lengthened to the rim and beyond.
        EXPECT_EQ(cracks.weight(weight, x, node, 0.6), 0.0);
    }
    const CrackVisibility none({}, 1.0);
    const AnyMlsWeight<2> weight = make_mls_weight<2>(MlsWeight::Quartic);
    EXPECT_EQ(none.weight(weight, x, node, 2.0), weight.value(x - node, 2.0));
}

TEST(CrackVisibility, refuses_what_is_no_crack)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THROW(CrackVisibility({CrackSegment{}}, 1.0), InputError);
    EXPECT_THROW(CrackVisibility({CrackSegment{.to = Vec<2>(nan, 0)}}, 1.0), InputError);
    EXPECT_THROW(CrackVisibility({half_line}, 0.0), InputError);
    EXPECT_THROW(CrackVisibility({half_line}, nan), InputError);
    EXPECT_THROW(CrackVisibility({half_line}, 1.0, {.translucency = -1}), InputError);
}

TEST(CrackedShapeFunctions, are_those_of_the_whole_body_where_no_crack_is)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = 0.1, .seed = 3});
    const CrackVisibility none({}, 0.1);
    for (int order = 0; order <= 2; ++order) {
        const Vec<2> x(0.47, 0.52);
        const auto cracked = cracked_shape_functions(x, nodes, 0.35, all_of(nodes), none, {.order = order});
        const auto whole = shape_functions<2>(x, nodes, 0.35, {.order = order}, 0);
        ASSERT_EQ(cracked.ids, whole.ids);
        for (std::size_t a = 0; a < whole.ids.size(); ++a)
            EXPECT_NEAR(cracked.values[a], whole.values[a], 1e-13);
    }
}

TEST(CrackedShapeFunctions, reproduce_planes_on_both_sides_of_a_crack)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = 0.1, .seed = 3});
    std::vector<double> plane;
    for (const Vec<2>& x : nodes) plane.push_back(1 + 2 * x[0] - 3 * x[1]);
    const CrackSegment crack{.from = Vec<2>(0, 0.5), .to = Vec<2>(0.5, 0.5)};
    for (const CrackCriterion criterion : all_crack_criteria) {
        const CrackVisibility cracks({crack}, 0.1, {.criterion = criterion});
        Rng rng(1);
        for (int k = 0; k < 50; ++k) {
            const Vec<2> x = rng.point<2>(0.1, 0.9);
            const auto shape = cracked_shape_functions(x, nodes, 0.35, all_of(nodes), cracks);
            EXPECT_NEAR(shape.value(plane), 1 + 2 * x[0] - 3 * x[1], 1e-12);
            EXPECT_TRUE(shape.gradients.empty());
        }
    }
}

TEST(CrackedShapeFunctions, of_the_other_side_of_a_full_cut_are_none)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = 0.1, .seed = 3});
    const CrackSegment cut{.from = Vec<2>(-1, 0.5), .to = Vec<2>(2, 0.5), .to_is_front = false};
    const CrackVisibility cracks({cut}, 0.1);
    const auto shape = cracked_shape_functions(Vec<2>(0.5, 0.51), nodes, 0.35, all_of(nodes), cracks);
    ASSERT_FALSE(shape.ids.empty());
    for (const Index i : shape.ids) EXPECT_GT(nodes[i][1], 0.5);
    double sum = 0.0;
    for (const double value : shape.values) sum += value;
    EXPECT_NEAR(sum, 1, 1e-12);
}

TEST(SamplingNumber, counts_the_neighbours_that_are_seen)
{
    const std::vector<Vec<2>> nodes = lattice<2>({.spacing = 0.1, .reach = 5});
    const std::size_t middle = nodes.size() / 2;
    const AnyMlsWeight<2> weight = make_mls_weight<2>(MlsWeight::Quartic);
    const auto omega = [&](double height, bool has_front) {
        const CrackSegment crack{
            .from = Vec<2>(-1, height), .to = Vec<2>(1, height), .to_is_front = has_front};
        return sampling_number(middle, nodes, 0.15, all_of(nodes), CrackVisibility({crack}, 0.1), weight);
    };
    EXPECT_NEAR(omega(0.3, false), 8, 1e-12) << "beyond the support";
    EXPECT_EQ(omega(0.05, false), 5) << "three of eight are behind it";
    EXPECT_EQ(omega(0.05, true), 5) << "the front is ten spacings away";
}

} // namespace
} // namespace phyxel::crack_visibility_test
