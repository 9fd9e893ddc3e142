// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/carried_fragments.h>

#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/geometry/sampling.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace phyxel::carried_fragments_test {
namespace {

constexpr double spacing = 0.05;

/// A beam with a crack across x = 0.27 up to this height.
struct Beam {
    explicit Beam(double height)
    {
        const std::vector<Vec<3>> polygon = {Vec<3>(0.27, -1, -1), Vec<3>(0.27, 2, -1),
                                             Vec<3>(0.27, 2, height), Vec<3>(0.27, -1, height)};
        draw_crack<3>(cracks, polygon, [&](const Vec<3>& x) { return shape.signed_distance(x); });
        find_fronts(cracks);
        for (const Vec<3>& x : phyxels) fragments.push_back(height > 0.2 && x[0] > 0.27 ? 1 : 0);
    }

    CarriedFragments carried() const
    {
        return CarriedFragments(FragmentMesher(shape, 0.5 * spacing).mesh(phyxels, fragments, cracks),
                                phyxels, fragments, spacing, cracks);
    }

    Shape<3> shape = Box<3>{.min = Vec<3>(0, 0, 0), .max = Vec<3>(0.6, 0.2, 0.2)};
    std::vector<Vec<3>> phyxels = fill_lattice<3>(shape, spacing);
    CrackSheets<3> cracks = CrackSheets<3>(spacing);
    std::vector<std::uint32_t> fragments;
};

double volume_of(const FragmentMesh& mesh, const std::vector<Vec<3>>& vertices, std::size_t fragment)
{
    double sum = 0.0;
    for (std::size_t t = mesh.first_triangle[fragment]; t < mesh.first_triangle[fragment + 1]; ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        sum += vertices[a].dot(vertices[b].cross(vertices[c])) / 6.0;
    }
    return sum;
}

TEST(CarriedFragments, pieces_that_moved_rigidly_have_their_volumes_and_do_not_hold_each_other)
{
    const Beam beam(1.0);
    CarriedFragments pieces = beam.carried();
    const FragmentMesh& mesh = pieces.mesh();
    ASSERT_EQ(mesh.count(), 2u);
    const Mat<3> R = Eigen::AngleAxisd(1.2, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
    const Vec<3> shift(1, 0, 0);
    std::vector<Vec<3>> now;
    for (std::size_t i = 0; i < beam.phyxels.size(); ++i)
        now.push_back(beam.fragments[i] == 0 ? beam.phyxels[i] : Vec<3>(R * beam.phyxels[i] + shift));
    std::vector<Vec<3>> vertices(mesh.vertices.size());
    pieces.update(now, vertices);
    // Vertices are a thousandth of a cell within their piece.
    for (std::size_t k = 0; k < vertices.size(); ++k) {
        const Vec<3>& X = mesh.vertices[k];
        EXPECT_LT((vertices[k] - (mesh.fragment[k] == 0 ? X : Vec<3>(R * X + shift))).norm(), 2e-3 * spacing);
    }
    EXPECT_NEAR(volume_of(mesh, vertices, 0), 0.27 * 0.04, 2e-3 * 0.27 * 0.04);
    EXPECT_NEAR(volume_of(mesh, vertices, 1), 0.33 * 0.04, 2e-3 * 0.33 * 0.04);
}

TEST(CarriedFragments, the_sides_of_a_slit_follow_their_own_phyxels)
{
    const Beam beam(0.14);
    CarriedFragments pieces = beam.carried();
    const FragmentMesh& mesh = pieces.mesh();
    // Everything beyond the crack goes along x; behind the front the two sides stay whole.
    constexpr double way = 0.03;
    std::vector<Vec<3>> now;
    for (const Vec<3>& x : beam.phyxels) now.push_back(x + Vec<3>(x[0] > 0.27 ? way : 0.0, 0, 0));
    std::vector<Vec<3>> vertices(mesh.vertices.size());
    pieces.update(now, vertices);
    std::size_t checked = 0;
    for (std::size_t k = 0; k < vertices.size(); ++k) {
        const Vec<3>& X = mesh.vertices[k];
        if (mesh.is_crack[k] == 0 || X[2] > 0.06) continue;
        ++checked;
        const double moved = vertices[k][0] - X[0];
        const double wanted = mesh.inner[k][0] > 0.27 ? way : 0.0;
        EXPECT_NEAR(moved, wanted, 0.1 * way) << X.transpose();
    }
    EXPECT_GT(checked, 20u);
}

TEST(CarriedFragments, a_piece_of_one_phyxel_goes_with_it)
{
    Beam beam(0.0);
    beam.fragments.assign(beam.phyxels.size(), 0);
    beam.fragments.back() = 1;
    CarriedFragments pieces = beam.carried();
    const FragmentMesh& mesh = pieces.mesh();
    std::vector<Vec<3>> now = beam.phyxels, vertices(mesh.vertices.size());
    now.back() += Vec<3>(1, 2, 3);
    pieces.update(now, vertices);
    ASSERT_GT(mesh.first_vertex[2], mesh.first_vertex[1]);
    for (std::size_t k = mesh.first_vertex[1]; k < mesh.first_vertex[2]; ++k)
        EXPECT_LT((vertices[k] - mesh.vertices[k] - Vec<3>(1, 2, 3)).norm(), 2e-3 * spacing);
}

} // namespace
} // namespace phyxel::carried_fragments_test
