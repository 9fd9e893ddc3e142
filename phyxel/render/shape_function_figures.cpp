// SPDX-License-Identifier: MIT
#include <phyxel/render/shape_function_figures.h>

#include <phyxel/approx/kernels.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr int most_nodes_a_side = 100;
constexpr int most_cells = 1000;

bool is_in_square(const Vec<2>& x) { return x.minCoeff() >= 0 && x.maxCoeff() <= 1; }

std::vector<Index> all_of(const NodeCloud& cloud)
{
    std::vector<Index> ids(cloud.nodes.size());
    std::iota(ids.begin(), ids.end(), Index(0));
    return ids;
}

/// The function of a cloud's node, with what is the same at all points made once.
class Evaluator {
public:
    Evaluator(const NodeCloud& cloud, const NodeFunctionOptions& options)
        : cloud_(cloud),
          options_(options),
          all_(all_of(cloud)),
          weight_(make_mls_weight<2>(options.mls.weight))
    {
        if (cloud.chosen >= cloud.nodes.size() || cloud.radii.size() != cloud.nodes.size())
            throw InputError("a cloud of nodes needs a radius for each and one that is looked at");
        if (options.function == NodeFunction::Sph && options.cracks)
            throw InputError("SPH knows no cracks; draw a weight or a shape function of MLS");
        if (options.function != NodeFunction::Sph) return;
        // Of particles with mass 1: V = 1 / ρ [AW09, Eq. 4–5].
        const Poly6<2> kernel(cloud.radii[cloud.chosen]);
        double density = 0.0;
        for (const Vec<2>& x : cloud.nodes) density += kernel.value((x - center()).norm());
        volume_ = 1 / density;
    }

    double at(const Vec<2>& x) const
    {
        const double h = cloud_.radii[cloud_.chosen];
        if (options_.function == NodeFunction::Sph) return volume_ * Poly6<2>(h).value((x - center()).norm());
        if (options_.function == NodeFunction::Weight)
            return options_.cracks ? options_.cracks->weight(weight_, x, center(), h)
                                   : weight_.value(x - center(), h);
        const ShapeFunctions<2> shape =
            options_.cracks
                ? cracked_shape_functions(x, cloud_.nodes, cloud_.radii, all_, *options_.cracks, options_.mls)
                : shape_functions<2>(x, cloud_.nodes, cloud_.radii, all_, options_.mls, 0);
        const auto found = std::find(shape.ids.begin(), shape.ids.end(), static_cast<Index>(cloud_.chosen));
        return found == shape.ids.end() ? 0.0
                                        : shape.values[static_cast<std::size_t>(found - shape.ids.begin())];
    }

private:
    const Vec<2>& center() const { return cloud_.nodes[cloud_.chosen]; }

    const NodeCloud& cloud_;
    const NodeFunctionOptions& options_;
    std::vector<Index> all_;
    AnyMlsWeight<2> weight_;
    double volume_ = 0.0;
};

std::string order_name(int order)
{
    return order == 0 ? "MLS of order 0 (Shepard)" : "MLS of order " + std::to_string(order);
}

/// The crack as long as the cloud on the side where it comes out of the body.
CrackSegment drawn_through(const CrackSegment& crack, const NodeCloud& cloud)
{
    CrackSegment result = crack;
    const Vec<2> along = crack.to - crack.from;
    if (!(along.norm() > 0.0)) return result; // is refused later
    const Vec<2> beyond = (2.0 + 10.0 * cloud.spacing) / along.norm() * along;
    if (!crack.from_is_front) result.from -= beyond;
    if (!crack.to_is_front) result.to += beyond;
    return result;
}

