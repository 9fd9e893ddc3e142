// SPDX-License-Identifier: MIT
#include <phyxel/scene/shape_maker.h>

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/placement.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/scene/quantity.h>

#include <cstdint>
#include <numbers>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace phyxel {
namespace {

/// The path names the shape already: `box: min is …`.
std::string without_name(std::string_view message, std::string_view name)
{
    if (message.starts_with(name) && message.substr(name.size()).starts_with(": "))
        message.remove_prefix(name.size() + 2);
    return std::string(message);
}

std::string_view key_of(ShapeOperation operation)
{
    switch (operation) {
    case ShapeOperation::Union:
        return "union";
    case ShapeOperation::Intersection:
        return "intersection";
    case ShapeOperation::Difference:
        return "difference";
    }
    return {};
}

template <int Dim>
Shape<Dim> combined(ShapeOperation operation, std::vector<Shape<Dim>> parts)
{
    switch (operation) {
    case ShapeOperation::Intersection:
        return intersect(std::move(parts));
    case ShapeOperation::Difference:
        return subtract(std::move(parts));
    case ShapeOperation::Union:
        break;
    }
    return unite(std::move(parts));
}

/// For each byte of a file of a mesh, for each triangle until one can ask what is inside, and for each point
/// of a cloud, in units of WorkBudget. Measured.
constexpr double reading_work = 2.0;
constexpr double triangle_work = 100.0;
constexpr double point_work = 700.0;

double work_of_solid(const TriangleMesh& mesh)
{
    return triangle_work * static_cast<double>(mesh.triangles.size());
}

double work_of_solid(const PointCloud& cloud)
{
    return point_work * static_cast<double>(cloud.positions.size());
}

} // namespace

template <int Dim>
ShapeMaker<Dim>::ShapeMaker(std::filesystem::path folder, Findings& findings, const WorkBudget& work,
                            Begin begin)
    : folder_(std::move(folder)),
      findings_(findings),
      work_(work),
      begin_(std::move(begin))
{
}

/// So that a file of hundreds of megabytes is given up before it is read.
template <int Dim>
void ShapeMaker<Dim>::spend_on_reading(const std::filesystem::path& file) const
{
    std::error_code none;
    const std::uintmax_t bytes = std::filesystem::file_size(file, none);
    if (!none) work_.spend(reading_work * static_cast<double>(bytes));
}

template <int Dim>
std::optional<Shape<Dim>> ShapeMaker<Dim>::make(const ShapeOptions<Dim>& options, const Path& path,
                                                OpenMesh open_mesh)
{
    const std::optional<Shape<Dim>> shape = make_kind(options, path, open_mesh);
    if (!shape) return std::nullopt;
    try {
        const Shape<Dim> placed = place(*shape, options.placement);
        warn_of_many_turns(options.placement.rotate, path);
        if (std::holds_alternative<MeshShape>(options.kind)) {
            constexpr double smallest = 1e-3;
            constexpr double largest = 100.0;
            const double length = placed.bounds().longest_side();
            if (length < smallest || length > largest)
                findings_.warn(path / "mesh", "the shape is " + format_quantity(length, "m") + " long",
                               "if the file is in another unit, give \"size\" or \"scale\" beside it");
        }
        return placed;
    } catch (const InputError& error) {
        findings_.add_problem(path, error.what());
        return std::nullopt;
    }
}

/// A bare number is in radians, and nobody turns a shape by more than a whole turn.
template <int Dim>
void ShapeMaker<Dim>::warn_of_many_turns(const Angles<Dim>& rotate, const Path& path)
{
    const double most = rotate.cwiseAbs().maxCoeff();
    constexpr double turn = 2.0 * std::numbers::pi;
    if (!(most > turn * (1.0 + 1e-9))) return;
    findings_.warn(path / "rotate",
                   "a rotation by " + number_text(most, 6) + " rad is " + number_text(most / turn, 3) +
                       " turns",
                   "plain numbers are radians; write degrees as in \"" + number_text(most, 6) + " deg\"");
}

