// SPDX-License-Identifier: MIT
// V-F1, V-F2 and V-F7: the sums, forces and smoothing of fluids by themselves, in double and in float.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/approx/sph.h>
#include <phyxel/approx/sph_operators.h>
#include <phyxel/core/fault.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/faulty_stages.h>
#include <phyxel/fluid/fluid_stages.h>
#include <phyxel/fluid/wcsph_solver.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

template <class Real>
std::string name_of()
{
    return sizeof(Real) == 8 ? "double" : "float";
}

/// What rounding leaves of a sum that should vanish, relative to the sum of magnitudes.
template <class Real>
constexpr double rounding = sizeof(Real) == 8 ? 1e-14 : 1e-6;

// V-F1: density of a lattice

/// ρ/ρ₀ at the middle of a lattice with m = ρ₀ a^Dim, in the precision of the kernel.
template <int Dim, class K>
double lattice_density(double ratio, double stretch)
{
    using Real = ScalarOf<K>;
    const double h = ratio * stretch;
    const int reach = static_cast<int>(std::ceil(h));
    std::vector<Vec<Dim, Real>> x;
    const int layers = Dim == 3 ? reach : 0;
    for (int k = -layers; k <= layers; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                Vec<Dim, Real> p = Vec<Dim, Real>::Zero();
                p[0] = static_cast<Real>(i);
                p[1] = static_cast<Real>(j);
                if constexpr (Dim == 3) p[2] = static_cast<Real>(k);
                x.push_back(p);
            }
    const std::vector<Real> mass(x.size(), Real(1));
    std::vector<Real> rho(x.size());
    const NeighborLists neighbors = find_neighbors<Dim, Real>(x, static_cast<Real>(h));
    compute_density<Dim>(std::span<const Vec<Dim, Real>>(x), mass, neighbors, K(static_cast<Real>(h)),
                         std::span(rho));
    return rho[x.size() / 2];
}

template <int Dim, template <int, class> class KernelOf>
void add_lattice_cases(std::vector<Case>& cases, const std::string& kernel, double ratio, double reference)
{
    const auto add = [&]<class Real>(Real) {
        CaseInfo info{.name = "V-F1/" + kernel + "/" + number_text(ratio) + "/" + std::to_string(Dim) + "d/" +
                              name_of<Real>(),
                      .claim = "a lattice with m = rho0 a^d has the density of the table",
                      .source = "lattice sums, tools/reference_numbers.py"};
        cases.push_back(make_case(
            std::move(info),
            [=](double stretch) {
                return Measurement{lattice_density<Dim, KernelOf<Dim, Real>>(ratio, stretch), reference,
                                   sizeof(Real) == 8 ? 1e-9 : 1e-6 * reference};
            },
            1.0, "a support 5 % too large", 1.05));
    };
    add(double());
    add(float());
}

template <int Dim, class Real>
using CubicOf = CubicSpline<Dim, Real>;
template <int Dim, class Real>
using Poly6Of = Poly6<Dim, Real>;
template <int Dim, class Real>
using SpikyOf = Spiky<Dim, Real>;
template <int Dim, class Real>
using WendlandOf = WendlandC2<Dim, Real>;

void add_lattice_tables(std::vector<Case>& cases)
{
    struct Row {
        double ratio, poly6_2d, poly6_3d, spiky_3d, cubic_2d, cubic_3d, wendland_2d, wendland_3d;
    };
    constexpr std::array<Row, 4> table = {{
        {2.0, 1.0146127622, 1.0097751669, 1.2358897053, 1.0008618328, 0.9999724661, 1.0376017870,
         1.0338430087},
        {2.6, 0, 0, 0, 0.9999467690, 0.9972618283, 1.0104731521, 1.0095007838},
        {3.0, 1.0023292560, 1.0021890160, 1.0474491849, 1.0034403965, 1.0017947054, 1.0051423408,
         1.0031410828},
        {4.0, 1.0004691100, 0.9999977511, 1.0148173395, 0.9999576129, 1.0000791818, 1.0012057963,
         1.0005486164},
    }};
    for (const Row& row : table) {
        add_lattice_cases<2, CubicOf>(cases, "cubic_spline", row.ratio, row.cubic_2d);
        add_lattice_cases<3, CubicOf>(cases, "cubic_spline", row.ratio, row.cubic_3d);
        add_lattice_cases<2, WendlandOf>(cases, "wendland_c2", row.ratio, row.wendland_2d);
        add_lattice_cases<3, WendlandOf>(cases, "wendland_c2", row.ratio, row.wendland_3d);
        if (row.poly6_2d == 0) continue;
        add_lattice_cases<2, Poly6Of>(cases, "poly6", row.ratio, row.poly6_2d);
        add_lattice_cases<3, Poly6Of>(cases, "poly6", row.ratio, row.poly6_3d);
        add_lattice_cases<3, SpikyOf>(cases, "spiky", row.ratio, row.spiky_3d);
    }
}

