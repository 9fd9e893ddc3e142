// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/coat_resampling.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <Eigen/Dense>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace phyxel::detail {
namespace {

constexpr std::size_t block = 128;
constexpr double neighborhood = 2.0; ///< r_s

// In r_s: how far from its parent a surfel is added, and how near to another it may not be.
constexpr double child_distance = 1.2;
constexpr double least_distance = 0.8;

/// How far from a surfel the mean of its neighbours is where these are on one side only, in r_s: at least
/// this, of 0.85.
constexpr double rim = 0.5;

/// Own share of the bells, below which a place is beside the coat of others.
constexpr double beside_others = 0.8;

constexpr int repulsions = 5;
constexpr double repulsion = 0.3; ///< r_s, of a neighbour at no distance
constexpr double largest_repulsion = 0.25;

/// In how many rings at most surfels are added around a hole.
constexpr int most_rings = 64;

struct Around {
    std::size_t count = 0;
    Vec<3> middle = Vec<3>::Zero(); ///< of the neighbours, from the surfel
};

struct Candidate {
    Vec<3> x, normal;
    bool is_good = false;
};

class Resampling {
public:
    Resampling(const CoatSurfaces& surfaces, CoatState& state)
        : surfaces_(surfaces),
          options_(surfaces.options()),
          surfels_(state.surfels),
          state_(state)
    {
        is_new_.assign(surfels_.size(), 0);
        find();
    }

    std::size_t delete_crowds()
    {
        std::vector<std::uint8_t> is_gone(surfels_.size(), 0);
        parallel_for(
            surfels_.size(),
            [&](Index i) {
                const std::size_t k = around(i).count;
                if (k <= static_cast<std::size_t>(options_.most_neighbors)) return;
                const double chance = std::min(1.0, static_cast<double>(k) / (2.0 * options_.most_neighbors));
                is_gone[i] = Rng(surfels_.id[i], state_.round, 1).uniform() < chance ? 1 : 0;
            },
            block);
        const std::size_t before = surfels_.size();
        std::size_t left = 0;
        for (std::size_t i = 0; i < before; ++i) {
            if (is_gone[i] != 0) continue;
            surfels_.position[left] = surfels_.position[i];
            surfels_.normal[left] = surfels_.normal[i];
            surfels_.id[left++] = surfels_.id[i];
        }
        if (left == before) return 0;
        resize_arrays(surfels_, left);
        is_new_.resize(left);
        find();
        return before - left;
    }

    /// Where the implicit coat of a phyxel is bare.
    void cover(std::span<const Vec<3>> phyxels)
    {
        std::vector<Candidate> candidates;
        const double radius = surfaces_.field().shape().radius;
        const double bare = std::max(neighborhood * options_.radius, 0.75 * options_.spacing);
        std::vector<Vec<3>> ways;
        for (int c = -1; c <= 1; ++c)
            for (int b = -1; b <= 1; ++b)
                for (int a = -1; a <= 1; ++a)
                    if (const int sum = a * a + b * b + c * c; sum == 1 || sum == 3)
                        ways.push_back(Vec<3>(a, b, c).normalized());
        candidates.resize(phyxels.size() * ways.size());
        parallel_for(
            phyxels.size(),
            [&](Index i) {
                if (!(surfaces_.exposure()[i] > 0.02)) return;
                for (std::size_t k = 0; k < ways.size(); ++k) {
                    const Vec<3> x = phyxels[i] + radius * ways[k];
                    if (surfaces_.around(x).value > 1.6 * blinn_level) continue;
                    const OnCoat coat = surfaces_.on_coat(x, ways[k]);
                    if (!coat.is_there) continue;
                    const double own = surfaces_.around(coat.x).own;
                    // Beside others detail ends that would have led there.
                    const double distance = own < beside_others ? neighborhood * options_.radius : bare;
                    if (is_covered(coat.x, coat.normal, distance) || surfaces_.has_detail(coat.x)) continue;
                    if (CoatSurfaces::is_of_others(own)) continue;
                    candidates[i * ways.size() + k] = {coat.x, coat.normal, true};
                }
            },
            16);
        add(candidates);
        if (surfels_.size() > is_new_.size()) find();
    }

