// SPDX-License-Identifier: MIT
#include <phyxel/surface/coat.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/coat_pop.h>
#include <phyxel/surface/detail/coat_resampling.h>
#include <phyxel/surface/detail/coat_surfaces.h>
#include <phyxel/surface/detail/coat_zombies.h>
#include <phyxel/surface/detail/phyxel_motion.h>

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr double motion_reach = 2.0; ///< over which phyxels carry the surface, in spacings

/// Of what the field does not explain; the rest is for sampling anew.
constexpr double share_of_moving = 0.95;

void check_options(const CoatOptions& options)
{
    const auto check = [](const char* what, double value) {
        if (!(value > 0.0) || !std::isfinite(value))
            throw InputError(std::string(what) + " of a coat is " + number_text(value) +
                             ", must be positive and finite");
    };
    check("the radius of the surfels", options.radius);
    check("the spacing of the phyxels", options.spacing);
    check("the frame", options.frame);
    check("the largest pop", options.largest_pop);
    if (options.least_neighbors < 3 || options.most_neighbors <= options.least_neighbors)
        throw InputError("surfels of a coat cannot have " + std::to_string(options.least_neighbors) + " to " +
                         std::to_string(options.most_neighbors) + " neighbours");
}

void check_points(const char* what, std::span<const Vec<3>> points, std::span<const Vec<3>> normals)
{
    for (std::size_t i = 0; i < points.size(); ++i)
        if (!points[i].allFinite() || !normals[i].allFinite() || normals[i].isZero(0.0))
            throw InputError(std::string(what) + " " + std::to_string(i) +
                             " of a coat has no finite place and normal");
}

} // namespace

Coat::Coat(std::span<const Vec<3>> points, std::span<const Vec<3>> normals, std::span<const Vec<3>> colors,
           std::span<const Vec<3>> phyxels, const CoatOptions& options, std::uint64_t first_id)
    : options_(options)
{
    PHYXEL_ASSERT(points.size() == normals.size());
    PHYXEL_ASSERT(colors.empty() || colors.size() == points.size());
    check_options(options);
    check_points("surfel", points, normals);
    CoatZombies& zombies = state_.zombies;
    CoatSurfels& surfels = state_.surfels;
    zombies.position.assign(points.begin(), points.end());
    resize_arrays(zombies, points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        zombies.normal[i] = (normals[i] / normals[i].cwiseAbs().maxCoeff()).normalized();
        zombies.color[i] = colors.empty() ? Vec<3>(points[i]) : Vec<3>(colors[i]);
    }
    field_ = field(phyxels);
    detail::CoatSurfaces surfaces(options, field_, phyxels.size(), {}, {});
    detail::begin_zombies(surfaces, options.keeps_detail, zombies);
    surfaces.set_zombies(zombies);
    resize_arrays(surfels, zombies.size());
    parallel_for(
        surfels.size(),
        [&](Index i) {
            surfels.position[i] = zombies.position[i];
            surfels.normal[i] = zombies.normal[i];
            if (options.is_shown_already) return;
            const auto settled = surfaces.settle(zombies.position[i], zombies.normal[i]);
            if (settled.is_lost) return;
            surfels.position[i] = settled.x;
            surfels.normal[i] = settled.normal;
        },
        128);
    state_.next_id = first_id;
    for (std::uint64_t& id : surfels.id) id = state_.next_id++;
    // Whatever the points were like; a few times are enough.
    for (int k = 0; k < 10; ++k) {
        const detail::Resampled resampled =
            detail::resample_coat(surfaces, phyxels, state_, 0.01 * options.radius);
        if (resampled.added + resampled.deleted == 0) break;
    }
    detail::renew_zombies(surfaces, surfels, state_.round, zombies);
}

Coat::Coat(CoatState state, const CoatOptions& options) : options_(options), state_(std::move(state))
{
    check_options(options);
    const CoatSurfels& surfels = state_.surfels;
    const CoatZombies& zombies = state_.zombies;
    if (surfels.normal.size() != surfels.size() || surfels.id.size() != surfels.size())
        throw InputError("surfels of a coat have different numbers of places, normals and ids");
    check_points("surfel", surfels.position, surfels.normal);
    for (std::size_t i = 0; i < surfels.size(); ++i)
        if (surfels.id[i] >= state_.next_id || (i > 0 && surfels.id[i] <= surfels.id[i - 1]))
            throw InputError("the ids of surfels do not ascend");
    for_each_array(zombies, [&](const auto& array, const auto& values) {
        if (values.size() != zombies.size())
            throw InputError("zombies of a coat lack some of their " + std::string(array.name));
    });
    check_points("zombie", zombies.position, zombies.normal);
    for (std::size_t i = 0; i < zombies.size(); ++i)
        if (!zombies.color[i].allFinite() || !std::isfinite(zombies.first_value[i]) ||
            !(zombies.change[i] >= 0.0 && zombies.change[i] <= 1.0) ||
            !(zombies.exposure[i] >= 0.0 && zombies.exposure[i] <= 1.0))
            throw InputError("zombie " + std::to_string(i) + " of a coat is none");
}

