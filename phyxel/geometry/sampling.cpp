// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/detail/block_sieve.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/sampling.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// In spacings: nearer to the surface than this is on it. Coordinates of meshes are often written in single
/// precision, so rounding is not the last bit of a double.
constexpr double touching = 1e-4;

constexpr std::uint64_t most_points = std::numeric_limits<Index>::max();

/// The lattice of a shape: numbers of sites, and the answers to which of them are inside.
template <int Dim>
class Lattice {
public:
    using Cells = detail::CellBlock<Dim>;
    using Site = typename Cells::Numbers;

    Lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work)
        : shape_(shape),
          first_(shape.bounds().min + Vec<Dim>::Constant(0.5 * spacing)),
          spacing_(spacing),
          work_(work),
          query_work_(shape.query_work() + detail::asking_work)
    {
        detail::require_positive(spacing, "spacing");
        require_sites();
        // Where a length is n + ½ spacings the last site would touch the surface, so it is left out here:
        // a box has all of its sites then. Through the holes of a mesh the surface may be farther away.
        const double margin = shape.has_distance_bound() ? -0.5 * touching : touching;
        const Vec<Dim> lengths = shape.bounds().size() / spacing;
        for (int k = 0; k < Dim; ++k)
            all_.end[k] = std::max<std::int64_t>(0, static_cast<std::int64_t>(lengths[k] + 0.5 + margin));
    }

    /// Exact.
    std::uint64_t count() const
    {
        const detail::SievedBlocks<Dim> blocks = sorted(block_limit);
        std::vector<std::uint64_t> counts(blocks.undecided.size(), 0);
        parallel_for(
            counts.size(),
            [&](Index i) {
                walk(
                    blocks.undecided[i], [&](const Cells& block) { counts[i] += block.size(); },
                    [&](const Cells& block) { counts[i] += count_each(block); });
            },
            1);
        return std::accumulate(counts.begin(), counts.end(), sites_of(blocks.inside));
    }

    /// Exact if the sites near the surface are few, otherwise from some of them, to about 0.1 % for shapes
    /// that are not thin. The work is bounded: where a question takes long there are fewer of them.
    double estimated_count() const
    {
        constexpr double allowed = 1.5e7;
        constexpr double questions_to_block = 12.0; // its sites that are tried, and itself and its parents
        const std::size_t enough =
            query_work_ <= detail::usual_query_work
                ? block_limit
                : static_cast<std::size_t>(
                      std::clamp(allowed / (questions_to_block * query_work_), 16.0, double(block_limit)));
        const detail::SievedBlocks<Dim> blocks = sorted(enough);
        work_.spend(static_cast<double>(blocks.undecided.size()) * tries * query_work_);
        std::vector<double> counts(blocks.undecided.size());
        parallel_for(
            counts.size(), [&](Index i) { counts[i] = estimated_count(blocks.undecided[i]); }, 16);
        return std::accumulate(counts.begin(), counts.end(), static_cast<double>(sites_of(blocks.inside)));
    }

    /// In lexicographic order.
    std::vector<Vec<Dim>> points() const
    {
        // Where it is close the points are counted as they come.
        if (all_.size() > most_points && estimated_count() > 1.1 * most_points) refuse();
        std::vector<std::uint64_t> numbers = inside_numbers();
        std::sort(numbers.begin(), numbers.end());

        std::vector<Vec<Dim>> points(numbers.size());
        parallel_for(points.size(), [&](Index i) { points[i] = position(site_of(numbers[i])); });
        return points;
    }

