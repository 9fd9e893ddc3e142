// SPDX-License-Identifier: MIT
// Fuzz target for scene files as text: what is accepted is written and read again without a change, what is
// refused has a place in the text; and the same bytes as a path and as an argument of --set.

#include <phyxel/core/error.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/path.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace phyxel {
namespace {

void require(bool holds)
{
    if (!holds) __builtin_trap();
}

/// Every place lies within the text, and the values of a container behind its beginning.
void require_places(const Node& node, std::size_t size)
{
    const Place& place = node.place();
    require(place.line >= 1 && place.column >= 1);
    require(static_cast<std::size_t>(place.line + place.column) <= size + 1);
    const auto require_after = [&](const Place& later) {
        require(later.line > place.line || (later.line == place.line && later.column > place.column));
    };
    if (node.is_list()) {
        for (const Node& item : node.items()) {
            require_after(item.place());
            require_places(item, size);
        }
    }
    if (node.is_object()) {
        for (const Node::Member& member : node.members()) {
            require_after(member.key_place);
            require(node.find(member.key) == &member.value);
            require_places(member.value, size);
        }
    }
}

void check_document(std::string_view text)
{
    try {
        const Node root = parse_document(text, "input");
        require(is_utf8(text));
        require_places(root, text.size());
        const std::string written = to_text(root);
        const Node again = parse_document(written, "written");
        require(again == root);
        require(to_text(again) == written);
        require(parse_document(to_line(root), "line") == root);
    } catch (const SceneError& error) {
        require(!error.problems().empty());
        for (const Problem& problem : error.problems()) {
            require(!problem.what.empty() && *problem.place.source == "input");
            require(problem.place.line >= 1 && problem.place.column >= 1);
        }
    }
}

void check_path(std::string_view text)
{
    Node root = Node::object({{"a", Node::list({1, Node::object({{"name", "b"}})})}});
    try {
        const Path path(text);
        // Keys that are not text in UTF-8 cannot be written in quotes.
        if (is_utf8(text)) require(Path(path.text()).steps() == path.steps());
        set_value_at(root, path, 7);
        require(value_at(root, path) == Node(7));
    } catch (const InputError&) {
    }
    try {
        const Assignment assignment = parse_assignment(text);
        set_value_at(root, assignment.path, assignment.value);
    } catch (const InputError&) {
    }
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    phyxel::check_document(text);
    phyxel::check_path(text);
    return 0;
}