/// A panel of the figure: contours or a surface.
Panel panel_of(const ShapeFigureOptions& options, const NodeCloud& cloud, std::size_t old_count,
               const std::string& title, const NodeFunctionOptions& function)
{
    std::vector<ChartLine> lines;
    if (function.cracks)
        for (const CrackSegment& crack : function.cracks->cracks())
            lines.push_back({crack.from, crack.to, ChartLine::Kind::Crack});
    if (options.as_surface) {
        // Drawn cell by cell; more would be black with lines.
        constexpr int most = 40;
        return SurfaceChart{.title = title,
                            .field = node_function_field(cloud, function, std::min(options.cells, most)),
                            .lines = std::move(lines)};
    }
    FieldChart chart{.title = title, .field = node_function_field(cloud, function, options.cells)};
    const auto begin_of_new = cloud.nodes.begin() + static_cast<std::ptrdiff_t>(old_count);
    std::copy_if(cloud.nodes.begin(), begin_of_new, std::back_inserter(chart.points), is_in_square);
    std::copy_if(begin_of_new, cloud.nodes.end(), std::back_inserter(chart.new_points), is_in_square);
    chart.cross = cloud.nodes[cloud.chosen];
    chart.lines = std::move(lines);
    return chart;
}

Panel panel_of(const ShapeFigureOptions& options, const NodeCloud& cloud, const std::string& title,
               const NodeFunctionOptions& function)
{
    return panel_of(options, cloud, cloud.nodes.size(), title, function);
}

/// By how much the cracks lengthen the way to a node, in support radii: its shadow. From 1 on nothing of its
/// weight is left, wherever it was.
Panel shadow_panel(const ShapeFigureOptions& options, const NodeCloud& cloud, const std::string& title,
                   const CrackVisibility& cracks)
{
    const Vec<2> center = cloud.nodes[cloud.chosen];
    const double h = cloud.radii[cloud.chosen];
    // The edge of the shadow is the one straight jump in the figures: finer cells keep it straight.
    const int cells = std::min(3 * options.cells, most_cells);
    FieldGrid field{.columns = cells + 1, .rows = cells + 1};
    for (int row = 0; row < field.rows; ++row)
        for (int column = 0; column < field.columns; ++column)
            field.values.push_back(std::min(1.0, cracks.lengthening(field.position(column, row), center)));
    FieldChart chart{.title = title, .field = std::move(field), .levels = {0.01, 0.2, 0.4, 0.6, 0.8, 0.99}};
    if (cracks.options().criterion == CrackCriterion::Visibility) chart.levels = {0.99};
    chart.cross = center;
    chart.circles.push_back({center, h});
    chart.notes.push_back({center + Vec<2>(0.02, 0.02), "xᵢ"});
    for (const CrackSegment& crack : cracks.cracks()) {
        chart.lines.push_back({crack.from, crack.to, ChartLine::Kind::Crack});
        const Vec<2> along = (crack.to - crack.from).normalized();
        // The ray past the front, where the shadow begins.
        if (cracks.options().criterion == CrackCriterion::Visibility) {
            const Vec<2> ray = crack.to - center;
            if (ray.norm() > 0.0)
                chart.lines.push_back(
                    {center, center + (1.4 * h / ray.norm()) * ray, ChartLine::Kind::Sight});
            continue;
        }
        // A way through the crack, in the middle of the translucent zone behind its front.
        const double zone = cracks.options().translucency * cracks.spacing();
        const Vec<2> met = crack.to - 0.5 * zone * along;
        const Vec<2> way = met - center;
        if (!(way.norm() > 0.0)) continue;
        chart.lines.push_back({center, center + (h / way.norm()) * way, ChartLine::Kind::Sight});
        Vec<2> aside(along[1], -along[0]);
        if (aside.dot(way) < 0) aside = -aside; // away from the node
        const Vec<2> shift = 0.03 * aside;
        chart.lines.push_back({met + shift, crack.to + shift, ChartLine::Kind::Length});
        chart.notes.push_back({crack.to + shift + 0.015 * along, "dₛ"});
    }
    return chart;
}

} // namespace

