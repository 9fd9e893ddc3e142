// SPDX-License-Identifier: MIT
// How scenes write solids: their solvers, regions, surfaces and bodies.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/detail/material_description.h>
#include <phyxel/scene/detail/motion_description.h>
#include <phyxel/scene/detail/resolution_description.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/detail/shape_description.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

constexpr auto words(PhyxelSampling)
{
    return std::array{Word{PhyxelSampling::Lattice, "lattice"}, Word{PhyxelSampling::Jittered, "jittered"},
                      Word{PhyxelSampling::PoissonDisk, "poisson_disk"}};
}

// Solvers.

void describe_stabilization(auto& visit, double& stabilization)
{
    visit("stabilization", stabilization,
          {.min = 0, .max = 10, .doc = "against modes that one point of integration a phyxel does not see"});
}

constexpr std::string_view type_word(const LeapfrogOptions&) { return "leapfrog"; }

void describe(auto& visit, LeapfrogOptions& o)
{
    describe_stabilization(visit, o.stabilization);
    visit("courant_number", o.courant_number,
          {.above = 0, .max = 1, .doc = "share of the largest step that is stable at rest"});
}

constexpr std::string_view type_word(const ImplicitOptions&) { return "implicit"; }

void describe(auto& visit, ImplicitOptions& o)
{
    describe_stabilization(visit, o.stabilization);
    visit("time_step", o.time_step, {.unit = "s", .above = 0, .doc = "the longest"});
    visit("tolerance", o.tolerance, {.above = 0, .max = 0.1, .doc = "what a step may leave of its residual"});
    visit("newton_iterations", o.newton_iterations,
          {.min = 1, .max = 1000, .doc = "of a step at most; 1 is the scheme of Müller et al. 2004"});
    visit("linear_iterations", o.linear_iterations,
          {.min = 1, .max = 100000, .doc = "of conjugate gradients at most, in each of those"});
}

constexpr std::string_view type_word(const QuasiStaticOptions&) { return "quasi_static"; }

void describe(auto& visit, QuasiStaticOptions& o)
{
    describe_stabilization(visit, o.stabilization);
    visit("tolerance", o.tolerance, {.above = 0, .max = 0.1, .doc = "what a frame may leave of the forces"});
    visit("newton_iterations", o.newton_iterations, {.min = 1, .max = 1000, .doc = "of a frame at most"});
    visit("linear_iterations", o.linear_iterations,
          {.min = 1, .max = 100000, .doc = "of conjugate gradients at most, in each of those"});
}

// Regions.

template <int Dim>
void describe(auto& visit, SpringOptions<Dim>& o)
{
    visit("stiffness", o.stiffness,
          {.unit = "N/m", .above = 0, .required = true, .doc = "force by distance"});
    visit("to", o.to, {.unit = "m", .required = true, .doc = "where it draws the centre of the region"});
    visit("damping", o.damping, {.unit = "N s/m", .min = 0, .doc = "force by speed"});
}

template <int Dim>
void describe(auto& visit, RegionOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "for paths"});
    visit("shape", o.shape,
          {.required = true, .doc = "what is in it at rest belongs to the region; as of bodies"});
    visit("motion", o.motion, {.doc = "how it moves: \"fixed\", or as of obstacles"});
    visit("force", o.force,
          {.unit = "N", .variables = "t", .doc = "in all, shared by mass; instead of motion"});
    visit("pressure", o.pressure,
          {.unit = "Pa", .variables = "t", .doc = "on the surface within it, inwards; instead of motion"});
    visit("spring", o.spring, {.doc = "draws it to a place; instead of motion"});
}

template <int Dim>
void check(Reader& in, const Node& node, const RegionOptions<Dim>& o)
{
    std::vector<std::string_view> given;
    if (o.motion) given.push_back("motion");
    if (o.force) given.push_back("force");
    if (o.pressure) given.push_back("pressure");
    if (o.spring) given.push_back("spring");
    if (given.size() == 1) return;
    in.add_problem(node,
                   given.empty() ? std::string("nothing is done to the region")
                                 : word_list(given) + " are given together",
                   "expected one of motion, force, pressure, spring");
}

template <int Dim>
struct ValueFormat<RegionOptions<Dim>> : DescribedFormat<RegionOptions<Dim>> {
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        Node object = DescribedFormat<RegionOptions<Dim>>::schema(out, p);
        std::vector<Node> choices;
        for (const char* key : {"motion", "force", "pressure", "spring"})
            choices.push_back(Node::object({{"required", Node::list({key})}}));
        object.set("oneOf", Node::list(std::move(choices)));
        return object;
    }
};

// Bodies.

constexpr auto words(SkinningMethod)
{
    return std::array{Word{SkinningMethod::FirstOrder, "first_order"},
                      Word{SkinningMethod::MovingLeastSquares, "moving_least_squares"}};
}

void describe(auto& visit, SkinOptions& o)
{
    visit(
        "method", o.method,
        {.doc = "how it follows the phyxels: the affine maps of those around, blended, or shape functions"});
    visit("detail", o.detail,
          {.min = 0,
           .max = 512,
           .doc = "cells along the longest side, where the shape is no file; 0 for no surface; four to a "
                  "spacing and at most 96 if not given"});
}

inline void check(Reader& in, const Node& node, const SkinOptions& o)
{
    constexpr int least = 4;
    if (!o.detail || *o.detail == 0 || *o.detail >= least) return;
    const Reader::Scope scope = in.enter("detail");
    in.add_problem(*node.find("detail"), std::to_string(*o.detail) + " cells are too few",
                   "must be 0 or at least " + std::to_string(least));
}

template <int Dim>
constexpr std::string_view type_word(const SolidBodyOptions<Dim>&)
{
    return "solid";
}

template <int Dim>
void describe(auto& visit, SolidBodyOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "for paths, probes and the names of its frames"});
    visit("shape", o.shape, {.required = true, .doc = "what it is at rest; as of fluids"});
    visit("material", o.material, {.doc = "what it is made of"});
    visit("spacing", o.spacing, {.unit = "m", .above = 0, .doc = "of its phyxels, instead of the scene's"});
    visit("count", o.count,
          {.min = 1, .max = max_particle_count, .doc = "of its phyxels, instead of spacing"});
    visit("sampling", o.sampling, {.doc = "how phyxels fill the shape"});
    visit("support_ratio", o.support_ratio,
          {.min = 1.2,
           .max = 4,
           .doc = "support radius over the mean distance to the ten nearest; 3 is that of Müller et al. "
                  "2004, and too soft"});
    visit("velocity", o.velocity,
          {.unit = "m/s", .variables = Dim == 2 ? "xyt" : "xyzt", .doc = "at the start"});
    visit("angular_velocity", o.angular_velocity,
          {.unit = "rad/s", .doc = "at the start, about the centre of mass"});
    visit("start", o.start,
          {.unit = "s", .min = 0, .doc = "when it is dropped in; there from the beginning if not given"});
    visit("regions", o.regions, {.doc = "parts that are held, moved, pulled or pressed"});
    visit("solver", o.solver, {.doc = "how it is computed"});
    if constexpr (Dim == 3) visit("skin", o.skin, {.doc = "the surface that frames have"});
}

template <int Dim>
void check(Reader& in, const Node& node, const SolidBodyOptions<Dim>& o)
{
    check_resolution(in, node, o);
}

} // namespace phyxel
