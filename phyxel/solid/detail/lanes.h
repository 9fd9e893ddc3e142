// SPDX-License-Identifier: MIT
// A vector of space in a vector register: what the loops over pairs of phyxels compute with. Products and
// sums are fused on purpose, which is the same bits on every processor that has the instruction, and ours all
// do.
#pragma once

#include <phyxel/solid/solid_model.h>

#include <immintrin.h>

namespace phyxel {

template <int Dim>
struct Register;

template <>
struct Register<3> {
    __m256d value;

    static Register zero() { return {_mm256_setzero_pd()}; }
    static Register load(const double* four) { return {_mm256_load_pd(four)}; }
    static Register all(double number) { return {_mm256_set1_pd(number)}; }
    void store(double* four) const { _mm256_store_pd(four, value); }

    /// Component K everywhere.
    template <int K>
    Register spread() const
    {
        return {_mm256_permute4x64_pd(value, K * 0x55)};
    }

    friend Register operator-(Register a, Register b) { return {_mm256_sub_pd(a.value, b.value)}; }
    friend Register operator+(Register a, Register b) { return {_mm256_add_pd(a.value, b.value)}; }
    friend Register operator*(Register a, Register b) { return {_mm256_mul_pd(a.value, b.value)}; }
    /// a b + c.
    friend Register fused(Register a, Register b, Register c)
    {
        return {_mm256_fmadd_pd(a.value, b.value, c.value)};
    }
    /// c − a b.
    friend Register fused_minus(Register a, Register b, Register c)
    {
        return {_mm256_fnmadd_pd(a.value, b.value, c.value)};
    }
};

template <>
struct Register<2> {
    __m128d value;

    static Register zero() { return {_mm_setzero_pd()}; }
    static Register load(const double* two) { return {_mm_load_pd(two)}; }
    static Register all(double number) { return {_mm_set1_pd(number)}; }
    void store(double* two) const { _mm_store_pd(two, value); }

    template <int K>
    Register spread() const
    {
        return {_mm_shuffle_pd(value, value, K * 3)};
    }

    friend Register operator-(Register a, Register b) { return {_mm_sub_pd(a.value, b.value)}; }
    friend Register operator+(Register a, Register b) { return {_mm_add_pd(a.value, b.value)}; }
    friend Register operator*(Register a, Register b) { return {_mm_mul_pd(a.value, b.value)}; }
    friend Register fused(Register a, Register b, Register c)
    {
        return {_mm_fmadd_pd(a.value, b.value, c.value)};
    }
    friend Register fused_minus(Register a, Register b, Register c)
    {
        return {_mm_fnmadd_pd(a.value, b.value, c.value)};
    }
};

/// The columns of a matrix.
template <int Dim>
struct RegisterMatrix {
    Register<Dim> column[Dim];

    static RegisterMatrix zero()
    {
        RegisterMatrix matrix;
        for (Register<Dim>& column : matrix.column) column = Register<Dim>::zero();
        return matrix;
    }

    /// Adds a bᵀ.
    void add_product(Register<Dim> a, Register<Dim> b)
    {
        column[0] = fused(b.template spread<0>(), a, column[0]);
        column[1] = fused(b.template spread<1>(), a, column[1]);
        if constexpr (Dim == 3) column[2] = fused(b.template spread<2>(), a, column[2]);
    }

    void store(LaneMatrix<Dim>& matrix) const
    {
        for (int c = 0; c < Dim; ++c) column[c].store(matrix.col(c).data());
    }
};

} // namespace phyxel
