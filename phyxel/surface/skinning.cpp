// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/node_chooser.h>
#include <phyxel/surface/skinning.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

namespace phyxel {
namespace {

// Registers for columns of four numbers: two columns in one with `float`, one with `double`. Written out for
// both, as a vector of a dependent type is where compilers differ.
template <std::floating_point Real>
struct ColumnTypes;
template <>
struct ColumnTypes<float> {
    using Register __attribute__((vector_size(32))) = float;

    /// a, a, a, 0 and the same with b.
    static Register spread(const float* ab)
    {
        return Register{ab[0], ab[0], ab[0], 0, ab[1], ab[1], ab[1], 0};
    }
    static Register repeat(const float* x) { return Register{x[0], x[1], x[2], 0, x[0], x[1], x[2], 0}; }
};
template <>
struct ColumnTypes<double> {
    using Register __attribute__((vector_size(32))) = double;

    static Register spread(const double* a) { return Register{a[0], a[0], a[0], 0}; }
    static Register repeat(const double* x) { return Register{x[0], x[1], x[2], 0}; }
};

/// How many numbers the matrix (F_j, b_j) of a node has, by columns with a 0 behind each.
constexpr std::size_t numbers_per_map = 16;

/// The matrix (F, b) that a vertex follows, as a sum over its nodes.
template <std::floating_point Real>
class Columns {
    using Types = ColumnTypes<Real>;
    using Register = typename Types::Register;
    static constexpr std::size_t lanes = sizeof(Register) / sizeof(Real);
    static constexpr std::size_t registers = numbers_per_map / lanes;

public:
    /// Adds w (F_j, b_j).
    void add(Real w, const Real* map)
    {
        for (std::size_t r = 0; r < registers; ++r) {
            Register part;
            std::memcpy(&part, map + r * lanes, sizeof(part));
            sums_[r] += w * part;
        }
    }

    /// Adds x_j (∇Φ_j, Φ_j), the product of a column and a row.
    void add_product(const Real* x, const Real* row)
    {
        const Register column = Types::repeat(x);
        for (std::size_t r = 0; r < registers; ++r) sums_[r] += column * Types::spread(row + r * lanes / 4);
    }

    Vec<3, Real> column(std::size_t k) const
    {
        const Register& part = sums_[4 * k / lanes];
        const std::size_t offset = 4 * k % lanes;
        return {part[offset], part[offset + 1], part[offset + 2]};
    }

    /// F X + b.
    Vec<3, Real> map(const Real* X) const
    {
        return X[0] * column(0) + X[1] * column(1) + X[2] * column(2) + column(3);
    }

    Mat<3, Real> gradient() const
    {
        Mat<3, Real> F;
        for (std::size_t k = 0; k < 3; ++k) F.col(static_cast<int>(k)) = column(k);
        return F;
    }

