// SPDX-License-Identifier: MIT
// How far apart particles lie, and how many there are.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/rng.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/scene/detail/build_support.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace phyxel {

namespace {

using detail::axis_names;
using detail::bytes_text;
using detail::count_text;
using detail::in_metres;

/// Particles that differ more do not meet well enough to be called one fluid.
constexpr double largest_spacing_ratio = 4.0;

/// With enough digits to fit a periodic length when it is written into a scene.
std::string precise_metres(double length) { return number_text(length, 10) + " m"; }

} // namespace

template <int Dim>
std::vector<int> SceneBuilder<Dim>::periodic_axes() const
{
    std::vector<int> axes;
    for (int k = 0; k < Dim; ++k)
        if (domain_.bounded && domain_.sides[static_cast<std::size_t>(k)][0] == DomainSide::Periodic)
            axes.push_back(k);
    return axes;
}

/// The spacing nearest to a wanted one of which every periodic length is a whole number; none if there is
/// none near.
template <int Dim>
std::optional<double> SceneBuilder<Dim>::fitting_spacing(double wanted) const
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

template <int Dim>
bool SceneBuilder<Dim>::has_memory_for(std::uint64_t particles, std::uint64_t phyxels, const Path& path)
{
    double needed = detail::solid_memory(phyxels);
    if (!fluids_.empty())
        needed +=
            detail::fluid_memory(Dim, particles, solver_support_ratio(), solver_is_iterative(), crowding_);
    if (needed <= machine_.memory) return true;
    findings_.add_problem(path,
                          count_text(particles + phyxels, "particle") + " need about " + bytes_text(needed) +
                              " of memory, and " + bytes_text(machine_.memory) + " are available",
                          crowding_ < 1.5 ? "choose a larger spacing or a smaller count"
                                          : "fluids lie in each other, move them apart");
    return false;
}

/// Of boxes along the axes: all, or only those that end at a wall, where what does not fit is pressed against
/// it or leaves a gap. Rows of particles begin at the lower ends of a box.
template <int Dim>
std::vector<double> SceneBuilder<Dim>::box_sides(bool only_at_walls, double spacing) const
{
    std::vector<double> sides;
    for (const PlannedBody* body : bodies()) {
        if (!body->is_box || !body->shape) continue;
        const Box<Dim>& box = body->shape->bounds();
        for (int k = 0; k < Dim; ++k) {
            const bool ends_at_wall = domain_.bounded &&
                                      domain_.sides[static_cast<std::size_t>(k)][1] == DomainSide::Wall &&
                                      std::abs(box.max[k] - domain_.box.max[k]) < 0.5 * spacing;
            if (ends_at_wall || !only_at_walls) sides.push_back(box.size()[k]);
        }
    }
    // Boxes are often as long as others.
    std::sort(sides.begin(), sides.end());
    sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
    return sides;
}

/// Of the spacings near the wanted one that which divides the sides of boxes best, so that a box between
/// two walls is filled up to both. Where none near it does, farther ones are looked at for those at walls.
template <int Dim>
double SceneBuilder<Dim>::spacing_that_fills_boxes(double wanted)
{
    const auto misfit = [](const std::vector<double>& sides, double spacing) {
        double worst = 0.0;
        for (const double side : sides) {
            const double count = side / spacing;
            worst = std::max(worst, std::abs(count - std::round(count)));
        }
        return worst;
    };
    const auto best_within = [&](const std::vector<double>& sides, double share) {
        constexpr std::size_t most_sides = 100; // more can hardly be met
        constexpr std::int64_t most_counts = 1000;
        double best = wanted;
        for (std::size_t i = 0; i < std::min(sides.size(), most_sides); ++i) {
            const double fewest = std::max(1.0, std::ceil(sides[i] / (wanted * (1.0 + share))));
            const double most = std::floor(sides[i] / (wanted * (1.0 - share)));
            for (std::int64_t n = 0; n <= most_counts && fewest + static_cast<double>(n) <= most; ++n) {
                const double spacing = sides[i] / (fewest + static_cast<double>(n));
                const double gain = misfit(sides, best) - misfit(sides, spacing);
                const bool is_nearer = std::abs(spacing - wanted) < std::abs(best - wanted);
                if (gain > 1e-6 || (gain > -1e-6 && is_nearer && best != wanted)) best = spacing;
            }
        }
        return best;
    };
    const double near = best_within(box_sides(false, wanted), 0.04); // 12 % of the particles in 3D
    const std::vector<double> at_walls = box_sides(true, wanted);
    constexpr double small_misfit = 0.02; // in spacings
    if (misfit(at_walls, near) <= small_misfit) return near;
    for (const double share : {0.08, 0.14, 0.2}) {
        const double farther = best_within(at_walls, share);
        if (misfit(at_walls, farther) <= small_misfit) return farther;
    }
    return near;
}

