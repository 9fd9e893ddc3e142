// SPDX-License-Identifier: MIT
// What is done to regions of solids, as solvers ask for it.
#pragma once

#include <phyxel/core/id_index.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_region.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
class SolidRegions {
public:
    SolidRegions() = default;
    /// `ids` are those of the phyxels of the model. What is no longer there is left out.
    SolidRegions(const SolidModel<Dim>& model, const IdIndex& ids, std::vector<SolidRegion<Dim>> regions);

    /// Whether the phyxel follows a motion that is given.
    bool is_prescribed(std::size_t i) const { return is_prescribed_[i] != 0; }
    std::span<const std::uint8_t> prescribed() const { return is_prescribed_; } ///< the same of all
    /// Whether something is done to phyxels of the part at places in space, and not wherever they are.
    bool is_anchored(const SolidModel<Dim>& model, std::size_t part) const;
    bool has_any() const { return !regions_.empty(); }
    bool has_prescribed(const SolidModel<Dim>& model, std::size_t part) const;

    /// Calls visit(i, x) with every such phyxel and where it has to be after a step that ends at a time [s],
    /// from the places at which it began.
    template <class Visit>
    void for_each_prescribed(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions, double time,
                             double dt, Visit&& visit) const
    {
        for (std::size_t r = 0; r < regions_.size(); ++r) {
            if (const auto* prescribed = std::get_if<PrescribedMotion<Dim>>(&regions_[r].what)) {
                const Pose<Dim> pose = prescribed->motion.pose(time);
                for (const Index i : phyxels_[r]) visit(i, pose.apply(model.origin[i]));
            } else if (const auto* carried = std::get_if<CarriedAlong<Dim>>(&regions_[r].what)) {
                const Pose<Dim> before = carried->motion.pose(time - dt);
                const Pose<Dim> after = carried->motion.pose(time);
                for (const Index i : phyxels_[r]) visit(i, after.apply(before.apply_inverse(positions[i])));
            }
        }
    }

    /// Of the stiffest spring with what it is fixed to, and of its damper: both bound explicit steps [1/s].
    double largest_frequency() const;
    double largest_damping() const;

    /// Adds what pulls and presses at a time to the forces [N]. Pressure needs the responses of the places.
    void add_forces(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                    std::span<const Vec<Dim>> velocities, const ElasticWorkspace<Dim>& work, double time,
                    std::span<Vec<Dim>> forces) const;

    /// What springs add to K·change, and their dampers with `damping` [1/s]; see apply_stiffness.
    void add_stiffness(const SolidModel<Dim>& model, std::span<const Vec<Dim>> change, double damping,
                       std::span<Vec<Dim>> product) const;

private:
    std::vector<SolidRegion<Dim>> regions_;
    std::vector<std::vector<Index>> phyxels_; ///< of the regions, as they are numbered in the model
    std::vector<double> masses_;              ///< of the regions [kg]
    std::vector<std::uint8_t> is_prescribed_;
};

extern template class SolidRegions<2>;
extern template class SolidRegions<3>;

} // namespace phyxel
