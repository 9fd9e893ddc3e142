// SPDX-License-Identifier: MIT
#include <phyxel/solid/crack_growth.h>

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/fracture/crack_fronts.h>
#include <phyxel/solid/cauchy_stress.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

namespace phyxel {
namespace {

/// In spacings: how far a front goes at once, in motion and from equilibrium to equilibrium. In motion what
/// is not taken from the solid while it gives way becomes noise, the more the longer the way is; in space
/// short ways take too long.
template <int Dim>
constexpr double moving_stride = Dim == 2 ? 0.0625 : 0.25;
constexpr double resting_stride = 0.25;

/// In spacings: what a purse may hold for the price of, how far new cracks are
/// from others, and where they lie beside the phyxel that they start at.
constexpr double largest_purse = 0.5, clearance = 4.0, offset = 0.5;

/// In spacings along a front in space: who is asked what drives it stands for those so near. What comes out
/// is a mean over many more of them anyway.
constexpr double station_reach = 0.75;

/// In spacings: how far ahead of a front what has flowed counts.
constexpr double torn_reach = 2.0;

/// Corners of a new crack in space.
constexpr int corners = 12;

/// By how much the release of a node is that of its neighbours along the front.
constexpr double shared = 0.5;

/// The largest principal stress over the strength, and the plane that it pulls at. With a grain also the
/// largest of those across it.
template <int Dim>
Onset<Dim> pull_at(const Mat<Dim>& sigma, const Mat<Dim>& F, const BreakingLaw<Dim>& law, double strength,
                   bool by_mean)
{
    Onset<Dim> onset;
    const auto look = [&](const Mat<Dim>& stress) {
        const Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes(stress);
        const Vec<Dim> n = modes.eigenvectors().col(Dim - 1);
        Vec<Dim> normal = F.transpose() * n;
        if (!(normal.norm() > 0.0)) return;
        normal.normalize();
        const double pull = by_mean ? stress.trace() / Dim : modes.eigenvalues()[Dim - 1];
        const double ratio = pull / (law.share_of(normal, strength) * strength);
        if (ratio > onset.ratio) onset = {.normal = normal, .ratio = ratio};
    };
    look(sigma);
    if (const Vec<Dim> along = F * law.grain(); along.norm() > 0.0) {
        const Vec<Dim> g = along.normalized();
        const Mat<Dim> across = Mat<Dim>::Identity() - g * g.transpose();
        look(across * sigma * across);
    }
    return onset;
}

/// The plane that the largest principal stress pulls at, if it pulls.
template <int Dim>
Onset<Dim> torn_at(const Mat<Dim>& sigma, const Mat<Dim>& F, double ratio)
{
    const Eigen::SelfAdjointEigenSolver<Mat<Dim>> modes(sigma);
    const Vec<Dim> normal = F.transpose() * modes.eigenvectors().col(Dim - 1);
    if (!(modes.eigenvalues()[Dim - 1] > 0.0) || !(normal.norm() > 0.0)) return {};
    return {.normal = normal.normalized(), .ratio = ratio};
}

/// Mean of the plastic strain ahead of a front, the more of a phyxel the nearer it is; around it where
/// nothing is ahead but the surface. `phyxels` are those of the field.
template <int Dim>
double strain_ahead(const DrivingField<Dim>& field, std::span<const Index> phyxels,
                    std::span<const double> plastic_strain, std::span<const std::size_t> domain,
                    const FrontNode<Dim>& node, double reach)
{
    struct Mean {
        double sum = 0.0, weight = 0.0;
        void add(double w, double value)
        {
            sum += w * value;
            weight += w;
        }
    } ahead, around;
    for (const std::size_t k : domain) {
        const Vec<Dim> way = field.place[k] - node.place;
        const double w = field.volume[k] * (1.0 - way.norm() / reach);
        if (!(w > 0.0)) continue;
        around.add(w, plastic_strain[phyxels[k]]);
        if (way.dot(node.forward) > 0.0) ahead.add(w, plastic_strain[phyxels[k]]);
    }
    const Mean& mean = ahead.weight > 0.0 ? ahead : around;
    return mean.weight > 0.0 ? mean.sum / mean.weight : 0.0;
}

/// Of the phyxels near a place those that hang together with the nearest, by their places in the field.
template <int Dim>
std::vector<std::size_t> domain_around(const DrivingField<Dim>& field, std::span<const Index> place_in_field,
                                       std::span<const std::uint32_t> fragments, Index first,
                                       std::span<const Index> near, const Vec<Dim>& place)
{
    double nearest = std::numeric_limits<double>::infinity();
    std::uint32_t own = 0;
    for (const Index i : near) {
        const double distance = (field.place[place_in_field[i - first]] - place).squaredNorm();
        if (distance < nearest) {
            nearest = distance;
            own = fragments[i - first];
        }
    }
    std::vector<std::size_t> domain;
    domain.reserve(near.size());
    for (const Index i : near)
        if (fragments[i - first] == own) domain.push_back(place_in_field[i - first]);
    return domain;
}

} // namespace

template <int Dim>
std::optional<Onset<Dim>> find_onset(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                                     Index first, const BreakingLaw<Dim>& law,
                                     std::span<const double> strength, std::span<const double> plastic_strain,
                                     std::span<const std::uint8_t> is_surface,
                                     const std::function<bool(Index)>& is_free)
{
    const bool by_mean = model.fault == Fault::MeanStressBreaks;
    const bool may_tear = law.fracture_strain() && !plastic_strain.empty();
    std::vector<Onset<Dim>> found(strength.size());
    parallel_for(
        strength.size(),
        [&](Index k) {
            const Index i = first + k;
            const ElasticResponse<Dim>& response = work.responses[i];
            const bool is_torn = may_tear && plastic_strain[i] > *law.fracture_strain();
            if (!(std::isfinite(strength[k]) || is_torn) || model.rest.spans_space[i] == 0) return;
            if (!(determinant<Dim>(response.F, cofactor(response.F)) > 0.0)) return;
            const Mat<Dim> sigma = cauchy_stress(response);
            if (is_torn) {
                found[k] = torn_at<Dim>(sigma, response.F, plastic_strain[i] / *law.fracture_strain());
                found[k].phyxel = i;
                return;
            }
            const double least =
                law.grain().isZero(0.0)
                    ? strength[k]
                    : strength[k] * std::min(1.0, law.share_of(law.grain().unitOrthogonal(), strength[k]));
            // No eigenvalue is larger than the largest sum of a row.
            if (!(sigma.cwiseAbs().rowwise().sum().maxCoeff() > least)) return;
            found[k] = pull_at<Dim>(sigma, response.F, law, strength[k], by_mean);
            found[k].phyxel = i;
        },
        64);
    std::vector<Index> candidates;
    for (std::size_t k = 0; k < found.size(); ++k)
        if (found[k].ratio > 1.0) candidates.push_back(static_cast<Index>(k));
    std::sort(candidates.begin(), candidates.end(), [&](Index a, Index b) {
        return std::tuple(is_surface[b], found[b].ratio, a) < std::tuple(is_surface[a], found[a].ratio, b);
    });
    for (const Index k : candidates)
        if (is_free(found[k].phyxel)) return found[k];
    return std::nullopt;
}

template <int Dim>
CrackGrowth<Dim>::CrackGrowth(const SolidModel<Dim>& model, std::size_t part, std::uint64_t seed)
    : part_(part),
      law_(model.materials[part], model.spacing_of_part[part]),
      interval_(moving_stride<Dim> * model.spacing_of_part[part] / law_.largest_speed())
{
    const Index first = model.first_of_part[part];
    const std::size_t count = model.first_of_part[part + 1] - first;
    strength_ = strength_factors(model.materials[part].breaking.strength_variation, seed, count);
    face_near_.resize(count, std::numeric_limits<Index>::max());
    for (std::size_t k = 0; k < count; ++k) {
        strength_[k] *= law_.strength_along(model.rest.position[first + k]);
        is_surface_.push_back(model.is_surface[first + k]);
    }
}

template <int Dim>
bool CrackGrowth<Dim>::grow(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                            std::span<const Vec<Dim>> velocities, std::span<const double> plastic_strain,
                            std::span<const std::uint32_t> fragments,
                            const DistanceFromSurface<Dim>& distance, SolidCracks<Dim>& cracks)
{
    bool has_grown = advance(model, work, velocities, plastic_strain, fragments, distance, cracks);
    // In an equilibrium cracks run before stress elsewhere tells anything of the next one.
    if (velocities.empty() && has_grown) return true;
    const CrackSheets<Dim>* sheets = cracks.find(part_);
    const double clear = clearance * model.spacing_of_part[part_];
    // One that is near a crack stays there, as a rule.
    const Index first = model.first_of_part[part_];
    const auto is_free = [&](Index i) {
        return sheets == nullptr ||
               !sheets->has_face_near(model.rest.position[i], clear, face_near_[i - first]);
    };
    if (const auto onset =
            find_onset<Dim>(model, work, first, law_, strength_, plastic_strain, is_surface_, is_free))
        has_grown |= start(model, *onset, distance, cracks);
    purses_.waited = has_grown ? std::max(0.0, purses_.waited - interval_) : 0.0;
    return has_grown;
}

template <int Dim>
bool CrackGrowth<Dim>::advance(const SolidModel<Dim>& model, const ElasticWorkspace<Dim>& work,
                               std::span<const Vec<Dim>> velocities, std::span<const double> plastic_strain,
                               std::span<const std::uint32_t> fragments,
                               const DistanceFromSurface<Dim>& distance, SolidCracks<Dim>& cracks)
{
    if (cracks.find(part_) == nullptr || cracks.find(part_)->data().fronts.empty()) return false;
    CrackSheets<Dim>& sheets = cracks.of(model, part_);
    const double spacing = model.spacing_of_part[part_];
    const Index first = model.first_of_part[part_];
    const std::vector<FrontNode<Dim>> nodes = front_nodes(sheets);
    const FrontStations<Dim> stations = front_stations<Dim>(nodes, station_reach * spacing);
    const std::vector<FrontNode<Dim>>& asked = stations.nodes;
    std::vector<std::vector<Index>> near(asked.size());
    parallel_for(
        asked.size(),
        [&](Index k) { near[k] = cracks.phyxels_near(model, part_, asked[k].place, outer_reach * spacing); },
        4);
    constexpr Index none = std::numeric_limits<Index>::max();
    std::vector<Index> place_in_field(strength_.size(), none);
    for (const std::vector<Index>& some : near)
        for (const Index i : some) place_in_field[i - first] = 0;
    std::vector<Index> phyxels;
    for (std::size_t k = 0; k < place_in_field.size(); ++k) {
        if (place_in_field[k] == none) continue;
        place_in_field[k] = static_cast<Index>(phyxels.size());
        phyxels.push_back(first + static_cast<Index>(k));
    }
    std::vector<Vec<Dim>> forces(model.size());
    compute_elastic_forces<Dim>(model, work, forces);
    const DrivingField<Dim> field = driving_field<Dim>(model, work, forces, velocities, phyxels);

    std::vector<double> found_release(asked.size(), 0.0);
    std::vector<FrontWay<Dim>> found_way(asked.size());
    const bool may_tear = law_.fracture_strain() && !plastic_strain.empty();
    std::vector<std::uint8_t> found_torn(asked.size(), 0);
    parallel_for(
        asked.size(),
        [&](Index k) {
            const std::vector<std::size_t> domain =
                domain_around<Dim>(field, place_in_field, fragments, first, near[k], asked[k].place);
            found_way[k] = front_way<Dim>(model, field, domain, asked[k], law_, spacing);
            if (law_.has_strength() && found_way[k].opening > 0.0)
                found_release[k] = energy_release<Dim>(model, field, domain, asked, k, spacing);
            if (!may_tear) return;
            found_torn[k] = strain_ahead<Dim>(field, phyxels, plastic_strain, domain, asked[k],
                                              torn_reach * spacing) > *law_.fracture_strain();
            // The last that holds may be bent; it goes straight.
            if (found_torn[k] != 0 && !(found_way[k].opening > 0.0))
                found_way[k] = {.direction = asked[k].forward, .normal = asked[k].normal};
        },
        1);
    std::vector<double> release(nodes.size());
    std::vector<FrontWay<Dim>> found(nodes.size());
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        release[k] = found_release[stations.of_node[k]];
        found[k] = found_way[stations.of_node[k]];
        const FrontNode<Dim>& station = asked[stations.of_node[k]];
        if (station.node == nodes[k].node && station.crack == nodes[k].crack) continue;
        const double c = std::cos(found[k].angle), s = std::sin(found[k].angle);
        found[k].direction = c * nodes[k].forward + s * nodes[k].normal;
        found[k].normal = c * nodes[k].normal - s * nodes[k].forward;
    }
    purses_.purse.resize(sheets.data().nodes.size(), 0.0);
    std::vector<Vec<Dim>> ways(nodes.size(), Vec<Dim>::Zero());
    std::vector<double> price(nodes.size()), rest(nodes.size());
    bool moves = false;
    const double way = (velocities.empty() ? resting_stride : moving_stride<Dim>)*spacing;
    double cost = 0.0, weight = 0.0;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        double released = release[k];
        if (!nodes[k].beside.empty()) {
            double others = 0.0;
            for (const std::size_t other : nodes[k].beside)
                others += release[other] / static_cast<double>(nodes[k].beside.size());
            released += shared * (others - released);
        }
        price[k] = law_.fracture_energy(nodes[k].place, found[k].normal);
        rest[k] = purses_.purse[nodes[k].node] + (released - price[k]) * way;
        const bool is_broken = model.fault == Fault::CrackByStress
                                   ? found[k].opening > law_.strength(nodes[k].place, found[k].normal)
                                   : rest[k] >= 0.0 && released > 0.0;
        const bool is_torn = found_torn[stations.of_node[k]] != 0;
        if (!(is_broken || is_torn) || !std::isfinite(price[k])) continue;
        rest[k] = std::min(rest[k], largest_purse * spacing * price[k]);
        ways[k] = way * found[k].direction;
        moves = true;
        cost += nodes[k].share * price[k];
        weight += nodes[k].share;
    }
    if (!moves) return false;
    const double area = sheets.data().area;
    const FrontGrowth growth = advance_fronts<Dim>(sheets, nodes, ways, distance);
    find_fronts(sheets);
    purses_.purse.resize(sheets.data().nodes.size(), 0.0);
    for (std::size_t k = 0; k < nodes.size(); ++k)
        if (!ways[k].isZero(0.0)) purses_.purse[growth.next[k]] = std::max(0.0, rest[k]);
    purses_.ended += growth.ended;
    if (weight > 0.0) purses_.paid += (sheets.data().area - area) * cost / weight;
    return growth.has_grown;
}

