// SPDX-License-Identifier: MIT
#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/core/rng.h>
#include <phyxel/geometry/detail/block_sieve.h>
#include <phyxel/geometry/detail/input_text.h>
#include <phyxel/geometry/shape.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

namespace phyxel {
namespace {

/// A box that no longer lies along the axes.
template <int Dim>
struct TurnedBox {
    Box<Dim> box;
    Similarity<Dim> map;
};

struct PlacedMesh {
    MeshSolid solid;
    Similarity<3> map;
};

struct PlacedSheet {
    MeshSheet sheet;
    Similarity<3> map;
};

enum class Operation { Union, Intersection, Difference };

template <int Dim>
struct Combination {
    Operation operation;
    std::vector<Shape<Dim>> parts;
    /// Of each part: a little more than its bounds, from which it is at least as far as its surface says, and
    /// all of space if that is not so.
    std::vector<Box<Dim>> reaches = {};
    double query_work = 0.0; ///< of all parts; asked as often as the shape itself
};

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

template <int Dim>
bool is_turned(const Similarity<Dim>& map)
{
    return map.rotation != Mat<Dim>::Identity();
}

template <int Dim>
SignedDistance<Dim> opposite(const SignedDistance<Dim>& distance)
{
    return {-distance.value, -distance.normal};
}

Side opposite(Side side)
{
    if (side == Side::Surface) return Side::Surface;
    return side == Side::Inside ? Side::Outside : Side::Inside;
}

/// Puts the answers of the parts together: of a union the one nearest to inside, otherwise the one nearest to
/// outside, where all but the first part of a difference are turned inside out. `less` orders answers from
/// inside to outside. Parts of which `is_beside(reach, result)` says that they would not change the result
/// are not asked.
template <int Dim, class Ask, class Less, class IsBeside>
auto combined(const Combination<Dim>& combination, Ask&& ask, Less&& less, IsBeside&& is_beside)
{
    auto result = ask(combination.parts.front());
    for (std::size_t i = 1; i < combination.parts.size(); ++i) {
        if (combination.operation != Operation::Intersection && is_beside(combination.reaches[i], result))
            continue;
        auto answer = ask(combination.parts[i]);
        if (combination.operation == Operation::Difference) answer = opposite(answer);
        const bool decides =
            combination.operation == Operation::Union ? less(answer, result) : less(result, answer);
        if (decides) result = answer;
    }
    return result;
}

/// φ and ∇φ after a map, from those before it.
template <int Dim>
SignedDistance<Dim> mapped(const SignedDistance<Dim>& before, const Similarity<Dim>& map)
{
    return {map.scale * before.value, map.rotation * before.normal};
}

template <int Dim, class Simple>
SignedDistance<Dim> distance_to(const Simple& shape, const Vec<Dim>& x)
{
    return signed_distance(shape, x);
}

template <int Dim>
SignedDistance<Dim> distance_to(const TurnedBox<Dim>& turned, const Vec<Dim>& x)
{
    return mapped<Dim>(signed_distance(turned.box, turned.map.apply_inverse(x)), turned.map);
}

SignedDistance<3> distance_to(const PlacedMesh& mesh, const Vec<3>& x)
{
    return mapped<3>(mesh.solid.signed_distance(mesh.map.apply_inverse(x)), mesh.map);
}

SignedDistance<3> distance_to(const PlacedSheet& placed, const Vec<3>& x)
{
    return mapped<3>(placed.sheet.distance(placed.map.apply_inverse(x)), placed.map);
}

template <int Dim>
SignedDistance<Dim> distance_to(const Combination<Dim>& combination, const Vec<Dim>& x)
{
    const bool is_union = combination.operation == Operation::Union;
    return combined(
        combination, [&](const Shape<Dim>& part) { return part.sample(x); },
        [](const SignedDistance<Dim>& a, const SignedDistance<Dim>& b) { return a.value < b.value; },
        [&](const Box<Dim>& reach, const SignedDistance<Dim>& result) {
            const double nearest = reach.squared_distance(x);
            const double needed = std::max(0.0, is_union ? result.value : -result.value);
            return nearest > 0.0 && nearest >= needed * needed;
        });
}

template <int Dim, class Simple>
Side side_of(const Simple& shape, const Vec<Dim>& x, double tolerance)
{
    const double phi = distance_to(shape, x).value;
    if (std::abs(phi) <= tolerance) return Side::Surface;
    return phi < 0 ? Side::Inside : Side::Outside;
}

Side side_of(const PlacedMesh& mesh, const Vec<3>& x, double tolerance)
{
    const Vec<3> X = mesh.map.apply_inverse(x);
    if (tolerance > 0 && mesh.solid.is_near_surface(X, tolerance / mesh.map.scale)) return Side::Surface;
    return mesh.solid.inside(X) ? Side::Inside : Side::Outside;
}

template <int Dim>
Side side_of(const Combination<Dim>& combination, const Vec<Dim>& x, double tolerance)
{
    return combined(
        combination, [&](const Shape<Dim>& part) { return part.side(x, tolerance); }, std::less<>(),
        [&](const Box<Dim>& reach, Side) { return reach.squared_distance(x) > tolerance * tolerance; });
}

/// Distances are exact, so a ball that keeps off the surface is on one side of it.
template <int Dim, class Simple>
Side region_side_of(const Simple& shape, const Box<Dim>& region, double tolerance)
{
    return side_of(shape, region.center(), 0.5 * region.size().norm() + tolerance);
}

template <int Dim>
Side region_side_of(const Box<Dim>& box, const Box<Dim>& region, double tolerance)
{
    // How far the region keeps off the faces, within and without.
    const Vec<Dim> within = (region.min - box.min).cwiseMin(box.max - region.max);
    const Vec<Dim> without = (region.min - box.max).cwiseMax(box.min - region.max);
    if (without.maxCoeff() > tolerance) return Side::Outside;
    return within.minCoeff() > tolerance ? Side::Inside : Side::Surface;
}

Side region_side_of(const PlacedMesh& mesh, const Box<3>& region, double tolerance)
{
    const Vec<3> center = region.center();
    const double reach = 0.5 * region.size().norm() + tolerance;
    if (mesh.solid.is_watertight()) return side_of(mesh, center, reach);
    // One can walk in through a hole.
    const std::optional<bool> is_inside =
        mesh.solid.ball_inside(mesh.map.apply_inverse(center), reach / mesh.map.scale);
    if (!is_inside) return Side::Surface;
    return *is_inside ? Side::Inside : Side::Outside;
}

template <int Dim>
Side region_side_of(const Combination<Dim>& combination, const Box<Dim>& region, double tolerance)
{
    return combined(
        combination, [&](const Shape<Dim>& part) { return part.region_side(region, tolerance); },
        std::less<>(), [](const Box<Dim>&, Side) { return false; });
}

template <class Simple>
auto bounds_of(const Simple& shape)
{
    return bounds(shape);
}

template <int Dim>
Box<Dim> bounds_of(const Box<Dim>& box)
{
    return box;
}

template <int Dim>
Box<Dim> bounds_of(const TurnedBox<Dim>& turned)
{
    // Each coordinate is linear in those of the box, so its ends are at ends of the box.
    Box<Dim> result{turned.map.translation, turned.map.translation};
    for (int k = 0; k < Dim; ++k) {
        for (int j = 0; j < Dim; ++j) {
            const double factor = turned.map.scale * turned.map.rotation(k, j);
            result.min[k] += std::min(factor * turned.box.min[j], factor * turned.box.max[j]);
            result.max[k] += std::max(factor * turned.box.min[j], factor * turned.box.max[j]);
        }
    }
    return result;
}

Box<3> bounds_of(const PlacedMesh& mesh)
{
    if (is_turned<3>(mesh.map)) return mesh.solid.bounds(mesh.map);
    return {mesh.map.apply(mesh.solid.bounds().min), mesh.map.apply(mesh.solid.bounds().max)};
}

Box<3> bounds_of(const PlacedSheet& placed) { return placed.sheet.bounds(placed.map); }

template <int Dim>
Box<Dim> bounds_of(const Combination<Dim>& combination)
{
    Box<Dim> box = combination.parts.front().bounds();
    for (const Shape<Dim>& part : combination.parts) {
        if (combination.operation == Operation::Union) box.extend(part.bounds());
        if (combination.operation == Operation::Intersection) box = overlap(box, part.bounds());
    }
    return box;
}

/// The volume by formula, if there is one.
template <int Dim>
std::optional<double> known_volume(const Box<Dim>& box, const WorkBudget&)
{
    return box.volume();
}

template <int Dim>
std::optional<double> known_volume(const TurnedBox<Dim>& turned, const WorkBudget&)
{
    return std::pow(turned.map.scale, Dim) * turned.box.volume();
}

template <class Simple>
std::optional<double> known_volume(const Simple& shape, const WorkBudget&)
{
    return volume(shape);
}

/// What overlaps itself counts twice here, so the caller has to see whether this can be.
std::optional<double> known_volume(const PlacedMesh& mesh, const WorkBudget&)
{
    if (!mesh.solid.is_watertight()) return std::nullopt;
    return std::pow(mesh.map.scale, 3) * signed_volume(mesh.solid.surface());
}

std::optional<double> known_volume(const PlacedSheet&, const WorkBudget&) { return 0.0; }

template <int Dim>
std::optional<double> known_volume(const Combination<Dim>& combination, const WorkBudget& work)
{
    const std::vector<Shape<Dim>>& parts = combination.parts;
    if (parts.size() > 1 && combination.operation != Operation::Union) return std::nullopt;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (overlap(parts[i].bounds(), parts[j].bounds()).volume() > 0) return std::nullopt;
    double sum = 0.0;
    for (const Shape<Dim>& part : parts) {
        const VolumeEstimate volume = part.volume(work);
        if (volume.standard_error > 0) return std::nullopt;
        sum += volume.value;
    }
    return sum;
}

/// Where a query takes long, as among triangles that lie across each other, fewer have to do.
template <int Dim>
std::int64_t sampling_cells_per_axis(const Shape<Dim>& shape)
{
    constexpr double most = Dim == 2 ? 512 : 64;
    constexpr double fewest = 8;
    const double work = shape.query_work();
    const bool takes_long = work > detail::usual_query_work;
    if (!takes_long && shape.has_distance_bound()) return static_cast<std::int64_t>(most);
    // Of a cloud all cells have to be asked.
    const double allowed = takes_long ? 2e7 : 1e8;
    return static_cast<std::int64_t>(std::clamp(std::pow(allowed / work, 1.0 / Dim), fewest, most));
}

/// One random place in each cell of a grid: the estimate is without bias, and only cells that the surface may
/// cross add to its variance, at most ¼ each.
template <int Dim>
VolumeEstimate sampled_volume(const Shape<Dim>& shape, const WorkBudget& work)
{
    using Cells = detail::CellBlock<Dim>;
    const std::int64_t cells_per_axis = sampling_cells_per_axis(shape);
    const double query_work = shape.query_work() + detail::asking_work;
    const Box<Dim>& bounds = shape.bounds();
    const Vec<Dim> cell = bounds.size() / double(cells_per_axis);
    const Cells all{Cells::Numbers::Zero(), Cells::Numbers::Constant(cells_per_axis)};

    const auto box_of = [&](const Cells& block) {
        return Box<Dim>{bounds.min + cell.cwiseProduct(block.begin.template cast<double>()),
                        bounds.min + cell.cwiseProduct(block.end.template cast<double>())};
    };
    const detail::BlockSieve sieve(shape, box_of, 1e-9 * cell.norm());
    const detail::SievedBlocks<Dim> blocks =
        sieve.sort(all, std::numeric_limits<std::size_t>::max(), work, query_work);

    std::uint64_t inside_count = 0;
    for (const Cells& block : blocks.inside) inside_count += block.size();
    std::vector<std::uint64_t> hits(blocks.undecided.size(), 0);
    parallel_for(
        hits.size(),
        [&](Index i) {
            work.spend(static_cast<double>(blocks.undecided[i].size()) * query_work);
            blocks.undecided[i].for_each([&](const auto& k) {
                std::uint64_t number = 0;
                for (int axis = 0; axis < Dim; ++axis)
                    number = number * static_cast<std::uint64_t>(cells_per_axis) +
                             static_cast<std::uint64_t>(k[axis]);
                const Vec<Dim> place = k.template cast<double>() + Rng(1, number).template point<Dim>(0, 1);
                hits[i] += shape.inside(bounds.min + cell.cwiseProduct(place)) ? 1 : 0;
            });
        },
        16);
    std::uint64_t undecided_count = 0;
    for (std::size_t i = 0; i < hits.size(); ++i) {
        inside_count += hits[i];
        undecided_count += blocks.undecided[i].size();
    }
    return {static_cast<double>(inside_count) * cell.prod(),
            0.5 * std::sqrt(static_cast<double>(undecided_count)) * cell.prod()};
}

template <class Simple>
double query_work_of(const Simple&)
{
    return 1.0;
}

double query_work_of(const PlacedMesh& mesh) { return mesh.solid.query_work(); }

double query_work_of(const PlacedSheet& placed) { return placed.sheet.query_work(); }

template <int Dim>
double query_work_of(const Combination<Dim>& combination)
{
    return combination.query_work;
}

/// Half of what the bounds have.
template <int Dim>
double rough_area_of(const Box<Dim>& bounds)
{
    const Vec<Dim> size = bounds.size();
    return Dim == 2 ? size.sum() : 0.5 * (size.sum() * size.sum() - size.squaredNorm());
}

template <class Simple>
double rough_area_of(const Simple& shape)
{
    return rough_area_of(bounds_of(shape));
}

double rough_area_of(const PlacedMesh& mesh)
{
    return mesh.map.scale * mesh.map.scale * surface_area(mesh.solid.surface());
}

double rough_area_of(const PlacedSheet& placed)
{
    return placed.map.scale * placed.map.scale * surface_area(placed.sheet.surface());
}

template <int Dim>
double rough_area_of(const Combination<Dim>& combination)
{
    double area = 0.0;
    for (const Shape<Dim>& part : combination.parts) area += part.rough_area();
    return area;
}

template <int Dim>
double thickness_of(const Box<Dim>& box)
{
    return box.shortest_side();
}

template <int Dim>
double thickness_of(const TurnedBox<Dim>& turned)
{
    return turned.map.scale * turned.box.shortest_side();
}

template <int Dim>
double thickness_of(const Sphere<Dim>& sphere)
{
    return 2 * sphere.radius;
}

template <int Dim>
double thickness_of(const Cylinder<Dim>& cylinder)
{
    return std::min(2 * cylinder.radius, (cylinder.to - cylinder.from).norm());
}

template <int Dim>
double thickness_of(const Capsule<Dim>& capsule)
{
    return 2 * capsule.radius;
}

double thickness_of(const Torus<3>& torus) { return 2 * torus.tube; }

double thickness_of(const PlacedMesh& mesh) { return mesh.map.scale * mesh.solid.bounds().shortest_side(); }

double thickness_of(const PlacedSheet&) { return 0.0; }

template <int Dim>
double thickness_of(const Combination<Dim>& combination)
{
    double thinnest = bounds_of(combination).shortest_side();
    for (const Shape<Dim>& part : combination.parts) {
        thinnest = std::min(thinnest, part.thickness());
        // What is taken away may be thin without what remains being so.
        if (combination.operation == Operation::Difference) break;
    }
    return thinnest;
}

template <int Dim, class Simple>
std::vector<Facet<Dim>> facets_of(const Simple& shape, double edge)
{
    return facets(shape, edge);
}

template <int Dim>
std::vector<Facet<Dim>> facets_of(const TurnedBox<Dim>& turned, double edge)
{
    std::vector<Facet<Dim>> result = facets(turned.box, edge);
    for (Facet<Dim>& facet : result)
        for (Vec<Dim>& corner : facet) corner = turned.map.apply(corner);
    return result;
}

std::vector<Facet<3>> facets_of(const TriangleMesh& surface, const Similarity<3>& map)
{
    std::vector<Facet<3>> result;
    for (const auto& [a, b, c] : surface.triangles)
        result.push_back(
            {map.apply(surface.vertices[a]), map.apply(surface.vertices[b]), map.apply(surface.vertices[c])});
    return result;
}

template <int Dim>
std::vector<Facet<Dim>> facets_of(const PlacedMesh& mesh, double)
{
    return facets_of(mesh.solid.surface(), mesh.map);
}

template <int Dim>
std::vector<Facet<Dim>> facets_of(const PlacedSheet& placed, double)
{
    return facets_of(placed.sheet.surface(), placed.map);
}

template <int Dim>
std::vector<Facet<Dim>> facets_of(const Combination<Dim>&, double)
{
    PHYXEL_ASSERT(false);
    return {};
}

template <int Dim>
Combination<Dim> with_reaches(Operation operation, std::vector<Shape<Dim>> parts)
{
    constexpr double infinite = std::numeric_limits<double>::infinity();
    constexpr double rounding = 1e-9;
    Combination<Dim> combination{operation, std::move(parts)};
    for (const Shape<Dim>& part : combination.parts) {
        const Box<Dim>& bounds = part.bounds();
        const double largest = bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).maxCoeff();
        const double margin =
            part.keeps_to_bounds() ? rounding * (largest + bounds.longest_side()) : infinite;
        const Vec<Dim> margins = Vec<Dim>::Constant(margin);
        combination.reaches.push_back({bounds.min - margins, bounds.max + margins});
        combination.query_work += part.query_work();
    }
    return combination;
}

template <int Dim>
Combination<Dim> make_combination(Operation operation, std::vector<Shape<Dim>> parts, const std::string& name)
{
    if (parts.empty()) throw InputError(name + ": has no shapes, needs at least one");
    if (parts.size() > 1 &&
        std::any_of(parts.begin(), parts.end(), [](const Shape<Dim>& part) { return part.is_sheet(); }))
        throw InputError(name + ": one of its shapes is an open mesh, which encloses nothing");
    return with_reaches(operation, std::move(parts));
}

} // namespace

