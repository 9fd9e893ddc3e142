// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls.h>
#include <phyxel/approx/mls_basis.h>
#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <sstream>
#include <string>

namespace phyxel {
namespace {

using detail::MlsScratch;
using detail::ShapeRow;

// Nodes are worked on four at a time, whatever the machine: sums then have the same bits everywhere. The last
// group is filled up with nodes of weight 0.
constexpr std::size_t lane_count = 4;
using Lanes = double __attribute__((vector_size(lane_count * sizeof(double))));

double sum_of(const Lanes& a) { return (a[0] + a[1]) + (a[2] + a[3]); }

/// Which column of the scratch memory holds what. A name stands for the first of several columns where there
/// is one for each axis or pair of axes.
template <int Dim>
struct Column {
    static constexpr int pair_count = axis_pair_count<Dim>;

    static constexpr int position = 0; ///< x_i − x, later divided by the scale
    static constexpr int inverse_radius = position + Dim;
    static constexpr int weight = inverse_radius + 1;                   ///< ω_i
    static constexpr int weight_gradient = weight + 1;                  ///< ∂_k ω_i
    static constexpr int weight_second = weight_gradient + Dim;         ///< ∂_k∂_l ω_i
    static constexpr int projection = weight_second + pair_count;       ///< p(x_i) · g
    static constexpr int projection_gradient = projection + 1;          ///< p(x_i) · ∂_k g
    static constexpr int projection_second = projection_gradient + Dim; ///< p(x_i) · ∂_k∂_l g
    static constexpr int count = projection_second + pair_count;
};

/// A view of the scratch memory, by columns and by groups of four nodes.
template <int Dim>
class Columns {
public:
    explicit Columns(MlsScratch& scratch)
        : data_(scratch.columns.data()),
          stride_(scratch.stride),
          node_count_(scratch.count)
    {
    }

    std::size_t node_count() const { return node_count_; }
    std::size_t group_count() const { return block_count(node_count_, lane_count); }

    double* operator[](int column) const { return data_ + static_cast<std::size_t>(column) * stride_; }

    Lanes load(int column, std::size_t group) const
    {
        Lanes value;
        std::memcpy(&value, (*this)[column] + group * lane_count, sizeof(Lanes));
        return value;
    }
    void store(int column, std::size_t group, const Lanes& value) const
    {
        std::memcpy((*this)[column] + group * lane_count, &value, sizeof(Lanes));
    }

