// SPDX-License-Identifier: MIT
// The stress that a phyxel bears at present, as a force on an area at present.
#pragma once

#include <phyxel/solid/elastic_laws.h>

#include <cmath>
#include <variant>

namespace phyxel {

/// σ = F S Fᵀ / J + p; in the plane, what holds the plane strain along z too. Zero where there is no volume.
template <int Dim>
Mat<3> cauchy_stress(const AnyLaw<Dim>& law, const ElasticResponse<Dim>& response, const Mat<Dim>& at_rest,
                     double expansion)
{
    Mat<3> sigma = Mat<3>::Zero();
    const Mat<Dim>& F = response.F;
    const double J = determinant<Dim>(F, cofactor(F));
    if (!(std::abs(J) > 0.0)) return sigma;
    sigma.template topLeftCorner<Dim, Dim>() = F * response.S * F.transpose() / J;
    if constexpr (Dim == 2)
        sigma(2, 2) =
            std::visit([&](const auto& chosen) { return chosen.stress_across(F / expansion, at_rest); },
                       law) /
            J;
    sigma.diagonal().array() += response.p;
    return sigma;
}

/// The same in the directions that the phyxels know.
template <int Dim>
Mat<Dim> cauchy_stress(const ElasticResponse<Dim>& response)
{
    const Mat<Dim>& F = response.F;
    const double J = determinant<Dim>(F, cofactor(F));
    if (!(std::abs(J) > 0.0)) return Mat<Dim>::Zero();
    Mat<Dim> sigma = F * response.S * F.transpose() / J;
    sigma.diagonal().array() += response.p;
    return sigma;
}

} // namespace phyxel
