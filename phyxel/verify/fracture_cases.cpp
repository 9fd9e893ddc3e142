// SPDX-License-Identifier: MIT
// V-C2 and V-C6: solids that are cut, and cracks that grow.
#include <phyxel/verify/detail/case_families.h>

#include <phyxel/core/rng.h>
#include <phyxel/solid/elastic_stages.h>
#include <phyxel/solid/solid_cracks.h>
#include <phyxel/verify/detail/measurements.h>
#include <phyxel/verify/detail/worst.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace phyxel::detail {
namespace {

constexpr double share = 0.1; // of stabilisation

/// A bar of 12 × 6 × 6 phyxels, not quite a lattice; its spacing is 1.
SolidModel<3> bar()
{
    Rng rng(5);
    std::vector<Vec<3>> places;
    for (int x = 0; x < 12; ++x)
        for (int y = 0; y < 6; ++y)
            for (int z = 0; z < 6; ++z)
                places.push_back(Vec<3>(x + 0.5, y + 0.5, z + 0.5) + 0.2 * rng.point<3>(-1.0, 1.0));
    const PhyxelCloud<3> cloud = make_phyxels<3>(places, 1.0, 1.0);
    const SolidMaterial material;
    const PhyxelCloud<3>* const clouds[] = {&cloud};
    return make_solid_model<3>(clouds, std::span(&material, 1), share);
}

/// Across the bar in its middle, from one height to another.
void draw(SolidCracks<3>& cracks, const SolidModel<3>& model, double from, double to)
{
    const std::vector<Vec<3>> polygon = {Vec<3>(6, from, -2), Vec<3>(6, to, -2), Vec<3>(6, to, 8),
                                         Vec<3>(6, from, 8)};
    draw_crack<3>(cracks.of(model, 0), polygon, [](const Vec<3>& x) {
        const Vec<3> half(6, 3, 3);
        return ((x - half).cwiseAbs() - half).maxCoeff();
    });
    find_fronts(cracks.of(model, 0));
}

// V-C2

/// What a crack leaves of the ways that it crosses.
using Parting = std::function<double(double lengthening)>;

/// The largest force on one half, over E a², when the other is pulled away and torn about.
Measurement check_cut_bar(const Parting& parting)
{
    SolidModel<3> model = bar();
    SolidCracks<3> cracks;
    draw(cracks, model, -2.0, 8.0);
    static_cast<void>(cracks.update(model, share));
    for (double& longer : model.rest.lengthening) longer = parting(longer);
    fit<3>(model.rest, 0);
    model.set_material(0, model.materials[0], share);

    std::vector<Vec<3>> places = model.rest.position, forces(model.size());
    for (Vec<3>& x : places)
        if (x[0] > 6.0) x = 1.3 * x + Vec<3>(2.0, 1.0, -0.5);
    ElasticWorkspace<3> work(model);
    compute_responses<3>(model, places, {}, work);
    compute_elastic_forces<3>(model, work, forces);
    Worst force;
    for (std::size_t i = 0; i < model.size(); ++i)
        if (model.rest.position[i][0] < 6.0) force.add(forces[i].norm() / model.materials[0].youngs_modulus);
    return error_measurement(force.value(), 1e-14, "216 phyxels on the other side");
}

// V-C6

/// Weighs the pairs of a model after a crack has grown from `faces` faces.
using Weighing = std::function<void(SolidCracks<3>& cracks, SolidModel<3>& model, std::size_t faces)>;

void weigh(SolidCracks<3>& cracks, SolidModel<3>& model, std::size_t)
{
    static_cast<void>(cracks.update(model, share));
}

/// Only those that cross a new face: where the front was, the crack stays translucent.
void weigh_new_crossings(SolidCracks<3>& cracks, SolidModel<3>& model, std::size_t faces)
{
    RestShape<3>& rest = model.rest;
    const CrackSheets<3>& sheets = *cracks.find(0);
    if (rest.lengthening.empty()) rest.lengthening.resize(rest.pairs.size(), 0.0);
    std::size_t entry = 0;
    for (Index i = 0; i < rest.size(); ++i)
        for (const Index j : rest.neighbors.of(i)) {
            bool is_new = false;
            sheets.for_each_crossing(rest.position[i], rest.position[j],
                                     [&](Index face, const Vec<3>&) { is_new = is_new || face >= faces; });
            if (is_new) rest.lengthening[entry] = sheets.lengthening(rest.position[i], rest.position[j]);
            ++entry;
        }
    fit<3>(rest, 0);
    model.set_material(0, model.materials[0], share);
}

Measurement check_growth(const Weighing& weighing)
{
    SolidModel<3> model = bar();
    SolidCracks<3> cracks;
    std::size_t faces = 0;
    double wrong = 0.0, front = -2.0;
    for (double height = 0.02; height < 7.0; height += 0.7) {
        draw(cracks, model, std::exchange(front, height), height);
        weighing(cracks, model, faces);
        faces = cracks.find(0)->data().faces.size();
        SolidModel<3> anew = bar();
        SolidCracks<3> all;
        all.set(anew, 0, CrackSheets<3>(1.0, {}, cracks.find(0)->data()));
        static_cast<void>(all.update_all(anew, 0, share));
        for (std::size_t entry = 0; entry < anew.rest.pairs.size(); ++entry)
            wrong += model.rest.pairs[entry].w != anew.rest.pairs[entry].w ? 1.0 : 0.0;
        for (std::size_t i = 0; i < anew.size(); ++i) {
            const bool is_same =
                model.rest.gradients[i].inverse_moment == anew.rest.gradients[i].inverse_moment &&
                model.rest.area[i] == anew.rest.area[i] && model.stabilization[i] == anew.stabilization[i];
            wrong += is_same ? 0.0 : 1.0;
        }
    }
    return count_measurement(wrong, "numbers", "of weights and gradients that differ, in ten steps");
}

} // namespace

std::vector<Case> fracture_cases()
{
    std::vector<Case> cases;
    cases.push_back(make_case({"V-C2/force", "no force is between the halves of a bar that is cut through",
                               "free bodies; [AW09, Eq. 70] lengthens every way beyond its support"},
                              check_cut_bar, Parting([](double longer) { return longer; }),
                              "ways that are lengthened by half a support at the most",
                              Parting([](double longer) { return std::min(longer, 0.5); })));
    cases.push_back(make_case({"V-C6/growth", "weights beside a growing crack have the bits of weighing all",
                               "the same crack, weighed at once"},
                              check_growth, Weighing(weigh), "only ways across new faces are looked at",
                              Weighing(weigh_new_crossings)));
    return cases;
}

} // namespace phyxel::detail
