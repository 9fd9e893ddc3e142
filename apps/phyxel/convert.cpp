// SPDX-License-Identifier: MIT
#include "convert.h"

#include "console.h"
#include "run_folders.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/pc2.h>
#include <phyxel/io/vtk.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> formats = {"ply", "vtp", "obj", "csv", "pc2"};

bool is_same_file(const fs::path& a, const fs::path& b)
{
    std::error_code error;
    return fs::equivalent(a, b, error) && !error;
}

void check_format(const std::string& format)
{
    if (std::find(formats.begin(), formats.end(), format) == formats.end())
        throw InputError("--to " + format + ": no such format, " + suggestion(format, formats) +
                         "allowed: " + word_list(formats));
}

void convert_one(const fs::path& input, const fs::path& output)
{
    if (is_same_file(input, output))
        throw InputError(output.string() + ": is the input, give the output another name");
    const auto report = convert_file(input, output);
    for (const std::string& warning : report.warnings) warn(warning);
}

/// Where the files go that are made of a run; refuses what belongs to the run itself.
void prepare_folder(const fs::path& run, const fs::path& folder)
{
    if (is_same_file(run, folder) || is_same_file(run / "frames", folder))
        throw InputError(folder.string() + ": belongs to the run, give the output a folder of its own");
    create_folder(folder);
}

/// NAME.pc2, and NAME.ply, the mesh that it moves. A mesh that changes, as surfaces of fluids do, is left out
/// with a warning.
bool make_point_cache(const fs::path& name, std::span<const FrameFile> frames, const SnapshotFile& first)
{
    try {
        write_pc2(name.string() + ".pc2", frames);
    } catch (const IoError&) {
        throw;
    } catch (const InputError& error) {
        warn(error.what());
        return false;
    }
    write_snapshot(name.string() + ".ply", first.snapshot, {.double_precision = first.is_double});
    return true;
}

/// For each mesh that keeps its vertices, such as the surface of a solid, the mesh of its first frame and a
/// point cache of all frames.
void convert_to_point_caches(const fs::path& run, const fs::path& folder)
{
    const std::vector<FrameFile> frames = find_frames(run);
    std::size_t made = 0;
    for (auto begin = frames.begin(); begin != frames.end();) {
        const auto end = std::find_if(begin, frames.end(),
                                      [&](const FrameFile& frame) { return frame.body != begin->body; });
        const SnapshotFile first = read_snapshot(begin->path);
        if (first.snapshot.triangles) {
            prepare_folder(run, folder);
            made += make_point_cache(folder / begin->body, {begin, end}, first) ? 1 : 0;
        }
        begin = end;
    }
    if (made == 0)
        throw InputError(run.string() + ": there are no meshes for point caches, such as surfaces of solids");
    print(folder.string() + ": " + count_text(made, "mesh", "meshes") + " with a point cache\n");
}

/// Frames of one body after the other; for ParaView also the collection that makes a time series of them.
void convert_run(const fs::path& run, const fs::path& folder, const std::string& format)
{
    const std::vector<FrameFile> frames = find_frames(run);
    if (frames.empty()) throw InputError(run.string() + ": there are no frames to convert");
    prepare_folder(run, folder);

    const std::string extension = "." + format;
    std::vector<PvdEntry> entries;
    std::vector<std::string> bodies;
    for (const FrameFile& frame : frames) {
        const SnapshotFile file = read_snapshot(frame.path);
        for (const std::string& warning : file.report.warnings) warn(warning);
        const std::string name = frame_file_name(frame.body, frame.number, extension);
        write_snapshot(folder / name, file.snapshot, {.double_precision = file.is_double});
        if (bodies.empty() || bodies.back() != frame.body) bodies.push_back(frame.body);
        entries.push_back({file.snapshot.time, static_cast<int>(bodies.size()) - 1, frame.body, name});
    }
    if (format == "vtp") {
        std::stable_sort(entries.begin(), entries.end(),
                         [](const PvdEntry& a, const PvdEntry& b) { return a.time < b.time; });
        write_pvd(folder / "frames.pvd", entries);
    }
    print(folder.string() + ": " + count_text(frames.size(), "file", "files") + " of " +
          count_text(bodies.size(), "body", "bodies") +
          (format == "vtp" ? "; open frames.pvd in ParaView\n" : "\n"));
}

} // namespace

void convert_files(const ConvertCommand& command)
{
    if (!command.format.empty()) check_format(command.format);
    const fs::path input = find_run(command.input);
    std::error_code error;
    if (!fs::exists(input, error)) throw InputError(input.string() + ": no such file or folder");
    if (fs::is_directory(input)) {
        if (command.format.empty())
            throw InputError(input.string() +
                             ": say what to make of the frames with --to, allowed: " + word_list(formats));
        if (command.format == "pc2")
            convert_to_point_caches(input, command.output);
        else
            convert_run(input, command.output, command.format);
        return;
    }
    if (command.format == "pc2" || command.output.extension() == ".pc2")
        throw InputError(input.string() + ": a point cache is made of all frames of a run");
    fs::path output = command.output;
    if (fs::is_directory(output, error)) {
        if (command.format.empty())
            throw InputError(output.string() + ": is a folder, name a file or say the format with --to");
        output /= input.stem();
        output += "." + command.format;
    } else if (!command.format.empty() && output.extension() != "." + command.format) {
        throw InputError(output.string() + ": the name does not end in ." + command.format +
                         " as --to asks for");
    }
    convert_one(input, output);
}

} // namespace phyxel::command
