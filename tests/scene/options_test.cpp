// SPDX-License-Identifier: MIT
#include <phyxel/scene/document.h>
#include <phyxel/scene/options.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace phyxel::options_test {
namespace {

// A scene in small, with a parameter of every type.

enum class Side { Wall, Periodic, Open };

constexpr auto words(Side)
{
    return std::array{Word{Side::Wall, "wall"}, Word{Side::Periodic, "periodic"}, Word{Side::Open, "open"}};
}

struct TankOptions {
    Vec<3> min = Vec<3>::Zero();
    Vec<3> max = Vec<3>::Ones();
    std::array<Side, 2> sides = {Side::Wall, Side::Wall};
};

void describe(auto& visit, TankOptions& o)
{
    visit("min", o.min, {.unit = "m", .doc = "lower corner"});
    visit("max", o.max, {.unit = "m", .doc = "upper corner"});
    visit("sides", o.sides, {.doc = "below and above"});
}

struct WcsphOptions {
    double cfl = 0.4;
};

constexpr std::string_view type_word(const WcsphOptions&) { return "wcsph"; }

void describe(auto& visit, WcsphOptions& o)
{
    visit("cfl", o.cfl, {.above = 0, .max = 1, .doc = "fraction of a spacing moved in a step"});
}

struct DfsphOptions {
    double max_density_error = 1e-3;
    int max_iterations = 100;
};

constexpr std::string_view type_word(const DfsphOptions&) { return "dfsph"; }

void describe(auto& visit, DfsphOptions& o)
{
    visit("max_density_error", o.max_density_error,
          {.min = 1e-6, .max = 0.1, .doc = "mean compression allowed"});
    visit("max_iterations", o.max_iterations, {.min = 1, .doc = "of each pressure solve"});
}

struct PoolOptions {
    std::string name;
    double spacing = 0.01;
    double viscosity = 1e-3;
    std::optional<double> temperature;
    double tilt = 0.0;
    bool is_closed = true;
    std::uint64_t seed = 1;
    Index count = 20000;
    Side top = Side::Open;
    Vec<2> shift = Vec<2>::Zero();
    std::array<Formula, 3> velocity = {};
    Formula heating = 0.0;
    std::vector<std::string> fields = {"density"};
    TankOptions tank;
    std::vector<TankOptions> basins;
    std::variant<WcsphOptions, DfsphOptions> solver;
};

void describe(auto& visit, PoolOptions& o)
{
    visit("name", o.name, {.required = true, .doc = "for file names"});
    visit("spacing", o.spacing, {.unit = "m", .above = 0, .doc = "of particles"});
    visit("viscosity", o.viscosity,
          {.unit = "Pa s",
           .min = 0,
           .hint = {.unit = "m^2/s", .text = "viscosity is dynamic, multiply by the density"},
           .doc = "dynamic viscosity"});
    visit("temperature", o.temperature, {.unit = "K", .min = 0});
    visit("tilt", o.tilt, {.unit = "rad", .above = -1.5, .below = 1.5});
    visit("is_closed", o.is_closed, {});
    visit("seed", o.seed, {.doc = "of all randomness"});
    visit("count", o.count, {.min = 1});
    visit("top", o.top, {.doc = "wall | open"});
    visit("shift", o.shift, {.unit = "m", .min = -1, .max = 1});
    visit("velocity", o.velocity, {.unit = "m/s", .variables = "xyz", .doc = "at the start"});
    visit("heating", o.heating, {.unit = "W", .min = 0, .variables = "t"});
    visit("fields", o.fields, {});
    visit("tank", o.tank, {.doc = "the water is within"});
    visit("basins", o.basins, {});
    visit("solver", o.solver, {});
}

PoolOptions read(std::string_view text)
{
    PoolOptions options;
    read_options(parse_document(text, "a.json"), options);
    return options;
}

/// The message of the error for a scene with a name and this member, or "no error".
std::string error_of(std::string_view member)
{
    try {
        read("{ \"name\": \"pool\",\n" + std::string(member) + "\n}");
    } catch (const SceneError& error) {
        return error.what();
    }
    return "no error";
}

const std::string all_keys =
    "allowed: name, spacing, viscosity, temperature, tilt, is_closed, seed, count, top, "
    "shift, velocity, heating, fields, tank, basins, solver";

const char* const full_scene = R"json({
    "name": "pool", "spacing": "2 cm", "viscosity": "2 mPa s", "temperature": "20 °C", "tilt": "30 deg",
    "is_closed": false, "seed": 9007199254740992, "count": 7, "top": "periodic", "shift": [0.5, "-5 mm"],
    "velocity": ["= 0.1*sin(4*pi*y)", 0, "36 km/h"], "heating": "= 3*t", "fields": [],
    "tank": { "max": ["1 m", 2, "30 cm"], "sides": ["open", "periodic"] },
    "basins": [ {}, { "min": [-1, -1, -1] } ],
    "solver": { "type": "dfsph", "max_iterations": 50 } })json";

