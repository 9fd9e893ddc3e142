// SPDX-License-Identifier: MIT
#include <phyxel/world/run.h>

#include <phyxel/core/timer.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/vtk.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace phyxel {
namespace {

/// Share of the time that checkpoints may take beyond one in a checkpoint interval.
constexpr double checkpoint_cost = 0.05;

constexpr std::string_view manifest_name = "manifest.json";
constexpr std::string_view stats_name = "stats.csv";
constexpr std::string_view probes_name = "probes.csv";
constexpr std::array<std::string_view, 5> table_and_log_names = {stats_name, probes_name, "log.txt",
                                                                 "frames.pvd", manifest_name};
constexpr std::array<std::string_view, 4> folder_names = {"frames", "checkpoints", "pictures", "plots"};
constexpr std::array<std::string_view, 12> stage_names = {"neighbors", "density",  "divergence", "forces",
                                                          "pressure",  "shifting", "walls",      "stress",
                                                          "newton",    "contact",  "motion",     "output"};

std::filesystem::path checkpoint_folder(const RunOptions& options) { return options.folder / "checkpoints"; }

std::string extension(const RunOptions& options)
{
    return options.format == FrameFormat::Vtk ? ".vtp" : ".ply";
}

bool is_our_name(const std::string& name)
{
    const auto is = [&](std::string_view known) { return name == known; };
    return std::any_of(table_and_log_names.begin(), table_and_log_names.end(), is) ||
           std::any_of(folder_names.begin(), folder_names.end(), is) || is_partial_file_name(name);
}

std::string text_of(const std::filesystem::path& path)
{
    const Buffer<std::byte> bytes = read_file(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

enum class FolderState { Empty, Run };

/// The names in a folder; none if there is no such folder.
std::vector<std::string> names_in(const std::filesystem::path& folder)
{
    std::vector<std::string> names;
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error))
        names.push_back(entry->path().filename().string());
    if (error && error != std::errc::no_such_file_or_directory)
        throw IoError(folder, "cannot read the folder: " + error.message(), error);
    std::sort(names.begin(), names.end());
    return names;
}

/// What is in the folder; throws if it is not for us. Another program's folder is never written to, whatever
/// was asked for.
FolderState look_at_folder(const RunOptions& options)
{
    std::error_code error;
    const auto status = std::filesystem::status(options.folder, error);
    if (!std::filesystem::exists(status)) return FolderState::Empty;
    if (!std::filesystem::is_directory(status))
        throw InputError(options.folder.string() + ": is not a folder, choose another one with -o");
    const std::vector<std::string> names = names_in(options.folder);
    // The manifest is the first file of a run.
    const bool is_run = std::find(names.begin(), names.end(), manifest_name) != names.end();
    for (const std::string& name : names)
        if (!(is_run ? is_our_name(name) : name == "log.txt" || is_partial_file_name(name)))
            throw InputError(options.folder.string() + ": holds \"" + name +
                             "\", which is not from a run; choose another folder with -o");
    return is_run ? FolderState::Run : FolderState::Empty;
}

/// Removes what a run wrote, the manifest last, and nothing else.
void remove_run(const RunOptions& options)
{
    for (const FrameFile& frame : find_frames(options.folder)) remove_file(frame.path);
    for (const CheckpointFile& checkpoint : find_checkpoints(checkpoint_folder(options)))
        remove_file(checkpoint.path);
    for (std::string_view name : table_and_log_names)
        if (name != "log.txt") remove_file(options.folder / name);
}

std::vector<std::string> stats_columns()
{
    std::vector<std::string> columns = {"frame",
                                        "time",
                                        "steps",
                                        "step_size_min",
                                        "step_size_max",
                                        "particles",
                                        "removed",
                                        "emitted",
                                        "kinetic_energy",
                                        "potential_energy",
                                        "internal_energy",
                                        "momentum_x",
                                        "momentum_y",
                                        "momentum_z",
                                        "density_error_mean",
                                        "density_error_max",
                                        "density_iterations",
                                        "divergence_iterations",
                                        "stabilization_energy",
                                        "penetration",
                                        "newton_iterations",
                                        "linear_iterations",
                                        "residual",
                                        "inverted",
                                        "seconds"};
    for (std::string_view stage : stage_names) columns.push_back("seconds_" + std::string(stage));
    return columns;
}

/// A run while it runs.
template <int Dim>
class Runner {
public:
    Runner(World<Dim>& world, const RunOptions& options)
        : world_(world),
          options_(options),
          end_frame_(std::min(options.end_frame.value_or(world.clock().last_frame() + 1),
                              world.clock().last_frame() + 1))
    {
    }

