// SPDX-License-Identifier: MIT
#include "made_surfaces.h"

#include <phyxel/search/kd_tree.h>
#include <phyxel/surface/particle_surface.h>

#include <algorithm>
#include <span>

namespace phyxel::studio {
namespace {

constexpr std::size_t nearest_count = 4;

std::vector<float> at_vertices(const std::vector<double>& values,
                               const QueryResults<Neighbor<double>>& nearest)
{
    std::vector<float> result(nearest.size());
    for (std::size_t v = 0; v < nearest.size(); ++v) {
        double sum = 0.0, weights = 0.0;
        for (const Neighbor<double>& neighbor : nearest.of(v)) {
            constexpr double least = 1e-24; // [m²], for a vertex that lies on a particle
            const double weight = 1.0 / (neighbor.distance * neighbor.distance + least);
            sum += weight * values[neighbor.id];
            weights += weight;
        }
        result[v] = static_cast<float>(sum / weights);
    }
    return result;
}

bool is_finite(const std::vector<Vec<3>>& points)
{
    return std::all_of(points.begin(), points.end(), [](const Vec<3>& x) { return x.allFinite(); });
}

} // namespace

std::map<std::string, double> spacings_of_made_surfaces(const Node& description)
{
    std::map<std::string, double> spacings;
    for (const Node& body : description.find("bodies")->items())
        if (const double spacing = body.find("spacing")->number();
            *body.find("surface") == Node("made") && spacing > 0.0)
            spacings.emplace(body.find("name")->text(), spacing);
    return spacings;
}

void add_made_surfaces(std::vector<Snapshot>& snapshots, const std::map<std::string, double>& spacings)
{
    // Coarser than those of `phyxel surface`, as every frame brings its own triangles.
    constexpr SurfaceOptions options{.cell = 0.75};
    for (Snapshot& snapshot : snapshots) {
        const auto made = spacings.find(snapshot.body);
        if (made == spacings.end() || snapshot.surface || snapshot.points.empty()) continue;
        std::vector<Vec<3>> velocities;
        if (const Field* velocity = snapshot.find("velocity")) velocities = vectors_of(*velocity);
        snapshot.surface = surface_mesh(extract_surface(snapshot.points, velocities, made->second, options));
    }
}

void color_surfaces(std::vector<Snapshot>& snapshots, const std::set<std::string>& fields)
{
    for (Snapshot& snapshot : snapshots) {
        if (!snapshot.surface || snapshot.points.empty()) continue;
        SurfaceMesh& surface = *snapshot.surface;
        std::vector<const Field*> missing;
        for (const std::string& name : fields)
            if (const Field* field = snapshot.find(name);
                field != nullptr && std::none_of(surface.fields.begin(), surface.fields.end(),
                                                 [&](const Field& own) { return own.name == name; }))
                missing.push_back(field);
        if (missing.empty() || !is_finite(snapshot.points) || !is_finite(surface.vertices)) continue;
        const KdTree<3> tree(snapshot.points);
        const auto nearest = tree.nearest(std::span<const Vec<3>>(surface.vertices), nearest_count);
        for (const Field* field : missing) {
            const std::vector<float> values = at_vertices(magnitudes(*field), nearest);
            surface.fields.push_back(scalar_field<float>(field->name, values));
        }
    }
}

} // namespace phyxel::studio
