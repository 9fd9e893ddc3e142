// SPDX-License-Identifier: MIT
// How scenes write fluids: their solvers, bodies, emitters and outflows.
#pragma once

#include <phyxel/kinds/fluid/fluid_body_options.h>
#include <phyxel/kinds/fluid/fluid_presets.h>
#include <phyxel/scene/body_description.h>
#include <phyxel/scene/material_format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace phyxel {

// Materials.

void describe(auto& visit, FluidMaterial& o)
{
    visit("from", o.from,
          {.doc = "a preset; the other keys change parts of it; see `phyxel list materials`"});
    visit("density", o.density, {.unit = "kg/m^3", .above = 0, .doc = "density at rest"});
    visit("viscosity", o.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .changeable = true,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "dynamic viscosity"});
}

template <>
struct ValueFormat<FluidMaterial> : MaterialFormat<FluidMaterial> {
    static std::span<const FluidPreset> presets() { return fluid_presets(); }
    static void apply(const FluidPreset& preset, FluidMaterial& value)
    {
        value.from = preset.name;
        value.density = preset.density;
        value.viscosity = preset.viscosity;
    }
    /// What is not said is that of water.
    static FluidMaterial without_preset(const Node& node)
    {
        FluidMaterial material;
        if (node.find("density") != nullptr && node.find("viscosity") != nullptr) material.from.reset();
        return material;
    }
    static std::vector<std::string_view> required(const Node&) { return {}; }
    static void finish(Reader&, const Node&, FluidMaterial&) {}

    static std::string expected(const Parameter&)
    {
        return "a material such as \"water\", or an object with its properties";
    }
    static Node schema(SchemaWriter& out, const Parameter& p) { return schema_with(out, p, {}); }
};

// Solvers.

constexpr std::string_view type_word(const DfsphSettings&) { return "dfsph"; }

void describe(auto& visit, DfsphSettings& o)
{
    visit("density_tolerance", o.options.density_tolerance,
          {.above = 0,
           .max = 0.1,
           .changeable = true,
           .doc = "mean relative error of the density that a step may leave"});
    visit("divergence_tolerance", o.options.divergence_tolerance,
          {.above = 0,
           .max = 0.1,
           .changeable = true,
           .doc = "mean relative change of the density that the velocity may cause in a step"});
    visit("max_iterations", o.options.max_iterations,
          {.min = 1,
           .max = 10000,
           .changeable = true,
           .doc = "largest number of iterations in each of the two pressure solves"});
    visit("velocity_smoothing", o.options.velocity_smoothing,
          {.min = 0,
           .max = 1,
           .changeable = true,
           .doc = "how strongly each step smooths out noise in the velocities; 0 is off"});
    visit("support_ratio", o.options.support_ratio,
          {.min = 1.5, .max = 4, .doc = "support radius over spacing"});
    visit("courant_number", o.options.courant_number,
          {.above = 0,
           .max = 1,
           .changeable = true,
           .doc = "share of the spacing that a particle may move in a step"});
    visit("max_speed", o.max_speed,
          {.unit = "m/s",
           .above = 0,
           .changeable = true,
           .doc = "fastest speed to expect; the run stops if a particle is far faster; if not given, "
                  "computed from gravity, height and the speeds in the scene"});
}

constexpr std::string_view type_word(const WcsphSettings&) { return "wcsph"; }

void describe(auto& visit, WcsphSettings& o)
{
    visit("compressibility", o.options.compressibility,
          {.above = 0,
           .max = 0.5,
           .changeable = true,
           .doc = "largest relative change of density to allow for"});
    visit("exponent", o.options.exponent,
          {.min = 1,
           .max = 20,
           .changeable = true,
           .doc = "exponent of Tait's equation, which gives pressure from density"});
    visit("negative_pressure", o.options.negative_pressure,
          {.min = 0, .max = 1, .changeable = true, .doc = "share of negative pressure that is kept"});
    visit("artificial_viscosity", o.options.artificial_viscosity,
          {.min = 0, .max = 10, .changeable = true, .doc = "damps the noise of colliding particles"});
    visit("velocity_smoothing", o.options.velocity_smoothing,
          {.min = 0,
           .max = 1,
           .changeable = true,
           .doc = "how strongly each step smooths the velocities (XSPH); 0 is off"});
    visit("particle_shifting", o.options.particle_shifting,
          {.min = 0,
           .max = 0.8,
           .changeable = true,
           .doc =
               "moves particles towards free space, so that they stay evenly spread in flow that stretches; "
               "if not given, 0.4 in a full domain that is periodic along all axes, otherwise 0"});
    visit("support_ratio", o.options.support_ratio,
          {.min = 1.5, .max = 6, .doc = "support radius over spacing"});
    visit("courant_number", o.options.courant_number,
          {.above = 0,
           .max = 1,
           .changeable = true,
           .doc = "share of the support radius that sound may cross in a step"});
    visit("max_speed", o.max_speed,
          {.unit = "m/s",
           .above = 0,
           .changeable = true,
           .doc = "fastest speed to expect, which sets the stiffness; if not given, computed from gravity, "
                  "height and the speeds in the scene"});
}

template <int Dim>
void describe(auto& visit, FluidBodyOptions<Dim>& o)
{
    describe_basics(visit, o, false);
    visit("material", o.material, {.by_preset = true, .doc = "what it is made of"});
    visit("solver", o.solver, {.doc = "method of computation, with its parameters"});
}

template <int Dim>
void check(Reader& in, const Node& node, const FluidBodyOptions<Dim>& o)
{
    check_resolution(in, node, o);
}

template <int Dim>
void describe(auto& visit, EmitterSettings<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths"});
    visit("body", o.body, {.required = true, .doc = "the fluid that it feeds"});
    visit("shape", o.shape,
          {.required = true,
           .doc = "space that the emitter keeps full of fluid; written like the shape of a body"});
    visit("velocity", o.velocity,
          {.unit = "m/s",
           .required = true,
           .variables = "t",
           .doc = "velocity of the fluid in the shape, whose direction must stay the same; the flow rate is "
                  "cross-section times speed"});
    visit("start", o.start, {.unit = "s", .min = 0, .doc = "when it opens"});
    visit("stop", o.stop, {.unit = "s", .min = 0, .doc = "when it closes; never if not given"});
}

template <int Dim>
void check(Reader& in, const Node& node, const EmitterSettings<Dim>& o)
{
    const auto add_problem = [&](std::string_view key, std::string what, std::string allowed) {
        const Reader::Scope scope = in.enter(key);
        in.add_problem(*node.find(key), std::move(what), std::move(allowed));
    };
    const bool is_zero = std::all_of(o.velocity.begin(), o.velocity.end(), [](const Formula& component) {
        return component.is_number() && component.evaluate(0, 0, 0, 0) == 0.0;
    });
    if (is_zero && node.find("velocity") != nullptr)
        add_problem("velocity", "the velocity has no direction", "must not be zero");
    if (o.stop && !(*o.stop > o.start))
        add_problem("stop", format_quantity(*o.stop, "s") + " is not after the start",
                    "must be above " + format_quantity(o.start, "s"));
}

template <int Dim>
void describe(auto& visit, OutflowSettings<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths"});
    visit("shape", o.shape, {.required = true, .doc = "fluid that gets into this shape is removed"});
}

template <int Dim>
void describe(auto& visit, FlowOptions<Dim>& o)
{
    visit("emitters", o.emitters, {.changeable = true, .doc = "where fluid comes from"});
    visit("outflows", o.outflows, {.doc = "where fluid is taken away"});
}

} // namespace phyxel
