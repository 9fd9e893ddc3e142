// SPDX-License-Identifier: MIT
// What a blade cuts: its rim leaves a sheet behind wherever it goes on through a body.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/fracture/crack_sheets.h>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// A line in the plane, whose ends cut; a polygon in space, whose edges do. No thicker than nothing.
template <int Dim>
class Blade {
public:
    /// Throws InputError as faces_of() does.
    Blade(std::span<const Vec<Dim>> polygon, double spacing);

    /// Points of the rim about half a spacing apart, and where the blade ends there: directions of unit
    /// length in the plane of the blade.
    std::span<const Vec<Dim>> rim() const { return rim_; }
    std::span<const Vec<Dim>> outwards() const { return outwards_; }
    /// Of unit length, across the blade.
    std::span<const Vec<Dim>> normals() const { return normals_; }
    /// Points side by side, from which a piece of the sheet comes: single ones in the plane.
    std::span<const std::array<Index, Dim - 1>> links() const { return links_; }

private:
    std::vector<Vec<Dim>> rim_, outwards_, normals_;
    std::vector<std::array<Index, Dim - 1>> links_;
};

/// Where a point of the rim is in a body at rest, which way it is outwards from the blade there, and across
/// it, both of unit length.
template <int Dim>
struct RimPlace {
    Vec<Dim> place;
    Vec<Dim> outwards;
    Vec<Dim> normal;
};

/// How far a blade has come through a body. All of it is state.
template <int Dim>
struct BladeTrack {
    static constexpr Index none = std::numeric_limits<Index>::max();

    std::vector<Vec<Dim>> place;        ///< up to which the points of the rim have come [m]
    std::vector<std::uint8_t> is_there; ///< whether they were in the body or near it
    std::vector<Index> node;            ///< of the sheet in that place; none if there is not one yet
    std::uint32_t crack = none;         ///< what it has cut so far

    bool operator==(const BladeTrack&) const = default;
};

/// The blade has gone on; `places` has its rim as it is now, nothing for what is not near the body. Where a
/// point has come outwards beyond the sheet that it leaves, this grows up to there, by pieces of about a
/// quarter of a spacing: along the whole way of the rim through the body, also where the body moves sideways.
/// What is drawn back, or goes where it has cut already, leaves nothing. Returns whether anything has come;
/// fronts are then to be found.
template <int Dim>
bool advance_blade(const Blade<Dim>& blade, std::span<const std::optional<RimPlace<Dim>>> places,
                   const DistanceFromSurface<Dim>& distance, BladeTrack<Dim>& track,
                   CrackSheets<Dim>& cracks);

extern template class Blade<2>;
extern template class Blade<3>;

} // namespace phyxel
