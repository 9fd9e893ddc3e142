// SPDX-License-Identifier: MIT
// How a surface looks: light of the sun and of the sky, and what of it a surface throws back.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/render/image.h>
#include <phyxel/render/render_scene.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace phyxel::detail {

using Vec3f = Vec<3, float>;

/// Two directions across n, of unit length [DBC*17].
struct Tangents {
    Vec3f a, b;
};

inline Tangents tangents_of(const Vec3f& n)
{
    const float sign = std::copysign(1.0f, n[2]);
    const float p = -1.0f / (sign + n[2]);
    const float q = n[0] * n[1] * p;
    return {{1.0f + sign * n[0] * n[0] * p, sign * q, -sign * n[0]}, {q, sign + n[1] * n[1] * p, -n[1]}};
}

/// A point of the unit disc, with equal areas kept.
inline std::array<float, 2> disc_point(const std::array<float, 2>& u)
{
    const float r = std::sqrt(u[0]);
    const float angle = 2.0f * std::numbers::pi_v<float> * u[1];
    return {r * std::cos(angle), r * std::sin(angle)};
}

/// What a ray from the camera met.
struct Surface {
    Vec3f place;
    Vec3f normal; ///< for shading, towards the viewer
    Vec3f face;   ///< geometric normal, towards the viewer
    Color color;
    float gloss = 0.0f;
    float start = 0.0f; ///< how far rays leave before they may hit something
    bool is_lit = false;
    bool is_back = false;           ///< of a liquid: seen from within
    const Liquid* liquid = nullptr; ///< none for what light does not go through
};

/// Light with its vectors in single precision and of unit length.
struct Light {
    explicit Light(const Lighting& given)
        : look(given),
          up(given.up.normalized().cast<float>()),
          sun(given.sun_direction.normalized().cast<float>()),
          sun_tangents(tangents_of(sun)),
          sun_size(static_cast<float>(std::tan(given.sun_radius)))
    {
    }

    Color sky(const Vec3f& direction) const
    {
        const float h = direction.dot(up);
        if (h < 0.0f) return look.below + (look.horizon - look.below) * std::max(0.0f, 1.0f + 4.0f * h);
        return look.horizon + (look.zenith - look.horizon) * h;
    }

    Vec3f towards_sun(const std::array<float, 2>& u) const
    {
        const auto d = disc_point(u);
        return (sun + sun_size * (d[0] * sun_tangents.a + d[1] * sun_tangents.b)).normalized();
    }

    Lighting look;
    Vec3f up;
    Vec3f sun;
    Tangents sun_tangents;
    float sun_size;
};

inline float smooth_step(float low, float high, float x)
{
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/// What reaches a surface, as two rays have found it.
struct Incoming {
    Vec3f to_sun, to_sky;
    bool sees_sun = false;
    bool sees_sky = false;
    float sun_part = 1.0f; ///< what liquids on the way leave of the sun
    float sky_part = 1.0f;
};

/// What of the sun a glossy surface mirrors towards the viewer.
Color sun_glint(const Vec3f& normal, const Light& light, const Vec3f& viewer);

/// Light that a lit surface throws into the direction `viewer`.
Color shade(const Surface& surface, const Light& light, const Incoming& incoming, const Vec3f& viewer);

} // namespace phyxel::detail
