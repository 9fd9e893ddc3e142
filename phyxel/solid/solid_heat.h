// SPDX-License-Identifier: MIT
// Heat of solids: how phyxels conduct to each other, and what of the surface each of them lies under.
#pragma once

#include <phyxel/approx/heat_surface.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/solid/solid_boundary.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Of a phyxel of a solid in which heat flows [K], and what share of it is molten. Others are solid.
template <int Dim>
double temperature_of(const SolidModel<Dim>& model, const SolidState<Dim>& state, std::size_t i);
template <int Dim>
double liquid_fraction_of(const SolidModel<Dim>& model, const SolidState<Dim>& state, std::size_t i);

/// Conduction is that of the shape at rest, and stays what it is however the solid is deformed. It has to be
/// made anew when that shape changes.
template <int Dim>
class SolidHeat {
public:
    /// `shapes` are those of the parts at rest; one without has no surface to anything.
    SolidHeat(const SolidModel<Dim>& model, std::span<const std::optional<Shape<Dim>>> shapes);

    /// Of the neighbours of the rest shape; see find_conduction_factors.
    std::span<const double> factors() const { return factors_; }

    /// The surface as it is now.
    const HeatSurface<Dim>& place(const SolidState<Dim>& state);

    /// How wide the pieces of the surface of a part are [m].
    static double width_of(const SolidModel<Dim>& model, std::size_t part)
    {
        return 0.5 * model.spacing_of_part[part];
    }

private:
    SurfacePoints<Dim> share_surface(const SolidModel<Dim>& model, std::size_t part,
                                     const SurfacePoints<Dim>& all, std::vector<Mat<Dim>>& at_surface);

    std::vector<double> factors_;
    SolidBoundary<Dim> boundary_;
    Boundary<Dim> placed_;
    HeatSurface<Dim> surface_;
};

extern template class SolidHeat<2>;
extern template class SolidHeat<3>;

} // namespace phyxel
