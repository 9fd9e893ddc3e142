// SPDX-License-Identifier: MIT
// A solid as the fluid sees it: one layer of ghosts on its surface, each with the area it stands for. Sums
// over the ghosts near a particle tell how much of its density the solid gives, and which way it pushes, for
// walls of any form: plates, wedges, corners and bowls.
#pragma once

#include <phyxel/core/assert.h>
#include <phyxel/core/types.h>
#include <phyxel/fluid/ghost_kernel.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surface_points.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace phyxel {

/// What a place has of a solid.
template <int Dim>
struct WallIntegral {
    double share = 0.0;               ///< of the density there, if the solid were fluid at rest
    Vec<Dim> push = Vec<Dim>::Zero(); ///< −∇ of that share [1/m]
    double distance = std::numeric_limits<double>::infinity(); ///< of the piece of surface of the nearest
                                                               ///< ghost within reach [m]
};

/// The ghosts of one solid where it is at rest. With d = x − y from a ghost to the place x,
///
///     share(x) = ∫ ω_b dV = ∮ M(r)/r^Dim d · n dA,   push(x) = −∇ share = ∮ ω_b(r) n dA,
///
/// the first by the divergence theorem, exact for every closed surface and x outside of it; ω_b and M are
/// those of GhostKernel. For a sheet every ghost shows x its front: share is what the sheet hides from x.
///
/// Sums over ghosts at spacing s miss the integrals by about exp(−2π d/s) at distance d. Nearer than 0.35
/// particle spacings, where that is much, and inside, the integrals of the place at 0.35 spacings are used.
///
/// Queries may run on several threads at once. Ghosts are added in an order that depends on the cell of x
/// only.
template <int Dim>
class GhostWall {
public:
    /// Spacing of the ghosts over that of the particles, which keeps the shares of particles at half a
    /// spacing from a flat wall within 0.3 % of the rest density.
    static constexpr double ghost_spacing_ratio = 0.5;

    /// For particles of at most `spacing` [m] with a support of `support_ratio` spacings. Throws InputError
    /// for points that are not finite, and for a solid too large for its particles.
    GhostWall(const SurfacePoints<Dim>& points, double support_ratio, double spacing);

    /// The same with a kernel for this `support_ratio`, which takes milliseconds to make and is the same for
    /// all solids.
    GhostWall(const SurfacePoints<Dim>& points, const GhostKernel<Dim>& kernel, double support_ratio,
              double spacing);

    /// At X, in the frame of the solid at rest.
    WallIntegral<Dim> at(const Vec<Dim>& X) const { return at(X, 1.0); }

    /// For a particle of `scale` ≤ 1 times the spacing.
    WallIntegral<Dim> at(const Vec<Dim>& X, double scale) const
    {
        PHYXEL_ASSERT(scale > 0.0 && scale <= 1.0);
        return is_near(X) ? integrate(X, scale) : WallIntegral<Dim>{};
    }

    /// Beyond this distance from the solid there is nothing. [m]
    double reach() const { return reach_; }
    std::size_t ghost_count() const { return ghost_count_; }
    std::size_t memory() const; ///< [byte]

private:
    static constexpr std::size_t width = 8;

    /// Ghosts that are close together, one in each lane of a vector register; those that fill up have no
    /// area. In units of the support radius.
    struct alignas(32) Packet {
        std::array<std::array<float, width>, Dim> x; ///< relative to the centre
        std::array<std::array<float, width>, Dim> area;
        std::array<float, width> moment;        ///< of the piece of surface, see `sum`
        std::array<float, width> inverse_area2; ///< 1 / |area|²
        std::array<double, 4> center;           ///< places of float are relative to it
    };

    using Numbers = std::array<std::int32_t, Dim>;

    /// Cells of the grid that lie together, of which at least one has packets within reach.
    struct Block {
        Numbers place{};
        std::uint32_t number = nothing; ///< its cells are the next after number · cells_per_block
    };
    static constexpr std::uint32_t nothing = std::numeric_limits<std::uint32_t>::max();
    static constexpr int block_bits = Dim == 2 ? 3 : 2; ///< 2^bits cells along each axis
    static constexpr std::uint32_t cells_per_block = 1u << (Dim * block_bits);

    /// Where the packets of a cell begin and end in the list of all cells.
    struct Range {
        std::uint32_t begin;
        std::uint32_t end;
    };

    /// Whether a ghost may be within reach. A place that is not a number is near nothing.
    bool is_near(const Vec<Dim>& X) const
    {
        bool is_inside = true;
        for (int k = 0; k < Dim; ++k) is_inside &= X[k] >= near_.min[k] && X[k] <= near_.max[k];
        return is_inside;
    }

    void make_packets(const SurfacePoints<Dim>& points);
    void make_cells();
    template <class Visit>
    void for_each_cell(const Packet& packet, const Visit& visit) const;
    std::size_t slot_of(const Numbers& block) const;
    static Numbers block_of(const Numbers& cell);
    static std::uint32_t number_in_block(const Numbers& cell);
    Range packets_near(const Vec<Dim>& X) const;
    WallIntegral<Dim> integrate(const Vec<Dim>& X, double scale) const;
    template <bool IsSheet>
    WallIntegral<Dim> sum(const Range& range, const Vec<Dim>& X, double scale) const;
    WallIntegral<Dim> sum(const Vec<Dim>& X, double scale) const;
    WallIntegral<Dim> near_surface(const Vec<Dim>& X, double scale, const WallIntegral<Dim>& there) const;

    GhostKernel<Dim> kernel_;
    double spacing_, support_radius_, per_length_, reach_;
    bool is_sheet_;
    std::size_t ghost_count_ = 0;
    Box<Dim> near_; ///< what is outside has no ghost within reach
    double cells_per_length_ = 0.0;
    std::vector<Packet> packets_;
    std::vector<Block> blocks_;         ///< hash table with open addressing
    std::vector<std::uint32_t> starts_; ///< of the cells of all blocks, and the end
    std::vector<std::uint32_t> lists_;  ///< packets of all cells
};

extern template class GhostWall<2>;
extern template class GhostWall<3>;

} // namespace phyxel
