// SPDX-License-Identifier: MIT
#include <phyxel/geometry/surface_points.h>

#include <phyxel/core/error.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/search/hash_grid.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace phyxel {
namespace {

constexpr double most_points = 1e7;

/// Part of a facet: a segment, or a convex polygon.
template <int Dim>
struct Piece {
    static constexpr std::size_t capacity = Dim == 2 ? 2 : 24;
    std::array<Vec<Dim>, capacity> corners;
    std::size_t size = 0;

    void add(const Vec<Dim>& x) { corners[size++] = x; }
    bool is_full() const { return Dim == 3 && size == capacity; } ///< a cut may add a corner

    bool is_flat() const { return size < static_cast<std::size_t>(Dim); }

    Vec<Dim> area() const
    {
        if constexpr (Dim == 2) {
            return area_vector(Facet<2>{corners[0], corners[1]});
        } else {
            Vec<3> sum = Vec<3>::Zero();
            for (std::size_t i = 2; i < size; ++i)
                sum += area_vector(Facet<3>{corners[0], corners[i - 1], corners[i]});
            return sum;
        }
    }

    Vec<Dim> centroid() const
    {
        if constexpr (Dim == 2) {
            return 0.5 * (corners[0] + corners[1]);
        } else {
            Vec<3> sum = Vec<3>::Zero();
            double total = 0.0;
            for (std::size_t i = 2; i < size; ++i) {
                const double area = area_vector(Facet<3>{corners[0], corners[i - 1], corners[i]}).norm();
                sum += area / 3.0 * (corners[0] + corners[i - 1] + corners[i]);
                total += area;
            }
            return total > 0.0 ? Vec<3>(sum / total) : corners[0];
        }
    }
};

/// Both sides of the place where a function that is linear between corners changes its sign.
template <int Dim>
struct Halves {
    Piece<Dim> below, above;
};

template <int Dim, class Function>
Halves<Dim> cut(const Piece<Dim>& piece, const Function& value_at)
{
    Halves<Dim> halves;
    std::array<double, Piece<Dim>::capacity> values;
    for (std::size_t i = 0; i < piece.size; ++i) values[i] = value_at(piece.corners[i]);
    const auto crossing = [&](std::size_t i, std::size_t j) -> Vec<Dim> {
        // From the same side always, so that two pieces with a common edge are cut at the same bits.
        if (values[i] > values[j]) std::swap(i, j);
        const double t = values[i] / (values[i] - values[j]);
        return piece.corners[i] + t * (piece.corners[j] - piece.corners[i]);
    };
    if constexpr (Dim == 2) {
        const bool first_below = values[0] < 0.0;
        if (first_below == (values[1] < 0.0)) {
            (first_below ? halves.below : halves.above) = piece;
            return halves;
        }
        const Vec<2> x = crossing(0, 1);
        Piece<2>& first = first_below ? halves.below : halves.above;
        Piece<2>& second = first_below ? halves.above : halves.below;
        first.add(piece.corners[0]);
        first.add(x);
        second.add(x);
        second.add(piece.corners[1]);
    } else {
        for (std::size_t i = 0; i < piece.size; ++i) {
            const std::size_t j = (i + 1) % piece.size;
            (values[i] < 0.0 ? halves.below : halves.above).add(piece.corners[i]);
            if ((values[i] < 0.0) == (values[j] < 0.0)) continue;
            const Vec<3> x = crossing(i, j);
            halves.below.add(x);
            halves.above.add(x);
        }
    }
    return halves;
}

/// Columns along one direction, side by side on a grid.
template <int Dim>
struct Columns {
    Vec<Dim> direction;
    std::array<Vec<Dim>, Dim - 1> across;
    std::array<double, Dim - 1> origin;
    std::array<double, Dim - 1> width;
};

/// Along the axes first: a facet that faces an axis as much as a diagonal goes to the axis. Columns along
/// axes fill the bounds with a whole number, so that the faces of a box have no narrow strips at their ends.
template <int Dim>
std::vector<Columns<Dim>> make_columns(const Box<Dim>& bounds, double spacing)
{
    std::vector<Vec<Dim>> directions;
    constexpr int combinations = Dim == 2 ? 9 : 27;
    for (int entries = 1; entries <= Dim; ++entries)
        for (int n = 0; n < combinations; ++n) {
            Vec<Dim> d;
            for (int k = 0, rest = n; k < Dim; ++k, rest /= 3) d[k] = rest % 3 - 1;
            const auto first = std::find_if(d.begin(), d.end(), [](double x) { return x != 0.0; });
            if (first == d.end() || *first < 0.0 || d.squaredNorm() != entries) continue;
            directions.push_back(d.normalized());
        }
    std::vector<Columns<Dim>> all;
    for (const Vec<Dim>& direction : directions) {
        Columns<Dim> columns{.direction = direction, .across = {}, .origin = {}, .width = {}};
        int axis = 0;
        const bool is_axis = direction.cwiseAbs().maxCoeff(&axis) == 1.0;
        for (int k = 0; k < Dim - 1; ++k) {
            const int other = (axis + 1 + k) % Dim;
            if (is_axis)
                columns.across[k] = Vec<Dim>::Unit(other);
            else if constexpr (Dim == 2)
                columns.across[k] = Vec<2>(-direction[1], direction[0]);
            else
                columns.across[k] = k == 0 ? direction.unitOrthogonal() : direction.cross(columns.across[0]);
            columns.origin[k] = columns.across[k].dot(is_axis ? bounds.min : bounds.center());
            columns.width[k] = is_axis ? bounds.size()[other] /
                                             std::max(1.0, std::ceil(bounds.size()[other] / spacing - 1e-9))
                                       : spacing;
            if (!(columns.width[k] > 0.0)) columns.width[k] = spacing;
        }
        all.push_back(columns);
    }
    return all;
}

/// Which column a piece is in, and which way it looks along it.
template <int Dim>
using Key = std::array<std::int32_t, Dim>;

template <int Dim>
struct Element {
    Key<Dim> key;
    Vec<Dim> position;
    Vec<Dim> area;
};

/// Cuts facets into the pieces that the columns have of them.
template <int Dim>
class Cutter {
public:
    Cutter(const Box<Dim>& bounds, double spacing) : columns_(make_columns<Dim>(bounds, spacing)) {}

