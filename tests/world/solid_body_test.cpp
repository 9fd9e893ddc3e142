// SPDX-License-Identifier: MIT
#include "support/temporary_folder.h"
#include "world_support.h"

#include <phyxel/core/parallel_for.h>
#include <phyxel/kinds/solid/solid_body.h>
#include <phyxel/world/run.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace phyxel::solid_body_test {
namespace {

/// A ball of jelly that is sampled by points without triangles, and a block that it falls on.
std::unique_ptr<World<3>> jelly_world(const SolidOptions& options = LeapfrogOptions{},
                                      std::uint64_t first_id = 0)
{
    const Sphere<3> ball{.center = Vec<3>(0.1, 0, 0.42), .radius = 0.2};
    std::vector<SolidPart<3>> parts(2);
    parts[0].name = "ball";
    parts[0].phyxels = make_phyxels<3>(Shape<3>(ball), 0.05);
    parts[0].velocities.assign(parts[0].phyxels.size(), Vec<3>(0, 0, -3));
    parts[0].material = {.youngs_modulus = 2e4, .poisson_ratio = 0.4};
    constexpr int points = 500;
    for (int k = 0; k < points; ++k) { // along a spiral
        const double z = 1.0 - (2.0 * k + 1.0) / points, phi = k * std::numbers::pi * (3.0 - std::sqrt(5.0));
        const Vec<3> n(std::sqrt(1.0 - z * z) * std::cos(phi), std::sqrt(1.0 - z * z) * std::sin(phi), z);
        parts[0].skin.vertices.push_back(ball.center + ball.radius * n);
        parts[0].skin.normals.push_back(n);
    }
    parts[1].name = "block";
    parts[1].phyxels = make_phyxels<3>(Shape<3>(Box<3>{Vec<3>(-0.2, -0.2, 0), Vec<3>(0.2, 0.2, 0.2)}), 0.05);
    parts[1].velocities.assign(parts[1].phyxels.size(), Vec<3>::Zero());
    parts[1].material = {.youngs_modulus = 1e5, .poisson_ratio = 0.3};

    WorldOptions<3> world;
    world.clock = {.duration = 0.3, .frame_rate = 60};
    world.gravity[2] = Formula(-9.81);
    world.domain = {.bounded = true, .box = {.min = Vec<3>(-1, -1, 0), .max = Vec<3>(1, 1, 2)}};
    std::vector<std::unique_ptr<Body<3>>> bodies;
    bodies.push_back(std::make_unique<SolidBody<3>>(options, std::move(parts), first_id));
    return std::make_unique<World<3>>(std::move(world), std::move(bodies));
}

const std::vector<std::string> all_fields = {"strain", "stress", "energy"};

TEST(SolidBody, phyxels_and_surface_have_ids_velocities_and_fields)
{
    auto world = jelly_world();
    for (int n = 0; n < 4; ++n) ASSERT_TRUE(world->advance_frame());
    const std::vector<Snapshot> snapshots = world->snapshots(all_fields);
    ASSERT_EQ(snapshots.size(), 2u);
    for (const Snapshot& snapshot : snapshots) {
        EXPECT_TRUE(is_consistent(snapshot));
        for (const char* name : {"id", "velocity", "strain", "stress", "energy"})
            EXPECT_NE(snapshot.find(name), nullptr) << name;
    }
    ASSERT_TRUE(snapshots[0].surface);
    EXPECT_FALSE(snapshots[1].surface);
    const Snapshot surface = surface_snapshot(snapshots[0]);
    for (const char* name : {"id", "velocity", "normal", "axis_u", "axis_v", "stress"})
        EXPECT_NE(surface.find(name), nullptr) << name;
    EXPECT_GE(surface.points.size(), 400u);
}

TEST(SolidBody, the_volume_ratio_is_the_determinant_of_the_deformation_and_adds_up_to_the_volume)
{
    auto world = jelly_world();
    while (world->frame() < 6) ASSERT_TRUE(world->advance_frame());
    Body<3>& body = world->body(0);
    const Surroundings<3>& around = world->surroundings();
    const std::vector<double> ratios = body.field("volume_ratio", around);
    const std::vector<double> gradients = body.field("deformation_gradient", around);
    const ParticleAmounts amounts = body.amounts(around);
    ASSERT_EQ(9 * ratios.size(), gradients.size());
    double largest_change = 0.0;
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        const Mat<3> F = Eigen::Map<const Mat<3>>(gradients.data() + 9 * i).transpose();
        EXPECT_NEAR(ratios[i], F.determinant(), 1e-12);
        EXPECT_NEAR(ratios[i] * amounts.rest_volume[i], amounts.volume[i], 1e-12 * amounts.rest_volume[i]);
        largest_change = std::max(largest_change, std::abs(ratios[i] - 1.0));
    }
    EXPECT_GT(largest_change, 1e-3) << "nothing has happened";
}

