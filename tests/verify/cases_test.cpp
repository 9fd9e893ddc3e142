// SPDX-License-Identifier: MIT
// The cases themselves. That all of them pass and notice their sabotages is for the command to show, whose
// runs are tests of their own; here those that take milliseconds are run, also under the sanitizers.
#include <phyxel/solid/solid_material.h>
#include <phyxel/verify/case.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::cases_test {
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

/// Items of which there is no case, since what they are about is not built. Who builds it takes them off.
const std::set<std::string> not_built = {
    "V-U4", // active surfaces
};

/// Of the specification, with the numbers of its items. Of adaptive fluids (V-D), shapes and motions (V-H),
/// modes (V-G) and shells (V-Q) nothing is built.
struct Family {
    std::string name;
    int first, last;
};
const std::vector<Family> families = {
    {"V-K", 0, 5}, {"V-A", 1, 8}, {"V-S", 1, 3}, {"V-F", 1, 9}, {"V-E", 1, 12}, {"V-U", 1, 7},
    {"V-C", 1, 6}, {"V-T", 1, 3}, {"V-X", 1, 0}, {"V-R", 1, 0}, {"V-W", 1, 0}}; // coupled and rigid bodies
                                                                                // and heat have no item

TEST(Cases, are_all_of_families_whose_items_are_counted)
{
    for (const Case& c : cases())
        EXPECT_TRUE(std::ranges::any_of(families, [&](const Family& family) {
            return c.name.starts_with(family.name) && !std::isalpha(c.name.at(family.name.size()));
        })) << c.name;
}

TEST(Cases, cover_every_item_of_the_specification_that_is_built)
{
    for (const auto& [name, first, last] : families)
        for (int number = first; number <= last; ++number) {
            const std::string item = name + std::to_string(number);
            const bool is_covered = std::ranges::any_of(
                cases(), [&](const Case& c) { return c.name == item || c.name.starts_with(item + "/"); });
            EXPECT_NE(is_covered, not_built.contains(item)) << item;
        }
}

TEST(Cases, that_are_known_misses_say_why)
{
    for (const Case& c : cases()) {
        if (c.known_miss) {
            EXPECT_FALSE(c.known_miss->why.empty()) << c.name;
        }
    }
}

TEST(Cases, have_reference_values_of_every_elastic_law)
{
    for (const ElasticLawName& law : elastic_law_names)
        for (const auto& [item, state] : {std::pair("V-E3/", "/tension"),
                                          {"V-E3/", "/sides"},
                                          {"V-E4/", "/shear"},
                                          {"V-E4/", "/pressure"}}) {
            const std::string wanted = item + std::string(law.name) + state;
            EXPECT_TRUE(std::ranges::any_of(cases(), [&](const Case& c) { return c.name == wanted; }))
                << wanted;
        }
}

/// What describes a problem and not how it is solved.
TEST(Cases, are_not_sabotaged_by_other_materials_loads_or_walls)
{
    for (const Case& c : cases())
        for (const char* word : {"modulus", "Poisson's ratio", "denser", "Coulomb", "gravity", "slips",
                                 "rubs", "as soft", "damping of"})
            EXPECT_EQ(c.sabotage.find(word), std::string::npos) << c.name << ": " << c.sabotage;
}

class QuickGroup : public testing::TestWithParam<const char*> {
protected:
    std::vector<Case> selected() const
    {
        return select_cases(cases(), std::vector<std::string>{GetParam()}, Tier::Quick);
    }
};

TEST_P(QuickGroup, passes)
{
    for (const Case& c : selected()) {
        const Outcome outcome = run_case(c);
        EXPECT_NE(outcome.verdict, Verdict::Fail) << c.name << ": " << outcome.measurement.measured;
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
                                         "V-A5", "V-A6", "V-E3", "V-E4", "V-C1", "V-C3/sampling", "V-C4",
                                         "V-S3"),
                         [](const testing::TestParamInfo<const char*>& group) {
                             std::string name = group.param;
                             for (char& letter : name)
                                 if (letter == '-' || letter == '/') letter = '_';
                             return name;
                         });

} // namespace
} // namespace phyxel::cases_test
