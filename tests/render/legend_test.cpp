// SPDX-License-Identifier: MIT
#include <phyxel/render/legend.h>
#include <phyxel/render/stroke_text.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace phyxel::legend_test {
namespace {

Picture white(int width, int height)
{
    Picture picture(width, height);
    std::fill(picture.bytes.begin(), picture.bytes.end(), std::uint8_t(255));
    return picture;
}

std::ptrdiff_t ink_in(const Picture& picture)
{
    return std::count_if(picture.bytes.begin(), picture.bytes.end(), [](std::uint8_t b) { return b < 128; }) /
           3;
}

/// Above the lowest `height` pixels.
bool is_white_above(const Picture& picture, double height)
{
    const auto rows = picture.height - static_cast<int>(height);
    return std::all_of(picture.bytes.begin(),
                       picture.bytes.begin() + std::ptrdiff_t(3) * rows * picture.width,
                       [](std::uint8_t b) { return b == 255; });
}

TEST(Legend, round_numbers_are_round_and_within_the_range)
{
    EXPECT_EQ(round_numbers({0.0, 3.0}, 4), (std::vector<double>{0, 1, 2, 3}));
    EXPECT_EQ(round_numbers({-1.0, 1.0}, 4), (std::vector<double>{-1.0, -0.5, 0.0, 0.5, 1.0}));
    for (const ValueRange& range :
         {ValueRange{998.0, 1003.0}, ValueRange{1e-9, 3e-9}, ValueRange{-4e12, 7e12}}) {
        const auto numbers = round_numbers(range, 4);
        EXPECT_GE(numbers.size(), 2u);
        EXPECT_LE(numbers.size(), 5u);
        for (const double number : numbers) {
            EXPECT_GE(number, range.min - 1e-6 * (range.max - range.min));
            EXPECT_LE(number, range.max + 1e-6 * (range.max - range.min));
        }
    }
    EXPECT_EQ(round_numbers({2.0, 2.0}, 4).size(), 1u);
}

TEST(Legend, a_rounded_range_holds_the_range_and_is_not_much_larger)
{
    for (const ValueRange& range :
         {ValueRange{0.0, 2.97}, ValueRange{-0.013, 11873.0}, ValueRange{998.1, 1002.7}}) {
        const ValueRange rounded = rounded_range(range);
        EXPECT_LE(rounded.min, range.min);
        EXPECT_GE(rounded.max, range.max);
        EXPECT_LT(rounded.max - rounded.min, 1.4 * (range.max - range.min));
    }
    EXPECT_EQ(rounded_range({0.0, 3.0}).max, 3.0);
    EXPECT_EQ(rounded_range({0.0, 3.0}).min, 0.0);
}

TEST(Legend, the_bar_shows_the_colours_of_the_map_from_left_to_right)
{
    Picture picture = white(1280, 720);
    draw_legend(picture, ColorBar{ColorMap::Viridis, {0.0, 3.0}, "velocity", "m/s"});
    const int y = 720 - 46;
    EXPECT_NEAR(picture.at(30, y)[0], 0x44, 3);
    EXPECT_NEAR(picture.at(325, y)[0], 0xfd, 6);
    EXPECT_NEAR(picture.at(325, y)[2], 0x25, 6);
    EXPECT_EQ(picture.at(640, 100)[0], 255) << "the rest of the picture stays as it was";
}

TEST(Legend, small_pictures_stay_without)
{
    Picture picture = white(64, 64);
    draw_legend(picture, ColorBar{});
    draw_legend(picture, {{Color::Zero(), "water"}});
    draw_time(picture, 1.0);
    EXPECT_EQ(ink_in(picture), 0);
}

TEST(Legend, entries_stand_side_by_side_within_a_part_of_the_picture_and_the_rest_is_counted)
{
    std::vector<LegendEntry> entries;
    for (const std::size_t count : {1u, 2u, 12u, 300u}) {
        while (entries.size() < count)
            entries.push_back({Color(0.8f, 0.1f, 0.1f), "body " + std::to_string(entries.size())});
        for (const int height : {160, 720}) {
            const double needed = entries_height(16 * height / 9, height, entries);
            EXPECT_GT(needed, 0.0);
            EXPECT_LE(needed, most_of_height * height);
            Picture picture = white(16 * height / 9, height);
            draw_legend(picture, entries);
            EXPECT_GT(ink_in(picture), 20);
            EXPECT_TRUE(is_white_above(picture, needed)) << count << " in " << height << " pixels";
        }
    }
    EXPECT_EQ(entries_height(1280, 720, {entries[0]}), entries_height(1280, 720, {entries[0], entries[1]}))
        << "one row";
    EXPECT_EQ(entries_height(100, 100, entries), 0.0);
}

TEST(Legend, the_bar_and_the_time_stay_within_the_height_that_they_need)
{
    for (const int height : {160, 360, 720, 1080}) {
        const int width = 16 * height / 9;
        Picture bar = white(width, height);
        draw_legend(bar, ColorBar{ColorMap::Viridis, {0.0, 3.0}, "velocity", "m/s"});
        draw_time(bar, 1.5);
        EXPECT_GT(ink_in(bar), 0);
        const double needed = bar_height(width, height);
        EXPECT_LE(needed, most_of_height * height);
        for (int y = 0; y < height - int(needed); ++y)
            for (int x = 0; x < width; ++x)
                ASSERT_EQ(bar.at(x, y)[1], 255) << height << ": " << x << ", " << y;
    }
}

TEST(StrokeText, every_letter_of_a_legend_leaves_ink_of_its_own)
{
    // But for the capital I, which is a line like the l.
    const std::string letters = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHJKLMNOPQRSTUVWXYZ.,:-_+=/()[]%";
    std::vector<std::vector<std::uint8_t>> seen;
    Picture unknown = white(40, 40);
    draw_text(unknown, {10, 30}, "\u4e2d", {.height = 20.0});
    seen.push_back(unknown.bytes);
    for (const char letter : letters) {
        Picture picture = white(40, 40);
        draw_text(picture, {10, 30}, std::string(1, letter), {.height = 20.0});
        EXPECT_GT(ink_in(picture), 2) << letter;
        EXPECT_EQ(std::count(seen.begin(), seen.end(), picture.bytes), 0) << letter;
        seen.push_back(picture.bytes);
    }
}

TEST(StrokeText, width_grows_with_the_text_and_two_bytes_can_be_one_letter)
{
    EXPECT_EQ(text_width("", 12.0), 0.0);
    EXPECT_GT(text_width("ab", 12.0), text_width("a", 12.0));
    EXPECT_EQ(text_width("m", 24.0), 2.0 * text_width("m", 12.0));
    EXPECT_LT(text_width("m\u00b3", 12.0), text_width("m33", 12.0));
}

TEST(StrokeText, text_outside_of_the_picture_and_broken_text_do_no_harm)
{
    Picture picture = white(20, 20);
    draw_text(picture, {-100.0, 10.0}, "outside");
    draw_text(picture, {1e9, -1e9}, "outside");
    draw_text(picture, {15.0, 25.0}, "half", {.height = 30.0});
    draw_text(picture, {0.0, 10.0}, "\xff\xc3");
    draw_rectangle(picture, {-5.0, -5.0}, {1e12, 3.0}, {0, 0, 0});
    EXPECT_GT(ink_in(picture), 0);
}

} // namespace
} // namespace phyxel::legend_test
