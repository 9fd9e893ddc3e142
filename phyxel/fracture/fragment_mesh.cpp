// SPDX-License-Identifier: MIT
#include <phyxel/fracture/fragment_mesh.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/disjoint_sets.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/kd_tree.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace phyxel {
namespace {

constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t most_nodes = 1'000'000'000;
/// Cells between the grid's corner and the shape: no node then lies in a face of a box of whole cells.
constexpr double grid_margin = 1.37;
/// Phyxels around a node that are asked for their fragment.
constexpr std::size_t asked_phyxels = 16;
/// Directions in which planes turn less than this share of the most, by the eigenvalues of their squares, are
/// those along an edge or a face.
constexpr double least_turn = 0.05;
/// Of a cell: a vertex may be so far outside of it, as the edge that its planes meet in may be.
constexpr double farthest_beyond = 0.5;

/// The place that fits planes through places best, and is nearest to their mean along edges and faces.
class PlaneFit {
public:
    void add(const Vec<3>& place, const Vec<3>& normal)
    {
        middle_ += place;
        count_ += 1.0;
        A_ += normal * normal.transpose();
        b_ += normal * normal.dot(place);
    }

    Vec<3> place() const
    {
        const Vec<3> middle = middle_ / count_;
        const Eigen::SelfAdjointEigenSolver<Mat<3>> solver(A_);
        const Vec<3> values = solver.eigenvalues(), rest = b_ - A_ * middle;
        Vec<3> x = middle;
        for (int k = 0; k < 3; ++k) {
            if (!(values[k] > least_turn * values[2])) continue;
            const Vec<3> axis = solver.eigenvectors().col(k);
            x += axis * (axis.dot(rest) / values[k]);
        }
        return x;
    }

private:
    Vec<3> middle_ = Vec<3>::Zero(), b_ = Vec<3>::Zero();
    Mat<3> A_ = Mat<3>::Zero();
    double count_ = 0.0;
};

} // namespace

FragmentMesher::FragmentMesher(const Shape<3>& shape, double cell) : shape_(shape), cell_(cell)
{
    if (!(std::isfinite(cell) && cell > 0.0)) throw InputError("the cell of fragments must be positive");
    if (shape.is_sheet()) throw InputError("a sheet has no inside that could have fragments");
    const Box<3>& bounds = shape.bounds();
    origin_ = bounds.min - Vec<3>::Constant(grid_margin * cell);
    double nodes = 1.0;
    for (int k = 0; k < 3; ++k) {
        const double count = std::ceil((bounds.max[k] - origin_[k]) / cell) + 2.0;
        nodes *= count;
        if (!(nodes <= static_cast<double>(most_nodes)))
            throw InputError("fragments need more than a billion cells; use larger ones");
        count_[static_cast<std::size_t>(k)] = static_cast<std::uint64_t>(count);
    }
    stride_ = {1, count_[0], count_[0] * count_[1]};
    const std::uint64_t size = stride_[2] * count_[2];

    inner_number_.assign(size, nothing);
    // A layer at a time, as places are many times as large as what is kept of them.
    std::vector<Vec<3>> layer(stride_[2]);
    std::vector<std::uint8_t> is_inside(stride_[2]);
    for (Node first = 0; first < size; first += stride_[2]) {
        parallel_for(layer.size(), [&](Index k) { layer[k] = place_of(first + k); });
        shape_.inside(layer, is_inside);
        for (std::size_t k = 0; k < layer.size(); ++k) {
            if (is_inside[k] == 0) continue;
            inner_number_[first + k] = static_cast<std::uint32_t>(inside_.size());
            inside_.push_back(first + k);
        }
    }

    std::vector<std::vector<Cut>> found(inside_.size());
    parallel_for(inside_.size(), [&](Index n) {
        for (int axis = 0; axis < 3; ++axis) {
            const Node node = inside_[n], before = node - stride_[static_cast<std::size_t>(axis)];
            if (inner_number_[before] == nothing) found[n].push_back(cut_at_surface(before, axis));
            if (inner_number_[next(node, axis)] == nothing) found[n].push_back(cut_at_surface(node, axis));
        }
    });
    for (const std::vector<Cut>& cuts : found)
        surface_cuts_.insert(surface_cuts_.end(), cuts.begin(), cuts.end());
    std::sort(surface_cuts_.begin(), surface_cuts_.end(),
              [](const Cut& a, const Cut& b) { return a.edge < b.edge; });
}

