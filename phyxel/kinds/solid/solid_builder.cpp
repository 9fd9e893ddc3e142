// SPDX-License-Identifier: MIT
// Solids of a scene: phyxels in their shapes, regions that something is done to, surfaces that are carried
// along.
#include <phyxel/kinds/solid/detail/solid_builder.h>

#include <Eigen/Geometry>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/fracture/blade.h>
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/kinds/solid/detail/coat_skin.h>
#include <phyxel/kinds/solid/detail/region_action.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/heat_checks.h>
#include <phyxel/scene/motion_maker.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <variant>

namespace phyxel {
namespace {

using detail::count_text;
using detail::in_metres;
using detail::point_text;

/// Tying a vertex of a skin to phyxels, in units of WorkBudget; so that the examples, of up to 1.6 s of a
/// processor, are looked at to the end.
constexpr double skin_vertex_work = 750.0;

/// The same for a point of a coat, which is sampled and projected as well. Measured.
constexpr double coat_point_work = 1500.0;

/// Weighing what a crack parts, for each square of a spacing that it has (in 2D for each spacing), in units
/// of WorkBudget. Measured: the spiral of an example takes three quarters of its check.
constexpr double crack_work[] = {5e3, 5e4}; // in 2 and 3 dimensions

/// In squares of a spacing (in 2D in spacings), no more than a body has room for.
template <int Dim>
double crack_size(const std::vector<Vec<Dim>>& polygon, const Box<Dim>& body, double spacing)
{
    const double room = std::pow(body.longest_side() / spacing, Dim - 1);
    double size = 0.0;
    if constexpr (Dim == 2) {
        for (std::size_t i = 1; i < polygon.size(); ++i) size += (polygon[i] - polygon[i - 1]).norm();
    } else {
        Vec<3> area = Vec<3>::Zero();
        for (std::size_t i = 2; i < polygon.size(); ++i)
            area += 0.5 * Vec<3>(polygon[i - 1] - polygon[0]).cross(Vec<3>(polygon[i] - polygon[0]));
        size = area.norm();
    }
    return std::min(room, size / std::pow(spacing, Dim - 1));
}

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();

/// What is in the shape or on its surface, but for rounding.
template <int Dim>
std::vector<std::uint64_t> phyxels_in(const Shape<Dim>& shape, const std::vector<Vec<Dim>>& places)
{
    const double tolerance = 1e-9 * shape.bounds().longest_side();
    std::vector<std::uint8_t> is_inside(places.size());
    parallel_for(places.size(),
                 [&](Index i) { is_inside[i] = shape.side(places[i], tolerance) != Side::Outside; });
    std::vector<std::uint64_t> phyxels;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (is_inside[i] != 0) phyxels.push_back(i);
    return phyxels;
}

template <int Dim>
double nearest_distance(const Shape<Dim>& shape, const std::vector<Vec<Dim>>& places)
{
    std::vector<double> distances(places.size());
    shape.signed_distance(places, distances);
    return *std::min_element(distances.begin(), distances.end());
}

SolidSkin skin_of(TriangleMesh mesh)
{
    return {.vertices = std::move(mesh.vertices), .triangles = std::move(mesh.triangles)};
}

template <int Dim>
std::vector<std::vector<Vec<Dim>>> polygons_of(const std::vector<CrackDrawing<Dim>>& cracks)
{
    std::vector<std::vector<Vec<Dim>>> polygons;
    for (const CrackDrawing<Dim>& crack : cracks) polygons.push_back(crack.polygon);
    return polygons;
}

/// Normals of unit length that point out of the solid. A cloud may have them all inwards.
SolidSkin skin_of(PointCloud cloud, const Shape<3>& shape)
{
    constexpr std::size_t looked_at = 1000;
    const std::size_t stride = std::max<std::size_t>(1, cloud.positions.size() / looked_at);
    double agreement = 0.0;
    for (std::size_t i = 0; i < cloud.positions.size(); i += stride) {
        const Vec<3> outwards = shape.normal(cloud.positions[i]);
        if (outwards.allFinite()) agreement += outwards.dot(cloud.normals[i].normalized());
    }
    for (Vec<3>& normal : cloud.normals) normal = std::copysign(1.0, agreement) * normal.normalized();
    return {.vertices = std::move(cloud.positions), .normals = std::move(cloud.normals)};
}

} // namespace

template <int Dim>
void SolidBuilder<Dim>::make_shapes()
{
    made_.resize(bodies.size());
    for (const PlannedBody<Dim>& solid : bodies) {
        const auto& regions = options_of(solid).regions;
        for (std::size_t k = 0; k < regions.size(); ++k)
            if (auto shape = context_.shapes.make(regions[k].shape, solid.path / "regions" / k / "shape"))
                made_[solid.number].region_shapes.push_back(std::move(*shape));
    }
}

template <int Dim>
void SolidBuilder<Dim>::fill(PlannedBody<Dim>& solid)
{
    PhyxelCloud<Dim>& phyxels = made_[solid.number].phyxels;
    const SolidBodyOptions<Dim>& options = options_of(solid);
    try {
        phyxels = make_phyxels(*solid.shape, solid.spacing,
                               PhyxelOptions{.sampling = options.sampling,
                                             .seed = context_.scene.seed,
                                             .support_ratio = options.support_ratio,
                                             .work = context_.work});
    } catch (const InputError& error) {
        context_.findings.add_problem(solid.path / "shape", error.what());
        return;
    }
    solid.positions = phyxels.positions;
    context_.is_filled = context_.is_filled || !solid.positions.empty();
    warn_of_phyxels_beyond_walls(solid);
    warn_of_crumbs(solid);
}

template <int Dim>
Vec<Dim> SolidBuilder<Dim>::center_of(const PlannedBody<Dim>& solid) const
{
    const PhyxelCloud<Dim>& cloud = made_[solid.number].phyxels;
    const Vec<Dim> sum = ordered_sum(cloud.size(), Vec<Dim>(Vec<Dim>::Zero()), [&](Index i) {
        return Vec<Dim>(cloud.volumes[i] * cloud.positions[i]);
    });
    return sum / ordered_sum(cloud.size(), 0.0, [&](Index i) { return cloud.volumes[i]; });
}

template <int Dim>
void SolidBuilder<Dim>::make_regions()
{
    for (PlannedBody<Dim>& solid : bodies) {
        std::vector<std::size_t> mover(solid.positions.size(), nobody); // the region that moves each phyxel
        for (std::size_t k = 0; k < options_of(solid).regions.size(); ++k) make_region(solid, k, mover);
        check_temperature(solid);
    }
}

template <int Dim>
void SolidBuilder<Dim>::make_region(PlannedBody<Dim>& solid, std::size_t number,
                                    std::vector<std::size_t>& mover)
{
    RegionOptions<Dim>& options = options_of(solid).regions[number];
    const Shape<Dim>& shape = made_[solid.number].region_shapes[number];
    const Path path = solid.path / "regions" / number;
    context_.begin_work(path / "shape");
    context_.work.spend(static_cast<double>(solid.positions.size()) * shape.query_work());
    SolidRegion<Dim> region{.name = options.name, .phyxels = phyxels_in(shape, solid.positions)};
    if (region.phyxels.empty()) {
        context_.findings.add_problem(path / "shape",
                                      "there is no phyxel in it, the nearest is " +
                                          in_metres(nearest_distance(shape, solid.positions)) + " away",
                                      "make it larger; phyxels lie half a spacing of " +
                                          in_metres(solid.spacing) + " inside the body");
        return;
    }
    if (options.motion && !options.motion->is_free) {
        std::size_t shared = 0;
        std::size_t other = nobody;
        for (const std::uint64_t i : region.phyxels) {
            if (mover[i] != nobody) {
                ++shared;
                other = mover[i];
            }
            mover[i] = number;
        }
        if (shared > 0)
            context_.findings.add_problem(path / "motion",
                                          count_text(shared, "phyxel") + (shared == 1 ? " is" : " are") +
                                              " moved by " + (solid.path / "regions" / other).text() + " (" +
                                              options_of(solid).regions[other].name + ") already",
                                          "regions that move must not overlap");
    }
    try {
        region.what = region_action(options, shape.bounds(), false);
        if (const auto* moved = std::get_if<PrescribedMotion<Dim>>(&region.what))
            static_cast<void>(context_.motion_speed(moved->motion, shape.bounds(), path / "motion"));
    } catch (const InputError& error) {
        context_.findings.add_problem(path / "motion", error.what());
    }
    region.heat = heat_of(options.heat);
    region.source = source_of(options);
    check_loads(options, path);
    made_[solid.number].regions.push_back(std::move(region));
}

template <int Dim>
void SolidBuilder<Dim>::make_skins()
{
    if constexpr (Dim == 3) {
        for (PlannedBody<Dim>& solid : bodies) {
            SolidBodyOptions<Dim>& options = options_of(solid);
            Made& made = made_[solid.number];
            // Finer than its phyxels a skin shows nothing more, and most of what a run writes is skins.
            constexpr double finest = 96.0, coarsest = 16.0, cells_in_spacing = 4.0;
            const double cells = cells_in_spacing * solid.shape->bounds().longest_side() / solid.spacing;
            if (!options.skin.detail)
                options.skin.detail = static_cast<int>(std::lround(std::clamp(cells, coarsest, finest)));
            const int detail = *options.skin.detail;
            if (detail == 0) continue;
            context_.begin_work(solid.path / "skin");
            if (!options.skin.method)
                options.skin.method =
                    may_come_to_flow(options) ? SkinMethod::Coat : SkinMethod::FirstOrderThenCoat;
            const SolidCoat coat{.radius = solid.shape->bounds().longest_side() / detail,
                                 .blobbiness = options.skin.blobbiness,
                                 .frame = 1.0 / context_.clock.frame_rate};
            if (options.skin.method == SkinMethod::Coat) {
                made.skin = skin_with_coat(*solid.shape, coat, context_.work);
                made.surface_points = made.skin.vertices.size();
                continue;
            }
            if (auto surface = context_.shapes.file_surface(*options.shape)) {
                if (auto* mesh = std::get_if<TriangleMesh>(&*surface))
                    made.skin = skin_of(std::move(*mesh));
                else
                    made.skin = skin_of(std::move(std::get<PointCloud>(*surface)), *solid.shape);
            } else {
                made.skin = skin_of(shape_mesh(*solid.shape, detail, context_.work));
            }
            if (options.skin.method == SkinMethod::MovingLeastSquares)
                made.skin.method = SkinningMethod::MovingLeastSquares;
            if (options.skin.method == SkinMethod::FirstOrderThenCoat) made.skin.coat_once_it_flows = coat;
            made.surface_points = made.skin.vertices.size();
            made.surface_triangles = made.skin.triangles.size();
        }
    }
}

/// From the start or later; melts of presets only where heat flows.
template <int Dim>
bool SolidBuilder<Dim>::may_come_to_flow(const SolidBodyOptions<Dim>& options) const
{
    const SolidMaterial& material = options.material.properties;
    if (material.may_flow()) return true;
    const bool is_still = options.solver && std::holds_alternative<QuasiStaticOptions>(*options.solver);
    if (is_still || !options.cracks.empty() || !warmed(material).may_flow()) return false;
    return has_heat(context_.scene) ||
           std::any_of(context_.later.begin(), context_.later.end(),
                       [&](const LaterOptions<Dim>& later) { return has_heat(later.scene); });
}

template <int Dim>
SolidPart<Dim> SolidBuilder<Dim>::part_of(const PlannedBody<Dim>& solid)
{
    Made& made = made_[solid.number];
    return {.name = solid.name(),
            .phyxels = std::move(made.phyxels),
            .velocities = solid.velocities,
            .material = options_of(solid).material.properties,
            .regions = std::move(made.regions),
            .merges_with = options_of(solid).merges_with,
            .skin = std::move(made.skin),
            .shape = solid.shape,
            .heat = {.temperature = options_of(solid).heat.temperature,
                     .air = air_of(options_of(solid).heat.air)},
            .surface = surface_of<Dim>(options_of(solid).surface),
            .start = solid.start().value_or(0.0),
            .cracks = polygons_of(options_of(solid).cracks),
            .seed = context_.scene.seed + solid.number,
            .levels = options_of(solid).levels};
}

template <int Dim>
std::any SolidBuilder<Dim>::make_part(PlannedBody<Dim>& solid)
{
    return std::make_shared<SolidPart<Dim>>(part_of(solid));
}

template <int Dim>
std::vector<SolidBlade<Dim>> SolidBuilder<Dim>::blades()
{
    std::vector<SolidBlade<Dim>> made;
    auto& blades = context_.scene.template section<BladeSection<Dim>>()->blades;
    for (std::size_t k = 0; k < blades.size(); ++k) {
        BladeOptions<Dim>& options = blades[k];
        const Path path = path_of({"blades", k});
        SolidBlade<Dim> blade{.polygon = options.polygon};
        if (options.bodies) blade.bodies = *options.bodies;
        Box<Dim> bounds;
        for (const Vec<Dim>& x : options.polygon) bounds.extend(x);
        try {
            blade.motion = make_motion(options.motion, bounds);
            static_cast<void>(context_.motion_speed(blade.motion, bounds, path / "motion"));
        } catch (const InputError& error) {
            context_.findings.add_problem(path / "motion", error.what());
        }
        for (const PlannedBody<Dim>& solid : bodies) try {
                static_cast<void>(Blade<Dim>(options.polygon, solid.spacing));
            } catch (const InputError& error) {
                context_.findings.add_problem(path / "polygon", error.what());
                break;
            }
        made.push_back(std::move(blade));
    }
    return made;
}

/// The body is made early, since it knows how long its steps are.
template <int Dim>
void SolidBuilder<Dim>::finish(std::uint64_t first_id, bool for_world)
{
    make_skins();
    choose_solver();
    if (!for_world) return;
    for (const PlannedBody<Dim>& solid : bodies) {
        context_.begin_work(solid.path / "skin");
        const Made& made = made_[solid.number];
        context_.work.spend((made.skin.coat ? coat_point_work : skin_vertex_work) *
                            static_cast<double>(made.surface_points));
        const auto& cracks = options_of(solid).cracks;
        for (std::size_t k = 0; k < cracks.size(); ++k) {
            context_.begin_work(solid.path / "cracks" / k);
            context_.work.spend(crack_work[Dim - 2] *
                                crack_size<Dim>(cracks[k].polygon, solid.shape->bounds(), solid.spacing));
        }
    }
    std::uint64_t phyxels = 0;
    const Node* known = context_.derived.find("phyxel_volumes");
    Node phyxel_volumes = known != nullptr ? *known : Node::object();
    double mass = 0.0;
    double wave_speed = 0.0;
    std::uint64_t surface_points = 0;
    std::vector<SolidPart<Dim>> present, expected;
    for (const PlannedBody<Dim>& solid : bodies) {
        const SolidMaterial& material = options_of(solid).material.properties;
        const std::vector<double>& volumes = made_[solid.number].phyxels.volumes;
        phyxels += volumes.size();
        if (!volumes.empty()) phyxel_volumes.set(solid.name(), volumes.front()); // all of them have the same
        mass += material.density * ordered_sum(volumes.size(), 0.0, [&](Index i) { return volumes[i]; });
        wave_speed = std::max(wave_speed, pressure_wave_speed(material));
        surface_points += made_[solid.number].surface_points;
        (solid.start() ? expected : present).push_back(part_of(solid));
    }
    context_.derived.set("phyxels", phyxels);
    context_.derived.set("phyxel_volumes", std::move(phyxel_volumes));
    context_.derived.set("mass", mass);
    context_.derived.set("wave_speed", wave_speed);
    context_.derived.set("surface_points", surface_points);
    Node energies = Node::object();
    for (const PlannedBody<Dim>& solid : bodies)
        if (const auto energy = least_fracture_energy(solid)) energies.set(solid.name(), *energy);
    if (!energies.members().empty()) context_.derived.set("fracture_energy_of_bodies", std::move(energies));
    try {
        body_ = std::make_unique<SolidBody<Dim>>(*options_of(bodies.front()).solver, std::move(present),
                                                 first_id, context_.fault, blades());
        for (SolidPart<Dim>& part : expected) body_->expect(std::move(part));
    } catch (const InputError& error) {
        context_.findings.add_problem(path_of({"bodies"}), error.what());
        context_.findings.finish();
    }
}

template <int Dim>
std::unique_ptr<Body<Dim>> SolidBuilder<Dim>::make_body(std::uint64_t)
{
    return std::move(body_);
}

template class SolidBuilder<2>;
template class SolidBuilder<3>;

} // namespace phyxel
