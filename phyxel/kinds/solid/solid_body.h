// SPDX-License-Identifier: MIT
// All solids of a world as one body: they touch each other, so they are stepped together.
#pragma once

#include <phyxel/core/fault.h>
#include <phyxel/core/formula.h>
#include <phyxel/geometry/motion.h>
#include <phyxel/geometry/shape.h>
#include <phyxel/solid/phyxel_cloud.h>
#include <phyxel/solid/solid_material.h>
#include <phyxel/solid/solid_options.h>
#include <phyxel/solid/solid_region.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/world/body.h>

#include <any>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {

/// What is said of the heat of a part.
struct PartHeat {
    std::optional<Formula> temperature = {}; ///< at the start, of the place [K]; see usual_temperature
    std::optional<Air> air = {};             ///< where it touches nothing
};

/// The surface of a solid that flows.
struct SolidCoat {
    double radius;             ///< of a surfel [m]
    double blobbiness = -0.5;  ///< of the implicit coat
    double frame = 1.0 / 30.0; ///< [s]
};

/// What is drawn of a solid: triangles, or, without any, surfels. Empty: nothing but its phyxels.
struct SolidSkin {
    std::vector<Vec<3>> vertices = {}; ///< at rest [m]
    std::vector<Vec<3>> normals = {};  ///< of surfels; must not be empty then
    std::vector<std::array<Index, 3>> triangles = {};
    /// Of each vertex, or empty: 0 on the surface of the shape, 1 and -1 on the two faces of a crack, 2 where
    /// these meet at its front.
    std::vector<std::int8_t> crack_sides = {};
    SkinningMethod method = SkinningMethod::FirstOrder;
    std::optional<SolidCoat> coat = {};               ///< of surfels, instead of following the places at rest
    std::optional<SolidCoat> coat_once_it_flows = {}; ///< of a skin with vertices, which it takes over from
};

/// A solid that the user named.
template <int Dim>
struct SolidPart {
    std::string name;
    PhyxelCloud<Dim> phyxels;
    std::vector<Vec<Dim>> velocities; ///< at the start [m/s]
    SolidMaterial material = {};
    std::vector<SolidRegion<Dim>> regions = {};
    std::vector<std::string> merges_with = {}; ///< those that name it too
    SolidSkin skin = {};
    std::optional<Shape<Dim>> shape = {}; ///< at rest; without it other bodies do not feel the solid
    PartHeat heat = {};
    WallSurface<Dim> surface = {};                  ///< to fluids
    double start = 0.0;                             ///< when it joins; only for those that are expected [s]
    std::vector<std::vector<Vec<Dim>>> cracks = {}; ///< polygons at rest, lines in the plane
    std::uint64_t seed = 0;                         ///< of the strength, where it varies
    int levels = 0; ///< how often a phyxel may be halved where the solid is drawn out
};

/// Cuts what it goes through, and is felt by nothing.
template <int Dim>
struct SolidBlade {
    std::vector<Vec<Dim>> polygon; ///< before it has moved; a line in the plane, whose ends cut [m]
    Motion<Dim> motion = {};
    std::vector<std::string> bodies = {}; ///< that it cuts; all if there are none
};

inline constexpr std::array solid_fields = {
    FieldInfo{"strain", 1, "1", "Frobenius norm of Green's strain"},
    FieldInfo{"stress", 1, "Pa", "von Mises' norm of Cauchy's stress"},
    FieldInfo{"energy", 1, "J/m³", "of strain, in a volume at rest"},
    FieldInfo{"stress_tensor", 6, "Pa", "Cauchy's stress: xx, yy, zz, xy, yz, xz"},
    FieldInfo{"deformation_gradient", 9, "1", "from rest to the present, row by row"},
    FieldInfo{"plastic_strain", 1, "1", "equivalent strain of what has flown; 0 where it is liquid"},
    FieldInfo{"temperature", 1, "K", "where heat flows; 0 elsewhere"},
    FieldInfo{"liquid_fraction", 1, "1", "share that is molten"},
    FieldInfo{"volume_ratio", 1, "1", "volume over that at rest, below 0 where it is turned inside out"},
    FieldInfo{"fragment", 1, "1", "number of the piece of its body that cracks have left, from 0 on"},
    FieldInfo{"rest_position", 3, "m", "where a phyxel is in the shape at rest"},
};

