// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/cell_cases.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/types.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace phyxel::detail {
namespace {

using Loop = std::vector<std::uint8_t>; ///< edges, in the order in which the surface crosses them

constexpr std::uint8_t no_edge = 255;

std::array<CellEdge, edge_count> make_edges()
{
    std::array<CellEdge, edge_count> edges{};
    std::size_t n = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned corner = 0; corner < corner_count; ++corner)
            if ((corner >> axis & 1) == 0)
                edges[n++] = {static_cast<std::uint8_t>(axis), static_cast<std::uint8_t>(corner),
                              static_cast<std::uint8_t>(corner | 1u << axis)};
    return edges;
}

std::array<CellFace, 6> make_faces()
{
    std::array<CellFace, 6> faces{};
    for (unsigned axis = 0; axis < 3; ++axis) {
        const unsigned u = 1u << (axis + 1) % 3;
        const unsigned v = 1u << (axis + 2) % 3;
        for (unsigned side = 0; side < 2; ++side) {
            const unsigned base = side << axis;
            const auto corner = [&](unsigned offset) { return static_cast<std::uint8_t>(base | offset); };
            // u, v and the axis are right-handed, so this order is counter-clockwise seen from the far side.
            CellFace face = {corner(0), corner(u), corner(u | v), corner(v)};
            if (side == 0) std::reverse(face.begin(), face.end());
            faces[2 * axis + side] = face;
        }
    }
    return faces;
}

std::uint8_t edge_between(unsigned a, unsigned b)
{
    const auto& edges = CellCases::edges();
    for (std::uint8_t e = 0; e < edge_count; ++e)
        if ((edges[e].begin == a && edges[e].end == b) || (edges[e].begin == b && edges[e].end == a))
            return e;
    return no_edge;
}

/// Whether both edges lie on one face.
bool share_face(std::uint8_t a, std::uint8_t b)
{
    const auto lies_on = [](std::uint8_t edge, const CellFace& face) {
        const CellEdge& e = CellCases::edges()[edge];
        return std::find(face.begin(), face.end(), e.begin) != face.end() &&
               std::find(face.begin(), face.end(), e.end) != face.end();
    };
    return std::any_of(CellCases::faces().begin(), CellCases::faces().end(),
                       [&](const CellFace& face) { return lies_on(a, face) && lies_on(b, face); });
}

/// The middle of an edge, doubled.
Vec<3> middle(std::uint8_t edge)
{
    const CellEdge& e = CellCases::edges()[edge];
    const auto corner = [](unsigned c) { return Vec<3>(c & 1, c >> 1 & 1, c >> 2 & 1); };
    return corner(e.begin) + corner(e.end);
}

/// Follows the strokes on the faces. A stroke leads from where the surface leaves the inside, walking around
/// the face, to where it enters it again, so every edge that is crossed has one stroke that arrives and one
/// that goes on.
std::vector<Loop> find_loops(unsigned inside, unsigned joined)
{
    std::array<std::uint8_t, edge_count> next;
    next.fill(no_edge);
    const auto is_inside = [&](unsigned corner) { return (inside >> corner & 1) != 0; };
    for (unsigned f = 0; f < 6; ++f) {
        const CellFace& face = CellCases::faces()[f];
        for (unsigned k = 0; k < 4; ++k) {
            const unsigned from = face[k];
            const unsigned to = face[(k + 1) % 4];
            if (!is_inside(from) || is_inside(to)) continue;
            // We leave the inside here. Connected inner corners leave the outer corner `to` alone, and the
            // stroke goes around it; otherwise it goes around the inner corner `from`, or what belongs to it.
            unsigned step = 0;
            if ((joined >> f & 1) != 0) {
                step = k + 1;
            } else {
                step = k + 3;
                while (is_inside(face[step % 4])) step += 3;
            }
            next[edge_between(from, to)] = edge_between(face[step % 4], face[(step + 1) % 4]);
        }
    }
    std::vector<Loop> loops;
    std::array<bool, edge_count> is_used{};
    for (std::uint8_t first = 0; first < edge_count; ++first) {
        if (next[first] == no_edge || is_used[first]) continue;
        Loop loop;
        for (std::uint8_t e = first; !is_used[e]; e = next[e]) {
            loop.push_back(e);
            is_used[e] = true;
        }
        // Seen from outside of the cell the strokes have the inside to their right, so that a loop runs
        // clockwise around the inside; a mesh is seen the other way round.
        std::reverse(loop.begin(), loop.end());
        loops.push_back(std::move(loop));
    }
    return loops;
}

