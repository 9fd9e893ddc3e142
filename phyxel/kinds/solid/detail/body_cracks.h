// SPDX-License-Identifier: MIT
// The cracks of all solids of a world, those that go on by themselves, and the blades that make more of them.
#pragma once

#include <phyxel/fracture/blade.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/io/checkpoint.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/crack_growth.h>
#include <phyxel/solid/solid_cracks.h>
#include <phyxel/solid/solid_model.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

template <int Dim>
class BodyCracks {
public:
    void set_blades(std::vector<SolidBlade<Dim>> blades) { blades_ = std::move(blades); }

    /// Of a part that the model has: draws its cracks, and what blades have cut at once. To be called for
    /// each part, in their order. Blades pass through what `is_cut` says no of, and it does not break by
    /// itself; `seed` is that of its strength. Throws InputError for polygons that are none.
    void add(const SolidModel<Dim>& model, std::string_view name,
             std::span<const std::vector<Vec<Dim>>> polygons, const std::optional<Shape<Dim>>& shape,
             double time, bool is_cut, std::uint64_t seed);
    /// The part is cut no more, and what there was of its cracks is forgotten.
    void remove(std::size_t part);
    /// After phyxels have become neighbours, or are so no more.
    void forget_fragments();

    /// Whether a part may ever have a crack that is drawn or cut.
    bool may_crack(std::size_t part) const { return parts_[part].may_crack; }
    /// Whether a part breaks by itself.
    bool may_break(std::size_t part) const { return parts_[part].growth.has_value(); }
    bool may_break() const
    {
        return std::any_of(parts_.begin(), parts_.end(),
                           [](const Part& part) { return part.growth.has_value(); });
    }
    bool has_any() const { return cracks_.has_any(); }
    const CrackSheets<Dim>* find(std::size_t part) const { return cracks_.find(part); }

    /// What blades have cut since the last step. Returns whether there is anything to weigh anew.
    bool cut(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions, double time, double dt);

    /// Time goes on by `dt` [s]. Whether cracks may have gone a step since they were looked at.
    bool wait(double dt);
    /// What cracks do that grow by themselves; see CrackGrowth::grow(). Those for whom it is not time yet
    /// wait, but not in an equilibrium, which has no velocities. Returns whether there is anything to weigh
    /// anew.
    bool grow(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
              std::span<const Vec<Dim>> velocities, std::span<const double> plastic_strain);

    /// Brings the weights of the model up to date; see SolidCracks::update(). Returns whether any has
    /// changed.
    bool update(SolidModel<Dim>& model, double stabilization_share);
    /// The phyxels with a pair that the last update has changed, ascending.
    std::span<const Index> changed() const { return changed_; }

    /// Goes up whenever the cracks of a part, or its pieces, may have changed.
    std::uint64_t version(std::size_t part) const { return parts_[part].version; }
    /// All parts that have cracks.
    double area() const;
    /// What cracks that grow have taken [J].
    double paid() const;
    std::size_t fragment_count(const SolidModel<Dim>& model);
    /// Of a part, by its phyxels.
    std::span<const std::uint32_t> fragments(const SolidModel<Dim>& model, std::size_t part);

    void save(CheckpointWriter& checkpoint) const;
    /// The model then has the weights that it had.
    void load(const CheckpointReader& checkpoint, SolidModel<Dim>& model, double stabilization_share);

private:
    struct CutBody {
        std::size_t blade;
        Blade<Dim> shape; ///< with points as dense as the part needs
        BladeTrack<Dim> track = {};
    };
    struct Part {
        bool may_crack = false;
        DistanceFromSurface<Dim> distance = {};
        std::vector<CutBody> cut = {};
        std::uint64_t version = 0;
        std::optional<Fragments> fragments = {};
        std::optional<CrackGrowth<Dim>> growth = {};
    };
    void touch(std::size_t part);
    static std::string name_of(std::size_t part) { return "solid/cracks/" + std::to_string(part) + '/'; }

    SolidCracks<Dim> cracks_;
    std::vector<SolidBlade<Dim>> blades_;
    std::vector<Part> parts_;
    std::vector<Index> changed_;
};

extern template class BodyCracks<2>;
extern template class BodyCracks<3>;

} // namespace phyxel
