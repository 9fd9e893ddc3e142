// SPDX-License-Identifier: MIT
// Wall-clock time as returned data: a step says how long its stages took, and the caller writes it down.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

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

/// Time spent in the stages of a step, in the order in which they first ran.
struct StageTimes {
    struct Stage {
        std::string_view name; ///< a literal
        double seconds;
    };
    std::vector<Stage> stages;

    void add(std::string_view name, double seconds)
    {
        for (Stage& stage : stages) {
            if (stage.name == name) {
                stage.seconds += seconds;
                return;
            }
        }
        stages.push_back({name, seconds});
    }
};

} // namespace phyxel
