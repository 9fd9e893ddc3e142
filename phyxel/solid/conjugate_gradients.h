// SPDX-License-Identifier: MIT
// Preconditioned conjugate gradients for systems that are known by their product with a vector only. The sums
// are ordered, so the result is the same bits on any number of threads.
#pragma once

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/types.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace phyxel {

struct [[nodiscard]] LinearSolve {
    int iterations = 0;
    double residual = 0.0; ///< |b − A x|
    bool converged = false;
    bool is_positive = true; ///< false if a direction with pᵀ A p ≤ 0 was met; x is the best before it
};

template <int Dim>
class ConjugateGradients {
public:
    using Vector = std::vector<Vec<Dim>>;

    /// Solves A x = b from the x given until |b − A x| ≤ `tolerance`. `apply(p, out)` is A p;
    /// `precondition(r, out)` makes a direction of a residual, by a symmetric positive matrix near A⁻¹. It
    /// stops where A is found not to be positive, unless told to go on, which often leads there all the same.
    template <class Apply, class Precondition>
    LinearSolve solve(const Apply& apply, const Precondition& precondition, std::span<const Vec<Dim>> b,
                      double tolerance, int max_iterations, Vector& x, bool must_be_positive = true)
    {
        const std::size_t n = b.size();
        r_.resize(n);
        z_.resize(n);
        p_.resize(n);
        Ap_.resize(n);
        apply(std::span<const Vec<Dim>>(x), std::span<Vec<Dim>>(Ap_));
        parallel_for(n, [&](Index i) { r_[i] = b[i] - Ap_[i]; });
        precondition(std::span<const Vec<Dim>>(r_), std::span<Vec<Dim>>(z_));
        p_ = z_;
        LinearSolve result;
        auto [rz, rr] = products(n);
        for (;; ++result.iterations) {
            result.residual = std::sqrt(rr);
            result.converged = result.residual <= tolerance;
            if (result.converged || result.iterations >= max_iterations || !std::isfinite(rr)) return result;
            apply(std::span<const Vec<Dim>>(p_), std::span<Vec<Dim>>(Ap_));
            const double pAp = ordered_sum(
                n, 0.0, [&](Index i) { return p_[i].dot(Ap_[i]); }, partial_);
            if (!(pAp > 0.0)) {
                if (result.is_positive)
                    max_iterations = std::min(max_iterations, result.iterations + more_iterations);
                result.is_positive = false;
                if (must_be_positive || !(pAp < 0.0)) return result;
            }
            const double alpha = rz / pAp;
            parallel_for(n, [&](Index i) {
                x[i] += alpha * p_[i];
                r_[i] -= alpha * Ap_[i];
            });
            precondition(std::span<const Vec<Dim>>(r_), std::span<Vec<Dim>>(z_));
            const double rz_before = rz;
            std::tie(rz, rr) = products(n);
            const double beta = rz / rz_before;
            parallel_for(n, [&](Index i) { p_[i] = z_[i] + beta * p_[i]; });
        }
    }

private:
    /// Of those after A was found not to be positive, there are so many.
    static constexpr int more_iterations = 100;

    /// r·z and r·r in one pass.
    std::pair<double, double> products(std::size_t n)
    {
        const Vec<2> sums = ordered_sum(
            n, Vec<2>(Vec<2>::Zero()), [&](Index i) { return Vec<2>(r_[i].dot(z_[i]), r_[i].squaredNorm()); },
            partial_pairs_);
        return {sums[0], sums[1]};
    }

    Vector r_, z_, p_, Ap_;
    std::vector<double> partial_;
    std::vector<Vec<2>> partial_pairs_;
};

} // namespace phyxel
