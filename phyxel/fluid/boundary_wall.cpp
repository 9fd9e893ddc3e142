// SPDX-License-Identifier: MIT
#include <phyxel/fluid/boundary_wall.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace phyxel {
namespace {

/// In particle spacings: nearer than this sums over points are too coarse, as in ghost_wall.cpp.
constexpr double nearest_sum = 0.35;
/// m = s²/30 of a piece of the width s, see GhostWall::sum.
constexpr double squares_per_moment = 30.0;
/// Cosines between the faces that a place sees and those that it does not: between these the latter come to
/// count. Faces beyond an edge do, the far side of a plate does not.
constexpr double far_side_cosine = -0.8;
constexpr double beyond_edge_cosine = -0.3;
/// Beside its piece of surface, in half widths of it, a point stops nothing that is below it.
constexpr double widest_stop = 1.5;

template <int Dim>
double half_width(double size)
{
    return Dim == 2 ? 0.5 * size : std::sqrt(size / std::numbers::pi);
}

} // namespace

template <int Dim>
BoundaryWall<Dim>::BoundaryWall(double support_ratio) : kernel_(support_ratio),
                                                        support_ratio_(support_ratio)
{
}

template <int Dim>
void BoundaryWall<Dim>::place(const Boundary<Dim>& boundary, double support_radius, const Domain<Dim>& domain)
{
    boundary_ = &boundary;
    find_images(support_radius, domain);
    near_ = {};
    for (const Vec<Dim>& y : images_) near_.extend(y);
    near_.min.array() -= support_radius;
    near_.max.array() += support_radius;
    sort_into_cells(support_radius);
}

template <int Dim>
void BoundaryWall<Dim>::find_images(double reach, const Domain<Dim>& domain)
{
    image_of_.clear();
    if (!domain.is_periodic()) {
        images_ = boundary_->position;
        image_of_.resize(images_.size());
        std::iota(image_of_.begin(), image_of_.end(), Index(0));
        return;
    }
    images_.clear();
    const PeriodicBox<Dim> periodic = domain.periodic_box();
    for (std::size_t n = 0; n < boundary_->size(); ++n)
        for_each_image<Dim>(periodic, boundary_->position[n], domain.box, reach, [&](const Vec<Dim>& y) {
            images_.push_back(y);
            image_of_.push_back(static_cast<Index>(n));
        });
}

template <int Dim>
void BoundaryWall<Dim>::sort_into_cells(double reach)
{
    constexpr double most_cells = 1 << 20;
    is_near_cell_.clear();
    if (near_.is_empty()) return;
    const Vec<Dim> size = near_.max - near_.min;
    cell_edge_ =
        std::max({reach, std::pow(size.prod() / most_cells, 1.0 / Dim), size.maxCoeff() / most_cells});
    for (int k = 0; k < Dim; ++k) cells_[k] = 1 + static_cast<std::int64_t>(size[k] / cell_edge_);
    const auto count = static_cast<std::size_t>(cells_.prod());
    first_of_cell_.assign(count + 2, 0);
    for (const Vec<Dim>& y : images_) ++first_of_cell_[cell_number(y) + 2];
    is_near_cell_.assign(count, 0);
    for (std::size_t n = 0; n < count; ++n) {
        is_near_cell_[n] = first_of_cell_[n + 2] > 0 ? 1 : 0;
        first_of_cell_[n + 2] += first_of_cell_[n + 1];
    }
    points_.resize(images_.size());
    // first_of_cell_[n + 1] counts up to the end of cell n, which is where the next one begins.
    places_.resize(points_.size());
    for (std::size_t n = 0; n < points_.size(); ++n) {
        const Index place = first_of_cell_[cell_number(images_[n]) + 1]++;
        points_[place] = image_of_[n];
        places_[place] = images_[n];
    }
    first_of_cell_.pop_back();
    // Near cells: spread by one along each axis in turn.
    std::int64_t stride = 1;
    for (int k = 0; k < Dim; ++k) {
        const std::vector<std::uint8_t> before = is_near_cell_;
        for (std::size_t n = 0; n < before.size(); ++n) {
            if (before[n] == 0) continue;
            const std::int64_t cell = static_cast<std::int64_t>(n) / stride % cells_[k];
            if (cell > 0) is_near_cell_[n - static_cast<std::size_t>(stride)] = 1;
            if (cell + 1 < cells_[k]) is_near_cell_[n + static_cast<std::size_t>(stride)] = 1;
        }
        stride *= cells_[k];
    }
}

