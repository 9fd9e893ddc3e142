// SPDX-License-Identifier: MIT
#include <phyxel/verify/case.h>

#include <phyxel/core/error.h>
#include <phyxel/verify/detail/worst.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace phyxel::case_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Measurement, near_means_within_the_tolerance_on_either_side)
{
    EXPECT_TRUE(passes({2.0, 2.0, 0.0, Bound::Near}));
    EXPECT_TRUE(passes({2.5, 2.0, 0.5, Bound::Near}));
    EXPECT_TRUE(passes({1.5, 2.0, 0.5, Bound::Near}));
    EXPECT_FALSE(passes({2.75, 2.0, 0.5, Bound::Near}));
    EXPECT_FALSE(passes({1.25, 2.0, 0.5, Bound::Near}));
}

TEST(Measurement, bounds_from_one_side_allow_anything_on_the_other)
{
    EXPECT_TRUE(passes({-100.0, 2.0, 0.5, Bound::AtMost}));
    EXPECT_TRUE(passes({2.5, 2.0, 0.5, Bound::AtMost}));
    EXPECT_FALSE(passes({2.75, 2.0, 0.5, Bound::AtMost}));
    EXPECT_TRUE(passes({100.0, 2.0, 0.5, Bound::AtLeast}));
    EXPECT_TRUE(passes({1.5, 2.0, 0.5, Bound::AtLeast}));
    EXPECT_FALSE(passes({1.25, 2.0, 0.5, Bound::AtLeast}));
}

TEST(Measurement, what_is_not_finite_never_passes)
{
    for (Bound bound : {Bound::Near, Bound::AtMost, Bound::AtLeast}) {
        EXPECT_FALSE(passes({nan, 1.0, 10.0, bound}));
        EXPECT_FALSE(passes({1.0, nan, 10.0, bound}));
        EXPECT_FALSE(passes({1.0, 1.0, nan, bound}));
    }
    EXPECT_FALSE(passes({infinity, 1.0, 10.0, Bound::Near}));
    EXPECT_FALSE(passes({infinity, 1.0, 10.0, Bound::AtMost}));
    EXPECT_FALSE(passes({-infinity, 1.0, 10.0, Bound::AtLeast}));
    EXPECT_FALSE(passes({-infinity, 1.0, 10.0, Bound::AtMost})) << "also on the side that is allowed";
    EXPECT_FALSE(passes({infinity, 1.0, 10.0, Bound::AtLeast}));
    EXPECT_FALSE(passes({1.0, 1.0, infinity, Bound::Near}));
}

TEST(Worst, keeps_the_value_farthest_from_where_it_should_be)
{
    EXPECT_EQ(detail::worst_of({1.5, -3.0, 2.0}), -3.0);
    EXPECT_EQ(detail::worst_of({1.5, -3.0, 2.0, 9.5}, 3.0), 9.5);
}

TEST(Worst, of_nothing_is_not_perfect)
{
    EXPECT_TRUE(std::isnan(detail::worst_of({}, 3.0)));
    EXPECT_TRUE(std::isnan(detail::Worst().value()));
    EXPECT_TRUE(std::isnan(detail::largest_of({})));
}

TEST(Largest, keeps_the_largest_also_below_0)
{
    EXPECT_EQ(detail::largest_of(std::vector{-3.0, -1.0, -2.0}), -1.0);
}

TEST(Largest, keeps_what_is_not_a_number_whatever_comes_before_or_after)
{
    EXPECT_TRUE(std::isnan(detail::largest_of(std::vector{1.0, nan, 100.0})));
    EXPECT_TRUE(std::isnan(detail::largest_of(std::vector{nan, 1.0})));
    EXPECT_TRUE(std::isnan(detail::largest_of(std::vector{infinity, nan})));
}

TEST(Worst, keeps_what_is_not_a_number_whatever_comes_before_or_after)
{
    EXPECT_TRUE(std::isnan(detail::worst_of({1.0, nan, 100.0})));
    EXPECT_TRUE(std::isnan(detail::worst_of({nan, 1.0})));
    EXPECT_TRUE(std::isnan(detail::worst_of({infinity, nan})));
}

