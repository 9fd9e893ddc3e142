// SPDX-License-Identifier: MIT
// V-A6 and V-A7: SPH operators and the least-squares gradient.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/approx/gradient_operator.h>
#include <phyxel/approx/kernels.h>
#include <phyxel/approx/sph.h>
#include <phyxel/approx/sph_operators.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/rng.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/verify/clouds.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

/// What SPH operators work on.
template <int Dim>
struct Particles {
    std::vector<Vec<Dim>> position;
    std::vector<double> mass;
    std::vector<double> density;
    std::vector<double> volume;
    NeighborLists neighbors;
    Poly6<Dim> kernel;
    PeriodicBox<Dim> box;
};

template <int Dim>
Particles<Dim> make_particles(std::vector<Vec<Dim>> position, std::vector<double> mass, double support_radius,
                              const PeriodicBox<Dim>& box = {})
{
    const std::size_t count = position.size();
    NeighborLists neighbors = find_neighbors<Dim, double>(position, support_radius, box);
    Particles<Dim> particles{std::move(position),
                             std::move(mass),
                             std::vector<double>(count),
                             std::vector<double>(count),
                             std::move(neighbors),
                             Poly6<Dim>(support_radius),
                             box};
    compute_density<Dim>(particles.position, particles.mass, particles.neighbors, particles.kernel,
                         particles.density, box);
    compute_volumes(particles.mass, particles.density, particles.volume);
    return particles;
}

// V-A6: the Laplacian is not the divergence of the gradient

using LaplacianOperator =
    std::function<std::vector<double>(const Particles<2>& particles, std::span<const double> f)>;

std::vector<double> sph_laplacian(const Particles<2>& p, std::span<const double> f)
{
    std::vector<double> result(f.size());
    compute_laplacian<2>(SphLaplacianForm::Plain, p.position, p.volume, f, p.neighbors, p.kernel, result,
                         p.box);
    return result;
}

std::vector<double> divergence_of_gradient(const Particles<2>& p, std::span<const double> f)
{
    std::vector<Vec<2>> gradient(f.size());
    compute_gradient<2>(SphForm::Plain, p.position, p.mass, p.density, f, p.neighbors, p.kernel, gradient,
                        p.box);
    std::vector<double> result(f.size());
    compute_divergence<2>(SphForm::Plain, p.position, p.mass, p.density, gradient, p.neighbors, p.kernel,
                          result, p.box);
    return result;
}

double norm(std::span<const double> values)
{
    return std::sqrt(ordered_sum(values.size(), [&](Index i) { return values[i] * values[i]; }));
}

Measurement check_laplacian_differs(const LaplacianOperator& laplacian)
{
    // A jittered lattice in a box that repeats, so that nothing is due to a boundary.
    constexpr double length = 16.0;
    const PeriodicBox<2> box{Vec<2>::Zero(), Vec<2>::Constant(length)};
    std::vector<Vec<2>> position =
        jittered_grid<2>({.spacing = 1.0, .jitter = 0.1, .low = 0.0, .high = length});
    const std::size_t count = position.size();
    const Particles<2> particles =
        make_particles<2>(std::move(position), std::vector<double>(count, 1.0), 3.0, box);

    std::vector<double> f;
    for (const Vec<2>& x : particles.position)
        f.push_back(std::sin(2 * std::numbers::pi * (x[0] + 2 * x[1]) / length));
    const std::vector<double> direct = laplacian(particles, f);
    std::vector<double> difference = divergence_of_gradient(particles, f);
    for (std::size_t i = 0; i < count; ++i) difference[i] -= direct[i];
    return {norm(difference) / norm(direct),
            1e-3,
            0.0,
            Bound::AtLeast,
            "1",
            "relative difference of ⟨Δf⟩ and ⟨∇·⟨∇f⟩⟩ over 256 particles"};
}

// V-A7: gradients

template <int Dim>
using Gradient = std::function<std::vector<Vec<Dim>>(const Particles<Dim>&, std::span<const double> f)>;

Gradient<3> sph_gradient(SphForm form)
{
    return [form](const Particles<3>& p, std::span<const double> f) {
        std::vector<Vec<3>> result(f.size());
        compute_gradient<3>(form, p.position, p.mass, p.density, f, p.neighbors, p.kernel, result, p.box);
        return result;
    };
}

/// Σ_j factor(i, j) ∇ω_ij, for forms that the library does not have.
template <class Factor>
Gradient<3> pair_gradient(Factor factor)
{
    return [factor](const Particles<3>& p, std::span<const double> f) {
        std::vector<Vec<3>> result(f.size(), Vec<3>::Zero());
        for (Index i = 0; i < f.size(); ++i)
            for (Index j : p.neighbors.of(i))
                result[i] += factor(p, f, i, j) * p.kernel.gradient(p.position[i] - p.position[j]);
        return result;
    };
}

