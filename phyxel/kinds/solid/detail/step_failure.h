// SPDX-License-Identifier: MIT
// When a step of solids has failed, and what is said of it.
#pragma once

#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/solid/solid_step_report.h>
#include <phyxel/world/body.h>

#include <optional>

namespace phyxel {

/// With a residual above this, the solver has found no equilibrium. A residual between this and the tolerance
/// of the solver is reported, and the run goes on.
inline constexpr double largest_residual = 1e-3;

/// `dt` is that of the step, `stable` what it could have been at most when it began [s].
template <int Dim>
std::optional<Failure> failure_of(const SolidStepReport& step, const BodyParts<Dim>& parts,
                                  const SolidOptions& options, double dt, double stable);

} // namespace phyxel
