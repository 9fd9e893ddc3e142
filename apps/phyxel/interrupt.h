// SPDX-License-Identifier: MIT
// Ctrl-C as a wish that is granted after the current step; a second one ends the program at once.
#pragma once

namespace phyxel::command {

/// While it lives, SIGINT, SIGTERM and SIGHUP are noted instead of ending the program; the second of them
/// ends it. There is one at a time.
class InterruptGuard {
public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

    /// Whether a signal came since the guard was made.
    bool is_interrupted() const;
};

} // namespace phyxel::command
