// SPDX-License-Identifier: MIT
// What the tests of moving least squares share: polynomials with their derivatives, clouds of nodes, errors.
#pragma once

#include <phyxel/approx/mls.h>
#include <phyxel/core/error.h>
#include <phyxel/core/types.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace phyxel {

/// x ↦ c Π x_k^e_k with its derivatives.
template <int Dim>
struct Monomial {
    Eigen::Matrix<int, Dim, 1> exponents;
    double coefficient = 1.0;

    Monomial derivative(int k) const
    {
        Monomial result = *this;
        result.coefficient *= exponents[k];
        result.exponents[k] = std::max(exponents[k] - 1, 0);
        return result;
    }

    double value(const Vec<Dim>& x) const
    {
        double product = coefficient;
        for (int k = 0; k < Dim; ++k) product *= std::pow(x[k], exponents[k]);
        return product;
    }
    Vec<Dim> gradient(const Vec<Dim>& x) const
    {
        Vec<Dim> result;
        for (int k = 0; k < Dim; ++k) result[k] = derivative(k).value(x);
        return result;
    }
    Mat<Dim> hessian(const Vec<Dim>& x) const
    {
        Mat<Dim> result;
        for (int k = 0; k < Dim; ++k)
            for (int l = 0; l < Dim; ++l) result(k, l) = derivative(k).derivative(l).value(x);
        return result;
    }
};

template <int Dim>
std::vector<Monomial<Dim>> monomials_up_to(int order)
{
    std::vector<Monomial<Dim>> result;
    detail::for_each_lattice_cell<Dim>(order + 1, [&](const Eigen::Matrix<int, Dim, 1>& e) {
        if (e.sum() <= order) result.push_back({e});
    });
    return result;
}

/// The values of a field at nodes.
template <int Dim, class Field>
std::vector<double> sampled(const std::vector<Vec<Dim>>& nodes, Field&& f)
{
    std::vector<double> values;
    for (const Vec<Dim>& x : nodes) values.push_back(f(x));
    return values;
}

/// Shape functions at x from all nodes.
template <int Dim>
ShapeFunctions<Dim> at(const Vec<Dim>& x, const std::vector<Vec<Dim>>& nodes, const SupportRadii& radii,
                       const MlsOptions& options, int derivatives = 2)
{
    return shape_functions<Dim>(x, nodes, radii, options, derivatives);
}

/// Σ Φ_i.
inline double sum_of_values(const auto& shape)
{
    return std::accumulate(shape.values.begin(), shape.values.end(), 0.0);
}

/// A random cloud of nodes in the unit cube, and places in it.
template <class Dimension>
class MlsCloud : public testing::Test {
protected:
    static constexpr int dim = Dimension::value;
    static constexpr std::size_t node_count = std::array{40, 200, 700}[dim - 1];
    static constexpr double support_radius = std::array{0.25, 0.35, 0.5}[dim - 1];

    const std::vector<Vec<dim>> nodes_ = random_cloud<dim>({.count = node_count, .seed = 3});
    const std::vector<Vec<dim>> points_ = random_cloud<dim>({.count = 40, .seed = 4});
};

using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;

/// The message of the InputError that `call` must throw.
template <class Call>
std::string error_of(Call&& call)
{
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

} // namespace phyxel
