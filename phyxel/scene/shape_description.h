// SPDX-License-Identifier: MIT
// How scenes write shapes and where they are put.
#pragma once

#include <phyxel/scene/document.h>
#include <phyxel/scene/options.h>
#include <phyxel/scene/scene_options.h>

#include <algorithm>
#include <string_view>
#include <type_traits>

namespace phyxel {

constexpr auto words(UpAxis)
{
    return std::array{Word{UpAxis::X, "x"},       Word{UpAxis::Y, "y"},       Word{UpAxis::Z, "z"},
                      Word{UpAxis::MinusX, "-x"}, Word{UpAxis::MinusY, "-y"}, Word{UpAxis::MinusZ, "-z"}};
}

template <int Dim>
void describe(auto& visit, Box<Dim>& o)
{
    visit("min", o.min, {.unit = "m", .required = true, .doc = "lower corner"});
    visit("max", o.max, {.unit = "m", .required = true, .doc = "upper corner"});
}

template <int Dim>
void describe(auto& visit, Sphere<Dim>& o)
{
    visit("center", o.center, {.unit = "m", .required = true, .doc = "its centre"});
    visit("radius", o.radius, {.unit = "m", .above = 0, .required = true, .doc = "its radius"});
}

template <int Dim>
void describe(auto& visit, Cylinder<Dim>& o)
{
    visit("from", o.from, {.unit = "m", .required = true, .doc = "centre of one end"});
    visit("to", o.to, {.unit = "m", .required = true, .doc = "centre of the other end"});
    visit("radius", o.radius, {.unit = "m", .above = 0, .required = true, .doc = "its radius"});
}

template <int Dim>
void describe(auto& visit, Capsule<Dim>& o)
{
    visit("from", o.from, {.unit = "m", .required = true, .doc = "one end of its axis"});
    visit("to", o.to, {.unit = "m", .required = true, .doc = "the other end of its axis"});
    visit("radius", o.radius, {.unit = "m", .above = 0, .required = true, .doc = "around the axis"});
}

template <int Dim>
void describe(auto& visit, Torus<Dim>& o)
{
    visit("center", o.center, {.unit = "m", .required = true, .doc = "its centre"});
    visit("axis", o.axis, {.doc = "perpendicular to its circle"});
    visit("radius", o.radius, {.unit = "m", .above = 0, .required = true, .doc = "of its circle"});
    visit("tube", o.tube, {.unit = "m", .above = 0, .required = true, .doc = "radius around the circle"});
}

template <int Dim>
void describe(auto& visit, Placement<Dim>& o)
{
    if constexpr (Dim == 3) visit("up", o.up, {.doc = "which direction of a file is up; only for files"});
    visit("scale", o.scale, {.above = 0, .doc = "factor for all coordinates"});
    visit("size", o.size,
          {.unit = "m", .above = 0, .doc = "longest side of the bounding box, instead of scale"});
    visit("rotate", o.rotate,
          {.unit = "rad",
           .doc = Dim == 2 ? "around the centre of the bounding box"
                           : "about the fixed x, y, z axes in turn, around the centre of the bounding box"});
    visit("at", o.at, {.unit = "m", .doc = "where the middle of the underside of the bounding box goes"});
}

/// The numbers make a shape.
template <class Primitive>
void check_primitive(Reader& in, const Node& node, const Primitive& primitive)
{
    try {
        const Shape shape(primitive);
    } catch (const InputError& error) {
        // The path names the shape already: `box: min is …`.
        const std::string_view what = error.what();
        in.add_problem(node, std::string(what.substr(std::min(what.find(": ") + 2, what.size()))));
    }
}

template <int Dim>
void check(Reader& in, const Node& node, const Box<Dim>& o)
{
    check_primitive(in, node, o);
}
template <int Dim>
void check(Reader& in, const Node& node, const Cylinder<Dim>& o)
{
    check_primitive(in, node, o);
}
template <int Dim>
void check(Reader& in, const Node& node, const Torus<Dim>& o)
{
    check_primitive(in, node, o);
}

template <>
struct ValueFormat<MeshShape> {
    static std::string expected(const Parameter&) { return "the path of a PLY, OBJ, STL, OFF or XYZ file"; }
    static void read(Reader& in, const Node& node, const Parameter& p, MeshShape& value)
    {
        if (!node.is_text() || node.text().empty())
            in.add_mismatch(node, expected(p));
        else
            value.file = node.text();
    }
    static Node write(const MeshShape& value) { return value.file; }
    static Node schema(SchemaWriter&, const Parameter&)
    {
        return Node::object({{"type", "string"}, {"minLength", 1}});
    }
};

template <int Dim>
struct ValueFormat<CombinedShape<Dim>> {
    using Parts = ValueFormat<std::vector<ShapeOptions<Dim>>>;

    static std::string expected(const Parameter&) { return "a list of shapes"; }
    static void read(Reader& in, const Node& node, const Parameter& p, CombinedShape<Dim>& value)
    {
        // Documents are no deeper, but `--set` puts one document into another.
        constexpr std::size_t max_depth = std::size_t(max_document_nesting);
        if (!node.is_list() || node.items().empty())
            in.add_mismatch(node, expected(p));
        else if (in.depth() > max_depth)
            in.add_problem(node, "shapes are nested too deeply", "put more of them into one list");
        else
            Parts::read(in, node, p, value.parts);
    }
    static Node write(const CombinedShape<Dim>& value) { return Parts::write(value.parts); }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        Node list = Parts::schema(out, p);
        list.set("minItems", 1);
        return list;
    }
};

template <int Dim>
struct ValueFormat<ShapeOptions<Dim>> {
    using Options = ShapeOptions<Dim>;

