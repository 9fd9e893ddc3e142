// SPDX-License-Identifier: MIT
// How much may be done to answer a question, and whether anybody still waits for the answer. Work is counted
// and not timed, so that the answer is the same on every machine and under any load.
#pragma once

#include <exception>
#include <limits>
#include <memory>
#include <stop_token>
#include <utility>

namespace phyxel {

/// Nobody waits for the answer any more.
class WorkStopped : public std::exception {
public:
    const char* what() const noexcept override { return "stopped"; }
};

/// All that was allowed is spent, and the question is still open.
class WorkLimitReached : public std::exception {
public:
    const char* what() const noexcept override { return "more work than is allowed"; }
};

/// Handed down to whatever may take long. Copies share what is left; they may be spent by several threads at
/// once. Whether the limit is reached depends on the sum alone, not on who spends first.
class WorkBudget {
public:
    /// As much as it takes, and nobody stops it.
    WorkBudget() = default;

    /// As much as it takes, until somebody stops it.
    explicit WorkBudget(std::stop_token stop) : WorkBudget(endless, std::move(stop)) {}

    /// A unit is a box or two of a search tree, or a simple shape, that is looked at: about 10 ns.
    explicit WorkBudget(double limit, std::stop_token stop = {});

    /// To be called before so much is done. Throws WorkLimitReached, then and ever after, or WorkStopped.
    void spend(double units) const;

    /// For work that is not worth counting. Throws WorkStopped.
    void throw_if_stopped() const;

    /// Infinity if there is no limit.
    double left() const;

private:
    static constexpr double endless = std::numeric_limits<double>::infinity();

    struct State;
    std::shared_ptr<State> state_;
};

} // namespace phyxel