Vec<3> FragmentMesher::place_of(Node node) const
{
    const auto number = [](std::uint64_t count) { return static_cast<double>(count); };
    return origin_ + cell_ * Vec<3>(number(node % count_[0]), number(node / stride_[1] % count_[1]),
                                    number(node / stride_[2]));
}

/// By false position; an end that stays twice counts by half, or the other would come near ever more slowly.
FragmentMesher::Cut FragmentMesher::cut_at_surface(Node node, int axis) const
{
    constexpr int most_steps = 24;
    constexpr double exact = 1e-6; // cells
    const Vec<3> start = place_of(node), end = place_of(next(node, axis));
    double a = 0.0, b = 1.0, t = 0.5;
    double at_a = shape_.signed_distance(start), at_b = shape_.signed_distance(end);
    SignedDistance<3> there{};
    int stayed = 0;
    for (int step = 0; step < most_steps; ++step) {
        t = at_a != at_b ? a - at_a * (b - a) / (at_b - at_a) : 0.5 * (a + b);
        if (!(t >= a && t <= b)) t = 0.5 * (a + b);
        there = shape_.sample(start + t * (end - start));
        if (std::abs(there.value) < exact * cell_) break;
        if ((there.value < 0.0) == (at_a < 0.0)) {
            a = t;
            at_a = there.value;
            if (stayed == 1) at_b *= 0.5;
            stayed = 1;
        } else {
            b = t;
            at_b = there.value;
            if (stayed == -1) at_a *= 0.5;
            stayed = -1;
        }
    }
    return {3 * node + static_cast<std::uint64_t>(axis), start + t * (end - start), there.normal, false};
}

std::vector<std::uint32_t> FragmentMesher::label_nodes(std::span<const Vec<3>> phyxels,
                                                       std::span<const std::uint32_t> fragments,
                                                       const CrackSheets<3>& cracks) const
{
    const KdTree<3> tree(phyxels);
    std::vector<std::uint32_t> labels(inside_.size());
    parallel_for(inside_.size(), [&](Index n) {
        const Vec<3> x = place_of(inside_[n]);
        std::vector<Neighbor<double>> near;
        tree.nearest(x, asked_phyxels, near);
        labels[n] = fragments[near.front().id];
        const auto is_other = [&](const auto& phyxel) { return fragments[phyxel.id] != labels[n]; };
        if (std::none_of(near.begin(), near.end(), is_other)) return;
        for (const auto& phyxel : near)
            if (!cracks.is_crossed(x, phyxels[phyxel.id])) {
                labels[n] = fragments[phyxel.id];
                return;
            }
    });
    return labels;
}

/// Between nodes that are in the shape both.
std::vector<FragmentMesher::Cut> FragmentMesher::cut_inside(std::span<const std::uint32_t> labels,
                                                            const CrackSheets<3>& cracks) const
{
    std::vector<std::vector<Cut>> found(inside_.size());
    parallel_for(inside_.size(), [&](Index n) {
        const Node node = inside_[n];
        const Vec<3> x = place_of(node);
        const bool is_near = !cracks.is_empty() && !cracks.faces_near(x, 1.01 * cell_).empty();
        for (int axis = 0; axis < 3; ++axis) {
            const std::uint32_t other = inner_number_[next(node, axis)];
            if (other == nothing) continue;
            const Vec<3> y = place_of(next(node, axis));
            Cut cut{3 * node + static_cast<std::uint64_t>(axis), 0.5 * (x + y), Vec<3>::Zero(), true};
            bool is_crossed = false;
            if (is_near)
                cracks.for_each_crossing(x, y, [&](Index face, const Vec<3>& place) {
                    if (std::exchange(is_crossed, true)) return;
                    const auto [a, b, c] = cracks.corners(face);
                    cut.place = place;
                    cut.normal = Vec<3>(b - a).cross(Vec<3>(c - a)).normalized();
                });
            if (is_crossed || labels[n] != labels[other]) found[n].push_back(cut);
        }
    });
    std::vector<Cut> cuts;
    for (const std::vector<Cut>& some : found) cuts.insert(cuts.end(), some.begin(), some.end());
    return cuts;
}