    /// Calls visit(piece, key) for all of them.
    template <class Visit>
    void cut_facet(const Facet<Dim>& facet, const Visit& visit) const
    {
        const Vec<Dim> n = area_vector(facet);
        if (!(n.squaredNorm() > 0.0)) return;
        int best = 0;
        double largest = 0.0;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const double towards = std::abs(columns_[i].direction.dot(n));
            if (towards <= largest * (1.0 + 1e-9)) continue;
            largest = towards;
            best = static_cast<int>(i);
        }
        Key<Dim> key{};
        key[0] = 2 * best + (columns_[best].direction.dot(n) > 0.0 ? 1 : 0);
        Piece<Dim> piece;
        for (const Vec<Dim>& corner : facet) piece.add(corner);
        cut_across<0>(piece, columns_[best], key, visit);
    }

private:
    template <int Axis, class Visit>
    void cut_across(Piece<Dim> rest, const Columns<Dim>& columns, Key<Dim> key, const Visit& visit) const
    {
        if constexpr (Axis == Dim - 1) {
            visit(rest, key);
        } else {
            const auto place = [&](const Vec<Dim>& x) {
                return (x.dot(columns.across[Axis]) - columns.origin[Axis]) / columns.width[Axis];
            };
            double low = std::numeric_limits<double>::infinity();
            double high = -low;
            for (std::size_t i = 0; i < rest.size; ++i) {
                low = std::min(low, place(rest.corners[i]));
                high = std::max(high, place(rest.corners[i]));
            }
            // What reaches into the next column by rounding only stays with its own.
            constexpr double rounding = 1e-9;
            // Numbers of columns have 32 bits.
            if (!(std::max(std::abs(low), std::abs(high)) < 1e9) || !(high - low < most_points))
                throw InputError("the surface of a shape reaches too far for pieces of its spacing");
            const auto first = static_cast<std::int32_t>(std::floor(low + rounding));
            const auto last = static_cast<std::int32_t>(std::ceil(high - rounding)) - 1;
            for (std::int32_t i = first; i < last; ++i) {
                const Halves<Dim> halves = cut(rest, [&](const Vec<Dim>& x) { return place(x) - (i + 1); });
                key[Axis + 1] = i;
                if (!halves.below.is_flat()) cut_across<Axis + 1>(halves.below, columns, key, visit);
                rest = halves.above;
                if (rest.is_flat()) return;
            }
            key[Axis + 1] = std::max(first, last);
            cut_across<Axis + 1>(rest, columns, key, visit);
        }
    }