    /// Ring by ring, as the next one is added around those that are new.
    void fill()
    {
        std::vector<Index> due(surfels_.size());
        std::iota(due.begin(), due.end(), Index(0));
        for (int ring = 0; ring < most_rings && !due.empty(); ++ring) {
            constexpr std::size_t children = 3;
            std::vector<Candidate> candidates(children * due.size());
            parallel_for(
                due.size(),
                [&](Index k) {
                    const Index i = due[k];
                    const Around around = this->around(i);
                    const Vec<3>& n = surfels_.normal[i];
                    // Away from the neighbours; anywhere in the tangent plane without any.
                    Vec<3> way = -(around.middle - n.dot(around.middle) * n);
                    const auto least = static_cast<std::size_t>(options_.least_neighbors);
                    // What a coat shares with that of others ends somewhere: there neighbours are on one
                    // side.
                    const bool is_rim = surfaces_.has_others() && way.norm() > rim * options_.radius;
                    if (around.count >= least && !is_rim) return;
                    if (!(way.norm() > 1e-3 * options_.radius)) way = n.unitOrthogonal();
                    way.normalize();
                    const Vec<3> side = n.cross(way);
                    const std::size_t missing = around.count < least ? least - around.count : 1;
                    for (std::size_t m = 0; m < std::min(missing, children); ++m) {
                        const double angle = m == 0 ? 0.0 : (m == 1 ? 1.0 : -1.0) * std::numbers::pi / 3.0;
                        candidates[children * k + m] = settled(
                            surfels_.position[i] + child_distance * options_.radius *
                                                       (std::cos(angle) * way + std::sin(angle) * side),
                            n);
                    }
                },
                block);
            const std::size_t before = surfels_.size();
            add(candidates);
            if (surfels_.size() == before) return;
            // Those beside the new ones are not looked at again: they have been given what they lacked.
            due.resize(surfels_.size() - before);
            std::iota(due.begin(), due.end(), static_cast<Index>(before));
            find();
        }
    }

    /// New surfels and those beside them move apart within the surface.
    void spread(double rise)
    {
        if (std::find(is_new_.begin(), is_new_.end(), std::uint8_t(1)) == is_new_.end()) return;
        const double reach = neighborhood * options_.radius;
        std::vector<std::uint8_t> moves(surfels_.size(), 0);
        parallel_for(
            surfels_.size(),
            [&](Index i) {
                grid_.for_each_near(surfels_.position[i], reach, [&](Index j, const Vec<3>&, double) {
                    if (is_new_[j] != 0) moves[i] = 1;
                });
            },
            block);
        std::vector<Index> moving, near;
        for (Index i = 0; i < surfels_.size(); ++i)
            if (moves[i] != 0) moving.push_back(i);
        // All that those will meet: they do not move further than this altogether.
        std::vector<std::uint8_t> is_near(surfels_.size(), 0);
        parallel_for(
            surfels_.size(),
            [&](Index i) {
                grid_.for_each_near(surfels_.position[i], 2.0 * reach, [&](Index j, const Vec<3>&, double) {
                    if (moves[j] != 0) is_near[i] = 1;
                });
            },
            block);
        std::vector<Vec<3>> x, n;
        std::vector<Index> number(surfels_.size());
        for (Index i = 0; i < surfels_.size(); ++i)
            if (is_near[i] != 0) {
                number[i] = static_cast<Index>(x.size());
                x.push_back(surfels_.position[i]);
                n.push_back(surfels_.normal[i]);
            }
        // What is still on its way to the surface stays as far from it, and what has none stays where it is.
        std::vector<Vec<3>> off(moving.size(), Vec<3>::Zero());
        std::vector<std::uint8_t> stays(moving.size(), 0);
        parallel_for(
            moving.size(),
            [&](Index m) {
                const Index i = moving[m];
                if (is_new_[i] != 0) return;
                const CoatSurfaces::Settled to = surfaces_.settle(surfels_.position[i], surfels_.normal[i]);
                const Vec<3> way = surfels_.position[i] - to.x;
                stays[m] = to.is_lost ? 1 : 0;
                if (way.norm() > 0.5 * rise) off[m] = way;
            },
            block);
        for (int k = 0; k < repulsions; ++k) {
            const PointGrid grid(x, reach);
            std::vector<Vec<3>> moved = x, turned = n;
            parallel_for(
                moving.size(),
                [&](Index m) {
                    if (stays[m] != 0) return;
                    const Index i = number[moving[m]];
                    Vec<3> push = Vec<3>::Zero();
                    grid.for_each_near(x[i], reach, [&](Index j, const Vec<3>& way, double square) {
                        if (j == i || !(square > 0.0) || !(n[i].dot(n[j]) > 0.0)) return;
                        const double distance = std::sqrt(square);
                        push += (1.0 - distance / reach) / distance * way;
                    });
                    push *= repulsion * options_.radius;
                    push -= n[i].dot(push) * n[i];
                    const double most = largest_repulsion * options_.radius, length = push.norm();
                    if (length > most) push *= most / length;
                    const Candidate to = settled(x[i] + push, n[i]);
                    if (!to.is_good) return;
                    moved[i] = to.x + off[m];
                    turned[i] = to.normal;
                },
                block);
            x = std::move(moved);
            n = std::move(turned);
        }
        parallel_for(
            moving.size(),
            [&](Index m) {
                const Index i = moving[m];
                const Vec<3>&to = x[number[i]], &normal = n[number[i]];
                if (is_new_[i] == 0) {
                    const CoatSurfaces::Settled settled = surfaces_.settle(to, normal);
                    if (settled.is_lost || (to - settled.x - off[m]).norm() > 0.5 * rise)
                        return; // it would leave the surface
                }
                surfels_.position[i] = to;
                surfels_.normal[i] = normal;
            },
            block);
    }

private:
    void find() { grid_ = PointGrid(surfels_.position, neighborhood * options_.radius); }

