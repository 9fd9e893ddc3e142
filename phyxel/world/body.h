// SPDX-License-Identifier: MIT
// What the world knows of a body: how long a step may be, how to make one, and how to show, save and load it.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/core/timer.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/world/hand.h>
#include <phyxel/world/statistics.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// Why a run cannot go on: the numerics, not the program and not the input.
struct Failure {
    std::string body = {};
    std::optional<std::uint64_t> particle = {}; ///< its id
    double time = 0.0;                          ///< [s]
    std::string what = {};                      ///< what was seen: "its velocity is no longer a number"
    std::string cause = {};                     ///< what it usually comes from, and what to do
};

/// `water: particle 1234 at 0.52 s: its velocity is no longer a number; …`
std::string to_text(const Failure& failure);

/// What is wrong with something of this speed [m/s], which is above `limit` or not finite.
std::string too_fast_text(double speed, std::string_view limit);

struct [[nodiscard]] BodyStepReport {
    Statistics statistics = {};
    std::optional<Failure> failure = {};
    StageTimes times = {};
};

/// The sums over a body that statistics and probes show.
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

/// A body, or several that cannot be stepped one by one, such as all fluids of a world. Its parts are what
/// the user named. One level of inheritance, called once per step.
template <int Dim>
class Body {
public:
    virtual ~Body() = default;

    virtual std::vector<std::string> parts() const = 0;
    virtual std::size_t particle_count() const = 0;

    /// Largest step that is safe from the present state [s].
    virtual double stable_time_step() const = 0;

    /// Advances the state by `dt` [s].
    virtual BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) = 0;

    /// The parts as they are now, points in the order of their ids. Unknown fields were refused when the
    /// scene was read.
    virtual std::vector<Snapshot> snapshots(std::span<const std::string> fields,
                                            const Surroundings<Dim>& surroundings) = 0;

    /// One for each part.
    virtual std::vector<BodyTotals<Dim>> totals(const Surroundings<Dim>& surroundings) = 0;

    /// What pulls and holds parts of it from now on; those that push are in the surroundings.
    virtual void set_hands(std::span<const Hand<Dim>> hands) = 0;

    /// Whether `loads` will be asked for.
    virtual void track_loads(bool on) = 0;

    /// Force and torque of the last step on each obstacle, in the order of the surroundings.
    virtual std::span<const ObstacleLoad<Dim>> loads() const = 0;

    /// A field at places in space, normalised over the material in reach, 0 where there is none. Vectors have
    /// Dim components one after the other. With `part` only its material counts.
    virtual std::vector<double> sample(std::string_view field, std::span<const Vec<Dim>> places,
                                       std::optional<std::string_view> part,
                                       const Surroundings<Dim>& surroundings) = 0;

    /// Volume at rest density that passes the plane in a second, along its unit normal [m^Dim/s].
    virtual double flow(const Vec<Dim>& point, const Vec<Dim>& normal,
                        const Surroundings<Dim>& surroundings) const = 0;

    /// The particle of the part that is nearest to a place; none if the part has no particles.
    virtual std::optional<std::uint64_t> nearest(std::string_view part, const Vec<Dim>& place) const = 0;

    /// A field of one particle; nothing once it is gone.
    virtual std::optional<std::vector<double>> value(std::string_view field, std::uint64_t particle,
                                                     const Surroundings<Dim>& surroundings) = 0;

    /// One particle of the present state; nothing once it is gone.
    virtual std::optional<ParticleCloseUp<Dim>> close_up(std::uint64_t particle,
                                                         const Surroundings<Dim>& surroundings) const = 0;

    /// The state, and nothing but the state.
    virtual void save(CheckpointWriter& checkpoint) const = 0;
    virtual void load(const CheckpointReader& checkpoint) = 0;
};

} // namespace phyxel
