// SPDX-License-Identifier: MIT
#include "hand_table.h"

#include <phyxel/core/error.h>

#include <algorithm>
#include <utility>

namespace phyxel::studio {
namespace {

Node list_of(const std::vector<double>& numbers)
{
    return Node::list(std::vector<Node>(numbers.begin(), numbers.end()));
}

Node key(double time, const std::vector<double>& at, const std::vector<double>& place)
{
    std::vector<double> move(at.size());
    for (std::size_t k = 0; k < at.size(); ++k) move[k] = place[k] - at[k];
    return Node::object({{"time", time}, {"move", list_of(move)}});
}

} // namespace

HandTable::HandTable(Node hands_of_scene) : hands_of_scene_(std::move(hands_of_scene)) {}

void HandTable::move(ClientNumber client, const HandMessage& message)
{
    for (const Node& hand : hands_of_scene_.items())
        if (const Node* name = hand.find("name"); name != nullptr && *name == Node(message.name))
            throw InputError("hand \"" + message.name + "\": the scene has one of this name");
    const auto found = std::find_if(hands_.begin(), hands_.end(),
                                    [&](const Hand& hand) { return hand.wish.name == message.name; });
    if (found == hands_.end()) {
        if (hands_.size() >= max_hands)
            throw InputError("there are " + std::to_string(max_hands) + " hands already");
        hands_.push_back({message, message.to, client});
        is_changed_ = true;
        return;
    }
    if (found->wish.at.size() != message.at.size())
        throw InputError("hand \"" + message.name + "\": its points have another dimension than before");
    found->owner = client;
    found->wish = message;
    is_changed_ = true;
}

std::optional<std::vector<double>> HandTable::place(std::string_view name) const
{
    for (const Hand& hand : hands_)
        if (hand.wish.name == name) return hand.wish.at;
    return std::nullopt;
}

void HandTable::release(std::string_view name)
{
    if (std::erase_if(hands_, [&](const Hand& hand) { return hand.wish.name == name; }) == 0)
        throw InputError("there is no hand \"" + std::string(name) + "\"");
    is_changed_ = true;
}

void HandTable::release_all(ClientNumber client)
{
    if (std::erase_if(hands_,
                      [&](const Hand& hand) { return hand.owner == client && hand.wish.kind != "hold"; }) > 0)
        is_changed_ = true;
}

Node HandTable::scene_list(double now, double frame_time) const
{
    Node list = hands_of_scene_;
    for (const Hand& hand : hands_) {
        const HandMessage& wish = hand.wish;
        Node keys = Node::list({key(now, wish.at, hand.from)});
        if (hand.from != wish.to) keys.items().push_back(key(now + frame_time, wish.at, wish.to));
        Node node = Node::object({{"name", wish.name}, {"type", wish.kind}});
        if (wish.kind != "push") node.set("body", wish.body);
        node.set("at", list_of(wish.at));
        node.set("radius", wish.radius);
        if (wish.kind == "pull" && wish.stiffness) node.set("stiffness", *wish.stiffness);
        if (wish.kind == "push" && wish.strength) node.set("strength", *wish.strength);
        node.set("motion", Node::object({{"interpolation", "linear"}, {"keys", std::move(keys)}}));
        list.items().push_back(std::move(node));
    }
    return list;
}

void HandTable::settle()
{
    for (Hand& hand : hands_) hand.from = hand.wish.to;
}

Node HandTable::state() const
{
    Node list = Node::list();
    for (const Hand& hand : hands_)
        list.items().push_back(Node::object({{"name", hand.wish.name},
                                             {"kind", hand.wish.kind},
                                             {"body", hand.wish.body},
                                             {"position", list_of(hand.wish.to)}}));
    return list;
}

} // namespace phyxel::studio
