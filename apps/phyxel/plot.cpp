// SPDX-License-Identifier: MIT
#include "plot.h"

#include "console.h"
#include "run_folders.h"

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/io/file.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/render/kernel_figures.h>
#include <phyxel/render/run_charts.h>
#include <phyxel/render/shape_function_figures.h>
#include <phyxel/scene/manifest.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// The supports with which a crack leaves nodes fewer neighbours than they need, in spacings.
constexpr double support_for_resampling = 2.05;

double coordinate_of(std::string_view text, const std::string& complaint)
{
    const bool is_negative = text.starts_with('-');
    if (is_negative) text.remove_prefix(1);
    const NumberPrefix number = read_number(text);
    if (number.length == 0 || number.length != text.size() || !std::isfinite(number.value))
        throw InputError(complaint);
    return is_negative ? -number.value : number.value;
}

Vec<2> point_of(std::string_view text, const std::string& complaint)
{
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos) throw InputError(complaint);
    return {coordinate_of(text.substr(0, comma), complaint),
            coordinate_of(text.substr(comma + 1), complaint)};
}

CrackSegment crack_of(const std::string& text)
{
    const std::string complaint =
        "--crack " + text + ": expected two points, the second being its front, as in 0,0.5:0.6,0.5";
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) throw InputError(complaint);
    CrackSegment crack;
    crack.from = point_of(std::string_view(text).substr(0, colon), complaint);
    crack.to = point_of(std::string_view(text).substr(colon + 1), complaint);
    if (crack.from == crack.to) throw InputError("--crack " + text + ": has no length");
    return crack;
}

/// Refuses options that the thing to be drawn knows nothing of.
void check_options(const PlotCommand& command, const std::string& name, bool is_kernels, bool is_shapes)
{
    struct Given {
        const char* option;
        bool is_given;
        bool is_known;
    };
    for (const Given& given : {Given{"--dimension", command.dimension.has_value(), is_kernels},
                               Given{"--crack", !command.crack.empty(), is_shapes},
                               Given{"--resample", command.resample, is_shapes},
                               Given{"--order", command.order.has_value(), is_shapes},
                               Given{"--weight", !command.weight.empty(), is_shapes},
                               Given{"--support", command.support.has_value(), is_shapes},
                               Given{"--translucency", command.translucency.has_value(), is_shapes},
                               Given{"--node", !command.node.empty(), is_shapes},
                               Given{"--nodes", command.nodes.has_value(), is_shapes},
                               Given{"--seed", command.seed.has_value(), is_shapes},
                               Given{"--surface", command.surface, is_shapes}})
        if (given.is_given && !given.is_known)
            throw InputError(
                std::string(given.option) + ": is for phyxel plot " +
                (std::string_view(given.option) == "--dimension" ? "kernels" : "shape-functions") +
                ", not for " + name);
    if (!is_shapes || !command.crack.empty()) return;
    for (const Given& given :
         {Given{"--resample", command.resample, false}, Given{"--order", command.order.has_value(), false},
          Given{"--translucency", command.translucency.has_value(), false}})
        if (given.is_given) throw InputError(std::string(given.option) + ": needs a --crack");
}

Figure shape_figure(const PlotCommand& command)
{
    ShapeFigureOptions options;
    options.as_surface = command.surface;
    if (command.order) options.mls.order = *command.order;
    if (!command.weight.empty()) options.mls.weight = mls_weight_named(command.weight);
    if (command.resample) options.cloud.support = support_for_resampling;
    if (command.support) options.cloud.support = *command.support;
    if (command.nodes) options.cloud.nodes_a_side = *command.nodes;
    if (command.seed) options.cloud.seed = *command.seed;
    if (!command.node.empty())
        options.cloud.near =
            point_of(command.node, "--node " + command.node + ": expected a point, as in 0.5,0.5");
    if (command.crack.empty()) return shape_function_figure(options);
    const CrackSegment crack = crack_of(command.crack);
    const double translucency = command.translucency.value_or(CrackOptions().translucency);
    CrackResamplingOptions resampling;
    resampling.weight = options.mls.weight;
    return command.resample ? resampling_figure(crack, translucency, options, resampling)
                            : crack_figure(crack, translucency, options);
}

