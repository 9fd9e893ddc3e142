// SPDX-License-Identifier: MIT
#include <phyxel/verify/detail/textbook_mls.h>

#include <phyxel/approx/mls_basis.h>
#include <phyxel/approx/mls_weights.h>

#include <Eigen/LU>

#include <array>
#include <cmath>
#include <vector>

namespace phyxel::detail {
namespace {

/// The quadratic basis in t = (y − origin) / scale with derivatives by y. A lower order is its beginning.
template <int Dim>
struct Basis {
    static constexpr int size = basis_size<Dim>(2);
    static constexpr int second(int k, int l) { return PolynomialBasis<Dim, 2>::second(k, l); }

    Vec<Dim> origin;
    double scale;

    Vec<Dim> t(const Vec<Dim>& y) const { return (y - origin) / scale; }

    Vec<size> value(const Vec<Dim>& y) const
    {
        std::array<double, Dim> coordinates;
        for (int k = 0; k < Dim; ++k) coordinates[k] = t(y)[k];
        const auto p = PolynomialBasis<Dim, 2>::at(coordinates);
        return Eigen::Map<const Vec<size>>(p.data());
    }

    Vec<size> derivative(const Vec<Dim>& y, int k) const
    {
        Vec<size> result = Vec<size>::Zero();
        result[1 + k] = 1 / scale;
        for (int l = 0; l < Dim; ++l) result[second(k, l)] += (k == l ? 2 : 1) * t(y)[l] / scale;
        return result;
    }

    Vec<size> second_derivative(int k, int l) const
    {
        Vec<size> result = Vec<size>::Zero();
        result[second(k, l)] = (k == l ? 2 : 1) / (scale * scale);
        return result;
    }
};

/// Frobenius norm of the first `size` rows and columns.
template <int N>
double norm_of_block(const Mat<N>& matrix, int size)
{
    double sum = 0.0;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j) sum += matrix(i, j) * matrix(i, j);
    return std::sqrt(sum);
}

} // namespace

template <int Dim>
ShapeFunctions<Dim> textbook_shape_functions(MlsMistake mistake, const Vec<Dim>& x,
                                             std::span<const Vec<Dim>> nodes, double support_radius,
                                             const MlsOptions& options, int derivatives)
{
    constexpr int size = Basis<Dim>::size;
    using Coefficients = Vec<size>;
    using Moments = Mat<size>;
    const int used = basis_size<Dim>(options.order);
    const auto lower_order = [&](Coefficients p) {
        for (int i = used; i < size; ++i) p[i] = 0.0;
        return p;
    };

    const AnyMlsWeight<Dim> weight = make_mls_weight<Dim>(options.weight);
    const bool is_centred = mistake != MlsMistake::UncentredBasis;
    const Basis<Dim> basis{is_centred ? x : Vec<Dim>(Vec<Dim>::Zero()), is_centred ? support_radius : 1.0};

    // The nodes near x with their weights and the derivatives of these.
    ShapeFunctions<Dim> shape;
    std::vector<Coefficients> p;
    std::vector<double> w;
    std::vector<Vec<Dim>> w_k;
    std::vector<Mat<Dim>> w_kl;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Vec<Dim> offset = x - nodes[i];
        if (!(weight.value(offset, support_radius) > 0)) continue;
        shape.ids.push_back(static_cast<Index>(i));
        p.push_back(lower_order(basis.value(nodes[i])));
        w.push_back(weight.value(offset, support_radius));
        const bool is_constant = mistake == MlsMistake::WeightTakenForConstant;
        w_k.push_back(is_constant ? Vec<Dim>(Vec<Dim>::Zero()) : weight.gradient(offset, support_radius));
        w_kl.push_back(is_constant ? Mat<Dim>(Mat<Dim>::Zero()) : weight.hessian(offset, support_radius));
    }
    const std::size_t count = shape.ids.size();
    shape.quality.empty = count == 0;
    if (shape.quality.empty) return shape;

    // Σ c_i p_i p_iᵀ [AW09, Eq. 24]. Terms of the basis that are not used get 1 on the diagonal of M.
    const auto moments = [&](auto&& c) {
        Moments sum = Moments::Zero();
        for (std::size_t a = 0; a < count; ++a) sum += c(a) * p[a] * p[a].transpose();
        return sum;
    };
    Moments M = moments([&](std::size_t a) { return w[a]; });
    for (int i = used; i < size; ++i) M(i, i) = 1.0;
    const Moments inverse = M.inverse();
    shape.quality.order = options.order;
    shape.quality.rank = used;
    shape.quality.condition = norm_of_block<size>(M, used) * norm_of_block<size>(inverse, used);

    // Φ_i = ω_i p(x_i)ᵀ M⁻¹ p(x) [AW09, Eq. 27].
    Vec<Dim> target = x;
    if (mistake == MlsMistake::UncentredTarget) target = x + x;
    const Coefficients g = inverse * lower_order(basis.value(target));
    for (std::size_t a = 0; a < count; ++a) shape.values.push_back(w[a] * p[a].dot(g));
    if (derivatives == 0) return shape;

    // M g = p differentiated once.
    std::array<Moments, Dim> M_k;
    std::array<Coefficients, Dim> g_k;
    for (int k = 0; k < Dim; ++k) {
        M_k[k] = moments([&](std::size_t a) { return w_k[a][k]; });
        Coefficients right = lower_order(basis.derivative(x, k)) - M_k[k] * g;
        if (mistake == MlsMistake::BasisTakenForConstant) right = -M_k[k] * g;
        if (mistake == MlsMistake::InverseTakenForConstant) right = lower_order(basis.derivative(x, k));
        g_k[k] = inverse * right;
    }
    for (std::size_t a = 0; a < count; ++a) {
        Vec<Dim> gradient;
        for (int k = 0; k < Dim; ++k) gradient[k] = w_k[a][k] * p[a].dot(g) + w[a] * p[a].dot(g_k[k]);
        shape.gradients.push_back(gradient);
    }
    if (derivatives == 1) return shape;

    // And twice.
    shape.second_derivatives.resize(count);
    for (int k = 0; k < Dim; ++k)
        for (int l = k; l < Dim; ++l) {
            const Moments M_kl = moments([&](std::size_t a) { return w_kl[a](k, l); });
            Coefficients right = lower_order(basis.second_derivative(k, l)) - M_kl * g;
            if (mistake != MlsMistake::NoMixedTerms) right -= M_k[k] * g_k[l] + M_k[l] * g_k[k];
            const Coefficients g_kl = inverse * right;
            for (std::size_t a = 0; a < count; ++a)
                shape.second_derivatives[a][axis_pair<Dim>(k, l)] =
                    w_kl[a](k, l) * p[a].dot(g) + w_k[a][k] * p[a].dot(g_k[l]) +
                    w_k[a][l] * p[a].dot(g_k[k]) + w[a] * p[a].dot(g_kl);
        }
    return shape;
}

template ShapeFunctions<1> textbook_shape_functions(MlsMistake, const Vec<1>&, std::span<const Vec<1>>,
                                                    double, const MlsOptions&, int);
template ShapeFunctions<2> textbook_shape_functions(MlsMistake, const Vec<2>&, std::span<const Vec<2>>,
                                                    double, const MlsOptions&, int);
template ShapeFunctions<3> textbook_shape_functions(MlsMistake, const Vec<3>&, std::span<const Vec<3>>,
                                                    double, const MlsOptions&, int);

} // namespace phyxel::detail
