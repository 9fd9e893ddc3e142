// SPDX-License-Identifier: MIT
// Paths to values of a scene, such as `bodies[0].material` or `bodies.water.material`: one syntax for events,
// the command line and error messages.
#pragma once

#include <phyxel/scene/node.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

/// A way down a tree. A step is the key of a member, the number of an item, or the name of an item: that of
/// an object in a list whose member `name` has this text. Keys stand between dots, numbers in brackets; keys
/// with spaces, dots, brackets, quotes or `=` in them are written in brackets and quotes: `set["a.b"]`.
class Path {
public:
    using Step = std::variant<std::string, std::size_t>;

    Path() = default;

    /// Throws InputError.
    explicit Path(std::string_view text);

    const std::vector<Step>& steps() const { return steps_; }
    std::string text() const;

    void push(Step step);
    void pop() { steps_.pop_back(); }

private:
    std::vector<Step> steps_;
};

/// The value at a path. Throws InputError, which names the nearest known key, where there is none.
const Node& value_at(const Node& root, const Path& path);

/// The same, or null where there is none.
const Node* find_value(const Node& root, const Path& path);

/// Puts a value at a path. Members that are missing are made on the way; items of lists are not. Throws
/// InputError.
void set_value_at(Node& root, const Path& path, const Node& value);

/// Says of a value and all within it that they were written there.
void set_places(Node& node, const Place& place);

/// What `--set` is given.
struct Assignment {
    Path path;
    Node value;
};

/// Reads `spacing=4 cm`. The value is JSON, or else the text as it stands, so that most quotes can be left
/// out. Errors about the value later name `--set spacing=4 cm` as its place. Throws InputError.
Assignment parse_assignment(std::string_view text);

} // namespace phyxel
