// SPDX-License-Identifier: MIT
#include <phyxel/approx/sph.h>
#include <phyxel/approx/sph_operators.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

namespace phyxel::sph_operators_test {
namespace {

constexpr std::array all_forms = {SphForm::Plain, SphForm::Difference, SphForm::DensityWeighted,
                                  SphForm::Symmetric};
constexpr std::array all_laplacian_forms = {SphLaplacianForm::Plain, SphLaplacianForm::Difference};

std::vector<double> random_numbers(std::size_t count, double low, double high, std::uint64_t seed)
{
    Rng rng(seed);
    std::vector<double> numbers(count);
    for (double& number : numbers) number = rng.uniform(low, high);
    return numbers;
}

template <int Dim>
std::vector<Vec<Dim>> random_vectors(std::size_t count, std::uint64_t seed)
{
    return random_cloud<Dim>({.count = count, .seed = seed, .low = -1, .high = 1});
}

/// Particles with masses, neighbours, summation densities and volumes, and a kernel for all of it.
template <int Dim, class K = Poly6<Dim>>
struct Particles {
    K kernel;
    std::vector<Vec<Dim>> x;
    std::vector<double> mass;
    PeriodicBox<Dim> box;
    NeighborLists neighbors;
    std::vector<double> density;
    std::vector<double> volume;

    Particles(double support_radius, std::vector<Vec<Dim>> positions, std::vector<double> masses,
              const PeriodicBox<Dim>& space = {})
        : kernel(support_radius),
          x(std::move(positions)),
          mass(std::move(masses)),
          box(space),
          neighbors(brute_force_neighbors<Dim>(x, support_radius, box)),
          density(x.size()),
          volume(x.size())
    {
        compute_density<Dim>(x, mass, neighbors, kernel, density, box);
        compute_volumes(mass, density, volume);
    }

    std::vector<Vec<Dim>> gradient(SphForm form, std::span<const double> f) const
    {
        std::vector<Vec<Dim>> result(x.size());
        compute_gradient<Dim>(form, x, mass, density, f, neighbors, kernel, result, box);
        return result;
    }
    std::vector<double> divergence(SphForm form, std::span<const Vec<Dim>> f) const
    {
        std::vector<double> result(x.size());
        compute_divergence<Dim>(form, x, mass, density, f, neighbors, kernel, result, box);
        return result;
    }
    template <class Value>
    std::vector<Value> laplacian(SphLaplacianForm form, const std::vector<Value>& f) const
    {
        std::vector<Value> result(x.size());
        compute_laplacian<Dim>(form, x, volume, f, neighbors, kernel, result, box);
        return result;
    }
};

/// A cloud as irregular as it can be, with unequal masses.
template <int Dim, class K = Poly6<Dim>>
Particles<Dim, K> random_particles()
{
    const std::vector<Vec<Dim>> x = random_cloud<Dim>({.count = 300, .seed = 4});
    return {0.3, x, random_numbers(x.size(), 0.5, 2, 5)};
}

using Dimensions = testing::Types<std::integral_constant<int, 1>, std::integral_constant<int, 2>,
                                  std::integral_constant<int, 3>>;

template <class Dimension>
class SphOperators : public testing::Test {
};
TYPED_TEST_SUITE(SphOperators, Dimensions);

TYPED_TEST(SphOperators, gradient_is_the_sum_over_all_pairs_of_its_form)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const auto& [kernel, x, m, box, neighbors, rho, V] = particles;
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 8);
    for (SphForm form : all_forms) {
        const std::vector<Vec<Dim>> gradient = particles.gradient(form, f);
        for (std::size_t i = 0; i < x.size(); i += 3) {
            Vec<Dim> expected = Vec<Dim>::Zero();
            double scale = 0;
            for (std::size_t j = 0; j < x.size(); ++j) {
                const double r = (x[i] - x[j]).norm();
                if (r == 0) continue;
                const Vec<Dim> grad_W = kernel.derivative(r) * (x[i] - x[j]) / r;
                double factor = 0;
                if (form == SphForm::Plain) factor = f[j] * V[j];
                if (form == SphForm::Difference) factor = (f[j] - f[i]) * V[j];
                if (form == SphForm::DensityWeighted) factor = m[j] * (f[j] - f[i]) / rho[i];
                if (form == SphForm::Symmetric)
                    factor = rho[i] * m[j] * (f[j] / std::pow(rho[j], 2) + f[i] / std::pow(rho[i], 2));
                expected += factor * grad_W;
                scale += std::abs(factor) * grad_W.norm();
            }
            EXPECT_LE((gradient[i] - expected).norm(), 1e-14 * scale);
        }
    }
}