template <int Dim>
struct Shape<Dim>::Node {
    using Planar =
        std::variant<Box<Dim>, TurnedBox<Dim>, Sphere<Dim>, Cylinder<Dim>, Capsule<Dim>, Combination<Dim>>;
    using Spatial = std::variant<Box<Dim>, TurnedBox<Dim>, Sphere<Dim>, Cylinder<Dim>, Capsule<Dim>,
                                 Combination<Dim>, Torus<Dim>, PlacedMesh, PlacedSheet>;
    std::conditional_t<Dim == 2, Planar, Spatial> kind;

    /// Found when it is asked for, and then known.
    struct KnownVolume {
        std::once_flag is_found;
        VolumeEstimate volume = {0.0, 0.0};
    };
    std::shared_ptr<KnownVolume> volume = std::make_shared<KnownVolume>();
};

template <int Dim>
Shape<Dim>::Shape(Node node) : node_(std::make_shared<const Node>(std::move(node)))
{
    bounds_ = std::visit([](const auto& kind) { return bounds_of(kind); }, node_->kind);
}

template <int Dim>
Shape<Dim>::Shape(const Box<Dim>& box) : Shape((validate(box), Node{box}))
{
}

template <int Dim>
Shape<Dim>::Shape(const Sphere<Dim>& sphere) : Shape((validate(sphere), Node{sphere}))
{
}

