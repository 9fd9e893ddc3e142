// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_contact.h>

#include <phyxel/core/ordered_sum.h>
#include <phyxel/core/parallel_for.h>

#include <algorithm>
#include <cmath>

namespace phyxel {
namespace {

/// Stiffness of a contact over Young's modulus times the spacing (in 2D, over the modulus).
constexpr double pair_stiffness = 12.0;
constexpr double wall_stiffness = 10.0;

/// Pairs are looked for within this many spacings more than they touch at.
constexpr double search_margin = 0.5;

/// A contact that is deeper than this share of the spacing gets stiffer, up to twice as stiff at its double.
constexpr double soft_share = 0.1;

/// Two phyxels that are deeper in each other than this share of their distance meet a barrier: once their
/// centres had passed each other, they would be pushed on instead of back.
constexpr double barrier_share = 0.3;

/// Two phyxels must not come nearer within a step than by this share of their distance.
constexpr double way_share = 0.1;

/// From a to the image of it that is nearest to b.
template <int Dim>
Vec<Dim> image_shift(const PeriodicBox<Dim>& periodic, const Vec<Dim>& a, const Vec<Dim>& b)
{
    Vec<Dim> shift = Vec<Dim>::Zero();
    for (int k = 0; k < Dim; ++k)
        if (periodic.is_periodic(k))
            shift[k] = -periodic.length[k] * std::nearbyint((a[k] - b[k]) / periodic.length[k]);
    return shift;
}

template <int Dim>
double stiffness_of(const SolidModel<Dim>& model, Index i)
{
    const double spacing = model.spacing_of(i);
    return model.moduli_of(i).youngs_modulus * (Dim == 3 ? spacing : 1.0);
}

/// Force along the normal and its derivative, for a depth above 0.
template <int Dim>
struct NormalForce {
    double value;
    double slope;

    NormalForce(const Contact<Dim>& contact, double depth)
    {
        const double soft = soft_share * contact.spacing;
        const double extra = std::max(0.0, depth - soft);
        value = contact.stiffness * (depth + 0.5 * extra * extra / soft);
        slope = contact.stiffness * (1.0 + extra / soft);
        if (contact.b == Contact<Dim>::wall) return;
        // u²/(1 − u) with u from 0 to 1, and on along a line shortly before it would be infinite.
        const double room = (1.0 - barrier_share) * contact.offset;
        const double u = (depth - barrier_share * contact.offset) / room;
        if (u <= 0.0) return;
        constexpr double last = 0.95;
        const double v = std::min(u, last);
        const double steepness = v * (2.0 - v) / ((1.0 - v) * (1.0 - v));
        value += contact.stiffness * room * (v * v / (1.0 - v) + steepness * (u - v));
        slope += contact.stiffness * steepness;
    }
};

/// Whether a crack has left nothing of a pair of neighbours.
template <int Dim>
bool are_parted(const RestShape<Dim>& rest, std::size_t entry)
{
    return !rest.lengthening.empty() && !(rest.pairs[entry].w > 0.0);
}

/// What of two masses a force between them moves.
template <int Dim>
double reduced_mass(const SolidModel<Dim>& model, const Contact<Dim>& contact)
{
    const double m_a = model.mass[contact.a];
    if (contact.b == Contact<Dim>::wall) return m_a;
    const double m_b = model.mass[contact.b];
    return m_a * m_b / (m_a + m_b);
}

template <int Dim>
Vec<Dim> sliding(const Contact<Dim>& contact, std::span<const Vec<Dim>> velocities)
{
    const Vec<Dim> v = velocities[contact.a] -
                       (contact.b == Contact<Dim>::wall ? contact.wall_velocity : velocities[contact.b]);
    return v - contact.normal * contact.normal.dot(v);
}

/// Friction is −c · sliding: as if the contact were sticky, but with no more than Coulomb allows.
template <int Dim>
double stickiness(const SolidModel<Dim>& model, const Contact<Dim>& contact, double normal_force,
                  double sliding_speed, double dt)
{
    constexpr double share_of_stop = 0.5; // a phyxel has more than one contact
    const double stops = share_of_stop * reduced_mass(model, contact) / dt;
    if (sliding_speed <= 0.0 || std::isinf(contact.friction)) return stops;
    return std::min(stops, contact.friction * normal_force / sliding_speed);
}

} // namespace

template <int Dim>
ContactSearch<Dim>::ContactSearch(const SolidModel<Dim>& model)
{
    update_rest(model);
}

template <int Dim>
void ContactSearch<Dim>::set_unfelt(std::vector<Unfelt> unfelt)
{
    if (unfelt == unfelt_) return;
    unfelt_ = std::move(unfelt);
    searched_at_.clear(); // pairs have to be found again
}

template <int Dim>
void ContactSearch<Dim>::update_rest(const SolidModel<Dim>& model)
{
    searched_at_.clear();
    surface_.clear();
    largest_radius_ = 0.0;
    for (std::size_t i = 0; i < model.size(); ++i) {
        if (!model.is_surface[i]) continue;
        surface_.push_back(static_cast<Index>(i));
        largest_radius_ = std::max(largest_radius_, model.radius[i]);
    }
    points_.resize(surface_.size());
}

template <int Dim>
void ContactSearch<Dim>::rebuild(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                 double reach)
{
    for (std::size_t s = 0; s < surface_.size(); ++s) points_[s] = positions[surface_[s]];
    searched_at_ = points_;
    // Nothing is farther from the nearest image of another than half a period.
    for (int k = 0; k < Dim; ++k)
        if (periodic_.is_periodic(k)) reach = std::min(reach, 0.499 * periodic_.length[k]);
    searched_reach_ = reach;
    search_->update(points_, reach);
    const std::span<const Index> order = search_->order();
    rank_.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) rank_[order[k]] = static_cast<Index>(k);

