// SPDX-License-Identifier: MIT
// Moving least squares written straight from the formulas, with one mistake of choice. Without a mistake it
// gives what the library gives, so that a sabotage differs from the truth in that one thing only.
#pragma once

#include <phyxel/approx/mls.h>
#include <phyxel/core/types.h>

#include <span>

namespace phyxel::detail {

enum class MlsMistake {
    None,

    /// Monomials of x_i itself, neither centred nor scaled [AW09, Eq. 22].
    UncentredBasis,

    /// p(x_i − x) on the left but p(x) on the right, where p(0) belongs once the basis is centred.
    UncentredTarget,

    /// The derivatives of [AW09, Eq. 30], in which p(x) = const, applied to the centred basis of [AW09, Eq.
    /// 28].
    BasisTakenForConstant,

    /// ∂(M⁻¹) left out.
    InverseTakenForConstant,

    /// ∂ω = 0: the "diffuse derivative". It still reproduces polynomials.
    WeightTakenForConstant,

    /// The mixed terms ∂_k M ∂_l g + ∂_l M ∂_k g left out of the second derivatives.
    NoMixedTerms
};

/// Shape functions at x from all nodes that reach it; as `phyxel::shape_functions` with one support radius,
/// but with a plain inverse of the moment matrix. Where that is singular, what comes out is anything.
template <int Dim>
ShapeFunctions<Dim> textbook_shape_functions(MlsMistake mistake, const Vec<Dim>& x,
                                             std::span<const Vec<Dim>> nodes, double support_radius,
                                             const MlsOptions& options, int derivatives);

} // namespace phyxel::detail
