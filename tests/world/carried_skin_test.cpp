// SPDX-License-Identifier: MIT
#include <phyxel/world/detail/carried_skin.h>

#include <gtest/gtest.h>

#include <vector>

namespace phyxel {
namespace {

/// Two rows of phyxels side by side, three spacings apart, that are not coupled: the first has ten, the
/// second fifteen.
PhyxelCloud<3> two_rows()
{
    PhyxelCloud<3> cloud;
    cloud.spacing = 1.0;
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (const int length : {10, 15}) {
        const auto first = static_cast<Index>(cloud.size());
        for (int i = 0; i < length; ++i) {
            cloud.positions.emplace_back(i, length == 10 ? 0.0 : 3.0, 0.0);
            if (i > 0) ids.push_back(first + static_cast<Index>(i) - 1);
            if (i + 1 < length) ids.push_back(first + static_cast<Index>(i) + 1);
            offsets.push_back(ids.size());
        }
    }
    cloud.volumes.assign(cloud.size(), 1.0);
    cloud.supports.assign(cloud.size(), 1.85);
    cloud.depths.assign(cloud.size(), 0.5);
    cloud.neighbors = NeighborLists(offsets, ids);
    return cloud;
}

TEST(CarriedSkin, a_tip_without_phyxels_goes_with_what_it_is_the_tip_of)
{
    // A needle around the first row, which goes on for five spacings beyond its last phyxel.
    SolidSkin skin;
    const int rings = 57;
    for (int i = 0; i < rings; ++i)
        for (const auto& [y, z] : {std::pair(0.3, 0.0), std::pair(-0.15, 0.26), std::pair(-0.15, -0.26)})
            skin.vertices.emplace_back(0.25 * i, y, z);
    for (Index i = 0; i + 1 < static_cast<Index>(rings); ++i)
        for (Index k = 0; k < 3; ++k) {
            const Index a = 3 * i + k, b = 3 * i + (k + 1) % 3;
            skin.triangles.push_back({a, b, a + 3});
            skin.triangles.push_back({b, b + 3, a + 3});
        }
    const std::vector<Vec<3>> rest = skin.vertices;
    CarriedSkin carried(skin, two_rows());

    // The first row turns by a right angle about its beginning, the second is far away.
    Mat<3> R;
    R << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    std::vector<Vec<3>> positions = carried.nodes.positions;
    std::vector<Mat<3>> gradients(positions.size(), Mat<3>::Identity());
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (i < 10) {
            positions[i] = R * positions[i];
            gradients[i] = R;
        } else {
            positions[i] += Vec<3>(50.0, 0.0, 0.0);
        }
    }
    std::vector<Vec<3>> vertices(rest.size());
    std::vector<Vec<3, float>> normals(rest.size());
    carried.update(positions, gradients, vertices, normals);
    for (std::size_t i = 0; i < rest.size(); ++i)
        EXPECT_LT((vertices[i] - R * rest[i]).norm(), 1e-4) << "vertex " << i;
}

} // namespace
} // namespace phyxel
