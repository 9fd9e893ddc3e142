// SPDX-License-Identifier: MIT
#include <phyxel/core/work_budget.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <utility>

namespace phyxel {

struct WorkBudget::State {
    State(double given_limit, std::stop_token given_stop) : limit(given_limit), stop(std::move(given_stop)) {}

    double limit;
    std::stop_token stop;
    std::atomic<std::uint64_t> spent = 0; ///< a whole number: sums of those do not depend on their order
};

namespace {

/// What is spent at once is cut to this, so that the sum cannot overflow.
constexpr double most = 0x1p60;

} // namespace

WorkBudget::WorkBudget(double limit, std::stop_token stop)
    : state_(std::make_shared<State>(std::min(limit, endless), std::move(stop)))
{
}

void WorkBudget::spend(double units) const
{
    if (!state_) return;
    throw_if_stopped();
    if (state_->limit == endless) return;
    const auto whole = static_cast<std::uint64_t>(std::ceil(std::clamp(units, 0.0, most)));
    const std::uint64_t before = state_->spent.load();
    if (static_cast<double>(before) > state_->limit) throw WorkLimitReached();
    if (static_cast<double>(state_->spent.fetch_add(whole) + whole) > state_->limit) throw WorkLimitReached();
}

void WorkBudget::throw_if_stopped() const
{
    if (state_ && state_->stop.stop_requested()) throw WorkStopped();
}

double WorkBudget::left() const
{
    if (!state_ || state_->limit == endless) return endless;
    return std::max(0.0, state_->limit - static_cast<double>(state_->spent.load()));
}

} // namespace phyxel
