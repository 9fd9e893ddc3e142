// SPDX-License-Identifier: MIT
// What elastic laws have in common. Every law here is the sum of a part that depends on Green's strain
// E = ½(FᵀF − I) and one that depends on the change of volume J = det F:
//
//     P = F S(E) + p(J) cof F
//
// with the second Piola-Kirchhoff stress S and the derivative p of the energy of volume. Nothing is divided
// by J, so a phyxel that is turned inside out is pushed back instead of stopping the program.
//
// A law is a small value: `energy` is ψ of F, `respond` the stress, `tangent` its derivative. They are also
// asked at phyxels whose neighbours lie in a plane or on a line, where F is known in these directions only:
// `at_rest` is the unit matrix, or its part in the directions that neighbours span. Of what has flown it is
// what plastic_flow.h remembers.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/solid/solid_material.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace phyxel {

/// Rows F_v×F_w, F_w×F_u, F_u×F_v: the derivative of det F.
inline Mat<3> cofactor(const Mat<3>& F)
{
    Mat<3> cof;
    for (int r = 0; r < 3; ++r) {
        const int s = (r + 1) % 3, t = (r + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            cof(r, c) = F(s, d) * F(t, e) - F(s, e) * F(t, d);
        }
    }
    return cof;
}

inline Mat<2> cofactor(const Mat<2>& F) { return Mat<2>{{F(1, 1), -F(1, 0)}, {-F(0, 1), F(0, 0)}}; }

/// Derivative of cof F in the direction H.
inline Mat<3> cofactor_change(const Mat<3>& F, const Mat<3>& H)
{
    Mat<3> change;
    for (int r = 0; r < 3; ++r) {
        const int s = (r + 1) % 3, t = (r + 2) % 3;
        for (int c = 0; c < 3; ++c) {
            const int d = (c + 1) % 3, e = (c + 2) % 3;
            change(r, c) = H(s, d) * F(t, e) + F(s, d) * H(t, e) - H(s, e) * F(t, d) - F(s, e) * H(t, d);
        }
    }
    return change;
}

inline Mat<2> cofactor_change(const Mat<2>&, const Mat<2>& H) { return cofactor(H); }

/// A : B, all components.
template <int Dim>
double double_contraction(const Mat<Dim>& A, const Mat<Dim>& B)
{
    double sum = 0.0;
    for (int c = 0; c < Dim; ++c)
        for (int r = 0; r < Dim; ++r) sum += A(r, c) * B(r, c);
    return sum;
}

/// det F from a row of its cofactors.
template <int Dim>
double determinant(const Mat<Dim>& F, const Mat<Dim>& cof)
{
    double J = 0.0;
    for (int c = 0; c < Dim; ++c) J += F(0, c) * cof(0, c);
    return J;
}

/// A material as loops want it, whatever its law.
struct ElasticModuli {
    ElasticModuli() = default;
    explicit ElasticModuli(const SolidMaterial& material);

    bool has_same_stress_as(const ElasticModuli& other) const
    {
        return lambda == other.lambda && mu == other.mu && volume_stiffness == other.volume_stiffness;
    }

    double lambda = 0.0;           ///< or the mean of those of all directions [Pa]
    double mu = 0.0;               ///< the same [Pa]
    double volume_stiffness = 0.0; ///< k_v [Pa]
    double viscosity = 0.0;        ///< η [Pa s]
    double youngs_modulus = 0.0;   ///< or what comes nearest to it [Pa]
    double wave_modulus = 0.0;     ///< of pressure waves at rest, without k_v [Pa]
};

/// What a phyxel answers to its deformation.
template <int Dim>
struct ElasticResponse {
    Mat<Dim> F = Mat<Dim>::Identity();
    Mat<Dim> S = Mat<Dim>::Zero(); ///< [Pa]
    double p = 0.0;                ///< dψ/dJ of the energy of volume [Pa]
    double dp = 0.0;               ///< its derivative [Pa]
    bool is_positive = false;      ///< see make_positive()
};

/// P [Pa].
template <int Dim>
Mat<Dim> first_piola(const ElasticResponse<Dim>& response)
{
    return response.F * response.S + response.p * cofactor(response.F);
}

/// Changes a response so that its tangent never points uphill. Where S presses and where volume has gone it
/// may; without these terms it cannot. A law for which this is not so has a member of this name.
template <int Dim, class Law>
void make_positive(const Law& law, ElasticResponse<Dim>& response, bool spans_space)
{
    response.is_positive = true;
    if constexpr (requires { law.make_positive(response, spans_space); }) {
        law.make_positive(response, spans_space);
    } else {
        const Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes(response.S);
        const Vec<Dim> kept = modes.eigenvalues().cwiseMax(0.0);
        response.S = modes.eigenvectors() * kept.asDiagonal() * modes.eigenvectors().transpose();
        response.p = 0.0;
        response.dp = std::max(0.0, response.dp);
    }
}

