// SPDX-License-Identifier: MIT
#include <phyxel/solid/elastic_stages.h>

#include <phyxel/approx/least_squares_gradient.h>
#include <phyxel/core/assert.h>
#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/solid/detail/lanes.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace phyxel {
namespace {

/// Small, so that even a solid of 200 phyxels is shared by several threads.
constexpr std::size_t block_size = 64;

/// Calls visit(law, i) with every phyxel. The law is chosen once for a run of phyxels of one part that are
/// all molten, or none of them.
template <int Dim, class Visit>
void for_each_phyxel(const SolidModel<Dim>& model, const Visit& visit)
{
    parallel_for_blocks(model.size(), block_size, [&](const Block& block) {
        for (std::size_t begin = block.begin; begin < block.end;) {
            const std::uint32_t part = model.part[begin];
            std::size_t end = std::min<std::size_t>(block.end, model.first_of_part[part + 1]);
            if (!model.is_molten.empty()) {
                const auto flags = model.is_molten.begin();
                end = static_cast<std::size_t>(std::find(flags + static_cast<std::ptrdiff_t>(begin),
                                                         flags + static_cast<std::ptrdiff_t>(end),
                                                         model.is_molten[begin] == 0 ? 1 : 0) -
                                               flags);
            }
            std::visit(
                [&](const auto& law) {
                    for (std::size_t i = begin; i < end; ++i) visit(law, static_cast<Index>(i));
                },
                model.law_of(begin));
            begin = end;
        }
    });
}

/// Calls visit(pair, f_ij, X_ij) with every neighbour j of i, for values f at the phyxels.
template <int Dim, class ValueOf, class Visit>
void for_each_difference(const SolidModel<Dim>& model, std::span<const PhyxelPlace<Dim>> places, Index i,
                         const ValueOf& value_of, const Visit& visit)
{
    using Lanes = Register<Dim>;
    const Lanes X_i = Lanes::load(places[i].rest.data());
    const Lanes f_i = Lanes::load(value_of(i).data());
    const std::span<const Index> ids = model.rest.neighbors.of(i);
    const PairWeight* pairs = model.rest.pairs.data() + model.rest.neighbors.offsets()[i];
    if (!model.rest.seen.empty()) {
        const SeenPair<Dim>* seen = model.rest.seen.data() + model.rest.neighbors.offsets()[i];
        for (std::size_t a = 0; a < ids.size(); ++a)
            visit(seen[a].weight, Lanes::load(value_of(ids[a]).data()) - f_i, Lanes::load(seen[a].X.data()));
        return;
    }
    for (std::size_t a = 0; a < ids.size(); ++a)
        visit(pairs[a], Lanes::load(value_of(ids[a]).data()) - f_i,
              Lanes::load(places[ids[a]].rest.data()) - X_i);
}

/// Σ_j w x_ij X_ijᵀ, which A⁻¹ makes the gradient of the places x, and Σ_j w/r² x_ij X_ijᵀ.
template <int Dim>
struct Moments {
    LaneMatrix<Dim> weighted;
    LaneMatrix<Dim> stabilizing;

