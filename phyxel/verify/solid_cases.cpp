// SPDX-License-Identifier: MIT
// V-E1, V-E2, V-E5, V-E7: forces, stiffness and modes of elastic solids by themselves.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/fault.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_solver.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

using Vectors = std::vector<Vec<3>>;

PhyxelCloud<3> cloud_of(Vectors positions, double support, std::vector<double> volumes, double spacing)
{
    PhyxelCloud<3> cloud;
    const std::size_t count = positions.size();
    cloud.neighbors = find_neighbors<3, double>(positions, support);
    cloud.positions = std::move(positions);
    cloud.volumes = std::move(volumes);
    cloud.supports.assign(count, support);
    cloud.depths.assign(count, 0.5 * spacing);
    cloud.spacing = spacing;
    return cloud;
}

SolidModel<3> model_of(const PhyxelCloud<3>& cloud, const SolidMaterial& material, double stabilization)
{
    const PhyxelCloud<3>* const clouds[] = {&cloud};
    return make_solid_model<3>(clouds, std::span(&material, 1), stabilization);
}

/// 60 phyxels at random with random volumes, displaced at random: nothing cancels by symmetry.
struct RandomSolid {
    SolidModel<3> model;
    Vectors positions;

    explicit RandomSolid(ElasticLaw law)
    {
        Rng rng(7);
        Vectors rest;
        std::vector<double> volumes;
        for (int i = 0; i < 60; ++i) {
            rest.emplace_back(rng.uniform(), rng.uniform(), rng.uniform());
            volumes.push_back((0.5 + rng.uniform()) / 60.0);
        }
        SolidMaterial material{.law = law, .youngs_modulus = 1000.0, .poisson_ratio = 0.3};
        material.volume_stiffness = 200.0;
        model = model_of(cloud_of(rest, 0.6, volumes, 0.25), material, 0.1);
        for (const Vec<3>& X : rest)
            positions.emplace_back(X +
                                   0.05 * Vec<3>(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)));
    }
};

