// SPDX-License-Identifier: MIT
#include <phyxel/core/disjoint_sets.h>
#include <phyxel/geometry/detail/clean_mesh.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/triangle_tree.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace phyxel::detail {
namespace {

using Corners = std::array<Index, 3>;

constexpr Index none = std::numeric_limits<Index>::max();

/// One side of a triangle. Sides of one edge are neighbours after sorting.
struct Side {
    Index low;
    Index high;
    Index triangle;
    bool is_upward; ///< runs from the lower vertex to the higher

    bool has_edge_of(const Side& other) const { return low == other.low && high == other.high; }
};

std::vector<Side> sorted_sides(std::span<const Corners> triangles)
{
    std::vector<Side> sides;
    sides.reserve(3 * triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const Index from = triangles[t][k];
            const Index to = triangles[t][(k + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), static_cast<Index>(t), from < to});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.triangle) < std::tie(b.low, b.high, b.triangle);
    });
    return sides;
}

/// Calls `visit` with the sides of each edge.
template <class Visit>
void for_each_edge(std::span<const Side> sides, Visit&& visit)
{
    for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
        while (end < sides.size() && sides[end].has_edge_of(sides[begin])) ++end;
        visit(sides.subspan(begin, end - begin));
    }
}

/// For each vertex the first at the same position, or none if it is not finite.
std::vector<Index> welded_vertices(const std::vector<Vec<3>>& vertices, MeshReport& report)
{
    std::vector<Index> order;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (all_finite<3>(vertices[v])) {
            order.push_back(static_cast<Index>(v));
            report.bounds.extend(vertices[v]);
        } else {
            ++report.non_finite_vertices;
        }
    }
    const auto compare = [&](Index v, Index w) {
        for (int k = 0; k < 3; ++k)
            if (vertices[v][k] != vertices[w][k]) return vertices[v][k] < vertices[w][k];
        return v < w;
    };
    std::sort(order.begin(), order.end(), compare);

    std::vector<Index> first(vertices.size(), none);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool is_new = i == 0 || vertices[order[i]] != vertices[order[i - 1]];
        first[order[i]] = is_new ? order[i] : first[order[i - 1]];
        if (!is_new) ++report.duplicate_vertices;
    }
    return first;
}

/// The triangles that mean something, by welded vertices.
std::vector<Corners> meaningful_triangles(const TriangleMesh& mesh, std::span<const Index> welded,
                                          MeshReport& report)
{
    std::vector<Corners> kept;
    kept.reserve(mesh.triangles.size());
    for (const Corners& corners : mesh.triangles) {
        if (std::any_of(corners.begin(), corners.end(), [&](Index v) { return v >= welded.size(); })) {
            ++report.out_of_range_triangles;
            continue;
        }
        const auto [a, b, c] = Corners{welded[corners[0]], welded[corners[1]], welded[corners[2]]};
        if (a == none || b == none || c == none) continue;
        const bool is_line = a == b || b == c || c == a;
        const Triangle triangle{mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
        if (is_line || triangle.area_vector().isZero(0.0)) ++report.degenerate_triangles;
        // A triangle with three corners on a line holds its neighbours together, so it stays.
        if (!is_line) kept.push_back({a, b, c});
    }
    return kept;
}

/// The lowest corner first; the orientation stays.
Corners rotated(const Corners& t)
{
    const std::size_t first = static_cast<std::size_t>(std::min_element(t.begin(), t.end()) - t.begin());
    return {t[first], t[(first + 1) % 3], t[(first + 2) % 3]};
}

/// Takes out triangles that are there more than once.
///
/// Copies with the same orientation mean the same. Two that face opposite ways are either a face that was
/// written for both its sides, of which one has to stay, or the wall between two cells that were put
/// together, of which none may stay. The edges around a patch of such pairs tell: a skin continues in one
/// triangle beyond its rim, or ends there; a wall ends at the skins of the two cells.
std::vector<Corners> without_doubles(std::vector<Corners> triangles, MeshReport& report)
{
    struct Entry {
        Corners key; ///< sorted corners
        Corners corners;
        Index id;
    };
    std::vector<Entry> entries;
    entries.reserve(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        Corners key = triangles[t];
        std::sort(key.begin(), key.end());
        entries.push_back({key, rotated(triangles[t]), static_cast<Index>(t)});
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.key, a.id) < std::tie(b.key, b.id); });

    std::vector<std::uint8_t> is_kept(triangles.size(), 1);
    std::vector<std::uint8_t> is_two_sided(triangles.size(), 0);
    bool any_two_sided = false;
    for (std::size_t i = 0, first = 0; i < entries.size(); ++i) {
        if (entries[i].key != entries[first].key) first = i;
        if (i == first) continue;
        ++report.duplicate_triangles;
        is_kept[entries[i].id] = 0;
        if (entries[i].corners != entries[first].corners) is_two_sided[entries[first].id] = 1;
        any_two_sided |= is_two_sided[entries[first].id] != 0;
    }

    std::vector<Corners> kept;
    std::vector<std::uint8_t> is_pair;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        if (!is_kept[t]) continue;
        kept.push_back(triangles[t]);
        is_pair.push_back(is_two_sided[t]);
    }
    if (!any_two_sided) return kept;

    DisjointSets patches(kept.size());
    const std::vector<Side> sides = sorted_sides(kept);
    const auto count_singles = [&](std::span<const Side> edge) {
        return std::count_if(edge.begin(), edge.end(), [&](const Side& s) { return !is_pair[s.triangle]; });
    };
    for_each_edge(sides, [&](std::span<const Side> edge) {
        if (edge.size() == 2 && count_singles(edge) == 0) patches.join(edge[0].triangle, edge[1].triangle);
    });
    std::vector<std::int64_t> wall_votes(kept.size(), 0);
    for_each_edge(sides, [&](std::span<const Side> edge) {
        const std::ptrdiff_t singles = count_singles(edge);
        const bool is_rim = singles > 0 || edge.size() == 1;
        if (!is_rim) return;
        const bool ends_at_skins = singles > 0 && singles % 2 == 0;
        for (const Side& side : edge)
            if (is_pair[side.triangle]) wall_votes[patches.find(side.triangle)] += ends_at_skins ? 1 : -1;
    });
    std::vector<Corners> without_walls;
    for (std::size_t t = 0; t < kept.size(); ++t)
        if (!is_pair[t] || wall_votes[patches.find(static_cast<Index>(t))] <= 0)
            without_walls.push_back(kept[t]);
    return without_walls;
}

