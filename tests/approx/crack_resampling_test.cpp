// SPDX-License-Identifier: MIT
#include <phyxel/approx/crack_resampling.h>
#include <phyxel/core/error.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace phyxel::crack_resampling_test {
namespace {

constexpr double spacing = 0.1;
constexpr double support = 2.2 * spacing;

bool is_in_unit_square(const Vec<2>& x) { return x.minCoeff() >= 0 && x.maxCoeff() <= 1; }

const CrackVisibility& half_crack()
{
    static const CrackVisibility cracks({{.from = Vec<2>(-1, 0.5), .to = Vec<2>(0.6, 0.5)}}, spacing);
    return cracks;
}

ResampledNodes resampled(const std::vector<Vec<2>>& nodes)
{
    return resample_near_cracks(nodes, support, half_crack(), {.is_inside = is_in_unit_square});
}

TEST(CrackResampling, leaves_nodes_alone_that_have_neighbours_enough)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = spacing, .seed = 2});
    const ResampledNodes same = resample_near_cracks(nodes, support, half_crack(), {.least_sampling = 0.0});
    EXPECT_EQ(same.positions, nodes);
    EXPECT_EQ(same.radii, std::vector<double>(nodes.size(), support));
    EXPECT_EQ(same.mass_shares, std::vector<double>(nodes.size(), 1.0));
}

TEST(CrackResampling, puts_new_nodes_on_the_side_of_their_parent_and_apart_from_others)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = spacing, .seed = 2});
    const ResampledNodes result = resampled(nodes);
    ASSERT_GT(result.positions.size(), nodes.size());
    for (std::size_t i = nodes.size(); i < result.positions.size(); ++i) {
        const Vec<2>& x = result.positions[i];
        EXPECT_TRUE(is_in_unit_square(x));
        EXPECT_EQ(half_crack().lengthening(x, nodes[result.parents[i]]), 0);
        for (std::size_t j = 0; j < i; ++j) EXPECT_GE((x - result.positions[j]).norm(), 0.4 * spacing);
    }
}

TEST(CrackResampling, shares_the_mass_of_the_parent_and_keeps_the_density)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = spacing, .seed = 2});
    const ResampledNodes result = resampled(nodes);
    std::vector<double> sums(nodes.size(), 0.0);
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
        sums[result.parents[i]] += result.mass_shares[i];
        const double shrunk = std::max(0.3, std::sqrt(result.mass_shares[i]));
        EXPECT_DOUBLE_EQ(result.radii[i], support * shrunk);
    }
    for (const double sum : sums) EXPECT_NEAR(sum, 1, 1e-15);
}

TEST(CrackResampling, splits_only_those_below_the_least_sampling)
{
    const std::vector<Vec<2>> nodes = lattice<2>({.spacing = spacing, .reach = 10});
    const CrackVisibility cracks({{.from = Vec<2>(-2, 0.05), .to = Vec<2>(0.0, 0.05)}}, spacing);
    const ResampledNodes result = resample_near_cracks(nodes, support, cracks, {.least_sampling = 8.5});
    for (std::size_t i = nodes.size(); i < result.positions.size(); ++i) {
        const Vec<2>& parent = nodes[result.parents[i]];
        const bool is_at_rim = parent.cwiseAbs().maxCoeff() > 0.85;
        const bool is_at_crack = std::abs(parent[1] - 0.05) < 0.06 && parent[0] < 0.05;
        EXPECT_TRUE(is_at_rim || is_at_crack) << parent.transpose();
    }
}

TEST(CrackResampling, is_the_same_again_and_other_with_another_seed)
{
    const std::vector<Vec<2>> nodes = jittered_grid<2>({.spacing = spacing, .seed = 2});
    EXPECT_EQ(resampled(nodes).positions, resampled(nodes).positions);
    EXPECT_NE(resampled(nodes).positions,
              resample_near_cracks(nodes, support, half_crack(), {.is_inside = is_in_unit_square, .seed = 2})
                  .positions);
}

TEST(CrackResampling, refuses_options_out_of_range)
{
    const std::vector<Vec<2>> nodes = {Vec<2>(0, 0)};
    EXPECT_THROW(resample_near_cracks(nodes, support, half_crack(), {.least_sampling = 1e9}), InputError);
    EXPECT_THROW(resample_near_cracks(nodes, support, half_crack(), {.least_distance = 0}), InputError);
    EXPECT_THROW(resample_near_cracks(nodes, -1.0, half_crack()), InputError);
}

} // namespace
} // namespace phyxel::crack_resampling_test
