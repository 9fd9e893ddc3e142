// SPDX-License-Identifier: MIT
#include <phyxel/surface/marching_cubes.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/cell_cases.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace phyxel {
namespace {

using detail::CellCases;

constexpr int edge = SparseField::block_edge;
constexpr int wide = edge + 1; ///< nodes along an edge that the cells of a block see
constexpr std::size_t no_block = std::numeric_limits<std::size_t>::max();

/// Vertices keep this part of an edge away from its ends. Two vertices near one node, on two of its edges,
/// would otherwise fall together, and triangles without area would come between them.
constexpr float end_gap = 0.01f;

/// Rows along x, `rows` of them along y.
constexpr std::size_t row_number(int j, int k, int rows)
{
    return static_cast<std::size_t>(k) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(j);
}

/// The vertices on the edges that begin in one row of eight nodes: bit i of `crossed[axis]` is set if the
/// edge from node i along this axis is crossed.
struct RowVertices {
    std::uint16_t first = 0; ///< counted from the first vertex of the block
    std::array<std::uint8_t, 3> crossed{};
};

/// A block through which the surface goes.
struct ActiveBlock {
    std::size_t block = 0;
    /// The active blocks at +x (1), +y (2), +z (4) and their sums; the first one is this one itself.
    std::array<std::size_t, 8> upper{};
    std::array<RowVertices, edge * edge> rows;
    std::size_t vertex_count = 0; ///< on edges, then in the middle of loops
    std::size_t edge_vertex_count = 0;
    std::size_t triangle_count = 0;
    std::size_t first_vertex = 0;
    std::size_t first_triangle = 0;

    std::size_t vertex_on(int i, int j, int k, unsigned axis) const
    {
        const RowVertices& row = rows[row_number(j, k, edge)];
        std::size_t number = first_vertex + row.first;
        for (unsigned a = 0; a < axis; ++a) number += static_cast<std::size_t>(std::popcount(row.crossed[a]));
        const auto before = static_cast<std::uint8_t>(row.crossed[axis] & ((1u << i) - 1));
        return number + static_cast<std::size_t>(std::popcount(before));
    }
};

/// What the cells of a block see: the values at its nodes and at the first ones of the blocks above, less the
/// iso value, and in `inside` a bit for each node of a row.
struct BlockView {
    std::array<float, std::size_t(wide) * wide * wide> values;
    std::array<std::uint16_t, std::size_t(wide) * wide> inside;

    static std::size_t row(int j, int k) { return row_number(j, k, wide); }
    const float* row_values(int j, int k) const { return values.data() + row(j, k) * wide; }
    float value(int i, int j, int k) const { return row_values(j, k)[i]; }

    /// Bits of the cells of row (j, k) whose corners are neither all inside nor all outside.
    unsigned mixed_cells(int j, int k) const
    {
        const std::array<unsigned, 4> rows = {inside[row(j, k)], inside[row(j + 1, k)], inside[row(j, k + 1)],
                                              inside[row(j + 1, k + 1)]};
        const unsigned any = rows[0] | rows[1] | rows[2] | rows[3];
        const unsigned all = rows[0] & rows[1] & rows[2] & rows[3];
        return (any | any >> 1) & ~(all & all >> 1) & 0xffu;
    }

    /// Bit c says whether corner c of the cell is inside.
    unsigned corners_inside(int i, int j, int k) const
    {
        const auto two = [&](int dj, int dk) { return inside[row(j + dj, k + dk)] >> i & 3u; };
        return two(0, 0) | two(1, 0) << 2 | two(0, 1) << 4 | two(1, 1) << 6;
    }

