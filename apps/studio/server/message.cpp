// SPDX-License-Identifier: MIT
#include "message.h"

#include <phyxel/core/error.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/scene/document.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace phyxel::studio {
namespace {

constexpr std::size_t longest_name = 200;
constexpr std::size_t most_assignments = 64;
/// Nothing that is a length is larger, so that sums of them stay finite.
constexpr double largest_number = 1e15;
constexpr int message_nesting = 16;
constexpr std::size_t max_short_message_size = 65536;
/// As many as a short message could have. Scenes come as texts, which are one value here.
constexpr std::size_t max_message_values = max_short_message_size / 2;

/// The members of a message, each read once; what is left over is an error.
class Members {
public:
    Members(const Node& object, std::string type) : object_(object), type_(std::move(type))
    {
        used_.push_back("type");
    }

    const Node* find(std::string_view key)
    {
        used_.push_back(key);
        return object_.find(key);
    }

    const Node& require(std::string_view key)
    {
        const Node* node = find(key);
        if (node == nullptr) refuse("needs \"" + std::string(key) + "\"");
        return *node;
    }

    std::string text(std::string_view key, std::size_t longest = longest_name)
    {
        const Node& node = require(key);
        if (!node.is_text()) refuse("\"" + std::string(key) + "\" must be a text");
        if (node.text().size() > longest)
            refuse("\"" + std::string(key) + "\" is longer than " + std::to_string(longest) + " bytes");
        return node.text();
    }

    double number(std::string_view key)
    {
        const Node& node = require(key);
        if (!node.is_number() || std::abs(node.number()) > largest_number)
            refuse("\"" + std::string(key) + "\" must be a number of at most 1e15");
        return node.number();
    }

    std::optional<double> optional_number(std::string_view key)
    {
        if (object_.find(key) == nullptr) {
            used_.push_back(key);
            return std::nullopt;
        }
        return number(key);
    }

    std::uint64_t count(std::string_view key, std::uint64_t most)
    {
        const double value = number(key);
        if (!(value >= 0.0) || value != std::floor(value) || value > static_cast<double>(most))
            refuse("\"" + std::string(key) + "\" must be a whole number from 0 to " + std::to_string(most));
        return static_cast<std::uint64_t>(value);
    }

    bool boolean(std::string_view key)
    {
        const Node& node = require(key);
        if (!node.is_bool()) refuse("\"" + std::string(key) + "\" must be true or false");
        return node.boolean();
    }

    std::vector<double> point(std::string_view key)
    {
        const Node& node = require(key);
        std::vector<double> point;
        const bool has_size = node.is_list() && (node.items().size() == 2 || node.items().size() == 3);
        if (has_size)
            for (const Node& item : node.items())
                if (item.is_number() && std::abs(item.number()) <= largest_number)
                    point.push_back(item.number());
        if (!has_size || point.size() != node.items().size())
            refuse("\"" + std::string(key) + "\" must be a list of 2 or 3 numbers");
        return point;
    }

    [[noreturn]] void refuse(const std::string& why) const
    {
        throw InputError("message \"" + type_ + "\": " + why);
    }

