// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/event_maker.h>

#include <phyxel/scene/motion_maker.h>

#include <any>
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
                         .strength = hand.strength});
    return hands;
}

template <int Dim>
Event<Dim> joining_event(const std::string& body, double time)
{
    return {time, [body](World<Dim>& world) {
                for (std::size_t k = 0; k < world.body_count(); ++k)
                    world.body(k).join(body, world.surroundings());
            }};
}

template <int Dim>
Event<Dim> make_event(const PlannedEvent<Dim>& planned, std::span<const KindOf<Dim>* const> kinds)
{
    std::vector<std::any> parameters;
    for (const KindOf<Dim>* kind : kinds) {
        const auto memory = planned.memory.find(kind->name);
        parameters.push_back(kind->parameters ? kind->parameters(planned.after, memory != planned.memory.end()
                                                                                    ? memory->second
                                                                                    : std::any())
                                              : std::any());
    }
    return {planned.time, [gravity = planned.after.gravity, hands = make_hands(planned.after.hands),
                           parameters = std::move(parameters)](World<Dim>& world) {
                world.set_gravity(gravity);
                world.set_hands(hands);
                for (std::size_t k = 0; k < parameters.size(); ++k)
                    if (parameters[k].has_value()) world.body(k).set_parameters(parameters[k]);
            }};
}

template std::vector<Hand<2>> make_hands(const std::vector<HandOptions<2>>&);
template std::vector<Hand<3>> make_hands(const std::vector<HandOptions<3>>&);
template Event<2> joining_event(const std::string&, double);
template Event<3> joining_event(const std::string&, double);
template Event<2> make_event(const PlannedEvent<2>&, std::span<const KindOf<2>* const>);
template Event<3> make_event(const PlannedEvent<3>&, std::span<const KindOf<3>* const>);

} // namespace phyxel
