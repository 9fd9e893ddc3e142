// SPDX-License-Identifier: MIT
#include <phyxel/solid/solid_boundary.h>

#include <phyxel/core/rng.h>
#include <phyxel/geometry/primitives.h>

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

} // namespace
} // namespace phyxel::solid_boundary_test
