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
constexpr std::size_t bins_at_once = 8;

/// The nodes of up to four blocks in a row along x, with room on both sides, so that a bell writes whole
/// vectors wherever it lies.
constexpr std::size_t most_blocks = 4;
constexpr int margin = static_cast<int>(lane_count);
constexpr int row_length = static_cast<int>(most_blocks) * edge + 2 * margin;
constexpr std::size_t tile_size = std::size_t(row_length) * edge * edge;
using Tile = std::array<float, tile_size>;

/// Calls add(place, weights) with w_j (1 − q_j²)³ at all nodes of a tile that the bell reaches, eight at a
/// time: `place` is where the first of them is in the tile. The tile is `width` nodes long, and x, y, z is
/// the centre of the bell relative to its first node [cells].
template <class Add>
void for_each_lanes(const Bell& bell, float x, float y, float z, int width, Add&& add)
{
    // Along a row 1 − q² = (1 − xx dx²) − b dx − c with b = 2 (xy dy + xz dz), c = yy dy² + 2 yz dy dz + zz
    // dz². Its largest value, 1 − c + b² / (4 xx), is positive inside of an ellipse in y and z with these
    // coefficients; other rows have nothing.
    const float xy = bell.xy / bell.xx;
    const float xz = bell.xz / bell.xx;
    const float yy = bell.yy - xy * bell.xy;
    const float yz = bell.yz - xy * bell.xz;
    const float zz = bell.zz - xz * bell.xz;

    // Nodes at which q = 1 count nothing, so there are at most ⌈2 reach⌉ in a row that do. What is left or
    // right of the tile by whole vectors is skipped.
    int first = static_cast<int>(std::ceil(x - bell.reach[0]));
    const int last = std::min(first + static_cast<int>(std::ceil(2 * bell.reach[0])), width);
    if (first < -margin) first += (-first - 1) / margin * margin;
    if (first >= last) return;

    // What does not change from row to row, scaled so that its cube has the weight.
    const float scale = bell.weight_root;
    std::array<Lanes, row_length / lane_count> scaled_dx;
    std::array<Lanes, row_length / lane_count> along;
    const auto count = static_cast<std::size_t>((last - first + margin - 1) / margin);
    for (std::size_t v = 0; v < count; ++v) {
        const Lanes dx = Lanes{0, 1, 2, 3, 4, 5, 6, 7} + (float(first + static_cast<int>(v) * margin) - x);
        scaled_dx[v] = scale * dx;
        along[v] = scale * (1 - bell.xx * dx * dx);
    }
    const float inverse_yy = 1 / yy;
    const float scaled_yy = scale * bell.yy;
    const auto for_each_row = [&](auto lanes_of_row) {
        const int k_first = std::max(0, static_cast<int>(std::ceil(z - bell.reach[2])));
        const int k_last = std::min(edge - 1, static_cast<int>(std::floor(z + bell.reach[2])));
        for (int k = k_first; k <= k_last; ++k) {
            const float dz = float(k) - z;
            const float mean = yz * dz;
            const float root = mean * mean - yy * (zz * dz * dz - 1);
            if (!(root > 0)) continue;
            const float half = std::sqrt(root) * inverse_yy;
            const float middle = y - mean * inverse_yy;
            const int j_first = std::max(0, static_cast<int>(std::ceil(middle - half)));
            const int j_last = std::min(edge - 1, static_cast<int>(std::floor(middle + half)));
            const float b_0 = 2 * bell.xz * dz;
            const float c_0 = scale * bell.zz * dz * dz;
            const float c_1 = scale * 2 * bell.yz * dz;
            for (int j = j_first; j <= j_last; ++j) {
                const float dy = float(j) - y;
                const float b = b_0 + 2 * bell.xy * dy;
                const float c = c_0 + dy * (c_1 + scaled_yy * dy);
                lanes_of_row((k * edge + j) * row_length + margin + first, b, c);
            }
        }
    };
    const auto add_lanes = [&](std::size_t v, int place, float b, float c) {
        const Lanes u = larger(along[v] - scaled_dx[v] * b - c, Lanes{});
        add(static_cast<std::size_t>(place) + v * lane_count, u * u * u);
    };
    // Most bells need one vector a row.
    if (count == 1)
        for_each_row([&](int place, float b, float c) { add_lanes(0, place, b, c); });
    else
        for_each_row([&](int place, float b, float c) {
            for (std::size_t v = 0; v < count; ++v) add_lanes(v, place, b, c);
        });
}

/// Blocks that lie side by side along x: numbers begin … end − 1 of a field.
struct BlockRun {
    std::size_t begin;
    std::size_t end;
};

std::vector<BlockRun> block_runs(const SparseField& field)
{
    std::vector<BlockRun> runs;
    GridIndex last{};
    for (std::size_t b = 0; b < field.block_count(); ++b) {
        const GridIndex index = field.block_index(b);
        const bool goes_on = b > 0 && index == GridIndex{last[0] + 1, last[1], last[2]} &&
                             runs.back().end - runs.back().begin < most_blocks;
        if (goes_on)
            runs.back().end = b + 1;
        else
            runs.push_back({b, b + 1});
        last = index;
    }
    return runs;
}

void add_to(Tile& tile, std::size_t place, Lanes values)
{
    float* at = tile.data() + place;
    store_lanes(at, load_lanes(at) + values);
}

/// Copies the tile of a run into its blocks.
void store_tile(const Tile& tile, const BlockRun& run, SparseField& field)
{
    for (std::size_t b = run.begin; b < run.end; ++b) {
        float* values = field.values(b).data();
        const float* from = tile.data() + margin + (b - run.begin) * edge;
        for (std::size_t row = 0; row < std::size_t(edge) * edge; ++row)
            store_lanes(values + row * lane_count, load_lanes(from + row * row_length));
    }
}

} // namespace

