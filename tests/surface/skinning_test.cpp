// SPDX-License-Identifier: MIT
#include "skinned_body.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/surface/skinning.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace phyxel::skinning_test {
namespace {

constexpr std::array both_methods = {SkinningMethod::FirstOrder, SkinningMethod::MovingLeastSquares};

/// Moves the skin of a body; normals as well if the body has them.
template <class Real>
struct MovedSkin {
    std::vector<Vec<3>> positions;
    std::vector<Vec<3, Real>> normals;

    MovedSkin(Skinning<Real>& skin, const MovedNodes& moved) : positions(skin.size()), normals(skin.size())
    {
        skin.update(moved.positions, moved.gradients, positions, normals);
    }
};

Mat<3> some_matrix()
{
    Mat<3> F;
    F << 1.3, 0.4, -0.2, -0.5, 0.8, 0.3, 0.1, -0.6, 1.1;
    return F;
}

SkinnedBody jittered_bar()
{
    SkinnedBody body = skinned_bar({8, 4, 4}, 2);
    Rng rng(3);
    for (Vec<3>& X : body.nodes) X += rng.point<3>(-0.2, 0.2) * body.spacing;
    body.connect();
    return body;
}

TEST(Skinning, affine_motions_move_vertices_and_normals_exactly)
{
    const SkinnedBody body = jittered_bar();
    const Mat<3> F = some_matrix();
    const MovedNodes moved = move_nodes(body.nodes, affine_deformation(F, {0.5, -2.0, 3.0}));
    for (const SkinningMethod method : both_methods) {
        Skinning<double> skin(body.vertices, body.normals, body.skinning_nodes(), {.method = method});
        const MovedSkin<double> result(skin, moved);
        EXPECT_EQ(skin.report().lowered, 0u);
        for (std::size_t v = 0; v < skin.size(); ++v) {
            const Vec<3> expected = F * body.vertices[v] + Vec<3>(0.5, -2.0, 3.0);
            ASSERT_LT((result.positions[v] - expected).norm(), 1e-12);
            const Vec<3> normal = (F.inverse().transpose() * body.normals[v]).normalized();
            ASSERT_LT((result.normals[v] - normal).norm(), 1e-11);
        }
    }
}

TEST(Skinning, in_single_precision_positions_are_exact_to_a_millionth_of_the_size_also_far_away)
{
    const SkinnedBody body = jittered_bar();
    const Mat<3> F = some_matrix();
    const Vec<3> far(1e5, -1e5, 1e5);
    const MovedNodes moved = move_nodes(body.nodes, affine_deformation(F, far));
    for (const SkinningMethod method : both_methods) {
        Skinning<float> skin(body.vertices, body.normals, body.skinning_nodes(), {.method = method});
        const MovedSkin<float> result(skin, moved);
        const double size = 0.8;
        for (std::size_t v = 0; v < skin.size(); ++v) {
            ASSERT_LT((result.positions[v] - (F * body.vertices[v] + far)).norm(), 1e-6 * size);
            const Vec<3> normal = (F.inverse().transpose() * body.normals[v]).normalized();
            ASSERT_LT((result.normals[v].cast<double>() - normal).norm(), 2e-5);
        }
    }
}

TEST(Skinning, normals_follow_the_cofactor_and_not_the_deformation_itself)
{
    SkinnedBody body = skinned_bar({4, 4, 4}, 1);
    std::fill(body.normals.begin(), body.normals.end(), Vec<3>(1, 1, 0).normalized());
    const MovedNodes moved =
        move_nodes(body.nodes, affine_deformation(Vec<3>(2, 1, 1).asDiagonal(), Vec<3>::Zero()));
    Skinning<double> skin(body.vertices, body.normals, body.skinning_nodes());
    const MovedSkin<double> result(skin, moved);
    for (const Vec<3>& normal : result.normals)
        ASSERT_LT((normal - Vec<3>(0.4472135955, 0.8944271910, 0.0)).norm(), 1e-9);
}

TEST(Skinning, weights_are_a_partition_of_unity_and_few)
{
    const SkinnedBody body = jittered_bar();
    for (const SkinningMethod method : both_methods)
        for (const int most : {8, 16, 64}) {
            Skinning<double> skin(body.vertices, body.normals, body.skinning_nodes(),
                                  {.method = method, .most_nodes = most});
            EXPECT_LE(skin.report().entries, skin.size() * static_cast<std::size_t>(most));
            const std::vector<Vec<3>> ones(body.nodes.size(), Vec<3>::Ones());
            std::vector<Vec<3>> out(skin.size());
            skin.transfer(ones, {}, out);
            for (const Vec<3>& one : out) ASSERT_LT((one - Vec<3>::Ones()).norm(), 1e-12);
        }
}

TEST(Skinning, velocities_of_a_spinning_body_are_exact_with_their_gradients)
{
    const SkinnedBody body = jittered_bar();
    Mat<3> G = Mat<3>::Zero();
    G << 0, -2, 1, 2, 0, -3, -1, 3, 0;
    std::vector<Vec<3>> velocities;
    for (const Vec<3>& X : body.nodes) velocities.push_back(G * X);
    const std::vector<Mat<3>> gradients(body.nodes.size(), G);
    for (const SkinningMethod method : both_methods) {
        Skinning<double> skin(body.vertices, {}, body.skinning_nodes(), {.method = method});
        std::vector<Vec<3>> out(skin.size());
        skin.transfer(velocities, gradients, out);
        for (std::size_t v = 0; v < skin.size(); ++v)
            ASSERT_LT((out[v] - G * body.vertices[v]).norm(), 1e-12);
    }
}

/// Vertices along a straight line over the surface, `step` [m] apart, in a plane that is not one of symmetry.
void put_vertices_on_a_line(SkinnedBody& body, double step)
{
    body.vertices.clear();
    body.normals.clear();
    // Up the small face, over an edge and along the bar: corners, edges and faces.
    const double height = 0.4, length = 1.2;
    for (double s = 0.0; s < height; s += step) body.vertices.push_back({0.0, 0.137, s});
    for (double s = 0.0; s < length; s += step) body.vertices.push_back({s, 0.137, height});
}

/// Largest difference between the errors of vertices that lie side by side.
double largest_step(const SkinnedBody& body, const Deformation& deformation, SkinningMethod method, int most)
{
    const MovedNodes moved = move_nodes(body.nodes, deformation);
    Skinning<double> skin(body.vertices, {}, body.skinning_nodes(), {.method = method, .most_nodes = most});
    std::vector<Vec<3>> x(skin.size());
    skin.update(moved.positions, moved.gradients, x);
    double largest = 0.0;
    Vec<3> before = x[0] - deformation(body.vertices[0]).first;
    for (std::size_t v = 1; v < skin.size(); ++v) {
        const Vec<3> error = x[v] - deformation(body.vertices[v]).first;
        largest = std::max(largest, (error - before).norm());
        before = error;
    }
    return largest;
}

TEST(Skinning, a_bent_or_twisted_surface_has_no_steps)
{
    // If the weights jumped somewhere, the largest step would not shrink with the distance of the vertices.
    SkinnedBody body;
    body.add_nodes(Vec<3>::Zero(), {12, 4, 4});
    body.connect();
    for (const Deformation& deformation : {bending(0.8), twisting(2.0, 0.5)})
        for (const SkinningMethod method : both_methods)
            for (const int most : {12, 16, 32}) {
                put_vertices_on_a_line(body, 1e-3);
                const double coarse = largest_step(body, deformation, method, most);
                put_vertices_on_a_line(body, 1e-4);
                const double fine = largest_step(body, deformation, method, most);
                EXPECT_GT(coarse, 0.0);
                // A step is at most a small part of the way that it is made over.
                EXPECT_LT(coarse, 0.25 * 1e-3) << "most nodes " << most;
                EXPECT_LT(fine, 0.25 * 1e-4) << "most nodes " << most;
            }
}

TEST(Skinning, the_error_on_a_bent_bar_is_of_second_order)
{
    for (const SkinningMethod method : both_methods) {
        std::array<double, 2> errors = {};
        for (std::size_t level = 0; level < 2; ++level) {
            SkinnedBody body;
            body.spacing = level == 0 ? 0.1 : 0.05;
            const int n = level == 0 ? 1 : 2;
            body.add_nodes(Vec<3>::Zero(), {12 * n, 4 * n, 4 * n});
            body.add_vertices(Vec<3>::Zero(), {12 * n, 4 * n, 4 * n}, 2);
            body.connect();
            const Deformation deformation = bending(0.8);
            const MovedNodes moved = move_nodes(body.nodes, deformation);
            Skinning<double> skin(body.vertices, body.normals, body.skinning_nodes(), {.method = method});
            std::vector<Vec<3>> x(skin.size());
            skin.update(moved.positions, moved.gradients, x);
            for (std::size_t v = 0; v < skin.size(); ++v)
                errors[level] = std::max(errors[level], (x[v] - deformation(body.vertices[v]).first).norm());
        }
        EXPECT_LT(errors[0], 0.02);
        EXPECT_GT(errors[0] / errors[1], 3.0);
    }
}

TEST(Skinning, normals_on_a_bent_bar_are_those_of_the_arc)
{
    SkinnedBody body = skinned_bar({12, 4, 4}, 4);
    const Deformation deformation = bending(0.8);
    const MovedNodes moved = move_nodes(body.nodes, deformation);
    Skinning<float> skin(body.vertices, body.normals, body.skinning_nodes());
    const MovedSkin<float> result(skin, moved);
    for (std::size_t v = 0; v < skin.size(); ++v) {
        const Mat<3> F = deformation(body.vertices[v]).second;
        const Vec<3> expected = (F.inverse().transpose() * body.normals[v]).normalized();
        ASSERT_GT(result.normals[v].cast<double>().dot(expected), std::cos(0.12));
        ASSERT_NEAR(result.normals[v].norm(), 1.0f, 1e-5f);
    }
}

/// Two fingers along x on a palm, with a gap between them that is a fifth of the spacing.
SkinnedBody two_fingers()
{
    SkinnedBody body;
    const double gap = 0.02, finger = 0.3, palm = 0.3;
    body.add_nodes({palm, 0.0, 0.0}, {10, 3, 3});
    body.add_nodes({palm, finger + gap, 0.0}, {10, 3, 3});
    body.add_nodes({0.0, 0.0, 0.0}, {3, 6, 3});
    body.connect();
    // No pair across the gap, as in the cloud of a solid.
    const auto side = [&](Index j) {
        return body.nodes[j][0] < palm ? 0 : body.nodes[j][1] < finger ? 1 : 2;
    };
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (Index i = 0; i < body.nodes.size(); ++i) {
        for (const Index j : body.neighbors.of(i))
            if (side(i) == 0 || side(j) == 0 || side(i) == side(j)) ids.push_back(j);
        offsets.push_back(ids.size());
    }
    body.neighbors = NeighborLists(offsets, ids);
    // Along the two faces of the gap, from well above the palm to the tips, and over the tips.
    for (double x = 0.55; x <= 1.3; x += 0.01)
        for (double z = 0.0; z <= 0.3; z += 0.05) {
            body.vertices.push_back({x, finger, z});
            body.normals.push_back(Vec<3>::UnitY());
            body.vertices.push_back({x, finger + gap, z});
            body.normals.push_back(-Vec<3>::UnitY());
        }
    return body;
}

TEST(Skinning, a_vertex_beside_a_gap_follows_its_own_finger_only)
{
    const SkinnedBody body = two_fingers();
    for (const SkinningMethod method : both_methods) {
        Skinning<double> skin(body.vertices, body.normals, body.skinning_nodes(), {.method = method});
        std::vector<Vec<3>> moved = body.nodes;
        const std::vector<Mat<3>> F(moved.size(), Mat<3>::Identity());
        for (Vec<3>& X : moved)
            if (X[0] > 0.3 && X[1] > 0.3) X += Vec<3>(0, 1, 0.5);
        std::vector<Vec<3>> x(skin.size());
        skin.update(moved, F, x);
        for (std::size_t v = 0; v < skin.size(); ++v) {
            const bool is_second = body.normals[v][1] < 0.0;
            const Vec<3> expected = body.vertices[v] + (is_second ? Vec<3>(0, 1, 0.5) : Vec<3>(0, 0, 0));
            ASSERT_LT((x[v] - expected).norm(), 1e-11) << body.vertices[v].transpose();
        }
    }
}

TEST(Skinning, bodies_of_few_or_flat_nodes_carry_their_skin_all_the_same)
{
    const Mat<3> F = some_matrix();
    const auto expect_affine = [&](const SkinnedBody& body, SkinningMethod method, std::size_t lowered) {
        Skinning<double> skin(body.vertices, body.normals, body.skinning_nodes(), {.method = method});
        EXPECT_EQ(skin.report().lowered,
                  method == SkinningMethod::MovingLeastSquares ? lowered : std::size_t(0));
        const MovedSkin<double> result(skin, move_nodes(body.nodes, affine_deformation(F, Vec<3>::Zero())));
        for (std::size_t v = 0; v < skin.size(); ++v) {
            ASSERT_LT((result.positions[v] - F * body.vertices[v]).norm(), 1e-11);
            ASSERT_TRUE(result.normals[v].allFinite());
        }
    };
    for (const SkinningMethod method : both_methods) {
        for (const std::array<int, 3>& cells :
             {std::array{1, 1, 1}, std::array{2, 1, 1}, std::array{9, 1, 1}, std::array{5, 5, 1}}) {
            const SkinnedBody body = skinned_bar(cells, 3);
            expect_affine(body, method, body.vertices.size());
        }
        // Nodes that no list connects, and all at one place.
        SkinnedBody apart = skinned_bar({3, 3, 3}, 1);
        apart.connect(0.5);
        expect_affine(apart, method, apart.vertices.size());
        SkinnedBody heap = skinned_bar({1, 1, 1}, 1);
        heap.nodes.assign(20, Vec<3>::Constant(0.05));
        heap.connect();
        expect_affine(heap, method, heap.vertices.size());
        heap.vertices.assign(1, Vec<3>::Constant(0.05));
        heap.normals.assign(1, Vec<3>::UnitX());
        expect_affine(heap, method, 1);
        // Vertices far from the body.
        SkinnedBody far = skinned_bar({4, 4, 4}, 1);
        far.vertices = {Vec<3>::Constant(3.0)};
        far.normals = {Vec<3>::UnitX()};
        Skinning<double> skin(far.vertices, far.normals, far.skinning_nodes(), {.method = method});
        EXPECT_EQ(skin.report().widened, 1u);
    }
}

TEST(Skinning, a_flattened_body_leaves_no_normal_without_a_number)
{
    const SkinnedBody body = skinned_bar({3, 3, 3}, 1);
    Skinning<float> skin(body.vertices, body.normals, body.skinning_nodes());
    const MovedSkin<float> result(skin,
                                  move_nodes(body.nodes, affine_deformation(Mat<3>::Zero(), Vec<3>::Ones())));
    for (std::size_t v = 0; v < skin.size(); ++v) {
        EXPECT_EQ(result.positions[v], Vec<3>(Vec<3>::Ones()));
        EXPECT_NEAR(result.normals[v].norm(), 1.0f, 1e-6f);
    }
}

TEST(Skinning, the_same_bits_on_any_number_of_threads)
{
    const SkinnedBody body = skinned_bar({12, 6, 6}, 6);
    const MovedNodes moved = move_nodes(body.nodes, bending(0.8));
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        Skinning<float> skin(body.vertices, body.normals, body.skinning_nodes());
        const MovedSkin<float> result(skin, moved);
        return std::pair(result.positions, result.normals);
    };
    EXPECT_EQ(run(1), run(5));
}

