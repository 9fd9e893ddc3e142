// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <phyxel/core/error.h>
#include <phyxel/core/parallel_for.h>
#include <phyxel/geometry/placement.h>
#include <phyxel/geometry/shape.h>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace phyxel::shape_test {
namespace {

using std::numbers::pi;

template <int Dim>
struct NamedShape {
    std::string name;
    Shape<Dim> shape;
};

/// One of each simple kind, none in a special position.
template <int Dim>
std::vector<NamedShape<Dim>> simple_shapes();

template <>
std::vector<NamedShape<2>> simple_shapes<2>()
{
    return {{"box", Box<2>{{-0.5, -0.75}, {1, 0.5}}},
            {"disc", Sphere<2>{{0.1, 0.2}, 0.7}},
            {"rectangle", Cylinder<2>{{-0.5, -0.3}, {0.4, 0.6}, 0.3}},
            {"stadium", Capsule<2>{{-0.5, -0.3}, {0.4, 0.6}, 0.3}},
            {"disc of a capsule", Capsule<2>{{0.4, 0.6}, {0.4, 0.6}, 0.3}},
            {"turned box", Shape<2>(Box<2>{{-0.5, -0.75}, {1, 0.5}})
                               .transformed({0.8, rotation_matrix(Angles<2>(0.4)), {0.1, 0.2}})}};
}

template <>
std::vector<NamedShape<3>> simple_shapes<3>()
{
    const Similarity<3> map{0.8, rotation_matrix(Angles<3>(0.4, -0.9, 2.0)), {0.1, 0.2, -0.1}};
    return {{"box", Box<3>{{-0.5, -0.75, -1}, {1, 0.5, 0.25}}},
            {"sphere", Sphere<3>{{0.1, 0.2, -0.1}, 0.7}},
            {"cylinder", Cylinder<3>{{-0.5, -0.3, -0.2}, {0.4, 0.6, 0.3}, 0.3}},
            {"capsule", Capsule<3>{{-0.5, -0.3, -0.2}, {0.4, 0.6, 0.3}, 0.3}},
            {"torus", Torus<3>{{0.1, 0.2, -0.1}, {1, -2, 3}, 0.7, 0.2}},
            {"turned box", Shape<3>(Box<3>{{-0.5, -0.75, -1}, {1, 0.5, 0.25}}).transformed(map)},
            {"mesh", MeshSolid(sphere_mesh(2, 0.9))},
            {"placed mesh", Shape<3>(MeshSolid(torus_mesh(1, 0.3, 24, 12))).transformed(map)}};
}

template <int Dim>
std::vector<NamedShape<Dim>> combined_shapes()
{
    const Shape<Dim> a = Sphere<Dim>{Vec<Dim>::Constant(-0.2), 0.6};
    const Shape<Dim> b = Box<Dim>{Vec<Dim>::Constant(-0.1), Vec<Dim>::Constant(0.9)};
    const Shape<Dim> c = Capsule<Dim>{Vec<Dim>::Constant(-1), Vec<Dim>::Constant(1), 0.2};
    return {{"union", unite<Dim>({a, b, c})},
            {"intersection", intersect<Dim>({a, b})},
            {"difference", subtract<Dim>({b, a, c})},
            {"nested", subtract<Dim>({unite<Dim>({a, b}), intersect<Dim>({b, c})})}};
}

template <int Dim>
std::vector<NamedShape<Dim>> all_shapes()
{
    std::vector<NamedShape<Dim>> shapes = simple_shapes<Dim>();
    for (const NamedShape<Dim>& shape : combined_shapes<Dim>()) shapes.push_back(shape);
    return shapes;
}

template <int Dim>
std::vector<Vec<Dim>> places(std::size_t count, std::uint64_t seed)
{
    std::vector<Vec<Dim>> points;
    Rng rng(seed);
    for (std::size_t i = 0; i < count; ++i) points.push_back(rng.point<Dim>(-1.5, 1.5));
    return points;
}

template <class Dimension>
class ShapeQueries : public ::testing::Test {
};

using Dimensions = ::testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(ShapeQueries, Dimensions);

TYPED_TEST(ShapeQueries, distances_of_simple_shapes_are_exact)
{
    // |φ(x) − φ(y)| ≤ |x − y| makes |φ| a lower bound of the distance to the surface; the step by −φ along
    // the normal reaches it.
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : simple_shapes<Dim>()) {
        SCOPED_TRACE(name);
        SignedDistance<Dim> last = shape.sample(Vec<Dim>::Zero());
        Vec<Dim> last_x = Vec<Dim>::Zero();
        for (const Vec<Dim>& x : places<Dim>(300, 1)) {
            const SignedDistance<Dim> sample = shape.sample(x);
            EXPECT_NEAR(sample.normal.norm(), 1.0, 1e-14);
            EXPECT_NEAR(shape.signed_distance(x - sample.value * sample.normal), 0.0, 1e-14);
            EXPECT_LE(std::abs(sample.value - last.value), (x - last_x).norm() + 1e-14);
            EXPECT_EQ(sample.value < 0, shape.inside(x));
            last = sample;
            last_x = x;
        }
    }
}

