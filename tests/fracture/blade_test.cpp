// SPDX-License-Identifier: MIT
#include <phyxel/fracture/blade.h>

#include <phyxel/core/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace phyxel::blade_test {
namespace {

constexpr double spacing = 0.2;

template <int Dim>
double cube(const Vec<Dim>& x)
{
    return x.cwiseAbs().maxCoeff() - 1.0;
}

/// An upright blade in the plane x = 0.03, whose lower edge is at z = 0.
std::vector<Vec<3>> knife()
{
    return {Vec<3>(0.03, -2, 0), Vec<3>(0.03, 2, 0), Vec<3>(0.03, 2, 4), Vec<3>(0.03, -2, 4)};
}

template <int Dim>
struct Cutting {
    Blade<Dim> blade;
    BladeTrack<Dim> track = {};
    CrackSheets<Dim> cracks{spacing};
    int times = 0;

    /// To where the blade is moved by `way`, through a body that stays at rest.
    void move(const Vec<Dim>& way)
    {
        std::vector<std::optional<RimPlace<Dim>>> places;
        for (std::size_t k = 0; k < blade.rim().size(); ++k) {
            const Vec<Dim> place = blade.rim()[k] + way;
            if (cube<Dim>(place) < 1.5 * spacing)
                places.push_back(RimPlace<Dim>{place, blade.outwards()[k], blade.normals()[k]});
            else
                places.emplace_back();
        }
        if (!advance_blade<Dim>(blade, places, cube<Dim>, track, cracks)) return;
        find_fronts(cracks);
        ++times;
    }
};

TEST(Blade, that_goes_half_through_leaves_a_slit_in_its_plane_up_to_its_edge)
{
    Cutting<3> cutting{Blade<3>(knife(), spacing)};
    for (double height = 1.5; height >= 0.2; height -= 0.013) cutting.move(Vec<3>(0, 0, height));
    const CrackData<3>& data = cutting.cracks.data();
    for (const Vec<3>& node : data.nodes) EXPECT_NEAR(node[0], 0.03, 1e-14);
    EXPECT_NEAR(data.area, 2.0 * 0.8, 2.0 * 0.27 * spacing);
    EXPECT_LE(data.area, 2.0 * 0.8 + 0.01);
    ASSERT_FALSE(data.fronts.empty());
    double length = 0.0;
    for (const auto& front : data.fronts) {
        EXPECT_NEAR(data.nodes[front[0]][2], data.nodes[front[1]][2], 1e-12);
        EXPECT_NEAR(data.nodes[front[0]][2], 0.2, 0.27 * spacing);
        length += (data.nodes[front[0]] - data.nodes[front[1]]).norm();
    }
    EXPECT_NEAR(length, 2.0, spacing);
    // So few pieces that a slow blade costs no more than a fast one.
    EXPECT_LE(cutting.times, 1 + static_cast<int>(1.1 / (0.25 * spacing)));
}

TEST(Blade, that_goes_through_and_out_cuts_the_body_in_two)
{
    for (const double step : {0.01, 0.11, 0.6}) {
        Cutting<3> cutting{Blade<3>(knife(), spacing)};
        for (double height = 1.3; height >= -2.0; height -= step) {
            // As near as a fast blade comes by within a step.
            cutting.move(Vec<3>(0, 0, std::clamp(height, -1.29, 1.29)));
        }
        EXPECT_NEAR(cutting.cracks.data().area, 4.0, 0.01 * 4.0) << step;
        EXPECT_TRUE(cutting.cracks.data().fronts.empty()) << step;
    }
}

TEST(Blade, that_is_drawn_back_and_comes_again_goes_on_where_it_was)
{
    Cutting<3> cutting{Blade<3>(knife(), spacing)};
    const auto go = [&](double from, double to) {
        const double step = from < to ? 0.02 : -0.02;
        for (int n = 0; n <= std::lround((to - from) / step); ++n)
            cutting.move(Vec<3>(0, 0, from + n * step));
    };
    go(1.5, 0.2);
    const std::size_t faces = cutting.cracks.data().faces.size();
    go(0.2, 1.5);
    go(1.5, 0.3);
    EXPECT_EQ(cutting.cracks.data().faces.size(), faces);
    go(0.3, -0.4);
    EXPECT_NEAR(cutting.cracks.data().area, 2.0 * 1.4, 2.0 * 0.4 * spacing);
    for (const auto& front : cutting.cracks.data().fronts)
        EXPECT_NEAR(cutting.cracks.data().nodes[front[0]][2], -0.4, 0.27 * spacing);
}

TEST(Blade, that_moves_across_its_plane_does_not_cut)
{
    Cutting<3> cutting{Blade<3>(knife(), spacing)};
    for (double x = 0.0; x < 0.5; x += 0.02) cutting.move(Vec<3>(x, 0, 0.1));
    EXPECT_TRUE(cutting.cracks.is_empty());
}

TEST(Blade, that_swings_while_it_comes_down_leaves_one_sheet_along_its_way)
{
    Cutting<3> cutting{Blade<3>(knife(), spacing)};
    const auto swing = [](double height) { return 0.3 * std::sin(9.0 * height); };
    for (double height = 1.5; height >= 0.0; height -= 0.007) cutting.move(Vec<3>(swing(height), 0, height));
    const CrackData<3>& data = cutting.cracks.data();
    for (const Vec<3>& node : data.nodes) EXPECT_NEAR(node[0], 0.03 + swing(node[2]), 1e-12);
    for (const auto& front : data.fronts) EXPECT_NEAR(data.nodes[front[0]][2], 0.0, 0.27 * spacing);
    EXPECT_GT(data.area, 1.5 * 2.0);
}

TEST(Blade, that_is_narrower_than_the_body_leaves_a_slot)
{
    Cutting<3> cutting{Blade<3>(
        std::vector<Vec<3>>{Vec<3>(0, -0.5, 0), Vec<3>(0, 0.5, 0), Vec<3>(0, 0.5, 4), Vec<3>(0, -0.5, 4)},
        spacing)};
    for (double height = 1.5; height >= -0.3; height -= 0.02) cutting.move(Vec<3>(0, 0, height));
    // Up to a stride less deep, where it comes in and where it has got to.
    EXPECT_NEAR(cutting.cracks.data().area, 1.3, 2 * 0.27 * spacing);
    double length = 0.0;
    for (const auto& front : cutting.cracks.data().fronts)
        length += (cutting.cracks.data().nodes[front[0]] - cutting.cracks.data().nodes[front[1]]).norm();
    EXPECT_NEAR(length, 1.0 + 2.0 * 1.3, 2.0 * spacing);
}

TEST(Blade, in_the_plane_cuts_with_its_ends)
{
    Cutting<2> cutting{Blade<2>(std::vector<Vec<2>>{Vec<2>(0.03, 0), Vec<2>(0.03, 4)}, spacing)};
    for (double height = 1.5; height >= 0.2; height -= 0.013) cutting.move(Vec<2>(0, height));
    EXPECT_NEAR(cutting.cracks.data().area, 0.8, 0.27 * spacing);
    ASSERT_EQ(cutting.cracks.data().fronts.size(), 1u);
    EXPECT_NEAR(cutting.cracks.data().nodes[cutting.cracks.data().fronts[0][0]][1], 0.2, 0.27 * spacing);
}

TEST(Blade, that_is_far_too_long_for_the_spacing_is_refused)
{
    EXPECT_THROW(Blade<3>(knife(), 1e-6), InputError);
    EXPECT_THROW(Blade<2>(std::vector<Vec<2>>{Vec<2>(0, 0)}, 1.0), InputError);
}

} // namespace
} // namespace phyxel::blade_test
