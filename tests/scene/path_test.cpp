// SPDX-License-Identifier: MIT
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include <gtest/gtest.h>

#include <string>

namespace phyxel::path_test {
namespace {

Node scene()
{
    return parse_document(R"({ "spacing": 0.01, "gravity": [0, 0, -9.81],
        "bodies": [ { "name": "water", "material": { "viscosity": 0.001, "density": 1000 } },
                    { "name": "oil drop", "material": "oil" }, 3, { "shape": {} } ],
        "a.b": { "": 7 } })",
                          "scene.json");
}

template <class Action>
std::string error_of(Action&& action)
{
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string path_error(std::string_view text)
{
    return error_of([&] { Path path(text); });
}

std::string value_error(std::string_view text)
{
    return error_of([&] { value_at(scene(), Path(text)); });
}

std::string set_error(std::string_view text)
{
    Node root = scene();
    return error_of([&] { set_value_at(root, Path(text), 1); });
}

std::string assignment_error(std::string_view text)
{
    return error_of([&] { parse_assignment(text); });
}

TEST(Path, steps_are_keys_and_numbers)
{
    const Path path("bodies[0].material");
    ASSERT_EQ(path.steps().size(), 3u);
    EXPECT_EQ(path.steps()[0], Path::Step("bodies"));
    EXPECT_EQ(path.steps()[1], Path::Step(std::size_t(0)));
    EXPECT_EQ(path.steps()[2], Path::Step("material"));
    EXPECT_EQ(Path("a[1][23]").steps()[2], Path::Step(std::size_t(23)));
    EXPECT_EQ(Path("set[\"a.b \\\"]\"]").steps()[1], Path::Step("a.b \"]"));
    EXPECT_EQ(Path("[\"$schema\"].wasser-körper").steps()[1], Path::Step("wasser-körper"));
}

TEST(Path, text_reads_back_as_the_same_path)
{
    for (const std::string text : {"bodies[0].material", "a", "a.b.c", "a[1][2].b", "[3].a", "set[\"a.b\"].c",
                                   "[\"\"]", "a[\"x y\"][\"=\"][\"[\"]", "events[0].set[\"bodies.water\"]"}) {
        EXPECT_EQ(Path(text).text(), text);
    }
    EXPECT_EQ(Path("a[\"b\"]").text(), "a.b");
    EXPECT_EQ(Path().text(), "");
}

TEST(Path, errors_say_what_was_expected)
{
    EXPECT_EQ(path_error(""), "the path is empty, expected one such as bodies.water.material");
    EXPECT_EQ(path_error("a..b"), "the path \"a..b\" cannot be read: expected a key in column 3");
    EXPECT_EQ(path_error(".a"), "the path \".a\" cannot be read: expected a key in column 1");
    EXPECT_EQ(path_error("a."), "the path \"a.\" cannot be read: expected a key in column 3");
    EXPECT_EQ(path_error("a b"), "the path \"a b\" cannot be read: expected \".\" or \"[\" in column 2");
    EXPECT_EQ(path_error("a[0]b"), "the path \"a[0]b\" cannot be read: expected \".\" or \"[\" in column 5");
    EXPECT_EQ(path_error("a[b]"),
              "the path \"a[b]\" cannot be read: expected a number or a text in double quotes "
              "after \"[\"");
    EXPECT_EQ(path_error("a["),
              "the path \"a[\" cannot be read: expected a number or a text in double quotes "
              "after \"[\"");
    EXPECT_EQ(path_error("a[1"), "the path \"a[1\" cannot be read: expected \"]\" in column 4");
    EXPECT_EQ(path_error("a[-1]"),
              "the path \"a[-1]\" cannot be read: expected a number or a text in double quotes "
              "after \"[\"");
    EXPECT_EQ(path_error("a[\"b]"), "the path \"a[\"b]\" cannot be read: expected \" before the end");
    EXPECT_EQ(path_error("a[\"\\x\"]"), "the path \"a[\"\\x\"]\" cannot be read: unknown escape in a text");
    EXPECT_EQ(path_error("a[\"b\"c]"), "the path \"a[\"b\"c]\" cannot be read: expected \"]\" in column 6");
}

TEST(Path, leads_to_values_by_key_number_and_name)
{
    const Node root = scene();
    EXPECT_EQ(value_at(root, Path("spacing")), Node(0.01));
    EXPECT_EQ(value_at(root, Path("gravity[2]")), Node(-9.81));
    EXPECT_EQ(value_at(root, Path("bodies[0].material.viscosity")), Node(0.001));
    EXPECT_EQ(value_at(root, Path("bodies.water.material.viscosity")), Node(0.001));
    EXPECT_EQ(value_at(root, Path("bodies[\"oil drop\"].material")), Node("oil"));
    EXPECT_EQ(value_at(root, Path("[\"a.b\"][\"\"]")), Node(7));
    EXPECT_EQ(value_at(root, Path()), root);
}

TEST(Path, a_step_that_leads_nowhere_names_the_nearest_known_one)
{
    EXPECT_EQ(value_error("spacin"),
              "there is no key \"spacin\", did you mean \"spacing\"? known: spacing, gravity, "
              "bodies, a.b");
    EXPECT_EQ(value_error("bodies.water.materal.viscosity"),
              "bodies.water: there is no key \"materal\", did you mean \"material\"? known: name, material");
    EXPECT_EQ(value_error("bodies.watr"),
              "bodies: there is no item named \"watr\", did you mean \"water\"? known: water, oil drop");
    EXPECT_EQ(value_error("bodies.sand"), "bodies: there is no item named \"sand\", known: water, oil drop");
    EXPECT_EQ(value_error("bodies.0"),
              "bodies: there is no item named \"0\", did you mean [0]? known: water, oil drop");
    EXPECT_EQ(value_error("gravity.z"), "gravity: there is no item named \"z\", did you mean [2]?");
    EXPECT_EQ(value_error("gravity[3]"), "gravity: there is no item [3] in a list of 3");
    EXPECT_EQ(value_error("spacing[0]"), "spacing: there is no item [0] in 0.01");
    EXPECT_EQ(value_error("spacing.x"), "spacing: there is no \"x\" in 0.01");
    EXPECT_EQ(value_error("bodies[1].material.viscosity"),
              "bodies[1].material: there is no \"viscosity\" in \"oil\"");
    EXPECT_EQ(value_error("bodies[3].shape.x"), "bodies[3].shape: there is no key \"x\", known: none");
}

TEST(Path, values_are_replaced_and_missing_members_made)
{
    Node root = scene();
    set_value_at(root, Path("spacing"), "4 cm");
    set_value_at(root, Path("gravity[2]"), -1.62);
    set_value_at(root, Path("bodies.water.material.viscosity"), 10);
    set_value_at(root, Path("bodies.water.material.color"), "blue");
    set_value_at(root, Path("output.format.name"), "vtk");
    EXPECT_EQ(value_at(root, Path("spacing")), Node("4 cm"));
    EXPECT_EQ(value_at(root, Path("gravity")), Node::list({0, 0, -1.62}));
    EXPECT_EQ(to_line(value_at(root, Path("bodies[0].material"))),
              R"({ "viscosity": 10, "density": 1000, "color": "blue" })");
    EXPECT_EQ(to_line(value_at(root, Path("output"))), R"({ "format": { "name": "vtk" } })");
}

TEST(Path, items_and_members_of_plain_values_are_not_made)
{
    EXPECT_EQ(set_error("gravity[3]"), "gravity: there is no item [3] in a list of 3");
    EXPECT_EQ(set_error("bodies.sand.spacing"),
              "bodies: there is no item named \"sand\", known: water, oil drop");
    EXPECT_EQ(set_error("bodies[1].material.viscosity"),
              "bodies[1].material: there is no \"viscosity\" in \"oil\"");
    EXPECT_EQ(set_error("output[0]"), "output: is not given, so there is no item [0] to set; set all of it");
    EXPECT_EQ(set_error("domain.max[0]"),
              "domain.max: is not given, so there is no item [0] to set; set all of it");
}

TEST(Assignment, the_value_is_json_or_a_bare_text)
{
    const auto value = [](std::string_view text) { return parse_assignment(text).value; };
    EXPECT_EQ(parse_assignment("bodies.water.spacing=4 cm").path.text(), "bodies.water.spacing");
    EXPECT_EQ(value("spacing=4 cm"), Node("4 cm"));
    EXPECT_EQ(value("spacing=\"4 cm\""), Node("4 cm"));
    EXPECT_EQ(value("spacing=0.04"), Node(0.04));
    EXPECT_EQ(value("spacing=.04"), Node(0.04));
    EXPECT_EQ(value("spacing=1e999"), Node("1e999"));
    EXPECT_EQ(value("a=true"), Node(true));
    EXPECT_EQ(value("a=water"), Node("water"));
    EXPECT_EQ(value("a=[1, \"2 m\"]"), Node::list({1, "2 m"}));
    EXPECT_EQ(value("a={ \"b\": 1 }"), Node::object({{"b", 1}}));
    EXPECT_EQ(value("velocity[0]== 2*x"), Node("= 2*x"));
    EXPECT_EQ(parse_assignment("events[0].set[\"a=b\"]=1").path.text(), "events[0].set[\"a=b\"]");
    EXPECT_EQ(value("events[0].set[\"a=b\"]=1"), Node(1));
}

TEST(Assignment, errors_name_what_was_given)
{
    EXPECT_EQ(assignment_error("spacing"),
              "spacing: expected a path, \"=\" and a value, as in spacing=\"4 cm\"");
    EXPECT_EQ(assignment_error("a[\"b=1"),
              "a[\"b=1: expected a path, \"=\" and a value, as in spacing=\"4 cm\"");
    EXPECT_EQ(assignment_error("spacing="), "spacing=: expected a value after \"=\"");
    EXPECT_EQ(assignment_error("spacing= "), "spacing= : expected a value after \"=\"");
    EXPECT_EQ(assignment_error("=1"), "=1: the path is empty, expected one such as bodies.water.material");
    EXPECT_EQ(assignment_error("a..b=1"),
              "a..b=1: the path \"a..b\" cannot be read: expected a key in column 3");
    EXPECT_EQ(assignment_error("a=[1,"), "a=[1,: expected a value after \",\", found the end of the text");
    EXPECT_EQ(assignment_error("a=\"b"),
              "a=\"b: the text is not closed, expected \" before the end of the line");
    EXPECT_EQ(assignment_error("\xff=1"), "\xff=1: the path is not text, expected UTF-8");
    EXPECT_EQ(assignment_error("a=\xff"), "a=\xff: invalid byte 0xFF, expected text in UTF-8");
}

TEST(Assignment, values_remember_where_they_came_from)
{
    const Assignment assignment = parse_assignment("a.b=[1, { \"c\": 2 }]");
    Node root = Node::object();
    set_value_at(root, assignment.path, assignment.value);
    const Node& object = value_at(root, Path("a.b[1]"));
    for (const Place& place : {value_at(root, Path("a")).place(), root.members()[0].key_place, object.place(),
                               object.members()[0].key_place, object.members()[0].value.place()}) {
        ASSERT_NE(place.source, nullptr);
        EXPECT_EQ(*place.source, "a.b=[1, { \"c\": 2 }]");
        EXPECT_EQ(place.line, 0);
    }
}

} // namespace
} // namespace phyxel::path_test
