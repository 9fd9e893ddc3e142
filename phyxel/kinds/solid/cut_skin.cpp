// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/cut_skin.h>

#include <phyxel/core/disjoint_sets.h>
#include <phyxel/kinds/solid/detail/near_phyxels.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

namespace phyxel {
namespace {

/// Phyxels that are more neighbours apart than this belong to parts that move on their own. Around a narrow
/// neck there are up to four. For each spacing between two vertices there may be one more.
constexpr int most_hops = 5;

/// Triangles with a longer side are not cut: what carries their corners may well be far apart. [spacings]
constexpr double longest_side = 3.0;

constexpr Index nothing = std::numeric_limits<Index>::max();

class SkinCutter {
public:
    SkinCutter(SolidSkin& skin, const PhyxelCloud<3>& phyxels, std::span<const Index> followed)
        : skin_(skin),
          followed_(followed),
          spacing_(phyxels.spacing),
          near_(phyxels.neighbors, most_hops + static_cast<int>(longest_side))
    {
    }

    std::vector<CutVertex> cut()
    {
        find_owners();
        if (owners_.empty()) return {};
        find_cuts();
        if (cuts_.empty()) return {};
        part_vertices();
        close_sides();
        return std::move(added_);
    }

private:
    /// A corner of a triangle, by 3 times its number.
    using Corner = Index;
    /// Of a triangle, from its corner to the next.
    struct Side {
        Corner from, to;
    };

    bool are_together(Index i, Index j)
    {
        const double spacings = (skin_.vertices[i] - skin_.vertices[j]).norm() / spacing_;
        const int more = static_cast<int>(std::min(spacings, longest_side));
        return near_.hops(followed_[i], followed_[j]) <= most_hops + more;
    }

    /// The corner of each triangle whose phyxel it follows, with most of its corners; nothing for triangles
    /// that are not cut. Empty if all of the skin hangs together.
    void find_owners()
    {
        bool is_whole = true;
        owners_.reserve(skin_.triangles.size());
        for (const auto& [a, b, c] : skin_.triangles) {
            const auto length = [&](Index i, Index j) {
                return (skin_.vertices[i] - skin_.vertices[j]).norm();
            };
            const bool is_long =
                std::max({length(a, b), length(b, c), length(c, a)}) > longest_side * spacing_;
            const bool ab = are_together(a, b), bc = are_together(b, c), ca = are_together(c, a);
            is_whole = is_whole && (is_long || (ab && bc && ca));
            owners_.push_back(is_long ? nothing : ab || ca ? a : bc ? b : a);
        }
        if (is_whole) owners_.clear();
    }

    /// Joins the corners of triangles beside each other that are on the same side, and notes the others.
    void find_cuts()
    {
        joined_.reset(corner_count());
        std::map<std::pair<Index, Index>, std::vector<Side>> edges;
        for (std::size_t t = 0; t < skin_.triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k) {
                const Side side = {static_cast<Corner>(3 * t + k), static_cast<Corner>(3 * t + (k + 1) % 3)};
                edges[std::minmax(vertex(side.from), vertex(side.to))].push_back(side);
            }
        for (const auto& [ends, sides] : edges)
            for (std::size_t k = 1; k < sides.size(); ++k) {
                const Index one = owners_[sides[0].from / 3], other = owners_[sides[k].from / 3];
                if (one != nothing && other != nothing && !are_together(one, other)) {
                    cuts_.emplace_back(sides[0], sides[k]);
                    continue;
                }
                const bool is_turned = vertex(sides[0].from) == vertex(sides[k].to);
                joined_.join(sides[0].from, is_turned ? sides[k].to : sides[k].from);
                joined_.join(sides[0].to, is_turned ? sides[k].from : sides[k].to);
            }
    }

