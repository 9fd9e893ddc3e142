// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/io/detail/text.h>
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/obj.h>
#include <phyxel/io/off.h>
#include <phyxel/io/ply.h>
#include <phyxel/io/stl.h>
#include <phyxel/io/vtk.h>
#include <phyxel/io/xyz.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

void require_finite(const std::vector<Vec<3>>& vectors, const std::string& name, const std::string& what)
{
    std::size_t count = 0;
    std::size_t first = 0;
    for (std::size_t i = vectors.size(); i-- > 0;) {
        if (vectors[i].allFinite()) continue;
        first = i;
        ++count;
    }
    if (count > 0)
        throw InputError(name + ": " + std::to_string(count) + " of " + std::to_string(vectors.size()) + " " +
                         what + " are not finite numbers, the first is number " + std::to_string(first));
}

} // namespace

SnapshotFile read_snapshot(const std::filesystem::path& path)
{
    const std::string extension = detail::lower_case(path.extension().string());
    if (extension == ".ply") return read_ply(path);
    if (extension == ".obj") return read_obj(path);
    if (extension == ".stl") return read_stl(path);
    if (extension == ".off") return read_off(path);
    if (extension == ".xyz") return read_xyz(path);
    if (extension == ".vtp") return read_vtp(path);
    throw InputError(path.string() + ": files of the kind " + detail::in_quotes(extension) +
                     " cannot be read; allowed: .ply, .obj, .stl, .off, .xyz, .vtp");
}

MeshFile read_mesh(const std::filesystem::path& path)
{
    SnapshotFile file = read_snapshot(path);
    Snapshot& snapshot = file.snapshot;
    if (snapshot.points.empty()) throw InputError(path.string() + ": the file has no vertices");
    require_finite(snapshot.points, path.string(), "vertices");
    MeshFile result;
    result.report = std::move(file.report);
    if (snapshot.triangles && !snapshot.triangles->empty()) {
        result.shape = TriangleMesh{std::move(snapshot.points), std::move(*snapshot.triangles)};
        return result;
    }
    PointCloud cloud;
    const Field* normals = snapshot.find("normal");
    if (normals != nullptr && normals->components == 3) {
        cloud.normals = vectors_of(*normals);
        require_finite(cloud.normals, path.string(), "normals");
    }
    cloud.positions = std::move(snapshot.points);
    result.shape = std::move(cloud);
    return result;
}

} // namespace phyxel