    constexpr std::size_t block_size = 256;
    found_pairs_.resize(block_count(surface_.size(), block_size));
    parallel_for_blocks(surface_.size(), block_size, [&](const Block& block) {
        std::vector<Pair>& found = found_pairs_[block.number];
        found.clear();
        for (std::size_t s = block.begin; s < block.end; ++s) {
            const Index a = surface_[s];
            const std::size_t row = found.size();
            for (const Index n : search_->lists().of(rank_[s])) {
                const Index b = surface_[order[n]];
                if (b <= a) continue;
                double distance = model.radius[a] + model.radius[b];
                if (model.may_couple(model.part[a], model.part[b])) {
                    const std::span<const Index> coupled = model.rest.neighbors.of(a);
                    const auto place = std::lower_bound(coupled.begin(), coupled.end(), b);
                    if (place != coupled.end() && *place == b &&
                        !are_parted(model.rest, model.rest.neighbors.offsets()[a] +
                                                    static_cast<std::size_t>(place - coupled.begin())))
                        continue;
                    // What flows is kept apart by its density.
                    if (model.material_of(a).flows || model.material_of(b).flows) continue;
                }
                if (model.part[a] == model.part[b]) {
                    // Fingers that nearly touch at rest may stay as they are.
                    const double rest =
                        periodic_.difference(model.rest.position[a], model.rest.position[b]).norm();
                    distance = std::min(distance, rest);
                } else if (!unfelt_.empty() && unfelt_[model.part[a]].has_part(model.part[b])) {
                    continue;
                }
                found.push_back({a, b, distance});
            }
            std::sort(found.begin() + static_cast<std::ptrdiff_t>(row), found.end(),
                      [](const Pair& p, const Pair& q) { return p.b < q.b; });
        }
    });
    pairs_.clear();
    for (const std::vector<Pair>& found : found_pairs_)
        pairs_.insert(pairs_.end(), found.begin(), found.end());
}

