// SPDX-License-Identifier: MIT
#include <phyxel/geometry/enclosed_room.h>

#include <phyxel/geometry/periodic_images.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace phyxel {

template <int Dim>
void EnclosedRoom<Dim>::add_piece(const Boundary<Dim>& boundary, std::uint32_t piece)
{
    Piece added;
    for (std::size_t k = 0; k < boundary.size(); ++k) {
        if (!boundary.pieces.empty() && boundary.piece[k] != piece) continue;
        added.bounds.extend(boundary.position[k]);
        added.position.push_back(boundary.position[k]);
        added.area.push_back(boundary.area[k]);
    }
    if (!added.position.empty()) pieces_.push_back(std::move(added));
}

template <int Dim>
bool EnclosedRoom<Dim>::holds(const Vec<Dim>& x, double margin) const
{
    bool is_held = false;
    for (const Piece& piece : pieces_)
        for_each_image<Dim>(periodic_, x, piece.bounds, margin,
                            [&](const Vec<Dim>& image) { is_held = is_held || holds(piece, image, margin); });
    return is_held;
}

/// By the solid angle that the surface is seen under: Σ A·r / |r|^Dim, all of it from within and none from
/// outside.
template <int Dim>
bool EnclosedRoom<Dim>::holds(const Piece& piece, const Vec<Dim>& x, double margin)
{
    constexpr double all = Dim == 2 ? 2.0 * std::numbers::pi : 4.0 * std::numbers::pi;
    if (piece.bounds.distance(x) > margin) return false;
    double seen = 0.0;
    for (std::size_t k = 0; k < piece.position.size(); ++k) {
        const Vec<Dim> r = piece.position[k] - x;
        const double squared = r.squaredNorm();
        if (squared < margin * margin || squared == 0.0) return true;
        seen += piece.area[k].dot(r) / (Dim == 2 ? squared : squared * std::sqrt(squared));
    }
    return seen > 0.5 * all;
}

template class EnclosedRoom<2>;
template class EnclosedRoom<3>;

} // namespace phyxel
