// SPDX-License-Identifier: MIT
#include <phyxel/core/state_hash.h>

#include <cstring>

namespace phyxel {
namespace {

// A bijection of the word for each state, so one changed word always shows. Two rounds of shift and product,
// because a product moves changes only to higher bits: after one, a flipped sign is still a single bit, which
// a fitting change of the next word would take back.
std::uint64_t absorb(std::uint64_t state, std::uint64_t word)
{
    state ^= word;
    state = (state ^ (state >> 32)) * 0x9fb21c651e98df25u;
    state = (state ^ (state >> 29)) * 0xbf58476d1ce4e5b9u;
    return state ^ (state >> 32);
}

} // namespace

void StateHash::add_bytes(std::span<const std::byte> bytes)
{
    std::size_t done = 0;
    for (; done + 8 <= bytes.size(); done += 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data() + done, 8);
        state_ = absorb(state_, word);
    }
    if (done < bytes.size()) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + done, bytes.size() - done);
        state_ = absorb(state_, word);
    }
    // The length of each piece counts, so that [1, 2][3] and [1][2, 3] differ.
    length_ += bytes.size();
    state_ = absorb(state_, bytes.size());
}

std::uint64_t StateHash::value() const { return absorb(absorb(state_, length_), 0x2545f4914f6cdd1du); }

std::string hash_text(std::uint64_t hash)
{
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[(hash >> shift) & 15u];
    return text;
}

} // namespace phyxel
