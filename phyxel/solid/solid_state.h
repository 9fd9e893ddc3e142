// SPDX-License-Identifier: MIT
// What of solids changes in time: all that is saved.
#pragma once

#include <phyxel/core/state_arrays.h>
#include <phyxel/core/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

namespace phyxel {

template <int Dim>
struct SolidState {
    std::vector<Vec<Dim>> position; ///< x_i [m]
    std::vector<Vec<Dim>> velocity; ///< v_i [m/s]; with leapfrog, half a step behind the positions
    std::vector<std::uint64_t> id;  ///< never used twice; whatever refers to phyxels does so by it
    // Of solids that flow; empty if there are none.
    std::vector<Mat<Dim>> plastic_shape; ///< what is remembered of flow; see plastic_flow.h
    std::vector<double> plastic_strain;  ///< all that was added since it was liquid
    // Where heat flows; empty otherwise.
    std::vector<double> enthalpy;          ///< of a mass, see thermal_material.h [J/kg]
    std::vector<double> start_temperature; ///< at which nothing has expanded yet [K]
    // Of solids that forget their shape at rest, or melt; empty if there are none.
    std::vector<Vec<Dim>> rest_position; ///< X_i since they last did [m]
    std::vector<double> rest_scale;      ///< how many times as large as relaxed it is; see RestShape::scale
    std::vector<std::uint8_t> is_molten;
    // Of solids that are sampled more finely where they are drawn out; empty if there are none.
    std::vector<Mat<Dim>> spread;       ///< F Fᵀ since others were last near on all sides; see resampling.h
    std::vector<std::uint8_t> halvings; ///< how often what it was at the start has been halved
    std::vector<std::uint64_t> stem;    ///< id of the phyxel of the start that it is a piece of
    std::vector<double> crowd;          ///< how many times more others than at the start push nobody
    double last_step = 0.0;             ///< [s]
    // Of the last step; they shorten the next explicit one.
    double stiffening = 1.0;        ///< how many times stiffer than at rest the stiffest phyxel is
    double contact_frequency = 0.0; ///< of the phyxel that contacts hold most stiffly [1/s]
    std::uint64_t next_id = 0;      ///< of a phyxel that comes next

    std::size_t size() const { return position.size(); }

    /// Phyxels and their ids come and go with the bodies of a scene. Where they are halved, those who save
    /// the state save the ids as well.
    static constexpr auto arrays()
    {
        return std::tuple{StateArray{"position", &SolidState::position},
                          StateArray{"velocity", &SolidState::velocity},
                          StateArray{"last_step", &SolidState::last_step},
                          StateArray{"stiffening", &SolidState::stiffening},
                          StateArray{"contact_frequency", &SolidState::contact_frequency},
                          StateArray{"id", &SolidState::id, ArrayRole::Given},
                          StateArray{"next_id", &SolidState::next_id, ArrayRole::Given},
                          StateArray{"plastic_shape", &SolidState::plastic_shape, ArrayRole::Used},
                          StateArray{"plastic_strain", &SolidState::plastic_strain, ArrayRole::Used},
                          StateArray{"enthalpy", &SolidState::enthalpy, ArrayRole::Used},
                          StateArray{"start_temperature", &SolidState::start_temperature, ArrayRole::Used},
                          StateArray{"rest_position", &SolidState::rest_position, ArrayRole::Used},
                          StateArray{"rest_scale", &SolidState::rest_scale, ArrayRole::Used},
                          StateArray{"is_molten", &SolidState::is_molten, ArrayRole::Used},
                          StateArray{"spread", &SolidState::spread, ArrayRole::Used},
                          StateArray{"halvings", &SolidState::halvings, ArrayRole::Used},
                          StateArray{"stem", &SolidState::stem, ArrayRole::Used},
                          StateArray{"crowd", &SolidState::crowd, ArrayRole::Used}};
    }

    /// From now on what flows is remembered; of those for whom nothing was, nothing has flown.
    void remember_flow()
    {
        plastic_shape.resize(size(), Mat<Dim>::Identity());
        plastic_strain.resize(size(), 0.0);
    }
    bool remembers_flow() const { return !plastic_shape.empty(); }
    bool has_heat() const { return !enthalpy.empty(); }

    /// From now on the shape at rest is part of the state; it was `rest` so far.
    void remember_rest(std::span<const Vec<Dim>> rest)
    {
        remember_flow();
        for (std::size_t i = rest_position.size(); i < size(); ++i) rest_position.push_back(rest[i]);
        rest_scale.resize(size(), 1.0);
        is_molten.resize(size(), 0);
    }
    bool remembers_rest() const { return !rest_position.empty(); }

    /// From now on it is known how far phyxels are drawn out, and of which ones they are pieces.
    void remember_spread()
    {
        spread.resize(size(), Mat<Dim>::Identity());
        halvings.resize(size(), 0);
        crowd.resize(size(), 1.0);
        for (std::size_t i = stem.size(); i < size(); ++i) stem.push_back(id[i]);
    }
    bool remembers_spread() const { return !spread.empty(); }

    /// More phyxels, with ids that follow those that were given before.
    void append(std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities)
    {
        position.insert(position.end(), positions.begin(), positions.end());
        velocity.insert(velocity.end(), velocities.begin(), velocities.end());
        while (id.size() < position.size()) id.push_back(next_id++);
        if (remembers_flow()) remember_flow();
        if (remembers_rest()) {
            rest_position.insert(rest_position.end(), positions.begin(), positions.end());
            rest_scale.resize(size(), 1.0);
            is_molten.resize(size(), 0);
        }
        if (remembers_spread()) remember_spread();
    }

    /// Without the phyxels from `first` to before `last`.
    void remove(std::size_t first, std::size_t last)
    {
        for_each_array(*this, [&](const auto&, auto& values) {
            if constexpr (is_per_item<decltype(values)>) {
                if (values.empty()) return;
                values.erase(values.begin() + static_cast<std::ptrdiff_t>(first),
                             values.begin() + static_cast<std::ptrdiff_t>(last));
            }
        });
    }
};

} // namespace phyxel
