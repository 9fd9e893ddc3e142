// SPDX-License-Identifier: MIT
// A closed mesh of a coat, for renderers that know no surfels: marching cubes over the implicit coat of the
// phyxels, with every vertex drawn onto the surface that the surfels mean, where they have detail.
#pragma once

#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/particle_surface.h>

#include <span>

namespace phyxel {

struct CoatMeshOptions {
    double spacing;           ///< of the phyxels [m]
    double blobbiness = -0.5; ///< of the implicit coat
    double radius;            ///< of the surfels [m]
    double cell = 0.25;       ///< of the grid, in spacings; 0.05 to 4
};

/// `velocities` are those of the phyxels, or none. Hollows inside of a few phyxels are filled: they are gaps
/// between phyxels that lie unevenly. Throws InputError for options out of range and what is not finite.
ParticleSurface coat_mesh(std::span<const Vec<3>> phyxels, std::span<const Vec<3>> velocities,
                          std::span<const Vec<3>> surfels, std::span<const Vec<3>> normals,
                          const CoatMeshOptions& options);

} // namespace phyxel
