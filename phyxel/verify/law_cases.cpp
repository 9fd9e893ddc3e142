// SPDX-License-Identifier: MIT
// V-E3, V-E4, V-E11, the patch test and the laws: bodies of phyxels in states of which the stress is
// known, by themselves and as scenes.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/geometry/shape.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

using Places = std::vector<Vec<3>>;

/// A cube of phyxels with sides of 1 m.
struct SolidCube {
    SolidModel<3> model;
    double spacing;
    double volume = 0.0; ///< of all phyxels [m³]

    SolidCube(const SolidMaterial& material, PhyxelSampling sampling, double spacing_of_phyxels,
              Fault fault = Fault::None)
        : spacing(spacing_of_phyxels)
    {
        const Box<3> box{.min = Vec<3>::Zero(), .max = Vec<3>::Ones()};
        const PhyxelCloud<3> cloud =
            make_phyxels<3>(Shape<3>(box), spacing, PhyxelOptions{.sampling = sampling});
        const PhyxelCloud<3>* const clouds[] = {&cloud};
        model = make_solid_model<3>(clouds, std::span(&material, 1), 0.1);
        for (const double v : model.rest.volume) volume += v;
        if (fault != Fault::None) model.set_fault(fault);
    }

    /// Each phyxel where x = F X takes it.
    Places placed(const Mat<3>& F) const
    {
        Places places;
        for (const Vec<3>& X : model.rest.position) places.emplace_back(F * X);
        return places;
    }
};

/// At random: nothing cancels by symmetry.
SolidCube random_cube(const SolidMaterial& material, Fault fault = Fault::None)
{
    return SolidCube(material, PhyxelSampling::PoissonDisk, 0.125, fault);
}

/// P [Pa] as the forces say: in a state x = F X their moments about the places at rest are −V P, as every
/// gradient is exact there (docs/verification.md).
Mat<3> stress_of_forces(const SolidCube& cube, const Mat<3>& F)
{
    ElasticWorkspace<3> work(cube.model);
    Places forces(cube.model.size());
    compute_responses<3>(cube.model, cube.placed(F), {}, work);
    compute_elastic_forces<3>(cube.model, work, forces);
    Mat<3> moment = Mat<3>::Zero();
    for (std::size_t i = 0; i < forces.size(); ++i)
        moment += forces[i] * cube.model.rest.position[i].transpose();
    return -moment / cube.volume;
}

Mat<3> stress_of_forces(const SolidMaterial& material, const Mat<3>& F, Fault fault = Fault::None)
{
    return stress_of_forces(random_cube(material, fault), F);
}

Mat<3> sheared(int row, int column, double gamma)
{
    Mat<3> F = Mat<3>::Identity();
    F(row, column) = gamma;
    return F;
}

// The patch test

/// What is done to a model before it is looked at: nothing, or a mistake.
using Spoil = std::function<void(SolidModel<3>&)>;

void leave_alone(SolidModel<3>&) {}

/// As if neighbours were the same in all directions, which those of a lattice are.
void make_moments_isotropic(SolidModel<3>& model)
{
    for (PhyxelGradient<3>& gradient : model.rest.gradients)
        gradient.inverse_moment = gradient.inverse_moment.trace() / 3.0 * Mat<3>::Identity();
}

SolidMaterial soft_material(ElasticLaw law)
{
    SolidMaterial material{.law = law, .youngs_modulus = 1e6, .poisson_ratio = 0.3};
    material.volume_stiffness = 0.0;
    return material;
}

/// A linear field with all nine components.
Mat<3> linear_field() { return Mat<3>{{1.1, 0.05, -0.02}, {0.03, 0.95, 0.04}, {-0.06, 0.01, 1.02}}; }

Measurement check_patch_gradient(PhyxelSampling sampling, const Spoil& spoil)
{
    SolidCube cube(soft_material(ElasticLaw::StVenantKirchhoff), sampling, 0.0625);
    spoil(cube.model);
    const Mat<3> F = linear_field();
    ElasticWorkspace<3> work(cube.model);
    compute_responses<3>(cube.model, cube.placed(F), {}, work);
    Worst worst;
    for (const ElasticResponse<3>& response : work.responses) worst.add((response.F - F).norm());
    return error_measurement(worst.value(), 1e-8,
                             "F of " + std::to_string(work.responses.size()) + " phyxels");
}

