// SPDX-License-Identifier: MIT
// A stage with a data race, planted so that a test can check that the thread sanitizer would tell us: every
// block adds to the same number. Built and run in the tsan preset only.
#include <phyxel/core/parallel_for.h>

#include <cstdio>

namespace phyxel {
namespace {

void planted_race_stage(std::size_t count, double& sum)
{
    parallel_for(
        count, [&](Index i) { sum += i; }, 64);
}

} // namespace
} // namespace phyxel

int main()
{
    const phyxel::ThreadLimit limit(4);
    double sum = 0.0;
    phyxel::planted_race_stage(100000, sum);
    std::printf("%g\n", sum);
}
