// SPDX-License-Identifier: MIT
#include <phyxel/rigid/box_contact.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <limits>

namespace phyxel {
namespace {

/// Faces of the first are preferred to those of the second, and faces to edges, by this share of the shortest
/// side: so what rests keeps its contacts.
constexpr double preference = 2e-3;

/// Points nearer than this share of the shortest side are as far out, or as deep, as each other.
constexpr double same_place = 1e-3;

/// Edges whose directions differ by a smaller sine are parallel.
constexpr double parallel = 1e-3;

/// A corner of the area that two faces share.
struct Corner {
    double u, v; ///< along the two axes of the face that cuts
    double gap;  ///< from that face
};

struct Polygon {
    std::array<Corner, 8> corners;
    std::size_t count = 0;
};

/// What of the polygon lies where sign · (u or v) ≤ most.
Polygon cut(const Polygon& polygon, int axis, double sign, double most)
{
    Polygon result;
    const auto beyond = [&](const Corner& c) { return sign * (axis == 0 ? c.u : c.v) - most; };
    for (std::size_t n = 0; n < polygon.count; ++n) {
        const Corner& from = polygon.corners[n];
        const Corner& to = polygon.corners[n + 1 < polygon.count ? n + 1 : 0];
        const double d_from = beyond(from);
        const double d_to = beyond(to);
        if (d_from <= 0.0 && result.count < 8) result.corners[result.count++] = from;
        if ((d_from <= 0.0) == (d_to <= 0.0) || result.count >= 8) continue;
        const double s = d_from / (d_from - d_to);
        result.corners[result.count++] = {from.u + s * (to.u - from.u), from.v + s * (to.v - from.v),
                                          from.gap + s * (to.gap - from.gap)};
    }
    return result;
}

/// Outermost corners along a fixed direction, away from the first, and to both sides of these two; and the
/// deepest. Where two of these are the same the later is left out. It is by this that they are known in the
/// next step: of two boxes that stand on each other it is chance which sides of whose faces make a corner.
struct Outermost {
    std::array<std::size_t, BoxContacts::most> corner{};
    std::array<std::uint64_t, BoxContacts::most> which{};
    std::size_t count = 0;

