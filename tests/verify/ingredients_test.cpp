// SPDX-License-Identifier: MIT
// The faulty ingredients of the sabotages are right but for their one fault.
#include <phyxel/verify/clouds.h>
#include <phyxel/verify/detail/faulty_search.h>
#include <phyxel/verify/detail/shape_makers.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace phyxel::detail::ingredients_test {
namespace {

template <int Dim>
void expect_textbook_agrees_with_library(double support_radius)
{
    const auto nodes = random_cloud<Dim>({.count = 300, .seed = 1});
    for (int order = 0; order <= 2; ++order)
        for (const Vec<Dim>& x : random_cloud<Dim>({.count = 10, .seed = 2, .low = 0.3, .high = 0.7})) {
            const MlsOptions options{.order = order};
            const auto expected = library_shapes<Dim>()(x, nodes, support_radius, options, 2);
            const auto found = textbook_shapes<Dim>(MlsMistake::None)(x, nodes, support_radius, options, 2);
            ASSERT_EQ(found.ids, expected.ids);
            EXPECT_NEAR(found.quality.condition / expected.quality.condition, 1.0, 1e-6);
            for (std::size_t a = 0; a < found.ids.size(); ++a) {
                EXPECT_NEAR(found.values[a], expected.values[a], 1e-12);
                EXPECT_LT((found.gradients[a] - expected.gradients[a]).norm(), 1e-10);
                EXPECT_LT((found.second_derivatives[a] - expected.second_derivatives[a]).norm(), 1e-8);
            }
        }
}

TEST(TextbookMls, without_a_mistake_gives_the_shape_functions_of_the_library)
{
    expect_textbook_agrees_with_library<1>(0.1);
    expect_textbook_agrees_with_library<2>(0.3);
    expect_textbook_agrees_with_library<3>(0.5);
}

TEST(TextbookMls, an_uncentred_basis_near_the_origin_changes_nothing_but_the_condition)
{
    const auto nodes = random_cloud<2>({.count = 300, .seed = 1});
    const Vec<2> x(0.4, 0.6);
    const auto expected = library_shapes<2>()(x, nodes, 0.3, {.order = 2}, 2);
    const auto found = textbook_shapes<2>(MlsMistake::UncentredBasis)(x, nodes, 0.3, {.order = 2}, 2);
    ASSERT_EQ(found.ids, expected.ids);
    EXPECT_GT(found.quality.condition, 100 * expected.quality.condition);
    for (std::size_t a = 0; a < found.ids.size(); ++a) {
        EXPECT_NEAR(found.values[a], expected.values[a], 1e-9);
        EXPECT_LT((found.gradients[a] - expected.gradients[a]).norm(), 1e-7);
    }
}

/// Both ways in which a grid without faults can be asked.
TEST(FaultyGrid, without_a_fault_finds_what_brute_force_finds)
{
    const auto points = random_cloud<3>({.count = 500, .seed = 3, .low = -1, .high = 1});
    Found expected;
    for (const Vec<3>& x : points) expected.push_back(brute_force_points_near<3>(x, points, 0.3));
    EXPECT_EQ((FaultyGrid{.cell_edge = 1, .cells_per_axis = 3}).search(points, points, 0.3), expected);
    EXPECT_EQ((FaultyGrid{.cell_edge = 2, .cells_per_axis = 2}).search(points, points, 0.3), expected);
}

TEST(FaultyGrid, without_comparing_cells_finds_nothing_else_but_some_points_twice)
{
    const auto points = random_cloud<3>({.count = 500, .seed = 3, .low = -1, .high = 1});
    Found found = FaultyGrid{.compare_cells = false, .table_size = 101}.search(points, points, 0.3);
    std::size_t duplicates = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::size_t count = found[i].size();
        found[i].erase(std::unique(found[i].begin(), found[i].end()), found[i].end());
        duplicates += count - found[i].size();
        EXPECT_EQ(found[i], brute_force_points_near<3>(points[i], points, 0.3));
    }
    EXPECT_GT(duplicates, 100u);
}

TEST(OneSidedTree, finds_only_neighbours_and_not_all_of_them)
{
    const auto points = random_cloud<3>({.count = 500, .seed = 3});
    const Found found = OneSidedTree(points).radius(points, 0.2);
    std::size_t missing = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<Index> expected = brute_force_points_near<3>(points[i], points, 0.2);
        EXPECT_TRUE(std::ranges::includes(expected, found[i]));
        EXPECT_TRUE(std::ranges::binary_search(found[i], static_cast<Index>(i)));
        missing += expected.size() - found[i].size();
    }
    EXPECT_GT(missing, 0u);
}

} // namespace
} // namespace phyxel::detail::ingredients_test
