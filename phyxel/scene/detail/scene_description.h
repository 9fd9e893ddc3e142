// SPDX-License-Identifier: MIT
// The parameters of a scene, described once: reading, checking, the schema, the resolved scene and the tables
// of the documentation all follow from here. Costly to include.
#pragma once

#include <phyxel/io/frames.h>
#include <phyxel/scene/body_surface_description.h>
#include <phyxel/scene/changeable.h>
#include <phyxel/scene/detail/hand_description.h>
#include <phyxel/scene/detail/probe_description.h>
#include <phyxel/scene/heat_description.h>
#include <phyxel/scene/motion_description.h>
#include <phyxel/scene/options.h>
#include <phyxel/scene/resolution_description.h>
#include <phyxel/scene/scene_options.h>
#include <phyxel/scene/shape_description.h>

#include <algorithm>
#include <array>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

// Words.

constexpr auto words(DomainSide)
{
    return std::array{Word{DomainSide::Wall, "wall"}, Word{DomainSide::Open, "open"},
                      Word{DomainSide::Periodic, "periodic"}};
}

constexpr auto words(FrameFormat)
{
    return std::array{Word{FrameFormat::Ply, "ply"}, Word{FrameFormat::Vtk, "vtk"}};
}

constexpr auto words(RenderStyle)
{
    return std::array{Word{RenderStyle::Light, "light"}, Word{RenderStyle::Dark, "dark"}};
}

// Obstacles.

template <int Dim>
void describe(auto& visit, ObstacleOptions<Dim>& o)
{
    visit("name", o.name, {.required = true, .doc = "used in paths and probes"});
    visit("shape", o.shape,
          {.required = true, .doc = "space that nothing can enter; written like the shape of a body"});
    visit("motion", o.motion,
          {.changeable = true,
           .doc = "how the obstacle moves; a motion set by an event continues from where the obstacle is"});
    visit("surface", o.surface,
          {.changeable = true,
           .doc = "how the obstacle affects what moves along it: slip, no_slip, friction or velocity"});
    describe_heat(visit, o.heat, true, "temperature that the obstacle keeps",
                  "heat that it gives to an area of what touches it",
                  "air between the obstacle and what touches it");
    visit("ignores", o.ignores, {.doc = "names of bodies that do not feel it"});
    visit("container", o.container,
          {.doc = "whether the shape is a cavity and everything around it is solid"});
    visit("visible", o.visible, {.doc = "whether pictures of `phyxel render` show it"});
}

template <int Dim>
void check(Reader& in, const Node& node, const ObstacleOptions<Dim>& o)
{
    check_heat(in, node, o.heat);
}

template <int Dim>
void describe(auto& visit, WallSurfaceOptions<Dim>& o)
{
    visit("friction", o.friction, {.min = 0, .doc = "Coulomb's coefficient"});
    visit("velocity", o.velocity,
          {.unit = "m/s",
           .doc = "at which a wall that stays where it is runs along itself, as belts and lids do; only the "
                  "part along the wall counts; without friction nothing slips on it"});
}

template <int Dim>
void check(Reader& in, const Node& node, const WallSurfaceOptions<Dim>& o)
{
    if (!o.friction && !o.velocity)
        in.add_problem(node, "neither friction nor velocity is given", R"(or say "slip" or "no_slip")");
}

template <int Dim>
struct ValueFormat<WallSurfaceOptions<Dim>> {
    using Word = ValueFormat<SurfaceKind>;
    using Object = DescribedFormat<WallSurfaceOptions<Dim>>;

    static std::string expected(const Parameter&)
    {
        return R"("slip", "no_slip", or an object such as { "friction": 0.3 } or { "velocity": [1, 0, 0] })";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, WallSurfaceOptions<Dim>& value)
    {
        if (node.is_object()) {
            value = {};
            Object::read(in, node, p, value);
        } else if (node.is_text()) {
            value = {};
            Word::read(in, node, p, value.kind);
        } else {
            in.add_mismatch(node, expected(p));
        }
    }
    static Node write(const WallSurfaceOptions<Dim>& value)
    {
        return value.friction || value.velocity ? Object::write(value) : Word::write(value.kind);
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
          {.doc = "how its walls affect what moves along them: slip, no_slip, friction or velocity"});
    describe_heat(visit, o.heat, false, "temperature that its walls keep",
                  "heat that its walls give to an area of what touches them",
                  "air between its walls and what touches them");
    visit("sides", o.sides,
          {.doc = "what happens at each side: wall, open (what leaves is removed) or periodic"});
}

template <int Dim>
void check(Reader& in, const Node& node, const DomainOptions<Dim>& o)
{
    check_heat(in, node, o.heat);
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
          {.unit = "s", .above = 0, .doc = "shortest step; the run fails if it needs a shorter one"});
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

// Events.

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

