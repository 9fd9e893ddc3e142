// SPDX-License-Identifier: MIT
// All that a scene can say of fluids, as plain structs. How each of them is written stands in
// detail/fluid_description.h.
#pragma once

#include <phyxel/fluid/fluid_solver.h>
#include <phyxel/scene/kind.h>
#include <phyxel/scene/shape_options.h>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phyxel {

/// Water unless told otherwise.
struct FluidMaterial {
    FluidMaterial();

    std::optional<std::string> from; ///< a preset
    double density = 0.0;            ///< [kg/m³]
    double viscosity = 0.0;          ///< dynamic [Pa s]
};

struct DfsphSettings {
    DfsphOptions options = {};
    std::optional<double> max_speed = {}; ///< [m/s]; chosen when the scene is built if not given

    bool operator==(const DfsphSettings&) const = default;
};

struct WcsphSettings {
    WcsphOptions options = {};
    std::optional<double> max_speed = {}; ///< [m/s]; chosen when the scene is built if not given

    bool operator==(const WcsphSettings&) const = default;
};

using SolverSettings = std::variant<DfsphSettings, WcsphSettings>;

template <int Dim>
struct FluidBodyOptions : BodyBasics<Dim> {
    FluidMaterial material;
    std::optional<SolverSettings> solver; ///< that of the first fluid that has one
};

template <int Dim>
struct EmitterSettings {
    std::string name;
    std::string body; ///< that it feeds
    ShapeOptions<Dim> shape;
    std::array<Formula, Dim> velocity = {}; ///< over time [m/s]
    double start = 0.0;                     ///< [s]
    std::optional<double> stop;             ///< [s]
};

template <int Dim>
struct OutflowSettings {
    std::string name;
    ShapeOptions<Dim> shape;
};

/// What a scene says of fluids beside its bodies.
template <int Dim>
struct FlowOptions {
    std::vector<EmitterSettings<Dim>> emitters;
    std::vector<OutflowSettings<Dim>> outflows;
};

} // namespace phyxel