TYPED_TEST(SphOperators, laplacian_is_the_sum_over_all_pairs_of_its_form)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<double> f = random_numbers(particles.x.size(), -1, 1, 8);
    const ViscosityLaplacian<Dim> viscosity(0.3);
    const auto check = [&](const auto& kernel) {
        for (SphLaplacianForm form : all_laplacian_forms) {
            std::vector<double> laplacian(f.size());
            compute_laplacian<Dim>(form, particles.x, particles.volume, f, particles.neighbors, kernel,
                                   laplacian);
            for (std::size_t i = 0; i < f.size(); ++i) {
                const double reference = form == SphLaplacianForm::Difference ? f[i] : 0;
                double expected = 0;
                double scale = 0;
                for (std::size_t j = 0; j < f.size(); ++j) {
                    const double r = (particles.x[i] - particles.x[j]).norm();
                    const double term = (f[j] - reference) * kernel.laplacian(r) * particles.volume[j];
                    expected += term;
                    scale += std::abs(term);
                }
                EXPECT_NEAR(laplacian[i], expected, 1e-14 * scale);
            }
        }
    };
    check(particles.kernel);
    check(viscosity);
}

TYPED_TEST(SphOperators, divergence_is_the_trace_of_the_gradients)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(particles.x.size(), 8);
    for (SphForm form : all_forms) {
        const std::vector<double> divergence = particles.divergence(form, v);
        std::vector<double> trace(v.size(), 0.0);
        std::vector<double> scale(v.size(), 0.0);
        for (int k = 0; k < Dim; ++k) {
            std::vector<double> component(v.size());
            for (std::size_t i = 0; i < v.size(); ++i) component[i] = v[i][k];
            const std::vector<Vec<Dim>> gradient = particles.gradient(form, component);
            for (std::size_t i = 0; i < v.size(); ++i) {
                trace[i] += gradient[i][k];
                scale[i] += gradient[i].norm();
            }
        }
        for (std::size_t i = 0; i < v.size(); ++i)
            EXPECT_NEAR(divergence[i], trace[i], 1e-12 * (1 + scale[i]));
    }
}

TYPED_TEST(SphOperators, laplacian_of_vectors_is_taken_component_by_component)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(particles.x.size(), 8);
    const Vec<Dim> point = Vec<Dim>::Constant(0.4);
    const std::vector<Index> ids = brute_force_points_near<Dim>(point, particles.x, 0.3);
    const Vec<Dim> at_point =
        laplacian_at<Dim>(point, ids, particles.x, particles.volume, v, particles.kernel);
    for (SphLaplacianForm form : all_laplacian_forms) {
        const std::vector<Vec<Dim>> laplacian = particles.laplacian(form, v);
        for (int k = 0; k < Dim; ++k) {
            std::vector<double> component(v.size());
            for (std::size_t i = 0; i < v.size(); ++i) component[i] = v[i][k];
            const std::vector<double> expected = particles.laplacian(form, component);
            for (std::size_t i = 0; i < v.size(); ++i) EXPECT_EQ(laplacian[i][k], expected[i]);
            EXPECT_EQ(at_point[k], laplacian_at<Dim>(point, ids, particles.x, particles.volume, component,
                                                     particles.kernel));
        }
    }
}

TYPED_TEST(SphOperators, at_a_point_continue_the_plain_forms_at_the_particles)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const auto& [kernel, x, m, box, neighbors, rho, V] = particles;
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(x.size(), 9);
    const std::vector<Vec<Dim>> gradient = particles.gradient(SphForm::Plain, f);
    const std::vector<double> divergence = particles.divergence(SphForm::Plain, v);
    const std::vector<double> laplacian = particles.laplacian(SphLaplacianForm::Plain, f);
    for (std::size_t i = 0; i < x.size(); i += 5) {
        const std::vector<Index> ids = brute_force_points_near<Dim>(x[i], x, 0.3);
        EXPECT_LT((gradient_at<Dim>(x[i], ids, x, V, f, kernel) - gradient[i]).norm(), 1e-12);
        EXPECT_NEAR(divergence_at<Dim>(x[i], ids, x, V, v, kernel), divergence[i], 1e-12);
        EXPECT_NEAR(laplacian_at<Dim>(x[i], ids, x, V, f, kernel), laplacian[i], 1e-11);
    }
}

