// SPDX-License-Identifier: MIT
#include <phyxel/fluid/ghost_wall.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/fluid/detail/pair_lanes.h>

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string>

namespace phyxel {
namespace {

/// Width of a cell over the reach. Small cells have short lists, but there are many of them.
constexpr double cell_width = 0.5;

/// In particle spacings: nearer than this sums over ghosts are too coarse.
constexpr double nearest_sum = 0.35;

/// m = s²/30 in `sum`.
constexpr double squares_per_moment = 30.0;

/// Of lanes without a ghost. Its square is still a number.
constexpr float far_away = 1e15f;

/// The four numbers of eight entries of a table: the first of all entries, the second of all entries, …
struct Columns {
    __m256 first, second, third, fourth;

    /// Gathering the numbers one by one would load four times as often.
    template <class Entry>
    Columns(const Entry* table, __m256i number)
    {
        static_assert(sizeof(Entry) == 16);
        const __m256i bytes = _mm256_slli_epi32(number, 4);
        const __m128i low = _mm256_castsi256_si128(bytes);
        const __m128i high = _mm256_extracti128_si256(bytes, 1);
        const auto pair = [&](std::uint64_t i, std::uint64_t j) {
            const auto* begin = reinterpret_cast<const char*>(table);
            const __m128 row_i = _mm_loadu_ps(reinterpret_cast<const float*>(begin + i));
            const __m128 row_j = _mm_loadu_ps(reinterpret_cast<const float*>(begin + j));
            return _mm256_insertf128_ps(_mm256_castps128_ps256(row_i), row_j, 1);
        };
        // Offsets two at a time, which takes half as many moves between registers.
        const auto low_01 = static_cast<std::uint64_t>(_mm_cvtsi128_si64(low));
        const auto low_23 = static_cast<std::uint64_t>(_mm_extract_epi64(low, 1));
        const auto high_01 = static_cast<std::uint64_t>(_mm_cvtsi128_si64(high));
        const auto high_23 = static_cast<std::uint64_t>(_mm_extract_epi64(high, 1));
        constexpr std::uint64_t mask = 0xffffffffu;
        const __m256 a = pair(low_01 & mask, high_01 & mask), b = pair(low_01 >> 32, high_01 >> 32);
        const __m256 c = pair(low_23 & mask, high_23 & mask), d = pair(low_23 >> 32, high_23 >> 32);
        const __m256 ab_low = _mm256_unpacklo_ps(a, b), ab_high = _mm256_unpackhi_ps(a, b);
        const __m256 cd_low = _mm256_unpacklo_ps(c, d), cd_high = _mm256_unpackhi_ps(c, d);
        first = _mm256_shuffle_ps(ab_low, cd_low, 0x44);
        second = _mm256_shuffle_ps(ab_low, cd_low, 0xee);
        third = _mm256_shuffle_ps(ab_high, cd_high, 0x44);
        fourth = _mm256_shuffle_ps(ab_high, cd_high, 0xee);
    }
};

/// Puts the numbers of the points in `order` so that each eight in a row are close together.
template <int Dim>
void gather_neighbors(std::span<const Vec<Dim>> x, std::span<Index> order, std::size_t width)
{
    if (order.size() <= width) return;
    Box<Dim> box;
    for (const Index i : order) box.extend(x[i]);
    int axis = 0;
    box.size().maxCoeff(&axis);
    const std::size_t half = (order.size() / 2 + width - 1) / width * width;
    std::nth_element(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
        [&](Index i, Index j) { return x[i][axis] < x[j][axis] || (x[i][axis] == x[j][axis] && i < j); });
    gather_neighbors<Dim>(x, order.subspan(0, half), width);
    gather_neighbors<Dim>(x, order.subspan(half), width);
}

} // namespace

template <int Dim>
GhostWall<Dim>::GhostWall(const SurfacePoints<Dim>& points, double support_ratio, double spacing)
    : GhostWall(points, GhostKernel<Dim>(support_ratio), support_ratio, spacing)
{
}

template <int Dim>
GhostWall<Dim>::GhostWall(const SurfacePoints<Dim>& points, const GhostKernel<Dim>& kernel,
                          double support_ratio, double spacing)
    : kernel_(kernel),
      spacing_(spacing),
      support_radius_(support_ratio * spacing),
      per_length_(1.0 / support_radius_),
      reach_(kernel_.reach() * support_radius_),
      is_sheet_(points.is_sheet)
{
    if (!(spacing > 0.0 && std::isfinite(spacing)))
        throw InputError("the spacing of particles is " + number_text(spacing) +
                         ", must be positive and finite");
    PHYXEL_ASSERT(points.position.size() == points.area.size());
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points.position[i].allFinite() || !points.area[i].allFinite())
            throw InputError("point " + std::to_string(i) + " of a surface is not finite");
    cells_per_length_ = 1.0 / (cell_width * reach_);
    make_packets(points);
    make_cells();
}

