// SPDX-License-Identifier: MIT
// Shapes from what a scene says of them; reads the files that it names.
#pragma once

#include <phyxel/geometry/mesh_solid.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/scene/detail/findings.h>
#include <phyxel/scene/detail/scene_options.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace phyxel {

/// What is wrong with a shape, or with its file, becomes a problem of the scene at the path of the shape.
template <int Dim>
class ShapeMaker {
public:
    ShapeMaker(std::filesystem::path folder, Findings& findings);

    std::optional<Shape<Dim>> make(const ShapeOptions<Dim>& options, const Path& path);

private:
    std::optional<Shape<Dim>> make_kind(const ShapeOptions<Dim>& options, const Path& path);
    std::optional<Shape<Dim>> combine(const CombinedShape<Dim>& options, const Path& path);
    std::optional<Shape<Dim>> read(const MeshShape& options, const Path& path);

    std::filesystem::path folder_;
    Findings& findings_;
    std::map<std::string, MeshSolid> solids_; ///< each file is read once
};

extern template class ShapeMaker<2>;
extern template class ShapeMaker<3>;

} // namespace phyxel
