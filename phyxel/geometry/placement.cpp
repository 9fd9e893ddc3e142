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

namespace {

template <int Dim>
struct Placed {
    Shape<Dim> shape;
    Similarity<Dim> map = {};

    void transform(const Similarity<Dim>& step)
    {
        shape = shape.transformed(step);
        map = step.after(map);
    }
};

template <int Dim>
Placed<Dim> place_and_map(const Shape<Dim>& shape, const Placement<Dim>& placement)
{
    if (placement.scale && placement.size) throw InputError("scale and size are both given, use one of them");
    if (placement.scale) detail::require_positive(*placement.scale, "scale");
    if (placement.size) detail::require_positive(*placement.size, "size");
    detail::require_finite_value<Angles<Dim>::RowsAtCompileTime>(placement.rotate, "rotate");
    if (placement.at) detail::require_finite_value<Dim>(*placement.at, "at");

    Placed<Dim> placed{shape};
    if (placement.up) {
        if constexpr (Dim == 3)
            placed.transform({.rotation = upright_rotation(*placement.up)});
        else
            throw InputError("up: has a meaning in 3D only");
    }
    if (placement.scale) placed.transform({.scale = *placement.scale});
    if (placement.size) placed.transform({.scale = *placement.size / placed.shape.bounds().longest_side()});
    if (!placement.rotate.isZero(0.0)) {
        const Mat<Dim> R = rotation_matrix(placement.rotate);
        const Vec<Dim> center = placed.shape.bounds().center();
        placed.transform({.rotation = R, .translation = center - R * center});
    }
    if (placement.at) {
        const Box<Dim>& box = placed.shape.bounds();
        Vec<Dim> underside = box.center();
        underside[Dim - 1] = box.min[Dim - 1];
        placed.transform({.translation = *placement.at - underside});
    }
    return placed;
}

} // namespace

template <int Dim>
Shape<Dim> place(const Shape<Dim>& shape, const Placement<Dim>& placement)
{
    return place_and_map(shape, placement).shape;
}

template <int Dim>
Similarity<Dim> placement_map(const Shape<Dim>& shape, const Placement<Dim>& placement)
{
    return place_and_map(shape, placement).map;
}

template Shape<2> place(const Shape<2>&, const Placement<2>&);
template Shape<3> place(const Shape<3>&, const Placement<3>&);
template Similarity<2> placement_map(const Shape<2>&, const Placement<2>&);
template Similarity<3> placement_map(const Shape<3>&, const Placement<3>&);

} // namespace phyxel
