// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/primitives.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phyxel {
namespace {

using std::numbers::pi;

/// A unit vector perpendicular to the unit vector a.
template <int Dim>
Vec<Dim> perpendicular(const Vec<Dim>& a)
{
    if constexpr (Dim == 2) {
        return {-a[1], a[0]};
    } else {
        int thinnest = 0;
        a.cwiseAbs().minCoeff(&thinnest);
        const Vec<3> e = Vec<3>::Unit(thinnest);
        return (e - a.dot(e) * a).normalized();
    }
}

/// d / |d|, or `otherwise` if d is zero.
template <int Dim>
Vec<Dim> direction(const Vec<Dim>& d, double length, const Vec<Dim>& otherwise)
{
    return length > 0 ? (d / length).eval() : otherwise;
}

/// d / |d|, or something perpendicular to the axis if d is zero. That is rare, and takes longer than all the
/// rest.
template <int Dim>
Vec<Dim> direction_from_axis(const Vec<Dim>& d, double length, const Vec<Dim>& axis)
{
    return length > 0 ? (d / length).eval() : perpendicular<Dim>(axis);
}

/// A place relative to an axis.
template <int Dim>
struct AxialPlace {
    double height; ///< along the axis
    double radius; ///< distance from the axis
    Vec<Dim> outwards;

    AxialPlace(const Vec<Dim>& offset, const Vec<Dim>& axis) : height(offset.dot(axis))
    {
        const Vec<Dim> across = offset - height * axis;
        radius = across.norm();
        outwards = direction_from_axis<Dim>(across, radius, axis);
    }
};

/// ‖e_k − (e_k·a) a‖: how far a unit circle around the axis a reaches along axis k.
template <int Dim>
Vec<Dim> reach_across(const Vec<Dim>& axis)
{
    return (1 - axis.array().square()).max(0.0).sqrt();
}

template <int Dim>
double ball_volume(double radius)
{
    return Dim == 2 ? pi * radius * radius : 4.0 / 3.0 * pi * radius * radius * radius;
}

template <int Dim>
double cross_section(double radius)
{
    return Dim == 2 ? 2 * radius : pi * radius * radius;
}

} // namespace

template <int Dim>
void validate(const Box<Dim>& box)
{
    detail::require_finite_value<Dim>(box.min, "box: min");
    detail::require_finite_value<Dim>(box.max, "box: max");
    if (!(box.min.array() < box.max.array()).all())
        throw InputError("box: min is " + detail::text_of<Dim>(box.min) + " and max is " +
                         detail::text_of<Dim>(box.max) + ", min must be less along every axis");
}

template <int Dim>
void validate(const Sphere<Dim>& sphere)
{
    detail::require_finite_value<Dim>(sphere.center, "sphere: center");
    detail::require_positive(sphere.radius, "sphere: radius");
}

template <int Dim>
void validate(const Cylinder<Dim>& cylinder)
{
    detail::require_finite_value<Dim>(cylinder.from, "cylinder: from");
    detail::require_finite_value<Dim>(cylinder.to, "cylinder: to");
    detail::require_positive(cylinder.radius, "cylinder: radius");
    if (cylinder.from == cylinder.to)
        throw InputError("cylinder: from and to are both " + detail::text_of<Dim>(cylinder.from) +
                         ", must be different points");
}

template <int Dim>
void validate(const Capsule<Dim>& capsule)
{
    detail::require_finite_value<Dim>(capsule.from, "capsule: from");
    detail::require_finite_value<Dim>(capsule.to, "capsule: to");
    detail::require_positive(capsule.radius, "capsule: radius");
}

void validate(const Torus<3>& torus)
{
    detail::require_finite_value<3>(torus.center, "torus: center");
    detail::require_finite_value<3>(torus.axis, "torus: axis");
    if (torus.axis.isZero(0.0)) throw InputError("torus: axis is (0, 0, 0), must have a direction");
    detail::require_positive(torus.radius, "torus: radius");
    detail::require_positive(torus.tube, "torus: tube");
    if (!(torus.tube < torus.radius))
        throw InputError("torus: tube is " + detail::text_of(torus.tube) + ", must be less than the radius " +
                         detail::text_of(torus.radius));
}

