// SPDX-License-Identifier: MIT
// V-S: searches against brute force, on inputs that are hard for one search or another.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/core/state_hash.h>
#include <phyxel/search/hash_grid.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/verify/clouds.h>
#include <phyxel/verify/detail/faulty_search.h>
#include <phyxel/verify/detail/measurements.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel::detail {
namespace {

// Inputs

struct PointSet {
    std::vector<Vec<3>> points;
    PeriodicBox<3> box = {};
};

/// Made when a case is run, not when it is listed.
using PointSetMaker = std::function<PointSet()>;

constexpr double search_radius = 0.15;

/// `count` points from a function of the generator and the point's number.
template <class Point>
PointSet make_points(std::size_t count, Point&& point)
{
    Rng rng(11);
    PointSet set;
    for (std::size_t i = 0; i < count; ++i) set.points.push_back(point(rng, i));
    return set;
}

PointSet uniform(std::size_t count, double low = -1.0, double high = 1.0)
{
    return make_points(count, [=](Rng& rng, std::size_t) { return rng.point<3>(low, high); });
}

/// Twenty clusters whose widths span three orders of magnitude.
PointSet clustered(std::size_t count)
{
    return make_points(count, [](Rng& rng, std::size_t i) -> Vec<3> {
        Rng cluster(12, i % 20);
        const Vec<3> centre = cluster.point<3>(-1, 1);
        const double width = std::pow(10.0, cluster.uniform(-3, 0));
        return centre + width * rng.point<3>(-1, 1);
    });
}

PointSet collinear(std::size_t count)
{
    return make_points(count, [](Rng& rng, std::size_t) -> Vec<3> {
        return Vec<3>(0.3, -0.1, 0.2) + 20 * rng.uniform(-1, 1) * Vec<3>(3, -2, 1).normalized();
    });
}

PointSet coplanar(std::size_t count)
{
    return make_points(count, [](Rng& rng, std::size_t) -> Vec<3> {
        const double u = rng.uniform(-3, 3);
        const double v = rng.uniform(-3, 3);
        return Vec<3>(u, v, 0.5 * u - 0.25 * v);
    });
}

PointSet all_identical(std::size_t count)
{
    return make_points(count, [](Rng&, std::size_t) -> Vec<3> { return Vec<3>(-0.3, 0.1, 0.7); });
}

/// Each three times.
PointSet duplicated(std::size_t count)
{
    return make_points(count, [](Rng&, std::size_t i) {
        Rng original(13, i / 3);
        return original.point<3>(-1, 1);
    });
}

PointSet negative(std::size_t count) { return uniform(count, -3, -1); }

/// Repeats along all three axes. Points lie anywhere in space, not only in the box.
PointSet periodic(std::size_t count)
{
    PointSet set = uniform(count, -3, 3);
    set.box = {Vec<3>(-1, -1, -1), Vec<3>(2, 2, 2)};
    return set;
}

/// Multiples of 1/8, many of them equal: all distances are exact, and most of them tie.
PointSet on_lattice(std::size_t count)
{
    PointSet set = uniform(count);
    for (Vec<3>& x : set.points) x = (8 * x.array()).floor() / 8;
    return set;
}

// Searches

/// A search for all points within the radius around places, which are the first of the points.
using RadiusSearch = std::function<Found(std::span<const Vec<3>> points, std::span<const Vec<3>> places,
                                         double radius, const PeriodicBox<3>& box)>;

Found search_kd_tree(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                     const PeriodicBox<3>&)
{
    const KdTree<3> tree(points);
    Found found(places.size());
    for (std::size_t p = 0; p < places.size(); ++p) tree.radius(places[p], radius, found[p]);
    return found;
}

/// Both ways of asking have to give the same: 2^3 cells of twice the radius and 3^3 cells of the radius.
Found search_hash_grid(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                       const PeriodicBox<3>&)
{
    const HashGrid<3> coarse(2 * radius, points);
    const HashGrid<3> fine(radius, points);
    Found found(places.size());
    for (std::size_t p = 0; p < places.size(); ++p) {
        std::vector<Index> with_three;
        coarse.radius(places[p], radius, CellRange::Two, found[p]);
        fine.radius(places[p], radius, CellRange::Three, with_three);
        if (with_three != found[p]) found[p].insert(found[p].end(), with_three.begin(), with_three.end());
    }
    return found;
}

/// Lists of the sorted points, brought back into the numbering of the input and with the point itself.
Found in_given_order(const NeighborSearch<3>& search, std::size_t place_count)
{
    const std::span<const Index> order = search.order();
    Found found(place_count);
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k] >= place_count) continue;
        std::vector<Index>& ids = found[order[k]];
        ids.push_back(order[k]);
        for (Index neighbor : search.lists().of(k)) ids.push_back(order[neighbor]);
        std::ranges::sort(ids);
    }
    return found;
}

