// SPDX-License-Identifier: MIT
#include <phyxel/surface/blinn_field.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

/// Part of the level at which bells are cut.
constexpr double cut = 1e-4;

} // namespace

double blinn_radius(double spacing, double blobbiness)
{
    // In the mean over a face a layer of bells is b π / (a spacing²) e^{−a z²} high, z above it. With
    // t = a spacing² the layers ½, 1½, … spacings below are the level together; this falls with t.
    const auto face = [&](double t) {
        double sum = 0.0;
        for (double z = 0.5; z < 40.0; z += 1.0) sum += std::exp(-t * z * z);
        return std::exp(-blobbiness) * std::numbers::pi / t * sum;
    };
    double low = 1e-3, high = 1e3;
    for (int k = 0; k < 100; ++k) {
        const double middle = std::sqrt(low * high);
        (face(middle) > blinn_level ? low : high) = middle;
    }
    return spacing * std::sqrt(-blobbiness / low);
}

BlinnField::BlinnField(std::span<const Vec<3>> phyxels, const BlinnShape& shape)
    : shape_(shape),
      phyxels_(phyxels.begin(), phyxels.end())
{
    if (!(shape.radius > 0.0) || !std::isfinite(shape.radius))
        throw InputError("the radius of a coat is " + number_text(shape.radius) +
                         ", must be positive and finite");
    if (!(shape.blobbiness < 0.0) || !std::isfinite(shape.blobbiness))
        throw InputError("the blobbiness of a coat is " + number_text(shape.blobbiness) +
                         ", must be negative and finite");
    for (std::size_t i = 0; i < phyxels.size(); ++i)
        if (!phyxels[i].allFinite())
            throw InputError("phyxel " + std::to_string(i) + " of a coat has no finite place");
    a_ = -shape.blobbiness / (shape.radius * shape.radius);
    b_ = blinn_level * std::exp(-shape.blobbiness);
    reach_ = shape.radius * std::sqrt(1.0 - std::log(cut) / -shape.blobbiness);
    grid_ = detail::PointGrid(phyxels_, reach_);
    tree_ = KdTree<3>(phyxels_);
}

BlinnField::Sample BlinnField::sample(const Vec<3>& x) const
{
    double value = 0.0;
    Vec<3> gradient = Vec<3>::Zero();
    grid_.for_each_near(x, reach_, [&](Index, const Vec<3>& offset, double square) {
        const double bell = b_ * std::exp(-a_ * square);
        value += bell;
        gradient -= 2.0 * a_ * bell * offset;
    });
    return {value, gradient};
}

Index BlinnField::nearest(const Vec<3>& x) const
{
    std::vector<Neighbor<>> nearest;
    tree_.nearest(x, 1, nearest);
    return nearest.front().id;
}

Vec<3> BlinnField::bisect(Vec<3> inside, Vec<3> outside) const
{
    for (int k = 0; k < 50; ++k) {
        const Vec<3> middle = 0.5 * (inside + outside);
        (sample(middle).value >= blinn_level ? inside : outside) = middle;
    }
    return 0.5 * (inside + outside);
}

std::optional<Vec<3>> BlinnField::project(const Vec<3>& start) const
{
    constexpr int most_steps = 10;
    const double most = 0.5 * shape_.radius;
    std::optional<Vec<3>> inside, outside;
    Vec<3> x = start;
    for (int k = 0; k < most_steps; ++k) {
        const Sample at = sample(x);
        (at.value >= blinn_level ? inside : outside) = x;
        const double square = at.gradient.squaredNorm();
        if (!(square * most * most > cut * cut)) break; // a plateau, or beyond all bells
        Vec<3> step = (blinn_level - at.value) / square * at.gradient;
        const double length = step.norm();
        x += std::min(1.0, most / length) * step;
        // What is left is the square of the last step.
        if (length <= 1e-7 * shape_.radius) return x;
    }
    if (inside && outside) return bisect(*inside, *outside);
    if (!outside || phyxels_.empty()) return {};
    return bisect(phyxels_[nearest(*outside)], *outside);
}

SparseField BlinnField::sampled(double cell) const
{
    constexpr int edge = SparseField::block_edge;
    const double width = edge * cell;
    // One node more than bells reach, so that the surface does not leave the blocks.
    std::vector<GridIndex> blocks;
    for (const Vec<3>& x : phyxels_) {
        GridIndex first, last;
        for (int k = 0; k < 3; ++k) {
            const double reach = reach_ + cell;
            const double low = std::floor((x[k] - reach) / width), high = std::floor((x[k] + reach) / width);
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
