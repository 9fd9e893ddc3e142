// SPDX-License-Identifier: MIT
// V-E10, V-E12: shapes at rest that are forgotten, and solids that melt, flow, tear, fuse and set.
#include <phyxel/core/disjoint_sets.h>
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/number_text.h>
#include <phyxel/kinds/standard_kinds.h>
#include <phyxel/scene/scene.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/reshaping.h>
#include <phyxel/solid/solid_phases.h>
#include <phyxel/surface/coat.h>
#include <phyxel/surface/coat_mesh.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/scene_case.h>
#include <phyxel/verify/detail/worst.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double stabilization = 0.1;

/// A cube of what flows only under far more than it is pulled with.
struct Putty {
    SolidModel<3> model;
    SolidState<3> state;

    explicit Putty(SolidMaterial material, Fault fault)
    {
        const phyxel::Box<3> box{.min = Vec<3>::Zero(), .max = Vec<3>::Ones()};
        const PhyxelCloud<3> cloud = make_phyxels<3>(Shape<3>(box), 0.125);
        const PhyxelCloud<3>* const clouds[] = {&cloud};
        model = make_solid_model<3>(clouds, std::span(&material, 1), stabilization);
        model.set_fault(fault);
        state.append(model.origin, std::vector<Vec<3>>(model.size(), Vec<3>::Zero()));
        state.remember_rest(model.rest.position);
        model.rest.scale = state.rest_scale;
    }

    void place(const Mat<3>& F)
    {
        for (std::size_t i = 0; i < model.size(); ++i) state.position[i] = F * model.origin[i];
    }
    void forget()
    {
        const std::vector<std::uint8_t> all = {1};
        (void)forget_rest<3>(model, state, all, stabilization);
    }
    std::vector<Vec<3>> forces() const
    {
        ElasticWorkspace<3> work(model);
        work.memory = FlowMemory<3>(state, 0.0);
        std::vector<Vec<3>> all(model.size());
        compute_responses<3>(model, state.position, {}, work);
        compute_elastic_forces<3>(model, work, all);
        return all;
    }
    /// ½ (1 − bₑ⁻¹): Green's strain pushed forward.
    Mat<3> strain(Index i) const
    {
        const Mat<3> F = model.rest.deformation(state.position, i);
        const Mat<3> b = F * state.plastic_shape[i] * F.transpose();
        return 0.5 * (Mat<3>::Identity() - b.inverse());
    }
};

SolidMaterial putty()
{
    SolidMaterial material{.youngs_modulus = 1e6, .poisson_ratio = 0.3};
    material.flows = true;
    material.yield_stress = 1e9;
    return material;
}

const Mat<3>& turn()
{
    static const Mat<3> R = Eigen::AngleAxisd(1.0, Vec<3>(1, 2, 3).normalized()).toRotationMatrix();
    return R;
}

Mat<3> pulled() { return turn() * Vec<3>(1.1, 1, 1).asDiagonal(); }

/// The strain along the axis that was pulled, after the cube has turned and forgotten. 0.105 is Green's.
Measurement check_pushed_strain(const Fault& fault)
{
    Putty cube(putty(), fault);
    cube.place(pulled());
    cube.forget();
    const Vec<3> axis = turn().col(0);
    double worst = 0.105 / 1.21;
    for (Index i = 0; i < cube.model.size(); ++i) {
        const double along = axis.dot(cube.strain(i) * axis);
        if (std::abs(along - 0.105 / 1.21) >= std::abs(worst - 0.105 / 1.21)) worst = along;
    }
    return {worst, 0.105 / 1.21, 1e-10, Bound::Near, "1", "of all phyxels that which is farthest off"};
}

/// Forces of a cube before and after something has happened to it.
template <class What>
Measurement check_forces(Putty& cube, const What& what, double tolerance, const std::string& note)
{
    const std::vector<Vec<3>> before = cube.forces();
    what();
    const std::vector<Vec<3>> after = cube.forces();
    double largest = 0.0;
    for (const Vec<3>& force : before) largest = std::max(largest, force.norm());
    Worst worst;
    if (!(largest > 0.0)) worst.add_missing();
    for (std::size_t i = 0; i < before.size(); ++i) worst.add((after[i] - before[i]).norm() / largest);
    return error_measurement(worst.value(), tolerance, note);
}

