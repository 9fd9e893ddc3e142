// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/fracture/crack_sheets.h>

#include <phyxel/approx/mls_weights.h>
#include <phyxel/core/error.h>
#include <phyxel/core/rng.h>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace phyxel::crack_sheets_test {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// As if the body were everywhere.
template <int Dim>
double everywhere(const Vec<Dim>&)
{
    return -1.0;
}

/// The half plane y = `height` left of x = `tip`, in a body that ends far to the left and at |z| = 5.
template <int Dim>
CrackSheets<Dim> half_crack(double tip, double height, double spacing, const CrackOptions& options = {})
{
    CrackSheets<Dim> cracks(spacing, options);
    const double left = -4.0;
    if constexpr (Dim == 2) {
        const std::vector<Vec<2>> line = {Vec<2>(left, height), Vec<2>(tip, height)};
        draw_crack<2>(cracks, line, [](const Vec<2>& x) { return -3.9 - x[0]; });
    } else {
        const std::vector<Vec<3>> square = {Vec<3>(left, height, -4.0), Vec<3>(tip, height, -4.0),
                                            Vec<3>(tip, height, 4.0), Vec<3>(left, height, 4.0)};
        draw_crack<3>(cracks, square,
                      [](const Vec<3>& x) { return std::max(-3.9 - x[0], std::abs(x[2]) - 3.9); });
    }
    find_fronts(cracks);
    return cracks;
}

template <int Dim>
Vec<Dim> place(double x, double y)
{
    Vec<Dim> p = Vec<Dim>::Zero();
    p[0] = x;
    p[1] = y;
    return p;
}

/// The rows of V-C1: q, d_s over κ spacings, and the quartic weight by hand.
constexpr std::array<std::array<double, 3>, 11> rows = {{{0.3, 0.00, 0.651700},
                                                         {0.3, 0.25, 0.540838},
                                                         {0.3, 0.50, 0.241481},
                                                         {0.3, 0.75, 0.009326},
                                                         {0.5, 0.00, 0.312500},
                                                         {0.5, 0.25, 0.225052},
                                                         {0.5, 0.50, 0.050781},
                                                         {0.5, 0.75, 0.0},
                                                         {0.8, 0.00, 0.027200},
                                                         {0.8, 0.25, 0.009326},
                                                         {0.8, 0.50, 0.0}}};

template <int Dim>
void expect_weights_behind_a_crack()
{
    constexpr double spacing = 0.25, translucency = 2.0;
    const AnyMlsWeight<1> quartic = make_mls_weight<1>(MlsWeight::Quartic);
    for (const auto& [q, ratio, expected] : rows) {
        const CrackSheets<Dim> cracks =
            half_crack<Dim>(ratio * translucency * spacing, 0.5 * q, spacing, {.translucency = translucency});
        const double longer = cracks.lengthening(place<Dim>(0, q), place<Dim>(0, 0));
        EXPECT_NEAR(longer, ratio * ratio, 1e-14);
        EXPECT_NEAR(quartic.value(Vec<1>(q + longer), 1.0), expected, 5.1e-7);
        EXPECT_EQ(longer, cracks.lengthening(place<Dim>(0, 0), place<Dim>(0, q)));
    }
}

TEST(CrackSheets, weights_behind_a_crack_are_those_of_the_transparency_method_in_the_plane_and_in_space)
{
    expect_weights_behind_a_crack<2>();
    expect_weights_behind_a_crack<3>();
}

TEST(CrackSheets, from_a_translucency_behind_the_front_nothing_is_seen)
{
    for (const double behind : {0.999, 1.0, 1.5, 3.0}) {
        const double longer =
            half_crack<3>(0.25 * behind, 0.05, 0.25).lengthening(place<3>(0, 0.1), place<3>(0, 0));
        if (behind < 1.0)
            EXPECT_NEAR(longer, behind * behind, 1e-12);
        else
            EXPECT_EQ(longer, infinite);
    }
}

