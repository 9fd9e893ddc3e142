// SPDX-License-Identifier: MIT
#include <phyxel/render/detail/liquid.h>

namespace phyxel::detail {
namespace {

Bend bend_at(const Vec3f& d, const Vec3f& n, float ratio)
{
    const float cos_i = std::clamp(-d.dot(n), 0.0f, 1.0f);
    Bend result;
    result.reflected = (d + 2.0f * cos_i * n).normalized();
    const float sin2_t = ratio * ratio * (1.0f - cos_i * cos_i);
    if (sin2_t >= 1.0f) {
        result.reflectance = 1.0f;
        result.transmitted = result.reflected;
        return result;
    }
    const float cos_t = std::sqrt(1.0f - sin2_t);
    const float across = (ratio * cos_i - cos_t) / (ratio * cos_i + cos_t);
    const float along = (cos_i - ratio * cos_t) / (cos_i + ratio * cos_t);
    result.reflectance = 0.5f * (across * across + along * along);
    result.transmitted = (ratio * d + (ratio * cos_i - cos_t) * n).normalized();
    return result;
}

} // namespace

Bend bend(const Vec3f& direction, const Surface& surface, float ratio)
{
    Bend result = bend_at(direction, surface.normal, ratio);
    const bool is_through = result.reflected.dot(surface.face) <= 0.0f ||
                            (result.reflectance < 1.0f && result.transmitted.dot(surface.face) >= 0.0f);
    return is_through ? bend_at(direction, surface.face, ratio) : result;
}

Color transmission(const Liquid& liquid, float distance)
{
    return (-distance * liquid.absorption.array()).exp();
}

} // namespace phyxel::detail
