// SPDX-License-Identifier: MIT
// V-A8: the orders at which MLS approximations converge, as observed on jittered grids.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/core/rng.h>
#include <phyxel/verify/clouds.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/shape_makers.h>
#include <phyxel/verify/detail/worst.h>
#include <phyxel/verify/observed_order.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

/// Nodes of a grid over the unit cube, displaced at random, with displacements that repeat every five cells:
/// all levels then have the same neighbourhoods. Otherwise a finer grid would have more of them and among
/// them worse ones, and the largest error would seem to fall more slowly than it does.
template <int Dim>
std::vector<Vec<Dim>> self_similar_nodes(double spacing)
{
    const int count = static_cast<int>(std::lround(1 / spacing));
    std::vector<Vec<Dim>> nodes;
    for_each_lattice_cell<Dim>(count, [&](const Eigen::Matrix<int, Dim, 1>& cell) {
        std::uint64_t pattern = 0;
        for (int k = 0; k < Dim; ++k) pattern = 5 * pattern + static_cast<std::uint64_t>(cell[k] % 5);
        const Vec<Dim> displacement = Rng(1, pattern).point<Dim>(-0.25, 0.25);
        nodes.push_back(spacing * (cell.template cast<double>() + Vec<Dim>::Constant(0.5) + displacement));
    });
    return nodes;
}

/// Largest error of sin(3 Σ x_k), or of its derivatives, in the inner half of the unit cube.
template <int Dim>
double largest_error(const ShapeMaker<Dim>& make, int order, int derivative, double spacing)
{
    const std::vector<Vec<Dim>> nodes = self_similar_nodes<Dim>(spacing);
    std::vector<double> f;
    for (const Vec<Dim>& x : nodes) f.push_back(std::sin(3 * x.sum()));

    Worst error;
    for (const Vec<Dim>& x : random_cloud<Dim>({.count = 500, .seed = 2, .low = 0.25, .high = 0.75})) {
        const ShapeFunctions<Dim> shape = make(x, nodes, 2.5 * spacing, {.order = order}, derivative);
        const double phase = 3 * x.sum();
        if (derivative == 0) error.add(shape.value(f) - std::sin(phase));
        if (derivative == 1)
            for (double slope : shape.gradient(f)) error.add(slope - 3 * std::cos(phase));
        if (derivative == 2) {
            const Mat<Dim> hessian = shape.hessian(f);
            for (double bend : hessian.reshaped()) error.add(bend + 9 * std::sin(phase));
        }
    }
    return std::abs(error.value());
}

struct Expectation {
    double rate;
    Bound bound;
};

/// Sequences of grids: coarse to fine, as far as the dimension allows.
template <int Dim>
OrderOptions levels(bool is_fine)
{
    constexpr std::array halvings = {4, 3, 2};
    constexpr std::array more = {4, 2, 1};
    return {.coarsest = Dim == 3 ? 0.1 : 0.05, .halvings = halvings[Dim - 1] + (is_fine ? more[Dim - 1] : 0)};
}

template <int Dim>
void add_case(std::vector<Case>& cases, const std::string& quantity, int order, int derivative,
              const Expectation& expected, const std::string& sabotage, const ShapeMaker<Dim>& sabotaged)
{
    for (bool is_fine : {false, true}) {
        const OrderOptions sequence = levels<Dim>(is_fine);
        const auto check = [=](const ShapeMaker<Dim>& make) {
            MeasuredLine found{.name = "largest error", .x = {}, .y = {}, .are_points = true};
            const auto error_at = [&](double spacing) {
                const double error = largest_error<Dim>(make, order, derivative, spacing);
                found.x.push_back(std::log10(spacing));
                found.y.push_back(std::log10(error));
                return error;
            };
            const int coarsest = static_cast<int>(std::lround(1 / sequence.coarsest));
            const double rate = observed_order(error_at, sequence);
            MeasuredLine known{
                .name = "order " + number_text(expected.rate),
                .x = {found.x.front(), found.x.back()},
                .y = {found.y.front(), found.y.front() + expected.rate * (found.x.back() - found.x.front())},
                .is_reference = true};
            return with_chart({rate, expected.rate, 0.0, expected.bound, "1",
                               "order of the largest error, spacings 1/" + std::to_string(coarsest) +
                                   " … 1/" + std::to_string(coarsest << sequence.halvings)},
                              {"log10 of the spacing", "", "log10 of the error", "", {found, known}});
        };
        cases.push_back(make_case(
            {"V-A8/" + quantity + "/order" + std::to_string(order) + "/" + std::to_string(Dim) + "d" +
                 (is_fine ? "/fine" : ""),
             expected.bound == Bound::AtMost ? "does not converge"
                                             : "converges at the order that the basis allows",
             "error of the k-th derivative is O(h^(n + 1 − k)) [Lev98]", is_fine ? Tier::Full : Tier::Quick},
            check, library_shapes<Dim>(), sabotage, sabotaged));
    }
}

template <int Dim>
void add_cases(std::vector<Case>& cases)
{
    const std::string lower = "basis of the next lower order";
    const auto at_least = [](double rate) { return Expectation{rate, Bound::AtLeast}; };

    add_case<Dim>(cases, "value", 0, 0, at_least(0.8), "SPH: Shepard's method without its denominator",
                  sph_shapes<Dim>());
    add_case<Dim>(cases, "value", 1, 0, at_least(1.8), lower, library_shapes_with<Dim>(1.0, -1));
    add_case<Dim>(cases, "value", 2, 0, at_least(2.8), lower, library_shapes_with<Dim>(1.0, -1));
    for (int order : {1, 2})
        add_case<Dim>(cases, "gradient", order, 1, at_least(order - 0.2),
                      "[AW09, Eq. 30] with the centred basis, whose derivative it lacks",
                      textbook_shapes<Dim>(MlsMistake::BasisTakenForConstant));
    add_case<Dim>(cases, "second", 1, 2, {0.2, Bound::AtMost}, "basis of the next higher order",
                  library_shapes_with<Dim>(1.0, 1));
    add_case<Dim>(cases, "second", 2, 2, at_least(0.8),
                  "mixed terms ∂_k M ∂_l g left out of the product rule",
                  textbook_shapes<Dim>(MlsMistake::NoMixedTerms));
}

} // namespace

std::vector<Case> convergence_cases()
{
    std::vector<Case> cases;
    add_cases<1>(cases);
    add_cases<2>(cases);
    add_cases<3>(cases);
    return cases;
}

} // namespace phyxel::detail