NodeCloud make_node_cloud(const NodeCloudOptions& options)
{
    if (options.nodes_a_side < 2 || options.nodes_a_side > most_nodes_a_side)
        throw InputError("there are " + std::to_string(options.nodes_a_side) +
                         " nodes along a side, must be 2 to " + std::to_string(most_nodes_a_side));
    if (!(options.support > 0 && options.support <= 20))
        throw InputError("the support radius is " + number_text(options.support) +
                         " spacings, must be above 0 and at most 20");
    if (!(options.jitter >= 0 && options.jitter <= 0.5))
        throw InputError("the jitter is " + number_text(options.jitter) + " spacings, must be 0 to 0.5");
    if (!options.near.allFinite()) throw InputError("the place of the node that is drawn is not finite");
    NodeCloud cloud;
    cloud.spacing = 1.0 / options.nodes_a_side;
    Rng rng(options.seed);
    const int around = static_cast<int>(std::ceil(options.support)) + 1;
    for (int row = -around; row < options.nodes_a_side + around; ++row)
        for (int column = -around; column < options.nodes_a_side + around; ++column) {
            const double x = column + 0.5 + rng.uniform(-options.jitter, options.jitter);
            const double y = row + 0.5 + rng.uniform(-options.jitter, options.jitter);
            cloud.nodes.push_back(cloud.spacing * Vec<2>(x, y));
        }
    cloud.radii.assign(cloud.nodes.size(), options.support * cloud.spacing);
    const auto nearest =
        std::min_element(cloud.nodes.begin(), cloud.nodes.end(), [&](const Vec<2>& a, const Vec<2>& b) {
            return (a - options.near).squaredNorm() < (b - options.near).squaredNorm();
        });
    cloud.chosen = static_cast<std::size_t>(nearest - cloud.nodes.begin());
    return cloud;
}

double node_function(const NodeCloud& cloud, const NodeFunctionOptions& options, const Vec<2>& x)
{
    return Evaluator(cloud, options).at(x);
}

FieldGrid node_function_field(const NodeCloud& cloud, const NodeFunctionOptions& options, int cells)
{
    if (cells < 1 || cells > most_cells)
        throw InputError("a field has " + std::to_string(cells) + " cells along a side, must be 1 to " +
                         std::to_string(most_cells));
    const Evaluator evaluator(cloud, options);
    FieldGrid grid{.columns = cells + 1, .rows = cells + 1};
    grid.values.resize(grid.index(0, grid.rows));
    parallel_for(static_cast<std::size_t>(grid.rows), [&](Index row) {
        for (int column = 0; column < grid.columns; ++column)
            grid.values[grid.index(column, static_cast<int>(row))] =
                evaluator.at(grid.position(column, static_cast<int>(row)));
    });
    return grid;
}

std::vector<double> node_function_section(const NodeCloud& cloud, const NodeFunctionOptions& options,
                                          std::span<const double> x, double height)
{
    const Evaluator evaluator(cloud, options);
    std::vector<double> values(x.size());
    for (std::size_t k = 0; k < x.size(); ++k) values[k] = evaluator.at(Vec<2>(x[k], height));
    return values;
}

NodeCloud resampled_cloud(const NodeCloud& cloud, const CrackVisibility& cracks,
                          const CrackResamplingOptions& options)
{
    const ResampledNodes nodes = resample_near_cracks(cloud.nodes, cloud.radii, cracks, options);
    NodeCloud result = cloud;
    for (std::size_t i = 0; i < nodes.positions.size(); ++i) {
        if (!is_in_square(cloud.nodes[nodes.parents[i]])) continue;
        if (i < cloud.nodes.size()) {
            result.radii[i] = nodes.radii[i];
        } else {
            result.nodes.push_back(nodes.positions[i]);
            result.radii.push_back(nodes.radii[i]);
        }
    }
    return result;
}