    /// Corners that are not joined with those of the side that a vertex is on get a vertex of their own.
    void part_vertices()
    {
        std::vector<std::uint8_t> is_home(corner_count(), 0);
        for (Corner c = 0; c < corner_count(); ++c) {
            const Index owner = owners_[c / 3];
            if (owner == nothing || are_together(owner, vertex(c))) is_home[joined_.find(c)] = 1;
        }
        is_parted_.assign(skin_.vertices.size(), 0);
        std::map<Corner, Index> numbers; // of roots
        std::vector<double> counts;
        std::vector<std::array<Index, 3>> triangles = skin_.triangles;
        for (Corner c = 0; c < corner_count(); ++c) {
            if (is_home[joined_.find(c)] != 0) continue;
            const auto [place, is_new] =
                numbers.try_emplace(joined_.find(c), static_cast<Index>(skin_.vertices.size()));
            if (is_new) {
                const Index origin = vertex(c);
                added_.push_back({origin, owners_[c / 3], Vec<3>::Zero()});
                counts.push_back(0.0);
                skin_.vertices.push_back(Vec<3>(skin_.vertices[origin]));
                is_parted_[origin] = 1;
                is_parted_.push_back(1);
            }
            triangles[c / 3][c % 3] = place->second;
            // Those beside it that are at home are the rim of this side.
            const std::size_t number = added_.size() - (skin_.vertices.size() - place->second);
            for (const Corner other : {c - c % 3, c - c % 3 + 1, c - c % 3 + 2})
                if (is_home[joined_.find(other)] != 0) {
                    added_[number].drawn_in += skin_.vertices[vertex(other)];
                    counts[number] += 1.0;
                }
        }
        for (std::size_t k = 0; k < added_.size(); ++k)
            added_[k].drawn_in =
                counts[k] > 0.0 ? Vec<3>(added_[k].drawn_in / counts[k]) : skin_.vertices[added_[k].guide];
        skin_.triangles = std::move(triangles);
    }

    /// Each side of a cut ends in chains of edges, from one end of the cut to the other or around.
    void close_sides()
    {
        std::multimap<Index, Index> next;
        for (const auto& [one, other] : cuts_) {
            if (vertex(one.from) == vertex(other.to) && vertex(one.to) == vertex(other.from)) continue;
            for (const Side& side : {one, other}) next.emplace(vertex(side.to), vertex(side.from));
        }
        const auto take = [&](std::multimap<Index, Index>::iterator edge) {
            const std::pair<Index, Index> taken = *edge;
            next.erase(edge);
            return taken;
        };
        const auto follow = [&](std::multimap<Index, Index>::iterator first) {
            const auto [start, second] = take(first);
            std::vector<Index> chain = {start};
            for (Index i = second; i != start;) {
                chain.push_back(i);
                const auto edge = next.find(i);
                if (is_parted_[i] == 0 || edge == next.end()) break;
                i = take(edge).second;
            }
            close(std::move(chain));
        };
        // Those that begin at an end first, so that none begins in the middle.
        for (auto edge = next.begin(); edge != next.end();)
            if (is_parted_[edge->first] == 0) {
                follow(edge);
                edge = next.begin();
            } else {
                ++edge;
            }
        while (!next.empty()) follow(next.begin());
    }

    /// Triangles over a closed chain: always the one whose new edge is the shortest, so that a long and
    /// narrow chain is closed across.
    void close(std::vector<Index> chain)
    {
        while (chain.size() >= 3) {
            const std::size_t count = chain.size();
            std::size_t best = 0;
            double shortest = std::numeric_limits<double>::infinity();
            for (std::size_t k = 0; k < count; ++k) {
                const double length =
                    (skin_.vertices[chain[(k + count - 1) % count]] - skin_.vertices[chain[(k + 1) % count]])
                        .norm();
                if (length < shortest) {
                    shortest = length;
                    best = k;
                }
            }
            skin_.triangles.push_back(
                {chain[(best + count - 1) % count], chain[best], chain[(best + 1) % count]});
            chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(best));
        }
    }

    Index vertex(Corner c) const { return skin_.triangles[c / 3][c % 3]; }
    std::size_t corner_count() const { return 3 * skin_.triangles.size(); }

    SolidSkin& skin_;
    std::span<const Index> followed_;
    double spacing_;
    NearPhyxels near_;
    std::vector<Index> owners_; ///< of triangles, as vertices
    DisjointSets joined_;
    std::vector<std::pair<Side, Side>> cuts_;
    std::vector<CutVertex> added_;
    std::vector<std::uint8_t> is_parted_; ///< for each vertex, whether there are more in its place
};

} // namespace

std::vector<CutVertex> cut_skin(SolidSkin& skin, const PhyxelCloud<3>& phyxels,
                                std::span<const Index> followed)
{
    return SkinCutter(skin, phyxels, followed).cut();
}

} // namespace phyxel
