// SPDX-License-Identifier: MIT
#include <phyxel/solid/phyxel_cloud.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/approx/profiles.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/inside_segment.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/search/kd_tree.h>
#include <phyxel/search/neighbor_search.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

namespace phyxel {
namespace {

/// In spacings: the surface may bulge so far into the segment between two phyxels that still feel each other.
constexpr double bulge_tolerance = 0.1;

/// Over the median: at corners the nearest neighbours are far away, and wide supports make a solid soft.
constexpr double largest_support = 1.25;

/// The same where the neighbours would not span space otherwise.
constexpr double largest_grown_support = 3.0;

/// Neighbours span space if the least eigenvalue of their moment matrix is so much of the largest.
constexpr double least_span = 0.01;

/// Supports and neighbours of the phyxels of a cloud.
template <int Dim>
class CloudConnector {
public:
    /// `shape` may be null: there are no gaps then. What it is asked is taken from `work`.
    CloudConnector(const PhyxelCloud<Dim>& cloud, const Shape<Dim>* shape, const WorkBudget& work)
        : cloud_(cloud),
          shape_(shape),
          work_(work),
          query_work_(shape == nullptr ? 0.0 : shape->query_work()),
          tree_(std::span<const Vec<Dim>>(cloud.positions))
    {
    }

    /// h_i = ratio · r̄_i, but for the limits above.
    std::vector<double> nominal_supports(const PhyxelOptions& options) const
    {
        // In the plane 6 nearest reach as far as 10 do in space: 1.14 and 1.17 spacings on a lattice.
        const int nearest = Dim == 2 ? std::min(options.nearest, 6) : options.nearest;
        std::vector<double> supports(cloud_.size());
        parallel_for(
            cloud_.size(),
            [&](Index i) {
                Queries queries(*this);
                supports[i] = options.support_ratio * mean_distance(i, nearest, queries);
                queries.pay();
            },
            64);
        const double limit = largest_support * median(supports);
        for (double& h : supports) h = std::min(h, limit);
        return supports;
    }

    /// All pairs nearer than (h_i + h_j) / 2 that no gap parts.
    NeighborLists pairs(std::span<const double> supports) const
    {
        const std::size_t count = cloud_.size();
        const NeighborLists near =
            find_neighbors<Dim, double>(cloud_.positions, supports, RadiusRule::Larger);
        std::vector<std::uint8_t> is_kept(near.entry_count(), 0);
        parallel_for(
            count,
            [&](Index i) {
                Queries queries(*this);
                std::uint64_t entry = near.offsets()[i];
                for (const Index j : near.of(i)) {
                    const bool is_neighbor =
                        i < j && is_near(i, j, supports[i], supports[j]) && are_joined(i, j, queries);
                    is_kept[entry] = is_neighbor ? 1 : 0;
                    ++entry;
                }
                queries.pay();
            },
            64);
        // Each pair was asked once, by its lower number.
        parallel_for(count, [&](Index i) {
            std::uint64_t entry = near.offsets()[i];
            for (const Index j : near.of(i)) {
                if (j < i) {
                    const std::span<const Index> other = near.of(j);
                    const auto place = std::lower_bound(other.begin(), other.end(), i) - other.begin();
                    is_kept[entry] = is_kept[near.offsets()[j] + static_cast<std::uint64_t>(place)];
                }
                ++entry;
            }
        });
        std::vector<std::uint64_t> offsets(1, 0);
        std::vector<Index> ids;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint64_t entry = near.offsets()[i];
            for (const Index j : near.of(i))
                if (is_kept[entry++] != 0) ids.push_back(j);
            offsets.push_back(ids.size());
        }
        return NeighborLists(offsets, ids);
    }

