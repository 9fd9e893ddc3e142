// SPDX-License-Identifier: MIT
// How scenes write the surface of a body: a word, or an object with a coefficient of friction.
#pragma once

#include <phyxel/scene/body_surface.h>
#include <phyxel/scene/options.h>

#include <array>
#include <string>

namespace phyxel {

constexpr auto words(SurfaceKind)
{
    return std::array{Word{SurfaceKind::Slip, "slip"}, Word{SurfaceKind::NoSlip, "no_slip"}};
}

void describe(auto& visit, BodySurfaceOptions& o)
{
    visit("friction", o.friction,
          {.min = 0, .required = true, .doc = "Coulomb's coefficient, for fluids that flow along the body"});
}

template <>
struct ValueFormat<BodySurfaceOptions> {
    using Word = ValueFormat<SurfaceKind>;
    using Object = DescribedFormat<BodySurfaceOptions>;

    static std::string expected(const Parameter&)
    {
        return R"("slip", "no_slip", or an object such as { "friction": 0.3 })";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, BodySurfaceOptions& value)
    {
        value = {};
        if (node.is_object())
            Object::read(in, node, p, value);
        else if (node.is_text())
            Word::read(in, node, p, value.kind);
        else
            in.add_mismatch(node, expected(p));
    }
    static Node write(const BodySurfaceOptions& value)
    {
        return value.friction ? Object::write(value) : Word::write(value.kind);
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object({{"anyOf", Node::list({Word::schema(out, p), Object::schema(out, p)})}});
    }
    static void add_rows(TableWriter& table, const std::string& path) { Object::add_rows(table, path); }
};

} // namespace phyxel
