// SPDX-License-Identifier: MIT
// A surface without an inside: bowls, shirts and pieces of paper, as they come from files that are not
// closed.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/signed_distance.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <memory>

namespace phyxel {

/// Whether a mesh is open rather than a solid with defects: one of its holes is larger than 1 % of its area.
/// A hole is as large as the flat piece that would close it, so a hemisphere has one of 50 % and a missing
/// triangle of a scan is far below. Where the two are hard to tell apart it matters little: from outside, a
/// sheet is the same wall as the solid.
bool is_open_sheet(const TriangleMesh& mesh);

/// A value; copies share their data. Queries may run on several threads at once; they throw InputError for a
/// place that is not finite.
class MeshSheet {
public:
    /// Throws InputError for what repair_mesh refuses and for a mesh without area.
    explicit MeshSheet(const TriangleMesh& mesh);

    /// Vertices welded, doubles left out, neighbours facing alike.
    const TriangleMesh& surface() const;
    const Box<3>& bounds() const;

    /// Of the sheet in another place. Exact also if that is a rotation.
    Box<3> bounds(const Similarity<3>& map) const;

    /// Of the mesh as it came.
    const MeshReport& report() const;

    /// Distance to the nearest triangle, never negative, and the direction away from it.
    SignedDistance<3> distance(const Vec<3>& x) const;

    /// What a query takes on average, in units of WorkBudget.
    double query_work() const;

private:
    struct Data;
    std::shared_ptr<const Data> data_;
};

} // namespace phyxel
