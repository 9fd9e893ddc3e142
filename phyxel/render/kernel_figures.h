// SPDX-License-Identifier: MIT
// The smoothing kernels as curves and as figures, from the kernels themselves.
#pragma once

#include <phyxel/approx/kernels.h>
#include <phyxel/render/figure.h>

#include <vector>

namespace phyxel {

/// A kernel and its derivatives over the distance from 0 to its support radius and a little beyond.
struct KernelCurves {
    std::vector<double> distance;          ///< r [m]
    std::vector<double> value;             ///< ω
    std::vector<double> derivative;        ///< ω′
    std::vector<double> second_derivative; ///< ω″
    std::vector<double> laplacian;         ///< Δω; the first may be −∞
};

/// `count` distances, equally spaced. Throws InputError unless dimension is 1, 2 or 3, the radius positive
/// and there are at least two.
KernelCurves kernel_curves(KernelType type, int dimension, double support_radius, int count = 241);

/// The kernel as a function of the plane, over the square around its support.
FieldGrid kernel_field(KernelType type, double support_radius, int cells);

/// [AW09, Fig. 1]: poly6 over the plane and with three supports; then all kernels with support radius 1 in
/// the given dimension, their derivatives and Laplacians.
Figure kernel_figure(int dimension = 2);

} // namespace phyxel