/// A case whose ingredient is the number that it measures; 1 would be right.
Case case_named(const std::string& name, Tier tier = Tier::Quick, double honest = 1.0, double sabotaged = 2.0)
{
    return make_case(
        {name, "the number is 1", "counting", tier},
        [](double number) {
            return Measurement{number, 1.0, 0.1};
        },
        honest, "two", sabotaged);
}

std::vector<Case> some_cases()
{
    return {case_named("V-A1/values/1d"),
            case_named("V-A1/values/2d"),
            case_named("V-A1/values/3d", Tier::Full),
            case_named("V-A10"),
            case_named("V-S1/slow", Tier::Full),
            case_named("V-S1/longest", Tier::Long),
            case_named("V-S2")};
}

std::vector<std::string> selected(const std::vector<std::string>& names, Tier tier = Tier::Quick)
{
    std::vector<std::string> result;
    for (const Case& c : select_cases(some_cases(), names, tier)) result.push_back(c.name);
    return result;
}

std::string error_for(const std::vector<std::string>& names)
{
    try {
        selected(names);
    } catch (const InputError& error) {
        return error.what();
    }
    return "no InputError";
}

using Names = std::vector<std::string>;

TEST(SelectCases, without_names_all_that_the_tier_can_afford)
{
    EXPECT_EQ(selected({}), (Names{"V-A1/values/1d", "V-A1/values/2d", "V-A10", "V-S2"}));
    EXPECT_EQ(selected({}, Tier::Full).size(), some_cases().size() - 1);
    EXPECT_EQ(selected({}, Tier::Long).size(), some_cases().size());
}

TEST(SelectCases, a_name_stands_for_a_case_or_for_the_group_that_it_begins)
{
    EXPECT_EQ(selected({"V-S2"}), Names{"V-S2"});
    EXPECT_EQ(selected({"V-A1/values/2d"}), Names{"V-A1/values/2d"});
    EXPECT_EQ(selected({"V-A1/values"}), (Names{"V-A1/values/1d", "V-A1/values/2d"}));
    EXPECT_EQ(selected({"V-A1"}), (Names{"V-A1/values/1d", "V-A1/values/2d"})) << "and not for V-A10";
    EXPECT_EQ(selected({"V-A"}), (Names{"V-A1/values/1d", "V-A1/values/2d", "V-A10"}));
}

TEST(SelectCases, a_slow_case_runs_if_it_is_named_in_full)
{
    EXPECT_EQ(selected({"V-A1/values/3d"}), Names{"V-A1/values/3d"});
    EXPECT_EQ(selected({"V-A1"}, Tier::Full), (Names{"V-A1/values/1d", "V-A1/values/2d", "V-A1/values/3d"}));
    EXPECT_EQ(selected({"V-S1"}, Tier::Full), Names{"V-S1/slow"});
    EXPECT_NE(error_for({"V-S1"}).find("name one in full"), std::string::npos);
}

TEST(SelectCases, keeps_the_order_of_the_cases_and_takes_each_once)
{
    EXPECT_EQ(selected({"V-S2", "V-A1", "V-A1/values/2d", "V-S2"}),
              (Names{"V-A1/values/1d", "V-A1/values/2d", "V-S2"}));
}

TEST(SelectCases, suggests_the_nearest_name_for_one_that_is_not_known)
{
    EXPECT_EQ(error_for({"V-S3"}), "there is no case or group of cases \"V-S3\"; did you mean \"V-S1\"?");
    EXPECT_NE(error_for({"V-A1/value"}).find("\"V-A1/values\"?"), std::string::npos);
    EXPECT_NE(error_for({"V-A1/valeus/2d"}).find("\"V-A1/values/2d\"?"), std::string::npos);
    EXPECT_NE(error_for({"va10"}).find("\"V-A10\"?"), std::string::npos);
    for (const std::string not_a_group : {"", "V", "V-", "V-A1/", "V-A1/val", "/"})
        EXPECT_NE(error_for({not_a_group}), "no InputError") << not_a_group;
}

TEST(SelectCases, an_unknown_name_is_an_error_beside_known_ones)
{
    EXPECT_NE(error_for({"V-S2", "nonsense"}).find("\"nonsense\""), std::string::npos);
}

