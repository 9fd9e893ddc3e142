// SPDX-License-Identifier: MIT
// Outcomes that are kept for a report: cases that take too long to be run every time have those of an earlier
// day.
#pragma once

#include <phyxel/verify/case.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// What is known of a case.
struct ReportEntry {
    Outcome outcome;
    std::optional<Outcome> sabotaged = {}; ///< if that was run
    std::string date;                      ///< of the run, such as "2026-01-31"
};

/// As JSON that read_archive() understands, with all bits of all numbers.
std::string archive_json(std::span<const ReportEntry> entries);

/// Entries of those of `cases` that the text has, in the order of the cases, and judged by them as they are
/// now. Throws InputError if the text is no archive.
std::vector<ReportEntry> read_archive(std::string_view text, std::span<const Case> cases);

/// Entries of what was run now, and where nothing was, of what was kept; in the order of the cases.
std::vector<ReportEntry> merged(std::span<const Case> cases, std::span<const ReportEntry> now,
                                std::span<const ReportEntry> kept);

} // namespace phyxel
