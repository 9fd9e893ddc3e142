// SPDX-License-Identifier: MIT
// The parameters of a scene, described once: reading, checking, the schema, the resolved scene and the tables
// of the documentation all follow from here. Costly to include.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/io/frames.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/materials.h>
#include <phyxel/scene/options.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <string_view>
#include <type_traits>

namespace phyxel {

// Words.

constexpr auto words(DomainSide)
{
    return std::array{Word{DomainSide::Wall, "wall"}, Word{DomainSide::Open, "open"},
                      Word{DomainSide::Periodic, "periodic"}};
}

constexpr auto words(SurfaceKind)
{
    return std::array{Word{SurfaceKind::Slip, "slip"}, Word{SurfaceKind::NoSlip, "no_slip"}};
}

constexpr auto words(UpAxis)
{
    return std::array{Word{UpAxis::X, "x"},       Word{UpAxis::Y, "y"},       Word{UpAxis::Z, "z"},
                      Word{UpAxis::MinusX, "-x"}, Word{UpAxis::MinusY, "-y"}, Word{UpAxis::MinusZ, "-z"}};
}

constexpr auto words(Interpolation)
{
    return std::array{Word{Interpolation::Smooth, "smooth"}, Word{Interpolation::Linear, "linear"}};
}

constexpr auto words(FrameFormat)
{
    return std::array{Word{FrameFormat::Ply, "ply"}, Word{FrameFormat::Vtk, "vtk"}};
}

constexpr auto words(OutputField)
{
    return std::array{Word{OutputField::Velocity, "velocity"}, Word{OutputField::Id, "id"},
                      Word{OutputField::Density, "density"}, Word{OutputField::Pressure, "pressure"}};
}

constexpr auto words(RenderStyle)
{
    return std::array{Word{RenderStyle::Light, "light"}, Word{RenderStyle::Dark, "dark"}};
}

// Shapes.

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
    visit("scale", o.scale, {.above = 0, .doc = "factor of all coordinates"});
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
    static std::string expected(const Parameter&) { return "the path of a PLY, OBJ or STL file"; }
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
        visit("box", Box<Dim>{}, "along the axes");
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
        if (!path.starts_with("bodies")) return;
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

// Motions.

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
          {.unit = "m", .doc = "what it turns around; the centre of its bounding box if not given"});
}

template <int Dim>
void describe(auto& visit, FormulaMotion<Dim>& o)
{
    visit("move", o.move, {.unit = "m", .variables = "t", .doc = "how far it has moved"});
    visit("rotate", o.rotate, {.unit = "rad", .variables = "t", .doc = "how far it has turned"});
    visit("about", o.about,
          {.unit = "m", .doc = "what it turns around; the centre of its bounding box if not given"});
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
            in.add_problem(node, "\"free\" is not possible yet, rigid bodies come later",
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
        ValueFormat<KeyMotion<Dim>>::add_rows(table, path);
        MemberTable visit(table, path + '.');
        FormulaMotion<Dim> formulas;
        visit("move", formulas.move,
              {.unit = "m", .variables = "t", .doc = "how far it has moved, without keys"});
        visit("rotate", formulas.rotate,
              {.unit = "rad", .variables = "t", .doc = "how far it has turned, without keys"});
    }
};

// Materials.

void describe(auto& visit, FluidMaterial& o)
{
    visit("from", o.from,
          {.doc = "a preset, of which the other keys change something; see `phyxel list materials`"});
    visit("density", o.density, {.unit = "kg/m^3", .above = 0, .doc = "at rest"});
    visit("viscosity", o.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "dynamic viscosity"});
}

