// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/detail/body_regions.h>

#include <phyxel/core/error.h>
#include <phyxel/kinds/solid/detail/hand_region.h>

#include <algorithm>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Of a section of a checkpoint.
std::string grip_name(std::size_t hand) { return "solid/grip/" + std::to_string(hand); }

} // namespace

template <int Dim>
void BodyRegions<Dim>::add(std::vector<SolidRegion<Dim>> regions)
{
    for (SolidRegion<Dim>& region : regions) {
        for (std::uint64_t& id : region.phyxels) id += parts_.state.next_id;
        own_.push_back(std::move(region));
    }
}

template <int Dim>
void BodyRegions<Dim>::remove(std::string_view part)
{
    std::erase_if(grips_, [&](const Grip& grip) { return grip.body == part; });
    std::erase_if(own_, [&](const SolidRegion<Dim>& region) {
        return !parts_.ids.find(region.phyxels.front()).has_value();
    });
}

template <int Dim>
void BodyRegions<Dim>::set_hands(std::span<const Hand<Dim>> hands)
{
    hands_.assign(hands.begin(), hands.end());
    std::erase_if(grips_, [&](const Grip& grip) {
        return std::none_of(hands.begin(), hands.end(),
                            [&](const Hand<Dim>& hand) { return hand.takes_hold() && grip.is_of(hand); });
    });
}

template <int Dim>
bool BodyRegions<Dim>::change(const RegionChange<Dim>& change)
{
    bool is_changed = false;
    for (SolidRegion<Dim>& region : own_) {
        const Index first = parts_.ids.find(region.phyxels.front()).value();
        if (parts_.names[parts_.model.part[first]] != change.part) continue;
        is_changed |= change_region(region, change, [&](std::uint64_t id) {
            return parts_.model.origin[parts_.ids.find(id).value()];
        });
    }
    return is_changed;
}

template <int Dim>
void BodyRegions<Dim>::follow(std::span<const PhyxelHalves<Dim>> halves)
{
    // New ids are larger than all others, so that those of a region stay in order.
    const auto complete = [&](std::vector<std::uint64_t>& phyxels) {
        for (const PhyxelHalves<Dim>& pair : halves)
            if (std::binary_search(phyxels.begin(), phyxels.end(), pair.kept)) phyxels.push_back(pair.fresh);
        std::sort(phyxels.begin(), phyxels.end());
    };
    for (SolidRegion<Dim>& region : own_) complete(region.phyxels);
    for (Grip& grip : grips_) complete(grip.phyxels);
}

template <int Dim>
void BodyRegions<Dim>::find_pieces()
{
    const SolidState<Dim>& state = parts_.state;
    const auto is_whole = [&](std::uint64_t id) {
        const std::optional<Index> i = parts_.ids.find(id);
        return i && (state.stem.empty() || state.stem[*i] == id);
    };
    for (SolidRegion<Dim>& region : own_) {
        std::vector<std::uint64_t>& phyxels = region.phyxels;
        std::erase_if(phyxels, [&](std::uint64_t id) { return !is_whole(id); });
        const std::size_t whole = phyxels.size();
        for (std::size_t i = 0; i < state.stem.size(); ++i)
            if (state.stem[i] != state.id[i] &&
                std::binary_search(phyxels.begin(), phyxels.begin() + static_cast<std::ptrdiff_t>(whole),
                                   state.stem[i]))
                phyxels.push_back(state.id[i]);
        std::sort(phyxels.begin(), phyxels.end());
    }
}

template <int Dim>
std::vector<std::uint64_t> BodyRegions<Dim>::taken_at_rest(const Hand<Dim>& hand, std::uint32_t part) const
{
    return phyxels_at<Dim>(hand.at, hand.radius, parts_.model, parts_.model.origin, parts_.state.id, part);
}

/// The phyxels of a hand: it keeps those that it took. Of a body that has flowed, and has no place at rest
/// any more, it takes the phyxels at the place of the hand.
template <int Dim>
const std::vector<std::uint64_t>& BodyRegions<Dim>::taken_by(const Hand<Dim>& hand, std::uint32_t part,
                                                             double time)
{
    const auto found =
        std::find_if(grips_.begin(), grips_.end(), [&](const Grip& grip) { return grip.is_of(hand); });
    if (found != grips_.end() && parts_.ids.find(found->phyxels.front())) return found->phyxels;
    if (found != grips_.end()) grips_.erase(found);
    grips_.push_back({hand.name, hand.body, hand.at, hand.radius,
                      parts_.has_flown(part) ? phyxels_at<Dim>(hand.place(time), hand.radius, parts_.model,
                                                               parts_.state.position, parts_.state.id, part)
                                             : taken_at_rest(hand, part)});
    return grips_.back().phyxels;
}

/// Those of the parts, and those of hands.
template <int Dim>
void BodyRegions<Dim>::make(double time)
{
    std::vector<SolidRegion<Dim>> all = own_;
    for (const Hand<Dim>& hand : hands_) {
        if (!hand.takes_hold()) continue;
        const std::optional<std::uint32_t> part = parts_.number_of(hand.body);
        if (part && parts_.model.first_of_part[*part] < parts_.model.first_of_part[*part + 1])
            all.push_back(hand_region<Dim>(hand, parts_.model, *part, taken_by(hand, *part, time)));
    }
    regions_ = SolidRegions<Dim>(parts_.model, parts_.ids, std::move(all));
}

template <int Dim>
void BodyRegions<Dim>::save(CheckpointWriter& checkpoint) const
{
    for (std::size_t k = 0; k < hands_.size(); ++k) {
        const Hand<Dim>& hand = hands_[k];
        for (const Grip& grip : grips_)
            if (const auto part = parts_.number_of(hand.body);
                part && grip.is_of(hand) && grip.phyxels != taken_at_rest(hand, *part))
                checkpoint.add(grip_name(k), grip.phyxels);
    }
}

template <int Dim>
void BodyRegions<Dim>::load(const CheckpointReader& checkpoint, double time)
{
    grips_.clear();
    for (std::size_t k = 0; k < hands_.size(); ++k) {
        const Hand<Dim>& hand = hands_[k];
        const std::optional<std::uint32_t> part = parts_.number_of(hand.body);
        if (!hand.takes_hold() || !part ||
            parts_.model.first_of_part[*part] == parts_.model.first_of_part[*part + 1])
            continue;
        Grip& grip = grips_.emplace_back(Grip{hand.name, hand.body, hand.at, hand.radius, {}});
        if (!checkpoint.contains(grip_name(k))) {
            grip.phyxels = taken_at_rest(hand, *part);
            continue;
        }
        grip.phyxels = checkpoint.section<std::uint64_t>(grip_name(k));
        if (grip.phyxels.empty() || !std::is_sorted(grip.phyxels.begin(), grip.phyxels.end()) ||
            std::any_of(grip.phyxels.begin(), grip.phyxels.end(),
                        [&](std::uint64_t id) { return !parts_.ids.find(id); }))
            throw InputError("the checkpoint is damaged: a hand has hold of nothing");
    }
    make(time);
}

template class BodyRegions<2>;
template class BodyRegions<3>;

} // namespace phyxel
