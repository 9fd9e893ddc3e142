// SPDX-License-Identifier: MIT
// What walls are to a fluid: hidden fluid that completes the density of particles near them, a hard
// constraint that no particle passes, friction, and a place to which forces go.
#pragma once

#include <phyxel/fluid/fluid_stages.h>
#include <phyxel/fluid/fluid_state.h>
#include <phyxel/fluid/ghost_wall.h>
#include <phyxel/fluid/wall_kernel.h>
#include <phyxel/geometry/surroundings.h>

#include <cstdint>
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
    /// coefficient times the push, `push(i)` [m/s²], that the walls gave. Adds its counterpart to the loads.
    void rub(FluidState<Dim>& fluid, const FluidModel& model, double dt,
             const Surroundings<Dim>& surroundings, const std::function<double(Index)>& push);

    /// Whether there are obstacles that the fluid moves; those near it are found by find().
    bool push_free() const { return !free_pushes_.empty(); }
    /// Whether such an obstacle is within the support of a particle.
    bool is_at_free(Index particle) const { return !is_at_free_.empty() && is_at_free_[particle] != 0; }

    /// How strongly particles near free obstacles answer to pressure because these give way, as a bound that
    /// makes a Jacobi step of the whole stable: Σ_j |J_i W J_j| ρ₀² m_j ≤ … where J_i are push and its
    /// moment.
    void add_free_response(const FluidModel& model, const FluidState<Dim>& fluid, double share,
                           std::span<float> response) const;

    /// Adds to D(Dρ/Dt) what comes from the accelerations that `pressure`, which is p/ρ², gives to free
    /// obstacles: ρ₀ J_i W Σ_j (−m_j ρ₀ p_j/ρ_j² J_j).
    void add_free_rate(const FluidModel& model, const FluidState<Dim>& fluid, std::span<const float> pressure,
                       std::span<float> rate);

    /// The walls have from now on the velocities that this pressure has given them within `dt` [s].
    void move_free(const FluidModel& model, const FluidState<Dim>& fluid, std::span<const float> pressure,
                   double dt);

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
        WallSurface surface;
        int obstacle = -1;
    };
    /// What a free obstacle and a particle have to do with each other.
    static constexpr int freedoms = FreeMotion<Dim>::freedoms;
    struct FreePush {
        Index particle = 0;
        std::size_t obstacle = 0;      ///< its number among those that are free
        Vec<freedoms> push_and_moment; ///< of the push, about the centre
        Vec<Dim> arm;                  ///< of the particle [m]
        double weight = 1.0;           ///< of this wall in the velocity of all
    };
    void find_free_pushes(const FluidState<Dim>& fluid, const FluidModel& model,
                          const Surroundings<Dim>& surroundings);
    void find_free_accelerations(const FluidModel& model, const FluidState<Dim>& fluid,
                                 std::span<const float> pressure);
    /// The walls of a particle, with their parts of the push that find_share() put together.
    void find_parts(const Vec<Dim>& x, const FluidPartModel& part, const Share& all,
                    const Surroundings<Dim>& surroundings, std::vector<Part>& parts) const;

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
    double felt_load_;        ///< share of what they do that obstacles feel
    WallKernel<Dim> kernel_;
    WallKernel<Dim> lattice_kernel_;
    std::vector<GhostWall<Dim>> ghosts_; ///< of the obstacles, where they are at rest
    double ghost_spacing_ = 0.0;         ///< of the particles that they are made for [m]
    std::vector<Share> shares_;
    std::vector<Mat<freedoms>> responses_; ///< of the obstacles that are free
    std::vector<FreePush> free_pushes_;
    std::vector<std::uint8_t> is_at_free_; ///< of every particle; empty if there are no such obstacles
    std::vector<Vec<freedoms>> free_accelerations_;
    std::vector<Part> parts_;
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
