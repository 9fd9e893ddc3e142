// SPDX-License-Identifier: MIT
#include <phyxel/solid/elastic_law.h>

#include <array>

namespace phyxel {

template <int Dim>
ElasticConstants<Dim>::ElasticConstants(const SolidMaterial& material)
    : is_neo_hookean(material.law == ElasticLaw::NeoHookean),
      is_anisotropic(material.stiffness.has_value()),
      lambda(material.lame_lambda()),
      mu(material.lame_mu()),
      volume_stiffness(material.volume_stiffness_or_default()),
      viscosity(material.viscosity),
      youngs_modulus(material.youngs_modulus),
      wave_modulus(material.density * pressure_wave_speed(material) * pressure_wave_speed(material) -
                   material.volume_stiffness_or_default())
{
    if (!is_anisotropic) return;
    // Plane strain is what is left when nothing happens along z.
    constexpr std::array<int, components> rows = [] {
        if constexpr (Dim == 2)
            return std::array<int, 3>{0, 1, 3};
        else
            return std::array<int, 6>{0, 1, 2, 3, 4, 5};
    }();
    for (int r = 0; r < components; ++r)
        for (int c = 0; c < components; ++c)
            C(r, c) =
                (*material.stiffness)(rows[static_cast<std::size_t>(r)], rows[static_cast<std::size_t>(c)]) *
                (c >= Dim ? 2.0 : 1.0); // strain counts shear twice, tensors do not
    const StiffnessMatrix& full = *material.stiffness;
    lambda = (full(0, 1) + full(1, 2) + full(0, 2)) / 3.0;
    mu = (full(3, 3) + full(4, 4) + full(5, 5)) / 3.0;
    youngs_modulus = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
}

template struct ElasticConstants<2>;
template struct ElasticConstants<3>;

} // namespace phyxel
