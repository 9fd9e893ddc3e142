// SPDX-License-Identifier: MIT
#include <phyxel/approx/detail/check_points.h>
#include <phyxel/approx/mls_basis.h>
#include <phyxel/approx/shape_set.h>
#include <phyxel/core/error.h>

#include <algorithm>
#include <string>

namespace phyxel {
namespace {

// A point takes about a microsecond; blocks of the usual size would leave threads idle in sets of a few
// thousand points.
constexpr std::size_t block_size = 128;

template <int Dim>
ShapeSetReport summary(std::span<const ShapeQuality> qualities, const MlsOptions& options)
{
    ShapeSetReport report;
    for (const ShapeQuality& quality : qualities) {
        report.largest_radius_ratio = std::max(report.largest_radius_ratio, quality.radius_ratio);
        if (quality.empty) {
            ++report.empty;
            continue;
        }
        report.worst_condition = std::max(report.worst_condition, quality.condition);
        if (quality.order < options.order) ++report.lowered;
        if (quality.rank < basis_size<Dim>(quality.order)) ++report.truncated;
    }
    return report;
}

} // namespace

template <int Dim>
ShapeSet<Dim>::ShapeSet(const MlsOptions& options, int derivatives)
    : options_(options),
      derivatives_(derivatives)
{
    // Options that are out of range should not wait for the first rebuild.
    static_cast<void>(ShapeFunctionBuilder<Dim>(options, derivatives));
}

template <int Dim>
template <class Candidates>
ShapeSetReport ShapeSet<Dim>::rebuild_from(std::span<const Vec<Dim>> points, std::span<const Vec<Dim>> nodes,
                                           const SupportRadii& radii, const Candidates& candidates)
{
    detail::check_finite<Dim>(points, "evaluation point");
    detail::check_finite<Dim>(nodes, "node");
    radii.check(nodes.size());

    // First how many nodes reach each point, so that all rows find their place in the arrays.
    std::vector<std::uint64_t> offsets(points.size() + 1, 0);
    parallel_for_blocks(points.size(), block_size, [&](const Block& block) {
        ShapeFunctionBuilder<Dim> builder(options_, derivatives_);
        std::vector<Index> scratch;
        for (std::size_t p = block.begin; p < block.end; ++p)
            offsets[p + 1] = builder.gather(points[p], nodes, radii, candidates(p, scratch));
    });
    for (std::size_t p = 0; p < points.size(); ++p) offsets[p + 1] += offsets[p];

    node_count_ = nodes.size();
    offsets_ = std::move(offsets);
    const std::size_t entry_count = offsets_.back();
    ids_.resize(entry_count);
    values_.resize(entry_count);
    gradients_.resize(derivatives_ >= 1 ? entry_count : 0);
    second_derivatives_.resize(derivatives_ >= 2 ? entry_count : 0);
    qualities_.resize(points.size());
    parallel_for_blocks(points.size(), block_size, [&](const Block& block) {
        ShapeFunctionBuilder<Dim> builder(options_, derivatives_);
        std::vector<Index> scratch;
        for (std::size_t p = block.begin; p < block.end; ++p) {
            builder.gather(points[p], nodes, radii, candidates(p, scratch));
            const std::uint64_t begin = offsets_[p];
            qualities_[p] = builder.write({.ids = ids_.data() + begin,
                                           .values = values_.data() + begin,
                                           .gradients = gradients_.data() + begin,
                                           .second_derivatives = second_derivatives_.data() + begin});
        }
    });
    report_ = summary<Dim>(qualities_, options_);
    return report_;
}

template <int Dim>
ShapeSetReport ShapeSet<Dim>::rebuild(std::span<const Vec<Dim>> points, std::span<const Vec<Dim>> nodes,
                                      const SupportRadii& radii, const CandidateLists& candidates)
{
    if (candidates.size() != points.size())
        throw InputError("there are " + std::to_string(candidates.size()) + " candidate lists for " +
                         std::to_string(points.size()) + " evaluation points, must be one for each");
    return rebuild_from(points, nodes, radii,
                        [&](std::size_t p, std::vector<Index>&) { return candidates.of(p); });
}

template <int Dim>
ShapeSetReport ShapeSet<Dim>::rebuild_at_nodes(std::span<const Vec<Dim>> nodes, const SupportRadii& radii,
                                               const NeighborLists& neighbors)
{
    if (neighbors.size() != nodes.size())
        throw InputError("there are " + std::to_string(neighbors.size()) + " neighbour lists for " +
                         std::to_string(nodes.size()) + " nodes, must be one for each");
    return rebuild_from(nodes, nodes, radii, [&](std::size_t p, std::vector<Index>& with_itself) {
        const std::span<const Index> others = neighbors.of(p);
        const auto place = std::lower_bound(others.begin(), others.end(), p);
        with_itself.assign(others.begin(), place);
        with_itself.push_back(static_cast<Index>(p));
        with_itself.insert(with_itself.end(), place, others.end());
        return std::span<const Index>(with_itself);
    });
}

template <int Dim>
void ShapeSet<Dim>::evaluate(std::span<const double> nodal, std::span<double> out) const
{
    sum_rows<double>(0.0, nodal, out, [&](std::size_t a, double f) { return values_[a] * f; });
}

template <int Dim>
void ShapeSet<Dim>::evaluate_gradient(std::span<const double> nodal, std::span<Vec<Dim>> out) const
{
    PHYXEL_ASSERT(gradients_.size() == ids_.size());
    sum_rows<Vec<Dim>>(Vec<Dim>::Zero(), nodal, out,
                       [&](std::size_t a, double f) { return gradients_[a] * f; });
}

template <int Dim>
void ShapeSet<Dim>::evaluate_hessian(std::span<const double> nodal, std::span<Mat<Dim>> out) const
{
    PHYXEL_ASSERT(second_derivatives_.size() == ids_.size() && nodal.size() == node_count_ &&
                  out.size() == size());
    parallel_for(size(), [&](Index p) {
        PairVec<Dim> sum = PairVec<Dim>::Zero();
        for (std::size_t a = offsets_[p]; a < offsets_[p + 1]; ++a)
            sum += second_derivatives_[a] * nodal[ids_[a]];
        out[p] = symmetric_matrix<Dim>(sum);
    });
}

template class ShapeSet<1>;
template class ShapeSet<2>;
template class ShapeSet<3>;

} // namespace phyxel
