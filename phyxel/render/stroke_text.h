// SPDX-License-Identifier: MIT
// Text in pictures: a small font of strokes, sharp at every size and without a file.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/render/image.h>
#include <phyxel/render/style.h>

#include <string_view>

namespace phyxel {

struct TextStyle {
    double height = 14.0; ///< of capital letters, in pixels
    Ink ink = {40, 44, 52};
    double weight = 0.13; ///< width of the strokes, as a part of the height
};

/// How wide the text (UTF-8) is, in pixels. Letters that the font does not have are boxes.
double text_width(std::string_view text, double height);

/// `place` is where the base line of the text begins; what lies outside of the picture is cut off.
void draw_text(Picture& picture, const Vec<2>& place, std::string_view text, const TextStyle& style = {});

/// A rectangle with smooth edges, mixed with what is there by `opacity`.
void draw_rectangle(Picture& picture, const Vec<2>& min, const Vec<2>& max, const Ink& ink,
                    double opacity = 1.0);

} // namespace phyxel
