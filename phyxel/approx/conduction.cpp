// SPDX-License-Identifier: MIT
#include <phyxel/approx/conduction.h>

#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace phyxel {
namespace {

/// Of a symmetric matrix.
template <int Dim>
constexpr int entries = Dim*(Dim + 1) / 2;

/// e eᵀ as a vector, such that q(e)·c = eᵀ C e for the entries c of C: those beside the diagonal stand twice.
template <int Dim>
Vec<entries<Dim>> squares(const Vec<Dim>& e)
{
    Vec<entries<Dim>> q;
    for (int k = 0; k < Dim; ++k) q[k] = e[k] * e[k];
    if constexpr (Dim == 2)
        q[2] = 2.0 * e[0] * e[1];
    else
        q.template tail<3>() = Vec<3>(2.0 * e[0] * e[1], 2.0 * e[1] * e[2], 2.0 * e[0] * e[2]);
    return q;
}

template <int Dim>
Vec<entries<Dim>> entries_of(const Mat<Dim>& M)
{
    Vec<entries<Dim>> c;
    c.template head<Dim>() = M.diagonal();
    const auto beside = [&](int i, int j) { return M(i, j) + M(j, i); };
    if constexpr (Dim == 2)
        c[2] = beside(0, 1);
    else
        c.template tail<3>() = Vec<3>(beside(0, 1), beside(1, 2), beside(0, 2));
    return c;
}

/// Falls fast, so that pairs stand for the faces of cells, but reaches as far as the lists.
double weight(double distance, double reach)
{
    const double rest = 1.0 - distance / reach;
    return rest > 0.0 ? rest * rest : 0.0;
}

} // namespace

template <int Dim>
void find_conduction_factors(std::span<const Vec<Dim>> positions, std::span<const double> volumes,
                             std::span<const double> supports, std::span<const Mat<Dim>> at_surface,
                             const NeighborLists& neighbors, std::span<double> factors)
{
    constexpr int N = entries<Dim>;
    constexpr double rank_tolerance = 1e-6;
    constexpr double least_share = 0.1; // of the volume that conducts in every direction
    PHYXEL_ASSERT(factors.size() == neighbors.entry_count());
    const std::size_t count = positions.size();
    std::vector<Vec<N>> asked(count);
    const auto pair = [&](Index i, Index j, Vec<Dim>& e) {
        const Vec<Dim> X = positions[j] - positions[i];
        const double r = X.norm();
        e = r > 0.0 ? Vec<Dim>(X / r) : Vec<Dim>(Vec<Dim>::Zero()); // two in one place
        return std::pair(r, weight(r, 0.5 * (supports[i] + supports[j])));
    };
    parallel_for(count, [&](Index i) {
        Mat<N> sums = Mat<N>::Zero();
        double isotropic = 0.0; // Σ w r²
        Vec<Dim> e;
        for (const Index j : neighbors.of(i)) {
            const auto [r, w] = pair(i, j, e);
            const Vec<N> q = squares<Dim>(e);
            sums += w * r * r * q * q.transpose();
            isotropic += w * r * r;
        }
        asked[i].setZero();
        if (!(isotropic > 0.0)) return;
        Mat<Dim> wanted = volumes[i] * Mat<Dim>::Identity();
        if (!at_surface.empty()) wanted -= 0.5 * (at_surface[i] + at_surface[i].transpose());
        for (int k = 0; k < Dim; ++k) wanted(k, k) = std::max(wanted(k, k), least_share * volumes[i]);
        Vec<N> plain = Vec<N>::Zero();
        plain.template head<Dim>().setConstant(2.0 * wanted.trace() / isotropic);
        const Vec<N> exact =
            symmetric_inverse<N>(sums, rank_tolerance).matrix * (2.0 * entries_of<Dim>(wanted));
        double share = 1.0; // of what is exact, as much as leaves every pair something
        for (const Index j : neighbors.of(i)) {
            static_cast<void>(pair(i, j, e));
            const double least = squares<Dim>(e).dot(exact);
            if (!(least >= 0.0)) share = std::min(share, plain[0] / (plain[0] - least));
        }
        asked[i] = std::isfinite(share) ? Vec<N>(share * exact + (1.0 - share) * plain) : plain;
    });
    parallel_for(count, [&](Index i) {
        std::size_t entry = neighbors.offsets()[i];
        Vec<Dim> e;
        for (const Index j : neighbors.of(i)) {
            const double w = pair(i, j, e).second;
            const Vec<N> q = squares<Dim>(e);
            factors[entry++] = std::max(0.0, 0.5 * w * (q.dot(asked[i]) + q.dot(asked[j])));
        }
    });
}

void add_conducted(const NeighborLists& neighbors, std::span<const double> factors,
                   std::span<const double> conductivity, std::span<const double> temperature,
                   std::span<double> power)
{
    parallel_for(power.size(), [&](Index i) {
        std::size_t entry = neighbors.offsets()[i];
        double sum = 0.0;
        for (const Index j : neighbors.of(i))
            sum += joint_conductivity(conductivity[i], conductivity[j]) * factors[entry++] *
                   (temperature[j] - temperature[i]);
        power[i] += sum;
    });
}

void add_conductances(const NeighborLists& neighbors, std::span<const double> factors,
                      std::span<const double> conductivity, std::span<double> sums)
{
    parallel_for(sums.size(), [&](Index i) {
        std::size_t entry = neighbors.offsets()[i];
        double sum = 0.0;
        for (const Index j : neighbors.of(i))
            sum += joint_conductivity(conductivity[i], conductivity[j]) * factors[entry++];
        sums[i] += sum;
    });
}

void add_exchanged(std::span<const HeatLink> links, std::span<const double> conductivity,
                   std::span<const double> temperature, std::span<double> power)
{
    for (const HeatLink& link : links) {
        const double other = link.b == HeatLink::outside ? link.temperature : temperature[link.b];
        const double flow = link.conductance(conductivity) * (other - temperature[link.a]);
        power[link.a] += flow;
        if (link.b != HeatLink::outside) power[link.b] -= flow;
    }
}

void add_conductances(std::span<const HeatLink> links, std::span<const double> conductivity,
                      std::span<double> sums)
{
    for (const HeatLink& link : links) {
        const double conductance = link.conductance(conductivity);
        sums[link.a] += conductance;
        if (link.b != HeatLink::outside) sums[link.b] += conductance;
    }
}

template void find_conduction_factors(std::span<const Vec<2>>, std::span<const double>,
                                      std::span<const double>, std::span<const Mat<2>>, const NeighborLists&,
                                      std::span<double>);
template void find_conduction_factors(std::span<const Vec<3>>, std::span<const double>,
                                      std::span<const double>, std::span<const Mat<3>>, const NeighborLists&,
                                      std::span<double>);

} // namespace phyxel
