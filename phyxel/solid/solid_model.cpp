// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_model.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/parallel_for.h>

#include <Eigen/Eigenvalues>

#include <algorithm>

namespace phyxel {
namespace {

/// Eigenvalues of a moment up to this share of the largest are taken for 0: the neighbours nearly lie in a
/// plane, and what they say of strain across it would be more error than strain.
constexpr double flat_share = 0.005;

/// Those up to this share are rounding.
constexpr double rounding_share = 1e-13;

/// (1 − r²/h²)³ [MKN*04, Eq. 9]; its constant factor cancels.
double weight(double r2, double h)
{
    const double s = std::max(0.0, 1.0 - r2 / (h * h));
    return s * s * s;
}

template <int Dim>
struct Inverse {
    Mat<Dim> matrix;
    Mat<Dim> span;
    Mat<Dim> full; ///< of all that is not rounding
    bool is_full;
};

/// Pseudo-inverse through the eigenvectors, which are the singular vectors of a symmetric matrix.
template <int Dim>
Inverse<Dim> pseudo_inverse(const Mat<Dim>& A)
{
    const Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes(A);
    const double largest = modes.eigenvalues()[Dim - 1];
    Inverse<Dim> inverse{Mat<Dim>::Zero(), Mat<Dim>::Zero(), Mat<Dim>::Zero(), true};
    for (int k = 0; k < Dim; ++k) {
        const double value = modes.eigenvalues()[k];
        const Vec<Dim> mode = modes.eigenvectors().col(k);
        if (value > rounding_share * largest) inverse.full += mode * mode.transpose() / value;
        if (!(value > flat_share * largest)) {
            inverse.is_full = false;
            continue;
        }
        inverse.matrix += mode * mode.transpose() / value;
        inverse.span += mode * mode.transpose();
    }
    return inverse;
}

template <int Dim>
void append(SolidModel<Dim>& model, const PhyxelCloud<Dim>& cloud, const SolidMaterial& material,
            std::vector<std::uint64_t>& offsets, std::vector<Index>& ids)
{
    const auto first = static_cast<Index>(model.size());
    const auto number = static_cast<std::uint32_t>(model.first_of_part.size() - 1);
    for (std::size_t i = 0; i < cloud.size(); ++i) {
        model.rest_position.push_back(cloud.positions[i]);
        model.volume.push_back(cloud.volumes[i]);
        model.support_radius.push_back(cloud.supports[i]);
        model.mass.push_back(material.density * cloud.volumes[i]);
        model.radius.push_back(std::clamp(cloud.depths[i], 0.25 * cloud.spacing, 0.5 * cloud.spacing));
        model.is_surface.push_back(cloud.depths[i] <= cloud.spacing);
        model.part.push_back(number);
        for (const Index j : cloud.neighbors.of(i)) {
            ids.push_back(first + j);
            const double r2 = (cloud.positions[j] - cloud.positions[i]).squaredNorm();
            const double w = weight(r2, 0.5 * (cloud.supports[i] + cloud.supports[j]));
            model.pairs.push_back({w, r2 > 0.0 ? 1.0 / r2 : 0.0});
        }
        offsets.push_back(ids.size());
    }
    model.first_of_part.push_back(static_cast<Index>(model.size()));
    model.spacing_of_part.push_back(cloud.spacing);
}

template <int Dim>
void fit_gradients(SolidModel<Dim>& model)
{
    model.flat.clear();
    model.gradients.resize(model.size());
    model.spans_space.resize(model.size());
    std::vector<Inverse<Dim>> inverses(model.size());
    parallel_for(model.size(), [&](Index i) {
        Mat<Dim> A = Mat<Dim>::Zero();
        PhyxelGradient<Dim> gradient;
        gradient.stabilizing_moment.setZero();
        gradient.weighted_offsets.setZero();
        gradient.stabilizing_offsets.setZero();
        std::size_t entry = model.neighbors.offsets()[i];
        for (const Index j : model.neighbors.of(i)) {
            const PairWeight& pair = model.pairs[entry++];
            const Vec<Dim> X_ij = model.rest_position[j] - model.rest_position[i];
            A += pair.w * X_ij * X_ij.transpose();
            gradient.stabilizing_moment += pair.w * pair.per_r2 * X_ij * X_ij.transpose();
            gradient.weighted_offsets += pair.w * X_ij;
            gradient.stabilizing_offsets += pair.w * pair.per_r2 * X_ij;
            gradient.weight_sum += pair.w;
        }
        inverses[i] = pseudo_inverse<Dim>(A);
        gradient.inverse_moment = inverses[i].matrix;
        model.gradients[i] = gradient;
        model.spans_space[i] = inverses[i].is_full;
    });
    for (std::size_t i = 0; i < model.size(); ++i)
        if (!model.spans_space[i])
            model.flat.push_back({static_cast<Index>(i), inverses[i].span, inverses[i].full});
}

template <int Dim>
void find_areas(SolidModel<Dim>& model)
{
    model.area.resize(model.size());
    parallel_for(model.size(), [&](Index k) {
        const Mat<Dim> Q_k = model.volume[k] * model.gradients[k].inverse_moment;
        Vec<Dim> sum = Vec<Dim>::Zero();
        std::size_t entry = model.neighbors.offsets()[k];
        for (const Index j : model.neighbors.of(k)) {
            const Mat<Dim> Q_j = model.volume[j] * model.gradients[j].inverse_moment;
            const Vec<Dim> X_kj = model.rest_position[j] - model.rest_position[k];
            sum -= model.pairs[entry++].w * (Q_k + Q_j) * X_kj;
        }
        model.area[k] = sum;
    });
}

template <int Dim>
void add_solids(SolidModel<Dim>& model, std::span<const PhyxelCloud<Dim>* const> clouds,
                std::span<const SolidMaterial> materials, double stabilization_share)
{
    const std::size_t first = model.first_of_part.size() - 1;
    std::vector<std::uint64_t> offsets = {0};
    std::vector<Index> ids;
    for (std::size_t i = 0; i < model.size(); ++i) {
        const auto neighbors = model.neighbors.of(i);
        ids.insert(ids.end(), neighbors.begin(), neighbors.end());
        offsets.push_back(ids.size());
    }
    for (std::size_t k = 0; k < clouds.size(); ++k) append(model, *clouds[k], materials[k], offsets, ids);
    model.neighbors = NeighborLists(offsets, ids);
    fit_gradients(model);
    find_areas(model);
    model.materials.resize(first + clouds.size());
    model.constants.resize(first + clouds.size());
    model.stabilization.resize(model.size());
    for (std::size_t k = 0; k < clouds.size(); ++k)
        model.set_material(first + k, materials[k], stabilization_share);
}

} // namespace

template <int Dim>
Mat<Dim> SolidModel<Dim>::rest_gradient(std::size_t i) const
{
    return spans_space[i] ? Mat<Dim>(Mat<Dim>::Identity()) : flat_at(i).span;
}

template <int Dim>
const FlatPhyxel<Dim>& SolidModel<Dim>::flat_at(std::size_t i) const
{
    const auto found = std::lower_bound(flat.begin(), flat.end(), i,
                                        [](const FlatPhyxel<Dim>& a, std::size_t b) { return a.phyxel < b; });
    PHYXEL_ASSERT(found != flat.end() && found->phyxel == i);
    return *found;
}

template <int Dim>
void SolidModel<Dim>::set_material(std::size_t part_number, const SolidMaterial& material,
                                   double stabilization_share)
{
    check_material(material);
    materials[part_number] = material;
    constants[part_number] = ElasticConstants<Dim>(material);
    for (Index i = first_of_part[part_number]; i < first_of_part[part_number + 1]; ++i) {
        const double weights = gradients[i].weight_sum;
        stabilization[i] =
            weights > 0.0 ? stabilization_share * constants[part_number].youngs_modulus * volume[i] / weights
                          : 0.0;
    }
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

template struct SolidModel<2>;
template struct SolidModel<3>;
template void add_solid(SolidModel<2>&, const PhyxelCloud<2>&, const SolidMaterial&, double);
template void add_solid(SolidModel<3>&, const PhyxelCloud<3>&, const SolidMaterial&, double);
template SolidModel<2> make_solid_model(std::span<const PhyxelCloud<2>* const>,
                                        std::span<const SolidMaterial>, double);
template SolidModel<3> make_solid_model(std::span<const PhyxelCloud<3>* const>,
                                        std::span<const SolidMaterial>, double);

} // namespace phyxel
