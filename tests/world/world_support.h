// SPDX-License-Identifier: MIT
// Small worlds for tests.
#pragma once

#include "support/temporary_folder.h"

#include <phyxel/world/fluid_body.h>
#include <phyxel/world/run.h>
#include <phyxel/world/world.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace phyxel {

inline constexpr double test_spacing = 0.02;

/// A block of count^Dim particles, half a spacing inside the corner at `origin`.
template <int Dim>
FluidPart<Dim> test_block(const std::string& name, int count, const Vec<Dim>& origin = Vec<Dim>::Zero())
{
    FluidPart<Dim> part{.name = name, .positions = {}, .velocities = {}, .spacing = test_spacing};
    const int total = static_cast<int>(std::lround(std::pow(count, Dim)));
    for (int n = 0; n < total; ++n) {
        Vec<Dim> x = origin;
        for (int k = 0, rest = n; k < Dim; ++k, rest /= count) x[k] += (rest % count + 0.5) * test_spacing;
        part.positions.push_back(x);
        part.velocities.push_back(Vec<Dim>::Zero());
    }
    return part;
}

template <int Dim>
WorldOptions<Dim> test_tank(double size)
{
    WorldOptions<Dim> options;
    options.clock.duration = 0.1;
    options.clock.frame_rate = 50.0;
    options.gravity[Dim - 1] = Formula(-9.81);
    options.domain.bounded = true;
    options.domain.box.min = Vec<Dim>::Zero();
    options.domain.box.max = Vec<Dim>::Constant(size);
    return options;
}

template <int Dim>
std::unique_ptr<World<Dim>> test_world(WorldOptions<Dim> options, std::vector<FluidPart<Dim>> parts,
                                       const FluidOptions& solver = WcsphOptions{.max_speed = 2.0})
{
    std::vector<std::unique_ptr<Body<Dim>>> bodies;
    bodies.push_back(std::make_unique<FluidBody<Dim>>(1000.0, solver, std::move(parts)));
    return std::make_unique<World<Dim>>(std::move(options), std::move(bodies));
}

} // namespace phyxel
