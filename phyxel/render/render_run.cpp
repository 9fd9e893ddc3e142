// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/render/render_run.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

void require_ours(const fs::path& path)
{
    std::error_code ignored;
    if (fs::exists(path, ignored) && !is_our_picture(path))
        throw InputError(path.string() + ": is there and not a picture that Phyxel made; it stays as it is");
}

} // namespace

RunPictures::RunPictures(const fs::path& run, RunSurroundings surroundings, RunPictureOptions options)
    : options_(std::move(options))
{
    if (!is_picture_extension(options_.extension))
        throw InputError("pictures of the kind \"" + options_.extension +
                         "\" cannot be written; allowed: .png, .jpg, .jpeg");
    if (options_.folder.empty()) options_.folder = run / "pictures";
    std::error_code ignored;
    if (!fs::is_directory(run, ignored)) throw InputError(run.string() + ": no such run");
    files_ = find_frames(run);
    if (files_.empty())
        throw InputError(run.string() + ": there are no frames in " + (run / "frames").string());
    std::set<std::uint64_t> numbers;
    for (const FrameFile& file : files_) numbers.insert(file.number);
    for (const std::uint64_t number : numbers)
        if (number >= options_.first_frame && number <= options_.last_frame) frames_.push_back(number);
    if (frames_.empty())
        throw InputError(run.string() + ": none of the frames that were asked for exist; there are " +
                         std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin()));
    if (options_.compare) options_.look.render.width = std::max(1, options_.look.render.width / 2);
    pictures_.emplace(run.string(), files_, std::move(surroundings), options_.look);
    if (options_.name.empty()) options_.name = pictures_->color() + (options_.compare ? "_compared" : "");
    if (!is_body_name(options_.name)) throw InputError("pictures cannot be named \"" + options_.name + "\"");
    if (options_.compare) add_compared();
    read_settings();
}

void RunPictures::add_compared()
{
    const fs::path& run = options_.compare->run;
    std::error_code ignored;
    if (!fs::is_directory(run, ignored)) throw InputError(run.string() + ": no such run");
    const std::vector<FrameFile> files = find_frames(run);
    if (files.empty())
        throw InputError(run.string() + ": there are no frames in " + (run / "frames").string());
    std::set<std::uint64_t> numbers;
    for (const FrameFile& file : files) numbers.insert(file.number);
    std::erase_if(frames_, [&](std::uint64_t frame) { return !numbers.contains(frame); });
    if (frames_.empty())
        throw InputError(run.string() + ": has none of the frames that it is compared in; there are " +
                         std::to_string(*numbers.begin()) + " to " + std::to_string(*numbers.rbegin()));
    other_.emplace(run.string(), files, options_.compare->surroundings, options_.look);
    FramePictures::align(*pictures_, *other_);
    files_.insert(files_.end(), files.begin(), files.end());
}

std::string RunPictures::settings() const
{
    std::string text = "These pictures were made with:\n" + pictures_->settings();
    if (other_) text += "beside " + options_.compare->run.string() + "\n" + other_->settings();
    return text;
}

void RunPictures::read_settings()
{
    const fs::path file = options_.folder / (options_.name + ".txt");
    std::error_code ignored;
    if (!fs::is_regular_file(file, ignored)) return;
    const Buffer<std::byte> bytes = read_file(file);
    has_same_settings_ =
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == settings();
}

fs::path RunPictures::path(std::uint64_t frame) const
{
    return options_.folder / frame_file_name(options_.name, frame, options_.extension);
}

bool RunPictures::is_done(std::uint64_t frame) const
{
    std::error_code error;
    if (options_.redo || !has_same_settings_ || !fs::is_regular_file(path(frame), error)) return false;
    // The run may have been made anew since.
    const auto made = fs::last_write_time(path(frame), error);
    return !error && std::none_of(files_.begin(), files_.end(), [&](const FrameFile& file) {
        std::error_code unknown;
        return file.number == frame && fs::last_write_time(file.path, unknown) > made;
    });
}

/// Of all frames, in whatever format.
std::vector<fs::path> RunPictures::old_pictures() const
{
    std::set<std::uint64_t> numbers; // of which each body has a file
    for (const FrameFile& file : files_) numbers.insert(file.number);
    std::vector<fs::path> old;
    std::error_code ignored;
    for (const std::uint64_t number : numbers)
        for (const char* extension : {".png", ".jpg", ".jpeg"})
            if (fs::path path = options_.folder / frame_file_name(options_.name, number, extension);
                fs::exists(path, ignored))
                old.push_back(std::move(path));
    return old;
}

void RunPictures::require_same_settings() const
{
    const fs::path file = options_.folder / (options_.name + ".txt");
    std::error_code error;
    const auto made = fs::last_write_time(file, error);
    if (has_same_settings_ || options_.redo || error) return;
    // Those of a run that has changed are of no use any more.
    for (const FrameFile& frame : files_)
        if (fs::last_write_time(frame.path, error) > made) return;
    const std::size_t count = old_pictures().size();
    if (count == 0) return;
    throw OtherPicturesError(options_.folder.string() + ": holds " + std::to_string(count) +
                             (count == 1 ? " picture" : " pictures") + " named " + options_.name +
                             " made with other options, which " + file.filename().string() + " lists");
}

void RunPictures::prepare_folder()
{
    create_folder(options_.folder);
    remove_abandoned_files(options_.folder);
    if (!has_same_settings_) {
        // Pictures made with other options must not be taken for finished ones, now or by a later call that
        // asks for other frames.
        const std::vector<fs::path> old = old_pictures();
        for (const fs::path& picture : old) require_ours(picture);
        for (const fs::path& picture : old) remove_file(picture);
        write_file(options_.folder / (options_.name + ".txt"), settings());
        has_same_settings_ = true;
    }
    is_folder_ready_ = true;
}

void RunPictures::make(std::uint64_t frame)
{
    require_ours(path(frame));
    if (!is_folder_ready_) require_same_settings();
    const Picture picture = draw(frame);
    if (!is_folder_ready_) prepare_folder();
    write_picture(path(frame), picture);
}

std::size_t render_run(const fs::path& run, const RunSurroundings& surroundings,
                       const RunPictureOptions& options,
                       const std::function<void(std::uint64_t frame)>& progress)
{
    RunPictures pictures(run, surroundings, options);
    std::size_t made = 0;
    for (const std::uint64_t frame : pictures.frames()) {
        if (pictures.is_done(frame)) continue;
        if (progress) progress(frame);
        pictures.make(frame);
        ++made;
    }
    return made;
}

} // namespace phyxel
