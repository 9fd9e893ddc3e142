// SPDX-License-Identifier: MIT
#include <phyxel/world/run.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/timer.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/vtk.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

namespace phyxel {
namespace {

/// Share of the time that checkpoints may take beyond one in a checkpoint interval.
constexpr double checkpoint_cost = 0.05;

constexpr std::string_view stats_name = "stats.csv";
constexpr std::string_view probes_name = "probes.csv";
constexpr std::string_view poses_name = "poses.csv";
constexpr std::string_view collection_name = "frames.pvd";
constexpr std::array<std::string_view, 6> table_and_log_names = {stats_name, probes_name,     poses_name,
                                                                 "log.txt",  collection_name, manifest_name};
constexpr std::array<std::string_view, 4> folder_names = {"frames", "checkpoints", "pictures", "plots"};
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
        throw RunFolderError(RunFolderError::Kind::NotForRuns, options.folder.string() + ": is not a folder");
    const std::vector<std::string> names = names_in(options.folder);
    const auto has = [&](std::string_view name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    // Others have a manifest.json too, but none of the folders beside it.
    if (has(manifest_name) && has("frames") && has("checkpoints")) return FolderState::Run;
    const bool has_begun = has(manifest_name);
    for (const std::string& name : names)
        if (!(has_begun ? is_our_name(name) : name == "log.txt" || is_partial_file_name(name)))
            throw RunFolderError(RunFolderError::Kind::NotForRuns, options.folder.string() + ": holds \"" +
                                                                       name + "\", which is not from a run");
    return has_begun ? FolderState::Run : FolderState::Empty;
}

void remove_checkpoints(const RunOptions& options)
{
    for (const CheckpointFile& checkpoint : find_checkpoints(checkpoint_folder(options)))
        remove_file(checkpoint.path);
}

/// Removes what a run wrote, the manifest last, and nothing else.
void remove_run(const RunOptions& options)
{
    for (const FrameFile& frame : find_frames(options.folder)) remove_file(frame.path);
    remove_checkpoints(options);
    for (std::string_view name : table_and_log_names)
        if (name != "log.txt") remove_file(options.folder / name);
}

std::vector<std::string> stats_columns()
{
    std::vector<std::string> columns = {"frame",           "time",
                                        "steps",           "step_size_min",
                                        "step_size_max",   "particles",
                                        "kinetic_energy",  "potential_energy",
                                        "internal_energy", "stabilization_energy",
                                        "momentum_x",      "momentum_y",
                                        "momentum_z"};
    for (const StatisticInfo& info : statistics) columns.emplace_back(info.column);
    columns.emplace_back("seconds");
    for (std::string_view stage : step_stages) columns.push_back("seconds_" + std::string(stage));
    return columns;
}

/// What tables are called in checkpoints.
constexpr std::string_view stats_section = "run/stats_";
constexpr std::string_view probes_section = "run/probe_";
constexpr std::string_view poses_section = "run/pose_";

/// Of poses.csv. The rotation is a quaternion of length 1 whose first number is not negative.
std::vector<std::string> pose_columns()
{
    return {"time",       "frame",      "body",       "position_x", "position_y",
            "position_z", "rotation_w", "rotation_x", "rotation_y", "rotation_z"};
}

Eigen::Quaterniond quaternion_of(const Mat<3>& rotation)
{
    Eigen::Quaterniond q(rotation);
    q.normalize();
    if (q.w() < 0.0) q.coeffs() = -q.coeffs();
    return q;
}

Eigen::Quaterniond quaternion_of(const Mat<2>& rotation)
{
    Mat<3> in_space = Mat<3>::Identity();
    in_space.topLeftCorner<2, 2>() = rotation;
    return quaternion_of(in_space);
}

/// The files of the frames so far, and what they should be.
class FrameRecord {
public:
    struct File {
        std::string name; ///< in the folder of frames
        std::uint64_t frame = 0;
        FileSum sum;
    };

    void add(File file) { files_.push_back(std::move(file)); }

    std::span<const File> files() const { return files_; }

    void save(CheckpointWriter& checkpoint) const
    {
        std::string names;
        std::vector<std::uint64_t> frames, sizes, hashes;
        for (const File& file : files_) {
            names += file.name + '\n';
            frames.push_back(file.frame);
            sizes.push_back(file.sum.size);
            hashes.push_back(file.sum.hash);
        }
        checkpoint.add_text("run/file_names", names);
        checkpoint.add("run/file_frames", frames);
        checkpoint.add("run/file_sizes", sizes);
        checkpoint.add("run/file_hashes", hashes);
    }

