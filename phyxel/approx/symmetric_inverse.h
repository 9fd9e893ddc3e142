// SPDX-License-Identifier: MIT
// Inverse of a small symmetric positive semi-definite matrix that may be singular: moment matrices.
#pragma once

#include <phyxel/core/types.h>

#include <cmath>

namespace phyxel {

template <int N>
struct SymmetricInverse {
    Mat<N> matrix;    ///< the inverse on the span of the eigenvectors that were kept, 0 on the others
    Mat<N> span;      ///< the projection onto that span
    int rank;         ///< how many were kept
    double condition; ///< of that part, in the Frobenius norm: between λ₁/λ_rank and N times as much
};

/// Pseudo-inverse through the eigenvectors; eigenvalues up to tolerance · λ₁ count as 0.
template <int N>
SymmetricInverse<N> pseudo_inverse(const Mat<N>& matrix, double tolerance);

/// The same, but by Cholesky's method wherever the condition number shows that all eigenvalues are kept.
template <int N>
SymmetricInverse<N> symmetric_inverse(const Mat<N>& matrix, double tolerance)
{
    // L and L⁻¹ side by side, in loops of fixed length.
    Mat<N> factor;         // L of matrix = L Lᵀ, below the diagonal
    Mat<N> inverse_factor; // L⁻¹, on and below the diagonal
    for (int j = 0; j < N; ++j) {
        double pivot = matrix(j, j);
        for (int k = 0; k < j; ++k) pivot -= factor(j, k) * factor(j, k);
        if (!(pivot > 0)) return pseudo_inverse<N>(matrix, tolerance);
        const double inverse_root = 1 / std::sqrt(pivot);
        for (int i = j + 1; i < N; ++i) {
            double sum = matrix(i, j);
            for (int k = 0; k < j; ++k) sum -= factor(i, k) * factor(j, k);
            factor(i, j) = sum * inverse_root;
        }
        for (int c = 0; c < j; ++c) {
            double sum = 0.0;
            for (int k = c; k < j; ++k) sum += factor(j, k) * inverse_factor(k, c);
            inverse_factor(j, c) = -sum * inverse_root;
        }
        inverse_factor(j, j) = inverse_root;
    }

    SymmetricInverse<N> result;
    double square = 0.0;
    double inverse_square = 0.0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0.0; // of L⁻ᵀ L⁻¹
            for (int k = i; k < N; ++k) sum += inverse_factor(k, i) * inverse_factor(k, j);
            result.matrix(i, j) = result.matrix(j, i) = sum;
            const double occurrences = i == j ? 1.0 : 2.0;
            square += occurrences * matrix(i, j) * matrix(i, j);
            inverse_square += occurrences * sum * sum;
        }
    result.span.setIdentity();
    result.rank = N;
    result.condition = std::sqrt(square) * std::sqrt(inverse_square);
    if (!(result.condition * tolerance < 1)) return pseudo_inverse<N>(matrix, tolerance);
    return result;
}

} // namespace phyxel
