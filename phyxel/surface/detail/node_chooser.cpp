// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls.h>
#include <phyxel/approx/profiles.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/surface/detail/node_chooser.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <span>
#include <string>

namespace phyxel::detail {
namespace {

/// The radius of a vertex reaches beyond this many nodes …
constexpr std::size_t wanted_nodes = 8;
/// … by this factor, so that the last of them counts, too.
constexpr double margin = 1.2;

/// Candidates by their nodes, each of which is there once.
class CandidateTable {
public:
    static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

    CandidateTable(std::span<const NodeChooser::Candidate> candidates, std::vector<std::uint32_t>& slots)
        : candidates_(candidates),
          slots_(slots),
          mask_(std::bit_ceil(4 * candidates.size() + 1) - 1)
    {
        slots_.assign(mask_ + 1, 0);
        for (std::size_t a = 0; a < candidates.size(); ++a) {
            std::size_t slot = first_slot(candidates[a].node);
            while (slots_[slot] != 0) slot = (slot + 1) & mask_;
            slots_[slot] = static_cast<std::uint32_t>(a + 1);
        }
    }

    std::size_t find(Index node) const
    {
        for (std::size_t slot = first_slot(node); slots_[slot] != 0; slot = (slot + 1) & mask_)
            if (candidates_[slots_[slot] - 1].node == node) return slots_[slot] - 1;
        return nothing;
    }

private:
    /// Nodes that are near each other have near numbers: those are spread by the golden section.
    std::size_t first_slot(Index node) const { return (node * 0x9e3779b9u >> 16) & mask_; }

