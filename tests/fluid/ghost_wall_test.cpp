// SPDX-License-Identifier: MIT
#include <phyxel/fluid/ghost_wall.h>

#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>
#include <phyxel/fluid/wall_kernel.h>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <type_traits>

namespace phyxel::ghost_wall_test {
namespace {

constexpr double a = 0.02;      // spacing of the particles
constexpr double support = 2.6; // in spacings
constexpr double s = 0.5 * a;   // of the ghosts
static_assert(GhostWall<3>::ghost_spacing_ratio == 0.5);

template <int Dim>
GhostWall<Dim> wall_of(const Shape<Dim>& shape, double ratio = support)
{
    return GhostWall<Dim>(surface_points(shape, s), ratio, a);
}

/// ω_b at distance r, from the table of the kernel.
template <int Dim>
double kernel_value(const GhostKernel<Dim>& kernel, double r)
{
    const double h = support * a;
    const double place = r * r / (h * h) * kernel.entries_per_square();
    const auto k = static_cast<std::size_t>(place);
    if (k + 1 >= kernel.table().size()) return 0.0;
    const auto& entry = kernel.table()[k];
    return (entry.value + (place - static_cast<double>(k)) * entry.value_step) / std::pow(h, Dim);
}

/// ∫ ω_b over the solid, cell by cell; cells at the surface count by how much of them is inside.
template <int Dim>
double volume_integral(const GhostKernel<Dim>& kernel, const Shape<Dim>& shape, const Vec<Dim>& x)
{
    const double h = support * a;
    const double edge = Dim == 2 ? a / 64 : a / 20;
    const int reach = static_cast<int>(std::ceil(h / edge));
    double sum = 0.0;
    for (int k = Dim == 3 ? -reach : 0; k <= (Dim == 3 ? reach : 0); ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                Vec<Dim> y;
                y[0] = (i + 0.5) * edge;
                y[1] = (j + 0.5) * edge;
                if constexpr (Dim == 3) y[2] = (k + 0.5) * edge;
                const double omega = kernel_value(kernel, y.norm());
                if (omega == 0.0) continue;
                sum += omega * std::clamp(0.5 - shape.signed_distance(x + y) / edge, 0.0, 1.0);
            }
    return sum * std::pow(edge, Dim);
}

template <class T>
class GhostWalls : public testing::Test {
};
template <int D>
using Dimension = std::integral_constant<int, D>;
using Dimensions = testing::Types<Dimension<2>, Dimension<3>>;
TYPED_TEST_SUITE(GhostWalls, Dimensions);

/// A block much thicker than the support whose upper face goes through the origin.
template <int Dim>
Shape<Dim> ground()
{
    Box<Dim> box{Vec<Dim>::Constant(-8 * a), Vec<Dim>::Constant(8 * a)};
    box.max[Dim - 1] = 0.0;
    return Shape<Dim>(box);
}

template <int Dim>
Mat<Dim> turn(double angle)
{
    if constexpr (Dim == 2)
        return rotation_matrix(Vec<1>(angle));
    else
        return rotation_matrix(Vec<3>(angle, 0.7 * angle, 0.4 * angle));
}

TYPED_TEST(GhostWalls, flat_wall_of_ghosts_has_the_share_of_a_lattice)
{
    constexpr int Dim = TypeParam::value;
    for (const double ratio : {2.0, 2.6, 4.0}) {
        const WallKernel<Dim> lattice(ratio);
        for (const double angle : {0.0, 0.1, 0.35, 0.6}) {
            const Mat<Dim> rotation = turn<Dim>(angle);
            const GhostWall<Dim> wall = wall_of(ground<Dim>().transformed({.rotation = rotation}), ratio);
            Rng rng(7);
            for (const double d : {0.5, 0.6, 0.8, 1.0, 1.5, 2.0, 2.4, 3.0})
                for (int trial = 0; trial < 50; ++trial) {
                    Vec<Dim> X = rng.template point<Dim>(-2 * a, 2 * a);
                    X[Dim - 1] = d * a;
                    const WallIntegral<Dim> there = wall.at(rotation * X);
                    EXPECT_NEAR(there.share, lattice.at(d * a, ratio * a).share, d < 0.55 ? 0.003 : 0.0015)
                        << "distance " << d << ", angle " << angle << ", support " << ratio;
                    if (there.share > 0.001) {
                        EXPECT_NEAR(there.distance, d * a, 0.06 * a);
                    }
                    const Vec<Dim> push = lattice.at(d * a, ratio * a).slope * rotation.col(Dim - 1);
                    EXPECT_LT((there.push - push).norm(), 0.02 * lattice.at(0.5 * a, ratio * a).slope)
                        << "distance " << d << ", angle " << angle << ", support " << ratio;
                }
        }
    }
}

TYPED_TEST(GhostWalls, a_lattice_that_fills_a_tank_has_the_rest_density_up_to_the_walls)
{
    // Walls, edges and corners seen from within, the tank standing straight and turned.
    constexpr int Dim = TypeParam::value;
    constexpr int n = 10;
    const CubicSpline<Dim> kernel(support * a);
    const auto lattice_sum = [&](const auto& is_there) {
        double sum = 0.0;
        for (int k = Dim == 3 ? -3 : 0; k <= (Dim == 3 ? 3 : 0); ++k)
            for (int j = -3; j <= 3; ++j)
                for (int i = -3; i <= 3; ++i)
                    if (is_there(std::array{i, j, k}))
                        sum += kernel.value(a * std::sqrt(double(i * i + j * j + k * k)));
        return sum;
    };
    const double whole = lattice_sum([](const auto&) { return true; });
    const Shape<Dim> hollow(Box<Dim>{Vec<Dim>::Zero(), Vec<Dim>::Constant(n * a)});
    const Shape<Dim> block(Box<Dim>{Vec<Dim>::Constant(-4 * a), Vec<Dim>::Constant((n + 4) * a)});
    for (const double angle : {0.0, 0.3, 0.7}) {
        const Mat<Dim> rotation = turn<Dim>(angle);
        const GhostWall<Dim> tank =
            wall_of(subtract<Dim>({block, hollow}).transformed({.rotation = rotation}));
        double squares = 0.0;
        int count = 0;
        for (int particle = 0; particle < (Dim == 3 ? n * n * n : n * n); ++particle) {
            const std::array site = {particle % n, particle / n % n, particle / n / n};
            const double seen = lattice_sum([&](const std::array<int, 3>& offset) {
                for (std::size_t k = 0; k < Dim; ++k)
                    if (site[k] + offset[k] < 0 || site[k] + offset[k] >= n) return false;
                return true;
            });
            Vec<Dim> X;
            for (int k = 0; k < Dim; ++k) X[k] = (site[static_cast<std::size_t>(k)] + 0.5) * a;
            const double error = seen / whole + tank.at(rotation * X).share - 1.0;
            EXPECT_NEAR(error, 0.0, 0.009) << (X / a).transpose() << ", turned by " << angle;
            if (seen < 0.9999 * whole) {
                squares += error * error;
                ++count;
            }
        }
        EXPECT_LT(std::sqrt(squares / count), 0.0012) << "turned by " << angle;
    }
}

TEST(GhostWall, share_of_a_closed_shape_is_the_integral_of_the_kernel_over_it)
{
    const auto expect_integral = [](const auto& shape, const auto& places, double tolerance) {
        constexpr int Dim = std::decay_t<decltype(places[0])>::RowsAtCompileTime;
        const GhostKernel<Dim> kernel(support);
        const GhostWall<Dim> wall = wall_of<Dim>(shape);
        for (const Vec<Dim>& x : places) {
            ASSERT_GE(shape.signed_distance(x), 0.499 * a) << x.transpose() / a;
            EXPECT_NEAR(wall.at(x).share, volume_integral<Dim>(kernel, shape, x), tolerance)
                << (x / a).transpose() << ", " << shape.signed_distance(x) / a << " spacings away";
        }
    };
    using Places2 = std::vector<Vec<2>>;
    using Places3 = std::vector<Vec<3>>;
    const auto in_spacings = [](auto places) {
        for (auto& x : places) x *= a;
        return places;
    };

    // Round and small: a ball of two spacings.
    const Shape<3> ball(Sphere<3>{{0, 0, 0}, 2 * a});
    expect_integral(ball, in_spacings(Places3{{2.5, 0, 0}, {1.5, 1.5, 1.5}, {0.3, -2.0, 1.7}, {0, 0, 3.5}}),
                    0.004);
    const Shape<2> disc(Sphere<2>{{0, 0}, 2 * a});
    expect_integral(disc, in_spacings(Places2{{2.5, 0}, {1.9, 1.8}, {0.3, -3.0}}), 0.004);

    // Before a face, an edge and a corner of a box, and in the inner corner of a trough.
    const Shape<3> box(Box<3>{{-6 * a, -6 * a, -6 * a}, {0, 0, 0}});
    expect_integral(box,
                    in_spacings(Places3{
                        {-3, -3.2, 0.5}, {0.5, -3, 0.0}, {0.4, -3.1, 0.4}, {0.3, 0.3, 0.3}, {1, 0.2, -0.1}}),
                    0.004);
    const Shape<3> trough = subtract<3>({Shape<3>(Box<3>{{-4 * a, -4 * a, -4 * a}, {6 * a, 6 * a, 6 * a}}),
                                         Shape<3>(Box<3>{{0, 0, 0}, {7 * a, 7 * a, 7 * a}})});
    expect_integral(trough,
                    in_spacings(Places3{{0.5, 0.5, 0.5}, {0.5, 0.5, 3.0}, {0.5, 3.1, 3.0}, {1.5, 0.5, 0.6}}),
                    0.006);

    // Wedge of 10 degrees, beside it and before its edge.
    const double angle = std::numbers::pi / 36;
    const auto wedge = intersect<2>(
        {Shape<2>(Box<2>{{-20 * a, 0}, {20 * a, 20 * a}}).transformed({.rotation = turn<2>(-angle)}),
         Shape<2>(Box<2>{{-20 * a, -20 * a}, {20 * a, 0}}).transformed({.rotation = turn<2>(angle)}),
         Shape<2>(Box<2>{{0, -5 * a}, {10 * a, 5 * a}})});
    expect_integral(
        wedge, in_spacings(Places2{{-0.5, 0}, {-0.5, 0.5}, {0.5, 0.55}, {1.5, -0.7}, {4, 0.9}, {-1.2, 0.1}}),
        0.004);

    // A plate one spacing thick: half of what is behind it is missing again.
    const Shape<3> plate(Box<3>{{-5 * a, -5 * a, -a}, {5 * a, 5 * a, 0}});
    expect_integral(
        plate, in_spacings(Places3{{0.1, 0.2, 0.5}, {0.4, 0.2, -1.5}, {0.3, 0.3, 1.2}, {5.5, 0.3, -0.5}}),
        0.004);
    const Shape<2> thin(Box<2>{{-5 * a, -0.3 * a}, {5 * a, 0}});
    expect_integral(thin, in_spacings(Places2{{0.1, 0.5}, {0.4, -0.8}, {5.5, 0.0}}), 0.004);
}

TYPED_TEST(GhostWalls, push_is_minus_the_gradient_of_share)
{
    constexpr int Dim = TypeParam::value;
    Box<Dim> corner{Vec<Dim>::Constant(-6 * a), Vec<Dim>::Zero()};
    const Shape<Dim> ball(Sphere<Dim>{Vec<Dim>::Constant(0.3 * a), 2.2 * a});
    const double largest = WallKernel<Dim>(support).at(0.5 * a, support * a).slope;
    for (const Shape<Dim>& shape : {Shape<Dim>(corner), ball, unite<Dim>({Shape<Dim>(corner), ball})}) {
        const GhostWall<Dim> wall = wall_of(shape);
        Rng rng(3);
        int tested = 0;
        while (tested < 100) {
            const Vec<Dim> X = rng.template point<Dim>(-4 * a, 4 * a);
            if (shape.signed_distance(X) < 0.65 * a) continue;
            ++tested;
            const double step = 0.1 * a;
            Vec<Dim> slope;
            for (int k = 0; k < Dim; ++k)
                slope[k] = (wall.at(X - step * Vec<Dim>::Unit(k)).share -
                            wall.at(X + step * Vec<Dim>::Unit(k)).share) /
                           (2 * step);
            EXPECT_LT((wall.at(X).push - slope).norm(), 0.03 * largest) << (X / a).transpose();
        }
    }
}

TYPED_TEST(GhostWalls, a_sheet_is_a_wall_from_both_sides)
{
    constexpr int Dim = TypeParam::value;
    SurfacePoints<Dim> sheet;
    sheet.is_sheet = true;
    for (int i = -10; i <= 10; ++i)
        for (int j = Dim == 3 ? -10 : 0; j <= (Dim == 3 ? 10 : 0); ++j) {
            Vec<Dim> x = Vec<Dim>::Zero();
            x[0] = i * s;
            if constexpr (Dim == 3) x[1] = j * s;
            sheet.position.push_back(x);
            // Some of them face the other way: it must not matter.
            sheet.area.push_back((i + j) % 3 == 0 ? -std::pow(s, Dim - 1) * Vec<Dim>::Unit(Dim - 1)
                                                  : std::pow(s, Dim - 1) * Vec<Dim>::Unit(Dim - 1));
        }
    const GhostWall<Dim> wall(sheet, support, a);
    const WallKernel<Dim> lattice(support);
    for (const double d : {-2.0, -1.0, -0.5, 0.5, 0.7, 1.5}) {
        Vec<Dim> X = Vec<Dim>::Constant(0.3 * a);
        X[Dim - 1] = d * a;
        EXPECT_NEAR(wall.at(X).share, lattice.at(std::abs(d) * a, support * a).share, 0.002) << d;
        EXPECT_NEAR(wall.at(X).push[Dim - 1],
                    std::copysign(lattice.at(std::abs(d) * a, support * a).slope, d),
                    0.02 * lattice.at(0.5 * a, support * a).slope)
            << d;
    }
}

TYPED_TEST(GhostWalls, particles_too_near_or_inside_are_pushed_out_like_those_at_the_wall)
{
    constexpr int Dim = TypeParam::value;
    const GhostWall<Dim> wall = wall_of(ground<Dim>());
    const WallKernel<Dim> lattice(support);
    Rng rng(9);
    for (const double d : {-0.3, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4})
        for (int trial = 0; trial < 30; ++trial) {
            Vec<Dim> X = rng.template point<Dim>(-2 * a, 2 * a);
            X[Dim - 1] = d * a;
            const WallIntegral<Dim> there = wall.at(X);
            EXPECT_NEAR(there.share, lattice.at(d * a, support * a).share, 0.08) << d;
            EXPECT_GT(there.push[Dim - 1], 0.8 * lattice.at(0.5 * a, support * a).slope) << d;
        }
    Vec<Dim> deep = Vec<Dim>::Constant(-a);
    EXPECT_GT(wall.at(deep).share, 0.7);
    EXPECT_GT(wall.at(deep).push[Dim - 1], 0.0);
}

TYPED_TEST(GhostWalls, uniform_pressure_moves_no_closed_body)
{
    // The force of a uniform pressure is −p Σ push over places all around and within, which vanishes as the
    // areas of the ghosts do, but for the places next to the surface where the push is continued.
    constexpr int Dim = TypeParam::value;
    Box<Dim> box{Vec<Dim>::Constant(-1.7 * a), Vec<Dim>::Constant(1.3 * a)};
    const Shape<Dim> shape =
        unite<Dim>({Shape<Dim>(box), Shape<Dim>(Sphere<Dim>{Vec<Dim>::Constant(a), 1.2 * a})});
    const GhostWall<Dim> wall = wall_of(shape);
    Vec<Dim> sum = Vec<Dim>::Zero();
    double magnitude = 0.0;
    const int n = 24;
    for (int k = Dim == 3 ? -n : 0; k <= (Dim == 3 ? n : 0); ++k)
        for (int j = -n; j <= n; ++j)
            for (int i = -n; i <= n; ++i) {
                Vec<Dim> X;
                X[0] = i * 0.25 * a;
                X[1] = j * 0.25 * a;
                if constexpr (Dim == 3) X[2] = k * 0.25 * a;
                const Vec<Dim> push = wall.at(X).push;
                sum += push;
                magnitude += push.norm();
            }
    EXPECT_LT(sum.norm(), 0.005 * magnitude);
}

TYPED_TEST(GhostWalls, smaller_particles_see_the_same_wall_at_their_own_scale)
{
    constexpr int Dim = TypeParam::value;
    const SurfacePoints<Dim> fine = surface_points(ground<Dim>(), 0.5 * s);
    const GhostWall<Dim> wall(fine, support, a);
    const WallKernel<Dim> lattice(support);
    for (const double scale : {0.5, 0.7, 1.0})
        for (const double d : {0.5, 1.0, 1.5}) {
            Vec<Dim> X = Vec<Dim>::Constant(0.37 * a);
            X[Dim - 1] = d * scale * a;
            EXPECT_NEAR(wall.at(X, scale).share, lattice.at(d * a, support * a).share, 0.004)
                << scale << " " << d;
            EXPECT_NEAR(wall.at(X, scale).push[Dim - 1] * scale, lattice.at(d * a, support * a).slope,
                        0.02 * lattice.at(0.5 * a, support * a).slope);
        }
}

TEST(GhostWall, far_away_and_nowhere_there_is_nothing)
{
    const GhostWall<3> wall = wall_of(ground<3>());
    for (const Vec<3>& X :
         {Vec<3>(0, 0, 1), Vec<3>(0, 0, 2.2 * a), Vec<3>(1e300, 0, 0), Vec<3>(std::nan(""), 0, 0),
          Vec<3>(0, 0, std::numeric_limits<double>::infinity())}) {
        EXPECT_EQ(wall.at(X).share, 0.0);
        EXPECT_TRUE(wall.at(X).push.isZero(0.0));
        EXPECT_EQ(wall.at(X).distance, std::numeric_limits<double>::infinity());
    }
    const GhostWall<3> nothing(SurfacePoints<3>{}, support, a);
    EXPECT_EQ(nothing.at(Vec<3>::Zero()).share, 0.0);
    EXPECT_EQ(nothing.ghost_count(), 0u);
}

TYPED_TEST(GhostWalls, a_moved_wall_is_asked_where_it_was_at_rest)
{
    // Ghosts stay in the frame of the solid: x goes there, the push comes back. The same as ghosts of the
    // solid where it is, but for the places of the ghosts.
    constexpr int Dim = TypeParam::value;
    Box<Dim> box{Vec<Dim>::Constant(-5 * a), Vec<Dim>::Constant(a)};
    const Shape<Dim> shape(box);
    const Pose<Dim> pose{turn<Dim>(0.4), Vec<Dim>::Constant(3 * a)};
    const GhostWall<Dim> rest = wall_of(shape);
    const GhostWall<Dim> moved =
        wall_of(shape.transformed({.rotation = pose.rotation, .translation = pose.translation}));
    const double largest = WallKernel<Dim>(support).at(0.5 * a, support * a).slope;
    Rng rng(21);
    for (int tested = 0; tested < 100;) {
        const Vec<Dim> X = rng.template point<Dim>(-7 * a, 3 * a);
        const double distance = shape.signed_distance(X);
        if (distance < 0.5 * a || distance > 2 * a) continue;
        ++tested;
        const WallIntegral<Dim> there = moved.at(pose.apply(X));
        EXPECT_NEAR(rest.at(X).share, there.share, 0.005);
        EXPECT_LT((pose.rotation * rest.at(X).push - there.push).norm(), 0.03 * largest);
    }
}

TEST(GhostWall, a_wall_far_from_the_origin_is_as_exact_as_one_near_it)
{
    const Vec<3> far(1000, -2000, 500);
    const Shape<3> there = ground<3>().transformed({.translation = far});
    const GhostWall<3> wall = wall_of(there), near = wall_of(ground<3>());
    for (const double d : {0.5, 1.0, 1.7}) {
        const Vec<3> X(0.2 * a, 0.3 * a, d * a);
        EXPECT_NEAR(wall.at(far + X).share, near.at(X).share, 1e-5);
    }
}

TEST(GhostWall, a_kernel_that_solids_share_gives_the_bits_of_one_of_their_own)
{
    const SurfacePoints<2> points = surface_points(ground<2>(), s);
    const GhostWall<2> own(points, support, a), shared(points, GhostKernel<2>(support), support, a);
    const Vec<2> X(0.2 * a, 0.7 * a);
    EXPECT_EQ(own.at(X).share, shared.at(X).share);
    EXPECT_EQ(own.at(X).push, shared.at(X).push);
}

TEST(GhostWall, what_makes_no_wall_is_refused)
{
    const SurfacePoints<3> points = surface_points(ground<3>(), s);
    EXPECT_THROW(GhostWall<3>(points, support, 0.0), InputError);
    EXPECT_THROW(GhostWall<3>(points, 1.0, a), InputError);
    EXPECT_THROW(GhostWall<3>(points, std::nan(""), a), InputError);
    EXPECT_THROW(GhostWall<3>(points, support, 1e-12), InputError);
    SurfacePoints<3> broken = points;
    broken.area[5][1] = std::nan("");
    EXPECT_THROW(GhostWall<3>(broken, support, a), InputError);
}

} // namespace
} // namespace phyxel::ghost_wall_test
