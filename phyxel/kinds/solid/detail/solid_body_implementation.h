// SPDX-License-Identifier: MIT
// What is behind SolidBody: the parts that know one thing each, and what has to happen to all of them when
// solids come, change, flow, crack or go.
#pragma once

#include <phyxel/kinds/solid/detail/body_boundary.h>
#include <phyxel/kinds/solid/detail/body_cracks.h>
#include <phyxel/kinds/solid/detail/body_evaluation.h>
#include <phyxel/kinds/solid/detail/body_heat.h>
#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/kinds/solid/detail/body_regions.h>
#include <phyxel/kinds/solid/detail/body_skins.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/reshaping.h>
#include <phyxel/solid/solid_solver.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

template <int Dim>
struct SolidBody<Dim>::Implementation {
    // solid_changes.cpp
    Implementation(const SolidOptions& options, std::vector<SolidPart<Dim>> given, std::uint64_t first,
                   Fault fault, std::vector<SolidBlade<Dim>> blades);
    /// The state, the regions and the skin of a part that the model has already.
    void add(SolidPart<Dim> part, double time);
    void join(SolidPart<Dim> part, const Surroundings<Dim>& surroundings);
    void leave(std::uint32_t part);
    void set_merges(std::span<const std::pair<std::string, std::vector<std::string>>> given);
    void find_merges();
    void set_material(std::uint32_t part, const SolidMaterial& given);
    SolidMaterial as_warm_as_it_is(std::uint32_t part, const SolidMaterial& given) const;
    void warm();
    void remember();
    std::size_t forget(std::span<const std::uint8_t> parts, Forgotten forgotten = Forgotten::WhatMoved);
    void follow_halves(std::span<const Index> came_from);
    void forget_rest_of(std::uint32_t part, Forgotten forgotten = Forgotten::WhatMoved);
    void set_molten(std::span<const std::uint8_t> flags);
    void make_regions() { regions.make(last_time); }
    void make_solver();

    // solid_steps.cpp
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings);
    void find_unfelt(const Surroundings<Dim>& surroundings);
    void weigh_cracks();
    void grow_cracks(double dt);
    void grow_in_equilibrium(double dt, const Surroundings<Dim>& surroundings, SolidStepReport& report);
    void bring_back(const PeriodicBox<Dim>& periodic);
    void melt_and_set();
    std::size_t count_pieces();

    // solid_checkpoint.cpp
    void save(CheckpointWriter& checkpoint) const;
    void load(const CheckpointReader& checkpoint);

    double stabilization() const { return stabilization_of(options); }

    SolidOptions options;
    std::vector<SolidPart<Dim>> expected; ///< in the order in which they join

    BodyParts<Dim> parts;
    SolidModel<Dim>& model = parts.model;
    SolidState<Dim>& state = parts.state;
    std::vector<std::vector<std::string>> merges; ///< of the parts: those that they would fuse with
    std::vector<double> reach;                    ///< of the parts [m]

    std::optional<SolidSolver<Dim>> solver;
    bool tracks_loads = false;
    std::vector<Unfelt> unfelt; ///< by the parts; empty if they feel everything

    BodyCracks<Dim> cracks;
    BodyRegions<Dim> regions{parts};
    BodyHeat<Dim> heat{parts};
    BodyBoundary<Dim> boundary{parts, cracks};
    BodyEvaluation<Dim> evaluation{parts, solver};
    BodySkins<Dim> skins{parts, regions.all(), cracks, evaluation};

    double last_time = 0.0;                 ///< at the end of the last step [s]
    std::optional<std::size_t> piece_count; ///< until neighbours are others
    std::vector<std::uint8_t> is_liquid;    ///< of the phyxels; for one step
};

} // namespace phyxel
