// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <tbb/global_control.h>
#include <tbb/info.h>
#if !PHYXEL_STD_THREADS
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#endif

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

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

    bool is_used_up() const { return next_ >= block_count_; }

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

/// Threads of our own, for loops that shall have more of them than the machine has cores. They are kept: an
/// arena of oneTBB for every loop would cost memory and time without end, and the threads of one that is kept
/// spin while they wait, in the way of those that work. Ours sleep.
///
/// Whoever begins a loop works on it too and waits only for helpers that have begun, so that a loop ends even
/// where no helper ever comes. A helper is with one loop until that has no blocks left; so a thread that
/// waits for an inner loop never begins a block of an outer one, which could wait for the very block that is
/// suspended below it on the stack.
class Crew {
public:
    /// Never destroyed: its threads end with the program, whatever else is being torn down then.
    static Crew& instance()
    {
        static Crew& crew = *new Crew;
        return crew;
    }

    /// `thread_limit` is that of all loops together.
    void run(std::size_t worker_count, std::size_t thread_limit, BlockQueue& queue)
    {
        Loop loop{queue, worker_count - 1, thread_limit - 1};
        {
            const std::lock_guard lock(mutex_);
            hire(loop.room);
            loops_.push_back(&loop);
        }
        wake_.notify_one();
        queue.work();
        std::unique_lock lock(mutex_);
        std::erase(loops_, &loop);
        loop.left.wait(lock, [&] { return loop.helpers == 0; });
    }

private:
    struct Loop {
        BlockQueue& queue;
        std::size_t room;         ///< for so many more helpers
        std::size_t helper_limit; ///< of all loops together
        std::size_t helpers = 0;  ///< that are with it now
        std::condition_variable left = {};
    };

    /// Until there are `count`. With fewer the work is done as well.
    void hire(std::size_t count)
    {
        try {
            for (; size_ < count; ++size_) std::thread([this] { help(); }).detach();
        } catch (const std::exception&) {
            // The system has no room for another thread.
        }
    }

    /// The oldest loop that wants help and may have it.
    Loop* find_loop() const
    {
        const auto found = std::find_if(loops_.begin(), loops_.end(), [&](const Loop* loop) {
            return loop->room > 0 && active_ < loop->helper_limit && !loop->queue.is_used_up();
        });
        return found == loops_.end() ? nullptr : *found;
    }

    void help()
    {
        std::unique_lock lock(mutex_);
        while (true) {
            Loop* loop = nullptr;
            wake_.wait(lock, [&] { return (loop = find_loop()) != nullptr; });
            --loop->room;
            ++loop->helpers;
            ++active_;
            // Each wakes the next, so that a loop that is over soon wakes few.
            const bool more_are_wanted = find_loop() != nullptr;
            lock.unlock();
            if (more_are_wanted) wake_.notify_one();
            loop->queue.work();
            lock.lock();
            --active_;
            if (--loop->helpers == 0) loop->left.notify_one();
        }
    }

    std::mutex mutex_; ///< of all that follows
    std::condition_variable wake_;
    std::vector<Loop*> loops_; ///< the oldest first
    std::size_t size_ = 0;     ///< helpers there are
    std::size_t active_ = 0;   ///< of them, with a loop
};

#if PHYXEL_STD_THREADS

// The thread sanitizer cannot see into TBB, whose library is not instrumented.
void run_workers(std::size_t worker_count, std::size_t thread_limit, BlockQueue& queue)
{
    Crew::instance().run(worker_count, thread_limit, queue);
}

#else

/// Whether so many more threads can be had now.
bool has_room_for_threads(int count)
{
    std::mutex mutex;
    std::vector<std::thread> threads;
    bool has_room = true;
    {
        // None of them ends before the last one has begun.
        const std::lock_guard lock(mutex);
        try {
            threads.reserve(static_cast<std::size_t>(count));
            for (int k = 0; k < count; ++k)
                threads.emplace_back([&mutex] { const std::lock_guard wait(mutex); });
        } catch (const std::exception&) {
            has_room = false;
        }
    }
    for (std::thread& thread : threads) thread.join();
    return has_room;
}

/// Where it finds no room for its threads, oneTBB throws in the middle of its work, and in threads where
/// nobody can catch it. So this is found out before it has begun; our own threads do with as many as there
/// are.
bool can_use_tbb()
{
    static const bool can = has_room_for_threads(usable_core_count() - 1);
    return can;
}

void run_workers(std::size_t worker_count, std::size_t thread_limit, BlockQueue& queue)
{
    // Not by the number of workers: threads of both kinds would be in each other's way.
    if (thread_limit > static_cast<std::size_t>(usable_core_count()) || !can_use_tbb()) {
        Crew::instance().run(worker_count, thread_limit, queue);
        return;
    }
    // Isolated: a thread that waits for an inner loop must not begin a block of an outer one, as above.
    tbb::this_task_arena::isolate([&] {
        tbb::parallel_for(
            std::size_t(0), worker_count, [&](std::size_t) { queue.work(); }, tbb::simple_partitioner());
    });
}

#endif

} // namespace

namespace detail {

void run_blocks(std::size_t block_count, BlockTask task)
{
    const auto thread_limit = static_cast<std::size_t>(thread_count());
    const std::size_t worker_count = std::min(block_count, thread_limit);
    BlockQueue queue(block_count, task);
    if (worker_count <= 1)
        queue.work();
    else
        run_workers(worker_count, thread_limit, queue);
    queue.rethrow_failure();
}

} // namespace detail

int thread_count()
{
    return static_cast<int>(tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism));
}

int usable_core_count() { return tbb::info::default_concurrency(); }

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
