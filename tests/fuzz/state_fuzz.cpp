// SPDX-License-Identifier: MIT
// Fuzz target for the state that a checkpoint brings into a world: whatever numbers it holds, it is refused,
// or the world goes on from it for some steps, and soon. The input is a list of changes to a good checkpoint:
// which byte of its sections (two bytes), and the eight bytes that stand there instead.

#include <phyxel/core/state_hash.h>
#include <phyxel/geometry/primitives.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/world/world.h>

#include "reader_support.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace phyxel {
namespace {

/// Some water, a tap above it and a probe that is read between frames.
std::unique_ptr<World<2>> make_world()
{
    constexpr double spacing = 0.05;
    FluidPart<2> water{.name = "water", .positions = {}, .velocities = {}, .spacing = spacing};
    for (int n = 0; n < 16; ++n) {
        water.positions.push_back(spacing * Vec<2>(n % 4 + 0.5, n / 4 + 0.5));
        water.velocities.push_back(Vec<2>::Zero());
    }
    FluidFlows<2> flows;
    flows.emitters.push_back(
        {.name = "tap", .shape = Box<2>{Vec<2>(0.4, 0.7), Vec<2>(0.6, 0.9)}, .velocity = Vec<2>(0.0, -1.0)});
    WorldOptions<2> options;
    options.clock.duration = 1.0;
    options.clock.frame_rate = 20.0;
    options.gravity[1] = Formula(-9.81);
    options.domain.bounded = true;
    options.domain.box.min = Vec<2>::Zero();
    options.domain.box.max = Vec<2>::Ones();
    options.probes.push_back({"speed", BodyProbe{"water"}, "max_speed", ProbeTimes::Interval, 0.003});
    std::vector<std::unique_ptr<Body<2>>> bodies;
    bodies.push_back(std::make_unique<FluidBody<2>>(1000.0, DfsphOptions{.max_speed = 4.0},
                                                    std::vector{water}, std::move(flows)));
    return std::make_unique<World<2>>(std::move(options), std::move(bodies));
}

const std::vector<std::byte>& good_checkpoint()
{
    static const std::vector<std::byte> bytes = [] {
        auto world = make_world();
        require(world->advance_frame());
        require(!world->advance_frame([] { return true; })); // between frames
        CheckpointWriter writer;
        world->save(writer);
        return writer.encode();
    }();
    return bytes;
}

void check(std::span<const std::byte> input)
{
    constexpr std::size_t change_size = 2 + 8, header_size = 24, hash_size = 8, most_changes = 16, steps = 5;
    const std::vector<std::byte>& good = good_checkpoint();
    Buffer<std::byte> content(good.size());
    std::copy(good.begin(), good.end(), content.data());
    for (std::size_t k = 0; k < most_changes && input.size() >= change_size; ++k) {
        std::uint16_t place = 0;
        std::memcpy(&place, input.data(), 2);
        const std::size_t room = good.size() - header_size - hash_size - 8;
        std::memcpy(content.data() + header_size + place % room, input.data() + 2, 8);
        input = input.subspan(change_size);
    }
    StateHash hash;
    hash.add(std::as_const(content).span().first(good.size() - hash_size));
    const std::uint64_t value = hash.value();
    std::memcpy(content.data() + good.size() - hash_size, &value, hash_size);

    auto world = make_world();
    if (!is_accepted([&] { world->load(CheckpointReader(std::move(content), "input")); })) return;
    std::size_t left = steps;
    static_cast<void>(is_accepted([&] {
        while (left > 0 && !world->failure()) (void)world->advance_frame([&] { return --left == 0; });
    }));
    require(world->particle_count() < 2000000);
}

} // namespace
} // namespace phyxel

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    phyxel::check(phyxel::as_input(data, size));
    return 0;
}
