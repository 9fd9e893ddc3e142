// SPDX-License-Identifier: MIT
#include "point_sets.h"

#include <phyxel/core/error.h>
#include <phyxel/search/detail/cell_hash.h>
#include <phyxel/search/detail/flat_map.h>
#include <phyxel/search/hash_grid.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace phyxel::hash_grid_test {
namespace {

template <class Space>
using GridIn = HashGrid<Space::dim, typename Space::Real>;

template <int Dim, std::floating_point Real>
std::vector<Index> within(const HashGrid<Dim, Real>& grid, const std::type_identity_t<Vec<Dim, Real>>& x,
                          std::type_identity_t<Real> r)
{
    std::vector<Index> out = {12345};
    grid.radius(x, r, out);
    return out;
}

template <int Dim, std::floating_point Real>
std::vector<Index> within(const HashGrid<Dim, Real>& grid, const std::type_identity_t<Vec<Dim, Real>>& x,
                          std::type_identity_t<Real> r, CellRange range)
{
    std::vector<Index> out = {12345};
    grid.radius(x, r, range, out);
    return out;
}

template <class Space>
class HashGridSearch : public ::testing::Test {
};

TYPED_TEST_SUITE(HashGridSearch, AllSpaces);

template <class Space>
class HashGridContract : public ::testing::Test {
};

TYPED_TEST_SUITE(HashGridContract, TwoSpaces);

TYPED_TEST(HashGridSearch, finds_the_same_points_within_any_radius_as_brute_force)
{
    using Real = typename TypeParam::Real;
    for (const auto& set : hard_point_sets<TypeParam::dim, Real>(10000, 7)) {
        SCOPED_TRACE(set.name);
        for (const double edge : {0.01, 0.25, 5.0}) {
            const GridIn<TypeParam> grid(static_cast<Real>(edge), set.points);
            EXPECT_EQ(grid.size(), set.points.size());
            for (const auto& x : query_points(set, 10, 8)) {
                // Half an edge, an edge, and up to more cells than there are points.
                for (const double r : {0.0, 0.005, 0.01, 0.125, 0.25, 0.6, 10.0}) {
                    const auto radius = static_cast<Real>(r);
                    EXPECT_EQ(within(grid, x, radius), brute_force_radius(set.points, x, radius))
                        << edge << " " << r;
                }
            }
        }
    }
}

TYPED_TEST(HashGridSearch, two_cells_per_axis_suffice_up_to_half_an_edge_and_three_up_to_an_edge)
{
    using Real = typename TypeParam::Real;
    const Real edge = Real(0.25);
    for (const auto& set : hard_point_sets<TypeParam::dim, Real>(2000, 17)) {
        SCOPED_TRACE(set.name);
        const GridIn<TypeParam> grid(edge, set.points);
        for (const auto& x : query_points(set, 40, 18)) {
            EXPECT_EQ(within(grid, x, edge / 2, CellRange::Two), brute_force_radius(set.points, x, edge / 2));
            EXPECT_EQ(within(grid, x, edge / 2, CellRange::Three),
                      brute_force_radius(set.points, x, edge / 2));
            EXPECT_EQ(within(grid, x, edge, CellRange::Three), brute_force_radius(set.points, x, edge));
        }
    }
}

TYPED_TEST(HashGridContract, query_of_two_cells_is_refused_beyond_half_an_edge)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    // With cells as wide as the radius, the cells on the near side of x are −1 and 0; its neighbour in cell 1
    // would be missed [AW09, Alg. 5].
    const std::vector<Point> points = {Point::Constant(Real(0.25)),
                                       Point::Constant(Real(0.25)) + Point::Unit(0) * Real(0.875)};
    const GridIn<TypeParam> grid(1, points);
    EXPECT_EQ(grid.cell_of(points[1])[0], 1);
    EXPECT_EQ(within(grid, points[0], 1, CellRange::Three), (std::vector<Index>{0, 1}));

