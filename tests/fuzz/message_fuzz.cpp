// SPDX-License-Identifier: MIT
// Fuzz target for what clients say: nothing but InputErrors comes out, and what is accepted is within its
// bounds. The same bytes as the target of a request, which must not lead out of a folder.
#include "studio/server/address_guard.h"
#include "studio/server/message.h"
#include "studio/server/served_files.h"

#include <phyxel/core/error.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace phyxel::studio {
namespace {

void require(bool holds)
{
    if (!holds) __builtin_trap();
}

void check_message(std::string_view text)
{
    try {
        const Message message = parse_message(text);
        if (const auto* hand = std::get_if<HandMessage>(&message)) {
            require(!hand->name.empty() && hand->radius > 0.0);
            require(hand->to.size() == 2 || hand->to.size() == 3);
            require(hand->id ? hand->at.empty() : hand->at.size() == hand->to.size());
            for (const double x : hand->to) require(std::abs(x) <= 1e15);
        }
        if (const auto* open = std::get_if<OpenMessage>(&message)) require(open->assignments.size() <= 64);
        if (const auto* pick = std::get_if<PickMessage>(&message)) require(!pick->id || !pick->body.empty());
        if (const auto* save = std::get_if<SaveMessage>(&message)) require(save->name.size() <= 200);
    } catch (const InputError& error) {
        require(error.what()[0] != '\0');
    }
}

void check_target(std::string_view target)
{
    static const std::filesystem::path folder = std::filesystem::canonical("/proc/self/fdinfo").parent_path();
    const auto path = decode_target(target);
    if (!path) return;
    require(path->find('\0') == std::string::npos);
    if (const auto file = confined_path(folder, *path)) {
        require(file->lexically_normal().string().starts_with(folder.string() + "/"));
        require(!std::filesystem::is_symlink(*file));
    }
    const AddressGuard guard("127.0.0.1", 8080, "abcdefghijklmnopqrstuv");
    require(!guard.has_token(query_of(target)) || target.find("token=abcdefghijklmnopqrstuv") != target.npos);
    require(!guard.allows_host(target) || target.size() <= 14);
    require(!guard.allows_origin(target, *path) || target == "http://" + *path);
}

} // namespace
} // namespace phyxel::studio

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    phyxel::studio::check_message(text);
    phyxel::studio::check_target(text);
    return 0;
}
