// SPDX-License-Identifier: MIT
// What is done to regions of the solids: to those of the parts, and to what hands have hold of.
#pragma once

#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/solid_region.h>
#include <phyxel/solid/solid_regions.h>
#include <phyxel/world/hand.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// Of a region of the part that the change names; `place_of` gives places at rest by ids. Says whether
/// anything is another now.
template <int Dim, class PlaceOf>
bool change_region(SolidRegion<Dim>& region, const RegionChange<Dim>& change, const PlaceOf& place_of)
{
    if (region.name != change.region || region.source == change.source) return false;
    Box<Dim> bounds;
    for (const std::uint64_t id : region.phyxels) bounds.extend(place_of(id));
    region.what = change.make(bounds);
    region.heat = change.heat;
    region.source = change.source;
    return true;
}

template <int Dim>
class BodyRegions {
public:
    /// The parts must outlive it.
    explicit BodyRegions(const BodyParts<Dim>& parts) : parts_(parts) {}

    /// Those of a part that is about to be appended to the state, with numbers for ids.
    void add(std::vector<SolidRegion<Dim>> regions);
    /// After the phyxels of a part have gone.
    void remove(std::string_view part);
    void set_hands(std::span<const Hand<Dim>> hands);
    /// Of a part that is there. Says whether anything is another now.
    bool change(const RegionChange<Dim>& change);

    /// What had a phyxel that was halved has both halves.
    void follow(std::span<const PhyxelHalves<Dim>> halves);
    /// The same of all pieces that there are, and of no others, as the state knows them.
    void find_pieces();

    /// After any of these: all regions, those of hands as they are at this time [s].
    void make(double time);
    const SolidRegions<Dim>& all() const { return regions_; }
    /// Without those of hands.
    std::span<const SolidRegion<Dim>> own() const { return own_; }

    /// What hands have; what follows from places at rest is not saved.
    void save(CheckpointWriter& checkpoint) const;
    /// Of hands that are there by now, as events have done again what they did; makes the regions.
    void load(const CheckpointReader& checkpoint, double time);

private:
    /// What a hand has hold of, and as what it took it.
    struct Grip {
        std::string hand, body;
        Vec<Dim> at;
        double radius;
        std::vector<std::uint64_t> phyxels;

        bool is_of(const Hand<Dim>& other) const
        {
            return hand == other.name && body == other.body && at == other.at && radius == other.radius;
        }
    };
    std::vector<std::uint64_t> taken_at_rest(const Hand<Dim>& hand, std::uint32_t part) const;
    const std::vector<std::uint64_t>& taken_by(const Hand<Dim>& hand, std::uint32_t part, double time);

    const BodyParts<Dim>& parts_;
    std::vector<SolidRegion<Dim>> own_;
    std::vector<Hand<Dim>> hands_;
    std::vector<Grip> grips_;
    SolidRegions<Dim> regions_;
};

extern template class BodyRegions<2>;
extern template class BodyRegions<3>;

} // namespace phyxel
