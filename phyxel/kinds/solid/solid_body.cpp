// SPDX-License-Identifier: MIT
#include <phyxel/kinds/solid/solid_body.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/approx/profiles.h>
#include <phyxel/approx/symmetric_inverse.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/id_index.h>
#include <phyxel/core/number_text.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/io/state_sections.h>
#include <phyxel/kinds/solid/detail/body_cracks.h>
#include <phyxel/kinds/solid/detail/carried_skin.h>
#include <phyxel/kinds/solid/detail/coat_skin.h>
#include <phyxel/kinds/solid/detail/crack_skin.h>
#include <phyxel/kinds/solid/detail/hand_region.h>
#include <phyxel/solid/cauchy_stress.h>
#include <phyxel/solid/part_surface.h>
#include <phyxel/solid/reshaping.h>
#include <phyxel/solid/solid_boundary.h>
#include <phyxel/solid/solid_heat.h>
#include <phyxel/solid/solid_phases.h>
#include <phyxel/solid/solid_response.h>
#include <phyxel/solid/solid_solver.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

namespace phyxel {
namespace {

/// Faster than this many times the speed of sound a solid has gone astray.
constexpr double speed_limit = 5.0;

/// With a residual above this, the solver has found no equilibrium. A residual between this and the tolerance
/// of the solver is reported, and the run goes on.
constexpr double largest_residual = 1e-3;

/// Places see the material within this many spacings.
constexpr double sampling_reach = 2.0;

double von_mises(const Mat<3>& sigma)
{
    const Mat<3> deviator = sigma - sigma.trace() / 3.0 * Mat<3>::Identity();
    return std::sqrt(1.5 * double_contraction<3>(deviator, deviator));
}

/// Surfels that became too large or too small are looked for so often [s].
constexpr double resample_interval = 1.0 / 30.0;

/// Surfels may become so many times as many as there were at first.
constexpr std::size_t surfel_growth = 8;

template <class T>
std::vector<T> values_at(const std::vector<T>& values, std::span<const Index> places)
{
    std::vector<T> found;
    for (const Index i : places) found.push_back(values[i]);
    return found;
}

/// Neighbours from a checkpoint, which may be damaged.
NeighborLists checked_lists(const std::vector<std::uint64_t>& offsets, const std::vector<Index>& ids,
                            std::size_t count)
{
    bool is_right = offsets.size() == count + 1 && offsets.front() == 0 && offsets.back() == ids.size() &&
                    std::is_sorted(offsets.begin(), offsets.end());
    for (std::size_t i = 0; is_right && i < count; ++i)
        for (std::uint64_t k = offsets[i]; k < offsets[i + 1]; ++k)
            is_right = is_right && ids[k] < count && ids[k] != i && (k == offsets[i] || ids[k - 1] < ids[k]);
    if (is_right) {
        const NeighborLists lists(offsets, ids);
        const auto knows = [&](Index j, std::size_t i) {
            return std::binary_search(lists.of(j).begin(), lists.of(j).end(), static_cast<Index>(i));
        };
        for (std::size_t i = 0; is_right && i < count; ++i)
            for (const Index j : lists.of(i)) is_right = is_right && knows(j, i);
    }
    if (!is_right) throw InputError("the checkpoint is damaged: neighbours of its solids make no sense");
    return NeighborLists(offsets, ids);
}

/// What sections of checkpoints begin with.
std::string coat_name(std::size_t part) { return "solid/coat/" + std::to_string(part) + '/'; }
std::string grip_name(std::size_t hand) { return "solid/grip/" + std::to_string(hand); }
std::string surfels_name(std::size_t part) { return "solid/surfels/" + std::to_string(part) + '/'; }

} // namespace

template <int Dim>
struct SolidBody<Dim>::Implementation {
    Implementation(const SolidOptions& options, std::vector<SolidPart<Dim>> given, std::uint64_t first,
                   Fault fault, std::vector<SolidBlade<Dim>> blades);

    static SolidModel<Dim> model_of(const std::vector<SolidPart<Dim>>& parts, double stabilization);

    /// The state, the regions and the skin of a part that the model has already.
    void add(SolidPart<Dim> part, double time);
    void join(SolidPart<Dim> part, const Surroundings<Dim>& surroundings);
    void leave(std::uint32_t part);
    void make_solver();
    void bring_back(const PeriodicBox<Dim>& periodic);
    void make_regions();
    std::vector<std::uint64_t> taken_at_rest(const Hand<Dim>& hand, std::uint32_t part) const;
    const std::vector<std::uint64_t>& taken_by(const Hand<Dim>& hand, std::uint32_t part);
    bool has_flown(std::uint32_t part) const;
    void load_grips(const CheckpointReader& checkpoint);
    std::size_t count_pieces();
    bool is_strained(std::uint32_t part);
    void make_boundary(double spacing);
    void give_heat(Index first);

    void find_unfelt(const Surroundings<Dim>& surroundings);
    void cut(double time, double dt);
    void weigh_cracks();
    void grow_cracks(double dt);
    void grow_in_equilibrium(double dt, const Surroundings<Dim>& surroundings, SolidStepReport& report);
    void cut_skin_of(std::size_t part);

    double stabilization() const { return stabilization_of(options); }
    void remember();
    void find_merges();
    std::size_t forget(std::span<const std::uint8_t> parts, Forgotten forgotten = Forgotten::WhatMoved);
    void melt_and_set();
    void set_molten(std::span<const std::uint8_t> flags);
    SolidMaterial as_warm_as_it_is(std::uint32_t part, const SolidMaterial& given) const;
    void set_material(std::uint32_t part, const SolidMaterial& given);
    void warm();
    void forget_rest_of(std::uint32_t part, Forgotten forgotten = Forgotten::WhatMoved);

    /// Deformation and stress, computed once for all who ask between two steps.
    void evaluate();
    std::vector<Index> nodes_of(const CarriedSkin& skin) const;
    std::vector<Mat<3>> gradients_of(std::span<const Index> phyxels);
    Mat<3> gradient_from_start(Index phyxel) const;
    template <class Transfer>
    std::vector<std::uint8_t> passing_vertices(std::size_t count, std::span<const Index> nodes,
                                               const Transfer& transfer) const;
    void resample_surfels(double time);
    std::vector<Index> numbers_of(const CoatSkin& coat) const;
    std::vector<Index> fused_phyxels(std::size_t part) const;
    template <class Visit>
    void with_coat(std::size_t part, const Surroundings<3>& surroundings, Visit&& visit);
    double take_coats_along(const Surroundings<Dim>& surroundings);
    void begin_coat(std::size_t part, const Surroundings<3>& surroundings);
    bool begins_coat(std::size_t part) const;
    SurfaceMesh coat_surface(std::size_t part, std::span<const BodyField> fields,
                             const Surroundings<3>& surroundings);
    double volume_ratio(Index phyxel) const;
    std::vector<double> field(std::string_view field);
    std::optional<std::uint32_t> number_of(std::string_view part) const;

    SolidOptions options;
    SolidModel<Dim> model;
    std::vector<SolidRegion<Dim>> own_regions; ///< without those of hands
    SolidRegions<Dim> regions;
    std::optional<SolidSolver<Dim>> solver;
    bool tracks_loads = false;
    std::vector<Hand<Dim>> hands;
    /// What hands have hold of, and as what they took it.
    struct Grip {
        std::string hand, body;
        Vec<Dim> at;
        double radius;
        std::vector<std::uint64_t> phyxels;

        bool is_of(const Hand<Dim>& other) const
        {
            return hand == other.name && body == other.body && at == other.at && radius == other.radius;
        }
    };
    std::vector<std::string> names;
    std::vector<SolidPart<Dim>> expected;         ///< in the order in which they join
    std::vector<std::vector<std::string>> merges; ///< of the parts: those that they would fuse with
    std::vector<double> reach;                    ///< of the parts [m]
    std::vector<std::optional<CarriedSkin>> skins;
    std::vector<std::optional<CoatSkin>>
        coats; ///< of parts that have no skin, or whose skin is shown no more
    std::vector<std::optional<SolidCoat>> later_coats; ///< of parts whose skin becomes a coat once they flow
    /// Of parts that may crack: what their skins are cut from, again whenever there is more to cut.
    struct WholeSkin {
        SolidSkin skin;
        std::optional<std::uint64_t> version = {}; ///< of the cracks that are in what was cut from it
    };
    std::vector<std::optional<WholeSkin>> whole_skins;
    std::vector<std::optional<Shape<Dim>>> shapes; ///< of the parts at rest
    std::vector<BoundaryPiece<Dim>> pieces;        ///< that the parts are of the boundary
    std::vector<Unfelt> unfelt;                    ///< by the parts; empty if they feel everything
    std::optional<SolidBoundary<Dim>> boundary;    ///< once somebody wants to feel it
    double boundary_spacing = 0.0;                 ///< of its points [m]
    std::vector<PartHeat> part_heat;               ///< of the parts
    std::optional<SolidHeat<Dim>> heat;            ///< once heat flows
    std::vector<std::uint8_t> is_liquid;           ///< of the phyxels; for one step

    SolidResponse<Dim> response;

    // State; the surfels of skins too.
    SolidState<Dim> state;
    std::vector<Grip> grips; ///< those that follow from places at rest are not saved
    BodyCracks<Dim> cracks;
    IdIndex ids;                                ///< of the state
    double next_resampling = resample_interval; ///< [s]