    std::vector<Columns<Dim>> columns_;
};

/// Finds what the pieces of a part are in the whole: its surface, the same turned inside out, or nothing.
template <int Dim>
class Trimmer {
public:
    Trimmer(const Shape<Dim>& whole, const std::vector<Shape<Dim>>& parts, double spacing,
            const WorkBudget& work)
        : whole_(whole),
          parts_(parts),
          tolerance_(1e-4 * spacing),
          work_(work)
    {
        for (const Shape<Dim>& part : parts) bounds_.push_back(part.bounds());
    }

    /// Calls visit(piece, sign) for what is left of a piece of part number `own`.
    template <class Visit>
    void trim(const Piece<Dim>& piece, std::size_t own, const Visit& visit, int depth = 0) const
    {
        const Vec<Dim> center = piece.centroid();
        double radius = 0.0;
        for (std::size_t i = 0; i < piece.size; ++i)
            radius = std::max(radius, (piece.corners[i] - center).norm());
        std::vector<std::size_t> crossing;
        double work = box_work * static_cast<double>(parts_.size());
        for (std::size_t j = 0; j < parts_.size(); ++j) {
            if (j == own || !is_near(j, center, radius)) continue;
            work += parts_[j].query_work();
            if (std::abs(parts_[j].signed_distance(center)) <= radius && !lies_on(piece, parts_[j]))
                crossing.push_back(j);
        }
        work_.spend(work);

        constexpr int halvings = 3 * (Dim - 1); // to an eighth of the width
        if (!crossing.empty() && depth < halvings && !piece.is_full()) {
            const Vec<Dim> along = longest_edge(piece);
            const Halves<Dim> halves = cut(piece, [&](const Vec<Dim>& x) { return along.dot(x - center); });
            if (!halves.below.is_flat()) trim(halves.below, own, visit, depth + 1);
            if (!halves.above.is_flat()) trim(halves.above, own, visit, depth + 1);
            return;
        }
        trim_along(piece, own, crossing, 0, visit);
    }

private:
    static Vec<Dim> longest_edge(const Piece<Dim>& piece)
    {
        Vec<Dim> longest = Vec<Dim>::Zero();
        for (std::size_t i = 0; i < piece.size; ++i) {
            const Vec<Dim> edge = piece.corners[(i + 1) % piece.size] - piece.corners[i];
            if (edge.squaredNorm() > longest.squaredNorm()) longest = edge;
        }
        return longest;
    }

    bool lies_on(const Piece<Dim>& piece, const Shape<Dim>& part) const
    {
        return std::all_of(
            piece.corners.begin(), piece.corners.begin() + static_cast<std::ptrdiff_t>(piece.size),
            [&](const Vec<Dim>& x) { return std::abs(part.signed_distance(x)) <= tolerance_; });
    }

    /// Cuts along the surfaces of the parts from `next` on.
    template <class Visit>
    void trim_along(const Piece<Dim>& piece, std::size_t own, const std::vector<std::size_t>& crossing,
                    std::size_t next, const Visit& visit) const
    {
        if (next == crossing.size() || piece.is_full()) {
            if (const int sign = sign_of(piece, own); sign != 0) visit(piece, sign);
            return;
        }
        const Shape<Dim>& other = parts_[crossing[next]];
        work_.spend(static_cast<double>(piece.size) * other.query_work());
        const Halves<Dim> halves = cut(piece, [&](const Vec<Dim>& x) {
            const double phi = other.signed_distance(x);
            return std::abs(phi) <= tolerance_ ? 0.0 : phi; // faces that coincide are not cut
        });
        if (!halves.below.is_flat()) trim_along(halves.below, own, crossing, next + 1, visit);
        if (!halves.above.is_flat()) trim_along(halves.above, own, crossing, next + 1, visit);
    }

