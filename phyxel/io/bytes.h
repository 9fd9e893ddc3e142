// SPDX-License-Identifier: MIT
// Numbers in binary files, one after the other. Reading checks every step against the end of the file.
#pragma once

#include <phyxel/core/error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace phyxel {

static_assert(std::endian::native == std::endian::little, "the formats are written as they lie in memory");

/// Little endian.
class ByteWriter {
public:
    template <class T>
    void put(T value) requires std::is_arithmetic_v<T>
    {
        put(std::as_bytes(std::span<const T, 1>(&value, 1)));
    }

    void put(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }

    void put(std::string_view text) { put(std::as_bytes(std::span(text))); }

    void reserve(std::size_t size) { bytes_.reserve(size); }
    std::size_t size() const { return bytes_.size(); }
    std::span<const std::byte> bytes() const { return bytes_; }
    std::vector<std::byte> take() && { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

/// Does not own the bytes. `name` is what errors call the file.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, std::string name, std::endian order = std::endian::little)
        : bytes_(bytes),
          name_(std::move(name)),
          order_(order)
    {
    }

    std::size_t position() const { return position_; }
    std::size_t remaining() const { return bytes_.size() - position_; }

    /// Whether `count` items of `size` bytes follow; no product that could overflow.
    bool has(std::uint64_t count, std::size_t size) const { return size == 0 || count <= remaining() / size; }

    std::span<const std::byte> take(std::size_t count)
    {
        if (count > remaining()) fail("ends too early: " + std::to_string(count) + " more bytes expected");
        const auto taken = bytes_.subspan(position_, count);
        position_ += count;
        return taken;
    }

    template <class T>
    T take() requires std::is_arithmetic_v<T>
    {
        std::array<std::byte, sizeof(T)> raw;
        std::memcpy(raw.data(), take(sizeof(T)).data(), sizeof(T));
        if (order_ == std::endian::big) std::reverse(raw.begin(), raw.end());
        return std::bit_cast<T>(raw);
    }

    [[noreturn]] void fail(const std::string& what) const
    {
        throw InputError(name_ + ": byte " + std::to_string(position_) + ": " + what);
    }

private:
    std::span<const std::byte> bytes_;
    std::string name_;
    std::size_t position_ = 0;
    std::endian order_;
};

} // namespace phyxel
