// SPDX-License-Identifier: MIT
// Small worlds for tests.
#pragma once

#include "support/temporary_folder.h"

#include <phyxel/core/state_hash.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/world/run.h>
#include <phyxel/world/world.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
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

/// The checkpoint of a world in which the first bytes of a section were replaced, with the checksum that
/// fits.
template <int Dim, class T>
CheckpointReader forged_checkpoint(const World<Dim>& world, const std::string& section, const T& value)
{
    CheckpointWriter writer;
    world.save(writer);
    std::vector<std::byte> bytes = writer.encode();
    const auto name = std::as_bytes(std::span(section));
    auto found = bytes.begin();
    std::uint32_t length = 0;
    do {
        found = std::search(found + 1, bytes.end(), name.begin(), name.end());
        if (found == bytes.end()) throw std::logic_error("no section " + section);
        // The name follows its length, the type, the components, a zero and the size.
        std::memcpy(&length, &*found - 24, sizeof(length));
    } while (length != section.size());
    std::memcpy(&*found + name.size(), &value, sizeof(value));
    StateHash hash;
    hash.add(std::span<const std::byte>(bytes).first(bytes.size() - 8));
    const std::uint64_t sum = hash.value();
    std::memcpy(bytes.data() + bytes.size() - 8, &sum, sizeof(sum));
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    return {std::move(content), "forged"};
}

} // namespace phyxel
