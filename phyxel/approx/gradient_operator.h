// SPDX-License-Identifier: MIT
// The gradient of Müller et al.: the linear function through f_i at particle i that fits the values of its
// neighbours best [AW09, Eq. 35–38], [MKN*04, Eq. 11–15]. It needs only values of the weights, no
// derivatives, so weights may jump, as they do at a crack.
#pragma once

#include <phyxel/approx/mls.h>
#include <phyxel/approx/mls_weights.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

struct GradientOptions {
    MlsWeight weight = MlsWeight::Poly6; ///< [MKN*04, Eq. 9]; its constant factor cancels
    double tolerance = 1e-6;             ///< eigenvalues of A up to this times the largest count as 0
};

/// How well the neighbours of a particle determine a gradient.
struct GradientFit {
    int rank = 0;           ///< of A: how many directions; the gradient is 0 along the others
    double condition = 1.0; ///< of A on these directions, in the Frobenius norm
};

/// For one particle: ∇f = Σ d_j (f_j − f_i) with
///
///     d_j = A⁻¹ w_j x_ij,    A = Σ w_j x_ij x_ijᵀ,    x_ij = x_j − x_i
///
/// from the offsets x_ij [m] and weights w_j of its neighbours. Writes d_j [1/m].
template <int Dim>
GradientFit fit_gradient(std::span<const Vec<Dim>> offsets, std::span<const double> weights, double tolerance,
                         std::span<Vec<Dim>> coefficients);

/// What to know about the operator as a whole.
struct [[nodiscard]] GradientReport {
    std::size_t deficient = 0;    ///< particles whose neighbours do not span space
    std::size_t isolated = 0;     ///< of these, those with rank 0
    double worst_condition = 1.0; ///< see GradientFit
};

/// The coefficients of all particles, in flat arrays that run parallel to the neighbour lists.
template <int Dim>
class GradientOperator {
public:
    explicit GradientOperator(const GradientOptions& options = {});

    /// Fits all particles. Particle i weighs its neighbours with its own radius h_i, as [MKN*04] do and
    /// [AW09, Eq. 37] do not, so that its list need only contain the ball around it. Throws InputError for
    /// positions and radii that are not finite, naming the first.
    GradientReport rebuild(std::span<const Vec<Dim>> positions, const SupportRadii& radii,
                           const NeighborLists& neighbors);

    /// The same with weights w_ij ≥ 0 from elsewhere, one for each entry of the neighbour lists.
    GradientReport rebuild(std::span<const Vec<Dim>> positions, const NeighborLists& neighbors,
                           std::span<const double> weights);

    /// Number of particles.
    std::size_t size() const { return centers_.size(); }

    /// The neighbours j of particle i, their d_j, and d_i = −Σ d_j of the particle itself, so that
    /// ∇f = d_i f_i + Σ d_j f_j.
    std::span<const Index> ids(std::size_t i) const { return row(ids_, i); }
    std::span<const Vec<Dim>> coefficients(std::size_t i) const { return row(coefficients_, i); }
    const Vec<Dim>& center(std::size_t i) const { return centers_[i]; }

    const GradientFit& fit(std::size_t i) const { return fits_[i]; }
    const GradientReport& report() const { return report_; }

    /// ∇f at all particles, exactly 0 for a constant field.
    void evaluate(std::span<const double> nodal, std::span<Vec<Dim>> out) const;

    /// The gradient of a vector field at all particles: row = component, column = coordinate.
    template <int Components>
    void evaluate(std::span<const Vec<Components>> nodal,
                  std::span<Eigen::Matrix<double, Components, Dim>> out) const
    {
        PHYXEL_ASSERT(nodal.size() == size() && out.size() == size());
        parallel_for(size(), [&](Index i) {
            Eigen::Matrix<double, Components, Dim> sum = Eigen::Matrix<double, Components, Dim>::Zero();
            for (std::size_t a = offsets_[i]; a < offsets_[i + 1]; ++a) {
                const Vec<Components> difference = nodal[ids_[a]] - nodal[i];
                sum += difference * coefficients_[a].transpose();
            }
            out[i] = sum;
        });
    }

private:
    template <class WeightsOf>
    GradientReport rebuild_from(std::span<const Vec<Dim>> positions, const NeighborLists& neighbors,
                                const WeightsOf& weights_of);

    template <class T>
    std::span<const T> row(const std::vector<T>& entries, std::size_t i) const
    {
        PHYXEL_ASSERT(i < size());
        return {entries.data() + offsets_[i], offsets_[i + 1] - offsets_[i]};
    }

    GradientOptions options_;
    std::vector<std::uint64_t> offsets_;
    std::vector<Index> ids_;
    std::vector<Vec<Dim>> coefficients_;
    std::vector<Vec<Dim>> centers_;
    std::vector<GradientFit> fits_;
    GradientReport report_;
};

extern template class GradientOperator<1>;
extern template class GradientOperator<2>;
extern template class GradientOperator<3>;

} // namespace phyxel
