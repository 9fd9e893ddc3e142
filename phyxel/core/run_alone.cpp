// SPDX-License-Identifier: MIT
#include <phyxel/core/run_alone.h>

#include <tbb/task_arena.h>

namespace phyxel {

void run_alone(const std::function<void()>& work)
{
    tbb::task_arena(1).execute([&] { work(); });
}

} // namespace phyxel
