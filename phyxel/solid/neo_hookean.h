// SPDX-License-Identifier: MIT
// Neo-Hookean: resists any compression, for large strain.
//
//     ψ = ½μ(tr FᵀF − d) − μ ln J + ½λ ln² J + ½k_v (J − 1)²
//
// Of what has flown F Cₚ⁻¹ stands for F in the first term, with `at_rest` for Cₚ⁻¹ = (FₚᵀFₚ)⁻¹; J is the
// same, as flow keeps volume. In the plane what has flown may do so across it too: there Cₚ⁻¹ is 1 / det of
// the rest.
#pragma once

#include <phyxel/solid/svk.h>

namespace phyxel {

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

/// Where neighbours do not span space there is no J, and strain is answered as by St. Venant-Kirchhoff.
template <int Dim>
struct NeoHookean {
    ElasticModuli moduli;

    /// ψ, the energy of strain in a unit of volume at rest [J/m³].
    double energy(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity(),
                  bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.energy(F, at_rest, false);
        const double J = determinant<Dim>(F, cofactor(F));
        const double log_J = LogVolume(J).value;
        double trace = double_contraction<Dim>(F, F * at_rest) - Dim;
        if constexpr (Dim == 2) trace += 1.0 / determinant<2>(at_rest, cofactor(at_rest)) - 1.0;
        return 0.5 * moduli.mu * trace - moduli.mu * log_J + 0.5 * moduli.lambda * log_J * log_J +
               0.5 * moduli.volume_stiffness * (J - 1.0) * (J - 1.0);
    }

    ElasticResponse<Dim> respond(const Mat<Dim>& F, const Mat<Dim>& at_rest = Mat<Dim>::Identity(),
                                 bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.respond(F, at_rest, false);
        ElasticResponse<Dim> response;
        response.F = F;
        response.S = moduli.mu * at_rest;
        const double J = determinant<Dim>(F, cofactor(F));
        const LogVolume log_J(J);
        const double a = moduli.lambda * log_J.value - moduli.mu;
        response.p = moduli.volume_stiffness * (J - 1.0) + a * log_J.slope; // [MKN*04, Eq. 22] first
        response.dp =
            moduli.volume_stiffness + (moduli.lambda * log_J.slope * log_J.slope + a * log_J.curvature);
        return response;
    }

    /// dP for a change H of F.
    Mat<Dim> tangent(const ElasticResponse<Dim>& response, const Mat<Dim>& H, bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.tangent(response, H, false);
        Mat<Dim> dP = H * response.S;
        dP += volume_tangent<Dim>(response, H);
        return dP;
    }

    Stiffening stiffening(const ElasticResponse<Dim>& response, bool spans_space = true) const
    {
        if (!spans_space) return Svk<Dim>{moduli}.stiffening(response, false);
        Stiffening result;
        result.stretch = largest_stretch_squared<Dim>(response.F);
        const double of_stress = response.S.cwiseAbs().rowwise().sum().maxCoeff();
        result.waves =
            (of_stress + volume_waves<Dim>(response, true)) / (moduli.wave_modulus + moduli.volume_stiffness);
        return result;
    }

    /// Of S, that which holds plane strain in its plane [Pa].
    double stress_across(const Mat<Dim>&, const Mat<Dim>& at_rest = Mat<Dim>::Identity()) const
    {
        return moduli.mu / determinant<Dim>(at_rest, cofactor(at_rest));
    }
};

} // namespace phyxel