Found search_lists(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                   const PeriodicBox<3>& box)
{
    NeighborSearch<3> search(box);
    search.update(points, radius);
    return in_given_order(search, places.size());
}

RadiusSearch faulty_grid(const FaultyGrid& grid)
{
    return [grid](std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                  const PeriodicBox<3>&) { return grid.search(points, places, radius); };
}

Found search_one_sided_tree(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                            const PeriodicBox<3>&)
{
    return OneSidedTree(points).radius(places, radius);
}

Found search_by_brute_force(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                            const PeriodicBox<3>& box)
{
    Found found(places.size());
    parallel_for(
        places.size(),
        [&](Index p) { found[p] = brute_force_points_near<3>(places[p], points, radius, box); }, 16);
    return found;
}

/// How many places two searches disagree about. A place that a search has no answer for counts.
double count_differences(const Found& found, const Found& expected)
{
    double count = 0.0;
    for (std::size_t p = 0; p < expected.size(); ++p)
        if (p >= found.size() || found[p] != expected[p]) ++count;
    return count;
}

// V-S1: all points within a radius

/// A mistake that this input brings to light.
struct Sabotage {
    std::string description;
    RadiusSearch search;
};

Sabotage cells_cut_towards_zero()
{
    return {"cells by (int)(x/d), which cuts towards 0, and 2^3 of them twice as wide as the radius",
            faulty_grid({.cell_edge = 2, .cells_per_axis = 2, .floor_cells = false})};
}

void add_radius_case(std::vector<Case>& cases, const std::string& name, const PointSetMaker& make_set,
                     const RadiusSearch& search, const Sabotage& sabotage, std::size_t place_count = 500,
                     Tier tier = Tier::Quick)
{
    const auto check = [=](const RadiusSearch& find) {
        const PointSet set = make_set();
        const std::span<const Vec<3>> places(set.points.data(), std::min(place_count, set.points.size()));
        const Found expected = search_by_brute_force(set.points, places, search_radius, set.box);
        std::size_t total = 0;
        for (const std::vector<Index>& ids : expected) total += ids.size();
        const double wrong = count_differences(find(set.points, places, search_radius, set.box), expected);
        return count_measurement(wrong, "places",
                                 "of " + std::to_string(places.size()) + " among " +
                                     std::to_string(set.points.size()) + " points, on average " +
                                     std::to_string(total / places.size()) + " found");
    };
    cases.push_back(make_case(
        {"V-S1/" + name, "finds exactly the points within the radius, each once", "brute force", tier}, check,
        search, sabotage.description, sabotage.search));
}

/// The inputs that every structure is tried on.
struct NamedInput {
    std::string_view name;
    PointSet (*make)(std::size_t count);
};
constexpr std::array<NamedInput, 7> inputs = {{{"uniform", [](std::size_t count) { return uniform(count); }},
                                               {"clustered", clustered},
                                               {"collinear", collinear},
                                               {"coplanar", coplanar},
                                               {"all_identical", all_identical},
                                               {"duplicated", duplicated},
                                               {"negative", negative}}};

/// One sabotage for each of the inputs.
void add_radius_cases(std::vector<Case>& cases, const std::string& structure, const RadiusSearch& search,
                      const std::array<Sabotage, inputs.size()>& sabotages, std::size_t identical_count)
{
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        const auto make = inputs[i].make;
        const std::size_t count = inputs[i].name == "all_identical" ? identical_count : 10000;
        add_radius_case(
            cases, structure + "/" + std::string(inputs[i].name), [=] { return make(count); }, search,
            sabotages[i]);
    }
}

void add_kd_tree_cases(std::vector<Case>& cases)
{
    std::array<Sabotage, inputs.size()> sabotages;
    sabotages.fill({"never looks into the other half", search_one_sided_tree});
    add_radius_cases(cases, "kd_tree", search_kd_tree, sabotages, 10000);
}