TEST(Options, what_a_scene_does_not_mention_keeps_its_default)
{
    const PoolOptions options = read(R"({ "name": "pool" })");
    EXPECT_EQ(options.name, "pool");
    EXPECT_EQ(options.spacing, 0.01);
    EXPECT_FALSE(options.temperature.has_value());
    EXPECT_EQ(options.fields, std::vector<std::string>{"density"});
    EXPECT_EQ(options.solver.index(), 0u);
}

TEST(Options, values_of_every_type_are_read)
{
    const PoolOptions options = read(full_scene);
    EXPECT_EQ(options.spacing, 0.02);
    EXPECT_EQ(options.viscosity, 0.002);
    EXPECT_EQ(options.temperature, 293.15);
    EXPECT_NEAR(options.tilt, 0.5235987755982988, 1e-15);
    EXPECT_FALSE(options.is_closed);
    EXPECT_EQ(options.seed, 9007199254740992u);
    EXPECT_EQ(options.count, 7u);
    EXPECT_EQ(options.top, Side::Periodic);
    EXPECT_EQ(options.shift, Vec<2>(0.5, -0.005));
    EXPECT_EQ(options.velocity[0], Formula("0.1*sin(4*pi*y)"));
    EXPECT_EQ(options.velocity[1], Formula(0.0));
    EXPECT_EQ(options.velocity[2], Formula(10.0));
    EXPECT_EQ(options.heating, Formula("3*t"));
    EXPECT_TRUE(options.fields.empty());
    EXPECT_EQ(options.tank.min, Vec<3>(0, 0, 0));
    EXPECT_EQ(options.tank.max, Vec<3>(1, 2, 0.3));
    EXPECT_EQ(options.tank.sides, (std::array{Side::Open, Side::Periodic}));
    ASSERT_EQ(options.basins.size(), 2u);
    EXPECT_EQ(options.basins[1].min, Vec<3>(-1, -1, -1));
    EXPECT_EQ(options.basins[1].max, Vec<3>(1, 1, 1));
    ASSERT_EQ(options.solver.index(), 1u);
    EXPECT_EQ(std::get<1>(options.solver).max_iterations, 50);
    EXPECT_EQ(std::get<1>(options.solver).max_density_error, 1e-3);
}

TEST(Options, what_is_written_reads_back_with_every_default_resolved)
{
    const PoolOptions options = read(full_scene);
    const Node written = write_options(options);
    EXPECT_EQ(to_text(written), R"json({
  "name": "pool",
  "spacing": 0.02,
  "viscosity": 0.002,
  "temperature": 293.15,
  "tilt": 0.5235987755982988,
  "is_closed": false,
  "seed": 9007199254740992,
  "count": 7,
  "top": "periodic",
  "shift": [0.5, -0.005],
  "velocity": ["= 0.1*sin(4*pi*y)", 0, 10],
  "heating": "= 3*t",
  "fields": [],
  "tank": { "min": [0, 0, 0], "max": [1, 2, 0.3], "sides": ["open", "periodic"] },
  "basins": [
    { "min": [0, 0, 0], "max": [1, 1, 1], "sides": ["wall", "wall"] },
    { "min": [-1, -1, -1], "max": [1, 1, 1], "sides": ["wall", "wall"] }
  ],
  "solver": { "type": "dfsph", "max_density_error": 0.001, "max_iterations": 50 }
}
)json");
    PoolOptions again;
    read_options(parse_document(to_text(written), "b.json"), again);
    EXPECT_EQ(write_options(again), written);
}

TEST(Options, an_optional_value_that_is_absent_is_not_written)
{
    EXPECT_EQ(write_options(read(R"({ "name": "pool" })")).find("temperature"), nullptr);
}

