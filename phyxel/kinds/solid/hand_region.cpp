// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/hand_region.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

namespace phyxel {

template <int Dim>
SolidRegion<Dim> hand_region(const Hand<Dim>& hand, const SolidModel<Dim>& model,
                             std::span<const std::uint64_t> ids, std::uint32_t part)
{
    // A body that hangs from a spring swings at 3 Hz, half damped.
    constexpr double frequency = 2.0 * std::numbers::pi * 3.0;
    constexpr double damping_ratio = 0.5;

    SolidRegion<Dim> region{.name = hand.name};
    double mass = 0.0;
    double shortest = std::numeric_limits<double>::infinity();
    Index nearest = model.first_of_part[part];
    for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i) {
        mass += model.mass[i];
        const double distance = (model.origin[i] - hand.at).norm();
        if (distance <= hand.radius) region.phyxels.push_back(ids[i]);
        if (distance < shortest) std::tie(shortest, nearest) = std::pair(distance, i);
    }
    if (region.phyxels.empty()) region.phyxels.push_back(ids[nearest]);
    if (hand.kind == HandKind::Hold) {
        region.what = CarriedAlong<Dim>{hand.motion};
    } else {
        const double stiffness = hand.stiffness.value_or(mass * frequency * frequency);
        const double damping = 2.0 * damping_ratio * std::sqrt(stiffness * mass);
        region.what = RegionSpring<Dim>{.stiffness = stiffness,
                                        .damping = model.fault == Fault::UndampedHand ? 0.0 : damping,
                                        .to = hand.at,
                                        .motion = hand.motion};
    }
    return region;
}

template SolidRegion<2> hand_region(const Hand<2>&, const SolidModel<2>&, std::span<const std::uint64_t>,
                                    std::uint32_t);
template SolidRegion<3> hand_region(const Hand<3>&, const SolidModel<3>&, std::span<const std::uint64_t>,
                                    std::uint32_t);

} // namespace phyxel