template <int Dim>
Shape<Dim>::Shape(const Cylinder<Dim>& cylinder) : Shape((validate(cylinder), Node{cylinder}))
{
}

template <int Dim>
Shape<Dim>::Shape(const Capsule<Dim>& capsule) : Shape((validate(capsule), Node{capsule}))
{
}

template <int Dim>
Shape<Dim>::Shape(const Torus<Dim>& torus)
    : Shape([&]() -> Node {
          if constexpr (Dim == 3) {
              validate(torus);
              return {torus};
          } else {
              throw InputError("torus: is a shape in 3D only");
          }
      }())
{
}

template <int Dim>
Shape<Dim>::Shape(const MeshSolid& mesh)
    : Shape([&]() -> Node {
          if constexpr (Dim == 3)
              return {PlacedMesh{mesh, {}}};
          else
              throw InputError("mesh: is a shape in 3D only");
      }())
{
}

template <int Dim>
Shape<Dim>::Shape(const MeshSheet& sheet)
    : Shape([&]() -> Node {
          if constexpr (Dim == 3)
              return {PlacedSheet{sheet, {}}};
          else
              throw InputError("mesh: is a shape in 3D only");
      }())
{
}

template <int Dim>
bool Shape<Dim>::is_sheet() const
{
    // What is combined of a single sheet is that sheet.
    const std::vector<Shape> all = parts();
    return all.size() == 1 &&
           std::visit([]<class Kind>(const Kind&) { return std::is_same_v<Kind, PlacedSheet>; },
                      all.front().node_->kind);
}