TYPED_TEST(ShapeQueries, normals_are_gradients_of_the_distance)
{
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : all_shapes<Dim>()) {
        SCOPED_TRACE(name);
        int tested = 0;
        for (const Vec<Dim>& x : places<Dim>(100, 2)) {
            const double h = 1e-6;
            Vec<Dim> gradient;
            for (int k = 0; k < Dim; ++k)
                gradient[k] = (shape.signed_distance(x + h * Vec<Dim>::Unit(k)) -
                               shape.signed_distance(x - h * Vec<Dim>::Unit(k))) /
                              (2 * h);
            // Where the nearest point jumps there is no gradient.
            if (std::abs(gradient.norm() - 1) > 1e-4) continue;
            ++tested;
            EXPECT_LT((gradient - shape.normal(x)).norm(), 1e-4);
        }
        EXPECT_GT(tested, 90);
    }
}

TYPED_TEST(ShapeQueries, distances_of_combinations_have_the_right_sign_and_never_reach_too_far)
{
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : combined_shapes<Dim>()) {
        SCOPED_TRACE(name);
        EXPECT_TRUE(shape.has_distance_bound());
        Rng rng(3);
        for (const Vec<Dim>& x : places<Dim>(200, 4)) {
            const double phi = shape.signed_distance(x);
            EXPECT_EQ(phi < 0, shape.inside(x));
            for (int k = 0; k < 20; ++k) {
                const Vec<Dim> y = x + 0.999 * std::abs(phi) * rng.point<Dim>(-1, 1).normalized();
                EXPECT_EQ(shape.inside(y), phi < 0);
            }
        }
    }
}

TYPED_TEST(ShapeQueries, combinations_answer_as_if_every_part_had_been_asked)
{
    // Parts that are beside a place are left out, also where they end just there.
    constexpr int Dim = TypeParam::value;
    Rng rng(8);
    std::vector<Shape<Dim>> parts = {Sphere<Dim>{Vec<Dim>::Zero(), 0.7}};
    for (int i = 0; i < 12; ++i) {
        const Vec<Dim> a = rng.point<Dim>(-1.0, 1.0), b = rng.point<Dim>(-1.0, 1.0);
        parts.push_back(Sphere<Dim>{a, rng.uniform(0.05, 0.4)});
        parts.push_back(Capsule<Dim>{a, b, 0.1});
        parts.push_back(Box<Dim>{a.cwiseMin(b), a.cwiseMax(b)});
    }
    parts.push_back(subtract<Dim>({parts[1], parts[2]}));
    std::vector<Vec<Dim>> at = places<Dim>(2000, 9);
    for (const Shape<Dim>& part : parts)
        for (const Vec<Dim>& corner : {part.bounds().min, part.bounds().max}) {
            at.push_back(corner);
            at.push_back(Vec<Dim>(corner + 1e-12 * Vec<Dim>::Ones()));
            Vec<Dim> on_face = part.bounds().center();
            on_face[0] = corner[0];
            at.push_back(on_face);
        }
    const Shape<Dim> all = unite<Dim>(parts), rest = subtract<Dim>(parts);
    for (const Vec<Dim>& x : at) {
        double united = std::numeric_limits<double>::infinity();
        double left = parts.front().signed_distance(x);
        for (const double tolerance : {0.0, 1e-9, 0.05}) {
            int nearest = 2, farthest = static_cast<int>(parts.front().side(x, tolerance));
            for (const Shape<Dim>& part : parts) {
                const int side = static_cast<int>(part.side(x, tolerance));
                nearest = std::min(nearest, side);
                if (&part != &parts.front()) farthest = std::max(farthest, 2 - side);
            }
            EXPECT_EQ(static_cast<int>(all.side(x, tolerance)), nearest) << x.transpose();
            EXPECT_EQ(static_cast<int>(rest.side(x, tolerance)), farthest) << x.transpose();
        }
        for (const Shape<Dim>& part : parts) {
            const double phi = part.signed_distance(x);
            united = std::min(united, phi);
            if (&part != &parts.front()) left = std::max(left, -phi);
        }
        EXPECT_EQ(all.signed_distance(x), united) << x.transpose();
        EXPECT_EQ(rest.signed_distance(x), left) << x.transpose();
    }
}

