// SPDX-License-Identifier: MIT
#include <phyxel/fluid/pair_gradients.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/fluid_stages.h>
#include <phyxel/search/neighbor_search.h>

#include <gtest/gtest.h>

#include <map>
#include <utility>

namespace phyxel::pair_gradients_test {
namespace {

/// Random points, no two of them at a lattice's distance, and what a step prepares for them.
struct Cloud {
    static constexpr float support = 0.2f;
    static constexpr float mass = 0.7f;

    NeighborSearch<3, float> search;
    std::vector<Quad<float>> place;
    std::vector<float> density, response;
    std::vector<float> masses, supports, inverse_supports;
    std::vector<WallShare<3, float>> walls;
    FluidPairs<3, float> pairs;
    PairGradients<3, float> gradients;

    explicit Cloud(bool is_mixed)
    {
        Rng rng(5);
        std::vector<Vec<3, float>> x;
        for (int i = 0; i < 700; ++i) x.push_back(rng.point<3>(0.0, 1.0).cast<float>());
        search.update(x, support);
        place.resize(x.size());
        for (std::size_t i = 0; i < x.size(); ++i)
            for (int k = 0; k < 3; ++k) place[i].v[k] = search.coordinate(k)[i];
        masses.assign(x.size(), mass);
        supports.assign(x.size(), support);
        inverse_supports.assign(x.size(), 1.0f / support);
        walls.resize(x.size());
        density.resize(x.size());
        response.resize(x.size());
        pairs.geometry.place = place.data();
        pairs.neighbors = &search.lists();
        pairs.sizes = {.mass = mass, .support_radius = support};
        if (is_mixed) {
            pairs.sizes.masses = masses.data();
            pairs.sizes.support_radii = supports.data();
            pairs.sizes.inverse_supports = inverse_supports.data();
        }
        compute_density_and_gradients<3, float>(pairs, walls, 1000.0f, density, response, gradients);
    }

    Vec<3> way(Index i, Index j) const
    {
        Vec<3> d;
        for (int k = 0; k < 3; ++k) d[k] = static_cast<double>(place[i].v[k]) - place[j].v[k];
        return d;
    }
};

TEST(PairGradients, of_one_size_are_those_of_the_kernel_within_half_a_quantum)
{
    const Cloud cloud(false);
    const CubicSpline<3> kernel(Cloud::support);
    const double quantum = cloud.gradients.quantum();
    double steepest = 0.0;
    for (Index i = 0; i < cloud.place.size(); ++i) {
        std::size_t seen = 0;
        for (const auto& group : cloud.gradients.of<false>(i))
            for (std::size_t l = 0; l < group.j.size(); ++l) {
                const auto& axis = group.gradient.axis;
                if (seen++ >= cloud.search.lists().of(i).size()) {
                    for (int k = 0; k < 3; ++k) EXPECT_EQ(axis[k][l], 0); // after the last neighbour
                    continue;
                }
                EXPECT_EQ(group.j[l], cloud.search.lists().of(i)[seen - 1]);
                const Vec<3> expected = Cloud::mass * kernel.gradient(cloud.way(i, group.j[l]));
                steepest = std::max(steepest, expected.norm());
                for (int k = 0; k < 3; ++k) EXPECT_NEAR(quantum * axis[k][l], expected[k], 0.52 * quantum);
            }
    }
    // Sixteen bits are used: none is longer than the quantum allows, and not by much shorter.
    EXPECT_LE(steepest, 32767.5 * quantum);
    EXPECT_GT(steepest, 32000.0 * quantum);
}

TEST(PairGradients, are_opposite_for_the_two_of_a_pair_to_the_last_bit)
{
    const Cloud cloud(false);
    std::map<std::pair<Index, Index>, std::array<int, 3>> kept;
    for (Index i = 0; i < cloud.place.size(); ++i) {
        std::size_t seen = 0;
        for (const auto& group : cloud.gradients.of<false>(i))
            for (std::size_t l = 0; l < group.j.size() && seen < cloud.search.lists().of(i).size();
                 ++l, ++seen)
                for (int k = 0; k < 3; ++k) kept[{i, group.j[l]}][k] = group.gradient.axis[k][l];
    }
    ASSERT_GT(kept.size(), 1000u);
    for (const auto& [pair, gradient] : kept)
        for (int k = 0; k < 3; ++k) EXPECT_EQ((kept.at({pair.second, pair.first})[k]), -gradient[k]);
}

TEST(PairGradients, of_mixed_sizes_that_are_the_same_give_what_one_size_gives)
{
    const Cloud one(false), mixed(true);
    Rng rng(8);
    std::vector<float> pressure;
    for (std::size_t i = 0; i < one.place.size(); ++i)
        pressure.push_back(static_cast<float>(rng.uniform(0.0, 2.0)));
    std::vector<Quad<float>> a(pressure.size()), b(pressure.size());
    compute_pressure_acceleration<3, float>(one.gradients, one.walls, 1000.0f, pressure, a);
    compute_pressure_acceleration<3, float>(mixed.gradients, mixed.walls, 1000.0f, pressure, b);
    std::vector<float> rate_a(pressure.size()), rate_b(pressure.size());
    compute_density_rate<3, float>(one.gradients, one.walls, 1000.0f, b, WallMotion::AtRest, rate_a);
    compute_density_rate<3, float>(mixed.gradients, mixed.walls, 1000.0f, b, WallMotion::AtRest, rate_b);
    float largest = 0.0f, largest_rate = 0.0f;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(b[i].v[0]));
        largest_rate = std::max(largest_rate, std::abs(rate_b[i]));
    }
    ASSERT_GT(largest, 0.0f);
    for (std::size_t i = 0; i < a.size(); ++i) {
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(a[i].v[k], b[i].v[k], 1e-4f * largest);
        EXPECT_NEAR(rate_a[i], rate_b[i], 1e-4f * largest_rate);
        EXPECT_NEAR(one.density[i], mixed.density[i], 1e-5f * one.density[i]);
        EXPECT_NEAR(one.response[i], mixed.response[i], 1e-4f * one.response[i] + 1e-3f);
    }
}

} // namespace
} // namespace phyxel::pair_gradients_test
