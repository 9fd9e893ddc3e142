// SPDX-License-Identifier: MIT
// What the SPH sums share: differences of positions in a box that may repeat, and the 0 of a field.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/periodic_box.h>

#include <type_traits>

namespace phyxel::detail {

/// a − b, between nearest images if the box repeats along any axis. Asked once per stage, so that open
/// space pays for the question with one branch per pair that always goes the same way.
template <int Dim, std::floating_point Real>
class PairDifference {
public:
    explicit PairDifference(const PeriodicBox<Dim, Real>& box) : box_(box)
    {
        for (int axis = 0; axis < Dim; ++axis) is_periodic_ = is_periodic_ || box.is_periodic(axis);
    }

    Vec<Dim, Real> operator()(const Vec<Dim, Real>& a, const Vec<Dim, Real>& b) const
    {
        if (is_periodic_) return box_.difference(a, b);
        return a - b;
    }

private:
    const PeriodicBox<Dim, Real>& box_;
    bool is_periodic_ = false;
};

/// 0 of a field of numbers or of vectors.
template <class Value>
Value zero()
{
    if constexpr (std::is_arithmetic_v<Value>)
        return 0;
    else
        return Value::Zero();
}

} // namespace phyxel::detail
