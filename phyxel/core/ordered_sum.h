// SPDX-License-Identifier: MIT
// Sums whose bits do not depend on the number of threads or on where an array happens to lie in memory.
// Eigen's .sum(), .dot() and .norm() on dynamic data and tbb::parallel_reduce give neither.
#pragma once

#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <vector>

namespace phyxel {

/// Σ term(i) over i in [0, count), starting from `zero`: within blocks of fixed size from front to back, then
/// over the blocks from front to back. `Value` needs only +=. `partial` is memory that the caller keeps, for
/// loops that must not allocate.
template <class Value, class Term>
Value ordered_sum(std::size_t count, Value zero, Term&& term, std::vector<Value>& partial)
{
    partial.assign(block_count(count, default_block_size), zero);
    parallel_for_blocks(count, default_block_size, [&](const Block& block) {
        Value sum = zero;
        for (std::size_t i = block.begin; i < block.end; ++i) sum += term(static_cast<Index>(i));
        partial[block.number] = sum;
    });
    Value total = zero;
    for (const Value& sum : partial) total += sum;
    return total;
}

/// The same with memory of its own.
template <class Value, class Term>
Value ordered_sum(std::size_t count, Value zero, Term&& term)
{
    std::vector<Value> partial;
    return ordered_sum(count, zero, term, partial);
}

/// Σ term(i) of numbers.
template <class Term>
double ordered_sum(std::size_t count, Term&& term)
{
    return ordered_sum(count, 0.0, term);
}

/// The largest of `lowest` and term(i) over i in [0, count). NaN is passed over.
template <class Term>
double ordered_max(std::size_t count, double lowest, Term&& term, std::vector<double>& partial)
{
    partial.assign(block_count(count, default_block_size), lowest);
    parallel_for_blocks(count, default_block_size, [&](const Block& block) {
        double largest = lowest;
        for (std::size_t i = block.begin; i < block.end; ++i)
            largest = std::max(largest, static_cast<double>(term(static_cast<Index>(i))));
        partial[block.number] = largest;
    });
    return std::max(lowest, partial.empty() ? lowest : *std::max_element(partial.begin(), partial.end()));
}

} // namespace phyxel
