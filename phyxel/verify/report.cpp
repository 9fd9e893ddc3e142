// SPDX-License-Identifier: MIT
#include <phyxel/verify/report.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace phyxel {
namespace {

/// The sign that stands between the measured number and the reference.
std::string_view sign_of(Bound bound)
{
    switch (bound) {
    case Bound::Near:
        return "=";
    case Bound::AtMost:
        return "<=";
    case Bound::AtLeast:
        return ">=";
    }
    return "?";
}

std::string_view word_for(Bound bound)
{
    switch (bound) {
    case Bound::Near:
        return "near";
    case Bound::AtMost:
        return "at_most";
    case Bound::AtLeast:
        return "at_least";
    }
    return "?";
}

std::string number(double value, int digits)
{
    std::array<char, 40> text;
    std::snprintf(text.data(), text.size(), "%.*g", digits, value);
    return text.data();
}

/// How many columns a text takes: its characters, of which each may be several bytes.
std::size_t width_of(std::string_view text)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string spaces_after(std::string_view text, std::size_t width)
{
    const std::size_t used = width_of(text);
    return std::string(used < width ? width - used : 0, ' ');
}

std::string left(std::string_view text, std::size_t width)
{
    return std::string(text) + spaces_after(text, width);
}

std::string right(std::string_view text, std::size_t width)
{
    return spaces_after(text, width) + std::string(text);
}

std::size_t widest_name(std::span<const Case> cases)
{
    std::size_t width = 4;
    for (const Case& c : cases) width = std::max(width, width_of(c.name));
    return width;
}

std::string line(std::size_t name_width, std::string_view name, std::string_view measured,
                 std::string_view sign, std::string_view reference, std::string_view tolerance,
                 std::string_view unit, std::string_view result, std::string_view source)
{
    return left(name, name_width) + "  " + right(measured, 15) + " " + right(sign, 2) + " " +
           left(reference, 14) + " " + left(tolerance, 9) + " " + left(unit, 7) + " " + left(result, 9) +
           " " + std::string(source) + "\n";
}

} // namespace

bool went_well(const Outcome& outcome) { return outcome.sabotage.empty() ? outcome.pass : outcome.noticed; }

ReportTable::ReportTable(std::span<const Case> cases, bool sabotage)
    : name_width_(widest_name(cases)),
      sabotage_(sabotage)
{
}

std::string ReportTable::header() const
{
    return line(name_width_, "case", "measured", "", "reference", "tolerance", "unit", "result",
                sabotage_ ? "sabotage" : "source");
}

std::string ReportTable::row(const Outcome& outcome) const
{
    const Measurement& m = outcome.measurement;
    std::string_view result = outcome.pass ? "pass" : "FAIL";
    if (sabotage_) result = outcome.noticed ? "noticed" : "UNNOTICED";
    std::string text =
        line(name_width_, outcome.name, number(m.measured, 9), sign_of(m.bound), number(m.reference, 9),
             number(m.tolerance, 3), m.unit, result, sabotage_ ? outcome.sabotage : outcome.source);
    if (!m.note.empty()) text += std::string(name_width_ + 2, ' ') + m.note + "\n";
    return text;
}

std::string ReportTable::summary(std::span<const Outcome> outcomes) const
{
    std::size_t good = 0;
    double seconds = 0.0;
    for (const Outcome& outcome : outcomes) {
        if (went_well(outcome)) ++good;
        seconds += outcome.seconds;
    }
    const std::string bad = std::to_string(outcomes.size() - good);
    return "\n" + std::to_string(good) + (sabotage_ ? " noticed, " : " passed, ") + bad +
           (sabotage_ ? " unnoticed in " : " failed in ") + number(seconds, 3) + " s\n";
}

std::string case_list(std::span<const Case> cases)
{
    const std::size_t width = widest_name(cases);
    std::string text;
    for (const Case& c : cases)
        text += left(c.name, width) + "  " + left(c.quick ? "quick" : "full", 5) + "  " + c.claim + "\n";
    return text;
}

std::string report_json(std::span<const Outcome> outcomes)
{
    using Json = nlohmann::ordered_json;
    Json entries = Json::array();
    for (const Outcome& outcome : outcomes) {
        const Measurement& m = outcome.measurement;
        Json entry = {{"name", outcome.name},
                      {"measured", m.measured},
                      {"reference", m.reference},
                      {"tolerance", m.tolerance},
                      {"unit", m.unit},
                      {"pass", outcome.pass},
                      {"seconds", outcome.seconds},
                      {"source", outcome.source},
                      {"bound", word_for(m.bound)},
                      {"note", m.note}};
        if (!outcome.sabotage.empty()) {
            entry["sabotage"] = outcome.sabotage;
            entry["noticed"] = outcome.noticed;
        }
        entries.push_back(std::move(entry));
    }
    // Anything in a text that is not UTF-8 is replaced rather than thrown at.
    return Json{{"cases", std::move(entries)}}.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace phyxel
