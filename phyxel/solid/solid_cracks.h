// SPDX-License-Identifier: MIT
// Solids with cracks: pairs of phyxels whose way crosses one lose their weights in the rest shape, or keep a
// share of them near its front.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/fracture/fragments.h>
#include <phyxel/search/hash_grid.h>
#include <phyxel/solid/crossed_pairs.h>
#include <phyxel/solid/solid_model.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace phyxel {

/// The cracks of all parts of a model, each in the space of its part at rest.
template <int Dim>
class SolidCracks {
public:
    /// Of a part; null if it has none.
    const CrackSheets<Dim>* find(std::size_t part) const
    {
        return part < parts_.size() && parts_[part] ? &parts_[part]->sheets : nullptr;
    }
    bool has_any() const;

    /// The same, made if there are none.
    CrackSheets<Dim>& of(const SolidModel<Dim>& model, std::size_t part);
    /// In place of those that there are.
    void set(const SolidModel<Dim>& model, std::size_t part, CrackSheets<Dim> sheets);
    void remove(std::size_t part);

    /// Weighs the pairs that what has changed of the cracks may have changed, fits what follows from them
    /// anew, and lets the phyxels beside cracks touch others. The bits are those of weighing all pairs.
    /// Returns the phyxels with a pair that has changed, ascending; solvers have to be told.
    std::vector<Index> update(SolidModel<Dim>& model, double stabilization_share);
    /// Whether the last update may have changed which phyxels of a part hang together.
    bool may_have_parted(std::size_t part) const { return parts_[part] && parts_[part]->may_have_parted; }
    /// The same with all pairs of the part.
    std::vector<Index> update_all(SolidModel<Dim>& model, std::size_t part, double stabilization_share);

    /// The phyxels of a part at rest within `radius` [m] of a place, ascending.
    std::vector<Index> phyxels_near(const SolidModel<Dim>& model, std::size_t part, const Vec<Dim>& place,
                                    double radius) const;

private:
    struct Part {
        CrackSheets<Dim> sheets;
        CrossedPairs<Dim> crossed;
        HashGrid<Dim> wide_places; ///< of the phyxels at rest, numbered from the first of the part
        bool may_have_parted = true;
    };
    std::unique_ptr<Part> make(const SolidModel<Dim>& model, std::size_t part, CrackSheets<Dim> sheets) const;
    static void refit(SolidModel<Dim>& model, std::span<const Index> changed, double stabilization_share);

    std::vector<std::unique_ptr<Part>> parts_;
};

/// The pieces of a part, by the weights of its pairs.
template <int Dim>
Fragments fragments_of(const RestShape<Dim>& rest, Index first, Index last);

extern template class SolidCracks<2>;
extern template class SolidCracks<3>;

} // namespace phyxel
