// SPDX-License-Identifier: MIT
// The heat of the solids: what is said of it part by part, and the view of it that others have.
#pragma once

#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/solid_heat.h>
#include <phyxel/solid/solid_region.h>
#include <phyxel/world/body.h>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Whether heat has to flow for what is said of a part.
inline bool asks_for_heat(const PartHeat& heat) { return heat.temperature || heat.air; }

template <int Dim>
class BodyHeat {
public:
    /// The parts must outlive it.
    explicit BodyHeat(BodyParts<Dim>& parts) : parts_(parts) {}

    /// Of a part that the model and the state have by now.
    void add(PartHeat heat);
    void set_air(std::size_t part, const std::optional<Air>& air) { of_parts_[part].air = air; }
    bool is_asked_for() const;

    /// From this phyxel on they have the temperatures that their parts begin with, wherever they are now.
    void give(Index first);

    /// After the shape at rest has changed, or who its neighbours are.
    void forget() { conduction_.reset(); }
    /// Where heat flows. `regions` are those that are heated.
    std::optional<HeatView<Dim>> view(std::span<const SolidRegion<Dim>> regions);

private:
    BodyParts<Dim>& parts_;
    std::vector<PartHeat> of_parts_;
    std::optional<SolidHeat<Dim>> conduction_; ///< once heat flows
};

extern template class BodyHeat<2>;
extern template class BodyHeat<3>;

} // namespace phyxel