template <int Dim>
void GhostWall<Dim>::make_packets(const SurfacePoints<Dim>& points)
{
    std::vector<Index> order;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points.area[i].isZero(0.0)) order.push_back(static_cast<Index>(i));
    ghost_count_ = order.size();
    gather_neighbors<Dim>(points.position, order, width);

    const double unit = Dim == 2 ? support_radius_ : support_radius_ * support_radius_;
    constexpr double smallest_area = 1e-12; // below, its square leaves the range of float
    for (std::size_t first = 0; first < order.size(); first += width) {
        const std::size_t count = std::min(width, order.size() - first);
        Packet packet{};
        Box<Dim> box;
        for (std::size_t l = 0; l < count; ++l) box.extend(points.position[order[first + l]]);
        const Vec<Dim> center = box.center();
        for (int k = 0; k < Dim; ++k) packet.center[k] = center[k] * per_length_;
        for (std::size_t l = 0; l < count; ++l) {
            const Index i = order[first + l];
            const Vec<Dim> x = (points.position[i] - center) * per_length_;
            const Vec<Dim> area = points.area[i] / unit;
            for (int k = 0; k < Dim; ++k) {
                packet.x[k][l] = static_cast<float>(x[k]);
                packet.area[k][l] = static_cast<float>(area[k]);
            }
            const double size = area.norm();
            if (size < smallest_area) continue;
            packet.moment[l] = static_cast<float>((Dim == 2 ? size * size : size) / squares_per_moment);
            packet.inverse_area2[l] = static_cast<float>(1.0 / (size * size));
        }
        // Lanes without a ghost are far away, so that none of them is the nearest.
        for (std::size_t l = count; l < width; ++l) packet.x[0][l] = far_away;
        packets_.push_back(packet);
        near_.extend(box);
    }
    near_.min.array() -= reach_;
    near_.max.array() += reach_;
}

template <int Dim>
typename GhostWall<Dim>::Numbers GhostWall<Dim>::block_of(const Numbers& cell)
{
    Numbers block;
    for (std::size_t k = 0; k < Dim; ++k) block[k] = cell[k] >> block_bits;
    return block;
}

template <int Dim>
std::uint32_t GhostWall<Dim>::number_in_block(const Numbers& cell)
{
    std::uint32_t number = 0;
    for (std::size_t k = Dim; k-- > 0;)
        number = (number << block_bits) + (static_cast<std::uint32_t>(cell[k]) & ((1u << block_bits) - 1));
    return number;
}

template <int Dim>
std::size_t GhostWall<Dim>::slot_of(const Numbers& block) const
{
    constexpr std::array<std::uint64_t, 3> odd = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu,
                                                  0x165667b19e3779f9u};
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < Dim; ++k) hash += static_cast<std::uint32_t>(block[k]) * odd[k];
    hash ^= hash >> 32;
    const std::size_t mask = blocks_.size() - 1;
    const auto is_other = [&](const Block& candidate) {
        bool differs = false;
        for (std::size_t k = 0; k < Dim; ++k) differs |= candidate.place[k] != block[k];
        return differs;
    };
    std::size_t slot = static_cast<std::size_t>((hash * odd[0]) >> 32) & mask;
    while (blocks_[slot].number != nothing && is_other(blocks_[slot])) slot = (slot + 1) & mask;
    return slot;
}

