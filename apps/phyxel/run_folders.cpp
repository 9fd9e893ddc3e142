// SPDX-License-Identifier: MIT
#include "run_folders.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <system_error>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const std::string& name, std::uint64_t number)
{
    std::string digits = std::to_string(number);
    if (digits.size() < 3) digits.insert(0, 3 - digits.size(), '0');
    return runs_folder / (name + "-" + digits);
}

/// The highest number that a run of this name has; 0 if there is none.
std::uint64_t highest_number(const std::string& name)
{
    std::uint64_t highest = 0;
    std::error_code error;
    for (fs::directory_iterator entry(runs_folder, error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string file = entry->path().filename().string();
        if (!file.starts_with(name + "-")) continue;
        std::uint64_t number = 0;
        const char* begin = file.data() + name.size() + 1;
        std::from_chars(begin, file.data() + file.size(), number);
        if (number > highest && folder_of(name, number).filename() == file) highest = number;
    }
    return highest;
}

} // namespace

fs::path make_run_folder(const std::string& name)
{
    create_folder(runs_folder);
    for (std::uint64_t number = highest_number(name) + 1;; ++number) {
        fs::path folder = folder_of(name, number);
        std::error_code error;
        // Only one of two programs that are started at once makes the folder.
        if (fs::create_directory(folder, error)) return folder;
        if (error) detail::throw_io_error(folder, "create", error.value());
    }
}

std::optional<fs::path> newest_run_folder(const std::string& name)
{
    const std::uint64_t number = highest_number(name);
    if (number == 0) return std::nullopt;
    return folder_of(name, number);
}

void remember_run(const fs::path& run)
{
    create_folder(runs_folder);
    write_file(runs_folder / ".last", run.string() + "\n");
}

fs::path find_run(const fs::path& run)
{
    if (run != "last") return run;
    std::error_code error;
    std::string path;
    if (std::ifstream file; fs::is_regular_file(runs_folder / ".last", error)) {
        file.open(runs_folder / ".last");
        std::getline(file, path);
    }
    if (path.empty()) throw InputError("last: no run was begun from this folder yet, there is no runs/.last");
    if (!fs::exists(path, error)) throw InputError("last: the newest run, " + path + ", is no longer there");
    return path;
}

FolderSize folder_size(const fs::path& folder)
{
    FolderSize size;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_regular_file(ignored)) continue;
        ++size.files;
        size.bytes += static_cast<double>(entry->file_size(ignored));
    }
    return size;
}

} // namespace phyxel::command
