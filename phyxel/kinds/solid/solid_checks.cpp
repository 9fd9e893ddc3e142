// SPDX-License-Identifier: MIT
// What is wrong or risky about the solids of a scene.
#include <phyxel/kinds/solid/detail/solid_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/count_inside.h>
#include <phyxel/scene/heat_checks.h>
#include <phyxel/solid/breaking_law.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace phyxel {
namespace {

using detail::count_text;
using detail::point_text;

/// Whether one of them keeps a body from falling.
template <int Dim>
bool has_hold(const std::vector<RegionOptions<Dim>>& regions)
{
    return std::any_of(regions.begin(), regions.end(), [](const RegionOptions<Dim>& region) {
        return (region.motion && !region.motion->is_free) || region.spring;
    });
}

} // namespace

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

template class SolidBuilder<2>;
template class SolidBuilder<3>;

} // namespace phyxel
