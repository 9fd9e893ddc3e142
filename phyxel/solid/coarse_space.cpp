// SPDX-License-Identifier: MIT
#include <phyxel/solid/coarse_space.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/box.h>

#include <Eigen/Cholesky>
#include <Eigen/SVD>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <mutex>

namespace phyxel {
namespace {

/// Of a symmetric positive matrix, with the same bits on every machine: Eigen adds up products of matrices in
/// blocks that fit the caches it finds, so it is told of caches that are the same everywhere.
Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> inverse_of(const Eigen::MatrixXd& E)
{
    constexpr std::ptrdiff_t l1 = 32 << 10;
    constexpr std::ptrdiff_t l2 = 512 << 10;
    constexpr std::ptrdiff_t l3 = 32 << 20;
    // Eigen keeps the sizes for the whole program.
    static std::mutex sizes;
    const std::scoped_lock lock(sizes);
    Eigen::setCpuCacheSizes(l1, l2, l3);
    return E.llt().solve(Eigen::MatrixXd::Identity(E.rows(), E.cols()));
}

/// Cells along the longest side of a solid: what a dense matrix of all nodes can bear.
constexpr double cells_along = 5.0;

/// Cells are at least this many spacings wide; finer ones would do the work of the diagonal.
constexpr double least_cell = 3.0;

/// Nodes that hold next to nothing must not make E singular.
constexpr double least_share = 1e-9;

constexpr std::size_t most_inertias = 4;
constexpr std::size_t row_block = 16;

template <int Dim>
struct NodeGradient {
    Index node;
    Vec<Dim> gradient; ///< of the node's hat, as the phyxel sees it [1/m]
};

} // namespace

template <int Dim>
void CoarseSpace<Dim>::build(const SolidModel<Dim>& model, std::span<const std::uint8_t> fixed)
{
    known_.clear();
    lay_grids(model, fixed);
    for (std::size_t part = 0; part < grids_.size(); ++part) assemble(model, grids_[part], part);
    restricted_.resize(grid_of_node_.size());
    solved_.resize(grid_of_node_.size());
}

template <int Dim>
void CoarseSpace<Dim>::lay_grids(const SolidModel<Dim>& model, std::span<const std::uint8_t> fixed)
{
    shares_.assign(model.size(), {});
    grids_.assign(model.first_of_part.size() - 1, {});
    grid_of_node_.clear();
    for (std::size_t part = 0; part < grids_.size(); ++part) {
        Grid& grid = grids_[part];
        grid.first_node = grid.end_node = static_cast<Index>(grid_of_node_.size());
        const Index begin = model.first_of_part[part], end = model.first_of_part[part + 1];
        if (begin == end) continue;
        Vec<Dim> low = model.rest.position[begin], high = low;
        for (Index i = begin; i < end; ++i) {
            low = low.cwiseMin(model.rest.position[i]);
            high = high.cwiseMax(model.rest.position[i]);
        }
        const double width =
            std::max((high - low).maxCoeff() / cells_along, least_cell * model.spacing_of_part[part]);
        std::array<Index, Dim> count; // of nodes
        Index total = 1;
        for (int k = 0; k < Dim; ++k) {
            count[static_cast<std::size_t>(k)] =
                static_cast<Index>(std::max(1.0, std::ceil((high[k] - low[k]) / width - 1e-9))) + 1;
            total *= count[static_cast<std::size_t>(k)];
        }
        std::vector<Index> number(total, ~Index(0)); // of nodes that have a phyxel
        for (Index i = begin; i < end; ++i) {
            std::array<Index, Dim> cell;
            Vec<Dim> s; // within it
            for (int k = 0; k < Dim; ++k) {
                const double cells = count[static_cast<std::size_t>(k)] - 1;
                const double x =
                    (high[k] > low[k] ? (model.rest.position[i][k] - low[k]) / (high[k] - low[k]) : 0.0) *
                    cells;
                cell[static_cast<std::size_t>(k)] =
                    static_cast<Index>(std::clamp(std::floor(x), 0.0, cells - 1.0));
                s[k] = x - cell[static_cast<std::size_t>(k)];
            }
            for (std::size_t c = 0; c < corners; ++c) {
                Index node = 0;
                double weight = fixed[i] != 0 ? 0.0 : 1.0;
                for (int k = Dim - 1; k >= 0; --k) {
                    const bool is_upper = (c >> k & 1) != 0;
                    const auto axis = static_cast<std::size_t>(k);
                    node = node * count[axis] + cell[axis] + (is_upper ? 1 : 0);
                    weight *= is_upper ? s[k] : 1.0 - s[k];
                }
                if (number[node] == ~Index(0)) {
                    number[node] = grid.end_node++;
                    grid_of_node_.push_back(static_cast<std::uint32_t>(part));
                }
                shares_[i].node[c] = number[node];
                shares_[i].weight[c] = weight;
            }
        }
    }

    portions_begin_.assign(grid_of_node_.size() + 1, 0);
    for (const Share& share : shares_)
        for (const Index node : share.node) ++portions_begin_[node + 1];
    for (std::size_t n = 0; n < grid_of_node_.size(); ++n) portions_begin_[n + 1] += portions_begin_[n];
    portions_.resize(portions_begin_.back());
    std::vector<std::size_t> next(portions_begin_.begin(), portions_begin_.end() - 1);
    for (Index i = 0; i < shares_.size(); ++i)
        for (std::size_t c = 0; c < corners; ++c)
            portions_[next[shares_[i].node[c]]++] = {i, shares_[i].weight[c]};
}

/// From a node's displacement e_c the phyxel i sees H = e_c gᵀ with g = Σ_j w_ij (φ_j − φ_i) A⁻¹ X_ij, whose
/// energy at rest is that of Hooke's law.
template <int Dim>
void CoarseSpace<Dim>::assemble(const SolidModel<Dim>& model, Grid& grid, std::size_t part)
{
    const Index begin = model.first_of_part[part], end = model.first_of_part[part + 1];
    const Index nodes = grid.end_node - grid.first_node;
    std::vector<std::vector<NodeGradient<Dim>>> seen(end - begin);
    parallel_for(seen.size(), [&](Index n) {
        const Index i = begin + n;
        std::vector<NodeGradient<Dim>>& list = seen[n];
        const auto add = [&](const Share& share, const Vec<Dim>& gradient) {
            for (std::size_t c = 0; c < corners; ++c) {
                if (share.weight[c] == 0.0) continue;
                const auto found =
                    std::find_if(list.begin(), list.end(),
                                 [&](const NodeGradient<Dim>& known) { return known.node == share.node[c]; });
                NodeGradient<Dim>& entry =
                    found != list.end()
                        ? *found
                        : list.emplace_back(NodeGradient<Dim>{share.node[c], Vec<Dim>::Zero()});
                entry.gradient += share.weight[c] * gradient;
            }
        };
        Vec<Dim> own = Vec<Dim>::Zero();
        std::size_t pair = model.rest.neighbors.offsets()[i];
        for (const Index j : model.rest.neighbors.of(i)) {
            const double w = model.rest.weight(pair).w;
            const Vec<Dim> X_ij = model.rest.offset(i, j, pair++);
            if (j < begin || j >= end) continue; // of a part that it has fused with
            const Vec<Dim> gradient =
                gradient_coefficient<Dim>(model.rest.gradients[i].inverse_moment, w, X_ij);
            add(shares_[j], gradient);
            own -= gradient;
        }
        add(shares_[i], own);
        std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.node < b.node; });
    });
    // Which phyxels see a node, and as which of theirs.
    std::vector<std::vector<std::pair<Index, std::uint32_t>>> seen_by(nodes);
    for (Index n = 0; n < seen.size(); ++n)
        for (std::uint32_t k = 0; k < seen[n].size(); ++k)
            seen_by[seen[n][k].node - grid.first_node].emplace_back(n, k);

    grid.stiffness = Eigen::MatrixXd::Zero(nodes * Dim, nodes * Dim);
    grid.mass = Eigen::MatrixXd::Zero(nodes, nodes);
    parallel_for(
        nodes,
        [&](Index row) {
            for (const auto& [n, k] : seen_by[row]) {
                const double v = model.rest.volume[begin + n];
                const ElasticModuli& material = model.moduli_of(begin + n);
                const double lambda = material.lambda + material.volume_stiffness;
                const double mu = model.flow_of(begin + n).is_liquid() ? 0.0 : material.mu;
                const Vec<Dim>& g = seen[n][k].gradient;
                for (const NodeGradient<Dim>& other : seen[n]) {
                    const Index column = other.node - grid.first_node;
                    const Vec<Dim>& h = other.gradient;
                    Mat<Dim> block = lambda * g * h.transpose() + mu * h * g.transpose();
                    block.diagonal().array() += mu * g.dot(h);
                    grid.stiffness.template block<Dim, Dim>(row * Dim, column * Dim) += v * block;
                }
            }
            const std::size_t node = grid.first_node + row;
            for (std::size_t p = portions_begin_[node]; p < portions_begin_[node + 1]; ++p) {
                const Share& share = shares_[portions_[p].phyxel];
                for (std::size_t c = 0; c < corners; ++c)
                    grid.mass(row, share.node[c] - grid.first_node) +=
                        model.mass[portions_[p].phyxel] * portions_[p].weight * share.weight[c];
            }
        },
        1);
}

