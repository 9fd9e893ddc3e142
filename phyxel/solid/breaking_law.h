// SPDX-License-Identifier: MIT
// How much stress and how much energy it takes to break a solid, place by place and direction by direction.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/solid/solid_material.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Speed of waves along a free surface, the root below 1 of (2 − x)² = 4 √(1 − x) √(1 − kx), where x is the
/// square of it over the speed of shear waves, and k the square of theirs over that of pressure waves [m/s].
double rayleigh_speed(const SolidMaterial& material);

/// Of a part that breaks.
template <int Dim>
class BreakingLaw {
public:
    BreakingLaw(const SolidMaterial& material, double spacing);

    /// Whether stress breaks it, and how much plastic strain tears it.
    bool has_strength() const { return material_.strength.has_value(); }
    const std::optional<double>& fracture_strain() const { return material_.fracture_strain; }

    /// That along the grain, or in all directions if there is none [Pa]. Infinite without one, and where the
    /// formula is not above 0.
    double strength_along(const Vec<Dim>& place) const;
    /// What is left of it where that is `along`, across a plane with this normal of unit length.
    double share_of(const Vec<Dim>& normal, double along) const;

    /// The stress in tension that a plane with this normal of unit length bears in a place at rest [Pa]; with
    /// a grain by Hankinson's formula, between those along and across it.
    double strength(const Vec<Dim>& place, const Vec<Dim>& normal) const;

    /// G_c, what a crack with this normal takes for its area there [J/m²]. Where it is not given it is
    /// spacing · strength² / E′: then a crack of two spacings runs when the stress around it is the strength.
    /// Across a grain it is less, as the square of the strength. What only tears has paid by flowing: 0.
    double fracture_energy(const Vec<Dim>& place, const Vec<Dim>& normal) const;

    /// How large a new crack is: so that it runs under the strength, but no smaller than a spacing and no
    /// larger than three; half of its length [m].
    double first_radius(const Vec<Dim>& place, const Vec<Dim>& normal) const;

    /// E/(1 − ν²), also in the plane, where strain is plane; volume stiffness included [Pa].
    double modulus() const { return modulus_; }
    /// Of fronts [m/s].
    double largest_speed() const { return largest_speed_; }
    /// Of unit length; zero if there is none.
    const Vec<Dim>& grain() const { return grain_; }

private:
    BreakingMaterial material_;
    Vec<Dim> grain_ = Vec<Dim>::Zero();
    double spacing_;
    double modulus_;
    double largest_speed_;
};

/// By how much the strength of single phyxels differs, times: from 1 − variation to 1 + variation.
std::vector<double> strength_factors(double variation, std::uint64_t seed, std::size_t count);

extern template class BreakingLaw<2>;
extern template class BreakingLaw<3>;

} // namespace phyxel