    static FrameRecord load(const CheckpointReader& checkpoint)
    {
        const std::string names = checkpoint.text("run/file_names");
        const auto frames = checkpoint.section<std::uint64_t>("run/file_frames");
        std::vector<std::uint64_t> sizes(frames.size()), hashes(frames.size());
        checkpoint.read_into("run/file_sizes", std::span(sizes));
        checkpoint.read_into("run/file_hashes", std::span(hashes));
        FrameRecord record;
        std::size_t begin = 0;
        for (std::size_t k = 0; k < frames.size(); ++k) {
            const std::size_t end = std::min(names.find('\n', begin), names.size());
            record.add({names.substr(begin, end - begin), frames[k], {sizes[k], hashes[k]}});
            begin = std::min(end + 1, names.size());
        }
        return record;
    }

private:
    std::vector<File> files_;
};

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
            begin_anew();
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

    /// Goes back to the newest checkpoint that can be used, if there is one: it and all that was written
    /// until then are whole.
    void resume()
    {
        LoadedCheckpoint loaded =
            load_newest(checkpoint_folder(options_),
                        [this](const CheckpointReader& checkpoint) { return objection_to(checkpoint); });
        const std::string remedy =
            loaded.reader ? "; going back to frame " +
                                std::to_string(loaded.reader->value<std::uint64_t>("world/frame"))
                          : "; beginning at frame 0";
        for (const std::string& warning : loaded.warnings) warn(warning + remedy);
        for (const std::filesystem::path& path : loaded.refused) remove_file(path);
        if (!loaded.reader) return;
        const CheckpointReader& checkpoint = *loaded.reader;
        is_at_frame_ = is_of_frame(checkpoint);
        try {
            world_.load(checkpoint);
        } catch (const InputError& error) {
            throw InputError(loaded.path.string() + ": " + error.what() +
                             "; remove this file to go on from the one before, or begin anew");
        }
        record_ = FrameRecord::load(checkpoint);
        // A run that is done may be one that can only be read.
        if (!is_done(checkpoint) || tables_have_more_) go_on_with_tables(checkpoint);
        if (!is_at_frame_) between_frames_ = loaded.path;
        remove_others_between_frames(loaded.path);
        remove_old_checkpoints();
        repair_collection();
        report_.resumed_at_step = world_.step_count();
    }

    /// Nothing of what was there before counts, above all no checkpoint: one of an earlier beginning would be
    /// the newest by its number.
    void begin_anew()
    {
        remove_checkpoints(options_);
        stats_ = std::make_unique<CsvTable>(options_.folder / stats_name, stats_columns(), RowChecks::Column);
        if (!world_.probe_columns().empty())
            probes_ = std::make_unique<CsvTable>(options_.folder / probes_name, probe_table_columns());
        if (has_poses()) poses_ = std::make_unique<CsvTable>(options_.folder / poses_name, pose_columns());
    }

    bool has_poses() const
    {
        for (std::size_t k = 0; k < world_.body_count(); ++k)
            if (!world_.body(k).poses().empty()) return true;
        return false;
    }

    bool is_done(const CheckpointReader& checkpoint) const
    {
        return checkpoint.value<std::uint64_t>("world/frame") + 1 >= end_frame_ && is_of_frame(checkpoint);
    }

    /// Why the run cannot go on from a checkpoint, in one line.
    std::optional<std::string> objection_to(const CheckpointReader& checkpoint)
    {
        if (!checkpoint.contains("run/file_names"))
            return checkpoint.file_name() + ": is of a version that kept no checksums of frames";
        try {
            if (checkpoint.value<std::uint64_t>("world/frame") > world_.clock().last_frame())
                return checkpoint.file_name() + ": is of a frame that the scene does not have";
            if (auto damage = damage_of_frames(checkpoint)) return damage;
            return damage_of_tables(checkpoint);
        } catch (const IoError&) {
            throw; // what cannot be read now is still worth keeping
        } catch (const InputError& error) {
            return error.what();
        }
    }

