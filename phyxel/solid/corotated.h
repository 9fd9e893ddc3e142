// SPDX-License-Identifier: MIT
// Fixed corotated: stress in proportion to stretch, however far it is pulled or pressed [SHST12]:
//
//     ψ = μ |F − R|² + ½(λ + k_v) (J − 1)²,    P = 2μ (F − R) + (λ + k_v) (J − 1) cof F,    F = R U
//
// with the rotation R that is nearest to F. Nothing grows beyond bounds where material is crushed, so a
// finite load can press it flat. What is turned inside out is pushed back: R stays a rotation, and the least
// stretch is negative. Only where two stretches are opposite is R not known; the tangent is bounded there.
//
// As other laws it is P = F S + p cof F, with S = 2μ (I − U⁻¹). A phyxel that is thinner than `least_stretch`
// is answered as if it were that thick.
#pragma once

#include <phyxel/solid/svk.h>

namespace phyxel {

inline constexpr double least_stretch = 1e-7;

/// Where neighbours do not span space there is no R, and strain is answered as by St. Venant-Kirchhoff.
template <int Dim>
struct Corotated {
    ElasticModuli moduli;

    /// ψ, the energy of strain in a unit of volume at rest [J/m³].
    double energy(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity(),
                  bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.energy(F, at_rest, false);
        const Mat<Dim> strain = F - polar(F).R;
        const double J = determinant<Dim>(F, cofactor(F));
        return moduli.mu * double_contraction<Dim>(strain, strain) +
               0.5 * (moduli.lambda + moduli.volume_stiffness) * (J - 1.0) * (J - 1.0);
    }

    ElasticResponse<Dim> respond(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity(),
                                 bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.respond(F, at_rest, false);
        ElasticResponse<Dim> response;
        response.F = F;
        response.S = -2.0 * moduli.mu * polar(F).inverse_stretch;
        response.S.diagonal().array() += 2.0 * moduli.mu;
        response.dp = moduli.lambda + moduli.volume_stiffness;
        response.p = response.dp * (determinant<Dim>(F, cofactor(F)) - 1.0);
        return response;
    }

    /// dP for a change H of F: 2μ (H − dR) + d(p cof F). With G = RᵀH, dR = R [w]× where
    /// (tr(U) I − U) w = a and [a]× = G − Gᵀ.
    Mat<Dim> tangent(const ElasticResponse<Dim>& response, const Mat<Dim>& H, bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.tangent(response, H, false);
        const Mat<Dim> inverse_stretch = Mat<Dim>::Identity() - response.S / (2.0 * moduli.mu);
        const Mat<Dim> R = response.F * inverse_stretch;
        const Mat<Dim> G = R.transpose() * H;
        const Mat<Dim> U = R.transpose() * response.F;
        Mat<Dim> dP = 2.0 * moduli.mu * (H - R * turn<Dim>(U, G, response.is_positive ? 2.0 : least_sum));
        dP += volume_tangent<Dim>(response, H);
        return dP;
    }

    /// Only turning back points uphill, where two stretches have a sum below 2: see turn().
    void make_positive(ElasticResponse<Dim>& response, bool spans_space) const
    {
        if (!spans_space) return phyxel::make_positive<Dim>(Svk<Dim>{moduli}, response, false);
        response.p = 0.0;
    }

    /// Turning takes stiffness away, so that a wave is stiffest where nothing turns.
    Stiffening stiffening(const ElasticResponse<Dim>& response, bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.stiffening(response, false);
        Stiffening result;
        result.stretch = largest_stretch_squared<Dim>(response.F);
        result.waves = (2.0 * moduli.mu + volume_waves<Dim>(response, true)) /
                       (moduli.wave_modulus + moduli.volume_stiffness);
        return result;
    }

    /// Of S, that which holds plane strain in its plane: none, as nothing is stretched across [Pa].
    double stress_across(const Mat<Dim>&, const Mat<Dim>& = Mat<Dim>::Identity()) const { return 0.0; }

private:
    /// Sums of two stretches below this are those of opposite ones.
    static constexpr double least_sum = 1e-6;