    Outermost(const Polygon& polygon, double tolerance)
    {
        std::uint64_t number = 0;
        const auto keep = [&](const auto& value) {
            std::size_t best = 0;
            for (std::size_t n = 1; n < polygon.count; ++n)
                if (value(polygon.corners[n]) > value(polygon.corners[best]) + tolerance) best = n;
            if (std::find(corner.begin(), corner.begin() + count, best) == corner.begin() + count) {
                corner[count] = best;
                which[count++] = number;
            }
            ++number;
            return polygon.corners[best];
        };
        // Slightly askew, so that corners of faces along each other are no ties.
        const Corner first = keep([](const Corner& c) { return 0.8 * c.u + 0.6 * c.v; });
        const Corner second = keep([&](const Corner& c) { return std::hypot(c.u - first.u, c.v - first.v); });
        const double u = second.u - first.u;
        const double v = second.v - first.v;
        const double length = std::max(std::hypot(u, v), 1e-300);
        const auto to_the_left = [&](const Corner& c) {
            return (u * (c.v - first.v) - v * (c.u - first.u)) / length;
        };
        keep(to_the_left);
        keep([&](const Corner& c) { return -to_the_left(c); });
        keep([](const Corner& c) { return -c.gap; });
    }
};

/// The face of `reference` whose outward normal is sign · its axis, against the face of `other` that is
/// turned towards it most, when the other has come as near along `way` as the gap allows: what falls beside
/// the face now may be above it then. Contacts are given as if `reference` was the first.
BoxContacts face_contacts(const PlacedBox& reference, int axis, double sign, const PlacedBox& other,
                          const Vec<3>& way, double gap, double margin, double tolerance, bool is_second)
{
    const Vec<3> normal = sign * reference.pose.rotation.col(axis);
    const double closing = -way.dot(normal);
    const double share = gap > 0.0 && closing > 0.0 ? std::min(1.0, gap / closing) : 0.0;
    const Vec<3> shift = share * (reference.pose.rotation.transpose() * way);
    const Vec<3> along = other.pose.rotation.transpose() * normal;
    int turned = 0;
    for (int k = 1; k < 3; ++k)
        if (std::abs(along[k]) > std::abs(along[turned]) + 1e-9) turned = k;
    const double side = along[turned] > 0.0 ? -1.0 : 1.0;

    const int axis_u = (axis + 1) % 3;
    const int axis_v = (axis + 2) % 3;
    const int other_u = (turned + 1) % 3;
    const int other_v = (turned + 2) % 3;
    const Mat<3> R = reference.pose.rotation.transpose() * other.pose.rotation;
    const Vec<3> apart =
        reference.pose.rotation.transpose() * (other.pose.translation - reference.pose.translation);
    const Vec<3> middle = apart + side * other.half_size[turned] * R.col(turned);
    const Vec<3> to_u = other.half_size[other_u] * R.col(other_u);
    const Vec<3> to_v = other.half_size[other_v] * R.col(other_v);
    Polygon polygon;
    polygon.count = 4;
    for (int n = 0; n < 4; ++n) {
        const Vec<3> X = middle + (n == 0 || n == 3 ? -1.0 : 1.0) * to_u + (n < 2 ? -1.0 : 1.0) * to_v;
        polygon.corners[static_cast<std::size_t>(n)] = {X[axis_u] + shift[axis_u], X[axis_v] + shift[axis_v],
                                                        sign * X[axis] - reference.half_size[axis]};
    }
    for (int n = 0; n < 4 && polygon.count > 0; ++n)
        polygon = cut(polygon, n / 2, n % 2 == 0 ? 1.0 : -1.0, reference.half_size[n < 2 ? axis_u : axis_v]);

    std::size_t near = 0;
    for (std::size_t n = 0; n < polygon.count; ++n)
        if (polygon.corners[n].gap < margin) polygon.corners[near++] = polygon.corners[n];
    polygon.count = near;
    BoxContacts result;
    result.normal = -normal;
    if (polygon.count == 0) return result;
    const Outermost kept(polygon, tolerance);
    const auto face = static_cast<std::uint64_t>(((is_second ? 6 : 0) + 2 * axis + (sign > 0.0 ? 1 : 0)) * 6 +
                                                 2 * turned + (side > 0.0 ? 1 : 0));
    for (std::size_t n = 0; n < kept.count; ++n) {
        const Corner& corner = polygon.corners[kept.corner[n]];
        Vec<3> X;
        X[axis_u] = corner.u - shift[axis_u];
        X[axis_v] = corner.v - shift[axis_v];
        // On the face of the one, or where the corner is, on that of the other.
        X[axis] = sign * (reference.half_size[axis] + (is_second ? corner.gap : 0.0));
        result.all[result.count++] = {reference.pose.apply(X), corner.gap, 8 * face + kept.which[n]};
    }
    return result;
}

/// An edge of each along its axis, both nearest to the other box.
BoxContacts edge_contact(const PlacedBox& a, int axis_a, const PlacedBox& b, int axis_b, const Vec<3>& normal,
                         double gap)
{
    // `normal` leads from b to a.
    std::uint64_t ends = 0;
    const auto middle_of_edge = [&](const PlacedBox& box, int axis, double sign) {
        Vec<3> X = Vec<3>::Zero();
        for (int k = 0; k < 3; ++k) {
            if (k == axis) continue;
            const bool is_upper = sign * box.pose.rotation.col(k).dot(normal) > 0.0;
            X[k] = is_upper ? box.half_size[k] : -box.half_size[k];
            ends = 2 * ends + (is_upper ? 1 : 0);
        }
        return box.pose.apply(X);
    };
    const Vec<3> p = middle_of_edge(a, axis_a, -1.0);
    const Vec<3> q = middle_of_edge(b, axis_b, 1.0);
    const Vec<3> u = a.pose.rotation.col(axis_a);
    const Vec<3> v = b.pose.rotation.col(axis_b);
    // The place on the edge of a that is nearest to the edge of b.
    const Vec<3> apart = q - p;
    const double cosine = u.dot(v);
    const double along = (apart.dot(u) - cosine * apart.dot(v)) / (1.0 - cosine * cosine);
    BoxContacts result;
    result.normal = normal;
    result.count = 1;
    result.all[0] = {p + std::clamp(along, -a.half_size[axis_a], a.half_size[axis_a]) * u, gap,
                     (std::uint64_t(1) << 20) + static_cast<std::uint64_t>(3 * axis_a + axis_b) * 16 + ends};
    return result;
}

} // namespace

std::optional<PlacedBox> box_of(const Shape<3>& shape)
{
    const std::vector<Shape<3>> parts = shape.parts();
    if (shape.is_sheet() || parts.size() != 1) return std::nullopt;
    const std::vector<Facet<3>> facets = parts.front().facets(shape.bounds().longest_side());
    if (facets.size() != 12) return std::nullopt;
    // Two neighbouring faces tell the axes.
    constexpr double tolerance = 1e-9;
    PlacedBox box;
    const Vec<3> first = area_vector(facets.front()).normalized();
    std::optional<Vec<3>> second;
    for (const Facet<3>& facet : facets) {
        const Vec<3> normal = area_vector(facet).normalized();
        if (!second && std::abs(normal.dot(first)) < 0.5) second = normal;
    }
    if (!second || std::abs(first.dot(*second)) > tolerance) return std::nullopt;
    box.pose.rotation.col(0) = first;
    box.pose.rotation.col(1) = (*second - first.dot(*second) * first).normalized();
    box.pose.rotation.col(2) = box.pose.rotation.col(0).cross(box.pose.rotation.col(1));
    Box<3> bounds;
    for (const Facet<3>& facet : facets)
        for (const Vec<3>& x : facet) bounds.extend(Vec<3>(box.pose.rotation.transpose() * x));
    box.pose.translation = box.pose.rotation * bounds.center();
    box.half_size = 0.5 * bounds.size();
    // Twelve triangles make other things, too.
    const double longest = bounds.longest_side();
    for (int n = 0; n < 8; ++n)
        if (std::abs(shape.signed_distance(box.corner(n))) > tolerance * longest) return std::nullopt;
    for (int k = 0; k < 3; ++k)
        for (const double sign : {-1.0, 1.0}) {
            const Vec<3> x = box.pose.translation + sign * box.half_size[k] * box.pose.rotation.col(k);
            if (std::abs(shape.signed_distance(x)) > tolerance * longest) return std::nullopt;
        }
    if (!(shape.signed_distance(box.pose.translation) < 0.0)) return std::nullopt;
    return box;
}

BoxContacts box_contacts(const PlacedBox& a, const PlacedBox& b, const Vec<3>& way, double margin)
{
    const Mat<3> R = a.pose.rotation.transpose() * b.pose.rotation;
    const Mat<3> size = R.cwiseAbs();
    const Vec<3> apart = b.pose.translation - a.pose.translation;
    const Vec<3> in_a = a.pose.rotation.transpose() * apart;
    const Vec<3> in_b = b.pose.rotation.transpose() * apart;
    const double shortest = 2.0 * std::min(a.half_size.minCoeff(), b.half_size.minCoeff());

    // How far they are apart along the normals of faces.
    const Vec<3> faces_a = in_a.cwiseAbs() - a.half_size - size * b.half_size;
    if (faces_a.maxCoeff() > margin) return {};
    const Vec<3> faces_b = in_b.cwiseAbs() - b.half_size - size.transpose() * a.half_size;
    if (faces_b.maxCoeff() > margin) return {};
    int axis_a = 0, axis_b = 0;
    for (int k = 1; k < 3; ++k) {
        if (faces_a[k] > faces_a[axis_a] + 1e-9 * shortest) axis_a = k;
        if (faces_b[k] > faces_b[axis_b] + 1e-9 * shortest) axis_b = k;
    }

    double best_edge = -std::numeric_limits<double>::infinity();
    int edge_a = 0, edge_b = 0;
    double edge_length = 1.0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double square = 1.0 - R(i, j) * R(i, j);
            if (square < parallel * parallel) continue;
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double along = std::abs(in_a[i2] * R(i1, j) - in_a[i1] * R(i2, j));
            const double reach = a.half_size[i1] * size(i2, j) + a.half_size[i2] * size(i1, j) +
                                 b.half_size[j1] * size(i, j2) + b.half_size[j2] * size(i, j1);
            const double length = std::sqrt(square);
            const double edge = (along - reach) / length;
            if (edge > margin) return {};
            if (edge > best_edge + 1e-9 * shortest) {
                best_edge = edge;
                edge_a = i;
                edge_b = j;
                edge_length = length;
            }
        }

    const double bias = preference * shortest;
    const double best_face = std::max(faces_a[axis_a], faces_b[axis_b]);
    if (best_edge > best_face + bias) {
        const Vec<3> across = a.pose.rotation.col(edge_a).cross(b.pose.rotation.col(edge_b)) / edge_length;
        const Vec<3> normal = across.dot(apart) > 0.0 ? Vec<3>(-across) : across;
        return edge_contact(a, edge_a, b, edge_b, normal, best_edge);
    }
    const double tolerance = same_place * shortest;
    if (faces_a[axis_a] + bias > faces_b[axis_b])
        return face_contacts(a, axis_a, in_a[axis_a] > 0.0 ? 1.0 : -1.0, b, way, faces_a[axis_a], margin,
                             tolerance, false);
    BoxContacts contacts = face_contacts(b, axis_b, in_b[axis_b] > 0.0 ? -1.0 : 1.0, a, -way, faces_b[axis_b],
                                         margin, tolerance, true);
    contacts.normal = -contacts.normal;
    return contacts;
}

} // namespace phyxel
