// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/solid/coarse_space.h>
#include <phyxel/solid/elastic_stages.h>

#include <Eigen/Geometry>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace phyxel::coarse_space_test {
namespace {

constexpr double inertia = 1024.0;

/// A block whose lowest layer is held.
struct HeldBlock {
    HeldBlock()
        : cloud(make_phyxels<3>(Shape<3>(Box<3>{Vec<3>::Zero(), Vec<3>(1, 1, 0.8)}), 0.1)),
          model(make_model()),
          fixed(model.size(), 0)
    {
        for (std::size_t i = 0; i < model.size(); ++i) fixed[i] = model.rest.position[i][2] < 0.1;
        space.build(model, fixed);
        space.set_inertia(inertia);
    }

    std::vector<Vec<3>> correction(const std::vector<Vec<3>>& residual)
    {
        std::vector<Vec<3>> change(model.size(), Vec<3>::Zero());
        space.add_correction(residual, change);
        return change;
    }

    /// (K + s M) u for phyxels that are free.
    std::vector<Vec<3>> system(const std::vector<Vec<3>>& u, const std::vector<Vec<3>>& places) const
    {
        ElasticWorkspace<3> work(model);
        compute_responses<3>(model, places, {}, work);
        std::vector<Vec<3>> product(model.size());
        apply_stiffness<3>(model, u, 0.0, work, product);
        for (std::size_t i = 0; i < model.size(); ++i) {
            product[i] += model.mass[i] * inertia * u[i];
            if (fixed[i] != 0) product[i].setZero();
        }
        return product;
    }

    PhyxelCloud<3> cloud;
    SolidModel<3> model;
    std::vector<std::uint8_t> fixed;
    CoarseSpace<3> space;

private:
    SolidModel<3> make_model() const
    {
        const PhyxelCloud<3>* const clouds[] = {&cloud};
        const SolidMaterial material{.law = ElasticLaw::StVenantKirchhoff, .youngs_modulus = 1e5};
        return make_solid_model<3>(clouds, std::span(&material, 1), 0.1);
    }
};

std::vector<Vec<3>> random_vectors(std::size_t count, std::uint64_t seed)
{
    std::vector<Vec<3>> all(count);
    for (std::size_t i = 0; i < count; ++i) {
        Rng rng(seed, i);
        for (int k = 0; k < 3; ++k) all[i][k] = rng.uniform(-1.0, 1.0);
    }
    return all;
}

double dot(const std::vector<Vec<3>>& a, const std::vector<Vec<3>>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i].dot(b[i]);
    return sum;
}

double distance(const std::vector<Vec<3>>& a, const std::vector<Vec<3>>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]).squaredNorm();
    return std::sqrt(sum);
}

TEST(CoarseSpace, correction_is_symmetric_and_positive)
{
    HeldBlock block;
    const auto a = random_vectors(block.model.size(), 1), b = random_vectors(block.model.size(), 2);
    EXPECT_NEAR(dot(a, block.correction(b)), dot(b, block.correction(a)),
                1e-12 * dot(a, block.correction(a)));
    EXPECT_GT(dot(a, block.correction(a)), 0.0);
}

TEST(CoarseSpace, solves_the_system_for_its_own_displacements)
{
    HeldBlock block;
    const std::vector<Vec<3>> u = block.correction(random_vectors(block.model.size(), 3));
    const std::vector<Vec<3>> again = block.correction(block.system(u, block.model.rest.position));
    EXPECT_LT(distance(u, again), 0.05 * std::sqrt(dot(u, u)));
}

TEST(CoarseSpace, turns_with_the_solid)
{
    HeldBlock block;
    Mat<3> R;
    R = Eigen::AngleAxisd(2.0, Vec<3>(1, -2, 0.5).normalized());
    std::vector<Vec<3>> places;
    for (const Vec<3>& X : block.model.rest.position) places.push_back(R * X + Vec<3>(1, 2, 3));
    ElasticWorkspace<3> work(block.model);
    compute_responses<3>(block.model, places, {}, work);
    block.space.turn(block.model, work.responses);
    const std::vector<Vec<3>> u = block.correction(random_vectors(block.model.size(), 4));
    const std::vector<Vec<3>> again = block.correction(block.system(u, places));
    EXPECT_LT(distance(u, again), 0.05 * std::sqrt(dot(u, u)));
}

TEST(CoarseSpace, leaves_what_is_held_where_it_is)
{
    HeldBlock block;
    const std::vector<Vec<3>> u = block.correction(random_vectors(block.model.size(), 5));
    for (std::size_t i = 0; i < u.size(); ++i)
        if (block.fixed[i] != 0) {
            EXPECT_EQ(u[i], (Vec<3>::Zero()));
        }
}

TEST(CoarseSpace, depends_on_the_inertia_of_now_alone)
{
    HeldBlock block, other;
    for (const double s : {1.0, 30.0, 1e3, 2e4, 1e6, 1e8}) other.space.set_inertia(s);
    other.space.set_inertia(inertia);
    const auto a = random_vectors(block.model.size(), 6);
    EXPECT_EQ(distance(block.correction(a), other.correction(a)), 0.0);
}

TEST(CoarseSpace, has_the_same_bits_whatever_caches_a_machine_has)
{
    Eigen::setCpuCacheSizes(48 << 10, 2 << 20, 256 << 20);
    HeldBlock large;
    Eigen::setCpuCacheSizes(16 << 10, 128 << 10, 1 << 20);
    HeldBlock small;
    const std::vector<Vec<3>> residual = random_vectors(large.model.size(), 3);
    EXPECT_EQ(large.correction(residual), small.correction(residual));
}

} // namespace
} // namespace phyxel::coarse_space_test
