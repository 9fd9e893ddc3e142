// SPDX-License-Identifier: MIT
#include <phyxel/render/run_charts.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/statistics.h>
#include <phyxel/io/file.h>
#include <phyxel/render/axis_ticks.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace phyxel {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_file_name = 80;
constexpr std::size_t profile_count = 5;

void check_has_time(const NumberTable& table, const std::string& file)
{
    if (table.find("time") == nullptr) throw InputError(file + ": has no column \"time\"");
}

NumberTable read_table(const fs::path& path)
{
    NumberTable table = read_number_table(path);
    check_has_time(table, path.string());
    return table;
}

/// What is in a plane is a slice 1 m thick, so masses, energies and forces have their usual units there.
std::string unit_of_field(const std::string& field, const RunChartOptions& options)
{
    static const std::map<std::string, std::string, std::less<>> units = {
        {"position", "m"}, {"displacement", "m"},  {"bounds", "m"}, {"center", "m"},  {"max_speed", "m/s"},
        {"energy", "J"},   {"momentum", "kg m/s"}, {"force", "N"},  {"torque", "N m"}};
    if (field == "volume") return options.dimension == 2 ? "m²" : "m³";
    if (field == "flow") return options.dimension == 2 ? "m²/s" : "m³/s";
    const auto found = units.find(field);
    return found != units.end() ? found->second : options.units.of(field);
}

/// The same for all charts of a table, also for those that have nothing to show at first.
ChartAxis time_axis(const NumberTable& table)
{
    ChartAxis axis{.label = "time", .unit = "s"};
    const ValueRange range = range_of(*table.find("time"));
    if (range.min < range.max) axis.range = range;
    return axis;
}

