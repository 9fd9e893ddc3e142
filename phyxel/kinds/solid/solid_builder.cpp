// SPDX-License-Identifier: MIT
// Solids of a scene: phyxels in their shapes, regions that something is done to, surfaces that are carried
// along, and what all of that costs.
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
#include <phyxel/scene/count_inside.h>
#include <phyxel/scene/heat_checks.h>
#include <phyxel/scene/motion_maker.h>
#include <phyxel/solid/breaking_law.h>

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

/// Measured: state, neighbours with their gradients, and stages of a solid with its usual support. [bytes]
constexpr double phyxel_memory = 1500.0;

/// Measured, times the number of cores: an explicit step with its contacts, and a product with the stiffness.
/// [s]
constexpr double phyxel_step_seconds[] = {0.25e-6, 0.45e-6}; // in 2 and 3 dimensions
constexpr double phyxel_product_seconds[] = {0.2e-6, 0.4e-6};

/// Measured, times the number of cores: a step of heat. [s]
constexpr double phyxel_heat_seconds[] = {0.03e-6, 0.08e-6};

/// Measured, times the number of cores: filling what a vertex of a skin bounds and tying it to phyxels, once,
/// and moving and writing it in every frame. [s]
constexpr double skin_vertex_seconds = 40e-6;
constexpr double skin_frame_seconds = 0.4e-6;

/// Tying a vertex of a skin to phyxels, in units of WorkBudget; so that the examples, of up to 1.6 s of a
/// processor, are looked at to the end.
constexpr double skin_vertex_work = 750.0;

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

/// Products that an equilibrium usually takes.
constexpr double products_of_equilibrium = 170.0;

/// The longest explicit step of usual shapes at rest, in the time that sound takes from phyxel to phyxel. On
/// a lattice without end it is 2.1.
constexpr double usual_rest_step = 1.5;