    /// The basis at the nodes of a group.
    template <int Order>
    auto basis(std::size_t group) const
    {
        std::array<Lanes, Dim> t;
        for (int k = 0; k < Dim; ++k) t[k] = load(Column<Dim>::position + k, group);
        return PolynomialBasis<Dim, Order>::at(t);
    }

private:
    double* data_;
    std::size_t stride_;
    std::size_t node_count_;
};

bool is_usable_radius(double h) { return h >= SupportRadii::smallest && h <= SupportRadii::largest; }

[[noreturn]] void reject_radius(const std::string& whose, double h)
{
    std::ostringstream message;
    message << "support radius" << whose << " is " << h << ", ";
    if (h > 0 && std::isfinite(h))
        message << "too " << (h < 1 ? "small" : "large") << " to compute with";
    else
        message << "must be positive and finite";
    throw InputError(message.str());
}

/// Weights and derivatives of the nodes that were gathered, and their positions in the scaled coordinate.
template <int Dim, int Derivatives, class Weight>
void weigh(MlsScratch& scratch, Weight)
{
    using C = Column<Dim>;
    const Columns<Dim> columns(scratch);
    const double inverse_scale = 1 / scratch.scale;
    for (std::size_t a = 0; a < columns.node_count(); ++a) {
        Vec<Dim> offset;
        for (int k = 0; k < Dim; ++k) offset[k] = -columns[C::position + k][a];
        const WeightJet<Dim> jet = Weight::template jet<Derivatives>(offset, columns[C::inverse_radius][a]);
        for (int k = 0; k < Dim; ++k) columns[C::position + k][a] = -offset[k] * inverse_scale;
        columns[C::weight][a] = jet.value;
        if constexpr (Derivatives >= 1)
            for (int k = 0; k < Dim; ++k) columns[C::weight_gradient + k][a] = jet.gradient[k];
        if constexpr (Derivatives >= 2)
            for (int kl = 0; kl < axis_pair_count<Dim>; ++kl)
                columns[C::weight_second + kl][a] = jet.second_derivatives[kl];
    }
    for (std::size_t a = columns.node_count(); a < columns.group_count() * lane_count; ++a)
        for (int c = 0; c < C::count; ++c) columns[c][a] = 0.0;
}

/// M = Σ ω_i p(x_i) p(x_i)ᵀ [AW09, Eq. 28].
template <int Dim, int Order>
Mat<PolynomialBasis<Dim, Order>::size> moment_matrix(const Columns<Dim>& columns)
{
    constexpr int size = PolynomialBasis<Dim, Order>::size;
    std::array<Lanes, size*(size + 1) / 2> sums;
    sums.fill(Lanes{});
    for (std::size_t group = 0; group < columns.group_count(); ++group) {
        const auto p = columns.template basis<Order>(group);
        const Lanes weight = columns.load(Column<Dim>::weight, group);
        int entry = 0;
        for (int i = 0; i < size; ++i) {
            const Lanes weighted = weight * p[i];
            for (int j = 0; j <= i; ++j) sums[entry++] += weighted * p[j];
        }
    }
    Mat<size> M;
    int entry = 0;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j <= i; ++j) M(i, j) = M(j, i) = sum_of(sums[entry++]);
    return M;
}

/// Several functions at the nodes of a group, or several vectors of moments.
template <int Count>
using LaneArray = std::array<Lanes, static_cast<std::size_t>(Count)>;
template <int Dim, int Order, int Count>
using Moments = Eigen::Matrix<double, PolynomialBasis<Dim, Order>::size, Count>;

/// Subtracts Σ φ_i p(x_i) for several functions φ, one in each column of `moments`. `function(group)` has
/// their values at the nodes of a group.
template <int Dim, int Order, int Count, class Function>
void subtract_moments(const Columns<Dim>& columns, Function&& function, Moments<Dim, Order, Count>& moments)
{
    constexpr int size = PolynomialBasis<Dim, Order>::size;
    std::array<LaneArray<size>, Count> sums;
    for (LaneArray<size>& sum : sums) sum.fill(Lanes{});
    for (std::size_t group = 0; group < columns.group_count(); ++group) {
        const auto p = columns.template basis<Order>(group);
        const LaneArray<Count> phi = function(group);
        for (int c = 0; c < Count; ++c)
            for (int i = 0; i < size; ++i) sums[c][i] += phi[c] * p[i];
    }
    for (int c = 0; c < Count; ++c)
        for (int i = 0; i < size; ++i) moments(i, c) -= sum_of(sums[c][i]);
}

/// Adds p(x_i) · g to a column of the scratch memory, for each column g of a matrix.
template <int Dim, int Order, int Count>
void add_projections(const Columns<Dim>& columns, int first_column, const Moments<Dim, Order, Count>& g)
{
    for (std::size_t group = 0; group < columns.group_count(); ++group) {
        const auto p = columns.template basis<Order>(group);
        for (int c = 0; c < Count; ++c) {
            Lanes sum = p[0] * g(0, c);
            for (int i = 1; i < PolynomialBasis<Dim, Order>::size; ++i) sum += p[i] * g(i, c);
            columns.store(first_column + c, group, columns.load(first_column + c, group) + sum);
        }
    }
}

/// M⁻¹ times moments. A plain loop, because Eigen's products of so many sizes take long to compile.
template <int Dim, int Order, int Count>
Moments<Dim, Order, Count> product(const Mat<PolynomialBasis<Dim, Order>::size>& inverse,
                                   const Moments<Dim, Order, Count>& moments)
{
    constexpr int size = PolynomialBasis<Dim, Order>::size;
    Moments<Dim, Order, Count> result;
    for (int c = 0; c < Count; ++c)
        for (int i = 0; i < size; ++i) {
            double sum = inverse(i, 0) * moments(0, c);
            for (int j = 1; j < size; ++j) sum += inverse(i, j) * moments(j, c);
            result(i, c) = sum;
        }
    return result;
}

/// Finds the functions φ_i = guess_i + ω_i p(x_i) · g that have given moments Σ φ_i p(x_i), and stores the
/// projections p(x_i) · g.
template <int Dim, int Order, int Count, class Guess>
void match_moments(const Columns<Dim>& columns, int first_column,
                   const SymmetricInverse<PolynomialBasis<Dim, Order>::size>& inverse,
                   const Moments<Dim, Order, Count>& wanted, Guess&& guess)
{
    for (int c = 0; c < Count; ++c)
        std::fill_n(columns[first_column + c], columns.group_count() * lane_count, 0.0);

    // With an ill-conditioned M much is lost in p · g. What is then missing in the moments is small and can
    // be supplied in the same way, which restores almost all digits.
    const int rounds = inverse.condition < 1e3 ? 1 : 2;
    for (int round = 0; round < rounds; ++round) {
        const auto phi = [&](std::size_t group) {
            LaneArray<Count> result = guess(group);
            const Lanes weight = columns.load(Column<Dim>::weight, group);
            for (int c = 0; c < Count; ++c) result[c] += weight * columns.load(first_column + c, group);
            return result;
        };
        Moments<Dim, Order, Count> missing = wanted;
        subtract_moments<Dim, Order, Count>(columns, phi, missing);
        add_projections<Dim, Order, Count>(columns, first_column,
                                           product<Dim, Order, Count>(inverse.matrix, missing));
    }
}

/// All terms of ∂_k∂_l Φ_i but the one with ∂_k∂_l g; see find_shape_functions.
template <int Dim>
LaneArray<axis_pair_count<Dim>> guess_of_second_derivatives(const Columns<Dim>& columns, std::size_t group)
{
    using C = Column<Dim>;
    const Lanes projection = columns.load(C::projection, group);
    LaneArray<axis_pair_count<Dim>> guess;
    for (int k = 0; k < Dim; ++k)
        for (int l = k; l < Dim; ++l)
            guess[axis_pair<Dim>(k, l)] =
                columns.load(C::weight_second + axis_pair<Dim>(k, l), group) * projection +
                columns.load(C::weight_gradient + k, group) *
                    columns.load(C::projection_gradient + l, group) +
                columns.load(C::weight_gradient + l, group) * columns.load(C::projection_gradient + k, group);
    return guess;
}

/// Φ_i = ω_i p(x_i) · g with g = M⁻¹ p(x) [AW09, Eq. 29], and its derivatives [AW09, Eq. 30], [GQ09, Eq. 9].
///
/// Instead of differentiating M⁻¹ we differentiate the reproducing condition Σ Φ_i p(x_i) = p(x), in which
/// p(x_i) is constant. The product rule leaves one unknown each time,
///
///     ∂_k Φ_i    = ∂_k ω_i p(x_i) · g + ω_i p(x_i) · ∂_k g,
///     ∂_k∂_l Φ_i = ∂_k∂_l ω_i p(x_i) · g + ∂_k ω_i p(x_i) · ∂_l g + ∂_l ω_i p(x_i) · ∂_k g
///                  + ω_i p(x_i) · ∂_k∂_l g,
///
/// and the moments ∂_k p and ∂_k∂_l p determine it. No derivative of M is ever formed.
template <int Dim, int Order>
void find_shape_functions(const Columns<Dim>& columns, double scale, int derivatives,
                          const SymmetricInverse<PolynomialBasis<Dim, Order>::size>& inverse)
{
    using Basis = PolynomialBasis<Dim, Order>;
    using C = Column<Dim>;

    const Vec<Basis::size> p = Vec<Basis::size>::Unit(0);
    match_moments<Dim, Order, 1>(columns, C::projection, inverse, p,
                                 [](std::size_t) { return LaneArray<1>{}; });

    if (derivatives < 1) return;
    Moments<Dim, Order, Dim> p_k;
    for (int k = 0; k < Dim; ++k) p_k.col(k) = Basis::first_derivative(k, scale);
    match_moments<Dim, Order, Dim>(columns, C::projection_gradient, inverse, p_k, [&](std::size_t group) {
        const Lanes projection = columns.load(C::projection, group);
        LaneArray<Dim> guess;
        for (int k = 0; k < Dim; ++k) guess[k] = columns.load(C::weight_gradient + k, group) * projection;
        return guess;
    });

    if (derivatives < 2) return;
    Moments<Dim, Order, C::pair_count> p_kl;
    for (int k = 0; k < Dim; ++k)
        for (int l = k; l < Dim; ++l) p_kl.col(axis_pair<Dim>(k, l)) = Basis::second_derivative(k, l, scale);
    match_moments<Dim, Order, C::pair_count>(
        columns, C::projection_second, inverse, p_kl,
        [&](std::size_t group) { return guess_of_second_derivatives(columns, group); });
}

/// Puts weights and projections together and writes the shape functions where they belong.
template <int Dim>
void write_row(const Columns<Dim>& columns, int derivatives, const ShapeRow<Dim>& row)
{
    using C = Column<Dim>;
    for (std::size_t group = 0; group < columns.group_count(); ++group) {
        const std::size_t begin = group * lane_count;
        const std::size_t count = std::min(lane_count, columns.node_count() - begin);
        const Lanes weight = columns.load(C::weight, group);
        const Lanes projection = columns.load(C::projection, group);
        const Lanes value = weight * projection;
        for (std::size_t lane = 0; lane < count; ++lane) row.values[begin + lane] = value[lane];
        if (derivatives < 1) continue;
        for (int k = 0; k < Dim; ++k) {
            const Lanes gradient = columns.load(C::weight_gradient + k, group) * projection +
                                   weight * columns.load(C::projection_gradient + k, group);
            for (std::size_t lane = 0; lane < count; ++lane) row.gradients[begin + lane][k] = gradient[lane];
        }
        if (derivatives < 2) continue;
        const LaneArray<C::pair_count> guess = guess_of_second_derivatives(columns, group);
        for (int kl = 0; kl < C::pair_count; ++kl) {
            const Lanes second = guess[kl] + weight * columns.load(C::projection_second + kl, group);
            for (std::size_t lane = 0; lane < count; ++lane)
                row.second_derivatives[begin + lane][kl] = second[lane];
        }
    }
}

/// Shape functions with a basis of the given order, ready to be written. Returns false if the nodes do not
/// determine them.
template <int Dim, int Order>
bool try_order(const Columns<Dim>& columns, double scale, const MlsOptions& options, int derivatives,
               ShapeQuality& quality)
{
    constexpr int size = PolynomialBasis<Dim, Order>::size;
    const bool may_truncate = options.fallback == MlsFallback::SafeInverse;
    if (!may_truncate && columns.node_count() < size) return false;

    const Mat<size> M = moment_matrix<Dim, Order>(columns);
    const SymmetricInverse<size> inverse = symmetric_inverse<size>(M, options.tolerance);
    if (inverse.rank < size) {
        if (!may_truncate) return false;
        // If a direction that was left out contains the constant, not even Σ Φ_i = 1 remains.
        double sum_of_values = 0.0;
        for (int i = 0; i < size; ++i) sum_of_values += M(0, i) * inverse.matrix(i, 0);
        if (!(std::abs(sum_of_values - 1) < 1e-8)) return false;
    }

    quality.order = Order;
    quality.rank = inverse.rank;
    quality.smooth = Order == options.order && inverse.rank == size;
    quality.condition = inverse.condition;
    find_shape_functions<Dim, Order>(columns, scale, derivatives, inverse);
    return true;
}

template <int Dim>
void write_zeros(std::size_t count, int derivatives, const ShapeRow<Dim>& row)
{
    std::fill_n(row.values, count, 0.0);
    if (derivatives >= 1) std::fill_n(row.gradients, count, Vec<Dim>::Zero());
    if (derivatives >= 2) std::fill_n(row.second_derivatives, count, PairVec<Dim>::Zero());
}

} // namespace

