// SPDX-License-Identifier: MIT
// How solids are stepped.
#pragma once

#include <variant>

namespace phyxel {

/// Explicit [MKN*04, Sec. 3.4]: cheap steps, as short as sound takes from phyxel to phyxel.
struct LeapfrogOptions {
    double stabilization = 0.1;  ///< β, against modes that one point of integration does not see
    double courant_number = 0.5; ///< share of the largest step that is stable at rest

    bool operator==(const LeapfrogOptions&) const = default;
};

/// Implicit Euler [MKN*04, App. B]: steps as long as one likes, at the price of a system of equations.
struct ImplicitOptions {
    double stabilization = 0.1;  ///< β
    double time_step = 0.01;     ///< longest [s]
    double tolerance = 1e-3;     ///< what is left of the residual of a step
    int newton_iterations = 5;   ///< at most; 1 is the scheme of [MKN*04]
    int linear_iterations = 200; ///< at most, of conjugate gradients in each

    bool operator==(const ImplicitOptions&) const = default;
};

/// Each step is the equilibrium under the loads of its time.
struct QuasiStaticOptions {
    double stabilization = 0.1;   ///< β
    double tolerance = 1e-5;      ///< what is left of the forces, of those that hold the solid
    int newton_iterations = 50;   ///< at most
    int linear_iterations = 2000; ///< at most, of conjugate gradients in each

    bool operator==(const QuasiStaticOptions&) const = default;
};

using SolidOptions = std::variant<LeapfrogOptions, ImplicitOptions, QuasiStaticOptions>;

} // namespace phyxel
