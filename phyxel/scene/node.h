// SPDX-License-Identifier: MIT
// A tree of values, as a scene file writes them. It remembers where each value and each key stood, which no
// common JSON library does.
#pragma once

#include <phyxel/scene/scene_error.h>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

/// A value of JSON: nothing, true or false, a finite number, UTF-8 text, a list, or an object whose members
/// keep their order. The accessors require the right kind.
class Node {
public:
    struct Member;
    enum class Kind { Null, Bool, Number, Text, List, Object };

    Node();
    // Written in the source file, where Member is complete.
    Node(const Node& other);
    Node(Node&& other) noexcept;
    Node& operator=(const Node& other);
    Node& operator=(Node&& other) noexcept;
    ~Node();

    Node(std::same_as<bool> auto value) : value_(value) {}
    Node(double value);
    Node(std::integral auto value) requires(!std::same_as<decltype(value), bool>)
        : Node(static_cast<double>(value))
    {
    }
    Node(std::string text);
    Node(std::string_view text);
    Node(const char* text);
    static Node list(std::vector<Node> items = {});
    static Node object();
    static Node object(std::vector<Member> members);

    Kind kind() const { return static_cast<Kind>(value_.index()); }
    bool is_null() const { return kind() == Kind::Null; }
    bool is_bool() const { return kind() == Kind::Bool; }
    bool is_number() const { return kind() == Kind::Number; }
    bool is_text() const { return kind() == Kind::Text; }
    bool is_list() const { return kind() == Kind::List; }
    bool is_object() const { return kind() == Kind::Object; }

    bool boolean() const;
    double number() const;
    const std::string& text() const;
    const std::vector<Node>& items() const;
    std::vector<Node>& items();
    const std::vector<Member>& members() const;
    std::vector<Member>& members();

    /// The member of an object with this key, or null.
    const Node* find(std::string_view key) const;
    Node* find(std::string_view key);

    /// Replaces the member with this key or adds one at the end.
    Node& set(std::string key, Node value, Place key_place = {});

    const Place& place() const { return place_; }
    void set_place(Place place) { place_ = std::move(place); }

    /// Whether the values are the same; where they stood does not matter.
    bool operator==(const Node& other) const;

private:
    std::variant<std::monostate, bool, double, std::string, std::vector<Node>, std::vector<Member>> value_;
    Place place_;
};

struct Node::Member {
    std::string key;
    Node value;
    Place key_place = {};

    bool operator==(const Member& other) const { return key == other.key && value == other.value; }
};

/// The value in a few words, for messages: `12`, `"water"`, `a list of 2`, `an object`.
std::string short_text(const Node& node);

} // namespace phyxel