    std::span<const NodeChooser::Candidate> candidates_;
    std::vector<std::uint32_t>& slots_; ///< 0, or a candidate counted from 1
    std::size_t mask_;
};

} // namespace

NodeChooser::NodeChooser(const SkinningNodes& nodes, int most_nodes)
    : nodes_(nodes),
      most_nodes_(static_cast<std::size_t>(most_nodes))
{
    for (std::size_t j = 0; j < nodes.positions.size(); ++j)
        if (!nodes.positions[j].allFinite())
            throw InputError("node " + std::to_string(j) + " of a skin is not at a finite place");
    SupportRadii(nodes.support_radii).check(nodes.positions.size());
    PHYXEL_ASSERT(nodes.neighbors.size() == nodes.positions.size());
    tree_ = KdTree<3>(nodes.positions);
    for (const double h : nodes.support_radii) largest_support_ = std::max(largest_support_, h);
}

/// Without a normal, or if all nodes lie outwards, the nearest.
Index NodeChooser::nearest_inner_node(const Vec<3>& x, const Vec<3>* normal,
                                      std::span<const Neighbor<>> nearest) const
{
    if (normal != nullptr)
        for (const Neighbor<>& neighbor : nearest) {
            // Nodes on the surface itself, where their own noise decides the side, count as inside.
            const double height = normal->dot(x - nodes_.positions[neighbor.id]);
            if (height >= -0.05 * nodes_.support_radii[neighbor.id] * normal->norm()) return neighbor.id;
        }
    return nearest.front().id;
}

/// Removes candidates that do not hang together with `first` over lists of neighbours and other candidates.
/// Lists are walked through and their nodes looked up among the candidates: to search the lists for every
/// candidate took a third of the time of a check.
void NodeChooser::keep_connected(Index first, Scratch& scratch) const
{
    std::vector<Candidate>& candidates = scratch.candidates;
    const CandidateTable table(candidates, scratch.table);
    scratch.front.clear();
    for (std::size_t a = 0; a < candidates.size(); ++a) {
        candidates[a].is_connected = candidates[a].node == first;
        if (candidates[a].is_connected) scratch.front.push_back(a);
    }
    std::size_t found = scratch.front.size();
    while (!scratch.front.empty() && found < candidates.size()) {
        const std::size_t from = scratch.front.back();
        scratch.front.pop_back();
        for (const Index node : nodes_.neighbors.of(candidates[from].node)) {
            const std::size_t a = table.find(node);
            if (a == CandidateTable::nothing || candidates[a].is_connected) continue;
            candidates[a].is_connected = true;
            scratch.front.push_back(a);
            ++found;
        }
    }
    std::erase_if(candidates, [](const Candidate& candidate) { return !candidate.is_connected; });
}

/// Candidates from the lists alone, ring by ring, until there are enough or no more: for a vertex whose side
/// of a gap has few nodes among the nearest.
void NodeChooser::collect_rings(Index first, const Vec<3>& x, Scratch& scratch) const
{
    std::vector<Index> found = {first};
    for (std::size_t begin = 0; begin < found.size() && found.size() < wanted_nodes;) {
        const std::size_t end = found.size();
        for (; begin < end; ++begin)
            for (const Index j : nodes_.neighbors.of(found[begin]))
                if (std::find(found.begin(), found.end(), j) == found.end()) found.push_back(j);
    }
    scratch.candidates.clear();
    for (const Index j : found)
        scratch.candidates.push_back({j, (x - nodes_.positions[j]).norm(), 0.0, 0.0, true});
}

/// Leaves the nodes that reach x in the scratch, found among its `count` nearest nodes. Returns whether more
/// of them could matter.
bool NodeChooser::find_reaching(const Vec<3>& x, const Vec<3>* normal, std::size_t count, Scratch& scratch,
                                ChosenNodes& out) const
{
    tree_.nearest(x, count, scratch.nearest);
    const bool is_all = scratch.nearest.size() < count;
    const double farthest = scratch.nearest.back().distance;
    if (nodes_.sees) {
        const auto is_seen = [&](const Neighbor<>& neighbor) { return nodes_.sees(x, neighbor.id); };
        if (std::any_of(scratch.nearest.begin(), scratch.nearest.end(), is_seen))
            std::erase_if(scratch.nearest, std::not_fn(is_seen));
    }
    const Index first = nearest_inner_node(x, normal, scratch.nearest);
    std::vector<Candidate>& candidates = scratch.candidates;
    candidates.clear();
    for (const Neighbor<>& neighbor : scratch.nearest)
        candidates.push_back({neighbor.id, neighbor.distance, 0.0, 0.0, true});
    keep_connected(first, scratch);
    if (candidates.size() < wanted_nodes) {
        if (!is_all && count < most_looked_at()) return true;
        collect_rings(first, x, scratch);
    }

    // The first node counts in any case, however many outer ones are nearer.
    std::vector<double>& distances = scratch.distances;
    distances.clear();
    for (const Candidate& candidate : candidates) distances.push_back(candidate.distance);
    const std::size_t eighth = std::min(wanted_nodes, distances.size()) - 1;
    std::nth_element(distances.begin(), distances.begin() + static_cast<std::ptrdiff_t>(eighth),
                     distances.end());
    const double own = margin * std::max(distances[eighth], (x - nodes_.positions[first]).norm());
    std::size_t supporting = 0;
    for (Candidate& candidate : candidates) {
        const double h = nodes_.support_radii[candidate.node];
        supporting += candidate.distance < h ? 1 : 0;
        candidate.radius = std::max(h, own);
        candidate.q = candidate.distance / candidate.radius;
    }
    out.is_widened = supporting < 4;
    std::erase_if(candidates, [](const Candidate& candidate) { return candidate.q >= 1.0; });
    keep_connected(first, scratch);
    return !is_all && candidates.size() <= most_nodes_ && farthest < std::max(own, largest_support_);
}

void NodeChooser::choose(const Vec<3>& x, const Vec<3>* normal, Scratch& scratch, ChosenNodes& out) const
{
    // Beside a gap many of the nearest nodes are on its other side, and more of them are looked at.
    std::size_t count = most_nodes_ + wanted_nodes;
    while (find_reaching(x, normal, count, scratch, out) && count < most_looked_at()) count *= 2;
    std::vector<Candidate>& candidates = scratch.candidates;
    std::sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return a.q < b.q || (a.q == b.q && a.node < b.node);
    });
    double scale = 1.0;
    if (candidates.size() > most_nodes_) {
        // Where many nodes are equally far, all of them would end at weight 0; some must be left.
        const double needed = margin * candidates[most_nodes_ / 2 - 1].q;
        scale = std::min(1.0, std::max(candidates[most_nodes_].q, needed));
        candidates.resize(most_nodes_);
        std::erase_if(candidates, [&](const Candidate& candidate) { return candidate.q >= scale; });
    }
    out.nodes.clear();
    out.radii.clear();
    out.weights.clear();
    double sum = 0.0;
    for (const Candidate& candidate : candidates) {
        out.nodes.push_back(candidate.node);
        out.radii.push_back(scale * candidate.radius);
        out.weights.push_back(Poly6Profile::value(candidate.q / scale));
        sum += out.weights.back();
    }
    for (double& weight : out.weights) weight /= sum;
}

} // namespace phyxel::detail
