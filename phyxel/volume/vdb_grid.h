// SPDX-License-Identifier: MIT
// Volumes as OpenVDB files hold them. The library is seen by vdb_grid.cpp only: its headers take a minute to
// compile.
#pragma once

#include <phyxel/core/buffer.h>
#include <phyxel/geometry/sparse_field.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace phyxel {

enum class VdbKind {
    Unknown,
    LevelSet,  ///< signed distance in a narrow band, negative inside [m]
    FogVolume, ///< 0 outside, up to 1 inside
};

/// Values at nodes of a grid; everywhere else is `background`. Node n lies at `cell · n`.
struct VdbGrid {
    std::string name;
    VdbKind kind = VdbKind::Unknown;
    double cell = 1.0; ///< [m]
    float background = 0.0f;
    int components = 1;           ///< 1 or 3
    std::vector<GridIndex> nodes; ///< without doubles
    std::vector<float> values;    ///< `components` for each node
};

/// The distance to a closed mesh, up to three cells from it on both sides.
VdbGrid vdb_level_set(const TriangleMesh& mesh, double cell, std::string name = "surface");

/// A field cut off at 1, where it is above 0.
VdbGrid vdb_fog_volume(const SparseField& field, std::string name = "density");

/// Vectors from their components, which must have the same blocks, at the nodes where `weight` is above 0.
VdbGrid vdb_vectors(const std::array<SparseField, 3>& components, const SparseField& weight,
                    std::string name = "velocity");

/// The content of a .vdb file. The same grids always give the same bytes.
Buffer<std::byte> encode_vdb(std::span<const VdbGrid> grids);

/// The grids of `float` numbers and vectors in a .vdb file; others are left out. `name` is what errors call
/// the file. Throws InputError for what OpenVDB cannot read, and for grids without a uniform cell.
std::vector<VdbGrid> decode_vdb(std::span<const std::byte> bytes, const std::string& name);

} // namespace phyxel
