// SPDX-License-Identifier: MIT
// Weights and shape functions of one node among others in the plane, as arrays and as figures: whole, beside
// a crack [AW09, Fig. 9–10], and with new nodes near the crack [AW09, Fig. 11].
#pragma once

#include <phyxel/approx/crack_resampling.h>
#include <phyxel/approx/crack_visibility.h>
#include <phyxel/approx/mls.h>
#include <phyxel/render/figure.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Nodes in the unit square and as far around it as supports reach, so that nothing in the square feels an
/// end of the body. One of them is looked at.
struct NodeCloud {
    std::vector<Vec<2>> nodes;
    std::vector<double> radii; ///< support radii [m]
    std::size_t chosen = 0;    ///< the node whose functions are drawn
    double spacing = 0.0;      ///< average distance of nodes [m]
};

struct NodeCloudOptions {
    int nodes_a_side = 10;          ///< of the unit square
    double jitter = 0.3;            ///< how far nodes are from a lattice, in spacings
    double support = 3.0;           ///< support radius, in spacings
    Vec<2> near = Vec<2>(0.5, 0.5); ///< the node nearest to this is looked at
    std::uint64_t seed = 7;
};

/// Throws InputError for options out of range.
NodeCloud make_node_cloud(const NodeCloudOptions& options = {});

/// What a chosen node counts at a point.
enum class NodeFunction {
    Weight, ///< ω_i of moving least squares
    Sph,    ///< V_i ω(x − x_i) with a poly6 kernel and V_i = 1 / Σ_j ω_ij: SPH
    Mls     ///< Φ_i of moving least squares
};

struct NodeFunctionOptions {
    NodeFunction function = NodeFunction::Mls;
    MlsOptions mls = {};                        ///< also whose weight
    std::optional<CrackVisibility> cracks = {}; ///< not for SPH
};

/// The function at one point.
double node_function(const NodeCloud& cloud, const NodeFunctionOptions& options, const Vec<2>& x);

/// The function over the unit square.
FieldGrid node_function_field(const NodeCloud& cloud, const NodeFunctionOptions& options, int cells);

/// The function at points along y = `height`.
std::vector<double> node_function_section(const NodeCloud& cloud, const NodeFunctionOptions& options,
                                          std::span<const double> x, double height);

/// The cloud with new nodes where cracks have left too few neighbours; the chosen node stays the same. Nodes
/// outside the square are not split, as half of their neighbours are missing anyway.
NodeCloud resampled_cloud(const NodeCloud& cloud, const CrackVisibility& cracks,
                          const CrackResamplingOptions& options = {});

struct ShapeFigureOptions {
    NodeCloudOptions cloud = {};
    MlsOptions mls = {};
    int cells = 120;         ///< of the grids that contours are drawn from, along each side
    bool as_surface = false; ///< surfaces instead of contours
};

/// Weight, SPH and MLS of order 0, 1 and 2, and a section through them.
Figure shape_function_figure(const ShapeFigureOptions& options = {});

/// In these figures a crack goes on to the end of the body from an end that is not a front.

/// The visibility criterion above, the transparency method below: what the node sees, its weight and its
/// shape function.
Figure crack_figure(const CrackSegment& crack, double translucency = 1.0,
                    const ShapeFigureOptions& options = {});

/// A crack that grows, without new nodes above and with them below: the shape function by the transparency
/// method.
///
/// With supports of three spacings, half the neighbours still suffice; those of `options` should be smaller.
Figure resampling_figure(const CrackSegment& crack, double translucency, const ShapeFigureOptions& options,
                         const CrackResamplingOptions& resampling = {});

} // namespace phyxel