/// The faces on the sides of cuts, and what joins their corners to vertices.
class FragmentMesher::Builder {
public:
    Builder(const FragmentMesher& grid, std::span<const std::uint32_t> labels, std::vector<Cut> cuts)
        : grid_(grid),
          labels_(labels),
          cuts_(std::move(cuts)),
          vertices_(8 * cuts_.size())
    {
        if (cuts_.size() >= nothing / 8) throw InputError("fragments have too large a surface");
        std::sort(cuts_.begin(), cuts_.end(), [](const Cut& a, const Cut& b) { return a.edge < b.edge; });
    }

    FragmentMesh build(std::size_t fragment_count)
    {
        find_seams();
        surfaces_ = vertices_;
        for (std::uint32_t cut = 0; cut < cuts_.size(); ++cut)
            for (std::uint32_t k = 0; k < 4; ++k) surfaces_.join(corner(cut, 0, k), corner(cut, 1, k));
        place_vertices();
        number_vertices(fragment_count);
        find_doubled_seams();
        add_triangles(fragment_count);
        return std::move(made_);
    }

private:
    /// Of a cut: side 0 is that of the lower node, and corner k is in the cells around the edge,
    /// counterclockwise as seen from the upper one.
    static std::uint32_t corner(std::uint32_t cut, std::uint32_t side, std::uint32_t k)
    {
        return 8 * cut + 4 * side + k;
    }
    static int axis_of(const Cut& cut) { return static_cast<int>(cut.edge % 3); }
    Node node_of(std::uint32_t cut, std::uint32_t side) const
    {
        const Node node = cuts_[cut].edge / 3;
        return side == 0 ? node : grid_.next(node, axis_of(cuts_[cut]));
    }
    bool is_inside(Node node) const { return grid_.inner_number_[node] != nothing; }
    bool is_inside(std::uint32_t cut, std::uint32_t side) const { return is_inside(node_of(cut, side)); }
    std::uint32_t label_of(Node node) const { return labels_[grid_.inner_number_[node]]; }
    Node stride(int axis) const { return grid_.stride_[static_cast<std::size_t>(axis % 3)]; }

    /// The cells are numbered like their lowest nodes.
    Node cell(std::uint32_t cut, std::uint32_t k) const
    {
        const int axis = axis_of(cuts_[cut]);
        Node node = cuts_[cut].edge / 3;
        if (k == 0 || k == 3) node -= stride(axis + 1);
        if (k == 0 || k == 1) node -= stride(axis + 2);
        return node;
    }
    std::uint32_t corner_in(std::uint32_t cut, std::uint32_t side, Node cell_number) const
    {
        std::uint32_t k = 0;
        while (k < 3 && cell(cut, k) != cell_number) ++k;
        PHYXEL_ASSERT(cell(cut, k) == cell_number);
        return corner(cut, side, k);
    }

    std::uint32_t find(Node node, int axis) const
    {
        const std::uint64_t edge = 3 * node + static_cast<std::uint64_t>(axis % 3);
        const auto cut = std::lower_bound(cuts_.begin(), cuts_.end(), edge,
                                          [](const Cut& a, std::uint64_t b) { return a.edge < b; });
        const bool is_there = cut != cuts_.end() && cut->edge == edge;
        return is_there ? static_cast<std::uint32_t>(cut - cuts_.begin()) : nothing;
    }

    /// Where the sides of two cuts meet in a face of the grid, in the cells on both sides of it. A cut that
    /// meets itself is the end of a slit.
    struct Seam {
        std::uint64_t face;
        std::array<std::uint32_t, 2> first, second; ///< corners: of one side, and of the other
    };