template <int Dim>
Side Shape<Dim>::side(const Vec<Dim>& x, double tolerance) const
{
    detail::require_finite_query<Dim>(x);
    return std::visit([&](const auto& kind) { return side_of(kind, x, tolerance); }, node_->kind);
}

template <int Dim>
Side Shape<Dim>::region_side(const Box<Dim>& region, double tolerance) const
{
    detail::require_finite_query<Dim>(region.min);
    detail::require_finite_query<Dim>(region.max);
    return std::visit([&](const auto& kind) { return region_side_of(kind, region, tolerance); }, node_->kind);
}

template <int Dim>
SignedDistance<Dim> Shape<Dim>::sample(const Vec<Dim>& x) const
{
    detail::require_finite_query<Dim>(x);
    return std::visit([&](const auto& kind) { return distance_to(kind, x); }, node_->kind);
}

template <int Dim>
void Shape<Dim>::inside(std::span<const Vec<Dim>> x, std::span<std::uint8_t> out) const
{
    PHYXEL_ASSERT(x.size() == out.size());
    parallel_for(
        x.size(), [&](Index i) { out[i] = inside(x[i]) ? 1 : 0; }, 128);
}

template <int Dim>
void Shape<Dim>::signed_distance(std::span<const Vec<Dim>> x, std::span<double> out) const
{
    PHYXEL_ASSERT(x.size() == out.size());
    parallel_for(
        x.size(), [&](Index i) { out[i] = signed_distance(x[i]); }, 128);
}

