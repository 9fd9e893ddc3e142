// SPDX-License-Identifier: MIT
// What is drawn of the solids: skins that phyxels carry, cut where they crack, and coats of what flows.
#pragma once

#include <phyxel/geometry/surroundings.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/detail/body_cracks.h>
#include <phyxel/kinds/solid/detail/body_evaluation.h>
#include <phyxel/kinds/solid/detail/body_parts.h>
#include <phyxel/kinds/solid/detail/carried_skin.h>
#include <phyxel/kinds/solid/detail/coat_skin.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/solid_regions.h>
#include <phyxel/world/body.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
class BodySkins {
public:
    /// All of these must outlive it.
    BodySkins(const BodyParts<Dim>& parts, const SolidRegions<Dim>& regions, const BodyCracks<Dim>& cracks,
              BodyEvaluation<Dim>& evaluation)
        : parts_(parts),
          regions_(regions),
          cracks_(cracks),
          evaluation_(evaluation)
    {
    }

    /// Of a part that the state has from its phyxel `first` on, and whose cracks are there; takes its skin
    /// and its phyxels. To be called for each part, in their order.
    void add(SolidPart<Dim>& part, std::size_t first);
    void remove(std::size_t part);
    /// Coats are of all phyxels of a part; what else is carried along is so by those that were halved.
    void follow(std::span<const PhyxelHalves<Dim>> halves);
    /// The skin of a part stays as it is, as its cracks are no more.
    void cut_no_more(std::size_t part) { whole_skins_[part].reset(); }

    bool has(std::size_t part) const { return part < skins_.size() && (coats_[part] || skins_[part]); }

    /// Surfels follow, and those that have become too large or too small are split and merged.
    void resample(double time);

    /// Coats that are due. Returns the largest motion that no field explains. `unfelt` is by the parts, or
    /// empty.
    double take_coats_along(const Surroundings<Dim>& surroundings, std::span<const Unfelt> unfelt);

    std::optional<SurfaceMesh> surface(std::size_t part, std::span<const BodyField> fields,
                                       const Surroundings<Dim>& surroundings, std::span<const Unfelt> unfelt);

    /// When surfels are looked at again, which is saved apart from them [s].
    double next_resampling() const { return next_resampling_; }
    void save(CheckpointWriter& checkpoint) const;
    void load(const CheckpointReader& checkpoint, double next_resampling,
              std::span<const std::vector<std::uint64_t>> phyxels);

private:
    /// Surfels that became too large or too small are looked for so often [s].
    static constexpr double resample_interval = 1.0 / 30.0;

    /// Of parts that may crack: what their skins are cut from, again whenever there is more to cut.
    struct WholeSkin {
        SolidSkin skin;
        std::optional<std::uint64_t> version = {}; ///< of the cracks that are in what was cut from it
    };

    void cut(std::size_t part);
    std::vector<Index> nodes_of(const CarriedSkin& skin) const;
    std::vector<Mat<3>> gradients_of(std::span<const Index> phyxels);
    Mat<3> gradient_from_start(Index phyxel) const;
    template <class Transfer>
    std::vector<std::uint8_t> passing_vertices(std::size_t count, std::span<const Index> nodes,
                                               const Transfer& transfer) const;
    std::vector<Index> numbers_of(const CoatSkin& coat) const;
    std::vector<Index> fused_phyxels(std::size_t part) const;
    template <class Visit>
    void with_coat(std::size_t part, const Surroundings<3>& surroundings, std::span<const Unfelt> unfelt,
                   Visit&& visit);
    bool begins_coat(std::size_t part) const;
    void begin_coat(std::size_t part, const Surroundings<3>& surroundings, std::span<const Unfelt> unfelt);

    const BodyParts<Dim>& parts_;
    const SolidRegions<Dim>& regions_;
    const BodyCracks<Dim>& cracks_;
    BodyEvaluation<Dim>& evaluation_;
    std::vector<std::optional<CarriedSkin>> skins_;
    /// Of parts that have no skin, or whose skin is shown no more.
    std::vector<std::optional<CoatSkin>> coats_;
    std::vector<std::optional<SolidCoat>> later_coats_; ///< of parts whose skin becomes a coat once they flow
    std::vector<std::optional<WholeSkin>> whole_skins_;
    double next_resampling_ = resample_interval;
};

extern template class BodySkins<2>;
extern template class BodySkins<3>;

} // namespace phyxel
