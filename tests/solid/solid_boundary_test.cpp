// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_boundary.h>

#include <phyxel/core/rng.h>
#include <phyxel/fracture/crack_drawing.h>
#include <phyxel/geometry/primitives.h>
#include <phyxel/solid/solid_cracks.h>

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>
#include <type_traits>
#include <vector>

namespace phyxel::solid_boundary_test {
namespace {

template <class T>
class SolidBoundaryTest : public testing::Test {
public:
    static constexpr int dim = T::value;

    /// A plate of two phyxels.
    SolidBoundaryTest()
    {
        Box<dim> box{Vec<dim>::Zero(), Vec<dim>::Constant(0.4)};
        box.max[0] = 0.04;
        const Shape<dim> shape(box);
        const PhyxelCloud<dim> cloud = make_phyxels<dim>(shape, 0.02);
        const std::vector<const PhyxelCloud<dim>*> clouds = {&cloud};
        const std::vector<SolidMaterial> materials = {SolidMaterial{}};
        model = make_solid_model<dim>(clouds, materials, 0.1);
        surface = surface_points(shape, 0.01);
        boundary = SolidBoundary<dim>(model, std::span(&surface, 1));
    }

    SolidModel<dim> model;
    SurfacePoints<dim> surface;
    SolidBoundary<dim> boundary;
};
using Dimensions = testing::Types<std::integral_constant<int, 2>, std::integral_constant<int, 3>>;
TYPED_TEST_SUITE(SolidBoundaryTest, Dimensions);

TYPED_TEST(SolidBoundaryTest, points_follow_affine_motion_with_their_areas)
{
    constexpr int Dim = TypeParam::value;
    Mat<Dim> F = Mat<Dim>::Identity();
    F(0, 0) = 1.3;
    F(0, 1) = 0.4;
    F(1, 0) = -0.7;
    const Vec<Dim> shift = Vec<Dim>::Constant(0.5);
    std::vector<Vec<Dim>> x, v;
    for (const Vec<Dim>& X : this->model.rest.position) {
        x.push_back(F * X + shift);
        v.push_back(F * X);
    }
    Boundary<Dim> shown;
    this->boundary.place(x, v, shown);
    ASSERT_EQ(shown.size(), this->surface.size());
    const Mat<Dim> cofactors = F.determinant() * F.inverse().transpose();
    for (std::size_t n = 0; n < shown.size(); ++n) {
        EXPECT_LT((shown.position[n] - F * this->surface.position[n] - shift).norm(), 1e-12);
        EXPECT_LT((shown.velocity[n] - F * this->surface.position[n]).norm(), 1e-12);
        EXPECT_LT((shown.area[n] - cofactors * this->surface.area[n]).norm(), 1e-12);
    }
}

TYPED_TEST(SolidBoundaryTest, force_and_torque_at_the_points_are_those_at_the_phyxels)
{
    constexpr int Dim = TypeParam::value;
    Rng rng(7);
    std::vector<Vec<Dim>> x, v(this->model.size(), Vec<Dim>::Zero());
    for (const Vec<Dim>& X : this->model.rest.position)
        x.push_back(X + rng.template point<Dim>(-0.005, 0.005));
    Boundary<Dim> shown;
    this->boundary.place(x, v, shown);
    std::vector<Vec<Dim>> at_points, at_phyxels(this->model.size());
    for (std::size_t n = 0; n < shown.size(); ++n) at_points.push_back(rng.template point<Dim>(-1.0, 1.0));
    this->boundary.spread(at_points, at_phyxels);

    const auto sums = [](const std::vector<Vec<Dim>>& places, const std::vector<Vec<Dim>>& forces) {
        Vec<Dim> force = Vec<Dim>::Zero();
        double torque = 0.0; // about z
        for (std::size_t n = 0; n < places.size(); ++n) {
            force += forces[n];
            torque += places[n][0] * forces[n][1] - places[n][1] * forces[n][0];
        }
        return std::pair(force, torque);
    };
    const auto [force, torque] = sums(shown.position, at_points);
    const auto [phyxel_force, phyxel_torque] = sums(x, at_phyxels);
    EXPECT_LT((force - phyxel_force).norm(), 1e-11);
    EXPECT_NEAR(torque, phyxel_torque, 1e-11);
}

/// The plate of the other tests, parted where x[1] is 0.197.
template <int Dim>
CrackSheets<Dim> crack_through(const Box<Dim>& box)
{
    CrackSheets<Dim> cracks(0.02);
    std::vector<Vec<Dim>> polygon;
    if constexpr (Dim == 2)
        polygon = {Vec<2>(-1, 0.197), Vec<2>(1, 0.197)};
    else
        polygon = {Vec<3>(-1, 0.197, -1), Vec<3>(1, 0.197, -1), Vec<3>(1, 0.197, 1), Vec<3>(-1, 0.197, 1)};
    const Shape<Dim> shape(box);
    draw_crack<Dim>(cracks, polygon, [&](const Vec<Dim>& x) { return shape.signed_distance(x); });
    find_fronts(cracks);
    return cracks;
}

TYPED_TEST(SolidBoundaryTest, the_faces_of_a_crack_are_there_once_it_is_open)
{
    constexpr int Dim = TypeParam::value;
    Box<Dim> box{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.4)};
    box.max[0] = 0.04;
    SolidModel<Dim>& weighed = this->model;
    SolidCracks<Dim> all;
    all.set(weighed, 0, crack_through<Dim>(box));
    static_cast<void>(all.update_all(weighed, 0, 0.1));
    const CrackSheets<Dim>* const of_part = all.find(0);
    const double spacing = 0.01;
    const SolidBoundary<Dim> cracked(weighed, std::span(&this->surface, 1), std::span(&of_part, 1), spacing);
    ASSERT_GT(cracked.size(), this->surface.size());
    const auto shown = [&](double opening) {
        std::vector<Vec<Dim>> x, v(weighed.size(), Vec<Dim>::Zero());
        for (const Vec<Dim>& X : weighed.rest.position)
            x.push_back(X + (X[1] > 0.197 ? opening : 0.0) * Vec<Dim>::Unit(1));
        Boundary<Dim> made;
        cracked.place(x, v, made);
        return made;
    };
    const std::size_t first = this->surface.size();
    for (const double closed : {0.0, 0.9 * spacing}) {
        const Boundary<Dim> now = shown(closed);
        for (std::size_t n = first; n < now.size(); ++n) EXPECT_EQ(now.area[n].norm(), 0.0);
    }
    const double opening = 3.0 * spacing;
    const Boundary<Dim> open = shown(opening);
    double upwards = 0.0, downwards = 0.0;
    for (std::size_t n = first; n < open.size(); ++n) {
        // Each is on its own side, and looks at the other.
        const bool is_upper = open.position[n][1] > 0.197 + 0.5 * opening;
        EXPECT_NEAR(open.position[n][1], is_upper ? 0.197 + opening : 0.197, 1e-9);
        (is_upper ? downwards : upwards) += is_upper ? -open.area[n][1] : open.area[n][1];
    }
    const double area = Dim == 2 ? 0.04 : 0.04 * 0.4;
    EXPECT_NEAR(upwards, of_part->data().area, 1e-12);
    EXPECT_NEAR(downwards, of_part->data().area, 1e-12);
    EXPECT_NEAR(upwards, area, 1e-3 * area);
    // The surface beside it goes with its own side, too.
    for (std::size_t n = 0; n < first; ++n) {
        const Vec<Dim>& X = this->surface.position[n];
        EXPECT_NEAR(open.position[n][1], X[1] + (X[1] > 0.197 ? opening : 0.0), 1e-9);
    }
}

TYPED_TEST(SolidBoundaryTest, impulses_at_a_crack_go_to_the_phyxels_on_their_side)
{
    constexpr int Dim = TypeParam::value;
    Box<Dim> box{Vec<Dim>::Zero(), Vec<Dim>::Constant(0.4)};
    box.max[0] = 0.04;
    SolidModel<Dim>& weighed = this->model;
    SolidCracks<Dim> all;
    all.set(weighed, 0, crack_through<Dim>(box));
    static_cast<void>(all.update_all(weighed, 0, 0.1));
    const CrackSheets<Dim>* const of_part = all.find(0);
    const SolidBoundary<Dim> cracked(weighed, std::span(&this->surface, 1), std::span(&of_part, 1), 0.01);
    std::vector<Vec<Dim>> x(weighed.rest.position.begin(), weighed.rest.position.end()),
        v(x.size(), Vec<Dim>::Zero());
    for (Vec<Dim>& place : x)
        if (place[1] > 0.197) place[1] += 0.05;
    Boundary<Dim> open;
    cracked.place(x, v, open);
    std::vector<Vec<Dim>> impulses(open.size(), Vec<Dim>::Zero()), pushes(x.size());
    Vec<Dim> given = Vec<Dim>::Zero();
    Rng rng(5);
    for (std::size_t n = this->surface.size(); n < open.size(); ++n)
        if (open.position[n][1] > 0.22) given += impulses[n] = rng.template point<Dim>(-1.0, 1.0);
    cracked.spread(impulses, pushes);
    Vec<Dim> got = Vec<Dim>::Zero();
    for (std::size_t i = 0; i < x.size(); ++i) {
        got += pushes[i];
        if (weighed.rest.position[i][1] < 0.197) {
            EXPECT_EQ(pushes[i].norm(), 0.0);
        }
    }
    EXPECT_GT(given.norm(), 0.0);
    EXPECT_LT((got - given).norm(), 1e-11);
}

} // namespace
} // namespace phyxel::solid_boundary_test