/// The gradient of 3 + 2x in the middle of lattices whose points are moved by up to a tenth of the spacing:
/// the one of 200 that is farthest from 2.
Measurement check_gradient_of_slope(const Gradient<3>& gradient)
{
    constexpr int lattice_count = 200;
    Worst worst(2.0);
    double mean = 0.0;
    for (std::uint64_t seed = 1; seed <= lattice_count; ++seed) {
        Rng rng(seed);
        std::vector<Vec<3>> position = lattice<3>({.spacing = 1.0, .reach = 6});
        const std::size_t middle = position.size() / 2;
        for (Vec<3>& x : position) x += rng.point<3>(-0.1, 0.1);
        const std::size_t count = position.size();
        const Particles<3> particles =
            make_particles<3>(std::move(position), std::vector<double>(count, 1000.0), 3.0);
        std::vector<double> f;
        for (const Vec<3>& x : particles.position) f.push_back(3 + 2 * x[0]);
        const double slope = gradient(particles, f)[middle][0];
        worst.add(slope);
        mean += slope / lattice_count;
    }
    return {worst.value(), 2.0,   0.1,
            Bound::Near,   "1/m", "farthest of 200 lattices, whose mean is " + number_text(mean, 4)};
}

Particles<3> unequal_particles()
{
    Rng rng(5);
    std::vector<double> mass;
    for (int i = 0; i < 400; ++i) mass.push_back(rng.uniform(0.5, 2.0));
    return make_particles<3>(random_cloud<3>({.count = mass.size(), .seed = 6}), mass, 0.25);
}

Measurement check_gradient_of_constant(const Gradient<3>& gradient)
{
    const Particles<3> particles = unequal_particles();
    const std::vector<double> f(particles.position.size(), 3.0);
    Worst error;
    for (const Vec<3>& g : gradient(particles, f))
        for (double component : g) error.add(component);
    return error_measurement(error.value(), 0.0, "400 random particles of unequal mass", "1/m");
}

/// Sums of the forces −m_i ∇p / ρ_i and of their torques, in units of Σ |F_i|.
Measurement check_momentum(const Gradient<3>& gradient)
{
    const Particles<3> particles = unequal_particles();
    Rng rng(7);
    std::vector<double> pressure;
    for (std::size_t i = 0; i < particles.position.size(); ++i) pressure.push_back(rng.uniform(-10.0, 10.0));
    const std::vector<Vec<3>> slope = gradient(particles, pressure);
    Vec<3> force = Vec<3>::Zero();
    Vec<3> torque = Vec<3>::Zero();
    double size = 0.0;
    for (std::size_t i = 0; i < slope.size(); ++i) {
        const Vec<3> force_i = -particles.mass[i] / particles.density[i] * slope[i];
        force += force_i;
        torque += particles.position[i].cross(force_i);
        size += force_i.norm();
    }
    return error_measurement(worst_of({force.norm(), torque.norm()}) / size, 1e-14,
                             "the larger of |Σ F| and |Σ x × F| (in metres), over Σ |F|");
}

void add_sph_gradient_cases(std::vector<Case>& cases)
{
    const std::string slope = "the gradient of 3 + 2x on any jittered lattice is 2 to within 5 %";
    const std::string plain = "f_i not subtracted";
    cases.push_back(make_case(
        {"V-A7/difference/gradient", slope, "differentiated by hand; form of [AW09, Eq. 13]"},
        check_gradient_of_slope, sph_gradient(SphForm::Difference), "m_j left out of V_j = m_j / ρ_j",
        pair_gradient([](const Particles<3>& p, std::span<const double> f, Index i, Index j) {
            return (f[j] - f[i]) / p.density[j];
        })));
    cases.push_back(make_case(
        {"V-A7/difference/constant", "the gradient of a constant is exactly 0", "[AW09, Eq. 13]"},
        check_gradient_of_constant, sph_gradient(SphForm::Difference), plain, sph_gradient(SphForm::Plain)));
    cases.push_back(make_case(
        {"V-A7/density_weighted/gradient", slope, "differentiated by hand; form of [AW09, Eq. 17]"},
        check_gradient_of_slope, sph_gradient(SphForm::DensityWeighted), "m_j left out, as in [AW09, Alg. 5]",
        pair_gradient([](const Particles<3>& p, std::span<const double> f, Index i, Index j) {
            return (f[j] - f[i]) / p.density[i];
        })));
    cases.push_back(make_case(
        {"V-A7/density_weighted/constant", "the gradient of a constant is exactly 0", "[AW09, Eq. 17]"},
        check_gradient_of_constant, sph_gradient(SphForm::DensityWeighted), plain,
        pair_gradient([](const Particles<3>& p, std::span<const double> f, Index i, Index j) {
            return p.mass[j] / p.density[i] * f[j];
        })));
    cases.push_back(
        make_case({"V-A7/symmetric/gradient", slope,
                   "differentiated by hand; form of [AW09, Eq. 19] with the plus of Eq. 18", Tier::Quick,
                   KnownMiss{.measured = 2.14442,
                             .why = "The symmetric form is exact for no polynomial; it varies with the "
                                    "lattice. What it has for that is momentum."}},
                  check_gradient_of_slope, sph_gradient(SphForm::Symmetric), "V_j for m_j [AW09, Table 1]",
                  pair_gradient([](const Particles<3>& p, std::span<const double> f, Index i, Index j) {
                      return p.density[i] * p.volume[j] *
                             (f[j] / (p.density[j] * p.density[j]) + f[i] / (p.density[i] * p.density[i]));
                  })));
    cases.push_back(make_case(
        {"V-A7/symmetric/momentum", "pressure forces add up to 0, and so do their torques",
         "Newton's third law; form of [AW09, Eq. 19] with the plus of Eq. 18"},
        check_momentum, sph_gradient(SphForm::Symmetric), "f_j/ρ_j² − f_i/ρ_i² [AW09, Eq. 19 and Table 1]",
        pair_gradient([](const Particles<3>& p, std::span<const double> f, Index i, Index j) {
            return p.density[i] * p.mass[j] *
                   (f[j] / (p.density[j] * p.density[j]) - f[i] / (p.density[i] * p.density[i]));
        })));
}

