// SPDX-License-Identifier: MIT
#include "world_support.h"

#include <phyxel/core/error.h>
#include <phyxel/io/csv.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>

#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <utility>

namespace phyxel::run_test {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// stats.csv without the columns that hold times.
std::string without_timings(const std::string& table)
{
    std::istringstream lines(table);
    std::string line, kept;
    std::size_t columns = 0;
    while (std::getline(lines, line)) {
        std::vector<std::string> cells;
        std::istringstream row(line);
        for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
        if (columns == 0)
            columns =
                static_cast<std::size_t>(std::find(cells.begin(), cells.end(), "seconds") - cells.begin());
        cells.resize(columns);
        for (const std::string& cell : cells) kept += cell + ',';
        kept += '\n';
    }
    return kept;
}

/// Everything in a run's folder that must be the same bytes.
std::map<std::string, std::string> content_of(const fs::path& folder)
{
    std::map<std::string, std::string> content;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        const std::string name = fs::relative(entry.path(), folder).string();
        const std::string text = text_of(entry.path());
        content[name] = name == "stats.csv" ? without_timings(text) : text;
    }
    return content;
}

std::unique_ptr<World<2>> small_world()
{
    auto options = test_tank<2>(0.4);
    options.probes.push_back({"speed", BodyProbe{"water"}, "max_speed", ProbeTimes::Step});
    return test_world<2>(options, {test_block<2>("water", 8), test_block<2>("drop", 3, Vec<2>(0.05, 0.25))});
}

RunOptions options_for(const fs::path& folder)
{
    RunOptions options;
    options.folder = folder;
    options.manifest = "{ \"scene\": 1 }\n";
    options.fields = {"density"};
    return options;
}

RunReport run_in(const fs::path& folder, const std::function<void(RunOptions&)>& change = {})
{
    auto world = small_world();
    RunOptions options = options_for(folder);
    if (change) change(options);
    return run(*world, options);
}

/// A body of a kind that nobody knows, whose step has a stage of its own.
class StillBody final : public Body<2> {
public:
    std::vector<std::string> parts() const override { return {"stone"}; }
    ParticleView<2> particles() const override { return {place_, velocity_, id_, part_, reach_}; }
    ParticleAmounts amounts(const Surroundings<2>&) override
    {
        return {.mass = reach_, .volume = reach_, .rest_volume = reach_, .weight = reach_};
    }
    BodyStepReport step(double, const Surroundings<2>&) override
    {
        BodyStepReport report;
        report.times.add("waiting", 2.0);
        report.times.add("pondering", 1.0);
        report.times.add("motion", 0.5);
        return report;
    }
    void save(CheckpointWriter&) const override {}
    void load(const CheckpointReader&) override {}

private:
    std::vector<Vec<2>> place_ = {Vec<2>(0.1, 0.1)}, velocity_ = {Vec<2>::Zero()};
    std::vector<std::uint64_t> id_ = {0};
    std::vector<std::uint32_t> part_ = {0};
    std::vector<double> reach_ = {0.02};
};

TEST(Run, stages_that_have_no_column_are_counted_in_one_for_all)
{
    std::vector<std::unique_ptr<Body<2>>> bodies;
    bodies.push_back(std::make_unique<StillBody>());
    WorldOptions<2> options = test_tank<2>(0.4);
    options.clock.fixed_step = 1.0 / options.clock.frame_rate;
    World<2> world(options, std::move(bodies));
    const TemporaryFolder folder;
    EXPECT_EQ(run(world, options_for(folder.path() / "run")).outcome, RunOutcome::Done);
    const NumberTable stats = read_number_table(folder.path() / "run" / "stats.csv");
    EXPECT_EQ(stats.find("seconds_other")->at(1), 3.0);
    EXPECT_EQ(stats.find("seconds_motion")->at(1), 0.5);
    EXPECT_EQ(stats.find("seconds_other")->at(0), 0.0);
}

