// SPDX-License-Identifier: MIT
#include "run.h"

#include "frame_range.h"
#include "interrupt.h"
#include "log.h"
#include "progress.h"
#include "run_folders.h"
#include "scene_summary.h"
#include "shipped.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/io/file.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/manifest.h>
#include <phyxel/scene/scene.h>
#include <phyxel/world/run.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

void check_frames(const std::string& text, const FrameRange& range, std::uint64_t last)
{
    if (range.first > last || range.end.value_or(0) > last + 1)
        refuse_frames(text, "the last frame of the scene is " + std::to_string(last) +
                                ", so the end is at most " + std::to_string(last + 1));
}

/// What the run will say of itself.
Manifest manifest_of(const std::string& name, const BuiltScene& built, const fs::path& scene_file)
{
    return {.program = "phyxel " PHYXEL_VERSION,
            .name = name,
            .scene = built.resolved,
            .derived = built.derived,
            .files_folder = names_file(built.resolved) ? whole_path(scene_file).parent_path() : fs::path()};
}

/// What is the matter with the folder, and what can be asked for instead.
std::string refusal_of(const RunFolderError& error, const fs::path& folder, const Manifest& manifest)
{
    std::string text = error.what();
    switch (error.kind()) {
    case RunFolderError::Kind::NotForRuns:
        return text + "; choose another folder with -o";
    case RunFolderError::Kind::HoldsRun:
        return text + "; --resume goes on with it, --overwrite begins anew";
    case RunFolderError::Kind::HoldsOtherRun:
        break;
    }
    std::vector<std::string> lines;
    try {
        lines = differences(read_manifest(folder), manifest);
    } catch (const InputError& damage) {
        lines = {damage.what()};
    }
    constexpr std::size_t most = 3;
    for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) text += (i == 0 ? ": " : ", ") + lines[i];
    if (lines.size() > most) text += " and " + std::to_string(lines.size() - most) + " more differences";
    return text + "; --overwrite begins anew";
}

std::string command_line(const RunCommand& command, const std::string& where)
{
    std::string line = "phyxel run " + shell_word(command.scene) + where;
    for (const std::string& assignment : command.assignments) line += " --set " + shell_word(assignment);
    if (!command.frames.empty()) line += " --frames " + shell_word(command.frames);
    return line;
}

/// The command that goes on with a run that was stopped.
std::string resume_command(const RunCommand& command, const fs::path& folder)
{
    return command_line(command, " --resume -o " + shell_word(folder.string()));
}

/// The command that makes a run once more.
std::string begin_command(const RunCommand& command)
{
    return command_line(command, command.folder.empty() ? "" : " -o " + shell_word(command.folder.string()));
}

/// What a run says, on the terminal and in its log.
class Voice {
public:
    Voice(bool is_quiet, double end_time)
        : is_quiet_(is_quiet),
          progress_(is_quiet ? ProgressDisplay::Mode::None : ProgressDisplay::default_mode(), end_time)
    {
    }

    /// For the log alone.
    void note(const std::string& line) { log_.add(line); }

    void tell(const std::string& line)
    {
        log_.add(line);
        progress_.clear();
        if (!is_quiet_) say(line);
    }

    void warn_of(const std::string& line)
    {
        log_.add("warning: " + line);
        progress_.clear();
        warn(line);
    }

    void complain(const std::string& line)
    {
        log_.add(line);
        progress_.clear();
        say(line);
    }

    /// The outcome and the command to try next.
    void result(const std::string& line, const std::string& next)
    {
        log_.add(line);
        progress_.clear();
        if (!is_quiet_) print(line + "\nnext: " + next + "\n");
    }

    void show(const RunProgress& progress) { progress_.show(progress); }
    void open_log(const fs::path& folder) { log_.open(folder); }

private:
    bool is_quiet_;
    RunLog log_;
    ProgressDisplay progress_;
};

/// The folder of the run, and whether it was made just now.
struct RunFolder {
    fs::path path;
    bool is_new = false;
};

RunFolder choose_folder(const RunCommand& command, const std::string& name)
{
    if (!command.folder.empty()) return {find_run(command.folder)};
    if (command.resume)
        if (const std::optional<fs::path> newest = newest_run_folder(name)) return {*newest};
    return {make_run_folder(name), true};
}

/// The machine with the disk that the run will be on. What is in the folder already is there for it: frames
/// that are kept need no more room, and those that are replaced give it back.
Machine machine_for(const RunCommand& command, const std::string& name, std::optional<double> memory_limit)
{
    std::optional<fs::path> folder;
    if (!command.folder.empty())
        folder = find_run(command.folder);
    else if (command.resume)
        folder = newest_run_folder(name);
    Machine machine = this_machine(folder.value_or(runs_folder));
    if (memory_limit) machine.memory = std::min(machine.memory, *memory_limit);
    std::error_code error;
    const bool is_run = folder && fs::exists(*folder / manifest_name, error);
    if (is_run && (command.resume || command.overwrite)) machine.disk += folder_size(*folder).bytes;
    return machine;
}

RunReport run_world(BuiltScene& built, const RunOptions& options)
{
    return std::visit([&](auto& world) { return run(*world, options); }, built.world);
}

/// Not worth stopping for, as when the present folder is read-only and the run is elsewhere.
void remember(const fs::path& folder, Voice& voice)
{
    try {
        remember_run(folder);
    } catch (const IoError& error) {
        voice.warn_of(std::string(error.what()) + "; \"last\" will not name this run");
    }
}