template <int Dim>
void CoarseSpace<Dim>::set_inertia(double inertia)
{
    constexpr int none = -10000; // an equilibrium
    const int exponent = inertia > 0.0 ? static_cast<int>(std::lround(std::log2(inertia) / 2.0)) : none;
    const auto found = std::find_if(known_.begin(), known_.end(),
                                    [&](const Inverses& known) { return known.exponent == exponent; });
    chosen_ = static_cast<std::size_t>(found - known_.begin());
    if (found != known_.end()) return;
    if (known_.size() == most_inertias) known_.clear();
    chosen_ = known_.size();
    Inverses& inverses = known_.emplace_back();
    inverses.exponent = exponent;
    const double s = inertia > 0.0 ? std::pow(4.0, exponent) : 0.0;
    for (const Grid& grid : grids_) {
        Eigen::MatrixXd E = grid.stiffness;
        for (Eigen::Index n = 0; n < grid.mass.rows(); ++n)
            for (Eigen::Index m = 0; m < grid.mass.cols(); ++m)
                for (int k = 0; k < Dim; ++k) E(n * Dim + k, m * Dim + k) += s * grid.mass(n, m);
        const double largest = E.rows() > 0 ? E.diagonal().maxCoeff() : 0.0;
        E.diagonal().array() += least_share * largest;
        for (Eigen::Index n = 0; n < E.rows(); ++n)
            if (E(n, n) <= 2.0 * least_share * largest) E(n, n) = largest; // a node of fixed phyxels only
        inverses.of_grid.push_back(inverse_of(E));
    }
}