TEST(Skinning, replacing_vertices_gives_the_same_bits_as_making_the_skin_anew)
{
    const SkinnedBody body = skinned_bar({6, 4, 4}, 2);
    const MovedNodes moved = move_nodes(body.nodes, twisting(2.0, 0.3));
    for (const SkinningMethod method : both_methods) {
        const std::size_t half = body.vertices.size() / 2;
        const std::span<const Vec<3>> vertices = body.vertices, normals = body.normals;
        Skinning<float> skin(vertices.first(half), normals.first(half), body.skinning_nodes(),
                             {.method = method});
        std::vector<Index> kept;
        std::vector<Vec<3>> all_vertices, all_normals;
        for (Index v = 3; v < half; v += 2) {
            kept.push_back(v);
            all_vertices.push_back(vertices[v]);
            all_normals.push_back(normals[v]);
        }
        skin.replace(kept, vertices.subspan(half), normals.subspan(half), body.skinning_nodes());
        all_vertices.insert(all_vertices.end(), vertices.begin() + static_cast<std::ptrdiff_t>(half),
                            vertices.end());
        all_normals.insert(all_normals.end(), normals.begin() + static_cast<std::ptrdiff_t>(half),
                           normals.end());
        Skinning<float> anew(all_vertices, all_normals, body.skinning_nodes(), {.method = method});
        const MovedSkin<float> a(skin, moved), b(anew, moved);
        EXPECT_EQ(a.positions, b.positions);
        EXPECT_EQ(a.normals, b.normals);
        EXPECT_EQ(skin.report().widened, anew.report().widened);
        EXPECT_EQ(skin.report().lowered, anew.report().lowered);
    }
}

