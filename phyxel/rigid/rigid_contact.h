// SPDX-License-Identifier: MIT
// Where rigid bodies touch each other and walls, or are about to. Points of one are held against the exact
// distance of the other, in both directions, so that a ball falls into a cup and a ring hangs on a peg. Boxes
// meet by their faces and edges.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/rigid/rigid_model.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace phyxel {

template <int Dim>
struct RigidContact {
    static constexpr Index wall = std::numeric_limits<Index>::max();

    Index a = 0;
    Index b = wall;
    int obstacle = -1; ///< of a wall; −1 for a side of the domain
    std::array<std::uint64_t, 3> key = {};
    Vec<Dim> normal = Vec<Dim>::Zero(); ///< towards a
    Vec<Dim> place = Vec<Dim>::Zero();  ///< [m]
    double gap = 0.0;                   ///< negative where they are in each other [m]
    double friction = 0.0;
    double restitution = 0.0;
    Vec<Dim> wall_velocity = Vec<Dim>::Zero(); ///< [m/s]
    Vec<Dim> shift = Vec<Dim>::Zero();         ///< from the second to the image of it that is touched [m]
};

/// Keys of contacts have the number of the second body, or one of these plus that of a wall.
inline constexpr std::uint64_t first_obstacle_key = std::uint64_t(1) << 40;
inline constexpr std::uint64_t first_side_key = std::uint64_t(1) << 41;

/// Pairs of bodies, the smaller number first and in order, that do not meet.
using IgnoredPairs = std::vector<std::pair<Index, Index>>;

template <int Dim>
class RigidContactSearch {
public:
    void set_fault(Fault fault) { fault_ = fault; }

    /// Contacts of bodies that are there and come nearer than they may within `dt` [s], in a fixed order: by
    /// bodies, then obstacles, as they are `since` [s] later, then sides of the domain. Obstacles that are
    /// free are bodies themselves and not looked at, nor are those that a body does not feel.
    void find(std::span<const RigidModel<Dim>> models, const RigidState<Dim>& state,
              std::span<const std::uint8_t> is_there, const IgnoredPairs& ignored,
              std::span<const Unfelt> unfelt, double since, double dt, const Surroundings<Dim>& surroundings,
              std::vector<RigidContact<Dim>>& contacts);

private:
    struct Thing {
        const Shape<Dim>* shape = nullptr;
        const ContactPoints<Dim>* points = nullptr;
        Pose<Dim> pose = {};
        PlacedBox box = {}; ///< where it is now, of a shape that is one
    };
    static Thing thing_at(const Shape<Dim>& shape, const ContactPoints<Dim>& points, const Pose<Dim>& pose);

    /// A body that is there, or an image of it, and the room that it may take up in the step.
    struct Moving {
        Index body;
        Box<Dim> room;
        std::uint8_t image = 0; ///< 0 where it is within the domain; see image_way()
    };
    static Thing moved(const Thing& thing, const Vec<Dim>& way);
    void add_images(const PeriodicBox<Dim>& periodic, const RigidState<Dim>& state);
    struct Found {
        Vec<Dim> normal; ///< away from the second
        Vec<Dim> place;
        double gap;
        std::uint64_t point; ///< its number, and whether it is one of the second
        bool is_of_first;
    };
    void find_points(const Thing& points_of, const Thing& other, double margin, bool is_of_first);
    void refine(const Thing& first, const Thing& second, Found& found) const;
    void choose(double same_place);
    void meet(const Thing& first, const Thing& second, const Vec<Dim>& way, double margin, double size);
    void find_pairs(const IgnoredPairs& ignored);

    std::vector<std::pair<const void*, ContactPoints<Dim>>> obstacle_points_; ///< by number
    std::vector<Thing> things_;                                               ///< one for each body
    std::vector<double> spin_speeds_; ///< of their outermost points [m/s]
    std::vector<Moving> moving_;
    std::vector<Index> sweep_order_; ///< all bodies, as they came along the axis of the last sweep
    int sweep_axis_ = -1;
    std::array<std::vector<double>, Dim> lower_,
        upper_; ///< of their rooms, along the axis of the sweep and the others
    std::vector<Index> near_;
    std::vector<std::uint64_t>
        pairs_; ///< that may meet, in order: the numbers of the first and the second, and the image of that
    std::vector<Found> found_, chosen_;
    std::vector<std::uint8_t> is_taken_;
    std::vector<std::size_t> area_, kept_;
    Fault fault_ = Fault::None;
};

extern template class RigidContactSearch<2>;
extern template class RigidContactSearch<3>;

} // namespace phyxel