Bell round_bell(float weight, float radius)
{
    const float a = 1 / (radius * radius);
    return {a, a, a, 0, 0, 0, std::cbrt(weight), {radius, radius, radius}};
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
    std::vector<std::vector<GridIndex>> found(block_count(bins.size(), bins_at_once));
    parallel_for_blocks(bins.size(), bins_at_once, [&](const Block& part) {
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
        // Bins that are neighbours reach the same blocks.
        std::vector<GridIndex>& blocks = found[part.number];
        std::sort(blocks.begin(), blocks.end());
        blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
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
                return int(x + reach >= low[k]) & int(x - reach <= high[k]);
            };
            // Written first and kept if it belongs there, which is faster than a branch.
            *next = n;
            next += reaches(0) & reaches(1) & reaches(2);
        }
        found.resize(static_cast<std::size_t>(next - found.data()));
    });
}

template <std::size_t TileCount, class Add, class Finish>
void ParticleField::for_each_tile(const SparseField& field, const Add& add, const Finish& finish) const
{
    const std::vector<BlockRun> runs = block_runs(field);
    parallel_for_blocks(runs.size(), 2, [&](const Block& part) {
        std::vector<Index> found;
        std::array<Tile, TileCount> tiles;
        for (std::size_t r = part.begin; r < part.end; ++r) {
            const GridIndex block = field.block_index(runs[r].begin);
            const int width = static_cast<int>(runs[r].end - runs[r].begin) * edge;
            const Vec<3> origin = edge * Vec<3>(block[0], block[1], block[2]);
            gather(origin, origin + Vec<3>(width - 1, edge - 1, edge - 1), found);
            for (Tile& tile : tiles) tile.fill(0.0f);
            for (const Index n : found) {
                const Vec<3, float> center(static_cast<float>(bins_.coordinate(0)[n] - origin[0]),
                                           static_cast<float>(bins_.coordinate(1)[n] - origin[1]),
                                           static_cast<float>(bins_.coordinate(2)[n] - origin[2]));
                for_each_lanes(bell(n), center[0], center[1], center[2], width,
                               [&](std::size_t place, Lanes w) { add(tiles, n, center, place, w); });
            }
            finish(tiles, runs[r]);
        }
    });
}

SparseField ParticleField::sample() const
{
    SparseField field(cell_, find_blocks(), 0.0f);
    for_each_tile<1>(
        field,
        [](auto& tiles, Index, const Vec<3, float>&, std::size_t place, Lanes w) {
            add_to(tiles[0], place, w);
        },
        [&](const auto& tiles, const BlockRun& run) { store_tile(tiles[0], run, field); });
    return field;
}

SparseField ParticleField::sample_distance(float radius, float spacing) const
{
    SparseField field(cell_, find_blocks(), 0.0f);
    // The first tile has the sum of the weights, the others those of the weighted centres.
    for_each_tile<4>(
        field,
        [](auto& tiles, Index, const Vec<3, float>& center, std::size_t place, Lanes w) {
            add_to(tiles[0], place, w);
            for (int k = 0; k < 3; ++k) add_to(tiles[static_cast<std::size_t>(k) + 1], place, w * center[k]);
        },
        [&](auto& tiles, const BlockRun& run) {
            for (int k = 0; k < edge; ++k)
                for (int j = 0; j < edge; ++j)
                    for (int i = 0; i < static_cast<int>(run.end - run.begin) * edge; ++i) {
                        const int place = (k * edge + j) * row_length + margin + i;
                        const auto at = static_cast<std::size_t>(place);
                        const float weight = tiles[0][at];
                        if (!(weight > 0)) continue;
                        const Vec<3, float> mean =
                            Vec<3, float>(tiles[1][at], tiles[2][at], tiles[3][at]) / weight;
                        const float distance = (Vec<3, float>(float(i), float(j), float(k)) - mean).norm();
                        tiles[0][at] = std::clamp(0.5f + (radius - distance) / spacing, 0.0f, 1.0f);
                    }
            store_tile(tiles[0], run, field);
        });
    return field;
}

std::array<SparseField, 3> ParticleField::sample_velocity(const SparseField& field) const
{
    std::vector<GridIndex> blocks(field.block_count());
    for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b] = field.block_index(b);
    std::array<SparseField, 3> velocity = {SparseField(cell_, blocks), SparseField(cell_, blocks),
                                           SparseField(cell_, blocks)};
    // The first tile has the sum of the weights, the others those of the weighted velocities.
    for_each_tile<4>(
        field,
        [&](auto& tiles, Index n, const Vec<3, float>&, std::size_t place, Lanes w) {
            if (velocity_.empty()) return;
            add_to(tiles[0], place, w);
            for (int k = 0; k < 3; ++k)
                add_to(tiles[static_cast<std::size_t>(k) + 1], place, w * velocity_[n][k]);
        },
        [&](auto& tiles, const BlockRun& run) {
            for (std::size_t k = 0; k < 3; ++k) {
                for (std::size_t n = 0; n < tile_size; ++n)
                    if (tiles[0][n] > 0) tiles[k + 1][n] /= tiles[0][n];
                store_tile(tiles[k + 1], run, velocity[k]);
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
        const float weight = b.weight_root * b.weight_root * b.weight_root;
        const std::array<float, 7> numbers = {b.xx, b.yy, b.zz, b.xy, b.yz, b.xz, weight};
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
