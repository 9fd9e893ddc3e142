// SPDX-License-Identifier: MIT
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

namespace phyxel::document_test {
namespace {

Node parse(std::string_view text) { return parse_document(text, "a.json"); }

/// The message of the error, or "no error".
std::string error_of(std::string_view text)
{
    try {
        parse(text);
    } catch (const SceneError& error) {
        return error.what();
    }
    return "no error";
}

std::string place_of(const Place& place)
{
    return std::to_string(place.line) + ':' + std::to_string(place.column);
}

std::string repeated(std::string_view piece, int count)
{
    std::string text;
    for (int i = 0; i < count; ++i) text += piece;
    return text;
}

TEST(Document, values_of_all_kinds_are_read)
{
    const Node root = parse(R"({ "a": null, "b": true, "c": false, "d": -1.5e2, "e": "text",
                                 "f": [1, [], {}], "g": { "h": 0 } })");
    ASSERT_TRUE(root.is_object());
    ASSERT_EQ(root.members().size(), 7u);
    EXPECT_TRUE(root.find("a")->is_null());
    EXPECT_TRUE(root.find("b")->boolean());
    EXPECT_FALSE(root.find("c")->boolean());
    EXPECT_EQ(root.find("d")->number(), -150.0);
    EXPECT_EQ(root.find("e")->text(), "text");
    ASSERT_EQ(root.find("f")->items().size(), 3u);
    EXPECT_EQ(root.find("f")->items()[0].number(), 1.0);
    EXPECT_EQ(root.find("f")->items()[1], Node::list());
    EXPECT_EQ(root.find("f")->items()[2], Node::object());
    EXPECT_EQ(root.find("g")->find("h")->number(), 0.0);
    EXPECT_EQ(root.find("z"), nullptr);
}

TEST(Document, members_keep_their_order)
{
    const Node root = parse(R"({ "z": 1, "a": 2, "m": 3 })");
    EXPECT_EQ(root.members()[0].key, "z");
    EXPECT_EQ(root.members()[1].key, "a");
    EXPECT_EQ(root.members()[2].key, "m");
}

TEST(Document, every_value_and_key_knows_its_line_and_column)
{
    const Node root = parse("// a comment\n"
                            "{ \"duration\": \"2 s\",\n"
                            "  \"bodies\" : [ 1,\n"
                            "\ttrue, /* two\n"
                            "lines */ {} ] }\n");
    EXPECT_EQ(*root.place().source, "a.json");
    EXPECT_EQ(place_of(root.place()), "2:1");
    EXPECT_EQ(place_of(root.members()[0].key_place), "2:3");
    EXPECT_EQ(place_of(root.members()[0].value.place()), "2:15");
    EXPECT_EQ(place_of(root.members()[1].key_place), "3:3");
    const Node& bodies = root.members()[1].value;
    EXPECT_EQ(place_of(bodies.place()), "3:14");
    EXPECT_EQ(place_of(bodies.items()[0].place()), "3:16");
    EXPECT_EQ(place_of(bodies.items()[1].place()), "4:2");
    EXPECT_EQ(place_of(bodies.items()[2].place()), "5:10");
}

TEST(Document, columns_count_characters_and_lines_end_with_or_without_carriage_returns)
{
    const Node root = parse("{ \"é€😀\": \"20 °C\", \"b\": 1,\r\n \"c\": 2 }");
    EXPECT_EQ(place_of(root.members()[0].value.place()), "1:10");
    EXPECT_EQ(place_of(root.members()[1].key_place), "1:19");
    EXPECT_EQ(place_of(root.members()[2].key_place), "2:2");
}

TEST(Document, comments_stand_wherever_spaces_may)
{
    EXPECT_EQ(parse("/**/{/* a */\"b\"/**/:// c\n1/*,*/,\"d\":[/**/]/**/}//"), parse(R"({"b": 1, "d": []})"));
    EXPECT_EQ(parse("\"// no comment /* */\"").text(), "// no comment /* */");
    EXPECT_EQ(parse("[1] // the last line needs no end"), parse("[1]"));
}

TEST(Document, a_byte_order_mark_is_skipped) { EXPECT_EQ(parse("\ufeff[1]"), parse("[1]")); }

TEST(Document, escapes_are_resolved)
{
    EXPECT_EQ(parse(R"("\" \\ \/ \b \f \n \r \t \u0041 \u00e9 \u20AC \uD83D\uDE00")").text(),
              "\" \\ / \b \f \n \r \t A é € 😀");
}

TEST(Document, numbers_are_the_nearest_doubles)
{
    EXPECT_EQ(parse("0.1").number(), 0.1);
    EXPECT_EQ(parse("-0.0").number(), 0.0);
    EXPECT_TRUE(std::signbit(parse("-0").number()));
    EXPECT_EQ(parse("1E3").number(), 1000.0);
    EXPECT_EQ(parse("1e-400").number(), 0.0);
    EXPECT_EQ(parse("1.7976931348623157e308").number(), 1.7976931348623157e308);
    EXPECT_EQ(parse("9007199254740993").number(), 9007199254740992.0);
}

TEST(Document, syntax_errors_say_what_was_expected_and_what_was_found)
{
    EXPECT_EQ(error_of(""),
              "a.json:1:1: there is nothing in it, expected an object such as { \"bodies\": [] }");
    EXPECT_EQ(error_of(" \n // nothing\n"),
              "a.json:3:1: there is nothing in it, expected an object such as { \"bodies\": [] }");
    EXPECT_EQ(error_of("{} {}"), "a.json:1:4: expected nothing after the end, found \"{\"");
    EXPECT_EQ(error_of("{} xyz"), "a.json:1:4: expected nothing after the end, found \"xyz\"");
    EXPECT_EQ(error_of("{ \"a\": 1"),
              "a.json:1:9: expected \",\" or \"}\" after the value of \"a\", found the end of the text");
    EXPECT_EQ(error_of("{ \"a\": { \"b\": 1 } \"c\": 2 }"),
              "a.json:1:19: expected \",\" or \"}\" after the value of \"a\", found a text");
    EXPECT_EQ(error_of("{ \"a\": 1, }"),
              "a.json:1:11: expected a key after \",\", found \"}\", remove the last comma");
    EXPECT_EQ(error_of("{ a: 1 }"), "a.json:1:3: expected a key in double quotes, found \"a\"");
    EXPECT_EQ(error_of("{ \"a\" 1 }"), "a.json:1:7: expected \":\" after the key \"a\", found \"1\"");
    EXPECT_EQ(error_of("{ \"a\": }"), "a.json:1:8: expected a value for the key \"a\", found \"}\"");
    EXPECT_EQ(error_of("[1 2]"), "a.json:1:4: expected \",\" or \"]\" in the list, found \"2\"");
    EXPECT_EQ(error_of("[1, ]"),
              "a.json:1:5: expected a value after \",\", found \"]\", remove the last comma");
    EXPECT_EQ(error_of("[,]"), "a.json:1:2: expected a value in the list, found \",\"");
    EXPECT_EQ(error_of("[1, 2"),
              "a.json:1:6: expected \",\" or \"]\" in the list, found the end of the text");
    EXPECT_EQ(error_of("["), "a.json:1:2: expected a value in the list, found the end of the text");
    EXPECT_EQ(
        error_of("{ \"a\": water }"),
        "a.json:1:8: expected a value for the key \"a\", found \"water\", texts stand in double quotes");
    EXPECT_EQ(error_of("{ \"a\": 'water' }"),
              "a.json:1:8: expected a value for the key \"a\", found \"'\", texts stand in double quotes");
    EXPECT_EQ(error_of("True"),
              "a.json:1:1: expected a value at the beginning, found \"True\", texts stand in "
              "double quotes");
    EXPECT_EQ(error_of("\x01"), "a.json:1:1: expected a value at the beginning, found U+0001");
    EXPECT_EQ(error_of(std::string_view("[\0]", 3)),
              "a.json:1:2: expected a value in the list, found U+0000");
    EXPECT_EQ(error_of("[€]"), "a.json:1:2: expected a value in the list, found \"€\"");
    EXPECT_EQ(error_of("{} /* open"), "a.json:1:4: the comment is not closed, expected */ after it");
    EXPECT_EQ(error_of("/"), "a.json:1:1: expected a value at the beginning, found \"/\"");
}

TEST(Document, numbers_are_written_as_json_has_them)
{
    const std::string remedy = " is not a number, numbers look like -1, 0.5 or 2e-3";
    EXPECT_EQ(error_of("[007]"), "a.json:1:2: \"007\"" + remedy);
    EXPECT_EQ(error_of("[+5]"), "a.json:1:2: \"+5\"" + remedy);
    EXPECT_EQ(error_of("[.5]"), "a.json:1:2: \".5\"" + remedy);
    EXPECT_EQ(error_of("[5.]"), "a.json:1:2: \"5.\"" + remedy);
    EXPECT_EQ(error_of("[0x10]"), "a.json:1:2: \"0x10\"" + remedy);
    EXPECT_EQ(error_of("[1e]"), "a.json:1:2: \"1e\"" + remedy);
    EXPECT_EQ(error_of("[-]"), "a.json:1:2: \"-\"" + remedy);
    EXPECT_EQ(error_of("[1cm]"), "a.json:1:2: \"1cm\"" + remedy);
    EXPECT_EQ(error_of("[-Infinity]"), "a.json:1:2: \"-Infinity\"" + remedy);
    EXPECT_EQ(error_of("[NaN]"), "a.json:1:2: \"NaN\" is not a number, numbers are finite");
    EXPECT_EQ(error_of("[Infinity]"), "a.json:1:2: \"Infinity\" is not a number, numbers are finite");
    EXPECT_EQ(error_of("[1e999]"), "a.json:1:2: 1e999 is too large, the largest number is about 1.8e308");
    EXPECT_EQ(error_of("[-1e999]"), "a.json:1:2: -1e999 is too large, the largest number is about 1.8e308");
}

TEST(Document, texts_are_closed_and_hold_no_control_characters)
{
    EXPECT_EQ(error_of("{ \"a\": \"b }\n}"),
              "a.json:1:8: the text is not closed, expected \" before the end of the line");
    EXPECT_EQ(error_of("\"abc"),
              "a.json:1:1: the text is not closed, expected \" before the end of the line");
    EXPECT_EQ(error_of("\"abc\\\""),
              "a.json:1:1: the text is not closed, expected \" before the end of the line");
    EXPECT_EQ(error_of("\"a\tb\""), "a.json:1:3: control character U+0009 in a text, write \\u0009 instead");
    EXPECT_EQ(error_of(R"("a\x")"),
              "a.json:1:3: unknown escape in a text, allowed: \\\" \\\\ \\/ \\b \\f \\n \\r "
              "\\t and \\u with four hexadecimal digits");
    EXPECT_EQ(error_of("\"\\"),
              "a.json:1:2: unknown escape in a text, allowed: \\\" \\\\ \\/ \\b \\f \\n \\r "
              "\\t and \\u with four hexadecimal digits");
    EXPECT_EQ(error_of(R"("\u12g4")"),
              "a.json:1:2: incomplete \\u in a text, expected four hexadecimal digits after it");
    EXPECT_EQ(error_of(R"("\u12)"),
              "a.json:1:2: incomplete \\u in a text, expected four hexadecimal digits after it");
    EXPECT_EQ(error_of(R"("\u0000")"), "a.json:1:2: \\u0000 in a text, texts hold no U+0000");
    const std::string pair =
        "a.json:1:2: half a surrogate pair in a text, expected two such as \\uD83D\\uDE00";
    EXPECT_EQ(error_of(R"("\ud83d")"), pair);
    EXPECT_EQ(error_of(R"("\ude00")"), pair);
    EXPECT_EQ(error_of(R"("\ud83d\u0041")"), pair);
    EXPECT_EQ(error_of(R"("\ud83dA")"), pair);
}

TEST(Document, all_duplicate_keys_are_reported_at_once)
{
    EXPECT_EQ(error_of("{ \"a\": 1,\n  \"b\": { \"c\": 1, \"c\": 2 },\n  \"a\": 3 }"),
              "a.json:2:18: duplicate key \"c\", it was first given in line 2\n"
              "a.json:3:3: duplicate key \"a\", it was first given in line 1");
    EXPECT_EQ(error_of(R"({ "a": { "x": 1 }, "b": { "x": 1 } })"), "no error");
    EXPECT_EQ(error_of(R"({ "a": 1, "\u0061": 1 })"),
              "a.json:1:11: duplicate key \"a\", it was first given in line 1");
    EXPECT_EQ(error_of("{ \"a\": 1, \"a\": 2 "),
              "a.json:1:11: duplicate key \"a\", it was first given in line 1\n"
              "a.json:1:18: expected \",\" or \"}\" after the value of \"a\", found the end of the text");
}

TEST(Document, duplicate_keys_are_found_among_many)
{
    std::string text = "{ \"first\": 0";
    for (int n = 0; n < 3000; ++n) text += ",\n\"" + std::to_string(n * 7919 % 3001) + "\": 0";
    EXPECT_EQ(error_of(text + "}"), "no error");
    const std::string before = text.substr(0, text.find("\"42\""));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    EXPECT_EQ(error_of(text + ",\n\"first\": 0, \"7919\": 0, \"42\": 0 }"),
              "a.json:3002:1: duplicate key \"first\", it was first given in line 1\n"
              "a.json:3002:24: duplicate key \"42\", it was first given in line " +
                  std::to_string(line));
}

TEST(Document, a_text_that_is_wrong_all_over_is_not_read_to_its_end)
{
    std::string text = "{ \"\": 0";
    while (text.size() < 1'000'000) text += ", \"\": 0";
    try {
        (void)parse(text + " }");
        FAIL();
    } catch (const SceneError& error) {
        EXPECT_EQ(error.problems().size(), max_problems + 1);
        EXPECT_EQ(error.problems().back().what, "so much is wrong that the rest was not read");
    }
    const std::string key(100'000, 'k');
    EXPECT_LT(error_of("{ \"" + key + "\": 0, \"" + key + "\": 0 }").size(), 200u);
    EXPECT_LT(error_of("{ \"" + key + "\": x }").size(), 200u);
    EXPECT_LT(error_of("{ \"" + key + "\": 0 0 }").size(), 200u);
    EXPECT_LT(error_of("{ \"" + key + "\" 0 }").size(), 200u);
}

TEST(Document, a_reader_may_allow_fewer_values)
{
    EXPECT_EQ(parse_document("[1, 2, 3]", "a.json", 8, 4), Node::list({1, 2, 3}));
    EXPECT_THROW((void)parse_document("[1, 2, 3]", "a.json", 8, 3), SceneError);
}

TEST(Document, nesting_has_a_limit)
{
    EXPECT_EQ(error_of(repeated("[", 64) + repeated("]", 64)), "no error");
    EXPECT_EQ(error_of(repeated("[", 65) + repeated("]", 65)),
              "a.json:1:65: nested too deeply, at most 64 levels are allowed");
    EXPECT_EQ(error_of(repeated("{\"a\":", 65)),
              "a.json:1:321: nested too deeply, at most 64 levels are allowed");
    EXPECT_EQ(error_of("[" + repeated("[],", 100) + "[]]"), "no error");
}

TEST(Document, size_has_a_limit)
{
    const std::string large(max_document_size + 1, ' ');
    EXPECT_EQ(error_of(large), "a.json: larger than 40 MiB, a scene file is at most 40 MiB");
    EXPECT_EQ(error_of("[" + repeated("0,", 2'500'000) + "0]"),
              "a.json:1:5000000: more than 2500000 values, put large data into files of their own");
}

TEST(Document, what_is_not_utf8_is_refused_at_its_place)
{
    EXPECT_EQ(error_of("{ \"é\":\n \"\xff\" }"), "a.json:2:3: invalid byte 0xFF, expected text in UTF-8");
    EXPECT_EQ(error_of("\"\xc3\""), "a.json:1:2: invalid byte 0xC3, expected text in UTF-8");
    EXPECT_EQ(error_of("\"\xc0\xaf\""), "a.json:1:2: invalid byte 0xC0, expected text in UTF-8"); // overlong
    EXPECT_EQ(error_of("\"\xe0\x80\xaf\""),
              "a.json:1:2: invalid byte 0xE0, expected text in UTF-8"); // overlong
    EXPECT_EQ(error_of("\"\xed\xa0\x80\""),
              "a.json:1:2: invalid byte 0xED, expected text in UTF-8"); // surrogate
    EXPECT_EQ(error_of("\"\xf4\x90\x80\x80\""),
              "a.json:1:2: invalid byte 0xF4, expected text in UTF-8"); // > U+10FFFF
    EXPECT_EQ(error_of("\"\xf0\x9f\x98\""), "a.json:1:2: invalid byte 0xF0, expected text in UTF-8");
    EXPECT_EQ(error_of("\"\xf4\x8f\xbf\xbf\xef\xbf\xbf\xed\x9f\xbf\""), "no error");
    EXPECT_EQ(error_of("// \x80"), "a.json:1:4: invalid byte 0x80, expected text in UTF-8");
}

TEST(Document, short_things_are_written_on_one_line)
{
    const Node scene = parse(R"({ "gravity": [0,0,-9.81], "domain": {"min":[0,0,0],"max":[1,0.5,1e-6]},
        "empty": [], "none": {}, "name": "a\"\\\n\u0001é/",
        "bodies": [ { "name": "water", "type": "fluid", "material": { "from": "water", "viscosity": 0.002 },
                      "shape": { "sphere": { "center": [0.25, 0.5, 0.75], "radius": 0.125 } } }, true, null ] })");
    EXPECT_EQ(to_text(scene), R"({
  "gravity": [0, 0, -9.81],
  "domain": { "min": [0, 0, 0], "max": [1, 0.5, 1e-06] },
  "empty": [],
  "none": {},
  "name": "a\"\\\n\u0001é/",
  "bodies": [
    {
      "name": "water",
      "type": "fluid",
      "material": { "from": "water", "viscosity": 0.002 },
      "shape": { "sphere": { "center": [0.25, 0.5, 0.75], "radius": 0.125 } }
    },
    true,
    null
  ]
}
)");
    EXPECT_EQ(to_line(*scene.find("domain")), R"({ "min": [0, 0, 0], "max": [1, 0.5, 1e-06] })");
    EXPECT_EQ(to_text(Node::object()), "{}\n");
    EXPECT_EQ(to_text(Node(2.5)), "2.5\n");
}

