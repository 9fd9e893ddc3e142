// SPDX-License-Identifier: MIT
#include <phyxel/render/style.h>

namespace phyxel {

const StyleColors& colors_of(PictureStyle style)
{
    static const StyleColors light = {.ground = {0.62f, 0.63f, 0.64f},
                                      .line = Color::Constant(0.18f),
                                      .obstacle = {0.55f, 0.53f, 0.50f},
                                      .backdrop_low = {0.78f, 0.79f, 0.80f},
                                      .backdrop_high = {0.56f, 0.61f, 0.67f},
                                      .sky = 1.0f,
                                      .sun = 1.0f,
                                      .text = {40, 44, 52},
                                      .edge = {90, 96, 104}};
    // The light stays nearly as strong, so that the colours of things are still those of the legend.
    static const StyleColors dark = {.ground = {0.045f, 0.048f, 0.054f},
                                     .line = {0.30f, 0.32f, 0.35f},
                                     .obstacle = {0.30f, 0.30f, 0.31f},
                                     .backdrop_low = {0.030f, 0.033f, 0.038f},
                                     .backdrop_high = {0.011f, 0.013f, 0.017f},
                                     .sky = 0.85f,
                                     .sun = 1.05f,
                                     .text = {226, 230, 236},
                                     .edge = {150, 156, 164}};
    return style == PictureStyle::Light ? light : dark;
}

} // namespace phyxel