TEST(Options, every_problem_is_reported_at_its_place_and_path)
{
    EXPECT_EQ(
        error_of("\"spacng\": 1,\n\"tank\": { \"min\": [0, true, \"1 s\"],\n  \"sides\": [\"wal\", 3] },\n"
                 "\"basins\": [ {}, 7, { \"mim\": 1 } ]"),
        "a.json:2:1: unknown key \"spacng\", did you mean \"spacing\"? " + all_keys + "\n" +
            "a.json:3:22: tank.min[1]: expected a length such as \"1 cm\", found true\n"
            "a.json:3:28: tank.min[2]: expected a length such as \"1 cm\", found a time\n"
            "a.json:4:13: tank.sides[0]: unknown word \"wal\", did you mean \"wall\"? allowed: wall, "
            "periodic, "
            "open\n"
            "a.json:4:20: tank.sides[1]: expected \"wall\", \"periodic\" or \"open\", found 3\n"
            "a.json:5:17: basins[1]: expected an object, found 7\n"
            "a.json:5:22: basins[2]: unknown key \"mim\", did you mean \"min\"? allowed: min, max, sides");
}

TEST(Options, a_missing_key_is_reported_with_what_it_should_be)
{
    try {
        read("\n  { }");
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_STREQ(error.what(), "a.json:2:3: missing key \"name\", expected a text");
    }
}

TEST(Options, quantities_are_checked)
{
    EXPECT_EQ(error_of("\"spacing\": \"1 s\""),
              "a.json:2:12: spacing: expected a length such as \"1 cm\", found a time");
    EXPECT_EQ(error_of("\"spacing\": \"1 cmm\""), "a.json:2:12: spacing: unknown unit \"cmm\", did you mean "
                                                  "\"cm\"? known: m, g, s, K, rad, deg, rpm, Hz, "
                                                  "N, Pa, J, W, l, bar, min, h, °C, with SI prefixes");
    EXPECT_EQ(error_of("\"spacing\": null"),
              "a.json:2:12: spacing: expected a length such as \"1 cm\", found null");
    EXPECT_EQ(error_of("\"spacing\": \"= 2*x\""),
              "a.json:2:12: spacing: a formula is not allowed here, expected a length such as \"1 cm\"");
    EXPECT_EQ(error_of("\"viscosity\": \"1 mm^2/s\""), "a.json:2:14: viscosity: expected a dynamic viscosity "
                                                       "such as \"1 mPa s\", found a kinematic viscosity; "
                                                       "viscosity is dynamic, multiply by the density");
    EXPECT_EQ(error_of("\"tilt\": \"1 m\""),
              "a.json:2:9: tilt: expected an angle such as \"30 deg\", found a length");
    EXPECT_EQ(error_of("\"temperature\": {}"),
              "a.json:2:16: temperature: expected a temperature such as \"20 °C\", found an object");
}

TEST(Options, of_very_many_problems_the_first_thousand_are_collected)
{
    std::string text = R"({ "name": "pool")";
    for (int n = 0; n < 20000; ++n) text += ", \"key" + std::to_string(n) + "\": 0";
    try {
        (void)read(text + " }");
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_EQ(error.problems().size(), max_problems);
    }
}

TEST(Options, out_of_range_is_an_error_and_never_a_clamp)
{
    EXPECT_EQ(error_of("\"spacing\": 0"), "a.json:2:12: spacing: 0 m is out of range, must be above 0 m");
    EXPECT_EQ(error_of("\"spacing\": \"-1 cm\""),
              "a.json:2:12: spacing: -0.01 m is out of range, must be above 0 m");
    EXPECT_EQ(error_of("\"viscosity\": 0"), "no error");
    EXPECT_EQ(error_of("\"viscosity\": -1"),
              "a.json:2:14: viscosity: -1 Pa s is out of range, must be at least 0 Pa s");
    EXPECT_EQ(error_of("\"temperature\": \"-300 °C\""),
              "a.json:2:16: temperature: -26.85 K is out of range, must be at least 0 K");
    EXPECT_EQ(error_of("\"tilt\": 1.5"),
              "a.json:2:9: tilt: 1.5 rad is out of range, must be above -1.5 rad and below 1.5 rad");
    EXPECT_EQ(error_of("\"shift\": [1, 1.5]"),
              "a.json:2:14: shift[1]: 1.5 m is out of range, must be at least -1 m and at most 1 m");
    EXPECT_EQ(error_of("\"count\": 0"), "a.json:2:10: count: 0 is out of range, must be at least 1");
    EXPECT_EQ(error_of("\"heating\": -1"),
              "a.json:2:12: heating: -1 W is out of range, must be at least 0 W");
}

