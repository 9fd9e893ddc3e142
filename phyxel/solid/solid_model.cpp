// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_model.h>

#include <phyxel/core/assert.h>

#include <algorithm>

namespace phyxel {
namespace {

template <int Dim>
void append(SolidModel<Dim>& model, const PhyxelCloud<Dim>& cloud, const SolidMaterial& material,
            std::vector<std::uint64_t>& offsets, std::vector<Index>& ids)
{
    const auto first = static_cast<Index>(model.size());
    const auto number = static_cast<std::uint32_t>(model.first_of_part.size() - 1);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        model.rest.position.push_back(cloud.positions[i]);
        model.rest.volume.push_back(cloud.volumes[i]);
        model.rest.support_radius.push_back(cloud.supports[i]);
        model.mass.push_back(material.density * cloud.volumes[i]);
        model.radius.push_back(std::clamp(cloud.depths[i], 0.25 * cloud.spacing, 0.5 * cloud.spacing));
        model.is_surface.push_back(cloud.depths[i] <= cloud.spacing);
        model.part.push_back(number);
        for (const Index j : cloud.neighbors.of(i)) ids.push_back(first + j);
        offsets.push_back(ids.size());
    }
    model.first_of_part.push_back(static_cast<Index>(model.size()));
    model.spacing_of_part.push_back(cloud.spacing);
}

template <int Dim>
void add_solids(SolidModel<Dim>& model, std::span<const PhyxelCloud<Dim>* const> clouds,
                std::span<const SolidMaterial> materials, double stabilization_share)
{
    const std::size_t first = model.first_of_part.size() - 1;
    const auto first_phyxel = static_cast<Index>(model.size());
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (std::size_t i = 0; i < model.size(); ++i) {
        const auto neighbors = model.rest.neighbors.of(i);
        ids.insert(ids.end(), neighbors.begin(), neighbors.end());
        offsets.push_back(ids.size());
    }
    for (std::size_t k = 0; k < clouds.size(); ++k) append(model, *clouds[k], materials[k], offsets, ids);
    model.rest.neighbors = NeighborLists(offsets, ids);
    fit<Dim>(model.rest, first_phyxel);
    model.materials.resize(first + clouds.size());
    model.moduli.resize(first + clouds.size());
    model.laws.resize(first + clouds.size());
    model.flows.resize(first + clouds.size());
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
    for (std::size_t k = 0; k < laws.size(); ++k) laws[k] = spoilt(make_law<Dim>(materials[k]), fault);
    for (PhyxelGradient<Dim>& gradient : rest.gradients) {
        if (fault == Fault::IsotropicMoments)
            gradient.inverse_moment = gradient.inverse_moment.trace() / Dim * Mat<Dim>::Identity();
        if (fault == Fault::UnreturnedForces) gradient.weighted_offsets.setZero();
    }
}

template <int Dim>
void SolidModel<Dim>::set_stabilization(Index i, double share)
{
    const double weights = rest.gradients[i].weight_sum;
    stabilization[i] = weights > 0.0 ? share * moduli_of(i).youngs_modulus * rest.volume[i] / weights : 0.0;
}

template <int Dim>
void SolidModel<Dim>::set_material(std::size_t part_number, const SolidMaterial& material,
                                   double stabilization_share)
{
    check_material(material);
    materials[part_number] = material;
    moduli[part_number] = ElasticModuli(material);
    laws[part_number] = spoilt(make_law<Dim>(material), fault);
    flows[part_number] = PlasticFlow<Dim>(material);
    for (Index i = first_of_part[part_number]; i < first_of_part[part_number + 1]; ++i)
        set_stabilization(i, stabilization_share);
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
    const auto erase = [&](auto& values) {
        values.erase(values.begin() + static_cast<std::ptrdiff_t>(first),
                     values.begin() + static_cast<std::ptrdiff_t>(last));
    };
    erase(model.mass);
    erase(model.radius);
    erase(model.is_surface);
    erase(model.part);
    erase(model.stabilization);
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
