// SPDX-License-Identifier: MIT
#include "fluid/fluid_support.h"

#include <phyxel/core/error.h>
#include <phyxel/fluid/emitter.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace phyxel::emitter_test {
namespace {

template <class T>
class Emitters : public testing::Test {
};
TYPED_TEST_SUITE(Emitters, FluidDimensions);

/// Along the diagonal of space, or along the last axis.
template <int Dim>
Vec<Dim> direction(bool is_oblique)
{
    return is_oblique ? Vec<Dim>(Vec<Dim>::Ones().normalized()) : Vec<Dim>(Vec<Dim>::Unit(Dim - 1));
}

template <int Dim>
double particle_volume()
{
    return model<Dim>().parts[0].particle_mass / 1000.0;
}

template <int Dim>
Emitter<Dim> emitter_of(const Shape<Dim>& shape, const Vec<Dim>& velocity)
{
    return Emitter<Dim>({.shape = shape, .velocity = velocity}, spacing, particle_volume<Dim>());
}

/// A disc with some thickness, across the velocity.
template <int Dim>
Shape<Dim> slab(double radius, const Vec<Dim>& along, double length = 4 * spacing)
{
    return Cylinder<Dim>{.from = Vec<Dim>::Zero(), .to = length * along, .radius = radius};
}

/// πr² of a disc, the length of a line in 2D.
template <int Dim>
double disc_area(double radius)
{
    return Dim == 3 ? std::numbers::pi * radius * radius : 2.0 * radius;
}

TYPED_TEST(Emitters, deliver_cross_section_times_speed_whatever_fits_in)
{
    constexpr int Dim = TypeParam::value;
    constexpr double speed = 1.5;
    for (const bool is_oblique : {false, true})
        for (const double radius : {0.8, 1.0, 1.7, 2.3, 3.0, 5.4, 10.2}) {
            const Vec<Dim> along = direction<Dim>(is_oblique);
            const Emitter<Dim> emitter = emitter_of<Dim>(slab<Dim>(radius * spacing, along), speed * along);
            // Long enough that a layer more or less does not count.
            std::vector<Vec<Dim>> places;
            double way = 0.0;
            for (double time = 0.01; time < 6.0; time += 0.01) {
                emitter.append_places(way, emitter.way(time), places);
                way = emitter.way(time);
            }
            const double delivered = static_cast<double>(places.size()) * particle_volume<Dim>();
            const double expected = disc_area<Dim>(radius * spacing) * way;
            EXPECT_NEAR(delivered / expected, 1.0, 0.01) << radius << (is_oblique ? " oblique" : "");
            EXPECT_NEAR(emitter.rate(), speed * disc_area<Dim>(radius * spacing), 0.005 * emitter.rate());
        }
}

TYPED_TEST(Emitters, a_box_is_filled_with_the_lattice_that_a_body_would_have)
{
    constexpr int Dim = TypeParam::value;
    const Box<Dim> box{Vec<Dim>::Zero(), Vec<Dim>::Constant(6 * spacing)};
    const Emitter<Dim> emitter = emitter_of<Dim>(box, direction<Dim>(false));
    EXPECT_EQ(emitter.column_count(), Dim == 3 ? 36u : 6u);
    std::vector<Vec<Dim>> places;
    emitter.append_places(Emitter<Dim>::nothing, 0.0, places);
    EXPECT_EQ(places.size(), Dim == 3 ? 216u : 36u);
    for (const Vec<Dim>& x : places) EXPECT_TRUE(box.contains(x)) << x.transpose();
}

TYPED_TEST(Emitters, sites_are_never_made_twice_and_none_is_left_out)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> along = direction<Dim>(true);
    const Emitter<Dim> emitter = emitter_of<Dim>(Sphere<Dim>{Vec<Dim>::Zero(), 4.3 * spacing}, 2.0 * along);
    std::vector<Vec<Dim>> at_once;
    emitter.append_places(Emitter<Dim>::nothing, emitter.way(0.1), at_once);
    std::vector<Vec<Dim>> bit_by_bit;
    double way = Emitter<Dim>::nothing;
    for (const double time : {0.0, 0.001, 0.02, 0.02, 0.0211, 0.07, 0.1}) {
        emitter.append_places(way, emitter.way(time), bit_by_bit);
        way = emitter.way(time);
    }
    EXPECT_EQ(bit_by_bit.size(), at_once.size());
    EXPECT_EQ(static_cast<double>(at_once.size()), emitter.particle_count(0.1));
}

