// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/shape_mesh.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace phyxel {
namespace {

constexpr Index nothing = std::numeric_limits<Index>::max();

/// Nodes of a lattice of cubic cells that is a little larger than the shape, so that its outer nodes are
/// outside.
struct Lattice {
    Vec<3> origin;
    double cell;
    std::array<Index, 3> nodes;

    Lattice(const Box<3>& bounds, int resolution) : cell(bounds.longest_side() / resolution)
    {
        // Not by whole cells: faces of boxes should lie between nodes and not on them.
        origin = bounds.min.array() - 1.37 * cell;
        for (int k = 0; k < 3; ++k)
            nodes[static_cast<std::size_t>(k)] =
                static_cast<Index>(std::ceil(bounds.size()[k] / cell + 2.74)) + 1;
    }

    std::size_t size() const { return std::size_t(nodes[0]) * nodes[1] * nodes[2]; }
    std::size_t number(Index i, Index j, Index k) const
    {
        return (std::size_t(k) * nodes[1] + j) * nodes[0] + i;
    }
    std::array<Index, 3> node(std::size_t number) const
    {
        return {static_cast<Index>(number % nodes[0]), static_cast<Index>(number / nodes[0] % nodes[1]),
                static_cast<Index>(number / nodes[0] / nodes[1])};
    }
    Vec<3> place(const std::array<Index, 3>& n) const { return origin + cell * Vec<3>(n[0], n[1], n[2]); }
};

/// Where the surface crosses the edge from a (inside) to b (outside).
template <class Sample>
Vec<3> crossing(Vec<3> a, Vec<3> b, double phi_a, double phi_b, const Sample& sample)
{
    // The magnitude of φ may be anything below the distance, so interpolation alone is not exact.
    Vec<3> x = a;
    for (int step = 0; step < 12; ++step) {
        const double t = std::clamp(phi_a / (phi_a - phi_b), 0.05, 0.95);
        x = a + t * (b - a);
        const double phi = sample(x).value;
        if (phi < 0.0) {
            a = x;
            phi_a = phi;
        } else {
            b = x;
            phi_b = phi;
        }
    }
    return x;
}

/// The place in the cell that lies best on the tangent planes at all its crossings.
template <class Sample>
Vec<3> cell_vertex(const Lattice& lattice, const std::array<Index, 3>& cell, const std::vector<double>& phi,
                   const Sample& sample)
{
    std::array<Vec<3>, 12> points;
    std::array<Vec<3>, 12> normals;
    std::size_t count = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
        for (unsigned side = 0; side < 4; ++side) {
            std::array<Index, 3> a = cell;
            a[(axis + 1) % 3] += side & 1u;
            a[(axis + 2) % 3] += side >> 1;
            std::array<Index, 3> b = a;
            b[axis] += 1;
            const double phi_a = phi[lattice.number(a[0], a[1], a[2])];
            const double phi_b = phi[lattice.number(b[0], b[1], b[2])];
            if ((phi_a < 0.0) == (phi_b < 0.0)) continue;
            points[count] = phi_a < 0.0 ? crossing(lattice.place(a), lattice.place(b), phi_a, phi_b, sample)
                                        : crossing(lattice.place(b), lattice.place(a), phi_b, phi_a, sample);
            normals[count] = sample(points[count]).normal;
            ++count;
        }
    Vec<3> mean = Vec<3>::Zero();
    for (std::size_t i = 0; i < count; ++i) mean += points[i] / static_cast<double>(count);
    // Where the planes leave a direction open, the vertex stays near the middle of the crossings.
    Mat<3> A = 1e-3 * Mat<3>::Identity();
    Vec<3> b = Vec<3>::Zero();
    for (std::size_t i = 0; i < count; ++i) {
        if (!normals[i].allFinite()) continue;
        A += normals[i] * normals[i].transpose();
        b += normals[i] * normals[i].dot(points[i] - mean);
    }
    const Vec<3> x = mean + A.ldlt().solve(b);
    // Sharp edges may lie a little outside of the cell that notices them.
    const Vec<3> low = lattice.place(cell).array() - 0.5 * lattice.cell;
    return x.cwiseMax(low).cwiseMin(Vec<3>(low.array() + 2.0 * lattice.cell));
}

/// φ at all nodes. Where |φ| is at most the distance to the surface, only those near it are asked: in a block
/// that keeps off the surface every node has the number of its middle, of which the sign is right.
template <class Sample>
std::vector<double> node_values(const Lattice& lattice, bool has_distance_bound, const WorkBudget& work,
                                double sample_work, const Sample& sample)
{
    constexpr Index side = 4;
    std::vector<double> phi(lattice.size());
    std::array<Index, 3> blocks;
    for (std::size_t k = 0; k < 3; ++k) blocks[k] = static_cast<Index>(block_count(lattice.nodes[k], side));
    parallel_for(
        std::size_t(blocks[0]) * blocks[1] * blocks[2],
        [&](Index number) {
            const std::array<Index, 3> block = {number % blocks[0], number / blocks[0] % blocks[1],
                                                number / blocks[0] / blocks[1]};
            std::array<Index, 3> begin, end;
            for (std::size_t k = 0; k < 3; ++k) {
                begin[k] = side * block[k];
                end[k] = std::min(begin[k] + side, lattice.nodes[k]);
            }
            const Vec<3> low = lattice.place(begin);
            const Vec<3> high = lattice.place({end[0] - 1, end[1] - 1, end[2] - 1});
            work.spend(sample_work);
            const double middle = sample(Vec<3>(0.5 * (low + high))).value;
            // A little more than half the diagonal, for rounding.
            const bool is_far =
                has_distance_bound && std::abs(middle) > 0.51 * (high - low).norm() + lattice.cell;
            if (!is_far) work.spend(side * side * side * sample_work);
            for (Index k = begin[2]; k < end[2]; ++k)
                for (Index j = begin[1]; j < end[1]; ++j)
                    for (Index i = begin[0]; i < end[0]; ++i)
                        phi[lattice.number(i, j, k)] =
                            is_far ? middle : sample(lattice.place({i, j, k})).value;
        },
        8);
    return phi;
}

template <class Sample>
TriangleMesh contour(const Box<3>& bounds, int resolution, bool has_distance_bound, const WorkBudget& work,
                     double sample_work, const Sample& sample)
{
    if (resolution < 4 || resolution > 1024)
        throw InputError("the resolution of a shape is " + std::to_string(resolution) +
                         ", must be between 4 and 1024");
    if (bounds.is_empty() || !(bounds.longest_side() > 0.0)) return {};
    const Lattice lattice(bounds, resolution);
    const std::vector<double> phi = node_values(lattice, has_distance_bound, work, sample_work, sample);

    // A vertex in every cell that the surface goes through.
    std::vector<Index> vertex_of(lattice.size(), nothing);
    std::vector<std::array<Index, 3>> cells;
    for (Index k = 0; k + 1 < lattice.nodes[2]; ++k)
        for (Index j = 0; j + 1 < lattice.nodes[1]; ++j)
            for (Index i = 0; i + 1 < lattice.nodes[0]; ++i) {
                int inside = 0;
                for (unsigned c = 0; c < 8; ++c)
                    inside +=
                        phi[lattice.number(i + (c & 1u), j + ((c >> 1) & 1u), k + (c >> 2))] < 0.0 ? 1 : 0;
                if (inside == 0 || inside == 8) continue;
                vertex_of[lattice.number(i, j, k)] = static_cast<Index>(cells.size());
                cells.push_back({i, j, k});
            }
    TriangleMesh mesh;
    mesh.vertices.resize(cells.size());
    parallel_for(
        cells.size(),
        [&](Index i) {
            constexpr double samples = 60.0; // a dozen for each side of the cell that is crossed
            work.spend(samples * sample_work);
            mesh.vertices[i] = cell_vertex(lattice, cells[i], phi, sample);
        },
        64);

    // Two triangles between the four cells around every edge that the surface crosses.
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t u = (axis + 1) % 3;
        const std::size_t v = (axis + 2) % 3;
        for (std::size_t number = 0; number < lattice.size(); ++number) {
            if (number % default_block_size == 0) work.throw_if_stopped();
            const std::array<Index, 3> a = lattice.node(number);
            if (a[axis] + 1 >= lattice.nodes[axis] || a[u] == 0 || a[v] == 0) continue;
            std::array<Index, 3> b = a;
            b[axis] += 1;
            const bool starts_inside = phi[number] < 0.0;
            if (starts_inside == (phi[lattice.number(b[0], b[1], b[2])] < 0.0)) continue;
            std::array<Index, 4> corners{};
            constexpr std::array<std::array<Index, 2>, 4> around = {{{1, 1}, {0, 1}, {0, 0}, {1, 0}}};
            for (std::size_t c = 0; c < 4; ++c) {
                std::array<Index, 3> cell = a;
                cell[u] -= around[c][0];
                cell[v] -= around[c][1];
                corners[c] = vertex_of[lattice.number(cell[0], cell[1], cell[2])];
                PHYXEL_ASSERT(corners[c] != nothing);
            }
            if (!starts_inside) std::swap(corners[1], corners[3]);
            // Cut along the diagonal that stays nearer to the surface, or edges look like saws.
            const auto miss = [&](Index p, Index q) {
                return std::abs(sample(Vec<3>(0.5 * (mesh.vertices[p] + mesh.vertices[q]))).value);
            };
            if (miss(corners[1], corners[3]) < miss(corners[0], corners[2]))
                corners = {corners[1], corners[2], corners[3], corners[0]};
            mesh.triangles.push_back({corners[0], corners[1], corners[2]});
            mesh.triangles.push_back({corners[0], corners[2], corners[3]});
        }
    }
    return mesh;
}

