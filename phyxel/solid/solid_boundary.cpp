// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_boundary.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/solid/crack_points.h>
#include <phyxel/solid/elastic_law.h>
#include <phyxel/solid/part_surface.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace phyxel {
namespace {

/// In spacings: a piece of surface without a phyxel so near belongs to a part of the shape that has none.
constexpr double farthest_phyxel = 2.0;
/// The phyxel that a point is carried by is looked for this far below the surface, in spacings, so that
/// it is not one across a gap.
constexpr double depth_of_search = 0.25;
/// Directions in which neighbours spread less than this share of the widest say nothing of deformation.
constexpr double narrowest_spread = 0.01;
/// Of those beside a crack so many are asked whether it hides them.
constexpr std::size_t asked_phyxels = 16;
/// In spacings of the points: how far a crack is open where it begins to be felt, and where it is felt
/// wholly. A particle of the fluid is two wide.
constexpr double first_opening = 1.0, full_opening = 2.0;

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

/// Which phyxels carry a point, and how much.
template <int Dim>
class SolidBoundary<Dim>::Carriers {
public:
    /// Without cracks these are null, or empty.
    Carriers(const SolidModel<Dim>& model, std::size_t part, const CrackSheets<Dim>* cracks)
        : model_(model),
          cracks_(cracks != nullptr && !cracks->is_empty() ? cracks : nullptr),
          first_(model.first_of_part[part]),
          spacing_(model.spacing_of_part[part])
    {
        // What has flown has another shape than at first, and other neighbours.
        const bool is_first = has_first_shape(model, part);
        rest_ = is_first ? model.origin : model.rest.position;
        neighbors_ = is_first ? &model.start_neighbors() : &model.rest.neighbors;
        tree_ = KdTree<Dim>(rest_.subspan(first_, model.first_of_part[part + 1] - first_));
        std::vector<Vec<Dim>> front;
        if (cracks_ != nullptr)
            for (const auto& nodes : cracks_->data().fronts)
                for (const Index node : nodes) front.push_back(cracks_->data().nodes[node]);
        if (!front.empty()) front_.emplace(front);
    }

    /// Those of a point whose outward normal has this direction; nothing where there are none.
    void find(const Vec<Dim>& x, const Vec<Dim>& area, std::vector<Weight>& found) const
    {
        found.clear();
        const Vec<Dim> below = x - depth_of_search * spacing_ * area.normalized();
        const bool is_beside_crack =
            cracks_ != nullptr && !cracks_->faces_near(below, farthest_phyxel * spacing_).empty();
        std::vector<Neighbor<double>> nearest;
        tree_.nearest(below, is_beside_crack ? asked_phyxels : 1, nearest);
        const auto seen = std::find_if(nearest.begin(), nearest.end(), [&](const auto& phyxel) {
            return !is_beside_crack || !cracks_->is_crossed(below, rest_[first_ + phyxel.id]);
        });
        if (seen == nearest.end()) return;
        const Index center = first_ + seen->id;
        const double distance = (x - rest_[center]).norm();
        if (distance > farthest_phyxel * spacing_) return;

        // Two rings of neighbours: with one, what is beyond the last phyxel would hang on two layers, and a
        // push at a corner be five times as much of it at the corner's phyxel.
        const double radius = 2.0 * model_.rest.support_radius[center] + distance;
        std::vector<Index> near = {center};
        for_each_joined(center, [&](Index k) {
            near.push_back(k);
            for_each_joined(k, [&](Index further) { near.push_back(further); });
        });
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        // Only around a front do neighbours of neighbours lie on the other side of a crack.
        if (is_beside_front(x, radius))
            std::erase_if(near, [&](Index k) { return cracks_->is_crossed(below, rest_[k]); });
        double sum = 0.0;
        Vec<Dim> middle = Vec<Dim>::Zero();
        const auto take = [&](Index k) {
            const double q = (x - rest_[k]).squaredNorm() / (radius * radius);
            if (!(q < 1.0)) return;
            const double w = (1.0 - q) * (1.0 - q) * (1.0 - q);
            found.push_back({k, w, Vec<Dim>::Zero()});
            sum += w;
            middle += w * rest_[k];
        };
        for (const Index k : near) take(k);
        middle /= sum;
        Mat<Dim> A = Mat<Dim>::Zero();
        for (const Weight& own : found) {
            const Vec<Dim> d = rest_[own.phyxel] - middle;
            A += own.value * d * d.transpose();
        }
        const Mat<Dim> inverse = inverse_in_span<Dim>(A);
        for (Weight& own : found) {
            own.gradient = own.value * (inverse * (rest_[own.phyxel] - middle));
            own.value = own.value / sum + own.gradient.dot(x - middle);
        }
    }

private:
    /// Neighbours that no crack is in the way of.
    template <class Visit>
    void for_each_joined(Index phyxel, const Visit& visit) const
    {
        const std::vector<double>& longer = model_.rest.lengthening;
        const bool is_known = cracks_ != nullptr && !longer.empty() && neighbors_ == &model_.rest.neighbors;
        std::size_t entry = neighbors_->offsets()[phyxel];
        for (const Index k : neighbors_->of(phyxel)) {
            if (!is_known || !(longer[entry] > 0.0)) visit(k);
            ++entry;
        }
    }