template <int Dim>
SignedDistance<Dim> signed_distance(const Box<Dim>& box, const Vec<Dim>& x)
{
    // How far x is beyond the nearer face along each axis, negative between the faces.
    Vec<Dim> gap;
    Vec<Dim> side;
    for (int k = 0; k < Dim; ++k) {
        const double below = box.min[k] - x[k];
        const double above = x[k] - box.max[k];
        gap[k] = std::max(below, above);
        side[k] = below > above ? -1.0 : 1.0;
    }
    int nearest = 0;
    const double deepest = gap.maxCoeff(&nearest);
    if (deepest <= 0) return {deepest, side[nearest] * Vec<Dim>::Unit(nearest)};
    const Vec<Dim> outside = gap.cwiseMax(0.0);
    const double distance = outside.norm();
    return {distance, side.cwiseProduct(outside) / distance};
}

template <int Dim>
SignedDistance<Dim> signed_distance(const Sphere<Dim>& sphere, const Vec<Dim>& x)
{
    const Vec<Dim> d = x - sphere.center;
    const double r = d.norm();
    return {r - sphere.radius, direction<Dim>(d, r, Vec<Dim>::Unit(Dim - 1))};
}

template <int Dim>
SignedDistance<Dim> signed_distance(const Cylinder<Dim>& cylinder, const Vec<Dim>& x)
{
    const Vec<Dim> along = cylinder.to - cylinder.from;
    const double length = along.norm();
    const Vec<Dim> axis = along / length;
    const AxialPlace<Dim> place(x - cylinder.from, axis);

    // A box in the half plane of height and radius.
    const double radial_gap = place.radius - cylinder.radius;
    const bool is_upper_end = place.height - length >= -place.height;
    const double axial_gap = is_upper_end ? place.height - length : -place.height;
    const Vec<Dim> end_normal = is_upper_end ? axis : (-axis).eval();
    if (radial_gap > 0 && axial_gap > 0) {
        const double distance = std::hypot(radial_gap, axial_gap);
        return {distance, (radial_gap * place.outwards + axial_gap * end_normal) / distance};
    }
    return radial_gap >= axial_gap ? SignedDistance<Dim>{radial_gap, place.outwards}
                                   : SignedDistance<Dim>{axial_gap, end_normal};
}

template <int Dim>
SignedDistance<Dim> signed_distance(const Capsule<Dim>& capsule, const Vec<Dim>& x)
{
    const Vec<Dim> along = capsule.to - capsule.from;
    const double square = along.squaredNorm();
    const double t = square > 0 ? std::clamp((x - capsule.from).dot(along) / square, 0.0, 1.0) : 0.0;
    const Vec<Dim> d = x - (capsule.from + t * along);
    const double r = d.norm();
    const Vec<Dim> axis = direction<Dim>(along, std::sqrt(square), Vec<Dim>::Unit(0));
    return {r - capsule.radius, direction_from_axis<Dim>(d, r, axis)};
}

SignedDistance<3> signed_distance(const Torus<3>& torus, const Vec<3>& x)
{
    const Vec<3> axis = torus.axis.stableNormalized();
    const AxialPlace<3> place(x - torus.center, axis);
    const double across = place.radius - torus.radius;
    const double r = std::hypot(across, place.height);
    const Vec<3> d = across * place.outwards + place.height * axis;
    return {r - torus.tube, direction<3>(d, r, axis)};
}

template <int Dim>
Box<Dim> bounds(const Sphere<Dim>& sphere)
{
    const Vec<Dim> reach = Vec<Dim>::Constant(sphere.radius);
    return {sphere.center - reach, sphere.center + reach};
}

template <int Dim>
Box<Dim> bounds(const Cylinder<Dim>& cylinder)
{
    const Vec<Dim> reach =
        cylinder.radius * reach_across<Dim>((cylinder.to - cylinder.from).stableNormalized());
    return {cylinder.from.cwiseMin(cylinder.to) - reach, cylinder.from.cwiseMax(cylinder.to) + reach};
}

