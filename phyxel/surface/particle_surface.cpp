// SPDX-License-Identifier: MIT
#include <phyxel/surface/particle_surface.h>

#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/surface/detail/anisotropic_bells.h>
#include <phyxel/surface/detail/particle_bins.h>
#include <phyxel/surface/detail/particle_field.h>
#include <phyxel/surface/marching_cubes.h>
#include <phyxel/surface/mesh_smoothing.h>

#include <cmath>
#include <string>

namespace phyxel {
namespace {

void check_range(const char* name, double value, double least, double most)
{
    if (!(value >= least && value <= most))
        throw InputError(std::string(name) + " " + number_text(value) + ": must be from " +
                         number_text(least) + " to " + number_text(most));
}

detail::ParticleField make_field(std::span<const Vec<3>> positions, std::span<const Vec<3>> velocities,
                                 double spacing, const SurfaceOptions& options)
{
    const double cell = options.cell * spacing;
    if (options.method != SurfaceMethod::Anisotropic) {
        const detail::Bell bell = detail::round_bell(static_cast<float>(detail::bell_weight(options.support)),
                                                     static_cast<float>(options.support / options.cell));
        return {positions, velocities, {&bell, 1}, cell};
    }
    const detail::ShapedParticles shaped = detail::shape_particles(positions, spacing, options.support, cell);
    return {shaped.centers, velocities, shaped.bells, cell};
}

/// φ at all nodes where there is something.
SparseField sample(const detail::ParticleField& particles, const SurfaceOptions& options)
{
    if (options.method != SurfaceMethod::Distance) return particles.sample();
    // The radius for which a flat face lies half a spacing above its upper layer of particles: how far their
    // mean is from there, with layers one spacing apart and (1 − z²)⁴ the integral of (1 − q²)³ over a plane.
    double weight = 0.0;
    double radius = 0.0;
    for (double z = 0.5; z < options.support; z += 1.0) {
        const double w = std::pow(1 - z * z / (options.support * options.support), 4);
        weight += w;
        radius += w * z;
    }
    return particles.sample_distance(static_cast<float>(radius / weight / options.cell),
                                     static_cast<float>(1.0 / options.cell));
}

/// The value of the field that is the surface. Bells that lie flat in a face, with centres drawn into it, end
/// nearer to it than round ones: half of the density is a tenth of a spacing too deep. At three quarters of
/// it flat faces, balls of any size, sheets and a particle by itself have their volumes within a few per
/// cent; see docs/surfaces.md.
float level_of(const SurfaceOptions& options)
{
    const double factor = options.method == SurfaceMethod::Anisotropic ? 0.75 : 1.0;
    return static_cast<float>(factor * options.iso);
}

} // namespace

struct SurfaceExtractor::Parts {
    SurfaceOptions options;
    detail::ParticleField particles;
    SparseField density;
};

void check_options(const SurfaceOptions& options)
{
    check_range("cell", options.cell, 0.05, 4.0);
    check_range("support", options.support, 1.0, 8.0);
    check_range("iso", options.iso, 0.01, 0.99);
    check_range("smoothing", options.smoothing, 0, 100);
}

SurfaceExtractor::SurfaceExtractor(std::span<const Vec<3>> positions, std::span<const Vec<3>> velocities,
                                   double spacing, const SurfaceOptions& options)
{
    check_options(options);
    if (!(spacing > 0) || !std::isfinite(spacing))
        throw InputError("the spacing of the particles must be a positive length");
    if (!velocities.empty() && velocities.size() != positions.size())
        throw InputError("there are " + std::to_string(positions.size()) + " particles and " +
                         std::to_string(velocities.size()) + " velocities");
    detail::check_positions(positions, options.cell * spacing);
    detail::ParticleField particles = make_field(positions, velocities, spacing, options);
    SparseField density = sample(particles, options);
    parts_ = std::make_unique<Parts>(Parts{options, std::move(particles), std::move(density)});
}

SurfaceExtractor::~SurfaceExtractor() = default;
SurfaceExtractor::SurfaceExtractor(SurfaceExtractor&&) noexcept = default;
SurfaceExtractor& SurfaceExtractor::operator=(SurfaceExtractor&&) noexcept = default;

ParticleSurface SurfaceExtractor::surface() const
{
    ParticleSurface surface;
    IsoSurface iso = marching_cubes(parts_->density, level_of(parts_->options));
    const MeshSmoother smoother(iso.mesh);
    smoother.smooth(iso.mesh, parts_->options.smoothing);

    const std::size_t count = iso.mesh.vertices.size();
    std::vector<detail::PointSample> samples(count);
    const std::span<const Vec<3>> vertices = iso.mesh.vertices;
    if (!iso.groups.empty())
        parallel_for(
            iso.groups.size() - 1,
            [&](Index g) {
                const std::size_t first = iso.groups[g];
                const std::size_t size = iso.groups[g + 1] - first;
                parts_->particles.sample_points(vertices.subspan(first, size),
                                                std::span(samples).subspan(first, size));
            },
            4);
    surface.normals.resize(count);
    surface.velocities.resize(count);
    parallel_for(count, [&](Index v) {
        surface.normals[v] = samples[v].normal;
        surface.velocities[v] = samples[v].velocity;
    });
    // What the mesh no longer shows, its shading should not show either.
    smoother.smooth_directions(surface.normals, parts_->options.smoothing);
    surface.mesh = std::move(iso.mesh);
    return surface;
}

const SparseField& SurfaceExtractor::density() const { return parts_->density; }

std::array<SparseField, 3> SurfaceExtractor::velocity() const
{
    return parts_->particles.sample_velocity(parts_->density);
}

std::size_t SurfaceExtractor::memory() const { return parts_->density.memory() + parts_->particles.memory(); }

ParticleSurface extract_surface(std::span<const Vec<3>> positions, std::span<const Vec<3>> velocities,
                                double spacing, const SurfaceOptions& options)
{
    return SurfaceExtractor(positions, velocities, spacing, options).surface();
}

SurfaceMesh surface_mesh(const ParticleSurface& surface)
{
    SurfaceMesh mesh;
    mesh.vertices = surface.mesh.vertices;
    mesh.triangles = surface.mesh.triangles;
    mesh.fields = {vector_field<3, float>("normal", surface.normals),
                   vector_field<3, float>("velocity", surface.velocities)};
    return mesh;
}

} // namespace phyxel
