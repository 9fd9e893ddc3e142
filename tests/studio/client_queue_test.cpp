// SPDX-License-Identifier: MIT
#include "studio/server/client_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <variant>

namespace phyxel::studio::client_queue_test {
namespace {

std::shared_ptr<const StreamFrame> frame(std::uint64_t publication)
{
    auto frame = std::make_shared<StreamFrame>();
    frame->publication = publication;
    return frame;
}

/// Publication of the frame that is sent next; 0 if none is.
std::uint64_t sent(ClientQueue& queue)
{
    const auto next = queue.next();
    return next ? std::get<DueFrame>(*next).frame->publication : 0;
}

TEST(ClientQueue, two_frames_are_on_their_way_and_the_newest_replaces_what_waits)
{
    ClientQueue queue;
    EXPECT_TRUE(queue.has_room());
    queue.offer(frame(1));
    EXPECT_EQ(sent(queue), 1u);
    queue.offer(frame(2));
    EXPECT_EQ(sent(queue), 2u);
    EXPECT_FALSE(queue.has_room());
    for (std::uint64_t publication = 3; publication < 100; ++publication) {
        queue.offer(frame(publication));
        EXPECT_EQ(sent(queue), 0u);
    }
    EXPECT_TRUE(queue.acknowledge(1));
    EXPECT_EQ(sent(queue), 99u);
    EXPECT_EQ(sent(queue), 0u);
    EXPECT_TRUE(queue.acknowledge(3)); // and so the second one too
    EXPECT_TRUE(queue.has_room());
}

TEST(ClientQueue, frames_that_wait_are_held_by_nobody_else)
{
    ClientQueue queue;
    std::weak_ptr<const StreamFrame> first;
    {
        const auto offered = frame(1);
        first = offered;
        queue.offer(offered);
    }
    EXPECT_FALSE(first.expired());
    queue.offer(frame(2));
    EXPECT_TRUE(first.expired());
}

TEST(ClientQueue, serial_numbers_that_were_not_sent_are_refused)
{
    ClientQueue queue;
    EXPECT_FALSE(queue.acknowledge(1));
    queue.offer(frame(1));
    EXPECT_EQ(sent(queue), 1u);
    EXPECT_FALSE(queue.acknowledge(2));
    EXPECT_FALSE(queue.acknowledge(4294967295u));
    EXPECT_TRUE(queue.acknowledge(1));
    EXPECT_TRUE(queue.acknowledge(1)); // again changes nothing
    EXPECT_FALSE(queue.acknowledge(0));
}

TEST(ClientQueue, texts_come_first_and_in_their_order)
{
    ClientQueue queue;
    queue.offer(frame(1));
    EXPECT_TRUE(queue.add_text("a"));
    EXPECT_TRUE(queue.add_text("b"));
    EXPECT_EQ(std::get<std::string>(*queue.next()), "a");
    EXPECT_EQ(std::get<std::string>(*queue.next()), "b");
    EXPECT_EQ(sent(queue), 1u);
}

TEST(ClientQueue, texts_that_nobody_reads_are_bounded)
{
    ClientQueue queue;
    for (std::size_t n = 0; n < max_waiting_texts; ++n) EXPECT_TRUE(queue.add_text("x"));
    EXPECT_FALSE(queue.add_text("x"));
    ClientQueue large;
    EXPECT_TRUE(large.add_text(std::string(max_waiting_bytes, 'x')));
    EXPECT_FALSE(large.add_text("x"));
    EXPECT_TRUE(large.next());
    EXPECT_TRUE(large.add_text("x"));
}

} // namespace
} // namespace phyxel::studio::client_queue_test
