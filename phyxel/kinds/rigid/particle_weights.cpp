// SPDX-License-Identifier: MIT
#include <phyxel/kinds/rigid/detail/particle_weights.h>

#include <Eigen/QR>

#include <algorithm>

namespace phyxel {

template <int Dim>
std::vector<double> weights_of(const RigidPart<Dim>& part)
{
    constexpr int terms = Dim == 2 ? 4 : 10;
    const RigidMass<Dim>& mass = part.model.mass;
    const double size = std::max(part.model.radius, 1e-300);
    const auto terms_at = [&](const Vec<Dim>& x) {
        const Vec<Dim> r = (x - mass.center) / size;
        Vec<terms> all;
        if constexpr (Dim == 2)
            all << 1.0, r[0], r[1], r.squaredNorm();
        else
            all << 1.0, r[0], r[1], r[2], r[0] * r[0], r[1] * r[1], r[2] * r[2], r[0] * r[1], r[1] * r[2],
                r[0] * r[2];
        return all;
    };
    Vec<terms> wanted = Vec<terms>::Zero();
    wanted[0] = mass.mass;
    const auto per_square = 1.0 / (size * size);
    if constexpr (Dim == 2) {
        wanted[3] = per_square * mass.inertia(0, 0);
    } else {
        const Mat<3> second = 0.5 * mass.inertia.trace() * Mat<3>::Identity() - mass.inertia;
        for (int k = 0; k < 3; ++k) wanted[4 + k] = per_square * second(k, k);
        wanted[7] = per_square * second(0, 1);
        wanted[8] = per_square * second(1, 2);
        wanted[9] = per_square * second(0, 2);
    }
    Mat<terms> sums = Mat<terms>::Zero();
    const double each = mass.mass / static_cast<double>(std::max<std::size_t>(part.particles.size(), 1));
    Vec<terms> plain = Vec<terms>::Zero();
    for (const Vec<Dim>& x : part.particles) {
        const Vec<terms> t = terms_at(x);
        sums += each * t * t.transpose();
        plain += each * t;
    }
    Eigen::CompleteOrthogonalDecomposition<Mat<terms>> solver;
    solver.setThreshold(1e-9);
    solver.compute(sums);
    const Vec<terms> change = solver.solve(Vec<terms>(wanted - plain));
    std::vector<double> weights;
    for (const Vec<Dim>& x : part.particles) weights.push_back(each * (1.0 + change.dot(terms_at(x))));
    return weights;
}

template std::vector<double> weights_of(const RigidPart<2>&);
template std::vector<double> weights_of(const RigidPart<3>&);

} // namespace phyxel
