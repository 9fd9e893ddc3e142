// SPDX-License-Identifier: MIT
// List building written once over a type of vector lanes. Included by list_kernel_avx2.cpp and
// list_kernel_avx512.cpp only, each with lanes of its own in an unnamed namespace.
//
// `Lanes` offers: Real, width, Vector, Ids, Mask; load, set, subtract, add, multiply, multiply_add, maximum,
// less_equal (false for NaN), load_ids, iota, set_ids, without (mask minus the lanes equal to an id), first
// (mask of the first n lanes), count, store, store_ids, compress_store for both.
#pragma once

#include <phyxel/search/detail/list_kernel.h>

namespace phyxel::detail {

template <class Lanes>
struct QueryBox {
    using Real = typename Lanes::Real;
    Real min[3];
    Real max[3];
    Real squared_reach;
};

template <class Lanes>
QueryBox<Lanes> box_around(const PointArrays<typename Lanes::Real>& points, uint32_t begin, uint32_t end)
{
    using Real = typename Lanes::Real;
    const Real* const axis[3] = {points.x, points.y, points.z};
    QueryBox<Lanes> box;
    for (int k = 0; k < 3; ++k) box.min[k] = box.max[k] = axis[k][begin];
    for (uint32_t q = begin + 1; q < end; ++q) {
        for (int k = 0; k < 3; ++k) {
            const Real c = axis[k][q];
            box.min[k] = c < box.min[k] ? c : box.min[k];
            box.max[k] = c > box.max[k] ? c : box.max[k];
        }
    }
    box.squared_reach = points.fixed_squared_radius;
    if (points.squared_radius) {
        box.squared_reach = points.squared_radius[begin];
        for (uint32_t q = begin + 1; q < end; ++q)
            if (points.squared_radius[q] > box.squared_reach) box.squared_reach = points.squared_radius[q];
    }
    return box;
}

/// Squared distance from the box to `x` (displaced by `shift`). Rounding is monotonic, so this is never more
/// than the computed squared distance between x and a query in the box: culling by it loses nobody.
template <class Lanes, bool Shifted>
typename Lanes::Vector squared_distance_to_box(const QueryBox<Lanes>& box,
                                               const typename Lanes::Vector (&x)[3],
                                               const typename Lanes::Real (&shift)[3])
{
    const auto zero = Lanes::set(0);
    typename Lanes::Vector sum = zero;
    for (int k = 0; k < 3; ++k) {
        auto below = Lanes::subtract(Lanes::set(box.min[k]), x[k]);
        auto above = Lanes::subtract(x[k], Lanes::set(box.max[k]));
        if constexpr (Shifted) {
            below = Lanes::subtract(below, Lanes::set(shift[k]));
            above = Lanes::add(above, Lanes::set(shift[k]));
        }
        const auto d = Lanes::maximum(Lanes::maximum(below, above), zero);
        sum = k == 0 ? Lanes::multiply(d, d) : Lanes::multiply_add(d, d, sum);
    }
    return sum;
}

template <class Lanes, bool Shifted, bool Larger, bool Cull>
size_t gather(const PointArrays<typename Lanes::Real>& points, const CandidateRun<typename Lanes::Real>* runs,
              int run_count, uint32_t query_begin, uint32_t query_end,
              const CandidateArrays<typename Lanes::Real>& candidates)
{
    using Vector = typename Lanes::Vector;
    QueryBox<Lanes> box{};
    if constexpr (Cull) box = box_around<Lanes>(points, query_begin, query_end);

    size_t n = 0;
    for (int r = 0; r < run_count; ++r) {
        const auto& run = runs[r];
        for (uint32_t j = run.begin; j < run.end; j += Lanes::width) {
            const Vector x[3] = {Lanes::load(points.x + j), Lanes::load(points.y + j),
                                 Lanes::load(points.z + j)};
            const auto ids = Lanes::iota(j);
            auto kept = Lanes::first(run.end - j);
            if constexpr (Cull) {
                auto reach = Lanes::set(box.squared_reach);
                if constexpr (Larger) reach = Lanes::maximum(reach, Lanes::load(points.squared_radius + j));
                const auto near =
                    Lanes::less_equal(squared_distance_to_box<Lanes, Shifted>(box, x, run.shift), reach);
                kept = Lanes::both(kept, near);
                Lanes::compress_store(candidates.x + n, kept, x[0]);
                Lanes::compress_store(candidates.y + n, kept, x[1]);
                Lanes::compress_store(candidates.z + n, kept, x[2]);
                Lanes::compress_store_ids(candidates.id + n, kept, ids);
                if constexpr (Larger)
                    Lanes::compress_store(candidates.squared_radius + n, kept,
                                          Lanes::load(points.squared_radius + j));
            } else {
                Lanes::store(candidates.x + n, x[0]);
                Lanes::store(candidates.y + n, x[1]);
                Lanes::store(candidates.z + n, x[2]);
                Lanes::store_ids(candidates.id + n, ids);
                if constexpr (Larger)
                    Lanes::store(candidates.squared_radius + n, Lanes::load(points.squared_radius + j));
            }
            if constexpr (Shifted)
                for (int k = 0; k < 3; ++k) Lanes::store(candidates.shift[k] + n, Lanes::set(run.shift[k]));
            n += Lanes::count(kept);
        }
    }
    // Nothing compares less or equal with NaN: the last vector's surplus lanes are nobody's neighbours.
    Lanes::store(candidates.x + n, Lanes::set(Lanes::not_a_number()));
    return n;
}

template <class Lanes, bool Shifted, bool Larger>
uint32_t* test(const PointArrays<typename Lanes::Real>& points,
               const CandidateArrays<typename Lanes::Real>& candidates, size_t candidate_count,
               uint32_t query_begin, uint32_t query_end, uint32_t* out, uint32_t* counts)
{
    using Vector = typename Lanes::Vector;
    using Ids = typename Lanes::Ids;

    const auto squared_radius = [&](uint32_t q) {
        return Lanes::set(points.squared_radius ? points.squared_radius[q] : points.fixed_squared_radius);
    };

    // Two queries share each load of candidates; the second list goes aside and follows when the length of
    // the first is known.
    for (uint32_t q = query_begin; q < query_end; q += 2) {
        const uint32_t p = q + 1 < query_end ? q + 1 : q;
        const Vector xq[3] = {Lanes::set(points.x[q]), Lanes::set(points.y[q]), Lanes::set(points.z[q])};
        const Vector xp[3] = {Lanes::set(points.x[p]), Lanes::set(points.y[p]), Lanes::set(points.z[p])};
        const Vector rq = squared_radius(q);
        const Vector rp = squared_radius(p);
        const Ids id_q = Lanes::set_ids(q);
        const Ids id_p = Lanes::set_ids(p);
        uint32_t* end_q = out;
        uint32_t* end_p = candidates.side;

        for (size_t c = 0; c < candidate_count; c += Lanes::width) {
            const Vector x[3] = {Lanes::load(candidates.x + c), Lanes::load(candidates.y + c),
                                 Lanes::load(candidates.z + c)};
            const Ids ids = Lanes::load_ids(candidates.id + c);
            Vector dq[3], dp[3];
            for (int k = 0; k < 3; ++k) {
                dq[k] = Lanes::subtract(xq[k], x[k]);
                dp[k] = Lanes::subtract(xp[k], x[k]);
                if constexpr (Shifted) {
                    // After the subtraction, so that i sees j exactly when j sees i.
                    const Vector s = Lanes::load(candidates.shift[k] + c);
                    dq[k] = Lanes::subtract(dq[k], s);
                    dp[k] = Lanes::subtract(dp[k], s);
                }
            }
            const Vector d2q = Lanes::multiply_add(
                dq[2], dq[2], Lanes::multiply_add(dq[1], dq[1], Lanes::multiply(dq[0], dq[0])));
            const Vector d2p = Lanes::multiply_add(
                dp[2], dp[2], Lanes::multiply_add(dp[1], dp[1], Lanes::multiply(dp[0], dp[0])));
            Vector limit_q = rq, limit_p = rp;
            if constexpr (Larger) {
                const Vector r = Lanes::load(candidates.squared_radius + c);
                limit_q = Lanes::maximum(rq, r);
                limit_p = Lanes::maximum(rp, r);
            }
            const auto near_q = Lanes::without(Lanes::less_equal(d2q, limit_q), ids, id_q);
            const auto near_p = Lanes::without(Lanes::less_equal(d2p, limit_p), ids, id_p);
            Lanes::compress_store_ids(end_q, near_q, ids);
            Lanes::compress_store_ids(end_p, near_p, ids);
            end_q += Lanes::count(near_q);
            end_p += Lanes::count(near_p);
        }

        *counts++ = static_cast<uint32_t>(end_q - out);
        out = end_q;
        if (p == q) break;
        const size_t count_p = static_cast<size_t>(end_p - candidates.side);
        for (size_t c = 0; c < count_p; c += Lanes::width)
            Lanes::store_ids(out + c, Lanes::load_ids(candidates.side + c));
        *counts++ = static_cast<uint32_t>(count_p);
        out += count_p;
    }
    return out;
}

template <class Lanes>
ListKernel<typename Lanes::Real> make_list_kernel()
{
    using Real = typename Lanes::Real;
    ListKernel<Real> kernel;
    kernel.gather = [](const PointArrays<Real>& points, const CandidateRun<Real>* runs, int run_count,
                       uint32_t begin, uint32_t end, bool cull, const CandidateArrays<Real>& candidates) {
        const bool larger = points.larger_radius_counts;
        const auto choose = [&](auto run) { return run(points, runs, run_count, begin, end, candidates); };
        if (candidates.shifted) {
            if (larger)
                return choose(cull ? gather<Lanes, true, true, true> : gather<Lanes, true, true, false>);
            return choose(cull ? gather<Lanes, true, false, true> : gather<Lanes, true, false, false>);
        }
        if (larger)
            return choose(cull ? gather<Lanes, false, true, true> : gather<Lanes, false, true, false>);
        return choose(cull ? gather<Lanes, false, false, true> : gather<Lanes, false, false, false>);
    };
    kernel.test = [](const PointArrays<Real>& points, const CandidateArrays<Real>& candidates, size_t count,
                     uint32_t begin, uint32_t end, uint32_t* out, uint32_t* counts) {
        const bool larger = points.larger_radius_counts;
        const auto choose = [&](auto run) { return run(points, candidates, count, begin, end, out, counts); };
        if (candidates.shifted) return choose(larger ? test<Lanes, true, true> : test<Lanes, true, false>);
        return choose(larger ? test<Lanes, false, true> : test<Lanes, false, false>);
    };
    kernel.stream = [](const uint32_t* from, size_t count, uint32_t* to) {
        size_t i = 0;
        while (i < count && reinterpret_cast<uintptr_t>(to + i) % Lanes::stream_bytes != 0) {
            to[i] = from[i];
            ++i;
        }
        constexpr size_t ids_per_store = Lanes::stream_bytes / sizeof(uint32_t);
        for (; i + ids_per_store <= count; i += ids_per_store) Lanes::stream_store(to + i, from + i);
        for (; i < count; ++i) to[i] = from[i];
        Lanes::stream_fence();
    };
    return kernel;
}

} // namespace phyxel::detail
