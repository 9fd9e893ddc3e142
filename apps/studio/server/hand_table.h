// SPDX-License-Identifier: MIT
// The hands that clients have in the scene, and how what they do becomes the list `hands` of a scene: each
// moves from where it was to where it is wanted within one frame.
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
    /// With the hands that the scene itself has, which stay as they are.
    explicit HandTable(Node hands_of_scene = Node::list());

    /// Makes a hand or moves it. Throws InputError if there are too many, or the name is one of the scene.
    void move(ClientNumber client, const HandMessage& message);

    /// Where a hand of this name has hold of its body, at rest [m]; none if there is none.
    std::optional<std::vector<double>> place(std::string_view name) const;

    /// Throws InputError if there is none of this name.
    void release(std::string_view name);

    /// Lets go whatever the client has in its hands; what it fixed stays.
    void release_all(ClientNumber client);

    /// Whether the world has to be told, as long as it was not.
    bool is_changed() const { return is_changed_; }
    void set_told() { is_changed_ = false; }

    /// The list `hands` from the time `now` on, if a frame lasts `frame_time` [s].
    Node scene_list(double now, double frame_time) const;

    /// A frame has passed: each hand is now where it was wanted.
    void settle();

    /// [{name, kind, body, position}], for the message `state`.
    Node state() const;

private:
    struct Hand {
        HandMessage wish;
        std::vector<double> from; ///< where it was at the last frame [m]
        ClientNumber owner = 0;
    };

    Node hands_of_scene_;
    std::vector<Hand> hands_;
    bool is_changed_ = false;
};

} // namespace phyxel::studio
