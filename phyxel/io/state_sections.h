// SPDX-License-Identifier: MIT
// States in checkpoints: a section for each array of their table, see core/state_arrays.h.
#pragma once

#include <phyxel/core/state_arrays.h>
#include <phyxel/io/checkpoint.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace phyxel {

/// Adds the arrays of a state with one of these roles. The names of their sections begin with `prefix`.
template <class State>
void save_state(CheckpointWriter& checkpoint, const std::string& prefix, const State& state,
                std::initializer_list<ArrayRole> roles = {ArrayRole::Always, ArrayRole::Optional,
                                                          ArrayRole::Used, ArrayRole::Guess})
{
    for_each_array(state, [&](const auto& array, const auto& values) {
        if (std::find(roles.begin(), roles.end(), array.role) == roles.end()) return;
        const std::string name = prefix + std::string(array.name);
        if constexpr (is_per_item<decltype(values)>) {
            if (array.role == ArrayRole::Used && values.empty()) return;
            checkpoint.add(name, values);
        } else
            checkpoint.add_value(name, values);
    });
}

/// Reads all that was saved into `state`. There must be `count` particles, or as many as the first array has.
/// Throws InputError for arrays of another length.
template <class State>
void load_state(const CheckpointReader& checkpoint, const std::string& prefix, State& state,
                std::optional<std::size_t> count = {})
{
    for_each_array(state, [&](const auto& array, auto& values) {
        using Member = std::remove_cvref_t<decltype(values)>;
        if (array.role == ArrayRole::Given) return;
        const std::string name = prefix + std::string(array.name);
        if constexpr (is_per_item<Member>) {
            if (array.role == ArrayRole::Used && !checkpoint.contains(name)) {
                values.clear();
                return;
            }
            Member read = checkpoint.template section<typename Member::value_type>(name);
            if (!count) count = read.size();
            if (read.size() != *count && (array.role == ArrayRole::Always || !read.empty()))
                throw InputError("the checkpoint does not fit: its section \"" + name + "\" has " +
                                 std::to_string(read.size()) + " items for " + std::to_string(*count) +
                                 " particles");
            values = std::move(read);
        } else {
            values = checkpoint.template value<Member>(name);
        }
    });
}

} // namespace phyxel