Vectors random_directions(std::size_t count)
{
    Rng rng(11);
    Vectors directions;
    for (std::size_t i = 0; i < count; ++i)
        directions.emplace_back(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    return directions;
}

double largest_norm(const Vectors& vectors)
{
    Worst worst;
    for (const Vec<3>& v : vectors) worst.add(v.norm());
    return worst.value();
}

// V-E1

using Forces = std::function<Vectors(const SolidModel<3>&, const Vectors&)>;

Vectors elastic_forces(const SolidModel<3>& model, const Vectors& positions)
{
    ElasticWorkspace<3> work(model);
    Vectors forces(model.size());
    compute_responses<3>(model, positions, {}, work);
    compute_elastic_forces<3>(model, work, forces);
    return forces;
}

/// As the paper prints them for its strain, which lacks the factor ½.
Vectors forces_twice(const SolidModel<3>& model, const Vectors& positions)
{
    Vectors forces = elastic_forces(model, positions);
    for (Vec<3>& f : forces) f *= 2.0;
    return forces;
}

Measurement check_forces(ElasticLaw law, const Forces& forces_of)
{
    RandomSolid solid(law);
    const Vectors forces = forces_of(solid.model, solid.positions);
    constexpr double step = 1e-5;
    Worst worst;
    for (std::size_t i = 0; i < solid.positions.size(); ++i)
        for (int k = 0; k < 3; ++k) {
            const auto energy = [&](double change) {
                Vectors moved = solid.positions;
                moved[i][k] += change;
                const ElasticEnergy parts = elastic_energy<3>(solid.model, moved);
                return parts.strain + parts.stabilization;
            };
            // Fourth order, so that rounding is what is left.
            const double slope =
                (8.0 * (energy(step) - energy(-step)) - (energy(2 * step) - energy(-2 * step))) /
                (12.0 * step);
            worst.add(forces[i][k] + slope);
        }
    return error_measurement(worst.value() / largest_norm(forces), 1e-7, "of the largest force");
}

using Stiffness =
    std::function<Vectors(const SolidModel<3>&, const Vectors& positions, const Vectors& change)>;

Vectors stiffness_product(const SolidModel<3>& model, const Vectors& positions, const Vectors& change)
{
    ElasticWorkspace<3> work(model);
    Vectors product(model.size());
    compute_responses<3>(model, positions, {}, work);
    apply_stiffness<3>(model, change, 0.0, work, product);
    return product;
}

Vectors without_geometric_term(const SolidModel<3>& model, const Vectors& positions, const Vectors& change)
{
    ElasticWorkspace<3> work(model);
    Vectors product(model.size());
    compute_responses<3>(model, positions, {}, work);
    for (ElasticResponse<3>& response : work.responses) response.S.setZero();
    apply_stiffness<3>(model, change, 0.0, work, product);
    return product;
}

/// With the volume of the phyxel that is pushed instead of the one that pushes, as the paper prints it.
Vectors with_wrong_volume(const SolidModel<3>& model, const Vectors& positions, const Vectors& change)
{
    Vectors product = stiffness_product(model, positions, change);
    for (std::size_t i = 0; i < product.size(); ++i) product[i] *= model.rest.volume[i] * 60.0;
    return product;
}

Measurement check_tangent(ElasticLaw law, const Stiffness& product_of)
{
    RandomSolid solid(law);
    const Vectors change = random_directions(solid.positions.size());
    const Vectors product = product_of(solid.model, solid.positions, change);
    const auto forces = [&](double step) {
        Vectors moved = solid.positions;
        for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += step * change[i];
        return elastic_forces(solid.model, moved);
    };
    constexpr double step = 1e-6;
    const Vectors ahead = forces(step), behind = forces(-step);
    Vectors errors;
    for (std::size_t i = 0; i < product.size(); ++i)
        errors.push_back(product[i] + (ahead[i] - behind[i]) / (2.0 * step));
    return error_measurement(largest_norm(errors) / largest_norm(product), 1e-7, "of the largest");
}

Measurement check_symmetry(const Stiffness& product_of)
{
    RandomSolid solid(ElasticLaw::StVenantKirchhoff);
    const Vectors a = random_directions(solid.positions.size());
    const Vectors b = elastic_forces(solid.model, solid.positions); // any other direction
    const Vectors Ka = product_of(solid.model, solid.positions, a);
    const Vectors Kb = product_of(solid.model, solid.positions, b);
    double bKa = 0.0, aKb = 0.0, size = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        bKa += b[i].dot(Ka[i]);
        aKb += a[i].dot(Kb[i]);
        size += b[i].norm() * Ka[i].norm();
    }
    return error_measurement((bKa - aKb) / size, 1e-13);
}

Measurement check_sum_of_forces(const Forces& forces_of)
{
    RandomSolid solid(ElasticLaw::StVenantKirchhoff);
    Vec<3> sum = Vec<3>::Zero();
    double size = 0.0;
    for (const Vec<3>& f : forces_of(solid.model, solid.positions)) {
        sum += f;
        size += f.norm();
    }
    return error_measurement(sum.norm() / size, 1e-12);
}

/// Without the force of a phyxel on itself, d_i = −Σ d_j.
Vectors forces_on_neighbors_only(const SolidModel<3>& model, const Vectors& positions)
{
    ElasticWorkspace<3> work(model);
    Vectors forces(model.size());
    compute_responses<3>(model, positions, {}, work);
    compute_elastic_forces<3>(model, work, forces);
    for (std::size_t i = 0; i < forces.size(); ++i)
        forces[i] -= work.pushes[i].Q.topRows<3>() * model.rest.gradients[i].weighted_offsets;
    return forces;
}

/// Hooke's law in the strain of small displacements, which takes a rotation for a strain.
Vectors linear_forces(const SolidModel<3>& model, const Vectors& positions)
{
    Vectors change = positions;
    for (std::size_t i = 0; i < change.size(); ++i) change[i] -= model.rest.position[i];
    Vectors forces = stiffness_product(model, model.rest.position, change);
    for (Vec<3>& f : forces) f *= -1.0;
    return forces;
}

