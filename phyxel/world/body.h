// SPDX-License-Identifier: MIT
// What the world knows of a body: its particles, how long a step may be, how to make one, how to save and
// load it.
#pragma once

#include <phyxel/core/field_info.h>
#include <phyxel/core/snapshot.h>
#include <phyxel/core/statistics.h>
#include <phyxel/core/timer.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/world/hand.h>
#include <phyxel/world/heat_view.h>
#include <phyxel/world/particle_view.h>

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

/// Where a part is that keeps its shape.
template <int Dim>
struct PartPose {
    std::string name;
    Vec<Dim> center = Vec<Dim>::Zero();       ///< of mass [m]
    Mat<Dim> rotation = Mat<Dim>::Identity(); ///< from rest
    bool is_there = true;
};

/// Adds a part to those that are expected, in the order in which they come.
template <class Part>
void add_expected(std::vector<Part>& expected, Part part)
{
    const auto later = std::upper_bound(expected.begin(), expected.end(), part.start,
                                        [](double start, const Part& other) { return start < other.start; });
    expected.insert(later, std::move(part));
}

/// A body, or several that cannot be stepped one by one, such as all fluids of a world. Its parts are what
/// the user named. One level of inheritance, called once per step. Whatever can be told from the particles
/// alone, such as snapshots, totals and samples, is a function over them in particle_view.h.
template <int Dim>
class Body {
public:
    virtual ~Body() = default;

    /// Those that are there, in the order of their numbers, then those that are expected.
    virtual std::vector<std::string> parts() const = 0;

    /// As they are now; good until the next step.
    virtual ParticleView<Dim> particles() const = 0;

    /// What the particles are made of, computed once for all who ask between two steps.
    virtual ParticleAmounts amounts(const Surroundings<Dim>& surroundings) = 0;

    /// Advances the state by `dt` [s].
    virtual BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) = 0;

    /// Largest step that is safe from the present state [s].
    virtual double stable_time_step() const { return std::numeric_limits<double>::infinity(); }

    /// The part that this step is so short for, to be named if it is too short. There is at least one.
    virtual std::string limiting_part() const { return parts().front(); }

    /// What its particles have beside id, position and velocity.
    virtual std::span<const FieldInfo> fields() const { return {}; }

    /// One of these at every particle, its components one after the other.
    virtual std::vector<double> field(std::string_view, const Surroundings<Dim>&) { return {}; }

    /// What is drawn of a part instead of its particles. `fields` are those that it has.
    virtual std::optional<SurfaceMesh> surface(std::size_t, std::span<const BodyField>,
                                               const Surroundings<Dim>&)
    {
        return {};
    }

    /// What pulls and holds parts of it from now on; those that push are in the surroundings.
    virtual void set_hands(std::span<const Hand<Dim>>) {}

    /// Whether `loads`, `part_value` and `joint_value` will be asked for. What they tell of the last step is
    /// then state.
    virtual void track_loads(bool) {}

    /// Force and torque of the last step on each obstacle, in the order of the surroundings.
    virtual std::span<const ObstacleLoad<Dim>> loads() const { return {}; }

    // How bodies meet each other: one that can be felt shows its boundary, one that feels others finds their
    // boundaries in the surroundings, and what it does to them comes back to those as impulses.

    /// How far apart the points of boundaries have to be for it to feel them [m]; infinite if it feels none.
    virtual double boundary_spacing() const { return std::numeric_limits<double>::infinity(); }

    /// Its surface as it is now, as points about `spacing` [m] apart; nothing if nobody can feel it.
    virtual void show_boundary(double, Boundary<Dim>&, const Surroundings<Dim>&) {}

    /// What its last step did to the boundaries of the surroundings, point by point [N s].
    virtual std::span<const std::vector<Vec<Dim>>> boundary_impulses() const { return {}; }

    /// What others did to the boundary that was shown, point by point [N s]; it acts over the next `dt` [s].
    virtual void take_impulses(std::span<const Vec<Dim>>, double) {}

    // Rigid bodies are also met by the distance to their shape, their form, by those whose points are to stay
    // out of it.

    /// One for each rigid thing, also for those that are not there yet or no longer: always the same ones, in
    /// the same order, but that more may be added behind. Each is where it is now, with the velocity that it
    /// would have after `dt` [s] if nobody touched it.
    virtual std::vector<Form<Dim>> forms(double, const Surroundings<Dim>&) const { return {}; }

    /// What others did to each form until the end of the step that comes next: forces times time, and torques
    /// about the centres that the forms had when it began.
    virtual void take_form_impulses(std::span<const ObstacleLoad<Dim>>) {}

    /// Whether it minds the forms of others.
    virtual bool meets_forms() const { return false; }

    /// Force and torque of the last step on each form, in the order of the surroundings.
    virtual std::span<const ObstacleLoad<Dim>> form_loads() const { return {}; }

    // What keeps its shape, and the joints that hold such parts together.

    /// One for each part that keeps its shape, also for those that are not there.
    virtual std::vector<PartPose<Dim>> poses() const { return {}; }

    /// What a part has as a whole, such as a torque. Nothing if there is no such part now, or it has no such
    /// field.
    virtual std::vector<double> part_value(std::string_view /*part*/, std::string_view /*field*/,
                                           const Surroundings<Dim>&) const
    {
        return {};
    }

    /// The same of a joint.
    virtual std::vector<double> joint_value(std::string_view /*joint*/, std::string_view /*field*/,
                                            const Surroundings<Dim>&) const
    {
        return {};
    }

    /// A part that is not there yet, as its kind makes it; it has no particles until it joins.
    virtual void expect(std::any) {}

    /// Why such a part could not join now; nothing if it can.
    virtual std::optional<std::string> refusal_of(const std::any&) { return {}; }

    /// An expected part is there from now on. Does nothing if it is there, or nobody expects it.
    virtual void join(std::string_view, const Surroundings<Dim>&) {}

    /// A part of another body has just come, whose boundary is in the surroundings: gives it the room that it
    /// takes up. Returns how many particles are gone.
    virtual std::size_t make_room(std::string_view, const Surroundings<Dim>&) { return 0; }

    /// A part that is there has no particles from now on; its name stays among the parts.
    virtual void leave(std::string_view) {}

    // Heat. It flows in all bodies of a world or in none.

    /// Whether something is said of it that makes heat flow.
    virtual bool asks_for_heat() const { return false; }

    /// From now on it has temperatures.
    virtual void begin_heat() {}

    /// How it conducts and what it touches, where it is now; the world changes its enthalpies. Nothing if it
    /// knows no heat.
    virtual std::optional<HeatView<Dim>> heat() { return {}; }

    /// What it stands in is no longer what it was: nothing may go on resting without being looked at.
    virtual void wake() {}

    /// What events may change, as its kind makes it. Setting the same again changes nothing.
    virtual void set_parameters(const std::any&) {}

    /// The state, and nothing but the state.
    virtual void save(CheckpointWriter& checkpoint) const = 0;
    virtual void load(const CheckpointReader& checkpoint) = 0;

    std::size_t particle_count() const { return particles().size(); }
};

} // namespace phyxel
