// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/particle_field.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/lanes.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel::detail {
namespace {

constexpr int edge = SparseField::block_edge;
constexpr std::size_t blocks_at_once = 8;

/// Calls add(row, weights) with w_j (1 − q_j²)³ at the eight nodes of every row of a block that the bell
/// reaches; x, y, z is its centre, relative to the first node of the block [cells].
template <class Add>
void for_each_row(const Bell& bell, float x, float y, float z, Add&& add)
{
    const auto first = [](float center, float reach) {
        return std::max(0, static_cast<int>(std::ceil(center - reach)));
    };
    const auto last = [](float center, float reach) {
        return std::min(edge - 1, static_cast<int>(std::floor(center + reach)));
    };
    const Lanes dx = Lanes{0, 1, 2, 3, 4, 5, 6, 7} - x;
    const Lanes xx_dx = bell.xx * dx;
    const float quarter = 0.25f / bell.xx;
    const int j_first = first(y, bell.reach[1]);
    const int j_last = last(y, bell.reach[1]);
    for (int k = first(z, bell.reach[2]), k_last = last(z, bell.reach[2]); k <= k_last; ++k) {
        const float dz = float(k) - z;
        for (int j = j_first; j <= j_last; ++j) {
            const float dy = float(j) - y;
            // 1 − q² = c − dx (xx dx + b) along the row; its largest value is c + b² / (4 xx).
            const float b = 2 * (bell.xy * dy + bell.xz * dz);
            const float c = 1 - (bell.yy * dy * dy + bell.zz * dz * dz + 2 * bell.yz * dy * dz);
            if (c + b * b * quarter <= 0) continue;
            const Lanes u = larger(c - dx * (xx_dx + b), Lanes{});
            add(static_cast<std::size_t>(k * edge + j), u * u * (u * bell.weight));
        }
    }
}

} // namespace

Bell round_bell(float weight, float radius)
{
    const float a = 1 / (radius * radius);
    return {a, a, a, 0, 0, 0, weight, {radius, radius, radius}};
}

ParticleField::ParticleField(std::span<const Vec<3>> centers, std::span<const Vec<3>> velocities,
                             std::span<const Bell> bells, double cell)
    : cell_(cell),
      bins_(centers, cell),
      bells_(bells.begin(), bells.end()),
      reach_(Vec<3>::Zero())
{
    PHYXEL_ASSERT(bells.size() == 1 || bells.size() == centers.size());
    PHYXEL_ASSERT(velocities.empty() || velocities.size() == centers.size());
    const std::span<const Index> order = bins_.order();
    if (bells.size() > 1) parallel_for(order.size(), [&](Index n) { bells_[n] = bells[order[n]]; });
    if (!velocities.empty()) {
        velocity_.resize(order.size());
        parallel_for(order.size(), [&](Index n) { velocity_[n] = velocities[order[n]].cast<float>(); });
    }
    for (const Bell& b : bells_) reach_ = reach_.cwiseMax(Vec<3>(b.reach[0], b.reach[1], b.reach[2]));
}

