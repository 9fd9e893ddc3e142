// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_step_report.h>

#include <phyxel/core/ordered_sum.h>

#include <algorithm>
#include <cmath>

namespace phyxel {

template <int Dim>
void describe(const FluidState<Dim>& fluid, std::span<const float> density, double rest_density,
              std::vector<double>& partial, FluidStepReport& report)
{
    double squared_speed = 0.0;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        const double s = fluid.velocity[i].squaredNorm();
        if (!std::isfinite(s) || !fluid.position[i].allFinite()) {
            report.lost = {fluid.id[i], fluid.part[i]};
            return;
        }
        if (s <= squared_speed) continue;
        squared_speed = s;
        report.fastest = {fluid.id[i], fluid.part[i]};
    }
    report.max_speed = std::sqrt(squared_speed);
    const auto compression = [&](Index i) { return density[i] / rest_density - 1.0; };
    const double sum = ordered_sum(
        density.size(), 0.0, [&](Index i) { return std::max(0.0, compression(i)); }, partial);
    report.mean_compression = density.empty() ? 0.0 : sum / static_cast<double>(density.size());
    report.largest_compression = ordered_max(density.size(), -1.0, compression, partial);
}

template void describe(const FluidState<2>&, std::span<const float>, double, std::vector<double>&,
                       FluidStepReport&);
template void describe(const FluidState<3>&, std::span<const float>, double, std::vector<double>&,
                       FluidStepReport&);

} // namespace phyxel