TYPED_TEST(Emitters, a_velocity_that_changes_moves_the_lattice_as_far_as_its_integral)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> along = direction<Dim>(true);
    EmitterOptions<Dim> options{
        .shape = slab<Dim>(3.0 * spacing, along), .velocity = 2.0 * along, .start = 1.0};
    options.share = [](double time) { return std::min(1.0, 0.5 * (time - 1.0)); };
    const Emitter<Dim> emitter(options, spacing, particle_volume<Dim>());
    EXPECT_EQ(emitter.way(0.9), Emitter<Dim>::nothing);
    EXPECT_NEAR(emitter.way(1.5), 2.0 * 0.25 * 0.25, 1e-12);
    EXPECT_NEAR(emitter.way(1.50037), 2.0 * 0.25 * 0.50037 * 0.50037, 1e-12);
    EXPECT_NEAR(emitter.way(4.0), 2.0 * (1.0 + 1.0), 1e-9);
    EXPECT_NEAR(emitter.way(41.0), 2.0 * 39.0, 1e-9) << "also beyond what is known from the beginning";
    EXPECT_NEAR((emitter.velocity(1.5) - 0.25 * options.velocity).norm(), 0.0, 1e-12);
}

TYPED_TEST(Emitters, hold_particles_until_they_leave_the_shape)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> along = direction<Dim>(true);
    const Emitter<Dim> emitter = emitter_of<Dim>(slab<Dim>(3 * spacing, along), along);
    std::vector<Vec<Dim>> places;
    emitter.append_places(Emitter<Dim>::nothing, 0.0, places);
    ASSERT_FALSE(places.empty());
    for (const Vec<Dim>& x : places) {
        EXPECT_TRUE(emitter.holds(x));
        EXPECT_FALSE(emitter.holds(x + 4 * spacing * along));
    }
    EXPECT_FALSE(emitter.holds(Vec<Dim>::Constant(10.0)));
}

TYPED_TEST(Emitters, begin_and_end_when_they_are_told)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> along = direction<Dim>(false);
    const Emitter<Dim> emitter(
        {.shape = slab<Dim>(3 * spacing, along), .velocity = 2.0 * along, .start = 0.5, .stop = 1.0}, spacing,
        particle_volume<Dim>());
    EXPECT_LT(emitter.way(0.49), 0.0);
    EXPECT_EQ(emitter.particle_count(0.49), 0.0);
    EXPECT_DOUBLE_EQ(emitter.way(0.75), 0.5);
    EXPECT_DOUBLE_EQ(emitter.way(3.0), 1.0);
    EXPECT_FALSE(emitter.is_open(0.4));
    EXPECT_TRUE(emitter.is_open(0.5));
    EXPECT_FALSE(emitter.is_open(1.0));
}

TYPED_TEST(Emitters, refuse_what_cannot_flow)
{
    constexpr int Dim = TypeParam::value;
    const Vec<Dim> along = direction<Dim>(false);
    EXPECT_THROW(emitter_of<Dim>(slab<Dim>(spacing, along), Vec<Dim>::Zero()), InputError);
    EXPECT_THROW(emitter_of<Dim>(slab<Dim>(spacing, along),
                                 Vec<Dim>::Constant(std::numeric_limits<double>::quiet_NaN())),
                 InputError);
    EXPECT_THROW(emitter_of<Dim>(slab<Dim>(20000 * spacing, along), along), InputError);
    if (Dim == 3) {
        EXPECT_THROW(emitter_of<Dim>(slab<Dim>(1500 * spacing, along), along), InputError);
    }
    // So far away that a step along a column is lost in rounding.
    const Vec<Dim> far = Vec<Dim>::Constant(1e13);
    EXPECT_THROW(emitter_of<Dim>(Sphere<Dim>{far, 4 * spacing}, along), InputError);
}

} // namespace
} // namespace phyxel::emitter_test
