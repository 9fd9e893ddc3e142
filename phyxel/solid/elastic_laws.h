// SPDX-License-Identifier: MIT
// The laws that a solid can have. Which one it is, is asked once for a run of phyxels, outside of the loop
// over them.
#pragma once

#include <phyxel/solid/corotated.h>
#include <phyxel/solid/hooke.h>
#include <phyxel/solid/neo_hookean.h>
#include <phyxel/solid/svk.h>

#include <variant>

namespace phyxel {

template <int Dim>
using AnyLaw = std::variant<NeoHookean<Dim>, Svk<Dim>, Hooke<Dim>, Corotated<Dim>>;

template <int Dim>
AnyLaw<Dim> make_law(const SolidMaterial& material)
{
    const ElasticModuli moduli(material);
    if (material.stiffness) return Hooke<Dim>{{moduli}, tensor_stiffness<Dim>(*material.stiffness)};
    if (material.law == ElasticLaw::NeoHookean) return NeoHookean<Dim>{moduli};
    if (material.law == ElasticLaw::Corotated) return Corotated<Dim>{moduli};
    return Svk<Dim>{{moduli}};
}

} // namespace phyxel