using PatchForces = std::function<Places(const SolidModel<3>&, const ElasticWorkspace<3>&)>;

Places forces_of_pairs(const SolidModel<3>& model, const ElasticWorkspace<3>& work)
{
    Places forces(model.size());
    compute_elastic_forces<3>(model, work, forces);
    return forces;
}

/// Without Newton's third law: the phyxel with the larger number does not feel the other.
Places forces_of_one_side(const SolidModel<3>& model, const ElasticWorkspace<3>& work)
{
    Places forces(model.size(), Vec<3>::Zero());
    for (Index k = 0; k < model.size(); ++k) {
        std::size_t pair = model.rest.neighbors.offsets()[k];
        for (const Index j : model.rest.neighbors.of(k)) {
            const double w = model.rest.pairs[pair++].w;
            if (j < k) continue;
            const Vec<3> X = model.rest.position[j] - model.rest.position[k];
            forces[k] += w * (work.pushes[k].Q + work.pushes[j].Q).topRows<3>() * X;
        }
    }
    return forces;
}

/// Forces on phyxels so deep inside that all who push them have all of their neighbours, over those of the
/// same stress on a face between two phyxels.
Measurement check_patch_forces(PhyxelSampling sampling, const PatchForces& forces_of)
{
    const SolidCube cube(soft_material(ElasticLaw::StVenantKirchhoff), sampling, 0.0625);
    ElasticWorkspace<3> work(cube.model);
    compute_responses<3>(cube.model, cube.placed(linear_field()), {}, work);
    const Places forces = forces_of(cube.model, work);
    const double unit = first_piola(work.responses[0]).norm() * cube.spacing * cube.spacing;
    const double depth = 2.0 * largest_of(cube.model.rest.support_radius);
    Worst worst;
    int count = 0;
    for (std::size_t i = 0; i < forces.size(); ++i) {
        const Vec<3>& X = cube.model.rest.position[i];
        if (X.minCoeff() < depth || X.maxCoeff() > 1.0 - depth) continue;
        worst.add(forces[i].norm() / unit);
        ++count;
    }
    return error_measurement(worst.value(), 1e-8,
                             "of the stress on the square of a spacing, " + std::to_string(count) +
                                 " phyxels deep inside");
}

// V-E3, V-E4

/// Uniaxial stress of Hooke's law in Green's strain: 10 % longer, sides free.
Mat<3> uniaxial_state()
{
    constexpr double E_xx = 0.105, nu = 0.3; // ½(1.1² − 1)
    const double lateral = std::sqrt(1.0 - 2.0 * nu * E_xx);
    return Vec<3>(1.1, lateral, lateral).asDiagonal();
}

Measurement check_uniaxial(Fault fault)
{
    const Mat<3> F = uniaxial_state();
    const Mat<3> P = stress_of_forces(soft_material(ElasticLaw::StVenantKirchhoff), F, fault);
    Worst worst;
    worst.add(P(0, 0) / 115500.0 - 1.0);
    worst.add(P(1, 1) / 115500.0);
    worst.add(P(2, 2) / 115500.0);
    worst.add(P(0, 0) / (F(1, 1) * F(2, 2)) / 123265.741729 - 1.0); // Cauchy's
    return error_measurement(worst.value(), 1e-8, "nominal stress 115500 Pa, none at the sides");
}

/// The same at each phyxel.
Measurement check_uniaxial_everywhere(Fault fault)
{
    const SolidCube cube = random_cube(soft_material(ElasticLaw::StVenantKirchhoff), fault);
    ElasticWorkspace<3> work(cube.model);
    compute_responses<3>(cube.model, cube.placed(uniaxial_state()), {}, work);
    Worst worst;
    for (const ElasticResponse<3>& response : work.responses) {
        worst.add(response.S(0, 0) / 105000.0 - 1.0);
        worst.add(response.S(1, 1) / 105000.0);
    }
    return error_measurement(worst.value(), 1e-8, "S = 105000 Pa along the pull, none at the sides");
}

