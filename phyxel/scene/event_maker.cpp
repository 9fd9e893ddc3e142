// SPDX-License-Identifier: MIT
#include <phyxel/scene/detail/event_maker.h>

#include <phyxel/scene/detail/motion_maker.h>
#include <phyxel/world/solid_body.h>

#include <optional>
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
Event<Dim> make_event(const PlannedEvent<Dim>& planned)
{
    std::vector<double> viscosities;
    std::optional<FluidOptions> fluid_options;
    std::vector<SolidMaterial> materials;
    std::optional<SolidOptions> solid_options;
    for (const BodyOptions<Dim>& body : planned.after.bodies) {
        if (const auto* fluid = std::get_if<FluidBodyOptions<Dim>>(&body)) {
            viscosities.push_back(fluid->material.viscosity);
            fluid_options = fluid_options_of(*fluid->solver);
        } else {
            const auto& solid = std::get<SolidBodyOptions<Dim>>(body);
            materials.push_back(solid.material.properties);
            solid_options = solid.solver;
        }
    }
    return {planned.time, [gravity = planned.after.gravity, hands = make_hands(planned.after.hands),
                           viscosities, fluid_options, materials, solid_options](World<Dim>& world) {
                world.set_gravity(gravity);
                world.set_hands(hands);
                std::size_t number = 0; // fluids come first
                if (fluid_options) {
                    auto& fluid = dynamic_cast<FluidBody<Dim>&>(world.body(number++));
                    fluid.set_options(*fluid_options);
                    for (std::size_t part = 0; part < viscosities.size(); ++part)
                        fluid.set_viscosity(part, viscosities[part]);
                }
                if (solid_options) {
                    auto& solid = dynamic_cast<SolidBody<Dim>&>(world.body(number));
                    solid.set_options(*solid_options);
                    for (std::size_t part = 0; part < materials.size(); ++part)
                        solid.set_material(part, materials[part]);
                }
            }};
}

template std::vector<Hand<2>> make_hands(const std::vector<HandOptions<2>>&);
template std::vector<Hand<3>> make_hands(const std::vector<HandOptions<3>>&);
template Event<2> make_event(const PlannedEvent<2>&);
template Event<3> make_event(const PlannedEvent<3>&);

} // namespace phyxel
