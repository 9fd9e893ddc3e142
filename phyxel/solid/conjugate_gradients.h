// SPDX-License-Identifier: MIT
// Preconditioned conjugate gradients for systems that are known by their product with a vector only. The sums
// are ordered, so the result is the same bits on any number of threads.
#pragma once

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/types.h>

#include <cmath>
#include <span>
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

    /// Solves A x = b from the x given until |b − A x| ≤ `tolerance`. `apply(p, out)` is A p; `diagonal` is
    /// what a residual is divided by to be a direction.
    template <class Apply>
    LinearSolve solve(const Apply& apply, std::span<const double> diagonal, std::span<const Vec<Dim>> b,
                      double tolerance, int max_iterations, Vector& x)
    {
        const std::size_t n = b.size();
        r_.resize(n);
        p_.resize(n);
        Ap_.resize(n);
        apply(std::span<const Vec<Dim>>(x), std::span<Vec<Dim>>(Ap_));
        parallel_for(n, [&](Index i) {
            r_[i] = b[i] - Ap_[i];
            p_[i] = r_[i] / diagonal[i];
        });
        LinearSolve result;
        double rz = sum(n, [&](Index i) { return r_[i].dot(p_[i]); });
        double rr = sum(n, [&](Index i) { return r_[i].squaredNorm(); });
        for (;; ++result.iterations) {
            result.residual = std::sqrt(rr);
            result.converged = result.residual <= tolerance;
            if (result.converged || result.iterations >= max_iterations || !std::isfinite(rr)) return result;
            apply(std::span<const Vec<Dim>>(p_), std::span<Vec<Dim>>(Ap_));
            const double pAp = sum(n, [&](Index i) { return p_[i].dot(Ap_[i]); });
            if (!(pAp > 0.0)) {
                result.is_positive = false;
                return result;
            }
            const double alpha = rz / pAp;
            parallel_for(n, [&](Index i) {
                x[i] += alpha * p_[i];
                r_[i] -= alpha * Ap_[i];
            });
            const double rz_before = rz;
            rz = sum(n, [&](Index i) { return r_[i].squaredNorm() / diagonal[i]; });
            rr = sum(n, [&](Index i) { return r_[i].squaredNorm(); });
            const double beta = rz / rz_before;
            parallel_for(n, [&](Index i) { p_[i] = r_[i] / diagonal[i] + beta * p_[i]; });
        }
    }

private:
    template <class Term>
    double sum(std::size_t n, const Term& term)
    {
        return ordered_sum(n, 0.0, term, partial_);
    }

    Vector r_, p_, Ap_;
    std::vector<double> partial_;
};

} // namespace phyxel
