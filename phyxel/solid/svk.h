// SPDX-License-Identifier: MIT
// St. Venant-Kirchhoff: Hooke's law in Green's strain, S = 2μE + λ tr(E) I [MKN*04, Eq. 4]. Gives way when it
// is pressed.
#pragma once

#include <phyxel/solid/elastic_law.h>

namespace phyxel {

template <int Dim>
struct Svk : GreenStrainLaw<Dim, Svk<Dim>> {
    Mat<Dim> hooke(const Mat<Dim>& E) const
    {
        Mat<Dim> S = 2.0 * this->moduli.mu * E;
        S.diagonal().array() += this->moduli.lambda * E.trace();
        return S;
    }
};

} // namespace phyxel
