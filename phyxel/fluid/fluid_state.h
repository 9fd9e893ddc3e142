// SPDX-License-Identifier: MIT
// Fluids made of particles: what stays constant, and what changes in time.
#pragma once

#include <phyxel/core/types.h>

#include <cstdint>
#include <vector>

namespace phyxel {

/// All particles have the same mass. Particles may belong to several parts, which differ in viscosity.
struct FluidModel {
    double spacing = 0.01;               ///< a, of the lattice that the fluid was filled with [m]
    double support_radius = 0.026;       ///< h of the kernel [m]
    double particle_mass = 1e-3;         ///< m, chosen so that the lattice has exactly the rest density [kg]
    double rest_density = 1000.0;        ///< ρ₀ [kg/m³]
    std::vector<double> viscosity = {0}; ///< μ of each part, dynamic [Pa s]
};

/// All that a step depends on and changes. The particles are in no particular order, but their order is part
/// of the state: sums run along it.
template <int Dim>
struct FluidState {
    std::vector<Vec<Dim>> position;    ///< x [m]
    std::vector<Vec<Dim>> velocity;    ///< v [m/s]
    std::vector<std::uint64_t> id;     ///< never used twice
    std::vector<std::uint32_t> part;   ///< number of the part that a particle belongs to
    double largest_acceleration = 0.0; ///< in the last step [m/s²]; limits the next one

    std::size_t size() const { return position.size(); }

    void resize(std::size_t count)
    {
        position.resize(count);
        velocity.resize(count);
        id.resize(count);
        part.resize(count);
    }
};

} // namespace phyxel