    std::optional<std::string> damage_of_frames(const CheckpointReader& checkpoint)
    {
        const FrameRecord record = FrameRecord::load(checkpoint);
        const std::uint64_t end =
            std::min(checkpoint.value<std::uint64_t>("world/frame"), end_frame_ - 1) + 1;
        std::set<std::string_view> names;
        for (const FrameRecord::File& file : record.files()) names.insert(file.name);
        for (const std::string& part : world_.part_names())
            for (std::uint64_t frame = options_.first_frame; frame < end; ++frame)
                if (!names.contains(frame_file_name(part, frame, extension(options_))))
                    return "frame " + std::to_string(frame) + " of \"" + part + "\" was not written";

        std::vector<const FrameRecord::File*> wanted;
        for (const FrameRecord::File& file : record.files())
            if (file.frame >= options_.first_frame && file.frame < end) wanted.push_back(&file);
        std::vector<std::optional<std::string>> damages(wanted.size());
        parallel_for_blocks(wanted.size(), 1, [&](const Block& block) {
            const FrameRecord::File& file = *wanted[block.number];
            damages[block.number] = damage_of(options_.folder / "frames" / file.name, file.sum);
        });
        std::size_t count = 0;
        std::optional<std::string> first;
        for (std::optional<std::string>& damage : damages) {
            if (!damage) continue;
            ++count;
            if (!first) first = std::move(damage);
        }
        if (count > 1) *first += " (and " + std::to_string(count - 1) + " more files)";
        return first;
    }

    std::optional<std::string> damage_of_tables(const CheckpointReader& checkpoint)
    {
        std::vector<std::string_view> names = {stats_name};
        if (!world_.probe_columns().empty()) names.push_back(probes_name);
        if (has_poses()) names.push_back(poses_name);
        for (const std::string_view name : names)
            if (!std::filesystem::exists(options_.folder / name))
                return (options_.folder / name).string() + ": is missing";
        tables_have_more_ = CsvTable::check(options_.folder / stats_name, stats_columns(),
                                            mark_in(checkpoint, stats_section), RowChecks::Column);
        if (!world_.probe_columns().empty() &&
            CsvTable::check(options_.folder / probes_name, probe_table_columns(),
                            mark_in(checkpoint, probes_section)))
            tables_have_more_ = true;
        if (has_poses() &&
            CsvTable::check(options_.folder / poses_name, pose_columns(), mark_in(checkpoint, poses_section)))
            tables_have_more_ = true;
        return std::nullopt;
    }

    void go_on_with_tables(const CheckpointReader& checkpoint)
    {
        stats_ = std::make_unique<CsvTable>(options_.folder / stats_name, stats_columns(),
                                            mark_in(checkpoint, stats_section), RowChecks::Column);
        if (!world_.probe_columns().empty())
            probes_ = std::make_unique<CsvTable>(options_.folder / probes_name, probe_table_columns(),
                                                 mark_in(checkpoint, probes_section));
        if (has_poses())
            poses_ = std::make_unique<CsvTable>(options_.folder / poses_name, pose_columns(),
                                                mark_in(checkpoint, poses_section));
    }

    /// Rows that check themselves have no checksum in checkpoints, which are the same bytes in every run.
    static void save_mark(CheckpointWriter& checkpoint, std::string_view section, const TableMark& mark)
    {
        checkpoint.add_value(std::string(section) + "rows", mark.row_count);
        if (mark.hash) checkpoint.add_value(std::string(section) + "hash", *mark.hash);
    }

