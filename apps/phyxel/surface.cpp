// SPDX-License-Identifier: MIT
#include "surface.h"

#include "fragments.h"
#include "frame_progress.h"
#include "frame_range.h"
#include "run_fluids.h"
#include "run_folders.h"
#include "surface_folder.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/surface/coat_mesh.h>
#include <phyxel/volume/vdb.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> formats = {"ply", "obj", "vdb"};
constexpr std::array<std::string_view, 3> methods = {"density", "distance", "anisotropic"};

template <std::size_t Count>
void check_word(const std::string& option, const std::string& word,
                const std::array<std::string_view, Count>& allowed)
{
    if (std::find(allowed.begin(), allowed.end(), word) == allowed.end())
        throw InputError(option + " " + word + ": is not known, " + suggestion(word, allowed) +
                         "allowed: " + word_list(allowed));
}

/// Surfaces that were made with other options must not be taken for finished ones.
std::string settings_text(const SurfaceCommand& command)
{
    return "These surfaces were made with:\nmethod " + command.method + "\ncell " +
           number_text(command.options.cell) + "\nsupport " + number_text(command.options.support) +
           "\niso " + number_text(command.options.iso) + "\nsmooth " +
           std::to_string(command.options.smoothing) + "\n";
}

/// One file to be made.
struct Task {
    FrameFile frame;
    double spacing; ///< [m]
    fs::path output;
    std::string mesh;                      ///< what the meshes of the body are called
    std::optional<RecordedCoat> coat = {}; ///< of a solid
    std::vector<FrameFile> others = {};    ///< of solids that share the coat, at the same time
};

/// What the mesh of a body is called. The surfels of a coat are its surface already.
std::string mesh_name(const std::string& body, bool is_coat)
{
    return body + (is_coat ? "_coat" : "_surface");
}

/// The recorded surface beside a frame of phyxels; none if it is not there.
std::optional<Snapshot> recorded_surface(const FrameFile& frame)
{
    const fs::path path = frame.path.parent_path() / frame_file_name(frame.body + "_surface", frame.number,
                                                                     frame.path.extension().string());
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return {};
    return read_snapshot(path).snapshot;
}

/// Takes those away that have not become coats until the last frame: what is one stays one.
void keep_coats(const std::vector<FrameFile>& frames, std::map<std::string, RecordedCoat>& coats)
{
    for (auto coat = coats.begin(); coat != coats.end();) {
        const FrameFile* last = nullptr;
        for (const FrameFile& frame : frames)
            if (!coat->second.is_certain && frame.body == coat->first &&
                (last == nullptr || frame.number > last->number))
                last = &frame;
        const std::optional<Snapshot> surface = last != nullptr ? recorded_surface(*last) : std::nullopt;
        const bool is_coat = coat->second.is_certain || (surface && surface->find("axis_u") != nullptr);
        coat = is_coat ? std::next(coat) : coats.erase(coat);
    }
}

/// Solids that name each other have one mesh together, which is called after the first of their names: for
/// each of them that name.
std::map<std::string, std::string> shared_names(const std::map<std::string, RecordedCoat>& coats)
{
    std::map<std::string, std::string> first;
    for (const auto& [name, coat] : coats) first[name] = name;
    const auto names = [](const RecordedCoat& coat, const std::string& other) {
        return std::find(coat.merges_with.begin(), coat.merges_with.end(), other) != coat.merges_with.end();
    };
    for (const auto& [a, one] : coats)
        for (const auto& [b, other] : coats) {
            const std::string &low = std::min(first[a], first[b]), high = std::max(first[a], first[b]);
            if (low == high || !names(one, b) || !names(other, a)) continue;
            for (auto& [name, shared] : first)
                if (shared == high) shared = low;
        }
    return first;
}

