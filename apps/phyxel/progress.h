// SPDX-License-Identifier: MIT
// How far a run is: one line that is redrawn on a terminal, a line now and then elsewhere.
#pragma once

#include <phyxel/core/timer.h>
#include <phyxel/world/run.h>

#include <string>

namespace phyxel::command {

/// `[=====>    ] 12/60  0.4 s  15,000 particles  1,234 steps  0.031 s/s  1:20 left`, as much of it as fits
/// into `width` characters: frame, time, particles, steps, simulated seconds in a second, time left.
/// `end_time` is that of the last frame that is wanted [s].
std::string progress_line(const RunProgress& progress, double end_time, std::size_t width);

/// Writes to stderr.
class ProgressDisplay {
public:
    enum class Mode { None, Lines, Bar };

    ProgressDisplay(Mode mode, double end_time) : mode_(mode), end_time_(end_time) {}
    ~ProgressDisplay() { clear(); }
    ProgressDisplay(const ProgressDisplay&) = delete;
    ProgressDisplay& operator=(const ProgressDisplay&) = delete;

    /// Bar on a terminal, else lines.
    static Mode default_mode();

    void show(const RunProgress& progress);

    /// Takes the bar away, so that another line can be written.
    void clear();

private:
    Mode mode_;
    double end_time_;
    Stopwatch since_last_;
    bool is_first_ = true;
    bool is_drawn_ = false;
};

} // namespace phyxel::command