    /// cof(F) N of unit length; N itself where F leaves no direction.
    Vec<3, Real> normal(const Real* N) const
    {
        const Vec<3, Real> u = column(0);
        const Vec<3, Real> v = column(1);
        const Vec<3, Real> w = column(2);
        const Vec<3, Real> n = N[0] * v.cross(w) + N[1] * w.cross(u) + N[2] * u.cross(v);
        const Real square = n.squaredNorm();
        if (!(square > std::numeric_limits<Real>::min())) return {N[0], N[1], N[2]};
        return n * (1 / std::sqrt(square));
    }

private:
    std::array<Register, registers> sums_ = {};
};

void check_finite(std::span<const Vec<3>> vectors, const char* what)
{
    for (std::size_t v = 0; v < vectors.size(); ++v)
        if (!vectors[v].allFinite())
            throw InputError(std::string(what) + " " + std::to_string(v) + " of a skin is not finite");
}

/// Vertices whose rows are made in one piece.
constexpr std::size_t row_block = 256;

/// Shape functions that are larger than this in sum take small errors of the nodes for large motions.
constexpr double largest_amplification = 8.0;

} // namespace

/// Rows of some vertices, in pieces that several threads made.
template <std::floating_point Real>
struct Skinning<Real>::NewRows {
    struct Row {
        std::uint32_t weight_count = 0;
        std::uint32_t jet_count = 0;
        bool is_widened = false;
    };
    std::vector<Row> rows;
    std::vector<Rows> pieces; ///< one for each block of vertices
};

template <std::floating_point Real>
Skinning<Real>::Skinning(std::span<const Vec<3>> vertices, std::span<const Vec<3>> normals,
                         const SkinningNodes& nodes, const SkinningOptions& options)
    : options_(options)
{
    if (options.most_nodes < 8 || options.most_nodes > 64)
        throw InputError("a vertex of a skin may follow at most " + std::to_string(options.most_nodes) +
                         " nodes, must be between 8 and 64");
    if (nodes.positions.empty() && !vertices.empty()) throw InputError("the body of a skin has no nodes");
    check_finite(nodes.positions, "node");
    const std::size_t count = nodes.positions.size();
    if (count > 0)
        origin_ = ordered_sum(count, Vec<3>(Vec<3>::Zero()), [&](Index j) { return nodes.positions[j]; }) /
                  static_cast<double>(count);
    nodes_.resize(count);
    for (std::size_t j = 0; j < count; ++j) nodes_[j] = nodes.positions[j] - origin_;
    replace({}, vertices, normals, nodes);
}

template <std::floating_point Real>
auto Skinning<Real>::make_rows(std::span<const Vec<3>> vertices, std::span<const Vec<3>> normals,
                               const SkinningNodes& nodes) const -> NewRows
{
    const detail::NodeChooser chooser(nodes, options_.most_nodes);
    NewRows made;
    made.rows.resize(vertices.size());
    made.pieces.resize(block_count(vertices.size(), row_block));
    parallel_for_blocks(vertices.size(), row_block, [&](const Block& block) {
        detail::NodeChooser::Scratch scratch;
        detail::ChosenNodes chosen;
        ShapeFunctionBuilder<3> builder({.order = 1, .weight = MlsWeight::Poly6});
        ShapeFunctions<3> shape;
        std::vector<Vec<3>> places;
        std::vector<Index> all(static_cast<std::size_t>(options_.most_nodes));
        std::iota(all.begin(), all.end(), Index(0));
        Rows& piece = made.pieces[block.number];
        for (std::size_t v = block.begin; v < block.end; ++v) {
            chooser.choose(vertices[v], normals.empty() ? nullptr : &normals[v], scratch, chosen);
            auto& row = made.rows[v];
            row.is_widened = chosen.is_widened;
            if (options_.method == SkinningMethod::MovingLeastSquares) {
                places.clear();
                for (const Index j : chosen.nodes) places.push_back(nodes.positions[j]);
                builder.build(vertices[v], places, chosen.radii,
                              std::span<const Index>(all).first(places.size()), shape);
                double amplification = 0.0;
                for (const double phi : shape.values) amplification += std::abs(phi);
                if (shape.quality.smooth && shape.quality.rank == 4 &&
                    amplification <= largest_amplification) {
                    row.jet_count = static_cast<std::uint32_t>(shape.ids.size());
                    for (std::size_t a = 0; a < shape.ids.size(); ++a) {
                        const Vec<3, Real> gradient = shape.gradients[a].template cast<Real>();
                        piece.jets.push_back(
                            {chosen.nodes[shape.ids[a]],
                             {gradient[0], gradient[1], gradient[2], static_cast<Real>(shape.values[a])}});
                    }
                    continue;
                }
            }
            row.weight_count = static_cast<std::uint32_t>(chosen.nodes.size());
            for (std::size_t a = 0; a < chosen.nodes.size(); ++a)
                piece.weights.push_back({chosen.nodes[a], static_cast<Real>(chosen.weights[a])});
        }
    });
    return made;
}

template <std::floating_point Real>
void Skinning<Real>::replace(std::span<const Index> kept, std::span<const Vec<3>> added,
                             std::span<const Vec<3>> added_normals, const SkinningNodes& nodes)
{
    PHYXEL_ASSERT(nodes.positions.size() == node_count());
    PHYXEL_ASSERT(added_normals.empty() || added_normals.size() == added.size());
    check_finite(added, "vertex");
    check_finite(added_normals, "normal");
    const std::size_t count = kept.size() + added.size();
    const std::size_t most = count * static_cast<std::size_t>(options_.most_nodes);
    if (most > std::numeric_limits<std::uint32_t>::max())
        throw InputError("a skin of " + std::to_string(count) + " vertices is too large");
    const NewRows made = make_rows(added, added_normals, nodes);

    std::vector<Vertex> vertices;
    std::vector<std::uint8_t> is_widened;
    Rows rows;
    vertices.reserve(count + 1);
    const auto next = [&](const Vertex& vertex) {
        vertices.push_back(vertex);
        vertices.back().weights_begin = static_cast<std::uint32_t>(rows.weights.size());
        vertices.back().jets_begin = static_cast<std::uint32_t>(rows.jets.size());
    };
    const auto copy = [](const auto& from, std::size_t begin, std::size_t end, auto& to) {
        to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
                  from.begin() + static_cast<std::ptrdiff_t>(end));
    };
    for (const Index v : kept) {
        PHYXEL_ASSERT(v < size());
        next(vertices_[v]);
        copy(rows_.weights, vertices_[v].weights_begin, vertices_[v + 1].weights_begin, rows.weights);
        copy(rows_.jets, vertices_[v].jets_begin, vertices_[v + 1].jets_begin, rows.jets);
        is_widened.push_back(is_widened_[v]);
    }
    for (std::size_t b = 0; b < made.pieces.size(); ++b) {
        const Rows& piece = made.pieces[b];
        std::size_t weight = 0;
        std::size_t jet = 0;
        for (std::size_t v = b * row_block; v < std::min((b + 1) * row_block, added.size()); ++v) {
            const Vec<3, Real> x = (added[v] - origin_).template cast<Real>();
            Vec<3, Real> n = Vec<3, Real>::Zero();
            if (!added_normals.empty()) n = added_normals[v].template cast<Real>();
            next({{x[0], x[1], x[2]}, {n[0], n[1], n[2]}, 0, 0});
            const auto& row = made.rows[v];
            copy(piece.weights, weight, weight + row.weight_count, rows.weights);
            copy(piece.jets, jet, jet + row.jet_count, rows.jets);
            weight += row.weight_count;
            jet += row.jet_count;
            is_widened.push_back(row.is_widened ? 1 : 0);
        }
    }
    next({});
    vertices_ = std::move(vertices);
    rows_ = std::move(rows);
    is_widened_ = std::move(is_widened);

