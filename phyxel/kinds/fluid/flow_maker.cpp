// SPDX-License-Identifier: MIT
#include <phyxel/kinds/fluid/detail/flow_maker.h>

#include <phyxel/kinds/fluid/detail/fluid_description.h>
#include <phyxel/scene/build_text.h>
#include <phyxel/scene/document.h>
#include <phyxel/scene/options.h>
#include <phyxel/scene/quantity.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

namespace phyxel {

template <int Dim>
std::vector<ParticleSize> particle_sizes(const SceneOptions<Dim>& scene)
{
    std::vector<ParticleSize> sizes;
    for_each_of<FluidBodyOptions<Dim>>(scene, [&](const FluidBodyOptions<Dim>& fluid, std::size_t) {
        const double spacing = fluid.spacing ? *fluid.spacing : scene.spacing.value();
        const double ratio =
            std::visit([](const auto& settings) { return settings.options.support_ratio; }, *fluid.solver);
        sizes.push_back(particle_size<Dim>(fluid.material.density, spacing, ratio));
    });
    return sizes;
}

namespace {

/// The fastest velocity while the emitter is open, and its share at a time where there are formulas. Throws
/// InputError if the direction changes, or if there is none.
template <int Dim>
void set_velocity(EmitterOptions<Dim>& emitter, const std::array<Formula, Dim>& formulas, double duration)
{
    emitter.velocity = detail::evaluate<Dim>(formulas, Vec<Dim>::Zero(), emitter.start);
    if (detail::are_numbers(formulas)) return;
    constexpr int samples = 2048;
    const double open = std::max(0.0, std::min(emitter.stop, duration) - emitter.start);
    const auto time_of = [&](int n) { return emitter.start + open * n / samples; };
    for (int n = 0; n <= samples; ++n) {
        const Vec<Dim> v = detail::evaluate<Dim>(formulas, Vec<Dim>::Zero(), time_of(n));
        if (!v.allFinite())
            throw InputError("the velocity at " + format_quantity(time_of(n), "s") + " is not finite");
        if (v.norm() > emitter.velocity.norm()) emitter.velocity = v;
    }
    const double fastest = emitter.velocity.norm();
    if (!(fastest > 0.0)) throw InputError("the velocity is zero at all times");
    const Vec<Dim> direction = emitter.velocity / fastest;
    constexpr double tolerance = 1e-6;
    for (int n = 0; n <= samples; ++n) {
        const Vec<Dim> v = detail::evaluate<Dim>(formulas, Vec<Dim>::Zero(), time_of(n));
        if ((v - v.norm() * direction).norm() > tolerance * fastest)
            throw InputError("the velocity at " + format_quantity(time_of(n), "s") +
                             " has another direction than the fastest one");
    }
    emitter.share = [formulas, direction, fastest](double time) {
        const Vec<Dim> v = detail::evaluate<Dim>(formulas, Vec<Dim>::Zero(), time);
        return std::max(0.0, v.dot(direction) / fastest);
    };
}

} // namespace

template <int Dim>
void FlowMaker<Dim>::make_shapes(ShapeMaker<Dim>& maker)
{
    for (std::size_t i = 0; i < options_.emitters.size(); ++i) {
        const EmitterSettings<Dim>& settings = options_.emitters[i];
        std::uint32_t number = 0; // among the fluids
        for (const BodyOptions<Dim>& body : scene_.bodies) {
            if (body.template get<FluidBodyOptions<Dim>>() == nullptr) continue;
            if (body.name() == settings.body) break;
            ++number;
        }
        auto shape = maker.make(settings.shape, path_of({"emitters", i, "shape"}));
        if (!shape) continue;
        flows_.emitters.push_back({.name = settings.name,
                                   .part = number,
                                   .shape = std::move(*shape),
                                   .start = settings.start,
                                   .source = to_line(write_options(settings))});
        if (settings.stop) flows_.emitters.back().stop = *settings.stop;
        try {
            set_velocity<Dim>(flows_.emitters.back(), settings.velocity, scene_.duration);
        } catch (const InputError& error) {
            findings_.add_problem(path_of({"emitters", i, "velocity"}), error.what(),
                                  "an emitter keeps its direction, and only its speed may change");
        }
        if (settings.start >= scene_.duration)
            findings_.warn(path_of({"emitters", i, "start"}),
                           "the emitter opens at " + format_quantity(settings.start, "s") +
                               ", the scene ends at " + format_quantity(scene_.duration, "s"),
                           "choose an earlier start or a longer duration");
    }
    for (std::size_t i = 0; i < options_.outflows.size(); ++i)
        if (auto shape = maker.make(options_.outflows[i].shape, path_of({"outflows", i, "shape"})))
            flows_.outflows.push_back({options_.outflows[i].name, std::move(*shape)});
}

template <int Dim>
bool FlowMaker<Dim>::feeds(std::size_t fluid) const
{
    return std::any_of(flows_.emitters.begin(), flows_.emitters.end(),
                       [&](const EmitterOptions<Dim>& emitter) { return emitter.part == fluid; });
}

template <int Dim>
double FlowMaker<Dim>::emitted_volume(std::size_t fluid) const
{
    constexpr double fine = 1.0 / 32.0;
    double volume = 0.0;
    for (const EmitterOptions<Dim>& options : flows_.emitters) {
        if (options.part != fluid || options.start >= scene_.duration) continue;
        const double spacing = fine * options.shape.bounds().longest_side();
        const Emitter<Dim> emitter(options, spacing, std::pow(spacing, Dim), work_);
        const double open = std::min(options.stop, scene_.duration) - options.start;
        volume += options.shape.volume(work_).value +
                  (options.share ? emitter.cross_section() * emitter.way(options.start + open)
                                 : emitter.rate() * open);
    }
    return volume;
}

template <int Dim>
void FlowMaker<Dim>::make_emitters(std::span<const ParticleSize> sizes, const Begin& begin)
{
    for (std::size_t i = 0; i < flows_.emitters.size(); ++i) {
        const ParticleSize& size = sizes[flows_.emitters[i].part];
        begin(path_of({"emitters", i, "shape"}));
        try {
            flows_.made.emplace_back(flows_.emitters[i], size.spacing, size.volume, work_);
        } catch (const InputError& error) {
            findings_.add_problem(path_of({"emitters", i, "shape"}), error.what(),
                                  "choose another shape, or a spacing below " +
                                      format_quantity(size.spacing, "m"));
        }
    }
}

template <int Dim>
void FlowMaker<Dim>::check_rooms(const Domain<Dim>& domain, const std::vector<MovingObstacle<Dim>>& obstacles,
                                 double particle_work, const Begin& begin)
{
    for (std::size_t i = 0; i < flows_.made.size(); ++i) {
        begin(path_of({"emitters", i, "shape"}));
        const Emitter<Dim>& emitter = flows_.made[i];
        work_.spend(particle_work * emitter.particle_count(0.0));
        check_room(emitter, i, domain, obstacles);
    }
}

/// What the shape holds at first is in nothing's way.
template <int Dim>
void FlowMaker<Dim>::check_room(const Emitter<Dim>& emitter, std::size_t number, const Domain<Dim>& domain,
                                const std::vector<MovingObstacle<Dim>>& obstacles)
{
    // Not gathered: one that never opens may hold more than there is memory for.
    const double held = emitter.particle_count(emitter.options().start);
    work_.spend(held);
    const Path path = path_of({"emitters", number, "shape"});
    const auto count = [&](const auto& is_inside) {
        std::size_t found = 0;
        emitter.for_each_place(Emitter<Dim>::nothing, 0.0,
                               [&](const Vec<Dim>& x) { found += is_inside(x) ? 1 : 0; });
        return found;
    };
    const auto warn = [&](std::size_t blocked, const std::string& where) {
        if (blocked > 0)
            findings_.warn(path,
                           std::to_string(blocked) + " of the " +
                               std::to_string(static_cast<std::uint64_t>(held)) +
                               " particles that fill it are " + where,
                           "move the emitter");
    };
    if (domain.bounded)
        warn(count([&](const Vec<Dim>& x) { return !domain.box.contains(x); }), "outside the domain");
    for (std::size_t i = 0; i < obstacles.size(); ++i) {
        work_.spend(held * (obstacles[i].cavity ? *obstacles[i].cavity : obstacles[i].shape).query_work());
        const Pose<Dim> pose = obstacles[i].motion.pose(emitter.options().start);
        if (!pose.translation.allFinite() || !pose.rotation.allFinite()) continue;
        warn(count([&](const Vec<Dim>& x) {
                 const Vec<Dim> X = pose.apply_inverse(x);
                 return obstacles[i].cavity ? !obstacles[i].cavity->inside(X) : obstacles[i].shape.inside(X);
             }),
             (obstacles[i].cavity ? "not in " : "inside ") + path_of({"obstacles", i}).text() + " (" +
                 obstacles[i].name + ')');
    }
}

template <int Dim>
double FlowMaker<Dim>::particle_count() const
{
    double count = 0.0;
    for (const Emitter<Dim>& emitter : flows_.made) count += emitter.particle_count(scene_.duration);
    return count;
}

template <int Dim>
double FlowMaker<Dim>::first_count() const
{
    double count = 0.0;
    for (const Emitter<Dim>& emitter : flows_.made) count += emitter.particle_count(0.0);
    return count;
}

template <int Dim>
Box<Dim> FlowMaker<Dim>::bounds() const
{
    Box<Dim> bounds;
    for (const EmitterOptions<Dim>& emitter : flows_.emitters) bounds.extend(emitter.shape.bounds());
    return bounds;
}

template <int Dim>
double FlowMaker<Dim>::fastest() const
{
    double fastest = 0.0;
    for (const EmitterOptions<Dim>& emitter : flows_.emitters)
        fastest = std::max(fastest, emitter.velocity.norm());
    return fastest;
}

template std::vector<ParticleSize> particle_sizes(const SceneOptions<2>&);
template std::vector<ParticleSize> particle_sizes(const SceneOptions<3>&);
template class FlowMaker<2>;
template class FlowMaker<3>;

} // namespace phyxel