    RunReport run()
    {
        prepare_folder();
        if (options_.resume) resume();
        if (report_.resumed_at_step && world_.frame() + 1 >= end_frame_ && is_at_frame_) {
            report_.outcome = RunOutcome::WasDone;
            return finish();
        }
        if (!report_.resumed_at_step) {
            begin_tables();
            write_frame();
            if (end_frame_ <= 1) save();
        }
        while (world_.frame() + 1 < end_frame_) {
            watch_frame_.restart();
            if (!advance()) return finish();
            write_frame();
            save_if_worthwhile();
        }
        return finish();
    }

private:
    void prepare_folder()
    {
        check_run_folder(options_);
        const bool is_run = look_at_folder(options_) == FolderState::Run;
        if (is_run && options_.overwrite) remove_run(options_);
        create_folder(options_.folder);
        if (!std::filesystem::exists(options_.folder / manifest_name))
            write_file(options_.folder / manifest_name, options_.manifest);
        create_folder(options_.folder / "frames");
        create_folder(checkpoint_folder(options_));
        for (const auto& folder : {options_.folder, options_.folder / "frames", checkpoint_folder(options_)})
            for (const std::string& name : remove_partial_files(folder))
                warn("removed " + name + ", which was not finished");
    }

    /// Goes back to the newest checkpoint, if there is one that can be used.
    void resume()
    {
        LoadedCheckpoint loaded = load_newest(checkpoint_folder(options_));
        for (const std::string& warning : loaded.warnings) warn(warning);
        for (const std::filesystem::path& path : loaded.refused) remove_file(path);
        if (!loaded.reader) return;
        const auto frame = loaded.reader->template value<std::uint64_t>("world/frame");
        if (!has_frames_until(frame)) {
            warn("frames before the checkpoint are missing, beginning at frame 0");
            return;
        }
        is_at_frame_ = is_of_frame(*loaded.reader);
        const bool is_done = frame + 1 >= end_frame_ && is_at_frame_;
        if (!has_tables() || (!is_done && !go_on_with_tables(*loaded.reader))) {
            warn("rows of before the checkpoint are missing, beginning at frame 0");
            return;
        }
        if (!is_at_frame_) between_frames_ = loaded.path;
        remove_others_between_frames(loaded.path);
        remove_old_checkpoints();
        world_.load(*loaded.reader);
        report_.resumed_at_step = world_.step_count();
    }

    bool has_tables() const
    {
        return std::filesystem::exists(options_.folder / stats_name) &&
               (world_.probe_columns().empty() || std::filesystem::exists(options_.folder / probes_name));
    }

    /// False if the tables have not the rows that the checkpoint counts.
    bool go_on_with_tables(const CheckpointReader& checkpoint)
    {
        const auto open = [&](std::string_view name, std::vector<std::string> columns, const char* rows) {
            return std::make_unique<CsvTable>(options_.folder / name, std::move(columns),
                                              checkpoint.value<std::uint64_t>(rows));
        };
        try {
            stats_ = open(stats_name, stats_columns(), "run/stats_rows");
            if (!world_.probe_columns().empty())
                probes_ = open(probes_name, probe_table_columns(), "run/probe_rows");
            return true;
        } catch (const IoError&) {
            throw; // what cannot be written now is still worth keeping
        } catch (const InputError& error) {
            warn(error.what());
            return false;
        }
    }

    std::vector<std::string> probe_table_columns() const
    {
        std::vector<std::string> columns = {"time"};
        columns.insert(columns.end(), world_.probe_columns().begin(), world_.probe_columns().end());
        return columns;
    }

    static bool is_of_frame(const CheckpointReader& checkpoint)
    {
        return checkpoint.value<std::uint8_t>("world/frame_reached") != 0;
    }

    /// What a program that was killed between writing a checkpoint and removing its forerunner left.
    void remove_others_between_frames(const std::filesystem::path& loaded) const
    {
        for (const CheckpointFile& file : find_checkpoints(checkpoint_folder(options_))) {
            if (file.path == loaded) continue;
            try {
                if (!is_of_frame(CheckpointReader(file.path))) remove_file(file.path);
            } catch (const InputError& error) {
                warn(error.what());
                remove_file(file.path);
            }
        }
    }

    bool has_frames_until(std::uint64_t last) const
    {
        for (const std::string& name : world_.part_names())
            for (std::uint64_t frame = options_.first_frame; frame <= std::min(last, end_frame_ - 1); ++frame)
                if (!std::filesystem::exists(frame_path(options_.folder, name, frame, extension(options_))))
                    return false;
        return true;
    }

