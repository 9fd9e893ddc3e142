// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/solid_body_implementation.h>

#include <phyxel/core/error.h>
#include <phyxel/io/state_sections.h>
#include <phyxel/solid/resampling.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

namespace phyxel {
namespace {

/// Neighbours from a checkpoint, which may be damaged.
NeighborLists checked_lists(const std::vector<std::uint64_t>& offsets, const std::vector<Index>& ids,
                            std::size_t count)
{
    bool is_right = offsets.size() == count + 1 && offsets.front() == 0 && offsets.back() == ids.size() &&
                    std::is_sorted(offsets.begin(), offsets.end());
    for (std::size_t i = 0; is_right && i < count; ++i)
        for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k)
            is_right = is_right && ids[k] < count && ids[k] != i && (k == offsets[i] || ids[k - 1] < ids[k]);
    if (is_right) {
        const NeighborLists lists(offsets, ids);
        const auto knows = [&](Index j, std::size_t i) {
            return std::binary_search(lists.of(j).begin(), lists.of(j).end(), static_cast<Index>(i));
        };
        for (std::size_t i = 0; is_right && i < count; ++i)
            for (const Index j : lists.of(i)) is_right = is_right && knows(j, i);
    }
    if (!is_right) throw InputError("the checkpoint is damaged: neighbours of its solids make no sense");
    return NeighborLists(offsets, ids);
}

/// The phyxels that a checkpoint has.
struct SavedPhyxels {
    std::vector<Index> came_from;                     ///< numbers of the whole ones that they are pieces of
    std::vector<std::vector<std::uint64_t>> of_parts; ///< ids
};

/// Reads which phyxels there were, and all else of the state. Where some were halved, each part has first the
/// whole ones in their order, or what is left of them, then the others, whose masses make them whole again.
template <int Dim>
SavedPhyxels read_state(const CheckpointReader& checkpoint, const SolidModel<Dim>& model,
                        SolidState<Dim>& state)
{
    const std::size_t part_count = model.first_of_part.size() - 1;
    SavedPhyxels saved{.came_from = {}, .of_parts = std::vector<std::vector<std::uint64_t>>(part_count)};
    std::vector<Index> whole; // as they are numbered now
    for (std::size_t part = 0; part < part_count; ++part)
        for (Index k = 0; k < model.whole_count(part); ++k) {
            whole.push_back(model.first_of_part[part] + k);
            saved.of_parts[part].push_back(state.id[whole.back()]);
        }
    std::vector<std::uint32_t> part_of;
    for (const Index i : whole) part_of.push_back(model.part[i]);
    // All whole ones of a part and of those before it.
    std::vector<std::size_t> whole_until(part_count, 0);
    for (std::size_t k = 0; k < part_count; ++k)
        whole_until[k] = (k > 0 ? whole_until[k - 1] : 0) + saved.of_parts[k].size();
    permute_items(state, whole);
    if (!checkpoint.contains("solid/stem")) {
        load_state(checkpoint, "solid/", state, whole.size());
        saved.came_from.resize(whole.size());
        std::iota(saved.came_from.begin(), saved.came_from.end(), Index(0));
        return saved;
    }
    const std::vector<std::uint64_t> whole_ids = std::move(state.id);
    const IdIndex numbers(whole_ids);
    state.id = checkpoint.section<std::uint64_t>("solid/id");
    load_state(checkpoint, "solid/", state, state.id.size());
    state.next_id = checkpoint.value<std::uint64_t>("solid/next_id");

    const std::size_t count = state.id.size();
    bool is_right =
        state.stem.size() == count && state.halvings.size() == count && state.spread.size() == count &&
        state.crowd.size() == count && state.remembers_rest() &&
        std::all_of(state.crowd.begin(), state.crowd.end(), [](double allowed) { return allowed >= 1.0; });
    std::size_t next_whole = 0;
    std::uint32_t part = 0;
    std::vector<double> mass(whole.size(), 0.0); // in wholes
    for (std::size_t i = 0; is_right && i < count; ++i) {
        const std::optional<Index> stem = numbers.find(state.stem[i]);
        is_right = stem && state.halvings[i] <= most_halvings && state.id[i] < state.next_id &&
                   part_of[*stem] >= part;
        if (!is_right) break;
        if (state.id[i] == state.stem[i]) {
            is_right = *stem == next_whole++;
        } else {
            saved.of_parts[part_of[*stem]].push_back(state.id[i]);
            // All whole ones of the part are there before, and of the next none.
            is_right = !numbers.find(state.id[i]) && whole_until[part_of[*stem]] == next_whole;
        }
        part = part_of[*stem];
        mass[*stem] += std::ldexp(1.0, -static_cast<int>(state.halvings[i]));
        saved.came_from.push_back(*stem);
    }
    std::vector<std::uint64_t> sorted = state.id;
    std::sort(sorted.begin(), sorted.end());
    is_right = is_right && next_whole == whole.size() &&
               std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() &&
               std::all_of(mass.begin(), mass.end(), [](double sum) { return sum == 1.0; });
    if (!is_right) throw InputError("the checkpoint is damaged: pieces of phyxels make no sense");
    return saved;
}

} // namespace

