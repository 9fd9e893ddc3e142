// SPDX-License-Identifier: MIT
// The fluids of a recorded run, for those who make something of its frames.
#pragma once

#include <phyxel/core/snapshot.h>

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::command {

/// The distance of the particles of each fluid, by its name [m]. Throws InputError for a run in the
/// plane, and unless `may_be_none` for one without fluids.
std::map<std::string, double> spacings_of_fluids(const std::filesystem::path& run, bool may_be_none = false);

/// The same of all bodies of a known kind.
std::map<std::string, double> spacings_of_bodies(const std::filesystem::path& run);

/// A solid whose surface is a coat, or may become one.
struct RecordedCoat {
    double spacing; ///< the cube root of the volume of its phyxels [m]
    double blobbiness;
    bool is_certain;                      ///< else it is one only once the body flows
    std::vector<std::string> merges_with; ///< other solids that it names
};

/// By the names of the solids; empty if there are none.
std::map<std::string, RecordedCoat> coats_of_solids(const std::filesystem::path& run);

/// The vectors of a field; none if the frame has no such field.
std::vector<Vec<3>> vectors_of(const Snapshot& snapshot, std::string_view name);

} // namespace phyxel::command
