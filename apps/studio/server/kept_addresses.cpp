// SPDX-License-Identifier: MIT
#include "kept_addresses.h"

#include <phyxel/core/error.h>
#include <phyxel/io/file.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace phyxel::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t token_length = 22;

/// Whether somebody else could read the file, or has written it.
bool is_private(const fs::path& file)
{
    struct stat status = {};
    return ::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
           (status.st_mode & (S_IRWXG | S_IRWXO)) == 0;
}

} // namespace

fs::path kept_addresses_file()
{
    const char* state = std::getenv("XDG_STATE_HOME");
    const char* home = std::getenv("HOME");
    fs::path folder;
    if (state != nullptr && fs::path(state).is_absolute())
        folder = state;
    else if (home != nullptr && fs::path(home).is_absolute())
        folder = fs::path(home) / ".local" / "state";
    return folder.empty() ? folder : folder / "phyxel" / "studio_addresses";
}

std::vector<KeptAddress> read_kept_addresses(const fs::path& file)
{
    std::vector<KeptAddress> addresses;
    if (file.empty() || !is_private(file)) return addresses;
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line) && addresses.size() < max_kept_addresses;) {
        std::istringstream words(line);
        KeptAddress address;
        if (words >> address.port >> address.token && address.port > 0 &&
            address.token.size() == token_length)
            addresses.push_back(std::move(address));
    }
    return addresses;
}

void keep_address(const fs::path& file, const KeptAddress& address)
{
    if (file.empty()) return;
    std::vector<KeptAddress> addresses = read_kept_addresses(file);
    const auto same = std::find_if(addresses.begin(), addresses.end(),
                                   [&](const KeptAddress& kept) { return kept.port == address.port; });
    if (same != addresses.end())
        same->token = address.token;
    else if (addresses.size() < max_kept_addresses)
        addresses.push_back(address);
    else
        return;
    std::string text;
    for (const KeptAddress& kept : addresses) text += std::to_string(kept.port) + ' ' + kept.token + '\n';
    // Nobody else may see it, not even while it is being written.
    const mode_t before = ::umask(S_IRWXG | S_IRWXO);
    try {
        create_folder(file.parent_path());
        write_file(file, text);
    } catch (const InputError&) { // then the next start has another address
    }
    ::umask(before);
}

} // namespace phyxel::studio