TEST(Run, leaves_manifest_frames_tables_and_two_checkpoints)
{
    const TemporaryFolder folder;
    const fs::path run_folder = folder.path() / "new" / "run";
    const RunReport report = run_in(run_folder);
    EXPECT_EQ(report.outcome, RunOutcome::Done);
    EXPECT_EQ(report.frame, 5u);
    EXPECT_EQ(report.frames_written, 6u);
    EXPECT_EQ(text_of(run_folder / "manifest.json"), "{ \"scene\": 1 }\n");
    EXPECT_EQ(find_frames(run_folder).size(), 12u);
    EXPECT_TRUE(fs::exists(run_folder / "frames" / "water_000000.ply"));
    EXPECT_TRUE(fs::exists(run_folder / "frames" / "drop_000005.ply"));
    EXPECT_EQ(find_checkpoints(run_folder / "checkpoints").size(), 2u);
    const std::string stats = text_of(run_folder / "stats.csv");
    EXPECT_EQ(std::count(stats.begin(), stats.end(), '\n'), 7);
    EXPECT_EQ(text_of(run_folder / "probes.csv").substr(0, 11), "time,speed\n");
}

TEST(Run, interrupted_after_any_step_and_resumed_leaves_the_same_folder)
{
    const TemporaryFolder folder;
    (void)run_in(folder.path() / "whole");
    const auto expected = content_of(folder.path() / "whole");
    ASSERT_GT(expected.size(), 15u);
    for (int steps : {1, 7, 20, 41}) {
        const fs::path stopped = folder.path() / ("stopped" + std::to_string(steps));
        int left = steps;
        const auto stop = [&](RunOptions& options) { options.interrupted = [&left] { return --left <= 0; }; };
        EXPECT_EQ(run_in(stopped, stop).outcome, RunOutcome::Interrupted);
        const RunReport report = run_in(stopped, [](RunOptions& options) { options.resume = true; });
        EXPECT_EQ(report.outcome, RunOutcome::Done);
        EXPECT_TRUE(report.resumed_at_step);
        EXPECT_EQ(content_of(stopped), expected) << steps;
    }
}

TEST(Run, whatever_a_killed_run_left_behind_is_overwritten_or_removed)
{
    const TemporaryFolder folder;
    (void)run_in(folder.path() / "whole");
    const auto expected = content_of(folder.path() / "whole");

    const fs::path killed = folder.path() / "killed";
    int left = 25;
    (void)run_in(killed, [&](RunOptions& options) { options.interrupted = [&left] { return --left <= 0; }; });
    // Rows and frames from after the checkpoint, half of a row, and a file that was being written.
    std::ofstream(killed / "stats.csv", std::ios::app) << "99,1,2,3\n4,5";
    std::ofstream(killed / "probes.csv", std::ios::app) << "1,2\n3";
    std::ofstream(killed / "frames" / "water_000004.ply") << "not a frame";
    std::ofstream(killed / "frames" / ".phyxel-1-1.partial") << "half";
    EXPECT_EQ(run_in(killed, [](RunOptions& options) { options.resume = true; }).outcome, RunOutcome::Done);
    EXPECT_EQ(content_of(killed), expected);
}

TEST(Run, a_damaged_checkpoint_is_named_and_the_one_before_is_used)
{
    const TemporaryFolder folder;
    (void)run_in(folder.path());
    const auto expected = content_of(folder.path());
    const auto checkpoints = find_checkpoints(folder.path() / "checkpoints");
    ASSERT_EQ(checkpoints.size(), 2u);
    {
        std::fstream file(checkpoints[1].path, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(200);
        file << 'x';
    }
    std::vector<std::string> warnings;
    const RunReport report = run_in(folder.path(), [&](RunOptions& options) {
        options.resume = true;
        options.warn = [&](const std::string& line) { warnings.push_back(line); };
    });
    EXPECT_EQ(report.outcome, RunOutcome::Done);
    EXPECT_EQ(report.resumed_at_step, checkpoints[0].number);
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find(checkpoints[1].path.filename().string()), std::string::npos) << warnings[0];
    EXPECT_EQ(content_of(folder.path()), expected);
}

