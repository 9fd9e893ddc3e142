// SPDX-License-Identifier: MIT
// The solvers that a fluid can have, and their options.
#pragma once

#include <phyxel/fluid/dfsph_solver.h>
#include <phyxel/fluid/wcsph_solver.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace phyxel {

using FluidOptions = std::variant<DfsphOptions, WcsphOptions>;

template <int Dim>
using FluidSolver = std::variant<DfsphSolver<Dim>, WcsphSolver<Dim>>;

template <int Dim>
FluidSolver<Dim> make_fluid_solver(const FluidModel& model, const FluidOptions& options)
{
    if (const auto* dfsph = std::get_if<DfsphOptions>(&options)) return DfsphSolver<Dim>(model, *dfsph);
    return WcsphSolver<Dim>(model, std::get<WcsphOptions>(options));
}

/// Support radius over spacing.
inline double support_ratio(const FluidOptions& options)
{
    return std::visit([](const auto& o) { return o.support_ratio; }, options);
}

/// How long steps are while the fluid moves at a speed [s].
inline double expected_time_step(const DfsphOptions& options, double spacing, double speed)
{
    return options.courant_number * spacing / speed;
}
inline double expected_time_step(const WcsphOptions& options, double spacing, double speed)
{
    const double sound_speed = options.max_speed / std::sqrt(options.compressibility);
    return options.courant_number * options.support_ratio * spacing / (sound_speed + speed);
}

/// The same with viscosity, which limits the steps of fluids that are thick or finely resolved. ν is μ/ρ
/// [m²/s].
inline double expected_time_step(const FluidOptions& options, double spacing, double speed,
                                 double kinematic_viscosity)
{
    const double step =
        std::visit([&](const auto& o) { return expected_time_step(o, spacing, speed); }, options);
    const double h = support_ratio(options) * spacing;
    return kinematic_viscosity > 0.0 ? std::min(step, viscous_step_share * h * h / kinematic_viscosity)
                                     : step;
}

} // namespace phyxel
