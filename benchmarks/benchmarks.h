// SPDX-License-Identifier: MIT
// One function for each group of benchmarks.
#pragma once

namespace phyxel {

/// search/…: neighbour lists for all points, against nanoflann; kd-tree and hash grid.
void register_search_benchmarks();

/// sph/… and mls/…: sums over neighbours and construction of shape functions.
void register_approx_benchmarks();

/// fluid/…: steps of fluids.
void register_fluid_benchmarks();

/// fluid/ghost_wall/…: what particles ask of obstacles.
void register_ghost_benchmarks();

/// render/…: ray-traced pictures.
void register_render_benchmarks();

/// surface/…: surfaces of particles.
void register_surface_benchmarks();

/// skin/…: surfaces that solids carry along.
void register_skin_benchmarks();

/// solid/…: steps of solids.
void register_solid_benchmarks();

/// fracture/…: cracks that grow.
void register_fracture_benchmarks();

/// rigid/…: steps of rigid bodies, against Bullet.
void register_rigid_benchmarks();

} // namespace phyxel
