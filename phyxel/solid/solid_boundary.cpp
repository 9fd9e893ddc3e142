// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_boundary.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/solid/elastic_law.h>
#include <phyxel/solid/part_surface.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// In spacings: a piece of surface without a phyxel so near belongs to a part of the shape that has none.
constexpr double farthest_phyxel = 2.0;
/// The phyxel that a point is carried by is looked for this far below the surface, in spacings, so that
/// it is not one across a gap.
constexpr double depth_of_search = 0.25;
/// Directions in which neighbours spread less than this share of the widest say nothing of deformation.
constexpr double narrowest_spread = 0.01;

/// A⁻¹ in the directions that the neighbours span.
template <int Dim>
Mat<Dim> inverse_in_span(const Mat<Dim>& A)
{
    const Eigen::SelfAdjointEigenSolver<Mat<Dim>> solver(A);
    const Vec<Dim> values = solver.eigenvalues();
    const double largest = values[Dim - 1];
    Mat<Dim> inverse = Mat<Dim>::Zero();
    for (int k = 0; k < Dim; ++k) {
        if (!(values[k] > narrowest_spread * largest)) continue;
        const Vec<Dim> axis = solver.eigenvectors().col(k);
        inverse += axis * axis.transpose() / values[k];
    }
    return inverse;
}

} // namespace

template <int Dim>
SolidBoundary<Dim>::SolidBoundary(const SolidModel<Dim>& model, std::span<const SurfacePoints<Dim>> surfaces)
{
    PHYXEL_ASSERT(surfaces.size() + 1 == model.first_of_part.size());
    first_.push_back(0);
    for (std::size_t part = 0; part < surfaces.size(); ++part) add(model, part, surfaces[part]);
    find_shares(model.size());
}

template <int Dim>
void SolidBoundary<Dim>::add(const SolidModel<Dim>& model, std::size_t part,
                             const SurfacePoints<Dim>& surface)
{
    const Index begin = model.first_of_part[part];
    // What has flown has another shape than at first, and other neighbours.
    const bool is_first = has_first_shape(model, part);
    const std::span<const Vec<Dim>> rest = is_first ? model.origin : model.rest.position;
    const NeighborLists& neighbors = is_first ? model.start_neighbors() : model.rest.neighbors;
    const std::span<const Vec<Dim>> X = rest.subspan(begin, model.first_of_part[part + 1] - begin);
    if (X.empty()) return;
    const KdTree<Dim> tree(X);
    const double spacing = model.spacing_of_part[part];
    std::vector<Neighbor<double>> nearest;
    std::vector<Weight> found;
    std::vector<Index> near;
    for (std::size_t n = 0; n < surface.size(); ++n) {
        const Vec<Dim>& x = surface.position[n];
        if (!(surface.area[n].squaredNorm() > 0.0)) continue;
        tree.nearest(x - depth_of_search * spacing * surface.area[n].normalized(), 1, nearest);
        const Index center = begin + nearest.front().id;
        const double distance = (x - rest[center]).norm();
        if (distance > farthest_phyxel * spacing) continue;

        // Two rings of neighbours: with one, what is beyond the last phyxel would hang on two layers, and a
        // push at a corner be five times as much of it at the corner's phyxel.
        const double radius = 2.0 * model.rest.support_radius[center] + distance;
        near.assign(1, center);
        for (const Index k : neighbors.of(center)) {
            near.push_back(k);
            const auto further = neighbors.of(k);
            near.insert(near.end(), further.begin(), further.end());
        }
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        found.clear();
        double sum = 0.0;
        Vec<Dim> middle = Vec<Dim>::Zero();
        const auto take = [&](Index k) {
            const double q = (x - rest[k]).squaredNorm() / (radius * radius);
            if (!(q < 1.0)) return;
            const double w = (1.0 - q) * (1.0 - q) * (1.0 - q);
            found.push_back({k, w, Vec<Dim>::Zero()});
            sum += w;
            middle += w * rest[k];
        };
        for (const Index k : near) take(k);
        middle /= sum;
        Mat<Dim> A = Mat<Dim>::Zero();
        for (const Weight& own : found) {
            const Vec<Dim> d = rest[own.phyxel] - middle;
            A += own.value * d * d.transpose();
        }
        const Mat<Dim> inverse = inverse_in_span<Dim>(A);
        for (Weight& own : found) {
            own.gradient = own.value * (inverse * (rest[own.phyxel] - middle));
            own.value = own.value / sum + own.gradient.dot(x - middle);
        }
        weights_.insert(weights_.end(), found.begin(), found.end());
        first_.push_back(weights_.size());
        area_.push_back(surface.area[n]);
        part_.push_back(static_cast<std::uint32_t>(part));
    }
}

