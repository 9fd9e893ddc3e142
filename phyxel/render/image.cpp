// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/file.h>
#include <phyxel/render/image.h>

#include <png.h>
#include <turbojpeg.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace phyxel {
namespace {

std::string lower_case(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

std::size_t pixel_count(int width, int height)
{
    PHYXEL_ASSERT(width >= 0 && height >= 0);
    return static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
}

using namespace std::string_view_literals;

// What makes a picture ours, and where it stands: a chunk "Software" with its check sum behind the header of
// a PNG, a comment behind the header of a JPEG.
constexpr std::string_view png_mark = "\0\0\0\x0ftEXtSoftware\0Phyxel\x64\x8b\x0f\x8f"sv;
constexpr std::size_t png_mark_place = 33;
constexpr std::string_view jpeg_mark = "\xff\xfe\0\x08Phyxel"sv;
constexpr std::size_t jpeg_mark_place = 20;

void write_marked(const std::filesystem::path& path, std::span<const std::byte> file, std::string_view mark,
                  std::size_t place)
{
    PHYXEL_ASSERT(file.size() > place);
    FileWriter writer(path);
    writer.write(file.first(place));
    writer.write(mark);
    writer.write(file.subspan(place));
    writer.commit();
}

void write_png(const std::filesystem::path& path, const Picture& picture)
{
    png_image header;
    std::memset(&header, 0, sizeof header);
    header.version = PNG_IMAGE_VERSION;
    header.width = static_cast<png_uint_32>(picture.width);
    header.height = static_cast<png_uint_32>(picture.height);
    header.format = PNG_FORMAT_RGB;
    std::vector<std::byte> file(PNG_IMAGE_PNG_SIZE_MAX(header));
    png_alloc_size_t size = file.size();
    if (png_image_write_to_memory(&header, file.data(), &size, 0, picture.bytes.data(), 0, nullptr) == 0) {
        const std::string reason = header.message;
        png_image_free(&header);
        throw InputError(path.string() + ": cannot be encoded as PNG: " + reason);
    }
    write_marked(path, std::span<const std::byte>(file).first(size), png_mark, png_mark_place);
}

void write_jpeg(const std::filesystem::path& path, const Picture& picture, int quality)
{
    const std::unique_ptr<void, int (*)(tjhandle)> encoder(tjInitCompress(), tjDestroy);
    if (!encoder) throw InputError(path.string() + ": cannot be encoded as JPEG: no memory");
    unsigned char* data = nullptr;
    unsigned long size = 0;
    // Colours at full resolution: text in a legend has fringes without it.
    const int failed =
        tjCompress2(encoder.get(), picture.bytes.data(), picture.width, 0, picture.height, TJPF_RGB, &data,
                    &size, TJSAMP_444, quality, TJFLAG_ACCURATEDCT | TJFLAG_PROGRESSIVE);
    const std::unique_ptr<unsigned char, void (*)(unsigned char*)> owner(data, tjFree);
    if (failed != 0)
        throw InputError(path.string() + ": cannot be encoded as JPEG: " + tjGetErrorStr2(encoder.get()));
    write_marked(path, std::as_bytes(std::span(data, size)), jpeg_mark, jpeg_mark_place);
}

} // namespace

Image::Image(int w, int h, const Color& color) : width(w), height(h), pixels(pixel_count(w, h), color) {}

Picture::Picture(int w, int h) : width(w), height(h), bytes(3 * pixel_count(w, h)) {}

float to_srgb(float linear)
{
    const float x = std::clamp(linear, 0.0f, 1.0f);
    return x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1.0f / 2.4f) - 0.055f;
}

float from_srgb(float encoded)
{
    const float x = std::clamp(encoded, 0.0f, 1.0f);
    return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
}

std::uint8_t srgb_byte(float linear)
{
    return static_cast<std::uint8_t>(std::lround(255.0f * to_srgb(linear)));
}

Color color_from_hex(std::uint32_t rgb)
{
    const auto channel = [&](int shift) {
        return from_srgb(static_cast<float>((rgb >> shift) & 0xffu) / 255.0f);
    };
    return {channel(16), channel(8), channel(0)};
}

Color filmic(const Color& color)
{
    constexpr float start = 0.8f - 0.04f;
    constexpr float desaturation = 0.15f;
    const float least = color.minCoeff();
    const float toe = least < 0.08f ? least - 6.25f * least * least : 0.04f;
    Color toned = color.array() - toe;
    const float peak = toned.maxCoeff();
    if (peak < start) return toned;
    constexpr float room = 1.0f - start;
    const float new_peak = 1.0f - room * room / (peak + room - start);
    const float whiteness = 1.0f - 1.0f / (desaturation * (peak - new_peak) + 1.0f);
    return (1.0f - whiteness) * (new_peak / peak) * toned + whiteness * Color::Constant(new_peak);
}

Picture develop(const Image& image, float exposure)
{
    Picture picture(image.width, image.height);
    parallel_for_blocks(image.pixels.size(), 4096, [&](const Block& block) {
        for (std::size_t i = block.begin; i < block.end; ++i) {
            // Enough for the sun itself, and far from where the curve's quotients overflow.
            const Color light = (exposure * image.pixels[i]).cwiseMax(0.0f).cwiseMin(1e6f);
            const Color shown = light.allFinite() ? filmic(light) : Color(Color::Zero());
            for (int k = 0; k < 3; ++k)
                picture.bytes[3 * i + static_cast<std::size_t>(k)] = srgb_byte(shown[k]);
        }
    });
    return picture;
}

bool is_picture_extension(std::string_view extension)
{
    const std::string lower = lower_case(extension);
    return lower == ".png" || lower == ".jpg" || lower == ".jpeg";
}

void write_picture(const std::filesystem::path& path, const Picture& picture, const PictureOptions& options)
{
    const std::string extension = lower_case(path.extension().string());
    if (!is_picture_extension(extension))
        throw InputError(path.string() + ": pictures of the kind \"" + extension +
                         "\" cannot be written; allowed: .png, .jpg, .jpeg");
    if (options.jpeg_quality < 1 || options.jpeg_quality > 100)
        throw InputError("JPEG quality is " + std::to_string(options.jpeg_quality) +
                         ", must be between 1 and 100");
    if (picture.width < 1 || picture.height < 1)
        throw InputError(path.string() + ": a picture without pixels cannot be written");
    PHYXEL_ASSERT(picture.bytes.size() == 3 * pixel_count(picture.width, picture.height));
    if (extension == ".png")
        write_png(path, picture);
    else
        write_jpeg(path, picture, options.jpeg_quality);
}

bool is_our_picture(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false; // nobody may ever write to a pipe
    std::ifstream file(path, std::ios::binary);
    std::array<char, 64> begin{};
    file.read(begin.data(), begin.size());
    const std::string_view text(begin.data(), static_cast<std::size_t>(file.gcount()));
    return (text.starts_with("\x89PNG") &&
            text.substr(std::min(text.size(), png_mark_place)).starts_with(png_mark)) ||
           (text.starts_with("\xff\xd8") &&
            text.substr(std::min(text.size(), jpeg_mark_place)).starts_with(jpeg_mark));
}

} // namespace phyxel
