// SPDX-License-Identifier: MIT
// Scratch memory that is kept between steps and never zeroed. Touching the pages of a large std::vector
// only to fill it with zeros costs more than building a neighbour list.
#pragma once

#include <phyxel/core/assert.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace phyxel {

/// Uninitialised array of trivial values, aligned to cache lines. Growing discards the content unless
/// `grow` is asked to keep it; shrinking keeps the memory.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    Buffer() = default;
    explicit Buffer(std::size_t size) { resize(size); }
    // Written out, because the sizes of a buffer that was moved from must go with its memory.
    Buffer(Buffer&& other) noexcept
        : data_(std::move(other.data_)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0))
    {
    }
    Buffer& operator=(Buffer&& other) noexcept
    {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }

    /// Sets the size; the content is undefined afterwards.
    void resize(std::size_t size)
    {
        if (size > capacity_) {
            // What has grown once is likely to grow again, and by a little.
            const std::size_t room = std::max(size, capacity_ + capacity_ / 2);
            data_.reset();
            capacity_ = 0;
            data_ = allocate(room);
            capacity_ = room;
        }
        size_ = size;
    }

    /// Makes room for at least `capacity` values and keeps the first `kept`. The size becomes `kept`.
    void grow(std::size_t capacity, std::size_t kept)
    {
        PHYXEL_ASSERT(kept <= capacity_);
        if (capacity > capacity_) {
            Memory larger = allocate(capacity);
            std::copy_n(data_.get(), kept, larger.get());
            data_ = std::move(larger);
            capacity_ = capacity;
        }
        size_ = kept;
    }

    std::size_t size() const { return size_; }
    std::size_t capacity() const { return capacity_; }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](std::size_t i)
    {
        PHYXEL_ASSERT(i < size_);
        return data_.get()[i];
    }
    const T& operator[](std::size_t i) const
    {
        PHYXEL_ASSERT(i < size_);
        return data_.get()[i];
    }
    std::span<T> span() { return {data_.get(), size_}; }
    std::span<const T> span() const { return {data_.get(), size_}; }

private:
    static constexpr std::size_t alignment = 64;

    struct Release {
        void operator()(T* memory) const { ::operator delete(memory, std::align_val_t(alignment)); }
    };
    using Memory = std::unique_ptr<T, Release>;

    static Memory allocate(std::size_t size)
    {
        return Memory(static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t(alignment))));
    }

    Memory data_;
    std::size_t size_ = 0;
    std::size_t capacity_ = 0;
};

} // namespace phyxel
