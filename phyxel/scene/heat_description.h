// SPDX-License-Identifier: MIT
// How scenes write what they say of heat.
#pragma once

#include <phyxel/approx/thermal_material.h>
#include <phyxel/core/error.h>
#include <phyxel/scene/heat_options.h>
#include <phyxel/scene/value_formats.h>

#include <string>
#include <string_view>

namespace phyxel {

void describe(auto& visit, AirOptions& o)
{
    visit("temperature", o.temperature,
          {.unit = "K", .above = 0, .required = true, .doc = "of the air, such as \"20 °C\""});
    visit("exchange", o.exchange,
          {.unit = "W/(m^2 K)",
           .min = 0,
           .required = true,
           .doc = "heat through an area for each kelvin of difference; in still air about 10, in wind 50"});
}

/// Of an obstacle, the domain or a region, which `what` names.
void describe_heat(auto& visit, SurfaceHeatOptions& o, bool is_changeable, std::string_view temperature_doc,
                   std::string_view flux_doc, std::string_view air_doc)
{
    visit("temperature", o.temperature,
          {.unit = "K", .above = 0, .changeable = is_changeable, .group = "heat", .doc = temperature_doc});
    visit("heat_flux", o.heat_flux,
          {.unit = "W/m^2", .changeable = is_changeable, .group = "heat", .doc = flux_doc});
    visit("air", o.air, {.changeable = is_changeable, .group = "heat", .doc = air_doc});
}

inline void check_heat(Reader& in, const Node& node, const SurfaceHeatOptions& o)
{
    if (int(o.temperature.has_value()) + int(o.heat_flux.has_value()) + int(o.air.has_value()) <= 1) return;
    in.add_problem(node, "of temperature, heat_flux and air several are given", "expected one of them");
}

template <int Dim>
void describe_heat(auto& visit, BodyHeatOptions& o)
{
    visit("temperature", o.temperature,
          {.unit = "K",
           .variables = Dim == 2 ? "xy" : "xyz",
           .doc = "temperature at the start, in kelvin or such as \"20 °C\", a number or a formula of the "
                  "place; 20 °C if not given, but then no heat flows unless something else in the scene "
                  "speaks of it"});
    visit("air", o.air,
          {.changeable = true, .doc = "air around that part of its surface that touches nothing"});
}

void describe_heat(auto& visit, ThermalMaterial& m)
{
    visit("conductivity", m.conductivity,
          {.unit = "W/(m K)", .min = 0, .changeable = true, .doc = "conductivity of heat"});
    visit("heat_capacity", m.heat_capacity,
          {.unit = "J/(kg K)", .above = 0, .changeable = true, .doc = "heat that warms a mass by a kelvin"});
    visit("contact_conductance", m.contact_conductance,
          {.unit = "W/(m^2 K)",
           .above = 0,
           .changeable = true,
           .doc = "what the surface lets through to what it touches; it touches perfectly if not given"});
}

/// Of bodies that have phyxels.
void describe_melting(auto& visit, ThermalMaterial& m)
{
    visit("thermal_expansion", m.thermal_expansion,
          {.unit = "1/K",
           .min = -0.1,
           .max = 0.1,
           .changeable = true,
           .doc = "relative growth of lengths for each kelvin above the temperature at the start"});
    visit("melting_point", m.melting_point,
          {.unit = "K",
           .above = 0,
           .changeable = true,
           .doc = "temperature at which it melts; it never does if not given"});
    visit("melting_range", m.melting_range,
          {.unit = "K",
           .min = 0,
           .max = 200,
           .changeable = true,
           .doc = "difference of temperature over which it melts, half of it below the melting point"});
    visit("latent_heat", m.latent_heat,
          {.unit = "J/kg", .min = 0, .changeable = true, .doc = "heat that melting takes"});
}

} // namespace phyxel
