// SPDX-License-Identifier: MIT
// How parameters are described, once, for all who need to know them: the reader of scenes, the JSON Schema,
// the writer of resolved scenes and the tables of the documentation are visitors of the same description.
//
//     struct DfsphOptions {
//         double max_density_error = 1e-3;   ///< relative to ρ₀, averaged over particles
//         int max_iterations = 100;
//     };
//
//     void describe(auto& visit, DfsphOptions& o)
//     {
//         visit("max_density_error", o.max_density_error, {.min = 1e-6, .max = 0.1, .doc = "mean
//         compression"}); visit("max_iterations", o.max_iterations, {.min = 1, .doc = "of each pressure
//         solve"});
//     }
//
// `describe` stands in the namespace of its struct. Defaults are those of the struct itself.
#pragma once

#include <phyxel/scene/quantity.h>

#include <concepts>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace phyxel {

/// What is known of a parameter beside its name, its type and its default.
struct Parameter {
    std::string_view unit = "1"; ///< of plain numbers: SI without factor, such as "m/s"; "rad" for angles
    double min = -std::numeric_limits<double>::infinity();   ///< least value
    double above = -std::numeric_limits<double>::infinity(); ///< a lower bound that is itself not allowed
    double max = std::numeric_limits<double>::infinity();    ///< greatest value
    double below = std::numeric_limits<double>::infinity();  ///< an upper bound that is itself not allowed
    bool required = false;
    bool changeable = false;             ///< by events
    bool by_preset = false;              ///< events may give the name of a preset for the whole of it
    std::string_view group = {};         ///< of parameters one of which is given instead of the others
    std::string_view variables = "xyzt"; ///< which ones a formula may use
    UnitHint hint = {};                  ///< for a likely mistake
    std::string_view doc = {};           ///< a few words, in lower case, without a full stop
};

/// `at least 1 m and below 2 m`, or nothing where there are no bounds.
std::string range_text(const Parameter& parameter);

bool is_in_range(double value, const Parameter& parameter);

/// A value of an enumeration as scenes write it. The words of an enumeration are an array that a function
/// next to it returns:
///
///     constexpr auto words(Side) { return std::array{Word{Side::Wall, "wall"}, Word{Side::Open, "open"}}; }
template <class Enum>
struct Word {
    Enum value;
    std::string_view word;
};

template <class Enum>
Word(Enum, std::string_view) -> Word<Enum>;

template <class Enum>
concept HasWords = std::is_enum_v<Enum> && requires(Enum value)
{
    words(value);
};

namespace detail {

/// Stands for any visitor, to ask whether there is a description.
struct AnyVisitor {
    template <class T>
    void operator()(std::string_view name, T& member, const Parameter& parameter);
};

} // namespace detail

template <class T>
concept Described = requires(detail::AnyVisitor& visit, T& options)
{
    describe(visit, options);
};

/// How values of a type are read, written and explained. Specialised in value_formats.h for numbers, texts,
/// words, vectors, formulas, lists and described structs; a type with a form of its own in scenes gets its
/// own specialisation:
///
///     static std::string expected(const Parameter&);                          `a length such as "1 cm"`
///     static void read(Reader&, const Node&, const Parameter&, T&);           problems go to the reader
///     static Node write(const T&);
///     static Node schema(SchemaWriter&, const Parameter&);
///     static void add_rows(TableWriter&, const std::string& path);            only if there are keys within
template <class T>
struct ValueFormat;

} // namespace phyxel