    /// Neighbours are those that face the same way: not those on the other side of a sheet.
    Around around(Index i) const
    {
        Around sum;
        const Vec<3>& n = surfels_.normal[i];
        grid_.for_each_near(surfels_.position[i], neighborhood * options_.radius,
                            [&](Index j, const Vec<3>& offset, double) {
                                if (j == i || !(n.dot(surfels_.normal[j]) > 0.0)) return;
                                sum.middle -= offset;
                                ++sum.count;
                            });
        if (sum.count > 0) sum.middle /= static_cast<double>(sum.count);
        return sum;
    }

    bool is_covered(const Vec<3>& x, const Vec<3>& normal, double distance) const
    {
        bool is = false;
        grid_.for_each_near(x, distance, [&](Index j, const Vec<3>&, double) {
            is = is || normal.dot(surfels_.normal[j]) > 0.0;
        });
        return is;
    }

    /// A place on the surface for one that lies beside it.
    Candidate settled(const Vec<3>& x, const Vec<3>& normal) const
    {
        const CoatSurfaces::Settled to = surfaces_.settle(x, normal);
        const bool is_near = (to.x - x).norm() <= options_.radius && to.normal.dot(normal) > 0.3;
        const bool is_good =
            is_near && !to.is_lost && !to.is_beyond && to.x.allFinite() && to.normal.allFinite();
        if (!is_good) return {to.x, to.normal, false};
        const BodyAround around = surfaces_.around(to.x);
        return {to.x, to.normal,
                !surfaces_.is_buried(to.x, to.normal, around) && !CoatSurfaces::is_of_others(around.own)};
    }

    /// One after the other, those that are not too near to one that is there.
    void add(const std::vector<Candidate>& candidates)
    {
        const double distance = least_distance * options_.radius;
        std::vector<Vec<3>> good;
        std::vector<Index> numbers;
        for (Index c = 0; c < candidates.size(); ++c)
            if (candidates[c].is_good && !is_covered(candidates[c].x, candidates[c].normal, distance)) {
                good.push_back(candidates[c].x);
                numbers.push_back(c);
            }
        const PointGrid grid(good, distance);
        std::vector<std::uint8_t> is_taken(good.size(), 0);
        for (Index k = 0; k < good.size() && surfels_.size() < options_.most; ++k) {
            const Candidate& candidate = candidates[numbers[k]];
            bool is_free = true;
            grid.for_each_near(candidate.x, distance, [&](Index j, const Vec<3>&, double) {
                if (is_taken[j] != 0 && candidates[numbers[j]].normal.dot(candidate.normal) > 0.0)
                    is_free = false;
            });
            if (!is_free) continue;
            is_taken[k] = 1;
            surfels_.position.push_back(candidate.x);
            surfels_.normal.push_back(candidate.normal);
            surfels_.id.push_back(state_.next_id++);
            is_new_.push_back(1);
        }
    }

    const CoatSurfaces& surfaces_;
    const CoatOptions& options_;
    CoatSurfels& surfels_;
    CoatState& state_;
    std::vector<std::uint8_t> is_new_;
    PointGrid grid_;
};

} // namespace

Resampled resample_coat(const CoatSurfaces& surfaces, std::span<const Vec<3>> phyxels, CoatState& state,
                        double rise)
{
    Resampled report;
    Resampling resampling(surfaces, state);
    report.deleted = resampling.delete_crowds();
    const std::uint64_t first = state.next_id;
    resampling.cover(phyxels);
    resampling.fill();
    resampling.spread(rise);
    report.added = static_cast<std::size_t>(state.next_id - first);
    ++state.round;
    return report;
}

} // namespace phyxel::detail
