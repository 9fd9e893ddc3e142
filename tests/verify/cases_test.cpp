// SPDX-License-Identifier: MIT
// The cases themselves. That all of them pass and notice their sabotages is for the command to show, whose
// runs are tests of their own; here those that take milliseconds are run, also under the sanitizers.
#include <phyxel/verify/case.h>

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace phyxel {
namespace {

const std::vector<Case>& cases()
{
    static const std::vector<Case> all = all_cases(PHYXEL_VERIFICATION_SCENES);
    return all;
}

TEST(Cases, have_names_of_their_own)
{
    std::set<std::string> names;
    for (const Case& c : cases()) {
        EXPECT_TRUE(names.insert(c.name).second) << c.name << " is there twice";
        EXPECT_EQ(c.name.find(' '), std::string::npos) << c.name;
    }
}

TEST(Cases, say_what_they_claim_where_the_reference_is_from_and_how_they_can_be_sabotaged)
{
    for (const Case& c : cases()) {
        SCOPED_TRACE(c.name);
        EXPECT_FALSE(c.claim.empty());
        EXPECT_FALSE(c.source.empty());
        EXPECT_FALSE(c.sabotage.empty());
        EXPECT_TRUE(c.run && c.run_sabotaged);
    }
}

TEST(Cases, cover_every_item_of_the_specification)
{
    std::vector<std::string> items;
    for (int i = 0; i <= 5; ++i) items.push_back("V-K" + std::to_string(i));
    for (int i = 1; i <= 8; ++i) items.push_back("V-A" + std::to_string(i));
    for (int i = 1; i <= 3; ++i) items.push_back("V-S" + std::to_string(i));
    items.insert(items.end(), {"V-C1", "V-C3"});
    for (const std::string& item : items)
        EXPECT_FALSE(select_cases(cases(), std::vector{item}, false).empty()) << item;
}

class QuickGroup : public testing::TestWithParam<const char*> {
protected:
    std::vector<Case> selected() const
    {
        return select_cases(cases(), std::vector<std::string>{GetParam()}, false);
    }
};

TEST_P(QuickGroup, passes)
{
    for (const Case& c : selected()) {
        const Outcome outcome = run_case(c);
        EXPECT_TRUE(outcome.pass) << c.name << ": " << outcome.measurement.measured;
    }
}

TEST_P(QuickGroup, notices_its_sabotage)
{
    for (const Case& c : selected()) {
        const Outcome outcome = run_sabotage(c);
        EXPECT_TRUE(outcome.noticed) << c.name << ": " << outcome.sabotage << ": "
                                     << outcome.measurement.measured;
    }
}

TEST_P(QuickGroup, measures_the_same_again)
{
    for (const Case& c : selected())
        EXPECT_EQ(run_case(c).measurement.measured, run_case(c).measurement.measured);
}

INSTANTIATE_TEST_SUITE_P(Cases, QuickGroup,
                         testing::Values("V-K0", "V-K1", "V-K2", "V-K3", "V-K4", "V-K5", "V-A2/quadratic",
                                         "V-A5", "V-A6", "V-C1", "V-C3/sampling", "V-S3"),
                         [](const testing::TestParamInfo<const char*>& group) {
                             std::string name = group.param;
                             for (char& letter : name)
                                 if (letter == '-' || letter == '/') letter = '_';
                             return name;
                         });

} // namespace
} // namespace phyxel
