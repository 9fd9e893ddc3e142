// SPDX-License-Identifier: MIT
#include <phyxel/render/stroke_text.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace phyxel {
namespace {

/// Strokes as in SVG: M moves, L draws a line, Q a parabola with one control point. Capitals are 12 high,
/// small letters 8, the base line is 0 and y points up.
struct Glyph {
    char32_t letter;
    int width;
    const char* path;
};

constexpr double cap_height = 12.0;
constexpr double gap = 3.2; // between letters

constexpr Glyph glyphs[] = {
    {U'0', 8, "M4 12Q0 12 0 6Q0 0 4 0Q8 0 8 6Q8 12 4 12"},
    {U'1', 5, "M1 10L4 12L4 0"},
    {U'2', 8, "M0 9Q0 12 4 12Q8 12 8 9Q8 7 5 5L0 0L8 0"},
    {U'3', 8, "M0 10Q1 12 4 12Q8 12 8 9Q8 6 4 6L3 6M4 6Q8 6 8 3Q8 0 4 0Q1 0 0 2"},
    {U'4', 8, "M6 0L6 12L0 4L8 4"},
    {U'5', 8, "M7 12L1 12L0 6Q2 8 4 8Q8 8 8 4Q8 0 4 0Q1 0 0 2"},
    {U'6', 8, "M7 11Q6 12 4 12Q0 12 0 5Q0 0 4 0Q8 0 8 4Q8 7 4 7Q1 7 0 4"},
    {U'7', 8, "M0 12L8 12L3 0"},
    {U'8', 8, "M4 6Q0 6 0 9Q0 12 4 12Q8 12 8 9Q8 6 4 6Q0 6 0 3Q0 0 4 0Q8 0 8 3Q8 6 4 6"},
    {U'9', 8, "M1 1Q2 0 4 0Q8 0 8 7Q8 12 4 12Q0 12 0 8Q0 5 4 5Q7 5 8 8"},
    {U'a', 7, "M7 4Q7 8 4 8Q0 8 0 4Q0 0 4 0Q7 0 7 4M7 8L7 0"},
    {U'b', 7, "M0 12L0 0M0 4Q0 8 3 8Q7 8 7 4Q7 0 3 0Q0 0 0 4"},
    {U'c', 7, "M7 7Q6 8 4 8Q0 8 0 4Q0 0 4 0Q6 0 7 1"},
    {U'd', 7, "M7 12L7 0M7 4Q7 8 4 8Q0 8 0 4Q0 0 4 0Q7 0 7 4"},
    {U'e', 7, "M0 4L7 4Q7 8 4 8Q0 8 0 4Q0 0 4 0Q6 0 7 1"},
    {U'f', 5, "M5 12Q2 12 2 9L2 0M0 8L5 8"},
    {U'g', 7, "M7 8L7 -1Q7 -4 4 -4Q1 -4 0 -3M7 4Q7 8 4 8Q0 8 0 4Q0 0 4 0Q7 0 7 4"},
    {U'h', 7, "M0 12L0 0M0 5Q1 8 4 8Q7 8 7 5L7 0"},
    {U'i', 0, "M0 8L0 0M0 12L0 12"},
    {U'j', 2, "M2 8L2 -2Q2 -4 0 -4M2 12L2 12"},
    {U'k', 6, "M0 12L0 0M6 8L0 3M2 5L6 0"},
    {U'l', 0, "M0 12L0 0"},
    {U'm', 10, "M0 8L0 0M0 5Q1 8 3 8Q5 8 5 5L5 0M5 5Q6 8 8 8Q10 8 10 5L10 0"},
    {U'n', 7, "M0 8L0 0M0 5Q1 8 4 8Q7 8 7 5L7 0"},
    {U'o', 8, "M4 8Q0 8 0 4Q0 0 4 0Q8 0 8 4Q8 8 4 8"},
    {U'p', 7, "M0 8L0 -4M0 4Q0 8 3 8Q7 8 7 4Q7 0 3 0Q0 0 0 4"},
    {U'q', 7, "M7 8L7 -4M7 4Q7 8 4 8Q0 8 0 4Q0 0 4 0Q7 0 7 4"},
    {U'r', 4, "M0 8L0 0M0 5Q1 8 4 8"},
    {U's', 6, "M6 7Q5 8 3 8Q0 8 0 6Q0 4 3 4Q6 4 6 2Q6 0 3 0Q1 0 0 1"},
    {U't', 5, "M2 11L2 3Q2 0 5 0M0 8L5 8"},
    {U'u', 7, "M0 8L0 3Q0 0 3 0Q6 0 7 3M7 8L7 0"},
    {U'v', 7, "M0 8L3 0L4 0L7 8"},
    {U'w', 10, "M0 8L3 0L5 7L7 0L10 8"},
    {U'x', 6, "M0 8L6 0M6 8L0 0"},
    {U'y', 7, "M0 8L4 0M7 8L3 -2Q2 -4 0 -4"},
    {U'z', 6, "M0 8L6 8L0 0L6 0"},
    {U'A', 8, "M0 0L4 12L8 0M1 4L7 4"},
    {U'B', 8, "M0 0L0 12L4 12Q8 12 8 9Q8 6 4 6L0 6M4 6Q8 6 8 3Q8 0 4 0L0 0"},
    {U'C', 9, "M9 10Q8 12 5 12Q0 12 0 6Q0 0 5 0Q8 0 9 2"},
    {U'D', 9, "M0 0L0 12L4 12Q9 12 9 6Q9 0 4 0L0 0"},
    {U'E', 7, "M7 12L0 12L0 0L7 0M0 6L6 6"},
    {U'F', 7, "M7 12L0 12L0 0M0 6L6 6"},
    {U'G', 9, "M9 10Q8 12 5 12Q0 12 0 6Q0 0 5 0Q9 0 9 5L5 5"},
    {U'H', 8, "M0 0L0 12M8 0L8 12M0 6L8 6"},
    {U'I', 0, "M0 0L0 12"},
    {U'J', 5, "M5 12L5 3Q5 0 2 0Q0 0 0 2"},
    {U'K', 8, "M0 0L0 12M8 12L0 5M3 7L8 0"},
    {U'L', 6, "M0 12L0 0L6 0"},
    {U'M', 10, "M0 0L0 12L5 4L10 12L10 0"},
    {U'N', 8, "M0 0L0 12L8 0L8 12"},
    {U'O', 10, "M5 12Q0 12 0 6Q0 0 5 0Q10 0 10 6Q10 12 5 12"},
    {U'P', 8, "M0 0L0 12L4 12Q8 12 8 9Q8 5 4 5L0 5"},
    {U'Q', 10, "M5 12Q0 12 0 6Q0 0 5 0Q10 0 10 6Q10 12 5 12M6 3L10 -1"},
    {U'R', 8, "M0 0L0 12L4 12Q8 12 8 9Q8 5 4 5L0 5M4 5L8 0"},
    {U'S', 8, "M8 10Q7 12 4 12Q0 12 0 9Q0 6 4 6Q8 6 8 3Q8 0 4 0Q1 0 0 2"},
    {U'T', 8, "M0 12L8 12M4 12L4 0"},
    {U'U', 8, "M0 12L0 4Q0 0 4 0Q8 0 8 4L8 12"},
    {U'V', 8, "M0 12L4 0L8 12"},
    {U'W', 12, "M0 12L3 0L6 10L9 0L12 12"},
    {U'X', 8, "M0 12L8 0M8 12L0 0"},
    {U'Y', 8, "M0 12L4 6L8 12M4 6L4 0"},
    {U'Z', 8, "M0 12L8 12L0 0L8 0"},
    {U' ', 2, ""},
    {U'.', 0, "M0 0L0 0"},
    {U',', 1, "M1 0L0 -3"},
    {U':', 0, "M0 0L0 0M0 7L0 7"},
    {U'-', 5, "M0 5L5 5"},
    {U'_', 7, "M0 -2L7 -2"},
    {U'+', 8, "M0 5L8 5M4 1L4 9"},
    {U'=', 8, "M0 7L8 7M0 3L8 3"},
    {U'/', 5, "M0 -2L5 13"},
    {U'(', 3, "M3 14Q0 10 0 5Q0 0 3 -4"},
    {U')', 3, "M0 14Q3 10 3 5Q3 0 0 -4"},
    {U'[', 3, "M3 14L0 14L0 -4L3 -4"},
    {U']', 3, "M0 14L3 14L3 -4L0 -4"},
    {U'%', 10, "M1 0L9 12M2 12Q0 12 0 10Q0 8 2 8Q4 8 4 10Q4 12 2 12M8 4Q6 4 6 2Q6 0 8 0Q10 0 10 2Q10 4 8 4"},
    {U'*', 6, "M3 12L3 6M0 10L6 8M6 10L0 8"},
    {U'^', 6, "M0 8L3 12L6 8"},
    {U'<', 7, "M7 9L0 5L7 1"},
    {U'>', 7, "M0 9L7 5L0 1"},
    {U'\'', 0, "M0 12L0 9"},
    {U'#', 8, "M2 0L4 12M5 0L7 12M0 4L8 4M1 8L9 8"},
    {U'\u2212', 8, "M0 5L8 5"},                                                     // minus
    {U'\u00b7', 0, "M0 5L0 5"},                                                     // middle dot
    {U'\u00d7', 6, "M0 2L6 8M6 2L0 8"},                                             // times
    {U'\u00b0', 4, "M2 12Q0 12 0 10Q0 8 2 8Q4 8 4 10Q4 12 2 12"},                   // degree
    {U'\u00b2', 4, "M0 11Q0 13 2 13Q4 13 4 11Q4 10 0 7L4 7"},                       // squared
    {U'\u00b3', 4, "M0 12Q1 13 2 13Q4 13 4 12Q4 10 2 10Q4 10 4 8Q4 7 2 7Q1 7 0 8"}, // cubed
    {U'\u00b5', 7, "M0 8L0 -4M0 3Q0 0 3 0Q6 0 7 3M7 8L7 0"},                        // micro
    {U'\u03bc', 7, "M0 8L0 -4M0 3Q0 0 3 0Q6 0 7 3M7 8L7 0"},                        // mu
};

constexpr Glyph unknown = {U'\ufffd', 8, "M0 0L0 12L8 12L8 0L0 0"};

const Glyph& glyph_of(char32_t letter)
{
    const auto* found = std::find_if(std::begin(glyphs), std::end(glyphs),
                                     [&](const Glyph& glyph) { return glyph.letter == letter; });
    return found == std::end(glyphs) ? unknown : *found;
}

/// The letters of a UTF-8 text; bytes that are none become unknown letters.
std::vector<char32_t> letters_of(std::string_view text)
{
    std::vector<char32_t> letters;
    for (std::size_t i = 0; i < text.size();) {
        const auto first = static_cast<unsigned char>(text[i++]);
        const int more = first < 0x80 ? 0 : first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0;
        char32_t letter = more == 0 ? first : first & (0x3fu >> more);
        for (int k = 0; k < more && i < text.size() && (static_cast<unsigned char>(text[i]) & 0xc0u) == 0x80u;
             ++k)
            letter = (letter << 6) | (static_cast<unsigned char>(text[i++]) & 0x3fu);
        letters.push_back(letter);
    }
    return letters;
}

struct Segment {
    Vec<2> a, b;
};

void add_segments(const Glyph& glyph, const Vec<2>& place, double scale, std::vector<Segment>& segments)
{
    const char* at = glyph.path;
    const auto number = [&] {
        char* end = nullptr;
        const auto value = static_cast<double>(std::strtol(at, &end, 10));
        at = end;
        return value;
    };
    const auto point = [&] {
        const double x = number();
        const double y = number();
        return Vec<2>(place[0] + scale * x, place[1] - scale * y);
    };
    Vec<2> here = place;
    while (*at != '\0') {
        const char command = *at++;
        if (command == 'M') {
            here = point();
        } else if (command == 'L') {
            const Vec<2> next = point();
            segments.push_back({here, next});
            here = next;
        } else {
            const Vec<2> control = point();
            const Vec<2> next = point();
            constexpr int pieces = 8;
            Vec<2> last = here;
            for (int k = 1; k <= pieces; ++k) {
                const double t = double(k) / pieces;
                const Vec<2> x = (1 - t) * (1 - t) * here + 2 * t * (1 - t) * control + t * t * next;
                segments.push_back({last, x});
                last = x;
            }
            here = next;
        }
    }
}

double distance_to(const Segment& segment, const Vec<2>& x)
{
    const Vec<2> d = segment.b - segment.a;
    const double length = d.squaredNorm();
    const double t = length > 0.0 ? std::clamp((x - segment.a).dot(d) / length, 0.0, 1.0) : 0.0;
    return (x - segment.a - t * d).norm();
}

void mix(std::uint8_t* pixel, const Ink& ink, double opacity)
{
    for (std::size_t k = 0; k < 3; ++k)
        pixel[k] = static_cast<std::uint8_t>(std::lround(pixel[k] + opacity * (double(ink[k]) - pixel[k])));
}

/// Rows or columns that a span from `low` to `high` touches.
struct PixelRange {
    int begin, end;
};

PixelRange pixels_of(double low, double high, int size)
{
    const auto limited = [&](double x) { return static_cast<int>(std::clamp(x, 0.0, double(size))); };
    return {limited(std::floor(low)), limited(std::ceil(high))};
}

} // namespace

