// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/coat_pop.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace phyxel::detail {
namespace {

/// Farther from the implicit coat than this, in its radii, a place does not go with it.
constexpr double farthest_way = 1.5;

/// Nearer to it than this it is on it.
constexpr double near = 1e-4;

/// So many at a time.
constexpr std::size_t looked_at = 2048;

/// Where among the surfels, whose ids ascend, one of them is.
std::optional<std::size_t> place_of(const CoatSurfels& surfels, std::uint64_t id)
{
    const auto found = std::lower_bound(surfels.id.begin(), surfels.id.end(), id);
    if (found == surfels.id.end() || *found != id) return {};
    return static_cast<std::size_t>(found - surfels.id.begin());
}

} // namespace

Vec<3> ExplainedMotion::unexplained(const Vec<3>& x, const Vec<3>& normal, const Vec<3>& carried,
                                    const Vec<3>& now) const
{
    const Vec<3> way = now - carried;
    const double farthest = farthest_way * before_.shape().radius;
    Vec<3> start = carried;
    const BlinnField::Sample at = before_.sample(x);
    if (!(std::abs(at.value - blinn_level) <= near * before_.shape().radius * at.gradient.norm())) {
        const std::optional<Vec<3>> from = before_.project(x, on_coat_tolerance);
        if (!from || (*from - x).norm() > farthest) return way;
        start = path_.carry(*from, normal).x;
    }
    const std::optional<Vec<3>> end = now_.project(start, on_coat_tolerance);
    if (!end || (*end - start).norm() > farthest) return way;
    const Vec<3> own = *end - start;
    const double square = own.squaredNorm();
    if (!(square > 0.0)) return way;
    return way - std::clamp(way.dot(own) / square, 0.0, 1.0) * own;
}

double CoatPop::largest(const ExplainedMotion& motion, const CoatSurfaces& surfaces,
                        const CoatSurfels& now) const
{
    const auto off_surface = [&](const CoatSurfels& surfels, std::size_t i) {
        return Vec<3>(surfels.position[i] - surfaces.settle(surfels.position[i], surfels.normal[i]).x);
    };
    struct Gone {
        double most; ///< that can be left unexplained [m]
        std::size_t before, moved, now;
        Vec<3> raised; ///< across the surface, by sampling
    };
    std::vector<Gone> gone;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const std::optional<std::size_t> before = place_of(before_, now.id[i]),
                                         moved = place_of(moved_, now.id[i]);
        if (before && moved) gone.push_back({0.0, *before, *moved, i, Vec<3>::Zero()}); // others are new
    }
    parallel_for(
        gone.size(),
        [&](Index k) {
            Gone& one = gone[k];
            const Vec<3>& to = moved_.position[one.moved];
            if (now.position[one.now] != to)
                one.raised = off_surface(now, one.now) - off_surface(moved_, one.moved);
            one.most = (to - carried_[one.before]).norm() + one.raised.norm();
        },
        128);
    // The largest first, until what is left of the others cannot be larger.
    std::stable_sort(gone.begin(), gone.end(), [](const Gone& a, const Gone& b) { return a.most > b.most; });
    double largest = 0.0;
    std::vector<double> partial;
    for (std::size_t first = 0; first < gone.size() && gone[first].most > largest; first += looked_at) {
        const std::size_t count = std::min(looked_at, gone.size() - first);
        const auto pop_of = [&](Index k) {
            const Gone& one = gone[first + k];
            const Vec<3> left = motion.unexplained(before_.position[one.before], before_.normal[one.before],
                                                   carried_[one.before], moved_.position[one.moved]);
            return (left + one.raised).norm();
        };
        largest = ordered_max(count, largest, pop_of, partial);
    }
    return largest;
}

} // namespace phyxel::detail