/// Triangles of a loop without an inner edge on a face, those with the shortest inner edges where there is a
/// choice; nothing if there are none.
std::optional<std::vector<std::uint8_t>> span_loop(const Loop& loop)
{
    const std::size_t n = loop.size();
    constexpr double impossible = std::numeric_limits<double>::infinity();
    // cost(i, j): of the part of the polygon between the vertices i and j, for i < j.
    std::vector<double> cost(n * n, 0.0);
    std::vector<std::size_t> apex(n * n, 0);
    const auto edge_cost = [&](std::size_t i, std::size_t j) {
        if (j - i == 1 || (i == 0 && j == n - 1)) return 0.0;
        return share_face(loop[i], loop[j]) ? impossible : (middle(loop[i]) - middle(loop[j])).squaredNorm();
    };
    for (std::size_t length = 2; length < n; ++length)
        for (std::size_t i = 0; i + length < n; ++i) {
            const std::size_t j = i + length;
            double best = impossible;
            for (std::size_t k = i + 1; k < j; ++k) {
                const double c = cost[i * n + k] + cost[k * n + j] + edge_cost(i, k) + edge_cost(k, j);
                if (c < best) best = c, apex[i * n + j] = k;
            }
            cost[i * n + j] = best;
        }
    if (cost[n - 1] == impossible) return std::nullopt;

    std::vector<std::uint8_t> triangles;
    std::vector<std::array<std::size_t, 2>> open = {{0, n - 1}};
    while (!open.empty()) {
        const auto [i, j] = open.back();
        open.pop_back();
        if (j - i < 2) continue;
        const std::size_t k = apex[i * n + j];
        triangles.insert(triangles.end(), {loop[i], loop[k], loop[j]});
        open.push_back({i, k});
        open.push_back({k, j});
    }
    return triangles;
}

} // namespace

const CellCases& CellCases::instance()
{
    static const CellCases cases;
    return cases;
}

const std::array<CellEdge, edge_count>& CellCases::edges()
{
    static const std::array<CellEdge, edge_count> edges = make_edges();
    return edges;
}

const std::array<CellFace, 6>& CellCases::faces()
{
    static const std::array<CellFace, 6> faces = make_faces();
    return faces;
}

CellCases::CellCases() : entries_(256 * 64)
{
    for (unsigned inside = 0; inside < 256; ++inside) {
        for (unsigned f = 0; f < 6; ++f) {
            const CellFace& face = faces()[f];
            const auto bit = [&](unsigned k) { return inside >> face[k] & 1; };
            if (bit(0) == bit(2) && bit(1) == bit(3) && bit(0) != bit(1))
                ambiguous_[inside] = static_cast<std::uint8_t>(ambiguous_[inside] | 1u << f);
        }
        for (unsigned joined = 0; joined < 64; ++joined)
            if ((joined & ~unsigned(ambiguous_[inside])) == 0) add_case(inside, joined);
    }
}

void CellCases::add_case(unsigned inside, unsigned joined)
{
    std::vector<std::uint8_t> triangles;
    std::vector<std::uint8_t> middles;
    std::uint8_t middle_count = 0;
    for (const Loop& loop : find_loops(inside, joined)) {
        if (const auto spanned = span_loop(loop)) {
            triangles.insert(triangles.end(), spanned->begin(), spanned->end());
            continue;
        }
        const auto center = static_cast<std::uint8_t>(edge_count + middle_count++);
        middles.push_back(static_cast<std::uint8_t>(loop.size()));
        middles.insert(middles.end(), loop.begin(), loop.end());
        for (std::size_t i = 0; i < loop.size(); ++i)
            triangles.insert(triangles.end(), {loop[i], loop[(i + 1) % loop.size()], center});
    }
    Entry& entry = entries_[inside * 64 + joined];
    entry.edges = static_cast<std::uint32_t>(bytes_.size());
    entry.edge_count = static_cast<std::uint8_t>(triangles.size());
    bytes_.insert(bytes_.end(), triangles.begin(), triangles.end());
    entry.middle = static_cast<std::uint32_t>(bytes_.size());
    entry.middle_size = static_cast<std::uint8_t>(middles.size());
    entry.middle_count = middle_count;
    bytes_.insert(bytes_.end(), middles.begin(), middles.end());
}

} // namespace phyxel::detail
