// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_step_report.h>

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace phyxel {

template <int Dim>
void describe(const FluidState<Dim>& fluid, std::span<const float> density, double rest_density,
              std::vector<FluidBlockSummary>& partial, FluidStepReport& report)
{
    partial.resize(block_count(fluid.size(), default_block_size));
    parallel_for_blocks(fluid.size(), default_block_size, [&](const Block& block) {
        FluidBlockSummary part;
        for (std::size_t i = block.begin; i < block.end; ++i) {
            const double s = fluid.velocity[i].squaredNorm();
            if (!std::isfinite(s) || !fluid.position[i].allFinite()) part.lost = std::min(part.lost, i);
            if (s > part.squared_speed) {
                part.squared_speed = s;
                part.fastest = i;
            }
            const double compression = density[i] / rest_density - 1.0;
            part.compression += std::max(0.0, compression);
            part.largest_compression = std::max(part.largest_compression, compression);
        }
        partial[block.number] = part;
    });
    FluidBlockSummary all;
    for (const FluidBlockSummary& part : partial) {
        all.lost = std::min(all.lost, part.lost);
        if (part.squared_speed > all.squared_speed) {
            all.squared_speed = part.squared_speed;
            all.fastest = part.fastest;
        }
        all.compression += part.compression;
        all.largest_compression = std::max(all.largest_compression, part.largest_compression);
    }
    const auto particle = [&](std::size_t i) { return FluidParticle{fluid.id[i], fluid.part[i]}; };
    if (all.lost < fluid.size()) {
        report.lost = particle(all.lost);
        return;
    }
    if (all.squared_speed > 0.0) report.fastest = particle(all.fastest);
    report.max_speed = std::sqrt(all.squared_speed);
    report.mean_compression = density.empty() ? 0.0 : all.compression / static_cast<double>(density.size());
    report.largest_compression = all.largest_compression;
}

template void describe(const FluidState<2>&, std::span<const float>, double, std::vector<FluidBlockSummary>&,
                       FluidStepReport&);
template void describe(const FluidState<3>&, std::span<const float>, double, std::vector<FluidBlockSummary>&,
                       FluidStepReport&);

} // namespace phyxel
