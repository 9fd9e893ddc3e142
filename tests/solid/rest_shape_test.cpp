// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/solid/solid_model.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

namespace phyxel::rest_shape_test {
namespace {

/// A block with a sheet beside it that is one phyxel thick, and a thread.
PhyxelCloud<3> block_with_a_sheet()
{
    std::vector<Vec<3>> places;
    for (int x = 0; x < 9; ++x)
        for (int y = 0; y < 7; ++y)
            for (int z = 0; z < 6; ++z) places.emplace_back(x, y, z);
    for (int x = 20; x < 28; ++x)
        for (int y = 0; y < 6; ++y) places.emplace_back(x, y, 0);
    for (int x = 40; x < 50; ++x) places.emplace_back(x, 0, 0);
    return make_phyxels<3>(places, 1.0, 1.0);
}

SolidModel<3> model_of(const PhyxelCloud<3>& cloud)
{
    const SolidMaterial material;
    const PhyxelCloud<3>* const clouds[] = {&cloud};
    return make_solid_model<3>(clouds, std::span(&material, 1), 0.1);
}

template <class T>
bool has_same_bytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(static_cast<const void*>(a.data()),
                                               static_cast<const void*>(b.data()), a.size() * sizeof(T)) == 0;
}

void expect_same_bits(const SolidModel<3>& a, const SolidModel<3>& b)
{
    EXPECT_TRUE(has_same_bytes(a.rest.pairs, b.rest.pairs));
    EXPECT_TRUE(has_same_bytes(a.rest.area, b.rest.area));
    EXPECT_TRUE(has_same_bytes(a.rest.spans_space, b.rest.spans_space));
    EXPECT_TRUE(has_same_bytes(a.stabilization, b.stabilization));
    for (std::size_t i = 0; i < a.size(); ++i) {
        const PhyxelGradient<3>&p = a.rest.gradients[i], &q = b.rest.gradients[i];
        ASSERT_TRUE(p.inverse_moment == q.inverse_moment && p.stabilizing_moment == q.stabilizing_moment &&
                    p.weighted_offsets == q.weighted_offsets &&
                    p.stabilizing_offsets == q.stabilizing_offsets && p.weight_sum == q.weight_sum)
            << i;
        ASSERT_TRUE(a.rest.rest_gradient(i) == b.rest.rest_gradient(i)) << i;
        ASSERT_TRUE(a.rest.stabilizing_inverse(i) == b.rest.stabilizing_inverse(i)) << i;
    }
    EXPECT_EQ(a.rest.flat.size(), b.rest.flat.size());
}

/// As many phyxels of the cloud as wanted, each once.
std::vector<Index> some_of(const SolidModel<3>& model, std::size_t count, Rng& rng)
{
    std::set<Index> chosen;
    while (chosen.size() < count)
        chosen.insert(static_cast<Index>(rng.uniform() * static_cast<double>(model.size())));
    return {chosen.begin(), chosen.end()};
}

TEST(RestShape, refitted_for_a_few_phyxels_has_the_bits_of_one_that_is_fitted_anew)
{
    const PhyxelCloud<3> cloud = block_with_a_sheet();
    const SolidModel<3> before = model_of(cloud);
    ASSERT_GT(before.rest.flat.size(), 40u);
    ASSERT_LT(before.rest.flat.size(), before.size() / 2);
    Rng rng(3);
    for (const std::size_t count : {0u, 1u, 2u, 5u, 20u, 100u}) {
        SolidModel<3> model = model_of(cloud), anew = model_of(cloud);
        const std::vector<Index> chosen = some_of(model, count, rng);
        for (const Index i : chosen) {
            // Also out of the sheet and into it, so that phyxels become flat and cease to be.
            model.rest.position[i] += rng.point<3>(-0.3, 0.3);
            model.rest.volume[i] *= rng.uniform(0.5, 2.0);
            model.rest.support_radius[i] *= rng.uniform(0.8, 1.2);
        }
        anew.rest.position = model.rest.position;
        anew.rest.volume = model.rest.volume;
        anew.rest.support_radius = model.rest.support_radius;
        const RefitReport report = model.refit(chosen, 0.1);
        fit<3>(anew.rest, 0);
        anew.set_material(0, anew.materials[0], 0.1);
        expect_same_bits(model, anew);
        EXPECT_TRUE(std::includes(report.fitted.begin(), report.fitted.end(), chosen.begin(), chosen.end()));
        // And back.
        for (const Index i : chosen) {
            model.rest.position[i] = before.rest.position[i];
            model.rest.volume[i] = before.rest.volume[i];
            model.rest.support_radius[i] = before.rest.support_radius[i];
        }
        (void)model.refit(chosen, 0.1);
        expect_same_bits(model, before);
    }
}

TEST(RestShape, refits_cost_what_the_phyxels_and_their_neighbours_are)
{
    const PhyxelCloud<3> cloud = block_with_a_sheet();
    SolidModel<3> model = model_of(cloud);
    std::size_t most = 0; // neighbours of a phyxel, itself among them
    for (std::size_t i = 0; i < model.size(); ++i)
        most = std::max(most, 1 + model.rest.neighbors.of(i).size());
    Rng rng(5);
    for (const std::size_t count : {0u, 1u, 3u}) {
        const std::vector<Index> chosen = some_of(model, count, rng);
        const RefitReport report = model.refit(chosen, 0.1);
        EXPECT_LE(report.fitted.size(), count * most);
        EXPECT_LE(report.areas, report.fitted.size() * most);
        EXPECT_LT(report.areas, model.size());
        EXPECT_GE(report.areas, count);
    }
    std::vector<Index> all(model.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Index>(i);
    EXPECT_EQ(model.refit(all, 0.1).fitted.size(), model.size());
}

TEST(RestShape, a_solid_that_comes_later_is_fitted_as_if_it_had_been_there)
{
    const PhyxelCloud<3> sheet = block_with_a_sheet();
    const PhyxelCloud<3> box = make_phyxels<3>(Shape<3>(Box<3>{Vec<3>::Zero(), Vec<3>(3, 4, 5)}), 1.0);
    const SolidMaterial material;
    const std::vector<SolidMaterial> materials(2, material);
    const PhyxelCloud<3>* const clouds[] = {&sheet, &box};
    SolidModel<3> grown = model_of(sheet);
    add_solid(grown, box, material, 0.1);
    expect_same_bits(grown, make_solid_model<3>(clouds, materials, 0.1));
}

TEST(RestShape, a_solid_that_is_taken_away_leaves_the_others_as_if_it_had_never_been_there)
{
    const PhyxelCloud<3> first = block_with_a_sheet();
    PhyxelCloud<3> second = block_with_a_sheet(), third = block_with_a_sheet();
    for (Vec<3>& x : second.positions) x += Vec<3>(0.0, 30.0, 0.0);
    for (Vec<3>& x : third.positions) x = 1.5 * x + Vec<3>(0.0, 60.0, 0.0);
    const SolidMaterial soft{.youngs_modulus = 1e4}, stiff{.youngs_modulus = 1e6};
    const PhyxelCloud<3>* const all[] = {&first, &second, &third};
    const PhyxelCloud<3>* const kept[] = {&first, &third};
    SolidModel<3> model = make_solid_model<3>(all, std::vector{soft, stiff, stiff}, 0.1);
    const SolidModel<3> expected = make_solid_model<3>(kept, std::vector{soft, stiff}, 0.1);
    remove_solid(model, 1);
    expect_same_bits(model, expected);
    EXPECT_FALSE(expected.rest.flat.empty());
    for (std::size_t k = 0; k < expected.rest.flat.size(); ++k)
        EXPECT_EQ(model.rest.flat[k].phyxel, expected.rest.flat[k].phyxel);
    EXPECT_TRUE(std::ranges::equal(model.rest.neighbors.ids(), expected.rest.neighbors.ids()));
    EXPECT_TRUE(std::ranges::equal(model.rest.neighbors.offsets(), expected.rest.neighbors.offsets()));
    EXPECT_TRUE(has_same_bytes(model.mass, expected.mass));
    EXPECT_TRUE(has_same_bytes(model.radius, expected.radius));
    const auto count = static_cast<Index>(first.size());
    EXPECT_EQ(model.first_of_part, (std::vector<Index>{0, count, count, 2 * count}));
    EXPECT_EQ(model.part.back(), 2u) << "numbers of solids stay";
}

} // namespace
} // namespace phyxel::rest_shape_test
