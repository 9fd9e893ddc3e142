// SPDX-License-Identifier: MIT
#include <phyxel/fracture/crack_sheets.h>

#include <phyxel/core/assert.h>
#include <phyxel/core/error.h>
#include <phyxel/core/number_text.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double cross(const Vec<2>& a, const Vec<2>& b) { return a[0] * b[1] - a[1] * b[0]; }

template <int Dim>
bool is_before(const Vec<Dim>& x, const Vec<Dim>& y)
{
    return std::lexicographical_compare(x.data(), x.data() + Dim, y.data(), y.data() + Dim);
}

/// The normal, as long as the face is large (twice so in space).
Vec<2> normal_of(const std::array<Vec<2>, 2>& face)
{
    const Vec<2> along = face[1] - face[0];
    return {-along[1], along[0]};
}
Vec<3> normal_of(const std::array<Vec<3>, 3>& face)
{
    return Vec<3>(face[1] - face[0]).cross(face[2] - face[0]);
}

/// On which side the line from a to b passes the node, or the edge from u to v. That of an edge is the
/// negative to the last bit for the edge from v to u, which a face beside it has.
double passing(const Vec<2>& a, const Vec<2>& b, const Vec<2>& u) { return cross(b - a, u - a); }
double passing(const Vec<3>& a, const Vec<3>& b, const Vec<3>& u, const Vec<3>& v)
{
    if (is_before<3>(v, u)) return -passing(a, b, v, u);
    return (b - a).dot((u - a).cross(v - a));
}

bool passes_through(const std::array<Vec<2>, 2>& face, const Vec<2>& a, const Vec<2>& b)
{
    const double first = passing(a, b, face[0]), second = passing(a, b, face[1]);
    return (first <= 0.0 && second >= 0.0) || (first >= 0.0 && second <= 0.0);
}
bool passes_through(const std::array<Vec<3>, 3>& face, const Vec<3>& a, const Vec<3>& b)
{
    const double sides[] = {passing(a, b, face[0], face[1]), passing(a, b, face[1], face[2]),
                            passing(a, b, face[2], face[0])};
    return (sides[0] <= 0.0 && sides[1] <= 0.0 && sides[2] <= 0.0) ||
           (sides[0] >= 0.0 && sides[1] >= 0.0 && sides[2] >= 0.0);
}

template <int Dim, std::size_t Corners>
Vec<Dim> middle_of(const std::array<Vec<Dim>, Corners>& simplex)
{
    Vec<Dim> sum = Vec<Dim>::Zero();
    for (const Vec<Dim>& x : simplex) sum += x;
    return sum / static_cast<double>(Corners);
}

template <int Dim, std::size_t Corners>
double radius_of(const std::array<Vec<Dim>, Corners>& simplex)
{
    const Vec<Dim> middle = middle_of(simplex);
    double radius = 0.0;
    for (const Vec<Dim>& x : simplex) radius = std::max(radius, (x - middle).norm());
    return radius;
}

template <int Dim>
double distance_to_line(const Vec<Dim>& a, const Vec<Dim>& b, const Vec<Dim>& x)
{
    const Vec<Dim> along = b - a;
    const double length2 = along.squaredNorm();
    const double share = length2 > 0.0 ? std::clamp(along.dot(x - a) / length2, 0.0, 1.0) : 0.0;
    return (a + share * along - x).norm();
}

/// Share of a face with these distances from a surface, as if they were linear in between, that is inside.
template <std::size_t Corners>
double share_inside(std::array<double, Corners> distance)
{
    std::sort(distance.begin(), distance.end());
    if (!(distance.front() < 0.0)) return 0.0;
    if (distance.back() <= 0.0) return 1.0;
    if constexpr (Corners == 2) {
        return distance[0] / (distance[0] - distance[1]);
    } else if (distance[1] > 0.0) {
        return distance[0] / (distance[0] - distance[1]) * distance[0] / (distance[0] - distance[2]);
    } else {
        return 1.0 - distance[2] / (distance[2] - distance[1]) * distance[2] / (distance[2] - distance[0]);
    }
}

void check_positive(double value, const char* what)
{
    if (!(value > 0.0 && std::isfinite(value)))
        throw InputError(std::string(what) + " is " + number_text(value) + ", must be positive and finite");
}

} // namespace

template <int Dim>
FacePlane<Dim>::FacePlane(const std::array<Vec<Dim>, Dim>& face, double tolerance)
    : corner_(face[0]),
      normal_(normal_of(face)),
      least_(-tolerance * normal_.norm())
{
}

template <int Dim>
std::pair<Vec<Dim>, double> ball_around(const std::array<Vec<Dim>, Dim>& face)
{
    return {middle_of(face), radius_of(face)};
}

