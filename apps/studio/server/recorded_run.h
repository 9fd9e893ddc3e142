// SPDX-License-Identifier: MIT
// The frames of a recorded run, read from disk ahead of the one that is shown, so that playing does not wait
// for the disk.
#pragma once

#include "show.h"

#include <phyxel/core/snapshot.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace phyxel::studio {

/// Which files there are; nothing is read yet. Surfaces (NAME_surface) belong to the bodies that they cover.
class RecordedFrames {
public:
    /// Throws InputError if there are none.
    explicit RecordedFrames(const std::filesystem::path& run);

    const std::vector<std::uint64_t>& numbers() const { return numbers_; } ///< ascending
    const std::vector<std::string>& bodies() const { return bodies_; }

    /// The bodies at a frame, with their surfaces if asked for; one that has no file then is empty. Throws
    /// InputError.
    std::vector<Snapshot> read(std::uint64_t number, bool with_surfaces) const;

private:
    struct Files {
        std::map<std::uint64_t, std::filesystem::path> points, surfaces; ///< by frame
    };
    std::vector<std::uint64_t> numbers_;
    std::vector<std::string> bodies_;
    std::vector<Files> files_; ///< of each body
};

/// Reads the frames that come next in a thread of its own.
class FramesAhead {
public:
    explicit FramesAhead(const RecordedFrames& frames);
    ~FramesAhead();
    FramesAhead(const FramesAhead&) = delete;
    FramesAhead& operator=(const FramesAhead&) = delete;

    /// The frame at a position in the list of numbers. Waits if it was not read yet; those after it are read
    /// next.
    std::shared_ptr<const std::vector<Snapshot>> get(std::size_t position, bool with_surfaces);

private:
    struct Slot {
        std::shared_ptr<const std::vector<Snapshot>> snapshots;
        std::string error; ///< why it could not be read
    };

    void read_on();
    std::optional<std::size_t> next_missing() const;

    const RecordedFrames& frames_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::size_t, Slot> slots_;
    std::size_t position_ = 0;
    bool with_surfaces_ = true;
    bool is_ending_ = false;
    std::thread thread_;
};

} // namespace phyxel::studio
