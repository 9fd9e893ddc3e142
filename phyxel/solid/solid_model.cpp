// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_model.h>

#include <phyxel/core/assert.h>

#include <algorithm>

namespace phyxel {
namespace {

template <int Dim>
void append(SolidModel<Dim>& model, const PhyxelCloud<Dim>& cloud, const SolidMaterial& material)
{
    const auto number = static_cast<std::uint32_t>(model.first_of_part.size() - 1);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        model.rest.position.push_back(cloud.positions[i]);
        model.origin.push_back(cloud.positions[i]);
        model.rest.volume.push_back(cloud.volumes[i]);
        model.rest.support_radius.push_back(cloud.supports[i]);
        if (!model.rest.scale.empty()) model.rest.scale.push_back(1.0);
        model.mass.push_back(material.density * cloud.volumes[i]);
        model.radius.push_back(std::clamp(cloud.depths[i], 0.25 * cloud.spacing, 0.5 * cloud.spacing));
        model.is_surface.push_back(cloud.depths[i] <= cloud.spacing);
        model.part.push_back(number);
        if (!model.halved.times.empty()) {
            model.halved.times.push_back(0);
            model.halved.support_radius.push_back(cloud.supports[i]);
            model.halved.radius.push_back(model.radius.back());
        }
    }
    if (!model.halved.times.empty()) model.halved.whole_of_part.push_back(static_cast<Index>(cloud.size()));
    model.first_of_part.push_back(static_cast<Index>(model.size()));
    model.spacing_of_part.push_back(cloud.spacing);
}

/// The lists with those of clouds behind them.
template <int Dim>
NeighborLists with_clouds(const NeighborLists& lists, std::span<const PhyxelCloud<Dim>* const> clouds)
{
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids(lists.ids().begin(), lists.ids().end());
    for (std::size_t i = 0; i < lists.size(); ++i) offsets.push_back(lists.offsets()[i + 1]);
    for (const PhyxelCloud<Dim>* cloud : clouds) {
        const auto first = static_cast<Index>(offsets.size() - 1);
        for (std::size_t i = 0; i < cloud->size(); ++i) {
            for (const Index j : cloud->neighbors.of(i)) ids.push_back(first + j);
            offsets.push_back(ids.size());
        }
    }
    return NeighborLists(offsets, ids);
}

template <int Dim>
void add_solids(SolidModel<Dim>& model, std::span<const PhyxelCloud<Dim>* const> clouds,
                std::span<const SolidMaterial> materials, double stabilization_share)
{
    const std::size_t first = model.first_of_part.size() - 1;
    const auto first_phyxel = static_cast<Index>(model.size());
    if (model.first_neighbors.size() > 0)
        model.first_neighbors = with_clouds<Dim>(model.first_neighbors, clouds);
    model.rest.neighbors = with_clouds<Dim>(model.rest.neighbors, clouds);
    for (std::size_t k = 0; k < clouds.size(); ++k) append(model, *clouds[k], materials[k]);
    fit<Dim>(model.rest, first_phyxel);
    model.materials.resize(first + clouds.size());
    model.moduli.resize(first + clouds.size());
    model.laws.resize(first + clouds.size());
    model.flows.resize(first + clouds.size());
    model.molten.resize(first + clouds.size());
    model.merges_with.resize(first + clouds.size());
    model.most_halvings.resize(first + clouds.size(), 0);
    if (!model.is_molten.empty()) model.is_molten.resize(model.size(), 0);
    model.stabilization.resize(model.size());
    for (std::size_t k = 0; k < clouds.size(); ++k)
        model.set_material(first + k, materials[k], stabilization_share);
    if (model.fault != Fault::None) model.set_fault(model.fault);
}

/// See core/fault.h.
template <int Dim>
AnyLaw<Dim> spoilt(AnyLaw<Dim> any, Fault fault)
{
    std::visit(
        [&](auto& law) {
            if (fault == Fault::HalvedShear) {
                law.moduli.mu *= 0.5;
                if constexpr (requires { law.C; }) law.C *= 0.5;
            }
            if (fault == Fault::DoubledStress) {
                for (double* modulus : {&law.moduli.lambda, &law.moduli.mu, &law.moduli.volume_stiffness})
                    *modulus *= 2.0;
                if constexpr (requires { law.C; }) law.C *= 2.0;
            }
            if (fault == Fault::NoVolumeTerm) law.moduli.lambda = law.moduli.volume_stiffness = 0.0;
        },
        any);
    return any;
}

} // namespace

template <int Dim>
void SolidModel<Dim>::set_fault(Fault wanted)
{
    fault = wanted;
    for (std::size_t k = 0; k < laws.size(); ++k) {
        laws[k] = spoilt(make_law<Dim>(materials[k]), fault);
        flows[k] = PlasticFlow<Dim>(materials[k], fault);
        if (!molten[k]) continue;
        molten[k]->law = spoilt(make_law<Dim>(molten[k]->material), fault);
        molten[k]->flow = PlasticFlow<Dim>(molten[k]->material, fault);
    }
    for (PhyxelGradient<Dim>& gradient : rest.gradients) {
        if (fault == Fault::IsotropicMoments)
            gradient.inverse_moment = gradient.inverse_moment.trace() / Dim * Mat<Dim>::Identity();
        if (fault == Fault::UnreturnedForces) gradient.weighted_offsets.setZero();
    }
}

template <int Dim>
bool SolidModel<Dim>::has_flow() const
{
    return may_flow() || std::any_of(flows.begin(), flows.end(),
                                     [](const PlasticFlow<Dim>& flow) { return flow.yields(); });
}

