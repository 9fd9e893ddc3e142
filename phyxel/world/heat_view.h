// SPDX-License-Identifier: MIT
// What a body shows of its heat, so that the world can carry heat within it and between it and others.
#pragma once

#include <phyxel/approx/heat_surface.h>
#include <phyxel/approx/thermal_material.h>
#include <phyxel/geometry/surface_heat.h>
#include <phyxel/search/neighbor_lists.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// 20 °C: where nothing else is said [K].
inline constexpr double usual_temperature = 293.15;

/// A part that the user named.
struct HeatPart {
    std::string name;
    ThermalMaterial material = {};
    std::optional<Air> air = {}; ///< where its surface touches nothing
    double spacing = 0.0;        ///< of its nodes; what is nearer than half of it is touched [m]
    double width = 0.0;          ///< of the pieces of its surface [m]
};

/// Some nodes of which more is said. One that keeps a temperature keeps it within, all else acts on its
/// surface.
struct HeatRegion {
    SurfaceHeat heat = {};
    std::vector<Index> nodes = {}; ///< ascending
};

/// Good until the next step of the body. Nodes are phyxels, or a rigid body as a whole.
template <int Dim>
struct HeatView {
    std::span<double> enthalpy; ///< of a mass; the state [J/kg]
    std::span<const double> mass = {};
    std::span<const std::uint32_t> part = {};
    std::span<const Vec<Dim>> position = {};
    std::vector<HeatPart> parts = {};
    const NeighborLists* neighbors = nullptr; ///< none if the nodes conduct nothing to each other
    std::span<const double> factors = {};     ///< of the pairs; see find_conduction_factors
    const HeatSurface<Dim>* surface = nullptr;
    std::vector<HeatRegion> regions = {};
};

} // namespace phyxel
