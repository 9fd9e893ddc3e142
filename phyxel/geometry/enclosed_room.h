// SPDX-License-Identifier: MIT
// The room that others take up, as far as their boundaries tell, for what comes to where they may be.
#pragma once

#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/box.h>
#include <phyxel/search/periodic_box.h>

#include <vector>

namespace phyxel {

/// What pieces of a boundary enclose. They are closed surfaces, which wind around all that is inside once.
template <int Dim>
class EnclosedRoom {
public:
    explicit EnclosedRoom(const PeriodicBox<Dim>& periodic) : periodic_(periodic) {}

    void add_piece(const Boundary<Dim>& boundary, std::uint32_t piece);

    /// Whether x is inside, or nearer to a point of a surface than `margin` [m].
    bool holds(const Vec<Dim>& x, double margin) const;

private:
    struct Piece {
        Box<Dim> bounds;
        std::vector<Vec<Dim>> position; ///< [m]
        std::vector<Vec<Dim>> area;     ///< [m^(Dim − 1)]
    };
    static bool holds(const Piece& piece, const Vec<Dim>& x, double margin);

    PeriodicBox<Dim> periodic_;
    std::vector<Piece> pieces_;
};

extern template class EnclosedRoom<2>;
extern template class EnclosedRoom<3>;

} // namespace phyxel
