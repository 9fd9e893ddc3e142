// SPDX-License-Identifier: MIT
// Deliberate mistakes, one at a time, in the stages that a world runs through: what `phyxel verify
// --sabotage` hands to build_scene() to see that a case would notice. No file and no flag reaches them. A
// stage that has one takes another parameter or another function before its loop, so that nothing is paid
// without a fault.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace phyxel {

enum class Fault {
    None,

    // Fluids
    PositionBeforeVelocity,
    PlainPressure,
    DoubledPressure,
    PlainSmoothing,
    SmoothedFlow,
    SelfCountedTwice,
    ImagesCountedTwice,
    WallsAsHalfSpace,
    UncountedWalls,
    MirroredWallPush,
    LinearTait,
    NoWallDrag,
    HalvedWallDrag,
    HalvedViscosity,
    UnsharedStepLimit,
    NoHardWalls,
    ReversedHardWalls,
    UncorrectedDensity,
    HalvedReaction,
    CrowdedEmitters,

    // Solids
    HalvedShear,
    DoubledStress,
    NoVolumeTerm,
    IsotropicMoments,
    UnreturnedForces,
    ExtrapolatedVelocity,
    FrictionBySpeed,
    HeldLate,
    UndampedHand,
    SoftContacts,
    OneSidedContacts,
    OtherYieldNorm,
    PlainPlasticStrain,
    CreepByTheStep,
    ReversedFlow,
    StiffAfterFlow,
    UnturnedStretch,
    ForgottenVolume,
    NoCrowding,
    KeptStrain,
    MeanStressBreaks,
    HalvedRelease,
    NoStrainInRelease,
    CrackByStress,
    NoToughness,

    // Rigid bodies
    HalvedInertia,
    NoGyroscopicTerm,
    TurnedByFirstVelocity,
    FrictionWithoutTorque,
    NoRebound,
    OnePointContacts,
    FilledHoles,
    NoResponse,
    HalvedFormReaction,

    // Heat
    HalvedConduction,
    NoLatentHeat,
    OneWayHeat,
    NoThermalStrain,

    // Amounts
    MassOfVolume,
};

struct FaultInfo {
    Fault fault;
    std::string_view stage; ///< that it is in
    std::string_view what;  ///< is wrong there
};

