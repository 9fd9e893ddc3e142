// SPDX-License-Identifier: MIT
// 12_bent_bar: a bar of lead, held at one end, is bent and let go.    Builds on: 08_jelly.
// Run:     example_12_bent_bar     Expect: it keeps more than nine tenths of its bend.
#include <phyxel/solid/solid_solver.h>

#include <cstdio>

using namespace phyxel;

int main()
{
    const PhyxelCloud<2> bar = make_phyxels<2>(Shape<2>(Box<2>{Vec<2>(0, 0), Vec<2>(0.2, 0.02)}), 0.005);
    SolidMaterial lead{.density = 11340, .youngs_modulus = 1.6e10, .poisson_ratio = 0.44};
    lead.yield_stress = 1e7;
    const PhyxelCloud<2>* const clouds[] = {&bar};
    const SolidModel<2> model = make_solid_model<2>(clouds, std::vector{lead}, 0.1);
    SolidState<2> state;
    state.append(bar.positions, std::vector<Vec<2>>(bar.size(), Vec<2>::Zero()));
    state.remember_flow();
    SolidRegion<2> clamp{"clamp"}, end{"end"};
    for (std::size_t i = 0; i < bar.size(); ++i) {
        if (bar.positions[i][0] < 0.02) clamp.phyxels.push_back(i);
        if (bar.positions[i][0] > 0.19) end.phyxels.push_back(i);
    }
    MotionKey<2> first, last{.time = 1.0, .move = Vec<2>(-0.012, 0.05), .rotate = Angles<2>::Constant(0.56)};
    const std::vector keys = {first, last};
    end.what = PrescribedMotion<2>{Motion<2>(keys, Interpolation::Linear, Vec<2>(0.195, 0.01))};
    SolidRegions<2> regions(model, IdIndex(state.id), {clamp, end});
    SolidSolver<2> solver(model, regions, QuasiStaticOptions{});
    Surroundings<2> surroundings;
    for (int n = 1; n <= 20; ++n) {
        surroundings.time = 0.05 * n;
        (void)solver.step(state, 0.05, surroundings);
    }
    const double bent = state.position.back()[1] - bar.positions.back()[1];
    regions = SolidRegions<2>(model, IdIndex(state.id), {clamp});
    (void)solver.step(state, 0.05, surroundings);
    const double kept = state.position.back()[1] - bar.positions.back()[1];
    std::printf("bent by %.1f mm, of which %.1f %% are kept\n", 1e3 * bent, 100.0 * kept / bent);
    return kept > 0.9 * bent && kept < bent ? 0 : 1;
}
