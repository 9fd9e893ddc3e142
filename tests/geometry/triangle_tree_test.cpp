// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/triangle_tree.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel::triangle_tree_test {
namespace {

TEST(TriangleTree, every_triangle_is_in_one_leaf_and_in_the_boxes_above_it)
{
    for (std::size_t count = 1; count <= 60; ++count) {
        const TriangleMesh mesh = triangle_soup(count, 0.2, count);
        const TriangleTree tree(mesh);
        std::vector<Index> ids(tree.ids().begin(), tree.ids().end());
        std::sort(ids.begin(), ids.end());
        for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(ids[i], i);

        for (TriangleTree::Cell cell = TriangleTree::root; cell < tree.cell_end(); ++cell) {
            const TriangleTree::Range range = tree.range(cell);
            EXPECT_LT(range.begin, range.end);
            if (tree.is_leaf(cell)) {
                EXPECT_LE(range.end - range.begin, TriangleTree::leaf_size);
            } else {
                EXPECT_EQ(tree.range(2 * cell).begin, range.begin);
                EXPECT_EQ(tree.range(2 * cell).end, tree.range(2 * cell + 1).begin);
                EXPECT_EQ(tree.range(2 * cell + 1).end, range.end);
            }
            Box<3> box;
            for (std::size_t i = range.begin; i < range.end; ++i)
                for (const Index v : mesh.triangles[tree.ids()[i]]) box.extend(mesh.vertices[v]);
            EXPECT_EQ(tree.box(cell), box);
        }
    }
}

TEST(TriangleTree, is_the_same_for_any_number_of_threads_and_with_equal_centroids)
{
    TriangleMesh mesh = triangle_soup(300, 0.2, 1);
    for (std::size_t t = 0; t < 200; ++t) mesh.triangles.push_back(mesh.triangles[t % 3]);
    const auto ids_with = [&](int threads) {
        const ThreadLimit limit(threads);
        const TriangleTree tree(mesh);
        return std::vector<Index>(tree.ids().begin(), tree.ids().end());
    };
    EXPECT_EQ(ids_with(1), ids_with(5));
}

} // namespace
} // namespace phyxel::triangle_tree_test
