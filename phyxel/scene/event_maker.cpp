// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/event_maker.h>

#include <phyxel/scene/detail/motion_maker.h>
#include <phyxel/world/solid_body.h>

#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace phyxel {

FluidOptions fluid_options_of(const SolverSettings& settings)
{
    return std::visit(
        [](const auto& chosen) -> FluidOptions {
            auto options = chosen.options;
            options.max_speed = chosen.max_speed.value();
            return options;
        },
        settings);
}

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
                for (std::size_t k = 0; k < world.body_count(); ++k) {
                    if (auto* fluid = dynamic_cast<FluidBody<Dim>*>(&world.body(k))) fluid->join(body);
                    if (auto* solid = dynamic_cast<SolidBody<Dim>*>(&world.body(k)))
                        solid->join(body, world.surroundings());
                }
            }};
}

template <int Dim>
Event<Dim> make_event(const PlannedEvent<Dim>& planned)
{
    std::vector<std::pair<std::string, double>> viscosities;
    std::optional<FluidOptions> fluid_options;
    std::vector<std::pair<std::string, SolidMaterial>> materials;
    std::optional<SolidOptions> solid_options;
    for (const BodyOptions<Dim>& body : planned.after.bodies) {
        if (const auto* fluid = std::get_if<FluidBodyOptions<Dim>>(&body)) {
            viscosities.emplace_back(fluid->name, fluid->material.viscosity);
            fluid_options = fluid_options_of(*fluid->solver);
        } else {
            const auto& solid = std::get<SolidBodyOptions<Dim>>(body);
            materials.emplace_back(solid.name, solid.material.properties);
            solid_options = solid.solver;
        }
    }
    return {planned.time, [gravity = planned.after.gravity, hands = make_hands(planned.after.hands),
                           emitters = planned.emitters, viscosities, fluid_options, materials,
                           solid_options](World<Dim>& world) {
                world.set_gravity(gravity);
                world.set_hands(hands);
                std::size_t number = 0; // fluids come first
                if (fluid_options) {
                    auto& fluid = dynamic_cast<FluidBody<Dim>&>(world.body(number++));
                    fluid.set_options(*fluid_options);
                    for (const auto& [part, viscosity] : viscosities) fluid.set_viscosity(part, viscosity);
                    if (emitters) fluid.set_emitters(*emitters);
                }
                if (solid_options) {
                    auto& solid = dynamic_cast<SolidBody<Dim>&>(world.body(number));
                    solid.set_options(*solid_options);
                    for (const auto& [part, material] : materials) solid.set_material(part, material);
                }
            }};
}

template std::vector<Hand<2>> make_hands(const std::vector<HandOptions<2>>&);
template std::vector<Hand<3>> make_hands(const std::vector<HandOptions<3>>&);
template Event<2> joining_event(const std::string&, double);
template Event<3> joining_event(const std::string&, double);
template Event<2> make_event(const PlannedEvent<2>&);
template Event<3> make_event(const PlannedEvent<3>&);

} // namespace phyxel