template <>
struct ValueFormat<FluidMaterial> : DescribedFormat<FluidMaterial> {
    static std::vector<std::string_view> names()
    {
        std::vector<std::string_view> names;
        for (const MaterialPreset& preset : material_presets()) names.push_back(preset.name);
        return names;
    }
    static std::string expected(const Parameter&)
    {
        return "a material such as \"water\", or an object with its properties";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, FluidMaterial& value)
    {
        if (node.is_text()) {
            read_preset(in, node, value);
            return;
        }
        if (!node.is_object()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        const Node* from = node.find("from");
        if (from != nullptr) {
            const Reader::Scope scope = in.enter("from");
            read_preset(in, *from, value);
        } else {
            value.from = std::nullopt;
            for (const std::string_view key : {"density", "viscosity"})
                if (node.find(key) == nullptr)
                    in.add_problem(node, "missing key \"" + std::string(key) + '"',
                                   "expected it, or \"from\" with the name of a material");
        }
        // The preset is read already, and is no plain text.
        MemberReader visit(in, node);
        visit.take("from");
        MemberSkipper without_from{visit};
        describe(without_from, value);
        visit.finish();
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        const std::vector<std::string_view> known = names();
        const Node words =
            Node::object({{"enum", Node::list(std::vector<Node>(known.begin(), known.end()))}});
        Node object = DescribedFormat::schema(out, p);
        // What is left out is that of the preset, not that of water.
        for (Node::Member& property : object.find("properties")->members()) {
            std::erase_if(property.value.members(), [](const Node::Member& m) { return m.key == "default"; });
            if (property.key == "from")
                property.value = described_schema(words, {.doc = "what the other keys change"}, Node());
        }
        object.set("anyOf", Node::list({Node::object({{"required", Node::list({"from"})}}),
                                        Node::object({{"required", Node::list({"density", "viscosity"})}})}));
        return Node::object({{"anyOf", Node::list({words, object})}});
    }
    static void add_rows(TableWriter& table, const std::string& path)
    {
        DescribedFormat::add_rows(table, path);
    }

private:
    struct MemberSkipper {
        MemberReader& visit;
        template <class T>
        void operator()(std::string_view name, T& member, const Parameter& parameter)
        {
            if (name != "from") visit(name, member, parameter);
        }
    };

    static void read_preset(Reader& in, const Node& node, FluidMaterial& value)
    {
        std::size_t number = 0;
        if (!in.read_word(node, names(), number)) return;
        const MaterialPreset& preset = material_presets()[number];
        value.from = preset.name;
        value.density = preset.density;
        value.viscosity = preset.viscosity;
    }
};

// Solvers.

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
          {.min = 0, .max = 1, .doc = "how far particles follow the velocity around them (XSPH)"});
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
    visit(
        "particle_shifting", o.options.particle_shifting,
        {.min = 0, .max = 0.8, .doc = "keeps particles evenly spread in flow that stretches, at about 0.4"});
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

// Bodies and obstacles.

template <int Dim>
constexpr std::string_view type_word(const FluidBodyOptions<Dim>&)
{
    return "fluid";
}

/// Numbers of particles that an Index can have.
inline constexpr double max_particle_count = std::numeric_limits<Index>::max();

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
    visit("solver", o.solver, {.doc = "how it is computed"});
}

template <class Options>
void check_resolution(Reader& in, const Node& node, const Options& o)
{
    if (!o.spacing || !o.count) return;
    const Reader::Scope scope = in.enter("count");
    in.add_problem(*node.find("count"), "spacing and count are both given", "use one of them");
}

template <int Dim>
void check(Reader& in, const Node& node, const FluidBodyOptions<Dim>& o)
{
    check_resolution(in, node, o);
}

template <int Dim>
void describe(auto& visit, ObstacleOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "for paths and probes"});
    visit("shape", o.shape, {.required = true, .doc = "what nothing can enter; as of bodies"});
    visit("motion", o.motion, {.doc = "how it moves"});
    visit("surface", o.surface, {.doc = "what it does to a fluid along it: slip, no_slip or friction"});
    visit("container", o.container,
          {.doc = "whether the shape is what it holds, and all around it is solid"});
}

// Emitters and outflows.

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

void describe(auto& visit, SurfaceOptions& o)
{
    visit("friction", o.friction, {.min = 0, .required = true, .doc = "Coulomb's coefficient"});
}

template <>
struct ValueFormat<SurfaceOptions> {
    using Word = ValueFormat<SurfaceKind>;
    using Object = DescribedFormat<SurfaceOptions>;