/// The isotropic material as a matrix.
SolidMaterial isotropic_matrix()
{
    SolidMaterial material = soft_material(ElasticLaw::StVenantKirchhoff);
    StiffnessMatrix C = StiffnessMatrix::Zero();
    C.topLeftCorner<3, 3>().setConstant(material.lame_lambda());
    for (int k = 0; k < 3; ++k) {
        C(k, k) += 2.0 * material.lame_mu();
        C(3 + k, 3 + k) = material.lame_mu();
    }
    material.stiffness = C;
    return material;
}

Measurement check_small_shear(Fault fault)
{
    constexpr double gamma = 1e-6;
    const Mat<3> P = stress_of_forces(isotropic_matrix(), sheared(0, 1, gamma), fault);
    return {P(0, 1), 0.384615385, 0.384615385e-5, Bound::Near, "Pa", "mu gamma"};
}

/// A matrix with a modulus of its own for shear in each plane; `order` says where those of xy, yz, xz stand.
SolidMaterial with_three_shears(const std::array<int, 3>& order)
{
    SolidMaterial material = isotropic_matrix();
    constexpr std::array moduli = {1e5, 2e5, 4e5};
    for (std::size_t k = 0; k < 3; ++k) (*material.stiffness)(3 + order[k], 3 + order[k]) = moduli[k];
    return material;
}

Measurement check_three_shears(const SolidMaterial& material)
{
    const SolidCube cube = random_cube(material);
    constexpr double gamma = 1e-6;
    Worst worst;
    worst.add(stress_of_forces(cube, sheared(0, 1, gamma))(0, 1) / 0.1 - 1.0);
    worst.add(stress_of_forces(cube, sheared(1, 2, gamma))(1, 2) / 0.2 - 1.0);
    worst.add(stress_of_forces(cube, sheared(0, 2, gamma))(0, 2) / 0.4 - 1.0);
    return error_measurement(worst.value(), 1e-5, "100, 200 and 400 kPa in the planes xy, yz and xz");
}

Measurement check_small_dilation(Fault fault)
{
    SolidMaterial material = soft_material(ElasticLaw::StVenantKirchhoff);
    material.volume_stiffness = 2e5;
    const SolidCube cube = random_cube(material, fault);
    constexpr double s = 1e-4;
    const ElasticEnergy energy = elastic_energy<3>(cube.model, cube.placed((1.0 + s) * Mat<3>::Identity()));
    const double expected = material.lame_lambda() + 2.0 / 3.0 * material.lame_mu() + 2e5;
    return error_measurement(2.0 * energy.strain / cube.volume / (9.0 * s * s) / expected - 1.0, 1e-3,
                             "bulk modulus lambda + 2 mu/3 + k_v");
}

// The laws, E = 1 MPa, ν = 0.3: states and numbers are those of docs/verification.md.

constexpr double volume_when_pulled = 1.1, lambda_over_mu = 1.5; // 2ν/(1 − 2ν)
constexpr double shear_of_laws = 0.5, shrunk_to = 0.8;

/// Uniaxial tension at which the volume has become J = 1.1: sides are free where s₂² = 1 − λ/μ ln J.
Mat<3> neo_hookean_tension()
{
    const double side_squared = 1.0 - lambda_over_mu * std::log(volume_when_pulled);
    const double side = std::sqrt(side_squared);
    return Vec<3>(volume_when_pulled / side_squared, side, side).asDiagonal();
}

/// The same: sides are free where s₂² − s₂ + λ/2μ (J − 1) J = 0.
Mat<3> corotated_tension()
{
    constexpr double J = volume_when_pulled;
    const double side = 0.5 * (1.0 + std::sqrt(1.0 - 2.0 * lambda_over_mu * (J - 1.0) * J));
    return Vec<3>(J / (side * side), side, side).asDiagonal();
}

