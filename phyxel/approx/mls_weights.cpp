// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls_weights.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>

#include <string>

namespace phyxel {

std::string_view name_of(MlsWeight weight)
{
    switch (weight) {
    case MlsWeight::Quartic:
        return "quartic";
    case MlsWeight::Poly6:
        return "poly6";
    case MlsWeight::CubicSpline:
        return "cubic_spline";
    case MlsWeight::WendlandC2:
        return "wendland_c2";
    case MlsWeight::TruncatedGaussian:
        return "truncated_gaussian";
    case MlsWeight::QuarticProduct:
        return "quartic_product";
    case MlsWeight::CompositeQuadraticProduct:
        return "composite_quadratic_product";
    }
    PHYXEL_ASSERT(false);
    return {};
}

MlsWeight mls_weight_named(std::string_view name)
{
    std::string allowed;
    for (MlsWeight weight : all_mls_weights) {
        if (name_of(weight) == name) return weight;
        if (!allowed.empty()) allowed += ", ";
        allowed += name_of(weight);
    }
    throw InputError("unknown MLS weight \"" + std::string(name) + "\"; allowed: " + allowed);
}

template <int Dim>
AnyMlsWeight<Dim> make_mls_weight(MlsWeight weight)
{
    switch (weight) {
    case MlsWeight::Quartic:
        return {RadialWeight<QuarticProfile>()};
    case MlsWeight::Poly6:
        return {RadialWeight<Poly6Profile>()};
    case MlsWeight::CubicSpline:
        return {RadialWeight<CubicSplineProfile>()};
    case MlsWeight::WendlandC2:
        return {RadialWeight<WendlandC2Profile<Dim>>()};
    case MlsWeight::TruncatedGaussian:
        return {RadialWeight<TruncatedGaussianProfile>()};
    case MlsWeight::QuarticProduct:
        return {ProductWeight<QuarticProfile>()};
    case MlsWeight::CompositeQuadraticProduct:
        break;
    }
    PHYXEL_ASSERT(weight == MlsWeight::CompositeQuadraticProduct);
    return {ProductWeight<CompositeQuadraticProfile>()};
}

template AnyMlsWeight<1> make_mls_weight(MlsWeight);
template AnyMlsWeight<2> make_mls_weight(MlsWeight);
template AnyMlsWeight<3> make_mls_weight(MlsWeight);

} // namespace phyxel
