// SPDX-License-Identifier: MIT
// A state with an array of every role.
#pragma once

#include <phyxel/core/state_arrays.h>

#include <tuple>
#include <vector>

namespace phyxel {

struct SampleState {
    std::vector<Vec<3>> position;
    std::vector<std::uint64_t> id;
    std::vector<std::uint16_t> label;
    double step = 0.0;
    std::vector<float> guess;

    static constexpr auto arrays()
    {
        return std::tuple{StateArray{"position", &SampleState::position},
                          StateArray{"id", &SampleState::id, ArrayRole::Given},
                          StateArray{"label", &SampleState::label, ArrayRole::Optional},
                          StateArray{"step", &SampleState::step},
                          StateArray{"guess", &SampleState::guess, ArrayRole::Guess}};
    }
};

/// No two entries are alike.
inline SampleState sample_state(int count)
{
    SampleState state{.position = {}, .id = {}, .label = {}, .step = 0.25, .guess = {}};
    for (int i = 0; i < count; ++i) {
        state.position.emplace_back(i, 0.5 * i - 1.0, 3.0);
        state.id.push_back(static_cast<std::uint64_t>(10 + 7 * i));
        state.label.push_back(static_cast<std::uint16_t>(i * i));
        state.guess.push_back(0.1f * static_cast<float>(i));
    }
    return state;
}

} // namespace phyxel
