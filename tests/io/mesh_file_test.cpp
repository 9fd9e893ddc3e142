// SPDX-License-Identifier: MIT
#include <phyxel/io/mesh_file.h>
#include <phyxel/io/obj.h>
#include <phyxel/io/ply.h>

#include "io_support.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

namespace phyxel::mesh_file_test {
namespace {

namespace fs = std::filesystem;

std::string error_in(const fs::path& path)
{
    return error_of([&] { static_cast<void>(read_mesh(path)); });
}

TEST(MeshFile, the_extension_decides_whatever_its_case)
{
    const TemporaryFolder folder;
    Snapshot snapshot = sample_snapshot();
    write_ply(folder / "a.ply", snapshot);
    write_obj(folder / "b.OBJ", snapshot);
    for (const char* name : {"a.ply", "b.OBJ"}) {
        const MeshFile file = read_mesh(folder / name);
        const auto& mesh = std::get<TriangleMesh>(file.shape);
        EXPECT_EQ(mesh.vertices, snapshot.points);
        EXPECT_EQ(mesh.triangles, *snapshot.triangles);
        EXPECT_EQ(file.report.vertex_count, 4u);
    }
    write_file(folder / "c.Stl",
               "solid\nfacet normal 0 0 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
               "endloop endfacet\nendsolid\n");
    EXPECT_EQ(std::get<TriangleMesh>(read_mesh(folder / "c.Stl").shape).triangles.size(), 1u);
    write_file(folder / "e.OFF", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
    EXPECT_EQ(std::get<TriangleMesh>(read_mesh(folder / "e.OFF").shape).triangles.size(), 1u);
    write_file(folder / "f.xyz", "0 0 0 0 0 1\n1 0 0 0 0 1\n");
    EXPECT_EQ(std::get<PointCloud>(read_mesh(folder / "f.xyz").shape).normals.size(), 2u);
    EXPECT_EQ(error_in(folder / "d.fbx"),
              (folder / "d.fbx").string() +
                  ": files of the kind \".fbx\" cannot be read; allowed: .ply, .obj, .stl, .off, .xyz, .vtp");
}

TEST(MeshFile, without_faces_it_is_a_cloud_with_normals)
{
    const TemporaryFolder folder;
    Snapshot snapshot = sample_snapshot();
    snapshot.triangles->clear();
    write_ply(folder / "empty_mesh.ply", snapshot);
    snapshot.triangles.reset();
    write_ply(folder / "points.ply", snapshot);
    for (const char* name : {"empty_mesh.ply", "points.ply"}) {
        const MeshFile file = read_mesh(folder / name);
        const auto& cloud = std::get<PointCloud>(file.shape);
        EXPECT_EQ(cloud.positions, snapshot.points);
        EXPECT_EQ(cloud.normals, (std::vector<Vec<3>>{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}}));
    }
}

TEST(MeshFile, vertices_and_normals_that_are_not_finite_are_an_error)
{
    const TemporaryFolder folder;
    write_file(folder / "a.obj", "v 0 0 0\nv 0 nan 0\nv 0 0 inf\nf 1 2 3\n");
    EXPECT_EQ(error_in(folder / "a.obj"),
              (folder / "a.obj").string() +
                  ": 2 of 3 vertices are not finite numbers, the first is number 1");
    write_file(folder / "b.obj", "v 0 0 0\nvn nan 0 0\n");
    EXPECT_EQ(error_in(folder / "b.obj"),
              (folder / "b.obj").string() + ": 1 of 1 normals are not finite numbers, the first is number 0");
}

TEST(MeshFile, a_file_without_vertices_is_an_error)
{
    const TemporaryFolder folder;
    write_ply(folder / "a.ply", Snapshot());
    EXPECT_EQ(error_in(folder / "a.ply"), (folder / "a.ply").string() + ": the file has no vertices");
}

/// The scans beside the repository, seen from a build folder inside it; empty if there are none.
fs::path models_folder()
{
    for (fs::path folder = fs::current_path(); folder != folder.root_path(); folder = folder.parent_path()) {
        const fs::path models = folder.parent_path() / "shared" / "models";
        if (fs::exists(folder / "phyxel" / "io" / "CMakeLists.txt") && fs::exists(models)) return models;
    }
    return {};
}

TEST(MeshFile, every_scan_is_read)
{
    const fs::path folder = models_folder();
    if (folder.empty()) GTEST_SKIP() << "no folder shared/models beside the repository";
    const std::map<std::string, std::pair<std::size_t, std::size_t>> counts = {
        {"armadillo.ply", {43243, 86482}},       {"bunny.ply", {29834, 59664}},
        {"dragon-stanford.ply", {22819, 45638}}, {"dragon-xyzrgb.ply", {50001, 99998}},
        {"igea.ply", {134345, 268686}},          {"max-planck.ply", {10000, 19996}},
        {"rocker-arm.ply", {10044, 20088}},      {"santa.ply", {10241, 20478}},
        {"tshirt-open.ply", {7702, 15180}},      {"gargoyle-points.ply", {95435, 0}}};
    std::size_t read_count = 0;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".ply") continue;
        SCOPED_TRACE(entry.path().filename());
        const MeshFile file = read_mesh(entry.path());
        ++read_count;
        const Box<3> box = std::visit([](const auto& shape) { return bounds(shape); }, file.shape);
        EXPECT_TRUE(box.min.allFinite() && box.max.allFinite());
        EXPECT_GT(box.shortest_side(), 0.0);
        EXPECT_TRUE(file.report.warnings.empty());
        const auto known = counts.find(entry.path().filename().string());
        if (known == counts.end()) continue;
        EXPECT_EQ(file.report.vertex_count, known->second.first);
        EXPECT_EQ(file.report.face_count, known->second.second);
        EXPECT_EQ(std::holds_alternative<PointCloud>(file.shape), known->second.second == 0);
        if (const auto* cloud = std::get_if<PointCloud>(&file.shape)) {
            ASSERT_EQ(cloud->normals.size(), cloud->positions.size());
            for (const Vec<3>& n : cloud->normals) ASSERT_NEAR(n.norm(), 1.0, 1e-3);
        }
    }
    EXPECT_GT(read_count, 0u);
}

} // namespace
} // namespace phyxel::mesh_file_test