std::vector<GridIndex> ParticleField::find_blocks() const
{
    const std::span<const ParticleBins::Bin> bins = bins_.bins();
    std::vector<std::vector<GridIndex>> found(block_count(bins.size(), blocks_at_once));
    parallel_for_blocks(bins.size(), blocks_at_once, [&](const Block& part) {
        for (std::size_t b = part.begin; b < part.end; ++b) {
            GridIndex first, last;
            for (int k = 0; k < 3; ++k) {
                double low = std::numeric_limits<double>::infinity();
                double high = -low;
                for (Index n = bins[b].begin; n < bins[b].end; ++n) {
                    const double x = bins_.coordinate(k)[n];
                    const auto reach = double(bell(n).reach[static_cast<std::size_t>(k)]) + 1;
                    low = std::min(low, x - reach);
                    high = std::max(high, x + reach);
                }
                first[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(std::floor(low / edge));
                last[static_cast<std::size_t>(k)] = static_cast<std::int32_t>(std::floor(high / edge));
            }
            for (std::int32_t z = first[2]; z <= last[2]; ++z)
                for (std::int32_t y = first[1]; y <= last[1]; ++y)
                    for (std::int32_t x = first[0]; x <= last[0]; ++x)
                        found[part.number].push_back({x, y, z});
        }
    });
    std::vector<GridIndex> blocks;
    for (const std::vector<GridIndex>& part : found) blocks.insert(blocks.end(), part.begin(), part.end());
    return blocks;
}

void ParticleField::gather(const Vec<3>& low, const Vec<3>& high, std::vector<Index>& found) const
{
    found.clear();
    GridIndex first, last;
    for (int k = 0; k < 3; ++k) {
        first[static_cast<std::size_t>(k)] =
            static_cast<std::int32_t>(std::floor((low[k] - reach_[k]) / edge));
        last[static_cast<std::size_t>(k)] =
            static_cast<std::int32_t>(std::floor((high[k] + reach_[k]) / edge));
    }
    bins_.for_each_run(first, last, [&](Index begin, Index end) {
        const std::size_t before = found.size();
        found.resize(before + (end - begin));
        Index* next = found.data() + before;
        for (Index n = begin; n < end; ++n) {
            const Bell& b = bell(n);
            const auto reaches = [&](int k) {
                const double x = bins_.coordinate(k)[n];
                const double reach = b.reach[static_cast<std::size_t>(k)];
                return x + reach >= low[k] && x - reach <= high[k];
            };
            // Written first and kept if it belongs there, which is faster than a branch.
            *next = n;
            next += (reaches(0) & reaches(1) & reaches(2)) ? 1 : 0;
        }
        found.resize(static_cast<std::size_t>(next - found.data()));
    });
}

SparseField ParticleField::sample() const
{
    SparseField field(cell_, find_blocks(), 0.0f);
    parallel_for_blocks(field.block_count(), blocks_at_once, [&](const Block& part) {
        std::vector<Index> found;
        for (std::size_t b = part.begin; b < part.end; ++b) {
            const GridIndex block = field.block_index(b);
            const Vec<3> origin = edge * Vec<3>(block[0], block[1], block[2]);
            gather(origin, origin + Vec<3>::Constant(edge - 1), found);
            float* values = field.values(b).data();
            std::fill_n(values, SparseField::block_size, 0.0f);
            for (const Index n : found)
                for_each_row(bell(n), static_cast<float>(bins_.coordinate(0)[n] - origin[0]),
                             static_cast<float>(bins_.coordinate(1)[n] - origin[1]),
                             static_cast<float>(bins_.coordinate(2)[n] - origin[2]),
                             [&](std::size_t row, Lanes w) {
                                 float* at = values + row * lane_count;
                                 store_lanes(at, load_lanes(at) + w);
                             });
        }
    });
    return field;
}

std::array<SparseField, 3> ParticleField::sample_velocity(const SparseField& field) const
{
    std::vector<GridIndex> blocks(field.block_count());
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b] = field.block_index(b);
    std::array<SparseField, 3> velocity = {SparseField(cell_, blocks), SparseField(cell_, blocks),
                                           SparseField(cell_, blocks)};
    parallel_for_blocks(field.block_count(), blocks_at_once, [&](const Block& part) {
        std::vector<Index> found;
        std::array<float, SparseField::block_size> weight;
        for (std::size_t b = part.begin; b < part.end; ++b) {
            const Vec<3> origin = edge * Vec<3>(blocks[b][0], blocks[b][1], blocks[b][2]);
            gather(origin, origin + Vec<3>::Constant(edge - 1), found);
            weight.fill(0.0f);
            for (SparseField& v : velocity) std::fill_n(v.values(b).data(), SparseField::block_size, 0.0f);
            if (velocity_.empty()) continue;
            for (const Index n : found)
                for_each_row(
                    bell(n), static_cast<float>(bins_.coordinate(0)[n] - origin[0]),
                    static_cast<float>(bins_.coordinate(1)[n] - origin[1]),
                    static_cast<float>(bins_.coordinate(2)[n] - origin[2]), [&](std::size_t row, Lanes w) {
                        const auto add = [&](float* at, Lanes v) { store_lanes(at, load_lanes(at) + v); };
                        add(weight.data() + row * lane_count, w);
                        for (int k = 0; k < 3; ++k)
                            add(velocity[static_cast<std::size_t>(k)].values(b).data() + row * lane_count,
                                w * velocity_[n][k]);
                    });
            for (SparseField& v : velocity)
                for (std::size_t n = 0; n < SparseField::block_size; ++n)
                    if (weight[n] > 0) v.values(b)[n] /= weight[n];
        }
    });
    return velocity;
}

