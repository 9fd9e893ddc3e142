// SPDX-License-Identifier: MIT
#include <phyxel/scene/path.h>

#include <phyxel/core/nearest_word.h>
#include <phyxel/core/number_text.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/scene_error.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace phyxel {
namespace {

bool is_plain(char c)
{
    return static_cast<unsigned char>(c) > ' ' &&
           std::string_view(".[]\"=").find(c) == std::string_view::npos;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

[[noreturn]] void refuse_path(std::string_view text, const std::string& what)
{
    throw InputError("the path " + in_quotes(text) + " cannot be read: " + what);
}

/// ` in column 3`, counted in characters.
std::string in_column(std::string_view text, std::size_t position)
{
    const auto characters =
        std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position),
                      [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
    return " in column " + std::to_string(characters + 1);
}

/// The end of the text in double quotes that begins at `begin`, just after the closing quote.
std::size_t quote_end(std::string_view text, std::size_t begin)
{
    for (std::size_t at = begin + 1; at < text.size(); ++at) {
        if (text[at] == '"') return at + 1;
        if (text[at] == '\\') ++at;
    }
    return std::string_view::npos;
}

[[noreturn]] void refuse(const Path& container, const std::string& what)
{
    Problem problem;
    problem.path = container.text();
    problem.what = what;
    throw InputError(to_text(problem));
}

const std::string* name_of(const Node& item)
{
    const Node* name = item.is_object() ? item.find("name") : nullptr;
    return name != nullptr && name->is_text() ? &name->text() : nullptr;
}

/// What a step leads to, or null if there is no such member, item or name.
const Node* child(const Node& node, const Path::Step& step)
{
    if (const std::size_t* index = std::get_if<std::size_t>(&step))
        return node.is_list() && *index < node.items().size() ? &node.items()[*index] : nullptr;
    const std::string& key = std::get<std::string>(step);
    if (node.is_object()) return node.find(key);
    if (!node.is_list()) return nullptr;
    const auto item = std::find_if(node.items().begin(), node.items().end(), [&](const Node& n) {
        const std::string* name = name_of(n);
        return name != nullptr && *name == key;
    });
    return item == node.items().end() ? nullptr : &*item;
}

/// Says why a step leads nowhere.
[[noreturn]] void refuse_step(const Path& container, const Node& node, const Path::Step& step)
{
    if (const std::size_t* index = std::get_if<std::size_t>(&step))
        refuse(container, "there is no item [" + std::to_string(*index) + "] in " + short_text(node));
    const std::string& key = std::get<std::string>(step);
    if (!node.is_object() && !node.is_list())
        refuse(container, "there is no " + in_quotes(key) + " in " + short_text(node));
    std::vector<std::string_view> known;
    if (node.is_object()) {
        for (const Node::Member& member : node.members()) known.push_back(member.key);
    } else {
        for (const Node& item : node.items())
            if (const std::string* name = name_of(item)) known.push_back(*name);
    }
    const bool is_number = std::all_of(key.begin(), key.end(), is_digit);
    const std::size_t axis = key.size() == 1 ? std::string_view("xyz").find(key) : std::string_view::npos;
    const bool is_axis = node.is_list() && known.empty() && axis < node.items().size();
    const std::string what =
        (node.is_object() ? "there is no key " : "there is no item named ") + in_quotes(key) + ", ";
    if (is_axis) refuse(container, what + "did you mean [" + std::to_string(axis) + "]?");
    refuse(container,
           what + (node.is_list() && is_number ? "did you mean [" + key + "]? " : suggestion(key, known)) +
               "known: " + (known.empty() ? "none" : word_list(known)));
}

/// Items can be set only of a list that is there: how long it should be is not known.
void require_list_of_items(const Path& path, std::size_t missing)
{
    const std::vector<Path::Step>& steps = path.steps();
    Path list;
    for (std::size_t k = 0; k < steps.size(); ++k) {
        const std::size_t* index = std::get_if<std::size_t>(&steps[k]);
        if (k > missing && index != nullptr)
            refuse(list, "is not given, so there is no item [" + std::to_string(*index) +
                             "] to set; set all of it");
        list.push(steps[k]);
    }
}

} // namespace

void set_places(Node& node, const Place& place)
{
    node.set_place(place);
    if (node.is_list())
        for (Node& item : node.items()) set_places(item, place);
    if (node.is_object())
        for (Node::Member& member : node.members()) {
            member.key_place = place;
            set_places(member.value, place);
        }
}

Path::Path(std::string_view text)
{
    if (text.empty()) throw InputError("the path is empty, expected one such as bodies.water.material");
    std::size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '[') {
            ++at;
            if (at < text.size() && text[at] == '"') {
                const std::size_t end = quote_end(text, at);
                if (end == std::string_view::npos) refuse_path(text, "expected \" before the end");
                try {
                    steps_.emplace_back(parse_document(text.substr(at, end - at), {}).text());
                } catch (const SceneError& error) {
                    refuse_path(text, error.problems().front().what);
                }
                at = end;
            } else {
                const std::size_t begin = at;
                std::size_t index = 0;
                constexpr std::size_t limit = 1'000'000'000;
                for (; at < text.size() && is_digit(text[at]); ++at)
                    index = std::min(limit, 10 * index + static_cast<std::size_t>(text[at] - '0'));
                if (at == begin)
                    refuse_path(text, "expected a number or a text in double quotes after \"[\"");
                steps_.emplace_back(index);
            }
            if (at >= text.size() || text[at] != ']')
                refuse_path(text, "expected \"]\"" + in_column(text, at));
            ++at;
        } else {
            if (!steps_.empty()) {
                if (text[at] != '.') refuse_path(text, "expected \".\" or \"[\"" + in_column(text, at));
                ++at;
            }
            const std::size_t begin = at;
            while (at < text.size() && is_plain(text[at])) ++at;
            if (at == begin) refuse_path(text, "expected a key" + in_column(text, at));
            steps_.emplace_back(std::string(text.substr(begin, at - begin)));
        }
    }
}

