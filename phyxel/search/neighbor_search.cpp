// SPDX-License-Identifier: MIT
#include <phyxel/search/neighbor_search.h>

#include <phyxel/core/cpu.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/detail/list_builder.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace phyxel {

using detail::Bounds;
using detail::PointArrays;
using detail::PointSource;

namespace {

template <class Real>
std::string text(Real value)
{
    std::ostringstream out;
    out << value;
    return out.str();
}

/// The square of the radius is compared, so it must be a normal number.
template <class Real>
bool is_searchable(Real radius)
{
    const Real square = radius * radius;
    return radius > 0 && std::isfinite(square) && square >= std::numeric_limits<Real>::min();
}

template <class Real>
void check_radius(Real radius, const std::string& whose)
{
    if (is_searchable(radius)) return;
    throw InputError("search radius " + whose + "is " + text(radius) + ", must be between " +
                     text(std::sqrt(std::numeric_limits<Real>::min())) + " and " +
                     text(std::sqrt(std::numeric_limits<Real>::max())));
}

template <class Real>
struct Range {
    Real smallest, largest;
};

/// Smallest and largest radius. Throws InputError naming the first one that cannot be searched with.
template <class Real>
Range<Real> range_of(std::span<const Real> radii)
{
    constexpr std::size_t block_size = 16384;
    std::vector<Range<Real>> partial(block_count(radii.size(), block_size));
    parallel_for_blocks(radii.size(), block_size, [&](const Block& block) {
        Range<Real> range{radii[block.begin], radii[block.begin]};
        for (std::size_t i = block.begin; i < block.end; ++i) {
            if (!is_searchable(radii[i])) check_radius(radii[i], "of point " + std::to_string(i) + " ");
            range.smallest = std::min(range.smallest, radii[i]);
            range.largest = std::max(range.largest, radii[i]);
        }
        partial[block.number] = range;
    });
    Range<Real> range{std::numeric_limits<Real>::max(), 0};
    for (const auto& p : partial)
        range = {std::min(range.smallest, p.smallest), std::max(range.largest, p.largest)};
    return range;
}

} // namespace

template <int Dim, std::floating_point Real>
struct NeighborSearch<Dim, Real>::Implementation {
    Implementation(const PeriodicBox<Dim, double>& periodic_box, VectorUnit unit)
        : box(periodic_box),
          builder(unit == VectorUnit::Widest && cpu_supports_avx512() ? detail::list_kernel_avx512<Real>()
                                                                      : detail::list_kernel_avx2<Real>())
    {
    }

    PeriodicBox<Dim, double> box;
    Vec<Dim, double> origin = Vec<Dim, double>::Zero();
    detail::SortedPoints<Real> sorted;
    detail::CellSortWorkspace<Real> sort_workspace;
    std::vector<detail::PartialBounds<Real>> partial_bounds;
    std::vector<detail::PartialBounds<double>> partial_double_bounds;
    std::vector<SearchLevel<Real>> levels; ///< more than are in use, to keep their memory
    std::size_t level_count = 0;
    std::uint64_t entry_limit = 0; ///< 0: the default
    Buffer<Real> squared_radius;
    NeighborListBuilder<Real> builder;
    NeighborLists lists;

    template <std::floating_point Input>
    PointSource<Dim, Real, Input> source(std::span<const Vec<Dim, Input>> points) const
    {
        return {points,
                {},
                origin.template cast<Input>(),
                {box.min.template cast<Input>(), box.length.template cast<Input>()},
                (box.length.array() > 0).any(),
                true};
    }

    /// Puts the points of `source` into one more level. Its cells are as wide as the reach; where that would
    /// leave most of them empty, up to as wide as `widest_reach`.
    template <std::floating_point Input>
    void add_level(const PointSource<Dim, Real, Input>& points, Real reach, Real widest_reach, Index first)
    {
        Bounds<Real> bounds = detail::bounds_of(points, partial_bounds);
        std::array<Real, 3> period{};
        for (int k = 0; k < Dim; ++k) {
            if (!box.is_periodic(k)) continue;
            period[k] = static_cast<Real>(box.length[k]);
            bounds.min[k] = static_cast<Real>(box.min[k] - origin[k]);
            if (period[k] < 2 * reach)
                throw InputError("periodic length " + text(period[k]) +
                                 " is less than twice the search radius " + text(reach) +
                                 ": a point would meet its neighbour twice");
        }
        if (level_count == levels.size()) levels.emplace_back();
        SearchLevel<Real>& level = levels[level_count++];
        level.first = first;
        level.size = static_cast<Index>(points.size());
        level.reach = reach;
        Real edge = reach;
        level.grid = detail::make_cell_grid(Dim, bounds, period, edge);
        while (level.grid.key_count > 2 * points.size() && 2 * edge <= widest_reach) {
            edge *= 2;
            level.grid = detail::make_cell_grid(Dim, bounds, period, edge);
        }
        detail::sort_into_cells(points, level.grid, first, sort_workspace, sorted, level.table);
    }

