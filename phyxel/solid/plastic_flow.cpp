// SPDX-License-Identifier: MIT
#include <phyxel/solid/plastic_flow.h>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {
namespace {

/// The equivalent plastic strain is √⅔ of the norm of its deviator, so that it is the strain along the axis
/// of a bar that is pulled.
constexpr double of_norm = 0.81649658092772603;

/// What has just flown is where it yields, but for rounding: it must not look as if it flowed any further,
/// since it would then be soft to what lets it go.
constexpr double rounding = 1e-10;

/// bₑ = Fₑ Fₑᵀ. In the plane what flows may flow across it, though nothing is stretched across: det Fₚ = 1.
template <int Dim>
Mat<3> elastic_stretch_squared(const Mat<Dim>& F, const Mat<Dim>& shape)
{
    Mat<3> b = Mat<3>::Zero();
    b.template topLeftCorner<Dim, Dim>() = F * shape * F.transpose();
    if constexpr (Dim == 2) b(2, 2) = 1.0 / determinant<2>(shape, cofactor(shape));
    return b;
}

/// σ of von Mises for stretches that are exp(strain · direction + mean) along the principal axes, of
/// neo-Hooke's law: τ = μ dev bₑ.
double von_mises(const Vec<3>& direction, double strain, double mean, double mu)
{
    const Vec<3> b = (2.0 * (strain * direction.array() + mean)).exp();
    const Vec<3> deviator = b.array() - b.mean();
    return std::sqrt(1.5) * mu * deviator.norm() / std::exp(3.0 * mean);
}

/// Where f, which grows from below to above zero between a and b, is zero: by secants that stay between
/// (Illinois). A line takes one.
template <class F>
double zero_between(double a, double b, const F& f)
{
    double f_a = f(a), f_b = f(b);
    if (f_a >= 0.0) return a;
    if (f_b <= 0.0) return b;
    const double nothing = 1e-15 * (f_b - f_a);
    int kept = 0; // the end that stayed last
    for (int turns = 0; turns < 60; ++turns) {
        const double x = std::clamp((f_b * a - f_a * b) / (f_b - f_a), std::min(a, b), std::max(a, b));
        const double f_x = f(x);
        if (std::abs(f_x) <= nothing || x == a || x == b) return x;
        if (f_x < 0.0) {
            if (kept == 1) f_b *= 0.5;
            a = x;
            f_a = f_x;
            kept = 1;
        } else {
            if (kept == -1) f_a *= 0.5;
            b = x;
            f_b = f_x;
            kept = -1;
        }
    }
    return 0.5 * (a + b);
}

} // namespace

template <int Dim>
PlasticFlow<Dim>::PlasticFlow(const SolidMaterial& material, Fault fault)
    : yields_(material.is_plastic() || material.flows),
      keeps_(material.law != ElasticLaw::Corotated),
      law_(material.plastic_flow),
      mu_(ElasticModuli(material).mu),
      yield_strain_(material.yield_strain.value_or(0.0)),
      yield_stress_(material.yield_stress.value_or(0.0)),
      hardening_(material.hardening),
      most_hardening_(material.hardening_limit),
      hardening_rate_(material.hardening_rate),
      creep_rate_(material.creep_rate),
      most_(material.max_plastic_strain.value_or(std::numeric_limits<double>::infinity())),
      fault_(fault)
{
    if (fault == Fault::OtherYieldNorm) yield_stress_ *= std::sqrt(1.5);
    const double stress = 0.999 * yield_stress_ / mu_;
    beginning_ = yield_stress_ > 0.0 ? stress * stress / 1.5 : std::pow(trace_below(yield_strain_), 3);
}

template <int Dim>
double PlasticFlow<Dim>::stiffness_left(double strain) const
{
    // What bears no shear is kept in line all the same, but its shape at rest is forgotten again and again.
    if (!yields_ || strain == 0.0 || !has_yield() || fault_ == Fault::StiffAfterFlow) return 1.0;
    const double per_strain = 1.0 / (std::sqrt(6.0) * mu_);
    const double yield = yield_strain_ + (yield_stress_ + hardened(strain)) * per_strain;
    return yield / (yield + strain / of_norm);
}

/// What the yield stress has grown by [Pa].
template <int Dim>
double PlasticFlow<Dim>::hardened(double strain) const
{
    double stress = hardening_ * strain;
    if (most_hardening_ > 0.0) stress -= most_hardening_ * std::expm1(-hardening_rate_ * strain);
    return stress;
}

/// With deviators h of the logarithmic strain, tr b / J^⅔ − 3 = Σ (exp 2h − 1 − 2h) ≥ 1.13 Σ h² as long as no
/// h is below −1: below this trace of b / J^⅔ nothing yields.
template <int Dim>
double PlasticFlow<Dim>::trace_below(double yield) const
{
    return 3.0 + 1.1 * std::min(yield * yield, 1.0);
}

/// From the elastic strain that a step begins with and that at which it yields, if it flows until there.
template <int Dim>
double PlasticFlow<Dim>::elastic_strain_after(double elastic, double yielding, double strain, double dt) const
{
    if (fault_ == Fault::CreepByTheStep) dt = 0.1;
    double after = yielding;
    if (law_ == FlowLaw::Creep) after = std::max(after, elastic * std::exp(-creep_rate_ * dt));
    return std::max(after, elastic - std::max(0.0, most_ - strain) / of_norm);
}