void SupportRadii::check_count(std::size_t node_count) const
{
    if (!is_uniform_ && radii_.size() != node_count)
        throw InputError("there are " + std::to_string(radii_.size()) + " support radii for " +
                         std::to_string(node_count) + " nodes, must be one for each");
}

void SupportRadii::check(std::size_t node_count) const
{
    check_count(node_count);
    if (is_uniform_ && !is_usable_radius(radius_)) reject_radius("", radius_);
    for (std::size_t i = 0; i < radii_.size(); ++i)
        if (!is_usable_radius(radii_[i])) reject_radius(" of node " + std::to_string(i), radii_[i]);
}

template <int Dim>
double ShapeFunctions<Dim>::value(std::span<const double> nodal) const
{
    double sum = 0.0;
    for (std::size_t a = 0; a < ids.size(); ++a) sum += values[a] * nodal[ids[a]];
    return sum;
}

template <int Dim>
Vec<Dim> ShapeFunctions<Dim>::gradient(std::span<const double> nodal) const
{
    PHYXEL_ASSERT(gradients.size() == ids.size());
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (std::size_t a = 0; a < ids.size(); ++a) sum += gradients[a] * nodal[ids[a]];
    return sum;
}

template <int Dim>
Mat<Dim> ShapeFunctions<Dim>::hessian(std::span<const double> nodal) const
{
    PHYXEL_ASSERT(second_derivatives.size() == ids.size());
    PairVec<Dim> sum = PairVec<Dim>::Zero();
    for (std::size_t a = 0; a < ids.size(); ++a) sum += second_derivatives[a] * nodal[ids[a]];
    return symmetric_matrix<Dim>(sum);
}

