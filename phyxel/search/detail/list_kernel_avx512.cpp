// SPDX-License-Identifier: MIT
// List building with 512-bit vectors. Compiled for AVX-512 and called only where the processor has it.
#include <phyxel/search/detail/list_kernel_loops.h>

#include <immintrin.h>

namespace phyxel::detail {
namespace {

struct Stream512 {
    static constexpr size_t stream_bytes = 64;
    static void stream_store(uint32_t* to, const uint32_t* from)
    {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
    }
    static void stream_fence() { _mm_sfence(); }
};

// Maxima are taken under a full mask, because g++ 12 warns of an uninitialised variable in its own plain
// form. Compressing goes through a register and a full store: the form that writes to memory is slow on
// Zen 4.
struct FloatLanes512 : Stream512 {
    using Real = float;
    using Vector = __m512;
    using Ids = __m512i;
    using Mask = __mmask16;
    static constexpr size_t width = 16;

    static Real not_a_number() { return __builtin_nanf(""); }
    static Vector load(const Real* p) { return _mm512_loadu_ps(p); }
    static Vector set(Real v) { return _mm512_set1_ps(v); }
    static Vector add(Vector a, Vector b) { return _mm512_add_ps(a, b); }
    static Vector subtract(Vector a, Vector b) { return _mm512_sub_ps(a, b); }
    static Vector multiply(Vector a, Vector b) { return _mm512_mul_ps(a, b); }
    static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm512_fmadd_ps(a, b, c); }
    static Vector maximum(Vector a, Vector b) { return _mm512_maskz_max_ps(Mask(0xffff), a, b); }
    static Mask less_equal(Vector a, Vector b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
    static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
    static Mask first(size_t n) { return n >= width ? Mask(0xffff) : static_cast<Mask>((1u << n) - 1u); }
    static Mask without(Mask m, Ids ids, Ids id) { return _mm512_mask_cmpneq_epi32_mask(m, ids, id); }
    static size_t count(Mask m) { return static_cast<size_t>(__builtin_popcount(m)); }
    static void store(Real* p, Vector v) { _mm512_storeu_ps(p, v); }
    static void compress_store(Real* p, Mask m, Vector v)
    {
        _mm512_storeu_ps(p, _mm512_maskz_compress_ps(m, v));
    }
    static Ids load_ids(const uint32_t* p) { return _mm512_loadu_si512(p); }
    static Ids set_ids(uint32_t id) { return _mm512_set1_epi32(static_cast<int>(id)); }
    static Ids iota(uint32_t begin)
    {
        return _mm512_add_epi32(set_ids(begin),
                                _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    }
    static void store_ids(uint32_t* p, Ids v) { _mm512_storeu_si512(p, v); }
    static void compress_store_ids(uint32_t* p, Mask m, Ids v)
    {
        _mm512_storeu_si512(p, _mm512_maskz_compress_epi32(m, v));
    }
};

struct DoubleLanes512 : Stream512 {
    using Real = double;
    using Vector = __m512d;
    using Ids = __m256i;
    using Mask = __mmask8;
    static constexpr size_t width = 8;

    static Real not_a_number() { return __builtin_nan(""); }
    static Vector load(const Real* p) { return _mm512_loadu_pd(p); }
    static Vector set(Real v) { return _mm512_set1_pd(v); }
    static Vector add(Vector a, Vector b) { return _mm512_add_pd(a, b); }
    static Vector subtract(Vector a, Vector b) { return _mm512_sub_pd(a, b); }
    static Vector multiply(Vector a, Vector b) { return _mm512_mul_pd(a, b); }
    static Vector multiply_add(Vector a, Vector b, Vector c) { return _mm512_fmadd_pd(a, b, c); }
    static Vector maximum(Vector a, Vector b) { return _mm512_maskz_max_pd(Mask(0xff), a, b); }
    static Mask less_equal(Vector a, Vector b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
    static Mask both(Mask a, Mask b) { return static_cast<Mask>(a & b); }
    static Mask first(size_t n) { return n >= width ? Mask(0xff) : static_cast<Mask>((1u << n) - 1u); }
    static Mask without(Mask m, Ids ids, Ids id) { return _mm256_mask_cmpneq_epi32_mask(m, ids, id); }
    static size_t count(Mask m) { return static_cast<size_t>(__builtin_popcount(m)); }
    static void store(Real* p, Vector v) { _mm512_storeu_pd(p, v); }
    static void compress_store(Real* p, Mask m, Vector v)
    {
        _mm512_storeu_pd(p, _mm512_maskz_compress_pd(m, v));
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
        store_ids(p, _mm256_maskz_compress_epi32(m, v));
    }
};

} // namespace

template <>
ListKernel<float> list_kernel_avx512<float>()
{
    return make_list_kernel<FloatLanes512>();
}

template <>
ListKernel<double> list_kernel_avx512<double>()
{
    return make_list_kernel<DoubleLanes512>();
}

} // namespace phyxel::detail
