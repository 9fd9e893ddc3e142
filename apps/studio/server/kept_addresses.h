// SPDX-License-Identifier: MIT
// Ports and tokens of earlier starts, in a file that only the user can read: a studio that is started again
// has the address that it had.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace phyxel::studio {

struct KeptAddress {
    std::uint16_t port = 0;
    std::string token;
};

/// Where they are kept: below $XDG_STATE_HOME, or else ~/.local/state. Empty if there is no such place.
std::filesystem::path kept_addresses_file();

/// The oldest first. None if the file is not there, belongs to somebody else, can be read by others, or is
/// not what `keep_address` writes.
std::vector<KeptAddress> read_kept_addresses(const std::filesystem::path& file);

/// Adds one, or replaces that of the same port. Nothing happens where it cannot be written, or if there are
/// `max_kept_addresses` of other ports.
void keep_address(const std::filesystem::path& file, const KeptAddress& address);

inline constexpr std::size_t max_kept_addresses = 8;

} // namespace phyxel::studio