template <int Dim>
Box<Dim> bounds(const Capsule<Dim>& capsule)
{
    const Vec<Dim> reach = Vec<Dim>::Constant(capsule.radius);
    return {capsule.from.cwiseMin(capsule.to) - reach, capsule.from.cwiseMax(capsule.to) + reach};
}

Box<3> bounds(const Torus<3>& torus)
{
    const Vec<3> reach =
        torus.radius * reach_across<3>(torus.axis.stableNormalized()) + Vec<3>::Constant(torus.tube);
    return {torus.center - reach, torus.center + reach};
}

template <int Dim>
double volume(const Sphere<Dim>& sphere)
{
    return ball_volume<Dim>(sphere.radius);
}

template <int Dim>
double volume(const Cylinder<Dim>& cylinder)
{
    return cross_section<Dim>(cylinder.radius) * (cylinder.to - cylinder.from).norm();
}

template <int Dim>
double volume(const Capsule<Dim>& capsule)
{
    return cross_section<Dim>(capsule.radius) * (capsule.to - capsule.from).norm() +
           ball_volume<Dim>(capsule.radius);
}

double volume(const Torus<3>& torus) { return 2 * pi * torus.radius * pi * torus.tube * torus.tube; }

template <int Dim>
Sphere<Dim> transformed(const Sphere<Dim>& sphere, const Similarity<Dim>& map)
{
    return {map.apply(sphere.center), map.scale * sphere.radius};
}

template <int Dim>
Cylinder<Dim> transformed(const Cylinder<Dim>& cylinder, const Similarity<Dim>& map)
{
    return {map.apply(cylinder.from), map.apply(cylinder.to), map.scale * cylinder.radius};
}

template <int Dim>
Capsule<Dim> transformed(const Capsule<Dim>& capsule, const Similarity<Dim>& map)
{
    return {map.apply(capsule.from), map.apply(capsule.to), map.scale * capsule.radius};
}

Torus<3> transformed(const Torus<3>& torus, const Similarity<3>& map)
{
    return {map.apply(torus.center), map.rotation * torus.axis, map.scale * torus.radius,
            map.scale * torus.tube};
}

template void validate(const Box<2>&);
template void validate(const Box<3>&);
template void validate(const Sphere<2>&);
template void validate(const Sphere<3>&);
template void validate(const Cylinder<2>&);
template void validate(const Cylinder<3>&);
template void validate(const Capsule<2>&);
template void validate(const Capsule<3>&);
template SignedDistance<2> signed_distance(const Box<2>&, const Vec<2>&);
template SignedDistance<3> signed_distance(const Box<3>&, const Vec<3>&);
template SignedDistance<2> signed_distance(const Sphere<2>&, const Vec<2>&);
template SignedDistance<3> signed_distance(const Sphere<3>&, const Vec<3>&);
template SignedDistance<2> signed_distance(const Cylinder<2>&, const Vec<2>&);
template SignedDistance<3> signed_distance(const Cylinder<3>&, const Vec<3>&);
template SignedDistance<2> signed_distance(const Capsule<2>&, const Vec<2>&);
template SignedDistance<3> signed_distance(const Capsule<3>&, const Vec<3>&);
template Box<2> bounds(const Sphere<2>&);
template Box<3> bounds(const Sphere<3>&);
template Box<2> bounds(const Cylinder<2>&);
template Box<3> bounds(const Cylinder<3>&);
template Box<2> bounds(const Capsule<2>&);
template Box<3> bounds(const Capsule<3>&);
template double volume(const Sphere<2>&);
template double volume(const Sphere<3>&);
template double volume(const Cylinder<2>&);
template double volume(const Cylinder<3>&);
template double volume(const Capsule<2>&);
template double volume(const Capsule<3>&);
template Sphere<2> transformed(const Sphere<2>&, const Similarity<2>&);
template Sphere<3> transformed(const Sphere<3>&, const Similarity<3>&);
template Cylinder<2> transformed(const Cylinder<2>&, const Similarity<2>&);
template Cylinder<3> transformed(const Cylinder<3>&, const Similarity<3>&);
template Capsule<2> transformed(const Capsule<2>&, const Similarity<2>&);
template Capsule<3> transformed(const Capsule<3>&, const Similarity<3>&);

} // namespace phyxel
