// SPDX-License-Identifier: MIT
#include <phyxel/fracture/fragment_mesh.h>

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/geometry/sampling.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

constexpr double spacing = 0.1;

struct Broken {
    Shape<3> shape = Box<3>{.min = Vec<3>(0, 0, 0), .max = Vec<3>(1.0, 0.6, 0.4)};
    std::vector<Vec<3>> phyxels = fill_lattice<3>(shape, spacing);
    CrackSheets<3> cracks = CrackSheets<3>(spacing);

    void draw(const std::vector<Vec<3>>& polygon)
    {
        draw_crack<3>(cracks, polygon, [&](const Vec<3>& x) { return shape.signed_distance(x); });
        find_fronts(cracks);
    }

    /// Fragments by what phyxels are on the positive side of.
    template <class Number>
    FragmentMesh mesh(const Number& number, double cell = 0.5 * spacing) const
    {
        std::vector<std::uint32_t> fragments;
        for (const Vec<3>& x : phyxels) fragments.push_back(static_cast<std::uint32_t>(number(x)));
        return FragmentMesher(shape, cell).mesh(phyxels, fragments, cracks);
    }
};

/// A rectangle across x through (place, ·, ·), turned about y.
std::vector<Vec<3>> across_x(double place, double turn = 0.0)
{
    std::vector<Vec<3>> polygon;
    for (const auto& [y, z] : {std::pair(-1, -1), {2, -1}, {2, 2}, {-1, 2}})
        polygon.emplace_back(place + turn * (z - 0.2), y, z);
    return polygon;
}

double volume_of(const FragmentMesh& mesh, std::size_t fragment)
{
    double sum = 0.0;
    for (std::size_t t = mesh.first_triangle[fragment]; t < mesh.first_triangle[fragment + 1]; ++t) {
        const auto& [a, b, c] = mesh.triangles[t];
        sum += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6.0;
    }
    return sum;
}

/// By the numbers alone: every way along an edge is gone once, and once the other way; the triangles around a
/// vertex are one ring.
void expect_closed_manifold(const FragmentMesh& mesh)
{
    std::set<std::pair<Index, Index>> ways;
    std::map<Index, std::map<Index, Index>> ring;
    for (const auto& triangle : mesh.triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            const Index a = triangle[k], b = triangle[(k + 1) % 3], c = triangle[(k + 2) % 3];
            ASSERT_NE(a, b);
            ASSERT_TRUE(ways.emplace(a, b).second) << "edge from " << a << " to " << b;
            ASSERT_TRUE(ring[a].emplace(b, c).second);
        }
    for (const auto& [a, b] : ways) ASSERT_TRUE(ways.contains({b, a})) << "open edge " << a << ' ' << b;
    ASSERT_EQ(ring.size(), mesh.vertices.size());
    for (const auto& [vertex, next] : ring) {
        std::size_t length = 0;
        Index at = next.begin()->first;
        do {
            at = next.at(at);
            ++length;
        } while (at != next.begin()->first && length <= next.size());
        ASSERT_EQ(length, next.size()) << "vertex " << vertex;
    }
    for (std::size_t fragment = 0; fragment < mesh.count(); ++fragment)
        for (std::size_t t = mesh.first_triangle[fragment]; t < mesh.first_triangle[fragment + 1]; ++t)
            for (const Index vertex : mesh.triangles[t]) ASSERT_EQ(mesh.fragment[vertex], fragment);
}

TEST(FragmentMesh, a_box_in_two_has_two_closed_meshes_with_sharp_edges)
{
    Broken box;
    box.draw(across_x(0.44));
    const FragmentMesh mesh = box.mesh([](const Vec<3>& x) { return x[0] > 0.44; });
    expect_closed_manifold(mesh);
    ASSERT_EQ(mesh.count(), 2u);
    // All is flat, so nothing is rounded: the volumes are those of the boxes.
    EXPECT_NEAR(volume_of(mesh, 0), 0.44 * 0.6 * 0.4, 1e-9);
    EXPECT_NEAR(volume_of(mesh, 1), 0.56 * 0.6 * 0.4, 1e-9);
}

TEST(FragmentMesh, the_faces_of_two_pieces_are_in_the_same_places)
{
    Broken box;
    box.draw(across_x(0.5, 0.7));
    const FragmentMesh mesh = box.mesh([](const Vec<3>& x) { return x[0] > 0.5 + 0.7 * (x[2] - 0.2); });
    expect_closed_manifold(mesh);
    EXPECT_NEAR(volume_of(mesh, 0) + volume_of(mesh, 1), 1.0 * 0.6 * 0.4, 1e-9);
    using Corners = std::vector<std::array<double, 3>>;
    std::array<std::multiset<Corners>, 2> faces;
    for (const auto& triangle : mesh.triangles) {
        Corners corners;
        bool is_crack = true;
        for (const Index k : triangle) {
            corners.push_back({mesh.vertices[k][0], mesh.vertices[k][1], mesh.vertices[k][2]});
            is_crack = is_crack && mesh.is_crack[k] != 0;
            const double off = mesh.vertices[k][0] - 0.5 - 0.7 * (mesh.vertices[k][2] - 0.2);
            if (mesh.is_crack[k] != 0) {
                EXPECT_NEAR(off, 0.0, 1e-9);
            }
        }
        std::sort(corners.begin(), corners.end());
        // Triangles of the surface beside the crack may have all corners on its edge.
        const Vec<3> normal = (mesh.vertices[triangle[1]] - mesh.vertices[triangle[0]])
                                  .cross(mesh.vertices[triangle[2]] - mesh.vertices[triangle[0]]);
        if (is_crack && std::abs(normal.normalized()[0]) > 0.5)
            faces[mesh.fragment[triangle[0]]].insert(corners);
    }
    EXPECT_GT(faces[0].size(), 100u);
    EXPECT_EQ(faces[0], faces[1]);
}

