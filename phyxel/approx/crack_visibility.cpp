// SPDX-License-Identifier: MIT
#include <phyxel/approx/crack_visibility.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

void check_positive(double value, const std::string& what)
{
    if (!(value > 0 && std::isfinite(value)))
        throw InputError(what + " is " + number_text(value) + ", must be positive and finite");
}

void check_crack(const CrackSegment& crack, std::size_t number)
{
    const std::string name = "crack " + std::to_string(number);
    if (!crack.from.allFinite() || !crack.to.allFinite()) throw InputError(name + " is not finite");
    if (!((crack.to - crack.from).squaredNorm() > 0)) throw InputError(name + " has no length");
}

} // namespace

std::string_view name_of(CrackCriterion criterion)
{
    return criterion == CrackCriterion::Visibility ? "visibility" : "transparency";
}

std::optional<Vec<2>> crossing(const CrackSegment& crack, const Vec<2>& x, const Vec<2>& y)
{
    // Always seen from the same end, so that the weights of a pair are the same bits either way.
    const bool is_ordered = x[0] < y[0] || (x[0] == y[0] && x[1] <= y[1]);
    const Vec<2>& a = is_ordered ? x : y;
    const Vec<2>& b = is_ordered ? y : x;
    const Vec<2> along = crack.to - crack.from;
    const double side_of_a = cross(along, a - crack.from);
    const double side_of_b = cross(along, b - crack.from);
    const bool is_between = (side_of_a < 0 && side_of_b > 0) || (side_of_a > 0 && side_of_b < 0);
    if (!is_between) return std::nullopt;
    const Vec<2> met = a + side_of_a / (side_of_a - side_of_b) * (b - a);
    const double place = along.dot(met - crack.from);
    if (!(place >= 0 && place <= along.squaredNorm())) return std::nullopt;
    return met;
}

double front_distance(const CrackSegment& crack, const Vec<2>& point)
{
    double distance = infinite;
    if (crack.from_is_front) distance = std::min(distance, (point - crack.from).norm());
    if (crack.to_is_front) distance = std::min(distance, (point - crack.to).norm());
    return distance;
}

CrackVisibility::CrackVisibility(std::vector<CrackSegment> cracks, double spacing,
                                 const CrackOptions& options)
    : cracks_(std::move(cracks)),
      spacing_(spacing),
      options_(options)
{
    check_positive(spacing, "spacing of nodes near cracks");
    check_positive(options.translucency, "translucency of cracks");
    for (std::size_t k = 0; k < cracks_.size(); ++k) check_crack(cracks_[k], k);
}

double CrackVisibility::lengthening(const Vec<2>& x, const Vec<2>& y) const
{
    double longest = 0.0;
    for (const CrackSegment& crack : cracks_) {
        const std::optional<Vec<2>> met = crossing(crack, x, y);
        if (!met) continue;
        if (options_.criterion == CrackCriterion::Visibility) return infinite;
        const double ratio = front_distance(crack, *met) / (options_.translucency * spacing_);
        longest = std::max(longest, ratio * ratio);
    }
    return longest;
}

double CrackVisibility::seen_radius(const Vec<2>& x, const Vec<2>& node, double support_radius) const
{
    const double longer = lengthening(x, node);
    if (longer == 0.0) return support_radius;
    // The way to a node at x itself crosses nothing, so |x − x_i| is not 0 here.
    return 1 / (1 / support_radius + longer / (x - node).norm());
}

double CrackVisibility::weight(const AnyMlsWeight<2>& weight, const Vec<2>& x, const Vec<2>& node,
                               double support_radius) const
{
    const double h = seen_radius(x, node, support_radius);
    return h > 0 ? weight.value(x - node, h) : 0.0;
}

ShapeFunctions<2> cracked_shape_functions(const Vec<2>& x, std::span<const Vec<2>> nodes,
                                          const SupportRadii& radii, std::span<const Index> candidates,
                                          const CrackVisibility& cracks, const MlsOptions& options)
{
    radii.check_count(nodes.size());
    std::vector<Index> ids;
    std::vector<Vec<2>> seen;
    std::vector<double> seen_radii;
    for (const Index i : candidates) {
        PHYXEL_ASSERT(i < nodes.size());
        const double h = cracks.seen_radius(x, nodes[i], radii[i]);
        // Whatever is not a usable number, or was none before, is for the builder to refuse.
        if (h < SupportRadii::smallest && radii[i] >= SupportRadii::smallest) continue;
        ids.push_back(i);
        seen.push_back(nodes[i]);
        seen_radii.push_back(h);
    }
    std::vector<Index> all(ids.size());
    std::iota(all.begin(), all.end(), Index(0));
    ShapeFunctions<2> shape = shape_functions<2>(x, seen, seen_radii, all, options, 0);
    for (Index& id : shape.ids) id = ids[id];
    return shape;
}

double sampling_number(std::size_t i, std::span<const Vec<2>> nodes, const SupportRadii& radii,
                       std::span<const Index> candidates, const CrackVisibility& cracks,
                       const AnyMlsWeight<2>& weight)
{
    PHYXEL_ASSERT(i < nodes.size());
    double sum = 0.0;
    for (const Index j : candidates) {
        PHYXEL_ASSERT(j < nodes.size());
        if (j == i) continue;
        // Both weights have the radius of node i.
        const double whole = weight.value(nodes[j] - nodes[i], radii[i]);
        if (whole > 0) sum += cracks.weight(weight, nodes[j], nodes[i], radii[i]) / whole;
    }
    return sum;
}

} // namespace phyxel
