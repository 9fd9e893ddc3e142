// SPDX-License-Identifier: MIT
// What is done to a region, from what a scene says of it.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/kinds/solid/solid_body_options.h>
#include <phyxel/scene/motion_maker.h>
#include <phyxel/solid/solid_region.h>

namespace phyxel {

/// `bounds` are those that it turns around if nothing is said, which the options know from then on. What an
/// event sets goes on from where it is. Throws InputError for motions that are none.
template <int Dim>
RegionAction<Dim> region_action(RegionOptions<Dim>& options, const Box<Dim>& bounds, bool goes_on)
{
    if (options.force) return RegionForce<Dim>{*options.force};
    if (options.pressure) return RegionPressure{*options.pressure};
    if (options.spring)
        return RegionSpring<Dim>{.stiffness = options.spring->stiffness,
                                 .damping = options.spring->damping,
                                 .to = options.spring->to};
    if (!options.motion || options.motion->is_free) return RegionFree{};
    Motion<Dim> motion = make_motion<Dim>(*options.motion, bounds);
    if (goes_on) return CarriedAlong<Dim>{std::move(motion)};
    return PrescribedMotion<Dim>{std::move(motion)};
}

} // namespace phyxel
