// SPDX-License-Identifier: MIT
// All benchmarks in one program: `./dev bench [NAME] [--json FILE]`. Workloads and targets stand in the
// files; results are in docs/performance.md.
#include "benchmarks.h"

#include <benchmark/benchmark.h>

int main(int argc, char** argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    phyxel::register_search_benchmarks();
    phyxel::register_approx_benchmarks();
    phyxel::register_fluid_benchmarks();
    phyxel::register_ghost_benchmarks();
    phyxel::register_render_benchmarks();
    phyxel::register_surface_benchmarks();
    phyxel::register_skin_benchmarks();
    phyxel::register_solid_benchmarks();
    phyxel::register_fracture_benchmarks();
    phyxel::register_rigid_benchmarks();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