// V-F2: conservation

/// 400 particles of random mass and pressure in a unit cube.
template <class Real>
struct RandomFluid {
    std::vector<Vec<3, Real>> position;
    std::vector<Real> mass, density, pressure;
    NeighborLists neighbors;
    CubicSpline<3, Real> kernel{Real(0.25)};

    RandomFluid()
    {
        Rng rng(7);
        for (int n = 0; n < 400; ++n) {
            position.push_back(rng.point<3>(0.0, 1.0).template cast<Real>());
            mass.push_back(static_cast<Real>(rng.uniform(0.5, 2.0)));
            pressure.push_back(static_cast<Real>(rng.uniform(0.0, 1000.0)));
        }
        density.resize(mass.size());
        neighbors = find_neighbors<3, Real>(position, kernel.support_radius());
        compute_density<3>(std::span<const Vec<3, Real>>(position), mass, neighbors, kernel,
                           std::span(density));
    }
};

/// |Σ m a| and |Σ x × m a| relative to the sums of magnitudes.
struct Conservation {
    double force;
    double torque;
};

template <class Real>
Conservation conservation(const std::vector<Vec<3, Real>>& position, const std::vector<Real>& mass,
                          const std::vector<Vec<3, Real>>& acceleration)
{
    Vec<3> force = Vec<3>::Zero(), torque = Vec<3>::Zero();
    double force_scale = 0.0, torque_scale = 0.0;
    for (std::size_t i = 0; i < position.size(); ++i) {
        const Vec<3> x = position[i].template cast<double>();
        const Vec<3> f = static_cast<double>(mass[i]) * acceleration[i].template cast<double>();
        const Vec<3> t(x[1] * f[2] - x[2] * f[1], x[2] * f[0] - x[0] * f[2], x[0] * f[1] - x[1] * f[0]);
        force += f;
        torque += t;
        force_scale += f.norm();
        torque_scale += t.norm();
    }
    return {force.norm() / force_scale, torque.norm() / torque_scale};
}

template <class Real>
Conservation pressure_conservation(SphForm form)
{
    const RandomFluid<Real> fluid;
    std::vector<Vec<3, Real>> gradient(fluid.position.size());
    compute_gradient<3>(form, std::span<const Vec<3, Real>>(fluid.position), fluid.mass, fluid.density,
                        fluid.pressure, fluid.neighbors, fluid.kernel, std::span(gradient));
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= Real(-1) / fluid.density[i];
    return conservation<Real>(fluid.position, fluid.mass, gradient);
}

template <class Real>
void add_conservation_cases(std::vector<Case>& cases)
{
    const std::string precision = "/" + name_of<Real>();
    const std::string seed_form = "[AW09, Eq. 50], the plain gradient";
    cases.push_back(make_case(
        {.name = "V-F2/pressure_momentum" + precision,
         .claim = "pressure forces of random particles add up to nothing",
         .source = "Newton's third law"},
        [](SphForm form) {
            return error_measurement(pressure_conservation<Real>(form).force, rounding<Real>);
        },
        SphForm::Symmetric, seed_form, SphForm::Plain));
    cases.push_back(make_case(
        {.name = "V-F2/pressure_torque" + precision,
         .claim = "pressure forces of random particles have no torque",
         .source = "central forces keep angular momentum"},
        [](SphForm form) {
            return error_measurement(pressure_conservation<Real>(form).torque, rounding<Real>);
        },
        SphForm::Symmetric, seed_form, SphForm::Plain));
}

// The stages that the solver runs

/// Whether all particles weigh the same, or from a half to twice as much.
enum class Masses { Equal, Unequal };