    void begin_tables()
    {
        stats_ = std::make_unique<CsvTable>(options_.folder / stats_name, stats_columns());
        if (!world_.probe_columns().empty())
            probes_ = std::make_unique<CsvTable>(options_.folder / probes_name, probe_table_columns());
    }

    /// Reaches the next frame, or says in the report why not.
    bool advance()
    {
        while (true) {
            bool is_interrupted = false;
            const bool reached = world_.advance_frame([&] {
                write_probe_rows();
                tell_progress(false);
                is_interrupted = options_.interrupted && options_.interrupted();
                return is_interrupted || watch_checkpoint_.seconds() > options_.checkpoint_interval;
            });
            write_probe_rows();
            if (reached) return true;
            if (world_.failure()) {
                report_.outcome = RunOutcome::Failed;
                report_.failure = world_.failure();
                return false;
            }
            save();
            if (is_interrupted) {
                report_.outcome = RunOutcome::Interrupted;
                return false;
            }
        }
    }

    /// Everything that belongs to the frame that was just reached.
    void write_frame()
    {
        Stopwatch watch;
        const std::uint64_t frame = world_.frame();
        if (frame >= options_.first_frame) {
            for (const Snapshot& snapshot : world_.snapshots(options_.fields)) {
                write_snapshot(frame_path(options_.folder, snapshot.body, frame, extension(options_)),
                               snapshot, {.double_precision = options_.double_precision});
                if (!snapshot.surface) continue;
                const Snapshot surface = surface_snapshot(snapshot);
                write_snapshot(frame_path(options_.folder, surface.body, frame, extension(options_)), surface,
                               {.double_precision = options_.double_precision});
            }
            if (options_.format == FrameFormat::Vtk) write_collection();
            ++report_.frames_written;
        }
        write_probe_rows();
        write_stats(watch);
        tell_progress(true);
    }

    void write_collection() const
    {
        std::vector<PvdEntry> entries;
        for (std::uint64_t frame = options_.first_frame; frame <= world_.frame(); ++frame) {
            int part = 0;
            for (const std::string& name : world_.part_names())
                entries.push_back({world_.clock().frame_time(frame), part++, name,
                                   "frames/" + frame_file_name(name, frame, extension(options_))});
        }
        write_pvd(options_.folder / "frames.pvd", entries);
    }

    void write_probe_rows()
    {
        for (const ProbeRow& row : world_.take_probe_rows()) {
            std::vector<std::optional<double>> values = {row.time};
            values.insert(values.end(), row.values.begin(), row.values.end());
            probes_->add_row(values);
        }
    }

    void write_stats(const Stopwatch& output)
    {
        BodyTotals<Dim> sum;
        for (const BodyTotals<Dim>& total : world_.totals()) {
            sum.kinetic_energy += total.kinetic_energy;
            sum.potential_energy += total.potential_energy;
            sum.internal_energy += total.internal_energy;
            sum.stabilization_energy += total.stabilization_energy;
            sum.momentum += total.momentum;
        }
        const FrameReport& frame = world_.report();
        const auto number = [](auto value) { return std::optional<double>(static_cast<double>(value)); };
        const double steps = std::max(1.0, static_cast<double>(frame.steps)); // of which these are means
        std::vector<std::optional<double>> row = {
            number(world_.frame()),
            world_.time(),
            number(frame.steps),
            frame.steps > 0 ? std::optional(frame.shortest_step) : std::nullopt,
            frame.steps > 0 ? std::optional(frame.longest_step) : std::nullopt,
            number(world_.particle_count()),
            number(frame.removed),
            number(frame.emitted),
            sum.kinetic_energy,
            sum.potential_energy,
            sum.internal_energy,
            sum.momentum[0],
            sum.momentum[1],
            Dim == 3 ? sum.momentum[Dim - 1] : 0.0,
            frame.mean_compression,
            frame.largest_compression,
            frame.density_iterations / steps,
            frame.divergence_iterations / steps,
            sum.stabilization_energy,
            frame.largest_penetration,
            frame.newton_iterations / steps,
            frame.linear_iterations / steps,
            frame.residual,
            number(frame.inverted)};
        StageTimes times = frame.times;
        times.add("output", output.seconds());
        row.emplace_back(watch_frame_.seconds());
        for (std::string_view name : stage_names) {
            double seconds = 0.0;
            for (const StageTimes::Stage& stage : times.stages())
                if (stage.name == name) seconds = stage.seconds;
            row.emplace_back(seconds);
        }
        stats_->add_row(row);
        warn_of_inverted(frame);
    }

