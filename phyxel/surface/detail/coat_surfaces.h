// SPDX-License-Identifier: MIT
// The two surfaces that a coat is made of, at one moment: the implicit one of the phyxels and that of the
// zombies, and where a surfel belongs between them.
#pragma once

#include <phyxel/surface/blinn_field.h>
#include <phyxel/surface/coat.h>
#include <phyxel/surface/detail/point_set_surface.h>

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace phyxel::detail {

/// How far a zombie has an influence, in r_s.
inline constexpr double detail_reach = 3.0;

/// How near to the implicit coat places are brought, in its radii: what is left is about the square of it.
inline constexpr double on_coat_tolerance = 1e-3;

/// Fluidity from which on the body flows.
inline constexpr double flowing_from = 0.5;

/// What the phyxels around a place are, each weighted by its bell.
struct BodyAround {
    double value = 0.0;    ///< of the field
    double exposure = 0.0; ///< mean
    double fluidity = 0.0; ///< mean
    double own = 1.0;      ///< share of the phyxels that the coat is of; others have become one with them
};

/// A place on the implicit coat.
struct OnCoat {
    Vec<3> x = Vec<3>::Zero(), normal = Vec<3>::Zero();
    bool is_there = false; ///< not so if the place that it is for is in the body, or faces another way
};

class CoatSurfaces {
public:
    /// The first `own` phyxels of the field are those that the coat is of; others have become one with them.
    CoatSurfaces(const CoatOptions& options, std::shared_ptr<const BlinnField> field, std::size_t own,
                 std::span<const double> fluidity, CoatContact contact);

    const CoatOptions& options() const { return options_; }
    const BlinnField& field() const { return *field_; }
    const std::vector<double>& exposure() const { return exposure_; } ///< of the phyxels, and of the others
    const PointSetSurface& detail() const { return detail_; }

    void set_zombies(const CoatZombies& zombies);

    BodyAround around(const Vec<3>& x) const;

    /// Whether a place that faces along `normal` lies in the body, and what it faces too: pieces have merged.
    bool is_buried(const Vec<3>& x, const Vec<3>& normal, const BodyAround& around) const;

    bool has_others() const { return own_ < exposure_.size(); }

    /// Whether the coat of others begins where the own share is this, for what would be added and for what is
    /// there: it goes on for a little, so that nothing comes and goes, and both overlap.
    static bool is_of_others(double own) { return own < 0.45; }
    static bool is_lost_to_others(double own) { return own < 0.3; }

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
    std::size_t own_; ///< phyxels; behind them are the others
    std::shared_ptr<const BlinnField> field_;
    std::vector<double> exposure_;
    std::span<const double> fluidity_;
    CoatContact contact_;
    const CoatZombies* zombies_ = nullptr;
    PointSetSurface detail_;
    PointGrid wide_; ///< of the zombies, for what is less near
};

} // namespace phyxel::detail
