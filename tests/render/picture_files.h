// SPDX-License-Identifier: MIT
// Pictures read back from files, to see that somebody else can.
#pragma once

#include <phyxel/io/file.h>
#include <phyxel/render/image.h>

#include <png.h>
#include <turbojpeg.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>

namespace phyxel {

inline Picture read_png(const std::filesystem::path& path)
{
    png_image header;
    std::memset(&header, 0, sizeof header);
    header.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_file(&header, path.c_str()) == 0) throw std::runtime_error(header.message);
    header.format = PNG_FORMAT_RGB;
    Picture picture(static_cast<int>(header.width), static_cast<int>(header.height));
    if (png_image_finish_read(&header, nullptr, picture.bytes.data(), 0, nullptr) == 0)
        throw std::runtime_error(header.message);
    return picture;
}

inline Picture read_jpeg(const std::filesystem::path& path)
{
    const Buffer<std::byte> file = read_file(path);
    const auto* bytes = reinterpret_cast<const unsigned char*>(file.data());
    const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
    int width = 0;
    int height = 0;
    int sampling = 0;
    int colorspace = 0;
    if (tjDecompressHeader3(decoder.get(), bytes, file.size(), &width, &height, &sampling, &colorspace) != 0)
        throw std::runtime_error(tjGetErrorStr2(decoder.get()));
    Picture picture(width, height);
    if (tjDecompress2(decoder.get(), bytes, file.size(), picture.bytes.data(), width, 0, height, TJPF_RGB,
                      0) != 0)
        throw std::runtime_error(tjGetErrorStr2(decoder.get()));
    return picture;
}

} // namespace phyxel
