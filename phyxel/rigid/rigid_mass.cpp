// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_mass.h>

#include <phyxel/core/error.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace phyxel {
namespace {

/// Volume and first and second moments about a reference point.
template <int Dim>
struct Moments {
    double volume = 0.0;
    Vec<Dim> first = Vec<Dim>::Zero();
    Mat<Dim> second = Mat<Dim>::Zero();

    /// A box of this centre, of which a share is filled.
    void add_box(const Vec<Dim>& center, const Vec<Dim>& size, double share)
    {
        const double v = share * size.prod();
        volume += v;
        first += v * center;
        second += v * center * center.transpose();
        for (int k = 0; k < Dim; ++k) second(k, k) += v * size[k] * size[k] / 12.0;
    }

    /// The simplex of the origin and a facet: ∫ 1, ∫ x, ∫ x xᵀ.
    void add_facet(const Facet<Dim>& facet)
    {
        Mat<Dim> corners;
        for (int k = 0; k < Dim; ++k) corners.col(k) = facet[static_cast<std::size_t>(k)];
        double determinant = 0.0;
        if constexpr (Dim == 2) {
            // The outside of a segment is to its right.
            determinant = corners(0, 0) * corners(1, 1) - corners(1, 0) * corners(0, 1);
        } else {
            determinant =
                corners.col(0).dot(Vec<3>(corners(1, 1) * corners(2, 2) - corners(2, 1) * corners(1, 2),
                                          corners(2, 1) * corners(0, 2) - corners(0, 1) * corners(2, 2),
                                          corners(0, 1) * corners(1, 2) - corners(1, 1) * corners(0, 2)));
        }
        const double v = determinant / (Dim == 2 ? 2.0 : 6.0);
        const Vec<Dim> sum = corners.rowwise().sum();
        volume += v;
        first += v / (Dim + 1) * sum;
        Mat<Dim> squares = sum * sum.transpose();
        for (int k = 0; k < Dim; ++k) squares += corners.col(k) * corners.col(k).transpose();
        second += v / ((Dim + 1) * (Dim + 2)) * squares;
    }
};

/// Cells within the shape, cut ever finer at its surface.
template <int Dim>
void add_cells(const Shape<Dim>& shape, const Box<Dim>& cell, const Vec<Dim>& origin, int levels,
               const WorkBudget& work, Moments<Dim>& moments)
{
    work.spend(shape.query_work());
    const Vec<Dim> center = cell.center();
    const Vec<Dim> size = cell.size();
    const SignedDistance<Dim> nearest = shape.sample(center);
    const double half_diagonal = 0.5 * size.norm();
    // φ is never more than the distance, so a cell that it says is far from the surface is.
    if (nearest.value > half_diagonal) return;
    if (-nearest.value > half_diagonal) {
        moments.add_box(center - origin, size, 1.0);
        return;
    }
    if (levels == 0) {
        // The plane nearest to the centre cuts off about this much.
        double width = 0.0;
        for (int k = 0; k < Dim; ++k) width += std::abs(nearest.normal[k]) * size[k];
        moments.add_box(center - origin, size, std::clamp(0.5 - nearest.value / width, 0.0, 1.0));
        return;
    }
    for (int n = 0; n < (1 << Dim); ++n) {
        Box<Dim> part = cell;
        for (int k = 0; k < Dim; ++k) ((n >> k) & 1 ? part.min : part.max)[k] = center[k];
        add_cells(shape, part, origin, levels - 1, work, moments);
    }
}

} // namespace

template <int Dim>
RigidMass<Dim> rigid_mass(const Shape<Dim>& shape, double density, const WorkBudget& work)
{
    if (shape.is_sheet()) throw InputError("a sheet has no inside, so it has no mass");
    const Box<Dim>& bounds = shape.bounds();
    const Vec<Dim> origin = bounds.center();
    Moments<Dim> moments;
    bool is_exact = false;
    // Its only part may be wrapped in combinations, which have no facets of their own.
    const std::vector<Shape<Dim>> parts = shape.parts();
    if (parts.size() == 1) {
        const std::vector<Facet<Dim>> facets = parts.front().facets(bounds.longest_side());
        for (Facet<Dim> facet : facets) {
            for (Vec<Dim>& corner : facet) corner -= origin;
            moments.add_facet(facet);
        }
        const VolumeEstimate volume = shape.volume(work);
        is_exact =
            volume.standard_error == 0.0 && std::abs(moments.volume - volume.value) < 1e-9 * volume.value;
        // Facets of round shapes are inside of them somewhere and outside elsewhere.
        const auto is_on_surface = [&](const Vec<Dim>& x) {
            return std::abs(shape.signed_distance(x)) < 1e-9 * bounds.longest_side();
        };
        if (is_exact)
            for (const Facet<Dim>& facet : facets) {
                Vec<Dim> middle = Vec<Dim>::Zero();
                for (const Vec<Dim>& corner : facet) middle += corner / Dim;
                is_exact = is_exact && is_on_surface(middle);
                if (!is_exact) break;
            }
    }
    if (!is_exact) {
        // What planes cut off of cells is wrong by their curvature, which goes with the square of the size of
        // cells: twice as large ones tell how much it is.
        constexpr int levels = Dim == 2 ? 9 : 6;
        Moments<Dim> fine, coarse;
        add_cells<Dim>(shape, bounds, origin, levels, work, fine);
        add_cells<Dim>(shape, bounds, origin, levels - 1, work, coarse);
        moments.volume = (4.0 * fine.volume - coarse.volume) / 3.0;
        moments.first = (4.0 * fine.first - coarse.first) / 3.0;
        moments.second = (4.0 * fine.second - coarse.second) / 3.0;
    }
    if (!(moments.volume > 0.0)) throw InputError("the shape has no volume, so it has no mass");

    RigidMass<Dim> result;
    result.mass = density * moments.volume;
    const Vec<Dim> mean = moments.first / moments.volume;
    result.center = origin + mean;
    const Mat<Dim> second = density * (moments.second - moments.volume * mean * mean.transpose());
    if constexpr (Dim == 2)
        result.inertia(0, 0) = second.trace();
    else
        result.inertia = second.trace() * Mat<3>::Identity() - second;
    return result;
}

template RigidMass<2> rigid_mass(const Shape<2>&, double, const WorkBudget&);
template RigidMass<3> rigid_mass(const Shape<3>&, double, const WorkBudget&);

} // namespace phyxel
