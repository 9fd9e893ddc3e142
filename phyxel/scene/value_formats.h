// SPDX-License-Identifier: MIT
// How the types that parameters have look in a scene: numbers, texts, words, vectors, formulas, lists,
// options within options, and choices of options by a word.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/formula.h>
#include <phyxel/core/nearest_word.h>
#include <phyxel/core/types.h>
#include <phyxel/scene/node.h>
#include <phyxel/scene/parameter_table.h>
#include <phyxel/scene/parameters.h>
#include <phyxel/scene/reader.h>
#include <phyxel/scene/schema.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel {

/// A quantity: a number in SI or a text with a unit.
template <>
struct ValueFormat<double> {
    static std::string expected(const Parameter& p) { return expected_quantity(p.unit); }
    static void read(Reader& in, const Node& node, const Parameter& p, double& value)
    {
        in.read_quantity(node, p, value);
    }
    static Node write(double value) { return value; }
    static Node schema(SchemaWriter&, const Parameter& p) { return quantity_schema(p); }
};

/// A quantity, or a formula in SI numbers.
template <>
struct ValueFormat<Formula> {
    static std::string expected(const Parameter& p)
    {
        return expected_quantity(p.unit) + " or a formula such as \"= 2*" +
               std::string(p.variables.substr(0, 1)) + '"';
    }
    static void read(Reader& in, const Node& node, const Parameter& p, Formula& value)
    {
        in.read_formula(node, p, value);
    }
    static Node write(const Formula& value)
    {
        if (value.is_number()) return value.evaluate(0, 0, 0, 0);
        // A formula of the greatest length has no room for a space.
        const bool has_room = value.text().size() + 2 <= Formula::max_length;
        return (has_room ? "= " : "=") + value.text();
    }
    static Node schema(SchemaWriter&, const Parameter& p) { return quantity_schema(p); }
};

/// A whole number. JSON's numbers are doubles, so beyond 2⁵³ there is none.
template <std::integral T>
requires(!std::same_as<T, bool>) struct ValueFormat<T> {
    static constexpr double lowest = std::max(static_cast<double>(std::numeric_limits<T>::min()), -0x1p53);
    static constexpr double highest = std::min(static_cast<double>(std::numeric_limits<T>::max()), 0x1p53);

    static std::string expected(const Parameter&) { return "a whole number"; }
    static void read(Reader& in, const Node& node, const Parameter& p, T& value)
    {
        double number = 0.0;
        if (in.read_whole(node, p, lowest, highest, number)) value = static_cast<T>(number);
    }
    static Node write(T value) { return value; }
    static Node schema(SchemaWriter&, const Parameter& p) { return whole_schema(p, lowest, highest); }
};

template <>
struct ValueFormat<bool> {
    static std::string expected(const Parameter&) { return "true or false"; }
    static void read(Reader& in, const Node& node, const Parameter&, bool& value)
    {
        in.read_bool(node, value);
    }
    static Node write(bool value) { return value; }
    static Node schema(SchemaWriter&, const Parameter&) { return Node::object({{"type", "boolean"}}); }
};

template <>
struct ValueFormat<std::string> {
    static std::string expected(const Parameter&) { return "a text"; }
    static void read(Reader& in, const Node& node, const Parameter&, std::string& value)
    {
        in.read_text(node, value);
    }
    static Node write(const std::string& value) { return value; }
    static Node schema(SchemaWriter&, const Parameter&) { return Node::object({{"type", "string"}}); }
};

/// A word for each value of an enumeration.
template <HasWords Enum>
struct ValueFormat<Enum> {
    static constexpr auto known = words(Enum{});

    static auto list()
    {
        std::array<std::string_view, known.size()> texts;
        std::transform(known.begin(), known.end(), texts.begin(), [](const auto& word) { return word.word; });
        return texts;
    }
    static std::string expected(const Parameter&) { return expected_words(list()); }
    static void read(Reader& in, const Node& node, const Parameter&, Enum& value)
    {
        std::size_t number = 0;
        if (in.read_word(node, list(), number)) value = known[number].value;
    }
    static Node write(Enum value)
    {
        const auto word =
            std::find_if(known.begin(), known.end(), [&](const auto& w) { return w.value == value; });
        PHYXEL_ASSERT(word != known.end());
        return word->word;
    }
    static Node schema(SchemaWriter&, const Parameter&)
    {
        const auto texts = list();
        return Node::object({{"enum", Node::list(std::vector<Node>(texts.begin(), texts.end()))}});
    }
};

