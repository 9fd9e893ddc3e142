// SPDX-License-Identifier: MIT
#include <phyxel/surface/boundary_probability.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/point_grid.h>

#include <Eigen/Dense>

#include <algorithm>

namespace phyxel {

namespace {

/// What of a covariance is not round: 1 where it is flat.
double flatness(const Mat<3>& covariance)
{
    const double mean = covariance.trace() / 3.0;
    const double round = mean > 0.0 ? (covariance / mean).determinant() : 0.0;
    return std::clamp(1.0 - round, 0.0, 1.0);
}

} // namespace

std::vector<double> boundary_probability(std::span<const Vec<3>> phyxels, const NeighborLists& neighbors)
{
    PHYXEL_ASSERT(phyxels.size() == neighbors.size());
    std::vector<double> probability(phyxels.size());
    parallel_for(phyxels.size(), [&](Index i) {
        // Offsets from the phyxel, which is one of the points with offset 0.
        const double count = static_cast<double>(neighbors.of(i).size()) + 1.0;
        Vec<3> sum = Vec<3>::Zero();
        Mat<3> squares = Mat<3>::Zero();
        for (const Index j : neighbors.of(i)) {
            const Vec<3> x = phyxels[j] - phyxels[i];
            sum += x;
            squares += x * x.transpose();
        }
        probability[i] = flatness(squares - sum * sum.transpose() / count);
    });
    return probability;
}

std::vector<double> boundary_exposure(std::span<const Vec<3>> phyxels, double radius)
{
    // Of a half-space: moments 0.0909 along its face and 0.0303 across.
    constexpr double half_space = 0.292, few = 0.6, very_few = 0.5;
    if (phyxels.empty()) return {};
    const detail::PointGrid grid(phyxels, radius);
    std::vector<double> exposure(phyxels.size()), weights(phyxels.size());
    parallel_for(
        phyxels.size(),
        [&](Index i) {
            double all = 0.0;
            Vec<3> sum = Vec<3>::Zero();
            Mat<3> squares = Mat<3>::Zero();
            grid.for_each_near(phyxels[i], radius, [&](Index, const Vec<3>& x, double square) {
                const double left = 1.0 - square / (radius * radius);
                const double w = left * left * left;
                all += w;
                sum += w * x;
                squares += w * x * x.transpose();
            });
            weights[i] = all;
            exposure[i] = flatness(squares - sum * sum.transpose() / all);
        },
        64);
    std::vector<double> sorted = weights;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    for (std::size_t i = 0; i < exposure.size(); ++i) {
        const double missing = (few - weights[i] / *middle) / (few - very_few);
        exposure[i] = std::clamp(std::max(exposure[i] / half_space, missing), 0.0, 1.0);
    }
    return exposure;
}

} // namespace phyxel
