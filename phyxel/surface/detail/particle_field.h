// SPDX-License-Identifier: MIT
// A field that is a sum over particles, each with a bell around its centre that may be stretched and turned:
//
//     φ(x) = Σ_j w_j max(0, 1 − q_j²)³,    q_j² = (x − c_j)ᵀ A_j (x − c_j)
//
// Everything is gathered: a block of nodes, or a group of points, looks up the particles that reach it and
// adds them in sorted order. So the bits depend on the particles only, and not on threads.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/sparse_field.h>
#include <phyxel/surface/detail/particle_bins.h>

#include <array>
#include <span>
#include <vector>

namespace phyxel::detail {

/// The bell of a particle, with lengths in cells.
struct Bell {
    float xx, yy, zz, xy, yz, xz; ///< A_j
    float weight_root;            ///< w_j^⅓
    std::array<float, 3> reach;   ///< where q_j ≤ 1 along each axis: √((A_j⁻¹)_kk)
};

/// A ball of this radius [cells].
Bell round_bell(float weight, float radius);

/// What the field says at a point of its iso-surface.
struct PointSample {
    Vec<3, float> normal;   ///< −∇φ / |∇φ|; zero where the gradient vanishes
    Vec<3, float> velocity; ///< Σ w_j W_j v_j / Σ w_j W_j; zero where no particle reaches
};

class ParticleField {
public:
    /// `bells` has one for each particle, or one for all. `velocities` may be empty: all zero.
    ParticleField(std::span<const Vec<3>> centers, std::span<const Vec<3>> velocities,
                  std::span<const Bell> bells, double cell);

    /// φ at all nodes where it is not 0, and at least one node further.
    SparseField sample() const;

    /// ½ + (r − |x − x̄|) / spacing, between 0 and 1, with x̄ the weighted mean of the centres around x [ZB05].
    /// At the same nodes; both lengths in cells.
    SparseField sample_distance(float radius, float spacing) const;

    /// The mean velocity at the nodes of `field`, along x, y and z.
    std::array<SparseField, 3> sample_velocity(const SparseField& field) const;

    /// At points that lie near each other [m].
    void sample_points(std::span<const Vec<3>> points, std::span<PointSample> samples) const;

    /// In the order of the fields above [bytes].
    std::size_t memory() const;

private:
    const Bell& bell(Index n) const { return bells_[bells_.size() == 1 ? 0 : n]; }
    std::vector<GridIndex> find_blocks() const;
    /// Goes through the blocks of the field, a few at a time: add(tiles, particle, centre, place, weights)
    /// for every eight nodes that a particle reaches, then finish(tiles, run).
    template <std::size_t TileCount, class Add, class Finish>
    void for_each_tile(const SparseField& field, const Add& add, const Finish& finish) const;
    /// The particles that reach into the box with these corners [cells].
    void gather(const Vec<3>& low, const Vec<3>& high, std::vector<Index>& found) const;

    double cell_;
    ParticleBins bins_;
    std::vector<Bell> bells_;             ///< in sorted order, or one for all
    std::vector<Vec<3, float>> velocity_; ///< in sorted order, or empty
    Vec<3> reach_;                        ///< the largest along each axis [cells]
};

} // namespace phyxel::detail
