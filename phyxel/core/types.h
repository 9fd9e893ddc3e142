// SPDX-License-Identifier: MIT
// The small types that every room passes around.
#pragma once

#include <Eigen/Core>

#include <concepts>
#include <cstdint>

namespace phyxel {

/// Number of a particle, point or node. 32 bits: neighbour lists are the largest thing we store.
using Index = std::uint32_t;

template <int Dim, std::floating_point Real = double>
using Vec = Eigen::Matrix<Real, Dim, 1>;

template <int Dim, std::floating_point Real = double>
using Mat = Eigen::Matrix<Real, Dim, Dim>;

} // namespace phyxel