    double last_time = 0.0;                 ///< at the end of the last step [s]
    std::optional<std::size_t> piece_count; ///< until neighbours are others
    bool is_evaluated = false;
    std::vector<double> strain_energy, stabilization_energy;
    std::vector<double> volume, internal_energy; ///< at present [m^Dim], [J]
    std::vector<double> weighed;                 ///< empty without the fault of that [kg]
    std::span<const ElasticResponse<Dim>> responses;
};

template <int Dim>
SolidModel<Dim> SolidBody<Dim>::Implementation::model_of(const std::vector<SolidPart<Dim>>& parts,
                                                         double stabilization)
{
    std::vector<const PhyxelCloud<Dim>*> clouds;
    std::vector<SolidMaterial> materials;
    for (const SolidPart<Dim>& part : parts) {
        clouds.push_back(&part.phyxels);
        materials.push_back(part.material);
    }
    return make_solid_model<Dim>(clouds, materials, stabilization);
}

template <int Dim>
SolidBody<Dim>::Implementation::Implementation(const SolidOptions& given_options,
                                               std::vector<SolidPart<Dim>> given, std::uint64_t first,
                                               Fault fault, std::vector<SolidBlade<Dim>> blades)
    : options(given_options),
      model(model_of(given, stabilization_of(given_options)))
{
    if (fault != Fault::None) model.set_fault(fault);
    state.next_id = first;
    cracks.set_blades(std::move(blades));
    for (SolidPart<Dim>& part : given) add(std::move(part), 0.0);
    static_cast<void>(cracks.update(model, stabilization()));
    find_merges();
    make_regions();
    solver.emplace(model, regions, options);
}

template <int Dim>
void SolidBody<Dim>::Implementation::add(SolidPart<Dim> part, double time)
{
    PHYXEL_ASSERT(part.velocities.size() == part.phyxels.size());
    // A body that flows forgets its neighbours and with them the cracks between them. So do bodies with which
    // it becomes one.
    const bool is_cut = !part.material.may_flow() && part.merges_with.empty();
    cracks.add(model, part.name, part.cracks, part.shape, time, is_cut, part.seed);
    const std::size_t first = state.size();
    for (SolidRegion<Dim>& region : part.regions) {
        for (std::uint64_t& id : region.phyxels) id += state.next_id;
        own_regions.push_back(std::move(region));
    }
    state.append(part.phyxels.positions, part.velocities);
    if (state.size() == model.size()) remember();
    merges.push_back(std::move(part.merges_with));
    part_heat.push_back(std::move(part.heat));
    heat.reset();
    if (state.has_heat()) give_heat(static_cast<Index>(first));
    ids = IdIndex(state.id);
    std::optional<CarriedSkin>& skin = skins.emplace_back();
    std::optional<CoatSkin>& coat = coats.emplace_back();
    std::optional<SolidCoat>& later_coat = later_coats.emplace_back();
    whole_skins.emplace_back();
    if ((cracks.may_crack(skins.size() - 1) || cracks.may_break(skins.size() - 1)) &&
        !part.skin.triangles.empty())
        whole_skins.back() = WholeSkin{part.skin};
    if constexpr (Dim == 3)
        if (!part.skin.vertices.empty() && part.phyxels.size() > 0) {
            std::vector carriers(state.id.begin() + static_cast<std::ptrdiff_t>(first), state.id.end());
            if (part.skin.coat)
                coat.emplace(part.skin, part.phyxels.positions, coat_spacing(part.phyxels),
                             std::move(carriers));
            else {
                if (part.shape && !cracks.may_crack(skins.size() - 1))
                    later_coat = part.skin.coat_once_it_flows;
                skin.emplace(std::move(part.skin), std::move(part.phyxels), std::move(carriers));
            }
        }
    pieces.push_back({part.name, part.surface});
    names.push_back(std::move(part.name));
    shapes.push_back(std::move(part.shape));
    boundary.reset();
    reach.push_back(sampling_reach * model.spacing_of_part[reach.size()]);
    strain_energy.resize(state.size());
    stabilization_energy.resize(state.size());
    is_evaluated = false;
}

template <int Dim>
void SolidBody<Dim>::Implementation::join(SolidPart<Dim> part, const Surroundings<Dim>& surroundings)
{
    // The velocities of those that are there are half a step behind.
    for (std::size_t i = 0; i < part.velocities.size(); ++i)
        part.velocities[i] -= 0.5 * state.last_step * surroundings.acceleration_at(part.phyxels.positions[i]);
    add_solid(model, part.phyxels, part.material, stabilization());
    add(std::move(part), surroundings.time);
    static_cast<void>(cracks.update(model, stabilization()));
    find_merges();
    make_solver();
    warm();
}

template <int Dim>
void SolidBody<Dim>::Implementation::leave(std::uint32_t part)
{
    part_from_others<Dim>(model, state, part, stabilization());
    state.remove(model.first_of_part[part], model.first_of_part[part + 1]);
    remove_solid(model, part);
    cracks.remove(part);
    whole_skins[part].reset();
    ids = IdIndex(state.id);
    std::erase_if(grips, [&](const Grip& grip) { return grip.body == names[part]; });
    std::erase_if(own_regions, [&](const SolidRegion<Dim>& region) {
        return !ids.find(region.phyxels.front()).has_value();
    });
    skins[part].reset();
    coats[part].reset();
    later_coats[part].reset();
    boundary.reset();
    heat.reset();
    strain_energy.resize(state.size());
    stabilization_energy.resize(state.size());
    is_evaluated = false;
    make_solver();
}

/// What yields, flows or melts is remembered from now on.
template <int Dim>
void SolidBody<Dim>::Implementation::remember()
{
    if (state.size() < model.size()) return; // other parts are still to come
    if (model.has_flow()) state.remember_flow();
    if (!model.may_flow() && !state.remembers_rest()) return;
    state.remember_rest(model.rest.position);
    model.rest.scale = state.rest_scale;
    if (model.is_molten.size() != model.size()) model.set_molten(state.is_molten, stabilization());
}

/// Two fuse only if each of them names the other.
template <int Dim>
void SolidBody<Dim>::Implementation::find_merges()
{
    const auto names_other = [&](std::size_t a, std::size_t b) {
        return std::find(merges[a].begin(), merges[a].end(), names[b]) != merges[a].end();
    };
    for (std::uint32_t a = 0; a < names.size(); ++a) {
        std::vector<std::uint32_t> partners;
        for (std::uint32_t b = 0; b < names.size(); ++b)
            if (a != b && names_other(a, b) && names_other(b, a) && !cracks.may_crack(a) &&
                !cracks.may_crack(b) && !cracks.may_break(a) && !cracks.may_break(b))
                partners.push_back(b);
        if (!std::includes(partners.begin(), partners.end(), model.merges_with[a].begin(),
                           model.merges_with[a].end()))
            part_from_others<Dim>(model, state, a, stabilization());
        model.merges_with[a] = std::move(partners);
    }
    cracks.forget_fragments();
    piece_count.reset();
}

/// Gives these parts other shapes at rest. Says of how many phyxels.
template <int Dim>
std::size_t SolidBody<Dim>::Implementation::forget(std::span<const std::uint8_t> parts, Forgotten forgotten)
{
    if (std::none_of(parts.begin(), parts.end(), [](std::uint8_t is) { return is != 0; })) return 0;
    const ReshapeReport report = forget_rest<Dim>(model, state, parts, stabilization(), forgotten);
    cracks.forget_fragments();
    piece_count.reset();
    solver->update_rest();
    boundary.reset();
    heat.reset();
    is_evaluated = false;
    return report.fitted;
}

/// What is more liquid than solid flows.
template <int Dim>
void SolidBody<Dim>::Implementation::melt_and_set()
{
    if (!state.has_heat() || !state.remembers_rest()) return;
    is_liquid.resize(state.size());
    parallel_for(state.size(), [&](Index i) { is_liquid[i] = liquid_fraction_of(model, state, i) > 0.5; });
    set_molten(is_liquid);
}

template <int Dim>
void SolidBody<Dim>::Implementation::set_molten(std::span<const std::uint8_t> flags)
{
    if (!phyxel::set_molten<Dim>(model, state, flags, stabilization())) return;
    solver->update_rest();
    is_evaluated = false;
}

/// The material of a part that is given this one: where heat flows it may melt. Bodies of the equilibrium
/// solver cannot flow, and a body that flows would forget its cracks.
template <int Dim>
SolidMaterial SolidBody<Dim>::Implementation::as_warm_as_it_is(std::uint32_t part,
                                                               const SolidMaterial& given) const
{
    const bool may_melt =
        state.has_heat() && !std::holds_alternative<QuasiStaticOptions>(options) && !cracks.may_crack(part);
    return may_melt ? warmed(given) : given;
}

/// By more than rounding, at one of its phyxels at least.
template <int Dim>
bool SolidBody<Dim>::Implementation::is_strained(std::uint32_t part)
{
    constexpr double rounding = 1e-9;
    evaluate();
    return std::any_of(responses.begin() + model.first_of_part[part],
                       responses.begin() + model.first_of_part[part + 1],
                       [](const ElasticResponse<Dim>& one) {
                           const Mat<Dim> C = one.F.transpose() * one.F;
                           return !((C - Mat<Dim>::Identity()).cwiseAbs().maxCoeff() <= rounding);
                       });
}

template <int Dim>
void SolidBody<Dim>::Implementation::set_material(std::uint32_t part, const SolidMaterial& given)
{
    const SolidMaterial material = as_warm_as_it_is(part, given);
    if (material == model.materials[part]) return; // what follows from it takes a while
    // What is strained keeps its stress.
    if (!state.remembers_rest() &&
        (material.may_flow() || (changes_stress(model.materials[part], material) && is_strained(part)))) {
        state.remember_rest(model.rest.position);
        remember();
    }
    if (model.materials[part].flows && !material.flows) forget_rest_of(part);
    const ThermalMaterial before = model.materials[part].thermal;
    switch_material<Dim>(model, state, part, material, stabilization());
    if (state.has_heat() && material.thermal != before)
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            state.enthalpy[i] = enthalpy_in(material.thermal, before, state.enthalpy[i]);
    remember();
    if (material.may_flow() && (cracks.may_crack(part) || cracks.may_break(part))) {
        // The shape at rest in which the cracks lie is about to be forgotten. The two sides of a crack stay
        // apart where they have come apart.
        const bool has_cracks = cracks.find(part) != nullptr;
        cracks.remove(part);
        whole_skins[part].reset();
        if (has_cracks) forget_rest_of(part, Forgotten::Everything);
        find_merges();
    }
    solver->update_material();
    piece_count.reset();
    is_evaluated = false;
}

/// Since heat flows, parts may melt that could not before.
template <int Dim>
void SolidBody<Dim>::Implementation::warm()
{
    for (std::uint32_t part = 0; part < names.size(); ++part)
        set_material(part, SolidMaterial(model.materials[part]));
}

/// What sets remembers the shape that it has then.
template <int Dim>
void SolidBody<Dim>::Implementation::forget_rest_of(std::uint32_t part, Forgotten forgotten)
{
    std::vector<std::uint8_t> parts(names.size(), 0);
    parts[part] = 1;
    (void)forget(parts, forgotten);
}

/// After phyxels have come or gone.
template <int Dim>
void SolidBody<Dim>::Implementation::make_solver()
{
    piece_count.reset();
    make_regions();
    solver.emplace(model, regions, options); // all it remembers is in the state
    solver->track_loads(tracks_loads);
}

/// A solid that has left through a periodic side comes back at the other side, in one piece. A solid that is
/// held goes on.
template <int Dim>
void SolidBody<Dim>::Implementation::bring_back(const PeriodicBox<Dim>& periodic)
{
    std::vector<Vec<Dim>> partial;
    for (std::size_t part = 0; part < names.size(); ++part) {
        const Index first = model.first_of_part[part];
        const std::size_t count = model.first_of_part[part + 1] - first;
        // Those that may be one go on as well: neighbours must not be a period apart.
        if (count == 0 || regions.is_anchored(model, part) || !model.merges_with[part].empty()) continue;
        const Vec<Dim> center = ordered_sum(
                                    count, Vec<Dim>(Vec<Dim>::Zero()),
                                    [&](Index i) { return state.position[first + i]; }, partial) /
                                static_cast<double>(count);
        const Vec<Dim> way = periodic.way_back(center);
        if (way.isZero(0.0)) continue;
        parallel_for(count, [&](Index i) { state.position[first + i] += way; });
    }
}

template <int Dim>
void SolidBody<Dim>::Implementation::make_boundary(double spacing)
{
    std::vector<SurfacePoints<Dim>> points(shapes.size());
    for (std::size_t part = 0; part < shapes.size(); ++part)
        points[part] = surface_of_part(model, shapes[part], part, spacing);
    boundary.emplace(model, points);
    boundary_spacing = spacing;
}

/// From this phyxel on they have the temperatures that their parts begin with, wherever they are now.
template <int Dim>
void SolidBody<Dim>::Implementation::give_heat(Index first)
{
    state.enthalpy.resize(state.size());
    state.start_temperature.resize(state.size());
    parallel_for(state.size() - first, [&](Index k) {
        const Index i = first + k;
        const Vec<Dim>& X = model.rest.position[i];
        const std::optional<Formula>& formula = part_heat[model.part[i]].temperature;
        const double T =
            formula ? formula->evaluate(X[0], X[1], Dim == 3 ? X[Dim - 1] : 0.0, 0.0) : usual_temperature;
        state.start_temperature[i] = T;
        state.enthalpy[i] = enthalpy_of(model.materials[model.part[i]].thermal, T);
    });
}

template <int Dim>
void SolidBody<Dim>::Implementation::find_unfelt(const Surroundings<Dim>& surroundings)
{
    if (surroundings.ignored.empty()) return;
    unfelt = unfelt_by<Dim>(names, surroundings);
    solver->set_unfelt(unfelt);
}

/// After cracks have come on.
template <int Dim>
void SolidBody<Dim>::Implementation::weigh_cracks()
{
    if (!cracks.update(model, stabilization())) return;
    solver->update_weights();
    heat.reset();
    piece_count.reset();
    is_evaluated = false;
}

/// Lets cracks grow by themselves after a step. The responses of an explicit step are those at its start.
template <int Dim>
void SolidBody<Dim>::Implementation::grow_cracks(double dt)
{
    constexpr int most_rounds = 20; // of a long step
    const bool is_explicit = std::holds_alternative<LeapfrogOptions>(options);
    bool is_due = cracks.wait(dt);
    for (int round = 0; is_due && round < most_rounds; ++round) {
        if (!is_explicit || round > 0) static_cast<void>(solver->evaluate(state));
        if (!cracks.grow(model, solver->work(), state.velocity)) return;
        weigh_cracks();
        is_due = cracks.wait(0.0);
    }
}

/// In an equilibrium cracks grow until they rest, with another equilibrium after each of their steps. Reports
/// on the last one.
template <int Dim>
void SolidBody<Dim>::Implementation::grow_in_equilibrium(double dt, const Surroundings<Dim>& surroundings,
                                                         SolidStepReport& report)
{
    constexpr int most_rounds = 1000; // then it goes on in the next step
    for (int round = 0; round < most_rounds; ++round) {
        if (report.lost || !(report.residual <= largest_residual)) return;
        static_cast<void>(solver->evaluate(state));
        if (!cracks.grow(model, solver->work(), {})) return;
        weigh_cracks();
        SolidStepReport next = solver->step(state, dt, surroundings);
        next.newton_iterations += report.newton_iterations;
        next.linear_iterations += report.linear_iterations;
        next.times.add(report.times);
        report = std::move(next);
    }
}

/// What blades have gone through in a step that has just ended.
template <int Dim>
void SolidBody<Dim>::Implementation::cut(double time, double dt)
{
    if (cracks.cut(model, state.position, time, dt)) weigh_cracks();
}

/// The skin of a part with all cracks that there are by now.
template <int Dim>
void SolidBody<Dim>::Implementation::cut_skin_of(std::size_t part)
{
    if constexpr (Dim == 3) {
        std::optional<WholeSkin>& whole = whole_skins[part];
        const CrackSheets<3>* sheets = cracks.find(part);
        if (!whole || !skins[part] || sheets == nullptr || sheets->is_empty()) return;
        if (whole->version == cracks.version(part)) return;
        whole->version = cracks.version(part);
        const Index first = model.first_of_part[part];
        const Index last = model.first_of_part[part + 1];
        const auto is_own = [&](Index j) { return j >= first && j < last; };
        PhyxelCloud<3> phyxels = std::move(skins[part]->nodes);
        std::vector<std::uint64_t> offsets = {0};
        std::vector<Index> joined;
        for (std::size_t i = 0; i < phyxels.size(); ++i) {
            std::size_t entry = model.rest.neighbors.offsets()[first + i];
            for (const Index j : model.rest.neighbors.of(first + i))
                if (model.rest.pairs[entry++].w > 0.0 && is_own(j)) joined.push_back(j - first);
            offsets.push_back(joined.size());
        }
        // What is far from all cracks need not look for them.
        std::vector<std::uint8_t> is_near(phyxels.size(), 0);
        for (std::size_t i = 0; i < phyxels.size(); ++i) {
            std::size_t entry = model.rest.neighbors.offsets()[first + i];
            for (const Index j : model.rest.neighbors.of(first + i))
                if (model.rest.lengthening[entry++] > 0.0 && is_own(j)) is_near[i] = is_near[j - first] = 1;
        }
        const std::vector<std::uint8_t> is_beside = is_near;
        for (std::size_t i = 0; i < phyxels.size(); ++i)
            if (is_beside[i] != 0)
                for (const Index j : model.rest.neighbors.of(first + i))
                    if (is_own(j)) is_near[j - first] = 1;
        phyxels.neighbors = NeighborLists(offsets, joined);
        const std::vector<Vec<3>> places = phyxels.positions;
        std::vector<std::uint64_t> node_ids = std::move(skins[part]->node_ids);
        skins[part].emplace(cut_along_cracks(whole->skin, *sheets), std::move(phyxels), std::move(node_ids),
                            [&](const Vec<3>& vertex, Index node) {
                                return is_near[node] == 0 || !sheets->is_crossed(vertex, places[node]);
                            });
    }
}

/// Whether phyxels of a part have become neighbours, or are so no more, since the start.
template <int Dim>
bool SolidBody<Dim>::Implementation::has_flown(std::uint32_t part) const
{
    const NeighborLists &first = model.start_neighbors(), &now = model.rest.neighbors;
    if (&first == &now) return false;
    for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
        if (!std::ranges::equal(first.of(i), now.of(i))) return true;
    return false;
}

/// Pieces of what may flow, has flown or has cracks. What has become one counts once.
template <int Dim>
std::size_t SolidBody<Dim>::Implementation::count_pieces()
{
    if (!state.remembers_rest()) return cracks.has_any() ? cracks.fragment_count(model) : 0;
    if (piece_count) return *piece_count;
    const std::vector<std::uint32_t> numbers = find_pieces(model);
    std::vector<std::uint8_t> counts(state.size(), 0);
    for (std::uint32_t part = 0; part < names.size(); ++part) {
        if (!model.may_flow(part) && cracks.find(part) == nullptr && !has_flown(part)) continue;
        for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
            counts[numbers[i]] = 1;
    }
    piece_count = static_cast<std::size_t>(std::count(counts.begin(), counts.end(), 1));
    return *piece_count;
}

template <int Dim>
std::vector<std::uint64_t> SolidBody<Dim>::Implementation::taken_at_rest(const Hand<Dim>& hand,
                                                                         std::uint32_t part) const
{
    return phyxels_at<Dim>(hand.at, hand.radius, model, model.origin, state.id, part);
}

/// The phyxels of a hand: it keeps those that it took. Of a body that has flowed, and has no place at rest
/// any more, it takes the phyxels at the place of the hand.
template <int Dim>
const std::vector<std::uint64_t>& SolidBody<Dim>::Implementation::taken_by(const Hand<Dim>& hand,
                                                                           std::uint32_t part)
{
    const auto found =
        std::find_if(grips.begin(), grips.end(), [&](const Grip& grip) { return grip.is_of(hand); });
    if (found != grips.end() && ids.find(found->phyxels.front())) return found->phyxels;
    if (found != grips.end()) grips.erase(found);
    grips.push_back({hand.name, hand.body, hand.at, hand.radius,
                     has_flown(part) ? phyxels_at<Dim>(hand.place(last_time), hand.radius, model,
                                                       state.position, state.id, part)
                                     : taken_at_rest(hand, part)});
    return grips.back().phyxels;
}

/// What hands have that are there by now, as events have done again what they did.
template <int Dim>
void SolidBody<Dim>::Implementation::load_grips(const CheckpointReader& checkpoint)
{
    grips.clear();
    for (std::size_t k = 0; k < hands.size(); ++k) {
        const Hand<Dim>& hand = hands[k];
        const std::optional<std::uint32_t> part = number_of(hand.body);
        if (!hand.takes_hold() || !part || model.first_of_part[*part] == model.first_of_part[*part + 1])
            continue;
        Grip& grip = grips.emplace_back(Grip{hand.name, hand.body, hand.at, hand.radius, {}});
        if (!checkpoint.contains(grip_name(k))) {
            grip.phyxels = taken_at_rest(hand, *part);
            continue;
        }
        grip.phyxels = checkpoint.section<std::uint64_t>(grip_name(k));
        if (grip.phyxels.empty() || !std::is_sorted(grip.phyxels.begin(), grip.phyxels.end()) ||
            std::any_of(grip.phyxels.begin(), grip.phyxels.end(),
                        [&](std::uint64_t id) { return !ids.find(id); }))
            throw InputError("the checkpoint is damaged: a hand has hold of nothing");
    }
    make_regions();
}

/// Those of the parts, and those of hands.
template <int Dim>
void SolidBody<Dim>::Implementation::make_regions()
{
    std::vector<SolidRegion<Dim>> all = own_regions;
    for (const Hand<Dim>& hand : hands) {
        if (!hand.takes_hold()) continue;
        const std::optional<std::uint32_t> part = number_of(hand.body);
        if (part && model.first_of_part[*part] < model.first_of_part[*part + 1])
            all.push_back(hand_region<Dim>(hand, model, *part, taken_by(hand, *part)));
    }
    regions = SolidRegions<Dim>(model, ids, std::move(all));
}

template <int Dim>
void SolidBody<Dim>::Implementation::evaluate()
{
    if (is_evaluated) return;
    responses = solver->evaluate(state);
    compute_energies<Dim>(model, state.position, strain_energy, stabilization_energy, solver->flown(),
                          solver->stabilization(), FlowMemory<Dim>(state, 0.0));
    solver->add_crowding_energy(strain_energy);
    is_evaluated = true;
}

/// The phyxels that carry a skin, as they are numbered now.
template <int Dim>
std::vector<Index> SolidBody<Dim>::Implementation::nodes_of(const CarriedSkin& skin) const
{
    std::vector<Index> nodes;
    for (const std::uint64_t id : skin.node_ids) nodes.push_back(ids.find(id).value());
    return nodes;
}

template <int Dim>
std::vector<Mat<3>> SolidBody<Dim>::Implementation::gradients_of(std::span<const Index> phyxels)
{
    evaluate();
    std::vector<Mat<3>> gradients;
    if constexpr (Dim == 3)
        for (const Index i : phyxels)
            gradients.push_back(state.remembers_rest()
                                    ? gradient_from_start(i)
                                    : gradient_for_skin(responses[i].F, model.rest.rest_gradient(i)));
    return gradients;
}

/// F that carries the skin of a body that may forget its shape at rest. It comes from the neighbours at the
/// start, because the skin is that of the start.
template <int Dim>
Mat<3> SolidBody<Dim>::Implementation::gradient_from_start(Index phyxel) const
{
    constexpr double flat_share = 0.005; // as of shapes at rest
    Mat<3> gradient = Mat<3>::Identity();
    if constexpr (Dim == 3) {
        Mat<3> A = Mat<3>::Zero(), sum = Mat<3>::Zero();
        for (const Index j : model.start_neighbors().of(phyxel)) {
            const Vec<3> X = model.origin[j] - model.origin[phyxel];
            const double h = 0.5 * (model.rest.support_radius[phyxel] + model.rest.support_radius[j]);
            const double w = Poly6Profile::value(std::min(1.0, X.norm() / h));
            add_to_moment<3>(w, X, A);
            sum += w * (state.position[j] - state.position[phyxel]) * X.transpose();
        }
        const SymmetricInverse<3> inverse = pseudo_inverse<3>(A, flat_share);
        gradient = gradient_for_skin(sum * inverse.matrix, inverse.span);
    }
    return gradient;
}

/// Whether each vertex of a skin is carried by phyxels that are held, or moved whatever is in their way;
/// empty if none is. `transfer` takes values from the nodes to the vertices.
template <int Dim>
template <class Transfer>
std::vector<std::uint8_t> SolidBody<Dim>::Implementation::passing_vertices(std::size_t count,
                                                                           std::span<const Index> nodes,
                                                                           const Transfer& transfer) const
{
    const auto is_prescribed = [&](Index i) { return regions.is_prescribed(i); };
    if (std::none_of(nodes.begin(), nodes.end(), is_prescribed)) return {};
    std::vector<Vec<3>> nodal(nodes.size(), Vec<3>::Zero());
    for (std::size_t k = 0; k < nodes.size(); ++k) nodal[k][0] = is_prescribed(nodes[k]) ? 1.0 : 0.0;
    std::vector<Vec<3, float>> carried(count);
    transfer(nodal, carried);
    std::vector<std::uint8_t> passing(count);
    for (std::size_t i = 0; i < count; ++i) passing[i] = carried[i][0] > 0.0f;
    return passing;
}

/// Surfels follow, and those that have become too large or too small are split and merged.
template <int Dim>
void SolidBody<Dim>::Implementation::resample_surfels(double time)
{
    if (time < next_resampling) return;
    while (next_resampling <= time) next_resampling += resample_interval;
    if constexpr (Dim == 3)
        for (std::size_t part = 0; part < skins.size(); ++part) {
            if (!skins[part] || !skins[part]->surfels || coats[part]) continue;
            CarriedSkin& skin = *skins[part];
            const std::vector<Index> nodes = nodes_of(skin);
            skin.surfels->update(skin.skinning, values_at<Vec<Dim>>(state.position, nodes),
                                 gradients_of(nodes));
            (void)skin.surfels->resample(skin.skinning, skin.skinning_nodes(),
                                         surfel_growth * skin.first_size);
            skin.size = skin.surfels->size();
        }
}

template <int Dim>
std::vector<Index> SolidBody<Dim>::Implementation::numbers_of(const CoatSkin& coat) const
{
    std::vector<Index> numbers;
    for (const std::uint64_t id : coat.ids()) numbers.push_back(ids.find(id).value());
    return numbers;
}

/// All of the parts that a part has become one with: those of which a phyxel is a neighbour of one of its
/// own.
template <int Dim>
std::vector<Index> SolidBody<Dim>::Implementation::fused_phyxels(std::size_t part) const
{
    if (model.merges_with[part].empty()) return {};
    std::vector<std::uint8_t> is_fused(names.size(), 0);
    for (Index i = model.first_of_part[part]; i < model.first_of_part[part + 1]; ++i)
        for (const Index j : model.rest.neighbors.of(i)) is_fused[model.part[j]] = 1;
    std::vector<Index> fused;
    for (std::size_t other = 0; other < names.size(); ++other)
        if (other != part && is_fused[other] != 0)
            for (Index i = model.first_of_part[other]; i < model.first_of_part[other + 1]; ++i)
                fused.push_back(i);
    return fused;
}

/// Calls visit(coat, now, numbers) with the coat of a part, what it is to follow, and which phyxels these
/// are, its own and then those that it has become one with.
template <int Dim>
template <class Visit>
void SolidBody<Dim>::Implementation::with_coat(std::size_t part, const Surroundings<3>& surroundings,
                                               Visit&& visit)
{
    if constexpr (Dim == 3) {
        CoatSkin& coat = *coats[part];
        std::vector<Index> numbers = numbers_of(coat);
        const std::vector<Vec<3>> positions = values_at<Vec<3>>(state.position, numbers);
        const std::vector<Index> fused = fused_phyxels(part);
        const std::vector<Vec<3>> others = values_at<Vec<3>>(state.position, fused);
        numbers.insert(numbers.end(), fused.begin(), fused.end());
        std::vector<double> fluidity;
        for (const Index i : numbers) fluidity.push_back(model.material_of(i).flows ? 1.0 : 0.0);
        visit(coat,
              CoatSkin::Now{positions, others, fluidity, surroundings.time, surroundings,
                            unfelt.empty() ? Unfelt() : unfelt[part]},
              numbers);
    }
}

template <int Dim>
bool SolidBody<Dim>::Implementation::begins_coat(std::size_t part) const
{
    return later_coats[part] && skins[part] && !coats[part] &&
           (model.materials[part].may_flow() || !fused_phyxels(part).empty());
}

/// A body that was elastic flows from now on, or has become one with another that flows. A coat takes over
/// from its skin, at the present places of the skin. The skin is kept, because an earlier state may be
/// loaded.
template <int Dim>
void SolidBody<Dim>::Implementation::begin_coat(std::size_t part, const Surroundings<3>& surroundings)
{
    if constexpr (Dim == 3) {
        const CarriedSkin& skin = *skins[part];
        SolidSkin at_rest;
        try {
            at_rest = skin_with_coat(*shapes[part], *later_coats[part]);
        } catch (const InputError&) { // more points than there can be: it keeps its skin
            later_coats[part].reset();
            return;
        }
        const std::vector<Index> nodes = nodes_of(skin);
        const std::vector<Vec<3>> phyxels = values_at<Vec<3>>(state.position, nodes);
        Skinning<float> carried(at_rest.vertices, at_rest.normals, skin.skinning_nodes(), skin.options);
        std::vector<Vec<3>> points(at_rest.vertices.size());
        std::vector<Vec<3, float>> directions(points.size());
        carried.update(phyxels, gradients_of(nodes), points, directions);
        std::vector<Vec<3>> normals;
        for (std::size_t i = 0; i < points.size(); ++i)
            normals.push_back(directions[i].isZero(0.0f) ? at_rest.normals[i]
                                                         : Vec<3>(directions[i].cast<double>()));
        const auto transfer = [&](std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) {
            carried.transfer(nodal, {}, out);
        };
        keep_out_of_walls(surroundings, unfelt.empty() ? Unfelt() : unfelt[part],
                          passing_vertices(points.size(), nodes, transfer), points);
        coats[part].emplace(at_rest, points, normals, phyxels, coat_spacing(skin.nodes), skin.node_ids,
                            surroundings.time);
    }
}

/// Those that are due. Returns the largest motion that no field explains.
template <int Dim>
double SolidBody<Dim>::Implementation::take_coats_along(const Surroundings<Dim>& surroundings)
{
    double pop = 0.0;
    if constexpr (Dim == 3)
        for (std::size_t part = 0; part < coats.size(); ++part) {
            if (begins_coat(part)) begin_coat(part, surroundings);
            if (!coats[part]) continue;
            if (coats[part]->ends_frame(surroundings.time))
                with_coat(part, surroundings, [&](CoatSkin& coat, const CoatSkin::Now& now, const auto&) {
                    pop = std::max(pop, coat.advance(now));
                });
            else
                coats[part]->note_way(values_at<Vec<3>>(state.position, numbers_of(*coats[part])));
        }
    return pop;
}

/// The coat of a part, its fields from the phyxels around each surfel by their bells.
template <int Dim>
SurfaceMesh SolidBody<Dim>::Implementation::coat_surface(std::size_t part, std::span<const BodyField> fields,
                                                         const Surroundings<3>& surroundings)
{
    SurfaceMesh surface;
    if constexpr (Dim == 3)
        with_coat(
            part, surroundings,
            [&](CoatSkin& skin, const CoatSkin::Now& now, const std::vector<Index>& numbers) {
                const Coat coat = skin.at(now);
                const CoatSurfels& surfels = coat.state().surfels;
                surface.vertices = surfels.position;
                keep_out_of_walls(surroundings, now.unfelt, {}, surface.vertices);
                const std::size_t count = surfels.size();
                const std::shared_ptr<const BlinnField> bells = coat.field(now.phyxels, now.others);
                const BlinnField& around = *bells;
                const auto transferred = [&](std::size_t components, const auto& value_of) {
                    std::vector<float> values(components * count);
                    parallel_for(
                        count,
                        [&](Index i) {
                            std::array<double, 9> sum{};
                            double weights = 0.0;
                            const auto add = [&](Index j, double w) {
                                for (std::size_t k = 0; k < components; ++k)
                                    sum[k] += w * value_of(numbers[j], k);
                                weights += w;
                            };
                            around.for_each_bell(surfels.position[i], add);
                            if (!(weights > 0.0)) add(around.nearest(surfels.position[i]), 1.0);
                            for (std::size_t k = 0; k < components; ++k)
                                values[components * i + k] = static_cast<float>(sum[k] / weights);
                        },
                        64);
                    return values;
                };
                std::vector<Vec<3, float>> normals(count);
                std::array<std::vector<Vec<3>>, 2> axes = {std::vector<Vec<3>>(count),
                                                           std::vector<Vec<3>>(count)};
                for (std::size_t i = 0; i < count; ++i) {
                    const Vec<3>& n = surfels.normal[i];
                    normals[i] = n.cast<float>();
                    axes[0][i] = coat.options().radius * n.unitOrthogonal();
                    axes[1][i] = n.cross(axes[0][i]);
                }
                surface.fields.push_back(scalar_field<std::uint64_t>("id", surfels.id));
                surface.fields.push_back({"velocity", 3, transferred(3, [&](Index j, std::size_t k) {
                                              return state.velocity[j][static_cast<Eigen::Index>(k)];
                                          })});
                surface.fields.push_back(vector_field<3, float>("normal", normals));
                surface.fields.push_back(vector_field<3, double>("axis_u", axes[0]));
                surface.fields.push_back(vector_field<3, double>("axis_v", axes[1]));
                surface.fields.push_back(vector_field<3, double>("rest_position", coat.colors()));
                for (const BodyField& field : fields) {
                    const auto components = static_cast<std::size_t>(field.components);
                    surface.fields.push_back(
                        {field.name, field.components, transferred(components, [&](Index j, std::size_t k) {
                             return static_cast<double>(field.values[components * j + k]);
                         })});
                }
            });
    return surface;
}

/// det F of what was evaluated; 1 where neighbours do not span space, and none is known.
template <int Dim>
double SolidBody<Dim>::Implementation::volume_ratio(Index phyxel) const
{
    const Mat<Dim>& F = responses[phyxel].F;
    return model.rest.spans_space[phyxel] && !model.is_drop(phyxel) ? determinant<Dim>(F, cofactor(F)) : 1.0;
}

template <int Dim>
std::vector<double> SolidBody<Dim>::Implementation::field(std::string_view field)
{
    evaluate();
    const std::span<const FlowStep<Dim>> flown = solver->flown();
    const auto stress = [&](Index i) {
        const bool has_flown = !flown.empty() && model.remembers_flow(i);
        return cauchy_stress<Dim>(model.law_of(i), responses[i],
                                  has_flown ? flown[i].shape : Mat<Dim>(Mat<Dim>::Identity()),
                                  expansion_of(model, FlowMemory<Dim>(state, 0.0), i));
    };
    if (field == "stress_tensor") {
        std::vector<double> values(6 * model.size());
        parallel_for(model.size(), [&](Index i) {
            const Mat<3> sigma = stress(i);
            const std::array<double, 6> parts = {sigma(0, 0), sigma(1, 1), sigma(2, 2),
                                                 sigma(0, 1), sigma(1, 2), sigma(0, 2)};
            std::copy(parts.begin(), parts.end(), values.begin() + 6 * static_cast<std::ptrdiff_t>(i));
        });
        return values;
    }
    if (field == "deformation_gradient") {
        std::vector<double> values(9 * model.size());
        parallel_for(model.size(), [&](Index i) {
            Mat<3> F = Mat<3>::Identity();
            F.template topLeftCorner<Dim, Dim>() = responses[i].F;
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    values[9 * i + static_cast<std::size_t>(3 * row + column)] = F(row, column);
        });
        return values;
    }
    std::vector<double> values(model.size());
    parallel_for(model.size(), [&](Index i) {
        const Mat<Dim>& F = responses[i].F;
        if (field == "strain") {
            const Mat<Dim> E = 0.5 * (F.transpose() * F - model.rest.rest_gradient(i));
            values[i] = std::sqrt(double_contraction<Dim>(E, E));
        } else if (field == "stress") {
            values[i] = von_mises(stress(i));
        } else if (field == "energy") {
            values[i] = strain_energy[i] / model.rest.volume[i];
        } else if (field == "plastic_strain") {
            values[i] = state.remembers_flow() ? state.plastic_strain[i] : 0.0;
        } else if (field == "temperature") {
            values[i] = state.has_heat() ? temperature_of(model, state, i) : 0.0;
        } else if (field == "liquid_fraction") {
            values[i] = liquid_fraction_of(model, state, i);
        } else if (field == "volume_ratio") {
            values[i] = volume_ratio(i);
        }
    });
    if (field == "fragment")
        for (std::size_t part = 0; part < names.size(); ++part) {
            const std::span<const std::uint32_t> numbers = cracks.fragments(model, part);
            std::copy(numbers.begin(), numbers.end(),
                      values.begin() + static_cast<std::ptrdiff_t>(model.first_of_part[part]));
        }
    return values;
}

template <int Dim>
std::optional<std::uint32_t> SolidBody<Dim>::Implementation::number_of(std::string_view part) const
{
    const auto found = std::find(names.begin(), names.end(), part);
    if (found == names.end()) return {};
    return static_cast<std::uint32_t>(found - names.begin());
}

template <int Dim>
SolidBody<Dim>::SolidBody(const SolidOptions& options, std::vector<SolidPart<Dim>> parts,
                          std::uint64_t first_id, Fault fault, std::vector<SolidBlade<Dim>> blades)
    : implementation_(
          std::make_unique<Implementation>(options, std::move(parts), first_id, fault, std::move(blades)))
{
}

template <int Dim>
SolidBody<Dim>::~SolidBody() = default;

template <int Dim>
void SolidBody<Dim>::expect(std::any part)
{
    expect(std::move(*std::any_cast<const std::shared_ptr<SolidPart<Dim>>&>(part)));
}

template <int Dim>
void SolidBody<Dim>::expect(SolidPart<Dim> part)
{
    PHYXEL_ASSERT(!std::holds_alternative<QuasiStaticOptions>(implementation_->options));
    add_expected(implementation_->expected, std::move(part));
}

/// Solids that begin within each other would burst.
template <int Dim>
std::optional<std::string> SolidBody<Dim>::refusal_of(const std::any& given)
{
    constexpr double nearest = 0.9; // in spacings
    const PhyxelCloud<Dim>& phyxels = std::any_cast<const std::shared_ptr<SolidPart<Dim>>&>(given)->phyxels;
    const double distance = nearest * phyxels.spacing;
    Box<Dim> bounds;
    for (const Vec<Dim>& x : phyxels.positions) bounds.extend(x);
    const Implementation& self = *implementation_;
    for (std::size_t i = 0; i < self.state.size(); ++i) {
        const Vec<Dim>& x = self.state.position[i];
        if (bounds.distance(x) >= distance) continue;
        if (std::any_of(phyxels.positions.begin(), phyxels.positions.end(),
                        [&](const Vec<Dim>& place) { return (place - x).norm() < distance; }))
            return "there is no room for it: " + self.names[self.model.part[i]] + " is in the way";
    }
    return {};
}

template <int Dim>
void SolidBody<Dim>::join(std::string_view part, const Surroundings<Dim>& surroundings)
{
    std::vector<SolidPart<Dim>>& expected = implementation_->expected;
    const auto found = std::find_if(expected.begin(), expected.end(),
                                    [&](const SolidPart<Dim>& other) { return other.name == part; });
    if (found == expected.end()) return;
    SolidPart<Dim> joining = std::move(*found);
    expected.erase(found);
    implementation_->join(std::move(joining), surroundings);
}

template <int Dim>
void SolidBody<Dim>::leave(std::string_view part)
{
    if (const std::optional<std::uint32_t> number = implementation_->number_of(part))
        implementation_->leave(*number);
}

template <int Dim>
void SolidBody<Dim>::set_parameters(const std::any& given)
{
    const auto& parameters = std::any_cast<const SolidParameters<Dim>&>(given);
    set_options(parameters.options);
    for (const auto& [part, material] : parameters.materials) set_material(part, material);
    for (const auto& [part, air] : parameters.airs) {
        for (SolidPart<Dim>& other : implementation_->expected)
            if (other.name == part) other.heat.air = air;
        if (const auto number = implementation_->number_of(part))
            implementation_->part_heat[*number].air = air;
    }
    for (const RegionChange<Dim>& change : parameters.regions) set_region(change);
    set_merges(parameters.merges);
}

template <int Dim>
void SolidBody<Dim>::set_merges(std::span<const std::pair<std::string, std::vector<std::string>>> given)
{
    Implementation& self = *implementation_;
    const std::vector<std::vector<std::string>> before = self.merges;
    for (const auto& [part, partners] : given) {
        for (SolidPart<Dim>& other : self.expected)
            if (other.name == part) other.merges_with = partners;
        if (const auto number = self.number_of(part)) self.merges[*number] = partners;
    }
    if (self.merges == before) return;
    self.find_merges();
    self.solver->update_material();
    self.solver->update_rest();
    self.is_evaluated = false;
}

template <int Dim>
void SolidBody<Dim>::set_molten(std::span<const std::uint8_t> is_molten)
{
    if (implementation_->state.remembers_rest()) implementation_->set_molten(is_molten);
}

template <int Dim>
void SolidBody<Dim>::set_region(const RegionChange<Dim>& change)
{
    Implementation& self = *implementation_;
    const auto apply = [&](SolidRegion<Dim>& region, const auto& place_of) {
        if (region.name != change.region || region.source == change.source) return false;
        Box<Dim> bounds;
        for (const std::uint64_t id : region.phyxels) bounds.extend(place_of(id));
        region.what = change.make(bounds);
        region.heat = change.heat;
        region.source = change.source;
        return true;
    };
    for (SolidPart<Dim>& part : self.expected)
        for (SolidRegion<Dim>& region : part.regions)
            if (part.name == change.part)
                apply(region, [&](std::uint64_t id) { return part.phyxels.positions[id]; });
    bool is_changed = false;
    for (SolidRegion<Dim>& region : self.own_regions) {
        const Index first = self.ids.find(region.phyxels.front()).value();
        if (self.names[self.model.part[first]] != change.part) continue;
        is_changed |=
            apply(region, [&](std::uint64_t id) { return self.model.origin[self.ids.find(id).value()]; });
    }
    if (is_changed) self.make_regions();
}

template <int Dim>
void SolidBody<Dim>::set_options(const SolidOptions& options)
{
    Implementation& self = *implementation_;
    PHYXEL_ASSERT(self.options.index() == options.index());
    if (options == self.options) return; // what follows from it takes a while
    self.options = options;
    for (std::size_t part = 0; part < self.names.size(); ++part)
        self.model.set_material(part, self.model.materials[part], stabilization_of(options));
    self.solver->set_options(options);
    self.is_evaluated = false;
}

template <int Dim>
void SolidBody<Dim>::set_material(std::string_view part, const SolidMaterial& material)
{
    Implementation& self = *implementation_;
    for (SolidPart<Dim>& other : self.expected)
        if (other.name == part) other.material = material;
    if (const std::optional<std::uint32_t> number = self.number_of(part))
        self.set_material(*number, material);
}

template <int Dim>
std::vector<std::string> SolidBody<Dim>::parts() const
{
    std::vector<std::string> all = implementation_->names;
    for (const SolidPart<Dim>& part : implementation_->expected) all.push_back(part.name);
    return all;
}

template <int Dim>
ParticleView<Dim> SolidBody<Dim>::particles() const
{
    const Implementation& self = *implementation_;
    return {.positions = self.state.position,
            .velocities = self.state.velocity,
            .ids = self.state.id,
            .parts = self.model.part,
            .reach = self.reach,
            .rest_positions = self.model.origin,
            .support_radii = self.model.rest.support_radius,
            .neighbors = &self.model.rest.neighbors};
}

template <int Dim>
ParticleAmounts SolidBody<Dim>::amounts(const Surroundings<Dim>&)
{
    Implementation& self = *implementation_;
    self.evaluate();
    const std::size_t count = self.state.size();
    self.volume.resize(count);
    self.internal_energy.resize(count);
    parallel_for(count, [&](Index i) {
        self.volume[i] = self.model.rest.volume[i] * self.volume_ratio(i);
        self.internal_energy[i] = self.strain_energy[i] + self.stabilization_energy[i];
    });
    if (self.model.fault == Fault::MassOfVolume) {
        self.weighed.resize(count);
        parallel_for(count,
                     [&](Index i) { self.weighed[i] = self.model.material_of(i).density * self.volume[i]; });
    }
    return {.mass = self.weighed.empty() ? self.model.mass : self.weighed,
            .volume = self.volume,
            .rest_volume = self.model.rest.volume,
            .weight = self.model.rest.volume,
            .internal_energy = self.internal_energy,
            .stabilization_energy = self.stabilization_energy};
}

template <int Dim>
std::vector<double> SolidBody<Dim>::field(std::string_view field, const Surroundings<Dim>&)
{
    return implementation_->field(field);
}

template <int Dim>
double SolidBody<Dim>::stable_time_step() const
{
    return implementation_->solver->stable_time_step(implementation_->state);
}

/// An explicit step must be shorter than a wave takes from one phyxel to the next.
template <int Dim>
std::string SolidBody<Dim>::limiting_part() const
{
    const SolidModel<Dim>& model = implementation_->model;
    std::vector<double> rates;
    for (std::size_t k = 0; k < model.materials.size(); ++k)
        rates.push_back(pressure_wave_speed(model.materials[k]) / model.spacing_of_part[k]);
    return parts()[part_of_largest_rate<Dim>(particles(), rates)];
}

template <int Dim>
BodyStepReport SolidBody<Dim>::step(double dt, const Surroundings<Dim>& surroundings)
{
    Implementation& self = *implementation_;
    self.is_evaluated = false;
    self.last_time = surroundings.time;
    self.find_unfelt(surroundings);
    const double stable = stable_time_step();
    SolidStepReport step = self.solver->step(self.state, dt, surroundings);
    if (self.cracks.may_break() && !step.lost) {
        Stopwatch watch;
        if (std::holds_alternative<QuasiStaticOptions>(self.options))
            self.grow_in_equilibrium(dt, surroundings, step);
        else
            self.grow_cracks(dt);
        step.times.add("cracks", watch.restart());
    }
    self.cut(surroundings.time, dt);
    if (surroundings.domain.is_periodic()) self.bring_back(surroundings.domain.periodic_box());
    if (!step.lost) self.melt_and_set();
    const std::size_t refitted = step.lost ? 0 : self.forget(step.outdated);

    BodyStepReport report{
        .statistics = {.largest_penetration = step.largest_penetration,
                       .newton_iterations = static_cast<double>(step.newton_iterations),
                       .linear_iterations = static_cast<double>(step.linear_iterations),
                       .residual = step.residual,
                       .inverted = static_cast<double>(step.inverted),
                       .max_speed = step.max_speed,
                       .refitted = static_cast<double>(refitted) /
                                   static_cast<double>(std::max<std::size_t>(1, self.state.size()))}};
    report.statistics.fragments = static_cast<double>(self.count_pieces());
    if (self.cracks.has_any()) {
        report.statistics.crack_area = self.cracks.area();
        report.statistics.fracture_energy = self.cracks.paid();
    }
    report.times = step.times;

    double limit = 0.0;
    for (const SolidMaterial& material : self.model.materials)
        limit = std::max(limit, speed_limit * pressure_wave_speed(material));
    const bool is_explicit = std::holds_alternative<LeapfrogOptions>(self.options);
    // Only an explicit step can be blown up by its length; others follow what they are told to.
    const bool is_too_fast = is_explicit && step.relative_speed > limit;
    const bool is_static = std::holds_alternative<QuasiStaticOptions>(self.options);
    const bool is_stuck = is_static ? !(step.residual <= largest_residual) : !step.solved;
    if (!step.lost && !is_too_fast && !is_stuck) {
        self.resample_surfels(surroundings.time);
        report.statistics.surface_pop = self.take_coats_along(surroundings);
        return report;
    }

    Failure failure;
    const Index phyxel = step.lost ? *step.lost : step.fastest.value_or(0);
    failure.body = self.names[self.model.part[phyxel]];
    if (!is_stuck || step.lost) failure.particle = self.state.id[phyxel];
    // What helps depends on what is there already.
    std::string stiffer;
    if (step.inverted > 0) {
        stiffer = std::to_string(step.inverted) + (step.inverted == 1 ? " phyxel is" : " phyxels are") +
                  " turned inside out: use ";
        if (self.model.materials[self.model.part[phyxel]].law != ElasticLaw::NeoHookean)
            stiffer += "\"law\": \"neo_hookean\", ";
        stiffer += "a larger \"volume_stiffness\", ";
    }
    if (is_stuck && is_static) {
        failure.what =
            "no equilibrium was found; " +
            (std::isfinite(step.residual) ? number_text(step.residual, 3) + " of the forces is left"
                                          : "the forces are no longer numbers") +
            " after " + std::to_string(step.newton_iterations) + " iterations";
        failure.cause = "the loads may have none: make them smaller, let them grow slowly, raise "
                        "\"newton_iterations\" and \"linear_iterations\", or use the implicit solver";
    } else if (is_stuck) {
        failure.what = "an implicit step cannot be solved, not even in parts of " +
                       number_text(step.shortest_part, 3) + " s: " + number_text(step.residual, 3) +
                       " times the forces at its start are left";
        failure.cause = (stiffer.empty() ? "it is deformed too violently: use " : stiffer) +
                        "a shorter \"time_step\" of the solver, more \"newton_iterations\" and "
                        "\"linear_iterations\", or the solver leapfrog";
    } else {
        failure.what = step.lost ? "its position or velocity is no longer a number"
                                 : "it moves at " + number_text(step.relative_speed, 3) +
                                       " m/s compared with the rest of its body, faster than 5 times the "
                                       "speed of sound";
        if (is_explicit && dt > 1.01 * stable)
            failure.cause = "the step of " + number_text(dt, 3) + " s is too large, " +
                            number_text(stable, 3) +
                            " s would be stable: leave out \"time_step\" or make it smaller";
        else if (is_explicit)
            failure.cause =
                (stiffer.empty() ? "loads or motions are too violent for this material: use " : stiffer) +
                "a smaller \"courant_number\" or the implicit solver";
        else
            failure.cause = "loads or motions are too violent for this material: let them grow slowly";
    }
    report.failure = std::move(failure);
    return report;
}

template <int Dim>
std::optional<SurfaceMesh> SolidBody<Dim>::surface(std::size_t part, std::span<const BodyField> fields,
                                                   const Surroundings<Dim>& surroundings)
{
    Implementation& self = *implementation_;
    if constexpr (Dim == 3)
        if (part < self.coats.size() && self.coats[part]) {
            self.find_unfelt(surroundings);
            return self.coat_surface(part, fields, surroundings);
        }
    if (part >= self.skins.size() || !self.skins[part]) return {};
    SurfaceMesh surface;
    self.cut_skin_of(part);
    if constexpr (Dim == 3) {
        CarriedSkin& skin = *self.skins[part];
        const std::vector<Index> nodes = self.nodes_of(skin);
        const std::vector<Vec<3>> positions = values_at<Vec<3>>(self.state.position, nodes);
        const std::vector<Mat<3>> gradients = self.gradients_of(nodes);
        std::vector<Vec<3, float>> normals(skin.size), moved(skin.size);
        std::vector<std::uint64_t> vertex_ids(skin.size);
        std::iota(vertex_ids.begin(), vertex_ids.end(), std::uint64_t(0));
        surface.vertices.resize(skin.size);
        surface.triangles = skin.triangles;
        if (skin.surfels) {
            skin.surfels->update(skin.skinning, positions, gradients);
            std::copy(skin.surfels->positions().begin(), skin.surfels->positions().end(),
                      surface.vertices.begin());
            normals = skin.surfels->normals();
            vertex_ids = skin.surfels->state().ids;
        } else {
            skin.update(positions, gradients, surface.vertices, normals);
        }
        self.find_unfelt(surroundings);
        keep_out_of_walls(
            surroundings, self.unfelt.empty() ? Unfelt() : self.unfelt[part],
            self.passing_vertices(skin.size, nodes,
                                  [&](std::span<const Vec<3>> nodal, std::span<Vec<3, float>> out) {
                                      skin.transfer(nodal, out);
                                  }),
            surface.vertices);
        skin.transfer(values_at<Vec<3>>(self.state.velocity, nodes), moved);
        surface.fields.push_back(scalar_field<std::uint64_t>("id", vertex_ids));
        surface.fields.push_back(vector_field<3, float>("velocity", moved));
        surface.fields.push_back(vector_field<3, float>("normal", normals));
        if (skin.surfels)
            for (const std::size_t k : {0u, 1u}) {
                std::vector<Vec<3>> axes;
                for (const SurfelAxes& pair : skin.surfels->axes()) axes.push_back(pair[k]);
                surface.fields.push_back(vector_field<3, double>(k == 0 ? "axis_u" : "axis_v", axes));
            }
        for (const BodyField& field : fields) {
            // Three components at a time travel as vectors.
            const auto components = static_cast<std::size_t>(field.components);
            std::vector<float> carried(components * skin.size);
            for (std::size_t k = 0; k < components; k += 3) {
                const std::size_t width = std::min<std::size_t>(3, components - k);
                std::vector<Vec<3>> nodal(nodes.size(), Vec<3>::Zero());
                for (std::size_t i = 0; i < nodes.size(); ++i)
                    for (std::size_t m = 0; m < width; ++m)
                        nodal[i][static_cast<Eigen::Index>(m)] = field.values[components * nodes[i] + k + m];
                skin.transfer(nodal, moved);
                for (std::size_t i = 0; i < skin.size; ++i)
                    for (std::size_t m = 0; m < width; ++m)
                        carried[components * i + k + m] = moved[i][static_cast<Eigen::Index>(m)];
            }
            surface.fields.push_back({field.name, field.components, std::move(carried)});
        }
    }
    return surface;
}

template <int Dim>
void SolidBody<Dim>::set_hands(std::span<const Hand<Dim>> hands)
{
    Implementation& self = *implementation_;
    self.hands.assign(hands.begin(), hands.end());
    std::erase_if(self.grips, [&](const auto& grip) {
        return std::none_of(hands.begin(), hands.end(),
                            [&](const Hand<Dim>& hand) { return hand.takes_hold() && grip.is_of(hand); });
    });
    self.make_regions();
}

template <int Dim>
void SolidBody<Dim>::track_loads(bool on)
{
    implementation_->tracks_loads = on;
    implementation_->solver->track_loads(on);
}

template <int Dim>
std::span<const ObstacleLoad<Dim>> SolidBody<Dim>::loads() const
{
    return implementation_->solver->loads();
}

template <int Dim>
std::span<const ObstacleLoad<Dim>> SolidBody<Dim>::form_loads() const
{
    return implementation_->solver->form_loads();
}

template <int Dim>
void SolidBody<Dim>::show_boundary(double spacing, Boundary<Dim>& boundary,
                                   const Surroundings<Dim>& surroundings)
{
    Implementation& self = *implementation_;
    self.find_unfelt(surroundings);
    if (!self.boundary || self.boundary_spacing != spacing) self.make_boundary(spacing);
    self.boundary->place(self.state.position, self.state.velocity, boundary);
    self.response.show(self.model, self.state, *self.boundary, *self.solver, surroundings);
    boundary.response = &self.response;
    boundary.pieces = self.pieces;
}

template <int Dim>
void SolidBody<Dim>::take_impulses(std::span<const Vec<Dim>> impulses, double dt)
{
    Implementation& self = *implementation_;
    std::vector<Vec<Dim>> pushes(self.state.size());
    self.boundary->spread(impulses, pushes);
    for (Vec<Dim>& push : pushes) push /= dt;
    self.solver->set_pushes(std::move(pushes));
}

template <int Dim>
bool SolidBody<Dim>::asks_for_heat() const
{
    const auto asks = [](const PartHeat& heat, std::span<const SolidRegion<Dim>> regions) {
        return heat.temperature || heat.air ||
               std::any_of(regions.begin(), regions.end(),
                           [](const SolidRegion<Dim>& region) { return region.heat.has_any(); });
    };
    const Implementation& self = *implementation_;
    return std::any_of(self.part_heat.begin(), self.part_heat.end(),
                       [&](const PartHeat& heat) { return asks(heat, {}); }) ||
           asks({}, self.own_regions) ||
           std::any_of(self.expected.begin(), self.expected.end(),
                       [&](const SolidPart<Dim>& part) { return asks(part.heat, part.regions); });
}

template <int Dim>
void SolidBody<Dim>::begin_heat()
{
    implementation_->give_heat(0);
    implementation_->warm();
}

template <int Dim>
std::optional<HeatView<Dim>> SolidBody<Dim>::heat()
{
    Implementation& self = *implementation_;
    if (!self.state.has_heat()) return {};
    if (!self.heat) self.heat.emplace(self.model, self.shapes);
    self.is_evaluated = false;
    HeatView<Dim> view{.enthalpy = self.state.enthalpy,
                       .mass = self.model.mass,
                       .part = self.model.part,
                       .position = self.state.position,
                       .neighbors = &self.model.rest.neighbors,
                       .factors = self.heat->factors(),
                       .surface = &self.heat->place(self.state)};
    for (std::size_t part = 0; part < self.names.size(); ++part)
        view.parts.push_back({.name = self.names[part],
                              .material = self.model.materials[part].thermal,
                              .air = self.part_heat[part].air,
                              .spacing = self.model.spacing_of_part[part],
                              .width = SolidHeat<Dim>::width_of(self.model, part)});
    for (const SolidRegion<Dim>& region : self.own_regions) {
        if (!region.heat.has_any()) continue;
        HeatRegion& shown = view.regions.emplace_back(HeatRegion{.heat = region.heat});
        for (const std::uint64_t id : region.phyxels)
            if (const std::optional<Index> i = self.ids.find(id)) shown.nodes.push_back(*i);
        std::sort(shown.nodes.begin(), shown.nodes.end());
    }
    return view;
}

template <int Dim>
void SolidBody<Dim>::save(CheckpointWriter& checkpoint) const
{
    save_state(checkpoint, "solid/", implementation_->state);
    if (implementation_->state.remembers_rest()) {
        const NeighborLists& neighbors = implementation_->model.rest.neighbors;
        checkpoint.add("solid/neighbor_offsets",
                       std::vector(neighbors.offsets().begin(), neighbors.offsets().end()));
        checkpoint.add("solid/neighbors", std::vector(neighbors.ids().begin(), neighbors.ids().end()));
        std::vector<Vec<Dim>> seen;
        for (const SeenPair<Dim>& pair : implementation_->model.rest.seen) seen.push_back(pair.offset());
        if (!seen.empty()) checkpoint.add("solid/seen", seen);
    }
    for (std::size_t k = 0; k < implementation_->hands.size(); ++k) {
        const Hand<Dim>& hand = implementation_->hands[k];
        for (const auto& grip : implementation_->grips)
            if (const auto part = implementation_->number_of(hand.body);
                part && grip.is_of(hand) && grip.phyxels != implementation_->taken_at_rest(hand, *part))
                checkpoint.add(grip_name(k), grip.phyxels);
    }
    checkpoint.add_value("solid/next_resampling", implementation_->next_resampling);
    checkpoint.add_value("solid/parts", std::uint64_t(implementation_->names.size()));
    implementation_->cracks.save(checkpoint);
    if (implementation_->cracks.has_any()) {
        const auto& rates = implementation_->solver->rates();
        checkpoint.add_value("solid/rates",
                             std::array<double, 3>{rates.frequency, rates.damping, rates.checked});
    }
    for (std::size_t part = 0; part < implementation_->skins.size(); ++part) {
        const std::optional<CarriedSkin>& skin = implementation_->skins[part];
        if (!skin || !skin->surfels || implementation_->coats[part]) continue;
        skin->save(checkpoint, surfels_name(part));
    }
    for (std::size_t part = 0; part < implementation_->coats.size(); ++part) {
        const std::optional<CoatSkin>& coat = implementation_->coats[part];
        if (coat) coat->save(checkpoint, coat_name(part));
    }
}

template <int Dim>
void SolidBody<Dim>::load(const CheckpointReader& checkpoint)
{
    if (checkpoint.value<std::uint64_t>("solid/parts") != implementation_->names.size())
        throw InputError("the checkpoint is that of another scene");
    SolidState<Dim> state = implementation_->state;
    load_state(checkpoint, "solid/", state, state.size());
    const auto next_resampling = checkpoint.value<double>("solid/next_resampling");
    // Counted up from there in short intervals.
    for (const double number : {state.last_step, state.stiffening, state.contact_frequency, next_resampling})
        if (!(number >= 0.0) || !std::isfinite(number))
            throw InputError("the checkpoint is damaged: a number of its solids makes no sense");
    if (!is_finite(state)) throw InputError("the checkpoint has a particle that is nowhere");
    if (state.enthalpy.size() != state.start_temperature.size())
        throw InputError("the checkpoint is damaged: heat without temperatures");
    const bool flows = state.remembers_flow(), forgets = state.remembers_rest();
    if (flows != !state.plastic_strain.empty() || forgets != !state.rest_scale.empty() ||
        forgets != !state.is_molten.empty() || (forgets && !flows) ||
        std::any_of(state.rest_scale.begin(), state.rest_scale.end(),
                    [](double scale) { return !(scale >= 0.0); }))
        throw InputError("the checkpoint is damaged: shapes at rest make no sense");
    if (implementation_->model.has_flow()) state.remember_flow();
    std::optional<NeighborLists> neighbors;
    if (state.remembers_rest())
        neighbors = checked_lists(checkpoint.section<std::uint64_t>("solid/neighbor_offsets"),
                                  checkpoint.section<Index>("solid/neighbors"), state.size());
    else if (!implementation_->model.rest.scale.empty())
        throw InputError("the checkpoint is that of another scene");
    std::vector<Vec<Dim>> seen;
    if (neighbors && checkpoint.contains("solid/seen")) {
        seen = checkpoint.section<Vec<Dim>>("solid/seen");
        if (seen.size() != neighbors->entry_count() ||
            std::any_of(seen.begin(), seen.end(), [](const Vec<Dim>& X) { return !X.allFinite(); }))
            throw InputError("the checkpoint is damaged: neighbours of its solids make no sense");
    }
    for (std::size_t part = 0; part < implementation_->skins.size(); ++part) {
        const std::optional<SolidCoat>& later = implementation_->later_coats[part];
        std::optional<CarriedSkin>& skin = implementation_->skins[part];
        std::optional<CoatSkin>& coat = implementation_->coats[part];
        if (!later || !skin) continue;
        coat.reset();
        if (CoatSkin::is_in(checkpoint, coat_name(part)))
            coat.emplace(*later, coat_spacing(skin->nodes), skin->node_ids);
    }
    for (std::size_t part = 0; part < implementation_->skins.size(); ++part) {
        std::optional<CarriedSkin>& skin = implementation_->skins[part];
        if (!skin || !skin->surfels || implementation_->coats[part]) continue;
        skin->load(checkpoint, surfels_name(part));
    }
    for (std::size_t part = 0; part < implementation_->coats.size(); ++part) {
        std::optional<CoatSkin>& coat = implementation_->coats[part];
        if (coat) coat->load(checkpoint, coat_name(part));
    }
    implementation_->next_resampling = next_resampling;
    implementation_->state = std::move(state);
    // Of the shape at rest that there was before.
    implementation_->boundary.reset();
    implementation_->heat.reset();
    for (std::uint32_t part = 0; part < implementation_->names.size(); ++part) {
        SolidModel<Dim>& model = implementation_->model;
        const SolidMaterial material = implementation_->as_warm_as_it_is(part, model.materials[part]);
        if (material != model.materials[part])
            model.set_material(part, material, implementation_->stabilization());
    }
    if (neighbors) {
        restore_rest<Dim>(implementation_->model, implementation_->state, std::move(*neighbors),
                          implementation_->stabilization(), seen);
        implementation_->make_solver();
    }
    Implementation& self = *implementation_;
    const bool had_cracks = self.cracks.has_any();
    self.cracks.load(checkpoint, self.model, self.stabilization());
    if (had_cracks && !self.cracks.has_any()) {
        self.solver->update_weights();
        self.solver->update_material();
    }
    if (self.cracks.has_any()) {
        const auto rates = checkpoint.value<std::array<double, 3>>("solid/rates");
        for (const double rate : rates)
            if (!(rate >= 0.0) || !std::isfinite(rate))
                throw InputError("the checkpoint is damaged: a number of its solids makes no sense");
        self.solver->update_weights();
        self.solver->set_rates({rates[0], rates[1], rates[2]});
    }
    if (checkpoint.contains("world/time")) self.last_time = checkpoint.value<double>("world/time");
    self.load_grips(checkpoint);
    self.piece_count.reset();
    implementation_->is_evaluated = false;
}

template class SolidBody<2>;
template class SolidBody<3>;

} // namespace phyxel
