// SPDX-License-Identifier: MIT
// How scenes write fluids: their solvers, bodies, emitters and outflows.
#pragma once

#include <phyxel/scene/detail/material_description.h>
#include <phyxel/scene/detail/resolution_description.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/detail/shape_description.h>

#include <string_view>
#include <utility>

namespace phyxel {

constexpr std::string_view type_word(const DfsphSettings&) { return "dfsph"; }

void describe(auto& visit, DfsphSettings& o)
{
    visit("density_tolerance", o.options.density_tolerance,
          {.above = 0, .max = 0.1, .doc = "mean error of the density that a step may leave, relative"});
    visit("divergence_tolerance", o.options.divergence_tolerance,
          {.above = 0, .max = 0.1, .doc = "mean change of the density in a step that the velocity may have"});
    visit("max_iterations", o.options.max_iterations,
          {.min = 1, .max = 10000, .doc = "of each of the two solves"});
    visit("velocity_smoothing", o.options.velocity_smoothing,
          {.min = 0, .max = 1, .doc = "how much of the noise in its velocity a particle gives up in a step"});
    visit("support_ratio", o.options.support_ratio,
          {.min = 1.5, .max = 4, .doc = "support radius over spacing"});
    visit("courant_number", o.options.courant_number,
          {.above = 0, .max = 1, .doc = "share of the spacing that a particle may move in a step"});
    visit("max_speed", o.max_speed,
          {.unit = "m/s",
           .above = 0,
           .doc = "fastest motion to expect, far above which the run is given up; from gravity and height if "
                  "not given"});
}

constexpr std::string_view type_word(const WcsphSettings&) { return "wcsph"; }

void describe(auto& visit, WcsphSettings& o)
{
    visit("compressibility", o.options.compressibility,
          {.above = 0, .max = 0.5, .doc = "largest relative change of density that is meant to happen"});
    visit("exponent", o.options.exponent, {.min = 1, .max = 20, .doc = "of Tait's equation"});
    visit("negative_pressure", o.options.negative_pressure,
          {.min = 0, .max = 1, .doc = "share of negative pressure that is kept"});
    visit("artificial_viscosity", o.options.artificial_viscosity,
          {.min = 0, .max = 10, .doc = "damps the noise of colliding particles"});
    visit("velocity_smoothing", o.options.velocity_smoothing,
          {.min = 0, .max = 1, .doc = "how far particles follow the velocity around them (XSPH)"});
    visit("particle_shifting", o.options.particle_shifting,
          {.min = 0,
           .max = 0.8,
           .doc = "keeps particles evenly spread in flow that stretches; if not given 0.4 in a periodic "
                  "domain that is full, else 0"});
    visit("support_ratio", o.options.support_ratio,
          {.min = 1.5, .max = 6, .doc = "support radius over spacing"});
    visit("courant_number", o.options.courant_number,
          {.above = 0, .max = 1, .doc = "share of the support radius that sound may cross in a step"});
    visit(
        "max_speed", o.max_speed,
        {.unit = "m/s",
         .above = 0,
         .doc = "fastest motion to expect, which sets the stiffness; from gravity and height if not given"});
}

template <int Dim>
constexpr std::string_view type_word(const FluidBodyOptions<Dim>&)
{
    return "fluid";
}

template <int Dim>
void describe(auto& visit, FluidBodyOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "for paths, probes and the names of its frames"});
    visit("shape", o.shape, {.doc = "what it fills at the start; nothing if not given"});
    visit("material", o.material, {.doc = "what it is made of"});
    visit("spacing", o.spacing, {.unit = "m", .above = 0, .doc = "of its particles, instead of the scene's"});
    visit("count", o.count,
          {.min = 1, .max = max_particle_count, .doc = "of its particles, instead of spacing"});
    visit("velocity", o.velocity,
          {.unit = "m/s", .variables = Dim == 2 ? "xyt" : "xyzt", .doc = "at the start"});
    visit("angular_velocity", o.angular_velocity,
          {.unit = "rad/s", .doc = "at the start, about the centre of mass"});
    visit("start", o.start,
          {.unit = "s", .min = 0, .doc = "when it is dropped in; there from the beginning if not given"});
    visit("solver", o.solver, {.doc = "how it is computed"});
}

template <int Dim>
void check(Reader& in, const Node& node, const FluidBodyOptions<Dim>& o)
{
    check_resolution(in, node, o);
}

template <int Dim>
void describe(auto& visit, EmitterSettings<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "for paths"});
    visit("body", o.body, {.required = true, .doc = "the fluid that it feeds"});
    visit("shape", o.shape, {.required = true, .doc = "what it keeps full of fluid; as of bodies"});
    visit("velocity", o.velocity,
          {.unit = "m/s",
           .required = true,
           .doc = "of the fluid in it; the rate is cross-section times speed"});
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
    if (!(o.velocity.norm() > 0) && node.find("velocity") != nullptr)
        add_problem("velocity", "the velocity has no direction", "must not be zero");
    if (o.stop && !(*o.stop > o.start))
        add_problem("stop", format_quantity(*o.stop, "s") + " is not after the start",
                    "must be above " + format_quantity(o.start, "s"));
}

template <int Dim>
void describe(auto& visit, OutflowSettings<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "for paths"});
    visit("shape", o.shape, {.required = true, .doc = "what removes the fluid that gets into it"});
}

} // namespace phyxel
