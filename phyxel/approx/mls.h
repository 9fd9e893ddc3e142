// SPDX-License-Identifier: MIT
// Moving least squares: shape functions Φ_i(x) that turn values f_i at scattered nodes into a field
// f(x) = Σ Φ_i(x) f_i and reproduce polynomials exactly. They are not interpolating: f(x_i) differs from f_i.
#pragma once

#include <phyxel/approx/axis_pairs.h>
#include <phyxel/approx/mls_weights.h>
#include <phyxel/core/buffer.h>
#include <phyxel/core/types.h>

#include <array>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace phyxel {

/// What to do where the nodes near a point do not determine a polynomial of the wanted order: too few of
/// them, or all on a plane, a line, a quadric.
enum class MlsFallback {
    SafeInverse, ///< leave out the directions that are not determined [AW09, Sec. 3.3]
    LowerOrder   ///< lower the order of the basis until they suffice, down to Shepard's method [Dil99]
};

inline constexpr std::array all_mls_fallbacks = {MlsFallback::SafeInverse, MlsFallback::LowerOrder};

struct MlsOptions {
    int order = 1; ///< of the polynomials that are reproduced: 0 (Shepard), 1 or 2
    MlsWeight weight = MlsWeight::Quartic;
    MlsFallback fallback = MlsFallback::SafeInverse;
    double tolerance = 1e-10; ///< eigenvalues of the moment matrix up to this times the largest count as 0
};

/// Support radii of nodes [m]: one for all, or one for each. Does not own the latter.
class SupportRadii {
public:
    SupportRadii(double radius) : radius_(radius) {}
    SupportRadii(std::span<const double> radii) : radii_(radii), is_uniform_(false) {}
    SupportRadii(const std::vector<double>& radii) : SupportRadii(std::span<const double>(radii)) {}

    bool is_uniform() const { return is_uniform_; }
    double operator[](std::size_t i) const { return is_uniform_ ? radius_ : radii_[i]; }

    /// Throws InputError unless there is one radius for all or for each of `node_count` nodes.
    void check_count(std::size_t node_count) const;

    /// Also throws InputError unless all are positive, finite and not so large or small that their squares
    /// could not be computed with.
    void check(std::size_t node_count) const;

    static constexpr double smallest = 1e-100;
    static constexpr double largest = 1e100;

private:
    double radius_ = 0.0;
    std::span<const double> radii_;
    bool is_uniform_ = true;
};

/// How the shape functions at a point came about.
struct ShapeQuality {
    bool empty = false;        ///< no node reaches the point: there are no shape functions
    int order = 0;             ///< of the basis that was used, possibly lower than wanted
    int rank = 0;              ///< of the moment matrix; less than the size of the basis if truncated
    bool smooth = true;        ///< false if the fallback was needed, as Φ may then jump between points
    double condition = 1.0;    ///< of the part of the moment matrix that was inverted, in the Frobenius norm
    double radius_ratio = 1.0; ///< largest support radius of the nodes over the smallest; above 2 is unwise
};

/// Shape functions at one point: only nodes that reach it appear.
template <int Dim>
struct ShapeFunctions {
    std::vector<Index> ids;                       ///< in the order of the candidates
    std::vector<double> values;                   ///< Φ_i
    std::vector<Vec<Dim>> gradients;              ///< ∇Φ_i [1/m], if asked for
    std::vector<PairVec<Dim>> second_derivatives; ///< ∂²Φ_i/∂x_k∂x_l [1/m²], if asked for
    ShapeQuality quality;

    /// Σ Φ_i f_i [AW09, Eq. 26]; 0 if there are no shape functions. `nodal` has a value for every node, not
    /// only for those near the point.
    double value(std::span<const double> nodal) const;

    /// Σ ∇Φ_i f_i [AW09, Eq. 32].
    Vec<Dim> gradient(std::span<const double> nodal) const;

    /// Σ ∂²Φ_i f_i.
    Mat<Dim> hessian(std::span<const double> nodal) const;

    /// Σ Φ_i u_i of a vector field.
    template <int Components>
    Vec<Components> value(std::span<const Vec<Components>> nodal) const
    {
        Vec<Components> sum = Vec<Components>::Zero();
        for (std::size_t a = 0; a < ids.size(); ++a) sum += values[a] * nodal[ids[a]];
        return sum;
    }

    /// Σ u_i ∇Φ_iᵀ of a vector field: row = component, column = coordinate.
    template <int Components>
    Eigen::Matrix<double, Components, Dim> gradient(std::span<const Vec<Components>> nodal) const
    {
        Eigen::Matrix<double, Components, Dim> sum = Eigen::Matrix<double, Components, Dim>::Zero();
        for (std::size_t a = 0; a < gradients.size(); ++a) sum += nodal[ids[a]] * gradients[a].transpose();
        return sum;
    }
};

namespace detail {

/// The nodes that reach a point, as columns of numbers side by side (see mls.cpp).
struct MlsScratch {
    Buffer<Index> ids;
    Buffer<double> columns;
    std::size_t count = 0;
    std::size_t stride = 0;
    double scale = 1.0;
    double radius_ratio = 1.0;
};

/// Where the shape functions at one point are written.
template <int Dim>
struct ShapeRow {
    Index* ids;
    double* values;
    Vec<Dim>* gradients;
    PairVec<Dim>* second_derivatives;
};

} // namespace detail

/// Makes shape functions point after point. Keeps its scratch memory, so that nothing is allocated once it
/// has seen the largest neighbourhood; two threads must not use one builder at the same time.
template <int Dim>
class ShapeFunctionBuilder {
public:
    /// `derivatives` says how many of them to compute: 0, 1 or 2. Throws InputError for options out of range.
    explicit ShapeFunctionBuilder(const MlsOptions& options, int derivatives = 1);

    /// Shape functions at x from those nodes among `candidates` whose support contains x. Throws InputError
    /// for a point, node or radius that is not finite; for the latter two it names the node.
    void build(const Vec<Dim>& x, std::span<const Vec<Dim>> nodes, const SupportRadii& radii,
               std::span<const Index> candidates, ShapeFunctions<Dim>& out);

    const MlsOptions& options() const { return options_; }
    int derivatives() const { return derivatives_; }

private:
    template <int>
    friend class ShapeSet;

    /// Finds the nodes that reach x and returns how many there are.
    std::size_t gather(const Vec<Dim>& x, std::span<const Vec<Dim>> nodes, const SupportRadii& radii,
                       std::span<const Index> candidates);

    /// Writes the shape functions of the nodes that were gathered last.
    ShapeQuality write(const detail::ShapeRow<Dim>& row);

    MlsOptions options_;
    int derivatives_;
    AnyMlsWeight<Dim> weight_;
    detail::MlsScratch scratch_;
};

/// Shape functions at one point. `candidates` are numbers of nodes; without them all nodes are looked at.
template <int Dim>
ShapeFunctions<Dim> shape_functions(const Vec<Dim>& x, std::span<const std::type_identity_t<Vec<Dim>>> nodes,
                                    const SupportRadii& radii, std::span<const Index> candidates,
                                    const MlsOptions& options = {}, int derivatives = 1);
template <int Dim>
ShapeFunctions<Dim> shape_functions(const Vec<Dim>& x, std::span<const std::type_identity_t<Vec<Dim>>> nodes,
                                    const SupportRadii& radii, const MlsOptions& options = {},
                                    int derivatives = 1);

} // namespace phyxel
