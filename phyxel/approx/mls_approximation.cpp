// SPDX-License-Identifier: MIT
#include <phyxel/approx/detail/check_points.h>
#include <phyxel/approx/mls_approximation.h>
#include <phyxel/core/error.h>

#include <algorithm>
#include <string>

namespace phyxel {
namespace {

std::vector<double> copy_of(const SupportRadii& radii, std::size_t node_count)
{
    radii.check(node_count);
    std::vector<double> copy(radii.is_uniform() ? 1 : node_count);
    for (std::size_t i = 0; i < copy.size(); ++i) copy[i] = radii[i];
    return copy;
}

template <int Dim>
std::vector<Vec<Dim>> copy_of(std::span<const Vec<Dim>> nodes)
{
    detail::check_finite<Dim>(nodes, "node");
    return {nodes.begin(), nodes.end()};
}

} // namespace

template <int Dim>
MlsApproximation<Dim>::MlsApproximation(std::span<const Vec<Dim>> nodes, const SupportRadii& radii,
                                        const MlsOptions& options)
    : nodes_(copy_of<Dim>(nodes)),
      radii_(copy_of(radii, nodes.size())),
      has_one_radius_(radii.is_uniform()),
      options_(ShapeFunctionBuilder<Dim>(options).options()),
      search_radius_(0.0),
      tree_(nodes_)
{
    for (double h : radii_) search_radius_ = std::max(search_radius_, h);
    search_radius_ *= make_mls_weight<Dim>(options.weight).reach();
}

template <int Dim>
SupportRadii MlsApproximation<Dim>::radii() const
{
    return has_one_radius_ ? SupportRadii(radii_[0]) : SupportRadii(radii_);
}

template <int Dim>
void MlsApproximation<Dim>::check_count(std::size_t value_count) const
{
    if (value_count != nodes_.size())
        throw InputError("there are " + std::to_string(value_count) + " values for " +
                         std::to_string(nodes_.size()) + " nodes, must be one for each");
}

template <int Dim>
ShapeFunctions<Dim> MlsApproximation<Dim>::shape_functions(const Vec<Dim>& x, int derivatives) const
{
    std::vector<Index> candidates;
    tree_.radius(x, search_radius_, candidates);
    return phyxel::shape_functions<Dim>(x, nodes_, radii(), candidates, options_, derivatives);
}

template <int Dim>
ShapeSet<Dim> MlsApproximation<Dim>::shape_set(std::span<const Vec<Dim>> points, int derivatives) const
{
    const QueryResults<Index> near = tree_.radius(points, search_radius_);
    ShapeSet<Dim> set(options_, derivatives);
    // The set keeps its report.
    static_cast<void>(set.rebuild(points, nodes_, radii(), CandidateLists(near.offsets, near.items)));
    return set;
}

template <int Dim>
double MlsApproximation<Dim>::value(std::span<const double> nodal, const Vec<Dim>& x) const
{
    check_count(nodal.size());
    return shape_functions(x, 0).value(nodal);
}

template <int Dim>
Vec<Dim> MlsApproximation<Dim>::gradient(std::span<const double> nodal, const Vec<Dim>& x) const
{
    check_count(nodal.size());
    return shape_functions(x, 1).gradient(nodal);
}

template <int Dim>
Mat<Dim> MlsApproximation<Dim>::hessian(std::span<const double> nodal, const Vec<Dim>& x) const
{
    check_count(nodal.size());
    return shape_functions(x, 2).hessian(nodal);
}

template class MlsApproximation<1>;
template class MlsApproximation<2>;
template class MlsApproximation<3>;

} // namespace phyxel
