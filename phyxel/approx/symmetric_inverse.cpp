// SPDX-License-Identifier: MIT
#include <phyxel/approx/symmetric_inverse.h>

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace phyxel {
namespace {

/// Eigenvalues and, as columns, eigenvectors of a symmetric matrix, in no particular order.
template <int N>
struct EigenPairs {
    Vec<N> values;
    Mat<N> vectors;
};

/// Moments of space go by Eigen's solver. For larger matrices Jacobi's method [GV13, Sec. 8.5]: rotations in
/// the planes of two axes remove one off-diagonal entry after the other. It suits matrices this small, and
/// compiles in a tenth of the time.
template <int N>
EigenPairs<N> eigen_pairs(Mat<N> a)
{
    if constexpr (N <= 3) {
        const Eigen::SelfAdjointEigenSolver<Mat<N>> modes(a);
        return {modes.eigenvalues(), modes.eigenvectors()};
    }
    constexpr int most_sweeps = 50; // converges quadratically; ten are rarely needed
    Mat<N> v = Mat<N>::Identity();
    bool is_diagonal = false;
    for (int sweep = 0; sweep < most_sweeps && !is_diagonal; ++sweep) {
        is_diagonal = true;
        for (int p = 0; p < N; ++p)
            for (int q = p + 1; q < N; ++q) {
                // Entries that cannot change the diagonal any more are not worth a rotation.
                if (std::abs(a(p, q)) <= 1e-17 * std::sqrt(std::abs(a(p, p) * a(q, q)))) continue;
                const double theta = (a(q, q) - a(p, p)) / (2 * a(p, q));
                const double t = std::copysign(1 / (std::abs(theta) + std::hypot(theta, 1.0)), theta);
                if (t == 0) continue;
                is_diagonal = false;
                const double c = 1 / std::hypot(t, 1.0);
                const double s = t * c;
                for (int k = 0; k < N; ++k) {
                    const double kp = a(k, p);
                    const double kq = a(k, q);
                    a(k, p) = c * kp - s * kq;
                    a(k, q) = s * kp + c * kq;
                }
                for (int k = 0; k < N; ++k) {
                    const double pk = a(p, k);
                    const double qk = a(q, k);
                    a(p, k) = c * pk - s * qk;
                    a(q, k) = s * pk + c * qk;
                }
                a(p, q) = a(q, p) = 0.0;
                for (int k = 0; k < N; ++k) {
                    const double kp = v(k, p);
                    const double kq = v(k, q);
                    v(k, p) = c * kp - s * kq;
                    v(k, q) = s * kp + c * kq;
                }
            }
    }
    return {a.diagonal(), v};
}

} // namespace

template <int N>
SymmetricInverse<N> pseudo_inverse(const Mat<N>& matrix, double tolerance)
{
    const EigenPairs<N> eigen = eigen_pairs<N>(matrix);
    const double largest = eigen.values.maxCoeff();
    SymmetricInverse<N> result{.matrix = Mat<N>::Zero(), .span = Mat<N>::Zero(), .rank = 0, .condition = 1.0};
    if (!(largest > 0)) return result;

    double kept = 0.0;
    double inverted = 0.0;
    for (int k = 0; k < N; ++k) {
        if (!(eigen.values[k] > tolerance * largest)) continue;
        const double ratio = eigen.values[k] / largest;
        const Vec<N> v = eigen.vectors.col(k);
        result.matrix += v * v.transpose() / eigen.values[k];
        result.span += v * v.transpose();
        kept += ratio * ratio;
        inverted += 1 / (ratio * ratio);
        ++result.rank;
    }
    result.condition = std::sqrt(kept * inverted);
    return result;
}

template SymmetricInverse<1> pseudo_inverse(const Mat<1>&, double);
template SymmetricInverse<2> pseudo_inverse(const Mat<2>&, double);
template SymmetricInverse<3> pseudo_inverse(const Mat<3>&, double);
template SymmetricInverse<4> pseudo_inverse(const Mat<4>&, double);
template SymmetricInverse<6> pseudo_inverse(const Mat<6>&, double);
template SymmetricInverse<10> pseudo_inverse(const Mat<10>&, double);

} // namespace phyxel