template <int Dim>
std::optional<std::variant<TriangleMesh, PointCloud>>
ShapeMaker<Dim>::file_surface(const ShapeOptions<Dim>& options)
{
    if constexpr (Dim == 3) {
        const auto* mesh = std::get_if<MeshShape>(&options.kind);
        if (mesh == nullptr) return std::nullopt;
        const Shape<Dim>& shape = meshes_.at({mesh->file, OpenMesh::Solid});
        const Similarity<Dim> map = placement_map(shape, options.placement);
        spend_on_reading(folder_ / mesh->file);
        return std::visit(
            [&](auto surface) -> std::variant<TriangleMesh, PointCloud> {
                return transformed(std::move(surface), map);
            },
            read_mesh(folder_ / mesh->file).shape);
    }
    return std::nullopt;
}

template <int Dim>
std::optional<Shape<Dim>> ShapeMaker<Dim>::make_kind(const ShapeOptions<Dim>& options, const Path& path,
                                                     OpenMesh open_mesh)
{
    return std::visit(
        [&]<class Kind>(const Kind& kind) -> std::optional<Shape<Dim>> {
            if constexpr (std::is_same_v<Kind, std::monostate>) {
                return std::nullopt;
            } else if constexpr (std::is_same_v<Kind, CombinedShape<Dim>>) {
                return combine(kind, path);
            } else if constexpr (std::is_same_v<Kind, MeshShape>) {
                return read(kind, path / "mesh", open_mesh);
            } else {
                try {
                    return Shape<Dim>(kind);
                } catch (const InputError& error) {
                    findings_.add_problem(path, error.what());
                    return std::nullopt;
                }
            }
        },
        options.kind);
}

template <int Dim>
std::optional<Shape<Dim>> ShapeMaker<Dim>::combine(const CombinedShape<Dim>& options, const Path& path)
{
    const std::string key(key_of(options.operation));
    const Path list = path / key;
    std::vector<Shape<Dim>> parts;
    for (std::size_t i = 0; i < options.parts.size(); ++i)
        if (std::optional<Shape<Dim>> part = make(options.parts[i], list / i))
            parts.push_back(std::move(*part));
    if (parts.size() < options.parts.size()) return std::nullopt;
    try {
        return combined(options.operation, std::move(parts));
    } catch (const InputError& error) {
        findings_.add_problem(list, without_name(error.what(), key));
        return std::nullopt;
    }
}

template <int Dim>
std::optional<Shape<Dim>> ShapeMaker<Dim>::read(const MeshShape& options, const Path& path,
                                                OpenMesh open_mesh)
{
    const Use use(options.file, open_mesh);
    const auto known = meshes_.find(use);
    if (known != meshes_.end()) return known->second;
    const std::filesystem::path file = folder_ / options.file;
    const auto in_file = [&](std::string_view message) {
        const std::string name = file.string();
        return message.starts_with(name) ? std::string(message) : name + ": " + std::string(message);
    };
    if (begin_) begin_(path);
    spend_on_reading(file);
    try {
        const MeshFile content = read_mesh(file);
        constexpr std::string_view remedy = "look at the shape that comes out, or repair the file";
        for (const std::string& warning : content.report.warnings)
            findings_.warn(path, in_file(warning), std::string(remedy));
        const auto* mesh = std::get_if<TriangleMesh>(&content.shape);
        if (mesh != nullptr && open_mesh == OpenMesh::Sheet && is_open_sheet(*mesh))
            return meshes_.emplace(use, make_sheet(*mesh, file.string(), path)).first->second;
        work_.spend(std::visit([](const auto& surface) { return work_of_solid(surface); }, content.shape));
        const MeshSolid solid =
            std::visit([](const auto& surface) { return MeshSolid(surface); }, content.shape);
        for (const std::string& warning : solid.warnings())
            findings_.warn(path, in_file(warning), std::string(remedy));
        return meshes_.emplace(use, Shape<Dim>(solid)).first->second;
    } catch (const InputError& error) {
        findings_.add_problem(path, in_file(error.what()));
        return std::nullopt;
    }
}

template <int Dim>
Shape<Dim> ShapeMaker<Dim>::make_sheet(const TriangleMesh& mesh, const std::string& file, const Path& path)
{
    const MeshSheet sheet(mesh);
    std::string defects;
    for (const std::string& defect : describe_defects(sheet.report()))
        defects += (defects.empty() ? "" : ", ") + defect;
    findings_.warn(path, file + ": the mesh is open (" + defects + ") and is a wall from both sides",
                   "close it if it is meant to be solid");
    return Shape<Dim>(sheet);
}

template class ShapeMaker<2>;
template class ShapeMaker<3>;

} // namespace phyxel
