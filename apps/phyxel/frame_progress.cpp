// SPDX-License-Identifier: MIT
#include "frame_progress.h"

#include "console.h"

#include <phyxel/core/number_text.h>

#include <cstdio>
#include <utility>

namespace phyxel::command {

FrameProgress::FrameProgress(bool is_quiet, std::string what, std::size_t count)
    : is_quiet_(is_quiet),
      has_bar_(!is_quiet && can_redraw()),
      what_(std::move(what)),
      count_(count)
{
}

void FrameProgress::show(std::size_t number)
{
    const std::string line = what_ + " " + std::to_string(number) + " of " + std::to_string(count_) + ", " +
                             number_text(watch_.seconds() / static_cast<double>(++made_), 2) + " s each";
    if (has_bar_) {
        std::fprintf(stderr, "\r\033[K%s", line.c_str());
        is_shown_ = true;
    } else if (!is_quiet_ && (number == count_ || since_line_.seconds() > 5.0)) {
        since_line_.restart();
        say(line);
    }
}

bool FrameProgress::is_stopped(const std::string& next_time)
{
    if (!interrupts_.is_interrupted()) return false;
    clear();
    say("stopped; the same command " + next_time);
    return true;
}

void FrameProgress::clear()
{
    if (is_shown_) std::fputs("\r\033[K", stderr);
    is_shown_ = false;
}

} // namespace phyxel::command