template <int Dim>
std::optional<Vec<Dim>> crossing(const std::array<Vec<Dim>, Dim>& face, const Vec<Dim>& x, const Vec<Dim>& y,
                                 double tolerance)
{
    // Always seen from the same end, so that the weights of a pair are the same bits either way.
    const bool is_ordered = is_before<Dim>(x, y);
    const Vec<Dim>& a = is_ordered ? x : y;
    const Vec<Dim>& b = is_ordered ? y : x;
    const Vec<Dim> normal = normal_of(face);
    const double least = -tolerance * normal.norm();
    const double side_of_a = normal.dot(a - face[0]), side_of_b = normal.dot(b - face[0]);
    // A phyxel on the sheet itself must not hold both sides together.
    if ((side_of_a >= least) == (side_of_b >= least)) return std::nullopt;
    if (!passes_through(face, a, b)) return std::nullopt;
    return Vec<Dim>(a + std::clamp(side_of_a / (side_of_a - side_of_b), 0.0, 1.0) * (b - a));
}

template <int Dim>
double measure_of(const std::array<Vec<Dim>, Dim>& face)
{
    return normal_of(face).norm() / (Dim == 3 ? 2.0 : 1.0);
}

template <int Dim, std::size_t Corners>
double distance_to(const std::array<Vec<Dim>, Corners>& simplex, const Vec<Dim>& x)
{
    if constexpr (Corners == 1) {
        return (simplex[0] - x).norm();
    } else if constexpr (Corners == 2) {
        return distance_to_line<Dim>(simplex[0], simplex[1], x);
    } else {
        const Vec<3> normal = normal_of(simplex);
        const double size2 = normal.squaredNorm();
        if (size2 > 0.0) {
            bool is_above = true;
            for (std::size_t k = 0; k < 3; ++k) {
                const Vec<3> along = simplex[(k + 1) % 3] - simplex[k];
                is_above = is_above && normal.dot(along.cross(x - simplex[k])) >= 0.0;
            }
            if (is_above) return std::abs(normal.dot(x - simplex[0])) / std::sqrt(size2);
        }
        double distance = infinite;
        for (std::size_t k = 0; k < 3; ++k)
            distance = std::min(distance, distance_to_line<3>(simplex[k], simplex[(k + 1) % 3], x));
        return distance;
    }
}

template <int Dim>
CrackSheets<Dim>::CrackSheets(double spacing, const CrackOptions& options)
    : spacing_(spacing),
      options_(options),
      faces_((check_positive(spacing, "spacing of phyxels with cracks"), spacing)),
      fronts_(spacing)
{
    check_positive(options.translucency, "translucency of cracks");
}

template <int Dim>
CrackSheets<Dim>::CrackSheets(double spacing, const CrackOptions& options, Data data)
    : CrackSheets(spacing, options)
{
    const auto refuse = [] { throw InputError("the cracks of a body make no sense"); };
    const std::size_t count = data.nodes.size();
    const auto are_there = [&](const auto& items) {
        return std::all_of(items.begin(), items.end(), [&](const auto& corners) {
            return std::all_of(corners.begin(), corners.end(), [&](Index node) { return node < count; });
        });
    };
    if (data.distance.size() != count || data.crack_of_face.size() != data.faces.size() ||
        data.crack_of_front.size() != data.fronts.size() || !are_there(data.faces) ||
        !are_there(data.fronts) || !(data.area >= 0.0) || !std::isfinite(data.area))
        refuse();
    for (const Vec<Dim>& x : data.nodes)
        if (!x.allFinite()) refuse();
    data_ = std::move(data);
    for (std::size_t face = 0; face < data_.faces.size(); ++face) {
        crack_count_ = std::max(crack_count_, data_.crack_of_face[face] + 1);
        insert(static_cast<Index>(face));
    }
    insert_fronts();
}

template <int Dim>
std::array<Vec<Dim>, Dim> CrackSheets<Dim>::corners(std::size_t face) const
{
    std::array<Vec<Dim>, Dim> all;
    for (std::size_t k = 0; k < Dim; ++k) all[k] = data_.nodes[data_.faces[face][k]];
    return all;
}

template <int Dim>
std::array<Vec<Dim>, Dim - 1> CrackSheets<Dim>::corners_of_front(std::size_t front) const
{
    std::array<Vec<Dim>, Dim - 1> all;
    for (std::size_t k = 0; k < Dim - 1; ++k) all[k] = data_.nodes[data_.fronts[front][k]];
    return all;
}

template <int Dim>
Index CrackSheets<Dim>::add_node(const Vec<Dim>& x, double distance)
{
    if (!x.allFinite()) throw InputError("a crack is not finite");
    data_.nodes.push_back(x);
    data_.distance.push_back(distance);
    return static_cast<Index>(data_.nodes.size() - 1);
}