TYPED_TEST(ShapeQueries, combinations_are_what_logic_says)
{
    constexpr int Dim = TypeParam::value;
    const Shape<Dim> a = Sphere<Dim>{Vec<Dim>::Constant(-0.2), 0.6};
    const Shape<Dim> b = Box<Dim>{Vec<Dim>::Constant(-0.1), Vec<Dim>::Constant(0.9)};
    const Shape<Dim> c = Capsule<Dim>{Vec<Dim>::Constant(-1), Vec<Dim>::Constant(1), 0.2};
    for (const Vec<Dim>& x : places<Dim>(500, 5)) {
        const bool in_a = a.inside(x), in_b = b.inside(x), in_c = c.inside(x);
        EXPECT_EQ(unite<Dim>({a, b, c}).inside(x), in_a || in_b || in_c);
        EXPECT_EQ(intersect<Dim>({a, b, c}).inside(x), in_a && in_b && in_c);
        EXPECT_EQ(subtract<Dim>({a, b, c}).inside(x), in_a && !in_b && !in_c);
        EXPECT_EQ(subtract<Dim>({a}).inside(x), in_a);
    }
}

TYPED_TEST(ShapeQueries, bounds_contain_the_shape_and_touch_it_on_every_side)
{
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : simple_shapes<Dim>()) {
        SCOPED_TRACE(name);
        // The farthest points of the surface along each axis, from many feet of perpendiculars.
        Box<Dim> reached;
        for (const Vec<Dim>& x : places<Dim>(20000, 6)) {
            const SignedDistance<Dim> sample = shape.sample(x);
            const Vec<Dim> foot = x - sample.value * sample.normal;
            EXPECT_LT((foot - shape.bounds().max).maxCoeff(), 1e-14);
            EXPECT_LT((shape.bounds().min - foot).maxCoeff(), 1e-14);
            reached.extend(foot);
        }
        EXPECT_LT((shape.bounds().max - reached.max).maxCoeff(), 0.03);
        EXPECT_LT((reached.min - shape.bounds().min).maxCoeff(), 0.03);
    }
    for (const auto& [name, shape] : combined_shapes<Dim>())
        for (const Vec<Dim>& x : places<Dim>(1000, 7))
            if (shape.inside(x)) {
                EXPECT_TRUE(shape.bounds().contains(x)) << name;
            }
}

TYPED_TEST(ShapeQueries, side_of_a_region_is_that_of_all_its_places)
{
    constexpr int Dim = TypeParam::value;
    const double tolerance = 0.01;
    for (const auto& [name, shape] : all_shapes<Dim>()) {
        SCOPED_TRACE(name);
        Rng rng(12);
        int decided = 0;
        for (const Vec<Dim>& x : places<Dim>(300, 13)) {
            const Vec<Dim> size = rng.point<Dim>(0.0, 0.3);
            const Box<Dim> region{x, x + size};
            const Side side = shape.region_side(region, tolerance);
            if (side == Side::Surface) continue;
            ++decided;
            for (int k = 0; k < 20; ++k) {
                const Vec<Dim> place = region.min + size.cwiseProduct(rng.point<Dim>(0, 1));
                EXPECT_EQ(shape.side(place, tolerance), side);
            }
        }
        EXPECT_GT(decided, 30);
    }
}

