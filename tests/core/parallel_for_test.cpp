// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>
#include <unistd.h>

namespace phyxel::parallel_for_test {
namespace {

TEST(ParallelFor, every_item_is_visited_once)
{
    for (const std::size_t count : {0u, 1u, 7u, 1024u, 1025u, 20000u}) {
        std::vector<std::atomic<int>> visits(count);
        parallel_for(
            count, [&](Index i) { ++visits[i]; }, 64);
        for (const auto& visit : visits) ASSERT_EQ(visit, 1);
    }
}

TEST(ParallelFor, blocks_cover_the_range_and_do_not_depend_on_the_number_of_threads)
{
    auto blocks_with = [](int threads) {
        const ThreadLimit limit(threads);
        std::vector<Block> blocks(block_count(1000, 64));
        parallel_for_blocks(1000, 64, [&](const Block& block) { blocks[block.number] = block; });
        return blocks;
    };
    for (const int threads : {1, 2, 5}) {
        std::size_t expected_begin = 0;
        for (const Block& block : blocks_with(threads)) {
            EXPECT_EQ(block.begin, expected_begin);
            EXPECT_EQ(block.end, std::min<std::size_t>(block.begin + 64, 1000));
            expected_begin = block.end;
        }
        EXPECT_EQ(expected_begin, 1000u);
    }
}

TEST(ParallelFor, a_block_is_done_by_one_thread_from_front_to_back)
{
    const ThreadLimit limit(4);
    std::vector<std::vector<Index>> order(block_count(1000, 10));
    std::vector<std::set<std::thread::id>> threads(order.size());
    parallel_for(
        1000,
        [&](Index i) {
            order[i / 10].push_back(i);
            threads[i / 10].insert(std::this_thread::get_id());
        },
        10);
    for (std::size_t block = 0; block < order.size(); ++block) {
        EXPECT_EQ(threads[block].size(), 1u);
        for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(order[block][k], 10 * block + k);
    }
}

TEST(ParallelFor, blocks_begin_in_ascending_order)
{
    // Each block waits until the one below it has begun. Were they begun in any other order, the loop would
    // hang on one thread, and wait for a block that nobody takes on several.
    for (const int threads : {1, 2, 4, 9}) {
        const ThreadLimit limit(threads);
        std::atomic<std::size_t> begun = 0;
        std::atomic<bool> in_time = true;
        parallel_for_blocks(500, 1, [&](const Block& block) {
            const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            while (begun < block.number && in_time) {
                if (std::chrono::steady_clock::now() > deadline) in_time = false;
                std::this_thread::yield();
            }
            ++begun;
        });
        EXPECT_TRUE(in_time) << threads << " threads";
        EXPECT_EQ(begun, 500u);
    }
}

TEST(ParallelFor, more_threads_than_cores_run_at_the_same_time)
{
    // Each of the five blocks waits for the other four, which needs five threads.
    const ThreadLimit limit(5);
    std::atomic<int> arrived = 0;
    std::atomic<bool> in_time = true;
    parallel_for_blocks(5, 1, [&](const Block&) {
        ++arrived;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
        while (arrived < 5 && in_time) {
            if (std::chrono::steady_clock::now() > deadline) in_time = false;
            std::this_thread::yield();
        }
    });
    EXPECT_TRUE(in_time);
}

/// Memory that the program holds [bytes].
double resident_memory()
{
    std::ifstream file("/proc/self/statm");
    double total = 0.0, resident = 0.0;
    file >> total >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double processor_seconds()
{
    rusage usage = {};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(ParallelFor, loops_with_more_threads_than_cores_cost_no_memory_and_little_time)
{
    // What 2,000 loops of a simulation would need. With an arena for every loop they took 100 MB and minutes.
    const auto run_loops = [](int count) {
        std::atomic<std::size_t> visits = 0;
        for (int k = 0; k < count; ++k) parallel_for_blocks(16, 1, [&](const Block&) { ++visits; });
        EXPECT_EQ(visits, 16u * static_cast<std::size_t>(count));
    };
    const ThreadLimit limit(static_cast<int>(std::thread::hardware_concurrency()) + 14);
    run_loops(100);
    const double memory = resident_memory();
    const double seconds = processor_seconds();
    run_loops(2000);
    EXPECT_LT(resident_memory() - memory, 8e6);
    EXPECT_LT(processor_seconds() - seconds, 5.0);
}

TEST(ParallelFor, is_done_by_fewer_threads_where_there_is_no_room_for_more)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "sanitizers need memory of their own";
#endif
    // In a program of its own, whose loops have not begun yet and which may have no memory beyond what it
    // has.
    const auto attempt = [](int threads) {
        const ThreadLimit limit(threads);
        rlimit room = {};
        getrlimit(RLIMIT_AS, &room);
        std::ifstream file("/proc/self/statm");
        rlim_t pages = 0;
        file >> pages;
        room.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t(1) << 20);
        setrlimit(RLIMIT_AS, &room);
        std::atomic<std::size_t> visits = 0;
        for (int k = 0; k < 10; ++k) parallel_for_blocks(64, 1, [&](const Block&) { ++visits; });
        std::exit(visits == 640 ? 0 : 1);
    };
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    for (const int threads : {2, 16}) EXPECT_EXIT(attempt(threads), testing::ExitedWithCode(0), "");
}

TEST(ParallelFor, several_callers_with_more_threads_than_cores_get_all_their_work_done)
{
    const ThreadLimit limit(7);
    std::atomic<int> visits = 0;
    {
        std::vector<std::jthread> callers;
        for (int k = 0; k < 4; ++k)
            callers.emplace_back([&] {
                for (int repeat = 0; repeat < 50; ++repeat)
                    parallel_for_blocks(9, 1, [&](const Block&) {
                        parallel_for_blocks(3, 1, [&](const Block&) { ++visits; });
                    });
            });
    }
    EXPECT_EQ(visits, 4 * 50 * 9 * 3);
}

TEST(ParallelFor, nested_loops_take_no_more_threads_than_allowed)
{
    {
        const ThreadLimit many(12);
        parallel_for_blocks(12, 1, [](const Block&) {});
    }
    const ThreadLimit limit(4);
    std::mutex mutex;
    std::set<std::thread::id> inside;
    std::size_t most = 0;
    parallel_for_blocks(8, 1, [&](const Block&) {
        parallel_for_blocks(8, 1, [&](const Block&) {
            {
                const std::lock_guard lock(mutex);
                inside.insert(std::this_thread::get_id());
                most = std::max(most, inside.size());
            }
            std::this_thread::yield();
            const std::lock_guard lock(mutex);
            inside.erase(std::this_thread::get_id());
        });
    });
    EXPECT_LE(most, 4u);
}

TEST(ParallelFor, the_exception_of_the_lowest_block_is_rethrown)
{
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        for (int repeat = 0; repeat < 20; ++repeat) {
            try {
                parallel_for_blocks(100, 1, [&](const Block& block) {
                    if (block.number < 30) return;
                    // The lowest failing block is slow, so the others fail before it does.
                    if (block.number == 30) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    throw std::runtime_error("block " + std::to_string(block.number));
                });
                ADD_FAILURE() << "nothing was thrown";
            } catch (const std::runtime_error& error) {
                EXPECT_STREQ(error.what(), "block 30");
            }
        }
    }
}

TEST(ParallelFor, no_block_is_begun_after_a_failure_on_one_thread)
{
    const ThreadLimit limit(1);
    std::size_t begun = 0;
    EXPECT_THROW(parallel_for_blocks(100, 1,
                                     [&](const Block& block) {
                                         ++begun;
                                         if (block.number == 3) throw InputError("stop");
                                     }),
                 InputError);
    EXPECT_EQ(begun, 4u);
}

TEST(ParallelFor, a_loop_after_a_failed_one_works)
{
    EXPECT_THROW(parallel_for(5000, [](Index) { throw InputError("stop"); }), InputError);
    std::atomic<int> visits = 0;
    parallel_for(5000, [&](Index) { ++visits; });
    EXPECT_EQ(visits, 5000);
}

TEST(ParallelFor, nested_loops_do_not_deadlock)
{
    for (const int threads : {1, 2, 4}) {
        const ThreadLimit limit(threads);
        std::atomic<int> visits = 0;
        parallel_for(
            16,
            [&](Index) {
                parallel_for(
                    16,
                    [&](Index) {
                        parallel_for(
                            16, [&](Index) { ++visits; }, 1);
                    },
                    1);
            },
            1);
        EXPECT_EQ(visits, 16 * 16 * 16);
    }
}

TEST(ParallelFor, a_nested_loop_does_not_begin_a_block_of_the_outer_one)
{
    // A thread that waits in the inner loop while it holds a lock must not take up an outer block, which
    // wants the same lock.
    const ThreadLimit limit(4);
    std::mutex inside_mutex;
    std::set<std::thread::id> inside;
    std::atomic<int> entered_twice = 0;
    parallel_for(
        64,
        [&](Index) {
            const std::thread::id me = std::this_thread::get_id();
            {
                const std::lock_guard lock(inside_mutex);
                if (!inside.insert(me).second) ++entered_twice;
            }
            parallel_for(
                64, [](Index) { std::this_thread::yield(); }, 1);
            const std::lock_guard lock(inside_mutex);
            inside.erase(me);
        },
        1);
    EXPECT_EQ(entered_twice, 0);
}

TEST(ThreadLimit, restores_the_former_number)
{
    const int before = thread_count();
    {
        const ThreadLimit outer(3);
        EXPECT_EQ(thread_count(), 3);
        {
            const ThreadLimit inner(1);
            EXPECT_EQ(thread_count(), 1);
        }
        EXPECT_EQ(thread_count(), 3);
    }
    EXPECT_EQ(thread_count(), before);
}

TEST(ThreadLimit, may_exceed_the_number_of_cores)
{
    const ThreadLimit limit(64);
    EXPECT_EQ(thread_count(), 64);
}

TEST(ThreadLimit, refuses_fewer_than_one_thread)
{
    EXPECT_THROW(ThreadLimit(0), InputError);
    EXPECT_THROW(ThreadLimit(-2), InputError);
}

} // namespace
} // namespace phyxel::parallel_for_test