/// Calls visit(cell) for all cells within reach of a ghost of the packet, or nearly so.
template <int Dim>
template <class Visit>
void GhostWall<Dim>::for_each_cell(const Packet& packet, const Visit& visit) const
{
    Box<Dim> box;
    for (std::size_t l = 0; l < width; ++l) {
        if (!(packet.x[0][l] < far_away)) continue;
        Vec<Dim> x;
        for (int k = 0; k < Dim; ++k) x[k] = support_radius_ * (packet.center[k] + packet.x[k][l]);
        box.extend(x);
    }
    Numbers low, high;
    for (int k = 0; k < Dim; ++k) {
        low[k] = static_cast<std::int32_t>((box.min[k] - reach_ - near_.min[k]) * cells_per_length_);
        high[k] = static_cast<std::int32_t>((box.max[k] + reach_ - near_.min[k]) * cells_per_length_);
    }
    const double edge = 1.0 / cells_per_length_;
    for (Numbers cell = low;;) {
        double squared_distance = 0.0;
        for (int k = 0; k < Dim; ++k) {
            const double from = near_.min[k] + cell[k] * edge;
            const double gap = std::max({from - box.max[k], box.min[k] - from - edge, 0.0});
            squared_distance += gap * gap;
        }
        // A little more than the reach, as places are rounded to their cells.
        if (squared_distance <= 1.0001 * reach_ * reach_) visit(cell);
        int k = 0;
        while (k < Dim && ++cell[k] > high[k]) {
            cell[k] = low[k];
            ++k;
        }
        if (k == Dim) return;
    }
}

/// Counts the packets of all cells, then lists them, both in the order of the packets. Blocks are numbered as
/// packets come to them, so what is near in space is near in memory.
template <int Dim>
void GhostWall<Dim>::make_cells()
{
    blocks_.assign(64, {});
    if (packets_.empty()) return;
    if (!(near_.longest_side() * cells_per_length_ < 1e9))
        throw InputError("a surface is " + number_text(near_.longest_side() / spacing_, 3) +
                         " particle spacings long, must be less than 1e9");

    std::vector<std::uint32_t> counts;
    std::size_t block_count = 0;
    const auto grow = [&] {
        std::vector<Block> old(2 * blocks_.size());
        old.swap(blocks_);
        for (const Block& block : old)
            if (block.number != nothing) blocks_[slot_of(block.place)] = block;
    };
    std::uint64_t total = 0;
    for (const Packet& packet : packets_)
        for_each_cell(packet, [&](const Numbers& cell) {
            if (2 * block_count >= blocks_.size()) grow();
            Block& block = blocks_[slot_of(block_of(cell))];
            if (block.number == nothing) {
                block = {block_of(cell), static_cast<std::uint32_t>(block_count++)};
                counts.resize(block_count * cells_per_block, 0);
            }
            ++counts[block.number * cells_per_block + number_in_block(cell)];
            ++total;
        });
    if (total >= nothing)
        throw InputError("a surface has " + std::to_string(ghost_count_) + " ghosts, too many to list");

    starts_.assign(1, 0);
    for (const std::uint32_t count : counts) starts_.push_back(starts_.back() + count);
    lists_.resize(total);
    std::copy(starts_.begin(), starts_.end() - 1, counts.begin());
    for (std::size_t p = 0; p < packets_.size(); ++p)
        for_each_cell(packets_[p], [&](const Numbers& cell) {
            const Block& block = blocks_[slot_of(block_of(cell))];
            const std::uint32_t number = block.number * cells_per_block + number_in_block(cell);
            // The nearest first: then those beyond the reach of a place in the cell come last, and the
            // processor guesses right.
            Vec<Dim> center;
            for (int k = 0; k < Dim; ++k) center[k] = near_.min[k] + (cell[k] + 0.5) / cells_per_length_;
            const auto distance = [&](std::uint32_t q) {
                double sum = 0.0;
                for (int k = 0; k < Dim; ++k) {
                    const double d = packets_[q].center[k] - center[k] * per_length_;
                    sum += d * d;
                }
                return sum;
            };
            const double own = distance(static_cast<std::uint32_t>(p));
            std::uint32_t place = counts[number]++;
            for (; place > starts_[number] && distance(lists_[place - 1]) > own; --place)
                lists_[place] = lists_[place - 1];
            lists_[place] = static_cast<std::uint32_t>(p);
        });
}

template <int Dim>
typename GhostWall<Dim>::Range GhostWall<Dim>::packets_near(const Vec<Dim>& X) const
{
    if (!is_near(X)) return {0, 0};
    Numbers cell;
    for (int k = 0; k < Dim; ++k)
        cell[k] = static_cast<std::int32_t>((X[k] - near_.min[k]) * cells_per_length_);
    const Block& block = blocks_[slot_of(block_of(cell))];
    if (block.number == nothing) return {0, 0};
    const std::uint32_t* start = &starts_[block.number * cells_per_block + number_in_block(cell)];
    return {start[0], start[1]};
}

