// SPDX-License-Identifier: MIT
// What is in a picture: things with colours, the ground they stand on, and the light.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/geometry/triangle_mesh.h>
#include <phyxel/render/camera.h>
#include <phyxel/render/image.h>
#include <phyxel/render/style.h>

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace phyxel {

// Radii and colours below are one for all, or one for each. Things whose place is not a finite number are
// not drawn.

/// Particles.
struct DrawnSpheres {
    std::vector<Vec<3>> centers = {}; ///< [m]
    std::vector<float> radii = {};    ///< [m]
    std::vector<Color> colors = {};   ///< how much light they throw back, 0 to 1
    float gloss = 0.5f;               ///< 0 is chalk, 1 has a wet highlight
    /// How far each moves while the shutter is open; the positions are those of its middle. Empty if nothing
    /// moves. [m]
    std::vector<Vec<3>> motions = {};
};

/// Samples of a surface as discs or ellipses, seen from both sides. Where they overlap, light falls on them
/// as on one smooth surface.
struct DrawnSurfels {
    std::vector<Vec<3>> centers = {}; ///< [m]
    std::vector<Vec<3>> normals = {}; ///< of any length but zero; not needed where there are axes
    std::vector<float> radii = {};    ///< [m]
    /// The two half-axes of ellipses, instead of normals and radii: empty, or a pair for each. [m]
    std::vector<std::array<Vec<3>, 2>> axes = {};
    std::vector<Color> colors = {};
    float gloss = 0.3f;
    std::vector<Vec<3>> motions = {}; ///< as those of spheres [m]
};

/// Light goes through it, bent at the surface and dimmed on the way.
struct Liquid {
    float refractive_index = 1.333f;
    Color absorption = Color::Zero(); ///< a part e^-a of the light is left after 1 m [1/m]
};

/// Triangles, seen from both sides. Those of a liquid are counterclockwise seen from outside.
struct DrawnMesh {
    TriangleMesh mesh = {};
    std::vector<Color> colors = {}; ///< one, or one for each vertex
    /// Normals vary over the triangles, except across edges sharper than this. 0 shows every facet. [rad]
    double smooth_angle = 0.7;
    float gloss = 0.3f;
    std::vector<Vec<3>> motions = {};  ///< of the vertices, as those of spheres [m]
    std::optional<Liquid> liquid = {}; ///< instead of colours
    /// What faces the viewer is left out, and it casts no shadow: one looks into it. Counterclockwise seen
    /// from outside.
    bool only_far_side = false;
};

/// The edges of a box as thin lines that cast no shadow.
struct DrawnBox {
    Box<3> box = {};
    Color color = Color::Constant(0.18f);
    float width = 1.6f; ///< in pixels of a picture 720 pixels high
};

/// An endless plane that fades into the background.
struct Ground {
    Vec<3> point = Vec<3>::Zero();            ///< [m]
    Vec<3> normal = Vec<3>(0.0, 0.0, 1.0);    ///< of any length but zero
    Color color = Color(0.62f, 0.63f, 0.64f); ///< how much light it throws back
};

/// A sky that is brighter towards the zenith, and a sun. A white plane that faces straight up under the whole
/// sky has radiance ⅓ `horizon` + ⅔ `zenith`; one that faces the sun adds `sun`.
struct Lighting {
    Vec<3> up = Vec<3>(0.0, 0.0, 1.0);
    Color horizon = Color(0.55f, 0.55f, 0.54f); ///< radiance of the sky
    Color zenith = Color(0.49f, 0.52f, 0.57f);
    Color below = Color(0.32f, 0.32f, 0.32f);       ///< radiance from below the horizon
    Vec<3> sun_direction = Vec<3>(-0.5, -0.6, 1.0); ///< towards the sun
    double sun_radius = 0.06;                       ///< of its disc; 0 makes shadows hard [rad]
    Color sun = Color(1.00f, 0.96f, 0.90f);         ///< radiance of a white plane that faces it
    /// How much light things throw back at each other where the sky is hidden, as a part of the sky's.
    float bounce = 0.45f;
    /// What is seen where nothing is: at the lower and at the upper edge of the picture.
    Color backdrop_low = Color(0.78f, 0.79f, 0.80f);
    Color backdrop_high = Color(0.56f, 0.61f, 0.67f);
};

struct RenderScene {
    std::vector<DrawnSpheres> spheres = {};
    std::vector<DrawnSurfels> surfels = {};
    std::vector<DrawnMesh> meshes = {};
    std::vector<DrawnBox> boxes = {};
    std::optional<Ground> ground = {};
    Lighting lighting = {};
};

/// Light for things that are seen by this camera: the sun to its left, so that shapes and shadows show,
/// or for a parallel projection, which shows things in a plane, before it.
Lighting lighting_for(const Camera& camera, PictureStyle style = PictureStyle::Light);

/// Sizes that do not fit together, indices of vertices that do not exist, radii below 0: an InputError.
void check_scene(const RenderScene& scene);

} // namespace phyxel
