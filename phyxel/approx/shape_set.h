// SPDX-License-Identifier: MIT
// MLS shape functions at many points, made once and used often. Made from reference positions and kept, they
// are what AW call Lagrangian kernels; rebuilt from the current positions in every step, Eulerian ones
// [AW09, Sec. 4].
#pragma once

#include <phyxel/approx/mls.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// For every evaluation point the numbers of nodes that may reach it: those of point p are ids[offsets[p]] …
/// ids[offsets[p + 1] − 1]. A view; more nodes than necessary do no harm.
class CandidateLists {
public:
    CandidateLists(std::span<const std::uint64_t> offsets, std::span<const Index> ids)
        : offsets_(offsets),
          ids_(ids)
    {
        PHYXEL_ASSERT(!offsets.empty() && offsets.back() == ids.size());
    }

    std::size_t size() const { return offsets_.size() - 1; }
    std::span<const Index> of(std::size_t point) const
    {
        return ids_.subspan(offsets_[point], offsets_[point + 1] - offsets_[point]);
    }

private:
    std::span<const std::uint64_t> offsets_;
    std::span<const Index> ids_;
};

/// What to know about the shape functions of a set as a whole.
struct [[nodiscard]] ShapeSetReport {
    double worst_condition = 1.0; ///< of all moment matrices, see ShapeQuality
    std::size_t lowered = 0;      ///< points at which the order had to be lowered
    std::size_t truncated = 0;    ///< points at which directions had to be left out
    std::size_t empty = 0;        ///< points that no node reaches; every field is 0 there
    double largest_radius_ratio = 1.0;
};

/// Shape functions at a set of points, in flat arrays.
template <int Dim>
class ShapeSet {
public:
    /// An empty set, to be filled by `rebuild`. `derivatives` (0, 1 or 2) says how many to keep.
    explicit ShapeSet(const MlsOptions& options = {}, int derivatives = 1);

    /// Replaces the shape functions by those at `points`, from the nodes that the candidates name; in
    /// parallel. Throws InputError for points, nodes and radii that are not finite, naming the first.
    ShapeSetReport rebuild(std::span<const Vec<Dim>> points, std::span<const Vec<Dim>> nodes,
                           const SupportRadii& radii, const CandidateLists& candidates);

    /// The same at the nodes themselves. `neighbors` need not and does not contain the node itself, which
    /// always counts.
    ShapeSetReport rebuild_at_nodes(std::span<const Vec<Dim>> nodes, const SupportRadii& radii,
                                    const NeighborLists& neighbors);

    /// Number of points.
    std::size_t size() const { return offsets_.size() - 1; }

    /// Which nodes reach a point, and their shape functions there, all in the order of the candidates.
    std::span<const Index> ids(std::size_t point) const { return row(ids_, point); }
    std::span<const double> values(std::size_t point) const { return row(values_, point); }
    std::span<const Vec<Dim>> gradients(std::size_t point) const { return row(gradients_, point); }
    std::span<const PairVec<Dim>> second_derivatives(std::size_t point) const
    {
        return row(second_derivatives_, point);
    }
    const ShapeQuality& quality(std::size_t point) const { return qualities_[point]; }
    const ShapeSetReport& report() const { return report_; }

    /// f(x_p) = Σ Φ_i(x_p) f_i at all points [AW09, Eq. 26]. `nodal` has one value for each node.
    void evaluate(std::span<const double> nodal, std::span<double> out) const;

    /// ∇f at all points [AW09, Eq. 32].
    void evaluate_gradient(std::span<const double> nodal, std::span<Vec<Dim>> out) const;

    /// ∂²f/∂x_k∂x_l at all points.
    void evaluate_hessian(std::span<const double> nodal, std::span<Mat<Dim>> out) const;

    /// A vector field at all points.
    template <int Components>
    void evaluate(std::span<const Vec<Components>> nodal, std::span<Vec<Components>> out) const
    {
        sum_rows<Vec<Components>>(Vec<Components>::Zero(), nodal, out,
                                  [&](std::size_t a, const Vec<Components>& u) { return values_[a] * u; });
    }

    /// The gradient of a vector field at all points: row = component, column = coordinate.
    template <int Components>
    void evaluate_gradient(std::span<const Vec<Components>> nodal,
                           std::span<Eigen::Matrix<double, Components, Dim>> out) const
    {
        using Gradient = Eigen::Matrix<double, Components, Dim>;
        PHYXEL_ASSERT(gradients_.size() == ids_.size());
        sum_rows<Gradient>(Gradient::Zero(), nodal, out,
                           [&](std::size_t a, const Vec<Components>& u) -> Gradient {
                               return u * gradients_[a].transpose();
                           });
    }

private:
    template <class Candidates>
    ShapeSetReport rebuild_from(std::span<const Vec<Dim>> points, std::span<const Vec<Dim>> nodes,
                                const SupportRadii& radii, const Candidates& candidates);

    template <class T>
    std::span<const T> row(const std::vector<T>& entries, std::size_t point) const
    {
        PHYXEL_ASSERT(point < size() && entries.size() == ids_.size());
        return {entries.data() + offsets_[point], offsets_[point + 1] - offsets_[point]};
    }

    /// out[p] = Σ term(a, nodal value) over the entries a of point p.
    template <class Out, class Nodal, class Term>
    void sum_rows(const Out& zero, std::span<const Nodal> nodal, std::span<Out> out, Term&& term) const
    {
        PHYXEL_ASSERT(nodal.size() == node_count_ && out.size() == size());
        parallel_for(size(), [&](Index p) {
            Out sum = zero;
            for (std::size_t a = offsets_[p]; a < offsets_[p + 1]; ++a) sum += term(a, nodal[ids_[a]]);
            out[p] = sum;
        });
    }

    MlsOptions options_;
    int derivatives_;
    std::size_t node_count_ = 0;
    std::vector<std::uint64_t> offsets_ = {0};
    std::vector<Index> ids_;
    std::vector<double> values_;
    std::vector<Vec<Dim>> gradients_;
    std::vector<PairVec<Dim>> second_derivatives_;
    std::vector<ShapeQuality> qualities_;
    ShapeSetReport report_;
};

extern template class ShapeSet<1>;
extern template class ShapeSet<2>;
extern template class ShapeSet<3>;

} // namespace phyxel
