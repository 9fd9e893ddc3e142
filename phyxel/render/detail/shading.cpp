// SPDX-License-Identifier: MIT
#include <phyxel/render/detail/shading.h>

namespace phyxel::detail {
namespace {

/// Of a dielectric with the refractive index of water, 1.33 to 1.5 [Sch94].
float fresnel(float cosine)
{
    const float c = std::clamp(1.0f - cosine, 0.0f, 1.0f);
    return 0.035f + 0.965f * c * c * c * c * c;
}

/// How strongly microfacets mirror the sun: the distribution of [WMLT07] with a cheap masking term.
float highlight(float n_dot_h, float v_dot_h)
{
    constexpr float a2 = 0.28f * 0.28f * 0.28f * 0.28f;
    const float d = n_dot_h * n_dot_h * (a2 - 1.0f) + 1.0f;
    return a2 / (4.0f * d * d * std::max(0.1f, v_dot_h * v_dot_h));
}

/// Fades sunlight out where it grazes a facet that is shaded smoothly, instead of cutting it off.
float grazing(const Surface& surface, const Vec3f& towards)
{
    return surface.normal == surface.face ? 1.0f : smooth_step(0.0f, 0.12f, surface.face.dot(towards));
}

} // namespace

Color sun_glint(const Vec3f& normal, const Light& light, const Vec3f& viewer)
{
    const Vec3f half = (viewer + light.sun).normalized();
    const float v_dot_h = std::max(0.0f, viewer.dot(half));
    const float shine = highlight(std::max(0.0f, normal.dot(half)), v_dot_h);
    return fresnel(v_dot_h) * std::min(shine, 40.0f) * std::max(0.0f, light.sun.dot(normal)) * light.look.sun;
}

Color shade(const Surface& s, const Light& light, const Incoming& incoming, const Vec3f& viewer)
{
    Color ambient = incoming.sky_part * light.sky(incoming.to_sky);
    // A hidden sky sends what other things throw back, which has much of this one's colour.
    if (!incoming.sees_sky)
        ambient = light.look.bounce * ambient.cwiseProduct(0.3f * Color::Ones() + 0.7f * s.color);
    Color color = s.color.cwiseProduct(ambient);
    if (incoming.sees_sun)
        color += incoming.sun_part * incoming.to_sun.dot(s.normal) * grazing(s, incoming.to_sun) *
                 s.color.cwiseProduct(light.look.sun);
    if (!(s.gloss > 0.0f)) return color;

    const float cosine = std::max(0.0f, viewer.dot(s.normal));
    const Vec3f mirror = 2.0f * cosine * s.normal - viewer;
    const Color reflected = incoming.sees_sky ? light.sky(mirror) : Color(0.2f * light.sky(mirror));
    color += s.gloss * 0.6f * fresnel(cosine) * reflected;
    if (incoming.sees_sun) color += incoming.sun_part * s.gloss * sun_glint(s.normal, light, viewer);
    return color;
}

} // namespace phyxel::detail