Measurement check_forgotten_forces(const Fault& fault)
{
    Putty cube(putty(), fault);
    cube.place(pulled() + 0.05 * Mat<3>::Ones());
    const std::vector<Vec<3>> before = cube.forces();
    cube.forget();
    // The stabilisation has nothing to say of states x = F X, and neighbours are others: what stays is the
    // moment of the forces, −V σ.
    const std::vector<Vec<3>> after = cube.forces();
    Mat<3> moment = Mat<3>::Zero(), change = Mat<3>::Zero();
    for (std::size_t i = 0; i < before.size(); ++i) {
        moment += before[i] * cube.state.position[i].transpose();
        change += (after[i] - before[i]) * cube.state.position[i].transpose();
    }
    return error_measurement(change.norm() / moment.norm(), 1e-10, "moment of the forces");
}

Measurement check_setting(const Fault& fault)
{
    SolidMaterial material{.youngs_modulus = 1e6, .poisson_ratio = 0.3};
    material.molten = MoltenProperties{.youngs_modulus = 1e5, .poisson_ratio = 0.45, .yield_stress = 3e3};
    Putty cube(material, fault);
    std::vector<std::uint8_t> flags(cube.model.size(), 1);
    set_molten<3>(cube.model, cube.state, flags, stabilization);
    cube.place(pulled() + 0.05 * Mat<3>::Ones());
    cube.forget();
    return check_forces(
        cube,
        [&] {
            flags.assign(flags.size(), 0);
            set_molten<3>(cube.model, cube.state, flags, stabilization);
        },
        1e-9, "forces of all phyxels");
}

/// A cube that is made ten times as stiff while it is deformed, as the bust of [MKN*04, Fig. 5].
Measurement check_switch(const Fault& fault)
{
    SolidMaterial material{.youngs_modulus = 5e5, .poisson_ratio = 0.3};
    Putty cube(material, fault);
    cube.place(pulled() + 0.05 * Mat<3>::Ones());
    return check_forces(
        cube,
        [&] {
            material.youngs_modulus = 5e6;
            switch_material<3>(cube.model, cube.state, 0, material, stabilization);
        },
        1e-9, "forces of all phyxels");
}

/// A cube that is drawn to three times its length, evenly and keeping its volume, and forgets its shape again
/// and again: how many of its phyxels have no shape any more, or are in another piece than the first.
Measurement check_drawn(const int& levels)
{
    Putty cube(putty(), Fault::None);
    cube.model.most_halvings.assign(1, levels);
    const std::size_t count = cube.model.size();
    constexpr int steps = 20;
    const double along = std::pow(3.0, 1.0 / steps), across = 1.0 / std::sqrt(along);
    for (int k = 0; k < steps; ++k) {
        for (Vec<3>& x : cube.state.position) x = Vec<3>(along * x[0], across * x[1], across * x[2]);
        cube.forget();
    }
    const std::vector<std::uint32_t> pieces = find_pieces<3>(cube.model);
    double lost = 0.0;
    for (std::size_t i = 0; i < cube.model.size(); ++i)
        if (cube.model.is_drop(i) || pieces[i] != pieces[0]) ++lost;
    return {lost,
            0.0,
            0.0,
            Bound::Near,
            "1",
            number_text(static_cast<double>(cube.model.size())) + " phyxels, " +
                number_text(static_cast<double>(count)) + " at the start"};
}

// melting.json: the pool lies between walls 0.4 m apart.
constexpr double width = 0.4, volume = 0.06, melts = 0.2, sets = 3.5;

/// Twice the height of the centre of a pool is its depth.
Measurement check_pool(const SceneRun& run)
{
    const std::vector<double>&time = run.probes.at("time"), &z = run.probes.at("center.y");
    double lowest = std::nan(""), highest = 0.0;
    for (std::size_t k = 0; k < time.size(); ++k)
        if (time[k] >= 2.5 && time[k] <= sets) {
            lowest = std::fmin(lowest, z[k]);
            highest = std::max(highest, z[k]);
        }
    MeasuredLine found{.name = "pool", .x = time, .y = {}};
    for (const double height : z) found.y.push_back(2.0 * height * width / volume);
    const double off =
        std::abs(2.0 * lowest * width / volume - 1.0) > std::abs(2.0 * highest * width / volume - 1.0)
            ? lowest
            : highest;
    return with_chart({2.0 * off * width / volume, 1.0, 0.05, Bound::Near, "1",
                       "2 z w / V with z the height of the centre, from 2.5 s to 3.5 s"},
                      {"time", "s", "volume below the surface", "1", {found}});
}

