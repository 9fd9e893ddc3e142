// SPDX-License-Identifier: MIT
// The surface of a fluid from its particles: closed, oriented triangles with normals and velocities.
//
//     const ParticleSurface surface = extract_surface(positions, velocities, spacing);
//
// The fluid is where the field φ(x) = Σ_j V_j W_j(x) is at least one half, with V_j the volume of a particle:
// half of what it is inside [AW09, Sec. 6.5]. The field is sampled in blocks around the particles only, so
// memory and time follow the fluid and not the space that it could be in.
#pragma once

#include <phyxel/core/snapshot.h>
#include <phyxel/core/types.h>
#include <phyxel/geometry/sparse_field.h>
#include <phyxel/geometry/triangle_mesh.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace phyxel {

enum class SurfaceMethod {
    Density,     ///< the same round kernel for all particles [AW09, Sec. 6.5]: fast, and bumpy
    Distance,    ///< distance from the mean position of the particles around [ZB05]
    Anisotropic, ///< kernels that are flat along surfaces and sheets, after [YT13]: smooth and sharp
};

/// Lengths are in units of the spacing of the particles.
struct SurfaceOptions {
    SurfaceMethod method = SurfaceMethod::Anisotropic;
    double cell = 0.5;    ///< of the grid that the field is sampled on; 0.05 to 4
    double support = 2.0; ///< of the kernels inside the fluid; 1 to 8
    double iso = 0.5;     ///< part of the field inside the fluid that is its surface; 0.01 to 0.99
    int smoothing = 3;    ///< passes over the mesh that keep its volume; 0 to 100
};

/// What is wrong with the options is an InputError.
void check_options(const SurfaceOptions& options);

struct ParticleSurface {
    TriangleMesh mesh;                     ///< a closed manifold; triangles face outwards
    std::vector<Vec<3, float>> normals;    ///< of each vertex, outwards, of unit length
    std::vector<Vec<3, float>> velocities; ///< of each vertex [m/s]
};

/// A fluid made ready: its field is sampled. The same bits on any number of threads.
class SurfaceExtractor {
public:
    /// `spacing` is the distance of the particles at rest: each has a volume of spacing³ [m]. `velocities`
    /// has one for each particle, or none: all are zero then. Throws InputError for positions that are not
    /// finite or too far away, and for options out of range.
    SurfaceExtractor(std::span<const Vec<3>> positions, std::span<const Vec<3>> velocities, double spacing,
                     const SurfaceOptions& options = {});
    ~SurfaceExtractor();
    SurfaceExtractor(SurfaceExtractor&&) noexcept;
    SurfaceExtractor& operator=(SurfaceExtractor&&) noexcept;

    ParticleSurface surface() const;

    /// φ, which is 1 inside the fluid and 0 far from it. Memory of its own is what it takes.
    const SparseField& density() const;

    /// Mean velocity at the same nodes, along x, y and z [m/s].
    std::array<SparseField, 3> velocity() const;

    /// What fields and particles take at the moment, without the surface [bytes].
    std::size_t memory() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// All at once.
ParticleSurface extract_surface(std::span<const Vec<3>> positions, std::span<const Vec<3>> velocities,
                                double spacing, const SurfaceOptions& options = {});

/// With the fields `normal` and `velocity`, as files of surfaces have them.
SurfaceMesh surface_mesh(const ParticleSurface& surface);

} // namespace phyxel
