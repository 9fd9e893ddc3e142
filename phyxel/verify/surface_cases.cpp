// SPDX-License-Identifier: MIT
// V-U: iso-surfaces of fields that are known, and surfaces of particles that fill a known shape.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/rng.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/surface/marching_cubes.h>
#include <phyxel/surface/particle_surface.h>
#include <phyxel/verify/detail/measurements.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <vector>

namespace phyxel::detail {
namespace {

/// Makes the mesh on which a field is 0.
using Extraction = std::function<TriangleMesh(const SparseField& field)>;

TriangleMesh extract(const SparseField& field) { return marching_cubes(field, 0.0f).mesh; }

// V-U5: marching cubes on fields that are given

/// The function at the nodes of all blocks from `first` to `last`.
SparseField sampled(std::int32_t first, std::int32_t last, double cell,
                    const std::function<double(const GridIndex&)>& function)
{
    std::vector<GridIndex> blocks;
    for (std::int32_t z = first; z <= last; ++z)
        for (std::int32_t y = first; y <= last; ++y)
            for (std::int32_t x = first; x <= last; ++x) blocks.push_back({x, y, z});
    SparseField field(cell, blocks, -1.0f);
    for (std::size_t b = 0; b < field.block_count(); ++b) {
        const GridIndex index = field.block_index(b);
        for (std::int32_t n = 0; n < 512; ++n)
            field.values(b)[static_cast<std::size_t>(n)] = static_cast<float>(
                function({8 * index[0] + n % 8, 8 * index[1] + n / 8 % 8, 8 * index[2] + n / 64}));
    }
    return field;
}

/// 1 − |x|, whose surface is the unit sphere, at 20 nodes a radius.
SparseField sphere_field()
{
    constexpr double cell = 0.05;
    return sampled(-4, 4, cell,
                   [](const GridIndex& n) { return 1.0 - cell * Vec<3>(n[0], n[1], n[2]).norm(); });
}

/// Independent random values at 16³ nodes: every case of a cell, and every ambiguity, many times.
SparseField random_field(std::uint64_t seed)
{
    Rng rng(seed);
    return sampled(-1, 2, 1.0, [&](const GridIndex& node) {
        const double value = rng.uniform(-1, 1);
        for (const std::int32_t k : node)
            if (k < 0 || k >= 16) return -1.0;
        return value;
    });
}

/// How many edges do not have two triangles that face the same way.
double bad_edges(const TriangleMesh& mesh)
{
    const MeshReport report = check_mesh(mesh);
    return static_cast<double>(report.boundary_edges + report.non_manifold_edges + report.inconsistent_edges);
}

/// V − E + F of a closed mesh, whose edges are three halves of its triangles.
double euler_characteristic(const TriangleMesh& mesh)
{
    return static_cast<double>(mesh.vertices.size()) - 0.5 * static_cast<double>(mesh.triangles.size());
}

/// Leaves out the triangles of cells that have one corner inside.
TriangleMesh without_one_case(const SparseField& field)
{
    TriangleMesh mesh = extract(field);
    std::erase_if(mesh.triangles, [&](const std::array<Index, 3>& t) {
        const Vec<3> middle =
            (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / (3 * field.cell());
        int inside = 0;
        for (int c = 0; c < 8; ++c) {
            GridIndex node;
            for (int k = 0; k < 3; ++k)
                node[static_cast<std::size_t>(k)] =
                    static_cast<std::int32_t>(std::floor(middle[k])) + (c >> k & 1);
            inside += field.at(node) >= 0 ? 1 : 0;
        }
        return inside == 1;
    });
    return mesh;
}

/// Puts every vertex into the middle of its edge.
TriangleMesh without_interpolation(const SparseField& field)
{
    TriangleMesh mesh = extract(field);
    for (Vec<3>& x : mesh.vertices)
        for (int k = 0; k < 3; ++k) {
            const double n = x[k] / field.cell();
            if (std::abs(n - std::round(n)) > 1e-6) x[k] = field.cell() * (std::floor(n) + 0.5);
        }
    return mesh;
}

TriangleMesh half_a_cell_too_large(const SparseField& field)
{
    return marching_cubes(field, static_cast<float>(-0.5 * field.cell())).mesh;
}

void add_marching_cubes_cases(std::vector<Case>& cases)
{
    const std::string one_case = "the triangles of cells with one corner inside are missing";
    cases.push_back(make_case(
        {"V-U5/sphere/closed", "the surface of a sampled sphere is closed, oriented and without a handle",
         "every edge has two triangles, and V − E + F = 2"},
        [](const Extraction& extraction) {
            const TriangleMesh mesh = extraction(sphere_field());
            return count_measurement(bad_edges(mesh) + std::abs(euler_characteristic(mesh) - 2), "defects",
                                     "of " + std::to_string(mesh.triangles.size()) + " triangles");
        },
        Extraction(extract), one_case, without_one_case));
    cases.push_back(make_case(
        {"V-U5/sphere/area", "the surface of a sampled sphere has its area", "4π R² [LC87]"},
        [](const Extraction& extraction) {
            const double exact = 4.0 * std::numbers::pi;
            return error_measurement(surface_area(extraction(sphere_field())) / exact - 1, 0.005,
                                     "20 cells a radius");
        },
        Extraction(extract), "vertices in the middle of edges", without_interpolation));
    cases.push_back(make_case(
        {"V-U5/sphere/volume", "the surface of a sampled sphere holds its volume", "4π/3 R³ [LC87]"},
        [](const Extraction& extraction) {
            const double exact = 4.0 / 3.0 * std::numbers::pi;
            return error_measurement(signed_volume(extraction(sphere_field())) / exact - 1, 0.003,
                                     "20 cells a radius");
        },
        Extraction(extract), "an iso value half a cell too low", half_a_cell_too_large));
    cases.push_back(make_case(
        {"V-U5/random/closed", "whatever the values are, the surface is closed and oriented",
         "every edge has two triangles that face the same way"},
        [](const Extraction& extraction) {
            constexpr int fields = 10;
            double defects = 0.0;
            for (std::uint64_t seed = 1; seed <= fields; ++seed)
                defects += bad_edges(extraction(random_field(seed)));
            return count_measurement(defects, "edges",
                                     std::to_string(fields) + " random fields of 16³ nodes");
        },
        Extraction(extract), one_case, without_one_case));
}

// V-U7: surfaces of particles

std::vector<Vec<3>> particle_ball(double radius)
{
    std::vector<Vec<3>> points;
    const int n = static_cast<int>(radius) + 1;
    for (int k = -n; k < n; ++k)
        for (int j = -n; j < n; ++j)
            for (int i = -n; i < n; ++i) {
                const Vec<3> x(i + 0.5, j + 0.5, k + 0.5);
                if (x.norm() <= radius) points.push_back(x);
            }
    return points;
}

void add_particle_cases(std::vector<Case>& cases, SurfaceMethod method, const std::string& name)
{
    constexpr double radius = 20.0;
    const SurfaceOptions honest{.method = method};
    const auto ball = [](const SurfaceOptions& options) {
        return extract_surface(particle_ball(radius), {}, 1.0, options).mesh;
    };
    const std::string note = "a ball of 20 spacings, 33,552 particles";
    const std::string wrong_iso = "an iso value of a tenth";
    const SurfaceOptions low{.method = method, .iso = 0.1};
    cases.push_back(make_case(
        {"V-U7/ball/volume/" + name, "the surface of particles in a ball holds its volume", "4π/3 R³"},
        [=](const SurfaceOptions& options) {
            const double exact = 4.0 / 3.0 * std::numbers::pi * radius * radius * radius;
            return error_measurement(signed_volume(ball(options)) / exact - 1, 0.02, note);
        },
        honest, wrong_iso, low));
    cases.push_back(make_case(
        {"V-U7/ball/area/" + name, "the surface of particles in a ball has its area", "4π R²"},
        [=](const SurfaceOptions& options) {
            const double exact = 4.0 * std::numbers::pi * radius * radius;
            return error_measurement(surface_area(ball(options)) / exact - 1, 0.02, note);
        },
        honest, wrong_iso, low));
    const auto add_closed_case = [&](const std::string& shape, const std::string& claim,
                                     const std::vector<Vec<3>>& points) {
        cases.push_back(make_case(
            {"V-U7/" + shape + "/closed/" + name, claim, "every edge has two triangles, and V − E + F = 2"},
            [=](double spacing) {
                const TriangleMesh mesh = extract_surface(points, {}, spacing, honest).mesh;
                return count_measurement(bad_edges(mesh) + std::abs(euler_characteristic(mesh) - 2),
                                         "defects", std::to_string(points.size()) + " particles");
            },
            1.0, "particles taken for half as far apart as they are", 0.5));
    };
    add_closed_case("ball", "the surface of particles in a ball is closed, oriented and in one piece",
                    particle_ball(radius));
    std::vector<Vec<3>> sheet;
    for (int j = 0; j < 40; ++j)
        for (int i = 0; i < 40; ++i) sheet.emplace_back(i, j, 0);
    add_closed_case("sheet", "a sheet one particle thick has a closed surface without a hole", sheet);
}

} // namespace

std::vector<Case> surface_cases()
{
    std::vector<Case> cases;
    add_marching_cubes_cases(cases);
    add_particle_cases(cases, SurfaceMethod::Density, "density");
    add_particle_cases(cases, SurfaceMethod::Anisotropic, "anisotropic");
    return cases;
}

} // namespace phyxel::detail