TEST(Skinning, what_makes_no_skin_is_refused)
{
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const SkinnedBody body = skinned_bar({3, 3, 3}, 1);
    const auto make = [](const SkinnedBody& b, int most = 16) {
        return Skinning<float>(b.vertices, b.normals, b.skinning_nodes(), {.most_nodes = most});
    };
    EXPECT_THROW(make(body, 7), InputError);
    EXPECT_THROW(make(body, 65), InputError);
    SkinnedBody broken = skinned_bar({3, 3, 3}, 1);
    broken.vertices[4][1] = nan;
    EXPECT_THROW(make(broken), InputError);
    broken.vertices = body.vertices;
    broken.normals[4][1] = nan;
    EXPECT_THROW(make(broken), InputError);
    broken.normals = body.normals;
    broken.supports[2] = 0.0;
    EXPECT_THROW(make(broken), InputError);
    broken.supports = body.supports;
    broken.nodes[2][0] = nan;
    EXPECT_THROW(make(broken), InputError);
    SkinnedBody empty;
    empty.connect();
    EXPECT_EQ(make(empty).size(), 0u);
    empty.vertices.push_back(Vec<3>::Zero());
    EXPECT_THROW(make(empty), InputError);
}

} // namespace
} // namespace phyxel::skinning_test