TYPED_TEST(ShapeQueries, similarity_carries_the_distance_along)
{
    constexpr int Dim = TypeParam::value;
    const Similarity<Dim> map{1.7, rotation_matrix(Angles<Dim>::Constant(0.6).eval()),
                              Vec<Dim>::Constant(0.3)};
    for (const auto& [name, shape] : all_shapes<Dim>()) {
        SCOPED_TRACE(name);
        const Shape<Dim> moved = shape.transformed(map);
        EXPECT_EQ(moved.has_distance_bound(), shape.has_distance_bound());
        for (const Vec<Dim>& x : places<Dim>(100, 8)) {
            const SignedDistance<Dim> before = shape.sample(x);
            const SignedDistance<Dim> after = moved.sample(map.apply(x));
            EXPECT_NEAR(after.value, 1.7 * before.value, 1e-13);
            EXPECT_LT((after.normal - map.rotation * before.normal).norm(), 1e-9);
        }
    }
}

TYPED_TEST(ShapeQueries, similarity_scales_thickness_and_volume)
{
    constexpr int Dim = TypeParam::value;
    const Similarity<Dim> map{1.7, rotation_matrix(Angles<Dim>::Constant(0.6).eval()),
                              Vec<Dim>::Constant(0.3)};
    for (const auto& [name, shape] : simple_shapes<Dim>()) {
        SCOPED_TRACE(name);
        const Shape<Dim> moved = shape.transformed(map);
        EXPECT_NEAR(moved.thickness(), 1.7 * shape.thickness(), 1e-14);
        EXPECT_NEAR(moved.volume().value, std::pow(1.7, Dim) * shape.volume().value, 1e-13);
    }
}

TYPED_TEST(ShapeQueries, volumes_by_formula_agree_with_sampling)
{
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : simple_shapes<Dim>()) {
        SCOPED_TRACE(name);
        const VolumeEstimate known = shape.volume();
        EXPECT_EQ(known.standard_error, 0.0);
        // The intersection with the own bounds is the same shape, but no longer one with a formula.
        const VolumeEstimate sampled = intersect<Dim>({shape, shape.bounds()}).volume();
        EXPECT_GT(sampled.standard_error, 0.0);
        EXPECT_LT(sampled.standard_error, 0.003 * sampled.value);
        EXPECT_NEAR(sampled.value, known.value, 4 * sampled.standard_error);
    }
}

TYPED_TEST(ShapeQueries, volumes_of_union_intersection_and_differences_add_up)
{
    constexpr int Dim = TypeParam::value;
    const Shape<Dim> a = Sphere<Dim>{Vec<Dim>::Constant(-0.2), 0.6};
    const Shape<Dim> b = Box<Dim>{Vec<Dim>::Constant(-0.1), Vec<Dim>::Constant(0.9)};
    const VolumeEstimate both = intersect<Dim>({a, b}).volume();
    const VolumeEstimate any = unite<Dim>({a, b}).volume();
    const VolumeEstimate rest = subtract<Dim>({a, b}).volume();
    const double sigma = std::hypot(both.standard_error, any.standard_error, rest.standard_error);
    EXPECT_NEAR(any.value + both.value, a.volume().value + b.volume().value, 4 * sigma);
    EXPECT_NEAR(rest.value + both.value, a.volume().value, 4 * sigma);
}

TYPED_TEST(ShapeQueries, volume_of_parts_that_only_touch_is_their_sum)
{
    constexpr int Dim = TypeParam::value;
    const Box<Dim> left{Vec<Dim>::Zero(), Vec<Dim>::Ones()};
    Box<Dim> right = left;
    right.min[0] += 1;
    right.max[0] += 1;
    const VolumeEstimate volume = unite<Dim>({left, right}).volume();
    EXPECT_EQ(volume.value, 2.0);
    EXPECT_EQ(volume.standard_error, 0.0);
}

TYPED_TEST(ShapeQueries, volume_is_the_same_number_for_any_number_of_threads)
{
    constexpr int Dim = TypeParam::value;
    const auto volume_with = [](int threads) {
        const ThreadLimit limit(threads);
        return combined_shapes<Dim>()[3].shape.volume().value;
    };
    EXPECT_EQ(volume_with(1), volume_with(5));
}

