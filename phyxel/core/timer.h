// SPDX-License-Identifier: MIT
// Wall-clock time as returned data: a step says how long its stages took, and the caller writes it down.
#pragma once

#include <phyxel/core/assert.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace phyxel {

class Stopwatch {
public:
    /// Seconds since construction or the last `restart`.
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    /// Seconds so far; begins again at zero.
    double restart()
    {
        const Clock::time_point now = Clock::now();
        return std::chrono::duration<double>(now - std::exchange(start_, now)).count();
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

/// Time spent in the stages of a step, in the order in which they first ran. Without memory of its own on the
/// heap, since every step makes one.
class StageTimes {
public:
    static constexpr std::size_t max_stages = 24;

    struct Stage {
        std::string_view name; ///< a literal
        double seconds;
    };

    std::span<const Stage> stages() const { return {stages_.data(), count_}; }

    void add(std::string_view name, double seconds)
    {
        for (Stage& stage : std::span(stages_.data(), count_)) {
            if (stage.name == name) {
                stage.seconds += seconds;
                return;
            }
        }
        PHYXEL_ASSERT(count_ < max_stages);
        if (count_ < max_stages) stages_[count_++] = {name, seconds};
    }

    void add(const StageTimes& other)
    {
        for (const Stage& stage : other.stages()) add(stage.name, stage.seconds);
    }

private:
    std::array<Stage, max_stages> stages_{};
    std::size_t count_ = 0;
};

} // namespace phyxel