template <int Dim>
ShapeFunctionBuilder<Dim>::ShapeFunctionBuilder(const MlsOptions& options, int derivatives)
    : options_(options),
      derivatives_(derivatives),
      weight_(make_mls_weight<Dim>(options.weight))
{
    if (options.order < 0 || options.order > largest_mls_order)
        throw InputError("MLS order is " + std::to_string(options.order) + ", must be 0, 1 or 2");
    if (!(options.tolerance > 0 && options.tolerance < 1)) {
        std::ostringstream message;
        message << "MLS tolerance is " << options.tolerance << ", must be between 0 and 1";
        throw InputError(message.str());
    }
    if (derivatives < 0 || derivatives > 2)
        throw InputError("number of MLS derivatives is " + std::to_string(derivatives) +
                         ", must be 0, 1 or 2");
}

template <int Dim>
std::size_t ShapeFunctionBuilder<Dim>::gather(const Vec<Dim>& x, std::span<const Vec<Dim>> nodes,
                                              const SupportRadii& radii, std::span<const Index> candidates)
{
    using C = Column<Dim>;
    MlsScratch& s = scratch_;
    s.stride = block_count(candidates.size(), lane_count) * lane_count;
    s.ids.resize(s.stride);
    s.columns.resize(s.stride * C::count);
    s.count = 0;
    const Columns<Dim> columns(s);
    double sum = 0.0;
    double smallest = std::numeric_limits<double>::infinity();
    double largest = 0.0;
    std::visit(
        [&](auto weight) {
            for (Index id : candidates) {
                PHYXEL_ASSERT(id < nodes.size());
                const double h = radii[id];
                const Vec<Dim> offset = nodes[id] - x;
                if (is_usable_radius(h) && weight.covers(offset, h)) {
                    for (int k = 0; k < Dim; ++k) columns[C::position + k][s.count] = offset[k];
                    columns[C::inverse_radius][s.count] = 1 / h;
                    s.ids.data()[s.count++] = id;
                    sum += h;
                    smallest = std::min(smallest, h);
                    largest = std::max(largest, h);
                    continue;
                }
                // What is not covered may be far away, or no number at all.
                if (!is_usable_radius(h))
                    reject_radius(radii.is_uniform() ? "" : " of node " + std::to_string(id), h);
                if (!nodes[id].allFinite())
                    throw InputError("position of node " + std::to_string(id) + " is not finite");
            }
        },
        weight_.choice);
    if (s.count > 0) {
        s.scale = radii.is_uniform() ? largest : sum / static_cast<double>(s.count);
        s.radius_ratio = largest / smallest;
    }
    return s.count;
}

