// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/coat_zombies.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/search/kd_tree.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace phyxel::detail {
namespace {

constexpr std::size_t zombie_block = 128;

/// λ of ΔΓ: how much of the detail a whole change of exposure takes. A change up to `play` is none: spacings
/// and numbers of neighbours change in any deformation.
constexpr double weight_of_change = 2.0;
constexpr double play = 0.15;

/// Beyond this, in r_s, it is an edge that rounds detail, and no bend.
constexpr double most_raised = 0.5;

/// Fewer zombies than this around a surfel do not say where the surface is.
constexpr std::size_t few = 4;

template <class T>
void keep(const std::vector<std::uint8_t>& is_gone, std::vector<T>& values)
{
    std::size_t left = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (is_gone[i] == 0) values[left++] = values[i];
    values.resize(left);
}

void remove(const std::vector<std::uint8_t>& is_gone, CoatZombies& zombies)
{
    if (std::find(is_gone.begin(), is_gone.end(), std::uint8_t(1)) == is_gone.end()) return;
    for_each_array(zombies, [&](const auto&, auto& values) { keep(is_gone, values); });
}

/// Detail that begins at the place of a surface. The surface of moving least squares lies within a bent one,
/// so zombies have to lie as far outside of it.
void raise(const std::vector<std::uint8_t>& is_set, double radius, CoatZombies& zombies)
{
    if (std::find(is_set.begin(), is_set.end(), std::uint8_t(1)) == is_set.end()) return;
    const PointSetSurface detail(zombies.position, zombies.normal, detail_reach * radius);
    parallel_for(
        zombies.size(),
        [&](Index z) {
            if (is_set[z] == 0) return;
            Vec<3>& x = zombies.position[z];
            const Vec<3> way = x - detail.project(x, zombies.normal[z], 1e-4 * radius).x;
            if (way.norm() < most_raised * radius) x += way;
        },
        zombie_block);
}

} // namespace

void advance_zombies(const CoatSurfaces& surfaces, const PhyxelPath& path, double most, CoatZombies& zombies)
{
    std::vector<std::uint8_t> is_gone(zombies.size(), 0), is_set(zombies.size(), 0);
    parallel_for(
        zombies.size(),
        [&](Index z) {
            Vec<3>& x = zombies.position[z];
            Vec<3>& n = zombies.normal[z];
            const PhyxelPath::Carried moved = path.carry(x, n);
            x = moved.x;
            n = moved.normal;

            const BodyAround around = surfaces.around(x);
            // ΔΓ, of what exceeds the play: so it does not depend on how many steps a change takes.
            double& change = zombies.change[z];
            const double beyond = std::abs(around.exposure - zombies.exposure[z]) - play;
            if (beyond > 0.0) {
                change += weight_of_change * beyond;
                zombies.exposure[z] += around.exposure > zombies.exposure[z] ? beyond : -beyond;
            }
            // What flows forgets its detail as it is sheared.
            change = std::min(1.0, change + around.fluidity * moved.shear);

            const bool is_fluid = around.fluidity >= flowing_from;
            if (!is_fluid &&
                zombies.is_fluid[z] != 0) { // it sets, and all of its shape is detail from now on
                change = 0.0;
                zombies.first_value[z] = around.value;
                zombies.exposure[z] = around.exposure;
                zombies.is_on_coat[z] = 0;
                is_set[z] = 1;
            }
            zombies.is_fluid[z] = is_fluid ? 1 : 0;
            if (!(change > 0.0)) return;
            if (surfaces.is_buried(x, n, around) ||
                (zombies.is_on_coat[z] != 0 && CoatSurfaces::is_lost_to_others(around.own))) {
                is_gone[z] = 1;
                return;
            }

            const OnCoat coat = surfaces.on_coat(x, n);
            if (!coat.is_there) {
                is_gone[z] = zombies.is_on_coat[z] != 0 || change >= 1.0 ? 1 : 0;
                return;
            }
            if (zombies.is_on_coat[z] == 0) {
                // [MKN*04, Sec. 5.2.2] with s^{t−1} as it is now, because the field may have changed around a
                // place that rests. A value that is already beyond its target waits.
                const double due = zombies.first_value[z] + change * (blinn_level - zombies.first_value[z]);
                const double left = blinn_level - around.value;
                const double blend = std::abs(left) < 1e-6 * blinn_level || change >= 1.0
                                         ? 1.0
                                         : std::clamp((due - around.value) / left, 0.0, 1.0);
                const Vec<3> way = blend * (coat.x - x);
                const double length = way.norm();
                const double share = length > most ? most / length : 1.0;
                if (change < 1.0 || share < 1.0) {
                    x += share * way;
                    n = (n + share * blend * (coat.normal - n)).normalized();
                    return;
                }
                zombies.is_on_coat[z] = 1;
            }
            x = coat.x;
            n = coat.normal;
            surfaces.touch(x, n, around);
        },
        zombie_block);
    raise(is_set, surfaces.options().radius, zombies);
    remove(is_gone, zombies);
}

