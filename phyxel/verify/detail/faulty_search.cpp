// SPDX-License-Identifier: MIT
#include <phyxel/verify/detail/faulty_search.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

namespace phyxel::detail {
namespace {

using Cell = std::array<std::int64_t, 3>;

/// [AW09, Eq. 43].
std::uint64_t bucket_of(const Cell& cell, std::uint64_t table_size)
{
    constexpr std::array<std::uint64_t, 3> prime = {73856093, 19349663, 83492791};
    std::uint64_t hash = 0;
    for (int k = 0; k < 3; ++k) hash ^= static_cast<std::uint64_t>(cell[k]) * prime[k];
    return hash % table_size;
}

} // namespace

Found FaultyGrid::search(std::span<const Vec<3>> points, std::span<const Vec<3>> places, double radius) const
{
    const double edge = cell_edge * radius;
    const auto cell_of = [&](const Vec<3>& x) {
        Cell cell;
        for (int k = 0; k < 3; ++k)
            cell[k] = static_cast<std::int64_t>(floor_cells ? std::floor(x[k] / edge) : x[k] / edge);
        return cell;
    };
    std::map<std::uint64_t, std::vector<Index>> table;
    for (std::size_t i = 0; i < points.size(); ++i)
        table[bucket_of(cell_of(points[i]), table_size)].push_back(static_cast<Index>(i));

    Found found(places.size());
    for (std::size_t place = 0; place < places.size(); ++place) {
        const Vec<3>& x = places[place];
        const Cell middle = cell_of(x);
        Cell first, last;
        for (int k = 0; k < 3; ++k) {
            const bool is_low = x[k] - static_cast<double>(middle[k]) * edge < edge / 2;
            first[k] = middle[k] - (cells_per_axis == 3 || is_low ? 1 : 0);
            last[k] = first[k] + cells_per_axis - 1;
        }
        Cell cell = first;
        for (cell[0] = first[0]; cell[0] <= last[0]; ++cell[0])
            for (cell[1] = first[1]; cell[1] <= last[1]; ++cell[1])
                for (cell[2] = first[2]; cell[2] <= last[2]; ++cell[2])
                    for (Index i : table[bucket_of(cell, table_size)]) {
                        const double distance = (points[i] - x).norm();
                        if (compare_cells && cell_of(points[i]) != cell) continue;
                        if (distance > radius) continue;
                        if (skip_coincident && distance == 0 && i != place) continue;
                        if (once_per_pair && i < place) continue;
                        found[place].push_back(i);
                    }
        std::ranges::sort(found[place]);
    }
    return found;
}

OneSidedTree::OneSidedTree(std::span<const Vec<3>> points) : points_(points) {}

std::vector<Index> OneSidedTree::leaf_of(const Vec<3>& place) const
{
    constexpr std::size_t leaf_size = 32;
    std::vector<Index> ids(points_.size());
    std::iota(ids.begin(), ids.end(), Index(0));
    for (int axis = 0; ids.size() > leaf_size; axis = (axis + 1) % 3) {
        const auto middle = ids.begin() + static_cast<std::ptrdiff_t>(ids.size() / 2);
        std::ranges::nth_element(ids, middle, {}, [&](Index i) { return points_[i][axis]; });
        if (place[axis] < points_[*middle][axis])
            ids.erase(middle, ids.end());
        else
            ids.erase(ids.begin(), middle);
    }
    return ids;
}

Found OneSidedTree::radius(std::span<const Vec<3>> places, double radius) const
{
    Found found;
    for (const Vec<3>& x : places) {
        std::vector<Index> ids = leaf_of(x);
        std::erase_if(ids, [&](Index i) { return (points_[i] - x).norm() > radius; });
        std::ranges::sort(ids);
        found.push_back(ids);
    }
    return found;
}

std::vector<std::vector<Neighbor<double>>> OneSidedTree::nearest(std::span<const Vec<3>> places,
                                                                 std::size_t k) const
{
    std::vector<std::vector<Neighbor<double>>> found;
    for (const Vec<3>& x : places) {
        std::vector<Neighbor<double>> neighbors;
        for (Index i : leaf_of(x)) neighbors.push_back({i, (points_[i] - x).norm()});
        std::ranges::sort(neighbors, [](const auto& a, const auto& b) {
            return a.distance < b.distance || (a.distance == b.distance && a.id < b.id);
        });
        if (neighbors.size() > k) neighbors.resize(k);
        found.push_back(neighbors);
    }
    return found;
}

} // namespace phyxel::detail
