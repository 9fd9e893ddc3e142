// SPDX-License-Identifier: MIT
// V-C1 and V-C3: what a crack leaves of weights and shape functions.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/approx/crack_visibility.h>
#include <phyxel/core/assert.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

// V-C1: weights behind a crack

/// The weight of a node at distance q h whose way meets a crack `ratio` κ spacings behind its front.
using WeightBehindCrack = std::function<double(MlsWeight weight, double q, double ratio)>;

constexpr double crack_spacing = 0.25;
constexpr double crack_translucency = 2.0;

/// A crack across the middle of the way from the origin to (0, q), its front at the given distance.
CrackSegment crack_across(double q, double front_distance)
{
    return {.from = Vec<2>(-10, 0.5 * q), .to = Vec<2>(front_distance, 0.5 * q)};
}

/// The library, with a support radius of 1. `spacing` is what it is told.
WeightBehindCrack library_weight(double spacing)
{
    return [spacing](MlsWeight name, double q, double ratio) {
        const double d_s = ratio * crack_translucency * crack_spacing;
        const CrackVisibility cracks({crack_across(q, d_s)}, spacing, {.translucency = crack_translucency});
        return cracks.weight(make_mls_weight<2>(name), Vec<2>(0, q), Vec<2>(0, 0), 1.0);
    };
}

/// d_s / (κ spacing) without the square.
double weight_without_square(MlsWeight name, double q, double ratio)
{
    return make_mls_weight<2>(name).value(Vec<2>(0, q + ratio), 1.0);
}

void add_weight_cases(std::vector<Case>& cases)
{
    struct Row {
        double q, ratio, quartic, poly6;
    };
    static constexpr std::array<Row, 11> rows = {{
        {0.3, 0.00, 0.651700, 0.753571},
        {0.3, 0.25, 0.540838, 0.655315},
        {0.3, 0.50, 0.241481, 0.339338},
        {0.3, 0.75, 0.009326, 0.016796},
        {0.5, 0.00, 0.312500, 0.421875},
        {0.5, 0.25, 0.225052, 0.319444},
        {0.5, 0.50, 0.050781, 0.083740},
        {0.5, 0.75, 0.0, 0.0},
        {0.8, 0.00, 0.027200, 0.046656},
        {0.8, 0.25, 0.009326, 0.016796},
        {0.8, 0.50, 0.0, 0.0},
    }};
    const auto check = [](MlsWeight name) {
        return [name](const WeightBehindCrack& weight) {
            Worst error;
            for (const Row& row : rows)
                error.add(weight(name, row.q, row.ratio) -
                          (name == MlsWeight::Quartic ? row.quartic : row.poly6));
            return error_measurement(error.value(), 5.1e-7, "11 weights, given to six digits");
        };
    };
    const std::string claim = "weights behind a crack are those of [AW09, Eq. 70]";
    const std::string source = "ω(q + (d_s / (κ spacing))²) by hand";
    cases.push_back(make_case({"V-C1/quartic", claim, source}, check(MlsWeight::Quartic),
                              library_weight(crack_spacing), "the support radius in place of the spacing",
                              library_weight(1.0)));
    cases.push_back(make_case({"V-C1/poly6", claim, source}, check(MlsWeight::Poly6),
                              library_weight(crack_spacing), "d_s / (κ spacing) without its square",
                              WeightBehindCrack(weight_without_square)));
}

/// By how much two cracks, crossed 0.5 and 0.25 κ spacings behind their fronts, lengthen a way.
using TwoCracks = std::function<double(const CrackSegment& first, const CrackSegment& second)>;

void add_two_crack_case(std::vector<Case>& cases)
{
    const Vec<2> x(0, 0);
    const Vec<2> y(0, 0.6);
    const auto check = [](const TwoCracks& lengthening) {
        return Measurement{lengthening(crack_across(0.4, 0.5), crack_across(0.8, 0.25)), 0.25, 1e-15};
    };
    const auto through = [=](const std::vector<CrackSegment>& cracks) {
        return CrackVisibility(cracks, 1.0).lengthening(x, y);
    };
    cases.push_back(
        make_case({"V-C1/two_cracks", "of two cracks in the way the longer detour counts",
                   "[AW09, Eq. 70] knows one crack; a sum would depend on how a crack is cut into pieces"},
                  check, TwoCracks([=](const CrackSegment& a, const CrackSegment& b) {
                      return through({a, b});
                  }),
                  "sum over the cracks", TwoCracks([=](const CrackSegment& a, const CrackSegment& b) {
                      return through({a}) + through({b});
                  })));
}

// V-C3: a crack halfway through a lattice

constexpr double lattice_spacing = 0.05;
constexpr double support = 3.2 * lattice_spacing;
constexpr double crack_height = 0.475;