/// The largest growth of the energy from one frame to the next while the pool lies, as a share of what the
/// block had above the pool.
Measurement check_rest(const SceneRun& run)
{
    const std::vector<double>& time = run.stats.at("time");
    const auto energy = [&](std::size_t k) {
        return run.stats.at("kinetic_energy")[k] + run.stats.at("potential_energy")[k] +
               run.stats.at("internal_energy")[k];
    };
    const double fallen = run.stats.at("potential_energy").front() - run.stats.at("potential_energy").back();
    double largest = 0.0;
    for (std::size_t k = 1; k < time.size(); ++k)
        if (time[k] > 2.5 && time[k] < sets) largest = std::fmax(largest, energy(k) - energy(k - 1));
    return {largest / fallen, 0.0, 1e-4, Bound::AtMost, "1", "from frame to frame, 2.5 s to 3.5 s"};
}

Measurement check_momentum(const SceneRun& run)
{
    const auto momentum = [&](std::size_t k) {
        return Vec<2>(run.stats.at("momentum_x")[k], run.stats.at("momentum_y")[k]);
    };
    Worst worst;
    for (std::size_t k = 1; k < run.stats.at("time").size(); ++k)
        worst.add((momentum(k) - momentum(0)).norm() / momentum(0).norm());
    return error_measurement(worst.value(), 1e-10, "at all frames");
}

// melt_and_set.json: two blocks fall on a peg, tear, become one and set.
constexpr double met_sets = 0.9;

/// The mass of both at every frame, where they have indeed torn, and are one in the end.
Measurement check_mass(const std::filesystem::path& scene, const Fault& fault)
{
    BuiltScene built = build_scene(Scene::read(scene, standard_kinds()), this_machine(), {}, {}, fault);
    World<2>& world = *std::get<std::unique_ptr<World<2>>>(built.world);
    const auto weigh = [&] {
        double mass = 0.0;
        for (const BodyTotals<2>& total : world.totals()) mass += total.mass;
        return mass;
    };
    Worst worst;
    double pieces = 0.0;
    const double before = weigh();
    while (world.time() < met_sets + 0.2 && world.advance_frame()) {
        worst.add(weigh() / before - 1.0);
        pieces = std::max(pieces, world.report().statistics.fragments);
    }
    if (world.failure() || !(pieces > 2.0)) worst.add_missing();
    return error_measurement(worst.value(), 0.0,
                             "at all frames; at most " + number_text(pieces) + " pieces, " +
                                 number_text(world.report().statistics.fragments) + " in the end");
}

// melting_ring.json: its phyxels, when it flows, and its surface as `phyxel surface` makes it.
constexpr double ring_spacing = 0.024, ring_flows = 0.3, ring_sets = 2.2;

/// Of a coat that has begun; until then the skin of the body is a mesh.
TriangleMesh mesh_of_ring(const SceneRun& run, std::uint64_t frame, double blobbiness)
{
    const Snapshot surface = run.frame("cuboid_surface", frame), phyxels = run.frame("cuboid", frame);
    if (surface.find("rest_position") == nullptr) return {surface.points, surface.triangles.value()};
    const std::vector<Vec<3>> axes = vectors_of(*surface.find("axis_u"));
    return coat_mesh(phyxels.points, {}, surface.points, vectors_of(*surface.find("normal")),
                     {.spacing = ring_spacing, .blobbiness = blobbiness, .radius = axes.front().norm()})
        .mesh;
}

double volume_inside(const TriangleMesh& mesh)
{
    double sum = 0.0;
    for (const auto& [a, b, c] : mesh.triangles)
        sum += mesh.vertices[a].dot(mesh.vertices[b].cross(mesh.vertices[c])) / 6.0;
    return sum;
}

constexpr double usual_blobbiness = -0.5;