TEST(Options, whole_numbers_are_whole_and_fit_their_type)
{
    EXPECT_EQ(error_of("\"count\": 2.5"), "a.json:2:10: count: expected a whole number, found 2.5");
    EXPECT_EQ(error_of("\"count\": \"7\""), "a.json:2:10: count: expected a whole number, found \"7\"");
    EXPECT_EQ(error_of("\"count\": 4294967295"), "no error");
    EXPECT_EQ(error_of("\"count\": 4294967296"),
              "a.json:2:10: count: 4294967296 is out of range, must be at least 1 and at most 4294967295");
    EXPECT_EQ(error_of("\"seed\": -1"), "a.json:2:9: seed: -1 is out of range, must be at least 0");
    EXPECT_EQ(error_of("\"seed\": 1e300"),
              "a.json:2:9: seed: 1e+300 is out of range, must be at most 9007199254740992");
}

TEST(Options, types_are_checked)
{
    EXPECT_EQ(error_of("\"is_closed\": 1"), "a.json:2:14: is_closed: expected true or false, found 1");
    EXPECT_EQ(error_of("\"fields\": [\"a\", 2]"), "a.json:2:17: fields[1]: expected a text, found 2");
    EXPECT_EQ(error_of("\"fields\": \"a\""),
              "a.json:2:11: fields: expected a list, each a text, found \"a\"");
    EXPECT_EQ(error_of("\"tank\": []"), "a.json:2:9: tank: expected an object, found an empty list");
    EXPECT_EQ(error_of("\"top\": \"floor\""),
              "a.json:2:8: top: unknown word \"floor\", allowed: wall, periodic, open");
    EXPECT_EQ(error_of("\"shift\": [1, 2, 3]"),
              "a.json:2:10: shift: expected a list of 2, each a length such as \"1 cm\", found a list of 3");
    EXPECT_EQ(error_of("\"shift\": 1"),
              "a.json:2:10: shift: expected a list of 2, each a length such as \"1 cm\", found 1");
    EXPECT_EQ(error_of("\"velocity\": true"),
              "a.json:2:13: velocity: expected a list of 3, each a velocity such as "
              "\"1 m/s\" or a formula such as \"= 2*x\", found true");
}

TEST(Options, formulas_are_checked)
{
    EXPECT_EQ(
        error_of("\"heating\": \"= 2*\""),
        "a.json:2:12: heating: column 5 of the formula: expected a number, a variable, a function or \"(\", "
        "found the end");
    EXPECT_EQ(error_of("\"heating\": \"= 2*x\""), "a.json:2:12: heating: the formula uses x, allowed: t");
    EXPECT_EQ(error_of("\"velocity\": [0, \" = t\", 0]"),
              "a.json:2:17: velocity[1]: the formula uses t, allowed: x, y, z");
    EXPECT_EQ(error_of("\"heating\": \"1 m\""),
              "a.json:2:12: heating: expected a power such as \"1 W\", found a length");
}

TEST(Options, a_choice_of_options_depends_on_the_type)
{
    EXPECT_EQ(error_of("\"solver\": { \"type\": \"wcsph\", \"cfl\": 0.2 }"), "no error");
    EXPECT_EQ(error_of("\"solver\": { \"cfl\": 0.2 }"),
              "a.json:2:11: solver: missing key \"type\", expected \"wcsph\" or \"dfsph\"");
    EXPECT_EQ(
        error_of("\"solver\": \"wcsph\""),
        "a.json:2:11: solver: expected an object with the \"type\" \"wcsph\" or \"dfsph\", found \"wcsph\"");
    EXPECT_EQ(
        error_of("\"solver\": { \"type\": \"dfsp\" }"),
        "a.json:2:21: solver.type: unknown word \"dfsp\", did you mean \"dfsph\"? allowed: wcsph, dfsph");
    EXPECT_EQ(
        error_of("\"solver\": { \"type\": \"dfsph\", \"max_iteratons\": 3 }"),
        "a.json:2:30: solver: unknown key \"max_iteratons\", did you mean \"max_iterations\"? allowed: type, "
        "max_density_error, max_iterations");
}