    Moments(const SolidModel<Dim>& model, std::span<const PhyxelPlace<Dim>> places, Index i)
    {
        using Lanes = Register<Dim>;
        RegisterMatrix<Dim> weighted_sum = RegisterMatrix<Dim>::zero();
        RegisterMatrix<Dim> stabilizing_sum = RegisterMatrix<Dim>::zero();
        for_each_difference(
            model, places, i, [&](Index j) -> const Lane<Dim>& { return places[j].now; },
            [&](const PairWeight& pair, Lanes x, Lanes X) {
                const Lanes wx = Lanes::all(pair.w) * x;
                weighted_sum.add_product(wx, X);
                stabilizing_sum.add_product(Lanes::all(pair.per_r2) * wx, X);
            });
        weighted_sum.store(weighted);
        stabilizing_sum.store(stabilizing);
    }
};

/// Σ_j w v_ij X_ijᵀ.
template <int Dim>
Mat<Dim> rate_moment(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work, Index i)
{
    using Lanes = Register<Dim>;
    RegisterMatrix<Dim> sum = RegisterMatrix<Dim>::zero();
    for_each_difference(
        model, std::span(work.places), i, [&](Index j) -> const Lane<Dim>& { return work.velocities[j]; },
        [&](const PairWeight& pair, Lanes v, Lanes X) { sum.add_product(Lanes::all(pair.w) * v, X); });
    LaneMatrix<Dim> moment;
    sum.store(moment);
    return moment.template topRows<Dim>();
}

template <int Dim>
void set_places(std::span<const Vec<Dim>> positions, std::vector<PhyxelPlace<Dim>>& places)
{
    PHYXEL_ASSERT(positions.size() == places.size());
    parallel_for(places.size(), [&](Index i) { places[i].now.template head<Dim>() = positions[i]; });
}

template <int Dim>
FlowStep<Dim> flow(const SolidModel<Dim>& model, const FlowMemory<Dim>& memory, Index i, const Mat<Dim>& F)
{
    const PlasticFlow<Dim>& law = model.flow_of(i);
    if (!law.yields()) return {memory.shape[i], 0.0}; // no more, but what has flown stays so
    return law.flow(F, memory.shape[i], memory.strain[i], memory.dt);
}

template <int Dim>
bool is_flowing(const ElasticWorkspace<Dim>& work, Index i)
{
    return !work.flown.empty() && work.flown[i].strain > 0.0;
}

/// dP/dF of a phyxel that is flowing, which the first who asks works out: by differences of two answers,
/// since how it flows follows from F too.
template <int Dim, class Law>
const Eigen::Matrix<double, Dim * Dim, Dim * Dim>&
flowing_tangent(const SolidModel<Dim>& model, ElasticWorkspace<Dim>& work, const Law& law, Index i)
{
    // Shorter than what has flown, so that it flows with either.
    const double step = std::clamp(0.1 * work.flown[i].strain, 1e-10, 1e-6);
    Eigen::Matrix<double, Dim * Dim, Dim* Dim>& tangent = work.flowing_tangents[i];
    if (work.has_tangent[i] != 0) return tangent;
    work.has_tangent[i] = 1;
    const double expansion = expansion_of<Dim>(model, work.memory, i);
    for (int c = 0; c < Dim * Dim; ++c) {
        const auto stress = [&](double change) {
            Mat<Dim> F = work.responses[i].F;
            F(c % Dim, c / Dim) += change;
            F /= expansion;
            const Mat<Dim> shape = flow<Dim>(model, work.memory, i, F).shape;
            return Mat<Dim>(first_piola(law.respond(F, shape, true)) / expansion);
        };
        const Mat<Dim> difference = (stress(step) - stress(-step)) / (2.0 * step);
        tangent.col(c) = difference.reshaped();
    }
    return tangent;
}

/// What a law has answered to F/s as an answer to F: P = ∂ψ(F/s)/∂F. What comes of it for a change of F is
/// exact up to the square of the expansion.
template <int Dim>
void expand(ElasticResponse<Dim>& response, const Mat<Dim>& F, double s)
{
    const double volume = std::pow(s, Dim);
    response.F = F;
    response.S /= s * s;
    response.p /= volume;
    response.dp /= volume * volume;
}

template <int Dim>
std::span<const double> stabilization(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work)
{
    return work.stabilization.empty() ? std::span<const double>(model.stabilization) : work.stabilization;
}

/// What keeps the pair of k and j in line, at the entry of j in the list of k [N/m].
template <int Dim>
double stabilizing_stiffness(const SolidModel<Dim>& model, Index k, Index j, std::size_t entry)
{
    const PairWeight& mine = model.rest.weight(entry);
    if (model.rest.seen.empty())
        return mine.w * mine.per_r2 * (model.stabilization[j] + model.stabilization[k]);
    const PairWeight& back = model.rest.weight_back(entry);
    return mine.w * mine.per_r2 * model.stabilization[k] + back.w * back.per_r2 * model.stabilization[j];
}

/// From dU/dF [J] to what the neighbours feel.
template <int Dim>
void set_push(const SolidModel<Dim>& model, Index i, const Mat<Dim>& dU_dF, const Moments<Dim>& moments,
              ElasticWorkspace<Dim>& work)
{
    PhyxelPush<Dim>& push = work.pushes[i];
    const PhyxelGradient<Dim>& gradient = model.rest.gradients[i];
    const double b = stabilization<Dim>(model, work)[i];
    Mat<Dim> Q = dU_dF * gradient.inverse_moment;
    if (b != 0.0) {
        const Mat<Dim>& inverse = model.rest.stabilizing_inverse(i);
        const Mat<Dim> F = moments.weighted.template topRows<Dim>() * inverse;
        Q -= b * (moments.stabilizing.template topRows<Dim>() - F * gradient.stabilizing_moment) * inverse;
        push.B.template topRows<Dim>() = b * F;
    } else {
        push.B.setZero();
    }
    push.Q.template topRows<Dim>() = Q;
}

template <int Dim>
void gather_pushes(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work, double sign,
                   std::span<Vec<Dim>> out)
{
    using Lanes = Register<Dim>;
    const std::span<const double> b = stabilization<Dim>(model, work);
    const bool is_seen_alike = model.rest.seen.empty();
    const auto gather = [&](Index k) {
        const PhyxelPush<Dim>& own = work.pushes[k];
        const PhyxelGradient<Dim>& gradient = model.rest.gradients[k];
        const double b_k = b[k];
        const Lanes X_k = Lanes::load(work.places[k].rest.data());
        const Lanes x_k = Lanes::load(work.places[k].now.data());
        Lanes f = Lanes::zero();
        for (int c = 0; c < Dim; ++c) {
            f = fused(Lanes::all(gradient.weighted_offsets[c]), Lanes::load(own.Q.col(c).data()), f);
            f = fused_minus(Lanes::all(gradient.stabilizing_offsets[c]), Lanes::load(own.B.col(c).data()), f);
        }
        const std::span<const Index> ids = model.rest.neighbors.of(k);
        const std::size_t first = model.rest.neighbors.offsets()[k];
        const PairWeight* pairs = model.rest.pairs.data() + first;
        // What j pushes with, over the way w X_kj that it sees.
        const auto add_push = [&](const PhyxelPush<Dim>& push, Lanes per_r2, Lanes wX) {
            const auto column = [&](int c) {
                return fused_minus(per_r2, Lanes::load(push.B.col(c).data()),
                                   Lanes::load(push.Q.col(c).data()));
            };
            f = fused(wX.template spread<0>(), column(0), f);
            f = fused(wX.template spread<1>(), column(1), f);
            if constexpr (Dim == 3) f = fused(wX.template spread<2>(), column(2), f);
        };
        if (is_seen_alike) {
            for (std::size_t a = 0; a < ids.size(); ++a) {
                const Index j = ids[a];
                const Lanes w = Lanes::all(pairs[a].w);
                const Lanes per_r2 = Lanes::all(pairs[a].per_r2);
                const Lanes wX = w * (Lanes::load(work.places[j].rest.data()) - X_k);
                const Lanes wx = w * (Lanes::load(work.places[j].now.data()) - x_k);
                f = fused(per_r2 * Lanes::all(b_k + b[j]), wx, f);
                add_push(work.pushes[j], per_r2, wX);
            }
        } else {
            for (std::size_t a = 0; a < ids.size(); ++a) {
                const Index j = ids[a];
                const PairWeight& mine = model.rest.seen[first + a].weight;
                const SeenPair<Dim>& back = model.rest.seen[model.rest.back[first + a]];
                const double line = mine.w * mine.per_r2 * b_k + back.weight.w * back.weight.per_r2 * b[j];
                f = fused(Lanes::all(line), Lanes::load(work.places[j].now.data()) - x_k, f);
                add_push(work.pushes[j], Lanes::all(back.weight.per_r2),
                         Lanes::all(-back.weight.w) * Lanes::load(back.X.data()));
            }
        }
        alignas(32) std::array<double, 4> sum;
        f.store(sum.data());
        for (int c = 0; c < Dim; ++c) out[k][c] = sign * sum[static_cast<std::size_t>(c)];
    };
    parallel_for(model.size(), gather, block_size);
}

} // namespace

