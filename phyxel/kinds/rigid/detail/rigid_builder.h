// SPDX-License-Identifier: MIT
// Builds the rigid bodies of a scene.
#pragma once

#include <phyxel/kinds/rigid/rigid_body.h>
#include <phyxel/kinds/rigid/rigid_body_options.h>
#include <phyxel/scene/kind_builder.h>

#include <any>
#include <cstdint>
#include <memory>
#include <vector>

namespace phyxel {

template <int Dim>
class RigidBuilder final : public KindBuilder<Dim> {
public:
    using KindBuilder<Dim>::KindBuilder;

    double memory(double particles) const override { return 400.0 * particles; }
    void fill(PlannedBody<Dim>& body) override;
    Vec<Dim> center_of(const PlannedBody<Dim>& body) const override;
    void finish(std::uint64_t first_id, bool for_world) override;
    std::vector<ExpectedStep> expected_steps() const override;
    bool is_held() const override;
    /// It has its shape, however few particles it is shown by.
    bool shows_thin_shape(const PlannedBody<Dim>&) const override { return false; }
    KindCost cost(const RunPlan& plan) const override;
    double longest_safe_step() const override { return 4.0 * RigidSolver<Dim>::longest_step; }
    std::unique_ptr<Body<Dim>> make_body(std::uint64_t first_id) override;
    std::any make_part(PlannedBody<Dim>& body) override;

private:
    using KindBuilder<Dim>::bodies;
    using KindBuilder<Dim>::context_;

    RigidPart<Dim> part_of(const PlannedBody<Dim>& body);
    void check_places();
    std::vector<RigidJoint<Dim>> make_joints(const std::vector<std::string>& order) const;

    std::vector<RigidModel<Dim>> models_; ///< of the bodies
    std::unique_ptr<RigidBody<Dim>> body_;
    double mesh_points_ = 0.0; ///< of all parts that were made
    double mesh_triangles_ = 0.0;
};

extern template class RigidBuilder<2>;
extern template class RigidBuilder<3>;

} // namespace phyxel
