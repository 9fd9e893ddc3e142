// SPDX-License-Identifier: MIT
#include <phyxel/verify/detail/scene_run.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/scene/scene.h>

#include <unistd.h>

#include <atomic>
#include <limits>
#include <sstream>
#include <system_error>

namespace phyxel::detail {
namespace {

class TemporaryFolder {
public:
    TemporaryFolder()
    {
        static std::atomic<int> next_number = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("phyxel-verify-" + std::to_string(::getpid()) + "-" + std::to_string(next_number++));
        std::filesystem::remove_all(path_);
    }
    ~TemporaryFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

std::vector<std::string> split(const std::string& line)
{
    std::vector<std::string> cells;
    std::istringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (line.ends_with(',')) cells.emplace_back();
    return cells;
}

std::map<std::string, std::vector<double>> read_table(const std::filesystem::path& path)
{
    std::map<std::string, std::vector<double>> table;
    if (!std::filesystem::exists(path)) return table;
    const Buffer<std::byte> bytes = read_file(path);
    std::istringstream lines(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    std::string line;
    std::getline(lines, line);
    const std::vector<std::string> names = split(line);
    while (std::getline(lines, line)) {
        const std::vector<std::string> cells = split(line);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const bool has_value = k < cells.size() && !cells[k].empty();
            table[names[k]].push_back(has_value ? std::stod(cells[k])
                                                : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return table;
}

} // namespace

SceneRun run_scene(const std::filesystem::path& scene, std::span<const std::string> assignments)
{
    const TemporaryFolder folder;
    BuiltScene built = build_scene(Scene::read(scene, assignments));
    RunOptions options;
    options.folder = folder.path();
    options.manifest = "{}\n";
    options.fields = built.fields;
    options.double_precision = built.double_precision;

    SceneRun result;
    std::vector<std::string> parts;
    std::visit(
        [&](auto& world) {
            result.report = run(*world, options);
            parts = world->part_names();
        },
        built.world);
    if (result.report.failure) throw InputError(scene.string() + ": " + to_text(*result.report.failure));
    result.stats = read_table(folder.path() / "stats.csv");
    result.probes = read_table(folder.path() / "probes.csv");
    for (const std::string& part : parts)
        result.last[part] = read_snapshot(frame_path(folder.path(), part, result.report.frame)).snapshot;
    return result;
}

} // namespace phyxel::detail
