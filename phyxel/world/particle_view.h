// SPDX-License-Identifier: MIT
// The particles of any body as arrays, and what can be told from them alone: snapshots, sums, samples.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// One item for every particle, except where it says otherwise.
template <int Dim>
struct ParticleView {
    std::span<const Vec<Dim>> positions = {};  ///< [m]
    std::span<const Vec<Dim>> velocities = {}; ///< [m/s]
    std::span<const std::uint64_t> ids = {};   ///< never used twice
    std::span<const std::uint32_t> parts = {}; ///< number of its part
    std::span<const double> reach = {};        ///< of every part: how far a particle counts around it [m]

    // What not all bodies have.
    std::span<const Vec<Dim>> rest_positions = {}; ///< [m]
    std::span<const double> support_radii = {};    ///< of its kernel, where that is not the reach [m]
    const NeighborLists* neighbors = nullptr;      ///< who is computed with whom, if not all within reach

    std::size_t size() const { return positions.size(); }
};

/// One number for every particle.
struct ParticleAmounts {
    std::span<const double> mass = {};                 ///< [kg]
    std::span<const double> volume = {};               ///< at present [m^Dim]
    std::span<const double> rest_volume = {};          ///< at rest [m^Dim]
    std::span<const double> weight = {};               ///< in means over a place
    std::span<const double> internal_energy = {};      ///< of compression or strain; none if empty [J]
    std::span<const double> stabilization_energy = {}; ///< what of it only keeps the method stable [J]
};

/// The values of a field at all particles of a body.
struct BodyField {
    std::string name;
    int components = 1;
    std::vector<double> values;
};

/// The sums over a part that statistics and probes show.
template <int Dim>
struct BodyTotals {
    std::string name = {};
    std::size_t particles = 0;
    double mass = 0.0;                    ///< [kg]
    double volume = 0.0;                  ///< [m^Dim]
    Vec<Dim> center = Vec<Dim>::Zero();   ///< of mass [m]
    Vec<Dim> momentum = Vec<Dim>::Zero(); ///< [kg m/s]
    Box<Dim> bounds = {};                 ///< of the particles' centres; empty without particles
    double kinetic_energy = 0.0;          ///< [J]
    double potential_energy = 0.0;        ///< in the field of gravity, zero at the origin [J]
    double internal_energy = 0.0;         ///< of compression or strain [J]
    double stabilization_energy = 0.0;    ///< what of it only keeps the method stable [J]
    double max_speed = 0.0;               ///< [m/s]

    double energy() const { return kinetic_energy + potential_energy + internal_energy; }
};

/// A particle and what is around it, for those who look at one.
template <int Dim>
struct ParticleCloseUp {
    Vec<Dim> position = Vec<Dim>::Zero();       ///< [m]
    std::optional<Vec<Dim>> rest_position = {}; ///< of solids [m]
    double support_radius = 0.0;                ///< how far its kernel reaches [m]
    std::vector<std::uint64_t> neighbors = {};  ///< ids of those that it is computed with, ascending
};

/// The number of the part that has the largest of `rates`, one for each part, or of its particles' rates of
/// crossing their reach [1/s]. Parts without particles do not count, and what is not a number is the largest.
template <int Dim>
std::size_t part_of_largest_rate(const ParticleView<Dim>& particles, std::span<const double> rates);

template <int Dim>
class Body;

/// The parts as they are now, points in the order of their ids. Fields that the body does not have are left
/// out.
template <int Dim>
std::vector<Snapshot> snapshots_of(Body<Dim>& body, std::span<const std::string> fields,
                                   const Surroundings<Dim>& surroundings);

/// One for each part.
template <int Dim>
std::vector<BodyTotals<Dim>> totals_of(Body<Dim>& body, const Surroundings<Dim>& surroundings);

/// A field at places in space, normalised over the material in reach, 0 where there is none. Vectors have Dim
/// components one after the other. Empty if the body has no such field.
template <int Dim>
std::vector<double> sample(Body<Dim>& body, std::string_view field, std::span<const Vec<Dim>> places,
                           const Surroundings<Dim>& surroundings);

/// Volume at rest that passes the plane in a second, along its unit normal [m^Dim/s].
template <int Dim>
double flow_through(Body<Dim>& body, const Vec<Dim>& point, const Vec<Dim>& normal,
                    const Surroundings<Dim>& surroundings);

/// The particle of the part that is nearest to a place; none if the part has no particles.
template <int Dim>
std::optional<std::uint64_t> nearest_particle(const Body<Dim>& body, std::string_view part,
                                              const Vec<Dim>& place);

/// A field of one particle, or its position; nothing once it is gone.
template <int Dim>
std::optional<std::vector<double>> value_of(Body<Dim>& body, std::string_view field, std::uint64_t particle,
                                            const Surroundings<Dim>& surroundings);

/// One particle of the present state; nothing once it is gone.
template <int Dim>
std::optional<ParticleCloseUp<Dim>> close_up_of(const Body<Dim>& body, std::uint64_t particle,
                                                const Surroundings<Dim>& surroundings);

} // namespace phyxel
