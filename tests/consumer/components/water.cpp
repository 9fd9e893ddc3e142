// SPDX-License-Identifier: MIT
#include <phyxel/fluid/dfsph_solver.h>

/// One step of water that floats freely.
void step_water(phyxel::DfsphSolver<3>& solver, phyxel::FluidState<3>& water)
{
    solver.step(water, solver.stable_time_step(water), {});
}
