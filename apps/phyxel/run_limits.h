// SPDX-License-Identifier: MIT
// What a run may take of the machine at most, for scenes from strangers.
#pragma once

#include <phyxel/core/timer.h>

#include <optional>
#include <string>

namespace phyxel::command {

/// As they were given; empty is no limit.
struct RunLimits {
    std::string memory; ///< such as "2 GB"
    std::string time;   ///< such as "10 min"
};

/// Watches a program from its own beginning on.
class LimitWatch {
public:
    /// Throws InputError for what is no size or no time. A limit of memory is also told to the system,
    /// somewhat higher: whatever grows beyond it between two looks gets no more and throws std::bad_alloc.
    explicit LimitWatch(const RunLimits& limits);

    /// [bytes]
    std::optional<double> memory() const { return memory_; }

    /// Which limit is reached now, and how; nothing if none is.
    std::optional<std::string> reached() const;

private:
    RunLimits limits_;
    std::optional<double> memory_;  ///< [bytes]
    std::optional<double> seconds_; ///< wall-clock
    Stopwatch watch_;
};

/// A size such as "500 MB" or "1.5 GiB" [bytes]. Throws InputError.
double parse_size(const std::string& text);

} // namespace phyxel::command
