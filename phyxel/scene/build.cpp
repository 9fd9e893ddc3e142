// SPDX-License-Identifier: MIT
// From a scene to a world: shapes are filled with particles, and what will go wrong is said before it does.
#include <phyxel/scene/scene.h>

#include <phyxel/core/number_text.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/scene/detail/events.h>
#include <phyxel/scene/detail/findings.h>
#include <phyxel/scene/detail/flow_maker.h>
#include <phyxel/scene/detail/preflight.h>
#include <phyxel/scene/detail/scene_options.h>
#include <phyxel/scene/detail/shape_maker.h>
#include <phyxel/scene/quantity.h>
#include <phyxel/world/fluid_body.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace phyxel {
namespace {

using detail::bytes_text;

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};
constexpr std::array<std::string_view, 4> field_names = {"velocity", "id", "density", "pressure"};

/// Particles that differ more do not meet well enough to be called one fluid.
constexpr double largest_spacing_ratio = 4.0;

/// What an incompressible fluid may be compressed by at the start before a burst can be seen.
constexpr double incompressible_at_start = 0.01;

std::string in_metres(double length) { return format_quantity(length, "m"); }

/// With enough digits to fit a periodic length when it is written into a scene.
std::string precise_metres(double length) { return number_text(length, 10) + " m"; }

std::string percent(double share) { return number_text(100.0 * share, 2) + " %"; }

template <int Dim>
std::string point_text(const Vec<Dim>& x)
{
    std::string text = "(";
    for (int k = 0; k < Dim; ++k) text += (k > 0 ? ", " : "") + number_text(x[k], 6);
    return text + ')';
}

std::string count_text(std::uint64_t count, std::string_view thing)
{
    return std::to_string(count) + ' ' + std::string(thing) + (count == 1 ? "" : "s");
}

template <int Dim>
Vec<Dim> evaluate(const std::array<Formula, Dim>& formulas, const Vec<Dim>& x, double time)
{
    Vec<Dim> value;
    for (int k = 0; k < Dim; ++k)
        value[k] =
            formulas[static_cast<std::size_t>(k)].evaluate(x[0], x[1], Dim == 3 ? x[Dim - 1] : 0.0, time);
    return value;
}

template <std::size_t count>
bool are_numbers(const std::array<Formula, count>& formulas)
{
    return std::all_of(formulas.begin(), formulas.end(), [](const Formula& f) { return f.is_number(); });
}

template <int Dim>
std::vector<Vec<Dim>> corners_of(const Box<Dim>& box)
{
    std::vector<Vec<Dim>> corners;
    for (unsigned bits = 0; bits < (1U << Dim); ++bits) {
        Vec<Dim> corner;
        for (int k = 0; k < Dim; ++k) corner[k] = (bits >> k) % 2 == 0 ? box.min[k] : box.max[k];
        corners.push_back(corner);
    }
    return corners;
}

template <int Dim>
std::uint64_t count_inside(const Shape<Dim>& shape, const Pose<Dim>& pose,
                           const std::vector<Vec<Dim>>& points)
{
    std::vector<Vec<Dim>> near;
    for (const Vec<Dim>& x : points) {
        const Vec<Dim> X = pose.apply_inverse(x);
        if (shape.bounds().contains(X)) near.push_back(X);
    }
    std::vector<std::uint8_t> is_inside(near.size());
    shape.inside(near, is_inside);
    return static_cast<std::uint64_t>(std::count(is_inside.begin(), is_inside.end(), 1));
}

template <int Dim>
Motion<Dim> motion_of(const MotionOptions<Dim>& options)
{
    if (const auto* keys = std::get_if<KeyMotion<Dim>>(&options.kind))
        return Motion<Dim>(keys->keys, keys->interpolation, keys->about.value());
    if (const auto* formulas = std::get_if<FormulaMotion<Dim>>(&options.kind)) {
        const auto displacement = [move = formulas->move, rotate = formulas->rotate](double time) {
            Displacement<Dim> moved;
            for (int k = 0; k < Dim; ++k)
                moved.move[k] = move[static_cast<std::size_t>(k)].evaluate(0, 0, 0, time);
            for (std::size_t k = 0; k < rotate.size(); ++k)
                moved.rotate[static_cast<Eigen::Index>(k)] = rotate[k].evaluate(0, 0, 0, time);
            return moved;
        };
        return Motion<Dim>(displacement, formulas->about.value());
    }
    return {};
}

/// A block that has the shape as its cavity; thick enough that nothing gets through.
template <int Dim>
Shape<Dim> around(const Shape<Dim>& cavity)
{
    constexpr double wall_share = 0.2;
    const Box<Dim>& inner = cavity.bounds();
    const Vec<Dim> wall = Vec<Dim>::Constant(wall_share * inner.longest_side());
    return subtract<Dim>({Shape<Dim>(Box<Dim>{inner.min - wall, inner.max + wall}), cavity});
}

WallSurface surface_of(const SurfaceOptions& options)
{
    return {.no_slip = options.kind == SurfaceKind::NoSlip, .friction = options.friction.value_or(0.0)};
}

template <int Dim>
class Builder {
public:
    Builder(const Scene::Content& content, const SceneOptions<Dim>& options, const Machine& machine,
            const FrameRange& frames)
        : content_(content),
          scene_(options),
          machine_(machine),
          frames_(frames),
          findings_(content.resolved),
          flow_maker_(scene_, findings_)
    {
    }

