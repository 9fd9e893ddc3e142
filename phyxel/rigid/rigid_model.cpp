// SPDX-License-Identifier: MIT
#include <phyxel/rigid/rigid_model.h>

#include <phyxel/core/error.h>
#include <phyxel/geometry/corners.h>
#include <phyxel/geometry/rigid_motion.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace phyxel {
namespace {

/// A body that turns by more than this in a step is turned in several [rad].
constexpr double longest_turn = 0.05;

/// The nearest rotation, of a matrix that is one but for rounding.
template <int Dim>
void make_orthogonal(Mat<Dim>& R)
{
    R = (0.5 * R * (3.0 * Mat<Dim>::Identity() - R.transpose() * R)).eval();
}

/// By their series where these are exact to the last digit, which all turns are that are not absurdly fast.
std::pair<double, double> sine_and_cosine(double angle)
{
    const double q = angle * angle;
    if (!(q < 0.01)) return {std::sin(angle), std::cos(angle)};
    return {angle * (1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0 * (1.0 - q / 72.0)))),
            1.0 - q / 2.0 * (1.0 - q / 12.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0 * (1.0 - q / 90.0))))};
}

/// Axis times angle, up to half a turn.
Vec<3> rotation_vector(const Mat<3>& R)
{
    const Vec<3> twice_sine(R(2, 1) - R(1, 2), R(0, 2) - R(2, 0), R(1, 0) - R(0, 1));
    const double sine = 0.5 * twice_sine.norm();
    const double cosine = 0.5 * (R.trace() - 1.0);
    const double angle = std::atan2(sine, cosine);
    if (angle < 1e-8) return 0.5 * twice_sine;
    if (sine > 1e-6) return 0.5 * angle / sine * twice_sine;
    // Half a turn: the axis is the column of R + 1 that is longest.
    const Mat<3> S = R + Mat<3>::Identity();
    int longest = 0;
    for (int k = 1; k < 3; ++k)
        if (S(k, k) > S(longest, longest)) longest = k;
    return angle * S.col(longest).normalized();
}

/// The same rotation by that many turns more or less that it is nearest to the one before.
Vec<3> continued(const Vec<3>& angle, const Vec<3>& before)
{
    const double size = angle.norm();
    if (!(size > 0.0)) {
        const double turns = std::round(before.norm() / (2.0 * std::numbers::pi));
        return turns > 0.0 ? Vec<3>(2.0 * std::numbers::pi * turns * before.normalized()) : angle;
    }
    const Vec<3> axis = angle / size;
    const double turns = std::round((before.dot(axis) - size) / (2.0 * std::numbers::pi));
    return (size + 2.0 * std::numbers::pi * turns) * axis;
}

} // namespace

template <int Dim>
RigidModel<Dim> make_rigid_model(const Shape<Dim>& shape, const RigidMaterial& material,
                                 const WorkBudget& work)
{
    if (!(material.density > 0.0)) throw InputError("the density of a rigid body must be positive");
    if (!(material.friction >= 0.0)) throw InputError("friction must not be negative");
    if (!(material.restitution >= 0.0 && material.restitution <= 1.0))
        throw InputError("restitution must be from 0 to 1");
    RigidModel<Dim> model{.shape = shape, .material = material};
    model.mass = rigid_mass(shape, material.density, work);
    model.points = contact_points(shape, work);
    for (const Vec<Dim>& x : model.points.places)
        model.radius = std::max(model.radius, (x - model.mass.center).norm() + model.points.radius);
    // What lies between the points sticks out a little.
    double farthest = 0.0;
    for (const Vec<Dim>& x : corners(shape.bounds()))
        farthest = std::max(farthest, (x - model.mass.center).norm());
    model.radius = std::min(1.05 * model.radius, farthest);
    if constexpr (Dim == 2) {
        model.moments[0] = model.mass.inertia(0, 0);
        model.inverse_inertia(0, 0) = 1.0 / model.mass.inertia(0, 0);
    } else {
        Eigen::SelfAdjointEigenSolver<Mat<3>> solver;
        solver.computeDirect(model.mass.inertia);
        model.axes = solver.eigenvectors();
        // Boxes along the axes and balls keep theirs.
        const Mat<3>& I = model.mass.inertia;
        const double off = std::abs(I(0, 1)) + std::abs(I(0, 2)) + std::abs(I(1, 2));
        if (off < 1e-12 * I.trace()) model.axes.setIdentity();
        if (model.axes.determinant() < 0.0) model.axes.col(2) = -model.axes.col(2);
        make_orthogonal<3>(model.axes);
        model.moments = (model.axes.transpose() * I * model.axes).diagonal();
        model.inverse_inertia =
            model.axes * model.moments.cwiseInverse().asDiagonal() * model.axes.transpose();
    }
    return model;
}