    const std::string message = input_error_of([&] { within(grid, points[0], 1, CellRange::Two); });
    EXPECT_NE(message.find("half of the cell edge"), std::string::npos) << message;
    EXPECT_THROW(within(grid, points[0], std::nextafter(Real(0.5), Real(1)), CellRange::Two), InputError);
    EXPECT_THROW(within(grid, points[0], std::nextafter(Real(1), Real(2)), CellRange::Three), InputError);
    EXPECT_NO_THROW(within(grid, points[0], Real(0.5), CellRange::Two));
}

TYPED_TEST(HashGridContract, cells_are_half_open_and_rounded_down)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    const GridIn<TypeParam> grid(Real(0.5));
    const auto cell = [&](double x) { return grid.cell_of(Point::Constant(static_cast<Real>(x)))[0]; };
    EXPECT_EQ(cell(0.0), 0);
    EXPECT_EQ(cell(0.25), 0);
    EXPECT_EQ(cell(0.5), 1);
    EXPECT_EQ(cell(-0.25), -1);
    EXPECT_EQ(cell(-0.5), -1);
    EXPECT_EQ(cell(-0.75), -2);
    EXPECT_EQ(cell(0x1p61), std::int64_t(1) << 62);
    EXPECT_EQ(cell(-0x1p61), -(std::int64_t(1) << 62));
    EXPECT_THROW(cell(0x1p62), InputError);
    EXPECT_THROW(cell(-0x1p62), InputError);
}

TYPED_TEST(HashGridSearch, ball_that_touches_points_on_cell_faces_finds_them)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    // Points at multiples of ½ edge, radii that are multiples of ½ edge: everything is exact in binary.
    const Real edge = Real(0.25);
    std::vector<Point> points;
    Rng rng(5);
    for (int i = 0; i < 300; ++i) {
        Point x;
        for (int k = 0; k < TypeParam::dim; ++k)
            x[k] = edge / 2 * (static_cast<Real>(rng.below(17)) - Real(8));
        points.push_back(x);
    }
    const GridIn<TypeParam> grid(edge, points);
    std::size_t touching = 0;
    for (const Point& x : points) {
        for (const Real r : {Real(0), edge / 2, edge, 3 * edge / 2, 2 * edge}) {
            const auto found = within(grid, x, r);
            EXPECT_EQ(found, brute_force_radius(points, x, r));
            for (const Index i : found)
                if (r > 0 && squared_distance<TypeParam::dim, Real>(points[i], x) == r * r) ++touching;
        }
        EXPECT_EQ(within(grid, x, edge / 2, CellRange::Two), brute_force_radius(points, x, edge / 2));
    }
    EXPECT_GT(touching, 0u);
}

TYPED_TEST(HashGridSearch, point_that_rounding_puts_on_the_rim_is_found_beyond_the_cells_of_its_ends)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    const Real eps = std::numeric_limits<Real>::epsilon();
    struct Case {
        Real cell_edge, r, x, p;
    };
    // The computed distance between x and p is r, while p lies
    const Case cases[] = {
        {1, Real(0.5), Real(0.5), -eps / 16}, // in the cell below the one of x − r = 0,
        {1, 1, 1 - eps / 2, 2},               // two cells above the one of x, although r = cell_edge,
        {1, 2, -1 - eps, 1},                  // in the cell above the one of x + r < 1,
        {eps / 256, 2, -2, eps},              // 256 cells above the one of x + r = 0,
        {eps / 256, 2, 2, -eps},              // 256 cells below the one of x − r = 0.
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(&c - cases);
        const Point x = Point::Unit(0) * c.x;
        const std::vector<Point> points = {Point::Unit(0) * c.p};
        ASSERT_EQ(squared_distance<TypeParam::dim>(points[0], x), c.r * c.r);
        const GridIn<TypeParam> grid(c.cell_edge, points);
        EXPECT_EQ(within(grid, x, c.r), std::vector<Index>{0});
        if (2 * c.r <= c.cell_edge) {
            EXPECT_EQ(within(grid, x, c.r, CellRange::Two), std::vector<Index>{0});
        }
        if (c.r <= c.cell_edge) {
            EXPECT_EQ(within(grid, x, c.r, CellRange::Three), std::vector<Index>{0});
        }
    }
}

