// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/surfels.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr double split_above = 2.0; ///< half-axis in units of r_s
constexpr double merge_below = 0.5;

/// A surfel that is split leaves two of this part of its length, moved apart so that they end where it ended.
/// A half would leave gaps beside the middle, where two ellipses meet with their tips.
constexpr double child_length = 0.7;

constexpr Index is_new = std::numeric_limits<Index>::max();

/// A surfel at rest and now.
struct Surfel {
    Vec<3> rest;
    SurfelAxes rest_axes;
    Vec<3> position;
    SurfelAxes axes;
    std::uint64_t id;
    Index kept; ///< its number before, or `is_new`
};

Vec<3> product(const SurfelAxes& axes) { return axes[0].cross(axes[1]); }

/// Turns the axes within the ellipse, at rest and now alike, until those now are its longest and shortest.
void turn_to_principal_axes(Surfel& surfel)
{
    const Vec<3> a = surfel.axes[0], b = surfel.axes[1];
    const double angle = 0.5 * std::atan2(2.0 * a.dot(b), a.squaredNorm() - b.squaredNorm());
    const double c = std::cos(angle), s = std::sin(angle);
    for (SurfelAxes* axes : {&surfel.axes, &surfel.rest_axes}) {
        const SurfelAxes before = *axes;
        *axes = {c * before[0] + s * before[1], c * before[1] - s * before[0]};
    }
}

/// The longest half-axis of the ellipse now [m].
double length_of(const Surfel& surfel)
{
    Surfel turned = surfel;
    turn_to_principal_axes(turned);
    return turned.axes[0].norm();
}

/// An ellipse with the middle and the second moments of two together.
struct Ellipse {
    Vec<3> middle;
    SurfelAxes axes;
};

Ellipse join(const Vec<3>& x, const SurfelAxes& a, const Vec<3>& y, const SurfelAxes& b)
{
    // By area. A disc that was squeezed to a line has none, but must not be lost.
    const double smallest = std::numeric_limits<double>::min();
    const double area_a = product(a).norm() + smallest, area_b = product(b).norm() + smallest;
    const double p = area_a / (area_a + area_b), q = 1.0 - p;
    Ellipse joined;
    joined.middle = p * x + q * y;
    // The second moments of an ellipse are (t₁t₁ᵀ + t₂t₂ᵀ) / 4, those of the centres p q (x − y)(x − y)ᵀ.
    Mat<3> moments = 4.0 * p * q * (x - y) * (x - y).transpose();
    for (std::size_t k = 0; k < 2; ++k) moments += p * a[k] * a[k].transpose() + q * b[k] * b[k].transpose();
    Eigen::SelfAdjointEigenSolver<Mat<3>> solver;
    solver.computeDirect(moments);
    for (int k = 0; k < 2; ++k)
        joined.axes[static_cast<std::size_t>(k)] =
            std::sqrt(std::max(0.0, solver.eigenvalues()[2 - k])) * solver.eigenvectors().col(2 - k);
    if (product(joined.axes).dot(product(a) + product(b)) < 0.0) joined.axes[1] = -joined.axes[1];
    return joined;
}

/// Pairs (a, b), a < b, of surfels that are each other's nearest at rest, lie on the same side of the body
/// and touch. Only those that `may` be merged.
template <class May>
std::vector<std::pair<Index, Index>> find_pairs(const std::vector<Surfel>& surfels, const May& may)
{
    std::vector<Index> candidates;
    std::vector<Vec<3>> places;
    for (Index i = 0; i < surfels.size(); ++i)
        if (may(i)) {
            candidates.push_back(i);
            places.push_back(surfels[i].rest);
        }
    if (candidates.size() < 2) return {};
    const KdTree<3> tree(places);
    constexpr std::size_t choices = 8;
    const QueryResults<Neighbor<>> nearest = tree.nearest(places, choices + 1);

    // First come, first served: among discs that lie regularly, few pairs are each other's nearest.
    std::vector<bool> is_taken(candidates.size(), false);
    std::vector<std::pair<Index, Index>> pairs;
    const auto may_meet = [](const Surfel& a, const Surfel& b, double distance) {
        // Discs on the two sides of a gap or of a thin sheet are near each other, but face away.
        const Vec<3> n = product(a.rest_axes), m = product(b.rest_axes);
        const auto reach = [](const Surfel& s) {
            return std::max(s.rest_axes[0].norm(), s.rest_axes[1].norm());
        };
        return n.dot(m) > 0.5 * n.norm() * m.norm() && distance <= reach(a) + reach(b);
    };
    for (Index k = 0; k < candidates.size(); ++k) {
        if (is_taken[k]) continue;
        for (const Neighbor<>& other : nearest.of(k)) {
            if (other.id == k || is_taken[other.id]) continue;
            if (!may_meet(surfels[candidates[k]], surfels[candidates[other.id]], other.distance)) continue;
            pairs.emplace_back(candidates[k], candidates[other.id]);
            is_taken[k] = is_taken[other.id] = true;
            break;
        }
    }
    return pairs;
}

