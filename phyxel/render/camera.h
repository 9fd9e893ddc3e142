// SPDX-License-Identifier: MIT
// Where a picture is taken from: fixed, on an orbit, or so that a box fills the picture.
#pragma once

#include <phyxel/core/types.h>
#include <phyxel/geometry/box.h>

#include <numbers>

namespace phyxel {

struct Camera {
    Vec<3> from = Vec<3>(0.0, -3.0, 1.0);  ///< [m]
    Vec<3> look_at = Vec<3>::Zero();       ///< [m]
    Vec<3> up = Vec<3>(0.0, 0.0, 1.0);     ///< of any length; seen upright in the picture
    double fov = std::numbers::pi * 2 / 9; ///< from the lower to the upper edge of the picture [rad]
    /// Parallel lines stay parallel. What `look_at` sees has the same size as in perspective.
    bool is_parallel = false;
    double aperture = 0.0; ///< width of the lens: what is not at the distance `focus` is blurred [m]
    double focus = 0.0;    ///< along the axis; that of `look_at` if 0 [m]
};

/// The camera moved around `look_at` by `angle` [rad], counter-clockwise seen from above.
Camera orbited(const Camera& camera, double angle);

/// What is wrong with the camera is an InputError: numbers that are not finite, `from` where `look_at` is, a
/// field of view that is not between 0 and 180 degrees, a lens or a focus below 0.
void check_camera(const Camera& camera);

struct FramingOptions {
    /// From the things towards the camera; z is up. The default looks at the front side, a little from the
    /// left and from above.
    Vec<3> direction = Vec<3>(-0.42, -1.0, 0.52);
    double fov = std::numbers::pi / 6; ///< [rad]
    double margin = 0.06;              ///< left free at each edge, as a part of the picture
    double bottom_margin = 0.06;       ///< at the lower edge, where a legend may stand
};

/// The nearest camera that looks along `direction` and sees the whole box. An empty box, or one that is a
/// point, is seen as if it were 1 m wide.
Camera framing_camera(const Box<3>& box, double aspect, const FramingOptions& options = {});

/// The same for a run in the plane z = 0: from the front, with y up, without perspective.
Camera front_camera(const Box<3>& box, double aspect, double margin = 0.06, double bottom_margin = 0.06);

/// A camera together with the picture that it takes: from points to pixels and back.
class CameraView {
public:
    /// Pixel (0, 0) is at the upper left; its centre is at (0.5, 0.5).
    CameraView(const Camera& camera, int width, int height);

    struct Projection {
        Vec<2> pixel;
        double depth; ///< in front of the camera, along its axis [m]
    };
    Projection project(const Vec<3>& point) const;

    struct Ray {
        Vec<3> origin;
        Vec<3> direction; ///< of unit length
    };
    Ray ray(const Vec<2>& pixel) const;

    /// Through a point of the lens, given on the unit disc, to what is sharp at this pixel.
    Ray ray(const Vec<2>& pixel, const Vec<2>& lens) const;

    /// Of unit length: to the right and up in the picture, and from the things to the camera.
    const Vec<3>& right() const { return right_; }
    const Vec<3>& up() const { return up_; }
    const Vec<3>& back() const { return back_; }

    /// How large a pixel is at this depth [m].
    double pixel_size(double depth) const;

private:
    Camera camera_;
    int width_;
    int height_;
    Vec<3> right_;
    Vec<3> up_;
    Vec<3> back_;
    double distance_;    ///< from `from` to `look_at` [m]
    double half_height_; ///< of the picture at distance 1
};

} // namespace phyxel
