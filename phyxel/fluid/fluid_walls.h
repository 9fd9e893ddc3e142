// SPDX-License-Identifier: MIT
// What walls are to a fluid: hidden fluid that completes the density of particles near them, a hard
// constraint that no particle passes, friction, and a place to which forces go.
#pragma once

#include <phyxel/core/parallel_for.h>
#include <phyxel/fluid/boundary_wall.h>
#include <phyxel/fluid/fluid_stages.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/fluid/ghost_wall.h>
#include <phyxel/fluid/wall_kernel.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/geometry/unfelt.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

template <int Dim>
class FluidWalls {
public:
    using Share = WallShare<Dim, float>;

    FluidWalls(const FluidModel& model, WallSlope slope);

    const WallKernel<Dim>& kernel() const { return kernel_; }

    /// What the parts do not feel from now on; empty if all of them feel everything.
    void set_unfelt(std::vector<Unfelt> unfelt) { unfelt_ = std::move(unfelt); }
    /// Whether there are particles of some parts that do not feel those of others.
    bool has_strangers() const;
    bool are_strangers(std::uint32_t part, std::uint32_t other) const
    {
        return !unfelt_.empty() && unfelt_[part].has_part(other);
    }
    bool has_strangers(std::uint32_t part) const { return !unfelt_.empty() && !unfelt_[part].parts.empty(); }

    /// What each particle has of the walls.
    void find(const FluidState<Dim>& fluid, const FluidModel& model, const Surroundings<Dim>& surroundings);
    std::span<const Share> shares() const { return shares_; }

    /// The share that a particle of this part would have at x, of walls that are where they were found.
    double share_at(const Vec<Dim>& x, const FluidModel& model, std::uint32_t part,
                    const Surroundings<Dim>& surroundings) const;

    /// −∇ of the share that lattices behind the sides of the domain would give at x, however steep these
    /// walls are [1/m].
    Vec<Dim> lattice_push_at(const Vec<Dim>& x, const FluidPartModel& part, const Domain<Dim>& domain) const;

    /// Takes from the velocity along rough walls what Coulomb's friction can take in a step: at most the
    /// coefficient times the push, `push(i)` [m/s²], that the walls gave.
    void rub(FluidState<Dim>& fluid, const FluidModel& model, double dt,
             const Surroundings<Dim>& surroundings, const std::function<double(Index)>& push);

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

    /// A particle that sees the boundary of another body.
    struct Touch {
        Index particle;
        std::uint32_t boundary;
        bool is_only;  ///< wall that the particle has
        double part;   ///< of the velocity of its walls that is the boundary's
        Vec<Dim> push; ///< its part of the push that the walls give together [1/m]
        double drag;   ///< if it holds the fluid [1/m²]
        BoundarySight<Dim> sight;
        std::size_t first, last; ///< of its weights
    };
    /// In the order of the particles, from the last find().
    std::span<const Touch> touches() const { return touches_; }
    std::span<const BoundaryWeight> weights_of(const Touch& touch) const
    {
        return std::span(weights_).subspan(touch.first, touch.last - touch.first);
    }

    /// Whether two particles are on the two sides of a thin body.
    bool are_apart(const FluidState<Dim>& fluid, Index i, Index j) const;
    /// Whether `i` sees a boundary.
    bool is_touching(Index i) const { return !touch_of_.empty() && touch_of_[i] != no_touch; }

    /// Adds the counterpart of what boundaries do to particles in a step of `dt` [s]: `acceleration(i,
    /// share)` is what a wall with this share gives to particle i.
    void add_impulses(const FluidModel& model, const FluidState<Dim>& fluid, double dt,
                      const std::function<Vec<Dim>(Index, const Share&)>& acceleration);

    /// Lets the boundaries move on by themselves for a step of `dt` [s]: their velocities become those at its
    /// end.
    void coast(const Surroundings<Dim>& surroundings, double dt);

    /// How particles see the boundaries give way, as `seen(touch, change of velocity)`, when each touch
    /// pushes with `impulse(touch)` [N s] for `dt` [s].
    template <class Impulse, class Seen>
    void respond(const Surroundings<Dim>& surroundings, double dt, const Impulse& impulse, const Seen& seen);

    /// Changes the velocity that a particle sees.
    void change_velocity(std::size_t touch, const Vec<Dim>& change);