template <>
struct ValueFormat<EventRemovals> {
    static std::string expected(const Parameter&)
    {
        return R"(a list of names of bodies and obstacles such as ["ball"])";
    }
    static void read(Reader& in, const Node& node, const Parameter& p, EventRemovals& value)
    {
        if (!node.is_list() || node.items().empty()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        for (std::size_t i = 0; i < node.items().size(); ++i) {
            const Reader::Scope scope = in.enter(i);
            std::string name;
            if (in.read_text(node.items()[i], name)) value.names.push_back(node.items()[i]);
        }
    }
    static Node write(const EventRemovals& value) { return Node::list(value.names); }
    static Node schema(SchemaWriter&, const Parameter&)
    {
        return Node::object(
            {{"type", "array"}, {"items", Node::object({{"type", "string"}})}, {"minItems", 1}});
    }
};

void describe(auto& visit, EventOptions& o)
{
    visit("time", o.time, {.unit = "s", .min = 0, .required = true, .doc = "when it happens"});
    visit("set", o.set,
          {.doc = "what changes, by path: gravity, hands, and whatever else is marked as changeable; null "
                  "restores what the scene itself says"});
    visit("remove", o.remove, {.doc = "bodies and obstacles that are taken away, by name"});
}

inline void check(Reader& in, const Node& node, const EventOptions& o)
{
    if (!o.set && !o.remove)
        in.add_problem(node, "nothing happens in this event", "expected \"set\", \"remove\" or both");
}

template <>
struct ValueFormat<EventOptions> : DescribedFormat<EventOptions> {
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        Node object = DescribedFormat<EventOptions>::schema(out, p);
        object.set("anyOf", Node::list({Node::object({{"required", Node::list({"set"})}}),
                                        Node::object({{"required", Node::list({"remove"})}})}));
        return object;
    }
};

// The whole.

/// What frames may have: that of all particles, and that of bodies of each kind.
inline std::vector<std::string_view> field_words(const Kinds* kinds)
{
    std::vector<std::string_view> words = {"velocity", "id"};
    if (kinds != nullptr)
        for (const auto& kind : kinds->of<3>())
            for (const FieldInfo& field : kind->fields)
                if (std::find(words.begin(), words.end(), field.name) == words.end())
                    words.push_back(field.name);
    return words;
}

template <>
struct ValueFormat<FieldName> {
    static std::string expected(const Parameter&) { return "the name of a field"; }
    static void read(Reader& in, const Node& node, const Parameter&, FieldName& value)
    {
        const std::vector<std::string_view> words = field_words(in.kinds());
        std::size_t number = 0;
        if (in.read_word(node, words, number)) value.name = words[number];
    }
    static Node write(const FieldName& value) { return value.name; }
    static Node schema(SchemaWriter& out, const Parameter&)
    {
        const std::vector<std::string_view> words = field_words(out.kinds());
        return Node::object({{"enum", Node::list(std::vector<Node>(words.begin(), words.end()))}});
    }
};

void describe(auto& visit, OutputOptions& o)
{
    visit("format", o.format, {.doc = "file format of frames"});
    visit("fields", o.fields,
          {.doc = "fields that frames have besides id and velocity, for fluids and solids; if not given, the "
                  "usual ones for the bodies of the scene"});
    visit("double_precision", o.double_precision, {.doc = "64-bit numbers in frames"});
    visit(
        "meshes", o.meshes,
        {.doc =
             "whether frames have the surfaces that bodies have of their own: moved meshes of rigid bodies, "
             "skins of solids"});
}

// Pictures.

void describe(auto& visit, CameraSettings& o)
{
    visit("from", o.from,
          {.unit = "m",
           .doc = "where the camera is, in three coordinates even in 2D; if not given, a place from which "
                  "everything is in view"});
    visit("look_at", o.look_at, {.unit = "m", .doc = "what is in the middle of the picture"});
    visit("fov", o.fov,
          {.unit = "rad",
           .above = 0,
           .below = std::numbers::pi,
           .doc = "field of view, from the lower to the upper edge"});
    visit("orbit", o.orbit, {.unit = "rad/s", .doc = "how fast the camera turns around what it looks at"});
    visit("aperture", o.aperture,
          {.unit = "m", .min = 0, .doc = "width of the lens; if not given, 0, which makes everything sharp"});
    visit("focus", o.focus,
          {.unit = "m",
           .min = 0,
           .doc = "distance from the camera to what is sharp; if not given, that of look_at"});
}

void describe(auto& visit, ColorSettings& o)
{
    visit("field", o.field, {.doc = "what gives the colours: a field of the frames, or \"body\""});
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
    visit("style", o.style, {.doc = "look of ground, background and text"});
    visit("samples", o.samples,
          {.min = 1, .max = 65536, .doc = "rays per pixel; if not given, 16, or 32 for liquids"});
    visit("liquid", o.liquid, {.doc = "whether meshes and surfaces are clear liquids; false if not given"});
    visit("blur", o.blur,
          {.min = 0,
           .max = 10,
           .doc = "how long the shutter is open, as a part of the time between frames; 0 if not given"});
}

// Bodies, and what their kinds add to the scene.

/// An object whose key `type` names a kind, beside the keys of that kind.
template <int Dim>
struct ValueFormat<BodyOptions<Dim>> {
    static std::string expected(const Parameter&) { return "an object with the \"type\" of a body"; }