TEST(SolidBody, the_largest_speed_is_reported)
{
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        auto world = jelly_world(options);
        EXPECT_FALSE(world->advance_frame([] { return true; })); // one step
        double largest = 0.0;
        for (const Vec<3>& v : world->body(0).particles().velocities) largest = std::max(largest, v.norm());
        EXPECT_GT(largest, 3.0);
        EXPECT_EQ(world->report().statistics.max_speed, largest);
    }
}

TEST(SolidBody, ids_are_never_used_twice)
{
    auto world = jelly_world();
    const auto ids = [&] {
        std::vector<std::uint64_t> all;
        for (const Snapshot& snapshot : world->snapshots({})) {
            const auto& values = std::get<std::vector<std::uint64_t>>(snapshot.find("id")->values);
            all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    };
    const std::vector<std::uint64_t> before = ids();
    ASSERT_TRUE(std::is_sorted(before.begin(), before.end()));
    EXPECT_EQ(std::adjacent_find(before.begin(), before.end()), before.end());
    for (int n = 0; n < 3; ++n) ASSERT_TRUE(world->advance_frame());
    EXPECT_EQ(ids(), before);
}

TEST(SolidBody, ids_say_nothing_of_places)
{
    constexpr std::uint64_t first = (std::uint64_t(1) << 48) + 7;
    auto world = jelly_world();
    auto other = jelly_world(LeapfrogOptions{}, first);
    for (int n = 0; n < 3; ++n) {
        ASSERT_TRUE(world->advance_frame());
        ASSERT_TRUE(other->advance_frame());
    }
    EXPECT_EQ(world->state_hash(), other->state_hash());
    EXPECT_EQ(world->snapshots({})[0].surface->vertices, other->snapshots({})[0].surface->vertices);
    const Vec<3> place(0.1, 0.05, 0.1);
    const std::optional<std::uint64_t> id = nearest_particle<3>(world->body(0), "block", place);
    ASSERT_TRUE(id);
    EXPECT_EQ(nearest_particle<3>(other->body(0), "block", place), *id + first);
    const Surroundings<3>& around = world->surroundings();
    for (const char* field : {"position", "velocity", "stress"})
        EXPECT_EQ(value_of(world->body(0), field, *id, around),
                  value_of(other->body(0), field, *id + first, around));
    EXPECT_FALSE(value_of(other->body(0), "position", *id, around));
    EXPECT_FALSE(value_of(other->body(0), "position", first + other->particle_count(), around));
    const auto a = close_up_of(world->body(0), *id, around),
               b = close_up_of(other->body(0), *id + first, around);
    ASSERT_TRUE(a && b);
    ASSERT_EQ(a->neighbors.size(), b->neighbors.size());
    for (std::size_t k = 0; k < a->neighbors.size(); ++k) EXPECT_EQ(a->neighbors[k] + first, b->neighbors[k]);
}

TEST(SolidBody, a_run_that_is_loaded_in_the_middle_of_a_contact_goes_on_with_the_same_bits)
{
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        auto world = jelly_world(options);
        while (world->frame() < 4) ASSERT_TRUE(world->advance_frame());
        // Between two frames.
        EXPECT_FALSE(world->advance_frame([] { return true; }));
        EXPECT_GT(world->report().statistics.largest_penetration, 0.0);
        CheckpointWriter writer;
        world->save(writer);
        const std::vector<std::byte> bytes = writer.encode();
        while (world->frame() < 10) ASSERT_TRUE(world->advance_frame());

        for (const int threads : {1, 3}) {
            const ThreadLimit limit(threads);
            auto again = jelly_world(options);
            Buffer<std::byte> content(bytes.size());
            std::copy(bytes.begin(), bytes.end(), content.data());
            again->load(CheckpointReader(std::move(content), "memory"));
            while (again->frame() < 10) ASSERT_TRUE(again->advance_frame());
            EXPECT_EQ(again->state_hash(), world->state_hash());
            const auto a = world->snapshots(all_fields), b = again->snapshots(all_fields);
            EXPECT_EQ(a[0].points, b[0].points);
            EXPECT_EQ(a[0].surface->vertices, b[0].surface->vertices);
        }
    }
}