    /// On the boundaries of the surroundings in the last step, point by point [N s].
    std::span<const std::vector<Vec<Dim>>> impulses() const { return impulses_; }

private:
    /// What a wall gives to a particle by itself.
    struct Part {
        double share = 0.0;
        Vec<Dim> push = Vec<Dim>::Zero(); ///< [1/m]
        double drag = 0.0;                ///< [1/m²]
        double distance = 0.0;            ///< [m]
        Vec<Dim> velocity = Vec<Dim>::Zero();
        WallSurface<Dim> surface = {};
        int obstacle = -1;
    };
    /// Touches of some particles, and their weights.
    struct Touches {
        std::vector<Touch> all;
        std::vector<BoundaryWeight> weights;
        std::vector<BoundaryWeight> latest;
    };
    template <class Visit>
    void for_each_part(const Vec<Dim>& x, const FluidModel& model, std::uint32_t number,
                       const Surroundings<Dim>& surroundings, std::vector<BoundaryWeight>* weights,
                       Visit&& visit) const;
    static double drag_of(const Part& wall) { return wall.surface.no_slip ? wall.drag : 0.0; }
    Part part_of(const FluidPartModel& part, double share, const Vec<Dim>& push, double distance) const;
    bool may_reach_boundary(const Vec<Dim>& x) const;
    void focus_responses(const Surroundings<Dim>& surroundings);
    void find_beside_boundaries(const FluidState<Dim>& fluid, const FluidModel& model,
                                const Surroundings<Dim>& surroundings);
    void add_impulse(const Touch& touch, const Vec<Dim>& impulse);
    void add_friction(const FluidState<Dim>& fluid, const FluidModel& model, double dt,
                      const Surroundings<Dim>& surroundings);
    void keep_out_of_boundaries(FluidState<Dim>& fluid, const FluidModel& model, double nearest, double dt,
                                const Surroundings<Dim>& surroundings);
    bool is_far(const Vec<Dim>& x, double reach, const Surroundings<Dim>& surroundings) const;
    void make_ghosts(const FluidModel& model, const Surroundings<Dim>& surroundings);
    double push_slope(double slope, double distance, double spacing) const;
    Share find_share(const Vec<Dim>& x, const FluidModel& model, std::uint32_t number,
                     const Surroundings<Dim>& surroundings, Index particle = 0,
                     Touches* touches = nullptr) const;
    bool feels(std::uint32_t part, int wall) const
    {
        return unfelt_.empty() || !unfelt_[part].has_wall(wall);
    }
    std::span<const std::uint32_t> unfelt_pieces(std::uint32_t part, std::size_t boundary) const
    {
        return unfelt_.empty() ? std::span<const std::uint32_t>() : unfelt_[part].pieces[boundary];
    }

    WallSlope slope_;
    double first_layer_push_; ///< share of the push of the mirror image that the first layer gets
    double counted_share_;    ///< of the fluid behind walls
    double drag_share_;       ///< of the drag of walls that hold the fluid
    double felt_reaction_;    ///< share of what the fluid does that other bodies feel
    WallKernel<Dim> kernel_;
    WallKernel<Dim> lattice_kernel_;
    std::vector<GhostWall<Dim>> ghosts_; ///< of the obstacles, where they are at rest
    double ghost_spacing_ = 0.0;         ///< of the particles that they are made for [m]
    std::vector<Share> shares_;
    std::vector<Unfelt> unfelt_; ///< by the parts
    bool tracks_loads_ = false;
    std::vector<ObstacleLoad<Dim>> loads_;
    std::vector<Vec<Dim>> rubbed_; ///< what friction took from velocities, if anybody feels it [m/s]

    // Of the boundaries of other bodies; all empty if there are none.
    PeriodicBox<Dim> periodic_;
    static constexpr Index no_touch = std::numeric_limits<Index>::max();
    std::vector<BoundaryWall<Dim>> boundaries_;
    std::vector<Touches> found_; ///< by block
    std::vector<Touch> touches_;
    std::vector<BoundaryWeight> weights_;
    std::vector<Index> touch_of_; ///< first touch of each particle
    std::vector<std::vector<Vec<Dim>>> impulses_;
    std::vector<std::vector<Vec<Dim>>> trial_impulses_, changes_; ///< of the points
    std::vector<std::optional<BoundaryStop<Dim>>> stops_;         ///< of the touches
    std::vector<double> softness_;                                ///< of the touches [1/kg]
};

template <int Dim>
template <class Impulse, class Seen>
void FluidWalls<Dim>::respond(const Surroundings<Dim>& surroundings, double dt, const Impulse& impulse,
                              const Seen& seen)
{
    trial_impulses_.resize(surroundings.boundaries.size());
    changes_.resize(surroundings.boundaries.size());
    for (std::size_t k = 0; k < changes_.size(); ++k) {
        trial_impulses_[k].assign(surroundings.boundaries[k].size(), Vec<Dim>::Zero());
        changes_[k].assign(surroundings.boundaries[k].size(), Vec<Dim>::Zero());
    }
    for (const Touch& touch : touches_) {
        const Vec<Dim> whole = impulse(touch);
        for (const BoundaryWeight& own : weights_of(touch))
            trial_impulses_[touch.boundary][own.point] += own.weight * whole;
    }
    for (std::size_t k = 0; k < changes_.size(); ++k)
        if (surroundings.boundaries[k].response != nullptr)
            surroundings.boundaries[k].response->respond(trial_impulses_[k], dt, changes_[k]);
    parallel_for(touches_.size(), [&](Index t) {
        const Touch& touch = touches_[t];
        Vec<Dim> change = Vec<Dim>::Zero();
        for (const BoundaryWeight& own : weights_of(touch))
            change += own.weight * changes_[touch.boundary][own.point];
        seen(t, change);
    });
}

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