    /// Whether the surface of a part may be so near to a place.
    bool is_near(std::size_t part, const Vec<Dim>& x, double distance) const
    {
        constexpr double rounding = 1.0 + 1e-6;
        const double reach = rounding * distance + tolerance_;
        return bounds_[part].squared_distance(x) <= reach * reach;
    }

    int sign_of(const Piece<Dim>& piece, std::size_t own) const
    {
        const Vec<Dim> area = piece.area();
        if (!(area.squaredNorm() > 0.0)) return 0;
        work_.spend(2.0 * whole_.query_work() + box_work * static_cast<double>(own));
        const Vec<Dim> n = area.normalized();
        // Facets of round parts lie a little beside the surface.
        const Vec<Dim> center = piece.centroid();
        const SignedDistance<Dim> off = parts_[own].sample(center);
        const Vec<Dim> y = center - off.value * off.normal;
        // Where parts have a surface in common, the first of them has it.
        for (std::size_t j = 0; j < own; ++j)
            if (is_near(j, y, tolerance_) && std::abs(parts_[j].signed_distance(y)) <= tolerance_) return 0;
        const bool is_inside_behind = whole_.inside(y - 2.0 * tolerance_ * n);
        const bool is_inside_before = whole_.inside(y + 2.0 * tolerance_ * n);
        return static_cast<int>(is_inside_behind) - static_cast<int>(is_inside_before);
    }

    const Shape<Dim>& whole_;
    const std::vector<Shape<Dim>>& parts_;
    double tolerance_;
    const WorkBudget& work_;
    std::vector<Box<Dim>> bounds_; ///< of the parts

    static constexpr double box_work = 0.2;
};

void require_few(double points, double spacing)
{
    if (points <= most_points) return;
    throw InputError("the surface of a shape needs about " + detail::text_of(std::round(points / 1e6)) +
                     " million points at a spacing of " + detail::text_of(spacing) +
                     " m, at most 10 are possible");
}

/// Whether two areas face nearly the same way.
template <int Dim>
bool face_alike(const Vec<Dim>& a, const Vec<Dim>& b)
{
    return a.dot(b) > 0.8 * a.norm() * b.norm();
}

/// Points that others can be added to.
template <int Dim>
class Gathering {
public:
    std::size_t size() const { return points_.size(); }
    const Vec<Dim>& position(std::size_t p) const { return points_.position[p]; }
    const Vec<Dim>& area(std::size_t p) const { return points_.area[p]; }

    void add(const Vec<Dim>& position, const Vec<Dim>& area)
    {
        points_.position.push_back(position);
        points_.area.push_back(area);
        weight_.push_back(area.norm());
    }

    /// Centroids are those of the areas without their directions.
    void add_to(std::size_t p, const Vec<Dim>& position, const Vec<Dim>& area)
    {
        weight_[p] += area.norm();
        points_.position[p] += area.norm() / weight_[p] * (position - points_.position[p]);
        points_.area[p] += area;
    }

    SurfacePoints<Dim> take() { return std::move(points_); }

private:
    SurfacePoints<Dim> points_;
    std::vector<double> weight_; ///< Σ |area| of what is in each
};

/// One point for all that lie and face alike in a column.
template <int Dim>
SurfacePoints<Dim> merged(std::vector<Element<Dim>> elements, double spacing)
{
    std::stable_sort(elements.begin(), elements.end(),
                     [](const Element<Dim>& a, const Element<Dim>& b) { return a.key < b.key; });
    constexpr double apart = 1.5; // in spacings, as a column may cut a slope
    Gathering<Dim> points;
    std::size_t first = 0; // point of this column
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const Element<Dim>& element = elements[i];
        if (i == 0 || element.key != elements[i - 1].key) first = points.size();
        std::size_t p = first;
        while (p < points.size() && !(face_alike<Dim>(points.area(p), element.area) &&
                                      (points.position(p) - element.position).norm() < apart * spacing))
            ++p;
        if (p == points.size())
            points.add(element.position, element.area);
        else
            points.add_to(p, element.position, element.area);
    }
    return points.take();
}