TEST(RunCase, reports_what_was_measured_and_whether_it_passed)
{
    const Outcome good = run_case(case_named("good"));
    EXPECT_EQ(good.verdict, Verdict::Pass);
    EXPECT_EQ(good.measurement.measured, 1.0);
    EXPECT_EQ(good.info.name, "good");
    EXPECT_EQ(good.info.claim, "the number is 1");
    EXPECT_EQ(good.info.source, "counting");
    EXPECT_EQ(good.sabotage, "");
    EXPECT_GE(good.seconds, 0.0);
    EXPECT_EQ(run_case(case_named("bad", Tier::Quick, 3.0)).verdict, Verdict::Fail);
}

TEST(RunCase, an_input_error_is_a_failure_and_its_text_a_note)
{
    const Case refusing = make_case(
        {"refusing", "", ""}, [](int) -> Measurement { throw InputError("no such thing"); }, 0, "none", 1);
    const Outcome outcome = run_case(refusing);
    EXPECT_EQ(outcome.verdict, Verdict::Fail);
    EXPECT_TRUE(std::isnan(outcome.measurement.measured));
    EXPECT_NE(outcome.measurement.note.find("no such thing"), std::string::npos);
}

TEST(RunSabotage, is_noticed_if_the_case_fails_with_the_sabotaged_ingredient)
{
    const Outcome noticed = run_sabotage(case_named("c"));
    EXPECT_EQ(noticed.measurement.measured, 2.0);
    EXPECT_EQ(noticed.sabotage, "two");
    EXPECT_EQ(noticed.verdict, Verdict::Fail);
    EXPECT_TRUE(noticed.noticed);
    EXPECT_FALSE(run_sabotage(case_named("c", Tier::Quick, 1.0, 1.05)).noticed);
    EXPECT_TRUE(run_sabotage(case_named("c", Tier::Quick, 1.0, nan)).noticed);
}

TEST(RunSabotage, an_ingredient_that_throws_instead_of_being_measured_is_not_noticed)
{
    const auto check = [](int ingredient) {
        if (ingredient == 1) throw InputError("refused");
        return Measurement{1.0, 1.0, 0.0};
    };
    const Outcome outcome = run_sabotage(make_case({"c", "", ""}, check, 0, "throws", 1));
    EXPECT_EQ(outcome.verdict, Verdict::Fail);
    EXPECT_FALSE(outcome.noticed);
}

TEST(RunSabotage, a_run_that_diverges_is_noticed)
{
    const auto check = [](int ingredient) {
        if (ingredient == 1) throw Diverged("nowhere");
        return Measurement{1.0, 1.0, 0.0};
    };
    const Outcome outcome = run_sabotage(make_case({"c", "", ""}, check, 0, "diverges", 1));
    EXPECT_TRUE(outcome.noticed);
    EXPECT_NE(outcome.measurement.note.find("nowhere"), std::string::npos);
}

/// A number that should be 1 within a tenth, and was 1.5 when the miss was recorded.
Verdict verdict_of_miss(double measured, double spread = 0.0)
{
    CaseInfo info{"c", "", ""};
    info.known_miss = KnownMiss{.measured = 1.5, .spread = spread};
    std::string trouble;
    const Verdict verdict = verdict_of(info, {measured, 1.0, 0.1}, trouble);
    EXPECT_EQ(trouble.empty(), verdict == Verdict::KnownMiss);
    return verdict;
}

TEST(KnownMiss, may_be_as_far_off_as_recorded_and_a_tenth_of_that_more)
{
    EXPECT_EQ(verdict_of_miss(1.5), Verdict::KnownMiss);
    EXPECT_EQ(verdict_of_miss(1.549), Verdict::KnownMiss);
    EXPECT_EQ(verdict_of_miss(1.3), Verdict::KnownMiss);
    EXPECT_EQ(verdict_of_miss(1.551), Verdict::Fail);
    EXPECT_EQ(verdict_of_miss(0.6), Verdict::KnownMiss) << "on the other side";
    EXPECT_EQ(verdict_of_miss(nan), Verdict::Fail);
}

TEST(KnownMiss, may_have_a_spread_of_its_own)
{
    EXPECT_EQ(verdict_of_miss(1.69, 0.2), Verdict::KnownMiss);
    EXPECT_EQ(verdict_of_miss(1.71, 0.2), Verdict::Fail);
}