TEST(Run, resuming_a_finished_run_changes_nothing_and_without_checkpoint_begins_at_zero)
{
    const TemporaryFolder folder;
    const auto resume = [](RunOptions& options) { options.resume = true; };
    EXPECT_EQ(run_in(folder.path() / "run", resume).outcome, RunOutcome::Done); // absent folder
    const auto expected = content_of(folder.path() / "run");
    EXPECT_EQ(run_in(folder.path() / "run", resume).outcome, RunOutcome::WasDone);
    EXPECT_EQ(content_of(folder.path() / "run"), expected);
    std::ofstream(folder.path() / "run" / "probes.csv", std::ios::app) << "1,2\n3";
    EXPECT_EQ(run_in(folder.path() / "run", resume).outcome, RunOutcome::WasDone);
    EXPECT_EQ(content_of(folder.path() / "run"), expected);
    fs::remove_all(folder.path() / "run" / "checkpoints");
    const RunReport report = run_in(folder.path() / "run", resume);
    EXPECT_EQ(report.outcome, RunOutcome::Done);
    EXPECT_FALSE(report.resumed_at_step);
    EXPECT_EQ(content_of(folder.path() / "run"), expected);
}

TEST(Run, begins_anew_if_rows_of_before_the_checkpoint_are_missing)
{
    const TemporaryFolder folder;
    static_cast<void>(run_in(folder.path() / "whole"));
    const auto expected = content_of(folder.path() / "whole");
    const fs::path run = folder.path() / "run";
    for (const std::string name : {"stats.csv", "probes.csv"})
        for (const bool is_removed : {true, false}) {
            SCOPED_TRACE(name);
            fs::remove_all(run);
            static_cast<void>(run_in(run, [](RunOptions& options) { options.end_frame = 3; }));
            if (is_removed)
                fs::remove(run / name);
            else
                fs::resize_file(run / name, fs::file_size(run / name) / 3);
            std::vector<std::string> warnings;
            const RunReport report = run_in(run, [&](RunOptions& options) {
                options.resume = true;
                options.warn = [&](const std::string& line) { warnings.push_back(line); };
            });
            EXPECT_EQ(report.outcome, RunOutcome::Done);
            EXPECT_FALSE(report.resumed_at_step);
            ASSERT_FALSE(warnings.empty());
            for (const std::string& warning : warnings) {
                EXPECT_TRUE(warning.starts_with((run / name).string() + ": ")) << warning;
                EXPECT_TRUE(warning.ends_with("; beginning at frame 0")) << warning;
            }
            if (is_removed) {
                EXPECT_EQ(warnings, std::vector<std::string>{(run / name).string() +
                                                             ": is missing; beginning at frame 0"});
            }
            EXPECT_EQ(content_of(run), expected);
        }
}

/// Turns around a bit in the first half of a file; in a table it is one of a number.
void damage(const fs::path& path)
{
    std::string content = text_of(path);
    const std::size_t digit = content.find_first_of("0123456789", content.size() / 4);
    const std::size_t at = digit == std::string::npos ? content.size() / 4 : digit;
    content[at] = static_cast<char>(content[at] ^ 4);
    std::ofstream(path, std::ios::binary) << content;
}

TEST(Run, a_damaged_frame_or_table_is_named_and_made_anew)
{
    const TemporaryFolder folder;
    const fs::path run = folder.path() / "run";
    const auto resume = [](RunOptions& options) {
        options.resume = true;
        options.end_frame = 3;
    };
    static_cast<void>(run_in(run, resume));
    const auto expected = content_of(run);
    const std::vector<std::pair<std::string, std::function<void(const fs::path&)>>> accidents = {
        {"frames/water_000001.ply", damage},
        {"frames/drop_000000.ply", [](const fs::path& path) { fs::resize_file(path, 10); }},
        {"frames/water_000000.ply", [](const fs::path& path) { fs::remove(path); }},
        {"stats.csv", damage},
        {"probes.csv", damage},
    };
    for (const auto& [name, accident] : accidents) {
        SCOPED_TRACE(name);
        accident(run / name);
        std::vector<std::string> warnings;
        const RunReport report = run_in(run, [&](RunOptions& options) {
            resume(options);
            options.warn = [&](const std::string& line) { warnings.push_back(line); };
        });
        EXPECT_EQ(report.outcome, RunOutcome::Done);
        ASSERT_EQ(warnings.size(), 1u);
        EXPECT_TRUE(warnings[0].starts_with((run / name).string() + ":")) << warnings[0];
        EXPECT_NE(warnings[0].find("; beginning at frame 0"), std::string::npos) << warnings[0];
        EXPECT_EQ(content_of(run), expected);
        EXPECT_EQ(run_in(run, resume).outcome, RunOutcome::WasDone);
    }
}

