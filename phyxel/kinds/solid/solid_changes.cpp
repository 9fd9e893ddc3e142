// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/solid_body_implementation.h>

#include <phyxel/core/assert.h>
#include <phyxel/solid/resampling.h>
#include <phyxel/solid/solid_phases.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <variant>

namespace phyxel {
namespace {

/// Places see the material within this many spacings.
constexpr double sampling_reach = 2.0;

template <int Dim>
SolidModel<Dim> model_of(const std::vector<SolidPart<Dim>>& parts, double stabilization)
{
    std::vector<const PhyxelCloud<Dim>*> clouds;
    std::vector<SolidMaterial> materials;
    for (const SolidPart<Dim>& part : parts) {
        clouds.push_back(&part.phyxels);
        materials.push_back(part.material);
    }
    return make_solid_model<Dim>(clouds, materials, stabilization);
}

} // namespace

template <int Dim>
SolidBody<Dim>::Implementation::Implementation(const SolidOptions& given_options,
                                               std::vector<SolidPart<Dim>> given, std::uint64_t first,
                                               Fault fault, std::vector<SolidBlade<Dim>> blades)
    : options(given_options),
      parts{.model = model_of(given, stabilization_of(given_options))}
{
    if (fault != Fault::None) model.set_fault(fault);
    state.next_id = first;
    cracks.set_blades(std::move(blades));
    for (SolidPart<Dim>& part : given) add(std::move(part), 0.0);
    static_cast<void>(cracks.update(model, stabilization()));
    find_merges();
    make_regions();
    solver.emplace(model, regions.all(), options);
}

template <int Dim>
void SolidBody<Dim>::Implementation::add(SolidPart<Dim> part, double time)
{
    PHYXEL_ASSERT(part.velocities.size() == part.phyxels.size());
    // A body that flows forgets its neighbours and with them the cracks between them. So do bodies with which
    // it becomes one.
    const bool is_cut = !part.material.may_flow() && part.merges_with.empty();
    cracks.add(model, part.name, part.cracks, part.shape, time, is_cut, part.seed);
    const std::size_t first = state.size();
    model.most_halvings[parts.names.size()] = part.levels;
    regions.add(std::move(part.regions));
    state.append(part.phyxels.positions, part.velocities);
    if (state.size() == model.size()) remember();
    merges.push_back(std::move(part.merges_with));
    heat.add(std::move(part.heat));
    parts.ids = IdIndex(state.id);
    skins.add(part, first);
    boundary.add(part.name, part.surface);
    parts.names.push_back(std::move(part.name));
    parts.shapes.push_back(std::move(part.shape));
    reach.push_back(sampling_reach * model.spacing_of_part[reach.size()]);
    evaluation.forget();
}

template <int Dim>
void SolidBody<Dim>::Implementation::join(SolidPart<Dim> part, const Surroundings<Dim>& surroundings)
{
    // The velocities of those that are there are half a step behind.
    for (std::size_t i = 0; i < part.velocities.size(); ++i)
        part.velocities[i] -= 0.5 * state.last_step * surroundings.acceleration_at(part.phyxels.positions[i]);
    add_solid(model, part.phyxels, part.material, stabilization());
    add(std::move(part), surroundings.time);
    static_cast<void>(cracks.update(model, stabilization()));
    find_merges();
    make_solver();
    warm();
}

template <int Dim>
void SolidBody<Dim>::Implementation::leave(std::uint32_t part)
{
    part_from_others<Dim>(model, state, part, stabilization());
    state.remove(model.first_of_part[part], model.first_of_part[part + 1]);
    remove_solid(model, part);
    cracks.remove(part);
    parts.ids = IdIndex(state.id);
    regions.remove(parts.names[part]);
    skins.remove(part);
    boundary.forget();
    heat.forget();
    evaluation.forget();
    make_solver();
}

/// What yields, flows or melts is remembered from now on.
template <int Dim>
void SolidBody<Dim>::Implementation::remember()
{
    if (state.size() < model.size()) return; // other parts are still to come
    if (model.has_flow()) state.remember_flow();
    if (!model.may_flow() && !state.remembers_rest()) return;
    state.remember_rest(model.rest.position);
    model.rest.scale = state.rest_scale;
    if (model.is_molten.size() != model.size()) model.set_molten(state.is_molten, stabilization());
}

/// Two fuse only if each of them names the other.
template <int Dim>
void SolidBody<Dim>::Implementation::find_merges()
{
    const auto names_other = [&](std::size_t a, std::size_t b) {
        return std::find(merges[a].begin(), merges[a].end(), parts.names[b]) != merges[a].end();
    };
    for (std::uint32_t a = 0; a < parts.names.size(); ++a) {
        std::vector<std::uint32_t> partners;
        for (std::uint32_t b = 0; b < parts.names.size(); ++b)
            if (a != b && names_other(a, b) && names_other(b, a) && !cracks.may_crack(a) &&
                !cracks.may_crack(b) && !cracks.may_break(a) && !cracks.may_break(b))
                partners.push_back(b);
        if (!std::includes(partners.begin(), partners.end(), model.merges_with[a].begin(),
                           model.merges_with[a].end()))
            part_from_others<Dim>(model, state, a, stabilization());
        model.merges_with[a] = std::move(partners);
    }
    cracks.forget_fragments();
    piece_count.reset();
}

template <int Dim>
void SolidBody<Dim>::Implementation::set_merges(
    std::span<const std::pair<std::string, std::vector<std::string>>> given)
{
    const std::vector<std::vector<std::string>> before = merges;
    for (const auto& [part, partners] : given) {
        for (SolidPart<Dim>& other : expected)
            if (other.name == part) other.merges_with = partners;
        if (const auto number = parts.number_of(part)) merges[*number] = partners;
    }
    if (merges == before) return;
    find_merges();
    solver->update_material();
    solver->update_rest();
    evaluation.forget();
}

/// Gives these parts other shapes at rest. Says of how many phyxels.
template <int Dim>
std::size_t SolidBody<Dim>::Implementation::forget(std::span<const std::uint8_t> forgetful,
                                                   Forgotten forgotten)
{
    if (std::none_of(forgetful.begin(), forgetful.end(), [](std::uint8_t is) { return is != 0; })) return 0;
    std::vector<double> crowds;
    if (std::any_of(model.most_halvings.begin(), model.most_halvings.end(),
                    [](int most) { return most > 0; })) {
        state.remember_spread();
        crowds = solver->crowds(state.position);
        if (!crowds.empty()) forbid_crowds(crowds, state.crowd);
    }
    const ReshapeReport report =
        forget_rest<Dim>(model, state, forgetful, stabilization(), forgotten, regions.all().prescribed());
    cracks.forget_fragments();
    piece_count.reset();
    if (report.came_from.empty()) {
        solver->update_rest();
    } else {
        follow_halves(report.came_from);
        allow_crowds(report.came_from, crowds, solver->crowds(state.position), state.crowd);
    }
    solver->set_allowed_crowds(state.crowd);
    boundary.forget();
    heat.forget();
    evaluation.forget();
    return report.fitted;
}

/// After phyxels were halved: what had one has the other half, too.
template <int Dim>
void SolidBody<Dim>::Implementation::follow_halves(std::span<const Index> came_from)
{
    parts.ids = IdIndex(state.id);
    std::vector<PhyxelHalves<Dim>> halves;
    // The first with a number is the one that it was, any other is new.
    std::vector<Index> first(came_from.size(), 0);
    std::vector<std::uint8_t> is_known(came_from.size(), 0);
    for (Index i = 0; i < came_from.size(); ++i) {
        const Index before = came_from[i];
        if (is_known[before] != 0)
            halves.push_back({state.id[first[before]], state.id[i],
                              Vec<Dim>(0.5 * (state.position[i] - state.position[first[before]]))});
        else
            first[before] = i;
        is_known[before] = 1;
    }
    regions.follow(halves);
    skins.follow(halves);
    make_regions();
    solver->update_phyxels();
}

/// What sets remembers the shape that it has then.
template <int Dim>
void SolidBody<Dim>::Implementation::forget_rest_of(std::uint32_t part, Forgotten forgotten)
{
    std::vector<std::uint8_t> forgetful(parts.names.size(), 0);
    forgetful[part] = 1;
    (void)forget(forgetful, forgotten);
}

template <int Dim>
void SolidBody<Dim>::Implementation::set_molten(std::span<const std::uint8_t> flags)
{
    if (!phyxel::set_molten<Dim>(model, state, flags, stabilization())) return;
    solver->update_rest();
    evaluation.forget();
}

/// The material of a part that is given this one: where heat flows it may melt. Bodies of the equilibrium
/// solver cannot flow, and a body that flows would forget its cracks.
template <int Dim>
SolidMaterial SolidBody<Dim>::Implementation::as_warm_as_it_is(std::uint32_t part,
                                                               const SolidMaterial& given) const
{
    const bool may_melt =
        state.has_heat() && !std::holds_alternative<QuasiStaticOptions>(options) && !cracks.may_crack(part);
    return may_melt ? warmed(given) : given;
}

template <int Dim>
void SolidBody<Dim>::Implementation::set_material(std::uint32_t part, const SolidMaterial& given)
{
    const SolidMaterial material = as_warm_as_it_is(part, given);
    if (material == model.materials[part]) return; // what follows from it takes a while
    // What is strained keeps its stress.
    if (!state.remembers_rest() && (material.may_flow() || (changes_stress(model.materials[part], material) &&
                                                            evaluation.is_strained(part)))) {
        state.remember_rest(model.rest.position);
        remember();
    }
    if (model.materials[part].flows && !material.flows) forget_rest_of(part);
    const ThermalMaterial before = model.materials[part].thermal;
    switch_material<Dim>(model, state, part, material, stabilization());
    if (state.has_heat() && material.thermal != before)
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            state.enthalpy[i] = enthalpy_in(material.thermal, before, state.enthalpy[i]);
    remember();
    if (material.may_flow() && (cracks.may_crack(part) || cracks.may_break(part))) {
        // The shape at rest in which the cracks lie is about to be forgotten. The two sides of a crack stay
        // apart where they have come apart.
        const bool has_cracks = cracks.find(part) != nullptr;
        cracks.remove(part);
        skins.cut_no_more(part);
        if (has_cracks) forget_rest_of(part, Forgotten::Everything);
        find_merges();
    }
    solver->update_material();
    piece_count.reset();
    evaluation.forget();
}

/// Since heat flows, parts may melt that could not before.
template <int Dim>
void SolidBody<Dim>::Implementation::warm()
{
    for (std::uint32_t part = 0; part < parts.names.size(); ++part)
        set_material(part, SolidMaterial(model.materials[part]));
}

/// After phyxels have come or gone.
template <int Dim>
void SolidBody<Dim>::Implementation::make_solver()
{
    piece_count.reset();
    make_regions();
    solver.emplace(model, regions.all(), options); // all it remembers is in the state
    solver->track_loads(tracks_loads);
    solver->set_allowed_crowds(state.crowd);
}

template struct SolidBody<2>::Implementation;
template struct SolidBody<3>::Implementation;

} // namespace phyxel
