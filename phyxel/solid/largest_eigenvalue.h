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
///
/// K does not couple the parts, of which `first_of_part` has the first numbers and one more. Each has its own
/// bound, which no other part changes by a bit, and the largest is returned.
template <int Dim, class Apply>
double bound_of_largest_eigenvalue(std::span<const double> mass, std::span<const Index> first_of_part,
                                   const Apply& apply)
{
    constexpr int products = 40;
    constexpr double doubt = 1e-6;
    constexpr double rounding = 1e-12;
    struct Part {
        Index first;
        std::size_t count;
        double length = 0.0; ///< of the vector that comes next; 0 once all is seen that can be reached
        double along_before = 0.0;
        std::vector<double> diagonal = {}, beside = {};
    };
    const std::size_t count = mass.size();
    std::vector<Vec<Dim>> now(count), before(count, Vec<Dim>::Zero()), displacement(count), force(count);
    std::vector<double> partial;
    const auto sum = [&](const Part& part, const auto& term) {
        return ordered_sum(
            part.count, 0.0, [&](Index i) { return term(part.first + i); }, partial);
    };
    const auto norm = [&](const Part& part) {
        return std::sqrt(sum(part, [&](Index i) { return now[i].squaredNorm(); }));
    };
    std::vector<Part> parts;
    for (std::size_t p = 0; p + 1 < first_of_part.size(); ++p) {
        Part& part = parts.emplace_back(
            Part{.first = first_of_part[p], .count = first_of_part[p + 1] - first_of_part[p]});
        // Normally distributed, so that no direction is preferred.
        parallel_for(part.count, [&](Index i) {
            Rng rng(1, i);
            for (int k = 0; k < Dim; ++k) now[part.first + i][k] = rng.normal();
        });
        part.length = norm(part);
    }
    for (int n = 0; n < products; ++n) {
        for (const Part& part : parts)
            parallel_for(part.count, [&](Index k) {
                const Index i = part.first + k;
                if (part.length > 0.0)
                    now[i] /= part.length;
                else
                    now[i].setZero();
                displacement[i] = now[i] / std::sqrt(mass[i]);
            });
        apply(std::span<const Vec<Dim>>(displacement), std::span<Vec<Dim>>(force));
        for (Part& part : parts) {
            if (!(part.length > 0.0)) continue;
            const double along =
                sum(part, [&](Index i) { return now[i].dot(force[i]) / std::sqrt(mass[i]); });
            parallel_for(part.count, [&](Index k) {
                const Index i = part.first + k;
                const Vec<Dim> next =
                    force[i] / std::sqrt(mass[i]) - along * now[i] - part.along_before * before[i];
                before[i] = now[i];
                now[i] = next;
            });
            if (!part.diagonal.empty()) part.beside.push_back(part.along_before);
            part.diagonal.push_back(along);
            part.along_before = norm(part);
            // Otherwise what is left is rounding.
            part.length =
                part.along_before > rounding * std::abs(part.diagonal.front()) ? part.along_before : 0.0;
        }
    }
    double largest = 0.0;
    for (const Part& part : parts) {
        const double numbers = static_cast<double>(Dim) * static_cast<double>(part.count);
        const double share = std::log(1.648 * std::sqrt(std::max(1.0, numbers)) / doubt) /
                             static_cast<double>(2 * products - 1);
        largest = std::max(largest, largest_tridiagonal_eigenvalue(part.diagonal, part.beside) /
                                        (1.0 - share * share));
    }
    return largest;
}

} // namespace phyxel
