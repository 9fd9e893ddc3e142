// SPDX-License-Identifier: MIT
// The nozzles that clients pour fluid from, and how they become the list `emitters` of a scene: each is a
// short piece of pipe along its velocity.
#pragma once

#include "message.h"
#include "stream_frame.h"

#include <phyxel/scene/node.h>

#include <cstddef>
#include <string_view>
#include <vector>

namespace phyxel::studio {

inline constexpr std::size_t max_nozzles = 16;

class NozzleTable {
public:
    /// With the emitters that the scene itself has: they stay as they are.
    explicit NozzleTable(Node emitters_of_scene = Node::list());

    /// Makes a nozzle or moves it; `spacing` is that of the fluid [m]. Throws InputError if there are too
    /// many, or the name is one of the scene.
    void move(ClientNumber client, const PourMessage& message, double spacing);

    /// The scene has set the list itself, as its events do. Returns whether nozzles that somebody has made
    /// are missing from it.
    bool follow(const Node& emitters);

    /// Returns whether there was one of this name.
    bool release(std::string_view name);

    /// Closes those of a client. Returns whether there was any.
    bool release_all(ClientNumber client);

    /// The list `emitters` of a scene.
    Node scene_list() const;

    /// [{name, body, position, velocity, radius}], for the message `state`.
    Node state() const;

private:
    struct Nozzle {
        PourMessage wish;
        double spacing = 0.0; ///< of the fluid [m]
        ClientNumber owner = 0;
    };

    Node emitters_of_scene_;
    std::vector<Nozzle> nozzles_;
};

} // namespace phyxel::studio