TYPED_TEST(HashGridSearch, colliding_cells_of_a_tiny_table_give_no_duplicates)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    // A few points have a table of a few slots, in which 3^Dim and more cells are looked up.
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Rng rng(seed);
        std::vector<Point> points;
        const std::size_t count = 1 + rng.below(6);
        for (std::size_t i = 0; i < count; ++i)
            points.push_back(rng.point<TypeParam::dim>(-2, 2).template cast<Real>());
        const GridIn<TypeParam> grid(1, points);
        for (const Real r : {Real(0.5), Real(1)}) {
            const auto found = within(grid, points[0], r);
            EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
            EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
            EXPECT_EQ(found, brute_force_radius(points, points[0], r));
        }
    }
}

TYPED_TEST(HashGridSearch, behaves_like_a_map_under_random_insertions_moves_and_removals)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(seed);
        Rng rng(seed);
        GridIn<TypeParam> grid(Real(0.25));
        std::map<Index, Point> model;
        // Few ids, so that they come back; some of them far apart, so that they share slots.
        const auto some_id = [&] {
            return static_cast<Index>(rng.below(40)) * (seed % 2 ? 0x04000001u : 1u);
        };
        const auto some_point = [&]() -> Point {
            if (rng.below(4) == 0)
                return ((rng.point<TypeParam::dim>(-1, 1) * 4).array().floor() / 4).template cast<Real>();
            return rng.point<TypeParam::dim>(-1, 1).template cast<Real>();
        };
        for (int step = 0; step < 400; ++step) {
            const Index id = some_id();
            const Point x = some_point();
            const std::uint64_t action = rng.below(100);
            if (action < 40) {
                if (model.contains(id)) {
                    EXPECT_THROW(grid.insert(id, x), InputError);
                } else {
                    grid.insert(id, x);
                    model[id] = x;
                }
            } else if (action < 70) {
                if (!model.contains(id)) {
                    EXPECT_THROW(grid.move(id, x), InputError);
                } else {
                    // A short way, mostly within the cell, or a long one.
                    const Point to = rng.below(2) == 0 ? Point(model[id] + x * Real(0.01)) : x;
                    grid.move(id, to);
                    model[id] = to;
                }
            } else if (action < 98) {
                if (!model.contains(id)) {
                    EXPECT_THROW(grid.remove(id), InputError);
                } else {
                    grid.remove(id);
                    model.erase(id);
                }
            } else {
                grid.clear();
                model.clear();
            }
            ASSERT_EQ(grid.size(), model.size());
            ASSERT_EQ(grid.contains(id), model.contains(id));

            for (const Real r : {Real(0.125), Real(0.25), Real(0.9)}) {
                std::vector<Index> expected;
                for (const auto& [other, p] : model)
                    if (squared_distance<TypeParam::dim, Real>(p, x) <= r * r) expected.push_back(other);
                ASSERT_EQ(within(grid, x, r), expected) << "step " << step;
            }
        }
    }
}

