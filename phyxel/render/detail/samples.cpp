// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/render/detail/samples.h>

#include <cstddef>
#include <utility>

namespace phyxel::detail {
namespace {

/// In [0, 1), of the upper 24 bits.
float unit_of(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

std::uint32_t reversed_bits(std::uint32_t x)
{
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x >> 8) & 0x00ff00ffu) | ((x & 0x00ff00ffu) << 8);
    return (x >> 16) | (x << 16);
}

/// The second coordinate of the (0, 2)-sequence whose first is the reversed index [KK02].
std::uint32_t sobol_second(std::uint32_t index)
{
    std::uint32_t result = 0;
    for (std::uint32_t v = 1u << 31; index != 0; index >>= 1, v ^= v >> 1)
        if (index & 1u) result ^= v;
    return result;
}

/// `count` points that are stratified in the square: each of the grids with as many cells as there are points
/// (a power of two) has one in every cell. In random order, so that they can be paired with others.
std::vector<std::array<float, 2>> stratified_points(int count, Rng& rng)
{
    const auto scramble_a = static_cast<std::uint32_t>(rng());
    const auto scramble_b = static_cast<std::uint32_t>(rng());
    std::vector<std::array<float, 2>> points(static_cast<std::size_t>(count));
    for (std::uint32_t i = 0; i < points.size(); ++i) {
        points[i] = {unit_of(reversed_bits(i) ^ scramble_a), unit_of(sobol_second(i) ^ scramble_b)};
    }
    for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[rng.below(i)]);
    return points;
}

} // namespace

std::vector<Sample> make_samples(int count, std::uint64_t seed)
{
    Rng rng(seed);
    const auto pixel = stratified_points(count, rng);
    const auto sun = stratified_points(count, rng);
    const auto sky = stratified_points(count, rng);
    const auto lens = stratified_points(count, rng);
    const auto time = stratified_points(count, rng);
    std::vector<Sample> samples(pixel.size());
    for (std::size_t i = 0; i < samples.size(); ++i)
        samples[i] = {pixel[i], sun[i], sky[i], lens[i], time[i][0]};
    return samples;
}

SampleShift::SampleShift(std::uint64_t seed, std::uint64_t pixel)
{
    Rng rng(seed, pixel);
    for (std::size_t i = 0; i < shift_.size(); i += 2) {
        const std::uint64_t bits = rng();
        shift_[i] = unit_of(static_cast<std::uint32_t>(bits));
        if (i + 1 < shift_.size()) shift_[i + 1] = unit_of(static_cast<std::uint32_t>(bits >> 32));
    }
}

} // namespace phyxel::detail