    void begin(std::size_t point_count)
    {
        if (point_count >= std::numeric_limits<Index>::max()) throw InputError("more than 2^32 - 2 points");
        for (int k = 0; k < Dim; ++k)
            if (!std::isfinite(box.min[k]) || !std::isfinite(box.length[k]) || box.length[k] < 0)
                throw InputError("periodic box is not finite");
        level_count = 0;
        sorted.resize(point_count);
    }

    template <std::floating_point Input>
    void update(std::span<const Vec<Dim, Input>> points, Real radius)
    {
        check_radius(radius, "");
        begin(points.size());
        if constexpr (!std::same_as<Real, Input>) choose_origin(points);
        if (!points.empty()) add_level(source(points), radius, radius, 0);
        build(nullptr, radius * radius, false);
    }

    template <std::floating_point Input>
    void update(std::span<const Vec<Dim, Input>> points, std::span<const Real> radii, RadiusRule rule)
    {
        if (radii.size() != points.size())
            throw InputError(std::to_string(radii.size()) + " radii for " + std::to_string(points.size()) +
                             " points");
        const Range<Real> range = range_of(radii);
        begin(points.size());
        if constexpr (!std::same_as<Real, Input>) choose_origin(points);

        const auto all = source(points);
        const auto level_of = [&](std::size_t i) {
            return std::min(static_cast<int>(std::log2(range.largest / radii[i])), max_levels - 1);
        };
        std::vector<std::vector<Index>> members(max_levels);
        const bool similar = range.largest <= Real(2) * range.smallest;
        if (!similar)
            for (std::size_t i = 0; i < points.size(); ++i)
                members[level_of(i)].push_back(static_cast<Index>(i));
        // Large points that are many set the price anyway, and one grid shares candidates best. Large
        // points that are few must not make the cells of the small ones large: then each halving of the
        // radius gets a grid of its own.
        if (similar || members[0].size() >= points.size() / 10) {
            if (!points.empty()) add_level(all, range.largest, range.largest, 0);
        } else {
            Index first = 0;
            for (const auto& ids : members) {
                if (ids.empty()) continue;
                Real reach = 0;
                for (Index i : ids) reach = std::max(reach, radii[i]);
                auto part = all;
                part.all = false;
                part.ids = ids;
                add_level(part, reach, range.largest, first);
                first += static_cast<Index>(ids.size());
            }
        }

        squared_radius.resize(points.size() + detail::SortedPoints<Real>::lane_padding);
        std::fill_n(squared_radius.data() + points.size(), detail::SortedPoints<Real>::lane_padding, Real(0));
        parallel_for(points.size(), [&](Index k) {
            const Real r = radii[sorted.order[k]];
            squared_radius[k] = r * r;
        });
        build(squared_radius.data(), 0, rule == RadiusRule::Larger);
    }

    void build(const Real* squared_radii, Real fixed_squared_radius, bool larger_radius_counts)
    {
        const PointArrays<Real> arrays{sorted.coordinate[0].data(), sorted.coordinate[1].data(),
                                       sorted.coordinate[2].data(), squared_radii,
                                       fixed_squared_radius,        larger_radius_counts};
        const std::uint64_t limit = entry_limit > 0 ? entry_limit : (1u << 28) + 4096 * sorted.size;
        builder.build(std::span(levels).first(level_count), arrays, limit, lists);
    }

    /// Middle of the points, so that `float` copies keep as many digits as possible.
    void choose_origin(std::span<const Vec<Dim, double>> points)
    {
        origin.setZero();
        if (points.empty()) return;
        const PointSource<Dim, double, double> doubles{
            points, {}, origin, box, (box.length.array() > 0).any(), true};
        const Bounds<double> bounds = detail::bounds_of(doubles, partial_double_bounds);
        for (int k = 0; k < Dim; ++k)
            origin[k] = box.is_periodic(k) ? box.min[k] : 0.5 * bounds.min[k] + 0.5 * bounds.max[k];
    }

    static constexpr int max_levels = 24;
};

template <int Dim, std::floating_point Real>
NeighborSearch<Dim, Real>::NeighborSearch(const PeriodicBox<Dim, double>& box, VectorUnit unit)
    : implementation_(std::make_unique<Implementation>(box, unit))
{
}

