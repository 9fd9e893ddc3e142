// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/render/render_scene.h>

#include <algorithm>
#include <string>

namespace phyxel {
namespace {

void check_count(const std::string& what, std::size_t count, std::size_t things)
{
    if (things == 0 || count == 1 || count == things) return;
    throw InputError(what + ": " + std::to_string(count) + " for " + std::to_string(things) +
                     " things; must be one, or one for each");
}

void check_radii(const std::string& what, const std::vector<float>& radii)
{
    if (std::any_of(radii.begin(), radii.end(), [](float radius) { return radius < 0.0f; }))
        throw InputError(what + ": a radius is below 0");
}

void check_motions(const std::string& what, std::size_t count, std::size_t things)
{
    if (count == 0 || count == things) return;
    throw InputError("motions of " + what + ": " + std::to_string(count) + " for " + std::to_string(things) +
                     " things; must be none, or one for each");
}

} // namespace

Lighting lighting_for(const Camera& camera, PictureStyle style)
{
    const CameraView view(camera, 1, 1);
    const StyleColors& colors = colors_of(style);
    Lighting lighting;
    for (Color* sky : {&lighting.horizon, &lighting.zenith, &lighting.below}) *sky *= colors.sky;
    lighting.sun *= colors.sun;
    lighting.backdrop_low = colors.backdrop_low;
    lighting.backdrop_high = colors.backdrop_high;
    lighting.up = camera.up;
    lighting.sun_direction = -0.85 * view.right() + 0.95 * view.up() + 0.22 * view.back();
    if (camera.is_parallel) {
        // A plane seen from the front is lit from there, or the wall behind it is dark.
        lighting.up = view.back();
        lighting.sun_direction = -0.5 * view.right() + 0.6 * view.up() + view.back();
    }
    return lighting;
}

void check_scene(const RenderScene& scene)
{
    for (const DrawnSpheres& spheres : scene.spheres) {
        check_count("radii of spheres", spheres.radii.size(), spheres.centers.size());
        check_count("colors of spheres", spheres.colors.size(), spheres.centers.size());
        check_radii("spheres", spheres.radii);
        check_motions("spheres", spheres.motions.size(), spheres.centers.size());
    }
    for (const DrawnSurfels& surfels : scene.surfels) {
        const bool are_ellipses = !surfels.axes.empty();
        const std::size_t directions = are_ellipses ? surfels.axes.size() : surfels.normals.size();
        if (directions != surfels.centers.size())
            throw InputError(std::string(are_ellipses ? "axes" : "normals") +
                             " of surfels: " + std::to_string(directions) + " for " +
                             std::to_string(surfels.centers.size()) + " surfels; must be one for each");
        if (!are_ellipses) check_count("radii of surfels", surfels.radii.size(), surfels.centers.size());
        check_count("colors of surfels", surfels.colors.size(), surfels.centers.size());
        check_radii("surfels", surfels.radii);
        check_motions("surfels", surfels.motions.size(), surfels.centers.size());
    }
    for (const DrawnMesh& drawn : scene.meshes) {
        const std::size_t count = drawn.mesh.vertices.size();
        if (!drawn.liquid) check_count("colors of a mesh", drawn.colors.size(), count);
        check_motions("a mesh", drawn.motions.size(), count);
        if (drawn.liquid &&
            !(drawn.liquid->refractive_index >= 1.0f && drawn.liquid->absorption.minCoeff() >= 0.0f))
            throw InputError(
                "a liquid needs a refractive index of at least 1 and an absorption of at least 0");
        for (const auto& triangle : drawn.mesh.triangles)
            if (*std::max_element(triangle.begin(), triangle.end()) >= count)
                throw InputError("a triangle has vertex " +
                                 std::to_string(*std::max_element(triangle.begin(), triangle.end())) +
                                 ", but the mesh has " + std::to_string(count));
    }
}

} // namespace phyxel
