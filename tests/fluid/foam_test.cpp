// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/fluid/foam.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace phyxel::foam_test {
namespace {

constexpr double spacing = 0.1;
constexpr double frame = 1.0 / 30.0;
const Vec<3> gravity(0, 0, -9.81);

/// A pool of 16 × 16 × 8 particles with a velocity that depends on the place.
FoamFluid pool(const std::function<Vec<3>(const Vec<3>&)>& velocity_at)
{
    FoamFluid fluid;
    for (int k = 0; k < 8; ++k)
        for (int j = 0; j < 16; ++j)
            for (int i = 0; i < 16; ++i) {
                fluid.positions.emplace_back((i + 0.5) * spacing, (j + 0.5) * spacing, (k + 0.5) * spacing);
                fluid.velocities.push_back(velocity_at(fluid.positions.back()));
                fluid.ids.push_back(fluid.ids.size());
            }
    return fluid;
}

FoamFluid still_pool()
{
    return pool([](const Vec<3>&) { return Vec<3>(0, 0, 0); });
}

/// Two halves that run into each other.
FoamFluid violent_pool(double upward = 1.0)
{
    return pool([=](const Vec<3>& x) { return Vec<3>(x[0] < 0.8 ? 3.0 : -3.0, 0, upward); });
}

/// A particle of foam, by making one frame of violent water without time to move.
std::vector<FoamParticle> foam_of(const FoamFluid& fluid, const FoamOptions& options)
{
    FoamMaker maker(spacing, gravity, options);
    maker.advance(fluid, fluid, frame, frame, {});
    return maker.particles();
}

TEST(Foam, still_water_and_water_that_moves_as_a_whole_make_none)
{
    EXPECT_TRUE(foam_of(still_pool(), {.amount = 1e4}).empty());
    const FoamFluid moving = pool([](const Vec<3>&) { return Vec<3>(0, 5, 0); });
    // At the sides of a block that moves the surface curves, but not the way it goes.
    for (const FoamParticle& particle : foam_of(moving, {.amount = 1e4}))
        EXPECT_GT(particle.position[1], 1.4);
}

TEST(Foam, is_born_where_water_meets)
{
    const std::vector<FoamParticle> born = foam_of(violent_pool(), {.amount = 300, .speed = 3.0});
    ASSERT_GT(born.size(), 200u);
    const auto in_the_middle = std::count_if(born.begin(), born.end(), [](const FoamParticle& particle) {
        return std::abs(particle.position[0] - 0.8) < 0.4;
    });
    EXPECT_GT(in_the_middle, 0.8 * static_cast<double>(born.size()));
}

TEST(Foam, twice_the_amount_makes_twice_as_much)
{
    const auto count = [](double amount) {
        return static_cast<double>(foam_of(violent_pool(), {.amount = amount, .speed = 3.0}).size());
    };
    EXPECT_NEAR(count(600) / count(300), 2.0, 0.15);
    EXPECT_EQ(count(0), 0.0);
}

TEST(Foam, spray_flies_bubbles_rise_and_foam_stays_on_the_surface)
{
    FoamMaker maker(spacing, gravity, {.amount = 300, .lifetime = 100, .speed = 3.0, .steps = 8});
    maker.advance(violent_pool(9.0), violent_pool(9.0), frame, frame, {});
    const FoamFluid still = still_pool();
    std::vector<FoamParticle> before = maker.particles();
    int kinds[3] = {0, 0, 0};
    int flying = 0;
    for (int n = 0; n < 10; ++n) {
        maker.advance(still, still, frame, frame, {});
        const std::vector<FoamParticle>& after = maker.particles();
        for (std::size_t i = 0; i < after.size(); ++i) {
            ASSERT_EQ(after[i].id, before[i].id);
            if (after[i].kind != before[i].kind) continue;
            ++kinds[static_cast<int>(after[i].kind)];
            const double height = std::min(before[i].position[2], after[i].position[2]);
            if (height > 0.8 + 2.0 * spacing) { // no water within reach
                const Vec<3> change = after[i].velocity - before[i].velocity;
                EXPECT_LT((change - frame * gravity).norm(), 1e-12);
                ++flying;
            } else if (after[i].kind == FoamKind::Foam && n > 0) {
                EXPECT_LT(after[i].velocity.norm(), 1e-12); // goes along with water that stands
            } else if (after[i].kind == FoamKind::Bubble && n > 1) {
                EXPECT_GT(after[i].velocity[2], 0.0);
            }
        }
        before = after;
    }
    EXPECT_GT(flying, 20);
    EXPECT_GT(kinds[1], 100);
    EXPECT_GT(kinds[2], 100);
}

TEST(Foam, fades_and_leaves_through_walls_that_let_it)
{
    FoamMaker maker(spacing, gravity, {.amount = 300, .lifetime = 0.2, .speed = 3.0});
    maker.advance(violent_pool(), violent_pool(), frame, frame, {});
    const std::size_t born = maker.particles().size();
    const FoamFluid nothing;
    for (int n = 0; n < 10; ++n) maker.advance(nothing, nothing, frame, frame, {});
    EXPECT_GT(born, 0u);
    EXPECT_TRUE(maker.particles().empty());

    FoamMaker other(spacing, gravity, {.amount = 300, .speed = 3.0});
    other.advance(violent_pool(), violent_pool(), frame, frame,
                  [](Vec<3>& x, Vec<3>&, double) { return x[0] < 0.8; });
    EXPECT_FALSE(other.particles().empty());
    for (const FoamParticle& particle : other.particles()) EXPECT_LT(particle.position[0], 0.8);
}

TEST(Foam, is_the_same_on_any_number_of_threads)
{
    const auto make = [](int threads) {
        const ThreadLimit limit(threads);
        FoamMaker maker(spacing, gravity, {.amount = 300, .speed = 3.0});
        for (int n = 0; n < 3; ++n) maker.advance(violent_pool(), violent_pool(), frame, frame, {});
        return maker.particles();
    };
    const std::vector<FoamParticle> one = make(1), three = make(3);
    ASSERT_EQ(one.size(), three.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].position, three[i].position);
        EXPECT_EQ(one[i].id, three[i].id);
    }
}

TEST(Foam, refuses_options_out_of_range)
{
    for (const FoamOptions& options :
         {FoamOptions{.amount = -1}, FoamOptions{.lifetime = 0}, FoamOptions{.speed = std::nan("")},
          FoamOptions{.drag = 2}, FoamOptions{.steps = 0}})
        EXPECT_THROW(FoamMaker(spacing, gravity, options), InputError);
}

} // namespace
} // namespace phyxel::foam_test