template <int Dim>
void Shape<Dim>::sample(std::span<const Vec<Dim>> x, std::span<SignedDistance<Dim>> out) const
{
    PHYXEL_ASSERT(x.size() == out.size());
    parallel_for(
        x.size(), [&](Index i) { out[i] = sample(x[i]); }, 128);
}

template <int Dim>
bool Shape<Dim>::has_distance_bound() const
{
    return std::visit(Overloaded{[](const PlacedMesh& mesh) { return mesh.solid.is_watertight(); },
                                 [](const Combination<Dim>& combination) {
                                     return std::all_of(
                                         combination.parts.begin(), combination.parts.end(),
                                         [](const Shape& part) { return part.has_distance_bound(); });
                                 },
                                 [](const auto&) { return true; }},
                      node_->kind);
}

template <int Dim>
bool Shape<Dim>::keeps_to_bounds() const
{
    return std::visit(Overloaded{[](const PlacedMesh& mesh) { return mesh.solid.is_watertight(); },
                                 [](const PlacedSheet&) { return false; },
                                 [](const Combination<Dim>&) { return false; },
                                 [](const auto&) { return true; }},
                      node_->kind);
}

template <int Dim>
double Shape<Dim>::query_work() const
{
    return std::visit([](const auto& kind) { return query_work_of(kind); }, node_->kind);
}

