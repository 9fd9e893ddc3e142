// SPDX-License-Identifier: MIT
// A run of a world into a folder: frames, statistics, probes, checkpoints; stopped and resumed at any moment
// without a trace.
#pragma once

#include <phyxel/core/error.h>
#include <phyxel/world/world.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

enum class FrameFormat { Ply, Vtk };

/// The first file of a run.
inline constexpr const char* manifest_name = "manifest.json";

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
    bool meshes = true; ///< whether frames have the surfaces that bodies have of their own
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

/// Why a folder cannot be used as it is.
class RunFolderError : public InputError {
public:
    enum class Kind {
        NotForRuns,   ///< it is no folder, or holds what is not from a run
        HoldsRun,     ///< and neither going on with it nor beginning anew was asked for
        HoldsOtherRun ///< that this one cannot go on with: its manifest differs
    };

    RunFolderError(Kind kind, const std::string& what) : InputError(what), kind_(kind) {}
    Kind kind() const { return kind_; }

private:
    Kind kind_;
};

/// Throws RunFolderError before anything is written if the folder holds something else or another run, and
/// IoError if the system refuses; what was written until then stays whole. Files in a run's folder that are
/// not from the run are left alone.
template <int Dim>
RunReport run(World<Dim>& world, const RunOptions& options);

/// Throws as `run` would if the folder cannot be used.
void check_run_folder(const RunOptions& options);

extern template RunReport run(World<2>&, const RunOptions&);
extern template RunReport run(World<3>&, const RunOptions&);

} // namespace phyxel
