// SPDX-License-Identifier: MIT
// How scenes write rigid bodies and joints.
#pragma once

#include <phyxel/kinds/rigid/rigid_body_options.h>
#include <phyxel/kinds/rigid/rigid_presets.h>
#include <phyxel/scene/body_description.h>
#include <phyxel/scene/body_surface_description.h>
#include <phyxel/scene/heat_description.h>
#include <phyxel/scene/material_format.h>
#include <phyxel/scene/thermal_presets.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

void describe(auto& visit, RigidMaterialOptions& o)
{
    RigidMaterial& m = o.properties;
    visit("from", o.from,
          {.doc = "a preset; the other keys change parts of it; see `phyxel list materials`"});
    visit("density", m.density, {.unit = "kg/m^3", .above = 0, .doc = "the same everywhere in the body"});
    visit(
        "friction", m.friction,
        {.min = 0, .changeable = true, .doc = "Coulomb's coefficient; of two bodies the smaller one counts"});
    visit(
        "restitution", m.restitution,
        {.min = 0,
         .max = 1,
         .changeable = true,
         .doc =
             "share of the speed of an impact that is left after it; of two bodies the smaller one counts"});
    describe_heat(visit, o.thermal);
}

template <>
struct ValueFormat<RigidMaterialOptions> : MaterialFormat<RigidMaterialOptions> {
    static std::span<const RigidPreset> presets() { return rigid_presets(); }
    static void apply(const RigidPreset& preset, RigidMaterialOptions& value)
    {
        value.from = preset.name;
        value.properties = material_of(preset);
        value.thermal = thermal_material_of(preset.name);
        value.thermal.melting_point.reset(); // what melts is a solid
    }
    static RigidMaterialOptions without_preset(const Node&)
    {
        RigidMaterialOptions material;
        material.from = std::nullopt;
        material.properties = {};
        material.thermal = {};
        return material;
    }
    static std::vector<std::string_view> required(const Node&) { return {"density"}; }
    static void finish(Reader&, const Node&, RigidMaterialOptions&) {}
    static std::string expected(const Parameter&)
    {
        return "a material such as \"wood\", or an object with its properties";
    }
    static Node schema(SchemaWriter& out, const Parameter& p) { return schema_with(out, p, {{"density"}}); }
};

template <int Dim>
void describe(auto& visit, RigidBodyOptions<Dim>& o)
{
    describe_basics(visit, o);
    visit("material", o.material, {.by_preset = true, .doc = "what it is made of"});
    visit("surface", o.surface,
          {.doc = "how the body affects fluids that flow along it: slip, no_slip or friction"});
    describe_heat<Dim>(visit, o.heat);
}

template <int Dim>
void check(Reader& in, const Node& node, const RigidBodyOptions<Dim>& o)
{
    check_resolution(in, node, o);
}

constexpr auto words(JointType)
{
    return std::array{Word{JointType::Hinge, "hinge"}, Word{JointType::Ball, "ball"},
                      Word{JointType::Slider, "slider"}, Word{JointType::Fixed, "fixed"}};
}

void describe(auto& visit, HingeMotorOptions& o)
{
    visit("speed", o.speed,
          {.unit = "rad/s", .required = true, .doc = "that it drives the first body to; of a slider in m/s"});
    visit("torque", o.torque,
          {.unit = "N m", .min = 0, .required = true, .doc = "the largest; of a slider \"force\""});
}

void describe(auto& visit, SliderMotorOptions& o)
{
    visit("speed", o.speed, {.unit = "m/s", .required = true, .doc = "that it drives the first body to"});
    visit("force", o.force, {.unit = "N", .min = 0, .required = true, .doc = "the largest"});
}

template <int Dim>
void describe(auto& visit, JointOptions<Dim>& o)
{
    const bool slides = o.type == JointType::Slider;
    visit("name", o.name, {.required = true, .doc = "for paths"});
    visit("type", o.type, {.required = true, .doc = "what it lets the bodies do"});
    visit("bodies", o.bodies,
          {.required = true, .doc = "the one that it holds to the world, or the two that it joins"});
    visit("at", o.at, {.unit = "m", .required = true, .doc = "where it is at the start"});
    visit("axis", o.axis,
          {.doc = Dim == 2 ? "along which a slider moves"
                           : "about which a hinge turns, or along which a slider moves"});
    visit("limits", o.limits,
          {.unit = slides ? "m" : "rad",
           .doc = "of the angle of a hinge or the way of a slider since the start"});
    if (slides)
        visit("motor", o.slider_motor, {.changeable = true, .doc = "drives it"});
    else
        visit("motor", o.hinge_motor, {.changeable = true, .doc = "drives it"});
}

template <int Dim>
void check(Reader& in, const Node& node, const JointOptions<Dim>& o)
{
    const auto add_problem = [&](std::string_view key, std::string what, std::string allowed) {
        const Node* at = node.find(key);
        const Reader::Scope scope = in.enter(key);
        in.add_problem(at != nullptr ? *at : node, std::move(what), std::move(allowed));
    };
    const bool needs_axis = o.type == JointType::Slider || (o.type == JointType::Hinge && Dim == 3);
    if (needs_axis && !o.axis) add_problem("axis", "the joint has no axis", "expected a direction");
    if (o.axis && !(o.axis->norm() > 0.0))
        add_problem("axis", "the axis has no direction", "must not be zero");
    if (o.bodies.empty() || o.bodies.size() > 2)
        add_problem("bodies", std::to_string(o.bodies.size()) + " bodies are given",
                    "expected one, which is held to the world, or two");
    if (o.limits && !((*o.limits)[0] < (*o.limits)[1]))
        add_problem("limits", "the lower limit is not below the upper one", "expected [lower, upper]");
    const bool can_be_driven = o.type == JointType::Hinge || o.type == JointType::Slider;
    if (!can_be_driven && o.limits)
        add_problem("limits", "a joint of this type has no limits",
                    "leave them out, or use a hinge or slider");
    if (!can_be_driven && node.find("motor") != nullptr)
        add_problem("motor", "a joint of this type has no motor", "leave it out, or use a hinge or slider");
}

template <int Dim>
void describe(auto& visit, JointSection<Dim>& o)
{
    visit("joints", o.joints, {.doc = "what holds rigid bodies together"});
}

} // namespace phyxel
