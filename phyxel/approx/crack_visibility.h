// SPDX-License-Identifier: MIT
// Cracks between a point and a node: what a crack leaves of the weight of a node that lies behind it. A crack
// is no boundary of the sampling, it only dims weights, so nodes stay where they are while it grows.
//
// With the visibility criterion [BLG94] a node behind the crack counts nothing, which leaves an artificial
// jump along the ray from the node past the crack front. The transparency method [OFTB96] as used by [PKA*05]
// lengthens the way from point to node instead, the more the farther behind the front it meets the crack.
#pragma once

#include <phyxel/approx/mls.h>
#include <phyxel/core/types.h>

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace phyxel {

enum class CrackCriterion { Visibility, Transparency };

inline constexpr std::array all_crack_criteria = {CrackCriterion::Visibility, CrackCriterion::Transparency};

/// "visibility" or "transparency".
std::string_view name_of(CrackCriterion criterion);

/// A straight crack in the plane. An end is a front if the crack stops there inside the body; where it comes
/// out of the body it has none.
struct CrackSegment {
    Vec<2> from = Vec<2>::Zero(); ///< [m]
    Vec<2> to = Vec<2>::Zero();   ///< [m]
    bool from_is_front = false;
    bool to_is_front = true;
};

/// x_s, where the way from x to y meets the crack; nothing if it does not. The same bits for y to x. A point
/// on the line of the crack itself sees both sides.
std::optional<Vec<2>> crossing(const CrackSegment& crack, const Vec<2>& x, const Vec<2>& y);

/// d_s, the distance from a point of the crack to its nearest front; infinite if it has none. [m]
double front_distance(const CrackSegment& crack, const Vec<2>& point);

struct CrackOptions {
    CrackCriterion criterion = CrackCriterion::Transparency;
    double translucency = 1.0; ///< κ: nodes are seen through the crack up to κ spacings behind its front
};

/// All cracks of a body.
class CrackVisibility {
public:
    /// `spacing` [m] is the average distance of nodes: [AW09, Eq. 70] calls it h, which elsewhere is the
    /// support radius. Throws InputError for cracks without length and for what is not positive and finite.
    CrackVisibility(std::vector<CrackSegment> cracks, double spacing, const CrackOptions& options = {});

    /// By how much the cracks lengthen the way between x and y, in support radii: (d_s / (κ spacing))², the
    /// second term of [AW09, Eq. 70]; 0 if there is none in between. Of several cracks the one with the
    /// longest way counts, not their sum. Infinite where nothing is seen.
    double lengthening(const Vec<2>& x, const Vec<2>& y) const;

    /// The support radius h′ that makes up for the cracks between a node and x:
    ///
    ///     |x − x_i| / h′ = |x − x_i| / h + lengthening,
    ///
    /// so that whatever takes a radius for each node can take ω′ [AW09, Eq. 70]. 0 if the node is not seen.
    double seen_radius(const Vec<2>& x, const Vec<2>& node, double support_radius) const;

    /// ω′ = ω(|x − x_i| / h + lengthening) [AW09, Eq. 70].
    double weight(const AnyMlsWeight<2>& weight, const Vec<2>& x, const Vec<2>& node,
                  double support_radius) const;

    std::span<const CrackSegment> cracks() const { return cracks_; }
    double spacing() const { return spacing_; }
    const CrackOptions& options() const { return options_; }

private:
    std::vector<CrackSegment> cracks_;
    double spacing_;
    CrackOptions options_;
};

/// Shape functions at x with the weights ω′ in place of ω, from those nodes among `candidates` that are seen.
/// Values only: derivatives of ω′ would need those of d_s, which jump. Where cracks need gradients, they are
/// those of GradientOperator, which takes values of weights [AW09, Eq. 37].
ShapeFunctions<2> cracked_shape_functions(const Vec<2>& x, std::span<const Vec<2>> nodes,
                                          const SupportRadii& radii, std::span<const Index> candidates,
                                          const CrackVisibility& cracks, const MlsOptions& options = {});

/// Ω_i = Σ_j ω′_ij / ω_ij over the other nodes in the support of node i [AW09, Eq. 71]: how many neighbours
/// the cracks have left it. Those with weight 0 are left out, of which the printed sum would make 0 / 0.
double sampling_number(std::size_t i, std::span<const Vec<2>> nodes, const SupportRadii& radii,
                       std::span<const Index> candidates, const CrackVisibility& cracks,
                       const AnyMlsWeight<2>& weight);

} // namespace phyxel
