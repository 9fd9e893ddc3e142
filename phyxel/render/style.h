// SPDX-License-Identifier: MIT
// Two ways a picture can look: dark letters and things on a light ground, or light ones on a dark ground.
#pragma once

#include <phyxel/render/image.h>

#include <array>
#include <cstdint>

namespace phyxel {

enum class PictureStyle { Light, Dark };

/// sRGB, as pictures have it.
using Ink = std::array<std::uint8_t, 3>;

/// What is drawn beside the things themselves. Linear light, but for the inks.
struct StyleColors {
    Color ground;        ///< how much light the ground throws back
    Color line;          ///< edges of the domain
    Color obstacle;      ///< how much light obstacles throw back
    Color backdrop_low;  ///< what is seen where nothing is, at the lower edge of the picture
    Color backdrop_high; ///< and at the upper
    float sky;           ///< factor of the sky's light
    float sun;           ///< factor of the sun's
    Ink text;
    Ink edge; ///< around bars and boxes of a legend
};

const StyleColors& colors_of(PictureStyle style);

} // namespace phyxel