template <int Dim>
void ContactSearch<Dim>::find_pairs(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                                    std::span<const Vec<Dim>> velocities, double dt,
                                    const PeriodicBox<Dim>& periodic, std::vector<Contact<Dim>>& contacts)
{
    if (surface_.empty()) return;
    if (!search_ || periodic.length != periodic_.length || periodic.min != periodic_.min) {
        periodic_ = periodic;
        search_.emplace(periodic);
        searched_at_.clear();
    }
    // What all of them do together brings none nearer to another.
    const auto farthest_from_mean = [&](const auto& value) {
        const Vec<Dim> mean =
            ordered_sum(surface_.size(), Vec<Dim>(Vec<Dim>::Zero()), value, partial_vectors_) /
            static_cast<double>(surface_.size());
        return ordered_max(
            surface_.size(), 0.0, [&](Index s) { return (value(s) - mean).norm(); }, partial_);
    };
    const double way = dt * farthest_from_mean([&](Index s) -> Vec<Dim> { return velocities[surface_[s]]; });
    const double needed = 2.0 * largest_radius_ + 2.0 * way;
    double moved = std::numeric_limits<double>::infinity();
    if (searched_at_.size() == surface_.size())
        moved =
            farthest_from_mean([&](Index s) -> Vec<Dim> { return positions[surface_[s]] - searched_at_[s]; });
    if (needed + 2.0 * moved > searched_reach_)
        rebuild(model, positions, needed + 2.0 * search_margin * largest_radius_);

    const double stiffness = model.fault == Fault::SoftContacts ? 0.01 * pair_stiffness : pair_stiffness;
    for (const Pair& pair : pairs_) {
        const Vec<Dim> apart = periodic_.difference(positions[pair.a], positions[pair.b]);
        const Vec<Dim> way_apart = dt * (velocities[pair.a] - velocities[pair.b]);
        // Nearest they come on the way.
        const double length2 = way_apart.squaredNorm();
        const double when = length2 > 0.0 ? std::clamp(-apart.dot(way_apart) / length2, 0.0, 1.0) : 0.0;
        if ((apart + when * way_apart).squaredNorm() >= pair.distance * pair.distance) continue;
        const double distance = apart.norm();
        if (!(distance > 0.0)) continue;
        Contact<Dim> contact;
        contact.a = pair.a;
        contact.b = pair.b;
        contact.shift = image_shift<Dim>(periodic_, positions[pair.a], positions[pair.b]);
        contact.normal = apart / distance;
        contact.offset = pair.distance;
        const double k_a = stiffness_of(model, pair.a);
        const double k_b = stiffness_of(model, pair.b);
        contact.stiffness = stiffness * 2.0 * k_a * k_b / (k_a + k_b);
        contact.friction = std::min(model.material_of(pair.a).friction, model.material_of(pair.b).friction);
        contact.spacing = std::min(model.spacing_of(pair.a), model.spacing_of(pair.b));
        contacts.push_back(contact);
    }
}

template <int Dim>
void ContactSearch<Dim>::find_walls(const SolidModel<Dim>& model, std::span<const Vec<Dim>> places,
                                    const Surroundings<Dim>& surroundings,
                                    std::vector<Contact<Dim>>& contacts)
{
    if (!surroundings.domain.bounded && !surroundings.has_obstacles() && surroundings.forms.empty()) return;
    constexpr std::size_t block_size = 256;
    found_.resize(block_count(model.size(), block_size));
    parallel_for_blocks(model.size(), block_size, [&](const Block& block) {
        std::vector<Contact<Dim>>& found = found_[block.number];
        found.clear();
        for (std::size_t n = block.begin; n < block.end; ++n) {
            const auto i = static_cast<Index>(n);
            for_each_wall_and_form(surroundings, places[i], model.radius[i], [&](const NearWall<Dim>& wall) {
                if (!feels(model.part[i], wall.obstacle)) return;
                Contact<Dim> contact;
                contact.a = i;
                contact.obstacle = wall.obstacle;
                contact.normal = wall.normal;
                contact.shift = wall.shift;
                contact.offset = wall.normal.dot(places[i] + wall.shift) + model.radius[i] - wall.distance;
                contact.stiffness = wall_stiffness * stiffness_of(model, i);
                contact.friction = wall.surface.no_slip          ? std::numeric_limits<double>::infinity()
                                   : wall.surface.friction > 0.0 ? wall.surface.friction
                                                                 : model.material_of(i).friction;
                if (is_form(surroundings, wall.obstacle))
                    contact.friction = std::min(wall.surface.friction, model.material_of(i).friction);
                contact.wall_velocity = wall.velocity;
                contact.spacing = model.spacing_of(i);
                found.push_back(contact);
            });
        }
    });
    for (const std::vector<Contact<Dim>>& found : found_)
        contacts.insert(contacts.end(), found.begin(), found.end());
}

template <int Dim>
void add_contact_forces(const SolidModel<Dim>& model, std::span<const Contact<Dim>> contacts,
                        std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities, double dt,
                        std::span<Vec<Dim>> forces)
{
    const double returned = model.fault == Fault::OneSidedContacts ? 0.0 : 1.0;
    const bool by_speed = model.fault == Fault::FrictionBySpeed;
    // One after the other: they are few, and two may share a phyxel.
    for (const Contact<Dim>& contact : contacts) {
        const double depth = contact_depth<Dim>(contact, positions);
        if (depth <= 0.0) continue;
        const double push = NormalForce<Dim>(contact, depth).value;
        Vec<Dim> force = push * contact.normal;
        if (contact.friction > 0.0) {
            const Vec<Dim> slides = sliding<Dim>(contact, velocities);
            force -= stickiness(model, contact, push, by_speed ? 1.0 : slides.norm(), dt) * slides;
        }
        forces[contact.a] += force;
        if (contact.b != Contact<Dim>::wall) forces[contact.b] -= returned * force;
    }
}