/// The integral over a piece of surface is its area times φ z at the ghost, where z is the height above it,
/// and more exactly times φ z + m Δ(φ z) with the Laplacian within the surface: m = s²/24 for a square of
/// side s, which is best at the rims of faces. With m = s²/(4π²) the error of a wide grid loses its largest
/// part, waves of length s. We take s²/30, which leaves a third of the error before flat walls and half of it
/// in corners.
template <int Dim>
template <bool IsSheet>
WallIntegral<Dim> GhostWall<Dim>::sum(const Range& range, const Vec<Dim>& X, double scale) const
{
    using Floats = Lanes<float>;
    using Types = detail::LaneTypes<float>;
    const double per_scale = 1.0 / scale;
    const auto squared_reach = static_cast<float>(scale * scale * kernel_.reach() * kernel_.reach());
    const auto squared_core = static_cast<float>(scale * scale * kernel_.core() * kernel_.core());
    const auto entries = static_cast<float>(kernel_.entries_per_square() * per_scale * per_scale);
    const float twice_entries = 2.0f * entries; // ω′/r = 2 dω/du
    constexpr auto dim = static_cast<float>(Dim);
    const auto* table = kernel_.table().data();
    const auto last = static_cast<float>(kernel_.table().size() - 1);

    const __m256d x =
        _mm256_set_pd(0.0, Dim == 3 ? X[Dim - 1] * per_length_ : 0.0, X[1] * per_length_, X[0] * per_length_);
    Floats share{};
    std::array<Floats, Dim> push;
    push.fill(Floats{});
    Floats nearest = lanes(squared_reach); // r²
    Floats height_of_nearest{}, moment_of_nearest{};
    for (std::uint32_t n = range.begin; n < range.end; ++n) {
        const Packet& packet = packets_[lists_[n]];
        const __m128 from_center = _mm256_cvtpd_ps(_mm256_sub_pd(x, _mm256_load_pd(packet.center.data())));
        std::array<Floats, Dim> d; // x − y
        Floats r2;
        for (int k = 0; k < Dim; ++k) {
            d[k] = from_center[k] - Floats(_mm256_load_ps(packet.x[k].data()));
            r2 = k == 0 ? d[k] * d[k] : r2 + d[k] * d[k];
        }
        if (_mm256_movemask_ps(_mm256_cmp_ps(r2, lanes(squared_reach), _CMP_LT_OQ)) == 0) continue;
        const Floats place = Types::smaller(r2 * entries, lanes(last));
        const __m256i k = _mm256_cvttps_epi32(place);
        const Floats t = place - Floats(_mm256_cvtepi32_ps(k));
        const Columns entry(table, k);
        const Floats phi = entry.first + t * entry.second;
        Floats omega = entry.third + t * entry.fourth;
        Floats towards{}; // d · n dA
        std::array<Floats, Dim> area;
        for (int axis = 0; axis < Dim; ++axis) {
            area[axis] = Floats(_mm256_load_ps(packet.area[axis].data()));
            towards += d[axis] * area[axis];
        }
        const Floats moment = _mm256_load_ps(packet.moment.data());
        const Floats squared_height = towards * towards * Floats(_mm256_load_ps(packet.inverse_area2.data()));
        const __m256 is_nearer = _mm256_cmp_ps(r2, nearest, _CMP_LT_OQ);
        nearest = Types::smaller(nearest, r2);
        height_of_nearest = _mm256_blendv_ps(height_of_nearest, squared_height, is_nearer);
        moment_of_nearest = _mm256_blendv_ps(moment_of_nearest, moment, is_nearer);

        // Δφ within the surface is (3 − (Dim + 2) z²/r²) (Dim φ + ω)/r² − (1 − z²/r²) ω′/r.
        const Floats per_r2 = 1.0f / Types::larger(r2, lanes(squared_core));
        const Floats squared_cosine = squared_height * per_r2;
        const Floats laplacian = (3.0f - (dim + 2.0f) * squared_cosine) * (dim * phi + omega) * per_r2 -
                                 (1.0f - squared_cosine) * entry.fourth * twice_entries;
        const Floats flux = phi + moment * laplacian;
        if constexpr (IsSheet) {
            const __m256 side = _mm256_and_ps(towards, _mm256_set1_ps(-0.0f));
            towards = _mm256_xor_ps(towards, side);
            omega = _mm256_xor_ps(omega, side);
        }
        share += flux * towards;
        for (int axis = 0; axis < Dim; ++axis) push[axis] += omega * area[axis];
    }

    WallIntegral<Dim> result;
    std::size_t lane = 0;
    for (std::size_t l = 1; l < width; ++l)
        if (nearest[l] < nearest[lane]) lane = l;
    if (!(nearest[lane] < squared_reach)) return result;
    const double per_volume = Dim == 2 ? per_scale * per_scale : per_scale * per_scale * per_scale;
    result.share = per_volume * sum_of<float>(share);
    for (int k = 0; k < Dim; ++k) result.push[k] = per_volume * per_length_ * sum_of<float>(push[k]);
    // To the rim of its piece of surface, a disc (2D: a segment) of the same area, or straight down to it.
    const double squared_side = squares_per_moment * static_cast<double>(moment_of_nearest[lane]);
    const double half_width = std::sqrt(squared_side / (Dim == 2 ? 4.0 : std::numbers::pi));
    const double height2 = std::min(height_of_nearest[lane], nearest[lane]);
    const double beside = std::max(std::sqrt(static_cast<double>(nearest[lane]) - height2) - half_width, 0.0);
    result.distance = support_radius_ * std::sqrt(height2 + beside * beside);
    return result;
}

