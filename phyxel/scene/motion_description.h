// SPDX-License-Identifier: MIT
// How scenes write motions of obstacles and of regions of solids.
#pragma once

#include <phyxel/scene/options.h>
#include <phyxel/scene/scene_options.h>

#include <string>
#include <type_traits>

namespace phyxel {

constexpr auto words(Interpolation)
{
    return std::array{Word{Interpolation::Smooth, "smooth"}, Word{Interpolation::Linear, "linear"}};
}

template <int Dim>
void describe(auto& visit, MotionKey<Dim>& o)
{
    visit("time", o.time, {.unit = "s", .required = true, .doc = "when it is there"});
    visit("move", o.move, {.unit = "m", .doc = "how far it has moved"});
    visit("rotate", o.rotate, {.unit = "rad", .doc = "how far it has turned, as for shapes"});
}

template <int Dim>
void describe(auto& visit, KeyMotion<Dim>& o)
{
    visit("keys", o.keys, {.required = true, .doc = "where it is at which time"});
    visit("interpolation", o.interpolation, {.doc = "between the keys"});
    visit("about", o.about,
          {.unit = "m", .doc = "point that it turns around; if not given, the centre of its bounding box"});
}

template <int Dim>
void describe(auto& visit, FormulaMotion<Dim>& o)
{
    visit("move", o.move, {.unit = "m", .variables = "t", .doc = "how far it has moved"});
    visit("rotate", o.rotate, {.unit = "rad", .variables = "t", .doc = "how far it has turned"});
    visit("about", o.about,
          {.unit = "m", .doc = "point that it turns around; if not given, the centre of its bounding box"});
}

template <int Dim>
void check(Reader& in, const Node& node, const KeyMotion<Dim>& o)
{
    const Node& keys = *node.find("keys");
    const Reader::Scope list = in.enter("keys");
    if (o.keys.empty()) in.add_problem(keys, "there are no keys", "expected at least one");
    for (std::size_t i = 1; i < o.keys.size(); ++i) {
        if (o.keys[i].time > o.keys[i - 1].time) continue;
        const Reader::Scope item = in.enter(i);
        const Reader::Scope time = in.enter("time");
        in.add_problem(*keys.items()[i].find("time"),
                       format_quantity(o.keys[i].time, "s") + " is not later than the key before",
                       "must be above " + format_quantity(o.keys[i - 1].time, "s"));
    }
}

template <int Dim>
struct ValueFormat<MotionOptions<Dim>> {
    using Options = MotionOptions<Dim>;

    static std::string expected(const Parameter&)
    {
        return R"("fixed", an object with "keys", or one with formulas for "move" and "rotate")";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, Options& value)
    {
        if (node.is_text() && node.text() == "fixed") {
            value.kind = FixedMotion{};
        } else if (node.is_text() && node.text() == "free") {
            in.add_problem(node,
                           "an obstacle is not \"free\", what moves by itself is a body of the type rigid",
                           "allowed: " + expected(p));
        } else if (!node.is_object()) {
            in.add_mismatch(node, expected(p));
        } else if (node.find("keys") != nullptr) {
            ValueFormat<KeyMotion<Dim>>::read(in, node, p, value.kind.template emplace<KeyMotion<Dim>>());
        } else if (node.find("move") != nullptr || node.find("rotate") != nullptr) {
            ValueFormat<FormulaMotion<Dim>>::read(in, node, p,
                                                  value.kind.template emplace<FormulaMotion<Dim>>());
        } else {
            in.add_problem(node, "there is no motion", "expected " + expected(p));
        }
    }
    static Node write(const Options& value)
    {
        return std::visit(
            []<class Kind>(const Kind& kind) {
                if constexpr (std::is_same_v<Kind, FixedMotion>)
                    return Node("fixed");
                else
                    return ValueFormat<Kind>::write(kind);
            },
            value.kind);
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        Node formulas = ValueFormat<FormulaMotion<Dim>>::schema(out, p);
        formulas.set("anyOf", Node::list({Node::object({{"required", Node::list({"move"})}}),
                                          Node::object({{"required", Node::list({"rotate"})}})}));
        return Node::object({{"anyOf", Node::list({Node::object({{"const", "fixed"}}),
                                                   ValueFormat<KeyMotion<Dim>>::schema(out, p), formulas})}});
    }
    static void add_rows(TableWriter& table, const std::string& path)
    {
        // Those of regions are the same.
        if (path != "obstacles[].motion") return;
        ValueFormat<KeyMotion<Dim>>::add_rows(table, path);
        MemberTable visit(table, path + '.');
        FormulaMotion<Dim> formulas;
        visit("move", formulas.move,
              {.unit = "m", .variables = "t", .doc = "how far it has moved, without keys"});
        visit("rotate", formulas.rotate,
              {.unit = "rad", .variables = "t", .doc = "how far it has turned, without keys"});
    }
};

} // namespace phyxel