template <int Dim>
ElasticWorkspace<Dim>::ElasticWorkspace(const SolidModel<Dim>& model)
    : places(model.size()),
      pushes(model.size()),
      responses(model.size())
{
    for (std::size_t i = 0; i < model.size(); ++i) {
        places[i].rest = places[i].now = to_lane<Dim>(model.rest.position[i]);
        pushes[i].Q.setZero();
        pushes[i].B.setZero();
    }
}

template <int Dim>
void compute_responses(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                       std::span<const Vec<Dim>> velocities, ElasticWorkspace<Dim>& work)
{
    set_places<Dim>(positions, work.places);
    if (!velocities.empty()) {
        work.velocities.resize(model.size());
        parallel_for(model.size(), [&](Index i) { work.velocities[i] = to_lane<Dim>(velocities[i]); });
    }
    work.flown.resize(work.memory.shape.size());
    work.stabilization.resize(work.flown.size());
    work.has_tangent.assign(work.flown.size(), 0);
    const bool has_memory = !work.memory.shape.empty();
    const auto respond_at = [&](const auto& law, Index i) {
        const Moments<Dim> moments(model, work.places, i);
        const Mat<Dim>& inverse_moment = model.rest.gradients[i].inverse_moment;
        const Mat<Dim> whole = moments.weighted.template topRows<Dim>() * inverse_moment;
        const double expansion = expansion_of<Dim>(model, work.memory, i);
        const Mat<Dim> F = expansion == 1.0 ? whole : Mat<Dim>(whole / expansion);
        const bool spans_space = model.rest.spans_space[i] != 0;
        if (model.is_drop(i)) {
            if (has_memory) {
                work.flown[i] = {};
                work.stabilization[i] = 0.0;
            }
            work.responses[i] = {};
            work.pushes[i].Q.setZero();
            work.pushes[i].B.setZero();
            return;
        }
        if (has_memory && model.remembers_flow(i)) {
            const bool stays =
                model.rest.scale.empty() && work.memory.strain[i] == 0.0 && !model.flow_of(i).may_begin(F);
            if (stays) {
                work.flown[i] = {work.memory.shape[i], 0.0};
                work.stabilization[i] = model.stabilization[i];
            } else {
                work.flown[i] = flow<Dim>(model, work.memory, i, F);
                work.stabilization[i] =
                    model.flow_of(i).stiffness_left(work.memory.strain[i]) * model.stabilization[i];
            }
            work.responses[i] = law.respond(F, work.flown[i].shape, true);
        } else {
            if (has_memory) {
                work.flown[i] = {work.memory.shape[i], 0.0};
                work.stabilization[i] = model.stabilization[i];
            }
            work.responses[i] = law.respond(F, model.rest.rest_gradient(i), spans_space);
        }
        if (expansion != 1.0) expand<Dim>(work.responses[i], whole, expansion);
        Mat<Dim> P = first_piola(work.responses[i]);
        if (law.moduli.viscosity > 0.0 && !velocities.empty()) {
            const Mat<Dim> rate = rate_moment<Dim>(model, work, i); // Ḟ A
            const Mat<Dim> FtH = whole.transpose() * (rate * inverse_moment);
            P += whole * (law.moduli.viscosity * (FtH + FtH.transpose()));
        }
        set_push<Dim>(model, i, model.rest.volume[i] * P, moments, work);
    };
    for_each_phyxel(model, respond_at);
}