template <int Dim, std::floating_point Real>
NeighborSearch<Dim, Real>::~NeighborSearch() = default;
template <int Dim, std::floating_point Real>
NeighborSearch<Dim, Real>::NeighborSearch(NeighborSearch&&) noexcept = default;
template <int Dim, std::floating_point Real>
NeighborSearch<Dim, Real>& NeighborSearch<Dim, Real>::operator=(NeighborSearch&&) noexcept = default;

template <int Dim, std::floating_point Real>
void NeighborSearch<Dim, Real>::update(std::span<const Vec<Dim, Real>> points, Real radius)
{
    implementation_->update(points, radius);
}

template <int Dim, std::floating_point Real>
void NeighborSearch<Dim, Real>::update(std::span<const Vec<Dim, Real>> points, std::span<const Real> radii,
                                       RadiusRule rule)
{
    implementation_->update(points, radii, rule);
}

template <int Dim, std::floating_point Real>
void NeighborSearch<Dim, Real>::update_from_double(std::span<const Vec<Dim, double>> points,
                                                   std::span<const Real> radii, RadiusRule rule)
{
    implementation_->update(points, radii, rule);
}

template <int Dim, std::floating_point Real>
void NeighborSearch<Dim, Real>::update_from_double(std::span<const Vec<Dim, double>> points, Real radius)
{
    implementation_->update(points, radius);
}

template <int Dim, std::floating_point Real>
void NeighborSearch<Dim, Real>::limit_entries(std::uint64_t limit)
{
    if (limit == 0) throw InputError("limit of neighbour list entries is 0, must be at least 1");
    implementation_->entry_limit = limit;
}

template <int Dim, std::floating_point Real>
std::span<const Index> NeighborSearch<Dim, Real>::order() const
{
    return implementation_->sorted.order.span();
}

template <int Dim, std::floating_point Real>
std::span<const Real> NeighborSearch<Dim, Real>::coordinate(int axis) const
{
    PHYXEL_ASSERT(axis >= 0 && axis < Dim);
    return implementation_->sorted.coordinate[axis].span().first(implementation_->sorted.size);
}

template <int Dim, std::floating_point Real>
const Vec<Dim, double>& NeighborSearch<Dim, Real>::origin() const
{
    return implementation_->origin;
}

template <int Dim, std::floating_point Real>
const NeighborLists& NeighborSearch<Dim, Real>::lists() const
{
    return implementation_->lists;
}

namespace {

/// Lists in sorted numbering, renumbered as the points were given.
NeighborLists renumber(const NeighborLists& sorted, std::span<const Index> order)
{
    const std::size_t n = order.size();
    std::vector<std::uint64_t> offsets(n + 1, 0);
    for (std::size_t k = 0; k < n; ++k) offsets[order[k] + 1] = sorted.of(k).size();
    for (std::size_t i = 0; i < n; ++i) offsets[i + 1] += offsets[i];
    std::vector<Index> ids(sorted.entry_count());
    parallel_for(n, [&](Index k) {
        Index* const begin = ids.data() + offsets[order[k]];
        Index* end = begin;
        for (Index j : sorted.of(k)) *end++ = order[j];
        std::sort(begin, end);
    });
    return NeighborLists(offsets, ids);
}

} // namespace

template <int Dim, std::floating_point Real>
NeighborLists find_neighbors(std::span<const Vec<Dim, Real>> points, std::type_identity_t<Real> radius,
                             const PeriodicBox<Dim, double>& box)
{
    NeighborSearch<Dim, Real> search(box);
    search.update(points, radius);
    return renumber(search.lists(), search.order());
}

template <int Dim, std::floating_point Real>
NeighborLists find_neighbors(std::span<const Vec<Dim, Real>> points,
                             std::span<const std::type_identity_t<Real>> radii, RadiusRule rule,
                             const PeriodicBox<Dim, double>& box)
{
    NeighborSearch<Dim, Real> search(box);
    search.update(points, radii, rule);
    return renumber(search.lists(), search.order());
}

#define PHYXEL_INSTANTIATE(Dim, Real)                                                                        \
    template class NeighborSearch<Dim, Real>;                                                                \
    template NeighborLists find_neighbors(std::span<const Vec<Dim, Real>>, Real,                             \
                                          const PeriodicBox<Dim, double>&);                                  \
    template NeighborLists find_neighbors(std::span<const Vec<Dim, Real>>, std::span<const Real>,            \
                                          RadiusRule, const PeriodicBox<Dim, double>&);
PHYXEL_INSTANTIATE(1, float)
PHYXEL_INSTANTIATE(2, float)
PHYXEL_INSTANTIATE(3, float)
PHYXEL_INSTANTIATE(1, double)
PHYXEL_INSTANTIATE(2, double)
PHYXEL_INSTANTIATE(3, double)
#undef PHYXEL_INSTANTIATE

} // namespace phyxel
