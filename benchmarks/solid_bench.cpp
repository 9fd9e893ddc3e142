// SPDX-License-Identifier: MIT
// Solids with the surface that they carry.
//
// solid/bust      200 phyxels with 10,000 surfels, 20 explicit steps and one update of the surface a frame,
//                 the setting of [MKN*04, Table 1]. Target: 1000 frames a second at the default support.
// solid/implicit  a block of 1 m, 10,000 phyxels, ν = 0.3, with 500,000 points on it, implicit steps of
//                 1/30 s to a relative residual of 1e-3. Target at 10⁵ Pa: 30 frames a second.
// solid/flow      a block of 20,000 phyxels that collapses in a tank, elastic and as a liquid: cost of
//                 a step, and of how many phyxels the shape at rest is forgotten in one. Target: 4
//                 times the elastic one.
// solid/yield     a block of 10,000 phyxels that swings, by turns with a yield stress that is never
//                 reached and without any. Target: at most 5 % more.
// solid/heat      heat in a block with a surface to the air, with the number of phyxels: cost of a step.
// solid/explicit  cost of an explicit step with the number of phyxels. Target: at 10⁶ at most twice that
//                 at 10⁴.
#include "benchmarks.h"
#include "workloads.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/core/timer.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/solid/reshaping.h>
#include <phyxel/solid/solid_solver.h>
#include <phyxel/surface/skinning.h>
#include <phyxel/world/heat_exchange.h>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

namespace phyxel {
namespace {

/// A block with all that steps it. Stays where it is, since the parts refer to each other.
struct Block {
    Block(const Box<3>& box, double spacing, double youngs_modulus, const SolidOptions& options,
          double support_ratio = 1.6, double held_below = -1.0)
        : cloud(make_phyxels<3>(Shape<3>(box), spacing, {.support_ratio = support_ratio})),
          model(make_model(youngs_modulus, options)),
          state(make_state()),
          regions(model, IdIndex(state.id), held(held_below)),
          solver(model, regions, options)
    {
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    SolidStepReport step(double dt)
    {
        surroundings.time += dt;
        return solver.step(state, dt, surroundings);
    }

    PhyxelCloud<3> cloud;
    SolidModel<3> model;
    SolidState<3> state;
    SolidRegions<3> regions;
    SolidSolver<3> solver;
    Surroundings<3> surroundings;

private:
    SolidState<3> make_state() const
    {
        SolidState<3> made;
        made.append(cloud.positions, std::vector<Vec<3>>(cloud.size(), Vec<3>::Zero()));
        return made;
    }

    std::vector<SolidRegion<3>> held(double below) const
    {
        SolidRegion<3> region{.name = "held", .phyxels = {}, .what = PrescribedMotion<3>{}};
        for (std::size_t i = 0; i < cloud.size(); ++i)
            if (cloud.positions[i][2] < below) region.phyxels.push_back(i);
        if (region.phyxels.empty()) return {};
        return {region};
    }

    SolidModel<3> make_model(double youngs_modulus, const SolidOptions& options) const
    {
        const PhyxelCloud<3>* const clouds[] = {&cloud};
        const SolidMaterial material{.law = ElasticLaw::StVenantKirchhoff, .youngs_modulus = youngs_modulus};
        return make_solid_model<3>(clouds, std::span(&material, 1), stabilization_of(options));
    }
};

/// `count` points with normals, spread evenly over the sides of a box.
std::pair<std::vector<Vec<3>>, std::vector<Vec<3>>> points_on(const Box<3>& box, std::size_t count)
{
    std::vector<Vec<3>> points, normals;
    const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(double(count) / 6.0)));
    for (int axis = 0; axis < 3; ++axis)
        for (const double end : {0.0, 1.0})
            for (std::size_t i = 0; i < side; ++i)
                for (std::size_t j = 0; j < side && points.size() < count; ++j) {
                    Vec<3> s;
                    s[axis] = end;
                    s[(axis + 1) % 3] = (double(i) + 0.5) / double(side);
                    s[(axis + 2) % 3] = (double(j) + 0.5) / double(side);
                    points.push_back(box.min + (box.max - box.min).cwiseProduct(s));
                    normals.push_back((2.0 * end - 1.0) * Vec<3>::Unit(axis));
                }
    return {points, normals};
}

/// A surface that follows a block.
struct CarriedPoints {
    CarriedPoints(const Block& block, const Box<3>& box, std::size_t count)
    {
        const auto [points, rest_normals] = points_on(box, count);
        skinning = Skinning<float>(points, rest_normals,
                                   {block.cloud.positions, block.cloud.supports, block.cloud.neighbors});
        positions.resize(count);
        normals.resize(count);
        gradients.resize(block.model.size());
    }

