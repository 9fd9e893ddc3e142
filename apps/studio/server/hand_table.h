// SPDX-License-Identifier: MIT
// The hands that clients have in the scene, and how what they do becomes the list `hands` of a scene: each
// moves from where it is to where it is wanted within the time of a frame.
#pragma once

#include "message.h"
#include "stream_frame.h"

#include <phyxel/scene/node.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::studio {

inline constexpr std::size_t max_hands = 64;

class HandTable {
public:
    /// With the hands that the scene itself has: they stay as they are until somebody lets them go.
    explicit HandTable(Node hands_of_scene = Node::list());

    /// Makes a hand, or moves it from where it is at the time `now`, within `duration` [s]. Throws InputError
    /// if there are too many, or the name is one of the scene.
    void move(ClientNumber client, const HandMessage& message, double now, double duration);

    /// Where a hand of this name has hold of its body, at rest [m]; none if there is none.
    std::optional<std::vector<double>> place(std::string_view name) const;

    /// A hand of the scene as it writes it; null if it has none of this name.
    const Node* find_of_scene(std::string_view name) const;

    /// The scene has set the list itself, as its events do. Returns whether hands that somebody has made are
    /// missing from it.
    bool follow(const Node& hands);

    /// Throws InputError if there is none of this name.
    void release(std::string_view name);

    /// Lets go whatever the client has in its hands; what it fixed stays. Returns whether there was any.
    bool release_all(ClientNumber client);

    /// The list `hands` of a scene.
    Node scene_list() const;

    /// [{name, kind, body, position}] at a time, of those that are not of the scene, for the message `state`.
    Node state(double time) const;

private:
    struct Hand {
        HandMessage wish;
        std::vector<double> from; ///< where it begins to move [m]
        double begin = 0.0;       ///< when it begins [s]
        double end = 0.0;         ///< when it is where it is wanted [s]
        ClientNumber owner = 0;

        std::vector<double> place(double time) const;
    };

    Node hands_of_scene_;
    std::vector<Hand> hands_;
};

} // namespace phyxel::studio
