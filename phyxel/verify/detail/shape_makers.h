// SPDX-License-Identifier: MIT
// The ingredient of all cases about moving least squares: something that makes shape functions.
#pragma once

#include <phyxel/approx/kernels.h>
#include <phyxel/approx/mls.h>
#include <phyxel/core/types.h>
#include <phyxel/verify/detail/textbook_mls.h>

#include <functional>
#include <span>

namespace phyxel::detail {

template <int Dim>
using ShapeMaker =
    std::function<ShapeFunctions<Dim>(const Vec<Dim>& x, std::span<const Vec<Dim>> nodes,
                                      double support_radius, const MlsOptions& options, int derivatives)>;

template <int Dim>
ShapeMaker<Dim> library_shapes()
{
    return [](const Vec<Dim>& x, std::span<const Vec<Dim>> nodes, double support_radius,
              const MlsOptions& options, int derivatives) {
        return shape_functions<Dim>(x, nodes, support_radius, options, derivatives);
    };
}

template <int Dim>
ShapeMaker<Dim> textbook_shapes(MlsMistake mistake)
{
    return [mistake](const Vec<Dim>& x, std::span<const Vec<Dim>> nodes, double support_radius,
                     const MlsOptions& options, int derivatives) {
        return textbook_shape_functions<Dim>(mistake, x, nodes, support_radius, options, derivatives);
    };
}

/// The library, asked for a support radius or an order that is not the one that was meant.
template <int Dim>
ShapeMaker<Dim> library_shapes_with(double radius_factor, int order_change)
{
    return [=](const Vec<Dim>& x, std::span<const Vec<Dim>> nodes, double support_radius,
               const MlsOptions& options, int derivatives) {
        MlsOptions changed = options;
        changed.order += order_change;
        return shape_functions<Dim>(x, nodes, radius_factor * support_radius, changed, derivatives);
    };
}

/// Shepard's method without its denominator, which is SPH: ω_i V_i, with one volume for all nodes of the unit
/// cube. Values only.
template <int Dim>
ShapeMaker<Dim> sph_shapes()
{
    return [](const Vec<Dim>& x, std::span<const Vec<Dim>> nodes, double support_radius, const MlsOptions&,
              int) {
        const Poly6<Dim> kernel(support_radius);
        ShapeFunctions<Dim> shape;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const double weight = kernel.value((x - nodes[i]).norm());
            if (weight == 0) continue;
            shape.ids.push_back(static_cast<Index>(i));
            shape.values.push_back(weight / static_cast<double>(nodes.size()));
        }
        return shape;
    };
}

} // namespace phyxel::detail
