// SPDX-License-Identifier: MIT
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/render/camera.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {
namespace {

struct Basis {
    Vec<3> right, up, back;
};

/// Unit length without overflow on the way.
Vec<3> direction_of(const Vec<3>& v) { return (v / v.cwiseAbs().maxCoeff()).normalized(); }

Basis basis_of(const Camera& camera)
{
    Basis basis;
    basis.back = direction_of(camera.from - camera.look_at);
    Vec<3> up = camera.up.isZero(0.0) ? Vec<3>(0.0, 0.0, 1.0) : direction_of(camera.up);
    // Straight up or down, any direction may be the upper edge; north is what maps have there.
    if (up.cross(basis.back).norm() < 1e-6)
        up = std::abs(basis.back[1]) < 0.9 ? Vec<3>::UnitY() : Vec<3>::UnitZ();
    basis.right = up.cross(basis.back).normalized();
    basis.up = basis.back.cross(basis.right);
    return basis;
}

/// The box itself if a camera can be placed for its extent, else a metre around its centre.
Box<3> visible_box(const Box<3>& box)
{
    const bool is_usable = !box.is_empty() && box.min.allFinite() && box.max.allFinite();
    const Vec<3> center = is_usable ? box.center() : Vec<3>(Vec<3>::Zero());
    const double least = 1e-12 * std::max(1e-30, center.cwiseAbs().maxCoeff());
    if (is_usable && box.longest_side() > least) return box;
    return {.min = center.array() - 0.5, .max = center.array() + 0.5};
}

/// Where a frustum touches all points, along one axis of the picture: `high` ≥ h d + c and `low` ≥ l d − c
/// say which places c across and depths d towards the camera see them, for slopes h and l of its two sides.
struct Fit {
    double high_slope, low_slope;
    double high = -std::numeric_limits<double>::infinity();
    double low = -std::numeric_limits<double>::infinity();

    void add(double across, double depth)
    {
        high = std::max(high, high_slope * depth + across);
        low = std::max(low, low_slope * depth - across);
    }
    double least_depth() const { return (high + low) / (high_slope + low_slope); }
    /// In the middle of what is possible at this depth.
    double place(double depth) const
    {
        return 0.5 * ((high - high_slope * depth) + (low_slope * depth - low));
    }
};

} // namespace

Camera orbited(const Camera& camera, double angle)
{
    const Vec<3> axis = camera.up.isZero(0.0) ? Vec<3>(0.0, 0.0, 1.0) : direction_of(camera.up);
    Camera result = camera;
    result.from = camera.look_at + Eigen::AngleAxisd(angle, axis) * (camera.from - camera.look_at);
    return result;
}

void check_camera(const Camera& camera)
{
    const auto finite = [](const char* name, const Vec<3>& v) {
        if (!v.allFinite()) throw InputError(std::string("camera: ") + name + " is not a finite number");
    };
    finite("from", camera.from);
    finite("look_at", camera.look_at);
    finite("up", camera.up);
    if (camera.from == camera.look_at) throw InputError("camera: from and look_at are the same point");
    const auto not_negative = [](const char* name, double value) {
        if (!(value >= 0.0 && std::isfinite(value)))
            throw InputError(std::string("camera: ") + name + " is " + number_text(value, 6) +
                             " m, must be at least 0");
    };
    not_negative("aperture", camera.aperture);
    not_negative("focus", camera.focus);
    if (!(camera.fov > 0.0 && camera.fov < std::numbers::pi))
        throw InputError("camera: fov is " + number_text(camera.fov * 180.0 / std::numbers::pi, 6) +
                         " deg, must be between 0 and 180");
}

Camera framing_camera(const Box<3>& given, double aspect, const FramingOptions& options)
{
    PHYXEL_ASSERT(aspect > 0.0);
    const Box<3> box = visible_box(given);
    const Vec<3> center = box.center();
    Camera camera;
    camera.fov = options.fov;
    camera.from = options.direction;
    camera.look_at = Vec<3>::Zero();
    const Basis basis = basis_of(camera);

    const double slope = std::tan(0.5 * options.fov);
    const double side = slope * aspect * (1.0 - 2.0 * options.margin);
    Fit horizontal{side, side};
    Fit vertical{slope * (1.0 - 2.0 * options.margin), slope * (1.0 - 2.0 * options.bottom_margin)};
    for (int corner = 0; corner < 8; ++corner) {
        Vec<3> p;
        for (int k = 0; k < 3; ++k) p[k] = ((corner >> k) & 1 ? box.max[k] : box.min[k]) - center[k];
        horizontal.add(p.dot(basis.right), p.dot(basis.back));
        vertical.add(p.dot(basis.up), p.dot(basis.back));
    }
    const double depth = std::max(horizontal.least_depth(), vertical.least_depth());
    const Vec<3> target = center + horizontal.place(depth) * basis.right + vertical.place(depth) * basis.up;
    camera.from = target + depth * basis.back;
    camera.look_at = target;
    return camera;
}

Camera front_camera(const Box<3>& given, double aspect, double margin, double bottom_margin)
{
    PHYXEL_ASSERT(aspect > 0.0);
    const Box<3> box = visible_box(given);
    const Vec<3> size = box.size();
    const double height =
        std::max(size[1] / (1.0 - margin - bottom_margin), size[0] / aspect / (1.0 - 2.0 * margin));
    Camera camera;
    camera.is_parallel = true;
    camera.up = Vec<3>::UnitY();
    camera.look_at = box.center();
    camera.look_at[1] -= 0.5 * (bottom_margin - margin) * height;
    const double distance = std::max(0.5 * height / std::tan(0.5 * camera.fov), 2.0 * size[2]);
    camera.fov = 2.0 * std::atan(0.5 * height / distance);
    camera.from = camera.look_at + distance * Vec<3>::UnitZ();
    return camera;
}

CameraView::CameraView(const Camera& camera, int width, int height)
    : camera_(camera),
      width_(width),
      height_(height)
{
    PHYXEL_ASSERT(width > 0 && height > 0);
    check_camera(camera);
    const Basis basis = basis_of(camera);
    right_ = basis.right;
    up_ = basis.up;
    back_ = basis.back;
    distance_ = (camera.from - camera.look_at).norm();
    half_height_ = std::tan(0.5 * camera.fov);
}

CameraView::Projection CameraView::project(const Vec<3>& point) const
{
    const Vec<3> x = point - camera_.from;
    const double depth = -x.dot(back_);
    const double half = half_height_ * (camera_.is_parallel ? distance_ : depth);
    const double scale = 0.5 * height_ / half;
    return {{0.5 * width_ + scale * x.dot(right_), 0.5 * height_ - scale * x.dot(up_)}, depth};
}

CameraView::Ray CameraView::ray(const Vec<2>& pixel) const
{
    const double a = (2.0 * pixel[0] - width_) / height_ * half_height_;
    const double b = (height_ - 2.0 * pixel[1]) / height_ * half_height_;
    const Vec<3> across = a * right_ + b * up_;
    if (camera_.is_parallel) return {camera_.from + distance_ * across, -back_};
    return {camera_.from, (across - back_).normalized()};
}

CameraView::Ray CameraView::ray(const Vec<2>& pixel, const Vec<2>& lens) const
{
    const Ray central = ray(pixel);
    const double focus = camera_.focus > 0.0 ? camera_.focus : distance_;
    const Vec<3> sharp = central.origin + focus / -central.direction.dot(back_) * central.direction;
    const Vec<3> origin = central.origin + 0.5 * camera_.aperture * (lens[0] * right_ + lens[1] * up_);
    return {origin, (sharp - origin).normalized()};
}

double CameraView::pixel_size(double depth) const
{
    return 2.0 * half_height_ * (camera_.is_parallel ? distance_ : depth) / height_;
}

} // namespace phyxel