TEST(Options, the_schema_says_all_that_the_description_says)
{
    const Node schema = options_schema<DfsphOptions>("solver");
    EXPECT_EQ(to_text(schema), R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "solver",
  "type": "object",
  "properties": {
    "max_density_error": {
      "type": ["number", "string"],
      "minimum": 1e-06,
      "maximum": 0.1,
      "description": "mean compression allowed",
      "default": 0.001
    },
    "max_iterations": {
      "type": "integer",
      "minimum": 1,
      "maximum": 2147483647,
      "description": "of each pressure solve",
      "default": 100
    }
  },
  "additionalProperties": false
}
)");
}

TEST(Options, the_schema_of_every_type_is_right)
{
    const Node schema = options_schema<PoolOptions>("pool");
    EXPECT_EQ(to_line(*schema.find("required")), R"(["name"])");
    const Node& properties = *schema.find("properties");
    const auto property = [&](std::string_view name) { return to_line(*properties.find(name)); };
    EXPECT_EQ(property("name"), R"({ "type": "string", "description": "for file names" })");
    EXPECT_EQ(property("spacing"), R"({ "type": ["number", "string"], "exclusiveMinimum": 0, )"
                                   R"("description": "of particles [m]", "default": 0.01 })");
    EXPECT_EQ(property("temperature"),
              R"({ "type": ["number", "string"], "minimum": 0, "description": "[K]" })");
    EXPECT_EQ(property("tilt"), R"({ "type": ["number", "string"], "exclusiveMinimum": -1.5, )"
                                R"("exclusiveMaximum": 1.5, "description": "[rad]", "default": 0 })");
    EXPECT_EQ(property("is_closed"), R"({ "type": "boolean", "default": true })");
    EXPECT_EQ(property("count"),
              R"({ "type": "integer", "minimum": 1, "maximum": 4294967295, "default": 20000 })");
    EXPECT_EQ(property("top"),
              R"({ "enum": ["wall", "periodic", "open"], "description": "wall | open", "default": "open" })");
    EXPECT_EQ(property("shift"),
              R"({ "type": "array", "items": { "type": ["number", "string"], "minimum": -1, )"
              R"("maximum": 1 }, "minItems": 2, "maxItems": 2, "description": "[m]", )"
              R"("default": [0, 0] })");
    EXPECT_EQ(property("fields"),
              R"({ "type": "array", "items": { "type": "string" }, "default": ["density"] })");
    EXPECT_EQ(to_line(*properties.find("tank")->find("properties")->find("sides")->find("items")),
              R"({ "enum": ["wall", "periodic", "open"] })");
    EXPECT_EQ(to_line(*properties.find("basins")->find("items")->find("additionalProperties")), "false");
    const Node& kinds = *properties.find("solver")->find("oneOf");
    ASSERT_EQ(kinds.items().size(), 2u);
    EXPECT_EQ(to_line(*kinds.items()[1].find("properties")->find("type")), R"({ "const": "dfsph" })");
    EXPECT_EQ(to_line(*kinds.items()[1].find("required")), R"(["type"])");
}