template <int Dim>
double Shape<Dim>::rough_area() const
{
    return std::visit([](const auto& kind) { return rough_area_of(kind); }, node_->kind);
}

template <int Dim>
VolumeEstimate Shape<Dim>::volume(const WorkBudget& work) const
{
    typename Node::KnownVolume& known = *node_->volume;
    std::call_once(known.is_found, [&] { known.volume = find_volume(work); });
    return known.volume;
}

template <int Dim>
VolumeEstimate Shape<Dim>::find_volume(const WorkBudget& work) const
{
    const std::optional<double> known =
        std::visit([&](const auto& kind) { return known_volume(kind, work); }, node_->kind);
    const bool may_overlap_itself =
        std::visit([]<class Kind>(const Kind&) { return std::is_same_v<Kind, PlacedMesh>; }, node_->kind);
    if (known && !may_overlap_itself) return {*known, 0.0};
    const VolumeEstimate sampled = sampled_volume(*this, work);
    // Five standard deviations: what overlaps by less than that hardly matters.
    if (known && std::abs(*known - sampled.value) <= 5 * sampled.standard_error) return {*known, 0.0};
    return sampled;
}

template <int Dim>
double Shape<Dim>::thickness() const
{
    return std::visit([](const auto& kind) { return thickness_of(kind); }, node_->kind);
}

