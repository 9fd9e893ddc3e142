// SPDX-License-Identifier: MIT
// A field given by samples at particles, and the kernel-weighted sums over those samples.
#pragma once

#include <phyxel/approx/detail/pair_sums.h>
#include <phyxel/approx/kernels.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/search/neighbor_lists.h>

#include <optional>
#include <span>

namespace phyxel::detail {

/// Samples f_j with the weights w_j = ω(|x − x_j|) V_j, or ω alone if there are no volumes. `Value` is a
/// number or a vector.
template <int Dim, class Value, Kernel<Dim> K>
class SampledField {
public:
    using Real = ScalarOf<K>;

    SampledField(std::span<const Vec<Dim, Real>> x, std::span<const Real> volume, std::span<const Value> f,
                 const K& kernel, const PeriodicBox<Dim, Real>& box)
        : x_(x),
          volume_(volume),
          f_(f),
          kernel_(kernel),
          difference_(box)
    {
        PHYXEL_ASSERT(f.size() == x.size());
        PHYXEL_ASSERT(volume.empty() || volume.size() == x.size());
    }

    /// Σ w_j f_j at the particles.
    void sum(const NeighborLists& neighbors, std::span<Value> out) const
    {
        PHYXEL_ASSERT(neighbors.size() == x_.size() && out.size() == x_.size());
        parallel_for(out.size(), [&](Index i) { out[i] = at_particle(i, neighbors.of(i)).values; });
    }

    /// Σ w_j f_j / Σ w_j at the particles.
    void mean(const NeighborLists& neighbors, std::span<Value> out) const
    {
        PHYXEL_ASSERT(neighbors.size() == x_.size() && out.size() == x_.size());
        parallel_for(out.size(), [&](Index i) { out[i] = at_particle(i, neighbors.of(i)).mean(); });
    }

    Value sum_at(const Vec<Dim, Real>& point, std::span<const Index> ids) const
    {
        return at(point, ids).values;
    }

    std::optional<Value> mean_at(const Vec<Dim, Real>& point, std::span<const Index> ids) const
    {
        const WeightedSum sum = at(point, ids);
        if (sum.weights == 0) return std::nullopt;
        return sum.mean();
    }

private:
    struct WeightedSum {
        Value values = zero<Value>();
        Real weights = 0;

        void add(Real weight, const Value& value)
        {
            values += weight * value;
            weights += weight;
        }
        Value mean() const { return values / weights; }
    };

    WeightedSum at(const Vec<Dim, Real>& point, std::span<const Index> ids) const
    {
        WeightedSum sum;
        add_samples(point, ids, sum);
        return sum;
    }

    WeightedSum at_particle(Index i, std::span<const Index> neighbors) const
    {
        WeightedSum sum;
        sum.add(weight(0, i), f_[i]);
        add_samples(x_[i], neighbors, sum);
        return sum;
    }

    void add_samples(const Vec<Dim, Real>& point, std::span<const Index> ids, WeightedSum& sum) const
    {
        for (Index j : ids) sum.add(weight(difference_(point, x_[j]).norm(), j), f_[j]);
    }

    Real weight(Real r, Index j) const
    {
        return volume_.empty() ? kernel_.value(r) : volume_[j] * kernel_.value(r);
    }

    std::span<const Vec<Dim, Real>> x_;
    std::span<const Real> volume_;
    std::span<const Value> f_;
    const K& kernel_;
    PairDifference<Dim, Real> difference_;
};

} // namespace phyxel::detail