template <int Dim>
void compute_elastic_forces(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                            std::span<Vec<Dim>> forces)
{
    PHYXEL_ASSERT(forces.size() == model.size());
    gather_pushes<Dim>(model, work, 1.0, forces);
}

template <int Dim>
void apply_stiffness(const SolidModel<Dim>& model, std::span<const Vec<Dim>> change, double damping,
                     ElasticWorkspace<Dim>& work, std::span<Vec<Dim>> product)
{
    PHYXEL_ASSERT(product.size() == model.size());
    set_places<Dim>(change, work.places);
    work.flowing_tangents.resize(work.flown.size());
    const auto change_at = [&](const auto& law, Index i) {
        const Moments<Dim> moments(model, work.places, i);
        if (model.is_drop(i)) return;
        const ElasticResponse<Dim>& response = work.responses[i];
        const Mat<Dim> H = moments.weighted.template topRows<Dim>() * model.rest.gradients[i].inverse_moment;
        Mat<Dim> dP;
        if (is_flowing<Dim>(work, i))
            dP.reshaped() = flowing_tangent<Dim>(model, work, law, i) * H.reshaped();
        else
            dP = law.tangent(response, H, model.rest.spans_space[i] != 0);
        if (law.moduli.viscosity > 0.0 && damping > 0.0) {
            const Mat<Dim> FtH = response.F.transpose() * H;
            dP += response.F * (damping * law.moduli.viscosity * (FtH + FtH.transpose()));
        }
        set_push<Dim>(model, i, model.rest.volume[i] * dP, moments, work);
    };
    for_each_phyxel(model, change_at);
    gather_pushes<Dim>(model, work, -1.0, product);
}