void Path::push(Step step) { steps_.push_back(std::move(step)); }

std::string Path::text() const
{
    std::string text;
    for (const Step& step : steps_) {
        if (const std::size_t* index = std::get_if<std::size_t>(&step)) {
            text += '[' + std::to_string(*index) + ']';
        } else if (const std::string& key = std::get<std::string>(step);
                   !key.empty() && std::all_of(key.begin(), key.end(), is_plain)) {
            if (!text.empty()) text += '.';
            text += key;
        } else {
            text += '[' + to_line(key) + ']';
        }
    }
    return text;
}

const Node& value_at(const Node& root, const Path& path)
{
    const Node* node = &root;
    Path done;
    for (const Path::Step& step : path.steps()) {
        const Node* next = child(*node, step);
        if (next == nullptr) refuse_step(done, *node, step);
        done.push(step);
        node = next;
    }
    return *node;
}

const Node* find_value(const Node& root, const Path& path)
{
    const Node* node = &root;
    for (const Path::Step& step : path.steps())
        if (node != nullptr) node = child(*node, step);
    return node;
}

void set_value_at(Node& root, const Path& path, const Node& value)
{
    Node* node = &root;
    Path done;
    for (std::size_t k = 0; k < path.steps().size(); ++k) {
        const Path::Step& step = path.steps()[k];
        auto* next = const_cast<Node*>(child(*node, step));
        if (next == nullptr) {
            const std::string* key = std::get_if<std::string>(&step);
            if (!node->is_object() || key == nullptr) refuse_step(done, *node, step);
            require_list_of_items(path, k);
            Node empty = Node::object();
            empty.set_place(value.place());
            next = &node->set(*key, std::move(empty), value.place());
        }
        done.push(step);
        node = next;
    }
    *node = value;
}

Assignment parse_assignment(std::string_view text)
{
    std::size_t equals = 0;
    while (equals < text.size() && text[equals] != '=')
        equals = text[equals] == '"' ? std::min(quote_end(text, equals), text.size()) : equals + 1;
    if (equals >= text.size())
        throw InputError(std::string(text) + ": expected a path, \"=\" and a value, as in spacing=\"4 cm\"");
    const std::string_view value_text = text.substr(equals + 1);
    const Place place{std::make_shared<const std::string>(text)};
    if (value_text.find_first_not_of(" \t") == std::string_view::npos)
        throw SceneError(place, "expected a value after \"=\"");
    if (!is_utf8(text.substr(0, equals))) throw SceneError(place, "the path is not text", "expected UTF-8");

    Assignment assignment;
    try {
        assignment.path = Path(text.substr(0, equals));
    } catch (const InputError& error) {
        throw SceneError(place, error.what());
    }
    try {
        assignment.value = parse_document(value_text, "value");
    } catch (const SceneError& error) {
        // A bare word is a text, but what begins as a list, an object or a text in quotes was meant as one.
        if (std::string_view("[{\"").find(value_text.front()) != std::string_view::npos ||
            !is_utf8(value_text))
            throw SceneError(place, error.problems().front().what, error.problems().front().allowed);
        const NumberPrefix number = read_number(value_text);
        if (number.length == value_text.size() && std::isfinite(number.value))
            assignment.value = number.value;
        else
            assignment.value = value_text;
    }
    set_places(assignment.value, place);
    return assignment;
}

} // namespace phyxel