    /// Supports of phyxels whose neighbours do not span space, grown until they do; as they were where
    /// nothing helps, as in a solid that is one phyxel thick. Says whether any has grown. The others keep
    /// what they have meanwhile, so the order does not matter, and a wider one only adds neighbours to them.
    bool grow(std::vector<double>& supports, const NeighborLists& neighbors) const
    {
        const std::vector<double> before = supports;
        const double widest = *std::max_element(before.begin(), before.end());
        const double limit = largest_grown_support * median(before);
        parallel_for(
            cloud_.size(),
            [&](Index i) {
                const std::span<const Index> own = neighbors.of(i);
                if (do_span(i, before[i], own, before)) return;
                // Whether two are joined does not change with their supports, and is dear: asked once. In a
                // needle nothing helps, and all the supports are tried.
                enum class Joined : std::uint8_t { Unknown, No, Yes };
                std::vector<Index> near;
                tree_.radius(cloud_.positions[i], 0.5 * (limit + widest), near);
                std::vector<Joined> joined(near.size(), Joined::Unknown);
                std::vector<Index> wider;
                Queries queries(*this);
                for (double h = 1.1 * before[i]; h <= limit; h *= 1.1) {
                    wider.clear();
                    for (std::size_t k = 0; k < near.size(); ++k) {
                        const Index j = near[k];
                        if (j == i || !is_near(i, j, h, before[j])) continue;
                        if (joined[k] == Joined::Unknown)
                            joined[k] = are_joined(i, j, queries) ? Joined::Yes : Joined::No;
                        if (joined[k] == Joined::Yes) wider.push_back(j);
                    }
                    queries.pay();
                    if (!do_span(i, h, wider, before)) continue;
                    supports[i] = h;
                    return;
                }
            },
            64);
        return supports != before;
    }

private:
    /// What the shape was asked, until it is paid for.
    class Queries {
    public:
        explicit Queries(const CloudConnector& connector) : connector_(connector) {}

        std::size_t& count() { return count_; }
        void pay()
        {
            connector_.work_.spend(static_cast<double>(count_) * connector_.query_work_);
            count_ = 0;
        }

    private:
        const CloudConnector& connector_;
        std::size_t count_ = 0;
    };

    bool are_joined(Index i, Index j, Queries& queries) const
    {
        if (shape_ == nullptr) return true;
        const auto place = [&](Index k) { return PlaceInside<Dim>{cloud_.positions[k], cloud_.depths[k]}; };
        return is_segment_inside(*shape_, place(std::min(i, j)), place(std::max(i, j)),
                                 bulge_tolerance * cloud_.spacing, queries.count());
    }

    bool is_near(Index i, Index j, double h_i, double h_j) const
    {
        return (cloud_.positions[i] - cloud_.positions[j]).norm() < 0.5 * (h_i + h_j);
    }

    /// r̄_i. Of phyxels that lie in one place, and of one that is alone, the spacing.
    double mean_distance(Index i, int nearest, Queries& queries) const
    {
        const auto wanted = static_cast<std::size_t>(nearest);
        std::vector<Neighbor<double>> near;
        tree_.nearest(cloud_.positions[i], 4 * wanted + 1, near);
        double sum = 0.0;
        std::size_t found = 0;
        for (const Neighbor<double>& neighbor : near) {
            if (found == wanted) break;
            if (neighbor.id == i || !are_joined(i, neighbor.id, queries)) continue;
            sum += neighbor.distance;
            ++found;
        }
        return sum > 0.0 ? sum / static_cast<double>(found) : cloud_.spacing;
    }

    /// Whether a linear field can be told from its values at phyxel i and these neighbours.
    bool do_span(Index i, double h_i, std::span<const Index> neighbors, std::span<const double> h) const
    {
        if (neighbors.size() <= Dim) return false;
        Mat<Dim> moments = Mat<Dim>::Zero();
        for (const Index j : neighbors) {
            const double reach = 0.5 * (h_i + h[j]);
            const Vec<Dim> x = (cloud_.positions[j] - cloud_.positions[i]) / reach;
            add_to_moment<Dim>(Poly6Profile::value(x.norm()), x, moments);
        }
        const Eigen::SelfAdjointEigenSolver<Mat<Dim>> solver(moments, Eigen::EigenvaluesOnly);
        return solver.eigenvalues()[0] > least_span * solver.eigenvalues()[Dim - 1];
    }

    static double median(std::vector<double> values)
    {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    }

