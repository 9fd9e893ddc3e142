// SPDX-License-Identifier: MIT
// The gradient of moving least squares of first order through the value of a particle itself [MKN*04, Eq.
// 11–15], [AW09, Eq. 35–38]:
//
//     ∇f = Σ_j d_j (f_j − f_i),    d_j = w_j A⁻¹ x_ij,    A = Σ_j w_j x_ij x_ijᵀ,    x_ij = x_j − x_i
//
// All who take such a gradient make it of these two: GradientOperator, which keeps the d_j, and solids, which
// keep A⁻¹ and so need less memory. How A is inverted where it is singular is in symmetric_inverse.h.
#pragma once

#include <phyxel/core/types.h>

namespace phyxel {

/// Adds the share w x xᵀ of a neighbour at the offset x to the moment A.
template <int Dim>
void add_to_moment(double w, const Vec<Dim>& x, Mat<Dim>& A)
{
    A += (w * x) * x.transpose();
}

/// d of a neighbour at the offset x, from A⁻¹: what the gradient changes by with the value there.
template <int Dim>
Vec<Dim> gradient_coefficient(const Mat<Dim>& inverse_moment, double w, const Vec<Dim>& x)
{
    return w * (inverse_moment * x);
}

} // namespace phyxel
