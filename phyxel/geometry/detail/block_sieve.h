// SPDX-License-Identifier: MIT
// Sorts the cells of a grid into those that are inside a shape, those that are outside, and the few near its
// surface that have to be looked at one by one. Work grows with the surface, not with the volume.
#pragma once

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/types.h>
#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/shape.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace phyxel::detail {

/// Shape::query_work of a mesh whose triangles are small and lie side by side, however many there are, is
/// below this. Estimates make do with fewer questions where they take longer.
inline constexpr double usual_query_work = 2000.0;

/// What asking for a cell or a block takes beside the query itself, in units of WorkBudget.
inline constexpr double asking_work = 4.0;

/// Cells with begin ≤ k < end along every axis.
template <int Dim>
struct CellBlock {
    using Numbers = Eigen::Matrix<std::int64_t, Dim, 1>;
    Numbers begin;
    Numbers end;

    std::uint64_t size() const { return static_cast<std::uint64_t>((end - begin).prod()); }

    /// Calls `visit(k)` for every cell, the last component running fastest.
    template <class Visit>
    void for_each(Visit&& visit) const
    {
        if (!(begin.array() < end.array()).all()) return;
        Numbers k = begin;
        for (;;) {
            visit(k);
            int axis = Dim - 1;
            while (axis >= 0 && ++k[axis] == end[axis]) {
                k[axis] = begin[axis];
                --axis;
            }
            if (axis < 0) return;
        }
    }
};

template <int Dim>
struct SievedBlocks {
    std::vector<CellBlock<Dim>> inside;
    std::vector<CellBlock<Dim>> undecided;
};

/// `box_of(block)` is the box around what counts of a block. A block is decided if its box keeps farther than
/// `tolerance` from the surface.
template <int Dim, class BoxOf>
class BlockSieve {
public:
    using Cells = CellBlock<Dim>;

    /// Blocks of at most so many cells are not worth a question of their own.
    static constexpr std::uint64_t small_size = 8;

    BlockSieve(const Shape<Dim>& shape, BoxOf box_of, double tolerance)
        : shape_(shape),
          box_of_(box_of),
          tolerance_(tolerance)
    {
    }

    /// Halves what is not decided, the large blocks first, until all undecided blocks are small or there are
    /// `enough` of them: memory does not grow with the number of cells.
    ///
    /// A question takes `query_work`.
    SievedBlocks<Dim> sort(const Cells& all, std::size_t enough, const WorkBudget& work = {},
                           double query_work = 1.0) const
    {
        SievedBlocks<Dim> result;
        std::vector<Cells> open;
        const auto add = [&](const Cells& block) {
            if (block.size() > small_size)
                open.push_back(block);
            else if (block.size() > 0)
                result.undecided.push_back(block);
        };
        add(all);
        while (!open.empty() && open.size() + result.undecided.size() < enough) {
            work.spend(static_cast<double>(open.size()) * query_work);
            std::vector<Side> sides(open.size());
            parallel_for(
                open.size(), [&](Index i) { sides[i] = side(open[i]); }, 16);
            const std::vector<Cells> asked = std::exchange(open, {});
            for (std::size_t i = 0; i < asked.size(); ++i) {
                if (sides[i] == Side::Inside) result.inside.push_back(asked[i]);
                if (sides[i] != Side::Surface) continue;
                const auto [lower, upper] = halves(asked[i]);
                add(lower);
                add(upper);
            }
        }
        result.undecided.insert(result.undecided.end(), open.begin(), open.end());
        return result;
    }

    /// Halves one block to the end: calls `inside(block)` for pieces that are inside and `undecided(block)`
    /// for small ones near the surface. Needs no memory.
    template <class Inside, class Undecided>
    void walk(const Cells& block, Inside&& inside, Undecided&& undecided) const
    {
        if (block.size() <= small_size) {
            if (block.size() > 0) undecided(block);
            return;
        }
        const Side found = side(block);
        if (found == Side::Inside) inside(block);
        if (found != Side::Surface) return;
        const auto [lower, upper] = halves(block);
        walk(lower, inside, undecided);
        walk(upper, inside, undecided);
    }

private:
    Side side(const Cells& block) const { return shape_.region_side(box_of_(block), tolerance_); }

    static std::pair<Cells, Cells> halves(const Cells& block)
    {
        int axis = 0;
        (block.end - block.begin).maxCoeff(&axis);
        const std::int64_t middle = block.begin[axis] + (block.end[axis] - block.begin[axis]) / 2;
        std::pair<Cells, Cells> parts(block, block);
        parts.first.end[axis] = middle;
        parts.second.begin[axis] = middle;
        return parts;
    }

    const Shape<Dim>& shape_;
    BoxOf box_of_;
    double tolerance_;
};

} // namespace phyxel::detail
