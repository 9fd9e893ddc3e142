// SPDX-License-Identifier: MIT
// What scenes say of shapes and motions, as plain structs.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/placement.h>
#include <phyxel/geometry/primitives.h>

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {

/// A file, and where it was named.
struct MeshShape {
    std::string file; ///< relative to the scene file
};

enum class ShapeOperation { Union, Intersection, Difference };

template <int Dim>
struct ShapeOptions;

template <int Dim>
struct CombinedShape {
    ShapeOperation operation = ShapeOperation::Union;
    std::vector<ShapeOptions<Dim>> parts = {};
};

/// One shape, and where it is put.
template <int Dim>
struct ShapeOptions {
    std::variant<std::monostate, Box<Dim>, Sphere<Dim>, Cylinder<Dim>, Capsule<Dim>, Torus<Dim>, MeshShape,
                 CombinedShape<Dim>>
        kind;
    Placement<Dim> placement;
};

/// Formulas for angles: one in 2D, three in 3D.
template <int Dim>
using AngleFormulas = std::array<Formula, Dim*(Dim - 1) / 2>;

/// Without `about` it turns around the centre of the shape's bounds.
template <int Dim>
struct KeyMotion {
    std::vector<MotionKey<Dim>> keys;
    Interpolation interpolation = Interpolation::Smooth;
    std::optional<Vec<Dim>> about; ///< [m]
};

template <int Dim>
struct FormulaMotion {
    std::array<Formula, Dim> move = {};
    AngleFormulas<Dim> rotate = {};
    std::optional<Vec<Dim>> about; ///< [m]
};

struct FixedMotion {};

template <int Dim>
struct MotionOptions {
    std::variant<FixedMotion, KeyMotion<Dim>, FormulaMotion<Dim>> kind;
};

} // namespace phyxel