/// Whether a value fits a schema, as far as our schemas go: the keywords that they use and no others.
bool fits(const Node& value, const Node& schema, const Node& root)
{
    for (const Node::Member& keyword : schema.members()) {
        const Node& k = keyword.value;
        if (keyword.key == "type") {
            const std::vector<Node> types = k.is_list() ? k.items() : std::vector<Node>{k};
            const auto is = [&](const Node& type) {
                return (type.text() == "number" && value.is_number()) ||
                       (type.text() == "integer" && value.is_number()) ||
                       (type.text() == "string" && value.is_text()) ||
                       (type.text() == "boolean" && value.is_bool()) ||
                       (type.text() == "array" && value.is_list()) ||
                       (type.text() == "object" && value.is_object());
            };
            if (std::none_of(types.begin(), types.end(), is)) return false;
        } else if (keyword.key == "enum") {
            if (std::find(k.items().begin(), k.items().end(), value) == k.items().end()) return false;
        } else if (keyword.key == "const") {
            if (!(value == k)) return false;
        } else if (keyword.key == "minimum") {
            if (value.is_number() && value.number() < k.number()) return false;
        } else if (keyword.key == "maximum") {
            if (value.is_number() && value.number() > k.number()) return false;
        } else if (keyword.key == "exclusiveMinimum") {
            if (value.is_number() && value.number() <= k.number()) return false;
        } else if (keyword.key == "exclusiveMaximum") {
            if (value.is_number() && value.number() >= k.number()) return false;
        } else if (keyword.key == "minItems") {
            if (value.is_list() && static_cast<double>(value.items().size()) < k.number()) return false;
        } else if (keyword.key == "maxItems") {
            if (value.is_list() && static_cast<double>(value.items().size()) > k.number()) return false;
        } else if (keyword.key == "items") {
            for (const Node& item : value.items())
                if (!fits(item, k, root)) return false;
        } else if (keyword.key == "properties") {
            for (const Node::Member& member : value.members()) {
                const Node* property = k.find(member.key);
                if (property == nullptr || !fits(member.value, *property, root)) return false;
            }
        } else if (keyword.key == "required") {
            for (const Node& name : k.items())
                if (value.find(name.text()) == nullptr) return false;
        } else if (keyword.key == "oneOf") {
            const auto count = std::count_if(k.items().begin(), k.items().end(),
                                             [&](const Node& kind) { return fits(value, kind, root); });
            if (count != 1) return false;
        } else if (keyword.key == "allOf") {
            for (const Node& part : k.items())
                if (!fits(value, part, root)) return false;
        } else if (keyword.key == "$ref") {
            const std::string name = k.text().substr(std::string("#/definitions/").size());
            if (!fits(value, *root.find("definitions")->find(name), root)) return false;
        } else {
            const std::array<std::string_view, 6> notes = {"$schema", "title",       "description",
                                                           "default", "definitions", "additionalProperties"};
            EXPECT_NE(std::find(notes.begin(), notes.end(), keyword.key), notes.end()) << keyword.key;
        }
    }
    return true;
}

bool fits(std::string_view text, const Node& schema)
{
    return fits(parse_document(text, "a.json"), schema, schema);
}

TEST(Options, the_schema_accepts_what_the_reader_accepts)
{
    const Node schema = options_schema<PoolOptions>("pool");
    EXPECT_TRUE(fits(full_scene, schema));
    EXPECT_TRUE(fits(to_text(write_options(read(full_scene))), schema));
    EXPECT_TRUE(fits(R"({ "name": "pool" })", schema));
    EXPECT_FALSE(fits(R"({})", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "spacng": 1 })", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "spacing": 0 })", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "count": "7" })", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "top": "floor" })", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "shift": [1, 2, 3] })", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "basins": [ { "mim": 1 } ] })", schema));
    EXPECT_FALSE(fits(R"({ "name": "pool", "solver": { "type": "wcsph", "max_iterations": 3 } })", schema));
}

// A type that contains itself and has a form of its own.

struct Shape {
    double radius = 0.0;
    std::vector<Shape> parts;
};

void describe(auto& visit, Shape& o)
{
    visit("radius", o.radius, {.unit = "m", .doc = "of a sphere"});
    visit("parts", o.parts, {.doc = "a union"});
}

} // namespace
} // namespace phyxel::options_test

namespace phyxel {

template <>
struct ValueFormat<options_test::Shape> : DescribedFormat<options_test::Shape> {
    static void read(Reader& in, const Node& node, const Parameter& p, options_test::Shape& value)
    {
        DescribedFormat::read(in, node, p, value);
        if (value.radius > 0.0 && !value.parts.empty())
            in.add_problem(node, "has both a radius and parts", "give one of them");
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return out.reference("shape", [&] { return DescribedFormat::schema(out, p); });
    }
    static void add_rows(TableWriter&, const std::string&) = delete;
};

} // namespace phyxel

