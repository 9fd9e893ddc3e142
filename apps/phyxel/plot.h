// SPDX-License-Identifier: MIT
// phyxel plot: charts of a run's tables, and figures of kernels and shape functions, as SVG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace phyxel::command {

struct PlotCommand {
    std::filesystem::path what;         ///< folder of a run, `last`, `kernels` or `shape-functions`
    std::filesystem::path output;       ///< file (.svg) or folder; see `plot`
    std::optional<int> dimension;       ///< of kernels
    std::string crack;                  ///< X,Y:X,Y from its mouth to its front; none if empty
    bool resample = false;              ///< with new nodes near the crack
    std::optional<int> order;           ///< of moving least squares, beside a crack
    std::string weight;                 ///< of moving least squares
    std::optional<double> support;      ///< support radius, in spacings
    std::optional<double> translucency; ///< κ of the crack
    std::string node;                   ///< X,Y: the nearest node is drawn
    std::optional<int> nodes;           ///< along a side of the square
    std::optional<std::uint64_t> seed;
    bool surface = false; ///< surfaces instead of contours
};

/// Charts of a run go to RUN/plots, each into its own file, or to the folder or the one file that was asked
/// for; figures to NAME.svg in the present folder. Prints what was written. Throws InputError if there is
/// nothing to draw or the options make no sense.
void plot(const PlotCommand& command);

} // namespace phyxel::command
