// SPDX-License-Identifier: MIT
// Where two boxes touch, by their faces and edges: much faster than by points, and most things that are piled
// up are boxes.
#pragma once

#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/shape.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace phyxel {

/// A box that may be turned.
struct PlacedBox {
    Pose<3> pose = {};                 ///< of its middle and its axes
    Vec<3> half_size = Vec<3>::Zero(); ///< [m]

    Vec<3> corner(int number) const
    {
        const Vec<3> X((number & 1) != 0 ? half_size[0] : -half_size[0],
                       (number & 2) != 0 ? half_size[1] : -half_size[1],
                       (number & 4) != 0 ? half_size[2] : -half_size[2]);
        return pose.apply(X);
    }
};

/// The box that a shape is, if it is one.
std::optional<PlacedBox> box_of(const Shape<3>& shape);

struct BoxContact {
    Vec<3> place = Vec<3>::Zero(); ///< on the surface of the first [m]
    double gap = 0.0;              ///< negative where they are in each other [m]
    std::uint64_t point = 0;       ///< which of the faces or edges: the same in the next step
};

/// All have the same normal.
struct BoxContacts {
    static constexpr std::size_t most = 5;

    Vec<3> normal = Vec<3>::Zero(); ///< away from the second
    std::array<BoxContact, most> all = {};
    std::size_t count = 0;

    std::span<const BoxContact> contacts() const { return {all.data(), count}; }
};

/// Along the axis along which the boxes overlap least, or are farthest apart, of the normals of their faces
/// and of what is across an edge of each [GLM96]. Two faces, or a face and an edge, touch at the corners of
/// the area that they share, of which those are kept that are outermost, and the deepest. `way` is how far
/// the second will move against the first before they are looked at again [m]. Nothing for boxes that are
/// farther apart than `margin` [m].
BoxContacts box_contacts(const PlacedBox& a, const PlacedBox& b, const Vec<3>& way, double margin);

} // namespace phyxel
