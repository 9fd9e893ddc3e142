// SPDX-License-Identifier: MIT
// Runs a scene as the command does, into a folder that goes away, and hands out what it left there.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/core/snapshot.h>
#include <phyxel/world/run.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace phyxel::detail {

struct SceneRun {
    RunReport report;
    std::map<std::string, std::vector<double>> stats;  ///< columns of stats.csv
    std::map<std::string, std::vector<double>> probes; ///< columns of probes.csv; NaN where not sampled
    std::map<std::string, Snapshot> last;              ///< the last frame of each body
    std::shared_ptr<const void> folder;                ///< of the run; goes away with the last copy
    std::filesystem::path path;                        ///< of the folder

    /// A frame of a body. Throws InputError if there is none.
    Snapshot frame(const std::string& body, std::uint64_t number) const;
};

/// Reads, builds and runs the scene with what `--set` would be given. Throws InputError if it cannot, and
/// Diverged if the run fails.
///
/// Several cases look at the same run: the last few are kept, so that it is made once. Cases that run at the
/// same time wait for each other's.
std::shared_ptr<const SceneRun> run_scene(const std::filesystem::path& scene,
                                          std::span<const std::string> assignments,
                                          Fault fault = Fault::None);

} // namespace phyxel::detail
