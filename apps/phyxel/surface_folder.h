// SPDX-License-Identifier: MIT
// The files that are made of the frames of a run in one folder, and what they were made with: what was made
// with other options, or of frames that were written again, is made anew.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace phyxel::command {

class SurfaceFolder {
public:
    /// `settings` are written to a file once the first of the others is. With `redo` nothing counts as done.
    SurfaceFolder(std::filesystem::path settings_file, std::string settings, bool redo);

    /// Whether the file is there, was made with the same options, and is not older than what it is made of,
    /// which a resumed or repeated run may have written again.
    bool is_done(const std::filesystem::path& output, std::span<const std::filesystem::path> inputs) const;

    /// Before a file is written. `stale` lists those that were made with other options.
    void prepare(const std::function<std::vector<std::filesystem::path>()>& stale);

private:
    std::filesystem::path settings_file_;
    std::string settings_;
    bool redo_;
    bool are_settings_written_ = false;
};

} // namespace phyxel::command
