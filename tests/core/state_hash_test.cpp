// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>

#include <gtest/gtest.h>

#include <bit>
#include <set>
#include <span>
#include <vector>

namespace phyxel::state_hash_test {
namespace {

std::uint64_t hash_of(std::span<const double> values)
{
    StateHash hash;
    hash.add(values);
    return hash.value();
}

TEST(StateHash, equal_values_have_equal_hashes)
{
    const std::vector<double> values = {1.0, -2.5, 0.0};
    EXPECT_EQ(hash_of(values), hash_of(std::vector<double>(values)));
}

TEST(StateHash, every_single_flipped_bit_shows)
{
    std::vector<double> values(40);
    Rng rng(1);
    for (double& value : values) value = rng.normal();
    std::set<std::uint64_t> hashes = {hash_of(values)};
    for (double& value : values) {
        const double original = value;
        for (int bit = 0; bit < 64; ++bit) {
            value = std::bit_cast<double>(std::bit_cast<std::uint64_t>(original) ^ (std::uint64_t(1) << bit));
            hashes.insert(hash_of(values));
        }
        value = original;
    }
    EXPECT_EQ(hashes.size(), 1u + 40u * 64u);
}

TEST(StateHash, pairs_of_flipped_bits_do_not_cancel)
{
    const std::vector<double> values = {1.25, -3.0};
    auto flipped = [&](int first, int second) {
        std::vector<double> changed = values;
        changed[0] =
            std::bit_cast<double>(std::bit_cast<std::uint64_t>(values[0]) ^ (std::uint64_t(1) << first));
        changed[1] =
            std::bit_cast<double>(std::bit_cast<std::uint64_t>(values[1]) ^ (std::uint64_t(1) << second));
        return hash_of(changed);
    };
    std::set<std::uint64_t> hashes;
    for (int first = 0; first < 64; ++first)
        for (int second = 0; second < 64; ++second) hashes.insert(flipped(first, second));
    EXPECT_EQ(hashes.size(), 64u * 64u);
}

TEST(StateHash, order_matters)
{
    EXPECT_NE(hash_of(std::vector<double>{1.0, 2.0}), hash_of(std::vector<double>{2.0, 1.0}));
}

TEST(StateHash, moved_boundaries_between_arrays_show)
{
    const std::vector<int> values = {1, 2, 3};
    auto split_at = [&](std::size_t k) {
        StateHash hash;
        hash.add(std::span(values).first(k));
        hash.add(std::span(values).subspan(k));
        return hash.value();
    };
    EXPECT_EQ((std::set{split_at(0), split_at(1), split_at(2), split_at(3)}.size()), 4u);
}

TEST(StateHash, trailing_zeros_and_empty_arrays_show)
{
    StateHash nothing;
    StateHash empty;
    empty.add(std::span<const double>());
    EXPECT_NE(nothing.value(), empty.value());

    const std::vector<unsigned char> one = {7};
    const std::vector<unsigned char> padded = {7, 0};
    StateHash a;
    StateHash b;
    a.add(std::span(one));
    b.add(std::span(padded));
    EXPECT_NE(a.value(), b.value());
}

TEST(StateHash, positive_and_negative_zero_are_different_states)
{
    StateHash positive;
    StateHash negative;
    positive.add(0.0);
    negative.add(-0.0);
    EXPECT_NE(positive.value(), negative.value());
}

TEST(StateHash, is_written_with_all_its_digits)
{
    EXPECT_EQ(hash_text(0xab), "00000000000000ab");
    EXPECT_EQ(hash_text(0x0123456789abcdefu), "0123456789abcdef");
}

} // namespace
} // namespace phyxel::state_hash_test