    report_ = {.widened = static_cast<std::size_t>(std::count(is_widened_.begin(), is_widened_.end(), 1)),
               .lowered = 0,
               .entries = rows_.weights.size() + rows_.jets.size()};
    if (options_.method == SkinningMethod::MovingLeastSquares)
        for (std::size_t i = 0; i < count; ++i)
            report_.lowered += vertices_[i].jets_begin == vertices_[i + 1].jets_begin ? 1 : 0;
}

template <std::floating_point Real>
void Skinning<Real>::load_nodes(std::span<const Vec<3>> values, std::span<const Mat<3>> gradients,
                                const Vec<3>& value_origin)
{
    PHYXEL_ASSERT(values.size() == node_count());
    PHYXEL_ASSERT(gradients.empty() || gradients.size() == node_count());
    const bool has_jets = !rows_.jets.empty();
    maps_.resize(rows_.weights.empty() ? 0 : numbers_per_map * node_count());
    values_.resize(has_jets ? 4 * node_count() : 0);
    parallel_for(node_count(), [&](Index j) {
        const Vec<3> value = values[j] - value_origin;
        if (maps_.size() > 0) {
            Real* map = maps_.data() + numbers_per_map * j;
            Mat<3> F = Mat<3>::Zero();
            if (!gradients.empty()) F = gradients[j];
            const Vec<3> b = value - F * nodes_[j];
            for (int k = 0; k < 4; ++k) {
                for (int i = 0; i < 3; ++i) map[4 * k + i] = static_cast<Real>(k < 3 ? F(i, k) : b[i]);
                map[4 * k + 3] = 0;
            }
        }
        if (has_jets) {
            Real* place = values_.data() + 4 * std::size_t(j);
            for (int i = 0; i < 3; ++i) place[i] = static_cast<Real>(value[i]);
            place[3] = 0;
        }
    });
}

/// Calls write(v, position, columns) for every vertex.
template <std::floating_point Real>
template <class Write>
void Skinning<Real>::blend(const Write& write) const
{
    const Real* const maps = maps_.data();
    const auto sum_of = [&](std::size_t v) {
        const Vertex& vertex = vertices_[v];
        const Vertex& next = vertices_[v + 1];
        Columns<Real> columns;
        for (std::uint32_t a = vertex.weights_begin; a < next.weights_begin; ++a) {
            const Weight& weight = rows_.weights[a];
            columns.add(weight.value, maps + numbers_per_map * weight.node);
        }
        for (std::uint32_t a = vertex.jets_begin; a < next.jets_begin; ++a) {
            const Jet& jet = rows_.jets[a];
            columns.add_product(values_.data() + 4 * std::size_t(jet.node), jet.row);
        }
        return columns;
    };

    // Some vertices at a time, the sums come first and the arithmetic on them afterwards. The processor can
    // then work on the roots and quotients of several vertices at once; it cannot guess how long a sum will
    // be.
    constexpr std::size_t chunk = 32;
    parallel_for_blocks(size(), default_block_size, [&](const Block& block) {
        std::array<Columns<Real>, chunk> sums;
        for (std::size_t begin = block.begin; begin < block.end; begin += chunk) {
            const std::size_t end = std::min(begin + chunk, block.end);
            for (std::size_t v = begin; v < end; ++v) sums[v - begin] = sum_of(v);
            for (std::size_t v = begin; v < end; ++v) {
                const Columns<Real>& columns = sums[v - begin];
                const bool is_first_order = vertices_[v].jets_begin == vertices_[v + 1].jets_begin;
                write(static_cast<Index>(v),
                      is_first_order ? columns.map(vertices_[v].rest) : columns.column(3), columns);
            }
        }
    });
}