void add_hash_grid_cases(std::vector<Case>& cases)
{
    const Sabotage too_few_cells = {"2^3 cells as wide as the radius [AW09, Alg. 5]",
                                    faulty_grid({.cell_edge = 1, .cells_per_axis = 2})};
    const Sabotage shared_buckets = {"points taken by the hash of their cell alone [AW09, Alg. 4]",
                                     faulty_grid({.compare_cells = false})};
    const Sabotage few_buckets = {"points taken by the hash of their cell alone, in a table of 13",
                                  faulty_grid({.compare_cells = false, .table_size = 13})};
    add_radius_cases(cases, "hash_grid", search_hash_grid,
                     {too_few_cells, shared_buckets, too_few_cells, too_few_cells, few_buckets,
                      shared_buckets, cells_cut_towards_zero()},
                     10000);
}

/// A grid whose points came, moved and went: at first each is at the place of the next one, and a stranger at
/// every tenth.
RadiusSearch search_changed_grid(bool move_points)
{
    return [move_points](std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                         const PeriodicBox<3>&) {
        const Index count = static_cast<Index>(points.size());
        HashGrid<3> grid(radius);
        for (Index i = 0; i < count; ++i) grid.insert(i, points[(i + 1) % count]);
        for (Index i = 0; i < count; i += 10) grid.insert(count + i, points[i]);
        for (Index i = 0; i < count; i += 10) grid.remove(count + i);
        if (move_points)
            for (Index i = 0; i < count; ++i) grid.move(i, points[i]);
        Found found(places.size());
        for (std::size_t p = 0; p < places.size(); ++p) grid.radius(places[p], radius, found[p]);
        return found;
    };
}

void add_changed_grid_case(std::vector<Case>& cases)
{
    add_radius_case(cases, "hash_grid/inserted_moved_removed", [] { return uniform(10000); },
                    search_changed_grid(true),
                    {"points stay in the cells that they were inserted into", search_changed_grid(false)});
}

void add_list_cases(std::vector<Case>& cases)
{
    const Sabotage small_cells = {"cells half as wide as the radius", faulty_grid({.cell_edge = 0.5})};
    const Sabotage half_lists = {"each pair in one list only", faulty_grid({.once_per_pair = true})};
    const Sabotage no_coincident = {"points at distance 0 skipped, as a guard against a division",
                                    faulty_grid({.skip_coincident = true})};
    const Sabotage no_images = {"no images beyond the faces of the box",
                                [](std::span<const Vec<3>> points, std::span<const Vec<3>> places,
                                   double radius, const PeriodicBox<3>& box) {
                                    std::vector<Vec<3>> wrapped;
                                    for (const Vec<3>& x : points) wrapped.push_back(box.wrap(x));
                                    return search_lists(wrapped, places, radius, {});
                                }};
    // Fewer identical points, since their lists have n² entries.
    add_radius_cases(cases, "lists", search_lists,
                     {small_cells, small_cells, half_lists, small_cells, no_coincident, no_coincident,
                      cells_cut_towards_zero()},
                     2000);
    add_radius_case(
        cases, "lists/periodic", [] { return periodic(10000); }, search_lists, no_images);
}

void add_large_cases(std::vector<Case>& cases)
{
    const auto make = [] { return uniform(100000, -2, 2); };
    add_radius_case(cases, "kd_tree/uniform_100000", make, search_kd_tree,
                    {"never looks into the other half", search_one_sided_tree}, 2000, Tier::Full);
    add_radius_case(cases, "hash_grid/uniform_100000", make, search_hash_grid,
                    {"2^3 cells as wide as the radius [AW09, Alg. 5]",
                     faulty_grid({.cell_edge = 1, .cells_per_axis = 2, .table_size = 100003})},
                    20000, Tier::Full);
    add_radius_case(
        cases, "lists/uniform_100000", make, search_lists,
        {"cells half as wide as the radius", faulty_grid({.cell_edge = 0.5, .table_size = 100003})}, 20000,
        Tier::Full);
}

// V-S1: radii of their own

using OwnRadiiSearch = std::function<Found(std::span<const Vec<3>> points, std::span<const double> radii)>;

OwnRadiiSearch search_with_rule(RadiusRule rule)
{
    return [rule](std::span<const Vec<3>> points, std::span<const double> radii) {
        NeighborSearch<3> search;
        search.update(points, radii, rule);
        return in_given_order(search, points.size());
    };
}

