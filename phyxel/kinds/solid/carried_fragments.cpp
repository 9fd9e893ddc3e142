// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/carried_fragments.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/approx/profiles.h>
#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/detail/carried_skin.h>
#include <phyxel/search/kd_tree.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <map>

namespace phyxel {
namespace {

constexpr double support_ratio = 2.0; ///< in spacings
/// How far vertices go into their piece, in ways to the places within it: the two sides of a slit are then
/// not in one place.
constexpr double inset = 1e-3;

using Place = std::array<double, 3>;
Place key_of(const Vec<3>& x) { return {x[0], x[1], x[2]}; }

NeighborLists neighbors_of(std::span<const Vec<3>> rest, double support, const CrackSheets<3>& cracks)
{
    const KdTree<3> tree(rest);
    std::vector<std::vector<Index>> found(rest.size());
    parallel_for(rest.size(), [&](Index i) {
        tree.radius(rest[i], support, found[i]);
        const bool is_near = !cracks.is_empty() && !cracks.faces_near(rest[i], support).empty();
        std::erase_if(found[i],
                      [&](Index j) { return j == i || (is_near && cracks.is_crossed(rest[i], rest[j])); });
        std::sort(found[i].begin(), found[i].end());
    });
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> all;
    for (const std::vector<Index>& some : found) {
        all.insert(all.end(), some.begin(), some.end());
        offsets.push_back(all.size());
    }
    return NeighborLists(offsets, all);
}

} // namespace

CarriedFragments::CarriedFragments(FragmentMesh mesh, std::span<const Vec<3>> phyxels,
                                   std::span<const std::uint32_t> fragments, double spacing,
                                   const CrackSheets<3>& cracks)
    : mesh_(std::move(mesh))
{
    PHYXEL_ASSERT(phyxels.size() == fragments.size());
    std::vector<std::vector<Index>> members(mesh_.count());
    for (Index i = 0; i < phyxels.size(); ++i)
        if (fragments[i] < members.size()) members[fragments[i]].push_back(i);
    for (std::size_t fragment = 0; fragment < mesh_.count(); ++fragment) {
        const std::size_t first = mesh_.first_vertex[fragment];
        const std::size_t count = mesh_.first_vertex[fragment + 1] - first;
        if (count == 0 || members[fragment].empty()) continue;
        Piece piece;
        piece.phyxels = std::move(members[fragment]);
        for (const Index i : piece.phyxels) piece.rest.push_back(phyxels[i]);
        piece.support = support_ratio * spacing;
        piece.neighbors = neighbors_of(piece.rest, piece.support, cracks);
        piece.first_vertex = first;
        piece.vertex_count = count;

        std::vector<Vec<3>> vertices(count), normals(count, Vec<3>::Zero());
        for (std::size_t t = mesh_.first_triangle[fragment]; t < mesh_.first_triangle[fragment + 1]; ++t) {
            const auto& [a, b, c] = mesh_.triangles[t];
            const Vec<3> normal =
                (mesh_.vertices[b] - mesh_.vertices[a]).cross(mesh_.vertices[c] - mesh_.vertices[a]);
            for (const Index k : {a, b, c}) normals[k - first] += normal;
        }
        std::map<Place, Vec<3>> inner; // of vertices that a crack may hide something from
        for (std::size_t k = 0; k < count; ++k) {
            const Vec<3>&x = mesh_.vertices[first + k], &within = mesh_.inner[first + k];
            vertices[k] = x + inset * (within - x);
            if (!cracks.is_empty() && !cracks.faces_near(x, piece.support).empty())
                inner.emplace(key_of(vertices[k]), within);
            // A normal without a length is that of something too thin to have one.
            normals[k] =
                normals[k].norm() > 0.0 ? Vec<3>(normals[k].normalized()) : Vec<3>((x - within).normalized());
            if (!normals[k].allFinite()) normals[k] = Vec<3>::UnitX();
        }
        const std::vector<double> supports(piece.rest.size(), piece.support);
        const auto sees = [&](const Vec<3>& vertex, Index node) {
            const auto place = inner.find(key_of(vertex));
            return place == inner.end() || !cracks.is_crossed(place->second, piece.rest[node]);
        };
        piece.skinning = Skinning<double>(vertices, normals, {piece.rest, supports, piece.neighbors, sees});
        pieces_.push_back(std::move(piece));
    }
}

/// F by least squares over the neighbours.
Mat<3> CarriedFragments::gradient_of(const Piece& piece, std::size_t phyxel,
                                     std::span<const Vec<3>> positions) const
{
    constexpr double flat_share = 0.005; // as of shapes at rest
    Mat<3> A = Mat<3>::Zero(), sum = Mat<3>::Zero();
    for (const Index j : piece.neighbors.of(phyxel)) {
        const Vec<3> X = piece.rest[j] - piece.rest[phyxel];
        const double w = Poly6Profile::value(std::min(1.0, X.norm() / piece.support));
        add_to_moment<3>(w, X, A);
        sum += w * (positions[piece.phyxels[j]] - positions[piece.phyxels[phyxel]]) * X.transpose();
    }
    const SymmetricInverse<3> inverse = pseudo_inverse<3>(A, flat_share);
    return gradient_for_skin(sum * inverse.matrix, inverse.span);
}

void CarriedFragments::update(std::span<const Vec<3>> positions, std::span<Vec<3>> vertices)
{
    for (Piece& piece : pieces_) {
        std::vector<Vec<3>> places(piece.phyxels.size());
        std::vector<Mat<3>> gradients(piece.phyxels.size());
        parallel_for(places.size(), [&](Index k) {
            places[k] = positions[piece.phyxels[k]];
            gradients[k] = gradient_of(piece, k, positions);
        });
        piece.skinning.update(places, gradients, vertices.subspan(piece.first_vertex, piece.vertex_count));
    }
}

void CarriedFragments::transfer(std::span<const Vec<3>> of_phyxels, std::span<Vec<3>> of_vertices)
{
    for (Piece& piece : pieces_) {
        std::vector<Vec<3>> nodal;
        for (const Index i : piece.phyxels) nodal.push_back(of_phyxels[i]);
        piece.skinning.transfer(nodal, {}, of_vertices.subspan(piece.first_vertex, piece.vertex_count));
    }
}

} // namespace phyxel
