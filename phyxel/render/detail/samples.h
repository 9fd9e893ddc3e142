// SPDX-License-Identifier: MIT
// Where the rays of a pixel go: points of a (0, 2)-sequence, shifted from pixel to pixel.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace phyxel::detail {

/// One sample of a pixel: where in the pixel, which point of the sun, which direction of the sky, which point
/// of the lens, which moment of the shutter; all in [0, 1).
struct Sample {
    std::array<float, 2> pixel, sun, sky, lens;
    float time;
};

/// The samples of every pixel.
std::vector<Sample> make_samples(int count, std::uint64_t seed);

/// Pixels differ by random shifts of the square, which wraps around; places in the pixel are not shifted, so
/// that edges are equally smooth everywhere.
class SampleShift {
public:
    SampleShift(std::uint64_t seed, std::uint64_t pixel);

    Sample apply(const Sample& sample) const
    {
        return {sample.pixel,
                {wrapped(sample.sun[0] + shift_[0]), wrapped(sample.sun[1] + shift_[1])},
                {wrapped(sample.sky[0] + shift_[2]), wrapped(sample.sky[1] + shift_[3])},
                {wrapped(sample.lens[0] + shift_[4]), wrapped(sample.lens[1] + shift_[5])},
                wrapped(sample.time + shift_[6])};
    }

private:
    static float wrapped(float x) { return x >= 1.0f ? x - 1.0f : x; }

    std::array<float, 7> shift_;
};

} // namespace phyxel::detail