    void find_seams()
    {
        std::vector<std::uint64_t> faces; // 3 times the lowest node, and the axis across
        for (const Cut& cut : cuts_) {
            const Node node = cut.edge / 3;
            const int axis = axis_of(cut);
            for (const int along : {axis + 1, axis + 2}) {
                const auto across = static_cast<std::uint64_t>((2 * (axis + along)) % 3);
                faces.push_back(3 * node + across);
                faces.push_back(3 * (node - stride(along)) + across);
            }
        }
        std::sort(faces.begin(), faces.end());
        faces.erase(std::unique(faces.begin(), faces.end()), faces.end());
        for (const std::uint64_t face : faces) {
            const Node node = face / 3;
            const int across = static_cast<int>(face % 3);
            const Node up = node + stride(across + 1), right = node + stride(across + 2);
            const std::array<Node, 4> around = {node, up, up + stride(across + 2), right};
            // From each node to the next, and the side of the next one.
            const std::array<std::uint32_t, 4> between = {find(node, across + 1), find(up, across + 2),
                                                          find(right, across + 1), find(node, across + 2)};
            constexpr std::array<std::uint32_t, 4> side = {1, 1, 0, 0};
            for (std::size_t k = 0; k < 4; ++k) {
                if (between[k] == nothing || !is_inside(around[(k + 1) % 4])) continue;
                std::size_t end = (k + 1) % 4;
                while (between[end] == nothing) end = (end + 1) % 4;
                Seam seam{face, {}, {}};
                for (const std::size_t c : {0u, 1u}) {
                    const Node there = c == 0 ? node : node - stride(across);
                    seam.first[c] = corner_in(between[k], side[k], there);
                    seam.second[c] = corner_in(between[end], 1 - side[end], there);
                    vertices_.join(seam.first[c], seam.second[c]);
                }
                seams_.push_back(seam);
            }
        }
    }