TEST(SolidBody, a_forged_checkpoint_that_would_never_be_done_is_refused)
{
    auto world = jelly_world();
    ASSERT_TRUE(world->advance_frame());
    // Surfels would be due again and again from there on, thirty times a second.
    for (const double number : {-1e300, -1.0, std::nan(""), std::numeric_limits<double>::infinity()})
        for (const char* name : {"next_resampling", "last_step", "stiffening", "contact_frequency"})
            EXPECT_THROW(jelly_world()->load(forged_checkpoint(*world, std::string("solid/") + name, number)),
                         InputError)
                << name << " " << number;
}

TEST(SolidBody, a_checkpoint_with_a_phyxel_that_is_nowhere_is_refused)
{
    auto world = jelly_world();
    std::vector<Vec<3>> positions(world->particle_count(), Vec<3>::Zero());
    const std::vector<Vec<3>> velocities = positions;
    const auto refusal = [&]() -> std::string {
        CheckpointWriter writer;
        writer.add_value("solid/parts", std::uint64_t(world->body(0).parts().size()));
        writer.add("solid/position", positions);
        writer.add("solid/velocity", velocities);
        for (const char* name : {"last_step", "stiffening", "contact_frequency", "next_resampling"})
            writer.add_value(std::string("solid/") + name, 1.0);
        const std::vector<std::byte> bytes = writer.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        try {
            world->body(0).load(CheckpointReader(std::move(content), "memory"));
        } catch (const InputError& error) {
            return error.what();
        }
        return {};
    };
    // Surfels are missing, and that is all.
    EXPECT_NE(refusal().find("surfels"), std::string::npos);
    positions[3][1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(refusal().find("nowhere"), std::string::npos);
}

TEST(SolidBody, a_close_up_shows_where_a_phyxel_rests_and_what_holds_it)
{
    auto world = jelly_world();
    const std::vector<Snapshot> at_rest = world->snapshots({});
    for (int n = 0; n < 4; ++n) ASSERT_TRUE(world->advance_frame());
    const auto& ids = std::get<std::vector<std::uint64_t>>(at_rest[1].find("id")->values);
    const auto close_up = close_up_of(world->body(0), ids[20], world->surroundings());
    ASSERT_TRUE(close_up && close_up->rest_position);
    EXPECT_EQ(*close_up->rest_position, at_rest[1].points[20]);
    EXPECT_EQ(close_up->position, world->snapshots({})[1].points[20]);
    EXPECT_GT(close_up->support_radius, 0.05);
    EXPECT_GE(close_up->neighbors.size(), 6u);
    for (const std::uint64_t id : close_up->neighbors) {
        EXPECT_NE(id, ids[20]);
        // Of the same solid, and each of them has it for a neighbour too.
        EXPECT_GE(id, ids.front());
        const auto other = close_up_of(world->body(0), id, world->surroundings());
        ASSERT_TRUE(other);
        EXPECT_TRUE(std::binary_search(other->neighbors.begin(), other->neighbors.end(), ids[20]));
    }
    EXPECT_FALSE(close_up_of(world->body(0), ids.back() + 1, world->surroundings()));
}

TEST(SolidBody, totals_add_up)
{
    auto world = jelly_world();
    const std::vector<BodyTotals<3>> totals = world->totals();
    EXPECT_NEAR(totals[0].mass, 1000.0 * 4.0 / 3.0 * std::numbers::pi * 0.008, 1e-6);
    EXPECT_NEAR(totals[1].volume, 0.032, 1e-9);
    EXPECT_NEAR(totals[0].kinetic_energy, 0.5 * totals[0].mass * 9.0, 1e-6);
    EXPECT_LT(totals[0].internal_energy, 1e-12);
    EXPECT_NEAR(totals[0].max_speed, 3.0, 1e-12);
}

TEST(SolidBody, the_surface_that_is_drawn_ends_at_walls)
{
    auto world = jelly_world();
    double lowest = 1.0;
    while (world->frame() < 10) {
        ASSERT_TRUE(world->advance_frame());
        for (const Snapshot& snapshot : world->snapshots({})) {
            for (const Vec<3>& x : snapshot.points) EXPECT_GE(x[2], 0.0);
            if (!snapshot.surface) continue;
            for (const Vec<3>& x : snapshot.surface->vertices) lowest = std::min(lowest, x[2]);
        }
    }
    EXPECT_GE(lowest, 0.0);
}

/// A plate of one layer of phyxels turns; what is drawn of it stays as thick as it was.
TEST(SolidBody, the_skin_of_a_single_layer_has_two_sides)
{
    std::vector<SolidPart<3>> parts(1);
    SolidPart<3>& plate = parts[0];
    const Box<3> box{Vec<3>(0, 0, 0), Vec<3>(0.5, 0.5, 0.05)};
    plate.name = "plate";
    plate.phyxels = make_phyxels<3>(Shape<3>(box), 0.05);
    for (const Vec<3>& x : plate.phyxels.positions)
        plate.velocities.emplace_back(0.0, -20.0 * (x[2] - 0.025), 20.0 * (x[1] - 0.25));
    for (const double z : {0.0, 0.05}) {
        const auto first = static_cast<Index>(plate.skin.vertices.size());
        for (const double x : {0.1, 0.4})
            for (const double y : {0.1, 0.4}) plate.skin.vertices.emplace_back(x, y, z);
        plate.skin.triangles.push_back({first, first + 1, first + 2});
    }
    WorldOptions<3> options;
    options.clock = {.duration = 0.1, .frame_rate = 100};
    std::vector<std::unique_ptr<Body<3>>> bodies;
    bodies.push_back(std::make_unique<SolidBody<3>>(LeapfrogOptions{}, std::move(parts)));
    World<3> world(std::move(options), std::move(bodies));
    do {
        const std::vector<Vec<3>> x = world.snapshots({})[0].surface->vertices;
        for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR((x[k + 4] - x[k]).norm(), 0.05, 0.005);
    } while (world.frame() < 10 && world.advance_frame());
    EXPECT_EQ(world.frame(), 10u);
}

TEST(SolidBody, a_run_whose_phyxels_are_turned_inside_out_says_so_once)
{
    auto world = jelly_world();
    const SolidMaterial weak{.law = ElasticLaw::StVenantKirchhoff,
                             .youngs_modulus = 2e3,
                             .poisson_ratio = 0.4,
                             .volume_stiffness = 0.0};
    dynamic_cast<SolidBody<3>&>(world->body(0)).set_material("ball", weak);
    const TemporaryFolder folder;
    std::vector<std::string> lines;
    RunOptions options;
    options.folder = folder.path() / "run";
    options.warn = [&](const std::string& line) { lines.push_back(line); };
    static_cast<void>(run(*world, options));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find("phyxels are turned inside out"), std::string::npos) << lines[0];
    EXPECT_NE(lines[0].find("neo_hookean"), std::string::npos) << lines[0];
}

