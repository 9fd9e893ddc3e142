// SPDX-License-Identifier: MIT
// Outcomes of verification cases as text for people and as JSON for programs.
#pragma once

#include <phyxel/verify/case.h>

#include <span>
#include <string>
#include <string_view>

namespace phyxel {

/// "pass", "known miss" or "FAIL".
std::string_view word_for(Verdict verdict);

/// Whether the case passed, or missed as it is known to, or, if it was sabotaged, noticed.
bool went_well(const Outcome& outcome);

/// A table whose rows can be printed one by one, as the cases are done. Every line ends with a newline.
class ReportTable {
public:
    /// For outcomes of `cases`, or of their sabotages.
    ReportTable(std::span<const Case> cases, bool sabotage);

    std::string header() const;

    /// Name, measured number, how it has to lie to the reference, tolerance, unit, result and source, or the
    /// sabotage in place of the source; and a second line if there is a note.
    std::string row(const Outcome& outcome) const;

    /// How many passed, how many are known misses, and how many failed.
    std::string summary(std::span<const Outcome> outcomes) const;

private:
    std::size_t name_width_;
    bool sabotage_;
};

/// Name, tier and claim, one line for each case.
std::string case_list(std::span<const Case> cases);

/// {"cases": [{"name", "measured", "reference", "tolerance", "unit", "pass", "expected", "seconds", "source",
/// "bound", "tier", "note"}], "summary": {"passed", "known_misses", "failed"}}. "pass" says whether the bound
/// is kept; "expected" is "pass" or, for known misses, "miss", and those have "recorded" as well. Sabotaged
/// outcomes have "sabotage" and "noticed", their numbers are those of the sabotaged run, and the summary has
/// "noticed" and "unnoticed". Numbers that are not finite become null, as JSON has none.
std::string report_json(std::span<const Outcome> outcomes);

} // namespace phyxel