    /// One for all sides of all surfaces that meet in a cell.
    void place_vertices()
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> members; // surface, corner
        for (std::uint32_t cut = 0; cut < cuts_.size(); ++cut)
            for (std::uint32_t k = 0; k < 4; ++k)
                members.emplace_back(surfaces_.find(corner(cut, 0, k)), corner(cut, 0, k));
        std::sort(members.begin(), members.end());
        place_of_surface_.resize(8 * cuts_.size());
        is_crack_.resize(8 * cuts_.size());
        for (std::size_t begin = 0, end = 0; begin < members.size(); begin = end) {
            PlaneFit fit;
            const std::uint32_t surface = members[begin].first;
            for (end = begin; end < members.size() && members[end].first == surface; ++end) {
                const Cut& cut = cuts_[members[end].second / 8];
                fit.add(cut.place, cut.normal);
                if (cut.is_crack) is_crack_[surface] = 1;
            }
            const std::uint32_t first = members[begin].second;
            const Vec<3> low = grid_.place_of(cell(first / 8, first % 4));
            const Vec<3> beyond = Vec<3>::Constant(farthest_beyond * grid_.cell_);
            place_of_surface_[surface] =
                fit.place().cwiseMax(low - beyond).cwiseMin(low + Vec<3>::Constant(grid_.cell_) + beyond);
        }
    }

    void number_vertices(std::size_t fragment_count)
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> roots; // fragment, corner
        for (std::uint32_t cut = 0; cut < cuts_.size(); ++cut)
            for (const std::uint32_t side : {0u, 1u})
                for (std::uint32_t k = 0; is_inside(cut, side) && k < 4; ++k)
                    if (vertices_.find(corner(cut, side, k)) == corner(cut, side, k))
                        roots.emplace_back(label_of(node_of(cut, side)), corner(cut, side, k));
        std::sort(roots.begin(), roots.end());
        number_.assign(8 * cuts_.size(), nothing);
        for (const auto& [fragment, root] : roots) {
            number_[root] = static_cast<std::uint32_t>(made_.vertices.size());
            add_vertex(place_of_surface_[surfaces_.find(root)], fragment, is_crack_[surfaces_.find(root)]);
        }
        std::vector<double> nearest(roots.size(), std::numeric_limits<double>::infinity());
        for (std::uint32_t cut = 0; cut < cuts_.size(); ++cut)
            for (const std::uint32_t side : {0u, 1u})
                for (std::uint32_t k = 0; is_inside(cut, side) && k < 4; ++k) {
                    const std::uint32_t vertex = number(cut, side, k);
                    const Vec<3> x = grid_.place_of(node_of(cut, side));
                    const double distance = (x - made_.vertices[vertex]).squaredNorm();
                    if (!(distance < nearest[vertex])) continue;
                    nearest[vertex] = distance;
                    made_.inner[vertex] = x;
                }
        extra_.resize(fragment_count);
    }

    Index add_vertex(const Vec<3>& x, std::uint32_t fragment, std::uint8_t is_crack)
    {
        made_.vertices.push_back(x);
        made_.inner.push_back(x);
        made_.fragment.push_back(fragment);
        made_.is_crack.push_back(is_crack);
        return static_cast<Index>(made_.vertices.size() - 1);
    }

    std::uint32_t number(std::uint32_t cut, std::uint32_t side, std::uint32_t k)
    {
        return number_[vertices_.find(corner(cut, side, k))];
    }

    /// Two seams of one face of the grid may join the same two vertices. All but the first get a vertex in
    /// their middle.
    void find_doubled_seams()
    {
        std::map<std::pair<std::uint32_t, std::uint32_t>, int> joined;
        std::uint64_t face = 0;
        for (const Seam& seam : seams_) {
            if (std::exchange(face, seam.face) != seam.face) joined.clear();
            const auto ends = [&](const std::array<std::uint32_t, 2>& corners) {
                return std::pair(vertices_.find(corners[0]), vertices_.find(corners[1]));
            };
            if (joined[ends(seam.first)]++ == 0) continue;
            const std::uint32_t a = number_[vertices_.find(seam.first[0])],
                                b = number_[vertices_.find(seam.first[1])];
            const std::uint32_t middle = add_extra(0.5 * (made_.vertices[a] + made_.vertices[b]), a);
            for (const auto& corners : {seam.first, seam.second})
                middles_[std::minmax(corners[0], corners[1])] = middle;
        }
    }

    /// Vertices of a fragment beside those of corners; they get their numbers last.
    struct Extra {
        Vec<3> place, inner;
        std::uint8_t is_crack;
    };
    std::uint32_t add_extra(const Vec<3>& place, std::uint32_t like)
    {
        const std::uint32_t fragment = made_.fragment[like];
        extra_[fragment].push_back({place, made_.inner[like], made_.is_crack[like]});
        return static_cast<std::uint32_t>(extra_[fragment].size() - 1);
    }

    void add_triangles(std::size_t fragment_count)
    {
        // Of each fragment; corners from `is_extra` on are among its extra vertices.
        constexpr std::uint32_t is_extra = 1u << 31u;
        std::vector<std::vector<std::array<std::uint32_t, 3>>> triangles(fragment_count);
        for (std::uint32_t cut = 0; cut < cuts_.size(); ++cut) {
            std::array<std::array<std::uint32_t, 4>, 2> corners;
            bool is_short = false; // the way between the first and the third
            for (const std::uint32_t side : {0u, 1u}) {
                if (!is_inside(cut, side)) continue;
                for (std::uint32_t k = 0; k < 4; ++k) corners[side][k] = number(cut, side, k);
                const auto way = [&](std::size_t a, std::size_t b) {
                    return (made_.vertices[corners[side][a]] - made_.vertices[corners[side][b]])
                        .squaredNorm();
                };
                is_short = way(0, 2) <= way(1, 3);
            }
            const bool is_two_sided = is_inside(cut, 0) && is_inside(cut, 1);
            for (const std::uint32_t side : {0u, 1u}) {
                if (!is_inside(cut, side)) continue;
                auto& out = triangles[label_of(node_of(cut, side))];
                const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                    if (side == 0)
                        out.push_back({a, b, c});
                    else
                        out.push_back({a, c, b});
                };
                const std::array<std::uint32_t, 4>& v = corners[side];
                std::vector<std::uint32_t> polygon;
                for (std::uint32_t k = 0; k < 4; ++k) {
                    polygon.push_back(v[k]);
                    const std::uint32_t a = corner(cut, side, k), b = corner(cut, side, (k + 1) % 4);
                    const auto middle = middles_.find(std::minmax(a, b));
                    if (middle != middles_.end()) polygon.push_back(is_extra + middle->second);
                }
                if (polygon.size() > 4) {
                    Vec<3> center = Vec<3>::Zero();
                    for (const std::uint32_t vertex : v) center += 0.25 * made_.vertices[vertex];
                    const std::uint32_t middle = is_extra + add_extra(center, v[0]);
                    for (std::size_t k = 0; k < polygon.size(); ++k)
                        add(middle, polygon[k], polygon[(k + 1) % polygon.size()]);
                    continue;
                }
                // The two sides of a slit may have both ends of the way in common.
                const std::size_t start = is_short ? 0 : 1;
                const bool is_taken = side == 1 && is_two_sided && corners[0][start] == v[start] &&
                                      corners[0][start + 2] == v[start + 2];
                const std::size_t first = is_taken ? 1 - start : start;
                add(v[first], v[first + 1], v[first + 2]);
                add(v[first + 2], v[(first + 3) % 4], v[first]);
            }
        }

        // The extra vertices of each fragment come behind its others.
        FragmentMesh whole;
        std::size_t from = 0;
        for (std::uint32_t fragment = 0; fragment < fragment_count; ++fragment) {
            const std::size_t shift = whole.vertices.size() - from, begin = from;
            whole.first_vertex.push_back(whole.vertices.size());
            whole.first_triangle.push_back(whole.triangles.size());
            for (; from < made_.vertices.size() && made_.fragment[from] == fragment; ++from) {
                whole.vertices.push_back(made_.vertices[from]);
                whole.inner.push_back(made_.inner[from]);
                whole.is_crack.push_back(made_.is_crack[from]);
            }
            const std::size_t behind = whole.vertices.size();
            for (const Extra& extra : extra_[fragment]) {
                whole.vertices.push_back(extra.place);
                whole.inner.push_back(extra.inner);
                whole.is_crack.push_back(extra.is_crack);
            }
            whole.fragment.resize(whole.vertices.size(), fragment);
            PHYXEL_ASSERT(from >= begin);
            for (const auto& corners : triangles[fragment]) {
                std::array<Index, 3> triangle;
                for (std::size_t k = 0; k < 3; ++k)
                    triangle[k] = static_cast<Index>(
                        (corners[k] & is_extra) != 0 ? behind + (corners[k] - is_extra) : corners[k] + shift);
                whole.triangles.push_back(triangle);
            }
        }
        whole.first_vertex.push_back(whole.vertices.size());
        whole.first_triangle.push_back(whole.triangles.size());
        made_ = std::move(whole);
    }

    const FragmentMesher& grid_;
    std::span<const std::uint32_t> labels_;
    std::vector<Cut> cuts_;
    DisjointSets vertices_, surfaces_; ///< of corners
    std::vector<Seam> seams_;
    std::vector<Vec<3>> place_of_surface_; ///< by their roots
    std::vector<std::uint8_t> is_crack_;
    std::vector<std::uint32_t> number_; ///< of vertices, by their roots
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles_; ///< between corners
    std::vector<std::vector<Extra>> extra_;                                    ///< of each fragment
    FragmentMesh made_;
};

FragmentMesh FragmentMesher::mesh(std::span<const Vec<3>> phyxels, std::span<const std::uint32_t> fragments,
                                  const CrackSheets<3>& cracks) const
{
    PHYXEL_ASSERT(phyxels.size() == fragments.size());
    if (phyxels.empty()) throw InputError("a body without phyxels has no fragments");
    const std::vector<std::uint32_t> labels = label_nodes(phyxels, fragments, cracks);
    std::vector<Cut> cuts = cut_inside(labels, cracks);
    cuts.insert(cuts.end(), surface_cuts_.begin(), surface_cuts_.end());
    return Builder(*this, labels, std::move(cuts))
        .build(1 + *std::max_element(fragments.begin(), fragments.end()));
}

} // namespace phyxel
