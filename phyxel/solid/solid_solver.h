// SPDX-License-Identifier: MIT
// Makes steps of solids: leapfrog, implicit Euler, or from equilibrium to equilibrium.
#pragma once

#include <phyxel/geometry/surroundings.h>
#include <phyxel/solid/coarse_space.h>
#include <phyxel/solid/conjugate_gradients.h>
#include <phyxel/solid/crowding.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_contact.h>
#include <phyxel/solid/solid_model.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/solid/solid_regions.h>
#include <phyxel/solid/solid_state.h>
#include <phyxel/solid/solid_step_report.h>

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace phyxel {

/// β of any solver.
double stabilization_of(const SolidOptions& options);

template <int Dim>
class SolidSolver {
public:
    /// `model` and `regions` must outlive it. Throws InputError if nothing holds a solid that is to be in
    /// equilibrium.
    SolidSolver(const SolidModel<Dim>& model, const SolidRegions<Dim>& regions, const SolidOptions& options);

    /// Largest step that is safe, or wanted [s].
    double stable_time_step(const SolidState<Dim>& solid) const;

    /// Advances the solids by `dt` [s] to the time of the surroundings.
    SolidStepReport step(SolidState<Dim>& solid, double dt, const Surroundings<Dim>& surroundings);

    /// After a material of the model, or an option, has changed.
    void set_options(const SolidOptions& options);
    void update_material();
    /// After weights of pairs of the model have changed.
    void update_weights();

    /// How fast the solids swing at the most, which bounds explicit steps. Of solids with cracks it depends
    /// on how these have grown, and is state.
    struct Rates {
        double frequency = 0.0; ///< of the solids at rest [1/s]
        double damping = 0.0;   ///< that viscosity is to a mode of the solids at rest [1/s]
        double checked = 0.0;   ///< stiffness over mass of single phyxels up to which this holds [1/s²]
    };
    const Rates& rates() const { return rates_; }
    void set_rates(const Rates& rates) { rates_ = rates; }
    /// After the shape at rest, or who its neighbours are, has changed.
    void update_rest();
    /// After phyxels have become more, and all that with it: what the last step has found of loads is kept,
    /// and nothing pushes any more.
    void update_phyxels();

    /// See Crowding: how crowded phyxels that flow are, and how much may be; empty if nothing flows.
    std::vector<double> crowds(std::span<const Vec<Dim>> positions)
    {
        return crowding_ ? crowding_->crowds(model_, positions) : std::vector<double>();
    }
    void set_allowed_crowds(std::span<const double> allowed)
    {
        allowed_crowds_.assign(allowed.begin(), allowed.end());
        if (crowding_) crowding_->set_allowed(allowed_crowds_);
    }

    /// What the parts do not feel from now on; empty if all of them feel everything.
    void set_unfelt(std::vector<Unfelt> unfelt) { search_.set_unfelt(std::move(unfelt)); }
    bool feels(std::uint32_t part, int wall) const { return search_.feels(part, wall); }

    /// What others push every phyxel with from now on [N]; empty if nothing does. Not part of the state.
    void set_pushes(std::vector<Vec<Dim>> pushes) { pushes_ = std::move(pushes); }

    /// What every phyxel is pushed with by the solid itself and by gravity [N].
    void find_own_forces(const SolidState<Dim>& solid, const Surroundings<Dim>& surroundings,
                         std::vector<Vec<Dim>>& forces);

    /// What the velocity of a phyxel changes by for an impulse, as far as the phyxel alone can tell [1/kg].
    /// Nothing moves what is held. In a step that is cut into explicit ones its neighbours hold it back the
    /// more the longer the whole is; the forces of one moment say little of such a step. Those at the end of
    /// an implicit one are smooth, and who trusts them and the mass alone never pushes too hard.
    double softness(Index phyxel, double dt) const
    {
        if (regions_.is_prescribed(phyxel)) return 0.0;
        const bool is_explicit = std::holds_alternative<LeapfrogOptions>(options_);
        const double stiffness = is_explicit ? dt * dt * stiffness_diagonal_[phyxel] : 0.0;
        return 1.0 / (model_.mass[phyxel] + stiffness);
    }

    void track_loads(bool on) { tracks_loads_ = on; }
    /// On the obstacles in the last step.
    std::span<const ObstacleLoad<Dim>> loads() const { return std::span(loads_).first(obstacle_count_); }
    /// On the forms.
    std::span<const ObstacleLoad<Dim>> form_loads() const
    {
        return std::span(loads_).subspan(obstacle_count_);
    }

    /// Deformation and stress of the solids as they are.
    std::span<const ElasticResponse<Dim>> evaluate(const SolidState<Dim>& solid);
    /// Where the responses of the last evaluation or step are; of an explicit step those at its start.
    const ElasticWorkspace<Dim>& work() const { return work_; }
    /// What flows remember then; empty if nothing flows.
    std::span<const FlowStep<Dim>> flown() const { return work_.flown; }
    /// And how stiffly neighbours are kept in line then, which is less where they have flown [J].
    std::span<const double> stabilization() const { return work_.stabilization; }
    /// Adds what crowds of phyxels that flow have then, phyxel by phyxel [J].
    void add_crowding_energy(std::span<double> energies) const
    {
        if (crowding_) crowding_->add_energies(energies);
    }

private:
    SolidStepReport leapfrog_step(SolidState<Dim>& solid, double dt, const Surroundings<Dim>& surroundings);
    SolidStepReport implicit_step(SolidState<Dim>& solid, double dt, const Surroundings<Dim>& surroundings);
    SolidStepReport quasi_static_step(SolidState<Dim>& solid, double dt,
                                      const Surroundings<Dim>& surroundings);

    // solid_solver.cpp
    void find_largest_rates();
    void find_force_unit();
    double largest_diagonal();
    void add_crowding(std::span<const Vec<Dim>> positions, const PeriodicBox<Dim>& periodic);
    void add_gravity(const SolidState<Dim>& solid, const Surroundings<Dim>& surroundings);
    void meet_walls(SolidState<Dim>& solid, double dt, double allowed, const Surroundings<Dim>& surroundings);
    void add_load(const Contact<Dim>& contact, const Vec<Dim>& place, const Vec<Dim>& force,
                  const Surroundings<Dim>& surroundings);
    void count_loads(std::span<const Contact<Dim>> contacts, std::span<const Vec<Dim>> positions,
                     std::span<const Vec<Dim>> velocities, double dt, const Surroundings<Dim>& surroundings);
    std::vector<Vec<Dim>> mean_velocities(const SolidState<Dim>& solid) const;
    void find_fastest(const SolidState<Dim>& solid, double dt, SolidStepReport& report) const;
    void check_deformation(SolidState<Dim>& solid, SolidStepReport& report);

    // solid_newton.cpp
    struct NewtonGoal {
        double inertia = 0.0; ///< what m is taken times in the system [1/s²]
        double rate = 0.0;    ///< what a change of place is taken times to be a velocity [1/s]
        double time = 0.0;    ///< at the end [s]
        double dt = 0.0;      ///< [s]
        double tolerance = 1e-3;
        int newton_iterations = 1;
        int linear_iterations = 200;
    };
    SolidStepReport newton_step(SolidState<Dim>& solid, const NewtonGoal& goal,
                                const Surroundings<Dim>& surroundings);
    double evaluate_residual(const SolidState<Dim>& start, const NewtonGoal& goal);
    void find_contacts(const SolidState<Dim>& start, const NewtonGoal& goal,
                       const Surroundings<Dim>& surroundings);
    void solve_newton(const SolidState<Dim>& start, const NewtonGoal& goal,
                      const Surroundings<Dim>& surroundings, SolidStepReport& report);

    const SolidModel<Dim>& model_;
    const SolidRegions<Dim>& regions_;
    SolidOptions options_;
    ElasticWorkspace<Dim> work_;
    ContactSearch<Dim> search_;
    std::optional<Crowding<Dim>> crowding_; ///< if anything may flow
    std::vector<double> allowed_crowds_;
    std::vector<double> stiffness_diagonal_;
    double force_unit_ = 0.0; ///< norm of E v / a of all phyxels: the forces of a strain of 1 [N]
    Rates rates_;
    bool has_viscosity_ = false;

    std::vector<Vec<Dim>> forces_;
    std::vector<Vec<Dim>> external_; ///< that do not depend on places
    std::vector<Vec<Dim>> pushes_;   ///< of other bodies
    std::vector<Contact<Dim>> contacts_;
    std::vector<Contact<Dim>> walls_;
    std::vector<double> partial_;
    bool tracks_loads_ = false;
    std::vector<ObstacleLoad<Dim>> loads_; ///< on obstacles, then on forms
    std::size_t obstacle_count_ = 0;

    // Of Newton's method.
    ConjugateGradients<Dim> linear_;
    CoarseSpace<Dim> coarse_;
    std::vector<std::uint8_t> fixed_in_coarse_; ///< empty if it has to be built anew
    std::vector<Vec<Dim>> x_, v_, trial_, residual_, change_;
    std::vector<double> diagonal_;
};

extern template class SolidSolver<2>;
extern template class SolidSolver<3>;

} // namespace phyxel