template <int Dim>
void SolidBody<Dim>::Implementation::save(CheckpointWriter& checkpoint) const
{
    save_state(checkpoint, "solid/", state);
    if (state.remembers_spread()) {
        checkpoint.add("solid/id", state.id);
        checkpoint.add_value("solid/next_id", state.next_id);
    }
    if (state.remembers_rest()) {
        const NeighborLists& neighbors = model.rest.neighbors;
        checkpoint.add("solid/neighbor_offsets",
                       std::vector(neighbors.offsets().begin(), neighbors.offsets().end()));
        checkpoint.add("solid/neighbors", std::vector(neighbors.ids().begin(), neighbors.ids().end()));
        std::vector<Vec<Dim>> seen;
        for (const SeenPair<Dim>& pair : model.rest.seen) seen.push_back(pair.offset());
        if (!seen.empty()) checkpoint.add("solid/seen", seen);
    }
    regions.save(checkpoint);
    checkpoint.add_value("solid/next_resampling", skins.next_resampling());
    checkpoint.add_value("solid/parts", std::uint64_t(parts.names.size()));
    cracks.save(checkpoint);
    if (cracks.has_any()) {
        const auto& rates = solver->rates();
        checkpoint.add_value("solid/rates",
                             std::array<double, 3>{rates.frequency, rates.damping, rates.checked});
    }
    skins.save(checkpoint);
}

template <int Dim>
void SolidBody<Dim>::Implementation::load(const CheckpointReader& checkpoint)
{
    if (checkpoint.value<std::uint64_t>("solid/parts") != parts.names.size())
        throw InputError("the checkpoint is that of another scene");
    SolidState<Dim> saved = state;
    const SavedPhyxels phyxels = read_state(checkpoint, model, saved);
    const auto next_resampling = checkpoint.value<double>("solid/next_resampling");
    // Counted up from there in short intervals.
    for (const double number : {saved.last_step, saved.stiffening, saved.contact_frequency, next_resampling})
        if (!(number >= 0.0) || !std::isfinite(number))
            throw InputError("the checkpoint is damaged: a number of its solids makes no sense");
    if (!is_finite(saved)) throw InputError("the checkpoint has a particle that is nowhere");
    if (saved.enthalpy.size() != saved.start_temperature.size())
        throw InputError("the checkpoint is damaged: heat without temperatures");
    const bool flows = saved.remembers_flow(), forgets = saved.remembers_rest();
    if (flows != !saved.plastic_strain.empty() || forgets != !saved.rest_scale.empty() ||
        forgets != !saved.is_molten.empty() || (forgets && !flows) ||
        std::any_of(saved.rest_scale.begin(), saved.rest_scale.end(),
                    [](double scale) { return !(scale >= 0.0); }))
        throw InputError("the checkpoint is damaged: shapes at rest make no sense");
    if (model.has_flow()) saved.remember_flow();
    std::optional<NeighborLists> neighbors;
    if (saved.remembers_rest())
        neighbors = checked_lists(checkpoint.section<std::uint64_t>("solid/neighbor_offsets"),
                                  checkpoint.section<Index>("solid/neighbors"), saved.size());
    else if (!model.rest.scale.empty())
        throw InputError("the checkpoint is that of another scene");
    std::vector<Vec<Dim>> seen;
    if (neighbors && checkpoint.contains("solid/seen")) {
        seen = checkpoint.section<Vec<Dim>>("solid/seen");
        if (seen.size() != neighbors->entry_count() ||
            std::any_of(seen.begin(), seen.end(), [](const Vec<Dim>& X) { return !X.allFinite(); }))
            throw InputError("the checkpoint is damaged: neighbours of its solids make no sense");
    }
    skins.load(checkpoint, next_resampling, phyxels.of_parts);
    state = std::move(saved);
    const bool was_halved = !model.halved.times.empty();
    make_whole(model);
    if (state.remembers_spread()) restore_halves<Dim>(model, phyxels.came_from, state.halvings);
    if (was_halved || !model.halved.times.empty()) {
        parts.ids = IdIndex(state.id);
        regions.find_pieces();
    }
    // Of the shape at rest that there was before.
    boundary.forget();
    heat.forget();
    for (std::uint32_t part = 0; part < parts.names.size(); ++part) {
        const SolidMaterial material = as_warm_as_it_is(part, model.materials[part]);
        if (material != model.materials[part]) model.set_material(part, material, stabilization());
    }
    if (neighbors) {
        restore_rest<Dim>(model, state, std::move(*neighbors), stabilization(), seen);
        make_solver();
    }
    const bool had_cracks = cracks.has_any();
    cracks.load(checkpoint, model, stabilization());
    if (had_cracks && !cracks.has_any()) {
        solver->update_weights();
        solver->update_material();
    }
    if (cracks.has_any()) {
        const auto rates = checkpoint.value<std::array<double, 3>>("solid/rates");
        for (const double rate : rates)
            if (!(rate >= 0.0) || !std::isfinite(rate))
                throw InputError("the checkpoint is damaged: a number of its solids makes no sense");
        solver->update_weights();
        solver->set_rates({rates[0], rates[1], rates[2]});
    }
    if (checkpoint.contains("world/time")) last_time = checkpoint.value<double>("world/time");
    regions.load(checkpoint, last_time);
    piece_count.reset();
    evaluation.forget();
}

template struct SolidBody<2>::Implementation;
template struct SolidBody<3>::Implementation;

} // namespace phyxel