TEST(SolidBody, a_run_says_so_too_where_they_are_few_of_all)
{
    std::vector<SolidPart<3>> parts(2);
    parts[0].name = "ball";
    parts[0].phyxels = make_phyxels<3>(Shape<3>(Sphere<3>{.center = Vec<3>(0, 0, 0.3), .radius = 0.1}), 0.05);
    parts[0].velocities.assign(parts[0].phyxels.size(), Vec<3>(0, 0, -3));
    parts[0].material = {.law = ElasticLaw::StVenantKirchhoff,
                         .youngs_modulus = 2e3,
                         .poisson_ratio = 0.4,
                         .volume_stiffness = 0.0};
    parts[1].name = "ground";
    parts[1].phyxels = make_phyxels<3>(Shape<3>(Box<3>{Vec<3>(-0.8, -0.8, 0), Vec<3>(0.8, 0.8, 0.2)}), 0.05);
    parts[1].velocities.assign(parts[1].phyxels.size(), Vec<3>::Zero());
    parts[1].material = {.youngs_modulus = 1e4, .poisson_ratio = 0.3};
    ASSERT_LT(100 * parts[0].phyxels.size(), parts[1].phyxels.size());
    WorldOptions<3> options;
    options.clock = {.duration = 0.1, .frame_rate = 60};
    options.domain = {.bounded = true, .box = {.min = Vec<3>(-1, -1, 0), .max = Vec<3>(1, 1, 2)}};
    std::vector<std::unique_ptr<Body<3>>> bodies;
    bodies.push_back(std::make_unique<SolidBody<3>>(LeapfrogOptions{}, std::move(parts)));
    World<3> world(std::move(options), std::move(bodies));
    const TemporaryFolder folder;
    std::vector<std::string> lines;
    RunOptions run_options;
    run_options.folder = folder.path() / "run";
    run_options.warn = [&](const std::string& line) { lines.push_back(line); };
    static_cast<void>(run(world, run_options));
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(lines[0].find("turned inside out"), std::string::npos) << lines[0];
}

