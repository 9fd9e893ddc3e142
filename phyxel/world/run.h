// SPDX-License-Identifier: MIT
// A run of a world into a folder: frames, statistics, probes, checkpoints; stopped and resumed at any moment
// without a trace.
#pragma once

#include <phyxel/world/world.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

enum class FrameFormat { Ply, Vtk };

struct RunProgress {
    std::uint64_t frame = 0;     ///< the last one that is done
    std::uint64_t end_frame = 0; ///< one beyond the last one that is wanted
    double time = 0.0;           ///< simulated [s]
    std::size_t particles = 0;
    std::uint64_t steps = 0;    ///< in all
    double seconds = 0.0;       ///< wall-clock since this program began the run
    double simulated = 0.0;     ///< [s] in these seconds
    bool frame_written = false; ///< whether a frame was just finished
};

struct RunOptions {
    std::filesystem::path folder;
    bool resume = false;
    bool overwrite = false;
    std::uint64_t first_frame = 0;
    std::optional<std::uint64_t> end_frame = {}; ///< one beyond the last; all if not given
    std::string manifest; ///< content of manifest.json; a run with another one is another run
    FrameFormat format = FrameFormat::Ply;
    std::vector<std::string> fields = {};
    bool double_precision = false;
    std::function<void(const RunProgress&)> progress = {}; ///< after every step
    std::function<void(const std::string&)> warn = {};     ///< one line
    std::function<bool()> interrupted = {};                ///< asked after every step
    double checkpoint_interval = 60.0;                     ///< wall-clock between two checkpoints at most [s]
};

enum class RunOutcome { Done, WasDone, Failed, Interrupted };

struct [[nodiscard]] RunReport {
    RunOutcome outcome = RunOutcome::Done;
    std::optional<Failure> failure = {};
    std::uint64_t frame = 0; ///< the last one that was reached
    std::uint64_t frames_written = 0;
    std::optional<std::uint64_t> resumed_at_step = {};
    double seconds = 0.0;
};

/// Throws InputError before anything is written if the folder holds something else or another run, and
/// IoError if the system refuses; what was written until then stays whole.
template <int Dim>
RunReport run(World<Dim>& world, const RunOptions& options);

/// Throws as `run` would if the folder cannot be used.
void check_run_folder(const RunOptions& options);

extern template RunReport run(World<2>&, const RunOptions&);
extern template RunReport run(World<3>&, const RunOptions&);

} // namespace phyxel