    /// Bit f says whether the inner corners of face f, whose corners alternate, are connected on it.
    unsigned joined_faces(int i, int j, int k, unsigned ambiguous) const
    {
        unsigned joined = 0;
        for (; ambiguous != 0; ambiguous &= ambiguous - 1) {
            const auto f = static_cast<unsigned>(std::countr_zero(ambiguous));
            const detail::CellFace& face = CellCases::faces()[f];
            const auto at = [&](unsigned n) {
                const unsigned c = face[n];
                return value(i + int(c & 1), j + int(c >> 1 & 1), k + int(c >> 2 & 1));
            };
            const float even = at(0) * at(2);
            const float odd = at(1) * at(3);
            // The saddle of the bilinear interpolant has the sign of the difference of the two products
            // [NH91]. A product has the same bits in either order, so both cells decide alike.
            const float inner = at(0) >= 0 ? even : odd;
            const float outer = at(0) >= 0 ? odd : even;
            if (inner >= outer) joined |= 1u << f;
        }
        return joined;
    }
};

/// The blocks of the field at +x, +y, +z and their sums; the first one is the block itself.
std::array<std::size_t, 8> upper_blocks(const SparseField& field, std::size_t block)
{
    std::array<std::size_t, 8> upper{block};
    const GridIndex index = field.block_index(block);
    for (int n = 1; n < 8; ++n)
        upper[static_cast<std::size_t>(n)] =
            field.find({index[0] + (n & 1), index[1] + (n >> 1 & 1), index[2] + (n >> 2 & 1)})
                .value_or(no_block);
    return upper;
}

void view_block(const SparseField& field, float iso, const std::array<std::size_t, 8>& blocks,
                BlockView& view)
{
    const auto values_of = [&](int n) -> const float* {
        const std::size_t block = blocks[static_cast<std::size_t>(n)];
        return block == no_block ? nullptr : field.values(block).data();
    };
    for (int k = 0; k < wide; ++k)
        for (int j = 0; j < wide; ++j) {
            const int n = (j == edge ? 2 : 0) + (k == edge ? 4 : 0);
            const int row = (k % edge) * edge * edge + (j % edge) * edge;
            const float* here = values_of(n);
            const float* next = values_of(n + 1);
            float* out = view.values.data() + BlockView::row(j, k) * wide;
            unsigned inside = 0;
            for (int i = 0; i < edge; ++i) {
                out[i] = (here != nullptr ? here[row + i] : field.background()) - iso;
                inside |= (out[i] >= 0 ? 1u : 0u) << i;
            }
            out[edge] = (next != nullptr ? next[row] : field.background()) - iso;
            inside |= (out[edge] >= 0 ? 1u : 0u) << edge;
            view.inside[BlockView::row(j, k)] = static_cast<std::uint16_t>(inside);
        }
}

/// Whether a node of the block is inside on the side that looks in direction (x, y, z), each −1, 0 or 1.
bool is_inside_towards(const BlockView& view, int x, int y, int z)
{
    const unsigned columns = x < 0 ? 0x01u : x > 0 ? 0x80u : 0xffu;
    for (int k = z > 0 ? edge - 1 : 0; k < (z < 0 ? 1 : edge); ++k)
        for (int j = y > 0 ? edge - 1 : 0; j < (y < 0 ? 1 : edge); ++j)
            if ((view.inside[BlockView::row(j, k)] & columns) != 0) return true;
    return false;
}

/// Throws unless the blocks reach one node beyond all nodes of this block that are inside.
void check_border(const SparseField& field, std::size_t block, const BlockView& view)
{
    if (!is_inside_towards(view, 0, 0, 0)) return;
    const GridIndex b = field.block_index(block);
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (!field.find({b[0] + x, b[1] + y, b[2] + z}) && is_inside_towards(view, x, y, z))
                    throw InputError("the surface leaves the blocks of the field; they must reach one node "
                                     "beyond all that is inside");
}

/// Calls visit(i, j, k, triangles) for all cells of a block that have any.
template <class Visit>
void for_each_cell(const BlockView& view, Visit&& visit)
{
    const CellCases& cases = CellCases::instance();
    for (int k = 0; k < edge; ++k)
        for (int j = 0; j < edge; ++j)
            for (unsigned cells = view.mixed_cells(j, k); cells != 0; cells &= cells - 1) {
                const int i = std::countr_zero(cells);
                const unsigned inside = view.corners_inside(i, j, k);
                const unsigned joined = view.joined_faces(i, j, k, cases.ambiguous_faces(inside));
                visit(i, j, k, cases.triangles(inside, joined));
            }
}

/// Counts what the block will have. Returns whether there is anything.
bool count_block(const BlockView& view, ActiveBlock& active)
{
    std::size_t vertices = 0;
    for (int k = 0; k < edge; ++k)
        for (int j = 0; j < edge; ++j) {
            const unsigned here = view.inside[BlockView::row(j, k)];
            RowVertices& row = active.rows[row_number(j, k, edge)];
            row.first = static_cast<std::uint16_t>(vertices);
            row.crossed = {static_cast<std::uint8_t>(here ^ here >> 1),
                           static_cast<std::uint8_t>(here ^ view.inside[BlockView::row(j + 1, k)]),
                           static_cast<std::uint8_t>(here ^ view.inside[BlockView::row(j, k + 1)])};
            for (const std::uint8_t bits : row.crossed)
                vertices += static_cast<std::size_t>(std::popcount(bits));
        }
    active.edge_vertex_count = vertices;
    active.vertex_count = vertices;
    for_each_cell(view, [&](int, int, int, const CellCases::Triangles& found) {
        active.triangle_count += found.edges.size() / 3;
        active.vertex_count += static_cast<std::size_t>(found.middle_count);
    });
    return active.vertex_count + active.triangle_count > 0;
}

void place_edge_vertices(const SparseField& field, const BlockView& view, const ActiveBlock& active,
                         std::span<Vec<3>> vertices)
{
    const GridIndex block = field.block_index(active.block);
    std::size_t next = active.first_vertex;
    for (int k = 0; k < edge; ++k)
        for (int j = 0; j < edge; ++j) {
            const RowVertices& row = active.rows[row_number(j, k, edge)];
            for (int axis = 0; axis < 3; ++axis)
                for (unsigned bits = row.crossed[static_cast<std::size_t>(axis)]; bits != 0;
                     bits &= bits - 1) {
                    const int i = std::countr_zero(bits);
                    const float a = view.value(i, j, k);
                    const float b = view.value(i + (axis == 0), j + (axis == 1), k + (axis == 2));
                    // Written so that a value that is not a number ends up at one of the ends.
                    float t = a / (a - b);
                    t = t > end_gap ? t : end_gap;
                    t = t < 1 - end_gap ? t : 1 - end_gap;
                    Vec<3> node(edge * block[0] + i, edge * block[1] + j, edge * block[2] + k);
                    node[axis] += double(t);
                    vertices[next++] = field.cell() * node;
                }
        }
}

class Extraction {
public:
    Extraction(const SparseField& field, float iso) : field_(field), iso_(iso) {}

