// SPDX-License-Identifier: MIT
// How scenes write hands.
#pragma once

#include <phyxel/scene/motion_description.h>
#include <phyxel/scene/options.h>
#include <phyxel/scene/scene_options.h>

#include <string>
#include <string_view>

namespace phyxel {

constexpr auto words(HandKind)
{
    return std::array{Word{HandKind::Pull, "pull"}, Word{HandKind::Hold, "hold"},
                      Word{HandKind::Push, "push"}, Word{HandKind::Warm, "warm"}};
}

template <int Dim>
void describe(auto& visit, HandOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths"});
    visit("type", o.kind,
          {.required = true,
           .doc = "pull: a spring pulls part of a body to the hand; hold: part of a body follows the hand; "
                  "push: a ball pushes everything out of itself; warm: a ball warms what is in it"});
    visit("body", o.body, {.doc = "the solid or rigid body that is pulled or held"});
    visit("at", o.at,
          {.unit = "m",
           .required = true,
           .doc = "where the hand is without motion; pull and hold act on the part of the body that is there "
                  "at rest, or of one that has flown on what is where the hand is when it takes hold"});
    visit("radius", o.radius,
          {.unit = "m",
           .above = 0,
           .required = true,
           .doc = "for pull and hold, radius of the part of a solid that the hand takes; otherwise radius of "
                  "the ball"});
    visit("motion", o.motion, {.doc = "motion of the hand; written like that of an obstacle"});
    visit("stiffness", o.stiffness,
          {.unit = "N/m",
           .above = 0,
           .doc = "stiffness of the spring of a pull; if not given, such that the body would swing on it at "
                  "3 Hz"});
    visit("strength", o.strength,
          {.unit = "m/s^2", .doc = "for push, largest acceleration; negative to pull inwards"});
    visit("power", o.power,
          {.unit = "W", .doc = "for warm, heat that it brings to all that it reaches; negative to cool"});
}

template <int Dim>
void check(Reader& in, const Node& node, const HandOptions<Dim>& o)
{
    const bool needs_body = o.kind == HandKind::Pull || o.kind == HandKind::Hold;
    const bool warms = o.kind == HandKind::Warm;
    const auto refuse = [&](std::string_view key) {
        const Node* value = node.find(key);
        if (value == nullptr) return;
        const Reader::Scope scope = in.enter(key);
        in.add_problem(*value,
                       "a hand that " +
                           std::string(needs_body ? "takes hold"
                                       : warms    ? "warms"
                                                  : "pushes") +
                           " has no " + std::string(key),
                       "leave it out");
    };
    if (needs_body && o.body.empty())
        in.add_problem(node, "missing key \"body\"", "expected the name of a solid or rigid body");
    // Scenes that were written, as in manifests, have all that is usual.
    if (!needs_body && !o.body.empty()) refuse("body");
    if (o.kind != HandKind::Pull) refuse("stiffness");
    if (warms && !o.power)
        in.add_problem(node, "missing key \"power\"", "expected a power such as \"100 W\"");
    if (warms && o.strength != HandOptions<Dim>().strength) refuse("strength");
    if (!warms) refuse("power");
}

} // namespace phyxel
