// SPDX-License-Identifier: MIT
// Pictures: light as the ray tracer measures it, the same as a screen shows it, and files of it.
#pragma once

#include <phyxel/core/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

namespace phyxel {

/// Red, green, blue with the primaries of sRGB. Linear in the light unless a comment says otherwise.
using Color = Vec<3, float>;

/// Radiance for every pixel, row by row from the top; 1 is the white of a screen.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<Color> pixels;

    Image() = default;
    Image(int w, int h, const Color& color = Color::Zero());

    Color& at(int x, int y) { return pixels[index(x, y)]; }
    const Color& at(int x, int y) const { return pixels[index(x, y)]; }

private:
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

/// What a screen shows: 8-bit sRGB, three bytes a pixel, row by row from the top.
struct Picture {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> bytes;

    Picture() = default;
    Picture(int w, int h);

    std::uint8_t* at(int x, int y) { return bytes.data() + offset(x, y); }
    const std::uint8_t* at(int x, int y) const { return bytes.data() + offset(x, y); }

private:
    std::size_t offset(int x, int y) const
    {
        return 3 *
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    }
};

/// The transfer curve of sRGB (IEC 61966-2-1), between 0 and 1.
float to_srgb(float linear);
float from_srgb(float encoded);

/// The byte that shows this much light.
std::uint8_t srgb_byte(float linear);

/// Linear colour from the way designers write it: 0x1f9e89.
Color color_from_hex(std::uint32_t rgb);

/// A filmic curve that leaves the colours of a colour map alone: linear up to 0.76 but for a small toe, then
/// a shoulder that rolls off towards white and takes saturation with it, so that highlights do not clip to
/// garish primaries. This is the Khronos PBR Neutral tone mapper [Khr24].
Color filmic(const Color& color);

/// Exposure, filmic tone, sRGB. Values that are not numbers become black.
Picture develop(const Image& image, float exposure = 1.0f);

struct PictureOptions {
    int jpeg_quality = 92; ///< 1 to 100
};

/// Whether write_picture knows this file ending (.png, .jpg, .jpeg; upper or lower case), with its dot.
bool is_picture_extension(std::string_view extension);

/// Writes PNG or JPEG, as the file's ending says; the file appears whole or not at all. It says of itself
/// that Phyxel made it.
void write_picture(const std::filesystem::path& path, const Picture& picture,
                   const PictureOptions& options = {});

/// Whether write_picture made this file. Pictures of others are not ours to replace.
bool is_our_picture(const std::filesystem::path& path);

} // namespace phyxel