/// What a law answers to states of which the stress is known [Pa].
struct LawNumbers {
    ElasticLaw law;
    std::string name;
    Mat<3> pulled; ///< with sides that are free
    double tension, shear, normal_stress, pressure, usual_pressure;
};

std::vector<LawNumbers> numbers_of_laws()
{
    return {{ElasticLaw::StVenantKirchhoff, "st_venant_kirchhoff", uniaxial_state(), 115500.0,
             276442.307692308, 306490.384615385, 562500.0, 611300.0},
            {ElasticLaw::NeoHookean, "neo_hookean", neo_hookean_tension(), 236830.852838583, 192307.692308,
             96153.8461538, 1024749.08422021, 1073549.08422021},
            {ElasticLaw::Corotated, "corotated", corotated_tension(), 301915.557254061, 198049.519202821,
             121992.067181924, 521923.076923077, 570723.076923077}};
}

Measurement near_relative(double measured, double reference, double share, std::string note = {})
{
    return {measured, reference, share * std::abs(reference), Bound::Near, "Pa", std::move(note)};
}

void add_cases_of_law(std::vector<Case>& cases, const LawNumbers& known)
{
    const SolidMaterial material = soft_material(known.law);
    SolidMaterial usual = material;
    usual.volume_stiffness = {};
    constexpr double share = 1e-6;
    const auto add = [&](const std::string& item, const std::string& name, std::string claim,
                         std::string source, auto check, Fault fault) {
        cases.push_back(
            make_case<Fault>({item + "/" + known.name + "/" + name, std::move(claim), std::move(source)},
                             check, Fault::None, std::string(info_of(fault).what), fault));
    };
    const std::string program = "tools/reference_numbers.py";
    add(
        "V-E3", "tension", "the stress of a body that is pulled, whose sides are free", program,
        [=](Fault fault) {
            return near_relative(stress_of_forces(material, known.pulled, fault)(0, 0), known.tension, share,
                                 "nominal");
        },
        Fault::HalvedShear);
    add(
        "V-E3", "sides", "a body that is pulled is free of stress at its sides",
        "docs/verification.md: how thin it gets",
        [=](Fault fault) {
            const Mat<3> P = stress_of_forces(material, known.pulled, fault);
            return error_measurement(worst_of({P(1, 1), P(2, 2)}) / 1e6, share, "of Young's modulus");
        },
        Fault::NoVolumeTerm);
    add(
        "V-E4", "shear", "the shear stress of a body that is sheared by a half", program,
        [=](Fault fault) {
            return near_relative(stress_of_forces(material, sheared(0, 1, shear_of_laws), fault)(0, 1),
                                 known.shear, share, "nominal");
        },
        Fault::HalvedShear);
    add(
        "V-E4", "normal_stress", "a body that is sheared pulls along the shear", program,
        [=](Fault fault) {
            const Mat<3> F = sheared(0, 1, shear_of_laws);
            const Mat<3> cauchy = stress_of_forces(material, F, fault) * F.transpose();
            return near_relative(cauchy(0, 0), known.normal_stress, share, "Cauchy's, sheared by 1/2");
        },
        Fault::HalvedShear);
    const auto pressure = [=](const SolidMaterial& of, double reference) {
        return [=](Fault fault) {
            const Mat<3> P = stress_of_forces(of, shrunk_to * Mat<3>::Identity(), fault);
            return near_relative(-P(0, 0) / (shrunk_to * shrunk_to), reference, share, "0.8 of each length");
        };
    };
    add("V-E4", "pressure", "the pressure of a body at about half of its volume", program,
        pressure(material, known.pressure), Fault::NoVolumeTerm);
    add("V-E4", "usual_pressure", "the same with the volume term that is there by default", program,
        pressure(usual, known.usual_pressure), Fault::DoubledStress);
}

// Scenes