template <int Dim>
void RigidState<Dim>::append(const RigidModel<Dim>& model, const Vec<Dim>& v, const Angles<Dim>& w)
{
    position.push_back(model.mass.center);
    rotation.push_back(Mat<Dim>::Identity());
    turned.push_back(Angles<Dim>::Zero());
    velocity.push_back(v);
    angular_momentum.push_back(model.mass.inertia * w);
    still_for.push_back(0.0);
}

void turn_freely(const RigidModel<2>& model, RigidState<2>& state, std::size_t i, double dt, bool)
{
    state.turned[i] += dt * state.angular_momentum[i] / model.moments[0];
    state.rotation[i] = rotation_matrix(state.turned[i]);
}

void turn_freely(const RigidModel<3>& model, RigidState<3>& state, std::size_t i, double dt, bool exact)
{
    const Vec<3>& L = state.angular_momentum[i];
    if (L.squaredNorm() == 0.0) return;
    Mat<3> R = state.rotation[i] * model.axes; // from principal axes to space
    const double fastest = L.norm() / model.moments.minCoeff();
    const int parts = std::clamp(static_cast<int>(std::ceil(std::abs(dt) * fastest / longest_turn)), 1, 1000);
    const double h = dt / parts;
    const auto turn = [&](int axis, double time) {
        const double angle = time * R.col(axis).dot(L) / model.moments[axis];
        const auto [s, c] = sine_and_cosine(angle);
        const Vec<3> u = R.col((axis + 1) % 3);
        const Vec<3> v = R.col((axis + 2) % 3);
        R.col((axis + 1) % 3) = c * u + s * v;
        R.col((axis + 2) % 3) = c * v - s * u;
    };
    const auto second_order = [&](double time) {
        turn(0, 0.5 * time);
        turn(1, 0.5 * time);
        turn(2, time);
        turn(1, 0.5 * time);
        turn(0, 0.5 * time);
    };
    const double outer = 1.0 / (2.0 - std::cbrt(2.0));
    for (int n = 0; n < parts; ++n) {
        if (!exact) {
            second_order(h);
            continue;
        }
        second_order(outer * h);
        second_order((1.0 - 2.0 * outer) * h);
        second_order(outer * h);
    }
    make_orthogonal<3>(R);
    state.rotation[i] = R * model.axes.transpose();
    state.turned[i] = continued(rotation_vector(state.rotation[i]), state.turned[i]);
}

template <int Dim>
double kinetic_energy(const RigidModel<Dim>& model, const RigidState<Dim>& state, std::size_t i)
{
    return 0.5 * model.mass.mass * state.velocity[i].squaredNorm() +
           0.5 * state.angular_momentum[i].dot(angular_velocity(model, state, i));
}

template RigidModel<2> make_rigid_model(const Shape<2>&, const RigidMaterial&, const WorkBudget&);
template RigidModel<3> make_rigid_model(const Shape<3>&, const RigidMaterial&, const WorkBudget&);
template void RigidState<2>::append(const RigidModel<2>&, const Vec<2>&, const Angles<2>&);
template void RigidState<3>::append(const RigidModel<3>&, const Vec<3>&, const Angles<3>&);
template double kinetic_energy(const RigidModel<2>&, const RigidState<2>&, std::size_t);
template double kinetic_energy(const RigidModel<3>&, const RigidState<3>&, std::size_t);

} // namespace phyxel
