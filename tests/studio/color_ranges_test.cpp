// SPDX-License-Identifier: MIT
#include "studio/server/color_ranges.h"

#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/document.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace phyxel::studio::color_ranges_test {
namespace {

FrameContent content(const std::string& field, const std::vector<double>& values, std::uint64_t frame = 1)
{
    Snapshot snapshot;
    snapshot.points.assign(values.size(), Vec<3>::Zero());
    snapshot.fields = {scalar_field<double>(field, values)};
    return make_content(frame, 0.1, {snapshot});
}

/// The range of a field after these frames, with particles 1 cm apart and 30 frames a second.
std::vector<double> range_of(const std::string& field, const std::vector<std::vector<double>>& frames)
{
    ColorRanges ranges(0.01, 30.0, standard_kinds().field_units());
    std::uint64_t frame = 0;
    for (const std::vector<double>& values : frames) ranges.follow(content(field, values, frame++), {field});
    const Node node = ranges.node();
    if (node.find(field) == nullptr) return {};
    std::vector<double> range;
    for (const Node& end : node.find(field)->items()) range.push_back(end.number());
    return range;
}

using Range = std::vector<double>;

TEST(ColorRanges, rounding_is_nothing)
{
    EXPECT_EQ(range_of("stress", {{0.0, 8.7e-14, 3e-15}}), (Range{0.0, 0.0}));
    EXPECT_EQ(range_of("velocity", {{1e-12, 2e-12}}), (Range{0.0, 0.0}));
    EXPECT_EQ(range_of("strain", {{1e-16, 2e-15}}), (Range{0.0, 0.0}));
    EXPECT_EQ(range_of("pressure", {{-1e-9, 100.0}}), (Range{0.0, 100.0}));
    EXPECT_EQ(range_of("density", {{1000.0, 1000.0 + 1e-5}}), (Range{1000.000005, 1000.000005}));
    EXPECT_EQ(range_of("strain", {{0.0, 1e-7}}), (Range{0.0, 1e-7})) << "steel under its own weight";
}

TEST(ColorRanges, what_cannot_be_negative_begins_at_zero_unless_that_is_far_away)
{
    EXPECT_EQ(range_of("velocity", {{1.0, 2.0}}), (Range{0.0, 2.0}));
    EXPECT_EQ(range_of("density", {{990.0, 1010.0}}), (Range{990.0, 1010.0}));
    EXPECT_EQ(range_of("pressure", {{-5.0, 10.0}}), (Range{-5.0, 10.0}));
}

TEST(ColorRanges, ranges_widen_at_once_and_narrow_slowly)
{
    EXPECT_EQ(range_of("velocity", {{0.0, 1.0}, {0.0, 5.0}}), (Range{0.0, 5.0}));
    const Range narrowed = range_of("velocity", {{0.0, 5.0}, {0.0, 1.0}});
    EXPECT_LT(narrowed[1], 5.0);
    EXPECT_GT(narrowed[1], 4.9);
    EXPECT_EQ(range_of("velocity", {{0.0, 1e-13}, {0.0, 5.0}}), (Range{0.0, 5.0}));
    // A frame that is shown again, as while a scene is paused, changes nothing.
    ColorRanges ranges(0.01, 30.0, standard_kinds().field_units());
    ranges.follow(content("velocity", {0.0, 5.0}, 1), {"velocity"});
    ranges.follow(content("velocity", {0.0, 1.0}, 2), {"velocity"});
    const Node before = ranges.node();
    ranges.follow(content("velocity", {0.0, 1.0}, 2), {"velocity"});
    EXPECT_EQ(ranges.node(), before);
}

TEST(ColorRanges, only_what_somebody_wishes_and_what_there_is_has_a_range)
{
    const double none = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(range_of("velocity", {{}}), Range{});
    EXPECT_EQ(range_of("velocity", {{none}}), Range{});
    EXPECT_EQ(range_of("velocity", {{none, 1e300, 2.0}}), (Range{0.0, 2.0}));
    ColorRanges ranges(0.01, 30.0, standard_kinds().field_units());
    ranges.follow(content("velocity", {0.0, 1.0}), {"velocity", "pressure"});
    EXPECT_EQ(to_line(ranges.node()), R"({ "velocity": [0, 1] })");
    ranges.follow(content("velocity", {0.0, 1.0}), {"pressure"});
    EXPECT_EQ(ranges.node().find("velocity"), nullptr);
}

} // namespace
} // namespace phyxel::studio::color_ranges_test
