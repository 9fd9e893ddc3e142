// SPDX-License-Identifier: MIT
// What walls are to a fluid: hidden fluid that completes the density of particles near them, a hard
// constraint that no particle passes, friction, and a place to which forces go.
#pragma once

#include <phyxel/fluid/fluid_stages.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/fluid/ghost_wall.h>
#include <phyxel/fluid/wall_kernel.h>
#include <phyxel/geometry/surroundings.h>

#include <functional>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
class FluidWalls {
public:
    using Share = WallShare<Dim, float>;

    FluidWalls(const FluidModel& model, WallSlope slope);

    const WallKernel<Dim>& kernel() const { return kernel_; }

    /// What each particle has of the walls.
    void find(const FluidState<Dim>& fluid, const FluidModel& model, const Surroundings<Dim>& surroundings);
    std::span<const Share> shares() const { return shares_; }

    /// The share that a particle of this part would have at x, of walls that are where they were found.
    double share_at(const Vec<Dim>& x, const FluidPartModel& part,
                    const Surroundings<Dim>& surroundings) const;

    /// −∇ of the share that lattices behind the sides of the domain would give at x, however steep these
    /// walls are [1/m].
    Vec<Dim> lattice_push_at(const Vec<Dim>& x, const FluidPartModel& part, const Domain<Dim>& domain) const;

    /// Takes from the velocity along rough walls what Coulomb's friction can take in a step: at most the
    /// coefficient times the push, `push(i)` [m/s²], that the walls gave.
    void rub(FluidState<Dim>& fluid, double dt, const std::function<double(Index)>& push) const;

    /// Hard constraints: no particle comes closer to a wall than `nearest` times its spacing, nor
    /// moves towards it there. `before` is where they were when the step began.
    void keep_out(FluidState<Dim>& fluid, const FluidModel& model, double nearest, double dt,
                  std::span<const Vec<Dim>> before, const Surroundings<Dim>& surroundings);

    /// Whether steps find out what they do to obstacles; costs a second look at the walls.
    void track_loads(bool on) { tracks_loads_ = on; }
    bool tracks_loads() const { return tracks_loads_; }

    void clear_loads(const Surroundings<Dim>& surroundings);

    /// Adds the counterpart of what walls do to particles: `acceleration(i, share)` is what a wall with this
    /// share gives to particle i.
    void add_loads(const FluidState<Dim>& fluid, const FluidModel& model,
                   const Surroundings<Dim>& surroundings,
                   const std::function<Vec<Dim>(Index, const Share&)>& acceleration);

    /// Of the last step, if they are tracked.
    const std::vector<ObstacleLoad<Dim>>& loads() const { return loads_; }

private:
    /// What a wall gives to a particle by itself.
    struct Part {
        double share = 0.0;
        Vec<Dim> push = Vec<Dim>::Zero(); ///< [1/m]
        double drag = 0.0;                ///< [1/m²]
        double distance = 0.0;            ///< [m]
        Vec<Dim> velocity = Vec<Dim>::Zero();
        WallSurface<Dim> surface;
        int obstacle = -1;
    };
    template <class Visit>
    void for_each_part(const Vec<Dim>& x, const FluidPartModel& part, const Surroundings<Dim>& surroundings,
                       Visit&& visit) const;
    bool is_far(const Vec<Dim>& x, double reach, const Surroundings<Dim>& surroundings) const;
    void make_ghosts(const FluidModel& model, const Surroundings<Dim>& surroundings);
    double push_slope(double slope, double distance, double spacing) const;
    Share find_share(const Vec<Dim>& x, const FluidPartModel& part,
                     const Surroundings<Dim>& surroundings) const;

    WallSlope slope_;
    double first_layer_push_; ///< share of the push of the mirror image that the first layer gets
    double counted_share_;    ///< of the fluid behind walls
    double drag_share_;       ///< of the drag of walls that hold the fluid
    double least_friction_;   ///< of any wall
    double felt_constraint_;  ///< share of what the hard constraint does that obstacles feel
    WallKernel<Dim> kernel_;
    WallKernel<Dim> lattice_kernel_;
    std::vector<GhostWall<Dim>> ghosts_; ///< of the obstacles, where they are at rest
    double ghost_spacing_ = 0.0;         ///< of the particles that they are made for [m]
    std::vector<Share> shares_;
    bool tracks_loads_ = false;
    std::vector<ObstacleLoad<Dim>> loads_;
};

/// Whether the fluid fills a domain that nothing leaves or enters, and in which there is nothing else.
template <int Dim>
bool is_full(const FluidState<Dim>& fluid, const FluidModel& model, const Surroundings<Dim>& surroundings);

/// Whether the fluid ends nowhere: it fills a domain that is periodic along every axis and has no obstacles.
template <int Dim>
bool is_without_end(const FluidState<Dim>& fluid, const FluidModel& model,
                    const Surroundings<Dim>& surroundings);

extern template class FluidWalls<2>;
extern template class FluidWalls<3>;

} // namespace phyxel
