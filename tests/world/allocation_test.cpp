// SPDX-License-Identifier: MIT
// A program of its own, because it counts every allocation of the process.
#include "counted_allocations.h"
#include "world_support.h"

#include <phyxel/core/parallel_for.h>

#include <gtest/gtest.h>

#include <algorithm>

namespace phyxel::allocation_test {
namespace {

/// Allocations in each of 100 steps after 100 steps of a collapsing column. On one thread: with several,
/// which of them gets which scratch memory, and finds it too small, is left to chance.
template <int Dim>
std::vector<std::size_t> allocations_in_steps(int count, const FluidOptions& solver)
{
    const ThreadLimit limit(1);
    auto options = test_tank<Dim>(2 * count * test_spacing);
    options.clock.frame_rate = 1.0;
    auto world = test_world<Dim>(options, {test_block<Dim>("water", count)}, solver);
    std::vector<std::size_t> allocations;
    allocations.reserve(200);
    std::size_t before = allocation_count;
    (void)world->advance_frame([&] {
        allocations.push_back(allocation_count - before);
        before = allocation_count;
        return allocations.size() == 200;
    });
    return {allocations.begin() + 100, allocations.end()};
}

TEST(Allocations, are_counted)
{
    const std::size_t before = allocation_count;
    const auto memory = std::make_unique<int>(1);
    EXPECT_EQ(allocation_count, before + 1) << *memory;
}

template <int Dim>
void expect_steady_state(int count, const FluidOptions& solver)
{
    const std::vector<std::size_t> allocations = allocations_in_steps<Dim>(count, solver);
    ASSERT_EQ(allocations.size(), 100u);
    // Lists that outgrow their memory may ask for more, once in fifty steps.
    EXPECT_LE(std::count_if(allocations.begin(), allocations.end(), [](std::size_t n) { return n > 0; }), 2);
}

const WcsphOptions weakly_compressible{.max_speed = 2.0};
const DfsphOptions incompressible{.max_speed = 2.0};

TEST(Allocations, steps_of_a_plane_fluid_make_none)
{
    expect_steady_state<2>(50, weakly_compressible);
    expect_steady_state<2>(50, incompressible);
}

TEST(Allocations, steps_of_a_fluid_make_none)
{
    expect_steady_state<3>(14, weakly_compressible);
    expect_steady_state<3>(14, incompressible);
}

} // namespace
} // namespace phyxel::allocation_test