TYPED_TEST(HashGridContract, results_do_not_depend_on_the_history_of_the_grid)
{
    using Real = typename TypeParam::Real;
    const auto set = hard_point_sets<TypeParam::dim, Real>(500, 27)[2];
    const std::size_t count = set.points.size();
    const GridIn<TypeParam> built(Real(0.25), set.points);

    GridIn<TypeParam> backwards(Real(0.25));
    for (std::size_t i = count; i-- > 0;) backwards.insert(static_cast<Index>(i), set.points[i]);

    GridIn<TypeParam> wandering(Real(0.25), std::vector(count + 50, TypeParam::Point::Zero().eval()));
    for (std::size_t i = 0; i < 50; ++i) wandering.remove(static_cast<Index>(count + i));
    for (std::size_t i = 0; i < count; ++i) wandering.move(static_cast<Index>(i), set.points[i]);

    GridIn<TypeParam> reused(Real(0.25), std::vector(3 * count, TypeParam::Point::Ones().eval()));
    reused.assign(set.points);

    for (const auto& x : query_points(set, 100, 28)) {
        const auto expected = within(built, x, Real(0.25));
        EXPECT_EQ(within(backwards, x, Real(0.25)), expected);
        EXPECT_EQ(within(wandering, x, Real(0.25)), expected);
        EXPECT_EQ(within(reused, x, Real(0.25)), expected);
    }
}

TYPED_TEST(HashGridContract, refused_changes_leave_the_grid_as_it_was)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    GridIn<TypeParam> grid(1, std::vector<Point>(3, Point::Zero()));
    Point bad = Point::Zero();
    for (const Real value :
         {TypeParam::nan, TypeParam::infinity, -TypeParam::infinity, std::numeric_limits<Real>::max()}) {
        bad[TypeParam::dim - 1] = value;
        EXPECT_THROW(grid.insert(7, bad), InputError);
        EXPECT_THROW(grid.move(0, bad), InputError);
        EXPECT_THROW(grid.assign(std::vector<Point>{Point::Ones(), bad}), InputError);
    }
    EXPECT_THROW(grid.insert(0, Point::Ones()), InputError);
    EXPECT_THROW(grid.remove(3), InputError);
    EXPECT_THROW(grid.move(3, Point::Ones()), InputError);
    EXPECT_EQ(grid.size(), 3u);
    EXPECT_FALSE(grid.contains(7));
    EXPECT_EQ(within(grid, Point::Zero(), Real(0)), (std::vector<Index>{0, 1, 2}));
}

TYPED_TEST(HashGridContract, refuses_points_that_are_not_finite_and_names_the_first)
{
    using Point = typename TypeParam::Point;
    for (const auto bad : {TypeParam::nan, TypeParam::infinity, -TypeParam::infinity}) {
        std::vector<Point> points(10, Point::Zero());
        points[9][0] = bad;
        points[6][TypeParam::dim - 1] = bad;
        const std::string message = input_error_of([&] { GridIn<TypeParam>(1, points); });
        EXPECT_NE(message.find("point 6 is "), std::string::npos) << message;
        const GridIn<TypeParam> grid(1);
        EXPECT_THROW(within(grid, points[6], 1), InputError);
    }
}

TYPED_TEST(HashGridContract, refuses_cell_edges_and_radii_that_are_none)
{
    using Point = typename TypeParam::Point;
    using Grid = GridIn<TypeParam>;
    for (const double edge : {0.0, -1.0})
        EXPECT_THROW(Grid(static_cast<typename TypeParam::Real>(edge)), InputError);
    EXPECT_THROW(Grid{TypeParam::nan}, InputError);
    EXPECT_THROW(Grid{TypeParam::infinity}, InputError);
    const Grid grid(1);
    EXPECT_THROW(within(grid, Point::Zero(), -1), InputError);
    EXPECT_THROW(within(grid, Point::Zero(), TypeParam::nan), InputError);
    EXPECT_THROW(within(grid, Point::Zero(), TypeParam::nan, CellRange::Two), InputError);
}

