// SPDX-License-Identifier: MIT
// Solids that touch: walls, each other, themselves. Phyxels near a surface keep their distance from those of
// another surface like small balls; a contact is a plane that is stiff on one side.
#pragma once

#include <phyxel/geometry/surroundings.h>
#include <phyxel/geometry/unfelt.h>
#include <phyxel/search/neighbor_search.h>
#include <phyxel/solid/solid_model.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace phyxel {

/// Two phyxels, or one and a wall, and the plane between them for the length of a step.
template <int Dim>
struct Contact {
    static constexpr Index wall = std::numeric_limits<Index>::max();

    Index a = 0;
    Index b = wall;
    int obstacle = -1;   ///< of a wall; −1 for a side of the domain
    Vec<Dim> normal;     ///< towards a
    double offset = 0.0; ///< normal · x_a, or normal · (x_a − x_b), where they just touch [m]
    Vec<Dim> shift = Vec<Dim>::Zero(); ///< from a to the image of it that touches [m]
    double stiffness = 0.0;            ///< [N/m]
    double friction = 0.0;             ///< Coulomb's coefficient; infinite where a wall holds what touches it
    Vec<Dim> wall_velocity = Vec<Dim>::Zero(); ///< [m/s]
    double spacing = 0.0;                      ///< what depths are compared with [m]
};

/// How deep a and b are in each other, positive where they touch [m].
template <int Dim>
double contact_depth(const Contact<Dim>& contact, std::span<const Vec<Dim>> positions)
{
    double along = contact.normal.dot(positions[contact.a] + contact.shift);
    if (contact.b != Contact<Dim>::wall) along -= contact.normal.dot(positions[contact.b]);
    return contact.offset - along;
}

/// Finds pairs of phyxels that may touch. Pairs are found again when something has moved so far that one
/// could have been missed; what is reported never depends on when that was.
template <int Dim>
class ContactSearch {
public:
    explicit ContactSearch(const SolidModel<Dim>& model);

    /// After neighbours, or what can touch, have changed.
    void update_rest(const SolidModel<Dim>& model);
    /// After cracks have changed weights of pairs: of these phyxels, ascending. What is then found is the
    /// same, but only pairs of these are looked for anew.
    void update_pairs(const SolidModel<Dim>& model, std::span<const Index> changed);

    /// What the parts do not feel from now on; empty if all of them feel everything.
    void set_unfelt(std::vector<Unfelt> unfelt);
    bool feels(std::uint32_t part, int wall) const
    {
        return unfelt_.empty() || !unfelt_[part].has_wall(wall);
    }

    /// Appends the contacts of phyxels that come closer than they may while they move with `velocities` for
    /// `dt` [s], by number. Without time, those that touch now.
    void find_pairs(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions,
                    std::span<const Vec<Dim>> velocities, double dt, const PeriodicBox<Dim>& periodic,
                    std::vector<Contact<Dim>>& contacts);

    /// Appends the contacts with walls of phyxels at `places`: of all, since what is crushed against a wall
    /// must not leak through it from inside either.
    void find_walls(const SolidModel<Dim>& model, std::span<const Vec<Dim>> places,
                    const Surroundings<Dim>& surroundings, std::vector<Contact<Dim>>& contacts);

private:
    struct Pair {
        Index a, b;
        double distance; ///< at which they touch [m]
    };
    void choose_searched(const SolidModel<Dim>& model);
    void rebuild(const SolidModel<Dim>& model, std::span<const Vec<Dim>> positions, double reach);
    std::optional<double> touching_distance(const SolidModel<Dim>& model, Index a, Index b) const;

    std::vector<Unfelt> unfelt_; ///< by the parts
    /// Phyxels that can touch anything; of parts in which cracks go on also those that may be able to soon.
    std::vector<Index> searched_;
    std::vector<std::uint8_t> has_cracks_that_go_on_; ///< by the parts
    std::optional<NeighborSearch<Dim>> search_;
    PeriodicBox<Dim> periodic_;
    std::vector<Vec<Dim>> searched_at_; ///< where they were
    double searched_reach_ = 0.0;
    double largest_radius_ = 0.0;
    std::vector<Pair> pairs_;
    std::vector<std::vector<Pair>> found_pairs_; ///< by block
    std::vector<Index> rank_;                    ///< of those that are searched in the order of the search
    std::vector<Vec<Dim>> partial_vectors_;
    std::vector<Vec<Dim>> points_;
    std::vector<double> partial_;
    std::vector<std::vector<Contact<Dim>>> found_; ///< by block
};

/// Adds the forces of contacts to those of their phyxels. Friction is Coulomb's, never more than what stops
/// the sliding within a step of `dt` [s].
template <int Dim>
void add_contact_forces(const SolidModel<Dim>& model, std::span<const Contact<Dim>> contacts,
                        std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities, double dt,
                        std::span<Vec<Dim>> forces);

/// Adds what contacts that touch at `positions` add to K·change; friction is taken as it slides now.
template <int Dim>
void add_contact_stiffness(const SolidModel<Dim>& model, std::span<const Contact<Dim>> contacts,
                           std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                           double dt, std::span<const Vec<Dim>> change, std::span<Vec<Dim>> product);

/// √(2 Σk/m) of the phyxel where it is largest: how fast contacts make it swing when they touch; or, if that
/// is more, ten times the share of their distance that two phyxels come nearer in a second [1/s].
template <int Dim>
double contact_frequency(const SolidModel<Dim>& model, std::span<const Contact<Dim>> contacts,
                         std::span<const Vec<Dim>> positions, std::span<const Vec<Dim>> velocities,
                         std::vector<double>& stiffness);

/// The deepest contact, in spacings; one with a wall is no deeper than walls allow.
template <int Dim>
double largest_penetration(std::span<const Contact<Dim>> contacts, std::span<const Vec<Dim>> positions,
                           double allowed_in_walls);

extern template class ContactSearch<2>;
extern template class ContactSearch<3>;

} // namespace phyxel
