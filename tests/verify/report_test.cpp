// SPDX-License-Identifier: MIT
#include <phyxel/verify/report.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace phyxel::report_test {
namespace {

Outcome some_outcome(const std::string& name, double measured, bool pass)
{
    return {{name, "a claim", "[AW09, Eq. 5]"},
            {measured, 1.0, 0.125, Bound::AtMost, "m²", "a note"},
            pass ? Verdict::Pass : Verdict::Fail,
            0.25};
}

Outcome some_miss(const std::string& name)
{
    Outcome outcome = some_outcome(name, 2.0, false);
    outcome.info.known_miss = KnownMiss{.measured = 1.9};
    outcome.verdict = Verdict::KnownMiss;
    return outcome;
}

Outcome some_sabotage(const std::string& name, bool noticed)
{
    Outcome outcome = some_outcome(name, 3.0, !noticed);
    outcome.sabotage = "a \"dropped\" term";
    outcome.noticed = noticed;
    return outcome;
}

std::vector<std::string> lines_of(const std::string& text)
{
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<Case> cases_named(const std::vector<std::string>& names)
{
    std::vector<Case> cases;
    for (const std::string& name : names) {
        Case c;
        c.name = name;
        c.claim = "claim of " + name;
        c.tier = name == "slow" ? Tier::Full : Tier::Quick;
        cases.push_back(c);
    }
    return cases;
}

TEST(ReportJson, has_the_promised_keys_in_order)
{
    const auto json =
        nlohmann::ordered_json::parse(report_json(std::vector{some_outcome("V-K1", 0.5, true)}));
    ASSERT_EQ(json.size(), 2u);
    ASSERT_EQ(json["cases"].size(), 1u);
    const nlohmann::ordered_json& entry = json["cases"][0];
    std::vector<std::string> keys;
    for (const auto& [key, value] : entry.items()) keys.push_back(key);
    EXPECT_EQ(keys, (std::vector<std::string>{"name", "measured", "reference", "tolerance", "unit", "pass",
                                              "expected", "seconds", "source", "bound", "tier", "note"}));
    EXPECT_EQ(entry["name"], "V-K1");
    EXPECT_EQ(entry["measured"], 0.5);
    EXPECT_EQ(entry["reference"], 1.0);
    EXPECT_EQ(entry["tolerance"], 0.125);
    EXPECT_EQ(entry["unit"], "m²");
    EXPECT_EQ(entry["pass"], true);
    EXPECT_EQ(entry["seconds"], 0.25);
    EXPECT_EQ(entry["source"], "[AW09, Eq. 5]");
    EXPECT_EQ(entry["bound"], "at_most");
    EXPECT_EQ(entry["note"], "a note");
    EXPECT_EQ(entry["expected"], "pass");
    EXPECT_EQ(json["summary"]["passed"], 1);
}

TEST(ReportJson, known_misses_are_expected_to_miss_and_counted_apart)
{
    const auto json = nlohmann::json::parse(report_json(
        std::vector{some_outcome("a", 0.5, true), some_miss("b"), some_outcome("c", 9.0, false)}));
    EXPECT_EQ(json["cases"][1]["expected"], "miss");
    EXPECT_EQ(json["cases"][1]["pass"], false);
    EXPECT_EQ(json["cases"][1]["recorded"], 1.9);
    EXPECT_EQ(json["summary"], (nlohmann::json{{"passed", 1}, {"known_misses", 1}, {"failed", 1}}));
}

TEST(ReportJson, numbers_keep_all_their_bits)
{
    const double measured = 0.1 + 0.2;
    const auto json = nlohmann::json::parse(report_json(std::vector{some_outcome("c", measured, true)}));
    EXPECT_EQ(json["cases"][0]["measured"].get<double>(), measured);
}

TEST(ReportJson, sabotaged_outcomes_say_what_and_whether_it_was_noticed)
{
    const auto json =
        nlohmann::json::parse(report_json(std::vector{some_sabotage("a", true), some_sabotage("b", false)}));
    EXPECT_EQ(json["cases"][0]["sabotage"], "a \"dropped\" term");
    EXPECT_EQ(json["cases"][0]["noticed"], true);
    EXPECT_EQ(json["cases"][1]["noticed"], false);
}

TEST(ReportJson, is_valid_for_numbers_that_are_not_finite)
{
    for (double measured : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                            -std::numeric_limits<double>::infinity()}) {
        const auto json = nlohmann::json::parse(report_json(std::vector{some_outcome("c", measured, false)}));
        EXPECT_TRUE(json["cases"][0]["measured"].is_null());
    }
}

TEST(ReportJson, is_valid_without_cases_and_for_bytes_that_are_not_utf8)
{
    EXPECT_EQ(nlohmann::json::parse(report_json({}))["cases"], nlohmann::json::array());
    Outcome outcome = some_outcome("c", 1.0, true);
    outcome.measurement.note = "\xff\xfe";
    EXPECT_TRUE(nlohmann::json::parse(report_json(std::vector{outcome}))["cases"][0]["note"].is_string());
}

TEST(ReportTable, columns_are_aligned_under_the_header)
{
    const ReportTable table(cases_named({"short", "a/much/longer/name"}), false);
    const std::string header = lines_of(table.header())[0];
    for (const std::string name : {"short", "a/much/longer/name"}) {
        const std::string row = lines_of(table.row(some_outcome(name, 0.5, true)))[0];
        EXPECT_EQ(row.find(name), header.find("case"));
        EXPECT_EQ(row.find("<=") + 3, header.find("reference"));
        EXPECT_EQ(row.find("0.125"), header.find("tolerance"));
        EXPECT_EQ(row.find("m²"), header.find("unit"));
        // The ² is two bytes, but one column.
        EXPECT_EQ(row.find("pass"), header.find("result") + 1);
        EXPECT_EQ(row.find("[AW09, Eq. 5]"), header.find("source") + 1);
    }
}

TEST(ReportTable, shows_failures_notes_and_numbers_that_are_none)
{
    const ReportTable table(cases_named({"c"}), false);
    const std::string row = table.row(some_outcome("c", std::numeric_limits<double>::quiet_NaN(), false));
    EXPECT_NE(row.find("nan"), std::string::npos);
    EXPECT_NE(row.find("FAIL"), std::string::npos);
    EXPECT_NE(lines_of(row).at(1).find("a note"), std::string::npos);
}

TEST(ReportTable, says_what_is_a_known_miss_and_what_is_wrong_with_one)
{
    const ReportTable table(cases_named({"c"}), false);
    EXPECT_NE(table.row(some_miss("c")).find(" known miss "), std::string::npos);
    Outcome met = some_miss("c");
    met.verdict = Verdict::Fail;
    met.trouble = "it is met";
    EXPECT_NE(table.row(met).find("FAIL"), std::string::npos);
    EXPECT_NE(lines_of(table.row(met)).at(1).find("it is met"), std::string::npos);
}

TEST(ReportTable, of_sabotages_says_whether_they_were_noticed)
{
    const ReportTable table(cases_named({"c"}), true);
    EXPECT_NE(table.header().find("sabotage"), std::string::npos);
    EXPECT_NE(table.row(some_sabotage("c", true)).find(" noticed "), std::string::npos);
    EXPECT_NE(table.row(some_sabotage("c", false)).find("UNNOTICED"), std::string::npos);
    EXPECT_NE(table.row(some_sabotage("c", false)).find("a \"dropped\" term"), std::string::npos);
}

TEST(ReportTable, counts_what_went_well)
{
    const std::vector outcomes = {some_outcome("a", 0.5, true), some_outcome("b", 9.0, false),
                                  some_outcome("c", 0.5, true)};
    EXPECT_EQ(ReportTable({}, false).summary(outcomes), "\n2 passed, 0 known misses, 1 failed in 0.75 s\n");
    EXPECT_EQ(ReportTable({}, false).summary(std::vector{some_outcome("a", 0.5, true), some_miss("b")}),
              "\n1 passed, 1 known miss, 0 failed in 0.5 s\n");
    const std::vector sabotaged = {some_sabotage("a", true), some_sabotage("b", false)};
    EXPECT_EQ(ReportTable({}, true).summary(sabotaged), "\n1 noticed, 1 unnoticed in 0.5 s\n");
}

TEST(WentWell, means_passed_or_missed_as_known_or_if_sabotaged_noticed)
{
    EXPECT_TRUE(went_well(some_miss("c")));
    EXPECT_TRUE(went_well(some_outcome("c", 0.5, true)));
    EXPECT_FALSE(went_well(some_outcome("c", 0.5, false)));
    EXPECT_TRUE(went_well(some_sabotage("c", true)));
    EXPECT_FALSE(went_well(some_sabotage("c", false)));
}

TEST(CaseList, has_a_line_for_each_case)
{
    const std::vector<std::string> lines = lines_of(case_list(cases_named({"V-K1", "slow"})));
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "V-K1  quick  claim of V-K1");
    EXPECT_EQ(lines[1], "slow  full   claim of slow");
}

} // namespace
} // namespace phyxel::report_test