/// As far as it lies in the body.
template <int Dim>
double CrackSheets<Dim>::area_inside(Index face) const
{
    std::array<double, Dim> distance;
    for (std::size_t k = 0; k < Dim; ++k) distance[k] = data_.distance[data_.faces[face][k]];
    return share_inside(distance) * measure_of<Dim>(corners(face));
}

template <int Dim>
void CrackSheets<Dim>::move_node(Index node, const Vec<Dim>& x, double distance)
{
    if (!x.allFinite()) throw InputError("a crack is not finite");
    std::vector<Index> beside = faces_near(data_.nodes[node], tolerance());
    std::erase_if(beside, [&](Index face) {
        const Face& nodes = data_.faces[face];
        return std::find(nodes.begin(), nodes.end(), node) == nodes.end();
    });
    for (const Index face : beside) {
        data_.area -= area_inside(face);
        touch(middle_of(corners(face)));
        changed_faces_.push_back(face);
    }
    touch(data_.nodes[node]);
    data_.nodes[node] = x;
    data_.distance[node] = distance;
    touch(x);
    for (const Index face : beside) {
        const std::array<Vec<Dim>, Dim> places = corners(face);
        data_.area += area_inside(face);
        largest_face_ = std::max(largest_face_, radius_of(places));
        faces_.move(face, middle_of(places));
        touch(middle_of(places));
    }
    data_.area = std::max(0.0, data_.area);
}

template <int Dim>
void CrackSheets<Dim>::add_face(const Face& face, std::uint32_t crack)
{
    std::array<Vec<Dim>, Dim> places;
    for (std::size_t k = 0; k < Dim; ++k) {
        PHYXEL_ASSERT(face[k] < data_.nodes.size());
        places[k] = data_.nodes[face[k]];
    }
    if (!(measure_of<Dim>(places) > 0.0)) throw InputError("a crack has a face without area");
    data_.faces.push_back(face);
    data_.area += area_inside(static_cast<Index>(data_.faces.size() - 1));
    data_.crack_of_face.push_back(crack);
    crack_count_ = std::max(crack_count_, crack + 1);
    insert(static_cast<Index>(data_.faces.size() - 1));
}

template <int Dim>
void CrackSheets<Dim>::insert(Index face)
{
    const std::array<Vec<Dim>, Dim> places = corners(face);
    const Vec<Dim> middle = middle_of(places);
    largest_face_ = std::max(largest_face_, radius_of(places));
    faces_.insert(face, middle);
    rims_.add(data_.faces[face], data_.crack_of_face[face], face);
    changed_faces_.push_back(face);
    touch(middle);
}

template <int Dim>
void CrackSheets<Dim>::touch(const Vec<Dim>& place)
{
    touched_.push_back(place);
    unsettled_.push_back(place);
}

