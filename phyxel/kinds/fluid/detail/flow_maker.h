// SPDX-License-Identifier: MIT
// Emitters and outflows from what a scene says of them.
#pragma once

#include <phyxel/geometry/box.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/fluid/fluid_body_options.h>
#include <phyxel/scene/findings.h>
#include <phyxel/scene/scene_options.h>
#include <phyxel/scene/shape_maker.h>
#include <phyxel/world/world.h>

#include <functional>
#include <span>
#include <vector>

namespace phyxel {

/// How fine a fluid is.
struct ParticleSize {
    double spacing; ///< [m]
    double volume;  ///< mass by rest density [m^Dim]
};

template <int Dim>
ParticleSize particle_size(double density, double spacing, double support_ratio)
{
    const FluidPartModel part = fluid_part_model<Dim>(density, spacing, support_ratio);
    return {spacing, part.particle_mass / density};
}

/// Of every fluid of a scene with its spacing chosen.
template <int Dim>
std::vector<ParticleSize> particle_sizes(const SceneOptions<Dim>& scene);

/// What is wrong becomes a problem of the scene at its path.
template <int Dim>
class FlowMaker {
public:
    FlowMaker(const SceneOptions<Dim>& scene, Findings& findings, const WorkBudget& work = {})
        : scene_(scene),
          options_(*scene.template section<FlowOptions<Dim>>()),
          findings_(findings),
          work_(work)
    {
    }

    void make_shapes(ShapeMaker<Dim>& maker);

    /// Of what emitters give to a fluid within the scene, roughly: before its spacing is known. Fluids are
    /// counted without the solids between them.
    double emitted_volume(std::size_t fluid) const;
    bool feeds(std::size_t fluid) const;

    /// Is told what is worked on.
    using Begin = std::function<void(const Path&)>;

    /// Once the sizes of the particles of all fluids are known.
    void make_emitters(std::span<const ParticleSize> sizes, const Begin& begin);

    /// Says what is in the way of emitters that were made, once it is known that there is memory for what
    /// they hold. Spends what that takes until it is in a world, `particle_work` for each particle.
    void check_rooms(const Domain<Dim>& domain, const std::vector<MovingObstacle<Dim>>& obstacles,
                     double particle_work, const Begin& begin);

    /// How many particles emitters make within the scene, if nothing is in their way.
    double particle_count() const;
    /// How many of them are there at the start.
    double first_count() const;
    Box<Dim> bounds() const; ///< of the emitters
    double fastest() const;  ///< of the emitters [m/s]

    const FluidFlows<Dim>& flows() const { return flows_; }

private:
    void check_room(const Emitter<Dim>& emitter, std::size_t number, const Domain<Dim>& domain,
                    const std::vector<MovingObstacle<Dim>>& obstacles);

    const SceneOptions<Dim>& scene_;
    const FlowOptions<Dim>& options_;
    Findings& findings_;
    WorkBudget work_;
    FluidFlows<Dim> flows_;
};

extern template class FlowMaker<2>;
extern template class FlowMaker<3>;

} // namespace phyxel
