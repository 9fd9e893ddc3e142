// SPDX-License-Identifier: MIT
// Sums whose bits do not depend on the number of threads or on where an array happens to lie in memory.
// Eigen's .sum(), .dot() and .norm() on dynamic data and tbb::parallel_reduce give neither.
#pragma once

#include <phyxel/core/parallel_for.h>

#include <vector>

namespace phyxel {

/// Σ term(i) over i in [0, count), starting from `zero`: within blocks of fixed size from front to back, then
/// over the blocks from front to back. `Value` needs only +=.
template <class Value, class Term>
Value ordered_sum(std::size_t count, Value zero, Term&& term)
{
    std::vector<Value> partial(block_count(count, default_block_size), zero);
    parallel_for_blocks(count, default_block_size, [&](const Block& block) {
        Value sum = zero;
        for (std::size_t i = block.begin; i < block.end; ++i) sum += term(static_cast<Index>(i));
        partial[block.number] = sum;
    });
    Value total = zero;
    for (const Value& sum : partial) total += sum;
    return total;
}

/// Σ term(i) of numbers.
template <class Term>
double ordered_sum(std::size_t count, Term&& term)
{
    return ordered_sum(count, 0.0, term);
}

} // namespace phyxel