template <int Dim>
void make_tangent_positive(const SolidModel<Dim>& model, ElasticWorkspace<Dim>& work)
{
    work.flowing_tangents.resize(work.flown.size());
    for_each_phyxel(model, [&](const auto& law, Index i) {
        if (!is_flowing<Dim>(work, i)) {
            make_positive<Dim>(law, work.responses[i], model.rest.spans_space[i] != 0);
            return;
        }
        // What flows stays as soft as it is where it is positive.
        using Tangent = Eigen::Matrix<double, Dim * Dim, Dim * Dim>;
        const Tangent& tangent = flowing_tangent<Dim>(model, work, law, i);
        const Eigen::SelfAdjointEigenSolver<Tangent> modes(0.5 * (tangent + tangent.transpose()));
        constexpr double least = 1e-4;
        const auto kept = modes.eigenvalues().cwiseMax(least * modes.eigenvalues()[Dim * Dim - 1]);
        work.flowing_tangents[i] =
            modes.eigenvectors() * kept.asDiagonal() * modes.eigenvectors().transpose();
    });
}

template <int Dim>
void compute_energies(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                      std::span<double> strain, std::span<double> stabilization,
                      std::span<const FlowStep<Dim>> flown, std::span<const double> stabilizing,
                      const FlowMemory<Dim>& memory)
{
    std::vector<PhyxelPlace<Dim>> places(model.size());
    parallel_for(model.size(), [&](Index i) {
        places[i] = {to_lane<Dim>(model.rest.position[i]), to_lane<Dim>(positions[i])};
    });
    for_each_phyxel(model, [&](const auto& law, Index i) {
        const std::span<const Index> ids = model.rest.neighbors.of(i);
        const std::size_t first = model.rest.neighbors.offsets()[i];
        const Mat<Dim> sum = Moments<Dim>(model, places, i).weighted.template topRows<Dim>();
        const Mat<Dim> F = sum * model.rest.gradients[i].inverse_moment / expansion_of<Dim>(model, memory, i);
        const bool spans_space = model.rest.spans_space[i] != 0;
        if (model.is_drop(i)) {
            strain[i] = stabilization[i] = 0.0;
            return;
        }
        const bool has_flown = !flown.empty() && model.remembers_flow(i);
        strain[i] = model.rest.volume[i] *
                    law.energy(F, has_flown ? flown[i].shape : model.rest.rest_gradient(i), spans_space);
        const Mat<Dim> affine = sum * model.rest.stabilizing_inverse(i);
        double squares = 0.0;
        for (std::size_t a = 0; a < ids.size(); ++a) {
            const Vec<Dim> x_ij = positions[ids[a]] - positions[i];
            const Vec<Dim> X_ij = model.rest.offset(i, ids[a], first + a);
            const PairWeight& pair = model.rest.weight(first + a);
            squares += pair.w * pair.per_r2 * (x_ij - affine * X_ij).squaredNorm();
        }
        stabilization[i] = 0.5 * (stabilizing.empty() ? model.stabilization[i] : stabilizing[i]) * squares;
    });
}

