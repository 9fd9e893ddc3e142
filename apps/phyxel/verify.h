// SPDX-License-Identifier: MIT
// phyxel verify: compares the library with formulas and cited numbers, and prints how it went.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::command {

struct VerifyCommand {
    std::vector<std::string> cases; ///< names of cases or of groups; none stands for all
    bool list = false;              ///< only say which cases there are
    bool full = false;              ///< also those that take seconds to minutes
    bool longest = false;           ///< also those that take longer
    bool json = false;              ///< machine-readable
    bool sabotage = false;          ///< run each case with its deliberate mistake instead; for a report, too
    std::filesystem::path report;   ///< folder for a page of all that is known; none if empty
};

/// Prints to stdout. Whether every case passed, or missed as it is known to, or, if asked for, every sabotage
/// was noticed. Throws InputError for a case that does not exist.
bool run_verify(const VerifyCommand& command);

} // namespace phyxel::command
