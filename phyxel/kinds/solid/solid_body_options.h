// SPDX-License-Identifier: MIT
// All that a scene can say of solids, as plain structs. How each of them is written stands in
// detail/solid_description.h.
#pragma once

#include <phyxel/scene/body_surface.h>
#include <phyxel/scene/heat_options.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/shape_options.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/solid/solid_material.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/surface/skinning.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// Jelly unless told otherwise.
struct SolidMaterialOptions {
    SolidMaterialOptions();

    std::optional<std::string> from; ///< a preset
    SolidMaterial properties;
};

/// Draws the centre of a region to a place.
template <int Dim>
struct SpringOptions {
    double stiffness = 0.0;         ///< [N/m]
    Vec<Dim> to = Vec<Dim>::Zero(); ///< [m]
    double damping = 0.0;           ///< [N s/m]
};

/// Of a region, which can also be let go.
template <int Dim>
struct RegionMotionOptions : MotionOptions<Dim> {
    bool is_free = false;
};

/// A part of a solid and the one thing that is done to it.
template <int Dim>
struct RegionOptions {
    std::string name;
    ShapeOptions<Dim> shape; ///< of the places at rest that belong to it
    std::optional<RegionMotionOptions<Dim>> motion;
    std::optional<std::array<Formula, Dim>> force; ///< [N]
    std::optional<Formula> pressure;               ///< [Pa]
    std::optional<SpringOptions<Dim>> spring;
    SurfaceHeatOptions heat;
};

enum class SkinMethod { FirstOrder, MovingLeastSquares, Coat, FirstOrderThenCoat };

/// The surface that is carried along.
struct SkinOptions {
    std::optional<SkinMethod> method; ///< if not given, what suits the material
    double blobbiness = -0.5;         ///< of a coat
    std::optional<int> detail; ///< cells along the longest side of a shape that is no mesh; 0 for no surface
};

/// A crack that is there from the beginning.
template <int Dim>
struct CrackDrawing {
    std::string name;
    std::vector<Vec<Dim>> polygon; ///< at rest [m]
};

template <int Dim>
struct BladeOptions {
    std::string name;
    std::vector<Vec<Dim>> polygon; ///< [m]
    MotionOptions<Dim> motion;
    std::optional<std::vector<std::string>> bodies; ///< all solids if not given
};

/// What a scene says of solids beside the bodies.
template <int Dim>
struct BladeSection {
    std::vector<BladeOptions<Dim>> blades;
};

template <int Dim>
struct SolidBodyOptions : BodyBasics<Dim> {
    SolidMaterialOptions material;
    BodySurfaceOptions surface;
    BodyHeatOptions heat;
    PhyxelSampling sampling = PhyxelOptions{}.sampling;
    double support_ratio = PhyxelOptions{}.support_ratio;
    int levels = 0;
    std::vector<std::string> merges_with;
    std::vector<RegionOptions<Dim>> regions;
    std::optional<SolidOptions> solver; ///< that of the first solid that has one
    bool is_solver_chosen = false;      ///< no solid has one, so that building may choose what suits them
    SkinOptions skin;
    std::vector<CrackDrawing<Dim>> cracks;
};

} // namespace phyxel