void add_own_radii_case(std::vector<Case>& cases, RadiusRule rule, const std::string& name,
                        const std::string& claim, RadiusRule sabotaged, const std::string& sabotage)
{
    const auto check = [rule](const OwnRadiiSearch& search) {
        const PointSet set = clustered(3000);
        Rng rng(14);
        std::vector<double> radii;
        for (std::size_t i = 0; i < set.points.size(); ++i)
            radii.push_back(std::pow(10.0, rng.uniform(-3, -0.5)));

        Found expected(set.points.size());
        for (std::size_t i = 0; i < set.points.size(); ++i)
            for (std::size_t j = 0; j < set.points.size(); ++j) {
                const double reach = rule == RadiusRule::Own ? radii[i] : std::max(radii[i], radii[j]);
                if ((set.points[i] - set.points[j]).norm() <= reach)
                    expected[i].push_back(static_cast<Index>(j));
            }
        return count_measurement(count_differences(search(set.points, radii), expected), "places",
                                 "of 3000 clustered points, radii from 0.001 to 0.3");
    };
    cases.push_back(make_case({"V-S1/lists/per_point_radii/" + name, claim, "brute force"}, check,
                              search_with_rule(rule), sabotage, search_with_rule(sabotaged)));
}

// V-S1: no points, and points that are none

void add_empty_case(std::vector<Case>& cases, const std::string& structure, const RadiusSearch& search)
{
    // Refusing is what this case looks for, so it counts refusals.
    const auto check = [](const RadiusSearch& find) {
        const std::vector<Vec<3>> places = uniform(10).points;
        double wrong = 0.0;
        try {
            wrong = count_differences(find({}, places, search_radius, {}), Found(places.size()));
        } catch (const InputError&) {
            wrong = static_cast<double>(places.size());
        }
        return count_measurement(wrong, "places", "of 10");
    };
    cases.push_back(
        make_case({"V-S1/" + structure + "/empty",
                   "without points there is nothing to be found, and nothing to refuse", "there is no point"},
                  check, search, "refuses to work without points",
                  [search](std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius,
                           const PeriodicBox<3>& box) {
                      if (points.empty()) throw InputError("no points");
                      return search(points, places, radius, box);
                  }));
}

