// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/volume/vdb_grid.h>

#include "geometry/meshes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace phyxel::vdb_grid_test {
namespace {

/// Value of a node by its index; the order of nodes in a file is that of OpenVDB's tree.
std::map<GridIndex, std::vector<float>> values_by_node(const VdbGrid& grid)
{
    std::map<GridIndex, std::vector<float>> values;
    const auto components = static_cast<std::size_t>(grid.components);
    for (std::size_t n = 0; n < grid.nodes.size(); ++n)
        values[grid.nodes[n]] = {grid.values.begin() + static_cast<std::ptrdiff_t>(n * components),
                                 grid.values.begin() + static_cast<std::ptrdiff_t>((n + 1) * components)};
    return values;
}

/// A field with a different value at each node of two blocks far apart.
SparseField numbered_field(double cell, float scale)
{
    SparseField field(cell, {{0, 0, 0}, {-300, 5, 1000}});
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t n = 0; n < SparseField::block_size; ++n)
            field.values(b)[n] = scale * static_cast<float>(b * SparseField::block_size + n);
    return field;
}

TEST(VdbGrid, what_is_written_is_read_back)
{
    const SparseField density = numbered_field(0.25, 0.002f);
    const std::array<SparseField, 3> velocity = {numbered_field(0.25, 1.0f), numbered_field(0.25, -2.0f),
                                                 numbered_field(0.25, 0.5f)};
    const std::array grids = {vdb_fog_volume(density), vdb_vectors(velocity, density)};
    const Buffer<std::byte> bytes = encode_vdb(grids);
    const std::vector<VdbGrid> read = decode_vdb(bytes.span(), "test.vdb");
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].name, "density");
    EXPECT_EQ(read[0].kind, VdbKind::FogVolume);
    EXPECT_EQ(read[1].name, "velocity");
    EXPECT_EQ(read[1].components, 3);
    for (std::size_t g = 0; g < 2; ++g) {
        EXPECT_DOUBLE_EQ(read[g].cell, 0.25);
        EXPECT_EQ(read[g].background, 0.0f);
        // All nodes but the first, where the density is 0.
        EXPECT_EQ(read[g].nodes.size(), 1023u);
        EXPECT_EQ(values_by_node(read[g]), values_by_node(grids[g]));
    }
    const auto densities = values_by_node(read[0]);
    EXPECT_EQ(densities.at({3, 0, 0})[0], 0.002f * 3.0f);
    EXPECT_EQ(*std::max_element(read[0].values.begin(), read[0].values.end()), 1.0f);
}

TEST(VdbGrid, a_level_set_is_the_distance_from_the_mesh)
{
    constexpr double cell = 0.05;
    const TriangleMesh mesh = sphere_mesh(3);
    const VdbGrid grid = vdb_level_set(mesh, cell);
    EXPECT_EQ(grid.kind, VdbKind::LevelSet);
    EXPECT_FLOAT_EQ(grid.background, 0.15f);
    ASSERT_GT(grid.nodes.size(), 1000u);
    std::size_t inside = 0;
    for (std::size_t n = 0; n < grid.nodes.size(); ++n) {
        const GridIndex& node = grid.nodes[n];
        const double expected = cell * Vec<3>(node[0], node[1], node[2]).norm() - 1.0;
        ASSERT_NEAR(double(grid.values[n]), expected, 0.006);
        ASSERT_LE(std::abs(grid.values[n]), 0.1501f);
        if (grid.values[n] < 0) ++inside;
    }
    EXPECT_GT(inside, grid.nodes.size() / 3);

    const std::vector<VdbGrid> read = decode_vdb(encode_vdb({&grid, 1}).span(), "test.vdb");
    ASSERT_EQ(read.size(), 1u);
    EXPECT_EQ(read[0].kind, VdbKind::LevelSet);
    EXPECT_EQ(values_by_node(read[0]), values_by_node(grid));
}

TEST(VdbGrid, the_same_grids_give_the_same_bytes)
{
    const std::array grids = {vdb_fog_volume(numbered_field(0.1, 1.0f)), vdb_level_set(sphere_mesh(2), 0.1)};
    const Buffer<std::byte> a = encode_vdb(grids);
    const Buffer<std::byte> b = encode_vdb(grids);
    EXPECT_TRUE(std::ranges::equal(a.span(), b.span()));
}

TEST(VdbGrid, a_file_without_grids_and_an_empty_mesh_are_fine)
{
    EXPECT_TRUE(decode_vdb(encode_vdb({}).span(), "test.vdb").empty());
    const VdbGrid empty = vdb_level_set({}, 0.1);
    EXPECT_TRUE(empty.nodes.empty());
    EXPECT_EQ(decode_vdb(encode_vdb({&empty, 1}).span(), "test.vdb").size(), 1u);
}

TEST(VdbGrid, what_is_no_vdb_file_is_refused_with_its_name)
{
    const std::array<VdbGrid, 1> grids = {vdb_fog_volume(numbered_field(0.1, 1.0f))};
    const Buffer<std::byte> bytes = encode_vdb(grids);
    // Not in the middle of a tree: OpenVDB notices, and forgets the memory of what it had read.
    for (const std::size_t size : {std::size_t(0), std::size_t(5), std::size_t(40), bytes.size() - 1}) {
        try {
            static_cast<void>(decode_vdb(bytes.span().first(size), "cut.vdb"));
            FAIL() << size;
        } catch (const InputError& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with("cut.vdb: ")) << error.what();
        }
    }
    VdbGrid wrong;
    wrong.nodes.push_back({0, 0, 0});
    EXPECT_THROW(encode_vdb({&wrong, 1}), InputError);
}

} // namespace
} // namespace phyxel::vdb_grid_test