namespace phyxel::options_test {
namespace {

TEST(Options, a_type_may_contain_itself_and_check_itself)
{
    Shape shape;
    read_options(
        parse_document(R"({ "parts": [ { "radius": 1 }, { "parts": [ { "radius": 2 } ] } ] })", "a.json"),
        shape);
    ASSERT_EQ(shape.parts.size(), 2u);
    EXPECT_EQ(shape.parts[1].parts[0].radius, 2.0);
    try {
        read_options(parse_document(R"({ "parts": [ { "radius": 1, "parts": [ {} ] } ] })", "a.json"), shape);
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_STREQ(error.what(), "a.json:1:14: parts[0]: has both a radius and parts, give one of them");
    }

    const Node schema = options_schema<Shape>("shape");
    EXPECT_EQ(to_text(schema), R"({
  "$schema": "http://json-schema.org/draft-07/schema#",
  "title": "shape",
  "$ref": "#/definitions/shape",
  "definitions": {
    "shape": {
      "type": "object",
      "properties": {
        "radius": { "type": ["number", "string"], "description": "of a sphere [m]", "default": 0 },
        "parts": {
          "type": "array",
          "items": { "$ref": "#/definitions/shape" },
          "description": "a union",
          "default": []
        }
      },
      "additionalProperties": false
    }
  }
}
)");
    EXPECT_TRUE(fits(R"({ "parts": [ { "radius": 1 }, { "parts": [ { "radius": 2 } ] } ] })", schema));
    EXPECT_FALSE(fits(R"({ "parts": [ { "parts": [ { "radus": 2 } ] } ] })", schema));
}

TEST(Options, a_reference_with_a_description_is_wrapped)
{
    const Node reference = Node::object({{"$ref", "#/definitions/shape"}});
    EXPECT_EQ(to_line(described_schema(reference, {.doc = "a thing"}, {})),
              R"({ "allOf": [{ "$ref": "#/definitions/shape" }], "description": "a thing" })");
    EXPECT_EQ(described_schema(reference, {}, {}), reference);
}

TEST(Options, the_table_has_a_row_for_every_parameter)
{
    EXPECT_EQ(options_table<PoolOptions>(),
              R"(| key | value | default | meaning |
|---|---|---|---|
| `name` | a text | required | for file names |
| `spacing` | a length such as "1 cm", above 0 m | `0.01` m | of particles |
| `viscosity` | a dynamic viscosity such as "1 mPa s", at least 0 Pa s | `0.001` Pa s | dynamic viscosity |
| `temperature` | a temperature such as "20 °C", at least 0 K |  |  |
| `tilt` | an angle such as "30 deg", above -1.5 rad and below 1.5 rad | `0` rad |  |
| `is_closed` | true or false | `true` |  |
| `seed` | a whole number | `1` | of all randomness |
| `count` | a whole number, at least 1 | `20000` |  |
| `top` | "wall", "periodic" or "open" | `"open"` | wall \| open |
| `shift` | a list of 2, each a length such as "1 cm", at least -1 m and at most 1 m | `[0, 0]` m |  |
| `velocity` | a list of 3, each a velocity such as "1 m/s" or a formula such as "= 2*x" | `[0, 0, 0]` m/s | at the start |
| `heating` | a power such as "1 W" or a formula such as "= 2*t", at least 0 W | `0` W |  |
| `fields` | a list, each a text | `["density"]` |  |
| `tank` | an object |  | the water is within |
| `tank.min` | a list of 3, each a length such as "1 cm" | `[0, 0, 0]` m | lower corner |
| `tank.max` | a list of 3, each a length such as "1 cm" | `[1, 1, 1]` m | upper corner |
| `tank.sides` | a list of 2, each "wall", "periodic" or "open" | `["wall", "wall"]` | below and above |
| `basins` | a list, each an object | `[]` |  |
| `basins[].min` | a list of 3, each a length such as "1 cm" | `[0, 0, 0]` m | lower corner |
| `basins[].max` | a list of 3, each a length such as "1 cm" | `[1, 1, 1]` m | upper corner |
| `basins[].sides` | a list of 2, each "wall", "periodic" or "open" | `["wall", "wall"]` | below and above |
| `solver` | an object with the "type" "wcsph" or "dfsph" |  |  |
| `solver(wcsph).cfl` | a number, above 0 and at most 1 | `0.4` | fraction of a spacing moved in a step |
| `solver(dfsph).max_density_error` | a number, at least 1e-06 and at most 0.1 | `0.001` | mean compression allowed |
| `solver(dfsph).max_iterations` | a whole number, at least 1 | `100` | of each pressure solve |
)");
}

} // namespace
} // namespace phyxel::options_test
