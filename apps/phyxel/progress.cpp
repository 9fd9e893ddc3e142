// SPDX-License-Identifier: MIT
#include "progress.h"

#include "console.h"
#include "text.h"

#include <phyxel/core/number_text.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <sys/ioctl.h>
#include <unistd.h>

namespace phyxel::command {
namespace {

constexpr double seconds_between_bars = 0.1;
constexpr double seconds_between_lines = 5.0;

std::size_t terminal_width()
{
    winsize size = {};
    constexpr std::size_t usual = 80;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

std::uint64_t last_frame(const RunProgress& progress)
{
    return progress.end_frame > 0 ? progress.end_frame - 1 : 0;
}

/// 0:42, 1:05:00; as short as possible.
std::string clock_text(double seconds)
{
    constexpr double most = 1e9;
    const auto whole = static_cast<std::uint64_t>(std::clamp(std::ceil(seconds), 0.0, most));
    const auto two = [](std::uint64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
    if (whole < 3600) return std::to_string(whole / 60) + ":" + two(whole % 60);
    return std::to_string(whole / 3600) + ":" + two(whole / 60 % 60) + ":" + two(whole % 60);
}

/// What there is to say after the frame, in the order in which it is said; `left` is how times are written.
std::vector<std::string> parts_of(const RunProgress& progress, double end_time, std::string (*left)(double))
{
    std::vector<std::string> parts = {
        number_text(progress.time, 4) + " s",
        count_text(progress.particles, "particle", "particles"),
        count_text(progress.steps, "step", "steps"),
    };
    if (progress.seconds > 0 && progress.simulated > 0) {
        const double speed = progress.simulated / progress.seconds;
        parts.push_back(number_text(speed, 2) + " s/s");
        parts.push_back(left(std::max(0.0, end_time - progress.time) / speed) + " left");
    }
    return parts;
}

std::string joined(const std::vector<std::string>& parts, const std::string& separator)
{
    std::string text;
    for (const std::string& part : parts) {
        if (!text.empty()) text += separator;
        text += part;
    }
    return text;
}

} // namespace

std::string progress_line(const RunProgress& progress, double end_time, std::size_t width)
{
    std::vector<std::string> parts = parts_of(progress, end_time, clock_text);
    parts.insert(parts.begin(), std::to_string(progress.frame) + "/" + std::to_string(last_frame(progress)));
    constexpr std::size_t least = 5, most = 30, brackets = 3;
    // The time left is what people look for, so it is the last to go.
    while (parts.size() > 1 && joined(parts, "  ").size() + brackets + least > width)
        parts.erase(parts.size() > 2 ? parts.end() - 2 : parts.end() - 1);
    const std::string text = joined(parts, "  ");
    if (text.size() + brackets + least > width) return text.substr(0, width);

    const std::size_t length = std::min(width - text.size() - brackets, most);
    const double share = end_time > 0 ? std::clamp(progress.time / end_time, 0.0, 1.0) : 0.0;
    const auto filled = static_cast<std::size_t>(std::floor(share * static_cast<double>(length)));
    std::string bar(length, ' ');
    std::fill_n(bar.begin(), filled, '=');
    if (filled < length) bar[filled] = '>';
    return "[" + bar + "] " + text;
}

ProgressDisplay::Mode ProgressDisplay::default_mode() { return can_redraw() ? Mode::Bar : Mode::Lines; }

void ProgressDisplay::show(const RunProgress& progress)
{
    if (mode_ == Mode::None || (mode_ == Mode::Lines && !progress.frame_written)) return;
    const double pause = mode_ == Mode::Bar ? seconds_between_bars : seconds_between_lines;
    // The first line comes soon, so that everybody sees that it runs.
    if (!is_first_ && since_last_.seconds() < pause) return;
    is_first_ = false;
    since_last_.restart();
    if (mode_ == Mode::Lines) {
        say("frame " + count_text(progress.frame) + " of " + count_text(last_frame(progress)) + ", " +
            joined(parts_of(progress, end_time_, duration_text), ", "));
        return;
    }
    std::fprintf(stderr, "\r%s\033[K", progress_line(progress, end_time_, terminal_width() - 1).c_str());
    std::fflush(stderr);
    is_drawn_ = true;
}

void ProgressDisplay::clear()
{
    if (!is_drawn_) return;
    std::fputs("\r\033[K", stderr);
    std::fflush(stderr);
    is_drawn_ = false;
}

} // namespace phyxel::command
