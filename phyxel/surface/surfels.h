// SPDX-License-Identifier: MIT
// Surfels: discs that cover the surface of a solid where there are no triangles, such as that of a scan
// [MKN*04, Sec. 5.1]. Each is an ellipse with a centre and two axes in its tangent plane; the solid carries
// the centre and stretches the axes, and discs that became too large or too small are split and merged.
//
//     SurfelSet surfels(points, normals, radius);
//     Skinning skin(surfels.rest_positions(), surfels.rest_normals(), nodes);
//     surfels.update(skin, node_positions, deformation_gradients);       // every frame
//     surfels.resample(skin, nodes, most);                               // when it is due
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/surface/skinning.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// The two half-axes of an ellipse [m]. Their product t₁ × t₂ is the outward side.
using SurfelAxes = std::array<Vec<3>, 2>;

/// All that a surfel set is; the rest can be made again from it.
struct SurfelState {
    std::vector<Vec<3>> positions;  ///< of the centres at rest [m]
    std::vector<SurfelAxes> axes;   ///< at rest
    std::vector<std::uint64_t> ids; ///< never used twice
    std::uint64_t next_id = 0;
};

struct [[nodiscard]] ResampleReport {
    std::size_t split = 0;  ///< surfels that became two
    std::size_t merged = 0; ///< pairs that became one
};

/// The same bits on any number of threads.
class SurfelSet {
public:
    SurfelSet() = default;

    /// Discs of `radius` r_s [m] at points with outward normals of any length. Throws InputError for numbers
    /// that are not finite, normals that are zero, and a radius that is not positive.
    SurfelSet(std::span<const Vec<3>> points, std::span<const Vec<3>> normals, double radius,
              std::uint64_t first_id = 0);

    /// As it was saved. Throws InputError for what cannot have been a state.
    SurfelSet(SurfelState state, double radius);

    std::size_t size() const { return state_.positions.size(); }
    double radius() const { return radius_; }
    const SurfelState& state() const { return state_; }
    std::span<const Vec<3>> rest_positions() const { return state_.positions; }
    std::vector<Vec<3>> rest_normals() const;

    /// Where the nodes carry the surfels: centre and axes F t₁, F t₂. `skin` is that of the rest positions.
    void update(Skinning<float>& skin, std::span<const Vec<3>> node_positions,
                std::span<const Mat<3>> deformation_gradients);

    /// Of the last update; at first, at rest.
    std::span<const Vec<3>> positions() const { return positions_; }
    std::span<const SurfelAxes> axes() const { return axes_; }
    std::vector<Vec<3, float>> normals() const; ///< of unit length

    /// Splits, as of the last update, surfels with a half-axis above 2 r_s into two along it, and merges
    /// pairs of neighbours of which both are smaller than r_s / 2 in every direction. At most `most` surfels
    /// are left: the largest are split first, and if there are too many already, the smallest are merged. The
    /// skin is brought up to date; call `update` afterwards.
    ResampleReport resample(Skinning<float>& skin, const SkinningNodes& nodes, std::size_t most);

private:
    SurfelState state_;
    double radius_ = 0.0;
    std::vector<Vec<3>> positions_;
    std::vector<SurfelAxes> axes_;
    std::vector<Mat<3, float>> gradients_; ///< scratch
};

} // namespace phyxel
