// SPDX-License-Identifier: MIT
// The surface of solids as others feel it: points that phyxels carry along, and that hand on to the phyxels
// what is done to them.
#pragma once

#include <phyxel/fracture/crack_sheets.h>
#include <phyxel/geometry/boundary.h>
#include <phyxel/geometry/surface_points.h>
#include <phyxel/solid/solid_model.h>

#include <cstdint>
#include <span>
#include <vector>

namespace phyxel {

/// A point at X on the surface at rest is at x = Σ φ_k(X) x_k, where φ are the weights of a linear fit by
/// moving least squares to the phyxels around it:
///
///     φ_k = w_k / Σ w + w_k (X_k − X̄)·A⁻¹ (X − X̄),   A = Σ w_k (X_k − X̄)(X_k − X̄)ᵀ,
///
/// exact for every affine motion. A force f at the point is φ_k f at the phyxels: since Σ φ_k = 1 and
/// Σ φ_k x_k = x, force and torque are kept whatever the deformation. Pieces of surface turn and grow with
/// the cofactor of F = Σ x_k ∇φ_kᵀ.
///
/// Where there are cracks, φ is of the phyxels that no crack hides from X, and each piece of a crack is two
/// points, which go with what is on their side of it. They have an area once the crack is open there: where
/// nothing fits in, the two would only push each other's fluid.
template <int Dim>
class SolidBoundary {
public:
    SolidBoundary() = default;

    /// `surfaces` are those of the parts at rest, see surface_of_part(); empty ones are not felt.
    SolidBoundary(const SolidModel<Dim>& model, std::span<const SurfacePoints<Dim>> surfaces);

    /// The same with cracks, null for a part that has none, by which the pairs of the model are weighed.
    /// `spacing` [m] is that of the points: a crack begins to be felt where it is open by one, and is felt
    /// wholly from two on.
    SolidBoundary(const SolidModel<Dim>& model, std::span<const SurfacePoints<Dim>> surfaces,
                  std::span<const CrackSheets<Dim>* const> cracks, double spacing);

    std::size_t size() const { return area_.size(); }

    void place(std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
               Boundary<Dim>& boundary) const;

    /// Σ φ of what phyxels have, at the points.
    void gather(std::span<const Vec<Dim>> of_phyxels, std::span<Vec<Dim>> of_points) const;

    /// What is done to the points, at the phyxels: those far from the surface have nothing.
    void spread(std::span<const Vec<Dim>> of_points, std::span<Vec<Dim>> of_phyxels) const;

    /// Some of the points, for those who gather and spread the same ones many times.
    class Selection {
    public:
        bool is_empty() const { return points_.empty(); }

    private:
        friend SolidBoundary;
        /// The same numbers by points and by phyxels, close together: they are read in every iteration.
        struct Shares {
            std::vector<std::uint64_t> first;
            std::vector<Index> other;
            std::vector<double> value;
        };
        std::vector<Index> points_;
        Shares of_points_, of_phyxels_;
    };
    void select(std::span<const Index> points, std::size_t phyxels, Selection& selection) const;
    void gather(const Selection& selection, std::span<const Vec<Dim>> of_phyxels,
                std::span<Vec<Dim>> of_points) const;
    void spread(const Selection& selection, std::span<const Vec<Dim>> of_points,
                std::span<Vec<Dim>> of_phyxels) const;

private:
    struct Weight {
        Index phyxel;
        double value;      ///< φ
        Vec<Dim> gradient; ///< ∇φ [1/m]
    };
    struct Share {
        Index point;
        double value;
    };
    /// Of a part at rest.
    class Carriers;
    void add(const Carriers& carriers, std::size_t part, const SurfacePoints<Dim>& surface);
    void add_cracks(const Carriers& carriers, std::size_t part, const CrackSheets<Dim>& cracks);
    void add_point(std::size_t part, const Vec<Dim>& area, std::span<const Weight> carriers);
    double open_share(const Vec<Dim>& way, const Vec<Dim>& area) const;
    void find_shares(std::size_t phyxels);

    double spacing_ = 0.0;
    /// Points from here on are those of cracks: both sides of a piece, one after the other.
    std::size_t first_of_cracks_ = 0;
    std::vector<Vec<Dim>> area_;       ///< at rest
    std::vector<std::uint32_t> part_;  ///< of each point
    std::vector<std::uint64_t> first_; ///< weight of each point
    std::vector<Weight> weights_;
    std::vector<std::uint64_t> first_share_; ///< of each phyxel: the same by phyxels
    std::vector<Share> shares_;
};

extern template class SolidBoundary<2>;
extern template class SolidBoundary<3>;

} // namespace phyxel