    struct Polar {
        Mat<Dim> R;
        Mat<Dim> inverse_stretch; ///< U⁻¹
    };

    static Polar polar(const Mat<Dim>& F)
    {
        const double J = determinant<Dim>(F, cofactor(F));
        // R ← ½ (γR + (γR)⁻ᵀ) doubles its digits with every turn, and is far cheaper than what follows.
        constexpr double well_above_zero = 0.01;
        if (J > well_above_zero) {
            Mat<Dim> R = F;
            for (int turns = 0; turns < 20; ++turns) {
                const Mat<Dim> cof = cofactor(R);
                const double det = determinant<Dim>(R, cof);
                const double scale = turns < 2 ? std::pow(det, -1.0 / Dim) : 1.0;
                const Mat<Dim> next = 0.5 * (scale * R + cof / (scale * det));
                const double change = (next - R).cwiseAbs().maxCoeff();
                R = next;
                constexpr double almost = 1e-9; // of which the square is rounding
                if (change < almost) break;
            }
            return {R, symmetric(cofactor(F).transpose() * R / J)};
        }
        // By the eigenvectors of FᵀF, the largest stretch first; the last direction makes R a rotation.
        const Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes(F.transpose() * F);
        Mat<Dim> right = modes.eigenvectors();
        if (determinant<Dim>(right, cofactor(right)) < 0.0) right.col(0) *= -1.0;
        Mat<Dim> left = Mat<Dim>::Zero();
        for (int k = Dim - 1; k > 0; --k) {
            Vec<Dim> u = F * right.col(k);
            double shortest = least_stretch;
            // Where nothing is left, any direction will do that is across the others.
            for (int axis = 0; axis <= Dim; ++axis) {
                for (int other = k + 1; other < Dim; ++other) u -= left.col(other).dot(u) * left.col(other);
                if (u.norm() > shortest || axis == Dim) break;
                u = Vec<Dim>::Unit(axis);
                shortest = 0.5;
            }
            left.col(k) = u / u.norm();
        }
        left.col(0) = cofactor(left).col(0);
        Vec<Dim> inverses;
        for (int k = 0; k < Dim; ++k) {
            const double stretch = left.col(k).dot(F * right.col(k));
            inverses[k] = 1.0 / std::copysign(std::max(std::abs(stretch), least_stretch), stretch);
        }
        return {left * right.transpose(), right * inverses.asDiagonal() * right.transpose()};
    }

    static Mat<Dim> symmetric(const Mat<Dim>& A) { return 0.5 * (A + A.transpose()); }

    /// [w]×. Sums of two stretches, by which it is divided, are not taken for less than `least`.
    template <int D>
    static Mat<D> turn(const Mat<D>& U, const Mat<D>& G, double least)
    {
        if constexpr (D == 2) {
            const double w = (G(1, 0) - G(0, 1)) / std::max(least, U.trace());
            return Mat<2>{{0.0, -w}, {w, 0.0}};
        } else {
            const Vec<3> a(G(2, 1) - G(1, 2), G(0, 2) - G(2, 0), G(1, 0) - G(0, 1));
            const Mat<3> sums = U.trace() * Mat<3>::Identity() - symmetric(U);
            const Mat<3> cof = cofactor(sums);
            const double det = determinant<3>(sums, cof);
            Vec<3> w;
            if (least <= least_sum && det > least_sum) {
                w = cof * a / det;
            } else {
                const Eigen::SelfAdjointEigenSolver<Mat<3>> modes(sums);
                const Vec<3> kept = modes.eigenvalues().cwiseMax(least).cwiseInverse();
                w = modes.eigenvectors() * kept.asDiagonal() * (modes.eigenvectors().transpose() * a);
            }
            return Mat<3>{{0.0, -w[2], w[1]}, {w[2], 0.0, -w[0]}, {-w[1], w[0], 0.0}};
        }
    }
};

} // namespace phyxel
