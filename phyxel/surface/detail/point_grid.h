// SPDX-License-Identifier: MIT
// Points in cubic cells, for loops that visit what is near a place: without lists, without allocations, and
// in an order that depends on nothing but the points.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/surface/detail/cell_keys.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace phyxel::detail {

/// Visits may run on several threads at once. Space has no bounds: cells that are 2²¹ apart share a key, and
/// their points are told apart by distance.
class PointGrid {
public:
    PointGrid() = default;

    /// Copies the points, which must be finite. `cell` is the largest radius that will be asked for [m].
    PointGrid(std::span<const Vec<3>> points, double cell);

    std::size_t size() const { return entries_.size(); }

    /// Calls visit(i, x − x_i, |x − x_i|²) for all points i within `radius` of x.
    template <class Visit>
    void for_each_near(const Vec<3>& x, double radius, Visit&& visit) const
    {
        if (entries_.empty()) return;
        const double square = radius * radius;
        std::array<std::int64_t, 3> first, last;
        for (int k = 0; k < 3; ++k) {
            first[static_cast<std::size_t>(k)] = cell_of(x[k] - radius);
            last[static_cast<std::size_t>(k)] = cell_of(x[k] + radius);
        }
        for (std::int64_t c = first[2]; c <= last[2]; ++c)
            for (std::int64_t b = first[1]; b <= last[1]; ++b)
                for (std::int64_t a = first[0]; a <= last[0]; ++a) {
                    const std::uint64_t key = cell_key(a, b, c);
                    const std::size_t bucket = bucket_of(key);
                    for (std::uint32_t e = starts_[bucket]; e < starts_[bucket + 1]; ++e) {
                        const Entry& entry = entries_[e];
                        if (entry.key != key) continue;
                        const Vec<3> offset = x - entry.x;
                        const double distance = offset.squaredNorm();
                        if (distance <= square) visit(entry.id, offset, distance);
                    }
                }
    }

private:
    struct Entry {
        Vec<3> x;
        std::uint64_t key;
        Index id;
    };

    std::int64_t cell_of(double x) const { return cell_at(x, inverse_cell_); }
    /// Cells side by side along x are side by side in memory.
    std::size_t bucket_of(std::uint64_t key) const
    {
        const std::uint64_t row = (key >> 21) * 0x9e3779b97f4a7c15u;
        return static_cast<std::size_t>(((row >> 32) + (key & 0x1fffff)) & (starts_.size() - 2));
    }

    double inverse_cell_ = 1.0;
    std::vector<Entry> entries_;        ///< bucket by bucket, by id within each
    std::vector<std::uint32_t> starts_; ///< of the buckets, and the end of the last; 2ⁿ + 1 of them
};

} // namespace phyxel::detail