TYPED_TEST(SphOperators, at_a_point_are_the_derivatives_of_the_smoothed_field)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const auto& [kernel, x, m, box, neighbors, rho, V] = particles;
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(x.size(), 9);
    const double step = 1e-5;
    for (double place : {0.3, 0.52, 0.8}) {
        const Vec<Dim> point = Vec<Dim>::Constant(place);
        const std::vector<Index> ids = brute_force_points_near<Dim>(point, x, 0.31);
        Vec<Dim> gradient;
        double divergence = 0;
        double laplacian = 0;
        for (int k = 0; k < Dim; ++k) {
            const Vec<Dim> ahead = point + step * Vec<Dim>::Unit(k);
            const Vec<Dim> behind = point - step * Vec<Dim>::Unit(k);
            gradient[k] = (interpolate_at<Dim>(ahead, ids, x, V, f, kernel) -
                           interpolate_at<Dim>(behind, ids, x, V, f, kernel)) /
                          (2 * step);
            divergence += (interpolate_at<Dim>(ahead, ids, x, V, v, kernel) -
                           interpolate_at<Dim>(behind, ids, x, V, v, kernel))[k] /
                          (2 * step);
            laplacian += (gradient_at<Dim>(ahead, ids, x, V, f, kernel) -
                          gradient_at<Dim>(behind, ids, x, V, f, kernel))[k] /
                         (2 * step);
        }
        EXPECT_LT((gradient_at<Dim>(point, ids, x, V, f, kernel) - gradient).norm(), 1e-6);
        EXPECT_NEAR(divergence_at<Dim>(point, ids, x, V, v, kernel), divergence, 1e-6);
        EXPECT_NEAR(laplacian_at<Dim>(point, ids, x, V, f, kernel), laplacian, 1e-4);
    }
}

TYPED_TEST(SphOperators, difference_forms_of_a_constant_are_exactly_zero)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<double> f(particles.x.size(), 0.1);
    const std::vector<Vec<Dim>> v(particles.x.size(), Vec<Dim>::Constant(0.1));
    const Vec<Dim> zero = Vec<Dim>::Zero();
    for (SphForm form : {SphForm::Difference, SphForm::DensityWeighted}) {
        for (const Vec<Dim>& gradient : particles.gradient(form, f)) EXPECT_EQ(gradient, zero);
        for (double divergence : particles.divergence(form, v)) EXPECT_EQ(divergence, 0);
    }
    for (double laplacian : particles.laplacian(SphLaplacianForm::Difference, f)) EXPECT_EQ(laplacian, 0);
    for (const Vec<Dim>& laplacian : particles.laplacian(SphLaplacianForm::Difference, v))
        EXPECT_EQ(laplacian, zero);
}

TYPED_TEST(SphOperators, plain_and_symmetric_forms_of_a_constant_are_not_zero)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<double> f(particles.x.size(), 0.1);
    for (SphForm form : {SphForm::Plain, SphForm::Symmetric}) {
        double largest = 0;
        for (const Vec<Dim>& gradient : particles.gradient(form, f))
            largest = std::max(largest, gradient.norm());
        EXPECT_GT(largest, 0.1);
    }
    double largest = 0;
    for (double laplacian : particles.laplacian(SphLaplacianForm::Plain, f))
        largest = std::max(largest, std::abs(laplacian));
    EXPECT_GT(largest, 1);
}