    static std::string expected(const Parameter&)
    {
        return R"(a shape such as { "box": { "min": )" + std::string(Dim == 2 ? "[0, 0]" : "[0, 0, 0]") +
               R"(, "max": )" + (Dim == 2 ? "[1, 1]" : "[1, 1, 1]") + " } }";
    }

    /// Calls visit(key, kind, doc) with an empty shape of every kind.
    static void for_each_kind(auto&& visit)
    {
        // A corner that cannot be read is 0: Box{} has infinite ones, which no document can hold.
        visit("box", Box<Dim>{Vec<Dim>::Zero(), Vec<Dim>::Zero()}, "aligned with the axes");
        visit("sphere", Sphere<Dim>{}, Dim == 2 ? "a disc" : "a ball");
        visit("cylinder", Cylinder<Dim>{}, Dim == 2 ? "the rectangle around its axis" : "with flat ends");
        visit("capsule", Capsule<Dim>{}, "with round ends");
        if constexpr (Dim == 3) {
            visit("torus", Torus<Dim>{}, "a ring");
            visit("mesh", MeshShape{}, "a closed surface, or a cloud of points with normals");
        }
        visit("union", CombinedShape<Dim>{ShapeOperation::Union}, "what is in any of them");
        visit("intersection", CombinedShape<Dim>{ShapeOperation::Intersection}, "what is in all of them");
        visit("difference", CombinedShape<Dim>{ShapeOperation::Difference}, "the first minus the rest");
    }

    static std::vector<std::string_view> keys()
    {
        std::vector<std::string_view> keys;
        for_each_kind([&](std::string_view key, const auto&, std::string_view) { keys.push_back(key); });
        return keys;
    }

    static void read(Reader& in, const Node& node, const Parameter& p, Options& value)
    {
        if (!node.is_object()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        MemberReader visit(in, node);
        std::vector<std::string_view> given;
        for_each_kind([&]<class Kind>(std::string_view key, Kind kind, std::string_view) {
            const Node* shape = visit.take(key);
            if (shape == nullptr) return;
            given.push_back(key);
            const Reader::Scope scope = in.enter(key);
            ValueFormat<Kind>::read(in, *shape, {}, kind);
            value.kind = std::move(kind);
        });
        if constexpr (Dim == 2) {
            for (const std::string_view key : {"torus", "mesh"}) {
                if (node.find(key) == nullptr) continue;
                given.push_back(key);
                visit.take(key);
                in.add_problem(node, "there is no " + std::string(key) + " in 2D",
                               "allowed: " + word_list(keys()));
            }
        }
        const std::size_t problems_before = in.problems().size();
        describe(visit, value.placement);
        visit.finish();
        // A key that is unknown was likely meant as the shape.
        if (given.empty() && in.problems().size() == problems_before)
            in.add_problem(node, "there is no shape", "expected one of " + word_list(keys()));
        else if (given.size() > 1)
            in.add_problem(node,
                           "there are " + std::to_string(given.size()) + " shapes (" + word_list(given) + ')',
                           "expected one; several go into a union");
        check_placement(in, node, value);
    }

    static Node write(const Options& value)
    {
        Node object = Node::object();
        for_each_kind([&]<class Kind>(std::string_view key, const Kind& kind, std::string_view) {
            const Kind* given = std::get_if<Kind>(&value.kind);
            if (given == nullptr) return;
            if constexpr (std::is_same_v<Kind, CombinedShape<Dim>>)
                if (given->operation != kind.operation) return;
            object.set(std::string(key), ValueFormat<Kind>::write(*given));
        });
        Placement<Dim> placement = value.placement;
        MemberWriter visit(object);
        describe(visit, placement);
        return object;
    }

    static Node schema(SchemaWriter& out, const Parameter&)
    {
        return out.reference(Dim == 2 ? "shape_2d" : "shape_3d", [&] {
            MemberSchema visit(out);
            std::vector<Node> choices;
            for_each_kind([&]<class Kind>(std::string_view key, const Kind&, std::string_view doc) {
                visit.add(key, described_schema(ValueFormat<Kind>::schema(out, {}), {.doc = doc}, Node()),
                          false);
                choices.push_back(Node::object({{"required", Node::list({key})}}));
            });
            Placement<Dim> placement;
            describe(visit, placement);
            Node schema = visit.finish();
            schema.set("oneOf", Node::list(std::move(choices)));
            return schema;
        });
    }

    static void add_rows(TableWriter& table, const std::string& path)
    {
        // Shapes are the same everywhere; once is enough.
        if (!table.is_first("shape")) return;
        for_each_kind([&]<class Kind>(std::string_view key, const Kind&, std::string_view doc) {
            const std::string inner = path + '.' + std::string(key);
            table.add(inner, {.doc = doc}, ValueFormat<Kind>::expected({}), Node());
            if constexpr (requires { ValueFormat<Kind>::add_rows(table, inner); })
                ValueFormat<Kind>::add_rows(table, inner);
        });
        MemberTable visit(table, path + '.');
        Placement<Dim> placement;
        describe(visit, placement);
    }

private:
    static void check_placement(Reader& in, const Node& node, const Options& value)
    {
        if (node.find("scale") != nullptr && node.find("size") != nullptr) {
            const Reader::Scope scope = in.enter("size");
            in.add_problem(*node.find("size"), "scale and size are both given", "use one of them");
        }
        if (value.placement.up && !std::holds_alternative<MeshShape>(value.kind) &&
            node.find("mesh") == nullptr) {
            const Reader::Scope scope = in.enter("up");
            in.add_problem(*node.find("up"), "only files have an up",
                           "write the shape upright or use rotate");
        }
    }
};

} // namespace phyxel