TEST(KnownMiss, that_has_come_far_nearer_fails_so_that_its_record_is_made_anew)
{
    EXPECT_EQ(verdict_of_miss(1.26), Verdict::KnownMiss);
    EXPECT_EQ(verdict_of_miss(1.24), Verdict::Fail);
    EXPECT_EQ(verdict_of_miss(1.24, 0.2), Verdict::KnownMiss) << "chance may do that";
}

TEST(KnownMiss, that_is_met_fails_so_that_somebody_notices)
{
    EXPECT_EQ(verdict_of_miss(1.05), Verdict::Fail);
}

TEST(KnownMiss, that_owes_much_to_chance_may_be_met_within_its_spread)
{
    EXPECT_EQ(verdict_of_miss(1.1, 0.45), Verdict::KnownMiss);
    EXPECT_EQ(verdict_of_miss(1.04, 0.45), Verdict::Fail) << "nearer than chance explains";
    EXPECT_EQ(verdict_of_miss(nan, 0.45), Verdict::Fail);
}

/// A case that is known to diverge, with an ingredient 1 that makes it.
Case diverging_case(int honest, int sabotaged)
{
    CaseInfo info{"c", "", ""};
    info.known_miss = known_to_diverge("nobody knows");
    return make_case(
        info,
        [](int ingredient) {
            if (ingredient == 1) throw Diverged("nowhere");
            if (ingredient == 2) throw InputError("refused");
            return Measurement{5.0, 1.0, 0.1};
        },
        honest, "converges", sabotaged);
}

TEST(KnownMiss, may_be_that_a_run_diverges)
{
    EXPECT_EQ(run_case(diverging_case(1, 0)).verdict, Verdict::KnownMiss);
    EXPECT_TRUE(run_sabotage(diverging_case(1, 0)).noticed);
    EXPECT_FALSE(run_sabotage(diverging_case(1, 1)).noticed);
    const Outcome with_number = run_case(diverging_case(0, 1));
    EXPECT_EQ(with_number.verdict, Verdict::Fail);
    EXPECT_NE(with_number.trouble.find("record its number"), std::string::npos);
    EXPECT_EQ(run_case(diverging_case(2, 1)).verdict, Verdict::Fail) << "a mistake of the check is no result";
}

TEST(KnownMiss, distances_count_on_the_forbidden_side_alone)
{
    EXPECT_EQ(distance_of({3.0, 1.0, 0.1, Bound::AtMost}), 2.0);
    EXPECT_EQ(distance_of({-3.0, 1.0, 0.1, Bound::AtMost}), 0.0);
    EXPECT_EQ(distance_of({-3.0, 1.0, 0.1, Bound::AtLeast}), 4.0);
    EXPECT_EQ(distance_of({3.0, 1.0, 0.1, Bound::AtLeast}), 0.0);
    EXPECT_EQ(distance_of({-3.0, 1.0, 0.1, Bound::Near}), 4.0);
}

TEST(RunCases, tells_outcomes_in_order_however_many_run_at_a_time)
{
    std::vector<Case> cases;
    for (int k = 0; k < 40; ++k) cases.push_back(case_named("c" + std::to_string(k), Tier::Quick, k));
    for (const int at_a_time : {1, 2, 7}) {
        std::vector<std::string> told;
        const std::vector<Outcome> outcomes = run_cases(
            cases, Ingredients::Honest, at_a_time, [&](const Outcome& o) { told.push_back(o.info.name); });
        ASSERT_EQ(outcomes.size(), cases.size());
        ASSERT_EQ(told.size(), cases.size());
        for (std::size_t k = 0; k < cases.size(); ++k) {
            EXPECT_EQ(told[k], cases[k].name);
            EXPECT_EQ(outcomes[k].measurement.measured, static_cast<double>(k));
        }
    }
}

TEST(RunCases, passes_on_what_a_case_throws_that_is_no_result)
{
    const std::vector<Case> cases = {case_named("a"),
                                     make_case(
                                         {"b", "", ""}, [](int) -> Measurement { throw 7; }, 0, "", 1)};
    EXPECT_THROW(run_cases(cases, Ingredients::Honest, 2), int);
}

} // namespace
} // namespace phyxel::case_test
