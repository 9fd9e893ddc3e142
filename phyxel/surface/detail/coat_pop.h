// SPDX-License-Identifier: MIT
// How far the surfels of a coat go from one moment to another that no field explains [MKN*04, Sec. 5.2.2]:
// what is seen to pop.
//
//     e = (1 − P) (x' − x − u(x))
//
// x is where a surfel was, x' where it is, and u the motion of the phyxels around it. P takes away what the
// implicit coat went there by itself, c − c₀ − u(c₀), from its place c₀ nearest to x: any part of it up to
// the whole, as a surfel may lie between detail and coat.
#pragma once

#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/coat.h>
#include <phyxel/surface/detail/coat_surfaces.h>
#include <phyxel/surface/detail/phyxel_motion.h>

#include <vector>

namespace phyxel::detail {

class ExplainedMotion {
public:
    /// The implicit coats before and now.
    ExplainedMotion(const PhyxelPath& path, const BlinnField& before, const BlinnField& now)
        : path_(path),
          before_(before),
          now_(now)
    {
    }

    /// What is left of the way from `carried`, where phyxels carry a place that was at x with this normal, to
    /// where it is now. [m]
    Vec<3> unexplained(const Vec<3>& x, const Vec<3>& normal, const Vec<3>& carried, const Vec<3>& now) const;

private:
    const PhyxelPath& path_;
    const BlinnField& before_;
    const BlinnField& now_;
};

/// Measures it from the places before and after, whatever moved them, and not from what the coat allows
/// itself. Sampling anew spreads surfels within the surface, which is no motion of the surface; but what it
/// moves them across the surface counts.
class CoatPop {
public:
    /// Surfels before anything moves.
    explicit CoatPop(const CoatSurfels& surfels) : before_(surfels), carried_(surfels.size()) {}

    /// Where the phyxels carry one of them.
    void set_carried(Index surfel, const Vec<3>& x) { carried_[surfel] = x; }

    /// And those of them that are left, when they have been moved.
    void set_moved(const CoatSurfels& surfels) { moved_ = surfels; }

    /// The farthest of all that are still there `now`. `surfaces` are those of now. [m]
    double largest(const ExplainedMotion& motion, const CoatSurfaces& surfaces, const CoatSurfels& now) const;

private:
    CoatSurfels before_, moved_;
    std::vector<Vec<3>> carried_; ///< those before
};

} // namespace phyxel::detail
