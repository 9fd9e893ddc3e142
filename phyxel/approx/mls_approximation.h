// SPDX-License-Identifier: MIT
// Moving least squares for those who just want a field from scattered values: finds the nodes near a point by
// itself. Where many fields are evaluated at the same points, a ShapeSet does the work only once.
#pragma once

#include <phyxel/approx/mls.h>
#include <phyxel/approx/shape_set.h>
#include <phyxel/core/types.h>
#include <phyxel/search/kd_tree.h>

#include <span>
#include <vector>

namespace phyxel {

/// Nodes that stay where they are, with a search over them. `nodal` is always one value for each node. Where
/// no node reaches x, values and derivatives are 0 and `shape_functions(x).quality.empty` is set. Calls from
/// several threads are fine.
template <int Dim>
class MlsApproximation {
public:
    /// Copies nodes and radii. Throws InputError for what is not finite and for options out of range.
    MlsApproximation(std::span<const Vec<Dim>> nodes, const SupportRadii& radii,
                     const MlsOptions& options = {});

    ShapeFunctions<Dim> shape_functions(const Vec<Dim>& x, int derivatives = 1) const;

    /// Shape functions at many points, in parallel.
    ShapeSet<Dim> shape_set(std::span<const Vec<Dim>> points, int derivatives = 1) const;

    double value(std::span<const double> nodal, const Vec<Dim>& x) const;
    Vec<Dim> gradient(std::span<const double> nodal, const Vec<Dim>& x) const;
    Mat<Dim> hessian(std::span<const double> nodal, const Vec<Dim>& x) const;

    /// Of a vector field.
    template <int Components>
    Vec<Components> value(std::span<const Vec<Components>> nodal, const Vec<Dim>& x) const
    {
        check_count(nodal.size());
        return shape_functions(x, 0).template value<Components>(nodal);
    }

    /// Of a vector field: row = component, column = coordinate.
    template <int Components>
    Eigen::Matrix<double, Components, Dim> gradient(std::span<const Vec<Components>> nodal,
                                                    const Vec<Dim>& x) const
    {
        check_count(nodal.size());
        return shape_functions(x, 1).template gradient<Components>(nodal);
    }

    std::span<const Vec<Dim>> nodes() const { return nodes_; }
    const MlsOptions& options() const { return options_; }

private:
    void check_count(std::size_t value_count) const;
    SupportRadii radii() const;

    std::vector<Vec<Dim>> nodes_;
    std::vector<double> radii_; ///< one, or one for each node
    bool has_one_radius_;
    MlsOptions options_;
    double search_radius_; ///< within which all nodes that reach a point lie
    KdTree<Dim> tree_;
};

extern template class MlsApproximation<1>;
extern template class MlsApproximation<2>;
extern template class MlsApproximation<3>;

} // namespace phyxel
