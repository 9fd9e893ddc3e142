// SPDX-License-Identifier: MIT
#include <phyxel/core/state_arrays.h>

#include "core/sample_state.h"

#include <gtest/gtest.h>

#include <limits>

namespace phyxel::state_arrays_test {
namespace {

TEST(StateArrays, know_the_names_and_components_of_all_members)
{
    std::vector<std::pair<std::string, std::uint32_t>> seen;
    const SampleState state;
    for_each_array(state, [&]<class Member>(const auto& array, const Member&) {
        std::uint32_t components = 0;
        if constexpr (is_per_item<Member>) components = ItemTraits<typename Member::value_type>::components;
        seen.emplace_back(array.name, components);
    });
    const decltype(seen) expected = {{"position", 3}, {"id", 1}, {"label", 1}, {"step", 0}, {"guess", 1}};
    EXPECT_EQ(seen, expected);
}

TEST(StateArrays, that_are_left_out_stay_empty_when_others_are_resized)
{
    SampleState state = sample_state(3);
    state.label.clear();
    resize_arrays(state, 5);
    EXPECT_EQ(state.position.size(), 5u);
    EXPECT_EQ(state.id.size(), 5u);
    EXPECT_TRUE(state.label.empty());
    EXPECT_EQ(state.guess.size(), 5u);
}

TEST(StateArrays, are_sorted_together)
{
    for (const bool has_labels : {true, false}) {
        SampleState state = sample_state(4);
        if (!has_labels) state.label.clear();
        const SampleState before = state;
        const std::vector<Index> order = {2, 0, 3, 1};
        permute_items(state, order);
        SampleState copied;
        resize_arrays_like(copied, before);
        for (std::size_t k = 0; k < order.size(); ++k) {
            EXPECT_EQ(state.position[k], before.position[order[k]]);
            EXPECT_EQ(state.id[k], before.id[order[k]]);
            EXPECT_EQ(state.guess[k], before.guess[order[k]]);
            if (has_labels) {
                EXPECT_EQ(state.label[k], before.label[order[k]]);
            }
            copy_item(copied, k, before, order[k]);
        }
        EXPECT_EQ(state.step, before.step);
        copied.step = state.step;
        EXPECT_EQ(hash_state(copied), hash_state(state));
        EXPECT_NE(hash_state(copied), hash_state(before));
        swap_items(copied, state);
        EXPECT_EQ(hash_state(copied), hash_state(state));
    }
}

TEST(StateArrays, each_bit_of_each_array_is_in_the_hash)
{
    const std::uint64_t hash = hash_state(sample_state(3));
    const auto changed = [](const auto& change) {
        SampleState state = sample_state(3);
        change(state);
        return hash_state(state);
    };
    EXPECT_NE(hash, changed([](SampleState& s) { s.position[1][2] = -s.position[1][2]; }));
    EXPECT_NE(hash, changed([](SampleState& s) { ++s.id[2]; }));
    EXPECT_NE(hash, changed([](SampleState& s) { ++s.label[0]; }));
    EXPECT_NE(hash, changed([](SampleState& s) { s.step += 1e-16; }));
    EXPECT_NE(hash, changed([](SampleState& s) { s.guess.clear(); }));
    EXPECT_EQ(hash, hash_state(sample_state(3)));
}

TEST(StateArrays, tell_whether_all_of_a_state_are_numbers)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    EXPECT_TRUE(is_finite(sample_state(3)));
    SampleState lost = sample_state(3);
    lost.position[2][1] = infinite;
    EXPECT_FALSE(is_finite(lost));
    lost = sample_state(3);
    lost.guess[0] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_FALSE(is_finite(lost));
    lost = sample_state(3);
    lost.step = infinite;
    EXPECT_FALSE(is_finite(lost));
}

} // namespace
} // namespace phyxel::state_arrays_test
