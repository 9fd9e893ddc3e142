// SPDX-License-Identifier: MIT
// What keeps the volume of solids that flow: where phyxels crowd, a pressure of the kind of SPH drives them
// apart [MKN*04, Sec. 4.2]. It knows nothing of who was whose neighbour at rest.
#pragma once

#include <phyxel/search/neighbor_search.h>
#include <phyxel/search/periodic_box.h>
#include <phyxel/solid/solid_model.h>

#include <cstdint>
#include <optional>
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

    /// At new places: before all that follows, which is asked at the same ones.
    void find(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
              const PeriodicBox<Dim>& periodic);

    /// Phyxels may be so many times as crowded as any at the start, and push nobody; empty: once. Copied.
    void set_allowed(std::span<const double> allowed) { allowed_.assign(allowed.begin(), allowed.end()); }

    /// How crowded each phyxel is at these places, over the most of its part at the start; 0 for those that
    /// it does not concern.
    std::vector<double> crowds(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions);

    void add_forces(const SolidModel<Dim>& model, std::span<Vec<Dim>> forces) const;

    /// Adds its share of K·change but for what turns pairs, which would make K less positive.
    void add_stiffness(std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product);

    /// Adds U_i of each phyxel [J].
    void add_energies(std::span<double> energies) const;

    const PeriodicBox<Dim>& periodic() const { return periodic_; }

    /// A bound of √(λ of M⁻¹K) that it adds [1/s].
    double frequency() const;

    /// Of every part whether its shape at rest is to be forgotten: a pair of neighbours has come apart or
    /// together by much, or two have met that are no neighbours.
    std::vector<std::uint8_t> outdated(const SolidModel<Dim>& model,
                                       std::span<const Vec<Dim>> positions) const;

private:
    /// A phyxel, in the order of the search.
    struct Member {
        Vec<Dim> x;
        double spacing;
        double volume;
        Index phyxel;
        std::uint32_t part;
        bool flows;
        double first = 0.0;     ///< n₀ times what is allowed
        double crowd = 0.0;     ///< Σ
        double modulus = 0.0;   ///< K [Pa]
        double squeeze = 0.0;   ///< s
        double stiffness = 0.0; ///< v K / n₀² where it is squeezed [J]
        double push = 0.0;      ///< v K s / n₀ [J]
        double rate = 0.0;      ///< λ [1/s²]
    };
    template <class Visit>
    void for_each_near(const Member& member, std::size_t place, const Visit& visit) const;
    void search(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions);
    double share(const Member& i, const Member& j, double h) const;
    double spring(const Member& i, const Member& j, double h) const;

    std::vector<Index> phyxels_;       ///< of parts that may flow, and of those that may fuse with them
    std::vector<double> first_crowd_;  ///< n₀ of the parts
    std::vector<double> allowed_;      ///< of the phyxels, times that; empty if once
    std::vector<std::uint8_t> couple_; ///< whether those of two parts see each other: rows of all parts
    double reach_ = 0.0;               ///< the largest support [m]
    PeriodicBox<Dim> periodic_;
    std::optional<NeighborSearch<Dim>> search_;
    std::vector<Vec<Dim>> points_;
    std::vector<Member> members_;
    std::vector<double> changes_;
};

extern template class Crowding<2>;
extern template class Crowding<3>;

} // namespace phyxel
