// SPDX-License-Identifier: MIT
// Cracks of a part that start and grow by themselves. Brittle ones start where the largest principal stress
// is above the strength, and go on where that releases the energy that they take: stress at a front grows as
// 1/√spacing and is no criterion. Ductile ones start, and go on, where what is pulled has flowed too far.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/solid/breaking_law.h>
#include <phyxel/solid/crack_driving.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_cracks.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_state.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Where a crack starts.
template <int Dim>
struct Onset {
    Index phyxel = 0;
    Vec<Dim> normal = Vec<Dim>::Zero(); ///< at rest, of unit length
    double ratio = 0.0; ///< of the stress to the strength, or of the plastic strain to that which tears
};

/// What decides of a part how its cracks go on.
struct CrackPurses {
    /// What has been released at a node of the sheets beyond what its way has cost, which it may spend where
    /// less is released; none for nodes beyond the end [J/m].
    std::vector<double> purse;
    double waited = 0.0;     ///< since fronts were looked at [s]
    double paid = 0.0;       ///< by all cracks that have grown [J]
    std::uint64_t ended = 0; ///< pieces that came to nothing
};

template <int Dim>
class CrackGrowth {
public:
    /// Of a part of the model that breaks.
    CrackGrowth(const SolidModel<Dim>& model, std::size_t part, std::uint64_t seed);

    /// Time goes on by `dt` [s]; whether fronts may have gone a step meanwhile.
    void wait(double dt) { purses_.waited += dt; }
    bool is_due() const { return purses_.waited >= interval_; }

    /// What fronts do in the time of a step, and one more crack at the most, from the last responses. In an
    /// equilibrium there are no velocities. `plastic_strain` is that of all phyxels, empty where none flows;
    /// `fragments` tells who hangs together. Returns whether there is anything to weigh anew.
    bool grow(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
              std::span<const Vec<Dim>> velocities, std::span<const double> plastic_strain,
              std::span<const std::uint32_t> fragments, const DistanceFromSurface<Dim>& distance,
              SolidCracks<Dim>& cracks);

    const BreakingLaw<Dim>& law() const { return law_; }
    const CrackPurses& purses() const { return purses_; }
    /// Throws InputError for what makes no sense; `nodes` are those of the sheets.
    void set_purses(CrackPurses purses, std::size_t nodes);

private:
    bool advance(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                 std::span<const Vec<Dim>> velocities, std::span<const double> plastic_strain,
                 std::span<const std::uint32_t> fragments, const DistanceFromSurface<Dim>& distance,
                 SolidCracks<Dim>& cracks);
    bool start(const SolidModel<Dim>& model, const Onset<Dim>& onset,
               const DistanceFromSurface<Dim>& distance, SolidCracks<Dim>& cracks);

    std::size_t part_;
    BreakingLaw<Dim> law_;
    double interval_;              ///< in which a front may go a step [s]
    std::vector<double> strength_; ///< of the phyxels along the grain [Pa]
    std::vector<std::uint8_t> is_surface_;
    std::vector<Index> face_near_; ///< of phyxels, one that was found near them; says nothing else
    CrackPurses purses_;
};

/// The phyxel whose largest principal stress is most above its strength, or which has flowed most beyond what
/// tears it; those at the surface come first, and those for which `is_free` is false do not count. `strength`
/// is that of the phyxels from `first` on, `plastic_strain` that of all.
template <int Dim>
std::optional<Onset<Dim>> find_onset(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                                     Index first, const BreakingLaw<Dim>& law,
                                     std::span<const double> strength, std::span<const double> plastic_strain,
                                     std::span<const std::uint8_t> is_surface,
                                     const std::function<bool(Index)>& is_free);

extern template class CrackGrowth<2>;
extern template class CrackGrowth<3>;

} // namespace phyxel
