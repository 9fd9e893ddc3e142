// SPDX-License-Identifier: MIT
// The shapes that bodies and obstacles are made of: simple ones, meshes, and what unions, intersections and
// differences make of them.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/facets.h>
#include <phyxel/geometry/mesh_sheet.h>
#include <phyxel/geometry/mesh_solid.h>
#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/primitives.h>
#include <phyxel/geometry/signed_distance.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace phyxel {

enum class Side { Inside, Surface, Outside };

/// A volume, or an area in 2D. The error is 0 where there is a formula, otherwise one standard deviation of
/// the sampling.
struct VolumeEstimate {
    double value;          ///< [m^Dim]
    double standard_error; ///< [m^Dim]
};

/// A closed set of kinds behind one value; copies are cheap and share what is large. Queries may run on
/// several threads at once; they throw InputError for a place that is not finite.
template <int Dim>
class Shape {
public:
    /// Throw InputError where the parameters make no shape. Tori, meshes and sheets are none in 2D.
    Shape(const Box<Dim>& box);
    Shape(const Sphere<Dim>& sphere);
    Shape(const Cylinder<Dim>& cylinder);
    Shape(const Capsule<Dim>& capsule);
    Shape(const Torus<Dim>& torus);
    Shape(const MeshSolid& mesh);
    Shape(const MeshSheet& sheet);

    /// Whether there is no inside: φ is the distance from either side. Sheets cannot be combined.
    bool is_sheet() const;

    /// Exact, but for differences and intersections: those may be smaller than their bounds.
    const Box<Dim>& bounds() const { return bounds_; }

    /// On the surface itself neither this nor its opposite is promised.
    bool inside(const Vec<Dim>& x) const { return side(x, 0.0) == Side::Inside; }

    /// Where x is if everything within `tolerance` [m] of the surface counts as surface. What lies on the
    /// surface of a part lies on the surface of a union, intersection or difference unless another part
    /// decides the matter.
    Side side(const Vec<Dim>& x, double tolerance) const;

    /// Inside or Outside if every place of the box is so by `side`; Surface if not, or if that is not known.
    Side region_side(const Box<Dim>& region, double tolerance) const;

    /// φ and ∇φ. φ < 0 inside; the sign is right. For simple shapes and meshes the magnitude is the distance
    /// to the surface. For unions inside, for intersections outside and for differences it may be less, so
    /// one can always go that far without crossing the surface: φ = min φ_i, max φ_i and max(φ_1, −φ_2, …).
    SignedDistance<Dim> sample(const Vec<Dim>& x) const;
    double signed_distance(const Vec<Dim>& x) const { return sample(x).value; }
    Vec<Dim> normal(const Vec<Dim>& x) const { return sample(x).normal; }

    /// Of all places, in parallel.
    void inside(std::span<const Vec<Dim>> x, std::span<std::uint8_t> out) const;
    void signed_distance(std::span<const Vec<Dim>> x, std::span<double> out) const;
    void sample(std::span<const Vec<Dim>> x, std::span<SignedDistance<Dim>> out) const;

    /// Whether |φ| never exceeds the distance to the other side. Not so for meshes that are not watertight,
    /// where one can walk in through a hole.
    bool has_distance_bound() const;

    /// Whether φ beyond the bounds is at least the distance from them: of simple shapes and watertight
    /// meshes.
    bool keeps_to_bounds() const;

    /// By formula for simple shapes, unions of such that do not touch, and watertight meshes that do not
    /// overlap themselves; otherwise by sampling, which takes about 10⁵ queries. Always the same number.
    /// Where a query takes long there are fewer of them. Found once for all copies of the shape.
    VolumeEstimate volume(const WorkBudget& work = {}) const;

    /// Of the surfaces of all parts, a length in 2D: exact for meshes, otherwise half of what the bounds
    /// have. To know before it is made how much a surface will be. [m^(Dim − 1)]
    double rough_area() const;

    /// What a query takes on average, in units of WorkBudget: as many as there are simple shapes; more for
    /// meshes.
    double query_work() const;

    /// Side of a box, diameter, thickness: an upper bound of how thin the shape is. Particles should be
    /// closer than this. [m]
    double thickness() const;

    Shape transformed(const Similarity<Dim>& map) const;

    /// The simple shapes and meshes that it is made of, from left to right; itself if it is one.
    std::vector<Shape> parts() const;

    /// The surface of a simple shape or mesh; must not be a combination. Those of round parts are about
    /// `edge` [m] long, the others as they come.
    std::vector<Facet<Dim>> facets(double edge) const;

    template <int D>
    friend Shape<D> unite(std::vector<Shape<D>> parts);
    template <int D>
    friend Shape<D> intersect(std::vector<Shape<D>> parts);
    template <int D>
    friend Shape<D> subtract(std::vector<Shape<D>> parts);

private:
    struct Node;
    explicit Shape(Node node);
    VolumeEstimate find_volume(const WorkBudget& work) const;

    std::shared_ptr<const Node> node_;
    Box<Dim> bounds_;
};

/// What is in any part. Throw InputError without parts, and if one of several is a sheet.
template <int Dim>
Shape<Dim> unite(std::vector<Shape<Dim>> parts);

/// What is in all parts. Throws InputError also if their bounds do not overlap.
template <int Dim>
Shape<Dim> intersect(std::vector<Shape<Dim>> parts);

/// What is in the first part and in none of the others.
template <int Dim>
Shape<Dim> subtract(std::vector<Shape<Dim>> parts);

extern template class Shape<2>;
extern template class Shape<3>;

} // namespace phyxel
