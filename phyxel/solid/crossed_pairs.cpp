// SPDX-License-Identifier: MIT
#include <phyxel/solid/crossed_pairs.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace phyxel {

template <int Dim>
CrossedPairs<Dim>::CrossedPairs(const RestShape<Dim>& rest, Index first, Index last, double spacing)
    : places_(spacing, std::span(rest.position).subspan(first, last - first)),
      met_(last - first)
{
    for (Index i = first; i < last; ++i) reach_ = std::max(reach_, rest.support_radius[i]);
}

/// One end of a pair is no farther from where it crosses the face than half of its way.
template <int Dim>
auto CrossedPairs<Dim>::crossings_of(const CrackSheets<Dim>& sheets, Index face, Index first,
                                     const RestShape<Dim>& rest) const -> std::vector<Crossing>
{
    const std::array<Vec<Dim>, Dim> corners = sheets.corners(face);
    const FacePlane<Dim> plane(corners, sheets.tolerance());
    std::vector<Index> near;
    const auto [middle, radius] = ball_around<Dim>(corners);
    places_.radius(middle, 0.5 * reach_ + radius + sheets.tolerance(), near);
    const auto count = static_cast<Index>(met_.size());
    std::vector<Crossing> found;
    for (const Index i : near) {
        const Vec<Dim>& x = rest.position[first + i];
        const bool is_above = plane.is_above(x);
        for (const Index other : rest.neighbors.of(first + i)) {
            const Index j = other - first;
            if (other < first || j >= count) continue;
            const Vec<Dim>& y = rest.position[other];
            if (plane.is_above(y) == is_above) continue;
            if (j < i && std::binary_search(near.begin(), near.end(), j)) continue; // seen from j
            if (const auto met = crossing<Dim>(corners, x, y, sheets.tolerance()))
                found.push_back({{std::min(i, j), std::max(i, j)}, *met});
        }
    }
    return found;
}

template <int Dim>
void CrossedPairs<Dim>::forget(Index face, std::vector<Pair>& outdated)
{
    for (const Pair& pair : pairs_of_face_[face]) {
        std::erase_if(met_[pair.i], [&](const Met& met) { return met.j == pair.j && met.face == face; });
        outdated.push_back(pair);
    }
    pairs_of_face_[face].clear();
}

template <int Dim>
auto CrossedPairs<Dim>::update(const CrackSheets<Dim>& sheets, const CrackChanges<Dim>& changes, Index first,
                               RestShape<Dim>& rest) -> std::vector<Changed>
{
    if (changes.is_empty()) return {};
    std::vector<Pair> outdated;
    pairs_of_face_.resize(sheets.data().faces.size());
    for (const Index face : changes.faces) forget(face, outdated);
    std::vector<std::vector<Crossing>> found(changes.faces.size());
    parallel_for(
        changes.faces.size(),
        [&](Index k) { found[k] = crossings_of(sheets, changes.faces[k], first, rest); }, 4);
    for (std::size_t k = 0; k < found.size(); ++k)
        for (const Crossing& crossing : found[k]) {
            const Index face = changes.faces[k];
            met_[crossing.pair.i].push_back({crossing.pair.j, face, crossing.place});
            pairs_of_face_[face].push_back(crossing.pair);
            outdated.push_back(crossing.pair);
        }
    // Of pairs that cross as they did only fronts that have come or gone near by tell anything new.
    const double seen = sheets.options().translucency * sheets.spacing();
    for (const Index face : sheets.faces_around(changes.places, changes.radius + seen))
        outdated.insert(outdated.end(), pairs_of_face_[face].begin(), pairs_of_face_[face].end());
    std::sort(outdated.begin(), outdated.end());
    outdated.erase(std::unique(outdated.begin(), outdated.end()), outdated.end());
    return weigh(sheets, std::move(outdated), first, rest);
}

template <int Dim>
std::vector<Index> CrossedPairs<Dim>::update_all(const CrackSheets<Dim>& sheets, Index first,
                                                 RestShape<Dim>& rest)
{
    for (std::vector<Met>& met : met_) met.clear();
    pairs_of_face_.clear();
    const auto last = static_cast<Index>(first + met_.size());
    const std::uint64_t begin = rest.neighbors.offsets()[first], end = rest.neighbors.offsets()[last];
    if (rest.lengthening.empty()) rest.lengthening.resize(rest.neighbors.entry_count(), 0.0);
    const std::span<double> own = std::span(rest.lengthening).subspan(begin, end - begin);
    const std::vector<double> before(own.begin(), own.end());
    std::fill(own.begin(), own.end(), 0.0);
    CrackChanges<Dim> all;
    all.faces.resize(sheets.data().faces.size());
    std::iota(all.faces.begin(), all.faces.end(), Index(0));
    static_cast<void>(update(sheets, all, first, rest));
    std::vector<Index> changed;
    for (Index i = first; i < last; ++i) {
        const std::uint64_t from = rest.neighbors.offsets()[i] - begin;
        const std::uint64_t to = rest.neighbors.offsets()[i + 1] - begin;
        for (std::uint64_t entry = from; entry < to; ++entry)
            if (own[entry] != before[entry]) {
                changed.push_back(i);
                break;
            }
    }
    return changed;
}

template <int Dim>
auto CrossedPairs<Dim>::weigh(const CrackSheets<Dim>& sheets, std::vector<Pair> pairs, Index first,
                              RestShape<Dim>& rest) const -> std::vector<Changed>
{
    if (rest.lengthening.empty()) rest.lengthening.resize(rest.neighbors.entry_count(), 0.0);
    enum : std::uint8_t { Same, Joined, Parted };
    std::vector<std::uint8_t> was(pairs.size(), Same);
    const auto entry_of = [&](Index i, Index j) {
        const std::span<const Index> list = rest.neighbors.of(first + i);
        const auto found = std::lower_bound(list.begin(), list.end(), first + j);
        PHYXEL_ASSERT(found != list.end() && *found == first + j);
        return rest.neighbors.offsets()[first + i] + static_cast<std::size_t>(found - list.begin());
    };
    parallel_for(
        pairs.size(),
        [&](Index k) {
            const auto [i, j] = pairs[k];
            double longest = 0.0;
            for (const Met& met : met_[i]) {
                if (met.j != j) continue;
                longest = std::max(longest, sheets.lengthening_at(met.face, met.place));
                if (longest == std::numeric_limits<double>::infinity()) break;
            }
            const std::size_t entry = entry_of(i, j);
            if (rest.lengthening[entry] == longest) return;
            rest.lengthening[entry] = longest;
            rest.lengthening[entry_of(j, i)] = longest;
            was[k] = rest.pairs[entry].w > 0.0 ? Joined : Parted;
        },
        32);
    std::vector<Changed> changed;
    for (std::size_t k = 0; k < pairs.size(); ++k)
        if (was[k] != Same) changed.push_back({first + pairs[k].i, first + pairs[k].j, was[k] == Joined});
    return changed;
}

template class CrossedPairs<2>;
template class CrossedPairs<3>;

} // namespace phyxel
