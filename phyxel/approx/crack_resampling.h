// SPDX-License-Identifier: MIT
// New nodes where a crack has left old ones with too few neighbours [AW09, Sec. 7.3], [PKA*05]. Without them
// shape functions near the crack lean on a handful of nodes and become large and ragged.
#pragma once

#include <phyxel/approx/crack_visibility.h>
#include <phyxel/approx/mls.h>
#include <phyxel/core/types.h>

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace phyxel {

struct CrackResamplingOptions {
    double least_sampling = 10.0; ///< Ω_min: nodes with a lower Ω_i are split [AW09, Sec. 7.3]
    double least_distance = 0.4;  ///< of a new node from all others, in spacings
    double least_radius = 0.3;    ///< support radii shrink no further, in units of what they were
    MlsWeight weight = MlsWeight::Quartic;
    std::function<bool(const Vec<2>&)> is_inside = {}; ///< where nodes may be; everywhere if empty
    std::uint64_t seed = 1;
};

/// The old nodes, in their order, and behind them the new ones.
struct ResampledNodes {
    std::vector<Vec<2>> positions;
    std::vector<double> radii;       ///< [m]
    std::vector<Index> parents;      ///< the node that it was split from; the node itself if it is an old one
    std::vector<double> mass_shares; ///< of the mass that its parent had; those of a family add up to 1
};

/// Each node with Ω_i < Ω_min gets up to ⌈Ω_min − Ω_i⌉ new ones around it, on its side of the cracks. They
/// share its mass evenly with it, and in the plane the radii of a family of n shrink by 1/√n, which leaves
/// the density what it was. Fewer are made where they find no place.
ResampledNodes resample_near_cracks(std::span<const Vec<2>> nodes, const SupportRadii& radii,
                                    const CrackVisibility& cracks,
                                    const CrackResamplingOptions& options = {});

} // namespace phyxel
