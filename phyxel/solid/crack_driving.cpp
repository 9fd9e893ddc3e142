// SPDX-License-Identifier: MIT
#include <phyxel/solid/crack_driving.h>

#include <phyxel/core/parallel_for.h>
#include <phyxel/solid/cauchy_stress.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <variant>

namespace phyxel {
namespace {

/// Of directions whose cosine is below this, fronts look in opposite ways.
constexpr double opposite = 0.5;

/// In spacings: phyxels between these are asked for stress intensities, in space those that are no farther
/// than the third along the front.
constexpr double nearest_asked = 0.75, farthest_asked = 4.0, farthest_along = 1.5;

/// Those that lie behind the front, beyond this angle, tell more of the faces than of the front [rad].
constexpr double largest_angle = 2.4;

/// A front turns by no more at once [rad], of so many directions on either side.
constexpr double largest_turn = 1.3;
constexpr int directions = 26;

template <int Dim>
struct Ramp {
    double value = 0.0;
    Vec<Dim> slope = Vec<Dim>::Zero();
};

/// φ of a node.
template <int Dim>
class FrontRamp {
public:
    FrontRamp(std::span<const FrontNode<Dim>> nodes, std::size_t node, double spacing)
        : nodes_(nodes),
          own_(nodes[node]),
          inner_(inner_reach * spacing),
          outer_(outer_reach * spacing)
    {
        for (std::size_t k = 0; k < nodes.size(); ++k) {
            if (k == node || (nodes[k].place - own_.place).norm() >= outer_) continue;
            if (nodes[k].forward.dot(own_.forward) < opposite)
                opposing_.push_back(k);
            else
                alike_.push_back(k);
        }
    }

    Ramp<Dim> at(const Vec<Dim>& x) const
    {
        const Vec<Dim> way = x - own_.place;
        const double distance = way.norm();
        Ramp<Dim> ramp;
        if (distance >= outer_) return ramp;
        ramp.value = 1.0;
        if (distance > inner_) {
            // Smooth, as a sum over phyxels is blind to where kinks are: with a straight line what is found
            // is off by up to 4 % either way, by the two distances.
            const double s = (outer_ - distance) / (outer_ - inner_);
            ramp.value = s * s * (3.0 - 2.0 * s);
            ramp.slope = -6.0 * s * (1.0 - s) / (distance * (outer_ - inner_)) * way;
        }
        double least = 1.0;
        Vec<Dim> slope = Vec<Dim>::Zero();
        for (const std::size_t k : opposing_) {
            const Vec<Dim> apart = own_.place - nodes_[k].place;
            const double length2 = apart.squaredNorm();
            const double share = length2 > 0.0 ? (x - nodes_[k].place).dot(apart) / length2 : 0.0;
            if (share >= least) continue;
            least = std::max(0.0, share);
            slope = share > 0.0 ? Vec<Dim>(apart / length2) : Vec<Dim>(Vec<Dim>::Zero());
            if (least == 0.0) break;
        }
        ramp.slope = least * ramp.slope + ramp.value * slope;
        ramp.value *= least;
        return ramp;
    }

