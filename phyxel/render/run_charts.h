// SPDX-License-Identifier: MIT
// The tables of a run, stats.csv and probes.csv, as charts.
#pragma once

#include <phyxel/core/field_info.h>
#include <phyxel/io/csv.h>
#include <phyxel/render/figure.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

struct NamedFigure {
    std::string name; ///< for a file: letters, digits, dots, dashes and underscores only, no two alike
    Figure figure;
};

/// What the scene says of a probe, whose columns say only its name.
struct ProbeInfo {
    std::string name;
    std::string field = {};   ///< such as `pressure`; unknown if empty
    double line_length = 0.0; ///< from the first to the last point of a line [m]; 0 if unknown or no line
};

struct RunChartOptions {
    std::vector<ProbeInfo> probes = {};
    int dimension = 3; ///< of space: 2 or 3
    FieldUnits units = {};
};

/// Energies, momentum, density error, particle count, step size and time per stage. Columns that a table does
/// not have are left out, those that are not known are ignored. Without the column `time` an InputError.
std::vector<NamedFigure> stats_figures(const NumberTable& stats, const RunChartOptions& options = {});

/// A figure for each probe: components over time; for the points of a line, how they lie along it at a few
/// times. Where a cell is empty the probe was not read, and its curve goes on to the next one.
std::vector<NamedFigure> probe_figures(const NumberTable& probes, const RunChartOptions& options = {});

/// All charts of a run that is done or still going on. An InputError says what is wrong if the folder is not
/// that of a run, or its tables are none.
std::vector<NamedFigure> run_figures(const std::filesystem::path& run, const RunChartOptions& options = {});

/// All panels of several figures in one.
Figure joined(std::span<const NamedFigure> figures, int columns = 2);

} // namespace phyxel
