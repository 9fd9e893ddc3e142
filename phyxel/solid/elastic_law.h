// SPDX-License-Identifier: MIT
// Stress from deformation, and its derivative. Every law here is the sum of a part that depends on Green's
// strain E = ½(FᵀF − I) and one that depends on the change of volume J = det F:
//
//     P = F S(E) + p(J) cof F
//
// with the second Piola-Kirchhoff stress S and the derivative p of the energy of volume. Nothing is divided
// by J, so a phyxel that is turned inside out is pushed back instead of stopping the program.
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

/// A material as loops want it.
template <int Dim>
struct ElasticConstants {
    static constexpr int components = Dim * (Dim + 1) / 2;

    ElasticConstants() = default;
    explicit ElasticConstants(const SolidMaterial& material);

    bool is_neo_hookean = false;
    bool is_anisotropic = false;
    double lambda = 0.0;           ///< [Pa]
    double mu = 0.0;               ///< [Pa]
    double volume_stiffness = 0.0; ///< k_v [Pa]
    double viscosity = 0.0;        ///< η [Pa s]
    double youngs_modulus = 0.0;   ///< or what comes nearest to it [Pa]
    double wave_modulus = 0.0;     ///< of pressure waves at rest, without k_v [Pa]
    /// C, for shear components that are not doubled.
    Eigen::Matrix<double, components, components> C = Eigen::Matrix<double, components, components>::Zero();
};

