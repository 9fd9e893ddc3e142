// SPDX-License-Identifier: MIT
// The skin of a solid: a detailed surface that the nodes of the solid carry along [MKN*04, Sec. 5.1],
// [AW09, Sec. 7.2]. Which nodes a vertex follows, and how much, is worked out once in the rest state.
//
//     Skinning skin(vertices, normals, {nodes, supports, neighbors});
//     skin.update(node_positions, deformation_gradients, positions, moved_normals);    // every frame
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace phyxel {

enum class SkinningMethod {
    /// x = Σ w_j (x_j + F_j (X − X_j)): [AW09, Eq. 68] without the transpose, [MKN*04, Eq. 27] with weights
    /// that end without a jump. Every node carries the vertex as the solid around it deforms: robust, fast.
    FirstOrder,
    /// x = Σ Φ_j(X) x_j with moving least squares of order 1 [AW09, Sec. 7.2, Alternative 1]. Needs no F, but
    /// the surface lies outside of the nodes, where Φ extrapolates.
    MovingLeastSquares,
};

struct SkinningOptions {
    SkinningMethod method = SkinningMethod::FirstOrder;
    int most_nodes = 16; ///< that a vertex follows; 8 to 64
};

/// The nodes at rest. A view.
struct SkinningNodes {
    std::span<const Vec<3>> positions;     ///< X_j [m]
    std::span<const double> support_radii; ///< h_j [m]
    const NeighborLists& neighbors;        ///< no pair across a gap of the body
    /// Whether nothing is between a vertex and a node, such as a crack; all see each other if it is empty.
    std::function<bool(const Vec<3>& vertex, Index node)> sees = {};
};

/// How the vertices found their nodes.
struct SkinningReport {
    std::size_t widened = 0; ///< vertices within the support of less than four nodes
    std::size_t lowered = 0; ///< of MovingLeastSquares those that move by FirstOrder: their nodes lie flat
    std::size_t entries = 0; ///< pairs of a vertex and a node that it follows
};

/// Moves vertices with nodes. `Real` is the precision of the sums: with `float` positions are exact to about
/// 1e-6 of the size of the body, wherever it is, as they are taken from its middle. The same bits on any
/// number of threads.
///
/// The weights are (1 − q²)³ with q = |X − X_j| / r_j, divided by their sum. The radius r_j is the support of
/// the node, or 1.2 times the distance of the eighth nearest node where that is more: every vertex, also one
/// on a corner, then has eight nodes, and the change from one to the other does not show, as both are
/// continuous in X. Where more than `most_nodes` reach a vertex, all q are divided by that of the first one
/// too many. So nodes enter and leave with weight 0, and the surface has no steps.
///
/// A vertex follows nodes on its own side of a gap: those that hang together with the nearest node that lies
/// inwards of it, over the lists of neighbours and over nodes that reach the vertex themselves.
template <std::floating_point Real = float>
class Skinning {
public:
    Skinning() = default;

    /// `normals` point outwards, one for each vertex, or there are none. Throws InputError for what is not
    /// finite, radii that are not positive, options out of range, and vertices without any node.
    Skinning(std::span<const Vec<3>> vertices, std::span<const Vec<3>> normals, const SkinningNodes& nodes,
             const SkinningOptions& options = {});

    /// Goes on with the vertices `kept` of those it has, in this order, and `added` ones behind them. The
    /// nodes must be those that it was made with. It is then the same, to the last bit, as one made anew.
    void replace(std::span<const Index> kept, std::span<const Vec<3>> added,
                 std::span<const Vec<3>> added_normals, const SkinningNodes& nodes);

    std::size_t size() const { return vertices_.empty() ? 0 : vertices_.size() - 1; }
    std::size_t node_count() const { return nodes_.size(); }
    const SkinningReport& report() const { return report_; }

    /// The node that a vertex follows most.
    Index main_node(std::size_t vertex) const;

    /// Moves the vertices to where the nodes at x_j with deformation gradients F_j (row = component) carry
    /// them. Normals, of unit length, by the cofactor of the blended F, which needs no inverse; they may be
    /// left out, and are zero if the skin was made without.
    void update(std::span<const Vec<3>> node_positions, std::span<const Mat<3>> deformation_gradients,
                std::span<Vec<3>> positions, std::span<Vec<3, Real>> normals = {});

    /// The same with the blended F at the vertices.
    void update_with_gradients(std::span<const Vec<3>> node_positions,
                               std::span<const Mat<3>> deformation_gradients, std::span<Vec<3>> positions,
                               std::span<Mat<3, Real>> gradients);

    /// A vector field of the nodes, such as their velocities v_j, at the vertices: Σ w_j (v_j + G_j (X −
    /// X_j)) with its gradients G_j by the rest position, Σ w_j v_j if there are none. MovingLeastSquares
    /// needs none.
    void transfer(std::span<const Vec<3>> nodal, std::span<const Mat<3>> gradients,
                  std::span<Vec<3, Real>> out);

    /// What an update with normals reads and writes, everything counted once [bytes].
    std::size_t traffic() const;

private:
    /// Its weights and jets end where those of the next vertex begin; there is one more than vertices.
    struct Vertex {
        Real rest[3]; ///< X − origin_
        Real normal[3];
        std::uint32_t weights_begin;
        std::uint32_t jets_begin;
    };
    struct Weight {
        Index node;
        Real value; ///< w_j
    };
    struct Jet {
        Index node;
        Real row[4]; ///< ∇Φ_j [1/m] and Φ_j
    };
    struct Rows {
        std::vector<Weight> weights;
        std::vector<Jet> jets;
    };
    struct NewRows;
    NewRows make_rows(std::span<const Vec<3>> vertices, std::span<const Vec<3>> normals,
                      const SkinningNodes& nodes) const;
    template <class Write>
    void blend(const Write& write) const;
    void load_nodes(std::span<const Vec<3>> values, std::span<const Mat<3>> gradients,
                    const Vec<3>& value_origin);

    SkinningOptions options_;
    Vec<3> origin_ = Vec<3>::Zero(); ///< middle of the nodes at rest
    std::vector<Vec<3>> nodes_;      ///< X_j − origin_
    std::vector<Vertex> vertices_;
    Rows rows_;
    SkinningReport report_;
    std::vector<std::uint8_t> is_widened_; ///< for each vertex
    Buffer<Real> maps_;   ///< scratch: of each node (F_j, x_j − F_j X_j), four columns of four numbers
    Buffer<Real> values_; ///< scratch: of each node x_j and a 0, if there are jets
};

extern template class Skinning<float>;
extern template class Skinning<double>;

} // namespace phyxel
