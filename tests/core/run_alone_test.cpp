// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/run_alone.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace phyxel::run_alone_test {
namespace {

TEST(RunAlone, does_the_work_leaves_threads_to_others_and_passes_failures_on)
{
    std::vector<int> done(1000, 0);
    run_alone([&] { parallel_for(done.size(), [&](Index i) { done[i] = 1; }); });
    EXPECT_EQ(std::count(done.begin(), done.end(), 1), 1000);
    const ThreadLimit limit(3);
    run_alone([] { EXPECT_EQ(thread_count(), 3); });
    EXPECT_THROW(run_alone([] { throw InputError("no"); }), InputError);
}

} // namespace
} // namespace phyxel::run_alone_test
