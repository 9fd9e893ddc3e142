// SPDX-License-Identifier: MIT
#include <phyxel/render/color_map.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phyxel::color_map_test {
namespace {

/// CIE 1976 L*a*b* for the white of sRGB.
Vec<3> lab_of(const Color& color)
{
    const Mat<3> to_xyz{{0.4124564, 0.3575761, 0.1804375},
                        {0.2126729, 0.7151522, 0.0721750},
                        {0.0193339, 0.1191920, 0.9503041}};
    const Vec<3> xyz = to_xyz * color.cast<double>();
    const Vec<3> white = to_xyz * Vec<3>::Ones();
    Vec<3> f;
    for (int k = 0; k < 3; ++k) {
        const double t = xyz[k] / white[k];
        f[k] = t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
    }
    return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

TEST(ColorMap, lightness_grows_evenly)
{
    // The maps were made even in a newer colour space than L*a*b*, which differs by a few units of lightness.
    for (const ColorMap map : {ColorMap::Viridis, ColorMap::Inferno}) {
        const double first = lab_of(map_color(map, 0.0))[0];
        const double last = lab_of(map_color(map, 1.0))[0];
        double before = -1.0;
        for (int k = 0; k <= 100; ++k) {
            const double lightness = lab_of(map_color(map, k / 100.0))[0];
            EXPECT_NEAR(lightness, first + (last - first) * k / 100.0, 6.0) << k;
            EXPECT_GT(lightness, before) << k;
            before = lightness;
        }
    }
}

TEST(ColorMap, values_outside_take_the_colour_of_the_end_and_what_is_no_number_is_grey)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const ColorMap map : {ColorMap::Viridis, ColorMap::Inferno}) {
        EXPECT_EQ(map_color(map, -infinity), map_color(map, 0.0));
        EXPECT_EQ(map_color(map, -1.0), map_color(map, 0.0));
        EXPECT_EQ(map_color(map, 7.0), map_color(map, 1.0));
        const Color grey = map_color(map, std::nan(""));
        EXPECT_EQ(grey[0], grey[1]);
        EXPECT_EQ(grey[1], grey[2]);
    }
    EXPECT_EQ(map_color(ColorMap::Viridis, 0.0), color_from_hex(0x440154));
    EXPECT_EQ(map_color(ColorMap::Viridis, 1.0), color_from_hex(0xfde725));
}

TEST(ColorMap, ranges_of_any_width_have_fractions)
{
    EXPECT_EQ((ValueRange{1.0, 3.0}.fraction(1.5)), 0.25);
    EXPECT_EQ((ValueRange{2.0, 2.0}.fraction(2.0)), 0.5);
    EXPECT_EQ((ValueRange{-1.5e308, 1.5e308}.fraction(0.0)), 0.5);
    EXPECT_TRUE(std::isnan(ValueRange{2.0, 2.0}.fraction(std::nan(""))));
}

} // namespace
} // namespace phyxel::color_map_test
