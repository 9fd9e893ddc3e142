// SPDX-License-Identifier: MIT
#include "foam.h"

#include "described_run.h"
#include "frame_progress.h"
#include "run_fluids.h"
#include "run_folders.h"
#include "text.h"

#include <phyxel/core/error.h>
#include <phyxel/geometry/surroundings.h>
#include <phyxel/io/file.h>
#include <phyxel/io/frames.h>
#include <phyxel/io/mesh_file.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::command {
namespace {

namespace fs = std::filesystem;

/// Sizes in spacings of the fluid: bubbles look larger than drops.
constexpr double spray_radius = 0.12, foam_radius = 0.16, bubble_radius = 0.2;

FoamFluid fluid_of(const fs::path& file)
{
    const Snapshot snapshot = read_snapshot(file).snapshot;
    FoamFluid fluid;
    fluid.positions = snapshot.points;
    fluid.velocities = vectors_of(snapshot, "velocity");
    const Field* id = snapshot.find("id");
    const auto* ids = id != nullptr ? std::get_if<std::vector<std::uint64_t>>(&id->values) : nullptr;
    if (fluid.velocities.size() != fluid.positions.size() || ids == nullptr ||
        !std::is_sorted(ids->begin(), ids->end()))
        throw InputError(file.string() + ": has no velocities, or no ids in order");
    fluid.ids = *ids;
    return fluid;
}

/// The sides of the domain and the obstacles of a world, as they are at a time.
FoamWalls walls_of(const World<3>& world, double radius)
{
    return [&world, radius](Vec<3>& x, Vec<3>& v, double time) {
        const Domain<3>& domain = world.surroundings().domain;
        if (domain.has_left(x)) return false;
        const PeriodicBox<3> periodic = domain.periodic_box();
        for (int k = 0; k < 3; ++k)
            if (periodic.is_periodic(k))
                x[k] -= std::floor((x[k] - periodic.min[k]) / periodic.length[k]) * periodic.length[k];
        const auto leave = [&](double depth, const Vec<3>& normal, const Vec<3>& velocity) {
            x += depth * normal;
            const double into = std::min(0.0, (v - velocity).dot(normal));
            v -= into * normal;
        };
        for_each_side(domain, x, radius, [&](const NearWall<3>& wall) {
            leave(radius - wall.distance, wall.normal, wall.velocity);
        });
        for (std::size_t k = 0; k < world.obstacles().size(); ++k) {
            const MovingObstacle<3>& obstacle = world.obstacles()[k];
            const ObstacleSpan<3>& span = span_at<3>(world.course(k), time);
            if (!span.is_there) continue;
            const Pose<3> pose = span.motion.pose(time);
            const Vec<3> X = pose.apply_inverse(x);
            if (obstacle.shape.bounds().distance(X) >= radius) continue;
            const SignedDistance<3> wall = obstacle.shape.sample(X);
            if (wall.value < radius)
                leave(radius - wall.value, pose.rotation * wall.normal, span.motion.velocity(time).at(x));
        }
        return true;
    };
}

Snapshot snapshot_of(const std::vector<FoamParticle>& particles, const std::string& body, double time,
                     double spacing)
{
    Snapshot snapshot;
    snapshot.body = body;
    snapshot.time = time;
    std::vector<std::uint64_t> ids;
    std::vector<float> velocities, radii, lives;
    std::vector<std::int32_t> kinds;
    for (const FoamParticle& particle : particles) {
        snapshot.points.push_back(particle.position);
        ids.push_back(particle.id);
        for (int k = 0; k < 3; ++k) velocities.push_back(static_cast<float>(particle.velocity[k]));
        kinds.push_back(static_cast<std::int32_t>(particle.kind));
        const double radius = particle.kind == FoamKind::Spray  ? spray_radius
                              : particle.kind == FoamKind::Foam ? foam_radius
                                                                : bubble_radius;
        radii.push_back(static_cast<float>(radius * spacing));
        lives.push_back(static_cast<float>(particle.life));
    }
    snapshot.fields.push_back({.name = "id", .values = std::move(ids)});
    snapshot.fields.push_back({.name = "velocity", .components = 3, .values = std::move(velocities)});
    snapshot.fields.push_back({.name = "kind", .values = std::move(kinds)});
    snapshot.fields.push_back({.name = "radius", .values = std::move(radii)});
    snapshot.fields.push_back({.name = "life", .values = std::move(lives)});
    return snapshot;
}

/// All fluids of a frame: foam does not ask whose water it is on.
struct FluidFrames {
    std::uint64_t number = 0;
    std::vector<fs::path> files = {};
};

FoamFluid fluid_of(const FluidFrames& frame)
{
    FoamFluid all;
    for (const fs::path& file : frame.files) {
        const FoamFluid fluid = fluid_of(file);
        all.positions.insert(all.positions.end(), fluid.positions.begin(), fluid.positions.end());
        all.velocities.insert(all.velocities.end(), fluid.velocities.begin(), fluid.velocities.end());
        all.ids.insert(all.ids.end(), fluid.ids.begin(), fluid.ids.end());
    }
    if (frame.files.size() < 2) return all;
    std::vector<std::size_t> order(all.ids.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return all.ids[a] < all.ids[b]; });
    FoamFluid sorted;
    for (const std::size_t i : order) {
        sorted.positions.push_back(all.positions[i]);
        sorted.velocities.push_back(all.velocities[i]);
        sorted.ids.push_back(all.ids[i]);
    }
    return sorted;
}

