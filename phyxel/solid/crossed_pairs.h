// SPDX-License-Identifier: MIT
// The pairs of phyxels whose way crosses a crack, and where: what cracks take of the weights follows from
// these. Kept from one step of a crack to the next, so that only what its front has passed is looked at.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/search/hash_grid.h>
#include <phyxel/solid/rest_shape.h>

#include <compare>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
class CrossedPairs {
public:
    /// Of the phyxels of the shape from `first` to before `last`, numbered from `first` on.
    CrossedPairs(const RestShape<Dim>& rest, Index first, Index last, double spacing);

    /// A pair with the numbers of the shape, and whether it held together before.
    struct Changed {
        Index i = 0, j = 0;
        bool was_joined = false;
    };

    /// Weighs the pairs that these changes may have changed: brings the lengthening of their ways in the
    /// shape up to date, but not what follows from it. Returns those whose way has become longer or shorter.
    /// `first` is that of the part, which may have moved on.
    std::vector<Changed> update(const CrackSheets<Dim>& sheets, const CrackChanges<Dim>& changes, Index first,
                                RestShape<Dim>& rest);
    /// All pairs of the part. Returns the phyxels with a pair whose way has become longer or shorter,
    /// ascending.
    std::vector<Index> update_all(const CrackSheets<Dim>& sheets, Index first, RestShape<Dim>& rest);

private:
    struct Pair {
        Index i = 0, j = 0; ///< i < j
        auto operator<=>(const Pair&) const = default;
    };
    struct Met {
        Index j = 0; ///< of the pair, the later
        Index face = 0;
        Vec<Dim> place = Vec<Dim>::Zero();
    };
    struct Crossing {
        Pair pair;
        Vec<Dim> place = Vec<Dim>::Zero();
    };
    std::vector<Crossing> crossings_of(const CrackSheets<Dim>& sheets, Index face, Index first,
                                       const RestShape<Dim>& rest) const;
    void forget(Index face, std::vector<Pair>& outdated);
    std::vector<Changed> weigh(const CrackSheets<Dim>& sheets, std::vector<Pair> pairs, Index first,
                               RestShape<Dim>& rest) const;

    HashGrid<Dim> places_;
    double reach_ = 0.0; ///< no pair is farther apart [m]
    std::vector<std::vector<Met>> met_;
    std::vector<std::vector<Pair>> pairs_of_face_;
};

extern template class CrossedPairs<2>;
extern template class CrossedPairs<3>;

} // namespace phyxel
