// SPDX-License-Identifier: MIT
// Bodies of different kinds that push each other.
#include "world_support.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/solid_body.h>

#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>

namespace phyxel::coupling_test {
namespace {

template <int D>
using Dimension = std::integral_constant<int, D>;

template <class T>
class Coupling : public testing::Test {
};
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(Coupling, Dimensions);

/// A ball of jelly, 0.16 m thick, in the middle of space.
template <int Dim>
SolidPart<Dim> jelly_ball(double spacing, const Vec<Dim>& center = Vec<Dim>::Zero(), double radius = 0.08)
{
    const Shape<Dim> shape(Sphere<Dim>{.center = center, .radius = radius});
    SolidPart<Dim> part;
    part.name = "ball";
    part.phyxels = make_phyxels<Dim>(shape, spacing);
    part.velocities.assign(part.phyxels.size(), Vec<Dim>::Zero());
    part.material = {.youngs_modulus = 2e4, .poisson_ratio = 0.4};
    part.shape = shape;
    return part;
}

/// A block of water that flies at a ball of jelly, in empty space.
template <int Dim>
std::unique_ptr<World<Dim>> collision(const FluidOptions& fluid, double solid_spacing = 0.02,
                                      const SolidOptions& solid = LeapfrogOptions{})
{
    Vec<Dim> corner = Vec<Dim>::Constant(-0.06);
    corner[0] = -0.26;
    corner[1] += 0.03; // not quite in the middle
    FluidPart<Dim> block = test_block<Dim>("water", 6, corner);
    block.velocities.assign(block.positions.size(), 1.0 * Vec<Dim>::Unit(0));
    std::vector<SolidPart<Dim>> parts;
    parts.push_back(jelly_ball<Dim>(solid_spacing));
    std::vector<std::unique_ptr<Body<Dim>>> bodies;
    std::vector<FluidPart<Dim>> fluids;
    fluids.push_back(std::move(block));
    bodies.push_back(std::make_unique<FluidBody<Dim>>(1000.0, fluid, std::move(fluids)));
    bodies.push_back(std::make_unique<SolidBody<Dim>>(solid, std::move(parts)));
    WorldOptions<Dim> options;
    options.clock = {.duration = 0.25, .frame_rate = 100.0};
    return std::make_unique<World<Dim>>(std::move(options), std::move(bodies));
}

template <int Dim>
Vec<Dim> momentum_of(World<Dim>& world)
{
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const BodyTotals<Dim>& total : world.totals()) sum += total.momentum;
    return sum;
}

template <int Dim>
void expect_momentum_kept(World<Dim>& world, double tolerance)
{
    const Vec<Dim> before = momentum_of(world);
    const double mass = world.totals()[1].mass;
    while (world.frame() < 25) ASSERT_TRUE(world.advance_frame()) << to_text(*world.failure());
    // The ball has got a good part of it.
    EXPECT_GT(world.totals()[1].momentum[0], 0.1 * before[0]);
    EXPECT_LT(world.totals()[1].momentum[0] / mass, 1.0);
    EXPECT_LT((momentum_of(world) - before).norm(), tolerance * before.norm());
}

TYPED_TEST(Coupling, water_that_hits_jelly_keeps_the_momentum_of_both_with_wcsph)
{
    auto world = collision<TypeParam::value>(WcsphOptions{.max_speed = 2.0});
    expect_momentum_kept(*world, 1e-6);
}

TYPED_TEST(Coupling, water_that_hits_jelly_keeps_the_momentum_of_both_with_dfsph)
{
    auto world = collision<TypeParam::value>(DfsphOptions{.max_speed = 2.0});
    expect_momentum_kept(*world, 1e-6);
}

TYPED_TEST(Coupling, water_that_hits_coarse_jelly_keeps_the_momentum_of_both)
{
    auto world = collision<TypeParam::value>(DfsphOptions{.max_speed = 2.0}, 0.04);
    expect_momentum_kept(*world, 1e-6);
}

TYPED_TEST(Coupling, water_pushes_what_is_computed_implicitly)
{
    auto world = collision<TypeParam::value>(
        DfsphOptions{.max_speed = 2.0}, 0.02,
        ImplicitOptions{.time_step = 0.005, .tolerance = 1e-8, .newton_iterations = 10});
    expect_momentum_kept(*world, 1e-4);
}

TYPED_TEST(Coupling, the_same_bits_on_any_number_of_threads_and_after_a_checkpoint)
{
    constexpr int Dim = TypeParam::value;
    const auto make = [] { return collision<Dim>(DfsphOptions{.max_speed = 2.0}); };
    auto world = make();
    while (world->frame() < 12) ASSERT_TRUE(world->advance_frame());
    CheckpointWriter checkpoint;
    world->save(checkpoint);
    while (world->frame() < 20) ASSERT_TRUE(world->advance_frame());
    const std::uint64_t hash = world->state_hash();

    const std::vector<std::byte> bytes = checkpoint.encode();
    Buffer<std::byte> content(bytes.size());
    std::copy(bytes.begin(), bytes.end(), content.data());
    auto resumed = make();
    resumed->load(CheckpointReader(std::move(content), "test"));
    while (resumed->frame() < 20) ASSERT_TRUE(resumed->advance_frame());
    EXPECT_EQ(resumed->state_hash(), hash);

    for (const int threads : {1, 3, 7}) {
        const ThreadLimit limit(threads);
        auto again = make();
        while (again->frame() < 20) ASSERT_TRUE(again->advance_frame());
        EXPECT_EQ(again->state_hash(), hash) << threads;
    }
}

} // namespace
} // namespace phyxel::coupling_test
