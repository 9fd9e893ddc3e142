// SPDX-License-Identifier: MIT
// Which place of a solid at rest is the material that is at a place now.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/search/hash_grid.h>
#include <phyxel/solid/solid_model.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
struct RestPlace {
    Vec<Dim> place;    ///< at rest [m]
    Mat<Dim> gradient; ///< F there
};

/// Of the phyxels of a part that are in a box or near it, which must stay where they are meanwhile.
template <int Dim>
class RestPlaces {
public:
    /// What is within `reach` [m] of the box will be found.
    RestPlaces(const SolidModel<Dim>& model, std::size_t part, std::span<const Vec<Dim>> positions,
               const Box<Dim>& box, double reach);

    bool is_empty() const { return phyxels_.empty(); }

    /// The maps of the phyxels around, blended; beyond the surface they go on. Nothing if there is no phyxel
    /// within the reach.
    std::optional<RestPlace<Dim>> find(const Vec<Dim>& x) const;

private:
    struct Phyxel {
        Vec<Dim> rest, now;
        Mat<Dim> F, inverse;
    };
    double spacing_;
    double reach_;
    std::vector<Phyxel> phyxels_;
    HashGrid<Dim> grid_; ///< where they are now
};

extern template class RestPlaces<2>;
extern template class RestPlaces<3>;

} // namespace phyxel
