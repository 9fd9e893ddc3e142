// SPDX-License-Identifier: MIT
// Hooke's law of a material that is not the same in all directions: S = C : E in Green's strain, with any
// stiffness C.
#pragma once

#include <phyxel/solid/elastic_law.h>

#include <array>
#include <utility>

namespace phyxel {

template <int Dim>
struct Hooke : GreenStrainLaw<Dim, Hooke<Dim>> {
    static constexpr int components = Dim * (Dim + 1) / 2;
    using Stiffness = Eigen::Matrix<double, components, components>;

    Stiffness C; ///< for shear components that are not doubled [Pa]

    Mat<Dim> hooke(const Mat<Dim>& E) const
    {
        Eigen::Matrix<double, components, 1> strain;
        if constexpr (Dim == 2)
            strain << E(0, 0), E(1, 1), E(0, 1);
        else
            strain << E(0, 0), E(1, 1), E(2, 2), E(0, 1), E(1, 2), E(0, 2);
        const auto s = (C * strain).eval();
        if constexpr (Dim == 2)
            return Mat<2>{{s[0], s[2]}, {s[2], s[1]}};
        else
            return Mat<3>{{s[0], s[3], s[5]}, {s[3], s[1], s[4]}, {s[5], s[4], s[2]}};
    }
};

/// C of a matrix whose strains count shear twice. Plane strain is what is left when nothing happens along z.
template <int Dim>
typename Hooke<Dim>::Stiffness tensor_stiffness(const StiffnessMatrix& stiffness)
{
    constexpr auto rows = [] {
        if constexpr (Dim == 2)
            return std::array{0, 1, 3};
        else
            return std::array{0, 1, 2, 3, 4, 5};
    }();
    typename Hooke<Dim>::Stiffness C;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (std::size_t c = 0; c < rows.size(); ++c)
            C(static_cast<int>(r), static_cast<int>(c)) =
                stiffness(rows[r], rows[c]) * (c >= std::size_t(Dim) ? 2.0 : 1.0);
    return C;
}

} // namespace phyxel
