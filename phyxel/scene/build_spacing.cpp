// SPDX-License-Identifier: MIT
// How far apart particles lie, and how many there are.
#include <phyxel/scene/detail/scene_builder.h>

#include <phyxel/core/number_text.h>
#include <phyxel/geometry/sampling.h>
#include <phyxel/scene/build_text.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace phyxel {

namespace {

using detail::count_text;
using detail::in_metres;

} // namespace

/// `counts` are those of the kinds.
template <int Dim>
bool SceneBuilder<Dim>::has_memory_for(const std::vector<double>& counts, const Path& path)
{
    const double available = context_.machine.memory;
    double needed = 0.0;
    double particles = 0.0;
    for (std::size_t k = 0; k < counts.size(); ++k) {
        needed += kinds_[k]->memory(counts[k]);
        particles += counts[k];
    }
    if (needed <= available) return true;
    std::string crowded;
    for (const auto& kind : kinds_)
        if (kind->is_crowded()) crowded = kind->bodies.front().options->kind->name + 's';
    context_.findings.add_problem(path,
                                  count_text(static_cast<std::uint64_t>(particles), "particle") +
                                      " need about " + bytes_text(needed) + " of memory, and " +
                                      bytes_text(available) + " are available",
                                  crowded.empty() ? "choose a larger spacing or a smaller count"
                                                  : crowded + " lie in each other, move them apart");
    return false;
}

/// Of boxes along the axes: all, or only those that end at a wall, where what does not fit is pressed against
/// it or leaves a gap. Rows of particles begin at the lower ends of a box.
template <int Dim>
std::vector<double> SceneBuilder<Dim>::box_sides(bool only_at_walls, double spacing) const
{
    std::vector<double> sides;
    for (const Planned* body : bodies()) {
        if (!body->is_box || !body->shape) continue;
        const Box<Dim>& box = body->shape->bounds();
        for (int k = 0; k < Dim; ++k) {
            const bool ends_at_wall =
                context_.domain.bounded &&
                context_.domain.sides[static_cast<std::size_t>(k)][1] == DomainSide::Wall &&
                std::abs(box.max[k] - context_.domain.box.max[k]) < 0.5 * spacing;
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
        const double spacing = spacing_for_count<Dim>(shapes, count, context_.work);
        if (context_.periodic_axes().empty()) return spacing_that_fills_boxes(spacing);
        return context_.fitting_spacing(spacing).value_or(spacing);
    } catch (const InputError& error) {
        context_.findings.add_problem(path, error.what());
        return 0.0;
    }
}

/// The spacing that a number of particles of several bodies needs: by their shapes, or if there are none
/// by what they will be given.
template <int Dim>
double SceneBuilder<Dim>::spacing_of_bodies(const std::vector<Planned*>& bodies, std::uint64_t count,
                                            const Path& path)
{
    std::vector<Shape<Dim>> shapes;
    double added = 0.0;
    for (const Planned* body : bodies)
        if (body->shape) shapes.push_back(*body->shape);
    if (!has_memory_for({static_cast<double>(count)}, path)) return 0.0;
    if (!shapes.empty()) return spacing_of(shapes, count, path);
    for (const auto& kind : kinds_)
        for (const Planned& body : kind->bodies)
            if (std::find(bodies.begin(), bodies.end(), &body) != bodies.end())
                added += kind->volume_without_shape(body);
    if (!(added > 0.0)) {
        context_.findings.add_problem(path, "emitters that open after the end tell no spacing",
                                      "expected \"spacing\"");
        return 0.0;
    }
    const double spacing = std::pow(added / static_cast<double>(count), 1.0 / Dim);
    return context_.fitting_spacing(spacing).value_or(spacing);
}

template <int Dim>
void SceneBuilder<Dim>::choose_spacing()
{
    const SceneOptions<Dim>& scene = context_.scene;
    const std::vector<Planned*> all = bodies();
    std::vector<Planned*> sharing;
    for (Planned* body : all)
        if (!body->basics().spacing && !body->basics().count) sharing.push_back(body);
    double shared = scene.spacing.value_or(0.0);
    if (!sharing.empty()) context_.begin_work(sharing.front()->path / "shape");
    if (!scene.spacing && !sharing.empty())
        shared = spacing_of_bodies(sharing, *scene.count, context_.resolution_path());
    for (Planned* body : all) {
        body->spacing = body->basics().spacing.value_or(shared);
        if (body->basics().spacing || !body->basics().count) continue;
        context_.begin_work(body->path / "shape");
        body->spacing = spacing_of_bodies({body}, *body->basics().count, body->path / "count");
    }
    if (context_.findings.has_problems()) return;
    shared_spacing_ = sharing.empty() ? all.front()->spacing : shared;
    for (const auto& kind : kinds_) kind->check_spacings();
}

/// Before anything is allocated. First by volume, because counting what is far too much takes too long.
template <int Dim>
void SceneBuilder<Dim>::check_particle_count()
{
    Findings& findings = context_.findings;
    constexpr double most = std::numeric_limits<Index>::max();
    double guess = 0.0;
    for (const Planned* body : bodies()) {
        if (!body->shape) continue;
        context_.begin_work(body->path / "shape");
        guess += body->shape->volume(context_.work).value / std::pow(body->spacing, Dim);
    }
    std::vector<double> counts(kinds_.size(), 0.0);
    if (guess < 2.0 * most) {
        guess = 0.0;
        for (std::size_t k = 0; k < kinds_.size(); ++k) {
            for (Planned& body : kinds_[k]->bodies) {
                if (!body.shape) continue;
                context_.begin_work(body.path / "shape");
                try {
                    body.expected_count = static_cast<std::uint64_t>(
                        std::round(estimate_lattice(*body.shape, body.spacing, context_.work)));
                    counts[k] += static_cast<double>(body.expected_count);
                } catch (const InputError& error) {
                    findings.add_problem(body.path / "shape", error.what());
                }
            }
            guess += counts[k];
            kinds_[k]->measure();
        }
    }
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
        const double added = kinds_[k]->added_count();
        counts[k] += added;
        guess += added;
    }
    if (guess > most) {
        findings.add_problem(context_.resolution_path(),
                             "a spacing of " + in_metres(smallest_spacing()) + " gives about " +
                                 number_text(guess, 2) + " particles",
                             "at most " + std::to_string(std::numeric_limits<Index>::max()) +
                                 " can be numbered; choose a larger spacing");
        return;
    }
    if (has_memory_for(counts, context_.resolution_path())) context_.is_counted = true;
}

template class SceneBuilder<2>;
template class SceneBuilder<3>;

} // namespace phyxel
