// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/surface/marching_cubes.h>

#include "surface/surface_support.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

namespace phyxel::marching_cubes_test {
namespace {

using Function = std::function<float(const GridIndex&)>;

/// The function at all nodes of the blocks first … last along every axis.
SparseField sampled(std::int32_t first, std::int32_t last, double cell, const Function& function)
{
    std::vector<GridIndex> blocks;
    for (std::int32_t z = first; z <= last; ++z)
        for (std::int32_t y = first; y <= last; ++y)
            for (std::int32_t x = first; x <= last; ++x) blocks.push_back({x, y, z});
    SparseField field(cell, blocks, -1.0f);
    for (std::size_t b = 0; b < field.block_count(); ++b) {
        const GridIndex index = field.block_index(b);
        for (std::int32_t n = 0; n < 512; ++n)
            field.values(b)[static_cast<std::size_t>(n)] =
                function({8 * index[0] + n % 8, 8 * index[1] + n / 8 % 8, 8 * index[2] + n / 64});
    }
    return field;
}

/// Random values at n³ nodes in the middle of a field, −1 around them.
SparseField random_field(int n, std::uint64_t seed, const std::function<float(Rng&)>& value)
{
    Rng rng(seed);
    std::vector<float> values(static_cast<std::size_t>(n * n * n));
    for (float& v : values) v = value(rng);
    return sampled(-1, n / 8 + 1, 1.0, [&](const GridIndex& node) {
        for (const std::int32_t k : node)
            if (k < 0 || k >= n) return -1.0f;
        return values[static_cast<std::size_t>((node[2] * n + node[1]) * n + node[0])];
    });
}

TEST(MarchingCubes, each_of_the_256_cases_of_a_cell_gives_a_closed_oriented_manifold)
{
    // Random values, so that the ambiguous faces are cut both ways.
    Rng rng(3);
    for (int repeat = 0; repeat < 20; ++repeat)
        for (unsigned inside = 0; inside < 256; ++inside) {
            const SparseField field = sampled(-1, 0, 1.0, [&](const GridIndex& node) {
                for (const std::int32_t k : node)
                    if (k < 0 || k > 1) return -1.0f;
                const unsigned corner = static_cast<unsigned>(node[0] + 2 * node[1] + 4 * node[2]);
                const auto size = static_cast<float>(rng.uniform(0.01, 1.0));
                return (inside >> corner & 1) != 0 ? size : -size;
            });
            SCOPED_TRACE(inside);
            const IsoSurface surface = marching_cubes(field, 0.0f);
            EXPECT_EQ(surface.mesh.triangles.empty(), inside == 0);
            expect_closed_manifold(surface.mesh);
        }
}

TEST(MarchingCubes, random_fields_give_closed_oriented_manifolds)
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        const auto uniform = [](Rng& rng) { return static_cast<float>(rng.uniform(-1, 1)); };
        expect_closed_manifold(marching_cubes(random_field(16, seed, uniform), 0.0f).mesh);
        // Mostly inside, mostly outside, and with many values that are exactly the iso value.
        expect_closed_manifold(marching_cubes(random_field(16, seed, uniform), 0.6f).mesh);
        expect_closed_manifold(marching_cubes(random_field(16, seed, uniform), -0.6f).mesh);
        const auto few_values = [](Rng& rng) { return static_cast<float>(std::floor(rng.uniform(-1, 2))); };
        expect_closed_manifold(marching_cubes(random_field(16, seed, few_values), 0.0f).mesh);
    }
}

TEST(MarchingCubes, the_test_of_manifolds_notices_a_missing_and_a_turned_triangle)
{
    const auto uniform = [](Rng& rng) { return static_cast<float>(rng.uniform(-1, 1)); };
    const TriangleMesh mesh = marching_cubes(random_field(16, 1, uniform), 0.0f).mesh;
    EXPECT_TRUE(manifold_defects(mesh).empty());
    TriangleMesh open = mesh;
    open.triangles.pop_back();
    EXPECT_FALSE(manifold_defects(open).empty());
    TriangleMesh turned = mesh;
    std::swap(turned.triangles[0][0], turned.triangles[0][1]);
    EXPECT_FALSE(manifold_defects(turned).empty());
}

