// SPDX-License-Identifier: MIT
// How scenes write probes.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/options.h>
#include <phyxel/scene/scene_options.h>

#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

template <int Dim>
void describe(auto& visit, LineProbe<Dim>& o)
{
    visit("from", o.from, {.unit = "m", .required = true, .doc = "first place"});
    visit("to", o.to, {.unit = "m", .required = true, .doc = "last place"});
    visit("count", o.count, {.min = 2, .max = 100000, .doc = "number of places, both ends included"});
}

template <int Dim>
void describe(auto& visit, PlaneProbe<Dim>& o)
{
    visit("point", o.point, {.unit = "m", .required = true, .doc = "any point of the plane"});
    visit("normal", o.normal, {.required = true, .doc = "direction that counts as positive"});
}

template <int Dim>
void check(Reader& in, const Node& node, const PlaneProbe<Dim>& o)
{
    if (o.normal.norm() > 0 && std::isfinite(o.normal.norm())) return;
    const Reader::Scope scope = in.enter("normal");
    in.add_problem(*node.find("normal"), "the normal has no direction", "must not be zero");
}

template <>
struct ValueFormat<ProbeSchedule> {
    static constexpr std::array<std::string_view, 2> words = {"frame", "step"};
    static constexpr Parameter interval = {.unit = "s", .above = 0};

    static std::string expected(const Parameter&)
    {
        return "\"frame\", \"step\" or " + expected_quantity("s");
    }
    static void read(Reader& in, const Node& node, const Parameter& p, ProbeSchedule& value)
    {
        if (!node.is_text() && !node.is_number()) {
            in.add_mismatch(node, expected(p));
        } else if (node.is_number() ||
                   (!node.text().empty() &&
                    std::string_view("+-.0123456789").find(node.text()[0]) != std::string_view::npos)) {
            if (in.read_quantity(node, interval, value.interval)) value.times = ProbeTimes::Interval;
        } else if (node.text() == "frame") {
            value.times = ProbeTimes::Frame;
        } else if (node.text() == "step") {
            value.times = ProbeTimes::Step;
        } else {
            in.add_problem(node, "unknown word " + short_text(node),
                           suggestion(node.text(), words) + "allowed: frame, step, or " +
                               expected_quantity("s"));
        }
    }
    static Node write(const ProbeSchedule& value)
    {
        if (value.times == ProbeTimes::Interval) return value.interval;
        return value.times == ProbeTimes::Frame ? "frame" : "step";
    }
    static Node schema(SchemaWriter&, const Parameter&)
    {
        return Node::object({{"anyOf", Node::list({Node::object({{"enum", Node::list({"frame", "step"})}}),
                                                   quantity_schema(interval)})}});
    }
};

template <int Dim>
void describe(auto& visit, ProbeOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "name of its columns in probes.csv"});
    visit("point", o.point,
          {.unit = "m", .doc = "a place; with body, the material that was there at the start"});
    visit("line", o.line, {.doc = "places between two ends"});
    visit("plane", o.plane, {.doc = "plane through which the flow is measured"});
    visit("body", o.body,
          {.doc = "body that is measured as a whole; with point, the body that the point belongs to"});
    visit("obstacle", o.obstacle, {.doc = "obstacle on which force or torque is measured"});
    visit("joint", o.joint, {.doc = "joint that is measured"});
    visit(
        "field", o.field,
        {.required = true,
         .doc =
             "of a point or line: velocity and the fields of its bodies; of a point with body also position, "
             "displacement; of a plane: flow; of a body: bounds, center, volume, momentum, energy, "
             "max_speed, of a rigid one also rotation, angular_velocity, angular_momentum, force, torque; of "
             "an "
             "obstacle: force, torque; of a joint: position, force, torque"});
    visit("every", o.every, {.doc = "when the probe is read"});
}

/// The keys that say what is measured; one if the probe is right.
template <int Dim>
std::vector<std::string_view> probe_kinds(const ProbeOptions<Dim>& o)
{
    std::vector<std::string_view> given;
    if (o.point) given.push_back("point");
    if (o.line) given.push_back("line");
    if (o.plane) given.push_back("plane");
    if (o.body && !(o.point && given.size() == 1)) given.push_back("body");
    if (o.obstacle) given.push_back("obstacle");
    if (o.joint) given.push_back("joint");
    return given;
}

template <int Dim>
void check(Reader& in, const Node& node, const ProbeOptions<Dim>& o)
{
    const std::vector<std::string_view> given = probe_kinds(o);
    if (given.size() == 1) return;
    in.add_problem(node,
                   given.empty() ? std::string("there is nothing to measure")
                                 : word_list(given) + " are given together",
                   "expected one of point, line, plane, body, obstacle, joint");
}

} // namespace phyxel
