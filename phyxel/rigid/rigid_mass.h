// SPDX-License-Identifier: MIT
// How heavy a shape is, where its centre of mass is, and how it resists being turned.
#pragma once

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/pose.h>
#include <phyxel/geometry/shape.h>

namespace phyxel {

/// Moments of inertia: one number in 2D, a symmetric matrix in 3D.
template <int Dim>
using Inertia = Mat<Dim*(Dim - 1) / 2>;

template <int Dim>
struct RigidMass {
    double mass = 0.0;                           ///< [kg], in 2D of a plate that is 1 m thick
    Vec<Dim> center = Vec<Dim>::Zero();          ///< of mass [m]
    Inertia<Dim> inertia = Inertia<Dim>::Zero(); ///< about the centre [kg m²]
};

/// Of a shape of one density [kg/m³]. Exact for shapes with flat facets and watertight meshes. Others are cut
/// into cells, ever smaller ones at the surface, and cells that the surface cuts count by its distance: the
/// error is about 10⁻⁴. Throws InputError for a sheet, which has no inside, and for a shape without a volume.
template <int Dim>
RigidMass<Dim> rigid_mass(const Shape<Dim>& shape, double density, const WorkBudget& work = {});

} // namespace phyxel
