// SPDX-License-Identifier: MIT
#include <phyxel/search/neighbor_search.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>

#include "support/clouds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace phyxel::neighbor_search_test {
namespace {

/// Distance as the search computes it, so that points exactly on the rim agree too.
template <int Dim, class Real>
Real squared_distance(const Vec<Dim, Real>& a, const Vec<Dim, Real>& b, const PeriodicBox<Dim, Real>& box)
{
    const Vec<Dim, Real> d = box.difference(box.wrap(a), box.wrap(b));
    Real sum = d[0] * d[0];
    for (int k = 1; k < Dim; ++k) sum = std::fma(d[k], d[k], sum);
    return sum;
}

template <int Dim, class Real>
using Points = std::vector<Vec<Dim, Real>>;

using Lists = std::vector<std::vector<Index>>;

/// All pairs.
template <int Dim, class Real>
Lists brute_force(const Points<Dim, Real>& points, const std::vector<Real>& radii, RadiusRule rule,
                  const PeriodicBox<Dim, double>& box)
{
    const PeriodicBox<Dim, Real> real_box{box.min.template cast<Real>(), box.length.template cast<Real>()};
    Lists lists(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < points.size(); ++j) {
            if (i == j) continue;
            const Real r = rule == RadiusRule::Own ? radii[i] : std::max(radii[i], radii[j]);
            if (squared_distance<Dim, Real>(points[i], points[j], real_box) <= r * r)
                lists[i].push_back(static_cast<Index>(j));
        }
    }
    return lists;
}

Lists unpack(const NeighborLists& lists)
{
    Lists result(lists.size());
    for (std::size_t i = 0; i < lists.size(); ++i) result[i].assign(lists.of(i).begin(), lists.of(i).end());
    return result;
}

template <int Dim, class Real>
void expect_brute_force(const Points<Dim, Real>& points, Real radius,
                        const PeriodicBox<Dim, double>& box = {})
{
    const std::vector<Real> radii(points.size(), radius);
    const Lists expected = brute_force<Dim, Real>(points, radii, RadiusRule::Own, box);
    EXPECT_EQ(unpack(find_neighbors<Dim, Real>(points, radius, box)), expected);
    for (RadiusRule rule : {RadiusRule::Own, RadiusRule::Larger})
        EXPECT_EQ(unpack(find_neighbors<Dim, Real>(points, radii, rule, box)), expected);
}

template <int Dim, class Real>
Points<Dim, Real> clustered_cloud(std::size_t count, std::uint64_t seed)
{
    Rng rng(seed);
    Points<Dim, Real> points;
    Vec<Dim> center = rng.point<Dim>(-1, 1);
    for (std::size_t i = 0; i < count; ++i) {
        if (i % 40 == 0) center = rng.point<Dim>(-1, 1);
        Vec<Dim> x = center;
        for (int k = 0; k < Dim; ++k) x[k] += 0.02 * rng.normal();
        points.push_back(x.template cast<Real>());
    }
    return points;
}

template <class T>
class SearchIn : public testing::Test {
};

template <int D, class R>
struct Space {
    static constexpr int dim = D;
    using Real = R;
};
using Spaces = testing::Types<Space<1, float>, Space<2, float>, Space<3, float>, Space<1, double>,
                              Space<2, double>, Space<3, double>>;
TYPED_TEST_SUITE(SearchIn, Spaces);

TYPED_TEST(SearchIn, uniform_points_have_the_neighbours_of_brute_force)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    for (double radius : {0.01, 0.1, 0.35, 3.0})
        expect_brute_force<Dim, Real>(random_cloud<Dim, Real>({.count = 400, .seed = 3, .low = -1}),
                                      static_cast<Real>(radius));
}

TYPED_TEST(SearchIn, clustered_points_have_the_neighbours_of_brute_force)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    expect_brute_force<Dim, Real>(clustered_cloud<Dim, Real>(600, 5), Real(0.05));
}

