// SPDX-License-Identifier: MIT
#include <phyxel/verify/archive.h>

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace phyxel::archive_test {
namespace {

Case some_case(const std::string& name, double measured = 0.1 + 0.2)
{
    const auto check = [=](double factor) {
        Measurement m{factor * measured, 1.0, 0.5, Bound::AtMost, "m²", "a \"note\""};
        m.chart = {"time",
                   "s",
                   "height",
                   "m",
                   {{"found", {0.0, 1.0}, {2.0, 3.0}}, {"known", {0.0}, {1.0}, true, true}}};
        return m;
    };
    return make_case({name, "a claim", "a source"}, check, 1.0, "ten times", 10.0);
}

ReportEntry entry_of(const Case& c, const std::string& date)
{
    return {.outcome = run_case(c), .sabotaged = run_sabotage(c), .date = date};
}

TEST(Archive, keeps_all_bits_charts_sabotages_and_dates)
{
    const std::vector<Case> cases = {some_case("a"), some_case("b", 7.0)};
    const std::vector<ReportEntry> entries = {entry_of(cases[0], "2026-01-31"),
                                              entry_of(cases[1], "2026-02-01")};
    const std::vector<ReportEntry> read = read_archive(archive_json(entries), cases);
    ASSERT_EQ(read.size(), 2u);
    EXPECT_EQ(read[0].date, "2026-01-31");
    EXPECT_EQ(read[0].outcome.info.claim, "a claim");
    EXPECT_EQ(read[0].outcome.verdict, Verdict::Pass);
    EXPECT_EQ(read[1].outcome.verdict, Verdict::Fail);
    const Measurement& m = read[0].outcome.measurement;
    EXPECT_EQ(m.measured, 0.1 + 0.2);
    EXPECT_EQ(m.bound, Bound::AtMost);
    EXPECT_EQ(m.unit, "m²");
    EXPECT_EQ(m.note, "a \"note\"");
    ASSERT_TRUE(m.chart);
    ASSERT_EQ(m.chart->lines.size(), 2u);
    EXPECT_EQ(m.chart->lines[0].y, (std::vector{2.0, 3.0}));
    EXPECT_TRUE(m.chart->lines[1].is_reference && m.chart->lines[1].are_points);
    ASSERT_TRUE(read[0].sabotaged);
    EXPECT_EQ(read[0].sabotaged->noticed, entries[0].sabotaged->noticed);
    EXPECT_EQ(read[0].sabotaged->measurement.measured, 10.0 * (0.1 + 0.2));
}

TEST(Archive, numbers_that_are_not_finite_come_back_as_not_a_number)
{
    const std::vector<Case> cases = {some_case("a", std::numeric_limits<double>::infinity())};
    const auto read = read_archive(archive_json(std::vector{entry_of(cases[0], "")}), cases);
    EXPECT_TRUE(std::isnan(read[0].outcome.measurement.measured));
    EXPECT_EQ(read[0].outcome.verdict, Verdict::Fail);
}

TEST(Archive, a_run_that_diverged_still_has_when_it_is_read_again)
{
    Case c = some_case("a");
    c.run = []() -> Measurement { throw Diverged("astray"); };
    c.known_miss = known_to_diverge("the reason is not known");
    const std::vector<Case> cases = {c};
    const auto read = read_archive(archive_json(std::vector{entry_of(c, "")}), cases);
    EXPECT_TRUE(read[0].outcome.measurement.diverged);
    EXPECT_EQ(read[0].outcome.verdict, Verdict::KnownMiss);
}

TEST(Archive, outcomes_are_judged_by_the_case_as_it_is_now)
{
    std::vector<Case> cases = {some_case("a", 2.0)};
    const std::string text = archive_json(std::vector{entry_of(cases[0], "")});
    cases[0].known_miss = KnownMiss{.measured = 2.0};
    EXPECT_EQ(read_archive(text, cases)[0].outcome.verdict, Verdict::KnownMiss);
    cases[0].sabotage = "another one";
    EXPECT_FALSE(read_archive(text, cases)[0].sabotaged);
    EXPECT_TRUE(read_archive(text, std::vector{some_case("b")}).empty());
}

TEST(Archive, refuses_what_is_none)
{
    for (const std::string text : {"", "[]", "{\"outcomes\": [{}]}", "nonsense"})
        EXPECT_THROW(read_archive(text, std::vector{some_case("a")}), InputError) << text;
}

TEST(Archive, what_was_run_now_takes_the_place_of_what_was_kept)
{
    const std::vector<Case> cases = {some_case("a"), some_case("b"), some_case("c")};
    const std::vector<ReportEntry> kept = {entry_of(cases[0], "old"), entry_of(cases[2], "old")};
    const std::vector<ReportEntry> now = {entry_of(cases[2], "new"), entry_of(cases[1], "new")};
    const std::vector<ReportEntry> all = merged(cases, now, kept);
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].date, "old");
    EXPECT_EQ(all[1].date, "new");
    EXPECT_EQ(all[2].date, "new");
    EXPECT_EQ(all[2].outcome.info.name, "c");
}

} // namespace
} // namespace phyxel::archive_test
