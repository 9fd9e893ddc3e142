// SPDX-License-Identifier: MIT
#include <phyxel/surface/boundary_probability.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <Eigen/Dense>

#include <algorithm>

namespace phyxel {

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
        const Mat<3> covariance = squares - sum * sum.transpose() / count;
        const double mean = covariance.trace() / 3.0;
        const double round = mean > 0.0 ? (covariance / mean).determinant() : 0.0;
        probability[i] = std::clamp(1.0 - round, 0.0, 1.0);
    });
    return probability;
}

std::vector<double> boundary_exposure(std::span<const Vec<3>> phyxels, const NeighborLists& neighbors)
{
    constexpr double half_space = 0.34, few = 0.6, very_few = 0.5;
    if (phyxels.empty()) return {};
    std::vector<double> exposure = boundary_probability(phyxels, neighbors);
    std::vector<double> counts(phyxels.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
        counts[i] = static_cast<double>(neighbors.of(i).size() + 1);
    std::vector<double> sorted = counts;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double median = *middle;
    parallel_for(exposure.size(), [&](Index i) {
        const double missing = (few - counts[i] / median) / (few - very_few);
        exposure[i] = std::clamp(std::max(exposure[i] / half_space, missing), 0.0, 1.0);
    });
    return exposure;
}

} // namespace phyxel
