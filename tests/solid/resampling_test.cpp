// SPDX-License-Identifier: MIT
// Phyxels that are halved where a solid is drawn out.
#include "solid/solid_support.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_arrays.h>
#include <phyxel/solid/resampling.h>
#include <phyxel/solid/reshaping.h>

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace phyxel::resampling_test {
namespace {

using solid_support::Solids;

constexpr double share = 0.1; // of stabilisation

const Box<3> bar{Vec<3>(-0.4, -0.2, -0.2), Vec<3>(0.4, 0.2, 0.2)};

SolidMaterial putty()
{
    SolidMaterial material{.youngs_modulus = 2e4, .poisson_ratio = 0.45};
    material.flows = true;
    material.yield_stress = 1e6; // more than anything here comes to
    return material;
}

/// Bars that flow and are sampled more finely where they are drawn out.
struct Drawn : Solids {
    explicit Drawn(const std::vector<Box<3>>& boxes = {bar}, int halvings = 3,
                   const SolidOptions& options = LeapfrogOptions{})
        : Solids(boxes, 0.1, putty(), options)
    {
        state.remember_rest(model.rest.position);
        model.rest.scale = state.rest_scale;
        std::fill(model.most_halvings.begin(), model.most_halvings.end(), halvings);
        solver.update_material();
    }

    void place(const Mat<3>& F)
    {
        for (std::size_t i = 0; i < model.size(); ++i) state.position[i] = F * state.position[i];
    }
    ReshapeReport forget(std::span<const std::uint8_t> kept = {})
    {
        const std::vector<std::uint8_t> parts(model.materials.size(), 1);
        ReshapeReport report = forget_rest<3>(model, state, parts, share, Forgotten::WhatMoved, kept);
        if (report.came_from.empty()) {
            solver.update_rest();
            return report;
        }
        ids = IdIndex(state.id);
        regions = SolidRegions<3>(model, ids, {});
        solver.update_phyxels();
        return report;
    }
    /// Along x, keeping the volume, in steps in which neighbours stay neighbours.
    void draw(double stretch)
    {
        constexpr int steps = 20;
        const double along = std::pow(stretch, 1.0 / steps), across = 1.0 / std::sqrt(along);
        for (int k = 0; k < steps; ++k) {
            place(Vec<3>(along, across, across).asDiagonal());
            (void)forget();
        }
    }
    /// What the moment of the neighbours is along x, over the most that it is in any direction; of the phyxel
    /// for which that is least.
    double least_share_along() const
    {
        double least = 1.0;
        for (Index i = 0; i < model.size(); ++i) {
            Mat<3> A = Mat<3>::Zero();
            std::size_t entry = model.rest.neighbors.offsets()[i];
            for (const Index j : model.rest.neighbors.of(i)) {
                const Vec<3> X = model.rest.position[j] - model.rest.position[i];
                A += model.rest.pairs[entry++].w * X * X.transpose();
            }
            least = std::min(least, A(0, 0) / A.diagonal().maxCoeff());
        }
        return least;
    }
};

struct Sums {
    double mass = 0.0, volume = 0.0, heat = 0.0, kinetic = 0.0;
    Vec<3> center = Vec<3>::Zero(), momentum = Vec<3>::Zero(), spin = Vec<3>::Zero();

    explicit Sums(const Drawn& solid)
    {
        const SolidState<3>& state = solid.state;
        for (std::size_t i = 0; i < solid.model.size(); ++i) {
            const double m = solid.model.mass[i];
            mass += m;
            volume += solid.model.rest.volume[i];
            heat += m * state.enthalpy[i];
            kinetic += 0.5 * m * state.velocity[i].squaredNorm();
            center += m * state.position[i];
            momentum += m * state.velocity[i];
            spin += m * state.position[i].cross(state.velocity[i]);
        }
    }
};

TEST(Resampling, halves_have_mass_momentum_spin_energy_and_heat_of_the_whole)
{
    Drawn solid;
    Rng rng(5);
    solid.state.enthalpy.resize(solid.state.size());
    solid.state.start_temperature.assign(solid.state.size(), 293.0);
    for (std::size_t i = 0; i < solid.state.size(); ++i) {
        solid.state.velocity[i] = rng.point<3>(-1.0, 1.0);
        solid.state.enthalpy[i] = 1e5 * rng.point<3>(0.0, 1.0)[0];
    }
    const Sums before(solid);
    std::vector<Halving<3>> halvings;
    for (Index i = 0; i < solid.model.size(); i += 3) halvings.push_back({i, Vec<3>(0.02, 0.01, -0.01)});
    const std::size_t count = solid.model.size();
    const std::vector<Index> came_from = halve<3>(solid.model, solid.state, halvings);
    EXPECT_EQ(came_from.size(), count + halvings.size());
    EXPECT_EQ(solid.model.size(), count + halvings.size());
    EXPECT_EQ(solid.state.size(), count + halvings.size());

    const Sums after(solid);
    EXPECT_EQ(after.mass, before.mass); // of one lattice: all masses are one number, and its half
    EXPECT_NEAR(after.volume, before.volume, 1e-15);
    EXPECT_NEAR(after.heat, before.heat, 1e-12 * before.heat);
    EXPECT_NEAR(after.kinetic, before.kinetic, 1e-12 * before.kinetic);
    EXPECT_LT((after.center - before.center).norm(), 1e-12 * before.mass);
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.mass);
    EXPECT_LT((after.spin - before.spin).norm(), 1e-12 * before.mass);
}

TEST(Resampling, halves_are_new_phyxels_behind_those_of_their_part)
{
    const Box<3> other{bar.min + Vec<3>(0, 2, 0), bar.max + Vec<3>(0, 2, 0)};
    Drawn solid({bar, other});
    const std::vector<std::uint64_t> ids = solid.state.id;
    const Index split = solid.model.first_of_part[1];
    const std::vector<Halving<3>> halvings = {{split + 5, Vec<3>(0.02, 0, 0)}, {2, Vec<3>(0, 0.02, 0)}};
    const Vec<3> place = solid.state.position[2];
    const double support = solid.model.rest.support_radius[2];
    (void)halve<3>(solid.model, solid.state, halvings);

    EXPECT_EQ(solid.model.first_of_part[1], split + 1);
    EXPECT_EQ(solid.model.first_of_part[2], ids.size() + 2);
    EXPECT_EQ(solid.state.id[2], ids[2]); // one half keeps the id
    EXPECT_EQ(solid.state.id[split], ids.size());
    EXPECT_EQ(solid.state.id.back(), ids.size() + 1);
    EXPECT_EQ(solid.state.stem[split], ids[2]);
    EXPECT_EQ(solid.state.stem.back(), ids[split + 5]);
    EXPECT_EQ(solid.state.next_id, ids.size() + 2);
    EXPECT_EQ(solid.model.part[split], 0u);
    EXPECT_EQ(solid.model.part.back(), 1u);
    EXPECT_EQ(std::set<std::uint64_t>(solid.state.id.begin(), solid.state.id.end()).size(), ids.size() + 2);
    EXPECT_LT((solid.state.position[2] - place + Vec<3>(0, 0.02, 0)).norm(), 1e-15);
    EXPECT_LT((solid.state.position[split] - place - Vec<3>(0, 0.02, 0)).norm(), 1e-15);
    EXPECT_EQ(solid.model.rest.support_radius[split], std::exp2(-1.0 / 3.0) * support);
    EXPECT_NEAR(solid.model.spacing_of(split), std::exp2(-1.0 / 3.0) * 0.1, 1e-15);
}

TEST(Resampling, a_bar_that_is_drawn_out_keeps_enough_neighbours)
{
    Drawn coarse({bar}, 0), fine;
    const std::size_t count = fine.model.size();
    coarse.draw(3.0);
    fine.draw(3.0);
    EXPECT_EQ(coarse.model.size(), count);
    EXPECT_LT(coarse.least_share_along(), 0.01); // it has come apart
    EXPECT_GT(fine.least_share_along(), 0.2);
    EXPECT_GE(fine.model.size(), 2 * count);
    EXPECT_LE(fine.model.size(), 4 * count);
    const std::vector<std::uint32_t> pieces = find_pieces<3>(fine.model);
    EXPECT_EQ(*std::max_element(pieces.begin(), pieces.end()), 0u);
    const std::vector<std::uint32_t> torn = find_pieces<3>(coarse.model);
    EXPECT_GT(*std::max_element(torn.begin(), torn.end()), 0u);
}

TEST(Resampling, halves_have_the_stress_and_the_energy_of_the_whole)
{
    Drawn solid;
    solid.draw(1.3);
    const std::size_t count = solid.model.size();
    solid.place(Mat<3>{{1.08, 0.02, 0.0}, {0.0, 0.97, 0.0}, {0.01, 0.0, 0.96}});
    struct Stressed {
        Mat<3> cauchy;
        double energy;
    };
    const auto evaluate = [&] {
        std::vector<Stressed> all;
        const auto responses = solid.solver.evaluate(solid.state);
        std::vector<double> strain(solid.model.size()), stabilization(solid.model.size());
        compute_energies<3>(solid.model, solid.state.position, strain, stabilization, solid.solver.flown(),
                            solid.solver.stabilization(), FlowMemory<3>(solid.state, 0.0));
        for (std::size_t i = 0; i < solid.model.size(); ++i) {
            const ElasticResponse<3>& one = responses[i];
            const double J = one.F.determinant();
            all.push_back({one.F * one.S * one.F.transpose() / J + one.p * Mat<3>::Identity(), strain[i]});
        }
        return all;
    };
    const std::vector<Stressed> before = evaluate();
    const ReshapeReport report = solid.forget();
    ASSERT_GT(solid.model.size(), count);
    const std::vector<Stressed> after = evaluate();
    double largest = 0.0, off = 0.0, energy = 0.0, energy_before = 0.0;
    for (const Stressed& one : before) {
        largest = std::max(largest, one.cauchy.norm());
        energy_before += one.energy;
    }
    for (std::size_t i = 0; i < after.size(); ++i) {
        off = std::max(off, (after[i].cauchy - before[report.came_from[i]].cauchy).norm());
        energy += after[i].energy;
    }
    EXPECT_GT(largest, 1e2);
    EXPECT_LT(off, 1e-9 * largest);
    EXPECT_NEAR(energy, energy_before, 1e-9 * energy_before);
}

TEST(Resampling, nothing_is_halved_that_is_not_drawn_out_or_is_kept)
{
    // Turned, pressed, at rest.
    Drawn pressed;
    const std::size_t count = pressed.model.size();
    for (int k = 0; k < 20; ++k) {
        pressed.place(Eigen::AngleAxisd(0.1, Vec<3>(1, 2, 3).normalized()).toRotationMatrix() * 0.995);
        (void)pressed.forget();
    }
    EXPECT_EQ(pressed.model.size(), count);

    Drawn held;
    const std::vector<std::uint8_t> all(held.model.size(), 1);
    for (int k = 0; k < 10; ++k) {
        held.place(Vec<3>(1.06, 0.97, 0.97).asDiagonal());
        (void)held.forget(all);
    }
    EXPECT_EQ(held.model.size(), count);
}

TEST(Resampling, ends_at_the_most_halvings)
{
    Drawn solid({bar}, 1);
    const std::size_t count = solid.model.size();
    solid.draw(8.0);
    EXPECT_GT(solid.model.size(), count);
    EXPECT_LE(solid.model.size(), 2 * count);
    EXPECT_EQ(*std::max_element(solid.state.halvings.begin(), solid.state.halvings.end()), 1);
}

TEST(Resampling, a_drawn_bar_keeps_its_volume_in_the_sums_of_crowding)
{
    // A lattice that is half as fine as another crowds as little: it pushes nothing.
    Drawn solid;
    solid.draw(2.0);
    ASSERT_GT(solid.model.size(), Drawn().model.size());
    std::vector<double> energies(solid.model.size(), 0.0);
    (void)solid.solver.evaluate(solid.state);
    solid.solver.add_crowding_energy(energies);
    double energy = 0.0, volume = 0.0;
    for (std::size_t i = 0; i < energies.size(); ++i) {
        energy += energies[i];
        volume += solid.model.rest.volume[i];
    }
    // What a squeeze of 2 % would have.
    EXPECT_LT(energy, 0.5 * 0.02 * 0.02 * 6.7e4 * volume);
}

TEST(Resampling, pieces_from_elsewhere_have_the_same_bits)
{
    Drawn solid;
    solid.draw(3.0);
    Drawn fresh;
    std::vector<Index> came_from;
    for (const std::uint64_t stem : solid.state.stem) came_from.push_back(static_cast<Index>(stem));
    const auto restore = [&](SolidModel<3>& model) {
        restore_halves<3>(model, came_from, solid.state.halvings);
        const NeighborLists& lists = solid.model.rest.neighbors;
        restore_rest<3>(model, solid.state, NeighborLists(lists.offsets(), lists.ids()), share);
    };
    const auto expect_same = [&](const SolidModel<3>& model) {
        EXPECT_EQ(model.mass, solid.model.mass);
        EXPECT_EQ(model.rest.volume, solid.model.rest.volume);
        EXPECT_EQ(model.rest.support_radius, solid.model.rest.support_radius);
        EXPECT_EQ(model.radius, solid.model.radius);
        EXPECT_EQ(model.origin, solid.model.origin);
        EXPECT_EQ(model.first_of_part, solid.model.first_of_part);
        EXPECT_EQ(model.stabilization, solid.model.stabilization);
        EXPECT_EQ(model.rest.area, solid.model.rest.area);
        EXPECT_TRUE(std::ranges::equal(model.first_neighbors.ids(), solid.model.first_neighbors.ids()));
        for (std::size_t i = 0; i < model.size(); ++i)
            EXPECT_EQ(model.rest.gradients[i].inverse_moment, solid.model.rest.gradients[i].inverse_moment);
    };
    restore(fresh.model);
    expect_same(fresh.model);
    // Also over pieces that are there already, and back to what was there before them.
    make_whole<3>(fresh.model);
    const Drawn first;
    EXPECT_EQ(fresh.model.mass, first.model.mass);
    EXPECT_EQ(fresh.model.rest.support_radius, first.model.rest.support_radius);
    restore(fresh.model);
    expect_same(fresh.model);
}

TEST(Resampling, has_the_same_bits_on_any_number_of_threads)
{
    const auto drawn = [](int threads) {
        const ThreadLimit limit(threads);
        Drawn solid;
        solid.draw(3.0);
        return hash_state(solid.state);
    };
    EXPECT_EQ(drawn(1), drawn(4));
}

} // namespace
} // namespace phyxel::resampling_test
