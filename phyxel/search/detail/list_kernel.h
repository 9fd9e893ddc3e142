// SPDX-License-Identifier: MIT
// The innermost loops of list building, once for each width of vector unit. This header and the files that
// implement it see neither Eigen nor the standard library: an inline function of those, compiled here for
// the wider unit, could be the copy that the linker keeps for everybody.
//
// All paths compute the same bits: d² = fma(dz, dz, fma(dy, dy, dx·dx)) in the precision of the points, and
// a neighbour is a point with d² ≤ r².
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace phyxel::detail {

/// Sorted points. The arrays may be read one vector past their end.
template <class Real>
struct PointArrays {
    const Real* x;
    const Real* y;
    const Real* z;
    const Real* squared_radius; ///< of each point; null: all have `fixed_squared_radius`
    Real fixed_squared_radius;
    bool larger_radius_counts; ///< d ≤ max(r_i, r_j) instead of d ≤ r_i
};

/// Consecutive sorted points that may be neighbours, seen through a periodic image that is displaced by
/// `shift`.
template <class Real>
struct CandidateRun {
    uint32_t begin;
    uint32_t end;
    Real shift[3];
};

/// Candidates of one cell, copied together so that the test streams through them. Each array needs room
/// for all candidates and two vectors more.
template <class Real>
struct CandidateArrays {
    Real* x;
    Real* y;
    Real* z;
    Real* squared_radius; ///< filled only if the larger radius counts
    Real* shift[3];       ///< filled only if some run is shifted
    uint32_t* id;
    uint32_t* side; ///< scratch for the list of every second query
    bool shifted;
};

template <class Real>
struct ListKernel {
    static constexpr size_t max_lanes = 16;

    /// Copies the runs into `candidates` and returns how many there are. With `cull`, leaves out those that
    /// are too far from the box around the queries [query_begin, query_end).
    size_t (*gather)(const PointArrays<Real>& points, const CandidateRun<Real>* runs, int run_count,
                     uint32_t query_begin, uint32_t query_end, bool cull,
                     const CandidateArrays<Real>& candidates);

    /// Writes the lists of the queries one after the other to `out` and their lengths to `counts`; returns
    /// the end. `out` needs room for (queries · candidates + 2 · max_lanes).
    uint32_t* (*test)(const PointArrays<Real>& points, const CandidateArrays<Real>& candidates,
                      size_t candidate_count, uint32_t query_begin, uint32_t query_end, uint32_t* out,
                      uint32_t* counts);

    /// Copies past the cache, for results that are not read again soon.
    void (*stream)(const uint32_t* from, size_t count, uint32_t* to);
};

template <class Real>
ListKernel<Real> list_kernel_avx2();
template <class Real>
ListKernel<Real> list_kernel_avx512();

} // namespace phyxel::detail
