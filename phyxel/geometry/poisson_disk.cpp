// SPDX-License-Identifier: MIT
// Maximal Poisson-disk sampling [EMP*12]: darts are thrown into the cells of a grid; cells that are not
// covered yet are quartered (in 3D cut into eight), and the next darts go into those.
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/detail/block_sieve.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/sampling.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace phyxel {
namespace {

template <int Dim>
class DartBoard {
public:
    DartBoard(const Shape<Dim>& shape, double spacing, const PoissonDiskOptions& options,
              const WorkBudget& work)
        : shape_(shape),
          work_(work),
          query_work_(shape.query_work() + detail::asking_work),
          radius_(poisson_disk_radius<Dim> * spacing),
          margin_(options.margin * spacing),
          side_(radius_ / std::sqrt(double(Dim))),
          rng_(options.seed)
    {
        const Vec<Dim> lengths = shape.bounds().size() / side_;
        if (!((lengths.array() + 1).prod() <= most_cells))
            throw InputError("spacing is " + detail::text_of(spacing) +
                             ", too small for a shape with sides " +
                             detail::text_of<Dim>(shape.bounds().size()));
        for (int k = 0; k < Dim; ++k) all_.end[k] = static_cast<std::int64_t>(lengths[k]) + 1;
        work_.spend(0.1 * static_cast<double>(all_.size()));
        owners_.assign(Cells{all_.begin, all_.end + Numbers::Constant(2 * reach)}.size(), nobody);
        list_neighbors();
    }

    std::vector<Vec<Dim>> throw_darts()
    {
        std::vector<Cell> cells = first_cells();
        for (level_ = 0; !cells.empty(); ++level_) {
            shuffle(cells);
            constexpr double dart_work = 5.0;
            work_.spend(dart_work * static_cast<double>(cells.size()));
            for (const Cell& cell : cells) throw_dart(cell);
            if (level_ == last_level) break;
            cells = uncovered_children(cells);
        }
        return sorted_points();
    }

private:
    using Cells = detail::CellBlock<Dim>;
    using Numbers = typename Cells::Numbers;

    /// Part of the grid that may have room for a point; its side is that of the grid over 2^level.
    struct Cell {
        Numbers k;
        bool is_deep; ///< all of it keeps off the surface
    };

    static constexpr double most_cells = 0x1p28;
    static constexpr int last_level = 6;     ///< cells of 1 % of the radius; 1.5 % more is its diagonal in 3D
    static constexpr std::int64_t reach = 2; ///< the radius in cells, √Dim, rounded up
    static constexpr Index nobody = std::numeric_limits<Index>::max();

    double side() const { return std::ldexp(side_, -level_); }
    double half_diagonal() const { return 0.5 * std::sqrt(double(Dim)) * side(); }

    Vec<Dim> place(const Numbers& k, const Vec<Dim>& in_cell) const
    {
        return shape_.bounds().min + side() * (k.template cast<double>() + in_cell);
    }
    Vec<Dim> center(const Numbers& k) const { return place(k, Vec<Dim>::Constant(0.5)); }

    /// Of the cell of the grid that a cell is part of.
    Numbers root_of(const Numbers& k) const
    {
        return k.unaryExpr([this](std::int64_t number) { return number >> level_; });
    }

    /// In owners_, which has `reach` more cells on all sides: no neighbour is beyond its ends.
    std::size_t number_of(const Numbers& root) const
    {
        std::int64_t number = 0;
        for (int k = 0; k < Dim; ++k) number = number * (all_.end[k] + 2 * reach) + root[k] + reach;
        return static_cast<std::size_t>(number);
    }

    /// The nearest first, for they are the most likely to be in conflict.
    void list_neighbors()
    {
        const Cells around{Numbers::Constant(-reach), Numbers::Constant(reach + 1)};
        std::vector<Numbers> cells;
        around.for_each([&](const Numbers& k) {
            const Numbers between = (k.cwiseAbs() - Numbers::Ones()).cwiseMax(Numbers::Zero());
            if (between.squaredNorm() < Dim) cells.push_back(k);
        });
        std::stable_sort(cells.begin(), cells.end(), [](const Numbers& a, const Numbers& b) {
            return a.squaredNorm() < b.squaredNorm();
        });
        const auto origin = static_cast<std::ptrdiff_t>(number_of(Numbers::Zero()));
        for (const Numbers& k : cells)
            neighbors_.push_back(static_cast<std::ptrdiff_t>(number_of(k)) - origin);
    }

    std::vector<Cell> first_cells() const
    {
        const auto box_of = [this](const Cells& block) {
            return Box<Dim>{place(block.begin, Vec<Dim>::Zero()), place(block.end, Vec<Dim>::Zero())};
        };
        const detail::BlockSieve sieve(shape_, box_of, margin_);
        const detail::SievedBlocks<Dim> blocks =
            sieve.sort(all_, std::numeric_limits<std::size_t>::max(), work_, query_work_);
        std::vector<Cell> cells;
        for (const Cells& block : blocks.inside)
            block.for_each([&](const Numbers& k) { cells.push_back({k, true}); });
        for (const Cells& block : blocks.undecided)
            block.for_each([&](const Numbers& k) { cells.push_back({k, false}); });
        return without_outer(std::move(cells));
    }

    /// Leaves out what has no place that keeps off the surface.
    ///
    /// Through the holes of a mesh the inside may end nearer than the distance says. Half a cell along that
    /// end is lost then, or has points that are taken out again later.
    std::vector<Cell> without_outer(std::vector<Cell> cells) const
    {
        std::vector<std::uint8_t> is_outer(cells.size(), 0);
        parallel_for(
            cells.size(),
            [&](Index i) {
                if (cells[i].is_deep) return;
                work_.spend(query_work_);
                const double phi = shape_.signed_distance(center(cells[i].k));
                is_outer[i] = phi - half_diagonal() > -margin_ ? 1 : 0;
                cells[i].is_deep = phi + half_diagonal() < -margin_;
            },
            64);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (is_outer[i] == 0) cells[kept++] = cells[i];
        cells.resize(kept);
        return cells;
    }

    void shuffle(std::vector<Cell>& cells)
    {
        for (std::size_t i = cells.size(); i > 1; --i) std::swap(cells[i - 1], cells[rng_.below(i)]);
    }

    void throw_dart(const Cell& cell)
    {
        const Vec<Dim> x = place(cell.k, rng_.template point<Dim>(0.0, 1.0));
        const Numbers root = root_of(cell.k);
        if (any_point_near(root,
                           [&](const Vec<Dim>& p) { return (x - p).squaredNorm() < radius_ * radius_; }))
            return;
        if (!cell.is_deep) work_.spend(query_work_);
        if (!cell.is_deep && !(shape_.signed_distance(x) < -margin_)) return;
        owners_[number_of(root)] = static_cast<Index>(points_.size());
        points_.push_back(x);
    }

    /// Whether `is_it` holds for a point that may be within the radius of a cell.
    template <class IsIt>
    bool any_point_near(const Numbers& root, IsIt&& is_it) const
    {
        const Index* owner = owners_.data() + number_of(root);
        for (const std::ptrdiff_t neighbor : neighbors_)
            if (owner[neighbor] != nobody && is_it(points_[owner[neighbor]])) return true;
        return false;
    }

    /// One point alone covers the cell.
    bool is_covered(const Numbers& k) const
    {
        const Vec<Dim> middle = center(k);
        const Vec<Dim> half = Vec<Dim>::Constant(0.5 * side());
        return any_point_near(root_of(k), [&](const Vec<Dim>& p) {
            return ((middle - p).cwiseAbs() + half).squaredNorm() < radius_ * radius_;
        });
    }

    std::vector<Cell> uncovered_children(const std::vector<Cell>& parents)
    {
        std::vector<Cell> open;
        for (const Cell& parent : parents)
            if (!is_covered(parent.k)) open.push_back(parent);

        // A look around a cell is as much as a few boxes; cells that are covered see it at once.
        constexpr double parent_work = 6.0, children_work = 40.0;
        work_.spend(parent_work * static_cast<double>(parents.size()) +
                    children_work * static_cast<double>(open.size()));
        ++level_;
        std::vector<Cell> children;
        for (const Cell& parent : open) {
            const Cells parts{2 * parent.k, 2 * parent.k + Numbers::Constant(2)};
            parts.for_each([&](const Numbers& k) {
                if (!is_covered(k)) children.push_back({k, parent.is_deep});
            });
        }
        children = without_outer(std::move(children));
        --level_;
        return children;
    }

    std::vector<Vec<Dim>> sorted_points() const
    {
        std::vector<std::uint8_t> is_inside(points_.size(), 1);
        if (!shape_.has_distance_bound()) shape_.inside(points_, is_inside);
        std::vector<Vec<Dim>> sorted;
        sorted.reserve(points_.size());
        for (const Index owner : owners_)
            if (owner != nobody && is_inside[owner] != 0) sorted.push_back(points_[owner]);
        return sorted;
    }

    const Shape<Dim>& shape_;
    WorkBudget work_;
    double query_work_;
    double radius_; ///< [m]
    double margin_; ///< [m]
    double side_;   ///< of the cells of the grid: no two points fit into one [m]
    int level_ = 0;
    Rng rng_;
    Cells all_ = {Numbers::Zero(), Numbers::Zero()};
    std::vector<Index> owners_;             ///< which point is in a cell of the grid
    std::vector<std::ptrdiff_t> neighbors_; ///< cells with points that may be in conflict, from a cell's own
    std::vector<Vec<Dim>> points_;
};

} // namespace

template <int Dim>
std::vector<Vec<Dim>> fill_poisson_disk(const Shape<Dim>& shape, double spacing,
                                        const PoissonDiskOptions& options, const WorkBudget& work)
{
    detail::require_positive(spacing, "spacing");
    if (!(options.margin >= 0 && options.margin <= 1))
        throw InputError("margin is " + detail::text_of(options.margin) + ", must be from 0 to 1 spacings");
    return DartBoard<Dim>(shape, spacing, options, work).throw_darts();
}

template std::vector<Vec<2>> fill_poisson_disk(const Shape<2>&, double, const PoissonDiskOptions&,
                                               const WorkBudget&);
template std::vector<Vec<3>> fill_poisson_disk(const Shape<3>&, double, const PoissonDiskOptions&,
                                               const WorkBudget&);

} // namespace phyxel
