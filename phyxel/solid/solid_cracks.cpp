// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_cracks.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

namespace phyxel {

template <int Dim>
bool SolidCracks<Dim>::has_any() const
{
    return std::any_of(parts_.begin(), parts_.end(),
                       [](const auto& part) { return part && !part->sheets.is_empty(); });
}

template <int Dim>
auto SolidCracks<Dim>::make(const SolidModel<Dim>& model, std::size_t part, CrackSheets<Dim> sheets) const
    -> std::unique_ptr<Part>
{
    const Index first = model.first_of_part[part];
    const std::size_t count = model.first_of_part[part + 1] - first;
    const std::span<const Vec<Dim>> places = std::span(model.rest.position).subspan(first, count);
    const double spacing = sheets.spacing();
    auto made = std::make_unique<Part>(Part{std::move(sheets), HashGrid<Dim>(spacing, places)});
    for (std::size_t i = 0; i < count; ++i)
        made->reach = std::max(made->reach, model.rest.support_radius[first + i]);
    return made;
}

template <int Dim>
CrackSheets<Dim>& SolidCracks<Dim>::of(const SolidModel<Dim>& model, std::size_t part)
{
    if (find(part) == nullptr) set(model, part, CrackSheets<Dim>(model.spacing_of_part[part]));
    return parts_[part]->sheets;
}

template <int Dim>
void SolidCracks<Dim>::set(const SolidModel<Dim>& model, std::size_t part, CrackSheets<Dim> sheets)
{
    if (parts_.size() <= part) parts_.resize(part + 1);
    parts_[part] = make(model, part, std::move(sheets));
}

template <int Dim>
void SolidCracks<Dim>::remove(std::size_t part)
{
    if (part < parts_.size()) parts_[part].reset();
}

template <int Dim>
std::vector<Index> SolidCracks<Dim>::phyxels_near(const SolidModel<Dim>& model, std::size_t part,
                                                  const Vec<Dim>& place, double radius) const
{
    std::vector<Index> near;
    parts_[part]->places.radius(place, radius, near);
    for (Index& i : near) i += model.first_of_part[part];
    return near;
}

template <int Dim>
std::vector<Index> SolidCracks<Dim>::update(SolidModel<Dim>& model, double stabilization_share)
{
    std::vector<Index> changed;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (!parts_[part]) continue;
        CrackSheets<Dim>& sheets = parts_[part]->sheets;
        const std::vector<Vec<Dim>> touched = sheets.take_touched();
        if (touched.empty()) continue;
        // Of a place among many others it is enough to know that it is near one of them.
        const double radius = sheets.influence(parts_[part]->reach);
        std::vector<std::uint8_t> is_near(model.first_of_part[part + 1] - model.first_of_part[part], 0);
        std::vector<Index> near;
        for (const Vec<Dim>& place : touched) {
            parts_[part]->places.radius(place, radius, near);
            for (const Index i : near) is_near[i] = 1;
        }
        std::vector<Index> which;
        for (std::size_t i = 0; i < is_near.size(); ++i)
            if (is_near[i] != 0) which.push_back(model.first_of_part[part] + static_cast<Index>(i));
        const std::vector<Index> found = weigh(model, part, which);
        changed.insert(changed.end(), found.begin(), found.end());
    }
    refit(model, changed, stabilization_share);
    return changed;
}

template <int Dim>
std::vector<Index> SolidCracks<Dim>::update_all(SolidModel<Dim>& model, std::size_t part,
                                                double stabilization_share)
{
    if (find(part) == nullptr) return {};
    static_cast<void>(parts_[part]->sheets.take_touched());
    std::vector<Index> all(model.first_of_part[part + 1] - model.first_of_part[part]);
    std::iota(all.begin(), all.end(), model.first_of_part[part]);
    const std::vector<Index> changed = weigh(model, part, all);
    refit(model, changed, stabilization_share);
    return changed;
}

/// Returns those of the phyxels with a pair that has changed.
template <int Dim>
std::vector<Index> SolidCracks<Dim>::weigh(SolidModel<Dim>& model, std::size_t part,
                                           std::span<const Index> which) const
{
    RestShape<Dim>& rest = model.rest;
    if (rest.lengthening.empty()) rest.lengthening.resize(rest.neighbors.entry_count(), 0.0);
    const CrackSheets<Dim>& sheets = parts_[part]->sheets;
    std::vector<std::uint8_t> is_changed(which.size(), 0);
    parallel_for(
        which.size(),
        [&](Index k) {
            const Index i = which[k];
            const std::vector<Index> near = sheets.faces_in_reach(rest.position[i], parts_[part]->reach);
            std::size_t entry = rest.neighbors.offsets()[i];
            for (const Index j : rest.neighbors.of(i)) {
                double& longer = rest.lengthening[entry++];
                const double now = sheets.lengthening(rest.position[i], rest.position[j], near);
                if (now != longer) is_changed[k] = 1;
                longer = now;
            }
        },
        16);
    std::vector<Index> changed;
    for (std::size_t k = 0; k < which.size(); ++k)
        if (is_changed[k] != 0) changed.push_back(which[k]);
    return changed;
}

template <int Dim>
void SolidCracks<Dim>::refit(SolidModel<Dim>& model, std::span<const Index> changed,
                             double stabilization_share)
{
    if (changed.empty()) return;
    static_cast<void>(model.refit_pairs(changed, stabilization_share));
    for (const Index i : changed) model.is_surface[i] = 1;
}

template <int Dim>
Fragments fragments_of(const RestShape<Dim>& rest, Index first, Index last)
{
    std::vector<std::uint8_t> is_joined(rest.pairs.size());
    for (std::size_t entry = 0; entry < rest.pairs.size(); ++entry)
        is_joined[entry] = rest.pairs[entry].w > 0.0;
    return find_fragments(rest.neighbors, is_joined, first, last);
}

template class SolidCracks<2>;
template class SolidCracks<3>;
template Fragments fragments_of(const RestShape<2>&, Index, Index);
template Fragments fragments_of(const RestShape<3>&, Index, Index);

} // namespace phyxel