Measurement check_torque(const Forces& forces_of)
{
    RandomSolid solid(ElasticLaw::StVenantKirchhoff);
    const Vectors forces = forces_of(solid.model, solid.positions);
    Vec<3> sum = Vec<3>::Zero();
    double size = 0.0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const Vec<3> torque = solid.positions[i].cross(forces[i]);
        sum += torque;
        size += torque.norm();
    }
    return error_measurement(sum.norm() / size, 1e-12);
}

// V-E2

Measurement check_rigid_motion(const Forces& forces_of)
{
    Worst worst;
    for (const auto& [law, name] : elastic_law_names) {
        const RandomSolid solid(law);
        for (const double angle : {0.1, 1.0, 3.0}) {
            const Mat<3> R = Eigen::AngleAxisd(angle, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
            Vectors moved;
            for (const Vec<3>& X : solid.model.rest.position) moved.emplace_back(R * X + Vec<3>(5, -3, 2));
            worst.add(largest_norm(forces_of(solid.model, moved)));
        }
    }
    constexpr double E = 1000.0, v = 1.0 / 60.0, h = 0.6;
    return error_measurement(worst.value() / (E * v / h), 1e-10, "of E v / h");
}

/// Power of the forces on a solid that is mirrored, when it goes back: none without the volume term, positive
/// with it.
Measurement check_mirrored(const Fault& fault)
{
    RandomSolid solid(ElasticLaw::StVenantKirchhoff);
    solid.model.set_material(0, solid.model.materials[0], 0.0);
    solid.model.set_fault(fault);
    Vectors mirrored = solid.model.rest.position;
    for (Vec<3>& x : mirrored) x[0] *= -1.0;
    const Vectors forces = elastic_forces(solid.model, mirrored);
    double power = 0.0;
    for (std::size_t i = 0; i < forces.size(); ++i)
        power += forces[i].dot(solid.model.rest.position[i] - mirrored[i]);
    return {power, 1.0, 0.0, Bound::AtLeast, "J", "forces times the way back"};
}

// V-E5, V-E7

/// A cube of phyxels, E = ρ = a = 1, ν = 0.3.
struct CubeLattice {
    double support = 1.8;
    int side = 8;
    double stabilization = 0.0;
    Fault fault = Fault::None;
};

SolidModel<3> model_of(const CubeLattice& cube)
{
    Vectors rest;
    for (int i = 0; i < cube.side; ++i)
        for (int j = 0; j < cube.side; ++j)
            for (int k = 0; k < cube.side; ++k) rest.emplace_back(i, j, k);
    const std::size_t count = rest.size();
    SolidMaterial material{
        .law = ElasticLaw::StVenantKirchhoff, .density = 1.0, .youngs_modulus = 1.0, .poisson_ratio = 0.3};
    material.volume_stiffness = 0.0;
    SolidModel<3> model = model_of(cloud_of(rest, cube.support, std::vector<double>(count, 1.0), 1.0),
                                   material, cube.stabilization);
    if (cube.fault != Fault::None) model.set_fault(cube.fault);
    return model;
}

/// Of K at the places given, ascending. Masses are 1, so they are squares of frequencies.
Eigen::VectorXd eigenvalues(const SolidModel<3>& model, const Vectors& positions)
{
    ElasticWorkspace<3> work(model);
    compute_responses<3>(model, positions, {}, work);
    const std::size_t count = model.size();
    const auto size = static_cast<Eigen::Index>(3 * count);
    Eigen::MatrixXd K(size, size);
    Vectors change(count, Vec<3>::Zero()), product(count);
    for (Eigen::Index c = 0; c < size; ++c) {
        double& entry = change[static_cast<std::size_t>(c / 3)][c % 3];
        entry = 1.0;
        apply_stiffness<3>(model, change, 0.0, work, product);
        entry = 0.0;
        for (std::size_t i = 0; i < count; ++i)
            K.block<3, 1>(static_cast<Eigen::Index>(3 * i), c) = product[i];
    }
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(K, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::VectorXd eigenvalues(const CubeLattice& cube)
{
    const SolidModel<3> model = model_of(cube);
    return eigenvalues(model, model.rest.position);
}

Measurement check_rigid_modes(const CubeLattice& cube)
{
    const Eigen::VectorXd values = eigenvalues(cube);
    const double largest = values[values.size() - 1];
    int zero = 0;
    for (const double value : values) zero += std::abs(value) < 1e-12 * largest ? 1 : 0;
    return {
        static_cast<double>(zero), 6.0, 0.0, Bound::Near, "modes", "below 1e-12 of the largest eigenvalue"};
}

Measurement check_first_elastic_mode(const CubeLattice& cube, double expected)
{
    const Eigen::VectorXd values = eigenvalues(cube);
    return {values[6] / values[values.size() - 1], expected, 1e-6 * expected, Bound::Near, "1",
            "over the largest eigenvalue"};
}

/// Largest stable step of leapfrog, 2/ω_max, over the time that pressure waves take from phyxel to phyxel.
Measurement check_critical_step(const CubeLattice& cube)
{
    const Eigen::VectorXd values = eigenvalues(cube);
    const double critical = 2.0 / std::sqrt(values[values.size() - 1]);
    const double wave_speed = std::sqrt(1.0 * (1.0 - 0.3) / ((1.0 + 0.3) * (1.0 - 0.6)));
    return {critical * wave_speed, 1.06474585384, 1e-8, Bound::Near, "a/c", "on a lattice, support 1.8 a"};
}

/// How much a cube that trembles gains in speed in 4000 steps, each a share of leapfrog's critical one.
double gain_in_steps(double share, Fault fault, const SolidOptions& options)
{
    SolidModel<3> model = model_of(CubeLattice{.side = 4});
    model.fault = fault;
    const Eigen::VectorXd values = eigenvalues(model, model.rest.position);
    const double dt = share * 2.0 / std::sqrt(values[values.size() - 1]);
    const SolidRegions<3> regions(model, {}, {});
    SolidSolver<3> solver(model, regions, options);
    constexpr double trembling = 1e-9; // so small that the solid stays linear
    SolidState<3> solid;
    solid.position = model.rest.position;
    solid.velocity = random_directions(model.size());
    for (Vec<3>& v : solid.velocity) v *= trembling;
    Surroundings<3> surroundings;
    Largest fastest;
    for (int n = 0; n < 4000; ++n) {
        surroundings.time += dt;
        const SolidStepReport report = solver.step(solid, dt, surroundings);
        fastest.add(report.lost ? std::nan("") : report.max_speed);
        constexpr double hopeless = 1e6;
        if (!(fastest.value() <= hopeless * trembling)) break;
    }
    return fastest.value() / trembling;
}

Measurement check_stable(const Fault& fault)
{
    return {gain_in_steps(0.95, fault, LeapfrogOptions{}),
            20.0,
            0.0,
            Bound::AtMost,
            "1",
            "speed after over before"};
}

Measurement check_unstable(const SolidOptions& options)
{
    return {
        gain_in_steps(1.05, Fault::None, options), 1e6, 0.0, Bound::AtLeast, "1", "speed after over before"};
}

} // namespace

std::vector<Case> solid_cases()
{
    std::vector<Case> cases;
    for (const auto& [law, word] : elastic_law_names) {
        const std::string name(word);
        cases.push_back(make_case<Forces>(
            {"V-E1/force/" + name, "forces are the slope of the energy, stabilisation included",
             "finite differences on a random cloud"},
            [law = law](const Forces& forces) { return check_forces(law, forces); }, elastic_forces,
            "twice the force, as [MKN*04, Eq. 18] has it for another strain", forces_twice));
        cases.push_back(make_case<Stiffness>(
            {"V-E1/tangent/" + name, "the stiffness is the slope of the forces", "finite differences"},
            [law = law](const Stiffness& product) { return check_tangent(law, product); }, stiffness_product,
            "a tangent without the term of the stress", without_geometric_term));
    }
    cases.push_back(make_case<Stiffness>(
        {"V-E1/symmetry", "the stiffness is symmetric", "a K b = b K a"}, check_symmetry, stiffness_product,
        "the volume of the phyxel that is pushed, as in [MKN*04, App. B]", with_wrong_volume));
    cases.push_back(make_case<Forces>({"V-E1/sum", "inner forces cancel", "sum f = 0"}, check_sum_of_forces,
                                      elastic_forces, "phyxels that do not push themselves",
                                      forces_on_neighbors_only));
    cases.push_back(make_case<Forces>({"V-E1/torque", "inner forces turn nothing", "sum x × f = 0"},
                                      check_torque, elastic_forces, "the strain of small displacements",
                                      linear_forces));
    cases.push_back(make_case<Forces>(
        {"V-E2/rigid", "a solid that is turned and moved feels nothing", "f = 0 for x = R X + t"},
        check_rigid_motion, elastic_forces, "the strain of small displacements", linear_forces));
    cases.push_back(make_case<Fault>({"V-E2/mirrored", "a solid that is turned inside out is pushed back",
                                      "positive power of the way back"},
                                     check_mirrored, Fault::None,
                                     std::string(info_of(Fault::NoVolumeTerm).what), Fault::NoVolumeTerm));
    cases.push_back(make_case<CubeLattice>(
        {"V-E5/rigid_modes", "a cube has six modes without energy and no more", "three shifts, three turns"},
        check_rigid_modes, {.support = 2.5, .side = 8, .stabilization = 0.1},
        std::string(info_of(Fault::IsotropicMoments).what),
        {.support = 2.5, .side = 8, .stabilization = 0.1, .fault = Fault::IsotropicMoments}));
    for (const auto& [support, plain, stabilized] : {std::tuple(1.8, 3.5580593457e-3, 9.09722634406e-3),
                                                     {2.5, 3.16109096846e-5, 1.13781213529e-2},
                                                     {3.5, 7.57759067302e-6, 2.15115686197e-2}}) {
        const std::string name = number_text(support);
        cases.push_back(make_case<CubeLattice>(
            {"V-E5/first_mode/" + name, "the first elastic mode of a cube of 8³ phyxels",
             "tools/reference_numbers.py"},
            [plain = plain](const CubeLattice& cube) { return check_first_elastic_mode(cube, plain); },
            {.support = support}, "stabilisation left on",
            {.support = support, .side = 8, .stabilization = 0.1}));
        cases.push_back(make_case<CubeLattice>(
            {"V-E5/stabilized/" + name, "stabilisation lifts soft modes", "tools/reference_numbers.py"},
            [value = stabilized](const CubeLattice& cube) { return check_first_elastic_mode(cube, value); },
            {.support = support, .side = 8, .stabilization = 0.1}, "no stabilisation", {.support = support}));
    }
    cases.push_back(make_case<CubeLattice>({"V-E7/critical_step", "the largest stable step of leapfrog",
                                            "2 / omega_max, tools/reference_numbers.py"},
                                           check_critical_step, {.support = 1.8}, "the support of the paper",
                                           {.support = 3.5}));
    cases.push_back(make_case<Fault>(
        {"V-E7/stable", "leapfrog is stable up to the critical step", "0.95 of 2 / omega_max"}, check_stable,
        Fault::None, std::string(info_of(Fault::PositionBeforeVelocity).what),
        Fault::PositionBeforeVelocity));
    cases.push_back(make_case<SolidOptions>(
        {"V-E7/unstable", "leapfrog is unstable beyond the critical step", "1.05 of 2 / omega_max"},
        check_unstable, LeapfrogOptions{}, "implicit Euler in place of leapfrog", ImplicitOptions{}));
    return cases;
}

} // namespace phyxel::detail
