// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/sparse_field.h>

#include <gtest/gtest.h>

#include <limits>

namespace phyxel::sparse_field_test {
namespace {

TEST(SparseField, blocks_are_sorted_and_found_again)
{
    const std::int32_t far = SparseField::max_block - 1;
    const std::vector<GridIndex> blocks = {
        {5, 0, 1}, {-7, 3, 0}, {5, 0, 1}, {far, far, far}, {-far, -far, -far}};
    const SparseField field(0.5, blocks, -2.0f);
    ASSERT_EQ(field.block_count(), 4u);
    EXPECT_EQ(field.block_index(0), (GridIndex{-far, -far, -far}));
    EXPECT_EQ(field.block_index(1), (GridIndex{-7, 3, 0}));
    EXPECT_EQ(field.block_index(2), (GridIndex{5, 0, 1}));
    for (std::size_t b = 0; b < 4; ++b) EXPECT_EQ(field.find(field.block_index(b)), b);
    EXPECT_FALSE(field.find({5, 0, 2}));
    EXPECT_FALSE(field.find({std::numeric_limits<std::int32_t>::max(), 0, 0}));
    EXPECT_LT(field.memory(), 16384u);
}

TEST(SparseField, nodes_have_the_values_of_their_blocks_and_the_background_elsewhere)
{
    SparseField field(0.5, {{-1, 0, 0}, {0, 0, 0}}, -2.0f);
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t n = 0; n < SparseField::block_size; ++n)
            field.values(b)[n] = static_cast<float>(1000 * b + n);
    EXPECT_EQ(field.at({-8, 0, 0}), 0.0f);
    EXPECT_EQ(field.at({-1, 2, 3}), 7.0f + 16.0f + 192.0f);
    EXPECT_EQ(field.at({0, 0, 0}), 1000.0f);
    EXPECT_EQ(field.at({0, -1, 0}), -2.0f);
    EXPECT_EQ(field.at({8, 0, 0}), -2.0f);
    std::size_t visited = 0;
    field.for_each_node([&](const GridIndex& node, std::size_t, float value) {
        EXPECT_EQ(field.at(node), value);
        ++visited;
    });
    EXPECT_EQ(visited, 1024u);
    EXPECT_EQ(field.position({-3, 0, 7}), Vec<3>(-1.5, 0.0, 3.5));
}

TEST(SparseField, cells_and_blocks_out_of_range_are_refused)
{
    for (const double cell :
         {0.0, -1.0, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()})
        EXPECT_THROW(SparseField(cell, {}), InputError);
    EXPECT_THROW(SparseField(1.0, {{0, SparseField::max_block, 0}}), InputError);
    EXPECT_THROW(SparseField(1.0, {{0, 0, -SparseField::max_block - 1}}), InputError);
}

} // namespace
} // namespace phyxel::sparse_field_test
