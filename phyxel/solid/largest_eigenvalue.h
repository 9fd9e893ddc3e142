// SPDX-License-Identifier: MIT
// A bound of the largest eigenvalue of a system that is known by its product with a vector only.
#pragma once

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/types.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace phyxel {

/// The largest eigenvalue of the symmetric matrix with `diagonal` and, one shorter, `beside` it: by bisection
/// with Sturm's sequence, from above.
inline double largest_tridiagonal_eigenvalue(std::span<const double> diagonal, std::span<const double> beside)
{
    if (diagonal.empty()) return 0.0;
    const std::size_t count = diagonal.size();
    double low = diagonal[0], high = diagonal[0]; // Gershgorin
    for (std::size_t i = 0; i < count; ++i) {
        const double around =
            (i > 0 ? std::abs(beside[i - 1]) : 0.0) + (i + 1 < count ? std::abs(beside[i]) : 0.0);
        low = std::max(low, diagonal[i]);
        high = std::max(high, diagonal[i] + around);
    }
    const auto is_above_all = [&](double x) {
        double q = diagonal[0] - x;
        for (std::size_t i = 1; i < count && q < 0.0; ++i)
            q = diagonal[i] - x - beside[i - 1] * beside[i - 1] / q;
        return q < 0.0;
    };
    constexpr int bisections = 60;
    for (int n = 0; n < bisections; ++n) {
        const double middle = 0.5 * (low + high);
        (is_above_all(middle) ? high : low) = middle;
    }
    return high;
}

/// An upper bound of the largest eigenvalue of M⁻¹K for the masses M and the symmetric K, which is not
/// negative and whose product `apply(u, out)` makes. Lanczos' method from a random start finds a value that
/// is too small by a share of at most (ln(1.648 √n/δ) / (2k − 1))² after k products of n numbers, but for a
/// probability of δ = 10⁻⁶ [KW92, Sec. 4]; the share is added. Powers of the matrix would take ten times as
/// many products, and where few phyxels of many are stiff they are what is missed.
template <int Dim, class Apply>
double bound_of_largest_eigenvalue(std::span<const double> mass, const Apply& apply)
{
    constexpr int products = 40;
    constexpr double doubt = 1e-6;
    const std::size_t count = mass.size();
    if (count == 0) return 0.0;

    std::vector<Vec<Dim>> now(count), before(count, Vec<Dim>::Zero()), displacement(count), force(count);
    std::vector<double> partial;
    const auto norm = [&](const std::vector<Vec<Dim>>& vectors) {
        return std::sqrt(ordered_sum(
            count, 0.0, [&](Index i) { return vectors[i].squaredNorm(); }, partial));
    };
    // Normally distributed, so that no direction is preferred.
    parallel_for(count, [&](Index i) {
        Rng rng(1, i);
        for (int k = 0; k < Dim; ++k) now[i][k] = rng.normal();
    });
    std::vector<double> diagonal, beside;
    double length = norm(now);
    for (int n = 0; n < products && length > 0.0; ++n) {
        parallel_for(count, [&](Index i) {
            now[i] /= length;
            displacement[i] = now[i] / std::sqrt(mass[i]);
        });
        apply(std::span<const Vec<Dim>>(displacement), std::span<Vec<Dim>>(force));
        parallel_for(count, [&](Index i) { force[i] /= std::sqrt(mass[i]); });
        diagonal.push_back(ordered_sum(
            count, 0.0, [&](Index i) { return now[i].dot(force[i]); }, partial));
        const double along = diagonal.back();
        const double along_before = n > 0 ? length : 0.0;
        parallel_for(count, [&](Index i) {
            const Vec<Dim> next = force[i] - along * now[i] - along_before * before[i];
            before[i] = now[i];
            now[i] = next;
        });
        length = norm(now);
        // What is left is rounding: all that can be reached from the start has been seen.
        if (!(length > 1e-12 * std::abs(diagonal.front()))) break;
        beside.push_back(length);
    }
    if (beside.size() >= diagonal.size() && !beside.empty()) beside.pop_back();
    const double found = largest_tridiagonal_eigenvalue(diagonal, beside);
    const double share = std::log(1.648 * std::sqrt(static_cast<double>(Dim * count)) / doubt) /
                         static_cast<double>(2 * products - 1);
    return found / (1.0 - share * share);
}

} // namespace phyxel
