// SPDX-License-Identifier: MIT
// The two surfaces that a coat is made of, at one moment: the implicit one of the phyxels and that of the
// zombies, and where a surfel belongs between them.
#pragma once

#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/coat.h>
#include <phyxel/surface/detail/point_set_surface.h>

#include <limits>
#include <span>
#include <vector>

namespace phyxel::detail {

/// How far a zombie has an influence, in r_s.
inline constexpr double detail_reach = 3.0;

/// Fluidity from which on the body flows.
inline constexpr double flowing_from = 0.5;

/// What the phyxels around a place are, each weighted by its bell.
struct BodyAround {
    double value = 0.0;    ///< of the field
    double exposure = 0.0; ///< mean
    double fluidity = 0.0; ///< mean
};

/// A place on the implicit coat.
struct OnCoat {
    Vec<3> x = Vec<3>::Zero(), normal = Vec<3>::Zero();
    bool is_there = false; ///< not so if the place that it is for is in the body, or faces another way
};

class CoatSurfaces {
public:
    CoatSurfaces(const CoatOptions& options, std::span<const Vec<3>> phyxels,
                 std::span<const double> fluidity, CoatContact contact);

    const CoatOptions& options() const { return options_; }
    const BlinnField& field() const { return field_; }
    const std::vector<double>& exposure() const { return exposure_; } ///< of the phyxels
    const PointSetSurface& detail() const { return detail_; }

    void set_zombies(const CoatZombies& zombies);

    BodyAround around(const Vec<3>& x) const;

    /// Whether a place that faces along `normal` lies in the body, and what it faces too: pieces have merged.
    bool is_buried(const Vec<3>& x, const Vec<3>& normal, const BodyAround& around) const;

    /// The place on the implicit coat that belongs to one beside it.
    OnCoat on_coat(const Vec<3>& x, const Vec<3>& normal) const;

    /// What touches something takes its shape, where the body flows.
    void touch(Vec<3>& x, Vec<3>& normal, const BodyAround& around) const;

    struct Settled {
        Vec<3> x, normal;
        bool is_lost = false;   ///< its surface is gone
        bool is_beyond = false; ///< beyond the rim of the detail, which goes on around an edge
    };
    /// Where a surfel belongs that was carried to x. Onto the detail it goes by at most `most` [m].
    Settled settle(const Vec<3>& x, const Vec<3>& normal,
                   double most = std::numeric_limits<double>::infinity()) const;

    /// Whether the detail around a place is as it was, or the place is deep inside, where gaps of the
    /// implicit coat between phyxels that were drawn apart are none of the body.
    bool has_detail(const Vec<3>& x) const;

    /// Σ w color / Σ w of the zombies around, and how many there are.
    struct Mean {
        Vec<3> color = Vec<3>::Zero();
        std::size_t count = 0;
    };
    Mean mean(const Vec<3>& x, const Vec<3>& normal) const;

private:
    CoatOptions options_;
    BlinnField field_;
    std::vector<double> exposure_;
    std::span<const double> fluidity_;
    CoatContact contact_;
    const CoatZombies* zombies_ = nullptr;
    PointSetSurface detail_;
    PointGrid wide_; ///< of the zombies, for what is less near
};

} // namespace phyxel::detail
