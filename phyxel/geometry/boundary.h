// SPDX-License-Identifier: MIT
// What a body shows to others, so that they can meet it: its surface as points that each stand for a small
// piece of it. Others push against the points, and the body gets what they did as impulses at them.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/wall_surface.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// How the points of a boundary give way within a step, as far as a body can tell without making it. Whoever
/// solves for a pressure against a light body has to know, or its push comes back a step late, and larger
/// each time.
template <int Dim>
class BoundaryResponse {
public:
    virtual ~BoundaryResponse() = default;

    /// Until the next call only these points, in ascending order, are pushed and asked about; what the others
    /// change by may be anything. Most points are out of reach of a fluid, and to ask all is expensive.
    virtual void focus(std::span<const Index>) {}

    /// What the velocities of the points change by within `dt` [s] if nobody touches them [m/s].
    virtual void coast(double dt, std::span<Vec<Dim>> changes) = 0;

    /// What they change by, beside that, through impulses at the points [N s]. Linear and symmetric.
    virtual void respond(std::span<const Vec<Dim>> impulses, double dt, std::span<Vec<Dim>> changes) = 0;
};

/// A part of a boundary that somebody has given a name.
template <int Dim>
struct BoundaryPiece {
    std::string name;
    WallSurface<Dim> surface = {}; ///< what it does to the flow along it
};

/// A closed surface, or several.
template <int Dim>
struct Boundary {
    std::vector<Vec<Dim>> position;            ///< [m]
    std::vector<Vec<Dim>> velocity;            ///< [m/s]
    std::vector<Vec<Dim>> area;                ///< outward normal times area [m^(Dim − 1)]
    BoundaryResponse<Dim>* response = nullptr; ///< none if it gives way to nothing
    /// And which of these each point is of; fluids slip along a boundary that has none.
    std::vector<BoundaryPiece<Dim>> pieces = {};
    std::vector<std::uint32_t> piece = {};

    WallSurface<Dim> surface_of(std::size_t point) const
    {
        return pieces.empty() ? WallSurface<Dim>() : pieces[piece[point]].surface;
    }

    std::size_t size() const { return position.size(); }
};

} // namespace phyxel
