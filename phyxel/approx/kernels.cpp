// SPDX-License-Identifier: MIT
#include <phyxel/approx/kernels.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>

#include <cmath>
#include <sstream>

namespace phyxel {

namespace detail {

double kernel_scale(double normalisation, double support_radius, int power, double smallest, double largest)
{
    double h_to_power = 1;
    for (int k = 0; k < power; ++k) h_to_power *= support_radius;
    const double scale = normalisation / h_to_power;

    const bool is_positive = support_radius > 0 && std::isfinite(support_radius);
    if (is_positive && scale >= smallest && scale <= largest) return scale;

    std::ostringstream message;
    message << "support radius of a kernel is " << support_radius << ", ";
    if (is_positive)
        message << "too " << (support_radius < 1 ? "small" : "large") << " to compute with";
    else
        message << "must be positive and finite";
    throw InputError(message.str());
}

} // namespace detail

std::string_view name_of(KernelType type)
{
    switch (type) {
    case KernelType::Poly6:
        return "poly6";
    case KernelType::Spiky:
        return "spiky";
    case KernelType::CubicSpline:
        return "cubic_spline";
    case KernelType::WendlandC2:
        return "wendland_c2";
    }
    PHYXEL_ASSERT(false);
    return {};
}

template <int Dim, std::floating_point Real>
AnyKernel<Dim, Real> make_kernel(KernelType type, std::type_identity_t<Real> support_radius)
{
    switch (type) {
    case KernelType::Poly6:
        return {Poly6<Dim, Real>(support_radius)};
    case KernelType::Spiky:
        return {Spiky<Dim, Real>(support_radius)};
    case KernelType::CubicSpline:
        return {CubicSpline<Dim, Real>(support_radius)};
    case KernelType::WendlandC2:
        break;
    }
    PHYXEL_ASSERT(type == KernelType::WendlandC2);
    return {WendlandC2<Dim, Real>(support_radius)};
}

template AnyKernel<1, double> make_kernel<1, double>(KernelType, double);
template AnyKernel<2, double> make_kernel<2, double>(KernelType, double);
template AnyKernel<3, double> make_kernel<3, double>(KernelType, double);
template AnyKernel<1, float> make_kernel<1, float>(KernelType, float);
template AnyKernel<2, float> make_kernel<2, float>(KernelType, float);
template AnyKernel<3, float> make_kernel<3, float>(KernelType, float);

} // namespace phyxel