/// C : E [Pa], for strains and their changes alike [MKN*04, Eq. 4].
template <int Dim>
Mat<Dim> hooke(const ElasticConstants<Dim>& material, const Mat<Dim>& E)
{
    if (!material.is_anisotropic) {
        Mat<Dim> S = 2.0 * material.mu * E;
        S.diagonal().array() += material.lambda * E.trace();
        return S;
    }
    Eigen::Matrix<double, ElasticConstants<Dim>::components, 1> strain;
    if constexpr (Dim == 2)
        strain << E(0, 0), E(1, 1), E(0, 1);
    else
        strain << E(0, 0), E(1, 1), E(2, 2), E(0, 1), E(1, 2), E(0, 2);
    const auto s = (material.C * strain).eval();
    if constexpr (Dim == 2)
        return Mat<2>{{s[0], s[2]}, {s[2], s[1]}};
    else
        return Mat<3>{{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
}

/// What a phyxel answers to its deformation.
template <int Dim>
struct ElasticResponse {
    Mat<Dim> F = Mat<Dim>::Identity();
    Mat<Dim> S = Mat<Dim>::Zero(); ///< [Pa]
    double p = 0.0;                ///< dψ/dJ of the energy of volume [Pa]
    double dp = 0.0;               ///< its derivative [Pa]
};

/// Below this J the logarithm goes on as a parabola: a solid that is crushed is stiff, not infinite.
inline constexpr double least_log_volume = 0.1;

/// ln J with two derivatives, continued below `least_log_volume`.
struct LogVolume {
    double value, slope, curvature;

    explicit LogVolume(double J)
    {
        const double J0 = least_log_volume;
        if (J >= J0) {
            value = std::log(J);
            slope = 1.0 / J;
            curvature = -slope * slope;
        } else {
            const double s = (J - J0) / J0;
            value = std::log(J0) + s - 0.5 * s * s;
            slope = (1.0 - s) / J0;
            curvature = -1.0 / (J0 * J0);
        }
    }
};

/// The response to F. `at_rest` is the unit matrix, or its part in the directions that neighbours span.
template <int Dim>
ElasticResponse<Dim> respond(const ElasticConstants<Dim>& material, const Mat<Dim>& F,
                             const Mat<Dim>& at_rest, bool spans_space)
{
    ElasticResponse<Dim> response;
    response.F = F;
    if (material.is_neo_hookean && spans_space)
        response.S.diagonal().setConstant(material.mu);
    else
        response.S = hooke<Dim>(material, 0.5 * (F.transpose() * F - at_rest));
    if (!spans_space) return response;
    const double J = determinant<Dim>(F, cofactor(F));
    response.p = material.volume_stiffness * (J - 1.0); // [MKN*04, Eq. 22]
    response.dp = material.volume_stiffness;
    if (material.is_neo_hookean) {
        const LogVolume log_J(J);
        const double a = material.lambda * log_J.value - material.mu;
        response.p += a * log_J.slope;
        response.dp += material.lambda * log_J.slope * log_J.slope + a * log_J.curvature;
    }
    return response;
}

/// P [Pa].
template <int Dim>
Mat<Dim> first_piola(const ElasticResponse<Dim>& response)
{
    return response.F * response.S + response.p * cofactor(response.F);
}

/// dP for a change H of F: the tangent of [MKN*04, App. B], with its misprints mended.
template <int Dim>
Mat<Dim> first_piola_change(const ElasticConstants<Dim>& material, const ElasticResponse<Dim>& response,
                            const Mat<Dim>& H, bool spans_space)
{
    const Mat<Dim>& F = response.F;
    Mat<Dim> dP = H * response.S;
    if (!material.is_neo_hookean || !spans_space) {
        const Mat<Dim> FtH = F.transpose() * H;
        dP += F * hooke<Dim>(material, 0.5 * (FtH + FtH.transpose()));
    }
    if (spans_space) {
        const Mat<Dim> cof = cofactor(F);
        dP += response.dp * double_contraction<Dim>(cof, H) * cof + response.p * cofactor_change(F, H);
    }
    return dP;
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

/// A plane wave a⊗n is held by n·Sn, by C between Fᵀa and n, and by p' (cof F n)(cof F n)ᵀ; what p itself
/// does is nothing, since det is linear along it.
template <int Dim>
Stiffening stiffening(const ElasticConstants<Dim>& material, const ElasticResponse<Dim>& response,
                      bool spans_space)
{
    const double of_cofactor =
        spans_space ? std::max(0.0, response.dp) * largest_stretch_squared<Dim>(cofactor(response.F)) : 0.0;
    const double at_rest = material.wave_modulus + material.volume_stiffness;
    Stiffening result;
    result.stretch = largest_stretch_squared<Dim>(response.F);
    if (material.is_neo_hookean && spans_space) {
        result.waves = (material.mu + of_cofactor) / at_rest;
    } else {
        double of_stress = 0.0; // only what pulls holds; by Gershgorin's circles
        for (int r = 0; r < Dim; ++r)
            of_stress = std::max(of_stress, response.S(r, r) - std::abs(response.S(r, r)) +
                                                response.S.row(r).cwiseAbs().sum());
        result.waves = (of_stress + result.stretch * material.wave_modulus + of_cofactor) / at_rest;
    }
    return result;
}

/// ψ, the energy of strain in a unit of volume at rest [J/m³].
template <int Dim>
double strain_energy(const ElasticConstants<Dim>& material, const Mat<Dim>& F, const Mat<Dim>& at_rest,
                     bool spans_space)
{
    const double J = spans_space ? determinant<Dim>(F, cofactor(F)) : 1.0;
    const double of_volume = 0.5 * material.volume_stiffness * (J - 1.0) * (J - 1.0); // [MKN*04, Eq. 7]
    if (material.is_neo_hookean && spans_space) {
        const double log_J = LogVolume(J).value;
        return 0.5 * material.mu * (double_contraction<Dim>(F, F) - Dim) - material.mu * log_J +
               0.5 * material.lambda * log_J * log_J + of_volume;
    }
    const Mat<Dim> E = 0.5 * (F.transpose() * F - at_rest);
    return 0.5 * double_contraction<Dim>(E, hooke<Dim>(material, E)) + of_volume; // [MKN*04, Eq. 5]
}

} // namespace phyxel
