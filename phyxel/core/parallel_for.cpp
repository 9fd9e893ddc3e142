// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <tbb/global_control.h>
#include <tbb/info.h>
#if PHYXEL_STD_THREADS
#include <thread>
#include <vector>
#else
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include <atomic>
#include <exception>
#include <mutex>

namespace phyxel {
namespace {

/// Hands out blocks in ascending order and keeps the failure of the lowest one.
class BlockQueue {
public:
    BlockQueue(std::size_t block_count, detail::BlockTask task) : block_count_(block_count), task_(task) {}

    void work()
    {
        for (std::size_t block = next_++; block < block_count_; block = next_++) {
            try {
                task_(block);
            } catch (...) {
                next_ = block_count_;
                const std::lock_guard lock(failure_mutex_);
                if (!failure_ || block < failed_block_) {
                    failure_ = std::current_exception();
                    failed_block_ = block;
                }
            }
        }
    }

    void rethrow_failure() const
    {
        if (failure_) std::rethrow_exception(failure_);
    }

private:
    std::size_t block_count_;
    detail::BlockTask task_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex failure_mutex_;
    std::exception_ptr failure_;
    std::size_t failed_block_ = 0;
};

#if PHYXEL_STD_THREADS

// The thread sanitizer cannot see into TBB, whose library is not instrumented, so its build starts threads
// of its own for every loop.
void run_workers(std::size_t worker_count, BlockQueue& queue)
{
    std::vector<std::jthread> helpers;
    for (std::size_t k = 1; k < worker_count; ++k) helpers.emplace_back([&] { queue.work(); });
    queue.work();
}

#else

void run_workers(std::size_t worker_count, BlockQueue& queue)
{
    auto run = [&] {
        // Isolated: a thread that waits for an inner loop must not begin a block of an outer one, which
        // could wait for the very block that is suspended below it on the stack.
        tbb::this_task_arena::isolate([&] {
            tbb::parallel_for(
                std::size_t(0), worker_count, [&](std::size_t) { queue.work(); }, tbb::simple_partitioner());
        });
    };
    if (static_cast<int>(worker_count) > tbb::info::default_concurrency())
        tbb::task_arena(static_cast<int>(worker_count)).execute(run);
    else
        run();
}

#endif

} // namespace

namespace detail {

void run_blocks(std::size_t block_count, BlockTask task)
{
    const std::size_t worker_count = std::min(block_count, static_cast<std::size_t>(thread_count()));
    BlockQueue queue(block_count, task);
    if (worker_count <= 1)
        queue.work();
    else
        run_workers(worker_count, queue);
    queue.rethrow_failure();
}

} // namespace detail

int thread_count()
{
    return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

struct ThreadLimit::Control {
    explicit Control(int threads)
        : limit(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads))
    {
    }

    tbb::global_control limit;
};

ThreadLimit::ThreadLimit(int threads)
{
    if (threads < 1)
        throw InputError("number of threads is " + std::to_string(threads) + ", must be at least 1");
    control_ = std::make_unique<Control>(threads);
}

ThreadLimit::~ThreadLimit() = default;

} // namespace phyxel
