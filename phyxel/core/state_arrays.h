// SPDX-License-Identifier: MIT
// The arrays of a state, listed once. A State has a table of its members beside them,
//
//     static constexpr auto arrays()
//     {
//         return std::tuple{StateArray{"position", &FluidState::position}, …};
//     }
//
// and everything that treats them alike goes along it: resizing, sorting and hashing here, saving and loading
// in io/state_sections.h.
#pragma once

#include <phyxel/core/state_hash.h>
#include <phyxel/core/types.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace phyxel {

enum class ArrayRole {
    Always,   ///< an entry for each particle; or a single number
    Optional, ///< the same, or empty where nothing needs it
    Used,     ///< the same, and not saved either while it is empty
    Guess,    ///< the same; what a solver found in the last step and begins the next one with
    Given,    ///< as the scene has it and nothing changes it yet: not saved
};

/// A member of a state: a vector with an entry for each particle, or a number.
template <class State, class Member>
struct StateArray {
    std::string_view name;
    Member State::*member;
    ArrayRole role = ArrayRole::Always;
};
template <class State, class Member>
StateArray(const char*, Member State::*) -> StateArray<State, Member>;
template <class State, class Member>
StateArray(const char*, Member State::*, ArrayRole) -> StateArray<State, Member>;

/// What an entry is made of: one number or a fixed count of them.
template <class T>
struct ItemTraits {
    using Number = T;
    static constexpr std::uint32_t components = 1;
};
template <class N, std::size_t Count>
struct ItemTraits<std::array<N, Count>> {
    using Number = N;
    static constexpr std::uint32_t components = Count;
};
template <class N, int Rows, int Columns>
struct ItemTraits<Eigen::Matrix<N, Rows, Columns>> {
    static_assert(Rows > 0 && Columns > 0, "a matrix of fixed size");
    using Number = N;
    static constexpr std::uint32_t components = Rows * Columns;
};

/// Whether a member has an entry for each particle.
template <class Member>
inline constexpr bool is_per_item = !std::is_arithmetic_v<std::remove_cvref_t<Member>>;

/// Calls visit(array, member) with every array of a state, in the order of the table.
template <class State, class Visit>
void for_each_array(State& state, Visit&& visit)
{
    std::apply([&](const auto&... array) { (visit(array, state.*array.member), ...); },
               std::remove_const_t<State>::arrays());
}

/// The same with those of two states side by side: visit(array, member, member of the other).
template <class State, class Other, class Visit>
void for_each_array(State& state, Other& other, Visit&& visit)
{
    std::apply([&](const auto&... array) { (visit(array, state.*array.member, other.*array.member), ...); },
               std::remove_const_t<State>::arrays());
}

/// Makes room for `count` particles. Arrays that are left out stay so.
template <class State>
void resize_arrays(State& state, std::size_t count)
{
    for_each_array(state, [&](const auto& array, auto& values) {
        if constexpr (is_per_item<decltype(values)>) {
            const bool may_be_empty = array.role == ArrayRole::Optional || array.role == ArrayRole::Used ||
                                      array.role == ArrayRole::Guess;
            if (!may_be_empty || !values.empty()) values.resize(count);
        }
    });
}

/// Makes every array as long as that of another state.
template <class State>
void resize_arrays_like(State& state, const State& other)
{
    for_each_array(state, other, [](const auto&, auto& values, const auto& others) {
        if constexpr (is_per_item<decltype(values)>) values.resize(others.size());
    });
}

/// Puts particle `from` of another state in the place `to` of this one, which has the same arrays.
template <class State>
void copy_item(State& state, std::size_t to, const State& other, std::size_t from)
{
    for_each_array(state, other, [&](const auto&, auto& values, const auto& others) {
        if constexpr (is_per_item<decltype(values)>)
            if (!others.empty()) values[to] = others[from];
    });
}

/// Exchanges the particles of two states, not their single numbers.
template <class State>
void swap_items(State& state, State& other)
{
    for_each_array(state, other, [](const auto&, auto& values, auto& others) {
        if constexpr (is_per_item<decltype(values)>) values.swap(others);
    });
}

/// Puts particle order[k] in the place k.
template <class State>
void permute_items(State& state, std::span<const Index> order)
{
    for_each_array(state, [&](const auto&, auto& values) {
        if constexpr (is_per_item<decltype(values)>) {
            if (values.empty()) return;
            std::remove_cvref_t<decltype(values)> sorted;
            sorted.reserve(order.size());
            for (const Index from : order) sorted.push_back(values[from]);
            values = std::move(sorted);
        }
    });
}

/// All bits of a state as one number.
template <class State>
std::uint64_t hash_state(const State& state)
{
    StateHash hash;
    for_each_array(state, [&](const auto&, const auto& values) {
        if constexpr (is_per_item<decltype(values)>)
            hash.add(std::span(values));
        else
            hash.add(values);
    });
    return hash.value();
}

/// Whether all of a state are numbers.
template <class State>
bool is_finite(const State& state)
{
    bool is = true;
    for_each_array(state, [&](const auto&, const auto& values) {
        using Member = std::remove_cvref_t<decltype(values)>;
        if constexpr (std::is_floating_point_v<Member>) {
            is = is && std::isfinite(values);
        } else if constexpr (is_per_item<Member>) {
            using Item = typename Member::value_type;
            if constexpr (std::is_floating_point_v<Item>)
                for (const Item value : values) is = is && std::isfinite(value);
            else if constexpr (std::is_floating_point_v<typename ItemTraits<Item>::Number>)
                for (const Item& value : values) is = is && value.allFinite();
        }
    });
    return is;
}

} // namespace phyxel
