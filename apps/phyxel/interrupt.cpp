// SPDX-License-Identifier: MIT
#include "interrupt.h"

#include <array>
#include <atomic>
#include <csignal>

namespace phyxel::command {
namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};

// Signals can only speak to what is global.
std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

void set_handler(void (*handler)(int))
{
    for (const int signal : signals) {
        struct sigaction action = {};
        // What nohup has ignored stays so. An ignored SIGINT is different: shells give it to every job that a
        // script puts into the background, and there too somebody may want to stop and save.
        if (signal == SIGHUP && sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
            continue;
        action = {};
        action.sa_handler = handler;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

void note(int /*signal*/)
{
    interrupted = true;
    set_handler(SIG_DFL);
}

} // namespace

InterruptGuard::InterruptGuard()
{
    interrupted = false;
    set_handler(note);
}

InterruptGuard::~InterruptGuard() { set_handler(SIG_DFL); }

bool InterruptGuard::is_interrupted() const { return interrupted; }

} // namespace phyxel::command
