// SPDX-License-Identifier: MIT
// phyxel verify: compares the library with formulas and cited numbers, and prints how it went.
#pragma once

#include <string>
#include <vector>

namespace phyxel::command {

struct VerifyCommand {
    std::vector<std::string> cases; ///< names of cases or of groups; none stands for all
    bool list = false;              ///< only say which cases there are
    bool full = false;              ///< also those that take long
    bool json = false;              ///< machine-readable
    bool sabotage = false;          ///< run each case with its deliberate mistake instead
};

/// Prints to stdout. Whether every case passed or, if asked for, every sabotage was noticed. Throws
/// InputError for a case that does not exist.
bool run_verify(const VerifyCommand& command);

} // namespace phyxel::command
