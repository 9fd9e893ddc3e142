// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/point_grid.h>

#include <phyxel/core/assert.h>

#include <bit>

namespace phyxel::detail {

PointGrid::PointGrid(std::span<const Vec<3>> points, double cell)
    : inverse_cell_(1.0 / cell),
      entries_(points.size())
{
    PHYXEL_ASSERT(cell > 0.0);
    starts_.assign(std::bit_ceil(std::max<std::size_t>(points.size(), 2)) + 1, 0);
    std::vector<std::uint64_t> keys(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        keys[i] = cell_key(cell_of(points[i][0]), cell_of(points[i][1]), cell_of(points[i][2]));
        ++starts_[bucket_of(keys[i]) + 1];
    }
    for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i)
        entries_[next[bucket_of(keys[i])]++] = {points[i], keys[i], static_cast<Index>(i)};
}

} // namespace phyxel::detail