Figure shape_function_figure(const ShapeFigureOptions& options)
{
    const NodeCloud cloud = make_node_cloud(options.cloud);
    struct Named {
        std::string title;
        std::string name;
        NodeFunctionOptions function;
    };
    std::vector<Named> all;
    std::string weight(name_of(options.mls.weight));
    std::replace(weight.begin(), weight.end(), '_', ' ');
    all.push_back({"Weight ω (" + weight + ")", "ω", {NodeFunction::Weight, options.mls}});
    all.push_back({"SPH (poly6)", "SPH", {NodeFunction::Sph, options.mls}});
    for (int order = 0; order <= 2; ++order) {
        NodeFunctionOptions function{NodeFunction::Mls, options.mls};
        function.mls.order = order;
        all.push_back({order_name(order), "MLS " + std::to_string(order), function});
    }
    Figure figure{.columns = 3, .panel_width = 350, .panel_height = 310};
    for (const Named& named : all)
        figure.panels.push_back(panel_of(options, cloud, named.title, named.function));

    const Vec<2> center = cloud.nodes[cloud.chosen];
    LineChart section{.title = "Section through the node",
                      .x = {.label = "x − xᵢ, in support radii"},
                      .y = {.label = "function of the node"}};
    std::vector<double> x, share;
    for (int k = -200; k <= 200; ++k) {
        share.push_back(1.25 * k / 200);
        x.push_back(center[0] + share.back() * cloud.radii[cloud.chosen]);
    }
    for (const Named& named : all)
        section.curves.push_back(
            {named.name, share, node_function_section(cloud, named.function, x, center[1])});
    figure.panels.push_back(std::move(section));
    return figure;
}

Figure crack_figure(const CrackSegment& crack, double translucency, const ShapeFigureOptions& options)
{
    const NodeCloud cloud = make_node_cloud(options.cloud);
    Figure figure{.columns = 3, .panel_width = 350, .panel_height = 310};
    for (const CrackCriterion criterion : all_crack_criteria) {
        const CrackVisibility cracks({drawn_through(crack, cloud)}, cloud.spacing,
                                     {.criterion = criterion, .translucency = translucency});
        const std::string name = criterion == CrackCriterion::Visibility ? "Visibility" : "Transparency";
        figure.panels.push_back(shadow_panel(options, cloud, name + ": lengthening", cracks));
        figure.panels.push_back(
            panel_of(options, cloud, name + ": weight ω′", {NodeFunction::Weight, options.mls, cracks}));
        figure.panels.push_back(panel_of(options, cloud, name + ": Φ, " + order_name(options.mls.order),
                                         {NodeFunction::Mls, options.mls, cracks}));
    }
    return figure;
}

Figure resampling_figure(const CrackSegment& crack, double translucency, const ShapeFigureOptions& options,
                         const CrackResamplingOptions& resampling)
{
    const NodeCloud cloud = make_node_cloud(options.cloud);
    const AnyMlsWeight<2> weight = make_mls_weight<2>(options.mls.weight);
    constexpr int stages = 3;
    std::vector<Panel> without, with;
    for (int stage = 1; stage <= stages; ++stage) {
        CrackSegment grown = crack;
        grown.to = crack.from + (0.4 + 0.6 * stage / stages) * (crack.to - crack.from);
        const CrackVisibility cracks({drawn_through(grown, cloud)}, cloud.spacing,
                                     {.translucency = translucency});
        const NodeCloud dense = resampled_cloud(cloud, cracks, resampling);
        const double omega =
            sampling_number(cloud.chosen, cloud.nodes, cloud.radii, all_of(cloud), cracks, weight);
        const std::size_t new_count = dense.nodes.size() - cloud.nodes.size();
        const NodeFunctionOptions function{NodeFunction::Mls, options.mls, cracks};
        without.push_back(panel_of(options, cloud, "Not resampled, Ω = " + number_text(omega, 3), function));
        with.push_back(panel_of(options, dense, cloud.nodes.size(),
                                "Resampled, " + std::to_string(new_count) + " new nodes", function));
    }
    Figure figure{.columns = stages, .panel_width = 350, .panel_height = 310};
    std::move(without.begin(), without.end(), std::back_inserter(figure.panels));
    std::move(with.begin(), with.end(), std::back_inserter(figure.panels));
    return figure;
}

} // namespace phyxel