template <int Dim>
void BoundaryWall<Dim>::find_near(const Vec<Dim>& x, double radius, std::span<const std::uint32_t> unfelt,
                                  std::vector<Index>& near) const
{
    near.clear();
    const double squared_radius = radius * radius;
    const auto first = [&](int k) { return std::max<std::int64_t>(cell_along(x, k) - 1, 0); };
    const auto last = [&](int k) { return std::min<std::int64_t>(cell_along(x, k) + 1, cells_[k] - 1); };
    // Cells along the first axis follow each other.
    const auto look = [&](std::int64_t row) {
        const auto begin = first_of_cell_[static_cast<std::size_t>(row * cells_[0] + first(0))];
        const auto end = first_of_cell_[static_cast<std::size_t>(row * cells_[0] + last(0)) + 1];
        for (Index n = begin; n < end; ++n)
            if ((x - places_[n]).squaredNorm() <= squared_radius) near.push_back(n);
    };
    for (std::int64_t j = first(1); j <= last(1); ++j) {
        if constexpr (Dim == 2)
            look(j);
        else
            for (std::int64_t l = first(2); l <= last(2); ++l) look(l * cells_[1] + j);
    }
    if (!unfelt.empty())
        std::erase_if(near, [&](Index n) {
            return std::binary_search(unfelt.begin(), unfelt.end(), boundary_->piece[points_[n]]);
        });
}

/// The sums over points, as GhostWall has them. `sight.normal` tells what faces away.
template <int Dim>
void BoundaryWall<Dim>::sum(const Vec<Dim>& x, double support_radius, const std::vector<Index>& near,
                            BoundarySight<Dim>& sight, std::vector<BoundaryWeight>* weights) const
{
    const double per_length = 1.0 / support_radius;
    const double per_area = Dim == 2 ? per_length : per_length * per_length;
    const double squared_reach = kernel_.reach() * kernel_.reach();
    const double squared_core = kernel_.core() * kernel_.core();
    const double entries = kernel_.entries_per_square();
    const auto& table = kernel_.table();
    sight.share = 0.0;
    sight.push.setZero();
    if (weights != nullptr) weights->clear();
    double total = 0.0;
    for (const Index n : near) {
        const Vec<Dim> d = per_length * (x - places_[n]);
        const double r2 = d.squaredNorm();
        if (!(r2 < squared_reach)) continue;
        const Vec<Dim> area = per_area * boundary_->area[points_[n]];
        const double size2 = area.squaredNorm();
        if (!(size2 > 0.0)) continue;
        const double size = std::sqrt(size2);
        const double towards = d.dot(area);
        double counted = 1.0;
        if (towards < 0.0) {
            const double cosine = area.dot(sight.normal) / size;
            counted =
                std::clamp((cosine - far_side_cosine) / (beyond_edge_cosine - far_side_cosine), 0.0, 1.0);
            if (counted == 0.0) continue;
        }
        const double place = r2 * entries;
        const auto k = std::min(static_cast<std::size_t>(place), table.size() - 1);
        const double t = place - static_cast<double>(k);
        const auto& entry = table[k];
        const double phi = static_cast<double>(entry.flux) + t * static_cast<double>(entry.flux_step);
        const double omega = static_cast<double>(entry.value) + t * static_cast<double>(entry.value_step);
        const double squared_height = towards * towards / size2;
        const double per_r2 = 1.0 / std::max(r2, squared_core);
        const double squared_cosine = squared_height * per_r2;
        const double moment = (Dim == 2 ? size2 : size) / squares_per_moment;
        const double laplacian =
            (3.0 - (Dim + 2.0) * squared_cosine) * (Dim * phi + omega) * per_r2 -
            (1.0 - squared_cosine) * static_cast<double>(entry.value_step) * 2.0 * entries;
        sight.share += counted * (phi + moment * laplacian) * towards;
        sight.push += counted * omega * per_length * area;
        if (weights == nullptr || !(omega > 0.0)) continue;
        // What faces the particle takes its push.
        const double weight = omega * size * std::max(0.0, area.dot(sight.normal) / size);
        if (!(weight > 0.0)) continue;
        weights->push_back({points_[n], weight});
        total += weight;
    }
    if (weights != nullptr)
        for (BoundaryWeight& own : *weights) own.weight /= total;
}

