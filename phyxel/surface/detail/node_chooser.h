// SPDX-License-Identifier: MIT
// Which nodes of a solid a vertex of its skin follows, and how much each counts. See skinning.h for the rule.
#pragma once

#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/skinning.h>

#include <cstdint>
#include <vector>

namespace phyxel::detail {

/// The nodes of one vertex, nearest first as measured by their radii.
struct ChosenNodes {
    std::vector<Index> nodes;
    std::vector<double> radii;   ///< r_j, within which the weight is not 0 [m]
    std::vector<double> weights; ///< w_j; their sum is 1
    bool is_widened = false;     ///< less than four nodes have the vertex in their support
};

/// Calls from several threads are fine, each with a scratch of its own.
class NodeChooser {
public:
    struct Candidate {
        Index node;
        double distance; ///< |X − X_j| [m]
        double radius;   ///< r_j [m]
        double q;        ///< distance over r_j
        bool is_connected;
    };
    struct Scratch {
        std::vector<Neighbor<>> nearest;
        std::vector<Candidate> candidates;
        std::vector<std::size_t> front;
        std::vector<std::uint32_t> table; ///< of candidates by their nodes
        std::vector<double> distances;
    };

    /// Throws InputError for nodes that are not finite and radii that are not positive.
    NodeChooser(const SkinningNodes& nodes, int most_nodes);

    /// `normal` may be null.
    void choose(const Vec<3>& x, const Vec<3>* normal, Scratch& scratch, ChosenNodes& out) const;

private:
    Index nearest_inner_node(const Vec<3>& x, const Vec<3>* normal,
                             std::span<const Neighbor<>> nearest) const;
    bool find_reaching(const Vec<3>& x, const Vec<3>* normal, std::size_t count, Scratch& scratch,
                       ChosenNodes& out) const;
    std::size_t most_looked_at() const { return 4 * most_nodes_; }
    void keep_connected(Index first, Scratch& scratch) const;
    void collect_rings(Index first, const Vec<3>& x, Scratch& scratch) const;

    SkinningNodes nodes_;
    std::size_t most_nodes_;
    double largest_support_ = 0.0; ///< [m]
    KdTree<3> tree_;
};

} // namespace phyxel::detail
