// SPDX-License-Identifier: MIT
#include <phyxel/scene/node.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/number_text.h>
#include <phyxel/scene/document.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace phyxel {

Node::Node() = default;
Node::Node(const Node& other) = default;
Node::Node(Node&& other) noexcept = default;
Node& Node::operator=(const Node& other) = default;
Node& Node::operator=(Node&& other) noexcept = default;
Node::~Node() = default;

Node::Node(double value) : value_(value) { PHYXEL_ASSERT(std::isfinite(value)); }
Node::Node(std::string text) : value_(std::move(text)) {}
Node::Node(std::string_view text) : value_(std::string(text)) {}
Node::Node(const char* text) : value_(std::string(text)) {}

Node Node::list(std::vector<Node> items)
{
    Node node;
    node.value_ = std::move(items);
    return node;
}

Node Node::object() { return object(std::vector<Member>()); }

Node Node::object(std::vector<Member> members)
{
    Node node;
    node.value_ = std::move(members);
    return node;
}

bool Node::boolean() const { return std::get<bool>(value_); }
double Node::number() const { return std::get<double>(value_); }
const std::string& Node::text() const { return std::get<std::string>(value_); }
const std::vector<Node>& Node::items() const { return std::get<std::vector<Node>>(value_); }
std::vector<Node>& Node::items() { return std::get<std::vector<Node>>(value_); }
const std::vector<Node::Member>& Node::members() const { return std::get<std::vector<Member>>(value_); }
std::vector<Node::Member>& Node::members() { return std::get<std::vector<Member>>(value_); }

const Node* Node::find(std::string_view key) const
{
    for (const Member& member : members())
        if (member.key == key) return &member.value;
    return nullptr;
}

Node* Node::find(std::string_view key) { return const_cast<Node*>(std::as_const(*this).find(key)); }

Node& Node::set(std::string key, Node value, Place key_place)
{
    auto member =
        std::find_if(members().begin(), members().end(), [&](const Member& m) { return m.key == key; });
    if (member == members().end()) member = members().insert(member, {std::move(key), {}, {}});
    member->value = std::move(value);
    member->key_place = std::move(key_place);
    return member->value;
}

bool Node::operator==(const Node& other) const { return value_ == other.value_; }

std::string short_text(const Node& node)
{
    switch (node.kind()) {
    case Node::Kind::List:
        return node.items().empty() ? "an empty list" : "a list of " + std::to_string(node.items().size());
    case Node::Kind::Object:
        return "an object";
    case Node::Kind::Text: {
        // Long texts are cut, but never within a character.
        constexpr std::size_t max_length = 60;
        if (node.text().size() <= max_length) break;
        std::size_t length = max_length;
        while ((static_cast<unsigned char>(node.text()[length]) & 0xc0) == 0x80) --length;
        return to_line(node.text().substr(0, length) + "…");
    }
    default:
        break;
    }
    return to_line(node);
}

} // namespace phyxel
