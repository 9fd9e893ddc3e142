// SPDX-License-Identifier: MIT
// The log of a run: what was said, and when. While it is open, nobody else can write the same run.
#pragma once

#include <filesystem>
#include <string>

namespace phyxel::command {

/// Keeps lines until the run has a folder, and then appends them to its log.txt. A log that cannot be written
/// is no reason to stop.
class RunLog {
public:
    RunLog() = default;
    ~RunLog();
    RunLog(const RunLog&) = delete;
    RunLog& operator=(const RunLog&) = delete;

    void add(const std::string& line);

    /// Throws InputError if another program has it open.
    void open(const std::filesystem::path& run);

private:
    void write_waiting();

    int descriptor_ = -1;
    std::string waiting_;
};

} // namespace phyxel::command