template <int Dim>
bool SolidModel<Dim>::may_flow() const
{
    return std::any_of(materials.begin(), materials.end(),
                       [](const SolidMaterial& material) { return material.may_flow(); });
}

template <int Dim>
bool SolidModel<Dim>::may_couple(std::uint32_t a, std::uint32_t b) const
{
    return a == b || std::find(merges_with[a].begin(), merges_with[a].end(), b) != merges_with[a].end();
}

template <int Dim>
void SolidModel<Dim>::set_stabilization(Index i, double share)
{
    const double weights = rest.gradients[i].weight_sum;
    stabilization[i] =
        weights > 0.0 && !is_drop(i) ? share * moduli_of(i).youngs_modulus * rest.volume[i] / weights : 0.0;
}

template <int Dim>
void SolidModel<Dim>::set_material(std::size_t part_number, const SolidMaterial& material,
                                   double stabilization_share)
{
    check_material(material);
    materials[part_number] = material;
    moduli[part_number] = ElasticModuli(material);
    laws[part_number] = spoilt(make_law<Dim>(material), fault);
    flows[part_number] = PlasticFlow<Dim>(material, fault);
    // What flows may come to lie outside.
    if (material.may_flow())
        std::fill(is_surface.begin() + first_of_part[part_number],
                  is_surface.begin() + first_of_part[part_number + 1], std::uint8_t(1));
    molten[part_number].reset();
    if (material.molten) {
        const SolidMaterial liquid = molten_material(material);
        molten[part_number].emplace(MoltenPart<Dim>{.material = liquid,
                                                    .moduli = ElasticModuli(liquid),
                                                    .law = spoilt(make_law<Dim>(liquid), fault),
                                                    .flow = PlasticFlow<Dim>(liquid, fault)});
    } else if (!is_molten.empty()) {
        std::fill(is_molten.begin() + first_of_part[part_number],
                  is_molten.begin() + first_of_part[part_number + 1], std::uint8_t(0));
    }
    for (Index i = first_of_part[part_number]; i < first_of_part[part_number + 1]; ++i)
        set_stabilization(i, stabilization_share);
}

template <int Dim>
void SolidModel<Dim>::set_molten(std::span<const std::uint8_t> flags, double stabilization_share)
{
    PHYXEL_ASSERT(flags.size() == size());
    is_molten.assign(flags.begin(), flags.end());
    for (std::size_t i = 0; i < size(); ++i)
        if (!molten[part[i]]) is_molten[i] = 0;
    for (Index i = 0; i < size(); ++i) set_stabilization(i, stabilization_share);
}

template <int Dim>
RefitReport SolidModel<Dim>::refit(std::span<const Index> phyxels, double stabilization_share)
{
    RefitReport report = phyxel::refit<Dim>(rest, phyxels);
    for (const Index i : report.fitted) set_stabilization(i, stabilization_share);
    return report;
}

template <int Dim>
RefitReport SolidModel<Dim>::refit_pairs(std::span<const Index> phyxels, double stabilization_share)
{
    RefitReport report = phyxel::refit_pairs<Dim>(rest, phyxels);
    for (const Index i : report.fitted) set_stabilization(i, stabilization_share);
    return report;
}

template <int Dim>
SolidModel<Dim> make_solid_model(std::span<const PhyxelCloud<Dim>* const> clouds,
                                 std::span<const SolidMaterial> materials, double stabilization_share)
{
    PHYXEL_ASSERT(clouds.size() == materials.size());
    SolidModel<Dim> model;
    model.first_of_part.push_back(0);
    add_solids(model, clouds, materials, stabilization_share);
    return model;
}

template <int Dim>
void add_solid(SolidModel<Dim>& model, const PhyxelCloud<Dim>& cloud, const SolidMaterial& material,
               double stabilization_share)
{
    const PhyxelCloud<Dim>* const clouds[] = {&cloud};
    add_solids<Dim>(model, clouds, std::span(&material, 1), stabilization_share);
}

template <int Dim>
void remove_solid(SolidModel<Dim>& model, std::size_t part)
{
    const Index first = model.first_of_part[part];
    const Index last = model.first_of_part[part + 1];
    remove_phyxels(model.rest, first, last);
    if (model.first_neighbors.size() > 0)
        model.first_neighbors = without_phyxels(model.first_neighbors, first, last);
    const auto erase = [&](auto& values) {
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(first),
                     values.begin() + static_cast<std::ptrdiff_t>(last));
    };
    erase(model.origin);
    if (!model.is_molten.empty()) erase(model.is_molten);
    erase(model.mass);
    erase(model.radius);
    erase(model.is_surface);
    erase(model.part);
    erase(model.stabilization);
    if (!model.halved.times.empty()) {
        erase(model.halved.times);
        erase(model.halved.support_radius);
        erase(model.halved.radius);
        model.halved.whole_of_part[part] = 0;
    }
    for (std::size_t next = part + 1; next < model.first_of_part.size(); ++next)
        model.first_of_part[next] -= last - first;
}

template struct SolidModel<2>;
template struct SolidModel<3>;
template void add_solid(SolidModel<2>&, const PhyxelCloud<2>&, const SolidMaterial&, double);
template void add_solid(SolidModel<3>&, const PhyxelCloud<3>&, const SolidMaterial&, double);
template void remove_solid(SolidModel<2>&, std::size_t);
template void remove_solid(SolidModel<3>&, std::size_t);
template SolidModel<2> make_solid_model(std::span<const PhyxelCloud<2>* const>,
                                        std::span<const SolidMaterial>, double);
template SolidModel<3> make_solid_model(std::span<const PhyxelCloud<3>* const>,
                                        std::span<const SolidMaterial>, double);

} // namespace phyxel