/// A cloud of particles in sorted order, compressed so that there is pressure everywhere.
template <class Real>
struct StageFluid {
    static constexpr double spacing = 0.1, h = 0.26, rho_0 = 1000.0;
    NeighborSearch<3, Real> search;
    std::vector<Quad<Real>> place, velocity; ///< with p/ρ² and ρ beside them
    std::vector<Real> rho, mu, mass;
    std::vector<Real> supports, inverse_supports; ///< all the same; only where masses differ
    std::vector<WallShare<3, Real>> walls;
    FluidPairs<3, Real> pairs;

    explicit StageFluid(bool uniform_velocity, Masses masses = Masses::Equal)
    {
        Rng rng(7);
        std::vector<Vec<3, Real>> x;
        for (int n = 0; n < 400; ++n) x.push_back(rng.point<3>(0.0, 0.6).template cast<Real>());
        search.update(x, static_cast<Real>(h));
        place.resize(x.size());
        velocity.resize(x.size());
        for (int k = 0; k < 3; ++k)
            for (std::size_t i = 0; i < x.size(); ++i) {
                place[i].v[k] = search.coordinate(k)[i];
                velocity[i].v[k] =
                    uniform_velocity ? Real(k + 1) / Real(3) : static_cast<Real>(rng.uniform(-1.0, 1.0));
            }
        pairs.geometry.place = place.data();
        pairs.neighbors = &search.lists();
        pairs.sizes.mass = static_cast<Real>(fluid_part_model<3>(rho_0, spacing, h / spacing).particle_mass);
        pairs.sizes.support_radius = static_cast<Real>(h);
        mass.assign(x.size(), pairs.sizes.mass);
        if (masses == Masses::Unequal) {
            for (Real& m : mass) m *= static_cast<Real>(rng.uniform(0.5, 2.0));
            supports.assign(x.size(), static_cast<Real>(h));
            inverse_supports.assign(x.size(), static_cast<Real>(1.0 / h));
            pairs.sizes.masses = mass.data();
            pairs.sizes.support_radii = supports.data();
            pairs.sizes.inverse_supports = inverse_supports.data();
        }
        walls.resize(x.size());
        rho.resize(x.size());
        mu.assign(x.size(), Real(50));
        compute_density<3, Real>(pairs, walls, Real(rho_0), rho);
        const TaitEquation tait = tait_for(rho_0, 3.0, 0.01, 1.0);
        for (std::size_t i = 0; i < x.size(); ++i) {
            place[i].last() = static_cast<Real>(tait.pressure(rho[i]) / (rho[i] * rho[i]));
            velocity[i].last() = rho[i];
        }
    }
};

enum class Viscosity {
    Honest,
    DensityForgotten, ///< 1/ρ_i left out
    TrueLaplacian     ///< that of poly6, which changes its sign
};

/// What viscosity does to the particles, as the solvers sum it up.
template <class Real>
std::vector<Vec<3, Real>> viscous_acceleration(const StageFluid<Real>& fluid, Viscosity viscosity)
{
    std::vector<Vec<3, Real>> a(fluid.rho.size());
    if (viscosity == Viscosity::TrueLaplacian) {
        std::vector<Vec<3, Real>> x(a.size()), v(a.size());
        std::vector<Real> volume(a.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            for (int k = 0; k < 3; ++k) {
                x[i][k] = fluid.place[i].v[k];
                v[i][k] = fluid.velocity[i].v[k];
            }
            volume[i] = fluid.mass[i] / fluid.rho[i];
        }
        compute_laplacian<3>(SphLaplacianForm::Difference, std::span<const Vec<3, Real>>(x), volume,
                             std::span<const Vec<3, Real>>(v), fluid.search.lists(),
                             Poly6<3, Real>(static_cast<Real>(fluid.h)), std::span(a));
        for (std::size_t i = 0; i < a.size(); ++i) a[i] *= fluid.mu[i] / fluid.rho[i];
        return a;
    }
    compute_viscous_acceleration<3, Real>(fluid.pairs, fluid.walls, fluid.velocity, fluid.mu, a);
    if (viscosity == Viscosity::DensityForgotten)
        for (std::size_t i = 0; i < a.size(); ++i) a[i] *= fluid.rho[i] / Real(fluid.rho_0);
    return a;
}

/// Relative to the sum of magnitudes.
template <class Real>
double viscous_power(Viscosity viscosity, Masses masses)
{
    const StageFluid<Real> fluid(false, masses);
    const std::vector<Vec<3, Real>> a = viscous_acceleration(fluid, viscosity);
    double power = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        double p = 0.0;
        for (int k = 0; k < 3; ++k)
            p += static_cast<double>(fluid.mass[i]) * static_cast<double>(fluid.velocity[i].v[k] * a[i][k]);
        power += p;
        scale += std::abs(p);
    }
    return power / scale;
}

