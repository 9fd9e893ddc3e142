// SPDX-License-Identifier: MIT
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace phyxel::ordered_sum_test {
namespace {

/// Numbers of very different size and sign: their sum depends on the order of the additions.
std::vector<double> rounding_sensitive_numbers(std::size_t count)
{
    Rng rng(3);
    std::vector<double> numbers(count);
    for (double& number : numbers)
        number = std::exp(rng.uniform(-20.0, 20.0)) * (rng.uniform() < 0.5 ? -1.0 : 1.0);
    return numbers;
}

TEST(OrderedSum, of_nothing_is_zero)
{
    EXPECT_EQ(ordered_sum(0, [](Index) { return 1.0; }), 0.0);
}

TEST(OrderedSum, of_integers_is_exact)
{
    for (const std::size_t count : {1u, 1023u, 1024u, 1025u, 100000u}) {
        const double expected = 0.5 * static_cast<double>(count) * static_cast<double>(count - 1);
        EXPECT_EQ(ordered_sum(count, [](Index i) { return static_cast<double>(i); }), expected);
    }
}

TEST(OrderedSum, sums_have_the_same_bits_for_any_number_of_threads)
{
    const std::vector<double> numbers = rounding_sensitive_numbers(50000);
    auto sum = [&](int threads) {
        const ThreadLimit limit(threads);
        return ordered_sum(numbers.size(), [&](Index i) { return numbers[i]; });
    };
    const std::uint64_t one_thread = std::bit_cast<std::uint64_t>(sum(1));
    for (const int threads : {2, 3, 4, 7, 16})
        for (int repeat = 0; repeat < 5; ++repeat)
            EXPECT_EQ(std::bit_cast<std::uint64_t>(sum(threads)), one_thread) << threads << " threads";
}

TEST(OrderedSum, is_the_sum_over_blocks_of_sums_within_blocks)
{
    const std::vector<double> numbers = rounding_sensitive_numbers(10000);
    double total = 0.0;
    for (std::size_t begin = 0; begin < numbers.size(); begin += default_block_size) {
        double sum = 0.0;
        for (std::size_t i = begin; i < std::min(begin + default_block_size, numbers.size()); ++i)
            sum += numbers[i];
        total += sum;
    }
    EXPECT_EQ(ordered_sum(numbers.size(), [&](Index i) { return numbers[i]; }), total);

    // The order matters for these numbers, or the claim above would be empty.
    double backward = 0.0;
    for (std::size_t i = numbers.size(); i-- > 0;) backward += numbers[i];
    EXPECT_NE(backward, total);
}

TEST(OrderedSum, adds_vectors_componentwise)
{
    const Vec<3> sum = ordered_sum(5000, Vec<3>(Vec<3>::Zero()),
                                   [](Index i) { return Vec<3>(1.0, static_cast<double>(i), -2.0); });
    EXPECT_EQ(sum, Vec<3>(5000.0, 0.5 * 5000.0 * 4999.0, -10000.0));
}

} // namespace
} // namespace phyxel::ordered_sum_test