std::uint64_t last_frame_of(const SceneRun& run) { return run.stats.at("time").size() - 1; }

Measurement check_ring_volume(const SceneRun& run, double blobbiness)
{
    const double first = volume_inside(mesh_of_ring(run, 0, blobbiness));
    return {volume_inside(mesh_of_ring(run, last_frame_of(run), blobbiness)) / first,
            1.0,
            0.02,
            Bound::Near,
            "1",
            "last frame over first"};
}

/// Of all frames that which is farthest off.
Measurement check_ring_volumes(const SceneRun& run, double blobbiness)
{
    MeasuredLine found{.name = "surface", .x = run.stats.at("time"), .y = {}};
    double off = 1.0;
    for (std::uint64_t frame = 0; frame <= last_frame_of(run); ++frame) {
        const double inside = volume_inside(mesh_of_ring(run, frame, blobbiness));
        found.y.push_back(frame == 0 ? inside : inside / found.y.front());
        if (frame > 0 && !(std::abs(found.y.back() - 1.0) <= std::abs(off - 1.0))) off = found.y.back();
    }
    found.y.front() = 1.0;
    return with_chart({off, 1.0, 0.05, Bound::Near, "1", "of all frames that which is farthest off"},
                      {"time", "s", "volume inside the surface", "1", {found}});
}

/// Tunnels through the mesh of the last frame, by Euler's formula: V − E + F = 2 (pieces − genus), and three
/// edges for two triangles of a closed mesh.
Measurement check_ring_genus(const SceneRun& run, double blobbiness)
{
    const TriangleMesh mesh = mesh_of_ring(run, last_frame_of(run), blobbiness);
    DisjointSets sets(mesh.vertices.size());
    for (const auto& [a, b, c] : mesh.triangles) {
        sets.join(a, b);
        sets.join(a, c);
    }
    double pieces = 0.0;
    for (Index v = 0; v < mesh.vertices.size(); ++v) pieces += sets.find(v) == v ? 1.0 : 0.0;
    const double characteristic =
        static_cast<double>(mesh.vertices.size()) - 0.5 * static_cast<double>(mesh.triangles.size());
    return {pieces - 0.5 * characteristic,
            1.0,
            0.0,
            Bound::Near,
            "1",
            number_text(pieces) + " pieces, Euler characteristic " + number_text(characteristic)};
}

/// In the run, and of a coat with these options that is led through its frames once more.
Measurement check_ring_pops(const SceneRun& run, const std::function<CoatOptions(CoatOptions)>& change)
{
    Largest in_run, again;
    for (const double pop : run.stats.at("surface_pop")) in_run.add(pop);
    const Snapshot begin = run.frame("cuboid", static_cast<std::uint64_t>(std::lround(30.0 * ring_flows)));
    const Snapshot shown =
        run.frame("cuboid_surface", static_cast<std::uint64_t>(std::lround(30.0 * ring_flows)));
    const CoatOptions options = change(
        {.radius = 0.3 / 24.0, .spacing = ring_spacing, .frame = 1.0 / 30.0, .is_shown_already = true});
    Coat coat(shown.points, vectors_of(*shown.find("normal")), {}, begin.points, options);
    std::vector<Vec<3>> before = begin.points;
    std::size_t surfels = 0;
    for (std::size_t frame = 0; frame < run.stats.at("time").size(); ++frame) {
        const double time = run.stats.at("time")[frame];
        if (!(time > ring_flows + 1e-9)) continue;
        const std::vector<Vec<3>> after = run.frame("cuboid", frame).points;
        const std::vector<double> fluidity(after.size(), time <= ring_sets + 1e-9 ? 1.0 : 0.0);
        const CoatReport report = coat.advance(
            {.before = before, .after = after, .phyxels = after, .fluidity = fluidity, .dt = options.frame});
        again.add(report.largest_pop);
        surfels = report.surfels;
        before = after;
    }
    return {std::max(in_run.value(), again.value()),
            0.0,
            0.1,
            Bound::AtMost,
            "r_s",
            number_text(in_run.value(), 3) + " in the run; " + std::to_string(surfels) +
                " surfels led again"};
}

