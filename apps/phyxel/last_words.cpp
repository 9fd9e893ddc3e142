// SPDX-License-Identifier: MIT
#include "last_words.h"

#include "console.h"

#include <cstdlib>
#include <new>
#include <system_error>

#include <unistd.h>

namespace phyxel::command {
namespace {

std::terminate_handler usual_end = nullptr;

/// Anything but a lack of room is a mistake of ours, and ends as usual, with a trace for those who mend it.
[[noreturn]] void end_with_a_word()
{
    if (const std::string line = lack_of_room(std::current_exception()); !line.empty()) {
        say(line);
        _exit(Failed);
    }
    if (usual_end != nullptr) usual_end();
    std::abort();
}

/// Before the libraries are started that the command is linked to: one of them starts threads then, and what
/// it throws would be the end without a word.
void prepare(int /*argc*/, char** /*argv*/, char** /*environment*/)
{
    usual_end = std::set_terminate(end_with_a_word);
}

[[gnu::section(".preinit_array"), gnu::used]] void (*const prepare_early)(int, char**, char**) = prepare;

} // namespace

std::string lack_of_room(const std::exception_ptr& thrown)
{
    if (!thrown) return {};
    try {
        std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        return "out of memory";
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again ||
            error.code() == std::errc::not_enough_memory)
            return "out of memory or threads: the system gives no more";
    } catch (...) {
        return {};
    }
    return {};
}

} // namespace phyxel::command