template <std::floating_point Real>
Index Skinning<Real>::main_node(std::size_t vertex) const
{
    const Vertex& from = vertices_[vertex];
    const Vertex& to = vertices_[vertex + 1];
    Index node = 0;
    Real most = -1;
    const auto look_at = [&](Index j, Real value) {
        if (value > most) std::tie(most, node) = std::pair(value, j);
    };
    for (std::uint32_t a = from.weights_begin; a < to.weights_begin; ++a)
        look_at(rows_.weights[a].node, rows_.weights[a].value);
    for (std::uint32_t a = from.jets_begin; a < to.jets_begin; ++a)
        look_at(rows_.jets[a].node, rows_.jets[a].row[3]);
    return node;
}

template <std::floating_point Real>
void Skinning<Real>::update(std::span<const Vec<3>> node_positions,
                            std::span<const Mat<3>> deformation_gradients, std::span<Vec<3>> positions,
                            std::span<Vec<3, Real>> normals)
{
    PHYXEL_ASSERT(positions.size() == size());
    PHYXEL_ASSERT(normals.empty() || normals.size() == size());
    PHYXEL_ASSERT(deformation_gradients.size() == node_count());
    if (size() == 0) return;
    const Vec<3> origin = node_positions[node_count() / 2];
    load_nodes(node_positions, deformation_gradients, origin);
    if (normals.empty())
        blend([&](Index v, const Vec<3, Real>& x, const Columns<Real>&) {
            positions[v] = origin + x.template cast<double>();
        });
    else
        blend([&](Index v, const Vec<3, Real>& x, const Columns<Real>& columns) {
            positions[v] = origin + x.template cast<double>();
            normals[v] = columns.normal(vertices_[v].normal);
        });
}

template <std::floating_point Real>
void Skinning<Real>::update_with_gradients(std::span<const Vec<3>> node_positions,
                                           std::span<const Mat<3>> deformation_gradients,
                                           std::span<Vec<3>> positions, std::span<Mat<3, Real>> gradients)
{
    PHYXEL_ASSERT(positions.size() == size());
    PHYXEL_ASSERT(gradients.size() == size());
    PHYXEL_ASSERT(deformation_gradients.size() == node_count());
    if (size() == 0) return;
    const Vec<3> origin = node_positions[node_count() / 2];
    load_nodes(node_positions, deformation_gradients, origin);
    blend([&](Index v, const Vec<3, Real>& x, const Columns<Real>& columns) {
        positions[v] = origin + x.template cast<double>();
        gradients[v] = columns.gradient();
    });
}

template <std::floating_point Real>
void Skinning<Real>::transfer(std::span<const Vec<3>> nodal, std::span<const Mat<3>> gradients,
                              std::span<Vec<3, Real>> out)
{
    PHYXEL_ASSERT(out.size() == size());
    if (size() == 0) return;
    load_nodes(nodal, gradients, Vec<3>::Zero());
    blend([&](Index v, const Vec<3, Real>& value, const Columns<Real>&) { out[v] = value; });
}

template <std::floating_point Real>
std::size_t Skinning<Real>::traffic() const
{
    const std::size_t written = sizeof(Vec<3>) + sizeof(Vec<3, Real>);
    return size() * (sizeof(Vertex) + written) + rows_.weights.size() * sizeof(Weight) +
           rows_.jets.size() * sizeof(Jet) +
           node_count() * (2 * sizeof(Vec<3>) + sizeof(Mat<3>) + 2 * numbers_per_map * sizeof(Real));
}

template class Skinning<float>;
template class Skinning<double>;

} // namespace phyxel