/// Replaces the pairs by joined surfels behind all others.
void merge(std::vector<Surfel>& surfels, const std::vector<std::pair<Index, Index>>& pairs,
           std::uint64_t& next_id)
{
    std::vector<bool> is_gone(surfels.size(), false);
    std::vector<Surfel> joined;
    for (const auto& [i, j] : pairs) {
        const Surfel& a = surfels[i];
        const Surfel& b = surfels[j];
        const Ellipse rest = join(a.rest, a.rest_axes, b.rest, b.rest_axes);
        const Ellipse now = join(a.position, a.axes, b.position, b.axes);
        joined.push_back({rest.middle, rest.axes, now.middle, now.axes, next_id++, is_new});
        is_gone[i] = is_gone[j] = true;
    }
    std::size_t left = 0;
    for (std::size_t i = 0; i < surfels.size(); ++i)
        if (!is_gone[i]) surfels[left++] = surfels[i];
    surfels.resize(left);
    surfels.insert(surfels.end(), joined.begin(), joined.end());
}

/// The two halves of a surfel, along its longest axis now.
std::array<Surfel, 2> halves(Surfel surfel)
{
    turn_to_principal_axes(surfel);
    std::array<Surfel, 2> children = {surfel, surfel};
    for (std::size_t k = 0; k < 2; ++k) {
        const double shift = (k == 0 ? -1.0 : 1.0) * (1.0 - child_length);
        children[k].rest += shift * surfel.rest_axes[0];
        children[k].position += shift * surfel.axes[0];
        children[k].rest_axes[0] *= child_length;
        children[k].axes[0] *= child_length;
        children[k].kept = is_new;
    }
    return children;
}

/// Splits what is longer than `longest` [m], the longest first, while there are not more than `most`. Returns
/// how many were split.
std::size_t split(std::vector<Surfel>& surfels, double longest, std::size_t most, std::uint64_t& next_id)
{
    std::vector<std::pair<double, Index>> due;
    for (Index i = 0; i < surfels.size(); ++i)
        if (const double length = length_of(surfels[i]); length > longest && std::isfinite(length))
            due.emplace_back(-length, i);
    std::sort(due.begin(), due.end());

    std::vector<bool> is_gone(surfels.size(), false);
    std::vector<Surfel> children;
    std::size_t count = surfels.size();
    std::size_t split_count = 0;
    for (const auto& [length, i] : due) {
        std::vector<Surfel> waiting = {surfels[i]};
        std::vector<Surfel> done;
        while (!waiting.empty()) {
            const Surfel surfel = waiting.back();
            waiting.pop_back();
            if (count >= most || !(length_of(surfel) > longest)) {
                done.push_back(surfel);
                continue;
            }
            const std::array<Surfel, 2> both = halves(surfel);
            waiting.insert(waiting.end(), both.begin(), both.end());
            ++count;
            ++split_count;
        }
        if (done.size() == 1) continue;
        is_gone[i] = true;
        children.insert(children.end(), done.begin(), done.end());
    }
    for (Surfel& child : children) child.id = next_id++;
    std::size_t left = 0;
    for (std::size_t i = 0; i < surfels.size(); ++i)
        if (!is_gone[i]) surfels[left++] = surfels[i];
    surfels.resize(left);
    surfels.insert(surfels.end(), children.begin(), children.end());
    return split_count;
}

void check_radius(double radius)
{
    if (!(radius > 0.0) || !std::isfinite(radius))
        throw InputError("the radius of surfels is " + std::to_string(radius) +
                         ", must be positive and finite");
}

} // namespace

SurfelSet::SurfelSet(std::span<const Vec<3>> points, std::span<const Vec<3>> normals, double radius,
                     std::uint64_t first_id)
    : radius_(radius)
{
    PHYXEL_ASSERT(points.size() == normals.size());
    check_radius(radius);
    state_.next_id = first_id;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].allFinite() || !normals[i].allFinite() || normals[i].isZero(0.0))
            throw InputError("surfel " + std::to_string(i) + " has no finite place and normal");
        const Vec<3> n = normals[i] / normals[i].cwiseAbs().maxCoeff();
        const Vec<3> t = n.unitOrthogonal();
        state_.positions.push_back(points[i]);
        state_.axes.push_back({radius * t, radius * n.normalized().cross(t)});
        state_.ids.push_back(state_.next_id++);
    }
    positions_ = state_.positions;
    axes_ = state_.axes;
}

