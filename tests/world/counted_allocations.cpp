// SPDX-License-Identifier: MIT
// In a file of its own: g++ 12 takes operators that it can inline for a mismatch of new and free.
#include "counted_allocations.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace phyxel {

std::atomic<std::size_t> allocation_count = 0;

} // namespace phyxel

namespace {

void* counted_allocation(std::size_t size, std::size_t alignment)
{
    ++phyxel::allocation_count;
    void* memory = nullptr;
    if (::posix_memalign(&memory, std::max(alignment, sizeof(void*)), size) != 0) throw std::bad_alloc();
    return memory;
}

} // namespace

void* operator new(std::size_t size) { return counted_allocation(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment)
{
    return counted_allocation(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
