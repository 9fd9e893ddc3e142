// SPDX-License-Identifier: MIT
// All solids of a world as one body: they touch each other, so they are stepped together.
#pragma once

#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/solid/solid_material.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/solid/solid_region.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/world/body.h>

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace phyxel {

/// What is drawn of a solid: triangles, or, without any, surfels. Empty: nothing but its phyxels.
struct SolidSkin {
    std::vector<Vec<3>> vertices = {}; ///< at rest [m]
    std::vector<Vec<3>> normals = {};  ///< of surfels; must not be empty then
    std::vector<std::array<Index, 3>> triangles = {};
    SkinningMethod method = SkinningMethod::FirstOrder;
};

/// A solid that the user named.
template <int Dim>
struct SolidPart {
    std::string name;
    PhyxelCloud<Dim> phyxels;
    std::vector<Vec<Dim>> velocities; ///< at the start [m/s]
    SolidMaterial material = {};
    std::vector<SolidRegion<Dim>> regions = {};
    SolidSkin skin = {};
    double start = 0.0; ///< when it joins; only for those that are expected [s]
};

/// Fields that frames of a solid can have beside id and velocity; numbers, in SI units.
///
///     strain   Frobenius norm of Green's strain
///     stress   von Mises' norm of Cauchy's stress [Pa]
///     energy   of strain in a volume [J/m³]
inline constexpr std::array<std::string_view, 3> solid_fields = {"strain", "stress", "energy"};

/// The solids of a world have one solver; all else may differ.
template <int Dim>
class SolidBody final : public Body<Dim> {
public:
    /// Throws InputError for materials and options that make no solid. `first_id` is that of the first
    /// phyxel.
    SolidBody(const SolidOptions& options, std::vector<SolidPart<Dim>> parts, std::uint64_t first_id = 0);
    ~SolidBody() override;

    /// A part that is not there yet; it has no phyxels until it joins. Equilibria know no such thing.
    void expect(SolidPart<Dim> part);

    /// What events may do. Not the kind of solver, and not the density can be changed.
    void set_options(const SolidOptions& options);
    void set_material(std::string_view part, const SolidMaterial& material);
    /// An expected part is there from now on. Does nothing if it is there.
    void join(std::string_view part, const Surroundings<Dim>& surroundings);

    std::vector<std::string> parts() const override;
    std::size_t particle_count() const override;
    double stable_time_step() const override;
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) override;
    std::vector<Snapshot> snapshots(std::span<const std::string> fields,
                                    const Surroundings<Dim>& surroundings) override;
    std::vector<BodyTotals<Dim>> totals(const Surroundings<Dim>& surroundings) override;
    void set_hands(std::span<const Hand<Dim>> hands) override;
    void track_loads(bool on) override;
    std::span<const ObstacleLoad<Dim>> loads() const override;
    std::vector<double> sample(std::string_view field, std::span<const Vec<Dim>> places,
                               std::optional<std::string_view> part,
                               const Surroundings<Dim>& surroundings) override;
    double flow(const Vec<Dim>& point, const Vec<Dim>& normal,
                const Surroundings<Dim>& surroundings) const override;
    std::optional<std::uint64_t> nearest(std::string_view part, const Vec<Dim>& place) const override;
    std::optional<std::vector<double>> value(std::string_view field, std::uint64_t particle,
                                             const Surroundings<Dim>& surroundings) override;
    std::optional<ParticleCloseUp<Dim>> close_up(std::uint64_t particle,
                                                 const Surroundings<Dim>& surroundings) const override;
    void save(CheckpointWriter& checkpoint) const override;
    void load(const CheckpointReader& checkpoint) override;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

extern template class SolidBody<2>;
extern template class SolidBody<3>;

} // namespace phyxel
