// SPDX-License-Identifier: MIT
// The page of `phyxel verify --report`: what every case claims, what it found, and how it would notice.
#pragma once

#include <phyxel/verify/archive.h>

#include <span>
#include <string>
#include <vector>

namespace phyxel::command {

/// One HTML file that needs no other. `cases` are all that there are, `entries` what is known of some of
/// them.
std::string verification_page(std::span<const Case> cases, std::span<const ReportEntry> entries,
                              const std::string& version, const std::string& date);

} // namespace phyxel::command