    IsoSurface run()
    {
        find_active_blocks();
        number_vertices();
        IsoSurface surface;
        surface.mesh.vertices.resize(vertex_count_);
        surface.mesh.triangles.resize(triangle_count_);
        parallel_for_blocks(active_.size(), 8, [&](const Block& part) {
            BlockView view;
            for (std::size_t n = part.begin; n < part.end; ++n) {
                view_block(field_, iso_, upper_blocks(field_, active_[n].block), view);
                place_edge_vertices(field_, view, active_[n], surface.mesh.vertices);
                connect(view, active_[n], surface.mesh);
            }
        });
        // A vertex in the middle of a loop needs those of the loop, some of which lie in other blocks.
        parallel_for_blocks(active_.size(), 8, [&](const Block& part) {
            BlockView view;
            for (std::size_t n = part.begin; n < part.end; ++n) {
                if (active_[n].vertex_count == active_[n].edge_vertex_count) continue;
                view_block(field_, iso_, upper_blocks(field_, active_[n].block), view);
                place_middle_vertices(view, active_[n], surface.mesh.vertices);
            }
        });
        if (!active_.empty()) {
            for (const ActiveBlock& active : active_) surface.groups.push_back(active.first_vertex);
            surface.groups.push_back(vertex_count_);
        }
        return surface;
    }

private:
    void find_active_blocks()
    {
        constexpr std::size_t part_size = 16;
        std::vector<std::vector<ActiveBlock>> found(block_count(field_.block_count(), part_size));
        parallel_for_blocks(field_.block_count(), part_size, [&](const Block& part) {
            BlockView view;
            for (std::size_t b = part.begin; b < part.end; ++b) {
                const std::array<std::size_t, 8> upper = upper_blocks(field_, b);
                view_block(field_, iso_, upper, view);
                check_border(field_, b, view);
                ActiveBlock active;
                if (!count_block(view, active)) continue;
                active.block = b;
                active.upper = upper;
                found[part.number].push_back(active);
            }
        });
        for (std::vector<ActiveBlock>& part : found) active_.insert(active_.end(), part.begin(), part.end());
    }