template <int Dim>
ShapeQuality ShapeFunctionBuilder<Dim>::write(const ShapeRow<Dim>& row)
{
    MlsScratch& s = scratch_;
    std::copy_n(s.ids.data(), s.count, row.ids);
    if (s.count == 0) return {.empty = true, .smooth = false};

    std::visit(
        [&](auto weight) {
            if (derivatives_ == 0) weigh<Dim, 0>(s, weight);
            if (derivatives_ == 1) weigh<Dim, 1>(s, weight);
            if (derivatives_ == 2) weigh<Dim, 2>(s, weight);
        },
        weight_.choice);

    const Columns<Dim> columns(s);
    ShapeQuality quality{.radius_ratio = s.radius_ratio};
    const bool is_found =
        (options_.order >= 2 && try_order<Dim, 2>(columns, s.scale, options_, derivatives_, quality)) ||
        (options_.order >= 1 && try_order<Dim, 1>(columns, s.scale, options_, derivatives_, quality)) ||
        try_order<Dim, 0>(columns, s.scale, options_, derivatives_, quality);
    if (!is_found) {
        // All nodes lie so close to the rims of their supports that their weights round to 0.
        write_zeros(s.count, derivatives_, row);
        return {.empty = true, .smooth = false, .radius_ratio = s.radius_ratio};
    }
    write_row<Dim>(columns, derivatives_, row);
    return quality;
}

