// SPDX-License-Identifier: MIT
#include <phyxel/approx/mls.h>
#include <phyxel/core/rng.h>

#include <cstdio>
#include <vector>

using namespace phyxel;

int main()
{
    // 200 points scattered over the unit square, and a field that is known only there.
    Rng rng(7);
    std::vector<Vec<2>> nodes;
    std::vector<double> f;
    for (int i = 0; i < 200; ++i) {
        const Vec<2> x = rng.point<2>(0.0, 1.0);
        nodes.push_back(x);
        f.push_back(x[0] * x[0] + 3.0 * x[0] * x[1]);
    }

    // Its value and gradient anywhere else, by moving least squares of order 2 with supports of radius 0.35.
    const auto phi = shape_functions<2>(Vec<2>(0.5, 0.4), nodes, 0.35, {.order = 2});
    const Vec<2> gradient = phi.gradient(f);
    std::printf("f = %.6f, gradient = (%.6f, %.6f)\n", phi.value(f), gradient[0], gradient[1]);
}