/// Products that an implicit step usually takes: a few of Newton's iterations, each with a number that grows
/// with that of phyxels which a pressure wave passes in the step. The coarse level takes the root of it.
double products_of_step(const ImplicitOptions& options, double step, double sound_time)
{
    constexpr int usual_newton_iterations = 3;
    constexpr double fewest = 8.0;
    const double linear = std::max(fewest, 2.0 * std::sqrt(step / sound_time));
    return std::min(options.newton_iterations, usual_newton_iterations) *
           std::min(linear, static_cast<double>(options.linear_iterations));
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

/// Whether one of them keeps a body from falling.
template <int Dim>
bool has_hold(const std::vector<RegionOptions<Dim>>& regions)
{
    return std::any_of(regions.begin(), regions.end(), [](const RegionOptions<Dim>& region) {
        return (region.motion && !region.motion->is_free) || region.spring;
    });
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
SolidBodyOptions<Dim>& SolidBuilder<Dim>::options_of(const PlannedBody<Dim>& solid)
{
    return solid.template as<SolidBodyOptions<Dim>>();
}

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
double SolidBuilder<Dim>::memory(double phyxels) const
{
    return phyxel_memory * phyxels;
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

/// A cloud with holes, or a shape that is thinner than the spacing, may be filled as pieces that nothing
/// holds together.
template <int Dim>
void SolidBuilder<Dim>::warn_of_crumbs(const PlannedBody<Dim>& solid)
{
    constexpr std::size_t crumb = 10; // phyxels and less
    const std::vector<std::size_t> pieces = piece_sizes(made_[solid.number].phyxels);
    if (pieces.size() < 2) return;
    const auto crumbs = static_cast<std::size_t>(
        std::count_if(pieces.begin(), pieces.end(), [](std::size_t size) { return size <= crumb; }));
    context_.findings.warn(solid.path / "shape",
                           "the body is filled as " + count_text(pieces.size(), "piece") +
                               " that do not hold together, the largest of " +
                               std::to_string(pieces.front()) + " of " +
                               count_text(solid.positions.size(), "phyxel") + ", " + std::to_string(crumbs) +
                               " of " + std::to_string(crumb) + " or less",
                           "choose a smaller spacing, or mend holes of the shape");
}

/// Solids stay whole: what is beyond a wall is pushed back.
template <int Dim>
void SolidBuilder<Dim>::warn_of_phyxels_beyond_walls(const PlannedBody<Dim>& solid)
{
    if (!context_.domain.bounded || solid.positions.empty()) return;
    const auto is_beyond = [&](const Vec<Dim>& x) {
        for (int k = 0; k < Dim; ++k) {
            const auto& sides = context_.domain.sides[static_cast<std::size_t>(k)];
            if (sides[0] == DomainSide::Wall && x[k] < context_.domain.box.min[k]) return true;
            if (sides[1] == DomainSide::Wall && x[k] > context_.domain.box.max[k]) return true;
        }
        return false;
    };
    const auto beyond = std::count_if(solid.positions.begin(), solid.positions.end(), is_beyond);
    if (beyond == 0) return;
    if (static_cast<std::size_t>(beyond) == solid.positions.size())
        context_.findings.add_problem(solid.path / "shape", "the body lies outside the domain",
                                      "which reaches from " + point_text<Dim>(context_.domain.box.min) +
                                          " to " + point_text<Dim>(context_.domain.box.max));
    else
        context_.findings.warn(solid.path / "shape",
                               std::to_string(beyond) + " of " +
                                   count_text(solid.positions.size(), "phyxel") +
                                   (beyond == 1 ? " lies" : " lie") + " beyond a wall of the domain",
                               "make the domain larger or the shape smaller");
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
void SolidBuilder<Dim>::check_temperature(const PlannedBody<Dim>& solid)
{
    warn_of_cold(context_.findings, solid.path, options_of(solid).heat);
    const auto& regions = options_of(solid).regions;
    for (std::size_t k = 0; k < regions.size(); ++k)
        warn_of_cold(context_.findings, solid.path / "regions" / k, regions[k].heat);
    const std::optional<Formula>& formula = options_of(solid).heat.temperature;
    if (!formula) return;
    for (const Vec<Dim>& x : solid.positions) {
        const double T = formula->evaluate(x[0], x[1], Dim == 3 ? x[Dim - 1] : 0.0, 0.0);
        if (T > 0.0 && std::isfinite(T)) continue;
        context_.findings.add_problem(solid.path / "temperature",
                                      "the temperature at " + point_text<Dim>(x) + " is " +
                                          (std::isnan(T) ? "not a number" : format_quantity(T, "K")),
                                      "must be above 0 K");
        return;
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
void SolidBuilder<Dim>::check_loads(const RegionOptions<Dim>& options, const Path& path)
{
    const auto check = [&](const Formula& load, const std::string& name, const Path& place) {
        for (const double time : context_.sample_times(load.is_number())) {
            const double value = load.evaluate(0, 0, 0, time);
            if (std::isfinite(value)) continue;
            context_.findings.add_problem(place,
                                          "the " + name + " at " + format_quantity(time, "s") + " is " +
                                              (std::isnan(value) ? "not a number" : "infinite"),
                                          "must be finite");
            return;
        }
    };
    if (options.force)
        for (std::size_t k = 0; k < options.force->size(); ++k)
            check((*options.force)[k], "force", path / "force" / k);
    if (options.pressure) check(*options.pressure, "pressure", path / "pressure");
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

/// The shortest time that pressure waves take from phyxel to phyxel, by the materials of the scene at some
/// time. [s]
template <int Dim>
double SolidBuilder<Dim>::sound_time(const SceneOptions<Dim>& scene) const
{
    double shortest = std::numeric_limits<double>::infinity();
    std::size_t number = 0;
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        shortest =
            std::min(shortest, bodies[number++].spacing / pressure_wave_speed(solid.material.properties));
    });
    return shortest;
}

/// When the first of the solids has fallen onto something, if all goes straight down. [s]
template <int Dim>
double SolidBuilder<Dim>::time_of_contact() const
{
    const Vec<Dim> gravity = detail::evaluate<Dim>(context_.scene.gravity, Vec<Dim>::Zero(), 0.0);
    const double g = gravity.norm();
    const bool has_walls = context_.domain.bounded || !context_.obstacles.empty();
    if (!has_walls && bodies.size() < 2) return std::numeric_limits<double>::infinity();
    if (!(g > 0.0)) return 0.0;
    // Places along gravity: the lowest of a box is the farthest.
    const auto reach = [&](const Box<Dim>& box, bool is_lowest) {
        double along = 0.0;
        for (int k = 0; k < Dim; ++k)
            along += gravity[k] / g * ((gravity[k] > 0.0) == is_lowest ? box.max[k] : box.min[k]);
        return along;
    };
    double first = std::numeric_limits<double>::infinity();
    for (const PlannedBody<Dim>& solid : bodies) {
        const double lowest = reach(solid.shape->bounds(), true);
        double gap = has_walls ? std::numeric_limits<double>::infinity() : 0.0;
        if (context_.domain.bounded) gap = std::min(gap, reach(context_.domain.box, true) - lowest);
        for (const MovingObstacle<Dim>& obstacle : context_.obstacles)
            gap = std::min(gap, obstacle.cavity ? reach(obstacle.cavity->bounds(), true) - lowest
                                                : reach(obstacle.shape.bounds(), false) - lowest);
        first = std::min(first, solid.start().value_or(0.0) + std::sqrt(2.0 * std::max(gap, 0.0) / g));
    }
    return first;
}

/// How many times shorter explicit steps are than those of the same material at rest. A body is stiffer when
/// it is stretched or pressed, as by its own weight, and when it touches another solid or itself.
template <int Dim>
double SolidBuilder<Dim>::shortening(const SceneOptions<Dim>& scene, bool is_in_contact) const
{
    constexpr double of_weight = 2.5; // for each unit of strain
    constexpr double of_several_solids = 2.4;
    constexpr double of_several_parts = 1.5;
    constexpr double of_pulling = 1.3;
    const double g = detail::evaluate<Dim>(scene.gravity, Vec<Dim>::Zero(), 0.0).norm();
    double strain = 0.0;
    bool is_pulled = false;
    bool has_parts = false;
    std::size_t number = 0;
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        const Shape<Dim>& shape = *bodies[number++].shape;
        const SolidMaterial& material = solid.material.properties;
        strain =
            std::max(strain, material.density * g * shape.bounds().longest_side() / material.youngs_modulus);
        has_parts = has_parts || shape.parts().size() > 1;
        is_pulled =
            is_pulled || std::any_of(solid.regions.begin(), solid.regions.end(), [](const auto& region) {
                return region.motion && !region.motion->is_free &&
                       !std::holds_alternative<FixedMotion>(region.motion->kind);
            });
    });
    double factor = is_pulled ? of_pulling : 1.0;
    if (!is_in_contact) return factor;
    factor *= 1.0 + of_weight * std::min(strain, 1.0);
    return factor * (bodies.size() > 1 ? of_several_solids : has_parts ? of_several_parts : 1.0);
}

template <int Dim>
double SolidBuilder<Dim>::step_at(double time) const
{
    const SceneOptions<Dim>& scene = context_.scene_at(time);
    // Events cannot change a solver that was chosen here.
    const SolidBodyOptions<Dim>* first = &options_of(bodies.front());
    if (!first->is_solver_chosen)
        for_each_of<SolidBodyOptions<Dim>>(
            scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) { first = &solid; });
    const SolidOptions& solver = *first->solver;
    if (const auto* implicit = std::get_if<ImplicitOptions>(&solver)) return implicit->time_step;
    const auto* leapfrog = std::get_if<LeapfrogOptions>(&solver);
    if (leapfrog == nullptr) return std::numeric_limits<double>::infinity();
    // The body knows best what it is like at rest. It does not know what events have changed since then.
    const double at_rest = body_ ? body_->stable_time_step() * sound_time(scene) / sound_time(context_.scene)
                                 : leapfrog->courant_number * usual_rest_step * sound_time(scene);
    return at_rest / shortening(scene, time >= time_of_contact());
}

template <int Dim>
std::vector<ExpectedStep> SolidBuilder<Dim>::expected_steps() const
{
    std::vector<double> times = {0.0, time_of_contact()};
    for (const LaterOptions<Dim>& later : context_.later) times.push_back(later.time);
    std::sort(times.begin(), times.end());
    std::vector<ExpectedStep> steps;
    for (const double time : times)
        if (time <= context_.scene.duration) steps.push_back({time, step_at(time)});
    return steps;
}

/// Whether heat flows in what the scene says at some time.
template <int Dim>
bool SolidBuilder<Dim>::has_heat(const SceneOptions<Dim>& scene) const
{
    bool is_spoken_of = speaks_of_heat_around(scene);
    for_each_of<SolidBodyOptions<Dim>>(scene, [&](const SolidBodyOptions<Dim>& solid, std::size_t) {
        is_spoken_of = is_spoken_of || solid.heat.temperature || solid.heat.air ||
                       std::any_of(solid.regions.begin(), solid.regions.end(),
                                   [](const auto& region) { return heat_of(region.heat).has_any(); });
    });
    return is_spoken_of;
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

/// That heat takes, all in all; none if nothing from the start speaks of it.
template <int Dim>
double SolidBuilder<Dim>::heat_steps() const
{
    constexpr double times_a_frame = 8.0;
    if (!has_heat(context_.scene)) return 0.0;
    double fastest = 0.0; // one over the longest step
    for (const PlannedBody<Dim>& solid : bodies) {
        const SolidBodyOptions<Dim>& options = options_of(solid);
        const SolidMaterial& material = options.material.properties;
        const double diffusivity =
            material.thermal.conductivity / (material.density * material.thermal.heat_capacity);
        fastest = std::max(fastest, 4.0 * Dim * diffusivity / (solid.spacing * solid.spacing));
    }
    return context_.clock.duration * std::max(fastest, times_a_frame * context_.clock.frame_rate);
}

/// Of a processor, without skins. [s]
template <int Dim>
double SolidBuilder<Dim>::seconds_of(const RunPlan& plan) const
{
    const SolidOptions& solver = *options_of(bodies.front()).solver;
    std::uint64_t phyxels = 0;
    for (const PlannedBody<Dim>& solid : bodies) phyxels += context_.count_of(solid);
    const std::vector<ExpectedStep> steps = expected_steps();
    double step_seconds = phyxel_step_seconds[Dim - 2];
    if (const auto* implicit = std::get_if<ImplicitOptions>(&solver))
        step_seconds = products_of_step(*implicit, std::min(plan.step(), implicit->time_step),
                                        sound_time(context_.scene)) *
                       phyxel_product_seconds[Dim - 2];
    if (std::holds_alternative<QuasiStaticOptions>(solver))
        step_seconds = products_of_equilibrium * phyxel_product_seconds[Dim - 2];
    return plan.step_count(steps) * static_cast<double>(phyxels) * step_seconds +
           heat_steps() * static_cast<double>(phyxels) * phyxel_heat_seconds[Dim - 2];
}

template <int Dim>
KindCost SolidBuilder<Dim>::cost(const RunPlan& plan) const
{
    KindCost cost;
    double points = 0.0;
    double triangles = 0.0;
    for (const PlannedBody<Dim>& solid : bodies) {
        cost.particles += context_.count_of(solid);
        points += static_cast<double>(made_[solid.number].surface_points);
        triangles += static_cast<double>(made_[solid.number].surface_triangles);
    }
    const auto n = static_cast<double>(cost.particles);
    cost.memory = memory(n);
    cost.disk = disk_of_particles(plan, n, 2.0 * Dim * 8.0);
    constexpr double numbers = 6.0; // normal and velocity
    cost.disk += disk_of_surfaces(plan, points, numbers, triangles);
    cost.seconds = seconds_of(plan) + points * (skin_vertex_seconds +
                                                static_cast<double>(plan.frame_count()) * skin_frame_seconds);
    return cost;
}

/// Explicit steps are the rule, but stiff and fine solids need so many that nobody waits for them. The choice
/// depends on the scene and not on the machine, and the manifest of the run records it.
template <int Dim>
void SolidBuilder<Dim>::choose_solver()
{
    if (!options_of(bodies.front()).is_solver_chosen || context_.clock.fixed_step) return;
    // Events change parameters of the solver that they were written for.
    for (const EventOptions& event : context_.scene.events)
        for (const auto& [path, value] : event.set.value_or(EventAssignments{}).items)
            if (path.find(".solver.") != std::string::npos) return;
    // This is no estimate of the run, but part of what a scene means: it stays what it is where estimates
    // get better.
    constexpr double long_time = 120.0; // of a processor [s]
    constexpr double far_more = 5.0;
    constexpr double step_seconds = 0.5e-6; // of a phyxel, and of a product with the stiffness
    constexpr double fewest_products = 10.0, most_products = 200.0, systems = 3.0;
    const double sound = sound_time(context_.scene);
    const bool may_hit_something =
        bodies.size() > 1 || context_.scene.domain.has_value() || !context_.scene.obstacles.empty();
    const LeapfrogOptions leapfrog;
    const ImplicitOptions implicit_solver;
    double samples = 0.0; // of probes, at which steps end
    for (const ProbeOptions<Dim>& probe : context_.scene.probes)
        if (probe.every.times == ProbeTimes::Interval)
            samples = std::max(samples, std::floor(context_.clock.duration / probe.every.interval));
    const auto steps_of = [&](double step) {
        return std::max(std::ceil(context_.clock.duration / step), samples);
    };
    const double longest_step = std::min(context_.clock.max_step, 1.0 / context_.clock.frame_rate);
    const double explicit_step =
        std::min(longest_step, (may_hit_something ? 0.4 : 0.7) * leapfrog.courant_number * sound);
    const double implicit_step = std::min(longest_step, implicit_solver.time_step);
    double phyxels = 0.0;
    for (const PlannedBody<Dim>& solid : bodies) phyxels += static_cast<double>(context_.count_of(solid));
    const double products = systems * std::clamp(implicit_step / sound, fewest_products, most_products);
    const double explicit_seconds = steps_of(explicit_step) * phyxels * step_seconds;
    const double implicit_seconds = steps_of(implicit_step) * phyxels * products * step_seconds;
    if (explicit_seconds < long_time || explicit_seconds < far_more * implicit_seconds) return;
    for (const PlannedBody<Dim>& solid : bodies) options_of(solid).solver = implicit_solver;
    context_.findings.warn(
        bodies.front().path,
        "explicit steps of this material are about " + number_text(explicit_step, 2) + " s and take " +
            number_text(explicit_seconds / implicit_seconds, 2) +
            " times as long in all, so implicit ones of " + number_text(implicit_solver.time_step, 2) +
            " s are taken, which damp vibrations",
        "give \"solver\": { \"type\": \"leapfrog\" } or { \"type\": \"implicit\" } to choose");
}

template <int Dim>
bool SolidBuilder<Dim>::is_held() const
{
    return std::any_of(bodies.begin(), bodies.end(),
                       [](const PlannedBody<Dim>& solid) { return has_hold(options_of(solid).regions); });
}

/// By a region of its own or by a hand.
template <int Dim>
bool SolidBuilder<Dim>::is_held(const PlannedBody<Dim>& solid) const
{
    const auto& hands = context_.scene.hands;
    return has_hold(options_of(solid).regions) ||
           std::any_of(hands.begin(), hands.end(), [&](const auto& hand) {
               return hand.kind != HandKind::Push && hand.body == solid.name();
           });
}

/// How far the body falls until something is in its way: a wall of the domain or an obstacle, as it is when
/// the body comes. At most `limit`, and infinite if there is nothing.
template <int Dim>
double SolidBuilder<Dim>::height_of_fall(const PlannedBody<Dim>& solid, const Vec<Dim>& down,
                                         double limit) const
{
    double height = std::numeric_limits<double>::infinity();
    const Domain<Dim>& domain = context_.domain;
    for (int k = 0; domain.bounded && k < Dim; ++k) {
        const bool to_max = down[k] > 0.0;
        if (down[k] == 0.0 || domain.sides[static_cast<std::size_t>(k)][to_max] != DomainSide::Wall) continue;
        const double wall = to_max ? domain.box.max[k] : domain.box.min[k];
        for (const Vec<Dim>& x : solid.positions)
            height = std::min(height, std::max(0.0, (wall - x[k]) / down[k]));
    }
    // Some phyxels, from one distance to the next: enough for a word of warning.
    constexpr std::size_t looked_at = 200;
    constexpr int most_steps = 100;
    const std::size_t stride = std::max<std::size_t>(1, solid.positions.size() / looked_at);
    for (const MovingObstacle<Dim>& obstacle : context_.obstacles) {
        if (context_.ignored.contains(solid.name(), obstacle.name)) continue;
        const Pose<Dim> pose = obstacle.motion.pose(solid.start().value_or(0.0));
        for (std::size_t i = 0; i < solid.positions.size(); i += stride) {
            double way = 0.0;
            for (int n = 0; n < most_steps && way < std::min(height, limit); ++n) {
                context_.work.spend(obstacle.shape.query_work());
                const double distance =
                    obstacle.shape.signed_distance(pose.apply_inverse(solid.positions[i] + way * down));
                if (distance < 0.5 * solid.spacing) {
                    height = way;
                    break;
                }
                way += distance;
            }
        }
    }
    return height;
}

/// St. Venant and Kirchhoff's law gives way when it is pressed. Where a wave of pressure runs into a body
/// that hits something at the speed v, the material is pressed by v/c; c is √(E/ρ) where it is thin and can
/// give way to the sides.
template <int Dim>
void SolidBuilder<Dim>::warn_of_fall(const PlannedBody<Dim>& solid)
{
    constexpr double bearable = 0.3; // measured: tips of figures that fell harder were turned inside out
    const SolidMaterial& material = options_of(solid).material.properties;
    if (material.law != ElasticLaw::StVenantKirchhoff || solid.positions.empty() || is_held(solid)) return;
    const double start = solid.start().value_or(0.0);
    const Vec<Dim> g = detail::evaluate<Dim>(context_.scene.gravity, center_of(solid), start);
    const double duration = context_.scene.duration - start;
    if (!(g.norm() > 0.0) || !(duration > 0.0)) return;
    const Vec<Dim> down = g.normalized();
    Vec<Dim> velocity = Vec<Dim>::Zero();
    for (const Vec<Dim>& v : solid.velocities) velocity += v / static_cast<double>(solid.velocities.size());
    const double limit = (0.5 * g.norm() * duration + std::max(0.0, velocity.dot(down))) * duration;
    const double slowest_wave = std::sqrt(material.youngs_modulus / material.density);
    const auto speed_after = [&](double height) {
        return std::sqrt(velocity.squaredNorm() + 2.0 * g.norm() * height);
    };
    if (speed_after(limit) < bearable * slowest_wave) return; // whatever is in its way
    context_.begin_work(solid.path / "shape");
    const double height = height_of_fall(solid, down, limit);
    if (!(height <= limit)) return;
    const double speed = speed_after(height);
    if (speed < bearable * slowest_wave) return;
    context_.findings.warn(solid.path / "material",
                           "the body falls by " + number_text(height, 2) + " m and arrives at " +
                               number_text(speed, 2) + " m/s, which presses its thin parts by about " +
                               detail::percent(std::min(1.0, speed / slowest_wave)) +
                               "; the law st_venant_kirchhoff is for less than " + detail::percent(bearable) +
                               " and collapses beyond",
                           std::string("use ") + (material.stiffness ? "" : "\"law\": \"neo_hookean\" or ") +
                               "a stiffer material, or let it fall from lower");
}

/// The least fracture energy of a body that breaks, along its grain [J/m²]. A strength that is not positive
/// in some place is a problem. A strength that fits the given energy badly gets a warning.
template <int Dim>
std::optional<double> SolidBuilder<Dim>::least_fracture_energy(const PlannedBody<Dim>& solid)
{
    const SolidMaterial& material = options_of(solid).material.properties;
    if (!material.breaks() || !material.breaking.strength || solid.positions.empty()) return std::nullopt;
    const BreakingLaw<Dim> law(material, solid.spacing);
    const Vec<Dim> normal = law.grain().isZero(0.0) ? Vec<Dim>(Vec<Dim>::Unit(0)) : law.grain();
    double least = std::numeric_limits<double>::infinity(), weakest = least;
    for (const Vec<Dim>& x : solid.positions) {
        if (!std::isfinite(law.strength_along(x))) {
            context_.findings.add_problem(solid.path / "material" / "strength",
                                          "it is not above 0 at " + point_text<Dim>(x),
                                          "use max() in the formula");
            return std::nullopt;
        }
        least = std::min(least, law.fracture_energy(x, normal));
        weakest = std::min(weakest, law.strength(x, normal));
    }
    if (!material.breaking.fracture_energy) return least;
    constexpr double shortest = 0.3, longest = 3.0; // spacings
    const double length = law.modulus() * least / (weakest * weakest);
    if (length < shortest * solid.spacing)
        context_.findings.warn(solid.path / "material" / "fracture_energy",
                               "cracks of " + number_text(length, 2) +
                                   " m run under the strength, shorter ones than the spacing of " +
                                   number_text(solid.spacing, 2) +
                                   " m can show, so more is released than they take",
                               "use a smaller spacing, or leave it out");
    else if (length > longest * solid.spacing)
        context_.findings.warn(solid.path / "material" / "fracture_energy",
                               "under the strength only cracks of " + number_text(length, 2) +
                                   " m run, so new ones rest until the stress is higher",
                               "use a larger spacing or strength, or draw \"cracks\"");
    return least;
}

template <int Dim>
void SolidBuilder<Dim>::warn_of_cracks_beside(const PlannedBody<Dim>& solid)
{
    const auto& cracks = options_of(solid).cracks;
    for (std::size_t k = 0; k < cracks.size(); ++k) {
        CrackSheets<Dim> sheets(solid.spacing);
        const DistanceFromSurface<Dim> distance = [&](const Vec<Dim>& x) {
            return solid.shape->signed_distance(x);
        };
        draw_crack<Dim>(sheets, cracks[k].polygon, distance);
        if (!(sheets.data().area > 0.0))
            context_.findings.warn(solid.path / "cracks" / k / "polygon", "no part of it lies in the body",
                                   "move it into the body, whose bounds reach from " +
                                       point_text<Dim>(solid.shape->bounds().min) + " to " +
                                       point_text<Dim>(solid.shape->bounds().max));
    }
}

/// Solids stay whole, also where they are in an obstacle. A solid that is wholly inside could never come out.
template <int Dim>
void SolidBuilder<Dim>::warn()
{
    for (const PlannedBody<Dim>& solid : bodies) {
        warn_of_fall(solid);
        warn_of_cracks_beside(solid);
        for (std::size_t i = 0; i < context_.obstacles.size(); ++i) {
            const MovingObstacle<Dim>& obstacle = context_.obstacles[i];
            if (obstacle.shape.is_sheet() || context_.ignored.contains(solid.name(), obstacle.name)) continue;
            context_.begin_work(solid.path / "shape");
            const Pose<Dim> pose = obstacle.motion.pose(solid.start().value_or(0.0));
            const std::uint64_t count =
                obstacle.cavity ? solid.positions.size() -
                                      count_inside(*obstacle.cavity, pose, solid.positions, context_.work)
                                : count_inside(obstacle.shape, pose, solid.positions, context_.work);
            if (count == 0) continue;
            const std::string where = (obstacle.cavity ? " outside " : " inside ") +
                                      path_of({"obstacles", i}).text() + " (" + obstacle.name + ')';
            if (count == solid.positions.size())
                context_.findings.add_problem(solid.path / "shape", "the body lies" + where,
                                              "move one of them");
            else
                context_.findings.warn(solid.path / "shape",
                                       std::to_string(count) + " of " +
                                           count_text(solid.positions.size(), "phyxel") +
                                           (count == 1 ? " lies" : " lie") + where,
                                       "move one of them, or cut the body with a \"difference\"");
        }
    }
}

template <int Dim>
double SolidBuilder<Dim>::longest_safe_step() const
{
    const bool is_explicit = std::holds_alternative<LeapfrogOptions>(*options_of(bodies.front()).solver);
    return is_explicit ? sound_time(context_.scene) : std::numeric_limits<double>::infinity();
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
            .seed = context_.scene.seed + solid.number};
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
        context_.work.spend(skin_vertex_work * static_cast<double>(made_[solid.number].surface_points));
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
