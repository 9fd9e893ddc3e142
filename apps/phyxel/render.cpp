// SPDX-License-Identifier: MIT
#include "render.h"

#include "clip.h"
#include "described_run.h"
#include "frame_progress.h"
#include "frame_range.h"
#include "run_folders.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/render/render_run.h>

#include <system_error>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// With its dot: as asked for, as the output's ending says, or PNG.
std::string extension_of(const RenderCommand& command)
{
    if (!command.format.empty() && command.format != "png" && command.format != "jpg")
        throw InputError("--format " + command.format + ": expected png or jpg");
    std::string ending = command.output.extension().string();
    if (is_picture_extension(ending)) {
        if (!command.format.empty() && ending != "." + command.format)
            throw InputError("-o " + command.output.string() + ": the name does not end in ." +
                             command.format + " as --format asks for");
        return ending;
    }
    return command.format.empty() ? ".png" : "." + command.format;
}

/// A picture that is there may be replaced if we made it, or if that is what was asked for.
void check_place(const fs::path& path, const RenderCommand& command)
{
    std::error_code ignored;
    if (fs::exists(path, ignored) && !command.redo && !is_our_picture(path))
        throw InputError(path.string() + ": is there and not a picture that Phyxel made; choose another name "
                                         "with -o, or replace it with --redo");
}

ExitCode draw_one(const fs::path& path, const Picture& picture, const RenderCommand& command)
{
    write_picture(path, picture);
    if (!command.quiet) print(path.string() + ": 1 picture made\n");
    return Done;
}

ExitCode render_files(const RenderCommand& command)
{
    if (!command.frames.empty())
        throw InputError("--frames " + command.frames + ": only a run has frames to choose from");
    if (!command.clip.empty())
        throw InputError("--clip " + command.clip.string() + ": only a run can become a clip");
    if (!command.compare.empty())
        throw InputError("--compare " + command.compare.string() + ": only runs can be compared");
    for (const fs::path& input : command.inputs) {
        std::error_code error;
        if (!fs::exists(input, error)) throw InputError(input.string() + ": no such file or folder");
        if (fs::is_directory(input, error))
            throw InputError(input.string() + ": a run is drawn alone, without other inputs");
    }
    const std::string extension = extension_of(command);
    fs::path path = command.output;
    std::error_code error;
    const bool is_folder = !path.empty() && (fs::is_directory(path, error) || !path.has_filename());
    if (path.empty() || is_folder) path /= command.inputs[0].stem().string() + extension;
    if (!is_picture_extension(path.extension().string()))
        throw InputError("-o " + command.output.string() +
                         ": expected a picture, a name that ends in .png or .jpg");
    check_place(path, command);
    RenderSettings usual;
    usual.color.field.clear(); // files need not have velocities
    return draw_one(path, draw_files(command.inputs, look_of(usual, command.picture)), command);
}

ExitCode render_frames(RunPictures& pictures, const RenderCommand& command, double frame_rate)
{
    const std::size_t count = pictures.frames().size();
    FrameProgress progress(command.quiet, "picture", count);
    std::size_t made = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint64_t frame = pictures.frames()[k];
        if (pictures.is_done(frame)) continue;
        pictures.make(frame);
        ++made;
        progress.show(k + 1);
        if (progress.is_stopped("goes on")) return Interrupted;
    }
    progress.clear();
    if (!command.clip.empty()) make_clip(pictures, command.clip, frame_rate);
    if (!command.quiet)
        print((command.clip.empty() ? pictures.path(pictures.frames().back()) : command.clip).string() +
              ": " + count_text(made, "picture", "pictures") + " made, " +
              count_text(count - made, "was", "were") + " there before\n");
    return Done;
}

ExitCode render_recorded(const fs::path& run, const RenderCommand& command)
{
    RunPictureOptions options;
    options.extension = extension_of(command);
    options.redo = command.redo;
    if (!command.frames.empty()) {
        const FrameRange range = parse_frames(command.frames);
        options.first_frame = range.first;
        if (range.end) options.last_frame = *range.end - 1;
    }
    if (!command.clip.empty()) {
        check_clip(command.clip);
        std::error_code ignored;
        if (fs::exists(command.clip, ignored) && !command.redo)
            throw InputError(command.clip.string() + ": is there already; --redo replaces it");
    }
    // Before the run is read, which takes its time.
    static_cast<void>(look_of({}, command.picture));

    const bool is_one = is_picture_extension(command.output.extension().string());
    if (is_one) {
        if (!command.clip.empty())
            throw InputError("--clip needs a folder for its pictures, not one picture");
        check_place(command.output, command);
    } else {
        options.folder = command.output;
    }
    std::error_code error;
    if (!fs::is_directory(run, error)) throw InputError(run.string() + ": no such file or folder");
    const DescribedRun described = describe_run(run);
    options.look = look_of(described.render, command.picture);
    options.look.units = described.units;
    if (!command.compare.empty()) {
        const fs::path other = find_run(command.compare);
        if (!fs::is_directory(other, error)) throw InputError(other.string() + ": no such file or folder");
        options.compare = ComparedRun{other, describe_run(other).surroundings};
    }
    RunPictures pictures(run, described.surroundings, options);
    try {
        if (!is_one) return render_frames(pictures, command, described.frame_rate);
    } catch (const OtherPicturesError& error_of_folder) {
        throw InputError(std::string(error_of_folder.what()) +
                         "; choose another folder with -o, or replace them with --redo");
    }
    if (pictures.frames().size() != 1)
        throw InputError("-o " + command.output.string() + ": there are " +
                         std::to_string(pictures.frames().size()) +
                         " frames for one picture; choose one with --frames, as in 20:21, or give a folder");
    return draw_one(command.output, pictures.draw(pictures.frames().front()), command);
}

} // namespace

ExitCode render_pictures(const RenderCommand& command)
{
    if (command.inputs.size() == 1) {
        const fs::path input = find_run(command.inputs[0]);
        std::error_code error;
        if (fs::is_directory(input, error) || !input.has_extension()) return render_recorded(input, command);
    }
    return render_files(command);
}

} // namespace phyxel::command
