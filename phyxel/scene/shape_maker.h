// SPDX-License-Identifier: MIT
// Shapes from what a scene says of them; reads the files that it names.
#pragma once

#include <phyxel/core/work_budget.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/geometry/triangle_mesh.h>
#include <phyxel/scene/findings.h>
#include <phyxel/scene/scene_options.h>

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace phyxel {

/// What a mesh that is not closed stands for.
enum class OpenMesh {
    Solid, ///< with a defect: what the winding number says is inside
    Sheet, ///< itself, if it is clearly open: a wall from both sides
};

/// What is wrong with a shape, or with its file, becomes a problem of the scene at the path of the shape.
template <int Dim>
class ShapeMaker {
public:
    /// Is told which file is read next, before work is spent on it.
    using Begin = std::function<void(const Path&)>;

    ShapeMaker(std::filesystem::path folder, Findings& findings, const WorkBudget& work = {},
               Begin begin = {});

    /// Parts of what is combined are always solids.
    std::optional<Shape<Dim>> make(const ShapeOptions<Dim>& options, const Path& path,
                                   OpenMesh open_mesh = OpenMesh::Solid);

    /// The vertices and triangles, or the points and normals, of a shape that is a file and nothing else,
    /// where the shape is; nothing for other shapes. Only of what `make` has made.
    std::optional<std::variant<TriangleMesh, PointCloud>> file_surface(const ShapeOptions<Dim>& options);

private:
    std::optional<Shape<Dim>> make_kind(const ShapeOptions<Dim>& options, const Path& path,
                                        OpenMesh open_mesh);
    void warn_of_many_turns(const Angles<Dim>& rotate, const Path& path);
    std::optional<Shape<Dim>> combine(const CombinedShape<Dim>& options, const Path& path);
    std::optional<Shape<Dim>> read(const MeshShape& options, const Path& path, OpenMesh open_mesh);
    Shape<Dim> make_sheet(const TriangleMesh& mesh, const std::string& file, const Path& path);
    void spend_on_reading(const std::filesystem::path& file) const;

    std::filesystem::path folder_;
    Findings& findings_;
    WorkBudget work_;
    Begin begin_;
    using Use = std::pair<std::string, OpenMesh>;
    std::map<Use, Shape<Dim>> meshes_; ///< each file is read once for each use
};

extern template class ShapeMaker<2>;
extern template class ShapeMaker<3>;

} // namespace phyxel