TEST(Run, damage_that_the_checkpoint_before_does_not_know_costs_one_frame)
{
    const TemporaryFolder folder;
    static_cast<void>(run_in(folder.path()));
    const auto expected = content_of(folder.path());
    const auto checkpoints = find_checkpoints(folder.path() / "checkpoints");
    const fs::path last = folder.path() / "frames" / "water_000005.ply";
    damage(last);
    std::vector<std::string> warnings;
    const RunReport report = run_in(folder.path(), [&](RunOptions& options) {
        options.resume = true;
        options.warn = [&](const std::string& line) { warnings.push_back(line); };
    });
    EXPECT_EQ(report.resumed_at_step, checkpoints[0].number);
    EXPECT_EQ(warnings, std::vector<std::string>{
                            last.string() + ": is damaged: its checksum is wrong; going back to frame 4"});
    EXPECT_EQ(content_of(folder.path()), expected);
}

TEST(Run, one_that_began_anew_and_was_stopped_can_be_resumed)
{
    const TemporaryFolder folder;
    static_cast<void>(run_in(folder.path()));
    const auto expected = content_of(folder.path());
    fs::remove(folder.path() / "frames" / "water_000000.ply");
    int left = 20;
    const RunReport begun = run_in(folder.path(), [&](RunOptions& options) {
        options.resume = true;
        options.interrupted = [&left] { return --left <= 0; };
    });
    EXPECT_EQ(begun.outcome, RunOutcome::Interrupted);
    EXPECT_FALSE(begun.resumed_at_step);
    const RunReport report = run_in(folder.path(), [](RunOptions& options) { options.resume = true; });
    EXPECT_EQ(report.outcome, RunOutcome::Done);
    EXPECT_TRUE(report.resumed_at_step) << "checkpoints of the first beginning must not win";
    EXPECT_EQ(content_of(folder.path()), expected);
}

TEST(Run, a_damaged_collection_of_vtk_frames_is_written_again)
{
    const TemporaryFolder folder;
    const auto as_vtk = [](RunOptions& options) {
        options.format = FrameFormat::Vtk;
        options.end_frame = 3;
        options.resume = true;
    };
    static_cast<void>(run_in(folder.path(), as_vtk));
    const auto expected = content_of(folder.path());
    damage(folder.path() / "frames.pvd");
    EXPECT_EQ(run_in(folder.path(), as_vtk).outcome, RunOutcome::WasDone);
    EXPECT_EQ(content_of(folder.path()), expected);
}

TEST(Run, checkpoints_of_a_version_without_checksums_are_named_and_not_used)
{
    const TemporaryFolder folder;
    static_cast<void>(run_in(folder.path()));
    for (const CheckpointFile& file : find_checkpoints(folder.path() / "checkpoints")) {
        auto world = small_world();
        world->load(CheckpointReader(file.path));
        CheckpointWriter writer;
        world->save(writer);
        writer.write(file.path);
    }
    std::vector<std::string> warnings;
    const RunReport report = run_in(folder.path(), [&](RunOptions& options) {
        options.resume = true;
        options.warn = [&](const std::string& line) { warnings.push_back(line); };
    });
    EXPECT_FALSE(report.resumed_at_step);
    ASSERT_EQ(warnings.size(), 2u);
    EXPECT_NE(warnings[0].find(": is of a version that kept no checksums of frames; beginning at frame 0"),
              std::string::npos)
        << warnings[0];
}

