// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/particle_bins.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

namespace phyxel::detail {
namespace {

struct KeyedParticle {
    std::uint64_t key;
    Index number;
};

/// Stable, by the lowest `bits` bits of the keys, eleven at a time.
void sort_by_key(std::vector<KeyedParticle>& particles, int bits)
{
    constexpr int digit_bits = 11;
    constexpr std::size_t digits = std::size_t(1) << digit_bits;
    std::vector<KeyedParticle> sorted(particles.size());
    for (int shift = 0; shift < bits; shift += digit_bits) {
        std::array<std::size_t, digits> place{};
        const auto digit = [&](const KeyedParticle& p) { return p.key >> shift & (digits - 1); };
        for (const KeyedParticle& p : particles) ++place[digit(p)];
        std::size_t next = 0;
        for (std::size_t& count : place) next += std::exchange(count, next);
        for (const KeyedParticle& p : particles) sorted[place[digit(p)]++] = p;
        particles.swap(sorted);
    }
}

/// The block that a particle lies in, by its position in cells.
GridIndex block_of(const Vec<3>& x)
{
    GridIndex block;
    for (std::size_t k = 0; k < 3; ++k)
        block[k] = static_cast<std::int32_t>(std::floor(x[static_cast<int>(k)] / SparseField::block_edge));
    return block;
}

} // namespace

void check_positions(std::span<const Vec<3>> positions, double cell)
{
    // The fields around the particles reach a few blocks further.
    constexpr double most = SparseField::block_edge * (double(SparseField::max_block) - 1024);
    if (positions.size() > std::numeric_limits<Index>::max())
        throw InputError("there are more particles than can be numbered");
    for (std::size_t i = 0; i < positions.size(); ++i) {
        if (!positions[i].allFinite())
            throw InputError("particle " + std::to_string(i) + " is not at a finite place");
        if (!(positions[i].cwiseAbs().maxCoeff() < most * cell))
            throw InputError("particle " + std::to_string(i) + " is more than " +
                             std::to_string(static_cast<long>(most)) +
                             " cells away from the origin; larger cells reach further");
    }
}

ParticleBins::ParticleBins(std::span<const Vec<3>> positions, double cell)
{
    const std::size_t count = positions.size();
    order_.resize(count);
    for (Buffer<double>& axis : coordinate_) axis.resize(count);
    if (count == 0) return;

    Vec<3> low = positions[0];
    Vec<3> high = positions[0];
    for (const Vec<3>& x : positions) {
        low = low.cwiseMin(x);
        high = high.cwiseMax(x);
    }
    min_ = block_of(low / cell);
    max_ = block_of(high / cell);
    double bin_count = 1.0;
    for (std::size_t k = 0; k < 3; ++k) bin_count *= double(max_[k]) - double(min_[k]) + 1;
    if (bin_count > 0x1p62)
        throw InputError("the particles are spread over more space than can be divided into cells");

    std::vector<KeyedParticle> keyed(count);
    parallel_for(count, [&](Index i) { keyed[i] = {key_of(block_of(positions[i] / cell)), i}; });
    sort_by_key(keyed, static_cast<int>(std::bit_width(key_of(max_))));
    parallel_for(count, [&](Index n) {
        order_[n] = keyed[n].number;
        const Vec<3> x = positions[keyed[n].number] / cell;
        for (int k = 0; k < 3; ++k) coordinate_[static_cast<std::size_t>(k)][n] = x[k];
    });
    for (std::size_t n = 0; n < count; ++n) {
        if (n == 0 || keyed[n].key != keyed[n - 1].key) {
            keys_.push_back(keyed[n].key);
            bins_.push_back({block_of(positions[keyed[n].number] / cell), static_cast<Index>(n), 0});
        }
        bins_.back().end = static_cast<Index>(n + 1);
    }
}

std::uint64_t ParticleBins::key_of(const GridIndex& block) const
{
    // Below 2⁶³, which the constructor made sure of.
    std::uint64_t key = 0;
    for (std::size_t k = 3; k-- > 0;)
        key = key * static_cast<std::uint64_t>(max_[k] - min_[k] + 1) +
              static_cast<std::uint64_t>(block[k] - min_[k]);
    return key;
}

std::size_t ParticleBins::bin_from(std::uint64_t key) const
{
    return static_cast<std::size_t>(std::lower_bound(keys_.begin(), keys_.end(), key) - keys_.begin());
}

} // namespace phyxel::detail