TYPED_TEST(SearchIn, coplanar_collinear_duplicated_and_coinciding_points_are_no_exception)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    auto points = random_cloud<Dim, Real>({.count = 200, .seed = 9});
    for (auto& x : points) x[Dim - 1] = Real(0.25);
    expect_brute_force<Dim, Real>(points, Real(0.2));
    for (auto& x : points)
        for (int k = 1; k < Dim; ++k) x[k] = Real(0.25);
    expect_brute_force<Dim, Real>(points, Real(0.2));
    auto doubled = random_cloud<Dim, Real>({.count = 100, .seed = 11});
    doubled.insert(doubled.end(), doubled.begin(), doubled.end());
    expect_brute_force<Dim, Real>(doubled, Real(0.2));
    expect_brute_force<Dim, Real>(Points<Dim, Real>(150, Vec<Dim, Real>::Constant(Real(0.3))), Real(0.2));
}

TYPED_TEST(SearchIn, points_exactly_on_the_rim_are_neighbours)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    // Whole numbers and a whole radius: distances are exact, and the lattice coincides with the cells.
    const auto points = lattice<Dim, Real>({.spacing = 1, .reach = 4});
    expect_brute_force<Dim, Real>(points, Real(2));
    expect_brute_force<Dim, Real>(points, Real(1));
}

TYPED_TEST(SearchIn, no_point_and_one_point_have_no_neighbours)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    expect_brute_force<Dim, Real>({}, Real(1));
    expect_brute_force<Dim, Real>({Vec<Dim, Real>::Ones()}, Real(1));
    EXPECT_EQ((find_neighbors<Dim, Real>(Points<Dim, Real>(), Real(1)).size()), 0u);
}

TYPED_TEST(SearchIn, periodic_images_are_neighbours_along_any_choice_of_axes)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    // Points also lie outside the box: they count through the image inside.
    const auto points = random_cloud<Dim, Real>({.count = 300, .seed = 17, .low = -1.5, .high = 1.5});
    for (unsigned axes = 1; axes < (1u << Dim); ++axes) {
        PeriodicBox<Dim, double> box;
        for (int k = 0; k < Dim; ++k) {
            box.min[k] = -0.5;
            if (axes & (1u << k)) box.length[k] = 1.25;
        }
        for (double radius : {0.05, 0.13, 0.3, 0.41, 0.5, 0.62}) {
            SCOPED_TRACE(testing::Message() << "axes " << axes << " radius " << radius);
            expect_brute_force<Dim, Real>(points, static_cast<Real>(radius), box);
        }
    }
}

TYPED_TEST(SearchIn, each_pair_counts_once_when_the_box_is_just_two_radii_long)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    PeriodicBox<Dim, double> box;
    box.length.setConstant(1.0);
    const auto points = random_cloud<Dim, Real>({.count = 60, .seed = 21});
    expect_brute_force<Dim, Real>(points, Real(0.5), box);
    // Exactly half a box apart: the same neighbour through two images.
    Points<Dim, Real> pair(2, Vec<Dim, Real>::Zero());
    pair[1][0] = Real(0.5);
    const Lists lists = unpack(find_neighbors<Dim, Real>(pair, Real(0.5), box));
    EXPECT_EQ(lists, (Lists{{1}, {0}}));
}

TYPED_TEST(SearchIn, radii_of_their_own_give_the_neighbours_of_brute_force)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    const auto points = random_cloud<Dim, Real>({.count = 500, .seed = 23, .low = -1});
    for (double ratio : {1.5, 4.0, 30.0, 1000.0}) {
        for (double share_of_large : {0.5, 0.02}) {
            Rng rng(31);
            std::vector<Real> radii(points.size());
            for (Real& r : radii)
                r = static_cast<Real>(rng.uniform() < share_of_large ? 0.4 * rng.uniform(0.6, 1)
                                                                     : 0.4 / ratio * rng.uniform(1, 1.3));
            PeriodicBox<Dim, double> box;
            for (double length : {0.0, 2.0}) {
                box.min.setConstant(-1);
                box.length[Dim - 1] = length;
                for (RadiusRule rule : {RadiusRule::Own, RadiusRule::Larger}) {
                    SCOPED_TRACE(testing::Message()
                                 << "ratio " << ratio << " share " << share_of_large << " length " << length);
                    EXPECT_EQ(unpack(find_neighbors<Dim, Real>(points, radii, rule, box)),
                              (brute_force<Dim, Real>(points, radii, rule, box)));
                }
            }
        }
    }
}