TriangleMesh mesh_of(const std::vector<Facet<3>>& facets)
{
    TriangleMesh mesh;
    for (const Facet<3>& facet : facets) {
        const auto first = static_cast<Index>(mesh.vertices.size());
        mesh.vertices.insert(mesh.vertices.end(), facet.begin(), facet.end());
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

} // namespace

TriangleMesh shape_mesh(const Shape<3>& shape, int resolution, const WorkBudget& work)
{
    if (shape.is_sheet()) return mesh_of(shape.parts().front().facets(0.0));
    return contour(shape.bounds(), resolution, shape.has_distance_bound(), work, shape.query_work(),
                   [&](const Vec<3>& x) { return shape.sample(x); });
}

TriangleMesh shape_mesh(const Shape<2>& shape, double thickness, int resolution, const WorkBudget& work)
{
    Box<3> bounds;
    bounds.min << shape.bounds().min, -0.5 * thickness;
    bounds.max << shape.bounds().max, 0.5 * thickness;
    return contour(bounds, resolution, shape.has_distance_bound(), work, shape.query_work(),
                   [&](const Vec<3>& x) {
                       const SignedDistance<2> flat = shape.sample(Vec<2>(x.head<2>()));
                       const double height = std::abs(x[2]) - 0.5 * thickness;
                       if (height > flat.value)
                           return SignedDistance<3>{height, Vec<3>(0.0, 0.0, std::copysign(1.0, x[2]))};
                       return SignedDistance<3>{flat.value, Vec<3>(flat.normal[0], flat.normal[1], 0.0)};
                   });
}

} // namespace phyxel
