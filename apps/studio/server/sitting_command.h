// SPDX-License-Identifier: MIT
// What clients and the server ask of a sitting, and what a queue has to know of it.
#pragma once

#include "message.h"
#include "opening.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace phyxel::studio {

struct ClientCame {};
struct ClientGone {};
struct WishesChanged {
    Wishes wishes;
};

using Command = std::variant<OpenRequest, PlayMessage, PauseMessage, StepMessage, RestartMessage, GoOnMessage,
                             CloseMessage, SeekMessage, PickMessage, SetMessage, HandMessage, ReleaseMessage,
                             DropMessage, PourMessage, SaveMessage, ClientCame, ClientGone, WishesChanged>;

/// What the network says of its own accord is never refused.
bool is_always_taken(const Command& command);

/// Whether the rest of the present frame need not be computed.
bool is_urgent(const Command& command);

/// Whether what is being opened would be gone again at once.
bool is_replacement(const Command& command);

/// Whether something is opened because of it, which may take long.
bool is_opening(const Command& command);

/// Whether its client has something until it lets go or leaves.
bool is_grip(const Command& command);

/// Whether it changes the simulation.
bool is_touch(const Command& command);

/// Commands of which only the newest counts have the same key.
std::optional<std::pair<std::size_t, std::string>> key_of(const Command& command);

} // namespace phyxel::studio
