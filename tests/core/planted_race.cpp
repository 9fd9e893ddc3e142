// SPDX-License-Identifier: MIT
// A stage with a data race, planted so that a test can check that the thread sanitizer would tell us: every
// block adds to the same number. Built and run in the tsan preset only.
#include <phyxel/core/parallel_for.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace phyxel {
namespace {

void planted_race_stage(std::size_t block_count, double& sum)
{
    // A short loop may be over before a second thread has started, and one thread alone races with nobody. So
    // the first block waits for the second to begin; relaxed, because anything stronger would order the two.
    std::atomic<int> begun = 0;
    parallel_for_blocks(block_count, 1, [&](const Block& block) {
        begun.fetch_add(1, std::memory_order_relaxed);
        while (begun.load(std::memory_order_relaxed) < 2) std::this_thread::yield();
        sum += static_cast<double>(block.number);
    });
}

} // namespace
} // namespace phyxel

int main()
{
    const phyxel::ThreadLimit limit(4);
    double sum = 0.0;
    phyxel::planted_race_stage(16, sum);
    std::printf("%g\n", sum);
}
