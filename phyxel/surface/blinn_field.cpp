// SPDX-License-Identifier: MIT
#include <phyxel/surface/blinn_field.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/anisotropic_bells.h>
#include <phyxel/surface/detail/point_grid.h>

#include <Eigen/Dense>

#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// How much wider bells are inside of a body than that of a phyxel by itself.
constexpr double widening = 1.263;

/// Of its value inside, the level: lower than one half, as the outer bells of a face are drawn inwards.
constexpr double level_share = 0.35;

/// From this part of a full neighbourhood on, that of a straight line, a bell is that of a body.
constexpr double full_from = 0.06;

/// ∫ (1 − r²)³ dx over the unit ball.
constexpr double bell_volume = 64.0 * std::numbers::pi / 315.0;

/// Gradients below this are those of a plateau [1/R].
constexpr double flat = 1e-4;

/// R / h
double relative_radius(double blobbiness) { return std::sqrt(1.0 - std::exp(blobbiness / 3.0)); }

} // namespace

BlinnShape blinn_shape(double spacing, double blobbiness)
{
    return {std::cbrt(0.75 / std::numbers::pi) * spacing, blobbiness, spacing};
}

BlinnField::BlinnField(std::span<const Vec<3>> phyxels, const BlinnShape& shape,
                       std::span<const double> sizes)
    : shape_(shape),
      phyxels_(phyxels.begin(), phyxels.end())
{
    PHYXEL_ASSERT(sizes.empty() || sizes.size() == phyxels.size());
    const auto check = [](const char* what, double value) {
        if (!(value > 0.0) || !std::isfinite(value))
            throw InputError(std::string(what) + " of a coat is " + number_text(value) +
                             ", must be positive and finite");
    };
    check("the radius", shape.radius);
    if (shape.spacing) check("the spacing", *shape.spacing);
    if (!(shape.blobbiness < 0.0) || !std::isfinite(shape.blobbiness))
        throw InputError("the blobbiness of a coat is " + number_text(shape.blobbiness) +
                         ", must be negative and finite");
    for (std::size_t i = 0; i < phyxels.size(); ++i)
        if (!phyxels[i].allFinite())
            throw InputError("phyxel " + std::to_string(i) + " of a coat has no finite place");
    for (const double size : sizes) check("the size of a phyxel", size);
    reach_ = shape.radius / relative_radius(shape.blobbiness);
    make_bells(sizes);
    lists_ = detail::CellLists(reaches_, reach_);
    tree_ = KdTree<3>(phyxels_);
}

void BlinnField::make_bells(std::span<const double> sizes)
{
    const double height = blinn_level * std::exp(-shape_.blobbiness);
    const auto size = [&](Index i) { return sizes.empty() ? 1.0 : sizes[i]; };
    bells_.resize(phyxels_.size());
    reaches_.resize(phyxels_.size());
    if (!shape_.spacing) {
        for (Index i = 0; i < phyxels_.size(); ++i) {
            const double h = size(i) * reach_;
            bells_[i] = {phyxels_[i], Mat<3>::Identity() / (h * h), height};
            reaches_[i] = {phyxels_[i], Vec<3>::Constant(h), h};
        }
        return;
    }
    double largest = 1.0;
    for (const double one : sizes) largest = std::max(largest, one);
    const double alone = reach_ / *shape_.spacing; // in spacings, as are all lengths of an ellipsoid
    // Of a bell, (height r₁ r₂ r₃).
    const double volume_alone = height * alone * alone * alone,
                 volume_inside = blinn_level / level_share / bell_volume;
    const detail::PointGrid grid(phyxels_, detail::bell_neighborhood * *shape_.spacing * largest);
    parallel_for(
        phyxels_.size(),
        [&](Index i) {
            const double spacing = size(i) * *shape_.spacing, unit = detail::bell_neighborhood * spacing;
            // A neighbour of another size stands for more, or for less.
            const auto share = [&](Index j) { return std::pow(size(j) / size(i), 3); };
            detail::Moments moments;
            grid.for_each_near(phyxels_[i], unit, [&](Index j, const Vec<3>& offset, double) {
                const Vec<3> d = offset / -unit;
                const double w = share(j) * (1.0 - d.squaredNorm());
                moments.weight += w;
                moments.first += w * d;
                moments.second += w * d * d.transpose();
            });
            const detail::Ellipsoid ellipsoid = detail::ellipsoid_of(moments, widening * alone, alone);
            const Mat<3> form = ellipsoid.form() / (spacing * spacing);
            Vec<3> center = phyxels_[i];
            if ((ellipsoid.pull.array() > 0.0).any()) {
                Vec<3> sum = Vec<3>::Zero();
                double weights = 0.0;
                grid.for_each_near(phyxels_[i], unit, [&](Index j, const Vec<3>& offset, double square) {
                    const double left = 1.0 - offset.dot(form * offset);
                    if (!(left > 0.0)) return;
                    const double w = share(j) * left * (1.0 - square / (unit * unit));
                    sum -= w * offset;
                    weights += w;
                });
                center += ellipsoid.axes *
                          ellipsoid.pull.cwiseProduct(ellipsoid.axes.transpose() * (sum / weights));
            }
            const double among = std::clamp(ellipsoid.fullness / full_from, 0.0, 1.0);
            const double volume = volume_alone + among * (volume_inside - volume_alone);
            bells_[i] = {center, form, volume / ellipsoid.radii.prod()};
            Vec<3> half_sides;
            for (int k = 0; k < 3; ++k)
                half_sides[k] =
                    spacing * ellipsoid.axes.row(k).transpose().cwiseProduct(ellipsoid.radii).norm();
            reaches_[i] = {center, half_sides, spacing * ellipsoid.radii.maxCoeff()};
        },
        64);
}

