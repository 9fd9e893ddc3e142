// SPDX-License-Identifier: MIT
// The order at which an error goes to zero with the spacing, as observed.
#pragma once

#include <cmath>

namespace phyxel {

struct OrderOptions {
    double coarsest = 0.1;
    int halvings = 4;
};

/// The p for which error_at(spacing) ~ spacing^p fits best over a sequence of halved spacings.
template <class ErrorAt>
double observed_order(ErrorAt&& error_at, const OrderOptions& options)
{
    // Least squares for log₂ error against the number k of halvings.
    const int count = options.halvings + 1;
    const double mean_k = options.halvings / 2.0;
    double numerator = 0.0;
    double denominator = 0.0;
    for (int k = 0; k < count; ++k) {
        const double error = error_at(std::ldexp(options.coarsest, -k));
        numerator -= (k - mean_k) * std::log2(error);
        denominator += (k - mean_k) * (k - mean_k);
    }
    return numerator / denominator;
}

} // namespace phyxel