std::string result_text(const RunReport& report, std::uint64_t frame_count)
{
    std::string text = "finished: " + count_text(frame_count, "frame", "frames");
    if (report.resumed_at_step) text += ", " + count_text(report.frames_written) + " of them now,";
    return text + " in " + duration_text(report.seconds);
}

/// What two runs are compared by: equal numbers are equal bits. The studio shows the same number.
std::string state_text(const BuiltScene& built, std::uint64_t frame)
{
    const std::uint64_t hash = std::visit([](const auto& world) { return world->state_hash(); }, built.world);
    return "state at frame " + std::to_string(frame) + ": " + hash_text(hash);
}

/// `limit` is what stopped the run, if a limit did.
ExitCode tell_outcome(const RunReport& report, std::uint64_t frame_count, const RunCommand& command,
                      const fs::path& folder, const std::optional<std::string>& limit, Voice& voice)
{
    const std::string path = folder.string();
    const std::string next = "phyxel render " + shell_word(path);
    switch (report.outcome) {
    case RunOutcome::Done:
        voice.result(path + ": " + result_text(report, frame_count), next);
        return Done;
    case RunOutcome::WasDone:
        voice.result(path + ": was finished before, nothing to do", next);
        return Done;
    case RunOutcome::Interrupted:
        if (limit) {
            voice.complain("stopped after frame " + std::to_string(report.frame) + " and saved: " + *limit +
                           "; go on with: " + resume_command(command, folder));
            return Limited;
        }
        voice.complain("interrupted after frame " + std::to_string(report.frame) +
                       " and saved; go on with: " + resume_command(command, folder));
        return Interrupted;
    case RunOutcome::Failed:
        voice.complain(to_text(report.failure.value()));
        voice.complain("stopped after frame " + std::to_string(report.frame) + "; all frames are kept in " +
                       path);
        return Failed;
    }
    return Failed;
}

} // namespace

ExitCode run_scene(const RunCommand& command)
{
    const FrameRange frames = command.frames.empty() ? FrameRange() : parse_frames(command.frames);
    const LimitWatch limits(command.limits);
    std::optional<std::string> limit;
    const fs::path file = find_scene(command.scene);
    const std::string name = scene_name(file);
    BuiltScene built = build_scene(Scene::read(file, standard_kinds(), command.assignments),
                                   machine_for(command, name, limits.memory()), frames);
    const std::uint64_t last = last_frame(built);
    check_frames(command.frames, frames, last);
    const std::uint64_t end = frames.end.value_or(last + 1);
    const double end_time =
        std::visit([&](const auto& world) { return world->clock().frame_time(end - 1); }, built.world);

    const RunFolder folder = choose_folder(command, name);
    Voice voice(command.quiet, end_time);
    InterruptGuard interrupt;
    bool has_begun = false;

    RunOptions options;
    options.folder = folder.path;
    options.resume = command.resume;
    options.overwrite = command.overwrite;
    options.first_frame = frames.first;
    options.end_frame = frames.end;
    const Manifest manifest = manifest_of(name, built, file);
    options.manifest = manifest_text(manifest, folder.path);
    options.format = built.format;
    options.fields = built.fields;
    options.double_precision = built.double_precision;
    options.meshes = built.meshes;
    options.warn = [&](const std::string& line) { voice.warn_of(line); };
    options.interrupted = [&, is_known = false]() mutable {
        if (interrupt.is_interrupted() && !std::exchange(is_known, true))
            voice.tell("saving; another Ctrl-C stops at once");
        if (!interrupt.is_interrupted()) limit = limits.reached();
        return interrupt.is_interrupted() || limit;
    };
    options.progress = [&](const RunProgress& progress) {
        has_begun = true;
        voice.show(progress);
    };

    RunReport report;
    try {
        check_run_folder(options);
        create_folder(folder.path);
        voice.open_log(folder.path);
        for (const std::string& warning : built.warnings) voice.warn_of(warning);
        voice.tell(name + ": " + estimate_text(built.estimate) + "; " +
                   (command.frames.empty()
                        ? ""
                        : "frames " + std::to_string(frames.first) + " to " + std::to_string(end - 1) + " ") +
                   "into " + folder.path.string());
        remember(folder.path, voice);
        report = run_world(built, options);
        if (report.outcome == RunOutcome::Done) voice.note(state_text(built, report.frame));
    } catch (const std::bad_alloc&) {
        if (!has_begun) throw;
        voice.complain(limits.memory() ? "out of memory, of which --limit-memory allows no more"
                                       : "out of memory");
        voice.complain("what was written until then is whole; go on with: " +
                       resume_command(command, folder.path));
        return limits.memory() ? Limited : Failed;
    } catch (const RunFolderError& error) {
        throw InputError(refusal_of(error, folder.path, manifest));
    } catch (const InputError& error) {
        std::error_code ignored;
        // Only an empty folder goes away.
        if (folder.is_new) fs::remove(folder.path, ignored);
        if (!has_begun) throw;
        voice.complain(error.what());
        if (fs::exists(folder.path / manifest_name, ignored))
            voice.complain("what was written until then is whole; go on with: " +
                           resume_command(command, folder.path));
        else
            voice.complain(
                folder.path.string() +
                ": the run was removed while it was written; begin anew with: " + begin_command(command));
        return Failed;
    }
    return tell_outcome(report, end - frames.first, command, folder.path, limit, voice);
}

} // namespace phyxel::command
