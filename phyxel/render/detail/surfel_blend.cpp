// SPDX-License-Identifier: MIT
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/detail/surfel_blend.h>
#include <phyxel/search/kd_tree.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace phyxel::detail {
namespace {

/// As many as overlap one where each reaches to the ring of its neighbours.
constexpr std::size_t most_near = 32;

/// Surfels whose normals differ by more than 60° are two sides of a sheet or of an edge.
constexpr float least_cosine = 0.5f;

/// How far out the place is: 0 at the centre, 1 at the rim.
float reach(const LocalSurfel& surfel, const Vec3f& place)
{
    const Vec3f offset = place - surfel.center;
    const float u = surfel.across_u.dot(offset);
    const float v = surfel.across_v.dot(offset);
    return u * u + v * v;
}

const Color& color_of(const std::vector<Color>& colors, std::size_t i)
{
    return colors.size() == 1 ? colors[0] : colors[i];
}

} // namespace

SurfelBlend::SurfelBlend(std::vector<LocalSurfel> surfels) : surfels_(std::move(surfels))
{
    std::vector<Vec3f> places;
    std::vector<Index> numbers;
    for (std::size_t i = 0; i < surfels_.size(); ++i)
        if (surfels_[i].center.allFinite()) {
            places.push_back(surfels_[i].center);
            numbers.push_back(static_cast<Index>(i));
        }
    offsets_.assign(surfels_.size() + 1, 0);
    if (places.empty()) return;
    const KdTree<3, float> tree{std::span<const Vec3f>(places)};
    const QueryResults<Neighbor<float>> found = tree.nearest(places, most_near + 1);
    for (std::size_t k = 0, i = 0; i < surfels_.size(); ++i) {
        if (k < numbers.size() && numbers[k] == i) {
            for (const Neighbor<float>& other : found.of(k))
                if (other.id != k &&
                    surfels_[numbers[other.id]].normal.dot(surfels_[i].normal) > least_cosine)
                    near_.push_back(numbers[other.id]);
            ++k;
        }
        offsets_[i + 1] = near_.size();
    }
}

SurfelBlend::Mixed SurfelBlend::at(std::size_t i, const Vec3f& place, const std::vector<Color>& colors) const
{
    Vec3f normal = Vec3f::Zero();
    Color color = Color::Zero();
    float sum = 0.0f;
    const auto add = [&](std::size_t j) {
        const float left = 1.0f - reach(surfels_[j], place);
        if (!(left > 0.0f)) return;
        const float weight = left * left;
        normal += weight * surfels_[j].normal;
        color += weight * color_of(colors, j);
        sum += weight;
    };
    add(i);
    for (std::size_t k = offsets_[i]; k < offsets_[i + 1]; ++k) add(near_[k]);
    const float length = normal.norm();
    if (!(length > 1e-6f * sum && sum > 1e-6f)) return {surfels_[i].normal, color_of(colors, i)};
    return {normal / length, color / sum};
}

} // namespace phyxel::detail