TYPED_TEST(SphOperators, density_weighted_form_is_the_product_rule_of_plain_forms)
{
    // ∇f = (∇(ρf) − f ∇ρ) / ρ [AW09, Eq. 16], and the same for the divergence.
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<double>& rho = particles.density;
    const std::vector<double> f = random_numbers(rho.size(), -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(rho.size(), 9);
    std::vector<double> rho_f(rho.size());
    std::vector<Vec<Dim>> rho_v(rho.size());
    for (std::size_t i = 0; i < rho.size(); ++i) {
        rho_f[i] = rho[i] * f[i];
        rho_v[i] = rho[i] * v[i];
    }
    const std::vector<Vec<Dim>> grad_rho = particles.gradient(SphForm::Plain, rho);
    const std::vector<Vec<Dim>> grad_rho_f = particles.gradient(SphForm::Plain, rho_f);
    const std::vector<double> div_rho_v = particles.divergence(SphForm::Plain, rho_v);
    const std::vector<Vec<Dim>> gradient = particles.gradient(SphForm::DensityWeighted, f);
    const std::vector<double> divergence = particles.divergence(SphForm::DensityWeighted, v);
    for (std::size_t i = 0; i < rho.size(); ++i) {
        EXPECT_LT((gradient[i] - (grad_rho_f[i] - f[i] * grad_rho[i]) / rho[i]).norm(), 1e-12);
        EXPECT_NEAR(divergence[i], (div_rho_v[i] - v[i].dot(grad_rho[i])) / rho[i], 1e-12);
    }
}

TYPED_TEST(SphOperators, symmetric_form_is_the_quotient_rule_of_plain_forms)
{
    // ∇f = ρ (∇(f/ρ) + f ∇ρ / ρ²) [AW09, Eq. 18]: the plus that Eq. 19 misprints.
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<double>& rho = particles.density;
    const std::vector<double> f = random_numbers(rho.size(), -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(rho.size(), 9);
    std::vector<double> f_by_rho(rho.size());
    std::vector<Vec<Dim>> v_by_rho(rho.size());
    for (std::size_t i = 0; i < rho.size(); ++i) {
        f_by_rho[i] = f[i] / rho[i];
        v_by_rho[i] = v[i] / rho[i];
    }
    const std::vector<Vec<Dim>> grad_rho = particles.gradient(SphForm::Plain, rho);
    const std::vector<Vec<Dim>> grad_f_by_rho = particles.gradient(SphForm::Plain, f_by_rho);
    const std::vector<double> div_v_by_rho = particles.divergence(SphForm::Plain, v_by_rho);
    const std::vector<Vec<Dim>> gradient = particles.gradient(SphForm::Symmetric, f);
    const std::vector<double> divergence = particles.divergence(SphForm::Symmetric, v);
    for (std::size_t i = 0; i < rho.size(); ++i) {
        const Vec<Dim> grad_rho_by_rho2 = grad_rho[i] / (rho[i] * rho[i]);
        EXPECT_LT((gradient[i] - rho[i] * (grad_f_by_rho[i] + f[i] * grad_rho_by_rho2)).norm(), 1e-12);
        EXPECT_NEAR(divergence[i], rho[i] * (div_v_by_rho[i] + v[i].dot(grad_rho_by_rho2)), 1e-12);
    }
}

TYPED_TEST(SphOperators, density_weighted_divergence_of_the_velocity_is_the_rate_of_the_density)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(particles.x.size(), 9);
    const double step = 1e-6;
    const auto density_after = [&](double t) {
        std::vector<Vec<Dim>> x = particles.x;
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += t * v[i];
        return Particles<Dim>(0.3, x, particles.mass).density;
    };
    const std::vector<double> later = density_after(step);
    const std::vector<double> earlier = density_after(-step);
    const std::vector<double> divergence = particles.divergence(SphForm::DensityWeighted, v);
    for (std::size_t i = 0; i < v.size(); ++i)
        EXPECT_NEAR(divergence[i], -(later[i] - earlier[i]) / (2 * step) / particles.density[i], 1e-7);
}

/// |Σ F| and |Σ x × F|, relative to Σ |F|.
template <int Dim>
struct Imbalance {
    double force = 0;
    double torque = 0;

    Imbalance(std::span<const Vec<Dim>> x, std::span<const Vec<Dim>> forces)
    {
        Vec<Dim> total = Vec<Dim>::Zero();
        Mat<Dim> moment = Mat<Dim>::Zero();
        double scale = 0;
        for (std::size_t i = 0; i < x.size(); ++i) {
            total += forces[i];
            moment += x[i] * forces[i].transpose() - forces[i] * x[i].transpose();
            scale += forces[i].norm();
        }
        force = total.norm() / scale;
        torque = moment.norm() / scale;
    }
};

TYPED_TEST(SphOperators, only_the_symmetric_pressure_force_keeps_momentum_and_angular_momentum)
{
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed : {1, 2, 3}) {
        const std::vector<Vec<Dim>> positions = random_cloud<Dim>({.count = 400, .seed = seed});
        const Particles<Dim> particles(0.25, positions, random_numbers(400, 0.5, 2, seed + 10));
        const auto& [kernel, x, m, box, neighbors, rho, V] = particles;
        const std::vector<double> p = random_numbers(400, -10, 10, seed + 20);
        for (SphForm form : all_forms) {
            std::vector<Vec<Dim>> force = particles.gradient(form, p);
            for (std::size_t i = 0; i < x.size(); ++i) force[i] *= -m[i] / rho[i];
            const Imbalance<Dim> imbalance(x, force);
            if (form == SphForm::Symmetric) {
                EXPECT_LT(imbalance.force, 1e-14);
                EXPECT_LT(imbalance.torque, 1e-14);
            } else {
                EXPECT_GT(imbalance.force, 1e-4);
            }
        }
    }
}

