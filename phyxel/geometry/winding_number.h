// SPDX-License-Identifier: MIT
// How often a surface winds around a point: 1 inside a closed mesh whose triangles face outwards, 0 outside,
// −1 if they face inwards, 2 where it overlaps itself, and something in between near a hole. It says what is
// inside even for meshes that enclose nothing in the strict sense.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/triangle_mesh.h>
#include <phyxel/geometry/triangle_tree.h>

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace phyxel {

/// Solid angle of a triangle seen from x, divided by 4π, by [OS83, Eq. 8]; positive if x is behind the
/// triangle. In [−½, ½]; on the triangle itself it is one of the two ends, on its edges and in its plane 0.
double winding_number(const Triangle& triangle, const Vec<3>& x);

/// Sum over all triangles, without any approximation. O(n).
double winding_number(const TriangleMesh& mesh, const Vec<3>& x);

struct WindingOptions {
    /// Largest error bound of one far cell. The bounds of a query add up to about a hundred of these; the
    /// errors partly cancel and in practice leave about one. 0 sums all triangles.
    double cell_error = 1e-3;
};

/// A winding number and a bound of its error that holds for any mesh.
struct WindingValue {
    double value;
    double error;
};

/// Winding numbers in O(log n) [BDS*18]: cells of the tree that are far from x act through the first three
/// terms of their expansion about their centre.
///
/// Queries may run on several threads at once; they throw InputError for a place that is not finite.
class WindingNumber {
public:
    explicit WindingNumber(const TriangleMesh& mesh, const WindingOptions& options = {});
    explicit WindingNumber(std::shared_ptr<const TriangleTree> tree, const WindingOptions& options = {});

    WindingValue evaluate(const Vec<3>& x) const;
    double operator()(const Vec<3>& x) const { return evaluate(x).value; }

    /// Whether the exact winding number exceeds ½, whatever the options: where the approximation cannot tell,
    /// it is refined until it can. On the surface itself the answer is either.
    bool inside(const Vec<3>& x) const;

    /// What `inside` does there, in units of WorkBudget: grows with the logarithm of the number of triangles,
    /// but for meshes whose triangles are long or lie across each other, where it is all of them.
    double work(const Vec<3>& x) const;

    /// Of all places, in parallel.
    void evaluate(std::span<const Vec<3>> x, std::span<double> out) const;
    void inside(std::span<const Vec<3>> x, std::span<std::uint8_t> out) const;

private:
    struct Expansion;

    /// How much a query has looked at.
    struct Tally {
        std::size_t cells = 0;
        std::size_t leaves = 0; ///< that were summed triangle by triangle
    };
    WindingValue sum(const Vec<3>& x, double refinement, Tally& tally) const;
    bool inside(const Vec<3>& x, Tally& tally) const;

    // Doubles in one block per cell and not a struct with padding: this array is what queries read.
    static constexpr std::size_t coefficient_count = 24;

    std::shared_ptr<const TriangleTree> tree_;
    std::vector<double> expansions_; ///< coefficient_count for each cell of the tree
    bool is_exact_;
};

} // namespace phyxel
