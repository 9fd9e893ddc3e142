// SPDX-License-Identifier: MIT
#include <phyxel/core/timer.h>

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace phyxel::timer_test {
namespace {

TEST(Stopwatch, measures_at_least_the_time_that_passed)
{
    Stopwatch watch;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_GE(watch.seconds(), 0.005);
    EXPECT_GE(watch.restart(), 0.005);
    EXPECT_LT(watch.seconds(), 0.005);
}

TEST(Stopwatch, laps_add_up_to_the_whole)
{
    const Stopwatch whole;
    Stopwatch lap;
    double sum = 0.0;
    for (int i = 0; i < 1000; ++i) sum += lap.restart();
    EXPECT_LE(sum, whole.seconds());
}

TEST(StageTimes, stages_keep_the_order_of_their_first_run_and_add_up)
{
    StageTimes times;
    times.add("search", 1.0);
    times.add("density", 0.25);
    times.add("search", 2.0);
    ASSERT_EQ(times.stages().size(), 2u);
    EXPECT_EQ(times.stages()[0].name, "search");
    EXPECT_EQ(times.stages()[0].seconds, 3.0);
    EXPECT_EQ(times.stages()[1].name, "density");
    EXPECT_EQ(times.stages()[1].seconds, 0.25);
}

} // namespace
} // namespace phyxel::timer_test
