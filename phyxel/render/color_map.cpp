// SPDX-License-Identifier: MIT
#include <phyxel/render/color_map.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace phyxel {
namespace {

// Every 28 or 29 of the 256 published entries; straight lines between them in sRGB stay within what an eye
// can tell apart.
constexpr std::array<std::uint32_t, 10> viridis = {0x440154, 0x482878, 0x3e4a89, 0x31688e, 0x26828e,
                                                   0x1f9e89, 0x35b779, 0x6dcd59, 0xb4de2c, 0xfde725};
constexpr std::array<std::uint32_t, 10> inferno = {0x000004, 0x1b0c42, 0x4b0c6b, 0x781c6d, 0xa52c60,
                                                   0xcf4446, 0xed6925, 0xfb9a06, 0xf7d03c, 0xfcffa4};

constexpr std::array<std::uint32_t, 8> palette = {0x2e7fc4, 0xe69f00, 0x009e73, 0xd55e00,
                                                  0xcc79a7, 0x56b4e9, 0xf0e442, 0x6b6b6b};

float channel(std::uint32_t rgb, int k) { return static_cast<float>((rgb >> (16 - 8 * k)) & 0xffu) / 255.0f; }

} // namespace

Color map_color(ColorMap map, double t)
{
    if (!std::isfinite(t) && !std::isinf(t)) return Color::Constant(0.2f);
    const auto& points = map == ColorMap::Viridis ? viridis : inferno;
    constexpr auto last = static_cast<double>(viridis.size() - 1);
    const double place = std::clamp(t, 0.0, 1.0) * last;
    const auto below = std::min(static_cast<std::size_t>(place), viridis.size() - 2);
    const auto weight = static_cast<float>(place - static_cast<double>(below));
    Color color;
    for (int k = 0; k < 3; ++k)
        color[k] =
            from_srgb((1.0f - weight) * channel(points[below], k) + weight * channel(points[below + 1], k));
    return color;
}

Color palette_color(std::size_t number) { return color_from_hex(palette[number % palette.size()]); }

} // namespace phyxel
