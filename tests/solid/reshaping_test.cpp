// SPDX-License-Identifier: MIT
// Shapes at rest that are forgotten, and materials that change.
#include "solid/solid_support.h"

#include <phyxel/core/rng.h>
#include <phyxel/core/state_arrays.h>
#include <phyxel/solid/largest_eigenvalue.h>
#include <phyxel/solid/part_surface.h>
#include <phyxel/solid/reshaping.h>
#include <phyxel/solid/solid_phases.h>

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace phyxel::reshaping_test {
namespace {

using solid_support::Solids;

constexpr double share = 0.1; // of stabilisation

SolidMaterial liquid()
{
    SolidMaterial material{.youngs_modulus = 2e4, .poisson_ratio = 0.45};
    material.flows = true;
    return material;
}

SolidMaterial putty()
{
    SolidMaterial material = liquid();
    material.yield_stress = 1e6; // more than anything here comes to
    return material;
}

/// A solid that remembers its rest.
struct Flowing : Solids {
    explicit Flowing(const std::vector<Box<3>>& boxes, const SolidMaterial& material,
                     const SolidOptions& options = LeapfrogOptions{})
        : Solids(boxes, 0.1, material, options)
    {
        state.remember_rest(model.rest.position);
        model.rest.scale = state.rest_scale;
        solver.update_material();
    }

    /// Steps, and forgets what is outdated.
    void flow(double dt)
    {
        report = step(dt);
        if (std::count(report.outdated.begin(), report.outdated.end(), 1) > 0) forget(report.outdated);
    }
    ReshapeReport forget(std::vector<std::uint8_t> parts = {})
    {
        parts.resize(model.materials.size(), parts.empty() ? 1 : 0);
        const ReshapeReport reshaped = forget_rest<3>(model, state, parts, share);
        solver.update_rest();
        ++forgotten;
        return reshaped;
    }
    void place(const Mat<3>& F)
    {
        for (std::size_t i = 0; i < model.size(); ++i) state.position[i] = F * model.origin[i];
    }
    Mat<3> cauchy(Index i)
    {
        const ElasticResponse<3>& response = solver.evaluate(state)[i];
        const double J = response.F.determinant();
        return response.F * response.S * response.F.transpose() / J + response.p * Mat<3>::Identity();
    }
    Vec<3> momentum() const
    {
        Vec<3> sum = Vec<3>::Zero();
        for (std::size_t i = 0; i < model.size(); ++i) sum += model.mass[i] * state.velocity[i];
        return sum;
    }

    SolidStepReport report;
    int forgotten = 0;
};

const Box<3> cube{Vec<3>(-0.3, -0.3, -0.3), Vec<3>(0.3, 0.3, 0.3)};

Mat<3> turned_stretch()
{
    const Mat<3> R = Eigen::AngleAxisd(1.0, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
    return R * Vec<3>(1.1, 1.0, 1.0).asDiagonal();
}

TEST(Reshaping, keeps_the_stress_of_a_cube_that_was_stretched_and_turned)
{
    Flowing solid({cube}, putty());
    const Mat<3> F = turned_stretch();
    solid.place(F);
    std::vector<Mat<3>> before;
    for (Index i = 0; i < solid.model.size(); ++i) before.push_back(solid.cauchy(i));
    const ReshapeReport report = solid.forget();
    EXPECT_EQ(report.fitted, solid.model.size());
    double largest = 0.0, off = 0.0;
    for (Index i = 0; i < solid.model.size(); ++i) {
        largest = std::max(largest, before[i].norm());
        off = std::max(off, (solid.cauchy(i) - before[i]).norm());
    }
    EXPECT_GT(largest, 1e3);
    EXPECT_LT(off, 1e-10 * largest);

    // What is left of the strain, ½ (1 − bₑ⁻¹), is Green's pushed forward: 0.105/1.21 along the turned axis.
    const auto i = static_cast<Index>(solid.model.size() / 2);
    const double scale = solid.state.rest_scale[i];
    const Mat<3> b = scale * scale * solid.state.plastic_shape[i];
    const Eigen::SelfAdjointEigenSolver<Mat<3>> strain(0.5 * (Mat<3>::Identity() - b.inverse()));
    EXPECT_NEAR(strain.eigenvalues()[2], 0.105 / 1.21, 1e-10);
    EXPECT_NEAR(std::abs(strain.eigenvectors().col(2).dot(F.col(0).normalized())), 1.0, 1e-10);
}

TEST(Reshaping, leaves_volume_and_energy_as_they_are)
{
    Flowing solid({cube}, putty());
    solid.place(Mat<3>{{1.1, 0.2, 0.0}, {0.0, 0.9, 0.0}, {0.1, 0.0, 0.95}});
    const auto sums = [&] {
        const auto responses = solid.solver.evaluate(solid.state);
        std::vector<double> strain(solid.model.size()), other(solid.model.size());
        compute_energies<3>(solid.model, solid.state.position, strain, other, solid.solver.flown(),
                            solid.solver.stabilization());
        double energy = 0.0, volume = 0.0;
        for (std::size_t i = 0; i < solid.model.size(); ++i) {
            energy += strain[i];
            volume += solid.model.rest.volume[i] * responses[i].F.determinant();
        }
        return std::pair(energy, volume);
    };
    const auto [energy, volume] = sums();
    for (int n = 0; n < 3; ++n) {
        solid.forget();
        EXPECT_NEAR(sums().first, energy, 1e-10 * energy);
        EXPECT_NEAR(sums().second, volume, 1e-12 * volume);
    }
    EXPECT_GT(energy, 10.0);
}

TEST(Reshaping, lets_go_of_neighbours_that_came_apart_and_takes_those_that_met)
{
    // Two cubes of one liquid with a gap of a spacing, which closes.
    Flowing solid({cube, {cube.min + Vec<3>(0.7, 0, 0), cube.max + Vec<3>(0.7, 0, 0)}}, liquid());
    const auto piece_count = [&] {
        const std::vector<std::uint32_t> pieces = find_pieces(solid.model);
        return *std::max_element(pieces.begin(), pieces.end()) + 1;
    };
    const auto move_second = [&](double along) {
        for (std::size_t i = 0; i < solid.model.size(); ++i)
            if (solid.model.part[i] == 1) solid.state.position[i][0] += along;
    };
    EXPECT_EQ(piece_count(), 2u);
    move_second(-0.1);
    solid.forget();
    EXPECT_EQ(piece_count(), 2u); // they do not know each other
    solid.model.merges_with = {{1}, {0}};
    solid.forget();
    EXPECT_EQ(piece_count(), 1u);
    move_second(1.0);
    solid.forget();
    EXPECT_EQ(piece_count(), 2u);
}

TEST(Reshaping, leaves_no_surface_between_bodies_that_have_become_one)
{
    // Two cubes with a gap of a spacing, which closes.
    for (const bool is_one : {false, true}) {
        Flowing solid({cube, {cube.min + Vec<3>(0.7, 0, 0), cube.max + Vec<3>(0.7, 0, 0)}}, liquid());
        if (is_one) solid.model.merges_with = {{1}, {0}};
        for (std::size_t i = 0; i < solid.model.size(); ++i)
            solid.state.position[i] += Vec<3>(solid.model.part[i] == 1 ? -0.1 : 0.0, 0.05, 0.0);
        solid.forget();
        for (const std::size_t part : {0u, 1u}) {
            const SurfacePoints<3> surface = surface_of_part<3>(solid.model, {}, part, 0.1);
            double towards = 0.0, away = 0.0;
            for (const Vec<3>& area : surface.area) {
                const double along = part == 0 ? area[0] : -area[0];
                (along > 0.0 ? towards : away) += std::abs(along);
            }
            EXPECT_NEAR(away, 0.36, 0.05);
            EXPECT_NEAR(towards, is_one ? 0.0 : 0.36, 0.05);
        }
    }
}

TEST(Reshaping, has_the_bits_of_a_shape_that_is_fitted_as_a_whole)
{
    Flowing solid({cube}, liquid());
    // The lower half stays; above it is sheared.
    for (Vec<3>& x : solid.state.position)
        if (x[2] > 0.0) x[0] += 0.7 * x[2];
    const ReshapeReport report = solid.forget();
    EXPECT_LT(report.fitted, report.members);
    EXPECT_GT(report.fitted, report.members / 2);
    Flowing fresh({cube}, liquid());
    SolidModel<3>& again = fresh.model;
    const NeighborLists& lists = solid.model.rest.neighbors;
    restore_rest<3>(again, solid.state, NeighborLists(lists.offsets(), lists.ids()), share);
    for (std::size_t i = 0; i < again.size(); ++i) {
        EXPECT_EQ(again.rest.gradients[i].inverse_moment, solid.model.rest.gradients[i].inverse_moment);
        EXPECT_EQ(again.rest.gradients[i].weighted_offsets, solid.model.rest.gradients[i].weighted_offsets);
        EXPECT_EQ(again.rest.area[i], solid.model.rest.area[i]);
        EXPECT_EQ(again.stabilization[i], solid.model.stabilization[i]);
    }
    // Nothing has moved since: nothing is to be done.
    EXPECT_EQ(solid.forget().fitted, 0u);
}

/// A cube that is putty above and solid below, bent, turned and out of line.
struct HalfMolten : Flowing {
    HalfMolten() : Flowing({cube}, material())
    {
        std::vector<std::uint8_t> flags(model.size());
        for (std::size_t i = 0; i < model.size(); ++i) flags[i] = model.origin[i][2] > 0.0;
        set_molten<3>(model, state, flags, share);
        solver.update_material();
        bend(0.05, 1);
    }
    static SolidMaterial material()
    {
        SolidMaterial material{.youngs_modulus = 5e5, .poisson_ratio = 0.4};
        material.molten = MoltenProperties{.youngs_modulus = 2e4, .poisson_ratio = 0.45, .yield_stress = 1e6};
        return material;
    }
    void bend(double disorder, std::uint64_t seed)
    {
        const Mat<3> F = turned_stretch();
        for (std::size_t i = 0; i < model.size(); ++i) {
            Rng rng(seed, i);
            const Vec<3>& X = model.origin[i];
            const Vec<3> off(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
            state.position[i] = F * Vec<3>(X[0] + 0.3 * X[2] * X[2], X[1], X[2]) + disorder * 0.1 * off;
        }
    }
    /// Of strain and of what keeps in line, phyxel by phyxel.
    std::pair<std::vector<double>, std::vector<double>> energies()
    {
        (void)solver.evaluate(state);
        std::vector<double> strain(model.size()), other(model.size());
        compute_energies<3>(model, state.position, strain, other, solver.flown(), solver.stabilization());
        return {strain, other};
    }
    double total_energy()
    {
        const auto [strain, other] = energies();
        return std::accumulate(strain.begin(), strain.end(), 0.0) +
               std::accumulate(other.begin(), other.end(), 0.0);
    }
    std::vector<Vec<3>> forces()
    {
        ElasticWorkspace<3> work(model);
        work.memory = FlowMemory<3>(state, 0.0);
        std::vector<Vec<3>> all(model.size());
        compute_responses<3>(model, state.position, {}, work);
        compute_elastic_forces<3>(model, work, all);
        return all;
    }
};

TEST(Reshaping, a_solid_beside_melt_that_forgets_goes_on_knowing_who_was_where)
{
    HalfMolten solid;
    solid.forget(); // from here on the solid sees only what is solid
    solid.bend(0.1, 2);
    const auto [strain, in_line] = solid.energies();
    std::vector<Mat<3>> stress;
    for (Index i = 0; i < solid.model.size(); ++i) stress.push_back(solid.cauchy(i));
    const ReshapeReport report = solid.forget();
    EXPECT_LT(report.fitted, report.members);
    const auto [strain_after, in_line_after] = solid.energies();
    double solids = 0.0, largest = 0.0, off = 0.0;
    for (Index i = 0; i < solid.model.size(); ++i) {
        if (!(solid.model.origin[i][2] > 0.0)) {
            EXPECT_NEAR(strain_after[i], strain[i], 1e-11 * strain[i]);
            EXPECT_NEAR(in_line_after[i], in_line[i], 1e-11 * in_line[i]);
            solids += in_line[i];
        }
        largest = std::max(largest, stress[i].norm());
        off = std::max(off, (solid.cauchy(i) - stress[i]).norm());
    }
    EXPECT_GT(solids, 1e-3);
    EXPECT_LT(off, 1e-10 * largest);
}

TEST(Reshaping, what_sees_its_pairs_apart_has_forces_that_are_those_of_its_energy)
{
    HalfMolten solid;
    solid.forget();
    solid.bend(0.1, 3);
    const std::vector<Vec<3>> forces = solid.forces();
    Vec<3> sum = Vec<3>::Zero(), torque = Vec<3>::Zero();
    double largest = 0.0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        sum += forces[i];
        torque += solid.state.position[i].cross(forces[i]);
        largest = std::max(largest, forces[i].norm());
    }
    EXPECT_LT(sum.norm(), 1e-11 * largest);
    EXPECT_LT(torque.norm(), 1e-11 * largest);
    constexpr double step = 1e-6;
    for (Index i = 0; i < solid.model.size(); i += 17)
        for (int k = 0; k < 3; ++k) {
            double& x = solid.state.position[i][k];
            const double place = x;
            x = place + step;
            const double ahead = solid.total_energy();
            x = place - step;
            const double behind = solid.total_energy();
            x = place;
            EXPECT_NEAR(forces[i][k], (behind - ahead) / (2.0 * step), 1e-5 * largest);
        }
}

TEST(Reshaping, what_sees_its_pairs_apart_has_the_bits_of_a_shape_that_is_fitted_as_a_whole)
{
    HalfMolten solid;
    solid.forget();
    solid.bend(0.1, 4);
    solid.forget();
    HalfMolten fresh;
    const RestShape<3>& rest = solid.model.rest;
    std::vector<Vec<3>> seen;
    for (const SeenPair<3>& pair : rest.seen) seen.push_back(pair.offset());
    ASSERT_FALSE(seen.empty());
    restore_rest<3>(fresh.model, solid.state, NeighborLists(rest.neighbors.offsets(), rest.neighbors.ids()),
                    share, seen);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        EXPECT_EQ(fresh.model.rest.gradients[i].inverse_moment, rest.gradients[i].inverse_moment);
        EXPECT_EQ(fresh.model.rest.gradients[i].weighted_offsets, rest.gradients[i].weighted_offsets);
        EXPECT_EQ(fresh.model.rest.area[i], rest.area[i]);
        EXPECT_EQ(fresh.model.stabilization[i], solid.model.stabilization[i]);
    }
    for (std::size_t entry = 0; entry < rest.seen.size(); ++entry) {
        EXPECT_EQ(fresh.model.rest.seen[entry].weight.w, rest.seen[entry].weight.w);
        EXPECT_EQ(fresh.model.rest.pairs[entry].w, rest.pairs[entry].w);
    }
}

TEST(Reshaping, what_is_torn_off_flies)
{
    Flowing solid({cube}, liquid());
    solid.surroundings.gravity = Vec<3>(0, 0, -9.81);
    solid.state.position[0] = Vec<3>(5, 0, 1);
    solid.state.velocity[0] = Vec<3>(1, 0, 2);
    solid.forget();
    EXPECT_TRUE(solid.model.rest.neighbors.of(0).empty());
    const double dt = 1e-3;
    for (int n = 0; n < 100; ++n) solid.flow(dt);
    // Leapfrog begins with half a kick.
    const double t = 0.1;
    EXPECT_NEAR(solid.state.position[0][0], 5.0 + t, 1e-12);
    EXPECT_NEAR(solid.state.position[0][2], 1.0 + 2.0 * t - 0.5 * 9.81 * t * t, 1e-12);
}

TEST(Reshaping, momentum_is_kept_while_a_free_body_tears_and_meets_itself)
{
    for (const bool is_explicit : {true, false}) {
        SCOPED_TRACE(is_explicit);
        const SolidOptions options =
            is_explicit ? SolidOptions(LeapfrogOptions{})
                        : SolidOptions(ImplicitOptions{
                              .time_step = 4e-3, .tolerance = 1e-11, .newton_iterations = 100});
        Flowing solid({cube, {cube.min + Vec<3>(0.65, 0, 0.1), cube.max + Vec<3>(0.65, 0, 0.1)}}, liquid(),
                      options);
        solid.model.merges_with = {{1}, {0}};
        solid.solver.update_material();
        double size = 0.0;
        for (std::size_t i = 0; i < solid.model.size(); ++i) {
            Rng rng(3, i);
            const Vec<3>& x = solid.state.position[i];
            solid.state.velocity[i] =
                Vec<3>(solid.model.part[i] == 0 ? 3.0 : -2.0, 12.0 * x[1], rng.uniform(-2, 2));
            size += solid.model.mass[i] * solid.state.velocity[i].norm();
        }
        const Vec<3> before = solid.momentum();
        double fastest = 0.0;
        bool have_met = false;
        for (double time = 0.0; time < 0.25;) {
            const double dt = std::min(4e-3, solid.solver.stable_time_step(solid.state));
            solid.flow(dt);
            ASSERT_FALSE(solid.report.lost);
            fastest = solid.report.max_speed;
            for (Index i = 0; i < solid.model.first_of_part[1]; ++i)
                for (const Index j : solid.model.rest.neighbors.of(i))
                    have_met = have_met || solid.model.part[j] == 1;
            time += dt;
        }
        EXPECT_GT(solid.forgotten, 5);
        EXPECT_LT((solid.momentum() - before).norm(), (is_explicit ? 1e-12 : 1e-10) * size);
        EXPECT_LT(fastest, 15.0);
        const std::vector<std::uint32_t> pieces = find_pieces(solid.model);
        EXPECT_GT(*std::max_element(pieces.begin(), pieces.end()), 1u);
        EXPECT_TRUE(have_met);
    }
}

TEST(Reshaping, what_each_phyxel_feels_bounds_the_largest_frequency)
{
    for (const auto& [disorder, ratio] : {std::pair(0.0, 0.45), std::pair(0.15, 0.45), std::pair(0.3, 0.2)}) {
        SCOPED_TRACE(disorder);
        SolidMaterial material = liquid();
        material.poisson_ratio = ratio;
        Flowing solid({cube}, material);
        for (std::size_t i = 0; i < solid.model.size(); ++i) {
            Rng rng(5, i);
            for (int k = 0; k < 3; ++k) solid.state.position[i][k] += disorder * 0.1 * rng.uniform(-1, 1);
        }
        solid.forget();
        const SolidModel<3>& model = solid.model;
        ElasticWorkspace<3> work(model);
        compute_responses<3>(model, model.rest.position, {}, work);
        const double largest = bound_of_largest_eigenvalue<3>(
            model.mass, model.first_of_part, [&](std::span<const Vec<3>> change, std::span<Vec<3>> product) {
                apply_stiffness<3>(model, change, 0.0, work, product);
            });
        const double bound = local_rates<3>(model).waves;
        EXPECT_LT(largest, bound);
        EXPECT_GT(largest, 0.4 * bound);
    }
}

TEST(Phases, a_switch_keeps_the_stress)
{
    const SolidMaterial soft{.youngs_modulus = 5e5, .poisson_ratio = 0.3};
    for (const double modulus : {5e4, 4e5, 5e6}) {
        SolidMaterial other = soft;
        other.youngs_modulus = modulus;
        other.poisson_ratio = 0.45;
        const Mat<3> F = turned_stretch() + 0.05 * Mat<3>::Ones();
        const ElasticState state{.stretch = F * F.transpose(), .volume = F.determinant()};
        const ElasticState after = with_same_stress(state, ElasticModuli(soft), ElasticModuli(other));
        const Mat<3> tau = kirchhoff_stress(state, ElasticModuli(soft));
        EXPECT_LT((kirchhoff_stress(after, ElasticModuli(other)) - tau).norm(), 1e-9 * tau.norm());
        EXPECT_NEAR(after.stretch.determinant(), after.volume * after.volume, 1e-9);
    }
}

TEST(Phases, a_switch_between_elastic_materials_keeps_the_forces)
{
    const SolidMaterial soft{.youngs_modulus = 5e5, .poisson_ratio = 0.3};
    SolidMaterial stiff = soft, rubber = soft, green = soft, fibres = soft;
    stiff.youngs_modulus = 5e6;
    rubber.poisson_ratio = 0.47;
    rubber.volume_stiffness = 1e6;
    green.law = fibres.law = ElasticLaw::StVenantKirchhoff;
    green.youngs_modulus = 2e5;
    fibres.stiffness =
        StiffnessMatrix(Eigen::Matrix<double, 6, 1>(9e5, 5e5, 6e5, 2e5, 1e5, 3e5).asDiagonal());
    (*fibres.stiffness)(0, 1) = (*fibres.stiffness)(1, 0) = 1e5;
    const std::vector<SolidMaterial> materials = {soft, stiff, rubber, green, fibres};
    for (const SolidMaterial& first : materials)
        for (const SolidMaterial& second : materials) {
            Flowing solid({cube}, first);
            solid.place(turned_stretch() + 0.05 * Mat<3>::Ones());
            std::vector<Vec<3>> before, after;
            solid.solver.find_own_forces(solid.state, solid.surroundings, before);
            double largest = 0.0, off = 0.0;
            for (const Vec<3>& force : before) largest = std::max(largest, force.norm());
            ASSERT_GT(largest, 1.0);
            // There and back again.
            for (const SolidMaterial& next : {second, first}) {
                EXPECT_EQ(changes_stress(solid.model.materials[0], next), !(first == second));
                switch_material<3>(solid.model, solid.state, 0, next, share);
                solid.solver.update_material();
                solid.solver.find_own_forces(solid.state, solid.surroundings, after);
                for (std::size_t i = 0; i < before.size(); ++i)
                    off = std::max(off, (after[i] - before[i]).norm());
            }
            EXPECT_LT(off, 1e-9 * largest);
        }
}

TEST(Phases, what_sets_keeps_its_stress_and_remembers_its_shape)
{
    SolidMaterial material{.youngs_modulus = 5e5, .poisson_ratio = 0.4};
    material.molten = MoltenProperties{.youngs_modulus = 2e4, .poisson_ratio = 0.45, .yield_stress = 1e3};
    Flowing solid({cube}, material);
    std::vector<std::uint8_t> flags(solid.model.size(), 1);
    EXPECT_TRUE(set_molten<3>(solid.model, solid.state, flags, share));
    EXPECT_FALSE(set_molten<3>(solid.model, solid.state, flags, share));
    solid.solver.update_material();
    solid.place(Mat<3>{{1.3, 0.3, 0.0}, {0.0, 0.85, 0.0}, {0.0, 0.0, 0.93}});
    for (int n = 0; n < 3; ++n) solid.flow(1e-5);
    solid.forget();
    std::vector<Vec<3>> before, after;
    solid.solver.find_own_forces(solid.state, solid.surroundings, before);
    flags.assign(solid.model.size(), 0);
    EXPECT_TRUE(set_molten<3>(solid.model, solid.state, flags, share));
    solid.solver.update_material();
    solid.solver.find_own_forces(solid.state, solid.surroundings, after);
    double off = 0.0, largest = 0.0;
    for (Index i = 0; i < solid.model.size(); ++i) {
        off = std::max(off, (after[i] - before[i]).norm());
        largest = std::max(largest, before[i].norm());
    }
    EXPECT_GT(largest, 1.0);
    EXPECT_LT(off, 1e-5 * largest);
    // It has forgotten what it was, and not what it is: at rest it is within the little that it still yields.
    EXPECT_LT((solid.solver.evaluate(solid.state)[solid.model.size() / 2].F - Mat<3>::Identity()).norm(),
              0.02);
}

} // namespace
} // namespace phyxel::reshaping_test
