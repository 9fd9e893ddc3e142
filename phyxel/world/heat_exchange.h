// SPDX-License-Identifier: MIT
// Heat of all bodies of a world together: within them, between those in touch, and with what is around.
#pragma once

#include <phyxel/approx/conduction.h>
#include <phyxel/core/fault.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/world/hand.h>
#include <phyxel/world/heat_view.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Explicit steps of the enthalpy, as short as they have to be: what flows within a step flows from one to
/// another, so heat is kept to the last digits, melting needs no iterations, and no temperature leaves the
/// range of those around it. The longest step is ρ c a²/(4 Dim k) for phyxels a apart, which seldom is
/// shorter than a step of the world.
template <int Dim>
class HeatExchange {
public:
    /// More steps at once than this are a mistake.
    static constexpr double most_steps = 1e6;

    /// Advances the enthalpies by `dt` [s] and returns in how many steps; with more than `most_steps` nothing
    /// was done. Who touches what is that of the places now.
    double advance(std::span<HeatView<Dim>> bodies, const Surroundings<Dim>& surroundings,
                   std::span<const Hand<Dim>> hands, double dt, Fault fault);

private:
    struct Piece; ///< of all surfaces
    void list_nodes(std::span<const HeatView<Dim>> bodies);
    void list_pieces(std::span<const HeatView<Dim>> bodies);
    void find_contacts(const Surroundings<Dim>& surroundings);
    void find_walls(const Surroundings<Dim>& surroundings);
    void link_pieces(std::span<const HeatView<Dim>> bodies, const Surroundings<Dim>& surroundings);
    void pass(const Piece& piece, const SurfaceHeat& heat, double area, double resistance);
    void warm(std::span<const HeatView<Dim>> bodies, const Surroundings<Dim>& surroundings,
              std::span<const Hand<Dim>> hands);
    double count_steps(std::span<const HeatView<Dim>> bodies, double dt);
    void make_step(std::span<const HeatView<Dim>> bodies, double dt, Fault fault);

    struct Piece {
        const HeatSurface<Dim>* surface = nullptr;
        std::size_t number = 0; ///< in that surface
        Index first_node = 0;   ///< of its body
        const HeatPart* part = nullptr;
        Index part_number = 0; ///< among the parts of all bodies
        std::size_t body = 0;
        Index touched = none; ///< piece of another part that it touches; only of the finer one of two
        int wall = no_wall;   ///< that it touches
        double covered = 0.0; ///< area that something touches

        const Vec<Dim>& position() const { return surface->position[number]; }
        const Vec<Dim>& area() const { return surface->area[number]; }
    };
    static constexpr Index none = static_cast<Index>(-1);
    static constexpr int no_wall = -2;

    // Of all bodies, one after the other.
    std::vector<Index> first_node_; ///< of each body, and one more
    std::vector<double> temperature_, conductivity_, power_, given_, rate_;
    std::vector<std::uint8_t> is_held_; ///< keeps its temperature
    std::vector<Piece> pieces_;
    std::vector<HeatLink> links_;
    std::vector<Vec<Dim>> places_;
};

extern template class HeatExchange<2>;
extern template class HeatExchange<3>;

} // namespace phyxel