template <int Dim>
void accept_step(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work, SolidState<Dim>& solid)
{
    if (!solid.remembers_flow()) return;
    parallel_for(model.size(), [&](Index i) {
        if (!(work.flown[i].strain > 0.0)) return;
        solid.plastic_shape[i] = work.flown[i].shape;
        // What is liquid has nothing that hardens.
        solid.plastic_strain[i] =
            model.flow_of(i).is_liquid() ? 0.0 : solid.plastic_strain[i] + work.flown[i].strain;
    });
}

template <int Dim>
ElasticEnergy elastic_energy(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions)
{
    std::vector<double> strain(model.size()), stabilization(model.size());
    compute_energies<Dim>(model, positions, strain, stabilization);
    return {ordered_sum(model.size(), [&](Index i) { return strain[i]; }),
            ordered_sum(model.size(), [&](Index i) { return stabilization[i]; })};
}

namespace {

/// The block of phyxel i with itself is v ((λ + μ + k_v) d dᵀ + μ |d|² I), with d = ∂F_i/∂x.
template <int Dim>
double diagonal_stiffness(const SolidModel<Dim>& model, Index k)
{
    const auto trace_share = [&](Index i, const Vec<Dim>& d) {
        const ElasticModuli& material = model.moduli_of(i);
        const double along = material.lambda + material.mu + material.volume_stiffness;
        return model.rest.volume[i] * (along / Dim + material.mu) * d.squaredNorm();
    };
    const PhyxelGradient<Dim>& own = model.rest.gradients[k];
    double sum = trace_share(k, own.inverse_moment * own.weighted_offsets);
    std::size_t entry = model.rest.neighbors.offsets()[k];
    for (const Index j : model.rest.neighbors.of(k)) {
        const Vec<Dim> X_jk = model.rest.offset_back(k, j, entry);
        sum += trace_share(j, gradient_coefficient<Dim>(model.rest.gradients[j].inverse_moment,
                                                        model.rest.weight_back(entry).w, X_jk));
        sum += stabilizing_stiffness(model, k, j, entry++);
    }
    return sum;
}

} // namespace

template <int Dim>
void compute_stiffness_diagonal(const SolidModel<Dim>& model, std::span<double> diagonal)
{
    parallel_for(model.size(), [&](Index k) { diagonal[k] = diagonal_stiffness(model, k); });
}

template <int Dim>
void compute_stiffness_diagonal(const SolidModel<Dim>& model, std::span<const Index> which,
                                std::span<double> diagonal)
{
    constexpr std::size_t block_size = 64;
    parallel_for(
        which.size(), [&](Index n) { diagonal[which[n]] = diagonal_stiffness(model, which[n]); }, block_size);
}