std::string with_blanks(std::string text)
{
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

/// A chart of columns over time.
class TimeChart {
public:
    TimeChart(const NumberTable& table, LineChart chart) : table_(table), chart_(std::move(chart))
    {
        chart_.x = time_axis(table);
    }

    /// Nothing is added for a column that the table does not have.
    TimeChart& add(const std::string& column, const std::string& name, double factor = 1.0)
    {
        const std::vector<double>* values = table_.find(column);
        if (values == nullptr) return *this;
        Curve curve{name, *table_.find("time"), *values};
        for (double& value : curve.y) value *= factor;
        chart_.curves.push_back(std::move(curve));
        return *this;
    }

    /// The same for a quantity that not every scene has: nothing is added if it is always 0.
    TimeChart& add_if_used(const std::string& column, const std::string& name, double factor)
    {
        const std::vector<double>* values = table_.find(column);
        if (values == nullptr ||
            std::all_of(values->begin(), values->end(), [](double v) { return v == 0.0; }))
            return *this;
        return add(column, name, factor);
    }

    /// Adds the sum of all curves in front of them.
    TimeChart& add_sum(const std::string& name)
    {
        if (chart_.curves.size() < 2) return *this;
        Curve sum = chart_.curves.front();
        sum.name = name;
        for (std::size_t c = 1; c < chart_.curves.size(); ++c)
            for (std::size_t k = 0; k < sum.y.size(); ++k) sum.y[k] += chart_.curves[c].y[k];
        chart_.curves.insert(chart_.curves.begin(), std::move(sum));
        return *this;
    }

    void move_to(std::vector<NamedFigure>& figures, const std::string& name)
    {
        if (!chart_.curves.empty()) figures.push_back({name, Figure{.panels = {std::move(chart_)}}});
    }

private:
    const NumberTable& table_;
    LineChart chart_;
};

/// A name that any file system takes.
std::string file_name(const std::string& name, std::set<std::string>& taken)
{
    std::string safe;
    for (const char c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              c == '-' || c == '_' || (c == '.' && !safe.empty());
        if (safe.size() < longest_file_name) safe += is_plain ? c : '_';
    }
    std::string result = safe;
    for (int number = 2; !taken.insert(result).second; ++number) result = safe + "-" + std::to_string(number);
    return result;
}

/// A column of a probe, taken apart: `profile[3].x` is its third point's x.
struct ProbeColumn {
    std::size_t column = 0;
    std::int64_t point = -1; ///< of a line; −1 if it is none
    std::string component = {};
};

struct ProbeColumns {
    ProbeInfo info;
    std::vector<ProbeColumn> columns = {};
};

bool continues(std::string_view column, std::string_view name)
{
    return column.starts_with(name) &&
           (column.size() == name.size() || column[name.size()] == '.' || column[name.size()] == '[');
}

/// The probe that a column belongs to: the longest name that is known, or else all up to a dot or bracket.
ProbeInfo probe_of(const std::string& column, std::span<const ProbeInfo> known)
{
    const ProbeInfo* best = nullptr;
    for (const ProbeInfo& probe : known)
        if (continues(column, probe.name) && (best == nullptr || probe.name.size() > best->name.size()))
            best = &probe;
    return best != nullptr ? *best : ProbeInfo{column.substr(0, column.find_first_of(".["))};
}

ProbeColumn taken_apart(const std::string& column, std::size_t number, std::size_t name_length)
{
    ProbeColumn result{number};
    std::string_view rest = std::string_view(column).substr(name_length);
    if (rest.starts_with('[')) {
        const NumberPrefix point = read_number(rest.substr(1));
        const std::size_t end = 1 + point.length;
        if (point.length > 0 && point.value < 1e9 && end < rest.size() && rest[end] == ']') {
            result.point = static_cast<std::int64_t>(point.value);
            rest.remove_prefix(end + 1);
        }
    }
    if (rest.starts_with('.')) rest.remove_prefix(1);
    result.component = rest;
    std::replace(result.component.begin(), result.component.end(), '.', ' ');
    return result;
}

std::vector<ProbeColumns> probes_in(const NumberTable& table, std::span<const ProbeInfo> known)
{
    std::vector<ProbeColumns> probes;
    std::map<std::string, std::size_t> places; // in the list, by name
    for (std::size_t k = 0; k < table.columns.size(); ++k) {
        if (table.columns[k] == "time") continue;
        const ProbeInfo info = probe_of(table.columns[k], known);
        const auto [place, is_new] = places.try_emplace(info.name, probes.size());
        if (is_new) probes.push_back({info});
        probes[place->second].columns.push_back(taken_apart(table.columns[k], k, info.name.size()));
    }
    return probes;
}

/// Components over time. Rows in which the probe was not read are left out, so that the curve has no gaps.
LineChart time_chart(const NumberTable& table, const ProbeColumns& probe)
{
    const std::vector<double>& time = *table.find("time");
    LineChart chart;
    chart.x = time_axis(table);
    for (const ProbeColumn& column : probe.columns) {
        Curve curve{column.component, {}, {}};
        const std::vector<double>& values = table.values[column.column];
        for (std::size_t k = 0; k < values.size(); ++k) {
            if (std::isnan(values[k])) continue;
            curve.x.push_back(time[k]);
            curve.y.push_back(values[k]);
        }
        chart.curves.push_back(std::move(curve));
    }
    return chart;
}

/// Rows in which any of the columns has a value, as many as fit into a chart, the first and the last
/// included.
std::vector<std::size_t> chosen_rows(const NumberTable& table, std::span<const ProbeColumn> columns)
{
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < table.row_count(); ++k)
        if (std::any_of(columns.begin(), columns.end(), [&](const ProbeColumn& column) {
                return !std::isnan(table.values[column.column][k]);
            }))
            rows.push_back(k);
    if (rows.size() <= profile_count) return rows;
    std::vector<std::size_t> chosen;
    for (std::size_t n = 0; n < profile_count; ++n)
        chosen.push_back(rows[n * (rows.size() - 1) / (profile_count - 1)]);
    return chosen;
}

/// One component of all points of a line, at a few times.
LineChart profile_chart(const NumberTable& table, std::vector<ProbeColumn> points, double length)
{
    std::sort(points.begin(), points.end(),
              [](const ProbeColumn& a, const ProbeColumn& b) { return a.point < b.point; });
    LineChart chart;
    if (length > 0.0)
        chart.x = {.label = "distance along the line", .unit = "m"};
    else
        chart.x = {.label = "point of the line", .whole_numbers = true};
    const double last = static_cast<double>(points.back().point);
    const std::vector<double>& time = *table.find("time");
    for (const std::size_t row : chosen_rows(table, points)) {
        Curve curve{"t = " + number_text(time[row], 4) + " s", {}, {}};
        for (const ProbeColumn& point : points) {
            const double number = static_cast<double>(point.point);
            curve.x.push_back(length > 0.0 && last > 0.0 ? length * number / last : number);
            curve.y.push_back(table.values[point.column][row]);
        }
        chart.curves.push_back(std::move(curve));
    }
    return chart;
}

} // namespace

