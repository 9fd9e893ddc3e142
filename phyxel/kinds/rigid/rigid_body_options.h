// SPDX-License-Identifier: MIT
// All that a scene can say of rigid bodies, as plain structs. How each of them is written stands in
// detail/rigid_description.h.
#pragma once

#include <phyxel/approx/thermal_material.h>
#include <phyxel/rigid/rigid_joint.h>
#include <phyxel/rigid/rigid_model.h>
#include <phyxel/scene/body_surface.h>
#include <phyxel/scene/heat_options.h>
#include <phyxel/scene/kind.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace phyxel {

/// Wood unless told otherwise.
struct RigidMaterialOptions {
    RigidMaterialOptions();

    std::optional<std::string> from; ///< a preset
    RigidMaterial properties;
    ThermalMaterial thermal;
};

template <int Dim>
struct RigidBodyOptions : BodyBasics<Dim> {
    RigidMaterialOptions material;
    BodySurfaceOptions surface;
    BodyHeatOptions heat;
};

/// Of hinges.
struct HingeMotorOptions {
    double speed = 0.0;  ///< [rad/s]
    double torque = 0.0; ///< [N m]
};

struct SliderMotorOptions {
    double speed = 0.0; ///< [m/s]
    double force = 0.0; ///< [N]
};

template <int Dim>
struct JointOptions {
    std::string name;
    JointType type = JointType::Hinge;
    std::vector<std::string> bodies;             ///< one, which is held to the world, or two
    Vec<Dim> at = Vec<Dim>::Zero();              ///< [m]
    std::optional<Vec<Dim>> axis;                ///< of a slider, and of a hinge in 3D
    std::optional<std::array<double, 2>> limits; ///< [rad], of a slider [m]
    std::optional<HingeMotorOptions> hinge_motor;
    std::optional<SliderMotorOptions> slider_motor;

    std::optional<JointMotor> motor() const
    {
        if (type == JointType::Hinge && hinge_motor)
            return JointMotor{hinge_motor->speed, hinge_motor->torque};
        if (type == JointType::Slider && slider_motor)
            return JointMotor{slider_motor->speed, slider_motor->force};
        return {};
    }
};

/// What a scene says of rigid bodies beside the bodies.
template <int Dim>
struct JointSection {
    std::vector<JointOptions<Dim>> joints;
};

} // namespace phyxel