TEST(CrackSheets, with_the_visibility_criterion_what_is_behind_a_crack_is_not_seen_at_all)
{
    const CrackSheets<3> cracks = half_crack<3>(0.01, 0.05, 0.25, {.criterion = CrackCriterion::Visibility});
    EXPECT_EQ(cracks.lengthening(place<3>(0, 0.1), place<3>(0, 0)), infinite);
    EXPECT_EQ(cracks.lengthening(place<3>(0.02, 0.1), place<3>(0.02, 0)), 0.0);
}

TEST(CrackSheets, in_the_plane_they_lengthen_ways_as_straight_cracks_do)
{
    constexpr double spacing = 0.3;
    const std::vector<Vec<2>> line = {Vec<2>(-1.0, -0.4), Vec<2>(0.9, 0.5)};
    CrackSheets<2> cracks(spacing);
    draw_crack<2>(cracks, line, everywhere<2>);
    find_fronts(cracks);
    EXPECT_EQ(cracks.data().fronts.size(), 2u);
    const CrackVisibility straight({{.from = line[0], .to = line[1], .from_is_front = true}}, spacing);
    Rng rng(3);
    int met = 0;
    for (int n = 0; n < 20000; ++n) {
        const Vec<2> x = rng.point<2>(-1.2, 1.2), y = x + rng.point<2>(-0.5, 0.5);
        const double expected = straight.lengthening(x, y), found = cracks.lengthening(x, y);
        if (expected >= 1.0)
            EXPECT_EQ(found, infinite);
        else
            EXPECT_NEAR(found, expected, 1e-12);
        met += expected > 0.0 ? 1 : 0;
    }
    EXPECT_GT(met, 1000);
}

/// Waves in a sheet of many triangles.
CrackSheets<3> wavy_sheet(std::size_t count)
{
    CrackSheets<3> cracks(0.1);
    std::vector<std::vector<Index>> numbers(count + 1);
    for (std::size_t i = 0; i <= count; ++i)
        for (std::size_t j = 0; j <= count; ++j) {
            const double x = -1.0 + 2.0 * static_cast<double>(i) / static_cast<double>(count);
            const double y = -1.0 + 2.0 * static_cast<double>(j) / static_cast<double>(count);
            numbers[i].push_back(
                cracks.add_node(Vec<3>(x, y, 0.2 * std::sin(3.0 * x) * std::cos(4.0 * y)), -1.0));
        }
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < count; ++j) {
            cracks.add_face({numbers[i][j], numbers[i + 1][j], numbers[i][j + 1]}, 0);
            cracks.add_face({numbers[i + 1][j], numbers[i + 1][j + 1], numbers[i][j + 1]}, 0);
        }
    return cracks;
}

TEST(CrackSheets, nothing_slips_through_between_two_faces)
{
    const CrackSheets<3> cracks = wavy_sheet(20);
    Rng rng(7);
    const auto height = [](const Vec<3>& x) { return 0.2 * std::sin(3.0 * x[0]) * std::cos(4.0 * x[1]); };
    for (int n = 0; n < 20000; ++n) {
        // Through nodes and edges too, where coordinates of the sheet are met exactly.
        Vec<3> x = 0.9 * rng.point<3>(-1.0, 1.0);
        if (n % 2 == 0) x[0] = 0.1 * std::round(10.0 * x[0]);
        if (n % 4 < 2) x[1] = 0.1 * std::round(10.0 * x[1]);
        Vec<3> y = x;
        x[2] = height(x) + 0.05;
        y[2] = height(y) - 0.05;
        EXPECT_TRUE(cracks.is_crossed(x, y));
        y[2] = x[2] + 0.1;
        EXPECT_FALSE(cracks.is_crossed(x, y));
    }
}