    void follow(Block& block)
    {
        const auto responses = block.solver.evaluate(block.state);
        parallel_for(gradients.size(), [&](Index i) { gradients[i] = responses[i].F; });
        skinning.update(block.state.position, gradients, positions, normals);
    }

    Skinning<float> skinning;
    std::vector<Vec<3>> positions;
    std::vector<Vec<3, float>> normals;
    std::vector<Mat<3>> gradients;
};

/// Steps of a block that has run apart for a third of a second, or swings.
void measure_flow(benchmark::State& state, bool flows)
{
    const ThreadLimit limit(2);
    const Box<3> box{Vec<3>::Zero(), Vec<3>(0.54, 0.54, 0.54)};
    const PhyxelCloud<3> cloud = make_phyxels<3>(Shape<3>(box), 0.02);
    const PhyxelCloud<3>* const clouds[] = {&cloud};
    SolidMaterial material{.youngs_modulus = 5e4, .poisson_ratio = 0.45};
    material.flows = flows;
    SolidModel<3> model = make_solid_model<3>(clouds, std::span(&material, 1), 0.1);
    SolidState<3> solid;
    solid.append(cloud.positions, std::vector<Vec<3>>(cloud.size(), Vec<3>::Zero()));
    if (flows) {
        solid.remember_rest(model.rest.position);
        model.rest.scale = solid.rest_scale;
    }
    const SolidRegions<3> regions(model, IdIndex(solid.id), {});
    SolidSolver<3> solver(model, regions, LeapfrogOptions{});
    Surroundings<3> surroundings;
    surroundings.gravity = Vec<3>(0, 0, -9.81);
    surroundings.domain = {.bounded = true, .box = {.min = Vec<3>(-1, -1, 0), .max = Vec<3>(2, 2, 2)}};
    double refitted = 0.0;
    const auto step = [&] {
        const double dt = solver.stable_time_step(solid);
        surroundings.time += dt;
        const SolidStepReport report = solver.step(solid, dt, surroundings);
        if (std::count(report.outdated.begin(), report.outdated.end(), 1) == 0) return;
        refitted += double(forget_rest<3>(model, solid, report.outdated, 0.1).fitted);
        solver.update_rest();
    };
    while (surroundings.time < 0.3) step();
    refitted = 0.0;
    for (auto _ : state)
        for (int n = 0; n < 10; ++n) step();
    const double steps = 10.0 * double(state.iterations());
    state.counters["ms_step"] =
        benchmark::Counter(1e-3 * steps, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    state.counters["refitted"] = refitted / (steps * double(model.size()));
    state.counters["phyxels"] = double(model.size());
}

/// Steps by turns of a block that may yield, and never does, and of the same that cannot.
void measure_yield(benchmark::State& state)
{
    const ThreadLimit limit(1);
    const Box<3> box{Vec<3>::Zero(), Vec<3>::Ones()};
    struct Swinging {
        SolidModel<3> model;
        SolidState<3> state;
        SolidRegions<3> regions;
        SolidSolver<3> solver;
        Surroundings<3> surroundings = {};
        ShortestTime time = {};
        double seconds = 0.0;

        Swinging(const PhyxelCloud<3>& cloud, const SolidMaterial& material)
            : model(make_solid_model<3>(std::vector<const PhyxelCloud<3>*>{&cloud}, std::vector{material},
                                        0.1)),
              state(start(cloud)),
              regions(model, IdIndex(state.id), {}),
              solver(model, regions, LeapfrogOptions{})
        {
        }
        SolidState<3> start(const PhyxelCloud<3>& cloud) const
        {
            SolidState<3> made;
            std::vector<Vec<3>> velocities;
            for (const Vec<3>& x : cloud.positions) velocities.emplace_back(0.5 * x[2], 0, 0);
            made.append(cloud.positions, velocities);
            if (model.has_flow()) made.remember_flow();
            return made;
        }
        void step(double dt)
        {
            surroundings.time += dt;
            const Stopwatch watch;
            time.start();
            benchmark::DoNotOptimize(solver.step(state, dt, surroundings).max_speed);
            time.stop();
            seconds += watch.seconds();
        }
    };
    const PhyxelCloud<3> cloud = make_phyxels<3>(Shape<3>(box), 1.0 / 22);
    const SolidMaterial elastic{.youngs_modulus = 5e5};
    SolidMaterial strong = elastic;
    strong.yield_stress = 1e12;
    Swinging without(cloud, elastic), with(cloud, strong);
    const double dt = without.solver.stable_time_step(without.state);
    for (auto _ : state)
        for (int n = 0; n < 10; ++n) {
            without.step(dt);
            with.step(dt);
        }
    const double count = double(cloud.size());
    state.counters["ns_without"] = 1e9 * without.time.shortest() / count;
    state.counters["ns_with"] = 1e9 * with.time.shortest() / count;
    state.counters["ratio"] = with.seconds / without.seconds;
    state.counters["ratio_of_shortest"] = with.time.shortest() / without.time.shortest();
    state.counters["phyxels"] = count;
}

void measure_heat(benchmark::State& state, int side, int threads)
{
    const ThreadLimit limit(threads);
    const Shape<3> box(Box<3>{Vec<3>::Zero(), Vec<3>::Ones()});
    SolidPart<3> part{.name = "block", .phyxels = make_phyxels<3>(box, 1.0 / side), .velocities = {}};
    part.velocities.assign(part.phyxels.size(), Vec<3>::Zero());
    part.shape = box;
    part.heat.air = Air{.temperature = 293.0, .exchange = 10.0};
    part.heat.temperature = Formula(353.0);
    const double count = double(part.phyxels.size());
    std::vector<SolidPart<3>> parts;
    parts.push_back(std::move(part));
    SolidBody<3> body(LeapfrogOptions{}, std::move(parts));
    body.begin_heat();
    HeatExchange<3> exchange;
    const Surroundings<3> surroundings;
    double dt = 1.0;
    const auto advance = [&] {
        std::vector<HeatView<3>> views = {body.heat().value()};
        return exchange.advance(views, surroundings, {}, dt, Fault::None);
    };
    // As long as ten steps of its own.
    while (advance() < 10.0) dt *= 2.0;
    double steps = 0.0;
    ShortestTime time;
    for (auto _ : state) {
        time.start();
        steps = advance();
        time.stop();
    }
    state.counters["ns_phyxel_step"] = 1e9 * time.shortest() / (count * steps);
    state.counters["steps"] = steps;
    state.counters["phyxels"] = count;
}

void measure_bust(benchmark::State& state, double support_ratio, int threads)
{
    const ThreadLimit limit(threads);
    // 200 phyxels: 5 × 5 × 8.
    const Box<3> box{Vec<3>::Zero(), Vec<3>(0.5, 0.5, 0.8)};
    Block block(box, 0.1, 5e5, LeapfrogOptions{}, support_ratio);
    CarriedPoints surface(block, box, 10000);
    block.surroundings.gravity = Vec<3>(0, 0, -9.81);
    block.surroundings.domain = {.bounded = true,
                                 .box = {.min = Vec<3>(-5, -5, -0.3), .max = Vec<3>(5, 5, 5)}};
    const double dt = block.solver.stable_time_step(block.state);
    ShortestTime frame, skin;
    for (auto _ : state) {
        frame.start();
        for (int n = 0; n < 20; ++n) benchmark::DoNotOptimize(block.step(dt).max_speed);
        skin.start();
        surface.follow(block);
        skin.stop();
        frame.stop();
    }
    state.counters["frames_per_s"] =
        benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["best_frames_per_s"] = 1.0 / frame.shortest();
    state.counters["us_surface"] = 1e6 * skin.shortest();
    state.counters["phyxels"] = double(block.model.size());
    state.counters["neighbors"] =
        double(block.model.rest.neighbors.entry_count()) / double(block.model.size());
}

/// `push` is the speed of the top at the start, sideways.
void measure_implicit(benchmark::State& state, double youngs_modulus, double push, int threads)
{
    const ThreadLimit limit(threads);
    const Box<3> box{Vec<3>::Zero(), Vec<3>::Ones()};
    constexpr double spacing = 1.0 / 21.5443469; // 10,000 in all, 22 a side as a lattice has it
    Block block(box, spacing, youngs_modulus,
                ImplicitOptions{.tolerance = 1e-3, .newton_iterations = 1, .linear_iterations = 2000}, 1.6,
                spacing);
    CarriedPoints surface(block, box, 500000);
    block.surroundings.gravity = Vec<3>(0, 0, -9.81);
    for (std::size_t i = 0; i < block.model.size(); ++i)
        block.state.velocity[i] = Vec<3>(push * block.state.position[i][2], 0, 0);
    // The first step also makes the coarse level of the linear solver.
    const Stopwatch first;
    benchmark::DoNotOptimize(block.step(1.0 / 30.0).max_speed);
    state.counters["ms_first_step"] = 1e3 * first.seconds();
    ShortestTime frame, skin;
    int linear = 0;
    double residual = 0.0;
    for (auto _ : state) {
        frame.start();
        const SolidStepReport report = block.step(1.0 / 30.0);
        linear += report.linear_iterations;
        residual = std::max(residual, report.residual);
        skin.start();
        surface.follow(block);
        skin.stop();
        frame.stop();
    }
    state.counters["frames_per_s"] =
        benchmark::Counter(double(state.iterations()), benchmark::Counter::kIsRate);
    state.counters["iterations"] = double(linear) / double(state.iterations());
    state.counters["worst_residual"] = residual;
    state.counters["ms_surface"] = 1e3 * skin.shortest();
    state.counters["surface_gb_per_s"] = 1e-9 * double(surface.skinning.traffic()) / skin.shortest();
    state.counters["phyxels"] = double(block.model.size());
}

void measure_explicit(benchmark::State& state, int side, int threads)
{
    const ThreadLimit limit(threads);
    const Box<3> box{Vec<3>::Zero(), Vec<3>::Ones()};
    Block block(box, 1.0 / side, 5e5, LeapfrogOptions{});
    block.surroundings.gravity = Vec<3>(0, 0, -9.81);
    const double dt = block.solver.stable_time_step(block.state);
    ShortestTime time;
    StageTimes stages;
    for (auto _ : state) {
        time.start();
        const SolidStepReport report = block.step(dt);
        time.stop();
        stages.add(report.times);
    }
    time.report(state, block.model.size());
    for (const StageTimes::Stage& stage : stages.stages())
        state.counters["ns_" + std::string(stage.name)] =
            1e9 * stage.seconds / double(state.iterations()) / double(block.model.size());
}

} // namespace

void register_solid_benchmarks()
{
    for (const bool flows : {false, true})
        benchmark::RegisterBenchmark(flows ? "solid/flow/liquid" : "solid/flow/elastic", measure_flow, flows)
            ->Unit(benchmark::kMillisecond)
            ->Iterations(20)
            ->UseRealTime();
    benchmark::RegisterBenchmark("solid/yield", measure_yield)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(30)
        ->UseRealTime();
    for (const int threads : {1, 2}) {
        const std::string on = "/threads:" + std::to_string(threads);
        for (const int side : {10, 22, 46})
            benchmark::RegisterBenchmark(("solid/heat/" + std::to_string(side * side * side) + on).c_str(),
                                         measure_heat, side, threads)
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        for (const auto& [name, ratio] : {std::pair("default_support", 1.6), {"paper_support", 3.0}})
            benchmark::RegisterBenchmark(("solid/bust/" + std::string(name) + on).c_str(), measure_bust,
                                         ratio, threads)
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
        constexpr double gentle = 1.0, violent = 2.0; // phyxels of the softest turn inside out [m/s]
        for (const auto& [name, modulus, push] : {std::tuple("1e5", 1e5, gentle),
                                                  {"5e5", 5e5, gentle},
                                                  {"1e7", 1e7, gentle},
                                                  {"1e5_violent", 1e5, violent},
                                                  {"5e5_violent", 5e5, violent}})
            benchmark::RegisterBenchmark(("solid/implicit/" + std::string(name) + on).c_str(),
                                         measure_implicit, modulus, push, threads)
                ->Unit(benchmark::kMillisecond)
                ->Iterations(30)
                ->UseRealTime();
        for (const int side : {10, 22, 46, 100})
            benchmark::RegisterBenchmark(
                ("solid/explicit/" + std::to_string(side * side * side) + on).c_str(), measure_explicit, side,
                threads)
                ->Unit(benchmark::kMillisecond)
                ->UseRealTime();
    }
}

} // namespace phyxel