std::vector<NamedFigure> stats_figures(const NumberTable& stats, const RunChartOptions& options)
{
    check_has_time(stats, "stats.csv");
    std::vector<NamedFigure> figures;
    const auto chart = [&](const std::string& title, ChartAxis y) {
        return TimeChart(stats, {.title = title, .y = std::move(y)});
    };
    chart("Energy", {.label = "energy", .unit = "J"})
        .add("kinetic_energy", "kinetic")
        .add("potential_energy", "potential")
        .add("internal_energy", "internal")
        .add_sum("total")
        .move_to(figures, "energy");
    TimeChart momentum = chart("Momentum", {.label = "momentum", .unit = "kg m/s"});
    momentum.add("momentum_x", "x").add("momentum_y", "y");
    if (options.dimension == 3) momentum.add("momentum_z", "z");
    momentum.move_to(figures, "momentum");
    // In the order in which the table comes to them.
    std::vector<const StatisticChart*> charts;
    for (const StatisticInfo& info : statistics)
        if (std::find(charts.begin(), charts.end(), info.chart) == charts.end()) charts.push_back(info.chart);
    for (const StatisticChart* shown : charts) {
        TimeChart drawn = chart(std::string(shown->title), {.label = std::string(shown->label),
                                                            .unit = std::string(shown->unit),
                                                            .from_zero = true,
                                                            .whole_numbers = shown->is_count});
        if (shown == &particles_chart) drawn.add("particles", "in the scene");
        for (const StatisticInfo& info : statistics) {
            const std::string column(info.column), name(info.curve);
            if (info.chart != shown) continue;
            if (shown->is_always_drawn)
                drawn.add(column, name, shown->factor);
            else
                drawn.add_if_used(column, name, shown->factor);
        }
        drawn.move_to(figures, std::string(shown->name));
    }
    chart("Step size", {.label = "step size", .unit = "s", .from_zero = true})
        .add("step_size_max", "longest of the frame")
        .add("step_size_min", "shortest of the frame")
        .move_to(figures, "step_size");
    TimeChart stages = chart("Computing time of a frame", {.label = "time", .unit = "s", .from_zero = true});
    stages.add("seconds", "whole frame");
    constexpr std::string_view prefix = "seconds_";
    for (const std::string& column : stats.columns)
        if (column.starts_with(prefix)) stages.add(column, with_blanks(column.substr(prefix.size())));
    stages.move_to(figures, "stages");
    return figures;
}

std::vector<NamedFigure> probe_figures(const NumberTable& probes, const RunChartOptions& options)
{
    check_has_time(probes, "probes.csv");
    std::vector<NamedFigure> figures;
    std::set<std::string> taken;
    for (const ProbeColumns& probe : probes_in(probes, options.probes)) {
        const std::string& field = probe.info.field;
        const auto finish = [&](LineChart chart, const std::string& component) {
            chart.title = component.empty() ? probe.info.name : probe.info.name + ", " + component;
            chart.y.label = field.empty() ? "value" : with_blanks(field);
            chart.y.unit = unit_of_field(field, options);
            return chart;
        };
        Figure figure;
        const bool is_line = std::all_of(probe.columns.begin(), probe.columns.end(),
                                         [](const ProbeColumn& column) { return column.point >= 0; });
        if (is_line) {
            std::map<std::string, std::vector<ProbeColumn>> components;
            for (const ProbeColumn& column : probe.columns) components[column.component].push_back(column);
            for (const auto& [component, points] : components)
                figure.panels.push_back(
                    finish(profile_chart(probes, points, probe.info.line_length), component));
        } else {
            figure.panels.push_back(finish(time_chart(probes, probe), ""));
        }
        figures.push_back({file_name("probe_" + probe.info.name, taken), std::move(figure)});
    }
    return figures;
}

std::vector<NamedFigure> run_figures(const fs::path& run, const RunChartOptions& options)
{
    std::error_code error;
    if (!fs::exists(run, error)) throw InputError(run.string() + ": no such folder");
    if (!fs::is_directory(run, error)) throw InputError(run.string() + ": is no run, it is not a folder");
    if (!fs::exists(run / "stats.csv", error))
        throw InputError(run.string() + ": is no run, it has no stats.csv");
    std::vector<NamedFigure> figures = stats_figures(read_table(run / "stats.csv"), options);
    if (fs::exists(run / "probes.csv", error))
        for (NamedFigure& figure : probe_figures(read_table(run / "probes.csv"), options))
            figures.push_back(std::move(figure));
    if (figures.empty())
        throw InputError((run / "stats.csv").string() + ": has no column that could be drawn");
    return figures;
}

Figure joined(std::span<const NamedFigure> figures, int columns)
{
    Figure all{.columns = columns};
    for (const NamedFigure& figure : figures)
        all.panels.insert(all.panels.end(), figure.figure.panels.begin(), figure.figure.panels.end());
    return all;
}

} // namespace phyxel
