// SPDX-License-Identifier: MIT
// List building with 256-bit vectors, which every machine that we support has.
#include <phyxel/search/detail/list_kernel_loops.h>

#include <immintrin.h>

namespace phyxel::detail {
namespace {

/// For every mask, the lanes that are set, moved to the front.
template <int Width>
struct CompressTable {
    alignas(64) uint8_t lane[1 << Width][Width];

    constexpr CompressTable() : lane()
    {
        for (int mask = 0; mask < (1 << Width); ++mask) {
            int n = 0;
            for (int bit = 0; bit < Width; ++bit)
                if (mask & (1 << bit)) lane[mask][n++] = static_cast<uint8_t>(bit);
        }
    }
};

constexpr CompressTable<8> compress_8;

struct Stream256 {
    static constexpr size_t stream_bytes = 32;
    static void stream_store(uint32_t* to, const uint32_t* from)
    {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(to),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }
    static void stream_fence() { _mm_sfence(); }
};

struct FloatLanes256 : Stream256 {
    using Real = float;
    using Vector = __m256;
    using Ids = __m256i;
    using Mask = unsigned;
    static constexpr size_t width = 8;

    static Real not_a_number() { return __builtin_nanf(""); }
    static Vector load(const Real* p) { return _mm256_loadu_ps(p); }
    static Vector set(Real v) { return _mm256_set1_ps(v); }
    static Vector add(Vector a, Vector b) { return _mm256_add_ps(a, b); }
    static Vector subtract(Vector a, Vector b) { return _mm256_sub_ps(a, b); }
    static Vector multiply(Vector a, Vector b) { return _mm256_mul_ps(a, b); }
    static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm256_fmadd_ps(a, b, c); }
    static Vector maximum(Vector a, Vector b) { return _mm256_max_ps(a, b); }
    static Mask less_equal(Vector a, Vector b)
    {
        return static_cast<Mask>(_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ)));
    }
    static Mask both(Mask a, Mask b) { return a & b; }
    static Mask first(size_t n) { return n >= width ? 0xffu : (1u << n) - 1u; }
    static Mask without(Mask m, Ids ids, Ids id)
    {
        return m & ~static_cast<Mask>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(ids, id))));
    }
    static size_t count(Mask m) { return static_cast<size_t>(__builtin_popcount(m)); }
    static void store(Real* p, Vector v) { _mm256_storeu_ps(p, v); }
    static __m256i front(Mask m)
    {
        return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(compress_8.lane[m])));
    }
    static void compress_store(Real* p, Mask m, Vector v)
    {
        _mm256_storeu_ps(p, _mm256_permutevar8x32_ps(v, front(m)));
    }
    static Ids load_ids(const uint32_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); }
    static Ids set_ids(uint32_t id) { return _mm256_set1_epi32(static_cast<int>(id)); }
    static Ids iota(uint32_t begin)
    {
        return _mm256_add_epi32(set_ids(begin), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    }
    static void store_ids(uint32_t* p, Ids v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); }
    static void compress_store_ids(uint32_t* p, Mask m, Ids v)
    {
        store_ids(p, _mm256_permutevar8x32_epi32(v, front(m)));
    }
};

struct DoubleLanes256 : Stream256 {
    using Real = double;
    using Vector = __m256d;
    using Ids = __m128i;
    using Mask = unsigned;
    static constexpr size_t width = 4;

    static Real not_a_number() { return __builtin_nan(""); }
    static Vector load(const Real* p) { return _mm256_loadu_pd(p); }
    static Vector set(Real v) { return _mm256_set1_pd(v); }
    static Vector add(Vector a, Vector b) { return _mm256_add_pd(a, b); }
    static Vector subtract(Vector a, Vector b) { return _mm256_sub_pd(a, b); }
    static Vector multiply(Vector a, Vector b) { return _mm256_mul_pd(a, b); }
    static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm256_fmadd_pd(a, b, c); }
    static Vector maximum(Vector a, Vector b) { return _mm256_max_pd(a, b); }
    static Mask less_equal(Vector a, Vector b)
    {
        return static_cast<Mask>(_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ)));
    }
    static Mask both(Mask a, Mask b) { return a & b; }
    static Mask first(size_t n) { return n >= width ? 0xfu : (1u << n) - 1u; }
    static Mask without(Mask m, Ids ids, Ids id)
    {
        return m & ~static_cast<Mask>(_mm_movemask_ps(_mm_castsi128_ps(_mm_cmpeq_epi32(ids, id))));
    }
    static size_t count(Mask m) { return static_cast<size_t>(__builtin_popcount(m)); }
    static void store(Real* p, Vector v) { _mm256_storeu_pd(p, v); }
    static void compress_store(Real* p, Mask m, Vector v)
    {
        // Doubles move as pairs of 32-bit lanes: lane l becomes lanes 2l and 2l + 1.
        const __m256i lane = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(static_cast<int>(front_bytes(m))));
        const __m256i low = _mm256_add_epi64(lane, lane);
        const __m256i both_halves =
            _mm256_or_si256(low, _mm256_slli_epi64(_mm256_add_epi64(low, _mm256_set1_epi64x(1)), 32));
        _mm256_storeu_pd(p, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(v), both_halves)));
    }
    static Ids load_ids(const uint32_t* p) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
    static Ids set_ids(uint32_t id) { return _mm_set1_epi32(static_cast<int>(id)); }
    static Ids iota(uint32_t begin) { return _mm_add_epi32(set_ids(begin), _mm_setr_epi32(0, 1, 2, 3)); }
    static void store_ids(uint32_t* p, Ids v) { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), v); }
    static void compress_store_ids(uint32_t* p, Mask m, Ids v)
    {
        const __m128i lane = _mm_cvtepu8_epi32(_mm_cvtsi32_si128(static_cast<int>(front_bytes(m))));
        store_ids(p, _mm_castps_si128(_mm_permutevar_ps(_mm_castsi128_ps(v), lane)));
    }

private:
    /// The first four lanes of `mask`, a byte each. Masks of four bits are the first sixteen of the table.
    static uint32_t front_bytes(Mask m)
    {
        uint32_t bytes;
        __builtin_memcpy(&bytes, compress_8.lane[m], sizeof bytes);
        return bytes;
    }
};

} // namespace

template <>
ListKernel<float> list_kernel_avx2<float>()
{
    return make_list_kernel<FloatLanes256>();
}

template <>
ListKernel<double> list_kernel_avx2<double>()
{
    return make_list_kernel<DoubleLanes256>();
}

} // namespace phyxel::detail