TYPED_TEST(HashGridContract, infinite_radius_and_far_away_queries_reach_every_point)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    const std::vector<Point> points = {Point::Zero(), Point::Constant(Real(1e15)),
                                       Point::Constant(Real(-1e15))};
    const GridIn<TypeParam> grid(Real(1e-3), points);
    const Point far = Point::Constant(std::numeric_limits<Real>::max());
    EXPECT_EQ(within(grid, far, TypeParam::infinity), (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(within(grid, far, Real(1)), std::vector<Index>{});
    EXPECT_EQ(within(grid, points[0], Real(1e16)), (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(within(grid, points[0], Real(1)), std::vector<Index>{0});
}

TYPED_TEST(HashGridSearch, distances_whose_squares_overflow_or_underflow_are_told_apart)
{
    using Real = typename TypeParam::Real;
    using Point = typename TypeParam::Point;
    for (const Real unit : {std::numeric_limits<Real>::max() / 16, std::numeric_limits<Real>::denorm_min()}) {
        SCOPED_TRACE(unit);
        std::vector<Point> points;
        for (const int i : {4, 2, 3, 1, 0}) points.push_back(Point::Unit(0) * (unit * static_cast<Real>(i)));
        const GridIn<TypeParam> grid(unit, points);
        EXPECT_EQ(within(grid, Point::Zero(), 2 * unit), (std::vector<Index>{1, 3, 4}));
        EXPECT_EQ(within(grid, Point::Zero(), unit, CellRange::Three), (std::vector<Index>{3, 4}));
        EXPECT_EQ(within(grid, Point::Zero(), Real(0), CellRange::Two), std::vector<Index>{4});
    }
}

TEST(CellHash, is_the_exclusive_or_of_the_products_with_primes)
{
    // Cell 3 has the number 6 without sign, cell −3 the number 5.
    EXPECT_EQ(detail::hash_cell<1>({3}), 6u * 73856093u);
    EXPECT_EQ(detail::hash_cell<1>({-3}), 5u * 73856093u);
    EXPECT_EQ(detail::hash_cell<3>({1, -1, 0}), 2u * 73856093u ^ 19349663u);
    EXPECT_EQ(detail::hash_cell<3>({0, 0, -1}), 83492791u);
}

TEST(CellHash, tells_apart_and_spreads_cells_that_lie_powers_of_two_apart_around_the_origin)
{
    const int bits = 13;
    for (const int exponent : {0, 5, 10, 13, 20, 30}) {
        SCOPED_TRACE(exponent);
        std::set<std::uint64_t> hashes;
        std::set<std::size_t> homes;
        for (std::int64_t i = -8; i < 8; ++i) {
            for (std::int64_t j = -8; j < 8; ++j) {
                for (std::int64_t k = -8; k < 8; ++k) {
                    const std::array<std::int64_t, 3> cell = {i << exponent, j << exponent, k << exponent};
                    hashes.insert(detail::hash_cell(cell));
                    homes.insert(detail::cell_home(cell, bits));
                    ASSERT_LT(detail::cell_home(cell, bits), std::size_t(1) << bits);
                }
            }
        }
        EXPECT_EQ(hashes.size(), 4096u);
        // 4096 random keys in 8192 slots have 8192 (1 − e^−½) = 3223 different homes.
        EXPECT_GT(homes.size(), 3100u);
    }
}

/// Puts many keys into the last slots of any table, so that their runs go over the end of it.
struct CrowdedHome {
    std::size_t operator()(int key, int bits) const
    {
        return (std::size_t(1) << bits) - 1 - static_cast<std::size_t>(key % 2);
    }
};

TEST(FlatMap, keeps_keys_apart_whose_runs_overlap_and_wrap_around)
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        Rng rng(seed);
        detail::FlatMap<int, int, CrowdedHome> map;
        std::map<int, int> model;
        for (int step = 0; step < 300; ++step) {
            const int key = static_cast<int>(rng.below(24));
            if (model.contains(key)) {
                map.erase(key);
                model.erase(key);
            } else {
                map.insert(key, step);
                model[key] = step;
            }
            ASSERT_EQ(map.size(), model.size());
            ASSERT_GE(map.slot_count(), 2 * map.size());
            for (int other = 0; other < 24; ++other) {
                const int* const value = map.find(other);
                ASSERT_EQ(value != nullptr, model.contains(other));
                if (value) {
                    ASSERT_EQ(*value, model[other]);
                }
            }
        }
    }
}

} // namespace
} // namespace phyxel::hash_grid_test