void ParticleField::sample_points(std::span<const Vec<3>> points, std::span<PointSample> samples) const
{
    PHYXEL_ASSERT(points.size() == samples.size());
    if (points.empty()) return;
    Vec<3> low = points[0] / cell_;
    Vec<3> high = low;
    for (const Vec<3>& x : points) {
        low = low.cwiseMin(x / cell_);
        high = high.cwiseMax(x / cell_);
    }
    std::vector<Index> found;
    gather(low, high, found);

    // One array for each number, so that eight particles are read at once; the last eight are filled up with
    // bells without weight.
    enum { X, Y, Z, XX, YY, ZZ, XY, YZ, XZ, Weight, VX, VY, VZ, ArrayCount };
    const std::size_t padded = (found.size() + lane_count - 1) / lane_count * lane_count;
    std::vector<float> arrays(padded * ArrayCount, 0.0f);
    const auto array = [&](int which) { return arrays.data() + padded * static_cast<std::size_t>(which); };
    for (std::size_t m = 0; m < found.size(); ++m) {
        const Index n = found[m];
        const Bell& b = bell(n);
        for (int k = 0; k < 3; ++k) array(X + k)[m] = static_cast<float>(bins_.coordinate(k)[n] - low[k]);
        const std::array<float, 7> numbers = {b.xx, b.yy, b.zz, b.xy, b.yz, b.xz, b.weight};
        for (int k = 0; k < 7; ++k) array(XX + k)[m] = numbers[static_cast<std::size_t>(k)];
        if (!velocity_.empty())
            for (int k = 0; k < 3; ++k) array(VX + k)[m] = velocity_[n][k];
    }

    for (std::size_t p = 0; p < points.size(); ++p) {
        const Vec<3, float> x = (points[p] / cell_ - low).cast<float>();
        Lanes weight{}, vx{}, vy{}, vz{}, gx{}, gy{}, gz{};
        for (std::size_t m = 0; m < padded; m += lane_count) {
            const auto at = [&](int which) { return load_lanes(array(which) + m); };
            const Lanes dx = x[0] - at(X);
            const Lanes dy = x[1] - at(Y);
            const Lanes dz = x[2] - at(Z);
            const Lanes ax = at(XX) * dx + at(XY) * dy + at(XZ) * dz;
            const Lanes ay = at(XY) * dx + at(YY) * dy + at(YZ) * dz;
            const Lanes az = at(XZ) * dx + at(YZ) * dy + at(ZZ) * dz;
            const Lanes u = larger(1 - (dx * ax + dy * ay + dz * az), Lanes{});
            const Lanes slope = u * u * at(Weight);
            const Lanes w = slope * u;
            weight += w;
            vx += w * at(VX);
            vy += w * at(VY);
            vz += w * at(VZ);
            // −∇φ = Σ 6 w (1 − q²)² A (x − c); the factor does not matter for the direction.
            gx += slope * ax;
            gy += slope * ay;
            gz += slope * az;
        }
        const float total = sum_of(weight);
        const Vec<3, float> outward(sum_of(gx), sum_of(gy), sum_of(gz));
        const float length = outward.norm();
        samples[p].normal = length > 0 ? Vec<3, float>(outward / length) : Vec<3, float>::Zero();
        samples[p].velocity = total > 0
                                  ? Vec<3, float>(Vec<3, float>(sum_of(vx), sum_of(vy), sum_of(vz)) / total)
                                  : Vec<3, float>::Zero();
    }
}

std::size_t ParticleField::memory() const
{
    return bins_.size() * (3 * sizeof(double) + sizeof(Index)) + bells_.size() * sizeof(Bell) +
           velocity_.size() * sizeof(Vec<3, float>);
}

} // namespace phyxel::detail
