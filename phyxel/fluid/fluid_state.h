// SPDX-License-Identifier: MIT
// Fluids made of particles: what stays constant, and what changes in time.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/core/state_arrays.h>
#include <phyxel/core/types.h>

#include <cstdint>
#include <tuple>
#include <vector>

namespace phyxel {

/// What the particles of a part have in common. Parts may differ in the size of their particles and in
/// viscosity.
struct FluidPartModel {
    double spacing = 0.01;       ///< a, of the lattice that the part was filled with [m]
    double support_radius = 0.0; ///< h of the kernel [m]
    double particle_mass = 0.0;  ///< m, chosen so that the lattice has exactly the rest density [kg]
    double viscosity = 0.0;      ///< μ, dynamic [Pa s]
};

/// Share of h² ρ / μ that a step may use, with h the support radius [Mon92].
inline constexpr double viscous_step_share = 0.03;

struct FluidModel {
    double rest_density = 1000.0;      ///< ρ₀ [kg/m³]
    std::vector<FluidPartModel> parts; ///< at least one
    Fault fault = Fault::None;         ///< what verification has sabotaged

    /// Whether there are particles of several sizes.
    bool is_mixed() const;
    double smallest_spacing() const;        ///< [m]
    double smallest_support_radius() const; ///< [m]
    double largest_viscosity() const;       ///< [Pa s]
};

/// A part with particles of this spacing, a support of `support_ratio` spacings, and the mass with which an
/// infinite lattice has exactly the rest density. ρ₀ a^Dim would be off by up to a few parts in a thousand.
template <int Dim>
FluidPartModel fluid_part_model(double rest_density, double spacing, double support_ratio,
                                double viscosity = 0.0);

/// All that a step depends on and changes. The particles are in no particular order, but their order is part
/// of the state: sums run along it.
template <int Dim>
struct FluidState {
    std::vector<Vec<Dim>> position;    ///< x [m]
    std::vector<Vec<Dim>> velocity;    ///< v [m/s]
    std::vector<std::uint64_t> id;     ///< never used twice
    std::vector<std::uint32_t> part;   ///< number of the part that a particle belongs to
    double largest_acceleration = 0.0; ///< in the last step [m/s²]; limits the next one

    /// 1 + the number of the emitter that still moves the particle, 0 for none; empty without emitters.
    /// Nothing changes the velocity of such a particle.
    std::vector<std::uint16_t> emitter;

    // What iterative solvers found in the last step and begin the next one with; empty for others.
    std::vector<float> velocity_pressure; ///< p/ρ² that kept the velocity free of divergence [m⁵/(kg s²)]
    std::vector<float> position_pressure; ///< the like that kept the density, by moving particles

    std::size_t size() const { return position.size(); }
    bool has_emitters() const { return !emitter.empty(); }

    static constexpr auto arrays()
    {
        return std::tuple{StateArray{"position", &FluidState::position},
                          StateArray{"velocity", &FluidState::velocity},
                          StateArray{"id", &FluidState::id},
                          StateArray{"part", &FluidState::part},
                          StateArray{"largest_acceleration", &FluidState::largest_acceleration},
                          StateArray{"emitter", &FluidState::emitter, ArrayRole::Optional},
                          StateArray{"velocity_pressure", &FluidState::velocity_pressure, ArrayRole::Guess},
                          StateArray{"position_pressure", &FluidState::position_pressure, ArrayRole::Guess}};
    }

    void resize(std::size_t count) { resize_arrays(*this, count); }
};

} // namespace phyxel