double text_width(std::string_view text, double height)
{
    double width = 0.0;
    for (const char32_t letter : letters_of(text)) width += glyph_of(letter).width + gap;
    return std::max(0.0, width - gap) * height / cap_height;
}

void draw_text(Picture& picture, const Vec<2>& place, std::string_view text, const TextStyle& style)
{
    const double scale = style.height / cap_height;
    const double reach = 0.5 * style.weight * style.height;
    Vec<2> pen = place;
    std::vector<Segment> segments;
    for (const char32_t letter : letters_of(text)) {
        const Glyph& glyph = glyph_of(letter);
        segments.clear();
        add_segments(glyph, pen, scale, segments);
        const PixelRange columns =
            pixels_of(pen[0] - reach - 1, pen[0] + scale * (glyph.width + 1) + reach + 1, picture.width);
        const PixelRange rows =
            pixels_of(pen[1] - 14 * scale - reach - 1, pen[1] + 4 * scale + reach + 1, picture.height);
        for (int y = rows.begin; y < rows.end; ++y)
            for (int x = columns.begin; x < columns.end; ++x) {
                double nearest = reach + 1.0;
                for (const Segment& segment : segments)
                    nearest = std::min(nearest, distance_to(segment, {x + 0.5, y + 0.5}));
                const double cover = std::clamp(reach + 0.5 - nearest, 0.0, 1.0);
                if (cover > 0.0) mix(picture.at(x, y), style.ink, cover);
            }
        pen[0] += scale * (glyph.width + gap);
    }
}

void draw_rectangle(Picture& picture, const Vec<2>& min, const Vec<2>& max, const Ink& ink, double opacity)
{
    const PixelRange columns = pixels_of(min[0], max[0], picture.width);
    const PixelRange rows = pixels_of(min[1], max[1], picture.height);
    const auto cover = [](double low, double high, int pixel) {
        return std::max(0.0, std::min(high, pixel + 1.0) - std::max(low, double(pixel)));
    };
    for (int y = rows.begin; y < rows.end; ++y)
        for (int x = columns.begin; x < columns.end; ++x)
            mix(picture.at(x, y), ink, opacity * cover(min[0], max[0], x) * cover(min[1], max[1], y));
}

} // namespace phyxel