/// The slope of a straight line through the points, by least squares.
class LineFit {
public:
    void add(double x, double y)
    {
        ++count_;
        x_ += x;
        y_ += y;
        xx_ += x * x;
        xy_ += x * y;
    }
    double slope() const { return (count_ * xy_ - x_ * y_) / (count_ * xx_ - x_ * x_); }

private:
    double count_ = 0.0, x_ = 0.0, y_ = 0.0, xx_ = 0.0, xy_ = 0.0;
};

/// ∂x_row/∂X_column in the middle of a body: of phyxels that lie at rest in the box.
double slope_within(const SceneRun& run, const std::string& body, int row, int column, const Box<3>& middle)
{
    const Snapshot before = run.frame(body, 0);
    const Snapshot& after = run.last.at(body);
    LineFit fit;
    for (std::size_t i = 0; i < before.points.size(); ++i) {
        const Vec<3>& X = before.points[i];
        if ((X.array() < middle.min.array()).any() || (X.array() > middle.max.array()).any()) continue;
        fit.add(X[column], after.points[i][row]);
    }
    return fit.slope();
}

Measurement within(double share, double measured, double reference, std::string note)
{
    return {measured, reference, share * std::abs(reference), Bound::Near, "1", std::move(note)};
}

constexpr double middle_of_bar = 0.15; ///< on both sides of the middle, of 1 m

/// Of a bar from x = 0 to 1: how much longer, or narrower, its middle has become, as a share.
double strain_of_middle(const SceneRun& run, int axis)
{
    return slope_within(run, "bar", axis, axis,
                        {Vec<3>(0.5 - middle_of_bar, -1, -1), Vec<3>(0.5 + middle_of_bar, 2, 2)}) -
           1.0;
}

Measurement check_neo_hookean_bar(const SceneRun& run)
{
    return within(0.02, strain_of_middle(run, 0), 0.28349524368, "the middle, longer by");
}

Measurement check_neo_hookean_shear(const SceneRun& run)
{
    const double shear = slope_within(run, "strip", 0, 1, {Vec<3>(0.9, 0.02, -1), Vec<3>(1.1, 0.08, 1)});
    return within(0.02, shear, 0.5, "the middle, sheared by");
}

Measurement check_neo_hookean_pressure(const SceneRun& run)
{
    const std::vector<double>& volume = run.probes.at("cube");
    return within(0.02, 1.0 - volume.back() / volume.front(), 1.0 - 0.512, "of the volume gone");
}

double volume_change(const SceneRun& run)
{
    const std::vector<double>& volume = run.probes.at("bar");
    return 100.0 * (volume.back() / volume.front() - 1.0);
}

/// Stress 10 kPa along x; strains of the middle by the compliance of orthotropic.json.
Measurement check_orthotropic(const SceneRun& run, int axis, double expected)
{
    return within(0.02, strain_of_middle(run, axis) * 1e3, expected * 1e3,
                  "strain of the middle, in thousandths");
}

} // namespace