    static void read(Reader& in, const Node& node, const Parameter&, BodyOptions<Dim>& value)
    {
        const std::vector<std::string_view> names = in.kinds()->names();
        if (!node.is_object()) {
            in.lose_part();
            in.add_mismatch(node, "an object with the \"type\" " + expected_words(names));
            return;
        }
        MemberReader visit(in, node);
        const Node* type = visit.take("type");
        if (type == nullptr) {
            in.lose_part();
            visit.add_missing("type", expected_words(names));
            // Which other keys are known depends on it; but it may be there with a slip of the pen.
            constexpr std::array<std::string_view, 1> known = {"type"};
            for (const Node::Member& member : node.members())
                if (!nearest_word(member.key, known).empty())
                    in.add_problem(member.key_place, "unknown key " + short_text(member.key),
                                   suggestion(member.key, known) + "expected " + expected_words(names));
            return;
        }
        std::size_t number = 0;
        {
            const Reader::Scope scope = in.enter("type");
            if (!in.read_word(*type, names, number)) {
                in.lose_part();
                return;
            }
        }
        value.kind = in.kinds()->of<Dim>()[number].get();
        value.options = value.kind->options.make();
        value.kind->options.read(in, node, visit, value.options);
    }
    static Node write(BodyOptions<Dim> value)
    {
        Node object = Node::object();
        MemberWriter visit(object);
        object.set("type", value.kind->name);
        value.kind->options.write(visit, value.options);
        return object;
    }
    static Node schema(SchemaWriter& out, const Parameter&)
    {
        std::vector<Node> all;
        for (const auto& kind : out.kinds()->of<Dim>()) {
            MemberSchema visit(out);
            visit.add("type", Node::object({{"const", kind->name}}), true);
            kind->options.add_schema(visit);
            all.push_back(visit.finish());
        }
        return Node::object({{"oneOf", Node::list(std::move(all))}});
    }
    static void add_rows(TableWriter& table, const std::string& path)
    {
        for (const auto& kind : table.kinds()->of<Dim>()) {
            MemberTable visit(table, path + '(' + kind->name + ").");
            kind->options.add_rows(visit);
        }
    }
};

template <int Dim>
void describe_sections(MemberReader& visit, SceneOptions<Dim>& o)
{
    for (KindSection<Dim>& section : o.sections) section.kind->section->read(visit, section.options);
}
template <int Dim>
void describe_sections(MemberWriter& visit, SceneOptions<Dim>& o)
{
    for (KindSection<Dim>& section : o.sections) section.kind->section->write(visit, section.options);
}
template <int Dim>
void describe_sections(ChangeFinder& visit, SceneOptions<Dim>& o)
{
    for (KindSection<Dim>& section : o.sections)
        section.kind->section->find_changeable(visit, section.options);
}
template <int Dim>
void describe_sections(MemberSchema& visit, SceneOptions<Dim>&)
{
    for (const auto& kind : visit.writer().kinds()->of<Dim>())
        if (kind->section) kind->section->add_schema(visit);
}
template <int Dim>
void describe_sections(MemberTable& visit, SceneOptions<Dim>&)
{
    for (const auto& kind : visit.table().kinds()->of<Dim>())
        if (kind->section) kind->section->add_rows(visit);
}

template <int Dim>
void describe(auto& visit, SceneOptions<Dim>& o)
{
    visit("$schema", o.schema, {.doc = "schema file that editors check the scene with"});
    visit("dimension", o.dimension,
          {.min = 2, .max = 3, .required = Dim == 2, .doc = "number of dimensions of space"});
    visit("duration", o.duration, {.unit = "s", .min = 0, .doc = "how long to simulate"});
    visit("frame_rate", o.frame_rate,
          {.unit = "1/s", .above = 0, .doc = "frames per second of simulated time"});
    visit(
        "gravity", o.gravity,
        {.unit = "m/s^2", .changeable = true, .variables = Dim == 2 ? "xyt" : "xyzt", .doc = "acceleration"});
    visit("seed", o.seed, {.doc = "start of all random numbers"});
    visit("spacing", o.spacing, {.unit = "m", .above = 0, .doc = "distance between particles at the start"});
    visit("count", o.count,
          {.min = 1,
           .max = max_particle_count,
           .doc = "total number of particles, instead of spacing; 20000 if neither is given"});
    visit("time_step", o.time_step,
          {.doc = "length of every step, or bounds for it; if not given, steps are as long as is safe"});
    visit("domain", o.domain, {.doc = "the box that everything stays in; unbounded if not given"});
    visit("bodies", o.bodies, {.required = true, .doc = "what is simulated"});
    visit("obstacles", o.obstacles, {.doc = "what is in the way"});
    describe_sections(visit, o);
    visit("hands", o.hands, {.changeable = true, .doc = "what takes hold of bodies or pushes them"});
    visit("events", o.events, {.doc = "what changes during the run"});
    visit("probes", o.probes, {.doc = "what is measured"});
    visit("output", o.output, {.doc = "what is written"});
    visit("render", o.render, {.doc = "how pictures look; see `phyxel render`"});
}

} // namespace phyxel