TYPED_TEST(SphOperators, viscous_forces_keep_momentum_and_always_take_energy)
{
    constexpr int Dim = TypeParam::value;
    for (std::uint64_t seed : {1, 2, 3}) {
        const std::vector<Vec<Dim>> positions = random_cloud<Dim>({.count = 400, .seed = seed});
        const Particles<Dim> particles(0.25, positions, random_numbers(400, 0.5, 2, seed + 10));
        const std::vector<Vec<Dim>> v = random_vectors<Dim>(400, seed + 20);
        std::vector<Vec<Dim>> force(400);
        compute_laplacian<Dim>(SphLaplacianForm::Difference, particles.x, particles.volume, v,
                               particles.neighbors, ViscosityLaplacian<Dim>(0.25), force);
        double power = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            force[i] *= particles.volume[i];
            power += force[i].dot(v[i]);
        }
        const Imbalance<Dim> imbalance(particles.x, force);
        EXPECT_LT(imbalance.force, 1e-14);
        EXPECT_LT(power, 0);
        // The forces are not along the line between two particles, so angular momentum is not kept.
        if constexpr (Dim > 1) {
            EXPECT_GT(imbalance.torque, 1e-5);
        }
    }
}

TEST(SphGradient, of_a_linear_field_on_a_jittered_lattice_is_right_within_five_per_cent)
{
    for (std::uint64_t seed : {1, 2, 3}) {
        const std::vector<Vec<3>> x =
            jittered_grid<3>({.spacing = 1, .jitter = 0.1, .seed = seed, .low = -5.5, .high = 5.5});
        const Particles<3> particles(3, x, std::vector<double>(x.size(), 1.0));
        std::vector<double> f(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) f[i] = 3 + 2 * x[i][0];
        const std::size_t centre = x.size() / 2;
        for (SphForm form : {SphForm::Difference, SphForm::DensityWeighted, SphForm::Symmetric}) {
            const Vec<3> gradient = particles.gradient(form, f)[centre];
            EXPECT_NEAR(gradient[0], 2, 0.1);
            EXPECT_NEAR(gradient[1], 0, 0.1);
            EXPECT_NEAR(gradient[2], 0, 0.1);
        }
    }
}

TYPED_TEST(SphOperators, divergence_of_the_gradient_is_not_the_laplacian)
{
    // [AW09, Eq. 20], on a jittered lattice without end.
    constexpr int Dim = TypeParam::value;
    const int across = Dim == 1 ? 40 : Dim == 2 ? 16 : 8;
    const double a = 1.0 / across;
    const PeriodicBox<Dim> box{.length = Vec<Dim>::Ones()};
    const std::vector<Vec<Dim>> x = jittered_grid<Dim>({.spacing = a, .jitter = 0.1, .seed = 3});
    const Particles<Dim> particles(3 * a, x, std::vector<double>(x.size(), 1.0), box);
    std::vector<double> f(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) f[i] = std::sin(2 * std::numbers::pi * x[i][0]);

    const std::vector<double> twice =
        particles.divergence(SphForm::Plain, particles.gradient(SphForm::Plain, f));
    const std::vector<double> at_once = particles.laplacian(SphLaplacianForm::Plain, f);
    double difference = 0;
    double scale = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        difference = std::max(difference, std::abs(twice[i] - at_once[i]));
        scale = std::max(scale, std::abs(at_once[i]));
    }
    EXPECT_GT(difference, 1e-2 * scale);
}

