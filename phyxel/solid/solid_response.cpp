// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_response.h>

#include <phyxel/core/parallel_for.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>

namespace phyxel {
namespace {

/// Nearer to a wall than this many times the distance at which it touches, a phyxel lies on it.
constexpr double nearest_to_walls = 1.1;

template <int Dim>
Vec<3> in_space(const Vec<Dim>& v)
{
    Vec<3> x = Vec<3>::Zero();
    x.template head<Dim>() = v;
    return x;
}

} // namespace

template <int Dim>
void SolidResponse<Dim>::show(const SolidModel<Dim>& model, const SolidState<Dim>& state,
                              const SolidBoundary<Dim>& boundary, SolidSolver<Dim>& solver,
                              const Surroundings<Dim>& surroundings)
{
    model_ = &model;
    state_ = &state;
    boundary_ = &boundary;
    solver_ = &solver;
    surroundings_ = &surroundings;
    is_prepared_ = false;
    pushed_ = {};
}

template <int Dim>
void SolidResponse<Dim>::prepare()
{
    if (is_prepared_) return;
    is_prepared_ = true;
    const std::size_t count = model_->size();
    solver_->find_own_forces(*state_, *surroundings_, forces_);
    is_stopped_.assign(count, 0);
    parallel_for(count, [&](Index k) {
        if (solver_->softness(k, 0.0) == 0.0) is_stopped_[k] = 1;
        for_each_wall_and_form(*surroundings_, state_->position[k], nearest_to_walls * model_->radius[k],
                               [&](const NearWall<Dim>& wall) {
                                   if (!is_form(*surroundings_, wall.obstacle) &&
                                       solver_->feels(model_->part[k], wall.obstacle))
                                       is_stopped_[k] = 1;
                               });
    });
    rigid_.assign(model_->first_of_part.size() - 1, {});
    for (std::size_t part = 0; part < rigid_.size(); ++part) {
        Rigid& rigid = rigid_[part];
        const Index begin = model_->first_of_part[part], end = model_->first_of_part[part + 1];
        rigid.is_free = begin < end;
        for (Index k = begin; k < end; ++k) {
            if (is_stopped_[k] != 0) rigid.is_free = false;
            rigid.mass += model_->mass[k];
            rigid.center += model_->mass[k] * state_->position[k];
        }
        if (!rigid.is_free) continue;
        rigid.center /= rigid.mass;
        Mat<3> inertia = Mat<3>::Zero();
        for (Index k = begin; k < end; ++k) {
            const Vec<3> r = in_space<Dim>(state_->position[k] - rigid.center);
            inertia += model_->mass[k] * (r.squaredNorm() * Mat<3>::Identity() - r * r.transpose());
        }
        const double size = inertia.trace();
        inertia += 1e-9 * size * Mat<3>::Identity(); // in the plane only turns about z have any
        rigid.inverse_inertia = inertia.inverse();
    }
}

/// Adds `factor` times the velocities of the rigid motions that have these momenta.
template <int Dim>
void SolidResponse<Dim>::add_rigid(double factor, std::span<const Vec<Dim>> momenta,
                                   std::span<Vec<Dim>> velocities) const
{
    for (std::size_t part = 0; part < rigid_.size(); ++part) {
        const Rigid& rigid = rigid_[part];
        if (!rigid.is_free) continue;
        Vec<Dim> momentum = Vec<Dim>::Zero();
        Vec<3> spin = Vec<3>::Zero();
        for (Index k = model_->first_of_part[part]; k < model_->first_of_part[part + 1]; ++k) {
            momentum += momenta[k];
            spin += in_space<Dim>(state_->position[k] - rigid.center).cross(in_space<Dim>(momenta[k]));
        }
        const Vec<Dim> velocity = momentum / rigid.mass;
        const Vec<3> turning = rigid.inverse_inertia * spin;
        for (Index k = model_->first_of_part[part]; k < model_->first_of_part[part + 1]; ++k) {
            const Vec<3> turned = turning.cross(in_space<Dim>(state_->position[k] - rigid.center));
            velocities[k] += factor * (velocity + turned.template head<Dim>());
        }
    }
}

/// From impulses_ of phyxels to changes of velocity of the points.
template <int Dim>
void SolidResponse<Dim>::move(double dt, std::span<Vec<Dim>> changes)
{
    const std::size_t count = model_->size();
    velocities_.assign(count, Vec<Dim>::Zero());
    add_rigid(1.0, impulses_, velocities_);
    momenta_.resize(count);
    parallel_for(count, [&](Index k) {
        const double softness = is_stopped_[k] != 0 ? 0.0 : solver_->softness(k, dt);
        const Vec<Dim> alone = softness * (impulses_[k] - model_->mass[k] * velocities_[k]);
        velocities_[k] += alone;
        momenta_[k] = model_->mass[k] * alone;
    });
    add_rigid(-1.0, momenta_, velocities_);
    boundary_->gather(pushed_, velocities_, changes);
}

template <int Dim>
void SolidResponse<Dim>::focus(std::span<const Index> points)
{
    boundary_->select(points, model_->size(), pushed_);
}

template <int Dim>
void SolidResponse<Dim>::coast(double dt, std::span<Vec<Dim>> changes)
{
    if (pushed_.is_empty()) return;
    prepare();
    impulses_.resize(model_->size());
    parallel_for(model_->size(), [&](Index k) { impulses_[k] = dt * forces_[k]; });
    move(dt, changes);
}

template <int Dim>
void SolidResponse<Dim>::respond(std::span<const Vec<Dim>> impulses, double dt, std::span<Vec<Dim>> changes)
{
    if (pushed_.is_empty()) return;
    prepare();
    impulses_.resize(model_->size());
    boundary_->spread(pushed_, impulses, impulses_);
    move(dt, changes);
}

template class SolidResponse<2>;
template class SolidResponse<3>;

} // namespace phyxel