/// 21 × 21 nodes on the unit square.
const std::vector<Vec<2>>& nodes()
{
    static const std::vector<Vec<2>> all = [] {
        std::vector<Vec<2>> result;
        for (int i = 0; i <= 20; ++i)
            for (int j = 0; j <= 20; ++j) result.push_back(lattice_spacing * Vec<2>(i, j));
        return result;
    }();
    return all;
}

const std::vector<Index>& all_nodes()
{
    static const std::vector<Index> ids = [] {
        std::vector<Index> result(nodes().size());
        std::iota(result.begin(), result.end(), Index(0));
        return result;
    }();
    return ids;
}

/// Just above the crack, left of its front.
constexpr std::size_t watched_node = 9 * 21 + 10;

CrackSegment half_crack(double tip)
{
    return {.from = Vec<2>(-1, crack_height), .to = Vec<2>(tip, crack_height)};
}

/// Shape functions of all nodes at x, with the crack up to `tip`.
using CrackedLattice = std::function<std::vector<double>(const Vec<2>& x, double tip)>;

std::vector<double> spread(const ShapeFunctions<2>& shape)
{
    std::vector<double> values(nodes().size(), 0.0);
    for (std::size_t a = 0; a < shape.ids.size(); ++a) values[shape.ids[a]] = shape.values[a];
    return values;
}

CrackedLattice library_lattice(CrackCriterion criterion, double spacing = lattice_spacing,
                               double translucency = 1.0)
{
    return [=](const Vec<2>& x, double tip) {
        const CrackVisibility cracks({half_crack(tip)}, spacing,
                                     {.criterion = criterion, .translucency = translucency});
        return spread(cracked_shape_functions(x, nodes(), support, all_nodes(), cracks));
    };
}

std::vector<double> whole_lattice(const Vec<2>& x, double)
{
    return spread(shape_functions<2>(x, nodes(), support, {}, 0));
}

std::vector<double> narrow_lattice(const Vec<2>& x, double)
{
    return spread(shape_functions<2>(x, nodes(), 0.9 * support, {}, 0));
}

/// Dims the shape functions of the whole body instead of its weights.
std::vector<double> dimmed_lattice(const Vec<2>& x, double tip)
{
    const CrackVisibility cracks({half_crack(tip)}, lattice_spacing);
    const AnyMlsWeight<2> weight = make_mls_weight<2>(MlsWeight::Quartic);
    std::vector<double> values = whole_lattice(x, tip);
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] != 0)
            values[i] *=
                cracks.weight(weight, x, nodes()[i], support) / weight.value(x - nodes()[i], support);
    return values;
}

/// Largest change of the watched node's shape function between neighbouring points of a path below the crack,
/// from behind its front to ahead of it.
Measurement check_largest_step(const CrackedLattice& lattice, double reference, double share)
{
    PHYXEL_ASSERT((nodes()[watched_node] - Vec<2>(0.45, 0.5)).norm() < 1e-12);
    constexpr int step_count = 3000;
    Worst largest;
    double before = 0.0;
    for (int k = 0; k <= step_count; ++k) {
        const double phi = lattice(Vec<2>(0.4 + 1e-4 * k, 0.46), 0.5)[watched_node];
        if (k > 0) largest.add(std::abs(phi - before));
        before = phi;
    }
    return {largest.value(), reference, share * reference, Bound::Near, "1", "over 0.1 mm of a path"};
}

/// Largest difference of a shape function between both faces of the crack.
double jump_at(const CrackedLattice& lattice, double x)
{
    const std::vector<double> above = lattice(Vec<2>(x, crack_height + 1e-9), 0.5);
    const std::vector<double> below = lattice(Vec<2>(x, crack_height - 1e-9), 0.5);
    Worst jump;
    for (std::size_t i = 0; i < above.size(); ++i) jump.add(std::abs(above[i] - below[i]));
    return jump.value();
}