template <int Dim>
void ShapeFunctionBuilder<Dim>::build(const Vec<Dim>& x, std::span<const Vec<Dim>> nodes,
                                      const SupportRadii& radii, std::span<const Index> candidates,
                                      ShapeFunctions<Dim>& out)
{
    if (!x.allFinite()) throw InputError("evaluation point is not finite");
    radii.check_count(nodes.size());
    const std::size_t count = gather(x, nodes, radii, candidates);
    out.ids.resize(count);
    out.values.resize(count);
    out.gradients.resize(derivatives_ >= 1 ? count : 0);
    out.second_derivatives.resize(derivatives_ >= 2 ? count : 0);
    out.quality = write({.ids = out.ids.data(),
                         .values = out.values.data(),
                         .gradients = out.gradients.data(),
                         .second_derivatives = out.second_derivatives.data()});
}

template <int Dim>
ShapeFunctions<Dim> shape_functions(const Vec<Dim>& x, std::span<const std::type_identity_t<Vec<Dim>>> nodes,
                                    const SupportRadii& radii, std::span<const Index> candidates,
                                    const MlsOptions& options, int derivatives)
{
    ShapeFunctions<Dim> result;
    ShapeFunctionBuilder<Dim>(options, derivatives).build(x, nodes, radii, candidates, result);
    return result;
}

template <int Dim>
ShapeFunctions<Dim> shape_functions(const Vec<Dim>& x, std::span<const std::type_identity_t<Vec<Dim>>> nodes,
                                    const SupportRadii& radii, const MlsOptions& options, int derivatives)
{
    std::vector<Index> all(nodes.size());
    std::iota(all.begin(), all.end(), Index(0));
    return shape_functions<Dim>(x, nodes, radii, all, options, derivatives);
}

template struct ShapeFunctions<1>;
template struct ShapeFunctions<2>;
template struct ShapeFunctions<3>;
template class ShapeFunctionBuilder<1>;
template class ShapeFunctionBuilder<2>;
template class ShapeFunctionBuilder<3>;
template ShapeFunctions<1> shape_functions<1>(const Vec<1>&, std::span<const Vec<1>>, const SupportRadii&,
                                              std::span<const Index>, const MlsOptions&, int);
template ShapeFunctions<2> shape_functions<2>(const Vec<2>&, std::span<const Vec<2>>, const SupportRadii&,
                                              std::span<const Index>, const MlsOptions&, int);
template ShapeFunctions<3> shape_functions<3>(const Vec<3>&, std::span<const Vec<3>>, const SupportRadii&,
                                              std::span<const Index>, const MlsOptions&, int);
template ShapeFunctions<1> shape_functions<1>(const Vec<1>&, std::span<const Vec<1>>, const SupportRadii&,
                                              const MlsOptions&, int);
template ShapeFunctions<2> shape_functions<2>(const Vec<2>&, std::span<const Vec<2>>, const SupportRadii&,
                                              const MlsOptions&, int);
template ShapeFunctions<3> shape_functions<3>(const Vec<3>&, std::span<const Vec<3>>, const SupportRadii&,
                                              const MlsOptions&, int);

} // namespace phyxel
