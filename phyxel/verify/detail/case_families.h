// SPDX-License-Identifier: MIT
// The families that all_cases() puts together, one source file each.
#pragma once

#include <phyxel/verify/case.h>

#include <filesystem>
#include <vector>

namespace phyxel::detail {

std::vector<Case> kernel_cases();      ///< V-K: kernels and weights by themselves
std::vector<Case> mls_cases();         ///< V-A1 … V-A5: what shape functions reproduce, and where they fail
std::vector<Case> operator_cases();    ///< V-A6, V-A7: SPH operators and the least-squares gradient
std::vector<Case> convergence_cases(); ///< V-A8: observed orders
std::vector<Case> crack_cases();       ///< V-C1, V-C3: weights and shape functions beside cracks
std::vector<Case> fracture_cases();    ///< V-C2, V-C6: solids that are cut
std::vector<Case> intensity_cases();   ///< V-C/E1 … E3: the energy that cracks release
std::vector<Case> fluid_cases();       ///< V-F1, V-F2, V-F7: sums and forces of fluids by themselves
std::vector<Case> order_cases();       ///< V-A8 up to boundaries, V-C4, and orders of operators and surfaces
std::vector<Case> search_cases();      ///< V-S: searches against brute force
std::vector<Case> skin_cases();        ///< V-U1: surfaces that solids carry along
std::vector<Case> surface_cases();     ///< V-U5, V-U7: surfaces of fields and of particles
std::vector<Case> melt_cases(const std::filesystem::path& folder); ///< V-E10, V-E12: what flows and sets
std::vector<Case> coat_cases();  ///< V-U2, V-U3, V-U6: the implicit coat of a body and what moves with it
std::vector<Case> solid_cases(); ///< V-E1, V-E2, V-E5, V-E7: elastic solids by themselves

/// V-F3 … V-F6: scenes of the folder, run as the command runs them.
std::vector<Case> scene_cases(const std::filesystem::path& folder);

/// V-F3, V-F4, V-F8 and others: flows of which a solution or an experiment is known, run in the same way.
std::vector<Case> flow_cases(const std::filesystem::path& folder);

/// Water in tanks and drops: waves, sound, buoyancy, outflow, angular momentum, run in the same way.
std::vector<Case> tank_cases(const std::filesystem::path& folder);

/// Flow that walls drive or hold back, run in the same way.
std::vector<Case> wall_flow_cases(const std::filesystem::path& folder);

/// Walls that nothing gets through, and what emitters deliver, run in the same way.
std::vector<Case> tight_cases(const std::filesystem::path& folder);

/// V-T: what is done to scenes while they run.
std::vector<Case> touch_cases(const std::filesystem::path& folder);

/// V-E6, V-E8, V-E11 and others: solids of which a solution is known, run in the same way.
std::vector<Case> solid_scene_cases(const std::filesystem::path& folder);

/// V-C5, V-C/E4: solids that break, run in the same way.
std::vector<Case> breaking_cases(const std::filesystem::path& folder);

/// V-E3, V-E4, V-E11, the patch test, neo-Hooke's law: solids whose stress is known, by themselves and as
/// scenes.
std::vector<Case> law_cases(const std::filesystem::path& folder);

/// Waves, vibrations and orders in time of solids, by themselves and as scenes.
std::vector<Case> wave_cases(const std::filesystem::path& folder);

/// Solids that touch walls and each other, run in the same way.
std::vector<Case> contact_cases(const std::filesystem::path& folder);

/// V-E9, V-E/plastic: solids that yield, by themselves and as scenes.
std::vector<Case> plastic_cases(const std::filesystem::path& folder);

/// V-X: bodies of different kinds that push each other, run in the same way.
std::vector<Case> coupled_cases(const std::filesystem::path& folder);

/// V-R: rigid bodies by themselves, run in the same way.
std::vector<Case> rigid_cases(const std::filesystem::path& folder);

/// V-X with rigid bodies in it, run in the same way.
std::vector<Case> coupled_rigid_cases(const std::filesystem::path& folder);

/// V-W: heat of solids and rigid bodies, run in the same way.
std::vector<Case> heat_cases(const std::filesystem::path& folder);

} // namespace phyxel::detail
