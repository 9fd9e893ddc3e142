// SPDX-License-Identifier: MIT
// One number for a whole state, to compare runs: two states have the same hash if all their bits agree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>

namespace phyxel {

/// 64-bit hash of a sequence of values. Not cryptographic; the order of the values matters.
class StateHash {
public:
    template <class T>
    void add(std::span<const T> values)
    {
        add_bytes(std::as_bytes(values));
    }

    template <class T>
    void add(const T& value) requires std::is_arithmetic_v<T>
    {
        add_bytes(std::as_bytes(std::span<const T, 1>(&value, 1)));
    }

    std::uint64_t value() const;

private:
    void add_bytes(std::span<const std::byte> bytes);

    std::uint64_t state_ = 0xcbf29ce484222325u;
    std::uint64_t length_ = 0;
};

/// A hash as people write and compare it: 16 hexadecimal digits.
std::string hash_text(std::uint64_t hash);

} // namespace phyxel
