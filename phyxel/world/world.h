// SPDX-License-Identifier: MIT
// Bodies together: the clock, the events, the obstacles and the walls. The world advances from frame to
// frame; what it was made from decides every bit of what follows.
#pragma once

#include <phyxel/core/formula.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/world/body.h>
#include <phyxel/world/heat_exchange.h>
#include <phyxel/world/probe_set.h>

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

struct ClockOptions {
    double duration = 2.0;                 ///< [s]
    double frame_rate = 30.0;              ///< [1/s]
    std::optional<double> fixed_step = {}; ///< instead of the step that the bodies ask for [s]
    double min_step = 0.0;                 ///< a body that asks for less fails [s]
    double max_step = std::numeric_limits<double>::infinity(); ///< [s]

    /// Frames 0 … last_frame() are within the duration; frame k is at k / frame_rate.
    std::uint64_t last_frame() const;
    double frame_time(std::uint64_t frame) const { return static_cast<double>(frame) / frame_rate; }
};

/// Of x, y, z [m] and t [s]; [m/s²].
template <int Dim>
using GravityFormula = std::array<Formula, Dim>;

template <int Dim>
struct MovingObstacle {
    std::string name;
    Shape<Dim> shape; ///< at rest
    Motion<Dim> motion = {};
    WallSurface<Dim> surface = {};
    std::optional<Shape<Dim>> cavity = {}; ///< what it holds, of a container
    SurfaceHeat heat = {};
};

/// What an obstacle does from a time on.
template <int Dim>
struct ObstacleSpan {
    double since = 0.0; ///< [s]
    Motion<Dim> motion = {};
    WallSurface<Dim> surface = {};
    SurfaceHeat heat = {};
    bool is_there = true;
    std::uint64_t events = 0; ///< of the world that have happened by then
};

/// What an event does to an obstacle; what is not said stays.
template <int Dim>
struct ObstacleChange {
    std::string obstacle;
    /// How it moves on from where it is. The middle of its bounds is at `center` then, for motions that turn
    /// around it.
    std::function<Motion<Dim>(const Vec<Dim>& center)> motion = {};
    std::optional<WallSurface<Dim>> surface = {};
    std::optional<SurfaceHeat> heat = {};
    bool is_removed = false;
};

/// What events of one time do: some leave, others join, then the rest happens. So a body that is dropped in
/// finds the room of one that leaves, whoever was written first.
enum class EventRank { Leave, Join, Change };

/// Something that happens at a time: changes parameters, lets a body join or leave, and nothing else of the
/// state. It is done again when a run is resumed after it, so doing it must depend on nothing but itself.
template <int Dim>
class World;
template <int Dim>
struct Event {
    double time = 0.0;                           ///< [s]
    std::function<void(World<Dim>&)> apply = {}; ///< may be empty
    std::vector<ObstacleChange<Dim>> obstacles = {};
    EventRank rank = EventRank::Change;
};

/// The last span that has begun.
template <int Dim>
const ObstacleSpan<Dim>& span_at(std::span<const ObstacleSpan<Dim>> course, double time)
{
    const ObstacleSpan<Dim>* last = &course.front();
    for (const ObstacleSpan<Dim>& span : course)
        if (span.since <= time) last = &span;
    return *last;
}

template <int Dim>
struct WorldOptions {
    ClockOptions clock = {};
    GravityFormula<Dim> gravity = {};
    Domain<Dim> domain = {};
    std::vector<MovingObstacle<Dim>> obstacles = {};
    IgnoredNames ignored = {};           ///< who does not feel whom
    std::vector<Hand<Dim>> hands = {};   ///< at the start
    std::vector<Event<Dim>> events = {}; ///< in any order; those of one time and rank happen as given
    std::vector<Probe<Dim>> probes = {};
    Fault fault = Fault::None; ///< of the world's own stages, for verification
};

/// What happened since the frame before. All but the times is the same on any machine load.
struct [[nodiscard]] FrameReport {
    std::uint64_t steps = 0;
    double shortest_step = std::numeric_limits<double>::infinity(); ///< [s]
    double longest_step = 0.0;                                      ///< [s]
    Statistics statistics = {};
    StageTimes times = {};
};

template <int Dim>
class World {
public:
    World(WorldOptions<Dim> options, std::vector<std::unique_ptr<Body<Dim>>> bodies);

    double time() const { return time_; }
    std::uint64_t frame() const { return frame_; }           ///< the last one that was reached
    std::uint64_t step_count() const { return step_count_; } ///< since time 0
    const ClockOptions& clock() const { return options_.clock; }
    bool is_at_frame() const { return frame_reached_; } ///< no step was made since that frame
    std::size_t particle_count() const;
    std::vector<std::string> part_names() const;

    /// Makes steps until the next frame is reached, a body fails, or `pause`, asked after every step, wants
    /// to stop. Returns whether the frame was reached; otherwise another call goes on where this one stopped.
    bool advance_frame(const std::function<bool()>& pause = {});

    const std::optional<Failure>& failure() const { return failure_; }

    /// Since the frame before; begins anew with the first step of the next one.
    const FrameReport& report() const { return report_; }

