// SPDX-License-Identifier: MIT
// What kinds ask of scenes that were read: names, starts, and solvers that all bodies of a kind share.
#pragma once

#include <phyxel/core/nearest_word.h>
#include <phyxel/io/frames.h>
#include <phyxel/scene/options.h>
#include <phyxel/scene/scene_error.h>
#include <phyxel/scene/scene_options.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace phyxel {

inline std::string item_text(std::string_view list, std::size_t number)
{
    return std::string(list) + '[' + std::to_string(number) + ']';
}

/// Calls visit(item, node, number) for those items of a list that were read from an object, within the scope
/// of their path.
template <class Item>
void for_each_item(Reader& in, const Node& root, std::string_view list, const std::vector<Item>& items,
                   auto&& visit)
{
    const Node* nodes = root.find(list);
    if (nodes == nullptr || !nodes->is_list() || nodes->items().size() != items.size()) return;
    const Reader::Scope scope = in.enter(list);
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (!nodes->items()[i].is_object()) continue;
        const Reader::Scope item = in.enter(i);
        visit(items[i], nodes->items()[i], i);
    }
}

/// The same for the bodies whose kind has these options.
template <class Options, int Dim>
void for_each_body(Reader& in, const Node& root, const SceneOptions<Dim>& scene, auto&& visit)
{
    for_each_item(in, root, "bodies", scene.bodies,
                  [&](const BodyOptions<Dim>& body, const Node& node, std::size_t i) {
                      if (const Options* options = body.template get<Options>()) visit(*options, node, i);
                  });
}

template <int Dim>
std::string_view name_of(const BodyOptions<Dim>& body)
{
    return body.name();
}
template <class Item>
std::string_view name_of(const Item& item)
{
    return item.name;
}

template <class Item>
std::vector<std::string_view> names_of(const std::vector<Item>& items)
{
    std::vector<std::string_view> names;
    for (const Item& item : items) names.push_back(name_of(item));
    return names;
}

/// Names become parts of files and paths; each is used once.
template <class Item>
void check_names(Reader& in, const Node& root, std::string_view list, const std::vector<Item>& items)
{
    const std::vector<std::string_view> names = names_of(items);
    std::unordered_map<std::string_view, std::size_t> first; // who has a name, of those before
    std::size_t before = 0;
    for_each_item(in, root, list, items, [&](const Item&, const Node& node, std::size_t i) {
        const Node* name = node.find("name");
        if (name == nullptr || !name->is_text()) return;
        const Reader::Scope scope = in.enter("name");
        if (!is_body_name(name->text())) {
            in.add_problem(
                *name, short_text(*name) + " is no name",
                "allowed: 1 to 100 bytes without slashes and control characters, no dot in front, no "
                "blank at either end");
            return;
        }
        for (; before < i; ++before) first.emplace(names[before], before);
        const auto used = first.find(name->text());
        if (used == first.end()) return;
        in.add_problem(*name,
                       "the name " + in_quotes(used->first) + " is used by " + item_text(list, used->second) +
                           " already",
                       "names must differ");
    });
}

/// Lists that somebody writes by hand are short.
inline void check_length(Reader& in, const Node& root, std::string_view list, std::size_t length)
{
    constexpr std::size_t most = 1000;
    if (length <= most) return;
    const Reader::Scope scope = in.enter(list);
    in.add_problem(*root.find(list), std::to_string(length) + ' ' + std::string(list) + " are too many",
                   "at most " + std::to_string(most));
}

/// All bodies of a kind are one to their solver.
template <class Options, int Dim>
void check_solvers(Reader& in, const Node& root, const SceneOptions<Dim>& scene)
{
    const Options* first = nullptr;
    std::size_t first_number = 0;
    for_each_body<Options>(in, root, scene, [&](const Options& body, const Node& node, std::size_t i) {
        if (!body.solver) return;
        if (first == nullptr) {
            first = &body;
            first_number = i;
            return;
        }
        // All of a thousand bodies may be looked at with every event.
        if constexpr (requires { *body.solver == *first->solver; })
            if (*body.solver == *first->solver) return;
        const Node here = write_options(*body.solver);
        const Node there = write_options(*first->solver);
        for (const Node::Member& member : here.members()) {
            const Node* other = there.find(member.key);
            if (other != nullptr && *other == member.value) continue;
            const Reader::Scope scope = in.enter("solver");
            in.add_problem(*node.find("solver"),
                           member.key + " is " + short_text(member.value) + " here and " +
                               (other != nullptr ? short_text(*other) : "not given") + " in " +
                               item_text("bodies", first_number),
                           "all " + scene.bodies[i].kind->name +
                               "s have one solver; give it in one of them only");
            return;
        }
    });
}

/// Gives all bodies of a kind the solver of the first that has one. Returns whether one has.
template <class Options, int Dim>
bool share_solver(SceneOptions<Dim>& scene)
{
    decltype(Options::solver) solver;
    for_each_of<Options>(scene, [&](const Options& body, std::size_t) {
        if (!solver) solver = body.solver;
    });
    const bool is_given = solver.has_value();
    if (!solver) solver.emplace();
    for_each_of<Options>(scene, [&](Options& body, std::size_t) { body.solver = solver; });
    return is_given;
}

/// The body that an item names is there and of a kind that `fits`; `what_fits` says which ones do.
template <int Dim>
void check_body_of(Reader& in, const SceneOptions<Dim>& scene, const Node& item, const std::string& name,
                   auto&& fits, std::string_view what_fits)
{
    std::vector<std::string_view> names;
    const KindOf<Dim>* other = nullptr;
    for (const BodyOptions<Dim>& body : scene.bodies) {
        if (body.kind == nullptr) return; // what is wrong with that is said there
        if (fits(*body.kind))
            names.push_back(body.name());
        else if (body.name() == name)
            other = body.kind;
    }
    const Node* body = item.find("body");
    if (body == nullptr || !body->is_text() || std::find(names.begin(), names.end(), name) != names.end())
        return;
    const Reader::Scope scope = in.enter("body");
    in.add_problem(*body,
                   other != nullptr
                       ? short_text(*body) + " is a " + other->name + ", and " + std::string(what_fits)
                       : "there is no body named " + short_text(*body),
                   suggestion(name, names) + "known: " + (names.empty() ? "none" : word_list(names)));
}

} // namespace phyxel