std::vector<Task> find_tasks(const fs::path& run, const fs::path& folder, const SurfaceCommand& command)
{
    const std::map<std::string, double> spacings = spacings_of_fluids(run, true);
    std::map<std::string, RecordedCoat> coats = coats_of_solids(run);
    std::vector<FrameFile> frames = find_frames(run);
    keep_coats(frames, coats);
    if (spacings.empty() && coats.empty())
        throw InputError(run.string() + ": there is no fluid in this run, and no solid with a coat");
    const FrameRange range = command.frames.empty() ? FrameRange{} : parse_frames(command.frames);
    const std::map<std::string, std::string> shared = shared_names(coats);
    std::map<fs::path, std::size_t> tasks_of_coats;
    std::vector<Task> tasks;
    for (FrameFile& frame : frames) {
        const auto spacing = spacings.find(frame.body);
        const auto coat = coats.find(frame.body);
        const bool is_coat = coat != coats.end();
        if (spacing == spacings.end() && !is_coat) continue;
        if (frame.number < range.first || (range.end && frame.number >= *range.end)) continue;
        const std::string body = mesh_name(is_coat ? shared.at(frame.body) : frame.body, is_coat);
        if (!is_body_name(body))
            throw InputError(run.string() + ": the name \"" + frame.body + "\" is too long to have \"" +
                             body.substr(frame.body.size()) + "\" added to it");
        if (is_coat && command.format == "vdb")
            throw InputError(run.string() + ": the coat of a solid is made as ply or obj, not as vdb");
        const std::string name = frame_file_name(body, frame.number, "." + command.format);
        if (is_coat) {
            const auto [task, is_first] = tasks_of_coats.emplace(folder / name, tasks.size());
            if (!is_first) {
                tasks[task->second].others.push_back(std::move(frame));
                continue;
            }
        }
        Task task{std::move(frame), is_coat ? coat->second.spacing : spacing->second, folder / name, body};
        if (is_coat) task.coat = coat->second;
        tasks.push_back(std::move(task));
    }
    if (tasks.empty())
        throw InputError(run.string() + ": there are no frames" +
                         (command.frames.empty() ? "" : " in the range " + command.frames));
    // By frame and not by body, so that whoever looks at what is there sees whole moments.
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const Task& a, const Task& b) { return a.frame.number < b.frame.number; });
    return tasks;
}

/// The distance from the surface, the density and the velocity, as volumes.
void write_volumes(const Task& task, const SurfaceExtractor& extractor)
{
    const SparseField& density = extractor.density();
    const std::array grids = {vdb_level_set(extractor.surface().mesh, density.cell()),
                              vdb_fog_volume(density), vdb_vectors(extractor.velocity(), density)};
    write_vdb(task.output, grids);
}

/// Of the coats of a task: of one solid, or of several that share it.
class CoatParts {
public:
    void add(const FrameFile& frame, const Snapshot& body)
    {
        std::optional<Snapshot> surface = recorded_surface(frame);
        if (!surface) throw InputError("its surface was not written");
        // Until the body flows its skin is a mesh.
        if (surface->find("axis_u") == nullptr) return skins_.push_back(std::move(*surface));
        const std::vector<Vec<3>> normals = vectors_of(*surface, "normal"),
                                  axes = vectors_of(*surface, "axis_u");
        if (normals.size() != surface->points.size() || axes.size() != surface->points.size())
            throw InputError("its surface has no surfels with normals and axes");
        append(body.points, phyxels_);
        append(vectors_of(body, "velocity"), velocities_);
        append(surface->points, surfels_);
        append(normals, normals_);
        if (!axes.empty()) radius_ = std::max(radius_, axes.front().norm());
    }

    /// A mesh that is all of it: of surfels, and beside it the skins.
    Snapshot snapshot(const Task& task, double cell)
    {
        Snapshot made;
        if (phyxels_.empty() && skins_.size() == 1) return std::move(skins_.front());
        if (velocities_.size() != phyxels_.size()) velocities_.clear();
        ParticleSurface mesh = coat_mesh(phyxels_, velocities_, surfels_, normals_,
                                         {.spacing = task.spacing,
                                          .blobbiness = task.coat->blobbiness,
                                          .radius = radius_ > 0.0 ? radius_ : task.spacing,
                                          .cell = cell});
        for (const Snapshot& skin : skins_) {
            const auto first = static_cast<Index>(mesh.mesh.vertices.size());
            append(skin.points, mesh.mesh.vertices);
            for (const auto& [a, b, c] : skin.triangles.value())
                mesh.mesh.triangles.push_back({a + first, b + first, c + first});
            const std::vector<Vec<3>> normals = vectors_of(skin, "normal"),
                                      velocities = vectors_of(skin, "velocity");
            for (const Vec<3>& n : normals) mesh.normals.push_back(n.cast<float>());
            for (const Vec<3>& v : velocities) mesh.velocities.push_back(v.cast<float>());
            mesh.normals.resize(mesh.mesh.vertices.size(), Vec<3, float>::Zero());
            mesh.velocities.resize(mesh.mesh.vertices.size(), Vec<3, float>::Zero());
        }
        made.surface = surface_mesh(mesh);
        return made;
    }

private:
    static void append(const std::vector<Vec<3>>& more, std::vector<Vec<3>>& all)
    {
        all.insert(all.end(), more.begin(), more.end());
    }

