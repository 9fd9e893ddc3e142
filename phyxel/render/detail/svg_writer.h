// SPDX-License-Identifier: MIT
// SVG as text: lines, shapes and words in pixels, y downwards. Numbers are short and the same in every
// locale, texts are escaped, so that what comes out is well-formed whatever goes in.
#pragma once

#include <phyxel/core/types.h>

#include <span>
#include <string>
#include <string_view>

namespace phyxel::detail {

struct Rectangle {
    double x = 0.0;
    double y = 0.0; ///< of its upper edge
    double width = 0.0;
    double height = 0.0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
};

/// How a line is drawn. Colours are what CSS calls colours.
struct Stroke {
    std::string_view color = "#000";
    double width = 1.0;
    std::string_view dash = {}; ///< lengths of dashes and gaps, as in "6 3"; solid if empty
};

enum class TextAnchor { Start, Middle, End };

struct SvgText {
    double size = 12.0;
    TextAnchor anchor = TextAnchor::Start;
    bool is_bold = false;
    bool is_vertical = false;   ///< read from below
    std::string_view halo = {}; ///< colour behind the letters; none if empty
};

class SvgWriter {
public:
    SvgWriter(double width, double height);

    void line(const Vec<2>& from, const Vec<2>& to, const Stroke& stroke);
    void polyline(std::span<const Vec<2>> points, const Stroke& stroke);
    void rectangle(const Rectangle& area, std::string_view fill, const Stroke* stroke = nullptr);
    void polygon(std::span<const Vec<2>> points, std::string_view fill, const Stroke* stroke = nullptr);
    void circle(const Vec<2>& center, double radius, std::string_view fill, const Stroke* stroke = nullptr);

    /// `path` is what the attribute d of a path holds; overlapping parts are holes.
    void path(std::string_view path, std::string_view fill, const Stroke* stroke = nullptr);

    /// `at` is on the base line.
    void text(const Vec<2>& at, std::string_view text, const SvgText& style = {});

    /// What is drawn until `end_clip` is seen only inside the area.
    void begin_clip(const Rectangle& area);
    void end_clip();

    /// The whole file.
    std::string finish() &&;

private:
    void stroke(const Stroke* stroke);

    std::string svg_;
    int clip_count_ = 0;
};

/// A length in pixels: at most two decimals. What is no number is 0, and what is far away is cut, as viewers
/// compute with floats.
void append_length(std::string& text, double value);

/// `12.5,3 ` behind the text.
void append_point(std::string& text, const Vec<2>& point);

/// About how wide a text is, in pixels, in the usual sans-serif typefaces.
double text_width(std::string_view text, double size);

/// The text, or as much of its beginning as fits, with an ellipsis.
std::string fitted_text(std::string_view text, double size, double width);

} // namespace phyxel::detail
