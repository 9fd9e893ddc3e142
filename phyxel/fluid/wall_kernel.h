// SPDX-License-Identifier: MIT
// What a kernel sees of a flat wall: the share of its density that fluid behind the wall would give.
// Particles near a wall lack neighbours there; with the wall counted as fluid at rest density they neither
// sink into it nor are thrown off, and no ghost particles have to be made. For a curved wall the tangent
// plane is used, which is right as long as it bends little within the support.
#pragma once

#include <phyxel/approx/kernels.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace phyxel {

/// Tables over the distance d of a particle from a wall behind which the lattice of the fluid goes on, its
/// first layer half a spacing behind the wall and particles straight across from particles:
///
///     share(d) = Σ ω over the layers behind the wall / Σ ω over the whole lattice
///     slope(d) = −d share / d d
///
/// The integral of ω over the half-space would be 1.9 % of ρ₀ too much for the first layer of a lattice,
/// which at 1 % compressibility is a blow that throws the fluid off the wall. This sum is exact for it.
template <int Dim>
class WallKernel {
    static_assert(Dim == 2 || Dim == 3);

public:
    template <Kernel<Dim> K>
    WallKernel(const K& kernel, double spacing) : support_radius_(kernel.support_radius())
    {
        const double h = support_radius_;
        double lattice = layer_sum(kernel, spacing, 0.0).value;
        for (int k = 1; k * spacing < h; ++k) lattice += 2.0 * layer_sum(kernel, spacing, k * spacing).value;
        for (int n = 0; n <= table_size; ++n) {
            Layer behind{};
            for (double z = n * h / table_size + 0.5 * spacing; z < h; z += spacing) {
                const Layer layer = layer_sum(kernel, spacing, z);
                behind.value += layer.value;
                behind.derivative += layer.derivative;
            }
            share_.push_back(behind.value / lattice);
            slope_.push_back(-behind.derivative / lattice);
        }
    }

    double support_radius() const { return support_radius_; }

    /// For d ≤ 0 that of a particle on the wall.
    double share(double distance) const { return interpolate(share_, distance); }

    /// [1/m]
    double slope(double distance) const { return interpolate(slope_, distance); }

private:
    static constexpr int table_size = 1024;

    struct Layer {
        double value;
        double derivative; ///< with respect to the distance of the layer
    };

    /// Σ ω over the particles of a layer at distance z, one of which is straight across.
    template <class K>
    static Layer layer_sum(const K& kernel, double spacing, double z)
    {
        const int reach = static_cast<int>(std::ceil(kernel.support_radius() / spacing));
        const int rows = Dim == 3 ? reach : 0;
        Layer sum{};
        for (int j = -rows; j <= rows; ++j) {
            for (int i = -reach; i <= reach; ++i) {
                Vec<Dim> x = Vec<Dim>::Zero();
                x[0] = i * spacing;
                if constexpr (Dim == 3) x[1] = j * spacing;
                x[Dim - 1] = z;
                sum.value += kernel.value(x.norm());
                sum.derivative += kernel.gradient(x)[Dim - 1];
            }
        }
        return sum;
    }

    double interpolate(const std::vector<double>& table, double distance) const
    {
        const double place = std::max(distance, 0.0) / support_radius_ * table_size;
        if (!(place < table_size)) return 0.0;
        const int k = static_cast<int>(place);
        const double t = place - k;
        return (1.0 - t) * table[k] + t * table[k + 1];
    }

    double support_radius_;
    std::vector<double> share_, slope_;
};

} // namespace phyxel