    /// Each part relies on what the ones before have found right.
    BuiltScene build()
    {
        make_clock_and_domain();
        make_shapes();
        findings_.finish();
        choose_spacing();
        findings_.finish();
        check_periodic_lengths();
        make_emitters();
        check_particle_count();
        findings_.finish();
        fill_shapes();
        findings_.finish();
        set_velocities();
        choose_speed();
        findings_.finish();
        estimate();
        findings_.finish();
        warn_of_overlaps();
        warn_of_thin_shapes();
        warn_of_obstacles_at_periodic_sides();
        warn_of_probes_beside_bodies();
        warn_of_long_step();
        return make_world();
    }

private:
    /// A fluid on its way from options to particles.
    struct Fluid {
        FluidBodyOptions<Dim>* options;
        Path path;
        std::optional<Shape<Dim>> shape;
        double spacing = 0.0;
        std::vector<Vec<Dim>> positions = {};
        std::vector<Vec<Dim>> velocities = {};
    };

    double solver_support_ratio() const
    {
        return std::visit([](const auto& settings) { return settings.options.support_ratio; },
                          *fluids_.front().options->solver);
    }
    bool solver_is_iterative() const
    {
        return std::visit(
            [](const auto& settings) {
                return std::is_same_v<std::decay_t<decltype(settings.options)>, DfsphOptions>;
            },
            *fluids_.front().options->solver);
    }
    double smallest_spacing() const
    {
        double smallest = fluids_.front().spacing;
        for (const Fluid& fluid : fluids_) smallest = std::min(smallest, fluid.spacing);
        return smallest;
    }
    double largest_spacing() const
    {
        double largest = fluids_.front().spacing;
        for (const Fluid& fluid : fluids_) largest = std::max(largest, fluid.spacing);
        return largest;
    }

    /// Where the user sets how many particles there are.
    Path resolution_path() const
    {
        return path_of({content_.resolved.find("spacing") != nullptr ? "spacing" : "count"});
    }

