// SPDX-License-Identifier: MIT
#include <phyxel/fluid/ghost_kernel.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/fluid/wall_kernel.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace phyxel {
namespace {

constexpr int table_size = 1024; // 16 kB: half of the nearest cache

/// ∫ f by the rule of Gauss with three points.
template <class F>
double integral(double from, double to, const F& f)
{
    const double middle = 0.5 * (from + to);
    const double half = 0.5 * (to - from);
    const double offset = std::sqrt(0.6) * half;
    return half / 9.0 * (5.0 * f(middle - offset) + 8.0 * f(middle) + 5.0 * f(middle + offset));
}

/// share″(r) / (2π r): the kernel itself in 3D.
template <int Dim>
double spatial_value(const WallKernel<Dim>& wall, double r)
{
    constexpr double step = 1.0 / 1024.0; // as fine as the table behind it
    const double curvature = (wall.at(r - step, 1.0).slope - wall.at(r + step, 1.0).slope) / (2.0 * step);
    return curvature / (2.0 * std::numbers::pi * r);
}

/// In 2D all that lies above and below a place of the plane.
template <int Dim>
double kernel_value(const WallKernel<Dim>& wall, double reach, double r)
{
    if (r >= reach) return 0.0;
    if constexpr (Dim == 3) return spatial_value(wall, r);
    constexpr int pieces = 64;
    const double height = std::sqrt(reach * reach - r * r);
    double sum = 0.0;
    for (int k = 0; k < pieces; ++k)
        sum += integral(k * height / pieces, (k + 1) * height / pieces,
                        [&](double z) { return spatial_value(wall, std::hypot(r, z)); });
    return 2.0 * sum;
}

} // namespace

template <int Dim>
GhostKernel<Dim>::GhostKernel(double support_ratio)
{
    if (!(support_ratio > 1.0 && std::isfinite(support_ratio)))
        throw InputError("the support of a wall is " + number_text(support_ratio) +
                         " spacings, must be more than 1");
    const double spacing = 1.0 / support_ratio;
    reach_ = 1.0 - 0.5 * spacing;
    core_ = 0.25 * spacing;
    entries_per_square_ = table_size / (reach_ * reach_);

    const WallKernel<Dim> wall(support_ratio);
    const auto place = [&](int k) { return std::sqrt(k / entries_per_square_); };
    const auto value = [&](double r) { return kernel_value(wall, reach_, std::max(r, core_)); };
    std::vector<double> values(table_size + 1, 0.0), fluxes(table_size + 1, 0.0);
    double mass = 0.0; // M
    for (int k = table_size - 1; k >= 0; --k) {
        mass += integral(place(k), place(k + 1), [&](double r) { return value(r) * std::pow(r, Dim - 1); });
        values[k] = value(place(k));
        fluxes[k] = mass / std::pow(std::max(place(k), core_), Dim);
    }
    for (int k = 0; k < table_size; ++k)
        table_.push_back({static_cast<float>(fluxes[k]), static_cast<float>(fluxes[k + 1] - fluxes[k]),
                          static_cast<float>(values[k]), static_cast<float>(values[k + 1] - values[k])});
    table_.push_back({});
}

template class GhostKernel<2>;
template class GhostKernel<3>;

} // namespace phyxel