    static TableMark mark_in(const CheckpointReader& checkpoint, std::string_view section)
    {
        const std::string hash = std::string(section) + "hash";
        TableMark mark{checkpoint.value<std::uint64_t>(std::string(section) + "rows")};
        if (checkpoint.contains(hash)) mark.hash = checkpoint.value<std::uint64_t>(hash);
        return mark;
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
                warn(std::string(error.what()) + "; removed, a newer one is whole");
                remove_file(file.path);
            }
        }
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
                write_part(snapshot);
                if (snapshot.surface && options_.meshes) write_part(surface_snapshot(snapshot));
            }
            if (options_.format == FrameFormat::Vtk) write_collection();
            ++report_.frames_written;
        }
        write_probe_rows();
        write_poses();
        write_stats(watch);
        tell_progress(true);
    }

    void write_part(const Snapshot& snapshot)
    {
        const std::string name = frame_file_name(snapshot.body, world_.frame(), extension(options_));
        const FileSum sum = write_snapshot(options_.folder / "frames" / name, snapshot,
                                           {.double_precision = options_.double_precision});
        record_.add({name, world_.frame(), sum});
    }

    std::vector<PvdEntry> collection() const
    {
        std::vector<PvdEntry> entries;
        for (std::uint64_t frame = options_.first_frame; frame <= world_.frame(); ++frame) {
            int part = 0;
            for (const std::string& name : world_.part_names())
                entries.push_back({world_.clock().frame_time(frame), part++, name,
                                   "frames/" + frame_file_name(name, frame, extension(options_))});
        }
        return entries;
    }

    void write_collection() const { write_pvd(options_.folder / collection_name, collection()); }

    /// The list of frames follows from them.
    void repair_collection() const
    {
        if (options_.format != FrameFormat::Vtk || world_.frame() < options_.first_frame) return;
        const std::filesystem::path path = options_.folder / collection_name;
        if (!std::filesystem::exists(path) || text_of(path) != encode_pvd(collection())) write_collection();
    }

    void write_probe_rows()
    {
        for (const ProbeRow& row : world_.take_probe_rows()) {
            std::vector<std::optional<double>> values = {row.time};
            values.insert(values.end(), row.values.begin(), row.values.end());
            probes_->add_row(values);
        }
    }

    /// Of the bodies that are there.
    void write_poses()
    {
        for (std::size_t k = 0; poses_ && k < world_.body_count(); ++k)
            for (const PartPose<Dim>& pose : world_.body(k).poses()) {
                if (!pose.is_there) continue;
                const Eigen::Quaterniond q = quaternion_of(pose.rotation);
                const auto frame = static_cast<double>(world_.frame());
                const double z = Dim == 3 ? pose.center[Dim - 1] : 0.0;
                poses_->add_row(std::vector<TableCell>{world_.time(), frame, pose.name, pose.center[0],
                                                       pose.center[1], z, q.w(), q.x(), q.y(), q.z()});
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
        const double steps = std::max(1.0, static_cast<double>(frame.steps));
        std::vector<std::optional<double>> row = {
            number(world_.frame()),
            world_.time(),
            number(frame.steps),
            frame.steps > 0 ? std::optional(frame.shortest_step) : std::nullopt,
            frame.steps > 0 ? std::optional(frame.longest_step) : std::nullopt,
            number(world_.particle_count()),
            sum.kinetic_energy,
            sum.potential_energy,
            sum.internal_energy,
            sum.stabilization_energy,
            sum.momentum[0],
            sum.momentum[1],
            Dim == 3 ? sum.momentum[Dim - 1] : 0.0};
        for (const StatisticInfo& info : statistics)
            row.emplace_back(frame.statistics.*info.value / (info.is_mean ? steps : 1.0));
        StageTimes times = frame.times;
        times.add("output", output.seconds());
        row.emplace_back(watch_frame_.seconds());
        const std::size_t first_stage = row.size();
        row.resize(first_stage + step_stages.size(), 0.0);
        for (const StageTimes::Stage& stage : times.stages()) {
            const auto found = std::find(step_stages.begin(), step_stages.end() - 1, stage.name);
            *row[first_stage + static_cast<std::size_t>(found - step_stages.begin())] += stage.seconds;
        }
        stats_->add_row(row);
        warn_of_statistics(frame);
    }

    /// A solid that is crushed goes on, but is none any more. Said once, however few they are.
    void warn_of_statistics(const FrameReport& frame)
    {
        for (std::size_t k = 0; k < statistics.size(); ++k) {
            const StatisticWarning& text = statistics[k].warning;
            const double value = frame.statistics.*statistics[k].value;
            if (text.rest.empty() || value == 0.0 || std::exchange(told_of_[k], true)) continue;
            const auto count = static_cast<std::uint64_t>(value);
            warn("frame " + std::to_string(world_.frame()) + ": " + std::to_string(count) +
                 std::string(count == 1 ? text.one : text.several) + std::string(text.rest));
        }
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
        if (poses_) poses_->sync();
        CheckpointWriter checkpoint;
        world_.save(checkpoint);
        save_mark(checkpoint, stats_section, {stats_->row_count()});
        if (probes_) save_mark(checkpoint, probes_section, probes_->mark());
        if (poses_) save_mark(checkpoint, poses_section, poses_->mark());
        record_.save(checkpoint);
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
    std::unique_ptr<CsvTable> stats_, probes_, poses_;
    bool tables_have_more_ = false; ///< than the checkpoint knows of
    FrameRecord record_;
    bool is_at_frame_ = true;
    std::optional<std::filesystem::path> between_frames_; ///< a checkpoint that is not of a frame
    std::array<bool, statistics.size()> told_of_ = {};    ///< what is worth a warning
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
        throw RunFolderError(RunFolderError::Kind::HoldsRun, folder + ": holds a run already");
    const std::filesystem::path manifest = options.folder / manifest_name;
    if (std::filesystem::exists(manifest) && text_of(manifest) != options.manifest)
        throw RunFolderError(RunFolderError::Kind::HoldsOtherRun, folder + ": is another run");
}

template <int Dim>
RunReport run(World<Dim>& world, const RunOptions& options)
{
    return Runner<Dim>(world, options).run();
}

template RunReport run(World<2>&, const RunOptions&);
template RunReport run(World<3>&, const RunOptions&);

} // namespace phyxel