TEST(Document, written_lines_have_at_most_100_columns)
{
    for (int count = 20; count < 40; ++count) {
        const Node root =
            Node::object({{"list", Node::list(std::vector<Node>(count, Node(1.5)))}, {"b", Node(1)}});
        const std::string text = to_text(root);
        std::size_t longest = 0;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t end = text.find('\n', at);
            longest = std::max(longest, end - at);
            at = end + 1;
        }
        EXPECT_LE(longest, 100u);
        EXPECT_EQ(parse(text), root);
    }
}

TEST(Document, what_is_written_reads_back_as_the_same_tree)
{
    const Node scene =
        parse(R"({ "a": [1, -0.1, 1e300, 5e-324, 0.30000000000000004, [[]], {"b": {"c": [{}]}}],
                                  "text": "\u0001\u001f \" \\ é 😀", "long": [)" +
              repeated("\"0123456789\", ", 30) + R"({ "x": true, "y": null }] })");
    EXPECT_EQ(parse(to_text(scene)), scene);
    EXPECT_EQ(parse(to_line(scene)), scene);
    EXPECT_EQ(to_text(parse(to_text(scene))), to_text(scene));
}

TEST(Document, files_are_read_and_named_in_errors)
{
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "phyxel_document_test";
    std::filesystem::create_directories(folder);
    const auto error = [](const std::filesystem::path& file) {
        try {
            read_document(file);
        } catch (const SceneError& problem) {
            return std::string(problem.what());
        }
        return std::string("no error");
    };
    const std::string good = (folder / "good.json").string(), bad = (folder / "bad.json").string();
    std::ofstream(good) << "{ \"a\": 1 } // fine\n";
    std::ofstream(bad) << "{\n  \"a\": }\n";
    EXPECT_EQ(read_document(good), parse("{ \"a\": 1 }"));
    EXPECT_EQ(error(bad), bad + ":2:8: expected a value for the key \"a\", found \"}\"");
    EXPECT_EQ(error(folder), folder.string() + ": is a folder, expected a scene file");
    EXPECT_EQ(error(folder / "absent.json"), (folder / "absent.json").string() + ": there is no such file");
    std::filesystem::remove_all(folder);
}