template <int Dim>
LocalRates local_rates(const SolidModel<Dim>& model)
{
    std::vector<double> waves(model.size()), damping(model.size()), partial;
    const auto square = [&](Index i, const Vec<Dim>& d) { return model.rest.volume[i] * d.squaredNorm(); };
    const auto add = [&](Index k, Index i, double weight) {
        const ElasticModuli& material = model.moduli_of(i);
        const bool has_axes = std::holds_alternative<Hooke<Dim>>(model.law_of(i));
        waves[k] += ((has_axes ? material.wave_modulus : material.lambda + 2.0 * material.mu) +
                     material.volume_stiffness) *
                    weight;
        damping[k] += 2.0 * material.viscosity * weight;
    };
    parallel_for(model.size(), [&](Index k) {
        const PhyxelGradient<Dim>& own = model.rest.gradients[k];
        add(k, k, square(k, own.inverse_moment * own.weighted_offsets));
        std::size_t entry = model.rest.neighbors.offsets()[k];
        for (const Index j : model.rest.neighbors.of(k)) {
            const Vec<Dim> X_jk = model.rest.offset_back(k, j, entry);
            add(k, j,
                square(j, gradient_coefficient<Dim>(model.rest.gradients[j].inverse_moment,
                                                    model.rest.weight_back(entry).w, X_jk)));
            waves[k] += stabilizing_stiffness(model, k, j, entry++);
        }
    });
    const auto largest = [&](const std::vector<double>& values) {
        return ordered_max(
            model.size(), 0.0, [&](Index i) { return values[i] / model.mass[i]; }, partial);
    };
    // Measured on lattices and in disorder: the largest eigenvalues are up to 2.5 times this.
    constexpr double of_all = 2.75;
    return {.waves = of_all * largest(waves), .damping = of_all * largest(damping)};
}

template class ElasticWorkspace<2>;
template LocalRates local_rates(const SolidModel<2>&);
template LocalRates local_rates(const SolidModel<3>&);
template void compute_responses(const SolidModel<2>&, std::span<const Vec<2>>, std::span<const Vec<2>>,
                                ElasticWorkspace<2>&);
template void compute_elastic_forces(const SolidModel<2>&, const ElasticWorkspace<2>&, std::span<Vec<2>>);
template void apply_stiffness(const SolidModel<2>&, std::span<const Vec<2>>, double, ElasticWorkspace<2>&,
                              std::span<Vec<2>>);
template void make_tangent_positive(const SolidModel<2>&, ElasticWorkspace<2>&);
template void compute_energies(const SolidModel<2>&, std::span<const Vec<2>>, std::span<double>,
                               std::span<double>, std::span<const FlowStep<2>>, std::span<const double>,
                               const FlowMemory<2>&);
template void accept_step(const SolidModel<2>&, const ElasticWorkspace<2>&, SolidState<2>&);
template ElasticEnergy elastic_energy(const SolidModel<2>&, std::span<const Vec<2>>);
template void compute_stiffness_diagonal(const SolidModel<2>&, std::span<double>);
template void compute_stiffness_diagonal(const SolidModel<2>&, std::span<const Index>, std::span<double>);
template class ElasticWorkspace<3>;
template void compute_responses(const SolidModel<3>&, std::span<const Vec<3>>, std::span<const Vec<3>>,
                                ElasticWorkspace<3>&);
template void compute_elastic_forces(const SolidModel<3>&, const ElasticWorkspace<3>&, std::span<Vec<3>>);
template void apply_stiffness(const SolidModel<3>&, std::span<const Vec<3>>, double, ElasticWorkspace<3>&,
                              std::span<Vec<3>>);
template void make_tangent_positive(const SolidModel<3>&, ElasticWorkspace<3>&);
template void compute_energies(const SolidModel<3>&, std::span<const Vec<3>>, std::span<double>,
                               std::span<double>, std::span<const FlowStep<3>>, std::span<const double>,
                               const FlowMemory<3>&);
template void accept_step(const SolidModel<3>&, const ElasticWorkspace<3>&, SolidState<3>&);
template ElasticEnergy elastic_energy(const SolidModel<3>&, std::span<const Vec<3>>);
template void compute_stiffness_diagonal(const SolidModel<3>&, std::span<double>);
template void compute_stiffness_diagonal(const SolidModel<3>&, std::span<const Index>, std::span<double>);

} // namespace phyxel
