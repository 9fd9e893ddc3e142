// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls_approximation.h>
#include <phyxel/approx/sph.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/render/shape_function_figures.h>
#include <phyxel/search/neighbor_search.h>

#include "xml_check.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <variant>
#include <vector>

namespace phyxel::shape_function_figures_test {
namespace {

constexpr int cells = 15;

const CrackSegment crack{.from = Vec<2>(0, 0.5), .to = Vec<2>(0.6, 0.5)};

/// 1 at the chosen node, 0 at all others: what makes a field of a shape function.
std::vector<double> unit_of(const NodeCloud& cloud)
{
    std::vector<double> nodal(cloud.nodes.size(), 0.0);
    nodal[cloud.chosen] = 1.0;
    return nodal;
}

void expect_near(const FieldGrid& field, const std::function<double(const Vec<2>&)>& expected)
{
    ASSERT_EQ(field.columns, cells + 1);
    ASSERT_EQ(field.rows, cells + 1);
    double largest = 0.0;
    for (int row = 0; row <= cells; ++row)
        for (int column = 0; column <= cells; ++column) {
            EXPECT_NEAR(field.at(column, row), expected(field.position(column, row)), 1e-12);
            largest = std::max(largest, field.at(column, row));
        }
    EXPECT_GT(largest, 0.05) << "nothing but zeros";
}

TEST(NodeCloud, surrounds_the_unit_square_and_chooses_the_nearest_node)
{
    const NodeCloud cloud = make_node_cloud({.near = Vec<2>(0.3, 0.8)});
    double nearest = 1.0;
    for (const Vec<2>& x : cloud.nodes) nearest = std::min(nearest, (x - Vec<2>(0.3, 0.8)).norm());
    EXPECT_EQ((cloud.nodes[cloud.chosen] - Vec<2>(0.3, 0.8)).norm(), nearest);
    EXPECT_DOUBLE_EQ(cloud.radii[0], 0.3);
    const auto inside = std::count_if(cloud.nodes.begin(), cloud.nodes.end(),
                                      [](const Vec<2>& x) { return x.minCoeff() >= 0 && x.maxCoeff() <= 1; });
    EXPECT_EQ(inside, 100);
    EXPECT_NE(cloud.nodes, make_node_cloud({.seed = 8}).nodes);
}

TEST(NodeFunctionField, of_moving_least_squares_is_that_of_the_library)
{
    const NodeCloud cloud = make_node_cloud();
    for (int order = 0; order <= 2; ++order) {
        const MlsOptions mls{.order = order};
        const MlsApproximation<2> library(cloud.nodes, cloud.radii, mls);
        expect_near(node_function_field(cloud, {NodeFunction::Mls, mls}, cells),
                    [&](const Vec<2>& x) { return library.value(unit_of(cloud), x); });
    }
}

TEST(NodeFunctionField, of_sph_is_that_of_the_library)
{
    const NodeCloud cloud = make_node_cloud();
    const double h = cloud.radii[0];
    const std::size_t count = cloud.nodes.size();
    const std::vector<double> mass(count, 1.0);
    std::vector<double> density(count), volume(count);
    const NeighborLists neighbors = find_neighbors<2, double>(cloud.nodes, h);
    const Poly6<2> kernel(h);
    compute_density<2>(cloud.nodes, mass, neighbors, kernel, std::span(density));
    compute_volumes(mass, density, volume);
    std::vector<Index> all(count);
    std::iota(all.begin(), all.end(), Index(0));
    const std::vector<double> f = unit_of(cloud);
    expect_near(node_function_field(cloud, {NodeFunction::Sph}, cells), [&](const Vec<2>& x) {
        return interpolate_at<2>(x, all, std::span<const Vec<2>>(cloud.nodes),
                                 std::span<const double>(volume), std::span<const double>(f), kernel);
    });
}

TEST(NodeFunctionField, beside_a_crack_is_that_of_the_library)
{
    const NodeCloud cloud = make_node_cloud({.near = Vec<2>(0.55, 0.6)});
    std::vector<Index> all(cloud.nodes.size());
    std::iota(all.begin(), all.end(), Index(0));
    const AnyMlsWeight<2> weight = make_mls_weight<2>(MlsWeight::Quartic);
    for (const CrackCriterion criterion : all_crack_criteria) {
        const CrackVisibility cracks({crack}, cloud.spacing, {.criterion = criterion});
        expect_near(node_function_field(cloud, {NodeFunction::Weight, {}, cracks}, cells),
                    [&](const Vec<2>& x) {
                        return cracks.weight(weight, x, cloud.nodes[cloud.chosen], cloud.radii[0]);
                    });
        expect_near(node_function_field(cloud, {NodeFunction::Mls, {}, cracks}, cells), [&](const Vec<2>& x) {
            return cracked_shape_functions(x, cloud.nodes, cloud.radii, all, cracks).value(unit_of(cloud));
        });
    }
    // And the crack is felt.
    const Vec<2> behind(0.45, 0.45);
    const CrackVisibility opaque({crack}, cloud.spacing, {.criterion = CrackCriterion::Visibility});
    EXPECT_GT(node_function(cloud, {NodeFunction::Weight}, behind), 0.05);
    EXPECT_EQ(node_function(cloud, {NodeFunction::Weight, {}, opaque}, behind), 0.0);
}

TEST(NodeFunctionField, is_the_same_on_any_number_of_threads)
{
    const NodeCloud cloud = make_node_cloud();
    const auto field_with = [&](int threads) {
        const ThreadLimit limit(threads);
        return node_function_field(cloud, {}, cells).values;
    };
    EXPECT_EQ(field_with(1), field_with(3));
}

TEST(NodeFunctionSection, is_a_line_of_the_field)
{
    const NodeCloud cloud = make_node_cloud();
    const std::vector<double> x = {0.3, 0.5, 0.9};
    const std::vector<double> section = node_function_section(cloud, {}, x, 0.5);
    for (std::size_t k = 0; k < x.size(); ++k)
        EXPECT_EQ(section[k], node_function(cloud, {}, Vec<2>(x[k], 0.5)));
}

TEST(ResampledCloud, has_new_nodes_beside_the_crack_and_keeps_the_chosen_one)
{
    const NodeCloud cloud = make_node_cloud({.support = 2.05});
    const CrackSegment through{.from = Vec<2>(-3, 0.5), .to = Vec<2>(0.6, 0.5)};
    const NodeCloud dense = resampled_cloud(cloud, CrackVisibility({through}, cloud.spacing));
    ASSERT_GT(dense.nodes.size(), cloud.nodes.size());
    EXPECT_EQ(dense.nodes.size(), dense.radii.size());
    EXPECT_EQ(dense.chosen, cloud.chosen);
    EXPECT_TRUE(std::equal(cloud.nodes.begin(), cloud.nodes.end(), dense.nodes.begin()));
    std::size_t near = 0;
    for (std::size_t i = cloud.nodes.size(); i < dense.nodes.size(); ++i)
        if (std::abs(dense.nodes[i][1] - 0.5) < 0.25 && dense.nodes[i][0] < 0.8) ++near;
    EXPECT_GT(2 * near, dense.nodes.size() - cloud.nodes.size()) << "most of them";
}

TEST(ShapeFigures, are_well_formed_and_small)
{
    for (const bool as_surface : {false, true}) {
        ShapeFigureOptions options;
        options.cells = 60;
        options.as_surface = as_surface;
        options.cloud.near = Vec<2>(0.55, 0.6);
        for (const Figure& figure : {shape_function_figure(options), crack_figure(crack, 1.0, options),
                                     resampling_figure(crack, 1.0, options)}) {
            EXPECT_EQ(figure.panels.size(), 6u);
            const std::string svg = to_svg(figure);
            EXPECT_EQ(xml_problem(svg), "");
            EXPECT_EQ(svg.find("nan"), std::string::npos);
            if (!as_surface) {
                EXPECT_LT(svg.size(), 200000u);
            }
        }
    }
}

TEST(ShapeFigures, refuse_options_out_of_range)
{
    EXPECT_THROW(make_node_cloud({.nodes_a_side = 1}), InputError);
    EXPECT_THROW(make_node_cloud({.nodes_a_side = 100000}), InputError);
    EXPECT_THROW(make_node_cloud({.support = -1}), InputError);
    EXPECT_THROW(make_node_cloud({.jitter = 3}), InputError);
    const NodeCloud cloud = make_node_cloud();
    EXPECT_THROW(node_function_field(cloud, {}, 0), InputError);
    EXPECT_THROW(node_function_field(cloud, {NodeFunction::Mls, {.order = 7}}, 4), InputError);
    const CrackVisibility cracks({crack}, cloud.spacing);
    EXPECT_THROW(node_function(cloud, {NodeFunction::Sph, {}, cracks}, Vec<2>(0, 0)), InputError);
    EXPECT_THROW(crack_figure({}), InputError) << "a crack without length";
}

} // namespace
} // namespace phyxel::shape_function_figures_test
