// SPDX-License-Identifier: MIT
// 07_surface: the surface of a splash of particles, as a closed mesh with normals and velocities.
// Run:     example_07_surface [FOLDER]     Expect: closed meshes, 1 to 2 % below the particles.
#include <phyxel/core/rng.h>
#include <phyxel/geometry/mesh_check.h>
#include <phyxel/io/ply.h>
#include <phyxel/surface/particle_surface.h>

#include <cstdio>
#include <string>
#include <vector>

using namespace phyxel;

int main(int argc, char** argv)
{
    const std::string folder = argc > 1 ? argv[1] : ".";
    constexpr double spacing = 0.01;
    Rng rng(1);
    std::vector<Vec<3>> x, v;
    for (int k = 0; k < 30; ++k) // a pool of 6 layers, and a drop above it that falls
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) {
                const bool is_drop = (Vec<3>(i, j, k) - Vec<3>(19.5, 19.5, 17)).norm() < 7;
                if (k >= 6 && !is_drop) continue;
                x.push_back(spacing * (Vec<3>(i, j, k) + rng.point<3>(-0.2, 0.2)));
                v.emplace_back(0, 0, is_drop ? -1.0 : 0.0);
            }
    for (const SurfaceMethod method : {SurfaceMethod::Density, SurfaceMethod::Anisotropic}) {
        const ParticleSurface surface = extract_surface(x, v, spacing, {.method = method});
        const MeshReport report = check_mesh(surface.mesh);
        std::printf("%zu particles, %zu triangles, %s, %zu pieces, %.1f cm2, %.1f ml (particles: %.1f ml)\n",
                    x.size(), report.triangle_count, report.is_clean() ? "closed" : "open", report.components,
                    1e4 * report.area, 1e6 * report.signed_volume, double(x.size()));
        Snapshot snapshot;
        snapshot.body = method == SurfaceMethod::Density ? "density" : "anisotropic";
        snapshot.surface = surface_mesh(surface);
        write_ply(folder + "/" + snapshot.body + "_surface.ply", surface_snapshot(snapshot));
    }
}