/// The frames of the fluids, which must be there from the first to the last.
std::vector<FluidFrames> frames_of_fluids(const fs::path& run, const std::map<std::string, double>& spacings)
{
    std::map<std::uint64_t, FluidFrames> frames;
    for (FrameFile& frame : find_frames(run))
        if (spacings.contains(frame.body)) {
            frames[frame.number].number = frame.number;
            frames[frame.number].files.push_back(std::move(frame.path));
        }
    if (frames.empty()) throw InputError(run.string() + ": there are no frames");
    std::vector<FluidFrames> all;
    for (auto& [number, frame] : frames) {
        if (!all.empty() && number != all.back().number + 1)
            throw InputError(run.string() + ": frame " + std::to_string(all.back().number + 1) +
                             " is missing, and foam goes from frame to frame");
        all.push_back(std::move(frame));
    }
    return all;
}

} // namespace

ExitCode make_foam(const FoamCommand& command)
{
    check_options(command.options);
    const fs::path run = find_run(command.run);
    const std::map<std::string, double> spacings = spacings_of_fluids(run);
    const std::string body = spacings.begin()->first + "_foam";
    if (!is_body_name(body))
        throw InputError(run.string() + ": the name \"" + spacings.begin()->first +
                         "\" is too long to have \"_foam\" added to it");
    const std::vector<FluidFrames> frames = frames_of_fluids(run, spacings);
    double spacing = spacings.begin()->second;
    for (const auto& [name, own] : spacings) spacing = std::max(spacing, own);
    const BuiltScene built = build_run(run);
    const World<3>& world = *std::get<std::unique_ptr<World<3>>>(built.world);

    FoamMaker maker(spacing, world.surroundings().gravity, command.options);
    const FoamWalls walls = walls_of(world, foam_radius * spacing);
    FrameProgress progress(command.quiet, "foam", frames.size());
    std::size_t made = 0, most = 0;
    fs::path last;
    FoamFluid before;
    for (const FluidFrames& frame : frames) {
        FoamFluid now = fluid_of(frame);
        const double time = world.clock().frame_time(frame.number);
        if (made > 0) maker.advance(before, now, time, 1.0 / world.clock().frame_rate, walls);
        before = std::move(now);
        last = frame_path(run, body, frame.number, frame.files.front().extension().string());
        write_snapshot(last, snapshot_of(maker.particles(), body, time, spacing));
        most = std::max(most, maker.particles().size());
        progress.show(++made);
        if (progress.is_stopped("begins anew")) return Interrupted;
    }
    progress.clear();
    if (!command.quiet)
        print(last.string() + ": " + count_text(made, "frame", "frames") + " of foam made, " +
              count_text(most, "particle", "particles") + " at most\nnext: phyxel render " +
              shell_word(run.string()) + "\n");
    return Done;
}

} // namespace phyxel::command
