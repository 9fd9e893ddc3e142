// SPDX-License-Identifier: MIT
#include <phyxel/surface/detail/coat_surfaces.h>

#include <phyxel/surface/boundary_probability.h>

#include <algorithm>
#include <utility>

namespace phyxel::detail {
namespace {

constexpr double exposure_reach = 3.0; ///< over which phyxels are looked at, in spacings

/// Farther from the implicit coat than this, in spacings, a place on it has lost its surface.
constexpr double largest_way = 0.75;

/// How far from the mean of the points around a place on a straight rim is, in their reach.
constexpr double rim_offset = 0.27;

constexpr double changed = 0.25; ///< part of the topology, from which on detail may be lost

constexpr double wide_reach = 1.5; ///< spacings

} // namespace

CoatSurfaces::CoatSurfaces(const CoatOptions& options, std::shared_ptr<const BlinnField> field,
                           std::size_t own, std::span<const double> fluidity, CoatContact contact)
    : options_(options),
      own_(own),
      field_(std::move(field)),
      exposure_(boundary_exposure(field_->phyxels(), exposure_reach * options.spacing)),
      fluidity_(fluidity),
      contact_(std::move(contact))
{
}

void CoatSurfaces::set_zombies(const CoatZombies& zombies)
{
    zombies_ = &zombies;
    detail_ = PointSetSurface(zombies.position, zombies.normal, detail_reach * options_.radius);
    wide_ = PointGrid(zombies.position, wide_reach * options_.spacing);
}

bool CoatSurfaces::has_detail(const Vec<3>& x) const
{
    double sum = 0.0, all = 0.0;
    wide_.for_each_near(x, wide_reach * options_.spacing, [&](Index z, const Vec<3>&, double) {
        sum += zombies_->change[z];
        all += 1.0;
    });
    return !(all > 0.0 && sum >= 0.1 * all);
}

BodyAround CoatSurfaces::around(const Vec<3>& x) const
{
    BodyAround sum;
    double own = 0.0;
    field_->for_each_bell(x, [&](Index i, double bell) {
        sum.value += bell;
        if (i < own_) own += bell;
        sum.exposure += bell * exposure_[i];
        if (!fluidity_.empty()) sum.fluidity += bell * fluidity_[i];
    });
    if (sum.value > 0.0) {
        sum.exposure /= sum.value;
        sum.fluidity /= sum.value;
        sum.own = own / sum.value;
    } else {
        sum.exposure = 1.0;
    }
    return sum;
}

bool CoatSurfaces::is_buried(const Vec<3>& x, const Vec<3>& normal, const BodyAround& around) const
{
    if (!(around.value > 1.1 * blinn_level)) return false;
    for (const double out : {0.25, 0.5})
        if (!(field_->sample(x + out * options_.spacing * normal).value > blinn_level)) return false;
    return true;
}

OnCoat CoatSurfaces::on_coat(const Vec<3>& x, const Vec<3>& normal) const
{
    const std::optional<Vec<3>> onto = field_->project(x, on_coat_tolerance);
    if (!onto || (*onto - x).norm() > largest_way * options_.spacing) return {};
    const Vec<3> out = -field_->sample(*onto).gradient;
    const double length = out.norm();
    if (!(length > 0.0) || !(out.dot(normal) > 0.0)) return {};
    return {*onto, out / length, true};
}

void CoatSurfaces::touch(Vec<3>& x, Vec<3>& normal, const BodyAround& around) const
{
    if (contact_ && around.fluidity >= flowing_from) contact_(x, normal);
}

CoatSurfaces::Settled CoatSurfaces::settle(const Vec<3>& x, const Vec<3>& normal, double most) const
{
    Settled settled{x, normal};
    // The share of the implicit coat is that of the zombies around that have arrived on it.
    const PointSetSurface::Place detail = detail_.project(x, normal, 1e-4 * options_.radius);
    double share = 1.0, change = 1.0;
    if (detail.weight > 0.0) {
        double arrived = 0.0, sum = 0.0, all = 0.0;
        detail_.for_each_near(detail.x, detail.normal, [&](Index z, double w) {
            arrived += zombies_->is_on_coat[z] != 0 ? w : 0.0;
            sum += w * zombies_->change[z];
            all += w;
        });
        if (all > 0.0) {
            share = arrived / all;
            change = sum / all;
        }
    }
    // Zombies that face the same way define a plane, which goes on beyond an edge. The detail must not grow
    // there, and the coat takes over where it has begun to grow.
    const double beyond = std::clamp((detail.offset - rim_offset) / (2.0 * rim_offset), 0.0, 1.0);
    settled.is_beyond = beyond > 0.0 && share < 1.0;
    if (change > changed) share += (1.0 - share) * beyond;
    BodyAround around; // looked at only where it matters
    if (change > changed || share > 0.5) around = this->around(x);
    if ((change > changed && is_buried(x, normal, around)) ||
        (share > 0.5 && is_lost_to_others(around.own))) {
        settled.is_lost = true;
        return settled;
    }
    OnCoat coat;
    if (share > 0.0) {
        coat = on_coat(x, normal);
        if (!coat.is_there && share > 0.5) {
            settled.is_lost = true;
            return settled;
        }
        if (!coat.is_there) share = 0.0;
    }
    if (share < 1.0) {
        const Vec<3> way = (1.0 - share) * (detail.x - x);
        const double length = way.norm();
        if (length > 0.0) settled.x += std::min(length, most) / length * way;
        settled.normal = (1.0 - share) * detail.normal;
        if (share > 0.0) {
            settled.x += share * (coat.x - x);
            settled.normal += share * coat.normal;
        }
        settled.normal.normalize();
    } else {
        settled.x = coat.x;
        settled.normal = coat.normal;
    }
    if (share > 0.5) touch(settled.x, settled.normal, around);
    return settled;
}

CoatSurfaces::Mean CoatSurfaces::mean(const Vec<3>& x, const Vec<3>& normal) const
{
    Mean mean;
    double weights = 0.0;
    detail_.for_each_near(x, normal, [&](Index z, double w) {
        mean.color += w * zombies_->color[z];
        weights += w;
        ++mean.count;
    });
    if (weights > 0.0) mean.color /= weights;
    return mean;
}

} // namespace phyxel::detail