private:
    /// Of undecided blocks: enough for all threads, and for good estimates.
    static constexpr std::size_t block_limit = 8192;

    /// Sites of an undecided block that are looked at for an estimate.
    static constexpr int tries = 8;

    detail::SievedBlocks<Dim> sorted(std::size_t enough) const
    {
        return sieve().sort(all_, enough, work_, query_work_);
    }

    /// As that of the sieve.
    template <class Inside, class Undecided>
    void walk(const Cells& block, Inside&& inside, Undecided&& undecided) const
    {
        sieve().walk(
            block,
            [&](const Cells& part) {
                work_.spend(query_work_);
                inside(part);
            },
            [&](const Cells& part) {
                // Its sites, and the question that was asked of it.
                work_.spend(static_cast<double>(part.size() + 1) * query_work_);
                undecided(part);
            });
    }

    auto sieve() const
    {
        const auto box_of = [this](const Cells& block) {
            return Box<Dim>{position(block.begin), position(block.end - Site::Ones())};
        };
        return detail::BlockSieve(shape_, box_of, touching * spacing_);
    }

    void require_sites() const
    {
        // Sites are numbered by 64 bits; where none can be skipped, all have to be looked at.
        const double limit = shape_.has_distance_bound() ? 0x1p60 : 0x1p32;
        const double sites = ((shape_.bounds().size() / spacing_).array() + 1).prod();
        if (!(sites < limit))
            throw InputError("spacing is " + detail::text_of(spacing_) +
                             ", too small for a shape with sides " +
                             detail::text_of<Dim>(shape_.bounds().size()));
    }

    [[noreturn]] void refuse() const
    {
        throw InputError("spacing is " + detail::text_of(spacing_) + ", which gives more than the " +
                         std::to_string(most_points) + " points that are possible");
    }

    bool is_inside(const Site& site) const
    {
        return shape_.side(position(site), touching * spacing_) == Side::Inside;
    }

    static std::uint64_t sites_of(const std::vector<Cells>& blocks)
    {
        std::uint64_t count = 0;
        for (const Cells& block : blocks) count += block.size();
        return count;
    }

    std::uint64_t count_each(const Cells& block) const
    {
        std::uint64_t count = 0;
        block.for_each([&](const Site& site) { count += is_inside(site) ? 1 : 0; });
        return count;
    }

    double estimated_count(const Cells& block) const
    {
        if (block.size() <= tries) return static_cast<double>(count_each(block));
        Rng rng(1, number_of(block.begin));
        int hits = 0;
        for (int i = 0; i < tries; ++i) {
            Site site = block.begin;
            for (int k = 0; k < Dim; ++k)
                site[k] += static_cast<std::int64_t>(
                    rng.below(static_cast<std::uint64_t>(block.end[k] - block.begin[k])));
            hits += is_inside(site) ? 1 : 0;
        }
        return static_cast<double>(block.size()) * hits / tries;
    }

    /// In no particular order.
    std::vector<std::uint64_t> inside_numbers() const
    {
        const detail::SievedBlocks<Dim> blocks = sorted(block_limit);
        std::atomic<std::uint64_t> count = sites_of(blocks.inside);
        if (count > most_points) refuse();
        std::vector<std::vector<std::uint64_t>> found(blocks.undecided.size());
        parallel_for(
            found.size(),
            [&](Index i) {
                const auto add = [&](const Site& site) { found[i].push_back(number_of(site)); };
                walk(
                    blocks.undecided[i], [&](const Cells& block) { block.for_each(add); },
                    [&](const Cells& block) {
                        block.for_each([&](const Site& site) {
                            if (is_inside(site)) add(site);
                        });
                    });
                if (count.fetch_add(found[i].size()) > most_points) refuse();
            },
            1);
        if (count > most_points) refuse();

        std::vector<std::uint64_t> numbers;
        numbers.reserve(count);
        for (const Cells& block : blocks.inside)
            block.for_each([&](const Site& site) { numbers.push_back(number_of(site)); });
        for (const std::vector<std::uint64_t>& part : found)
            numbers.insert(numbers.end(), part.begin(), part.end());
        return numbers;
    }

    Vec<Dim> position(const Site& site) const { return first_ + spacing_ * site.template cast<double>(); }

    std::uint64_t number_of(const Site& site) const
    {
        std::uint64_t number = 0;
        for (int k = 0; k < Dim; ++k)
            number = number * static_cast<std::uint64_t>(all_.end[k]) + static_cast<std::uint64_t>(site[k]);
        return number;
    }

    Site site_of(std::uint64_t number) const
    {
        Site site;
        for (int k = Dim - 1; k >= 0; --k) {
            site[k] = static_cast<std::int64_t>(number % static_cast<std::uint64_t>(all_.end[k]));
            number /= static_cast<std::uint64_t>(all_.end[k]);
        }
        return site;
    }

    const Shape<Dim>& shape_;
    Vec<Dim> first_;
    double spacing_;
    WorkBudget work_;
    double query_work_;
    Cells all_ = {Site::Zero(), Site::Zero()};
};

} // namespace

template <int Dim>
std::vector<Vec<Dim>> fill_lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work)
{
    return Lattice<Dim>(shape, spacing, work).points();
}

template <int Dim>
std::uint64_t count_lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work)
{
    return Lattice<Dim>(shape, spacing, work).count();
}