void add_ring_cases(std::vector<Case>& cases, const std::filesystem::path& folder)
{
    const std::filesystem::path scene = folder / "melting_ring.json";
    // The mesh of the run with the bells of another coat.
    const auto add = [&](CaseInfo info, Measurement (*check)(const SceneRun&, double)) {
        cases.push_back(make_case<double>(
            std::move(info),
            [scene, check](double blobbiness) { return check(*run_scene(scene, {}), blobbiness); },
            usual_blobbiness, "bells of the implicit coat with B = −6, which leave gaps between phyxels",
            -6.0));
    };
    add({"V-E12/ring/volume", "a cuboid that melts over a spike and sets fills the surface it had",
         "conservation, within 2 %", Tier::Full},
        check_ring_volume);
    add({"V-E12/ring/volumes", "the surface of a cuboid that melts and sets holds its volume all the time",
         "conservation, within 5 %", Tier::Full},
        check_ring_volumes);
    add({"V-E12/ring/genus", "the cuboid sets as a ring: its surface has one tunnel",
         "[MKN*04, Fig. 7], Euler's formula", Tier::Full},
        check_ring_genus);
    using Change = std::function<CoatOptions(CoatOptions)>;
    cases.push_back(make_case<Change>(
        {"V-U6/pop", "no place of the surface of what melts, tears and sets pops",
         "a tenth of r_s in a frame, by the places before and after", Tier::Full},
        [scene](const Change& change) { return check_ring_pops(*run_scene(scene, {}), change); },
        Change([](CoatOptions options) { return options; }),
        "surfels and detail go where they belong at once", Change([](CoatOptions options) {
            options.largest_pop = 1e6;
            return options;
        })));
}

} // namespace

std::vector<Case> melt_cases(const std::filesystem::path& folder)
{
    std::vector<Case> cases;
    const auto what = [](Fault fault) { return std::string(info_of(fault).what); };
    const auto add = [&](CaseInfo info, Measurement (*check)(const Fault&), Fault fault) {
        cases.push_back(make_case<Fault>(std::move(info), check, Fault::None, what(fault), fault));
    };
    add({"V-E10/strain",
         "what is left of strain in a body that has turned and forgotten its shape turns with it",
         "Green's strain pushed forward: 0.105/1.21 along the turned axis"},
        check_pushed_strain, Fault::UnturnedStretch);
    add({"V-E10/stress", "a body that forgets its shape keeps its stress", "0"}, check_forgotten_forces,
        Fault::ForgottenVolume);
    add({"V-E12/setting", "a body that sets pushes as it did while it was molten", "0"}, check_setting,
        Fault::KeptStrain);
    add({"V-E12/switch", "a deformed elastic body that is made ten times as stiff pushes as it did",
         "0; [MKN*04, Fig. 5]"},
        check_switch, Fault::KeptStrain);
    cases.push_back(make_case<int>(
        {"V-E12/drawn",
         "a cube of putty that is drawn to three times its length is one piece of phyxels with shapes",
         "0 phyxels are lost; [AW09, Sec. 7.3]"},
        check_drawn, 3, "no phyxel is halved", 0));
    const auto add_scene = [&](CaseInfo info, const char* scene, Measurement (*check)(const SceneRun&),
                               Fault fault) {
        cases.push_back(make_scene_case(folder, {std::move(info), scene, check, fault}));
    };
    add_scene({"V-E12/pool", "a block that melts fills as much of a tank as it had", "volume within 5 %",
               Tier::Full},
              "melting", check_pool, Fault::NoCrowding);
    add_scene({"V-E12/rest", "a pool at rest gains no energy", "0.01 % of what it fell by", Tier::Full},
              "melting", check_rest, Fault::PositionBeforeVelocity);
    add_scene({"V-E12/momentum", "what tears and fuses keeps its momentum", "Newton's third law"}, "tearing",
              check_momentum, Fault::OneSidedContacts);
    cases.push_back(make_case<Fault>(
        {"V-E12/mass", "what melts, tears, fuses and sets has the mass that it had",
         "conservation, to the last bit"},
        [scene = folder / "melt_and_set.json"](const Fault& fault) { return check_mass(scene, fault); },
        Fault::None, what(Fault::MassOfVolume), Fault::MassOfVolume));
    add_ring_cases(cases, folder);
    return cases;
}

} // namespace phyxel::detail
