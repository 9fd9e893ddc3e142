// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/hand_region.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

namespace phyxel {

template <int Dim>
std::vector<std::uint64_t> phyxels_at(const Vec<Dim>& place, double radius, const SolidModel<Dim>& model,
                                      std::span<const Vec<Dim>> places, std::span<const std::uint64_t> ids,
                                      std::uint32_t part)
{
    std::vector<std::uint64_t> phyxels;
    double shortest = std::numeric_limits<double>::infinity();
    Index nearest = model.first_of_part[part];
    for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i) {
        const double distance = (places[i] - place).norm();
        if (distance <= radius) phyxels.push_back(ids[i]);
        if (distance < shortest) std::tie(shortest, nearest) = std::pair(distance, i);
    }
    if (phyxels.empty()) phyxels.push_back(ids[nearest]);
    return phyxels;
}

template <int Dim>
SolidRegion<Dim> hand_region(const Hand<Dim>& hand, const SolidModel<Dim>& model, std::uint32_t part,
                             std::vector<std::uint64_t> phyxels)
{
    // A body that hangs from a spring swings at 3 Hz, half damped.
    constexpr double frequency = 2.0 * std::numbers::pi * 3.0;
    constexpr double damping_ratio = 0.5;

    SolidRegion<Dim> region{.name = hand.name, .phyxels = std::move(phyxels)};
    double mass = 0.0;
    for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i) mass += model.mass[i];
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

template std::vector<std::uint64_t> phyxels_at(const Vec<2>&, double, const SolidModel<2>&,
                                               std::span<const Vec<2>>, std::span<const std::uint64_t>,
                                               std::uint32_t);
template std::vector<std::uint64_t> phyxels_at(const Vec<3>&, double, const SolidModel<3>&,
                                               std::span<const Vec<3>>, std::span<const std::uint64_t>,
                                               std::uint32_t);
template SolidRegion<2> hand_region(const Hand<2>&, const SolidModel<2>&, std::uint32_t,
                                    std::vector<std::uint64_t>);
template SolidRegion<3> hand_region(const Hand<3>&, const SolidModel<3>&, std::uint32_t,
                                    std::vector<std::uint64_t>);

} // namespace phyxel
