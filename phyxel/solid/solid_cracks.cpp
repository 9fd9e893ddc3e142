// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_cracks.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace phyxel {
namespace {

/// Whether both hold together with a third one.
template <int Dim>
bool have_common_neighbor(const RestShape<Dim>& rest, Index i, Index j)
{
    const std::span<const Index> of_i = rest.neighbors.of(i), of_j = rest.neighbors.of(j);
    std::size_t entry_i = rest.neighbors.offsets()[i], entry_j = rest.neighbors.offsets()[j];
    for (std::size_t a = 0, b = 0; a < of_i.size() && b < of_j.size();) {
        if (of_i[a] == of_j[b] && rest.pairs[entry_i + a].w > 0.0 && rest.pairs[entry_j + b].w > 0.0)
            return true;
        if (of_i[a] <= of_j[b])
            ++a;
        else
            ++b;
    }
    return false;
}

} // namespace

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
    constexpr double wide = 3.0; // spacings: as it suits those who ask for all around a front
    const Index first = model.first_of_part[part], last = model.first_of_part[part + 1];
    const double spacing = sheets.spacing();
    return std::make_unique<Part>(
        Part{std::move(sheets), CrossedPairs<Dim>(model.rest, first, last, spacing),
             HashGrid<Dim>(wide * spacing, std::span(model.rest.position).subspan(first, last - first))});
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
    parts_[part]->wide_places.radius(place, radius, near);
    for (Index& i : near) i += model.first_of_part[part];
    return near;
}

template <int Dim>
std::vector<Index> SolidCracks<Dim>::update(SolidModel<Dim>& model, double stabilization_share)
{
    using Changed = typename CrossedPairs<Dim>::Changed;
    std::vector<std::vector<Changed>> pairs(parts_.size());
    std::vector<Index> changed;
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (!parts_[part]) continue;
        CrackSheets<Dim>& sheets = parts_[part]->sheets;
        pairs[part] = parts_[part]->crossed.update(sheets, sheets.take_changes(), model.first_of_part[part],
                                                   model.rest);
        for (const Changed& pair : pairs[part]) changed.insert(changed.end(), {pair.i, pair.j});
    }
    std::sort(changed.begin(), changed.end());
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    refit(model, changed, stabilization_share);
    for (std::size_t part = 0; part < parts_.size(); ++part) {
        if (!parts_[part]) continue;
        // As long as two that have been parted hang together over a third one, all do that did.
        std::vector<std::uint8_t> may_part(pairs[part].size(), 0);
        parallel_for(
            may_part.size(),
            [&](Index k) {
                const Changed& pair = pairs[part][k];
                const std::span<const Index> list = model.rest.neighbors.of(pair.i);
                const auto place = std::lower_bound(list.begin(), list.end(), pair.j) - list.begin();
                const std::size_t entry =
                    model.rest.neighbors.offsets()[pair.i] + static_cast<std::size_t>(place);
                const bool is_joined = model.rest.pairs[entry].w > 0.0;
                if (is_joined != pair.was_joined)
                    may_part[k] = is_joined || !have_common_neighbor(model.rest, pair.i, pair.j);
            },
            64);
        parts_[part]->may_have_parted =
            std::any_of(may_part.begin(), may_part.end(), [](std::uint8_t may) { return may != 0; });
    }
    return changed;
}

template <int Dim>
std::vector<Index> SolidCracks<Dim>::update_all(SolidModel<Dim>& model, std::size_t part,
                                                double stabilization_share)
{
    if (find(part) == nullptr) return {};
    static_cast<void>(parts_[part]->sheets.take_changes());
    const std::vector<Index> changed =
        parts_[part]->crossed.update_all(parts_[part]->sheets, model.first_of_part[part], model.rest);
    parts_[part]->may_have_parted = true;
    refit(model, changed, stabilization_share);
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
    return find_fragments(
        rest.neighbors, [&](std::size_t entry) { return rest.pairs[entry].w > 0.0; }, first, last);
}

template class SolidCracks<2>;
template class SolidCracks<3>;
template Fragments fragments_of(const RestShape<2>&, Index, Index);
template Fragments fragments_of(const RestShape<3>&, Index, Index);

} // namespace phyxel
