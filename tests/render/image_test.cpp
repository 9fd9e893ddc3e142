// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/render/image.h>

#include "io/io_support.h"
#include "picture_files.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>

namespace phyxel::image_test {
namespace {

Picture sample_picture()
{
    Picture picture(40, 30);
    for (int y = 0; y < 30; ++y)
        for (int x = 0; x < 40; ++x) {
            picture.at(x, y)[0] = static_cast<std::uint8_t>(6 * x);
            picture.at(x, y)[1] = static_cast<std::uint8_t>(8 * y);
            picture.at(x, y)[2] = static_cast<std::uint8_t>(3 * (x + y));
        }
    return picture;
}

TEST(Image, srgb_goes_there_and_back)
{
    for (int k = 0; k <= 255; ++k) {
        const float encoded = static_cast<float>(k) / 255.0f;
        EXPECT_NEAR(to_srgb(from_srgb(encoded)), encoded, 1e-6f);
    }
    EXPECT_NEAR(to_srgb(0.2140411f), 0.5f, 1e-5f);
    EXPECT_EQ(to_srgb(-1.0f), 0.0f);
    EXPECT_NEAR(to_srgb(100.0f), 1.0f, 1e-6f);
}

TEST(Image, filmic_tone_keeps_middle_tones_never_reaches_white_and_never_reverses)
{
    EXPECT_LT((filmic({0.5f, 0.3f, 0.2f}) - Color(0.46f, 0.26f, 0.16f)).norm(), 1e-6f);
    float last = -1.0f;
    for (float x = 0.0f; x < 50.0f; x += 0.01f) {
        const float y = filmic(Color::Constant(x))[1];
        EXPECT_GT(y, last);
        EXPECT_LT(y, 1.0f);
        last = y;
    }
    const Color bright = filmic({50.0f, 5.0f, 5.0f});
    EXPECT_GT(bright[1], 0.5f) << "highlights lose their colour";
}

TEST(Image, what_is_not_a_number_becomes_black)
{
    Image image(3, 1, Color::Constant(0.5f));
    image.at(0, 0)[1] = std::nanf("");
    image.at(1, 0).setConstant(std::numeric_limits<float>::infinity());
    const Picture picture = develop(image);
    EXPECT_EQ(picture.at(0, 0)[0], 0);
    EXPECT_GT(picture.at(1, 0)[0], 250);
    EXPECT_GT(picture.at(2, 0)[0], 100);
}

TEST(PictureFiles, png_decodes_to_the_same_bytes)
{
    const TemporaryFolder folder;
    const Picture picture = sample_picture();
    write_picture(folder / "a.PNG", picture);
    const Picture again = read_png(folder / "a.PNG");
    EXPECT_EQ(again.width, 40);
    EXPECT_EQ(again.height, 30);
    EXPECT_EQ(again.bytes, picture.bytes);
    EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.PNG"});
}

TEST(PictureFiles, jpeg_decodes_to_almost_the_same_bytes_and_quality_decides_the_size)
{
    const TemporaryFolder folder;
    const Picture picture = sample_picture();
    for (const char* name : {"a.jpg", "a.jpeg"}) {
        write_picture(folder / name, picture);
        const Picture again = read_jpeg(folder / name);
        ASSERT_EQ(again.bytes.size(), picture.bytes.size());
        for (std::size_t i = 0; i < picture.bytes.size(); ++i)
            EXPECT_LE(std::abs(int(again.bytes[i]) - int(picture.bytes[i])), 12) << i;
    }
    write_picture(folder / "small.jpg", picture, {.jpeg_quality = 20});
    EXPECT_LT(std::filesystem::file_size(folder / "small.jpg"), std::filesystem::file_size(folder / "a.jpg"));
}

TEST(PictureFiles, other_kinds_and_impossible_pictures_are_refused_and_leave_no_file)
{
    const TemporaryFolder folder;
    const std::string gif = (folder / "a.gif").string();
    EXPECT_EQ(error_of([&] { write_picture(gif, sample_picture()); }),
              gif + ": pictures of the kind \".gif\" cannot be written; allowed: .png, .jpg, .jpeg");
    EXPECT_NE(error_of([&] { write_picture(folder / "a.png", Picture()); }), "");
    EXPECT_NE(error_of([&] { write_picture(folder / "a.jpg", sample_picture(), {.jpeg_quality = 0}); }), "");
    EXPECT_NE(error_of([&] { write_picture(folder / "no" / "a.jpg", sample_picture()); }), "");
    EXPECT_TRUE(names_in(folder.path()).empty());
}

TEST(Picture, ours_are_known_from_those_of_others)
{
    const TemporaryFolder folder;
    const Picture picture(8, 6);
    for (const char* name : {"a.png", "a.jpg"}) {
        write_picture(folder / name, picture);
        EXPECT_TRUE(is_our_picture(folder / name)) << name;
        std::string text = text_of(folder / name);
        text[text.find("Phyxel")] = 'p';
        write_file(folder / "other", text);
        EXPECT_FALSE(is_our_picture(folder / "other"));
        write_file(folder / "other", text.substr(0, 10));
        EXPECT_FALSE(is_our_picture(folder / "other"));
    }
    EXPECT_FALSE(is_our_picture(folder / "absent.png"));
}

} // namespace
} // namespace phyxel::image_test