/// A line or a disc beside the phyxel.
template <int Dim>
bool CrackGrowth<Dim>::start(const SolidModel<Dim>& model, const Onset<Dim>& onset,
                             const DistanceFromSurface<Dim>& distance, SolidCracks<Dim>& cracks)
{
    const double spacing = model.spacing_of_part[part_];
    const Vec<Dim>& X = model.rest.position[onset.phyxel];
    const double radius = law_.first_radius(X, onset.normal);
    Vec<Dim> center = X + offset * spacing * onset.normal;
    if (distance(center) > distance(X - offset * spacing * onset.normal))
        center = X - offset * spacing * onset.normal;
    std::vector<Vec<Dim>> polygon;
    if constexpr (Dim == 2) {
        const Vec<2> along(-onset.normal[1], onset.normal[0]);
        polygon = {center - radius * along, center + radius * along};
    } else {
        const Vec<3> u = onset.normal.unitOrthogonal(), v = onset.normal.cross(u);
        for (int k = 0; k < corners; ++k) {
            const double angle = 2.0 * std::numbers::pi * k / corners;
            polygon.push_back(center + radius * (std::cos(angle) * u + std::sin(angle) * v));
        }
    }
    CrackSheets<Dim>& sheets = cracks.of(model, part_);
    const double area = sheets.data().area;
    if (!draw_crack<Dim>(sheets, polygon, distance)) return false;
    find_fronts(sheets);
    purses_.paid += (sheets.data().area - area) * law_.fracture_energy(X, onset.normal);
    return true;
}

template <int Dim>
void CrackGrowth<Dim>::set_purses(CrackPurses purses, std::size_t nodes)
{
    const auto is_number = [](double value) { return value >= 0.0 && std::isfinite(value); };
    if (purses.purse.size() > nodes || !std::all_of(purses.purse.begin(), purses.purse.end(), is_number) ||
        !is_number(purses.waited) || !is_number(purses.paid))
        throw InputError("the checkpoint has cracks that make no sense");
    purses_ = std::move(purses);
}

template std::optional<Onset<2>> find_onset(const SolidModel<2>&, const ElasticWorkspace<2>&, Index,
                                            const BreakingLaw<2>&, std::span<const double>,
                                            std::span<const double>, std::span<const std::uint8_t>,
                                            const std::function<bool(Index)>&);
template std::optional<Onset<3>> find_onset(const SolidModel<3>&, const ElasticWorkspace<3>&, Index,
                                            const BreakingLaw<3>&, std::span<const double>,
                                            std::span<const double>, std::span<const std::uint8_t>,
                                            const std::function<bool(Index)>&);
template class CrackGrowth<2>;
template class CrackGrowth<3>;

} // namespace phyxel
