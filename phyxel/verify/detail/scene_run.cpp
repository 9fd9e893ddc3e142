// SPDX-License-Identifier: MIT
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/verify/detail/scene_run.h>

#include <phyxel/core/error.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/scene/scene.h>

#include <unistd.h>

#include <atomic>
#include <system_error>
#include <utility>

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

std::map<std::string, std::vector<double>> columns_of(const std::filesystem::path& path)
{
    std::map<std::string, std::vector<double>> columns;
    if (!std::filesystem::exists(path)) return columns;
    NumberTable table = read_number_table(path);
    for (std::size_t k = 0; k < table.columns.size(); ++k)
        columns[table.columns[k]] = std::move(table.values[k]);
    return columns;
}

} // namespace

Snapshot SceneRun::frame(const std::string& body, std::uint64_t number) const
{
    return read_snapshot(frame_path(path, body, number)).snapshot;
}

SceneRun run_scene(const std::filesystem::path& scene, std::span<const std::string> assignments)
{
    const auto folder = std::make_shared<const TemporaryFolder>();
    BuiltScene built = build_scene(Scene::read(scene, standard_kinds(), assignments));
    RunOptions options;
    options.folder = folder->path();
    options.manifest = "{}\n";
    options.fields = built.fields;
    options.double_precision = built.double_precision;

    SceneRun result;
    result.folder = folder;
    result.path = folder->path();
    std::vector<std::string> parts;
    std::visit(
        [&](auto& world) {
            result.report = run(*world, options);
            parts = world->part_names();
        },
        built.world);
    if (result.report.failure) throw InputError(scene.string() + ": " + to_text(*result.report.failure));
    result.stats = columns_of(folder->path() / "stats.csv");
    result.probes = columns_of(folder->path() / "probes.csv");
    for (const std::string& part : parts) result.last[part] = result.frame(part, result.report.frame);
    return result;
}

} // namespace phyxel::detail
