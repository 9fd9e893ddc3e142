// SPDX-License-Identifier: MIT
// Solids: phyxels in their shapes, regions that something is done to, surfaces that are carried along.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/shape_mesh.h>
#include <phyxel/scene/detail/build_support.h>
#include <phyxel/scene/detail/motion_maker.h>

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
void SceneBuilder<Dim>::fill(Solid& solid)
{
    begin_work(solid.path / "shape");
    try {
        solid.phyxels = make_phyxels(*solid.shape, solid.spacing,
                                     PhyxelOptions{.sampling = solid.options->sampling,
                                                   .seed = scene_.seed,
                                                   .support_ratio = solid.options->support_ratio,
                                                   .work = work_});
    } catch (const InputError& error) {
        findings_.add_problem(solid.path / "shape", error.what());
        return;
    }
    solid.positions = solid.phyxels.positions;
    is_filled_ = is_filled_ || !solid.positions.empty();
    warn_of_phyxels_beyond_walls(solid);
    warn_of_crumbs(solid);
}

/// A cloud with holes, or a shape that is thinner than the spacing, may be filled as pieces that nothing
/// holds together.
template <int Dim>
void SceneBuilder<Dim>::warn_of_crumbs(const Solid& solid)
{
    constexpr std::size_t crumb = 10; // phyxels and less
    const std::vector<std::size_t> pieces = piece_sizes(solid.phyxels);
    if (pieces.size() < 2) return;
    const auto crumbs = static_cast<std::size_t>(
        std::count_if(pieces.begin(), pieces.end(), [](std::size_t size) { return size <= crumb; }));
    findings_.warn(solid.path / "shape",
                   "the body is filled as " + count_text(pieces.size(), "piece") +
                       " that do not hold together, the largest of " + std::to_string(pieces.front()) +
                       " of " + count_text(solid.positions.size(), "phyxel") + ", " + std::to_string(crumbs) +
                       " of " + std::to_string(crumb) + " or less",
                   "choose a smaller spacing, or mend holes of the shape");
}

/// Solids stay whole: what is beyond a wall is pushed back.
template <int Dim>
void SceneBuilder<Dim>::warn_of_phyxels_beyond_walls(const Solid& solid)
{
    if (!domain_.bounded || solid.positions.empty()) return;
    const auto is_beyond = [&](const Vec<Dim>& x) {
        for (int k = 0; k < Dim; ++k) {
            const auto& sides = domain_.sides[static_cast<std::size_t>(k)];
            if (sides[0] == DomainSide::Wall && x[k] < domain_.box.min[k]) return true;
            if (sides[1] == DomainSide::Wall && x[k] > domain_.box.max[k]) return true;
        }
        return false;
    };
    const auto beyond = std::count_if(solid.positions.begin(), solid.positions.end(), is_beyond);
    if (beyond == 0) return;
    if (static_cast<std::size_t>(beyond) == solid.positions.size())
        findings_.add_problem(solid.path / "shape", "the body lies outside the domain",
                              "which reaches from " + point_text<Dim>(domain_.box.min) + " to " +
                                  point_text<Dim>(domain_.box.max));
    else
        findings_.warn(solid.path / "shape",
                       std::to_string(beyond) + " of " + count_text(solid.positions.size(), "phyxel") +
                           (beyond == 1 ? " lies" : " lie") + " beyond a wall of the domain",
                       "make the domain larger or the shape smaller");
}

template <int Dim>
void SceneBuilder<Dim>::make_regions()
{
    for (Solid& solid : solids_) {
        std::vector<std::size_t> mover(solid.positions.size(), nobody); // the region that moves each phyxel
        for (std::size_t k = 0; k < solid.options->regions.size(); ++k) make_region(solid, k, mover);
    }
}

template <int Dim>
void SceneBuilder<Dim>::make_region(Solid& solid, std::size_t number, std::vector<std::size_t>& mover)
{
    RegionOptions<Dim>& options = solid.options->regions[number];
    const Shape<Dim>& shape = solid.region_shapes[number];
    const Path path = solid.path / "regions" / number;
    begin_work(path / "shape");
    work_.spend(static_cast<double>(solid.positions.size()) * shape.query_work());
    SolidRegion<Dim> region{.name = options.name, .phyxels = phyxels_in(shape, solid.positions)};
    if (region.phyxels.empty()) {
        findings_.add_problem(path / "shape",
                              "there is no phyxel in it, the nearest is " +
                                  in_metres(nearest_distance(shape, solid.positions)) + " away",
                              "make it larger; phyxels lie half a spacing of " + in_metres(solid.spacing) +
                                  " inside the body");
        return;
    }
    if (options.motion) {
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
            findings_.add_problem(path / "motion",
                                  count_text(shared, "phyxel") + (shared == 1 ? " is" : " are") +
                                      " moved by " + (solid.path / "regions" / other).text() + " (" +
                                      solid.options->regions[other].name + ") already",
                                  "regions that move must not overlap");
        try {
            Motion<Dim> motion = make_motion(*options.motion, shape.bounds());
            static_cast<void>(motion_speed(motion, shape.bounds(), path / "motion"));
            region.what = PrescribedMotion<Dim>{std::move(motion)};
        } catch (const InputError& error) {
            findings_.add_problem(path / "motion", error.what());
        }
    }
    if (options.force) region.what = RegionForce<Dim>{*options.force};
    if (options.pressure) region.what = RegionPressure{*options.pressure};
    if (options.spring)
        region.what = RegionSpring<Dim>{.stiffness = options.spring->stiffness,
                                        .damping = options.spring->damping,
                                        .to = options.spring->to};
    check_loads(options, path);
    solid.regions.push_back(std::move(region));
}

