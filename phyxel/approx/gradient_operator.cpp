// SPDX-License-Identifier: MIT
#include <phyxel/approx/detail/check_points.h>
#include <phyxel/approx/gradient_operator.h>
#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/error.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>

namespace phyxel {

template <int Dim>
GradientFit fit_gradient(std::span<const Vec<Dim>> offsets, std::span<const double> weights, double tolerance,
                         std::span<Vec<Dim>> coefficients)
{
    PHYXEL_ASSERT(offsets.size() == weights.size() && offsets.size() == coefficients.size());
    // In units of the farthest neighbour, so that A stays a matrix of ordinary numbers at any scale.
    double unit = 0.0;
    for (std::size_t j = 0; j < offsets.size(); ++j)
        if (weights[j] > 0) unit = std::max(unit, offsets[j].cwiseAbs().maxCoeff());
    if (!(unit > 0)) {
        std::fill(coefficients.begin(), coefficients.end(), Vec<Dim>::Zero());
        return {};
    }

    Mat<Dim> A = Mat<Dim>::Zero();
    for (std::size_t j = 0; j < offsets.size(); ++j) add_to_moment<Dim>(weights[j], offsets[j] / unit, A);
    const SymmetricInverse<Dim> inverse = symmetric_inverse<Dim>(A, tolerance);
    for (std::size_t j = 0; j < offsets.size(); ++j)
        coefficients[j] = gradient_coefficient<Dim>(inverse.matrix, weights[j] / unit, offsets[j] / unit);
    return {.rank = inverse.rank, .condition = inverse.condition};
}

template <int Dim>
GradientOperator<Dim>::GradientOperator(const GradientOptions& options) : options_(options)
{
    if (!(options.tolerance > 0 && options.tolerance < 1)) {
        std::ostringstream message;
        message << "tolerance of the gradient operator is " << options.tolerance
                << ", must be between 0 and 1";
        throw InputError(message.str());
    }
}

template <int Dim>
template <class WeightsOf>
GradientReport GradientOperator<Dim>::rebuild_from(std::span<const Vec<Dim>> positions,
                                                   const NeighborLists& neighbors,
                                                   const WeightsOf& weights_of)
{
    detail::check_finite<Dim>(positions, "particle");
    offsets_.assign(neighbors.offsets().begin(), neighbors.offsets().end());
    ids_.assign(neighbors.ids().begin(), neighbors.ids().end());
    coefficients_.resize(ids_.size());
    centers_.resize(positions.size());
    fits_.resize(positions.size());
    constexpr std::size_t block_size = 256;
    parallel_for_blocks(positions.size(), block_size, [&](const Block& block) {
        std::vector<Vec<Dim>> x_ij;
        std::vector<double> w_ij;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            const std::span<const Index> list = neighbors.of(i);
            x_ij.clear();
            for (Index j : list) x_ij.push_back(positions[j] - positions[i]);
            w_ij.resize(list.size());
            weights_of(i, std::span<const Vec<Dim>>(x_ij), std::span<double>(w_ij));
            const std::span<Vec<Dim>> d(coefficients_.data() + offsets_[i], list.size());
            fits_[i] = fit_gradient<Dim>(x_ij, w_ij, options_.tolerance, d);
            centers_[i].setZero();
            for (const Vec<Dim>& d_j : d) centers_[i] -= d_j;
        }
    });

    report_ = {};
    for (const GradientFit& fit : fits_) {
        if (fit.rank < Dim) ++report_.deficient;
        if (fit.rank == 0) ++report_.isolated;
        report_.worst_condition = std::max(report_.worst_condition, fit.condition);
    }
    return report_;
}

template <int Dim>
GradientReport GradientOperator<Dim>::rebuild(std::span<const Vec<Dim>> positions, const SupportRadii& radii,
                                              const NeighborLists& neighbors)
{
    if (neighbors.size() != positions.size())
        throw InputError("there are " + std::to_string(neighbors.size()) + " neighbour lists for " +
                         std::to_string(positions.size()) + " particles, must be one for each");
    radii.check(positions.size());
    return std::visit(
        [&](auto weight) {
            return rebuild_from(positions, neighbors,
                                [&](std::size_t i, std::span<const Vec<Dim>> x_ij, std::span<double> w_ij) {
                                    for (std::size_t a = 0; a < x_ij.size(); ++a)
                                        w_ij[a] = weight.value(x_ij[a], radii[i]);
                                });
        },
        make_mls_weight<Dim>(options_.weight).choice);
}

template <int Dim>
GradientReport GradientOperator<Dim>::rebuild(std::span<const Vec<Dim>> positions,
                                              const NeighborLists& neighbors, std::span<const double> weights)
{
    if (neighbors.size() != positions.size())
        throw InputError("there are " + std::to_string(neighbors.size()) + " neighbour lists for " +
                         std::to_string(positions.size()) + " particles, must be one for each");
    if (weights.size() != neighbors.entry_count())
        throw InputError("there are " + std::to_string(weights.size()) + " weights for " +
                         std::to_string(neighbors.entry_count()) + " neighbours, must be one for each");
    for (std::size_t a = 0; a < weights.size(); ++a)
        if (!(weights[a] >= 0 && std::isfinite(weights[a])))
            throw InputError("weight " + std::to_string(a) + " is " + std::to_string(weights[a]) +
                             ", must be finite and not negative");
    return rebuild_from(positions, neighbors,
                        [&](std::size_t i, std::span<const Vec<Dim>>, std::span<double> w_ij) {
                            std::copy_n(weights.begin() + static_cast<std::ptrdiff_t>(neighbors.offsets()[i]),
                                        w_ij.size(), w_ij.begin());
                        });
}

template <int Dim>
void GradientOperator<Dim>::evaluate(std::span<const double> nodal, std::span<Vec<Dim>> out) const
{
    PHYXEL_ASSERT(nodal.size() == size() && out.size() == size());
    parallel_for(size(), [&](Index i) {
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (std::size_t a = offsets_[i]; a < offsets_[i + 1]; ++a)
            sum += coefficients_[a] * (nodal[ids_[a]] - nodal[i]);
        out[i] = sum;
    });
}

template GradientFit fit_gradient<1>(std::span<const Vec<1>>, std::span<const double>, double,
                                     std::span<Vec<1>>);
template GradientFit fit_gradient<2>(std::span<const Vec<2>>, std::span<const double>, double,
                                     std::span<Vec<2>>);
template GradientFit fit_gradient<3>(std::span<const Vec<3>>, std::span<const double>, double,
                                     std::span<Vec<3>>);
template class GradientOperator<1>;
template class GradientOperator<2>;
template class GradientOperator<3>;

} // namespace phyxel