    std::vector<Vec<3>> phyxels_, velocities_, surfels_, normals_;
    double radius_ = 0.0; ///< of the largest surfel [m]
    std::vector<Snapshot> skins_;
};

void make_surface(const Task& task, const SurfaceOptions& options)
{
    SnapshotFile file = read_snapshot(task.frame.path);
    if (task.coat) {
        CoatParts parts;
        const auto add = [&](const FrameFile& frame, const Snapshot& body) {
            try {
                parts.add(frame, body);
            } catch (const InputError& error) {
                throw InputError(frame.path.string() + ": " + error.what());
            }
        };
        add(task.frame, file.snapshot);
        for (const FrameFile& other : task.others) add(other, read_snapshot(other.path).snapshot);
        try {
            Snapshot made = parts.snapshot(task, 0.5 * options.cell);
            made.body = task.frame.body;
            made.time = file.snapshot.time;
            write_snapshot(task.output, made.surface ? surface_snapshot(made) : made,
                           {.double_precision = file.is_double});
        } catch (const InputError& error) {
            throw InputError(task.frame.path.string() + ": " + error.what());
        }
        return;
    }
    const auto extractor = [&] {
        try {
            return SurfaceExtractor(file.snapshot.points, vectors_of(file.snapshot, "velocity"), task.spacing,
                                    options);
        } catch (const InputError& error) {
            throw InputError(task.frame.path.string() + ": " + error.what());
        }
    }();
    if (task.output.extension() == ".vdb") return write_volumes(task, extractor);
    file.snapshot.body = task.frame.body;
    file.snapshot.surface = surface_mesh(extractor.surface());
    write_snapshot(task.output, surface_snapshot(file.snapshot), {.double_precision = file.is_double});
}

} // namespace

ExitCode make_surfaces(const SurfaceCommand& command)
{
    if (command.rigid && !command.fragments) throw InputError("--rigid goes with --fragments");
    if (command.fragments) return make_fragments(command);
    check_word("--format", command.format, formats);
    check_word("--method", command.method, methods);
    SurfaceOptions options = command.options;
    options.method = command.method == "density"    ? SurfaceMethod::Density
                     : command.method == "distance" ? SurfaceMethod::Distance
                                                    : SurfaceMethod::Anisotropic;
    check_options(options);
    const fs::path run = find_run(command.run);
    const fs::path folder = command.folder.empty() ? run / "frames" : command.folder;
    const std::vector<Task> tasks = find_tasks(run, folder, command);

    SurfaceFolder surfaces(folder / "surface.txt", settings_text(command), command.redo);
    FrameProgress progress(command.quiet, "surface", tasks.size());
    // With other options none of those that there are is taken for one of these, in any format.
    const auto stale = [&] {
        std::vector<fs::path> files;
        for (const FrameFile& frame : find_frames(run))
            for (const Task& task : tasks)
                if (task.frame.body == frame.body) {
                    for (const std::string_view format : formats)
                        files.push_back(folder /
                                        frame_file_name(task.mesh, frame.number, "." + std::string(format)));
                    break;
                }
        return files;
    };
    std::size_t made = 0;
    for (std::size_t k = 0; k < tasks.size(); ++k) {
        std::vector<fs::path> inputs = {tasks[k].frame.path};
        for (const FrameFile& other : tasks[k].others) inputs.push_back(other.path);
        if (surfaces.is_done(tasks[k].output, inputs)) continue;
        surfaces.prepare(stale);
        make_surface(tasks[k], options);
        ++made;
        progress.show(k + 1);
        if (progress.is_stopped("goes on")) return Interrupted;
    }
    progress.clear();
    if (!command.quiet)
        print(tasks.back().output.string() + ": " + count_text(made, "surface", "surfaces") + " made, " +
              count_text(tasks.size() - made, "was", "were") + " there before\n");
    return Done;
}

} // namespace phyxel::command