/// The spacing that a number of particles needs, fitted into boxes or periodic lengths.
template <int Dim>
double SceneBuilder<Dim>::spacing_of(const std::vector<Shape<Dim>>& shapes, std::uint64_t count,
                                     const Path& path)
{
    try {
        const double spacing = spacing_for_count<Dim>(shapes, count, work_);
        if (periodic_axes().empty()) return spacing_that_fills_boxes(spacing);
        return fitting_spacing(spacing).value_or(spacing);
    } catch (const InputError& error) {
        findings_.add_problem(path, error.what());
        return 0.0;
    }
}

/// The spacing that a number of particles of several bodies needs: by their shapes, or if there are none
/// by what emitters will give them.
template <int Dim>
double SceneBuilder<Dim>::spacing_of_bodies(const std::vector<PlannedBody*>& bodies, std::uint64_t count,
                                            const Path& path)
{
    std::vector<Shape<Dim>> shapes;
    double emitted = 0.0;
    for (const PlannedBody* body : bodies) {
        if (body->shape)
            shapes.push_back(*body->shape);
        else
            emitted += flow_maker_.emitted_volume(body->number); // solids have shapes
    }
    const bool has_memory = fluids_.empty() ? has_memory_for(0, count, path) : has_memory_for(count, 0, path);
    if (!has_memory) return 0.0;
    if (!shapes.empty()) return spacing_of(shapes, count, path);
    if (!(emitted > 0.0)) {
        findings_.add_problem(path, "emitters that open after the end tell no spacing",
                              "expected \"spacing\"");
        return 0.0;
    }
    const double spacing = std::pow(emitted / static_cast<double>(count), 1.0 / Dim);
    return fitting_spacing(spacing).value_or(spacing);
}

template <int Dim>
double SceneBuilder<Dim>::own_spacing_of(PlannedBody& body)
{
    begin_work(body.path / "shape");
    return spacing_of_bodies({&body}, body.own_count->value(), body.path / "count");
}

template <int Dim>
void SceneBuilder<Dim>::choose_spacing()
{
    const std::vector<PlannedBody*> all = bodies();
    std::vector<PlannedBody*> sharing;
    for (PlannedBody* body : all)
        if (!*body->own_spacing && !*body->own_count) sharing.push_back(body);
    double shared = scene_.spacing.value_or(0.0);
    if (!sharing.empty()) begin_work(sharing.front()->path / "shape");
    if (!scene_.spacing && !sharing.empty())
        shared = spacing_of_bodies(sharing, *scene_.count, resolution_path());
    for (PlannedBody* body : all) {
        if (*body->own_spacing)
            body->spacing = **body->own_spacing;
        else if (*body->own_count)
            body->spacing = own_spacing_of(*body);
        else
            body->spacing = shared;
    }
    if (findings_.has_problems()) return;
    shared_spacing_ = sharing.empty() ? all.front()->spacing : shared;
    if (!fluids_.empty()) compare_spacings();
}