    /// A solid that is crushed goes on, but is none any more. Said once.
    void warn_of_inverted(const FrameReport& frame)
    {
        constexpr double few = 0.01; // of all
        const std::size_t count = world_.particle_count();
        if (told_of_inverted_ || frame.inverted == 0 ||
            static_cast<double>(frame.inverted) < few * static_cast<double>(count))
            return;
        told_of_inverted_ = true;
        warn("frame " + std::to_string(world_.frame()) + ": " + std::to_string(frame.inverted) + " of " +
             std::to_string(count) +
             " phyxels are turned inside out, so what is computed is no solid any more; use \"law\": "
             "\"neo_hookean\" or a stiffer material, or load it less");
    }

    /// The last two frames always get a checkpoint, so that a finished folder is the same however often the
    /// run was stopped; others when they cost little.
    void save_if_worthwhile()
    {
        const bool is_last = world_.frame() + 2 >= end_frame_;
        if (is_last || watch_checkpoint_.seconds() > options_.checkpoint_interval ||
            checkpoint_seconds_ <= checkpoint_cost * watch_.seconds())
            save();
    }

    void save()
    {
        Stopwatch watch;
        // Rows must be on the disk before a checkpoint counts them.
        stats_->sync();
        if (probes_) probes_->sync();
        CheckpointWriter checkpoint;
        world_.save(checkpoint);
        checkpoint.add_value("run/stats_rows", stats_->row_count());
        checkpoint.add_value("run/probe_rows", probes_ ? probes_->row_count() : std::uint64_t(0));
        const std::filesystem::path path =
            checkpoint_folder(options_) / checkpoint_file_name(world_.step_count());
        checkpoint.write(path);
        if (between_frames_ && *between_frames_ != path) remove_file(*between_frames_);
        between_frames_.reset();
        if (!world_.is_at_frame()) between_frames_ = path;
        remove_old_checkpoints();
        checkpoint_seconds_ += watch.seconds();
        watch_checkpoint_.restart();
    }

    /// Keeps the last two of frames, and one between frames for as long as it is the newest. A run that was
    /// stopped within its last frame thus ends with the same two as one that was not.
    void remove_old_checkpoints() const
    {
        std::vector<CheckpointFile> files = find_checkpoints(checkpoint_folder(options_));
        std::erase_if(files, [&](const CheckpointFile& file) { return file.path == between_frames_; });
        for (std::size_t k = 0; k + 2 < files.size(); ++k) remove_file(files[k].path);
    }

    void tell_progress(bool frame_written)
    {
        if (begin_time_ < 0.0) begin_time_ = world_.time();
        if (!options_.progress) return;
        options_.progress({.frame = world_.frame(),
                           .end_frame = end_frame_,
                           .time = world_.time(),
                           .particles = world_.particle_count(),
                           .steps = world_.step_count(),
                           .seconds = watch_.seconds(),
                           .simulated = world_.time() - begin_time_,
                           .frame_written = frame_written});
    }

    void warn(const std::string& line) const
    {
        if (options_.warn) options_.warn(line);
    }

    RunReport finish()
    {
        report_.frame = world_.frame();
        report_.seconds = watch_.seconds();
        return report_;
    }

    World<Dim>& world_;
    const RunOptions& options_;
    std::uint64_t end_frame_;
    RunReport report_;
    std::unique_ptr<CsvTable> stats_, probes_;
    bool is_at_frame_ = true;
    std::optional<std::filesystem::path> between_frames_; ///< a checkpoint that is not of a frame
    bool told_of_inverted_ = false;
    Stopwatch watch_, watch_frame_, watch_checkpoint_;
    double checkpoint_seconds_ = 0.0;
    double begin_time_ = -1.0; ///< simulated time at which this program began [s]
};

} // namespace

void check_run_folder(const RunOptions& options)
{
    if (look_at_folder(options) == FolderState::Empty || options.overwrite) return;
    const std::string folder = options.folder.string();
    if (!options.resume)
        throw InputError(folder + ": holds a run already; --resume goes on with it, --overwrite begins anew");
    const std::filesystem::path manifest = options.folder / manifest_name;
    if (std::filesystem::exists(manifest) && text_of(manifest) != options.manifest)
        throw InputError(folder +
                         ": is a run of another scene, or the scene or the program has changed since; "
                         "--overwrite begins anew");
}

template <int Dim>
RunReport run(World<Dim>& world, const RunOptions& options)
{
    return Runner<Dim>(world, options).run();
}

template RunReport run(World<2>&, const RunOptions&);
template RunReport run(World<3>&, const RunOptions&);

} // namespace phyxel
