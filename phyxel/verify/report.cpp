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
           left(reference, 14) + " " + left(tolerance, 9) + " " + left(unit, 7) + " " + left(result, 10) +
           " " + std::string(source) + "\n";
}

std::string_view word_for(Tier tier)
{
    switch (tier) {
    case Tier::Quick:
        return "quick";
    case Tier::Full:
        return "full";
    case Tier::Long:
        return "long";
    }
    return "?";
}

/// The note of a measurement, and what is wrong with a known miss.
std::string remarks_on(const Outcome& outcome)
{
    std::string text = outcome.measurement.note;
    if (!outcome.trouble.empty() && outcome.sabotage.empty())
        text += (text.empty() ? "" : "; ") + outcome.trouble;
    return text;
}

std::size_t count_of(std::span<const Outcome> outcomes, Verdict verdict)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(outcomes, [&](const Outcome& o) { return o.verdict == verdict; }));
}

} // namespace

std::string_view word_for(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Pass:
        return "pass";
    case Verdict::KnownMiss:
        return "known miss";
    case Verdict::Fail:
        return "FAIL";
    }
    return "?";
}

bool went_well(const Outcome& outcome)
{
    return outcome.sabotage.empty() ? outcome.verdict != Verdict::Fail : outcome.noticed;
}

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
    std::string_view result = word_for(outcome.verdict);
    if (sabotage_) result = outcome.noticed ? "noticed" : "UNNOTICED";
    std::string text =
        line(name_width_, outcome.info.name, number(m.measured, 9), sign_of(m.bound), number(m.reference, 9),
             number(m.tolerance, 3), m.unit, result, sabotage_ ? outcome.sabotage : outcome.info.source);
    const std::string remarks = remarks_on(outcome);
    if (!remarks.empty()) text += std::string(name_width_ + 2, ' ') + remarks + "\n";
    return text;
}

std::string ReportTable::summary(std::span<const Outcome> outcomes) const
{
    double seconds = 0.0;
    for (const Outcome& outcome : outcomes) seconds += outcome.seconds;
    const std::string time = " in " + number(seconds, 3) + " s\n";
    if (sabotage_) {
        const auto noticed = static_cast<std::size_t>(std::ranges::count_if(outcomes, went_well));
        return "\n" + std::to_string(noticed) + " noticed, " + std::to_string(outcomes.size() - noticed) +
               " unnoticed" + time;
    }
    const std::size_t missed = count_of(outcomes, Verdict::KnownMiss);
    return "\n" + std::to_string(count_of(outcomes, Verdict::Pass)) + " passed, " + std::to_string(missed) +
           (missed == 1 ? " known miss, " : " known misses, ") +
           std::to_string(count_of(outcomes, Verdict::Fail)) + " failed" + time;
}

std::string case_list(std::span<const Case> cases)
{
    const std::size_t width = widest_name(cases);
    std::string text;
    for (const Case& c : cases)
        text += left(c.name, width) + "  " + left(word_for(c.tier), 5) + "  " + c.claim +
                (c.known_miss ? " (known miss)" : "") + "\n";
    return text;
}

std::string report_json(std::span<const Outcome> outcomes)
{
    using Json = nlohmann::ordered_json;
    Json entries = Json::array();
    for (const Outcome& outcome : outcomes) {
        const Measurement& m = outcome.measurement;
        Json entry = {{"name", outcome.info.name},
                      {"measured", m.measured},
                      {"reference", m.reference},
                      {"tolerance", m.tolerance},
                      {"unit", m.unit},
                      {"pass", passes(m)},
                      {"expected", outcome.info.known_miss ? "miss" : "pass"},
                      {"seconds", outcome.seconds},
                      {"source", outcome.info.source},
                      {"bound", word_for(m.bound)},
                      {"tier", word_for(outcome.info.tier)},
                      {"note", remarks_on(outcome)}};
        if (const auto& miss = outcome.info.known_miss)
            entry["recorded"] = miss->diverges ? Json("diverges") : Json(miss->measured);
        if (!outcome.sabotage.empty()) {
            entry["sabotage"] = outcome.sabotage;
            entry["noticed"] = outcome.noticed;
        }
        entries.push_back(std::move(entry));
    }
    const bool is_sabotage = !outcomes.empty() && !outcomes.front().sabotage.empty();
    Json report = {{"cases", std::move(entries)}};
    if (is_sabotage) {
        const auto noticed = static_cast<std::size_t>(std::ranges::count_if(outcomes, went_well));
        report["summary"] = {{"noticed", noticed}, {"unnoticed", outcomes.size() - noticed}};
    } else {
        report["summary"] = {{"passed", count_of(outcomes, Verdict::Pass)},
                             {"known_misses", count_of(outcomes, Verdict::KnownMiss)},
                             {"failed", count_of(outcomes, Verdict::Fail)}};
    }
    // Anything in a text that is not UTF-8 is replaced rather than thrown at.
    return report.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace phyxel
