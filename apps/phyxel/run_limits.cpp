// SPDX-License-Identifier: MIT
#include "run_limits.h"

#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/scene/quantity.h>

#include <array>
#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

#include <sys/resource.h>
#include <unistd.h>

namespace phyxel::command {
namespace {

/// What the system allows beyond a limit of memory: room to save, and to be the one who says it.
constexpr double room_factor = 1.25;
constexpr double room = 128e6;

/// All memory and that which is really there, and the data in it [bytes].
struct MemoryUse {
    double resident = 0.0;
    double data = 0.0;
};

MemoryUse memory_use()
{
    std::ifstream file("/proc/self/statm");
    std::array<double, 6> pages{}; // size, resident, shared, text, 0, data and stack
    for (double& count : pages) file >> count;
    const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    return {pages[1] * page, pages[5] * page};
}

double parse_time(const std::string& text)
{
    double seconds = 0.0;
    try {
        const Quantity quantity = parse_quantity(text);
        seconds = quantity.has_unit ? parse_quantity_in(text, "s") : quantity.value;
    } catch (const InputError& error) {
        throw InputError("--limit-time " + text + ": " + error.what());
    }
    if (!(seconds > 0.0))
        throw InputError("--limit-time " + text + ": must be more than 0, as in \"10 min\"");
    return seconds;
}

} // namespace

double parse_size(const std::string& text)
{
    constexpr std::array<std::pair<std::string_view, double>, 9> units = {{{"", 1.0},
                                                                           {"B", 1.0},
                                                                           {"kB", 1e3},
                                                                           {"MB", 1e6},
                                                                           {"GB", 1e9},
                                                                           {"TB", 1e12},
                                                                           {"MiB", 1024.0 * 1024.0},
                                                                           {"GiB", 1024.0 * 1024.0 * 1024.0},
                                                                           {"KiB", 1024.0}}};
    const NumberPrefix number = read_number(text);
    std::string_view unit = std::string_view(text).substr(number.length);
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    for (const auto& [name, bytes] : units)
        if (number.length > 0 && unit == name && number.value > 0.0 && std::isfinite(number.value))
            return number.value * bytes;
    throw InputError("expected a size such as \"2 GB\", found \"" + text + "\"");
}

LimitWatch::LimitWatch(const RunLimits& limits) : limits_(limits)
{
    if (!limits.time.empty()) seconds_ = parse_time(limits.time);
    if (limits.memory.empty()) return;
    try {
        memory_ = parse_size(limits.memory);
    } catch (const InputError& error) {
        throw InputError("--limit-memory " + limits.memory + ": " + error.what());
    }
    rlimit limit = {};
    if (getrlimit(RLIMIT_DATA, &limit) != 0) return;
    const double most = memory_use().data + room_factor * *memory_ + room;
    if (limit.rlim_cur != RLIM_INFINITY && static_cast<double>(limit.rlim_cur) <= most) return;
    limit.rlim_cur = static_cast<rlim_t>(most);
    setrlimit(RLIMIT_DATA, &limit);
}

std::optional<std::string> LimitWatch::reached() const
{
    if (seconds_ && watch_.seconds() >= *seconds_)
        return "it has run for " + duration_text(watch_.seconds()) + ", as long as --limit-time allows";
    if (!memory_) return std::nullopt;
    const double resident = memory_use().resident;
    if (resident <= *memory_) return std::nullopt;
    return "it takes " + bytes_text(resident) + " of memory, more than --limit-memory allows";
}

} // namespace phyxel::command