template <int Dim>
double estimate_lattice(const Shape<Dim>& shape, double spacing, const WorkBudget& work)
{
    return Lattice<Dim>(shape, spacing, work).estimated_count();
}

template <int Dim>
std::vector<Vec<Dim>> fill_jittered(const Shape<Dim>& shape, double spacing, const JitterOptions& options,
                                    const WorkBudget& work)
{
    if (!(options.jitter >= 0 && options.jitter <= 0.5))
        throw InputError("jitter is " + detail::text_of(options.jitter) + ", must be from 0 to 0.5 spacings");
    std::vector<Vec<Dim>> points = fill_lattice(shape, spacing, work);
    work.spend(static_cast<double>(points.size()) * shape.query_work());
    parallel_for(points.size(), [&](Index i) {
        Rng rng(options.seed, i);
        const double reach = options.jitter * spacing;
        const Vec<Dim> x = points[i] + rng.point<Dim>(-reach, reach);
        if (shape.side(x, touching * spacing) == Side::Inside) points[i] = x;
    });
    return points;
}

template <int Dim>
double spacing_for_count(std::span<const Shape<Dim>> shapes, std::uint64_t count, const WorkBudget& work)
{
    if (count == 0 || count > most_points)
        throw InputError("count is " + std::to_string(count) + ", must be from 1 to " +
                         std::to_string(most_points));
    if (shapes.empty()) throw InputError("there is no shape to fill with points");
    const double wanted = static_cast<double>(count);
    double volume = 0.0;
    for (const Shape<Dim>& shape : shapes) volume += shape.volume(work).value;
    if (!(volume > 0)) throw InputError("the shapes have no volume to fill with points");

    // Points that lie near the surface are gained or lost, and many of them if the shape is thin.
    // As a logarithm, since too many are better than none.
    const auto error_of = [&](double found) { return std::abs(std::log(found / wanted)); };
    double spacing = std::pow(volume / wanted, 1.0 / Dim);
    double best_spacing = spacing;
    double best_error = std::numeric_limits<double>::infinity();
    const bool takes_long = std::any_of(shapes.begin(), shapes.end(), [](const Shape<Dim>& shape) {
        return shape.query_work() > detail::usual_query_work;
    });
    const int attempts = takes_long ? 3 : 8;
    for (int attempt = 0; attempt < attempts && !(best_error <= 0.02); ++attempt) {
        double found = 0.0;
        for (const Shape<Dim>& shape : shapes) found += estimate_lattice(shape, spacing, work);
        if (const double error = error_of(found); error < best_error) {
            best_error = error;
            best_spacing = spacing;
        }
        // Nothing found says only that the shape is thinner than half a spacing.
        const double ratio = std::max(found / wanted, 0.125);
        spacing *= std::pow(ratio, 1.0 / Dim);
    }
    return best_spacing;
}

PeriodicFit fit_periodic(double length, double spacing)
{
    detail::require_positive(length, "periodic length");
    detail::require_positive(spacing, "spacing");
    const double count = std::max(1.0, std::round(length / spacing));
    if (!(count < 0x1p53))
        throw InputError("spacing is " + detail::text_of(spacing) + ", too small for a length of " +
                         detail::text_of(length));
    return {std::abs(length / spacing - count) <= 1e-6 * std::min(count, 1e3),
            static_cast<std::int64_t>(count), length / count};
}

template std::vector<Vec<2>> fill_lattice(const Shape<2>&, double, const WorkBudget&);
template std::vector<Vec<3>> fill_lattice(const Shape<3>&, double, const WorkBudget&);
template std::uint64_t count_lattice(const Shape<2>&, double, const WorkBudget&);
template std::uint64_t count_lattice(const Shape<3>&, double, const WorkBudget&);
template double estimate_lattice(const Shape<2>&, double, const WorkBudget&);
template double estimate_lattice(const Shape<3>&, double, const WorkBudget&);
template std::vector<Vec<2>> fill_jittered(const Shape<2>&, double, const JitterOptions&, const WorkBudget&);
template std::vector<Vec<3>> fill_jittered(const Shape<3>&, double, const JitterOptions&, const WorkBudget&);
template double spacing_for_count(std::span<const Shape<2>>, std::uint64_t, const WorkBudget&);
template double spacing_for_count(std::span<const Shape<3>>, std::uint64_t, const WorkBudget&);

} // namespace phyxel
