// SPDX-License-Identifier: MIT
// Blocks of water and tanks that the tests of fluid solvers share.
#pragma once

#include <phyxel/core/state_arrays.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/geometry/surroundings.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <type_traits>

namespace phyxel {

template <int D>
using FluidDimension = std::integral_constant<int, D>;
using FluidDimensions = testing::Types<FluidDimension<2>, FluidDimension<3>>;

inline constexpr double spacing = 0.02;

template <int Dim>
FluidModel model(double viscosity = 0.0, double support_ratio = 2.6)
{
    return {.rest_density = 1000.0,
            .parts = {fluid_part_model<Dim>(1000.0, spacing, support_ratio, viscosity)}};
}

/// A box of particles on a lattice, `count` along each axis, half a spacing inside the corner at the origin.
template <int Dim>
FluidState<Dim> box_of(const std::array<int, Dim>& count, double distance = spacing)
{
    FluidState<Dim> fluid;
    int total = 1;
    for (const int n : count) total *= n;
    for (int n = 0; n < total; ++n) {
        Vec<Dim> x;
        for (int k = 0, rest = n; k < Dim; rest /= count[k], ++k) x[k] = (rest % count[k] + 0.5) * distance;
        fluid.position.push_back(x);
        fluid.velocity.push_back(Vec<Dim>::Zero());
        fluid.id.push_back(static_cast<std::uint64_t>(n));
        fluid.part.push_back(0);
    }
    return fluid;
}

/// The same with as many along every axis.
template <int Dim>
FluidState<Dim> block(int count, double distance = spacing)
{
    std::array<int, Dim> counts;
    counts.fill(count);
    return box_of<Dim>(counts, distance);
}

template <int Dim>
Vec<Dim> gravity()
{
    return -9.81 * Vec<Dim>::Unit(Dim - 1);
}

template <int Dim>
Surroundings<Dim> tank(double length, double height)
{
    Surroundings<Dim> surroundings;
    surroundings.domain.bounded = true;
    surroundings.gravity = gravity<Dim>();
    surroundings.domain.box.min = Vec<Dim>::Zero();
    surroundings.domain.box.max = Vec<Dim>::Constant(length);
    surroundings.domain.box.max[Dim - 1] = height;
    return surroundings;
}

/// Two blocks of the same size side by side along x: count^Dim particles of part 0, and what fits of part 1.
template <int Dim>
FluidState<Dim> two_blocks(int count, double distance, double other_distance)
{
    FluidState<Dim> fluid = block<Dim>(count, distance);
    const double length = count * distance;
    const FluidState<Dim> other =
        block<Dim>(static_cast<int>(std::lround(length / other_distance)), other_distance);
    for (std::size_t i = 0; i < other.size(); ++i) {
        fluid.position.push_back(other.position[i] + length * Vec<Dim>::Unit(0));
        fluid.velocity.push_back(other.velocity[i]);
        fluid.id.push_back(fluid.id.size());
        fluid.part.push_back(1);
    }
    return fluid;
}

} // namespace phyxel