TEST(Run, frames_from_a_to_b_are_written_and_more_can_be_asked_for_later)
{
    const TemporaryFolder folder;
    (void)run_in(folder.path() / "whole");
    const fs::path part = folder.path() / "part";
    const auto frames = [](std::uint64_t first, std::uint64_t end, bool resume) {
        return [=](RunOptions& options) {
            options.first_frame = first;
            options.end_frame = end;
            options.resume = resume;
        };
    };
    EXPECT_EQ(run_in(part, frames(2, 4, false)).frames_written, 2u);
    EXPECT_EQ(find_frames(part).size(), 4u);
    EXPECT_EQ(text_of(part / "frames" / "water_000003.ply"),
              text_of(folder.path() / "whole" / "frames" / "water_000003.ply"));
    // The rest, going on from the checkpoint.
    EXPECT_TRUE(run_in(part, frames(2, 6, true)).resumed_at_step);
    // Frames that were skipped cannot be had without simulating them again.
    const RunReport all = run_in(part, frames(0, 6, true));
    EXPECT_FALSE(all.resumed_at_step);
    EXPECT_EQ(content_of(part), content_of(folder.path() / "whole"));
}

TEST(Run, refuses_folders_that_are_not_its_own_before_writing_anything)
{
    const TemporaryFolder folder;
    const auto message = [&](const fs::path& path, bool resume, bool overwrite, const std::string& manifest) {
        try {
            auto world = small_world();
            RunOptions options = options_for(path);
            options.resume = resume;
            options.overwrite = overwrite;
            options.manifest = manifest;
            (void)run(*world, options);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string scene = "{ \"scene\": 1 }\n";

    const fs::path foreign = folder.path() / "foreign";
    fs::create_directory(foreign);
    std::ofstream(foreign / "thesis.tex") << "years of work";
    const auto before = content_of(foreign);
    for (bool overwrite : {false, true})
        EXPECT_EQ(message(foreign, false, overwrite, scene),
                  foreign.string() + ": holds \"thesis.tex\", which is not from a run");
    EXPECT_EQ(content_of(foreign), before);

    const fs::path file = folder.path() / "file";
    std::ofstream(file) << "x";
    EXPECT_EQ(message(file, false, false, scene), file.string() + ": is not a folder");

    const fs::path old = folder.path() / "old";
    (void)run_in(old);
    EXPECT_EQ(message(old, false, false, scene), old.string() + ": holds a run already");
    EXPECT_EQ(message(old, true, false, "{ \"scene\": 2 }\n"), old.string() + ": is another run");
    // Another program's folder may have a manifest too.
    std::ofstream(foreign / "manifest.json") << "{ \"name\": \"a web page\" }";
    EXPECT_EQ(message(foreign, false, true, scene),
              foreign.string() + ": holds \"thesis.tex\", which is not from a run");
    EXPECT_EQ(message(old, false, true, "{ \"scene\": 2 }\n"), "");
    EXPECT_EQ(text_of(old / "manifest.json"), "{ \"scene\": 2 }\n");
}

TEST(Run, vtk_frames_come_with_a_collection)
{
    const TemporaryFolder folder;
    const RunReport report = run_in(folder.path(), [](RunOptions& options) {
        options.format = FrameFormat::Vtk;
        options.end_frame = 2;
    });
    EXPECT_EQ(report.frames_written, 2u);
    EXPECT_TRUE(fs::exists(folder.path() / "frames" / "water_000001.vtp"));
    const std::string collection = text_of(folder.path() / "frames.pvd");
    EXPECT_NE(collection.find("frames/drop_000001.vtp"), std::string::npos);
}

TEST(Run, a_run_that_fails_keeps_its_frames_and_says_why)
{
    const TemporaryFolder folder;
    auto options = test_tank<2>(0.3);
    options.clock.duration = 1.0;
    options.clock.fixed_step = 0.02;
    auto block = test_block<2>("water", 6);
    for (auto& x : block.positions) x *= 0.8;
    auto world = test_world<2>(options, {block});
    const RunReport report = run(*world, options_for(folder.path()));
    EXPECT_EQ(report.outcome, RunOutcome::Failed);
    ASSERT_TRUE(report.failure);
    EXPECT_EQ(find_frames(folder.path()).size(), report.frame + 1);
}

} // namespace
} // namespace phyxel::run_test
