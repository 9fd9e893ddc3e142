// SPDX-License-Identifier: MIT
// The neighbour search that simulations use: points are sorted into cells, and lists are built for all of
// them at once, in the sorted numbering. Built in parallel; the same bits on any number of threads.
#pragma once

#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_lists.h>
#include <phyxel/search/periodic_box.h>

#include <memory>
#include <span>
#include <type_traits>

namespace phyxel {

/// Which points are neighbours when every point has a radius of its own.
enum class RadiusRule {
    Own,    ///< j is in the list of i if |x_i − x_j| ≤ r_i: what i gathers from
    Larger, ///< if |x_i − x_j| ≤ max(r_i, r_j): symmetric, as pairwise forces need it
};

/// Which vector instructions build the lists. The result is the same to the last bit.
enum class VectorUnit {
    Widest, ///< the widest that the processor has
    Avx2,   ///< what every supported processor has
};

/// Finds all neighbours of all points within a radius. Keeps its memory, so that repeated updates do not
/// allocate once the largest lists have been seen.
///
/// `Real` is the precision of the search.
template <int Dim, std::floating_point Real = double>
class NeighborSearch {
public:
    explicit NeighborSearch(const PeriodicBox<Dim, double>& box = {}, VectorUnit unit = VectorUnit::Widest);
    ~NeighborSearch();
    NeighborSearch(NeighborSearch&&) noexcept;
    NeighborSearch& operator=(NeighborSearch&&) noexcept;

    /// Sorts the points and lists, for each, all others within `radius`: d² ≤ r² as computed in `Real`.
    ///
    /// Throws InputError for points that are not finite, a radius that is not positive or whose square
    /// `Real` cannot hold, a periodic length below twice the radius, and more neighbours than
    /// `limit_entries` allows.
    void update(std::span<const Vec<Dim, Real>> points, Real radius);

    /// The same with a radius for each point. The cost follows each point's own radius, not the largest one.
    void update(std::span<const Vec<Dim, Real>> points, std::span<const Real> radii, RadiusRule rule);

    /// The same from `double` points, also for a `float` search, which keeps copies relative to `origin()`.
    void update_from_double(std::span<const Vec<Dim, double>> points, Real radius);
    void update_from_double(std::span<const Vec<Dim, double>> points, std::span<const Real> radii,
                            RadiusRule rule);

    /// `order()[k]` is the number, in the points given, of the k-th point in sorted order.
    std::span<const Index> order() const;

    /// One coordinate of all points in sorted order, wrapped into the periodic box, relative to `origin()`.
    std::span<const Real> coordinate(int axis) const;

    /// Zero, unless a `float` search was given `double` points.
    const Vec<Dim, double>& origin() const;

    /// Neighbours in sorted numbering: `lists().of(k)` belongs to the point `order()[k]`.
    const NeighborLists& lists() const;

    /// Sets how many entries the lists may have in all; more are an InputError. The default, 2²⁸ and 4096
    /// for each point, is enough for any simulation, and a clear error instead of a machine out of memory
    /// when a million points lie on top of each other.
    void limit_entries(std::uint64_t limit);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// Lists of all neighbours within `radius`, numbered as the points are given. For points that are searched
/// again and again, `NeighborSearch` is several times faster.
template <int Dim, std::floating_point Real>
NeighborLists find_neighbors(std::span<const Vec<Dim, Real>> points, std::type_identity_t<Real> radius,
                             const PeriodicBox<Dim, double>& box = {});

/// The same with a radius for each point.
template <int Dim, std::floating_point Real>
NeighborLists find_neighbors(std::span<const Vec<Dim, Real>> points,
                             std::span<const std::type_identity_t<Real>> radii, RadiusRule rule,
                             const PeriodicBox<Dim, double>& box = {});

/// Brings the values of a field into sorted order: sorted[k] = values[order[k]].
template <class T>
void reorder(std::span<const Index> order, std::span<const T> values, std::span<T> sorted)
{
    PHYXEL_ASSERT(order.size() == values.size());
    PHYXEL_ASSERT(order.size() == sorted.size());
    parallel_for(order.size(), [&](Index k) { sorted[k] = values[order[k]]; });
}

extern template class NeighborSearch<1, float>;
extern template class NeighborSearch<2, float>;
extern template class NeighborSearch<3, float>;
extern template class NeighborSearch<1, double>;
extern template class NeighborSearch<2, double>;
extern template class NeighborSearch<3, double>;

} // namespace phyxel