/// A list of as many values as the type has places.
template <class List, class Item, std::size_t count>
struct FixedListFormat {
    static std::string expected(const Parameter& p)
    {
        return "a list of " + std::to_string(count) + ", each " + ValueFormat<Item>::expected(p);
    }
    static void read(Reader& in, const Node& node, const Parameter& p, List& value)
    {
        if (!node.is_list() || node.items().size() != count) {
            in.add_mismatch(node, expected(p));
            return;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Reader::Scope scope = in.enter(i);
            ValueFormat<Item>::read(in, node.items()[i], p, value[i]);
        }
    }
    static Node write(const List& value)
    {
        std::vector<Node> items;
        for (std::size_t i = 0; i < count; ++i) items.push_back(ValueFormat<Item>::write(value[i]));
        return Node::list(std::move(items));
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object({{"type", "array"},
                             {"items", ValueFormat<Item>::schema(out, p)},
                             {"minItems", count},
                             {"maxItems", count}});
    }
};

// The defaults of Eigen's further arguments depend on the first ones and cannot be deduced.
template <int Dim, int Layout, int MaxRows, int MaxCols>
requires(Dim > 0) struct ValueFormat<Eigen::Matrix<double, Dim, 1, Layout, MaxRows, MaxCols>>
    : FixedListFormat<Eigen::Matrix<double, Dim, 1, Layout, MaxRows, MaxCols>, double, Dim> {
};

template <class Item, std::size_t count>
struct ValueFormat<std::array<Item, count>> : FixedListFormat<std::array<Item, count>, Item, count> {
};

/// A list of one is written as that one: in 2D a rotation is an angle.
template <class List, class Item>
struct SingleFormat {
    static std::string expected(const Parameter& p) { return ValueFormat<Item>::expected(p); }
    static void read(Reader& in, const Node& node, const Parameter& p, List& value)
    {
        ValueFormat<Item>::read(in, node, p, value[0]);
    }
    static Node write(const List& value) { return ValueFormat<Item>::write(value[0]); }
    static Node schema(SchemaWriter& out, const Parameter& p) { return ValueFormat<Item>::schema(out, p); }
};

template <>
struct ValueFormat<Vec<1>> : SingleFormat<Vec<1>, double> {
};

template <>
struct ValueFormat<std::array<Formula, 1>> : SingleFormat<std::array<Formula, 1>, Formula> {
};

/// A list of any length. What the parameter says holds for each item.
template <class Item>
struct ValueFormat<std::vector<Item>> {
    static std::string expected(const Parameter& p)
    {
        return "a list, each " + ValueFormat<Item>::expected(p);
    }
    static void read(Reader& in, const Node& node, const Parameter& p, std::vector<Item>& value)
    {
        if (!node.is_list()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        value.clear();
        for (const Node& item : node.items()) {
            const Reader::Scope scope = in.enter(value.size());
            ValueFormat<Item>::read(in, item, p, value.emplace_back());
        }
    }
    static Node write(const std::vector<Item>& value)
    {
        std::vector<Node> items;
        for (const Item& item : value) items.push_back(ValueFormat<Item>::write(item));
        return Node::list(std::move(items));
    }
    static Node schema(SchemaWriter& out, const Parameter& p)
    {
        return Node::object({{"type", "array"}, {"items", ValueFormat<Item>::schema(out, p)}});
    }
    static void add_rows(TableWriter& table, const std::string& path) requires requires
    {
        ValueFormat<Item>::add_rows(table, path);
    }
    {
        ValueFormat<Item>::add_rows(table, path + "[]");
    }
};

/// A value that may be left out.
template <class T>
struct ValueFormat<std::optional<T>> {
    static std::string expected(const Parameter& p) { return ValueFormat<T>::expected(p); }
    static void read(Reader& in, const Node& node, const Parameter& p, std::optional<T>& value)
    {
        if (!value) value = initial();
        ValueFormat<T>::read(in, node, p, *value);
    }
    /// Null for none, which is never written.
    static Node write(const std::optional<T>& value)
    {
        return value ? ValueFormat<T>::write(*value) : Node();
    }
    static Node schema(SchemaWriter& out, const Parameter& p) { return ValueFormat<T>::schema(out, p); }
    static void add_rows(TableWriter& table, const std::string& path) requires requires
    {
        ValueFormat<T>::add_rows(table, path);
    }
    {
        ValueFormat<T>::add_rows(table, path);
    }

private:
    /// Vectors are not made as zero.
    static T initial()
    {
        if constexpr (requires { T::Zero(); })
            return T::Zero();
        else
            return T();
    }
};

/// Visitor that writes the members of an object, with every default.
class MemberWriter {
public:
    explicit MemberWriter(Node& object) : object_(object) {}

