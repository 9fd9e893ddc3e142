// SPDX-License-Identifier: MIT
#include "log.h"

#include <phyxel/core/error.h>

#include <array>
#include <cerrno>
#include <ctime>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace phyxel::command {
namespace {

std::string time_text()
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    localtime_r(&now, &parts);
    std::array<char, 64> text;
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S%z", &parts)};
}

} // namespace

RunLog::~RunLog()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

void RunLog::add(const std::string& line)
{
    waiting_ += time_text() + " " + line + "\n";
    write_waiting();
}

void RunLog::open(const std::filesystem::path& run)
{
    constexpr mode_t readable_by_all = 0644;
    const std::filesystem::path path = run / "log.txt";
    // Without waiting for somebody who reads, in case that it is a pipe.
    descriptor_ =
        ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, readable_by_all);
    struct stat status = {};
    if ((descriptor_ < 0 && errno == ENXIO) ||
        (descriptor_ >= 0 && ::fstat(descriptor_, &status) == 0 && !S_ISREG(status.st_mode)))
        throw InputError(path.string() + ": is not a regular file, choose another folder with -o");
    if (descriptor_ < 0) return;
    // The system lets go of the lock when this program ends, however it ends.
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        throw InputError(run.string() +
                         ": another phyxel is writing this run, wait for it or choose another folder");
    write_waiting();
}

void RunLog::write_waiting()
{
    if (descriptor_ < 0) return;
    static_cast<void>(::write(descriptor_, waiting_.data(), waiting_.size()) >= 0);
    waiting_.clear();
}

} // namespace phyxel::command
