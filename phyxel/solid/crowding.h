// SPDX-License-Identifier: MIT
// What keeps the volume of solids that flow: where phyxels crowd, a pressure of the kind of SPH drives them
// apart [MKN*04, Sec. 4.2]. It knows nothing of who was whose neighbour at rest.
#pragma once

#include <phyxel/search/neighbor_search.h>
#include <phyxel/search/periodic_box.h>
#include <phyxel/solid/solid_model.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// Phyxels that flow have the energy
///
///     U_i = ½ v_i K s_i²,    s_i = max(0, Σ_j (v_j/v_i) w(r_ij) / n₀ − 1),    w = (1 − r/h)³,
///
/// with the bulk modulus K, the spiky kernel of a support h of two spacings, and n₀ the largest such sum of
/// the part at the start: what is as it was there pushes nobody, and where there is room nothing is drawn
/// together. Pairs nearer than 0.6 spacings have a spring besides, of the stiffness K a. Both push pairs
/// apart along their line, so that momentum and spin are kept.
template <int Dim>
class Crowding {
public:
    explicit Crowding(const SolidModel<Dim>& model);

    /// Whom it concerns may have changed.
    void update_model(const SolidModel<Dim>& model);

    /// Before all else at new places.
    void find(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
              const PeriodicBox<Dim>& periodic);

    void add_forces(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                    std::span<Vec<Dim>> forces) const;

    /// Adds its share of K·change but for what turns pairs, which would make K less positive.
    void add_stiffness(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                       std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product);

    /// Adds U_i of each phyxel [J].
    void add_energies(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                      std::span<double> energies) const;

    const PeriodicBox<Dim>& periodic() const { return periodic_; }

    /// A bound of √(λ of M⁻¹K) that it adds at the places that were found [1/s].
    double frequency() const;

    /// Of every part whether its shape at rest is to be forgotten: a pair of neighbours has come apart or
    /// together by much, or two have met that are no neighbours.
    std::vector<std::uint8_t> outdated(const SolidModel<Dim>& model,
                                       std::span<const Vec<Dim>> positions) const;

private:
    double share(const SolidModel<Dim>& model, Index i, Index j, double h) const;
    double stiffness(const SolidModel<Dim>& model, Index i) const;
    double push(const SolidModel<Dim>& model, Index i) const;
    double spring(const SolidModel<Dim>& model, Index i, Index j, double r, double h) const;
    template <class Visit>
    void for_each_near(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions, std::size_t member,
                       const Visit& visit) const;
    void search(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions);
    void find_crowds(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                     std::span<double> sums) const;

    std::vector<Index> members_; ///< phyxels of parts that may flow, and of those that may fuse with them
    std::vector<double> first_crowd_; ///< n₀ of the parts
    PeriodicBox<Dim> periodic_;
    double reach_ = 0.0;                  ///< of the lists [m]
    std::vector<Vec<Dim>> searched_at_;   ///< where the members were
    std::vector<std::uint64_t> first_;    ///< of the lists of the members
    std::vector<Index> near_;             ///< phyxels, ascending
    std::vector<double> crowd_, squeeze_; ///< Σ and s of the phyxels
    std::vector<double> stiffest_;        ///< λ of the members [1/s²]
    std::vector<double> changes_, partial_;
};

extern template class Crowding<2>;
extern template class Crowding<3>;

} // namespace phyxel
