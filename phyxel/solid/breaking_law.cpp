// SPDX-License-Identifier: MIT
#include <phyxel/solid/breaking_law.h>

#include <phyxel/core/rng.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {
namespace {

/// In spacings.
constexpr double least_radius = 1.0, most_radius = 3.0;

/// What is left at least of the strength of a phyxel, however much it varies.
constexpr double least_factor = 0.01;

/// λ with the volume stiffness, which resists changes of volume as λ does.
double whole_lambda(const SolidMaterial& material)
{
    return material.lame_lambda() + material.volume_stiffness_or_default();
}

} // namespace

double rayleigh_speed(const SolidMaterial& material)
{
    const double mu = material.lame_mu();
    const double k = mu / (whole_lambda(material) + 2.0 * mu);
    double low = 1e-3, high = 1.0;
    constexpr int bisections = 60;
    for (int n = 0; n < bisections; ++n) {
        const double x = 0.5 * (low + high);
        const double value = (2.0 - x) * (2.0 - x) - 4.0 * std::sqrt(1.0 - x) * std::sqrt(1.0 - k * x);
        (value > 0.0 ? high : low) = x;
    }
    return std::sqrt(low * mu / material.density);
}

template <int Dim>
BreakingLaw<Dim>::BreakingLaw(const SolidMaterial& material, double spacing)
    : material_(material.breaking),
      spacing_(spacing)
{
    const double lambda = whole_lambda(material), mu = material.lame_mu();
    modulus_ = 4.0 * mu * (lambda + mu) / (lambda + 2.0 * mu);
    largest_speed_ = material_.crack_speed * rayleigh_speed(material);
    for (std::size_t k = 0; k < std::min<std::size_t>(Dim, material_.grain.size()); ++k)
        grain_[static_cast<Eigen::Index>(k)] = material_.grain[k];
    if (!grain_.isZero(0.0)) grain_.normalize();
}

template <int Dim>
double BreakingLaw<Dim>::strength_along(const Vec<Dim>& place) const
{
    const double value =
        material_.strength
            ? material_.strength->evaluate(place[0], place[1], Dim == 3 ? place[Dim - 1] : 0.0, 0.0)
            : 0.0;
    return value > 0.0 ? value : std::numeric_limits<double>::infinity();
}

template <int Dim>
double BreakingLaw<Dim>::share_of(const Vec<Dim>& normal, double along) const
{
    if (!material_.strength_across || grain_.isZero(0.0)) return 1.0;
    const double cosine = std::min(1.0, std::abs(normal.dot(grain_)));
    const double sine2 = 1.0 - cosine * cosine;
    const double across = *material_.strength_across;
    return across / (along * sine2 + across * cosine * cosine);
}

template <int Dim>
double BreakingLaw<Dim>::strength(const Vec<Dim>& place, const Vec<Dim>& normal) const
{
    const double value = strength_along(place);
    return std::isfinite(value) ? share_of(normal, value) * value : value;
}

template <int Dim>
double BreakingLaw<Dim>::fracture_energy(const Vec<Dim>& place, const Vec<Dim>& normal) const
{
    if (!has_strength()) return 0.0;
    const double value = strength_along(place);
    if (!std::isfinite(value)) return value;
    const double share = share_of(normal, value);
    const double energy = material_.fracture_energy.value_or(spacing_ * value * value / modulus_);
    return share * share * energy;
}

template <int Dim>
double BreakingLaw<Dim>::first_radius(const Vec<Dim>& place, const Vec<Dim>& normal) const
{
    const double bearing = strength(place, normal);
    if (!std::isfinite(bearing)) return least_radius * spacing_;
    const double length = modulus_ * fracture_energy(place, normal) / (bearing * bearing);
    return std::clamp(length, least_radius * spacing_, most_radius * spacing_);
}

std::vector<double> strength_factors(double variation, std::uint64_t seed, std::size_t count)
{
    std::vector<double> factors(count);
    for (std::size_t i = 0; i < count; ++i)
        factors[i] = std::max(least_factor, 1.0 + variation * Rng(seed, i).uniform(-1.0, 1.0));
    return factors;
}

template class BreakingLaw<2>;
template class BreakingLaw<3>;

} // namespace phyxel