    void finish() const
    {
        for (const Node::Member& member : object_.members())
            if (std::find(used_.begin(), used_.end(), member.key) == used_.end())
                refuse("unknown member \"" + member.key.substr(0, longest_name) + "\"");
    }

private:
    const Node& object_;
    std::string type_;
    std::vector<std::string_view> used_;
};

/// What is wrong with the value has a path in the scene, not a place in a message that nobody sees.
Node without_places(Node node)
{
    node.set_place({});
    if (node.is_list())
        for (Node& item : node.items()) item = without_places(std::move(item));
    if (node.is_object())
        for (Node::Member& member : node.members()) {
            member.key_place = {};
            member.value = without_places(std::move(member.value));
        }
    return node;
}

OpenMessage read_open(Members& members)
{
    constexpr std::array<std::pair<std::string_view, OpenedThing>, 5> things = {
        {{"example", OpenedThing::Example},
         {"file", OpenedThing::File},
         {"run", OpenedThing::Run},
         {"checkpoint", OpenedThing::Checkpoint},
         {"text", OpenedThing::Text}}};
    OpenMessage message;
    int found = 0;
    for (const auto& [key, thing] : things) {
        if (members.find(key) == nullptr) continue;
        ++found;
        message.thing = thing;
        const bool is_text = thing == OpenedThing::Text;
        message.what = members.text(key, is_text ? max_message_size : 4000);
        if (is_text && members.find("name") != nullptr) message.name = members.text("name");
    }
    if (found != 1)
        members.refuse("needs one of \"example\", \"file\", \"run\", \"checkpoint\" and \"text\"");
    if (const Node* assignments = members.find("set")) {
        if (!assignments->is_list() || assignments->items().size() > most_assignments)
            members.refuse("\"set\" must be a list of at most " + std::to_string(most_assignments) +
                           " texts");
        for (const Node& item : assignments->items()) {
            if (!item.is_text() || item.text().size() > 4000)
                members.refuse("\"set\" must be a list of texts such as \"spacing=4 cm\"");
            message.assignments.push_back(item.text());
        }
    }
    return message;
}

ValidateMessage read_validate(Members& members)
{
    return {members.number("id"), members.text("text", max_message_size)};
}

ViewMessage read_view(Members& members)
{
    ViewMessage message{members.text("color"), members.boolean("surface")};
    if (members.find("made_surface") != nullptr) message.made_surface = members.boolean("made_surface");
    return message;
}

PickMessage read_pick(Members& members)
{
    PickMessage message;
    if (members.find("body") != nullptr) message.body = members.text("body");
    const Node& id = members.require("id");
    if (!id.is_null())
        message.id =
            static_cast<std::uint32_t>(members.count("id", std::numeric_limits<std::uint32_t>::max()));
    if (message.id && message.body.empty()) members.refuse("needs \"body\"");
    return message;
}

HandMessage read_hand(Members& members)
{
    HandMessage message;
    message.name = members.text("name");
    message.kind = members.text("kind");
    const bool warms = message.kind == "warm";
    if (!message.takes_hold() && !warms && message.kind != "push")
        members.refuse("\"kind\" must be \"pull\", \"hold\", \"push\" or \"warm\"");
    if (message.name.empty()) members.refuse("\"name\" must not be empty");
    if (members.find("body") != nullptr) message.body = members.text("body");
    if (message.takes_hold() && message.body.empty()) members.refuse("needs \"body\"");
    message.to = members.point("to");
    if (!message.takes_hold()) {
        message.at = members.find("at") != nullptr ? members.point("at") : message.to;
    } else if (members.find("id") != nullptr) {
        message.id =
            static_cast<std::uint32_t>(members.count("id", std::numeric_limits<std::uint32_t>::max()));
    } else if (members.find("at") != nullptr) {
        message.at = members.point("at");
    } else {
        members.refuse("needs \"id\" or \"at\"");
    }
    if (!message.id && message.at.size() != message.to.size())
        members.refuse("\"at\" and \"to\" differ in dimension");
    message.radius = members.number("radius");
    if (!(message.radius > 0.0)) members.refuse("\"radius\" must be positive");
    if (warms) {
        message.power = members.number("power");
    } else {
        message.stiffness = members.optional_number("stiffness");
        message.strength = members.optional_number("strength");
    }
    return message;
}

DropMessage read_drop(Members& members)
{
    DropMessage message;
    message.name = members.text("name");
    message.like = members.text("like");
    message.shape = without_places(members.require("shape"));
    if (!message.shape.is_object()) members.refuse("\"shape\" must be an object");
    if (members.find("velocity") != nullptr) message.velocity = members.point("velocity");
    return message;
}

PourMessage read_pour(Members& members)
{
    PourMessage message;
    message.name = members.text("name");
    if (message.name.empty()) members.refuse("\"name\" must not be empty");
    message.body = members.text("body");
    message.at = members.point("at");
    message.velocity = members.point("velocity");
    if (message.at.size() != message.velocity.size())
        members.refuse("\"at\" and \"velocity\" differ in dimension");
    if (std::all_of(message.velocity.begin(), message.velocity.end(), [](double v) { return v == 0.0; }))
        members.refuse("\"velocity\" must not be zero");
    message.radius = members.number("radius");
    if (!(message.radius > 0.0)) members.refuse("\"radius\" must be positive");
    return message;
}

RestartMessage read_restart(Members& members)
{
    return {members.find("as_opened") != nullptr && members.boolean("as_opened")};
}

SaveMessage read_save(Members& members)
{
    SaveMessage message;
    const std::string what = members.text("what");
    if (what != "scene" && what != "checkpoint" && what != "text")
        members.refuse("\"what\" must be \"scene\", \"checkpoint\" or \"text\"");
    message.what = what == "scene"        ? SavedThing::Scene
                   : what == "checkpoint" ? SavedThing::Checkpoint
                                          : SavedThing::Text;
    if (what == "text") message.text = members.text("text", max_message_size);
    message.name = members.text("name");
    if (members.find("write") != nullptr) message.write = members.boolean("write");
    return message;
}

using ReadMessage = Message (*)(Members&);

constexpr std::array<std::pair<std::string_view, ReadMessage>, 18> kinds = {{
    {"open", [](Members& m) -> Message { return read_open(m); }},
    {"validate", [](Members& m) -> Message { return read_validate(m); }},
    {"play", [](Members&) -> Message { return PlayMessage{}; }},
    {"pause", [](Members&) -> Message { return PauseMessage{}; }},
    {"step", [](Members&) -> Message { return StepMessage{}; }},
    {"restart", [](Members& m) -> Message { return read_restart(m); }},
    {"go_on", [](Members&) -> Message { return GoOnMessage{}; }},
    {"close", [](Members&) -> Message { return CloseMessage{}; }},
    {"seek", [](Members& m) -> Message { return SeekMessage{m.count("frame", 1'000'000'000)}; }},
    {"view", [](Members& m) -> Message { return read_view(m); }},
    {"pick", [](Members& m) -> Message { return read_pick(m); }},
    {"set",
     [](Members& m) -> Message {
         return SetMessage{m.text("path", 1000), without_places(m.require("value"))};
     }},
    {"hand", [](Members& m) -> Message { return read_hand(m); }},
    {"release", [](Members& m) -> Message { return ReleaseMessage{m.text("name")}; }},
    {"drop", [](Members& m) -> Message { return read_drop(m); }},
    {"pour", [](Members& m) -> Message { return read_pour(m); }},
    {"save", [](Members& m) -> Message { return read_save(m); }},
    {"ack",
     [](Members& m) -> Message {
         return AckMessage{
             static_cast<std::uint32_t>(m.count("frame", std::numeric_limits<std::uint32_t>::max()))};
     }},
}};

} // namespace

Message parse_message(std::string_view text)
{
    if (text.size() > max_message_size) throw InputError("message: longer than 8 MiB");
    const Node root = parse_document(text, "message", message_nesting, max_message_values);
    if (!root.is_object()) throw InputError("message: must be an object");
    const Node* type = root.find("type");
    if (type == nullptr || !type->is_text()) throw InputError("message: needs \"type\", a text");
    for (const auto& [name, read] : kinds) {
        if (type->text() != name) continue;
        // Only scenes are long; many short ones may wait for the simulation.
        if (text.size() > max_short_message_size && name != "open" && name != "validate" && name != "save")
            throw InputError("message \"" + std::string(name) + "\": longer than 64 KiB");
        Members members(root, std::string(name));
        Message message = read(members);
        members.finish();
        return message;
    }
    std::vector<std::string_view> known;
    for (const auto& [name, read] : kinds) known.push_back(name);
    throw InputError("message: unknown type \"" + type->text().substr(0, longest_name) +
                     "\", allowed: " + word_list(known));
}

} // namespace phyxel::studio