inline constexpr std::array fault_table = {
    FaultInfo{Fault::None, "none", "nothing"},
    FaultInfo{Fault::PositionBeforeVelocity, "advance_position, of fluids and of leapfrog",
              "x moved by the velocity that the step began with: explicit Euler"},
    FaultInfo{Fault::PlainPressure, "pressure forces of wcsph and dfsph",
              "p_j/ρ_j² without p_i/ρ_i²: a plain gradient as in [AW09, Eq. 50]"},
    FaultInfo{Fault::DoubledPressure, "pressure forces of wcsph and dfsph", "every pair counted twice"},
    FaultInfo{Fault::PlainSmoothing, "compute_smoothing of wcsph",
              "[AW09, Eq. 53] with v_j, which brakes particles at a free surface"},
    FaultInfo{Fault::SmoothedFlow, "compute_noise_smoothing of dfsph",
              "the strain rate left out: flow is smoothed as if it were noise"},
    FaultInfo{Fault::SelfCountedTwice, "compute_density of wcsph",
              "every particle is among its own neighbours, too"},
    FaultInfo{Fault::ImagesCountedTwice, "compute_density of wcsph",
              "neighbours across a periodic side counted twice"},
    FaultInfo{Fault::WallsAsHalfSpace, "WallKernel",
              "the integral over a half-space in place of the layers of a lattice"},
    FaultInfo{Fault::UncountedWalls, "FluidWalls::for_each_part",
              "no fluid is counted behind walls, which push all the same"},
    FaultInfo{Fault::MirroredWallPush, "push of walls in wcsph",
              "the whole push of the mirror image, also in the first layer"},
    FaultInfo{Fault::LinearTait, "equation of state of wcsph",
              "K (ρ/ρ₀ − 1): Tait's equation without its exponent, with the K = ρ₀c²/γ that belongs to it"},
    FaultInfo{Fault::NoWallDrag, "FluidWalls::for_each_part", "the drag of walls left out of viscosity"},
    FaultInfo{Fault::HalvedWallDrag, "FluidWalls::for_each_part",
              "half of the drag of walls: fluid behind them as fast as half-way between it and them"},
    FaultInfo{Fault::HalvedViscosity, "viscosity of wcsph and dfsph",
              "half of it: every pair counted for one of its two particles only"},
    FaultInfo{Fault::UnsharedStepLimit, "stable_time_step of dfsph",
              "the whole of p/(ρ a) as an acceleration, in place of 0.16 of it"},
    FaultInfo{Fault::NoHardWalls, "FluidWalls::keep_out",
              "no hard constraint: only pressure keeps fluid out"},
    FaultInfo{Fault::ReversedHardWalls, "FluidWalls::keep_out",
              "the sign of the hard constraint: what comes too near is put farther in"},
    FaultInfo{Fault::UncorrectedDensity, "correct_density of dfsph",
              "velocities alone are corrected: what a step leaves undone of the density stays"},
    FaultInfo{Fault::HalvedReaction, "FluidWalls::add_impulses and keep_out_of_boundaries",
              "other bodies feel half of what the fluid does to them"},
    FaultInfo{Fault::CrowdedEmitters, "FluidBody::emit",
              "new particles need room of 1.1 spacings in place of a half"},
    FaultInfo{Fault::HalvedShear, "laws of solids", "μ in place of 2μ, and half of a matrix of stiffness"},
    FaultInfo{Fault::DoubledStress, "laws of solids", "the stress twice, as of an energy without its ½"},
    FaultInfo{Fault::NoVolumeTerm, "laws of solids", "the terms of λ and of the volume stiffness left out"},
    FaultInfo{Fault::IsotropicMoments, "gradients of solids",
              "moments A as if neighbours were the same in all directions"},
    FaultInfo{Fault::UnreturnedForces, "compute_elastic_forces",
              "what a phyxel's own stress gives to itself left out: its neighbours feel it, it does not"},
    FaultInfo{Fault::ExtrapolatedVelocity, "implicit steps of solids",
              "2 (x − x₀)/Δt − v₀, the velocity of the midpoint rule, in place of (x − x₀)/Δt"},
    FaultInfo{Fault::FrictionBySpeed, "contacts of solids and of rigid bodies",
              "friction −μN v in place of −μN v/|v|: as the speed, and not only along it"},
    FaultInfo{Fault::HeldLate, "prescribed places of leapfrog", "those of the beginning of the step"},
    FaultInfo{Fault::UndampedHand, "hand_region", "the damping term left out"},
    FaultInfo{Fault::SoftContacts, "ContactSearch::find_pairs", "a hundredth of the stiffness"},
    FaultInfo{Fault::OneSidedContacts, "add_contact_forces, and contacts of rigid bodies",
              "of two that touch only one is pushed"},
    FaultInfo{Fault::OtherYieldNorm, "PlasticFlow",
              "von Mises' stress without its √(3/2); of the published strain the deviator alone"},
    FaultInfo{Fault::PlainPlasticStrain, "PlasticFlow::flow",
              "the norm of what flows added up as it is, without √(2/3)"},
    FaultInfo{Fault::CreepByTheStep, "PlasticFlow",
              "every step creeps as long as one of 0.1 s, however short it is [MKN*04, Sec. 4.1]"},
    FaultInfo{Fault::ReversedFlow, "PlasticFlow", "the sign of flow: away from the yield surface"},
    FaultInfo{Fault::StiffAfterFlow, "compute_responses",
              "what keeps neighbours in line does not give way where the material has flown"},
    FaultInfo{Fault::UnturnedStretch, "forget_rest",
              "FᵀF in place of F Fᵀ: strain stays along the axes of the old shape, as in [AW09, Sec. 7.3]"},
    FaultInfo{Fault::ForgottenVolume, "forget_rest", "the volume is forgotten with the shape"},
    FaultInfo{Fault::NoCrowding, "Crowding", "the pressure of crowds left out"},
    FaultInfo{Fault::KeptStrain, "switches of materials", "the strain kept in place of the stress"},
    FaultInfo{Fault::MeanStressBreaks, "find_onset",
              "the mean of the principal stresses in place of the largest"},
    FaultInfo{Fault::HalvedRelease, "energy_release", "half of it"},
    FaultInfo{Fault::NoStrainInRelease, "energy_release", "the energy of strain left out"},
    FaultInfo{Fault::CrackByStress, "CrackGrowth::grow",
              "fronts go on where the stress at them is the strength, whatever energy that releases"},
    FaultInfo{Fault::NoToughness, "front_direction",
              "turned towards the largest stress, whatever the material bears there"},
    FaultInfo{Fault::HalvedInertia, "RigidBody::add", "half of the moments of inertia"},
    FaultInfo{Fault::NoGyroscopicTerm, "free rotation of rigid bodies",
              "ω × L left out: a body turns on about the axis that it turns about"},
    FaultInfo{Fault::TurnedByFirstVelocity, "free rotation of rigid bodies",
              "turned by the ω that the step begins with: explicit Euler"},
    FaultInfo{Fault::FrictionWithoutTorque, "contacts of rigid bodies", "friction does not turn bodies"},
    FaultInfo{Fault::NoRebound, "impacts of rigid bodies",
              "1 in place of 1 + e, the coefficient of restitution"},
    FaultInfo{Fault::OnePointContacts, "RigidContactSearch::choose",
              "of each area of contact the deepest point alone"},
    FaultInfo{Fault::FilledHoles, "RigidContactSearch::find_points",
              "the distance to the first part of a shape alone: what is cut out of it is filled"},
    FaultInfo{Fault::NoResponse, "RigidBoundary::place",
              "bodies do not give way while a pressure against them is sought"},
    FaultInfo{Fault::HalvedFormReaction, "RigidBody::take_form_impulses",
              "half of what solids and hard stops do to rigid bodies"},
    FaultInfo{Fault::HalvedConduction, "HeatExchange::make_step", "half of the conductivity"},
    FaultInfo{Fault::NoLatentHeat, "HeatExchange::advance", "melting takes no heat"},
    FaultInfo{Fault::OneWayHeat, "HeatExchange::make_step",
              "of two surfaces in touch one loses heat that the other does not get"},
    FaultInfo{Fault::NoThermalStrain, "compute_responses of solids", "nothing expands"},
    FaultInfo{Fault::MassOfVolume, "SolidBody::amounts",
              "density times the volume of now in place of the mass of each phyxel"},
};

static_assert(
    [] {
        for (std::size_t k = 0; k < fault_table.size(); ++k)
            if (fault_table[k].fault != static_cast<Fault>(k)) return false;
        return fault_table.back().fault == Fault::MassOfVolume;
    }(),
    "the table has all faults in their order");

constexpr const FaultInfo& info_of(Fault fault) { return fault_table[static_cast<std::size_t>(fault)]; }

} // namespace phyxel