template <int Dim>
void CoarseSpace<Dim>::turn(const SolidModel<Dim>& model, std::span<const ElasticResponse<Dim>> responses)
{
    for (std::size_t part = 0; part < grids_.size(); ++part) {
        const Index begin = model.first_of_part[part];
        const Mat<Dim> mean = ordered_sum(
            model.first_of_part[part + 1] - begin, Mat<Dim>(Mat<Dim>::Zero()),
            [&](Index n) -> Mat<Dim> { return model.rest.volume[begin + n] * responses[begin + n].F; },
            partial_);
        const Eigen::JacobiSVD<Mat<Dim>> svd(mean, Eigen::ComputeFullU | Eigen::ComputeFullV);
        const Mat<Dim> R = svd.matrixU() * svd.matrixV().transpose();
        grids_[part].rotation = R.allFinite() ? R : Mat<Dim>::Identity();
    }
}

template <int Dim>
void CoarseSpace<Dim>::add_correction(std::span<const Vec<Dim>> residual, std::span<Vec<Dim>> change)
{
    PHYXEL_ASSERT(chosen_ < known_.size());
    parallel_for(
        restricted_.size(),
        [&](Index node) {
            Vec<Dim> sum = Vec<Dim>::Zero();
            for (std::size_t p = portions_begin_[node]; p < portions_begin_[node + 1]; ++p)
                sum += portions_[p].weight * residual[portions_[p].phyxel];
            restricted_[node] = grids_[grid_of_node_[node]].rotation.transpose() * sum;
        },
        row_block);
    parallel_for(
        solved_.size(),
        [&](Index node) {
            const Grid& grid = grids_[grid_of_node_[node]];
            const auto& inverse = known_[chosen_].of_grid[grid_of_node_[node]];
            Vec<Dim> sum = Vec<Dim>::Zero();
            for (int k = 0; k < Dim; ++k) {
                const double* row = inverse.row((node - grid.first_node) * Dim + k).data();
                Vec<Dim> lanes = Vec<Dim>::Zero(); // one for each component, so that they run side by side
                for (Index other = grid.first_node; other < grid.end_node; ++other, row += Dim)
                    for (int c = 0; c < Dim; ++c) lanes[c] += row[c] * restricted_[other][c];
                for (int c = 0; c < Dim; ++c) sum[k] += lanes[c];
            }
            solved_[node] = grid.rotation * sum;
        },
        row_block);
    parallel_for(shares_.size(), [&](Index i) {
        for (std::size_t c = 0; c < corners; ++c)
            change[i] += shares_[i].weight[c] * solved_[shares_[i].node[c]];
    });
}

template class CoarseSpace<2>;
template class CoarseSpace<3>;

} // namespace phyxel
