// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/event_maker.h>

#include <phyxel/scene/motion_maker.h>

#include <algorithm>
#include <any>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {

template <int Dim>
std::vector<Hand<Dim>> make_hands(const std::vector<HandOptions<Dim>>& options)
{
    std::vector<Hand<Dim>> hands;
    for (HandOptions<Dim> hand : options)
        hands.push_back({.name = hand.name,
                         .kind = hand.kind,
                         .body = hand.body,
                         .at = hand.at,
                         .radius = hand.radius,
                         .motion = make_motion(hand.motion, Box<Dim>{hand.at, hand.at}),
                         .stiffness = hand.stiffness,
                         .strength = hand.strength,
                         .power = hand.power.value_or(0.0)});
    return hands;
}

template <int Dim>
Event<Dim> joining_event(const std::string& body, double time)
{
    return {.time = time, .apply = [body](World<Dim>& world) { world.join(body); }, .rank = EventRank::Join};
}

template <int Dim>
WallSurface<Dim> surface_of(const WallSurfaceOptions<Dim>& options)
{
    const bool is_belt = options.velocity && !options.friction;
    return {.no_slip = options.kind == SurfaceKind::NoSlip || is_belt,
            .friction = options.friction.value_or(0.0),
            .velocity = options.velocity.value_or(Vec<Dim>(Vec<Dim>::Zero()))};
}

template <int Dim>
std::vector<ObstacleChange<Dim>> make_obstacle_changes(const PlannedEvent<Dim>& planned)
{
    std::vector<ObstacleChange<Dim>> changes;
    for (const PlannedObstacle<Dim>& obstacle : planned.obstacles) {
        ObstacleChange<Dim>& change = changes.emplace_back();
        change.obstacle = obstacle.name;
        change.surface = surface_of(obstacle.surface);
        change.heat = heat_of(obstacle.heat);
        change.is_removed = obstacle.is_removed;
        if (!obstacle.is_moved) continue;
        MotionOptions<Dim> probe = obstacle.motion;
        const Vec<Dim> origin = Vec<Dim>::Zero();
        // By the time of the event the motion may have moved already, and what it turns around with it.
        const Vec<Dim> moved = make_motion(probe, Box<Dim>{origin, origin}).displacement(planned.time).move;
        change.motion = [options = obstacle.motion, moved](const Vec<Dim>& center) mutable {
            const Vec<Dim> about = center - moved;
            return make_motion(options, Box<Dim>{about, about});
        };
    }
    return changes;
}

template <int Dim>
void add_event(const PlannedEvent<Dim>& planned, std::span<const KindOf<Dim>* const> kinds,
               std::vector<Event<Dim>>& events)
{
    if (!planned.leaving.empty())
        events.push_back({.time = planned.time,
                          .apply =
                              [leaving = planned.leaving](World<Dim>& world) {
                                  for (std::size_t k = 0; k < world.body_count(); ++k)
                                      for (const std::string& part : leaving) world.body(k).leave(part);
                              },
                          .rank = EventRank::Leave});
    std::vector<std::pair<std::size_t, std::any>> parameters; // by the number of the body
    for (const auto& [kind, value] : planned.parameters)
        if (const auto found = std::find(kinds.begin(), kinds.end(), kind); found != kinds.end())
            parameters.emplace_back(static_cast<std::size_t>(found - kinds.begin()), value);
    std::optional<std::vector<Hand<Dim>>> hands;
    if (planned.hands) hands = make_hands(*planned.hands);
    events.push_back({.time = planned.time,
                      .apply =
                          [gravity = planned.gravity, hands = std::move(hands),
                           parameters = std::move(parameters)](World<Dim>& world) {
                              if (gravity) world.set_gravity(*gravity);
                              if (hands) world.set_hands(*hands);
                              for (const auto& [body, value] : parameters)
                                  world.body(body).set_parameters(value);
                          },
                      .obstacles = make_obstacle_changes(planned)});
}

template std::vector<Hand<2>> make_hands(const std::vector<HandOptions<2>>&);
template std::vector<Hand<3>> make_hands(const std::vector<HandOptions<3>>&);
template Event<2> joining_event(const std::string&, double);
template Event<3> joining_event(const std::string&, double);
template WallSurface<2> surface_of(const WallSurfaceOptions<2>&);
template WallSurface<3> surface_of(const WallSurfaceOptions<3>&);
template std::vector<ObstacleChange<2>> make_obstacle_changes(const PlannedEvent<2>&);
template std::vector<ObstacleChange<3>> make_obstacle_changes(const PlannedEvent<3>&);
template void add_event(const PlannedEvent<2>&, std::span<const KindOf<2>* const>, std::vector<Event<2>>&);
template void add_event(const PlannedEvent<3>&, std::span<const KindOf<3>* const>, std::vector<Event<3>>&);

} // namespace phyxel