template <int Dim>
void SolidBoundary<Dim>::find_shares(std::size_t phyxels)
{
    first_share_.assign(phyxels + 1, 0);
    for (const Weight& own : weights_) ++first_share_[own.phyxel + 1];
    for (std::size_t k = 0; k < phyxels; ++k) first_share_[k + 1] += first_share_[k];
    shares_.resize(weights_.size());
    std::vector<std::uint64_t> next = first_share_;
    for (std::size_t n = 0; n < size(); ++n)
        for (std::uint64_t m = first_[n]; m < first_[n + 1]; ++m)
            shares_[next[weights_[m].phyxel]++] = {static_cast<Index>(n), weights_[m].value};
}

template <int Dim>
void SolidBoundary<Dim>::place(std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                               Boundary<Dim>& boundary) const
{
    boundary.position.resize(size());
    boundary.velocity.resize(size());
    boundary.area.resize(size());
    boundary.piece = part_;
    parallel_for(size(), [&](Index n) {
        Vec<Dim> x = Vec<Dim>::Zero(), v = Vec<Dim>::Zero();
        Mat<Dim> F = Mat<Dim>::Zero();
        for (std::uint64_t m = first_[n]; m < first_[n + 1]; ++m) {
            const Weight& own = weights_[m];
            x += own.value * positions[own.phyxel];
            v += own.value * velocities[own.phyxel];
            F += positions[own.phyxel] * own.gradient.transpose();
        }
        boundary.position[n] = x;
        boundary.velocity[n] = v;
        boundary.area[n] = cofactor(F) * area_[n];
    });
}

template <int Dim>
void SolidBoundary<Dim>::gather(std::span<const Vec<Dim>> of_phyxels, std::span<Vec<Dim>> of_points) const
{
    parallel_for(size(), [&](Index n) {
        of_points[n].setZero();
        for (std::uint64_t m = first_[n]; m < first_[n + 1]; ++m)
            of_points[n] += weights_[m].value * of_phyxels[weights_[m].phyxel];
    });
}

template <int Dim>
void SolidBoundary<Dim>::spread(std::span<const Vec<Dim>> of_points, std::span<Vec<Dim>> of_phyxels) const
{
    parallel_for(of_phyxels.size(), [&](Index k) {
        of_phyxels[k].setZero();
        for (std::uint64_t m = first_share_[k]; m < first_share_[k + 1]; ++m)
            of_phyxels[k] += shares_[m].value * of_points[shares_[m].point];
    });
}

template <int Dim>
void SolidBoundary<Dim>::select(std::span<const Index> points, std::size_t phyxels,
                                Selection& selection) const
{
    selection.points_.assign(points.begin(), points.end());
    auto& by_points = selection.of_points_;
    auto& by_phyxels = selection.of_phyxels_;
    by_points.first.assign(1, 0);
    by_points.other.clear();
    by_points.value.clear();
    by_phyxels.first.assign(phyxels + 2, 0);
    for (const Index n : points) {
        for (std::uint64_t m = first_[n]; m < first_[n + 1]; ++m) {
            by_points.other.push_back(weights_[m].phyxel);
            by_points.value.push_back(weights_[m].value);
            ++by_phyxels.first[weights_[m].phyxel + 2];
        }
        by_points.first.push_back(by_points.other.size());
    }
    for (std::size_t k = 0; k < phyxels; ++k) by_phyxels.first[k + 2] += by_phyxels.first[k + 1];
    by_phyxels.other.resize(by_points.other.size());
    by_phyxels.value.resize(by_points.other.size());
    // first[k + 1] counts up to the end of k, which is where the next one begins.
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::uint64_t m = by_points.first[i]; m < by_points.first[i + 1]; ++m) {
            const std::uint64_t place = by_phyxels.first[by_points.other[m] + 1]++;
            by_phyxels.other[place] = points[i];
            by_phyxels.value[place] = by_points.value[m];
        }
}

template <int Dim>
void SolidBoundary<Dim>::gather(const Selection& selection, std::span<const Vec<Dim>> of_phyxels,
                                std::span<Vec<Dim>> of_points) const
{
    const auto& shares = selection.of_points_;
    parallel_for(selection.points_.size(), [&](Index i) {
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (std::uint64_t m = shares.first[i]; m < shares.first[i + 1]; ++m)
            sum += shares.value[m] * of_phyxels[shares.other[m]];
        of_points[selection.points_[i]] = sum;
    });
}

template <int Dim>
void SolidBoundary<Dim>::spread(const Selection& selection, std::span<const Vec<Dim>> of_points,
                                std::span<Vec<Dim>> of_phyxels) const
{
    const auto& shares = selection.of_phyxels_;
    parallel_for(of_phyxels.size(), [&](Index k) {
        Vec<Dim> sum = Vec<Dim>::Zero();
        for (std::uint64_t m = shares.first[k]; m < shares.first[k + 1]; ++m)
            sum += shares.value[m] * of_points[shares.other[m]];
        of_phyxels[k] = sum;
    });
}

template class SolidBoundary<2>;
template class SolidBoundary<3>;

} // namespace phyxel