BlinnField::Sample BlinnField::sample(const Vec<3>& x) const
{
    double value = 0.0;
    Vec<3> gradient = Vec<3>::Zero();
    for (const Index i : lists_.at(x)) {
        const Bell& bell = bells_[i];
        const Vec<3> offset = x - bell.center, slope = bell.form * offset;
        const double left = 1.0 - offset.dot(slope);
        if (!(left > 0.0)) continue;
        const double steep = bell.height * left * left;
        value += steep * left;
        gradient -= 6.0 * steep * slope;
    }
    return {value, gradient};
}

Index BlinnField::nearest(const Vec<3>& x) const
{
    std::vector<Neighbor<>> nearest;
    tree_.nearest(x, 1, nearest);
    return nearest.front().id;
}

Vec<3> BlinnField::bisect(Vec<3> inside, Vec<3> outside, double tolerance) const
{
    const double enough = tolerance * shape_.radius;
    for (int k = 0; k < 50 && (outside - inside).squaredNorm() > enough * enough; ++k) {
        const Vec<3> middle = 0.5 * (inside + outside);
        (sample(middle).value >= blinn_level ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
}

std::optional<Vec<3>> BlinnField::project(const Vec<3>& start, double tolerance) const
{
    constexpr int most_steps = 10;
    const double most = 0.5 * shape_.radius;
    std::optional<Vec<3>> inside, outside;
    Vec<3> x = start;
    for (int k = 0; k < most_steps; ++k) {
        const Sample at = sample(x);
        (at.value >= blinn_level ? inside : outside) = x;
        const double square = at.gradient.squaredNorm();
        if (!(square * most * most > flat * flat)) break; // a plateau, or beyond all bells
        Vec<3> step = (blinn_level - at.value) / square * at.gradient;
        const double length = step.norm();
        x += std::min(1.0, most / length) * step;
        // What is left is the square of the last step.
        if (length <= tolerance * shape_.radius) return x;
    }
    if (inside && outside) return bisect(*inside, *outside, tolerance * tolerance);
    if (!outside || phyxels_.empty()) return {};
    const Vec<3>& within = phyxels_[nearest(*outside)];
    if (!(sample(within).value >= blinn_level)) return {};
    return bisect(within, *outside, tolerance * tolerance);
}

SparseField BlinnField::sampled(double cell) const
{
    constexpr int edge = SparseField::block_edge;
    const double width = edge * cell;
    // One node more than bells reach, so that the surface does not leave the blocks.
    std::vector<GridIndex> blocks;
    for (const detail::CellLists::Reach& bell : reaches_) {
        GridIndex first, last;
        for (int k = 0; k < 3; ++k) {
            const double reach = bell.half_sides[k] + cell;
            const double low = std::floor((bell.center[k] - reach) / width),
                         high = std::floor((bell.center[k] + reach) / width);
            if (!(std::max(std::abs(low), std::abs(high)) < SparseField::max_block))
                throw InputError("a phyxel of a coat is too far away for cells of " + number_text(cell) +
                                 " m");
            first[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(low);
            last[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(high);
        }
        for (std::int32_t c = first[2]; c <= last[2]; ++c)
            for (std::int32_t b = first[1]; b <= last[1]; ++b)
                for (std::int32_t a = first[0]; a <= last[0]; ++a) blocks.push_back({a, b, c});
    }
    SparseField field(cell, std::move(blocks));
    parallel_for(
        field.block_count(),
        [&](Index number) {
            const GridIndex block = field.block_index(number);
            const auto values = field.values(number);
            for (std::size_t n = 0; n < SparseField::block_size; ++n) {
                const auto i = static_cast<std::int32_t>(n);
                values[n] = static_cast<float>(
                    sample(field.position({edge * block[0] + (i & 7), edge * block[1] + (i >> 3 & 7),
                                           edge * block[2] + (i >> 6)}))
                        .value);
            }
        },
        4);
    return field;
}

} // namespace phyxel
