// SPDX-License-Identifier: MIT
// The simple shapes and their exact distances: box, sphere, cylinder, capsule, torus. In 2D a sphere is a
// disc, a cylinder the rectangle around its axis and a capsule a stadium.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/signed_distance.h>

namespace phyxel {

template <int Dim>
struct Sphere {
    Vec<Dim> center = Vec<Dim>::Zero(); ///< [m]
    double radius = 0.0;                ///< [m]
};

/// With flat ends.
template <int Dim>
struct Cylinder {
    Vec<Dim> from = Vec<Dim>::Zero(); ///< centre of one end [m]
    Vec<Dim> to = Vec<Dim>::Zero();   ///< centre of the other end [m]
    double radius = 0.0;              ///< [m]
};

/// The points within `radius` of a segment.
template <int Dim>
struct Capsule {
    Vec<Dim> from = Vec<Dim>::Zero(); ///< [m]
    Vec<Dim> to = Vec<Dim>::Zero();   ///< [m]
    double radius = 0.0;              ///< [m]
};

/// The points within `tube` of a circle. Only in 3D.
template <int Dim>
struct Torus {
    Vec<Dim> center = Vec<Dim>::Zero();      ///< [m]
    Vec<Dim> axis = Vec<Dim>::Unit(Dim - 1); ///< perpendicular to the circle; of any length
    double radius = 0.0;                     ///< of the circle [m]
    double tube = 0.0;                       ///< radius of the tube, less than that of the circle [m]
};

/// Throw InputError where parameters make no shape.
template <int Dim>
void validate(const Box<Dim>& box);
template <int Dim>
void validate(const Sphere<Dim>& sphere);
template <int Dim>
void validate(const Cylinder<Dim>& cylinder);
template <int Dim>
void validate(const Capsule<Dim>& capsule);
void validate(const Torus<3>& torus);

/// Exact. Where several boundary points are nearest the normal is that of one of them, always the same.
template <int Dim>
SignedDistance<Dim> signed_distance(const Box<Dim>& box, const Vec<Dim>& x);
template <int Dim>
SignedDistance<Dim> signed_distance(const Sphere<Dim>& sphere, const Vec<Dim>& x);
template <int Dim>
SignedDistance<Dim> signed_distance(const Cylinder<Dim>& cylinder, const Vec<Dim>& x);
template <int Dim>
SignedDistance<Dim> signed_distance(const Capsule<Dim>& capsule, const Vec<Dim>& x);
SignedDistance<3> signed_distance(const Torus<3>& torus, const Vec<3>& x);

template <int Dim>
Box<Dim> bounds(const Sphere<Dim>& sphere);
template <int Dim>
Box<Dim> bounds(const Cylinder<Dim>& cylinder);
template <int Dim>
Box<Dim> bounds(const Capsule<Dim>& capsule);
Box<3> bounds(const Torus<3>& torus);

/// Area in 2D.
template <int Dim>
double volume(const Sphere<Dim>& sphere);
template <int Dim>
double volume(const Cylinder<Dim>& cylinder);
template <int Dim>
double volume(const Capsule<Dim>& capsule);
double volume(const Torus<3>& torus);

template <int Dim>
Sphere<Dim> transformed(const Sphere<Dim>& sphere, const Similarity<Dim>& map);
template <int Dim>
Cylinder<Dim> transformed(const Cylinder<Dim>& cylinder, const Similarity<Dim>& map);
template <int Dim>
Capsule<Dim> transformed(const Capsule<Dim>& capsule, const Similarity<Dim>& map);
Torus<3> transformed(const Torus<3>& torus, const Similarity<3>& map);

} // namespace phyxel
