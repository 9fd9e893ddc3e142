// SPDX-License-Identifier: MIT
// Seeded random numbers that are the same on every platform; the distributions of <random> are not.
#pragma once

#include <phyxel/core/types.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace phyxel {

/// SplitMix64 [SLF14]: a counter run through a bijective mixer. Cheap to start, so a generator can be made
/// for one particle at one time: `Rng(seed, id, step)`.
class Rng {
public:
    using result_type = std::uint64_t;

    explicit Rng(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t substream = 0)
        : state_(mix(mix(mix(seed) + stream) + substream))
    {
    }

    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return mix(state_ += golden_gamma); }

    /// In [0, 1), with 53 random bits.
    double uniform() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// In [0, count). The bias is below count / 2⁶⁴.
    std::uint64_t below(std::uint64_t count)
    {
        return static_cast<std::uint64_t>((static_cast<Wide>((*this)()) * count) >> 64);
    }

    /// Standard normal, by Box and Muller.
    double normal()
    {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
        return radius * std::cos(2.0 * std::numbers::pi * uniform());
    }

    /// Each component in [low, high).
    template <int Dim>
    Vec<Dim> point(double low, double high)
    {
        Vec<Dim> x;
        for (int k = 0; k < Dim; ++k) x[k] = uniform(low, high);
        return x;
    }

private:
    __extension__ using Wide = unsigned __int128;
    static constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15u;

    static constexpr std::uint64_t mix(std::uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

} // namespace phyxel
