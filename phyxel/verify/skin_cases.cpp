// SPDX-License-Identifier: MIT
// V-U1: surfaces that a solid carries along, moved as a whole by an affine field.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/search/neighbor_search.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/verify/clouds.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

/// A jittered cube of nodes and vertices on its faces, edges and corners, and a little outside.
struct SkinnedCube {
    std::vector<Vec<3>> nodes = jittered_grid<3>({.spacing = 0.1, .jitter = 0.2, .seed = 5});
    std::vector<double> radii = std::vector<double>(nodes.size(), 0.19);
    NeighborLists neighbors = find_neighbors<3, double>(nodes, 0.19);
    std::vector<Vec<3>> vertices;

    SkinnedCube()
    {
        for_each_lattice_cell<3>(12, [&](const auto& k) {
            if (k.minCoeff() == 0 || k.maxCoeff() == 11)
                vertices.push_back(k.template cast<double>() / 10.5 - Vec<3>::Constant(0.02));
        });
    }

    SkinningNodes view() const { return {nodes, radii, neighbors}; }
};

/// Moves the skin of the cube with F and returns where its vertices are then.
using Mover = std::function<std::vector<Vec<3>>(const SkinnedCube& cube, const Mat<3>& F)>;

std::vector<Vec<3>> move_nodes(const SkinnedCube& cube, const Mat<3>& F)
{
    std::vector<Vec<3>> moved;
    for (const Vec<3>& X : cube.nodes) moved.push_back(F * X);
    return moved;
}

std::vector<Vec<3>> move_skin(const SkinnedCube& cube, const Mat<3>& F, const Mat<3>& nodal_F,
                              SkinningMethod method)
{
    Skinning<double> skin(cube.vertices, {}, cube.view(), {.method = method});
    std::vector<Vec<3>> positions(skin.size());
    skin.update(move_nodes(cube, F), std::vector<Mat<3>>(cube.nodes.size(), nodal_F), positions);
    return positions;
}

Mover mover(SkinningMethod method)
{
    return [=](const SkinnedCube& cube, const Mat<3>& F) { return move_skin(cube, F, F, method); };
}

Measurement affine_error(const Mover& move)
{
    const SkinnedCube cube;
    Mat<3> F;
    F << 1.3, 0.4, -0.2, -0.5, 0.8, 0.3, 0.1, -0.6, 1.1;
    const std::vector<Vec<3>> moved = move(cube, F);
    Worst worst;
    for (std::size_t v = 0; v < moved.size(); ++v) worst.add((moved[v] - F * cube.vertices[v]).norm());
    return error_measurement(worst.value(), 1e-12, std::to_string(moved.size()) + " vertices, 1000 nodes",
                             "m");
}

/// Turns a normal with the deformation gradient of a body.
using NormalMap = std::function<Vec<3>(const Mat<3>& F, const Vec<3>& normal)>;

Vec<3> skinned_normal(const Mat<3>& F, const Vec<3>& normal)
{
    const SkinnedCube cube;
    Skinning<double> skin(cube.vertices, std::vector<Vec<3>>(cube.vertices.size(), normal), cube.view());
    std::vector<Vec<3>> positions(skin.size());
    std::vector<Vec<3>> normals(skin.size());
    skin.update(move_nodes(cube, F), std::vector<Mat<3>>(cube.nodes.size(), F), positions, normals);
    return normals.front();
}

} // namespace

std::vector<Case> skin_cases()
{
    std::vector<Case> cases;
    const std::string claim = "an affine motion of the nodes moves the surface exactly";
    cases.push_back(make_case({"V-U1/first_order", claim, "x = F X, [AW09, Eq. 68] without the transpose"},
                              affine_error, mover(SkinningMethod::FirstOrder),
                              "∇u transposed, as [AW09, Eq. 68] has it",
                              [](const SkinnedCube& cube, const Mat<3>& F) {
                                  return move_skin(cube, F, F.transpose(), SkinningMethod::FirstOrder);
                              }));
    cases.push_back(make_case({"V-U1/mls", claim, "x = F X, [AW09, Sec. 7.2, Alternative 1]"}, affine_error,
                              mover(SkinningMethod::MovingLeastSquares),
                              "weights of order 0 instead of order 1",
                              [](const SkinnedCube& cube, const Mat<3>& F) {
                                  Skinning<double> skin(cube.vertices, {}, cube.view());
                                  std::vector<Vec<3>> positions(skin.size());
                                  skin.transfer(move_nodes(cube, F), {}, positions);
                                  return positions;
                              }));
    cases.push_back(make_case(
        {"V-U1/normal", "normals of a stretched surface stay normal to it",
         "(1, 1, 0)/√2 under a stretch of 2 along x: (1, 2, 0)/√5"},
        [](const NormalMap& map) {
            const Mat<3> F = Vec<3>(2, 1, 1).asDiagonal();
            const Vec<3> normal = map(F, Vec<3>(1, 1, 0) / std::sqrt(2.0));
            return error_measurement((normal - Vec<3>(1, 2, 0) / std::sqrt(5.0)).norm(), 1e-12);
        },
        NormalMap(skinned_normal), "n' = F n, as [AW09, Sec. 7.2] has it",
        [](const Mat<3>& F, const Vec<3>& normal) -> Vec<3> { return (F * normal).normalized(); }));
    return cases;
}

} // namespace phyxel::detail