TYPED_TEST(ShapeQueries, everything_within_the_tolerance_of_the_surface_is_surface)
{
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : simple_shapes<Dim>()) {
        SCOPED_TRACE(name);
        for (const Vec<Dim>& x : places<Dim>(300, 9)) {
            const double phi = shape.signed_distance(x);
            const Side expected = std::abs(phi) <= 0.1 ? Side::Surface
                                  : phi < 0            ? Side::Inside
                                                       : Side::Outside;
            EXPECT_EQ(shape.side(x, 0.1), expected);
        }
    }
    // What is cut away leaves a surface, what the other part covers does not.
    const Shape<Dim> box = Box<Dim>{Vec<Dim>::Zero(), Vec<Dim>::Ones()};
    const Shape<Dim> half = Box<Dim>{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.5)};
    const Vec<Dim> x = Vec<Dim>::Constant(0.5);
    EXPECT_EQ(subtract<Dim>({box, half}).side(x, 1e-9), Side::Surface);
    EXPECT_EQ(intersect<Dim>({box, half}).side(x, 1e-9), Side::Surface);
    EXPECT_EQ(unite<Dim>({box, half}).side(x, 1e-9), Side::Inside);
}

TYPED_TEST(ShapeQueries, batches_have_the_bits_of_single_queries)
{
    constexpr int Dim = TypeParam::value;
    const std::vector<Vec<Dim>> x = places<Dim>(500, 10);
    std::vector<double> phi(x.size());
    std::vector<std::uint8_t> inside(x.size());
    std::vector<SignedDistance<Dim>> samples(x.size());
    const ThreadLimit limit(3);
    for (const auto& [name, shape] : all_shapes<Dim>()) {
        shape.signed_distance(x, phi);
        shape.inside(x, inside);
        shape.sample(x, samples);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_EQ(phi[i], shape.signed_distance(x[i]));
            EXPECT_EQ(inside[i] != 0, shape.inside(x[i]));
            EXPECT_EQ(samples[i].value, phi[i]);
            EXPECT_EQ(samples[i].normal, shape.normal(x[i]));
        }
    }
}

TYPED_TEST(ShapeQueries, places_that_are_not_finite_are_refused)
{
    constexpr int Dim = TypeParam::value;
    for (const auto& [name, shape] : all_shapes<Dim>()) {
        EXPECT_THROW(shape.inside(Vec<Dim>::Constant(NAN)), InputError);
        EXPECT_THROW(shape.signed_distance(Vec<Dim>::Constant(INFINITY)), InputError);
    }
}

TEST(Shape, volumes_are_those_of_textbooks)
{
    EXPECT_DOUBLE_EQ(Shape<3>(Box<3>{{0, 0, 0}, {1, 2, 3}}).volume().value, 6.0);
    EXPECT_DOUBLE_EQ(Shape<3>(Sphere<3>{{0, 0, 0}, 3}).volume().value, 36 * pi);
    EXPECT_DOUBLE_EQ(Shape<3>(Cylinder<3>{{0, 0, 0}, {0, 3, 4}, 2}).volume().value, 20 * pi);
    EXPECT_DOUBLE_EQ(Shape<3>(Capsule<3>{{0, 0, 0}, {0, 3, 4}, 3}).volume().value, 81 * pi);
    EXPECT_DOUBLE_EQ(Shape<3>(Torus<3>{{0, 0, 0}, {0, 0, 1}, 3, 1}).volume().value, 6 * pi * pi);
    EXPECT_DOUBLE_EQ(Shape<2>(Sphere<2>{{0, 0}, 3}).volume().value, 9 * pi);
    EXPECT_DOUBLE_EQ(Shape<2>(Cylinder<2>{{0, 0}, {3, 4}, 2}).volume().value, 20.0);
    EXPECT_DOUBLE_EQ(Shape<2>(Capsule<2>{{0, 0}, {3, 4}, 2}).volume().value, 20 + 4 * pi);
    EXPECT_NEAR(Shape<3>(MeshSolid(sphere_mesh(2))).volume().value, signed_volume(sphere_mesh(2)), 1e-14);
}

TEST(Shape, volume_of_a_mesh_that_overlaps_itself_counts_the_overlap_once)
{
    const Shape<3> shape =
        MeshSolid(joined(box_mesh({{0, 0, 0}, {1, 1, 1}}), box_mesh({{0.5, 0, 0}, {1.5, 1, 1}})));
    const VolumeEstimate volume = shape.volume();
    EXPECT_GT(volume.standard_error, 0.0);
    EXPECT_NEAR(volume.value, 1.5, 4 * volume.standard_error);
}