template <int Dim>
BoundarySight<Dim> BoundaryWall<Dim>::at(const Vec<Dim>& x, double support_radius,
                                         std::vector<BoundaryWeight>* weights,
                                         std::span<const std::uint32_t> unfelt) const
{
    BoundarySight<Dim> sight;
    if (weights != nullptr) weights->clear();
    if (!may_reach(x)) return sight;
    thread_local std::vector<Index> near;
    find_near(x, support_radius, unfelt, near);
    // The nearest that faces the place; else it is inside, and the nearest of all leads out.
    double least = std::numeric_limits<double>::infinity();
    double least_facing = least;
    Index nearest = 0, nearest_facing = 0;
    for (const Index n : near) {
        const Vec<Dim> d = x - places_[n];
        const double r2 = d.squaredNorm();
        if (boundary_->area[points_[n]].isZero(0.0)) continue;
        if (r2 < least) {
            least = r2;
            nearest = n;
        }
        if (r2 < least_facing && d.dot(boundary_->area[points_[n]]) >= 0.0) {
            least_facing = r2;
            nearest_facing = n;
        }
    }
    if (!(least < std::numeric_limits<double>::infinity())) return sight;
    if (least_facing < std::numeric_limits<double>::infinity()) nearest = nearest_facing;
    const Vec<Dim>& area = boundary_->area[points_[nearest]];
    const double size = area.norm();
    sight.normal = area / size;
    const Vec<Dim> d = x - places_[nearest];
    const double height = d.dot(sight.normal);
    const double beside =
        std::max(std::sqrt(std::max(d.squaredNorm() - height * height, 0.0)) - half_width<Dim>(size), 0.0);
    sight.distance = std::hypot(height, beside);
    sight.velocity = boundary_->velocity[points_[nearest]];
    sight.surface = boundary_->surface_of(points_[nearest]);

    const double wanted = nearest_sum * support_radius / support_ratio_;
    const bool is_inside = height < 0.0 && beside <= half_width<Dim>(size);
    const bool is_too_near = height < wanted && (sight.distance < wanted || is_inside);
    const Vec<Dim> place = is_too_near ? Vec<Dim>(x + (wanted - height) * sight.normal) : x;
    if (is_too_near) find_near(place, support_radius, unfelt, near);
    sum(place, support_radius, near, sight, weights);
    if (is_too_near) sight.share += (wanted - std::max(height, 0.0)) * sight.push.norm();
    sight.share = std::clamp(sight.share, 0.0, 1.0);
    if (weights != nullptr && !weights->empty()) {
        sight.velocity.setZero();
        for (const BoundaryWeight& own : *weights)
            sight.velocity += own.weight * boundary_->velocity[own.point];
    }
    return sight;
}

template <int Dim>
std::optional<BoundaryStop<Dim>>
BoundaryWall<Dim>::stop(const Vec<Dim>& x, const Vec<Dim>& velocity, const Vec<Dim>& normal, double spacing,
                        double least, double dt, std::span<const std::uint32_t> unfelt) const
{
    // Where the particle would be if the boundary had stayed where it was when the step began.
    thread_local std::vector<Index> near;
    const Vec<Dim> middle = x - dt * velocity;
    if (!may_reach(middle)) return {};
    find_near(middle, std::min(2.0 * spacing, cell_edge_), unfelt, near);
    double nearest = std::numeric_limits<double>::infinity();
    std::optional<BoundaryStop<Dim>> found;
    double beside = 0.0, width = 0.0;
    for (const Index n : near) {
        const Vec<Dim>& area = boundary_->area[points_[n]];
        if (!(area.dot(normal) > 0.0)) continue; // the far side
        const Vec<Dim> d = x - dt * boundary_->velocity[points_[n]] - places_[n];
        const double r2 = d.squaredNorm();
        if (r2 >= nearest) continue;
        nearest = r2;
        const double size = area.norm();
        const Vec<Dim> n_hat = area / size;
        const double height = d.dot(n_hat);
        found = BoundaryStop<Dim>{points_[n], n_hat, height};
        beside = std::sqrt(std::max(r2 - height * height, 0.0));
        width = half_width<Dim>(size);
    }
    if (!found || found->height >= least || beside > widest_stop * width) return {};
    return found;
}

template class BoundaryWall<2>;
template class BoundaryWall<3>;

} // namespace phyxel
