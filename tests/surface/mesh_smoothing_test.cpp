// SPDX-License-Identifier: MIT
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/surface/marching_cubes.h>
#include <phyxel/surface/mesh_smoothing.h>

#include "surface/surface_support.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phyxel::mesh_smoothing_test {
namespace {

/// Two balls of different size with a rough skin: radii 10 and 4 cells, about (0, 0, 0) and (20, 0, 0).
TriangleMesh rough_balls()
{
    std::vector<GridIndex> blocks;
    for (std::int32_t z = -2; z <= 1; ++z)
        for (std::int32_t y = -2; y <= 1; ++y)
            for (std::int32_t x = -2; x <= 3; ++x) blocks.push_back({x, y, z});
    SparseField field(1.0, blocks, -100.0f);
    Rng rng(3);
    for (std::size_t b = 0; b < field.block_count(); ++b)
        for (std::size_t n = 0; n < SparseField::block_size; ++n) field.values(b)[n] = 0;
    std::size_t at = 0;
    std::vector<float> values(field.block_count() * SparseField::block_size);
    field.for_each_node([&](const GridIndex& node, std::size_t, float) {
        const Vec<3> x(node[0], node[1], node[2]);
        const double distance = std::max(10 - x.norm(), 4 - (x - Vec<3>(20, 0, 0)).norm());
        values[at++] = static_cast<float>(distance + rng.uniform(-0.3, 0.3));
    });
    for (std::size_t b = 0; b < field.block_count(); ++b)
        std::copy_n(values.data() + b * SparseField::block_size, SparseField::block_size,
                    field.values(b).data());
    return marching_cubes(field, 0.0f).mesh;
}

/// Root mean square of the distance from the larger ball.
double roughness(const TriangleMesh& mesh)
{
    double sum = 0.0;
    int count = 0;
    for (const Vec<3>& x : mesh.vertices)
        if (x[0] < 13) {
            sum += std::pow(x.norm() - 10, 2);
            ++count;
        }
    return std::sqrt(sum / count);
}

/// Volume of the part of the mesh beyond x = 13.
double small_volume(const TriangleMesh& mesh)
{
    TriangleMesh part = mesh;
    std::erase_if(part.triangles, [&](const auto& t) { return mesh.vertices[t[0]][0] < 13; });
    return signed_volume(part);
}

TEST(MeshSmoothing, roughness_goes_and_the_volume_of_every_part_stays)
{
    const TriangleMesh rough = rough_balls();
    TriangleMesh smooth = rough;
    MeshSmoother(smooth).smooth(smooth, 5);
    EXPECT_EQ(smooth.triangles, rough.triangles);
    EXPECT_LT(roughness(smooth), 0.75 * roughness(rough));
    EXPECT_NEAR(signed_volume(smooth), signed_volume(rough), 1e-3 * signed_volume(rough));
    EXPECT_NEAR(small_volume(smooth), small_volume(rough), 1e-3 * small_volume(rough));
}

TEST(MeshSmoothing, no_pass_changes_nothing_and_an_empty_mesh_is_fine)
{
    TriangleMesh mesh = rough_balls();
    const TriangleMesh before = mesh;
    MeshSmoother(mesh).smooth(mesh, 0);
    EXPECT_EQ(mesh.vertices, before.vertices);
    TriangleMesh empty;
    MeshSmoother(empty).smooth(empty, 3);
    EXPECT_TRUE(empty.vertices.empty());
}

TEST(MeshSmoothing, directions_become_more_alike_and_keep_unit_length)
{
    const TriangleMesh mesh = rough_balls();
    Rng rng(1);
    std::vector<Vec<3, float>> directions;
    for (const Vec<3>& x : mesh.vertices)
        directions.push_back((x.normalized() + 0.3 * rng.point<3>(-1, 1)).normalized().cast<float>());
    const auto error = [&] {
        double sum = 0.0;
        for (std::size_t v = 0; v < directions.size(); ++v)
            if (mesh.vertices[v][0] < 13)
                sum += (directions[v].cast<double>() - mesh.vertices[v].normalized()).squaredNorm();
        return std::sqrt(sum);
    };
    const double before = error();
    MeshSmoother(mesh).smooth_directions(directions, 3);
    EXPECT_LT(error(), 0.6 * before);
    for (const auto& d : directions) ASSERT_NEAR(d.norm(), 1.0f, 1e-5f);
}

TEST(MeshSmoothing, the_bits_do_not_depend_on_the_number_of_threads)
{
    const TriangleMesh rough = rough_balls();
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        TriangleMesh mesh = rough;
        MeshSmoother(mesh).smooth(mesh, 4);
        return mesh.vertices;
    };
    EXPECT_EQ(run(1), run(5));
}

} // namespace
} // namespace phyxel::mesh_smoothing_test
