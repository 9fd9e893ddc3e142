// SPDX-License-Identifier: MIT
// Pictures of a recorded run as files: RUN/frames/NAME_000042.ply become RUN/pictures/FIELD_000042.png.
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/render/frame_pictures.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// A run that is drawn beside another one.
struct ComparedRun {
    std::filesystem::path run;
    RunSurroundings surroundings = {};
};

struct RunPictureOptions {
    PictureLook look = {};
    std::optional<ComparedRun> compare =
        {};                            ///< each has half of the picture, with the same camera and colours
    std::string name = {};             ///< of the pictures; that of the field, or `body`, if empty
    std::string extension = ".png";    ///< .png, .jpg or .jpeg
    std::filesystem::path folder = {}; ///< RUN/pictures if empty
    std::uint64_t first_frame = 0;
    std::uint64_t last_frame = std::numeric_limits<std::uint64_t>::max();
    bool redo = false; ///< also makes pictures anew that exist already
};

/// There are pictures of the same names that other options made of these frames, and they stay as they are.
class OtherPicturesError : public InputError {
public:
    using InputError::InputError;
};

/// A run that has been looked at as a whole, to be drawn frame by frame. Missing or unreadable things are an
/// InputError of one line.
class RunPictures {
public:
    RunPictures(const std::filesystem::path& run, RunSurroundings surroundings, RunPictureOptions options);

    /// Numbers of the frames that were asked for, ascending.
    const std::vector<std::uint64_t>& frames() const { return frames_; }

    std::filesystem::path path(std::uint64_t frame) const;

    /// Whether the picture is there already, was made with the same options, and is not older than the frame.
    bool is_done(std::uint64_t frame) const;

    /// Draws one frame without writing it.
    Picture draw(std::uint64_t frame) const
    {
        return other_ ? FramePictures::draw_both(*pictures_, *other_, frame) : pictures_->draw(frame);
    }

    /// Draws and writes the picture; it appears whole or not at all. A picture of that name that is not ours
    /// is an InputError, those of other options are an OtherPicturesError unless they are to be made anew or
    /// the run has changed since.
    void make(std::uint64_t frame);

    const Camera& camera() const { return pictures_->camera(); } ///< at time 0
    const ValueRange& range() const { return pictures_->range(); }

private:
    std::string settings() const;
    void add_compared();
    void read_settings();
    std::vector<std::filesystem::path> old_pictures() const;
    void require_same_settings() const;
    void prepare_folder();

    RunPictureOptions options_;
    std::vector<FrameFile> files_;
    std::vector<std::uint64_t> frames_;
    std::optional<FramePictures> pictures_;
    std::optional<FramePictures> other_; ///< what they are compared with
    bool is_folder_ready_ = false;
    bool has_same_settings_ = false;
};

/// All pictures of a run; those that exist are left alone. Returns how many were made. `progress` hears of
/// each frame before it is begun.
std::size_t render_run(const std::filesystem::path& run, const RunSurroundings& surroundings,
                       const RunPictureOptions& options,
                       const std::function<void(std::uint64_t frame)>& progress = {});

} // namespace phyxel