/// The largest eigenvalue of AᵀA: how much longer A makes a vector at most, squared.
template <int Dim>
double largest_stretch_squared(const Mat<Dim>& A)
{
    const Mat<Dim> squared = A.transpose() * A;
    // The largest sum of a row is a bound that is exact for stretch along the axes; most phyxels are so
    // little deformed that it will do.
    const double bound = squared.cwiseAbs().rowwise().sum().maxCoeff();
    constexpr double little = 1.2;
    if (!(bound > little)) return bound;
    Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes;
    modes.computeDirect(squared, Eigen::EigenvaluesOnly);
    // The direct way is off by the root of the rounding error at worst, and bounds are to be kept.
    return std::min(bound, modes.eigenvalues()[Dim - 1] * (1.0 + 1e-6));
}

/// How much faster than at rest a deformed phyxel answers.
struct Stiffening {
    double waves = 1.0;   ///< modulus of the stiffest plane wave over that of pressure waves at rest
    double stretch = 1.0; ///< the largest stretch, squared; the viscosity grows with it
};

/// What the change of volume adds to dP.
template <int Dim>
Mat<Dim> volume_tangent(const ElasticResponse<Dim>& response, const Mat<Dim>& H)
{
    const Mat<Dim> cof = cofactor(response.F);
    return response.dp * double_contraction<Dim>(cof, H) * cof + response.p * cofactor_change(response.F, H);
}

/// And to the modulus of the stiffest plane wave: p' (cof F n)(cof F n)ᵀ. What p itself does is nothing,
/// since det is linear along it [Pa].
template <int Dim>
double volume_waves(const ElasticResponse<Dim>& response, bool spans_space)
{
    return spans_space ? std::max(0.0, response.dp) * largest_stretch_squared<Dim>(cofactor(response.F))
                       : 0.0;
}

/// A law S = C : E, which resists changes of volume with k_v besides. `Law` has hooke(E), which is C : E for
/// strains and their changes alike.
template <int Dim, class Law>
struct GreenStrainLaw {
    ElasticModuli moduli;

    /// ψ, the energy of strain in a unit of volume at rest [J/m³].
    double energy(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity(),
                  bool spans_space = true) const
    {
        const double J = spans_space ? determinant<Dim>(F, cofactor(F)) : 1.0;
        const Mat<Dim> E = 0.5 * (F.transpose() * F - at_rest);
        return 0.5 * double_contraction<Dim>(E, law().hooke(E)) +     // [MKN*04, Eq. 5]
               0.5 * moduli.volume_stiffness * (J - 1.0) * (J - 1.0); // [MKN*04, Eq. 7]
    }

    ElasticResponse<Dim> respond(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity(),
                                 bool spans_space = true) const
    {
        ElasticResponse<Dim> response;
        response.F = F;
        response.S = law().hooke(0.5 * (F.transpose() * F - at_rest));
        if (!spans_space) return response;
        response.p = moduli.volume_stiffness * (determinant<Dim>(F, cofactor(F)) - 1.0); // [MKN*04, Eq. 22]
        response.dp = moduli.volume_stiffness;
        return response;
    }

    /// dP for a change H of F: the tangent of [MKN*04, App. B], with its misprints mended.
    Mat<Dim> tangent(const ElasticResponse<Dim>& response, const Mat<Dim>& H, bool spans_space = true) const
    {
        const Mat<Dim>& F = response.F;
        const Mat<Dim> FtH = F.transpose() * H;
        Mat<Dim> dP = H * response.S;
        dP += F * law().hooke(0.5 * (FtH + FtH.transpose()));
        if (spans_space) dP += volume_tangent<Dim>(response, H);
        return dP;
    }

    Stiffening stiffening(const ElasticResponse<Dim>& response, bool spans_space = true) const
    {
        double of_stress = 0.0; // only what pulls holds; by Gershgorin's circles
        for (int r = 0; r < Dim; ++r)
            of_stress = std::max(of_stress, response.S(r, r) - std::abs(response.S(r, r)) +
                                                response.S.row(r).cwiseAbs().sum());
        Stiffening result;
        result.stretch = largest_stretch_squared<Dim>(response.F);
        result.waves =
            (of_stress + result.stretch * moduli.wave_modulus + volume_waves<Dim>(response, spans_space)) /
            (moduli.wave_modulus + moduli.volume_stiffness);
        return result;
    }

    /// Of S, that which holds plane strain in its plane [Pa].
    double stress_across(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity()) const
    {
        const Mat<Dim> E = 0.5 * (F.transpose() * F - at_rest);
        return moduli.lambda * E.trace();
    }

private:
    const Law& law() const { return static_cast<const Law&>(*this); }
};

} // namespace phyxel
