// SPDX-License-Identifier: MIT
#include "fluid_surfaces.h"

#include <phyxel/surface/particle_surface.h>

namespace phyxel::studio {

std::map<std::string, double> spacings_of_fluids(const Node& description)
{
    std::map<std::string, double> spacings;
    if (description.find("dimension")->number() != 3.0) return spacings;
    for (const Node& body : description.find("bodies")->items())
        if (const double spacing = body.find("spacing")->number();
            *body.find("type") == Node("fluid") && spacing > 0.0)
            spacings.emplace(body.find("name")->text(), spacing);
    return spacings;
}

void add_fluid_surfaces(std::vector<Snapshot>& snapshots, const std::map<std::string, double>& spacings)
{
    // Coarser than those of `phyxel surface`, as every frame brings its own triangles.
    constexpr SurfaceOptions options{.cell = 0.75};
    for (Snapshot& snapshot : snapshots) {
        const auto fluid = spacings.find(snapshot.body);
        if (fluid == spacings.end() || snapshot.surface || snapshot.points.empty()) continue;
        std::vector<Vec<3>> velocities;
        if (const Field* velocity = snapshot.find("velocity")) velocities = vectors_of(*velocity);
        snapshot.surface = surface_mesh(extract_surface(snapshot.points, velocities, fluid->second, options));
    }
}

} // namespace phyxel::studio