void add_shape_cases(std::vector<Case>& cases)
{
    const std::string source = "tools/reference_numbers.py, shape functions by elimination";
    const auto step_check = [](double reference, double share = 1e-6) {
        return [=](const CrackedLattice& lattice) { return check_largest_step(lattice, reference, share); };
    };
    // The jump is at a point of the path itself, and rounding decides on which side of it: a step more or
    // less.
    constexpr double one_step = 0.005;
    const CrackedLattice visibility = library_lattice(CrackCriterion::Visibility);
    const CrackedLattice transparency = library_lattice(CrackCriterion::Transparency);
    const CrackedLattice wide = library_lattice(CrackCriterion::Transparency, support);
    cases.push_back(make_case({"V-C3/step/whole", "without a crack a shape function is smooth", source},
                              step_check(1.33896308393e-4), CrackedLattice(whole_lattice),
                              "a support a tenth too small", CrackedLattice(narrow_lattice)));
    cases.push_back(make_case(
        {"V-C3/step/visibility", "the visibility criterion makes shape functions jump beside the crack",
         source},
        step_check(3.62271128284e-2, one_step), visibility, "the transparency method", transparency));
    cases.push_back(make_case(
        {"V-C3/step/transparency",
         "with the transparency method shape functions stay smooth beside the crack", source},
        step_check(2.10394578674e-4), transparency, "the support radius in place of the spacing", wide));

    const auto jump_check = [](double spacings, double reference, double tolerance) {
        return [=](const CrackedLattice& lattice) {
            return Measurement{jump_at(lattice, 0.5 - spacings * lattice_spacing), reference, tolerance};
        };
    };
    cases.push_back(make_case(
        {"V-C3/jump/translucent", "0.4 spacings behind the front the faces still see each other", source},
        jump_check(0.4, 0.0269422142674, 1e-7), transparency, "the visibility criterion", visibility));
    cases.push_back(make_case(
        {"V-C3/jump/opaque", "a spacing behind the front the faces are as far apart as they will be", source},
        jump_check(1.0, 0.5481472663, 1e-7), transparency, "the support radius in place of the spacing",
        wide));

    const auto sum_check = [](const CrackedLattice& lattice) {
        Worst error;
        for (int k = 0; k <= 30; ++k)
            for (const double side : {-1e-9, 1e-9, -0.02, 0.02}) {
                double sum = 0.0;
                for (const double phi : lattice(Vec<2>(0.2 + 0.013 * k, crack_height + side), 0.5))
                    sum += phi;
                error.add(sum - 1);
            }
        return error_measurement(error.value(), 1e-12, "124 points on both sides of the crack");
    };
    cases.push_back(make_case({"V-C3/partition_of_unity", "Σ Φ_i = 1 on both sides of a crack",
                               "[AW09, Sec. 3.2] holds for any weights"},
                              sum_check, transparency, "shape functions dimmed instead of weights",
                              CrackedLattice(dimmed_lattice)));

    const auto coupling_check = [](const CrackedLattice& lattice) {
        Worst coupling;
        for (const double side : {-1e-9, 1e-9, -0.02, 0.02}) {
            const std::vector<double> phi = lattice(Vec<2>(0.2, crack_height + side), 0.5);
            for (std::size_t i = 0; i < phi.size(); ++i)
                if ((nodes()[i][1] > crack_height) != (side > 0)) coupling.add(phi[i]);
        }
        return error_measurement(coupling.value(), 0.0, "six spacings behind the front");
    };
    cases.push_back(make_case({"V-C3/coupling", "far behind the front no node is seen through the crack",
                               "[AW09, Eq. 70]: lengthened beyond every support"},
                              coupling_check, transparency, "a translucency of ten spacings",
                              library_lattice(CrackCriterion::Transparency, lattice_spacing, 10.0)));
}

/// Ω of the watched node with the crack up to `tip`.
using SamplingAtCrack = std::function<double(double tip)>;

void add_sampling_case(std::vector<Case>& cases)
{
    const auto sampling = [](CrackCriterion criterion) {
        return [criterion](double tip) {
            const CrackVisibility cracks({half_crack(tip)}, lattice_spacing, {.criterion = criterion});
            return sampling_number(watched_node, nodes(), support, all_nodes(), cracks,
                                   make_mls_weight<2>(MlsWeight::Quartic));
        };
    };
    const auto check = [](const SamplingAtCrack& omega) {
        constexpr std::array<std::array<double, 2>, 6> references = {
            {{0.3, 36}, {0.4, 35}, {0.45, 30.7503644941}, {0.5, 23.2224562101}, {0.6, 21}, {0.8, 21}}};
        Worst error;
        for (const auto& [tip, reference] : references) error.add(omega(tip) - reference);
        return error_measurement(error.value(), 1e-9, "six lengths of the crack, 36 neighbours");
    };
    cases.push_back(make_case(
        {"V-C3/sampling", "a growing crack leaves a node fewer and fewer neighbours [AW09, Eq. 71]",
         "tools/reference_numbers.py"},
        check, SamplingAtCrack(sampling(CrackCriterion::Transparency)),
        "the visibility criterion: neighbours are seen or not", sampling(CrackCriterion::Visibility)));
}

} // namespace

std::vector<Case> crack_cases()
{
    std::vector<Case> cases;
    add_weight_cases(cases);
    add_two_crack_case(cases);
    add_shape_cases(cases);
    add_sampling_case(cases);
    return cases;
}

} // namespace phyxel::detail