bool is_file_name(const fs::path& path) { return path.extension() == ".svg"; }

/// Writes the figure to the file, or under its name into the folder, that was asked for.
void write_one(const fs::path& output, const std::string& name, const Figure& figure)
{
    const fs::path path = is_file_name(output) ? output : output / (name + ".svg");
    if (path.has_parent_path()) create_folder(path.parent_path());
    write_figure(path, figure);
    print(path.string() + "\n");
}

std::string text_at(const Node& node, std::string_view key)
{
    const Node* value = node.is_object() ? node.find(key) : nullptr;
    return value != nullptr && value->is_text() ? value->text() : "";
}

/// From the first to the last point of a probe; 0 if it is not a line.
double line_length(const Node& probe)
{
    const Node* line = probe.is_object() ? probe.find("line") : nullptr;
    const Node* from = line != nullptr && line->is_object() ? line->find("from") : nullptr;
    const Node* to = line != nullptr && line->is_object() ? line->find("to") : nullptr;
    if (from == nullptr || to == nullptr || !from->is_list() || !to->is_list()) return 0.0;
    double squares = 0.0;
    for (std::size_t k = 0; k < std::min(from->items().size(), to->items().size()); ++k) {
        const Node& a = from->items()[k];
        const Node& b = to->items()[k];
        if (!a.is_number() || !b.is_number()) return 0.0;
        squares += (a.number() - b.number()) * (a.number() - b.number());
    }
    return std::sqrt(squares);
}

/// What the run's scene says of dimension and probes. Without it, charts lack units but are still right.
RunChartOptions describe_tables(const fs::path& run)
{
    std::error_code error;
    if (!fs::exists(run, error)) throw InputError(run.string() + ": no such folder");
    if (!fs::is_directory(run, error)) throw InputError(run.string() + ": is not a run, it is not a folder");
    if (!fs::exists(run / manifest_name, error))
        throw InputError(run.string() + ": is not a run, it has no manifest.json");
    RunChartOptions options;
    try {
        const Manifest manifest = read_manifest(run);
        const Node& scene = manifest.scene;
        options.units = field_units(manifest, standard_kinds());
        const Node* dimension = scene.find("dimension");
        if (dimension != nullptr && dimension->is_number() && dimension->number() == 2) options.dimension = 2;
        const Node* probes = scene.find("probes");
        if (probes != nullptr && probes->is_list())
            for (const Node& probe : probes->items())
                options.probes.push_back(
                    {text_at(probe, "name"), text_at(probe, "field"), line_length(probe)});
    } catch (const InputError& problem) {
        warn(std::string(problem.what()) + "; drawn without the units of probes");
    }
    return options;
}

void plot_run(const PlotCommand& command)
{
    const fs::path run = find_run(command.what);
    const std::vector<NamedFigure> figures = run_figures(run, describe_tables(run));
    if (is_file_name(command.output)) {
        write_one(command.output, "", joined(figures));
        return;
    }
    const fs::path folder = command.output.empty() ? run / "plots" : command.output;
    for (const NamedFigure& figure : figures) write_one(folder, figure.name, figure.figure);
}

} // namespace

void plot(const PlotCommand& command)
{
    const std::string name = command.what.string();
    const bool is_kernels = name == "kernels";
    const bool is_shapes = name == "shape-functions";
    check_options(command, is_kernels || is_shapes ? name : "a run", is_kernels, is_shapes);
    if (is_kernels)
        write_one(command.output, name, kernel_figure(command.dimension.value_or(2)));
    else if (is_shapes)
        write_one(command.output, name, shape_figure(command));
    else
        plot_run(command);
}

} // namespace phyxel::command
