// SPDX-License-Identifier: MIT
#include "surface_folder.h"

#include <phyxel/io/file.h>

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace phyxel::command {

namespace fs = std::filesystem;

SurfaceFolder::SurfaceFolder(fs::path settings_file, std::string settings, bool redo)
    : settings_file_(std::move(settings_file)),
      settings_(std::move(settings)),
      redo_(redo)
{
    std::error_code ignored;
    if (!fs::is_regular_file(settings_file_, ignored)) return;
    const Buffer<std::byte> bytes = read_file(settings_file_);
    are_settings_written_ =
        std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()) == settings_;
}

bool SurfaceFolder::is_done(const fs::path& output, std::span<const fs::path> inputs) const
{
    std::error_code missing;
    const auto made = fs::last_write_time(output, missing);
    if (redo_ || !are_settings_written_ || missing) return false;
    return std::all_of(inputs.begin(), inputs.end(),
                       [&](const fs::path& input) { return made >= fs::last_write_time(input, missing); });
}

void SurfaceFolder::prepare(const std::function<std::vector<fs::path>()>& stale)
{
    if (are_settings_written_) return;
    create_folder(settings_file_.parent_path());
    for (const fs::path& file : stale()) remove_file(file);
    write_file(settings_file_, settings_);
    are_settings_written_ = true;
}

} // namespace phyxel::command
