// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_state.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/assert.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

double smallest_of(const std::vector<FluidPartModel>& parts, double FluidPartModel::*value)
{
    PHYXEL_ASSERT(!parts.empty());
    double smallest = parts.front().*value;
    for (const FluidPartModel& part : parts) smallest = std::min(smallest, part.*value);
    return smallest;
}

/// Σ ω over the points of an infinite lattice, seen from one of them.
template <int Dim>
double lattice_sum(double spacing, double support_radius)
{
    const CubicSpline<Dim> kernel(support_radius);
    const int reach = static_cast<int>(std::ceil(support_radius / spacing));
    const int layers = Dim == 3 ? reach : 0;
    double sum = 0.0;
    for (int k = -layers; k <= layers; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i)
                sum += kernel.value(spacing * std::sqrt(double(i * i + j * j + k * k)));
    return sum;
}

} // namespace

bool FluidModel::is_mixed() const
{
    return std::any_of(parts.begin(), parts.end(), [&](const FluidPartModel& part) {
        return part.support_radius != parts.front().support_radius ||
               part.particle_mass != parts.front().particle_mass;
    });
}

double FluidModel::smallest_spacing() const { return smallest_of(parts, &FluidPartModel::spacing); }

double FluidModel::smallest_support_radius() const
{
    return smallest_of(parts, &FluidPartModel::support_radius);
}

double FluidModel::largest_viscosity() const
{
    double largest = 0.0;
    for (const FluidPartModel& part : parts) largest = std::max(largest, part.viscosity);
    return largest;
}

template <int Dim>
FluidPartModel fluid_part_model(double rest_density, double spacing, double support_ratio, double viscosity)
{
    const double h = support_ratio * spacing;
    return {.spacing = spacing,
            .support_radius = h,
            .particle_mass = rest_density / lattice_sum<Dim>(spacing, h),
            .viscosity = viscosity};
}

template FluidPartModel fluid_part_model<2>(double, double, double, double);
template FluidPartModel fluid_part_model<3>(double, double, double, double);

} // namespace phyxel
