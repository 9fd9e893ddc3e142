// SPDX-License-Identifier: MIT
#include "sitting_command.h"

namespace phyxel::studio {

bool is_always_taken(const Command& command)
{
    return std::holds_alternative<ClientCame>(command) || std::holds_alternative<ClientGone>(command) ||
           std::holds_alternative<WishesChanged>(command);
}

bool is_urgent(const Command& command)
{
    return std::holds_alternative<OpenRequest>(command) || std::holds_alternative<CloseMessage>(command) ||
           std::holds_alternative<RestartMessage>(command) || std::holds_alternative<GoOnMessage>(command);
}

bool is_replacement(const Command& command)
{
    return std::holds_alternative<OpenRequest>(command) || std::holds_alternative<CloseMessage>(command);
}

bool is_opening(const Command& command)
{
    return std::holds_alternative<OpenRequest>(command) || std::holds_alternative<RestartMessage>(command) ||
           std::holds_alternative<GoOnMessage>(command);
}

bool is_grip(const Command& command)
{
    return std::holds_alternative<HandMessage>(command) || std::holds_alternative<PourMessage>(command) ||
           std::holds_alternative<PickMessage>(command);
}

bool is_touch(const Command& command)
{
    return std::holds_alternative<SetMessage>(command) || std::holds_alternative<HandMessage>(command) ||
           std::holds_alternative<ReleaseMessage>(command) || std::holds_alternative<DropMessage>(command) ||
           std::holds_alternative<PourMessage>(command);
}

std::optional<std::pair<std::size_t, std::string>> key_of(const Command& command)
{
    if (const auto* set = std::get_if<SetMessage>(&command)) return std::pair(command.index(), set->path);
    if (const auto* hand = std::get_if<HandMessage>(&command)) return std::pair(command.index(), hand->name);
    if (const auto* pour = std::get_if<PourMessage>(&command)) return std::pair(command.index(), pour->name);
    if (std::holds_alternative<SeekMessage>(command)) return std::pair(command.index(), std::string());
    return std::nullopt;
}

} // namespace phyxel::studio
