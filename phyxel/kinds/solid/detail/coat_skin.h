// SPDX-License-Identifier: MIT
// The skin of a solid that flows: a coat of surfels, which follows the phyxels through any change of
// topology.
#pragma once

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/surface/coat.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

/// Points with normals on a shape at rest, about a surfel's radius apart, wherever the shape comes from.
SolidSkin skin_with_coat(const Shape<3>& shape, const SolidCoat& coat, const WorkBudget& work = {});

/// What a coat takes for the spacing of phyxels: the cube root of their volume, so that it holds that of the
/// body. [m]
double coat_spacing(const PhyxelCloud<3>& phyxels);

class CoatSkin {
public:
    /// One that is still to be loaded.
    CoatSkin(const SolidCoat& coat, double spacing, std::vector<std::uint64_t> phyxel_ids);

    /// `skin` has points with normals; `phyxels` are those at rest.
    CoatSkin(const SolidSkin& skin, std::span<const Vec<3>> phyxels, double spacing,
             std::vector<std::uint64_t> phyxel_ids);

    /// Goes on where another skin has carried the points of `skin` until now. Nothing jumps there: they are
    /// drawn onto the surface of the coat little by little.
    CoatSkin(const SolidSkin& skin, std::span<const Vec<3>> points, std::span<const Vec<3>> normals,
             std::span<const Vec<3>> phyxels, double spacing, std::vector<std::uint64_t> phyxel_ids,
             double time);

    /// A phyxel was halved: goes on as if its halves had always been on either side of it.
    void follow(std::uint64_t kept, std::uint64_t fresh, const Vec<3>& way);

    /// The phyxels that the coat is of.
    const std::vector<std::uint64_t>& ids() const { return ids_; }

    struct Now {
        std::span<const Vec<3>> phyxels;  ///< in the order of the ids [m]
        std::span<const Vec<3>> others;   ///< those of bodies that it has become one with [m]
        std::span<const double> fluidity; ///< of phyxels and others
        std::span<const double> sizes;    ///< of these, in lengths; empty if all are as large as at first
        double time;                      ///< [s]
        const Surroundings<3>& surroundings;
        const Unfelt& unfelt;
    };

    /// Whether a frame has ended, and the coat is to be taken along.
    bool ends_frame(double time) const;

    /// Remembers the way of the phyxels where they have moved against each other. What is between frames
    /// nobody sees, but a surface does not go straight.
    void note_way(std::span<const Vec<3>> phyxels);

    /// Takes the coat along. Returns the farthest that a place of it was moved that the field does not
    /// explain, in radii of a surfel.
    double advance(const Now& now);

    /// The coat as it is at this moment, which need not be due: it is moved, but not sampled anew.
    Coat at(const Now& now) const;

    /// What sections are called begins with `name`.
    void save(CheckpointWriter& checkpoint, const std::string& name) const;
    /// `phyxel_ids` are those that it is of by then.
    void load(const CheckpointReader& checkpoint, const std::string& name,
              std::vector<std::uint64_t> phyxel_ids);
    static bool is_in(const CheckpointReader& checkpoint, const std::string& name);

private:
    CoatStep step(const Now& now, bool resamples) const;

    std::vector<std::uint64_t> ids_;
    double spacing_;

    // State.
    Coat coat_;
    std::vector<Vec<3>> before_;               ///< the phyxels when the coat was last taken along [m]
    std::vector<std::vector<Vec<3>>> between_; ///< and where they have been since then [m]
    std::vector<Vec<3>> others_before_;        ///< those of bodies that it had become one with then [m]
    std::vector<double> other_sizes_before_;   ///< of these; empty if all were as large as at first
    double time_ = 0.0;                        ///< of that [s]
};

} // namespace phyxel