    static std::string expected(const Parameter&)
    {
        return R"("slip", "no_slip", or an object such as { "friction": 0.3 })";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, SurfaceOptions& value)
    {
        if (node.is_object()) {
            value.kind = SurfaceKind::Slip;
            Object::read(in, node, p, value);
        } else if (node.is_text()) {
            value.friction.reset();
            Word::read(in, node, p, value.kind);
        } else {
            in.add_mismatch(node, expected(p));
        }
    }
    static Node write(const SurfaceOptions& value)
    {
        return value.friction ? Object::write(value) : Word::write(value.kind);
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object({{"anyOf", Node::list({Word::schema(out, p), Object::schema(out, p)})}});
    }
    static void add_rows(TableWriter& table, const std::string& path) { Object::add_rows(table, path); }
};

// Domain.

template <>
struct ValueFormat<AxisSides> {
    using Word = ValueFormat<DomainSide>;
    using Pair = ValueFormat<std::array<DomainSide, 2>>;

    static std::string expected(const Parameter& p)
    {
        return Word::expected(p) + ", or a list of two for the lower and the upper side";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, AxisSides& value)
    {
        if (node.is_text()) {
            Word::read(in, node, p, value.lower);
            value.upper = value.lower;
            return;
        }
        if (!node.is_list() || node.items().size() != 2) {
            in.add_mismatch(node, expected(p));
            return;
        }
        std::array<DomainSide, 2> pair = {value.lower, value.upper};
        Pair::read(in, node, p, pair);
        value = {pair[0], pair[1]};
        if ((value.lower == DomainSide::Periodic) != (value.upper == DomainSide::Periodic))
            in.add_problem(node, "only one side is periodic", "both sides of an axis are or none");
    }
    static Node write(const AxisSides& value)
    {
        if (value.lower == value.upper) return Word::write(value.lower);
        return Pair::write({value.lower, value.upper});
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object({{"anyOf", Node::list({Word::schema(out, p), Pair::schema(out, p)})}});
    }
};

template <int Dim>
void describe(auto& visit, DomainSides<Dim>& o)
{
    visit("x", o.axes[0], {.doc = "left and right"});
    visit("y", o.axes[1], {.doc = Dim == 2 ? "bottom and top" : "front and back"});
    if constexpr (Dim == 3) visit("z", o.axes[2], {.doc = "bottom and top"});
}

template <int Dim>
void describe(auto& visit, DomainOptions<Dim>& o)
{
    visit("min", o.min, {.unit = "m", .required = true, .doc = "lower corner"});
    visit("max", o.max, {.unit = "m", .required = true, .doc = "upper corner"});
    visit("surface", o.surface,
          {.doc = "what its walls do to a fluid along them: slip, no_slip or friction"});
    visit("sides", o.sides, {.doc = "what happens there: wall, open (what leaves is removed) or periodic"});
}

template <int Dim>
void check(Reader& in, const Node& node, const DomainOptions<Dim>& o)
{
    const Reader::Scope scope = in.enter("max");
    for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k) {
        const int axis = static_cast<int>(k);
        if (o.max[axis] > o.min[axis]) continue;
        const Reader::Scope item = in.enter(k);
        in.add_problem(node.find("max")->items()[k],
                       format_quantity(o.max[axis], "m") + " is not above the lower corner",
                       "must be above " + format_quantity(o.min[axis], "m"));
    }
}

// Time.

void describe(auto& visit, StepBounds& o)
{
    visit("min", o.min,
          {.unit = "s", .above = 0, .doc = "shortest step; needing a shorter one is a failure"});
    visit("max", o.max, {.unit = "s", .above = 0, .doc = "longest step"});
}

inline void check(Reader& in, const Node& node, const StepBounds& o)
{
    if (!o.min || !o.max || *o.min <= *o.max) return;
    const Reader::Scope scope = in.enter("max");
    in.add_problem(*node.find("max"), format_quantity(*o.max, "s") + " is below min",
                   "must be at least " + format_quantity(*o.min, "s"));
}

template <>
struct ValueFormat<TimeStepOptions> {
    static constexpr Parameter fixed = {.unit = "s", .above = 0};