template <class Real>
void add_stage_cases(std::vector<Case>& cases)
{
    const std::string precision = "/" + name_of<Real>();
    for (const auto& [masses, word] :
         {std::pair(Masses::Equal, std::string()), {Masses::Unequal, std::string("/unequal")}}) {
        cases.push_back(make_case(
            {.name = "V-F2/viscous_momentum" + word + precision,
             .claim = "viscous forces of the solvers add up to nothing",
             .source = "Newton's third law, docs/verification.md"},
            [masses = masses](Viscosity viscosity) {
                const StageFluid<Real> fluid(false, masses);
                const std::vector<Vec<3, Real>> a = viscous_acceleration(fluid, viscosity);
                const std::vector<Vec<3, Real>> nowhere(a.size(), Vec<3, Real>::Zero());
                return error_measurement(conservation<Real>(nowhere, fluid.mass, a).force, rounding<Real>);
            },
            Viscosity::Honest, "1/ρ_i left out", Viscosity::DensityForgotten));
        cases.push_back(make_case(
            {.name = "V-F2/viscous_power" + word + precision,
             .claim = "viscosity of the solvers takes energy",
             .source = "second law, docs/verification.md"},
            [masses = masses](Viscosity viscosity) {
                return Measurement{viscous_power<Real>(viscosity, masses), 0.0, 0.0, Bound::AtMost};
            },
            Viscosity::Honest, "the true Laplacian of poly6, which changes its sign",
            Viscosity::TrueLaplacian));
    }
    cases.push_back(make_case(
        {.name = "V-F2/solver_momentum" + precision,
         .claim = "pressure, viscosity and shock damping of the solver add up to nothing",
         .source = "Newton's third law"},
        [](Fault fault) {
            const StageFluid<Real> fluid(false);
            std::vector<Vec<3, Real>> a(fluid.rho.size());
            compute_acceleration<3, Real>(fluid.pairs, fluid.walls, fluid.velocity, Real(fluid.rho_0),
                                          {.artificial_viscosity = 0.1, .sound_speed = 30.0}, a);
            std::vector<Vec<3, Real>> viscous(a.size());
            compute_viscous_acceleration<3, Real>(fluid.pairs, fluid.walls, fluid.velocity, fluid.mu,
                                                  viscous);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] += viscous[i];
            if (fault == Fault::PlainPressure) {
                compute_gradient_sum<3, Real>(fluid.pairs, viscous);
                for (std::size_t i = 0; i < a.size(); ++i) a[i] += fluid.place[i].last() * viscous[i];
            }
            const std::vector<Real> mass(a.size(), Real(1));
            const std::vector<Vec<3, Real>> nowhere(a.size(), Vec<3, Real>::Zero());
            return error_measurement(conservation<Real>(nowhere, mass, a).force, rounding<Real>);
        },
        Fault::None, std::string(info_of(Fault::PlainPressure).what), Fault::PlainPressure));
    cases.push_back(make_case(
        {.name = "V-F7/uniform_velocity" + precision,
         .claim = "smoothing leaves a uniform velocity as it is",
         .source = "Monaghan's difference form, docs/verification.md"},
        [](Fault fault) {
            const StageFluid<Real> fluid(true);
            std::vector<Vec<3, Real>> change(fluid.rho.size());
            if (fault == Fault::PlainSmoothing)
                compute_plain_smoothing<3, Real>(fluid.pairs, fluid.velocity, Real(0.5), change);
            else
                compute_smoothing<3, Real>(fluid.pairs, fluid.velocity, Real(0.5), change);
            Worst worst;
            for (const Vec<3, Real>& c : change) worst.add(static_cast<double>(c.norm()));
            return error_measurement(worst.value(), rounding<Real>, {}, "m/s");
        },
        Fault::None, std::string(info_of(Fault::PlainSmoothing).what), Fault::PlainSmoothing));
}

} // namespace

std::vector<Case> fluid_cases()
{
    std::vector<Case> cases;
    add_lattice_tables(cases);
    add_conservation_cases<double>(cases);
    add_conservation_cases<float>(cases);
    add_stage_cases<double>(cases);
    add_stage_cases<float>(cases);
    return cases;
}

} // namespace phyxel::detail
