// SPDX-License-Identifier: MIT
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/work_budget.h>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace phyxel::work_budget_test {
namespace {

TEST(WorkBudget, without_a_limit_is_never_spent)
{
    const WorkBudget work;
    work.spend(1e300);
    work.spend(std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isinf(work.left()));
}

TEST(WorkBudget, copies_share_what_is_left)
{
    const WorkBudget work(100.0);
    const WorkBudget copy = work;
    work.spend(60.0);
    EXPECT_EQ(copy.left(), 40.0);
    EXPECT_THROW(copy.spend(41.0), WorkLimitReached);
    EXPECT_THROW(work.spend(1.0), WorkLimitReached) << "once reached it stays so";
}

TEST(WorkBudget, what_is_spent_up_to_the_limit_is_allowed)
{
    const WorkBudget work(100.0);
    work.spend(100.0);
    EXPECT_EQ(work.left(), 0.0);
}

TEST(WorkBudget, nothing_that_is_spent_overflows)
{
    const WorkBudget work(1e18);
    work.spend(-5.0);
    for (int i = 0; i < 100; ++i) EXPECT_THROW(work.spend(1e300), WorkLimitReached);
}

TEST(WorkBudget, the_sum_decides_on_any_number_of_threads)
{
    for (const int threads : {1, 3}) {
        const ThreadLimit limit(threads);
        const WorkBudget enough(1000.0);
        parallel_for(
            1000, [&](Index) { enough.spend(1.0); }, 1);
        const WorkBudget too_little(999.0);
        EXPECT_THROW(parallel_for(
                         1000, [&](Index) { too_little.spend(1.0); }, 1),
                     WorkLimitReached);
    }
}

TEST(WorkBudget, is_stopped_by_its_token)
{
    std::stop_source source;
    const WorkBudget work(source.get_token());
    work.spend(1e12);
    work.throw_if_stopped();
    source.request_stop();
    EXPECT_THROW(work.spend(1.0), WorkStopped);
    EXPECT_THROW(work.throw_if_stopped(), WorkStopped);
}

} // namespace
} // namespace phyxel::work_budget_test
