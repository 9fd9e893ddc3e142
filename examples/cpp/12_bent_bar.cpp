// SPDX-License-Identifier: MIT
// 12_bent_bar: a bar of lead, held at one end, is bent and let go.    Builds on: 08_jelly.
// Run:     example_12_bent_bar     Expect: it keeps more than nine tenths of its bend.
#include <phyxel/solid/solid_solver.h>

#include <cstdio>

using namespace phyxel;

int main()
{
    const PhyxelCloud<2> bar = make_phyxels<2>(Shape<2>(Box<2>{Vec<2>(0, 0), Vec<2>(0.2, 0.02)}), 0.0025);
    const SolidMaterial lead{.youngs_modulus = 1.6e10, .poisson_ratio = 0.44, .yield_stress = 1e7};
    const SolidModel<2> model = make_solid_model<2>(std::vector{&bar}, std::vector{lead}, 0.1);
    SolidState<2> state;
    state.append(bar.positions, std::vector<Vec<2>>(bar.size(), Vec<2>::Zero()));
    state.remember_flow();
    SolidRegion<2> clamp{"clamp"}, end{"end"};
    for (std::size_t i = 0; i < bar.size(); ++i) {
        if (bar.positions[i][0] < 0.02) clamp.phyxels.push_back(i);
        if (bar.positions[i][0] > 0.19) end.phyxels.push_back(i);
    }
    const auto around = [](double t) { // along a circle that gets smaller
        const double turn = 0.5 * t + 1e-9, r = 0.1775 / turn;
        const Vec<2> move(r * std::sin(turn) - 0.1775, r - r * std::cos(turn));
        return Displacement<2>{move, Angles<2>::Constant(turn)};
    };
    end.what = PrescribedMotion<2>{Motion<2>(around, Vec<2>(0.195, 0.01))};
    SolidRegions<2> regions(model, IdIndex(state.id), {clamp, end});
    SolidSolver<2> solver(model, regions, QuasiStaticOptions{});
    Surroundings<2> surroundings;
    for (surroundings.time = 0.05; surroundings.time < 1.01; surroundings.time += 0.05)
        (void)solver.step(state, 0.05, surroundings);
    const double bent = state.position.back()[1] - 0.01875;
    regions = SolidRegions<2>(model, IdIndex(state.id), {clamp}); // and lets the end go
    (void)solver.step(state, 0.05, surroundings);
    const double kept = (state.position.back()[1] - 0.01875) / bent;
    std::printf("bent by %.1f mm, keeps %.1f %%\n", 1e3 * bent, 100.0 * kept);
    return kept > 0.9 && kept < 1.0 ? 0 : 1;
}