TEST(Shape, mesh_with_holes_has_no_distance_bound_but_a_volume)
{
    const TriangleMesh sphere = sphere_mesh(3);
    const Shape<3> shape = MeshSolid(with_holes(sphere, 50));
    EXPECT_FALSE(shape.has_distance_bound());
    EXPECT_FALSE(unite<3>({Sphere<3>{{5, 0, 0}, 1}, shape}).has_distance_bound());
    const VolumeEstimate volume = shape.volume();
    EXPECT_NEAR(volume.value, signed_volume(sphere), 0.01 * volume.value);
}

TEST(Shape, thickness_is_the_smallest_extent)
{
    EXPECT_DOUBLE_EQ(Shape<3>(Box<3>{{0, 0, 0}, {1, 2, 0.25}}).thickness(), 0.25);
    EXPECT_DOUBLE_EQ(Shape<3>(Torus<3>{{0, 0, 0}, {0, 0, 1}, 3, 1}).thickness(), 2.0);
    EXPECT_DOUBLE_EQ(Shape<2>(Cylinder<2>{{0, 0}, {3, 4}, 4}).thickness(), 5.0);
    EXPECT_DOUBLE_EQ(unite<2>({Sphere<2>{{0, 0}, 1}, Sphere<2>{{3, 0}, 0.1}}).thickness(), 0.2);
    EXPECT_DOUBLE_EQ(subtract<2>({Sphere<2>{{0, 0}, 1}, Sphere<2>{{3, 0}, 0.1}}).thickness(), 2.0);
}

