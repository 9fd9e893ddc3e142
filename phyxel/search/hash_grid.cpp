// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/search/detail/closed_ball.h>
#include <phyxel/search/detail/input_checks.h>
#include <phyxel/search/hash_grid.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace phyxel {
namespace {

/// Cells are numbered from −2⁶² to 2⁶², far enough from the ends of the type to count around them.
constexpr std::int64_t last_cell = std::int64_t(1) << 62;

/// ⌊coordinate / edge⌋, not rounded towards zero, which would make the cell around 0 twice as wide. Monotone
/// in the coordinate in spite of rounding, also where neighbouring numbers are several cells apart.
template <std::floating_point Real>
Real cell_number(Real coordinate, Real edge)
{
    return std::floor(coordinate / edge);
}

} // namespace

/// The cells from `first` to `last` along every axis.
template <int Dim, std::floating_point Real>
struct HashGrid<Dim, Real>::CellBox {
    Cell first;
    Cell last;

    bool contains(const Cell& cell) const
    {
        for (std::size_t k = 0; k < Dim; ++k)
            if (cell[k] < first[k] || cell[k] > last[k]) return false;
        return true;
    }

    bool has_more_cells_than(std::uint64_t count) const
    {
        std::uint64_t cells = 1;
        for (std::size_t k = 0; k < Dim; ++k) {
            // The difference can exceed the signed type.
            const std::uint64_t width =
                static_cast<std::uint64_t>(last[k]) - static_cast<std::uint64_t>(first[k]) + 1;
            if (width > count / cells) return true;
            cells *= width;
        }
        return false;
    }

    template <class Visit>
    void for_each(Visit&& visit) const
    {
        Cell cell = first;
        for (;;) {
            visit(cell);
            std::size_t k = 0;
            while (k < Dim && cell[k] == last[k]) cell[k] = first[k], ++k;
            if (k == Dim) return;
            ++cell[k];
        }
    }
};

template <int Dim, std::floating_point Real>
HashGrid<Dim, Real>::HashGrid(Real cell_edge) : cell_edge_(cell_edge)
{
    if (!(cell_edge > 0) || !std::isfinite(cell_edge))
        throw InputError("cell edge is " + detail::number_text(cell_edge) + ", must be positive and finite");
}

template <int Dim, std::floating_point Real>
HashGrid<Dim, Real>::HashGrid(Real cell_edge, std::span<const Point> points) : HashGrid(cell_edge)
{
    assign(points);
}

