// SPDX-License-Identifier: MIT
// Cracks of a body as sheets in the space of its rest shape: lines in the plane, triangles in space. A crack
// is no boundary of the sampling, it only dims the weights of pairs whose way crosses it [AW09, Sec. 7.3].
//
//     CrackSheets<3> cracks(spacing);
//     draw_crack<3>(cracks, polygon, distance);           // crack_drawing.h
//     find_fronts(cracks);
//     const double longer = cracks.lengthening(x, y);      // of the way between two phyxels, in supports
#pragma once

#include <phyxel/approx/crack_visibility.h>
#include <phyxel/core/types.h>
#include <phyxel/fracture/crack_data.h>
#include <phyxel/fracture/crack_rims.h>
#include <phyxel/search/hash_grid.h>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace phyxel {

/// On which side of a face something is; what is nearer to it than `tolerance` is above it.
template <int Dim>
class FacePlane {
public:
    FacePlane(const std::array<Vec<Dim>, Dim>& face, double tolerance);

    bool is_above(const Vec<Dim>& x) const { return normal_.dot(x - corner_) >= least_; }

private:
    Vec<Dim> corner_, normal_; ///< as long as the face is large, twice so in space
    double least_;
};

/// The middle of a face, and how far it reaches from there.
template <int Dim>
std::pair<Vec<Dim>, double> ball_around(const std::array<Vec<Dim>, Dim>& face);

/// Where the way from x to y meets a face, with what is nearer to it than `tolerance` on its positive side.
/// The same bits for y to x, and between faces with a common edge nothing slips through.
template <int Dim>
std::optional<Vec<Dim>> crossing(const std::array<Vec<Dim>, Dim>& face, const Vec<Dim>& x, const Vec<Dim>& y,
                                 double tolerance);

/// Length or area.
template <int Dim>
double measure_of(const std::array<Vec<Dim>, Dim>& face);

/// Distance of x from a node, a line or a triangle.
template <int Dim, std::size_t Corners>
double distance_to(const std::array<Vec<Dim>, Corners>& simplex, const Vec<Dim>& x);

/// What has changed of the cracks of a body since somebody asked the last time.
template <int Dim>
struct CrackChanges {
    std::vector<Index> faces; ///< that have come or been moved, ascending
    /// Within `radius` of them is all of these faces, of where they were before, and of all fronts that have
    /// come or gone.
    std::vector<Vec<Dim>> places;
    double radius = 0.0; ///< [m]

    bool is_empty() const { return faces.empty() && places.empty(); }
};

/// The cracks with a search over their faces. Queries may run on several threads while nobody adds anything.
template <int Dim>
class CrackSheets {
public:
    using Data = CrackData<Dim>;
    using Face = typename Data::Face;
    using Front = typename Data::Front;

    /// `spacing` [m] is that of the phyxels. Throws InputError for what is not positive and finite.
    explicit CrackSheets(double spacing, const CrackOptions& options = {});

    /// The same with cracks that were saved. Throws InputError for numbers that make no sense.
    CrackSheets(double spacing, const CrackOptions& options, Data data);

    bool is_empty() const { return data_.faces.empty(); }
    const Data& data() const { return data_; }
    double spacing() const { return spacing_; }
    /// What is nearer to a face is on its positive side [m].
    double tolerance() const { return 1e-9 * spacing_; }
    const CrackOptions& options() const { return options_; }
    /// One more than the largest that a face has.
    std::uint32_t crack_count() const { return crack_count_; }

    std::array<Vec<Dim>, Dim> corners(std::size_t face) const;
    /// The only face with this side; none if several have it.
    std::optional<Index> rim_face(const CrackSide<Dim>& side) const { return rims_.face_at(side); }

    /// `distance` as in CrackData.
    Index add_node(const Vec<Dim>& x, double distance);
    /// Moves a node, as by a front that goes on, and its faces with it; not farther than a face is long.
    /// Fronts are then to be set, also if they are the same.
    void move_node(Index node, const Vec<Dim>& x, double distance);
    /// Throws InputError for a face without area.
    void add_face(const Face& face, std::uint32_t crack);
    /// In place of all that there are, in the order of cracks and nodes; the nodes of each are ascending.
    void set_fronts(std::vector<Front> fronts, std::vector<std::uint32_t> cracks);
    /// Faces at which fronts may have come or gone within `reach` [m] of a rim since this was asked the last
    /// time, ascending; whether anything at all has changed.
    bool take_unsettled(double reach, std::vector<Index>& faces);

    /// Calls visit(face, x_s) for the faces that the way from x to y meets, by number.
    template <class Visit>
    void for_each_crossing(const Vec<Dim>& x, const Vec<Dim>& y, const Visit& visit) const
    {
        if (is_empty()) return;
        std::vector<Index> near;
        faces_.radius(0.5 * (x + y), 0.5 * (y - x).norm() + largest_face_ + tolerance(), near);
        for (const Index face : near)
            if (const auto met = crossing<Dim>(corners(face), x, y, tolerance())) visit(face, *met);
    }

    bool is_crossed(const Vec<Dim>& x, const Vec<Dim>& y) const;

    /// d_s, from a place to the nearest front of a crack; infinite from κ spacings on [m].
    double front_distance(std::uint32_t crack, const Vec<Dim>& place) const;

    /// By how much the cracks lengthen the way between x and y, in support radii: (d_s / (κ spacing))², the
    /// second term of [AW09, Eq. 70]; 0 if there is none in between, and infinite where nothing is seen,
    /// which is from 1 on. Where several are met, the one with the longest way counts, not their sum.
    double lengthening(const Vec<Dim>& x, const Vec<Dim>& y) const;
    /// By a face alone, which the way meets there.
    double lengthening_at(Index face, const Vec<Dim>& met) const;

    /// Faces nearer to x than `reach` [m], by number.
    std::vector<Index> faces_near(const Vec<Dim>& x, double reach) const;

    /// Faces with a point nearer to one of the places than `reach` [m], and some more; ascending.
    std::vector<Index> faces_around(std::span<const Vec<Dim>> places, double reach) const;
    /// Whether any is nearer to x than `reach` [m]. `hint` is one of which that may be known from before, and
    /// is to be kept for the next time.
    bool has_face_near(const Vec<Dim>& x, double reach, Index& hint) const;

    /// Since this was called the last time.
    CrackChanges<Dim> take_changes();

private:
    std::array<Vec<Dim>, Dim - 1> corners_of_front(std::size_t front) const;
    double area_inside(Index face) const;
    void insert(Index face);
    void insert_fronts();
    void touch(const Vec<Dim>& place);
    std::vector<Vec<Dim>> thinned(std::vector<Vec<Dim>> places) const;
    double thinning_radius() const;

    double spacing_;
    CrackOptions options_;
    Data data_;
    std::uint32_t crack_count_ = 0;
    HashGrid<Dim> faces_, fronts_;                    ///< by their middles
    double largest_face_ = 0.0, largest_front_ = 0.0; ///< from the middle to the farthest corner [m]
    CrackRims<Dim> rims_;
    std::vector<Vec<Dim>> touched_, unsettled_; ///< see CrackChanges, take_unsettled()
    std::vector<Index> changed_faces_;
};

extern template class CrackSheets<2>;
extern template class CrackSheets<3>;

} // namespace phyxel
