// SPDX-License-Identifier: MIT
#include <phyxel/core/buffer.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace phyxel::buffer_test {
namespace {

TEST(Buffer, a_new_buffer_is_empty)
{
    const Buffer<int> buffer;
    EXPECT_EQ(buffer.size(), 0u);
    EXPECT_TRUE(buffer.span().empty());
}

TEST(Buffer, memory_begins_on_a_cache_line)
{
    for (const std::size_t size : {1u, 3u, 1000u}) {
        const Buffer<float> buffer(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64, 0u);
    }
}

TEST(Buffer, shrinking_keeps_the_memory_and_growing_back_needs_none)
{
    Buffer<int> buffer(100);
    const int* memory = buffer.data();
    buffer.resize(10);
    EXPECT_EQ(buffer.size(), 10u);
    EXPECT_EQ(buffer.capacity(), 100u);
    buffer.resize(100);
    EXPECT_EQ(buffer.data(), memory);
}

TEST(Buffer, grow_keeps_what_it_is_asked_to_keep)
{
    Buffer<int> buffer(4);
    for (int i = 0; i < 4; ++i) buffer[i] = 10 * i;
    buffer.grow(1000, 3);
    EXPECT_EQ(buffer.size(), 3u);
    EXPECT_GE(buffer.capacity(), 1000u);
    EXPECT_EQ(buffer[0], 0);
    EXPECT_EQ(buffer[1], 10);
    EXPECT_EQ(buffer[2], 20);
}

TEST(Buffer, grow_within_the_capacity_does_not_move_the_memory)
{
    Buffer<int> buffer(8);
    buffer[0] = 5;
    const int* memory = buffer.data();
    buffer.grow(8, 1);
    EXPECT_EQ(buffer.data(), memory);
    EXPECT_EQ(buffer[0], 5);
}

TEST(Buffer, a_buffer_that_was_moved_from_is_empty_and_can_be_used_again)
{
    Buffer<int> first(3);
    first[2] = 7;
    Buffer<int> second = std::move(first);
    EXPECT_EQ(second.size(), 3u);
    EXPECT_EQ(second[2], 7);
    EXPECT_EQ(first.size(), 0u); // NOLINT(bugprone-use-after-move): this is the claim
    first.resize(2);
    first[1] = 4;
    EXPECT_EQ(first[1], 4);

    first = std::move(second);
    EXPECT_EQ(first[2], 7);
    EXPECT_EQ(second.capacity(), 0u); // NOLINT(bugprone-use-after-move): this is the claim
}

#if PHYXEL_ASSERTS
TEST(BufferDeath, an_index_beyond_the_end_is_a_bug)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Buffer<int> buffer(2);
    EXPECT_DEATH(buffer[2] = 0, "with 2 < 2");
}
#endif

} // namespace
} // namespace phyxel::buffer_test