TEST(SolidBody, an_implicit_step_that_cannot_be_solved_fails_with_a_cause)
{
    auto world =
        jelly_world(ImplicitOptions{.time_step = 0.05, .newton_iterations = 2, .linear_iterations = 1});
    SolidMaterial stiff{.youngs_modulus = 1e12};
    auto& body = dynamic_cast<SolidBody<3>&>(world->body(0));
    body.set_material("ball", stiff);
    std::optional<Failure> failure;
    Surroundings<3> surroundings = world->surroundings();
    for (int n = 0; n < 20 && !failure; ++n) failure = body.step(0.05, surroundings).failure;
    ASSERT_TRUE(failure);
    EXPECT_NE(failure->what.find("cannot be solved"), std::string::npos) << failure->what;
    EXPECT_NE(failure->cause.find("time_step"), std::string::npos) << failure->cause;
    EXPECT_EQ(failure->cause.find("max_speed"), std::string::npos);
}

TEST(SolidBody, a_step_that_is_too_long_fails_with_a_cause)
{
    auto world = jelly_world();
    auto& body = world->body(0);
    Surroundings<3> surroundings = world->surroundings();
    std::optional<Failure> failure;
    for (int n = 0; n < 200 && !failure; ++n) failure = body.step(0.05, surroundings).failure;
    ASSERT_TRUE(failure);
    EXPECT_NE(failure->cause.find("is too large"), std::string::npos) << failure->cause;
}

TEST(SolidBody, a_material_that_an_event_changes_counts_from_then_on)
{
    auto soft = jelly_world();
    auto stiff = jelly_world();
    SolidMaterial material{.youngs_modulus = 2e6, .poisson_ratio = 0.4};
    dynamic_cast<SolidBody<3>&>(stiff->body(0)).set_material("ball", material);
    EXPECT_LT(stiff->body(0).stable_time_step(), 0.5 * soft->body(0).stable_time_step());
}