TEST(FragmentMesh, three_cracks_that_cross_leave_eight_pieces_of_a_ball)
{
    Broken ball;
    ball.shape = Sphere<3>{.center = Vec<3>(0.01, 0.02, 0.03), .radius = 0.5};
    ball.phyxels = fill_lattice<3>(ball.shape, spacing);
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<Vec<3>> polygon;
        for (const auto& [u, v] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
            Vec<3> x;
            x[axis] = 0.0;
            x[(axis + 1) % 3] = u;
            x[(axis + 2) % 3] = v;
            polygon.push_back(x);
        }
        ball.draw(polygon);
    }
    const FragmentMesh mesh =
        ball.mesh([](const Vec<3>& x) { return (x[0] > 0) + 2 * (x[1] > 0) + 4 * (x[2] > 0); });
    expect_closed_manifold(mesh);
    ASSERT_EQ(mesh.count(), 8u);
    const double volume = ball.shape.volume().value;
    double sum = 0.0;
    for (std::size_t k = 0; k < 8; ++k) {
        EXPECT_GT(volume_of(mesh, k), 0.08 * volume);
        sum += volume_of(mesh, k);
    }
    EXPECT_NEAR(sum, volume, 0.01 * volume);
}

TEST(FragmentMesh, a_crack_that_ends_within_is_a_slit)
{
    Broken box;
    box.draw({Vec<3>(0.43, -1, -1), Vec<3>(0.43, 2, -1), Vec<3>(0.43, 2, 0.2), Vec<3>(0.43, -1, 0.2)});
    const FragmentMesh mesh = box.mesh([](const Vec<3>&) { return 0; });
    expect_closed_manifold(mesh);
    EXPECT_NEAR(volume_of(mesh, 0), 1.0 * 0.6 * 0.4, 1e-9);
    // Both sides of it: from the lower face halfway up.
    double area = 0.0, highest = 0.0;
    for (const auto& [a, b, c] : mesh.triangles) {
        const Vec<3> twice = (mesh.vertices[b] - mesh.vertices[a]).cross(mesh.vertices[c] - mesh.vertices[a]);
        if (mesh.is_crack[a] == 0 || mesh.is_crack[b] == 0 || mesh.is_crack[c] == 0) continue;
        if (std::abs(twice[0]) < 0.9 * twice.norm()) continue;
        area += 0.5 * twice.norm();
        for (const Index k : {a, b, c}) highest = std::max(highest, mesh.vertices[k][2]);
    }
    EXPECT_NEAR(highest, 0.2, 0.5 * spacing);
    EXPECT_NEAR(area, 2 * 0.6 * 0.2, 0.6 * spacing);
}

TEST(FragmentMesh, without_sheets_pieces_lie_between_their_phyxels)
{
    const Broken box;
    const FragmentMesh mesh = box.mesh([](const Vec<3>& x) { return x[0] > 0.5; });
    expect_closed_manifold(mesh);
    EXPECT_NEAR(volume_of(mesh, 0) + volume_of(mesh, 1), 1.0 * 0.6 * 0.4, 1e-9);
    EXPECT_NEAR(volume_of(mesh, 0), 0.5 * 0.6 * 0.4, 0.6 * 0.4 * 0.5 * spacing);
}

/// Sheets in all directions, which cross each other, end anywhere and part phyxels that count as one piece.
TEST(FragmentMesh, meshes_are_manifold_whatever_cracks_and_fragments_are)
{
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
        Rng rng(seed);
        Broken box;
        for (int k = 0; k < 6; ++k) {
            const Vec<3> a = rng.point<3>(0.0, 0.8), b = rng.point<3>(-0.5, 0.5), c = rng.point<3>(-0.5, 0.5);
            box.draw({a, Vec<3>(a + b), Vec<3>(a + b + c), Vec<3>(a + c)});
        }
        const FragmentMesh mesh = box.mesh([&](const Vec<3>&) { return rng.uniform(0.0, 3.0); });
        expect_closed_manifold(mesh);
        double sum = 0.0;
        for (std::size_t k = 0; k < mesh.count(); ++k) sum += volume_of(mesh, k);
        EXPECT_NEAR(sum, 1.0 * 0.6 * 0.4, 0.01 * 0.24) << "seed " << seed;
    }
}

TEST(FragmentMesh, refuses_what_makes_no_grid)
{
    const Broken box;
    EXPECT_THROW(FragmentMesher(box.shape, 0.0), InputError);
    EXPECT_THROW(FragmentMesher(box.shape, std::numeric_limits<double>::quiet_NaN()), InputError);
    EXPECT_THROW(FragmentMesher(box.shape, 1e-5), InputError);
    EXPECT_THROW(static_cast<void>(FragmentMesher(box.shape, 0.1).mesh({}, {}, box.cracks)), InputError);
}

} // namespace
} // namespace phyxel