    void make_clock_and_domain()
    {
        clock_.duration = scene_.duration;
        clock_.frame_rate = scene_.frame_rate;
        if (const double* step = std::get_if<double>(&scene_.time_step.choice)) clock_.fixed_step = *step;
        if (const StepBounds* bounds = std::get_if<StepBounds>(&scene_.time_step.choice)) {
            clock_.min_step = bounds->min.value_or(clock_.min_step);
            clock_.max_step = bounds->max.value_or(clock_.max_step);
        }
        if (!scene_.domain) return;
        domain_.bounded = true;
        domain_.box = {scene_.domain->min, scene_.domain->max};
        for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k)
            domain_.sides[k] = {scene_.domain->sides.axes[k].lower, scene_.domain->sides.axes[k].upper};
        domain_.surface = surface_of(scene_.domain->surface);
    }

    void make_shapes()
    {
        ShapeMaker<Dim> maker(content_.folder, findings_);
        for (std::size_t i = 0; i < scene_.bodies.size(); ++i) {
            auto& options = std::get<FluidBodyOptions<Dim>>(scene_.bodies[i]);
            const Path path = path_of({"bodies", i});
            if (!options.shape)
                fluids_.push_back({&options, path, std::nullopt});
            else if (auto shape = maker.make(*options.shape, path / "shape"))
                fluids_.push_back({&options, path, std::move(*shape)});
        }
        flow_maker_.make_shapes(maker);
        for (std::size_t i = 0; i < fluids_.size(); ++i)
            if (!fluids_[i].shape && !flow_maker_.feeds(i) && !findings_.has_problems())
                findings_.add_problem(fluids_[i].path, "the body has no shape, and no emitter feeds it",
                                      "expected \"shape\", or an emitter with its name as \"body\"");
        for (std::size_t i = 0; i < scene_.obstacles.size(); ++i) {
            ObstacleOptions<Dim>& options = scene_.obstacles[i];
            const Path path = path_of({"obstacles", i});
            auto shape = maker.make(options.shape, path / "shape",
                                    options.container ? OpenMesh::Solid : OpenMesh::Sheet);
            if (!shape) continue;
            std::optional<Shape<Dim>> cavity;
            if (options.container) cavity = shape;
            std::visit(
                [&]<class Kind>(Kind& motion) {
                    if constexpr (!std::is_same_v<Kind, FixedMotion>)
                        if (!motion.about) motion.about = shape->bounds().center();
                },
                options.motion.kind);
            try {
                obstacles_.push_back({options.name, cavity ? around(*cavity) : std::move(*shape),
                                      motion_of(options.motion), surface_of(options.surface), cavity});
            } catch (const InputError& error) {
                findings_.add_problem(path / "motion", error.what());
            }
        }
    }

    std::vector<int> periodic_axes() const
    {
        std::vector<int> axes;
        for (int k = 0; k < Dim; ++k)
            if (domain_.bounded && domain_.sides[static_cast<std::size_t>(k)][0] == DomainSide::Periodic)
                axes.push_back(k);
        return axes;
    }

    /// The spacing nearest to a wanted one of which every periodic length is a whole number; none if there is
    /// none near.
    std::optional<double> fitting_spacing(double wanted) const
    {
        const std::vector<int> axes = periodic_axes();
        if (axes.empty()) return wanted;
        const Vec<Dim> lengths = domain_.box.size();
        const double length = lengths[axes.front()];
        const std::int64_t count = fit_periodic(length, wanted).count;
        std::optional<double> best;
        const std::int64_t reach = std::min<std::int64_t>(count / 2 + 1, 10000);
        for (std::int64_t n = std::max<std::int64_t>(1, count - reach); n <= count + reach; ++n) {
            const double spacing = length / static_cast<double>(n);
            const bool fits = std::all_of(axes.begin(), axes.end(),
                                          [&](int k) { return fit_periodic(lengths[k], spacing).fits; });
            if (fits && (!best || std::abs(spacing - wanted) < std::abs(*best - wanted))) best = spacing;
        }
        return best;
    }

    bool has_memory_for(std::uint64_t particles, double support_ratio, const Path& path)
    {
        const double needed = detail::fluid_memory(Dim, particles, support_ratio, solver_is_iterative());
        if (needed <= machine_.memory) return true;
        findings_.add_problem(path,
                              count_text(particles, "particle") + " need about " + bytes_text(needed) +
                                  " of memory, and " + bytes_text(machine_.memory) + " are available",
                              "choose a larger spacing or a smaller count");
        return false;
    }

    /// Of the spacings near the wanted one that which divides the sides of boxes best, so that a box between
    /// two walls is filled up to both.
    double spacing_that_fills_boxes(double wanted) const
    {
        constexpr double share = 0.04; // 12 % of the particles in 3D
        std::vector<double> sides;
        for (const Fluid& fluid : fluids_)
            if (fluid.shape && std::holds_alternative<Box<Dim>>(fluid.options->shape->kind))
                for (int k = 0; k < Dim; ++k) sides.push_back(fluid.shape->bounds().size()[k]);
        const auto misfit = [&](double spacing) {
            double worst = 0.0;
            for (double side : sides) {
                const double count = side / spacing;
                worst = std::max(worst, std::abs(count - std::round(count)));
            }
            return worst;
        };
        double best = wanted;
        for (double side : sides) {
            const auto fewest = static_cast<std::int64_t>(std::ceil(side / (wanted * (1.0 + share))));
            const auto most = static_cast<std::int64_t>(std::floor(side / (wanted * (1.0 - share))));
            for (std::int64_t n = std::max<std::int64_t>(1, fewest); n <= std::min(most, fewest + 1000);
                 ++n) {
                const double spacing = side / static_cast<double>(n);
                const double gain = misfit(best) - misfit(spacing);
                const bool is_nearer = std::abs(spacing - wanted) < std::abs(best - wanted);
                if (gain > 1e-6 || (gain > -1e-6 && is_nearer && best != wanted)) best = spacing;
            }
        }
        return best;
    }

    /// The spacing that a number of particles needs, fitted into boxes or periodic lengths.
    double spacing_of(const std::vector<Shape<Dim>>& shapes, std::uint64_t count, const Path& path)
    {
        if (!has_memory_for(count, solver_support_ratio(), path)) return 0.0;
        try {
            const double spacing = spacing_for_count<Dim>(shapes, count);
            if (periodic_axes().empty()) return spacing_that_fills_boxes(spacing);
            return fitting_spacing(spacing).value_or(spacing);
        } catch (const InputError& error) {
            findings_.add_problem(path, error.what());
            return 0.0;
        }
    }

    /// The spacing that a number of particles of several bodies needs: by their shapes, or if there are none
    /// by what emitters will give them.
    double spacing_of_bodies(const std::vector<std::size_t>& bodies, std::uint64_t count, const Path& path)
    {
        std::vector<Shape<Dim>> shapes;
        double emitted = 0.0;
        for (const std::size_t i : bodies) {
            if (fluids_[i].shape)
                shapes.push_back(*fluids_[i].shape);
            else
                emitted += flow_maker_.emitted_volume(i);
        }
        if (!shapes.empty()) return spacing_of(shapes, count, path);
        if (!has_memory_for(count, solver_support_ratio(), path)) return 0.0;
        if (!(emitted > 0.0)) {
            findings_.add_problem(path, "emitters that open after the end tell no spacing",
                                  "expected \"spacing\"");
            return 0.0;
        }
        const double spacing = std::pow(emitted / static_cast<double>(count), 1.0 / Dim);
        return fitting_spacing(spacing).value_or(spacing);
    }

    void choose_spacing()
    {
        std::vector<std::size_t> sharing;
        for (std::size_t i = 0; i < fluids_.size(); ++i)
            if (!fluids_[i].options->spacing && !fluids_[i].options->count) sharing.push_back(i);
        double shared = scene_.spacing.value_or(0.0);
        if (!scene_.spacing && !sharing.empty())
            shared = spacing_of_bodies(sharing, *scene_.count, resolution_path());
        for (std::size_t i = 0; i < fluids_.size(); ++i) {
            Fluid& fluid = fluids_[i];
            if (fluid.options->spacing)
                fluid.spacing = *fluid.options->spacing;
            else if (fluid.options->count)
                fluid.spacing = spacing_of_bodies({i}, *fluid.options->count, fluid.path / "count");
            else
                fluid.spacing = shared;
        }
        if (findings_.has_problems()) return;
        shared_spacing_ = sharing.empty() ? fluids_.front().spacing : shared;
        const double smallest = smallest_spacing();
        for (const Fluid& fluid : fluids_) {
            const double ratio = fluid.spacing / smallest;
            if (ratio <= 2.0) continue;
            const std::string text = "the spacing is " + in_metres(fluid.spacing) + " here and " +
                                     in_metres(smallest) + " in another fluid";
            if (ratio > largest_spacing_ratio)
                findings_.add_problem(fluid.path, text,
                                      "spacings of fluids must not differ by more than " +
                                          number_text(largest_spacing_ratio) + " times");
            else
                findings_.warn(fluid.path, text + ", where they meet they will not mix well",
                               "keep spacings within twice each other");
        }
    }

    std::vector<ParticleSize> particle_sizes() const
    {
        std::vector<ParticleSize> sizes;
        for (const Fluid& fluid : fluids_) {
            const double density = fluid.options->material.density;
            const FluidPartModel part = fluid_part_model<Dim>(density, fluid.spacing, solver_support_ratio());
            sizes.push_back({fluid.spacing, part.particle_mass / density});
        }
        return sizes;
    }

    void make_emitters()
    {
        if (scene_.emitters.empty() || findings_.has_problems()) return;
        try {
            flow_maker_.make_emitters(particle_sizes(), domain_, obstacles_);
        } catch (const InputError& error) { // of a spacing that makes no particle
            findings_.add_problem(resolution_path(), error.what());
        }
    }

    /// The most particles of emitters that there can be at a time: no more than the domain has room for.
    double emitted_count() const
    {
        double most = std::numeric_limits<double>::infinity();
        if (domain_.bounded) most = domain_.box.volume() / std::pow(smallest_spacing(), Dim);
        return std::min(most, flow_maker_.particle_count());
    }

    void check_periodic_lengths()
    {
        for (const int k : periodic_axes()) {
            const Path path =
                path_of({"domain", "sides", std::string(axis_names[static_cast<std::size_t>(k)])});
            try {
                for (const Fluid& fluid : fluids_) {
                    check_periodic_length(domain_.box.size()[k], fluid.spacing, path);
                    if (findings_.has_problems()) break;
                }
            } catch (const InputError& error) {
                findings_.add_problem(path, error.what());
            }
        }
    }

    void check_periodic_length(double length, double spacing, const Path& path)
    {
        const double support_radius = solver_support_ratio() * spacing;
        if (const PeriodicFit fit = fit_periodic(length, spacing); !fit.fits) {
            const std::optional<double> fitting = fitting_spacing(spacing);
            findings_.add_problem(path,
                                  "the periodic length " + in_metres(length) +
                                      " is no whole number of spacings of " + in_metres(spacing),
                                  "the nearest spacing that fits is " +
                                      precise_metres(fitting.value_or(fit.spacing)) +
                                      (fitting ? ""
                                               : ", but none near it fits all periodic lengths; make one a "
                                                 "multiple of the other"));
        } else if (length < 2.0 * support_radius) {
            findings_.add_problem(path,
                                  "the periodic length " + in_metres(length) +
                                      " is less than two support radii of " + in_metres(support_radius),
                                  "make the domain longer or the spacing smaller");
        }
    }

    /// Before anything is allocated. First by volume, because counting what is far too much takes too long.
    void check_particle_count()
    {
        constexpr double most = std::numeric_limits<Index>::max();
        double guess = 0.0;
        for (const Fluid& fluid : fluids_)
            if (fluid.shape) guess += fluid.shape->volume().value / std::pow(fluid.spacing, Dim);
        std::uint64_t count = 0;
        if (guess < 2.0 * most) {
            for (const Fluid& fluid : fluids_) {
                if (!fluid.shape) continue;
                try {
                    count += count_lattice(*fluid.shape, fluid.spacing);
                } catch (const InputError& error) {
                    findings_.add_problem(fluid.path / "shape", error.what());
                }
            }
            guess = static_cast<double>(count);
        }
        guess += emitted_count();
        if (guess > most) {
            findings_.add_problem(resolution_path(),
                                  "a spacing of " + in_metres(smallest_spacing()) + " gives about " +
                                      number_text(guess, 2) + " particles",
                                  "at most " + std::to_string(std::numeric_limits<Index>::max()) +
                                      " can be numbered; choose a larger spacing");
            return;
        }
        has_memory_for(static_cast<std::uint64_t>(guess), solver_support_ratio(), resolution_path());
    }

    /// Particles in an obstacle, or much nearer to a wall than half a spacing, would be thrown off it in the
    /// first step. A layer that is missing closes by itself.
    void leave_out_near_walls(Fluid& fluid)
    {
        const double nearest = 0.4 * fluid.spacing;
        if (domain_.bounded) {
            Surroundings<Dim> walls;
            walls.domain = domain_;
            std::erase_if(fluid.positions, [&](const Vec<Dim>& x) {
                bool is_near = false;
                for_each_wall(walls, x, nearest, [&](const NearWall<Dim>&) { is_near = true; });
                return is_near;
            });
        }
        for (std::size_t i = 0; i < obstacles_.size(); ++i) {
            const MovingObstacle<Dim>& obstacle = obstacles_[i];
            const Pose<Dim> pose = obstacle.motion.pose(0.0);
            if (!pose.translation.allFinite() || !pose.rotation.allFinite())
                continue; // choose_speed() says so
            const std::size_t filled = fluid.positions.size();
            std::size_t inside = 0;
            std::erase_if(fluid.positions, [&](const Vec<Dim>& x) {
                const Vec<Dim> X = pose.apply_inverse(x);
                if (!obstacle.cavity && obstacle.shape.bounds().distance(X) >= nearest) return false;
                if (obstacle.cavity && !obstacle.shape.bounds().contains(X)) {
                    ++inside;
                    return true;
                }
                const double distance = obstacle.shape.signed_distance(X);
                if (distance < 0.0) ++inside;
                return distance < nearest;
            });
            if (inside > 0)
                findings_.warn(fluid.path / "shape",
                               std::to_string(inside) + " of " + count_text(filled, "particle") +
                                   (obstacle.cavity ? " outside " : " inside ") +
                                   path_of({"obstacles", i}).text() + " (" + obstacle.name + ") " +
                                   (inside == 1 ? "is" : "are") + " left out",
                               "move one of them, or cut the body with a \"difference\"");
        }
    }

    void fill_shapes()
    {
        std::uint64_t total = 0;
        for (Fluid& fluid : fluids_) {
            if (!fluid.shape) continue;
            fluid.positions = fill_lattice(*fluid.shape, fluid.spacing);
            const std::size_t filled = fluid.positions.size();
            if (filled == 0) continue;
            if (domain_.bounded)
                std::erase_if(fluid.positions, [&](const Vec<Dim>& x) { return !domain_.box.contains(x); });
            const std::size_t kept = fluid.positions.size();
            total += kept;
            if (kept == 0)
                findings_.add_problem(fluid.path / "shape", "the body lies outside the domain",
                                      "which reaches from " + point_text<Dim>(domain_.box.min) + " to " +
                                          point_text<Dim>(domain_.box.max));
            else if (kept < filled)
                findings_.warn(fluid.path / "shape",
                               std::to_string(filled - kept) + " of " + count_text(filled, "particle") +
                                   " lie outside the domain and are left out",
                               "make the domain larger or the shape smaller");
            leave_out_near_walls(fluid);
        }
        if (findings_.has_problems()) return;
        if (total == 0 && scene_.emitters.empty()) {
            findings_.add_problem(path_of({"bodies"}),
                                  "there is no particle at all, a spacing of " +
                                      in_metres(smallest_spacing()) + " is larger than every body",
                                  "choose a smaller spacing");
            return;
        }
        for (const Fluid& fluid : fluids_)
            if (fluid.shape && fluid.positions.empty())
                findings_.warn(fluid.path / "shape",
                               "there is no particle in it, a spacing of " + in_metres(fluid.spacing) +
                                   " is too large",
                               "choose a smaller spacing");
    }

    void set_velocities()
    {
        for (Fluid& fluid : fluids_) {
            const std::vector<Vec<Dim>>& x = fluid.positions;
            if (x.empty()) continue;
            Vec<Dim> center =
                ordered_sum(x.size(), Vec<Dim>(Vec<Dim>::Zero()), [&](Index i) { return x[i]; });
            center /= static_cast<double>(x.size());
            const RigidVelocity<Dim> spin{Vec<Dim>::Zero(), fluid.options->angular_velocity, center};
            fluid.velocities.resize(x.size());
            parallel_for(x.size(), [&](Index i) {
                fluid.velocities[i] = evaluate<Dim>(fluid.options->velocity, x[i], 0.0) + spin.at(x[i]);
            });
            for (int k = 0; k < Dim; ++k) {
                const auto bad = std::find_if(fluid.velocities.begin(), fluid.velocities.end(),
                                              [&](const Vec<Dim>& v) { return !std::isfinite(v[k]); });
                if (bad == fluid.velocities.end()) continue;
                const auto i = static_cast<std::size_t>(bad - fluid.velocities.begin());
                findings_.add_problem(fluid.path / "velocity" / static_cast<std::size_t>(k),
                                      "the velocity at " + point_text<Dim>(x[i]) + " is " +
                                          (std::isnan((*bad)[k]) ? "not a number" : "infinite"),
                                      "must be finite");
            }
        }
    }

    Box<Dim> fluid_bounds() const
    {
        Box<Dim> bounds;
        for (const Fluid& fluid : fluids_)
            for (const Vec<Dim>& x : fluid.positions) bounds.extend(x);
        bounds.extend(flow_maker_.bounds());
        return bounds;
    }

    /// Times at which what moves by formulas is looked at.
    std::vector<double> sample_times(bool is_constant) const
    {
        constexpr int count = 128;
        std::vector<double> times = {0.0};
        for (int n = 1; !is_constant && n <= count; ++n) times.push_back(scene_.duration * n / count);
        return times;
    }

    /// The fastest that an obstacle ever moves.
    double obstacle_speed()
    {
        double fastest = 0.0;
        for (std::size_t i = 0; i < obstacles_.size(); ++i) {
            const MovingObstacle<Dim>& obstacle = obstacles_[i];
            if (obstacle.motion.is_fixed()) continue;
            for (const double time : sample_times(false)) {
                const Pose<Dim> pose = obstacle.motion.pose(time);
                const RigidVelocity<Dim> velocity = obstacle.motion.velocity(time);
                double speed = 0.0;
                for (const Vec<Dim>& corner : corners_of(obstacle.shape.bounds()))
                    speed = std::max(speed, velocity.at(pose.apply(corner)).norm());
                if (!std::isfinite(speed) || !pose.translation.allFinite()) {
                    findings_.add_problem(path_of({"obstacles", i, "motion"}),
                                          "the motion is not finite at " + format_quantity(time, "s"),
                                          "must be finite at all times");
                    return 0.0;
                }
                fastest = std::max(fastest, speed);
            }
        }
        return fastest;
    }

    /// What the fluid can be expected to reach under a gravity that may change in space and time.
    double speed_under(const std::array<Formula, Dim>& gravity, double initial_speed)
    {
        const Box<Dim> bounds = fluid_bounds();
        Box<Dim> obstacle_bounds;
        for (const MovingObstacle<Dim>& obstacle : obstacles_)
            obstacle_bounds.extend(obstacle.cavity.value_or(obstacle.shape).bounds());
        std::vector<Vec<Dim>> places = corners_of(bounds);
        places.push_back(bounds.center());
        double fastest = 0.0;
        for (const double time : sample_times(are_numbers(gravity))) {
            for (const Vec<Dim>& x : places) {
                const Vec<Dim> g = evaluate<Dim>(gravity, x, time);
                for (std::size_t k = 0; k < static_cast<std::size_t>(Dim); ++k) {
                    const double component = g[static_cast<int>(k)];
                    if (std::isfinite(component)) continue;
                    findings_.add_problem(path_of({"gravity", k}),
                                          "gravity at " + point_text<Dim>(x) + " and " +
                                              format_quantity(time, "s") + " is " +
                                              (std::isnan(component) ? "not a number" : "infinite"),
                                          "must be finite");
                    return 0.0;
                }
                fastest =
                    std::max(fastest, expected_speed(bounds, domain_, obstacle_bounds, g, initial_speed));
            }
        }
        return fastest;
    }

    std::vector<PlannedEvent<Dim>> planned_events(const Node& resolved)
    {
        std::vector<Problem> problems;
        std::vector<PlannedEvent<Dim>> plan = plan_events(resolved, scene_, problems);
        if (!problems.empty()) throw SceneError(std::move(problems));
        return plan;
    }

    void choose_speed()
    {
        double initial_speed = std::max(obstacle_speed(), flow_maker_.fastest());
        for (const Fluid& fluid : fluids_)
            for (const Vec<Dim>& v : fluid.velocities) initial_speed = std::max(initial_speed, v.norm());
        if (findings_.has_problems()) return;

        double speed = speed_under(scene_.gravity, initial_speed);
        for (const PlannedEvent<Dim>& event : planned_events(content_.resolved))
            if (event.time <= scene_.duration)
                speed = std::max(speed, speed_under(event.after.gravity, initial_speed));
        constexpr double speed_of_light = 3e8;
        if (!(speed < speed_of_light))
            findings_.add_problem(path_of({"bodies"}),
                                  "something will move at " + number_text(speed, 2) + " m/s",
                                  "check velocities, motions, gravity and sizes");
        for (Fluid& fluid : fluids_) {
            std::visit(
                [&](auto& settings) {
                    if (!settings.max_speed) settings.max_speed = speed;
                },
                *fluid.options->solver);
        }
    }

    FluidOptions solver_options(const SolverSettings& settings) const
    {
        return std::visit(
            [](const auto& chosen) -> FluidOptions {
                auto options = chosen.options;
                options.max_speed = chosen.max_speed.value();
                return options;
            },
            settings);
    }

    std::vector<std::string> frame_fields() const
    {
        std::vector<std::string> fields;
        for (const OutputField field : scene_.output.fields) {
            const std::string name(field_names[static_cast<std::size_t>(field)]);
            const bool is_always_there = field == OutputField::Velocity || field == OutputField::Id;
            if (!is_always_there && std::find(fields.begin(), fields.end(), name) == fields.end())
                fields.push_back(name);
        }
        return fields;
    }

    void estimate()
    {
        std::uint64_t particles = 0;
        for (const Fluid& fluid : fluids_) particles += fluid.positions.size();
        filled_ = particles;
        detail::RunPlan plan{.dimension = Dim,
                             .particles = particles,
                             .emitted = static_cast<std::uint64_t>(emitted_count()),
                             .spacing = smallest_spacing(),
                             .solver = solver_options(*fluids_.front().options->solver),
                             .clock = clock_,
                             .frames = frames_,
                             .field_count = frame_fields().size(),
                             .double_precision = scene_.output.double_precision,
                             .cores = machine_.cores};
        for (const ProbeOptions<Dim>& options : scene_.probes) {
            const Probe<Dim> probe = probe_of(options);
            plan.probes.push_back({probe_columns(probe).size(), probe.every, probe.interval});
        }
        estimate_ = detail::estimate_run(plan);
        if (const double table = detail::probe_table_size(plan);
            estimate_.disk > machine_.disk && table > 0.5 * estimate_.disk)
            findings_.add_problem(path_of({"probes"}),
                                  "probes.csv needs about " + bytes_text(table) + " of disk, and " +
                                      bytes_text(machine_.disk) + " are free",
                                  "read fewer places, or read them less often with \"every\"");
        else if (estimate_.disk > machine_.disk)
            findings_.add_problem(path_of({"output"}),
                                  count_text(estimate_.frames, "frame") + " of " +
                                      count_text(particles, "particle") + " need about " +
                                      bytes_text(estimate_.disk) + " of disk, and " +
                                      bytes_text(machine_.disk) + " are free",
                                  "choose a larger spacing, a lower frame_rate or another folder");
        constexpr double day = 86400.0;
        if (estimate_.seconds > day)
            findings_.warn(resolution_path(),
                           "the run will take about " + detail::seconds_text(estimate_.seconds),
                           "try a larger spacing first");
        warn_of_frequent_probes(plan);
    }

    /// A step ends wherever a probe is read.
    void warn_of_frequent_probes(const detail::RunPlan& plan)
    {
        const double step = detail::estimated_step(plan.solver, plan.spacing, clock_);
        for (std::size_t i = 0; i < plan.probes.size(); ++i) {
            const detail::ProbePlan& probe = plan.probes[i];
            constexpr double often = 10.0;
            if (probe.every != ProbeTimes::Interval || often * probe.interval > step) continue;
            findings_.warn(path_of({"probes", i, "every"}),
                           format_quantity(probe.interval, "s") + " is much shorter than a step of about " +
                               number_text(step, 2) + " s, and every time it is read ends a step",
                           "choose a longer time, or \"step\"");
        }
    }

    void warn_of_overlaps()
    {
        constexpr std::string_view remedy = "move one of them, or cut it with a \"difference\"";
        for (std::size_t j = 0; j < fluids_.size(); ++j) {
            const Fluid& fluid = fluids_[j];
            const auto warn = [&](std::uint64_t count, const Path& other, const std::string& name) {
                if (count == 0) return;
                findings_.warn(
                    fluid.path / "shape",
                    std::to_string(count) + " of " + count_text(fluid.positions.size(), "particle") +
                        (count == 1 ? " lies" : " lie") + " inside " + other.text() + " (" + name + ')',
                    std::string(remedy));
            };
            for (std::size_t i = 0; i < j; ++i)
                if (fluids_[i].shape)
                    warn(count_inside(*fluids_[i].shape, {}, fluid.positions), fluids_[i].path,
                         fluids_[i].options->name);
        }
    }

    void warn_of_thin_shapes()
    {
        const auto warn = [&](const Path& path, double thickness, double spacing) {
            if (spacing <= 0.5 * thickness) return;
            findings_.warn(path,
                           "the shape is " + in_metres(thickness) + " thin, less than two spacings of " +
                               in_metres(spacing),
                           "choose a spacing of at most " + in_metres(0.5 * thickness));
        };
        for (const Fluid& fluid : fluids_)
            if (fluid.shape) warn(fluid.path / "shape", fluid.shape->thickness(), fluid.spacing);
        // A plate needs two layers of particles between its faces, a sheet has none.
        for (std::size_t i = 0; i < obstacles_.size(); ++i)
            if (!obstacles_[i].shape.is_sheet())
                warn(path_of({"obstacles", i, "shape"}),
                     obstacles_[i].cavity.value_or(obstacles_[i].shape).thickness(), largest_spacing());
    }

    /// What is solid at one side of the domain is not so at the opposite side, where the fluid comes in.
    void warn_of_obstacles_at_periodic_sides()
    {
        for (std::size_t i = 0; i < obstacles_.size(); ++i) {
            const Pose<Dim> pose = obstacles_[i].motion.pose(0.0);
            Box<Dim> bounds;
            for (const Vec<Dim>& corner : corners_of(obstacles_[i].shape.bounds()))
                bounds.extend(pose.apply(corner));
            for (const int k : periodic_axes()) {
                const bool is_at_lower = bounds.min[k] < domain_.box.min[k] + largest_spacing();
                const bool is_at_upper = bounds.max[k] > domain_.box.max[k] - largest_spacing();
                const bool is_outside =
                    bounds.max[k] < domain_.box.min[k] || bounds.min[k] > domain_.box.max[k];
                if (is_at_lower == is_at_upper || is_outside) continue;
                findings_.warn(path_of({"obstacles", i, "shape"}),
                               "the obstacle reaches one periodic side of " +
                                   std::string(axis_names[static_cast<std::size_t>(k)]) +
                                   " and is not repeated at the other",
                               "let it reach beyond both sides, or keep it away from them");
            }
        }
    }

    /// A probe with a body follows the particle that is nearest to its point.
    void warn_of_probes_beside_bodies()
    {
        for (std::size_t i = 0; i < scene_.probes.size(); ++i) {
            const ProbeOptions<Dim>& probe = scene_.probes[i];
            if (!probe.point || !probe.body) continue;
            for (const Fluid& fluid : fluids_) {
                if (fluid.options->name != *probe.body || fluid.positions.empty()) continue;
                double nearest = std::numeric_limits<double>::infinity();
                for (const Vec<Dim>& x : fluid.positions)
                    nearest = std::min(nearest, (x - *probe.point).norm());
                if (nearest > 2.0 * fluid.spacing)
                    findings_.warn(path_of({"probes", i, "point"}),
                                   "the point is not in " + *probe.body + ", whose nearest particle is " +
                                       in_metres(nearest) + " away",
                                   "move the point into the body");
            }
        }
    }

    void warn_of_long_step()
    {
        if (!clock_.fixed_step) return;
        ClockOptions free = clock_;
        free.fixed_step.reset();
        const double stable = detail::estimated_step(solver_options(*fluids_.front().options->solver),
                                                     smallest_spacing(), free);
        // The estimate is a careful one.
        if (*clock_.fixed_step > 2.0 * stable)
            findings_.warn(path_of({"time_step"}),
                           "a step of " + format_quantity(*clock_.fixed_step, "s") + " is longer than the " +
                               number_text(stable, 2) + " s that are safe",
                           "make it smaller or leave it out");
    }

    void warn_of_late_events()
    {
        for (std::size_t i = 0; i < scene_.events.size(); ++i)
            if (scene_.events[i].time > scene_.duration)
                findings_.warn(path_of({"events", i, "time"}),
                               "the event at " + format_quantity(scene_.events[i].time, "s") +
                                   " never happens, the scene ends at " +
                                   format_quantity(scene_.duration, "s"),
                               "choose an earlier time or a longer duration");
    }

    /// Particles that are too close to each other or to a wall burst apart.
    void warn_of_compression(FluidBody<Dim>& fluid, const Surroundings<Dim>& surroundings)
    {
        const std::array<std::string, 1> fields = {"density"};
        const double rest_density = fluids_.front().options->material.density;
        double sum = 0.0;
        double largest = 0.0;
        std::size_t count = 0;
        for (const Snapshot& snapshot : fluid.snapshots(fields, surroundings)) {
            std::visit(
                [&](const auto& values) {
                    for (const auto density : values) {
                        const double compression =
                            std::max(0.0, static_cast<double>(density) / rest_density - 1.0);
                        sum += compression;
                        largest = std::max(largest, compression);
                        ++count;
                    }
                },
                snapshot.find("density")->values);
        }
        const double mean = sum / static_cast<double>(std::max<std::size_t>(count, 1));
        derived_.set("initial_mean_compression", mean);
        derived_.set("initial_largest_compression", largest);
        const auto* wcsph = std::get_if<WcsphSettings>(&*fluids_.front().options->solver);
        const double allowed = wcsph != nullptr ? wcsph->options.compressibility : incompressible_at_start;
        if (largest <= allowed) return;
        findings_.warn(path_of({"bodies"}),
                       "the fluid starts compressed by up to " + percent(largest) + " (" + percent(mean) +
                           " on average), more than the " + percent(allowed) +
                           " that its solver is meant for",
                       "leave a spacing between bodies, and half a spacing to walls and obstacles");
    }

    Probe<Dim> probe_of(const ProbeOptions<Dim>& options) const
    {
        Probe<Dim> probe;
        probe.name = options.name;
        probe.field = options.field;
        probe.every = options.every.times;
        probe.interval = options.every.interval;
        if (options.point) {
            probe.what = PointProbe<Dim>{*options.point, options.body};
        } else if (options.line) {
            probe.what = *options.line;
        } else if (options.plane) {
            PlaneProbe<Dim> plane = *options.plane;
            plane.normal.normalize();
            probe.what = plane;
        } else if (options.body) {
            probe.what = BodyProbe{*options.body};
        } else {
            probe.what = ObstacleProbe{options.obstacle.value()};
        }
        return probe;
    }

    /// Sets everything that events can change, so that doing it again changes nothing.
    Event<Dim> event_of(const PlannedEvent<Dim>& planned) const
    {
        std::vector<double> viscosities;
        for (const BodyOptions<Dim>& body : planned.after.bodies)
            viscosities.push_back(std::get<FluidBodyOptions<Dim>>(body).material.viscosity);
        const FluidOptions options =
            solver_options(*std::get<FluidBodyOptions<Dim>>(planned.after.bodies.front()).solver);
        return {planned.time, [gravity = planned.after.gravity, viscosities, options](World<Dim>& world) {
                    world.set_gravity(gravity);
                    auto& fluid = dynamic_cast<FluidBody<Dim>&>(world.body(0));
                    fluid.set_options(options);
                    for (std::size_t part = 0; part < viscosities.size(); ++part)
                        fluid.set_viscosity(part, viscosities[part]);
                }};
    }

    /// The scene with everything that was chosen on the way.
    Node resolve()
    {
        scene_.spacing = shared_spacing_;
        scene_.count.reset();
        for (Fluid& fluid : fluids_) {
            fluid.options->spacing.reset();
            fluid.options->count.reset();
            if (fluid.spacing != shared_spacing_) fluid.options->spacing = fluid.spacing;
        }
        return write_scene_options(scene_, content_.resolved);
    }

    BuiltScene make_world()
    {
        const FluidBodyOptions<Dim>& first = *fluids_.front().options;
        const FluidOptions options = solver_options(*first.solver);
        std::vector<FluidPart<Dim>> parts;
        Node counts = Node::object();
        Node spacings = Node::object();
        for (Fluid& fluid : fluids_) {
            counts.set(fluid.options->name, fluid.positions.size());
            spacings.set(fluid.options->name, fluid.spacing);
            parts.push_back({fluid.options->name, std::move(fluid.positions), std::move(fluid.velocities),
                             fluid.spacing, fluid.options->material.viscosity});
        }
        auto body = std::make_unique<FluidBody<Dim>>(first.material.density, options, std::move(parts),
                                                     flow_maker_.flows());
        FluidBody<Dim>& fluid = *body;
        derived_.set("particles", filled_);
        if (!scene_.emitters.empty())
            derived_.set("emitted_particles", static_cast<std::uint64_t>(flow_maker_.particle_count()));
        derived_.set("particles_of_bodies", std::move(counts));
        derived_.set("frames", clock_.last_frame() + 1);
        derived_.set("spacing", smallest_spacing());
        derived_.set("spacing_of_bodies", std::move(spacings));
        derived_.set("support_radius", fluid.model().smallest_support_radius());
        derived_.set("particle_mass", fluid.model().parts.front().particle_mass);
        if (const auto* wcsph = std::get_if<WcsphSolver<Dim>>(&fluid.solver())) {
            derived_.set("sound_speed", wcsph->equation_of_state().sound_speed());
            derived_.set("stiffness", wcsph->equation_of_state().stiffness);
        }
        derived_.set("expected_time_step", detail::estimated_step(options, smallest_spacing(), clock_));

        BuiltScene built;
        built.resolved = resolve();
        built.estimate = estimate_;
        built.format = scene_.output.format;
        built.fields = frame_fields();
        built.double_precision = scene_.output.double_precision;

        WorldOptions<Dim> world_options;
        world_options.clock = clock_;
        world_options.gravity = scene_.gravity;
        world_options.domain = domain_;
        world_options.obstacles = obstacles_;
        for (const PlannedEvent<Dim>& planned : planned_events(built.resolved))
            world_options.events.push_back(event_of(planned));
        for (const ProbeOptions<Dim>& probe : scene_.probes) world_options.probes.push_back(probe_of(probe));
        std::vector<std::unique_ptr<Body<Dim>>> bodies;
        bodies.push_back(std::move(body));
        auto world = std::make_unique<World<Dim>>(std::move(world_options), std::move(bodies));

        warn_of_compression(fluid, world->surroundings());
        warn_of_late_events();
        built.derived = std::move(derived_);
        built.warnings = findings_.take_warnings();
        built.world = std::move(world);
        return built;
    }

    const Scene::Content& content_;
    SceneOptions<Dim> scene_;
    Machine machine_;
    FrameRange frames_;
    Findings findings_;
    FlowMaker<Dim> flow_maker_;
    ClockOptions clock_;
    Domain<Dim> domain_;
    std::vector<Fluid> fluids_;
    std::vector<MovingObstacle<Dim>> obstacles_;
    double shared_spacing_ = 0.0; ///< of fluids that have none of their own
    std::uint64_t filled_ = 0;    ///< particles at the start but for those of emitters
    Estimate estimate_;
    Node derived_ = Node::object();
};

} // namespace

BuiltScene build_scene(const Scene& scene, const Machine& machine, const FrameRange& frames)
{
    return std::visit(
        [&]<int Dim>(const SceneOptions<Dim>& options) {
            return Builder<Dim>(scene.content(), options, machine, frames).build();
        },
        scene.content().options);
}

} // namespace phyxel