/// The ball within reach of a particle at the origin, densely filled, with a density that varies in space.
/// Its spacing, the square of the support radius by `fineness`, goes down faster than that radius, so that
/// sums tend to integrals.
template <int Dim>
struct DenseBall {
    std::vector<Vec<Dim>> x;
    std::vector<double> mass;
    std::vector<double> density;
    std::vector<double> volume;
    std::size_t centre = 0;
    NeighborLists neighbors; ///< of the centre only

    DenseBall(double support_radius, double fineness)
    {
        const int reach = static_cast<int>(std::lround(fineness / support_radius));
        const double a = support_radius / reach;
        for (const Vec<Dim>& point : lattice<Dim>({.spacing = a, .reach = reach})) {
            if (point.norm() > support_radius) continue;
            if (point.norm() == 0) centre = x.size();
            x.push_back(point);
            density.push_back(1000 * (1 + 0.5 * std::sin(point.sum())));
            volume.push_back(std::pow(a, Dim));
            mass.push_back(density.back() * volume.back());
        }
        std::vector<std::uint64_t> offsets(x.size() + 1, 0);
        std::vector<Index> ids;
        for (std::size_t j = 0; j < x.size(); ++j)
            if (j != centre) ids.push_back(static_cast<Index>(j));
        std::fill(offsets.begin() + static_cast<std::ptrdiff_t>(centre) + 1, offsets.end(), ids.size());
        neighbors = NeighborLists(offsets, ids);
    }
};

/// exp(k · x) with its derivatives at the origin: k and |k|².
template <int Dim>
struct ExponentialField {
    Vec<Dim> k = Vec<Dim>(Eigen::Vector3d(1.0, 0.7, -0.4).head<Dim>());

    std::vector<double> at(std::span<const Vec<Dim>> points) const
    {
        std::vector<double> values;
        for (const Vec<Dim>& x : points) values.push_back(std::exp(k.dot(x)));
        return values;
    }
};

TYPED_TEST(SphOperators, first_derivatives_converge_with_second_order_in_the_support_radius)
{
    constexpr int Dim = TypeParam::value;
    const ExponentialField<Dim> field;
    for (SphForm form : all_forms) {
        const auto gradient_error = [&](double h) {
            const DenseBall<Dim> ball(h, Dim == 3 ? 2.4 : 4.0);
            std::vector<Vec<Dim>> gradient(ball.x.size());
            compute_gradient<Dim>(form, ball.x, ball.mass, ball.density, field.at(ball.x), ball.neighbors,
                                  WendlandC2<Dim>(h), gradient);
            return (gradient[ball.centre] - field.k).norm();
        };
        EXPECT_NEAR(observed_order(gradient_error, {.coarsest = 0.4, .halvings = 2}), 2, 0.15);

        const auto divergence_error = [&](double h) {
            const DenseBall<Dim> ball(h, Dim == 3 ? 2.4 : 4.0);
            const std::vector<double> f = field.at(ball.x);
            std::vector<Vec<Dim>> v;
            for (double value : f) v.push_back(value * Vec<Dim>::Ones());
            std::vector<double> divergence(ball.x.size());
            compute_divergence<Dim>(form, ball.x, ball.mass, ball.density, v, ball.neighbors,
                                    WendlandC2<Dim>(h), divergence);
            return std::abs(divergence[ball.centre] - field.k.sum());
        };
        EXPECT_NEAR(observed_order(divergence_error, {.coarsest = 0.4, .halvings = 2}), 2, 0.15);
    }
}