    template <class T>
    void operator()(std::string_view name, T& member, const Parameter&)
    {
        if (Node value = ValueFormat<T>::write(member); !value.is_null())
            object_.set(std::string(name), std::move(value));
    }

private:
    Node& object_;
};

/// Reads the members of an object. What no single parameter can tell, a function next to the struct may
/// check; it is called if the members are all right:
///
///     void check(Reader& in, const Node& node, const TankOptions& o);
template <class T>
void read_members(Reader& in, const Node& node, MemberReader& visit, T& value)
{
    const std::size_t problems_before = in.problems().size();
    describe(visit, value);
    if constexpr (requires { check(in, node, value); })
        if (in.problems().size() == problems_before) check(in, node, value);
    visit.finish();
}

/// An object with a key for each parameter of a described struct.
template <class T>
struct DescribedFormat {
    static std::string expected(const Parameter&) { return "an object"; }
    static void read(Reader& in, const Node& node, const Parameter& p, T& value)
    {
        if (!node.is_object()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        MemberReader visit(in, node);
        read_members(in, node, visit, value);
    }
    static Node write(T value)
    {
        Node object = Node::object();
        MemberWriter visit(object);
        describe(visit, value);
        return object;
    }
    static Node schema(SchemaWriter& out, const Parameter&)
    {
        T defaults;
        MemberSchema visit(out);
        describe(visit, defaults);
        return visit.finish();
    }
    static void add_rows(TableWriter& table, const std::string& path)
    {
        T defaults;
        MemberTable visit(table, path + '.');
        describe(visit, defaults);
    }
};

template <Described T>
struct ValueFormat<T> : DescribedFormat<T> {
};

/// Options with a word of their own, which a function next to them returns:
///
///     constexpr std::string_view type_word(const WcsphOptions&) { return "wcsph"; }
template <class T>
concept Typed = Described<T> && requires(const T& options)
{
    std::string_view(type_word(options));
};

/// One of several kinds of options: an object whose key `type` says which, beside the keys of that kind.
template <Typed... Kinds>
struct ValueFormat<std::variant<Kinds...>> {
    using Choice = std::variant<Kinds...>;

    static std::array<std::string_view, sizeof...(Kinds)> list() { return {type_word(Kinds())...}; }

    static std::string expected(const Parameter&)
    {
        return "an object with the \"type\" " + expected_words(list());
    }
    static void read(Reader& in, const Node& node, const Parameter& p, Choice& value)
    {
        if (!node.is_object()) {
            in.add_mismatch(node, expected(p));
            return;
        }
        MemberReader visit(in, node);
        const Node* type = visit.take("type");
        std::size_t number = 0;
        if (type == nullptr) {
            visit.add_missing("type", expected_words(list()));
            if (sizeof...(Kinds) > 1) {
                // Which other keys are known depends on it; but it may be there with a slip of the pen.
                constexpr std::array<std::string_view, 1> known = {"type"};
                for (const Node::Member& member : node.members())
                    if (!nearest_word(member.key, known).empty())
                        in.add_problem(member.key_place, "unknown key " + short_text(member.key),
                                       suggestion(member.key, known) + "expected " + expected_words(list()));
                return;
            }
        } else {
            const Reader::Scope scope = in.enter("type");
            if (!in.read_word(*type, list(), number)) {
                in.lose_part();
                return;
            }
        }
        if (value.index() != number) value = make(number);
        std::visit([&](auto& options) { read_members(in, node, visit, options); }, value);
    }
    static Node write(Choice value)
    {
        Node object = Node::object();
        MemberWriter visit(object);
        std::visit(
            [&](auto& options) {
                object.set("type", type_word(options));
                describe(visit, options);
            },
            value);
        return object;
    }
    static Node schema(SchemaWriter& out, const Parameter&)
    {
        std::vector<Node> kinds;
        for (std::size_t k = 0; k < sizeof...(Kinds); ++k) {
            Choice choice = make(k);
            MemberSchema visit(out);
            visit.add("type", Node::object({{"const", list()[k]}}), true);
            std::visit([&](auto& options) { describe(visit, options); }, choice);
            kinds.push_back(visit.finish());
        }
        return Node::object({{"oneOf", Node::list(std::move(kinds))}});
    }
    static void add_rows(TableWriter& table, const std::string& path)
    {
        for (std::size_t k = 0; k < sizeof...(Kinds); ++k) {
            Choice choice = make(k);
            MemberTable visit(table, path + '(' + std::string(list()[k]) + ").");
            std::visit([&](auto& options) { describe(visit, options); }, choice);
        }
    }

private:
    static Choice make(std::size_t number)
    {
        std::size_t k = 0;
        Choice choice;
        ((k++ == number ? static_cast<void>(choice.template emplace<Kinds>()) : void()), ...);
        return choice;
    }
};

} // namespace phyxel