/// Fluids meet; solids only touch, which they can do at any spacing.
template <int Dim>
void SceneBuilder<Dim>::compare_spacings()
{
    const double smallest = smallest_fluid_spacing();
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

template <int Dim>
void SceneBuilder<Dim>::check_periodic_lengths()
{
    for (const int k : periodic_axes()) {
        const Path path = path_of({"domain", "sides", std::string(axis_names[static_cast<std::size_t>(k)])});
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

template <int Dim>
void SceneBuilder<Dim>::check_periodic_length(double length, double spacing, const Path& path)
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

/// How many particles of all fluids there are where there is room for one of this fluid, on average: more
/// than one where fluids that are there at the same time overlap. From some places.
template <int Dim>
double SceneBuilder<Dim>::crowding_of(const Fluid& fluid) const
{
    const Box<Dim>& bounds = fluid.shape->bounds();
    std::vector<const Fluid*> others;
    for (const Fluid& other : fluids_)
        if (&other != &fluid && other.shape && other.start == fluid.start &&
            overlap(other.shape->bounds(), bounds).volume() > 0.0)
            others.push_back(&other);
    if (others.empty()) return 1.0;
    // All pairs of bodies are looked at, so there are fewer places where there are many bodies.
    constexpr double most_pairs = 2e6;
    const auto places = static_cast<Index>(std::clamp(
        most_pairs / (static_cast<double>(fluids_.size()) * static_cast<double>(others.size())), 4.0, 256.0));
    double inside = 0.0;
    double particles = 0.0;
    for (Index i = 0; i < places; ++i) {
        work_.spend(fluid.shape->query_work() + static_cast<double>(others.size()));
        const Vec<Dim> x = bounds.min + bounds.size().cwiseProduct(Rng(1, i).point<Dim>(0.0, 1.0));
        if (!fluid.shape->inside(x)) continue;
        inside += 1.0;
        for (const Fluid* other : others) {
            if (!other->shape->bounds().contains(x)) continue;
            work_.spend(other->shape->query_work());
            if (other->shape->inside(x)) particles += std::pow(fluid.spacing / other->spacing, Dim);
        }
    }
    return inside > 0.0 ? 1.0 + particles / inside : 1.0;
}

template <int Dim>
void SceneBuilder<Dim>::measure_crowding()
{
    double particles = 0.0;
    double crowded = 0.0;
    for (const Fluid& fluid : fluids_) {
        if (!fluid.shape || fluid.expected_count == 0) continue;
        begin_work(fluid.path / "shape");
        particles += static_cast<double>(fluid.expected_count);
        crowded += static_cast<double>(fluid.expected_count) * crowding_of(fluid);
    }
    if (particles > 0.0) crowding_ = crowded / particles;
}

/// Before anything is allocated. First by volume, because counting what is far too much takes too long.
template <int Dim>
void SceneBuilder<Dim>::check_particle_count()
{
    constexpr double most = std::numeric_limits<Index>::max();
    double guess = 0.0;
    for (const PlannedBody* body : bodies()) {
        if (!body->shape) continue;
        begin_work(body->path / "shape");
        guess += body->shape->volume(work_).value / std::pow(body->spacing, Dim);
    }
    const auto count = [&](auto& planned) {
        std::uint64_t sum = 0;
        for (PlannedBody& body : planned) {
            if (!body.shape) continue;
            begin_work(body.path / "shape");
            try {
                body.expected_count = static_cast<std::uint64_t>(
                    std::round(estimate_lattice(*body.shape, body.spacing, work_)));
                sum += body.expected_count;
            } catch (const InputError& error) {
                findings_.add_problem(body.path / "shape", error.what());
            }
        }
        return sum;
    };
    std::uint64_t particles = 0;
    std::uint64_t phyxels = 0;
    if (guess < 2.0 * most) {
        particles = count(fluids_);
        phyxels = count(solids_);
        guess = static_cast<double>(particles + phyxels);
        measure_crowding();
    }
    const double emitted = emitted_count();
    guess += emitted;
    if (guess > most) {
        findings_.add_problem(resolution_path(),
                              "a spacing of " + in_metres(smallest_spacing()) + " gives about " +
                                  number_text(guess, 2) + " particles",
                              "at most " + std::to_string(std::numeric_limits<Index>::max()) +
                                  " can be numbered; choose a larger spacing");
        return;
    }
    if (has_memory_for(particles + static_cast<std::uint64_t>(emitted), phyxels, resolution_path()))
        is_counted_ = true;
}

/// The most particles of emitters that there can be at a time: no more than the domain has room for.
template <int Dim>
double SceneBuilder<Dim>::emitted_count() const
{
    if (fluids_.empty()) return 0.0;
    double most = std::numeric_limits<double>::infinity();
    if (domain_.bounded) most = domain_.box.volume() / std::pow(smallest_fluid_spacing(), Dim);
    return std::min(most, flow_maker_.particle_count());
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
