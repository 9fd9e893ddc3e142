// SPDX-License-Identifier: MIT
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/verify/detail/scene_run.h>

#include <phyxel/core/error.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/scene/scene.h>
#include <phyxel/verify/case.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <mutex>
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

SceneRun make_run(const std::filesystem::path& scene, std::span<const std::string> assignments, Fault fault)
{
    const auto folder = std::make_shared<const TemporaryFolder>();
    BuiltScene built =
        build_scene(Scene::read(scene, standard_kinds(), assignments), this_machine(), {}, {}, fault);
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
    if (result.report.failure)
        throw Diverged(scene.filename().string() + ": " + to_text(*result.report.failure));
    result.stats = columns_of(folder->path() / "stats.csv");
    result.probes = columns_of(folder->path() / "probes.csv");
    for (const std::string& part : parts) result.last[part] = result.frame(part, result.report.frame);
    return result;
}

using SharedRun = std::shared_ptr<const SceneRun>;

/// The runs that cases asked for last.
class RunMemory {
public:
    /// That of the key, made by whoever asks first.
    template <class Make>
    SharedRun get(const std::string& key, Make&& make)
    {
        std::packaged_task<SharedRun()> task(
            [&] { return std::make_shared<const SceneRun>(std::forward<Make>(make)()); });
        std::shared_future<SharedRun> run;
        bool is_known = true;
        {
            const std::lock_guard lock(mutex_);
            const auto known = std::find_if(runs_.begin(), runs_.end(),
                                            [&](const Entry& entry) { return entry.key == key; });
            is_known = known != runs_.end();
            run = is_known ? known->run : task.get_future().share();
            if (!is_known) runs_.push_back({key, run});
            if (runs_.size() > kept) runs_.erase(runs_.begin());
        }
        if (!is_known) task();
        return run.get();
    }

private:
    struct Entry {
        std::string key;
        std::shared_future<SharedRun> run;
    };
    static constexpr std::size_t kept = 8;

    std::mutex mutex_;
    std::vector<Entry> runs_; ///< the oldest first
};

} // namespace

Snapshot SceneRun::frame(const std::string& body, std::uint64_t number) const
{
    return read_snapshot(frame_path(path, body, number)).snapshot;
}

std::shared_ptr<const SceneRun> run_scene(const std::filesystem::path& scene,
                                          std::span<const std::string> assignments, Fault fault)
{
    static RunMemory memory;
    std::string key = scene.string() + "\n" + std::to_string(static_cast<int>(fault));
    for (const std::string& assignment : assignments) key += "\n" + assignment;
    return memory.get(key, [&] { return make_run(scene, assignments, fault); });
}

} // namespace phyxel::detail