template <int Dim, std::floating_point Real>
typename HashGrid<Dim, Real>::Cell HashGrid<Dim, Real>::cell_of(const Point& x) const
{
    detail::require_finite<Dim, Real>(x, "point");
    Cell cell;
    for (std::size_t k = 0; k < Dim; ++k) {
        const Real number = cell_number(x[k], cell_edge_);
        if (!(std::abs(number) <= static_cast<Real>(last_cell)))
            throw InputError("point " + detail::point_text<Dim, Real>(x) +
                             " is more than 2^62 cells of edge " + detail::number_text(cell_edge_) +
                             " away from the origin");
        cell[k] = static_cast<std::int64_t>(number);
    }
    return cell;
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::assign(std::span<const Point> points)
{
    detail::require_countable(points.size());
    detail::require_all_finite<Dim, Real>(points, "point");
    for (const Point& x : points) static_cast<void>(cell_of(x));

    clear();
    places_.reserve(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Index id = static_cast<Index>(i);
        places_.insert(id, add_to_cell(cell_of(points[i]), {points[i], id}));
    }
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::insert(Index id, const Point& x)
{
    if (contains(id)) throw InputError("point " + std::to_string(id) + " is in the hash grid already");
    places_.insert(id, add_to_cell(cell_of(x), {x, id}));
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::remove(Index id)
{
    const Place place = place_of(id);
    remove_from_cell(place);
    places_.erase(id);
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::move(Index id, const Point& x)
{
    Place& place = place_of(id);
    const Cell cell = cell_of(x);
    if (cells_[place.cell].cell == cell) {
        cells_[place.cell].entries[place.position].x = x;
        return;
    }
    remove_from_cell(place);
    place = add_to_cell(cell, {x, id});
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::clear()
{
    cell_numbers_.clear();
    places_.clear();
    free_cells_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) {
        cells_[i].entries.clear();
        free_cells_[i] = static_cast<Index>(cells_.size() - 1 - i);
    }
}

template <int Dim, std::floating_point Real>
typename HashGrid<Dim, Real>::Place& HashGrid<Dim, Real>::place_of(Index id)
{
    Place* const place = places_.find(id);
    if (!place) throw InputError("point " + std::to_string(id) + " is not in the hash grid");
    return *place;
}

template <int Dim, std::floating_point Real>
typename HashGrid<Dim, Real>::Place HashGrid<Dim, Real>::add_to_cell(const Cell& cell, const Entry& entry)
{
    const Index* const known = cell_numbers_.find(cell);
    Index number;
    if (known) {
        number = *known;
    } else {
        if (free_cells_.empty()) {
            free_cells_.push_back(static_cast<Index>(cells_.size()));
            cells_.emplace_back();
        }
        number = free_cells_.back();
        free_cells_.pop_back();
        cells_[number].cell = cell;
        cell_numbers_.insert(cell, number);
    }
    std::vector<Entry>& entries = cells_[number].entries;
    entries.push_back(entry);
    return {number, static_cast<Index>(entries.size() - 1)};
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::remove_from_cell(const Place& place)
{
    CellPoints& points = cells_[place.cell];
    Entry& gap = points.entries[place.position];
    if (place.position + 1 < points.entries.size()) {
        gap = points.entries.back();
        place_of(gap.id).position = place.position;
    }
    points.entries.pop_back();
    if (points.entries.empty()) {
        cell_numbers_.erase(points.cell);
        free_cells_.push_back(place.cell);
    }
}

template <int Dim, std::floating_point Real>
typename HashGrid<Dim, Real>::CellBox HashGrid<Dim, Real>::cells_within(const Point& x, Real r) const
{
    // [AW09, Alg. 4] picks the neighbouring cell by the side of x in its own. We take the cells of both ends
    // of [x − r, x + r], which are as many, but let us allow for rounding: a point is found if its computed
    // distance is at most r, and the true one is then at most r (1 + 2ε).
    constexpr Real infinity = std::numeric_limits<Real>::infinity();
    const Real reach = std::nextafter(r * (1 + 4 * std::numeric_limits<Real>::epsilon()), infinity);
    const auto cell_at = [&](Real coordinate) {
        constexpr Real last = static_cast<Real>(last_cell);
        return static_cast<std::int64_t>(std::clamp(cell_number(coordinate, cell_edge_), -last, last));
    };
    CellBox box;
    for (std::size_t k = 0; k < Dim; ++k) {
        box.first[k] = cell_at(std::nextafter(x[k] - reach, -infinity));
        box.last[k] = cell_at(std::nextafter(x[k] + reach, infinity));
    }
    return box;
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::radius(const Point& x, Real r, std::vector<Index>& out) const
{
    detail::require_finite<Dim, Real>(x, "query point");
    detail::require_radius(r);

    out.clear();
    const detail::ClosedBall<Dim, Real> ball(x, r);
    const auto collect = [&](const CellPoints& points) {
        for (const Entry& entry : points.entries)
            if (ball.contains(entry.x)) out.push_back(entry.id);
    };
    const CellBox box = cells_within(x, r);
    if (box.has_more_cells_than(cells_.size())) {
        for (const CellPoints& points : cells_)
            if (box.contains(points.cell)) collect(points);
    } else {
        box.for_each([&](const Cell& cell) {
            if (const Index* const number = cell_numbers_.find(cell)) collect(cells_[*number]);
        });
    }
    std::sort(out.begin(), out.end());
}

template <int Dim, std::floating_point Real>
void HashGrid<Dim, Real>::radius(const Point& x, Real r, CellRange range, std::vector<Index>& out) const
{
    if (range == CellRange::Two && r > cell_edge_ / 2)
        throw InputError("radius is " + detail::number_text(r) + ", must be at most half of the cell edge " +
                         detail::number_text(cell_edge_) + " for a query of two cells per axis");
    if (range == CellRange::Three && r > cell_edge_)
        throw InputError("radius is " + detail::number_text(r) + ", must be at most the cell edge " +
                         detail::number_text(cell_edge_) + " for a query of three cells per axis");
    radius(x, r, out);
}

template class HashGrid<1, double>;
template class HashGrid<2, double>;
template class HashGrid<3, double>;
template class HashGrid<1, float>;
template class HashGrid<2, float>;
template class HashGrid<3, float>;

} // namespace phyxel