TEST(Node, can_be_built_in_code)
{
    Node scene = Node::object();
    scene.set("name", "dam break");
    scene.set("count", 20000);
    scene.set("is_closed", true);
    scene.set("spacing", 0.01);
    scene.set("gravity", Node::list({0, 0, -9.81}));
    scene.set("name", std::string("dam"));
    EXPECT_EQ(scene, parse(R"({ "name": "dam", "count": 20000, "is_closed": true, "spacing": 0.01,
                                "gravity": [0, 0, -9.81] })"));
    EXPECT_FALSE(scene == parse(R"({ "name": "dam" })"));
    scene.find("gravity")->items().push_back(Node());
    EXPECT_EQ(to_line(*scene.find("gravity")), "[0, 0, -9.81, null]");
}

TEST(Node, short_texts_are_for_messages)
{
    EXPECT_EQ(short_text(parse("[1, 2]")), "a list of 2");
    EXPECT_EQ(short_text(parse("[]")), "an empty list");
    EXPECT_EQ(short_text(parse("{}")), "an object");
    EXPECT_EQ(short_text(parse("null")), "null");
    EXPECT_EQ(short_text(parse("true")), "true");
    EXPECT_EQ(short_text(parse("2.50")), "2.5");
    EXPECT_EQ(short_text(parse("\"water\"")), "\"water\"");
    EXPECT_EQ(short_text(Node(repeated("0123456789", 7))), '"' + repeated("0123456789", 6) + "…\"");
    EXPECT_EQ(short_text(Node("x" + repeated("é", 40))), "\"x" + repeated("é", 29) + "…\"");
}

} // namespace
} // namespace phyxel::document_test