    void number_vertices()
    {
        for (ActiveBlock& active : active_) {
            active.first_vertex = vertex_count_;
            active.first_triangle = triangle_count_;
            vertex_count_ += active.vertex_count;
            triangle_count_ += active.triangle_count;
        }
        if (vertex_count_ > std::numeric_limits<Index>::max())
            throw InputError("the surface has more vertices than can be numbered; larger cells make fewer");
        const auto is_before = [](const ActiveBlock& a, std::size_t block) { return a.block < block; };
        for (ActiveBlock& active : active_)
            for (std::size_t& upper : active.upper) {
                if (upper == no_block) continue;
                const auto found = std::lower_bound(active_.begin(), active_.end(), upper, is_before);
                upper = found != active_.end() && found->block == upper
                            ? static_cast<std::size_t>(found - active_.begin())
                            : no_block;
            }
    }

    void connect(const BlockView& view, const ActiveBlock& active, TriangleMesh& mesh) const
    {
        std::size_t next_triangle = active.first_triangle;
        std::size_t next_middle = active.first_vertex + active.edge_vertex_count;
        for_each_cell(view, [&](int i, int j, int k, const CellCases::Triangles& found) {
            const auto vertex = [&](std::uint8_t e) {
                return static_cast<Index>(e < detail::edge_count ? vertex_of_edge(active, i, j, k, e)
                                                                 : next_middle + e - detail::edge_count);
            };
            for (std::size_t t = 0; t < found.edges.size(); t += 3)
                mesh.triangles[next_triangle++] = {vertex(found.edges[t]), vertex(found.edges[t + 1]),
                                                   vertex(found.edges[t + 2])};
            next_middle += static_cast<std::size_t>(found.middle_count);
        });
    }

    void place_middle_vertices(const BlockView& view, const ActiveBlock& active,
                               std::span<Vec<3>> vertices) const
    {
        std::size_t next_middle = active.first_vertex + active.edge_vertex_count;
        for_each_cell(view, [&](int i, int j, int k, const CellCases::Triangles& found) {
            for (std::size_t at = 0; at < found.middle_loops.size();) {
                const std::size_t length = found.middle_loops[at++];
                Vec<3> sum = Vec<3>::Zero();
                for (std::size_t n = 0; n < length; ++n)
                    sum += vertices[vertex_of_edge(active, i, j, k, found.middle_loops[at++])];
                vertices[next_middle++] = sum / double(length);
            }
        });
    }

    /// The vertex on an edge of cell (i, j, k) of a block, which may belong to a block above.
    std::size_t vertex_of_edge(const ActiveBlock& active, int i, int j, int k, std::uint8_t number) const
    {
        const detail::CellEdge& e = CellCases::edges()[number];
        i += int(e.begin & 1);
        j += int(e.begin >> 1 & 1);
        k += int(e.begin >> 2 & 1);
        const int n = (i == edge ? 1 : 0) + (j == edge ? 2 : 0) + (k == edge ? 4 : 0);
        const ActiveBlock& owner = n == 0 ? active : active_[active.upper[static_cast<std::size_t>(n)]];
        return owner.vertex_on(i % edge, j % edge, k % edge, e.axis);
    }

    const SparseField& field_;
    float iso_;
    std::vector<ActiveBlock> active_;
    std::size_t vertex_count_ = 0;
    std::size_t triangle_count_ = 0;
};

} // namespace

IsoSurface marching_cubes(const SparseField& field, float iso)
{
    if (field.background() >= iso)
        throw InputError("the background of the field is inside of the surface, which has no end then");
    return Extraction(field, iso).run();
}

} // namespace phyxel