    std::vector<Snapshot> snapshots(std::span<const std::string> fields);
    std::vector<BodyTotals<Dim>> totals();

    /// Of probes.csv without the time.
    const std::vector<std::string>& probe_columns() const { return probes_.columns(); }

    /// What was sampled since the last call, beginning with time 0.
    std::vector<ProbeRow> take_probe_rows();

    /// What events may change.
    void set_gravity(const GravityFormula<Dim>& gravity);
    std::size_t body_count() const { return bodies_.size(); }
    void set_hands(std::vector<Hand<Dim>> hands);
    /// An expected part is there from now on; fluids make room for it, as they do at the start.
    void join(std::string_view part);
    Body<Dim>& body(std::size_t number) { return *bodies_[number]; }
    /// Of two that are not both there yet.
    void ignore(std::string a, std::string b) { surroundings_.ignored.add(std::move(a), std::move(b)); }

    /// The earliest time for an event that nobody knew of: had it been known from the start, the steps so far
    /// would have been the same. Now at a frame, else a step or two later, or at what the steps lead up to.
    double next_change_time() const;

    /// Replaces the events that have not happened yet. New ones must not be before `next_change_time`; what
    /// is due now happens at once.
    void set_events_to_come(std::vector<Event<Dim>> events);

    const Surroundings<Dim>& surroundings() const { return surroundings_; }
    const std::vector<Hand<Dim>>& hands() const { return options_.hands; }
    const std::vector<MovingObstacle<Dim>>& obstacles() const { return options_.obstacles; } ///< at first
    /// What an obstacle does until the end, as far as the events tell, in the order of time.
    std::span<const ObstacleSpan<Dim>> course(std::size_t obstacle) const { return courses_[obstacle]; }

    /// All that decides what follows.
    void save(CheckpointWriter& checkpoint) const;
    /// Nobody may have joined or left since the time of the checkpoint.
    void load(const CheckpointReader& checkpoint);

    /// Of all that `save` saves but the later statistics; see first_statistics.
    std::uint64_t state_hash() const;

private:
    void save_hashed(CheckpointWriter& checkpoint) const;
    void apply_next_event();
    void apply_events_due();
    void plan_courses();
    const ObstacleSpan<Dim>& present_span(std::size_t obstacle) const;
    void place_obstacle(std::size_t obstacle, double time);
    double next_target() const;
    std::optional<double> asked_step();
    bool check_step(const Body<Dim>& body, double dt);
    void move_surroundings(double time);
    bool is_coupled() const { return !surroundings_.boundaries.empty() || !forms_.empty(); }
    void find_boundaries();
    void move_boundaries(double time);
    void find_forms(double dt);
    void move_forms(double to);
    bool has_forms(std::size_t body) const;
    double coupled_step(const Body<Dim>& body) const;
    void make_coupled_step(double dt);
    void make_step(double dt);
    void step_body(Body<Dim>& body, double dt);
    void step_in_parts(Body<Dim>& body, double dt);
    void begin_heat_if_asked();
    void exchange_heat(double step, bool to_the_end);
    bool is_moment(double time, std::uint64_t frame, bool frame_reached) const;
    void fail(Failure failure);

    WorldOptions<Dim> options_;
    std::vector<std::unique_ptr<Body<Dim>>> bodies_;
    Surroundings<Dim> surroundings_;
    std::vector<std::vector<ObstacleSpan<Dim>>> courses_; ///< of the obstacles

    // Of bodies that feel each other; follows from their states.
    std::vector<std::size_t> shown_;              ///< bodies whose boundaries are in the surroundings
    std::vector<std::vector<Vec<Dim>>> impulses_; ///< on these boundaries [N s]
    double boundary_spacing_ = 0.0;               ///< [m]
    double boundary_time_ = 0.0;                  ///< where they are now is where they are at this time [s]

    /// Bodies that others meet by their forms.
    struct FormsOf {
        std::size_t body = 0;
        std::size_t first = 0; ///< of its forms
        std::size_t count = 0;
    };
    std::vector<FormsOf> formed_;
    std::vector<Form<Dim>> forms_;                 ///< as the present step began
    std::vector<ObstacleLoad<Dim>> form_impulses_; ///< of the present step [N s], [N m s]

    // State, beside that of the bodies.
    double time_ = 0.0;
    std::uint64_t frame_ = 0;
    std::uint64_t step_count_ = 0;
    std::uint64_t events_done_ = 0;
    ProbeSet<Dim> probes_;
    bool frame_reached_ = true; ///< the next step belongs to a new frame
    double heat_due_ = 0.0;     ///< for so long no heat has flowed yet; saved where any does [s]
    FrameReport report_;

    HeatExchange<Dim> heat_;
    bool has_heat_ = false; ///< follows from what has happened so far

    // For events that come as a surprise; no state, as it changes nothing of what follows.
    double earliest_change_ = 0.0; ///< before this a new target would have changed a step that was made [s]
    double last_asked_step_ = 0.0; ///< that the bodies asked for [s]

    std::optional<Failure> failure_;
};

extern template class World<2>;
extern template class World<3>;

} // namespace phyxel