TYPED_TEST(SearchIn, huge_and_sparse_domains_cost_no_memory)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    // Three droplets, kilometres apart, seen at millimetres.
    Points<Dim, Real> points;
    Rng rng(37);
    for (double place : {-1.0e4, 0.0, 3.0e4})
        for (int i = 0; i < 60; ++i)
            points.push_back((rng.point<Dim>(0, 0.2).array() + place).matrix().template cast<Real>());
    expect_brute_force<Dim, Real>(points, Real(0.01));
    expect_brute_force<Dim, Real>(points, Real(0.05));
    PeriodicBox<Dim, double> box;
    box.min[0] = -1.0e4;
    box.length[0] = 4.0e4 + 0.1;
    expect_brute_force<Dim, Real>(points, Real(0.05), box);
}

TYPED_TEST(SearchIn, input_that_cannot_be_searched_is_refused_with_a_reason)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    const auto message = [](auto&& call) -> std::string {
        try {
            call();
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    auto points = random_cloud<Dim, Real>({.count = 50, .seed = 41});
    const auto search = [&](Real radius) { find_neighbors<Dim, Real>(points, radius); };

    for (Real bad : {Real(0), Real(-1), std::numeric_limits<Real>::quiet_NaN(),
                     std::numeric_limits<Real>::infinity(), std::numeric_limits<Real>::denorm_min()})
        EXPECT_NE(message([&] { search(bad); }).find("search radius is"), std::string::npos);

    std::vector<Real> radii(points.size(), Real(0.1));
    radii[13] = -1;
    EXPECT_NE(message([&] { find_neighbors<Dim, Real>(points, radii, RadiusRule::Own); }).find("of point 13"),
              std::string::npos);
    radii.pop_back();
    EXPECT_EQ(message([&] { find_neighbors<Dim, Real>(points, radii, RadiusRule::Own); }),
              "49 radii for 50 points");

    PeriodicBox<Dim, double> box;
    box.length[0] = 1;
    EXPECT_NE(message([&] { find_neighbors<Dim, Real>(points, Real(0.51), box); }).find("less than twice"),
              std::string::npos);

    for (Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
        points[17][Dim - 1] = bad;
        points[33][0] = bad;
        EXPECT_EQ(message([&] { search(Real(0.1)); }), "point 17 is not finite");
    }
}

TYPED_TEST(SearchIn, points_whose_distance_overflows_are_refused)
{
    constexpr int Dim = TypeParam::dim;
    using Real = typename TypeParam::Real;
    Points<Dim, Real> points(2, Vec<Dim, Real>::Zero());
    points[0][Dim - 1] = Real(0.6) * std::numeric_limits<Real>::max();
    points[1][Dim - 1] = Real(-0.6) * std::numeric_limits<Real>::max();
    EXPECT_THROW((find_neighbors<Dim, Real>(points, Real(1))), InputError);
}

TEST(NeighborSearch, cells_with_thousands_of_points_are_listed_in_full)
{
    // All within one radius of each other: more than fits into any fixed buffer.
    const auto points = random_cloud<3, float>({.count = 3000, .seed = 43, .high = 0.5});
    const NeighborLists lists = find_neighbors<3, float>(points, 1.0f);
    ASSERT_EQ(lists.entry_count(), 3000u * 2999u);
    EXPECT_EQ(lists.of(7).front(), 0u);
    EXPECT_EQ(lists.of(7).back(), 2999u);
}

TEST(NeighborSearch, lists_beyond_the_limit_are_refused_instead_of_filling_the_memory)
{
    const std::vector<Vec<3, float>> points(4000, Vec<3, float>::Zero());
    NeighborSearch<3, float> search;
    search.limit_entries(1000000);
    EXPECT_THROW(search.update(points, 1.0f), InputError);
    // And the search is usable afterwards.
    const auto few = random_cloud<3, float>({.count = 100, .seed = 47});
    search.update(few, 0.2f);
    EXPECT_EQ(search.lists().size(), 100u);
}

template <class Real>
std::uint64_t hash_of(const NeighborSearch<3, Real>& search)
{
    StateHash hash;
    hash.add(search.order());
    hash.add(search.lists().offsets());
    hash.add(search.lists().ids());
    return hash.value();
}

TEST(NeighborSearch, has_the_same_bits_for_any_number_of_threads)
{
    const auto points = random_cloud<3, float>({.count = 60000, .seed = 53});
    std::vector<float> radii(points.size());
    Rng rng(59);
    for (float& r : radii) r = static_cast<float>(rng.uniform() < 0.03 ? 0.1 : rng.uniform(0.02, 0.04));
    std::vector<std::uint64_t> hashes;
    for (int threads : {1, 2, 7}) {
        const ThreadLimit limit(threads);
        NeighborSearch<3, float> search;
        StateHash hash;
        search.update(points, 0.05f);
        hash.add(hash_of(search));
        search.update(points, radii, RadiusRule::Larger);
        hash.add(hash_of(search));
        hashes.push_back(hash.value());
    }
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

TEST(NeighborSearch, has_the_same_bits_for_any_width_of_vectors)
{
    const auto check = [](auto real) {
        using Real = decltype(real);
        const auto points = random_cloud<3, Real>({.count = 20000, .seed = 61});
        std::vector<Real> radii(points.size());
        Rng rng(67);
        for (Real& r : radii) r = static_cast<Real>(rng.uniform(0.04, 0.06));
        for (double length : {0.0, 1.0}) {
            PeriodicBox<3, double> box;
            box.length[1] = length;
            NeighborSearch<3, Real> wide(box, VectorUnit::Widest);
            NeighborSearch<3, Real> narrow(box, VectorUnit::Avx2);
            wide.update(points, Real(0.05));
            narrow.update(points, Real(0.05));
            EXPECT_EQ(hash_of(wide), hash_of(narrow));
            for (RadiusRule rule : {RadiusRule::Own, RadiusRule::Larger}) {
                wide.update(points, radii, rule);
                narrow.update(points, radii, rule);
                EXPECT_EQ(hash_of(wide), hash_of(narrow));
            }
        }
    };
    check(float());
    check(double());
}

TEST(NeighborSearch, repeated_updates_equal_fresh_searches_while_points_come_go_and_move)
{
    NeighborSearch<3, float> kept;
    Rng rng(71);
    for (std::size_t count : {3000u, 20000u, 500u, 0u, 9000u}) {
        const auto points = random_cloud<3, float>({.count = count, .seed = rng()});
        const auto radius = static_cast<float>(rng.uniform(0.03, 0.12));
        NeighborSearch<3, float> fresh;
        kept.update(points, radius);
        fresh.update(points, radius);
        EXPECT_EQ(hash_of(kept), hash_of(fresh));
    }
}

TEST(NeighborSearch, sorted_coordinates_are_the_points_in_the_order_it_names)
{
    const auto points = random_cloud<2, double>({.count = 700, .seed = 73, .low = -3});
    NeighborSearch<2, double> search;
    search.update(points, 0.1);
    std::vector<bool> seen(points.size(), false);
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Index i = search.order()[k];
        EXPECT_FALSE(seen[i]);
        seen[i] = true;
        EXPECT_EQ(search.coordinate(0)[k], points[i][0]);
        EXPECT_EQ(search.coordinate(1)[k], points[i][1]);
    }
    std::vector<Vec<2>> sorted(points.size());
    reorder<Vec<2>>(search.order(), points, sorted);
    EXPECT_EQ(sorted[5][0], search.coordinate(0)[5]);
}

TEST(NeighborSearch, single_precision_keeps_its_digits_far_from_the_origin)
{
    // At a distance of 10 km a float knows millimetres; relative to a local origin it knows nanometres.
    auto points = random_cloud<3, double>({.count = 2000, .seed = 79});
    const NeighborLists expected = find_neighbors<3, double>(points, 0.15);
    for (auto& x : points) x.array() += 1.0e4;
    NeighborSearch<3, float> search;
    search.update_from_double(points, 0.15f);
    std::size_t differences = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec<3> x(search.coordinate(0)[k], search.coordinate(1)[k], search.coordinate(2)[k]);
        EXPECT_LT((x + search.origin() - points[search.order()[k]]).norm(), 1e-7);
        if (search.lists().of(k).size() != expected.of(search.order()[k]).size()) ++differences;
    }
    EXPECT_LE(differences, 2u); // pairs within rounding of the rim
}

} // namespace
} // namespace phyxel::neighbor_search_test