/// What is done to a region from now on.
template <int Dim>
struct RegionChange {
    std::string part;
    std::string region;
    std::string source; ///< nothing changes if it is that of the region
    /// From the bounds of the region at rest.
    std::function<RegionAction<Dim>(const Box<Dim>&)> make;
    SurfaceHeat heat = {};
};

/// What events may change of the solids of a world.
template <int Dim>
struct SolidParameters {
    SolidOptions options;
    std::vector<std::pair<std::string, SolidMaterial>> materials = {}; ///< of parts
    std::vector<std::pair<std::string, std::optional<Air>>> airs = {}; ///< of parts
    std::vector<RegionChange<Dim>> regions = {};
    std::vector<std::pair<std::string, std::vector<std::string>>> merges = {}; ///< of parts, with whom
};

/// The solids of a world have one solver; all else may differ.
template <int Dim>
class SolidBody final : public Body<Dim> {
public:
    /// Throws InputError for materials and options that make no solid. `first_id` is that of the first
    /// phyxel. Faults are for verification.
    SolidBody(const SolidOptions& options, std::vector<SolidPart<Dim>> parts, std::uint64_t first_id = 0,
              Fault fault = Fault::None, std::vector<SolidBlade<Dim>> blades = {});
    ~SolidBody() override;

    /// What events may do. Not the kind of solver, and not the density can be changed.
    void set_options(const SolidOptions& options);
    void set_material(std::string_view part, const SolidMaterial& material);
    void set_region(const RegionChange<Dim>& change);
    void set_merges(std::span<const std::pair<std::string, std::vector<std::string>>> merges);

    /// Which phyxels are molten from now on, in the order of particles(); of bodies that do not melt it is
    /// passed over. Stress stays.
    void set_molten(std::span<const std::uint8_t> is_molten);

    std::vector<std::string> parts() const override;
    ParticleView<Dim> particles() const override;
    ParticleAmounts amounts(const Surroundings<Dim>& surroundings) override;
    double stable_time_step() const override;
    std::string limiting_part() const override;
    BodyStepReport step(double dt, const Surroundings<Dim>& surroundings) override;
    std::span<const FieldInfo> fields() const override { return solid_fields; }
    std::vector<double> field(std::string_view field, const Surroundings<Dim>& surroundings) override;
    std::optional<SurfaceMesh> surface(std::size_t part, std::span<const BodyField> fields,
                                       const Surroundings<Dim>& surroundings) override;
    void set_hands(std::span<const Hand<Dim>> hands) override;
    void track_loads(bool on) override;
    std::span<const ObstacleLoad<Dim>> loads() const override;
    bool meets_forms() const override { return true; }
    std::span<const ObstacleLoad<Dim>> form_loads() const override;
    void show_boundary(double spacing, Boundary<Dim>& boundary,
                       const Surroundings<Dim>& surroundings) override;
    void take_impulses(std::span<const Vec<Dim>> impulses, double dt) override;
    bool asks_for_heat() const override;
    void begin_heat() override;
    std::optional<HeatView<Dim>> heat() override;
    /// Equilibria know no such thing.
    void expect(SolidPart<Dim> part);
    /// A shared pointer to a SolidPart, which is taken out of it.
    void expect(std::any part) override;
    std::optional<std::string> refusal_of(const std::any& part) override;
    void join(std::string_view part, const Surroundings<Dim>& surroundings) override;
    void leave(std::string_view part) override;
    /// SolidParameters.
    void set_parameters(const std::any& parameters) override;
    void save(CheckpointWriter& checkpoint) const override;
    void load(const CheckpointReader& checkpoint) override;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

extern template class SolidBody<2>;
extern template class SolidBody<3>;

} // namespace phyxel
