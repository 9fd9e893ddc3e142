// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_heat.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <utility>

namespace phyxel {

template <int Dim>
void BodyHeat<Dim>::add(PartHeat heat)
{
    of_parts_.push_back(std::move(heat));
    conduction_.reset();
    if (parts_.state.has_heat()) give(parts_.model.first_of_part[of_parts_.size() - 1]);
}

template <int Dim>
void BodyHeat<Dim>::give(Index first)
{
    parts_.state.enthalpy.resize(parts_.state.size());
    parts_.state.start_temperature.resize(parts_.state.size());
    parallel_for(parts_.state.size() - first, [&](Index k) {
        const Index i = first + k;
        const Vec<Dim>& X = parts_.model.rest.position[i];
        const std::optional<Formula>& formula = of_parts_[parts_.model.part[i]].temperature;
        const double T =
            formula ? formula->evaluate(X[0], X[1], Dim == 3 ? X[Dim - 1] : 0.0, 0.0) : usual_temperature;
        parts_.state.start_temperature[i] = T;
        parts_.state.enthalpy[i] = enthalpy_of(parts_.model.materials[parts_.model.part[i]].thermal, T);
    });
}

template <int Dim>
bool BodyHeat<Dim>::is_asked_for() const
{
    return std::any_of(of_parts_.begin(), of_parts_.end(), asks_for_heat);
}

template <int Dim>
std::optional<HeatView<Dim>> BodyHeat<Dim>::view(std::span<const SolidRegion<Dim>> regions)
{
    if (!parts_.state.has_heat()) return {};
    if (!conduction_) conduction_.emplace(parts_.model, parts_.shapes);
    HeatView<Dim> view{.enthalpy = parts_.state.enthalpy,
                       .mass = parts_.model.mass,
                       .part = parts_.model.part,
                       .position = parts_.state.position,
                       .neighbors = &parts_.model.rest.neighbors,
                       .factors = conduction_->factors(),
                       .surface = &conduction_->place(parts_.state)};
    for (std::size_t part = 0; part < parts_.names.size(); ++part)
        view.parts.push_back({.name = parts_.names[part],
                              .material = parts_.model.materials[part].thermal,
                              .air = of_parts_[part].air,
                              .spacing = parts_.model.spacing_of_part[part],
                              .width = SolidHeat<Dim>::width_of(parts_.model, part)});
    for (const SolidRegion<Dim>& region : regions) {
        if (!region.heat.has_any()) continue;
        HeatRegion& shown = view.regions.emplace_back(HeatRegion{.heat = region.heat});
        for (const std::uint64_t id : region.phyxels)
            if (const std::optional<Index> i = parts_.ids.find(id)) shown.nodes.push_back(*i);
        std::sort(shown.nodes.begin(), shown.nodes.end());
    }
    return view;
}

template class BodyHeat<2>;
template class BodyHeat<3>;

} // namespace phyxel
