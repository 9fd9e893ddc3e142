// SPDX-License-Identifier: MIT
// The solid that a mesh or a cloud of points with normals means, however badly it was written: inside is
// where the winding number of the repaired surface exceeds ½.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/signed_distance.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// A value; copies share their data. Queries may run on several threads at once; they throw InputError for a
/// place that is not finite.
class MeshSolid {
public:
    /// Throws InputError for what repair_mesh refuses and for a mesh that encloses no volume.
    explicit MeshSolid(const TriangleMesh& mesh);

    /// The surface is that of tangent_cells; normals that point inwards are turned all together.
    explicit MeshSolid(const PointCloud& cloud);

    /// The repaired mesh, or the tangent cells of the cloud. Triangles face outwards.
    const TriangleMesh& surface() const;
    const Box<3>& bounds() const;

    /// Of the solid in another place. Exact also if that is a rotation.
    Box<3> bounds(const Similarity<3>& map) const;

    /// Of the mesh as it came; for a cloud only counts, area and volume.
    const MeshReport& report() const;

    /// What the user should hear of: defects of the mesh and what was done about its orientation.
    std::vector<std::string> warnings() const;

    /// Whether nothing can pass from inside to outside without crossing a triangle. If not, the distance to
    /// the surface says nothing about the distance to where the winding number is ½.
    bool is_watertight() const;

    /// To about 0.01; `inside` is exact all the same.
    double winding_number(const Vec<3>& x) const;
    bool inside(const Vec<3>& x) const;

    /// Whether the surface is at most `distance` away.
    bool is_near_surface(const Vec<3>& x, double distance) const;

    /// The magnitude is the distance to the nearest triangle.
    SignedDistance<3> signed_distance(const Vec<3>& x) const;

    /// Whether all places of a ball are inside, or none is; nothing if that is not so or not known. Known for
    /// most balls that no triangle reaches into, also if there are holes: see HoleRims.
    std::optional<bool> ball_inside(const Vec<3>& center, double radius) const;

    /// What a query takes on average, in units of WorkBudget.
    double query_work() const;

private:
    struct Data;
    std::shared_ptr<const Data> data_;
};

} // namespace phyxel
