// SPDX-License-Identifier: MIT
// Builds the solids of a scene.
#pragma once

#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/kinds/solid/solid_body_options.h>
#include <phyxel/scene/kind_builder.h>

#include <any>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace phyxel {

/// What a region is made from, as a text.
template <int Dim>
std::string source_of(const RegionOptions<Dim>& options);

template <int Dim>
class SolidBuilder final : public KindBuilder<Dim> {
public:
    using KindBuilder<Dim>::KindBuilder;

    void make_shapes() override;
    double memory(double phyxels) const override;
    double work_of_particle() const override { return 2500.0; }
    double work_of_boundary_point() const override { return 1300.0; }
    void fill(PlannedBody<Dim>& solid) override;
    Vec<Dim> center_of(const PlannedBody<Dim>& solid) const override;
    void make_regions() override;
    void finish(std::uint64_t first_id, bool for_world) override;
    std::vector<ExpectedStep> expected_steps() const override;
    KindCost cost(const RunPlan& plan) const override;
    bool is_held() const override;
    /// What a solid is made of may have buttons and brows, which its surface shows and phyxels need not.
    bool shows_thin_shape(const PlannedBody<Dim>& solid) const override
    {
        return solid.shape->parts().size() == 1;
    }
    void warn() override;
    double longest_safe_step() const override;
    std::unique_ptr<Body<Dim>> make_body(std::uint64_t first_id) override;
    std::any make_part(PlannedBody<Dim>& solid) override;

private:
    using KindBuilder<Dim>::bodies;
    using KindBuilder<Dim>::context_;

    /// What is made of a body beside its positions.
    struct Made {
        std::vector<Shape<Dim>> region_shapes = {};
        PhyxelCloud<Dim> phyxels = {};
        std::vector<SolidRegion<Dim>> regions = {};
        SolidSkin skin = {};
        std::size_t surface_points = 0; ///< of the skin, also once it was taken
        std::size_t surface_triangles = 0;
    };

    static SolidBodyOptions<Dim>& options_of(const PlannedBody<Dim>& solid)
    {
        return solid.template as<SolidBodyOptions<Dim>>();
    }
    void warn_of_phyxels_beyond_walls(const PlannedBody<Dim>& solid);
    void warn_of_crumbs(const PlannedBody<Dim>& solid);
    void warn_of_fall(const PlannedBody<Dim>& solid);
    std::optional<double> least_fracture_energy(const PlannedBody<Dim>& solid);
    void warn_of_cracks_beside(const PlannedBody<Dim>& solid);
    bool is_held(const PlannedBody<Dim>& solid) const;
    double height_of_fall(const PlannedBody<Dim>& solid, const Vec<Dim>& down, double limit) const;
    void make_region(PlannedBody<Dim>& solid, std::size_t number, std::vector<std::size_t>& mover);
    void check_temperature(const PlannedBody<Dim>& solid);
    void check_loads(const RegionOptions<Dim>& options, const Path& path);
    void make_skins();
    double sound_time(const SceneOptions<Dim>& scene) const;
    double time_of_contact() const;
    double shortening(const SceneOptions<Dim>& scene, bool is_in_contact) const;
    double step_at(double time) const;
    bool has_heat(const SceneOptions<Dim>& scene) const;
    bool may_come_to_flow(const SolidBodyOptions<Dim>& options) const;
    double heat_steps() const;
    double seconds_of(const RunPlan& plan) const;
    void choose_solver();
    SolidPart<Dim> part_of(const PlannedBody<Dim>& solid);
    std::vector<SolidBlade<Dim>> blades();

    std::vector<Made> made_; ///< of the bodies
    std::unique_ptr<SolidBody<Dim>> body_;
};

extern template class SolidBuilder<2>;
extern template class SolidBuilder<3>;

} // namespace phyxel
