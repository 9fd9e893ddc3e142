// SPDX-License-Identifier: MIT
#include <phyxel/core/rng.h>
#include <phyxel/fracture/crack_fronts.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_contact.h>
#include <phyxel/solid/solid_cracks.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

namespace phyxel::solid_cracks_test {
namespace {

constexpr double share = 0.1; // of stabilisation

/// A bar from 0 to 16 along x, not quite a lattice.
template <int Dim>
std::vector<Vec<Dim>> bar_places(double jitter = 0.2)
{
    std::vector<Vec<Dim>> places;
    Rng rng(5);
    for (int x = 0; x < 16; ++x)
        for (int y = 0; y < 6; ++y)
            for (int z = 0; z < (Dim == 3 ? 6 : 1); ++z) {
                Vec<Dim> place = Vec<Dim>::Constant(0.5 + z);
                place[0] = 0.5 + x;
                place[1] = 0.5 + y;
                places.push_back(place + jitter * rng.point<Dim>(-1.0, 1.0));
            }
    return places;
}

template <int Dim>
SolidModel<Dim> bar(double jitter = 0.2)
{
    const PhyxelCloud<Dim> cloud = make_phyxels<Dim>(bar_places<Dim>(jitter), 1.0, 1.0);
    const SolidMaterial material;
    const PhyxelCloud<Dim>* const clouds[] = {&cloud};
    return make_solid_model<Dim>(clouds, std::span(&material, 1), share);
}

template <int Dim>
double distance_from_bar(const Vec<Dim>& x)
{
    Vec<Dim> half = Vec<Dim>::Constant(3.0);
    half[0] = 8.0;
    return ((x - half).cwiseAbs() - half).maxCoeff();
}

/// Across the bar at `x`, from below up to `height`.
template <int Dim>
std::vector<Vec<Dim>> cut_at(double x, double height)
{
    if constexpr (Dim == 2)
        return {Vec<2>(x, -2.0), Vec<2>(x, height)};
    else
        return {Vec<3>(x, -2.0, -2.0), Vec<3>(x, height, -2.0), Vec<3>(x, height, 8.0), Vec<3>(x, -2.0, 8.0)};
}

template <int Dim>
void draw(SolidCracks<Dim>& cracks, const SolidModel<Dim>& model, const std::vector<Vec<Dim>>& polygon)
{
    draw_crack<Dim>(cracks.of(model, 0), polygon, distance_from_bar<Dim>);
    find_fronts(cracks.of(model, 0));
}

template <class T>
bool has_same_bytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && std::memcmp(static_cast<const void*>(a.data()),
                                               static_cast<const void*>(b.data()), a.size() * sizeof(T)) == 0;
}

template <int Dim>
void expect_same_bits(const SolidModel<Dim>& a, const SolidModel<Dim>& b)
{
    EXPECT_TRUE(has_same_bytes(a.rest.lengthening, b.rest.lengthening));
    EXPECT_TRUE(has_same_bytes(a.rest.pairs, b.rest.pairs));
    EXPECT_TRUE(has_same_bytes(a.rest.area, b.rest.area));
    EXPECT_TRUE(has_same_bytes(a.rest.spans_space, b.rest.spans_space));
    EXPECT_TRUE(has_same_bytes(a.stabilization, b.stabilization));
    EXPECT_EQ(a.is_surface, b.is_surface);
    for (std::size_t i = 0; i < a.size(); ++i) {
        const PhyxelGradient<Dim>&p = a.rest.gradients[i], &q = b.rest.gradients[i];
        ASSERT_TRUE(p.inverse_moment == q.inverse_moment && p.stabilizing_moment == q.stabilizing_moment &&
                    p.weighted_offsets == q.weighted_offsets &&
                    p.stabilizing_offsets == q.stabilizing_offsets && p.weight_sum == q.weight_sum)
            << i;
        ASSERT_TRUE(a.rest.rest_gradient(i) == b.rest.rest_gradient(i)) << i;
        ASSERT_TRUE(a.rest.stabilizing_inverse(i) == b.rest.stabilizing_inverse(i)) << i;
    }
}

template <int Dim>
void expect_growth_to_be_exact()
{
    SolidModel<Dim> model = bar<Dim>();
    SolidCracks<Dim> cracks;
    std::size_t least = model.size(), steps = 0;
    for (double height = 0.0; height < 7.0; height += 0.7, ++steps) {
        // The front of the step before is one no longer.
        draw<Dim>(cracks, model, cut_at<Dim>(7.9, height + 0.02));
        least = std::min(least, cracks.update(model, share).size());
        SolidModel<Dim> anew = bar<Dim>();
        SolidCracks<Dim> all;
        all.set(anew, 0, CrackSheets<Dim>(1.0, {}, cracks.find(0)->data()));
        static_cast<void>(all.update_all(anew, 0, share));
        fit<Dim>(anew.rest, 0);
        anew.set_material(0, anew.materials[0], share);
        expect_same_bits(model, anew);
    }
    EXPECT_EQ(steps, 10u);
    EXPECT_LT(least, model.size() / 4);
}

TEST(SolidCracks, weights_of_what_a_front_has_passed_are_those_of_weighing_all)
{
    expect_growth_to_be_exact<2>();
    expect_growth_to_be_exact<3>();
}

/// A crack that goes on by its fronts: weights, pieces and contacts after each step are those of looking at
/// everything anew.
template <int Dim>
void expect_fronts_to_be_exact(double way)
{
    SolidModel<Dim> model = bar<Dim>();
    SolidCracks<Dim> cracks;
    draw<Dim>(cracks, model, cut_at<Dim>(7.9, 1.5));
    static_cast<void>(cracks.update(model, share));
    ContactSearch<Dim> search(model);
    const std::vector<Vec<Dim>> still(model.size(), Vec<Dim>::Zero());
    std::vector<Vec<Dim>> places = model.rest.position;
    const auto last = static_cast<Index>(model.size());
    Fragments pieces = fragments_of(model.rest, 0, last);
    std::size_t steps = 0, quiet = 0, parted = 0;
    Rng rng(3);
    for (; steps < 100 && !cracks.find(0)->data().fronts.empty(); ++steps) {
        const std::vector<FrontNode<Dim>> nodes = front_nodes(*cracks.find(0));
        std::vector<Vec<Dim>> ways;
        const double turn = 0.2 * std::sin(0.7 * static_cast<double>(steps));
        for (const FrontNode<Dim>& node : nodes) {
            const bool moves = rng.uniform() < 0.9;
            ways.push_back(moves ? Vec<Dim>(way * (node.forward + turn * node.normal))
                                 : Vec<Dim>(Vec<Dim>::Zero()));
        }
        advance_fronts<Dim>(cracks.of(model, 0), nodes, ways, distance_from_bar<Dim>);
        find_fronts(cracks.of(model, 0));
        const std::vector<Index> changed = cracks.update(model, share);

        SolidModel<Dim> anew = bar<Dim>();
        SolidCracks<Dim> all;
        all.set(anew, 0, CrackSheets<Dim>(1.0, {}, cracks.find(0)->data()));
        static_cast<void>(all.update_all(anew, 0, share));
        fit<Dim>(anew.rest, 0);
        anew.set_material(0, anew.materials[0], share);
        EXPECT_TRUE(has_same_bytes(model.rest.lengthening, anew.rest.lengthening));
        EXPECT_TRUE(has_same_bytes(model.rest.pairs, anew.rest.pairs));
        EXPECT_TRUE(has_same_bytes(model.rest.area, anew.rest.area));

        const Fragments now = fragments_of(model.rest, 0, last);
        if (!cracks.may_have_parted(0)) {
            ++quiet;
            EXPECT_EQ(now.of_phyxel, pieces.of_phyxel);
        }
        parted += now.count > pieces.count ? 1 : 0;
        pieces = now;

        for (Vec<Dim>& x : places) x += 0.02 * rng.point<Dim>(-1.0, 1.0);
        search.update_pairs(model, changed);
        ContactSearch<Dim> whole(model);
        std::vector<Contact<Dim>> contacts, expected;
        search.find_pairs(model, places, still, 0.0, {}, contacts);
        whole.find_pairs(model, places, still, 0.0, {}, expected);
        ASSERT_EQ(contacts.size(), expected.size());
        for (std::size_t k = 0; k < contacts.size(); ++k) {
            EXPECT_EQ(contacts[k].a, expected[k].a);
            EXPECT_EQ(contacts[k].b, expected[k].b);
            EXPECT_EQ(contacts[k].offset, expected[k].offset);
        }
    }
    EXPECT_GT(steps, 10u);
    EXPECT_GT(quiet, 5u);
    EXPECT_GE(parted, 1u);
}

TEST(SolidCracks, weights_pieces_and_contacts_after_each_step_of_a_front_are_those_of_looking_at_all)
{
    expect_fronts_to_be_exact<2>(0.0625);
    expect_fronts_to_be_exact<3>(0.25);
}

TEST(SolidCracks, that_do_not_grow_change_nothing)
{
    SolidModel<3> model = bar<3>();
    SolidCracks<3> cracks;
    draw<3>(cracks, model, cut_at<3>(7.9, 3.0));
    EXPECT_FALSE(cracks.update(model, share).empty());
    EXPECT_TRUE(cracks.update(model, share).empty());
    find_fronts(cracks.of(model, 0));
    EXPECT_TRUE(cracks.update(model, share).empty());
}

TEST(SolidCracks, far_from_them_nothing_is_weighed_anew)
{
    const SolidModel<3> whole = bar<3>();
    SolidModel<3> model = bar<3>();
    SolidCracks<3> cracks;
    draw<3>(cracks, model, cut_at<3>(7.9, 3.0));
    for (const Index i : cracks.update(model, share)) {
        EXPECT_LT(std::abs(model.rest.position[i][0] - 7.9), 2.6);
        EXPECT_LT(model.rest.position[i][1], 3.0 + 2.6);
    }
    for (Index i = 0; i < model.size(); ++i)
        if (std::abs(model.rest.position[i][0] - 7.9) > 2.6) {
            EXPECT_EQ(model.rest.gradients[i].inverse_moment, whole.rest.gradients[i].inverse_moment);
        }
}

template <int Dim>
void expect_halves_to_be_free(double jitter)
{
    SolidModel<Dim> model = bar<Dim>(jitter);
    SolidCracks<Dim> cracks;
    draw<Dim>(cracks, model, cut_at<Dim>(8.0, 9.0));
    static_cast<void>(cracks.update(model, share));
    EXPECT_EQ(fragments_of(model.rest, 0, static_cast<Index>(model.size())).count, 2u);

    // Each half moves and turns as it likes, and no force is between them.
    std::vector<Vec<Dim>> places = model.rest.position;
    for (Vec<Dim>& x : places) {
        const bool is_right = x[0] > 8.0;
        const double angle = is_right ? 0.4 : -0.3;
        const double c = std::cos(angle), s = std::sin(angle);
        x.template head<2>() = Vec<2>(c * x[0] - s * x[1], s * x[0] + c * x[1]);
        x[1] += is_right ? 3.0 : 0.0;
    }
    ElasticWorkspace<Dim> work(model);
    compute_responses<Dim>(model, places, {}, work);
    for (const ElasticResponse<Dim>& response : work.responses)
        EXPECT_NEAR((response.F.transpose() * response.F - Mat<Dim>::Identity()).norm(), 0.0, 1e-12);
    std::vector<Vec<Dim>> forces(model.size());
    compute_elastic_forces<Dim>(model, work, forces);
    const double unit = model.materials[0].youngs_modulus; // of a spacing of 1
    for (const Vec<Dim>& force : forces) EXPECT_LT(force.norm(), 1e-12 * unit);

    // And what one half does is not felt by the other to the last bit.
    std::vector<Vec<Dim>> other = places, others(model.size());
    for (std::size_t i = 0; i < other.size(); ++i)
        if (model.rest.position[i][0] > 8.0) other[i] *= 1.5;
    compute_responses<Dim>(model, other, {}, work);
    compute_elastic_forces<Dim>(model, work, others);
    for (std::size_t i = 0; i < other.size(); ++i)
        if (model.rest.position[i][0] < 8.0) {
            EXPECT_EQ(forces[i], others[i]);
        }
}

TEST(SolidCracks, a_bar_that_is_cut_through_is_two_that_know_nothing_of_each_other)
{
    expect_halves_to_be_free<2>(0.2);
    expect_halves_to_be_free<3>(0.2);
    expect_halves_to_be_free<3>(0.0);
}

TEST(SolidCracks, a_slit_leaves_one_piece)
{
    SolidModel<3> model = bar<3>();
    SolidCracks<3> cracks;
    draw<3>(cracks, model, cut_at<3>(8.0, 3.0));
    static_cast<void>(cracks.update(model, share));
    EXPECT_EQ(fragments_of(model.rest, 0, static_cast<Index>(model.size())).count, 1u);
    EXPECT_NEAR(cracks.find(0)->data().area, 18.0, 0.1);
}

TEST(SolidCracks, faces_of_a_crack_touch_without_a_blow_and_do_not_pass_through_each_other)
{
    SolidModel<3> model = bar<3>();
    ContactSearch<3> search(model);
    const std::vector<Vec<3>> still(model.size(), Vec<3>::Zero());
    SolidCracks<3> cracks;
    draw<3>(cracks, model, cut_at<3>(8.0, 9.0));
    static_cast<void>(cracks.update(model, share));
    search.update_rest(model);
    std::vector<Contact<3>> contacts;
    search.find_pairs(model, model.rest.position, still, 0.0, {}, contacts);
    for (const Contact<3>& contact : contacts)
        EXPECT_LT(contact_depth<3>(contact, model.rest.position), 1e-12);
    // Pushed together, all that lies at the cut is held back, and nothing else.
    std::vector<Vec<3>> places = model.rest.position;
    for (Vec<3>& x : places)
        if (x[0] > 8.0) x[0] -= 0.3;
    contacts.clear();
    search.find_pairs(model, places, still, 0.0, {}, contacts);
    std::vector<Vec<3>> forces(model.size(), Vec<3>::Zero());
    add_contact_forces<3>(model, contacts, places, still, 1.0, forces);
    double push = 0.0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (std::abs(model.rest.position[i][0] - 8.0) > 2.0) {
            EXPECT_EQ(forces[i].norm(), 0.0);
        }
        if (model.rest.position[i][0] > 8.0) push += forces[i][0];
    }
    EXPECT_GT(push, 36 * 0.1 * model.materials[0].youngs_modulus);
}

TEST(SolidCracks, a_solid_may_come_and_go_beside_one_with_cracks)
{
    const PhyxelCloud<3> cloud = make_phyxels<3>(bar_places<3>(), 1.0, 1.0);
    SolidModel<3> model = bar<3>();
    add_solid(model, cloud, SolidMaterial{}, share);
    SolidCracks<3> cracks;
    draw_crack<3>(cracks.of(model, 1), cut_at<3>(8.0, 9.0), distance_from_bar<3>);
    find_fronts(cracks.of(model, 1));
    static_cast<void>(cracks.update(model, share));
    add_solid(model, cloud, SolidMaterial{}, share);
    const auto count = static_cast<Index>(cloud.size());
    EXPECT_EQ(fragments_of(model.rest, 0, count).count, 1u);
    EXPECT_EQ(fragments_of(model.rest, count, 2 * count).count, 2u);
    EXPECT_EQ(fragments_of(model.rest, 2 * count, 3 * count).count, 1u);
    remove_solid(model, 0);
    EXPECT_EQ(fragments_of(model.rest, 0, count).count, 2u);
    EXPECT_EQ(model.rest.lengthening.size(), model.rest.pairs.size());
}

} // namespace
} // namespace phyxel::solid_cracks_test
