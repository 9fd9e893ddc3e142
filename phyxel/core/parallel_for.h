// SPDX-License-Identifier: MIT
// The one way in which our loops use several threads. The work is cut into blocks whose size depends on
// the number of items only, never on the number of threads, and a block is always done by one thread from
// front to back: this is what makes results the same bits on any machine load.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/types.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>

namespace phyxel {

/// A contiguous piece of a loop: items `begin` … `end − 1`.
struct Block {
    std::size_t number;
    std::size_t begin;
    std::size_t end;
};

/// How many blocks of `block_size` a loop over `count` items has.
constexpr std::size_t block_count(std::size_t count, std::size_t block_size)
{
    return (count + block_size - 1) / block_size;
}

namespace detail {

/// A reference to a callable that takes a block number; it does not own the callable.
class BlockTask {
public:
    // Not for copies of a task: a template is a better match for them than the copy constructor.
    template <class Callable>
    requires(!std::same_as<Callable, BlockTask>) explicit BlockTask(Callable& callable)
        : callable_(std::addressof(callable)),
          call_([](void* c, std::size_t block) { (*static_cast<Callable*>(c))(block); })
    {
    }

    void operator()(std::size_t block) const { call_(callable_, block); }

private:
    void* callable_;
    void (*call_)(void*, std::size_t);
};

/// Runs `task` for every block. Blocks are begun in ascending order, so a block may wait for results of a
/// lower one; of several exceptions the one of the lowest block is rethrown.
void run_blocks(std::size_t block_count, BlockTask task);

} // namespace detail

inline constexpr std::size_t default_block_size = 1024;

/// Calls `body(block)` for consecutive blocks of at most `block_size` items. Blocks are begun in ascending
/// order.
template <class Body>
void parallel_for_blocks(std::size_t count, std::size_t block_size, Body&& body)
{
    PHYXEL_ASSERT(block_size > 0);
    auto task = [&](std::size_t number) {
        const std::size_t begin = number * block_size;
        body(Block{number, begin, std::min(begin + block_size, count)});
    };
    detail::run_blocks(block_count(count, block_size), detail::BlockTask(task));
}

/// Calls `body(i)` for every i in [0, count).
template <class Body>
void parallel_for(std::size_t count, Body&& body, std::size_t block_size = default_block_size)
{
    PHYXEL_ASSERT(count <= std::size_t(std::numeric_limits<Index>::max()) + 1);
    parallel_for_blocks(count, block_size, [&](const Block& block) {
        for (std::size_t i = block.begin; i < block.end; ++i) body(static_cast<Index>(i));
    });
}

/// Number of threads that parallel loops use now.
int thread_count();

/// Cores that the program may use: all of the machine's, or those that it was given.
int usable_core_count();

/// Limits parallel loops to `threads` while it lives. May exceed the number of cores: so many threads then
/// really take part, which costs little and gains nothing but a test of what they do.
class ThreadLimit {
public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

private:
    struct Control;
    std::unique_ptr<Control> control_;
};

} // namespace phyxel