    const PhyxelCloud<Dim>& cloud_;
    const Shape<Dim>* shape_;
    WorkBudget work_;
    double query_work_;
    KdTree<Dim> tree_;
};

void require_positive(double value, const std::string& name)
{
    if (!(value > 0 && std::isfinite(value)))
        throw InputError(name + " is " + number_text(value) + ", must be positive and finite");
}

void check_options(const PhyxelOptions& options)
{
    require_positive(options.support_ratio, "support_ratio");
    if (options.nearest < 1 || options.nearest > 1000)
        throw InputError("nearest is " + std::to_string(options.nearest) + ", must be from 1 to 1000");
}

template <int Dim>
void connect(PhyxelCloud<Dim>& cloud, const Shape<Dim>* shape, const PhyxelOptions& options)
{
    if (cloud.positions.empty()) return;
    const CloudConnector<Dim> connector(cloud, shape, options.work);
    cloud.supports = connector.nominal_supports(options);
    cloud.neighbors = connector.pairs(cloud.supports);
    if (connector.grow(cloud.supports, cloud.neighbors)) cloud.neighbors = connector.pairs(cloud.supports);
}

/// Takes out phyxels with fewer neighbours than there are dimensions, such as one in the tip of a horn or on
/// a sharp rim: nothing holds them in their place, and what is around them can do without them. Not if they
/// are many, as in a thread or a solid of a few phyxels.
template <int Dim>
void drop_loose_phyxels(PhyxelCloud<Dim>& cloud)
{
    constexpr double many = 0.05; // of all
    const std::size_t count = cloud.size();
    std::vector<std::size_t> held_by(count);
    std::vector<Index> loose;
    for (Index i = 0; i < count; ++i) {
        held_by[i] = cloud.neighbors.of(i).size();
        if (held_by[i] < Dim) loose.push_back(i);
    }
    // One that goes may leave others loose, each of which is noted when it comes to that.
    for (std::size_t k = 0; k < loose.size(); ++k)
        for (const Index j : cloud.neighbors.of(loose[k]))
            if (held_by[j]-- == Dim) loose.push_back(j);
    if (loose.empty() || static_cast<double>(loose.size()) > many * static_cast<double>(count)) return;

    std::vector<std::uint8_t> is_loose(count, 0);
    for (const Index i : loose) is_loose[i] = 1;
    std::vector<Index> numbers(count); // after
    Index kept = 0;
    for (Index i = 0; i < count; ++i) {
        numbers[i] = kept;
        if (is_loose[i] != 0) continue;
        cloud.positions[kept] = cloud.positions[i];
        cloud.depths[kept] = cloud.depths[i];
        cloud.supports[kept] = cloud.supports[i];
        ++kept;
    }
    cloud.positions.resize(kept);
    cloud.depths.resize(kept);
    cloud.supports.resize(kept);
    std::vector<std::uint64_t> offsets(1, 0);
    std::vector<Index> ids;
    for (Index i = 0; i < count; ++i) {
        if (is_loose[i] != 0) continue;
        for (const Index j : cloud.neighbors.of(i))
            if (is_loose[j] == 0) ids.push_back(numbers[j]);
        offsets.push_back(ids.size());
    }
    cloud.neighbors = NeighborLists(offsets, ids);
}

template <int Dim>
std::vector<Vec<Dim>> fill(const Shape<Dim>& shape, double spacing, const PhyxelOptions& options)
{
    switch (options.sampling) {
    case PhyxelSampling::Lattice:
        return fill_lattice(shape, spacing, options.work);
    case PhyxelSampling::Jittered:
        return fill_jittered(shape, spacing, {.seed = options.seed}, options.work);
    case PhyxelSampling::PoissonDisk:
        return fill_poisson_disk(shape, spacing, {.seed = options.seed}, options.work);
    }
    return {};
}

/// Row by row, as a lattice is: neighbours then lie in a few rows that memory can stream. Blocks along a
/// curve that fills space were slower.
template <int Dim>
void sort_by_rows(double spacing, std::vector<Vec<Dim>>& positions)
{
    Box<Dim> bounds;
    for (const Vec<Dim>& x : positions) bounds.extend(x);
    const auto cell = [&](const Vec<Dim>& x) {
        std::array<double, Dim> numbers;
        for (std::size_t k = 0; k < Dim; ++k)
            numbers[k] = std::floor((x[static_cast<int>(k)] - bounds.min[static_cast<int>(k)]) / spacing);
        return numbers;
    };
    std::stable_sort(positions.begin(), positions.end(),
                     [&](const Vec<Dim>& a, const Vec<Dim>& b) { return cell(a) < cell(b); });
}

} // namespace