/// Places of a lattice, one or more near each of the many that lie side by side along a front.
template <int Dim>
std::vector<Vec<Dim>> CrackSheets<Dim>::thinned(std::vector<Vec<Dim>> places) const
{
    const double edge = 0.5 * spacing_;
    for (Vec<Dim>& x : places)
        for (Eigen::Index k = 0; k < Dim; ++k) x[k] = (std::floor(x[k] / edge) + 0.5) * edge;
    std::sort(places.begin(), places.end(), is_before<Dim>);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

template <int Dim>
double CrackSheets<Dim>::thinning_radius() const
{
    return 0.25 * spacing_ * std::sqrt(static_cast<double>(Dim)) + tolerance();
}

template <int Dim>
void CrackSheets<Dim>::set_fronts(std::vector<Front> fronts, std::vector<std::uint32_t> cracks)
{
    PHYXEL_ASSERT(fronts.size() == cracks.size());
    // Those that stay are no news.
    using Entry = std::pair<std::uint32_t, Front>;
    const auto entries = [](const std::vector<Front>& items, const std::vector<std::uint32_t>& owners) {
        std::vector<Entry> all;
        for (std::size_t k = 0; k < items.size(); ++k) all.emplace_back(owners[k], items[k]);
        if (!std::is_sorted(all.begin(), all.end())) std::sort(all.begin(), all.end());
        return all;
    };
    const std::vector<Entry> before = entries(data_.fronts, data_.crack_of_front);
    const std::vector<Entry> after = entries(fronts, cracks);
    std::vector<Entry> changed;
    std::set_symmetric_difference(before.begin(), before.end(), after.begin(), after.end(),
                                  std::back_inserter(changed));
    for (const auto& [crack, front] : changed)
        for (const Index node : front) touched_.push_back(data_.nodes[node]);
    data_.fronts = std::move(fronts);
    data_.crack_of_front = std::move(cracks);
    insert_fronts();
}

template <int Dim>
void CrackSheets<Dim>::insert_fronts()
{
    fronts_.clear();
    largest_front_ = 0.0;
    for (std::size_t front = 0; front < data_.fronts.size(); ++front) {
        const std::array<Vec<Dim>, Dim - 1> places = corners_of_front(front);
        largest_front_ = std::max(largest_front_, radius_of(places));
        fronts_.insert(static_cast<Index>(front), middle_of(places));
    }
}

template <int Dim>
bool CrackSheets<Dim>::is_crossed(const Vec<Dim>& x, const Vec<Dim>& y) const
{
    bool is = false;
    for_each_crossing(x, y, [&](Index, const Vec<Dim>&) { is = true; });
    return is;
}

template <int Dim>
double CrackSheets<Dim>::front_distance(std::uint32_t crack, const Vec<Dim>& place) const
{
    const double reach = options_.translucency * spacing_;
    std::vector<Index> near;
    fronts_.radius(place, reach + largest_front_, near);
    double distance = infinite;
    for (const Index front : near)
        if (data_.crack_of_front[front] == crack)
            distance = std::min(distance, distance_to<Dim>(corners_of_front(front), place));
    return distance < reach ? distance : infinite;
}

template <int Dim>
double CrackSheets<Dim>::lengthening(const Vec<Dim>& x, const Vec<Dim>& y) const
{
    double longest = 0.0;
    for_each_crossing(x, y, [&](Index face, const Vec<Dim>& met) {
        longest = std::max(longest, lengthening_at(face, met));
    });
    return longest;
}

template <int Dim>
double CrackSheets<Dim>::lengthening_at(Index face, const Vec<Dim>& met) const
{
    if (options_.criterion == CrackCriterion::Visibility) return infinite;
    const double ratio = front_distance(data_.crack_of_face[face], met) / (options_.translucency * spacing_);
    return ratio * ratio;
}

template <int Dim>
std::vector<Index> CrackSheets<Dim>::faces_near(const Vec<Dim>& x, double reach) const
{
    std::vector<Index> near;
    faces_.radius(x, reach + largest_face_, near);
    std::erase_if(near, [&](Index face) { return !(distance_to<Dim>(corners(face), x) < reach); });
    return near;
}

template <int Dim>
std::vector<Index> CrackSheets<Dim>::faces_around(std::span<const Vec<Dim>> places, double reach) const
{
    std::vector<Index> all, near;
    for (const Vec<Dim>& x : places) {
        faces_.radius(x, reach + largest_face_, near);
        all.insert(all.end(), near.begin(), near.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

template <int Dim>
bool CrackSheets<Dim>::has_face_near(const Vec<Dim>& x, double reach, Index& hint) const
{
    if (hint < data_.faces.size() && distance_to<Dim>(corners(hint), x) < reach) return true;
    const std::vector<Index> near = faces_near(x, reach);
    if (near.empty()) return false;
    hint = near.front();
    return true;
}

template <int Dim>
bool CrackSheets<Dim>::take_unsettled(double reach, std::vector<Index>& faces)
{
    const std::vector<Vec<Dim>> places = thinned(std::exchange(unsettled_, {}));
    // A rim near one of them belongs to a face that is no farther away than its own size.
    faces = faces_around(places, thinning_radius() + largest_face_ + reach);
    return !places.empty();
}

template <int Dim>
CrackChanges<Dim> CrackSheets<Dim>::take_changes()
{
    CrackChanges<Dim> changes{.faces = std::exchange(changed_faces_, {}),
                              .places = thinned(std::exchange(touched_, {})),
                              .radius = thinning_radius() + largest_face_};
    std::sort(changes.faces.begin(), changes.faces.end());
    changes.faces.erase(std::unique(changes.faces.begin(), changes.faces.end()), changes.faces.end());
    return changes;
}

template class FacePlane<2>;
template class FacePlane<3>;
template std::pair<Vec<2>, double> ball_around<2>(const std::array<Vec<2>, 2>&);
template std::pair<Vec<3>, double> ball_around<3>(const std::array<Vec<3>, 3>&);
template std::optional<Vec<2>> crossing<2>(const std::array<Vec<2>, 2>&, const Vec<2>&, const Vec<2>&,
                                           double);
template std::optional<Vec<3>> crossing<3>(const std::array<Vec<3>, 3>&, const Vec<3>&, const Vec<3>&,
                                           double);
template double measure_of<2>(const std::array<Vec<2>, 2>&);
template double measure_of<3>(const std::array<Vec<3>, 3>&);
template double distance_to<2>(const std::array<Vec<2>, 1>&, const Vec<2>&);
template double distance_to<2>(const std::array<Vec<2>, 2>&, const Vec<2>&);
template double distance_to<3>(const std::array<Vec<3>, 2>&, const Vec<3>&);
template double distance_to<3>(const std::array<Vec<3>, 3>&, const Vec<3>&);
template class CrackSheets<2>;
template class CrackSheets<3>;

} // namespace phyxel