TYPED_TEST(SphOperators, laplacians_converge_with_second_order_in_the_support_radius)
{
    constexpr int Dim = TypeParam::value;
    const ExponentialField<Dim> field;
    const auto order = [&](auto&& make_kernel_for) {
        const auto error = [&](double h) {
            const DenseBall<Dim> ball(h, Dim == 3 ? 3.2 : 8.0);
            std::vector<double> laplacian(ball.x.size());
            compute_laplacian<Dim>(SphLaplacianForm::Difference, ball.x, ball.volume, field.at(ball.x),
                                   ball.neighbors, make_kernel_for(h), laplacian);
            return std::abs(laplacian[ball.centre] - field.k.squaredNorm());
        };
        return observed_order(error, {.coarsest = 0.4, .halvings = 2});
    };
    EXPECT_NEAR(order([](double h) { return WendlandC2<Dim>(h); }), 2, 0.1);
    EXPECT_NEAR(order([](double h) { return ViscosityLaplacian<Dim>(h); }), 2, 0.1);
}

TYPED_TEST(SphOperators, in_a_periodic_box_do_not_depend_on_where_it_begins)
{
    constexpr int Dim = TypeParam::value;
    const PeriodicBox<Dim> box{.length = Vec<Dim>::Ones()};
    const std::vector<Vec<Dim>> x = random_cloud<Dim>({.count = 80, .seed = 2});
    std::vector<Vec<Dim>> shifted;
    for (const Vec<Dim>& point : x) shifted.push_back(box.wrap(point + Vec<Dim>::Constant(0.37)));
    const std::vector<double> mass = random_numbers(x.size(), 0.5, 2, 3);
    const Particles<Dim> here(0.3, x, mass, box);
    const Particles<Dim> there(0.3, shifted, mass, box);
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 4);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(x.size(), 5);
    for (SphForm form : all_forms) {
        const std::vector<Vec<Dim>> gradient_here = here.gradient(form, f);
        const std::vector<Vec<Dim>> gradient_there = there.gradient(form, f);
        const std::vector<double> divergence_here = here.divergence(form, v);
        const std::vector<double> divergence_there = there.divergence(form, v);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_LT((gradient_here[i] - gradient_there[i]).norm(), 1e-11);
            EXPECT_NEAR(divergence_here[i], divergence_there[i], 1e-11);
        }
    }
    for (SphLaplacianForm form : all_laplacian_forms) {
        const std::vector<double> laplacian_here = here.laplacian(form, f);
        const std::vector<double> laplacian_there = there.laplacian(form, f);
        for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(laplacian_here[i], laplacian_there[i], 1e-10);
    }
    for (std::size_t i = 0; i < x.size(); i += 9) {
        const std::vector<Index> ids = brute_force_points_near<Dim>(x[i], x, 0.3, box);
        EXPECT_LT((gradient_at<Dim>(x[i], ids, x, here.volume, f, here.kernel, box) -
                   here.gradient(SphForm::Plain, f)[i])
                      .norm(),
                  1e-11);
        EXPECT_NEAR(divergence_at<Dim>(x[i], ids, x, here.volume, v, here.kernel, box),
                    here.divergence(SphForm::Plain, v)[i], 1e-11);
        EXPECT_NEAR(laplacian_at<Dim>(x[i], ids, x, here.volume, f, here.kernel, box),
                    here.laplacian(SphLaplacianForm::Plain, f)[i], 1e-10);
    }
}

TEST(SphLaplacian, with_spiky_is_infinite_in_the_plain_form_and_finite_in_the_difference_form)
{
    const Particles<2, Spiky<2>> particles = random_particles<2, Spiky<2>>();
    const std::vector<double> f = random_numbers(particles.x.size(), 0.5, 1, 8);
    for (double laplacian : particles.laplacian(SphLaplacianForm::Plain, f))
        EXPECT_EQ(laplacian, -std::numeric_limits<double>::infinity());
    for (double laplacian : particles.laplacian(SphLaplacianForm::Difference, f))
        EXPECT_TRUE(std::isfinite(laplacian));
}