TEST(Shape, errors_say_what_is_wrong_and_what_is_allowed)
{
    const auto message_of = [](const std::function<void()>& make) -> std::string {
        try {
            make();
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message_of([] {
                  Shape<3>(Sphere<3>{{0, 0, 0}, -1});
              }),
              "sphere: radius is -1, must be positive and finite");
    EXPECT_EQ(message_of([] {
                  Shape<2>(Sphere<2>{{0, NAN}, 1});
              }),
              "sphere: center is (0, nan), must be finite");
    EXPECT_EQ(message_of([] {
                  Shape<2>(Box<2>{{0, 1}, {1, 1}});
              }),
              "box: min is (0, 1) and max is (1, 1), min must be less along every axis");
    EXPECT_EQ(message_of([] {
                  Shape<3>(Cylinder<3>{{1, 0, 0}, {1, 0, 0}, 1});
              }),
              "cylinder: from and to are both (1, 0, 0), must be different points");
    EXPECT_EQ(message_of([] {
                  Shape<3>(Capsule<3>{{1, 0, 0}, {1, 0, 0}, 0});
              }),
              "capsule: radius is 0, must be positive and finite");
    EXPECT_EQ(message_of([] {
                  Shape<3>(Torus<3>{{1, 0, 0}, {0, 0, 0}, 2, 1});
              }),
              "torus: axis is (0, 0, 0), must have a direction");
    EXPECT_EQ(message_of([] {
                  Shape<3>(Torus<3>{{1, 0, 0}, {0, 0, 1}, 1, 1});
              }),
              "torus: tube is 1, must be less than the radius 1");
    EXPECT_EQ(message_of([] { Shape<2>(Torus<2>{}); }), "torus: is a shape in 3D only");
    EXPECT_EQ(message_of([] { Shape<2>(MeshSolid(sphere_mesh(0))); }), "mesh: is a shape in 3D only");
    EXPECT_EQ(message_of([] { unite<3>({}); }), "union: has no shapes, needs at least one");
    EXPECT_EQ(message_of([] { subtract<2>({}); }), "difference: has no shapes, needs at least one");
    EXPECT_EQ(message_of([] {
                  intersect<2>({Sphere<2>{{0, 0}, 1}, Sphere<2>{{3, 0}, 1}});
              }),
              "intersection: its shapes have nothing in common");
}

TEST(Placement, up_axis_turns_to_z_without_mirroring)
{
    const std::vector<std::pair<UpAxis, Vec<3>>> axes = {
        {UpAxis::X, Vec<3>::UnitX()},       {UpAxis::Y, Vec<3>::UnitY()},
        {UpAxis::Z, Vec<3>::UnitZ()},       {UpAxis::MinusX, -Vec<3>::UnitX()},
        {UpAxis::MinusY, -Vec<3>::UnitY()}, {UpAxis::MinusZ, -Vec<3>::UnitZ()}};
    for (const auto& [up, direction] : axes) {
        const Mat<3> R = upright_rotation(up);
        EXPECT_EQ(R * direction, Vec<3>::UnitZ());
        EXPECT_EQ(R.determinant(), 1.0);
        EXPECT_EQ(R * R.transpose(), Mat<3>::Identity());
    }
    // The usual case: y up and the front towards +z, which then looks towards −y.
    EXPECT_EQ(upright_rotation(UpAxis::Y) * Vec<3>::UnitZ(), -Vec<3>::UnitY());
}

TEST(Placement, steps_are_applied_in_their_order)
{
    // A box that is 4 along its file's up axis y, 2 along x and 1 along z.
    const Shape<3> box = MeshSolid(box_mesh({{0, 0, 0}, {2, 4, 1}}));
    const Shape<3> placed =
        place<3>(box, {.up = UpAxis::Y, .size = 0.4, .rotate = {0, 0, pi / 2}, .at = Vec<3>(10, 20, 30)});
    // Upright it is 2 × 1 × 4, scaled 0.2 × 0.1 × 0.4, turned 0.1 × 0.2 × 0.4, standing on the given point.
    EXPECT_LT((placed.bounds().min - Vec<3>(9.95, 19.9, 30)).norm(), 1e-13);
    EXPECT_LT((placed.bounds().max - Vec<3>(10.05, 20.1, 30.4)).norm(), 1e-13);
    EXPECT_NEAR(placed.volume().value, 0.008, 1e-14);
}

TEST(Placement, rotation_keeps_the_centre_of_the_bounds)
{
    const Shape<3> box = Box<3>{{1, 2, 3}, {2, 4, 6}};
    const Shape<3> turned = place<3>(box, {.rotate = {0.3, 1.0, -2.0}});
    EXPECT_LT((turned.bounds().center() - box.bounds().center()).norm(), 1e-14);
    const Shape<2> flat = place<2>(Box<2>{{1, 2}, {2, 4}}, {.rotate = Angles<2>(pi / 2)});
    EXPECT_LT((flat.bounds().min - Vec<2>(0.5, 2.5)).norm(), 1e-14);
    EXPECT_LT((flat.bounds().max - Vec<2>(2.5, 3.5)).norm(), 1e-14);
}

TEST(Placement, scale_multiplies_coordinates)
{
    const Shape<3> placed = place<3>(Box<3>{{1, 2, 3}, {2, 4, 6}}, {.scale = 0.5});
    EXPECT_EQ(placed.bounds(), (Box<3>{{0.5, 1, 1.5}, {1, 2, 3}}));
}

TEST(Placement, underside_is_at_the_lowest_last_coordinate)
{
    const Shape<2> disc = place<2>(Sphere<2>{{3, 4}, 1}, {.at = Vec<2>(0, 0)});
    EXPECT_NEAR(disc.signed_distance({0, 0}), 0.0, 1e-15);
    EXPECT_NEAR(disc.signed_distance({0, 1}), -1.0, 1e-15);
    const Shape<3> ball = place<3>(unite<3>({Sphere<3>{{3, 4, 5}, 1}}), {.at = Vec<3>(1, 1, 1)});
    EXPECT_NEAR(ball.signed_distance({1, 1, 2}), -1.0, 1e-15);
}

TEST(Placement, without_wishes_nothing_changes)
{
    const Box<3> box{{0.1, 0.2, 0.3}, {0.7, 1.1, 1.3}};
    EXPECT_EQ(place<3>(box, {}).bounds(), box);
    EXPECT_EQ(place<3>(box, {.rotate = {0, 0, 0}}).bounds(), box);
}

TEST(Placement, refuses_values_that_make_no_placement)
{
    const Shape<3> ball = Sphere<3>{{0, 0, 0}, 1};
    EXPECT_THROW(place<3>(ball, {.scale = 1, .size = 1}), InputError);
    EXPECT_THROW(place<3>(ball, {.scale = 0}), InputError);
    EXPECT_THROW(place<3>(ball, {.size = -1}), InputError);
    EXPECT_THROW(place<3>(ball, {.rotate = {NAN, 0, 0}}), InputError);
    EXPECT_THROW(place<3>(ball, {.at = Vec<3>(0, INFINITY, 0)}), InputError);
    EXPECT_THROW(place<2>(Sphere<2>{{0, 0}, 1}, {.up = UpAxis::Y}), InputError);
}

} // namespace
} // namespace phyxel::shape_test