TEST(CrackSheets, finding_faces_by_place_misses_none)
{
    const CrackSheets<3> cracks = wavy_sheet(12);
    Rng rng(11);
    for (int n = 0; n < 3000; ++n) {
        const Vec<3> x = rng.point<3>(-1.1, 1.1), y = x + rng.point<3>(-0.5, 0.5);
        std::vector<Index> expected, found;
        for (Index face = 0; face < cracks.data().faces.size(); ++face)
            if (crossing<3>(cracks.corners(face), x, y, 1e-10)) expected.push_back(face);
        cracks.for_each_crossing(x, y, [&](Index face, const Vec<3>&) { found.push_back(face); });
        EXPECT_EQ(found, expected);
    }
}

TEST(CrackSheets, a_phyxel_on_a_sheet_is_on_one_side_of_it)
{
    const CrackSheets<3> cracks = half_crack<3>(3.0, 0.0, 0.5);
    Rng rng(13);
    for (int n = 0; n < 1000; ++n) {
        const Vec<3> on(rng.uniform(-2.0, 2.0), 1e-12 * rng.uniform(-1.0, 1.0), rng.uniform(-2.0, 2.0));
        const Vec<3> above = on + Vec<3>(rng.uniform(-0.3, 0.3), 0.5, rng.uniform(-0.3, 0.3));
        const Vec<3> below = on - Vec<3>(rng.uniform(-0.3, 0.3), 0.5, rng.uniform(-0.3, 0.3));
        EXPECT_NE(cracks.is_crossed(on, above), cracks.is_crossed(on, below));
    }
}

TEST(CrackSheets, of_two_cracks_in_the_way_the_longer_detour_counts)
{
    CrackSheets<2> cracks(1.0);
    const auto is_right_of = [](const Vec<2>& x) { return -3.9 - x[0]; };
    draw_crack<2>(cracks, std::vector<Vec<2>>{Vec<2>(-4.0, 0.2), Vec<2>(0.5, 0.2)}, is_right_of);
    draw_crack<2>(cracks, std::vector<Vec<2>>{Vec<2>(-4.0, 0.4), Vec<2>(0.25, 0.4)}, is_right_of);
    find_fronts(cracks);
    EXPECT_NEAR(cracks.lengthening(Vec<2>(0, 0), Vec<2>(0, 0.6)), 0.25, 1e-14);
}

TEST(CrackSheets, that_are_saved_and_made_again_are_the_same)
{
    const CrackSheets<3> cracks = half_crack<3>(0.3, 0.1, 0.5);
    const CrackSheets<3> again(0.5, {}, cracks.data());
    EXPECT_EQ(again.data(), cracks.data());
    EXPECT_EQ(again.crack_count(), cracks.crack_count());
    Rng rng(17);
    for (int n = 0; n < 2000; ++n) {
        const Vec<3> x = rng.point<3>(-1.0, 1.0), y = x + rng.point<3>(-0.5, 0.5);
        EXPECT_EQ(again.lengthening(x, y), cracks.lengthening(x, y));
    }
}

TEST(CrackSheets, what_is_saved_is_looked_at_before_it_is_believed)
{
    const CrackData<3> good = half_crack<3>(0.3, 0.1, 0.5).data();
    const auto refuses = [&](const auto& spoil) {
        CrackData<3> data = good;
        spoil(data);
        EXPECT_THROW(CrackSheets<3>(0.5, {}, data), InputError);
    };
    refuses([](CrackData<3>& data) { data.faces[3][1] = 1000000; });
    refuses([](CrackData<3>& data) { data.fronts.at(0)[0] = 1000000; });
    refuses([](CrackData<3>& data) { data.nodes[2][0] = std::nan(""); });
    refuses([](CrackData<3>& data) { data.crack_of_face.pop_back(); });
    refuses([](CrackData<3>& data) { data.area = -1.0; });
    EXPECT_THROW(CrackSheets<3>(0.0), InputError);
    EXPECT_THROW(CrackSheets<3>(1.0, {.translucency = -1.0}), InputError);
}

} // namespace
} // namespace phyxel::crack_sheets_test
