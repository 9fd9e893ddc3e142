// SPDX-License-Identifier: MIT
// What the surface of a body does to fluids that flow along it, as scenes say it.
#pragma once

#include <phyxel/geometry/wall_surface.h>

#include <optional>

namespace phyxel {

enum class SurfaceKind { Slip, NoSlip };

struct BodySurfaceOptions {
    SurfaceKind kind = SurfaceKind::Slip;
    std::optional<double> friction; ///< Coulomb's coefficient; the fluid slips otherwise
};

template <int Dim>
WallSurface<Dim> surface_of(const BodySurfaceOptions& options)
{
    return {.no_slip = options.kind == SurfaceKind::NoSlip, .friction = options.friction.value_or(0.0)};
}

} // namespace phyxel