void add_not_finite_case(std::vector<Case>& cases, const std::string& structure, const RadiusSearch& search)
{
    const auto check = [](const RadiusSearch& find) {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        double accepted = 0.0;
        for (double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
            for (int axis = 0; axis < 3; ++axis) {
                std::vector<Vec<3>> points = uniform(100).points;
                points[50][axis] = bad;
                try {
                    find(points, std::span(points).first(10), search_radius, {});
                    ++accepted;
                } catch (const InputError&) {
                    // What is wanted.
                }
            }
        return count_measurement(accepted, "inputs", "of 9 with a NaN or ±∞ were accepted");
    };
    cases.push_back(make_case({"V-S1/" + structure + "/not_finite", "a point that is not finite is refused",
                               "no distance to it is a number"},
                              check, search, "points are not looked at before they are compared",
                              search_by_brute_force));
}

void add_threads_case(std::vector<Case>& cases)
{
    using HashOfLists = std::function<std::uint64_t(std::span<const Vec<3>> points, int threads)>;
    const auto hash_of = [](const NeighborSearch<3>& search) {
        StateHash hash;
        hash.add(search.order());
        hash.add(search.lists().offsets());
        hash.add(search.lists().ids());
        return hash.value();
    };
    const HashOfLists library = [hash_of](std::span<const Vec<3>> points, int threads) {
        const ThreadLimit limit(threads);
        NeighborSearch<3> search;
        search.update(points, search_radius);
        return hash_of(search);
    };
    const HashOfLists one_piece_per_thread = [hash_of](std::span<const Vec<3>> points, int threads) {
        const std::size_t pieces = static_cast<std::size_t>(threads);
        std::uint64_t hash = 0;
        for (std::size_t t = 0; t < pieces; ++t) {
            const std::size_t begin = points.size() * t / pieces;
            const std::size_t end = points.size() * (t + 1) / pieces;
            NeighborSearch<3> search;
            search.update(points.subspan(begin, end - begin), search_radius);
            hash ^= hash_of(search);
        }
        return hash;
    };
    const auto check = [](const HashOfLists& hash) {
        const PointSet set = uniform(50000, -2, 2);
        const std::uint64_t alone = hash(set.points, 1);
        double different = 0.0;
        for (int threads : {2, 7})
            if (hash(set.points, threads) != alone) ++different;
        return count_measurement(different, "runs", "of 2, with 2 and 7 threads, compared with one thread");
    };
    cases.push_back(make_case(
        {"V-S1/lists/threads", "lists have the same bits on any number of threads", "the run on one thread"},
        check, library, "points sorted in one piece per thread", one_piece_per_thread));
}

// V-S2: the k nearest points

using Nearest = std::vector<std::vector<Neighbor<double>>>;
using NearestSearch =
    std::function<Nearest(std::span<const Vec<3>> points, std::span<const Vec<3>> places, std::size_t k)>;

Nearest search_nearest(std::span<const Vec<3>> points, std::span<const Vec<3>> places, std::size_t k)
{
    const KdTree<3> tree(points);
    Nearest found(places.size());
    for (std::size_t p = 0; p < places.size(); ++p) tree.nearest(places[p], k, found[p]);
    return found;
}

Nearest nearest_by_brute_force(std::span<const Vec<3>> points, std::span<const Vec<3>> places, std::size_t k)
{
    Nearest found;
    for (const Vec<3>& x : places) {
        std::vector<Neighbor<double>> all;
        for (std::size_t i = 0; i < points.size(); ++i)
            all.push_back({static_cast<Index>(i), (points[i] - x).norm()});
        std::ranges::sort(all, [](const auto& a, const auto& b) {
            return a.distance < b.distance || (a.distance == b.distance && a.id < b.id);
        });
        if (all.size() > k) all.resize(k);
        found.push_back(all);
    }
    return found;
}

/// Of points that are equally far the one with the highest number comes first.
Nearest nearest_with_ties_reversed(std::span<const Vec<3>> points, std::span<const Vec<3>> places,
                                   std::size_t k)
{
    const std::vector<Vec<3>> reversed(points.rbegin(), points.rend());
    Nearest found = search_nearest(reversed, places, k);
    for (std::vector<Neighbor<double>>& neighbors : found)
        for (Neighbor<double>& neighbor : neighbors)
            neighbor.id = static_cast<Index>(points.size()) - 1 - neighbor.id;
    return found;
}

Nearest nearest_filled_up(std::span<const Vec<3>> points, std::span<const Vec<3>> places, std::size_t k)
{
    Nearest found = search_nearest(points, places, k);
    for (std::vector<Neighbor<double>>& neighbors : found)
        if (!neighbors.empty()) neighbors.resize(k, neighbors.back());
    return found;
}

void add_nearest_case(std::vector<Case>& cases, const std::string& name, const std::string& claim,
                      const PointSetMaker& make_set, const std::string& sabotage,
                      const NearestSearch& sabotaged)
{
    const auto is_same = [](const std::vector<Neighbor<double>>& a, const std::vector<Neighbor<double>>& b) {
        return std::ranges::equal(a, b, [](const Neighbor<double>& u, const Neighbor<double>& v) {
            return u.id == v.id && std::abs(u.distance - v.distance) <= 1e-14 * v.distance;
        });
    };
    const auto check = [=](const NearestSearch& search) {
        constexpr std::size_t k = 20;
        const PointSet set = make_set();
        const std::size_t place_count = std::min<std::size_t>(500, set.points.size());
        const std::span<const Vec<3>> places(set.points.data(), place_count);
        const Nearest expected = nearest_by_brute_force(set.points, places, k);
        const Nearest found = search(set.points, places, k);
        double different = 0.0;
        for (std::size_t p = 0; p < places.size(); ++p)
            if (p >= found.size() || !is_same(found[p], expected[p])) ++different;
        return count_measurement(different, "places",
                                 "of " + std::to_string(place_count) + " among " +
                                     std::to_string(set.points.size()) + " points, k = " + std::to_string(k));
    };
    cases.push_back(make_case({"V-S2/" + name, claim, "brute force"}, check, NearestSearch(search_nearest),
                              sabotage, sabotaged));
}

void add_nearest_cases(std::vector<Case>& cases)
{
    const std::string claim = "finds the k nearest points in order of distance";
    const std::string with_ties = claim + ", those that are equally far in order of their numbers";
    const std::string reversed = "of points equally far the last comes first";
    const std::string one_half = "never looks into the other half";
    const NearestSearch one_sided = [](std::span<const Vec<3>> points, std::span<const Vec<3>> places,
                                       std::size_t k) { return OneSidedTree(points).nearest(places, k); };
    const auto of = [](PointSet (*make)(std::size_t), std::size_t count) {
        return [=] { return make(count); };
    };
    const auto few = [] { return uniform(10); };

    add_nearest_case(
        cases, "uniform", claim, [] { return uniform(5000); }, one_half, one_sided);
    add_nearest_case(cases, "clustered", claim, of(clustered, 5000), one_half, one_sided);
    add_nearest_case(cases, "ties", with_ties, of(on_lattice, 5000), reversed, nearest_with_ties_reversed);
    add_nearest_case(cases, "duplicated", with_ties, of(duplicated, 5000), reversed,
                     nearest_with_ties_reversed);
    add_nearest_case(cases, "all_identical", with_ties, of(all_identical, 1000), reversed,
                     nearest_with_ties_reversed);
    add_nearest_case(cases, "fewer_than_k", "finds all points if there are fewer than k", few,
                     "the last one repeated until there are k", nearest_filled_up);
}

// V-S3: what a few cells cannot answer

/// Asks a grid of the given cell edge for a radius with so many cells per axis.
using CellQuery =
    std::function<void(std::span<const Vec<3>> points, double cell_edge, double radius, CellRange range)>;

void add_cell_range_case(std::vector<Case>& cases, CellRange range, const std::string& name, double most)
{
    const CellQuery library = [](std::span<const Vec<3>> points, double cell_edge, double radius,
                                 CellRange cells) {
        std::vector<Index> found;
        HashGrid<3>(cell_edge, points).radius(points[0], radius, cells, found);
    };
    const CellQuery answers_anyway = [](std::span<const Vec<3>> points, double cell_edge, double radius,
                                        CellRange cells) {
        const FaultyGrid grid{.cell_edge = cell_edge / radius,
                              .cells_per_axis = cells == CellRange::Two ? 2 : 3};
        static_cast<void>(grid.search(points, points.first(1), radius));
    };
    const auto check = [=](const CellQuery& query) {
        const std::vector<Vec<3>> points = uniform(100).points;
        constexpr double edge = 0.3;
        const double limit = most * edge;
        const auto is_refused = [&](double radius) {
            try {
                query(points, edge, radius, range);
            } catch (const InputError&) {
                return true;
            }
            return false;
        };
        double wrong = 0.0;
        for (double radius : {std::nextafter(limit, 1.0), 1.01 * limit, 1.5 * limit, 2 * limit, 10 * limit})
            if (!is_refused(radius)) ++wrong;
        for (double radius : {0.1 * limit, 0.5 * limit, limit})
            if (is_refused(radius)) ++wrong;
        return count_measurement(wrong, "radii", "of 8 about the limit");
    };
    cases.push_back(make_case({"V-S3/" + name,
                               "a radius that " + name +
                                   " cells per axis are not enough for is refused, and "
                                   "no other",
                               "cells reach " + std::string(range == CellRange::Two ? "half a" : "one") +
                                   " cell edge beyond any place in the middle one [AW09, Sec. 5.2]"},
                              check, library, "answers with the cells that it has", answers_anyway));
}

} // namespace

std::vector<Case> search_cases()
{
    std::vector<Case> cases;
    add_kd_tree_cases(cases);
    add_empty_case(cases, "kd_tree", search_kd_tree);
    add_not_finite_case(cases, "kd_tree", search_kd_tree);
    add_hash_grid_cases(cases);
    add_changed_grid_case(cases);
    add_empty_case(cases, "hash_grid", search_hash_grid);
    add_not_finite_case(cases, "hash_grid", search_hash_grid);
    add_list_cases(cases);
    add_own_radii_case(cases, RadiusRule::Own, "own", "lists hold what is within the point's own radius",
                       RadiusRule::Larger, "the larger radius of the two");
    add_own_radii_case(cases, RadiusRule::Larger, "larger",
                       "lists hold what is within the larger radius of the two", RadiusRule::Own,
                       "the point's own radius");
    add_empty_case(cases, "lists", search_lists);
    add_not_finite_case(cases, "lists", search_lists);
    add_threads_case(cases);
    add_large_cases(cases);
    add_nearest_cases(cases);
    add_cell_range_case(cases, CellRange::Two, "two", 0.5);
    add_cell_range_case(cases, CellRange::Three, "three", 1.0);
    return cases;
}

} // namespace phyxel::detail
