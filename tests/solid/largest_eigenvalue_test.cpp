// SPDX-License-Identifier: MIT
#include <phyxel/solid/largest_eigenvalue.h>

#include <gtest/gtest.h>

#include <numbers>

namespace phyxel::largest_eigenvalue_test {
namespace {

TEST(LargestEigenvalue, of_a_tridiagonal_matrix_is_exact)
{
    constexpr std::size_t count = 40;
    const std::vector<double> diagonal(count, 2.0), beside(count - 1, -1.0);
    const double expected = 2.0 + 2.0 * std::cos(std::numbers::pi / (count + 1));
    EXPECT_NEAR(largest_tridiagonal_eigenvalue(diagonal, beside), expected, 1e-12);
    EXPECT_EQ(largest_tridiagonal_eigenvalue({}, {}), 0.0);
    EXPECT_DOUBLE_EQ(largest_tridiagonal_eigenvalue(std::vector<double>{-3.0}, {}), -3.0);
}

/// A chain of masses and springs of stiffness 1, and one mass in it with a spring of its own.
TEST(LargestEigenvalue, of_one_stiff_phyxel_among_many_is_bounded_closely_from_above)
{
    constexpr std::size_t count = 20000;
    std::vector<double> mass(count, 2.0);
    for (const double own : {1.0, 10.0, 1000.0}) {
        const auto apply = [&](std::span<const Vec<3>> u, std::span<Vec<3>> out) {
            parallel_for(count, [&](Index i) {
                out[i] = 2.0 * u[i];
                if (i > 0) out[i] -= u[i - 1];
                if (i + 1 < count) out[i] -= u[i + 1];
                if (i == count / 3) out[i] += own * u[i];
            });
        };
        // A spring k in an endless chain binds a mode of 2 + √(4 + k²).
        const double exact = 0.5 * (2.0 + std::sqrt(4.0 + own * own));
        const double bound = bound_of_largest_eigenvalue<3>(mass, std::vector<Index>{0, count}, apply);
        EXPECT_GE(bound, exact * (1.0 - 1e-9)) << own;
        EXPECT_LE(bound, 1.1 * exact) << own;
    }
}

TEST(LargestEigenvalue, of_the_stiffest_part_is_not_changed_by_others)
{
    const auto springs = [](std::span<const Vec<2>> u, std::span<Vec<2>> out) {
        for (std::size_t i = 0; i < u.size(); ++i)
            out[i] = (i < 100 ? 5.0 + std::sin(static_cast<double>(i)) : 1.0) * u[i];
    };
    const std::vector<double> mass(300, 1.0);
    const double alone =
        bound_of_largest_eigenvalue<2>(std::span(mass).first(100), std::vector<Index>{0, 100}, springs);
    EXPECT_EQ(bound_of_largest_eigenvalue<2>(mass, std::vector<Index>{0, 100, 100, 300}, springs), alone);
    EXPECT_GE(alone, 5.999);
    EXPECT_LE(alone, 6.6);
}

TEST(LargestEigenvalue, of_nothing_is_none)
{
    const auto nothing = [](std::span<const Vec<2>>, std::span<Vec<2>> out) {
        for (Vec<2>& v : out) v.setZero();
    };
    EXPECT_EQ(bound_of_largest_eigenvalue<2>({}, std::vector<Index>{0}, nothing), 0.0);
    const std::vector<double> mass(3, 1.0);
    EXPECT_EQ(bound_of_largest_eigenvalue<2>(mass, std::vector<Index>{0, 0, 3}, nothing), 0.0);
}

} // namespace
} // namespace phyxel::largest_eigenvalue_test