/// The gradient of Müller et al. with A = Σ x_ij x_ijᵀ: the weights forgotten in the moment matrix.
template <int Dim>
std::vector<Vec<Dim>> gradient_with_unweighted_moments(const Particles<Dim>& p, std::span<const double> f)
{
    std::vector<Vec<Dim>> result;
    for (Index i = 0; i < f.size(); ++i) {
        Mat<Dim> A = Mat<Dim>::Zero();
        Vec<Dim> b = Vec<Dim>::Zero();
        for (Index j : p.neighbors.of(i)) {
            const Vec<Dim> x_ij = p.position[j] - p.position[i];
            A += x_ij * x_ij.transpose();
            b += p.kernel.value(x_ij.norm()) / p.kernel.value(0) * (f[j] - f[i]) * x_ij;
        }
        result.push_back(A.inverse() * b);
    }
    return result;
}

template <int Dim>
void add_least_squares_case(std::vector<Case>& cases)
{
    const Gradient<Dim> library = [](const Particles<Dim>& p, std::span<const double> f) {
        GradientOperator<Dim> fit;
        if (fit.rebuild(p.position, p.kernel.support_radius(), p.neighbors).deficient > 0)
            return std::vector<Vec<Dim>>();
        std::vector<Vec<Dim>> result(f.size());
        fit.evaluate(f, result);
        return result;
    };
    const auto check = [](const Gradient<Dim>& gradient) {
        std::vector<Vec<Dim>> position = jittered_grid<Dim>({.spacing = 0.1, .jitter = 0.3, .seed = 8});
        const std::size_t count = position.size();
        const Particles<Dim> particles =
            make_particles<Dim>(std::move(position), std::vector<double>(count, 1.0), 0.25);
        Vec<Dim> slope;
        for (int k = 0; k < Dim; ++k) slope[k] = 2.0 - 1.5 * k;
        std::vector<double> f;
        for (const Vec<Dim>& x : particles.position) f.push_back(3 + slope.dot(x));
        const std::vector<Vec<Dim>> found = gradient(particles, f);
        Worst error;
        if (found.size() != count) error.add_missing();
        for (const Vec<Dim>& g : found)
            for (double e : Vec<Dim>(g - slope)) error.add(e);
        return error_measurement(error.value(), 1e-12,
                                 std::to_string(count) + " particles of a jittered grid, also at its faces",
                                 "1/m");
    };
    cases.push_back(make_case(
        {"V-A7/least_squares/" + std::to_string(Dim) + "d",
         "the least-squares gradient of an affine field is exact", "[AW09, Eq. 35–38], [MKN*04, Eq. 11–15]"},
        check, library, "weights left out of the moment matrix", gradient_with_unweighted_moments<Dim>));
}

} // namespace

std::vector<Case> operator_cases()
{
    std::vector<Case> cases;
    cases.push_back(make_case({"V-A6", "⟨Δf⟩ is not ⟨∇·⟨∇f⟩⟩", "[AW09, Eq. 20]"}, check_laplacian_differs,
                              LaplacianOperator(sph_laplacian), "⟨∇·⟨∇f⟩⟩ passed off as ⟨Δf⟩",
                              divergence_of_gradient));
    add_least_squares_case<1>(cases);
    add_least_squares_case<2>(cases);
    add_least_squares_case<3>(cases);
    add_sph_gradient_cases(cases);
    return cases;
}

} // namespace phyxel::detail
