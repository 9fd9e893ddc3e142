// SPDX-License-Identifier: MIT
#include <phyxel/fluid/fluid_neighborhood.h>

#include <phyxel/core/parallel_for.h>

#include <utility>

namespace phyxel {

template <int Dim>
void FluidNeighborhood<Dim>::update(FluidState<Dim>& fluid, const FluidModel& model,
                                    const Domain<Dim>& domain)
{
    const PeriodicBox<Dim> box = domain.periodic_box();
    if (!search_ || box.length != box_.length || box.min != box_.min) {
        box_ = box;
        search_ = std::make_unique<NeighborSearch<Dim, float>>(box);
    }
    const std::size_t n = fluid.size();
    const bool is_mixed = model.is_mixed();
    if (is_mixed) {
        support_radius_.resize(n);
        parallel_for(n, [&](Index i) {
            support_radius_[i] = static_cast<float>(model.parts[fluid.part[i]].support_radius);
        });
        search_->update_from_double(fluid.position, support_radius_, RadiusRule::Larger);
        mass_.resize(n);
        inverse_support_.resize(n);
    } else {
        search_->update_from_double(fluid.position, static_cast<float>(model.parts.front().support_radius));
    }

    resize_arrays_like(sorted_, fluid);
    place_.resize(n);
    velocity_.resize(n);
    viscosity_.resize(n);
    const auto order = search_->order();
    std::array<const float*, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = search_->coordinate(axis).data();
    parallel_for(n, [&](Index k) {
        copy_item(sorted_, k, fluid, order[k]);
        sorted_.position[k] = box_.wrap(sorted_.position[k]);
        const FluidPartModel& part = model.parts[sorted_.part[k]];
        for (int axis = 0; axis < Dim; ++axis) place_[k].v[axis] = x[axis][k];
        velocity_[k] = Quad<float>::from<Dim>(Vec<Dim, float>(sorted_.velocity[k].template cast<float>()));
        viscosity_[k] = static_cast<float>(part.viscosity);
        if (!is_mixed) return;
        mass_[k] = static_cast<float>(part.particle_mass);
        support_radius_[k] = static_cast<float>(part.support_radius);
        inverse_support_[k] = 1.0f / support_radius_[k];
    });
    swap_items(fluid, sorted_);

    held_.clear();
    held_velocity_.clear();
    for (std::size_t i = 0; i < fluid.emitter.size(); ++i) {
        if (fluid.emitter[i] == 0) continue;
        held_.push_back(static_cast<Index>(i));
        held_velocity_.push_back(fluid.velocity[i]);
    }

    pairs_.geometry.place = place_.data();
    for (int axis = 0; axis < Dim; ++axis) {
        const auto period = static_cast<float>(box_.length[axis]);
        pairs_.geometry.period[axis] = period;
        pairs_.geometry.inverse_period[axis] = period > 0 ? 1.0f / period : 0.0f;
    }
    pairs_.neighbors = &search_->lists();
    pairs_.sizes.mass = static_cast<float>(model.parts.front().particle_mass);
    pairs_.sizes.support_radius = static_cast<float>(model.parts.front().support_radius);
    pairs_.sizes.masses = is_mixed ? mass_.data() : nullptr;
    pairs_.sizes.support_radii = is_mixed ? support_radius_.data() : nullptr;
    pairs_.sizes.inverse_supports = is_mixed ? inverse_support_.data() : nullptr;
}

template <int Dim>
void FluidNeighborhood<Dim>::copy_velocity(const FluidState<Dim>& fluid)
{
    parallel_for(fluid.size(), [&](Index i) {
        for (int k = 0; k < Dim; ++k) velocity_[i].v[k] = static_cast<float>(fluid.velocity[i][k]);
    });
}

template <int Dim>
void FluidNeighborhood<Dim>::hold(FluidState<Dim>& fluid) const
{
    for (std::size_t k = 0; k < held_.size(); ++k) fluid.velocity[held_[k]] = held_velocity_[k];
}

template class FluidNeighborhood<2>;
template class FluidNeighborhood<3>;

} // namespace phyxel