/// The vertices that triangles use, renumbered in their order.
TriangleMesh compact_mesh(const std::vector<Vec<3>>& vertices, std::vector<Corners> triangles)
{
    TriangleMesh mesh;
    std::vector<Index> number(vertices.size(), none);
    for (const Corners& corners : triangles)
        for (const Index v : corners) number[v] = 0;
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        if (number[v] == none) continue;
        number[v] = static_cast<Index>(mesh.vertices.size());
        mesh.vertices.push_back(vertices[v]);
    }
    for (Corners& corners : triangles)
        for (Index& v : corners) v = number[v];
    mesh.triangles = std::move(triangles);
    return mesh;
}

void count_edges(std::span<const Side> sides, std::size_t vertex_count, MeshReport& report)
{
    DisjointSets rims(vertex_count);
    std::vector<Index> rim_vertices;
    bool is_balanced = true;
    for_each_edge(sides, [&](std::span<const Side> edge) {
        std::ptrdiff_t balance = 0;
        for (const Side& side : edge) balance += side.is_upward ? 1 : -1;
        is_balanced &= balance == 0;
        if (edge.size() == 1) {
            ++report.boundary_edges;
            rims.join(edge[0].low, edge[0].high);
            rim_vertices.push_back(edge[0].low);
        } else if (edge.size() > 2) {
            ++report.non_manifold_edges;
        } else if (balance != 0) {
            ++report.inconsistent_edges;
        }
    });
    for (Index& v : rim_vertices) v = rims.find(v);
    std::sort(rim_vertices.begin(), rim_vertices.end());
    report.holes = static_cast<std::size_t>(std::unique(rim_vertices.begin(), rim_vertices.end()) -
                                            rim_vertices.begin());
    report.is_watertight = is_balanced && !sides.empty();
}

/// Walks over edges with two triangles, from each triangle that was not reached yet, and notes who faces
/// another way than the first. Then the smaller area of the two kinds is taken as flipped.
void find_components(std::span<const Side> sides, CleanMesh& clean)
{
    struct Mate {
        Index triangle = none;
        bool faces_another_way = false;
    };
    const std::size_t count = clean.mesh.triangles.size();
    std::vector<std::array<Mate, 3>> mates(count);
    const auto add_mate = [&](Index t, const Mate& mate) {
        *std::find_if(mates[t].begin(), mates[t].end(), [](const Mate& m) { return m.triangle == none; }) =
            mate;
    };
    for_each_edge(sides, [&](std::span<const Side> edge) {
        if (edge.size() != 2) return;
        const bool faces_another_way = edge[0].is_upward == edge[1].is_upward;
        add_mate(edge[0].triangle, {edge[1].triangle, faces_another_way});
        add_mate(edge[1].triangle, {edge[0].triangle, faces_another_way});
    });

    clean.component.assign(count, none);
    clean.is_flipped.assign(count, 0);
    std::vector<Index> reached;
    for (std::size_t start = 0; start < count; ++start) {
        if (clean.component[start] != none) continue;
        const Index component = static_cast<Index>(clean.report.components++);
        reached.assign(1, static_cast<Index>(start));
        clean.component[start] = component;
        double flipped_area = 0.0;
        double area = 0.0;
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const Index t = reached[i];
            const auto& [a, b, c] = clean.mesh.triangles[t];
            const std::vector<Vec<3>>& x = clean.mesh.vertices;
            (clean.is_flipped[t] ? flipped_area : area) += Triangle{x[a], x[b], x[c]}.area_vector().norm();
            for (const Mate& mate : mates[t]) {
                if (mate.triangle == none || clean.component[mate.triangle] != none) continue;
                clean.component[mate.triangle] = component;
                clean.is_flipped[mate.triangle] = clean.is_flipped[t] ^ (mate.faces_another_way ? 1 : 0);
                reached.push_back(mate.triangle);
            }
        }
        for (const Index t : reached) {
            if (flipped_area > area) clean.is_flipped[t] ^= 1;
            clean.report.flipped_triangles += clean.is_flipped[t];
        }
    }
}

} // namespace

CleanMesh clean_mesh(const TriangleMesh& mesh)
{
    CleanMesh clean;
    MeshReport& report = clean.report;
    report.vertex_count = mesh.vertices.size();
    report.triangle_count = mesh.triangles.size();

    const std::vector<Index> welded = welded_vertices(mesh.vertices, report);
    clean.mesh =
        compact_mesh(mesh.vertices, without_doubles(meaningful_triangles(mesh, welded, report), report));
    const std::vector<Side> sides = sorted_sides(clean.mesh.triangles);
    count_edges(sides, clean.mesh.vertices.size(), report);
    find_components(sides, clean);
    report.area = surface_area(clean.mesh);
    report.signed_volume = signed_volume(clean.mesh);
    return clean;
}

} // namespace phyxel::detail