TEST(MarchingCubes, a_sphere_has_its_area_and_volume_and_no_handle)
{
    constexpr double cell = 0.05;
    const SparseField field = sampled(-4, 4, cell, [](const GridIndex& node) {
        return static_cast<float>(1.0 - cell * Vec<3>(node[0], node[1], node[2]).norm());
    });
    const IsoSurface surface = marching_cubes(field, 0.0f);
    expect_closed_manifold(surface.mesh);
    EXPECT_EQ(euler_characteristic(surface.mesh), 2);
    EXPECT_NEAR(signed_volume(surface.mesh), 4.0 / 3.0 * std::numbers::pi, 0.003 * 4.19);
    EXPECT_NEAR(surface_area(surface.mesh), 4.0 * std::numbers::pi, 0.005 * 12.57);
    for (const Vec<3>& x : surface.mesh.vertices) ASSERT_NEAR(x.norm(), 1.0, 0.02 * cell + 2e-4);
}

TEST(MarchingCubes, only_the_blocks_near_the_surface_matter)
{
    const auto ball = [](const GridIndex& node) {
        return static_cast<float>(20.0 - Vec<3>(node[0], node[1], node[2]).norm());
    };
    const SparseField dense = sampled(-5, 4, 0.3, ball);
    std::vector<GridIndex> near;
    for (std::size_t b = 0; b < dense.block_count(); ++b) {
        const GridIndex index = dense.block_index(b);
        const Vec<3> middle = Vec<3>(index[0], index[1], index[2]) * 8 + Vec<3>::Constant(3.5);
        if (middle.norm() < 20 + 8 && middle.norm() > 20 - 16) near.push_back(index);
    }
    SparseField sparse(0.3, near, -1.0f);
    ASSERT_LT(sparse.block_count(), dense.block_count() / 2);
    for (std::size_t b = 0; b < sparse.block_count(); ++b) {
        const auto from = dense.values(*dense.find(sparse.block_index(b)));
        std::copy(from.begin(), from.end(), sparse.values(b).begin());
    }
    const IsoSurface a = marching_cubes(dense, 0.0f);
    const IsoSurface b = marching_cubes(sparse, 0.0f);
    EXPECT_EQ(a.mesh.vertices, b.mesh.vertices);
    EXPECT_EQ(a.mesh.triangles, b.mesh.triangles);
}

TEST(MarchingCubes, the_bits_do_not_depend_on_the_number_of_threads)
{
    const auto uniform = [](Rng& rng) { return static_cast<float>(rng.uniform(-1, 1)); };
    const SparseField field = random_field(40, 5, uniform);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        return marching_cubes(field, 0.1f);
    };
    const IsoSurface one = run(1);
    const IsoSurface seven = run(7);
    EXPECT_EQ(one.mesh.vertices, seven.mesh.vertices);
    EXPECT_EQ(one.mesh.triangles, seven.mesh.triangles);
    EXPECT_EQ(one.groups, seven.groups);
}

TEST(MarchingCubes, fields_without_an_end_are_refused)
{
    EXPECT_THROW(static_cast<void>(marching_cubes(SparseField(1.0, {}, 1.0f), 0.5f)), InputError);
    // One node inside at each of the 26 sides of the only block.
    for (int n = 0; n < 27; ++n) {
        const GridIndex corner = {n % 3, n / 3 % 3, n / 9};
        const SparseField field = sampled(0, 0, 1.0, [&](const GridIndex& node) {
            for (std::size_t k = 0; k < 3; ++k)
                if (node[k] != std::array{0, 4, 7}[static_cast<std::size_t>(corner[k])]) return -1.0f;
            return 1.0f;
        });
        SCOPED_TRACE(n);
        if (n == 13)
            expect_closed_manifold(marching_cubes(field, 0.0f).mesh);
        else
            EXPECT_THROW(static_cast<void>(marching_cubes(field, 0.0f)), InputError);
    }
}

TEST(MarchingCubes, a_field_without_blocks_has_no_surface)
{
    const IsoSurface surface = marching_cubes(SparseField(1.0, {}), 0.5f);
    EXPECT_TRUE(surface.mesh.vertices.empty());
    EXPECT_TRUE(surface.groups.empty());
}

TEST(MarchingCubes, values_that_are_not_numbers_are_outside)
{
    const auto value = [](Rng& rng) {
        const double v = rng.uniform(-1, 1);
        return v < -0.5 ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(v);
    };
    const TriangleMesh mesh = marching_cubes(random_field(16, 4, value), 0.0f).mesh;
    expect_closed_manifold(mesh);
    for (const Vec<3>& x : mesh.vertices) ASSERT_TRUE(x.allFinite());
}

} // namespace
} // namespace phyxel::marching_cubes_test
