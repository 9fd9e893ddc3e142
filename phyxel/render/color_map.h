// SPDX-License-Identifier: MIT
// Colours for numbers: maps in which equal steps of the value look like equal steps of colour, and a palette
// for things that have names instead.
#pragma once

#include <phyxel/render/image.h>

#include <cstddef>
#include <span>

namespace phyxel {

/// Perceptually uniform, readable in grey and with any colour vision [SvdW15].
enum class ColorMap {
    Viridis, ///< violet, green, yellow
    Inferno, ///< black, red, yellow: for heat
};

/// The colour at t between 0 and 1; values outside take the colour of the end, and what is not a number is
/// grey. Linear light.
Color map_color(ColorMap map, double t);

/// Distinct colours for bodies and other kinds of things, repeated after eight [Wong11]. The first is the
/// colour of water. Linear light.
Color palette_color(std::size_t number);

/// What values a colour map spans.
struct ValueRange {
    double min = 0.0;
    double max = 1.0;

    /// 0 at `min`, 1 at `max`; ½ for every value if the range has no width.
    double fraction(double value) const
    {
        // Halves, so that the difference of two large numbers is a number too.
        const double width = 0.5 * max - 0.5 * min;
        return width > 0.0 ? (0.5 * value - 0.5 * min) / width : 0.0 * value + 0.5;
    }
};

} // namespace phyxel