template <int Dim>
WallIntegral<Dim> GhostWall<Dim>::sum(const Vec<Dim>& X, double scale) const
{
    const Range range = packets_near(X);
    if (range.begin == range.end) return {};
    return is_sheet_ ? sum<true>(range, X, scale) : sum<false>(range, X, scale);
}

template <int Dim>
WallIntegral<Dim> GhostWall<Dim>::integrate(const Vec<Dim>& X, double scale) const
{
    WallIntegral<Dim> result = sum(X, scale);
    if (result.distance < nearest_sum * scale * spacing_) return near_surface(X, scale, result);
    // Inside of the solid the flux of the whole kernel, which is 1, passes the surface the other way.
    constexpr double noise = 0.05;
    if (result.share < -noise) result.share += 1.0;
    result.share = std::clamp(result.share, 0.0, 1.0);
    return result;
}

/// Takes the integrals where they are known, and goes back from there along the push, at most to the surface.
template <int Dim>
WallIntegral<Dim> GhostWall<Dim>::near_surface(const Vec<Dim>& X, double scale,
                                               const WallIntegral<Dim>& there) const
{
    const Range range = packets_near(X);
    double least = std::numeric_limits<double>::infinity();
    double height = 0.0;
    Vec<Dim> normal = Vec<Dim>::Zero();
    for (std::uint32_t n = range.begin; n < range.end; ++n) {
        const Packet& packet = packets_[lists_[n]];
        for (std::size_t l = 0; l < width; ++l) {
            Vec<Dim> d, area;
            for (int k = 0; k < Dim; ++k) {
                d[k] = X[k] - support_radius_ * (packet.center[k] + packet.x[k][l]);
                area[k] = packet.area[k][l];
            }
            if (d.squaredNorm() >= least) continue;
            least = d.squaredNorm();
            normal = area.normalized();
            height = d.dot(normal);
        }
    }
    if (is_sheet_ && height < 0.0) {
        height = -height;
        normal = -normal;
    }
    const double wanted = nearest_sum * scale * spacing_;
    WallIntegral<Dim> result = there;
    if (height < wanted) {
        result = sum(X + (wanted - height) * normal, scale);
        result.share += (wanted - std::max(height, 0.0)) * result.push.norm();
    }
    result.share = std::clamp(result.share, 0.0, 1.0);
    result.distance = there.distance;
    return result;
}

template <int Dim>
std::size_t GhostWall<Dim>::memory() const
{
    return packets_.size() * sizeof(Packet) + blocks_.size() * sizeof(Block) +
           (starts_.size() + lists_.size()) * sizeof(std::uint32_t) +
           kernel_.table().size() * sizeof(typename GhostKernel<Dim>::Entry);
}

template class GhostWall<2>;
template class GhostWall<3>;

} // namespace phyxel
