// SPDX-License-Identifier: MIT
// Gauss–Legendre quadrature, for integrals whose value is known.
#pragma once

#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

namespace phyxel {

/// Nodes and weights on [−1, 1].
struct Quadrature {
    std::vector<double> nodes;
    std::vector<double> weights;
};

/// Gauss–Legendre rule, exact for polynomials up to degree 2 count − 1.
inline Quadrature gauss_legendre(int count)
{
    Quadrature rule;
    for (int k = 0; k < count; ++k) {
        // Newton's method on P_count from Tricomi's estimate of its k-th root.
        double x = -std::cos(std::numbers::pi * (k + 0.75) / (count + 0.5));
        double slope = 0.0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            double p = 1.0;
            double p_before = 0.0;
            for (int n = 0; n < count; ++n) {
                const double p_next = ((2 * n + 1) * x * p - n * p_before) / (n + 1);
                p_before = p;
                p = p_next;
            }
            slope = count * (x * p - p_before) / (x * x - 1);
            const double step = p / slope;
            x -= step;
            if (std::abs(step) < 1e-15) break;
        }
        rule.nodes.push_back(x);
        rule.weights.push_back(2 / ((1 - x * x) * slope * slope));
    }
    return rule;
}

/// ∫ f(x) dx from a to b by one Gauss–Legendre rule.
template <class Function>
double integrate(Function&& f, double a, double b, const Quadrature& rule = gauss_legendre(64))
{
    double sum = 0.0;
    for (std::size_t k = 0; k < rule.nodes.size(); ++k)
        sum += rule.weights[k] * f((a + b) / 2 + (b - a) / 2 * rule.nodes[k]);
    return (b - a) / 2 * sum;
}

} // namespace phyxel
