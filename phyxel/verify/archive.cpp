// SPDX-License-Identifier: MIT
#include <phyxel/verify/archive.h>

#include <phyxel/core/error.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {
namespace {

using Json = nlohmann::ordered_json;

/// JSON has no numbers that are not finite.
Json number_json(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double number_of(const Json& json)
{
    return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Json numbers_json(const std::vector<double>& values)
{
    Json json = Json::array();
    for (const double value : values) json.push_back(number_json(value));
    return json;
}

std::vector<double> numbers_of(const Json& json)
{
    std::vector<double> values;
    for (const Json& value : json) values.push_back(number_of(value));
    return values;
}

Json chart_json(const MeasuredChart& chart)
{
    Json lines = Json::array();
    for (const MeasuredLine& line : chart.lines)
        lines.push_back({{"name", line.name},
                         {"x", numbers_json(line.x)},
                         {"y", numbers_json(line.y)},
                         {"reference", line.is_reference},
                         {"points", line.are_points}});
    return {{"x_label", chart.x_label},
            {"x_unit", chart.x_unit},
            {"y_label", chart.y_label},
            {"y_unit", chart.y_unit},
            {"lines", std::move(lines)}};
}

MeasuredChart chart_of(const Json& json)
{
    MeasuredChart chart{json.at("x_label"), json.at("x_unit"), json.at("y_label"), json.at("y_unit")};
    for (const Json& line : json.at("lines"))
        chart.lines.push_back({line.at("name"), numbers_of(line.at("x")), numbers_of(line.at("y")),
                               line.at("reference"), line.at("points")});
    return chart;
}

Json outcome_json(const Outcome& outcome)
{
    const Measurement& m = outcome.measurement;
    Json json = {{"measured", number_json(m.measured)},
                 {"reference", number_json(m.reference)},
                 {"tolerance", number_json(m.tolerance)},
                 {"bound", static_cast<int>(m.bound)},
                 {"unit", m.unit},
                 {"note", m.note},
                 {"seconds", outcome.seconds}};
    if (m.diverged) json["diverged"] = true;
    if (m.chart) json["chart"] = chart_json(*m.chart);
    return json;
}

Outcome outcome_of(const Json& json, const Case& c)
{
    Outcome outcome{.info = c, .measurement = {}};
    Measurement& m = outcome.measurement;
    m.measured = number_of(json.at("measured"));
    m.reference = number_of(json.at("reference"));
    m.tolerance = number_of(json.at("tolerance"));
    m.bound = static_cast<Bound>(json.at("bound").get<int>());
    m.unit = json.at("unit");
    m.note = json.at("note");
    m.diverged = json.value("diverged", false);
    if (json.contains("chart")) m.chart = chart_of(json.at("chart"));
    outcome.seconds = json.at("seconds");
    outcome.verdict = verdict_of(c, m, outcome.trouble);
    return outcome;
}

} // namespace

std::string archive_json(std::span<const ReportEntry> entries)
{
    Json all = Json::array();
    for (const ReportEntry& entry : entries) {
        Json json = {{"name", entry.outcome.info.name}, {"date", entry.date}};
        json["outcome"] = outcome_json(entry.outcome);
        if (entry.sabotaged) {
            json["sabotage"] = entry.sabotaged->sabotage;
            json["noticed"] = entry.sabotaged->noticed;
            json["sabotaged"] = outcome_json(*entry.sabotaged);
        }
        all.push_back(std::move(json));
    }
    return Json{{"outcomes", std::move(all)}}.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::vector<ReportEntry> read_archive(std::string_view text, std::span<const Case> cases)
{
    std::vector<ReportEntry> entries;
    try {
        const Json archive = Json::parse(text);
        for (const Case& c : cases)
            for (const Json& json : archive.at("outcomes")) {
                if (json.at("name") != c.name) continue;
                ReportEntry entry{.outcome = outcome_of(json.at("outcome"), c), .date = json.at("date")};
                // What another sabotage found says nothing of the one that the case has now.
                if (json.contains("sabotaged") && json.at("sabotage") == c.sabotage) {
                    entry.sabotaged = outcome_of(json.at("sabotaged"), c);
                    entry.sabotaged->sabotage = c.sabotage;
                    entry.sabotaged->noticed = json.at("noticed");
                }
                entries.push_back(std::move(entry));
            }
    } catch (const nlohmann::json::exception& error) {
        throw InputError(std::string("this is no archive of outcomes: ") + error.what());
    }
    return entries;
}

std::vector<ReportEntry> merged(std::span<const Case> cases, std::span<const ReportEntry> now,
                                std::span<const ReportEntry> kept)
{
    std::vector<ReportEntry> entries;
    for (const Case& c : cases)
        for (const std::span<const ReportEntry> source : {now, kept}) {
            const auto found = std::ranges::find_if(
                source, [&](const ReportEntry& entry) { return entry.outcome.info.name == c.name; });
            if (found == source.end()) continue;
            entries.push_back(*found);
            break;
        }
    return entries;
}

} // namespace phyxel