template <int Dim>
PhyxelCloud<Dim> make_phyxels(const Shape<Dim>& shape, double spacing, const PhyxelOptions& options)
{
    check_options(options);
    PhyxelCloud<Dim> cloud;
    cloud.spacing = spacing;
    cloud.positions = fill(shape, spacing, options);
    if (cloud.positions.empty()) return cloud;
    if (options.sampling == PhyxelSampling::PoissonDisk) sort_by_rows<Dim>(spacing, cloud.positions);

    cloud.depths.resize(cloud.size());
    options.work.spend(static_cast<double>(cloud.size()) * shape.query_work());
    shape.signed_distance(cloud.positions, cloud.depths);
    // By rounding a phyxel of a mesh may be outside; it is none the less meant to be in.
    for (double& depth : cloud.depths) depth = std::max(0.0, -depth);
    connect<Dim>(cloud, &shape, options);
    drop_loose_phyxels(cloud);

    // [MKN*04, Sec. 3.2] takes r̄_i³, which is too much at the surface, where neighbours are on one side only:
    // a third more in all for a thousand random points in a cube. Our samplings are uniform, so every phyxel
    // stands for the same share of what is enclosed. Sampling may miss a solid that is thin enough.
    const double volume = shape.volume(options.work).value;
    cloud.volumes.assign(cloud.size(),
                         volume > 0 ? volume / static_cast<double>(cloud.size()) : std::pow(spacing, Dim));
    return cloud;
}

template <int Dim>
PhyxelCloud<Dim> make_phyxels(std::span<const Vec<Dim>> positions, double spacing, double volume,
                              const PhyxelOptions& options)
{
    check_options(options);
    require_positive(spacing, "spacing");
    require_positive(volume, "volume");
    for (const Vec<Dim>& x : positions)
        if (!x.allFinite()) throw InputError("a phyxel has a position that is not finite");
    PhyxelCloud<Dim> cloud;
    cloud.spacing = spacing;
    cloud.positions.assign(positions.begin(), positions.end());
    cloud.volumes.assign(positions.size(), volume);
    // What is known of the surface is that a phyxel stands for a spacing around it.
    cloud.depths.assign(positions.size(), 0.5 * spacing);
    connect<Dim>(cloud, nullptr, options);
    return cloud;
}

template <int Dim>
std::vector<std::size_t> piece_sizes(const PhyxelCloud<Dim>& cloud)
{
    std::vector<std::size_t> sizes;
    std::vector<std::uint8_t> is_seen(cloud.size(), 0);
    std::vector<Index> found;
    for (std::size_t start = 0; start < cloud.size(); ++start) {
        if (is_seen[start] != 0) continue;
        is_seen[start] = 1;
        found.assign(1, static_cast<Index>(start));
        for (std::size_t k = 0; k < found.size(); ++k)
            for (const Index j : cloud.neighbors.of(found[k]))
                if (is_seen[j] == 0) {
                    is_seen[j] = 1;
                    found.push_back(j);
                }
        sizes.push_back(found.size());
    }
    std::sort(sizes.begin(), sizes.end(), std::greater<>());
    return sizes;
}

template std::vector<std::size_t> piece_sizes(const PhyxelCloud<2>&);
template std::vector<std::size_t> piece_sizes(const PhyxelCloud<3>&);
template PhyxelCloud<2> make_phyxels(const Shape<2>&, double, const PhyxelOptions&);
template PhyxelCloud<3> make_phyxels(const Shape<3>&, double, const PhyxelOptions&);
template PhyxelCloud<2> make_phyxels(std::span<const Vec<2>>, double, double, const PhyxelOptions&);
template PhyxelCloud<3> make_phyxels(std::span<const Vec<3>>, double, double, const PhyxelOptions&);

} // namespace phyxel
