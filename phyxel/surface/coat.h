// SPDX-License-Identifier: MIT
// The surface of a body that flows, tears and merges [MKN*04, Sec. 5.2]: surfels on the detail that the body
// began with, which fades into the implicit coat of its phyxels where the topology changes.
//
// There are two sets of points. Zombies are what is known of the detail: they go with the phyxels, and each
// is drawn onto the coat as far as its surroundings have changed. Surfels are what is shown: they go along as
// well, are drawn onto the surface that the zombies mean, and are deleted, added and spread so that they
// cover it evenly. Whatever else a place has, such as its colour, surfels take from the zombies around them.
//
// Bodies that have become one have one implicit coat. Each covers the part of it that is more its own than
// the others', and has none inside of them.
//
//     Coat coat(points, normals, colors, phyxels, options);
//     coat.advance({.before = then, .after = now, .phyxels = now, .dt = dt});      // again and again
#pragma once

#include <phyxel/core/state_arrays.h>
#include <phyxel/core/types.h>
#include <phyxel/surface/blinn_field.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

namespace phyxel {

struct CoatOptions {
    double radius;                 ///< r_s of a surfel [m]
    double spacing;                ///< of the phyxels [m]
    double blobbiness = -0.5;      ///< of the implicit coat
    int least_neighbors = 6;       ///< within 2 r_s; where there are fewer, surfels are added
    int most_neighbors = 20;       ///< where there are more, surfels are deleted
    double largest_pop = 0.1;      ///< in r_s, how far a frame draws detail onto the coat and surfels onto it
    double frame = 1.0 / 30.0;     ///< [s]
    std::size_t most = 1000000;    ///< surfels
    bool keeps_detail = true;      ///< else all of it is on the implicit coat from the start
    bool is_shown_already = false; ///< surfels begin in the points, not on the surface that these mean
};

/// What is shown.
struct CoatSurfels {
    std::vector<Vec<3>> position; ///< [m]
    std::vector<Vec<3>> normal;   ///< outwards, of unit length
    std::vector<std::uint64_t> id;

    std::size_t size() const { return position.size(); }
    static constexpr auto arrays()
    {
        return std::tuple{StateArray{"position", &CoatSurfels::position},
                          StateArray{"normal", &CoatSurfels::normal}, StateArray{"id", &CoatSurfels::id}};
    }
};

/// What is known of the detail.
struct CoatZombies {
    std::vector<Vec<3>> position;         ///< [m]
    std::vector<Vec<3>> normal;           ///< outwards, of unit length
    std::vector<Vec<3>> color;            ///< whatever is to be carried along
    std::vector<double> first_value;      ///< s⁰ of the field, where the detail was when it began
    std::vector<double> change;           ///< ΔΓ_tot of the topology since then, 0 to 1
    std::vector<double> exposure;         ///< of the phyxels around, as far as it was counted
    std::vector<std::int32_t> is_on_coat; ///< whether it has arrived there
    std::vector<std::int32_t> is_fluid;   ///< whether the body flows here

    std::size_t size() const { return position.size(); }
    static constexpr auto arrays()
    {
        return std::tuple{StateArray{"position", &CoatZombies::position},
                          StateArray{"normal", &CoatZombies::normal},
                          StateArray{"color", &CoatZombies::color},
                          StateArray{"first_value", &CoatZombies::first_value},
                          StateArray{"change", &CoatZombies::change},
                          StateArray{"exposure", &CoatZombies::exposure},
                          StateArray{"is_on_coat", &CoatZombies::is_on_coat},
                          StateArray{"is_fluid", &CoatZombies::is_fluid}};
    }
};

/// All that a coat is; the rest can be made again from it.
struct CoatState {
    CoatSurfels surfels;
    CoatZombies zombies;
    std::uint64_t next_id = 0;
    std::uint64_t round = 0; ///< how often surfels were resampled: what chance is seeded with
};

/// Puts a place that touches an obstacle onto the obstacle, and tells the normal that it then has, outwards
/// from the body. False, and nothing is changed, where nothing is touched. Called from several threads.
using CoatContact = std::function<bool(Vec<3>& x, Vec<3>& normal)>;

struct CoatStep {
    std::span<const Vec<3>> before; ///< where phyxels were when the coat was last advanced [m]
    std::span<const Vec<3>> after;  ///< and the same ones are now
    std::span<const std::vector<Vec<3>>> between = {}; ///< and were in between, one moment after the other
    std::span<const Vec<3>> phyxels;                   ///< all that are there now
    std::span<const Vec<3>> others = {};        ///< now, those of bodies that this one has become one with
    std::span<const Vec<3>> others_before = {}; ///< such ones when the coat was last advanced
    /// In which lengths phyxels are smaller than at first, those of now and then the others; empty if none
    /// is.
    std::span<const double> sizes = {};
    std::span<const double> other_sizes_before = {}; ///< of the others when the coat was last advanced
    std::span<const double> fluidity = {}; ///< of phyxels and others, from 0 to 1; empty if none flows
    double dt = 0.0;                       ///< since then [s]
    CoatContact contact = {};              ///< what the surface takes the shape of, where the body flows
    bool resamples = true;                 ///< else surfels are only moved, for a look at what is between
};

struct [[nodiscard]] CoatReport {
    std::size_t surfels = 0;
    std::size_t zombies = 0;
    std::size_t added = 0;    ///< surfels
    std::size_t deleted = 0;  ///< surfels, where there were too many or their surface is gone
    double largest_pop = 0.0; ///< farthest that a surfel went that no field explains; see coat_pop.h [r_s]
};

/// The same bits on any number of threads.
class Coat {
public:
    /// A body with this surface: points with outward normals of any length and colours, or none. Throws
    /// InputError for what is not finite or in range.
    Coat(std::span<const Vec<3>> points, std::span<const Vec<3>> normals, std::span<const Vec<3>> colors,
         std::span<const Vec<3>> phyxels, const CoatOptions& options, std::uint64_t first_id = 0);

    /// As it was saved. Throws InputError for what cannot have been a state.
    Coat(CoatState state, const CoatOptions& options);

    CoatReport advance(const CoatStep& step);

    std::size_t size() const { return state_.surfels.size(); }
    const CoatState& state() const { return state_; }
    const CoatOptions& options() const { return options_; }

    /// Of the surfels, from the zombies around.
    std::vector<Vec<3>> colors() const;

    /// The implicit coat of phyxels, those of `others` after them.
    std::shared_ptr<const BlinnField> field(std::span<const Vec<3>> phyxels,
                                            std::span<const Vec<3>> others = {},
                                            std::span<const double> sizes = {}) const;

private:
    CoatOptions options_;
    CoatState state_;
    std::shared_ptr<const BlinnField> field_; ///< of the last phyxels, as the next step begins there
};

} // namespace phyxel