template <int Dim>
void SceneBuilder<Dim>::check_loads(const RegionOptions<Dim>& options, const Path& path)
{
    const auto check = [&](const Formula& load, const std::string& name, const Path& place) {
        for (const double time : sample_times(load.is_number())) {
            const double value = load.evaluate(0, 0, 0, time);
            if (std::isfinite(value)) continue;
            findings_.add_problem(place,
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
void SceneBuilder<Dim>::make_skins()
{
    if constexpr (Dim == 3) {
        for (Solid& solid : solids_) {
            const int detail = solid.options->skin.detail;
            if (detail == 0) continue;
            begin_work(solid.path / "skin");
            if (auto surface = shape_maker_.file_surface(solid.options->shape)) {
                if (auto* mesh = std::get_if<TriangleMesh>(&*surface))
                    solid.skin = skin_of(std::move(*mesh));
                else
                    solid.skin = skin_of(std::move(std::get<PointCloud>(*surface)), *solid.shape);
            } else {
                solid.skin = skin_of(shape_mesh(*solid.shape, detail, work_));
            }
            solid.skin.method = solid.options->skin.method;
            solid.surface_points = solid.skin.vertices.size();
            solid.surface_triangles = solid.skin.triangles.size();
        }
    }
}

/// That pressure waves take from phyxel to phyxel, the shortest. [s]
template <int Dim>
double SceneBuilder<Dim>::sound_time() const
{
    double shortest = std::numeric_limits<double>::infinity();
    for (const Solid& solid : solids_)
        shortest =
            std::min(shortest, solid.spacing / pressure_wave_speed(solid.options->material.properties));
    return shortest;
}

/// Explicit steps are the rule, but those of stiff and fine solids are so many that nobody waits for them.
/// What is taken depends on the scene and not on the machine, and is part of what the run says of itself.
template <int Dim>
void SceneBuilder<Dim>::choose_solid_solver()
{
    if (solids_.empty() || !scene_.chooses_solid_solver || clock_.fixed_step) return;
    // Events change parameters of the solver that they were written for.
    for (const EventOptions& event : scene_.events)
        for (const auto& [path, value] : event.set.items)
            if (path.find(".solver.") != std::string::npos) return;
    constexpr double long_time = 120.0; // of a processor [s]
    constexpr double far_more = 5.0;
    detail::RunPlan explicit_plan = run_plan();
    explicit_plan.frames = {};
    detail::RunPlan implicit_plan = explicit_plan;
    implicit_plan.solid->solver = ImplicitOptions{};
    const double explicit_seconds = detail::solid_seconds(explicit_plan);
    const double implicit_seconds = detail::solid_seconds(implicit_plan);
    if (explicit_seconds < long_time || explicit_seconds < far_more * implicit_seconds) return;
    const ImplicitOptions chosen;
    for (Solid& solid : solids_) solid.options->solver = chosen;
    findings_.warn(solids_.front().path,
                   "explicit steps of this material are about " +
                       number_text(detail::estimated_step(explicit_plan), 2) + " s and take " +
                       number_text(explicit_seconds / implicit_seconds, 2) +
                       " times as long in all, so implicit ones of " + number_text(chosen.time_step, 2) +
                       " s are taken, which damp vibrations",
                   "give \"solver\": { \"type\": \"leapfrog\" } or { \"type\": \"implicit\" } to choose");
}

template <int Dim>
std::vector<SolidPart<Dim>> SceneBuilder<Dim>::take_solid_parts()
{
    std::vector<SolidPart<Dim>> parts;
    for (Solid& solid : solids_)
        parts.push_back({.name = solid.name,
                         .phyxels = std::move(solid.phyxels),
                         .velocities = std::move(solid.velocities),
                         .material = solid.options->material.properties,
                         .regions = std::move(solid.regions),
                         .skin = std::move(solid.skin),
                         .start = solid.start.value_or(0.0)});
    return parts;
}

template <int Dim>
std::unique_ptr<SolidBody<Dim>> SceneBuilder<Dim>::make_solid_body(std::uint64_t first_id)
{
    std::uint64_t phyxels = 0;
    double mass = 0.0;
    double wave_speed = 0.0;
    std::uint64_t surface_points = 0;
    for (const Solid& solid : solids_) {
        const SolidMaterial& material = solid.options->material.properties;
        const std::vector<double>& volumes = solid.phyxels.volumes;
        phyxels += volumes.size();
        mass += material.density * ordered_sum(volumes.size(), 0.0, [&](Index i) { return volumes[i]; });
        wave_speed = std::max(wave_speed, pressure_wave_speed(material));
        surface_points += solid.surface_points;
    }
    derived_.set("phyxels", phyxels);
    derived_.set("mass", mass);
    derived_.set("wave_speed", wave_speed);
    derived_.set("surface_points", surface_points);
    try {
        auto [parts, expected] = split_by_start(solids_, take_solid_parts());
        auto body =
            std::make_unique<SolidBody<Dim>>(*solids_.front().options->solver, std::move(parts), first_id);
        for (SolidPart<Dim>& part : expected) body->expect(std::move(part));
        return body;
    } catch (const InputError& error) {
        findings_.add_problem(path_of({"bodies"}), error.what());
        findings_.finish();
        throw;
    }
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