SurfelSet::SurfelSet(SurfelState state, double radius) : state_(std::move(state)), radius_(radius)
{
    check_radius(radius);
    const std::size_t count = state_.positions.size();
    if (state_.axes.size() != count || state_.ids.size() != count)
        throw InputError("surfels have different numbers of positions, axes and ids");
    for (std::size_t i = 0; i < count; ++i) {
        if (!state_.positions[i].allFinite() || !state_.axes[i][0].allFinite() ||
            !state_.axes[i][1].allFinite())
            throw InputError("surfel " + std::to_string(i) + " has no finite place and axes");
        if (state_.ids[i] >= state_.next_id || (i > 0 && state_.ids[i] <= state_.ids[i - 1]))
            throw InputError("the ids of surfels do not ascend");
    }
    positions_ = state_.positions;
    axes_ = state_.axes;
}

std::vector<Vec<3>> SurfelSet::rest_normals() const
{
    std::vector<Vec<3>> normals;
    for (const SurfelAxes& axes : state_.axes) normals.push_back(product(axes).normalized());
    return normals;
}

std::vector<Vec<3, float>> SurfelSet::normals() const
{
    std::vector<Vec<3, float>> normals(size());
    parallel_for(size(), [&](Index i) { normals[i] = product(axes_[i]).normalized().cast<float>(); });
    return normals;
}

void SurfelSet::update(Skinning<float>& skin, std::span<const Vec<3>> node_positions,
                       std::span<const Mat<3>> deformation_gradients)
{
    PHYXEL_ASSERT(skin.size() == size());
    gradients_.resize(size());
    skin.update_with_gradients(node_positions, deformation_gradients, positions_, gradients_);
    parallel_for(size(), [&](Index i) {
        const Mat<3> F = gradients_[i].cast<double>();
        axes_[i] = {F * state_.axes[i][0], F * state_.axes[i][1]};
    });
}

ResampleReport SurfelSet::resample(Skinning<float>& skin, const SkinningNodes& nodes, std::size_t most)
{
    PHYXEL_ASSERT(skin.size() == size());
    ResampleReport report;
    std::vector<Surfel> surfels(size());
    for (Index i = 0; i < size(); ++i)
        surfels[i] = {state_.positions[i], state_.axes[i], positions_[i], axes_[i], state_.ids[i], i};

    const double small = merge_below * radius_;
    std::vector<std::pair<Index, Index>> pairs =
        find_pairs(surfels, [&](Index i) { return length_of(surfels[i]) < small; });
    merge(surfels, pairs, state_.next_id);
    report.merged += pairs.size();
    while (surfels.size() > most) {
        pairs = find_pairs(surfels, [](Index) { return true; });
        if (pairs.empty()) break;
        const auto size_of = [&](const std::pair<Index, Index>& pair) {
            return std::max(length_of(surfels[pair.first]), length_of(surfels[pair.second]));
        };
        std::stable_sort(pairs.begin(), pairs.end(),
                         [&](const auto& a, const auto& b) { return size_of(a) < size_of(b); });
        if (pairs.size() > surfels.size() - most) pairs.resize(surfels.size() - most);
        merge(surfels, pairs, state_.next_id);
        report.merged += pairs.size();
    }
    report.split = split(surfels, split_above * radius_, most, state_.next_id);
    if (report.merged == 0 && report.split == 0) return report;

    std::vector<Index> kept;
    std::vector<Vec<3>> added;
    std::vector<Vec<3>> added_normals;
    state_.positions.clear();
    state_.axes.clear();
    state_.ids.clear();
    positions_.clear();
    axes_.clear();
    for (const Surfel& surfel : surfels) {
        state_.positions.push_back(surfel.rest);
        state_.axes.push_back(surfel.rest_axes);
        state_.ids.push_back(surfel.id);
        positions_.push_back(surfel.position);
        axes_.push_back(surfel.axes);
        if (surfel.kept != is_new) {
            kept.push_back(surfel.kept);
        } else {
            added.push_back(surfel.rest);
            added_normals.push_back(product(surfel.rest_axes).normalized());
        }
    }
    skin.replace(kept, added, added_normals, nodes);
    return report;
}

} // namespace phyxel