/// Adds small points to near ones that face alike. Where a surface bends from columns of one direction to
/// those of another, and in the folds of a scan, there are many of them.
template <int Dim>
SurfacePoints<Dim> without_crumbs(const SurfacePoints<Dim>& points, double spacing)
{
    const double whole = Dim == 2 ? spacing : spacing * spacing;
    constexpr double small = 0.3, large = 1.25; // of a whole piece
    constexpr double near = 0.8;                // in spacings
    const HashGrid<Dim> grid(near * spacing, points.position);
    std::vector<Index> order(points.size()), target(points.size()), found;
    std::vector<double> area(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        order[i] = target[i] = static_cast<Index>(i);
        area[i] = points.area[i].norm();
    }
    std::stable_sort(order.begin(), order.end(), [&](Index i, Index j) { return area[i] < area[j]; });
    for (const Index i : order) {
        if (points.area[i].norm() > small * whole) break;
        if (area[i] > small * whole) continue; // has grown by what was added
        grid.radius(points.position[i], near * spacing, CellRange::Three, found);
        double least = std::numeric_limits<double>::infinity();
        for (const Index j : found) {
            const double distance = (points.position[i] - points.position[j]).squaredNorm();
            if (j == i || target[j] != j || area[i] + area[j] > large * whole || distance >= least ||
                !face_alike<Dim>(points.area[i], points.area[j]))
                continue;
            least = distance;
            target[i] = j;
        }
        if (target[i] != i) area[target[i]] += area[i];
    }
    // A point that others were added to may itself be added to another later.
    const auto last_target = [&](Index i) {
        while (target[i] != i) i = target[i];
        return i;
    };
    Gathering<Dim> kept;
    std::vector<std::size_t> place(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (target[i] != i) continue;
        place[i] = kept.size();
        kept.add(points.position[i], points.area[i]);
    }
    for (std::size_t i = 0; i < points.size(); ++i)
        if (target[i] != i)
            kept.add_to(place[last_target(static_cast<Index>(i))], points.position[i], points.area[i]);
    return kept.take();
}

/// Spreads what is missing to a sum of zero, if that is little.
template <int Dim>
void close(SurfacePoints<Dim>& points)
{
    Vec<Dim> sum = Vec<Dim>::Zero();
    double total = 0.0;
    for (const Vec<Dim>& area : points.area) {
        sum += area;
        total += area.norm();
    }
    constexpr double little = 0.02;
    if (!(sum.norm() < little * total)) return;
    for (Vec<Dim>& area : points.area) area -= area.norm() / total * sum;
}

} // namespace

template <int Dim>
SurfacePoints<Dim> surface_points(const Shape<Dim>& shape, double spacing, const WorkBudget& work)
{
    detail::require_positive(spacing, "spacing of a surface");
    const double piece_area = Dim == 2 ? spacing : spacing * spacing;
    const std::vector<Shape<Dim>> parts = shape.parts();
    const Cutter<Dim> cutter(shape.bounds(), spacing);
    const Trimmer<Dim> trimmer(shape, parts, spacing, work);
    std::vector<Element<Dim>> elements;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        require_few(parts[i].rough_area() / piece_area, spacing); // before facets are made of it
        const std::vector<Facet<Dim>> facets = parts[i].facets(spacing);
        double area = 0.0;
        for (const Facet<Dim>& facet : facets) area += area_vector(facet).norm();
        require_few(area / piece_area, spacing);
        for (const Facet<Dim>& facet : facets)
            cutter.cut_facet(facet, [&](const Piece<Dim>& piece, const Key<Dim>& key) {
                const auto add = [&](const Piece<Dim>& kept, int sign) {
                    Key<Dim> side = key;
                    if (sign < 0) side[0] ^= 1;
                    const Vec<Dim> kept_area = sign * kept.area();
                    if (kept_area.squaredNorm() > 0.0) elements.push_back({side, kept.centroid(), kept_area});
                };
                if (parts.size() == 1)
                    add(piece, 1);
                else
                    trimmer.trim(piece, i, add);
            });
    }
    SurfacePoints<Dim> points = without_crumbs(merged<Dim>(std::move(elements), spacing), spacing);
    points.is_sheet = shape.is_sheet();
    if (!points.is_sheet) close(points);
    return points;
}

template SurfacePoints<2> surface_points(const Shape<2>&, double, const WorkBudget&);
template SurfacePoints<3> surface_points(const Shape<3>&, double, const WorkBudget&);

} // namespace phyxel