TEST(SolidBody, a_part_that_joins_changes_nothing_of_the_others)
{
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        auto alone = jelly_world(options);
        auto world = jelly_world(options);
        auto& body = dynamic_cast<SolidBody<3>&>(world->body(0));
        const std::size_t before = world->particle_count();
        SolidPart<3> part;
        part.name = "far";
        part.phyxels = make_phyxels<3>(Shape<3>(Box<3>{Vec<3>(0.6, 0.6, 1.5), Vec<3>(0.9, 0.9, 1.8)}), 0.05);
        part.velocities.assign(part.phyxels.size(), Vec<3>::Zero());
        part.material = {.youngs_modulus = 2e4, .poisson_ratio = 0.4};
        part.regions.push_back({.name = "held", .phyxels = {0, 1, 2}, .what = PrescribedMotion<3>{}});
        const std::vector<Vec<3>> at_rest = part.phyxels.positions;
        body.expect(std::move(part));
        EXPECT_EQ(body.parts().back(), "far");
        EXPECT_EQ(world->totals().back().particles, 0u);
        for (int n = 0; n < 2; ++n) {
            ASSERT_TRUE(alone->advance_frame());
            ASSERT_TRUE(world->advance_frame());
        }
        body.join("far", world->surroundings());
        body.join("far", world->surroundings());
        EXPECT_EQ(world->particle_count(), before + at_rest.size());
        const auto places = [](World<3>& one) { return one.snapshots({})[0].points; };
        EXPECT_EQ(places(*world), places(*alone));
        for (int n = 0; n < 3; ++n) {
            ASSERT_TRUE(alone->advance_frame());
            ASSERT_TRUE(world->advance_frame());
        }
        // The far part may ask for slightly shorter steps; an implicit system is solved for all at once.
        const std::vector<Vec<3>> a = places(*world), b = places(*alone);
        const double off = std::holds_alternative<LeapfrogOptions>(options) ? 1e-6 : 1e-3;
        for (std::size_t i = 0; i < a.size(); ++i) EXPECT_LE((a[i] - b[i]).norm(), off);
        const std::vector<Vec<3>> joined = world->snapshots({})[2].points;
        EXPECT_EQ(joined[0], at_rest[0]) << "it is held";
        EXPECT_LT(joined.back()[2], at_rest.back()[2]) << "and hangs";
    }
}

TEST(SolidBody, a_part_that_leaves_changes_nothing_of_the_others)
{
    for (const SolidOptions& options : {SolidOptions(LeapfrogOptions{}), SolidOptions(ImplicitOptions{})}) {
        auto world = jelly_world(options);
        const std::vector<std::string> names = world->part_names();
        ASSERT_EQ(names.size(), 2u);
        ASSERT_TRUE(world->advance_frame());
        const std::size_t before = world->particle_count();
        const std::vector<Snapshot> there = world->snapshots({});
        world->body(0).leave(names[0]);
        EXPECT_EQ(world->part_names(), names);
        EXPECT_EQ(world->particle_count(), before - there[0].points.size());
        const std::vector<Snapshot> left = world->snapshots({});
        EXPECT_TRUE(left[0].points.empty());
        EXPECT_FALSE(left[0].surface);
        EXPECT_EQ(left[1].points, there[1].points);
        EXPECT_EQ(std::get<std::vector<std::uint64_t>>(left[1].find("id")->values),
                  std::get<std::vector<std::uint64_t>>(there[1].find("id")->values));
        // Nothing that is done to it matters any more.
        auto& body = dynamic_cast<SolidBody<3>&>(world->body(0));
        body.set_material(names[0], {.youngs_modulus = 1e9, .poisson_ratio = 0.4});
        world->set_hands({{.name = "h", .kind = HandKind::Hold, .body = names[0], .radius = 0.1}});
        body.leave(names[0]);
        for (int n = 0; n < 3; ++n) ASSERT_TRUE(world->advance_frame());
        // Saved, and loaded where it has left as well.
        CheckpointWriter writer;
        world->save(writer);
        const std::vector<std::byte> bytes = writer.encode();
        Buffer<std::byte> content(bytes.size());
        std::copy(bytes.begin(), bytes.end(), content.data());
        auto resumed = jelly_world(options);
        resumed->body(0).leave(names[0]);
        resumed->load(CheckpointReader(std::move(content), "memory"));
        EXPECT_EQ(resumed->state_hash(), world->state_hash());
        // None is left, and time goes on.
        body.leave(names[1]);
        EXPECT_EQ(world->particle_count(), 0u);
        ASSERT_TRUE(world->advance_frame());
        EXPECT_FALSE(world->failure());
    }
}

} // namespace
} // namespace phyxel::solid_body_test