template <int Dim>
void add_contact_stiffness(const SolidModel<Dim>& model, std::span<const Contact<Dim>> contacts,
                           std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                           double dt, std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product)
{
    const bool by_speed = model.fault == Fault::FrictionBySpeed;
    for (const Contact<Dim>& contact : contacts) {
        const double depth = contact_depth<Dim>(contact, positions);
        if (depth <= 0.0) continue;
        const bool is_pair = contact.b != Contact<Dim>::wall;
        const Vec<Dim> d = is_pair ? Vec<Dim>(change[contact.a] - change[contact.b]) : change[contact.a];
        const NormalForce<Dim> push(contact, depth);
        const double along = contact.normal.dot(d);
        Vec<Dim> resistance = push.slope * along * contact.normal;
        if (contact.friction > 0.0) {
            const double speed = by_speed ? 1.0 : sliding<Dim>(contact, velocities).norm();
            resistance +=
                stickiness(model, contact, push.value, speed, dt) / dt * (d - along * contact.normal);
        }
        product[contact.a] += resistance;
        if (is_pair) product[contact.b] -= resistance;
    }
}

template <int Dim>
double contact_frequency(const SolidModel<Dim>& model, std::span<const Contact<Dim>> contacts,
                         std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                         std::vector<double>& stiffness)
{
    if (contacts.empty()) return 0.0;
    stiffness.assign(model.size(), 0.0);
    double largest = 0.0;
    double closing = 0.0; // the most of their distance that two come nearer in a time [1/s]
    const auto add = [&](Index i, double slope) {
        stiffness[i] += slope;
        largest = std::max(largest, stiffness[i] / model.mass[i]);
    };
    for (const Contact<Dim>& contact : contacts) {
        const double slope =
            NormalForce<Dim>(contact, std::max(0.0, contact_depth<Dim>(contact, positions))).slope;
        add(contact.a, slope);
        if (contact.b == Contact<Dim>::wall) continue;
        add(contact.b, slope);
        const double speed = contact.normal.dot(velocities[contact.b] - velocities[contact.a]);
        if (contact.offset > 0.0) closing = std::max(closing, speed / contact.offset);
    }
    // Two phyxels that swing against each other do so with half their mass.
    return std::max(std::sqrt(2.0 * largest), closing / way_share);
}

template <int Dim>
double largest_penetration(std::span<const Contact<Dim>> contacts, std::span<const Vec<Dim>> positions,
                           double allowed_in_walls)
{
    double largest = 0.0;
    for (const Contact<Dim>& contact : contacts) {
        double depth = contact_depth<Dim>(contact, positions) / contact.spacing;
        if (contact.b == Contact<Dim>::wall) depth = std::min(depth, allowed_in_walls);
        largest = std::max(largest, depth);
    }
    return largest;
}

template class ContactSearch<2>;
template void add_contact_forces(const SolidModel<2>&, std::span<const Contact<2>>, std::span<const Vec<2>>,
                                 std::span<const Vec<2>>, double, std::span<Vec<2>>);
template void add_contact_stiffness(const SolidModel<2>&, std::span<const Contact<2>>,
                                    std::span<const Vec<2>>, std::span<const Vec<2>>, double,
                                    std::span<const Vec<2>>, std::span<Vec<2>>);
template double contact_frequency(const SolidModel<2>&, std::span<const Contact<2>>, std::span<const Vec<2>>,
                                  std::span<const Vec<2>>, std::vector<double>&);
template double largest_penetration(std::span<const Contact<2>>, std::span<const Vec<2>>, double);
template class ContactSearch<3>;
template void add_contact_forces(const SolidModel<3>&, std::span<const Contact<3>>, std::span<const Vec<3>>,
                                 std::span<const Vec<3>>, double, std::span<Vec<3>>);
template void add_contact_stiffness(const SolidModel<3>&, std::span<const Contact<3>>,
                                    std::span<const Vec<3>>, std::span<const Vec<3>>, double,
                                    std::span<const Vec<3>>, std::span<Vec<3>>);
template double contact_frequency(const SolidModel<3>&, std::span<const Contact<3>>, std::span<const Vec<3>>,
                                  std::span<const Vec<3>>, std::vector<double>&);
template double largest_penetration(std::span<const Contact<3>>, std::span<const Vec<3>>, double);

} // namespace phyxel
