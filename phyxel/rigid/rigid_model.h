// SPDX-License-Identifier: MIT
// A rigid body: what of it never changes, and what of all of them does.
#pragma once

#include <phyxel/core/state_arrays.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/rigid/contact_points.h>
#include <phyxel/rigid/rigid_mass.h>

#include <array>
#include <cstdint>
#include <tuple>
#include <vector>

namespace phyxel {

struct RigidMaterial {
    double density = 1000.0;  ///< [kg/m³]
    double friction = 0.5;    ///< Coulomb's coefficient
    double restitution = 0.0; ///< of the speed of an impact that is left after it, 0 to 1

    friend bool operator==(const RigidMaterial&, const RigidMaterial&) = default;
};

/// The places of a body are those at rest, in space: a body that has not moved is where its shape is.
template <int Dim>
struct RigidModel {
    Shape<Dim> shape; ///< at rest
    RigidMaterial material = {};
    RigidMass<Dim> mass = {};
    ContactPoints<Dim> points = {};
    double radius = 0.0; ///< of the ball about the centre of mass that the body is in [m]

    /// Principal moments of inertia and, in 3D, their axes at rest as columns.
    Angles<Dim> moments = Angles<Dim>::Zero();
    Inertia<Dim> axes = Inertia<Dim>::Identity();
    Inertia<Dim> inverse_inertia = Inertia<Dim>::Zero(); ///< at rest [1/(kg m²)]
};

/// Throws InputError for a shape that has no mass, and for a material that is none.
template <int Dim>
RigidModel<Dim> make_rigid_model(const Shape<Dim>& shape, const RigidMaterial& material,
                                 const WorkBudget& work = {});

/// One entry for each body, whether it is there or not.
template <int Dim>
struct RigidState {
    std::vector<Vec<Dim>> position;            ///< of the centre of mass [m]
    std::vector<Mat<Dim>> rotation;            ///< from rest
    std::vector<Angles<Dim>> turned;           ///< the same as axis times angle, which goes on beyond a turn
    std::vector<Vec<Dim>> velocity;            ///< [m/s]
    std::vector<Angles<Dim>> angular_momentum; ///< about the centre of mass [kg m²/s]
    std::vector<double> still_for;             ///< how long it has hardly moved; enough and it sleeps [s]

    /// What the last step found, one entry for each contact: the next one begins with it.
    std::vector<std::array<std::uint64_t, 3>> contact_key; ///< the two bodies or walls, and the place
    std::vector<Vec<Dim>> contact_normal;                  ///< towards the first
    std::vector<Vec<Dim>> contact_arm;                     ///< from the centre of the first [m]
    std::vector<Vec<Dim>> contact_impulse;                 ///< on the first [N s]
    std::vector<Vec<8>> joint_impulse;                     ///< of each joint [N s], [N m s]

    std::vector<double> enthalpy; ///< of a mass of each body; empty where no heat flows [J/kg]

    std::size_t size() const { return position.size(); }

    static constexpr auto arrays()
    {
        using S = RigidState;
        return std::tuple{StateArray{"position", &S::position},
                          StateArray{"rotation", &S::rotation},
                          StateArray{"turned", &S::turned},
                          StateArray{"velocity", &S::velocity},
                          StateArray{"angular_momentum", &S::angular_momentum},
                          StateArray{"still_for", &S::still_for},
                          StateArray{"contact_key", &S::contact_key},
                          StateArray{"contact_normal", &S::contact_normal},
                          StateArray{"contact_arm", &S::contact_arm},
                          StateArray{"contact_impulse", &S::contact_impulse},
                          StateArray{"joint_impulse", &S::joint_impulse},
                          StateArray{"enthalpy", &S::enthalpy, ArrayRole::Used}};
    }

    /// Adds a body that is where its shape is.
    void append(const RigidModel<Dim>& model, const Vec<Dim>& velocity, const Angles<Dim>& angular_velocity);

    Pose<Dim> pose_of(const RigidModel<Dim>& model, std::size_t i) const
    {
        return {rotation[i], position[i] - rotation[i] * model.mass.center};
    }
};

/// A matrix of the body at rest as it is when the body is turned.
inline Inertia<2> in_space(const Inertia<2>& at_rest, const Mat<2>&) { return at_rest; }
inline Inertia<3> in_space(const Inertia<3>& at_rest, const Mat<3>& rotation)
{
    return rotation * at_rest * rotation.transpose();
}

template <int Dim>
Angles<Dim> angular_velocity(const RigidModel<Dim>& model, const RigidState<Dim>& state, std::size_t i)
{
    return in_space(model.inverse_inertia, state.rotation[i]) * state.angular_momentum[i];
}

/// Turns a body as it turns by itself for `dt` [s], without torques: its angular momentum in space stays to
/// the last digits, and its energy up to (ω dt)⁴. In 3D rotations about the principal axes one after the
/// other [McL93], composed to fourth order [Yos90]; or, where contacts disturb it anyway and it is not to be
/// `exact`, of second order.
void turn_freely(const RigidModel<2>& model, RigidState<2>& state, std::size_t i, double dt,
                 bool exact = true);
void turn_freely(const RigidModel<3>& model, RigidState<3>& state, std::size_t i, double dt,
                 bool exact = true);

/// Kinetic energy [J].
template <int Dim>
double kinetic_energy(const RigidModel<Dim>& model, const RigidState<Dim>& state, std::size_t i);

} // namespace phyxel