template <int Dim>
FlowStep<Dim> PlasticFlow<Dim>::flow(const Mat<Dim>& F, const Mat<Dim>& shape, double strain, double dt) const
{
    const FlowStep<Dim> stays{shape, 0.0};
    if (!yields_) return stays;
    if (law_ == FlowLaw::Published) return flow_in_green_strain(F, shape, strain, dt);
    const Mat<Dim> cof = cofactor(F);
    const double J = determinant<Dim>(F, cof);
    if (!(J > 0.0) || !std::isfinite(J)) return stays;
    if (!has_yield() && hardening_ == 0.0 && law_ == FlowLaw::Return && std::isinf(most_))
        return as_liquid(F, cof, J, shape);
    const bool by_stress = yield_stress_ > 0.0;
    if (strain == 0.0 && !may_begin(F)) return stays;
    const double per_strain = 1.0 / (std::sqrt(6.0) * mu_);
    const Mat<3> b = elastic_stretch_squared<Dim>(F, shape);
    if (by_stress) {
        const Mat<3> deviator = b - b.trace() / 3.0 * Mat<3>::Identity();
        if (std::sqrt(1.5) * mu_ * deviator.norm() / J <= yield_stress_ + hardened(strain)) return stays;
    } else {
        const double yield = yield_strain_ + hardened(strain) * per_strain;
        if (b.trace() / std::cbrt(J * J) < trace_below(yield)) return stays;
    }
    const Eigen::SelfAdjointEigenSolver<Mat<3>> modes(b);
    if (!(modes.eigenvalues()[0] > 0.0)) return stays;
    const Vec<3> h = 0.5 * modes.eigenvalues().array().log();
    const double mean = h.mean();
    const Vec<3> deviator = h.array() - mean;
    const double elastic = deviator.norm();
    if (!(elastic > 0.0) || !std::isfinite(elastic)) return stays;
    const Vec<3> direction = deviator / elastic;
    const double yielding = zero_between(0.0, elastic, [&](double q) {
        const double grown = hardened(strain + of_norm * (elastic - q));
        return by_stress ? von_mises(direction, q, mean, mu_) - (yield_stress_ + grown)
                         : q - (yield_strain_ + per_strain * grown);
    });
    double after = elastic_strain_after(elastic, yielding, strain, dt);
    if (!(after < (1.0 - rounding) * elastic)) return stays;
    if (fault_ == Fault::ReversedFlow) after = elastic + (elastic - after);
    const Vec<3> stretch = (2.0 * (after * direction.array() + mean)).exp();
    const Mat<3> b_after = modes.eigenvectors() * stretch.asDiagonal() * modes.eigenvectors().transpose();
    const Mat<Dim> inverse = cof.transpose() / J;
    const Mat<Dim> moved = inverse * b_after.template topLeftCorner<Dim, Dim>() * inverse.transpose();
    const double share = fault_ == Fault::PlainPlasticStrain ? 1.0 : of_norm;
    FlowStep<Dim> flown{0.5 * (moved + moved.transpose()), share * std::abs(elastic - after)};
    if constexpr (Dim == 3) flown.shape /= std::cbrt(determinant<3>(flown.shape, cofactor(flown.shape)));
    return flown;
}

/// All of the deviator goes, whose principal directions nobody asks for then.
template <int Dim>
FlowStep<Dim> PlasticFlow<Dim>::as_liquid(const Mat<Dim>& F, const Mat<Dim>& cof, double J,
                                          const Mat<Dim>& shape) const
{
    const double isotropic = std::cbrt(J * J);
    const Mat<3> b = elastic_stretch_squared<Dim>(F, shape) / isotropic;
    const Mat<3> deviator = b - b.trace() / 3.0 * Mat<3>::Identity();
    const Mat<Dim> inverse = cof.transpose() / J;
    return {isotropic * inverse * inverse.transpose(), 0.5 * of_norm * deviator.norm()};
}

/// Eₚ takes its share of E − Eₚ once the norm of that, with all components, is above the yield strain. Volume
/// flows with it. Creep goes on from step to step until what is left is below the yield strain.
template <int Dim>
FlowStep<Dim> PlasticFlow<Dim>::flow_in_green_strain(const Mat<Dim>& F, const Mat<Dim>& shape, double strain,
                                                     double dt) const
{
    const Mat<Dim> E = 0.5 * (F.transpose() * F - shape);
    const Mat<Dim> deviator = E - E.trace() / Dim * Mat<Dim>::Identity();
    const double elastic = fault_ == Fault::OtherYieldNorm ? deviator.norm() : E.norm();
    const double per_strain = 1.0 / (std::sqrt(6.0) * mu_);
    const double yield = yield_stress_ > 0.0 ? yield_stress_ * per_strain : yield_strain_;
    const double now = yield + per_strain * hardened(strain);
    if (!((1.0 - rounding) * elastic > now) || !std::isfinite(elastic)) return {shape, 0.0};
    if (fault_ == Fault::CreepByTheStep) dt = 0.1;
    double taken = creep_rate_ > 0.0 ? elastic * -std::expm1(-creep_rate_ * dt)
                                     : elastic - zero_between(0.0, elastic, [&](double q) {
                                           return q - (yield + per_strain * hardened(strain + elastic - q));
                                       });
    taken = std::min(taken, std::max(0.0, most_ - strain));
    return {shape + 2.0 * taken / elastic * E, taken};
}

template class PlasticFlow<2>;
template class PlasticFlow<3>;

} // namespace phyxel
