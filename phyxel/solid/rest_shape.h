// SPDX-License-Identifier: MIT
// The shape at rest: who is coupled with whom, and how gradients are made of it. It is apart from the
// constants of a solid, as what flows, melts or breaks changes it.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/search/neighbor_lists.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace phyxel {

/// Vectors of pairs fill a vector register: four numbers in space, two in the plane.
template <int Dim>
using Lane = Eigen::Matrix<double, Dim == 3 ? 4 : 2, 1>;

template <int Dim>
Lane<Dim> to_lane(const Vec<Dim>& v)
{
    Lane<Dim> lane = Lane<Dim>::Zero();
    lane.template head<Dim>() = v;
    return lane;
}

/// The weights of a pair of phyxels at rest.
struct PairWeight {
    double w = 0.0;      ///< ω of their distance and the mean of their supports
    double per_r2 = 0.0; ///< one over the square of their distance [1/m²]
};

/// A pair at rest as one of the two sees it.
template <int Dim>
struct SeenPair {
    Lane<Dim> X = Lane<Dim>::Zero(); ///< to the other, turned and stretched as all that this one sees [m]
    PairWeight weight = {};

    Vec<Dim> offset() const { return X.template head<Dim>(); }
};

/// How the gradient at a phyxel is made of its neighbours [MKN*04, Eq. 11–15]:
///
///     F = (Σ_j w_ij x_ij X_ijᵀ) A⁻¹,    A = Σ_j w_ij X_ij X_ijᵀ
///
/// With weights that are the same for both phyxels of a pair, the force on phyxel k becomes a sum over its
/// own neighbours, Σ_j w_kj (Q_k + Q_j) X_kj with Q = v P A⁻¹: gathered, never scattered.
template <int Dim>
struct PhyxelGradient {
    Mat<Dim> inverse_moment; ///< A⁻¹ times the scale, or its pseudo-inverse where neighbours lie in a plane
    Mat<Dim> stabilizing_moment;  ///< T = Σ_j w_ij/r² X_ij X_ijᵀ
    Vec<Dim> weighted_offsets;    ///< Σ_j w_ij X_ij [m]
    Vec<Dim> stabilizing_offsets; ///< Σ_j w_ij/r² X_ij [1/m]
    double weight_sum = 0.0;      ///< Σ_j w_ij
};

/// A phyxel whose neighbours do not span space: it is strained in the directions that they do span.
template <int Dim>
struct FlatPhyxel {
    Index phyxel = 0;
    Mat<Dim> span = Mat<Dim>::Zero(); ///< A A⁺, the projection onto these directions
    /// A⁻¹, or its inverse on all that is more than rounding. What neighbours that nearly lie in a plane say
    /// of strain across it is worth nothing, but where they are at rest must be rest to the stabilisation.
    Mat<Dim> full_inverse = Mat<Dim>::Zero();
};

template <int Dim>
struct RestShape {
    std::vector<Vec<Dim>> position;     ///< X_i [m]
    std::vector<double> volume;         ///< v_i [m^Dim]
    std::vector<double> support_radius; ///< h_i [m]
    /// How many times as large the shape at rest is around a phyxel as it would be without stress: what flows
    /// forgets its shape, but not its volume. F is that from the relaxed shape, which this is a factor of.
    /// Empty if it is 1 everywhere. 0 for what flows and lies too badly among its neighbours to have a shape.
    std::vector<double> scale;
    NeighborLists neighbors; ///< symmetric
    /// By how much cracks lengthen the way between the phyxels of a pair, in supports, parallel to the
    /// neighbour lists: infinite where they part them. Empty if there are no cracks.
    std::vector<double> lengthening;
    /// Where some of a body flow and others do not, each phyxel sees the pairs with its neighbours, parallel
    /// to the lists, as they were when it last forgot its shape: one that does not flow goes on seeing those
    /// that do not flow either as it did at first, while `position` is where all were when any has forgotten.
    /// 0 for a neighbour that is not seen. Empty if everybody sees X_j − X_i, with the weights of the pairs.
    std::vector<SeenPair<Dim>> seen;

    // What follows from these, see refit().
    std::vector<PairWeight> pairs; ///< parallel to the neighbour lists
    std::vector<std::size_t> back; ///< from the entry of a pair to that of the same seen back; with `seen`
    std::vector<PhyxelGradient<Dim>> gradients;
    std::vector<std::uint8_t> spans_space; ///< whether the neighbours of a phyxel do
    std::vector<FlatPhyxel<Dim>> flat;     ///< those of which they do not, ascending
    /// Σ_i v_i ∂F_i/∂x_k: area times outward normal as a uniform stress sees it, about 0 inside.
    std::vector<Vec<Dim>> area; ///< [m^(Dim − 1)]

    std::size_t size() const { return position.size(); }

    /// F at rest: the unit matrix, or its part in the directions that the neighbours of i span.
    Mat<Dim> rest_gradient(std::size_t i) const;

