// SPDX-License-Identifier: MIT
// What a kernel sees of a flat wall: the share of its density that fluid behind the wall would give.
// Particles near a wall lack neighbours there; with the wall counted as fluid at rest density they neither
// sink into it nor are thrown off, and no ghost particles have to be made.
#pragma once

#include <phyxel/approx/kernels.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace phyxel {

/// How hard a wall pushes.
enum class WallSlope {
    OfLattice, ///< as the fluid behind it would; a mirror image has to help
    Steep,     ///< so that its push alone holds a lattice, see WallKernel::steepen
};

/// Tables over the distance d of a particle from a wall behind which the lattice of the fluid goes on, its
/// first layer half a spacing behind the wall and particles straight across from particles:
///
///     share(d) = Σ ω over the layers behind the wall / Σ ω over the whole lattice
///     slope(d) = −d share / d d
///     drag(d)  = −2 Σ V ω'/r z/d over the layers, z their distance from the particle
///
/// The integral of ω over the half-space would be 1.9 % of ρ₀ too much for the first layer of a lattice,
/// which at 1 % compressibility is a blow that throws the fluid off the wall. This sum is exact for it.
/// `drag` is the Laplacian of a velocity that goes on linearly through the wall, where it is that of the wall
/// [MFZ97]. The tables are in units of the support, so that particles of all sizes share them.
template <int Dim>
class WallKernel {
    static_assert(Dim == 2 || Dim == 3);

public:
    /// `support_ratio` is the support radius over the spacing.
    explicit WallKernel(double support_ratio, WallSlope slope = WallSlope::OfLattice)
    {
        const CubicSpline<Dim> kernel(1.0);
        const double a = 1.0 / support_ratio;
        double lattice = layer_sum(kernel, a, 0.0).value;
        for (int k = 1; k * a < 1.0; ++k) lattice += 2.0 * layer_sum(kernel, a, k * a).value;
        for (int n = 0; n <= table_size; ++n) {
            const double d = static_cast<double>(n) / table_size;
            Entry behind{};
            for (double z = d + 0.5 * a; z < 1.0; z += a) {
                const Layer layer = layer_sum(kernel, a, z);
                behind.share += layer.value / lattice;
                behind.slope -= layer.derivative / lattice;
                behind.drag += layer.laplacian / lattice * z / std::max(d, 0.5 * a);
            }
            table_.push_back(behind);
        }
        if (slope == WallSlope::Steep) steepen(a);
    }

    struct Entry {
        double share = 0.0;
        double slope = 0.0; ///< [1/m]
        double drag = 0.0;  ///< [1/m²]
    };

    /// For d ≤ 0 that of a particle on the wall.
    Entry at(double distance, double support_radius) const
    {
        const double place = std::max(distance, 0.0) / support_radius * table_size;
        if (!(place < table_size)) return {};
        const int k = static_cast<int>(place);
        const double t = place - k;
        const Entry& low = table_[k];
        const Entry& high = table_[k + 1];
        return {(1.0 - t) * low.share + t * high.share,
                ((1.0 - t) * low.slope + t * high.slope) / support_radius,
                ((1.0 - t) * low.drag + t * high.drag) / (support_radius * support_radius)};
    }

private:
    /// A particle of the first layer is pushed by its own pressure towards the wall and away from it alike,
    /// and by that of the second layer towards it, so that water would sink until the wall alone pushes twice
    /// as hard. A mirror image with the same pressure would do that, but such a force comes from no energy
    /// and lets water at rest dance for ever. So the share itself is made steeper where the layers of a
    /// lattice are,
    ///
    ///     slope → c slope (1 + cos 2π(d/a − ½)), 2c slope before the first layer,
    ///
    /// with c for each gap between two layers such that all layers keep the density that they have.
    void steepen(double a)
    {
        const std::vector<Entry> lattice = table_;
        const auto layer = [&](double d) { return d / a - 0.5; };
        const auto number = [&](int k) { return static_cast<int>(std::lround((k + 0.5) * a * table_size)); };
        const auto steep = [&](int n) {
            const double at = layer(static_cast<double>(n) / table_size);
            return lattice[n].slope * (at < 0.0 ? 2.0 : 1.0 + std::cos(2.0 * std::numbers::pi * at));
        };
        // From the rim inwards, gap by gap; the last c is that of the first layer, which the wall keeps.
        int last = table_size;
        double c = 1.0;
        for (int k = static_cast<int>(layer(1.0)); k >= -1; --k) {
            const int first = k < 0 ? 0 : number(k);
            double sum = 0.0;
            for (int n = first; n < last; ++n) sum += 0.5 * (steep(n) + steep(n + 1)) / table_size;
            if (k >= 0 && sum > 0.0) c = (lattice[first].share - lattice[last].share) / sum;
            for (int n = last; n-- > first;) {
                table_[n].slope = c * steep(n);
                table_[n].share = table_[n + 1].share + 0.5 * c * (steep(n) + steep(n + 1)) / table_size;
            }
            last = first;
        }
    }

    static constexpr int table_size = 1024;

    struct Layer {
        double value;
        double derivative; ///< with respect to the distance of the layer
        double laplacian;
    };

    /// Sums over the particles of a layer at distance z, one of which is straight across.
    static Layer layer_sum(const CubicSpline<Dim>& kernel, double spacing, double z)
    {
        const int reach = static_cast<int>(std::ceil(1.0 / spacing));
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
                // As PairKernel::mean_laplacian has it.
                if (z > 0.0) sum.laplacian -= 2.0 * kernel.gradient(x)[Dim - 1] / z;
            }
        }
        return sum;
    }

    std::vector<Entry> table_;
};

} // namespace phyxel