    static std::string expected(const Parameter&)
    {
        return expected_quantity("s") + ", or an object with \"min\" and \"max\"";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, TimeStepOptions& value)
    {
        if (node.is_object())
            ValueFormat<StepBounds>::read(in, node, p, value.choice.emplace<StepBounds>());
        else if (node.is_number() || node.is_text())
            in.read_quantity(node, fixed, value.choice.emplace<double>());
        else
            in.add_mismatch(node, expected(p));
    }
    static Node write(const TimeStepOptions& value)
    {
        if (const double* step = std::get_if<double>(&value.choice)) return *step;
        if (const StepBounds* bounds = std::get_if<StepBounds>(&value.choice))
            return ValueFormat<StepBounds>::write(*bounds);
        return {};
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object(
            {{"anyOf", Node::list({quantity_schema(fixed), ValueFormat<StepBounds>::schema(out, p)})}});
    }
    static void add_rows(TableWriter& table, const std::string& path)
    {
        ValueFormat<StepBounds>::add_rows(table, path);
    }
};

// Events and probes.

template <>
struct ValueFormat<EventAssignments> {
    static std::string expected(const Parameter&)
    {
        return R"(an object of paths and values such as { "gravity": [0, 0, 0] })";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, EventAssignments& value)
    {
        if (!node.is_object()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        if (node.members().empty())
            in.add_problem(node, "there is nothing to set", "expected " + expected(p));
        for (const Node::Member& member : node.members()) value.items.emplace_back(member.key, member.value);
    }
    static Node write(const EventAssignments& value)
    {
        Node object = Node::object();
        for (const auto& [path, node] : value.items) object.set(path, node);
        return object;
    }
    static Node schema(SchemaWriter&, const Parameter&)
    {
        return Node::object({{"type", "object"}, {"minProperties", 1}});
    }
};

void describe(auto& visit, EventOptions& o)
{
    visit("time", o.time, {.unit = "s", .min = 0, .required = true, .doc = "when it happens"});
    visit("set", o.set,
          {.required = true,
           .doc = "what changes: gravity, and viscosity and solver numbers of bodies, by path"});
}

template <int Dim>
void describe(auto& visit, LineProbe<Dim>& o)
{
    visit("from", o.from, {.unit = "m", .required = true, .doc = "first place"});
    visit("to", o.to, {.unit = "m", .required = true, .doc = "last place"});
    visit("count", o.count, {.min = 2, .max = 100000, .doc = "of places, both ends included"});
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
    visit("name", o.name, {.required = true, .doc = "of its columns in probes.csv"});
    visit("point", o.point,
          {.unit = "m", .doc = "a place; with body, the material point that was there at the start"});
    visit("line", o.line, {.doc = "places between two ends"});
    visit("plane", o.plane, {.doc = "what passes through it"});
    visit("body", o.body, {.doc = "a body as a whole, or the one that point belongs to"});
    visit("obstacle", o.obstacle, {.doc = "what acts on it"});
    visit("field", o.field,
          {.required = true,
           .doc = "of a point or line: velocity, density, pressure; of a point with body also position, "
                  "displacement; of a plane: flow; of a body: bounds, center, volume, momentum, energy, "
                  "max_speed; of an obstacle: force, torque"});
    visit("every", o.every, {.doc = "when it is read"});
}

template <int Dim>
void check(Reader& in, const Node& node, const ProbeOptions<Dim>& o)
{
    std::vector<std::string_view> given;
    if (o.point) given.push_back("point");
    if (o.line) given.push_back("line");
    if (o.plane) given.push_back("plane");
    if (o.body && !(o.point && given.size() == 1)) given.push_back("body");
    if (o.obstacle) given.push_back("obstacle");
    constexpr std::string_view kinds = "expected one of point, line, plane, body, obstacle";
    if (given.size() != 1) {
        if (given.empty())
            in.add_problem(node, "there is nothing to measure", std::string(kinds));
        else
            in.add_problem(node, word_list(given) + " are given together", std::string(kinds));
        return;
    }
    std::vector<std::string_view> fields;
    if (o.point || o.line) fields = {"velocity", "density", "pressure"};
    if (o.point && o.body) fields.insert(fields.begin(), {"position", "displacement"});
    if (o.plane) fields = {"flow"};
    if (o.body && !o.point) fields = {"bounds", "center", "volume", "momentum", "energy", "max_speed"};
    if (o.obstacle) fields = {"force", "torque"};
    if (std::find(fields.begin(), fields.end(), o.field) != fields.end()) return;
    const Reader::Scope scope = in.enter("field");
    const std::string owner = o.point && o.body ? "point of a body" : std::string(given.front());
    const bool has_vowel = std::string_view("aeiou").find(owner.front()) != std::string_view::npos;
    in.add_problem(*node.find("field"),
                   (has_vowel ? "an " : "a ") + owner + " has no field " + short_text(*node.find("field")),
                   suggestion(o.field, fields) + "allowed: " + word_list(fields));
}

// The whole.

void describe(auto& visit, OutputOptions& o)
{
    visit("format", o.format, {.doc = "of frames"});
    visit("fields", o.fields, {.doc = "that frames have; id and velocity are always there"});
    visit("double_precision", o.double_precision, {.doc = "64-bit numbers in frames"});
}

// Pictures.

void describe(auto& visit, CameraSettings& o)
{
    visit("from", o.from,
          {.unit = "m",
           .doc = "where the camera stands, in space also in 2D; so that all is seen if not given"});
    visit("look_at", o.look_at, {.unit = "m", .doc = "what is in the middle of the picture"});
    visit("fov", o.fov,
          {.unit = "rad",
           .above = 0,
           .below = std::numbers::pi,
           .doc = "field of view, from the lower to the upper edge"});
    visit("orbit", o.orbit, {.unit = "rad/s", .doc = "how fast the camera turns around what it looks at"});
}

void describe(auto& visit, ColorSettings& o)
{
    visit("field", o.field, {.doc = "that gives the colours: one of the frames, or \"body\""});
    visit("range", o.range,
          {.doc = "values at both ends of the colours, in SI; those of the run if not given"});
}

inline void check(Reader& in, const Node& node, const ColorSettings& o)
{
    if (!o.range || (*o.range)[0] < (*o.range)[1]) return;
    const Reader::Scope scope = in.enter("range");
    in.add_problem(*node.find("range"), "the second value is not above the first",
                   "write the lower one first");
}

void describe(auto& visit, RenderSettings& o)
{
    visit("size", o.size, {.min = 1, .max = 16384, .doc = "width and height in pixels"});
    visit("camera", o.camera, {.doc = "where pictures are taken from"});
    visit("color", o.color, {.doc = "what colours mean"});
    visit("style", o.style, {.doc = "of ground, background and letters"});
}

template <int Dim>
void describe(auto& visit, SceneOptions<Dim>& o)
{
    visit("$schema", o.schema, {.doc = "for editors"});
    visit("dimension", o.dimension, {.min = 2, .max = 3, .required = Dim == 2, .doc = "of space"});
    visit("duration", o.duration, {.unit = "s", .min = 0, .doc = "what is simulated"});
    visit("frame_rate", o.frame_rate, {.unit = "1/s", .above = 0, .doc = "frames in a second of the scene"});
    visit("gravity", o.gravity,
          {.unit = "m/s^2", .variables = Dim == 2 ? "xyt" : "xyzt", .doc = "acceleration"});
    visit("seed", o.seed, {.doc = "of all randomness"});
    visit("spacing", o.spacing, {.unit = "m", .above = 0, .doc = "of particles"});
    visit("count", o.count,
          {.min = 1,
           .max = max_particle_count,
           .doc = "of particles in all, instead of spacing; 20000 without both"});
    visit("time_step", o.time_step, {.doc = "fixes or bounds the step; as long as is safe if not given"});
    visit("domain", o.domain, {.doc = "the box that everything stays in; unbounded if not given"});
    visit("bodies", o.bodies, {.required = true, .doc = "what is simulated"});
    visit("obstacles", o.obstacles, {.doc = "what is in the way"});
    visit("emitters", o.emitters, {.doc = "where fluid comes from"});
    visit("outflows", o.outflows, {.doc = "where fluid is taken away"});
    visit("events", o.events, {.doc = "what changes on the way"});
    visit("probes", o.probes, {.doc = "what is measured"});
    visit("output", o.output, {.doc = "what is written"});
    visit("render", o.render, {.doc = "how pictures look; see `phyxel render`"});
}

} // namespace phyxel
