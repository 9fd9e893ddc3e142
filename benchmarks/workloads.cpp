// SPDX-License-Identifier: MIT
#include "workloads.h"

#include <cmath>

namespace phyxel {
namespace {

std::vector<Vec<3, float>> lattice(std::size_t count, Rng& rng)
{
    const auto side = static_cast<int>(std::lround(std::cbrt(static_cast<double>(count))));
    std::vector<Vec<3, float>> points;
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x)
                points.push_back((Vec<3>(x, y, z) + rng.point<3>(-0.25, 0.25)).cast<float>());
    return points;
}

std::vector<Vec<3, float>> clustered(std::size_t count, Rng& rng)
{
    struct Blob {
        Vec<3> center;
        double sigma;
    };
    const double scale = std::cbrt(static_cast<double>(count) / 1e6);
    const double side = 100.0 * scale;
    std::vector<Blob> blobs(200);
    for (Blob& blob : blobs) blob = {rng.point<3>(0, side), scale * rng.uniform(1.2, 5)};

    const auto inside = [&](const Vec<3>& x) { return (x.array() >= 0).all() && (x.array() < side).all(); };
    std::vector<Vec<3, float>> points;
    while (points.size() < count) {
        Vec<3> x = rng.point<3>(0, side);
        if (points.size() % 5 != 0) {
            const Blob& blob = blobs[rng.below(blobs.size())];
            x = blob.center + blob.sigma * Vec<3>(rng.normal(), rng.normal(), rng.normal());
        }
        if (inside(x)) points.push_back(x.cast<float>());
    }
    return points;
}

} // namespace

Workload make_workload(const std::string& name, std::size_t count)
{
    Rng rng(1);
    if (name == "lattice") return {lattice(count, rng), 2.0f, 0.05f};
    if (name == "clustered") return {clustered(count, rng), 1.0f, 0.025f};
    std::vector<Vec<3, float>> points(count);
    const double side = std::cbrt(static_cast<double>(count));
    for (auto& x : points) x = rng.point<3>(0, side).cast<float>();
    return {std::move(points), 1.95f, 0.05f};
}

void move_points(Workload& workload, Rng& rng)
{
    for (auto& x : workload.points) x += rng.point<3>(-workload.motion, workload.motion).cast<float>();
}

} // namespace phyxel