void begin_zombies(const CoatSurfaces& surfaces, bool keeps_detail, CoatZombies& zombies)
{
    const std::size_t count = zombies.position.size();
    resize_arrays(zombies, count);
    std::vector<std::uint8_t> is_gone(count, 0);
    parallel_for(
        count,
        [&](Index z) {
            Vec<3>& x = zombies.position[z];
            const BodyAround around = surfaces.around(x);
            zombies.first_value[z] = around.value;
            zombies.exposure[z] = around.exposure;
            zombies.is_fluid[z] = around.fluidity >= flowing_from ? 1 : 0;
            zombies.change[z] = keeps_detail ? 0.0 : 1.0;
            zombies.is_on_coat[z] = keeps_detail ? 0 : 1;
            if (keeps_detail) return;
            const OnCoat coat = surfaces.on_coat(x, zombies.normal[z]);
            is_gone[z] = coat.is_there ? 0 : 1;
            if (coat.is_there) {
                x = coat.x;
                zombies.normal[z] = coat.normal;
            }
        },
        zombie_block);
    remove(is_gone, zombies);
}

void renew_zombies(const CoatSurfaces& surfaces, const CoatSurfels& surfels, std::uint64_t round,
                   CoatZombies& zombies)
{
    // Where there are too few, what the surfels know.
    std::vector<CoatSurfaces::Mean> means(surfels.size());
    parallel_for(
        surfels.size(), [&](Index i) { means[i] = surfaces.mean(surfels.position[i], surfels.normal[i]); },
        zombie_block);
    std::vector<Index> bare;
    for (Index i = 0; i < surfels.size(); ++i)
        if (means[i].count < few) bare.push_back(i);

    // And away with what is far too many.
    const double crowd = 2.0 * surfaces.options().most_neighbors *
                         std::pow(surfaces.detail().radius() / (2.0 * surfaces.options().radius), 2);
    std::vector<std::uint8_t> is_gone(zombies.size(), 0);
    parallel_for(
        zombies.size(),
        [&](Index z) {
            if (zombies.is_on_coat[z] == 0) return;
            const std::size_t count = surfaces.mean(zombies.position[z], zombies.normal[z]).count;
            if (static_cast<double>(count) > crowd && Rng(z, round, 2).uniform() < 0.5) is_gone[z] = 1;
        },
        zombie_block);

    CoatZombies added;
    resize_arrays(added, bare.size());
    const KdTree<3> tree(bare.empty() ? std::span<const Vec<3>>()
                                      : std::span<const Vec<3>>(zombies.position));
    parallel_for(
        bare.size(),
        [&](Index k) {
            const Index i = bare[k];
            const Vec<3>& x = surfels.position[i];
            const BodyAround around = surfaces.around(x);
            std::vector<Neighbor<>> nearest;
            tree.nearest(x, 1, nearest);
            const bool is_alone = nearest.empty();
            // Of detail that was drawn apart, the new place is detail too.
            const bool is_detail =
                means[i].count > 0 && !is_alone && !(zombies.change[nearest.front().id] > 0.0);
            added.position[k] = x;
            added.normal[k] = surfels.normal[i];
            if (means[i].count > 0)
                added.color[k] = means[i].color;
            else
                added.color[k] = is_alone ? x : zombies.color[nearest.front().id];
            added.first_value[k] = is_detail ? around.value : blinn_level;
            added.change[k] = is_detail ? 0.0 : 1.0;
            added.exposure[k] = around.exposure;
            added.is_on_coat[k] = is_detail ? 0 : 1;
            added.is_fluid[k] = around.fluidity >= flowing_from ? 1 : 0;
        },
        zombie_block);
    remove(is_gone, zombies);
    for_each_array(zombies, added, [](const auto&, auto& values, const auto& more) {
        values.insert(values.end(), more.begin(), more.end());
    });
}

} // namespace phyxel::detail