template <int Dim>
Shape<Dim> Shape<Dim>::transformed(const Similarity<Dim>& map) const
{
    const auto turn_box = [&](const TurnedBox<Dim>& turned) {
        const Similarity<Dim> both = map.after(turned.map);
        if (is_turned(both)) return Node{TurnedBox<Dim>{turned.box, both}};
        return Node{Box<Dim>{both.apply(turned.box.min), both.apply(turned.box.max)}};
    };
    return Shape(
        std::visit(Overloaded{[&](const Box<Dim>& box) {
                                  return turn_box({box, {}});
                              },
                              turn_box,
                              [&](const PlacedMesh& mesh) {
                                  if constexpr (Dim == 3)
                                      return Node{PlacedMesh{mesh.solid, map.after(mesh.map)}};
                              },
                              [&](const PlacedSheet& placed) {
                                  if constexpr (Dim == 3)
                                      return Node{PlacedSheet{placed.sheet, map.after(placed.map)}};
                              },
                              [&](const Combination<Dim>& combination) {
                                  std::vector<Shape> parts;
                                  for (const Shape& part : combination.parts)
                                      parts.push_back(part.transformed(map));
                                  return Node{with_reaches(combination.operation, std::move(parts))};
                              },
                              [&](const auto& simple) { return Node{phyxel::transformed(simple, map)}; }},
                   node_->kind));
}

template <int Dim>
std::vector<Shape<Dim>> Shape<Dim>::parts() const
{
    const auto* combination = std::get_if<Combination<Dim>>(&node_->kind);
    if (combination == nullptr) return {*this};
    std::vector<Shape> all;
    for (const Shape& part : combination->parts)
        for (const Shape& simple : part.parts()) all.push_back(simple);
    return all;
}

template <int Dim>
std::vector<Facet<Dim>> Shape<Dim>::facets(double edge) const
{
    return std::visit([&](const auto& kind) { return facets_of<Dim>(kind, edge); }, node_->kind);
}

template <int Dim>
Shape<Dim> unite(std::vector<Shape<Dim>> parts)
{
    using Node = typename Shape<Dim>::Node;
    return Shape<Dim>(Node{make_combination(Operation::Union, std::move(parts), "union")});
}

template <int Dim>
Shape<Dim> intersect(std::vector<Shape<Dim>> parts)
{
    using Node = typename Shape<Dim>::Node;
    Shape<Dim> shape(Node{make_combination(Operation::Intersection, std::move(parts), "intersection")});
    if (!(shape.bounds().volume() > 0)) throw InputError("intersection: its shapes have nothing in common");
    return shape;
}

template <int Dim>
Shape<Dim> subtract(std::vector<Shape<Dim>> parts)
{
    using Node = typename Shape<Dim>::Node;
    return Shape<Dim>(Node{make_combination(Operation::Difference, std::move(parts), "difference")});
}

template class Shape<2>;
template class Shape<3>;
template Shape<2> unite(std::vector<Shape<2>>);
template Shape<3> unite(std::vector<Shape<3>>);
template Shape<2> intersect(std::vector<Shape<2>>);
template Shape<3> intersect(std::vector<Shape<3>>);
template Shape<2> subtract(std::vector<Shape<2>>);
template Shape<3> subtract(std::vector<Shape<3>>);

} // namespace phyxel
