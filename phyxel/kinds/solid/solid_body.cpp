// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/solid_body.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/kinds/solid/detail/solid_body_implementation.h>

#include <algorithm>
#include <string>
#include <utility>

namespace phyxel {

template <int Dim>
SolidBody<Dim>::SolidBody(const SolidOptions& options, std::vector<SolidPart<Dim>> parts,
                          std::uint64_t first_id, Fault fault, std::vector<SolidBlade<Dim>> blades)
    : implementation_(
          std::make_unique<Implementation>(options, std::move(parts), first_id, fault, std::move(blades)))
{
}

template <int Dim>
SolidBody<Dim>::~SolidBody() = default;

template <int Dim>
void SolidBody<Dim>::expect(std::any part)
{
    expect(std::move(*std::any_cast<const std::shared_ptr<SolidPart<Dim>>&>(part)));
}

template <int Dim>
void SolidBody<Dim>::expect(SolidPart<Dim> part)
{
    PHYXEL_ASSERT(!std::holds_alternative<QuasiStaticOptions>(implementation_->options));
    add_expected(implementation_->expected, std::move(part));
}

/// Solids that begin within each other would burst.
template <int Dim>
std::optional<std::string> SolidBody<Dim>::refusal_of(const std::any& given)
{
    constexpr double nearest = 0.9; // in spacings
    const PhyxelCloud<Dim>& phyxels = std::any_cast<const std::shared_ptr<SolidPart<Dim>>&>(given)->phyxels;
    const double distance = nearest * phyxels.spacing;
    Box<Dim> bounds;
    for (const Vec<Dim>& x : phyxels.positions) bounds.extend(x);
    const Implementation& self = *implementation_;
    for (std::size_t i = 0; i < self.state.size(); ++i) {
        const Vec<Dim>& x = self.state.position[i];
        if (bounds.distance(x) >= distance) continue;
        if (std::any_of(phyxels.positions.begin(), phyxels.positions.end(),
                        [&](const Vec<Dim>& place) { return (place - x).norm() < distance; }))
            return "there is no room for it: " + self.parts.names[self.model.part[i]] + " is in the way";
    }
    return {};
}

template <int Dim>
void SolidBody<Dim>::join(std::string_view part, const Surroundings<Dim>& surroundings)
{
    std::vector<SolidPart<Dim>>& expected = implementation_->expected;
    const auto found = std::find_if(expected.begin(), expected.end(),
                                    [&](const SolidPart<Dim>& other) { return other.name == part; });
    if (found == expected.end()) return;
    SolidPart<Dim> joining = std::move(*found);
    expected.erase(found);
    implementation_->join(std::move(joining), surroundings);
}

template <int Dim>
void SolidBody<Dim>::leave(std::string_view part)
{
    if (const std::optional<std::uint32_t> number = implementation_->parts.number_of(part))
        implementation_->leave(*number);
}

template <int Dim>
void SolidBody<Dim>::set_parameters(const std::any& given)
{
    const auto& parameters = std::any_cast<const SolidParameters<Dim>&>(given);
    set_options(parameters.options);
    for (const auto& [part, material] : parameters.materials) set_material(part, material);
    for (const auto& [part, air] : parameters.airs) {
        for (SolidPart<Dim>& other : implementation_->expected)
            if (other.name == part) other.heat.air = air;
        if (const auto number = implementation_->parts.number_of(part))
            implementation_->heat.set_air(*number, air);
    }
    for (const RegionChange<Dim>& change : parameters.regions) set_region(change);
    set_merges(parameters.merges);
}

template <int Dim>
void SolidBody<Dim>::set_merges(std::span<const std::pair<std::string, std::vector<std::string>>> merges)
{
    implementation_->set_merges(merges);
}

template <int Dim>
void SolidBody<Dim>::set_molten(std::span<const std::uint8_t> is_molten)
{
    if (implementation_->state.remembers_rest()) implementation_->set_molten(is_molten);
}

template <int Dim>
void SolidBody<Dim>::set_region(const RegionChange<Dim>& change)
{
    Implementation& self = *implementation_;
    for (SolidPart<Dim>& part : self.expected)
        for (SolidRegion<Dim>& region : part.regions)
            if (part.name == change.part)
                change_region(region, change, [&](std::uint64_t id) { return part.phyxels.positions[id]; });
    if (self.regions.change(change)) self.make_regions();
}

template <int Dim>
void SolidBody<Dim>::set_options(const SolidOptions& options)
{
    Implementation& self = *implementation_;
    PHYXEL_ASSERT(self.options.index() == options.index());
    if (options == self.options) return; // what follows from it takes a while
    self.options = options;
    for (std::size_t part = 0; part < self.parts.names.size(); ++part)
        self.model.set_material(part, self.model.materials[part], stabilization_of(options));
    self.solver->set_options(options);
    self.evaluation.forget();
}

template <int Dim>
void SolidBody<Dim>::set_material(std::string_view part, const SolidMaterial& material)
{
    Implementation& self = *implementation_;
    for (SolidPart<Dim>& other : self.expected)
        if (other.name == part) other.material = material;
    if (const std::optional<std::uint32_t> number = self.parts.number_of(part))
        self.set_material(*number, material);
}

template <int Dim>
std::vector<std::string> SolidBody<Dim>::parts() const
{
    std::vector<std::string> all = implementation_->parts.names;
    for (const SolidPart<Dim>& part : implementation_->expected) all.push_back(part.name);
    return all;
}

template <int Dim>
ParticleView<Dim> SolidBody<Dim>::particles() const
{
    const Implementation& self = *implementation_;
    return {.positions = self.state.position,
            .velocities = self.state.velocity,
            .ids = self.state.id,
            .parts = self.model.part,
            .reach = self.reach,
            .rest_positions = self.model.origin,
            .support_radii = self.model.rest.support_radius,
            .neighbors = &self.model.rest.neighbors};
}

template <int Dim>
ParticleAmounts SolidBody<Dim>::amounts(const Surroundings<Dim>&)
{
    return implementation_->evaluation.amounts();
}

template <int Dim>
std::vector<double> SolidBody<Dim>::field(std::string_view field, const Surroundings<Dim>&)
{
    return implementation_->evaluation.field(field, implementation_->cracks);
}

template <int Dim>
double SolidBody<Dim>::stable_time_step() const
{
    return implementation_->solver->stable_time_step(implementation_->state);
}

/// An explicit step must be shorter than a wave takes from one phyxel to the next.
template <int Dim>
std::string SolidBody<Dim>::limiting_part() const
{
    const SolidModel<Dim>& model = implementation_->model;
    std::vector<double> rates;
    for (std::size_t k = 0; k < model.materials.size(); ++k)
        rates.push_back(pressure_wave_speed(model.materials[k]) / model.spacing_of_part[k]);
    return parts()[part_of_largest_rate<Dim>(particles(), rates)];
}

template <int Dim>
BodyStepReport SolidBody<Dim>::step(double dt, const Surroundings<Dim>& surroundings)
{
    return implementation_->step(dt, surroundings);
}

template <int Dim>
std::optional<SurfaceMesh> SolidBody<Dim>::surface(std::size_t part, std::span<const BodyField> fields,
                                                   const Surroundings<Dim>& surroundings)
{
    Implementation& self = *implementation_;
    if (!self.skins.has(part)) return {};
    self.find_unfelt(surroundings);
    return self.skins.surface(part, fields, surroundings, self.unfelt);
}

template <int Dim>
void SolidBody<Dim>::set_hands(std::span<const Hand<Dim>> hands)
{
    implementation_->regions.set_hands(hands);
    implementation_->make_regions();
}

template <int Dim>
void SolidBody<Dim>::track_loads(bool on)
{
    implementation_->tracks_loads = on;
    implementation_->solver->track_loads(on);
}

template <int Dim>
std::span<const ObstacleLoad<Dim>> SolidBody<Dim>::loads() const
{
    return implementation_->solver->loads();
}

template <int Dim>
std::span<const ObstacleLoad<Dim>> SolidBody<Dim>::form_loads() const
{
    return implementation_->solver->form_loads();
}

template <int Dim>
void SolidBody<Dim>::show_boundary(double spacing, Boundary<Dim>& boundary,
                                   const Surroundings<Dim>& surroundings)
{
    Implementation& self = *implementation_;
    self.find_unfelt(surroundings);
    self.boundary.show(spacing, *self.solver, boundary, surroundings);
}

template <int Dim>
void SolidBody<Dim>::take_impulses(std::span<const Vec<Dim>> impulses, double dt)
{
    implementation_->solver->set_pushes(implementation_->boundary.pushes(impulses, dt));
}

template <int Dim>
bool SolidBody<Dim>::asks_for_heat() const
{
    const auto asks = [](std::span<const SolidRegion<Dim>> regions) {
        return std::any_of(regions.begin(), regions.end(),
                           [](const SolidRegion<Dim>& region) { return region.heat.has_any(); });
    };
    const Implementation& self = *implementation_;
    return self.heat.is_asked_for() || asks(self.regions.own()) ||
           std::any_of(self.expected.begin(), self.expected.end(), [&](const SolidPart<Dim>& part) {
               return phyxel::asks_for_heat(part.heat) || asks(part.regions);
           });
}

template <int Dim>
void SolidBody<Dim>::begin_heat()
{
    implementation_->heat.give(0);
    implementation_->warm();
}

template <int Dim>
std::optional<HeatView<Dim>> SolidBody<Dim>::heat()
{
    Implementation& self = *implementation_;
    if (!self.state.has_heat()) return {};
    self.evaluation.forget();
    return self.heat.view(self.regions.own());
}

template <int Dim>
void SolidBody<Dim>::save(CheckpointWriter& checkpoint) const
{
    implementation_->save(checkpoint);
}

template <int Dim>
void SolidBody<Dim>::load(const CheckpointReader& checkpoint)
{
    implementation_->load(checkpoint);
}

template class SolidBody<2>;
template class SolidBody<3>;

} // namespace phyxel
