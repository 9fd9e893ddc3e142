// SPDX-License-Identifier: MIT
// Which sides of faces are rims of their cracks: those that no second face has.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_data.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace phyxel {

/// A side of a face, by its nodes in ascending order: a node in the plane, an edge in space.
template <int Dim>
struct CrackSide {
    std::uint32_t crack = 0;
    typename CrackData<Dim>::Front nodes = {};

    auto operator<=>(const CrackSide&) const = default;
};

/// The side opposite to a corner of a face.
template <int Dim>
CrackSide<Dim> side_of(const typename CrackData<Dim>::Face& face, std::uint32_t crack, std::size_t opposite);

/// Counts the faces at all sides, as they come. What is asked never depends on the order of the table.
template <int Dim>
class CrackRims {
public:
    void add(const typename CrackData<Dim>::Face& face, std::uint32_t crack, Index number);

    /// The only face that has this side; none if several have it.
    std::optional<Index> face_at(const CrackSide<Dim>& side) const;

private:
    struct Hash {
        std::size_t operator()(const CrackSide<Dim>& side) const;
    };
    struct Faces {
        Index first = 0;
        Index count = 0;
    };
    std::unordered_map<CrackSide<Dim>, Faces, Hash> faces_;
};

extern template class CrackRims<2>;
extern template class CrackRims<3>;

} // namespace phyxel