CoatReport Coat::advance(const CoatStep& step)
{
    PHYXEL_ASSERT(step.before.size() == step.after.size());
    PHYXEL_ASSERT(step.fluidity.empty() || step.fluidity.size() == step.phyxels.size() + step.others.size());
    CoatReport report;
    CoatSurfels& surfels = state_.surfels;
    const double all =
        options_.largest_pop * options_.radius * std::clamp(step.dt / options_.frame, 0.0, 1.0);
    const double most = share_of_moving * all;
    const detail::PhyxelPath path(step.before, step.between, step.after, motion_reach * options_.spacing);
    PHYXEL_ASSERT(step.sizes.empty() || step.sizes.size() == step.phyxels.size() + step.others.size());
    std::vector<double> sizes_before;
    if (!step.sizes.empty()) {
        // The same phyxels, and others that need not be those of now.
        const auto own = static_cast<std::ptrdiff_t>(step.before.size());
        sizes_before.assign(step.sizes.begin(), step.sizes.begin() + own);
        sizes_before.insert(sizes_before.end(), step.other_sizes_before.begin(),
                            step.other_sizes_before.end());
        sizes_before.resize(step.before.size() + step.others_before.size(), 1.0);
    }
    const std::shared_ptr<const BlinnField> before = field(step.before, step.others_before, sizes_before);
    field_ = field(step.phyxels, step.others, step.sizes);
    detail::CoatSurfaces surfaces(options_, field_, step.phyxels.size(), step.fluidity, step.contact);
    detail::advance_zombies(surfaces, path, most, state_.zombies);
    surfaces.set_zombies(state_.zombies);

    const detail::ExplainedMotion explained(path, *before, *field_);
    detail::CoatPop pop(surfels);
    std::vector<std::uint8_t> is_lost(surfels.size(), 0);
    parallel_for(
        surfels.size(),
        [&](Index i) {
            Vec<3>& x = surfels.position[i];
            Vec<3>& n = surfels.normal[i];
            const detail::PhyxelPath::Carried moved = path.carry(x, n);
            const Vec<3>& carried = moved.x;
            pop.set_carried(i, carried);
            detail::CoatSurfaces::Settled to = surfaces.settle(carried, moved.normal, most);
            // What no field explains is done bit by bit, in the frames to come.
            if ((to.x - carried).norm() > most) {
                const Vec<3> left = explained.unexplained(x, n, carried, to.x);
                if (const double length = left.norm(); length > most) to.x -= (1.0 - most / length) * left;
            }
            is_lost[i] = to.is_lost || !to.x.allFinite() || !to.normal.allFinite() ? 1 : 0;
            x = to.x;
            n = to.normal;
        },
        128);
    std::size_t left = 0;
    for (std::size_t i = 0; i < surfels.size(); ++i) {
        if (is_lost[i] != 0) continue;
        surfels.position[left] = surfels.position[i];
        surfels.normal[left] = surfels.normal[i];
        surfels.id[left++] = surfels.id[i];
    }
    report.deleted = surfels.size() - left;
    resize_arrays(surfels, left);
    pop.set_moved(surfels);

    if (step.resamples) {
        const detail::Resampled resampled =
            detail::resample_coat(surfaces, step.phyxels, state_, (1.0 - share_of_moving) * all);
        report.added = resampled.added;
        report.deleted += resampled.deleted;
    }
    report.largest_pop = pop.largest(explained, surfaces, surfels) / options_.radius;
    if (step.resamples) detail::renew_zombies(surfaces, surfels, state_.round, state_.zombies);
    report.surfels = surfels.size();
    report.zombies = state_.zombies.size();
    return report;
}

std::vector<Vec<3>> Coat::colors() const
{
    const detail::PointSetSurface zombies(state_.zombies.position, state_.zombies.normal,
                                          detail::detail_reach * options_.radius);
    std::vector<Vec<3>> colors(size());
    parallel_for(size(), [&](Index i) {
        Vec<3> sum = Vec<3>::Zero();
        double weights = 0.0;
        zombies.for_each_near(state_.surfels.position[i], state_.surfels.normal[i], [&](Index z, double w) {
            sum += w * state_.zombies.color[z];
            weights += w;
        });
        colors[i] = weights > 0.0 ? Vec<3>(sum / weights) : state_.surfels.position[i];
    });
    return colors;
}

std::shared_ptr<const BlinnField> Coat::field(std::span<const Vec<3>> phyxels, std::span<const Vec<3>> others,
                                              std::span<const double> sizes) const
{
    std::vector<Vec<3>> all(phyxels.begin(), phyxels.end());
    all.insert(all.end(), others.begin(), others.end());
    if (field_ && field_->phyxels() == all) return field_;
    return std::make_shared<const BlinnField>(all, blinn_shape(options_.spacing, options_.blobbiness), sizes);
}

} // namespace phyxel
