// SPDX-License-Identifier: MIT
#include <phyxel/render/detail/svg_writer.h>

#include <phyxel/io/xml_text.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace phyxel::detail {
namespace {

constexpr double farthest = 30000.0;

/// Number of bytes of the character that begins here, for counting; any byte will do for broken text.
std::size_t step_at(std::string_view text, std::size_t k)
{
    std::size_t end = k + 1;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80) ++end;
    return end - k;
}

/// Width of a character, in units of the size, in the wider of the usual typefaces.
double character_width(std::string_view character)
{
    if (character.size() > 2) return character[0] == '\xe2' ? 0.75 : 1.0; // signs and sub- or superscripts
    if (character.size() == 2) return 0.65;
    const char c = character[0];
    if (std::string_view("iljtf.,:;'|!()[] ").find(c) != std::string_view::npos) return 0.36;
    if (c == 'm' || c == 'w' || c == 'M' || c == 'W' || c == '%') return 0.95;
    return c >= 'A' && c <= 'Z' ? 0.7 : 0.63;
}

} // namespace

void append_length(std::string& text, double value)
{
    if (std::isnan(value)) value = 0.0;
    value = std::round(100.0 * std::clamp(value, -farthest, farthest)) / 100.0;
    if (value == 0.0) value = 0.0; // no minus
    std::array<char, 32> digits{};
    const auto end =
        std::to_chars(digits.data(), digits.data() + digits.size(), value, std::chars_format::fixed);
    text.append(digits.data(), end.ptr);
}

void append_point(std::string& text, const Vec<2>& point)
{
    append_length(text, point[0]);
    text += ',';
    append_length(text, point[1]);
    text += ' ';
}

double text_width(std::string_view text, double size)
{
    double width = 0.0;
    for (std::size_t k = 0; k < text.size();) {
        const std::size_t step = step_at(text, k);
        width += character_width(text.substr(k, step));
        k += step;
    }
    return width * size;
}

std::string fitted_text(std::string_view text, double size, double width)
{
    if (text_width(text, size) <= width) return std::string(text);
    std::size_t end = 0;
    double used = 0.8 * size;
    while (end < text.size()) {
        const std::size_t step = step_at(text, end);
        used += size * character_width(text.substr(end, step));
        if (used > width) break;
        end += step;
    }
    return std::string(text.substr(0, end)) + "…";
}

SvgWriter::SvgWriter(double width, double height)
{
    svg_ = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"";
    append_length(svg_, width);
    svg_ += "\" height=\"";
    append_length(svg_, height);
    svg_ += "\" viewBox=\"0 0 ";
    append_length(svg_, width);
    svg_ += ' ';
    append_length(svg_, height);
    svg_ += "\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" stroke-linejoin=\"round\">\n";
    rectangle({0, 0, width, height}, "#fff");
}

void SvgWriter::stroke(const Stroke* stroke)
{
    if (stroke == nullptr) return;
    svg_ += " stroke=\"" + xml_text(stroke->color) + "\"";
    if (stroke->width != 1.0) {
        svg_ += " stroke-width=\"";
        append_length(svg_, stroke->width);
        svg_ += '"';
    }
    if (!stroke->dash.empty()) svg_ += " stroke-dasharray=\"" + xml_text(stroke->dash) + "\"";
}

void SvgWriter::line(const Vec<2>& from, const Vec<2>& to, const Stroke& stroke)
{
    const std::array points = {from, to};
    polyline(points, stroke);
}

void SvgWriter::polyline(std::span<const Vec<2>> points, const Stroke& line)
{
    svg_ += "<polyline fill=\"none\"";
    stroke(&line);
    svg_ += " points=\"";
    for (const Vec<2>& point : points) append_point(svg_, point);
    svg_ += "\"/>\n";
}

void SvgWriter::rectangle(const Rectangle& area, std::string_view fill, const Stroke* line)
{
    const std::array corners = {Vec<2>(area.x, area.y), Vec<2>(area.right(), area.y),
                                Vec<2>(area.right(), area.bottom()), Vec<2>(area.x, area.bottom())};
    polygon(corners, fill, line);
}

void SvgWriter::polygon(std::span<const Vec<2>> points, std::string_view fill, const Stroke* line)
{
    svg_ += "<polygon fill=\"" + xml_text(fill) + "\"";
    stroke(line);
    svg_ += " points=\"";
    for (const Vec<2>& point : points) append_point(svg_, point);
    svg_ += "\"/>\n";
}

void SvgWriter::circle(const Vec<2>& center, double radius, std::string_view fill, const Stroke* line)
{
    svg_ += "<circle cx=\"";
    append_length(svg_, center[0]);
    svg_ += "\" cy=\"";
    append_length(svg_, center[1]);
    svg_ += "\" r=\"";
    append_length(svg_, radius);
    svg_ += "\" fill=\"" + xml_text(fill) + "\"";
    stroke(line);
    svg_ += "/>\n";
}

void SvgWriter::path(std::string_view path, std::string_view fill, const Stroke* line)
{
    svg_ += "<path fill-rule=\"evenodd\" fill=\"" + xml_text(fill) + "\"";
    stroke(line);
    svg_ += " d=\"";
    svg_ += path;
    svg_ += "\"/>\n";
}

void SvgWriter::text(const Vec<2>& at, std::string_view text, const SvgText& style)
{
    svg_ += "<text x=\"";
    append_length(svg_, at[0]);
    svg_ += "\" y=\"";
    append_length(svg_, at[1]);
    svg_ += "\" font-size=\"";
    append_length(svg_, style.size);
    svg_ += '"';
    if (style.anchor == TextAnchor::Middle) svg_ += " text-anchor=\"middle\"";
    if (style.anchor == TextAnchor::End) svg_ += " text-anchor=\"end\"";
    if (style.is_bold) svg_ += " font-weight=\"bold\"";
    if (!style.halo.empty())
        svg_ += " stroke=\"" + xml_text(style.halo) + "\" stroke-width=\"3\" paint-order=\"stroke\"";
    if (style.is_vertical) {
        svg_ += " transform=\"rotate(-90 ";
        append_length(svg_, at[0]);
        svg_ += ' ';
        append_length(svg_, at[1]);
        svg_ += ")\"";
    }
    svg_ += ">" + xml_text(text) + "</text>\n";
}

void SvgWriter::begin_clip(const Rectangle& area)
{
    const std::string name = "clip" + std::to_string(++clip_count_);
    svg_ += "<clipPath id=\"" + name + "\">";
    rectangle(area, "#000");
    svg_ += "</clipPath>\n<g clip-path=\"url(#" + name + ")\">\n";
}

void SvgWriter::end_clip() { svg_ += "</g>\n"; }

std::string SvgWriter::finish() && { return std::move(svg_) + "</svg>\n"; }

} // namespace phyxel::detail