    bool is_beside_front(const Vec<Dim>& x, double reach) const
    {
        if (!front_) return false;
        std::vector<Neighbor<double>> nearest;
        front_->nearest(x, 1, nearest);
        return nearest.front().distance < reach;
    }

    const SolidModel<Dim>& model_;
    const CrackSheets<Dim>* cracks_;
    std::optional<KdTree<Dim>> front_; ///< nodes of the fronts
    Index first_;
    double spacing_;
    std::span<const Vec<Dim>> rest_;
    const NeighborLists* neighbors_ = nullptr;
    KdTree<Dim> tree_;
};

template <int Dim>
SolidBoundary<Dim>::SolidBoundary(const SolidModel<Dim>& model, std::span<const SurfacePoints<Dim>> surfaces)
    : SolidBoundary(model, surfaces, std::vector<const CrackSheets<Dim>*>(surfaces.size(), nullptr), 0.0)
{
}

template <int Dim>
SolidBoundary<Dim>::SolidBoundary(const SolidModel<Dim>& model, std::span<const SurfacePoints<Dim>> surfaces,
                                  std::span<const CrackSheets<Dim>* const> cracks, double spacing)
    : spacing_(spacing)
{
    PHYXEL_ASSERT(surfaces.size() + 1 == model.first_of_part.size() && surfaces.size() == cracks.size());
    first_.push_back(0);
    std::vector<std::optional<Carriers>> carriers(surfaces.size());
    for (std::size_t part = 0; part < surfaces.size(); ++part) {
        if (model.first_of_part[part] == model.first_of_part[part + 1]) continue;
        carriers[part].emplace(model, part, cracks[part]);
        add(*carriers[part], part, surfaces[part]);
    }
    first_of_cracks_ = size();
    for (std::size_t part = 0; part < surfaces.size(); ++part)
        if (carriers[part] && cracks[part] != nullptr && surfaces[part].size() > 0)
            add_cracks(*carriers[part], part, *cracks[part]);
    find_shares(model.size());
}

template <int Dim>
void SolidBoundary<Dim>::add(const Carriers& carriers, std::size_t part, const SurfacePoints<Dim>& surface)
{
    std::vector<std::vector<Weight>> found(surface.size());
    parallel_for(surface.size(), [&](Index n) {
        if (surface.area[n].squaredNorm() > 0.0)
            carriers.find(surface.position[n], surface.area[n], found[n]);
    });
    for (std::size_t n = 0; n < surface.size(); ++n)
        if (!found[n].empty()) add_point(part, surface.area[n], found[n]);
}

template <int Dim>
void SolidBoundary<Dim>::add_cracks(const Carriers& carriers, std::size_t part,
                                    const CrackSheets<Dim>& cracks)
{
    const std::vector<CrackPoint<Dim>> points = crack_points(cracks, spacing_);
    std::vector<std::array<std::vector<Weight>, 2>> found(points.size());
    parallel_for(points.size(), [&](Index n) {
        carriers.find(points[n].position, points[n].area, found[n][0]);
        carriers.find(points[n].position, -points[n].area, found[n][1]);
    });
    for (std::size_t n = 0; n < points.size(); ++n) {
        // Without anything on the other side there is nothing that could open.
        if (found[n][0].empty() || found[n][1].empty()) continue;
        add_point(part, points[n].area, found[n][0]);
        add_point(part, -points[n].area, found[n][1]);
    }
}

template <int Dim>
void SolidBoundary<Dim>::add_point(std::size_t part, const Vec<Dim>& area, std::span<const Weight> carriers)
{
    weights_.insert(weights_.end(), carriers.begin(), carriers.end());
    first_.push_back(weights_.size());
    area_.push_back(area);
    part_.push_back(static_cast<std::uint32_t>(part));
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
    parallel_for((size() - first_of_cracks_) / 2, [&](Index pair) {
        const std::size_t a = first_of_cracks_ + 2 * pair, b = a + 1;
        const Vec<Dim> way = boundary.position[b] - boundary.position[a];
        const double share = std::max(open_share(way, boundary.area[a]), open_share(-way, boundary.area[b]));
        boundary.area[a] *= share;
        boundary.area[b] *= share;
    });
}

/// Of a piece of a crack with this area: how far it is open if the other side is this way off. What has slid
/// along it far enough lies against another piece, or against none.
template <int Dim>
double SolidBoundary<Dim>::open_share(const Vec<Dim>& way, const Vec<Dim>& area) const
{
    const double size = area.norm();
    if (!(size > 0.0)) return 0.0;
    const double opening = std::max(way.dot(area) / size, way.norm() - full_opening * spacing_);
    return std::clamp((opening / spacing_ - first_opening) / (full_opening - first_opening), 0.0, 1.0);
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
