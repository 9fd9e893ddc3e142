// SPDX-License-Identifier: MIT
#include <phyxel/solid/elastic_law.h>

namespace phyxel {

ElasticModuli::ElasticModuli(const SolidMaterial& material)
    : lambda(material.lame_lambda()),
      mu(material.lame_mu()),
      volume_stiffness(material.volume_stiffness_or_default()),
      viscosity(material.viscosity),
      youngs_modulus(material.youngs_modulus),
      wave_modulus(material.density * pressure_wave_speed(material) * pressure_wave_speed(material) -
                   material.volume_stiffness_or_default())
{
    if (!material.stiffness) return;
    const StiffnessMatrix& full = *material.stiffness;
    lambda = (full(0, 1) + full(1, 2) + full(0, 2)) / 3.0;
    mu = (full(3, 3) + full(4, 4) + full(5, 5)) / 3.0;
    youngs_modulus = mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
}

} // namespace phyxel
