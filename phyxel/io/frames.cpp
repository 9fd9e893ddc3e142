// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/obj.h>
#include <phyxel/io/ply.h>
#include <phyxel/io/vtk.h>

#include <algorithm>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view frames_folder = "frames";

enum class OutputFormat { Ply, Vtp, Obj, Csv };

OutputFormat output_format(const fs::path& path)
{
    const std::string extension = detail::lower_case(path.extension().string());
    if (extension == ".ply") return OutputFormat::Ply;
    if (extension == ".vtp") return OutputFormat::Vtp;
    if (extension == ".obj") return OutputFormat::Obj;
    if (extension == ".csv") return OutputFormat::Csv;
    throw InputError(path.string() + ": files of the kind " + detail::in_quotes(extension) +
                     " cannot be written; allowed: .ply, .vtp, .obj, .csv");
}

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Body and number of a frame's file, if the name is one that we would have given.
std::optional<FrameFile> parse_frame_name(const fs::path& path)
{
    const std::string extension = path.extension().string();
    if (extension != ".ply" && extension != ".vtp") return std::nullopt;
    const std::string stem = path.stem().string();
    const std::size_t separator = stem.rfind('_');
    if (separator == std::string::npos) return std::nullopt;
    const std::string body = stem.substr(0, separator);
    const std::optional<std::int64_t> number =
        detail::parse_integer(std::string_view(stem).substr(separator + 1));
    if (!number || *number < 0 || !is_body_name(body)) return std::nullopt;
    FrameFile file{body, static_cast<std::uint64_t>(*number), path};
    if (frame_file_name(body, file.number, extension) != path.filename().string()) return std::nullopt;
    return file;
}

} // namespace

bool is_body_name(std::string_view name)
{
    constexpr std::size_t max_size = 100;
    if (name.empty() || name.size() > max_size || name.front() == '.') return false;
    if (name.front() == ' ' || name.back() == ' ') return false;
    return std::none_of(name.begin(), name.end(),
                        [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f || c == '/' || c == '\\'; });
}

std::string frame_file_name(std::string_view body, std::uint64_t number, std::string_view extension)
{
    PHYXEL_ASSERT(is_body_name(body));
    std::string digits = std::to_string(number);
    if (digits.size() < 6) digits.insert(0, 6 - digits.size(), '0');
    return std::string(body) + "_" + digits + std::string(extension);
}

fs::path frame_path(const fs::path& run, std::string_view body, std::uint64_t number,
                    std::string_view extension)
{
    return run / frames_folder / frame_file_name(body, number, extension);
}

std::vector<FrameFile> find_frames(const fs::path& run)
{
    std::vector<FrameFile> files;
    const fs::path folder = run / frames_folder;
    std::error_code error;
    if (!fs::exists(folder, error)) return files;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (std::optional<FrameFile> file = parse_frame_name(entry->path()))
            files.push_back(std::move(*file));
    if (error) detail::throw_io_error(folder, "read", error.value());
    std::sort(files.begin(), files.end(), [](const FrameFile& a, const FrameFile& b) {
        return std::tie(a.body, a.number, a.path) < std::tie(b.body, b.number, b.path);
    });
    return files;
}

FileSum write_snapshot(const fs::path& path, const Snapshot& snapshot, const WriteOptions& options)
{
    const auto written = [&](std::span<const std::byte> content) {
        write_file(path, content);
        return sum_of(content);
    };
    switch (output_format(path)) {
    case OutputFormat::Ply:
        return written(encode_ply(snapshot, options).span());
    case OutputFormat::Vtp:
        return written(encode_vtp(snapshot, options).span());
    case OutputFormat::Obj:
        return written(bytes_of(encode_obj(snapshot)));
    case OutputFormat::Csv:
        return written(bytes_of(encode_csv(snapshot)));
    }
    return {};
}

FileReport convert_file(const fs::path& input, const fs::path& output)
{
    // An output that cannot be written should not cost the time of reading.
    output_format(output);
    SnapshotFile file = read_snapshot(input);
    write_snapshot(output, file.snapshot, {.double_precision = file.is_double});
    return std::move(file.report);
}

} // namespace phyxel
