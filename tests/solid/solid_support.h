// SPDX-License-Identifier: MIT
// Solids to try things on.
#pragma once

#include <phyxel/geometry/shape.h>
#include <phyxel/solid/solid_solver.h>

#include <memory>
#include <utility>
#include <vector>

namespace phyxel::solid_support {

inline PhyxelCloud<3> box_of_phyxels(const Box<3>& box, double spacing)
{
    return make_phyxels<3>(Shape<3>(box), spacing);
}

/// Solids with all that steps them. Stays where it is, since the parts refer to each other.
struct Solids {
    Solids(const std::vector<Box<3>>& boxes, double spacing, const SolidMaterial& material,
           const SolidOptions& options, std::vector<SolidRegion<3>> wanted = {})
        : clouds(fill(boxes, spacing)),
          model(make_model(material, options)),
          ids(make_state()),
          regions(model, ids, std::move(wanted)),
          solver(model, regions, options)
    {
    }
    Solids(const Solids&) = delete;
    Solids& operator=(const Solids&) = delete;

    SolidStepReport step(double dt)
    {
        surroundings.time += dt;
        return solver.step(state, dt, surroundings);
    }

    double energy() const
    {
        const ElasticEnergy inner = elastic_energy<3>(model, state.position);
        double sum = inner.strain + inner.stabilization;
        for (std::size_t i = 0; i < model.size(); ++i)
            sum += model.mass[i] *
                   (0.5 * state.velocity[i].squaredNorm() - surroundings.gravity.dot(state.position[i]));
        return sum;
    }

    Vec<3> center() const
    {
        Vec<3> sum = Vec<3>::Zero();
        double mass = 0.0;
        for (std::size_t i = 0; i < model.size(); ++i) {
            sum += model.mass[i] * state.position[i];
            mass += model.mass[i];
        }
        return sum / mass;
    }

    std::vector<PhyxelCloud<3>> clouds;
    SolidModel<3> model;
    SolidState<3> state;
    IdIndex ids;
    SolidRegions<3> regions;
    SolidSolver<3> solver;
    Surroundings<3> surroundings;

private:
    static std::vector<PhyxelCloud<3>> fill(const std::vector<Box<3>>& boxes, double spacing)
    {
        std::vector<PhyxelCloud<3>> clouds;
        for (const Box<3>& box : boxes) clouds.push_back(box_of_phyxels(box, spacing));
        return clouds;
    }

    IdIndex make_state()
    {
        state.append(model.rest.position, std::vector<Vec<3>>(model.size(), Vec<3>::Zero()));
        if (model.has_flow()) state.remember_flow();
        return IdIndex(state.id);
    }

    SolidModel<3> make_model(const SolidMaterial& material, const SolidOptions& options) const
    {
        std::vector<const PhyxelCloud<3>*> pointers;
        for (const PhyxelCloud<3>& cloud : clouds) pointers.push_back(&cloud);
        const std::vector<SolidMaterial> materials(clouds.size(), material);
        return make_solid_model<3>(pointers, materials, stabilization_of(options));
    }
};

/// The phyxels of the first solid for which `is_wanted(X)`.
template <class Wanted>
std::vector<std::uint64_t> phyxels_where(const PhyxelCloud<3>& cloud, const Wanted& is_wanted)
{
    std::vector<std::uint64_t> found;
    for (std::size_t i = 0; i < cloud.size(); ++i)
        if (is_wanted(cloud.positions[i])) found.push_back(i);
    return found;
}

inline Surroundings<3> floor_below(double height)
{
    Surroundings<3> surroundings;
    surroundings.domain.bounded = true;
    surroundings.domain.box = {Vec<3>(-10, -10, height), Vec<3>(10, 10, 20)};
    surroundings.gravity = Vec<3>(0, 0, -9.81);
    return surroundings;
}

} // namespace phyxel::solid_support
