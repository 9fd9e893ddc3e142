// SPDX-License-Identifier: MIT
#include "verification_page.h"

#include <phyxel/core/number_text.h>
#include <phyxel/render/figure.h>
#include <phyxel/verify/report.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string_view>

namespace phyxel::command {
namespace {

std::string escaped(std::string_view text)
{
    std::string result;
    for (const char c : text) {
        if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '&')
            result += "&amp;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

std::string element(const std::string& tag, const std::string& content, const std::string& kind = {})
{
    return "<" + tag + (kind.empty() ? "" : " class=\"" + kind + "\"") + ">" + content + "</" + tag + ">";
}

std::string number(double value)
{
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), "%.5g", value);
    return text.data();
}

/// A number with its unit; that of pure numbers is not written.
std::string quantity(double value, const std::string& unit)
{
    return number(value) + (unit == "1" ? "" : " " + escaped(unit));
}

std::string found_text(const Measurement& m)
{
    if (m.diverged) return "diverged";
    return std::isfinite(m.measured) ? quantity(m.measured, m.unit) : std::string("not a number");
}

std::string bound_text(const Measurement& m)
{
    if (std::isnan(m.reference)) return "–";
    const std::string tolerance = m.tolerance > 0.0 ? " ± " + number(m.tolerance) : "";
    switch (m.bound) {
    case Bound::Near:
        return quantity(m.reference, m.unit) + tolerance;
    case Bound::AtMost:
        return "at most " + quantity(m.reference + m.tolerance, m.unit);
    case Bound::AtLeast:
        return "at least " + quantity(m.reference - m.tolerance, m.unit);
    }
    return "";
}

/// Where a number lies in a picture that has the bound at ±1 and everything within ±4: beyond the bound on a
/// logarithmic scale.
double place_of(double value, const Measurement& m)
{
    double unit = m.bound == Bound::Near ? m.tolerance : std::abs(m.reference) + m.tolerance;
    if (!(unit > 0.0)) unit = 1.0;
    const double offset = (value - (m.bound == Bound::Near ? m.reference : 0.0)) / unit;
    if (!std::isfinite(offset)) return 4.0;
    const double size = std::abs(offset);
    return std::copysign(size <= 1.0 ? size : std::min(4.0, 1.0 + std::log10(size)), offset);
}

/// A strip with the allowed part in green, the measured number as a dot, the sabotaged one as a cross.
std::string strip(const ReportEntry& entry)
{
    const Measurement& m = entry.outcome.measurement;
    const auto x = [](double place) { return 110.0 + 25.0 * place; };
    const double low = m.bound == Bound::AtMost ? -4.2 : m.bound == Bound::AtLeast ? 1.0 : -1.0;
    const double high = m.bound == Bound::AtLeast ? 4.2 : 1.0;
    std::string svg = "<svg width=\"220\" height=\"26\" viewBox=\"0 0 220 26\" role=\"img\">";
    svg += "<rect x=\"5\" y=\"9\" width=\"210\" height=\"8\" fill=\"#eee\"/>";
    svg += "<rect x=\"" + number(x(low)) + "\" y=\"9\" width=\"" + number(x(high) - x(low)) +
           "\" height=\"8\" fill=\"#b7dfb9\"/>";
    if (entry.sabotaged) {
        const double s = x(place_of(entry.sabotaged->measurement.measured, m));
        svg += "<path d=\"M" + number(s - 4) + " 9l8 8m0 -8l-8 8\" stroke=\"#b3261e\" stroke-width=\"2\"/>";
    }
    const bool is_good = entry.outcome.verdict == Verdict::Pass;
    svg += "<circle cx=\"" + number(x(place_of(m.measured, m))) + "\" cy=\"13\" r=\"4.5\" fill=\"" +
           (is_good ? "#1b5e20" : "#b26a00") + "\"/></svg>";
    return svg;
}

/// The picture in the page itself, as an image of its own: names within it cannot meet those of others.
std::string image_of(const Figure& figure)
{
    std::string address = "data:image/svg+xml,";
    for (const char c : to_svg(figure)) {
        if (std::string_view("%#<>\"\n").find(c) == std::string_view::npos) {
            address += c;
            continue;
        }
        std::array<char, 4> code;
        std::snprintf(code.data(), code.size(), "%%%02X",
                      static_cast<unsigned>(static_cast<unsigned char>(c)));
        address += code.data();
    }
    return "<img alt=\"\" src=\"" + address + "\">";
}

std::string picture_of(const MeasuredChart& chart)
{
    LineChart drawn{.x = {.label = chart.x_label, .unit = chart.x_unit},
                    .y = {.label = chart.y_label, .unit = chart.y_unit}};
    for (const MeasuredLine& line : chart.lines) {
        Curve curve{line.name + (line.is_reference ? " (reference)" : ""), {}, {}};
        for (std::size_t k = 0; k < line.x.size(); ++k) {
            curve.x.push_back(line.x[k]);
            curve.y.push_back(line.y[k]);
            if (!line.are_points) continue;
            curve.x.push_back(line.x[k]); // a point between gaps is a dot
            curve.y.push_back(std::numeric_limits<double>::quiet_NaN());
        }
        drawn.curves.push_back(std::move(curve));
    }
    return image_of(
        {.panels = {std::move(drawn)}, .columns = 1, .panel_width = 560.0, .panel_height = 300.0});
}

std::string_view style_of(Verdict verdict)
{
    return verdict == Verdict::Pass ? "pass" : verdict == Verdict::KnownMiss ? "miss" : "fail";
}

std::string sabotage_cell(const Case& c, const ReportEntry* entry)
{
    std::string text = escaped(c.sabotage);
    if (entry == nullptr || !entry->sabotaged) return text;
    const Outcome& sabotaged = *entry->sabotaged;
    text +=
        "<br>" +
        element("span", found_text(sabotaged.measurement) + (sabotaged.noticed ? ": noticed" : ": UNNOTICED"),
                sabotaged.noticed ? "pass" : "fail");
    return text;
}

std::string row_of(const Case& c, const ReportEntry* entry)
{
    std::string first =
        "<code id=\"" + escaped(c.name) + "\">" + escaped(c.name) + "</code><br>" + escaped(c.claim);
    if (entry == nullptr)
        return "<tr class=\"unrun\">" + element("td", first) +
               element("td", "not run for this page", "number") + element("td", "") +
               element("td", escaped(c.source)) + element("td", sabotage_cell(c, nullptr)) + "</tr>\n";
    const Outcome& outcome = entry->outcome;
    const Measurement& m = outcome.measurement;
    std::string numbers = element("b", found_text(m)) + "<br>" + bound_text(m);
    std::string verdict = element("span", std::string(word_for(outcome.verdict)),
                                  "verdict " + std::string(style_of(outcome.verdict)));
    if (c.tier == Tier::Long) verdict += "<br>" + escaped(entry->date);
    std::string remarks = m.note;
    if (!outcome.trouble.empty()) remarks += (remarks.empty() ? "" : "; ") + outcome.trouble;
    if (c.known_miss) {
        remarks += (remarks.empty() ? "" : ". ") + std::string("Recorded: ") +
                   (c.known_miss->diverges ? std::string("diverges") : number(c.known_miss->measured));
        if (c.known_miss->spread > 0.0) remarks += " ± " + number(c.known_miss->spread);
        remarks += ". " + c.known_miss->why;
    }
    if (!remarks.empty()) first += "<br>" + element("small", escaped(remarks));
    std::string row = "<tr>" + element("td", first) +
                      element("td", numbers + "<br>" + strip(*entry), "number") + element("td", verdict) +
                      element("td", escaped(c.source)) + element("td", sabotage_cell(c, entry)) + "</tr>\n";
    if (m.chart) row += "<tr class=\"chart\"><td colspan=\"5\">" + picture_of(*m.chart) + "</td></tr>\n";
    return row;
}

struct Family {
    std::string_view beginning, title, text;
};

constexpr std::array families = {
    Family{"V-K", "Kernels and weights", "Integrals, moments and derivatives, by hand and by quadrature."},
    Family{"V-A", "Approximation",
           "What moving least squares and SPH reproduce exactly, and at which order the rest converges."},
    Family{"V-C", "Cracks", "Weights and shape functions beside a crack."},
    Family{"V-S", "Search", "Neighbours against brute force."},
    Family{"V-F", "Fluids", "Sums and forces by themselves, and scenes run as the command runs them."},
    Family{"V-U", "Surfaces", "Meshes of fields and particles, and skins that solids carry along."},
    Family{"V-T", "What is done to a running scene", "Hands, bodies that come later, sittings run again."},
    Family{"V-E", "Solids", "Forces and modes by themselves, and scenes run as the command runs them."},
    Family{"V-R", "Rigid bodies", "Free rotation, rolling, sliding, impacts, stacks, and shapes with holes."},
    Family{"V-W", "Heat", "Conduction, melting fronts, bodies in touch, expansion."},
    Family{"V-X", "Bodies that push each other",
           "Momentum, floating, plates and gates under water, and walls that nothing gets through."},
};

constexpr std::string_view style = R"(
body { font: 15px/1.45 system-ui, sans-serif; color: #1c1c1c; margin: 2em auto; max-width: 1180px; padding: 0 1em; }
h1 { font-size: 1.9em; margin-bottom: 0.2em; } h2 { margin-top: 2em; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: 0.5em 0.7em;
border-bottom: 1px solid #e3e3e3; } th { font-size: 0.85em; color: #555; } td:first-child { width: 34%; }
td.number { width: 225px; white-space: nowrap; } small { color: #555; } code { font-size: 0.92em; color: #0b4f8a; }
.pass { color: #1b5e20; } .miss { color: #b26a00; } .fail { color: #b3261e; font-weight: bold; }
.verdict { font-weight: bold; white-space: nowrap; } .unrun { color: #888; } tr.chart td { padding-top: 0; }
.counts span { display: inline-block; margin-right: 2em; font-size: 1.25em; } nav a { margin-right: 1.2em; }
img { max-width: 100%; }
)";

} // namespace

std::string verification_page(std::span<const Case> cases, std::span<const ReportEntry> entries,
                              const std::string& version, const std::string& date)
{
    const auto entry_of = [&](const Case& c) -> const ReportEntry* {
        const auto found = std::ranges::find_if(
            entries, [&](const ReportEntry& entry) { return entry.outcome.info.name == c.name; });
        return found != entries.end() ? &*found : nullptr;
    };
    const auto count = [&](Verdict verdict) {
        return std::ranges::count_if(entries,
                                     [&](const ReportEntry& e) { return e.outcome.verdict == verdict; });
    };
    const auto sabotaged =
        std::ranges::count_if(entries, [](const ReportEntry& e) { return e.sabotaged.has_value(); });
    const auto noticed = std::ranges::count_if(
        entries, [](const ReportEntry& e) { return e.sabotaged && e.sabotaged->noticed; });
    double seconds = 0.0;
    for (const ReportEntry& entry : entries) seconds += entry.outcome.seconds;

    std::string page = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width\">"
                       "<title>Phyxel: verification</title><style>" +
                       std::string(style) + "</style></head><body>\n";
    page += element("h1", "Phyxel: verification") + "\n";
    page += element("p", "Version " + escaped(version) + ", " + escaped(date) + ". " +
                             std::to_string(entries.size()) + " of " + std::to_string(cases.size()) +
                             " cases were run, in " + number(seconds) + " s of their own time.") +
            "\n";
    page += "<p class=\"counts\">" +
            element("span", std::to_string(count(Verdict::Pass)) + " passed", "pass") +
            element("span", std::to_string(count(Verdict::KnownMiss)) + " known misses", "miss") +
            element("span", std::to_string(count(Verdict::Fail)) + " failed",
                    count(Verdict::Fail) > 0 ? "fail" : "") +
            element("span",
                    sabotaged == 0
                        ? std::string("sabotages not run")
                        : std::to_string(noticed) + " of " + std::to_string(sabotaged) + " sabotages noticed",
                    noticed < sabotaged ? "fail" : "") +
            "</p>\n";
    page += element(
        "p",
        "A case compares one number with what a formula, an experiment, a published number or a program of "
        "another make says that it must be. The strip shows the allowed part in green, the measured number "
        "as a "
        "dot, and as a red cross what the same case finds when one ingredient (a term, a sign, a factor, a "
        "support, a law) is swapped for a wrong one; beyond the bound the scale is logarithmic. A case that "
        "misses its bound stays, is counted apart, and fails when it gets worse or is met. The keys in "
        "brackets "
        "are those of docs/references.bib; docs/verification.md derives what no publication has.");
    page += "<nav>";
    for (const Family& family : families)
        page += "<a href=\"#" + std::string(family.beginning) + "\">" + escaped(family.title) + "</a>";
    page += "</nav>\n";

    if (count(Verdict::KnownMiss) > 0) {
        page += element("h2", "Known misses") + "<table>";
        for (const ReportEntry& entry : entries) {
            if (entry.outcome.verdict != Verdict::KnownMiss) continue;
            const Measurement& m = entry.outcome.measurement;
            const std::string& name = entry.outcome.info.name;
            page += "<tr>" +
                    element("td", "<a href=\"#" + escaped(name) + "\"><code>" + escaped(name) +
                                      "</code></a><br>" + escaped(entry.outcome.info.claim)) +
                    element("td", element("b", found_text(m)) + "<br>" + bound_text(m), "number") +
                    element("td", escaped(entry.outcome.info.known_miss->why)) + "</tr>\n";
        }
        page += "</table>\n";
    }
    for (const Family& family : families) {
        page += "<h2 id=\"" + std::string(family.beginning) + "\">" + escaped(family.title) + "</h2>" +
                element("p", escaped(family.text)) +
                "<table><tr><th>case</th><th>measured, "
                "bound</th><th></th><th>source</th><th>sabotage</th></tr>\n";
        for (const Case& c : cases)
            if (c.name.starts_with(family.beginning)) page += row_of(c, entry_of(c));
        page += "</table>\n";
    }
    return page + "</body></html>\n";
}

} // namespace phyxel::command