    /// F at a phyxel when all are at these places.
    Mat<Dim> deformation(std::span<const Vec<Dim>> places, Index i) const;

    double scale_of(std::size_t i) const { return scale.empty() ? 1.0 : scale[i]; }

    /// X_ij as i sees it, at the entry of j in the list of i.
    Vec<Dim> offset(std::size_t i, Index j, std::size_t entry) const
    {
        return seen.empty() ? Vec<Dim>(position[j] - position[i]) : seen[entry].offset();
    }
    const PairWeight& weight(std::size_t entry) const
    {
        return seen.empty() ? pairs[entry] : seen[entry].weight;
    }
    /// X_ji and its weight as j sees it, at the entry of j in the list of i.
    Vec<Dim> offset_back(std::size_t i, Index j, std::size_t entry) const
    {
        return seen.empty() ? Vec<Dim>(position[i] - position[j]) : seen[back[entry]].offset();
    }
    const PairWeight& weight_back(std::size_t entry) const
    {
        return seen.empty() ? pairs[entry] : seen[back[entry]].weight;
    }

    /// A⁻¹ as the stabilisation takes it: exact for every affine motion of the neighbours of i.
    Mat<Dim> stabilizing_inverse(std::size_t i) const
    {
        if (!spans_space[i]) return flat_at(i).full_inverse;
        if (scale.empty()) return gradients[i].inverse_moment;
        return gradients[i].inverse_moment / scale[i];
    }

private:
    const FlatPhyxel<Dim>& flat_at(std::size_t i) const;
};

/// Works out all that follows from positions, volumes, supports and neighbours, for the phyxels from `first`
/// on, which must have no neighbours before them.
template <int Dim>
void fit(RestShape<Dim>& rest, Index first);

struct RefitReport {
    std::vector<Index> fitted; ///< phyxels whose weights and gradients were worked out, ascending
    std::size_t areas = 0;     ///< phyxels whose areas were
};

/// Works out anew what has changed since the positions, volumes or supports of these phyxels have: weights
/// and gradients of themselves and of their neighbours, and the areas of the neighbours of those. The bits
/// are those of fit(), and the cost follows the number of phyxels. Neighbours stay neighbours; the weight of
/// a pair that has come apart is 0.
template <int Dim>
RefitReport refit(RestShape<Dim>& rest, std::span<const Index> phyxels);

/// The same where nothing but the weights of pairs has changed, and these are all phyxels of such pairs:
/// their own gradients, and the areas of their neighbours.
template <int Dim>
RefitReport refit_pairs(RestShape<Dim>& rest, std::span<const Index> phyxels);

/// The same with other neighbours: `phyxels`, ascending, are those that have been moved and those whose lists
/// differ. The lists stay symmetric. Those that are fitted get new scales: `find_scales(fitted, scales)` is
/// asked when their gradients are those of the scale 1.
///
/// `seen` is what they see from now on, if it differs. Who `stays`, if anybody is named, sees what it saw,
/// and is not fitted.
template <int Dim>
RefitReport reconnect(RestShape<Dim>& rest, NeighborLists neighbors, std::span<const Index> phyxels,
                      const std::function<void(std::span<const Index>, std::span<double>)>& find_scales,
                      std::vector<SeenPair<Dim>> seen = {}, std::span<const std::uint8_t> stays = {});

/// From now on phyxels may see pairs each in its own way; so far they see them alike.
template <int Dim>
void see_apart(RestShape<Dim>& rest);

/// What is seen of pairs, X of each; from a checkpoint, say, for fit() to weigh.
template <int Dim>
void set_seen(RestShape<Dim>& rest, std::span<const Vec<Dim>> offsets);

/// Gives phyxels other scales; the bits are those of fit().
template <int Dim>
void set_scales(RestShape<Dim>& rest, std::span<const Index> phyxels, std::span<const double> scales);

/// The lists without the phyxels from `first` to before `last`, which must be no neighbours of others.
NeighborLists without_phyxels(const NeighborLists& lists, Index first, Index last);

/// Takes the phyxels from `first` to before `last` away, which must be no neighbours of others. Of those
/// nothing changes but their numbers.
template <int Dim>
void remove_phyxels(RestShape<Dim>& rest, Index first, Index last);

/// The lists with phyxels that have no neighbours among them: `came_from` has the number that each phyxel had
/// so far, in ascending order but for those that are new, which repeat the number of another.
NeighborLists with_newcomers(const NeighborLists& lists, std::span<const Index> came_from);

/// The same for a whole shape at rest. Who is new has all that the other has but its neighbours, until
/// reconnect() gives it some.
template <int Dim>
void insert_phyxels(RestShape<Dim>& rest, std::span<const Index> came_from);

extern template struct RestShape<2>;
extern template struct RestShape<3>;

} // namespace phyxel
