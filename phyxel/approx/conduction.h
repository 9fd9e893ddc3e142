// SPDX-License-Identifier: MIT
// Conduction of heat between neighbours, and through the surfaces of bodies. Whatever a point loses another
// gets, to the last bit: a pair exchanges k g_ij (T_j − T_i).
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <span>

namespace phyxel {

/// The g_ij = g_ji [m^(Dim − 2)] of all pairs, parallel to the lists, which have to be symmetric. They are
/// those of cells that fill the body. For cells Gauss's theorem says that
///
///     ½ Σ_j g_ij X_ij X_ijᵀ = v_i I − S_i,    S_i = Σ_f A_f (x_f − X_i) n_fᵀ,
///
/// where S is of the pieces f of the cell's faces that lie on the surface of the body, and 0 inside. So each
/// point asks for g_ij = w_ij eᵀ C e along the unit vectors e of its pairs, with the symmetric C for which
/// this holds, and a pair takes the mean of what its points ask for. Since the sums over all points stay what
/// they were, the heat that a uniform gradient drives through the body is exact for any points; on a lattice
/// linear fields are exact up to planes of its surface and T = x² inside. What would be negative is brought
/// back to a C that is a number, which keeps temperatures between those that were there.
template <int Dim>
void find_conduction_factors(std::span<const Vec<Dim>> positions, std::span<const double> volumes,
                             std::span<const double> supports, std::span<const Mat<Dim>> at_surface,
                             const NeighborLists& neighbors, std::span<double> factors);

/// Of two materials in touch: what both halves of the way let through, one after the other [W/(m K)].
inline double joint_conductivity(double k_i, double k_j)
{
    const double sum = k_i + k_j;
    return sum > 0.0 ? 2.0 * (k_i * k_j) / sum : 0.0;
}

/// Adds Σ_j k_ij g_ij (T_j − T_i) to the power that each point gets [W].
void add_conducted(const NeighborLists& neighbors, std::span<const double> factors,
                   std::span<const double> conductivity, std::span<const double> temperature,
                   std::span<double> power);

/// Adds Σ_j k_ij g_ij [W/K].
void add_conductances(const NeighborLists& neighbors, std::span<const double> factors,
                      std::span<const double> conductivity, std::span<double> sum);

/// A way for heat through a piece of surface: from a point so deep under it through what is between to
/// another point, or to something that keeps its temperature.
struct HeatLink {
    static constexpr Index outside = static_cast<Index>(-1);

    Index a = 0;
    Index b = outside;
    double area = 0.0;        ///< [m^(Dim − 1)]
    double depth_a = 0.0;     ///< [m]
    double depth_b = 0.0;     ///< [m]
    double resistance = 0.0;  ///< of what is between [m² K/W]
    double temperature = 0.0; ///< of the outside [K]

    /// [W/K]
    double conductance(std::span<const double> conductivity) const
    {
        double through = resistance;
        if (depth_a > 0.0) through += depth_a / conductivity[a];
        if (b != outside && depth_b > 0.0) through += depth_b / conductivity[b];
        return area / through;
    }
};

/// Adds what flows through the links, one after the other [W].
void add_exchanged(std::span<const HeatLink> links, std::span<const double> conductivity,
                   std::span<const double> temperature, std::span<double> power);

/// Adds the conductances of its links to those of each point [W/K].
void add_conductances(std::span<const HeatLink> links, std::span<const double> conductivity,
                      std::span<double> sum);

} // namespace phyxel