std::vector<Case> law_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    for (const auto& [sampling, word] :
         {std::pair(PhyxelSampling::PoissonDisk, "poisson_disk"), {PhyxelSampling::Jittered, "jittered"}}) {
        const std::string name = word;
        cases.push_back(make_case<Spoil>(
            {"V-E/patch/gradient/" + name, "phyxels at random see a linear field as it is",
             "F of x = F X, every phyxel"},
            [sampling = sampling](const Spoil& spoil) { return check_patch_gradient(sampling, spoil); },
            leave_alone, "moments A as if neighbours were the same in all directions",
            make_moments_isotropic));
    }
    const auto add_patch_forces = [&](const std::string& name, PhyxelSampling sampling,
                                      std::optional<KnownMiss> miss) {
        cases.push_back(make_case<PatchForces>(
            {"V-E/patch/forces/" + name, "a uniform stress pushes no phyxel inside", "patch test: f = 0",
             Tier::Quick, std::move(miss)},
            [sampling](const PatchForces& forces) { return check_patch_forces(sampling, forces); },
            forces_of_pairs, "each pair counted for one of its two phyxels only", forces_of_one_side));
    };
    add_patch_forces("lattice", PhyxelSampling::Lattice, {});
    const std::string inexact =
        "all phyxels have the same volume, and with that the sum over them integrates a constant gradient "
        "exactly on a lattice only";
    add_patch_forces("poisson_disk", PhyxelSampling::PoissonDisk, KnownMiss{1.2103, 0.0, inexact});
    add_patch_forces("jittered", PhyxelSampling::Jittered, KnownMiss{1.42895, 0.0, inexact});

    const auto what = [](Fault fault) { return std::string(info_of(fault).what); };
    cases.push_back(make_case<Fault>(
        {"V-E3/uniaxial", "the forces of a body that is pulled are those of Hooke's law in Green's strain",
         "E = 1 MPa, nu = 0.3, 10 % longer: P = 115500 Pa"},
        check_uniaxial, Fault::None, what(Fault::DoubledStress), Fault::DoubledStress));
    cases.push_back(make_case<Fault>(
        {"V-E3/everywhere", "every phyxel of a body that is pulled has the stress of Hooke's law",
         "E = 1 MPa, nu = 0.3, 10 % longer: S = 105000 Pa"},
        check_uniaxial_everywhere, Fault::None, what(Fault::HalvedShear), Fault::HalvedShear));
    cases.push_back(make_case<Fault>({"V-E4/shear", "the forces of a body that is sheared", "mu gamma"},
                                     check_small_shear, Fault::None, what(Fault::HalvedShear),
                                     Fault::HalvedShear));
    cases.push_back(make_case<SolidMaterial>(
        {"V-E4/three_shears", "a matrix has a modulus of its own for shear in each plane",
         "C gamma, planes in the order xy, yz, xz"},
        check_three_shears, with_three_shears({0, 1, 2}), "the order yz, xz, xy of other books",
        with_three_shears({2, 0, 1})));
    cases.push_back(make_case<Fault>(
        {"V-E4/dilation", "the volume term adds to the bulk modulus of a body", "lambda + 2 mu/3 + k_v"},
        check_small_dilation, Fault::None, what(Fault::NoVolumeTerm), Fault::NoVolumeTerm));
    for (const LawNumbers& known : numbers_of_laws()) add_cases_of_law(cases, known);

    const auto add = [&](SceneCase c) { cases.push_back(make_scene_case(folder, std::move(c))); };
    const std::string too_soft =
        "integration over phyxels at random is not exact: a uniform stress pushes them (V-E/patch/forces), "
        "and where they give way the body is too soft";
    /// With phyxels on a lattice, and with those at random, of which it is known how far they are off.
    const auto add_both = [&](SceneCase c, const std::string& body, double poisson_disk) {
        SceneCase at_random = c;
        at_random.info.name += "/poisson_disk";
        at_random.info.claim += ", with phyxels at random";
        at_random.settings.push_back("bodies." + body + ".sampling=poisson_disk");
        at_random.info.known_miss = KnownMiss{.measured = poisson_disk, .why = too_soft};
        c.info.name += "/lattice";
        add(std::move(c));
        add(std::move(at_random));
    };
    add_both({{"V-E/neo_hookean/tension", "a bar of neo-Hooke's law gets as long as its force demands",
               "docs/verification.md, within 2 %", Tier::Full},
              "neo_hookean_bar",
              check_neo_hookean_bar,
              Fault::HalvedShear},
             "bar", 0.336239);
    const KnownMiss few_rows{
        .measured = 0.484534,
        .why = "10 rows of phyxels: displacements swing from row to row beside those that are held "
               "and pulled, which count with volume beyond them (docs/verification.md)"};
    add_both({{"V-E/neo_hookean/shear", "a strip of neo-Hooke's law is sheared in proportion to the force",
               "tau/mu, within 2 %", Tier::Full, few_rows},
              "neo_hookean_shear",
              check_neo_hookean_shear,
              Fault::HalvedShear},
             "strip", 0.818196);
    add({{"V-E/neo_hookean/pressure/lattice",
          "a cube of neo-Hooke's law is pressed to about half of its volume",
          "docs/verification.md, within 2 %", Tier::Full},
         "neo_hookean_pressure",
         check_neo_hookean_pressure,
         Fault::DoubledStress});
    const std::string collapses =
        "phyxels give way to the pressure until they pass each other, long before the full load: integration "
        "over them is not exact (V-E/patch/forces)";
    for (const std::string sampling : {"poisson_disk", "jittered"})
        add({{"V-E/neo_hookean/pressure/" + sampling,
              "a cube of neo-Hooke's law is pressed to about half of its volume, with phyxels at random",
              "docs/verification.md, within 2 %", Tier::Full, known_to_diverge(collapses)},
             "neo_hookean_pressure",
             check_neo_hookean_pressure,
             Fault::DoubledStress,
             {"bodies.cube.sampling=" + sampling}});
    add({{"V-E/neo_hookean/shear/20_rows",
          "a strip of neo-Hooke's law is sheared in proportion to the force, with 20 rows of phyxels",
          "tau/mu, within 2 %", Tier::Full,
          known_to_diverge("No equilibrium is found beyond a shear of 0.43; the reason is not known.")},
         "neo_hookean_shear",
         check_neo_hookean_shear,
         Fault::DoubledStress,
         {"spacing=5 mm", "bodies.strip.regions.held.shape.box.max=[3, 0.005]",
          "bodies.strip.regions.pulled.shape.box.min=[-1, 0.095]"}});

    const auto volume_case = [&](const std::string& name, std::string claim, std::string source,
                                 const std::string& material, auto measure, SceneSabotage sabotage) {
        add({{"V-E11/volume/" + name, std::move(claim), std::move(source)},
             "poisson",
             measure,
             std::move(sabotage),
             {"bodies.bar.material={\"density\": 1000, \"youngs_modulus\": 1e6, \"poisson_ratio\": 0.49" +
              material + "}"}});
    };
    const SceneSabotage compressible = Fault::NoVolumeTerm;
    volume_case("st_venant_kirchhoff", "a bar of Hooke's law in Green's strain loses volume as the law says",
                "1.2 (1 - 0.44 nu) - 1 = -5.87 %, within 0.5 points",
                ", \"law\": \"st_venant_kirchhoff\", \"volume_stiffness\": 0",
                [](const SceneRun& run) {
                    return Measurement{volume_change(run), -5.872, 0.5, Bound::Near, "%", "20 % longer"};
                },
                {"neo-Hooke's law", {"bodies.bar.material.law=neo_hookean"}});
    const auto at_most_2 = [](const SceneRun& run) {
        return error_measurement(volume_change(run), 2.0, "20 % longer", "%");
    };
    volume_case("neo_hookean", "with a Poisson's ratio of 0.49 a bar of neo-Hooke's law keeps its volume",
                "20 % longer, within 2 %", ", \"law\": \"neo_hookean\", \"volume_stiffness\": 0", at_most_2,
                compressible);
    volume_case("default", "with a Poisson's ratio of 0.49 a bar keeps its volume, by default",
                "20 % longer, within 2 %", "", at_most_2, compressible);

    constexpr std::array axes = {"along", "across", "third"};
    // Strains of 10 kPa by E = 4 MPa along x, 1 MPa along y and 2 MPa along z, ν_xy = 0.3 and ν_xz = 0.2.
    constexpr std::array strains = {2.5e-3, -0.3 * 2.5e-3, -0.2 * 2.5e-3};
    constexpr std::array at_random = {3.38666, -0.832467, -0.630681};
    for (std::size_t k = 0; k < 3; ++k)
        add_both({{"V-E/orthotropic/" + std::string(axes[k]),
                   "a bar with three stiffnesses gets longer and thinner as its compliance says",
                   "Hooke's law, within 2 %", Tier::Full},
                  "orthotropic",
                  [k, expected = strains[k]](const SceneRun& run) {
                      return check_orthotropic(run, static_cast<int>(k), expected);
                  },
                  Fault::HalvedShear},
                 "bar", at_random[k]);
    return cases;
}

} // namespace phyxel::detail
