// SPDX-License-Identifier: MIT
// Builds the fluids of a scene.
#pragma once

#include <phyxel/kinds/fluid/detail/flow_maker.h>
#include <phyxel/kinds/fluid/fluid_body.h>
#include <phyxel/kinds/fluid/fluid_body_options.h>
#include <phyxel/scene/kind_builder.h>

#include <any>
#include <cstdint>
#include <memory>
#include <vector>

namespace phyxel {

/// Once the fastest motion is known.
FluidOptions fluid_options_of(const SolverSettings& settings);

template <int Dim>
class FluidBuilder final : public KindBuilder<Dim> {
public:
    explicit FluidBuilder(BuildContext<Dim>& context);

    void make_shapes() override;
    double volume_without_shape(const PlannedBody<Dim>& body) const override;
    double memory(double particles) const override;
    void check_spacings() override;
    void make_sources() override;
    double added_count() const override;
    void measure() override;
    double work_of_particle() const override;
    void fill(PlannedBody<Dim>& fluid) override;
    bool may_be_empty() const override { return !flow_maker_.flows().emitters.empty(); }
    void check_filled() override;
    Box<Dim> added_bounds() const override { return flow_maker_.bounds(); }
    double start_speed() const override;
    void set_expected_speed(double speed) override;
    std::vector<ExpectedStep> expected_steps() const override;
    KindCost cost(const RunPlan& plan) const override;
    bool is_crowded() const override { return crowding_ >= 1.5; }
    void warn() override;
    /// The fastest motion to expect is a careful guess.
    double step_margin() const override { return 2.0; }
    double longest_safe_step() const override;
    std::unique_ptr<Body<Dim>> make_body(std::uint64_t first_id) override;
    void check_body(Body<Dim>& body, const Surroundings<Dim>& surroundings) override;
    std::any make_part(PlannedBody<Dim>& fluid) override;

private:
    using KindBuilder<Dim>::bodies;
    using KindBuilder<Dim>::context_;

    const FluidBodyOptions<Dim>& first() const;
    double support_ratio_of_solver() const;
    bool is_iterative() const;
    double largest_spacing() const;
    FluidPart<Dim> part_of(PlannedBody<Dim>& fluid);
    void check_periodic_lengths();
    void check_periodic_length(double length, double spacing, const Path& path);
    double crowding_of(const PlannedBody<Dim>& fluid) const;
    double expected_speed() const;
    double speed_in_motion() const;
    double driven_until() const;
    double room() const;
    double step_at(const SceneOptions<Dim>& scene, double speed) const;
    void leave_out_near_walls(PlannedBody<Dim>& fluid);
    void warn_of_obstacles_at_periodic_sides();
    void spend_on_ghosts();

    FlowMaker<Dim> flow_maker_;
    double crowding_ = 1.0; ///< particles where there is room for one, on average
};

extern template class FluidBuilder<2>;
extern template class FluidBuilder<3>;

} // namespace phyxel