TYPED_TEST(SphOperators, a_kernel_chosen_at_run_time_gives_the_same_bits)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::vector<Vec<Dim>>& x = particles.x;
    const std::vector<double>& m = particles.mass;
    const std::vector<double>& rho = particles.density;
    const std::vector<double>& V = particles.volume;
    const NeighborLists& neighbors = particles.neighbors;
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(x.size(), 9);
    std::vector<double> a(x.size());
    std::vector<double> b(x.size());
    std::vector<Vec<Dim>> c(x.size());
    std::vector<Vec<Dim>> d(x.size());
    for (KernelType type : all_kernel_types) {
        const AnyKernel<Dim> any = make_kernel<Dim>(type, 0.3);
        for (SphForm form : all_forms) {
            compute_gradient<Dim>(form, x, m, rho, f, neighbors, any, c);
            std::visit([&](const auto& k) { compute_gradient<Dim>(form, x, m, rho, f, neighbors, k, d); },
                       any.choice);
            EXPECT_EQ(c, d);
            compute_divergence<Dim>(form, x, m, rho, v, neighbors, any, a);
            std::visit([&](const auto& k) { compute_divergence<Dim>(form, x, m, rho, v, neighbors, k, b); },
                       any.choice);
            EXPECT_EQ(a, b);
        }
        const SphLaplacianForm form = SphLaplacianForm::Difference;
        compute_laplacian<Dim>(form, x, V, f, neighbors, any, a);
        std::visit([&](const auto& k) { compute_laplacian<Dim>(form, x, V, f, neighbors, k, b); },
                   any.choice);
        EXPECT_EQ(a, b);
        compute_laplacian<Dim>(form, x, V, v, neighbors, any, c);
        std::visit([&](const auto& k) { compute_laplacian<Dim>(form, x, V, v, neighbors, k, d); },
                   any.choice);
        EXPECT_EQ(c, d);
    }
}

TYPED_TEST(SphOperators, in_single_precision_are_those_in_double_precision)
{
    constexpr int Dim = TypeParam::value;
    const Particles<Dim> particles = random_particles<Dim>();
    const std::size_t count = particles.x.size();
    const std::vector<double> f = random_numbers(count, -1, 1, 8);
    std::vector<Vec<Dim, float>> x(count);
    for (std::size_t i = 0; i < count; ++i) x[i] = particles.x[i].template cast<float>();
    const std::vector<float> mass(particles.mass.begin(), particles.mass.end());
    const std::vector<float> density(particles.density.begin(), particles.density.end());
    const std::vector<float> volume(particles.volume.begin(), particles.volume.end());
    const std::vector<float> f_single(f.begin(), f.end());
    for (SphForm form : all_forms) {
        std::vector<Vec<Dim, float>> gradient(count);
        compute_gradient<Dim>(form, x, mass, density, f_single, particles.neighbors, Poly6<Dim, float>(0.3f),
                              gradient);
        const std::vector<Vec<Dim>> expected = particles.gradient(form, f);
        for (std::size_t i = 0; i < count; ++i)
            EXPECT_LT((gradient[i].template cast<double>() - expected[i]).norm(), 2e-4);
    }
    std::vector<float> laplacian(count);
    std::vector<double> expected(count);
    compute_laplacian<Dim>(SphLaplacianForm::Difference, x, volume, f_single, particles.neighbors,
                           ViscosityLaplacian<Dim, float>(0.3f), laplacian);
    compute_laplacian<Dim>(SphLaplacianForm::Difference, particles.x, particles.volume, f,
                           particles.neighbors, ViscosityLaplacian<Dim>(0.3), expected);
    for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(laplacian[i], expected[i], 1e-3);
}

TYPED_TEST(SphOperators, give_the_same_bits_with_any_number_of_threads)
{
    constexpr int Dim = TypeParam::value;
    const std::vector<Vec<Dim>> x = random_cloud<Dim>({.count = 2500, .seed = 6});
    const double h = 0.5 * std::pow(20.0 / 2500.0, 1.0 / Dim);
    const Particles<Dim> particles(h, x, random_numbers(x.size(), 0.5, 2, 7));
    const std::vector<double> f = random_numbers(x.size(), -1, 1, 8);
    const std::vector<Vec<Dim>> v = random_vectors<Dim>(x.size(), 9);
    const auto run = [&](int threads) {
        const ThreadLimit limit(threads);
        StateHash hash;
        for (SphForm form : all_forms) {
            hash.add(std::span<const Vec<Dim>>(particles.gradient(form, f)));
            hash.add(std::span<const double>(particles.divergence(form, v)));
        }
        for (SphLaplacianForm form : all_laplacian_forms) {
            hash.add(std::span<const double>(particles.laplacian(form, f)));
            hash.add(std::span<const Vec<Dim>>(particles.laplacian(form, v)));
        }
        return hash.value();
    };
    EXPECT_EQ(run(1), run(7));
}

} // namespace
} // namespace phyxel::sph_operators_test