    /// ∫ φ ds over the fronts, as far as they go along.
    double length() const
    {
        double sum = own_.share;
        for (const std::size_t k : alike_)
            sum += at(nodes_[k].place).value * nodes_[k].forward.dot(own_.forward) * nodes_[k].share;
        return sum;
    }

private:
    std::span<const FrontNode<Dim>> nodes_;
    const FrontNode<Dim>& own_;
    double inner_, outer_;
    std::vector<std::size_t> opposing_, alike_;
};

} // namespace

template <int Dim>
DrivingField<Dim> driving_field(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                                std::span<const Vec<Dim>> forces, std::span<const Vec<Dim>> velocities,
                                std::span<const Index> phyxels)
{
    const std::size_t count = phyxels.size();
    DrivingField<Dim> field;
    field.place.resize(count);
    field.volume.resize(count);
    field.density.resize(count);
    field.F.resize(count);
    field.P.resize(count);
    field.sigma.resize(count);
    field.energy.resize(count);
    field.force.resize(count);
    field.velocity.resize(count, Vec<Dim>::Zero());
    field.velocity_gradient.resize(count, Mat<Dim>::Zero());
    parallel_for(
        count,
        [&](Index k) {
            const Index i = phyxels[k];
            const ElasticResponse<Dim>& response = work.responses[i];
            field.place[k] = model.rest.position[i];
            field.volume[k] = model.rest.volume[i];
            field.density[k] = model.mass[i] / model.rest.volume[i];
            field.F[k] = response.F;
            field.P[k] = first_piola(response);
            field.sigma[k] = cauchy_stress(response);
            const bool spans_space = model.rest.spans_space[i] != 0;
            const bool has_flown = !work.flown.empty() && model.remembers_flow(i);
            const Mat<Dim> at_rest = has_flown ? work.flown[i].shape : model.rest.rest_gradient(i);
            const double expansion = expansion_of<Dim>(model, work.memory, i);
            field.energy[k] = std::visit(
                [&](const auto& law) { return law.energy(response.F / expansion, at_rest, spans_space); },
                model.law_of(i));
            field.force[k] = forces[i];
            if (velocities.empty()) return;
            field.velocity[k] = velocities[i];
            field.velocity_gradient[k] = model.rest.deformation(velocities, i);
        },
        16);
    return field;
}

template <int Dim>
Mat<Dim> mean_rotation(const DrivingField<Dim>& field, std::span<const std::size_t> domain)
{
    Mat<Dim> mean = Mat<Dim>::Zero();
    for (const std::size_t k : domain) mean += field.volume[k] * field.F[k];
    const Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes(Mat<Dim>(mean.transpose() * mean));
    if (!(modes.eigenvalues()[0] > 0.0)) return Mat<Dim>::Identity();
    const Vec<Dim> roots = modes.eigenvalues().cwiseSqrt().cwiseInverse();
    return mean * (modes.eigenvectors() * roots.asDiagonal() * modes.eigenvectors().transpose());
}

template <int Dim>
double energy_release(const SolidModel<Dim>& model, const DrivingField<Dim>& field,
                      std::span<const std::size_t> domain, std::span<const FrontNode<Dim>> nodes,
                      std::size_t node, double spacing)
{
    const double of_strain = model.fault == Fault::NoStrainInRelease ? 0.0 : 1.0;
    const double whole = model.fault == Fault::HalvedRelease ? 0.5 : 1.0;
    const FrontRamp<Dim> ramp(nodes, node, spacing);
    const double length = ramp.length();
    if (domain.empty() || !(length > 0.0)) return 0.0;
    const Mat<Dim> rotation = mean_rotation(field, domain);
    Vec<Dim> mean = Vec<Dim>::Zero();
    double volume = 0.0;
    for (const std::size_t k : domain) {
        mean += field.volume[k] * field.velocity[k];
        volume += field.volume[k];
    }
    mean /= volume;
    const Vec<Dim>& t = nodes[node].forward;
    double sum = 0.0;
    for (const std::size_t k : domain) {
        const Ramp<Dim> phi = ramp.at(field.place[k]);
        if (phi.value == 0.0) continue;
        const Vec<Dim> Ht = (field.F[k] - rotation) * t;
        const Vec<Dim> v = field.velocity[k] - mean;
        const double kinetic = 0.5 * field.density[k] * v.squaredNorm();
        sum += field.volume[k] * ((field.P[k].transpose() * Ht).dot(phi.slope) -
                                  (of_strain * field.energy[k] + kinetic) * t.dot(phi.slope));
        sum += phi.value * (field.force[k].dot(Ht) -
                            field.volume[k] * field.density[k] * v.dot(field.velocity_gradient[k] * t));
    }
    return whole * sum / length;
}

template <int Dim>
FrontWay<Dim> front_way(const SolidModel<Dim>& model, const DrivingField<Dim>& field,
                        std::span<const std::size_t> domain, const FrontNode<Dim>& node,
                        const BreakingLaw<Dim>& law, double spacing)
{
    const bool weighs_toughness = model.fault != Fault::NoToughness;
    FrontWay<Dim> way{.direction = node.forward, .normal = node.normal};
    const Mat<Dim> rotation = mean_rotation(field, domain);
    const Vec<Dim>&t = node.forward, &n = node.normal;
    Mat<3> A = Mat<3>::Zero();
    Vec<3> b = Vec<3>::Zero();
    for (const std::size_t k : domain) {
        const Vec<Dim> apart = field.place[k] - node.place;
        const double ahead = apart.dot(t), across = apart.dot(n);
        const double r = std::hypot(ahead, across) / spacing;
        if (r < nearest_asked || r > farthest_asked) continue;
        const double along2 = apart.squaredNorm() / (spacing * spacing) - r * r;
        if (along2 > farthest_along * farthest_along) continue;
        const double angle = std::atan2(across, ahead);
        if (std::abs(angle) > largest_angle) continue;
        const Mat<Dim> sigma = rotation.transpose() * field.sigma[k] * rotation;
        const double tt = t.dot(sigma * t), nn = n.dot(sigma * n), tn = t.dot(sigma * n);
        const double c = std::cos(0.5 * angle), s = std::sin(0.5 * angle);
        const double c3 = std::cos(1.5 * angle), s3 = std::sin(1.5 * angle);
        const double scale = 1.0 / std::sqrt(r);
        const Vec<3> rows[] = {Vec<3>(scale * c * (1.0 - s * s3), -scale * s * (2.0 + c * c3), 1.0),
                               Vec<3>(scale * c * (1.0 + s * s3), scale * s * c * c3, 0.0),
                               Vec<3>(scale * c * s * c3, scale * c * (1.0 - s * s3), 0.0)};
        const double values[] = {tt, nn, tn};
        const double weight = field.volume[k] * r * (farthest_asked - r);
        for (std::size_t m = 0; m < 3; ++m) {
            A += weight * rows[m] * rows[m].transpose();
            b += weight * values[m] * rows[m];
        }
    }
    const Eigen::FullPivLU<Mat<3>> solver(A);
    if (!solver.isInvertible()) return way;
    const Vec<3> K = solver.solve(b);
    const auto hoop = [&](double angle) {
        return 0.25 * (K[0] * (3.0 * std::cos(0.5 * angle) + std::cos(1.5 * angle)) -
                       3.0 * K[1] * (std::sin(0.5 * angle) + std::sin(1.5 * angle)));
    };
    const auto normal_at = [&](double angle) { return Vec<Dim>(std::cos(angle) * n - std::sin(angle) * t); };
    const double along = law.strength_along(node.place);
    const auto drive = [&](double angle) {
        return hoop(angle) / (weighs_toughness ? law.share_of(normal_at(angle), along) : 1.0);
    };
    constexpr double step = largest_turn / directions;
    int best = 0;
    for (int m = -directions; m <= directions; ++m)
        if (drive(m * step) > drive(best * step)) best = m;
    double angle = best * step;
    const double before = drive(angle - step), now = drive(angle), after = drive(angle + step);
    const double curvature = before - 2.0 * now + after;
    if (curvature < 0.0) angle += std::clamp(0.5 * (before - after) / curvature, -0.5, 0.5) * step;
    way.direction = std::cos(angle) * t + std::sin(angle) * n;
    way.normal = normal_at(angle);
    way.angle = angle;
    way.opening = hoop(angle);
    return way;
}

template struct DrivingField<2>;
template struct DrivingField<3>;
template DrivingField<2> driving_field(const SolidModel<2>&, const ElasticWorkspace<2>&,
                                       std::span<const Vec<2>>, std::span<const Vec<2>>,
                                       std::span<const Index>);
template DrivingField<3> driving_field(const SolidModel<3>&, const ElasticWorkspace<3>&,
                                       std::span<const Vec<3>>, std::span<const Vec<3>>,
                                       std::span<const Index>);
template Mat<2> mean_rotation(const DrivingField<2>&, std::span<const std::size_t>);
template Mat<3> mean_rotation(const DrivingField<3>&, std::span<const std::size_t>);
template double energy_release(const SolidModel<2>&, const DrivingField<2>&, std::span<const std::size_t>,
                               std::span<const FrontNode<2>>, std::size_t, double);
template double energy_release(const SolidModel<3>&, const DrivingField<3>&, std::span<const std::size_t>,
                               std::span<const FrontNode<3>>, std::size_t, double);
template FrontWay<2> front_way(const SolidModel<2>&, const DrivingField<2>&, std::span<const std::size_t>,
                               const FrontNode<2>&, const BreakingLaw<2>&, double);
template FrontWay<3> front_way(const SolidModel<3>&, const DrivingField<3>&, std::span<const std::size_t>,
                               const FrontNode<3>&, const BreakingLaw<3>&, double);

} // namespace phyxel
