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

bool is_called(const Node& hand, std::string_view name)
{
    const Node* own = hand.find("name");
    return own != nullptr && own->is_text() && own->text() == name;
}

} // namespace

HandTable::HandTable(Node hands_of_scene) : hands_of_scene_(std::move(hands_of_scene)) {}

std::vector<double> HandTable::Hand::place(double time) const
{
    const double share = time < end ? std::max(0.0, (time - begin) / (end - begin)) : 1.0;
    std::vector<double> place(from.size());
    for (std::size_t k = 0; k < from.size(); ++k)
        place[k] = share < 1.0 ? from[k] + share * (wish.to[k] - from[k]) : wish.to[k];
    return place;
}

void HandTable::move(ClientNumber client, const HandMessage& message, double now, double duration)
{
    if (find_of_scene(message.name) != nullptr)
        throw InputError("hand \"" + message.name + "\": the scene has one of this name");
    const auto found = std::find_if(hands_.begin(), hands_.end(),
                                    [&](const Hand& hand) { return hand.wish.name == message.name; });
    if (found == hands_.end()) {
        if (hands_.size() >= max_hands)
            throw InputError("there are " + std::to_string(max_hands) + " hands already");
        hands_.push_back({message, message.to, now, now, client});
        return;
    }
    if (found->wish.at.size() != message.at.size())
        throw InputError("hand \"" + message.name + "\": its points have another dimension than before");
    const std::vector<double> from = found->place(now);
    *found = {message, from, now, from == message.to ? now : now + duration, client};
}

std::optional<std::vector<double>> HandTable::place(std::string_view name) const
{
    for (const Hand& hand : hands_)
        if (hand.wish.name == name) return hand.wish.at;
    return std::nullopt;
}

const Node* HandTable::find_of_scene(std::string_view name) const
{
    for (const Node& hand : hands_of_scene_.items())
        if (is_called(hand, name)) return &hand;
    return nullptr;
}

bool HandTable::follow(const Node& hands)
{
    std::size_t own = 0;
    hands_of_scene_ = Node::list();
    for (const Node& hand : hands.items())
        if (std::any_of(hands_.begin(), hands_.end(),
                        [&](const Hand& other) { return is_called(hand, other.wish.name); }))
            ++own;
        else
            hands_of_scene_.items().push_back(hand);
    return own < hands_.size();
}

void HandTable::release(std::string_view name)
{
    if (std::erase_if(hands_, [&](const Hand& hand) { return hand.wish.name == name; }) == 0 &&
        std::erase_if(hands_of_scene_.items(), [&](const Node& hand) { return is_called(hand, name); }) == 0)
        throw InputError("there is no hand \"" + std::string(name) + "\"");
}

bool HandTable::release_all(ClientNumber client)
{
    return std::erase_if(hands_, [&](const Hand& hand) {
               return hand.owner == client && hand.wish.kind != "hold";
           }) > 0;
}

Node HandTable::scene_list() const
{
    Node list = hands_of_scene_;
    for (const Hand& hand : hands_) {
        const HandMessage& wish = hand.wish;
        Node keys = Node::list({key(hand.begin, wish.at, hand.from)});
        if (hand.end > hand.begin) keys.items().push_back(key(hand.end, wish.at, wish.to));
        Node node = Node::object({{"name", wish.name}, {"type", wish.kind}});
        if (wish.takes_hold()) node.set("body", wish.body);
        node.set("at", list_of(wish.at));
        node.set("radius", wish.radius);
        if (wish.kind == "pull" && wish.stiffness) node.set("stiffness", *wish.stiffness);
        if (wish.kind == "push" && wish.strength) node.set("strength", *wish.strength);
        if (wish.kind == "warm") node.set("power", wish.power.value_or(0.0));
        node.set("motion", Node::object({{"interpolation", "linear"}, {"keys", std::move(keys)}}));
        list.items().push_back(std::move(node));
    }
    return list;
}

Node HandTable::state(double time) const
{
    Node list = Node::list();
    for (const Hand& hand : hands_)
        list.items().push_back(Node::object({{"name", hand.wish.name},
                                             {"kind", hand.wish.kind},
                                             {"body", hand.wish.body},
                                             {"position", list_of(hand.place(time))}}));
    return list;
}

} // namespace phyxel::studio
