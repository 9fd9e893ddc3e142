// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/placement.h>

namespace phyxel {

Mat<3> upright_rotation(UpAxis up)
{
    // Written out: a quarter turn by sine and cosine would be off by the last bit.
    switch (up) {
    case UpAxis::X:
        return Mat<3>{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}};
    case UpAxis::Y:
        return Mat<3>{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}};
    case UpAxis::Z:
        return Mat<3>::Identity();
    case UpAxis::MinusX:
        return Mat<3>{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}};
    case UpAxis::MinusY:
        return Mat<3>{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
    case UpAxis::MinusZ:
        return Mat<3>{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    }
    return Mat<3>::Identity();
}

template <int Dim>
Shape<Dim> place(const Shape<Dim>& shape, const Placement<Dim>& placement)
{
    if (placement.scale && placement.size) throw InputError("scale and size are both given, use one of them");
    if (placement.scale) detail::require_positive(*placement.scale, "scale");
    if (placement.size) detail::require_positive(*placement.size, "size");
    detail::require_finite_value<Angles<Dim>::RowsAtCompileTime>(placement.rotate, "rotate");
    if (placement.at) detail::require_finite_value<Dim>(*placement.at, "at");

    Shape<Dim> placed = shape;
    if (placement.up) {
        if constexpr (Dim == 3)
            placed = placed.transformed({.rotation = upright_rotation(*placement.up)});
        else
            throw InputError("up: has a meaning in 3D only");
    }
    if (placement.scale) placed = placed.transformed({.scale = *placement.scale});
    if (placement.size)
        placed = placed.transformed({.scale = *placement.size / placed.bounds().longest_side()});
    if (!placement.rotate.isZero(0.0)) {
        const Mat<Dim> R = rotation_matrix(placement.rotate);
        const Vec<Dim> center = placed.bounds().center();
        placed = placed.transformed({.rotation = R, .translation = center - R * center});
    }
    if (placement.at) {
        const Box<Dim>& box = placed.bounds();
        Vec<Dim> underside = box.center();
        underside[Dim - 1] = box.min[Dim - 1];
        placed = placed.transformed({.translation = *placement.at - underside});
    }
    return placed;
}

template Shape<2> place(const Shape<2>&, const Placement<2>&);
template Shape<3> place(const Shape<3>&, const Placement<3>&);

} // namespace phyxel
