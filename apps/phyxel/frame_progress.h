// SPDX-License-Identifier: MIT
// How far a command is that goes through the frames of a run: on a terminal one line that is redrawn,
// elsewhere a line every few seconds. Writes to stderr. While it lives, Ctrl-C is a wish.
#pragma once

#include "interrupt.h"

#include <phyxel/core/timer.h>

#include <cstddef>
#include <string>

namespace phyxel::command {

class FrameProgress {
public:
    /// `what` is one of the things that are made, such as "surface"; `count` of them are asked for.
    FrameProgress(bool is_quiet, std::string what, std::size_t count);
    ~FrameProgress() { clear(); }
    FrameProgress(const FrameProgress&) = delete;
    FrameProgress& operator=(const FrameProgress&) = delete;

    /// One more was made; `number` counts from 1, those that were there before included.
    void show(std::size_t number);

    /// Whether somebody wishes to stop. Then it is said what the same command does: "goes on".
    bool is_stopped(const std::string& next_time);

    /// Takes the line off the terminal.
    void clear();

private:
    InterruptGuard interrupts_;
    bool is_quiet_;
    bool has_bar_;
    bool is_shown_ = false;
    std::string what_;
    std::size_t count_;
    std::size_t made_ = 0;
    Stopwatch watch_;
    Stopwatch since_line_;
};

} // namespace phyxel::command
